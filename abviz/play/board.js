// The board: shows the state that Python sends, and sends what the reader does. The rules stay in Python, which sends
// with each position the clicks of every legal move.

import { BOARDS } from "../views/page/boards.js";
import { button, dropdown, guardKeys, html, setAttributes, svg } from "../views/page/dom.js";

const ARROWS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

class Board {
  constructor(model, root) {
    this.model = model;
    this.root = root;
    this.focus = 0; // the square that the arrow keys have reached
    this.build();
    this.show();
    model.on("change:state", () => this.show());
    model.on("change:thinking", () => this.think());
    model.on("change:problem", () => {
      const problem = model.get("problem");
      if (problem && this.waits)
        this.show(); // the move has not been played
      else this.complain(problem);
    });
    model.on("comm_live_update comm:close", () => this.waits && !model.comm_live && this.lose()); // the kernel restarts
  }

  send(action, more = {}) {
    try {
      this.model.send({ do: action, ...more });
      return true;
    } catch {
      this.lose();
    }
  }

  lose() {
    if (this.waits) this.show(); // but keep what is being set up
    this.complain("The kernel no longer has this board. Run its cell again.");
  }

  /** Whether a move is shown that Python has not played yet. */
  get waits() {
    return this.root.hasAttribute("aria-busy");
  }

  /** Say what went wrong; the dropdowns go back to what holds. */
  complain(problem) {
    this.problem.textContent = problem;
    const { sides, limit } = this.state;
    sides.forEach((chosen, side) => (this.sides[side].value = chosen));
    if (limit[0]) [this.unit.value, this.amount.value] = limit;
  }

  build() {
    const act = (name, action = name.toLowerCase()) => button(name, () => this.send(action));
    const row = (...children) => html("div", { class: "abviz-board-row" }, ...children);
    const limit = () => [this.unit.value, Number(this.amount.value)];
    const choose = () =>
      this.send("players", { sides: this.sides.map((side) => side.value), limit: limit() });
    this.picture = html("div", { class: "abviz-board-picture" });
    this.status = html("p", { class: "abviz-board-status", role: "status" });
    this.thought = html("p", { class: "abviz-board-thought" });
    this.problem = html("p", { class: "abviz-board-problem", role: "alert" });
    this.buttons = {
      undo: act("Undo"),
      redo: act("Redo"),
      start: act("Move for me", "start"),
      stop: act("Stop"),
      why: act("Why?", "why"),
      restart: act("New game", "restart"),
      setup: button("Set up", () => this.startSetup()),
    };
    const { players } = this.model.get("state");
    this.sides = players.map((name) =>
      dropdown(
        name,
        [
          ["you", "you"],
          ["engine", "engine"],
        ],
        choose,
      ),
    );
    this.amount = html("input", {
      type: "number",
      min: 0.1,
      step: "any",
      value: 1,
      "aria-label": "Limit of the engine",
    });
    this.unit = dropdown(
      "Unit of the limit",
      [
        ["seconds", "seconds"],
        ["depth", "moves deep"],
      ],
      choose,
    );
    this.amount.addEventListener("change", choose);
    this.amount.addEventListener("keydown", ({ key }) => {
      if (key !== "Enter") return; // which JupyterLab would take
      this.amount.blur();
      this.amount.focus();
    });
    this.text = html("textarea", {
      rows: 5,
      spellcheck: "false",
      "aria-label": "Position or game as text",
    });
    this.choices = row(); // the moves without squares, or what sets up a position
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
      row(...opponents, "Engine:", this.amount, this.unit),
      texts,
      this.problem,
    );
    this.root.append(this.picture, side);
    this.root.addEventListener("keydown", (event) => this.key(event));
  }

  show() {
    this.state = this.model.get("state");
    const { state } = this;
    this.root.removeAttribute("aria-busy");
    this.wantsFocus ||= this.choices.contains(document.activeElement); // which goes, and the keyboard with it
    this.chosen = []; // the squares clicked so far
    this.isSetup = false; // whether a position is set up: then the state is what has been set up so far
    this.status.textContent = state.status;
    this.complain(this.model.get("problem"));
    const { thinks } = state;
    const over = !thinks && !state.moves.length;
    const off = {
      undo: !state.undo,
      redo: !state.redo,
      start: over || thinks,
      stop: !thinks,
      setup: thinks || !BOARDS[state.kind].words,
    };
    off.why = thinks || (over && !state.undo);
    for (const [name, each] of Object.entries(this.buttons))
      each.setAttribute("aria-disabled", Boolean(off[name]));
    this.text.value = [state.fen, state.pdn].filter(Boolean).join("\n\n");
    const unclickable = state.moves.filter(({ to }) => !to.length);
    this.choices.replaceChildren(
      ...unclickable.map((way) => button(way.name, () => this.play(way))),
    );
    this.draw();
    this.think();
    const next = this.choices.querySelector("button") ?? this.squares[this.focus];
    if (this.wantsFocus && next) {
      next.focus();
      this.wantsFocus = false;
    }
  }

  /** Draw the board, and over it one transparent button for each square. */
  draw() {
    const { kind, cells, before } = this.state;
    const board = BOARDS[kind];
    const hadFocus = this.picture.contains(document.activeElement);
    const drawing = board.draw(cells, before);
    this.picture.replaceChildren(drawing);
    this.squares = [];
    if (!board.squares) return;
    this.arrows = svg("g", { class: "abviz-board-arrows" });
    for (const part of drawing.children) part.setAttribute("aria-hidden", true); // the squares tell
    const places = svg("g", {});
    board.squares.forEach(({ x, y, r, name }, place) => {
      const square = svg("circle", {
        cx: x,
        cy: y,
        r,
        role: "button",
        tabindex: place === this.focus ? 0 : -1,
        "data-square": name,
      });
      square.addEventListener("click", () => this.dragged || this.click(place));
      square.addEventListener("pointerdown", () => ((this.from = place), (this.dragged = false)));
      square.addEventListener("pointerup", (event) => this.drop(event));
      this.squares.push(square);
      places.append(square);
    });
    drawing.append(places, this.arrows);
    setAttributes(drawing, { role: "group", "aria-label": this.state.status });
    if (hadFocus) this.squares[this.focus].focus();
    this.mark();
  }

  /** The moves that begin with these squares: first all that move, in any order, then where they go. */
  open(chosen) {
    return this.state.moves.filter(({ from, to }) => {
      const first = chosen.slice(0, from.length);
      const isFirst =
        new Set(first).size === first.length && first.every((place) => from.includes(place));
      return isFirst && chosen.slice(from.length).every((place, i) => to[i] === place);
    });
  }

  click(place) {
    this.move(place);
    if (this.isSetup) return this.put(place);
    if (this.waits) return;
    const onward = [...this.chosen, place];
    const done = this.open(onward).find(
      ({ from, to }) => onward.length === from.length + to.length,
    );
    if (done) return this.play(done);
    const others = this.chosen.filter((each) => each !== place); // a second click lets it go
    const next = [onward, this.chosen.includes(place) ? others : [place]].find(
      (chosen) => this.open(chosen).length,
    );
    this.chosen = next ?? [];
    if (!next) {
      const must = this.state.moves.some(({ name }) => name.includes("x"))
        ? " (a capture is compulsory)"
        : "";
      const { name } = BOARDS[this.state.kind].squares[place];
      this.status.textContent = `${name} is not part of a legal move here${must}. ${this.state.status}`;
    }
    this.mark();
  }

  /** Show the move at once, and let Python play it; until it answers there is nothing else to play. */
  play({ name, after }) {
    const { state } = this;
    if (this.waits || !this.send("play", { move: name, version: state.version })) return;
    const status = `${state.players[state.turn]} has played ${name}.`;
    this.state = { ...state, cells: after, before: state.cells, moves: [], status };
    this.chosen = [];
    this.status.textContent = status;
    this.root.setAttribute("aria-busy", true);
    this.draw();
  }

  /** A piece was dragged from one square and dropped on another. */
  drop({ clientX, clientY }) {
    const under = this.root.getRootNode().elementFromPoint(clientX, clientY);
    const to = this.squares.indexOf(under);
    if (this.from === undefined || to < 0 || to === this.from || this.isSetup) return;
    this.dragged = true; // the click that follows is part of it
    const whole = this.state.moves.find(
      ({ drag }) => drag && drag[0] === this.from && drag[1] === to,
    );
    if (whole) return this.play(whole);
    if (this.chosen.length < 2) this.chosen = [];
    if (!this.chosen.length) this.click(this.from);
    this.click(to);
  }

  /** Show what has been chosen and where it can go. */
  mark() {
    const { chosen } = this;
    const { kind, cells, moves } = this.state;
    const { words, squares } = BOARDS[kind];
    const movable = moves.flatMap(({ from }) => from);
    const open = this.open(chosen);
    const first = chosen.length ? [] : open.flatMap(({ from }) => from);
    const next = open.map(({ from, to }) => to[chosen.length - from.length]);
    for (const [kind, places] of [
      ["abviz-can-move", first],
      ["abviz-chosen", chosen],
      ["abviz-can-go", next],
    ]) {
      this.squares.forEach((square, place) =>
        square.classList.toggle(kind, places.includes(place)),
      );
    }
    this.squares.forEach((square, place) => {
      const can = [
        movable.includes(place) ? ", can move" : "",
        next.includes(place) ? ", can go here" : "",
      ];
      square.ariaLabel = `${squares[place].name}, ${words[cells[place]]}${can.join("")}`;
      square.ariaPressed = chosen.includes(place) ? "true" : null;
    });
  }

  think() {
    const { text = "", arrows = [] } = this.model.get("thinking");
    this.thought.textContent = text;
    if (!this.squares.length || String(arrows) === this.arrows.drawn) return; // equal arrows stay as they are
    this.arrows.drawn = String(arrows);
    const { squares } = BOARDS[this.state.kind];
    this.arrows.replaceChildren(
      ...arrows.map(([from, to], i) => {
        const [{ x, y }, end] = [squares[from], squares[to]];
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

  // a position set up by hand

  startSetup() {
    const state = (this.state = {
      ...this.state,
      before: "",
      moves: [],
      status: "Setting up a position.",
    });
    this.status.textContent = state.status;
    this.chosen = [];
    this.isSetup = true;
    const sides = state.players.map((name, side) => [side, name]);
    this.choices.replaceChildren(
      "Click squares to change them. To move: ",
      dropdown("To move", sides, (side) => (state.turn = Number(side)), state.turn),
      button("Clear", () => ((state.cells = state.cells.replace(/./g, ".")), this.draw())),
      button("Done", () => this.send("setup", state)),
      button("Cancel", () => this.show()),
    );
    this.draw();
  }

  put(place) {
    const letters = Object.keys(BOARDS[this.state.kind].words);
    const { cells } = this.state;
    const next = letters[(letters.indexOf(cells[place]) + 1) % letters.length];
    this.state.cells = cells.slice(0, place) + next + cells.slice(place + 1);
    this.draw();
  }

  // keys

  key(event) {
    const place = this.squares.indexOf(event.target);
    if (place < 0 || event.ctrlKey || event.metaKey || event.altKey || event.key === "Tab") return;
    event.stopPropagation();
    if (event.key in ARROWS) this.step(...ARROWS[event.key]);
    else if (event.key === "Enter" || event.key === " ") this.click(place);
    else if (event.key === "Escape") this.show();
    else return;
    event.preventDefault();
  }

  /** Go to the nearest square in this direction: left and right along the row, up and down also by a diagonal. */
  step(dx, dy) {
    const { squares } = BOARDS[this.state.kind];
    const here = squares[this.focus];
    let [best, least] = [this.focus, Infinity];
    squares.forEach(({ x, y }, place) => {
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

  move(place) {
    this.squares[this.focus]?.setAttribute("tabindex", -1);
    this.focus = place;
    this.squares[place].setAttribute("tabindex", 0);
  }
}

function render({ model, el }) {
  const root = html("div", { class: "abviz-board" });
  el.append(root);
  new Board(model, root);
  return guardKeys(root);
}

export default { render };
