// The number line: the window of the current node, and where the value that came up falls.

import { lettered } from "../core/letters.js";
import { reaches } from "../core/search.js";
import { remembered } from "../core/trace.js";
import { html, refill } from "../dom.js";

/** @import { Known, Value } from "../core/numbers.js" */
/** @import { NodeState, Trace, TreeNode } from "../core/trace.js" */
/** @import { Attributes, Item, Markup } from "../dom.js" */

/**
 * What came up at a step: the value, the bv that it made, the window that bv was tested against, and
 * the zone of that window into which bv falls.
 * @typedef {{value: Known, bv: Value, zone: string, alpha: Value, beta: Value}} Landing
 *
 * @typedef {[low: number, high: number]} Ends
 * @typedef {(value: Known) => string} Written how a value is written
 */

/** What a value does in each zone, at a MAX node and at a MIN node. @type {Record<string, [string, string]>} */
const EFFECTS = {
  ignore: ["α stays", "β stays"],
  update: ["raises α", "lowers β"],
  cut: ["cut", "cut"],
};

/** A label of more letters has no room in the middle below its tick. */
const LONG = 4;

/** Values that are closer than this, in percent of the line, have no room for both their names. */
const CLOSE = 30;

/**
 * The least and the greatest finite value in the tree or of the search's window: the ends of the
 * number line.
 * @param {Trace} trace
 * @returns {Ends}
 */
export function range({ tree, options }) {
  const known = tree.nodes.filter(({ value }) => value !== null);
  // Next to a win, worth a million, the estimates of a game would fall on one point: a win lies
  // beyond the ends.
  const estimates = known.filter(({ ending, value }) => !ending && !tree.isWin(value));
  const margin = estimates.length && estimates.length < known.length ? 1 : 0;
  const values = (margin ? estimates : known).map(({ value }) => Number(value));
  // not a number where it has none
  const window = [options.alpha, options.beta].map(Number);
  const finite = [...values, ...window].filter(Number.isFinite);
  return finite.length ? [Math.min(...finite) - margin, Math.max(...finite) + margin] : [0, 0];
}

/**
 * Where the value that came up at the step falls: {value, bv, zone, alpha, beta}, or null. The zones are those of the
 * window that bv was tested against, and stand until the node is done with it. In the zone "cut" bv has reached the
 * other player's bound, in "update" it moves the node's own, in "ignore" it does neither.
 * @param {Trace} trace
 * @param {number} step
 * @returns {Landing | null}
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

/**
 * The place of a value in percent, between the ends of the line; what is infinite is at its edge.
 * @param {Known} value
 * @param {Ends} ends
 */
function placeOf(value, [low, high]) {
  if (value === -Infinity) return 0;
  if (value === Infinity) return 100;
  // Halves, so that nothing overflows.
  const share = high > low ? (Number(value) / 2 - low / 2) / (high / 2 - low / 2) : 0.5;
  // a window may reach beyond the tree's values
  return Math.max(4, Math.min(96, 8 + 84 * share));
}

const endsOf = remembered(range);

export class NumberLine {
  constructor() {
    this.element = html("div", { class: "abviz-line", role: "img" });
  }

  /**
   * Show the step; the zones would give away the answer to a question that is still to come.
   * @param {{trace: Trace, step: number, hasZones: boolean}} shown
   */
  show({ trace, step, hasZones }) {
    const node = trace.nodes[trace.places[step]];
    const state = trace.nodeAt(node.index, step);
    const landed = hasZones ? landing(trace, step) : null;
    const ends = endsOf(trace);
    const { number: written } = trace.tree;

    /** @type {Markup[]} */
    const parts = [["div", { class: "abviz-axis" }], ...ticks(ends, written)];
    if (hasZones) parts.push(...zones(node, state, landed, ends));
    parts.push(...pins(state, landed, ends, written));
    refill(this.element, parts);
    this.element.setAttribute("aria-label", describe(node, state, landed, written));
    this.element.title = `Where ${lettered("bv")} of ${node.short} is, and what it does there`;
  }
}

/**
 * A part of the line.
 * @param {string} kind
 * @param {number} at in percent
 * @param {Item} text
 * @param {string} width as a style
 * @param {Attributes} more
 * @returns {Markup}
 */
function mark(kind, at, text, width = "", more = {}) {
  const left = Math.max(0, Math.min(100, at));
  const style = `left:${left}%;${width}`;
  return ["div", { class: `abviz-${kind}`, style, ...more }, text];
}

/**
 * @param {Ends} ends
 * @param {Written} written
 */
function ticks(ends, written) {
  const [low, high] = ends;
  // their words would meet others on the right
  const lefts = [-Infinity];
  if (low < high) lefts.push(high);
  return [...new Set([-Infinity, low, high, Infinity])].map((tick) => {
    const words = written(tick);
    const isEnd = Number.isFinite(Number(tick));
    const isLong = words.length > LONG;
    let side = lefts.includes(tick) ? " abviz-left" : "";
    if (isEnd) side = isLong ? `${side} abviz-long` : " abviz-middle";
    return mark(`tick${side}`, placeOf(tick, ends), ["span", {}, words]);
  });
}

/**
 * What a value would do there: be ignored, move the node's own bound, or cut.
 * @param {TreeNode} node
 * @param {NodeState} state
 * @param {Landing | null} landed
 * @param {Ends} ends
 */
function zones(node, { alpha, beta, bv }, landed, ends) {
  if (alpha === null || beta === null || bv === null) return [];
  const from = placeOf(landed ? landed.alpha : alpha, ends);
  const to = placeOf(landed ? landed.beta : beta, ends);
  if (from > to) return [];

  const names = node.isMax ? ["ignore", "update", "cut"] : ["cut", "update", "ignore"];
  const borders = [0, from, to, 100];
  return names.flatMap((name, place) => {
    const hit = landed?.zone === name ? " abviz-hit" : "";
    const width = `width:${borders[place + 1] - borders[place]}%`;
    return [
      mark(`band${hit}`, borders[place], "", width, { "data-zone": name }),
      mark(`zone${hit}`, borders[place], effectOf(name, node), width),
    ];
  });
}

/**
 * @param {NodeState} state
 * @param {Landing | null} landed
 * @param {Ends} ends
 * @param {Written} written
 */
function pins({ alpha, beta, bv }, landed, ends, written) {
  /** @type {[kind: string, letter: string, value: Known][]} */
  const values = [
    ["beta", "β", beta],
    ["alpha", "α", alpha],
    ["bv", lettered("bv"), bv],
  ];
  const known = values.filter(([, , value]) => value !== null);
  const handed = landed && landed.value !== landed.bv ? landed.value : null;
  const [bvSide, handedSide] = sidesOf(bv, handed, ends);
  const parts = known.map(([kind, letter, value]) => {
    const side = kind === "bv" ? bvSide : "";
    return mark(`pin abviz-${kind}${side}`, placeOf(value, ends), `${letter} ${written(value)}`);
  });
  if (handed !== null) {
    const kind = `pin abviz-handed${handedSide}`;
    parts.push(mark(kind, placeOf(handed, ends), written(handed)));
  }
  return parts;
}

/**
 * On which side of its place each of two values on one row is written, where they are close.
 * @type {(one: Known, other: Known, ends: Ends) => [one: string, other: string]}
 */
function sidesOf(one, other, ends) {
  if (one === null || other === null) return ["", ""];
  const apart = placeOf(one, ends) - placeOf(other, ends);
  if (Math.abs(apart) > CLOSE) return ["", ""];
  return apart < 0 ? [" abviz-before", " abviz-after"] : [" abviz-after", " abviz-before"];
}

/**
 * What a value in the zone does at the node.
 * @param {string} zone
 * @param {TreeNode} node
 */
const effectOf = (zone, { isMax }) => EFFECTS[zone][isMax ? 0 : 1];

/**
 * @param {TreeNode} node
 * @param {NodeState} state
 * @param {Landing | null} landed
 * @param {Written} written
 */
function describe(node, { alpha, beta, bv }, landed, written) {
  const bounds = alpha === null ? "no bounds" : `α ${written(alpha)}, β ${written(beta)}`;
  const best = bv === null ? "" : `, ${lettered("bv")} ${written(bv)}`;
  let falls = "";
  if (landed) {
    const effect = effectOf(landed.zone, node);
    falls = `; ${written(landed.value)} came up, ${lettered("bv")} falls into the zone “${effect}”`;
  }
  return `Number line: ${bounds}${best}${falls}`;
}
