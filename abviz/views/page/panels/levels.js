// The menu of levels: how much of the search is shown.

import { lettered } from "../core/letters.js";
import { SHOWS } from "../core/levels.js";
import { dropdown, html } from "../dom.js";

/** @import { Show } from "../core/levels.js" */
/** @import { Action } from "../state.js" */

/** What each level shows, in words. @type {Record<Show, string>} */
const WORDS = {
  values: "values",
  bv: "values, bv",
  bounds: "values, bv, bounds",
  all: "all, with code",
};

export class Levels {
  /**
   * @param {object} options
   * @param {(action: Action) => void} options.send
   */
  constructor({ send }) {
    /** @type {[value: Show, text: string][]} */
    const levels = SHOWS.map((show) => [show, lettered(WORDS[show])]);
    this.menu = dropdown("Show", levels, (show) => send({ type: "showLevel", show }));
    this.element = html("label", { class: "abviz-levels" }, "Show ", this.menu);
  }

  /** @param {Show} show */
  show(show) {
    this.menu.value = show;
  }
}
