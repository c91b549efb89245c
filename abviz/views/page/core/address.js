// The address of a step: what it says of the tree and the search that are shown, and what such an
// address asks for.

import { completed } from "./edit.js";
import { readTree, writeTree } from "./formats.js";
import { isSameSearch, isSameTree } from "./trace.js";

const SEARCHES = ["alphabeta", "minimax"];

/** Whether the tree is the page's own, but for the values of its leaves. */
export const isOwnShape = ({ tree }, { tree: own }) =>
  tree.title === own.title && tree.shape === own.shape;

/** Whether the tree is the page's own. */
export const isOwnTree = (shown, original) =>
  isOwnShape(shown, original) && isSameTree(shown.tree, original.tree);

/**
 * The part of the address after "#": the step, with what has been changed. `number` is that of the
 * tree on its page; the first needs none.
 */
export function hashOf({ trace, original, step, number }) {
  const parts = [`step=${step}`, ...changesOf(trace, original)];
  if (number > 1) parts.unshift(`on=${number}`);
  return `#${parts.join("&")}`;
}

/** The parts of an address that say what differs from the page's own tree, search and rules. */
export function changesOf(shown, original) {
  const parts = [];
  if (!isSameSearch(shown.options, original.options)) {
    const rules = Object.keys(shown.rules).filter((name) => shown.rules[name]);
    parts.push(`search=${shown.search}`, `rules=${rules}`);
  }
  if (shown.depth !== original.depth) parts.push(`depth=${shown.depth ?? ""}`);
  if (!isOwnTree(shown, original)) {
    parts.push(`tree=${encodeURIComponent(writeTree(shown.tree, "JSON"))}`);
  }
  return parts;
}

/** The number of the tree for which the address is. */
export const numberAsked = (hash) => Number(partsOf(hash).get("on") ?? 1);

/**
 * What the address asks for: another tree or search, or null where it names none; and the step,
 * undefined where it names none. Raise an error where it cannot be read.
 *
 * @param {string} hash
 * @param {object} page
 * @param {object} page.trace what is shown
 * @param {object} page.original
 * @param {(tree: object) => object} page.known the tree with what is written about it elsewhere
 */
export function readAddress(hash, { trace, original, known }) {
  const asked = partsOf(hash);
  const step = asked.has("step") ? Number(asked.get("step")) : undefined;
  if (!["tree", "search", "rules", "depth"].some((name) => asked.has(name))) {
    return { changes: null, step };
  }

  let { tree } = trace;
  if (asked.has("tree")) {
    tree = known(completed(readTree(asked.get("tree")), original.tree));
  }
  return { changes: { tree, options: optionsAsked(asked, trace) }, step };
}

function optionsAsked(
  asked,
  { search: shownSearch, rules: shownRules, depth: shownDepth, options },
) {
  const search = asked.get("search") ?? shownSearch;
  const names = Object.keys(shownRules);
  const on = asked.has("rules")
    ? asked.get("rules").split(",").filter(Boolean)
    : names.filter((name) => shownRules[name]);

  const isKnownSearch = search === shownSearch || SEARCHES.includes(search);
  const unknown = on.find((name) => !names.includes(name)) ?? (isKnownSearch ? "" : search);
  if (unknown) throw new Error(`there is no search or rule ${unknown}`);

  const more = search === shownSearch ? options : {};
  const rules = Object.fromEntries(names.map((name) => [name, on.includes(name)]));
  const depth = asked.has("depth") ? Number(asked.get("depth")) || null : shownDepth;
  return { ...more, search, rules, depth };
}

const partsOf = (hash) => new URLSearchParams(hash.slice(1));
