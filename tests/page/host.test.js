// The page and the widget's model: what is written into it, what it says, and what Python is asked
// for. A view here is a state and its host, without anything that can be seen.

import assert from "node:assert/strict";
import { test } from "node:test";

import { fromNested, withValue } from "../../abviz/views/page/core/edit.js";
import { toJson } from "../../abviz/views/page/core/numbers.js";
import { Tree, isSameTree } from "../../abviz/views/page/core/trace.js";
import { Host } from "../../abviz/views/page/host.js";
import { NOTHING, reduce } from "../../abviz/views/page/state.js";
import { Clock, Model } from "./model.js";
import { RULES } from "./rules.js";

function specOf(tree, more = {}) {
  const rows = tree.nodes.map(({ name, isMax, value, parent, more: about }) => {
    return [name, isMax, toJson(value), parent, about];
  });
  const search = { search: "alphabeta", rules: RULES, depth: null, alpha: "-inf", beta: "inf" };
  return { rows, title: "A tree", source: "", search, top: 0, boards: null, ...more };
}

function modelOf(tree, more = {}) {
  const traits = { spec: specOf(tree), step: 0, form: "assignment", speed: 1, edited: {} };
  const asks = { predict: [], show_of_hands: false };
  return new Model({ ...traits, ...asks, show: "bounds", problem: "", ...more });
}

/** A view of the model: its state, and `send` to change it. */
function viewOf(model) {
  const view = { clock: new Clock(), actions: 0 };
  view.send = (action) => {
    view.actions++;
    view.state = reduce(view.state, action);
    view.host.write(view.state);
  };
  view.host = new Host({ model, send: view.send, known: (tree) => tree, clock: view.clock });
  view.state = { ...NOTHING, ...view.host.begin() };
  view.host.start();
  return view;
}

const settled = () => Promise.resolve().then(() => {});
const last = ({ nodes }) => nodes.at(-1).index;
const NESTED = [
  [3, 5],
  [[[0, 7], 5], [7, 8], 4],
];

/** Change the last leaf. */
function edit(view, value) {
  const { tree, options } = view.state.trace;
  view.send({ type: "search", tree: withValue(tree, last(tree), value), options });
}

test("what a recorded run returned is a number, however JSON holds it", () => {
  const { trace: searched } = viewOf(modelOf(fromNested([3, 5]))).state;
  const events = searched.events.map(([kind, node, ...numbers]) => [
    kind,
    node,
    ...numbers.map(toJson),
  ]);
  for (const returned of [Infinity, -Infinity, 10n ** 20n, 4, null]) {
    const { search } = specOf(searched.tree);
    const run = { ...search, search: "recorded", name: "f", sentences: [], plain: {} };
    const spec = { search: { ...run, returned: toJson(returned) }, events };
    const { state } = viewOf(modelOf(searched.tree, { spec: specOf(searched.tree, spec) }));
    assert.equal(state.trace.value, returned);
  }
});

// ------------------------------------------------------------------ what is written

test("a page has Python, or an address, or neither where it is alone", () => {
  const begun = (more) => {
    const { hasPython, hasAddress } = viewOf(modelOf(fromNested([3, 5]), more)).state;
    return { hasPython, hasAddress };
  };
  assert.deepEqual(begun({}), { hasPython: true, hasAddress: false });
  assert.deepEqual(begun({ address: true }), { hasPython: false, hasAddress: true });
  assert.deepEqual(begun({ alone: true }), { hasPython: false, hasAddress: false });
});

test("a page that opens writes nothing", async () => {
  const model = modelOf(fromNested(NESTED), { step: 7 });
  const { state } = viewOf(model);
  await settled();
  assert.deepEqual([state.step, model.news(), model.saves], [7, [], 0]);
});

test("a changed tree is written before its step, in one message", async () => {
  const model = modelOf(fromNested([[3, 5], [2, 9], 4]), { step: 0 });
  const view = viewOf(model);
  view.send({ type: "go", step: 99 });
  await settled();
  model.news();
  model.saves = 0;

  view.send({ type: "renew", tree: fromNested([1, [2, 3]]), options: view.state.trace.options });
  const news = model.news();
  assert.deepEqual(
    news.map(([name]) => name),
    ["edited", "step"],
  );
  assert.equal(news[1][1], 0);
  await settled();
  assert.equal(model.saves, 1);
});

test("what a view writes comes back to it and changes nothing", () => {
  const model = modelOf(fromNested(NESTED));
  const view = viewOf(model);
  edit(view, 9);
  view.send({ type: "go", step: 5 });
  view.send({ type: "prefer", form: "aima", speed: 2 });
  view.send({ type: "ask", asked: ["cut"], isShowOfHands: true });
  const { state } = view;
  const count = model.news().length;
  assert.equal(count, 6);

  // As a kernel sends it back: equal, but no longer the same.
  const { edited, step, form, speed, predict, show_of_hands } = structuredClone(model.traits);
  model.receive({ edited, step, form, speed, predict, show_of_hands });
  assert.equal(view.state, state);
  assert.deepEqual(model.news(), []);
});

test("an echo that comes late takes nothing back", () => {
  const model = modelOf(fromNested(NESTED));
  const view = viewOf(model);
  edit(view, 9);
  const late = structuredClone(model.get("edited"));
  edit(view, 1);
  const { state } = view;
  model.receive({ edited: late });
  assert.equal(view.state, state);
});

test("Python sets a step, a speed and questions; only a step that there is is taken", () => {
  const model = modelOf(fromNested(NESTED));
  const view = viewOf(model);
  model.receive({ step: 6, speed: 4, form: "aima", predict: ["bv"], problem: "no" });
  const { step, speed, form, asked, problem } = view.state;
  assert.deepEqual([step, speed, form, asked, problem], [6, 4, "aima", ["bv"], "no"]);
  model.receive({ step: 999 });
  assert.equal(view.state.step, 6);
  assert.deepEqual(model.news(), []);
});

test("a step that Python sets during practice is that of the page afterwards", () => {
  const model = modelOf(fromNested(NESTED), { step: 3 });
  const view = viewOf(model);
  view.send({ type: "turn", mode: "practice" });
  model.receive({ step: 8 });
  view.send({ type: "complain", problem: "no" });
  assert.equal(model.get("step"), 8);
  view.send({ type: "turn", mode: "practice" });
  view.host.follow();
  assert.equal(view.state.step, 8);
});

test("while a recorded run is compared, Python keeps the run and its step", () => {
  const tree = fromNested([[1, 2], 3]);
  const own = viewOf(modelOf(tree)).state.trace;
  const events = own.events.map(([kind, node, ...numbers]) => [kind, node, ...numbers.map(toJson)]);
  const search = { ...specOf(tree).search, search: "recorded", returned: 3, name: "f" };
  const model = modelOf(tree, { spec: specOf(tree, { search, events }), step: 4 });
  const view = viewOf(model);
  view.send({ type: "compare" });
  view.send({ type: "go", step: 9 });
  view.send({ type: "prefer", speed: 4 });
  assert.deepEqual(model.news(), [["speed", 4]]);
  view.send({ type: "compare" });
  assert.deepEqual(model.news(), [["step", view.state.step]]);
});

test("a page that is closed no longer listens", () => {
  const model = modelOf(fromNested(NESTED));
  const view = viewOf(model);
  view.host.close();
  assert.deepEqual(model.listeners, []);
});

// ------------------------------------------------------------------ what needs Python

/** A tree of a game: one leaf stands for a part that is folded, and is read once its value is gone. */
function game(value) {
  return new Tree(
    [
      ["A", true, null, -1],
      ["b1", false, 3, 0],
      ["b2", false, value, 0, { folded: { nodes: 5, leaves: 3 } }],
    ],
    { title: "A tree" },
  );
}

/** A view that waits for a part of a game, and the id of its request. */
function asking() {
  const model = modelOf(game(1));
  const view = viewOf(model);
  const { trace } = view.state;
  view.send({ type: "search", tree: game(null), options: trace.options });
  const [[name, { asks, id }]] = model.news();
  assert.deepEqual([name, asks, view.state.trace], ["edited", true, trace]);
  return { model, view, id };
}

test("what only Python can search is asked for by an id, and its reply is opened", () => {
  const { model, view, id } = asking();
  model.receive({ edited: {}, step: 0, spec: specOf(game(7), { reply: id }) });
  assert.deepEqual([view.state.trace.value, view.state.waiting], [7, null]);
  assert.deepEqual(model.news(), []);
  view.clock.goOn();
  assert.equal(view.state.problem, "");
});

test("a reply is dropped where the page has gone on meanwhile", () => {
  const { model, view, id } = asking();
  const { tree, options } = view.state.trace;
  const search = { ...options, search: "minimax" };
  view.send({ type: "search", tree: withValue(tree, 1, 2), options: search });
  const { state } = view;
  model.receive({ spec: specOf(game(7), { reply: id }) });
  assert.equal(view.state, state);
  model.say("msg:custom", { id, problem: "too large" });
  assert.equal(view.state, state);
});

test("of two requests only the later is answered", () => {
  const { model, view, id } = asking();
  const { options } = view.state.trace;
  view.send({ type: "search", tree: withValue(game(null), 1, 4), options });
  const later = model.news().at(-1)[1].id;
  assert.notEqual(later, id);
  model.receive({ spec: specOf(game(7), { reply: id }) });
  assert.notEqual(view.state.trace.value, 7);
  model.receive({ spec: specOf(game(8), { reply: later }) });
  assert.equal(view.state.trace.value, 8);
});

test("a refusal says why, and the old trace stays", () => {
  const { model, view, id } = asking();
  const { trace } = view.state;
  model.say("msg:custom", { id, problem: "too large" });
  const { problem, waiting } = view.state;
  assert.deepEqual([problem, waiting, view.state.trace], ["too large", null, trace]);
});

test("without an answer one line says so, and a late answer is still taken", () => {
  const { model, view, id } = asking();
  const { trace } = view.state;
  assert.equal(view.state.problem, "");
  view.clock.goOn();
  assert.match(view.state.problem, /^Python does not answer/);
  assert.equal(view.state.trace, trace);
  const { actions } = view;
  view.clock.goOn();
  assert.equal(view.actions, actions, "once");

  model.receive({ spec: specOf(game(7), { reply: id }) });
  assert.deepEqual([view.state.trace.value, view.state.problem], [7, ""]);
});

test("a text that only Python reads is sent, and its tree is shown once", async () => {
  const model = modelOf(fromNested(NESTED));
  const view = viewOf(model);
  view.send({ type: "read", text: "tree: [1, 2]", problem: "expected JSON" });
  assert.equal(view.state.problem, "expected JSON");
  await settled();
  const [[, { id, text }]] = model.news();
  assert.equal(text, "tree: [1, 2]");

  const answer = { id, tree: specOf(fromNested([1, 2])) };
  model.say("msg:custom", answer);
  assert.deepEqual([view.state.trace.value, view.state.problem], [2, ""]);
  const { state } = view;
  model.say("msg:custom", answer);
  assert.equal(view.state, state);
});

test("a text that Python refuses keeps its reason, and so does one without an answer", () => {
  const model = modelOf(fromNested(NESTED));
  const view = viewOf(model);
  view.send({ type: "read", text: "[1,", problem: "expected JSON" });
  view.clock.goOn();
  assert.match(view.state.problem, /^expected JSON\.? Python does not answer/);
  model.say("msg:custom", { id: view.state.waiting.id, problem: "line 1: no" });
  assert.equal(view.state.problem, "line 1: no");
});

test("an exported page asks nobody", () => {
  const model = modelOf(game(1), { address: true });
  const view = viewOf(model);
  view.send({ type: "read", text: "tree: [1, 2]", problem: "expected JSON" });
  view.send({ type: "search", tree: game(null), options: view.state.trace.options });
  assert.deepEqual([view.state.waiting, view.clock.timers], [null, []]);
  assert.match(view.state.problem, /needs Python/);
});

test("before its first change here, Undo asks for the game as it was", async () => {
  const model = modelOf(game(1), { spec: specOf(game(1), { changes: 1 }) });
  const view = viewOf(model);
  view.send({ type: "undo" });
  await settled();
  const [[, { id, restore }]] = model.news();
  assert.equal(restore, true);
  model.receive({ spec: specOf(game(5), { changes: 0, reply: id }) });
  assert.equal(view.state.trace.value, 5);
  const { state } = view;
  view.send({ type: "undo" });
  assert.equal(view.state, state);
});

test("a tree that Python sends of its own accord is shown", () => {
  const { model, view } = asking();
  model.say("msg:custom", { tree: specOf(fromNested([1, 2])) });
  assert.equal(view.state.trace.value, 2);
  model.receive({ spec: specOf(fromNested([8, 9]), { reply: null }) });
  assert.equal(view.state.trace.value, 9);
});

// ------------------------------------------------------------------ two views of one model

/** Numbers in [0, 1), the same for the same seed. */
function dice(seed) {
  let state = seed;
  return () => {
    state = (state * 48271) % 2147483647;
    return state / 2147483647;
  };
}

const shownBy = ({ state }) => {
  const { tree, options } = state.trace;
  return {
    rows: tree.nodes.map(({ name, isMax, value, parent }) => [name, isMax, value, parent]),
    search: options.search,
    rules: options.rules,
    step: state.step,
    asked: state.asked,
    form: state.form,
    speed: state.speed,
  };
};

for (let seed = 1; seed <= 30; seed++) {
  test(`two views of a model show the same, whichever is changed: ${seed}`, () => {
    const random = dice(seed * 7919);
    const choose = (items) => items[Math.floor(random() * items.length)];
    const model = modelOf(fromNested(NESTED));
    const views = [viewOf(model), viewOf(model)];
    for (let time = 0; time < 40; time++) {
      const view = choose(views);
      const { tree, options } = view.state.trace;
      const search = choose(["alphabeta", "minimax"]);
      const rules = { ...RULES, [choose(Object.keys(RULES))]: true };
      view.send(
        choose([
          { type: "go", step: choose([0, 3, 9, 99]) },
          { type: "search", tree: withValue(tree, last(tree), choose([0, 4, 9])), options },
          { type: "search", tree, options: { ...options, search, rules } },
          { type: "renew", tree: fromNested(choose([[1, [2, 3]], NESTED])), options },
          { type: "undo" },
          { type: "redo" },
          { type: "ask", asked: choose([[], ["cut"]]) },
          { type: "prefer", form: choose(["aima", "assignment"]), speed: choose([1, 2]) },
        ]),
      );
      const [one, other] = views.map(shownBy);
      assert.deepEqual(one, other, `at ${time}`);
      assert.equal(model.get("step"), one.step);
      assert.ok(model.news().length <= 6, "nothing goes back and forth");
    }
  });
}

test("a third view opens as the other two were left, and can undo that", () => {
  const model = modelOf(fromNested(NESTED));
  const views = [viewOf(model), viewOf(model)];
  edit(views[0], 9);
  edit(views[1], 1);
  views[1].send({ type: "go", step: 4 });
  const third = viewOf(model);
  assert.deepEqual(shownBy(third), shownBy(views[0]));
  third.send({ type: "undo" });
  for (const view of views) assert.deepEqual(shownBy(view), shownBy(third));
  assert.ok(isSameTree(third.state.trace.tree, third.state.original.tree));
});

test("a change that came from another view can be undone in each", () => {
  const model = modelOf(fromNested(NESTED));
  const [one, other] = [viewOf(model), viewOf(model)];
  edit(one, 9);
  other.send({ type: "undo" });
  assert.ok(isSameTree(one.state.trace.tree, one.state.original.tree));
});

test("a reply is used by the view that asked, and the other follows it", () => {
  const model = modelOf(fromNested(NESTED));
  const [one, other] = [viewOf(model), viewOf(model)];
  one.send({ type: "read", text: "tree: [1, 2]", problem: "expected JSON" });
  const { id } = one.state.waiting;
  const seen = other.actions;
  model.say("msg:custom", { id, tree: specOf(fromNested([1, 2])) });
  assert.deepEqual(shownBy(one), shownBy(other));
  assert.equal(one.state.past.length, 1);
  assert.equal(other.state.past.length, 1);
  assert.ok(other.actions - seen <= 3);
  model.say("msg:custom", { id, problem: "too late" });
  assert.deepEqual([one.state.problem, other.state.problem], ["", ""]);
});

test("the searched part of a game is opened by all views, its refusal shown by one", () => {
  const { model, view, id } = asking();
  const other = viewOf(model);
  model.say("msg:custom", { id, problem: "too large" });
  assert.deepEqual([view.state.problem, other.state.problem], ["too large", ""]);

  view.send({ type: "search", tree: game(null), options: view.state.trace.options });
  const spec = specOf(game(7), { reply: view.state.waiting.id });
  model.receive({ edited: {}, step: 0, spec });
  assert.deepEqual([view.state.trace.value, other.state.trace.value], [7, 7]);
});
