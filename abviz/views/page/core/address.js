// The address of a step: what it says of the tree and the search that are shown, and what such an
// address asks for.

import { completed } from "./edit.js";
import { readTree, writeTree } from "./formats.js";
import { lettersInUse } from "./letters.js";
import { PARTS, SHOWS } from "./levels.js";
import { isSameSearch, isSameTree } from "./trace.js";

/** @import { Part, Show } from "./levels.js" */
/** @import { Rules, SearchOptions } from "./search.js" */
/** @import { Trace, Tree } from "./trace.js" */

/**
 * What an address asks for: another tree or search, or null where it names none; and the step and
 * the level, undefined where it names none.
 *
 * @typedef {object} Asked
 * @property {{tree: Tree, options: SearchOptions} | null} changes
 * @property {number} [step]
 * @property {Show} [show]
 */

const SEARCHES = ["alphabeta", "minimax"];
const HISTORY = "history";

/**
 * Whether the tree is the page's own, but for the values of its leaves.
 * @type {(shown: Trace, original: Trace) => boolean}
 */
export const isOwnShape = ({ tree }, { tree: own }) =>
  tree.title === own.title && tree.shape === own.shape;

/**
 * Whether the tree is the page's own.
 * @type {(shown: Trace, original: Trace) => boolean}
 */
export const isOwnTree = (shown, original) =>
  isOwnShape(shown, original) && isSameTree(shown.tree, original.tree);

/**
 * The part of the address after "#": the step, with what has been changed. `number` is that of the
 * tree on its page; the first needs none.
 * @param {{trace: Trace, original: Trace, step: number, number: number} & Levels} page
 */
export function hashOf({ trace, original, step, number, show, shownFirst }) {
  const parts = [
    `step=${step}`,
    ...changesOf(trace, original),
    ...levelChosen({ show, shownFirst }),
  ];
  if (lettersInUse() !== "bv") parts.push(`letters=${lettersInUse()}`);
  if (number > 1) parts.unshift(`on=${number}`);
  return `#${parts.join("&")}`;
}

/**
 * The level that is shown, and the one with which the page opens.
 * @typedef {{show: Show, shownFirst: Show}} Levels
 *
 * The part of an address that says which level the reader has chosen, if another than the page's.
 * @param {Levels} levels
 */
export const levelChosen = ({ show, shownFirst }) => (show === shownFirst ? [] : [`show=${show}`]);

/**
 * What the reader has opened by hand, or closed, whatever the level shows.
 * @typedef {{parts: Partial<Record<Part, boolean>>, hasHistory: boolean}} Opened
 *
 * The part of a record that says so: "open=code,-line".
 * @param {Opened} opened
 */
export function openedByHand({ parts, hasHistory }) {
  const names = Object.entries(parts).map(([part, isOpen]) => (isOpen ? part : `-${part}`));
  if (hasHistory) names.push(HISTORY);
  return names.length ? [`open=${names.join(",")}`] : [];
}

/**
 * What a record says of that.
 * @param {string} record
 * @returns {Opened}
 */
export function readOpened(record) {
  const names = partsOf(record).get("open")?.split(",") ?? [];
  /** @type {Opened["parts"]} */
  const parts = {};
  for (const part of PARTS) {
    if (names.includes(part)) parts[part] = true;
    if (names.includes(`-${part}`)) parts[part] = false;
  }
  return { parts, hasHistory: names.includes(HISTORY) };
}

/**
 * The parts of an address that say what differs from the page's own tree, search and rules.
 * @type {(shown: Trace, original: Trace) => string[]}
 */
export function changesOf(shown, original) {
  /** @type {string[]} */
  const parts = [];
  if (!isSameSearch(shown.options, original.options)) {
    const rules = rulesOn(shown);
    parts.push(`search=${shown.search}`, `rules=${rules}`);
  }
  if (shown.depth !== original.depth) parts.push(`depth=${shown.depth ?? ""}`);
  if (!isOwnTree(shown, original)) {
    parts.push(`tree=${encodeURIComponent(writeTree(shown.tree, "JSON"))}`);
  }
  return parts;
}

/** What an address can say of a tree. */
const ABOUT_TREES = ["on", "step", "show", "tree", "search", "rules", "depth"];

/**
 * Whether the address is for a tree, and not for another part of the page.
 * @param {string} hash
 */
export function isForTree(hash) {
  const parts = partsOf(hash);
  return hash.includes("=") && ABOUT_TREES.some((name) => parts.has(name));
}

/**
 * The number of the tree for which the address is.
 * @param {string} hash
 */
export const numberAsked = (hash) => Number(partsOf(hash).get("on") ?? 1);

/**
 * What the address asks for. Raise an error where it cannot be read.
 *
 * @param {string} hash
 * @param {object} page
 * @param {Trace} page.trace what is shown
 * @param {Trace} page.original
 * @param {(tree: Tree) => Tree} page.known the tree with what is written about it elsewhere
 * @returns {Asked}
 */
export function readAddress(hash, { trace, original, known }) {
  const asked = partsOf(hash);
  const text = asked.get("step");
  const step = text === null ? undefined : Number(text);
  const show = levelAsked(asked);
  if (!["tree", "search", "rules", "depth"].some((name) => asked.has(name))) {
    return { changes: null, step, show };
  }

  let { tree } = trace;
  const sent = asked.get("tree");
  if (sent !== null) tree = known(completed(readTree(sent), original.tree));
  return { changes: { tree, options: optionsAsked(asked, trace) }, step, show };
}

/**
 * @param {URLSearchParams} asked
 * @returns {Show | undefined}
 */
function levelAsked(asked) {
  const name = asked.get("show");
  if (name === null) return undefined;
  const level = SHOWS.find((show) => show === name);
  if (level) return level;
  throw new Error(`there is no level ${name}; expected ${SHOWS.join(", ")}`);
}

/** @type {(asked: URLSearchParams, shown: Trace) => SearchOptions} */
function optionsAsked(asked, shown) {
  const search = asked.get("search") ?? shown.search;
  const names = Object.keys(shown.rules);
  const on = asked.get("rules")?.split(",").filter(Boolean) ?? rulesOn(shown);

  const isKnownSearch = search === shown.search || SEARCHES.includes(search);
  const unknown = on.find((name) => !names.includes(name)) ?? (isKnownSearch ? "" : search);
  if (unknown) throw new Error(`there is no search or rule ${unknown}`);

  const more = search === shown.search ? shown.options : {};
  const rules = { ...shown.rules };
  for (const name of namesOf(rules)) rules[name] = on.includes(name);
  const depth = asked.has("depth") ? Number(asked.get("depth")) || null : shown.depth;
  return { ...more, search, rules, depth };
}

/** @type {(shown: Trace) => string[]} */
const rulesOn = ({ rules }) => namesOf(rules).filter((name) => rules[name]);

/** @type {(rules: Rules) => (keyof Rules)[]} */
const namesOf = (rules) => /** @type {(keyof Rules)[]} */ (Object.keys(rules));

/** @param {string} hash */
const partsOf = (hash) => new URLSearchParams(hash.slice(1));
