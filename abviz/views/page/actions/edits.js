// Edits of the tree: the field over a node, and what is dragged, added and moved.

import { moved, renamed, withChild, withValue } from "../core/edit.js";
import { canRevalue, hasShape, problemOf, selectedIn, textOf } from "../core/editing.js";
import { isTooLarge, typed } from "../core/numbers.js";
import { unfold } from "./looks.js";
import { refused } from "./requests.js";
import { search, searched } from "./searches.js";

/** @import { Field } from "../core/editing.js" */
/** @import { Known } from "../core/numbers.js" */
/** @import { State } from "../state.js" */

const NOT_USED = "The tree has changed; your entry was not used.";

/** @type {(state: State, action: {index: number}) => State} */
export function select(state, { index }) {
  const { name } = state.trace.tree.nodes[index];
  return name === state.selected ? state : { ...state, selected: name };
}

/**
 * Open a field over the node, for its "name" or for the "value" of a leaf.
 * @type {(state: State, action: {kind: Field["kind"], index: number}) => State}
 */
export function openField(state, { kind, index }) {
  const isPossible = kind === "name" ? hasShape(state) : canRevalue(state, index);
  if (!isPossible) return state;
  return { ...state, field: { kind, index, tree: state.trace.tree }, problem: "" };
}

/**
 * Take what was typed into the field; where that is refused, the field stays open.
 * @type {(state: State, action: {text: string}) => State}
 */
export function enter(state, { text }) {
  const { field } = state;
  const after = leave(state, { text });
  const isRefused = after.trace === state.trace && !["", NOT_USED].includes(after.problem);
  return isRefused ? { ...after, field } : after;
}

/**
 * Close the field, and take what was typed into it, if anything.
 * @type {(state: State, action: {text?: string}) => State}
 */
export function leave(state, { text }) {
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
export function addChild(state) {
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
export function reorder(state, { index, place }) {
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
export function drag(state, { index, value }) {
  if (!canRevalue(state, index) || isTooLarge(value)) return state;
  const tree = withValue(state.trace.tree, index, value);
  const isUnderWay = state.dragged === index;
  const after = isUnderWay ? searched(state, tree) : search(state, { tree });
  return after.trace === state.trace ? after : { ...after, dragged: index };
}

/** @type {(state: State) => State} */
export function drop(state) {
  return state.dragged < 0 ? state : { ...state, dragged: -1 };
}
