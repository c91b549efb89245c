// What is said of a search as a whole: the rules that it obeys, and what edited leaves have
// changed.

import { SENTENCES } from "../core/data.js";
import { isSameSearch } from "../core/trace.js";

/** @import { Trace } from "../core/trace.js" */

/**
 * The rules that the search obeys: [name, {title, off, on}].
 * @param {string} search
 */
export const rulesOf = (search) =>
  Object.entries(SENTENCES.rules).filter(
    ([name]) => search === "alphabeta" || name === "right_to_left",
  );

/**
 * The rules in force, in one line; of a recorded function what it is.
 * @param {Trace} trace
 */
export function rulesLine({ search, rules, depth, options, run }) {
  const side = run?.negamax ? ", from MAX's side" : "";
  if (run) return `A recording of what the function ${run.name} did${side}`;
  /** @type {Map<string, boolean>} */
  const inForce = new Map(Object.entries(rules));
  const said = rulesOf(search).filter(
    // the usual name of a cut goes without saying
    ([name]) => name !== "name_by_node" || inForce.get(name),
  );
  const parts = said.map(([name, { off, on }]) => (inForce.get(name) ? on : off));
  if (search === "minimax") parts.unshift("minimax");
  if (options.early_stop) parts.push("stops at ±∞");
  if (depth !== null) parts.push(`depth ${depth}`);
  return `Rules: ${parts.join("; ")}`;
}

/**
 * What edited leaves have changed: the value now, and that of the page's own tree by the same
 * search; else "".
 * @param {{trace: Trace, original: Trace, isOwn: boolean}} shown
 */
export function whatIf({ trace, original, isOwn }) {
  const { nodes, tree } = original;
  const changed = isOwn
    ? trace.nodes.filter(({ index, value }) => nodes[index].value != value)
    : [];
  if (!changed.length || !isSameSearch(trace.options, original.options)) return "";
  const leaves = changed.slice(0, 3).map(({ short, value }) => `${short} = ${tree.number(value)}`);
  const more = changed.length > 3 ? ` and ${changed.length - 3} more changed` : "";
  const [now, then] = [tree.number(trace.value), tree.number(original.value)];
  const returned = now === then ? `still returns ${now}` : `returns ${now} and no longer ${then}`;
  return `With ${leaves.join(", ")}${more} the search ${returned}.`;
}
