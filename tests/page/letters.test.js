// The letters for the best value below.

import assert from "node:assert/strict";
import { afterEach, test } from "node:test";

import {
  lettered,
  letteredLine,
  lettersInUse,
  showLetters,
} from "../../abviz/views/page/core/letters.js";
import { fill } from "../../abviz/views/page/core/words.js";

afterEach(() => showLetters("bv"));

test("a text says v where a course writes that, and only where it stands for the best value", () => {
  assert.equal(lettered("bv of A is bv"), "bv of A is bv");
  showLetters("v");
  assert.equal(lettersInUse(), "v");
  assert.equal(lettered("bv of A: its bv, and obvious"), "v of A: its v, and obvious");
});

test("a blank keeps its name, and so does a node", () => {
  showLetters("v");
  assert.equal(fill("bv of {node} is {bv}", { node: "bv", bv: 3 }), "v of bv is 3");
});

test("in code a child's value makes room for the best value", () => {
  showLetters("v");
  assert.equal(letteredLine("if v > bv: bv ← v"), "if value > v: v ← value");
});

test("other letters are the usual ones", () => {
  for (const letters of [undefined, "", "w"]) {
    showLetters(letters);
    assert.equal(lettersInUse(), "bv");
  }
});
