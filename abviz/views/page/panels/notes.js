// What the author of a tree says of a step.

import { areNotesTrue, notedTree } from "../core/notes.js";
import { longest } from "../core/words.js";
import { html } from "../dom.js";

/** @import { Trace, Tree } from "../core/trace.js" */

export class Notes {
  /** @type {Tree | undefined} */
  tree;
  areTrue = false;

  constructor() {
    this.text = html("p", {});
    this.element = html("div", { class: "abviz-note", hidden: "" }, this.text);
  }

  /**
   * Another search. Return whether there are other notes, which need other room. Those of a tree
   * are about alpha-beta: whatever its leaves are, no other search shows them.
   * @param {Trace} trace
   * @param {Trace} original
   */
  load(trace, original) {
    const tree = trace.search === "alphabeta" ? notedTree(trace, original) : undefined;
    const isNew = tree !== this.tree && !!tree?.note;
    this.tree = tree;
    this.areTrue = areNotesTrue(trace, original);
    return isNew;
  }

  /** Reserve room for the longest note. */
  reserve() {
    const { note = "", notes = {} } = this.tree ?? {};
    const words = longest([note, ...Object.values(notes)]);
    this.element.dataset.longest = words;
    this.element.hidden = !words;
  }

  /** @param {{trace: Trace, step: number}} shown */
  show({ trace, step }) {
    const { note = "", notes = {} } = this.tree ?? {};
    const last = step === trace.length ? note : ""; // that of the tree tells what was seen
    const text = this.areTrue ? (notes[step] ?? last) : "";
    if (this.text.textContent !== text) this.text.textContent = text;
  }
}
