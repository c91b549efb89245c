// The one question that a newcomer is asked, before the first cut, without a page.

import assert from "node:assert/strict";
import { test } from "node:test";

import { fromNested, random, withValue } from "../../abviz/views/page/core/edit.js";
import { SHOWS } from "../../abviz/views/page/core/levels.js";
import { trace } from "../../abviz/views/page/core/trace.js";
import { narrate } from "../../abviz/views/page/core/words.js";
import { answerTo } from "../../abviz/views/page/core/answers.js";
import { firstQuestion } from "../../abviz/views/page/core/questions.js";
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

/** The value of a node by minimax, with every leaf below `changed` worth that. */
function minimax(tree, index, changed = -1, worth = 0) {
  const { children, isMax, value } = tree.nodes[index];
  if (tree.path(index).includes(changed) && !children.length) return worth;
  if (!children.length) return value;
  const below = children.map((child) => minimax(tree, child, changed, worth));
  return isMax ? Math.max(...below) : Math.min(...below);
}

const REASON =
  /^(?:(\w+) could only make (\w+) (larger|smaller) than (\S+)|(\w+) is (\S+) or (more|less), whatever (\w+) is)\. (\w+) does (better|as well) with (\w+), which is worth (\S+?)(?: or (more|less))?\. Press Next\.$/;

/** The reason, as what it claims. */
function claimOf(reason) {
  const parts = REASON.exec(reason);
  assert.ok(parts, reason);
  const [, skipped, node, side, bv, at, worth, bound, other, who, how, via, limit, end] = parts;
  return {
    node: node ?? at,
    skipped: skipped ?? other,
    isAtLeast: (side ?? bound) === "larger" || bound === "more",
    value: read(bv ?? worth),
    who,
    how,
    via,
    limit: read(limit),
    end,
  };
}

const read = (text) => Number(text.replace("−", "-"));

for (let seed = 1; seed <= 80; seed++) {
  test(`why the node is not read is true, whatever the node is worth: ${seed}`, () => {
    const shape = { depth: 2 + (seed % 4), breadth: 2 + (seed % 2), ties: seed % 3 === 0 };
    const tree = random({ ...shape, low: -9, high: 9, seed });
    const fail_hard = seed % 5 === 0;
    const { trace: searched } = opened(tree, { options: { rules: { ...RULES, fail_hard } } });
    const question = firstQuestion(searched);
    if (!question) return;

    const index = (name) => tree.nodes.findIndex((node) => node.name === name);
    const [yes, no] = question.reasons;
    assert.notEqual(yes, no, "a reason for each answer");
    for (const reason of [yes, no]) {
      const { node, skipped, isAtLeast, value, who, how, via, limit, end } = claimOf(reason);
      assert.equal(index(skipped), question.node);
      for (const worth of [-1000, 0, 1000]) {
        const now = minimax(tree, index(node), question.node, worth);
        assert.ok(isAtLeast ? now >= value : now <= value, `${reason} ${now}`);
      }
      const there = minimax(tree, index(via));
      if (!end) assert.equal(there, limit, reason);
      else assert.ok(end === "less" ? there <= limit : there >= limit, `${reason} ${there}`);
      if (end) assert.equal(isAtLeast, end === "less", "the other player has less, or more");
      const { low, high } = searched.nodeAt(index(via), question.step);
      assert.equal(low === high && low === limit, !end, "as the node itself shows");
      assert.equal(who, isAtLeast ? "MIN" : "MAX");
      assert.ok(isAtLeast ? limit <= value : limit >= value);
      assert.equal(how, limit === value ? "as well" : "better");

      const parts = reason.replace(" Press Next.", "").split(/[.,:] /);
      for (const show of SHOWS) {
        const said = narrate(searched, question.step, show);
        for (const part of parts) assert.ok(!said.includes(part), "and is not said twice");
      }
    }
  });
}

test("a reason that cannot be said in a few words is left to the next step", () => {
  const first = (nested, options) => {
    const original = trace(fromNested(nested), { ...PLAIN, ...options });
    return firstQuestion(original)?.reasons[YES];
  };
  const later = "Press Next to see why.";
  assert.notEqual(first([[3], [2, 9]], {}), later);
  assert.equal(first([[3], [-Infinity, 9]], {}), later, "2 or less, but not −∞ or less");
  assert.equal(first([[1, 9], [0]], { alpha: 4 }), later, "a bound of the search itself");
});

for (const show of SHOWS) {
  test(`Next cut asks, too, and goes on as it did before: ${show}`, () => {
    const jump = { type: "nextCut" };
    const first = opened(undefined, { show });
    const cuts = first.trace.cuts.map(({ step }) => step);
    const open = after(first, jump);
    assert.deepEqual([open.step, openQuestion(open).kind], [cuts[0] - 1, "first"]);
    for (const answers of [[], [pick(YES)], [pick(NO)]]) {
      assert.equal(after(open, ...answers, jump).step, cuts[0]);
    }

    const steps = cuts.map((_, place) => after(open, ...cuts.slice(0, place + 1).map(() => jump)));
    assert.deepEqual(
      steps.map(({ step }) => step),
      cuts,
    );
    assert.equal(after(first, { ...jump, wasAsked: true }).step, cuts[0]);
    assert.equal(after(first, go(cuts[0]), go(0), jump).step, cuts[0], "who has seen it");
    assert.deepEqual(asked([after(first, { type: "predict" }, jump)]), []);
    assert.equal(after(first, { type: "turn", mode: "practice" }, jump).step, 0);
  });
}

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
