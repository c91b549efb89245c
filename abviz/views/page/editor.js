// Changing the tree and the search in the page: what-ifs, edits of the shape, other trees, undo,
// redo, text and files.

import { LOOKS } from "./core/data.js";
import { EXAMPLES } from "./examples.js";
import { fromNested, leastLeaves, moved, random, renamed } from "./core/edit.js";
import { swapped, withChild, withLeaves, withLevel, withValue, without } from "./core/edit.js";
import { FORMATS, readTree, warning, writeTree } from "./core/formats.js";
import { FITTING, isTooLarge, number, typed } from "./core/numbers.js";
import { button, download, dropdown, html, showText } from "./dom.js";
import { rulesOf } from "./panels/rules.js";
import { isSameSearch, isSameTree } from "./core/trace.js";
import { visible } from "./core/words.js";

const { mostNodes: MOST_NODES } = LOOKS;
const RANDOM = {
  depth: [3, 1, 6],
  breadth: [2, 1, 5],
  low: [0, -99, 99],
  high: [20, -99, 99],
  seed: [1, 1, 99999],
};
const MOST_BYTES = 1_000_000; // of a file
const EXPLAIN =
  "Click a node to select it, drag it to reorder; click a leaf or press Enter to change its value.";

let treesOfCourse;

/** The trees of the course, which are read once for all steppers of the page. */
function courseTrees() {
  treesOfCourse ??= EXAMPLES.map(({ text, ...texts }) =>
    withLeaves(readTree(text), ({ value }) => value, texts),
  );
  return treesOfCourse;
}

export class Editor {
  constructor(page) {
    this.page = page;
    this.choices = html("div", { class: "abviz-choices" });
    this.choices.addEventListener("change", (event) => this.mayChange(event), true);
    this.choices.addEventListener("change", () => page.root.focus({ preventScroll: true })); // so that arrows step
    this.rules = html("details");
    this.element = html("div", {
      class: "abviz-editor",
      role: "group",
      "aria-label": "Edit the tree",
      hidden: "",
    });
    this.build();
  }

  get on() {
    return this.page.state.mode === "edit";
  }

  /** A tree from Python. */
  reset() {
    this.dragged = -1; // the leaf whose value is dragged
    this.selectedName = "";
    this.text.hidden = true;
  }

  /** The selected node, which stays selected in a changed tree; the root where there is none. */
  get selected() {
    return Math.max(
      0,
      this.page.tree.nodes.findIndex(({ name }) => name === this.selectedName),
    );
  }

  /** A recorded run stays as it was recorded; of a game's tree only the leaves can be changed. */
  get locked() {
    return this.page.original.search === "recorded";
  }

  get hasShape() {
    return !this.locked && !this.page.spec.boards;
  }

  /** Another tree, search or rule would take the answers of practice. */
  mayChange(event) {
    if (!this.page.worksheet.isFilledIn) return;
    event.stopPropagation();
    this.offer(); // what holds
    this.page.complain(
      "Your answers belong to this search; leave Practice (W) before you choose another.",
    );
  }

  /** The dropdowns of tree, search and rules. */
  offer() {
    const { page } = this;
    if (this.locked) {
      const isRun = page.trace === page.original;
      const text = isRun ? "This run stays as it was recorded." : "This is abviz’s own alpha-beta.";
      const other = button(isRun ? "Compare with alpha-beta" : "Back to the recorded run", () => {
        page.root.focus({ preventScroll: true }); // the button goes
        page.send({ type: "compare" });
      });
      return this.choices.replaceChildren(html("span", { class: "abviz-hint" }, text), other);
    }
    const { search, rules } = page.trace;
    const searches = [
      ["alphabeta", "alpha-beta"],
      ["minimax", "minimax"],
    ];
    const switches = rulesOf(search).map(([name, { title, off, on }]) => {
      const set = (value) =>
        this.to(page.tree, { ...page.trace.options, rules: { ...rules, [name]: value === "on" } });
      const choice = dropdown(
        title,
        [
          ["off", off],
          ["on", on],
        ],
        set,
        rules[name] ? "on" : "off",
      );
      return html("label", {}, html("span", {}, title), choice);
    });
    this.rules.replaceChildren(html("summary", {}, "Rules"), html("div", {}, ...switches));
    const { options: own, tree } = page.original; // the options with the window, or early_stop
    const optionsOf = (search) => ({
      ...(search === own.search && own),
      search,
      rules,
      depth: page.trace.depth,
    });
    const take = (name) => this.to(page.tree, optionsOf(name));
    this.trees = [tree, ...courseTrees().filter((each) => !isSameTree(each, tree))];
    const choose = (at) =>
      this.renew(this.trees[at], { ...optionsOf(search), depth: at > 0 ? null : own.depth });
    const names = this.trees.map(({ title }, at) => [at, visible(title) || "the page’s own tree"]);
    this.menu = dropdown("Tree", [...names, [-1, "another tree"]], choose);
    this.menu.hidden = !this.hasShape;
    this.menu.lastChild.hidden = true; // it is chosen by making one
    this.choices.replaceChildren(this.menu, dropdown("Search", searches, take, search), this.rules);
    this.refresh();
  }

  // ---------------------------------------------------------------- changes

  /** Show another tree or search, which can be undone. Return whether it could be done. */
  to(tree, options) {
    return this.change({ type: "search", tree, options });
  }

  change(action) {
    const isDone = this.page.send(action);
    if (!isDone) this.offer(); // the dropdowns go back to what holds
    return isDone;
  }

  /** The tree of the course that this one is, with its notes; or else this one. */
  known(tree) {
    return (
      courseTrees().find((each) => each.title === tree.title && isSameTree(each, tree)) ?? tree
    );
  }

  /** Show another tree from the start. */
  renew(tree, options) {
    this.change({ type: "renew", tree, options });
  }

  hideText() {
    this.text.hidden = true;
  }

  /** Add a leaf below the node, and ask for its value. */
  addChild() {
    const { page } = this;
    page.send({ type: "unfold", index: this.selected });
    if (!this.to(withChild(page.tree, this.selected))) return;
    this.revalue(page.tree.nodes[this.selected].children.at(-1));
  }

  build() {
    const canUndo = () => this.page.state.past.length || this.page.spec.changes;
    const hasUndo = () => canUndo() || this.page.state.future.length;
    const tool = (name, key, act, isPossible = () => this.hasShape) => {
      const element = button(name, act, {
        "aria-label": name,
        title: key ? `${name} (${key})` : name,
      });
      const isOn = () =>
        key.startsWith("Ctrl") ? hasUndo() && !this.page.worksheet.isFilledIn : this.on;
      if (key) this.page.keys[key] = { act: () => element.click(), isOn };
      return [name, Object.assign(element, { isPossible })]; // with the selected node
    };
    const shape = (change) => () => this.to(change(this.page.tree, this.selected));
    const step = (by) => (tree, index) => moved(tree, index, tree.nodes[index].place + by);
    this.buttons = Object.fromEntries([
      tool("Undo", "Ctrl+Z", () => this.change({ type: "undo" }), canUndo),
      tool(
        "Redo",
        "Ctrl+Shift+Z",
        () => this.change({ type: "redo" }),
        () => this.page.state.future.length,
      ),
      tool("Add child", "Insert", () => this.addChild()),
      tool("Remove", "Delete", shape(without), ({ parent }) => this.hasShape && parent >= 0),
      tool("Move left", "Alt+←", shape(step(-1)), ({ place }) => this.hasShape && place > 0),
      tool("Move right", "Alt+→", shape(step(1)), ({ parent, place }) => {
        return this.hasShape && place + 1 < this.page.tree.nodes[parent]?.children.length;
      }),
      tool("Rename", "F2", () => this.rename(this.selected)),
      tool("Add level", "", shape(withLevel)),
      tool("Swap MAX and MIN", "", shape(swapped)),
      tool("Random tree", "R", () => this.randomTree()),
      tool("Clear", "", () => this.renew(fromNested([0, 0]))),
      tool(
        "Copy",
        "",
        () => this.copy(),
        () => true,
      ),
      tool("Paste", "", () => this.paste()),
      tool(
        "Save",
        "",
        () => this.save(),
        () => true,
      ),
      tool("Open", "", () => this.open()),
    ]);
    const formats = FORMATS.map((name) => [name, name]);
    const readable = this.page.state.hasPython ? "YAML" : "JSON"; // which Paste takes here
    this.format = dropdown("Format of the copy", formats, () => {}, readable);
    this.order = html("span", { class: "abviz-order" });
    const fields = Object.entries(RANDOM).map(([name, [value, min, max]]) => {
      return html(
        "label",
        {},
        `${name} `,
        html("input", { type: "number", name, value, min, max, required: "" }),
      );
    });
    const ties = html(
      "label",
      {},
      html("input", { type: "checkbox", name: "ties", checked: "" }),
      " ties",
    );
    const {
      "Random tree": roll,
      Copy: copy,
      Paste: paste,
      Save: save,
      Open: open,
      ...others
    } = this.buttons;
    this.random = html("form", { class: "abviz-random" }, roll, ...fields, ties);
    this.random.addEventListener(
      "keydown",
      ({ key, target }) => key === "Enter" && target !== roll && roll.click(),
    );
    const label = "A tree as JSON or a nested list";
    const attributes = {
      rows: "6",
      "aria-label": label,
      placeholder: "JSON, a nested list or (max (min 6 8) 5); then Paste",
      hidden: "",
    };
    this.text = html("textarea", { class: "abviz-text", ...attributes });
    const row = (...parts) => html("div", { class: "abviz-tools" }, ...parts);
    const explanation = html("span", { class: "abviz-hint" }, EXPLAIN);
    const rows = [
      row(...Object.values(others)),
      row(this.random, copy, this.format, paste, save, open),
      this.text,
    ];
    this.element.append(...rows, row(explanation, this.order));
  }

  // ---------------------------------------------------------------- what is seen

  /** Show the tools while the tree is edited, and hide them afterwards. */
  refreshMode() {
    const { page, on } = this;
    const focused = page.view.nodeOf(document.activeElement);
    if (on) this.select(focused >= 0 ? focused : page.view.visible(this.selected));
    page.mode("Edit", "abviz-editing", on, this.element);
    this.refresh();
  }

  refresh() {
    const { tree } = this.page;
    const node = tree.nodes[this.selected];
    if (this.menu) this.menu.value = this.trees.findIndex((each) => isSameTree(each, tree));
    for (const tool of Object.values(this.buttons))
      tool.setAttribute("aria-disabled", !tool.isPossible(node));
    const { counts, rules, options, value } = this.page.trace;
    const isUsual =
      isSameSearch(options, { search: "alphabeta", rules }) &&
      !rules.strict &&
      Number.isFinite(value);
    const isCounted =
      this.on && isUsual && tree.nodes.every((node) => node.children.length || node.value !== null);
    const least = isCounted && leastLeaves(tree, value);
    this.order.textContent = isCounted
      ? `${counts.at(-1)[0]} leaves read; ${least} in the best order.`
      : "";
    this.page.view.picture.mark("abviz-selected", this.on ? [node.index] : []);
  }

  select(index) {
    this.selectedName = this.page.tree.nodes[index].name;
    this.refresh();
  }

  /**
   * What a drag of the node would change: its place while the tree is edited, or else the value of
   * a leaf.
   */
  dragOf(index) {
    const { page } = this;
    const node = page.tree.nodes[index];
    if (page.worksheet.on || page.predict.open) return "";
    if (this.on && this.hasShape && node.parent >= 0) return "order";
    const isWhole = Number.isSafeInteger(node.value);
    return !page.spec.boards && this.canRevalue(node) && isWhole ? "value" : "";
  }

  /** Move the node to another place among its siblings. */
  reorder(index, place) {
    this.select(index);
    this.to(moved(this.page.tree, index, place));
  }

  /** Drag a leaf's value up and down: one change, however many values it passes. */
  dragValue(index, value) {
    const { page } = this;
    const tree = withValue(page.tree, index, value);
    if (this.dragged === index) page.send({ type: "pass", tree });
    else this.to(tree);
    this.dragged = index;
  }

  endDrag() {
    if (this.dragged >= 0) this.page.keep();
    this.dragged = -1;
  }

  /**
   * A field over the node; Enter and leaving it take what was typed, Escape does not. What is
   * refused stays.
   */
  ask(index, label, value, refused, take) {
    const { page } = this;
    page.complain(""); // what was wrong before
    const { tree } = page;
    const { group } = page.view.picture.nodes[index] ?? {};
    if (!group) return; // it is folded, or outside the part that is shown
    const hadFocus = group === document.activeElement;
    const place = group.getBoundingClientRect();
    const around = page.root.getBoundingClientRect();
    const input = html("input", { class: "abviz-edit", "aria-label": label, autocomplete: "off" });
    input.value = value;
    input.style.left = `${place.left - around.left + place.width / 2}px`;
    input.style.top = `${place.top - around.top}px`;
    const text = () => input.value.trim();
    const isOther = () => text() !== value;
    const problem = () => (isOther() && refused(text()) ? `“${text()}” ${refused(text())}` : "");
    let isOpen = true;
    const close = () => {
      if (!isOpen) return;
      isOpen = false;
      const isReplaced = page.tree !== tree && isOther(); // by Python
      if (isReplaced) page.complain("The tree has changed; your entry was not used.");
      else if (problem()) page.complain(problem());
      else if (isOther()) take(text());
      else page.complain(""); // of what was typed before
      requestAnimationFrame(leave); // later, for the browser lays out the whole document before it moves the focus
    };
    const leave = () => {
      if (document.activeElement === input) {
        if (hadFocus) page.view.focus(index);
        else page.root.focus({ preventScroll: true });
      }
      input.remove();
    };
    input.addEventListener("blur", close);
    input.addEventListener("keydown", (event) => {
      if (event.key === "Tab" && !problem()) close(); // the browser goes on from the node
      if (!isOpen) {
        leave(); // the key is for the page
        if (event.key === "Tab") return;
        event.stopPropagation();
        event.preventDefault();
        document.activeElement.dispatchEvent(new KeyboardEvent("keydown", event));
      }
      if (!isOpen || event.isComposing || !["Enter", "Escape"].includes(event.key)) return;
      event.stopPropagation();
      if (event.key === "Escape") input.value = value;
      if (!problem()) return close();
      page.complain(problem());
      input.select();
    });
    page.root.append(input);
    input.select();
  }

  canRevalue({ children, folded }) {
    return !this.locked && !this.page.worksheet.on && !children.length && !folded;
  }

  /** Ask for another value of the leaf. */
  revalue(index) {
    const node = this.page.tree.nodes[index];
    if (!this.canRevalue(node)) return;
    const refused = (text) => {
      const entered = typed(text);
      if (entered === undefined) return "is not a value; expected a number, inf, -inf or ?";
      return isTooLarge(entered) && `is too large; expected ${FITTING}`;
    };
    const take = (text) =>
      typed(text) != node.value && this.to(withValue(this.page.tree, index, typed(text)));
    this.ask(index, `New value of ${node.label}`, number(node.value), refused, take);
  }

  rename(index) {
    const { tree } = this.page;
    const { name } = tree.nodes[index];
    const isTaken = (text) => !text || tree.nodes.some((node) => node.name === text);
    const refused = (text) =>
      isTaken(text) && "cannot be the name; expected one that no other node has";
    const take = (text) => this.to(renamed(this.page.tree, index, text)) && this.select(index);
    this.ask(index, `New name of ${name}`, name, refused, take);
  }

  // ---------------------------------------------------------------- the whole tree

  randomTree() {
    const { page, random: form } = this;
    const { seed, ties } = form.elements;
    const shape = { ties: ties.checked };
    for (const name in RANDOM) shape[name] = form.elements[name].valueAsNumber;
    const leaves = shape.breadth ** shape.depth;
    if (!form.reportValidity()) return; // the browser says what is wrong
    if (shape.low > shape.high)
      return page.complain("low is larger than high; expected low ≤ high");
    if (leaves > MOST_NODES)
      return page.complain(`a tree of ${leaves} leaves; expected fewer than ${MOST_NODES}`);
    seed.value = (shape.seed % 99999) + 1;
    return this.renew(random(shape));
  }

  /** Show the tree as text, selected, and put it on the clipboard where that is allowed. */
  copy() {
    const { page, text, format } = this;
    showText(text, writeTree(page.tree, format.value));
    navigator.clipboard?.writeText(text.value).catch(() => {});
    page.complain(warning(format.value, page.tree));
  }

  /** Let the browser save the tree in a file. */
  save() {
    this.copy();
    const ending = { YAML: "yaml", JSON: "json" }[this.format.value] ?? "txt";
    const name = this.page.tree.title.replace(/[^\p{L}\p{N}]+/gu, "-") || "tree";
    download(new Blob([this.text.value]), `${name}.${ending}`);
  }

  /** Take the tree in a file that the reader chooses. */
  open() {
    const input = html("input", { type: "file", accept: ".json,.yaml,.yml,.txt" });
    input.addEventListener("change", async () => {
      const [file] = input.files;
      if (file.size > MOST_BYTES)
        return this.page.complain(`a file of ${file.size} bytes; expected at most 1 MB`);
      showText(this.text, await file.text());
      if (this.text.value.includes("\ufffd"))
        this.page.complain("This is no text in UTF-8; expected a tree file.");
      else this.read();
    });
    input.click();
  }

  /**
   * Take the tree in the text field; the first press opens it, and one without a text closes it.
   */
  paste() {
    const { text } = this;
    if (text.hidden) showText(text, "");
    else if (text.value.trim()) this.read();
    else text.hidden = true;
  }

  read() {
    const { page, text } = this;
    page.complain("");
    try {
      this.renew(readTree(text.value));
    } catch ({ message }) {
      page.send({ type: "read", text: text.value, problem: message }); // Python reads YAML, too
    }
  }
}
