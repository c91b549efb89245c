// Text to lists, tuples, mappings and scalars, in the notations of abviz/tree/notations.py, without YAML and DOT.
// What is pasted, or stands in an address, comes from strangers: it is read here and never evaluated.

import { LOOKS } from "./data.js";
import { typed } from "./numbers.js";
import { shorten } from "./words.js";

/** @import { Known } from "./numbers.js" */

/**
 * A part of a text: a group, which has items, a scalar, which has a value, or a mark between them.
 *
 * @typedef {object} Part
 * @property {number} line
 * @property {string} [text]
 * @property {Known | string} [value]
 * @property {string} [mark]
 * @property {boolean} [isFirst] whether it is the first of its line
 * @property {Part[]} [items]
 * @property {boolean} [isMapping]
 * @property {boolean} [isTuple]
 * @property {boolean} [isAlone] a scalar in parentheses of its own
 * @property {string} [key] of an item of a mapping
 * @property {number} [keyLine]
 *
 * What the notes after a list say.
 * @typedef {object} Notes
 * @property {boolean} [isMax] whether MAX is to move at the root
 * @property {string[]} again the nodes at which the same player moves again
 * @property {Map<string, Known | string>} values the static values of inner nodes
 */

const READ =
  "the page reads JSON with tree or with name, children and value, nested lists and tuples, (max (min 6 8) 5), and a " +
  "mapping from each node to its children; Python reads YAML and DOT, too";

const IS_DOT =
  /^(?:\s|\/\/[^\n]*\n|\/\*(?:[^*]|\*(?!\/))*\*\/|#[^\n]*\n)*(?:strict\s+)?(?:di)?graph\b[^={:]*\{/i;

const IN_WORD = "[^\\x00-\\x20\\x7f-\\xa0\\u2028\\u2029\\ufeff[\\]{}(),:;=\"'#]";
const SPACE = "((?:[ \\t\\r\\n]|(?<![^ \\t\\r\\n[\\]{}(),])#[^\\n]*)*)";
const MARK = `([[\\]{}(),;=]|:(?!${IN_WORD})|(?<=["']):)`;
const QUOTED = `("(?:[^"\\\\\\n]|\\\\[^])*"|'[^'\\\\\\x00-\\x1f\\x7f-\\x9f\\u2028\\u2029]*')`;
const WORD = `((?:${IN_WORD}|:(?=${IN_WORD}))+)`;
const TOKEN = new RegExp(`${SPACE}(?:${MARK}|${QUOTED}|${WORD}|$|([^]))`, "g");

/** So begin YAML's signs, which are no words. */
const NO_WORD = /^(?:-(?:[-?]|$)|[&*!|>%@`]|\?[^])/;
/** @type {Record<string, string>} */
const CLOSES = { "[": "]", "{": "}", "(": ")" };

/**
 * Say where something else was expected.
 * @param {Part} found
 * @param {string} expected
 * @param {string} [path]
 * @returns {never}
 */
export function refuse({ line, text = "", mark, items, isMapping }, expected, path) {
  let found = mark === "end" ? text : `“${shorten(text, 40)}”`;
  if (items) found = isMapping ? "a mapping" : "a list";
  const place = path === undefined ? "" : `, at ${path || "the root"}`;
  throw new Error(`line ${line}${place}: found ${found}; expected ${expected}`);
}

/**
 * @param {Part} token
 * @param {string} expected
 * @returns {never}
 */
function unreadable(token, expected) {
  return refuse(token, `${expected}; ${READ}`);
}

/**
 * What the text holds, as groups and scalars.
 * @param {string} text
 */
export function readText(text) {
  if (IS_DOT.test(text)) {
    throw new Error(
      "DOT is read in Python only, by load and by the command; expected a list, or JSON",
    );
  }
  const tokens = tokensOf(text);
  const isLisp = !tokens.some(({ mark }) => mark === "," || mark === "[" || mark === "{");
  let at = 0;

  /**
   * The parts between commas, up to the mark that closes the group.
   * @type {(closing: string, level: number) => Part[][]}
   */
  const partsUpTo = (closing, level) => {
    /** @type {Part[]} */
    let part = [];
    const parts = [part];
    const begin = () => parts.push((part = []));

    for (;;) {
      const token = tokens[at++];
      const { mark } = token;
      const next = tokens[at]?.mark;
      const isSign = next === ":" || next === "=";
      if (closing === "end" && token.isFirst && !mark && isSign && part.length) begin();

      if (mark === closing) return parts;
      if (!mark) part.push(token);
      else if (CLOSES[mark]) part.push(group(token, mark, level + 1));
      else if (mark === "," && closing !== "end") begin();
      else if (mark === ":" || (mark === "=" && closing === "end")) part.push(token);
      else unreadable(token, closing === "end" ? "a list, or JSON" : `a comma or ${closing}`);
    }
  };

  /** @type {(token: Part, mark: string, level: number) => Part} */
  const group = (token, mark, level) => {
    if (level > 2 * LOOKS.mostLevels) refuse(token, `at most ${LOOKS.mostLevels} levels`);
    const { line } = token;
    const parts = partsUpTo(CLOSES[mark], level);
    const hasCommas = parts.length > 1;
    // nothing, or a comma before the bracket
    if (!parts[parts.length - 1].length) parts.pop();

    if (mark === "{") return mapping(parts, token);
    if (mark === "[") {
      /** @param {Part[]} part */
      const item = (part) => (part.length > 1 ? mapping([part], token) : only(part, token)); // [B: 3] names it
      return { line, items: parts.map(item) };
    }
    if (isLisp) return lispList(parts[0] ?? [], token);
    const items = parts.map((part) => only(part, token));
    return items.length === 1 && !hasCommas ? items[0] : { line, items, isTuple: true };
  };

  return whole(partsUpTo("end", 0));
}

/** @param {string} text */
function tokensOf(text) {
  let line = 1;
  /** @type {Part[]} */
  const tokens = [];
  for (const match of text.matchAll(TOKEN)) {
    const [, space, mark, quoted, word, other] = match;
    line += space.split("\n").length - 1;
    const found = mark ?? quoted ?? word ?? other;
    if (found === undefined) break;

    const start = match.index + space.length;
    const isFirst = !start || text[start - 1] === "\n";
    const token = { line, mark, text: found, isFirst };
    if (other || NO_WORD.test(word ?? "")) unreadable(token, "a name in quotes, or a number");
    if (mark) tokens.push(token);
    else tokens.push({ ...token, ...(quoted ? inQuotes(token) : { value: scalarOf(word) }) });
  }

  let last = tokens.length;
  while (tokens[last - 1]?.mark === ";") last -= 1;
  if (Object.values(CLOSES).includes(tokens[last - 1]?.mark ?? "")) tokens.length = last;
  return [...tokens, { line, mark: "end", text: "the end of the text" }];
}

/** @param {{line: number, text: string}} token */
function inQuotes(token) {
  try {
    const text = token.text[0] === '"' ? JSON.parse(token.text) : token.text.slice(1, -1);
    if (!/\p{Cs}/u.test(text)) return { text, value: text };
  } catch {
    // said below
  }
  return unreadable(token, "text in quotes as in JSON");
}

/**
 * A number, or null; anything else is text.
 * @param {string} word
 */
function scalarOf(word) {
  if (["~", "null", "Null", "NULL"].includes(word)) return null;
  if (/^0(o[0-7]+|x[\da-fA-F]+)$/.test(word)) return Number(word);
  const value = typed(word.replace(/^([-+−–]?)\.inf$/i, "$1inf"));
  return value === undefined ? word : value;
}

/**
 * @param {Part[]} part
 * @param {Part} token
 */
function only(part, token) {
  if (part.length !== 1 || part[0].mark)
    unreadable(part[1] ?? part[0] ?? token, "a comma between two items");
  return part[0];
}

/**
 * A mapping of entries, each a name, a sign and what it stands for.
 * @param {Part[][]} parts
 * @param {Part} token
 * @param {string[]} signs
 */
function mapping(parts, { line }, signs = [":"]) {
  const keys = new Set();
  const items = parts.map((part) => {
    /** @type {Part[]} */
    const [key = { line }, sign = key, content = sign] = part;
    const hasSign = sign.mark !== undefined && signs.includes(sign.mark);
    const isEntry = part.length === 3 && !key.mark && !content.mark && hasSign;
    if (!isEntry) unreadable(part[3] ?? content, "a name, a colon and a value");
    if (key.items || (key.text === "?" && key.value === null)) refuse(key, "a name");
    if (keys.has(key.text)) refuse(key, "each name once");
    keys.add(key.text);
    return { ...content, key: key.text, keyLine: key.line };
  });
  return { line, items, isMapping: true };
}

/**
 * A list without commas: one number in parentheses is a leaf, and max or min says who moves.
 * @param {Part[]} items
 * @param {Part} token
 * @returns {Part}
 */
function lispList(items, token) {
  const { line } = token;
  const [first = token] = items;
  const wrong = items.length ? items.find(({ mark }) => mark) : token;
  if (wrong) unreadable(wrong, "a number or a list");
  if (items.length === 1 && !first.items && !first.isAlone) return { ...first, isAlone: true };

  const player = first.text?.toLowerCase();
  const saysWho = player === "max" || player === "min";
  if (items.length === 1 || first.items || !saysWho) return { line, items };
  const children = { line, items: items.slice(1), key: "children" };
  return {
    line,
    items: [{ line, text: player, value: player, key: "to_move" }, children],
    isMapping: true,
  };
}

/** @param {Part[][]} parts */
function whole(parts) {
  /** @type {Part[][]} */
  const [[first = { line: 1, mark: "end", text: "nothing" }]] = parts;
  if (parts.length === 1 && parts[0].length === 1) {
    if (!first.items) unreadable(first, "a list, or JSON");
    return first;
  }

  const content = mapping(parts, first, [":", "="]);
  const assigned = content.items.filter((_, place) => parts[place][1].mark === "=");
  if (parts.length === 1 && assigned.length && assigned[0].items) {
    const { key, keyLine, ...value } = assigned[0];
    return value;
  }
  const isListed = assigned.length < parts.length && !assigned.some(({ items }) => items);
  if (assigned.length && !isListed)
    unreadable(first, "one tree after =, or lines such as r: [p, q] and p = 6");
  return content;
}

// ------------------------------------------------------------------ notes after a list

const NAMED = "[^ \\t\\r\\n,]+";
const AGAIN = new RegExp(`^the same player moves again at (${NAMED}(?:, ${NAMED})*)$`);
const STATIC = new RegExp(`^static values: (${NAMED} at ${NAMED}(?:, ${NAMED} at ${NAMED})*)$`);

/**
 * The text without the notes in parentheses after its list, as messages write them, and what these say.
 * @param {string} text
 * @returns {[text: string, notes?: Notes]}
 */
export function splitNotes(text) {
  const [, list, all = ""] = text.match(/^([^]*\])[ \t\r\n]*\(([^()[\]{}"'#]*)\)[ \t\r\n]*$/) ?? [];
  /** @type {Notes} */
  const notes = { again: [], values: new Map() };
  for (const each of list ? all.split(";") : []) {
    const note = each.replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, "");
    const [, player] = note.match(/^(MAX|MIN) to move$/) ?? [];
    const [, again] = note.match(AGAIN) ?? [];
    const [, values] = note.match(STATIC) ?? [];
    if (player) notes.isMax = player === "MAX";
    else if (again) notes.again.push(...again.split(", "));
    else if (!values) return [text];
    for (const one of values?.split(", ") ?? []) {
      const [value, name] = one.split(" at ");
      notes.values.set(name, scalarOf(value));
    }
  }
  return list ? [list, notes] : [text];
}
