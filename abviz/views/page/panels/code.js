// The pseudocode of the search, or the source of a recorded function, with the line that runs.

import { formsOf, lineAt, writeDown } from "../core/pseudocode.js";
import { dropdown, html } from "../dom.js";

/** @import { Line } from "../core/pseudocode.js" */
/** @import { Trace } from "../core/trace.js" */

export class Code {
  /** @type {Line[]} */
  written = [];
  /** @type {HTMLElement[]} */
  lines = [];
  /** @type {HTMLElement | undefined} */
  current = undefined; // the line that runs

  /** @param {{choose: (form: string) => void}} deeds choose: the reader asks for another form */
  constructor({ choose }) {
    const attributes = { class: "abviz-code", tabindex: "0", "aria-label": "Pseudocode" };
    this.list = html("ol", attributes);
    this.select = dropdown("Form of the pseudocode", [], choose);
    this.select.className = "abviz-caption";
    this.element = html("div", { class: "abviz-panel" }, this.select, this.list);
  }

  /**
   * Write the form that is chosen, or the first that describes the search.
   * @param {{trace: Trace, step: number, form: string}} shown
   */
  write({ trace, step, form: chosen }) {
    const forms = formsOf(trace);
    const form = forms.find(({ name }) => name === chosen) ?? forms[0];
    const options = forms.map(({ name, title }) => html("option", { value: name }, title));
    this.select.replaceChildren(...options);
    this.select.value = form.name;

    this.written = writeDown(trace, form);
    this.lines = this.written.map(({ text, indent }) => {
      const line = html("li", {}, text);
      line.style.setProperty("--indent", `${indent}`);
      return line;
    });
    this.list.replaceChildren(...this.lines);
    this.current = undefined;
    this.show({ trace, step });
  }

  /** @param {{trace: Trace, step: number}} shown */
  show({ trace, step }) {
    const line = this.lines[lineAt(trace, step, this.written)];
    if (line === this.current) return;
    this.current?.removeAttribute("aria-current");
    line?.setAttribute("aria-current", "step");
    this.current = line;
  }

  /** Scroll the code, and only the code, so that the line is in sight. */
  reveal() {
    if (!this.current) return;
    const { list } = this;
    const { offsetTop: top, offsetHeight: height } = this.current;
    const isSeen = top >= list.scrollTop && top + height <= list.scrollTop + list.clientHeight;
    if (!isSeen) list.scrollTop = top - list.clientHeight / 2;
  }
}
