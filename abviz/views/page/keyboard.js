// The keys of a page: who may take a key, what Escape closes, and the commands.

import { guardKeys, keyName } from "./dom.js";
import { focusStepper } from "./screen.js";

export class PageKeys {
  /**
   * @param {object} options
   * @param {HTMLElement} options.root
   * @param {((event: KeyboardEvent, target: Element) => boolean)[]} options.takers each takes its own keys,
   *   and says so
   * @param {(() => boolean)[]} options.closers each closes something, if it is open, and says so
   * @param {Record<string, {act: () => void, isOn: () => boolean}>} options.commands by their keys
   */
  constructor({ root, takers, closers, commands }) {
    this.root = root;
    this.takers = takers;
    this.closers = closers;
    this.commands = commands;
    root.addEventListener("keydown", (event) => this.hear(event));
    this.letGo = guardKeys(root);
  }

  /** @param {KeyboardEvent} event */
  hear(event) {
    const target = /** @type {Element} */ (event.target);
    if (event.key === "Tab") return;
    if (event.key === "Escape") {
      this.escape(event, target);
      return;
    }
    if (!event.ctrlKey && !event.metaKey) {
      event.stopPropagation();
      if (this.takers.some((takes) => takes(event, target))) return;
    }
    if (!isOfControl(event.key, target)) this.command(event);
  }

  /** @param {KeyboardEvent} event */
  command(event) {
    const name = keyName(event);
    const command = this.commands[name] ?? this.commands[name.replace("Shift+", "")];
    if (!command?.isOn()) return;
    event.preventDefault();
    event.stopPropagation();
    command.act();
  }

  /**
   * Close what is open; with nothing open, give the keyboard back to the page around.
   * @type {(event: KeyboardEvent, target: Element) => void}
   */
  escape(event, target) {
    if (target.matches("input, textarea")) {
      event.stopPropagation();
      focusStepper(this.root);
    } else if (!this.closers.some((closes) => closes())) {
      const focused = /** @type {HTMLElement | SVGElement | null} */ (document.activeElement);
      focused?.blur();
    }
  }
}

/**
 * Whether the key is for the control that has the keyboard.
 * @type {(key: string, target: Element) => boolean}
 */
function isOfControl(key, target) {
  const control = target.closest("button, select, input, textarea, summary");
  if (!control) return false;
  const isField = control.matches("select, input:not([type=range]), textarea");
  return isField || [" ", "Enter"].includes(key);
}
