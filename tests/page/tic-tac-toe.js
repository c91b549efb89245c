// What the tests ask of the front page's tic-tac-toe, in Node.

import {
  NAMES,
  bestMove,
  endings,
  flawOf,
  isOver,
  mover,
  movesIn,
  treeOf,
  worthOf,
  winner,
} from "../../tools/web/page/tic-tac-toe.js";

const name = (place) => NAMES[place];

Object.assign(globalThis, {
  flawOf,
  flawsOf: (positions) => positions.map(flawOf),
  factsOf: (positions) =>
    positions.map((cells) => ({
      moves: movesIn(cells).map(name),
      isOver: isOver(cells),
      winner: winner(cells),
      mover: mover(cells),
      value: worthOf(cells),
    })),
  treesOf: ({ positions, search }) => positions.map((cells) => treeOf(cells, search)),
  bestMovesOf: (positions) => positions.map((cells) => name(bestMove(cells))),
  offered: () => endings(),
});
