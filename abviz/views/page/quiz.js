// Questions, as a part of the state: which one is open, and what has been answered. An answer belongs
// to the search of which it was asked, and so do the question and the score. Predict mode asks before
// most steps; without it a newcomer is asked once, before the first cut.

import { isRight, scoreOf } from "./core/answers.js";
import { typed } from "./core/numbers.js";
import { firstQuestion, kindsOf, questionsBefore } from "./core/questions.js";
import { isSameSearch, isSameTree } from "./core/trace.js";

/** @import { Answer, Verdict } from "./core/answers.js" */
/** @import { Value } from "./core/numbers.js" */
/** @import { Kind, Question } from "./core/questions.js" */
/** @import { Trace } from "./core/trace.js" */

/**
 * What of a page's state the questions depend on.
 *
 * @typedef {object} Asking
 * @property {Trace} trace
 * @property {number} step
 * @property {string[]} asked the kinds of question that are asked
 * @property {boolean} isShowOfHands the questions are for a class
 * @property {Open | null} open the question that the next step waits for, or that it has waited for
 * @property {Kind[]} told the kinds of which a class has seen the answers before the next step
 * @property {Quiz[]} quizzes what has been answered, by search
 * @property {boolean} isNewcomer whether the reader is to be asked before the first cut
 * @property {string} mode
 * @property {Set<string>} closed names of the nodes whose children are folded away
 * @property {{top: number} | null} spec top: the node whose part of the tree is shown
 *
 * A question is always about the next step.
 *
 * @typedef {object} Open
 * @property {Kind} kind
 * @property {Verdict} verdict
 * @property {number} [chosen] the choice that has been judged, where there are choices
 * @property {number[]} picked the nodes that have been picked as its answer so far
 * @property {string} problem what was typed and is no number: none where it is ""
 *
 * @typedef {Question & Open} OpenQuestion
 * @typedef {{trace: Trace, answers: Answer[]}} Quiz
 */

/** Before anything is asked. */
export const NO_QUESTIONS = {
  open: null,
  told: [],
  quizzes: [],
};

// Of these questions the zones of the number line would give the answer away.
const TESTS = ["first", "bound", "cut", "kind", "skipped"];

/**
 * The kinds of question that make sense for the search.
 * @param {Trace} trace
 */
export const kindsAsked = (trace) => (trace.length > 1 ? kindsOf(trace) : []);

/**
 * Whether predict mode asks something of this search.
 * @param {Pick<Asking, "trace" | "asked">} state
 */
export const isPredicting = ({ trace, asked }) =>
  kindsAsked(trace).some((kind) => asked.includes(kind));

/**
 * Whether the questions are for a class, which answers by a show of hands.
 * @param {Asking} state
 */
export const isForClass = (state) => state.isShowOfHands && isPredicting(state);

// ------------------------------------------------------------------ what is asked

/**
 * The questions before the step.
 * @param {Asking} state
 * @param {number} step
 * @returns {Question[]}
 */
export function questionsAt(state, step) {
  const { trace, asked } = state;
  if (step > trace.length) return [];
  if (isPredicting(state)) {
    return questionsBefore(trace, step).filter(({ kind }) => asked.includes(kind));
  }
  const first = newcomersQuestion(state);
  return first?.step === step ? [first] : [];
}

/**
 * The question for a newcomer: about a node that is in sight, and while nothing else goes on.
 * @param {Asking} state
 */
export function newcomersQuestion(state) {
  const { trace, mode, closed, spec } = state;
  const isAsked = state.isNewcomer || state.open?.kind === "first";
  if (!isAsked || mode || isPredicting(state)) return null;
  const question = firstQuestion(trace);
  if (!question) return null;

  const above = trace.tree.path(question.node).slice(0, -1);
  const isFolded = above.some((index) => closed.has(trace.nodes[index].name));
  return isFolded || !above.includes(spec?.top ?? 0) ? null : question;
}

/**
 * Whether the question for a newcomer is still to come.
 * @param {Asking} state
 */
export const isToBeAsked = (state) => state.isNewcomer && newcomersQuestion(state) !== null;

/**
 * The question that is open, with what has been done about it.
 * @param {Asking} state
 * @returns {OpenQuestion | null}
 */
export function openQuestion(state) {
  const { open, step } = state;
  if (!open) return null;
  const question = questionsAt(state, step + 1).find(({ kind }) => kind === open.kind);
  return question ? { ...question, ...open } : null;
}

/**
 * Whether a question is open, and its answer is not on the page.
 * @param {Asking} state
 */
export const isAsked = (state) => openQuestion(state)?.verdict === "";

/**
 * The answers that have been given to questions about the search that is shown.
 * @param {Asking} state
 */
export const answersOf = ({ trace, quizzes }) =>
  quizzes.find((quiz) => quiz.trace === trace)?.answers ?? [];

/**
 * How many answers of each kind are right, and how many there are.
 * @param {Asking} state
 */
export const scoreSoFar = (state) => scoreOf(answersOf(state));

/**
 * Whether anything has been asked of this search.
 * @param {Asking} state
 */
export const hasBegun = (state) => state.open !== null || answersOf(state).length > 0;

/**
 * The questions before the step that are still to be answered, or to be shown to a class.
 * @param {Asking} state
 * @param {number} step
 */
function comingAt(state, step) {
  const isNext = step === state.step + 1;
  const answers = answersOf(state);
  /** @param {Kind} kind */
  const isDone = (kind) => {
    if (isNext && state.told.includes(kind)) return true;
    const isAnswered = answers.some((answer) => answer.step === step && answer.kind === kind);
    return isAnswered && !state.isShowOfHands; // each class is asked again
  };
  return questionsAt(state, step).filter(({ kind }) => !isDone(kind));
}

/**
 * Whether there is no way on but an answer.
 * @param {Asking} state
 */
export function mustAnswer({ open, isShowOfHands }) {
  return open !== null && open.kind !== "first" && !open.verdict && !isShowOfHands;
}

/**
 * Whether the zones of the number line would give away a question that is open or is to come soon.
 * @param {Asking} state
 */
export function hidesZones(state) {
  const { step, open } = state;
  const coming = [...comingAt(state, step + 1), ...comingAt(state, step + 2)];
  const kinds = coming.map(({ kind }) => kind);
  if (open) kinds.push(open.kind);
  return kinds.some((kind) => TESTS.includes(kind));
}

// ------------------------------------------------------------------ asking and judging

/**
 * The state that asks before the next step, or shows a class the answer; null where the way is free:
 * a newcomer may go on without an answer.
 * @template {Asking} S
 * @param {S} state
 * @returns {S | null}
 */
export function asking(state) {
  const question = openQuestion(state);
  if (question?.kind === "first") return null;
  if (question && !question.verdict) return state.isShowOfHands ? told(state, question) : state;

  const [next] = comingAt(state, state.step + 1);
  if (!next) return null;
  const open = { kind: next.kind, verdict: "", picked: [], problem: "" };
  return { ...state, open, isNewcomer: state.isNewcomer && next.kind !== "first" };
}

/**
 * Choose an answer; of several nodes, pick one or take it back.
 * @template {Asking} S
 * @param {S} state
 * @param {{choice: number}} action
 * @returns {S}
 */
export function choose(state, { choice }) {
  const question = openToReader(state);
  if (!question) return state;
  if (question.kind !== "skipped") {
    return choice in question.choices ? judged(state, question, [choice], choice) : state;
  }

  if (!question.nodes.includes(choice)) return state;
  const isPicked = question.picked.includes(choice);
  const others = question.picked.filter((each) => each !== choice);
  const picked = isPicked ? others : [...others, choice];
  return { ...state, open: { ...state.open, picked } };
}

/**
 * Give the number that has been typed as the answer, or the nodes that have been picked.
 * @template {Asking} S
 * @param {S} state
 * @param {{text?: string}} action
 * @returns {S}
 */
export function reply(state, { text = "" }) {
  const question = openToReader(state);
  if (!question) return state;
  if (question.kind === "skipped") return judged(state, question, question.picked);
  if (question.choices.length) return state;

  const value = typed(text);
  if (value !== undefined && value !== null) return judged(state, question, value);
  const problem = `“${text.trim()}” is not a number.`;
  return { ...state, open: { ...state.open, problem } };
}

/**
 * The open question, as long as the reader may answer it: a class answers by a show of hands.
 * @param {Asking} state
 */
export function openToReader(state) {
  const question = openQuestion(state);
  return question?.verdict || isForClass(state) ? null : question;
}

/**
 * @template {Asking} S
 * @param {S} state
 * @param {OpenQuestion} question
 * @param {Value | number[]} answer
 * @param {number} [chosen]
 * @returns {S}
 */
function judged(state, question, answer, chosen) {
  const { trace, quizzes } = state;
  const { step, kind } = question;
  const right = isRight(question, answer);
  const open = { ...state.open, verdict: right ? "right" : "wrong", chosen, problem: "" };
  if (kind === "first") return { ...state, open }; // which counts for nothing

  const answers = [...answersOf(state), { step, kind, isRight: right }];
  const others = quizzes.filter((quiz) => quiz.trace !== trace);
  return { ...state, open, quizzes: [...others, { trace, answers }] };
}

/**
 * The answer is shown to a class, which counts for nothing.
 * @template {Asking} S
 * @param {S} state
 * @param {OpenQuestion} question
 * @returns {S}
 */
function told(state, { kind }) {
  return {
    ...state,
    open: { ...state.open, verdict: "shown", problem: "" },
    told: [...state.told, kind],
  };
}

/**
 * The state without the answers about the search that is shown.
 * @template {Asking} S
 * @param {S} state
 * @returns {S}
 */
export function unanswered(state) {
  const { trace, quizzes } = state;
  const others = quizzes.filter((quiz) => quiz.trace !== trace);
  return { ...state, open: null, told: [], quizzes: others };
}

/**
 * The state after an action, without what was about the step or the search before: a question that
 * is left open stays unanswered. Answers are found again when their search is shown again.
 * @template {Asking} S
 * @param {Asking} before
 * @param {S} state
 * @returns {S}
 */
export function kept(before, state) {
  const { trace, step, open, told: seen } = state;
  const isOther = trace !== before.trace;
  const hasMoved = isOther || step !== before.step;
  const isOfBefore = hasMoved && open === before.open; // of a step that is past, or another search
  const isDropped = open !== null && (isOfBefore || !openQuestion(state));
  const isForgotten = seen.length > 0 && hasMoved;
  const isNewcomer = state.isNewcomer && !hasSeenCut(state);
  if (!isOther && !isDropped && !isForgotten && isNewcomer === state.isNewcomer) return state;

  return {
    ...state,
    open: isDropped ? null : open,
    told: isForgotten ? [] : seen,
    quizzes: isOther ? renamed(state) : state.quizzes,
    isNewcomer,
  };
}

/** @param {Asking} state */
function hasSeenCut({ trace, step }) {
  return trace.cuts.length > 0 && step >= trace.cuts[0].step;
}

/**
 * The quizzes, of which that about the same search as the one shown is about this very trace.
 * @param {Asking} state
 */
function renamed({ trace, quizzes }) {
  /** @param {Quiz} quiz */
  const isSame = (quiz) =>
    isSameSearch(quiz.trace.options, trace.options) && isSameTree(quiz.trace.tree, trace.tree);
  return quizzes.map((quiz) => (isSame(quiz) ? { ...quiz, trace } : quiz));
}
