// The calls under way, each with its own α, β and bv; the newest below.

import { html, refill } from "../dom.js";
import { lettersOf } from "../picture.js";

export class Stack {
  constructor() {
    this.table = html("table", { class: "abviz-stack", "aria-label": "Call stack" });
    this.element = html("div", { class: "abviz-panel abviz-calls" }, this.table);
  }

  /** Show the calls of the step; none in practice, where they would say what is asked. */
  show({ trace, step, isPractice }) {
    const letters = lettersOf(trace);
    const heads = ["Call stack", ...letters].map((head) => ["th", { scope: "col" }, head]);
    const calls = step && !isPractice ? trace.tree.path(trace.places[step]) : [];
    const rows = calls.map((index) => callRow(trace, step, index, letters));
    refill(this.table, [["tr", {}, ...heads], ...rows]);
  }

  /** Reserve room for the deepest call of the tree. */
  reserve(tree) {
    const levels = tree.nodes.map(({ level }) => level);
    this.element.style.setProperty("--calls", 1 + Math.max(...levels));
  }

  /** Scroll to the newest call. */
  reveal() {
    this.element.scrollTop = this.element.scrollHeight;
  }
}

/** The row of one call, as `refill` takes it. */
function callRow(trace, step, index, letters) {
  const { isMax, short } = trace.nodes[index];
  const { alpha, beta, bv, value } = trace.nodeAt(index, step);
  const { number } = trace.tree;
  const text = (each) => (each === null ? "" : number(each));
  const numbers = {
    α: text(alpha),
    β: text(beta),
    bv: value === null ? text(bv) : `returns ${number(value)}`,
  };
  const name = ["th", { scope: "row" }, `${isMax ? "▲" : "▼"} ${short}`];
  const current = index === trace.places[step] ? { "aria-current": "true" } : {};
  return ["tr", current, name, ...letters.map((letter) => ["td", {}, numbers[letter]])];
}
