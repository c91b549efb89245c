// The calls under way, each with its own α, β and bv; the newest below.

import { lettered } from "../core/letters.js";
import { lettersOf } from "../core/words.js";
import { html, refill } from "../dom.js";

/** @import { Known } from "../core/numbers.js" */
/** @import { Trace, Tree } from "../core/trace.js" */
/** @import { Markup } from "../dom.js" */

export class Stack {
  constructor() {
    this.table = html("table", { class: "abviz-stack", "aria-label": "Call stack" });
    this.element = html("div", { class: "abviz-panel abviz-calls" }, this.table);
  }

  /**
   * Show the calls of the step; none in practice, where they would say what is asked.
   * @param {{trace: Trace, step: number, isPractice: boolean}} shown
   */
  show({ trace, step, isPractice }) {
    const letters = lettersOf(trace);
    /** @type {Markup[]} */
    const heads = ["Call stack", ...letters.map(lettered)].map((head) => [
      "th",
      { scope: "col" },
      head,
    ]);
    const calls = step && !isPractice ? trace.tree.path(trace.places[step]) : [];
    const rows = calls.map((index) => callRow(trace, step, index, letters));
    refill(this.table, [["tr", {}, ...heads], ...rows]);
  }

  /**
   * Reserve room for the deepest call of the tree.
   * @param {Tree} tree
   */
  reserve(tree) {
    const levels = tree.nodes.map(({ level }) => level);
    this.element.style.setProperty("--calls", `${1 + Math.max(...levels)}`);
  }

  /** Scroll to the newest call. */
  reveal() {
    this.element.scrollTop = this.element.scrollHeight;
  }
}

/**
 * The row of one call.
 * @param {Trace} trace
 * @param {number} step
 * @param {number} index
 * @param {string[]} letters
 * @returns {Markup}
 */
function callRow(trace, step, index, letters) {
  const { isMax, short } = trace.nodes[index];
  const { alpha, beta, bv, value } = trace.nodeAt(index, step);
  const { number } = trace.tree;
  /** @param {Known} each */
  const text = (each) => (each === null ? "" : number(each));
  /** @type {Record<string, string>} */
  const numbers = {
    α: text(alpha),
    β: text(beta),
    bv: value === null ? text(bv) : `returns ${number(value)}`,
  };
  const name = `${isMax ? "▲" : "▼"} ${short}`;
  /** @type {Markup[]} */
  const cells = letters.map((letter) => ["td", {}, numbers[letter]]);
  const isCurrent = index === trace.places[step];
  return [
    "tr",
    isCurrent ? { "aria-current": "true" } : {},
    ["th", { scope: "row" }, name],
    ...cells,
  ];
}
