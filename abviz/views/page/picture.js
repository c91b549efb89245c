// The picture of a tree at a step: made once for where its nodes are, and from then on restyled. It
// knows no page: it shows a scene, and what it shows depends on nothing but the scene, whatever it
// has shown before. Names and numbers reach the page as text, never as markup.

import { LOOKS } from "./core/data.js";
import { boardOf } from "./boards.js";
import { setAttributes, svg } from "./dom.js";
import { inRows, layout } from "./core/layout.js";
import { lettered } from "./core/letters.js";
import { lettersShown, namesCuts } from "./core/levels.js";
import { machine, number } from "./core/numbers.js";
import { ordered } from "./core/search.js";
import { remembered } from "./core/trace.js";
import { FIELDS, count, cutLetter, player, provenBeside } from "./core/words.js";

/** @import { Boards } from "./boards.js" */
/** @import { Show } from "./core/levels.js" */
/** @import { Layout, Point } from "./core/layout.js" */
/** @import { Known } from "./core/numbers.js" */
/** @import { Cut, NodeState, Trace, Tree, TreeNode } from "./core/trace.js" */
/** @import { Attributes } from "./dom.js" */

const EYE = "a2.1 2.1 0 1 1 4.2 0a2.1 2.1 0 1 1-4.2 0";
const SCISSORS = `M-2.4-1.4L6 3.4M-2.4 1.4L6-3.4M-6.3-2.6${EYE}M-6.3 2.6${EYE}`;

/** A tic-tac-toe board and its margin, in points. */
const BOARD = 44;

/** The name of a cut may reach so far beyond the side. */
export const MARGIN = 24;
export const TOP = 4;

// How a node stands while it is the reader who says how it stands.
/** @type {NodeState} */
const UNTOLD = {
  state: "open",
  alpha: null,
  beta: null,
  bv: null,
  value: null,
  low: -Infinity,
  high: Infinity,
};

// Letters of double width, and emoji.
const DOUBLE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;

// ------------------------------------------------------------------ where the nodes are

/**
 * Where the nodes of a tree are, and how large.
 *
 * @typedef {object} Plan
 * @property {(Point | null)[]} places the center of each node in points; null where it is not shown
 * @property {[width: number, height: number]} size of the whole, without margins
 * @property {[width: number, height: number][]} sizes of each node
 * @property {Set<string>} closed names of the nodes whose children are folded away
 * @property {number} top the topmost node that is shown
 * @property {number} board the height reserved in each node for a board
 * @property {number} row the height of the row of a letter
 */

/**
 * Return the plan of a tree, whose inner nodes hold so many letters.
 *
 * @param {Tree} tree
 * @param {object} options
 * @param {number} options.letters
 * @param {number} [options.row] the height of the row of a letter
 * @param {boolean} options.hasBoards whether each node shows its board
 * @param {Set<string>} options.closed
 * @param {number} options.top the topmost node that is shown
 * @param {(Layout & {tree: Tree}) | null} options.given Graphviz's places, and for which tree
 * @returns {Plan}
 */
export function planOf(tree, { letters, row = LOOKS.row, hasBoards, closed, top, given }) {
  const board = hasBoards ? BOARD : 0;
  // wider values of edited leaves are squeezed
  const sizes = nodeSizes(given?.tree ?? tree, letters, board, row);
  /** @param {number} index */
  const isOpen = (index) => !closed.has(tree.nodes[index].name);
  const { places, size } = given
    ? inRows(tree, given, sizes, top)
    : layout(tree, sizes, isOpen, top);
  return { places, size, sizes, closed, top, board, row };
}

/**
 * The size of every node in points, the same at every step: there is room for all that it may come
 * to show.
 *
 * @param {Tree} tree
 * @param {number} letters
 * @returns {Plan["sizes"]}
 */
export function nodeSizes(tree, letters, board = 0, row = LOOKS.row) {
  const { sizes, units } = LOOKS;
  /** @param {TreeNode} node */
  const hasValue = (node) => node.value !== null || isLeaf(node);
  const values = tree.nodes.filter(hasValue);
  const widest = Math.max(...values.map(({ value }) => width(tree.number(value))));

  return tree.nodes.map((node) => {
    const name = width(node.short);
    if (isLeaf(node)) {
      const most = Math.max(sizes.value * width(tree.number(node.value)), sizes.name * name);
      return [Math.max(38, board, Math.round(most) + 10), LOOKS.leaf + board];
    }

    const height = LOOKS.head + row * letters + board;
    if (node.folded) {
      const words = sizes.folded * width(`✂ ${foldedWords(node)}`);
      const most = Math.max(sizes.head * (units.glyph + name), words);
      return [Math.round(most) + 30, height];
    }

    // an interval holds two of them
    const numbers = sizes.head * (units.glyph + name + (2 * widest + 1.8));
    return [Math.round(numbers) + 20 + 2 * LOOKS.slope, height];
  });
}

/**
 * How wide bold text is at most in the usual fonts, in units of the font's size.
 *
 * @param {string} text
 */
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

/**
 * The index of the node of each group, and of the child of each edge.
 * @type {WeakMap<Element, number>}
 */
const INDICES = new WeakMap();

/**
 * The node of which the target of an event is a part; -1 where it is none.
 * @param {EventTarget | null} target
 */
export const nodeUnder = (target) => indexAt(target, "[data-node]");

/**
 * The child whose edge the target of an event is a part of; -1 where it is none.
 * @param {EventTarget | null} target
 */
export const edgeUnder = (target) => indexAt(target, "[data-edge]");

/** @type {(target: EventTarget | null, selector: string) => number} */
function indexAt(target, selector) {
  const group = target instanceof Element ? target.closest(selector) : null;
  return (group ? INDICES.get(group) : undefined) ?? -1;
}

// ------------------------------------------------------------------ the picture

/**
 * What a picture shows.
 *
 * @typedef {object} Scene
 * @property {Trace} trace
 * @property {number} step
 * @property {Show} show how much of the search is shown
 * @property {Plan} plan
 * @property {string} title what the picture is, for a screen reader
 * @property {Boards | null} boards drawn on the nodes where the plan has room
 *   for them
 * @property {Tree | null} original the tree whose leaves are "was": null where the shape is
 *   another one
 * @property {boolean} isVeiled whether what is proven of a node is not shown before the node is
 *   done
 * @property {boolean} hasHistory whether edges show the window handed down, and nodes their earlier
 *   values
 * @property {boolean} canChange whether a leaf can be given another value
 * @property {boolean} isStill a picture and no more: nothing in it can be clicked or reached by a
 *   key
 * @property {Sheet | null} sheet the fields that practice puts in place of numbers
 * @property {Set<string>} cuts the edges that the reader of a sheet has marked as cut: "cut b2"
 *
 * @typedef {object} Sheet
 * @property {(node: TreeNode) => boolean} hasFields
 * @property {(node: TreeNode, letter: string, box: Attributes) => Element} field
 *
 * A node as it is drawn.
 *
 * @typedef {object} Drawn
 * @property {number} index
 * @property {SVGGElement} group
 * @property {Record<string, SVGTextElement>} letters the numbers, by their letters
 * @property {Record<string, SVGTextElement>} texts what else it shows, by its kind
 * @property {number} room for a text, across
 * @property {number} headroom for what is proven, next to the name
 * @property {unknown[]} look what it shows
 *
 * An edge as it is drawn, by its child.
 *
 * @typedef {object} Edge
 * @property {SVGGElement} group
 * @property {number} x1
 * @property {number} y1
 * @property {number} x2
 * @property {number} y2
 * @property {string} state of the child
 * @property {string} cut the kind of the cut, and the letter that names it
 * @property {string} window
 * @property {Element} [mark] the cut, or the window
 */

/** @type {(keyof Scene)[]} */
const DRAWN_ANEW_FOR = ["show", "plan", "title", "boards", "isStill", "canChange", "sheet"];
/** @type {(keyof Scene)[]} */
const REPAINTED_FOR = ["trace", "original", "isVeiled", "hasHistory", "cuts"];

export class Picture {
  /** @type {Scene | null} */
  #scene = null;
  /** @type {(Drawn | null)[]} */
  nodes = []; // null where a node is not shown
  /** @type {(Edge | null)[]} */
  edges = []; // each by its child
  /** @type {Map<string, SVGGElement[]>} */
  marked = new Map(); // for each class the groups that have it
  size = [0, 0];
  element = svg("svg");

  /**
   * Show the scene. Return whether the nodes are new elements.
   * @param {Scene} scene
   */
  show(scene) {
    const before = this.#scene;
    this.#scene = scene;
    /** @param {keyof Scene} fact */
    const differs = (fact) => before?.[fact] !== scene[fact];

    const isNew = !before || DRAWN_ANEW_FOR.some(differs) || !isDrawnAlike(before, scene);
    if (isNew) this.draw();
    else if (REPAINTED_FOR.some(differs)) this.paintAll();
    else this.paintBetween(before.step, scene.step);

    if (isNew || differs("trace") || differs("step")) this.markStep();
    return isNew;
  }

  get isEmpty() {
    return this.#scene === null;
  }

  /** What is shown, once there is something. */
  get scene() {
    if (!this.#scene) throw new Error("a picture without a scene");
    return this.#scene;
  }

  get tree() {
    return this.scene.trace.tree;
  }

  /**
   * Show the node and all below it so far to the right of their places; its edge stays with it.
   * @param {number} index
   * @param {number} across
   */
  shift(index, across) {
    const nodes = this.tree.below(index);
    const edges = nodes.slice(1);
    const moved = [
      ...nodes.map((node) => this.nodes[node]),
      ...edges.map((node) => this.edges[node]),
    ];
    for (const drawn of moved) {
      if (drawn) drawn.group.style.translate = across ? `${across}px` : "";
    }

    const edge = this.edges[index];
    if (!edge) return;
    for (const line of edge.group.querySelectorAll("line")) {
      setAttributes(line, { x2: edge.x2 + across });
    }
  }

  // ---------------------------------------------------------------- made once

  draw() {
    const { tree } = this;
    const { plan, title } = this.scene;
    const { places, size } = plan;
    this.size = [size[0] + 2 * MARGIN, size[1] + 2 * TOP];
    this.marked = new Map();
    this.nodes = tree.nodes.map((node) => {
      const at = places[node.index];
      return at ? this.drawNode(node, at) : null;
    });
    this.edges = tree.nodes.map((node) => {
      const [from, to] = [places[node.parent], places[node.index]];
      return from && to ? this.drawEdge(node, from, to) : null;
    });

    const edges = svg(
      "g",
      { class: "abviz-edges", "aria-hidden": "true" },
      ...groupsOf(this.edges),
    ); // the nodes tell
    const boxes = svg("g", { class: "abviz-nodes" }, ...groupsOf(this.nodes));
    const attributes = {
      viewBox: [-MARGIN, 0, ...this.size].join(" "),
      role: "group",
      "aria-label": `${title} of ${tree.nodes.length} nodes`,
    };
    this.element = svg("svg", attributes, edges, boxes);
    this.paintAll();
  }

  /** @param {number} index */
  isClosed(index) {
    const { name, children } = this.tree.nodes[index];
    return children.length > 0 && this.scene.plan.closed.has(name);
  }

  /**
   * @param {TreeNode} node
   * @param {Point} from
   * @param {Point} to
   * @returns {Edge}
   */
  drawEdge({ index, name, parent }, [x1, above], [x2, below]) {
    const { sizes } = this.scene.plan;
    const ends = {
      x1,
      y1: above + TOP + sizes[parent][1] / 2,
      x2,
      y2: below + TOP - sizes[index][1] / 2,
    };
    const line = svg("line", ends);
    const grip = svg("line", { ...ends, class: "abviz-grip" });
    const group = svg("g", { "data-edge": name }, line, grip);
    INDICES.set(group, index);
    return { group, ...ends, state: "", cut: "", window: "" };
  }

  /**
   * @param {TreeNode} node
   * @param {Point} at
   * @returns {Drawn}
   */
  drawNode(node, [x, middle]) {
    const { sizes, board } = this.scene.plan;
    const [across, height] = sizes[node.index];
    const transform = `translate(${x} ${middle + TOP - height / 2})`;
    const title = node.label === node.short ? "" : svg("title", {}, node.label);
    const group = svg("g", { ...this.attributesOf(node), transform }, title);
    INDICES.set(group, node.index);

    const nameAndGlyph = LOOKS.sizes.head * (LOOKS.units.glyph + width(node.short));
    const headroom = across - 36 - nameAndGlyph;
    const isInner = !isLeaf(node);
    const texts = isInner
      ? this.drawInner(group, node, across, height, board)
      : this.drawLeaf(group, node, across, height, board);
    const letters = isInner ? this.drawLetters(group, node, across) : {};
    return { index: node.index, group, texts, letters, room: across - 10, headroom, look: [] };
  }

  /** @param {TreeNode} node */
  attributesOf(node) {
    const { sheet, canChange, isStill } = this.scene;
    const folds = node.children.length > 0 && !sheet && !isStill;
    const changes = canChange && isLeaf(node) && !isStill;

    let role = "img";
    if (sheet?.hasFields(node)) role = "group";
    else if (folds || changes) role = "button";

    /** @type {Attributes} */
    const attributes = { "data-node": node.name, "data-player": player(node), role };
    if (!isStill) attributes.tabindex = -1;
    if (folds) attributes["aria-expanded"] = !this.isClosed(node.index);
    return attributes;
  }

  /** @type {(group: SVGGElement, node: TreeNode, across: number, height: number, board: number) => Drawn["texts"]} */
  drawLeaf(group, node, across, height, board) {
    group.append(svg("rect", { x: -across / 2, width: across, height, rx: 9 }));
    if (board) this.drawBoard(group, node, 4);
    return {
      value: addText(group, "", 0, (height + board) / 2 + 2, "middle", "abviz-value"),
      name: addText(group, "", 0, height - 6, "middle", "abviz-name"),
    };
  }

  /** @type {(group: SVGGElement, node: TreeNode, across: number, height: number, board: number) => Drawn["texts"]} */
  drawInner(group, node, across, height, board) {
    // x counts from the middle of the node, y from its top
    const half = across / 2;
    // a MAX node points up
    const [up, down] = node.isMax ? [LOOKS.slope, 0] : [0, LOOKS.slope];
    const d = `M${up - half} 0L${half - up} 0L${half - down} ${height}L${down - half} ${height}Z`;
    // a pile
    if (this.isClosed(node.index)) group.append(svg("path", { d, transform: "translate(4 4)" }));
    group.append(svg("path", { d }));

    const head = `${node.isMax ? "▲" : "▼"} ${node.short}`;
    addText(group, head, 15 - half, 18, "start", "abviz-head");
    const proven = addText(group, "", half - 15, 18, "end", "abviz-mark");
    if (board) this.drawBoard(group, node, height - board + 1);
    if (!node.folded) return { proven };
    return { proven, folded: addText(group, "", 0, height / 2, "middle", "abviz-folded") };
  }

  /** @type {(group: SVGGElement, node: TreeNode, across: number) => Drawn["letters"]} */
  drawLetters(group, node, across) {
    const { sheet, trace, show, plan } = this.scene;
    const half = across / 2;
    /** @type {Drawn["letters"]} */
    const numbers = {};
    lettersShown(trace, show).forEach((letter, place) => {
      const top = LOOKS.head - 6 + plan.row * place;
      const y = top + (plan.row + 9) / 2;
      addText(group, lettered(letter), 15 - half, y, "start", "abviz-letter");
      if (sheet?.hasFields(node)) {
        const box = { x: 38 - half, y: top, width: across - 52, height: plan.row };
        group.append(sheet.field(node, letter, box));
      } else {
        numbers[letter] = addText(group, "", half - 15, y, "end", "abviz-number");
      }
    });
    return numbers;
  }

  /** @type {(group: SVGGElement, node: TreeNode, y: number) => void} */
  drawBoard(group, node, y) {
    const { boards, plan } = this.scene;
    if (!boards) return;
    const side = plan.board - 6;
    const picture = boardOf(boards, node);
    group.append(setAttributes(picture, { x: 3 - plan.board / 2, y, width: side, height: side }));
  }

  // ---------------------------------------------------------------- restyled

  /**
   * Restyle what changes between two steps.
   * @param {number} from
   * @param {number} to
   */
  paintBetween(from, to) {
    if (from === to) return;
    const touched = nodesTouchedAt(this.scene.trace);
    const [first, last] = from < to ? [from + 1, to] : [to + 1, from];
    for (const node of new Set(touched.slice(first, last + 1).flat())) this.paint(node);
  }

  paintAll() {
    for (const { index } of this.tree.nodes) this.paint(index);
  }

  /**
   * How the node stands, as far as it may be seen. What is proven of a node under way is what has
   * come up to it: a leaf further down would run ahead of bv. To a question even that may be the
   * answer.
   * @param {TreeNode} node
   */
  stateOf({ index, children }) {
    const { trace, step, sheet, isVeiled } = this.scene;
    if (sheet) return UNTOLD;
    const state = trace.nodeAt(index, step);
    const hides = isVeiled && children.length && state.state !== "done";
    const { low, high } = hides ? UNTOLD : trace.lastVisit(index, step);
    return low == state.low && high == state.high ? state : { ...state, low, high };
  }

  /**
   * The value of an edited leaf before the edits; undefined where it is the same.
   * @param {TreeNode} node
   */
  valueBefore({ index, value, children }) {
    const { original } = this.scene;
    if (!original || children.length) return undefined;
    const before = original.nodes[index].value;
    return before == value ? undefined : before;
  }

  /** @param {number} index */
  paint(index) {
    const drawn = this.nodes[index];
    if (!drawn) return;
    const { trace, sheet, cuts, hasHistory } = this.scene;
    const node = this.tree.nodes[index];
    const state = this.stateOf(node);
    const before = this.valueBefore(node);
    const isMarked = sheet !== null && cuts.has(`cut ${node.name}`);
    this.paintEdge(index, state.state, isMarked);

    const result = node.children.length ? this.resultOf(index, state) : "";
    const facts = [node.value, before, isMarked, hasHistory, trace.search === "recorded", result];
    const look = [...Object.values(state), ...facts];
    const isSame = look.every((fact, place) => fact === drawn.look[place]);
    // earlier values may differ even so
    if (isSame && !hasHistory) return;
    drawn.look = look;

    this.paintData(drawn.group.dataset, state);
    if (node.folded) this.paintFolded(drawn, node, state);
    else if (node.children.length) this.paintInner(drawn, index, state);
    else this.paintLeaf(drawn, node, before);

    const folded = this.isClosed(index) ? ", folded" : "";
    const marked = isMarked ? ", marked as cut off" : "";
    const words = this.describe(node, state);
    drawn.group.setAttribute("aria-label", words + folded + marked);
  }

  /**
   * @param {DOMStringMap} dataset
   * @param {NodeState} state
   */
  paintData(dataset, { state, alpha, beta, bv }) {
    /** @type {Record<string, string>} */
    const shown = { state, alpha: machine(alpha), beta: machine(beta), bv: machine(bv) };
    for (const fact in shown) {
      if (dataset[fact] !== shown[fact]) dataset[fact] = shown[fact];
    }
  }

  /** @type {(drawn: Drawn, node: TreeNode, state: NodeState) => void} */
  paintFolded(drawn, node, { state }) {
    // not beforehand
    const isSkipped = state === "skipped";
    writeText(drawn.texts.folded, isSkipped ? `✂ ${foldedWords(node)}` : "");
  }

  /** @type {(drawn: Drawn, index: number, state: NodeState) => void} */
  paintInner(drawn, index, state) {
    const { trace } = this.scene;
    const isEntered = !["waiting", "skipped"].includes(state.state);
    const none = trace.search === "recorded" && isEntered ? "—" : "";
    const { head } = LOOKS.sizes;
    for (const letter in drawn.letters) {
      const value = state[FIELDS[letter]];
      const text = value === null ? none : this.valueText(index, letter, value);
      writeText(drawn.letters[letter], text, drawn.room - 42, head);
    }
    writeText(drawn.texts.proven, this.resultOf(index, state), drawn.headroom, head);
  }

  /**
   * What stands beside the name of a node: what is proven of its value, or at the first level no
   * more than what it has returned.
   * @param {number} index
   * @param {NodeState} state
   */
  resultOf(index, state) {
    const { number } = this.tree;
    const { trace, step, show, sheet } = this.scene;
    if (sheet) return "";
    if (show !== "values") return provenBeside(trace, index, step, state);
    return state.state === "done" && state.value !== null ? number(state.value) : "";
  }

  /**
   * The node in words, for a screen reader.
   * @type {(node: TreeNode, state: NodeState) => string}
   */
  describe(node, state) {
    const { trace, show } = this.scene;
    const { number } = this.tree;
    const kind = node.children.length || node.folded ? "node" : "leaf";
    const words = [`${player(node)} ${kind} ${node.label}`];
    if (node.folded) {
      if (state.state === "skipped") words.push(`${foldedWords(node)} folded`);
    } else if (!node.children.length) {
      words.push(`value ${number(node.value)}`);
    } else {
      for (const letter of lettersShown(trace, show)) {
        const value = state[FIELDS[letter]];
        if (value !== null) words.push(`${lettered(letter)} ${number(value)}`);
      }
      const result = this.resultOf(node.index, state);
      const isReturned = state.value !== null && result === number(state.value);
      if (result) words.push(isReturned ? `returned ${result}` : `its value ${result}`);
    }
    return [...words, state.state].join(", ");
  }

  /** @type {(drawn: Drawn, node: TreeNode, before: Known | undefined) => void} */
  paintLeaf(drawn, node, before) {
    const { number: written } = this.tree;
    const isSame = before === undefined || this.scene.sheet;
    const name = isSame ? node.short : `was ${written(before)}`;
    writeText(drawn.texts.value, written(node.value), drawn.room);
    writeText(drawn.texts.name, name, drawn.room, LOOKS.sizes.name);
  }

  /**
   * The value of a letter as a node shows it; with its history, all the values that it has had up
   * to this step.
   * @type {(index: number, letter: string, value: Known) => string}
   */
  valueText(index, letter, value) {
    const { trace, step, sheet, hasHistory } = this.scene;
    if (!hasHistory || sheet) return this.tree.number(value);
    const field = FIELDS[letter];
    const states = trace.states[index].filter(([at, state]) => at <= step && state[field] !== null);
    const values = states.map(([, state]) => this.tree.number(state[field]));
    return values.filter((each, place) => each !== values[place - 1]).join(" → ");
  }

  /**
   * On the edge above a node stands that it is cut off, or the window with which the node was
   * called.
   * @type {(index: number, state: string, isMarked: boolean) => void}
   */
  paintEdge(index, state, isMarked) {
    const edge = this.edges[index];
    if (!edge) return;
    const { group } = edge;
    if (edge.state !== state) group.dataset.state = state;
    const cut = this.isCut(index, state, isMarked) ? cutMark(this.scene, index) : "";
    const window = this.windowText(index, state);
    const isSame = edge.cut === cut && edge.window === window;
    Object.assign(edge, { state, cut, window });
    if (isSame) return;

    edge.mark?.remove();
    const [kind, letter] = cut.split(" ");
    const mark = cut ? badge(edge, letter) : windowMark(edge, window);
    if (cut) group.dataset.cut = kind;
    else delete group.dataset.cut;
    if (cut || window) group.append(mark);
    edge.mark = mark;
  }

  /** @type {(index: number, state: string, isMarked: boolean) => boolean} */
  isCut(index, state, isMarked) {
    const { trace, step } = this.scene;
    const { parent } = this.tree.nodes[index];
    return isMarked || (state === "skipped" && trace.nodeAt(parent, step).state !== "skipped");
  }

  /** @type {(index: number, state: string) => string} */
  windowText(index, state) {
    const { trace, sheet, hasHistory } = this.scene;
    const { children } = this.tree.nodes[index];
    const [alpha, beta] = trace.windows[index];
    const isEntered = children.length && alpha !== null && !["waiting", "skipped"].includes(state);
    if (!hasHistory || sheet || !isEntered) return "";
    return `(${this.tree.number(alpha)}, ${this.tree.number(beta)})`;
  }

  // ---------------------------------------------------------------- marked

  /**
   * What holds for this step alone: the current node, the line so far, and at a cut the two paths
   * of the argument.
   */
  markStep() {
    const { trace, step, sheet } = this.scene;
    // it has been drawn anew, without marks
    if (sheet) return;
    this.mark("abviz-current", [this.shownFor(trace.places[step]) ?? -1]);
    const line = trace.lineAt(step).map((node) => this.edges[node]);
    this.markGroups("abviz-on-line", line);

    const cut = trace.cutAt.get(step);
    const argument = cut ? argumentOf(trace, cut) : [];
    const edges = argument.filter((node) => argument.includes(this.tree.nodes[node].parent));
    const lit = [
      ...argument.map((node) => this.nodes[node]),
      ...edges.map((node) => this.edges[node]),
    ];
    for (const kind of ["alpha", "beta"]) {
      this.markGroups(`abviz-lit-${kind}`, cut?.kind === kind ? lit : []);
    }
  }

  /**
   * Give this class to these nodes, and to no others.
   * @param {string} kind
   * @param {number[]} indices
   */
  mark(kind, indices) {
    this.markGroups(
      kind,
      indices.map((index) => this.nodes[index]),
    );
  }

  /**
   * @param {string} kind
   * @param {(Drawn | Edge | null | undefined)[]} drawn
   */
  markGroups(kind, drawn) {
    const groups = groupsOf(drawn);
    for (const group of this.marked.get(kind) ?? []) {
      if (!groups.includes(group)) group.classList.remove(kind);
    }
    for (const group of groups) group.classList.add(kind);
    this.marked.set(kind, groups);
  }

  /**
   * Show of each mark of a sheet, a field or a cut, whether it is right.
   * @param {{key: string, index: number, verdict: string}[]} marks
   */
  judge(marks) {
    for (const { key, index, verdict } of marks) {
      const field = this.element.querySelector(`[data-key="${CSS.escape(key)}"]`);
      const mark = field ?? this.edges[index]?.group;
      if (verdict) {
        mark?.setAttribute("aria-invalid", `${verdict === "wrong"}`);
        mark?.setAttribute("data-verdict", verdict);
      } else {
        mark?.removeAttribute("aria-invalid");
        mark?.removeAttribute("data-verdict");
      }
    }
  }

  /**
   * The node itself, or the closed node above that stands for it; undefined outside the part that
   * is shown.
   * @param {number} index
   */
  shownFor(index) {
    return this.tree.path(index).findLast((node) => this.scene.plan.places[node]);
  }
}

/** @param {(Drawn | Edge | null | undefined)[]} drawn */
const groupsOf = (drawn) => drawn.flatMap((each) => each?.group ?? []);

/**
 * Whether the two scenes differ in nothing that a drawing keeps of its tree.
 * @param {Scene} one
 * @param {Scene} other
 */
function isDrawnAlike(one, other) {
  const [tree, next] = [one.trace.tree, other.trace.tree];
  if (one.trace.hasBounds !== other.trace.hasBounds) return false;
  if (tree === next) return true;
  if (tree.shape !== next.shape || tree.win !== next.win) return false;
  return tree.nodes.every(({ label, short, folded }, index) => {
    const node = next.nodes[index];
    return label === node.label && short === node.short && folded === node.folded;
  });
}

/**
 * A leaf shows its value; a part of a game that is not laid out looks like an inner node until it
 * is cut.
 * @param {TreeNode} node
 */
const isLeaf = ({ children, folded }) => !children.length && !folded;

/**
 * What is folded at a leaf of a game's tree: "37 nodes".
 * @param {TreeNode} node
 */
const foldedWords = ({ folded }) => count(folded?.nodes ?? 0, "node", "nodes");

/** For each step the nodes that it changes. */
const nodesTouchedAt = remembered((trace) => {
  /** @type {number[][]} */
  const nodes = Array.from({ length: trace.length + 1 }, () => []);
  trace.states.forEach((states, index) => {
    for (const [step] of states) nodes[step].push(index);
  });
  return nodes;
});

/**
 * The kind of the cut above a child, and on the last edge of a cutoff its name: "alpha α".
 * @param {Scene} scene
 * @param {number} index
 */
function cutMark({ trace, show }, index) {
  const parent = trace.nodes[trace.nodes[index].parent];
  const kind = parent.isMax ? "beta" : "alpha";
  const isLast = index === ordered(trace.rules, parent.children).at(-1);
  return isLast && namesCuts(trace, show) ? `${kind} ${cutLetter(trace.rules, kind)}` : kind;
}

/**
 * At a cut, the nodes of the argument: from the witness down to the node that cuts, and down the
 * line to the leaf that set the bound.
 * @param {Trace} trace
 * @param {Cut} cut
 */
function argumentOf(trace, cut) {
  if (cut.via < 0) return [];
  const path = trace.tree.path(cut.at);
  return [...path.slice(path.indexOf(cut.witness)), ...trace.sourceOfBound(cut)];
}

/** @type {(group: Element, content: string, x: number, y: number, anchor: string, kind: string) => SVGTextElement} */
function addText(group, content, x, y, anchor, kind) {
  const attributes = { x, y, "text-anchor": anchor, lengthAdjust: "spacingAndGlyphs", class: kind };
  const text = svg("text", attributes, content);
  group.append(text);
  return text;
}

/**
 * Write the text; one that is wider than its room is squeezed into it, since nothing may move.
 * @param {Element} text
 * @param {string} content
 */
function writeText(text, content, room = Infinity, size = LOOKS.sizes.value) {
  if (text.textContent === content) return;
  text.textContent = content;
  if (size * width(content) > room) text.setAttribute("textLength", `${room}`);
  else text.removeAttribute("textLength");
}

/**
 * The window with which a node was called, in the middle of the edge above it.
 * @param {Edge} edge
 * @param {string} text
 */
function windowMark({ x1, y1, x2, y2 }, text) {
  const middle = { x: (x1 + x2) / 2, y: (y1 + y2) / 2 + 4 };
  return svg("text", { ...middle, "text-anchor": "middle", class: "abviz-window" }, text);
}

/**
 * Scissors and a double bar across an edge; on the last edge of a cutoff the name of the cut.
 * @param {Edge} edge
 * @param {string | undefined} letter
 */
function badge({ x1, y1, x2, y2 }, letter) {
  const turn = (Math.atan2(y2 - y1, x2 - x1) * 180) / Math.PI - 90;
  const across = `translate(${x2} ${y2}) rotate(${turn})`;
  const bars = svg("path", { d: "M-7 -5h14M-7 -9h14", transform: across });

  // the scissors lie on the edge, the name next to it, away from the siblings that were searched
  const up = 24;
  const at = [x2 - ((x2 - x1) * up) / (y2 - y1), y2 - up];
  const out = x2 < x1 ? -1 : 1;
  const wide = { x: out * 18 - 29, y: -8, width: 58, height: 16, rx: 8 };
  const narrow = { x: -10, y: -8, width: 20, height: 16, rx: 8 };
  /** @type {Element[]} */
  const parts = [svg("rect", letter ? wide : narrow), svg("path", { d: SCISSORS })];
  if (letter)
    parts.push(svg("text", { x: out * 27, y: 4, "text-anchor": "middle" }, `${letter}-cut`));
  return svg(
    "g",
    {},
    bars,
    svg("g", { class: "abviz-badge", transform: `translate(${at})` }, ...parts),
  );
}
