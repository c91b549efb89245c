// Trees as text. All formats are read, but of YAML only what is written here, with the line and the path in every error.
// What is pasted, or stands in an address, comes from strangers: it is read here and never evaluated.

import { LOOKS, NOTATIONS } from "./data.js";
import { named, treeOf } from "./edit.js";
import { machine, typed } from "./numbers.js";
import { player, shorten } from "./words.js";

const IN_QUOTES = /"(?:[^"\\]|\\.)*"?/g; // also where the last quote is missing
const TOKEN = /\s*(?:([[\]{},:])|("(?:[^"\\]|\\.)*"?|[^\s[\]{},:"]+))/g;
const INFINITIES = { ".inf": Infinity, "+.inf": Infinity, "-.inf": -Infinity, Infinity, "-Infinity": -Infinity };
const OWN_YAML = /^(title|source|to_move): "/;
const HEAD = ["title", "source", "note", "notes", "to_move", "root", "tree"];
const LONG_FORM = ["children", "to_move", "value"];
const NUMBER = "a number up to 1.8e308 without quotes, .inf for a win, or null where it is not known";
const MOST_TEXT = 100_000; // characters

// ------------------------------------------------------------------ reading

/** Return the tree of the text of a tree file in JSON, or of a nested list, also as other programs write it. */
export function readTree(text) {
  if (text.length > MOST_TEXT) throw new Error(`a text of ${text.length} characters; expected at most ${MOST_TEXT}`);
  const content = parse(rewritten(OWN_YAML.test(text) ? ofYaml(text) : text));
  if (content.items && !content.isMapping) return build(content, true);
  const head = content.items ? byKey(content, HEAD) : {};
  if (!head.tree) refuse(content, "a mapping with the key tree, or a nested list");
  const texts = {};
  for (const name of ["title", "source", "root"]) {
    if (head[name] && typeof head[name].value !== "string") refuse(head[name], `${name} to be text`);
    texts[name] = head[name]?.value;
  }
  return build({ ...head.tree, name: texts.root }, head.to_move ? isMaxOf(head.to_move) : true, texts);
}

/** The YAML that `writeTree` writes as JSON: on each line a key and its value. */
const ofYaml = (text) => `{${text.trimEnd().replace(/\n(?=\w+: )/g, ",\n").replace(/^(\w+):/gm, '"$1":')}}`;

/** The text in the notation of another program as JSON. */
function rewritten(text) {
  const notation = NOTATIONS.find(({ starts }) => new RegExp(`^${starts}`).test(text));
  if (!notation) return text;
  const names = text.match(IN_QUOTES) ?? [];
  const rewrite = (now, [pattern, into]) => now.replace(new RegExp(pattern, "g"), into);
  return notation.rewrites.reduce(rewrite, text.replace(IN_QUOTES, '""')).replace(/""/g, () => names.shift());
}

/** The content of the text: {items, isMapping} for a group, {value} for a scalar; with its line, and its name. */
function parse(text) {
  let line = 1;
  const tokens = [...text.trimEnd().matchAll(TOKEN)].map(([whole, mark, word]) => {
    line += whole.split("\n").length - 1;
    return { line, mark, text: mark ?? word, value: mark ? undefined : valueOf(word) };
  });
  tokens.push({ line, mark: "end", text: "the end of the text" });
  let at = 0;
  const take = (mark, expected) => (tokens[at].mark === mark ? tokens[at++] : refuse(tokens[at], expected));
  const content = (level) => {
    const token = tokens[at++];
    if (!token.mark) return token;
    const end = { "[": "]", "{": "}" }[token.mark];
    const expected = `JSON or a nested list of at most ${LOOKS.mostLevels} levels`;
    if (!end || level > 2 * LOOKS.mostLevels) refuse(token, expected);
    const group = { line: token.line, items: [], isMapping: end === "}" };
    while (tokens[at].mark !== end) {
      if (group.items.length) take(",", `a comma or ${end}`);
      const name = group.isMapping ? tokens[at++] : {};
      if (group.isMapping && typeof name.value !== "string") refuse(name, "a name in quotes");
      if (group.isMapping) take(":", "a colon");
      group.items.push({ ...content(level + 1), name: name.value });
    }
    at += 1;
    return group;
  };
  const all = content(1);
  take("end", "the end of the text");
  return all;
}

/** The text in quotes, the number, or null; undefined for anything else. */
function valueOf(word) {
  if (word === "null") return null;
  if (Object.hasOwn(INFINITIES, word)) return INFINITIES[word];
  if (word[0] !== '"') return /^[-+.\de]+$/i.test(word) ? typed(word) : undefined;
  try {
    return JSON.parse(word);
  } catch {
    return undefined;
  }
}

/** Say where something else was expected. */
function refuse({ line, text = "", mark, items, isMapping }, expected, path) {
  let found = mark === "end" ? text : `“${shorten(text, 40)}”`;
  if (items) found = isMapping ? "a mapping" : "a list";
  const place = path === undefined ? "" : `, at ${path || "the root"}`;
  throw new Error(`line ${line}${place}: found ${found}; expected ${expected}`);
}

function byKey({ items }, legal, path) {
  const entries = {};
  for (const each of items) {
    const isKey = legal.includes(each.name) && !entries[each.name];
    if (!isKey) refuse({ line: each.line, text: each.name }, `each of ${legal.join(", ")} at most once`, path);
    entries[each.name] = each;
  }
  return entries;
}

/** The tree of the content, named. */
function build(content, isRootMax, texts) {
  let nodes = 0;
  const names = new Set();
  const item = (part, side, path, level) => {
    const { line, name, isMapping, items } = part;
    nodes += 1;
    const isTooLarge = nodes > LOOKS.mostNodes || level > LOOKS.mostLevels;
    if (isTooLarge) refuse(part, `at most ${LOOKS.mostNodes} nodes in ${LOOKS.mostLevels} levels`, path);
    if (name === "" || names.has(name)) refuse({ line, text: name }, "a name that no other node has", path);
    if (name) names.add(name);
    const isLong = isMapping && items.some((each) => each.name === "children");
    const long = isLong ? byKey(part, LONG_FORM, path) : { children: part, value: items ? undefined : part };
    const children = long.children.items;
    const isEmpty = children ? !children.length : isLong;
    if (isEmpty) refuse(long.children, "a list or a mapping of one or more children; a leaf is a number", path);
    const isMax = long.to_move ? isMaxOf(long.to_move, path) : side;
    const { value = null } = long.value ?? {};
    if (long.value && (long.value.value === undefined || typeof value === "string")) refuse(long.value, NUMBER, path);
    const below = (child, place) => item(child, !isMax, path ? `${path}.${place}` : `${place}`, level + 1);
    return { name: name ?? "", isMax, value, children: (children ?? []).map(below) };
  };
  return treeOf(named(item(content, isRootMax, "", 1)), texts);
}

function isMaxOf(content, path) {
  const side = String(content.value).toLowerCase();
  return ["max", "min"].includes(side) ? side === "max" : refuse(content, "to_move to be max or min", path);
}

// ------------------------------------------------------------------ writing

// The formats that have no players, and but for SML no names: how they write a leaf, and a node with children.
const BARE = {
  "nested list": [(value) => value, (children) => `[${children.join(", ")}]`],
  parentheses: [(value) => `(${value})`, (children) => `(${children.join("")})`],
  SML: [
    (value, name) => `ExplicitGame.State.Esti(${name},${value.replace("-", "~")})`,
    (children, name) => `ExplicitGame.State.Node(${name},[${children.join(",")}])`,
  ],
};
export const FORMATS = ["YAML", "JSON", ...Object.keys(BARE)];

/** A warning of what the format has no room for, or "". */
export function warning(format, { nodes, title }) {
  if (!BARE[format]) return "";
  const isWhole = ({ children, value }) => children.length || /^-?\d+$/.test(machine(value));
  const lost = [
    format !== "SML" && "names",
    title && "the title",
    nodes.some(({ isMax, level }) => isMax !== (level % 2 === 0)) && "who moves",
    nodes.some(({ children, value }) => children.length && value !== null) && "the values of inner nodes",
  ].filter(Boolean);
  const unfit = format === "SML" && !nodes.every(isWhole) && "SML’s gameTree has whole numbers only.";
  return [lost.length && `Lost in this copy: ${lost.join(", ")}.`, unfit].filter(Boolean).join(" ");
}

/** The tree as text, in one of the formats. */
export function writeTree(tree, format) {
  const { nodes, title, source } = tree;
  const number = (value) => machine(value).replace("inf", format === "YAML" ? ".inf" : "Infinity") || "null";
  const [leaf, inner] = BARE[format] ?? [(value) => value];
  const below = (index) => {
    const { children, value, isMax, parent, name } = nodes[index];
    if (!children.length) return leaf(number(value), JSON.stringify(name));
    if (inner) return inner(children.map(below), JSON.stringify(name));
    const content = `{${children.map((child) => `${JSON.stringify(nodes[child].name)}: ${below(child)}`).join(", ")}}`;
    const parts = [];
    if (nodes[parent]?.isMax === isMax) parts.push(`"to_move": "${sideOf(nodes[index])}"`);
    if (value !== null) parts.push(`"value": ${number(value)}`);
    const isMistaken = children.some((child) => nodes[child].name === "children"); // it would be read as the key
    return parts.length || isMistaken ? `{${[...parts, `"children": ${content}`].join(", ")}}` : content;
  };
  if (inner) return below(0);
  const head = { ...(title && { title }), ...(source && { source }), to_move: sideOf(nodes[0]), root: nodes[0].name };
  const entries = [...Object.entries(head).map(([key, text]) => [key, JSON.stringify(text)]), ["tree", below(0)]];
  if (format === "YAML") return entries.map(([key, text]) => `${key}: ${text}\n`).join("");
  return `{${entries.map(([key, text]) => `"${key}": ${text}`).join(", ")}}`;
}

const sideOf = (node) => player(node).toLowerCase();
