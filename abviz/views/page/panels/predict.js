// Predict mode: the question before the next step, with the ways to answer it, and the score.

import { answerButton, choice, choiceBy } from "../answering.js";
import { SENTENCES } from "../core/data.js";
import { lettered } from "../core/letters.js";
import { button, html } from "../dom.js";

/** @import { Kind } from "../core/questions.js" */
/** @import { Attributes } from "../dom.js" */
/** @import { OpenQuestion } from "../quiz.js" */
/** @import { Action } from "../state.js" */

/**
 * What the panel shows.
 *
 * @typedef {object} Shown
 * @property {OpenQuestion | null} question that is open
 * @property {string[]} asked the kinds of question that are asked
 * @property {boolean} isForClass a class answers by a show of hands
 * @property {boolean} hasBegun whether anything has been asked yet
 * @property {Partial<Record<Kind, [right: number, all: number]>>} score
 */

const INTRODUCTION =
  "Before some steps you’ll be asked what happens next. Click an answer, or type it.";
const NUMBER = "a number; ∞ is inf";

export class Predict {
  /** @type {OpenQuestion | null} */
  question = null;
  isForClass = false;
  drawn = ""; // what the ways to answer are for

  /**
   * @param {object} options
   * @param {(action: Action) => void} options.send
   * @param {() => void} options.focusStepper what had the keyboard is gone
   */
  constructor({ send, focusStepper }) {
    this.send = send;
    this.focusStepper = focusStepper;
    this.element = html("div", {
      class: "abviz-answers abviz-predict",
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
    this.score.addEventListener("change", ({ target }) => {
      if (target instanceof HTMLInputElement) this.include(target);
    });
  }

  /**
   * The kinds of question of another search, each with its score, and the switches of the mode.
   * @param {Kind[]} kinds
   */
  offer(kinds) {
    const boxes = kinds.map((kind) => boxOf(kind, lettered(SENTENCES.questions[kind].name)));
    const again = button("Start again", () => this.send({ type: "restart" }));
    this.score.replaceChildren(...boxes, boxOf("hands", "show of hands"), again);
  }

  /** @param {Shown} shown */
  show({ question, asked, isForClass, hasBegun, score }) {
    this.question = question;
    this.isForClass = isForClass;
    this.showScore(asked, score);

    // A field that holds something is not replaced as long as the same is asked.
    const facts = question && [question.step, question.text, question.choices, question.verdict];
    const drawn = JSON.stringify([isForClass, hasBegun, facts]);
    if (drawn !== this.drawn) this.draw(hasBegun);
    this.drawn = drawn;
    for (const element of this.element.querySelectorAll("[aria-pressed]")) {
      const isPicked = question?.picked.includes(Number(choiceOf(element)));
      element.ariaPressed = String(isPicked);
    }
  }

  /**
   * @param {string[]} asked
   * @param {Shown["score"]} score
   */
  showScore(asked, score) {
    for (const box of this.score.querySelectorAll("input")) {
      box.checked = box.name === "hands" ? this.isForClass : asked.includes(box.name);
    }
    for (const tally of this.score.querySelectorAll("[data-kind]")) {
      const kind = /** @type {Kind} */ (tally.getAttribute("data-kind"));
      const [right, all] = score[kind] ?? [0, 0];
      tally.textContent = all && !this.isForClass ? `${right}/${all}` : "";
    }
  }

  // ---------------------------------------------------------------- the ways to answer

  /** @param {boolean} hasBegun */
  draw(hasBegun) {
    const { element, question } = this;
    const had = element.querySelector(":focus");
    element.replaceChildren(...(this.isForClass ? [] : this.parts(hasBegun)));

    if (had) {
      const stays = element.querySelector(`[data-choice="${choiceOf(had)}"]`);
      if (stays instanceof HTMLElement) stays.focus({ preventScroll: true });
      else this.focusStepper();
    }
    if (question && element.closest(".abviz-stepper")?.matches(":focus-within")) this.focusField();
  }

  /** @param {boolean} hasBegun */
  parts(hasBegun) {
    if (!hasBegun) return [hint(INTRODUCTION)];
    if (!this.question) return [];
    return this.question.verdict ? [this.goOnButton()] : this.controls(this.question);
  }

  /**
   * The buttons to choose by, or a field for a number.
   * @param {OpenQuestion} question
   */
  controls({ kind, choices, nodes }) {
    const isOfNodes = kind === "skipped";
    const answer = answerButton(() => this.enter());
    if (!choices.length) return [numberField(), answer];

    const buttons = choices.map((text, place) => {
      const chosen = isOfNodes ? nodes[place] : place;
      const act = () => this.send({ type: "choose", choice: chosen });
      /** @type {Attributes} */
      const attributes = isOfNodes ? { "aria-pressed": false } : {};
      return choice(`${place + 1}`, act, { "data-choice": chosen, ...attributes }, text);
    });
    if (!isOfNodes) return buttons;
    return [...buttons, answer, hint("or click the nodes in the picture")];
  }

  goOnButton() {
    return choice("↵", () => this.send({ type: "next" }), { "data-choice": "on" }, "Go on");
  }

  get field() {
    return this.element.querySelector("input");
  }

  focusField() {
    this.field?.focus({ preventScroll: true });
  }

  // ---------------------------------------------------------------- what the reader does

  /**
   * A kind of question, or the show of hands, is switched on or off.
   * @param {HTMLInputElement} box
   */
  include({ name, checked }) {
    if (name === "hands") {
      this.send({ type: "ask", isShowOfHands: checked });
      return;
    }
    const boxes = [...this.score.querySelectorAll("input")];
    const asked = boxes.filter((box) => box.checked && box.name !== "hands");
    this.send({ type: "ask", asked: asked.map((box) => box.name) });
  }

  /** Give the answer that has been typed, or picked. */
  enter() {
    this.send({ type: "reply", text: this.field?.value ?? "" });
    this.focusField(); // where the text is no number
  }

  /**
   * Take a node of the picture, or the choice that it lies below, as an answer; false where no nodes
   * are asked for.
   * @param {number[]} path from the root to the node
   */
  picks(path) {
    const { question } = this;
    const isOfNodes = question?.kind === "skipped" && !question.verdict && !this.isForClass;
    if (!question || !isOfNodes || !path.length) return false;
    const choice = path.findLast((node) => question.nodes.includes(node));
    if (choice !== undefined) this.send({ type: "choose", choice });
    return true;
  }

  /**
   * The keys of a question; true for those.
   * @param {KeyboardEvent} event
   * @param {number[]} path to the node that has the keyboard, if one has it
   */
  key(event, path) {
    const { question, field } = this;
    const { key, target } = event;
    if (!question || !(target instanceof Element) || isForOthers(event)) return false;
    if (field && target !== field && /^[-−+.\d∞]$/.test(key)) {
      this.focusField(); // the sign goes there
      return true;
    }

    const isTaken =
      question.verdict || this.isForClass ? this.goesOn(key) : this.answers(event, question, path);
    if (isTaken) event.preventDefault();
    return isTaken;
  }

  /** @param {string} key */
  goesOn(key) {
    const isTaken = key === "Enter" || (this.isForClass && key === " ");
    if (isTaken) this.send({ type: "next" });
    return isTaken;
  }

  /**
   * @param {KeyboardEvent} event
   * @param {OpenQuestion} question
   * @param {number[]} path
   */
  answers(event, { kind, nodes, choices }, path) {
    const { key, target } = event;
    const isEnter = key === "Enter";
    if (isEnter && this.field) {
      this.enter();
      return true;
    }
    if (this.field && target === this.field) return false;
    if (kind !== "first" && (isEnter || key === " ")) {
      if (!this.picks(path) && isEnter && kind === "skipped") this.enter();
      return true;
    }

    const place = choiceBy(event, choices.length);
    if (place < 0) return false;
    const chosen = kind === "skipped" ? nodes[place] : place;
    if (!event.repeat) this.send({ type: "choose", choice: chosen });
    return true;
  }
}

/**
 * Whether the key is for what has the keyboard, and not for a question.
 * @param {KeyboardEvent} event
 */
function isForOthers({ key, target }) {
  if (!(target instanceof Element)) return true;
  const isPress = key === "Enter" || key === " ";
  const isOfControl = target.matches("select, summary, button, [type=checkbox]");
  return (isPress && isOfControl) || target.matches(".abviz-edit");
}

// ------------------------------------------------------------------ parts

/** @param {string} text */
const hint = (text) => html("span", { class: "abviz-hint" }, text);

/** @param {Element} element */
const choiceOf = (element) => element.getAttribute("data-choice") ?? "";

/** @type {() => HTMLElement} */
const numberField = () =>
  html("input", {
    class: "abviz-typed",
    "data-choice": "typed",
    autocomplete: "off",
    "aria-label": `Your answer, ${NUMBER}`,
    placeholder: NUMBER,
  });

/**
 * A switch, and the score of its kind of question.
 * @param {string} name
 * @param {string} text
 */
function boxOf(name, text) {
  const input = html("input", { type: "checkbox", name, "aria-label": text });
  const tally = html("span", { class: "abviz-tally", "data-kind": name });
  return html("label", {}, input, ` ${text} `, tally);
}
