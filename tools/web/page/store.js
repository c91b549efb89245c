// What the browser keeps of a reader's work on a page: nothing leaves it.

/**
 * @typedef {object} Kept
 * @property {string} source as the reader left it
 * @property {string} of what the page had then
 * @property {string} [mine] what they had before they started over
 */

/** @typedef {Record<string, string | number>} Answers by the names of the questions */

/**
 * A verdict of `check`, and the code that it is of.
 * @typedef {{exercise: string, status: string, of: string}} Verdict
 */

// Several courses may be on one server, and share what the browser keeps for it
export const PREFIX = `abviz ${new URL("../", import.meta.url).pathname} `;
const ANSWERS = `${PREFIX}answers`;

export class Store {
  isRefused = false;
  /** @type {Answers} */
  given = {}; // all there are, if the browser keeps nothing

  /**
   * @param {string} chapter
   * @param {string} rules under which the class is marked
   * @param {() => void} refuse called once, if the browser keeps nothing
   */
  constructor(chapter, rules, refuse) {
    this.prefix = chapterPrefix(chapter);
    this.verdictPrefix = verdictPrefix(chapter, rules);
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

  /** @param {string} cell */
  nameOf(cell) {
    return this.prefix + cell;
  }

  /**
   * @param {string} cell
   * @returns {Kept | null}
   */
  read(cell) {
    const { source, of, mine = "" } = readObject(this.nameOf(cell));
    return [source, of, mine].every(isText) ? { source, of, mine } : null;
  }

  /**
   * @param {string} cell
   * @param {Kept | null} kept
   */
  write(cell, kept) {
    this.put(this.nameOf(cell), kept);
  }

  /**
   * The last verdict that the cell has shown.
   * @param {string} cell
   * @returns {Verdict | null}
   */
  verdict(cell) {
    return readVerdict(this.verdictPrefix + cell);
  }

  /**
   * @param {string} cell
   * @param {Verdict} verdict
   */
  writeVerdict(cell, verdict) {
    this.put(this.verdictPrefix + cell, verdict);
  }

  /**
   * The answers to predictions, of all chapters.
   * @returns {Answers}
   */
  answers() {
    const all = Object.entries(this.isRefused ? this.given : readObject(ANSWERS));
    return Object.fromEntries(all.filter(([, each]) => isText(each) || Number.isFinite(each)));
  }

  /** @param {Answers} given */
  writeAnswers(given) {
    this.given = { ...this.answers(), ...given };
    this.put(ANSWERS, this.given);
  }
}

/** @param {string} chapter */
const chapterPrefix = (chapter) => `${PREFIX}${chapter} `;

/**
 * A verdict under other rules is another: the name says under which it was.
 * @param {string} chapter
 * @param {string} rules
 */
const verdictPrefix = (chapter, rules) => `${chapterPrefix(chapter)}verdict (${rules}) `;

/** @param {unknown} value */
const isText = (value) => typeof value === "string";

/**
 * What is kept under this name; an empty object where that is none, or is forbidden.
 * @param {string} name
 * @returns {Record<string, any>}
 */
function readObject(name) {
  try {
    const found = JSON.parse(localStorage.getItem(name) ?? "{}");
    return typeof found === "object" && found ? found : {};
  } catch {
    return {};
  }
}

/**
 * @param {string} name
 * @returns {Verdict | null}
 */
function readVerdict(name) {
  const { exercise, status, of } = readObject(name);
  return [exercise, status, of].every(isText) ? { exercise, status, of } : null;
}

/**
 * How many of a chapter's exercises were right when an answer was last checked.
 * @param {string} chapter
 * @param {string[]} exercises
 * @param {string} rules under which the class is marked
 */
export function rightIn(chapter, exercises, rules) {
  const prefix = verdictPrefix(chapter, rules);
  try {
    const right = Object.keys(localStorage)
      .filter((name) => name.startsWith(prefix))
      .map(readVerdict)
      .filter((verdict) => verdict?.status === "right")
      .map((verdict) => verdict?.exercise);
    return exercises.filter((each) => right.includes(each)).length;
  } catch {
    return 0; // the browser keeps nothing
  }
}
