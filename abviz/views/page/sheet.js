// Practice, as a part of the state: the sheet that is filled in, and what was last said of it. A
// sheet belongs to the search whose marks it asks for.

import { generator } from "./core/edit.js";
import { check, hintOf, marksOf, resultOf, someMarks } from "./core/marks.js";

/** @import { Assigned } from "./actions/assigned.js" */
/** @import { Standing } from "./answering.js" */
/** @import { MarkVerdict } from "./core/marks.js" */
/** @import { Trace } from "./core/trace.js" */

/**
 * What of a page's state practice depends on.
 *
 * @typedef {object} Practicing
 * @property {Trace} trace
 * @property {string} mode
 * @property {Sheet | null} sheet
 * @property {number} seed of the next choice of marks
 * @property {Assigned | null} assigned the student to whom the tree is assigned, if any
 * @property {string} problem why the last action was refused, or another notice
 *
 * @typedef {object} Sheet
 * @property {Trace} trace the search that it is about
 * @property {Amount} kind how many marks are asked for
 * @property {Map<string, string | boolean>} given the other marks, by their keys
 * @property {Map<string, string>} answers the texts of the fields, by their keys: "bv A"
 * @property {Set<string>} cuts that are marked: "cut f2"
 * @property {Map<string, MarkVerdict>} verdicts that Check has found, as long as they hold
 * @property {Standing} standing whether the score is full, or marks are wrong
 * @property {string} text the score, or a hint
 * @property {string[]} reasons why marks are wrong
 * @property {string} result to hand in; "" where it is not asked for, or holds answers from before
 * @property {Sheet | null} own the reader's sheet, where this one is its solution
 *
 * @typedef {"all" | "few"} Amount
 *
 * A sheet as it is remembered.
 * @typedef {object} Kept
 * @property {boolean} on
 * @property {Amount} kind
 * @property {string[]} asked
 * @property {[key: string, text: string][]} answers
 * @property {string[]} cuts
 */

export const NO_SHEET = { sheet: null, seed: 1 };

const FEW_MARKS = 5; // as many as the name of that kind says
const MOST_SEEDS = 2 ** 31;
const SOLUTION = "This is the solution, as the search fills it in.";

/** @type {Pick<Sheet, "verdicts" | "standing" | "text" | "reasons" | "result">} */
const NOTHING_SAID = { verdicts: new Map(), standing: "", text: "", reasons: [], result: "" };

/**
 * The sheet that the reader fills in, also while its solution is shown.
 * @param {Practicing} state
 */
const ownSheet = ({ sheet }) => sheet?.own ?? sheet;

/** @param {Pick<Practicing, "mode">} state */
export const isPracticing = ({ mode }) => mode === "practice";

/**
 * Whether another search would take answers of the reader.
 * @param {Practicing} state
 */
export const isFilledIn = (state) => isPracticing(state) && !!ownSheet(state)?.answers.size;

// ------------------------------------------------------------------ sheets

/**
 * A sheet of the search with these marks made; where few are asked for, `asked` names them.
 * @param {Trace} trace
 * @param {Omit<Kept, "on">} made
 * @returns {Sheet}
 */
function sheetOf(trace, { kind, asked, answers, cuts }) {
  const marks = marksOf(trace);
  const givenMarks = kind === "all" ? [] : marks.filter(({ key }) => !asked.includes(key));
  const given = new Map(givenMarks.map(({ key, expected }) => [key, expected]));
  const givenCuts = givenMarks.filter(({ expected }) => expected === true);

  const keys = new Set(marks.map(({ key }) => key));
  /** @param {string} key */
  const isAsked = (key) => keys.has(key) && !given.has(key);
  return {
    trace,
    kind,
    given,
    answers: new Map(answers.filter(([key]) => isAsked(key))),
    cuts: new Set([...givenCuts.map(({ key }) => key), ...cuts.filter(isAsked)]),
    ...NOTHING_SAID,
    own: null,
  };
}

/**
 * Begin a sheet anew; which few marks it asks for is drawn by lot.
 * @template {Practicing} S
 * @param {S} state
 * @param {{kind?: Amount}} action
 * @returns {S}
 */
export function begin(state, { kind = state.sheet?.kind ?? "all" }) {
  const { trace } = state;
  const random = generator(state.seed);
  const asked = kind === "few" ? someMarks(trace, FEW_MARKS, random) : [];
  const sheet = sheetOf(trace, { kind, asked, answers: [], cuts: [] });
  return { ...state, sheet, seed: Math.floor(random() * MOST_SEEDS) };
}

/**
 * The state after an action: in practice there is a sheet for the search that is shown.
 * @template {Practicing} S
 * @param {S} state
 * @returns {S}
 */
export const withSheet = (state) =>
  isPracticing(state) && state.sheet?.trace !== state.trace ? begin(state, {}) : state;

/**
 * Take up a sheet as the reader left it.
 * @template {Practicing} S
 * @param {S} state
 * @param {Kept} kept
 * @returns {S}
 */
export const withKept = (state, kept) => ({ ...state, sheet: sheetOf(state.trace, kept) });

/**
 * The sheet as it is remembered; null where nothing has been made of it, or its search is not
 * shown.
 * @param {Practicing} state
 * @returns {Kept | null}
 */
export function keptOf(state) {
  const { trace } = state;
  const sheet = ownSheet(state);
  if (!sheet || sheet.trace !== trace) return null;
  const { kind, given } = sheet;
  const answers = [...sheet.answers].filter(([, text]) => text.trim());
  const cuts = [...sheet.cuts].filter((key) => !given.has(key));
  if (!answers.length && !cuts.length) return null;

  const keys = marksOf(trace).map(({ key }) => key);
  const asked = kind === "all" ? [] : keys.filter((key) => !given.has(key));
  return { on: isPracticing(state), kind, asked, answers, cuts };
}

// ------------------------------------------------------------------ filling in

/**
 * The text of a field has changed.
 * @template {Practicing} S
 * @param {S} state
 * @param {{key: string, text: string}} action
 * @returns {S}
 */
export function fill(state, { key, text }) {
  const { sheet } = state;
  const isField = !key.startsWith("cut ") && isAskedIn(state, key);
  if (!sheet || !isField || sheet.answers.get(key) === text) return state;
  return changed(state, key, { answers: new Map(sheet.answers).set(key, text) });
}

/**
 * Mark the edge above the node as cut, or take the mark back.
 * @template {Practicing} S
 * @param {S} state
 * @param {{index: number}} action
 * @returns {S}
 */
export function markCut(state, { index }) {
  const { sheet, trace } = state;
  const key = `cut ${trace.nodes[index].name}`;
  if (!sheet || !isAskedIn(state, key)) return state;
  const cuts = new Set(sheet.cuts);
  if (!cuts.delete(key)) cuts.add(key);
  return changed(state, key, { cuts });
}

/**
 * Whether the sheet that is being filled in asks for the mark.
 * @param {Practicing} state
 * @param {string} key
 */
function isAskedIn(state, key) {
  const { sheet, trace } = state;
  if (!sheet || !isPracticing(state) || sheet.given.has(key)) return false;
  return marksOf(trace).some((mark) => mark.key === key);
}

/**
 * A mark has been made anew: what was found about it and the result were of the one before.
 * @template {Practicing} S
 * @param {S} state
 * @param {string} key
 * @param {Partial<Sheet>} change
 * @returns {S}
 */
function changed(state, key, change) {
  const verdicts = new Map(state.sheet?.verdicts);
  verdicts.delete(key);
  return saying(state, { ...change, verdicts, result: "" });
}

// ------------------------------------------------------------------ what is said

/**
 * Say which marks are right; nothing where the tree is assigned, as marks could be tried one by one.
 * @template {Practicing} S
 * @param {S} state
 * @returns {S}
 */
export function judge(state) {
  const sheet = ownSheet(state);
  if (!sheet || !isPracticing(state) || state.assigned) return state;
  const { verdicts, text, reasons, score } = check(sheet);
  const isFull = score[0] === score[1];
  const standing = reasons.length ? "wrong" : isFull ? "right" : "";
  return saying(state, { verdicts, standing, text, reasons });
}

/**
 * Say where to look next.
 * @template {Practicing} S
 * @param {S} state
 * @returns {S}
 */
export function hint(state) {
  const sheet = ownSheet(state);
  if (!sheet || !isPracticing(state)) return state;
  return saying(state, { standing: "", text: hintOf(sheet) });
}

/**
 * Check, and show the text to hand in.
 * @template {Practicing} S
 * @param {S} state
 * @returns {S}
 */
export function handIn(state) {
  const sheet = ownSheet(state);
  if (!sheet || !isPracticing(state)) return state;
  return saying(judge(state), { result: resultOf(sheet, state.assigned) });
}

/**
 * Show the solution in place of what the reader has made, or that again.
 * @template {Practicing} S
 * @param {S} state
 * @returns {S}
 */
export function solve(state) {
  const { sheet } = state;
  if (!sheet || !isPracticing(state)) return state;
  if (sheet.own) return { ...state, sheet: sheet.own };

  const marks = marksOf(sheet.trace);
  const solution = {
    ...sheet,
    ...NOTHING_SAID,
    given: new Map(marks.map(({ key, expected }) => [key, expected])),
    answers: new Map(),
    cuts: new Set(marks.filter(({ expected }) => expected === true).map(({ key }) => key)),
    text: SOLUTION,
    result: sheet.result,
    own: sheet,
  };
  return { ...state, sheet: solution };
}

/**
 * What was said of the page before has been read by now.
 * @template {Practicing} S
 * @param {S} state
 * @param {Partial<Sheet>} change
 * @returns {S}
 */
const saying = (state, change) => ({
  ...state,
  sheet: { ...ownSheet(state), ...change },
  problem: "",
});
