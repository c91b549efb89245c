// The notes of a tree: they speak of it as it was given, under the search with which it was given.

import { isOwnShape, isOwnTree } from "./address.js";
import { isPlain, isSameSearch, isSameTree } from "./trace.js";

/** @import { Trace, Tree } from "./trace.js" */

/**
 * The tree whose notes are shown, or keep their room while leaves are edited.
 * @param {Trace} shown
 * @param {Trace} original
 */
export const notedTree = (shown, original) =>
  isOwnShape(shown, original) && !shown.tree.note ? original.tree : shown.tree;

/**
 * Whether the notes of the tree are true of the alpha-beta that is shown.
 * @param {Trace} shown
 * @param {Trace} original
 */
export function areNotesTrue(shown, original) {
  const isGiven = isOwnTree(shown, original)
    ? isSameSearch(shown.options, original.options)
    : isPlain(shown.options);
  return isGiven && isSameTree(shown.tree, notedTree(shown, original));
}
