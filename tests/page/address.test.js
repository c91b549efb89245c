// The address of a step: what is written is read again, and what cannot be shown is refused.

import assert from "node:assert/strict";
import { test } from "node:test";

import {
  changesOf,
  hashOf,
  isForTree,
  numberAsked,
  openedByHand,
  readAddress,
  readOpened,
} from "../../abviz/views/page/core/address.js";
import { fromNested, random, withValue } from "../../abviz/views/page/core/edit.js";
import { PARTS } from "../../abviz/views/page/core/levels.js";
import { Trace, trace } from "../../abviz/views/page/core/trace.js";
import { NOTHING, reduce } from "../../abviz/views/page/state.js";
import { RULES } from "./rules.js";

const PLAIN = { search: "alphabeta", rules: RULES, depth: null };
const known = (tree) => tree;

function opened(original) {
  return reduce(NOTHING, { type: "open", original, edited: null, step: 0 });
}

const visit = (state, hash) =>
  reduce(state, { type: "visit", ...readAddress(hash, { ...state, known }) });

test("an address is for a tree where it says something of one", () => {
  const forTree = ["#step=4", "#on=2&step=0", "#tree=[1,2]", "#other=1&show=all", "#depth="];
  const forOthers = ["", "#", "#step", "#a-heading", "#ending=o.o..x..x", "#ending=step"];
  for (const hash of forTree) assert.ok(isForTree(hash), hash);
  for (const hash of forOthers) assert.ok(!isForTree(hash), hash);
});

for (let seed = 1; seed <= 60; seed++) {
  test(`an address leads to what it was written for: ${seed}`, () => {
    const treeOf = (seed) =>
      random({ depth: 1 + (seed % 3), breadth: 3, low: -9, high: 9, ties: true, seed });
    const own = treeOf(seed);
    const original = trace(own, PLAIN);
    const page = opened(original);

    const bits = seed * 37;
    const names = Object.keys(RULES);
    const rules = Object.fromEntries(names.map((name, place) => [name, !!(bits & (1 << place))]));
    const search = seed % 4 ? "alphabeta" : "minimax";
    const depth = seed % 5 ? null : 1;
    const tree = [own, withValue(own, own.nodes.length - 1, seed), treeOf(seed + 7)][seed % 3];
    const hasValues = depth === null; // an inner node has none for a search that stops there
    const options = hasValues ? { search, rules, depth } : PLAIN;
    const shown = trace(tree, options);
    const step = seed % (shown.length + 1);

    const hash = hashOf({ trace: shown, original, step, number: 1 + (seed % 2) });
    assert.equal(numberAsked(hash), 1 + (seed % 2));
    const after = visit(page, hash);
    assert.equal(after.problem, "");
    assert.equal(after.step, step);
    assert.deepEqual(after.trace.events, shown.events);
    assert.deepEqual(after.trace.rules, shown.rules);
    assert.equal(after.trace.tree.shape, tree.shape);
    assert.deepEqual(changesOf(after.trace, original), changesOf(shown, original));
  });
}

test("the address of the page's own tree is its step alone", () => {
  const original = trace(fromNested([[1, 2], 3]), PLAIN);
  assert.equal(hashOf({ trace: original, original, step: 4, number: 1 }), "#step=4");
  assert.equal(hashOf({ trace: original, original, step: 4, number: 3 }), "#on=3&step=4");
});

test("what cannot be read says what is wrong, and so does a step that there is not", () => {
  const page = opened(trace(fromNested([[1, 2], 3]), PLAIN));
  assert.throws(() => visit(page, "#tree=[[3"), /expected a comma or/);
  assert.throws(() => visit(page, "#rules=strict,loose"), /no search or rule loose/);
  assert.throws(() => visit(page, "#search=recorded"), /no search or rule recorded/);

  const lost = visit(page, "#step=99");
  assert.equal(lost.trace, page.trace);
  assert.match(lost.problem, /there is no step 99; .*the page’s own tree/);
  const other = visit(page, "#tree=[4,5]&step=99");
  assert.equal(other.trace.value, 5);
  assert.match(other.problem, /no step 99; .*the tree of the address/);
  const unknown = visit(page, "#tree=[[3,5],[2,null]]&search=minimax");
  assert.equal(unknown.trace, page.trace);
  assert.match(unknown.problem, /^The address does not fit: .*the page’s own tree\.$/);
});

test("an address opens once more what it has opened, and a problem before it is forgotten", () => {
  const page = opened(trace(fromNested([[1, 2], 3]), PLAIN));
  const lost = visit(page, "#step=99");
  const found = visit(lost, "#step=2");
  assert.deepEqual([found.step, found.problem], [2, ""]);
  assert.equal(visit(found, "#step=2").step, 2);
});

test("an address of a recorded run opens our own search of its tree, and keeps it open", () => {
  const own = trace(fromNested([[1, 2], 3]), PLAIN);
  const options = { ...PLAIN, search: "recorded", alpha: -Infinity, beta: Infinity, returned: 3 };
  const original = new Trace(own.tree, own.events, options);
  const page = opened(original);
  const hash = hashOf({ trace: own, original, step: 3, number: 1 });
  const compared = visit(page, hash);
  assert.deepEqual([compared.trace.search, compared.step], ["alphabeta", 3]);
  assert.equal(visit(compared, hash).trace, compared.trace);
});

test("what was kept of another page changes nothing", () => {
  const page = opened(trace(fromNested([[1, 2], 3]), PLAIN));
  const { changes } = readAddress("#tree=[[3,5],[2,null]]&search=minimax", { ...page, known });
  assert.equal(reduce(page, { type: "reopen", changes }), page);
  const left = readAddress("#tree=[[3,5],[2,4]]&search=minimax&rules=", { ...page, known });
  const after = reduce(page, { type: "reopen", changes: left.changes });
  assert.deepEqual([after.trace.search, after.trace.value, after.past.length], ["minimax", 3, 1]);
});

test("what has been opened and closed by hand is read as it was written", () => {
  const choices = [undefined, true, false];
  for (let bits = 0; bits < 2 * 3 ** PARTS.length; bits++) {
    const parts = {};
    let left = bits >> 1;
    for (const part of PARTS) {
      const choice = choices[left % 3];
      if (choice !== undefined) parts[part] = choice;
      left = Math.floor(left / 3);
    }
    const opened = { parts, hasHistory: bits % 2 === 1 };
    const written = openedByHand(opened);
    assert.deepEqual(readOpened(`#edition=3&${written.join("&")}`), opened);
    assert.equal(written.length, Object.keys(parts).length || opened.hasHistory ? 1 : 0);
  }
  assert.deepEqual(readOpened("#open=everything,-no"), { parts: {}, hasHistory: false });
});
