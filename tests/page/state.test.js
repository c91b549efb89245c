// What each action makes of the state of a page, without a page.

import assert from "node:assert/strict";
import { test } from "node:test";

import {
  fromNested,
  moved,
  withChild,
  withValue,
  without,
} from "../../abviz/views/page/core/edit.js";
import { minimaxBeside } from "../../abviz/views/page/core/beside.js";
import { Trace, Tree, isSameTree, stepIn, trace } from "../../abviz/views/page/core/trace.js";
import { isPredicting } from "../../abviz/views/page/quiz.js";
import { NOTHING, reduce } from "../../abviz/views/page/state.js";
import { RULES } from "./rules.js";

const PLAIN = { search: "alphabeta", rules: RULES, depth: null };
const NESTED = [
  [3, 5],
  [[[0, 7], 5], [7, 8], 4],
];

const ENTRIES = ["7", "", "−3", "inf", "?", "A", "new", "1e16"];

/** The state in which a page opens, with nothing in it that could be changed in place. */
function opened(tree = fromNested(NESTED), more = {}) {
  const original = trace(tree, PLAIN);
  return frozen(reduce({ ...NOTHING, ...more }, { type: "open", original, edited: null, step: 0 }));
}

function frozen(state) {
  for (const list of [state.past, state.future, state.asked, state]) Object.freeze(list);
  return state;
}

/** The states after these actions, the first one included. */
function walk(first, actions) {
  const states = [first];
  for (const action of actions) states.push(frozen(reduce(states.at(-1), action)));
  return states;
}

const after = (first, ...actions) => walk(first, actions).at(-1);
const shown = ({ trace: { tree, options }, step }) => ({
  rows: tree.nodes.map(({ name, isMax, value, parent }) => [name, isMax, value, parent]),
  options,
  step,
});

/** Numbers in [0, 1), the same for the same seed. */
function dice(seed) {
  let state = seed;
  return () => {
    state = (state * 48271) % 2147483647;
    return state / 2147483647;
  };
}

/** An action that a reader might do in this state. */
function someAction(state, random) {
  const choose = (items) => items[Math.floor(random() * items.length)];
  const { trace: now } = state;
  const { tree } = now;
  const { index, parent } = choose(tree.nodes);
  const changes = [
    withChild(tree, index),
    withValue(tree, tree.nodes.at(-1).index, choose([0, 4, 9])),
  ];
  if (parent >= 0) changes.push(without(tree, index), moved(tree, index, 0));
  const rules = { ...RULES, [choose(Object.keys(RULES))]: true };
  const options = choose([PLAIN, { ...PLAIN, rules }, { ...PLAIN, search: "minimax" }]);
  return choose([
    {
      type: "go",
      step: choose([-3, 0, 5, now.length, now.length + 9, state.step + 1, state.step - 1]),
    },
    { type: "follow", step: choose([0, 2, now.length, now.length + 9]) },
    { type: "search", tree: choose(changes), options: now.options },
    { type: "search", tree, options },
    { type: "renew", tree: choose([fromNested([[1, 2], 3]), tree]), options },
    { type: "drag", index, value: choose([1, 2, 2 ** 53]) },
    { type: "drop" },
    { type: "reorder", index, place: choose([0, 1, 2]) },
    { type: "select", index },
    { type: "addChild" },
    { type: "openField", kind: choose(["value", "name"]), index },
    { type: "enter", text: choose(ENTRIES) },
    { type: "leave", text: choose([undefined, ...ENTRIES]) },
    { type: "undo" },
    { type: "redo" },
    { type: "turn", mode: choose(["", "edit", "practice"]) },
    { type: "predict" },
    { type: "ask", asked: choose([[], ["cut"], ["bv", "cut"]]) },
    { type: "fold", index },
    { type: "unfold", index },
    { type: "toggleHistory" },
    { type: "split" },
    {
      type: "zoom",
      picture: choose(["alphabeta", "minimax"]),
      factor: choose([0, 0.8, 1.25]),
      scale: choose([0.05, 1, 3.9]),
    },
    { type: "complain", problem: choose(["", "no"]) },
  ]);
}

for (let seed = 1; seed <= 40; seed++) {
  test(`whatever is done, the state holds together: ${seed}`, () => {
    const random = dice(seed * 7919);
    let state = opened();
    for (let time = 0; time < 60; time++) {
      const action = someAction(state, random);
      const next = frozen(reduce(state, action));
      const why = `${JSON.stringify({ ...action, tree: undefined })} at ${time}`;

      assert.ok(next.step >= 0 && next.step <= next.trace.length, why);
      const fresh = trace(next.trace.tree, next.trace.options);
      assert.deepEqual(next.trace.events, fresh.events, why);
      assert.deepEqual(shown(reduce(state, action)), shown(next), `pure: ${why}`);

      const isChange = next.past.length > state.past.length;
      if (isChange) assert.deepEqual(next.past.slice(0, -1), state.past, `one undo: ${why}`);
      const isPractice = next.mode === "practice";
      if (isPractice) assert.equal(next.step, 0, why);
      const isAsking = action.type === "ask"; // Python may ask in any mode
      const turns = ["turn", "predict"].includes(action.type);
      if (turns && !isAsking) assert.ok(!(next.mode && isPredicting(next)), why);
      if (next.isSplit) assert.equal(next.trace.search, "alphabeta", why);
      assert.ok(!(isPractice && next.isSplit), why);
      const isRefused = next.trace === state.trace && action.type !== "complain";
      if (next.problem && next.problem !== state.problem && isRefused) {
        const field = ["enter", "leave"].includes(action.type) ? next.field : state.field;
        assert.deepEqual(
          { ...next, problem: state.problem },
          { ...state, field },
          `refused: ${why}`,
        );
      }
      state = next;
    }
  });

  test(`undo goes back all the way, and redo comes again: ${seed}`, () => {
    const random = dice(seed * 104729);
    const changes = ["search", "renew", "go"];
    let state = opened();
    const before = [];
    while (before.length < 8) {
      const action = someAction(state, random);
      if (!changes.includes(action.type)) continue;
      const next = reduce(state, action);
      if (next.past.length > state.past.length) before.push(shown(state));
      state = frozen(next);
    }

    const last = shown(state);
    for (const expected of before.toReversed()) {
      state = after(state, { type: "undo" });
      assert.deepEqual(shown(state), expected);
    }
    assert.equal(reduce(state, { type: "undo" }), state, "there is nothing more to undo");
    for (const expected of [...before.slice(1), last]) {
      state = after(state, { type: "redo" });
      assert.deepEqual(shown(state), expected);
    }
    assert.equal(reduce(state, { type: "redo" }), state, "there is nothing more to redo");
  });
}

test("a change stays at the same event", () => {
  const state = after(opened(), { type: "go", step: 9 });
  const { tree, options } = state.trace;
  const minimax = after(state, {
    type: "search",
    tree,
    options: { ...options, search: "minimax" },
  });
  const eventOf = ({ trace: now, step }) => now.eventAt(step).slice(0, 2);
  assert.deepEqual(eventOf(minimax), eventOf(state));
});

test("practice stays before the search, with every node in sight", () => {
  const inner = 1;
  const state = after(
    opened(),
    { type: "go", step: 5 },
    { type: "fold", index: inner },
    { type: "turn", mode: "practice" },
  );
  assert.equal(state.step, 0);
  assert.equal(state.closed.size, 0);
  for (const action of [
    { type: "go", step: 3 },
    { type: "fold", index: inner },
  ]) {
    assert.equal(reduce(state, action), state, action.type);
  }

  const followed = after(state, { type: "follow", step: 3 });
  assert.equal(followed.step, 0, "Python's step is that of afterwards");
  assert.equal(after(followed, { type: "turn", mode: "" }).step, 3);
});

test("after practice the reader is back where they left the search, if it is still the same", () => {
  const state = after(opened(), { type: "go", step: 5 }, { type: "fold", index: 1 });
  const practicing = after(state, { type: "turn", mode: "practice" });
  for (const mode of ["practice", ""]) {
    const back = after(practicing, { type: "turn", mode });
    assert.deepEqual([back.mode, back.step], ["", 5]);
    assert.deepEqual([...back.closed], [...state.closed]);
    assert.equal(back.left, null);
  }

  const tree = withValue(state.trace.tree, state.trace.tree.nodes.at(-1).index, 7);
  const other = after(practicing, { type: "search", tree, options: PLAIN });
  assert.equal(after(other, { type: "turn", mode: "" }).step, 0);
});

test("a step from Python that this search does not have is not taken", () => {
  const state = opened();
  assert.equal(reduce(state, { type: "follow", step: state.trace.length + 1 }), state);
  assert.equal(after(state, { type: "follow", step: 4 }).step, 4);
});

/** A tree of a game: one leaf stands for a part that is folded and has no value here. */
const game = (value) =>
  new Tree([
    ["A", true, null, -1],
    ["b1", false, 3, 0],
    ["b2", false, value, 0, { folded: { nodes: 5, leaves: 3 } }],
  ]);

test("what only Python can search is asked for, and the old trace stays", () => {
  const state = opened(game(1), { hasPython: true });
  const tree = game(null);
  const waiting = after(state, { type: "search", tree, options: PLAIN });
  assert.deepEqual(waiting.waiting.request, { tree, options: PLAIN });
  assert.deepEqual(shown(waiting), shown(state));
  assert.equal(waiting.past.length, 0);

  const again = trace(tree.nodes.length ? game(2) : tree, PLAIN);
  const reply = after(waiting, { type: "open", original: again, edited: null, step: 1 });
  assert.equal(reply.waiting, null);
  assert.equal(reply.trace, again);
});

test("without Python the page says that it needs it", () => {
  const state = opened(game(1));
  const refused = after(state, { type: "search", tree: game(null), options: PLAIN });
  assert.match(refused.problem, /needs Python/);
  assert.deepEqual(shown(refused), shown(state));
});

test("a search that needs an unknown value is refused in its own words", () => {
  const state = opened();
  const tree = withValue(state.trace.tree, state.trace.tree.nodes.at(-1).index, null);
  const refused = after(state, { type: "search", tree, options: { ...PLAIN, search: "minimax" } });
  assert.ok(refused.problem);
  assert.equal(refused.trace, state.trace);
});

test("a recorded run has no practice, and is compared with alpha-beta and shown again", () => {
  const own = trace(fromNested(NESTED), PLAIN);
  const options = { ...PLAIN, search: "recorded", alpha: -Infinity, beta: Infinity, returned: 5 };
  const original = new Trace(own.tree, own.events, options);
  const state = after(NOTHING, { type: "open", original, edited: null, step: 7 });
  assert.match(after(state, { type: "turn", mode: "practice" }).problem, /no practice/);

  const compared = after(state, { type: "compare" });
  assert.equal(compared.trace.search, "alphabeta");
  assert.equal(compared.trace.value, own.value);
  assert.equal(compared.step, 7);
  assert.equal(compared.past.length, 0);
  const practicing = after(compared, { type: "turn", mode: "practice" });
  assert.equal(practicing.mode, "practice");
  const back = after(practicing, { type: "compare" });
  assert.equal(back.trace, original);
  assert.equal(back.mode, "", "practice belongs to the search");
});

test("a recorded function without bounds is compared with minimax", () => {
  const own = trace(fromNested(NESTED), { ...PLAIN, search: "minimax" });
  const options = { ...PLAIN, search: "recorded", returned: 5 };
  const original = new Trace(own.tree, own.events, options);
  const state = after(NOTHING, { type: "open", original, edited: null, step: 3 });
  const compared = after(state, { type: "compare" });
  assert.deepEqual([compared.trace.search, compared.step], ["minimax", 3]);
  assert.deepEqual(compared.trace.events, own.events);
});

test("another tree from the start keeps the folds of the same shape only", () => {
  const state = after(opened(), { type: "fold", index: 1 });
  const same = withValue(state.trace.tree, state.trace.tree.nodes.at(-1).index, 9);
  const late = after(state, { type: "go", step: 6 });
  assert.equal(after(late, { type: "renew", tree: same }).step, 0);
  assert.equal(after(late, { type: "search", tree: same }).step, 6);
  assert.equal(after(state, { type: "renew", tree: same }).closed, state.closed);
  assert.equal(after(state, { type: "renew", tree: fromNested([1, 2]) }).closed.size, 0);
  const many = fromNested(Array.from({ length: 1600 }, () => 0));
  const refused = after(state, { type: "renew", tree: many });
  assert.match(refused.problem, /expected fewer/);
  assert.equal(refused.closed, state.closed);
});

test("a page that opens again as another one left it can undo that", () => {
  const original = trace(fromNested(NESTED), PLAIN);
  const edited = trace(fromNested([1, [2, 3]]), PLAIN);
  const state = after(NOTHING, { type: "open", original, edited, step: 99 });
  assert.equal(state.trace, edited);
  assert.equal(state.step, edited.length);
  assert.ok(isSameTree(after(state, { type: "undo" }).trace.tree, original.tree));
});

test("a change after Undo forgets what Redo would have brought", () => {
  const state = opened();
  const { tree } = state.trace;
  const undone = after(
    state,
    { type: "search", tree: withChild(tree, 1), options: PLAIN },
    { type: "undo" },
  );
  assert.equal(undone.future.length, 1);
  const changed = after(undone, { type: "search", tree: withChild(tree, 0), options: PLAIN });
  assert.equal(changed.future.length, 0);
  assert.equal(changed.past.length, 1);
});

test("each mode turns the others off, and its own key turns it off again", () => {
  const on = { edit: { type: "turn", mode: "edit" }, practice: { type: "turn", mode: "practice" } };
  const names = (state) =>
    [state.mode || null, isPredicting(state) ? "predict" : null].filter(Boolean);
  const acts = { ...on, predict: { type: "predict" } };
  for (const [first, one] of Object.entries(acts)) {
    for (const [second, other] of Object.entries(acts)) {
      const state = after(opened(), one, other);
      assert.deepEqual(names(state), first === second ? [] : [second], `${first}, ${second}`);
    }
  }
});

test("the split view holds as long as there is a minimax beside the search", () => {
  const state = after(opened(), { type: "split" });
  assert.ok(state.isSplit);
  assert.ok(!after(state, { type: "split" }).isSplit);
  assert.ok(!after(state, { type: "turn", mode: "practice" }).isSplit);

  const { tree, options } = state.trace;
  const late = after(state, { type: "go", step: 4 }, { type: "fold", index: 1 });
  assert.ok(late.isSplit);
  const minimax = after(state, {
    type: "search",
    tree,
    options: { ...options, search: "minimax" },
  });
  assert.ok(!minimax.isSplit);
  assert.equal(minimax.problem, "");
  assert.ok(!after(minimax, { type: "split" }).isSplit);
});

test("minimax beside the search needs the values that alpha-beta skips", () => {
  const known = opened(
    fromNested([
      [3, 5],
      [2, 9],
    ]),
  );
  const last = known.trace.tree.nodes.length - 1;
  const split = after(known, { type: "split" });
  const typing = [
    { type: "openField", kind: "value", index: last },
    { type: "enter", text: "?" },
  ];
  const unknown = after(split, ...typing);
  assert.equal(unknown.trace.tree.nodes[last].value, null, "alpha-beta does not read it");
  assert.equal(unknown.field, null);
  assert.ok(!unknown.isSplit);
  assert.match(unknown.problem, /the split view is off/);

  const refused = after(known, ...typing, { type: "split" });
  assert.ok(!refused.isSplit);
  assert.match(refused.problem, /the split view is off/);
});

test("each step of alpha-beta has one of minimax, and they end together", () => {
  const random = dice(7);
  for (let time = 0; time < 50; time++) {
    const leaf = () => Math.floor(random() * 9);
    const nested = Array.from({ length: 3 }, () => [leaf(), [leaf(), leaf()], leaf()]);
    const shown = trace(fromNested(nested), PLAIN);
    const { trace: minimax, steps } = minimaxBeside(shown);
    assert.equal(steps.length, shown.length + 1);
    assert.equal(steps.at(-1), minimax.length);
    assert.ok(steps.every((step, at) => step >= (steps[at - 1] ?? 0)));
    const leaves = steps.map((step, at) => [minimax.counts[step][0], shown.counts[at][0]]);
    assert.ok(
      leaves.every(([all, read]) => all >= read),
      "what alpha-beta reads, minimax has read",
    );
  }
});

/** What has happened by a step: how often each kind of event at each node. */
function happened(shown, step) {
  const times = {};
  let name = "";
  for (let at = 1; at <= step; at++) {
    const [kind, index] = shown.eventAt(at);
    name = `${kind} ${shown.nodes[index].name}`;
    times[name] = (times[name] ?? 0) + 1;
  }
  return step ? `${name} ${times[name]}` : "";
}

/** The nearest step, from this one back, of which another search has the like. */
function nearestIn(other, shown, step) {
  for (let at = step; at > 0; at--) {
    for (let there = 1; there <= other.length; there++) {
      if (happened(other, there) === happened(shown, at)) return there;
    }
  }
  return 0;
}

test("another search is shown at the same event, or at the nearest before that it has", () => {
  const random = dice(11);
  for (let time = 0; time < 8; time++) {
    const leaf = () => Math.floor(random() * 9);
    const tree = fromNested(Array.from({ length: 2 }, () => [leaf(), [leaf(), leaf()], leaf()]));
    const shown = trace(tree, PLAIN);
    const leaves = tree.nodes.filter(({ children }) => !children.length);
    const { index } = leaves[Math.floor(random() * leaves.length)];
    const others = [
      trace(withValue(tree, index, leaf()), PLAIN),
      trace(without(tree, index), PLAIN),
      trace(moved(tree, index, 0), PLAIN),
      trace(tree, { ...PLAIN, search: "minimax" }),
      trace(tree, { ...PLAIN, rules: { ...RULES, right_to_left: true } }),
    ];

    for (const other of others) {
      for (let step = 0; step <= shown.length; step++) {
        assert.equal(stepIn(other, shown, step), nearestIn(other, shown, step));
      }
    }
  }
});

test("each picture is zoomed for itself, within limits", () => {
  const zoom = (picture, factor, scale) => ({ type: "zoom", picture, factor, scale });
  const state = opened();
  const larger = after(state, zoom("minimax", 1.25, 1));
  assert.deepEqual(larger.zoom, { alphabeta: null, minimax: 1.25 });
  assert.equal(after(larger, zoom("minimax", 1.25, 3.9)).zoom.minimax, 4);
  assert.equal(after(larger, zoom("minimax", 0.8, 0.11)).zoom.minimax, 0.1);
  assert.equal(after(larger, zoom("minimax", 0.8, 0.05)).zoom.minimax, 0.05, "not larger");
  const whole = after(larger, zoom("minimax", 0, 1.25));
  assert.equal(whole.zoom.minimax, 0);
  assert.equal(after(whole, zoom("minimax", 0, 0.3)).zoom.minimax, null);
});
