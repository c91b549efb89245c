// What a reader has got used to on all pages of this browser: whether More is open, and whether a
// page has asked its question before the first cut. Where nothing can be stored, a page itself
// remembers it.

/**
 * @typedef {object} Habits
 * @property {boolean} [more] whether the reader has opened what is under More
 * @property {boolean} [asked] whether the question before the first cut has been asked
 */

const NAME = "abviz habits";

/** Those that have changed on this page. @type {Habits} */
const changed = {};

/** @returns {Habits} */
export function readHabits() {
  try {
    return { ...changed, ...JSON.parse(localStorage.getItem(NAME) ?? "{}") };
  } catch {
    return changed; // forbidden, or written by someone else
  }
}

/** @param {Habits} habits those that have changed */
export function keepHabits(habits) {
  Object.assign(changed, habits);
  try {
    localStorage.setItem(NAME, JSON.stringify({ ...readHabits(), ...habits }));
  } catch {
    // forbidden, or full
  }
}
