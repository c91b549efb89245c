// Answers to questions: which are right, and what is said of them.

import { number } from "./numbers.js";

/** @import { Value } from "./numbers.js" */
/** @import { Kind, Question } from "./questions.js" */

/**
 * How a question stands: open, answered rightly or wrongly, or its answer only shown.
 * @typedef {"" | "right" | "wrong" | "shown"} Verdict
 */

/**
 * Whether this answers the question: a number, or the choices that were made. Of several right
 * choices one is enough, but nodes that are skipped are all to be named.
 * @param {Question} question
 * @param {Value | number[]} answer
 */
export function isRight({ kind, right }, answer) {
  if (!Array.isArray(right)) return !Array.isArray(answer) && number(answer) === right;
  if (!Array.isArray(answer)) return false;
  const isWhole = kind !== "skipped" || answer.length === right.length;
  return isWhole && answer.every((each) => right.includes(each));
}

/**
 * The words with which what is said of an answer begins, wherever one is judged.
 * @param {boolean} isRight
 */
export const judged = (isRight) => (isRight ? "Right" : "Not right");

/**
 * What is said once the question has been judged: whether the answer is right, what is, and why the
 * answer that was given is right or not.
 * @param {Question} question
 * @param {Verdict} verdict
 * @param {number} [chosen] the choice that was made; what is right, where it is left out
 */
export function answerTo({ kind, right, choices, nodes, reasons }, verdict, chosen) {
  let answer = right; // a number
  let place = 0;
  if (Array.isArray(right)) {
    const named = right.map((each) => choices[kind === "skipped" ? nodes.indexOf(each) : each]);
    answer = kind === "skipped" ? named.join(", ") : named[0];
    if (kind !== "skipped") place = chosen ?? right[0];
  }

  const reason = reasons[place];
  if (verdict === "right") return `${judged(true)}. ${reason}`;
  if (verdict === "wrong") return `${judged(false)}: it’s “${answer}”. ${reason}`;
  return `Answer: ${answer}. ${reason}`;
}

/**
 * The choices as text: "1: it cuts; 2: it goes on."
 * @param {Question} question
 */
export function choicesOf({ choices }) {
  const listed = choices.map((text, place) => `${place + 1}: ${text}`).join("; ");
  return listed && `${listed}.`;
}

/**
 * How many answers of each kind are right, and how many there are.
 * @param {Answer[]} answers
 * @returns {Partial<Record<Kind, [right: number, all: number]>>}
 *
 * @typedef {{step: number, kind: Kind, isRight: boolean}} Answer
 */
export function scoreOf(answers) {
  /** @type {Partial<Record<Kind, [number, number]>>} */
  const score = {};
  for (const answer of answers) {
    const [right, all] = score[answer.kind] ?? [0, 0];
    score[answer.kind] = [right + Number(answer.isRight), all + 1];
  }
  return score;
}
