// How much of the search a page shows now, as a part of the state: the level, what the reader has
// opened besides, and the steps at which something changes.

import { SHOWS, stepsShown } from "./core/levels.js";
import { remembered } from "./core/trace.js";
import { isPredicting } from "./quiz.js";
import { isPracticing } from "./sheet.js";

/** @import { Part, Show } from "./core/levels.js" */
/** @import { Trace } from "./core/trace.js" */
/** @import { Asking } from "./quiz.js" */

/**
 * What of a page's state the level depends on.
 *
 * @typedef {object} Shown
 * @property {Trace} trace
 * @property {number} step
 * @property {string} mode
 * @property {string[]} asked the kinds of question that are asked
 * @property {Show} show the level that the reader or the author has chosen
 * @property {boolean} areRulesOpen whether the menu of rules is open
 * @property {Partial<Record<Part, boolean>>} parts what the reader has opened or closed by hand
 */

/** From which level on a part is shown. @type {Record<Part, Show>} */
const FROM = { line: "bounds", code: "all", stack: "all", rules: "all" };

/** Of these questions the answer is a bound, or follows from one. */
const ABOUT_BOUNDS = ["bound", "kind"];

/** @type {(show: Show, least: Show) => boolean} */
const reaches = (show, least) => SHOWS.indexOf(show) >= SHOWS.indexOf(least);

/**
 * The level that is shown: at least that of the bounds, where something on the page is about them.
 * @param {Shown} state
 * @returns {Show}
 */
export function levelOf(state) {
  const { show, asked, areRulesOpen } = state;
  const asksOfBounds = isPredicting(state) && ABOUT_BOUNDS.some((kind) => asked.includes(kind));
  const needsBounds = areRulesOpen || asksOfBounds || isPracticing(state);
  return needsBounds && !reaches(show, "bounds") ? "bounds" : show;
}

/**
 * Whether a part of the page is shown: as the reader has left it, or else by the level.
 * @type {(state: Shown, part: Part) => boolean}
 */
export const isShown = (state, part) => state.parts[part] ?? reaches(levelOf(state), FROM[part]);

const STEPS = new Map(SHOWS.map((show) => [show, remembered((trace) => stepsShown(trace, show))]));

/**
 * The steps at which something changes that is shown.
 * @param {Shown} state
 * @returns {number[]}
 */
export const stepsOf = (state) => STEPS.get(levelOf(state))?.(state.trace) ?? [];

/**
 * The step at which what is shown changes next; the last, where nothing does any more.
 * @param {Shown} state
 */
export const stepAfter = (state) =>
  stepsOf(state).find((step) => step > state.step) ?? state.trace.length;
