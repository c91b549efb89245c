// The help: what the marks mean, and what each key does.

import { lettered } from "../core/letters.js";
import { html } from "../dom.js";
import { COMMANDS } from "./commands.js";

/** Keys of the tree and of the modes, which are no commands of the page. */
const OTHERS = {
  "↑ ↓": "in the tree: another node; Shift+← →: its neighbor",
  Enter: "fold the node, change the leaf; once a skipped one: why it was skipped",
  "Ins Del F2": "in Edit: add a child, remove, rename",
  "Alt+← →": "in Edit: move among the siblings",
  R: "in Edit: random tree",
  "Ctrl+Z": "undo; with Shift redo",
  X: "in Practice: mark the edge above as cut",
  Esc: "back to the page",
};

const MARKS = {
  "▲ ▼": "MAX, MIN",
  "α β": "the window: values that can still matter",
  bv: "the best value below so far",
  "= ≥ ≤ …": "what is proven of a node’s value, whatever a recorded run returns",
  "✂": "cut off: never searched",
  "thick edges": "the best line so far",
  "colored path": "at a cut: where its bound came from",
  "—": "in a recorded function: no such variable",
};

/** @type {(mark: [key: string, words: string]) => [key: string, words: string]} */
const inLetters = ([key, words]) => [lettered(key), words];

/** Return the element of the help; what opens it is a button of which it is the popover. */
export function helpOf() {
  const commands = Object.values(COMMANDS).map(({ key, words }) => [key, words]);
  const lines = [...Object.entries(MARKS).map(inLetters), ...commands, ...Object.entries(OTHERS)];
  const terms = lines.flatMap(([key, words]) => [html("dt", {}, key), html("dd", {}, words)]);
  const attributes = {
    class: "abviz-help",
    popover: "",
    role: "dialog",
    tabindex: "-1",
    "aria-label": "Keys and marks",
  };
  const help = html("div", attributes, html("dl", {}, ...terms));
  help.addEventListener("toggle", ({ newState }) => newState === "open" && help.focus());
  // on a phone it covers its button
  help.addEventListener("click", () => help.hidePopover());
  return help;
}
