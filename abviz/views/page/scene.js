// What the picture shows of the state, and where the nodes of a tree are.

import { isOwnShape } from "./core/address.js";
import { isLocked } from "./core/editing.js";
import { lettersShown } from "./core/levels.js";
import { levelOf } from "./level.js";
import { planOf } from "./picture.js";
import { isAsked, isPredicting } from "./quiz.js";
import { isPracticing } from "./sheet.js";

/** @import { Trace } from "./core/trace.js" */
/** @import { Spec } from "./host.js" */
/** @import { Plan, Scene } from "./picture.js" */
/** @import { Sheet } from "./sheet.js" */
/** @import { State } from "./state.js" */

const MOST_BOARDS = 60; // nodes of a tree with a board on each
/** @type {Set<string>} */
const NO_CUTS = new Set();

/** What Python has sent: there is something once a page is open. @type {(state: State) => Spec} */
export const specOf = ({ spec }) => /** @type {Spec} */ (spec);

/**
 * Whether the tree has the shape of the page's own; its leaves may differ.
 * @type {(state: State) => boolean}
 */
export const isOwn = ({ trace, original }) => isOwnShape(trace, original);

/**
 * Where the nodes of a searched tree are: as Graphviz placed them, as long as the tree has the shape
 * for which Python asked for that. `row` is the height of the row of a letter.
 * @type {(state: State, trace: Trace, row?: number) => Plan}
 */
export function planFor(state, { tree, hasBounds }, row) {
  const { closed, original } = state;
  const { boards, places, top: given } = specOf(state);
  const letters = lettersShown({ hasBounds }, levelOf(state)).length;
  const hasBoards = boards?.kind === "cells" && tree.nodes.length <= MOST_BOARDS;
  const top = isOwn(state) && !isPracticing(state) ? given : 0; // for practice the whole tree

  const isWhole = !closed.size && top === given && !tree.nodes.some(({ folded }) => folded);
  const fits = isOwn(state) && isWhole && !hasBoards;
  const { centres, size } = places;
  const placed = fits ? { places: centres, size, tree: original.tree } : null;
  return planOf(tree, { letters, row, hasBoards, closed, top, given: placed });
}

/**
 * What the picture shows of the state, with the nodes where the plan has them.
 * @param {State} state
 * @param {Plan} plan
 * @param {(sheet: Sheet) => Scene["sheet"]} fieldsOf the fields for what a sheet asks for
 * @returns {Scene}
 */
export function sceneOf(state, plan, fieldsOf) {
  const { trace, step, original, hasHistory } = state;
  const sheet = isPracticing(state) ? state.sheet : null;
  return {
    trace,
    step,
    show: levelOf(state),
    plan,
    title: "Game tree",
    boards: specOf(state).boards,
    original: isOwn(state) ? original.tree : null,
    isVeiled: isPredicting(state) || isAsked(state),
    hasHistory,
    canChange: !isLocked(state) && !sheet,
    isStill: false,
    sheet: sheet && fieldsOf(sheet),
    cuts: sheet ? sheet.cuts : NO_CUTS,
  };
}
