// Practice on the whole tree: the reader fills in α, β and bv as they stand when the search leaves a
// node, and marks the cuts; Check says of each mark whether it is right, and why a wrong one is.

import { newCard, say } from "../answering.js";
import { hasFields, taskOf } from "../core/marks.js";
import { FIELDS } from "../core/words.js";
import { button, dropdown, html, svg } from "../dom.js";

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
  "For a class: copy this text into a file whose name ends in .json and hand it in; abviz check FILE verifies it.";
const HOW = "Click an edge, or press X below it, to mark it as cut.";
const HOW_INFINITE = "Type ∞ as inf, or press its key.";
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
   */
  constructor({ send, renew }) {
    this.send = send;
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
    this.handedIn = html(
      "div",
      { hidden: "" },
      this.solution,
      html("p", { class: "abviz-hint" }, HAND_IN),
      this.result,
    );
    this.infinities = INFINITIES.map((text) => this.keyFor(text));
    this.choice = dropdown("Asked", ASKED, (kind) => send({ type: "begin", kind }));

    const row = html(
      "div",
      { class: "abviz-tools" },
      html("label", {}, "Asked: ", this.choice),
      ...this.infinities,
      button("Check", () => send({ type: "judge" })),
      button("Hint", () => send({ type: "hint" })),
      button("New tree", renew),
      button("Result", () => this.handIn()),
      this.card,
    );
    this.element = html(
      "div",
      { class: "abviz-worksheet", hidden: "" },
      this.task,
      row,
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
    this.solution.focus();
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
    this.task.textContent = `${taskOf(sheet.trace)} ${how}`;
    for (const key of this.infinities) key.hidden = !hasBounds;
    say(this.card, sheet.standing, ["strong", {}, sheet.text]);
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
      "aria-label": `${letter} of ${short}`,
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
