// Minimax and alpha-beta, as abviz/tracing/algorithms.py writes them: generators that yield flat events.
// An event is [kind, node, alpha, beta, bv, value] with the node's index; null: the search has no such number.

import { larger, smaller } from "./numbers.js";

export class Unknown extends Error {} // the search needs the value of a leaf that has none

/** The cutoff test: bv has reached the other player's bound (β at a MAX node, α at a MIN node). */
export function reaches(rules, bv, bound, isMax) {
  // A tie cuts too: MIN has a move elsewhere that is just as good, so nothing found here can change the root's value.
  if (rules.strict) return isMax ? bv > bound : bv < bound;
  return isMax ? bv >= bound : bv <= bound;
}

export function ordered(rules, children) {
  return rules.right_to_left ? children.toReversed() : children;
}

/** Search the tree's root with the window (α, β) down to the leaves, or to `depth` moves. */
export function alphabeta(tree, { rules, depth = Infinity, alpha = -Infinity, beta = Infinity }) {
  function* search(index, alpha, beta, depth) {
    const node = tree.nodes[index];
    const children = depth > 0 ? ordered(rules, node.children) : [];
    const { isMax } = node;
    if (!children.length) {
      const value = staticValue(node);
      yield ["leaf", index, alpha, beta, null, value];
      return value;
    }
    const [low, high] = [alpha, beta];
    let bv = isMax ? -Infinity : Infinity;
    yield ["enter", index, alpha, beta, bv, null];
    for (const [place, child] of children.entries()) {
      // The child gets copies of α and β: a bound holds on the path from the root, not for the child's sibling.
      const value = yield search(child, alpha, beta, depth - 1);
      bv = isMax ? larger(bv, value) : smaller(bv, value);
      yield ["bv", index, alpha, beta, bv, value];
      const cut = reaches(rules, bv, isMax ? beta : alpha, isMax);
      if (!(cut && rules.test_first)) {
        if (isMax && bv > alpha) {
          alpha = bv;
          yield ["alpha", index, alpha, beta, bv, null];
        } else if (!isMax && bv < beta) {
          beta = bv;
          yield ["beta", index, alpha, beta, bv, null];
        }
      }
      if (cut) {
        for (const skipped of children.slice(place + 1)) yield ["cut", skipped, alpha, beta, bv, null];
        break; // not `continue`: the bound holds for all the remaining children
      }
    }
    const value = rules.fail_hard ? smaller(larger(bv, low), high) : bv;
    yield ["exit", index, alpha, beta, bv, value];
    return value;
  }
  return run(search(0, alpha, beta, depth));
}

/** Search the tree's root without bounds; with `early_stop` nothing is read beyond a win. */
export function minimax(tree, { rules, depth = Infinity, early_stop: earlyStop = false }) {
  function* search(index, depth) {
    const node = tree.nodes[index];
    const children = depth > 0 ? ordered(rules, node.children) : [];
    const { isMax } = node;
    if (!children.length) {
      const value = staticValue(node);
      yield ["leaf", index, null, null, null, value];
      return value;
    }
    let bv = isMax ? -Infinity : Infinity;
    yield ["enter", index, null, null, bv, null];
    for (const [place, child] of children.entries()) {
      const value = yield search(child, depth - 1);
      bv = isMax ? larger(bv, value) : smaller(bv, value);
      yield ["bv", index, null, null, bv, value];
      if (earlyStop && bv === (isMax ? Infinity : -Infinity)) {
        for (const skipped of children.slice(place + 1)) yield ["cut", skipped, null, null, bv, null];
        break;
      }
    }
    yield ["exit", index, null, null, bv, bv];
    return bv;
  }
  return run(search(0, depth));
}

/** All events of a search that calls itself by `yield search(...)`: the calls wait on a stack, however deep the tree. */
function run(call) {
  const events = [];
  const stack = [call];
  let value = null;
  while (stack.length) {
    const { value: item, done } = stack.at(-1).next(value);
    value = done ? item : null;
    if (done) stack.pop();
    else if (Array.isArray(item)) events.push(item);
    else stack.push(item);
  }
  return events;
}

function staticValue(node) {
  if (node.value !== null) return node.value;
  const what = node.children.length ? `the search ends at ${node.name}, which has no static value` : `the value of leaf ${node.name} is not known`;
  throw new Unknown(`${what}, and the search needs it; expected a number there`);
}
