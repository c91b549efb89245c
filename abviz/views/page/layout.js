// Where the page puts the nodes of a tree whose shape it has changed; Graphviz places those that come from Python.

import { LOOKS } from "./data.js";

/**
 * Place every node: rows from top to bottom, siblings left to right, each parent midway between its first and last
 * child. `sizes` holds [width, height] by node, `isOpen(index)` tells whether its children are shown, and `root` is the
 * topmost node.
 * Return {size: [width, height], places: centre [x, y] by node} in points, y downwards.
 */
export function layout(tree, sizes, isOpen = () => true, root = 0) {
  const shown = (node) => (isOpen(node.index) ? node.children : []);
  const offsets = tree.nodes.map(() => 0); // from the centre of the parent
  const outlines = tree.nodes.map(() => null); // for each level below, [leftmost, rightmost] from the node's centre
  for (const node of tree.nodes.toReversed()) {
    const children = shown(node);
    const half = sizes[node.index][0] / 2;
    const centres = [];
    let row = []; // the outline of all children so far, from the centre of the first
    for (const child of children) {
      const outline = outlines[child];
      const depth = Math.min(row.length, outline.length);
      let centre = centres.length ? -Infinity : 0;
      for (let at = 0; at < depth; at++) centre = Math.max(centre, row[at][1] + LOOKS.gap - outline[at][0]);
      centres.push(centre);
      const moved = outline.map(([left, right]) => [left + centre, right + centre]);
      row = [...moved.map(([left, right], level) => [row[level]?.[0] ?? left, right]), ...row.slice(moved.length)];
    }
    const middle = children.length ? (centres[0] + centres.at(-1)) / 2 : 0;
    children.forEach((child, place) => (offsets[child] = centres[place] - middle));
    outlines[node.index] = [[-half, half], ...row.map(([left, right]) => [left - middle, right - middle])];
  }
  const left = Math.min(...outlines[root].map(([edge]) => edge));
  const right = Math.max(...outlines[root].map(([, edge]) => edge));
  const { places, height } = rows(tree, sizes, shown, offsets, -left, root);
  return { places, size: [right - left, height] };
}

/** The heights: every row is as high as its highest node, and leaves stand at its top, so that no edge crosses one. */
function rows(tree, sizes, shown, offsets, start, root) {
  const level = tree.nodes.map(() => -1);
  const places = tree.nodes.map(() => null);
  const heights = [];
  level[root] = 0;
  for (const node of tree.nodes) {
    const at = level[node.index];
    if (at < 0) continue; // below a closed node
    heights[at] = Math.max(heights[at] ?? 0, sizes[node.index][1]);
    for (const child of shown(node)) level[child] = at + 1;
  }
  const tops = heights.map((_, at) => heights.slice(0, at).reduce((sum, height) => sum + height + LOOKS.rankGap, 0));
  for (const { index, parent } of tree.nodes) {
    if (level[index] < 0) continue;
    const x = index === root ? start : places[parent][0] + offsets[index];
    places[index] = [x, tops[level[index]] + sizes[index][1] / 2];
  }
  return { places, height: tops.at(-1) + heights.at(-1) };
}
