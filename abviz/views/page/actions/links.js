// What an address asks for, and what the page remembers of its reader.

import { isOwnTree } from "../core/address.js";
import { showLevel } from "./looks.js";
import { refused } from "./requests.js";
import { compare, isComparing, search } from "./searches.js";
import { go } from "./steps.js";

/** @import { Opened } from "../core/address.js" */
/** @import { Show } from "../core/levels.js" */
/** @import { Asked, Changes, State } from "../state.js" */

/**
 * Open what an address asks for: `changes` of the tree and the search, if any, and a step. `problem`
 * is why the address cannot be read.
 * @type {(state: State, action: Asked) => State}
 */
export function visit(
  state,
  { changes = null, step = state.step, show = state.show, problem = "" },
) {
  if (problem) return misfit(state, problem);
  const shown = showLevel(state, { show });
  const changed = changes ? changedTo(shown, changes) : shown;
  if (changes && changed.trace === state.trace && changed.problem) {
    return misfit(changed, changed.problem);
  }

  const { places, length } = changed.trace;
  if (step in places) {
    const isNewcomer = changed.isNewcomer && !step; // a link to a step shows that step
    return { ...go({ ...changed, isNewcomer }, { step }), problem: changes ? changed.problem : "" };
  }
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
 * Show the tree, the search, the level and the parts as the reader left them, if that can still be
 * done.
 * @type {(
 *   state: State,
 *   action: {changes: Changes | null, show?: Show} & Partial<Opened>
 * ) => State}
 */
export function reopen(state, { changes, show = state.show, parts = {}, hasHistory = false }) {
  const isLevel = !Object.keys(parts).length && !hasHistory;
  const level = showLevel(state, { show });
  const shown = isLevel ? level : { ...level, parts, hasHistory };
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
