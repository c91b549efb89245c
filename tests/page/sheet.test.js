// Practice without a page: which marks are asked for, what is said of them, and what never happens
// whatever is done.

import assert from "node:assert/strict";
import { test } from "node:test";

import { fromNested, withValue } from "../../abviz/views/page/core/edit.js";
import { countOf, marksOf, similarTree } from "../../abviz/views/page/core/marks.js";
import { number } from "../../abviz/views/page/core/numbers.js";
import { isSameTree, trace } from "../../abviz/views/page/core/trace.js";
import { isFilledIn, keptOf } from "../../abviz/views/page/sheet.js";
import { NOTHING, reduce } from "../../abviz/views/page/state.js";
import { RULES } from "./rules.js";

const PLAIN = { search: "alphabeta", rules: RULES, depth: null };
const MINIMAX = { ...PLAIN, search: "minimax" };
const NESTED = [
  [3, 5],
  [[[0, 7], 5], [7, 8], 4],
];
const practice = { type: "turn", mode: "practice" };

/** The state in which a page opens, and practice has been turned on. */
function practicing(options = PLAIN, seed = 7) {
  const original = trace(fromNested(NESTED), options);
  const opened = reduce({ ...NOTHING, seed }, { type: "open", original, edited: null, step: 3 });
  return reduce(opened, practice);
}

const after = (first, ...actions) => actions.reduce(reduce, first);
const fill = (key, text) => ({ type: "fill", key, text });

/** What makes all the marks that are asked for, rightly. */
function allRight({ sheet, trace: shown }) {
  const asked = marksOf(shown).filter(({ key }) => !sheet.given.has(key));
  return asked.flatMap(({ key, field, expected, index }) => {
    if (field !== "cut") return [fill(key, expected)];
    return expected ? [{ type: "markCut", index }] : [];
  });
}

/** Numbers in [0, 1), the same for the same seed. */
function dice(seed) {
  let now = seed;
  return () => {
    now = (now * 48271) % 2147483647;
    return now / 2147483647;
  };
}

/** Trees, some of whose skipped parts have parts of their own. */
const TREES = [
  NESTED,
  [[3], [2, [1, [5, 6]]]],
  [
    [[1, 2], 9],
    [
      [[8, 7], 6],
      [5, [4, 3]],
    ],
    0,
  ],
];

test("the marks are what the recursion itself says", () => {
  for (const nested of TREES) compareWithRecursion(trace(fromNested(nested), PLAIN));
});

function compareWithRecursion(shown) {
  const { nodes } = shown;
  const expected = new Map();

  /** Alpha-beta as it is taught: what stands in each node as the search leaves it. */
  const visit = (index, alpha, beta) => {
    const { name, isMax, children, value } = nodes[index];
    if (!children.length) return value;
    let [low, high, best] = [alpha, beta, isMax ? -Infinity : Infinity];
    children.forEach((child) => {
      if (isMax ? best >= high : best <= low) {
        expected.set(`cut ${nodes[child].name}`, true);
        return;
      }
      const returned = visit(child, low, high);
      best = isMax ? Math.max(best, returned) : Math.min(best, returned);
      if (isMax) low = Math.max(low, best);
      else high = Math.min(high, best);
    });
    for (const [field, at] of Object.entries({ alpha: low, beta: high, bv: best })) {
      expected.set(`${field} ${name}`, number(at));
    }
    return best;
  };
  visit(0, -Infinity, Infinity);

  const marks = marksOf(shown).filter((mark) => mark.expected);
  assert.deepEqual(
    Object.fromEntries(marks.map((mark) => [mark.key, mark.expected])),
    Object.fromEntries(expected),
  );
}

for (const [name, options] of Object.entries({ alphabeta: PLAIN, minimax: MINIMAX })) {
  for (const kind of ["all", "few"]) {
    test(`a sheet that is filled in rightly is right: ${name}, ${kind}`, () => {
      const empty = after(practicing(options), { type: "begin", kind }, { type: "judge" });
      assert.match(empty.sheet.text, /^0 of \d+ marks right, \d+ missing\.$/);
      assert.deepEqual(empty.sheet.reasons, []);
      const { given } = empty.sheet;
      const asked = marksOf(empty.trace).filter(({ key }) => !given.has(key));
      const counted = asked.filter(({ expected }) => expected);
      if (kind === "few") assert.equal(counted.length, 5);
      else assert.equal(given.size, 0);

      const full = after(empty, ...allRight(empty), { type: "judge" });
      assert.equal(full.sheet.text, `${counted.length} of ${counted.length} marks right.`);
      assert.equal(after(full, { type: "hint" }).sheet.text, "Everything is right.");
      const result = JSON.parse(after(full, { type: "handIn" }).sheet.result);
      assert.deepEqual(result.score, [counted.length, counted.length]);
      assert.equal(result.search, name);
    });
  }
}

test("a wrong mark is called wrong with its reason, until it is made anew", () => {
  const [first] = marksOf(practicing().trace);
  const judged = after(practicing(), fill(first.key, "77"), { type: "handIn" });
  assert.equal(judged.sheet.verdicts.get(first.key), "wrong");
  assert.ok(judged.sheet.reasons[0].includes(first.place) && judged.sheet.result);
  assert.match(after(judged, { type: "hint" }).sheet.text, /^Look at /);

  const anew = after(judged, fill(first.key, "7"));
  assert.ok(!anew.sheet.verdicts.has(first.key));
  assert.equal(anew.sheet.result, "", "it is never of earlier answers");
  assert.equal(anew.sheet.given, judged.sheet.given, "the fields stay");
});

test("the number of marks is the same, whatever is filled in", () => {
  const totalOf = (state) => after(state, { type: "judge" }).sheet.text.match(/of (\d+)/)[1];
  for (const options of [PLAIN, MINIMAX]) {
    const empty = practicing(options);
    const total = totalOf(empty);
    const marks = marksOf(empty.trace);
    const everything = marks.map(({ key, field, index }) =>
      field === "cut" ? { type: "markCut", index } : fill(key, "3"),
    );
    for (let many = 0; many <= everything.length; many++) {
      assert.equal(totalOf(after(empty, ...everything.slice(0, many))), total);
    }
    const all = after(empty, ...everything, { type: "handIn" });
    assert.equal(all.sheet.standing, "wrong");
    const [points, most] = JSON.parse(all.sheet.result).score;
    assert.ok(points < most, "to mark everything is not to be right");
  }
});

test("a mark too many is called so, and costs a point", () => {
  const state = practicing();
  const mark = marksOf(state.trace).find(({ field, expected }) => field === "cut" && !expected);
  const full = after(state, ...allRight(state), { type: "markCut", index: mark.index });
  const judged = after(full, { type: "handIn" });
  const [points, most] = JSON.parse(judged.sheet.result).score;
  assert.equal(judged.sheet.text, `${most} of ${most} marks right, 1 too many.`);
  assert.equal(judged.sheet.standing, "wrong");
  assert.equal(points, most - 1);
});

test("hints begin where the search first leaves a node, and follow it", () => {
  for (const options of [PLAIN, MINIMAX]) {
    let state = practicing(options);
    const { trace: shown } = state;
    const left = shown.states.map((states) => states.find(([, { state: as }]) => as === "done"));
    const order = shown.nodes
      .filter(({ index, children }) => children.length && left[index])
      .sort((one, other) => left[one.index][0] - left[other.index][0]);
    for (const { name, short, isMax } of order) {
      const most = isMax ? "largest" : "smallest";
      assert.equal(
        after(state, { type: "hint" }).sheet.text,
        `Look at bv of ${short}: the ${most} value that a child of ${short} has returned.`,
      );
      for (const { key, field, expected, index } of marksOf(shown)) {
        if (field !== "cut" && key.endsWith(` ${name}`)) state = after(state, fill(key, expected));
        const isBelow = field === "cut" && shown.nodes[shown.nodes[index].parent].name === name;
        if (isBelow && expected) state = after(state, { type: "markCut", index });
      }
    }
    assert.equal(after(state, { type: "hint" }).sheet.text, "Everything is right.");
  }
});

test("an edge that is not cut is marked wrongly, and taken back", () => {
  const state = practicing();
  const mark = marksOf(state.trace).find(({ field, expected }) => field === "cut" && !expected);
  const marking = { type: "markCut", index: mark.index };
  const judged = after(state, marking, { type: "judge" });
  assert.equal(judged.sheet.verdicts.get(mark.key), "wrong");
  assert.match(judged.sheet.reasons[0], /does not cut it off/);
  const back = after(judged, marking);
  assert.ok(!back.sheet.cuts.has(mark.key) && !back.sheet.verdicts.has(mark.key));
  assert.equal(after(state, { type: "markCut", index: 0 }), state, "no edge is above the root");
});

test("the solution is every right mark, and hides the reader's own only for a while", () => {
  for (const options of [PLAIN, MINIMAX]) {
    for (const kind of ["all", "few"]) {
      const begun = after(practicing(options), { type: "begin", kind });
      const [{ key }] = marksOf(begun.trace).filter((mark) => !begun.sheet.given.has(mark.key));
      const own = after(begun, fill(key, "77"), { type: "handIn" });
      const solved = after(own, { type: "solve" });
      for (const mark of marksOf(own.trace)) {
        assert.equal(solved.sheet.given.get(mark.key), mark.expected);
        if (mark.field === "cut") assert.equal(solved.sheet.cuts.has(mark.key), mark.expected);
      }
      assert.equal(solved.sheet.result, own.sheet.result, "the text to hand in stays");
      assert.equal(after(solved, fill(key, "5")), solved);
      assert.ok(isFilledIn(solved));
      assert.deepEqual(keptOf(solved), keptOf(own), "what is remembered is the reader's");
      assert.equal(after(solved, { type: "solve" }).sheet, own.sheet);
      assert.deepEqual(after(solved, { type: "judge" }).sheet.verdicts, own.sheet.verdicts);
    }
  }
});

test("which few marks are asked for is a matter of the seed alone", () => {
  const drawn = (seed) => {
    const { sheet } = after(practicing(PLAIN, seed), { type: "begin", kind: "few" });
    return String([...sheet.given.keys()]);
  };
  const seeds = [1, 2, 3, 4, 5, 6, 7, 8];
  assert.deepEqual(seeds.map(drawn), seeds.map(drawn));
  assert.ok(new Set(seeds.map(drawn)).size > 1);
  const few = after(practicing(), { type: "begin", kind: "few" });
  assert.notDeepEqual(after(few, { type: "begin" }).sheet.given, few.sheet.given);
});

test("what is given cannot be changed, and what there is not cannot be filled in", () => {
  const few = after(practicing(), { type: "begin", kind: "few" });
  const [key] = few.sheet.given.keys();
  for (const wrong of [key, "bv nobody", "cut A", "", "cut"]) {
    assert.equal(after(few, fill(wrong, "3")), few, wrong);
  }
});

test("a sheet is remembered and taken up again, with practice on or off", () => {
  const state = practicing();
  assert.equal(keptOf(state), null);
  const made = after(state, { type: "begin", kind: "few" });
  const full = after(made, ...allRight(made));
  for (const isOn of [true, false]) {
    const left = isOn ? full : after(full, practice);
    const kept = JSON.parse(JSON.stringify(keptOf(left)));
    assert.equal(kept.on, isOn);

    const fresh = after(practicing(), practice);
    const again = after(fresh, { type: "resume", marks: kept });
    assert.equal(again.mode, isOn ? "practice" : "");
    for (const fact of ["kind", "given", "answers", "cuts"]) {
      assert.deepEqual(again.sheet[fact], full.sheet[fact], fact);
    }
    assert.equal(after(again, { type: "resume", marks: kept }).mode, again.mode, "twice");
  }
});

test("a similar tree has the same shape, and leaves in the same range", () => {
  const tree = fromNested([[-4, 12], 3]);
  const random = dice(5);
  for (let time = 0; time < 50; time++) {
    const other = similarTree(tree, random);
    assert.equal(other.shape, tree.shape);
    const values = other.nodes.filter(({ value }) => value !== null).map(({ value }) => value);
    assert.ok(values.every((value) => value >= -4 && value <= 12 && Number.isInteger(value)));
  }
});

for (let seed = 1; seed <= 40; seed++) {
  test(`whatever is done, a sheet is about this search and reveals nothing: ${seed}`, () => {
    const random = dice(seed * 7919);
    const choose = (items) => items[Math.floor(random() * items.length)];
    let state = practicing(PLAIN, seed);
    for (let time = 0; time < 60; time++) {
      const { tree } = state.trace;
      const { key, index } = choose(marksOf(state.trace));
      const leaf = tree.nodes.at(-1).index;
      const action = choose([
        fill(key, choose(["3", "", "-inf", "no"])),
        fill(key, "5"),
        { type: "markCut", index },
        { type: "markCut", index },
        { type: "judge" },
        { type: "hint" },
        { type: "handIn" },
        { type: "solve" },
        { type: "begin", kind: choose(["all", "few"]) },
        { type: "search", tree: similarTree(tree, random) },
        { type: "search", tree, options: choose([PLAIN, MINIMAX]) },
        { type: "drag", index: leaf, value: choose([1, 4]) },
        { type: "search", tree: withValue(tree, leaf, 9) },
        { type: "undo" },
        { type: "redo" },
        { type: "go", step: 5 },
        { type: "next" },
        { type: "follow", step: 2 },
        { type: "fold", index: 0 },
        { type: "ask", asked: choose([["bv"], []]) },
        choose([practice, { type: "turn", mode: "edit" }, { type: "predict" }]),
      ]);
      const before = state;
      state = reduce(before, action);
      const why = `${JSON.stringify({ ...action, tree: undefined })} at ${time}`;

      const sheet = state.sheet?.own ?? state.sheet;
      const old = before.sheet?.own ?? before.sheet;
      if (state.mode !== "practice") {
        assert.ok(!isFilledIn(state), why);
        continue;
      }
      assert.ok(state.step === 0 && !state.closed.size && !state.open, why);
      assert.equal(sheet.trace, state.trace, why);
      const keys = new Set(marksOf(state.trace).map((mark) => mark.key));
      for (const each of [...sheet.answers.keys(), ...sheet.verdicts.keys()]) {
        assert.ok(keys.has(each) && !sheet.given.has(each), `${each}: ${why}`);
      }
      const asked = [...keys].filter((each) => !sheet.given.has(each));
      assert.equal(asked.length, sheet.kind === "all" ? keys.size : Math.min(5, keys.size), why);
      const isJudging = ["judge", "handIn"].includes(action.type);
      if (!isJudging && sheet.verdicts.size) {
        assert.ok(
          [...sheet.verdicts].every(([each, verdict]) => {
            return old.verdicts.get(each) === verdict;
          }),
          `only Check judges: ${why}`,
        );
      }
      if (old.trace !== state.trace) assert.equal(sheet.answers.size, 0, why);
      assert.ok(isSameTree(sheet.trace.tree, state.trace.tree), why);
    }
  });
}

// ------------------------------------------------------------------ assigned practice

const ANN = { id: "1001", name: "Ann", label: "Ann (1001)", file: "student-1001_ann" };

/** The state in which an assigned page opens. */
function assigned(seed = 7) {
  const original = trace(fromNested(NESTED), PLAIN);
  const start = { ...NOTHING, seed, assigned: ANN };
  return after(start, { type: "open", original, edited: null, step: 0 }, practice);
}

test("whatever is done, an assigned page stays in practice, on its tree, under its rules", () => {
  const other = fromNested([[1, 2], 3]);
  const minimax = { tree: fromNested(NESTED), options: MINIMAX };
  const actions = [
    { type: "search", tree: other },
    { type: "search", ...minimax },
    { type: "renew", tree: other },
    { type: "adopt", ...minimax },
    { type: "answer", tree: other },
    { type: "visit", changes: minimax },
    { type: "reopen", changes: { tree: other, options: PLAIN } },
    { type: "undo" },
    { type: "redo" },
    { type: "compare" },
    { type: "drag", index: 2, value: 7 },
    { type: "drop" },
    { type: "openField", kind: "value", index: 2 },
    { type: "enter", text: "7" },
    { type: "addChild" },
    { type: "turn", mode: "edit" },
    { type: "turn", mode: "practice" },
    { type: "turn", mode: "" },
    { type: "predict" },
    { type: "ask", asked: ["cut"] },
    { type: "split" },
    { type: "solve" },
    { type: "begin", kind: "few" },
    { type: "hint" },
    { type: "explain", index: 2 },
    { type: "go", step: 5 },
    { type: "next" },
    { type: "nextCut" },
    { type: "judge" },
    { type: "handIn" },
    fill("bv A", "7"),
    { type: "markCut", index: 2 },
  ];

  const random = dice(17);
  let state = assigned();
  const { trace: own } = state;
  for (let time = 0; time < 400; time++) {
    state = reduce(state, actions[Math.floor(random() * actions.length)]);
    assert.equal(state.trace, own);
    assert.equal(state.mode, "practice");
    assert.equal(state.step, 0);
    assert.equal(state.sheet.own, null);
    assert.equal(state.sheet.given.size, 0);
    assert.deepEqual([state.isSplit, state.asked], [false, []]);
    assert.deepEqual([state.explained, state.open], [-1, null]);

    // nothing says which marks are right, or what would be
    const { verdicts, reasons, text, standing } = state.sheet;
    assert.deepEqual([verdicts.size, reasons.length, standing], [0, 0, ""]);
    assert.equal(text, "");
  }
});

test("an assigned page counts the marks that are made, whether or not they are right", () => {
  const right = allRight(assigned());
  const { index } = marksOf(assigned().trace).find(
    ({ field, expected }) => field === "cut" && !expected,
  );
  const wrong = [fill("bv A", "99"), { type: "markCut", index }];
  const counted = (...actions) => countOf(after(assigned(), ...actions).sheet);
  const fields = marksOf(assigned().trace).filter(({ field }) => field !== "cut");
  const filledIn = (number, cuts) =>
    `Filled in: ${number} of ${fields.length} fields. Edges cut: ${cuts}.`;

  const cuts = right.filter(({ type }) => type === "markCut").length;
  assert.equal(counted(), filledIn(0, 0));
  assert.equal(counted(...right), filledIn(right.length - cuts, cuts));
  assert.equal(counted(...wrong), filledIn(1, 1));
  assert.equal(counted(fill("bv A", " ")), filledIn(0, 0));
  assert.equal(JSON.parse(after(assigned(), { type: "handIn" }).sheet.result).score, undefined);
});

test("a notice goes with the next thing that is done in practice", () => {
  const noticed = reduce(practicing(), { type: "complain", problem: "As you left them." });
  for (const action of [fill("bv A", "7"), { type: "markCut", index: 2 }, { type: "judge" }]) {
    assert.equal(reduce(noticed, action).problem, "");
  }
});

test("the result of an assigned page names the student, and marks are taken up again", () => {
  const state = after(assigned(), fill("bv A", "7"), { type: "handIn" });
  const result = JSON.parse(state.sheet.result);
  assert.deepEqual(result.student, { id: "1001", name: "Ann" });
  assert.ok(state.sheet.result.startsWith('{"abviz":"practice"'));

  const again = reduce(assigned(), { type: "resume", marks: keptOf(state) });
  assert.deepEqual([...again.sheet.answers], [["bv A", "7"]]);
  assert.equal(again.mode, "practice");
  assert.equal(JSON.parse(after(practicing(), { type: "handIn" }).sheet.result).student, undefined);
});
