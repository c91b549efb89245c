// Tic-tac-toe: its rules, perfect play, and the tree of a position two plies deep. There is no page
// here; abviz/games/tic_tac_toe.py and position_tree.py in JavaScript.
//
// A position is its nine cells, row by row, as text: "o.o..x..x" has x in c2 and c1. x moves first,
// so the cells also say whose turn it is.

/** @typedef {"x" | "o"} Player */
/** @typedef {[name: string, isMax: boolean, value: number | null, parent: number, more?: object]} Row */

export const NAMES = ["a3", "b3", "c3", "a2", "b2", "c2", "a1", "b1", "c1"];
/** The endings have at most as many empty squares. */
export const MOST_EMPTY = 6;

const LINES = [
  [0, 1, 2],
  [3, 4, 5],
  [6, 7, 8],
  [0, 3, 6],
  [1, 4, 7],
  [2, 5, 8],
  [0, 4, 8],
  [2, 4, 6],
];
const PLIES = 2;
const WIN = 1_000_000; // what Python's engine counts for one

/** @type {(cells: string, letter: string) => number} */
const count = (cells, letter) => cells.split(letter).length - 1;

/** @param {string} cells */
export const emptyIn = (cells) => count(cells, ".");

/**
 * Whose turn it is, or would be if the game went on.
 * @type {(cells: string) => Player}
 */
export const mover = (cells) => (count(cells, "x") === count(cells, "o") ? "x" : "o");

/**
 * The three cells that have won the game, if any.
 * @param {string} cells
 */
export const winningLine = (cells) =>
  LINES.find(([a, b, c]) => cells[a] !== "." && cells[a] === cells[b] && cells[a] === cells[c]);

/**
 * @param {string} cells
 * @returns {Player | ""}
 */
export function winner(cells) {
  const line = winningLine(cells);
  return line ? /** @type {Player} */ (cells[line[0]]) : "";
}

/** @param {string} cells */
export const isOver = (cells) => winner(cells) !== "" || emptyIn(cells) === 0;

/**
 * The places of the squares where the player whose turn it is may move.
 * @param {string} cells
 */
export const movesIn = (cells) =>
  isOver(cells) ? [] : NAMES.map((_, place) => place).filter((place) => cells[place] === ".");

/**
 * The position after a move.
 * @type {(cells: string, place: number) => string}
 */
export const after = (cells, place) =>
  cells.slice(0, place) + mover(cells) + cells.slice(place + 1);

/**
 * What is wrong with nine cells, or "" where a game can reach them.
 * @param {string} cells
 */
export function flawOf(cells) {
  const expected = "nine of x, o and a dot, row by row, as a game that x began can reach them";
  const lead = count(cells, "x") - count(cells, "o");
  if (!/^[xo.]{9}$/.test(cells) || lead < 0 || lead > 1) return expected;

  // The game ends when the last player to move has a line.
  const line = LINES.some((places) => places.every((place) => cells[place] === mover(cells)));
  return line ? expected : "";
}

// ---------------------------------------------------------------- perfect play

/** @type {Map<string, number>} */
const values = new Map();

/**
 * What the position is worth if both play perfectly: 1 if x wins, -1 if o does, 0 for a draw.
 * @param {string} cells
 * @returns {number}
 */
export function worthOf(cells) {
  const known = values.get(cells);
  if (known !== undefined) return known;

  const below = movesIn(cells).map((place) => worthOf(after(cells, place)));
  const best = mover(cells) === "x" ? Math.max(...below) : Math.min(...below);
  const value = isOver(cells) ? { x: 1, o: -1, "": 0 }[winner(cells)] : best;
  values.set(cells, value);
  return value;
}

/**
 * How many moves the game still takes, if whoever wins is quick and whoever loses is slow.
 * @param {string} cells
 * @returns {number}
 */
function movesLeft(cells) {
  const best = movesIn(cells)
    .map((place) => after(cells, place))
    .filter((child) => worthOf(child) === worthOf(cells))
    .map(movesLeft);
  if (!best.length) return 0;
  const isWinning = worthOf(cells) === (mover(cells) === "x" ? 1 : -1);
  return 1 + (isWinning ? Math.min(...best) : Math.max(...best));
}

/**
 * The place of a best move: the quickest win, or else the slowest end.
 * @param {string} cells
 */
export function bestMove(cells) {
  const left = movesLeft(cells) - 1;
  return /** @type {number} */ (
    movesIn(cells).find((place) => {
      const child = after(cells, place);
      return worthOf(child) === worthOf(cells) && movesLeft(child) === left;
    })
  );
}

/**
 * The endings for x to move in which one of its moves is better than another.
 * @returns {string[]}
 */
export function endings() {
  let positions = ["........."];
  for (let empty = 9; empty > MOST_EMPTY - 1; empty--) {
    const children = positions.flatMap((cells) =>
      movesIn(cells).map((place) => after(cells, place)),
    );
    positions = [...new Set(children)];
  }
  return positions.filter((cells) => {
    const kinds = new Set(movesIn(cells).map((place) => worthOf(after(cells, place))));
    return kinds.size > 1;
  });
}

// ---------------------------------------------------------------- the tree

/**
 * The tree of the position, two plies deep. Its leaves have their values by perfect play; the page
 * lays it out.
 *
 * @param {string} cells
 * @param {object} search the search and its rules, as the page reads them
 */
export function treeOf(cells, search) {
  /** @type {Row[]} */
  const rows = [];
  /** @type {string[]} */
  const boards = [];

  /** @type {(at: string, path: string[], parent: number) => void} */
  const add = (at, path, parent) => {
    const index = rows.length;
    const moves = path.length < PLIES ? movesIn(at) : [];
    const value = moves.length ? null : worthOf(at);
    rows.push(rowOf(path, mover(at) === "x", value, parent));
    boards.push(at);
    for (const place of moves) add(after(at, place), [...path, NAMES[place]], index);
  };
  add(cells, [], -1);

  return {
    title: `Tic Tac Toe: ${mover(cells) === "x" ? "you" : "o"} to move, ${PLIES} moves deep`,
    source: cells,
    note: `Searched ${PLIES} moves deep.`,
    notes: {},
    rows,
    players: ["you", "o"],
    search,
    top: 0,
    places: { letters: 0, size: [0, 0], centres: [] },
    boards: {
      kind: "cells",
      players: ["x", "o"],
      turns: boards.map(turnAt).join(""),
      of: boards,
    },
  };
}

/**
 * A node is named by the moves that lead to it, and shows the last one.
 * @type {(path: string[], isMax: boolean, value: number | null, parent: number) => Row}
 */
function rowOf(path, isMax, value, parent) {
  if (!path.length) return ["root", isMax, value, parent, { win: WIN }];
  const name = path.join(" ");
  const label = path[path.length - 1];
  return label === name ? [name, isMax, value, parent] : [name, isMax, value, parent, { label }];
}

/** @param {string} cells */
function turnAt(cells) {
  if (isOver(cells)) return "-";
  return mover(cells) === "x" ? "0" : "1";
}
