// Where the page puts the nodes of a tree whose shape it has changed; Graphviz places those that come from Python.

import { LOOKS } from "./data.js";

/** @import { Tree } from "./trace.js" */

/**
 * Points: across, and down.
 * @typedef {[x: number, y: number]} Point
 *
 * Where the nodes are: those of a folded part have no place.
 * @typedef {object} Layout
 * @property {(Point | null)[]} places
 * @property {[width: number, height: number]} size
 */

/**
 * Place every node: rows from top to bottom, siblings left to right, each parent in the middle above all that is below
 * it. `sizes` holds [width, height] by node, `isOpen(index)` tells whether its children are shown, and `root` is the
 * topmost node.
 * Return {size: [width, height], places: center [x, y] by node} in points, y downwards.
 * @param {Tree} tree
 * @param {[width: number, height: number][]} sizes
 * @param {(index: number) => boolean} isOpen
 * @param {number} root
 * @returns {Layout}
 */
export function layout(tree, sizes, isOpen = () => true, root = 0) {
  /** @param {number} index */
  const shown = (index) => (isOpen(index) ? tree.nodes[index].children : []);

  /** @type {number[]} */
  const widths = []; // of a node with all below it
  /** @type {number[]} */
  const spans = []; // of its children alone
  for (const { index } of tree.nodes.toReversed()) {
    spans[index] = shown(index).reduce((sum, child) => sum + widths[child] + LOOKS.gap, -LOOKS.gap);
    widths[index] = Math.max(sizes[index][0], spans[index]);
  }

  /** @type {number[]} */
  const heights = []; // of the rows: each is as high as its highest node
  /** @type {(Point | null)[]} */
  const places = tree.nodes.map(() => null);
  /** @type {(index: number, left: number, level: number) => void} */
  const place = (index, left, level) => {
    heights[level] = Math.max(heights[level] ?? 0, sizes[index][1]);
    places[index] = [left + widths[index] / 2, level];
    let next = left + (widths[index] - spans[index]) / 2;
    for (const child of shown(index)) {
      place(child, next, level + 1);
      next += widths[child] + LOOKS.gap;
    }
  };
  place(root, 0, 0);

  const { tops, bottom } = rowsOf(heights);
  places.forEach((at, index) => {
    // at the top of its row
    if (at) at[1] = tops[at[1]] + sizes[index][1] / 2;
  });
  return { places, size: [widths[root], bottom] };
}

/**
 * The same places across, in rows as high as the nodes need: Graphviz has placed them for nodes of
 * another height. Each node is in the middle of its row.
 * @param {Tree} tree
 * @param {Layout} layout
 * @param {[width: number, height: number][]} sizes
 * @param {number} root
 * @returns {Layout}
 */
export function inRows(tree, { places, size: [across] }, sizes, root) {
  /** @param {number} index */
  const levelOf = (index) => tree.path(index).length - tree.path(root).length;

  /** @type {number[]} */
  const heights = [];
  places.forEach((at, index) => {
    if (!at) return;
    const level = levelOf(index);
    heights[level] = Math.max(heights[level] ?? 0, sizes[index][1]);
  });

  const { tops, bottom } = rowsOf(heights);
  /** @type {(x: number, level: number) => Point} */
  const middle = (x, level) => [x, tops[level] + heights[level] / 2];
  return {
    places: places.map((at, index) => (at ? middle(at[0], levelOf(index)) : null)),
    size: [across, bottom],
  };
}

/**
 * Where rows of these heights begin, and the last one ends.
 * @param {number[]} heights
 */
function rowsOf(heights) {
  const tops = [0];
  for (const height of heights) tops.push((tops.at(-1) ?? 0) + height + LOOKS.rankGap);
  return { tops, bottom: (tops.at(-1) ?? 0) - LOOKS.rankGap };
}
