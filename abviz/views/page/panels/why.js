// Why a node was skipped, where a reader asks: laid over the sentence, so that nothing below moves.

import { button, html } from "../dom.js";

/** @import { Action } from "../state.js" */

/**
 * @typedef {object} Shown
 * @property {{step: number, text: string} | null} why null: nothing is asked
 * @property {number} index of the node
 * @property {number} step that is shown
 * @property {boolean} canChange whether the node is a leaf that can get another value
 */

export class Why {
  says = html("p", { role: "status" });
  element = html("div", { class: "abviz-why" }, this.says);
  index = -1;
  step = 0;

  /** @param {{send: (action: Action) => void, focusStepper: () => void}} options */
  constructor({ send, focusStepper }) {
    this.focusStepper = focusStepper;
    this.going = button("Go to that step", () => send({ type: "go", step: this.step }));
    this.changing = button("Change its value", () =>
      send({ type: "openField", kind: "value", index: this.index }),
    );
    this.acts = html("div", { class: "abviz-answers", hidden: "" }, this.going, this.changing);
    this.element.append(this.acts);
  }

  /** @param {Shown} shown */
  show({ why, index, step, canChange }) {
    if (!why && this.acts.contains(document.activeElement)) this.focusStepper();
    this.index = index;
    this.step = why ? why.step : 0;
    const text = why ? why.text : "";
    if (this.says.textContent !== text) this.says.textContent = text; // what stays is not read again
    this.acts.hidden = !why;
    this.going.hidden = this.step === step;
    this.changing.hidden = !canChange;
  }
}
