// How the board of a game's position is drawn and described. What stands on it is text, and never markup.

import { html, svg } from "./dom.js";

const CROWN = "M-9 6.5V-4.5L-4.5 0L0 -7L4.5 0L9 -4.5V6.5Z";

const upTo = (length) => Array.from({ length }, (_, place) => place);
const MARBLE_ROWS = upTo(9).flatMap((row) =>
  upTo(9 - Math.abs(row - 4)).map((place) => [row, place]),
); // Abalone's

/** Each kind of board: its picture, with what differs from the board before outlined; what can stand on a square, in
 * words; and where its squares are. */
export const BOARDS = {
  checkers: {
    draw: checkers,
    words: { ".": "empty", b: "black man", B: "black king", w: "white man", W: "white king" },
    squares: upTo(32).map((place) => {
      const row = place >> 2;
      return {
        name: place + 1,
        x: 40 * (2 * (place % 4) + ((row + 1) % 2)) + 20,
        y: 40 * row + 20,
        r: 18,
      };
    }),
  },
  cells: {
    draw: cells,
    words: { ".": "empty", x: "x", o: "o" },
    squares: upTo(9).map((place) => {
      const [column, row] = [place % 3, Math.floor(place / 3)];
      return { name: "abc"[column] + (3 - row), x: 20 + 40 * column, y: 20 + 40 * row, r: 18 };
    }),
  },
  marbles: {
    draw: marbles,
    words: { ".": "empty", b: "black", w: "white" },
    squares: MARBLE_ROWS.map(([row, place]) => ({
      name: "ABCDEFGHI"[row] + (place + Math.max(1, row - 3)),
      x: 160 + 34 * place - 17 * (8 - Math.abs(row - 4)),
      y: 160 + 30 * (4 - row),
      r: 14,
    })),
  },
  text: { draw: (board) => html("pre", {}, board) },
};

/** The picture of the board at a node. */
export const boardOf = ({ kind, of }, { index, parent }) =>
  BOARDS[kind].draw(of[index], of[parent]);

export function toMove({ turns, players }, index) {
  return turns[index] === "-" ? "The game is over" : `${players[turns[index]]} to move`;
}

/** The board at a node in words: what stands where, or the text of a board in letters, and who is to move. */
export function describe(boards, index) {
  const { squares, words } = BOARDS[boards.kind];
  const board = boards.of[index];
  const pieces = squares?.flatMap(({ name }, place) =>
    board[place] === "." ? [] : `${words[board[place]]} ${name}`,
  );
  return `${pieces?.join(", ") ?? board}. ${toMove(boards, index)}.`;
}

const box = (x, y, size, kind) =>
  svg("rect", {
    x: x - size / 2,
    y: y - size / 2,
    width: size,
    height: size,
    class: `abviz-${kind}`,
  });

/** Checkers: what stands on the squares 1 to 32. */
function checkers(board, before) {
  const squares = [box(160, 160, 320, "light")];
  const [pieces, numbers] = [[], []]; // the numbers are on top of the pieces, so that they can be read
  BOARDS.checkers.squares.forEach(({ name, x, y }, place) => {
    const piece = board[place];
    squares.push(box(x, y, 40, "dark-square"));
    numbers.push(svg("text", { x: x - 18, y: y - 10, class: "abviz-square-number" }, name));
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

/** A board of nine cells: x, o or a dot in each. */
function cells(board, before) {
  const parts = [box(60, 60, 120, "cells")];
  parts.push(svg("path", { d: "M40 8V112M80 8V112M8 40H112M8 80H112", class: "abviz-grid" }));
  BOARDS.cells.squares.forEach(({ x, y }, place) => {
    const mark = board[place];
    if (before && before[place] !== mark) parts.push(box(x, y, 36, "changed"));
    if (mark === "x")
      parts.push(svg("path", { d: `M${x} ${y}m-11 -11l22 22m0 -22l-22 22`, class: "abviz-x" }));
    if (mark === "o") parts.push(svg("circle", { cx: x, cy: y, r: 12, class: "abviz-o" }));
  });
  return svg("svg", { viewBox: "0 0 120 120" }, ...parts);
}

/** Abalone: what lies on the 61 cells from A1 on. */
function marbles(board, before) {
  const cells = BOARDS.marbles.squares.map(({ x, y, r, name }, place) => {
    const isChanged = before && before[place] !== board[place];
    const ring = isChanged ? svg("circle", { cx: x, cy: y, r, class: "abviz-changed" }) : "";
    const label = svg("text", { x, y: y + 3, class: "abviz-cell-name" }, name);
    const kind = `abviz-marble-${board[place].replace(".", "none")}`;
    return svg("g", { class: kind }, svg("circle", { cx: x, cy: y, r }), label, ring);
  });
  return svg("svg", { viewBox: "0 0 320 320" }, box(160, 160, 320, "tray"), ...cells);
}
