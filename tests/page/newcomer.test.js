// The one question that a newcomer is asked, before the first cut, without a page.

import assert from "node:assert/strict";
import { test } from "node:test";

import { fromNested, random, withValue } from "../../abviz/views/page/core/edit.js";
import { SHOWS } from "../../abviz/views/page/core/levels.js";
import { trace } from "../../abviz/views/page/core/trace.js";
import { narrate } from "../../abviz/views/page/core/words.js";
import { answerTo } from "../../abviz/views/page/core/answers.js";
import { hidesZones, mustAnswer, openQuestion, scoreSoFar } from "../../abviz/views/page/quiz.js";
import { NOTHING, reduce } from "../../abviz/views/page/state.js";
import { RULES } from "./rules.js";

const PLAIN = { search: "alphabeta", rules: RULES, depth: null };
const NESTED = [
  [3, 5],
  [[[0, 7], 5], [7, 8], 4],
];
const [YES, NO, SHOW_ME] = [0, 1, 2];
const next = { type: "next" };
const pick = (choice) => ({ type: "choose", choice });
const go = (step) => ({ type: "go", step });

/** The state in which a page opens for a newcomer. */
function opened(tree = fromNested(NESTED), { step = 0, ...more } = {}) {
  const original = trace(tree, { ...PLAIN, ...more.options });
  const first = { ...NOTHING, isNewcomer: true, ...more };
  return reduce(first, { type: "open", original, edited: null, step });
}

const after = (first, ...actions) => actions.reduce(reduce, first);

/** The states of a reader who only presses Next, up to the end. */
function pressing(first) {
  const states = [first];
  while (states.at(-1).step < first.trace.length) {
    states.push(reduce(states.at(-1), next));
    assert.notEqual(states.at(-1), states.at(-2), "Next always does something");
  }
  return states;
}

const asked = (states) => states.filter(({ open }) => open !== null);

for (let seed = 1; seed <= 60; seed++) {
  test(`it is asked once, right before the first cut, of a node that is never read: ${seed}`, () => {
    const shape = { depth: 2 + (seed % 3), breadth: 2 + (seed % 2), ties: seed % 4 === 0 };
    const tree = random({ ...shape, low: -9, high: 9, seed });
    const names = Object.keys(RULES);
    const rules = { ...RULES, [names[seed % (names.length + 1)]]: true };
    delete rules.undefined;

    for (const show of SHOWS) {
      const first = opened(tree, { show, options: { rules } });
      const { trace: searched } = first;
      const [cut] = searched.cuts;
      const questions = asked(pressing(first)).map(openQuestion);
      assert.equal(questions.length, cut ? 1 : 0);
      if (!cut) continue;

      const [question] = questions;
      assert.equal(question.step, cut.step);
      assert.equal(searched.nodeAt(question.node, searched.length).state, "skipped");
      assert.match(
        question.text,
        new RegExp(`^Will the search .* ${searched.nodes[question.node].name}\\?$`),
      );
      assert.deepEqual(question.right, [NO]);
    }
  });
}

/** The state in which the question is open. */
const openFor = (more) => asked(pressing(opened(undefined, more)))[0];

test("it is answered, or passed by Next or by its last answer", () => {
  for (const show of SHOWS) {
    const open = openFor({ show });
    const cut = open.trace.cuts[0].step;
    assert.equal(open.step, cut - 1);
    assert.ok(!mustAnswer(open) && hidesZones(open));
    assert.equal(after(open, next).step, cut);
    assert.equal(after(open, pick(SHOW_ME)).step, cut);
    assert.equal(after(open, pick(7)), open, "which is no answer");

    for (const [choice, verdict] of [
      [YES, "wrong"],
      [NO, "right"],
    ]) {
      const judged = after(open, pick(choice));
      assert.deepEqual([openQuestion(judged).verdict, judged.step], [verdict, cut - 1]);
      assert.equal(after(judged, pick(YES)), judged, "an answer stands");
      assert.deepEqual(scoreSoFar(judged), {}, "and counts for nothing");
      const gone = after(judged, next);
      assert.deepEqual([gone.step, gone.open], [cut, null]);

      const said = answerTo(openQuestion(judged), verdict, choice);
      const why = narrate(open.trace, cut, show);
      for (const sentence of said.split(". ")) assert.ok(!why.includes(sentence), why);
    }
  }
});

test("it is never asked again, whatever is done next", () => {
  const open = openFor();
  const leaf = open.trace.nodes.at(-1).index;
  const changed = { type: "search", tree: withValue(open.trace.tree, leaf, 9) };
  for (const action of [go(0), go(open.trace.length), next, pick(YES), changed]) {
    const left = after(open, action, go(0));
    assert.deepEqual(asked(pressing(left)), [], action.type);
  }
});

test("a reader who has been asked on another page, or has seen the cut, is not asked", () => {
  const cut = opened().trace.cuts[0].step;
  const before = after(opened(), go(cut - 1));
  assert.ok(after(before, next).open);
  assert.equal(after(before, { ...next, wasAsked: true }).step, cut);
  for (const step of [cut, cut + 1, opened().trace.length]) {
    assert.deepEqual(asked(pressing(after(opened(), go(step), go(0)))), []);
  }
  assert.equal(asked(pressing(after(opened(), go(3), go(0)))).length, 1);
});

test("a link or a program that opens a later step shows that step, and does not ask", () => {
  for (const later of [
    opened(undefined, { step: 3 }),
    after(opened(), { type: "visit", step: 3 }),
  ]) {
    assert.equal(later.step, 3);
    assert.deepEqual(asked(pressing(later)), []);
  }
  const level = after(opened(), { type: "visit", show: "values", step: 0 });
  assert.equal(asked(pressing(level)).length, 1);
});

test("nothing is asked in another mode, of another search, or of a node out of sight", () => {
  const cut = opened().trace.cuts[0];
  const before = after(opened(), go(cut.step - 1));
  const others = [
    { type: "turn", mode: "edit" },
    { type: "turn", mode: "practice" },
    { type: "fold", index: cut.at },
    { type: "fold", index: 0 },
    { type: "search", tree: before.trace.tree, options: { ...PLAIN, search: "minimax" } },
  ];
  for (const other of others) {
    assert.equal(after(before, other, next).open, null, JSON.stringify(other));
    assert.equal(after(before, next, other).open, null, "and an open one goes");
  }
  const predicting = after(before, { type: "predict" });
  assert.notEqual(after(predicting, next).open?.kind, "first");
  assert.notEqual(after(before, next, { type: "predict" }).open?.kind, "first");

  const below = before.trace.nodes[cut.at].children[0];
  assert.equal(after({ ...before, spec: { top: below } }, next).open, null);
  assert.ok(after({ ...before, spec: { top: cut.at } }, next).open);
});

test("a show of hands is for predict mode: the reader answers", () => {
  const open = openFor({ isShowOfHands: true });
  assert.equal(openQuestion(after(open, pick(NO))).verdict, "right");
});
