// The buttons, the slider and the keys. Each command is named once, with its key, its icon and what it does.

import { html, svg } from "./dom.js";

const ICONS = {
  First: "M3 2h2v12H3zM13 2v12L5.5 8z",
  Previous: "M10.5 2.5L5 8l5.5 5.5",
  Play: "M4 2v12l9-6z",
  Pause: "M4 2h3v12H4zM9 2h3v12H9z",
  Next: "M5.5 2.5L11 8l-5.5 5.5",
  Last: "M11 2h2v12h-2zM3 2v12l7.5-6z",
  "Previous cut": "M5 3.5v9L.8 8zM9.4 6l6.4 5M9.4 10l6.4-5M6.6 4.8a1.7 1.7 0 1 1 3.4 0a1.7 1.7 0 1 1-3.4 0M6.6 11.2a1.7 1.7 0 1 1 3.4 0a1.7 1.7 0 1 1-3.4 0",
  "Next cut": "M11 3.5v9L15.2 8zM3.4 6l6.4 5M3.4 10l6.4-5M.6 4.8a1.7 1.7 0 1 1 3.4 0a1.7 1.7 0 1 1-3.4 0M.6 11.2a1.7 1.7 0 1 1 3.4 0a1.7 1.7 0 1 1-3.4 0",
  Predict: "M3 8.5l3.5 4L13 3.5",
  Practice: "M2.5 13.5l1-3.5L11 2.5l2.5 2.5L6 12.5zM9.5 4l2.5 2.5",
  Edit: "M8 2v5M8 7L3.5 11M8 7l4.5 4M8 1.8h.01M3.5 13.6h.01M12.5 13.6h.01",
  Boards: "M2 2h12v12H2zM8 2v12M2 8h12",
  "Split view": "M2 3h5v10H2zM9 3h5v10H9z",
  Share: "M8 10V1.5M5 4.5l3-3l3 3M4 7.5H2.5v7h11v-7H12",
  "Full screen": "M2 6V2h4M10 2h4v4M14 10v4h-4M6 14H2v-4",
  Help: "M5.5 6a2.5 2.5 0 1 1 3.6 2.2c-.8.4-1.1.9-1.1 1.8M8 12.2v1.3",
};
const STEPS = ["First", "Previous cut", "Previous", "Play", "Next", "Next cut", "Last"];
const FILLED = ["First", "Play", "Pause", "Last"]; // the other icons are lines
// Keys without a button: the key, what the help says, the page's method and its arguments.
const MORE = [
  ["k", "code: show, hide", "togglePart", "code"],
  ["t", "call stack: show, hide", "togglePart", "stack"],
  ["l", "number line: show, hide", "togglePart", "line"],
  ["n", "next tree of the page", "toTree", 1],
  ["p", "previous tree of the page", "toTree", -1],
  ["+", "larger", "zoom", 1.25],
  ["-", "smaller", "zoom", 0.8],
  ["0", "whole tree", "zoom", 0],
];
const SPEEDS = [0.5, 1, 2, 4];
const PACE = 1200; // milliseconds a step at speed 1

export class Controls {
  constructor(page) {
    this.page = page;
    this.timer = null;
    this.buttons = {};
    const { moves, modes } = this.commands();
    this.slider = html("input", { type: "range", min: "0", step: "1", "aria-label": "Step" });
    this.slider.addEventListener("input", () => page.go(Number(this.slider.value)));
    this.marks = html("div", { class: "abviz-marks", "aria-hidden": "true" });
    this.where = html("span", { class: "abviz-where" });
    this.speed = html("select", { "aria-label": "Speed", title: "Speed" }, ...SPEEDS.map((speed) => html("option", { value: speed }, `${speed}×`)));
    this.speed.addEventListener("change", () => {
      page.tell("speed", Number(this.speed.value));
      this.setPace();
    });
    this.help = html("div", { class: "abviz-help", role: "dialog", "aria-label": "Keys", hidden: "" });
    const shown = [...moves, ...modes].flatMap(([, key, what]) => [html("dt", {}, key), html("dd", {}, what)]);
    const others = [...MORE.map(([key, what]) => [key.toUpperCase(), what]), ["Esc", "back to the page"]];
    this.help.append(html("dl", {}, ...shown, ...others.flatMap(([key, what]) => [html("dt", {}, key), html("dd", {}, what)])));
    const slider = html("div", { class: "abviz-slider" }, this.marks, this.slider);
    const attributes = { class: "abviz-controls", role: "group", "aria-label": "Steps" };
    this.element = html("div", attributes, ...this.row(moves), slider, this.where, this.speed, ...this.row(modes));
  }

  /** Every command: [name, key as shown, what the help says, what it does]. */
  commands() {
    const { page } = this;
    const moves = [
      ["First", "Home", "before the search", () => page.go(0)],
      ["Previous cut", "Shift+C", "previous cut", () => this.toCut(-1)],
      ["Previous", "←", "previous step", () => page.go(page.step - 1)],
      ["Play", "Space", "play, pause", () => this.play(!this.timer)],
      ["Next", "→", "next step", () => page.next()],
      ["Next cut", "C", "next cut", () => this.toCut(1)],
      ["Last", "End", "end of the search", () => page.go(page.trace.length)],
    ];
    const modes = [
      ["Predict", "Q", "answer a question before each step", () => page.predict.turn()],
      ["Practice", "W", "fill in the whole tree", () => page.worksheet.turn()],
      ["Edit", "E", "change the tree", () => page.editor.turn()],
      ["Split view", "M", "minimax next to alpha-beta", () => page.split.turn()],
      ["Boards", "B", "board of the current node", () => page.follow()],
      ["Share", "S", "link, picture, print", () => page.share.turn()],
      ["Full screen", "F", "full screen", () => this.fullScreen()],
      ["Help", "?", "these keys", () => this.toggleHelp()],
    ];
    return { moves, modes };
  }

  /** What each key does, by the names that the browser has for keys. */
  get keys() {
    const { moves, modes } = this.commands();
    const names = { "←": "ArrowLeft", "→": "ArrowRight", Space: " " };
    const keys = Object.fromEntries([...moves, ...modes].map(([name, key]) => [names[key] ?? (key.length === 1 ? key.toLowerCase() : key), () => this.buttons[name].click()]));
    const { page } = this;
    const more = Object.fromEntries(MORE.map(([key, , name, ...args]) => [key, () => page[name](...args)]));
    return { ...keys, ...more, c: ({ shiftKey }) => this.toCut(shiftKey ? -1 : 1) };
  }

  row(commands) {
    return commands.map(([name, key, , act]) => {
      const icon = svg("svg", { viewBox: "0 0 16 16", "aria-hidden": "true" }, svg("path", {}));
      const button = html("button", { type: "button" }, icon);
      button.addEventListener("click", () => button.getAttribute("aria-disabled") !== "true" && act());
      this.buttons[name] = button;
      this.label(button, name, key);
      return button;
    });
  }

  label(button, name, key) {
    button.setAttribute("aria-label", name);
    button.title = `${name} (${key})`;
    button.querySelector("path").setAttribute("d", ICONS[name]);
    button.classList.toggle("abviz-stroked", !FILLED.includes(name));
  }

  /** aria-disabled and not disabled: a button that has the focus must not lose it. */
  enable(name, on) {
    this.buttons[name].setAttribute("aria-disabled", !on);
  }

  press(name, on) {
    this.buttons[name].setAttribute("aria-pressed", on);
  }

  /** A new trace: the marks of its cuts on the slider, which appear as they are passed. */
  load() {
    const { trace } = this.page;
    this.play(false);
    this.slider.max = trace.length;
    const few = trace.cuts.length <= 20;
    const mark = (step, text, title, kind) => {
      const element = html("span", { class: `abviz-cutmark ${kind}`, "data-step": step, title: `step ${step}: ${title}` }, text);
      element.style.setProperty("--at", step / trace.length);
      return element;
    };
    const marks = trace.cuts.map((cut) => {
      const name = this.page.cutName(cut);
      const element = mark(cut.step, few ? name[0] : "", name, "");
      element.dataset.cut = cut.kind;
      return element;
    });
    const { parting } = trace.options; // where a recorded run parts from the reference
    if (parting >= 0) marks.push(mark(parting, "≠", "the first difference", "abviz-parting"));
    this.marks.replaceChildren(...marks);
  }

  show() {
    const { trace, step } = this.page;
    this.where.textContent = `${step} / ${trace.length}`;
    this.slider.value = step;
    this.slider.setAttribute("aria-valuetext", `step ${step} of ${trace.length}`);
    for (const mark of this.marks.children) mark.hidden = Number(mark.dataset.step) > step;
    for (const name of ["First", "Previous"]) this.enable(name, step > 0);
    this.enable("Next", step < trace.length && !this.page.predict.locked);
    this.enable("Last", step < trace.length);
    this.enable("Previous cut", trace.cuts.some((cut) => cut.step < step));
    this.enable("Next cut", trace.cuts.some((cut) => cut.step > step));
    this.slider.disabled = this.page.worksheet.on;
    if (this.page.worksheet.on) for (const name of STEPS) this.enable(name, false);
    if (this.timer && step === trace.length) this.play(false);
  }

  toCut(way) {
    const { page } = this;
    const cut = way > 0 ? page.trace.cuts.find(({ step }) => step > page.step) : page.trace.cuts.findLast(({ step }) => step < page.step);
    if (cut) page.go(cut.step);
  }

  play(on) {
    clearInterval(this.timer);
    this.timer = null;
    const { page } = this;
    const start = on && page.trace.length > 0 && !page.predict.locked;
    if (start) {
      if (page.step === page.trace.length) page.go(0);
      this.timer = setInterval(() => page.next(), PACE / (Number(this.speed.value) || 1));
    }
    this.label(this.buttons.Play, start ? "Pause" : "Play", "Space");
  }

  setPace() {
    this.speed.value = this.page.model.get("speed");
    if (this.timer) this.play(true);
  }

  fullScreen() {
    const { root } = this.page;
    if (document.fullscreenElement === root) document.exitFullscreen();
    else root.requestFullscreen?.();
  }

  toggleHelp(open = this.help.hidden) {
    this.help.hidden = !open;
    this.buttons.Help.setAttribute("aria-expanded", open);
  }
}
