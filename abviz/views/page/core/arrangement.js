// How a page divides its room between the tree and the panels: next to the tree, or below it.
//
// Lengths are in pixels, but for those in em, which grow with the font.

/** The width of the panels next to a tree, in em; and of the number line, where it is alone. */
const SIDE = 21;
const SIDE_OF_LINE = 15;

/** Their height below it, in em. */
const STRIP = 9.5;

/**
 * The height of tree and panels, however low the screen or the tree, in em; and while a mode takes
 * some of it. It has room for the panel of each mode, and for the rows of bounds that some show.
 */
const LEAST = 20;
const LEAST_IN_MODE = 9;

/**
 * For a tree that is small to read, the head and the foot of the page may be scrolled out of sight:
 * then tree and panels are up to this high, in em.
 */
const READ = 27;

/** The caption over each of two trees, in em; and where they are below each other, in two lines. */
const CAPTION = 1.6;
const CAPTION_ON_PHONE = 2.1;

/** Between two trees, in em. */
const GAP = 1;

/**
 * A picture is not drawn larger than this. What is more than 1 is room for the panel of a mode, so
 * that on a large screen the tree can still be read while it is open.
 */
const MOST = 1.25;
const USUAL_FONT = 14; // a larger one is for a larger screen, and a larger picture
const MOST_ON_FULL_SCREEN = 4;

/** A wider page is to be seen on one screen. */
export const NARROW = 760;

/** A screen of at most this height, as of a phone held sideways, has the tree next to the text. */
export const LOW = 480;
export const LEAST_WIDTH_OF_LOW = 560;

/** What stays free above and below the tree on a low screen, in em; and on a full one, with panels. */
const AROUND_LOW = 2;
const PANELS_ON_LOW = 10;

/** A picture scrolls rather than shrink below this scale; two pictures are to be seen whole. */
export const READABLE = 0.62;
export const COMPARABLE = 0.48;

/**
 * Divide the room so that the tree is as large as possible, on one screen with all the rest.
 *
 * @param {object} measures
 * @param {number} measures.font the size of the font
 * @param {number} measures.width of the tree and the panels together
 * @param {number} measures.screen the height of the screen
 * @param {number} measures.taken how much of it other things take
 * @param {number} measures.spare how much of that may be scrolled out of sight
 * @param {[number, number]} measures.picture the size of the picture at scale 1
 * @param {boolean} measures.isFull whether the page has the whole screen
 * @param {boolean} measures.isNarrow whether the page is read by scrolling, as on a phone
 * @param {boolean} measures.isLow whether the tree is next to the text
 * @param {boolean} measures.isInMode whether the panel of a mode takes room
 * @param {boolean} measures.isSplit whether two trees share the room
 * @param {boolean} measures.hasPanels
 * @param {boolean} measures.hasLineAlone whether the number line is the only one
 * @returns {{isBelow: boolean, room: [number, number], heights: [least: number, most: number] | null,
 *   most: number}} whether the panels are below the tree; the room for each picture; the height of
 *   tree and panels together, null where that is free; the largest scale
 */
export function arrangement({
  font,
  width,
  screen,
  taken,
  spare,
  picture,
  isFull,
  isNarrow,
  isLow,
  isInMode,
  isSplit,
  hasPanels,
  hasLineAlone,
}) {
  let free = screen - taken;
  if (isNarrow && !isInMode) free = screen / 2;
  if (isLow && !isInMode) free = screen - (isFull && hasPanels ? PANELS_ON_LOW : AROUND_LOW) * font;
  const isScrolled = isNarrow || isLow;
  const least = (isInMode ? LEAST_IN_MODE : LEAST) * font;
  const height = Math.max(least, free, Math.min(READ * font, free + spare));
  const most = isFull ? MOST_ON_FULL_SCREEN : MOST * (font / USUAL_FONT) ** 2;

  /** @type {[number, number]} */
  const beside = [width - (hasLineAlone ? SIDE_OF_LINE : SIDE) * font, height];
  /** @type {[number, number]} */
  const below = [width, height - STRIP * font];
  const scaleIn = (/** @type {[number, number]} */ [across, down]) =>
    Math.min(most, across / picture[0], down / picture[1]);
  const isReadableBelow = below[1] > READABLE * picture[1];
  const isLargerBelow = scaleIn(below) > scaleIn(beside) && isReadableBelow;
  const isBelow = !isScrolled && !isSplit && isLargerBelow;

  /** @type {[number, number]} */
  let room = isBelow ? below : beside;
  if (isScrolled || !hasPanels) room = [width, height];
  if (isSplit) {
    room = isScrolled
      ? [width, height / 2 - CAPTION_ON_PHONE * font]
      : [width / 2 - GAP * font, height - CAPTION * font];
  }
  /** @type {[number, number]} */
  const heights = [isInMode ? height : least, height];
  if (isFull) heights[0] = 0; // it takes what is left
  return { isBelow, room, heights: isScrolled ? null : heights, most };
}
