// What the browser keeps of a reader's work on a page: nothing leaves it.

/**
 * @typedef {object} Kept
 * @property {string} source as the reader left it
 * @property {string} of what the page had then
 */

const ANSWERS = "abviz answers";

export class Store {
  isRefused = false;

  /** @param {string} chapter */
  constructor(chapter) {
    this.prefix = `abviz ${chapter} `;
  }

  /**
   * @param {string} cell
   * @returns {Kept | null}
   */
  read(cell) {
    try {
      return JSON.parse(localStorage.getItem(this.prefix + cell) ?? "null");
    } catch {
      return null;
    }
  }

  /**
   * @param {string} cell
   * @param {Kept | null} kept
   */
  write(cell, kept) {
    try {
      if (kept) localStorage.setItem(this.prefix + cell, JSON.stringify(kept));
      else localStorage.removeItem(this.prefix + cell);
    } catch {
      this.isRefused = true;
    }
  }

  /**
   * The answers to predictions, of all chapters.
   * @returns {Record<string, string | number>}
   */
  answers() {
    try {
      return JSON.parse(localStorage.getItem(ANSWERS) ?? "{}");
    } catch {
      return {};
    }
  }

  /** @param {Record<string, string | number>} given */
  writeAnswers(given) {
    try {
      localStorage.setItem(ANSWERS, JSON.stringify({ ...this.answers(), ...given }));
    } catch {
      this.isRefused = true;
    }
  }
}
