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
  /** @type {Set<string> | undefined} */
  closed;
  /** @type {Scene["show"] | undefined} */
  level;
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
   * Show minimax where the other picture shows alpha-beta.
   * @param {Scene} scene
   * @param {Set<string>} closed
   */
  show(scene, closed) {
    const beside = minimaxBeside(scene.trace);
    if (!beside) return;
    const { trace, steps } = beside;
    const isSame = trace === this.trace && closed === this.closed && scene.show === this.level;
    if (!isSame) this.plan = this.planFor(trace);
    Object.assign(this, { trace, closed, level: scene.show });

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
