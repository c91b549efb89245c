// Edits of the tree that is shown: what is selected, typed and dragged, without a page.

import assert from "node:assert/strict";
import { test } from "node:test";

import { fromNested, moved, withValue } from "../../abviz/views/page/core/edit.js";
import {
  dragOf,
  hasShape,
  labelOf,
  orderOf,
  problemOfShape,
  selectedIn,
  textOf,
} from "../../abviz/views/page/core/editing.js";
import { Trace, Tree, trace } from "../../abviz/views/page/core/trace.js";
import { NOTHING, reduce } from "../../abviz/views/page/state.js";
import { RULES } from "./rules.js";

const PLAIN = { search: "alphabeta", rules: RULES, depth: null };
const NESTED = [[3, 5], [2, 9], 4]; // A; B, C and b… below it

function opened(tree = fromNested(NESTED), spec = {}) {
  const original = trace(tree, PLAIN);
  return reduce(NOTHING, { type: "open", spec, original, edited: null, step: 0 });
}

/** A page that shows a recorded run. */
function recorded() {
  const own = trace(fromNested(NESTED), PLAIN);
  const options = { ...PLAIN, search: "recorded", alpha: -Infinity, beta: Infinity, returned: 4 };
  const original = new Trace(own.tree, own.events, options);
  return reduce(NOTHING, { type: "open", spec: {}, original, edited: null, step: 0 });
}

const after = (state, ...actions) => actions.reduce(reduce, state);
const indexOf = (state, name) => state.trace.tree.nodes.findIndex((node) => node.name === name);
const nodeOf = (state, name) => state.trace.tree.nodes[indexOf(state, name)];
const namesBelow = (state, name) =>
  nodeOf(state, name).children.map((child) => state.trace.tree.nodes[child].name);
const over = (state, name, kind = "value") => ({
  type: "openField",
  kind,
  index: indexOf(state, name),
});
const entered = (state, name, text, kind) =>
  after(state, over(state, name, kind), { type: "enter", text });

// ------------------------------------------------------------------ a field over a node

const TAKEN = [
  ["7", 7],
  [" 7 ", 7],
  ["-3", -3],
  ["−3", -3],
  ["0.5", 0.5],
  ["inf", Infinity],
  ["−∞", -Infinity],
  ["9007199254740991", 2 ** 53 - 1],
];

for (const [text, value] of TAKEN) {
  test(`an entry is one action and one undo: ${text}`, () => {
    const state = opened();
    const changed = entered(state, "b1", text);
    assert.equal(Number(nodeOf(changed, "b1").value), value);
    assert.equal(changed.field, null);
    assert.equal(changed.problem, "");
    assert.equal(changed.past.length, 1);
    const undone = reduce(changed, { type: "undo" });
    assert.equal(undone.trace.tree, state.trace.tree);
    assert.equal(undone.past.length, 0);
  });
}

test("an unknown value is an entry, too, where no search needs it", () => {
  assert.equal(nodeOf(entered(opened(), "c2", "?"), "c2").value, null);
});

const REFUSED = [
  ["b1", "value", "x", "“x” is not a value; expected a number, inf, -inf or ?"],
  ["b1", "value", "", "“” is not a value; expected a number, inf, -inf or ?"],
  ["b1", "value", "1e16", "“1e16” is too large; expected a number below 2^53"],
  ["b1", "value", "9007199254740992", "is too large"],
  ["B", "name", "C", "“C” cannot be the name; expected one that no other node has"],
  ["B", "name", " ", "“” cannot be the name; expected one that no other node has"],
];

for (const [name, kind, text, problem] of REFUSED) {
  test(`what is refused stays in its field until that is left: ${name} ${text}`, () => {
    const state = opened();
    const open = after(state, over(state, name, kind));
    for (const type of ["enter", "leave"]) {
      const refused = reduce(open, { type, text });
      assert.ok(refused.problem.includes(problem), refused.problem);
      assert.equal(refused.field, type === "enter" ? open.field : null);
      assert.equal(refused.trace, state.trace);
      assert.equal(refused.past.length, 0);
    }
  });
}

test("what the search refuses is said, and stays in the field", () => {
  const state = opened();
  const open = after(state, over(state, "b1"));
  const refused = reduce(open, { type: "enter", text: "?" }); // the search needs it
  assert.notEqual(refused.problem, "");
  assert.equal(refused.field, open.field);
  assert.equal(refused.trace, state.trace);
});

test("an entry that says what holds changes nothing", () => {
  const state = opened();
  for (const text of ["3", "3.0", " 3 ", undefined]) {
    const same = after(state, over(state, "b1"), { type: "leave", text });
    assert.equal(same.trace, state.trace, text);
    assert.equal(same.past.length, 0);
    assert.equal(same.field, null);
  }
});

test("an entry for a tree that Python has replaced is not used", () => {
  const other = trace(fromNested([[1, 2], 3]), PLAIN);
  const open = { type: "open", spec: {}, original: other, edited: null, step: 0 };
  for (const type of ["enter", "leave"]) {
    for (const text of ["8", "x"]) {
      const state = opened();
      const typing = after(state, over(state, "b1"), open);
      assert.ok(typing.field, "the draft stays in its field");
      const late = reduce(typing, { type, text });
      assert.equal(late.problem, "The tree has changed; your entry was not used.");
      assert.equal(late.field, null);
      assert.equal(late.trace, other);
    }
    const state = opened();
    const untouched = after(state, over(state, "b1"), open, { type, text: "3" });
    assert.equal(untouched.problem, "", "nothing was typed");
  }
});

test("a change of rules while a field is open leaves the entry alone", () => {
  const state = opened();
  const options = { ...PLAIN, rules: { ...RULES, strict: true } };
  const changed = after(
    state,
    over(state, "b1"),
    { type: "search", tree: state.trace.tree, options },
    { type: "enter", text: "8" },
  );
  assert.equal(nodeOf(changed, "b1").value, 8);
});

test("a renamed node stays selected", () => {
  const state = entered(opened(), "B", "best", "name");
  assert.equal(state.selected, "best");
  assert.equal(selectedIn(state), indexOf(state, "best"));
});

test("a field says of which node it is, and begins with what holds", () => {
  const state = opened(
    fromNested([
      [-0.5, 5],
      [-1, null],
    ]),
  );
  const field = (name, kind) => after(state, over(state, name, kind)).field;
  assert.deepEqual(
    [labelOf(field("B", "name")), textOf(field("B", "name"))],
    ["New name of B", "B"],
  );
  assert.deepEqual([labelOf(field("b1")), textOf(field("b1"))], ["New value of b1", "−0.5"]);
  assert.equal(textOf(field("c2")), "?");
});

// ------------------------------------------------------------------ a drag

test("a drag is one undo, however many values it passes", () => {
  const state = opened();
  const index = indexOf(state, "c2");
  const values = [8, 7, 6, 9, 12];
  let dragged = state;
  for (const value of values) {
    dragged = reduce(dragged, { type: "drag", index, value });
    assert.equal(nodeOf(dragged, "c2").value, value);
    assert.equal(dragged.past.length, 1);
    assert.equal(dragged.dragged, index);
  }
  dragged = reduce(dragged, { type: "drop" });
  assert.equal(dragged.dragged, -1);
  assert.equal(reduce(dragged, { type: "undo" }).trace.tree, state.trace.tree);
  const again = reduce(dragged, { type: "drag", index, value: 1 });
  assert.equal(again.past.length, 2, "another drag is another change");
});

test("what begins while the search refuses it can still be undone", () => {
  const state = opened(
    fromNested([
      [3, 5],
      [2, null],
    ]),
  ); // 2 cuts the other leaf off
  const index = indexOf(state, "c1");
  const passing = [6, 5, 2, 1].map((value) => ({ type: "drag", index, value }));
  const dragged = after(state, ...passing);
  assert.equal(nodeOf(dragged, "c1").value, 1);
  assert.equal(dragged.past.length, 1);
  assert.equal(reduce(dragged, { type: "undo" }).trace.tree, state.trace.tree);
});

test("a drag goes on as a change of its own after an undo or another tree", () => {
  const state = opened();
  const index = indexOf(state, "c2");
  const drag = (value) => ({ type: "drag", index, value });
  const undone = after(state, drag(8), drag(7), { type: "undo" }, drag(6));
  assert.equal(undone.past.length, 1);
  assert.equal(undone.future.length, 0);
  assert.equal(reduce(undone, { type: "undo" }).trace.tree, state.trace.tree);

  const other = trace(fromNested([[1, 2], [3, 4], 5]), PLAIN);
  const replaced = after(
    state,
    drag(8),
    { type: "open", spec: {}, original: other, edited: null, step: 0 },
    drag(7),
  );
  assert.equal(replaced.past.length, 1);
  assert.equal(reduce(replaced, { type: "undo" }).trace.tree, other.tree);
});

test("a drag takes no value that is too large, and none for an inner node", () => {
  const state = opened();
  const drag = (name, value) => ({ type: "drag", index: indexOf(state, name), value });
  assert.equal(reduce(state, drag("b1", 2 ** 53)), state);
  assert.equal(reduce(state, drag("B", 1)), state);
});

// ------------------------------------------------------------------ the shape

test("a child is added, and asked for its value", () => {
  const first = opened();
  const folded = after(first, { type: "fold", index: indexOf(first, "B") });
  const state = after(folded, { type: "select", index: indexOf(first, "B") }, { type: "addChild" });
  assert.deepEqual(namesBelow(state, "B"), ["b1", "b2", "b3"]);
  assert.deepEqual(state.field, {
    kind: "value",
    index: indexOf(state, "b3"),
    tree: state.trace.tree,
  });
  assert.equal(state.closed.size, 0, "it is in sight");
  assert.equal(state.past.length, 1);
  const valued = reduce(state, { type: "enter", text: "8" });
  assert.equal(nodeOf(valued, "b3").value, 8);
});

test("a node is moved, stays selected, and comes back", () => {
  const state = opened();
  for (let place = 0; place < 3; place++) {
    for (const name of ["B", "C", "a3"]) {
      const order = namesBelow(state, "A").filter((each) => each !== name);
      const index = indexOf(state, name);
      const shown = reduce(state, { type: "reorder", index, place });
      assert.deepEqual(namesBelow(shown, "A"), order.toSpliced(place, 0, name));
      assert.equal(shown.selected, name);
      assert.deepEqual(
        shown.trace.events,
        trace(moved(state.trace.tree, index, place), PLAIN).events,
      );
      assert.equal(reduce(shown, { type: "undo" }).trace.tree, state.trace.tree);
    }
  }
  assert.equal(reduce(state, { type: "reorder", index: 0, place: 1 }), state, "the root");
});

test("a selected node stays selected in another tree, or else the root is", () => {
  const state = after(opened(), { type: "select", index: 1 });
  const name = state.trace.tree.nodes[1].name;
  const reordered = after(state, { type: "reorder", index: 1, place: 2 });
  assert.equal(selectedIn(reordered), indexOf(reordered, name));
  assert.equal(selectedIn(after(state, { type: "renew", tree: fromNested([1, 2]) })), 0);
});

// ------------------------------------------------------------------ what can be changed

const LEAF = ["a3", "b1", "b2", "c1", "c2"];
const INNER = ["A", "B", "C"];

/** What a drag of each node would change. */
const drags = (state) =>
  Object.fromEntries(state.trace.tree.nodes.map(({ name, index }) => [name, dragOf(state, index)]));
const each = (names, what) => Object.fromEntries(names.map((name) => [name, what]));

test("a drag changes the value of a leaf, or the order while the tree is edited", () => {
  const state = opened();
  assert.deepEqual(drags(state), { ...each(LEAF, "value"), ...each(INNER, "") });
  const editing = after(state, { type: "turn", mode: "edit" });
  assert.deepEqual(drags(editing), { ...each([...LEAF, "B", "C"], "order"), A: "" });
  const practicing = after(state, { type: "turn", mode: "practice" });
  assert.deepEqual(drags(practicing), each([...LEAF, ...INNER], ""));
  const infinite = opened(fromNested([Infinity, 0.5]));
  assert.deepEqual(drags(infinite), { A: "", a1: "", a2: "" });
});

test("a recorded run stays, and of a game's tree only the leaves change", () => {
  const run = recorded();
  const game = opened(fromNested(NESTED), { boards: {} });
  for (const state of [run, game]) {
    assert.equal(hasShape(state), false);
    assert.deepEqual(drags(state), each([...LEAF, ...INNER], ""));
    assert.equal(reduce(state, { type: "addChild" }), state);
    assert.equal(reduce(state, { type: "reorder", index: 1, place: 1 }), state);
    assert.equal(reduce(state, over(state, "B", "name")), state);
  }
  assert.equal(reduce(run, over(run, "b1")), run);
  assert.equal(reduce(run, { type: "drag", index: indexOf(run, "b1"), value: 1 }), run);
  assert.equal(nodeOf(entered(game, "b1", "8"), "b1").value, 8);
});

test("a part that is folded away in a game has no value to change", () => {
  const rows = [
    ["A", true, null, -1],
    ["b1", false, 3, 0],
    ["b2", false, 1, 0, { folded: { nodes: 5, leaves: 3 } }],
  ];
  const state = opened(new Tree(rows));
  assert.equal(reduce(state, over(state, "b2")), state);
  assert.equal(dragOf(state, 2), "");
});

// ------------------------------------------------------------------ the whole tree

test("a random tree has an order of its values, and few enough leaves", () => {
  const shape = { depth: 3, breadth: 2, low: 0, high: 20 };
  assert.equal(problemOfShape(shape), "");
  assert.equal(problemOfShape({ ...shape, low: 20 }), "");
  assert.match(problemOfShape({ ...shape, low: 21 }), /expected low ≤ high/);
  assert.match(problemOfShape({ ...shape, depth: 6, breadth: 5 }), /15625 leaves; expected fewer/);
});

test("the order is judged for the usual search of known values alone", () => {
  const tree = fromNested([
    [3, 5],
    [2, 9],
  ]);
  const judged = (options, shown = tree) => orderOf(trace(shown, { ...PLAIN, ...options }));
  assert.equal(judged({}), "3 leaves read; 3 in the best order.");
  assert.equal(judged({ search: "minimax" }), "");
  assert.equal(judged({ rules: { ...RULES, strict: true } }), "");
  assert.equal(judged({}, withValue(tree, tree.nodes.length - 1, null)), "");
  const worst = fromNested([
    [2, 9],
    [5, 3],
  ]);
  assert.equal(judged({}, worst), "4 leaves read; 3 in the best order.");
});
