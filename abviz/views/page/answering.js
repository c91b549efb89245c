// What asks and what answers, the same for the questions of a notebook, in predict mode and in
// practice: choices with their keys, a field to type in, and the card with what is said.

import { button, html, refill } from "./dom.js";

/** @import { Attributes, Item } from "./dom.js" */

/**
 * How a card stands: it asks, or says what became of an answer; "" for neither.
 * @typedef {"asks" | "right" | "wrong" | ""} Standing
 */

const SIGNS = { asks: "?", right: "✓", wrong: "✗" };

/**
 * The sign of a standing, for the eye: the words say the same.
 * @param {Exclude<Standing, "">} standing
 * @returns {Item}
 */
export const sign = (standing) => [
  "span",
  { class: "abviz-sign", "aria-hidden": "true" },
  SIGNS[standing],
];

/** A card that is read out whenever it says something else. */
export const newCard = () => html("p", { class: "abviz-card", role: "status" });

/**
 * Let the card say this. What stays is not read out again.
 * @param {HTMLElement} card
 * @param {Standing} standing
 * @param {...Item} items
 */
export function say(card, standing, ...items) {
  if (standing) card.dataset.verdict = standing;
  else delete card.dataset.verdict;
  refill(card, standing ? [sign(standing), " ", ...items] : items);
}

/**
 * A choice, with the key that makes it.
 * @param {string} key
 * @param {() => void} act
 * @param {Attributes} attributes
 * @param {...(string | Node)} content
 */
export const choice = (key, act, attributes, ...content) =>
  button(
    "",
    act,
    { class: "abviz-choice", ...attributes },
    html("kbd", { "aria-hidden": "true" }, key),
    ...content,
  );

/**
 * What gives the answer that has been typed, or picked.
 * @param {() => void} act
 */
export const answerButton = (act) => choice("↵", act, { "data-choice": "answer" }, "Answer");

/**
 * Which of the choices a key makes; -1 for none.
 * @param {KeyboardEvent} event
 * @param {number} count
 */
export function choiceBy({ key, ctrlKey, metaKey, altKey }, count) {
  const isPlain = /^[1-9]$/.test(key) && !ctrlKey && !metaKey && !altKey;
  return isPlain && Number(key) <= count ? Number(key) - 1 : -1;
}
