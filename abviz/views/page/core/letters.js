// The letters that a reader sees for the best value below: bv, or v where a course writes that. What a program reads is
// bv in any case: the names of states, data-bv, the blank {bv}.

let best = "bv";

const BEST_VALUE = /(?<!\{)\bbv\b/g;
const CHILD_VALUE = /(?<!\{)\bv\b/g;

/**
 * Show these letters from now on, on the whole page.
 * @param {string | undefined} letters
 */
export function showLetters(letters) {
  best = letters === "v" ? "v" : "bv";
}

/** The letters that are shown. */
export const lettersInUse = () => best;

/**
 * The text, or the template, with the letters that are shown.
 * @param {string} text
 */
export const lettered = (text) => (best === "bv" ? text : text.replace(BEST_VALUE, best));

/**
 * The line of code, in which a child's value has another name where the best value is v.
 * @param {string} line
 */
export const letteredLine = (line) =>
  best === "bv" ? line : lettered(line.replace(CHILD_VALUE, "value"));
