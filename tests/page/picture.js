// What the tests ask of a picture in a browser.

import { withValue } from "../../abviz/views/page/core/edit.js";
import { Tree, trace } from "../../abviz/views/page/core/trace.js";
import { html, svg } from "../../abviz/views/page/dom.js";
import { SHOWS, lettersShown } from "../../abviz/views/page/core/levels.js";
import { Picture, planOf } from "../../abviz/views/page/picture.js";

/** Scenes of the tree: some steps of some searches, under every switch that a scene has. */
function scenesOf(sent, choose) {
  const tree = new Tree(sent.rows);
  const leaves = tree.nodes.filter(({ children, folded }) => !children.length && !folded);
  const edited = withValue(tree, choose(leaves).index, 7);
  const inner = tree.nodes.filter(({ children }) => children.length);
  const { rules } = sent.search;
  const searches = ["alphabeta", "minimax"].map((search) => ({ search, rules, depth: null }));
  const hasValues = leaves.every(({ value }) => value !== null);
  const shown = hasValues
    ? searches.flatMap((options) => [trace(tree, options), trace(edited, options)])
    : [];

  const sheet = {
    hasFields: ({ children }) => children.length > 0,
    field: (node, letter, box) =>
      svg("foreignObject", box, html("input", { "aria-label": letter })),
  };
  const plans = new Map();
  const planFor = (searched, closed, show) => {
    const letters = lettersShown(searched, show).length;
    const key = `${letters} ${closed}`;
    const names = new Set(closed);
    if (!plans.has(key))
      plans.set(
        key,
        planOf(tree, { letters, hasBoards: false, closed: names, top: 0, given: null }),
      );
    return plans.get(key);
  };
  const cuts = [new Set(), new Set([`cut ${choose(tree.nodes).name}`])];

  return () => {
    const searched = choose(shown);
    const show = choose(["bounds", "bounds", ...SHOWS]);
    const closed = choose([[], [], choose(inner)?.name ?? []].map((names) => [names].flat()));
    return {
      trace: searched,
      step: choose([...searched.places.keys()]),
      show,
      plan: planFor(searched, closed, show),
      title: choose(["Game tree", "Game tree", "Minimax, game tree"]),
      boards: null,
      original: choose([tree, tree, null]),
      isVeiled: choose([false, false, true]),
      hasHistory: choose([false, false, true]),
      canChange: choose([true, true, false]),
      isStill: choose([false, false, false, true]),
      sheet: choose([null, null, null, sheet]),
      cuts: choose(cuts),
    };
  };
}

/** Numbers in [0, 1), the same for the same seed. */
function dice(seed) {
  let state = seed;
  return () => {
    state = (state * 48271) % 2147483647;
    return state / 2147483647;
  };
}

/** Show random scenes in one picture. Return the first that a new picture shows otherwise, and both. */
globalThis.firstStalePicture = (sent, seed, times) => {
  const random = dice(seed);
  const choose = (items) => items[Math.floor(random() * items.length)];
  const next = scenesOf(sent, choose);
  const picture = new Picture();
  let scene = next();
  for (let time = 0; time < times; time++) {
    const another = next();
    scene = choose([
      another,
      { ...scene, step: choose([...scene.trace.places.keys()]) },
      {
        ...scene,
        ...choose([
          { isVeiled: !scene.isVeiled },
          { hasHistory: !scene.hasHistory },
          { cuts: another.cuts },
          { original: another.original },
        ]),
      },
    ]);
    picture.show(scene);
    const fresh = new Picture();
    fresh.show(scene);
    const both = [picture, fresh].map(({ element }) => probe.dom(element));
    if (both[0] !== both[1]) return [time, scene.step, ...both];
  }
  return null;
};
