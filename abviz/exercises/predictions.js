// The questions of a notebook: a slider with a number, or choices. A check-up says at once what is right, and why.

import { button, guardKeys, html } from "../views/page/dom.js";

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
 */
const withCode = (text) =>
  String(text)
    .split("`")
    .map((part, place) => (place % 2 ? html("code", {}, part) : part));

/**
 * A button for each choice.
 * @param {Question} question
 * @param {(answer: Answer) => void} give
 * @returns {Controls}
 */
function options({ choices }, give) {
  const buttons = choices.map((choice) =>
    button(`${choice}`, () => give(choice), {}, ...withCode(choice)),
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
    title: "Slider",
  });
  const field = html("input", {
    type: "number",
    min,
    max,
    step: step < 1 ? "any" : 1,
    required: "",
    title: "Number",
  });
  slider.addEventListener("input", () => {
    field.value = slider.value;
  });
  slider.addEventListener("click", () => give(slider.valueAsNumber)); // in the middle, where it stands: no change
  for (const each of [slider, field])
    each.addEventListener("change", () => each.reportValidity() && give(each.valueAsNumber));
  /** @param {Answer | undefined} answer */
  const show = (answer) => {
    if (answer !== undefined) slider.value = field.value = `${answer}`;
  };
  return [[`${min}`, slider, `${max}`, field], show];
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
 * Whether the choice is right, and its own reason.
 * @param {Question} question
 * @param {Answer} chosen
 */
function judgement({ answer, because, choices }, chosen) {
  const mark = html("b", {}, chosen === answer ? "✓ Right. " : "✗ Not right. ");
  return [mark, ...withCode(because?.[choices.indexOf(chosen)] ?? "")];
}

/** @param {Context<{questions: Question[], answers: Record<string, Answer>}>} context */
function render({ model, el }) {
  const root = html("div", { class: "abviz-questions" });
  const shows = model.get("questions").map((question, place) => {
    const { key, asks, because, choices } = question;
    /** @param {Answer} answer */
    const give = (answer) => {
      model.set("answers", { ...model.get("answers"), [key]: answer });
      model.save_changes();
    };
    const [controls, show] = choices.length ? options(question, give) : scale(question, give);
    const legend = html("legend", {}, because ? `${place + 1}. ` : "", ...withCode(asks));
    const status = html("p", { role: "status" });
    root.append(html("fieldset", {}, legend, html("div", {}, ...controls), status));
    /** @type {Answer | undefined | null} */
    let shown = null;
    return () => {
      const answer = given(question, model.get("answers")[key]);
      if (answer === shown) return; // what stays is not read out again
      shown = answer;
      if (answer === undefined) status.replaceChildren("Pick an answer.");
      else if (because) status.replaceChildren(...judgement(question, answer));
      else status.replaceChildren(`Your prediction: ${answer}.`);
      show(answer);
    };
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
