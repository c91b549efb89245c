// The boxes with code: a text that the reader can change, and Run.

import { button, html } from "./elements.js";

const KEYS = "Shift + Enter runs it; Escape, then Tab leaves it";
const STALE = "From before your change.";

export class Box {
  mine = ""; // what the reader had before they started over
  leavesByTab = false;
  shownOf = ""; // the code, with that on which it stands, that the outputs are of

  /**
   * @param {HTMLElement} section of the cell
   * @param {{source: string}} cell as the notebook has it
   * @param {number} number of the box on its page
   * @param {object} options
   * @param {(box: Box) => void} options.run
   * @param {(box: Box) => void} options.stop
   * @param {() => void} options.focus
   * @param {(box: Box) => void} options.change
   */
  constructor(section, { source }, number, { run, stop, focus, change }) {
    this.section = section;
    this.id = section.id;
    this.original = source;
    this.outputs = /** @type {HTMLElement} */ (section.querySelector(".outputs"));

    const field = /** @type {HTMLTextAreaElement} */ (
      html("textarea", {
        spellcheck: "false",
        autocapitalize: "off",
        autocomplete: "off",
        "aria-label": `Python code ${number}`,
        title: KEYS,
      })
    );
    this.field = field;
    field.value = source;
    section.querySelector(".box pre")?.replaceWith(field);
    this.fit();
    field.addEventListener("focus", focus);
    field.addEventListener("input", () => {
      this.fit();
      this.showLineStart();
      change(this);
    });
    field.addEventListener("keyup", () => this.showLineStart());
    field.addEventListener("click", () => this.showLineStart());
    field.addEventListener("blur", () => {
      field.scrollLeft = 0;
    });
    field.addEventListener("keydown", (event) => this.press(event, run));

    const label = "checks" in section.dataset ? "Check" : "Run";
    this.button = button("run", label, () => run(this));
    this.stop = button("plain", "Stop", () => stop(this));
    this.reset = button("plain", "", () => {
      if (this.isChanged) {
        this.mine = this.source;
        this.write(this.original);
      } else this.write(this.mine);
      change(this);
      field.focus();
    });
    this.stop.hidden = true;
    this.status = html("span", { class: "status", role: "status" });
    this.bar = html("div", { class: "bar" }, this.button, this.stop, this.reset, this.status);
    this.bar.append(html("span", { class: "keys", "aria-hidden": "true" }, KEYS)); // as its title
    this.announcement = html("p", { class: "visually-hidden", role: "status" });
    section.querySelector(".box")?.append(this.bar);

    const isCheck = label === "Check";
    const stale = isCheck ? "From before your change: not checked since." : STALE;
    this.note = html("p", { class: "stale", hidden: "" }, stale);
    this.outputs.before(this.note, this.announcement);
    this.show();
  }

  get source() {
    return this.field.value;
  }

  get isChanged() {
    return this.source !== this.original;
  }

  /** @param {string} source */
  write(source) {
    this.field.value = source;
    this.fit();
  }

  /** As high as its text. */
  fit() {
    this.field.rows = this.source.split("\n").length;
    this.show();
  }

  show() {
    if (!this.reset) return;
    this.reset.hidden = !this.isChanged && !this.mine;
    this.reset.textContent = this.isChanged ? "Start over" : "Bring mine back";
  }

  /** Scroll back to the left when the caret can be seen from there. */
  showLineStart() {
    const { field } = this;
    if (!field.scrollLeft) return;
    const { font, paddingLeft, paddingRight } = getComputedStyle(field);
    const padding = Number.parseFloat(paddingLeft) + Number.parseFloat(paddingRight);
    if (widthOf(this.lineBefore(), font) < field.clientWidth - padding) field.scrollLeft = 0;
  }

  /**
   * Say whether what is shown is of other code than what stands there now.
   * @param {boolean} isStale
   */
  markStale(isStale) {
    this.note.hidden = !isStale;
    this.section.toggleAttribute("data-stale", isStale);
  }

  /**
   * Take up what the reader left here.
   * @param {import("./store.js").Kept} kept
   */
  resume({ source, of, mine }) {
    this.mine = mine ?? "";
    this.write(source);
    if (of !== this.original && this.isChanged) {
      this.say("The course has a newer version of this cell: Start over shows it.");
    }
  }

  /** What is to be kept of it, or null. */
  get kept() {
    const { source, original: of, mine } = this;
    return this.isChanged || mine ? { source, of, mine } : null;
  }

  /** @param {string} text */
  say(text) {
    if (this.status.textContent !== text) this.status.textContent = text;
  }

  /**
   * Announce to screen readers what the outputs show.
   * @param {string} text
   */
  announce(text) {
    this.announcement.textContent = text;
  }

  /** @param {"running" | "done" | "failed" | "ended"} state */
  mark(state) {
    this.section.dataset.state = state;
    this.stop.hidden = state !== "running";
    this.button.setAttribute("aria-disabled", `${state === "running"}`);
  }

  /**
   * @param {KeyboardEvent} event
   * @param {(box: Box) => void} run
   */
  press(event, run) {
    if (event.key === "Escape") {
      this.leavesByTab = true; // or the keyboard could not get out of the box
      return;
    }
    const leaves = this.leavesByTab;
    this.leavesByTab = false;
    if (event.key === "Enter" && (event.shiftKey || event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      run(this);
    } else if (event.key === "Enter") {
      event.preventDefault();
      this.insert(`\n${indentAfter(this.lineBefore())}`);
    } else if (event.key === "Tab" && !event.shiftKey && !leaves) {
      event.preventDefault();
      this.insert("    ");
    } else if (event.key === "Backspace" && this.isAtIndent()) {
      event.preventDefault();
      const { selectionStart: at } = this.field;
      this.field.setSelectionRange(at - 4, at);
      this.insert("");
    }
  }

  lineBefore() {
    const before = this.source.slice(0, this.field.selectionStart);
    return before.slice(before.lastIndexOf("\n") + 1);
  }

  isAtIndent() {
    const { selectionStart, selectionEnd } = this.field;
    const line = this.lineBefore();
    return selectionStart === selectionEnd && /^( {4})+$/.test(line);
  }

  /** @param {string} text in the place of what is selected; Undo takes it back */
  insert(text) {
    if (!document.execCommand(text ? "insertText" : "delete", false, text)) {
      const { selectionStart, selectionEnd } = this.field;
      this.field.setRangeText(text, selectionStart, selectionEnd, "end");
      this.field.dispatchEvent(new Event("input"));
    }
  }
}

/**
 * How wide the text is, in pixels.
 * @param {string} text
 * @param {string} font
 */
function widthOf(text, font) {
  pen ??= document.createElement("canvas").getContext("2d");
  if (!pen) return 0;
  pen.font = font;
  return pen.measureText(text).width;
}

/** @type {CanvasRenderingContext2D | null} */
let pen = null;

/**
 * The indent of the line after this one.
 * @param {string} line
 */
export function indentAfter(line) {
  const indent = line.match(/^ */)?.[0] ?? "";
  if (/:\s*(#.*)?$/.test(line)) return `${indent}    `;
  if (/^\s*(return|pass|break|continue|raise)\b/.test(line)) return indent.slice(4);
  return indent;
}
