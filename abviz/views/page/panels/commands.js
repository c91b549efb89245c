// The commands: each is named once, with its key, what it does in the words of the help, what it
// asks for, and when that is possible.
//
// `act(shown, page)` gets what is shown, {trace, step, isPractice, hasQuestions, isLocked}, and the
// deeds of the page by name, such as `send(action)`.

const canMove = ({ isPractice }) => !isPractice;
export const canGoOn = ({ isPractice, step, trace }) => !isPractice && step < trace.length;
const cutBefore = ({ trace, step }) => trace.cuts.findLast((cut) => cut.step < step)?.step;
const cutAfter = ({ trace, step }) => trace.cuts.find((cut) => cut.step > step)?.step;

/** What goes to that step, and whether there is one to go to. */
const goTo = (stepOf) => ({
  act: (shown, { send }) => send({ type: "go", step: stepOf(shown) }),
  isPossible: (shown) => canMove(shown) && stepOf(shown) >= 0 && stepOf(shown) !== shown.step,
});

/** What sends the action. */
const sends = (action) => ({ act: (_, { send }) => send(action) });

/** Those that change the step. */
export const MOVES = {
  First: { key: "Home", words: "before the search", ...goTo(() => 0) },
  "Previous cut": { key: "Shift+C", words: "previous cut", ...goTo(cutBefore) },
  Previous: { key: "←", words: "previous step", ...goTo(({ step }) => step - 1) },
  Play: {
    key: "Space",
    words: "play, pause",
    act: (_, { togglePlay }) => togglePlay(),
    isPossible: canMove,
  },
  Next: {
    key: "→",
    words: "next step",
    act: (_, { next }) => next(),
    isPossible: (shown) => canGoOn(shown) && !shown.isLocked,
  },
  "Next cut": { key: "C", words: "next cut", ...goTo(cutAfter) },
  Last: { key: "End", words: "end of the search", ...goTo(({ trace }) => trace.length) },
};

/** Those that change the page. */
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
    act: (_, { toggleSplit }) => toggleSplit(),
    isPossible: canMove,
  },
  Share: {
    key: "S",
    words: "link, picture, print",
    act: (_, { toggleShare }) => toggleShare(),
    isPossible: canMove, // a copy holds the answers of practice
  },
  "Full screen": { key: "F", words: "full screen", act: (_, { fullScreen }) => fullScreen() },
  // The browser opens and closes the help.
  Help: { key: "?", words: "keys and marks", act: () => {} },
};

/** Those without a button. */
export const KEYS = {
  code: {
    key: "K",
    words: "code: show, hide",
    act: (_, { togglePart }) => togglePart("code"),
  },
  stack: {
    key: "T",
    words: "call stack: show, hide",
    act: (_, { togglePart }) => togglePart("stack"),
  },
  line: {
    key: "L",
    words: "number line: show, hide",
    act: (_, { togglePart }) => togglePart("line"),
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

export const COMMANDS = { ...MOVES, ...MODES, ...KEYS };
