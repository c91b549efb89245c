// The picture of the tree: made once for a tree's shape, and from then on restyled. What a step shows of a node depends
// on nothing but the node's state at that step, so forwards, backwards and jumps are one operation.
// Names and numbers reach the page as text, never as markup.

import { LOOKS } from "./core/data.js";
import { boardOf } from "./boards.js";
import { button, html, keyName, setAttributes, svg } from "./dom.js";
import { moved } from "./core/edit.js";
import { layout } from "./core/layout.js";
import { machine, number } from "./core/numbers.js";
import { ordered } from "./core/search.js";
import { FIELDS, count, cutLetter, player, proven } from "./core/words.js";

const EYE = "a2.1 2.1 0 1 1 4.2 0a2.1 2.1 0 1 1-4.2 0";
const SCISSORS = `M-2.4-1.4L6 3.4M-2.4 1.4L6-3.4M-6.3-2.6${EYE}M-6.3 2.6${EYE}`;
const DRAG = 7; // pixels, beyond which a press is a drag; a value changes by one for each
const MOST_BOARDS = 60; // nodes of a tree with a board on each
const BOARD = 44; // points: a tic-tac-toe board and its margin
const MARGIN = 24; // the name of a cut may stand out at the side
const TOP = 4;
const OPEN = {
  state: "open",
  alpha: null,
  beta: null,
  bv: null,
  value: null,
  low: -Infinity,
  high: Infinity,
};
export const READABLE = 0.62; // the picture scrolls rather than shrink below this scale
const TOUCHABLE = 1.5; // or below this one, where fields are filled in with a finger

// Letters of double width, and emoji.
const DOUBLE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;

/** How wide bold text is at most in the usual fonts, in units of the font's size. */
function width(text) {
  const { widths, units } = LOOKS;
  let sum = 0;
  for (const letter of text) {
    if (widths.wide.includes(letter)) sum += units.wide;
    else if (widths.narrow.includes(letter)) sum += units.narrow;
    else if (DOUBLE.test(letter)) sum += units.double;
    else sum += letter !== letter.toLowerCase() ? units.upper : units.other;
  }
  return sum;
}

/** The size of every node in points, the same at every step: there is room for all that it may come to show. */
export function nodeSizes(tree, letters, board = 0) {
  const { sizes, units } = LOOKS;
  const values = tree.nodes.filter(
    ({ value, children, folded }) => value !== null || !(children.length || folded),
  );
  const widest = Math.max(...values.map(({ value }) => width(tree.number(value))));
  return tree.nodes.map((node) => {
    const name = width(node.short);
    if (isLeaf(node)) {
      const most = Math.max(sizes.value * width(tree.number(node.value)), sizes.name * name);
      return [Math.max(38, board, Math.round(most) + 10), LOOKS.leaf + board];
    }
    const numbers = sizes.head * (units.glyph + name + 2 * widest + 1.8); // an interval holds two of them
    const height = LOOKS.head + LOOKS.row * letters + board;
    if (!node.folded) return [Math.round(numbers) + 20 + 2 * LOOKS.slope, height];
    const most = Math.max(
      sizes.head * (units.glyph + name),
      sizes.folded * width(`✂ ${foldedWords(node)}`),
    );
    return [Math.round(most) + 30, height];
  });
}

export class TreeView {
  constructor(page, isMinimax = false) {
    Object.assign(this, { page, isMinimax }); // beside alpha-beta, a picture and no more
    this.pane = html("div", { class: "abviz-tree", tabindex: "-1" });
    const tool = (name, sign, key, factor, more = {}) => {
      return button(sign, () => this.zoomBy(factor), {
        "aria-label": name,
        title: `${name} (${key})`,
        ...more,
      });
    };
    const tools = [
      tool("Smaller", "−", "-", 0.8),
      tool("Fit", "Fit", "0", 0, { class: "abviz-fit" }),
      tool("Larger", "+", "+", 1.25),
    ];
    this.over = html(
      "div",
      { class: "abviz-over", role: "group", "aria-label": "Size of the tree" },
      ...tools,
    );
    this.caption = html("p", { class: "abviz-split-caption" }, "Alpha-beta");
    this.element = html("div", { class: "abviz-view" }, this.caption, this.over, this.pane);
    this.closed = new Set(); // names of nodes whose children are folded away by the reader
    this.zoom = null; // as large as it fits, but to be read; 0: the whole tree, however small
    this.pointed = this.focused = -1; // nodes
    this.history = false; // whether edges show the window that was handed down, and nodes their earlier values
    this.pane.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
  }

  get tree() {
    return this.page.tree;
  }

  /** The letters that stand in an inner node. */
  get letters() {
    return this.page.trace.hasBounds ? ["α", "β", "bv"] : ["bv"];
  }

  /** The topmost node that is shown; 0 once the tree has another shape, and for practice on the whole tree. */
  get top() {
    return this.page.isOwn && !this.page.worksheet.on ? this.page.spec.top : 0;
  }

  /** Whether the boards stand on the nodes: small boards, of which there are few. */
  get hasBoards() {
    const { boards } = this.page.spec;
    return boards?.kind === "cells" && this.tree.nodes.length <= MOST_BOARDS;
  }

  /** Draw the tree anew: its shape, or what an inner node holds, has changed. */
  draw() {
    const { tree, letters, page } = this;
    const given =
      this.closed.size || this.top !== page.spec.top ? null : page.placesOf(tree, letters);
    const sized = given ? page.original.tree : tree; // wider values of edited leaves are squeezed
    this.sizes = nodeSizes(sized, letters.length, this.hasBoards ? BOARD : 0);
    const { places, size } =
      given ?? layout(tree, this.sizes, (index) => !this.isClosed(index), this.top);
    Object.assign(this, {
      places,
      size: [size[0] + 2 * MARGIN, size[1] + 2 * TOP],
      marked: new Map(),
    });
    this.nodes = tree.nodes.map((node) => (places[node.index] ? this.drawNode(node) : null));
    this.edges = tree.nodes.map((node) =>
      places[node.index] && places[node.parent] ? this.drawEdge(node) : null,
    );
    const groups = (drawn) => drawn.flatMap((each) => each?.group ?? []);
    const edges = svg("g", { class: "abviz-edges", "aria-hidden": "true" }, ...groups(this.edges)); // the nodes tell
    const boxes = svg("g", { class: "abviz-nodes" }, ...groups(this.nodes));
    const label = `${this.isMinimax ? "Minimax, game" : "Game"} tree of ${tree.nodes.length} nodes`;
    const attributes = {
      viewBox: [-MARGIN, 0, ...this.size].join(" "),
      role: "group",
      "aria-label": label,
    };
    this.picture = svg("svg", attributes, edges, boxes);
    const had = this.pane.querySelector("[data-node]:focus-within")?.dataset.node;
    this.pane.replaceChildren(this.picture);
    this.repaint();
    page.arrange();
    if (this.isMinimax) return;
    const stays = this.nodes.find((drawn) => drawn?.group.dataset.node === had);
    this.rove(stays ? stays.group.index : this.top);
    // The keyboard stays at its node; where that is gone, the page keeps it.
    if (had !== undefined) (stays?.group ?? page.root).focus({ preventScroll: true });
  }

  isClosed(index) {
    const { name, children } = this.tree.nodes[index];
    return children.length > 0 && this.closed.has(name);
  }

  drawEdge({ index, name, parent }) {
    const [[x1, above], [x2, below]] = [this.places[parent], this.places[index]];
    const ends = {
      x1,
      y1: above + TOP + this.sizes[parent][1] / 2,
      x2,
      y2: below + TOP - this.sizes[index][1] / 2,
    };
    const group = svg(
      "g",
      { "data-edge": name },
      svg("line", ends),
      svg("line", { ...ends, class: "abviz-grip" }),
    );
    group.index = index;
    return { group, ...ends, cut: "", window: "" };
  }

  drawNode(node) {
    const [[x, middle], [across, height]] = [this.places[node.index], this.sizes[node.index]];
    const half = across / 2; // x counts from the middle of the node, y from its top
    const { worksheet, editor } = this.page;
    const hasFields = worksheet.on && worksheet.hasFields(node);
    const folds = node.children.length && !worksheet.on && !this.isMinimax;
    const role = hasFields
      ? "group"
      : folds || (editor.canRevalue(node) && !this.isMinimax)
        ? "button"
        : "img";
    const transform = `translate(${x} ${middle + TOP - height / 2})`;
    const attributes = { "data-node": node.name, "data-player": player(node), role, transform };
    if (!this.isMinimax) attributes.tabindex = -1;
    if (folds) attributes["aria-expanded"] = !this.isClosed(node.index);
    const group = svg(
      "g",
      attributes,
      node.label === node.short ? "" : svg("title", {}, node.label),
    );
    group.index = node.index;
    const headroom = across - 36 - LOOKS.sizes.head * (LOOKS.units.glyph + width(node.short)); // next to the name
    const drawn = { group, texts: {}, room: across - 10, headroom };
    const board = this.hasBoards ? BOARD : 0;
    const drawBoard = (y) => {
      const picture = boardOf(this.page.spec.boards, node);
      group.append(
        setAttributes(picture, { x: 3 - board / 2, y, width: board - 6, height: board - 6 }),
      );
    };
    const write = (content, x, y, anchor, kind) => {
      const text = svg(
        "text",
        { x, y, "text-anchor": anchor, lengthAdjust: "spacingAndGlyphs", class: kind },
        content,
      );
      group.append(text);
      return text;
    };
    if (isLeaf(node)) {
      group.append(svg("rect", { x: -half, width: across, height, rx: 9 }));
      if (board) drawBoard(4);
      drawn.value = write("", 0, (height + board) / 2 + 2, "middle", "abviz-value");
      drawn.name = write("", 0, height - 6, "middle", "abviz-name");
      return drawn;
    }
    const [up, down] = node.isMax ? [LOOKS.slope, 0] : [0, LOOKS.slope]; // a MAX node points up, a MIN node down
    const outline = {
      d: `M${up - half} 0L${half - up} 0L${half - down} ${height}L${down - half} ${height}Z`,
    };
    if (this.isClosed(node.index))
      group.append(svg("path", { ...outline, transform: "translate(4 4)" })); // a pile
    group.append(svg("path", outline));
    write(`${node.isMax ? "▲" : "▼"} ${node.short}`, 15 - half, 18, "start", "abviz-head");
    drawn.proven = write("", half - 15, 18, "end", "abviz-mark");
    if (board) drawBoard(height - board + 1);
    if (node.folded) drawn.folded = write("", 0, height / 2, "middle", "abviz-folded");
    this.letters.forEach((letter, row) => {
      const y = 36 + LOOKS.row * row;
      write(letter, 15 - half, y, "start", "abviz-letter");
      const box = { x: 38 - half, y: y - 13, width: across - 52, height: LOOKS.row };
      if (hasFields) group.append(worksheet.field(node, letter, box));
      else drawn.texts[letter] = write("", half - 15, y, "end", "abviz-number");
    });
    return drawn;
  }

  // ---------------------------------------------------------------- step k

  /** Restyle what lies between two steps. */
  move(from, to) {
    this.touched ??= touched(this.page.trace);
    const [first, last] = from < to ? [from + 1, to] : [to + 1, from];
    for (const node of new Set(this.touched.slice(first, last + 1).flat())) this.paint(node);
  }

  /** Restyle every node, after a change of the trace or of what may be shown. */
  repaint() {
    this.touched = null;
    for (const { index } of this.tree.nodes) this.paint(index);
  }

  paint(index) {
    const { trace, step, predict, worksheet } = this.page;
    const drawn = this.nodes[index];
    if (!drawn) return;
    const node = this.tree.nodes[index];
    const state = worksheet.on ? OPEN : predict.veil(node, trace.nodeAt(index, step));
    const before = this.page.valueBefore(node);
    const isCut = worksheet.on && worksheet.cuts.has(`cut ${node.name}`);
    this.paintEdge(index, state.state, isCut);
    const look = [...Object.values(state), number(node.value), before, isCut, this.history].join(
      " ",
    );
    if (look === drawn.look && !this.history) return; // earlier values may differ even so
    drawn.look = look;
    const { dataset } = drawn.group;
    const shown = {
      ...state,
      alpha: machine(state.alpha),
      beta: machine(state.beta),
      bv: machine(state.bv),
    };
    for (const fact of ["state", "alpha", "beta", "bv"])
      if (dataset[fact] !== shown[fact]) dataset[fact] = shown[fact];
    if (node.folded) {
      this.write(drawn.folded, state.state === "skipped" ? `✂ ${foldedWords(node)}` : ""); // not beforehand
    } else if (node.children.length) {
      const none =
        trace.search === "recorded" && !["waiting", "skipped"].includes(state.state) ? "—" : "";
      for (const letter in drawn.texts) {
        const value = state[FIELDS[letter]];
        const past = this.history && value !== null && !worksheet.on;
        const text = past
          ? this.valuesOf(index, letter).join(" → ")
          : value === null
            ? none
            : this.tree.number(value);
        this.write(drawn.texts[letter], text, drawn.room - 42, LOOKS.sizes.head);
      }
      this.write(drawn.proven, proven(state, this.tree.number), drawn.headroom, LOOKS.sizes.head);
    } else {
      const name =
        before === undefined || worksheet.on ? node.short : `was ${this.tree.number(before)}`;
      this.write(drawn.value, this.tree.number(node.value), drawn.room);
      this.write(drawn.name, name, drawn.room, LOOKS.sizes.name);
    }
    const more = (this.isClosed(index) ? ", folded" : "") + (isCut ? ", marked as cut off" : "");
    drawn.group.setAttribute("aria-label", describeNode(this.tree, node, state) + more);
  }

  /** The values that a letter of a node has had up to this step. */
  valuesOf(index, letter) {
    const { trace, step } = this.page;
    const states = trace.states[index].filter(
      ([at, state]) => at <= step && state[FIELDS[letter]] !== null,
    );
    const values = states.map(([, state]) => this.tree.number(state[FIELDS[letter]]));
    return values.filter((value, place) => value !== values[place - 1]);
  }

  toggleHistory() {
    this.history = !this.history;
    this.repaint();
  }

  /** Write the text; one that is wider than its room is squeezed into it, since nothing may move. */
  write(text, content, room, size = LOOKS.sizes.value) {
    if (text.textContent === content) return;
    text.textContent = content;
    if (size * width(content) > room) text.setAttribute("textLength", room);
    else text.removeAttribute("textLength");
  }

  /** On the edge above a node stands that it is cut off, or the window with which the node was called. */
  paintEdge(index, state, isMarked) {
    const edge = this.edges[index];
    if (!edge) return;
    const { group } = edge;
    group.dataset.state = state;
    const { parent, children } = this.tree.nodes[index];
    const { worksheet, trace, step } = this.page;
    const isCut =
      isMarked || (state === "skipped" && trace.nodeAt(parent, step).state !== "skipped");
    const cut = isCut ? cutMark(trace, index) : "";
    const [alpha, beta] = trace.windows[index];
    const isEntered =
      children.length && alpha !== null && !worksheet.on && !["waiting", "skipped"].includes(state);
    const window =
      this.history && isEntered ? `(${this.tree.number(alpha)}, ${this.tree.number(beta)})` : "";
    if (edge.cut === cut && edge.window === window) return;
    Object.assign(edge, { cut, window });
    edge.mark?.remove();
    const [kind, letter] = cut.split(" ");
    const middle = {
      x: (edge.x1 + edge.x2) / 2,
      y: (edge.y1 + edge.y2) / 2 + 4,
      "text-anchor": "middle",
    };
    edge.mark = cut
      ? badge(edge, letter)
      : svg("text", { ...middle, class: "abviz-window" }, window);
    if (cut || window) group.append(edge.mark);
    if (cut) group.dataset.cut = kind;
    else delete group.dataset.cut;
  }

  /** What holds for this step alone: the current node, the line so far, and at a cut the two paths of the argument. */
  show() {
    const { trace, step, worksheet } = this.page;
    if (worksheet.on) return; // the picture has been drawn anew, without marks
    const cut = trace.cutAt.get(step);
    const argument = cut ? argumentOf(trace, cut) : [];
    const edges = argument.filter((node) => argument.includes(this.tree.nodes[node].parent));
    const lit = [
      ...argument.map((node) => this.nodes[node]),
      ...edges.map((node) => this.edges[node]),
    ];
    this.mark("abviz-current", [this.nodes[this.shownFor(trace.places[step])]]);
    this.mark(
      "abviz-on-line",
      trace.lineAt(step).map((node) => this.edges[node]),
    );
    for (const kind of ["alpha", "beta"])
      this.mark(`abviz-lit-${kind}`, cut?.kind === kind ? lit : []);
    this.reveal();
  }

  /** Give this class to these drawn nodes and edges, and to no others. */
  mark(kind, drawn) {
    const groups = drawn.filter(Boolean).map(({ group }) => group);
    for (const group of this.marked.get(kind) ?? [])
      if (!groups.includes(group)) group.classList.remove(kind);
    for (const group of groups) group.classList.add(kind);
    this.marked.set(kind, groups);
  }

  // ---------------------------------------------------------------- zoom, pan, fold

  /** Size the picture for a room in pixels: by the zoom, or so that it fits, but never smaller than can be read. */
  fit(width, height, most) {
    const isTouched = this.page.worksheet.on && matchMedia("(pointer: coarse)").matches;
    const least = this.zoom === 0 ? 0 : isTouched ? TOUCHABLE : READABLE;
    const whole = Math.min(most, width / this.size[0], height / this.size[1]);
    this.scale = this.zoom || Math.max(least, whole);
    this.picture.style.width = `${this.scale * this.size[0]}px`;
    this.pane.style.maxHeight = `${height}px`;
    this.reveal();
  }

  /** Make the picture larger or smaller; by 0: show the whole tree, and the next time a size that can be read. */
  zoomBy(factor) {
    const whole = this.zoom === 0 ? null : 0;
    this.zoom = factor
      ? Math.min(4, Math.max(Math.min(0.1, this.scale), this.scale * factor))
      : whole;
    this.page.arrange();
  }

  /** With Ctrl, as browsers also send a pinch, the wheel zooms; what is under the pointer stays there. */
  wheel(event) {
    if (!event.ctrlKey) return;
    event.preventDefault();
    if (!event.deltaY || event.buttons) return;
    const { pane, page, picture } = this;
    page.root.querySelector(".abviz-edit")?.blur(); // it stands over a node
    const before = picture.getBoundingClientRect();
    this.zoomBy(Math.exp(-event.deltaY / 450));
    const now = picture.getBoundingClientRect();
    const scale = now.width / before.width;
    const by = (at, from, to) => to - at + (at - from) * scale;
    pane.scrollBy(by(event.clientX, before.left, now.left), by(event.clientY, before.top, now.top));
    cancelAnimationFrame(this.revealing);
    this.point(page.trace.cutAt.get(page.step));
  }

  /** Drag the picture where it is larger than the pane. */
  pan({ clientX, clientY }) {
    const { pane } = this;
    const { scrollLeft, scrollTop } = pane;
    const move = (now) =>
      pane.scrollTo(scrollLeft - now.clientX + clientX, scrollTop - now.clientY + clientY);
    this.follow(move, () => {});
  }

  /** Fold what is below the node, or unfold it. */
  fold(index) {
    const { name, children } = this.tree.nodes[index];
    if (!children.length || this.page.worksheet.on) return;
    if (!this.closed.delete(name)) this.closed.add(name);
    this.draw();
    this.show();
    this.page.editor.refresh(); // it marks the selected node
    this.page.split.load();
  }

  /** Scroll the pane, and only the pane, so that the current node is in view; and at a cut its witness, if both fit. */
  reveal() {
    cancelAnimationFrame(this.revealing);
    this.revealing = requestAnimationFrame(() => {
      const { trace, step } = this.page;
      const cut = trace.cutAt.get(step);
      if (cut && cut.witness >= 0) this.scrollTo(cut.witness);
      this.scrollTo(trace.places[step]);
      this.point(cut);
    });
  }

  scrollTo(index) {
    const { pane, scale } = this;
    const at = this.visible(index);
    const [[x, y], [across, height]] = [this.places[at], this.sizes[at]];
    const see = (from, size, middle, length) => {
      const [low, high] = [(middle - length) * scale, (middle + length) * scale];
      return low >= from && high <= from + size ? from : middle * scale - size / 2;
    };
    pane.scrollLeft = see(pane.scrollLeft, pane.clientWidth, x + MARGIN, across);
    pane.scrollTop = see(pane.scrollTop, pane.clientHeight, y, height);
  }

  /** Where the witness of a cut is out of sight, an arrow at the edge of the pane says where it is. */
  point(cut) {
    this.arrow?.remove();
    if (!cut || cut.witness < 0) return;
    const node = this.nodes[this.visible(cut.witness)].group.getBoundingClientRect();
    const pane = this.pane.getBoundingClientRect();
    const sides = {
      "↑": node.bottom < pane.top,
      "←": node.right < pane.left,
      "→": node.left > pane.right,
    };
    const side = Object.keys(sides).find((each) => sides[each]);
    if (!side) return;
    this.arrow = button(`${side} ${this.tree.nodes[cut.witness].short}`, () => {
      this.page.root.focus({ preventScroll: true }); // the button goes
      this.scrollTo(cut.witness);
      this.point(cut);
    });
    setAttributes(this.arrow, { class: "abviz-witness", "data-cut": cut.kind });
    this.over.prepend(this.arrow);
  }

  // ---------------------------------------------------------------- mouse and keyboard

  listen() {
    const { pane, page } = this;
    const point = (kind, nodeOf) => (event) => {
      this[kind] = nodeOf(event);
      if (kind === "focused" && this.focused >= 0 && page.editor.on)
        page.editor.select(this.focused);
      page.board.show();
    };
    pane.addEventListener(
      "focusin",
      point("focused", ({ target }) => this.nodeOf(target)),
    );
    pane.addEventListener(
      "focusout",
      point("focused", () => -1),
    );
    pane.addEventListener(
      "pointerover",
      point("pointed", ({ target }) => this.nodeOf(target)),
    );
    pane.addEventListener(
      "pointerleave",
      point("pointed", () => -1),
    );
    pane.addEventListener("click", (event) => this.click(event));
    pane.addEventListener("scroll", () => this.point(page.trace.cutAt.get(page.step)));
    pane.addEventListener("pointerdown", (event) => {
      this.dragged = false; // a drag that ended outside has no click
      if (event.button || event.target.closest("input")) return;
      // A click leaves the keyboard with the whole page, or the arrow keys would wander among the nodes.
      event.preventDefault();
      page.root.focus({ preventScroll: true });
      const index = this.nodeOf(event.target);
      if (index < 0) this.pan(event);
      else if (!page.worksheet.on && !page.predict.open) this.drag(event, index);
    });
  }

  /** Drag a node among its siblings while the tree is edited; otherwise drag the value of a leaf up and down. */
  drag({ clientX, clientY }, index) {
    const { page, tree, scale } = this;
    const { value, parent } = tree.nodes[index];
    const ordering = page.editor.on && page.editor.hasShape && parent >= 0;
    const valuing =
      !page.spec.boards && page.editor.canRevalue(tree.nodes[index]) && Number.isSafeInteger(value);
    if (!ordering && !valuing) return;
    const { group } = this.nodes[index];
    const move = (now) => {
      const [across, up] = [now.clientX - clientX, clientY - now.clientY];
      this.dragged ||= Math.abs(ordering ? across : up) > DRAG;
      if (!this.dragged) return;
      if (ordering) group.style.translate = `${across / scale}px`;
      else page.editor.dragValue(index, value + Math.round(up / DRAG));
    };
    const end = (now) => {
      page.editor.endDrag();
      group.style.translate = "";
      if (!ordering || !this.dragged || now.type !== "pointerup") return;
      const x = this.places[index][0] + (now.clientX - clientX) / scale;
      const others = tree.nodes[parent].children.filter((each) => each !== index);
      const place = others.filter((each) => this.places[each][0] < x).length;
      page.editor.select(index);
      page.editor.to(moved(tree, index, place));
    };
    this.follow(move, end);
  }

  /** Follow the pointer, and no longer one that was pressed before. */
  follow(move, end) {
    this.letGo();
    this.letGo = followPointer(move, end);
  }

  letGo = () => {};

  nodeOf(target) {
    return target.closest("[data-node]")?.index ?? -1;
  }

  click({ target, detail }) {
    const { page } = this;
    if (this.dragged) return void (this.dragged = false);
    const index = this.nodeOf(target);
    const edge = target.closest("[data-edge]");
    if (page.worksheet.on) return void (edge && page.worksheet.toggleCut(edge.index));
    if (index < 0 || page.predict.picks(index)) return;
    if (this.tree.nodes[index].children.length && [0, 2].includes(detail))
      return void this.fold(index);
    if (page.editor.on) page.editor.select(index);
    page.editor.revalue(index);
  }

  /** The keys of a node that has the keyboard; true for those. */
  key(event) {
    const index = this.nodeOf(event.target);
    if (index < 0 || event.target.matches("input")) return false;
    const { key } = event;
    const name = keyName(event);
    const { parent, place, children } = this.tree.nodes[index];
    const beside = (way) => this.tree.nodes[parent]?.children[place + way];
    const ways = {
      ArrowUp: parent,
      ArrowDown: children[0],
      "Shift+←": beside(-1),
      "Shift+→": beside(1),
    };
    if (name in ways) this.focus(ways[name]);
    else if (key === "Enter" && !children.length) this.page.editor.revalue(index);
    else if (key === "Enter" || key === " ") this.fold(index);
    else return false;
    event.preventDefault();
    return true;
  }

  /** Of all nodes one is a stop of the Tab key; from there the arrow keys go on. */
  focus(index) {
    if (!this.nodes[index]) return;
    this.rove(index);
    this.nodes[index].group.focus({ preventScroll: true });
    this.scrollTo(index);
  }

  rove(index) {
    this.nodes[this.stop]?.group.setAttribute("tabindex", "-1");
    this.nodes[index].group.setAttribute("tabindex", "0");
    this.stop = index;
  }

  /** Show of each mark of a worksheet, a field or a cut, whether it is right. */
  judge(marks) {
    for (const { key, index, verdict } of marks) {
      const mark =
        this.pane.querySelector(`[data-key="${CSS.escape(key)}"]`) ?? this.edges[index].group;
      mark.setAttribute("aria-invalid", verdict === "wrong");
      if (verdict) mark.dataset.verdict = verdict;
      else delete mark.dataset.verdict;
    }
  }

  /** The node itself, or the closed node above that stands for it; undefined outside the part that is shown. */
  shownFor(index) {
    return this.tree.path(index).findLast((node) => this.places[node]);
  }

  visible(index) {
    return this.shownFor(index) ?? this.top;
  }
}

const ENDS_OF_DRAG = ["pointerup", "pointercancel"];

/** Follow the pointer until it is let go; return what stops that earlier. */
function followPointer(move, end) {
  const stop = () => {
    window.removeEventListener("pointermove", move);
    for (const name of ENDS_OF_DRAG) window.removeEventListener(name, finish);
  };
  const finish = (event) => {
    stop();
    end(event);
  };

  window.addEventListener("pointermove", move);
  for (const name of ENDS_OF_DRAG) window.addEventListener(name, finish);
  return stop;
}

/** A leaf shows its value; a part of a game that is not laid out looks like an inner node until it is cut. */
const isLeaf = ({ children, folded }) => !children.length && !folded;

/** What is folded at a leaf of a game's tree: "37 nodes". */
const foldedWords = ({ folded }) => count(folded.nodes, "node", "nodes");

/** The node in words, for a screen reader. */
function describeNode({ number }, node, state) {
  const known = Object.entries(FIELDS).filter(([, field]) => state[field] !== null);
  const words = [
    `${player(node)} ${node.children.length || node.folded ? "node" : "leaf"} ${node.label}`,
  ];
  if (node.folded)
    words.push(...(state.state === "skipped" ? [`${foldedWords(node)} folded`] : []));
  else if (!node.children.length) words.push(`value ${number(node.value)}`);
  else words.push(...known.map(([letter, field]) => `${letter} ${number(state[field])}`));
  if (node.children.length && proven(state)) words.push(`its value ${proven(state, number)}`);
  return [...words, state.state].join(", ");
}

/** For each step the nodes that it changes. */
function touched(trace) {
  const nodes = Array.from({ length: trace.length + 1 }, () => []);
  trace.states.forEach((states, index) => states.forEach(([step]) => nodes[step].push(index)));
  return nodes;
}

/** The kind of the cut above a child, and on the last edge of a cutoff its name: "alpha α". */
function cutMark(trace, index) {
  const parent = trace.nodes[trace.nodes[index].parent];
  const kind = parent.isMax ? "beta" : "alpha";
  const isLast = index === ordered(trace.rules, parent.children).at(-1);
  return isLast && trace.search === "alphabeta" ? `${kind} ${cutLetter(trace.rules, kind)}` : kind;
}

/** At a cut, the nodes of the argument: from the witness down to the node that cuts, and down the line to the leaf that
 * set the bound. */
function argumentOf(trace, cut) {
  if (cut.witness < 0) return [];
  const path = trace.tree.path(cut.at);
  const line = trace.lineAt(cut.step, cut.via);
  return [...path.slice(path.indexOf(cut.witness)), ...(line.length ? line : [cut.via])];
}

/** Scissors and a double bar across an edge; on the last edge of a cutoff the name of the cut. */
function badge({ x1, y1, x2, y2 }, letter) {
  const turn = (Math.atan2(y2 - y1, x2 - x1) * 180) / Math.PI - 90;
  const bars = svg("path", {
    d: "M-7 -5h14M-7 -9h14",
    transform: `translate(${x2} ${y2}) rotate(${turn})`,
  });
  const up = 24; // the scissors lie on the edge, the name next to it, away from the siblings that were searched
  const at = [x2 - ((x2 - x1) * up) / (y2 - y1), y2 - up];
  const out = x2 < x1 ? -1 : 1;
  const box = {
    x: letter ? out * 18 - 29 : -10,
    y: -8,
    width: letter ? 58 : 20,
    height: 16,
    rx: 8,
  };
  const parts = [svg("rect", box), svg("path", { d: SCISSORS })];
  if (letter)
    parts.push(svg("text", { x: out * 27, y: 4, "text-anchor": "middle" }, `${letter}-cut`));
  return svg(
    "g",
    {},
    bars,
    svg("g", { class: "abviz-badge", transform: `translate(${at})` }, ...parts),
  );
}
