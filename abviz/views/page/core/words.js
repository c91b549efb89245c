// A search in words; abviz/tracing/narration.py in JavaScript. The texts are the same templates, in sentences.json.

import { SENTENCES } from "./data.js";
import { lettered } from "./letters.js";
import { DEFAULT_SHOW } from "./levels.js";
import { number, round } from "./numbers.js";

/** @import { Templates } from "./data.js" */
/** @import { Show } from "./levels.js" */
/** @import { Known } from "./numbers.js" */
/** @import { Event, EventKind, Rules } from "./search.js" */
/** @import { Cut, NodeState, Trace, TreeNode } from "./trace.js" */

/**
 * What fills the blanks of a template, by name.
 * @typedef {Record<string, string | Known | undefined>} Blanks
 *
 * The name of a template, and what fills its blanks.
 * @typedef {[name: string, values: Blanks]} Form
 *
 * How a number is written.
 * @typedef {(value: Known | undefined) => string} Say
 */

/** @type {Record<string, "alpha" | "beta" | "bv">} */
export const FIELDS = { α: "alpha", β: "beta", bv: "bv" }; // of a state, by the letters that stand for them

/**
 * The letters that stand in an inner node.
 * @param {Pick<Trace, "hasBounds">} trace
 */
export const lettersOf = ({ hasBounds }) => (hasBounds ? ["α", "β", "bv"] : ["bv"]);

const PARTS = SENTENCES.parts;

/** The names of skipped nodes in one sentence. */
const MOST_NAMES = 6;

/**
 * Fill the blanks of a template: {bv} with a text, a number or a dash, {saved:leaf|leaves} with a count, {player:has|have}
 * with a name and its verb; `say` writes the numbers.
 * @param {string} template
 * @param {Blanks} values
 * @param {Say} say
 */
export function fill(template, values, say = number) {
  return lettered(template).replace(/\{(\w+)(?::([^|}]+)\|([^|}]+))?\}/g, (_, name, one, many) => {
    const value = values[name];
    if (typeof value === "string") return one ? `${value} ${isYou(value) ? many : one}` : value;
    if (one) return count(Number(value), one, many);
    return value === null || value === undefined ? "—" : say(value);
  });
}

/**
 * Whether a player is the reader: you have, where others have a name that has.
 * @param {string} name
 */
const isYou = (name) => name.toLowerCase() === "you";

/**
 * The player's name as a sentence begins with it: a player o stays o.
 * @param {string} name
 */
const atTheStart = (name) => (isYou(name) ? "You" : name);

/** @param {number} n */
export const thousands = (n) => String(n).replace(/\B(?=(\d{3})+$)/g, ",");
/** @type {(n: number, singular: string, plural: string) => string} */
export const count = (n, singular, plural) => `${thousands(n)} ${n === 1 ? singular : plural}`;
/** @param {string[]} texts */
export const longest = (texts) =>
  texts.reduce((most, text) => (text.length > most.length ? text : most), "");
/** @param {{isMax: boolean}} node */
export const player = (node) => (node.isMax ? "MAX" : "MIN");

/**
 * The name made safe to show: control characters, and marks that reverse text, become ␛, ␊ or �.
 * @param {string} name
 */
export function visible(name) {
  /** @param {string} letter */
  const sign = (letter) => {
    if (letter < " ") return String.fromCharCode(0x2400 + letter.charCodeAt(0));
    return letter === "\x7f" ? "␡" : "\ufffd";
  };
  return name.replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069\ufffe\uffff]/gu, sign);
}

/**
 * The name cut to `most` letters by its middle. Python sends names with other letters than ASCII as they are shown.
 * @param {string} name
 * @param {number} most
 */
export function shorten(name, most) {
  if (name.length <= most) return name;
  const letters = [...name];
  const half = (most - 1) >> 1;
  return letters.length <= most
    ? name
    : `${letters.slice(0, half).join("")}…${letters.slice(-half).join("")}`;
}

/**
 * What is proven of a node's value: "= 3", "≥ 3", "≤ 3", "3 … 5", or "" for nothing.
 * @param {Pick<NodeState, "low" | "high">} state
 * @param {Say} say
 */
export function proven({ low, high }, say = number) {
  if (low == high) return `= ${say(low)}`;
  if (low === -Infinity) return high === Infinity ? "" : `≤ ${say(high)}`;
  return high === Infinity ? `≥ ${say(low)}` : `${say(low)} … ${say(high)}`;
}

/**
 * What stands beside the name of an inner node: what is proven of its value, as far as it is shown.
 * A recorded run may have returned something else. Then it is what the run returned, and nothing at
 * a node above that has not returned yet: it got a number that is not the child's value.
 * @param {Trace} trace
 * @param {number} index
 * @param {number} step
 * @param {NodeState} shown
 */
export function provenBeside(trace, index, step, shown) {
  const { number: say, nodes } = trace.tree;
  if (trace.search !== "recorded") return proven(shown, say);

  const { value } = trace.nodeAt(index, step);
  if (returnedAnother(trace, index, step)) return say(value);
  const at = trace.lastVisitStep(index, step);
  const isMisled = nodes[index].children.some((child) => returnedAnother(trace, child, at));
  return value === null && isMisled ? "" : proven(shown, say);
}

/**
 * Whether a recorded run returned a number that is no end of what is proven.
 * @type {(trace: Trace, index: number, step: number) => boolean}
 */
function returnedAnother(trace, index, step) {
  const { value } = trace.nodeAt(index, step);
  const { low, high } = trace.lastVisit(index, step);
  return value !== null && value != low && value != high;
}

/**
 * The Greek letter by which people call a cut, under the rule on names.
 * @type {(rules: Rules, kind: "alpha" | "beta") => string}
 */
export const cutLetter = (rules, kind) => ((kind === "alpha") !== rules.name_by_node ? "α" : "β");

/**
 * The templates' words for the players, and for the bounds and directions of the one who moves at the node.
 * @param {Trace} trace
 * @param {TreeNode} node
 * @returns {Templates}
 */
export function wordsOf({ tree, rules }, node) {
  const { players } = SENTENCES;
  const kind = player(node);
  const [highest, lowest] = tree.players;
  const [mover, other] = node.isMax ? [highest, lowest] : [lowest, highest];
  return {
    ...players[kind],
    ...(rules.strict ? players[`${kind} strict`] : {}),
    player: mover,
    opponent: other,
    max: highest,
    min: lowest,
    Player: atTheStart(mover),
    Opponent: atTheStart(other),
    Max: atTheStart(highest),
  };
}

/**
 * What the letters at a node mean, of those that the level shows. At "all" the reader knows them.
 * @param {Trace} trace
 * @param {Show} show
 */
export function letterMeanings({ search, tree }, show) {
  if (search === "recorded" || (show !== "bv" && show !== "bounds")) return "";
  const { alpha, beta } = SENTENCES.letters;
  const bv = lettered(SENTENCES.letters.bv);
  if (search === "minimax" || show === "bv") return bv;
  const [max, min] = tree.players;
  return [fill(alpha, { max }), fill(beta, { min }), bv].join(" · ");
}

/**
 * What the page says at the step: before the search it invites to press Next.
 * @param {Trace} trace
 * @param {number} step
 * @param {Show} show
 */
export function narrate(trace, step, show = DEFAULT_SHOW) {
  if (step || trace.run) return sentence(trace, step, show);
  return write("invitation", trace, trace.nodes[0], {});
}

/**
 * What changed at the step, and why, with the numbers that the level shows; of a recorded run, which stays as it is,
 * Python has sent it.
 * @param {Trace} trace
 * @param {number} step
 * @param {Show} show
 */
export function sentence(trace, step, show = DEFAULT_SHOW) {
  const { run } = trace;
  if (run) return run.plain?.[show]?.[step] ?? run.sentences[step];
  if (!step) return before(trace);
  const event = trace.eventAt(step);
  const [kind] = event;
  const cut = trace.cutAt.get(step);
  const node = trace.nodes[trace.places[step]];
  // a cut has been said
  const [form, values] = cut
    ? cutOff(trace, cut)
    : SAY[/** @type {Exclude<EventKind, "cut">} */ (kind)](trace, step, event);
  if (!SENTENCES.plain[show]) return write(form, trace, node, values);
  const more = plainValues(trace, step, cut);
  return write(plainForm(trace, step, form, show), trace, node, { ...values, ...more }, show);
}

/**
 * Fill the template; the numbers are values in the tree, which may be wins of a game.
 * @type {(template: string, trace: Trace, values: Blanks) => string}
 */
const tell = (template, trace, values) => fill(template, values, trace.tree.said);

/**
 * The sentence of that form about the node, by the templates of the level.
 * @type {(form: string, trace: Trace, node: TreeNode, values: Blanks, show?: Show) => string}
 */
function write(form, trace, node, values, show = DEFAULT_SHOW) {
  const template = SENTENCES.plain[show]?.[form] ?? SENTENCES.sentences[form];
  return tell(template, trace, { ...wordsOf(trace, node), node: node.quoted, ...values });
}

/**
 * The form of the sentence at a level that names no α and no β.
 * @param {Trace} trace
 * @param {number} step
 * @param {string} usual
 * @param {Show} show
 */
function plainForm(trace, step, usual, show) {
  const index = trace.places[step];
  let form = usual === "cut deep" ? "cut" : usual;
  if (form === "exit unbounded") form = "exit";
  if (show === "bv") return form;
  if (form === "cut" || form === "cut by first bound")
    return `${form} at ${player(trace.nodes[index])}`;
  if (form !== "exit") return form;
  const { low, high, value } = trace.nodeAt(index, step);
  if (low != high || low != value) return "exit bound";
  return moveOf(trace, step) ? "exit by move" : "exit exact";
}

/**
 * What fills the plain templates beside the values of the others.
 * @param {Trace} trace
 * @param {number} step
 * @param {Cut | undefined} cut
 * @returns {Blanks}
 */
function plainValues(trace, step, cut) {
  const index = trace.places[step];
  if (cut) {
    const limit = trace.nodes[index].isMax ? cut.beta : cut.alpha;
    const thatLimit = trace.tree.isWin(limit)
      ? limit
      : fill(PARTS["that number"], { value: limit });
    return { that_limit: thatLimit, others: othersOf(trace, index, cut) };
  }
  const [kind, , , , , value] = trace.eventAt(step);
  if (kind === "bv") return { so: soWorth(trace, index, step) };
  if (kind !== "exit") return {};
  return {
    move: moveOf(trace, step),
    worth: worth(trace, index, step),
    remark: boundOnly(trace, index, step, value),
  };
}

/**
 * That the children not searched are skipped: "the other reply is skipped".
 * @param {Trace} trace
 * @param {number} index
 * @param {Cut} cut
 */
function othersOf({ nodes }, index, { skipped }) {
  const { children, parent, isMax } = nodes[index];
  const which = children.length === skipped.length + 1 ? "other" : "remaining";
  const isReply = parent >= 0 && nodes[parent].isMax !== isMax;
  const [one, many] = isReply ? ["reply", "replies"] : ["move", "moves"];
  return PARTS[`the ${which} ${skipped.length === 1 ? one : many}`];
}

/**
 * The child that is proven to be worth what the node returns; "" where none is.
 * @param {Trace} trace
 * @param {number} step
 */
function moveOf(trace, step) {
  const index = trace.places[step];
  const { value } = trace.nodeAt(index, step);
  const [, child] = trace.lineAt(step, index);
  if (child === undefined) return "";
  const { low, high } = trace.nodeAt(child, step);
  return low == high && low == value ? trace.nodes[child].quotedLabel : "";
}

/**
 * What is proven of a node's value: ": it is worth at least 3"; "" for nothing.
 * @param {Trace} trace
 * @param {number} index
 * @param {number} step
 */
function worth(trace, index, step) {
  const { low, high } = trace.nodeAt(index, step);
  if (low === -Infinity && high === Infinity) return "";
  return tell(PARTS[worthForm({ low, high })], trace, { interval: low, low, high });
}

/** @param {Pick<NodeState, "low" | "high">} state */
function worthForm({ low, high }) {
  if (low == high) return "is worth";
  if (low === -Infinity) return "worth at most";
  return high === Infinity ? "worth at least" : "worth between";
}

/**
 * What has just been proven of a node's value by what came up to it; "" for nothing.
 * @param {Trace} trace
 * @param {number} index
 * @param {number} step
 */
function soWorth(trace, index, step) {
  const { low, high } = trace.lastVisit(index, step);
  const before = trace.lastVisit(index, step - 1);
  const isSame = low == before.low && high == before.high;
  if (isSame || trace.tree.isWin(low) || trace.tree.isWin(high)) return "";
  const node = trace.nodes[index].quoted;
  return fill(PARTS[`so ${worthForm({ low, high })}`], { node, low, high });
}

/** @param {Trace} trace */
function before(trace) {
  const { nodes, depth, frontier } = trace;
  return write(depth === null ? "before" : "before to depth", trace, nodes[0], {
    depth,
    leaves: frontier[0],
  });
}

/**
 * For each kind of event what is said of it.
 * @type {Record<Exclude<EventKind, "cut">, (trace: Trace, step: number, event: Event) => Form>}
 */
const SAY = {
  enter(trace, step, [, index, alpha, beta, bv]) {
    const node = trace.nodes[index];
    const form = node.parent >= 0 ? "enter" : "enter root";
    const parent = trace.nodes[node.parent]?.quoted;
    return [alpha === null ? `${form} unbounded` : form, { parent, alpha, beta, bv }];
  },

  leaf(trace, step, [, index, , , , value]) {
    const node = trace.nodes[index];
    let form = node.ending ? "leaf ending" : node.children.length ? "leaf at limit" : "leaf";
    if (node.estimate) form = "leaf estimated";
    return [form, { ending: node.ending, value }];
  },

  bv(trace, step, [, index, , , bv, value]) {
    const child = trace.places[step - 1];
    const earlier = trace.nodeAt(index, step - 1).bv;
    const remark = boundOnly(trace, child, step, value);
    const values = { value, child: trace.nodes[child].quoted, before: earlier, bv, remark };
    return [bv == earlier ? "bv same" : "bv better", values];
  },

  alpha(trace, step, [, index, alpha, , bv]) {
    return bound(trace, { bv, before: trace.nodeAt(index, step - 1).alpha, after: alpha });
  },

  beta(trace, step, [, index, , beta, bv]) {
    return bound(trace, { bv, before: trace.nodeAt(index, step - 1).beta, after: beta });
  },

  exit(trace, step, event) {
    const [, index, , , bv, value] = event;
    const node = trace.nodes[index];
    const isRoot = node.parent < 0;
    const isClamped = value != bv;
    const [alpha, beta] = trace.windows[index];
    const { quoted } = node;
    let remark = isClamped ? tell(PARTS.clamped, trace, { node: quoted, bv, alpha, beta }) : "";
    if (isRoot) {
      const form = trace.bound ? "exit root with bound" : "exit root";
      const values = {
        value,
        remark: remark + rootBound(trace),
        late: late(trace, step, event, "late at root"),
        read: thousands(trace.counts[step][0]),
        leaves: trace.frontier[index],
        line: path(trace, trace.lineAt(step)),
      };
      return [form, values];
    }
    if (!isClamped) remark = boundOnly(trace, index, step, value);
    remark += late(trace, step, event, "late");
    const form = event[2] === null ? "exit unbounded" : "exit";
    const above = trace.nodeAt(node.parent, step);
    const parent = trace.nodes[node.parent].quoted;
    return [form, { value, remark, parent, alpha: above.alpha, beta: above.beta }];
  },
};

/** @type {(trace: Trace, values: {bv: Known, before: Known, after: Known}) => Form} */
const bound = (trace, values) => [trace.tree.isWin(values.after) ? "bound win" : "bound", values];

/**
 * What is proven instead, where a returned value is not the node's own.
 * @param {Trace} trace
 * @param {number} index
 * @param {number} step
 * @param {Known} value
 */
function boundOnly(trace, index, step, value) {
  const state = trace.nodeAt(index, step);
  if (state.low == state.high && state.low == value) return "";
  const interval = proven(state, trace.tree.said).replace(/^= /, "");
  const of = trace.nodes[index].quoted;
  return fill(PARTS[interval ? "interval" : "nothing proven"], { of, interval });
}

/**
 * What is proven of the root, and why no more, where the search returns a bound; "" elsewhere.
 * @param {Trace} trace
 */
function rootBound(trace) {
  const { bound } = trace;
  return bound ? tell(PARTS[bound.kind], trace, bound) : "";
}

/**
 * @param {Trace} trace
 * @param {Cut} cut
 * @returns {Form}
 */
function cutOff(trace, cut) {
  const node = trace.nodes[cut.at];
  const limit = node.isMax ? cut.beta : cut.alpha;
  const skipped = several(cut.skipped.map((child) => trace.nodes[child].quotedLabel));
  const rest = fill(PARTS.rest, { skipped, saved: cut.saved });
  /** @type {Blanks} */
  const values = { bv: cut.bv, limit, rest };
  // minimax's early stop
  if (limit === null) return ["cut unbounded", values];
  let form = limit === Infinity || limit === -Infinity ? "cut by infinity" : "cut by first bound";
  if (cut.via >= 0) {
    form = cut.deep ? "cut deep" : "cut";
    Object.assign(values, {
      witness: trace.nodes[cut.witness].quoted,
      via: trace.nodes[cut.via].quoted,
    });
  }
  Object.assign(values, {
    letter: cutLetter(trace.rules, cut.kind),
    test: test(trace, node, cut.bv, limit),
  });
  return [form, values];
}

/**
 * The cutoff test can hold after the last child: nothing is left to skip, and so it is no cut.
 * @param {Trace} trace
 * @param {number} step
 * @param {Event} event
 * @param {string} form of the remark
 */
function late(trace, step, event, form) {
  const [, index, alpha, beta, bv] = event;
  const node = trace.nodes[index];
  if (
    !trace.reached(event) ||
    node.children.some((child) => trace.nodeAt(child, step).state === "skipped")
  )
    return "";
  const values = { node: node.quoted, test: test(trace, node, bv, node.isMax ? beta : alpha) };
  return fill(PARTS[form], values);
}

/** @type {(trace: Trace, node: TreeNode, bv: Known, limit: Known) => string} */
const test = (trace, node, bv, limit) =>
  tell(PARTS.test, trace, { ...wordsOf(trace, node), bv, limit });

/**
 * @param {Trace} trace
 * @param {number[]} line
 */
function path(trace, line) {
  const names = line.map((node) => trace.nodes[node].quotedLabel);
  return (names.length > 10 ? [...names.slice(0, 6), "…", ...names.slice(-3)] : names).join(" → ");
}

/** @param {string[]} names */
function several(names) {
  const shown = names.slice(0, MOST_NAMES).join(", ");
  const others = names.length - MOST_NAMES;
  return others > 0 ? fill(PARTS["and more"], { names: shown, others }) : shown;
}

/**
 * How many leaves were read, and what share was saved of those that the search has passed.
 * @param {Trace} trace
 * @param {number} step
 */
export function counts(trace, step) {
  const [seen, skipped] = trace.counts[step];
  const passed = seen + skipped;
  let form = "read";
  if (trace.run?.skips_nodes)
    form = "leaves read"; // a recorded run of which only the leaves are known
  else if (trace.search === "recorded")
    form = "read and left out"; // not saved: the function may need them
  else if (skipped)
    form = passed === trace.frontier[0] ? "read and saved" : "read and saved so far";
  const share = skipped ? round((100 * skipped) / passed) : 0;
  return fill(SENTENCES.results[form], {
    seen,
    skipped: thousands(skipped),
    share,
    passed: thousands(passed),
  });
}
