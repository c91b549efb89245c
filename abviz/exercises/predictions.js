// The questions of a notebook: a slider with a number, or choices. A check-up says at once what is right, and why.

import { guardKeys, html } from "./dom.js";

const STEPS = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 };

/** The text with what stands between grave accents as code. */
const withCode = (text) => String(text).split("`").map((part, place) => (place % 2 ? html("code", {}, part) : part));

/** Radio buttons, and how they show an answer. Arrow keys move and Space answers: moving past a choice must not take it. */
function radios({ choices }, give) {
  const name = `abviz-${Math.random()}`;
  const inputs = choices.map((choice) => {
    const input = html("input", { type: "radio", name });
    input.addEventListener("change", () => give(choice));
    return input;
  });
  const labels = inputs.map((input, place) => html("label", {}, input, html("span", {}, ...withCode(choices[place]))));
  const row = html("div", { class: "abviz-options" }, ...labels);
  row.addEventListener("keydown", (event) => {
    const step = STEPS[event.key];
    if (event.key === "Enter" && !event.shiftKey) event.target.click();
    if (!step) return;
    event.preventDefault();
    inputs.at((inputs.indexOf(event.target) + step) % inputs.length).focus();
  });
  return [row, (answer) => inputs.forEach((input, place) => (input.checked = choices[place] === answer))];
}

/** A slider and a number, and how they show an answer. */
function scale({ between: [low, high], step }, give, complain) {
  const limits = { min: low, max: high, step };
  const slider = html("input", { type: "range", ...limits, value: (low + high) / 2, "aria-label": "Slider" });
  const field = html("input", { type: "number", ...limits, step: step < 1 ? "any" : 1, "aria-label": "Number" });
  const giveSlider = () => give(slider.valueAsNumber);
  slider.addEventListener("input", () => (field.value = slider.value));
  slider.addEventListener("change", giveSlider);
  slider.addEventListener("click", giveSlider); // also in the middle, where it stands unseen: that is no change
  field.addEventListener("input", () => {
    if (!field.checkValidity()) complain(field.validationMessage);
    else if (field.value) give(field.valueAsNumber); // an empty field takes nothing back
  });
  const show = (answer) => {
    slider.classList.toggle("abviz-unset", answer === undefined);
    if (answer === undefined) return slider.setAttribute("aria-valuetext", "not answered yet");
    slider.removeAttribute("aria-valuetext");
    slider.value = answer;
    if (field.valueAsNumber !== answer) field.value = answer;
  };
  return [html("div", { class: "abviz-scale" }, html("span", {}, low), slider, html("span", {}, high), field), show];
}

function render({ model, el }) {
  const questions = model.get("questions");
  const isCheckUp = "because" in questions[0];
  const status = html("p", { role: "status" });
  const note = html("p", { class: "abviz-warning" });
  const say = (text) => text !== status.textContent && (status.textContent = text);
  const parts = questions.map((question, place) => {
    const give = (answer) => {
      model.set("answers", { ...model.get("answers"), [question.key]: answer });
      model.save_changes();
    };
    const [control, showAnswer] = question.choices ? radios(question, give) : scale(question, give, say);
    const verdict = html("p", { "aria-live": "polite" });
    const legend = html("legend", {}, isCheckUp ? `${place + 1}. ` : "", ...withCode(question.asks));
    const show = (answer) => {
      showAnswer(answer);
      if (!isCheckUp || answer === undefined) return;
      const mark = answer === question.answer ? "✓ Right. " : "✗ Not right. ";
      verdict.replaceChildren(html("b", {}, mark), ...withCode(question.because));
    };
    return { element: html("fieldset", {}, legend, control, isCheckUp ? verdict : ""), show };
  });
  const show = () => {
    const [answers, stored] = [model.get("answers"), model.get("stored")];
    const given = questions.filter(({ key }) => answers[key] !== undefined);
    const right = given.filter(({ key, answer }) => answers[key] === answer).length;
    questions.forEach(({ key }, place) => parts[place].show(answers[key]));
    if (isCheckUp) say(given.length < questions.length ? `${given.length} of ${questions.length} answered.` : `${right} of ${questions.length} right.`);
    else say(given.length ? `Your prediction: ${answers[questions[0].key]}.` : "Not answered yet.");
    const waits = given.some(({ key }) => answers[key] !== stored[key]);
    note.textContent = model.get("problem") || (waits ? "Not stored yet. If this stays, run the cell again." : "");
  };
  const root = html("div", { class: "abviz-questions" }, ...parts.map(({ element }) => element), status, note);
  el.append(root);
  show();
  const events = "change:answers change:stored change:problem";
  model.on(events, show);
  const release = guardKeys(root);
  const pass = ({ target, key, shiftKey }) => { // Shift+Enter runs the cell
    if (key === "Enter" && shiftKey && root.contains(target)) target.removeAttribute("data-lm-suppress-shortcuts");
  };
  window.addEventListener("keydown", pass, true);
  return () => {
    model.off(events, show);
    window.removeEventListener("keydown", pass, true);
    release();
  };
}

export default { render };
