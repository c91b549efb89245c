// What brings a reader of an exported page back: the address of a step, and what the page
// remembers.

import { changesOf, hashOf, numberAsked, readAddress } from "./core/address.js";
import { Memory } from "./memory.js";
import { bringUp, steppers } from "./screen.js";

const AS_LEFT = "This is the tree as you left it; the menu and Undo (Ctrl+Z) have the page’s own.";
const MARKS_AS_LEFT = "These are your marks as you left them.";

export class Visits {
  /**
   * @param {object} options
   * @param {HTMLElement} options.root
   * @param {() => {trace: object, original: object, step: number}} options.shown
   * @param {(action: object) => boolean} options.send
   * @param {(tree: object) => object} options.known the tree with what is written about it
   *   elsewhere
   * @param {(marks: object) => void} options.resume take up practice with these marks
   */
  constructor({ root, shown, send, known, resume }) {
    Object.assign(this, { root, shown, send, known, resume });
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
      this.obey();
      return;
    }
    this.reopen(this.memory.read());
    this.memory.readNewer().then((record) => this.reopen(record));
  }

  close() {
    window.removeEventListener("hashchange", this.onHashChange);
  }

  // ---------------------------------------------------------------- the address

  /** Whether the address is for this stepper: the first, unless it names another. */
  get isAsked() {
    const { hash } = location;
    const all = steppers();
    return hash.length > 1 && (all[numberAsked(hash) - 1] ?? all[0]) === this.root;
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

  /** What the address asks for; or the problem, where it cannot be read. */
  read(hash) {
    try {
      return readAddress(hash, { ...this.shown(), known: this.known });
    } catch ({ message }) {
      return { problem: message };
    }
  }

  // ---------------------------------------------------------------- what is remembered

  /**
   * Remember what the reader has changed, and `marks` made in practice, if any: at every change,
   * for whatever happens next may end the page.
   */
  keep(marks) {
    if (!this.memory || this.isRestoring) return;
    const { trace, original } = this.shown();
    const parts = changesOf(trace, original);
    if (marks) parts.push(`marks=${encodeURIComponent(JSON.stringify(marks))}`);
    this.memory.write(parts);
  }

  /** Show what the record holds: the tree and the search, and the marks of practice. */
  reopen(record) {
    const marks = new URLSearchParams(record.slice(1)).get("marks");
    const { changes, problem } = this.read(record);
    if (problem || !(changes || marks)) return;

    this.isRestoring = true;
    try {
      if (changes && !this.send({ type: "reopen", changes })) return;
      if (marks) this.resume(JSON.parse(marks));
    } finally {
      this.isRestoring = false;
    }
    this.send({ type: "complain", problem: changes ? AS_LEFT : MARKS_AS_LEFT });
  }
}
