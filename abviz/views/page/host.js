// What the page has to do with Python: the widget's model, and the answers to what is asked for.
//
// All views of a model share its traits, and Python has the same. So what the page shows is compared
// with what has been written last, and only what differs is written; a change from elsewhere becomes
// an action.

import { completed } from "./core/edit.js";
import { DEFAULT_SHOW } from "./core/levels.js";
import { fromJson, toJson } from "./core/numbers.js";
import { Trace, Tree, areNamed, trace } from "./core/trace.js";
import { isComparing } from "./state.js";

/** How long Python may take before the reader hears of it, in milliseconds. */
const PATIENCE = 10_000;

export class Host {
  /**
   * @param {object} options
   * @param {object} options.model of the widget, or what an exported page has in its place
   * @param {(action: object) => void} options.send
   * @param {(tree: object) => object} options.known the tree with what is written about it
   *   elsewhere
   * @param {{setTimeout: Function, clearTimeout: Function}} [options.clock]
   */
  constructor({ model, send, known, clock = globalThis }) {
    this.model = model;
    this.send = send;
    this.known = known;
    this.clock = clock;
    this.written = {}; // the state that was written last
    this.messages = []; // to Python, which leave together
  }

  /** What of the state is in the model when the page opens. */
  begin() {
    const { model } = this;
    return {
      view: Math.random().toString(36).slice(2),
      seed: Math.floor(Math.random() * 2 ** 31),
      hasPython: !model.get("address"),
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
    const search = this.searchOfAnother(this.written.original);
    if (search) this.send({ type: "adopt", ...search });
  }

  /** What another view shows of the tree, {tree, options}; null where none has changed it. */
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

  hear({ id, tree, problem = "" }) {
    if (tree) this.send({ type: "answer", id, tree: new Tree(tree.rows, tree) });
    else this.send({ type: "refuse", id, problem });
  }

  // ---------------------------------------------------------------- to Python

  /** Write what has changed: the tree before the step, which Python holds against its trace. */
  write(state) {
    const before = this.written;
    this.written = state;
    const isNew = (name) => state[name] !== before[name];

    if (state.waiting && isNew("waiting")) this.ask(state);
    if (!isComparing(state)) {
      // Otherwise Python keeps the recorded run, and its step.
      if (isNew("trace") && state.trace !== state.given) this.set("edited", editedOf(state));
      if (isNew("step") || isComparing(before)) this.set("step", state.step);
    }
    if (isNew("asked")) this.set("predict", state.asked);
    if (isNew("isShowOfHands")) this.set("show_of_hands", state.isShowOfHands);
    for (const name of ["form", "speed", "show"]) {
      if (isNew(name)) this.set(name, state[name]);
    }
  }

  /** Ask Python, and say so if it does not answer. */
  ask({ view, waiting: { id, request } }) {
    const { clock, send } = this;
    if (request.tree) this.set("edited", { ...editedOf({ view, trace: request }), asks: true, id });
    else this.post({ id, ...request });
    clock.clearTimeout(this.timer);
    this.timer = clock.setTimeout(() => send({ type: "late", id }), PATIENCE);
  }

  set(name, value) {
    const { model } = this;
    if (model.get(name) === value) return;
    model.set(name, value);
    this.flush();
  }

  post(message) {
    this.messages.push(message);
    this.flush();
  }

  /** All that a change writes is one message. */
  flush() {
    this.flushing ??= Promise.resolve().then(() => {
      this.flushing = null;
      this.model.save_changes();
      for (const message of this.messages.splice(0)) this.model.send(message);
    });
  }
}

/** The search that Python has sent: that of a recorded function with its events. */
function searchOf(spec) {
  const tree = new Tree(spec.rows, spec);
  const { search, events } = spec;
  const options = { ...search, alpha: fromJson(search.alpha), beta: fromJson(search.beta) };
  if (!events) return trace(tree, options);

  const read = ([kind, node, ...numbers]) => [kind, node, ...numbers.map(fromJson)];
  return new Trace(tree, events.map(read), options);
}

/** The tree and its search as Python and other views read them. */
function editedOf({ view, trace: { tree, options } }) {
  const { title, source, players } = tree;
  const { search, rules, depth } = options;
  const rows = tree.nodes.map(({ name, isMax, value, parent }) => {
    return [name, isMax, toJson(value), parent];
  });
  const named = areNamed(players) ? { players } : {};
  return { rows, title, source, ...named, search, rules, depth, asks: false, view };
}
