// Trees as text: JSON and nested lists read, with the line and the path in every error; YAML, JSON and nested lists
// written. What is pasted, or stands in an address, comes from strangers: it is read here and never evaluated.

import { LOOKS } from "./data.js";
import { fromNested, named, treeOf } from "./edit.js";
import { machine, number } from "./numbers.js";
import { shorten } from "./words.js";

const TOKEN = /\s*(?:([[\]{},:])|"((?:[^"\\]|\\.)*)"|([^\s[\]{},:"]+))/gy;
const END = "end"; // of the text
const NUMBER = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/;
const INFINITIES = { ".inf": Infinity, "+.inf": Infinity, "-.inf": -Infinity, Infinity, "-Infinity": -Infinity };
const HEAD = ["title", "source", "note", "notes", "to_move", "root", "tree"];
const LONG_FORM = ["children", "to_move", "value"];
const MOST_TEXT = 100_000; // characters

export class BadTree extends Error {
  /** What is wrong with the part of the text on that line, at the node of that path. */
  constructor(problem, { line } = {}, path) {
    const place = path === undefined ? "" : `at ${path || "the root"}: `;
    super(`${line === undefined ? "" : `line ${line}: `}${place}${problem}`);
  }
}

// ------------------------------------------------------------------ reading

/** Return the tree of the text of a tree file in JSON, or of a nested list. */
export function readTree(text) {
  if (text.length > MOST_TEXT) throw new BadTree(`a text of ${text.length} characters; expected at most ${MOST_TEXT}`);
  const content = parse(text);
  const expected = "expected a mapping with the key tree, or a nested list";
  if (!content.items) throw new BadTree(`the text holds ${kindOf(content)}; ${expected}`, content);
  if (!content.isMapping) return build(content, "max");
  const { to_move: toMove, root, tree, notes: _, ...texts } = byKey(content, HEAD);
  if (!tree) throw new BadTree("there is no key tree; expected one, with the nodes below it", content);
  for (const each of [...Object.values(texts), ...(root ? [root] : [])]) {
    if (!each.quoted || (each === root && !root.text)) throw new BadTree(`${each.name} is ${kindOf(each)}; expected text`, each);
  }
  tree.name = root?.text;
  const head = Object.fromEntries(Object.values(texts).map(({ name, text }) => [name, text]));
  return build(tree, toMove ? playerOf(toMove) : "max", head);
}

/** The content of the text: {items, isMapping} for a group, {text, quoted} for a scalar; each has its line, and in a
 * mapping its name. */
function parse(text) {
  const tokens = tokensOf(text);
  let at = 0;
  const fail = (token, expected = "JSON or a nested list") => {
    const { mark, text } = token;
    if (mark !== END) throw new BadTree(`found “${shorten(mark ?? text, 20)}”; expected ${expected}`, token);
    const problem = at > 1 ? "the text ends within the tree; expected its closing bracket" : "there is no text; expected a tree";
    throw new BadTree(problem, token);
  };
  const take = (mark, what) => (tokens[at].mark === mark ? tokens[at++] : fail(tokens[at], what));
  const value = (level) => {
    const token = tokens[at++];
    const { mark, line } = token;
    if (mark !== "[" && mark !== "{") return mark ? fail(token) : token;
    if (level > 2 * LOOKS.mostLevels) throw new BadTree(`more than ${LOOKS.mostLevels} levels; expected fewer`, token);
    const group = { items: [], isMapping: mark === "{", line };
    const end = group.isMapping ? "}" : "]";
    while (tokens[at].mark !== end) {
      if (group.items.length) take(",", `a comma or ${end}`);
      const name = group.isMapping ? nameOf(tokens[at++]) : undefined;
      group.items.push({ ...value(level + 1), name });
    }
    at += 1;
    return group;
  };
  const nameOf = (token) => {
    if (!token.quoted) fail(token, "a name in quotes");
    take(":", "a colon");
    return token.text;
  };
  const content = value(1);
  if (tokens[at].mark !== END) fail(tokens[at], "the end of the text");
  return content;
}

/** The text in parts, each with its line: {mark} for a bracket, comma or colon, or {text, quoted}; END comes last. */
function tokensOf(text) {
  const tokens = [];
  let [line, end] = [1, 0];
  for (const [whole, mark, quoted, word] of text.matchAll(TOKEN)) {
    line += whole.split("\n").length - 1;
    end += whole.length;
    tokens.push(mark ? { mark, line } : { text: word ?? unescape(quoted, line), quoted: word === undefined, line });
  }
  const rest = text.slice(end).trim();
  if (rest) throw new BadTree(`found “${shorten(rest, 20)}”; expected JSON or a nested list`, { line });
  return [...tokens, { mark: END, line }];
}

function unescape(text, line) {
  try {
    return JSON.parse(`"${text.replace(/\n/g, "\\n").replace(/\t/g, "\\t")}"`);
  } catch {
    throw new BadTree(`found the text “${shorten(text, 20)}”; expected JSON or a nested list`, { line });
  }
}

function byKey({ items }, legal, path) {
  const entries = {};
  for (const each of items) {
    const { name } = each;
    if (!legal.includes(name)) throw new BadTree(`unknown key ${shorten(name, 40)}: there are ${legal.join(", ")}`, each, path);
    if (Object.hasOwn(entries, name)) throw new BadTree(`the key ${name} is there twice; expected each key once`, each, path);
    entries[name] = each;
  }
  return entries;
}

/** The tree of the content, named; each error says where. */
function build(content, toMove, texts) {
  let nodes = 0;
  const names = new Set();
  const item = (part, player, path, level) => {
    const fail = (problem, at = part) => {
      throw new BadTree(problem, at, path);
    };
    const { name, items, isMapping } = part;
    nodes += 1;
    if (nodes > LOOKS.mostNodes) fail(`the tree grows beyond ${LOOKS.mostNodes} nodes; expected fewer`);
    if (level > LOOKS.mostLevels) fail(`more than ${LOOKS.mostLevels} levels; expected fewer`);
    if (name === "") fail("the name is empty; expected text");
    if (name && names.has(name)) fail(`there is already a node named ${shorten(name, 40)}; expected another name`);
    names.add(name);
    let [turn, own, children] = [player, null, items ?? []];
    if (!items) own = valueOf(part, fail);
    else if (isMapping && items.some((each) => each.name === "children")) {
      const { children: inner, value, to_move: mover } = byKey(part, LONG_FORM, path);
      if (!inner.items) fail(`'children' is ${kindOf(inner)}; expected a list or a mapping`, inner);
      children = inner.items;
      if (value) own = valueOf(value, fail);
      if (mover && mover.text !== "null") turn = playerOf(mover, path);
    }
    if (items && !children.length) fail("an inner node without children; expected one or more (a leaf is a number)");
    const other = turn === "max" ? "min" : "max";
    const below = children.map((child, place) => item(child, other, path ? `${path}.${place}` : `${place}`, level + 1));
    return { name: name ?? "", isMax: turn === "max", value: own, children: below };
  };
  return treeOf(named(item(content, toMove, "", 1)), texts);
}

function valueOf(content, fail) {
  const text = content.quoted || content.items ? null : content.text;
  if (text !== null) {
    if (["null", "~", "Null", "NULL"].includes(text)) return null;
    if (Object.hasOwn(INFINITIES, text)) return INFINITIES[text];
    const value = Number(text) + 0;
    if (/^[-+]?\d+$/.test(text) && text.length < 300) return Number.isSafeInteger(value) ? value : BigInt(text);
    if (NUMBER.test(text) && Number.isFinite(value)) return value;
  }
  const expected = "expected a number up to 1.8e308 without quotes, .inf for a win, or null where it is not known";
  return fail(`the value is ${kindOf(content)}; ${expected}`, content);
}

function playerOf(content, path) {
  if (/^(max|min|MAX|MIN)$/.test(content.text ?? "")) return content.text.toLowerCase();
  throw new BadTree(`to_move is ${kindOf(content)}; expected max or min`, content, path);
}

function kindOf({ items, isMapping, text, quoted }) {
  if (items) return isMapping ? "a mapping" : "a list";
  if (!quoted && text === "null") return "nothing";
  if (!quoted && /^(true|false)$/.test(text)) return `true or false (${text})`;
  return `text (“${shorten(text, 40)}”)`;
}

// ------------------------------------------------------------------ writing

const playerName = (isMax) => (isMax ? "max" : "min");
const written = (value) => (value === null ? "null" : machine(value).replace("inf", ".inf"));
const quote = (name) => (/^[A-Za-z][A-Za-z0-9 _-]*$/.test(name) && !/^(null|true|false|yes|no|on|off|y|n)$/i.test(name) ? name : JSON.stringify(name));

/** What the tree loses as a nested list, in words. */
export function lostAsList({ nodes }) {
  const list = (index) => (nodes[index].children.length ? nodes[index].children.map(list) : nodes[index].value);
  const again = fromNested(list(0)).nodes;
  const parts = { name: "the names of nodes", isMax: "who moves", value: "the values of inner nodes" };
  return Object.keys(parts).filter((key) => nodes.some((node, index) => node[key] !== again[index][key])).map((key) => parts[key]);
}

/** The tree as text, in the format "YAML", "JSON" or "nested list". */
export function writeTree(tree, format) {
  const nested = (index, leaf, group) => {
    const { children, value } = tree.nodes[index];
    return children.length ? group(index, children.map((child) => nested(child, leaf, group))) : leaf(value);
  };
  const json = (value) => written(value).replace(/^(-?)\.inf$/, "$1Infinity");
  const leaf = format === "YAML" ? written : json;
  const longForm = (index, content, name) => {
    const { parent, isMax, value, children } = tree.nodes[index];
    const isMistaken = children.some((child) => tree.nodes[child].name === "children"); // it would be read as the key
    const parts = [];
    if (parent >= 0 && tree.nodes[parent].isMax === isMax) parts.push(`${name("to_move")}: ${name(playerName(isMax))}`);
    if (value !== null) parts.push(`${name("value")}: ${leaf(value)}`);
    return parts.length || isMistaken ? `{${[...parts, `${name("children")}: ${content}`].join(", ")}}` : content;
  };
  const mapping = (name) => (index, contents) => {
    const entries = tree.nodes[index].children.map((child, place) => `${name(tree.nodes[child].name)}: ${contents[place]}`);
    return longForm(index, `{${entries.join(", ")}}`, name);
  };
  if (format === "nested list") return nested(0, leaf, (index, contents) => `[${contents.join(", ")}]`);
  const name = format === "JSON" ? JSON.stringify : quote;
  const { title, source, nodes: [root] } = tree;
  const head = { ...(title && { title }), ...(source && { source }), to_move: playerName(root.isMax), root: root.name };
  const content = nested(0, leaf, mapping(name));
  const lines = Object.entries(head).map(([key, text]) => `${name(key)}: ${JSON.stringify(text)}`);
  lines.push(`${name("tree")}: ${content}`);
  return format === "JSON" ? `{${lines.join(", ")}}` : `${lines.join("\n")}\n`;
}
