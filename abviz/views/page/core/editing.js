// What an editor may do to the tree that is shown, and how what is typed becomes an entry.

import { LOOKS } from "./data.js";
import { leastLeaves } from "./edit.js";
import { FITTING, isTooLarge, number, typed } from "./numbers.js";
import { isSameSearch } from "./trace.js";

/** @import { Known } from "./numbers.js" */
/** @import { Trace, Tree, TreeNode } from "./trace.js" */

/**
 * A field that is open over a node, and the tree for which it was opened: Python may send another.
 * What has been typed into it stays in the element.
 * @typedef {{kind: "value" | "name", index: number, tree: Tree}} Field
 *
 * What a page shows, as far as it decides what can be changed.
 * @typedef {object} Shown
 * @property {Trace} original
 * @property {Trace} trace
 * @property {{boards?: object | null} | null} spec
 * @property {string} mode
 * @property {string} selected
 */

// ------------------------------------------------------------------ what can be changed

/** A recorded run can’t be edited. @type {(shown: Shown) => boolean} */
export const isLocked = ({ original }) => original.search === "recorded";

/**
 * Whether nodes can be added, moved and renamed: of a game's tree only the leaves can be changed.
 * @type {(shown: Shown) => boolean}
 */
export const hasShape = (shown) => !isLocked(shown) && !shown.spec?.boards;

/**
 * Whether the node is a leaf that can get another value.
 * @type {(shown: Shown, index: number) => boolean}
 */
export function canRevalue(shown, index) {
  const node = shown.trace.tree.nodes[index];
  if (!node || node.children.length || node.folded) return false;
  return !isLocked(shown) && shown.mode !== "practice";
}

/**
 * What a drag of the node would change: its place while the tree is edited, or else the value of a
 * leaf.
 * @type {(shown: Shown, index: number) => "order" | "value" | ""}
 */
export function dragOf(shown, index) {
  const { parent, value } = shown.trace.tree.nodes[index];
  if (shown.mode === "edit" && hasShape(shown) && parent >= 0) return "order";
  const isWhole = Number.isSafeInteger(value);
  return isWhole && !shown.spec?.boards && canRevalue(shown, index) ? "value" : "";
}

/**
 * The selected node, which stays selected in a changed tree; the root where there is none.
 * @type {(shown: {trace: Trace, selected: string}) => number}
 */
export function selectedIn({ trace, selected }) {
  const index = trace.tree.nodes.findIndex(({ name }) => name === selected);
  return Math.max(0, index);
}

// ------------------------------------------------------------------ a field over a node

/** The text with which the field opens. @type {(field: Field) => string} */
export function textOf({ kind, index, tree }) {
  const { name, value } = tree.nodes[index];
  return kind === "name" ? name : number(value);
}

/** What a screen reader says of the field. @type {(field: Field) => string} */
export function labelOf({ kind, index, tree }) {
  const { name, label } = tree.nodes[index];
  return kind === "name" ? `New name of ${name}` : `New value of ${label}`;
}

/**
 * Why the entry cannot be taken; "" where it can.
 * @type {(field: Field, entry: string) => string}
 */
export function problemOf(field, entry) {
  if (entry === textOf(field)) return "";
  const problem = field.kind === "name" ? problemOfName(field.tree, entry) : problemOfValue(entry);
  return problem && `“${entry}” ${problem}`;
}

/** @type {(tree: Tree, entry: string) => string} */
function problemOfName({ nodes }, entry) {
  const isFree = entry && nodes.every(({ name }) => name !== entry);
  return isFree ? "" : "cannot be the name; expected one that no other node has";
}

/** @type {(entry: string) => string} */
function problemOfValue(entry) {
  const value = typed(entry);
  if (value === undefined) return "is not a value; expected a number, inf, -inf or ?";
  return isTooLarge(value) ? `is too large; expected ${FITTING}` : "";
}

// ------------------------------------------------------------------ the whole tree

/**
 * @typedef {object} RandomShape
 * @property {number} depth
 * @property {number} breadth
 * @property {number} low
 * @property {number} high
 */

/**
 * Why there is no random tree of this shape; "" where there is.
 * @type {(shape: RandomShape) => string}
 */
export function problemOfShape({ depth, breadth, low, high }) {
  const leaves = breadth ** depth;
  if (low > high) return "low is larger than high; expected low ≤ high";
  if (leaves <= LOOKS.mostNodes) return "";
  return `a tree of ${leaves} leaves; expected fewer than ${LOOKS.mostNodes}`;
}

/**
 * How good the order of the children is, in words; "" where the search is another than the usual
 * one, or the value of a leaf is not known.
 * @param {Trace} trace
 */
export function orderOf({ tree, counts, rules, options, value }) {
  const isUsual = isSameSearch(options, { search: "alphabeta", rules }) && !rules.strict;
  const isKnown = tree.nodes.every((node) => node.children.length || node.value !== null);
  if (!isUsual || !isKnown || !Number.isFinite(value)) return "";
  const [read] = counts[counts.length - 1];
  return `${read} leaves read; ${leastLeaves(tree, Number(value))} in the best order.`;
}
