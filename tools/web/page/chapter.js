// A page of the course: its widgets, its boxes with code, and what waits for a prediction.

import { Box } from "./boxes.js";
import { codeBehind } from "./code.js";
import { button, html } from "./elements.js";
import { keepVisited } from "./offline.js";
import { keepPlace } from "./place.js";
import { Python, RESTART } from "./python.js";
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
const NOT_DOWNLOADED = "The notebook could not be loaded: try again when there is a network.";
const WIDGET = "application/vnd.abviz.widget+json";
const MEGABYTE = 1e6;
const DONE = "Done.";
const SIGNS = { right: "✓", wrong: "✗" };

class Chapter {
  /** @type {Map<string, string>} */
  ran = new Map(); // the code behind each cell whose names are in the session, by its id
  /** @type {Map<string, (() => void)[]>} */
  closes = new Map(); // by the cell: what closes its live widgets
  /** @type {Set<Box>} */
  outdated = new Set(); // whose outputs go as soon as there are others
  /** @type {Set<Box>} */
  toRun = new Set(); // the one that runs, and those that wait for it

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
    const { chapter = "", rules = "" } = main.dataset;
    this.store = new Store(chapter, rules, () => this.warn(NOT_KEPT));
    this.widgets = new Widgets(kinds);
    for (const [id, model] of Object.entries(models)) this.widgets.add({ id, ...model });
    this.python = new Python({
      hear: (message) => this.hear(message),
      loading: (...progress) => this.sayLoading(...progress),
      lose: () => this.lose(),
    });

    /** @type {Box[]} */
    this.boxes = [...main.querySelectorAll(".code:not([data-recorded])")].map((section, at) => {
      const element = /** @type {HTMLElement} */ (section);
      return new Box(element, cells[element.id], at + 1, {
        run: (box) => this.run(box),
        stop: (box) => this.stop(box),
        focus: () => this.python.load().catch(() => {}),
        change: (box) => this.keep(box),
      });
    });
    for (const box of this.boxes) box.shownOf = this.codeOf(box);
    for (const box of this.boxes) this.recall(box);
    this.markStale();
    addEventListener("storage", ({ key }) => this.follow(key));
    /** @type {Promise<unknown>[]} */
    const draws = [];
    for (const place of main.querySelectorAll(".output[data-model]")) {
      const element = /** @type {HTMLElement} */ (place);
      const model = this.widgets.models.get(element.dataset.model ?? "");
      if (model) draws.push(this.widgets.draw(model, element));
    }
    this.foldAll();
    this.startQuestions();
    keepPlace(main, Promise.allSettled(draws));
    const said = html("span", { role: "status" });
    const download = button("plain", "Download as a notebook", () => {
      said.textContent = "";
      this.download().catch(() => {
        said.textContent = NOT_DOWNLOADED;
      });
    });
    document.getElementById("download")?.append(download, " ", said);
  }

  /** @param {string} id */
  box(id) {
    return this.boxes.find((each) => each.id === id);
  }

  // ---------------------------------------------------------------- what the reader types

  /** @param {Box} box */
  keep(box) {
    this.store.write(box.id, box.kept);
    if (box.status.textContent === DONE) box.say("");
    this.markStale();
  }

  /**
   * Take over what another tab of the page has written, or this one would write over it.
   * @param {string | null} name under which it is kept
   */
  follow(name) {
    const box = this.boxes.find(({ id }) => name === this.store.nameOf(id));
    if (!box) return;
    box.resume(this.store.read(box.id) ?? { source: box.original, of: box.original });
    this.markStale();
  }

  /**
   * The code of a box and of those on which it stands.
   * @param {Box} box
   */
  codeOf(box) {
    const sources = this.boxes.map(({ source }) => source);
    return codeBehind(sources, this.boxes.indexOf(box));
  }

  /** @param {Box} box */
  isStale(box) {
    return box.outputs.childElementCount > 0 && box.shownOf !== this.codeOf(box);
  }

  markStale() {
    for (const box of this.boxes) box.markStale(this.isStale(box));
  }

  /** @param {Box} box */
  recall(box) {
    const kept = this.store.read(box.id);
    if (kept) box.resume(kept);
    const verdict = this.store.verdict(box.id);
    if (verdict) this.recallVerdict(box, verdict);
  }

  /**
   * Show the verdict that there was, in the place of that on code not written yet.
   * @param {Box} box
   * @param {import("./store.js").Verdict} verdict
   */
  recallVerdict(box, { exercise, status, of }) {
    if (!(status === "right" || status === "wrong")) return;
    const verdict = html("strong", {}, `${SIGNS[status]} ${exercise}: ${status}`);
    const line = html("p", {}, verdict, ", before the page was reloaded.");
    box.outputs.replaceChildren(html("div", { class: "output" }, line));
    box.shownOf = of;
  }

  /** @param {string} text about the whole page */
  warn(text) {
    this.main.prepend(html("p", { class: "warning", role: "status" }, text));
  }

  /** Give the reader the chapter as a notebook, with what they wrote. */
  async download() {
    const name = `${this.main.dataset.chapter}.ipynb`;
    const response = await fetch(name);
    if (!response.ok) throw new Error(`${response.status} at ${name}`);
    const notebook = await response.json();
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
    if (this.toRun.has(box)) return;
    this.toRun.add(box);
    box.mark("running");
    if (this.toRun.size > 1) {
      box.say("Waiting for the cell that runs …");
      return;
    }

    for (const next of this.toRun) {
      this.current = next;
      const status = await this.runWithAbove(next);
      this.toRun.delete(next);
      next.mark(status);
    }
  }

  /**
   * @param {Box} box
   * @returns {Promise<"done" | "failed" | "ended">}
   */
  async runWithAbove(box) {
    try {
      box.say("Starting Python …");
      await this.python.load();
      const above = this.boxes.slice(0, this.boxes.indexOf(box));
      for (const each of above.filter((one) => this.isNeeded(one))) {
        box.say("Running the code above …");
        const isQuiet = !each.isChanged && !this.isStale(each);
        const status = await this.runOne(each, isQuiet);
        if (status === "done") continue;

        const isStopped = status !== "failed";
        if (isStopped) each.say(status);
        box.say(`The code above ${isStopped ? "was stopped" : "has a problem"}: see there.`);
        each.section.scrollIntoView({ block: "nearest" });
        return isStopped ? "ended" : "failed";
      }
      box.say("Running …");
      const status = await this.runOne(box);
      const hasEnded = status !== "done" && status !== "failed";
      const showsNothing = !box.outputs.childElementCount;
      box.say(hasEnded ? status : status === "done" && showsNothing ? DONE : "");
      return hasEnded ? "ended" : status;
    } catch (error) {
      box.say(error instanceof Error ? error.message : `${error}`);
      return "ended";
    }
  }

  /**
   * Whether what comes after the cell may need it: not if it only shows something.
   * @param {Box} box
   */
  isNeeded(box) {
    const onlyShows = this.cells[box.id].onlyShows && !box.isChanged;
    return !onlyShows && this.ran.get(box.id) !== this.codeOf(box);
  }

  /**
   * @param {Box} box
   * @param {boolean} [isQuiet] whether what it shows already stays
   */
  async runOne(box, isQuiet = false) {
    const code = this.codeOf(box);
    if (!isQuiet) {
      this.clear(box);
      box.shownOf = code;
      box.markStale(false);
    }
    const timer = setTimeout(() => this.end(`Stopped after ${SECONDS} seconds.`), SECONDS * 1000);
    const status = await this.python.run(box.id, box.source, isQuiet);
    clearTimeout(timer);
    this.clearEarly(box);
    this.outdated.delete(box);
    if (status === "done") this.ran.set(box.id, code);
    this.markStale();
    return status;
  }

  /** @param {string} reason */
  end(reason) {
    this.python.stop(`${reason} ${RESTART}`);
  }

  /** Python has ended, and its names are gone. */
  lose() {
    this.ran.clear();
    this.widgets.lose();
  }

  /**
   * Stop the box, or let it wait no longer.
   * @param {Box} box
   */
  stop(box) {
    if (box === this.current) {
      this.end("Stopped.");
      return;
    }
    this.toRun.delete(box);
    box.mark("ended");
    box.say("");
  }

  /** @param {Box} box */
  clear(box) {
    for (const close of this.closes.get(box.id) ?? []) close();
    this.closes.delete(box.id);
    this.outdated.delete(box);
    box.announce("");
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
    else if (box && message.type === "clear" && message.wait) this.outdated.add(box);
    else if (box) this.show(box, message);
  }

  /**
   * @param {Box} box
   * @param {Message} message
   */
  show(box, message) {
    if (this.outdated.has(box)) this.clear(box);
    if (message.type === "stream") this.print(box, message.text);
    else if (message.type === "error") this.putError(box, message.text);
    else if (message.type === "display") this.display(box, message);
    else if (message.type === "clear") this.clear(box);
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
    model.on("change:answers", () => this.hearAnswers(model.get("answers")));
    const close = await this.widgets.draw(model, place);
    const forget = () => this.widgets.forget(model);
    this.closes.set(box.id, [...(this.closes.get(box.id) ?? []), close, forget]);
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
   * @param {string} text the traceback, whose last line says what is wrong
   */
  putError(box, text) {
    this.put(box, "error", text);
    box.announce(text.trimEnd().split("\n").at(-1) ?? "");
  }

  /**
   * @param {Box} box
   * @param {Message} message whose data are by mime type
   */
  display(box, { data, early, verdict }) {
    if (verdict && !early) {
      this.store.writeVerdict(box.id, { ...verdict, of: box.shownOf });
      box.announce(`${verdict.exercise}: ${verdict.status}`);
    }
    const place = html("div", { class: "output" });
    if (early) place.dataset.early = "";
    const shown = data[WIDGET];
    const markup = data["text/html"] ?? data["image/svg+xml"];
    const before = box.outputs.querySelector("[data-early]");
    if (before && markup) {
      place.innerHTML = markup;
      replaceWhenWhole(/** @type {HTMLElement} */ (before), place);
      return;
    }

    this.clearEarly(box);
    if (shown) this.draw(box, shown, place);
    else if (markup) place.innerHTML = markup;
    else place.append(html("pre", {}, data["text/plain"]));
    box.outputs.append(place);
  }

  /**
   * @param {number} loaded
   * @param {number} all
   * @param {boolean} isKept whether the browser has all of it already
   */
  sayLoading(loaded, all, isKept) {
    if (isKept) {
      this.current?.say("Starting Python …");
      return;
    }
    const [part, whole] = [loaded, all].map((bytes) => (bytes / MEGABYTE).toFixed(1));
    this.current?.say(`Loading Python: ${part} of ${whole} MB …`);
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
      model.on("change:answers", () => this.hearAnswers(model.get("answers")));
    }
    this.takeAnswers(this.store.answers());
  }

  /** @param {any} answers that the reader has given, by the names of the questions */
  hearAnswers(answers) {
    const before = this.store.answers();
    this.takeAnswers(answers);
    const given = Object.keys(answers).find((name) => answers[name] !== before[name]);
    if (given) this.showAnswer(given);
  }

  /**
   * Scroll to what is said of an answer, as far as the question stays in view.
   * @param {string} name of the prediction
   */
  showAnswer(name) {
    const [id] = Object.entries(this.cells).find(([, { asks }]) => asks === name) ?? [];
    const question = document.getElementById(id ?? "");
    const outputs = /** @type {HTMLElement[]} */ ([
      ...this.main.querySelectorAll("[data-reveals]"),
    ]);
    const reveals = outputs.find((each) => JSON.parse(each.dataset.reveals ?? "").name === name);
    if (!question || !reveals) return;

    const height = reveals.getBoundingClientRect().bottom - question.getBoundingClientRect().top;
    const shown = height <= innerHeight ? reveals : question;
    const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    shown.scrollIntoView({ block: "nearest", behavior: isCalm ? "instant" : "smooth" });
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
      if (!name || !after.length || this.holdsWork(after)) continue;
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

  /** @param {HTMLElement[]} cells whether the reader has written in one of them */
  holdsWork(cells) {
    return this.boxes.some(({ section, kept }) => kept && cells.includes(section));
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

/**
 * Put what is known now in the place of what was shown early, once its pictures have their sizes:
 * the page must not jump.
 * @param {HTMLElement} early
 * @param {HTMLElement} place
 */
async function replaceWhenWhole(early, place) {
  delete early.dataset.early;
  place.hidden = true;
  early.after(place);
  const pictures = [...place.querySelectorAll("img")];
  await Promise.allSettled(pictures.map((picture) => picture.decode()));
  place.hidden = false;
  early.remove();
}

const data = JSON.parse(document.getElementById("page-data")?.textContent ?? "{}");
new Chapter(/** @type {HTMLElement} */ (document.querySelector("main")), data);
document.documentElement.dataset.ready = "";
keepVisited();
