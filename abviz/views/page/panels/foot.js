// Below the tree: what has been counted, what the letters mean, what edited leaves have changed, and
// the rules in force.

import { counts, letterMeanings } from "../core/words.js";
import { html } from "../dom.js";
import { rulesLine, whatIf } from "./rules.js";

/** @import { Show } from "../core/levels.js" */
/** @import { Trace } from "../core/trace.js" */

export class Foot {
  constructor() {
    this.counts = html("span", { class: "abviz-counts" });
    this.letters = html("span", { class: "abviz-letters" });
    this.whatIf = html("strong", { class: "abviz-what-if", role: "status" });
    this.rules = html("span", { class: "abviz-rules" });
    const parts = [this.counts, this.letters, this.whatIf, this.rules];
    this.element = html("div", { class: "abviz-foot" }, ...parts);
  }

  /**
   * Another search.
   * @param {{trace: Trace, original: Trace, isOwn: boolean}} shown
   */
  load(shown) {
    this.rules.textContent = rulesLine(shown.trace);
    const changed = whatIf(shown);
    if (this.whatIf.title === changed) return;
    this.whatIf.textContent = changed;
    this.whatIf.title = changed;
  }

  /** @param {{trace: Trace, show: Show}} shown */
  explain({ trace, show }) {
    this.letters.textContent = letterMeanings(trace, show);
  }

  /**
   * Reserve room for the counts at the end.
   * @param {Trace} trace
   */
  reserve(trace) {
    const letters = counts(trace, trace.length).length + 3;
    this.counts.style.setProperty("--count", `${letters}ch`);
  }

  /** @param {{trace: Trace, step: number}} shown */
  show({ trace, step }) {
    this.counts.textContent = counts(trace, step);
  }
}
