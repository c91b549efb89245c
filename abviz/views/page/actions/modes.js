// Editing, practice and predict mode.

import { isPredicting, kindsAsked } from "../quiz.js";
import { isPracticing, withKept } from "../sheet.js";
import { refused } from "./requests.js";

/** @import { Kept } from "../sheet.js" */
/** @import { State } from "../state.js" */

const NO_PRACTICE = "A recorded run has no practice: press Compare above and practice on that.";

/**
 * Turn editing or practice on, or off where it is on; each turns the others off.
 * @type {(state: State, action: {mode: State["mode"]}) => State}
 */
export function turn(state, { mode }) {
  if (!mode || state.mode === mode) return turnOff(state);
  if (mode === "edit") return { ...state, mode, asked: unasked(state) };
  if (state.trace.search === "recorded") return refused(state, NO_PRACTICE);
  const { trace, step, closed } = state;
  const left = { trace, step, closed };
  const begun = { mode, left, step: 0, closed: new Set(), isSplit: false };
  return { ...state, ...begun, asked: unasked(state) };
}

/**
 * After practice, the reader is back where they left the search, if it is still the same.
 * @type {(state: State) => State}
 */
function turnOff(state) {
  if (!state.mode) return state;
  const { left } = state;
  const isBack = state.mode === "practice" && left?.trace === state.trace;
  const place = isBack ? { step: left.step, closed: left.closed } : {};
  return { ...state, ...place, mode: "", left: null };
}

/**
 * Take up practice as the reader left it.
 * @type {(state: State, action: {marks: Kept}) => State}
 */
export function resume(state, { marks }) {
  if (state.trace.search === "recorded") return state;
  const resumed = withKept(state, marks);
  const isTurnedOn = marks.on && !isPracticing(state);
  return isTurnedOn ? turn(resumed, { mode: "practice" }) : resumed;
}

/**
 * Nothing is asked while another mode is on; what this search has no questions for stays chosen.
 * @type {(state: State) => string[]}
 */
const unasked = (state) => (isPredicting(state) ? [] : state.asked);

/**
 * Turn all questions of predict mode on, or off.
 * @type {(state: State) => State}
 */
export function predict(state) {
  if (isPredicting(state)) return { ...state, asked: [] };
  return { ...state, mode: "", asked: kindsAsked(state.trace) };
}

/**
 * Ask these kinds of question, of a class or of one reader.
 * @type {(state: State, action: {asked?: string[], isShowOfHands?: boolean}) => State}
 */
export function ask(state, { asked = state.asked, isShowOfHands = state.isShowOfHands }) {
  const isSame = String(asked) === String(state.asked) && isShowOfHands === state.isShowOfHands;
  return isSame ? state : { ...state, asked, isShowOfHands };
}
