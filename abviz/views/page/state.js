// The state of a page, and what each action makes of it. There is no DOM and no clock here: chance is
// a seed in the state, time and what others say arrive in the action, and whoever shows the state
// compares it with the one before.

import { isOwnTree } from "./core/address.js";
import { minimaxBeside } from "./core/beside.js";
import { LOOKS } from "./core/data.js";
import { moved, renamed, withChild, withValue } from "./core/edit.js";
import { canRevalue, hasShape, problemOf, selectedIn, textOf } from "./core/editing.js";
import { DEFAULT_SHOW } from "./core/levels.js";
import { isTooLarge, typed } from "./core/numbers.js";
import { Unknown } from "./core/search.js";
import { isSameSearch, isSameTree, stepIn, trace } from "./core/trace.js";
import { isShown, stepAfter } from "./level.js";
import {
  NO_QUESTIONS,
  asking,
  choose,
  isPredicting,
  kept,
  kindsAsked,
  reply,
  unanswered,
} from "./quiz.js";
import {
  NO_SHEET,
  begin,
  fill,
  handIn,
  hint,
  isPracticing,
  judge,
  markCut,
  withKept,
  withSheet,
} from "./sheet.js";

const MOST_NODES = LOOKS.mostNodes;
const TOO_LARGE = `a tree of more than ${MOST_NODES} nodes; expected fewer`;
const NO_PRACTICE =
  "A recorded run has no practice: compare it with alpha-beta and practice on that.";
const NEEDS_PYTHON = "This part of the game is not on the page: it needs Python.";
const NOT_USED = "The tree has changed; your entry was not used.";
const [LEAST_ZOOM, MOST_ZOOM] = [0.1, 4];
const NO_MINIMAX =
  "Minimax needs a value that is not known in this tree, so the split view is off.";
const NO_ANSWER = "Python does not answer: its kernel is busy, or gone.";

/** @import { Field } from "./core/editing.js" */
/** @import { Show } from "./core/levels.js" */
/** @import { Known } from "./core/numbers.js" */
/** @import { Kind } from "./core/questions.js" */
/** @import { SearchOptions } from "./core/search.js" */
/** @import { Trace, Tree } from "./core/trace.js" */
/** @import { Spec } from "./host.js" */
/** @import { Part } from "./level.js" */
/** @import { Open, Quiz } from "./quiz.js" */
/** @import { Kept, Sheet } from "./sheet.js" */

/**
 * @typedef {object} State
 * @property {Spec | null} spec what Python has sent of the tree: also its boards, and Graphviz's
 *   places
 * @property {Trace} original the search of the tree as it was given
 * @property {Trace} given the search that Python has sent last: it need not be told of it
 * @property {Trace} trace the search that is shown, of the tree that is shown
 * @property {number} step
 * @property {Entry[]} past what Undo goes back to, the newest last
 * @property {Entry[]} future what Redo goes on to, the next one last
 * @property {boolean} hasPython whether Python can be asked for what the page does not have
 * @property {string} view a name that no other view of the same model has
 * @property {number} requests how many requests this view has made of Python
 * @property {{id: string, request: Request} | null} waiting what Python has been asked for
 * @property {Set<string>} closed names of the nodes whose children are folded away
 * @property {"" | "edit" | "practice"} mode
 * @property {string} selected the name of the node that the tools of the editor change
 * @property {Field | null} field the field that is open over a node
 * @property {number} dragged the leaf whose value is being dragged, or -1
 * @property {string[]} asked the kinds of question that predict mode asks: none where it is off
 * @property {boolean} isShowOfHands the questions are for a class
 * @property {Open | null} open the question that is open
 * @property {Kind[]} told the kinds of which a class has seen the answers before the next step
 * @property {Quiz[]} quizzes what has been answered, by search
 * @property {Sheet | null} sheet of practice
 * @property {number} seed of the next choice of marks
 * @property {boolean} hasHistory whether the picture shows earlier values and windows
 * @property {boolean} isSplit whether minimax is shown next to alpha-beta
 * @property {{alphabeta: Zoom, minimax: Zoom}} zoom the scale of each picture
 * @property {string} form of the pseudocode
 * @property {number} speed of Play
 * @property {Show} show the level that has been chosen
 * @property {Show} shownFirst the one that the author has asked for
 * @property {boolean} areRulesOpen whether the menu of rules is open
 * @property {Partial<Record<Part, boolean>>} parts of the page that the reader
 *   has opened or closed by hand
 * @property {boolean} isMoreOpen whether all buttons and menus are shown
 * @property {string} problem why the last action was refused; "" where it was not
 *
 * @typedef {Changes | {text: string} | {restore: true}} Request
 *   a search of the tree, the tree in the text, or the tree of the game as it was
 * @typedef {Changes & {step: number | undefined}} Entry
 * @typedef {{tree: Tree, options: SearchOptions}} Changes
 * @typedef {{changes?: Changes | null, step?: number, show?: Show, problem?: string}} Asked
 * @typedef {number | null} Zoom null: as large as it fits, but to be read; 0: the whole tree, however
 *   small
 */

/** There is a search from the first action on, which opens one. */
const NO_TRACE = /** @type {Trace} */ (/** @type {unknown} */ (null));

/** @type {State} */
export const NOTHING = {
  spec: null,
  original: NO_TRACE,
  given: NO_TRACE,
  trace: NO_TRACE,
  step: 0,
  past: [],
  future: [],
  hasPython: false,
  view: "",
  requests: 0,
  waiting: null,
  closed: new Set(),
  mode: "",
  selected: "",
  field: null,
  dragged: -1,
  asked: [],
  isShowOfHands: false,
  ...NO_QUESTIONS,
  ...NO_SHEET,
  hasHistory: false,
  isSplit: false,
  zoom: { alphabeta: null, minimax: null },
  form: "",
  speed: 1,
  show: DEFAULT_SHOW,
  shownFirst: DEFAULT_SHOW,
  areRulesOpen: false,
  parts: {},
  isMoreOpen: false,
  problem: "",
};

/**
 * Return the state after the action; the same object where it changes nothing.
 *
 * @param {State} state
 * @param {Action} action
 * @returns {State}
 */
export function reduce(state, action) {
  const act = /** @type {(state: State, action: Action) => State} */ (ACTIONS[action.type]);
  const after = act(state, action);
  return after === state ? state : withSheet(kept(state, after));
}

/**
 * Whether our own search is shown in place of a recorded run.
 * @type {(state: Partial<State>) => boolean}
 */
export const isComparing = ({ original, trace: shown }) =>
  original?.search === "recorded" && shown !== original;

// ------------------------------------------------------------------ a tree and its search

/**
 * A tree from Python, perhaps as the reply to a request. `edited` is the search of it that another
 * view of the model shows.
 * @type {(
 *   state: State,
 *   action: {spec?: Spec | null, original: Trace, edited?: Trace | null, step: number}
 * ) => State}
 */
function open(state, { spec = null, original, edited, step }) {
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
    problem: "",
  });
}

/**
 * Search another tree, or the same in another way, and stay at the same event.
 * @type {(state: State, action: {tree: Tree, options?: SearchOptions}) => State}
 */
function search(state, { tree, options }) {
  const after = searched(state, tree, options);
  if (after.trace === state.trace) return after;
  return { ...after, past: [...state.past, entryOf(state)], future: [] };
}

/**
 * Show another tree from the start; what is folded stays so only where the shape is the same.
 * @type {(state: State, action: {tree: Tree, options?: SearchOptions}) => State}
 */
function renew(state, { tree, options }) {
  const after = search(state, { tree, options });
  if (after.trace === state.trace) return after;
  const isSameShape = tree.shape === state.trace.tree.shape;
  return { ...after, step: 0, closed: isSameShape ? state.closed : new Set() };
}

/**
 * Show the search as another view of the model shows it, at the same event.
 * @type {(state: State, action: {tree: Tree, options: SearchOptions}) => State}
 */
function adopt(state, { tree, options }) {
  const { tree: shown, options: own } = state.trace;
  const isSame = tree.title === shown.title && isSameTree(tree, shown);
  if (isComparing(state) || (isSame && isSameSearch(options, own))) return state;
  const after = search(state, { tree, options });
  return after.trace === state.trace ? state : { ...after, given: after.trace };
}

/**
 * Before its first change here, the tree of a game may have had others, which Python knows.
 * @type {(state: State) => State}
 */
function undo(state) {
  const isChanged = !state.past.length && (state.spec?.changes ?? 0) > 0;
  return isChanged ? requesting(state, { restore: true }) : travel(state, "past", "future");
}

/** @type {(state: State) => State} */
function redo(state) {
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
function compare(state) {
  const { original, trace: shown } = state;
  if (shown !== original) return showing(state, original);
  const { rules, options } = original;
  const { alpha, beta } = options; // the window that the function was given
  const how = { search: "alphabeta", rules, depth: null, alpha, beta };
  return showing(state, trace(shown.tree, how));
}

/**
 * Open what an address asks for: `changes` of the tree and the search, if any, and a step. `problem`
 * is why the address cannot be read.
 * @type {(state: State, action: Asked) => State}
 */
function visit(state, { changes = null, step = state.step, show = state.show, problem = "" }) {
  if (problem) return misfit(state, problem);
  const shown = showLevel(state, { show });
  const changed = changes ? changedTo(shown, changes) : shown;
  if (changes && changed.trace === state.trace && changed.problem) {
    return misfit(changed, changed.problem);
  }

  const { places, length } = changed.trace;
  if (step in places) return { ...go(changed, { step }), problem: changes ? changed.problem : "" };
  return misfit(changed, `there is no step ${step}; expected 0 to ${length}`);
}

/** @type {(state: State, problem: string) => State} */
function misfit(state, problem) {
  const shown = isOwnTree(state.trace, state.original)
    ? "the page’s own tree"
    : "the tree of the address";
  return refused(state, `The address does not fit: ${problem}. This is ${shown}.`);
}

/**
 * Show the tree, the search and the level as the reader left them, if that can still be done.
 * @type {(state: State, action: {changes: Changes | null, show?: Show}) => State}
 */
function reopen(state, { changes, show = state.show }) {
  const shown = showLevel(state, { show });
  if (!changes) return shown;
  const changed = changedTo(shown, changes);
  return changed.trace === state.trace ? shown : changed;
}

/**
 * A recorded run has no other searches than our own of its tree.
 * @type {(state: State, changes: Changes) => State}
 */
function changedTo(state, changes) {
  if (state.original.search !== "recorded") return search({ ...state, problem: "" }, changes);
  return isComparing(state) ? state : compare(state);
}

/**
 * The state with the tree searched, or with why it cannot be.
 * @type {(state: State, tree: Tree, options?: SearchOptions) => State}
 */
function searched(state, tree, options = state.trace.options) {
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
function withSplit(state) {
  if (!state.isSplit || minimaxBeside(state.trace)) return state;
  const problem = state.trace.search === "alphabeta" ? NO_MINIMAX : state.problem;
  return { ...state, isSplit: false, problem };
}

/** @type {(state: State) => Entry} */
const entryOf = ({ trace: shown, step }) => ({ tree: shown.tree, options: shown.options, step });
/** @type {(state: State, problem: string) => State} */
const refused = (state, problem) => ({ ...state, problem });
/** @type {(shown: Trace, step: number) => number} */
const within = (shown, step) => Math.max(0, Math.min(shown.length, step));

// ------------------------------------------------------------------ what needs Python

/**
 * Ask Python for something; what is shown stays until it answers.
 * @type {(state: State, request: Request) => State}
 */
function requesting(state, request) {
  const requests = state.requests + 1;
  return { ...state, requests, waiting: { id: `${state.view}-${requests}`, request } };
}

/**
 * Whether this answers a request of ours for which nothing waits any more.
 * @type {(state: State, id?: string | null) => boolean}
 */
const isStale = ({ view, waiting }, id) => !!id?.startsWith(`${view}-`) && id !== waiting?.id;

/**
 * Whether nothing here waits for it: it is stale, or answers another view of the model.
 * @type {(state: State, id?: string | null) => boolean}
 */
const isForOthers = ({ waiting }, id) => !!id && id !== waiting?.id;

/**
 * Python may read a text that cannot be read here; `problem` is why.
 * @type {(state: State, action: {text: string, problem: string}) => State}
 */
function read(state, { text, problem }) {
  return { ...(state.hasPython ? requesting(state, { text }) : state), problem };
}

/**
 * Show the tree that Python has sent.
 * @type {(state: State, action: {id?: string | null, tree: Tree}) => State}
 */
function answer(state, { id, tree }) {
  if (isForOthers(state, id)) return state;
  return renew({ ...state, problem: "" }, { tree });
}

/**
 * Python has no answer, and says why.
 * @type {(state: State, action: {id?: string | null, problem: string}) => State}
 */
function refuse(state, { id, problem }) {
  return isForOthers(state, id) ? state : { ...state, waiting: null, problem };
}

/**
 * Python has not answered yet; if it still does, that will not be too late.
 * @type {(state: State, action: {id: string}) => State}
 */
function late(state, { id }) {
  if (id !== state.waiting?.id) return state;
  return { ...state, problem: [state.problem, NO_ANSWER].filter(Boolean).join(" ") };
}

// ------------------------------------------------------------------ edits of the tree

/** @type {(state: State, action: {index: number}) => State} */
function select(state, { index }) {
  const { name } = state.trace.tree.nodes[index];
  return name === state.selected ? state : { ...state, selected: name };
}

/**
 * Open a field over the node, for its "name" or for the "value" of a leaf.
 * @type {(state: State, action: {kind: Field["kind"], index: number}) => State}
 */
function openField(state, { kind, index }) {
  const isPossible = kind === "name" ? hasShape(state) : canRevalue(state, index);
  if (!isPossible) return state;
  return { ...state, field: { kind, index, tree: state.trace.tree }, problem: "" };
}

/**
 * Take what was typed into the field; where that is refused, the field stays open.
 * @type {(state: State, action: {text: string}) => State}
 */
function enter(state, { text }) {
  const { field } = state;
  const after = leave(state, { text });
  const isRefused = after.trace === state.trace && !["", NOT_USED].includes(after.problem);
  return isRefused ? { ...after, field } : after;
}

/**
 * Close the field, and take what was typed into it, if anything.
 * @type {(state: State, action: {text?: string}) => State}
 */
function leave(state, { text }) {
  const { field } = state;
  if (!field) return state;

  const closed = { ...state, field: null, problem: "" };
  const entry = text?.trim() ?? textOf(field);
  if (entry === textOf(field)) return closed;
  if (field.tree !== state.trace.tree) return refused(closed, NOT_USED); // Python has replaced it

  const problem = problemOf(field, entry);
  if (problem) return refused(closed, problem);
  return field.kind === "name"
    ? rename(closed, field.index, entry)
    : revalue(closed, field.index, typed(entry));
}

/** @type {(state: State, index: number, name: string) => State} */
function rename(state, index, name) {
  const after = search(state, { tree: renamed(state.trace.tree, index, name) });
  return after.trace === state.trace ? after : { ...after, selected: name };
}

/** @type {(state: State, index: number, value: Known | undefined) => State} */
function revalue(state, index, value) {
  const { tree } = state.trace;
  if (value === undefined || value == tree.nodes[index].value) return state;
  if (!canRevalue(state, index)) return state;
  return search(state, { tree: withValue(tree, index, value) });
}

/**
 * Add a leaf below the selected node, and open a field for its value.
 * @type {(state: State) => State}
 */
function addChild(state) {
  if (!hasShape(state)) return state;
  const parent = selectedIn(state);
  const tree = withChild(state.trace.tree, parent);
  const after = search(state, { tree });
  if (after.trace === state.trace) return after;
  const [index] = tree.nodes[parent].children.slice(-1);
  return openField(unfold(after, { index: parent }), { kind: "value", index });
}

/**
 * Move the node to another place among its siblings.
 * @type {(state: State, action: {index: number, place: number}) => State}
 */
function reorder(state, { index, place }) {
  const { tree } = state.trace;
  const { name, parent } = tree.nodes[index];
  if (!hasShape(state) || parent < 0) return state;
  const after = search(state, { tree: moved(tree, index, place) });
  return after.trace === state.trace ? after : { ...after, selected: name };
}

/**
 * Drag the value of a leaf: one change, however many values it passes, until the leaf is dropped or
 * something else changes the tree.
 * @type {(state: State, action: {index: number, value: number}) => State}
 */
function drag(state, { index, value }) {
  if (!canRevalue(state, index) || isTooLarge(value)) return state;
  const tree = withValue(state.trace.tree, index, value);
  const isUnderWay = state.dragged === index;
  const after = isUnderWay ? searched(state, tree) : search(state, { tree });
  return after.trace === state.trace ? after : { ...after, dragged: index };
}

/** @type {(state: State) => State} */
function drop(state) {
  return state.dragged < 0 ? state : { ...state, dragged: -1 };
}

// ------------------------------------------------------------------ the step

/**
 * Go to a step, or to the nearest that there is; in practice the later ones say what is asked.
 * @type {(state: State, action: {step: number}) => State}
 */
function go(state, { step }) {
  const to = within(state.trace, step);
  if (to === state.step || state.mode === "practice") return state;
  return { ...state, step: to, problem: "" };
}

/**
 * Go to the next step that changes what is shown; on the way, ask what the steps would answer.
 * @type {(state: State) => State}
 */
function next(state) {
  const to = stepAfter(state);
  for (let step = state.step; step < to; step++) {
    const asked = asking(go(state, { step }));
    if (asked) return asked;
  }
  return go(state, { step: to });
}

/**
 * Predict from the start, as if nothing had been answered.
 * @type {(state: State) => State}
 */
function restart(state) {
  return unanswered(go(state, { step: 0 }));
}

/**
 * Go to the step that Python has set; one that this search does not have is of another.
 * @type {(state: State, action: {step: number}) => State}
 */
function follow(state, { step }) {
  return step <= state.trace.length ? go(state, { step }) : state;
}

// ------------------------------------------------------------------ modes, and how it is shown

/**
 * Turn editing or practice on, or off where it is on; each turns the others off.
 * @type {(state: State, action: {mode: State["mode"]}) => State}
 */
function turn(state, { mode }) {
  if (state.mode === mode) return mode ? { ...state, mode: "" } : state;
  if (!mode) return { ...state, mode };
  if (mode === "edit") return { ...state, mode, asked: unasked(state) };
  if (state.trace.search === "recorded") return refused(state, NO_PRACTICE);
  return { ...state, mode, asked: unasked(state), step: 0, closed: new Set(), isSplit: false };
}

/**
 * Take up practice as the reader left it.
 * @type {(state: State, action: {marks: Kept}) => State}
 */
function resume(state, { marks }) {
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
function predict(state) {
  if (isPredicting(state)) return { ...state, asked: [] };
  return { ...state, mode: "", asked: kindsAsked(state.trace) };
}

/**
 * Ask these kinds of question, of a class or of one reader.
 * @type {(state: State, action: {asked?: string[], isShowOfHands?: boolean}) => State}
 */
function ask(state, { asked = state.asked, isShowOfHands = state.isShowOfHands }) {
  const isSame = String(asked) === String(state.asked) && isShowOfHands === state.isShowOfHands;
  return isSame ? state : { ...state, asked, isShowOfHands };
}

/**
 * Fold what is below the node, or unfold it.
 * @type {(state: State, action: {index: number}) => State}
 */
function fold(state, { index }) {
  const { name, children } = state.trace.nodes[index];
  if (!children.length || state.mode === "practice") return state;
  const closed = new Set(state.closed);
  if (!closed.delete(name)) closed.add(name);
  return { ...state, closed };
}

/**
 * Unfold the path to the node.
 * @type {(state: State, action: {index: number}) => State}
 */
function unfold(state, { index }) {
  const { tree } = state.trace;
  const closed = new Set(state.closed);
  for (const at of tree.path(index)) closed.delete(tree.nodes[at].name);
  return closed.size === state.closed.size ? state : { ...state, closed };
}

/** @type {(state: State) => State} */
function toggleHistory(state) {
  return { ...state, hasHistory: !state.hasHistory };
}

/**
 * Show minimax next to alpha-beta, or no longer.
 * @type {(state: State) => State}
 */
function split(state) {
  if (state.isSplit) return { ...state, isSplit: false };
  if (state.mode === "practice") return state;
  return withSplit({ ...state, isSplit: true });
}

/**
 * Make a picture larger or smaller than at its scale; by 0: show the whole tree, and the next time a
 * size that can be read.
 * @type {(
 *   state: State,
 *   action: {picture: keyof State["zoom"], factor: number, scale: number}
 * ) => State}
 */
function zoom(state, { picture, factor, scale }) {
  const least = Math.min(LEAST_ZOOM, scale);
  let next = state.zoom[picture] === 0 ? null : 0;
  if (factor) next = Math.min(MOST_ZOOM, Math.max(least, scale * factor));
  return { ...state, zoom: { ...state.zoom, [picture]: next } };
}

/**
 * Another form of the pseudocode, or another speed.
 * @type {(state: State, action: {form?: string, speed?: number}) => State}
 */
function prefer(state, { form = state.form, speed = state.speed }) {
  return form === state.form && speed === state.speed ? state : { ...state, form, speed };
}

/**
 * Show more of the search, or less: what the level shows, and no more.
 * @type {(state: State, action: {show: Show}) => State}
 */
function showLevel(state, { show }) {
  return show === state.show ? state : { ...state, show, parts: {} };
}

/**
 * Show a part of the page, or hide it, whatever the level shows.
 * @type {(state: State, action: {part: Part}) => State}
 */
function togglePart(state, { part }) {
  return { ...state, parts: { ...state.parts, [part]: !isShown(state, part) } };
}

/**
 * The menu of rules has been opened or closed.
 * @type {(state: State, action: {isOpen: boolean}) => State}
 */
function openRules(state, { isOpen }) {
  return isOpen === state.areRulesOpen ? state : { ...state, areRulesOpen: isOpen };
}

/**
 * Show the buttons and menus that a newcomer does not need, or hide them.
 * @type {(state: State) => State}
 */
function toggleMore(state) {
  return { ...state, isMoreOpen: !state.isMoreOpen };
}

/**
 * Say why something was refused, or with "" that nothing is.
 * @type {(state: State, action: {problem: string}) => State}
 */
function complain(state, { problem }) {
  return problem === state.problem ? state : { ...state, problem };
}

const ACTIONS = {
  open,
  search,
  renew,
  adopt,
  undo,
  redo,
  compare,
  visit,
  reopen,
  read,
  answer,
  refuse,
  late,
  select,
  openField,
  enter,
  leave,
  addChild,
  reorder,
  drag,
  drop,
  go,
  next,
  restart,
  choose,
  reply,
  follow,
  turn,
  begin,
  resume,
  fill,
  markCut,
  judge,
  hint,
  handIn,
  predict,
  ask,
  fold,
  unfold,
  toggleHistory,
  split,
  zoom,
  prefer,
  showLevel,
  togglePart,
  openRules,
  toggleMore,
  complain,
};

/**
 * What can happen: the name of a function above, with what that takes.
 * @typedef {typeof ACTIONS} Actions
 * @typedef {{[Name in keyof Actions]: {type: Name} & Facts<Actions[Name]>}[keyof Actions]} Action
 */

/**
 * @template Act
 * @typedef {Act extends (state: State, facts: infer Taken) => State ? Taken : never} Facts
 */
