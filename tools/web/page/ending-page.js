// The ending of tic-tac-toe on the front page: a board to play on, and its tree, which follows.

import { button, html } from "./elements.js";
import { addressOf, answerIn, positionOf, readEnding, shownInTree, statusOf } from "./ending.js";
import { NAMES, endings, isOver, movesIn, treeOf, winningLine } from "./tic-tac-toe.js";
import { Model } from "./widgets.js";

/** @import { Ending } from "./ending.js" */

const FIRST = "o.o..x..x"; // the ending with which the course begins
const WORDS = { x: "x", o: "o", ".": "empty" };
const MARKS = {
  x: '<path d="M9 9l22 22m0 -22l-22 22" class="abviz-x"/>',
  o: '<circle cx="20" cy="20" r="12" class="abviz-o"/>',
  ".": "",
};
const OF_THIS = "The tree of this position: your moves, and o’s answers to each.";
const OF_LAST = "The game is over. This is the tree of the position before your last move.";

export class EndingOnPage {
  /** @type {Ending} */
  ending = { start: FIRST, moves: [] };

  /**
   * @param {HTMLElement} section
   * @param {object} options
   * @param {{default: {render: (context: object) => void}}} options.module of the stepper
   * @param {{form: string, letters: string, spec: {search: object}}} options.state of the stepper at
   *   the top, whose search and letters are these, too
   */
  constructor(section, { module, state }) {
    this.section = section;
    this.search = state.spec.search;
    /** @type {HTMLButtonElement[]} */
    this.squares = NAMES.map((_, place) => this.square(place));
    this.board = html("div", { class: "board", role: "group", "aria-label": "Board" });
    this.board.append(...this.squares);
    this.status = html("p", { class: "says", role: "status" });
    this.problem = html("p", { class: "warning", role: "status", hidden: "" });
    this.undoButton = button("way plain", "Undo", () => this.undo());
    this.restartButton = button("way plain", "Start over", () => this.restart());
    const other = button("way plain", "Another ending", () => this.renew());
    this.caption = html("p", { class: "caption" });
    const tree = html("div", { class: "stepper" });

    const buttons = html("p", { class: "ways" }, this.undoButton, this.restartButton, other);
    const game = html("div", { class: "game" }, this.board, this.status, buttons, this.problem);
    const place = /** @type {HTMLElement} */ (section.querySelector(".ending"));
    place.replaceChildren(game, html("div", { class: "unfolded" }, this.caption, tree));

    const { form } = state;
    const asked = new URLSearchParams(location.hash.slice(1)); // which the one at the top obeys
    const letters = asked.get("letters") ?? state.letters;
    const begins = {
      spec: this.spec,
      step: 0,
      speed: 1,
      form,
      letters,
      show: "values",
      alone: true,
    };
    this.model = new Model({ kind: "Stepper", id: "ending", state: begins }, null);
    module.default.render({ model: this.model, el: tree });
    this.tree = tree;
    this.show();
    this.obey();
    addEventListener("hashchange", () => this.obey());
  }

  /** What the stepper shows: the tree, as Python would send it. */
  get spec() {
    return treeOf(shownInTree(this.ending), this.search);
  }

  /** @param {number} place */
  square(place) {
    return button("square", "", () => this.play(place));
  }

  // ---------------------------------------------------------------- what the reader does

  /** @param {number} place */
  play(place) {
    const { start, moves } = this.ending;
    if (!movesIn(positionOf(this.ending)).includes(place)) return;
    this.change({ start, moves: [...moves, place] });
  }

  undo() {
    const { start, moves } = this.ending;
    this.change({ start, moves: moves.slice(0, -1) });
  }

  restart() {
    this.change({ start: this.ending.start, moves: [] });
  }

  renew() {
    const others = endings().filter((cells) => cells !== this.ending.start);
    this.change({ start: others[Math.floor(Math.random() * others.length)], moves: [] });
  }

  /**
   * Show another ending or another moment of it, and let the address say so.
   * @param {Ending} ending
   */
  change(ending) {
    this.ending = ending;
    this.problem.hidden = true;
    this.show();

    const others = location.hash.slice(1).split("&");
    const kept = others.filter((part) => part.includes("=") && !part.startsWith("ending="));
    const parts = [...kept, `ending=${addressOf(ending)}`];
    history.replaceState(history.state, "", `#${parts.join("&")}`);
  }

  /** Open the ending that the address of the page asks for, if any. */
  obey() {
    const asked = new URLSearchParams(location.hash.slice(1)).get("ending");
    if (asked === null) return;
    try {
      this.ending = readEnding(asked);
      this.problem.hidden = true;
      this.show();
    } catch (error) {
      const why = error instanceof Error ? error.message : error;
      this.problem.textContent = `The address does not fit: ${why}.`;
      this.problem.hidden = false;
    }
    this.section.scrollIntoView();
  }

  // ---------------------------------------------------------------- what is shown

  show() {
    const { ending, model } = this;
    this.showBoard();
    this.status.textContent = statusOf(ending);
    const hasBegun = ending.moves.length > 0;
    for (const each of [this.undoButton, this.restartButton]) {
      each.setAttribute("aria-disabled", `${!hasBegun}`); // it keeps the keyboard
    }

    this.caption.textContent = isOver(positionOf(ending)) ? OF_LAST : OF_THIS;
    this.tree.style.minHeight = `${this.tree.offsetHeight}px`; // what is below stays where it is
    model.put("step", 0);
    model.put("spec", this.spec);
  }

  showBoard() {
    const cells = positionOf(this.ending);
    const open = movesIn(cells);
    const line = winningLine(cells) ?? [];
    const answer = answerIn(this.ending);
    this.squares.forEach((square, place) => {
      const letter = /** @type {"x" | "o" | "."} */ (cells[place]);
      square.innerHTML = `<svg viewBox="0 0 40 40" aria-hidden="true">${MARKS[letter]}</svg>`;
      square.setAttribute("aria-label", `${NAMES[place]}, ${WORDS[letter]}`);
      square.setAttribute("aria-disabled", `${!open.includes(place)}`);
      square.classList.toggle("new", place === answer);
      square.classList.toggle("won", line.includes(place));
    });
  }
}
