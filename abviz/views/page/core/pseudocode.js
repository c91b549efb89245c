// The search as its sources write it (pseudocode.json), adapted to the rules, and the line that a step is at.
// A line is {text, indent, marks}.

import { PSEUDOCODE } from "./data.js";
import { number } from "./numbers.js";
import { fill } from "./words.js";

/** The forms that describe this search; for a recorded function, its source. */
export function formsOf(trace) {
  if (trace.search === "recorded") return [PSEUDOCODE.own];
  if (trace.search === "minimax") return [PSEUDOCODE.minimax];
  const fits = ([rule, value]) => trace.rules[rule] === value;
  return PSEUDOCODE.forms.filter(({ needs = {} }) => Object.entries(needs).every(fits));
}

/** The lines of one form. */
export function writeDown(trace, form) {
  if (form.name === "own") return ownSource(trace.options.source);
  const { rules, options, nodes } = trace;
  const alternates = nodes.every(({ parent, isMax }) => nodes[parent]?.isMax !== isMax);
  const { MAX, MIN, any } = PSEUDOCODE.players;
  const first = !alternates ? any : nodes[0].isMax ? MIN : MAX; // its `call` is the other player's
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
    const side = lines(form.side, { ...words, ...ofPlayer }, [ofPlayer.me]);
    const update = side.findIndex(({ marks }) => marks.includes(`${ofPlayer.me} alpha`));
    if (rules.test_first && update > 0) side.splice(update, 2, side[update + 1], side[update]);
    if (form.name === "minimax" && !options.early_stop) side.pop();
    return side;
  });
  const [head, middle, tail] = ["head", "middle", "tail"].map((part) =>
    lines(form[part] ?? [], words, ["max", "min"]),
  );
  return [...head, ...sides[0], ...middle, ...sides[1], ...tail];
}

function lines(templates, words, sides) {
  return templates.map((row) => {
    const [text, kinds = ""] = row.split("  # ");
    const marks = sides.flatMap((side) => kinds.split(" ").map((kind) => `${side} ${kind}`));
    return { text: fill(text.trim(), words), indent: indentOf(text), marks };
  });
}

/** A function's source; an empty line keeps its height. */
const ownSource = ({ lines: source }) =>
  source.map((text) => ({ text: text.trim() || "\u00a0", indent: indentOf(text), marks: [] }));

const indentOf = (text) => (text.length - text.trimStart().length) / 4;

/** The place of the line that the step is at; -1 before the search. */
export function lineAt(trace, step, written) {
  if (!step) return -1;
  if (trace.search === "recorded") return trace.options.source.running[trace.steps[step - 1]] ?? -1;
  const event = trace.eventAt(step);
  const side = trace.nodes[trace.places[step]].isMax ? "max" : "min";
  const marks = [`${side} ${event[0]}`];
  if (event[0] === "exit" && trace.reached(event)) marks.unshift(`${side} stop`); // even where no child is left to cut
  const places = marks.map((mark) => written.findIndex((line) => line.marks.includes(mark)));
  return places.find((place) => place >= 0) ?? -1;
}
