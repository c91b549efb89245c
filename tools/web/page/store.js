// What the browser keeps of a reader's work on a page: nothing leaves it.

/**
 * @typedef {object} Kept
 * @property {string} source as the reader left it
 * @property {string} of what the page had then
 * @property {string} [mine] what they had before they started over
 */

const ANSWERS = "abviz answers";

export class Store {
  isRefused = false;

  /**
   * @param {string} chapter
   * @param {() => void} refuse called once, if the browser keeps nothing
   */
  constructor(chapter, refuse) {
    this.prefix = `abviz ${chapter} `;
    this.refuse = refuse;
  }

  /**
   * @param {string} name
   * @param {object | null} content
   */
  put(name, content) {
    try {
      if (content) localStorage.setItem(name, JSON.stringify(content));
      else localStorage.removeItem(name);
    } catch {
      if (!this.isRefused) this.refuse();
      this.isRefused = true;
    }
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
    this.put(this.prefix + cell, kept);
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
    this.put(ANSWERS, { ...this.answers(), ...given });
  }
}
