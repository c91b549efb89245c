// The questions of a notebook: a slider with a number, or choices. A check-up says at once what is right, and why.

import { button, guardKeys, html, refill } from "./dom.js";

/** The text with what stands between grave accents as code. */
const withCode = (text) => String(text).split("`").map((part, place) => (place % 2 ? html("code", {}, part) : part));

/** A button for each choice, and how they show an answer. */
function options({ choices }, give) {
  const buttons = choices.map((choice) => button(choice, () => give(choice), {}, ...withCode(choice)));
  const show = (answer) =>
    buttons.forEach((each, place) => each.setAttribute("aria-pressed", choices[place] === answer));
  return [buttons, show];
}

/** A slider and a number, and how they show an answer. */
function scale({ between: [min, max], step }, give) {
  const slider = html("input", { type: "range", min, max, step, value: (min + max) / 2, "aria-label": "Slider" });
  const any = { step: step < 1 ? "any" : 1, required: "" };
  const field = html("input", { type: "number", min, max, ...any, "aria-label": "Number" });
  slider.addEventListener("input", () => (field.value = slider.value));
  slider.addEventListener("click", () => give(slider.valueAsNumber)); // in the middle, where it stands: no change
  for (const each of [slider, field])
    each.addEventListener("change", () => each.reportValidity() && give(each.valueAsNumber));
  const show = (answer) => answer !== undefined && (slider.value = field.value = answer);
  return [[min, slider, max, field], show];
}

function render({ model, el }) {
  const questions = model.get("questions");
  const isCheckUp = "because" in questions[0];
  const parts = questions.map((question, place) => {
    const give = (answer) => {
      model.set("answers", { ...model.get("answers"), [question.key]: answer });
      model.save_changes();
    };
    const [controls, show] = question.choices ? options(question, give) : scale(question, give);
    const legend = html("legend", {}, isCheckUp ? `${place + 1}. ` : "", ...withCode(question.asks));
    const verdict = html("p", { "aria-live": "polite" });
    return { element: html("fieldset", {}, legend, html("div", {}, ...controls), verdict), show, verdict };
  });
  const status = html("p", { role: "status" });
  const show = () => {
    const answers = model.get("answers");
    const given = questions.filter(({ key }) => key in answers);
    questions.forEach(({ key }, place) => parts[place].show(answers[key]));
    if (!isCheckUp) {
      status.textContent = given.length ? `Your prediction: ${answers[questions[0].key]}.` : "Not answered yet.";
      return;
    }
    const isRight = ({ key, answer }) => answers[key] === answer;
    for (const question of given) {
      const mark = html("b", {}, isRight(question) ? "✓ Right. " : "✗ Not right. ");
      refill(parts[questions.indexOf(question)].verdict, [html("span", {}, mark, ...withCode(question.because))]);
    }
    status.textContent = `${given.length} of ${questions.length} answered, ${given.filter(isRight).length} right.`;
  };
  const root = html("div", { class: "abviz-questions" }, ...parts.map(({ element }) => element), status);
  el.append(root);
  show();
  model.on("change:answers", show);
  const release = guardKeys(root, ["Escape", "Shift+Enter"]); // the second runs the cell
  return () => {
    model.off("change:answers", show);
    release();
  };
}

export default { render };
