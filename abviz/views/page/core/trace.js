// The record of one search: its steps, its result, and how every node stood at each step; abviz/tracing/traces.py in
// JavaScript. Nodes are addressed by index: a name may be anything ("__proto__" is one).

import { fromJson, larger, number, smaller } from "./numbers.js";
import { eventsOf, reaches } from "./search.js";
import { shorten, visible } from "./words.js";

const [LONGEST, LONGEST_IN_PICTURE] = [60, 24]; // letters of a name

const MOST_PLIES = 1000; // of a win in a game: smaller values are estimates

const START = {
  state: "waiting",
  alpha: null,
  beta: null,
  bv: null,
  value: null,
  low: -Infinity,
  high: Infinity,
};

/** A tree as Python sends it: rows of [name, is MAX, value, parent, more], each parent before its children. */
export class Tree {
  constructor(rows, { title = "", source = "", note = "", notes = {} } = {}) {
    Object.assign(this, { title, source, note, notes });
    this.nodes = rows.map(([name, isMax, value, parent, more], index) => {
      const own = { index, name, isMax, parent, more, value: fromJson(value), children: [] };
      const node = { label: visible(name), ...more, ...own };
      node.quoted ??= shorten(visible(name), LONGEST); // in a sentence
      node.quotedLabel ??= shorten(node.label, LONGEST);
      node.short ??= shorten(node.label, LONGEST_IN_PICTURE);
      return node;
    });
    for (const node of this.nodes) {
      const parent = this.nodes[node.parent];
      node.place = parent?.children.push(node.index) - 1;
      node.level = parent ? parent.level + 1 : 0;
    }
    this.win = this.nodes[0].win ?? 0; // what a win counts in the tree of a game, and 1 less for each ply
    this.shape = JSON.stringify(rows.map(([name, isMax, , parent]) => [name, isMax, parent]));
  }

  /** The value as pictures write it: 3, or of a win in a game "MAX wins in 2". */
  number = (value) => {
    if (!this.isWin(value)) return number(value);
    const [winner, plies] = this.winnerAndPlies(value);
    return plies ? `${winner} wins in ${plies}` : `${winner} has won`;
  };

  /** The value as sentences write it: 3, or of a win in a game "a win for MAX in 2". */
  said = (value) => {
    if (!this.isWin(value)) return number(value);
    const [winner, plies] = this.winnerAndPlies(value);
    return `a win for ${winner}${plies ? ` in ${plies}` : ""}`;
  };

  isWin(value) {
    const plies = this.win - Math.abs(Number(value));
    return this.win && Number.isInteger(value) && plies >= 0 && plies < MOST_PLIES;
  }

  winnerAndPlies(value) {
    return [value > 0 ? "MAX" : "MIN", this.win - Math.abs(value)];
  }

  /** The indices of the node and of all below it, in the tree's own order. */
  below(index) {
    let last = this.nodes[index];
    while (last.children.length) last = this.nodes[last.children.at(-1)];
    return Array.from({ length: last.index + 1 - index }, (_, place) => index + place);
  }

  /** The indices from the root down to the node. */
  path(index) {
    const path = [];
    for (let at = index; at >= 0; at = this.nodes[at].parent) path.unshift(at);
    return path;
  }
}

/** Search the tree; options are `search`, `rules`, `depth`, and alphabeta's alpha and beta or minimax's early_stop. */
export const trace = (tree, options) => new Trace(tree, eventsOf(tree, options), options);

/** One search of one tree. Step k is what stands after the k-th step; 0 is before the search. */
export class Trace {
  constructor(tree, events, options) {
    const { search, rules, depth = null } = options;
    Object.assign(this, { tree, nodes: tree.nodes, events, options, search, rules, depth });
    this.frontier = frontier(tree, this.depth);
    this.steps = []; // for each step the index of its first event
    this.places = [0]; // the node at which each step happens
    this.counts = [[0, 0]]; // leaves read and leaves cut off
    this.cutAt = new Map();
    this.windows = tree.nodes.map(() => [null, null]);
    this.hasBounds = events.some(([, , alpha, beta]) => (alpha ?? beta ?? null) !== null);
    this.states = tree.nodes.map(() => [[0, START]]);
    this.bests = tree.nodes.map(() => [[0, -1]]);
    this.calls = [];
    this.returned = -1; // the node that returned last
    for (let first = 0; first < events.length; ) first = this.step(first);
    this.cuts = [...this.cutAt.values()];
  }

  get length() {
    return this.steps.length;
  }

  get value() {
    return this.search === "recorded" ? this.options.returned : this.events.at(-1)[5];
  }

  eventAt(step) {
    return this.events[this.steps[step - 1]];
  }

  nodeAt(index, step) {
    return latest(this.states[index], step);
  }

  /** The window [α, β] that the search was given. */
  get rootWindow() {
    const { alpha = -Infinity, beta = Infinity } = this.options;
    return this.search === "minimax" ? [-Infinity, Infinity] : [alpha, beta];
  }

  /**
   * Whether α < value < β in the window of the search; an infinite bound is open. Only then is what the root returns its
   * own value. Otherwise it is a bound, and a move that returned it may be worth anything beyond.
   */
  isInsideWindow(value) {
    const [alpha, beta] = this.rootWindow;
    const isAbove = alpha === -Infinity || (value !== null && value > alpha);
    const isBelow = beta === Infinity || (value !== null && value < beta);
    return isAbove && isBelow;
  }

  /** What is proven of the root where the search returns a bound: {kind, value, limit}; null elsewhere. */
  get bound() {
    if (this.search === "recorded" || this.isInsideWindow(this.value)) return null;
    const [alpha, beta] = this.rootWindow;
    const { low, high } = this.nodeAt(0, this.length);
    const isLow = alpha > -Infinity && this.value <= alpha;
    return isLow
      ? { kind: "at most", value: high, limit: alpha }
      : { kind: "at least", value: low, limit: beta };
  }

  /**
   * The best line so far, from the root; empty while no move, or none inside the window, has been found. From another
   * node it is the way by which that node's value came up, be it a value or a bound.
   */
  lineAt(step, start = 0) {
    if (start === 0 && !this.isInsideWindow(this.rootValueAt(step))) return [];
    const line = [];
    for (let at = start; at >= 0; at = latest(this.bests[at], step)) line.push(at);
    return line.length > 1 || !this.nodes[start].children.length ? line : [];
  }

  /** What the root has returned, or what its best move so far has. */
  rootValueAt(step) {
    const { value, bv } = this.nodeAt(0, step);
    if ((value ?? bv) !== null) return value ?? bv;
    const best = latest(this.bests[0], step); // of a recorded run that shows no bv
    return best < 0 ? null : this.nodeAt(best, step).value;
  }

  /** Whether the cutoff test holds at the event. */
  reached([, index, alpha, beta, bv]) {
    const { isMax } = this.nodes[index];
    const bound = isMax ? beta : alpha;
    return bound !== null && bv !== null && reaches(this.rules, bv, bound, isMax);
  }

  // how the steps are made

  /** Take in the events of one step, from the first on; return the index of the next step's first event. */
  step(first) {
    const event = this.events[first];
    const [kind, index] = event;
    const last = this.places.at(-1);
    this.now = this.steps.push(first);
    const isLeft = this.nodeAt(last, this.now).state === "active";
    if (isLeft) this.set(last, { state: last === this.returned ? "done" : "open" });
    let next = first + 1;
    let [seen, skipped] = this.counts.at(-1);
    if (kind === "cut") {
      while (this.events[next]?.[0] === "cut") next += 1;
      const group = this.events.slice(first, next);
      this.cut(group);
      for (const [, child] of group) skipped += this.frontier[child];
    } else {
      this[`on_${kind}`](index, event);
      seen += kind === "leaf";
    }
    this.places.push(kind === "cut" ? this.calls.at(-1).index : index);
    this.counts.push([seen, skipped]);
    return next;
  }

  set(index, changes) {
    const states = this.states[index];
    const [step, state] = states.at(-1);
    if (step === this.now) states[states.length - 1] = [step, { ...state, ...changes }];
    else states.push([this.now, { ...state, ...changes }]);
  }

  on_enter(index, [, , alpha, beta, bv]) {
    this.calls.push({ index, movedBy: { alpha: -1, beta: -1 } });
    this.windows[index] = [alpha, beta];
    this.set(index, { state: "active", alpha, beta, bv, value: null });
  }

  on_leaf(index, [, , alpha, beta, , value]) {
    const node = this.nodes[index];
    this.windows[index] = [alpha, beta];
    this.set(index, { state: this.calls.length ? "active" : "done", alpha, beta, value });
    // Not the event's value: what a student's function returns for a leaf proves nothing.
    if (node.value !== null) this.set(index, { low: node.value, high: node.value });
    this.returned = index;
    this.prove(node.parent);
  }

  on_bv(index, event) {
    const [, , , , bv, value] = event;
    const before = this.nodeAt(index, this.now).bv;
    this.set(index, { state: "active", bv });
    if (this.returned < 0 || this.nodes[this.returned].parent !== index) return; // a value before any child's
    const best = this.bests[index];
    const improved = bv === null ? this.isBetter(index, value, best.at(-1)[1]) : bv != before;
    if (improved || best.at(-1)[1] < 0) best.push([this.now, this.returned]);
  }

  /** Whether the value is better than that of the best child so far; for recorded runs that show no bv. */
  isBetter(index, value, best) {
    const other = best < 0 ? null : this.nodeAt(best, this.now).value;
    if (value === null || other === null) return false;
    return this.nodes[index].isMax ? value > other : value < other;
  }

  on_beta = this.on_alpha;

  on_alpha(index, [kind, , alpha, beta]) {
    this.calls.at(-1).movedBy[kind] = this.returned;
    this.set(index, { state: "active", alpha, beta });
  }

  on_exit(index, [, , , , , value]) {
    this.calls.pop();
    this.returned = index;
    this.set(index, { state: "done", value });
  }

  cut(events) {
    const { index } = this.calls.at(-1);
    const { isMax } = this.nodes[index];
    this.set(index, { state: "active" });
    const skipped = events.map(([, child]) => child);
    for (const child of skipped)
      for (const below of this.tree.below(child)) this.set(below, { state: "skipped" });
    const kind = isMax ? "beta" : "alpha"; // the bound that was hit
    const witness = this.calls.findLast(({ movedBy }) => movedBy[kind] >= 0);
    const nearest = this.calls.findLast((call) => this.nodes[call.index].isMax !== isMax);
    const [, , alpha, beta, bv] = events[0];
    this.cutAt.set(this.now, {
      ...{ step: this.now, kind, at: index, alpha, beta, bv, skipped },
      witness: witness ? witness.index : -1, // the ancestor at which the bound last strictly changed
      via: witness ? witness.movedBy[kind] : -1, // the child of the witness whose return set it
      deep: !!witness && witness !== nearest,
      saved: skipped.reduce((sum, child) => sum + this.frontier[child], 0),
    });
  }

  /** Carry what a leaf proves up the tree, as far as it changes anything. */
  prove(index) {
    for (let at = index; at >= 0; at = this.nodes[at].parent) {
      const { isMax, children } = this.nodes[at];
      const proven = children.map((child) => this.nodeAt(child, this.now));
      const choose = isMax ? larger : smaller;
      const low = proven.map((each) => each.low).reduce(choose);
      const high = proven.map((each) => each.high).reduce(choose);
      const state = this.nodeAt(at, this.now);
      if (low == state.low && high == state.high) return;
      this.set(at, { low, high });
    }
  }
}

/** Whether the options stand for alpha-beta of the whole tree, without rules or a window. */
export const isPlain = ({ rules, ...options }) =>
  isSameSearch({ ...options, rules: {} }, { search: "alphabeta", rules: {} }) &&
  !Object.values(rules).some(Boolean);

export const isSameTree = (one, other) =>
  one.shape === other.shape &&
  one.nodes.every(({ value }, index) => value == other.nodes[index].value);

/** Whether the options of two traces stand for the same search by the same rules. */
export function isSameSearch(one, other) {
  const facts = ({
    search,
    rules,
    depth = null,
    alpha = -Infinity,
    beta = Infinity,
    early_stop = false,
  }) => {
    return [search, depth, alpha, beta, early_stop, ...Object.values(rules)];
  };
  return String(facts(one)) === String(facts(other));
}

/** For each step that of another search at which the same happens at the same node, as often as here, if it does. */
export function sameSteps(trace, other) {
  const steps = new Map(occurrences(other).map((name, at) => [name, at + 1]));
  return [0, ...occurrences(trace).map((name) => steps.get(name))];
}

/** The step of another search that is the same as this one, or as the nearest earlier one that it has. */
export const stepIn = (other, trace, step) =>
  sameSteps(trace, other).findLast((same, at) => same >= 0 && at <= step);

/** What happens at each step, as text that names no other: "2 bv A". */
function occurrences(trace) {
  const times = new Map();
  trace.occurrences ??= trace.steps.map((first) => {
    const [kind, index] = trace.events[first];
    const name = `${kind} ${trace.nodes[index].name}`;
    times.set(name, (times.get(name) ?? 0) + 1);
    return `${times.get(name)} ${name}`;
  });
  return trace.occurrences;
}

/** For each node how many leaves lie below it; a node at the depth limit counts as a leaf. */
function frontier(tree, depth) {
  const leaves = tree.nodes.map(() => 0);
  for (const { index, parent, level, children, folded } of tree.nodes.toReversed()) {
    if (folded) leaves[index] = folded.leaves;
    else if (!children.length || level === depth) leaves[index] = 1; // and not the leaves below it
    if (level > 0 && level - 1 !== depth) leaves[parent] += leaves[index];
  }
  return leaves;
}

/** The latest entry of a history of [step, entry] up to the step. */
function latest(history, step) {
  let [low, high] = [0, history.length];
  while (low + 1 < high) {
    const middle = (low + high) >> 1;
    if (history[middle][0] <= step) low = middle;
    else high = middle;
  }
  return history[low][1];
}
