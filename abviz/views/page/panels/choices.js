// The menus of tree, search and rules; in place of them, for a recorded run, a button that compares
// it.

import { ownSearch } from "../actions/searches.js";
import { isSameSearch, isSameTree } from "../core/trace.js";
import { visible } from "../core/words.js";
import { courseTrees } from "../course.js";
import { button, dropdown, html } from "../dom.js";
import { rulesOf } from "./rules.js";

/** @import { Rules, SearchOptions } from "../core/search.js" */
/** @import { Trace, Tree } from "../core/trace.js" */
/** @import { Action } from "../state.js" */

/**
 * @typedef {{trace: Trace, original: Trace, hasShape: boolean}} Shown what is searched, and how
 */

/** @type {[value: string, text: string][]} */
const SEARCHES = [
  ["alphabeta", "alpha-beta"],
  ["minimax", "minimax"],
];
const ANSWERS = "Your answers belong to this search; leave Practice (W) before you choose another.";

export class Choices {
  /** @type {Shown} */
  shown = Object.create(null);
  /** @type {HTMLSelectElement | undefined} */
  menu;

  /**
   * @param {object} options
   * @param {(action: Action) => boolean} options.send return whether another search is shown
   * @param {() => void} options.focusStepper
   * @param {() => boolean} options.hasAnswers whether another search would take answers of practice
   */
  constructor({ send, focusStepper, hasAnswers }) {
    this.send = send;
    this.focusStepper = focusStepper;
    /** @type {Tree[]} */
    this.trees = [];
    this.rules = html("details");
    this.rules.addEventListener("toggle", () => {
      send({ type: "openRules", isOpen: this.rules.open });
    });
    this.element = html("div", { class: "abviz-choices" });
    this.ofRun = html("div", { class: "abviz-choices", hidden: "" });

    /** @param {Event} event */
    const keepAnswers = (event) => {
      if (!hasAnswers()) return;
      event.stopPropagation();
      this.offer(); // what holds
      send({ type: "complain", problem: ANSWERS });
    };
    this.element.addEventListener("change", keepAnswers, true);
    this.element.addEventListener("change", focusStepper); // so that arrows step
  }

  /** @param {Shown} shown */
  show(shown) {
    const before = this.shown;
    this.shown = shown;
    const isSame =
      before.original === shown.original && isSameSearch(before.trace.options, shown.trace.options);
    if (isSame) this.point();
    else this.offer();
  }

  /** Close the rules; return whether they were open. */
  close() {
    const { open } = this.rules;
    if (open) {
      this.focusStepper();
      this.rules.open = false;
    }
    return open;
  }

  /**
   * Let the action happen; where it is refused, go back to what holds.
   * @param {Action} action
   */
  take(action) {
    if (!this.send(action)) this.offer();
  }

  offer() {
    const isRun = this.shown.original.search === "recorded";
    this.ofRun.hidden = !isRun;
    this.element.hidden = isRun;
    if (isRun) this.offerRun();
    else this.offerSearches();
    this.point();
  }

  offerRun() {
    const { trace, original } = this.shown;
    const isRun = trace === original;
    const own = ownSearch(original) === "minimax" ? "minimax" : "alpha-beta";
    const text = isRun
      ? "A recording of your code: leaves can’t be edited."
      : `This is abviz’s own ${own}.`;
    const name = isRun ? `Compare with ${own}` : "Back to the recorded run";
    const other = button(name, () => {
      this.focusStepper(); // the button goes
      this.send({ type: "compare" });
    });
    this.ofRun.replaceChildren(html("span", { class: "abviz-hint" }, text), other);
  }

  offerSearches() {
    const { trace } = this.shown;
    /** @param {string} search */
    const take = (search) => {
      this.take({ type: "search", tree: this.shown.trace.tree, options: this.optionsOf(search) });
    };
    this.menu = this.menuOfTrees();
    const switches = rulesOf(trace.search).map((rule) => this.switchOf(rule));
    this.rules.replaceChildren(html("summary", {}, "Rules"), html("div", {}, ...switches));
    const searches = dropdown("Search", SEARCHES, take, trace.search);
    this.element.replaceChildren(this.menu, searches, this.rules);
  }

  menuOfTrees() {
    const { original, hasShape } = this.shown;
    const { tree: own } = original;
    this.trees = [own, ...courseTrees().filter((each) => !isSameTree(each, own))];
    /** @param {string} place */
    const choose = (place) => {
      const tree = this.trees[Number(place)];
      const { search } = this.shown.trace;
      const depth = tree === own ? original.options.depth : null;
      this.take({ type: "renew", tree, options: { ...this.optionsOf(search), depth } });
    };
    /** @type {[value: number, text: string][]} */
    const names = this.trees.map(({ title }, at) => [at, visible(title) || "the page’s own tree"]);
    const menu = dropdown("Tree", [...names, [-1, "another tree"]], choose);
    menu.hidden = !hasShape;
    menu.options[names.length].hidden = true; // it is chosen by making one
    return menu;
  }

  /** @param {ReturnType<typeof rulesOf>[number]} rule */
  switchOf([name, { title, off, on }]) {
    /** @type {Rules & Record<string, boolean>} */
    const rules = { ...this.shown.trace.rules };
    /** @param {string} choice */
    const set = (choice) => {
      const { tree, options } = this.shown.trace;
      const changed = { ...options, rules: { ...rules, [name]: choice === "on" } };
      this.take({ type: "search", tree, options: changed });
    };
    /** @type {[value: string, text: string][]} */
    const words = [
      ["off", off],
      ["on", on],
    ];
    const choice = dropdown(title, words, set, rules[name] ? "on" : "off");
    return html("label", {}, html("span", {}, title), choice);
  }

  /**
   * How a search goes on: the page's own keeps its window, or that it stops early.
   * @param {string} search
   */
  optionsOf(search) {
    const { original, trace } = this.shown;
    const own = search === original.options.search ? original.options : {};
    return { ...own, search, rules: trace.rules, depth: trace.depth };
  }

  /** Let the menu show the tree that is shown. */
  point() {
    const { tree } = this.shown.trace;
    const place = this.trees.findIndex((each) => isSameTree(each, tree));
    if (this.menu) this.menu.value = String(place);
  }
}
