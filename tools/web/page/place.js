// Where the reader is on a page: a page that is loaded again shows the same cell at the same
// height, whatever the cells above it show by then.

/** @typedef {{cell: string, top: number}} Place */

/** @param {HTMLElement} main */
function placeIn(main) {
  const cells = [...main.children].filter((each) => each.id && each.getClientRects().length);
  const cell = cells.find((each) => each.getBoundingClientRect().bottom > 0) ?? cells.at(-1);
  return cell && { cell: cell.id, top: cell.getBoundingClientRect().top };
}

/** @param {Place} place */
function show({ cell, top }) {
  const element = document.getElementById(cell);
  if (!element?.getClientRects().length) return;
  scrollBy({ top: element.getBoundingClientRect().top - top, behavior: "instant" });
}

/**
 * Come back to where the reader was when the page was left, and keep where they are.
 * @param {HTMLElement} main
 * @param {Promise<unknown>} drawn settled when the page has all its heights
 */
export async function keepPlace(main, drawn) {
  const key = `abviz place ${location.pathname}`;
  const place = isLoadedAgain() ? read(key) : null;
  history.scrollRestoration = "manual";
  for (const event of ["pagehide", "visibilitychange"]) {
    addEventListener(event, () => write(key, scrollY > 0 ? placeIn(main) : null));
  }
  if (!place) return;

  let hasMoved = false;
  for (const event of ["wheel", "touchstart", "keydown", "pointerdown"]) {
    addEventListener(event, () => (hasMoved = true), { once: true, passive: true });
  }
  show(place);
  await drawn;
  if (!hasMoved) show(place);
}

function isLoadedAgain() {
  const [entry] = /** @type {PerformanceNavigationTiming[]} */ (
    performance.getEntriesByType("navigation")
  );
  return entry?.type === "reload" || entry?.type === "back_forward";
}

/**
 * @param {string} key
 * @returns {Place | null}
 */
function read(key) {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? "null");
  } catch {
    return null;
  }
}

/**
 * @param {string} key
 * @param {Place | null | undefined} place
 */
function write(key, place) {
  try {
    sessionStorage.setItem(key, JSON.stringify(place ?? null));
  } catch {
    // the page begins at its top, then
  }
}
