// Practice on the whole tree: the reader fills in α, β and bv as they stand when the search leaves a
// node, and marks the cuts; Check says of each mark whether it is right, and why a wrong one is.

import { newCard, say } from "../answering.js";
import { countOf, hasFields, taskOf } from "../core/marks.js";
import { lettered } from "../core/letters.js";
import { FIELDS } from "../core/words.js";
import { button, dropdown, html, svg } from "../dom.js";

/** @import { Assigned } from "../actions/assigned.js" */
/** @import { TreeNode } from "../core/trace.js" */
/** @import { Attributes } from "../dom.js" */
/** @import { Amount, Sheet } from "../sheet.js" */
/** @import { Action } from "../state.js" */

/** @type {[kind: Amount, text: string][]} */
const ASKED = [
  ["all", "every mark"],
  ["few", "five marks"],
];
const SOLVE = "Show the solution";
const UNSOLVE = "Back to your answers";
const HAND_IN =
  "For a class: press Download, or copy this text into a .json file, and hand it in; abviz check FILE grades it.";
const HAND_IN_ASSIGNED = "Press Download and hand in the file, or this text as a .json file.";
const COUNTS = "Each right mark counts 1; a cut or a value where none belongs costs 1.";
const JUDGED_LATER = "Your grade says which of your marks are right, and why.";
const HOW = "Click an edge, or press X below it, to mark it as cut.";
const HOW_INFINITE = "Type ∞ as inf, or press its key.";
/** How long a file can be saved after it has been offered, in milliseconds. */
const KEPT = 60_000;
const INFINITIES = ["∞", "−∞"];

export class Practice {
  /** @type {Sheet | null} */
  sheet = null;
  /** @type {Sheet["given"] | null} */
  given = null; // of the sheet whose fields are drawn
  /** @type {string[]} */
  reasonsShown = [];
  /** @type {import("../picture.js").Sheet | null} */
  fields = null;
  /** @type {HTMLInputElement | null} */
  lastField = null; // that had the keyboard

  /**
   * @param {object} options
   * @param {(action: Action) => void} options.send
   * @param {() => void} options.renew show another tree of the same kind
   * @param {Assigned | null} options.assigned the student to whom the tree is assigned, if any
   */
  constructor({ send, renew, assigned }) {
    this.send = send;
    this.assigned = assigned;
    this.reasons = html("ol", {
      class: "abviz-reasons",
      tabindex: "0",
      "aria-label": "What is wrong",
    });
    this.task = html("p", { class: "abviz-hint" });
    this.card = newCard();
    this.solution = button(SOLVE, () => send({ type: "solve" }));
    this.result = html("textarea", {
      class: "abviz-text",
      rows: "3",
      readonly: "",
      "aria-label": "Result to hand in",
    });
    this.result.addEventListener("focus", () => this.result.select());
    this.solution.hidden = !!assigned;
    this.download = button("Download", () => this.save());
    this.handedIn = html(
      "div",
      { hidden: "" },
      this.solution,
      html("p", { class: "abviz-hint" }, assigned ? HAND_IN_ASSIGNED : HAND_IN),
      this.result,
      this.download,
    );
    this.infinities = INFINITIES.map((text) => this.keyFor(text));
    this.choice = dropdown("Asked", ASKED, (kind) => send({ type: "begin", kind }));

    const amount = html("label", {}, "Asked: ", this.choice);
    const another = button("New tree", renew);
    const check = button("Check", () => send({ type: "judge" }));
    const hint = button("Hint", () => send({ type: "hint" }));
    for (const part of [amount, another, check, hint]) part.hidden = !!assigned;
    this.owner = html(
      "p",
      {},
      assigned ? html("strong", {}, `Assigned to ${assigned.label}.`) : "",
    );
    this.owner.hidden = !assigned;

    this.row = html(
      "div",
      { class: "abviz-tools" },
      amount,
      ...this.infinities,
      check,
      hint,
      another,
      button("Result", () => this.handIn()),
      this.card,
    );
    this.element = html(
      "div",
      { class: "abviz-worksheet", hidden: "" },
      this.owner,
      this.task,
      this.row,
      this.reasons,
      this.handedIn,
    );
  }

  /**
   * A key that fills in what few keyboards have. The field keeps the keyboard.
   * @param {string} text
   */
  keyFor(text) {
    const attributes = { "aria-label": `Fill in ${text}`, title: "In the field you are in" };
    const key = button(text, () => this.fillIn(text), attributes);
    key.addEventListener("pointerdown", (event) => event.preventDefault());
    return key;
  }

  /** @param {string} text */
  fillIn(text) {
    const field = this.lastField;
    if (!field?.isConnected || field.readOnly) return;
    field.focus();
    field.value = text;
    field.dispatchEvent(new Event("input"));
  }

  handIn() {
    this.send({ type: "handIn" });
    (this.assigned ? this.download : this.solution).focus();
  }

  /** Save the result as a file whose name says whose it is. */
  save() {
    const file = new Blob([this.result.value], { type: "application/json" });
    const href = URL.createObjectURL(file);
    const name = ["practice", this.assigned?.file].filter(Boolean).join("_");
    html("a", { href, download: `${name}.json` }).click();
    // a phone may ask first whether to save it
    setTimeout(() => URL.revokeObjectURL(href), KEPT);
  }

  /**
   * Show what is said of the sheet; its fields are in the picture.
   * @param {Sheet} sheet
   */
  show(sheet) {
    this.sheet = sheet;
    this.choice.value = sheet.kind;
    const { hasBounds } = sheet.trace;
    const how = hasBounds ? `${HOW_INFINITE} ${HOW}` : HOW;
    const judged = this.assigned ? JUDGED_LATER : "";
    const task = [taskOf(sheet.trace), how, COUNTS, judged];
    this.task.textContent = task.filter(Boolean).join(" ");
    for (const key of this.infinities) key.hidden = !hasBounds;
    const text = this.assigned ? countOf(sheet) : sheet.text;
    say(this.card, sheet.standing, ["strong", {}, text]);
    if (this.reasonsShown !== sheet.reasons) {
      this.reasonsShown = sheet.reasons;
      this.reasons.replaceChildren(...sheet.reasons.map((reason) => html("li", {}, reason)));
    }
    this.handedIn.hidden = !sheet.result;
    if (this.result.value !== sheet.result) this.result.value = sheet.result;
    this.solution.textContent = sheet.own ? UNSOLVE : SOLVE;
  }

  // ---------------------------------------------------------------- fields in the picture

  /**
   * What the picture puts in place of numbers: the same as long as the same marks are asked for, so
   * that nothing replaces a field that is being filled in.
   * @param {Sheet} sheet
   */
  fieldsOf(sheet) {
    this.sheet = sheet;
    if (this.given !== sheet.given || !this.fields) {
      this.given = sheet.given;
      this.fields = {
        hasFields: (node) => hasFields(sheet.trace, node),
        field: (node, letter, box) => this.field(node, letter, box),
      };
    }
    return this.fields;
  }

  /**
   * The field for one letter of an inner node, in place of its number.
   * @param {TreeNode} node
   * @param {string} letter
   * @param {Attributes} box
   */
  field({ name, short }, letter, box) {
    const key = `${FIELDS[letter]} ${name}`;
    const given = this.given?.get(key);
    const input = html("input", {
      class: "abviz-field",
      "aria-label": `${lettered(letter)} of ${short}`,
      autocomplete: "off",
      "data-key": key,
    });
    input.value = String(given ?? this.sheet?.answers.get(key) ?? "");
    input.readOnly = given !== undefined;
    input.addEventListener("focus", () => (this.lastField = input));
    input.addEventListener("input", () => this.send({ type: "fill", key, text: input.value }));
    return svg("foreignObject", box, input);
  }

  /**
   * The keys of a node or of a field in it; true for those.
   * @param {KeyboardEvent} event
   * @param {number} index of the node, or -1
   */
  key(event, index) {
    const { key, target } = event;
    if (index < 0) return false;
    if (key.toLowerCase() === "x") this.send({ type: "markCut", index });
    else if (key === "Enter" && target instanceof HTMLInputElement) this.goOn(target);
    else return false;
    event.preventDefault();
    return true;
  }

  /**
   * Go to the next field; from the last one, check.
   * @param {HTMLInputElement} field
   */
  goOn(field) {
    const next = fieldAfter(field);
    if (next) next.focus();
    else this.send({ type: "judge" });
  }
}

/**
 * The next field that can be filled in.
 * @param {HTMLInputElement} field
 * @returns {HTMLInputElement | undefined}
 */
function fieldAfter(field) {
  const picture = field.closest(".abviz-tree");
  const fields = picture?.querySelectorAll(".abviz-field:not([readonly])") ?? [];
  const all = /** @type {HTMLInputElement[]} */ ([...fields]);
  return all[all.indexOf(field) + 1];
}
