// Minimax next to alpha-beta, on one clock: while alpha-beta skips leaves, minimax reads them.

import { html } from "./dom.js";
import { Unknown } from "./core/search.js";
import { sameSteps, trace } from "./core/trace.js";
import { TreeView } from "./view.js";
import { count, thousands } from "./core/words.js";

export class Split {
  constructor(page) {
    this.page = page;
    this.on = false;
    this.element = html("div", { class: "abviz-split", hidden: "" });
  }

  /** Minimax on the same tree, in a view of its own: what the other view asks of the page, it asks of this. */
  load() {
    const { page } = this;
    const { options } = page.trace;
    const isPossible = options.search === "alphabeta";
    page.controls.buttons["Split view"].hidden = !isPossible;
    if (!isPossible) this.turn(false);
    if (!this.on) return;
    let other;
    try {
      other = trace(page.tree, { search: "minimax", rules: options.rules, depth: options.depth });
    } catch (problem) {
      if (!(problem instanceof Unknown)) throw problem;
      this.turn(false);
      return void page.complain(
        "Minimax needs a value that is not known in this tree, so the split view is off.",
      );
    }
    this.other = Object.create(page, {
      trace: { value: other },
      step: { get: () => this.steps[page.step] },
    });
    this.steps = stepsOf(other, page.trace);
    const { zoom = null } = this.view ?? {};
    this.view = new TreeView(this.other, true);
    Object.assign(this.view, { zoom, closed: page.view.closed }); // both are folded alike
    this.element.replaceChildren(this.view.element);
    this.view.draw();
    this.show();
  }

  turn(on = !this.on) {
    if (on === this.on) return;
    this.on = on;
    this.page.mode("Split view", "abviz-splitting", on, this.element);
    if (on) this.load();
  }

  show() {
    if (!this.on) return;
    const { page, other, view } = this;
    view.repaint();
    view.show();
    const [minimax, alphabeta] = [
      other.trace.counts[other.step][0],
      page.trace.counts[page.step][0],
    ];
    const saved = thousands(minimax - alphabeta);
    const read = `${count(minimax, "leaf", "leaves")} read, alpha-beta ${thousands(alphabeta)}`;
    view.caption.textContent = `Minimax: ${read}; ${saved} saved so far.`;
  }
}

/** For each step of alpha-beta the step of minimax just before the next thing that both do, or its end. */
function stepsOf(other, shown) {
  const steps = [];
  let next = other.length + 1;
  sameSteps(shown, other)
    .reverse()
    .forEach((same, place) => {
      steps[shown.length - place] = next - 1;
      next = same ?? next;
    });
  return steps;
}
