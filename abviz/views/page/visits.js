// What brings a reader of an exported page back: the address of a step, and what the page
// remembers.

import {
  changesOf,
  hashOf,
  isForTree,
  levelChosen,
  numberAsked,
  openedByHand,
  readAddress,
  readOpened,
} from "./core/address.js";
import { Memory } from "./memory.js";
import { bringUp, steppers } from "./screen.js";

/** @import { Asked, Levels, Opened } from "./core/address.js" */
/** @import { Trace, Tree } from "./core/trace.js" */
/** @import { Kept } from "./sheet.js" */
/** @import { Action } from "./state.js" */

/**
 * What an address asks for, or why it cannot be read.
 * @typedef {Partial<Asked> & {problem?: string}} Found
 */

const AS_LEFT = "This is the tree as you left it; the menu and Undo (in Edit) have the page’s own.";
const MARKS_AS_LEFT = "These are your marks as you left them.";

/** @type {Kept} */
const NO_MARKS = { on: false, kind: "all", asked: [], answers: [], cuts: [] };

/** @param {string} record */
const marksIn = (record) => new URLSearchParams(record.slice(1)).get("marks");

export class Visits {
  /**
   * @param {object} options
   * @param {HTMLElement} options.root
   * @param {() => {trace: Trace, original: Trace, step: number} & Levels & Opened} options.shown
   * @param {(action: Action) => boolean} options.send return whether another search is shown
   * @param {(tree: Tree) => Tree} options.known the tree with what is written about it
   *   elsewhere
   * @param {(marks: Kept) => void} options.resume take up practice with these marks
   */
  constructor({ root, shown, send, known, resume }) {
    this.root = root;
    this.shown = shown;
    this.send = send;
    this.known = known;
    this.resume = resume;
    /** @type {Memory | null} */
    this.memory = null; // before the page has been restored there is nothing to remember
    this.isRestoring = false;
    this.onHashChange = () => this.isAsked && this.obey();
  }

  /** The address of the step that is shown. */
  get address() {
    const number = steppers().indexOf(this.root) + 1;
    return `${location.href.split("#")[0]}${hashOf({ ...this.shown(), number })}`;
  }

  /** Open what the address of the page asks for, or else the tree as the reader left it. */
  restore() {
    // trees may have the same title, or none
    const place = steppers().indexOf(this.root);
    const { title } = this.shown().original.tree;
    this.memory = new Memory(`abviz ${location.pathname} ${place} ${title}`);
    window.addEventListener("hashchange", this.onHashChange);
    if (this.isAsked) {
      this.recall(this.memory.read());
      this.obey();
      return;
    }
    const older = this.memory.read();
    this.reopen(older);
    this.memory.readNewer().then((newer) => newer && this.reopen(newer, older));
  }

  close() {
    window.removeEventListener("hashchange", this.onHashChange);
  }

  // ---------------------------------------------------------------- the address

  /**
   * Whether the address is for this stepper: the first, unless it names another.
   */
  get isAsked() {
    const { hash } = location;
    const all = steppers();
    return isForTree(hash) && (all[numberAsked(hash) - 1] ?? all[0]) === this.root;
  }

  /** Open what the address of the page asks for. */
  obey() {
    const { hash } = location;
    const number = numberAsked(hash);
    const isHere = number - 1 in steppers();
    const problem = `there is no tree ${number} on this page`;
    this.send({ type: "visit", ...(isHere ? this.read(hash) : { problem }) });
    if (this.root !== steppers()[0] && window.top === window) bringUp(this.root);
  }

  /**
   * What the address asks for; or the problem, where it cannot be read.
   * @param {string} hash
   * @returns {Found}
   */
  read(hash) {
    try {
      return readAddress(hash, { ...this.shown(), known: this.known });
    } catch (problem) {
      return { problem: problem instanceof Error ? problem.message : String(problem) };
    }
  }

  // ---------------------------------------------------------------- what is remembered

  /**
   * Remember what the reader has changed, and `marks` made in practice, if any: at every change,
   * for whatever happens next may end the page.
   * @param {Kept | null} marks
   */
  keep(marks) {
    if (!this.memory || this.isRestoring) return;
    const shown = this.shown();
    const parts = [
      ...changesOf(shown.trace, shown.original),
      ...levelChosen(shown),
      ...openedByHand(shown),
    ];
    if (marks) parts.push(`marks=${encodeURIComponent(JSON.stringify(marks))}`);
    this.memory.write(parts);
  }

  /**
   * Show what the record holds: the tree and the search, and the marks of practice.
   * @param {string} record
   * @param {string} older one that has been shown before it
   */
  reopen(record, older = "") {
    const marks = marksIn(record);
    const { changes, show, problem } = this.read(record);
    if (problem) return;

    this.isRestoring = true;
    try {
      if (!changes) this.takeBackTree();
      if (!marks && marksIn(older)) this.resume(NO_MARKS);
      const isOther = this.send({
        type: "reopen",
        changes: changes ?? null,
        show,
        ...readOpened(record),
      });
      if (!(changes ? isOther : marks)) return;
      if (marks) this.resume(JSON.parse(marks));
    } finally {
      this.isRestoring = false;
    }
    this.send({ type: "complain", problem: changes ? AS_LEFT : MARKS_AS_LEFT });
  }

  /** Show the page's own tree where a record has shown another. */
  takeBackTree() {
    const { trace, original } = this.shown();
    if (trace === original) return;
    this.send({ type: original.search === "recorded" ? "compare" : "undo" });
  }

  /**
   * Show as much of the search as the record says: an address that names no level leaves it so, and
   * none names the parts.
   * @param {string} record
   */
  recall(record) {
    const { show, problem } = this.read(record);
    if (problem) return;
    this.isRestoring = true;
    this.send({ type: "reopen", changes: null, show, ...readOpened(record) });
    this.isRestoring = false;
  }
}
