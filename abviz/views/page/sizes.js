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

/** Between a tree and the panels below it. */
const MARGIN_OF_SIDE = 8;

/** The panel of a mode is at least this high, in em. */
const LEAST_PANEL = 6;

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
  root.style.minHeight = "";
  for (const panel of panelsOf(root)) panel.style.maxHeight = "";
  if (!isFull && isInMode) {
    const usual = usualHeight(parts, shape);
    if (isLow || isNarrow) limitPanels(parts, shape, usual);
    divide(parts, shape, usual);
    root.style.minHeight = `${usual}px`;
    return;
  }

  divide(parts, shape);
  if (!isFull) USUAL.set(root, { window: windowOf(root), height: heightOf(root) });
}

/**
 * The panels of modes, which are below the tree or next to it.
 * @param {HTMLElement} root
 */
function panelsOf(root) {
  /** @type {NodeListOf<HTMLElement>} */
  const panels = root.querySelectorAll(":scope > :is(.abviz-editor, .abviz-worksheet)");
  return [...panels];
}

/**
 * On a phone the panel of a mode scrolls, where the page would be higher than it is otherwise.
 * @param {Parts} parts
 * @param {Shape} shape
 * @param {number} usual
 */
function limitPanels(parts, shape, usual) {
  const { root } = parts;
  divide(parts, shape);
  const beyond = heightOf(root) - usual;
  if (beyond <= 0) return;

  const least = LEAST_PANEL * parseFloat(getComputedStyle(root).fontSize);
  for (const panel of panelsOf(root)) {
    const height = Math.max(least, heightOf(panel) - beyond);
    panel.style.maxHeight = `${height}px`;
  }
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
  const { isLow, isNarrow } = shape;
  side.hidden = !hasPanels;
  side.classList.toggle("abviz-alone", hasLineAlone);
  body.style.minHeight = "";
  body.style.maxHeight = "";

  const style = getComputedStyle(root);
  const [across, down] = panes[0].picture.size;
  /** @param {string} name */
  const outside = (name) => (shape.isFull ? 0 : parseFloat(style.getPropertyValue(name)));
  const bars = outside("--bars");
  // A single tree next to the text has the height of the screen in a mode, too.
  const isInMode = usual !== null && !(isLow && !isSplit);
  let taken = bars + heightOf(root) - heightOf(body);
  if (isLow) taken = bars + edgesOf(style);
  if (isNarrow && side.checkVisibility()) taken += heightOf(side) + MARGIN_OF_SIDE;
  const { isBelow, room, heights, most } = arrangement({
    ...shape,
    font: parseFloat(style.fontSize),
    width: body.clientWidth,
    screen: isInMode ? usual + bars : innerHeight,
    taken,
    spare: usual === null ? outside("--spare") : 0,
    picture: [across, down],
    isInMode,
    isSplit,
    hasPanels,
    hasLineAlone,
  });

  root.classList.toggle("abviz-wide", isBelow);
  if (heights) [body.style.minHeight, body.style.maxHeight] = heights.map((each) => `${each}px`);
  for (const pane of panes) pane.fit(...room, most);
}

/**
 * How high the border and the padding are together.
 * @param {CSSStyleDeclaration} style
 */
const edgesOf = (style) =>
  [style.borderTopWidth, style.borderBottomWidth, style.paddingTop, style.paddingBottom]
    .map(parseFloat)
    .reduce((sum, edge) => sum + edge);

/** @param {HTMLElement} element */
const heightOf = (element) => element.getBoundingClientRect().height;
