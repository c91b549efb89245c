// Which code of a chapter's page stands on which other.

import assert from "node:assert/strict";
import { test } from "node:test";

import { codeBehind, definedIn } from "../../tools/web/page/code.js";

for (const [source, names] of [
  ["def search(node):\n    best = 1\n    return best", ["search"]],
  ["async def wait():\n    pass\nclass Game(Base):\n    size = 3", ["wait", "Game"]],
  ["from abviz import (\n    load,\n    watch as look,\n)", ["load", "look"]],
  ["import os.path, math as m", ["os", "m"]],
  ["first, (second, third) = 1, (2, 3)", ["first", "second", "third"]],
  ["total: int = 3\ncount += 1", ["total", "count"]],
  ["for leaf in leaves:\n    last = leaf", ["leaf", "last"]],
  ["with open(path) as file:\n    text = file.read()", ["file", "text"]],
  ["tree = load(\n    'two-min',\n)", ["tree"]],
  ["value == 3\nshow(value, size=4)", []],
  ['# tree = 1\n\'tree = 2\'\n"""\ntree = 3\n"""', []],
]) {
  test(`names given a value by ${JSON.stringify(source)}`, () => {
    assert.deepEqual([...definedIn(source)].sort(), [...names].sort());
  });
}

const SOURCES = [
  "from abviz import load, watch",
  "tree = load('two-min')",
  "def half(n):\n    return n / 2",
  "def best(node):\n    return half(node.value)",
  "best(tree)",
  "print('half of best')",
  "tree = load('worked-example')",
  "watch(best, tree)",
];

/** @type {(place: number, changed: number) => boolean} */
const dependsOn = (place, changed) => {
  const other = SOURCES.with(changed, `${SOURCES[changed]}\nanother = 1`);
  return codeBehind(SOURCES, place) !== codeBehind(other, place);
};

for (const [place, needed] of [
  [0, [0]],
  [1, [0, 1]],
  [3, [2, 3]],
  [4, [0, 1, 2, 3, 4]],
  [5, [5]],
  [7, [0, 2, 3, 6, 7]], // the tree is the last one above
]) {
  test(`${SOURCES[place]} stands on ${needed}`, () => {
    const found = SOURCES.map((_, at) => at).filter((at) => dependsOn(place, at));
    assert.deepEqual(found, needed);
  });
}

test("a value that is changed in its place stands on what it was", () => {
  const sources = ["n = 1", "n += 1", "n"];
  assert.equal(codeBehind(sources, 2), sources.join("\n# %%\n"));
});
