// The board: shows the state that Python sends, and sends what the reader does. The rules stay in Python, which sends
// with each position the clicks of every legal move.

import { BOARDS } from "../views/page/boards.js";
import {
  button,
  dropdown,
  guardKeys,
  html,
  numberInput,
  setAttributes,
  svg,
} from "../views/page/dom.js";

/** @import { Square } from "../views/page/boards.js" */
/** @import { Context, Model } from "../views/page/widget.d.ts" */

/**
 * A legal move: the squares to click, first all that move and then where they go.
 * @typedef {object} Move
 * @property {string} name
 * @property {string} after the board that it leads to
 * @property {number[]} from
 * @property {number[]} to
 * @property {[from: number, to: number]} [drag] for which it may be dragged as well
 *
 * What an engine knows of the position: how much of the bar is the first player's. Empty: nothing.
 * @typedef {{share?: number, words?: string}} Worth
 *
 * @typedef {object} State
 * @property {number} version of the game: a move of another version is refused
 * @property {string} kind of the board
 * @property {string} cells
 * @property {string} before
 * @property {string} picture the address of an image, where the game has one of its own
 * @property {string} flaw what is wrong with that image
 * @property {Move[]} moves
 * @property {number} turn
 * @property {string[]} players
 * @property {string[]} sides who plays them: "you" or "engine"
 * @property {[unit: string, amount: number]} limit of the engine; "": a limit of another kind
 * @property {string} status
 * @property {boolean} thinks
 * @property {[turn: number, move: string][]} played
 * @property {number} plies how many of these the board shows
 * @property {Worth} worth
 * @property {boolean} undo
 * @property {boolean} redo
 * @property {string} fen
 * @property {string} pdn
 *
 * What explains a move: a row for each legal move, the best first.
 * @typedef {object} Decision
 * @property {string} answer
 * @property {string} caption
 * @property {[move: string, value: string, reply: string]} heads
 * @property {Row[]} rows
 * @property {string} chosen the move whose tree is shown below
 * @property {boolean} whole whether it is the tree of all moves
 * @property {string} note
 *
 * @typedef {object} Row
 * @property {string} move
 * @property {string} value
 * @property {boolean} proven
 * @property {string} reply "" where none is known
 * @property {boolean} best
 * @property {boolean} played
 *
 * @typedef {object} Traits
 * @property {State} state
 * @property {Decision | {}} decision
 * @property {{text?: string, share?: number, arrows?: [from: number, to: number][]}} thinking
 * @property {string} problem
 */

const LOST = "Python no longer has this board. Run its code again.";

/** @type {Record<string, [dx: number, dy: number]>} */
const ARROWS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

/** @type {[value: string, text: string][]} */
const WHO = [
  ["you", "you"],
  ["engine", "engine"],
];
/** @type {[value: string, text: string][]} */
const UNITS = [
  ["seconds", "seconds"],
  ["depth", "moves deep"],
];

/** @type {Record<string, number>} */
const TARGETS = { cells: 3 }; // half the height of a diamond, in the units of the board

/**
 * The squares of a board that is turned around: each has the place of the one opposite.
 * @param {Square[]} squares
 */
const turned = (squares) =>
  squares.map(({ name, r }, place) => {
    const { x, y } = squares[squares.length - 1 - place];
    return { name, r, x, y };
  });

/**
 * The names of squares, in their corners.
 * @param {Square[]} squares
 */
const names = (squares) =>
  squares.map(({ x, y, name }) =>
    svg("text", { x: x - 18, y: y - 14, class: "abviz-corner-name", "aria-hidden": true }, name),
  );

class Board {
  focus = 0; // the square that the arrow keys have reached
  /** @type {number[]} */
  chosen = []; // the squares clicked so far
  isSetup = false; // whether a position is set up: then the state is what has been set up so far
  wantsFocus = false; // whether what had the keyboard is gone
  /** @type {SVGElement[]} */
  squares = [];
  targets = svg("g"); // where the chosen piece can go
  arrows = svg("g");
  isTurned = false; // whether the board is seen from the other side
  drawn = ""; // the arrows that are shown
  from = -1; // the square on which the pointer went down
  dragged = false; // whether the click that comes is part of a drag

  picture = html("div", { class: "abviz-board-picture" });
  status = html("p", { class: "abviz-board-status", role: "status" });
  thought = html("p", { class: "abviz-board-thought" });
  problem = html("p", { class: "abviz-board-problem", role: "alert" });
  bar = html("div", { class: "abviz-board-bar" });
  share = html("div", { class: "abviz-board-share" });
  meter = html("div", { class: "abviz-board-meter", role: "img" }, this.share);
  moves = html("div", { class: "abviz-board-played", role: "group", "aria-label": "Moves" });
  choices = html("div", { class: "abviz-board-row" }); // the moves without squares, or what sets up a position
  amount = numberInput({
    min: 0.1,
    step: "any",
    value: 1,
    "aria-label": "Limit of the engine",
  });
  why = html("section", { class: "abviz-board-why", "aria-label": "Why?" });
  wantsWhy = false; // whether the reader has asked here, and is to see the answer
  text = html("textarea", {
    rows: 5,
    spellcheck: "false",
    "aria-label": "Position or game as text",
  });

  /**
   * @param {Model<Traits>} model
   * @param {HTMLElement} root
   */
  constructor(model, root) {
    this.model = model;
    this.root = root;
    this.state = model.get("state");
    /** @type {Record<string, HTMLButtonElement>} */
    this.buttons = {
      undo: this.button("Undo"),
      redo: this.button("Redo"),
      start: this.button("Move for me", "start"),
      stop: this.button("Stop"),
      why: button("Why?", () => this.askWhy()),
      restart: this.button("New game", "restart"),
      setup: button("Set up", () => this.startSetup()),
      flip: button("Flip", () => this.flip()),
    };
    this.sides = this.state.players.map((name) => {
      return dropdown(name, WHO, () => this.choosePlayers());
    });
    this.unit = dropdown("Unit of the limit", UNITS, () => this.choosePlayers());
    this.build();
    this.show();
    this.explain();
    model.on("change:state", () => this.show());
    model.on("change:decision", () => this.explain());
    model.on("change:thinking", () => this.think());
    model.on("change:problem", () => {
      const problem = model.get("problem");
      if (problem && this.waits)
        this.show(); // the move has not been played
      else this.complain(problem);
    });
    model.on("comm_live_update comm:close", () => this.waits && !model.comm_live && this.lose()); // the kernel restarts
  }

  /**
   * Let Python do it; return whether Python is there.
   * @param {string} action
   */
  send(action, more = {}) {
    try {
      this.model.send({ do: action, ...more });
      return true;
    } catch (error) {
      this.lose(error instanceof Error && error.name === "NoPython" ? error.message : LOST);
      return false;
    }
  }

  /**
   * A button that sends an action.
   * @param {string} name
   */
  button(name, action = name.toLowerCase()) {
    return button(name, () => this.send(action));
  }

  choosePlayers() {
    const sides = this.sides.map((side) => side.value);
    this.send("players", { sides, limit: [this.unit.value, Number(this.amount.value)] });
  }

  lose(reason = LOST) {
    if (this.waits) this.show(); // but keep what is being set up
    this.complain(reason);
  }

  /** Whether a move is shown that Python has not played yet. */
  get waits() {
    return this.root.hasAttribute("aria-busy");
  }

  /**
   * Say what went wrong; the dropdowns go back to what holds.
   * @param {string} problem
   */
  complain(problem) {
    this.problem.textContent = problem;
    const { sides, limit } = this.state;
    this.sides.forEach((each, side) => {
      each.value = sides[side];
    });
    const [unit, amount] = limit;
    if (!unit) return;
    this.unit.value = unit;
    this.amount.value = `${amount}`;
  }

  /** The squares of the board; none where it is shown as text. */
  get places() {
    const squares = BOARDS[this.state.kind].squares ?? [];
    return this.isTurned ? turned(squares) : squares;
  }

  /**
   * The square that this is; -1 where it is none.
   * @param {EventTarget | null} target
   */
  squareOf(target) {
    return target instanceof SVGElement ? this.squares.indexOf(target) : -1;
  }

  /** What can stand on a square, by its letter. */
  get words() {
    return BOARDS[this.state.kind].words ?? {};
  }

  build() {
    const { players } = this.state;
    this.amount.addEventListener("change", () => this.choosePlayers());
    this.amount.addEventListener("keydown", ({ key }) => {
      if (key !== "Enter") return; // which JupyterLab would take
      this.amount.blur();
      this.amount.focus();
    });
    /** @type {(...children: (string | Node)[]) => HTMLElement} */
    const row = (...children) => html("div", { class: "abviz-board-row" }, ...children);
    const texts = html(
      "details",
      {},
      html("summary", {}, "Position and game as text"),
      this.text,
      row(button("Load", () => this.send("load", { text: this.text.value }))),
    );
    const opponents = players.flatMap((name, side) => [
      html("span", {}, `${name}:`),
      this.sides[side],
    ]);
    const side = html(
      "div",
      { class: "abviz-board-side" },
      this.status,
      this.thought,
      this.choices,
      row(...Object.values(this.buttons)),
      this.moves,
      row(...opponents, "Engine:", this.amount, this.unit),
      texts,
      this.problem,
    );
    const [first, second] = players.map((name) => html("span", {}, name));
    this.bar.append(first, this.meter, second);
    const main = html("div", { class: "abviz-board-main" }, this.bar, this.picture);
    this.root.append(main, side, this.why);
    this.root.addEventListener("keydown", (event) => this.key(event));
  }

  show() {
    this.state = this.model.get("state");
    const { state } = this;
    this.root.removeAttribute("aria-busy");
    this.wantsFocus ||= this.choices.contains(document.activeElement); // which goes, and the keyboard with it
    this.chosen = [];
    this.isSetup = false;
    this.status.textContent = state.status;
    this.complain(this.model.get("problem") || state.flaw);
    const { thinks } = state;
    const over = !thinks && !state.moves.length;
    /** @type {Record<string, boolean>} */
    const off = {
      undo: !state.undo,
      redo: !state.redo,
      start: over || thinks,
      stop: !thinks,
      why: thinks || (over && !state.undo),
      setup: thinks || !BOARDS[state.kind].words,
      flip: !BOARDS[state.kind].squares,
    };
    for (const [name, each] of Object.entries(this.buttons))
      each.setAttribute("aria-disabled", `${!!off[name]}`);
    this.text.value = [state.fen, state.pdn].filter(Boolean).join("\n\n");
    const unclickable = state.moves.filter(({ to }) => !to.length);
    this.choices.replaceChildren(
      ...unclickable.map((way) => button(way.name, () => this.play(way))),
    );
    this.draw();
    this.think();
    this.list();
    const next = this.choices.querySelector("button") ?? this.squares[this.focus];
    if (this.wantsFocus && next) {
      next.focus();
      this.wantsFocus = false;
    }
  }

  /** Draw the board, and over it one transparent button for each square. */
  draw() {
    const { kind, cells, before, picture } = this.state;
    const hadFocus = this.picture.contains(document.activeElement);
    this.squares = [];
    if (picture) {
      // As an image: what a game draws runs no scripts here
      this.picture.replaceChildren(html("img", { src: picture, alt: cells }));
      return;
    }

    const { places: all } = this;
    const drawing = BOARDS[kind].draw(cells, before, all);
    this.picture.replaceChildren(drawing);
    if (!all.length) return;
    if (kind === "cells") drawing.append(...names(all));
    this.targets = svg("g", { class: "abviz-board-targets" });
    this.arrows = svg("g", { class: "abviz-board-arrows" });
    this.drawn = "";
    for (const part of drawing.children) part.setAttribute("aria-hidden", "true"); // the squares tell
    const places = svg("g", {});
    all.forEach(({ x, y, r, name }, place) => {
      const square = svg("circle", {
        cx: x,
        cy: y,
        r,
        role: "button",
        tabindex: place === this.focus ? 0 : -1,
        "data-square": name,
      });
      square.addEventListener("click", () => {
        if (!this.dragged) this.click(place);
      });
      square.addEventListener("pointerdown", () => {
        this.from = place;
        this.dragged = false;
      });
      square.addEventListener("pointerup", (event) => this.drop(event));
      this.squares.push(square);
      places.append(square);
    });
    drawing.append(this.targets, places, this.arrows);
    setAttributes(drawing, { role: "group", "aria-label": this.state.status });
    if (hadFocus) this.squares[this.focus].focus();
    this.mark();
  }

  /**
   * The moves that begin with these squares: first all that move, in any order, then where they go.
   * @param {number[]} chosen
   */
  open(chosen) {
    return this.state.moves.filter(({ from, to }) => {
      const first = chosen.slice(0, from.length);
      const isFirst =
        new Set(first).size === first.length && first.every((place) => from.includes(place));
      return isFirst && chosen.slice(from.length).every((place, i) => to[i] === place);
    });
  }

  /** @param {number} place */
  click(place) {
    this.move(place);
    if (this.isSetup) this.put(place);
    else if (!this.waits) this.choose(place);
  }

  /** @param {number} place */
  choose(place) {
    const onward = [...this.chosen, place];
    const done = this.open(onward).find(
      ({ from, to }) => onward.length === from.length + to.length,
    );
    if (done) {
      this.play(done);
      return;
    }
    const others = this.chosen.filter((each) => each !== place); // a second click lets it go
    const next = [onward, this.chosen.includes(place) ? others : [place]].find(
      (chosen) => this.open(chosen).length,
    );
    this.chosen = next ?? [];
    if (!next && this.state.thinks) {
      this.status.textContent = `It isn't your turn. ${this.state.status}`;
    } else if (!next && !this.state.moves.length) {
      this.status.textContent = `The game is over. ${this.state.status}`;
    } else if (!next) {
      const must = this.state.moves.some(({ name }) => name.includes("x"))
        ? " (a capture is compulsory)"
        : "";
      const { name } = this.places[place];
      this.status.textContent = `${name} is not part of a legal move here${must}. ${this.state.status}`;
    }
    this.mark();
  }

  /**
   * Show the move at once, and let Python play it; until it answers there is nothing else to play.
   * @param {Move} move
   */
  play({ name, after }) {
    const { state } = this;
    if (this.waits || !this.send("play", { move: name, version: state.version })) return;
    const status = `${state.players[state.turn]} has played ${name}.`;
    this.state = { ...state, cells: after, before: state.cells, moves: [], status, worth: {} };
    this.chosen = [];
    this.status.textContent = status;
    this.root.setAttribute("aria-busy", "true");
    this.draw();
    this.think();
  }

  /**
   * A piece was dragged from one square and dropped on another.
   * @param {PointerEvent} event
   */
  drop({ clientX, clientY }) {
    const page = this.root.getRootNode();
    const isPage = page instanceof Document || page instanceof ShadowRoot;
    const to = isPage ? this.squareOf(page.elementFromPoint(clientX, clientY)) : -1;
    if (this.from < 0 || to < 0 || to === this.from || this.isSetup) return;
    this.dragged = true; // the click that follows is part of it
    const whole = this.state.moves.find(
      ({ drag }) => drag && drag[0] === this.from && drag[1] === to,
    );
    if (whole) {
      this.play(whole);
      return;
    }
    if (this.chosen.length < 2) this.chosen = [];
    if (!this.chosen.length) this.click(this.from);
    this.click(to);
  }

  /** Show what has been chosen and where it can go. */
  mark() {
    const { chosen } = this;
    const { cells, moves } = this.state;
    const { words, places } = this;
    const movable = moves.flatMap(({ from }) => from);
    const open = this.open(chosen);
    const first = chosen.length ? [] : open.flatMap(({ from }) => from);
    const next = open.map(({ from, to }) => to[chosen.length - from.length]);
    this.squares.forEach((square, place) => {
      square.classList.toggle("abviz-can-move", first.includes(place));
      square.classList.toggle("abviz-chosen", chosen.includes(place));
      square.classList.toggle("abviz-can-go", next.includes(place));
      const can = [
        movable.includes(place) ? ", can move" : "",
        next.includes(place) ? ", can go here" : "",
      ];
      square.ariaLabel = `${places[place].name}, ${words[cells[place]]}${can.join("")}`;
      square.ariaPressed = chosen.includes(place) ? "true" : null;
    });
    const size = TARGETS[this.state.kind] ?? 7;
    const diamond = `m0 ${-size}l${size} ${size}l${-size} ${size}l${-size} ${-size}z`;
    const targets = places.filter((_, place) => next.includes(place));
    this.targets.replaceChildren(
      ...targets.map(({ x, y }) => svg("path", { d: `M${x} ${y}${diamond}` })),
    );
  }

  /** See the board from the other side. */
  flip() {
    this.isTurned = !this.isTurned;
    this.root.classList.toggle("abviz-board-turned", this.isTurned);
    this.buttons.flip.setAttribute("aria-pressed", `${this.isTurned}`);
    this.draw();
    this.think();
  }

  /** List the moves, each a button that shows the position after it. */
  list() {
    const { played, plies } = this.state;
    const hadFocus = this.moves.contains(document.activeElement);
    const go = (/** @type {number} */ ply, /** @type {string} */ text) =>
      button(text, () => this.send("go", { plies: ply }), {
        "aria-label": ply ? `After ${text}` : text,
        "aria-current": ply === plies ? "step" : "false",
      });

    /** @type {HTMLElement[]} */
    const rows = [];
    played.forEach(([turn, move], place) => {
      const isNew = !place || turn <= played[place - 1][0];
      if (isNew) rows.push(html("li", {}, turn ? html("span", {}, "…") : ""));
      rows[rows.length - 1].append(go(place + 1, move));
    });
    this.moves.replaceChildren(go(0, "Start"), html("ol", {}, ...rows));

    const current = this.moves.querySelector("[aria-current=step]");
    if (!(current instanceof HTMLElement)) return;
    if (hadFocus) current.focus({ preventScroll: true });
    this.moves.scrollTop = current.offsetTop - this.moves.clientHeight / 2;
  }

  think() {
    const { text = "", arrows = [], share } = this.model.get("thinking");
    const { worth, thinks } = this.state;
    this.thought.textContent = text || (thinks ? "" : (worth.words ?? ""));
    this.weigh(share === undefined ? worth : { share, words: text });
    if (!this.squares.length || String(arrows) === this.drawn) return; // equal arrows stay as they are
    this.drawn = String(arrows);
    const { places } = this;
    this.arrows.replaceChildren(
      ...arrows.map(([from, to], i) => {
        const [{ x, y }, end] = [places[from], places[to]];
        const turn = (180 / Math.PI) * Math.atan2(end.y - y, end.x - x);
        const d = `M0 0H${Math.hypot(end.x - x, end.y - y)}m-9 -5l9 5l-9 5`;
        return svg("path", {
          d,
          transform: `translate(${x} ${y}) rotate(${turn})`,
          class: `abviz-arrow abviz-arrow-${i}`,
        });
      }),
    );
  }

  /**
   * Show in the bar what the position is worth.
   * @param {Worth} worth
   */
  weigh({ share, words = "not known" }) {
    this.meter.classList.toggle("abviz-board-unknown", share === undefined);
    this.share.style.height = `${100 * (share ?? 0)}%`;
    this.meter.title = words;
    this.meter.ariaLabel = `The engine's value: ${words}`;
  }

  // why a move

  askWhy(more = {}) {
    this.wantsWhy = this.send("why", more);
  }

  /** Show the answer, and a table of the moves, each a button that shows its tree below. */
  explain() {
    const decision = this.model.get("decision");
    this.why.hidden = !("rows" in decision);
    if (!("rows" in decision)) {
      this.why.replaceChildren();
      return;
    }

    const { answer, caption, heads, rows, chosen, whole, note } = decision;
    const hadFocus = this.why.contains(document.activeElement);
    const hadAll = !!document.activeElement?.closest(".abviz-board-reason");
    const head = html("tr", {}, ...heads.map((text) => html("th", { scope: "col" }, text)));
    const body = rows.map((row) => this.rowOf(row, row.move === chosen));
    const all = button("Tree of all moves", () => this.askWhy({ move: chosen, whole: !whole }), {
      "aria-pressed": whole,
    });
    const table = html(
      "table",
      {},
      html("caption", {}, caption),
      html("thead", {}, head),
      html("tbody", {}, ...body),
    );
    const moves = html("div", { class: "abviz-board-moves" }, table);
    this.why.replaceChildren(
      html(
        "div",
        { class: "abviz-board-reason" },
        html("p", { class: "abviz-board-answer", role: "status" }, answer),
        all,
      ),
      moves,
      html("p", { class: "abviz-board-note" }, note),
    );

    if (this.wantsWhy) this.bringToView();
    const chosenButton = this.why.querySelector("tbody [aria-pressed=true]");
    if (!(chosenButton instanceof HTMLElement)) return;
    if (hadFocus) (hadAll ? all : chosenButton).focus({ preventScroll: true });
    const below = chosenButton.getBoundingClientRect().top - moves.getBoundingClientRect().top;
    moves.scrollTop = below - moves.clientHeight / 2;
  }

  /**
   * A row of the table: a move, what it is worth, and the reply that shows it.
   * @param {Row} row
   * @param {boolean} isChosen
   */
  rowOf({ move, value, proven, reply, best, played }, isChosen) {
    const show = button(move, () => this.askWhy({ move }), { "aria-pressed": isChosen });
    const marks = [best ? "★ best" : "", played ? "played" : ""].filter(Boolean).join(", ");
    const sure = proven ? " ✓ proven" : "";
    return html(
      "tr",
      {},
      html("th", { scope: "row" }, show, marks && ` ${marks}`),
      html("td", {}, value, sure && html("small", {}, sure)),
      html("td", {}, reply || "–"),
    );
  }

  /** Scroll to the answer and, as far as there is room, to the tree that comes below it. */
  bringToView() {
    this.wantsWhy = false;
    const box = this.root.closest(".widget-box") ?? this.root;
    const show = () => {
      const tree = box.querySelector(".abviz-stepper");
      if (!tree) return;
      observer.disconnect();
      tree.scrollIntoView({ block: "end" });
      this.why.scrollIntoView({ block: "nearest" });
    };
    const observer = new MutationObserver(show);
    observer.observe(box, { childList: true, subtree: true });
    show();
  }

  // a position set up by hand

  startSetup() {
    const status = "Setting up a position.";
    const state = { ...this.state, before: "", moves: [], worth: {}, status };
    this.state = state;
    this.status.textContent = state.status;
    this.chosen = [];
    this.isSetup = true;
    const toMove = (/** @type {string} */ side) => {
      state.turn = Number(side);
    };
    const clear = () => {
      state.cells = state.cells.replace(/./g, ".");
      this.draw();
    };
    /** @type {[side: number, name: string][]} */
    const sides = state.players.map((name, side) => [side, name]);
    this.choices.replaceChildren(
      "Click squares to change them. To move: ",
      dropdown("To move", sides, toMove, state.turn),
      button("Clear", clear),
      button("Done", () => this.send("setup", state)),
      button("Cancel", () => this.show()),
    );
    this.draw();
    this.think();
  }

  /** @param {number} place */
  put(place) {
    const letters = Object.keys(this.words);
    const { cells } = this.state;
    const next = letters[(letters.indexOf(cells[place]) + 1) % letters.length];
    this.state.cells = cells.slice(0, place) + next + cells.slice(place + 1);
    this.draw();
  }

  // keys

  /** @param {KeyboardEvent} event */
  key(event) {
    const place = this.squareOf(event.target);
    if (place < 0 || event.ctrlKey || event.metaKey || event.altKey || event.key === "Tab") return;
    event.stopPropagation();
    if (event.key in ARROWS) this.step(...ARROWS[event.key]);
    else if (event.key === "Enter" || event.key === " ") this.click(place);
    else if (event.key === "Escape") this.show();
    else return;
    event.preventDefault();
  }

  /**
   * Go to the nearest square in this direction: left and right along the row, up and down also by a diagonal.
   * @param {number} dx
   * @param {number} dy
   */
  step(dx, dy) {
    const here = this.places[this.focus];
    let [best, least] = [this.focus, Infinity];
    this.places.forEach(({ x, y }, place) => {
      const [ahead, aside] = [
        (x - here.x) * dx + (y - here.y) * dy,
        Math.abs((x - here.x) * dy) + Math.abs((y - here.y) * dx),
      ];
      const away = Math.hypot(ahead, aside);
      if (ahead > 1 && (dy ? aside <= ahead : aside < ahead) && away < least)
        [best, least] = [place, away];
    });
    this.move(best);
    this.squares[best].focus();
  }

  /** @param {number} place */
  move(place) {
    this.squares[this.focus]?.setAttribute("tabindex", "-1");
    this.focus = place;
    this.squares[place].setAttribute("tabindex", "0");
  }
}

/** @param {Context<Traits>} context */
function render({ model, el }) {
  const root = html("div", { class: "abviz-board" });
  el.append(root);
  new Board(model, root);
  return guardKeys(root);
}

export default { render };
