// Practice on the whole tree: the reader fills in α, β and bv as they stand when the search leaves a node, and marks
// the cuts; Check says of each mark whether it is right, and why a wrong one is.

import { button, dropdown, html, showText, svg } from "./dom.js";
import { withLeaves } from "./core/edit.js";
import { writeTree } from "./core/formats.js";
import { number, toJson, typed } from "./core/numbers.js";
import { lettersOf } from "./picture.js";
import { FIELDS, sentence } from "./core/words.js";

const FEW_MARKS = 5; // as many as the name of that kind says
const ASKED = { all: "every mark", few: "five marks" };
const HAND_IN =
  "Copy this text into a file whose name ends in .json and hand it in; abviz check FILE verifies it.";
const TASK =
  "Fill in α, β and bv as the search leaves each node; nodes that it never enters stay empty. Click an edge to mark " +
  "it as cut; X, on a node or in a field, marks the edge above.";

export class Worksheet {
  constructor(page) {
    this.page = page;
    this.kind = "all";
    this.reasons = html("ol", {
      class: "abviz-reasons",
      tabindex: "0",
      "aria-label": "What is wrong",
    });
    this.score = html("strong", { role: "status" });
    this.result = html("textarea", {
      class: "abviz-text",
      rows: "3",
      readonly: "",
      "aria-label": "Result to hand in",
    });
    this.handedIn = html(
      "div",
      { hidden: "" },
      html("p", { class: "abviz-hint" }, HAND_IN),
      this.result,
    );
    this.choice = dropdown("Asked", Object.entries(ASKED), (kind) => this.begin(kind));
    const acts = { Check: "check", Hint: "hint", "New tree": "another", Result: "handIn" };
    const buttons = Object.entries(acts).map(([name, act]) => button(name, () => this[act]()));
    const row = html(
      "div",
      { class: "abviz-tools" },
      html("label", {}, "Asked: ", this.choice),
      ...buttons,
      this.score,
    );
    const task = html("p", { class: "abviz-hint" }, TASK);
    this.element = html(
      "div",
      { class: "abviz-worksheet", hidden: "" },
      task,
      row,
      this.reasons,
      this.handedIn,
    );
  }

  get on() {
    return this.page.state.mode === "practice";
  }

  /** Whether the node has fields: an inner node, above the depth at which the search stops. */
  hasFields({ level, children }) {
    const { depth } = this.page.trace;
    return children.length > 0 && (depth === null || level < depth);
  }

  /** Every mark of the finished search: {key, index, field, place, expected, step}, with the step that settles it. */
  marks() {
    const { trace } = this.page;
    return trace.nodes.flatMap((node) => {
      const { index, name, short, parent } = node;
      const state = trace.nodeAt(index, trace.length);
      const mark = (field, place, expected, step) => ({
        key: `${field} ${name}`,
        index,
        field,
        place,
        expected,
        step,
      });
      const inside = (this.hasFields(node) ? lettersOf(trace) : []).map((letter) => {
        const [field, words] = [FIELDS[letter], `${letter} of ${short}`];
        if (state.state !== "done") return mark(field, words, "", cutStep(trace, index));
        const settled = trace.states[index].find(([, each]) => each[field] == state[field])[0];
        return mark(field, words, number(state[field]), settled);
      });
      const isCut =
        parent >= 0 &&
        state.state === "skipped" &&
        trace.nodeAt(parent, trace.length).state !== "skipped";
      return parent < 0
        ? inside
        : [...inside, mark("cut", `the edge to ${short}`, isCut, cutStep(trace, index))];
    });
  }

  get isFilledIn() {
    return this.on && this.answers.size > 0;
  }

  get asked() {
    return this.marks().filter(({ key }) => !this.given.has(key));
  }

  /** Whether the mark has been made: "right", "wrong", or "" where it has not. */
  verdict({ key, field, expected }) {
    if (field === "cut") return !this.cuts.has(key) ? "" : expected ? "right" : "wrong";
    const text = this.answers.get(key)?.trim() ?? "";
    const value = typed(text);
    return !text ? "" : value !== undefined && number(value) === expected ? "right" : "wrong";
  }

  // ---------------------------------------------------------------- what the reader does

  /** The mode, or the search that it is about, has changed. */
  refresh() {
    const { page, on } = this;
    page.mode("Practice", "abviz-practicing", on, this.element);
    page.controls.play(false);
    page.toggleShare(false);
    if (on && this.search !== page.trace) return this.begin();
    this.draw(); // what has been filled in for the same search stays
    if (!on) page.obey();
    page.keep();
  }

  draw() {
    const { page } = this;
    page.plan = page.planFor(page.trace);
    page.show();
  }

  /** Begin anew. The marks that are not asked for are given. */
  begin(kind = this.kind) {
    const marks = this.marks().filter(({ expected }) => expected);
    const few = marks.sort(() => Math.random() - 0.5).slice(0, FEW_MARKS);
    this.lay(
      kind,
      few.map(({ key }) => key),
    );
    this.draw();
    this.page.keep();
  }

  /** Lay out the sheet: empty, or with marks that were made before. Of a few marks, `asked` are those to be made. */
  lay(kind, asked, answers = [], cuts = []) {
    this.kind = kind;
    this.choice.value = kind;
    this.search = this.page.trace;
    const marks = this.marks();
    const given = kind === "all" ? [] : marks.filter(({ key }) => !asked.includes(key));
    this.given = new Map(given.map(({ key, expected }) => [key, expected]));
    const isOpen = (key) => !this.given.has(key) && marks.some((mark) => mark.key === key);
    this.answers = new Map(answers.filter(([key]) => isOpen(key))); // the text typed for the mark bv A
    const givenCuts = given.filter(({ expected }) => expected === true).map(({ key }) => key);
    this.cuts = new Set([...givenCuts, ...cuts.filter(isOpen)]); // cut f2
    this.sheet = {
      hasFields: (node) => this.hasFields(node),
      field: (node, letter, box) => this.field(node, letter, box),
    };
    this.reasons.replaceChildren();
    this.score.textContent = "";
    this.handedIn.hidden = true;
  }

  /** The marks made so far, as a part of what the page remembers; none where the search is another one. */
  changes() {
    if (this.search !== this.page.trace) return [];
    const answers = [...this.answers].filter(([, text]) => text.trim());
    const cuts = [...this.cuts].filter((key) => !this.given.has(key));
    if (!answers.length && !cuts.length) return [];
    const { on, kind } = this;
    const asked = kind === "all" ? [] : this.asked.map(({ key }) => key);
    return [`marks=${encodeURIComponent(JSON.stringify({ on, kind, asked, answers, cuts }))}`];
  }

  /** Take up practice as the reader left it. */
  resume({ on, kind, asked, answers, cuts }) {
    if (this.page.trace.search === "recorded") return;
    this.lay(kind, asked, answers, cuts);
    if (on) this.page.send({ type: "turn", mode: "practice" });
  }

  check() {
    const marks = this.asked.map((mark) => ({ ...mark, verdict: this.verdict(mark) }));
    const counted = marks.filter(({ expected, verdict }) => expected || verdict); // the others are rightly empty
    const judged = (as) => counted.filter(({ verdict }) => verdict === as);
    const [right, wrong, open] = ["right", "wrong", ""].map(judged);
    const missing = open.length ? `, ${open.length} missing` : "";
    this.score.textContent = `${right.length} of ${counted.length} marks right${missing}.`;
    this.reasons.replaceChildren(...wrong.map((mark) => html("li", {}, this.why(mark))));
    this.page.view.picture.judge(marks);
    return [right.length, counted.length];
  }

  /** Why a mark is wrong, without giving the other marks away. */
  why({ place, field, expected, step, index }) {
    const { trace } = this.page;
    const name = trace.nodes[index].short;
    if (field === "cut" && !expected) return `The parent of ${name} does not cut it off.`;
    if (expected === "") return `${place}: the search never enters ${name}.`;
    return `Step ${step}, ${place}: ${sentence(trace, step)}`;
  }

  /** Where to look next: the first mark in the order of the search that is missing or wrong. */
  hint() {
    const isOpen = (mark) =>
      this.verdict(mark) === "wrong" || (mark.expected && !this.verdict(mark));
    const [mark] = this.asked.filter(isOpen).sort((one, other) => one.step - other.step);
    this.score.textContent = mark ? `Look at ${mark.place}.` : "Everything is right.";
  }

  /** A tree of the same kind: the same shape and range, other leaves. */
  another() {
    const { tree } = this.page;
    const leaves = tree.nodes.filter(
      ({ children, value }) => !children.length && Number.isFinite(value),
    );
    const values = leaves.map(({ value }) => value);
    const [low, high] = [Math.min(0, ...values), Math.max(9, ...values)];
    const leaf = () => low + Math.floor(Math.random() * (high - low + 1));
    this.page.send({ type: "search", tree: withLeaves(tree, leaf) });
  }

  /** The tree, the answers and the score as a small text, which `abviz check` verifies. */
  handIn() {
    const score = this.check();
    const { options } = this.page.trace; // the rules, the depth, the window, early_stop
    const how = { ...options, alpha: toJson(options.alpha), beta: toJson(options.beta) };
    const answers = Object.fromEntries(
      [...this.answers].filter(([key, text]) => text.trim() && !this.given.has(key)),
    );
    const asked = this.asked.map(({ key }) => key);
    const tree = writeTree(this.page.tree, "JSON");
    this.handedIn.hidden = false;
    const result = { abviz: "practice", tree, ...how, asked, answers, cuts: [...this.cuts], score };
    showText(this.result, JSON.stringify(result));
  }

  /** The field for one letter of an inner node, in place of its number. */
  field({ name, short }, letter, box) {
    const key = `${FIELDS[letter]} ${name}`;
    const input = html("input", {
      class: "abviz-field",
      "aria-label": `${letter} of ${short}`,
      autocomplete: "off",
    });
    input.dataset.key = key;
    input.value = this.given.get(key) ?? this.answers.get(key) ?? "";
    input.readOnly = this.given.has(key);
    input.addEventListener("input", () => {
      this.answers.set(key, input.value);
      this.page.keep();
      this.handedIn.hidden = true; // it holds the answer before
      delete input.dataset.verdict;
      input.removeAttribute("aria-invalid");
    });
    return svg("foreignObject", box, input);
  }

  /** The keys of a node or of a field in it; true for those. */
  key(event) {
    const { key, target } = event;
    const { view } = this.page;
    const index = view.nodeOf(target);
    if (!this.on || index < 0) return false;
    if (key.toLowerCase() === "x") this.toggleCut(index);
    else if (key === "Enter" && target.matches("input")) {
      const fields = [...view.pane.querySelectorAll(".abviz-field:not([readonly])")];
      fields[fields.indexOf(target) + 1]?.focus();
    } else return false;
    event.preventDefault();
    return true;
  }

  toggleCut(index) {
    const { name, parent } = this.page.tree.nodes[index];
    const key = `cut ${name}`;
    if (parent < 0 || this.given.has(key)) return;
    const cuts = new Set(this.cuts);
    if (!cuts.delete(key)) cuts.add(key);
    this.cuts = cuts;
    this.page.keep();
    this.handedIn.hidden = true;
    this.page.view.picture.judge([{ key, index, verdict: "" }]);
    this.page.view.show(this.page.scene());
  }
}

/** The step of the cut that leaves the node out, or the search's end. */
function cutStep(trace, index) {
  const path = trace.tree.path(index);
  return (
    trace.cuts.find(({ skipped }) => skipped.some((child) => path.includes(child)))?.step ??
    trace.length
  );
}
