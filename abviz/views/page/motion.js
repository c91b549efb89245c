// What moves when Next or Play go on: a layer above each picture, which has gone before the next
// action. The picture below it is finished already; the layer takes no clicks and is not read out.

import { durationFor, motionsOf } from "./core/motions.js";
import { svg } from "./dom.js";
import { TOP } from "./picture.js";

/** @import { Change, Fade, Travel } from "./core/motions.js" */
/** @import { Pane } from "./pane.js" */
/** @import { Picture } from "./picture.js" */

/**
 * An element that moves, in what has been made for it, and how it moves.
 * @typedef {[element: Element, moving: Element, frames: Keyframe[]]} Part
 */

export class Motion {
  /** @type {SVGSVGElement[]} */
  layers = [];
  isHeld = false; // a key
  calm = matchMedia("(prefers-reduced-motion: reduce)");
  /** @type {Animation[]} */
  running = [];

  /** @param {HTMLElement} root */
  constructor(root) {
    const hear = (/** @type {KeyboardEvent} */ event) => {
      this.isHeld = event.repeat;
    };
    root.addEventListener("keydown", hear, true);
    root.addEventListener("keyup", hear, true);
    new ResizeObserver(() => this.finish()).observe(root);
  }

  /**
   * Show in each picture what has happened since a step; the next one comes after `interval`
   * milliseconds.
   * @param {{pane: Pane, from: number}[]} pictures
   * @param {number} interval
   */
  play(pictures, interval) {
    if (this.isHeld || this.calm.matches) return;

    const parts = pictures.flatMap(({ pane, from }) => this.lay(pane, from));
    if (!parts.length) return;

    const timing = { duration: durationFor(interval), easing: "ease-in-out" };
    const running = parts.map(([, moving, frames]) =>
      moving.animate(frames, { ...timing, fill: "both" }),
    );
    running[0].onfinish = () => {
      if (this.running === running) this.finish();
    };
    this.running = running;
  }

  /**
   * Lay what has happened since the step above the picture.
   * @type {(pane: Pane, from: number) => Part[]}
   */
  lay({ pane, picture }, from) {
    const { trace, step, plan } = picture.scene;
    if (step <= from) return [];

    const letters = Object.keys(picture.nodes[plan.top]?.letters ?? {});
    const parts = motionsOf({ trace, plan, letters }, from, step).flatMap((motion) => {
      if (motion.kind === "travel") return travelling(motion);
      return motion.kind === "change" ? changing(picture, motion) : fading(picture, motion);
    });
    if (!parts.length) return [];

    const viewBox = picture.element.getAttribute("viewBox") ?? "";
    const layer = svg(
      "svg",
      { class: "abviz-motion", "aria-hidden": "true", viewBox },
      ...parts.map(([element]) => element),
    );
    layer.style.width = picture.element.style.width;
    pane.append(layer);
    this.layers.push(layer);
    return parts;
  }

  finish() {
    for (const animation of this.running) animation.finish();
    for (const layer of this.layers) layer.remove();
    this.running = [];
    this.layers = [];
  }
}

/**
 * @param {Travel} motion
 * @returns {Part[]}
 */
function travelling({ text, from, to }) {
  const [x, y] = [to[0], to[1] + TOP];
  const moving = text
    ? svg("text", { x, y, "text-anchor": "middle" }, text)
    : svg("circle", { cx: x, cy: y, r: 6 });
  const start = `translate(${from[0] - x}px, ${from[1] - to[1]}px)`;
  const frames = [
    { transform: start, opacity: 1 },
    { opacity: 1, offset: 0.8 },
    { transform: "none", opacity: 0 },
  ];
  return [[moving, moving, frames]];
}

/** @type {(picture: Picture, motion: Change) => Part[]} */
function changing(picture, { node, fact }) {
  const drawn = picture.nodes[node];
  const text = drawn?.letters[fact] ?? drawn?.texts[fact];
  if (!drawn || !text?.textContent) return [];

  const moving = /** @type {Element} */ (text.cloneNode(true));
  const frames = [
    { transform: "none", opacity: 0 },
    { transform: "scale(1.6)", opacity: 1, offset: 0.5 },
    { transform: "none", opacity: 1 },
  ];
  return [[standing(drawn.group, moving), moving, frames]];
}

/** @type {(picture: Picture, motion: Fade) => Part[]} */
function fading({ nodes: drawn, edges }, { nodes }) {
  const moving = svg("g");
  for (const node of nodes) {
    for (const group of [drawn[node]?.group, edges[node]?.group]) {
      const shape = group?.querySelector("path, rect, line");
      if (group && shape) moving.append(standing(group, shape.cloneNode(true)));
    }
  }
  return [[moving, moving, [{ opacity: 1 }, { opacity: 0 }]]];
}

/**
 * The content, placed as in the group.
 * @type {(group: Element, content: Node) => Element}
 */
const standing = (group, content) =>
  svg("g", { transform: group.getAttribute("transform") ?? "" }, content);
