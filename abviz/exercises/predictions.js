// The questions of a notebook: a slider with a number, or choices. A check-up says at once what is right, and why.

import { button, guardKeys, html } from "./dom.js";

/** The text with what stands between grave accents as code. */
const withCode = (text) => String(text).split("`").map((part, place) => (place % 2 ? html("code", {}, part) : part));

/** A button for each choice, and how they show an answer. */
function options({ choices }, give) {
  const buttons = choices.map((choice) => button(choice, () => give(choice), {}, ...withCode(choice)));
  const show = (answer) =>
    buttons.forEach((each, place) => each.setAttribute("aria-pressed", choices[place] === answer));
  return [html("div", { class: "abviz-options" }, ...buttons), show];
}

/** A slider and a number, and how they show an answer. */
function scale({ between: [low, high], step }, give) {
  const limits = { min: low, max: high, step };
  const slider = html("input", { type: "range", ...limits, value: (low + high) / 2, "aria-label": "Slider" });
  const field = html("input", { type: "number", ...limits, step: step < 1 ? "any" : 1, "aria-label": "Number" });
  const giveSlider = () => give(slider.valueAsNumber);
  slider.addEventListener("input", () => (field.value = slider.value));
  slider.addEventListener("change", giveSlider);
  slider.addEventListener("click", giveSlider); // also in the middle, where it stands unseen: that is no change
  slider.addEventListener("keydown", ({ key }) => ["Enter", " "].includes(key) && giveSlider());
  field.addEventListener("input", () => field.value && field.checkValidity() && give(field.valueAsNumber));
  field.addEventListener("change", () => field.reportValidity()); // not at the first of several digits
  const show = (answer) => {
    slider.classList.toggle("abviz-unset", answer === undefined);
    slider.setAttribute("aria-valuetext", answer ?? "not answered yet");
    if (answer === undefined) return;
    slider.value = answer;
    if (field.valueAsNumber !== answer) field.value = answer;
  };
  return [html("div", { class: "abviz-scale" }, html("span", {}, low), slider, html("span", {}, high), field), show];
}

function render({ model, el }) {
  const questions = model.get("questions");
  const isCheckUp = "because" in questions[0];
  const parts = questions.map((question, place) => {
    const give = (answer) => {
      model.set("answers", { ...model.get("answers"), [question.key]: answer });
      model.save_changes();
    };
    const [control, showAnswer] = question.choices ? options(question, give) : scale(question, give);
    const verdict = html("p", { "aria-live": "polite" });
    const legend = html("legend", {}, isCheckUp ? `${place + 1}. ` : "", ...withCode(question.asks));
    let judged;
    const show = (answer) => {
      showAnswer(answer);
      if (!isCheckUp || [undefined, judged].includes(answer)) return; // it would be read out again
      judged = answer;
      const mark = answer === question.answer ? "✓ Right. " : "✗ Not right. ";
      verdict.replaceChildren(html("b", {}, mark), ...withCode(question.because));
    };
    return { element: html("fieldset", {}, legend, control, isCheckUp ? verdict : ""), show };
  });
  const status = html("p", { role: "status" });
  const show = () => {
    const [answers, problem] = [model.get("answers"), model.get("problem")];
    const given = questions.filter(({ key }) => key in answers);
    const right = given.filter(({ key, answer }) => answers[key] === answer);
    questions.forEach(({ key }, place) => parts[place].show(answers[key]));
    const counts = `${given.length} of ${questions.length} answered, ${right.length} right.`;
    const prediction = given.length ? `Your prediction: ${answers[questions[0].key]}.` : "Not answered yet.";
    status.textContent = (isCheckUp ? counts : prediction) + (problem && ` ⚠ ${problem}`);
  };
  const root = html("div", { class: "abviz-questions" }, ...parts.map(({ element }) => element), status);
  el.append(root);
  show();
  const events = "change:answers change:problem";
  model.on(events, show);
  const release = guardKeys(root, ["Escape", "Shift+Enter"]); // the second runs the cell
  return () => {
    model.off(events, show);
    release();
  };
}

export default { render };
