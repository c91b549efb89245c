// The timing widget: shows runs as Python tells them (abviz/timing/snapshots.py). It measures nothing and knows no search.
//
// While a search runs a message comes some times a second, with the bars that are new or have ended. Of the others
// only those that are open grow. All that is read comes as text and reaches the page as text, never as markup.

const NICE = [1, 2, 5];
const LEAST = 0.1; // seconds of the time axis, at least
const TICKS = 6;
const PATIENCE = 1500; // milliseconds until a kernel that does not answer is spoken of
const MOST_TASKS = 200; // rows of the table of tasks
const SILENT = "The kernel has not answered yet: it may be busy with a cell, or gone.";

const html = (tag, attributes, ...children) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes ?? {})) element.setAttribute(name, value);
  element.append(...children);
  return element;
};

/** The end of the axis: the next of 1, 2, 5, 10, 20 ... */
function nice(time) {
  const power = 10 ** Math.floor(Math.log10(time));
  return power * ([...NICE, 10].find((each) => each * power >= time) ?? 10);
}

/** What a bar's task belongs to: a move of the root, or the root itself, or several moves (as in snapshots.py). */
const named = (place, moves) => moves[place] ?? (place === -1 ? "the root" : "several");

/** The colour of a root move, in degrees: neighbours are far apart (as in still.py). */
const hue = (place) => Math.round(215 + 137.5 * place) % 360;

const CHOICES = ["position", "depth", "workers", "strategy"];
const NO_TILES = ["run", "move", "value", "time", "nodes", "nodes/s", "speed-up", "by CPU time", "overhead", "idle"];

/** The lanes of one run: a line for each thread, with what it knew above its bars. */
class Lanes {
  constructor(heading, mark) {
    this.heading = heading;
    this.open = new Map();
    this.parts = new Map(); // of each bar its elements
    this.title = html("div", { class: "abviz-t-title" });
    this.tracks = Array.from({ length: heading.workers }, () => html("div", { class: "abviz-t-track" }));
    this.spans = this.tracks.map((track) => track.appendChild(html("div", { class: "abviz-t-span" })));
    const lane = (track, i) => html("div", { class: "abviz-t-lane" }, html("span", { class: "abviz-t-thread" }, `thread ${i + 1}`), track);
    this.root = html("div", { class: "abviz-t-run", role: "img", "aria-label": "Lanes" }, this.title, ...this.tracks.map(lane));
    this.say(mark, heading.title ?? "", "");
  }

  say(mark, what, took) {
    const parts = [html("span", {}, what)];
    if (mark) parts.unshift(html("strong", {}, mark));
    if (took) parts.push(html("span", { class: "abviz-t-took" }, took));
    this.title.replaceChildren(...parts);
    if (what) this.root.setAttribute("aria-label", `Lanes of ${mark} ${what} ${took}: the table of tasks says the same in words`);
  }

  /** A bar that is new, or that has changed. */
  put(bar) {
    const [number, worker, place, start, end, path, , value, state, bounds] = bar;
    const { moves } = this.heading;
    if (!this.tracks[worker]) return;
    this.parts.get(number)?.forEach((part) => part.remove());
    const move = named(place, moves);
    const label = html("b", {}, move === this.best ? `★ ${move}` : move);
    const task = html("div", { class: "abviz-t-bar" }, html("span", {}, label, path && ` ${path}`), html("span", {}, value));
    task.style.setProperty("--hue", hue(place));
    if (place < 0) task.dataset.root = "";
    task.dataset.move = move;
    task.dataset.state = end === null ? "running" : state;
    task.title = inWords(bar, this.heading);
    this.span(task, start, end ?? this.time);
    const known = bounds.map(([time, text], i) => {
      const part = html("div", { class: i ? "abviz-t-bound abviz-t-learnt" : "abviz-t-bound" }, html("span", {}, text));
      part.dataset.letter = text[0];
      part.title = `${text} ${i ? "learnt" : "at the start"}`;
      this.span(part, time, bounds[i + 1]?.[0] ?? end ?? this.time);
      return part;
    });
    const marks = []; // signs that are seen also where a bar has no room
    const sign = (time, kind, text) => this.span(marks[marks.push(html("div", { class: `abviz-t-sign ${kind}` }, text)) - 1], time, time);
    if (state) sign(end, "abviz-t-cross", "✕");
    for (const [time, text] of bounds.slice(1)) sign(time, text[0] === "β" ? "abviz-t-read abviz-t-of-beta" : "abviz-t-read", "▼");
    this.tracks[worker].append(task, ...known, ...marks);
    this.parts.set(number, [task, ...known, ...marks]);
    if (end === null) this.open.set(number, [task, known[known.length - 1]]);
    else this.open.delete(number);
  }

  span(part, start, end) {
    part.style.setProperty("--from", start);
    part.style.setProperty("--to", end ?? start);
  }

  /** It is that late: what is open reaches to now. */
  at(time) {
    this.time = time;
    for (const span of this.spans) span.style.setProperty("--to", time);
    for (const parts of this.open.values()) for (const part of parts) part.style.setProperty("--to", time);
  }
}

function inWords([, worker, place, start, end, path, nodes, value, state, bounds], { moves, clock }) {
  const when = clock === "seconds" ? `${start.toFixed(3)} s to ${end === null ? "now" : `${end.toFixed(3)} s`}` : `${start} to ${end}`;
  const told = [`${named(place, moves)} ${path}`.trim(), `thread ${worker + 1}`, when];
  if (end !== null) told.push(`${nodes.toLocaleString("en")} nodes`);
  if (value) told.push(value.includes("wins") ? value : `value ${value}`);
  if (state) told.push(state);
  told.push(bounds.map(([, text]) => text).join(" → "));
  return told.join(" · ");
}

class Timing {
  constructor(model, host) {
    this.model = model;
    this.early = [];
    this.build(host);
    this.listen();
    this.offer();
    this.choose(...CHOICES);
    this.speak();
    this.tell({ do: "hello" });
    this.begin();
  }

  // ---------------------------------------------------------------- what there is

  build(host) {
    this.position = html("select", {});
    this.depth = html("input", { type: "number", min: "1", max: "99", inputmode: "numeric" });
    this.workers = html("input", { type: "number", min: "1", max: "256", inputmode: "numeric" });
    this.strategy = html("select", {});
    this.start = html("button", { type: "button", class: "abviz-t-go" }, "Run");
    this.halt = html("button", { type: "button" }, "Stop");
    const labelled = (text, control) => html("label", {}, html("span", {}, text), control);
    const form = html(
      "div",
      { class: "abviz-t-form" },
      labelled("Position", this.position),
      labelled("Depth", this.depth),
      labelled("Threads", this.workers),
      labelled("Strategy", this.strategy),
      html("div", { class: "abviz-t-buttons" }, this.start, this.halt),
    );
    this.word = html("span", {});
    this.about = html("p", { class: "abviz-t-about" }, this.word);
    this.says = html("p", { class: "abviz-t-says", role: "status", "aria-live": "polite" });
    this.problem = html("p", { class: "abviz-t-problem", role: "alert" });
    const told = html("div", { class: "abviz-t-told" }, this.says, this.problem);
    this.bar = html("div", { role: "progressbar", "aria-label": "Done", "aria-valuemin": "0", "aria-valuemax": "100" }, html("div", {}));
    this.counted = html("span", {});
    this.progress = html("div", { class: "abviz-t-progress" }, this.bar, this.counted);
    this.tiles = html("dl", { class: "abviz-t-tiles" });
    this.lanes = html("div", { class: "abviz-t-lanes", tabindex: "0", role: "group", "aria-label": "Lanes of the threads" });
    this.axis = html("div", { class: "abviz-t-axis", "aria-hidden": "true" });
    const legend = html(
      "p",
      { class: "abviz-t-legend" },
      "A bar is a task, in the colour of its root move (★ the best; grey: the root itself, or several), with its value: only a bound after ≤ or ≥. × 3: so many short tasks. Above it the bound it started with; ▼ a better bound read. ",
      html("i", { class: "abviz-t-key", "data-state": "running" }),
      " still running. ",
      html("i", { class: "abviz-t-key", "data-state": "cancelled" }),
      " and ✕: cancelled. Empty: idle. The upright line: the end of the run.",
    );
    this.tasks = html("table", { class: "abviz-t-table" });
    this.details = html("details", {}, html("summary", {}, "The tasks as a table"), html("div", { class: "abviz-t-scroll", tabindex: "0", role: "region", "aria-label": "Tasks" }, this.tasks));
    this.note = html("p", { class: "abviz-t-legend" });
    this.hint = html("span", {});
    this.measure = html("button", { type: "button" }, "Run the sequential search");
    this.hints = html("p", { class: "abviz-t-hint" }, this.hint, this.measure);
    this.table = html("table", { class: "abviz-t-table" });
    const scroll = html("div", { class: "abviz-t-scroll abviz-t-runs", tabindex: "0", role: "region", "aria-label": "Runs" }, this.table);
    this.root = html(
      "div",
      { class: "abviz-timing", role: "group", "aria-label": "Timing of a search on several threads" },
      form,
      this.about,
      told,
      this.progress,
      this.tiles,
      this.hints,
      this.lanes,
      this.axis,
      legend,
      this.details,
      scroll,
      this.note,
    );
    host.append(this.root);
  }

  offer() {
    const { positions, strategies, heads, note } = this.model.get("offered");
    this.words = new Map(strategies);
    this.position.replaceChildren(...positions.map((name) => html("option", { value: name }, name)));
    this.strategy.replaceChildren(...strategies.map(([name]) => html("option", { value: name }, name)));
    const longest = [...this.words.values()].reduce((long, words) => (words.length > long.length ? words : long), "");
    this.about.dataset.longest = longest; // room for every strategy's words
    this.heads = heads;
    this.note.textContent = note;
  }

  // ---------------------------------------------------------------- what is chosen

  /** Only what has changed is written: in another field somebody may be typing. */
  choose(...names) {
    for (const name of names) this[name].value = this.model.get(name);
    this.describe();
    if (!this.model.get("shown").length) this.draw();
  }

  describe() {
    this.word.textContent = this.words.get(this.strategy.value) ?? "";
  }

  get chosen() {
    const { position, depth, workers, strategy } = this;
    return { position: position.value, depth: depth.value, workers: workers.value, strategy: strategy.value };
  }

  get isRunning() {
    return "number" in this.model.get("under_way");
  }

  run() {
    if (!this.isRunning) this.ask({ do: "run", chosen: this.chosen });
  }

  stop() {
    if (this.isRunning) this.ask({ do: "stop" });
  }

  ask(what) {
    this.tell(what);
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => (this.says.textContent = SILENT), PATIENCE);
  }

  tell(what) {
    try {
      this.model.send(what);
    } catch {
      // The kernel is gone: nothing answers, and that is told.
    }
  }

  // ---------------------------------------------------------------- what runs

  /** A run has begun, or ended. */
  begin() {
    const heading = this.model.get("under_way");
    this.root.dataset.running = this.isRunning;
    this.start.setAttribute("aria-disabled", this.isRunning);
    this.measure.setAttribute("aria-disabled", this.isRunning);
    this.halt.setAttribute("aria-disabled", !this.isRunning);
    this.live = null;
    if (this.isRunning) {
      this.live = new Lanes(heading, `Run ${heading.number}`);
      this.live.at(0);
      this.lanes.replaceChildren(this.live.root);
      this.details.classList.toggle("abviz-t-quiet", true);
      this.scale(LEAST, heading.clock);
      this.count(0);
      this.fill(this.model.get("tiles").map(([name]) => [name, "—"]));
      const early = this.early;
      this.early = [];
      for (const message of early) this.hear(message);
    } else {
      this.count(null);
      this.draw();
      this.fill(this.model.get("tiles"));
    }
  }

  /** News of what runs. A message may overtake the one that says that a run has begun. */
  hear(message) {
    if (message?.do !== "live") return;
    const { number } = this.model.get("under_way");
    if (message.number !== number) {
      if (message.number > (number ?? 0)) this.early = [...this.early, message].filter((each) => each.number === message.number);
      return;
    }
    if (!this.live) return;
    if (message.time > this.longest) this.scale(message.time, this.live.heading.clock);
    this.live.at(message.time);
    for (const bar of message.bars) this.live.put(bar);
    this.count(message.progress);
    this.values?.forEach((value, i) => (value.textContent = message.tiles[i]));
  }

  count(part) {
    const percent = Math.round(100 * (part ?? 0));
    const { moves, guessed } = this.model.get("under_way");
    const { length } = moves ?? [];
    this.bar.firstChild.style.width = `${percent}%`;
    this.bar.setAttribute("aria-valuenow", percent);
    this.counted.textContent = guessed ? `about ${percent} %` : `${Math.round(length * (part ?? 0))} of ${length} root moves`;
    this.progress.classList.toggle("abviz-t-quiet", part === null);
  }

  /** The numbers: names and texts. */
  fill(tiles) {
    const shown = tiles.length ? tiles : NO_TILES.map((name) => [name, "—"]);
    this.values = shown.map(([, text]) => html("dd", {}, text));
    this.tiles.replaceChildren(...shown.map(([name], i) => html("div", {}, html("dt", {}, name), this.values[i])));
  }

  // ---------------------------------------------------------------- what has run

  /** The lanes of the runs that are chosen, on one time axis; of none, the room that the next one will take. */
  draw() {
    if (this.isRunning) return;
    const shown = this.model.get("shown");
    const empty = { workers: Math.max(1, Math.min(256, Number(this.model.get("workers")) || 1)), moves: [], title: "Nothing has been run yet" };
    const all = shown.length ? shown.map((run) => this.finished(run)) : [new Lanes(empty, "")];
    this.lanes.replaceChildren(...all.map(({ root }) => root));
    this.scale(Math.max(...shown.map(({ time }) => time), 0) || 1, shown[0]?.clock ?? "seconds", shown.length > 0);
    this.details.classList.toggle("abviz-t-quiet", !shown.length);
    if (this.details.open) this.list();
  }

  finished(run) {
    const lanes = new Lanes(run, `Run ${run.number}`);
    lanes.best = run.best;
    lanes.at(run.time);
    for (const bar of run.bars) lanes.put(bar);
    lanes.say(`Run ${run.number}`, run.title, run.finished ? run.took : `stopped after ${run.took}`);
    for (const track of lanes.tracks) {
      const end = html("div", { class: "abviz-t-end" });
      lanes.span(end, run.time, run.time);
      track.append(end);
    }
    return lanes;
  }

  /** The axis: its length as a number that every bar is divided by. */
  scale(time, clock, exact = false) {
    this.longest = exact ? time * 1.005 : nice(Math.max(time, LEAST));
    this.lanes.style.setProperty("--longest", this.longest);
    const step = nice(this.longest / TICKS);
    const unit = clock === "seconds" ? (step < 0.1 ? ["ms", 1000] : ["s", 1]) : [clock, 1];
    const ticks = [];
    for (let i = 0; i * step <= this.longest * 1.0001; i++) {
      const tick = html("span", {}, `${Number((i * step * unit[1]).toPrecision(6)).toLocaleString("en")}${i ? "" : ` ${unit[0]}`}`);
      tick.style.left = `${(100 * i * step) / this.longest}%`;
      if (i * step > 0.96 * this.longest) tick.className = "abviz-t-last";
      ticks.push(tick);
    }
    this.axis.replaceChildren(...ticks);
  }

  /** The tasks of what is shown, for those who would rather read. */
  list() {
    const shown = this.model.get("shown");
    const at = ({ clock }, time) => (clock === "seconds" ? time.toFixed(3) : time);
    const heads = ["run", "task", "thread", "start", "end", "nodes", "bound at the start", "learnt", "value"];
    const rows = shown.flatMap((run) =>
      run.bars.map(([, worker, place, start, end, path, nodes, value, state, bounds]) => [
        ...[run.number, `${named(place, run.moves)} ${path}`.trim(), worker + 1, at(run, start), at(run, end)],
        ...[nodes.toLocaleString("en"), bounds[0][1], bounds.slice(1).map(([time, text]) => `${text} at ${at(run, time)}`).join(", "), value || state],
      ]),
    );
    const body = rows.slice(0, MOST_TASKS).map(([run, task, ...rest]) => {
      return html("tr", {}, html("td", {}, run), html("th", { scope: "row" }, task), ...rest.map((text) => html("td", {}, text)));
    });
    const left = rows.length - MOST_TASKS;
    if (left > 0) body.push(html("tr", {}, html("td", { colspan: heads.length }, `… ${left} more: .runs has them all`)));
    const head = html("tr", {}, ...heads.map((text) => html("th", { scope: "col" }, text)));
    this.tasks.replaceChildren(html("caption", {}, `Tasks in the order of their start; times in ${shown[0]?.clock ?? "seconds"}`), html("thead", {}, head), html("tbody", {}, ...body));
  }

  rows() {
    const rows = this.model.get("rows");
    const focused = this.table.contains(document.activeElement) && document.activeElement.value;
    const heads = ["show", "run", ...this.heads].map((text) => html("th", { scope: "col" }, text));
    const lines = rows.map(({ number, cells, shown }) => {
      const box = html("input", { type: "checkbox", value: number, "aria-label": `Show run ${number}: ${cells[0]}, ${cells[1]} threads` });
      box.checked = shown;
      box.addEventListener("change", () => this.pick(number, box.checked));
      const line = html("tr", {}, html("td", {}, box), html("th", { scope: "row" }, number), ...cells.map((cell) => html("td", {}, cell)));
      line.classList.toggle("abviz-t-shown", shown);
      return line;
    });
    if (!lines.length) lines.push(html("tr", {}, html("td", { colspan: heads.length, class: "abviz-t-none" }, "Each run adds a row here; tick two to lay one over the other.")));
    const caption = html("caption", {}, "Runs");
    this.table.replaceChildren(caption, html("thead", {}, html("tr", {}, ...heads)), html("tbody", {}, ...lines));
    if (focused) this.table.querySelector(`input[value="${focused}"]`)?.focus();
    const pane = this.table.parentElement;
    if (rows.length !== this.before) pane.scrollTop = pane.scrollHeight; // the newest is the last
    this.before = rows.length;
  }

  /** At most two at a time: a third takes the place of the one that was chosen first. */
  pick(number, on) {
    const chosen = this.model.get("shown").map((run) => run.number);
    const others = chosen.filter((each) => each !== number);
    this.ask({ do: "show", numbers: on ? [...others.slice(-1), number] : others });
  }

  // ---------------------------------------------------------------- words

  speak() {
    const problem = this.model.get("problem");
    const says = this.model.get("says");
    if (this.problem.textContent !== problem) this.problem.textContent = problem;
    if (this.says.textContent !== says) this.says.textContent = says; // what stays the same is not read out again
    this.says.hidden = Boolean(problem);
    this.problem.hidden = !problem;
    const hint = this.model.get("hint");
    this.hint.textContent = hint || this.model.get("offered").hint; // it keeps its room when it is not seen
    this.hints.classList.toggle("abviz-t-quiet", !hint);
  }

  listen() {
    const { root, model } = this;
    for (const name of CHOICES) {
      this[name].addEventListener("change", () => {
        this.describe();
        this.ask({ do: "choose", chosen: { [name]: this[name].value } });
      });
    }
    for (const field of [this.depth, this.workers]) {
      field.addEventListener("keydown", (event) => event.key === "Enter" && this.run());
    }
    this.start.addEventListener("click", () => this.run());
    this.halt.addEventListener("click", () => this.stop());
    this.measure.addEventListener("click", () => this.isRunning || this.ask({ do: "measure" }));
    this.details.addEventListener("toggle", () => this.details.open && this.list());
    root.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.key === "Tab") return; // the page's own
      if (event.key === "Escape") document.activeElement.blur(); // and on to the page: it has the keyboard again
      else event.stopPropagation();
    });
    // JupyterLab listens for keys while they bubble, Notebook 7 while they are captured; both leave alone what has
    // this attribute. It must be off for Ctrl and Meta, or Ctrl+S would not save.
    this.guard = ({ target, ctrlKey, metaKey, key }) => {
      const ours = root.contains(target) && !(ctrlKey || metaKey || key === "Escape");
      this.guarded?.removeAttribute("data-lm-suppress-shortcuts");
      this.guarded = ours ? target : null; // what has the focus, not what is around it: see stepper.js
      this.guarded?.setAttribute("data-lm-suppress-shortcuts", "");
    };
    window.addEventListener("keydown", this.guard, true);
    const names = CHOICES.map((name) => [`change:${name}`, () => this.choose(name)]);
    const words = ["says", "problem", "hint"].map((name) => [`change:${name}`, () => this.speak()]);
    this.watched = [
      ...names,
      ...words,
      ["change:under_way", () => this.begin()],
      ["change:shown", () => this.draw()],
      ["change:tiles", () => this.isRunning || this.fill(model.get("tiles"))],
      ["change:rows", () => this.rows()],
      ["change:heard", () => this.answered()],
      ["msg:custom", (message) => this.hear(message)],
    ];
    for (const [event, act] of this.watched) model.on(event, act);
    queueMicrotask(() => this.rows());
  }

  answered() {
    clearTimeout(this.waiting);
    if (this.says.textContent === SILENT) this.says.textContent = this.model.get("says");
  }

  destroy() {
    clearTimeout(this.waiting);
    window.removeEventListener("keydown", this.guard, true);
    for (const [event, act] of this.watched) this.model.off(event, act);
    this.root.remove();
  }
}

function render({ model, el }) {
  const timing = new Timing(model, el);
  return () => timing.destroy();
}

export default { render };
