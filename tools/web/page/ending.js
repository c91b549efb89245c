// An ending of tic-tac-toe that you play as x: its turns, its address, and what is said of it. There
// is no page here.

import {
  MOST_EMPTY,
  NAMES,
  after,
  bestMove,
  emptyIn,
  flawOf,
  isOver,
  mover,
  movesIn,
  worthOf,
} from "./tic-tac-toe.js";

/**
 * The cells with which it begins, and the places where you have played: what o has answered follows.
 * @typedef {{start: string, moves: number[]}} Ending
 */

const LONGEST = 40; // of an address in a message

/**
 * The position after o has moved, if it's o's turn.
 * @param {string} cells
 */
const answered = (cells) =>
  isOver(cells) || mover(cells) === "x" ? cells : after(cells, bestMove(cells));

/**
 * The positions in which it was your turn, and the last one, where the game may be over.
 * @param {Ending} ending
 */
export function turnsOf({ start, moves }) {
  const turns = [answered(start)];
  for (const place of moves) turns.push(answered(after(turns[turns.length - 1], place)));
  return turns;
}

/** @param {Ending} ending */
export const positionOf = (ending) => turnsOf(ending)[ending.moves.length];

/**
 * The place where o moved last; -1 if it hasn't.
 * @param {Ending} ending
 */
export function answerIn(ending) {
  const { start, moves } = ending;
  const before = moves.length ? turnsOf(ending)[moves.length - 1] : start;
  const now = positionOf(ending);
  return NAMES.findIndex((_, place) => now[place] === "o" && before[place] !== "o");
}

// ---------------------------------------------------------------- its address

/** @param {Ending} ending */
export const addressOf = ({ start, moves }) =>
  [start, ...moves.map((place) => NAMES[place])].join(",");

/**
 * The ending of an address: "o.o..x..x,b3" has its cells, then your moves. Raise an error where it
 * has none.
 * @param {string} address
 * @returns {Ending}
 */
export function readEnding(address) {
  const [start, ...names] = address.split(",");
  const flaw = flawOf(start);
  if (flaw) throw new Error(`the cells are "${shortened(start)}"; expected ${flaw}`);
  if (emptyIn(start) > MOST_EMPTY) {
    throw new Error(`it has ${emptyIn(start)} empty squares; expected at most ${MOST_EMPTY}`);
  }
  if (isOver(answered(start))) {
    throw new Error("the game is over there; expected a position with a move for x");
  }

  /** @type {Ending} */
  let ending = { start, moves: [] };
  for (const name of names) {
    const legal = movesIn(positionOf(ending));
    const place = NAMES.indexOf(name);
    if (!legal.includes(place)) {
      const expected = legal.map((each) => NAMES[each]).join(", ") || "no more moves";
      throw new Error(`x can’t play "${shortened(name)}"; expected ${expected}`);
    }
    ending = { start, moves: [...ending.moves, place] };
  }
  return ending;
}

/** @param {string} text */
const shortened = (text) => (text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text);

// ---------------------------------------------------------------- what is said of it

/**
 * What has happened, and what you can do now.
 * @param {Ending} ending
 */
export function statusOf(ending) {
  const cells = positionOf(ending);
  if (!isOver(cells)) return `${lastMoves(ending)}It’s your turn: x.`;
  return `${lastMoves(ending)}${RESULTS[worthOf(cells)]} ${lessonOf(ending)}`.trim();
}

/** @type {Record<number, string>} */
const RESULTS = {
  1: "Three in a row: you won!",
  0: "The board is full: a draw.",
  "-1": "o has three in a row: you lost.",
};

/** @param {Ending} ending */
function lastMoves(ending) {
  const { moves } = ending;
  const answer = NAMES[answerIn(ending)];
  if (!moves.length) return answer ? `o played ${answer}. ` : "";

  const yours = NAMES[moves[moves.length - 1]];
  return answer ? `You played ${yours}, and o answered ${answer}. ` : `You played ${yours}. `;
}

/**
 * Whether you could have done better, and where.
 * @param {Ending} ending
 */
function lessonOf(ending) {
  const worths = turnsOf(ending).map(worthOf);
  const mistake = ending.moves.findIndex((_, turn) => worths[turn + 1] < worths[turn]);
  if (mistake >= 0) {
    const better = worths[mistake] > 0 ? "won" : "drawn";
    return `${NAMES[ending.moves[mistake]]} was the mistake: until then you could have ${better}.`;
  }
  if (worths[0] > 0) return "";
  return worths[0] < 0
    ? "No move could have saved you: undo, and try the others."
    : "Against perfect play that is the best there is.";
}

/**
 * The position of which the tree is shown: this one, or when the game is over the one before your
 * last move.
 * @param {Ending} ending
 */
export function shownInTree(ending) {
  const { start, moves } = ending;
  return isOver(positionOf(ending))
    ? positionOf({ start, moves: moves.slice(0, -1) })
    : positionOf(ending);
}
