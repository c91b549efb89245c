// Predict mode without a page: what is asked when, what is kept of the answers, and what never
// happens whatever is done.

import assert from "node:assert/strict";
import { test } from "node:test";

import { fromNested, withValue } from "../../abviz/views/page/core/edit.js";
import { answerTo } from "../../abviz/views/page/core/answers.js";
import { questionsBefore } from "../../abviz/views/page/core/questions.js";
import { trace } from "../../abviz/views/page/core/trace.js";
import { sentence } from "../../abviz/views/page/core/words.js";
import {
  answersOf,
  hidesZones,
  mustAnswer,
  isPredicting,
  openQuestion,
  scoreSoFar,
} from "../../abviz/views/page/quiz.js";
import { NOTHING, reduce } from "../../abviz/views/page/state.js";
import { RULES } from "./rules.js";

const PLAIN = { search: "alphabeta", rules: RULES, depth: null };
const BACKWARDS = { ...PLAIN, rules: { ...RULES, right_to_left: true } };
const MINIMAX = { ...PLAIN, search: "minimax" };
const NESTED = [
  [3, 5],
  [[[0, 7], 5], [7, 8], 4],
];

/** The state in which a page opens that asks all it can. */
function asking(more = {}) {
  const original = trace(fromNested(NESTED), PLAIN);
  const state = reduce(NOTHING, { type: "open", original, edited: null, step: 0 });
  return { ...reduce(state, { type: "predict" }), ...more };
}

const after = (first, ...actions) => actions.reduce(reduce, first);
const next = { type: "next" };
const at = (step) => ({ type: "go", step });
const searching = (state, options) => ({ type: "search", tree: state.trace.tree, options });

/** What gives the right answer to the open question, or a wrong one. */
function answering(state, isRight = true) {
  const { kind, right, choices, nodes } = openQuestion(state);
  if (kind === "skipped") {
    const picks = isRight ? right : nodes.filter((node) => !right.includes(node));
    return [...picks.map((choice) => ({ type: "choose", choice })), { type: "reply" }];
  }
  if (!choices.length) return [{ type: "reply", text: isRight ? right : "-77" }];
  const choice = choices.findIndex((_, place) => right.includes(place) === isRight);
  return [{ type: "choose", choice }];
}

/** Numbers in [0, 1), the same for the same seed. */
function dice(seed) {
  let now = seed;
  return () => {
    now = (now * 48271) % 2147483647;
    return now / 2147483647;
  };
}

test("every question is asked in its turn before its step, and the score is theirs", () => {
  let state = asking();
  const asked = [];
  while (state.step < state.trace.length) {
    const { step } = state;
    state = after(state, next);
    const question = openQuestion(state);
    if (!question || question.verdict) {
      assert.equal(state.step, step + 1);
      continue;
    }
    assert.equal(state.step, step, "the step waits");
    asked.push(`${question.step} ${question.kind}`);
    state = after(state, ...answering(state));
    assert.equal(openQuestion(state).verdict, "right");
  }

  const { trace: shown } = state;
  const steps = Array.from({ length: shown.length + 1 }, (_, step) => step);
  const all = steps.flatMap((step) => questionsBefore(shown, step));
  assert.deepEqual(
    asked,
    all.map(({ step, kind }) => `${step} ${kind}`),
  );
  for (const [kind, [right, total]] of Object.entries(scoreSoFar(state))) {
    const ofKind = all.filter((question) => question.kind === kind);
    assert.deepEqual([right, total], [ofKind.length, ofKind.length], kind);
  }
});

test("a question holds the step until it is answered, and a jump leaves it unanswered", () => {
  const open = after(asking(), at(3), next);
  assert.equal(openQuestion(open).step, 4);
  assert.ok(mustAnswer(open) && hidesZones(after(asking({ asked: ["cut"] }), at(16), next)));
  assert.equal(after(open, next), open);

  for (const step of [0, 2, open.trace.length]) {
    const gone = after(open, at(step));
    assert.equal(gone.open, null);
    assert.equal(gone.step, step, "a jump is not a next");
    assert.equal(after(gone, at(3)).open, null, "and nothing is asked on the way back");
  }
  assert.deepEqual(answersOf(after(open, at(9))), []);
});

test("text that is no number is no answer, and a choice that is not offered is none", () => {
  const open = after(asking({ asked: ["bv"] }), at(3), next);
  for (const text of ["", "abc", "1,000", "?"]) {
    const refused = after(open, { type: "reply", text });
    assert.match(openQuestion(refused).problem, /is not a number/);
    assert.ok(mustAnswer(refused) && !answersOf(refused).length);
    assert.equal(openQuestion(after(refused, ...answering(refused))).problem, "");
  }
  let cut = asking({ asked: ["cut"] });
  while (!cut.open) cut = after(cut, next);
  assert.equal(openQuestion(cut).kind, "cut");
  for (const choice of [-1, 9, 0.5]) {
    assert.equal(after(cut, { type: "choose", choice }), cut);
  }
});

test("an answer stands once it has been given", () => {
  const open = after(asking(), at(3), next);
  const wrong = after(open, ...answering(open, false));
  assert.equal(openQuestion(wrong).verdict, "wrong");
  assert.equal(after(wrong, ...answering(open)), wrong);
});

test("each choice has its own reason, and what is said never repeats the next sentence", () => {
  let state = asking();
  while (state.step < state.trace.length) {
    state = after(state, next);
    const question = openQuestion(state);
    if (!question || question.verdict) continue;

    const replies =
      question.choices.length && question.kind !== "skipped" ? question.choices : [""];
    const said = replies.map((_, choice) => {
      const action = { type: "choose", choice };
      const judged = openQuestion(replies.length > 1 ? after(state, action) : state);
      const { verdict, chosen } = judged;
      return answerTo(judged, verdict || "shown", chosen);
    });
    assert.equal(new Set(said).size, said.length, `${question.kind}: ${said}`);
    const sentences = sentence(state.trace, question.step).split(/(?<=\.) /);
    for (const text of said) for (const each of sentences) assert.ok(!text.includes(each), each);
    state = after(state, ...answering(state));
  }
});

test("of the nodes that are skipped all are to be named", () => {
  const tree = fromNested([[3, 5], [1, 7, 8], 2]);
  const searched = { type: "search", tree, options: PLAIN };
  let open = after(asking({ asked: ["skipped"] }), searched, { type: "restart" });
  while (!open.open) open = after(open, next);
  const { right } = openQuestion(open);
  assert.equal(right.length, 2);
  const [one, ...others] = right.map((choice) => ({ type: "choose", choice }));
  const some = after(open, one, { type: "reply" });
  assert.equal(openQuestion(some).verdict, "wrong");
  const all = after(open, one, ...others, { type: "reply" });
  assert.equal(openQuestion(all).verdict, "right");
  const again = after(open, one, one, ...others, { type: "reply" });
  assert.equal(openQuestion(again).verdict, "wrong", "a node that is picked twice is taken back");
});

test("a changed search neither takes over an answer nor loses it", () => {
  const open = after(asking(), at(3), next);
  const judged = after(open, ...answering(open));
  assert.deepEqual(scoreSoFar(judged).bv, [1, 1]);

  for (const options of [BACKWARDS, MINIMAX]) {
    const other = after(judged, searching(judged, options));
    assert.deepEqual(scoreSoFar(other), {});
    assert.equal(other.open, null);

    const back = after(other, { type: "undo" });
    assert.deepEqual(answersOf(back), answersOf(judged), "they belong to the search");
    const again = after(other, searching(other, PLAIN));
    assert.deepEqual(answersOf(again), answersOf(judged), "however it is found again");
  }
  const leaf = judged.trace.nodes.at(-1).index;
  const tree = withValue(judged.trace.tree, leaf, 9);
  assert.deepEqual(scoreSoFar(after(judged, { type: "search", tree })), {});
  const fresh = { type: "open", original: trace(fromNested(NESTED), PLAIN), edited: null, step: 0 };
  assert.deepEqual(scoreSoFar(after(judged, fresh)), {}, "a tree from Python begins anew");
});

test("a class sees the answer at the second press, counts nothing, and is asked again", () => {
  const first = asking({ asked: ["cut"], isShowOfHands: true });
  const open = after(first, at(16), next);
  assert.ok(openQuestion(open) && !mustAnswer(open));
  assert.equal(after(open, { type: "choose", choice: 0 }), open, "nobody answers for the class");

  const told = after(open, next);
  assert.equal(openQuestion(told).verdict, "shown");
  assert.equal(told.step, 16);
  const gone = after(told, next);
  assert.equal(gone.step, 17);
  assert.deepEqual(scoreSoFar(gone), {});
  assert.equal(openQuestion(after(gone, at(16), next)).verdict, "", "the next class is asked");

  const alone = after(asking({ asked: ["cut"] }), at(16), next);
  const answered = after(alone, ...answering(alone));
  const taught = after(answered, at(0), { type: "ask", isShowOfHands: true }, at(16), next);
  assert.equal(openQuestion(taught).verdict, "", "and so it is after a reader has answered");
});

test("to start again forgets the answers of this search only", () => {
  const open = after(asking(), at(3), next);
  const judged = after(open, ...answering(open, false));
  const other = after(judged, searching(judged, BACKWARDS), { type: "restart" });
  assert.equal(other.step, 0);
  assert.equal(answersOf(after(other, { type: "undo" })).length, 1);
  assert.deepEqual(answersOf(after(judged, { type: "restart" })), []);
});

for (let seed = 1; seed <= 40; seed++) {
  test(`whatever is done, a question is about the next step of this search: ${seed}`, () => {
    const random = dice(seed * 7919);
    const choose = (items) => items[Math.floor(random() * items.length)];
    let state = asking();
    for (let time = 0; time < 80; time++) {
      const { length } = state.trace;
      const leaf = state.trace.nodes.at(-1).index;
      const action = choose([
        next,
        next,
        next,
        at(choose([0, state.step + 1, state.step - 1, length])),
        { type: "choose", choice: choose([0, 1, 2, 3, leaf]) },
        { type: "reply", text: choose(["", "3", "no", "inf"]) },
        { type: "ask", asked: choose([["cut"], ["bv", "cut", "skipped"], []]) },
        { type: "ask", isShowOfHands: choose([true, false]) },
        { type: "predict" },
        { type: "restart" },
        searching(state, choose([PLAIN, BACKWARDS, MINIMAX])),
        { type: "drag", index: leaf, value: choose([1, 4]) },
        { type: "turn", mode: choose(["", "edit", "practice"]) },
        { type: "undo" },
        { type: "redo" },
        { type: "fold", index: 0 },
      ]);
      const before = state;
      state = reduce(before, action);
      const why = `${JSON.stringify({ ...action, tree: undefined })} at ${time}`;

      const question = openQuestion(state);
      assert.equal(question === null, state.open === null, why);
      if (question) {
        assert.equal(question.step, state.step + 1, why);
        const asked = questionsBefore(state.trace, question.step).map(({ kind }) => kind);
        assert.ok(asked.includes(question.kind) && state.asked.includes(question.kind), why);
        assert.ok(isPredicting(state), why);
        assert.ok(
          question.picked.every((node) => question.nodes.includes(node)),
          why,
        );
      }
      if (action.type !== "next" && !before.open) assert.equal(state.open, null, why);
      if (mustAnswer(before) && action.type === "next") assert.equal(state, before, why);
      if (state.mode === "practice") assert.ok(state.step === 0 && !state.open, why);

      const answers = answersOf(state);
      const names = answers.map(({ step, kind }) => `${step} ${kind}`);
      assert.equal(new Set(names).size, names.length, `each counts once: ${why}`);
      for (const { step, kind } of answers) {
        const asked = questionsBefore(state.trace, step).map((each) => each.kind);
        assert.ok(asked.includes(kind), why);
      }
    }
  });
}
