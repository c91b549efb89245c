// The state of a page, and what each action makes of it. There is no DOM and no clock here: chance is
// a seed in the state, time and what others say arrive in the action, and whoever shows the state
// compares it with the one before.

import { FIXED, isRefused } from "./actions/assigned.js";
import { addChild, drag, drop, enter, leave, openField, reorder, select } from "./actions/edits.js";
import { reopen, visit } from "./actions/links.js";
import {
  fold,
  openRules,
  prefer,
  showLevel,
  split,
  toggleHistory,
  toggleMore,
  togglePart,
  unfold,
  zoom,
} from "./actions/looks.js";
import { ask, predict, resume, turn } from "./actions/modes.js";
import { complain, late, read, refuse, refused } from "./actions/requests.js";
import {
  adopt,
  answer,
  compare,
  openSearch,
  redo,
  renew,
  search,
  undo,
} from "./actions/searches.js";
import {
  choose,
  explain,
  follow,
  go,
  next,
  nextCut,
  restart,
  stillExplained,
} from "./actions/steps.js";
import { DEFAULT_SHOW } from "./core/levels.js";
import { NO_QUESTIONS, kept, reply } from "./quiz.js";
import { NO_SHEET, begin, fill, handIn, hint, judge, markCut, solve, withSheet } from "./sheet.js";

/** @import { Assigned } from "./actions/assigned.js" */
/** @import { Field } from "./core/editing.js" */
/** @import { Part, Show } from "./core/levels.js" */
/** @import { Kind } from "./core/questions.js" */
/** @import { SearchOptions } from "./core/search.js" */
/** @import { Trace, Tree } from "./core/trace.js" */
/** @import { Spec } from "./host.js" */
/** @import { Open, Quiz } from "./quiz.js" */
/** @import { Sheet } from "./sheet.js" */

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
 * @property {boolean} hasAddress whether the page's address can be that of a step
 * @property {Assigned | null} assigned the student to whom the tree is assigned, if any
 * @property {string} view a name that no other view of the same model has
 * @property {number} requests how many requests this view has made of Python
 * @property {{id: string, request: Request} | null} waiting what Python has been asked for
 * @property {Set<string>} closed names of the nodes whose children are folded away
 * @property {"" | "edit" | "practice"} mode
 * @property {{trace: Trace, step: number, closed: Set<string>} | null} left where practice was
 *   turned on
 * @property {string} selected the name of the node that the tools of the editor change
 * @property {Field | null} field the field that is open over a node
 * @property {number} dragged the leaf whose value is being dragged, or -1
 * @property {number} explained the node of which it is said why it was skipped, or -1
 * @property {string[]} asked the kinds of question that predict mode asks: none where it is off
 * @property {boolean} isShowOfHands the questions are for a class
 * @property {Open | null} open the question that is open
 * @property {Kind[]} told the kinds of which a class has seen the answers before the next step
 * @property {Quiz[]} quizzes what has been answered, by search
 * @property {boolean} isNewcomer whether the reader is to be asked before the first cut
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
  hasAddress: false,
  assigned: null,
  view: "",
  requests: 0,
  waiting: null,
  closed: new Set(),
  mode: "",
  left: null,
  selected: "",
  field: null,
  dragged: -1,
  explained: -1,
  asked: [],
  isShowOfHands: false,
  isNewcomer: false,
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
  if (isRefused(state, action)) return refused(state, FIXED);
  const act = /** @type {(state: State, action: Action) => State} */ (ACTIONS[action.type]);
  const after = act(state, action);
  return after === state ? state : withSheet(stillExplained(state, kept(state, after)));
}

const ACTIONS = {
  open: openSearch,
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
  nextCut,
  explain,
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
  solve,
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
