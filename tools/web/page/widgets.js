// The widgets of a page: what a notebook's front end does for them, as far as abviz needs it.
//
// Each kind of widget has a module, whose `render` draws a model's state. A model is either as the
// notebook's run left it, and changes only here; or it is a live one, whose other half is in the
// page's Python, and each half tells the other what it changes.

import { importPacked, putStyle } from "./packed.js";

const HERE = new URL(".", import.meta.url);

/**
 * @typedef {Record<string, unknown>} State
 * @typedef {(...values: any[]) => void} Act
 * @typedef {{state: State} | {content: object}} Told what is new, or a message
 * @typedef {(id: string, told: Told) => void} Send to the widget of that id in Python
 *
 * A widget as Python shows it.
 * @typedef {{kind: string, id: string, state: State, isRecorded?: boolean}} Shown
 */

const PRESS_RUN = "Press Run first: it takes Python to answer.";
const RECORDED = "This is a recording. On your own computer, it answers.";

/** A message for which there is no Python; what it says is for the reader. */
class NoPython extends Error {
  name = "NoPython";
}

export class Model {
  /** @type {Map<string, Set<Act>>} */
  acts = new Map();
  /** @type {Set<string>} */
  changed = new Set(); // names of traits that Python has not been told of

  /**
   * @param {Shown} shown
   * @param {Send | null} send null where there is no Python
   */
  constructor({ kind, id, state, isRecorded }, send) {
    this.kind = kind;
    this.id = id;
    this.state = state;
    this.isRecorded = !!isRecorded; // in a cell that has no Run
    this.tell = send;
    this.comm_live = !!send;
  }

  /** @param {string} name */
  get(name) {
    return this.state[name];
  }

  /**
   * @param {string} name
   * @param {unknown} value
   */
  set(name, value) {
    if (this.put(name, value)) this.changed.add(name);
  }

  save_changes() {
    const names = [...this.changed];
    this.changed.clear();
    if (!names.length) return;
    const state = Object.fromEntries(names.map((name) => [name, this.state[name]]));
    this.tell?.(this.id, { state });
  }

  /** @param {object} content */
  send(content) {
    if (!this.tell) throw new NoPython(this.isRecorded ? RECORDED : PRESS_RUN);
    this.tell(this.id, { content });
  }

  /** Python has been stopped, and with it the other half. */
  lose() {
    this.tell = null;
    this.comm_live = false;
    this.emit("comm_live_update");
  }

  /**
   * @param {string} events
   * @param {Act} act
   */
  on(events, act) {
    for (const event of events.split(" ")) {
      const acts = this.acts.get(event) ?? new Set();
      this.acts.set(event, acts.add(act));
    }
  }

  /**
   * @param {string} events
   * @param {Act} act
   */
  off(events, act) {
    for (const event of events.split(" ")) this.acts.get(event)?.delete(act);
  }

  /**
   * @param {string} name
   * @param {unknown} value
   * @returns whether it is another value
   */
  put(name, value) {
    if (isEqual(this.state[name], value)) return false;
    this.state[name] = value;
    this.emit(`change:${name}`, this, value);
    this.emit("change", this);
    return true;
  }

  /**
   * @param {string} event
   * @param {...unknown} values
   */
  emit(event, ...values) {
    for (const act of [...(this.acts.get(event) ?? [])]) act(...values);
  }
}

/** @type {(one: unknown, other: unknown) => boolean} */
const isEqual = (one, other) =>
  Object.is(one, other) ||
  (typeof one === "object" &&
    typeof other === "object" &&
    JSON.stringify(one) === JSON.stringify(other));

export class Widgets {
  /** @type {Map<string, Model>} */
  models = new Map();
  /** @type {Map<string, Promise<any>>} */
  modules = new Map();

  /** @param {Record<string, {script: string, style: string}>} kinds the files of each kind */
  constructor(kinds) {
    this.kinds = kinds;
  }

  /**
   * @param {Shown} shown
   * @param {Send | null} [send]
   */
  add(shown, send = null) {
    const model = new Model(shown, send);
    this.models.set(shown.id, model);
    return model;
  }

  /** @param {Model} model that is shown no longer, unless another of its id is */
  forget(model) {
    if (this.models.get(model.id) === model) this.models.delete(model.id);
  }

  /** Python has been stopped: what it showed stays, and does no more than what it can alone. */
  lose() {
    for (const model of this.models.values()) if (model.comm_live) model.lose();
  }

  /**
   * Draw a widget.
   * @param {Model} model
   * @param {HTMLElement} el
   * @returns {Promise<() => void>} what closes it
   */
  async draw(model, el) {
    const { kind } = model;
    if (kind in this.kinds) {
      const module = await this.module(kind);
      const close = await module.default.render({ model, el });
      return () => close?.();
    }
    if (/^[VH]Box|Board$/.test(kind)) return this.drawBox(model, el);
    if (kind === "HTMLModel") return drawText(model, el);
    return () => {}; // a control of Jupyter's own, which does nothing without Python
  }

  /**
   * @param {Model} box
   * @param {HTMLElement} el
   */
  async drawBox(box, el) {
    el.classList.add(box.kind.startsWith("HBox") ? "hbox" : "vbox");
    const children = /** @type {(string | Shown)[]} */ (box.get("children") ?? []);
    const closes = children.map(async (child) => {
      const isKnown = typeof child === "string";
      const model = isKnown
        ? this.models.get(child.replace("IPY_MODEL_", ""))
        : this.add(child, box.tell);
      const place = document.createElement("div");
      el.append(place);
      if (!model) return () => {};

      const close = await this.draw(model, place);
      return () => {
        close();
        if (!isKnown) this.forget(model);
      };
    });
    const all = await Promise.all(closes);
    return () => {
      for (const close of all) close();
    };
  }

  /**
   * The module of a kind of widget, and its style.
   * @param {string} kind
   * @returns {Promise<any>}
   */
  module(kind) {
    const known = this.modules.get(kind);
    if (known) return known;

    const { script, style } = this.kinds[kind];
    const module = Promise.all([
      importPacked(new URL(script, HERE)),
      putStyle(new URL(style, HERE)), // before it is drawn: a widget measures itself
    ]).then(([it]) => it);
    this.modules.set(kind, module);
    return module;
  }
}

/**
 * @param {Model} model
 * @param {HTMLElement} el
 */
function drawText(model, el) {
  const show = () => {
    el.innerHTML = `${model.get("value") ?? ""}`;
  };
  show();
  model.on("change:value", show);
  return () => model.off("change:value", show);
}
