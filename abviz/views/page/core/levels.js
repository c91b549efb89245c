// How much of a search is shown: the levels, the steps of each, and the numbers at a node; abviz/tracing/shows.py in
// JavaScript.

/** @import { EventKind } from "./search.js" */
/** @import { Trace } from "./trace.js" */

/**
 * @typedef {"values" | "bv" | "bounds" | "all"} Show
 * @typedef {"line" | "code" | "stack" | "rules"} Part of a page that not every level shows
 */

/**
 * From the values alone to everything; each level shows what the ones before it do.
 * @type {Show[]}
 */
export const SHOWS = ["values", "bv", "bounds", "all"];
/** @type {Show} */
export const DEFAULT_SHOW = "bounds";
/** @type {Part[]} */
export const PARTS = ["line", "code", "stack", "rules"];

/** @type {EventKind[]} */
const OF_VALUES = ["enter", "leaf", "exit", "cut"];

/**
 * The kinds of event that change what a level shows; every kind does at the levels not named here.
 * @type {Partial<Record<Show, EventKind[]>>}
 */
const KINDS = { values: OF_VALUES, bv: [...OF_VALUES, "bv"] };

/**
 * The steps that change what the level shows; the first and the last always do.
 * @param {Trace} trace
 * @param {Show} show
 */
export function stepsShown(trace, show) {
  const kinds = KINDS[show];
  const last = trace.length;
  const steps = Array.from({ length: last + 1 }, (_, step) => step);
  if (!kinds) return steps;
  return steps.filter(
    (step) => step === 0 || step === last || kinds.includes(trace.eventAt(step)[0]),
  );
}

/**
 * Whether the level says which kind of cut a cut is: one that shows no bounds says only that
 * something is skipped.
 * @param {{search: string, hasBounds: boolean}} trace
 * @param {Show} show
 */
export const namesCuts = (trace, show) =>
  trace.search === "alphabeta" && lettersShown(trace, show).includes("α");

/**
 * Which of α, β and bv the level shows at a node.
 * @param {{hasBounds: boolean}} trace
 * @param {Show} show
 */
export function lettersShown({ hasBounds }, show) {
  if (show === "values") return [];
  return show === "bv" || !hasBounds ? ["bv"] : ["α", "β", "bv"];
}
