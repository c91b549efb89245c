// The size of things: what the page measures, and what it does with the arrangement that follows.

import { LEAST_WIDTH_OF_LOW, LOW, NARROW, arrangement } from "./core/arrangement.js";

/**
 * @typedef {object} Parts
 * @property {HTMLElement} root
 * @property {HTMLElement} body what holds the trees and the panels
 * @property {HTMLElement} side the panels
 * @property {import("./pane.js").Pane[]} panes one tree, or two next to each other
 */

/** @typedef {{isFull: boolean, isLow: boolean, isNarrow: boolean}} Shape */

/**
 * How high a page was outside of modes, and in which window, by its root.
 * @type {WeakMap<HTMLElement, {window: string, height: number}>}
 */
const USUAL = new WeakMap();

/**
 * Put the panels next to the tree or below it, and fit the pictures into their room. A mode leaves
 * the page as high as it is without: what it needs it takes from the tree.
 *
 * @param {Parts} parts
 * @param {boolean} isInMode whether a mode has a panel of its own, or a second tree
 */
export function arrange(parts, isInMode) {
  const { root } = parts;
  const isFull = document.fullscreenElement === root;
  const isLow = innerHeight <= LOW && root.clientWidth >= LEAST_WIDTH_OF_LOW;
  const isNarrow = !isLow && root.clientWidth <= NARROW;
  root.classList.toggle("abviz-low", isLow);
  root.classList.toggle("abviz-narrow", isNarrow);

  const shape = { isFull, isLow, isNarrow };
  const isFree = isFull || isLow || isNarrow; // it has the screen, or is read by scrolling
  if (!isFree && isInMode) {
    divide(parts, shape, usualHeight(parts, shape));
    return;
  }

  divide(parts, shape);
  if (!isFree) USUAL.set(root, { window: windowOf(root), height: heightOf(root) });
}

/**
 * How high the page is outside of modes: as it was, or else without what belongs to the mode.
 * @type {(parts: Parts, shape: Shape) => number}
 */
function usualHeight({ panes, ...parts }, shape) {
  const { root } = parts;
  const seen = USUAL.get(root);
  if (seen?.window === windowOf(root)) return seen.height;

  root.classList.add("abviz-measuring");
  divide({ ...parts, panes: panes.slice(0, 1) }, shape);
  const height = heightOf(root);
  root.classList.remove("abviz-measuring");
  return height;
}

/**
 * What the height depends on beside the mode: the window, and which panels the reader has opened.
 * @param {HTMLElement} root
 */
function windowOf(root) {
  const panels = root.querySelectorAll(":scope > :is(.abviz-more, .abviz-share):not([hidden])");
  return `${root.clientWidth} ${innerHeight} ${panels.length}`;
}

/**
 * @param {Parts} parts
 * @param {Shape} shape
 * @param {number | null} usual the height that the page must have: null where it is free
 */
function divide({ root, body, side, panes }, shape, usual = null) {
  const isSplit = panes.length > 1;
  /** @param {Element} part */
  const isShown = (part) => getComputedStyle(part).display !== "none";
  const panels = isSplit ? [] : [...side.children].filter(isShown);
  const hasPanels = panels.length > 0;
  const hasLineAlone = hasPanels && panels.every((panel) => panel.matches(".abviz-line"));

  // All that is measured below depends on these.
  side.hidden = !hasPanels;
  side.classList.toggle("abviz-alone", hasLineAlone);
  body.style.minHeight = "";
  body.style.maxHeight = "";

  const style = getComputedStyle(root);
  const [across, down] = panes[0].picture.size;
  /** @param {string} name */
  const outside = (name) => (shape.isFull ? 0 : parseFloat(style.getPropertyValue(name)));
  const bars = outside("--bars");
  const { isBelow, room, heights, most } = arrangement({
    ...shape,
    font: parseFloat(style.fontSize),
    width: body.clientWidth,
    screen: usual === null ? innerHeight : usual + bars,
    taken: bars + heightOf(root) - heightOf(body),
    spare: usual === null ? outside("--spare") : 0,
    picture: [across, down],
    isInMode: usual !== null,
    isSplit,
    hasPanels,
    hasLineAlone,
  });

  root.classList.toggle("abviz-wide", isBelow);
  if (heights) [body.style.minHeight, body.style.maxHeight] = heights.map((each) => `${each}px`);
  for (const pane of panes) pane.fit(...room, most);
}

/** @param {HTMLElement} element */
const heightOf = (element) => element.getBoundingClientRect().height;
