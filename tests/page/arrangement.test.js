// How the page divides its room, whatever the screen.

import assert from "node:assert/strict";
import { test } from "node:test";

import { READABLE, arrangement } from "../../abviz/views/page/core/arrangement.js";

const LAPTOP = {
  font: 14,
  width: 1200,
  screen: 800,
  taken: 300,
  spare: 0,
  picture: [600, 400],
  isFull: false,
  isNarrow: false,
  isLow: false,
  isInMode: false,
  isSplit: false,
  hasPanels: true,
  hasLineAlone: false,
};

/** How large the picture can be in this room. */
const scaleIn = ([width, height], { picture }, most) =>
  Math.min(most, width / picture[0], height / picture[1]);

/** All combinations of these measures. */
function* screens() {
  for (const font of [12, 16, 28])
    for (const [width, screen, taken] of [
      [320, 640, 300],
      [760, 500, 490],
      [1200, 800, 250],
      [2560, 1300, 90],
    ])
      for (const picture of [
        [80, 60],
        [600, 400],
        [4000, 300],
        [300, 4000],
      ])
        for (let bits = 0; bits < 64; bits++) {
          const [isFull, isNarrow, isSplit, hasPanels, isLow, isInMode] = [1, 2, 4, 8, 16, 32].map(
            (bit) => !!(bits & bit),
          );
          const flags = { isFull, isNarrow, isSplit, hasPanels, isLow, isInMode };
          yield { font, width, screen, taken, spare: 0, picture, ...flags };
        }
}

test("the room lies within the page, and the panels leave it the better half", () => {
  for (const screen of screens()) {
    const { room, heights, isBelow, most } = arrangement(screen);
    const isScrolled = screen.isNarrow || screen.isLow;
    const why = JSON.stringify(screen);
    assert.ok(room[0] <= screen.width, why);
    if (heights !== null) {
      const [least, height] = heights;
      const free = screen.screen - screen.taken;
      assert.ok(room[1] <= height && height >= free, why);
      assert.ok(height === free || height > free, why);
      assert.ok(least <= height && (least === height || !screen.isInMode || screen.isFull), why);
    }
    if (screen.isSplit) assert.ok(2 * room[0] <= screen.width || isScrolled, why);

    if (isBelow || isScrolled || screen.isSplit || !screen.hasPanels) continue;
    const below = arrangement({ ...screen, hasPanels: false }).room;
    below[1] -= 9.5 * screen.font;
    const isBetter = scaleIn(below, screen, most) > scaleIn(room, screen, most);
    assert.ok(!isBetter || below[1] <= READABLE * screen.picture[1], why);
  }
});

test("a number line alone leaves the tree more width than all panels do", () => {
  const picture = [1200, 400];
  const beside = (/** @type {boolean} */ hasLineAlone) =>
    arrangement({ ...LAPTOP, picture, screen: 560, hasLineAlone });
  assert.deepEqual(beside(true), { ...beside(false), room: [1200 - 15 * 14, 280] });
  assert.deepEqual(beside(false).room, [1200 - 21 * 14, 280]);
});

test("a wide tree has its panels below it, a high one next to it", () => {
  assert.ok(arrangement({ ...LAPTOP, picture: [1190, 250] }).isBelow);
  assert.ok(!arrangement({ ...LAPTOP, picture: [400, 900] }).isBelow);
});

test("panels stay next to a tree that would be too small to read over them", () => {
  const wide = { ...LAPTOP, picture: [9000, 700] };
  assert.ok(!arrangement(wide).isBelow);
});

test("without panels the tree has all the room, and on a phone half the screen", () => {
  assert.deepEqual(arrangement({ ...LAPTOP, hasPanels: false }).room, [1200, 500]);
  const phone = arrangement({ ...LAPTOP, width: 360, isNarrow: true });
  assert.deepEqual(phone.room, [360, 400]);
  assert.equal(phone.heights, null);
});

test("two trees share the room: next to each other, and on a phone below each other", () => {
  const split = { ...LAPTOP, isSplit: true, hasPanels: false };
  assert.deepEqual(arrangement(split).room, [586, 500 - 1.6 * 14]);
  assert.deepEqual(arrangement({ ...split, isNarrow: true }).room, [1200, 200 - 2.1 * 14]);
});

test("on a low screen a tree keeps a height that can be used", () => {
  assert.equal(arrangement({ ...LAPTOP, taken: 790 }).heights[1], 280);
});

test("what may be scrolled out of sight makes room, until the tree can be read", () => {
  const heightFor = (taken, spare) => arrangement({ ...LAPTOP, taken, spare }).heights[1];
  assert.equal(heightFor(510, 0), 290);
  assert.equal(heightFor(510, 50), 340);
  assert.equal(heightFor(510, 90), 27 * 14);
  assert.equal(heightFor(300, 90), 500);
});

test("on a low screen the tree has nearly all the height, whatever else the page holds", () => {
  const sideways = { ...LAPTOP, width: 500, screen: 390, taken: 350, isLow: true };
  assert.deepEqual(arrangement(sideways).room, [500, 362]);
  assert.equal(arrangement(sideways).heights, null);
});

test("a mode may leave a tree less height than it has otherwise", () => {
  const inMode = { ...LAPTOP, taken: 600, isInMode: true };
  assert.deepEqual(arrangement(inMode).heights, [200, 200]);
  assert.deepEqual(arrangement({ ...inMode, isInMode: false }).heights, [280, 280]);
});

test("on a phone a mode has the height that the page leaves it", () => {
  const phone = { ...LAPTOP, width: 360, isInMode: true };
  assert.deepEqual(arrangement({ ...phone, isNarrow: true }).room, [360, 500]);
  assert.deepEqual(arrangement({ ...phone, isLow: true }).room, [360, 500]);
});

test("only on a full screen a picture is drawn much larger than it is", () => {
  assert.equal(arrangement(LAPTOP).most, 1.25);
  assert.equal(arrangement({ ...LAPTOP, isFull: true }).most, 4);
});
