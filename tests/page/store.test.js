// What a chapter's page keeps of a reader's work.

import assert from "node:assert/strict";
import { test } from "node:test";

import { PREFIX, rightIn, Store } from "../../tools/web/page/store.js";

/** @param {Record<string, unknown>} kept by their names in this course */
function keep(kept) {
  kept = Object.fromEntries(Object.entries(kept).map(([name, text]) => [PREFIX + name, text]));
  globalThis.localStorage = /** @type {Storage} */ (
    /** @type {unknown} */ ({
      ...kept,
      getItem: (/** @type {string} */ name) => kept[name] ?? null,
    })
  );
}

const RIGHT = JSON.stringify({ exercise: "minimax", status: "right", of: "code" });
const WRONG = JSON.stringify({ exercise: "minimax", status: "wrong", of: "code" });

for (const [what, kept, right] of /** @type {[string, Record<string, unknown>, number][]} */ ([
  ["nothing", {}, 0],
  ["a right answer", { "01 verdict () a": RIGHT }, 1],
  ["a wrong one", { "01 verdict () a": WRONG }, 0],
  ["one of two cells is right", { "01 verdict () a": WRONG, "01 verdict () b": RIGHT }, 1],
  ["both are", { "01 verdict () a": RIGHT, "01 verdict () b": RIGHT }, 1],
  ["another chapter's", { "02 verdict () a": RIGHT }, 0],
  ["one under other rules", { "01 verdict (strict) a": RIGHT }, 0],
  ["what is broken", { "01 verdict () a": "{", "01 verdict () b": "null" }, 0],
])) {
  test(`exercises that are right: ${what}`, () => {
    keep(kept);
    assert.equal(rightIn("01", ["minimax", "order"], ""), right);
  });
}

test("a verdict that is not one is none", () => {
  const store = new Store("01", "", () => {});
  for (const text of ["{", "null", "3", '{"exercise": "minimax", "status": 1, "of": ""}']) {
    keep({ "01 verdict () a": text });
    assert.equal(store.verdict("a"), null);
  }
});

test("a verdict is under the rules of its class", () => {
  keep({ "01 verdict (strict) a": RIGHT });
  assert.equal(new Store("01", "", () => {}).verdict("a"), null);
  assert.equal(new Store("01", "strict", () => {}).verdict("a")?.status, "right");
  assert.equal(rightIn("01", ["minimax"], "strict"), 1);
});

test("what other programs, or earlier editions, have left under its names does no harm", () => {
  for (const text of ["{", "null", "3", '"text"', '[{"source": 1}]', '{"source": "", "mine": 3}']) {
    keep({ answers: text, "01 a": text });
    const store = new Store("01", "", () => {});
    assert.deepEqual(
      Object.values(store.answers()).filter((each) => typeof each === "object"),
      [],
    );
    assert.equal(store.read("a"), null);
  }
  keep({ answers: '{"leaves": 3, "root": "yes", "odd": {"a": 1}, "none": null}' });
  assert.deepEqual(new Store("01", "", () => {}).answers(), { leaves: 3, root: "yes" });
});

test("answers are known on the page that keeps none", () => {
  let refused = 0;
  keep({ answers: '{"leaves": 3}' });
  globalThis.localStorage.setItem = () => {
    throw new DOMException("full", "QuotaExceededError");
  };
  const store = new Store("01", "", () => {
    refused += 1;
  });
  store.writeAnswers({ root: "yes" });
  store.writeAnswers({ cuts: 2 });
  assert.deepEqual(store.answers(), { leaves: 3, root: "yes", cuts: 2 });
  assert.equal(refused, 1);
});
