// The buttons and the slider.

import { namesCuts } from "../core/levels.js";
import { cutLetter } from "../core/words.js";
import { button, dropdown, html, setAttributes, svg } from "../dom.js";
import { COMMANDS, MODES, MOVES, canGoOn } from "./commands.js";
import { helpOf } from "./help.js";

/** @import { Show } from "../core/levels.js" */
/** @import { Cut, Trace } from "../core/trace.js" */
/** @import { Attributes } from "../dom.js" */
/** @import { Deeds, Shown } from "./commands.js" */

const HANDLE = "a1.7 1.7 0 1 1 3.4 0a1.7 1.7 0 1 1-3.4 0";
/** @type {Record<string, string>} */
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
  More: "M3.5 6L8 10.5L12.5 6",
  Help: "M5.5 6a2.5 2.5 0 1 1 3.6 2.2c-.8.4-1.1.9-1.1 1.8M8 12.2v1.3",
};

/** These are filled; the other icons are lines. */
const FILLED = ["Play", "Pause", "Last"];
/** @type {Record<string, string>} */
const MIRRORED = { First: "Last", Previous: "Next", "Previous cut": "Next cut" };

/** What a button says, where that is not its name, which is public. @type {Record<string, string>} */
const WORDS = { Previous: "Back" };

/** What a newcomer needs; all other commands are under More. */
const MAIN_MOVES = ["Previous", "Next", "Play", "Next cut"];
const MAIN_MODES = ["Edit", "Practice", "Full screen", "More"];

/** These are not on or off, as the other modes are. */
const WITHOUT_STATE = ["Full screen", "More", "Help"];
export const SPEEDS = [0.5, 1, 2, 4];

/** How long a step takes at speed 1, in milliseconds. */
const PACE = 1200;

/** The marks of more cuts than this have no letters. */
const MANY_CUTS = 20;

export class Controls {
  /** @type {Shown | null} */
  shown = null;
  /** @type {[step: number, mark: HTMLElement][]} */
  cutmarks = []; // on the slider
  timer = 0; // of Play; 0 where it is off

  /** @param {Omit<Deeds, "togglePlay">} deeds what the commands ask for, by name */
  constructor(deeds) {
    /** @type {Deeds} */
    this.deeds = { ...deeds, togglePlay: () => this.play(!this.timer) };
    /** @type {Record<string, HTMLButtonElement>} */
    this.buttons = {};
    for (const name in { ...MOVES, ...MODES }) this.buttons[name] = this.buttonOf(name);
    this.help = helpOf();
    this.buttons.Help.popoverTargetElement = this.help;

    this.slider = html("input", { type: "range", min: "0", step: "1", "aria-label": "Step" });
    this.slider.addEventListener("input", () => {
      deeds.send({ type: "go", step: Number(this.slider.value) });
    });
    this.marks = html("div", { class: "abviz-marks", "aria-hidden": "true" });
    this.where = html("span", { class: "abviz-where" });
    /** @type {[speed: number, text: string][]} */
    const speeds = SPEEDS.map((speed) => [speed, `${speed}×`]);
    this.speed = dropdown("Speed", speeds, (speed) => {
      deeds.send({ type: "prefer", speed: Number(speed) });
    });

    this.element = html(
      "div",
      { class: "abviz-controls", role: "group", "aria-label": "Steps" },
      ...this.rowOf(MAIN_MOVES),
      html("div", { class: "abviz-slider" }, this.marks, this.slider),
      this.where,
    );
    this.modes = html(
      "div",
      { class: "abviz-modes", role: "group", "aria-label": "Modes" },
      ...this.rowOf(MAIN_MODES),
    );
    this.more = html(
      "div",
      { class: "abviz-more", role: "group", "aria-label": "More", hidden: "" },
      ...this.rowOf(Object.keys(MOVES).filter((name) => !MAIN_MOVES.includes(name))),
      this.speed,
      ...this.rowOf(Object.keys(MODES).filter((name) => !MAIN_MODES.includes(name))),
    );
    this.buttons.More.setAttribute("aria-expanded", "false");
  }

  /** @param {string[]} names of commands */
  rowOf(names) {
    return names.map((name) => this.buttons[name]);
  }

  /** The keys of all commands: for each what it does, and whether it is on. */
  get keys() {
    const commands = Object.entries(COMMANDS).map(([name, { key }]) => {
      const act = () => (this.buttons[name] ? this.buttons[name].click() : this.act(name));
      return [key, { act, isOn: () => true }];
    });
    return Object.fromEntries(commands);
  }

  /** Close the help; return whether it was open. */
  closeHelp() {
    const isOpen = this.help.matches(":popover-open");
    if (isOpen) this.help.hidePopover();
    return isOpen;
  }

  /** @param {string} name */
  act(name) {
    if (this.shown) COMMANDS[name].act(this.shown, this.deeds);
  }

  /** @param {string} name */
  buttonOf(name) {
    const icon = svg("svg", { viewBox: "0 0 16 16", "aria-hidden": "true" }, svg("path", {}));
    const isSwitch = name in MODES && !WITHOUT_STATE.includes(name);
    /** @type {Attributes} */
    const attributes = isSwitch ? { "aria-pressed": false } : {};
    const words = html("span", {}, WORDS[name] ?? name);
    const element = button(name, () => this.act(name), attributes, icon, words);
    this.label(element, name, COMMANDS[name].key);
    this.draw(element, name, MIRRORED[name] ?? name);
    return element;
  }

  /** @type {(element: Element, shown: string, key: string) => void} */
  label(element, shown, key) {
    setAttributes(element, {
      "aria-label": shown,
      "aria-description": key,
      title: `${shown} (${key})`,
    });
  }

  /**
   * Show the icon on the button of a command.
   * @type {(element: Element, name: string, icon: string) => void}
   */
  draw(element, name, icon) {
    element.querySelector("path")?.setAttribute("d", ICONS[icon]);
    element.classList.toggle("abviz-stroked", !FILLED.includes(icon));
    element.classList.toggle("abviz-mirrored", name in MIRRORED);
  }

  /**
   * A new trace: Play stops.
   * @type {(trace: Trace, show: Show) => void}
   */
  load(trace, show) {
    this.play(false);
    this.slider.max = `${trace.length}`;
    this.markCuts(trace, show);
  }

  /**
   * The marks of the cuts on the slider, which appear as they are passed.
   * @type {(trace: Trace, show: Show) => void}
   */
  markCuts(trace, show) {
    this.cutmarks = trace.cuts.map((cut) => [cut.step, cutMarkOf(trace, cut, show)]);
    // where a recorded run parts from the reference
    const parting = trace.run?.parting ?? -1;
    if (parting >= 0) {
      const look = { class: "abviz-cutmark abviz-parting" };
      const mark = sliderMark(trace, parting, "≠", "the first difference", look);
      this.cutmarks.push([parting, mark]);
    }
    this.marks.replaceChildren(...this.cutmarks.map(([, element]) => element));
  }

  /**
   * Show where the search is and which commands are possible.
   * @param {Shown} shown
   */
  show(shown) {
    this.shown = shown;
    const { trace, step, steps, isPractice } = shown;
    const number = steps.findLastIndex((each) => each <= step);
    this.where.textContent = `${number} of ${steps.length - 1}`;
    this.slider.value = `${step}`;
    this.slider.setAttribute("aria-valuetext", `step ${step} of ${trace.length}`);
    this.slider.disabled = isPractice;
    for (const [at, mark] of this.cutmarks) {
      const isAhead = at > step;
      if (mark.hidden !== isAhead) mark.hidden = isAhead;
    }
    for (const [name, element] of Object.entries(this.buttons)) {
      const { key, isPossible = () => true, whyNot } = COMMANDS[name];
      const isOff = String(!isPossible(shown));
      if (element.ariaDisabled !== isOff) element.ariaDisabled = isOff;
      if (!whyNot) continue;
      const title = `${name} (${key})`;
      const why = whyNot(shown);
      element.title = why ? `${title}: ${why}` : title;
    }
    if (this.timer && (shown.isAsking || !canGoOn(shown))) this.play(false);
  }

  /** After how many milliseconds Play makes the next step. */
  get interval() {
    return this.timer ? PACE / (Number(this.speed.value) || 1) : Infinity;
  }

  /** @param {boolean} on */
  play(on) {
    clearInterval(this.timer);
    this.timer = 0;
    const { shown, deeds } = this;
    const starts = on && shown !== null && shown.trace.length > 0 && !shown.isLocked;
    if (starts) {
      if (shown.step === shown.trace.length) deeds.send({ type: "go", step: 0 });
      const speed = Number(this.speed.value) || 1;
      this.timer = setInterval(() => deeds.send({ type: "next" }), PACE / speed);
    }
    const name = starts ? "Pause" : "Play";
    this.label(this.buttons.Play, name, COMMANDS.Play.key);
    this.draw(this.buttons.Play, "Play", name);
    const words = this.buttons.Play.querySelector("span");
    if (words) words.textContent = name;
  }

  /**
   * Show what is under More, or hide it.
   * @param {boolean} isOpen
   */
  open(isOpen) {
    this.more.hidden = !isOpen;
    this.buttons.More.ariaExpanded = `${isOpen}`;
  }

  /** @param {number} speed */
  setPace(speed) {
    this.speed.value = `${speed}`;
    if (this.timer) this.play(true);
  }
}

/** @type {(trace: Trace, cut: Cut, show: Show) => HTMLElement} */
function cutMarkOf(trace, { step, at, kind }, show) {
  let name = trace.search === "alphabeta" ? "cut" : "stop";
  if (namesCuts(trace, show)) name = `${cutLetter(trace.rules, kind)}-cut`;
  const hasLetter = name !== "cut" && trace.cuts.length <= MANY_CUTS;
  const letter = hasLetter ? name[0] : "";
  const title = `${name} at ${trace.nodes[at].short}`;
  return sliderMark(trace, step, letter, title, { class: "abviz-cutmark", "data-cut": kind });
}

/**
 * A mark at a step of the slider.
 * @type {(trace: Trace, step: number, text: string, title: string, attributes: Attributes) => HTMLElement}
 */
function sliderMark(trace, step, text, title, attributes) {
  const element = html("span", { ...attributes, title: `step ${step}: ${title}` }, text);
  element.style.setProperty("--at", `${step / trace.length}`);
  return element;
}
