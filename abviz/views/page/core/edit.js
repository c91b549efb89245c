// Changes to a tree, each a function that returns another tree; a tree itself never changes.
// A node keeps its name however the tree is edited, and a new one gets the next free name.

import { Tree } from "./trace.js";

/** @import { Known, Value } from "./numbers.js" */
/** @import { More, Row, Texts, TreeNode } from "./trace.js" */

/**
 * A node with all below it, free to be changed; without a name it gets one.
 * @typedef {object} Item
 * @property {string} name
 * @property {boolean} isMax
 * @property {Known} value
 * @property {More} [more]
 * @property {Item[]} children
 *
 * Nested arrays of numbers.
 * @typedef {Known | Nested[]} Nested
 */

/**
 * The tree after the items of its nodes have been changed.
 * @param {Tree} tree
 * @param {(items: Item[]) => void} change
 */
function edited(tree, change) {
  /** @type {Item[]} */
  const items = tree.nodes.map(({ name, isMax, value, more }) => {
    return { name, isMax, value, more, children: [] };
  });
  tree.nodes.forEach(({ children }, index) => {
    items[index].children = children.map((child) => items[child]);
  });
  change(items);
  return treeOf(items[0], withoutNotes(tree));
}

/** @type {(tree: Tree) => Texts} */
const withoutNotes = ({ title, source, players }) => ({ title, source, players }); // they speak of the tree as it was

/** @type {(tree: Tree, index: number, value: Known) => Tree} */
export const withValue = (tree, index, value) =>
  withLeaves(tree, (leaf) => (leaf.index === index ? value : leaf.value), withoutNotes(tree));

/**
 * The tree with the value `value(node)` for each leaf, and with the title and the source of `texts`.
 * @param {Tree} tree
 * @param {(node: TreeNode) => Known} value
 * @param {Texts} [texts]
 */
export function withLeaves(tree, value, texts) {
  /** @type {Row[]} */
  const rows = tree.nodes.map((node) => {
    const now = node.children.length ? node.value : value(node);
    // a what-if ends no game
    const more = now == node.value ? node.more : { ...node.more, ending: "", estimate: false };
    return [node.name, node.isMax, now, node.parent, more];
  });
  return new Tree(rows, texts);
}

/**
 * The other tree; if it has the nodes of this one, with what no text says of them, such as the labels in a game.
 * @type {(other: Tree, tree: Tree) => Tree}
 */
export const completed = (other, tree) =>
  other.shape === tree.shape
    ? withLeaves(tree, ({ index }) => other.nodes[index].value, other)
    : other;

/** @type {(tree: Tree, index: number, name: string) => Tree} */
export const renamed = (tree, index, name) =>
  edited(tree, (items) => Object.assign(items[index], { name, more: {} }));

/**
 * The tree with one more leaf below the node; a leaf that becomes a parent hands its value down.
 * @type {(tree: Tree, index: number) => Tree}
 */
export const withChild = (tree, index) =>
  edited(tree, (items) => grow(items[index], 1, namesOf(items)));

/**
 * The tree with two leaves below every leaf: the first keeps the value, the other gets 0.
 * @type {(tree: Tree) => Tree}
 */
export const withLevel = (tree) =>
  edited(tree, (items) => {
    const taken = namesOf(items);
    for (const item of items) if (!item.children.length) grow(item, 2, taken);
  });

/**
 * The tree without the node and all below it; a parent left without children becomes a leaf.
 * @type {(tree: Tree, index: number) => Tree}
 */
export const without = (tree, index) =>
  edited(tree, (items) => {
    const parent = items[tree.nodes[index].parent];
    parent.children = parent.children.filter((child) => child !== items[index]);
    if (!parent.children.length) parent.value = items[index].value ?? 0;
  });

/**
 * The tree with the node moved to another place among its siblings.
 * @type {(tree: Tree, index: number, place: number) => Tree}
 */
export const moved = (tree, index, place) =>
  edited(tree, (items) => {
    const parent = items[tree.nodes[index].parent];
    parent.children = parent.children
      .filter((child) => child !== items[index])
      .toSpliced(place, 0, items[index]);
  });

/**
 * The tree with MAX and MIN exchanged.
 * @type {(tree: Tree) => Tree}
 */
export const swapped = (tree) =>
  edited(tree, (items) => items.forEach((item) => (item.isMax = !item.isMax)));

/**
 * @param {Item} parent
 * @param {number} leaves
 * @param {Set<string>} taken
 */
function grow(parent, leaves, taken) {
  for (; leaves; leaves--) {
    const place = parent.children.length;
    const name = leafName(parent.name, place, taken);
    parent.children.push({
      name,
      isMax: !parent.isMax,
      value: place ? 0 : parent.value,
      children: [],
    });
  }
  parent.value = null;
}

/**
 * A random tree; without ties no two leaves are alike. The same options give the same tree.
 * @param {object} options
 * @param {number} options.depth
 * @param {number} options.breadth
 * @param {number} options.low
 * @param {number} options.high
 * @param {boolean} options.ties
 * @param {number} options.seed
 */
export function random({ depth, breadth, low, high, ties, seed }) {
  const next = generator(seed);
  /** @type {(from: number, to: number) => number} */
  const whole = (from, to) => from + Math.floor(next() * (to - from + 1));
  const leaves = breadth ** depth;
  const values = Array.from(
    { length: Math.max(leaves, high - low + 1) },
    (_, place) => low + place,
  );
  for (let last = values.length - 1; last > 0; last--) {
    const other = whole(0, last);
    [values[last], values[other]] = [values[other], values[last]];
  }
  let left = values.length;
  /** @type {(deep: number) => Nested} */
  const nested = (deep) => {
    if (deep === depth) return ties ? whole(low, high) : values[--left];
    return Array.from({ length: breadth }, () => nested(deep + 1));
  };
  return fromNested(nested(0));
}

/**
 * The tree of nested arrays.
 * @param {Nested} nested
 */
export function fromNested(nested) {
  /** @type {(content: Nested, isMax: boolean) => Item} */
  const item = (content, isMax) => {
    if (!Array.isArray(content)) return { name: "", isMax, value: content, children: [] };
    const children = content.map((child) => item(child, !isMax));
    return { name: "", isMax, value: null, children };
  };
  return treeOf(named(item(nested, true)));
}

/**
 * The tree of an item, with the title and the source of `texts`.
 * @param {Item} root
 * @param {Texts} [texts]
 */
export function treeOf(root, texts) {
  /** @type {Row[]} */
  const rows = [];
  /** @type {(item: Item, parent: number) => void} */
  const add = ({ name, isMax, value, more, children }, parent) => {
    const index = rows.push([name, isMax, value, parent, more]) - 1;
    for (const child of children) add(child, index);
  };
  add(root, -1);
  return new Tree(rows, texts);
}

/**
 * The item with a name for each below it that has none, as Python names them: inner nodes A, B, C … level by level,
 * leaves b1, b2 …, and PARENT:PLACE where that is taken or the parent's name does not end in a letter.
 * @param {Item} root
 */
export function named(root) {
  const items = [root];
  for (const { children } of items) items.push(...children);
  const taken = namesOf(items);
  let next = 0;
  const freeLetter = () => {
    while (taken.has(letter(next))) next += 1;
    return letter(next++);
  };
  root.name ||= freeLetter();
  for (const { name, children } of items) {
    children.forEach(
      (child, at) =>
        (child.name ||= child.children.length ? freeLetter() : leafName(name, at, taken)),
    );
  }
  return root;
}

/** @param {Item[]} items */
const namesOf = (items) => new Set(items.map(({ name }) => name));

/**
 * The name of a new leaf, which is then taken.
 * @param {string} parent
 * @param {number} place
 * @param {Set<string>} taken
 */
function leafName(parent, place, taken) {
  let name = `${parent.toLowerCase()}${place + 1}`;
  if (taken.has(name) || !/\p{L}$/u.test(parent)) name = `${parent}:${place + 1}`;
  while (taken.has(name)) name += "'";
  taken.add(name);
  return name;
}

/**
 * A, B … Z, AA, AB …
 * @param {number} place
 * @returns {string}
 */
function letter(place) {
  const last = String.fromCharCode(65 + (place % 26));
  return place < 26 ? last : letter(Math.floor(place / 26) - 1) + last;
}

/**
 * Numbers in [0, 1), the same for the same seed (mulberry32).
 * @param {number} seed
 */
export function generator(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * The least number of leaves that alpha-beta reads, with the best order of children and cuts at equality: on a uniform
 * tree with distinct leaves b^⌈d/2⌉ + b^⌊d/2⌋ − 1 (Knuth and Moore). Of finite values only.
 * @param {Tree} tree
 * @param {Value} rootValue
 */
export function leastLeaves({ nodes }, rootValue) {
  // The leaves that prove that a node's value is at least the root's, at most the root's, or exactly that.
  /** @type {number[][]} */
  const [atLeast, atMost, exact] = [[], [], []];
  /** @type {(counts: number[], children: number[]) => number} */
  const sum = (counts, children) => children.reduce((total, child) => total + counts[child], 0);
  /** @type {(counts: number[], children: number[]) => number} */
  const least = (counts, children) => Math.min(...children.map((child) => counts[child]));
  for (const { index, isMax, children, value } of nodes.toReversed()) {
    if (children.length) {
      atLeast[index] = (isMax ? least : sum)(atLeast, children);
      atMost[index] = (isMax ? sum : least)(atMost, children);
      // one child gives the value, the others must not be better
      const others = isMax ? atMost : atLeast;
      /** @param {number} best */
      const rest = (best) => children.filter((child) => child !== best);
      exact[index] = Math.min(...children.map((best) => exact[best] + sum(others, rest(best))));
    } else {
      atLeast[index] = value !== null && value >= rootValue ? 1 : Infinity;
      atMost[index] = value !== null && value <= rootValue ? 1 : Infinity;
      exact[index] = value === rootValue ? 1 : Infinity;
    }
  }
  return exact[0];
}
