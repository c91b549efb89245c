// The questions of a notebook: a slider with a number, or choices. A check-up says at once what is right, and why.

import { answerButton, choice, choiceBy, newCard, say } from "../views/page/answering.js";
import { judged } from "../views/page/core/answers.js";
import { guardKeys, html, numberInput } from "../views/page/dom.js";

/** @import { Item } from "../views/page/dom.js" */
/** @import { Context } from "../views/page/widget.d.ts" */

/**
 * @typedef {string | number} Answer
 *
 * @typedef {object} Question
 * @property {string} key
 * @property {string} asks
 * @property {Answer[]} choices none where a number is asked for
 * @property {[least: number, most: number]} between
 * @property {number} step
 * @property {Answer} answer
 * @property {string[] | null} because a reason for each choice; null where nothing is right
 *
 * The controls of a question, and how they show an answer.
 * @typedef {[controls: (string | Node)[], show: (answer: Answer | undefined) => void]} Controls
 */

/**
 * The text with what stands between grave accents as code.
 * @param {Answer} text
 * @returns {Item[]}
 */
const withCode = (text) =>
  String(text)
    .split("`")
    .map((part, place) => (place % 2 ? ["code", {}, part] : part));

/** @param {Item} item */
const nodeOf = (item) => (typeof item === "string" ? item : html(item[0], item[1], `${item[2]}`));

/**
 * A button for each choice.
 * @param {Question} question
 * @param {(answer: Answer) => void} give
 * @returns {Controls}
 */
function options({ choices }, give) {
  const buttons = choices.map((each, place) =>
    choice(`${place + 1}`, () => give(each), {}, ...withCode(each).map(nodeOf)),
  );
  /** @param {Answer | undefined} answer */
  const show = (answer) =>
    buttons.forEach((each, at) => each.setAttribute("aria-pressed", `${choices[at] === answer}`));
  return [buttons, show];
}

/**
 * A slider and a number.
 * @param {Question} question
 * @param {(answer: Answer) => void} give
 * @returns {Controls}
 */
function scale({ between: [min, max], step }, give) {
  const slider = html("input", {
    type: "range",
    min,
    max,
    step,
    value: (min + max) / 2,
    "aria-label": "Your answer, by a slider",
  });
  const field = numberInput({
    class: "abviz-typed",
    min,
    max,
    step: step < 1 ? "any" : 1,
    required: "",
    "aria-label": "Your answer",
  });
  /** @param {HTMLInputElement} input */
  const giveFrom = (input) => input.reportValidity() && give(input.valueAsNumber);

  slider.addEventListener("input", () => {
    field.value = slider.value;
  });
  slider.addEventListener("click", () => give(slider.valueAsNumber)); // in the middle, where it stands: no change
  for (const each of [slider, field]) each.addEventListener("change", () => giveFrom(each));
  /** @param {Answer | undefined} answer */
  const show = (answer) => {
    if (answer !== undefined) slider.value = field.value = `${answer}`;
  };
  return [[`${min}`, slider, `${max}`, field, answerButton(() => giveFrom(field))], show];
}

/**
 * The answer, if it is still one: an earlier edition of the question may have had other choices.
 * @param {Question} question
 * @param {Answer | undefined} answer
 */
function given({ choices }, answer) {
  const isChoice = answer !== undefined && choices.includes(answer);
  return !choices.length || isChoice ? answer : undefined;
}

/**
 * Say what has become of the question.
 * @param {HTMLElement} card
 * @param {Question} question
 * @param {Answer | undefined} chosen
 */
function sayOf(card, { answer, because, choices }, chosen) {
  if (chosen === undefined) {
    say(card, "", choices.length ? "Pick an answer." : "Type a number.");
    return;
  }
  if (!because) {
    say(card, "", `Your prediction: ${chosen}.`);
    return;
  }
  const isRight = chosen === answer;
  const reason = because[choices.indexOf(chosen)] ?? "";
  say(card, isRight ? "right" : "wrong", `${judged(isRight)}. `, ...withCode(reason));
}

/**
 * The question, with its controls and its card; and what shows its answer.
 * @param {Question} question
 * @param {number} place
 * @param {(answer: Answer) => void} give
 * @returns {[element: HTMLElement, show: (answer: Answer | undefined) => void]}
 */
function ask(question, place, give) {
  const { asks, because, choices } = question;
  const [controls, showControls] = (choices.length ? options : scale)(question, give);
  const number = because ? `${place + 1}. ` : "";
  const legend = html("legend", {}, number, ...withCode(asks).map(nodeOf));
  const card = newCard();
  const row = html("div", { class: "abviz-answers" }, ...controls);
  const element = html("fieldset", {}, legend, row, card);

  element.addEventListener("keydown", (event) => {
    const made = choices[choiceBy(event, choices.length)];
    if (made !== undefined) give(made);
  });
  /** @type {Answer | undefined | null} */
  let shown = null;
  return [
    element,
    (answer) => {
      if (answer === shown) return; // what stays is not read out again
      shown = answer;
      sayOf(card, question, answer);
      showControls(answer);
    },
  ];
}

/** @param {Context<{questions: Question[], answers: Record<string, Answer>}>} context */
function render({ model, el }) {
  const root = html("div", { class: "abviz-questions" });
  const shows = model.get("questions").map((question, place) => {
    const { key } = question;
    const [element, show] = ask(question, place, (answer) => {
      model.set("answers", { ...model.get("answers"), [key]: answer });
      model.save_changes();
    });
    root.append(element);
    return () => show(given(question, model.get("answers")[key]));
  });
  const showAll = () => shows.forEach((show) => show());
  el.append(root);
  showAll();
  model.on("change:answers", showAll);
  const release = guardKeys(root, ["Escape", "Shift+Enter"]); // the second runs the cell
  return () => {
    model.off("change:answers", showAll);
    release();
  };
}

export default { render };
