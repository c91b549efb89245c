// The size of things: what the page measures, and what it does with the arrangement that follows.

import { NARROW, arrangement } from "./core/arrangement.js";

/**
 * Put the panels next to the tree or below it, and fit the pictures into their room.
 *
 * @param {object} parts
 * @param {HTMLElement} parts.root
 * @param {HTMLElement} parts.body what holds the trees and the panels
 * @param {HTMLElement} parts.side the panels
 * @param {import("./pane.js").Pane[]} parts.panes one tree, or two next to each other
 */
export function arrange({ root, body, side, panes }) {
  const isFull = document.fullscreenElement === root;
  const isNarrow = root.clientWidth <= NARROW;
  const isSplit = panes.length > 1;
  const hasPanels = !isSplit && [...side.children].some((part) => !part.matches("[hidden]"));

  // All that is measured below depends on these.
  root.classList.toggle("abviz-narrow", isNarrow);
  side.hidden = !hasPanels;
  body.style.maxHeight = "";

  const style = getComputedStyle(root);
  const [across, down] = panes[0].picture.size;
  const bars = isFull ? 0 : parseFloat(style.getPropertyValue("--bars"));
  const { isBelow, room, height, most } = arrangement({
    font: parseFloat(style.fontSize),
    width: body.clientWidth,
    screen: innerHeight,
    taken: bars + root.offsetHeight - body.offsetHeight,
    picture: [across, down],
    isFull,
    isNarrow,
    isSplit,
    hasPanels,
  });

  root.classList.toggle("abviz-wide", isBelow);
  body.style.maxHeight = height === null ? "" : `${height}px`;
  for (const pane of panes) pane.fit(...room, most);
}
