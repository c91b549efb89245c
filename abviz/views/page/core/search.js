// Minimax and alpha-beta, as abviz/tracing/algorithms.py writes them, in one: minimax is the search without bounds.
// An event is [kind, node, alpha, beta, bv, value] with the node's index; null: the search has no such number.

import { larger, smaller } from "./numbers.js";

/** @import { Known, Value } from "./numbers.js" */
/** @import { Tree, TreeNode } from "./trace.js" */

/**
 * The switches of a search, as `Rules` in Python.
 *
 * @typedef {object} Rules
 * @property {boolean} strict
 * @property {boolean} test_first
 * @property {boolean} fail_hard
 * @property {boolean} right_to_left
 * @property {boolean} name_by_node
 *
 * How a tree is searched.
 *
 * @typedef {object} SearchOptions
 * @property {string} search "alphabeta" or "minimax"; "recorded" for the run of a function
 * @property {Rules} rules
 * @property {number | null} [depth] null: down to the leaves
 * @property {Value} [alpha]
 * @property {Value} [beta]
 * @property {boolean} [early_stop]
 *
 * @typedef {"enter" | "leaf" | "bv" | "alpha" | "beta" | "cut" | "exit"} EventKind
 *
 * @typedef {[kind: EventKind, node: number, alpha: Known, beta: Known, bv: Known, value: Known]} Event
 */

/** Raised where the search needs the value of a leaf that has none. */
export class Unknown extends Error {}

/**
 * The cutoff test: bv has reached the other player's bound (β at a MAX node, α at a MIN node).
 * @param {Pick<Rules, "strict">} rules
 * @param {Value} bv
 * @param {Value} bound
 * @param {boolean} isMax
 */
export function reaches(rules, bv, bound, isMax) {
  // A tie cuts too: MIN has a move elsewhere that is just as good, so nothing found here can change the root's value.
  if (rules.strict) return isMax ? bv > bound : bv < bound;
  return isMax ? bv >= bound : bv <= bound;
}

/**
 * The children in the order in which the search visits them.
 * @param {Rules} rules
 * @param {number[]} children
 */
export function ordered(rules, children) {
  return rules.right_to_left ? children.toReversed() : children;
}

/**
 * All events of the search of the tree's root, down to the leaves or to `depth` moves. The options are also the window
 * (α, β) of alpha-beta, or minimax's early_stop, by which nothing is read beyond a win.
 * @param {Tree} tree
 * @param {SearchOptions} options
 */
export function eventsOf(
  tree,
  { search, rules, depth, alpha = -Infinity, beta = Infinity, early_stop: earlyStop },
) {
  const hasBounds = search !== "minimax";
  /** @type {Event[]} */
  const events = [];
  /** @type {(kind: EventKind, index: number, alpha: Value, beta: Value, bv: Known, value: Known) => void} */
  const add = (kind, index, alpha, beta, bv, value) => {
    if (hasBounds) events.push([kind, index, alpha, beta, bv, value]);
    else events.push([kind, index, null, null, bv, value]);
  };

  /** @type {(index: number, alpha: Value, beta: Value, depth: number) => Value} */
  const visit = (index, alpha, beta, depth) => {
    const node = tree.nodes[index];
    const children = depth > 0 ? ordered(rules, node.children) : [];
    const { isMax } = node;
    if (!children.length) {
      const value = staticValue(node);
      add("leaf", index, alpha, beta, null, value);
      return value;
    }
    const [low, high] = [alpha, beta];
    /** @type {Value} */
    let bv = isMax ? -Infinity : Infinity;
    add("enter", index, alpha, beta, bv, null);
    for (const [place, child] of children.entries()) {
      // The child gets copies of α and β: a bound holds on the path from the root, not for the child's sibling.
      const value = visit(child, alpha, beta, depth - 1);
      bv = isMax ? larger(bv, value) : smaller(bv, value);
      add("bv", index, alpha, beta, bv, value);
      const isWon = earlyStop && bv === (isMax ? Infinity : -Infinity);
      const cut = hasBounds ? reaches(rules, bv, isMax ? beta : alpha, isMax) : isWon;
      if (hasBounds && !(cut && rules.test_first)) {
        if (isMax && bv > alpha) {
          alpha = bv;
          add("alpha", index, alpha, beta, bv, null);
        } else if (!isMax && bv < beta) {
          beta = bv;
          add("beta", index, alpha, beta, bv, null);
        }
      }
      if (cut) {
        for (const skipped of children.slice(place + 1)) add("cut", skipped, alpha, beta, bv, null);
        // and not continue: the bound holds for all the remaining children
        break;
      }
    }
    const value = rules.fail_hard && hasBounds ? smaller(larger(bv, low), high) : bv;
    add("exit", index, alpha, beta, bv, value);
    return value;
  };
  visit(0, alpha, beta, depth ?? Infinity);
  return events;
}

/** @param {TreeNode} node */
function staticValue({ name, value, children }) {
  if (value !== null) return value;
  const inner = `the search ends at ${name}, which has no static value`;
  const what = children.length ? inner : `the value of leaf ${name} is not known`;
  throw new Unknown(`${what}, and the search needs it; expected a number there`);
}
