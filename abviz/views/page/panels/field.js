// A field over a node, for the value of a leaf or for a name. What is typed stays in the element
// until it is entered, with its caret and whatever a keyboard composes.

import { labelOf, problemOf, textOf } from "../core/editing.js";
import { html } from "../dom.js";

/** @import { Field } from "../core/editing.js" */
/** @import { Action } from "../state.js" */

export class LeafField {
  /**
   * @param {object} options
   * @param {HTMLElement} options.root what the field is laid over
   * @param {(action: Action) => void} options.send
   * @param {(index: number) => SVGElement | undefined} options.nodeAt the node in the picture
   * @param {(index: number) => void} options.focusNode
   */
  constructor({ root, send, nodeAt, focusNode }) {
    this.root = root;
    this.send = send;
    this.nodeAt = nodeAt;
    this.focusNode = focusNode;
    /** @type {Field | null} */
    this.shown = null;
    this.close = () => {};
  }

  /**
   * Show the field that is open, or none.
   * @param {Field | null} field
   */
  show(field) {
    if (field === this.shown) return;
    this.close();
    this.shown = field;
    if (!field) return;

    const node = this.nodeAt(field.index);
    if (node) this.open(field, node);
    else this.send({ type: "leave" }); // it is folded, or outside the part that is shown
  }

  /**
   * @param {Field} field
   * @param {SVGElement} node
   */
  open(field, node) {
    const { root, send } = this;
    const hadFocus = node === document.activeElement;
    const input = inputOver(node, root, labelOf(field));
    input.value = textOf(field);

    let isOpen = true;
    const leave = () => {
      if (document.activeElement === input) {
        if (hadFocus) this.focusNode(field.index);
        else root.focus({ preventScroll: true });
      }
      input.remove();
    };
    this.close = () => {
      if (!isOpen) return;
      isOpen = false;
      // Later, for the browser lays out the whole document before it moves the focus.
      requestAnimationFrame(leave);
    };

    input.addEventListener("blur", () => {
      if (isOpen) send({ type: "leave", text: input.value });
    });
    input.addEventListener("keydown", (event) => {
      const { key } = event;
      const isWrong = isOpen && problemOf(field, input.value.trim()) !== "";
      if (isOpen && key === "Tab" && !isWrong) send({ type: "leave", text: input.value });

      if (!isOpen) {
        leave(); // the browser goes on from the node
        if (key === "Tab") return;
        event.stopPropagation();
        event.preventDefault();
        document.activeElement?.dispatchEvent(new KeyboardEvent("keydown", event)); // for the page
        return;
      }

      if (event.isComposing || !["Enter", "Escape"].includes(key)) return;
      event.stopPropagation();
      if (key === "Escape") send({ type: "leave" });
      else send({ type: "enter", text: input.value });
      if (isOpen) input.select(); // it was refused
    });

    root.append(input);
    input.select();
  }
}

/** @type {(node: SVGElement, root: HTMLElement, label: string) => HTMLInputElement} */
function inputOver(node, root, label) {
  const place = node.getBoundingClientRect();
  const around = root.getBoundingClientRect();
  const input = html("input", { class: "abviz-edit", "aria-label": label, autocomplete: "off" });
  input.style.left = `${place.left - around.left + place.width / 2}px`;
  input.style.top = `${place.top - around.top}px`;
  return input;
}
