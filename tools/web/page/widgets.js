// The widgets of a page: what a notebook's front end does for them, as far as abviz needs it.
//
// A widget of ours (anywidget) brings its own module, whose `render` draws a model's state. A model
// is either as the notebook's run left it, and changes only here; or it is a live one, whose other
// half is in the page's Python, and each half tells the other what it changes.

import { importPacked } from "./packed.js";

const HERE = new URL(".", import.meta.url);

/**
 * @typedef {Record<string, unknown>} State
 * @typedef {(...values: any[]) => void} Act
 * @typedef {(id: string, data: object) => void} Send to the widget of that id in Python
 */

export class Model {
  /** @type {Map<string, Set<Act>>} */
  acts = new Map();
  /** @type {Set<string>} */
  changed = new Set(); // names of traits that Python has not been told of

  /**
   * @param {Widgets} widgets
   * @param {string} id
   * @param {State} state
   * @param {Send | null} send null where there is no Python
   */
  constructor(widgets, id, state, send) {
    this.id = id;
    this.state = state;
    this.tell = send;
    this.comm_live = !!send;
    this.widget_manager = {
      /** @param {string} other */
      get_model: async (other) => widgets.models.get(other),
    };
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
    this.emit("saved");
    const state = Object.fromEntries(names.map((name) => [name, this.state[name]]));
    this.tell?.(this.id, { method: "update", state, buffer_paths: [] });
  }

  /** @param {object} content */
  send(content) {
    this.tell?.(this.id, { method: "custom", content });
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
   * Take what Python says.
   * @param {{method?: string, state?: State, content?: unknown}} data
   */
  receive({ method, state, content }) {
    if (method === "custom") this.emit("msg:custom", content, []);
    if (method !== "update") return; // an echo says what was written here
    for (const [name, value] of Object.entries(state ?? {})) this.put(name, value);
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
  /** @type {Set<string>} */
  styles = new Set();

  /**
   * @param {string} id
   * @param {State} state
   * @param {Send | null} [send]
   */
  add(id, state, send = null) {
    const model = new Model(this, id, state, send);
    this.models.set(id, model);
    return model;
  }

  /**
   * Draw a widget.
   * @param {string} id
   * @param {HTMLElement} el
   * @returns {Promise<() => void>} what closes it
   */
  async draw(id, el) {
    const model = this.models.get(id);
    if (!model) throw new Error(`there is no widget ${id} on this page`);
    const esm = model.get("_esm");
    if (typeof esm === "string") return this.drawOwn(model, esm, el);

    const name = `${model.get("_model_name")}`;
    if (name === "VBoxModel" || name === "HBoxModel") return this.drawBox(model, name, el);
    if (name === "HTMLModel") return drawText(model, el);
    throw new Error(`this page does not draw a ${name}`);
  }

  /**
   * @param {Model} model
   * @param {string} esm
   * @param {HTMLElement} el
   */
  async drawOwn(model, esm, el) {
    this.putStyle(model.get("_css"));
    const module = await this.module(esm);
    const close = await module.default.render({ model, el });
    return () => {
      close?.();
      el.replaceChildren();
    };
  }

  /**
   * @param {Model} box
   * @param {string} name
   * @param {HTMLElement} el
   */
  async drawBox(box, name, el) {
    el.classList.add(name === "VBoxModel" ? "vbox" : "hbox");
    const children = /** @type {string[]} */ (box.get("children") ?? []);
    const closes = await Promise.all(
      children.map((child) => {
        const place = document.createElement("div");
        el.append(place);
        return this.draw(child.replace("IPY_MODEL_", ""), place);
      }),
    );
    return () => {
      for (const close of closes) close();
      el.replaceChildren();
    };
  }

  /**
   * The module of a widget: a file of the site, or a text from Python.
   * @param {string} esm
   * @returns {Promise<any>}
   */
  module(esm) {
    let module = this.modules.get(esm);
    if (!module) {
      if (esm.endsWith(".packed")) module = importPacked(new URL(esm, HERE));
      else if (/^[\w.]+\.js$/.test(esm)) module = import(new URL(esm, HERE).href);
      else module = import(URL.createObjectURL(new Blob([esm], { type: "text/javascript" })));
      this.modules.set(esm, module);
    }
    return module;
  }

  /** @param {unknown} css a file of the site, or a text from Python */
  putStyle(css) {
    if (typeof css !== "string" || !css || this.styles.has(css)) return;
    this.styles.add(css);
    if (/^[\w.]+\.css$/.test(css)) {
      const link = document.createElement("link");
      link.rel = "stylesheet";
      link.href = new URL(css, HERE).href;
      document.head.append(link);
    } else {
      const style = document.createElement("style");
      style.textContent = css;
      document.head.append(style);
    }
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
