// The page: one tree, one search of it, one step. The widget and the exported file are both this.
//
// Python sends the tree, the rules and where its nodes stand; everything that is shown is worked
// out here. Only the events of a recorded function come from Python as well.

import { isOwnShape } from "./core/address.js";
import { dragOf, hasShape, isLocked, selectedIn } from "./core/editing.js";
import { marksOf, similarTree } from "./core/marks.js";
import { known } from "./course.js";
import { keepHabits, readHabits } from "./habits.js";
import { Host } from "./host.js";
import { machine } from "./core/numbers.js";
import { BoardPanel } from "./panels/board.js";
import { Choices } from "./panels/choices.js";
import { Code } from "./panels/code.js";
import { Controls } from "./panels/controls.js";
import { LeafField } from "./panels/field.js";
import { Foot } from "./panels/foot.js";
import { Notes } from "./panels/notes.js";
import { Levels } from "./panels/levels.js";
import { NumberLine } from "./panels/number-line.js";
import { Practice } from "./panels/practice.js";
import { Predict, sayingOf, sayingsAt } from "./panels/predict.js";
import { Share } from "./panels/share.js";
import { Stack } from "./panels/stack.js";
import { Tools } from "./panels/tools.js";
import {
  hasBegun,
  hidesZones,
  isForClass,
  isPredicting,
  kindsAsked,
  mustAnswer,
  openQuestion,
  questionsAt,
  scoreSoFar,
} from "./quiz.js";
import { isShown, levelOf, stepsOf } from "./level.js";
import { isFilledIn, isPracticing, keptOf } from "./sheet.js";
import { Split } from "./split.js";
import { NOTHING, reduce } from "./state.js";
import { isSameSearch } from "./core/trace.js";
import { guardKeys, html, keyName, refill } from "./dom.js";
import { Motion } from "./motion.js";
import { Pane } from "./pane.js";
import { planOf } from "./picture.js";
import { Pointer } from "./pointer.js";
import { focusStepper, goToStepper, printInstead, toggleFullScreen } from "./screen.js";
import { arrange } from "./sizes.js";
import { Visits } from "./visits.js";
import { lettersShown } from "./core/levels.js";
import { longest, visible } from "./core/words.js";

/** @import { Trace } from "./core/trace.js" */
/** @import { Clock, PageModel, Spec } from "./host.js" */
/** @import { Part } from "./level.js" */
/** @import { Deeds } from "./panels/commands.js" */
/** @import { Plan, Scene } from "./picture.js" */
/** @import { Actions } from "./pointer.js" */
/** @import { Sheet } from "./sheet.js" */
/** @import { Action, State } from "./state.js" */

const NOT_KEPT = ["open", "reopen"];
/** @type {Set<string>} */
const NO_CUTS = new Set();
const MOST_BOARDS = 60; // nodes of a tree with a board on each

class Page {
  root = html("div", { class: "abviz-stepper", tabindex: "0", role: "group" });
  title = html("h2", { class: "abviz-title" });
  problem = html("p", { class: "abviz-problem", role: "alert", hidden: "" });
  says = html("p", { class: "abviz-says", role: "status", "aria-live": "polite" });
  sentence = html("div", { class: "abviz-sentence" }, this.says);
  side = html("div", { class: "abviz-side" });
  body = html("div", { class: "abviz-body" });
  foot = new Foot();
  notes = new Notes();
  motion = new Motion(this.root);
  sizes = new ResizeObserver(() => this.arrange()); // of what the size of the tree leaves as it is
  /** @type {Plan} */
  plan = Object.create(null); // until there is a tree
  isOwn = true; // whether the tree has the shape of the page's own

  /**
   * @param {PageModel} model
   * @param {HTMLElement} element
   * @param {Clock} [clock]
   */
  constructor(model, element, clock) {
    /** @param {Action} action */
    const send = (action) => this.send(action);
    this.host = new Host({ model, send, known, clock });
    /** @type {State} */
    this.state = { ...NOTHING, ...this.host.begin(), isMoreOpen: readHabits().more === true };
    this.view = this.newPane("Alpha-beta", "alphabeta");
    this.pointer = new Pointer(this.view, this.pointerActions());
    this.line = new NumberLine();
    this.code = new Code({ choose: (form) => send({ type: "prefer", form }) });
    this.stack = new Stack();
    this.board = new BoardPanel();
    this.controls = new Controls(this.deeds());
    const hasAnswers = () => isFilledIn(this.state);
    const focus = () => focusStepper(this.root);
    this.choices = new Choices({ send, focusStepper: focus, hasAnswers });
    this.levels = new Levels({ send });
    this.tools = new Tools({ send, hasAnswers, hasPython: this.state.hasPython });
    // What each key does: {act, isOn}.
    this.keys = { ...this.controls.keys, ...this.tools.keys };
    this.predict = new Predict({ send, focusStepper: focus });
    this.practice = new Practice({ send, renew: () => this.renewPractice() });
    this.split = new Split(this.newPane("Minimax", "minimax"), (trace) => this.planFor(trace));
    this.share = new Share({
      hasAddress: !this.state.hasPython,
      link: () => this.visits.address,
      picture: () => this.view.picture,
      print: (paper) => printInstead(this.root, paper),
    });
    this.field = new LeafField({
      root: this.root,
      send,
      nodeAt: (index) => this.view.picture.nodes[index]?.group,
      focusNode: (index) => this.view.focus(index),
    });
    this.build(element);
    this.visits = new Visits({
      root: this.root,
      shown: () => this.state,
      send,
      known,
      resume: (marks) => send({ type: "resume", marks }),
    });
    this.host.start();
    this.listen();
    this.unguard = guardKeys(this.root);
  }

  /** @param {HTMLElement} element */
  build(element) {
    const {
      view,
      controls,
      choices,
      tools,
      share,
      predict,
      split,
      line,
      code,
      stack,
      board,
      practice,
    } = this;
    this.side.append(board.element, line.element, code.element, stack.element);
    this.body.append(view.element, split.element, this.side);
    controls.more.append(choices.element, this.levels.element);
    controls.open(this.state.isMoreOpen);
    this.root.append(
      html("div", { class: "abviz-head" }, this.title, choices.ofRun),
      html("div", { class: "abviz-bar" }, controls.element, controls.modes),
      controls.more,
      share.element,
      html("div", { class: "abviz-over-sentence" }, this.problem), // so that nothing below moves
      this.sentence,
      predict.element,
      this.body,
      predict.score,
      practice.element,
      tools.element,
      this.foot.element,
      this.notes.element,
      controls.help,
    );
    element.append(this.root);
  }

  // ---------------------------------------------------------------- the state, and what follows

  get spec() {
    return /** @type {Spec} */ (this.state.spec); // there is one once Python has sent it
  }

  get original() {
    return this.state.original;
  }

  get trace() {
    return this.state.trace;
  }

  get tree() {
    return this.state.trace.tree;
  }

  get step() {
    return this.state.step;
  }

  get closed() {
    return this.state.closed;
  }

  get isPractice() {
    return isPracticing(this.state);
  }

  /**
   * Let the action happen, and show what it has changed. Return whether another search is shown.
   * @param {Action} action
   */
  send(action) {
    this.motion.finish();
    const before = this.state;
    this.state = reduce(before, action);
    this.showProblem(before);
    this.followSearch(before, action);
    this.followLevel(before);
    this.followStep(before);
    this.followLook(before);
    this.followSplit(before);
    this.followMode(before);
    this.followEdits(before);
    this.followQuestions(before);
    this.followSheet(before);
    this.followPreferences(before);
    this.host.write(this.state);
    if (action.type === "next") this.motion.play(this.view, before.step, this.controls.interval);
    return this.trace !== before.trace;
  }

  /** @param {State} before */
  showProblem(before) {
    const { problem } = this.state;
    if (!problem && !before.problem) return;
    this.problem.textContent = problem;
    this.problem.hidden = !problem;
  }

  /**
   * Show another search.
   * @param {State} before
   * @param {Action} action
   */
  followSearch(before, { type }) {
    const { state, trace: shown } = this;
    if (shown === before.trace) return;

    if (state.spec !== before.spec) {
      this.root.classList.toggle("abviz-boards", !!this.spec.boards);
      this.tools.hideText();
    }
    this.showTrace(type === "open" ? null : before.trace);
    if (["renew", "answer"].includes(type)) this.tools.hideText(); // it has been read
    if (isPracticing(before)) this.followPractice();
    const isPassing = before.dragged >= 0 && state.dragged >= 0; // a drag is remembered at its end
    if (!NOT_KEPT.includes(type) && !isPassing) this.keep();
  }

  /**
   * Show more of the same search, or less.
   * @param {State} before
   */
  followLevel(before) {
    const { state } = this;
    const isOpening = !before.trace;
    if (isOpening || state.parts !== before.parts) this.showParts();
    if (isOpening || state.show !== before.show) this.levels.show(state.show);
    if (!isOpening && state.show !== before.show) this.keep();
    if (isOpening || levelOf(state) === levelOf(before)) return;

    this.plan = this.planFor(this.trace);
    this.showParts();
    this.reserve();
    this.show();
  }

  /** Show the parts of the page that belong to the level, or that the reader has opened. */
  showParts() {
    const { line, code, stack, foot } = this;
    const parts = {
      line: line.element,
      code: code.element,
      stack: stack.element,
      rules: foot.rules,
    };
    for (const [part, element] of /** @type {[Part, HTMLElement][]} */ (Object.entries(parts))) {
      this.hide(element, !isShown(this.state, part));
    }
    this.arrange();
  }

  /**
   * Show what is selected, and the field that is open; remember where a drag has ended.
   * @param {State} before
   */
  followEdits(before) {
    const { state } = this;
    const { selected, field, dragged } = state;
    if (selected !== before.selected) this.showTools();
    if (before.dragged >= 0 && dragged < 0 && state.trace === before.trace) this.keep();
    if (field !== before.field) this.field.show(field);
  }

  /**
   * Show another step of the same search.
   * @param {State} before
   */
  followStep(before) {
    if (this.trace !== before.trace || this.step === before.step) return;
    if (!this.share.text.hidden) this.share.text.hidden = true; // it is of another step
    if (this.state.mode === before.mode) this.show();
  }

  /**
   * Show the same step with other nodes folded, or with its history.
   * @param {State} before
   */
  followLook(before) {
    const { state } = this;
    if (state.trace !== before.trace || state.mode !== before.mode) return;
    if (state.closed !== before.closed) {
      this.plan = this.planFor(this.trace);
      this.view.show(this.scene());
      this.showTools(); // they mark the selected node
      this.showSplit();
    }
    this.view.setZoom(state.zoom.alphabeta);
    this.split.view.setZoom(state.zoom.minimax);
    if (state.hasHistory !== before.hasHistory) this.view.show(this.scene());
  }

  /** @param {State} before */
  followSplit(before) {
    const { split, state } = this;
    if (state.isSplit === before.isSplit) return;
    split.element.append(split.view.element); // not before the reader asks for it
    this.mode("Split view", "abviz-splitting", state.isSplit, split.element);
    this.showSplit();
  }

  /** @param {State} before */
  followMode(before) {
    const { state } = this;
    if (state.mode === before.mode) return;
    if ([before.mode, state.mode].includes("edit")) this.followEditing();
    if (state.trace !== before.trace) return; // then practice has been left with the search
    if (isPracticing(before) || isPracticing(state)) this.followPractice();
  }

  /** Practice has been turned on or off, or is about another search. */
  followPractice() {
    const isOn = this.isPractice;
    this.mode("Practice", "abviz-practicing", isOn, this.practice.element);
    this.controls.play(false);
    this.toggleShare(false);
    this.plan = this.planFor(this.trace);
    this.show();
    if (isOn) this.judge(new Map());
    else this.obey(); // Python may have set a step meanwhile
    this.keep();
  }

  /**
   * Show what has been made of the sheet, and what is said of it.
   * @param {State} before
   */
  followSheet(before) {
    const { sheet } = this.state;
    const old = before.sheet;
    if (sheet === old || !sheet) return;
    this.practice.show(sheet);
    /** @param {keyof Sheet} fact */
    const differs = (fact) => sheet[fact] !== old?.[fact];
    if (this.isPractice) {
      if (differs("given") || differs("cuts")) this.view.show(this.scene());
      if (differs("verdicts")) this.judge(old ? old.verdicts : new Map());
    }
    if (differs("given") || differs("cuts") || differs("answers")) this.keep();
  }

  /**
   * Mark the fields and edges of whose verdicts these were not those before.
   * @param {Sheet["verdicts"]} before
   */
  judge(before) {
    const { sheet } = this.state;
    if (!sheet) return;
    const { trace: about, verdicts } = sheet;
    const marks = marksOf(about).map(({ key, index }) => {
      return { key, index, verdict: verdicts.get(key) ?? "" };
    });
    /** @param {{key: string, verdict: string}} mark */
    const isOther = ({ key, verdict }) => verdict !== (before.get(key) ?? "");
    this.view.picture.judge(marks.filter(isOther));
  }

  /** Show the tools while the tree is edited, and hide them afterwards. */
  followEditing() {
    const { state, view, tools } = this;
    const isOn = state.mode === "edit";
    const focused = view.nodeOf(document.activeElement);
    const index = focused >= 0 ? focused : view.visible(selectedIn(state));
    this.mode("Edit", "abviz-editing", isOn, tools.element);
    if (isOn) this.send({ type: "select", index });
    this.showTools();
  }

  /** @param {State} before */
  followQuestions(before) {
    if (!before.trace) return;
    const { state } = this;
    /** @param {(keyof State)[]} facts */
    const isOther = (...facts) => facts.some((fact) => state[fact] !== before[fact]);
    if (isOther("asked", "isShowOfHands")) {
      this.showPredictMode();
      this.reserve();
      this.show();
    } else if (isOther("open", "quizzes") && !isOther("trace", "step")) this.show();
  }

  /** @param {State} before */
  followPreferences(before) {
    const { form, speed, isMoreOpen } = this.state;
    if (isMoreOpen !== before.isMoreOpen) this.showMore();
    if (form !== before.form) this.writeCode();
    if (speed !== before.speed) this.controls.setPace(speed);
  }

  /**
   * Show the trace in every part of the page; `before` is the one that was shown, if any.
   * @param {Trace | null} before
   */
  showTrace(before) {
    const { trace: next } = this;
    const { original } = this;
    this.isOwn = isOwnShape(next, original); // its leaves may differ
    const isSameShown = before?.tree.shape === next.tree.shape && before.search === next.search;
    const isSameCode = isSameShown && isSameSearch(before.options, next.options); // only leaves differ
    const [title, source] = [visible(next.tree.title) || "A game tree", visible(next.tree.source)];
    refill(this.title, [
      ["strong", {}, title],
      ["span", { title: source }, source],
    ]);
    this.root.setAttribute("aria-label", `Stepper: ${title}`);
    if (!isSameCode) this.predict.offer(kindsAsked(next));
    if (!isSameShown) {
      this.plan = this.planFor(next);
      this.view.show(this.scene()); // before all that depends on its size
    }
    this.root.dataset.steps = `${next.length}`;
    this.root.dataset.value = machine(next.value);
    this.foot.load({ trace: next, original, isOwn: this.isOwn });
    if (!isSameCode) this.writeCode();
    this.choices.show({ trace: next, original, hasShape: hasShape(this.state) });
    this.showPredictMode();
    this.controls.load(next);
    this.controls.buttons["Split view"].hidden = next.search !== "alphabeta";
    const hasNewNotes = this.notes.load(next, original);
    if (!isSameCode || hasNewNotes) this.reserve();
    this.show();
    this.showTools();
    if (!isSameShown) {
      this.stack.reserve(next.tree);
      this.arrange();
    }
  }

  /** Reserve room for the longest sentence, so that nothing below moves while stepping. */
  reserve() {
    const { trace: shown, state } = this;
    const [show, forClass] = [levelOf(state), isForClass(state)];
    const stride = Math.ceil(shown.length / 400) || 1;
    const texts = [];
    for (let step = 0; step <= shown.length; step += stride) {
      const questions = questionsAt(state, step);
      texts.push(...sayingsAt({ trace: shown, step, show, questions, isForClass: forClass }));
    }
    this.sentence.dataset.longest = `${longest(texts)} and more`; // a shorter one can wrap to more lines
    this.notes.reserve();
    this.foot.reserve(shown);
  }

  // ---------------------------------------------------------------- step k

  /** Go to the step that Python has set meanwhile. */
  obey() {
    this.host.follow();
  }

  /** Show the step in the picture, the panels and the controls. */
  show() {
    const { trace: shown, step } = this;
    this.root.dataset.step = `${step}`;
    this.foot.show({ trace: shown, step });
    this.notes.show({ trace: shown, step });
    this.view.show(this.scene());
    this.showSplit();
    this.line.show({ trace: shown, step, hasZones: !hidesZones(this.state) });
    this.code.show({ trace: shown, step });
    this.stack.show({ trace: shown, step, isPractice: this.isPractice });
    this.showBoard();
    this.showControls();
    this.showQuestion();
    requestAnimationFrame(() => this.reveal());
  }

  /** Show the board of the node under the pointer, of that which has the keyboard, or of the step. */
  showBoard() {
    const { boards } = this.spec;
    const { pointed, focused } = this.pointer;
    const index = [pointed, focused, this.trace.places[this.step]].find((node) => node >= 0) ?? -1;
    if (boards) this.view.picture.mark("abviz-shown", [index]);
    this.board.show({ boards, node: this.trace.nodes[index] });
  }

  /** Say what the step is about, or ask what the next one will be about. */
  showQuestion() {
    const { state, trace: shown, step, sentence, predict } = this;
    const question = openQuestion(state);
    const forClass = isForClass(state);
    this.root.dataset.question = question ? question.kind : "";
    if (question) {
      sentence.dataset.verdict =
        question.verdict === "shown" ? "right" : question.verdict || "asks";
    } else delete sentence.dataset.verdict;
    // What stays is not read out again.
    const show = levelOf(state);
    refill(this.says, sayingOf({ trace: shown, step, show, question, isForClass: forClass }));

    predict.show({
      question,
      asked: state.asked,
      isForClass: forClass,
      hasBegun: hasBegun(state),
      score: scoreSoFar(state),
    });
    const isOpen = question && !question.verdict;
    this.view.picture.mark("abviz-picked", isOpen ? question.picked : []);
  }

  showPredictMode() {
    const { predict, state } = this;
    const isOn = isPredicting(state);
    this.hide(predict.score, !isOn); // before the mode makes the tree fit
    this.mode("Predict", "abviz-predicting", isOn, predict.element);
    this.root.classList.toggle("abviz-hands", isForClass(state));
  }

  showControls() {
    this.controls.show({
      trace: this.trace,
      step: this.step,
      steps: stepsOf(this.state),
      isPractice: this.isPractice,
      hasQuestions: kindsAsked(this.trace).length > 0,
      isAsking: this.state.open !== null,
      isLocked: mustAnswer(this.state),
    });
  }

  showSplit() {
    const { isSplit, closed } = this.state;
    if (isSplit) this.split.show(this.scene(), closed);
  }

  /** Show what can be done to the selected node, and mark it. */
  showTools() {
    const { state } = this;
    const { trace: shown, selected, past, future } = state;
    const isOn = state.mode === "edit";
    this.tools.show({
      trace: shown,
      selected,
      past,
      future,
      hasChanges: (this.spec.changes ?? 0) > 0,
      hasShape: hasShape(state),
      isOn,
    });
    this.view.picture.mark("abviz-selected", isOn ? [selectedIn(state)] : []);
  }

  /**
   * What the commands ask of the page.
   * @returns {Omit<Deeds, "togglePlay">}
   */
  deeds() {
    return {
      send: (action) => this.send(action),
      toggleShare: () => this.toggleShare(),
      fullScreen: () => toggleFullScreen(this.root),
      toTree: (places) => goToStepper(this.root, places),
      zoomBy: (factor) => this.view.zoomBy(factor),
    };
  }

  writeCode() {
    const { trace: shown, step } = this;
    this.code.write({ trace: shown, step, form: this.state.form });
  }

  // ---------------------------------------------------------------- the picture

  /** @type {(caption: string, picture: keyof State["zoom"]) => Pane} */
  newPane(caption, picture) {
    return new Pane({
      caption,
      zoomBy: (factor, scale) => this.send({ type: "zoom", picture, factor, scale }),
      arrange: () => this.arrange(),
      focusStepper: () => focusStepper(this.root),
    });
  }

  /**
   * What the picture shows now.
   * @returns {Scene}
   */
  scene() {
    const { trace: shown, step, plan, practice } = this;
    const sheet = this.isPractice ? this.state.sheet : null;
    return {
      trace: shown,
      step,
      show: levelOf(this.state),
      plan,
      title: "Game tree",
      boards: this.spec.boards,
      original: this.isOwn ? this.original.tree : null,
      isVeiled: isPredicting(this.state),
      hasHistory: this.state.hasHistory,
      canChange: !isLocked(this.state) && !sheet,
      isStill: false,
      sheet: sheet && practice.fieldsOf(sheet),
      cuts: sheet ? sheet.cuts : NO_CUTS,
    };
  }

  /**
   * Where the nodes are: as Graphviz placed them, as long as the tree has the shape for which
   * Python asked for that.
   * @param {Trace} trace
   */
  planFor({ tree, hasBounds }) {
    const { spec, closed } = this;
    const letters = lettersShown({ hasBounds }, levelOf(this.state)).length;
    const hasBoards = spec.boards?.kind === "cells" && tree.nodes.length <= MOST_BOARDS;
    const top = this.isOwn && !this.isPractice ? spec.top : 0; // for practice the whole tree
    const isWhole = !closed.size && top === spec.top && !tree.nodes.some(({ folded }) => folded);
    const fits = this.isOwn && isWhole && !hasBoards;
    const { centres, size } = spec.places;
    const given = fits ? { places: centres, size, tree: this.original.tree } : null;
    return planOf(tree, { letters, hasBoards, closed, top, given });
  }

  /** @returns {Actions} */
  pointerActions() {
    return {
      look: () => this.showBoard(),
      press: () => focusStepper(this.root),
      click: (index, edge, isDouble) => this.click(index, edge, isDouble),
      fold: (index) => this.send({ type: "fold", index }),
      focusNode: (index) => this.selectNode(index),
      dragOf: (index) => (this.state.open ? "" : dragOf(this.state, index)),
      dragValue: (index, value) => this.send({ type: "drag", index, value }),
      endDrag: () => this.send({ type: "drop" }),
      reorder: (index, place) => this.send({ type: "reorder", index, place }),
      revalue: (index) => this.revalue(index),
    };
  }

  /**
   * A click on a node answers a question, folds, selects or asks for a value; in practice one on an
   * edge cuts.
   * @type {(index: number, edge: number, mayFold: boolean) => void}
   */
  click(index, edge, mayFold) {
    const { predict } = this;
    if (this.isPractice) {
      if (edge >= 0) this.send({ type: "markCut", index: edge });
      return;
    }
    if (index < 0 || predict.picks(this.tree.path(index))) return;
    if (mayFold && this.tree.nodes[index].children.length) {
      this.send({ type: "fold", index });
      return;
    }
    this.selectNode(index);
    this.revalue(index);
  }

  /**
   * Select the node, while the tree is edited.
   * @param {number} index
   */
  selectNode(index) {
    if (this.state.mode === "edit") this.send({ type: "select", index });
  }

  /**
   * Ask for another value of the leaf.
   * @param {number} index
   */
  revalue(index) {
    this.send({ type: "openField", kind: "value", index });
  }

  // ---------------------------------------------------------------- the size of things

  /** Show what is under More, or hide it, and remember that. */
  showMore() {
    const { isMoreOpen } = this.state;
    this.controls.open(isMoreOpen);
    this.arrange();
    keepHabits({ more: isMoreOpen });
  }

  /**
   * Switch a mode: its button, its panel, and the class by which the styles know it.
   * @type {(name: string, kind: string, on: boolean, panel: HTMLElement) => void}
   */
  mode(name, kind, on, panel) {
    if (this.root.classList.contains(kind) === on) return;
    this.controls.buttons[name].setAttribute("aria-pressed", `${on}`);
    this.root.classList.toggle(kind, on);
    this.hide(panel, !on);
    this.arrange();
  }

  /**
   * Hide a part, or show it. Where the keyboard was in it, the page keeps it.
   * @type {(part: HTMLElement, isHidden: boolean) => void}
   */
  hide(part, isHidden) {
    if (isHidden && part.contains(document.activeElement)) focusStepper(this.root);
    part.hidden = isHidden;
  }

  toggleShare(on = !!this.share.element.hidden) {
    this.mode("Share", "abviz-sharing", on, this.share.element);
    this.share.clear();
  }

  /** Divide the room between the trees and the panels. */
  arrange() {
    const { root, body, side, view, split, state } = this;
    const panes = state.isSplit ? [view, split.view] : [view];
    arrange({ root, body, side, panes });
    this.reveal();
  }

  /** Scroll the panels to the line of code that runs and to the newest call. */
  reveal() {
    this.code.reveal();
    this.stack.reveal();
  }

  /** Practice on a tree of the same kind. */
  renewPractice() {
    this.send({ type: "search", tree: similarTree(this.tree, Math.random) });
  }

  /** Remember what the reader has changed. */
  keep() {
    this.visits.keep(keptOf(this.state));
  }

  // ---------------------------------------------------------------- the keys

  /**
   * Say what is wrong; "" for nothing. Return whether nothing is.
   * @param {string} problem
   */
  complain(problem) {
    this.send({ type: "complain", problem });
    return !problem;
  }

  listen() {
    const { root } = this;
    root.addEventListener("keydown", (event) => this.key(event));
    root.addEventListener("fullscreenchange", () => this.arrange());
    for (const { element } of [this.tools, this.share]) this.sizes.observe(element);
    for (const element of [this.foot.element, this.sentence]) this.sizes.observe(element);
    this.controls.setPace(this.state.speed);
  }

  /**
   * A key is for the open question, the field or the node that has the keyboard, or else for a
   * command.
   * @param {KeyboardEvent} event
   */
  key(event) {
    const { key } = event;
    const target = /** @type {Element} */ (event.target);
    const isShortcut = event.ctrlKey || event.metaKey;
    if (key === "Tab") return;
    if (key === "Escape") return void this.escape(event);
    if (!isShortcut) {
      event.stopPropagation();
      const node = this.view.nodeOf(target);
      const path = node < 0 ? [] : this.tree.path(node);
      if (this.predict.key(event, path)) return;
      if (this.isPractice && this.practice.key(event, node)) return;
      if (this.pointer.key(event)) return;
    }
    const control = target.closest("button, select, input, textarea, summary");
    const isField = control?.matches("select, input:not([type=range]), textarea");
    if (isField || (control && [" ", "Enter"].includes(key))) return;
    const name = keyName(event);
    const command = this.keys[name] ?? this.keys[name.replace("Shift+", "")];
    if (!command?.isOn()) return;
    event.preventDefault();
    event.stopPropagation();
    command.act();
  }

  /**
   * Close what is open; with nothing open, give the keyboard back to the page around.
   * @param {KeyboardEvent} event
   */
  escape(event) {
    const { controls, choices, state } = this;
    const focused = /** @type {HTMLElement | SVGElement | null} */ (document.activeElement);
    const target = /** @type {Element} */ (event.target);
    if (target.matches("input, textarea")) {
      event.stopPropagation();
      focusStepper(this.root);
    } else if (controls.help.matches(":popover-open")) controls.help.hidePopover();
    else if (!this.problem.hidden) this.complain("");
    else if (choices.close()) return;
    else if (state.mode === "edit") this.send({ type: "turn", mode: "" });
    else focused?.blur();
  }

  destroy() {
    this.controls.play(false);
    this.sizes.disconnect();
    this.pointer.letGo();
    this.unguard();
    this.host.close();
    this.visits.close();
    this.root.remove();
  }
}

/** @param {{model: PageModel, el: HTMLElement, clock?: Clock}} context */
export function render({ model, el, clock }) {
  const page = new Page(model, el, clock);
  if (model.get("address")) queueMicrotask(() => page.visits.restore()); // an address may be for a later tree of the page
  return () => page.destroy();
}

export default { render };
