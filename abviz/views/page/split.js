// The split view: minimax next to alpha-beta. Both pictures show one state.

import { minimaxBeside } from "./core/beside.js";
import { count, thousands } from "./core/words.js";
import { html } from "./dom.js";

/** @import { Trace } from "./core/trace.js" */
/** @import { Pane } from "./pane.js" */
/** @import { Scene } from "./picture.js" */

export class Split {
  /** @type {Trace | undefined} */
  trace;
  /** @type {Scene["plan"] | undefined} */
  planBeside;
  /** @type {Scene["plan"]} */
  plan = Object.create(null);

  /**
   * @param {Pane} view
   * @param {(trace: Trace) => Scene["plan"]} planFor where the nodes are
   */
  constructor(view, planFor) {
    this.view = view;
    this.planFor = planFor;
    this.element = html("div", { class: "abviz-split", hidden: "" });
  }

  /**
   * Show minimax where the other picture shows alpha-beta: each node at the height of its twin,
   * though it holds fewer numbers.
   * @param {Scene} scene
   */
  show(scene) {
    const beside = minimaxBeside(scene.trace);
    if (!beside) return;
    const { trace, steps } = beside;
    if (trace !== this.trace || scene.plan !== this.planBeside) {
      const { places, size } = scene.plan;
      this.plan = { ...this.planFor(trace), places, size };
      this.trace = trace;
      this.planBeside = scene.plan;
    }

    const step = steps[scene.step];
    const differences = { plan: this.plan, title: "Minimax, game tree", hasHistory: false };
    this.view.show({ ...scene, ...differences, isStill: true, trace, step });

    const [minimax] = trace.counts[step];
    const [alphabeta] = scene.trace.counts[scene.step];
    const read = `${count(minimax, "leaf", "leaves")} read, alpha-beta ${thousands(alphabeta)}`;
    const saved = thousands(minimax - alphabeta);
    this.view.caption.textContent = `Minimax: ${read}; ${saved} saved so far.`;
  }
}
