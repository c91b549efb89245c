// The buttons, the slider and the keys. Each command is named once, with its key, what it does, and its icon.

import { button, dropdown, html, setAttributes, svg } from "./dom.js";
import { cutLetter } from "./core/words.js";

const HANDLE = "a1.7 1.7 0 1 1 3.4 0a1.7 1.7 0 1 1-3.4 0";
const ICONS = {
  Play: "M4 2v12l9-6z",
  Pause: "M4 2h3v12H4zM9 2h3v12H9z",
  Next: "M5.5 2.5L11 8l-5.5 5.5",
  "Next cut": `M11 3.5v9L15.2 8zM3.4 6l6.4 5M3.4 10l6.4-5M.6 4.8${HANDLE}M.6 11.2${HANDLE}`,
  Last: "M11 2h2v12h-2zM3 2v12l7.5-6z",
  Predict: "M3 8.5l3.5 4L13 3.5",
  Practice: "M3 1.5h10v13H3zM5.5 5h5M5.5 8h5M5.5 11.2l1.2 1.2l2.3-2.6",
  Edit: "M2.5 13.5l1-3.5L11 2.5l2.5 2.5L6 12.5zM9.5 4l2.5 2.5",
  "Split view": "M2 3h5v10H2zM9 3h5v10H9z",
  Share: "M8 10V1.5M5 4.5l3-3l3 3M4 7.5H2.5v7h11v-7H12",
  "Full screen": "M2 6V2h4M10 2h4v4M14 10v4h-4M6 14H2v-4",
  Help: "M5.5 6a2.5 2.5 0 1 1 3.6 2.2c-.8.4-1.1.9-1.1 1.8M8 12.2v1.3",
};
const FILLED = ["Play", "Pause", "Last"]; // the other icons are lines
const MIRRORED = { First: "Last", Previous: "Next", "Previous cut": "Next cut" };
const canMove = ({ worksheet }) => !worksheet.on;
const canGoOn = (page) => canMove(page) && page.step < page.trace.length;
const cutBefore = ({ trace, step }) => trace.cuts.findLast((cut) => cut.step < step)?.step;
const cutAfter = ({ trace, step }) => trace.cuts.find((cut) => cut.step > step)?.step;
/** What goes to that step, and whether there is one to go to. */
const goTo = (stepOf) => [
  (page) => page.go(stepOf(page)),
  (page) => canMove(page) && stepOf(page) >= 0 && stepOf(page) !== page.step,
];
// The commands (key, words of the help, act, whether that is possible): those that change the step, the page, and those
// without a button.
const MOVES = {
  First: ["Home", "before the search", ...goTo(() => 0)],
  "Previous cut": ["Shift+C", "previous cut", ...goTo(cutBefore)],
  Previous: ["←", "previous step", ...goTo(({ step }) => step - 1)],
  Play: ["Space", "play, pause", ({ controls }) => controls.play(!controls.timer), canMove],
  Next: ["→", "next step", (page) => page.next(), (page) => canGoOn(page) && !page.predict.locked],
  "Next cut": ["C", "next cut", ...goTo(cutAfter)],
  Last: ["End", "end of the search", ...goTo(({ trace }) => trace.length)],
};
const MODES = {
  Predict: [
    "Q",
    "answer questions",
    (page) => page.send({ type: "predict" }),
    ({ predict }) => predict.kinds.length,
  ],
  Practice: [
    "W",
    "fill in the whole tree",
    (page) => page.send({ type: "turn", mode: "practice" }),
  ],
  Edit: ["E", "change the tree", (page) => page.send({ type: "turn", mode: "edit" })],
  "Split view": ["M", "minimax next to alpha-beta", ({ split }) => split.turn(), canMove],
  Share: ["S", "link, picture, print", ({ share }) => share.turn(), canMove], // a copy holds the answers
  "Full screen": ["F", "full screen", (page) => page.fullScreen()],
  Help: ["?", "keys and marks", () => {}], // the browser opens and closes them
};
const KEYS = {
  code: ["K", "code: show, hide", (page) => page.togglePart("code")],
  stack: ["T", "call stack: show, hide", (page) => page.togglePart("stack")],
  line: ["L", "number line: show, hide", (page) => page.togglePart("line")],
  history: [
    "H",
    "windows handed down and earlier values: show, hide",
    (page) => page.send({ type: "toggleHistory" }),
  ],
  next: ["N", "next tree of the page", (page) => page.toTree(1)],
  previous: ["P", "previous tree of the page", (page) => page.toTree(-1)],
  larger: ["+", "larger; also Ctrl and the wheel", ({ view }) => view.zoomBy(1.25)],
  smaller: ["-", "smaller", ({ view }) => view.zoomBy(0.8)],
  whole: ["0", "whole tree; again: a size to read", ({ view }) => view.zoomBy(0)],
};
const OTHERS = {
  "↑ ↓": "in the tree: another node; Shift+← →: beside it",
  Enter: "fold the node, change the leaf",
  "Ins Del F2": "in Edit: add a child, remove, rename",
  "Alt+← →": "in Edit: move among the siblings",
  R: "in Edit: random tree",
  "Ctrl+Z": "undo; with Shift redo",
  X: "in Practice: mark the edge above as cut",
  Esc: "back to the page",
};
const MARKS = {
  "▲ ▼": "MAX, MIN",
  "α β": "the window: values that can still matter",
  bv: "the best value below so far",
  "= ≥ ≤ …": "what is proven of a node’s value",
  "✂": "cut off: never searched",
  "thick edges": "the best line so far",
  "coloured path": "at a cut: where its bound came from",
  "—": "in a recorded function: no such variable",
};
const COMMANDS = { ...MOVES, ...MODES, ...KEYS };
export const SPEEDS = [0.5, 1, 2, 4];
const PACE = 1200; // milliseconds a step at speed 1

export class Controls {
  constructor(page) {
    this.page = page;
    this.timer = null;
    this.buttons = {};
    for (const [name, [key, , act]] of Object.entries(COMMANDS)) {
      page.keys[key] = {
        act: () => (name in KEYS ? act(page) : this.buttons[name].click()),
        isOn: () => true,
      };
      if (name in KEYS) continue;
      const icon = svg("svg", { viewBox: "0 0 16 16", "aria-hidden": "true" }, svg("path", {}));
      const state =
        name in MODES && !["Full screen", "Help"].includes(name) ? { "aria-pressed": false } : {};
      this.buttons[name] = button(name, () => act(page), state, icon);
      this.label(name);
      this.draw(name);
    }
    this.slider = html("input", { type: "range", min: "0", step: "1", "aria-label": "Step" });
    this.slider.addEventListener("input", () => page.go(Number(this.slider.value)));
    this.marks = html("div", { class: "abviz-marks", "aria-hidden": "true" });
    this.where = html("span", { class: "abviz-where" });
    this.speed = dropdown(
      "Speed",
      SPEEDS.map((speed) => [speed, `${speed}×`]),
      (speed) => {
        page.tell("speed", Number(speed));
        this.setPace();
      },
    );
    const keys = [...Object.entries(MARKS), ...Object.values(COMMANDS), ...Object.entries(OTHERS)];
    const list = html(
      "dl",
      {},
      ...keys.flatMap(([key, what]) => [html("dt", {}, key), html("dd", {}, what)]),
    );
    const dialog = {
      class: "abviz-help",
      popover: "",
      role: "dialog",
      tabindex: "-1",
      "aria-label": "Keys and marks",
    };
    this.help = html("div", dialog, list);
    this.help.addEventListener(
      "toggle",
      ({ newState }) => newState === "open" && this.help.focus(),
    );
    this.help.addEventListener("click", () => this.help.hidePopover()); // on a phone it covers its button
    this.buttons.Help.popoverTargetElement = this.help;
    const slider = html("div", { class: "abviz-slider" }, this.marks, this.slider);
    const row = (names) => Object.keys(names).map((name) => this.buttons[name]);
    const attributes = { class: "abviz-controls", role: "group", "aria-label": "Steps" };
    this.element = html(
      "div",
      attributes,
      ...row(MOVES),
      slider,
      this.where,
      this.speed,
      ...row(MODES),
    );
  }

  label(name, shown = name) {
    const element = this.buttons[name];
    const key = COMMANDS[name][0];
    setAttributes(element, {
      "aria-label": shown,
      "aria-description": key,
      title: `${shown} (${key})`,
    });
  }

  /** Show the command's icon, or another one. */
  draw(name, icon = MIRRORED[name] ?? name) {
    const element = this.buttons[name];
    element.querySelector("path").setAttribute("d", ICONS[icon]);
    element.classList.toggle("abviz-stroked", !FILLED.includes(icon));
    element.classList.toggle("abviz-mirrored", name in MIRRORED);
  }

  /** A new trace: the marks of its cuts on the slider, which appear as they are passed. */
  load() {
    const { trace } = this.page;
    this.play(false);
    this.slider.max = trace.length;
    const few = trace.cuts.length <= 20;
    const mark = (step, text, title, attributes) => {
      const element = html(
        "span",
        { class: "abviz-cutmark", ...attributes, title: `step ${step}: ${title}` },
        text,
      );
      element.style.setProperty("--at", step / trace.length);
      return [step, element];
    };
    this.cutmarks = trace.cuts.map(({ step, at, kind }) => {
      const name = trace.search === "alphabeta" ? `${cutLetter(trace.rules, kind)}-cut` : "stop";
      return mark(step, few ? name[0] : "", `${name} at ${trace.nodes[at].short}`, {
        "data-cut": kind,
      });
    });
    const { parting } = trace.options; // where a recorded run parts from the reference
    const look = { class: "abviz-cutmark abviz-parting" };
    if (parting >= 0) this.cutmarks.push(mark(parting, "≠", "the first difference", look));
    this.marks.replaceChildren(...this.cutmarks.map(([, element]) => element));
  }

  show() {
    const { page } = this;
    const { trace, step, worksheet } = page;
    this.where.textContent = `${step} / ${trace.length}`;
    this.slider.value = step;
    this.slider.setAttribute("aria-valuetext", `step ${step} of ${trace.length}`);
    for (const [at, mark] of this.cutmarks) if (mark.hidden !== at > step) mark.hidden = at > step;
    for (const [name, button] of Object.entries(this.buttons)) {
      const [, , , isPossible = () => true] = COMMANDS[name];
      const isOff = String(!isPossible(page));
      if (button.ariaDisabled !== isOff) button.ariaDisabled = isOff;
    }
    this.slider.disabled = worksheet.on;
    if (this.timer && !canGoOn(page)) this.play(false);
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
    const name = start ? "Pause" : "Play";
    this.label("Play", name);
    this.draw("Play", name);
  }

  setPace() {
    this.speed.value = this.page.model.get("speed");
    if (this.timer) this.play(true);
  }
}
