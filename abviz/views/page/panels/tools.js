// The tools of an editor: undo and redo, changes of the shape, random trees, text and files.

import { orderOf, problemOfShape, selectedIn } from "../core/editing.js";
import { fromNested, moved, random, swapped, withLevel, without } from "../core/edit.js";
import { FORMATS, readTree, warning, writeTree } from "../core/formats.js";
import { button, download, dropdown, html, numberInput, showText } from "../dom.js";

/** @import { Trace, Tree, TreeNode } from "../core/trace.js" */
/** @import { Action } from "../state.js" */

/** @type {Record<string, [value: number, least: number, most: number]>} */
const RANDOM = {
  depth: [3, 1, 6],
  breadth: [2, 1, 5],
  low: [0, -99, 99],
  high: [20, -99, 99],
  seed: [1, 1, 99999],
};
const LAST_SEED = 99999;
const MOST_BYTES = 1_000_000; // of a file
/** @type {Record<string, string>} */
const ENDINGS = { YAML: "yaml", JSON: "json" };
const EXPLAIN =
  "Click a node to select it, drag it to reorder; click a leaf or press Enter to change its value.";

/**
 * What the tools work on.
 * @typedef {object} Shown
 * @property {Trace} trace
 * @property {string} selected
 * @property {unknown[]} past
 * @property {unknown[]} future
 * @property {boolean} hasChanges whether Python knows of earlier changes to the game
 * @property {boolean} hasShape whether nodes can be added, moved and renamed
 * @property {boolean} isOn whether the tree is edited
 *
 * @typedef {(shown: Shown, node: TreeNode) => boolean} IsPossible
 * @typedef {{act: () => void, isPossible: IsPossible, key: string}} Tool
 */

/** @param {Shown} shown */
const canUndo = ({ past, hasChanges }) => past.length > 0 || hasChanges;
/** @param {Shown} shown */
const canRedo = ({ future }) => future.length > 0;
const isAlways = () => true;
/** @type {IsPossible} */
const hasShape = (shown) => shown.hasShape;
/** @type {IsPossible} */
const hasParent = (shown, { parent }) => shown.hasShape && parent >= 0;
/** @type {IsPossible} */
const hasLeft = (shown, { place }) => shown.hasShape && place > 0;
/** @type {IsPossible} */
const hasRight = (shown, { parent, place }) => {
  const siblings = shown.trace.tree.nodes[parent]?.children ?? [];
  return shown.hasShape && place + 1 < siblings.length;
};

export class Tools {
  /** @type {Shown} */
  shown = Object.create(null);
  /** @type {HTMLInputElement[]} */
  fields = []; // of the random tree

  /**
   * @param {object} options
   * @param {(action: Action) => boolean} options.send return whether another search is shown
   * @param {() => boolean} options.hasAnswers whether undo would take answers of practice
   * @param {boolean} options.hasPython whether Python reads what the page cannot
   */
  constructor({ send, hasAnswers, hasPython }) {
    this.send = send;
    this.hasAnswers = hasAnswers;
    this.tools = this.toolsOf();
    /** @type {Record<string, HTMLButtonElement>} */
    this.buttons = {};
    for (const [name, { key, act }] of Object.entries(this.tools)) {
      const title = key ? `${name} (${key})` : name;
      this.buttons[name] = button(name, act, { "aria-label": name, title });
    }
    /** @type {[value: string, text: string][]} */
    const formats = FORMATS.map((name) => [name, name]);
    const readable = hasPython ? "YAML" : "JSON"; // which Paste takes here
    this.format = dropdown("Format of the copy", formats, () => {}, readable);
    this.order = html("span", { class: "abviz-order" });
    this.text = textField();
    this.random = this.formOfRandom();
    this.element = this.build();
  }

  /**
   * Each tool with its key, what it does, and whether it can do that to the selected node.
   * @returns {Record<string, Tool>}
   */
  toolsOf() {
    const { send } = this;
    /** @type {(changed: (tree: Tree, index: number) => Tree) => () => void} */
    const change = (changed) => () => {
      const { tree } = this.shown.trace;
      send({ type: "search", tree: changed(tree, this.selected) });
    };
    /** @param {number} by */
    const move = (by) => change((tree, index) => moved(tree, index, tree.nodes[index].place + by));
    const clear = () => send({ type: "renew", tree: fromNested([0, 0]) });
    const rename = () => send({ type: "openField", kind: "name", index: this.selected });
    /** @type {(act: () => void, isPossible?: IsPossible, key?: string) => Tool} */
    const tool = (act, isPossible = hasShape, key = "") => ({ act, isPossible, key });
    return {
      Undo: tool(() => send({ type: "undo" }), canUndo, "Ctrl+Z"),
      Redo: tool(() => send({ type: "redo" }), canRedo, "Ctrl+Shift+Z"),
      "Add child": tool(() => send({ type: "addChild" }), hasShape, "Insert"),
      Remove: tool(change(without), hasParent, "Delete"),
      "Move left": tool(move(-1), hasLeft, "Alt+←"),
      "Move right": tool(move(1), hasRight, "Alt+→"),
      Rename: tool(rename, hasShape, "F2"),
      "Add level": tool(change(withLevel)),
      "Swap MAX and MIN": tool(change(swapped)),
      "Random tree": tool(() => this.roll(), hasShape, "R"),
      Clear: tool(clear),
      Copy: tool(() => this.copy(), isAlways),
      Paste: tool(() => this.paste()),
      Save: tool(() => this.save(), isAlways),
      Open: tool(() => this.open()),
    };
  }

  /** The keys of the tools: for each what it does, and whether it is on. */
  get keys() {
    /** @type {Record<string, {act: () => void, isOn: () => boolean}>} */
    const keys = {};
    for (const [name, { key }] of Object.entries(this.tools)) {
      const isTravel = key.startsWith("Ctrl");
      const isOn = () => (isTravel ? this.canTravel && !this.hasAnswers() : this.shown.isOn);
      if (key) keys[key] = { act: () => this.buttons[name].click(), isOn };
    }
    return keys;
  }

  get canTravel() {
    return canUndo(this.shown) || canRedo(this.shown);
  }

  get selected() {
    return selectedIn(this.shown);
  }

  build() {
    const { "Random tree": _, Copy, Paste, Save, Open, ...others } = this.buttons;
    /** @type {(...parts: Node[]) => HTMLElement} */
    const row = (...parts) => html("div", { class: "abviz-tools" }, ...parts);
    const attributes = {
      class: "abviz-editor",
      role: "group",
      "aria-label": "Edit the tree",
      hidden: "",
    };
    return html(
      "div",
      attributes,
      row(...Object.values(others)),
      row(this.random, Copy, this.format, Paste, Save, Open),
      this.text,
      row(html("span", { class: "abviz-hint" }, EXPLAIN), this.order),
    );
  }

  // ---------------------------------------------------------------- what is seen

  /** @param {Shown} shown */
  show(shown) {
    this.shown = shown;
    const { trace, isOn } = shown;
    const node = trace.tree.nodes[this.selected];
    for (const [name, { isPossible }] of Object.entries(this.tools)) {
      this.buttons[name].setAttribute("aria-disabled", String(!isPossible(shown, node)));
    }
    this.order.textContent = isOn ? orderOf(trace) : "";
  }

  hideText() {
    this.text.hidden = true;
  }

  /** @param {string} problem */
  complain(problem) {
    this.send({ type: "complain", problem });
  }

  // ---------------------------------------------------------------- random trees

  formOfRandom() {
    const roll = this.buttons["Random tree"];
    const numbers = Object.entries(RANDOM).map(([name, [value, min, max]]) => {
      return numberInput({ name, value, min, max, required: "" });
    });
    const ties = html("input", { type: "checkbox", name: "ties", checked: "" });
    this.fields = [...numbers, ties];
    const labels = numbers.map((field) => html("label", {}, `${field.name} `, field));
    const last = html("label", {}, ties, " ties");
    const form = html("form", { class: "abviz-random" }, roll, ...labels, last);
    form.addEventListener("keydown", ({ key, target }) => {
      if (key === "Enter" && target !== roll) roll.click();
    });
    return form;
  }

  roll() {
    /** @type {Record<string, HTMLInputElement>} */
    const fields = Object.fromEntries(this.fields.map((field) => [field.name, field]));
    const { depth, breadth, low, high, seed, ties } = fields;
    const shape = {
      depth: depth.valueAsNumber,
      breadth: breadth.valueAsNumber,
      low: low.valueAsNumber,
      high: high.valueAsNumber,
      seed: seed.valueAsNumber,
      ties: ties.checked,
    };
    if (!this.random.reportValidity()) return; // the browser says what is wrong

    const problem = problemOfShape(shape);
    if (problem) {
      this.complain(problem);
      return;
    }
    seed.value = String((shape.seed % LAST_SEED) + 1);
    this.send({ type: "renew", tree: random(shape) });
  }

  // ---------------------------------------------------------------- text and files

  /** Show the tree as text, selected, and put it on the clipboard where that is allowed. */
  copy() {
    const { text, format } = this;
    const { tree } = this.shown.trace;
    showText(text, writeTree(tree, format.value));
    navigator.clipboard?.writeText(text.value).catch(() => {});
    this.complain(warning(format.value, tree));
  }

  /** Let the browser save the tree in a file. */
  save() {
    this.copy();
    const { title } = this.shown.trace.tree;
    const name = title.replace(/[^\p{L}\p{N}]+/gu, "-") || "tree";
    download(new Blob([this.text.value]), `${name}.${ENDINGS[this.format.value] ?? "txt"}`);
  }

  /** Take the tree in a file that the reader chooses. */
  open() {
    const input = html("input", { type: "file", accept: ".json,.yaml,.yml,.txt" });
    input.addEventListener("change", () => {
      const [file] = input.files ?? [];
      if (file) this.take(file);
    });
    input.click();
  }

  /** @param {File} file */
  async take(file) {
    if (file.size > MOST_BYTES) {
      this.complain(`a file of ${file.size} bytes; expected at most 1 MB`);
      return;
    }
    showText(this.text, await file.text());
    if (this.text.value.includes("\ufffd")) {
      this.complain("This is no text in UTF-8; expected a tree file.");
    } else {
      this.read();
    }
  }

  /**
   * Take the tree in the text field; the first press opens it, and one without a text closes it.
   */
  paste() {
    const { text } = this;
    if (text.hidden) showText(text, "");
    else if (text.value.trim()) this.read();
    else this.hideText();
  }

  read() {
    const text = this.text.value;
    this.complain("");
    let tree;
    try {
      tree = readTree(text);
    } catch (problem) {
      // Python reads YAML, too.
      this.send({ type: "read", text, problem: messageOf(problem) });
      return;
    }
    this.send({ type: "renew", tree });
  }
}

/** @param {unknown} problem */
const messageOf = (problem) => (problem instanceof Error ? problem.message : String(problem));

const textField = () =>
  html("textarea", {
    class: "abviz-text",
    rows: "6",
    "aria-label": "A tree as JSON or a nested list",
    placeholder: "JSON, a nested list or (max (min 6 8) 5); then Paste",
    hidden: "",
  });
