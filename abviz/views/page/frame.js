// The frame of a page: all its panels at their places, and what each of them shows of the state.

import { canRevalue, hasShape, selectedIn } from "./core/editing.js";
import { marksOf } from "./core/marks.js";
import { machine } from "./core/numbers.js";
import { nodesOfFirst } from "./core/questions.js";
import { isSameSearch } from "./core/trace.js";
import { whySkipped } from "./core/whys.js";
import { visible } from "./core/words.js";
import { html, refill } from "./dom.js";
import { gesturesOf } from "./gestures.js";
import { keepHabits } from "./habits.js";
import { PageKeys } from "./keyboard.js";
import { isShown, levelOf, stepsOf } from "./level.js";
import { Pane } from "./pane.js";
import { BoardPanel } from "./panels/board.js";
import { Choices } from "./panels/choices.js";
import { Code } from "./panels/code.js";
import { Controls } from "./panels/controls.js";
import { LeafField } from "./panels/field.js";
import { Foot } from "./panels/foot.js";
import { Levels } from "./panels/levels.js";
import { Notes } from "./panels/notes.js";
import { NumberLine } from "./panels/number-line.js";
import { Practice } from "./panels/practice.js";
import { Predict } from "./panels/predict.js";
import { Sentence } from "./panels/sentence.js";
import { Share } from "./panels/share.js";
import { Stack } from "./panels/stack.js";
import { Tools } from "./panels/tools.js";
import { Why } from "./panels/why.js";
import { Pointer } from "./pointer.js";
import {
  hasBegun,
  hidesZones,
  isForClass,
  isPredicting,
  isToBeAsked,
  kindsAsked,
  mustAnswer,
  newcomersQuestion,
  openQuestion,
  questionsAt,
  scoreSoFar,
} from "./quiz.js";
import { isOwn, planFor, sceneOf, specOf } from "./scene.js";
import { focusStepper, goToStepper, printInstead, toggleFullScreen } from "./screen.js";
import { isFilledIn, isPracticing } from "./sheet.js";
import { arrange } from "./sizes.js";
import { Split } from "./split.js";

/** @import { Part } from "./core/levels.js" */
/** @import { Trace } from "./core/trace.js" */
/** @import { Deeds } from "./panels/commands.js" */
/** @import { Plan } from "./picture.js" */
/** @import { Sheet } from "./sheet.js" */
/** @import { Action, State } from "./state.js" */

/** The height of a field that is filled in with a finger, in points. */
const TOUCHABLE = 28;

/** The buttons of what an assigned page refuses. */
const OTHER_MODES = ["Predict", "Practice", "Edit", "Split view"];

export class Frame {
  root = html("div", { class: "abviz-stepper", tabindex: "0", role: "group" });
  title = html("h2", { class: "abviz-title" });
  overSentence = html("div", { class: "abviz-over-sentence" }); // so that nothing below moves
  problem = html("p", { class: "abviz-problem", role: "alert", hidden: "" });
  side = html("div", { class: "abviz-side" });
  body = html("div", { class: "abviz-body" });
  sentence = new Sentence();
  line = new NumberLine();
  stack = new Stack();
  board = new BoardPanel();
  foot = new Foot();
  notes = new Notes();
  sizes = new ResizeObserver(() => this.arrange()); // of what the size of the tree leaves as it is
  /** @type {Plan} */
  plan = Object.create(null); // until there is a tree

  /**
   * @param {object} page
   * @param {() => State} page.shown
   * @param {(action: Action) => boolean} page.send return whether another search is shown
   * @param {() => string} page.link the address of the step that is shown
   * @param {() => void} page.renewPractice show another tree of the same kind
   */
  constructor({ shown, send, link, renewPractice }) {
    this.shown = shown;
    this.send = send;
    const { hasPython, hasAddress } = this.state;
    const focus = () => focusStepper(this.root);
    const hasAnswers = () => isFilledIn(this.state);

    this.view = this.newPane("Alpha-beta", "alphabeta");
    this.split = new Split(this.newPane("Minimax", "minimax"), (trace) => this.planFor(trace));
    this.code = new Code({ choose: (form) => send({ type: "prefer", form }) });
    this.controls = new Controls(this.deeds());
    this.choices = new Choices({ send, focusStepper: focus, hasAnswers });
    this.levels = new Levels({ send });
    this.tools = new Tools({ send, hasAnswers, hasPython });
    this.predict = new Predict({ send, focusStepper: focus });
    this.why = new Why({ send, focusStepper: focus });
    const { assigned } = this.state;
    this.practice = new Practice({ send, renew: renewPractice, assigned });
    this.share = new Share({
      hasAddress,
      link,
      picture: () => this.view.picture,
      print: (paper) => printInstead(this.root, paper),
    });
    this.field = new LeafField({
      root: this.root,
      send,
      nodeAt: (index) => this.view.picture.nodes[index]?.group,
      focusNode: (index) => this.view.focus(index),
    });
    this.pointer = new Pointer(
      this.view,
      gesturesOf({
        shown,
        send,
        picks: (path) => this.predict.picks(path),
        look: () => this.showBoard(),
        press: focus,
      }),
    );
    this.build();
    this.keyboard = this.newKeyboard();
    this.watch();
  }

  /** Put each part at its place. */
  build() {
    const { root, body, side, controls, choices, share, predict, practice, tools } = this;
    const { board, line, code, stack, why, problem } = this;
    this.overSentence.append(why.element, problem);
    side.append(board.element, line.element, code.element, stack.element);
    body.append(this.view.element, this.split.element, side);
    if (!this.state.assigned) controls.more.append(choices.element);
    controls.more.append(this.levels.element);
    this.sentence.room.append(predict.element);
    this.foot.counts.after(predict.score);
    root.append(
      html("div", { class: "abviz-head" }, this.title, choices.ofRun),
      html("div", { class: "abviz-bar" }, controls.element, controls.modes),
      controls.more,
      share.element,
      this.overSentence,
      this.sentence.element,
      body,
      practice.element,
      tools.element,
      this.foot.element,
      this.notes.element,
      controls.help,
    );
    const refused = this.state.assigned ? OTHER_MODES : [];
    for (const name of refused) controls.buttons[name].hidden = true;
  }

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
   * What the commands ask for.
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

  /**
   * A key is for the open question, the field or the node that has the keyboard, or else for a
   * command.
   */
  newKeyboard() {
    const { root, view, controls, choices, predict, practice, pointer, tools } = this;
    /** @param {Element} target */
    const pathTo = (target) => {
      const node = view.nodeOf(target);
      return node < 0 ? [] : this.trace.tree.path(node);
    };
    return new PageKeys({
      root,
      takers: [
        (event, target) => predict.key(event, pathTo(target)),
        (event, target) => this.isPractice && practice.key(event, view.nodeOf(target)),
        (event) => pointer.key(event),
        (event) => this.takesValue(event),
      ],
      closers: [
        () => controls.closeHelp(),
        () => this.clearProblem(),
        () => this.stopExplaining(),
        () => choices.close(),
        () => this.stopEditing(),
      ],
      commands: { ...controls.keys, ...tools.keys },
    });
  }

  /** Divide the room anew where the size of something changes. */
  watch() {
    const { root, tools, share, foot, sentence, controls, practice } = this;
    root.addEventListener("fullscreenchange", () => this.arrange());
    window.addEventListener("resize", this.onResize);
    for (const { element } of [tools, share, foot, sentence]) this.sizes.observe(element);
    this.sizes.observe(practice.task);
    controls.setPace(this.state.speed);
    controls.open(this.state.isMoreOpen);
  }

  /**
   * A window has another height. On a phone it changes with the browser's own bar and keyboard,
   * while nothing may move under the finger.
   */
  onResize = () => {
    if (!this.root.matches(".abviz-low, .abviz-narrow")) this.arrange();
  };

  destroy() {
    this.controls.play(false);
    window.removeEventListener("resize", this.onResize);
    this.sizes.disconnect();
    this.pointer.letGo();
    this.keyboard.letGo();
    this.root.remove();
  }

  // ---------------------------------------------------------------- the state

  get state() {
    return this.shown();
  }

  get trace() {
    return this.state.trace;
  }

  get isPractice() {
    return isPracticing(this.state);
  }

  /** Return whether there was a problem to be cleared. */
  clearProblem() {
    const { problem } = this.state;
    if (problem) this.send({ type: "complain", problem: "" });
    return problem !== "";
  }

  /** Return whether it was said why a node was skipped. */
  stopExplaining() {
    const { explained } = this.state;
    this.send({ type: "explain", index: -1 });
    return explained >= 0;
  }

  /**
   * A number that is typed while it is said why a leaf was skipped is its new value; true for those
   * keys.
   * @param {KeyboardEvent} event
   */
  takesValue({ key, target }) {
    const { explained } = this.state;
    const isOfPicture = target === this.root || this.view.nodeOf(target) >= 0;
    const isNumber = /^[-−.\d∞]$/.test(key);
    if (!isOfPicture || !isNumber || !canRevalue(this.state, explained)) return false;
    this.send({ type: "openField", kind: "value", index: explained }); // the sign goes there
    return true;
  }

  /** Return whether the tree was edited. */
  stopEditing() {
    const { mode } = this.state;
    if (mode === "edit") this.send({ type: "turn", mode: "" });
    return mode === "edit";
  }

  // ---------------------------------------------------------------- a search

  /**
   * Show the trace in every part of the page; `before` is the one that was shown, if any.
   * @param {Trace | null} before
   */
  showTrace(before) {
    const { trace: next, original } = this.state;
    const isSameShown = before?.tree.shape === next.tree.shape && before.search === next.search;
    const isSameCode = isSameShown && isSameSearch(before.options, next.options); // only leaves differ

    this.showTitle(next.tree);
    if (!isSameCode) this.predict.offer(kindsAsked(next));
    if (!isSameShown) {
      this.placeNodes();
      this.showPicture(); // before all that depends on its size
    }

    this.root.dataset.steps = `${next.length}`;
    this.root.dataset.value = machine(next.value);
    this.foot.load({ trace: next, original, isOwn: isOwn(this.state) });
    this.foot.explain({ trace: next, show: levelOf(this.state) });
    if (!isSameCode) this.writeCode();
    this.choices.show({ trace: next, original, hasShape: hasShape(this.state) });

    this.showPredictMode();
    this.controls.load(next, levelOf(this.state));
    const hasMinimax = next.search === "alphabeta" && !this.state.assigned;
    this.controls.buttons["Split view"].hidden = !hasMinimax;

    const hasNewNotes = this.notes.load(next, original);
    if (!isSameCode || hasNewNotes) this.reserve();
    this.show();
    this.showTools();
    if (!isSameShown) {
      this.stack.reserve(next.tree);
      this.arrange();
    }
  }

  /** @param {Trace["tree"]} tree */
  showTitle(tree) {
    const title = visible(tree.title) || "A game tree";
    const source = visible(tree.source);
    refill(this.title, [
      ["strong", {}, title],
      ["span", { title: source }, source],
    ]);
    this.root.setAttribute("aria-label", `Stepper: ${title}`);
  }

  /** Reserve room for the longest texts, so that nothing below moves while stepping. */
  reserve() {
    const { trace: shown, state } = this;
    const texts = {
      trace: shown,
      show: levelOf(state),
      isForClass: isForClass(state),
      isInviting: isToBeAsked(state),
      hasAnswers: newcomersQuestion(state) !== null,
    };
    this.sentence.reserve(texts, (step) => questionsAt(state, step));
    this.notes.reserve();
    this.foot.reserve(shown);
  }

  showPredictMode() {
    const { predict, state } = this;
    const isOn = isPredicting(state);
    this.hide(predict.score, !isOn); // before the mode makes the tree fit
    this.mode("Predict", "abviz-predicting", isOn, predict.element);
    this.root.classList.toggle("abviz-hands", isForClass(state));
  }

  writeCode() {
    const { trace: shown, step, form } = this.state;
    this.code.write({ trace: shown, step, form });
  }

  // ---------------------------------------------------------------- the step

  /** Show the step in the picture, the panels and the controls. */
  show() {
    const { trace: shown, step } = this.state;
    this.root.dataset.step = `${step}`;
    this.foot.show({ trace: shown, step });
    this.notes.show({ trace: shown, step });
    this.showPicture();
    this.showSplit();
    this.line.show({ trace: shown, step, hasZones: !hidesZones(this.state) });
    this.code.show({ trace: shown, step });
    this.stack.show({ trace: shown, step, isPractice: this.isPractice });
    this.showBoard();
    this.showControls();
    this.showQuestion();
    requestAnimationFrame(() => this.reveal());
  }

  /** Place the nodes of the tree anew. */
  placeNodes() {
    this.plan = this.planFor(this.trace);
  }

  /** @param {Trace} searched */
  planFor(searched) {
    const isTouched = this.isPractice && matchMedia("(pointer: coarse)").matches;
    return planFor(this.state, searched, isTouched ? TOUCHABLE : undefined);
  }

  scene() {
    return sceneOf(this.state, this.plan, (sheet) => this.practice.fieldsOf(sheet));
  }

  showPicture() {
    this.view.show(this.scene());
  }

  /** Show the board of the node under the pointer, of that which has the keyboard, or of the step. */
  showBoard() {
    const { boards } = specOf(this.state);
    const { pointed, focused } = this.pointer;
    const current = this.trace.places[this.state.step];
    const index = [pointed, focused, current].find((node) => node >= 0) ?? -1;

    if (boards) this.view.picture.mark("abviz-shown", [index]);
    this.board.show({ boards, node: this.trace.nodes[index] });
  }

  /** Say what the step is about, or ask what the next one will be about. */
  showQuestion() {
    const { state } = this;
    const { trace: shown, step, asked } = state;
    const question = openQuestion(state);
    const forClass = isForClass(state);

    this.root.dataset.question = question ? question.kind : "";
    this.sentence.show({
      trace: shown,
      step,
      show: levelOf(state),
      question,
      isForClass: forClass,
      isInviting: isToBeAsked(state),
    });
    this.predict.show({
      question,
      asked,
      isForClass: forClass,
      hasBegun: hasBegun(state),
      score: scoreSoFar(state),
    });

    const isOpen = question && !question.verdict;
    this.view.asked = question?.kind === "first" ? nodesOfFirst(shown) : [];
    if (!isPredicting(state)) this.hide(this.predict.element, !isOpen);
    this.view.picture.mark("abviz-picked", isOpen ? question.picked : []);
  }

  showControls() {
    const { state } = this;
    this.controls.show({
      trace: state.trace,
      step: state.step,
      steps: stepsOf(state),
      isPractice: this.isPractice,
      hasQuestions: kindsAsked(state.trace).length > 0,
      isAsking: state.open !== null,
      isLocked: mustAnswer(state),
    });
  }

  showSplit() {
    if (this.state.isSplit) this.split.show(this.scene());
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
      hasChanges: (specOf(state).changes ?? 0) > 0,
      hasShape: hasShape(state),
      isOn,
    });
    this.view.picture.mark("abviz-selected", isOn ? [selectedIn(state)] : []);
  }

  /** Say why a node was skipped, where that is asked, and mark the node. */
  showWhy() {
    const { state } = this;
    const { trace: shown, step, explained } = state;
    const why = whySkipped(shown, step, explained, levelOf(state));
    this.why.show({ why, index: explained, step, canChange: canRevalue(state, explained) });
    this.view.picture.mark("abviz-explained", why ? [explained] : []);
    if (why) this.controls.play(false);
  }

  showProblem() {
    const { problem } = this.state;
    this.problem.textContent = problem;
    this.problem.hidden = !problem;
  }

  /** In practice no sentence is shown: a notice would cover the tree, and stands below it. */
  placeProblem() {
    const place = this.isPractice ? this.practice.row : this.overSentence;
    place.append(this.problem);
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

  // ---------------------------------------------------------------- the parts, and their sizes

  /** Show the parts of the page that belong to the level, or that the reader has opened. */
  showParts() {
    const { line, code, stack, foot } = this;
    const parts = {
      line: line.element,
      code: code.element,
      stack: stack.element,
      rules: foot.rules,
    };
    foot.explain({ trace: this.state.trace, show: levelOf(this.state) });
    for (const [part, element] of /** @type {[Part, HTMLElement][]} */ (Object.entries(parts))) {
      this.hide(element, !isShown(this.state, part));
    }
    this.arrange();
  }

  /** Show what is under More, or hide it, and remember that. */
  showMore() {
    const { isMoreOpen } = this.state;
    this.controls.open(isMoreOpen);
    this.arrange();
    if (isMoreOpen) this.controls.more.scrollIntoView({ block: "nearest" });
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
    const isInMode = state.mode !== "" || state.isSplit || isPredicting(state);
    arrange({ root, body, side, panes }, isInMode);
    this.reveal();
  }

  /** Scroll the panels to the line of code that runs and to the newest call. */
  reveal() {
    this.code.reveal();
    this.stack.reveal();
  }
}
