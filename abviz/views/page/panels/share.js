// Taking a step elsewhere: its address, its picture, and prints of one step, all cuts or all steps.

import { sentence } from "../core/words.js";
import { button, download, html, showText } from "../dom.js";
import { Picture } from "../picture.js";
import { pngOf, svgOf } from "../picture-files.js";

/** The steps on one printout. */
const MOST_PRINTED = 200;

/** @import { Trace } from "../core/trace.js" */
/** @import { Scene } from "../picture.js" */

export class Share {
  /**
   * @param {object} options
   * @param {boolean} options.hasAddress whether the page has an address of its own: a notebook's is
   *   not that of a step
   * @param {() => string} options.link the address of the step
   * @param {() => Picture} options.picture the picture on the screen
   * @param {(paper: HTMLElement) => void} options.print print the element in place of the page
   */
  constructor({ hasAddress, link, picture, print }) {
    this.picture = picture;
    this.print = print;
    const attributes = {
      class: "abviz-text",
      rows: "3",
      readonly: "",
      hidden: "",
      "aria-label": "Copied text",
    };
    this.text = html("textarea", attributes);
    this.status = html("span", { class: "abviz-hint", role: "status" });

    const acts = {
      "Copy link": () => this.copy(link(), "The link"),
      "Copy SVG": () => this.copy(svgOf(picture().element), "The SVG"),
      "Copy PNG": () => this.copyPng(),
      "Print step": () => this.printSteps(({ step }) => [step]),
      "Print cuts": () => this.printSteps(({ trace }) => trace.cuts.map(({ step }) => step)),
      "Print all steps": () => this.printSteps(allSteps),
    };
    const buttons = Object.entries(acts).map(([name, act]) => button(name, act));
    buttons[0].hidden = !hasAddress;
    const row = html("div", { class: "abviz-tools" }, ...buttons, this.status);
    this.element = html("div", { class: "abviz-share", hidden: "" }, row, this.text);
  }

  /** Forget what was copied: it is of another step, or the panel is closed. */
  clear() {
    if (!this.text.hidden) this.text.hidden = true;
    this.status.textContent = "";
  }

  /**
   * Show the text, selected, and put it on the clipboard where that is allowed.
   * @param {string} text
   * @param {string} what it is
   */
  copy(text, what) {
    showText(this.text, text);
    this.status.textContent = `${what} is selected: copy it with Ctrl+C.`;
    const copied = () => {
      this.status.textContent = `${what} is on the clipboard.`;
    };
    navigator.clipboard?.writeText(text).then(copied, () => {});
  }

  async copyPng() {
    const picture = this.picture();
    const blob = await pngOf(picture.element);
    try {
      await navigator.clipboard.write([new ClipboardItem({ "image/png": blob })]);
      this.status.textContent = "The picture is on the clipboard.";
    } catch {
      download(blob, `step-${picture.scene.step}.png`);
      this.status.textContent = "The picture is downloaded.";
    }
  }

  /**
   * Print these steps, each with its sentence: in a picture of their own, which is on no screen.
   * @param {(scene: Scene) => number[]} stepsOf
   */
  printSteps(stepsOf) {
    const shown = this.picture();
    const { scene } = shown;
    const { trace, show } = scene;
    const { width } = shown.element.style;
    const picture = new Picture();
    const sheets = stepsOf(scene).map((step) => {
      picture.show({ ...scene, step, isStill: true });
      const copy = document.importNode(picture.element, true);
      copy.style.width = width;
      const caption = html("figcaption", {}, `${step}. ${sentence(trace, step, show)}`);
      return html("figure", { class: "abviz-tree" }, copy, caption);
    });
    const title = html("h1", {}, trace.tree.title);
    this.print(html("div", { class: "abviz-paper" }, title, ...sheets));
  }
}

/** @param {Scene} scene */
const allSteps = ({ trace }) => [...trace.places.keys()].slice(0, MOST_PRINTED);
