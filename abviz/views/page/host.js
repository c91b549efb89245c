// What the page has to do with Python: the widget's model, and the answers to what is asked for.
//
// All views of a model share its traits, and Python has the same. So what the page shows is compared
// with what has been written last, and only what differs is written; a change from elsewhere becomes
// an action.

import { completed } from "./core/edit.js";
import { DEFAULT_SHOW } from "./core/levels.js";
import { fromJson, toJson } from "./core/numbers.js";
import { Trace, Tree, areNamed, trace } from "./core/trace.js";
import { isComparing } from "./actions/searches.js";

/** @import { Assigned } from "./actions/assigned.js" */
/** @import { Boards } from "./boards.js" */
/** @import { Show } from "./core/levels.js" */
/** @import { Known, Value } from "./core/numbers.js" */
/** @import { Event, EventKind, Rules, SearchOptions } from "./core/search.js" */
/** @import { Recording, Row, Texts } from "./core/trace.js" */
/** @import { Action, Changes, Request, State } from "./state.js" */
/** @import { Model } from "./widget.d.ts" */

/**
 * What Python and the page say to each other; abviz/views/messages.py in JavaScript.
 *
 * @typedef {Texts & {rows: Row[]}} PageTree with what is written about it
 * @typedef {[kind: EventKind, node: number, ...numbers: (string | Known)[]]} EventRow
 */

/**
 * A search with its window as JSON holds it.
 * @template {SearchOptions} Options
 * @typedef {Omit<Options, "alpha" | "beta"> & {alpha: string | Value, beta: string | Value}} Sent
 */

/**
 * Where Graphviz has put the nodes, in points.
 * @typedef {object} Places
 * @property {number} letters of a node: how many of α, β and bv it has room for
 * @property {[width: number, height: number]} size of the picture
 * @property {([x: number, y: number] | null)[]} centres null at a node outside of the part that is
 *   shown
 *
 * A tree and its search, as the page opens it.
 * @typedef {object} SearchFacts
 * @property {Sent<SearchOptions> | Sent<Recording>} search of a recorded run with what it shows
 * @property {number} top the node whose part of the tree is shown
 * @property {Places} places
 * @property {Boards | null} boards
 * @property {EventRow[]} [events] of a recorded run, which the page can't search again
 * @property {number} [changes] how many the tree of a game has had
 * @property {string | null} [reply] the request that it answers
 * @typedef {PageTree & SearchFacts} Spec
 *
 * The tree and the search that the reader has made.
 * @typedef {object} EditedFacts
 * @property {Row[]} rows
 * @property {string} search
 * @property {Rules} rules
 * @property {number | null} [depth]
 * @property {boolean} asks whether the page waits for Python to search it
 * @property {string} view the view of the widget that has made them
 * @property {string} [id] of the request, where it waits
 * @typedef {Pick<Texts, "title" | "source" | "players"> & EditedFacts} Edited
 *
 * The tree that was asked for, or the problem with it.
 * @typedef {{id: string | null, tree?: PageTree, problem?: string}} Reply
 *
 * What the model of the widget holds; an exported page has no more of it than it needs.
 * @typedef {object} Traits
 * @property {Spec} spec
 * @property {Edited | {rows?: undefined} | undefined} edited
 * @property {number} step
 * @property {string} form
 * @property {number} speed
 * @property {Show} show
 * @property {string[]} predict the kinds of question that are asked
 * @property {boolean} show_of_hands
 * @property {string} [letters] for the best value below: "v" in place of "bv"
 * @property {string} problem
 * @property {boolean} [address] whether the page has an address of its own, and no Python
 * @property {Assigned} [assigned] the student to whom the tree is assigned, if any
 * @property {boolean} [alone] whether it has neither
 *
 * @typedef {Model<Traits, Reply>} PageModel
 * @typedef {Pick<WindowOrWorkerGlobalScope, "setTimeout" | "clearTimeout">} Clock
 */

/** How long Python may take before the reader hears of it, in milliseconds. */
const PATIENCE = 10_000;

export class Host {
  /** @type {Partial<State>} */
  written = {}; // the state that was written last
  /** @type {object[]} */
  messages = []; // to Python, which leave together
  /** @type {Record<string, (message: Reply) => void>} */
  watched = {};
  /** @type {number | undefined} */
  timer;
  /** @type {Promise<void> | null} */
  flushing = null;

  /**
   * @param {object} options
   * @param {PageModel} options.model of the widget, or what an exported page has in its place
   * @param {(action: Action) => void} options.send
   * @param {(tree: Tree) => Tree} options.known the tree with what is written about it
   *   elsewhere
   * @param {Clock} [options.clock]
   */
  constructor({ model, send, known, clock = globalThis }) {
    this.model = model;
    this.send = send;
    this.known = known;
    this.clock = clock;
  }

  /** What of the state is in the model when the page opens. */
  begin() {
    const { model } = this;
    const hasAddress = !!model.get("address");
    const assigned = model.get("assigned") ?? null;
    return {
      view: Math.random().toString(36).slice(2),
      seed: Math.floor(Math.random() * 2 ** 31),
      hasAddress,
      assigned,
      parts: assigned ? { rules: true } : {},
      hasPython: !hasAddress && !model.get("alone"),
      asked: model.get("predict") || [],
      isShowOfHands: !!model.get("show_of_hands"),
      form: model.get("form"),
      speed: model.get("speed"),
      show: model.get("show") ?? DEFAULT_SHOW,
      shownFirst: model.get("show") ?? DEFAULT_SHOW,
    };
  }

  /** Open what Python has sent, and follow what it sends from now on. */
  start() {
    const { model, send } = this;
    /** @param {"form" | "speed"} name */
    const prefer = (name) => () => send({ type: "prefer", [name]: model.get(name) });
    this.watched = {
      "change:spec": () => this.open(),
      "change:edited": () => this.adopt(),
      "change:step": () => this.follow(),
      "change:form": prefer("form"),
      "change:speed": prefer("speed"),
      "change:show": () => send({ type: "showLevel", show: model.get("show") }),
      "change:predict": () => send({ type: "ask", asked: model.get("predict") }),
      "change:show_of_hands": () => {
        send({ type: "ask", isShowOfHands: model.get("show_of_hands") });
      },
      "change:problem": () => send({ type: "complain", problem: model.get("problem") }),
      "msg:custom": (message) => this.hear(message),
    };
    this.open();
    for (const [event, act] of Object.entries(this.watched)) model.on(event, act);
  }

  close() {
    this.clock.clearTimeout(this.timer);
    for (const [event, act] of Object.entries(this.watched)) this.model.off(event, act);
  }

  // ---------------------------------------------------------------- from Python

  /** Open the tree that Python has sent, the first time as another view of it has left it. */
  open() {
    const { model, send } = this;
    const spec = model.get("spec");
    const original = searchOf(spec);
    const left = this.written.trace ? null : this.searchOfAnother(original);
    const edited = left && trace(left.tree, left.options);
    send({ type: "open", spec, original, edited, step: model.get("step") });
  }

  /** Show what another view of the model has changed. */
  adopt() {
    const { original } = this.written;
    const search = original && this.searchOfAnother(original);
    if (search) this.send({ type: "adopt", ...search });
  }

  /**
   * What another view shows of the tree; null where none has changed it.
   * @param {Trace} original
   */
  searchOfAnother({ tree: own, options: given }) {
    const edited = this.model.get("edited");
    if (!edited?.rows || edited.asks || edited.view === this.written.view) return null;
    const { search, rules, depth } = edited;
    const tree = this.known(completed(new Tree(edited.rows, edited), own));
    return { tree, options: { ...(search === given.search && given), search, rules, depth } };
  }

  /** Go to the step that Python has set. */
  follow() {
    this.send({ type: "follow", step: this.model.get("step") });
  }

  /** @param {Reply} reply */
  hear({ id, tree, problem = "" }) {
    if (tree) this.send({ type: "answer", id, tree: new Tree(tree.rows, tree) });
    else this.send({ type: "refuse", id, problem });
  }

  // ---------------------------------------------------------------- to Python

  /**
   * Write what has changed: the tree before the step, which Python holds against its trace.
   * @param {State} state
   */
  write(state) {
    const before = this.written;
    this.written = state;
    /** @param {keyof State} name */
    const isNew = (name) => state[name] !== before[name];

    if (state.waiting && isNew("waiting")) this.ask(state.view, state.waiting);
    if (!isComparing(state)) {
      // Otherwise Python keeps the recorded run, and its step.
      if (isNew("trace") && state.trace !== state.given) this.set("edited", editedOf(state));
      if (isNew("step") || isComparing(before)) this.set("step", state.step);
    }
    if (isNew("asked")) this.set("predict", state.asked);
    if (isNew("isShowOfHands")) this.set("show_of_hands", state.isShowOfHands);
    for (const name of /** @type {const} */ (["form", "speed", "show"])) {
      if (isNew(name)) this.set(name, state[name]);
    }
  }

  /**
   * Ask Python, and say so if it does not answer.
   * @type {(view: string, waiting: {id: string, request: Request}) => void}
   */
  ask(view, { id, request }) {
    const { clock, send } = this;
    if ("tree" in request) {
      this.set("edited", { ...editedOf({ view, trace: request }), asks: true, id });
    } else this.post({ id, ...request });
    clock.clearTimeout(this.timer);
    this.timer = clock.setTimeout(() => send({ type: "late", id }), PATIENCE);
  }

  /**
   * @template {keyof Traits} Name
   * @param {Name} name
   * @param {Traits[Name]} value
   */
  set(name, value) {
    const { model } = this;
    if (model.get(name) === value) return;
    model.set(name, value);
    this.flush();
  }

  /** @param {object} message */
  post(message) {
    this.messages.push(message);
    this.flush();
  }

  /** @param {object} message */
  tell(message) {
    try {
      this.model.send(message);
    } catch {
      // Python is gone: what waits for an answer says so when it is late
    }
  }

  /** All that a change writes is one message. */
  flush() {
    this.flushing ??= Promise.resolve().then(() => {
      this.flushing = null;
      this.model.save_changes();
      for (const message of this.messages.splice(0)) this.tell(message);
    });
  }
}

/**
 * The search that Python has sent: that of a recorded function with its events.
 * @param {Spec} spec
 */
export function searchOf(spec) {
  const tree = new Tree(spec.rows, spec);
  const { search, events } = spec;
  const numbers = { alpha: fromJson(search.alpha), beta: fromJson(search.beta) };
  if ("returned" in search) Object.assign(numbers, { returned: fromJson(search.returned) });
  const options = /** @type {SearchOptions | Recording} */ ({ ...search, ...numbers });
  if (!events) return trace(tree, options);

  /** @param {EventRow} row */
  const read = ([kind, node, ...numbers]) =>
    /** @type {Event} */ ([kind, node, ...numbers.map(fromJson)]);
  return new Trace(tree, events.map(read), options);
}

/**
 * The tree and its search as Python and other views read them.
 * @param {{view: string, trace: Changes}} state
 * @returns {Edited}
 */
function editedOf({ view, trace: { tree, options } }) {
  const { title, source, players } = tree;
  const { search, rules, depth } = options;
  /** @type {Row[]} */
  const rows = tree.nodes.map(({ name, isMax, value, parent }) => {
    return [name, isMax, toJson(value), parent];
  });
  const named = areNamed(players) ? { players } : {};
  return { rows, title, source, ...named, search, rules, depth, asks: false, view };
}
