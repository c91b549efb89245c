// Draws the lanes that widget.py describes, and keeps keys that are pressed on the widget's controls from the notebook.

function html(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

function draw({ runs, longest, ticks, unit }) {
  const place = (element, start, end) => {
    element.style.left = `${(100 * start) / longest}%`;
    element.style.width = `${(100 * (end - start)) / longest}%`;
    return element;
  };
  const parts = runs.map((run) => {
    const tracks = Array.from({ length: run.workers }, () => html("div", { class: "track" }));
    for (const { worker, start, end, texts, about, state, hue } of run.bars) {
      const bar = html("div", { class: "bar", title: about, "data-state": state }, ...texts.map((text) => html("span", {}, text)));
      bar.style.setProperty("--colour", hue === null ? "#8886" : `hsl(${hue} 60% 55% / 40%)`);
      tracks[worker].append(place(bar, start, end));
      if (state === "cancelled") tracks[worker].append(place(html("div", { class: "cross" }, "✕"), end, end));
    }
    for (const [worker, time] of run.marks) tracks[worker].append(place(html("div", { class: "mark" }, "▼"), time, time));
    for (const track of tracks) track.append(place(html("div", { class: "end" }), run.time, run.time));
    const lanes = tracks.map((track, number) => html("div", { class: "lane" }, html("span", {}, `worker ${number + 1}`), track));
    return html("section", {}, html("b", {}, run.title), html("p", {}, run.costs), ...lanes);
  });
  const axis = html("div", { class: "track axis" }, ...ticks.map(([time, text]) => place(html("span", {}, `${text}${time ? "" : ` ${unit}`}`), time, time)));
  const legend =
    "Bar: a task, in the colour of its root move, with the bound at its start and its value (≤ ≥: only a bound). ★ the best move. × 3: three short tasks. " +
    "▼ a better bound was read. Hatched ✕: cancelled. Dashed: still running. Empty: idle.";
  return runs.length ? [...parts, html("div", { class: "lane" }, html("span"), axis), html("small", {}, legend)] : [];
}

function render({ model, el }) {
  const status = html("p", { role: "status" });
  const problem = html("p", { role: "alert" });
  const lanes = html("div", { role: "group", "aria-label": "Lanes of the workers" });
  el.classList.add("abviz-lanes");
  el.append(status, problem, lanes);
  const update = () => {
    status.textContent = model.get("status");
    problem.textContent = model.get("problem");
  };
  const redraw = () => model.get("view").runs && lanes.replaceChildren(...draw(model.get("view")));
  model.on("change:status change:problem", update);
  model.on("change:view", redraw);
  update();
  redraw();
  // JupyterLab and Notebook leave alone the keys pressed on an element with this attribute. It must be off for Ctrl and
  // Meta, or Ctrl+S would not save, and for Escape, which hands the keyboard back to the notebook.
  let guarded = null;
  const guard = ({ target, ctrlKey, metaKey, key }) => {
    guarded?.removeAttribute("data-lm-suppress-shortcuts");
    const inside = el.closest(".abviz-timing")?.contains(target);
    guarded = inside && !(ctrlKey || metaKey || key === "Escape") ? target : null;
    guarded?.setAttribute("data-lm-suppress-shortcuts", "");
  };
  window.addEventListener("keydown", guard, true);
  return () => {
    window.removeEventListener("keydown", guard, true);
    model.off("change:status change:problem", update);
    model.off("change:view", redraw);
  };
}

export default { render };
