// The record of one search: its steps, its result, and how every node stood at each step; abviz/tracing/traces.py in
// JavaScript. Nodes are addressed by index: a name may be anything ("__proto__" is one).

import { fromJson, larger, number, smaller } from "./numbers.js";
import { eventsOf, reaches } from "./search.js";
import { shorten, visible } from "./words.js";

/** @import { Show } from "./levels.js" */
/** @import { Known, Value } from "./numbers.js" */
/** @import { Event, EventKind, Rules, SearchOptions } from "./search.js" */

/**
 * A node as Python sends it.
 * @typedef {[name: string, isMax: boolean, value: string | Known, parent: number, more?: More]} Row
 *
 * What is shown of a node in place of its name, and what a game says of it.
 * @typedef {object} More
 * @property {string} [label]
 * @property {string} [quoted] the name in a sentence
 * @property {string} [quotedLabel]
 * @property {string} [short] the label in a picture
 * @property {{nodes: number, leaves: number}} [folded] the part below, which the page does not have
 * @property {string} [ending] how the game ended here
 * @property {boolean} [estimate] whether the value of the leaf is an estimate
 * @property {number} [win] of the root: what a win counts
 *
 * A node of a tree; its parent and its children are indices, and the parent of the root is -1.
 * @typedef {object} OwnFacts
 * @property {number} index
 * @property {string} name
 * @property {boolean} isMax
 * @property {Known} value
 * @property {number} parent
 * @property {number[]} children
 * @property {number} place among its siblings
 * @property {number} level
 * @property {More} [more]
 * @property {string} label
 * @property {string} quoted
 * @property {string} quotedLabel
 * @property {string} short
 * @typedef {More & OwnFacts} TreeNode
 *
 * What is written about a tree.
 * @typedef {object} Texts
 * @property {string} [title]
 * @property {string} [source]
 * @property {string} [note]
 * @property {Record<string, string>} [notes] by step
 * @property {[max: string, min: string]} [players] their names, as sentences write them
 *
 * How a node stands at a step; low and high are what is proven of its value.
 * @typedef {object} NodeState
 * @property {"waiting" | "active" | "open" | "done" | "skipped"} state
 * @property {Known} alpha
 * @property {Known} beta
 * @property {Known} bv
 * @property {Known} value
 * @property {Value} low
 * @property {Value} high
 *
 * What a child has returned.
 * @typedef {object} Return
 * @property {number} index of the child
 * @property {Known} value
 * @property {number} step
 *
 * A call under way.
 * @typedef {object} Call
 * @property {number} index
 * @property {number} entered the step
 * @property {{alpha?: Return | null, beta?: Return | null}} changedBy the bounds that are not as received, and the
 *   child's return that last changed each; null: none did
 * @property {Set<boolean>} showsBv of a recorded run: whether bv was shown as a child's value was taken in; both, if it
 *   varies
 *
 * @typedef {object} Cut
 * @property {number} step
 * @property {"alpha" | "beta"} kind the bound that was hit
 * @property {number} at
 * @property {Known} alpha
 * @property {Known} beta
 * @property {Known} bv
 * @property {number[]} skipped
 * @property {number} witness the ancestor at which the bound last strictly changed; -1: none
 * @property {number} via the child of the witness whose return set it; -1: no child's did
 * @property {Return | null} setter that return
 * @property {boolean} deep
 * @property {number} saved leaves
 *
 * What Python sends of the run of a student's function.
 * @typedef {object} RunFacts
 * @property {string} name of the function
 * @property {Known} returned
 * @property {string[]} sentences by step
 * @property {Partial<Record<Show, Record<string, string>>>} plain those of a plain level that differ, by step
 * @property {{lines: string[], running: number[]}} source running: for each event the line
 * @property {boolean} [negamax]
 * @property {boolean} [unsure_sign] whether no value shows if it negates what children return
 * @property {boolean} [skips_nodes]
 * @property {number} [parting] the step at which it parts from the reference; -1: none
 * @typedef {SearchOptions & RunFacts} Recording
 */

/** The letters of a name, in a sentence and in a picture. */
const [LONGEST, LONGEST_IN_PICTURE] = [60, 24];

/**
 * The names of the players in a tree that gives them none.
 * @type {[max: string, min: string]}
 */
const PLAYERS = ["MAX", "MIN"];

/**
 * Whether the players have names of their own.
 * @param {[max: string, min: string]} players
 */
export const areNamed = ([max, min]) => max !== PLAYERS[0] || min !== PLAYERS[1];

/** The longest win in a game: values that stand for longer ones are estimates. */
const MOST_PLIES = 1000;

/** @type {NodeState} */
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
  /**
   * @param {Row[]} rows
   * @param {Texts} texts
   */
  constructor(rows, { title = "", source = "", note = "", notes = {}, players = PLAYERS } = {}) {
    this.players = players;
    this.title = title;
    this.source = source;
    this.note = note;
    this.notes = notes;
    this.nodes = rows.map(nodeOf);
    for (const { parent, index } of this.nodes.slice(1)) {
      const { children, level } = this.nodes[parent];
      this.nodes[index].place = children.push(index) - 1;
      this.nodes[index].level = level + 1;
    }
    this.win = this.nodes[0].win ?? 0; // what a win counts in the tree of a game, and 1 less for each ply
    this.shape = JSON.stringify(rows.map(([name, isMax, , parent]) => [name, isMax, parent]));
  }

  /**
   * The value as pictures write it: 3, or of a win in a game "MAX wins in 2".
   * @param {Known | undefined} value
   */
  number = (value) => {
    if (!this.isWin(value)) return number(value);
    const plies = this.win - Math.abs(value);
    const winner = PLAYERS[value > 0 ? 0 : 1];
    return plies ? `${winner} wins in ${plies}` : `${winner} has won`;
  };

  /**
   * The value as sentences write it: 3, or of a win in a game "a win for MAX in 2".
   * @param {Known | undefined} value
   */
  said = (value) => {
    if (!this.isWin(value)) return number(value);
    const plies = this.win - Math.abs(value);
    const winner = this.players[value > 0 ? 0 : 1];
    return `a win for ${winner}${plies ? ` in ${plies}` : ""}`;
  };

  /**
   * @param {Known | undefined} value
   * @returns {value is number}
   */
  isWin(value) {
    const plies = this.win - Math.abs(Number(value));
    return this.win > 0 && Number.isInteger(value) && plies >= 0 && plies < MOST_PLIES;
  }

  /**
   * The indices of the node and of all below it, in the tree's own order.
   * @param {number} index
   */
  below(index) {
    let last = index;
    for (;;) {
      const child = this.nodes[last].children.at(-1);
      if (child === undefined) break;
      last = child;
    }
    return Array.from({ length: last + 1 - index }, (_, place) => index + place);
  }

  /**
   * The indices from the root down to the node.
   * @param {number} index
   */
  path(index) {
    /** @type {number[]} */
    const path = [];
    for (let at = index; at >= 0; at = this.nodes[at].parent) path.unshift(at);
    return path;
  }
}

/**
 * @param {Row} row
 * @param {number} index
 * @returns {TreeNode} without its place and its level
 */
function nodeOf([name, isMax, value, parent, more], index) {
  const shown = visible(name);
  const label = more?.label ?? shown;
  return {
    // in a sentence
    quoted: shorten(shown, LONGEST),
    quotedLabel: shorten(label, LONGEST),
    short: shorten(label, LONGEST_IN_PICTURE),
    ...more,
    index,
    name,
    isMax,
    value: fromJson(value),
    parent,
    children: [],
    place: 0,
    level: 0,
    more,
    label,
  };
}

/**
 * Search the tree.
 * @param {Tree} tree
 * @param {SearchOptions} options
 */
export const trace = (tree, options) => new Trace(tree, eventsOf(tree, options), options);

/** One search of one tree. Step k is what stands after the k-th step; 0 is before the search. */
export class Trace {
  /**
   * @param {Tree} tree
   * @param {Event[]} events
   * @param {SearchOptions | Recording} options
   */
  constructor(tree, events, options) {
    this.tree = tree;
    this.nodes = tree.nodes;
    this.events = events;
    this.options = options;
    this.search = options.search;
    this.rules = options.rules;
    this.depth = options.depth ?? null;
    this.run = "returned" in options ? options : null; // what is known of a recorded one
    this.frontier = frontier(tree, this.depth);
    /** @type {number[]} */
    this.steps = []; // for each step the index of its first event
    this.places = [0]; // the node at which each step happens
    /** @type {[seen: number, skipped: number][]} */
    this.counts = [[0, 0]]; // leaves read and leaves cut off
    /** @type {Map<number, Cut>} */
    this.cutAt = new Map();
    /** @type {[alpha: Known, beta: Known][]} */
    this.windows = tree.nodes.map(() => [null, null]);
    this.hasBounds = events.some(([, , alpha, beta]) => (alpha ?? beta ?? null) !== null);
    /** @type {[step: number, state: NodeState][][]} */
    this.states = tree.nodes.map(() => [[0, START]]);
    /** @type {[step: number, step: number][][]} */
    this.visits = tree.nodes.map(() => [[0, 0]]); // for each node the steps that happen at it
    /** @type {[step: number, best: Return | null][][]} */
    this.bests = tree.nodes.map(() => [[0, null]]);
    /** @type {Call[]} */
    this.calls = [];
    this.now = 0; // the step that is being made
    /** @type {Return | null} */
    this.returned = null; // the last
    for (let first = 0; first < events.length; ) first = this.step(first);
    if (this.run) this.calls.filter(({ showsBv }) => showsBv.has(false)).forEach(this.doubt, this);
    this.cuts = [...this.cutAt.values()];
  }

  get length() {
    return this.steps.length;
  }

  get value() {
    return this.run ? this.run.returned : this.events[this.events.length - 1][5];
  }

  /** @param {number} step */
  eventAt(step) {
    return this.events[this.steps[step - 1]];
  }

  /**
   * @param {number} index
   * @param {number} step
   */
  nodeAt(index, step) {
    return latest(this.states[index], step);
  }

  /**
   * How the node stood when something last happened at it: what is proven of it then, its children
   * have handed up to it. A node at which nothing ever happens, as in a recorded run of which only
   * the leaves are known, stands as it is.
   * @param {number} index
   * @param {number} step
   */
  lastVisit(index, step) {
    return this.nodeAt(index, this.lastVisitStep(index, step));
  }

  /**
   * When something last happened at the node; the step itself where nothing ever does.
   * @param {number} index
   * @param {number} step
   */
  lastVisitStep(index, step) {
    const visits = this.visits[index];
    return visits.length > 1 ? latest(visits, step) : step;
  }

  /**
   * The window [α, β] that the search was given.
   * @returns {[alpha: Value, beta: Value]}
   */
  get rootWindow() {
    const { alpha = -Infinity, beta = Infinity } = this.options;
    return this.search === "minimax" ? [-Infinity, Infinity] : [alpha, beta];
  }

  /**
   * Whether α < value < β in the window of the search; an infinite bound is open. Only then is what the root returns its
   * own value. Otherwise it is a bound, and a move that returned it may be worth anything beyond.
   * @param {Known} value
   */
  isInsideWindow(value) {
    return isInside(value, ...this.rootWindow);
  }

  /** What is proven of the root where the search returns a bound: {kind, value, limit}; null elsewhere. */
  get bound() {
    const { value } = this;
    if (this.run || value === null || this.isInsideWindow(value)) return null;
    const [alpha, beta] = this.rootWindow;
    const { low, high } = this.nodeAt(0, this.length);
    const isLow = alpha > -Infinity && value <= alpha;
    return isLow
      ? { kind: "at most", value: high, limit: alpha }
      : { kind: "at least", value: low, limit: beta };
  }

  /**
   * The best line so far, from the root; empty while no move, or none inside the window, has been found. From another
   * node it is the way by which that node's value came up, be it a value or a bound. A recorded run may search a node
   * again: the line goes on as it was when the value came up.
   * @param {number} step
   * @param {number} start
   */
  lineAt(step, start = 0) {
    if (start === 0 && !this.isInsideWindow(this.rootValueAt(step))) return [];
    const line = [start];
    for (let best = latest(this.bests[start], step); best; ) {
      line.push(best.index);
      best = latest(this.bests[best.index], best.step);
    }
    return line.length > 1 || !this.nodes[start].children.length ? line : [];
  }

  /**
   * What the root has returned, or what its best move so far has.
   * @param {number} step
   */
  rootValueAt(step) {
    const { value, bv } = this.nodeAt(0, step);
    if ((value ?? bv) !== null) return value ?? bv;
    // of a recorded run that shows no bv
    return latest(this.bests[0], step)?.value ?? null;
  }

  /**
   * The way by which the bound of a cut came up: from the child that set it down to a leaf; empty where none did.
   * @param {Cut} cut
   */
  sourceOfBound({ setter }) {
    if (!setter) return [];
    const line = this.lineAt(setter.step, setter.index);
    return line.length ? line : [setter.index];
  }

  /**
   * Whether the cutoff test holds at the event.
   * @param {Event} event
   */
  reached([, index, alpha, beta, bv]) {
    const { isMax } = this.nodes[index];
    const bound = isMax ? beta : alpha;
    return bound !== null && bv !== null && reaches(this.rules, bv, bound, isMax);
  }

  // how the steps are made

  /**
   * Take in the events of one step, from the first on; return the index of the next step's first event.
   * @param {number} first
   */
  step(first) {
    const event = this.events[first];
    const [kind, index] = event;
    const last = this.places[this.places.length - 1];
    this.now = this.steps.push(first);
    const isLeft = this.nodeAt(last, this.now).state === "active";
    if (isLeft) this.set(last, { state: last === this.returned?.index ? "done" : "open" });
    let next = first + 1;
    let [seen, skipped] = this.counts[this.counts.length - 1];
    let place = index;
    if (kind === "cut") {
      while (this.events[next]?.[0] === "cut") next += 1;
      const group = this.events.slice(first, next);
      this.cut(group);
      for (const [, child] of group) skipped += this.frontier[child];
      place = this.call.index;
    } else {
      /** @type {`on_${Exclude<EventKind, "cut">}`} */
      const method = `on_${kind}`;
      this[method](index, event);
      if (kind === "leaf") seen += 1;
    }
    this.places.push(place);
    this.visits[place].push([this.now, this.now]);
    this.counts.push([seen, skipped]);
    return next;
  }

  /** The call that is under way. */
  get call() {
    return this.calls[this.calls.length - 1];
  }

  /**
   * @param {number} index
   * @param {Partial<NodeState>} changes
   */
  set(index, changes) {
    const states = this.states[index];
    const [step, state] = states[states.length - 1];
    if (step === this.now) states[states.length - 1] = [step, { ...state, ...changes }];
    else states.push([this.now, { ...state, ...changes }]);
  }

  /**
   * @param {number} index
   * @param {Event} event
   */
  on_enter(index, [, , alpha, beta, bv]) {
    this.calls.push({ index, entered: this.now, changedBy: {}, showsBv: new Set() });
    this.windows[index] = [alpha, beta];
    this.set(index, { state: "active", alpha, beta, bv, value: null });
    this.setBest(index, null); // a node that is searched again begins anew
  }

  /**
   * @param {number} index
   * @param {Event} event
   */
  on_leaf(index, [, , alpha, beta, , value]) {
    const node = this.nodes[index];
    this.windows[index] = [alpha, beta];
    this.set(index, { state: this.calls.length ? "active" : "done", alpha, beta, value });
    // Not the event's value: what a student's function returns for a leaf proves nothing.
    if (node.value !== null) this.set(index, { low: node.value, high: node.value });
    this.returned = { index, value, step: this.now };
    this.prove(node.parent);
  }

  /**
   * @param {number} index
   * @param {Event} event
   */
  on_bv(index, event) {
    if (this.run) this.chooseOfRun(index, event);
    else this.choose(index, event);
    this.set(index, { state: "active", bv: event[4] });
  }

  /**
   * @param {number} index
   * @param {Event} event
   */
  on_alpha(index, [, , alpha, beta]) {
    this.move("alpha", alpha, this.windows[index][0]);
    this.set(index, { state: "active", alpha, beta });
  }

  /**
   * @param {number} index
   * @param {Event} event
   */
  on_beta(index, [, , alpha, beta]) {
    this.move("beta", beta, this.windows[index][1]);
    this.set(index, { state: "active", alpha, beta });
  }

  /**
   * @param {number} index
   * @param {Event} event
   */
  on_exit(index, [, , , , , value]) {
    if (this.run && !this.isHeld(index, this.bestOf(index), value)) this.doubt(this.call);
    this.calls.pop();
    this.returned = { index, value, step: this.now };
    this.set(index, { state: "done", value });
  }

  // which child is best

  /**
   * What was returned last, where a child of the node did.
   * @param {number} index
   */
  returnOfChild(index) {
    const last = this.returned;
    return last && this.nodes[last.index].parent === index ? last : null;
  }

  /** @param {number} index */
  bestOf(index) {
    const bests = this.bests[index];
    return bests[bests.length - 1][1];
  }

  /**
   * @param {number} index
   * @param {Return | null} best
   */
  setBest(index, best) {
    if (best !== this.bestOf(index)) this.bests[index].push([this.now, best]);
  }

  /**
   * Note the child that returned last where it is the best so far.
   * @param {number} index
   * @param {Event} event
   */
  choose(index, [, , , , bv]) {
    // Where none improves on the first bv, the first child stays best.
    const isChosen = !this.bestOf(index) || bv != this.nodeAt(index, this.now).bv;
    if (isChosen) this.setBest(index, this.returnOfChild(index));
  }

  /**
   * The same of a recorded run, which may take any value, and may show no bv. A child is best only while the node holds
   * the value that this child returned. Where no bv is shown, the child that is best for the player stands for it; what
   * the node returns in the end tells whether it did, unless the run may negate what children return, or forget to.
   * Where bv is shown at times, nothing is known.
   * @param {number} index
   * @param {Event} event
   */
  chooseOfRun(index, [, , , , bv]) {
    const { showsBv } = this.call;
    const child = this.returnOfChild(index);
    const best = this.bestOf(index);
    const isFirst = !showsBv.size;
    if (child || best) showsBv.add(bv !== null);

    if (showsBv.size > 1) {
      this.doubt(this.call);
    } else if (bv === null) {
      const canGuess = !this.run?.unsure_sign;
      if (child && canGuess && this.isBetter(index, child, best)) this.setBest(index, child);
    } else {
      const isTaken = child && (isFirst || bv != this.nodeAt(index, this.now).bv);
      const taken = isTaken ? child : best;
      this.setBest(index, this.isHeld(index, taken, bv) ? taken : null);
    }
  }

  /**
   * Whether a child's value is better for the node's player than the best so far.
   * @param {number} index
   * @param {Return} child
   * @param {Return | null} best
   */
  isBetter(index, { value }, best) {
    const other = best?.value ?? null;
    if (value === null || other === null) return value !== null;
    return this.nodes[index].isMax ? value > other : value < other;
  }

  /**
   * Whether the value that the node holds is that of its best child. At the root it is no bound either: a run may
   * search the root in windows of its own.
   * @param {number} index
   * @param {Return | null} best
   * @param {Known} value
   */
  isHeld(index, best, value) {
    if (!best || value === null || best.value != value) return false;
    if (index > 0) return true;
    const [alpha, beta] = this.windows[index];
    return isInside(value, alpha ?? -Infinity, beta ?? Infinity);
  }

  /**
   * Let no child be best from now on; where bv was not shown, none has been in this call.
   * @param {Call} call
   */
  doubt({ index, entered, showsBv }) {
    if (showsBv.has(false))
      this.bests[index] = this.bests[index].filter(([step]) => step <= entered);
    this.setBest(index, null);
  }

  // what moves a bound, and which makes a cut

  /**
   * Note what has moved a bound of the node.
   * @param {"alpha" | "beta"} kind
   * @param {Known} bound
   * @param {Known} received
   */
  move(kind, bound, received) {
    const { index, changedBy } = this.call;
    const child = this.returnOfChild(index);
    const isKnown = !this.run || child?.value == bound;
    // A recorded run may restore it.
    changedBy[kind] = bound == received ? undefined : isKnown ? child : null;
  }

  /** @param {Event[]} events */
  cut(events) {
    const { index } = this.call;
    const { isMax } = this.nodes[index];
    this.set(index, { state: "active" });
    const skipped = events.map(([, child]) => child);
    for (const child of skipped)
      for (const below of this.tree.below(child)) this.set(below, { state: "skipped" });
    // the bound that was hit
    const kind = isMax ? "beta" : "alpha";
    const witness = this.witnessOf(kind, events[0]);
    const setter = witness?.changedBy[kind] ?? null;
    const nearest = this.calls.findLast((call) => this.nodes[call.index].isMax !== isMax);
    const [, , alpha, beta, bv] = events[0];
    this.cutAt.set(this.now, {
      ...{ step: this.now, kind, at: index, alpha, beta, bv, skipped },
      // the ancestor at which the bound last strictly changed
      witness: witness ? witness.index : -1,
      // the child of the witness whose return set it
      via: setter?.index ?? -1,
      setter,
      deep: !!witness && witness !== nearest,
      saved: skipped.reduce((sum, child) => sum + this.frontier[child], 0),
    });
  }

  /**
   * The innermost call above at which the bound changed. A recorded run may move a bound of the node itself, and may
   * hand a child another window than its own: above that call, nothing is a reason for the cut.
   * @param {"alpha" | "beta"} kind
   * @param {Event} event of the cut
   */
  witnessOf(kind, event) {
    const bound = event[kind === "alpha" ? 2 : 3];
    if (bound === null || this.call.changedBy[kind] !== undefined) return undefined;
    if (this.run && !this.isHit(event)) return undefined;

    for (const call of this.calls.toReversed()) {
      if (this.nodeAt(call.index, this.now)[kind] != bound) break;
      if (call.changedBy[kind] !== undefined) return call;
    }
    return undefined;
  }

  /**
   * Whether the window was empty, or bv or the latest value outside it, when a recorded run left children out.
   * @param {Event} event
   */
  isHit([, , alpha, beta, bv]) {
    if (alpha !== null && beta !== null && alpha >= beta) return true;
    const { index } = this.call;
    const bound = this.nodes[index].isMax ? beta : alpha;
    if (bound === null) return false;
    return [bv, this.returnOfChild(index)?.value ?? null].some((value) => {
      if (value === null) return false;
      return this.nodes[index].isMax ? value >= bound : value <= bound;
    });
  }

  /**
   * Carry what a leaf proves up the tree, as far as it changes anything.
   * @param {number} index
   */
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

/**
 * Whether the options stand for alpha-beta of the whole tree, without rules or a window.
 * @param {SearchOptions} options
 */
export const isPlain = ({ rules, ...options }) =>
  isSameSearch({ ...options, rules: {} }, { search: "alphabeta", rules: {} }) &&
  !Object.values(rules).some(Boolean);

/**
 * @param {Tree} one
 * @param {Tree} other
 */
export const isSameTree = (one, other) =>
  one.shape === other.shape &&
  one.nodes.every(({ value }, index) => value == other.nodes[index].value);

/**
 * Whether the options of two traces stand for the same search by the same rules.
 * @typedef {Omit<SearchOptions, "rules"> & {rules: object}} HowSearched
 * @param {HowSearched} one
 * @param {HowSearched} other
 */
export function isSameSearch(one, other) {
  /** @param {HowSearched} options */
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

/**
 * For each step that of another search at which the same happens at the same node, as often as here, if it does.
 * @param {Trace} trace
 * @param {Trace} other
 * @returns {(number | undefined)[]}
 */
export function sameSteps(trace, other) {
  const steps = new Map(occurrences(other).map((name, at) => [name, at + 1]));
  return [0, ...occurrences(trace).map((name) => steps.get(name))];
}

/**
 * The step of another search that is the same as this one, or as the nearest earlier one that it has.
 * @param {Trace} other
 * @param {Trace} trace
 * @param {number} step
 */
export function stepIn(other, trace, step) {
  if (beginsAlike(other, trace, step)) return step;
  return sameSteps(trace, other).findLast((same, at) => same !== undefined && at <= step) ?? 0;
}

/**
 * Whether the same happens at the same nodes, up to the step.
 * @type {(one: Trace, other: Trace, step: number) => boolean}
 */
function beginsAlike(one, other, step) {
  if (step > Math.min(one.length, other.length)) return false;

  for (let at = 1; at <= step; at += 1) {
    const [kind, index] = one.eventAt(at);
    const [otherKind, otherIndex] = other.eventAt(at);
    if (kind !== otherKind || one.nodes[index].name !== other.nodes[otherIndex].name) return false;
  }
  return true;
}

/** What happens at each step, as text that names no other: "2 bv A". */
const occurrences = remembered((/** @type {Trace} */ { steps, events, nodes }) => {
  const times = new Map();
  return steps.map((first) => {
    const [kind, index] = events[first];
    const name = `${kind} ${nodes[index].name}`;
    times.set(name, (times.get(name) ?? 0) + 1);
    return `${times.get(name)} ${name}`;
  });
});

/**
 * The function of a trace, which is worked out once for each.
 * @template T
 * @param {(trace: Trace) => T} make
 * @returns {(trace: Trace) => T}
 */
export function remembered(make) {
  /** @type {WeakMap<Trace, T>} */
  const known = new WeakMap();
  return (trace) => {
    const found = known.get(trace) ?? make(trace);
    known.set(trace, found);
    return found;
  };
}

/**
 * @param {Known} value
 * @param {Value} alpha
 * @param {Value} beta
 */
function isInside(value, alpha, beta) {
  const isAbove = alpha === -Infinity || (value !== null && value > alpha);
  const isBelow = beta === Infinity || (value !== null && value < beta);
  return isAbove && isBelow;
}

/**
 * For each node how many leaves lie below it; a node at the depth limit counts as a leaf.
 * @param {Tree} tree
 * @param {number | null} depth
 */
function frontier(tree, depth) {
  const leaves = tree.nodes.map(() => 0);
  for (const { index, parent, level, children, folded } of tree.nodes.toReversed()) {
    if (folded) leaves[index] = folded.leaves;
    // and not the leaves below it
    else if (!children.length || level === depth) leaves[index] = 1;
    if (level > 0 && level - 1 !== depth) leaves[parent] += leaves[index];
  }
  return leaves;
}

/**
 * The latest entry of a history of [step, entry] up to the step.
 * @template T
 * @param {[step: number, entry: T][]} history
 * @param {number} step
 */
function latest(history, step) {
  let [low, high] = [0, history.length];
  while (low + 1 < high) {
    const middle = (low + high) >> 1;
    if (history[middle][0] <= step) low = middle;
    else high = middle;
  }
  return history[low][1];
}
