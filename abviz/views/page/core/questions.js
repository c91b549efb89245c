// Questions before a step of a search, with their answers; the texts are templates, in sentences.json.

import { SENTENCES } from "./data.js";
import { number } from "./numbers.js";
import { cutLetter, fill, wordsOf } from "./words.js";

/** @import { Value } from "./numbers.js" */
/** @import { Cut, Trace } from "./trace.js" */
/** @import { Blanks } from "./words.js" */

/**
 * The kinds that predict mode asks, and the one question that a newcomer is asked.
 *
 * @typedef {"bv" | "bound" | "cut" | "kind" | "skipped" | "returned"} Predicted
 * @typedef {Predicted | "first"} Kind
 *
 * @typedef {object} Question
 * @property {number} step the step that it is about
 * @property {Kind} kind
 * @property {number} node the index of the node that it is about
 * @property {string} text
 * @property {string | number[]} right the number; any of the right choices; or all the right nodes
 * @property {string[]} choices none where a number is asked for
 * @property {number[]} nodes which the choices stand for, or none
 * @property {string[]} reasons why each choice is right or not, or why the number or the nodes are; none gives away
 *   another question before the same step
 */

/** The choices where it is asked whether the search cuts. */
const [CUTS, GOES_ON, RETURNS] = [0, 1, 2];
/** The choices where a newcomer is asked whether it reads a node, after that it does. */
const [SKIPS, PASS] = [1, 2];
const FEW = 9; // nodes to choose from, as many as there are digits; more only where one node has more children

/**
 * The kinds that make sense for the search, in the order in which they are asked.
 * @param {Trace} trace
 * @returns {Predicted[]}
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

/** What goes on without an answer. @type {(question: Question, choice: number) => boolean} */
export const isPass = ({ kind }, choice) => kind === "first" && choice === PASS;

/**
 * What a newcomer is asked before the first cut: whether the search reads a node that the cut will
 * skip. Why it does not is the sentence of the cut, which comes next.
 * @param {Trace} trace
 * @returns {Question | null}
 */
export function firstQuestion(trace) {
  const [cut] = trace.cuts;
  if (!cut || trace.search !== "alphabeta") return null;
  const node = trace.nodes[cut.skipped[0]];
  const texts = SENTENCES.newcomer;
  return {
    step: cut.step,
    kind: "first",
    node: node.index,
    text: fill(node.children.length ? texts.inner : texts.leaf, { node: node.short }),
    right: [SKIPS],
    choices: [texts.yes, texts.no, texts.pass],
    nodes: [],
    reasons: [texts.why, texts.why, texts.why],
  };
}

/**
 * The question with its texts filled in.
 * @param {Trace} trace
 * @param {number} step
 * @param {Predicted} kind
 * @param {number} index of the node
 * @param {string | number[]} right
 * @param {string[]} whys the names of its reasons
 * @param {Blanks} values
 * @param {number[]} [nodes]
 * @returns {Question}
 */
function question(trace, step, kind, index, right, whys, values, nodes = []) {
  const node = trace.nodes[index];
  const own = SENTENCES.questions[kind];
  const filled = { ...wordsOf(trace, node), node: node.short, ...values };
  const isRecorded = trace.search === "recorded";
  const texts = (own.choices ?? []).map((each) => fill(each, filled));
  const names = isRecorded ? (own.choices ?? [kind]).map(() => "recorded") : whys;
  return {
    step,
    kind,
    node: index,
    text: fill((isRecorded && own.recorded) || own.text, filled),
    right,
    choices: nodes.length ? nodes.map((each) => trace.nodes[each].short) : texts,
    nodes,
    reasons: names.map((name) => fill(SENTENCES.reasons[name], filled)),
  };
}

/**
 * For each kind the question of it that the step answers; null where it answers none.
 * @type {Record<Predicted, (trace: Trace, step: number) => Question | null>}
 */
const ASK = {
  bv(trace, step) {
    const [kind, index, , , bv, value] = trace.eventAt(step);
    const child = trace.nodes[trace.places[step - 1]];
    const fromChild =
      ["leaf", "exit"].includes(trace.eventAt(step - 1)[0]) && child.parent === index;
    if (kind !== "bv" || !fromChild || bv === null || value === null) return null;
    const { bv: earlier } = trace.nodeAt(index, step - 1);
    const values = { child: child.short, value, before: earlier };
    return question(trace, step, "bv", index, number(bv), ["bv"], values);
  },

  bound(trace, step) {
    const before = trace.eventAt(step - 1);
    const [kind, index, alpha, beta, bv] = before;
    if (kind !== "bv" || (trace.rules.test_first && trace.reached(before))) return null;
    const { isMax } = trace.nodes[index];
    const limit = isMax ? alpha : beta;
    const [own, neither] = [isMax ? 0 : 1, 2];
    /** @type {(right: number[], ofOwn: string, ofNeither: string) => Question} */
    const asked = (right, ofOwn, ofNeither) => {
      const whys = isMax ? [ofOwn, "bound other"] : ["bound other", ofOwn];
      return question(trace, step, "bound", index, right, [...whys, ofNeither], { bv, limit });
    };
    if (["alpha", "beta"].includes(trace.eventAt(step)[0]))
      return asked([own], "bound moves", "bound late");
    // that α becomes 3 is true as well where α is 3 already
    if (bv == limit) return asked([neither, own], "bound same", "bound stays");
    return asked([neither], "bound stays, not own", "bound stays");
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
      return question(trace, step, "cut", index, [goesOn ? GOES_ON : CUTS], [], { bv });
    }
    const left = children.some((child) => trace.nodeAt(child, step - 1).state === "waiting");
    if (!left && !trace.reached(before)) return null;
    const right = cut ? CUTS : left ? GOES_ON : RETURNS;
    const limit = isMax ? beta : alpha;
    const whys = whysOfCut(trace, right, cut, limit);
    return question(trace, step, "cut", index, [right], whys, { bv, limit });
  },

  kind(trace, step) {
    const cut = trace.cutAt.get(step);
    if (!cut) return null;
    const letter = cutLetter(trace.rules, cut.kind);
    const right = ["α", "β"].indexOf(letter);
    const whys = trace.rules.name_by_node
      ? ["kind by node", "kind by node, not bound"]
      : ["kind by bound", "kind by bound, not own"];
    if (right === 1) whys.reverse();
    return question(trace, step, "kind", cut.at, [right], whys, { cut: SENTENCES.cuts[letter] });
  },

  skipped(trace, step) {
    const cut = trace.cutAt.get(step);
    if (!cut) return null;
    const { children, parent } = trace.nodes[cut.at];
    const siblings = trace.nodes[parent]?.children ?? [];
    const beside = siblings.filter((each) => trace.nodeAt(each, step).state === "waiting");
    const nodes = [...children, ...beside.slice(0, Math.max(0, FEW - children.length))];
    return question(trace, step, "skipped", cut.at, cut.skipped, ["skipped"], {}, nodes);
  },

  returned(trace, step) {
    const [kind, index, , , , value] = trace.eventAt(step);
    if (kind !== "exit" || value === null) return null;
    const why = trace.rules.fail_hard ? "returned fail-hard" : "returned";
    return question(trace, step, "returned", index, number(value), [why], {});
  },
};

/**
 * The names of the reasons where it is asked whether the search cuts. Those for a cut do not name
 * the bound: the kind of the cut may be asked next.
 * @param {Trace} trace
 * @param {number} right
 * @param {Cut | undefined} cut
 * @param {Value | null} limit the bound that a cut needs
 */
function whysOfCut({ search }, right, cut, limit) {
  const isMinimax = search === "minimax";
  if (right === RETURNS) return ["back, not cut", "back, not on", "back"];
  if (right === GOES_ON) {
    // At an infinite bound nobody holds the other player to anything yet
    const isOpen = isMinimax || !Number.isFinite(Number(limit));
    return [
      isMinimax ? "on, not cut unbounded" : "on, not cut",
      isOpen ? "on unbounded" : "on",
      "cut, not back",
    ];
  }
  const hasWitness = cut && cut.witness >= 0;
  const why = hasWitness ? "cut" : "cut by first bound";
  return [isMinimax ? "cut unbounded" : why, "cut, not on", "cut, not back"];
}
