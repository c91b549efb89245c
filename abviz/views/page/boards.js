// How the board of a game's position is drawn and described. What stands on it is text, and never markup.

import { html, svg } from "./dom.js";

const CROWN = "M-9 6.5V-4.5L-4.5 0L0 -7L4.5 0L9 -4.5V6.5Z";

/**
 * The boards of a tree, by node: a letter for each square, or a text.
 * @typedef {object} Boards
 * @property {string} kind
 * @property {string[]} of
 * @property {string} turns for each node 0 or 1, whose turn it is, or "-" at the end of the game
 * @property {string[]} players
 *
 * @typedef {{name: string, x: number, y: number, r: number}} Square
 *
 * @typedef {object} BoardKind
 * @property {(board: string, before?: string, squares?: Square[]) => Element} draw what differs
 *   from the board before is outlined
 * @property {Record<string, string>} [words] what can stand on a square, by its letter
 * @property {Square[]} [squares]
 */

/** @param {number} length */
const upTo = (length) => Array.from({ length }, (_, place) => place);

const CHECKERS = upTo(32).map((place) => {
  const row = place >> 2;
  const x = 40 * (2 * (place % 4) + ((row + 1) % 2)) + 20;
  return { name: `${place + 1}`, x, y: 40 * row + 20, r: 18 };
});

const CELLS = upTo(9).map((place) => {
  const [column, row] = [place % 3, Math.floor(place / 3)];
  return { name: "abc"[column] + (3 - row), x: 20 + 40 * column, y: 20 + 40 * row, r: 18 };
});

const MARBLES = upTo(9).flatMap((row) =>
  upTo(9 - Math.abs(row - 4)).map((place) => ({
    name: "ABCDEFGHI"[row] + (place + Math.max(1, row - 3)),
    x: 160 + 34 * place - 17 * (8 - Math.abs(row - 4)),
    y: 160 + 30 * (4 - row),
    r: 14,
  })),
);

/** @type {Record<string, BoardKind>} */
export const BOARDS = {
  checkers: {
    draw: checkers,
    words: { ".": "empty", b: "black man", B: "black king", w: "white man", W: "white king" },
    squares: CHECKERS,
  },
  cells: { draw: cells, words: { ".": "empty", x: "x", o: "o" }, squares: CELLS },
  marbles: { draw: marbles, words: { ".": "empty", b: "black", w: "white" }, squares: MARBLES },
  text: { draw: (board) => html("pre", {}, board) },
};

/**
 * The picture of the board at a node.
 * @param {Pick<Boards, "kind" | "of">} boards
 * @param {{index: number, parent: number}} node
 */
export const boardOf = ({ kind, of }, { index, parent }) =>
  BOARDS[kind].draw(of[index], of[parent]);

/**
 * @param {Boards} boards
 * @param {number} index of the node
 */
export function toMove({ turns, players }, index) {
  const turn = turns[index];
  return turn === "-" ? "The game is over" : `${players[Number(turn)]} to move`;
}

/**
 * The board at a node in words: what stands where, or the text of a board in letters, and who is to move.
 * @param {Boards} boards
 * @param {number} index of the node
 */
export function describe(boards, index) {
  const { squares, words = {} } = BOARDS[boards.kind];
  const board = boards.of[index];
  const pieces = squares?.flatMap(({ name }, place) =>
    board[place] === "." ? [] : `${words[board[place]]} ${name}`,
  );
  return `${pieces?.join(", ") ?? board}. ${toMove(boards, index)}.`;
}

/** @type {(x: number, y: number, size: number, kind: string) => SVGElement} */
const box = (x, y, size, kind) =>
  svg("rect", {
    x: x - size / 2,
    y: y - size / 2,
    width: size,
    height: size,
    class: `abviz-${kind}`,
  });

/**
 * Checkers: what stands on the squares 1 to 32.
 * @param {string} board
 * @param {string} [before]
 */
function checkers(board, before, places = CHECKERS) {
  const squares = [box(160, 160, 320, "light")];
  /** @type {SVGElement[]} */
  const pieces = [];
  /** @type {SVGElement[]} */
  const numbers = []; // small, in a corner that no piece reaches
  places.forEach(({ name, x, y }, place) => {
    const piece = board[place];
    squares.push(box(x, y, 40, "dark-square"));
    numbers.push(svg("text", { x: x - 19.3, y: y - 13.6, class: "abviz-square-number" }, name));
    if (before && before[place] !== piece) pieces.push(box(x, y, 36, "changed"));
    if (piece === ".") return;
    const man = svg("g", {
      class: `abviz-piece-${piece.toLowerCase()}`,
      transform: `translate(${x} ${y})`,
    });
    man.append(svg("circle", { r: 14.5 }));
    if (piece === "b") man.append(svg("circle", { r: 9 }));
    if (piece === piece.toUpperCase()) man.append(svg("path", { d: CROWN }));
    pieces.push(man);
  });
  return svg("svg", { viewBox: "0 0 320 320" }, ...squares, ...pieces, ...numbers);
}

/**
 * A board of nine cells: x, o or a dot in each.
 * @param {string} board
 * @param {string} [before]
 */
function cells(board, before, places = CELLS) {
  const parts = [box(60, 60, 120, "cells")];
  parts.push(svg("path", { d: "M40 8V112M80 8V112M8 40H112M8 80H112", class: "abviz-grid" }));
  places.forEach(({ x, y }, place) => {
    const mark = board[place];
    if (before && before[place] !== mark) parts.push(box(x, y, 36, "changed"));
    if (mark === "x")
      parts.push(svg("path", { d: `M${x} ${y}m-11 -11l22 22m0 -22l-22 22`, class: "abviz-x" }));
    if (mark === "o") parts.push(svg("circle", { cx: x, cy: y, r: 12, class: "abviz-o" }));
  });
  return svg("svg", { viewBox: "0 0 120 120" }, ...parts);
}

/**
 * Abalone: what lies on the 61 cells from A1 on.
 * @param {string} board
 * @param {string} [before]
 */
function marbles(board, before, places = MARBLES) {
  const cells = places.map(({ x, y, r, name }, place) => {
    const isChanged = before && before[place] !== board[place];
    const ring = isChanged ? svg("circle", { cx: x, cy: y, r, class: "abviz-changed" }) : "";
    const label = svg("text", { x, y: y + 3, class: "abviz-cell-name" }, name);
    const kind = `abviz-marble-${board[place].replace(".", "none")}`;
    return svg("g", { class: kind }, svg("circle", { cx: x, cy: y, r }), label, ring);
  });
  return svg("svg", { viewBox: "0 0 320 320" }, box(160, 160, 320, "tray"), ...cells);
}
