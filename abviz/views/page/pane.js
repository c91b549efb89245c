// The pane in which a picture is seen: its zoom, what of it is in sight, and which of its nodes the
// Tab key stops at.

import { COMPARABLE, READABLE } from "./core/arrangement.js";
import { LOOKS } from "./core/data.js";
import { button, html, setAttributes } from "./dom.js";
import { MARGIN, Picture, TOP, nodeUnder } from "./picture.js";

/** @import { Attributes } from "./dom.js" */
/** @import { Scene } from "./picture.js" */

/** Names of leaves that would be smaller than this, in pixels, are not shown. */
const LEAST_NAME = 6;

/** The least scale where fields are filled in, with a finger or on a narrow page. */
const FILLED_IN = 0.9;

export class Pane {
  /**
   * @param {object} options
   * @param {string} options.caption
   * @param {() => void} options.arrange give the picture its room again: its size or its zoom has changed
   * @param {(factor: number, scale: number) => void} options.zoomBy make the picture larger or smaller
   *   than at this scale; by 0: show the whole tree, and the next time a size that can be read
   * @param {() => void} options.focusStepper what had the keyboard is gone
   */
  constructor({ caption, arrange, zoomBy, focusStepper }) {
    this.arrange = arrange;
    this.zoomBy = (/** @type {number} */ factor) => zoomBy(factor, this.scale);
    this.focusStepper = focusStepper;
    this.picture = new Picture();
    /** @type {number | null} */
    this.zoom = null; // as large as it fits, but to be read; 0: the whole tree, however small

    this.scale = 1; // pixels for each point
    this.stop = -1; // the node at which the Tab key stops
    /** @type {number[]} */
    this.asked = []; // the nodes that the reader needs for an answer
    this.revealing = 0; // the request for the next frame
    /** @type {HTMLElement | null} */
    this.arrow = null;

    this.pane = html("div", { class: "abviz-tree", tabindex: "-1" });
    this.over = html(
      "div",
      { class: "abviz-over", role: "group", "aria-label": "Size of the tree" },
      this.zoomButton("Smaller", "−", "-", 0.8),
      this.zoomButton("Fit", "Fit", "0", 0, { class: "abviz-fit" }),
      this.zoomButton("Larger", "+", "+", 1.25),
    );
    this.caption = html("p", { class: "abviz-split-caption" }, caption);
    this.element = html("div", { class: "abviz-view" }, this.caption, this.over, this.pane);
    this.pane.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    this.pane.addEventListener("scroll", () => this.point());
  }

  /** @type {(name: string, sign: string, key: string, factor: number, more?: Attributes) => HTMLElement} */
  zoomButton(name, sign, key, factor, more = {}) {
    const attributes = { "aria-label": name, title: `${name} (${key})`, ...more };
    return button(sign, () => this.zoomBy(factor), attributes);
  }

  /** @param {Scene} scene */
  show(scene) {
    if (this.picture.show(scene)) this.place();
    if (!scene.sheet) this.reveal();
  }

  /** Put a picture that is drawn anew in place of the one before. */
  place() {
    const { pane, picture } = this;
    const had = pane.querySelector("[data-node]:focus-within")?.getAttribute("data-node");
    pane.replaceChildren(picture.element);
    this.arrange();
    if (picture.scene.isStill) return;

    const stays = picture.nodes.find((drawn) => drawn?.group.dataset.node === had);
    this.rove(stays ? stays.index : picture.scene.plan.top);
    if (had === undefined) return;
    if (stays) stays.group.focus({ preventScroll: true });
    else this.focusStepper();
  }

  // ---------------------------------------------------------------- zoom

  /**
   * Size the picture for a room in pixels: by the zoom, or so that it fits, but never smaller than
   * can be read.
   * @param {number} width
   * @param {number} height
   * @param {number} most the largest scale
   */
  fit(width, height, most) {
    const { picture } = this;
    if (picture.isEmpty) return;
    const [across, down] = picture.size;
    /** @param {number} margin */
    const wholeBelow = (margin) => Math.min(most, width / across, (height - margin) / down);
    const margin = this.marginAt(this.zoom || Math.max(this.leastScale, wholeBelow(0)));
    this.scale = this.zoom || Math.max(this.leastScale, wholeBelow(margin));
    picture.element.style.width = `${this.scale * across}px`;
    this.pane.classList.toggle("abviz-tiny", LOOKS.sizes.name * this.scale < LEAST_NAME);
    this.pane.style.paddingTop = `${margin}px`;
    this.pane.style.maxHeight = `${height}px`;
    this.reveal();
  }

  /**
   * How far the picture is pushed down at this scale, so that no button is over the edges of the
   * root.
   * @param {number} scale
   */
  marginAt(scale) {
    const { sizes, top } = this.picture.scene.plan;
    return Math.max(0, this.over.offsetHeight - (TOP + sizes[top][1]) * scale);
  }

  get leastScale() {
    if (this.zoom === 0) return 0;
    const isSmall = matchMedia("(pointer: coarse)").matches || this.pane.closest(".abviz-narrow");
    if (this.picture.scene.sheet && isSmall) return FILLED_IN;
    return this.pane.closest(".abviz-splitting") ? COMPARABLE : READABLE;
  }

  /** @param {number | null} zoom */
  setZoom(zoom) {
    if (zoom === this.zoom) return;
    this.zoom = zoom;
    this.arrange();
  }

  /**
   * With Ctrl, as browsers also send a pinch, the wheel zooms; what is under the pointer stays
   * there.
   * @param {WheelEvent} event
   */
  wheel(event) {
    if (!event.ctrlKey) return;
    event.preventDefault();
    if (!event.deltaY || event.buttons) return;
    const field = document.activeElement;
    // it stands over a node
    if (field instanceof HTMLElement && field.matches(".abviz-edit")) field.blur();

    const { pane, picture } = this;
    const before = picture.element.getBoundingClientRect();
    this.zoomBy(Math.exp(-event.deltaY / 450));
    const now = picture.element.getBoundingClientRect();
    const scale = now.width / before.width;
    /** @type {(at: number, from: number, to: number) => number} */
    const by = (at, from, to) => to - at + (at - from) * scale;
    pane.scrollBy(by(event.clientX, before.left, now.left), by(event.clientY, before.top, now.top));
    cancelAnimationFrame(this.revealing);
    this.point();
  }

  // ---------------------------------------------------------------- what is in sight

  /**
   * Scroll the pane, and only the pane, so that the current node is in view; and with it its
   * children, at a cut its witness, and what a question is about, where they fit.
   */
  reveal() {
    cancelAnimationFrame(this.revealing);
    this.revealing = requestAnimationFrame(() => {
      const { trace, step } = this.picture.scene;
      const cut = trace.cutAt.get(step);
      const current = trace.places[step];
      if (cut && cut.witness >= 0) this.scrollTo(cut.witness);
      else this.scrollTo(current, ...trace.nodes[current].children);
      if (this.asked.length) this.scrollTo(current, ...this.asked);
      this.scrollTo(current);
      this.point();
    });
  }

  /**
   * Scroll the pane where one of these nodes is out of view: their middle comes to its middle.
   * @param {number[]} indices
   */
  scrollTo(...indices) {
    const { pane, scale } = this;
    const margin = parseFloat(pane.style.paddingTop) || 0;
    const { places, sizes } = this.picture.scene.plan;
    const boxes = indices.map((index) => {
      const at = this.visible(index);
      const [x, y] = places[at] ?? [0, 0];
      const [across, height] = sizes[at];
      return { left: x - across, right: x + across, top: y - height, bottom: y + height };
    });

    /** @type {(from: number, size: number, low: number, high: number) => number} */
    const see = (from, size, low, high) => {
      const isInView = low * scale >= from && high * scale <= from + size;
      return isInView ? from : ((low + high) * scale - size) / 2;
    };
    const left = MARGIN + Math.min(...boxes.map((box) => box.left));
    const right = MARGIN + Math.max(...boxes.map((box) => box.right));
    const top = Math.min(...boxes.map((box) => box.top));
    const bottom = Math.max(...boxes.map((box) => box.bottom));
    pane.scrollLeft = see(pane.scrollLeft, pane.clientWidth, left, right);
    pane.scrollTop = margin + see(pane.scrollTop - margin, pane.clientHeight, top, bottom);
  }

  /**
   * Where the witness of a cut is out of sight, an arrow at the edge of the pane says where it is.
   */
  point() {
    this.arrow?.remove();
    if (this.picture.isEmpty) return;
    const { trace, step } = this.picture.scene;
    const cut = trace.cutAt.get(step);
    if (!cut || cut.witness < 0) return;

    const side = this.sideOf(cut.witness);
    if (!side) return;
    this.arrow = button(`${side} ${trace.nodes[cut.witness].short}`, () => {
      this.focusStepper(); // the button goes
      this.scrollTo(cut.witness);
      this.point();
    });
    setAttributes(this.arrow, { class: "abviz-witness", "data-cut": cut.kind });
    this.over.prepend(this.arrow);
  }

  /**
   * The side of the pane beyond which the node is, as an arrow; undefined where it is in sight.
   * @param {number} index
   */
  sideOf(index) {
    const node = this.picture.nodes[this.visible(index)]?.group.getBoundingClientRect();
    if (!node) return undefined;
    const pane = this.pane.getBoundingClientRect();
    if (node.bottom < pane.top) return "↑";
    if (node.right < pane.left) return "←";
    if (node.left > pane.right) return "→";
    return undefined;
  }

  /**
   * The node, or what stands for it; the topmost node where it is outside the part that is shown.
   * @param {number} index
   */
  visible(index) {
    return this.picture.shownFor(index) ?? this.picture.scene.plan.top;
  }

  // ---------------------------------------------------------------- the keyboard

  /**
   * Of all nodes one is a stop of the Tab key; from there the arrow keys go on.
   * @param {number} index
   */
  focus(index) {
    const drawn = this.picture.nodes[index];
    if (!drawn) return;
    this.rove(index);
    drawn.group.focus({ preventScroll: true });
    this.scrollTo(index);
  }

  /** @param {number} index */
  rove(index) {
    const { nodes } = this.picture;
    nodes[this.stop]?.group.setAttribute("tabindex", "-1");
    nodes[index]?.group.setAttribute("tabindex", "0");
    this.stop = index;
  }

  /**
   * The node of this pane in which the target of an event is; -1 where it is in none.
   * @param {EventTarget | null} target
   */
  nodeOf(target) {
    return target instanceof Node && this.pane.contains(target) ? nodeUnder(target) : -1;
  }
}
