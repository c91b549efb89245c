// How the search is shown: what is folded, the size, the level and the parts of the page.

import { isShown } from "../level.js";
import { withSplit } from "./searches.js";

/** @import { Part, Show } from "../core/levels.js" */
/** @import { State } from "../state.js" */

const [LEAST_ZOOM, MOST_ZOOM] = [0.1, 4];

/**
 * Fold what is below the node, or unfold it.
 * @type {(state: State, action: {index: number}) => State}
 */
export function fold(state, { index }) {
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
export function unfold(state, { index }) {
  const { tree } = state.trace;
  const closed = new Set(state.closed);
  for (const at of tree.path(index)) closed.delete(tree.nodes[at].name);
  return closed.size === state.closed.size ? state : { ...state, closed };
}

/** @type {(state: State) => State} */
export function toggleHistory(state) {
  return { ...state, hasHistory: !state.hasHistory };
}

/**
 * Show minimax next to alpha-beta, or no longer.
 * @type {(state: State) => State}
 */
export function split(state) {
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
export function zoom(state, { picture, factor, scale }) {
  const least = Math.min(LEAST_ZOOM, scale);
  let next = state.zoom[picture] === 0 ? null : 0;
  if (factor) next = Math.min(MOST_ZOOM, Math.max(least, scale * factor));
  return { ...state, zoom: { ...state.zoom, [picture]: next } };
}

/**
 * Another form of the pseudocode, or another speed.
 * @type {(state: State, action: {form?: string, speed?: number}) => State}
 */
export function prefer(state, { form = state.form, speed = state.speed }) {
  return form === state.form && speed === state.speed ? state : { ...state, form, speed };
}

/**
 * Show more of the search, or less: what the level shows, and no more.
 * @type {(state: State, action: {show: Show}) => State}
 */
export function showLevel(state, { show }) {
  return show === state.show ? state : { ...state, show, parts: {} };
}

/**
 * Show a part of the page, or hide it, whatever the level shows.
 * @type {(state: State, action: {part: Part}) => State}
 */
export function togglePart(state, { part }) {
  return { ...state, parts: { ...state.parts, [part]: !isShown(state, part) } };
}

/**
 * The menu of rules has been opened or closed.
 * @type {(state: State, action: {isOpen: boolean}) => State}
 */
export function openRules(state, { isOpen }) {
  return isOpen === state.areRulesOpen ? state : { ...state, areRulesOpen: isOpen };
}

/**
 * Show the buttons and menus that a newcomer does not need, or hide them.
 * @type {(state: State) => State}
 */
export function toggleMore(state) {
  return { ...state, isMoreOpen: !state.isMoreOpen };
}
