// How far the reader has come in each chapter: the exercises of which an answer was right.

import { html } from "./elements.js";
import { rightIn } from "./store.js";

/** @param {HTMLElement} list of chapters, each with the names of its exercises */
export function showProgress(list) {
  const { rules = "" } = list.dataset;
  for (const item of list.querySelectorAll("[data-exercises]")) {
    const { chapter = "", exercises = "" } = /** @type {HTMLElement} */ (item).dataset;
    const names = exercises.split(" ").filter(Boolean);
    const right = rightIn(chapter, names, rules);
    if (!right) continue;
    const text = `${right} of ${names.length} exercises checked right`;
    item.querySelector("strong")?.after(html("span", { class: "progress" }, text));
  }
}
