// How much of the search a page shows now, as a part of the state: the level, what the reader has
// opened besides, and the steps at which something changes.

import { SHOWS, stepsShown } from "./core/levels.js";
import { remembered } from "./core/trace.js";
import { isPredicting, kindsAsked } from "./quiz.js";
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

/**
 * The least level that shows what a question and what is said to its answer are about; for the
 * others that of the bounds, where the search has any.
 * @type {Record<string, Show>}
 */
const ABOUT = { bv: "bv", returned: "values" };

/** @type {(show: Show, least: Show) => boolean} */
const reaches = (show, least) => SHOWS.indexOf(show) >= SHOWS.indexOf(least);

/**
 * The level that is shown: at least that of what else on the page is about bv, or about the bounds.
 * @param {Shown} state
 * @returns {Show}
 */
export function levelOf(state) {
  const { show, areRulesOpen } = state;
  const least = areRulesOpen || isPracticing(state) ? "bounds" : levelAsked(state);
  return reaches(show, least) ? show : least;
}

/**
 * The least level that shows what the questions are about and what is said to their answers.
 * @param {Shown} state
 * @returns {Show}
 */
function levelAsked(state) {
  const { trace, asked } = state;
  if (!isPredicting(state)) return "values";
  if (trace.rules.fail_hard && trace.hasBounds) return "bounds"; // which decide what is returned
  const most = trace.hasBounds ? "bounds" : "bv";
  const kinds = kindsAsked(trace).filter((kind) => asked.includes(kind));
  const levels = kinds.map((kind) => ABOUT[kind] ?? most);
  return SHOWS.findLast((show) => levels.includes(show)) ?? "values";
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
