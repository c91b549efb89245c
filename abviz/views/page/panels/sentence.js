// The sentence: what the step is about, or what is asked before the next one and what became of
// that.

import { sign } from "../answering.js";
import { answerTo, choicesOf } from "../core/answers.js";
import { SENTENCES } from "../core/data.js";
import { longest, narrate } from "../core/words.js";
import { html, refill } from "../dom.js";

/** @import { Show } from "../core/levels.js" */
/** @import { Question } from "../core/questions.js" */
/** @import { Trace } from "../core/trace.js" */
/** @import { Attributes, Item } from "../dom.js" */
/** @import { OpenQuestion } from "../quiz.js" */

/**
 * @typedef {object} Shown
 * @property {Trace} trace
 * @property {number} step
 * @property {Show} [show] how much of the search is shown
 * @property {OpenQuestion | null} question that is open
 * @property {boolean} isForClass a class answers by a show of hands
 * @property {boolean} isInviting whether a newcomer is to be asked
 */

const MOST_STEPS = 400; // whose sentences are measured

export class Sentence {
  says = html("p", { class: "abviz-says", role: "status", "aria-live": "polite" });
  room = html("div", { class: "abviz-saying" }, this.says); // also for what answers a question
  element = html("div", { class: "abviz-sentence" }, this.room);

  /** @param {Shown} shown */
  show(shown) {
    const { question } = shown;
    const { dataset } = this.element;
    if (!question) delete dataset.verdict;
    else dataset.verdict = question.verdict === "shown" ? "right" : question.verdict || "asks";
    refill(this.says, sayingOf(shown)); // what stays is not read out again
  }

  /**
   * Reserve room for the longest sentence, so that nothing below moves while stepping.
   * @param {Omit<Shown, "step" | "question"> & {hasAnswers: boolean}} shown hasAnswers: whether the
   *   answers to a question will stand next to it
   * @param {(step: number) => Question[]} questionsAt what is asked before the step
   */
  reserve({ hasAnswers, ...shown }, questionsAt) {
    const { length } = shown.trace;
    const stride = Math.ceil(length / MOST_STEPS) || 1;
    const usual = [];
    const texts = [];
    for (let step = 0; step <= length; step += stride) {
      usual.push(stepSaying({ ...shown, step }));
      texts.push(...sayingsAt({ questions: questionsAt(step), isForClass: shown.isForClass }));
    }
    this.element.classList.toggle("abviz-has-answers", hasAnswers);
    const { dataset } = this.element;
    dataset.usual = `${longest(usual)} and more`; // a shorter one can wrap to more lines
    dataset.longest = `${longest([...usual, ...texts])} and more`;
  }
}

/**
 * What the step is about; before the search a newcomer is invited to a question, too.
 * @param {Omit<Shown, "question" | "isForClass">} shown
 */
function stepSaying({ trace, step, show, isInviting }) {
  const said = narrate(trace, step, show);
  return step === 0 && isInviting ? `${said} ${SENTENCES.newcomer.invitation}` : said;
}

/**
 * What is said at the step: the question, what became of it, or else the sentence of the step.
 * @param {Shown} shown
 * @returns {Item[]}
 */
function sayingOf({ question, isForClass, ...shown }) {
  if (!question) return [stepSaying(shown)];
  const { verdict, chosen, problem, text } = question;
  if (verdict) {
    const said = answerTo(question, verdict, chosen);
    return [sign(verdict === "wrong" ? "wrong" : "right"), ` ${said}`];
  }

  // Alone the choices are buttons below; for a class they are text, so that no row is left empty.
  /** @type {Attributes} */
  const attributes = isForClass ? {} : { class: "abviz-unseen" };
  const said = [problem, text].filter(Boolean).join(" ");
  return [sign("asks"), ` ${said}`, ["span", attributes, ` ${choicesOf(question)}`]];
}

/**
 * What may be said around the step beside its sentence: a verdict, and to a class a question.
 * @param {{questions: Question[], isForClass: boolean}} asked
 */
function sayingsAt({ questions, isForClass }) {
  const answers = questions.flatMap((question) =>
    question.reasons.map((_, place) => answerTo(question, "wrong", place)),
  );
  const texts = questions.map((question) => `${question.text} ${choicesOf(question)}`);
  return [...answers, ...(isForClass ? texts : [])];
}
