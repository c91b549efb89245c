// Why a node was skipped: the sentence of the cut that skipped it.

import { SENTENCES } from "./data.js";
import { fill, narrate } from "./words.js";

/** @import { Show } from "./levels.js" */
/** @import { Trace } from "./trace.js" */

/**
 * Why the node had been skipped by the step, and at which step that was; null where it was not.
 * @param {Trace} trace
 * @param {number} step
 * @param {number} index
 * @param {Show} [show] how much of the search is shown
 */
export function whySkipped(trace, step, index, show) {
  if (trace.nodes[index] === undefined) return null;
  if (trace.nodeAt(index, step).state !== "skipped") return null;
  const path = trace.tree.path(index);
  /** @param {{skipped: number[]}} cut */
  const topOf = ({ skipped }) => skipped.find((child) => path.includes(child));
  const cut = trace.cuts.findLast((each) => each.step <= step && topOf(each) !== undefined);
  if (!cut) return null;

  const top = Number(topOf(cut));
  const text = fill(SENTENCES.whys[top === index ? "skipped" : "skipped below"], {
    node: trace.nodes[index].quotedLabel,
    top: trace.nodes[top].quotedLabel,
    sentence: narrate(trace, cut.step, show),
  });
  return { step: cut.step, text };
}
