// The search as its sources write it (pseudocode.json), adapted to the rules, and the line that a step is at.

import { PSEUDOCODE } from "./data.js";
import { letteredLine } from "./letters.js";
import { number } from "./numbers.js";
import { fill } from "./words.js";

/** @import { Form, Templates } from "./data.js" */
/** @import { Trace } from "./trace.js" */

/**
 * A line of the pseudocode.
 * @typedef {object} Line
 * @property {string} text
 * @property {number} indent
 * @property {string[]} marks whose kinds of event happen at it: "max bv"
 */

/**
 * The forms that describe this search; for a recorded function, its source.
 * @param {Trace} trace
 */
export function formsOf(trace) {
  if (trace.search === "recorded") return [PSEUDOCODE.own];
  if (trace.search === "minimax") return [PSEUDOCODE.minimax];
  return PSEUDOCODE.forms.filter(({ needs = {} }) => isSubset(needs, trace.rules));
}

/**
 * Whether the second object has all that the first one has.
 * @param {object} part
 * @param {object} whole
 */
function isSubset(part, whole) {
  const known = new Map(Object.entries(whole));
  return Object.entries(part).every(([name, value]) => known.get(name) === value);
}

/**
 * The lines of one form.
 * @param {Trace} trace
 * @param {Form} form
 * @returns {Line[]}
 */
export function writeDown(trace, form) {
  if (trace.run) return ownSource(trace.run.source);
  const { rules, options, nodes } = trace;
  const write = hasBestValue(form) ? letteredLine : (/** @type {string} */ line) => line;
  const alternates = nodes.every(({ parent, isMax }) => nodes[parent]?.isMax !== isMax);
  const { MAX, MIN, any } = PSEUDOCODE.players;
  // its `call` is the other player's
  const first = !alternates ? any : nodes[0].isMax ? MIN : MAX;
  const words = {
    root: first.call,
    low: number(options.alpha ?? -Infinity),
    high: number(options.beta ?? Infinity),
    ...PSEUDOCODE.words,
    ...(trace.depth !== null && PSEUDOCODE["words to depth"]),
    ...(rules.right_to_left && PSEUDOCODE["words right to left"]),
    ...(rules.fail_hard && PSEUDOCODE["words fail-hard"]),
  };
  const sides = ["MAX", "MIN"].map((name) => {
    const ofPlayer = {
      ...PSEUDOCODE.players[name],
      ...(rules.strict && PSEUDOCODE.players[`${name} strict`]),
      ...(!alternates && PSEUDOCODE.players.any),
    };
    const templates = (form.side ?? []).map(write);
    const side = lines(templates, { ...words, ...ofPlayer }, [ofPlayer.me]);
    const update = side.findIndex(({ marks }) => marks.includes(`${ofPlayer.me} alpha`));
    if (rules.test_first && update > 0) side.splice(update, 2, side[update + 1], side[update]);
    if (form.name === "minimax" && !options.early_stop) side.pop();
    return side;
  });
  const [head, middle, tail] = [form.head, form.middle, form.tail].map((part = []) =>
    lines(part.map(write), words, ["max", "min"]),
  );
  return [...head, ...sides[0], ...middle, ...sides[1], ...tail];
}

/**
 * Whether the form writes bv; in others v is the best value, or a child's.
 * @param {Form} form
 */
const hasBestValue = ({ head = [], side = [], middle = [], tail = [] }) =>
  [...head, ...side, ...middle, ...tail].some((row) => /\bbv\b/.test(row.split("  # ")[0]));

/**
 * @param {string[]} templates
 * @param {Templates} words
 * @param {string[]} sides
 */
function lines(templates, words, sides) {
  return templates.map((row) => {
    const [text, kinds = ""] = row.split("  # ");
    const marks = sides.flatMap((side) => kinds.split(" ").map((kind) => `${side} ${kind}`));
    return { text: fill(text.trim(), words), indent: indentOf(text), marks };
  });
}

/**
 * A function's source; an empty line keeps its height.
 * @param {{lines: string[]}} source
 */
const ownSource = ({ lines: source }) =>
  source.map((text) => ({ text: text.trim() || "\u00a0", indent: indentOf(text), marks: [] }));

/** @param {string} text */
const indentOf = (text) => (text.length - text.trimStart().length) / 4;

/**
 * The place of the line that the step is at; -1 before the search.
 * @param {Trace} trace
 * @param {number} step
 * @param {Line[]} written
 */
export function lineAt(trace, step, written) {
  if (!step) return -1;
  if (trace.run) return trace.run.source.running[trace.steps[step - 1]] ?? -1;
  const event = trace.eventAt(step);
  const side = trace.nodes[trace.places[step]].isMax ? "max" : "min";
  const marks = [`${side} ${event[0]}`];
  // even where no child is left to cut
  if (event[0] === "exit" && trace.reached(event)) marks.unshift(`${side} stop`);
  const places = marks.map((mark) => written.findIndex((line) => line.marks.includes(mark)));
  return places.find((place) => place >= 0) ?? -1;
}
