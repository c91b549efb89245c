// The address of a step, and what it says of the tree and the search that are shown.

import { completed } from "./core/edit.js";
import { readTree, writeTree } from "./core/formats.js";
import { isSameSearch } from "./core/trace.js";

/**
 * The address of the step, with what has been changed; `on=2` stands for the second tree of the
 * page.
 */
export function address(page) {
  const number = steppers().indexOf(page.root) + 1;
  const parts = [...(number > 1 ? [`on=${number}`] : []), `step=${page.step}`, ...changesOf(page)];
  return `${location.href.split("#")[0]}#${parts.join("&")}`;
}

/** The parts of an address that say what differs from the page's own tree, search and rules. */
export function changesOf({ trace, original, isOwnTree, tree }) {
  const rules = Object.keys(trace.rules).filter((name) => trace.rules[name]);
  const isOwnSearch = isSameSearch(trace.options, original.options);
  const parts = isOwnSearch ? [] : [`search=${trace.search}`, `rules=${rules}`];
  if (trace.depth !== original.depth) parts.push(`depth=${trace.depth ?? ""}`);
  return isOwnTree ? parts : [...parts, `tree=${encodeURIComponent(writeTree(tree, "JSON"))}`];
}

export const steppers = () => [...document.querySelectorAll(".abviz-stepper")];

/**
 * The stepper that the address is for: the first, unless it names another; undefined where there is
 * no such.
 */
export function askedStepper(hash) {
  return steppers()[(new URLSearchParams(hash.slice(1)).get("on") ?? 1) - 1];
}

/** Open what the address asks for; return why it cannot be opened, or "". */
export function openAddress(page, hash) {
  const asked = new URLSearchParams(hash.slice(1));
  try {
    if (!askedStepper(hash)) throw new Error(`there is no tree ${asked.get("on")} on this page`);
    if (["tree", "search", "rules"].some((name) => asked.has(name))) openChanges(page, asked);
    const step = Number(asked.get("step") ?? page.step);
    if (!(step in page.trace.places))
      throw new Error(`there is no step ${step}; expected 0 to ${page.trace.length}`);
    page.go(step);
    return "";
  } catch (problem) {
    const shown = page.isOwnTree ? "the page’s own tree" : "the tree of the address";
    return `The address does not fit: ${problem.message}. This is ${shown}.`;
  }
}

/** Show the tree, the search and the rules that are asked for, all of them or none. */
function openChanges(page, asked) {
  const { editor, tree, trace } = page;
  if (editor.locked) return void page.send({ type: "compare" });
  const search = asked.get("search") ?? trace.search;
  const names = Object.keys(trace.rules);
  const on =
    asked.get("rules")?.split(",").filter(Boolean) ?? names.filter((name) => trace.rules[name]);
  const wrong =
    on.find((name) => !names.includes(name)) ??
    (["alphabeta", "minimax"].includes(search) ? "" : search);
  if (wrong) throw new Error(`there is no search or rule ${wrong}`);
  const rules = Object.fromEntries(names.map((name) => [name, on.includes(name)]));
  const more = search === trace.search ? trace.options : {};
  const depth = asked.has("depth") ? Number(asked.get("depth")) || null : trace.depth;
  const next = asked.has("tree")
    ? editor.known(completed(readTree(asked.get("tree")), page.original.tree))
    : tree;
  if (!editor.to(next, { ...more, search, rules, depth }))
    throw new Error(page.problem.textContent);
}
