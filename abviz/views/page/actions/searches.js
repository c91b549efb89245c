// A tree and its search: what opens one, changes it, and goes back and forth between them.

import { minimaxBeside } from "../core/beside.js";
import { LOOKS } from "../core/data.js";
import { Unknown } from "../core/search.js";
import { isSameSearch, isSameTree, stepIn, trace } from "../core/trace.js";
import { NO_QUESTIONS } from "../quiz.js";
import { isForOthers, isStale, refused, requesting } from "./requests.js";
import { within } from "./steps.js";

/** @import { SearchOptions } from "../core/search.js" */
/** @import { Trace, Tree } from "../core/trace.js" */
/** @import { Spec } from "../host.js" */
/** @import { Entry, State } from "../state.js" */

const MOST_NODES = LOOKS.mostNodes;
const TOO_LARGE = `a tree of more than ${MOST_NODES} nodes; expected fewer`;
const NEEDS_PYTHON = "This part of the game is not on the page: it needs Python.";
const NO_MINIMAX =
  "Minimax needs a value that is not known in this tree, so the split view is off.";

/**
 * A tree from Python, perhaps as the reply to a request. `edited` is the search of it that another
 * view of the model shows.
 * @type {(
 *   state: State,
 *   action: {spec?: Spec | null, original: Trace, edited?: Trace | null, step: number}
 * ) => State}
 */
export function openSearch(state, { spec = null, original, edited, step }) {
  if (isStale(state, spec?.reply)) return state;
  const shown = edited ?? original;
  return withSplit({
    ...state,
    ...NO_QUESTIONS,
    spec,
    original,
    given: shown,
    trace: shown,
    step: within(shown, step),
    past: edited ? [{ tree: original.tree, options: original.options, step: undefined }] : [],
    future: [],
    waiting: null,
    closed: new Set(),
    selected: "",
    dragged: -1,
    isNewcomer: state.isNewcomer && !step,
    problem: "",
  });
}

/**
 * Search another tree, or the same in another way, and stay at the same event.
 * @type {(state: State, action: {tree: Tree, options?: SearchOptions}) => State}
 */
export function search(state, { tree, options }) {
  const after = searched(state, tree, options);
  if (after.trace === state.trace) return after;
  return { ...after, past: [...state.past, entryOf(state)], future: [] };
}

/**
 * Show another tree from the start; what is folded stays so only where the shape is the same.
 * @type {(state: State, action: {tree: Tree, options?: SearchOptions}) => State}
 */
export function renew(state, { tree, options }) {
  const after = search(state, { tree, options });
  if (after.trace === state.trace) return after;
  const isSameShape = tree.shape === state.trace.tree.shape;
  return { ...after, step: 0, closed: isSameShape ? state.closed : new Set() };
}

/**
 * Show the search as another view of the model shows it, at the same event.
 * @type {(state: State, action: {tree: Tree, options: SearchOptions}) => State}
 */
export function adopt(state, { tree, options }) {
  const { tree: shown, options: own } = state.trace;
  const isSame = tree.title === shown.title && isSameTree(tree, shown);
  if (isComparing(state) || (isSame && isSameSearch(options, own))) return state;
  const after = search(state, { tree, options });
  return after.trace === state.trace ? state : { ...after, given: after.trace };
}

/**
 * Show the tree that Python has sent.
 * @type {(state: State, action: {id?: string | null, tree: Tree}) => State}
 */
export function answer(state, { id, tree }) {
  if (isForOthers(state, id)) return state;
  return renew({ ...state, problem: "" }, { tree });
}

/**
 * Before its first change here, the tree of a game may have had others, which Python knows.
 * @type {(state: State) => State}
 */
export function undo(state) {
  const isChanged = !state.past.length && (state.spec?.changes ?? 0) > 0;
  return isChanged ? requesting(state, { restore: true }) : travel(state, "past", "future");
}

/** @type {(state: State) => State} */
export function redo(state) {
  return travel(state, "future", "past");
}

/**
 * Go to the last entry of one list, and remember in the other what is shown now.
 * @type {(state: State, from: "past" | "future", onto: "past" | "future") => State}
 */
function travel(state, from, onto) {
  const entry = state[from].at(-1);
  if (!entry) return state;
  const after = searched(state, entry.tree, entry.options);
  if (after.trace === state.trace) return after;
  return {
    ...after,
    step: state.mode === "practice" ? after.step : within(after.trace, entry.step ?? after.step),
    [from]: state[from].slice(0, -1),
    [onto]: [...state[onto], entryOf(state)],
  };
}

/**
 * Show our own search of the tree of a recorded run, or the run again.
 * @type {(state: State) => State}
 */
export function compare(state) {
  const { original, trace: shown } = state;
  if (shown !== original) return showing(state, original);
  const { rules, options } = original;
  const { alpha, beta } = options; // the window that the function was given
  const window = original.hasBounds ? { alpha, beta } : {};
  return showing(
    state,
    trace(shown.tree, { search: ownSearch(original), rules, depth: null, ...window }),
  );
}

/**
 * The search that a recorded function is compared with: minimax, where it has no bounds.
 * @param {Trace} recorded
 */
export const ownSearch = ({ hasBounds }) => (hasBounds ? "alphabeta" : "minimax");

/**
 * Whether our own search is shown in place of a recorded run.
 * @type {(state: Partial<State>) => boolean}
 */
export const isComparing = ({ original, trace: shown }) =>
  original?.search === "recorded" && shown !== original;

/**
 * The state with the tree searched, or with why it cannot be.
 * @type {(state: State, tree: Tree, options?: SearchOptions) => State}
 */
export function searched(state, tree, options = state.trace.options) {
  if (tree.nodes.length > MOST_NODES) return refused(state, TOO_LARGE);
  try {
    return showing(state, trace(tree, options));
  } catch (problem) {
    if (!(problem instanceof Unknown)) throw problem;
    // A folded part of a game: only Python can search on.
    if (!tree.nodes.some(({ folded }) => folded)) return refused(state, problem.message);
    if (!state.hasPython) return refused(state, NEEDS_PYTHON);
    return requesting(state, { tree, options });
  }
}

/** @type {(state: State, next: Trace) => State} */
function showing(state, next) {
  const isPractice = state.mode === "practice" && next.search !== "recorded";
  return withSplit({
    ...state,
    trace: next,
    step: stepIn(next, state.trace, state.step),
    waiting: null,
    dragged: -1,
    mode: state.mode === "practice" && !isPractice ? "" : state.mode,
    problem: "",
  });
}

/**
 * The split view is off for a search that has no minimax beside it.
 * @type {(state: State) => State}
 */
export function withSplit(state) {
  if (!state.isSplit || minimaxBeside(state.trace)) return state;
  const problem = state.trace.search === "alphabeta" ? NO_MINIMAX : state.problem;
  return { ...state, isSplit: false, problem };
}

/** @type {(state: State) => Entry} */
const entryOf = ({ trace: shown, step }) => ({ tree: shown.tree, options: shown.options, step });
