// Trees as text: which tree the lists and mappings of a text are, as in abviz/tree/nested.py, and how one is written.

import { LOOKS } from "./data.js";
import { named, treeOf } from "./edit.js";
import { FITTING, isTooLarge, machine } from "./numbers.js";
import { readText, refuse, splitNotes } from "./notations.js";
import { areNamed } from "./trace.js";
import { player, visible } from "./words.js";

/** @import { Item } from "./edit.js" */
/** @import { Known } from "./numbers.js" */
/** @import { Notes, Part } from "./notations.js" */
/** @import { Texts, Tree, TreeNode } from "./trace.js" */

const HEAD = ["title", "source", "note", "notes", "players", "to_move", "root", "tree"];
const TEXTS = ["title", "source", "note", "root"];
const RECORD = ["children", "to_move", "value", "name"];
/** @type {Record<string, boolean>} */
const PLAYERS = { max: true, min: false, MAX: true, MIN: false };
const NUMBER =
  "a number up to 1.8e308 without quotes, .inf for a win, or null where it is not known";
const NODES = "a list or a mapping of 1 to 1,000 children; a leaf is a number";
const MOST_CHILDREN = 1000;

/** In letters, the name of a player and a whole text. */
const LONGEST_PLAYER = 20;
const MOST_TEXT = 100_000;

// ------------------------------------------------------------------ reading

/**
 * The tree of a text.
 * @param {string} text
 */
export function readTree(text) {
  if (text.length > MOST_TEXT)
    throw new Error(`a text of ${text.length} characters; expected at most ${MOST_TEXT}`);
  const [alone, notes] = splitNotes(text);
  const content = readText(alone);
  const hasHead = content.isMapping && byKey(content).has("tree");
  const [root, texts] = hasHead ? fromHead(content) : [build(bare(content)), {}];
  if (notes) annotate(root, notes);
  return treeOf(root, texts);
}

/**
 * The items of a mapping.
 * @param {Part} mapping
 */
const byKey = ({ items = [] }) => new Map(items.map((each) => [each.key, each]));

/** @param {Part} part */
const isText = ({ value }) => typeof value === "string";

/**
 * @param {Part} mapping
 * @param {string[]} legal
 * @param {string} [path]
 */
function checkKeys({ items = [] }, legal, path) {
  const wrong = items.find(({ key }) => key === undefined || !legal.includes(key));
  if (wrong)
    refuse(
      { line: wrong.keyLine ?? wrong.line, text: wrong.key },
      `one of ${legal.join(", ")}`,
      path,
    );
}

/**
 * The root, and the texts, of a mapping with the key tree.
 * @param {Part} content
 * @returns {[root: Item, texts: Texts]}
 */
function fromHead(content) {
  checkKeys(content, HEAD);
  const head = byKey(content);
  const [title, source, , root] = TEXTS.map((key) => {
    const part = head.get(key);
    if (part?.items) refuse(part, `${key} to be text`);
    return part?.text;
  });

  const notes = head.get("notes");
  const isNote = (/** @type {Part} */ { key = "", items }) => /^\p{Nd}+$/u.test(key) && !items;
  const areNotes = notes?.isMapping && notes.items?.every(isNote);
  if (notes && !areNotes) refuse(notes, "texts by step, such as notes: {3: a text}");

  const players = head.get("players");
  const names = players ? playersOf(players) : undefined;

  const side = head.get("to_move");
  const isMax = side === undefined || isMaxOf(side);
  return [build(head.get("tree") ?? content, isMax, root), { title, source, players: names }];
}

/**
 * The names of MAX and MIN.
 * @param {Part} part
 * @returns {[max: string, min: string]}
 */
function playersOf(part) {
  const names = part.isMapping ? [] : (part.items ?? []).map((each) => each.text ?? "");
  const [max, min] = names;
  const areNames = names.every((name) => name.trim() && [...name].length <= LONGEST_PLAYER);
  if (names.length !== 2 || !areNames || max === min)
    refuse(part, "two names, of MAX and of MIN, such as players: [you, o]");
  return [visible(max), visible(min)];
}

/**
 * The content of a text without the key tree.
 * @param {Part} content
 */
function bare(content) {
  const { items = [] } = content;
  const isRoot = namesOne(content) && items[0].isMapping;
  if (!content.isMapping || isRoot || isRecord(content) || isAdjacency(content)) return content;
  const areLists = items.length && items.every((each) => isList(each) && !each.isTuple);
  if (areLists)
    refuse(
      content,
      "the key tree before the children of one root, or names in quotes for the nodes",
    );
  return refuse(content, "the key tree, or a nested list");
}

/**
 * The root of the content, with all that is below it, named.
 * @param {Part} content
 * @param {boolean} isRootMax
 * @param {string} [root]
 */
function build(content, isRootMax = true, root = undefined) {
  let nodes = 0;
  const taken = new Set();

  /** @type {(part: Part, given: string | undefined, isItem: boolean, side: boolean, path: string, level: number) => Item} */
  const item = (part, given, isItem, side, path, level) => {
    nodes += 1;
    const { mostNodes, mostLevels } = LOOKS;
    const isTooLarge = nodes > mostNodes || level > mostLevels;
    if (isTooLarge) refuse(part, `at most ${mostNodes} nodes in ${mostLevels} levels`, path);

    const [name, form] = ownName(part, given, isItem, path);
    const isRefused = name === "" || taken.has(name);
    if (isRefused) refuse({ line: part.line, text: name }, "a name that no other node has", path);
    if (name !== undefined) taken.add(name);

    const { isMax, value, children } = nodeParts(form, side, path);
    const below = children.map((child, at) => {
      const place = path ? `${path}.${at}` : `${at}`;
      return item(child, child.key, child.key === undefined, !isMax, place, level + 1);
    });
    return { name: name ?? "", isMax, value, children: below };
  };

  let [name, top] = [root, content];
  const [first] = content.items ?? [];
  if (isAdjacency(content)) top = fromAdjacency(content);
  else if (root === undefined && namesOne(content) && first.items) {
    top = first;
    name = top.key;
  }
  return named(item(top, name, false, isRootMax, "", 1));
}

/**
 * Whether this is a mapping that gives one node its name.
 * @param {Part} content
 */
const namesOne = (content) =>
  content.isMapping && content.items?.length === 1 && !isRecord(content);

/**
 * Whether the mapping describes one node, and does not name its children.
 * @param {Part} content
 * @param {string} [path]
 */
function isRecord(content, path) {
  const { items, isMapping } = content;
  if (!isMapping || !items) return false;
  if (items.some(({ key }) => key === "children")) return true;
  const isOther = items.some(({ items, key }) => items || (key !== "name" && key !== "value"));
  if (isOther) return false;

  const name = items.find(({ key }) => key === "name");
  if (!name) return items.length === 1;
  if (!isText(name) && items.length === 2) {
    refuse(
      content,
      "a leaf with its name in quotes, or the key children before the leaves name and value",
      path,
    );
  }
  return isText(name);
}

/**
 * The name of the node, also where the content says it, and the content without it.
 * @param {Part} part
 * @param {string | undefined} given
 * @param {boolean} isItem
 * @param {string} path
 * @returns {[name: string | undefined, content: Part]}
 */
function ownName(part, given, isItem, path) {
  const { items = [] } = part;
  const names = [given];
  let form = part;
  if (part.isTuple && items.length === 2 && isText(items[0])) {
    names.push(items[0].text);
    [, form] = items;
  } else if (isItem && namesOne(part)) {
    [form] = items;
    names.push(form.key);
  }

  const name = isRecord(form, path) ? byKey(form).get("name") : undefined;
  if (name && name.value !== null) {
    if (name.items) refuse(name, "a name", path);
    names.push(name.text);
  }

  const [own, other] = new Set(names.filter((each) => each !== undefined));
  if (other !== undefined)
    refuse({ line: part.line, text: other }, `one name, and it is ${own} already`, path);
  return [own, form];
}

/**
 * Whether MAX is to move at the node, its value, and the contents of its children.
 * @param {Part} form
 * @param {boolean} side
 * @param {string} path
 * @returns {{isMax: boolean, value: Known, children: Part[]}}
 */
function nodeParts(form, side, path) {
  const record = isRecord(form, path) ? byKey(form) : null;
  if (record) checkKeys(form, RECORD, path);
  const children = record ? record.get("children") : form;
  const value = record ? record.get("value") : form;

  const isEmpty =
    !children?.items?.length && (!children || children.items || children.value === null);
  const isLeaf = record ? !children || (value && isEmpty) : !form.items;
  const mover = record?.get("to_move");
  if (isLeaf) {
    if (mover) isMaxOf(mover, path);
    return { isMax: side, value: numberIn(value, path), children: [] };
  }

  const items = children?.items ?? [];
  if (!items.length || items.length > MOST_CHILDREN) refuse(children ?? form, NODES, path);
  const isMax = mover ? isMaxOf(mover, path) : side;
  return { isMax, value: record ? numberIn(value, path) : null, children: items };
}

/**
 * @param {Part | undefined} content
 * @param {string} [path]
 */
function numberIn(content, path) {
  if (!content) return null;
  const { value } = content;
  if (value === undefined || typeof value === "string") refuse(content, NUMBER, path);
  if (isTooLarge(value)) refuse(content, FITTING, path);
  return value;
}

/**
 * @param {Part} content
 * @param {string} [path]
 */
function isMaxOf(content, path) {
  const { value } = content;
  const isPlayer = typeof value === "string" && Object.hasOwn(PLAYERS, value);
  return isPlayer ? PLAYERS[value] : refuse(content, "to_move to be max or min", path);
}

// ------------------------------------------------------------------ a mapping of each node to its children

/** @param {Part} part */
const isList = ({ items, isMapping }) => items !== undefined && !isMapping;

/**
 * The items of a list; none of anything else.
 * @param {Part} part
 */
const listed = ({ items = [], isMapping }) => (isMapping ? [] : items);

/**
 * Whether a list in the mapping holds a name.
 * @param {Part} content
 */
function isAdjacency({ items = [], isMapping }) {
  if (!isMapping || items.some(({ key }) => key === "children")) return false;
  return items.some((each) => listed(each).some(isText));
}

/**
 * The root as a pair of its name and what is below it; each node stands once among the children of others.
 * @param {Part} content
 */
function fromAdjacency({ items = [] }) {
  /** @type {Map<string | undefined, Part>} */
  const below = new Map();
  /** @type {Map<string | undefined, string>} */
  const parents = new Map();
  /** @type {(name: string, line: number) => Part} */
  const pair = (name, line) => {
    const named = { line, text: name, value: name };
    return { line, items: [named, below.get(name) ?? named], isTuple: true };
  };

  for (const { key, keyLine, ...each } of items) {
    below.set(key, isList(each) ? { line: each.line, items: [] } : each);
  }

  for (const each of items) {
    const { key, keyLine = each.line } = each;
    if (!key) refuse({ line: keyLine }, "a name that is not empty");
    for (const child of listed(each)) {
      const { text: name = "" } = child;
      if (child.items) refuse(child, "a name or a number");
      if (isText(child)) {
        if (!below.has(name)) refuse(child, `an entry for ${name}, with its value or its children`);
        if (parents.has(name))
          refuse(child, `one parent, and ${parents.get(name)} is the parent of ${name} already`);
        parents.set(name, key);
      } else if (below.has(name)) {
        refuse(child, `names in quotes: this is a value, or the node ${name}`);
      }
      below.get(key)?.items?.push(isText(child) ? pair(name, child.line) : child);
    }
  }

  const roots = items.filter(({ key }) => !parents.has(key));
  const [first, second] = roots;
  if (second) {
    const { keyLine = second.line, key } = second;
    refuse({ line: keyLine, text: key }, `one root, and ${first.key} is nobody’s child, too`);
  }
  const circle = circleIn(parents);
  if (circle !== undefined)
    refuse({ line: items[0].line, text: circle }, `a tree, and ${circle} is below itself`);
  const { key = "", keyLine = first.line } = first;
  return pair(key, keyLine);
}

/**
 * A node that is below itself, if there is one.
 * @param {Map<string | undefined, string>} parents
 */
function circleIn(parents) {
  const known = new Set();
  for (let name of parents.keys()) {
    const path = new Set();
    for (; parents.has(name) && !known.has(name); name = parents.get(name)) {
      known.add(name);
      path.add(name);
    }
    if (path.has(name)) return name;
  }
  return undefined;
}

// ------------------------------------------------------------------ notes after a list

/**
 * Give the nodes the players and the static values of the notes.
 * @param {Item} root
 * @param {Notes} notes
 */
function annotate(root, { isMax = root.isMax, again, values }) {
  const inner = [root];
  for (const { children } of inner)
    inner.push(...children.filter((child) => child.children.length));
  const names = inner.filter(({ children }) => children.length).map(({ name }) => name);
  const unknown = [...again, ...values.keys()].find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw new Error(`the note speaks of ${unknown}; expected an inner node`);

  root.isMax = isMax;
  for (const node of inner) {
    if (values.has(node.name))
      node.value = numberIn({ line: 1, text: node.name, value: values.get(node.name) });
    for (const child of node.children)
      child.isMax = again.includes(child.name) ? node.isMax : !node.isMax;
  }
}

// ------------------------------------------------------------------ writing

// The formats that have no players and no names: how they write a leaf, and a node with children.
/** @type {Record<string, [leaf: (value: string) => string, inner: (children: string[]) => string]>} */
const BARE = {
  "nested list": [(value) => value, (children) => `[${children.join(", ")}]`],
  parentheses: [(value) => `(${value})`, (children) => `(${children.join("")})`],
};
export const FORMATS = ["YAML", "JSON", ...Object.keys(BARE)];

/**
 * A warning of what the format has no room for, or "".
 * @param {string} format
 * @param {Tree} tree
 */
export function warning(format, { nodes, title }) {
  if (!BARE[format]) return "";
  const lost = [
    "names",
    title && "the title",
    nodes.some(({ isMax, level }) => isMax !== (level % 2 === 0)) && "who moves",
    nodes.some(({ children, value }) => children.length && value !== null) &&
      "the values of inner nodes",
  ].filter(Boolean);
  return `Lost in this copy: ${lost.join(", ")}.`;
}

/**
 * The tree as text, in one of the formats.
 * @param {Tree} tree
 * @param {string} format
 */
export function writeTree(tree, format) {
  const { nodes, title, source, players } = tree;
  /** @param {Known} value */
  const number = (value) =>
    machine(value).replace("inf", format === "YAML" ? ".inf" : "Infinity") || "null";
  const bare = BARE[format];
  /** @type {(index: number) => string} */
  const below = (index) => {
    const { children, value, isMax, parent } = nodes[index];
    if (bare && children.length) return bare[1](children.map(below));
    if (!children.length) return bare ? bare[0](number(value)) : number(value);
    const content = `{${children.map((child) => `${JSON.stringify(nodes[child].name)}: ${below(child)}`).join(", ")}}`;
    const parts = [];
    if (nodes[parent]?.isMax === isMax) parts.push(`"to_move": "${sideOf(nodes[index])}"`);
    if (value !== null) parts.push(`"value": ${number(value)}`);
    const names = children.map((child) => nodes[child].name);
    const areKeys = names.every((name) => name === "name" || name === "value");
    // for a record
    const isMistaken = names.includes("children") || areKeys;
    return parts.length || isMistaken
      ? `{${[...parts, `"children": ${content}`].join(", ")}}`
      : content;
  };
  if (bare) return below(0);
  const head = {
    ...(title && { title }),
    ...(source && { source }),
    ...(areNamed(players) && { players }),
    to_move: sideOf(nodes[0]),
    root: nodes[0].name,
  };
  const entries = [
    ...Object.entries(head).map(([key, text]) => [key, JSON.stringify(text)]),
    ["tree", below(0)],
  ];
  if (format === "YAML") return entries.map(([key, text]) => `${key}: ${text}\n`).join("");
  return `{${entries.map(([key, text]) => `"${key}": ${text}`).join(", ")}}`;
}

/** @param {TreeNode} node */
const sideOf = (node) => player(node).toLowerCase();
