// The commands: each is named once, with its key, what it does in the words of the help, what it
// asks for, and when that is possible.

/** @import { Trace } from "../core/trace.js" */
/** @import { Action } from "../state.js" */

/**
 * What is shown, as far as commands depend on it.
 *
 * @typedef {object} Shown
 * @property {Trace} trace
 * @property {number} step
 * @property {number[]} steps those at which something changes that is shown
 * @property {boolean} isPractice
 * @property {boolean} hasQuestions whether the search has any
 * @property {boolean} isAsking whether a question is open, or its answer is shown
 * @property {boolean} isLocked whether a question is to be answered before the next step
 *
 * What commands ask the page for.
 *
 * @typedef {object} Deeds
 * @property {(action: Action) => void} send
 * @property {() => void} togglePlay
 * @property {() => void} toggleShare
 * @property {() => void} fullScreen
 * @property {(by: number) => void} toTree
 * @property {(factor: number) => void} zoomBy
 *
 * @typedef {object} Command
 * @property {string} key
 * @property {string} words what it does, in the help
 * @property {(shown: Shown, deeds: Deeds) => void} act
 * @property {(shown: Shown) => boolean} [isPossible] always, where it says nothing
 * @property {(shown: Shown) => string} [whyNot] why it is not possible in this search; "" where it may be
 *
 * @typedef {Record<string, Command>} Commands by their names
 */

/** @param {Shown} shown */
const canMove = ({ isPractice }) => !isPractice;
/** @param {Shown} shown */
export const canGoOn = ({ isPractice, step, trace }) => !isPractice && step < trace.length;
/** @param {Shown} shown */
const stepBefore = ({ step, steps }) => steps.findLast((each) => each < step) ?? -1;
/** @param {Shown} shown */
const cutBefore = ({ trace, step }) => trace.cuts.findLast((cut) => cut.step < step)?.step ?? -1;
/** @param {Shown} shown */
const cutAfter = ({ trace, step }) => trace.cuts.find((cut) => cut.step > step)?.step ?? -1;

/** @param {Shown} shown */
function withoutCuts({ trace, isAsking }) {
  const isPlainMinimax = trace.search === "minimax" && !trace.options.early_stop;
  return isPlainMinimax && !isAsking ? "minimax makes no cuts" : "";
}

/**
 * What goes to that step, and whether there is one to go to.
 * @param {(shown: Shown) => number} stepOf
 * @returns {Pick<Command, "act" | "isPossible">}
 */
const goTo = (stepOf) => ({
  act: (shown, { send }) => send({ type: "go", step: stepOf(shown) }),
  isPossible: (shown) => canMove(shown) && stepOf(shown) >= 0 && stepOf(shown) !== shown.step,
});

/**
 * What sends the action.
 * @param {Action} action
 * @returns {Pick<Command, "act">}
 */
const sends = (action) => ({ act: (_, { send }) => send(action) });

/**
 * Those that change the step.
 * @type {Commands}
 */
export const MOVES = {
  First: { key: "Home", words: "before the search", ...goTo(() => 0) },
  "Previous cut": {
    key: "Shift+C",
    words: "previous cut",
    ...goTo(cutBefore),
    whyNot: withoutCuts,
  },
  Previous: { key: "←", words: "previous step", ...goTo(stepBefore) },
  Play: {
    key: "Space",
    words: "play, pause",
    act: (_, { togglePlay }) => togglePlay(),
    isPossible: canMove,
  },
  Next: {
    key: "→",
    words: "next step",
    ...sends({ type: "next" }),
    isPossible: (shown) => canGoOn(shown) && !shown.isLocked,
  },
  "Next cut": {
    key: "C",
    words: "next cut",
    ...sends({ type: "nextCut" }),
    // that no cut is left may be the answer
    isPossible: (shown) => canGoOn(shown) && (shown.isAsking || cutAfter(shown) >= 0),
    whyNot: withoutCuts,
  },
  Last: { key: "End", words: "end of the search", ...goTo(({ trace }) => trace.length) },
};

/**
 * Those that change the page.
 * @type {Commands}
 */
export const MODES = {
  Predict: {
    key: "Q",
    words: "answer questions",
    ...sends({ type: "predict" }),
    isPossible: ({ hasQuestions }) => hasQuestions,
  },
  Practice: {
    key: "W",
    words: "fill in the whole tree",
    ...sends({ type: "turn", mode: "practice" }),
  },
  Edit: { key: "E", words: "change the tree", ...sends({ type: "turn", mode: "edit" }) },
  "Split view": {
    key: "M",
    words: "minimax next to alpha-beta",
    ...sends({ type: "split" }),
    isPossible: canMove,
  },
  Share: {
    key: "S",
    words: "link, picture, print",
    act: (_, { toggleShare }) => toggleShare(),
    // a copy holds the answers of practice
    isPossible: canMove,
  },
  "Full screen": { key: "F", words: "full screen", act: (_, { fullScreen }) => fullScreen() },
  More: {
    key: "O",
    words: "more buttons and menus: show, hide",
    ...sends({ type: "toggleMore" }),
  },
  // The browser opens and closes the help.
  Help: { key: "?", words: "keys and marks", act: () => {} },
};

/**
 * Those without a button.
 * @type {Commands}
 */
export const KEYS = {
  code: {
    key: "K",
    words: "code: show, hide",
    ...sends({ type: "togglePart", part: "code" }),
  },
  stack: {
    key: "T",
    words: "call stack: show, hide",
    ...sends({ type: "togglePart", part: "stack" }),
  },
  line: {
    key: "L",
    words: "number line: show, hide",
    ...sends({ type: "togglePart", part: "line" }),
  },
  history: {
    key: "H",
    words: "windows handed down and earlier values: show, hide",
    ...sends({ type: "toggleHistory" }),
  },
  next: { key: "N", words: "next tree of the page", act: (_, { toTree }) => toTree(1) },
  previous: { key: "P", words: "previous tree of the page", act: (_, { toTree }) => toTree(-1) },
  larger: {
    key: "+",
    words: "larger; also Ctrl and the wheel",
    act: (_, { zoomBy }) => zoomBy(1.25),
  },
  smaller: { key: "-", words: "smaller", act: (_, { zoomBy }) => zoomBy(0.8) },
  whole: {
    key: "0",
    words: "whole tree; again: a size to read",
    act: (_, { zoomBy }) => zoomBy(0),
  },
};

/** @type {Commands} */
export const COMMANDS = { ...MOVES, ...MODES, ...KEYS };
