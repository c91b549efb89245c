// The panels around the picture: the number line, the line of code that runs, the call stack, the board of a game.

import { boardOf, describe, toMove } from "./boards.js";
import { SENTENCES } from "./core/data.js";
import { lettersOf } from "./picture.js";
import { formsOf, lineAt, writeDown } from "./core/pseudocode.js";
import { reaches } from "./core/search.js";
import { isSameSearch } from "./core/trace.js";
import { dropdown, html, refill } from "./dom.js";

/** The least and the greatest finite value in the tree or of the search's window: the ends of the number line. */
export function range({ tree, options }) {
  const known = tree.nodes.filter(({ value }) => value !== null);
  // Next to a win, worth a million, the estimates of a game would fall on one point: a win lies beyond the ends.
  const estimates = known.filter(({ ending, value }) => !ending && !tree.isWin(value));
  const margin = estimates.length && estimates.length < known.length ? 1 : 0;
  const values = (margin ? estimates : known).map(({ value }) => Number(value));
  const finite = [...values, options.alpha, options.beta].filter(Number.isFinite);
  return finite.length ? [Math.min(...finite) - margin, Math.max(...finite) + margin] : [0, 0];
}

/**
 * Where the value that came up at the step falls: {value, bv, zone, alpha, beta}, or null. The zones are those of the
 * window that bv was tested against, and stand until the node is done with it. In the zone "cut" bv has reached the
 * other player's bound, in "update" it moves the node's own, in "ignore" it does neither.
 */
export function landing(trace, step) {
  let from = step;
  while (from && ["alpha", "beta", "cut"].includes(trace.eventAt(from)[0])) from -= 1;
  if (!from || step - from > 2) return null;
  const [kind, index, alpha, beta, bv, value] = trace.eventAt(from);
  if (kind !== "bv" || alpha === null || beta === null || bv === null) return null;
  const { isMax } = trace.nodes[index];
  const [own, other] = isMax ? [alpha, beta] : [beta, alpha];
  const rises = isMax ? bv > own : bv < own;
  const zone = reaches(trace.rules, bv, other, isMax) ? "cut" : rises ? "update" : "ignore";
  return { value, bv, zone, alpha, beta };
}

/** The window of the current node, and where the value that came up falls. */
export class NumberLine {
  constructor(page) {
    this.page = page;
    this.element = html("div", { class: "abviz-line", role: "img" });
  }

  show() {
    const { trace, step, predict } = this.page;
    const zones = !predict.hidesZones;
    const index = trace.places[step];
    const { number } = trace.tree;
    const { alpha, beta, bv } = trace.nodeAt(index, step);
    const [low, high] = (trace.range ??= range(trace));
    const place = (value) => {
      if (value === -Infinity) return 0;
      if (value === Infinity) return 100;
      const share = high > low ? (Number(value) / 2 - low / 2) / (high / 2 - low / 2) : 0.5; // halves: none overflows
      return Math.max(4, Math.min(96, 8 + 84 * share)); // a window may reach beyond the values of the tree
    };
    const parts = [["div", { class: "abviz-axis" }]];
    const put = (kind, at, text, width = "", more = {}) => {
      const style = `left:${Math.max(0, Math.min(100, at))}%;${width}`;
      parts.push(["div", { class: `abviz-${kind}`, style, ...more }, text]);
    };
    const lefts = [-Infinity, ...(low < high ? [high] : [])]; // their words would meet others on the right
    for (const tick of new Set([-Infinity, low, high, Infinity])) {
      put(lefts.includes(tick) ? "tick abviz-left" : "tick", place(tick), number(tick));
    }
    const landed = zones ? landing(trace, step) : null;
    const [a, b] = landed ? [place(landed.alpha), place(landed.beta)] : [place(alpha), place(beta)];
    if (alpha !== null && beta !== null && bv !== null && a <= b && zones) {
      const names = trace.nodes[index].isMax
        ? ["ignore", "update", "cut"]
        : ["cut", "update", "ignore"];
      [
        [0, a],
        [a, b],
        [b, 100],
      ].forEach(([from, to], at) => {
        const kind = landed?.zone === names[at] ? "zone abviz-hit" : "zone";
        put(kind, from, names[at], `width:${to - from}%`, { "data-zone": names[at] });
      });
    }
    for (const [kind, letter, value] of [
      ["beta", "β", beta],
      ["alpha", "α", alpha],
      ["bv", "bv", bv],
    ]) {
      if (value !== null) put(`pin abviz-${kind}`, place(value), `${letter} ${number(value)}`);
    }
    if (landed && landed.value != landed.bv)
      put("pin abviz-handed", place(landed.value), number(landed.value));
    refill(this.element, parts);
    const bounds = alpha === null ? "no bounds" : `α ${number(alpha)}, β ${number(beta)}`;
    const best = bv === null ? "" : `, bv ${number(bv)}`;
    const falls = landed
      ? `; ${number(landed.value)} came up, bv falls into the zone “${landed.zone}”`
      : "";
    this.element.setAttribute("aria-label", `Number line: ${bounds}${best}${falls}`);
  }
}

/** The pseudocode of the search, or the source of a recorded function, with the line that runs. */
export class Code {
  constructor(page) {
    this.page = page;
    this.list = html("ol", { class: "abviz-code", tabindex: "0", "aria-label": "Pseudocode" });
    this.select = dropdown("Form of the pseudocode", [], (form) => {
      page.tell("form", form);
      this.offer();
    });
    this.select.className = "abviz-caption";
    this.element = html("div", { class: "abviz-panel" }, this.select, this.list);
  }

  /** Write the form that is chosen, or the first that describes the search. */
  offer() {
    const { trace, model } = this.page;
    const forms = formsOf(trace);
    const form = forms.find(({ name }) => name === model.get("form")) ?? forms[0];
    this.select.replaceChildren(
      ...forms.map((each) => html("option", { value: each.name }, each.title)),
    );
    this.select.value = form.name;
    this.written = writeDown(trace, form);
    this.lines = this.written.map(({ text, indent }) => {
      const line = html("li", {}, text);
      line.style.setProperty("--indent", indent);
      return line;
    });
    this.list.replaceChildren(...this.lines);
    this.current = undefined;
    this.show();
  }

  show() {
    const { trace, step } = this.page;
    const line = this.lines[lineAt(trace, step, this.written)];
    if (line === this.current) return;
    this.current?.removeAttribute("aria-current");
    line?.setAttribute("aria-current", "step");
    this.current = line;
  }

  /** Scroll the code, and only the code, so that the line is in sight. */
  reveal() {
    if (!this.current) return;
    const { list } = this;
    const { offsetTop: top, offsetHeight: height } = this.current;
    const isSeen = top >= list.scrollTop && top + height <= list.scrollTop + list.clientHeight;
    if (!isSeen) list.scrollTop = top - list.clientHeight / 2;
  }
}

/** The calls under way, each with its own α, β and bv; the newest below. */
export class Stack {
  constructor(page) {
    this.page = page;
    this.table = html("table", { class: "abviz-stack", "aria-label": "Call stack" });
    this.element = html("div", { class: "abviz-panel abviz-calls" }, this.table);
  }

  show() {
    const { trace, step, worksheet } = this.page;
    const letters = lettersOf(trace);
    const { number } = trace.tree;
    const calls = step && !worksheet.on ? trace.tree.path(trace.places[step]) : [];
    const rows = [
      ["tr", {}, ...["Call stack", ...letters].map((head) => ["th", { scope: "col" }, head])],
    ];
    for (const index of calls) {
      const node = trace.nodes[index];
      const { alpha, beta, bv, value } = trace.nodeAt(index, step);
      const text = (each) => (each === null ? "" : number(each));
      const numbers = {
        α: text(alpha),
        β: text(beta),
        bv: value === null ? text(bv) : `returns ${number(value)}`,
      };
      const name = ["th", { scope: "row" }, `${node.isMax ? "▲" : "▼"} ${node.short}`];
      const current = index === trace.places[step] ? { "aria-current": "true" } : {};
      rows.push(["tr", current, name, ...letters.map((letter) => ["td", {}, numbers[letter]])]);
    }
    refill(this.table, rows);
  }
}

/** The board of one position of a game. */
export class BoardPanel {
  constructor(page) {
    this.page = page;
    this.square = html("div", { class: "abviz-square", role: "img" });
    this.caption = html("div", { class: "abviz-whose" });
    this.element = html("div", { class: "abviz-position", hidden: "" }, this.square, this.caption);
  }

  show() {
    const { view, pointer, trace, step, spec } = this.page;
    const { boards } = spec; // {kind, of, turns, players}, by node
    if (this.element.hidden !== !boards) this.element.hidden = !boards;
    if (!boards) return;
    const index = [pointer.pointed, pointer.focused, trace.places[step]].find((node) => node >= 0);
    view.picture.mark("abviz-shown", [index]);
    const { name } = trace.nodes[index];
    this.square.replaceChildren(boardOf(boards, trace.nodes[index]));
    this.square.setAttribute("aria-label", describe(boards, index));
    this.caption.replaceChildren(
      html("strong", { title: name }, name),
      html("span", {}, toMove(boards, index)),
    );
  }
}

/** The rules that the search obeys: [name, {title, off, on}]. */
export const rulesOf = (search) =>
  Object.entries(SENTENCES.rules).filter(
    ([name]) => search === "alphabeta" || name === "right_to_left",
  );

/** The rules in force, in one line; of a recorded function what it is. */
export function rulesLine({ search, rules, depth, options }) {
  const side = options.negamax ? ", from MAX’s side" : "";
  if (search === "recorded") return `recorded: what the function ${options.name} did${side}`;
  const parts = rulesOf(search).map(([name, { off, on }]) => (rules[name] ? on : off));
  if (search === "minimax") parts.unshift("minimax");
  if (options.early_stop) parts.push("stops at ±∞");
  if (depth !== null) parts.push(`depth ${depth}`);
  return parts.join(" · ");
}

/** What edited leaves have changed: the value now, and that of the page's own tree by the same search; else "". */
export function whatIf({ trace, original, isOwn }) {
  const { nodes, tree } = original;
  const changed = isOwn
    ? trace.nodes.filter(({ index, value }) => nodes[index].value != value)
    : [];
  if (!changed.length || !isSameSearch(trace.options, original.options)) return "";
  const leaves = changed.slice(0, 3).map(({ short, value }) => `${short} = ${tree.number(value)}`);
  const more = changed.length > 3 ? ` and ${changed.length - 3} more changed` : "";
  const [now, then] = [tree.number(trace.value), tree.number(original.value)];
  const returned = now === then ? `still returns ${now}` : `returns ${now} and no longer ${then}`;
  return `With ${leaves.join(", ")}${more} the search ${returned}.`;
}
