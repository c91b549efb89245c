// A page of the course: its widgets, its boxes with code, and what waits for a prediction.

import { Box } from "./boxes.js";
import { button, html } from "./elements.js";
import { keepVisited } from "./offline.js";
import { Python } from "./python.js";
import { reveal } from "./reveal.js";
import { Store } from "./store.js";
import { Widgets } from "./widgets.js";

/**
 * @typedef {{source: string, onlyShows: boolean, asks: string}} Cell
 * @typedef {import("./python.js").Message} Message
 * @typedef {import("./widgets.js").Shown} Shown
 */

const SECONDS = 60; // that a cell may take
const NOT_KEPT =
  "This browser keeps nothing for this page (its storage is full or forbidden): copy what you write.";
const RESTART = "Python starts again with the next Run, and what you typed stays.";
const WIDGET = "application/vnd.abviz.widget+json";
const MEGABYTE = 1e6;
const LOADING = "Loading Python, once";

class Chapter {
  /** @type {Set<string>} */
  ran = new Set(); // the ids of cells whose names are in the session, as they stand
  /** @type {Map<string, (() => void)[]>} */
  closes = new Map(); // by the cell: what closes its live widgets
  isBusy = false;

  /**
   * @param {HTMLElement} main
   * @param {object} data
   * @param {Record<string, Cell>} data.cells
   * @param {Record<string, Omit<Shown, "id">>} data.models
   * @param {ConstructorParameters<typeof Widgets>[0]} data.kinds
   */
  constructor(main, { cells, models, kinds }) {
    this.main = main;
    this.cells = cells;
    this.store = new Store(main.dataset.chapter ?? "", () => this.warn(NOT_KEPT));
    this.widgets = new Widgets(kinds);
    for (const [id, model] of Object.entries(models)) this.widgets.add({ id, ...model });
    this.python = new Python({
      hear: (message) => this.hear(message),
      loading: (loaded, all) => this.sayLoading(loaded, all),
    });

    /** @type {Box[]} */
    this.boxes = [...main.querySelectorAll(".code:not([data-recorded])")].map((section) => {
      const element = /** @type {HTMLElement} */ (section);
      return new Box(element, cells[element.id], {
        run: (box) => this.run(box),
        stop: () => this.end("Stopped."),
        focus: () => this.python.load().catch(() => {}),
        change: (box) => this.keep(box),
      });
    });
    for (const box of this.boxes) this.recall(box);
    for (const place of main.querySelectorAll(".output[data-model]")) {
      const element = /** @type {HTMLElement} */ (place);
      const model = this.widgets.models.get(element.dataset.model ?? "");
      if (model) this.widgets.draw(model, element);
    }
    this.foldAll();
    this.startQuestions();
    const download = button("plain", "Download as a notebook", () => this.download());
    document.getElementById("download")?.append(download);
  }

  /** @param {string} id */
  box(id) {
    return this.boxes.find((each) => each.id === id);
  }

  // ---------------------------------------------------------------- what the reader types

  /** @param {Box} box */
  keep(box) {
    this.ran.delete(box.id);
    this.store.write(box.id, box.kept);
  }

  /** @param {Box} box */
  recall(box) {
    const kept = this.store.read(box.id);
    if (kept) box.resume(kept);
  }

  /** @param {string} text about the whole page */
  warn(text) {
    this.main.prepend(html("p", { class: "warning", role: "status" }, text));
  }

  /** Give the reader the chapter as a notebook, with what they wrote. */
  async download() {
    const name = `${this.main.dataset.chapter}.ipynb`;
    const notebook = await (await fetch(name)).json();
    for (const cell of notebook.cells) {
      const box = this.box(cell.id);
      if (box) cell.source = box.source;
    }
    const blob = new Blob([JSON.stringify(notebook, null, 1)], { type: "application/json" });
    const link = html("a", { href: URL.createObjectURL(blob), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.getAttribute("href") ?? ""));
  }

  // ---------------------------------------------------------------- running

  /**
   * Run a cell, and before it those above it that have not been run.
   * @param {Box} box
   */
  async run(box) {
    if (this.isBusy) return;
    this.isBusy = true;
    this.current = box;
    box.mark("running");
    box.mark(await this.runWithAbove(box));
    this.isBusy = false;
  }

  /**
   * @param {Box} box
   * @returns {Promise<"done" | "failed" | "ended">}
   */
  async runWithAbove(box) {
    try {
      await this.python.load();
      const above = this.boxes.slice(0, this.boxes.indexOf(box));
      for (const each of above.filter((one) => this.isNeeded(one))) {
        box.say("Running the code above …");
        if ((await this.runOne(each, !each.isChanged)) !== "done") {
          box.say("The code above has a problem: see there.");
          each.section.scrollIntoView({ block: "nearest" });
          return "failed";
        }
      }
      box.say("Running …");
      const status = await this.runOne(box);
      const hasEnded = status !== "done" && status !== "failed";
      box.say(hasEnded ? status : "");
      return hasEnded ? "ended" : status;
    } catch (error) {
      box.say(`${error instanceof Error ? error.message : error}.`);
      return "ended";
    }
  }

  /**
   * Whether what comes after the cell may need it: not if it only shows something.
   * @param {Box} box
   */
  isNeeded(box) {
    const onlyShows = this.cells[box.id].onlyShows && !box.isChanged;
    return !onlyShows && !this.ran.has(box.id);
  }

  /**
   * @param {Box} box
   * @param {boolean} [isQuiet] whether what it shows already stays
   */
  async runOne(box, isQuiet = false) {
    if (!isQuiet) this.clear(box);
    const timer = setTimeout(() => this.end(`Stopped after ${SECONDS} seconds.`), SECONDS * 1000);
    const status = await this.python.run(box.id, box.source, isQuiet);
    clearTimeout(timer);
    this.clearEarly(box);
    if (status === "done") this.ran.add(box.id);
    return status;
  }

  /** @param {string} reason */
  end(reason) {
    this.ran.clear(); // Python's names are gone
    this.python.stop(`${reason} ${RESTART}`);
  }

  /** @param {Box} box */
  clear(box) {
    for (const close of this.closes.get(box.id) ?? []) close();
    this.closes.delete(box.id);
    box.outputs.replaceChildren();
  }

  /**
   * Take away what the cell has shown before it knew all.
   * @param {Box} box
   */
  clearEarly(box) {
    box.outputs.querySelector("[data-early]")?.remove();
  }

  // ---------------------------------------------------------------- what Python says

  /** @param {Message} message */
  hear(message) {
    const box = this.box(message.cell ?? "");
    if (message.type === "update") this.update(message);
    else if (message.type === "message")
      this.model(message)?.emit("msg:custom", message.content, []);
    else if (box && message.type === "stream") this.print(box, message.text);
    else if (box && message.type === "error") this.put(box, "error", message.text);
    else if (box && message.type === "clear") this.clear(box);
    else if (box && message.type === "display") this.display(box, message);
  }

  /** @param {Message} message */
  model({ id }) {
    return this.widgets.models.get(id);
  }

  /** @param {Message} message */
  update(message) {
    for (const [name, value] of Object.entries(message.state)) {
      this.model(message)?.put(name, value);
    }
  }

  /**
   * Show a widget that lives in Python.
   * @param {Box} box
   * @param {Shown} shown
   * @param {HTMLElement} place
   */
  async draw(box, shown, place) {
    const model = this.widgets.add(shown, (id, told) => this.python.tell(id, told));
    model.on("change:answers", () => this.takeAnswers(model.get("answers")));
    const close = await this.widgets.draw(model, place);
    this.closes.set(box.id, [...(this.closes.get(box.id) ?? []), close]);
  }

  /**
   * @param {Box} box
   * @param {string} text
   */
  print(box, text) {
    const last = box.outputs.lastElementChild?.querySelector(":scope > pre.stream");
    if (last) last.append(text);
    else this.put(box, "stream", text);
  }

  /**
   * @param {Box} box
   * @param {string} kind
   * @param {string} text
   */
  put(box, kind, text) {
    box.outputs.append(html("div", { class: "output" }, html("pre", { class: kind }, text)));
  }

  /**
   * @param {Box} box
   * @param {Message} message whose data are by mime type
   */
  display(box, { data, early }) {
    this.clearEarly(box);
    const place = html("div", { class: "output" });
    if (early) place.dataset.early = "";
    const shown = data[WIDGET];
    const markup = data["text/html"] ?? data["image/svg+xml"];
    if (shown) this.draw(box, shown, place);
    else if (markup) place.innerHTML = markup;
    else place.append(html("pre", {}, data["text/plain"]));
    box.outputs.append(place);
  }

  /**
   * @param {number} loaded
   * @param {number} all
   */
  sayLoading(loaded, all) {
    const [part, whole] = [loaded, all].map((bytes) => (bytes / MEGABYTE).toFixed(1));
    this.current?.say(`${LOADING}: ${part} of ${whole} MB …`);
  }

  // ---------------------------------------------------------------- predictions

  /** Show the answers that were given before, and keep those that are given. */
  startQuestions() {
    for (const model of this.widgets.models.values()) {
      if (!model.get("questions")) continue;
      const keys = /** @type {{key: string}[]} */ (model.get("questions")).map(({ key }) => key);
      const kept = this.store.answers();
      const known = keys.filter((key) => key in kept).map((key) => [key, kept[key]]);
      model.put("answers", Object.fromEntries(known));
      model.on("change:answers", () => this.takeAnswers(model.get("answers")));
    }
    this.takeAnswers(this.store.answers());
  }

  /** @param {any} answers by the names of the questions */
  takeAnswers(answers) {
    this.store.writeAnswers(answers);
    for (const name of Object.keys(answers)) this.unfold(name);
    for (const place of this.main.querySelectorAll("[data-reveals]")) {
      const output = /** @type {HTMLElement} */ (place);
      const truth = JSON.parse(output.dataset.reveals ?? "");
      if (truth.name in answers) output.replaceChildren(reveal(answers[truth.name], truth));
    }
    this.python.keepAnswers(this.store.answers());
  }

  /** Fold what follows each prediction until it is answered. */
  foldAll() {
    for (const [id, { asks: name }] of Object.entries(this.cells)) {
      const after = this.waiting(name);
      if (!name || !after.length) continue;
      const show = button("plain", "Show me", () => {
        this.unfold(name);
        after[0].setAttribute("tabindex", "-1");
        after[0].focus(); // or the keyboard would be lost with the button
      });
      const bar = html("p", { class: "folded" }, "Answer, and the rest appears. ", show);
      bar.dataset.until = name;
      document.getElementById(id)?.after(bar);
      for (const each of after) each.setAttribute("data-folded", "");
    }
  }

  /**
   * @param {string} name of a prediction
   * @returns {HTMLElement[]} what waits for it
   */
  waiting(name) {
    return [...this.main.querySelectorAll(`[data-after="${CSS.escape(name)}"]`)].map(
      (each) => /** @type {HTMLElement} */ (each),
    );
  }

  /** @param {string} name of a prediction */
  unfold(name) {
    this.main.querySelector(`[data-until="${CSS.escape(name)}"]`)?.remove();
    for (const each of this.waiting(name)) each.removeAttribute("data-folded");
  }
}

const data = JSON.parse(document.getElementById("page-data")?.textContent ?? "{}");
new Chapter(/** @type {HTMLElement} */ (document.querySelector("main")), data);
document.documentElement.dataset.ready = "";
keepVisited();
