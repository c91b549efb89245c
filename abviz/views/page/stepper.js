// The stepper: shows frame k of what Python has worked out (abviz/frames.py). It knows no alpha-beta.
//
// Every series is a list of [step, entry ...] in the order of steps, and what holds at step k is its latest entry up
// to k. So a step forward, a step back and a jump are the same thing, and a step touches only what it changes.
// The questions of predict mode are asked by predict.js, which stands behind this in the same module.
// Names and sentences reach the page as text, never as markup.

const SVG = "http://www.w3.org/2000/svg";

const ICONS = {
  First: "M3 2h2v12H3zM13 2v12L5.5 8z",
  Previous: "M10.5 2.5L5 8l5.5 5.5",
  Play: "M4 2v12l9-6z",
  Pause: "M4 2h3v12H4zM9 2h3v12H9z",
  Next: "M5.5 2.5L11 8l-5.5 5.5",
  Last: "M11 2h2v12h-2zM3 2v12l7.5-6z",
  "Previous cut": "M5 3.5v9L.8 8zM9.4 6l6.4 5M9.4 10l6.4-5M6.6 4.8a1.7 1.7 0 1 1 3.4 0a1.7 1.7 0 1 1-3.4 0M6.6 11.2a1.7 1.7 0 1 1 3.4 0a1.7 1.7 0 1 1-3.4 0",
  "Next cut": "M11 3.5v9L15.2 8zM3.4 6l6.4 5M3.4 10l6.4-5M.6 4.8a1.7 1.7 0 1 1 3.4 0a1.7 1.7 0 1 1-3.4 0M.6 11.2a1.7 1.7 0 1 1 3.4 0a1.7 1.7 0 1 1-3.4 0",
  Predict: "M3 8.5l3.5 4L13 3.5",
  Boards: "M2 2h12v12H2zM8 2v12M2 8h12",
  "Full screen": "M2 6V2h4M10 2h4v4M14 10v4h-4M6 14H2v-4",
  Help: "M5.5 6a2.5 2.5 0 1 1 3.6 2.2c-.8.4-1.1.9-1.1 1.8M8 12.2v1.3",
};
const STROKED = ["Previous", "Next", "Previous cut", "Next cut", "Predict", "Boards", "Full screen", "Help"]; // lines; the others are filled
const SCISSORS = "M-2.4-1.4L6 3.4M-2.4 1.4L6-3.4M-6.3-2.6a2.1 2.1 0 1 1 4.2 0a2.1 2.1 0 1 1-4.2 0M-6.3 2.6a2.1 2.1 0 1 1 4.2 0a2.1 2.1 0 1 1-4.2 0";
const KEYS = [
  ["← →", "previous, next step"],
  ["Home End", "before the search, its end"],
  ["Space", "play, pause"],
  ["c Shift+c", "next cut, previous cut"],
  ["p", "predict: questions before the steps"],
  ["1 … 9, Enter", "at a question: choose, answer"],
  ["f", "full screen"],
  ["?", "this help"],
  ["Click a leaf", "try another value (in a notebook)"],
  ["Esc", "back to the page"],
];
const BOARD_KEYS = [
  ["b", "the current node’s board: on, off"],
  ["Point, click", "the board of any node; a click keeps it"],
  ["Tab, ↑ ↓, Shift+← →", "the same by keyboard: to the node above, below, beside; Enter keeps it"],
];
const PACE = 1200; // milliseconds a step at speed 1
const MARGIN = 24;
const READABLE = 0.72; // the picture scrolls rather than shrink below this scale
const COMFORTABLE = 0.75; // the panels go below the picture rather than shrink it below this scale
const SIDE = 21; // what they need beside it, in widths of the font
const MOST_CALLS = 14; // rows of the call stack

const html = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
const svg = (tag, attributes, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);

function fill(element, attributes = {}, children = []) {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** The place of the last entry of a series whose step is at most k; -1 if there is none. */
function latest(series, k) {
  let low = 0;
  let high = series.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (series[middle][0] <= k) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

const SIDES = { b: "Black", w: "White" };
const CROWN = "M-9 6.5V-4.5L-4.5 0L0 -7L4.5 0L9 -4.5V6.5Z";

/** A board of checkers: what stands on the squares 1 to 32, and an outline where something else stood before. */
function checkers(board, before) {
  const parts = [svg("rect", { width: 320, height: 320, class: "abviz-light" })];
  const pieces = [];
  [...board].forEach((piece, i) => {
    const [x, y] = [40 * (2 * (i % 4) + ((i >> 2) + 1) % 2), 40 * (i >> 2)];
    parts.push(svg("rect", { x, y, width: 40, height: 40, class: "abviz-dark" }));
    if (before && before[i] !== piece) {
      pieces.push(svg("rect", { x: x + 2, y: y + 2, width: 36, height: 36, class: "abviz-changed" }));
    }
    if (piece === ".") return;
    const man = svg("g", { class: `abviz-piece-${piece.toLowerCase()}`, transform: `translate(${x + 20} ${y + 20})` });
    man.append(svg("circle", { r: 16 }));
    if (piece === "b") man.append(svg("circle", { r: 10 }));
    if (piece === piece.toUpperCase()) man.append(svg("path", { d: CROWN }));
    pieces.push(man);
  });
  return svg("svg", { viewBox: "0 0 320 320" }, ...parts, ...pieces);
}

function checkersWords(board) {
  const told = [];
  for (const [letter, one, many] of [["b", "man", "men"], ["B", "king", "kings"], ["w", "man", "men"], ["W", "king", "kings"]]) {
    const squares = [...board].flatMap((piece, i) => (piece === letter ? [i + 1] : []));
    if (squares.length) told.push(`${SIDES[letter.toLowerCase()]} ${squares.length === 1 ? one : many} on ${squares.join(", ")}`);
  }
  return told.join("; ") || "No pieces";
}

/** A board of nine cells: x, o or a dot in each. */
function cells(board, before) {
  const parts = [svg("rect", { width: 120, height: 120, class: "abviz-cells" })];
  parts.push(svg("path", { d: "M40 8V112M80 8V112M8 40H112M8 80H112", class: "abviz-grid" }));
  [...board].forEach((mark, i) => {
    const [x, y] = [20 + 40 * (i % 3), 20 + 40 * Math.floor(i / 3)];
    if (before && before[i] !== mark) parts.push(svg("rect", { x: x - 18, y: y - 18, width: 36, height: 36, class: "abviz-changed" }));
    if (mark === "x") parts.push(svg("path", { d: `M${x} ${y}m-11 -11l22 22m0 -22l-22 22`, class: "abviz-x" }));
    if (mark === "o") parts.push(svg("circle", { cx: x, cy: y, r: 12, class: "abviz-o" }));
  });
  return svg("svg", { viewBox: "0 0 120 120" }, ...parts);
}

function cellsWords(board) {
  const rows = [0, 3, 6].map((i) => [...board.slice(i, i + 3)].map((mark) => (mark === "." ? "empty" : mark)).join(" "));
  return `Row by row: ${rows.join("; ")}`;
}

/** How a board is drawn and told, by its kind; the letters are text, and never markup. */
const BOARDS = {
  checkers: [checkers, checkersWords],
  cells: [cells, cellsWords],
  text: [(board) => html("pre", {}, board), (board) => board],
};

/** A number of the data, "-inf" or "-3", as it is read: −∞, −3. */
const shown = (text = "") => text.replace("-", "−").replace("inf", "∞");

class Stepper {
  constructor(model, host) {
    this.model = model;
    this.timer = null;
    this.build(host);
    this.load();
    this.listen();
  }

  // ---------------------------------------------------------------- the frame around the picture

  build(host) {
    this.root = html("div", { class: "abviz-stepper", tabindex: "0", role: "group" });
    this.title = html("div", { class: "abviz-title" });
    this.choices = html("div", { class: "abviz-choices" });
    this.problem = html("p", { class: "abviz-problem", role: "alert", hidden: "" });
    this.says = html("p", { class: "abviz-says", role: "status", "aria-live": "polite" });
    this.told = html("div", { class: "abviz-told" }, this.says);
    this.pane = html("div", { class: "abviz-tree", tabindex: "-1" });
    this.line = html("div", { class: "abviz-line", role: "img" });
    this.stack = html("table", { class: "abviz-stack" });
    this.code = html("ol", { class: "abviz-code", "aria-label": "Pseudocode" });
    this.form = html("select", { "aria-label": "Form of the pseudocode" });
    this.counts = html("span", { class: "abviz-counts" });
    this.whatIf = html("strong", { class: "abviz-what-if", role: "status" });
    this.rules = html("span", { class: "abviz-rules" });
    this.quiz = new Predicting(this);
    this.help = html("div", { class: "abviz-help", role: "dialog", "aria-label": "Keys", hidden: "" });
    this.square = html("div", { class: "abviz-square", role: "img" });
    this.whose = html("div", { class: "abviz-whose" });
    this.board = html("div", { class: "abviz-board", hidden: "" }, this.square, this.whose);
    const head = html("div", { class: "abviz-head" }, this.title, this.choices);
    const talk = html("div", { class: "abviz-talk" }, head, this.controls(), this.problem, this.told, this.quiz.element);
    this.root.append(
      html("div", { class: "abviz-top" }, talk, this.board),
      html(
        "div",
        { class: "abviz-body" },
        html("div", { class: "abviz-main" }, this.pane, this.line),
        html(
          "div",
          { class: "abviz-side" },
          html("div", { class: "abviz-panel" }, html("div", { class: "abviz-caption" }, this.form), this.code),
          html("div", { class: "abviz-panel" }, this.stack),
        ),
      ),
      html("div", { class: "abviz-foot" }, this.counts, this.whatIf, this.rules),
      this.help,
    );
    host.append(this.root);
  }

  controls() {
    this.buttons = {};
    const button = (name, key, act) => {
      const icon = svg("svg", { viewBox: "0 0 16 16", "aria-hidden": "true" }, svg("path", {}));
      const element = html("button", { type: "button" }, icon);
      element.addEventListener("click", act);
      this.buttons[name] = element;
      this.name(element, name, key);
      return element;
    };
    this.slider = html("input", { type: "range", min: "0", step: "1", "aria-label": "Step" });
    this.slider.addEventListener("input", () => this.go(Number(this.slider.value)));
    this.marks = html("div", { class: "abviz-marks", "aria-hidden": "true" });
    this.where = html("span", { class: "abviz-where" });
    this.speed = html("select", { "aria-label": "Speed", title: "Speed" });
    for (const speed of [0.5, 1, 2, 4]) this.speed.append(html("option", { value: speed }, `${speed}×`));
    this.speed.addEventListener("change", () => (this.tell("speed", Number(this.speed.value)), this.pace()));
    return html(
      "div",
      { class: "abviz-controls", role: "group", "aria-label": "Steps" },
      button("First", "Home", () => this.go(0)),
      button("Previous cut", "Shift+c", () => this.toCut(-1)),
      button("Previous", "←", () => this.go(this.step - 1)),
      button("Play", "Space", () => this.play(!this.timer)),
      button("Next", "→", () => this.next()),
      button("Next cut", "c", () => this.toCut(1)),
      button("Last", "End", () => this.go(this.steps)),
      html("div", { class: "abviz-slider" }, this.marks, this.slider),
      this.where,
      this.speed,
      button("Predict", "p", () => this.quiz.turn(!this.quiz.on)),
      button("Boards", "b", () => this.follow(!this.follows)),
      button("Full screen", "f", () => this.fullScreen()),
      button("Help", "?", () => this.toggleHelp()),
    );
  }

  name(button, name, key) {
    button.setAttribute("aria-label", name);
    button.setAttribute("title", `${name} (${key})`);
    button.firstChild.firstChild.setAttribute("d", ICONS[name]);
    button.classList.toggle("abviz-stroked", STROKED.includes(name));
  }

  // ---------------------------------------------------------------- a new trace

  load() {
    const frames = this.model.get("frames");
    this.play(false);
    this.frames = frames;
    this.steps = frames.says.length - 1;
    this.step = Math.min(this.model.get("step"), this.steps);
    this.root.dataset.steps = this.steps;
    this.root.setAttribute("aria-label", `Stepper: ${frames.title || "a game tree"}`);
    this.title.replaceChildren(html("strong", {}, frames.title || "A game tree"));
    if (frames.source) this.title.append(html("span", { title: frames.note }, frames.source));
    this.whatIf.textContent = frames.what_if;
    this.rules.textContent = frames.rules;
    this.quiz.load();
    this.reserve();
    this.setBoards();
    this.slider.max = this.steps;
    this.touched = Array.from({ length: this.steps + 1 }, () => []);
    frames.history.forEach((series, node) => series.forEach((entry) => this.touched[entry[0]].push(node)));
    this.draw();
    this.mark();
    this.write();
    this.offer();
    this.lit = [];
    this.marked = [];
    this.current = null;
    this.last = new Array(frames.nodes.length).fill(null);
    frames.nodes.forEach((_, node) => this.paint(node, this.step));
    this.arrange(this.root.clientWidth);
    this.show();
  }

  /** Room for the longest sentence, count and call stack to come, so that nothing below moves. */
  reserve() {
    const { says, counts, nodes } = this.frames;
    const longest = (texts) => texts.reduce((longest, text) => (text.length > longest.length ? text : longest), "");
    const levels = [];
    nodes.forEach((node, index) => (levels[index] = node[3] < 0 ? 1 : levels[node[3]] + 1));
    this.told.dataset.longest = `${longest([...says, this.quiz.longest])} and more`; // a shorter one may take as many lines by where its words end
    this.root.style.setProperty("--count", `${longest(counts.map(([, text]) => text)).length}ch`);
    this.root.style.setProperty("--calls", levels.reduce((most, level) => Math.min(MOST_CALLS + 1, Math.max(most, level))));
  }

  /** The picture, once: later steps only restyle it and change its texts. */
  draw() {
    const { nodes, size } = this.frames;
    const [width, height] = size;
    const edges = svg("g", { class: "abviz-edges", "aria-hidden": "true" }); // the nodes say what is skipped
    const boxes = svg("g", { class: "abviz-nodes" });
    this.edges = nodes.map((node) => (node[3] < 0 ? null : this.drawEdge(node, nodes[node[3]])));
    this.nodes = nodes.map((node, index) => this.drawNode(node, index));
    edges.append(...this.edges.filter(Boolean).map((edge) => edge.group));
    boxes.append(...this.nodes.map((node) => node.group));
    const label = `Game tree of ${nodes.length} nodes; the sentence above tells each step`;
    const box = `${-MARGIN} 0 ${width + 8 + 2 * MARGIN} ${height + 8}`; // the name of a cut may stand out at the side
    this.picture = svg("svg", { viewBox: box, role: "group", "aria-label": label }, edges, boxes);
    this.indexOf = new Map(this.nodes.map((node, index) => [node.group, index]));
    this.stop = -1;
    if (this.boards) for (const { group } of this.nodes) fill(group, { role: "button", tabindex: "-1" });
    this.picture.style.setProperty("--natural", `${width + 8 + 2 * MARGIN}px`);
    this.picture.style.setProperty("--least", `${Math.round((width + 8 + 2 * MARGIN) * READABLE)}px`);
    this.picture.style.setProperty("--least-height", `${Math.round((height + 8) * READABLE)}px`);
    this.pane.replaceChildren(this.picture);
  }

  /** Where the panels go: beside the picture, or below a wide one; in full screen beside a tall one the number line, too. */
  arrange(width) {
    const [across, down] = this.frames.size;
    this.root.classList.toggle("abviz-wide", this.isWide(width));
    this.root.classList.toggle("abviz-tall", down > across);
  }

  isWide(width) {
    const font = parseFloat(getComputedStyle(this.root).fontSize);
    const larger = document.fullscreenElement === this.root ? 1.5 : 1; // to be read from the back of a room
    return this.frames.size[0] * COMFORTABLE * larger > width - SIDE * font;
  }

  drawEdge([name, , , , x, y, , height], [, , , , px, py, , pheight]) {
    const [x1, y1, x2, y2] = [px + 4, py + 4 + pheight / 2, x + 4, y + 4 - height / 2];
    const group = svg("g", { "data-edge": name }, svg("line", { x1, y1, x2, y2 }));
    return { group, x1, y1, x2, y2, cut: "", letter: null };
  }

  drawNode([name, text, player, , x, y, width, height, value, was, whole = text], index) {
    const [left, right, top, bottom] = [x + 4 - width / 2, x + 4 + width / 2, y + 4 - height / 2, y + 4 + height / 2];
    const group = svg("g", { "data-node": name, "data-player": player, role: "img" }, svg("title", {}, whole));
    const node = { group, texts: {} };
    const write = (content, at, baseline, anchor, kind) => {
      const letters = document.createTextNode(content);
      group.append(svg("text", { x: at, y: baseline, "text-anchor": anchor, class: kind }, letters));
      return letters;
    };
    if (value !== null) {
      const folded = this.folded.has(index);
      group.append(svg("rect", { x: left, y: top, width, height, rx: 9 }));
      node.value = write(value, x + 4, folded ? y + 4 : y + 6, "middle", folded ? "abviz-folded" : "abviz-value");
      write(was === null ? text : `was ${was}`, x + 4, bottom - 6, "middle", "abviz-name");
      if (!folded && this.model.get("choices")?.main) this.editable(group, name, whole, value);
    } else {
      const [up, down] = player === "MAX" ? [9, 0] : [0, 9];
      const corners = [left + up, right - up, right - down, left + down];
      const path = `M${corners[0]} ${top}L${corners[1]} ${top}L${corners[2]} ${bottom}L${corners[3]} ${bottom}Z`;
      group.append(svg("path", { d: path }));
      write(`${player === "MAX" ? "▲" : "▼"} ${text}`, left + 15, top + 18, "start", "abviz-head");
      node.mark = write("", right - 15, top + 18, "end", "abviz-mark");
      this.frames.letters.forEach((letter, row) => {
        write(letter, left + 15, top + 36 + 17 * row, "start", "abviz-letter");
        node.texts[letter] = write("", right - 15, top + 36 + 17 * row, "end", "abviz-number");
      });
    }
    return node;
  }

  /** The cuts on the slider. */
  mark() {
    const few = this.frames.cuts.length <= 20;
    this.marks.replaceChildren(
      ...this.frames.cuts.map(([step, kind, name]) => {
        const mark = html("span", { class: "abviz-cutmark", "data-cut": kind, "data-step": step, title: `step ${step}: ${name}` });
        mark.style.setProperty("--at", step / this.steps);
        if (few) mark.textContent = name[0];
        return mark;
      }),
    );
    const { parting } = this.frames; // where a recorded run parts from the reference
    if (parting === null || parting === undefined) return;
    const title = `step ${parting}: the first difference`;
    const mark = html("span", { class: "abviz-cutmark abviz-parting", "data-step": parting, title }, "≠");
    mark.style.setProperty("--at", parting / this.steps);
    this.marks.append(mark);
  }

  /** The pseudocode in the form that is chosen, or the first there is. */
  write() {
    const { forms } = this.frames;
    const wanted = this.model.get("form");
    this.text = forms.find((form) => form.name === wanted) || forms[0];
    this.form.replaceChildren(...forms.map(({ name, title }) => html("option", { value: name }, title)));
    this.form.value = this.text.name;
    this.lines = this.text.lines.map(([indent, words]) => {
      const line = html("li", {}, words);
      line.style.setProperty("--indent", indent);
      return line;
    });
    this.code.replaceChildren(...this.lines);
    this.lineAt = null;
  }

  // ---------------------------------------------------------------- step k

  /** The next step, unless a question comes before it. */
  next() {
    if (this.quiz.stops()) this.play(false);
    else this.go(this.step + 1);
  }

  go(step) {
    const k = Math.max(0, Math.min(this.steps, step));
    if (k === this.step) return;
    this.move(k);
    this.tell("step", k);
    if (this.model.get("problem")) this.tell("problem", "");
  }

  move(k) {
    const from = this.step;
    this.step = k;
    const [first, last] = from < k ? [from + 1, k] : [k + 1, from];
    for (let step = first; step <= last; step++) for (const node of this.touched[step]) this.paint(node, k);
    this.quiz.moved();
    this.show();
  }

  /** All but the nodes, which are painted before. */
  show() {
    const { frames, step } = this;
    this.root.dataset.step = step;
    this.counts.textContent = frames.counts[latest(frames.counts, step)][1];
    this.where.textContent = `${step} / ${this.steps}`;
    this.slider.value = step;
    this.slider.setAttribute("aria-valuetext", `step ${step} of ${this.steps}`);
    this.light();
    this.showLine();
    this.showCode();
    this.showStack();
    this.showBoard();
    if (this.boards && this.focused < 0) this.rove(Math.max(frames.at[step], 0));
    for (const name of ["First", "Previous"]) this.disable(name, step === 0);
    this.disable("Last", step === this.steps);
    this.disable("Previous cut", !(frames.cuts.length && frames.cuts[0][0] < step));
    this.disable("Next cut", !(frames.cuts.length && frames.cuts[frames.cuts.length - 1][0] > step));
    this.quiz.show();
    if (this.timer && step === this.steps) this.play(false);
    this.reveal();
  }

  /** Predict mode is on, off, or about other kinds of question. */
  predicted() {
    this.quiz.refresh();
    this.reserve();
    this.last.fill(null);
    this.frames.nodes.forEach((_, node) => this.paint(node, this.step));
    this.show();
  }

  // aria-disabled and not disabled: a button that has the focus must not lose it
  disable(name, off) {
    this.buttons[name].setAttribute("aria-disabled", off);
  }

  paint(index, k) {
    const series = this.frames.history[index];
    const entry = series[latest(series, k)];
    if (entry === this.last[index]) return;
    this.last[index] = entry;
    const [, state, alpha = "", beta = "", bv = "", , mark = "", cut = ""] = entry;
    const { group, texts, mark: proven } = this.nodes[index];
    const data = group.dataset;
    data.alpha = alpha;
    data.beta = beta;
    data.bv = bv;
    data.state = state;
    if (proven) {
      const numbers = { α: alpha, β: beta, bv };
      const none = state === "waiting" || state === "skipped" ? "" : this.frames.none;
      for (const letter in texts) texts[letter].data = shown(numbers[letter]) || none;
      proven.data = this.tells(state) ? mark : "";
    }
    if (this.folded.size && this.nodes[index].value) this.nodes[index].value.data = this.words(index, state);
    this.label(index, entry);
    const edge = this.edges[index];
    if (edge) {
      edge.group.dataset.state = state;
      if (edge.cut !== cut) this.paintCut(edge, cut);
    }
  }

  /** What is proven of a node that is not done would tell its next bv. */
  tells(state) {
    return !this.quiz.on || state === "done";
  }

  /** What a leaf of a game's tree says of itself: its value, or what is folded there: "37 nodes", and once it is cut off
   * "✂ 37 nodes". What is folded will be cut off: while that is asked, leaves to come all look alike. */
  words(index, state) {
    if (this.quiz.on && state === "waiting") return "…";
    return `${state === "skipped" && this.folded.has(index) ? "✂ " : ""}${this.frames.nodes[index][8]}`;
  }

  label(index, [, state, alpha, beta, bv, , mark]) {
    const [, text, player, , , , , , leaf] = this.frames.nodes[index];
    const value = leaf === null || !this.folded.size ? leaf : this.words(index, state).replace("✂ ", "");
    const folded = this.folded.has(index) && value !== "…";
    const says = [`${player} ${value === null || folded ? "node" : "leaf"} ${text}`];
    if (value !== null) says.push(folded ? `${value} folded` : `value ${value}`);
    else if (bv) says.push(alpha ? `α ${shown(alpha)}, β ${shown(beta)}, bv ${shown(bv)}` : `bv ${shown(bv)}`);
    if (mark && value === null && this.tells(state)) says.push(`its value ${mark}`);
    if (index === this.focused) says.push(this.inWords(index));
    this.nodes[index].group.setAttribute("aria-label", [...says, state].join(", "));
  }

  /** Across the edge of a child that was cut off a double bar, on it scissors, and on the last of them the cut's name. */
  paintCut(edge, cut) {
    edge.cut = cut;
    edge.badge?.remove();
    edge.badge = null;
    if (!cut) {
      delete edge.group.dataset.cut;
      return;
    }
    const [kind, letter] = cut.split(" ");
    edge.group.dataset.cut = kind;
    const { x1, y1, x2, y2 } = edge;
    const turn = (Math.atan2(y2 - y1, x2 - x1) * 180) / Math.PI - 90;
    const bars = svg("path", { d: "M-7 -5h14M-7 -9h14", transform: `translate(${x2} ${y2}) rotate(${turn})` });
    const up = 24; // the scissors lie on the edge, the words beside it, away from the brothers that were searched
    const badge = svg("g", { class: "abviz-badge", transform: `translate(${x2 - ((x2 - x1) * up) / (y2 - y1)} ${y2 - up})` });
    const out = x2 < x1 ? -1 : 1;
    const width = letter ? 58 : 20;
    badge.append(svg("rect", { x: letter ? out * 18 - 29 : -10, y: -8, width, height: 16, rx: 8 }));
    badge.append(svg("path", { d: SCISSORS }));
    if (letter) badge.append(svg("text", { x: out * 27, y: 4, "text-anchor": "middle" }, `${letter}-cut`));
    edge.badge = svg("g", {}, bars, badge);
    edge.group.append(edge.badge);
  }

  /** What holds for this step alone: the current node, the line so far, and at a cut the two paths of the argument. */
  light() {
    const { frames, step } = this;
    for (const [element, kind] of this.lit) element.classList.remove(kind);
    this.lit = [];
    const light = (element, kind) => {
      element.classList.add(kind);
      this.lit.push([element, kind]);
    };
    const at = frames.at[step];
    this.current = at < 0 ? null : this.nodes[at].group;
    if (this.current) light(this.current, "abviz-current");
    for (const node of frames.line[latest(frames.line, step)][1]) {
      if (this.edges[node]) light(this.edges[node].group, "abviz-on-line");
    }
    if (!(step in frames.lit)) return;
    const [kind, nodes] = frames.lit[step];
    for (const node of nodes) {
      light(this.nodes[node].group, `abviz-lit-${kind}`);
      if (nodes.includes(frames.nodes[node][3])) light(this.edges[node].group, `abviz-lit-${kind}`);
    }
  }

  // ---------------------------------------------------------------- what stands on the board

  /** The trace of a game has a board for every node, and a place where it is shown. */
  setBoards() {
    const { boards, folded } = this.frames;
    this.folded = new Set(folded);
    this.boards = boards?.of ? boards : null;
    this.pointed = this.focused = this.kept = -1;
    this.boardOf = null;
    this.follows ??= true;
    this.root.classList.toggle("abviz-boards", !!this.boards);
    this.board.hidden = this.buttons.Boards.hidden = !this.boards;
    this.buttons.Boards.setAttribute("aria-pressed", this.follows);
    const keys = this.boards ? [...KEYS.slice(0, -1), ...BOARD_KEYS, ...KEYS.slice(-1)] : KEYS;
    this.help.replaceChildren(html("dl", {}, ...keys.flatMap(([key, what]) => [html("dt", {}, key), html("dd", {}, what)])));
  }

  follow(on) {
    this.follows = on;
    this.buttons.Boards.setAttribute("aria-pressed", on);
    this.showBoard();
  }

  /** The board of the node that is pointed at, or has the keyboard, or was clicked; else of the current node. */
  showBoard() {
    if (!this.boards) return;
    const at = this.frames.at[this.step];
    const chosen = [this.pointed, this.focused, this.kept, this.follows ? at : -1].find((node) => node >= 0) ?? -1;
    if (chosen === this.boardOf) return;
    this.nodes[this.boardOf]?.group.classList.remove("abviz-shown");
    this.boardOf = chosen;
    this.nodes[chosen]?.group.classList.add("abviz-shown");
    if (chosen < 0) {
      this.square.replaceChildren(html("span", {}, "Point at a node to see its board."));
      this.square.setAttribute("aria-label", "No board");
      this.whose.replaceChildren();
      return;
    }
    const [name, , , above, , , , , , , whole = name] = this.frames.nodes[chosen];
    const { kind, of } = this.boards;
    this.square.replaceChildren(BOARDS[kind][0](of[chosen], of[above]));
    this.square.setAttribute("aria-label", this.inWords(chosen));
    this.whose.replaceChildren(html("strong", { title: whole }, whole), html("span", {}, this.toMove(chosen)));
  }

  toMove(index) {
    const { turns, players } = this.boards;
    return turns[index] === "-" ? "the game is over" : `${players[turns[index]]} to move`;
  }

  inWords(index) {
    const { kind, of } = this.boards;
    return `${BOARDS[kind][1](of[index])}. ${this.toMove(index)}.`;
  }

  /** Of all nodes one is a stop of the Tab key; from there the arrow keys go on. */
  rove(index) {
    this.nodes[this.stop]?.group.setAttribute("tabindex", "-1");
    this.nodes[index].group.setAttribute("tabindex", "0");
    this.stop = index;
  }

  watch() {
    const { pane } = this;
    const nodeOf = ({ target }) => (this.boards && this.indexOf.get(target.closest("[data-node]"))) ?? -1;
    const focus = (node) => {
      const before = this.focused;
      this.focused = node;
      for (const each of [before, node]) if (each >= 0) this.label(each, this.last[each]);
      this.showBoard();
    };
    // On the pane and not on the picture: an SVG element that hears of the focus becomes a stop of the Tab key.
    pane.addEventListener("focusin", (event) => focus(nodeOf(event)));
    pane.addEventListener("focusout", () => focus(-1));
    pane.addEventListener("pointerover", (event) => this.point(nodeOf(event)));
    pane.addEventListener("pointerleave", () => this.point(-1));
    pane.addEventListener("click", (event) => {
      const node = nodeOf(event);
      if (node >= 0) this.keep(node);
    });
    // A click leaves the keyboard with the whole stepper, or the arrow keys would wander among the nodes.
    pane.addEventListener("mousedown", (event) => {
      if (nodeOf(event) < 0) return;
      event.preventDefault();
      this.root.focus({ preventScroll: true });
    });
  }

  point(node) {
    this.pointed = node;
    this.showBoard();
  }

  /** Keep the board of a node in sight; once more, and it is let go. */
  keep(node) {
    this.nodes[this.kept]?.group.classList.remove("abviz-kept");
    this.kept = node === this.kept ? -1 : node;
    this.nodes[this.kept]?.group.classList.add("abviz-kept");
    this.showBoard();
  }

  /** The keys of a node that has the keyboard; true for those. */
  walk(node, { key, shiftKey }) {
    const { nodes } = this.frames;
    const above = nodes[node][3];
    const beside = (way) => {
      const row = nodes.flatMap((each, index) => (each[3] === above ? [index] : []));
      return row[row.indexOf(node) + way];
    };
    const ways = {
      ArrowUp: () => above,
      ArrowDown: () => nodes.findIndex((each) => each[3] === node),
      ...(shiftKey && { ArrowLeft: () => beside(-1), ArrowRight: () => beside(1) }),
    };
    if (key in ways) {
      const to = ways[key]() ?? -1;
      if (to >= 0) {
        this.rove(to);
        this.nodes[to].group.focus({ preventScroll: true });
        this.scroll(nodes[to]);
      }
      return true;
    }
    const keeps = key === " " || (key === "Enter" && !this.nodes[node].group.matches(".abviz-editable"));
    if (keeps) this.keep(node);
    return keeps;
  }

  /** The number line: the window of the current node, and where the value that came up falls. */
  showLine() {
    const { frames, step } = this;
    const entry = this.last[frames.at[step]];
    const [, , alpha, beta, bv] = entry || [];
    const [low, high] = frames.range;
    const place = (text) => {
      if (text === "-inf") return 0;
      if (text === "inf") return 100;
      const share = high > low ? (Number(text) / 2 - low / 2) / (high / 2 - low / 2) : 0.5; // halves: none overflows
      return Math.max(4, Math.min(96, 8 + 84 * share)); // a window may reach beyond the values of the tree
    };
    const parts = [html("div", { class: "abviz-axis" })];
    const put = (kind, at, text) => {
      const part = html("div", { class: `abviz-${kind}` }, text);
      part.style.left = `${Math.max(0, Math.min(100, at))}%`;
      parts.push(part);
      return part;
    };
    for (const tick of new Set(["-inf", String(low), String(high), "inf"])) put("tick", place(tick), shown(tick));
    const drop = this.quiz.tests ? null : frames.drops[step];
    const [a, b] = drop ? [place(drop[3]), place(drop[4])] : [place(alpha), place(beta)];
    if (alpha && beta && bv && a <= b && !this.quiz.tests) {
      const isMax = frames.nodes[frames.at[step]][2] === "MAX";
      const names = isMax ? ["ignore", "update", "cut"] : ["cut", "update", "ignore"];
      [[0, a], [a, b], [b, 100]].forEach(([from, to], i) => {
        const zone = put("zone", from, to - from > 9 ? names[i] : "");
        zone.style.width = `${to - from}%`;
        zone.dataset.zone = names[i];
        if (drop && drop[2] === names[i]) zone.classList.add("abviz-hit");
      });
    }
    if (alpha) put("alpha", place(alpha), `α ${shown(alpha)}`);
    if (beta) put("beta", place(beta), `β ${shown(beta)}`);
    if (bv) put("bv", place(bv), `bv ${shown(bv)}`);
    if (drop && drop[0] !== drop[1]) put("handed", place(drop[0]), shown(drop[0]));
    this.line.replaceChildren(...parts);
    const bounds = alpha ? `α ${shown(alpha)}, β ${shown(beta)}` : "no bounds";
    const falls = drop ? `; ${shown(drop[0])} came up and bv ${shown(drop[1])} falls into the zone “${drop[2]}”` : "";
    this.line.setAttribute("aria-label", `Number line: ${bounds}${bv ? `, bv ${shown(bv)}` : ""}${falls}`);
  }

  showCode() {
    const line = this.lines[this.text.at[this.step]];
    if (line === this.lineAt) return;
    this.lineAt?.removeAttribute("aria-current");
    line?.setAttribute("aria-current", "step");
    this.lineAt = line;
  }

  /** The calls under way, each with its own α, β and bv; the newest below. */
  showStack() {
    const { frames, step } = this;
    const calls = [];
    for (let node = frames.at[step]; node >= 0; node = frames.nodes[node][3]) calls.unshift(node);
    const heads = ["call", ...frames.letters];
    const rows = [html("tr", {}, ...heads.map((head) => html("th", { scope: "col" }, head)))];
    const hidden = Math.max(0, calls.length - MOST_CALLS);
    if (hidden) rows.push(html("tr", {}, html("td", { colspan: heads.length }, `… ${hidden} more calls above`)));
    if (step > 0) {
      for (const node of calls.slice(hidden)) {
        const [, , alpha, beta, bv, value] = this.last[node]; // a value: it returns
        const name = `${frames.nodes[node][2] === "MAX" ? "▲" : "▼"} ${frames.nodes[node][1]}`;
        const numbers = { α: shown(alpha), β: shown(beta), bv: value ? `returns ${shown(value)}` : shown(bv) };
        const cells = frames.letters.map((letter) => html("td", {}, numbers[letter]));
        const row = html("tr", {}, html("th", { scope: "row" }, name), ...cells);
        if (node === frames.at[step]) row.setAttribute("aria-current", "true");
        rows.push(row);
      }
    }
    this.stack.replaceChildren(html("caption", {}, "Call stack"), ...rows);
  }

  /** Scroll the pane, and only the pane, so that the current node is in view; once a frame, since it asks for the layout. */
  reveal() {
    cancelAnimationFrame(this.revealing);
    this.revealing = requestAnimationFrame(() => {
      if (this.current) this.scroll(this.frames.nodes[this.frames.at[this.step]]);
      const panel = this.code.parentElement;
      const { offsetTop: top, offsetHeight: height } = this.lineAt || panel;
      if (top < panel.scrollTop || top + height > panel.scrollTop + panel.clientHeight) {
        panel.scrollTop = top - panel.clientHeight / 2;
      }
    });
  }

  scroll([, , , , x, y, width, height]) {
    const { pane } = this;
    if (pane.scrollWidth <= pane.clientWidth && pane.scrollHeight <= pane.clientHeight) return;
    const scale = this.picture.clientWidth / this.picture.viewBox.baseVal.width;
    const see = (from, size, middle, length) => {
      const [low, high] = [(middle - length) * scale, (middle + length) * scale];
      return low >= from && high <= from + size ? from : middle * scale - size / 2;
    };
    pane.scrollLeft = see(pane.scrollLeft, pane.clientWidth, x + MARGIN, width);
    pane.scrollTop = see(pane.scrollTop, pane.clientHeight, y, height);
  }

  // ---------------------------------------------------------------- what the reader does

  tell(what, value) {
    this.model.set(what, value);
    this.model.save_changes();
  }

  toCut(way) {
    const steps = this.frames.cuts.map(([step]) => step);
    const found = way > 0 ? steps.find((step) => step > this.step) : steps.filter((step) => step < this.step).pop();
    if (found !== undefined) this.go(found);
  }

  play(on) {
    clearInterval(this.timer);
    this.timer = null;
    const start = on && this.steps > 0 && !this.quiz.locked;
    if (start) {
      if (this.step === this.steps) this.go(0);
      this.timer = setInterval(() => this.next(), PACE / (Number(this.speed.value) || 1));
    }
    this.name(this.buttons.Play, start ? "Pause" : "Play", "Space");
  }

  fullScreen() {
    if (document.fullscreenElement === this.root) document.exitFullscreen();
    else this.root.requestFullscreen?.();
  }

  toggleHelp(open = this.help.hidden) {
    this.help.hidden = !open;
    this.buttons.Help.setAttribute("aria-expanded", open);
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.key === "Tab") return; // the page's own
    if (event.key === "Escape") {
      const open = this.choices.querySelector("details[open]");
      if (event.target.matches(".abviz-typed")) {
        event.stopPropagation();
        this.root.focus({ preventScroll: true });
      } else if (!this.help.hidden) this.toggleHelp(false);
      else if (open) open.open = false;
      else if (this.kept >= 0) this.keep(this.kept);
      else document.activeElement.blur(); // and on to the page: it has the keyboard again
      return;
    }
    event.stopPropagation();
    if (this.quiz.key(event)) return;
    const node = this.boards && this.indexOf.get(event.target);
    if (node !== null && node !== undefined && this.walk(node, event)) {
      event.preventDefault();
      return;
    }
    const target = event.target.closest("button, select, input, summary, [role=button]");
    if (target && target !== this.slider && (target.matches("select, input") || " Enter".includes(event.key))) return;
    const keys = {
      ArrowLeft: () => this.go(this.step - 1),
      ArrowRight: () => this.next(),
      Home: () => this.go(0),
      End: () => this.go(this.steps),
      " ": () => this.play(!this.timer),
      c: () => this.toCut(event.shiftKey ? -1 : 1),
      p: () => this.quiz.turn(!this.quiz.on),
      f: () => this.fullScreen(),
      "?": () => this.toggleHelp(),
      ...(this.boards && { b: () => this.follow(!this.follows) }),
    };
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key; // caps lock is no shift
    if (!(key in keys)) return;
    event.preventDefault();
    if (event.repeat && " bfp?".includes(key)) return; // held down, these would flicker
    keys[key]();
  }

  listen() {
    const { root, model } = this;
    root.addEventListener("keydown", (event) => this.key(event));
    // JupyterLab listens for keys while they bubble, Notebook 7 while they are captured; both leave alone what has this
    // attribute. It must be on what has the focus, since a shortcut for whatever has the focus is found there and looks no
    // further; and off for Ctrl and Meta, or Ctrl+S would not save.
    this.sizes = new ResizeObserver(([{ contentRect }]) => {
      this.arrange(contentRect.width);
      this.reveal();
    });
    this.sizes.observe(root);
    this.watch();
    this.guard = ({ target, ctrlKey, metaKey, key }) => {
      const ours = root.contains(target) && !(ctrlKey || metaKey || key === "Escape");
      this.guarded?.removeAttribute("data-lm-suppress-shortcuts");
      this.guarded = ours ? target : null;
      this.guarded?.setAttribute("data-lm-suppress-shortcuts", "");
    };
    window.addEventListener("keydown", this.guard, true);
    root.addEventListener("pointerdown", (event) => {
      const open = this.choices.querySelector("details[open]");
      if (open && !open.contains(event.target)) open.open = false;
    });
    this.form.addEventListener("change", () => {
      this.tell("form", this.form.value);
      this.write();
      this.showCode();
    });
    const steps = () => {
      const k = model.get("step");
      if (k !== this.step && k <= this.steps) this.move(k);
    };
    this.watched = [
      ["change:frames", () => this.load()],
      ["change:step", steps],
      ["change:form", () => (this.write(), this.showCode())],
      ["change:speed", () => this.pace()],
      ["change:predict", () => this.predicted()],
      ["change:show_of_hands", () => this.predicted()],
      ["change:problem", () => this.complain()],
      ["change:choices", () => this.offer()],
    ];
    for (const [event, act] of this.watched) model.on(event, act);
    this.pace();
    this.complain();
  }

  pace() {
    this.speed.value = this.model.get("speed");
    if (this.timer) this.play(true);
  }

  complain() {
    this.problem.textContent = this.model.get("problem") || "";
    this.problem.hidden = !this.problem.textContent;
  }

  destroy() {
    this.play(false);
    this.sizes.disconnect();
    window.removeEventListener("keydown", this.guard, true);
    for (const [event, act] of this.watched) this.model.off(event, act);
    this.root.remove();
  }

  // ---------------------------------------------------------------- with Python behind it

  /** The dropdowns of tree, search and rules. */
  offer() {
    const choices = this.model.get("choices");
    if (!choices?.main) return;
    const dropdown = ({ name, label, options, value }) => {
      const select = html("select", { "aria-label": label, title: label });
      for (const [option, text] of options) select.append(html("option", { value: option }, text));
      select.value = value;
      select.addEventListener("change", () => this.ask({ [name]: select.value }));
      return select;
    };
    const row = (rule) => html("label", {}, html("span", {}, rule.label), dropdown(rule));
    const rules = html("details", {}, html("summary", {}, "Rules"), html("div", {}, ...choices.rules.map(row)));
    rules.open = this.choices.querySelector("details")?.open ?? false;
    const undo = html("button", { type: "button", "aria-label": "Undo what-ifs" }, "Undo what-ifs");
    undo.hidden = !choices.changed;
    undo.addEventListener("click", () => this.ask({ undo: true }));
    const focused = this.choices.contains(document.activeElement) && document.activeElement.getAttribute("aria-label");
    this.choices.replaceChildren(undo, ...choices.main.map(dropdown), rules);
    if (focused) this.choices.querySelector(`[aria-label="${focused}"]`)?.focus();
  }

  ask(what) {
    const { number = 0 } = this.model.get("asked") || {};
    this.tell("asked", { ...what, number: number + 1 }); // so that asking the same twice is heard twice
  }

  /** A leaf that can be given another value. */
  editable(group, name, whole, value) {
    fill(group, { role: "button", tabindex: "0", class: "abviz-editable" });
    group.querySelector("title").textContent = `${whole}: click to try another value`;
    const edit = () => {
      const place = group.getBoundingClientRect();
      const around = this.root.getBoundingClientRect();
      const input = html("input", { class: "abviz-edit", "aria-label": `New value of ${whole}`, value });
      input.style.left = `${place.left - around.left + place.width / 2}px`;
      input.style.top = `${place.top - around.top}px`;
      let open = true;
      const close = (take) => {
        if (!open) return;
        open = false; // before it goes: going, it loses the focus, and that closes it too
        const text = input.value.trim();
        input.remove();
        this.root.focus({ preventScroll: true });
        if (take && text && text !== value) this.ask({ leaf: name, value: text });
      };
      input.addEventListener("keydown", (event) => {
        if (event.key === "Enter") close(true);
        if (event.key === "Escape") {
          event.stopPropagation();
          close(false);
        }
      });
      input.addEventListener("blur", () => close(true));
      this.root.append(input);
      input.select();
    };
    group.addEventListener("click", edit);
    group.addEventListener("keydown", (event) => event.key === "Enter" && edit());
  }
}

function render({ model, el }) {
  const stepper = new Stepper(model, el);
  return () => stepper.destroy();
}

export default { render };
