// Practice that is assigned to a student: on this tree, under these rules, and nothing else.

import { isPracticing } from "../sheet.js";

/** @import { Action, State } from "../state.js" */

/**
 * A student whose page this is.
 * @typedef {object} Assigned
 * @property {string} id
 * @property {string} name
 * @property {string} label the student in words
 * @property {string} file a name for the student's files, without an ending
 */

export const FIXED = "This tree is assigned: neither it nor its search can be changed here.";

/** What would change the tree or its search, or show its solution. */
const REFUSED = [
  "search",
  "renew",
  "adopt",
  "undo",
  "redo",
  "compare",
  "read",
  "answer",
  "openField",
  "enter",
  "addChild",
  "reorder",
  "drag",
  "drop",
  "begin",
  "hint",
  "solve",
  "split",
  "predict",
  "ask",
];

/**
 * Whether an assigned page refuses the action. Practice can be turned on, and is never left.
 * @type {(state: State, action: Action) => boolean}
 */
export function isRefused(state, action) {
  if (!state.assigned) return false;
  if (action.type === "turn") return isPracticing(state) || action.mode !== "practice";
  if (action.type === "visit" || action.type === "reopen") return !!action.changes;
  return REFUSED.includes(action.type);
}
