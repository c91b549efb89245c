// What a reader has got used to on all pages of this browser: whether More is open, and whether the
// page has asked its question.

/**
 * @typedef {object} Habits
 * @property {boolean} [more] whether the reader has opened what is under More
 * @property {boolean} [asked] whether the question before the first cut has been answered
 */

const NAME = "abviz habits";

/** @returns {Habits} */
export function readHabits() {
  try {
    return JSON.parse(localStorage.getItem(NAME) ?? "{}") ?? {};
  } catch {
    return {}; // forbidden, or written by someone else
  }
}

/** @param {Habits} habits those that have changed */
export function keepHabits(habits) {
  try {
    localStorage.setItem(NAME, JSON.stringify({ ...readHabits(), ...habits }));
  } catch {
    // forbidden, or full
  }
}
