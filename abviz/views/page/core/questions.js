// Questions before a step of a search, with their answers; the texts are templates, in sentences.json.

import { SENTENCES } from "./data.js";
import { number } from "./numbers.js";
import { cutLetter, fill, sentence, wordsOf } from "./words.js";

/** @import { Trace } from "./trace.js" */
/** @import { Blanks } from "./words.js" */

/**
 * @typedef {"bv" | "bound" | "cut" | "kind" | "skipped" | "returned"} Kind
 *
 * @typedef {object} Question
 * @property {number} step the step that it is about
 * @property {Kind} kind
 * @property {number} node the index of the node that it is about
 * @property {string} text
 * @property {string | number[]} right the number; any of the right choices; or all the right nodes
 * @property {string[]} choices none where a number is asked for
 * @property {number[]} nodes which the choices stand for, or none
 * @property {string} reason
 */

/** The choices where it is asked whether the search cuts. */
const [CUTS, GOES_ON, RETURNS] = [0, 1, 2];
const FEW = 9; // nodes to choose from, as many as there are digits; more only where one node has more children

/**
 * The kinds that make sense for the search, in the order in which they are asked.
 * @param {Trace} trace
 * @returns {Kind[]}
 */
export function kindsOf(trace) {
  if (trace.search === "recorded") return ["bv", "cut", "returned"];
  if (trace.search === "minimax") {
    const stops = trace.options.early_stop;
    return stops ? ["bv", "cut", "skipped", "returned"] : ["bv", "returned"];
  }
  // Where the test comes first, the answer about α and β would give away whether the search cuts.
  return trace.rules.test_first
    ? ["bv", "cut", "bound", "kind", "skipped", "returned"]
    : ["bv", "bound", "cut", "kind", "skipped", "returned"];
}

/**
 * The questions that the step answers, in the order in which they are asked; often there is none.
 * @param {Trace} trace
 * @param {number} step
 * @returns {Question[]}
 */
export function questionsBefore(trace, step) {
  return step < 2 ? [] : kindsOf(trace).flatMap((kind) => ASK[kind](trace, step) ?? []);
}

/**
 * The question with its texts filled in; without a reason of its own the sentence of the step is the reason.
 * @param {Trace} trace
 * @param {number} step
 * @param {Kind} kind
 * @param {number} index of the node
 * @param {string | number[]} right
 * @param {Blanks} values
 * @param {{nodes?: number[], reason?: string}} more
 * @returns {Question}
 */
function question(trace, step, kind, index, right, values, { nodes = [], reason } = {}) {
  const node = trace.nodes[index];
  const own = SENTENCES.questions[kind];
  const filled = { ...wordsOf(trace, node), node: node.short, ...values };
  const texts = (own.choices ?? []).map((each) => fill(each, filled));
  return {
    step,
    kind,
    node: index,
    text: fill((trace.search === "recorded" && own.recorded) || own.text, filled),
    right,
    choices: nodes.length ? nodes.map((each) => trace.nodes[each].short) : texts,
    nodes,
    reason: reason ? fill(SENTENCES.reasons[reason], filled) : sentence(trace, step),
  };
}

/**
 * For each kind the question of it that the step answers; null where it answers none.
 * @type {Record<Kind, (trace: Trace, step: number) => Question | null>}
 */
const ASK = {
  bv(trace, step) {
    const [kind, index, , , bv, value] = trace.eventAt(step);
    const child = trace.nodes[trace.places[step - 1]];
    const fromChild =
      ["leaf", "exit"].includes(trace.eventAt(step - 1)[0]) && child.parent === index;
    if (kind !== "bv" || !fromChild || bv === null || value === null) return null;
    return question(trace, step, "bv", index, number(bv), { child: child.short, value });
  },

  bound(trace, step) {
    const before = trace.eventAt(step - 1);
    const [kind, index, alpha, beta, bv] = before;
    if (kind !== "bv" || (trace.rules.test_first && trace.reached(before))) return null;
    const { isMax } = trace.nodes[index];
    const [limit, own, neither] = [isMax ? alpha : beta, isMax ? 0 : 1, 2];
    if (["alpha", "beta"].includes(trace.eventAt(step)[0]))
      return question(trace, step, "bound", index, [own], { bv });
    // that α becomes 3 is true as well where α is 3 already
    const right = bv == limit ? [neither, own] : [neither];
    return question(trace, step, "bound", index, right, { bv, limit }, { reason: "neither" });
  },

  cut(trace, step) {
    const [before, event, cut] = [
      trace.eventAt(step - 1),
      trace.eventAt(step),
      trace.cutAt.get(step),
    ];
    const [kind, index, alpha, beta, bv] = before;
    const moves = (/** @type {string} */ each) => each === "alpha" || each === "beta";
    const testFirst = trace.rules.test_first;
    if (!(kind === "bv" || (moves(kind) && !testFirst)) || (moves(event[0]) && !testFirst))
      return null;
    const { isMax, children } = trace.nodes[index];
    if (trace.search === "recorded") {
      const goesOn = ["enter", "leaf"].includes(event[0]) && trace.nodes[event[1]].parent === index;
      if (bv === null || !(goesOn || cut?.at === index)) return null;
      return question(trace, step, "cut", index, [goesOn ? GOES_ON : CUTS], { bv });
    }
    const left = children.some((child) => trace.nodeAt(child, step - 1).state === "waiting");
    if (!left && !trace.reached(before)) return null;
    const right = cut ? CUTS : left ? GOES_ON : RETURNS;
    const names = (/** @type {number} */ each) => trace.nodes[each].short;
    const via = cut && cut.witness >= 0 ? { witness: names(cut.witness), via: names(cut.via) } : {};
    // The reason for a cut does not name the bound: the kind of the cut may be asked next.
    let reason = [via.via === undefined ? "cut by first bound" : "cut", "go on", "return"][right];
    if (trace.search === "minimax") reason = cut ? "cut unbounded" : "go on unbounded";
    return question(
      trace,
      step,
      "cut",
      index,
      [right],
      { bv, limit: isMax ? beta : alpha, ...via },
      { reason },
    );
  },

  kind(trace, step) {
    const cut = trace.cutAt.get(step);
    if (!cut) return null;
    const letter = cutLetter(trace.rules, cut.kind);
    const values = {
      bv: cut.bv,
      limit: cut.kind === "beta" ? cut.beta : cut.alpha,
      cut: SENTENCES.cuts[letter],
    };
    const reason = trace.rules.name_by_node ? "kind by node" : "kind by bound";
    return question(trace, step, "kind", cut.at, [["α", "β"].indexOf(letter)], values, { reason });
  },

  skipped(trace, step) {
    const cut = trace.cutAt.get(step);
    if (!cut) return null;
    const { children, parent } = trace.nodes[cut.at];
    const siblings = trace.nodes[parent]?.children ?? [];
    const beside = siblings.filter((each) => trace.nodeAt(each, step).state === "waiting");
    const nodes = [...children, ...beside.slice(0, Math.max(0, FEW - children.length))];
    return question(trace, step, "skipped", cut.at, cut.skipped, {}, { nodes });
  },

  returned(trace, step) {
    const [kind, index, , , , value] = trace.eventAt(step);
    return kind === "exit" && value !== null
      ? question(trace, step, "returned", index, number(value), {})
      : null;
  },
};
