// Minimax next to alpha-beta, on one clock: while alpha-beta skips leaves, minimax reads them.

import { html } from "./dom.js";
import { Unknown } from "./core/search.js";
import { sameSteps, trace } from "./core/trace.js";
import { count, thousands } from "./core/words.js";

const NO_VALUE = "Minimax needs a value that is not known in this tree, so the split view is off.";

export class Split {
  constructor(page) {
    this.page = page;
    this.on = false;
    this.view = page.newPane("Minimax");
    this.element = html("div", { class: "abviz-split", hidden: "" });
  }

  /** Search the same tree by minimax. */
  load() {
    const { page } = this;
    const { options } = page.trace;
    const isPossible = options.search === "alphabeta";
    page.controls.buttons["Split view"].hidden = !isPossible;
    if (!isPossible) this.turn(false);
    if (!this.on) return;

    const { rules, depth } = options;
    try {
      this.trace = trace(page.tree, { search: "minimax", rules, depth });
    } catch (problem) {
      if (!(problem instanceof Unknown)) throw problem;
      this.turn(false);
      page.complain(NO_VALUE);
      return;
    }
    this.steps = stepsOf(this.trace, page.trace);
    this.plan = page.planFor(this.trace);
    this.show();
  }

  turn(on = !this.on) {
    if (on === this.on) return;
    this.on = on;
    this.element.append(this.view.element); // not before the reader asks for it
    this.page.mode("Split view", "abviz-splitting", on, this.element);
    if (on) this.load();
  }

  show() {
    if (!this.on) return;
    const { page, view, plan } = this;
    const step = this.steps[page.step];
    const differences = { plan, title: "Minimax, game tree", hasHistory: false, isStill: true };
    view.show({ ...page.scene(), ...differences, trace: this.trace, step });

    const [minimax] = this.trace.counts[step];
    const [alphabeta] = page.trace.counts[page.step];
    const read = `${count(minimax, "leaf", "leaves")} read, alpha-beta ${thousands(alphabeta)}`;
    const saved = thousands(minimax - alphabeta);
    view.caption.textContent = `Minimax: ${read}; ${saved} saved so far.`;
  }
}

/**
 * For each step of alpha-beta the step of minimax just before the next thing that both do, or its
 * end.
 */
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
