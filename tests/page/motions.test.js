// Which motions a step calls for, from where to where, and how long they take.

import assert from "node:assert/strict";
import { test } from "node:test";

import { fromNested } from "../../abviz/views/page/core/edit.js";
import { layout } from "../../abviz/views/page/core/layout.js";
import { durationFor, motionsOf } from "../../abviz/views/page/core/motions.js";
import { trace } from "../../abviz/views/page/core/trace.js";
import { RULES } from "./rules.js";

// A: B (b1 = 3, b2 = 5), C (c1 = 2, c2 = 9); c2 is cut off.
const TREE = fromNested([
  [3, 5],
  [2, 9],
]);
const BOUNDS = ["α", "β", "bv"];
const [INNER, LEAF] = [
  [100, 80],
  [40, 44],
];

/** What a picture of the tree shows: nodes in `closed` have their children folded away. */
function shownOf({ tree = TREE, search = "alphabeta", letters = BOUNDS, closed = [] } = {}) {
  const sizes = tree.nodes.map(({ children }) => (children.length ? INNER : LEAF));
  const { places } = layout(tree, sizes, (index) => !closed.includes(tree.nodes[index].name));
  const plan = { places, sizes, board: 0 };
  return { trace: trace(tree, { search, rules: RULES, depth: null }), plan, letters };
}

const nameOf = ({ trace: { nodes } }, index) => nodes[index].name;

/** The motions of a step in short, by the names of the nodes: "(−∞, ∞) down", "change bv of A". */
function inShort(shown, from, to) {
  return motionsOf(shown, from, to).map((motion) => {
    if (motion.kind === "travel") {
      return `${motion.text || "dot"} ${motion.to[1] > motion.from[1] ? "down" : "up"}`;
    }
    if (motion.kind === "change") return `change ${motion.fact} of ${nameOf(shown, motion.node)}`;
    return `fade ${motion.nodes.map((node) => nameOf(shown, node)).join(" ")}`;
  });
}

test("each step of a search moves what happens in it", () => {
  const shown = shownOf();
  const steps = Array.from({ length: shown.trace.length }, (_, step) =>
    inShort(shown, step, step + 1).join(", "),
  );
  assert.deepEqual(steps, [
    "change α of A, change β of A, change bv of A",
    "(−∞, ∞) down",
    "(−∞, ∞) down, change value of b1",
    "3 up, change bv of B",
    "change β of B",
    "(−∞, 3) down, change value of b2",
    "5 up", // and bv of B stays 3
    "change proven of B",
    "3 up, change bv of A",
    "change α of A",
    "(3, ∞) down",
    "(3, ∞) down, change value of c1",
    "2 up, change bv of C",
    "change β of C",
    "fade c2",
    "change proven of C",
    "2 up",
    "change proven of A",
  ]);
});

test("where steps are passed over, what happened in them moves as well", () => {
  const shown = shownOf();
  const all = [4, 5, 6].flatMap((step) => inShort(shown, step - 1, step));
  assert.deepEqual(inShort(shown, 3, 6), all);
});

test("without bounds a dot slides down in place of the window", () => {
  for (const shown of [shownOf({ letters: [] }), shownOf({ search: "minimax", letters: ["bv"] })]) {
    assert.deepEqual(inShort(shown, 1, 2), ["dot down"]);
    assert.deepEqual(inShort(shown, 3, 4), ["3 up", "change bv of B"]);
  }
});

test("a window goes from the bottom of its node to the top of the child", () => {
  const shown = shownOf();
  const [{ from, to }] = motionsOf(shown, 1, 2);
  const [above, below] = shown.plan.places; // of A and of B
  assert.deepEqual([from[0], to[0]], [above[0], below[0]]);
  const [bottom, top] = [above[1] + INNER[1] / 2, below[1] - INNER[1] / 2];
  assert.ok(bottom < from[1] && from[1] < to[1] && to[1] < top);
});

test("a value goes from the leaf, or from the bv of the child, to the bv of its node", () => {
  const shown = shownOf();
  const isIn = ([x, y], node) => {
    const [[middle, centre], [width, height]] = [shown.plan.places[node], shown.plan.sizes[node]];
    return Math.abs(x - middle) < width / 2 && Math.abs(y - centre) < height / 2;
  };
  const [first] = motionsOf(shown, 3, 4); // b1 to B
  const [second] = motionsOf(shown, 8, 9); // B to A
  assert.ok(isIn(first.from, 2) && isIn(first.to, 1) && isIn(second.to, 0));
  assert.deepEqual(first.to, second.from);
});

test("what is folded away does not move", () => {
  const shown = shownOf({ closed: ["B", "C"] });
  assert.deepEqual(inShort(shown, 2, 3), ["change value of b1"]); // of which nothing is drawn
  assert.deepEqual(inShort(shown, 3, 4), ["change bv of B"]);
  assert.deepEqual(inShort(shown, 14, 15), ["fade "]);
});

test("in a tree of more than 60 nodes something fades, and nothing else moves", () => {
  const wide = fromNested([1, ...Array.from({ length: 30 }, () => [1, 2])]);
  const large = shownOf({ tree: wide });
  for (let step = 0; step < large.trace.length; step++) {
    const motions = motionsOf(large, step, step + 1);
    assert.deepEqual(
      motions.map(({ kind }) => kind),
      ["fade"],
    );
  }
  const most = shownOf({ tree: fromNested([1, ...Array.from({ length: 58 }, () => 2)]) });
  assert.equal(most.trace.nodes.length, 60);
  assert.ok(motionsOf(most, 1, 2).some(({ kind }) => kind === "travel"));
});

test("of a large part that is cut off no more than 60 nodes fade", () => {
  const part = Array.from({ length: 100 }, () => 1);
  const shown = shownOf({ tree: fromNested([[5], [4, part]]) });
  const [cut] = shown.trace.cuts;
  assert.ok(shown.trace.tree.below(cut.skipped[0]).length > 60);
  const [{ nodes }] = motionsOf(shown, cut.step - 1, cut.step);
  assert.equal(nodes.length, 60);
});

test("a motion takes 150 to 300 ms, and at most half of the time to the next step", () => {
  const intervals = [0.5, 1, 2, 4].map((speed) => 1200 / speed);
  assert.deepEqual(intervals.map(durationFor), [300, 300, 300, 150]);
  assert.equal(durationFor(Infinity), 300);
});
