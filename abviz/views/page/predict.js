// Predict mode: the second half of the module, after stepper.js. Before a step that answers a question (abviz/questions.py)
// the stepper stops until it is answered. What is right Python has worked out; here it is only compared.

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
const INFINITY = /^([+-]?)(∞|inf|infinity)$/i;
const TESTS = ["bound", "cut", "kind", "skipped"]; // what the zones of the number line would give away
const TO_DO = "Go on with › or →. Before a step is shown you are asked what it brings: answer with a click or a key.";
const TO_DO_IN_CLASS = "Go on with › or →. Before a step is shown the class is asked what it brings; the next → shows the answer.";
const NOT_COUNTED = "Not counted: the step had been seen.";

/** A number as somebody types it; NaN for what is none. */
function typed(text) {
  const plain = text.trim().replace(/[−–]/g, "-").replace(/^([+-]?\d*),(\d+)$/, "$1.$2");
  const infinite = plain.match(INFINITY);
  if (infinite) return infinite[1] === "-" ? -Infinity : Infinity;
  return NUMBER.test(plain) ? Number(plain) : NaN;
}

const equal = (one, other) => one.length === other.length && one.every((each) => other.includes(each));

class Predicting {
  constructor(stepper) {
    this.stepper = stepper;
    this.room = html("div", { class: "abviz-room", "aria-hidden": "true" });
    this.answer = html("div", { class: "abviz-answer", role: "group", "aria-label": "Answer" });
    this.score = html("div", { class: "abviz-score", role: "group", "aria-label": "What is asked, and the score" });
    const answers = html("div", { class: "abviz-answers" }, this.room, this.answer);
    this.element = html("div", { class: "abviz-predict", hidden: "" }, answers, this.score);
    // Before the picture's own listeners: a click that chooses a node does nothing else with it.
    for (const event of ["click", "keydown"]) stepper.pane.addEventListener(event, (heard) => this.pick(heard), true);
  }

  // ---------------------------------------------------------------- what is asked

  get chosen() {
    return this.stepper.model.get("predict") || [];
  }

  get on() {
    return this.chosen.some((kind) => kind in this.questions);
  }

  get hands() {
    return this.on && !!this.stepper.model.get("show_of_hands");
  }

  /** No step beyond the question before it is answered. */
  get locked() {
    return !!this.open && !this.verdict && !this.hands;
  }

  /** What the zones of the number line would tell is still to be asked at this node. */
  get tests() {
    const { step } = this.stepper;
    const coming = [...this.waiting(step + 1), ...this.waiting(step + 2)];
    return coming.some(({ kind }) => TESTS.includes(kind)) || (!!this.open && TESTS.includes(this.open.kind));
  }

  load() {
    this.questions = this.stepper.frames.questions || {};
    this.at = new Map();
    for (const kind in this.questions) {
      for (const row of this.questions[kind].asked) {
        if (!this.at.has(row[0])) this.at.set(row[0], []);
        this.at.get(row[0]).push({ kind, row });
      }
    }
    this.again();
    this.refresh();
  }

  again() {
    this.answered = new Set();
    this.counts = {};
    this.furthest = this.stepper.step; // what lies behind has been on the screen, and counts no more
    this.open = this.verdict = null;
    this.begun = false;
  }

  /** The questions that are still to be answered before the step. */
  waiting(step) {
    return (this.at.get(step) || []).filter((question) => this.chosen.includes(question.kind) && !this.answered.has(question));
  }

  fill(form, { row: [, node, , , ...filled] }) {
    const name = (part) => (typeof part === "number" ? this.stepper.frames.nodes[part][1] : part);
    return form.replace(/\{(\d)\}/g, (_, place) => name([node, ...filled][place]));
  }

  text(question) {
    return this.fill(this.questions[question.kind].text, question);
  }

  /** What to choose from, each with what stands for it in the right answer; empty where a number is asked. */
  choices(question) {
    const { nodes } = this.stepper.frames;
    if (question.kind === "skipped") return question.row.at(-1).map((node) => [node, nodes[node][1]]);
    return this.questions[question.kind].choices.map((form, index) => [index, this.fill(form, question)]);
  }

  right(question) {
    const right = question.row[2];
    if (typeof right === "string") return right;
    const words = this.choices(question).filter(([choice]) => right.includes(choice)).map(([, text]) => text);
    return question.kind === "skipped" ? words.join(", ") : this.fill(this.questions[question.kind].choices[right[0]], question);
  }

  reason(question) {
    const [step, , , reason] = question.row;
    return reason ? this.fill(this.questions[question.kind].reasons[reason - 1], question) : this.stepper.frames.says[step];
  }

  told(question, isRight) {
    const verdict = isRight === null ? `Answer: ${this.right(question)}.` : isRight ? "Right." : `Wrong; right is “${this.right(question)}”.`;
    return [`${verdict} ${this.reason(question)}`, isRight === false ? "✗" : "✓"];
  }

  // ---------------------------------------------------------------- the way through it

  /** Next was asked for: whether a question, or its answer, comes before it. */
  stops() {
    if (!this.on) return false;
    if (this.open && !this.verdict) {
      if (this.hands) this.judge(null);
      return true;
    }
    const [next] = this.waiting(this.stepper.step + 1);
    if (next) this.ask(next);
    return !!next;
  }

  ask(question) {
    this.open = question;
    this.verdict = null;
    this.begun = true;
    this.picked = new Set();
    this.show();
    const input = this.answer.querySelector("input");
    if (this.stepper.root.contains(document.activeElement)) input?.focus({ preventScroll: true });
  }

  /** The stepper has gone to another step. A question left open is none of the answered ones. */
  moved() {
    this.open = this.verdict = null;
    if (this.hands) this.answered.clear(); // the next class is asked again
    this.furthest = Math.max(this.furthest, this.stepper.step);
  }

  answerIs(answer) {
    const { kind, row } = this.open;
    const right = row[2];
    if (typeof right === "string") this.judge(answer === typed(right), answer);
    else this.judge(kind === "skipped" ? equal(answer, right) : right.includes(answer[0]), answer);
  }

  /** null: nobody has answered, the answer is shown. */
  judge(isRight, answer = []) {
    const { kind, row } = this.open;
    const counts = isRight !== null && row[0] > this.furthest;
    this.answered.add(this.open);
    this.verdict = { isRight, answer, counts, right: row[2] };
    if (counts) {
      const [right, asked] = this.counts[kind] || [0, 0];
      this.counts[kind] = [right + isRight, asked + 1];
    }
    this.show();
  }

  // ---------------------------------------------------------------- what is seen

  /** The mode, the kinds or the questions have changed. */
  refresh() {
    const { stepper, on, hands } = this;
    if (this.open && !this.chosen.includes(this.open.kind)) this.open = this.verdict = null;
    this.element.hidden = !on;
    stepper.root.classList.toggle("abviz-predicting", on);
    stepper.root.classList.toggle("abviz-hands", hands);
    stepper.buttons.Predict.setAttribute("aria-pressed", on);
    stepper.disable("Predict", !Object.keys(this.questions).length);
    this.offer();
    this.reserve();
  }

  /** Room for the longest answers and the longest verdict of the kinds that are asked. */
  reserve() {
    const chosen = Object.keys(this.questions).filter((kind) => this.chosen.includes(kind));
    const longer = (one, other = "") => (one.length > other.length ? one : other);
    const rows = chosen.flatMap((kind) => {
      const widest = []; // of the first choice, the second ...
      for (const row of this.questions[kind].asked) {
        this.choices({ kind, row }).forEach(([, text], place) => (widest[place] = longer(text, widest[place])));
      }
      const choices = widest.map((text, place) => [place, text]);
      const judged = { right: [...widest.keys()], answer: -1e6, counts: false };
      return [null, judged].map((verdict) => html("div", { class: "abviz-answer" }, ...this.controls(kind, choices, verdict, true)));
    });
    this.room.replaceChildren(html("div", { class: "abviz-answer" }, this.toDo()), ...rows);
    const asked = [...this.at.values()].flat().filter(({ kind }) => chosen.includes(kind));
    this.longest = asked.flatMap((each) => [this.text(each), this.told(each, false)[0]]).reduce(longer, "");
  }

  show() {
    const { stepper, open, verdict } = this;
    const { says, told, frames, step } = stepper;
    const state = !open ? "" : !verdict ? "asks" : verdict.isRight === false ? "wrong" : "right";
    stepper.root.dataset.question = open ? open.kind : "";
    if (state) told.dataset.verdict = state;
    else delete told.dataset.verdict;
    if (!open) says.textContent = frames.says[step];
    else if (!verdict) says.replaceChildren(...this.asking());
    else {
      const [words, sign] = this.told(open, verdict.isRight);
      says.replaceChildren(html("span", { class: "abviz-sign", "aria-hidden": "true" }, sign), ` ${words}`);
    }
    const had = this.answer.contains(document.activeElement) && document.activeElement.dataset.choice;
    const parts = open ? this.controls(open.kind, this.choices(open), verdict) : this.begun ? [] : [this.toDo()];
    this.answer.replaceChildren(...parts);
    if (had !== false) (this.answer.querySelector(`[data-choice="${had}"]`) || stepper.root).focus({ preventScroll: true });
    for (const node of stepper.nodes) node.group.classList.remove("abviz-picked");
    if (open && !verdict) for (const node of this.picked) stepper.nodes[node].group.classList.add("abviz-picked");
    for (const mark of stepper.marks.children) mark.hidden = this.on && Number(mark.dataset.step) > this.furthest;
    stepper.disable("Next", this.locked || step === stepper.steps);
    this.tally();
  }

  toDo() {
    return html("span", { class: "abviz-hint" }, this.hands ? TO_DO_IN_CLASS : TO_DO);
  }

  asking(problem = "") {
    const choices = this.choices(this.open).map(([, text], index) => `${index + 1}: ${text}`);
    const unseen = html("span", { class: "abviz-unseen" }, choices.length ? ` ${choices.join("; ")}.` : "");
    return [html("span", { class: "abviz-sign", "aria-hidden": "true" }, "?"), ` ${problem}${this.text(this.open)}`, unseen];
  }

  /** The buttons to choose by, or a place to type a number; to reserve room for them, without what makes them work. */
  controls(kind, choices, verdict, still = false) {
    const { hands } = this;
    const several = kind === "skipped";
    const parts = choices.map(([choice, text], index) => {
      const number = html("kbd", { "aria-hidden": "true" }, index + 1);
      const button = html(still || hands ? "span" : "button", { class: "abviz-choice" }, number, ` ${text}`);
      const own = verdict ? [verdict.answer].flat().includes(choice) : this.picked?.has(choice);
      const isRight = verdict?.right.includes(choice);
      if (verdict && (own || isRight)) button.append(html("b", {}, isRight ? " ✓" : " ✗"));
      if (still || hands) return button;
      fill(button, { type: "button", "data-choice": choice, "aria-disabled": !!verdict });
      if (several) button.setAttribute("aria-pressed", own);
      button.addEventListener("click", () => this.choose(choice));
      return button;
    });
    const act = (text, what, act) => {
      const button = html(still ? "span" : "button", { class: "abviz-choice", type: "button", "data-choice": what }, text);
      button.addEventListener("click", act);
      parts.push(button);
    };
    if (hands && !verdict) act("Show the answer", "show", () => this.stops());
    if (hands) return parts;
    const isNumber = !choices.length;
    if (isNumber && !verdict) {
      const hint = "a number; ∞ is inf";
      const told = { "data-choice": "typed", "aria-label": `Your answer, ${hint}`, placeholder: hint, autocomplete: "off" };
      parts.push(html(still ? "span" : "input", { class: "abviz-typed", ...told }));
    }
    if (isNumber && verdict) {
      const text = shown(String(verdict.answer).replace("Infinity", "inf"));
      parts.push(html("span", { class: "abviz-choice" }, `${text} `, html("b", {}, verdict.isRight ? "✓" : "✗")));
    }
    if ((isNumber || several) && !verdict) act("Answer", "answer", () => this.enter());
    if (several && !verdict) parts.push(html("span", { class: "abviz-hint" }, "or click the nodes in the picture"));
    if (verdict && !verdict.counts) parts.push(html("span", { class: "abviz-hint" }, NOT_COUNTED));
    return parts;
  }

  /** The kinds, each with its score; the rest of the mode's switches. */
  offer() {
    const box = (text, name, checked, act) => {
      const input = html("input", { type: "checkbox", "aria-label": text, "data-name": name });
      input.checked = checked;
      input.addEventListener("change", () => act(input.checked));
      return html("label", {}, input, ` ${text} `, html("span", { class: "abviz-tally", "data-kind": name }));
    };
    const focused = this.score.contains(document.activeElement) && document.activeElement.dataset.name;
    const kinds = Object.entries(this.questions).map(([kind, { name }]) => box(name, kind, this.chosen.includes(kind), (on) => this.want(kind, on)));
    const hands = box("show of hands", "hands", this.hands, (on) => (this.stepper.tell("show_of_hands", on), this.stepper.predicted()));
    const again = html("button", { type: "button", "data-name": "again" }, "Start again");
    again.addEventListener("click", () => this.restart());
    this.score.replaceChildren(...kinds, hands, again);
    if (focused) this.score.querySelector(`[data-name="${focused}"]`).focus();
  }

  tally() {
    for (const tally of this.score.querySelectorAll("[data-kind]")) {
      const [right, asked] = this.counts[tally.dataset.kind] || [0, 0];
      tally.textContent = asked && !this.hands ? `${right}/${asked}` : "";
      if (asked) tally.title = `${right} of ${asked} right`;
    }
  }

  // ---------------------------------------------------------------- what the reader does

  turn(on) {
    const kinds = Object.keys(this.questions);
    if (!kinds.length) return;
    if (!on) this.before = this.chosen; // the kinds of the next time
    const again = this.before?.some((kind) => kinds.includes(kind)) ? this.before : kinds;
    if (on && !this.answered.size) this.again();
    this.stepper.tell("predict", on ? again : []);
    this.stepper.predicted();
  }

  want(kind, on) {
    const kinds = Object.keys(this.questions).filter((each) => (each === kind ? on : this.chosen.includes(each)));
    this.stepper.tell("predict", kinds);
    if (!kinds.length) this.stepper.root.focus({ preventScroll: true });
    this.stepper.predicted();
  }

  restart() {
    this.stepper.go(0);
    this.again();
    this.stepper.show();
  }

  choose(choice) {
    if (!this.open || this.verdict) return;
    if (this.open.kind !== "skipped") return this.answerIs([choice]);
    if (!this.picked.delete(choice)) this.picked.add(choice);
    this.show();
  }

  /** The answer that has been typed, or picked. */
  enter() {
    const input = this.answer.querySelector("input");
    if (!input) return this.answerIs([...this.picked]);
    const number = typed(input.value);
    if (!Number.isNaN(number)) return this.answerIs(number);
    this.stepper.says.replaceChildren(...this.asking(`“${input.value.trim()}” is no number. `));
    input.focus({ preventScroll: true });
  }

  /** In the picture: the node that is meant, or the one of the choices that it lies below. */
  pick(event) {
    if (this.open?.kind !== "skipped" || this.verdict || this.hands) return;
    if (event.type === "keydown" && !(event.key === "Enter" || event.key === " ")) return;
    const { indexOf, frames, pane } = this.stepper;
    let node = indexOf.get(event.target.closest("[data-node]")) ?? -1;
    if (node < 0 || !pane.contains(event.target)) return;
    const nodes = this.open.row.at(-1);
    while (node >= 0 && !nodes.includes(node)) node = frames.nodes[node][3];
    event.stopPropagation();
    event.preventDefault();
    if (event.type === "click") this.stepper.root.focus({ preventScroll: true }); // Enter is then the answer
    if (node >= 0) this.choose(node);
  }

  /** The keys of a question; true for those. */
  key(event) {
    const { open, verdict, hands } = this;
    if (!open) return false;
    const { key, target } = event;
    const inScore = this.score.contains(target) || target.closest("select, summary, .abviz-controls");
    const isEnter = key === "Enter" || (hands && key === " ");
    if (inScore && (isEnter || key === " ")) return false;
    if (isEnter && (verdict || hands)) return this.did(event, () => this.stepper.next());
    if (target.matches("input")) return isEnter && target.matches(".abviz-typed") && this.did(event, () => this.enter());
    if (verdict || hands) return false;
    if (isEnter && open.kind === "skipped" && !target.matches("button")) return this.did(event, () => this.enter());
    if (key === " " && !target.matches("button")) return this.did(event, () => {});
    const input = this.answer.querySelector("input");
    if (input && (isEnter || /^[-−+.\d∞]$/.test(key))) return input.focus({ preventScroll: true }), true; // the sign goes there
    const choice = /^[1-9]$/.test(key) && this.choices(open)[key - 1];
    return !!choice && this.did(event, () => event.repeat || this.choose(choice[0]));
  }

  did(event, act) {
    event.preventDefault();
    act();
    return true;
  }
}
