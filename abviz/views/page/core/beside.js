// Minimax beside alpha-beta, on one clock: while alpha-beta skips leaves, minimax reads them.

import { Unknown } from "./search.js";
import { remembered, sameSteps, trace } from "./trace.js";

/** @import { Trace } from "./trace.js" */

/**
 * The search of the same tree by minimax, and its step for each step of alpha-beta; null where it
 * needs a value that is not known, or where this is no alpha-beta.
 */
export const minimaxBeside = remembered((/** @type {Trace} */ shown) => {
  const { tree, search, rules, depth } = shown;
  if (search !== "alphabeta") return null;
  try {
    const minimax = trace(tree, { search: "minimax", rules, depth });
    return { trace: minimax, steps: stepsOf(minimax, shown) };
  } catch (problem) {
    if (!(problem instanceof Unknown)) throw problem;
    return null;
  }
});

/**
 * For each step of alpha-beta the step of minimax just before the next thing that both do, or its
 * end.
 * @param {Trace} minimax
 * @param {Trace} shown
 */
function stepsOf(minimax, shown) {
  /** @type {number[]} */
  const steps = [];
  let next = minimax.length + 1;
  sameSteps(shown, minimax)
    .reverse()
    .forEach((same, place) => {
      steps[shown.length - place] = next - 1;
      next = same ?? next;
    });
  return steps;
}
