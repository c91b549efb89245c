// Questions before a step of a search, with their answers; the texts are templates, in sentences.json.

import { SENTENCES } from "./data.js";
import { larger, number, smaller } from "./numbers.js";
import { cutLetter, fill, player, wordsOf } from "./words.js";

/** @import { Known, Value } from "./numbers.js" */
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
 * skip.
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
    reasons: [...(whysOfFirst(trace, cut) ?? [texts.why, texts.why]), texts.why],
  };
}

/**
 * The nodes that a newcomer compares to answer: those that the cut skips, and what the other player
 * has instead.
 * @param {Trace} trace
 */
export function nodesOfFirst({ cuts: [cut] }) {
  return cut.via < 0 ? cut.skipped : [...cut.skipped, cut.via];
}

/**
 * Why the search does not read what the cut skips, to those who think that it does and to those who
 * do not, in words that every level knows; null where this cannot be said in a few. The sentence of
 * the cut, which comes next, says it in terms of the search.
 * @param {Trace} trace
 * @param {Cut} cut
 * @returns {[yes: string, no: string] | null}
 */
function whysOfFirst(trace, { step, at, alpha, beta, bv, skipped, via }) {
  const node = trace.nodes[at];
  const limit = node.isMax ? beta : alpha;
  if (via < 0 || bv === null || limit === null) return null;
  if (![bv, limit].every((value) => Number.isFinite(Number(value)) && !trace.tree.isWin(value)))
    return null;

  const here = trace.lastVisit(at, step);
  const there = trace.nodeAt(via, step);
  const isProven = node.isMax
    ? here.low >= bv && there.high <= limit
    : here.high <= bv && there.low >= limit;
  if (!isProven) return null;

  const { newcomer: texts } = SENTENCES;
  const kind = player(node);
  const words = {
    ...wordsOf(trace, node),
    node: node.short,
    skipped: trace.nodes[skipped[0]].short,
    via: trace.nodes[via].short,
    bv,
    limit,
  };
  const how = bv == limit ? "as well" : "rather";
  const isExact = there.low == limit && there.high == limit;
  const rather = fill(texts[isExact ? `${how} exactly` : `${how} at ${kind}`], words);
  /** @param {string} answer */
  const whyOf = (answer) =>
    `${fill(texts[`${answer} at ${kind}`], { ...words, rather })} ${texts.on}`;
  return [whyOf("yes"), whyOf("no")];
}

/**
 * The question with its texts filled in.
 * @param {Trace} trace
 * @param {number} step
 * @param {Predicted} kind
 * @param {number} index of the node
 * @param {string | number[]} right
 * @param {string[]} whys the names of its reasons; "" of a recorded run whose reason is not known
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
  return {
    step,
    kind,
    node: index,
    text: fill((isRecorded && own.recorded) || own.text, filled),
    right,
    choices: nodes.length ? nodes.map((each) => trace.nodes[each].short) : texts,
    nodes,
    reasons: whys.map((name) => fill(SENTENCES.reasons[name || "recorded"], filled)),
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
    const isKept = trace.search !== "recorded" || keepsBetter(trace, step, earlier);
    const why = trace.search === "recorded" ? "recorded bv" : "bv";
    return question(trace, step, "bv", index, number(bv), [isKept ? why : ""], values);
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
      const values = { bv, limit: isMax ? beta : alpha };
      const whys = recordedWhysOfCut(trace, step, goesOn);
      return question(trace, step, "cut", index, [goesOn ? GOES_ON : CUTS], whys, values);
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
    const [kind, index, , , bv, value] = trace.eventAt(step);
    if (kind !== "exit" || value === null) return null;
    let why = trace.rules.fail_hard ? "returned fail-hard" : "returned";
    if (trace.search === "recorded") why = bv == value ? "recorded returned" : "";
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
  if (hasWitness && !isMinimax) return ["cut", "cut, not on against a bound", "cut, not back"];
  const why = isMinimax ? "cut unbounded" : "cut by first bound";
  return [why, "cut, not on", "cut, not back"];
}

/**
 * Whether a recorded function keeps the better of its best value before and of the one received.
 * @param {Trace} trace
 * @param {number} step
 * @param {Known} before
 */
function keepsBetter(trace, step, before) {
  const [, index, , , bv, value] = trace.eventAt(step);
  if (before === null || value === null) return false;
  const better = trace.nodes[index].isMax ? larger : smaller;
  return better(before, value) == bv;
}

/**
 * The names of the reasons where it is asked whether a recorded function leaves the node: those that
 * its numbers and its calls show, whatever its test may be.
 * @param {Trace} trace
 * @param {number} step
 * @param {boolean} goesOn
 */
function recordedWhysOfCut(trace, step, goesOn) {
  const before = trace.eventAt(step - 1);
  const [, index, alpha, beta] = before;
  const { isMax, children } = trace.nodes[index];
  const isBounded = (isMax ? beta : alpha) !== null;
  const hasReached = trace.reached(before);
  if (!goesOn) return [hasReached ? "recorded cut" : "", "recorded leaves", "cut, not back"];

  const left = children.some((child) => trace.nodeAt(child, step - 1).state === "waiting");
  return [
    isBounded && !hasReached ? "recorded short" : "",
    "recorded on",
    left ? "cut, not back" : "",
  ];
}
