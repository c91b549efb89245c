// A note at the foot of a page, which its reader can close.

import { button, html } from "./elements.js";

/**
 * @param {HTMLElement} text
 * @param {HTMLElement | string} action
 * @param {string} leave
 */
export function putNote(text, action, leave) {
  const note = html("div", { id: "abviz-note", role: "region", "aria-label": "Note" });
  note.append(
    text,
    " ",
    action,
    " ",
    button("way plain", leave, () => note.remove()),
  );
  document.body.append(note);
}
