// What needs Python, which answers later or not at all; and what is refused here.

/** @import { Request, State } from "../state.js" */

const NO_ANSWER = "Python does not answer: its kernel is busy, or gone.";

/**
 * The state with why nothing has come of an action.
 * @type {(state: State, problem: string) => State}
 */
export const refused = (state, problem) => ({ ...state, problem });

/**
 * Say why something was refused, or with "" that nothing is.
 * @type {(state: State, action: {problem: string}) => State}
 */
export function complain(state, { problem }) {
  return problem === state.problem ? state : { ...state, problem };
}

/**
 * Ask Python for something; what is shown stays until it answers.
 * @type {(state: State, request: Request) => State}
 */
export function requesting(state, request) {
  const requests = state.requests + 1;
  return { ...state, requests, waiting: { id: `${state.view}-${requests}`, request } };
}

/**
 * Whether this answers a request of ours for which nothing waits any more.
 * @type {(state: State, id?: string | null) => boolean}
 */
export const isStale = ({ view, waiting }, id) =>
  !!id?.startsWith(`${view}-`) && id !== waiting?.id;

/**
 * Whether nothing here waits for it: it is stale, or answers another view of the model.
 * @type {(state: State, id?: string | null) => boolean}
 */
export const isForOthers = ({ waiting }, id) => !!id && id !== waiting?.id;

/**
 * Python may read a text that cannot be read here; `problem` is why.
 * @type {(state: State, action: {text: string, problem: string}) => State}
 */
export function read(state, { text, problem }) {
  return { ...(state.hasPython ? requesting(state, { text }) : state), problem };
}

/**
 * Python has no answer, and says why.
 * @type {(state: State, action: {id?: string | null, problem: string}) => State}
 */
export function refuse(state, { id, problem }) {
  return isForOthers(state, id) ? state : { ...state, waiting: null, problem };
}

/**
 * Python has not answered yet; if it still does, that will not be too late.
 * @type {(state: State, action: {id: string}) => State}
 */
export function late(state, { id }) {
  if (id !== state.waiting?.id) return state;
  return { ...state, problem: [state.problem, NO_ANSWER].filter(Boolean).join(" ") };
}
