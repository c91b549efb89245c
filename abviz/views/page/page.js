// The page: one tree, one search of it, one step. The widget and the exported file are both this.
//
// Python sends the tree, the rules and where its nodes stand; everything that is shown is worked
// out here. Only the events of a recorded function come from Python as well.

import { minimaxBeside } from "./core/beside.js";
import { selectedIn } from "./core/editing.js";
import { showLetters } from "./core/letters.js";
import { similarTree } from "./core/marks.js";
import { known } from "./course.js";
import { Frame } from "./frame.js";
import { keepHabits, readHabits } from "./habits.js";
import { Host } from "./host.js";
import { levelOf } from "./level.js";
import { Motion } from "./motion.js";
import { specOf } from "./scene.js";
import { isPracticing, keptOf } from "./sheet.js";
import { NOTHING, reduce } from "./state.js";
import { Visits } from "./visits.js";

/** @import { Habits } from "./habits.js" */
/** @import { Clock, PageModel } from "./host.js" */
/** @import { Sheet } from "./sheet.js" */
/** @import { Action, State } from "./state.js" */

const NOT_KEPT = ["open", "reopen"];
/** What lets the picture move, where it leads to a later step: also an answer that goes on. */
const GOING_ON = ["next", "choose"];

/**
 * What the page knows of its reader when it opens.
 * @param {Habits} habits
 */
const readerOf = ({ more = false, asked = false }) => ({ isMoreOpen: more, isNewcomer: !asked });

/**
 * The action with what has become of the reader meanwhile, on this page or another.
 * @type {(action: Action) => Action}
 */
const informed = (action) =>
  action.type === "next" || action.type === "nextCut"
    ? { ...action, wasAsked: readHabits().asked }
    : action;

/**
 * The letters that the address of an exported page asks for, if any.
 * @param {PageModel} model
 */
const lettersAsked = (model) =>
  model.get("address") ? new URLSearchParams(location.hash.slice(1)).get("letters") : null;

class Page {
  /**
   * @param {PageModel} model
   * @param {HTMLElement} element
   * @param {Clock} [clock]
   */
  constructor(model, element, clock) {
    showLetters(lettersAsked(model) ?? model.get("letters"));
    /** @param {Action} action */
    const send = (action) => this.send(action);
    const shown = () => this.state;
    this.host = new Host({ model, send, known, clock });
    /** @type {State} */
    this.state = { ...NOTHING, ...this.host.begin(), ...readerOf(readHabits()) };
    this.frame = new Frame({
      shown,
      send,
      link: () => this.visits.address,
      renewPractice: () => this.renewPractice(),
    });
    const { root } = this.frame;
    this.motion = new Motion(root);
    element.append(root);
    this.visits = new Visits({
      root,
      shown,
      send,
      known,
      resume: (marks) => send({ type: "resume", marks }),
    });
    this.host.start();
    if (this.state.assigned) this.send({ type: "turn", mode: "practice" });
  }

  destroy() {
    this.frame.destroy();
    this.host.close();
    this.visits.close();
  }

  /**
   * Let the action happen, and show what it has changed. Return whether another search is shown.
   * @param {Action} action
   */
  send(action) {
    const { frame, motion } = this;
    motion.finish();
    const before = this.state;
    this.state = reduce(before, informed(action));
    if (this.state.problem || before.problem) frame.showProblem();
    this.followSearch(before, action);
    this.followLevel(before);
    this.followStep(before);
    this.followLook(before);
    this.followSplit(before);
    this.followMode(before);
    this.followEdits(before);
    this.followQuestions(before);
    this.followWhy(before);
    this.followSheet(before);
    this.followPreferences(before);
    this.host.write(this.state);
    if (GOING_ON.includes(action.type)) this.moveFrom(before.step);
    return this.state.trace !== before.trace;
  }

  /**
   * Let move in both pictures what has happened since the step.
   * @param {number} step
   */
  moveFrom(step) {
    const { state, frame } = this;
    const pictures = [{ pane: frame.view, from: step }];
    const beside = state.isSplit ? minimaxBeside(state.trace) : null;
    if (beside) pictures.push({ pane: frame.split.view, from: beside.steps[step] });
    this.motion.play(pictures, frame.controls.interval);
  }

  /**
   * Show another search.
   * @param {State} before
   * @param {Action} action
   */
  followSearch(before, { type }) {
    const { state, frame } = this;
    if (state.trace === before.trace) return;

    if (state.spec !== before.spec) {
      frame.root.classList.toggle("abviz-boards", !!specOf(state).boards);
      frame.tools.hideText();
    }
    frame.showTrace(type === "open" ? null : before.trace);
    if (["renew", "answer"].includes(type)) frame.tools.hideText(); // it has been read
    if (isPracticing(before)) this.followPractice();
    const isPassing = before.dragged >= 0 && state.dragged >= 0; // a drag is remembered at its end
    if (!NOT_KEPT.includes(type) && !isPassing) this.keep();
  }

  /**
   * Show more of the same search, or less.
   * @param {State} before
   */
  followLevel(before) {
    const { state, frame } = this;
    const isOpening = !before.trace;
    const isOther = state.show !== before.show;
    const hasOtherParts = state.parts !== before.parts;
    if (isOpening || hasOtherParts) frame.showParts();
    if (isOpening || isOther) frame.levels.show(state.show);
    if (isOpening) return;
    if (isOther || hasOtherParts) this.keep();
    const level = levelOf(state);
    if (level === levelOf(before)) return;

    frame.showParts();
    frame.reserve();
    frame.controls.markCuts(state.trace, level);
    if (isPracticing(state) !== isPracticing(before)) return; // which draws the tree itself
    frame.placeNodes();
    frame.show();
  }

  /**
   * Show what is selected, and the field that is open; remember where a drag has ended.
   * @param {State} before
   */
  followEdits(before) {
    const { state, frame } = this;
    const { selected, field, dragged } = state;
    if (selected !== before.selected) frame.showTools();
    if (before.dragged >= 0 && dragged < 0 && state.trace === before.trace) this.keep();
    if (field !== before.field) frame.field.show(field);
  }

  /**
   * Show another step of the same search.
   * @param {State} before
   */
  followStep(before) {
    const { state, frame } = this;
    if (state.trace !== before.trace || state.step === before.step) return;
    const { text } = frame.share;
    if (!text.hidden) text.hidden = true; // it is of another step
    if (state.mode === before.mode) frame.show();
  }

  /**
   * Show the same step with other nodes folded, or with its history.
   * @param {State} before
   */
  followLook(before) {
    const { state, frame } = this;
    if (state.trace !== before.trace || state.mode !== before.mode) return;
    if (state.closed !== before.closed) {
      frame.placeNodes();
      frame.showPicture();
      frame.showTools(); // they mark the selected node
      frame.showSplit();
    }
    frame.view.setZoom(state.zoom.alphabeta);
    frame.split.view.setZoom(state.zoom.minimax);
    if (state.hasHistory !== before.hasHistory) {
      frame.showPicture();
      this.keep();
    }
  }

  /** @param {State} before */
  followSplit(before) {
    const { state, frame } = this;
    if (state.isSplit === before.isSplit) return;
    const { split } = frame;
    split.element.append(split.view.element); // not before the reader asks for it
    frame.mode("Split view", "abviz-splitting", state.isSplit, split.element);
    frame.showSplit();
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
    const { frame } = this;
    const isOn = isPracticing(this.state);
    frame.mode("Practice", "abviz-practicing", isOn, frame.practice.element);
    frame.placeProblem();
    frame.controls.play(false);
    frame.toggleShare(false);
    frame.placeNodes();
    frame.show();
    if (isOn) frame.judge(new Map());
    else this.host.follow(); // Python may have set a step meanwhile
    this.keep();
  }

  /**
   * Show what has been made of the sheet, and what is said of it.
   * @param {State} before
   */
  followSheet(before) {
    const { frame } = this;
    const { sheet } = this.state;
    const old = before.sheet;
    if (sheet === old || !sheet) return;
    frame.practice.show(sheet);
    /** @param {keyof Sheet} fact */
    const differs = (fact) => sheet[fact] !== old?.[fact];
    if (isPracticing(this.state)) {
      if (differs("given") || differs("cuts")) frame.showPicture();
      if (differs("verdicts")) frame.judge(old ? old.verdicts : new Map());
    }
    if (differs("given") || differs("cuts") || differs("answers")) this.keep();
  }

  /** Show the tools while the tree is edited, and hide them afterwards. */
  followEditing() {
    const { state, frame } = this;
    const { view, tools } = frame;
    const isOn = state.mode === "edit";
    const focused = view.nodeOf(document.activeElement);
    const index = focused >= 0 ? focused : view.visible(selectedIn(state));
    frame.mode("Edit", "abviz-editing", isOn, tools.element);
    if (isOn) this.send({ type: "select", index });
    frame.showTools();
  }

  /** @param {State} before */
  followQuestions(before) {
    if (!before.trace) return;
    const { state, frame } = this;
    /** @param {(keyof State)[]} facts */
    const isOther = (...facts) => facts.some((fact) => state[fact] !== before[fact]);
    if (isOther("asked", "isShowOfHands")) {
      frame.showPredictMode();
      frame.reserve();
      frame.show();
    } else if (isOther("open", "quizzes") && !isOther("trace", "step")) frame.show();
    if (isOther("open") && state.open?.kind === "first") keepHabits({ asked: true });
  }

  /**
   * Say why a node was skipped, or no longer; also in a picture that has been drawn anew.
   * @param {State} before
   */
  followWhy(before) {
    if (this.state.explained >= 0 || before.explained >= 0) this.frame.showWhy();
  }

  /** @param {State} before */
  followPreferences(before) {
    const { frame } = this;
    const { form, speed, isMoreOpen } = this.state;
    if (isMoreOpen !== before.isMoreOpen) frame.showMore();
    if (form !== before.form) frame.writeCode();
    if (speed !== before.speed) frame.controls.setPace(speed);
  }

  /** Practice on a tree of the same kind. */
  renewPractice() {
    this.send({ type: "search", tree: similarTree(this.state.trace.tree, Math.random) });
  }

  /** Remember what the reader has changed. */
  keep() {
    this.visits.keep(keptOf(this.state));
  }
}

/** @param {{model: PageModel, el: HTMLElement, clock?: Clock}} context */
export function render({ model, el, clock }) {
  const page = new Page(model, el, clock);
  if (model.get("address")) queueMicrotask(() => page.visits.restore()); // an address may be for a later tree of the page
  return () => page.destroy();
}

export default { render };
