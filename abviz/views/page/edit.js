// Changes to a tree, each a function from rows to rows (see Tree in trace.js); a tree itself never changes.
// A node keeps its name however the tree is edited, and a new one gets the next free name.

import { larger, smaller } from "./numbers.js";
import { Tree } from "./trace.js";


/** The tree with the nodes in another arrangement: `children(index)` lists indices, or rows of new leaves. */
function rebuild(tree, children, change = (row) => row) {
  const rows = [];
  const waiting = [[0, -1]];
  while (waiting.length) {
    const [item, parent] = waiting.pop();
    const isNew = Array.isArray(item);
    const row = isNew ? item : rowOf(tree.nodes[item]);
    const below = isNew ? [] : children(item);
    waiting.push(...below.map((child) => [child, rows.length]).reverse());
    rows.push(change([...row.slice(0, 3), parent, ...row.slice(4)], isNew ? -1 : item));
  }
  return new Tree(rows);
}

const rowOf = ({ name, isMax, value, parent, more }) => [name, isMax, value, parent, more];
const childrenOf = (tree) => (index) => tree.nodes[index].children;

export function withValue(tree, index, value) {
  return rebuild(tree, childrenOf(tree), (row, at) => (at === index ? row.with(2, value).with(4, { ...row[4], ending: "" }) : row)); // a what-if ends no game
}

export function renamed(tree, index, name) {
  return rebuild(tree, childrenOf(tree), (row, at) => (at === index ? row.with(0, name).with(4, undefined) : row));
}

/** The tree with one more leaf below the node; a leaf that becomes a parent hands its value down. */
export function withChild(tree, index, value = 0) {
  const node = tree.nodes[index];
  const leaf = newLeaf(tree, node, node.children.length, node.children.length ? value : node.value);
  const below = (at) => (at === index ? [...node.children, leaf] : tree.nodes[at].children);
  return rebuild(tree, below, (row, at) => (at === index ? row.with(2, null) : row));
}

/** The tree with `width` leaves below every leaf: the first keeps the value, the others get 0. */
export function withLevel(tree, width = 2) {
  const taken = new Set(tree.nodes.map(({ name }) => name));
  const leaves = (node) => Array.from({ length: width }, (_, place) => newLeaf(tree, node, place, place ? 0 : node.value, taken));
  const below = (at) => (tree.nodes[at].children.length ? tree.nodes[at].children : leaves(tree.nodes[at]));
  return rebuild(tree, below, (row, at) => (at >= 0 && !tree.nodes[at].children.length ? row.with(2, null) : row));
}

/** The tree without the node and all below it; a parent left without children becomes a leaf of value 0. */
export function without(tree, index) {
  const { parent } = tree.nodes[index];
  const below = (at) => tree.nodes[at].children.filter((child) => child !== index);
  return rebuild(tree, below, (row, at) => (at === parent && !below(at).length ? row.with(2, tree.nodes[index].value ?? 0) : row));
}

/** The tree with the node moved to another place among its siblings. */
export function moved(tree, index, place) {
  const { parent } = tree.nodes[index];
  const siblings = tree.nodes[parent].children.filter((child) => child !== index);
  siblings.splice(place, 0, index);
  return rebuild(tree, (at) => (at === parent ? siblings : tree.nodes[at].children));
}

/** The tree with MAX and MIN exchanged. */
export function swapped(tree) {
  return rebuild(tree, childrenOf(tree), (row) => row.with(1, !row[1]));
}

function newLeaf(tree, parent, place, value, taken = new Set(tree.nodes.map(({ name }) => name))) {
  const name = leafName(parent.name, place, taken);
  taken.add(name);
  return [name, !parent.isMax, value, -1];
}

/** A random tree; without ties no two leaves are alike. The same options give the same tree. */
export function random({ depth, breadth, low, high, ties, seed }) {
  const next = generator(seed);
  const whole = (from, to) => from + Math.floor(next() * (to - from + 1));
  const leaves = breadth ** depth;
  const values = Array.from({ length: Math.max(leaves, high - low + 1) }, (_, place) => low + place);
  for (let last = values.length - 1; last > 0; last--) {
    const other = whole(0, last);
    [values[last], values[other]] = [values[other], values[last]];
  }
  const nested = (deep) => {
    if (deep === depth) return ties ? whole(low, high) : values.pop();
    return Array.from({ length: breadth }, () => nested(deep + 1));
  };
  return fromNested(nested(0));
}

/** The tree of nested arrays, named as Python names it: A, B, C … level by level, and leaves b1, b2 … */
export function fromNested(nested, isMax = true) {
  const rows = [];
  const waiting = [[nested, -1, isMax]];
  while (waiting.length) {
    const [item, parent, max] = waiting.pop();
    const isLeaf = !Array.isArray(item);
    if (!isLeaf) waiting.push(...item.map((child) => [child, rows.length, !max]).reverse());
    rows.push(["", max, isLeaf ? item : null, parent]);
  }
  return named(new Tree(rows));
}

/** The tree with a name for each node that has none: inner nodes A, B, C … level by level, leaves b1, b2 …, and
 * PARENT:PLACE where that is taken or the parent's name does not end in a letter. */
export function named(tree) {
  const taken = new Set(tree.nodes.map(({ name }) => name));
  let next = 0;
  const name = (node, place) => {
    if (!node.children.length && node.parent >= 0) return leafName(tree.nodes[node.parent].name, place, taken);
    while (taken.has(letter(next))) next += 1;
    return letter(next);
  };
  let row = [[tree.root, 0]];
  while (row.length) {
    for (const [node, place] of row) {
      node.name ||= name(node, place);
      taken.add(node.name);
    }
    row = row.flatMap(([{ children }]) => children.map((child, place) => [tree.nodes[child], place]));
  }
  return new Tree(tree.nodes.map(rowOf));
}

function leafName(parent, place, taken) {
  let name = `${parent.toLowerCase()}${place + 1}`;
  if (taken.has(name) || !/\p{L}$/u.test(parent)) name = `${parent}:${place + 1}`;
  while (taken.has(name)) name += "'";
  return name;
}

/** A, B … Z, AA, AB … */
function letter(place) {
  const last = String.fromCharCode(65 + (place % 26));
  return place < 26 ? last : letter(Math.floor(place / 26) - 1) + last;
}

/** Numbers in [0, 1), the same for the same seed (mulberry32). */
function generator(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * The least number of leaves that alpha-beta reads when every node's children stand in the best order and equality cuts:
 * on a uniform tree with distinct leaves b^⌈d/2⌉ + b^⌊d/2⌋ − 1 (Knuth and Moore). Null where a leaf is not known.
 */
export function leastLeaves(tree) {
  const values = [];
  for (const { index, isMax, children, value } of tree.nodes.toReversed()) {
    values[index] = children.length ? children.map((child) => values[child]).reduce(isMax ? larger : smaller) : value;
    if (values[index] === null) return null;
  }
  const root = values[0];
  const atLeast = []; // leaves that prove that the node's value is at least the root's
  const atMost = [];
  const exact = []; // leaves that prove that it is the root's
  const sum = (counts, children) => children.reduce((total, child) => total + counts[child], 0);
  const least = (counts, children) => Math.min(...children.map((child) => counts[child]));
  for (const { index, isMax, children } of tree.nodes.toReversed()) {
    if (!children.length) {
      atLeast[index] = values[index] >= root ? 1 : Infinity;
      atMost[index] = values[index] <= root ? 1 : Infinity;
      exact[index] = values[index] == root ? 1 : Infinity;
      continue;
    }
    atLeast[index] = (isMax ? least : sum)(atLeast, children);
    atMost[index] = (isMax ? sum : least)(atMost, children);
    const others = isMax ? atMost : atLeast; // one child gives the value, the others must not be better
    exact[index] = Math.min(...children.map((best) => exact[best] + sum(others, children.filter((child) => child !== best))));
  }
  return exact[0];
}
