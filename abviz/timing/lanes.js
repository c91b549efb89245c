// Shows the lanes that lane_chart.py draws, and keeps keys that are pressed on the widget's controls from the notebook.

/** @import { Context } from "../views/page/widget.d.ts" */

/** @param {Context<{svg: string, is_running: boolean}>} context */
function render({ model, el }) {
  const update = () => {
    el.innerHTML = model.get("svg");
  };
  model.on("change:svg", update);
  update();
  // Stop is about to be off: what is off cannot keep the keyboard.
  model.on("change:is_running", () => {
    const root = el.closest(".abviz-timing");
    const { activeElement } = document;
    if (model.get("is_running") || !activeElement?.matches(".abviz-timing-stop")) return;
    const run = root?.contains(activeElement) && root.querySelector(".abviz-timing-run");
    if (run instanceof HTMLElement) run.focus();
  });
  // JupyterLab and Notebook, where D D deletes a cell, leave alone the keys pressed on an element with this attribute. It
  // is off for Ctrl and Meta, or Ctrl+S would not save, and for Escape, which hands the keyboard back to the notebook.
  /** @type {Element | null} */
  let guarded = null;
  /** @param {KeyboardEvent} event */
  const guard = ({ target, ctrlKey, metaKey, key }) => {
    guarded?.removeAttribute("data-lm-suppress-shortcuts");
    const isPassed = ctrlKey || metaKey || key === "Escape";
    const isInside = target instanceof Element && el.closest(".abviz-timing")?.contains(target);
    guarded = isInside && !isPassed ? target : null;
    guarded?.setAttribute("data-lm-suppress-shortcuts", "");
  };
  window.addEventListener("keydown", guard, true);
  return () => window.removeEventListener("keydown", guard, true);
}

export default { render };
