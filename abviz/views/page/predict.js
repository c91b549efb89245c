// Predict mode: before a step that answers a question the page stops until it is answered.

import { SENTENCES } from "./core/data.js";
import { number, typed } from "./core/numbers.js";
import { kindsOf, questionsBefore } from "./core/questions.js";
import { button, html, refill } from "./dom.js";
import { sentence } from "./core/words.js";

const TESTS = ["bound", "cut", "kind", "skipped"]; // what the zones of the number line would give away
const INTRODUCTION =
  "Press › or →. Before each step you are asked what it brings: answer with a click or a key.";
const GO_ON = "Press › or → to go on.";

export class Predict {
  constructor(page) {
    this.page = page;
    this.element = html("div", {
      class: "abviz-predict",
      role: "group",
      "aria-label": "Answer",
      hidden: "",
    });
    this.score = html("div", {
      class: "abviz-score",
      role: "group",
      "aria-label": "Questions and score",
      hidden: "",
    });
    this.score.addEventListener("change", ({ target }) => this.include(target));
    this.kinds = [];
    this.restart();
  }

  // ---------------------------------------------------------------- the questions

  get chosen() {
    return this.page.state.asked;
  }

  get on() {
    return this.chosen.some((kind) => this.kinds.includes(kind));
  }

  /** For a class: the questions are answered by a show of hands, and a key shows the answer. */
  get hands() {
    return this.on && this.page.state.isShowOfHands;
  }

  /** No step beyond an open question. */
  get locked() {
    return !!this.open && !this.open.verdict && !this.hands;
  }

  /** Whether the zones of the number line would give away a question that is still to be asked. */
  get hidesZones() {
    const { step } = this.page;
    const coming = [
      ...this.waiting(step + 1),
      ...this.waiting(step + 2),
      ...(this.open ? [this.open] : []),
    ];
    return coming.some(({ kind }) => TESTS.includes(kind));
  }

  restart() {
    this.answered = new Set(); // the step and the kind: 17 cut
    this.counts = {};
    this.open = null; // the question that is asked; with its verdict once it is answered
    this.begun = false;
  }

  load() {
    this.restart();
    this.refresh();
  }

  /** The questions before the step. */
  questions(step) {
    const { trace } = this.page;
    if (!this.on || step > trace.length) return [];
    return questionsBefore(trace, step).filter(({ kind }) => this.chosen.includes(kind));
  }

  /** The questions still to be answered before the step. */
  waiting(step) {
    return this.questions(step).filter(({ kind }) => !this.answered.has(`${step} ${kind}`));
  }

  // ---------------------------------------------------------------- asking and judging

  /** Whether a question, or its answer, comes before the next step; then it is shown. */
  stops() {
    if (!this.on) return false;
    if (this.open && !this.open.verdict) {
      if (this.hands) this.judge("shown");
      return true;
    }
    const [next] = this.waiting(this.page.step + 1);
    if (next) this.ask(next);
    return !!next;
  }

  ask(question) {
    this.open = question;
    this.begun = true;
    this.picked = new Set();
    this.page.show();
    if (this.page.root.matches(":focus-within"))
      this.element.querySelector("input")?.focus({ preventScroll: true });
  }

  /** The page has gone to another step; a question left open stays unanswered. */
  moved() {
    this.open = null;
    if (this.hands) this.answered.clear(); // the next class is asked again
  }

  submit(answer) {
    const { kind, right } = this.open;
    const isWhole = kind !== "skipped" || answer.length === right.length;
    const isRight = Array.isArray(right)
      ? answer.every((each) => right.includes(each))
      : number(answer) === right;
    this.judge(isWhole && isRight ? "right" : "wrong");
  }

  /** Show the answer: it was "right" or "wrong", or is only "shown". */
  judge(verdict) {
    const { kind, step } = this.open;
    this.answered.add(`${step} ${kind}`);
    this.open = { ...this.open, verdict };
    const [right, asked] = this.counts[kind] ?? [0, 0];
    if (verdict !== "shown") this.counts[kind] = [right + (verdict === "right"), asked + 1];
    this.page.show();
  }

  // ---------------------------------------------------------------- what is seen

  /** The mode or the kinds have changed. */
  refresh() {
    const { page, on, hands } = this;
    if (!this.chosen.includes(this.open?.kind)) this.open = null;
    page.hide(this.score, !on); // before the mode makes the tree fit
    page.mode("Predict", "abviz-predicting", on, this.element);
    page.root.classList.toggle("abviz-hands", hands);
    for (const box of this.score.querySelectorAll("input")) {
      box.checked = box.name === "hands" ? hands : this.chosen.includes(box.name);
    }
  }

  /** What may be said around the step: its sentence, a verdict, and to a class a question. */
  textsAt(step) {
    const asked = this.questions(step);
    const questions = this.hands
      ? asked.map((question) => `${question.text} ${choicesOf(question)}`)
      : [];
    const answers = asked.map((question) => answerTo({ ...question, verdict: "wrong" }));
    return [sentence(this.page.trace, step), ...questions, ...answers];
  }

  show() {
    const { page, open } = this;
    const { says, view, sentence: box } = page;
    page.root.dataset.question = open ? open.kind : "";
    if (open) box.dataset.verdict = open.verdict === "shown" ? "right" : open.verdict || "asks";
    else delete box.dataset.verdict;
    let words = open ? this.asking() : [sentence(page.trace, page.step)];
    if (open?.verdict) words = [sign(open.verdict === "wrong" ? "✗" : "✓"), ` ${answerTo(open)}`];
    refill(says, words); // what stays is not read out again
    const had = this.element.querySelector(":focus")?.dataset.choice;
    let parts = open ? this.controls(open) : [];
    if (open?.verdict) parts = [hint(GO_ON)];
    if (!this.begun) parts = [hint(INTRODUCTION)];
    if (this.on) this.element.replaceChildren(...(this.hands ? [] : parts));
    if (had)
      (this.element.querySelector(`[data-choice="${had}"]`) ?? page.root).focus({
        preventScroll: true,
      });
    view.picture.mark("abviz-picked", open && !open.verdict ? [...this.picked] : []);
    for (const tally of this.on ? this.score.querySelectorAll("[data-kind]") : []) {
      const [right, asked] = this.counts[tally.dataset.kind] ?? [0, 0];
      tally.textContent = asked && !this.hands ? `${right}/${asked}` : "";
    }
  }

  asking(problem = "") {
    // Alone the choices are buttons below; for a class they are text, so that no row is left empty.
    const unseen = [
      "span",
      this.hands ? {} : { class: "abviz-unseen" },
      ` ${choicesOf(this.open)}`,
    ];
    return [sign("?"), ` ${problem}${this.open.text}`, unseen];
  }

  /** The buttons to choose by, or a field for a number. */
  controls({ kind, choices, nodes }) {
    const several = kind === "skipped";
    const add = (name, act, attributes, ...content) => {
      return button(
        "",
        act,
        { class: "abviz-choice", "data-choice": name, ...attributes },
        ...content,
      );
    };
    const parts = choices.map((text, place) => {
      const choice = several ? nodes[place] : place;
      const pressed = several && { "aria-pressed": this.picked.has(choice) };
      const digit = html("kbd", { "aria-hidden": "true" }, place + 1);
      return add(choice, () => this.choose(choice), pressed, digit, ` ${text}`);
    });
    if (!choices.length) {
      const expected = "a number; ∞ is inf";
      const label = { "aria-label": `Your answer, ${expected}`, placeholder: expected };
      parts.push(
        html("input", {
          class: "abviz-typed",
          "data-choice": "typed",
          autocomplete: "off",
          ...label,
        }),
      );
    }
    if (!choices.length || several) parts.push(add("answer", () => this.enter(), {}, "Answer"));
    if (several) parts.push(hint("or click the nodes in the picture"));
    return parts;
  }

  /** The kinds of question that make sense for the search, each with its score, and the switches of the mode. */
  offer() {
    const { page } = this;
    this.kinds = page.trace.length > 1 ? kindsOf(page.trace) : [];
    const box = (name, text) => {
      const input = html("input", { type: "checkbox", name, "aria-label": text });
      return html(
        "label",
        {},
        input,
        ` ${text} `,
        html("span", { class: "abviz-tally", "data-kind": name }),
      );
    };
    const kinds = this.kinds.map((kind) => box(kind, SENTENCES.questions[kind].name));
    const again = button("Start again", () => {
      page.go(0);
      this.restart();
      page.show();
    });
    this.score.replaceChildren(...kinds, box("hands", "show of hands"), again);
  }

  // ---------------------------------------------------------------- what the reader does

  /** A kind of question, or the show of hands, is switched on or off. */
  include({ name, checked }) {
    if (name === "hands") {
      this.page.send({ type: "ask", isShowOfHands: checked });
      return;
    }
    const isAsked = (kind) => (kind === name ? checked : this.chosen.includes(kind));
    this.page.send({ type: "ask", asked: this.kinds.filter(isAsked) });
  }

  changed() {
    this.refresh();
    this.page.reserve();
    this.page.show();
  }

  choose(choice) {
    if (!this.open || this.open.verdict) return;
    if (this.open.kind !== "skipped") return void this.submit([choice]);
    if (!this.picked.delete(choice)) this.picked.add(choice);
    this.page.show();
  }

  /** Submit the answer that has been typed, or picked. */
  enter() {
    const input = this.element.querySelector("input");
    if (!input) return void this.submit([...this.picked]);
    const value = typed(input.value);
    if (value !== undefined && value !== null) return void this.submit(value);
    refill(this.page.says, this.asking(`“${input.value.trim()}” is not a number. `));
    input.focus({ preventScroll: true });
  }

  /** Take a node of the picture, or the choice that it lies below, as an answer; false where no nodes are asked for. */
  picks(index) {
    if (this.open?.kind !== "skipped" || this.open.verdict || this.hands || index < 0) return false;
    const choice = this.page.tree.path(index).findLast((node) => this.open.nodes.includes(node));
    if (choice !== undefined) this.choose(choice);
    return true;
  }

  /** The keys of a question; true for those. */
  key(event) {
    const { open, hands } = this;
    const { key, target } = event;
    const isEnter = key === "Enter";
    const isPress = isEnter || key === " ";
    const isElsewhere = isPress && target.matches("select, summary, button, [type=checkbox]");
    if (!open || isElsewhere || target.matches(".abviz-edit")) return false;
    const input = this.element.querySelector("input");
    if (input && target !== input && /^[-−+.\d∞]$/.test(key)) {
      input.focus({ preventScroll: true }); // the sign goes there
      return true;
    }
    if (open.verdict || hands) {
      if (!isEnter && !(hands && key === " ")) return false;
      this.page.next();
    } else if (isEnter && input) this.enter();
    else if (target === input) return false;
    else if (isPress)
      this.picks(this.page.view.nodeOf(target)) ||
        (isEnter && open.kind === "skipped" && this.enter());
    else if (open.choices[key - 1] === undefined) return false;
    else if (!event.repeat) this.choose(open.kind === "skipped" ? open.nodes[key - 1] : key - 1);
    event.preventDefault();
    return true;
  }
}

/** The right answer to a question that has been judged, with its reason. */
function answerTo({ kind, right, choices, nodes, reason, verdict }) {
  let answer = right; // a number
  if (kind === "skipped") answer = right.map((node) => choices[nodes.indexOf(node)]).join(", ");
  else if (choices.length) answer = choices[right[0]];
  const words = {
    right: "Right.",
    wrong: `Wrong: the answer is “${answer}”.`,
    shown: `Answer: ${answer}.`,
  };
  return `${words[verdict]} ${reason}`;
}

const sign = (letter) => ["span", { class: "abviz-sign", "aria-hidden": "true" }, letter];
const hint = (text) => html("span", { class: "abviz-hint" }, text);

/** The choices as text: "1: it cuts; 2: it goes on." */
function choicesOf({ choices }) {
  const listed = choices.map((text, place) => `${place + 1}: ${text}`).join("; ");
  return listed && `${listed}.`;
}
