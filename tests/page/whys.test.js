// Why a node was skipped: what is said to whom asks, and for how long.

import assert from "node:assert/strict";
import { test } from "node:test";

import { canExplain } from "../../abviz/views/page/actions/steps.js";
import { fromNested, random, withValue } from "../../abviz/views/page/core/edit.js";
import { SHOWS } from "../../abviz/views/page/core/levels.js";
import { trace } from "../../abviz/views/page/core/trace.js";
import { whySkipped } from "../../abviz/views/page/core/whys.js";
import { narrate } from "../../abviz/views/page/core/words.js";
import { NOTHING, reduce } from "../../abviz/views/page/state.js";
import { RULES } from "./rules.js";

const PLAIN = { search: "alphabeta", rules: RULES, depth: null };
const NESTED = [
  [3, 5],
  [[[0, 7], 5], [7, 8], 4],
];

function opened(tree = fromNested(NESTED)) {
  const original = trace(tree, PLAIN);
  return reduce(NOTHING, { type: "open", original, edited: null, step: original.length });
}

const after = (first, ...actions) => actions.reduce(reduce, first);
const explain = (index) => ({ type: "explain", index });
const skippedIn = ({ trace: shown, step }) =>
  shown.nodes.filter(({ index }) => shown.nodeAt(index, step).state === "skipped");

for (let seed = 1; seed <= 12; seed++) {
  test(`it is the cut at the nearest node above that was not skipped: ${seed}`, () => {
    const tree = random({ depth: 3 + (seed % 2), breadth: 2, low: -9, high: 9, seed });
    const searched = trace(tree, PLAIN);
    for (const { index, name } of tree.nodes) {
      for (let step = 0; step <= searched.length; step++) {
        const why = whySkipped(searched, step, index);
        const isSkipped = searched.nodeAt(index, step).state === "skipped";
        assert.equal(why !== null, isSkipped);
        if (!why) continue;

        const path = tree.path(index);
        const top = path.find((at) => searched.nodeAt(at, step).state === "skipped");
        const cut = searched.cuts.find(({ at }) => at === tree.nodes[top].parent);
        assert.ok(cut.skipped.includes(top) && cut.step <= step && why.step === cut.step);
        const whom = top === index ? name : `${name} was skipped with ${tree.nodes[top].name}`;
        for (const show of SHOWS) {
          const { text } = whySkipped(searched, step, index, show);
          const begins = top === index ? `${whom} was skipped. ` : `${whom}. `;
          assert.equal(text, begins + narrate(searched, cut.step, show));
        }
      }
    }
  });
}

test("it is said until something else is shown", () => {
  const first = opened();
  const [skipped, other] = skippedIn(first);
  const said = after(first, explain(skipped.index));
  assert.equal(said.explained, skipped.index);
  assert.equal(after(said, explain(skipped.index)), said);
  assert.equal(after(said, explain(other.index)).explained, other.index);
  assert.equal(after(said, { type: "showLevel", show: "values" }).explained, skipped.index);

  const changed = withValue(first.trace.tree, skipped.index, 42);
  for (const action of [
    explain(-1),
    { type: "go", step: 3 },
    { type: "turn", mode: "edit" },
    { type: "turn", mode: "practice" },
    { type: "search", tree: changed },
    { type: "openField", kind: "value", index: skipped.index },
  ]) {
    assert.equal(after(said, action).explained, -1, JSON.stringify(action));
  }
});

test("nothing is said of other nodes, in other modes, or while something is asked", () => {
  const first = opened();
  const [{ index }] = skippedIn(first);
  const read = first.trace.nodes.filter((node) => !skippedIn(first).includes(node));
  for (const node of read) assert.equal(after(first, explain(node.index)), first);

  for (const mode of ["edit", "practice"]) {
    const other = after(first, { type: "turn", mode });
    assert.equal(after(other, explain(index)), other);
  }
  let asked = after(first, { type: "ask", asked: ["returned"] });
  const { step } = first.trace.cuts[0];
  asked = after(asked, { type: "go", step });
  while (!asked.open) asked = after(asked, { type: "next" });
  const skipped = skippedIn(asked)[0];
  assert.equal(canExplain({ ...asked, open: null }, skipped.index), true);
  assert.equal(after(asked, explain(skipped.index)), asked);
});
