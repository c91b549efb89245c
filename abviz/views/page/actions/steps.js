// Going from step to step.

import { isPass } from "../core/questions.js";
import { whySkipped } from "../core/whys.js";
import { stepAfter } from "../level.js";
import { asking, choose as answer, newcomersQuestion, openToReader, unanswered } from "../quiz.js";
import { isPracticing } from "../sheet.js";

/** @import { Trace } from "../core/trace.js" */
/** @import { State } from "../state.js" */

/**
 * The step, or the nearest that there is.
 * @type {(shown: Trace, step: number) => number}
 */
export const within = (shown, step) => Math.max(0, Math.min(shown.length, step));

/**
 * Go to a step, or to the nearest that there is; in practice the later ones say what is asked.
 * @type {(state: State, action: {step: number}) => State}
 */
export function go(state, { step }) {
  const to = within(state.trace, step);
  if (to === state.step || state.mode === "practice") return state;
  return { ...state, step: to, problem: "" };
}

/**
 * Go to the next step that changes what is shown; on the way, ask what the steps would answer.
 * Another page may have asked its newcomer's question meanwhile, which `wasAsked` says.
 * @type {(state: State, action?: {wasAsked?: boolean}) => State}
 */
export function next(state, { wasAsked = false } = {}) {
  const from = wasAsked ? { ...state, isNewcomer: false } : state;
  const to = stepAfter(from);
  for (let step = from.step; step < to; step++) {
    const asked = asking(go(from, { step }));
    if (asked) return asked;
  }
  return go(from, { step: to });
}

/**
 * Go to the next cut, or to the end where none is left; on the way, ask a newcomer what the search
 * reads.
 * @type {(state: State, action?: {wasAsked?: boolean}) => State}
 */
export function nextCut(state, { wasAsked = false } = {}) {
  const from = wasAsked ? { ...state, isNewcomer: false } : state;
  const cut = state.trace.cuts.find(({ step }) => step > state.step);
  const question = newcomersQuestion(from);
  if (!cut) return go(state, { step: state.trace.length });
  const before = question?.step === cut.step ? go(from, { step: cut.step - 1 }) : null;
  return (before && asking(before)) ?? go(from, { step: cut.step });
}

/**
 * Say why the node was skipped, or no longer for -1: not while something else is asked or done.
 * @type {(state: State, action: {index: number}) => State}
 */
export function explain(state, { index }) {
  const isFree = index < 0 || canExplain(state, index);
  return !isFree || index === state.explained ? state : { ...state, explained: index };
}

/** @type {(state: State, index: number) => boolean} */
export const canExplain = ({ trace, step, mode, open }, index) =>
  mode === "" && open === null && whySkipped(trace, step, index) !== null;

/**
 * The state after an action, without the explanation of what is no longer shown.
 * @type {(before: State, state: State) => State}
 */
export function stillExplained(before, state) {
  if (state.explained < 0 || state.explained !== before.explained) return state;
  const { trace, step, field, explained } = state;
  const isSame = trace === before.trace && step === before.step && field === null;
  return isSame && canExplain(state, explained) ? state : { ...state, explained: -1 };
}

/**
 * Choose an answer, or go on without one.
 * @type {(state: State, action: {choice: number}) => State}
 */
export function choose(state, { choice }) {
  const question = openToReader(state);
  return question && isPass(question, choice) ? next(state) : answer(state, { choice });
}

/**
 * Predict from the start, as if nothing had been answered.
 * @type {(state: State) => State}
 */
export function restart(state) {
  return unanswered(go(state, { step: 0 }));
}

/**
 * Go to the step that Python has set; one that this search does not have is of another.
 * @type {(state: State, action: {step: number}) => State}
 */
export function follow(state, { step }) {
  if (step > state.trace.length) return state;
  const { left } = state;
  if (isPracticing(state) && left) return { ...state, left: { ...left, step } };
  return go(state, { step });
}
