// What the modules of the page hand to each other.

/** A value of a node: a whole number from 10^15 on is a BigInt, so that it stays exact. */
export type Value = number | bigint;

/** A value, or null where the search has none or none is known. */
export type Known = Value | null;

/** The switches of a search, as `Rules` in Python. */
export interface Rules {
  strict: boolean;
  test_first: boolean;
  fail_hard: boolean;
  right_to_left: boolean;
  name_by_node: boolean;
}

/** A node of a tree; its parent and its children are indices, and the parent of the root is -1. */
export interface Node {
  index: number;
  name: string;
  isMax: boolean;
  value: Known;
  parent: number;
  children: number[];
}

export interface Tree {
  nodes: Node[];
}

/** What is searched for, and how. */
export interface SearchOptions {
  search: string;
  rules: Rules;
  depth?: number | null;
  alpha?: Value;
  beta?: Value;
  early_stop?: boolean;
}

export type EventKind = "enter" | "leaf" | "bv" | "alpha" | "beta" | "cut" | "exit";

/** What a search does: the kind, the index of the node, α, β, bv and the value. */
export type Event = [
  kind: EventKind,
  node: number,
  alpha: Known,
  beta: Known,
  bv: Known,
  value: Known,
];

/** Points: across, and down. */
export type Point = [x: number, y: number];

/** Where the nodes are: those of a folded part have no place. */
export interface Layout {
  places: (Point | null)[];
  size: [width: number, height: number];
}
