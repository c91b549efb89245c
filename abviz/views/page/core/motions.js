// What moves in the picture while the search goes on: each motion follows what the algorithm does.
//
// The picture is finished before anything moves; a motion adds nothing to it and hides nothing.

/** @import { Point } from "./layout.js" */
/** @import { Value } from "./numbers.js" */
/** @import { Trace } from "./trace.js" */

/**
 * A window or a value goes from one place to another; what has changed shows itself where it
 * stands; nodes fade out of the search, or a node is lit for a moment.
 *
 * @typedef {{kind: "travel", text: string, from: Point, to: Point}} Travel between the middles of the
 *   text, or of a dot where it is empty
 * @typedef {{kind: "change", node: number, fact: string}} Change
 * @typedef {{kind: "fade", nodes: number[]}} Fade
 * @typedef {Travel | Change | Fade} Motion
 *
 * Where the nodes are.
 * @typedef {object} Places
 * @property {(Point | null)[]} places the center of each node; null where it is not shown
 * @property {[width: number, height: number][]} sizes
 * @property {number} board the height reserved in each node for a board
 *
 * What the picture shows, and the letters that stand in its nodes.
 * @typedef {object} Shown
 * @property {Trace} trace
 * @property {Places} plan
 * @property {string[]} letters
 */

/** In milliseconds. */
const LONGEST = 300;

/** Where there are more nodes than this, nothing travels; and no more fade at once. */
const MOST = 60;

/** The numbers of a node end so far from its right side, and the last of them so far from its bottom. */
const [SIDE, FOOT] = [15, 10];

/** Half the width of a figure. */
const HALF = 5;

/** A window that slides down an edge keeps this distance from the nodes. */
const [BELOW, ABOVE] = [12, 4];

/**
 * The milliseconds that a motion takes where the next step comes after `interval` of them.
 * @param {number} interval
 */
export const durationFor = (interval) => Math.min(LONGEST, interval / 2);

/**
 * What moves between two steps, of which the second is later.
 * @param {Shown} shown
 * @param {number} from
 * @param {number} to
 * @returns {Motion[]}
 */
export function motionsOf(shown, from, to) {
  if (shown.plan.places.filter(Boolean).length > MOST) return [fadeAt(shown, to)];

  const motions = [];
  for (let step = from + 1; step <= to; step++) motions.push(...motionsAt(shown, step));
  return motions;
}

/**
 * @param {Shown} shown
 * @param {number} step
 * @returns {Motion[]}
 */
function motionsAt(shown, step) {
  const { trace } = shown;
  const [kind, node] = trace.eventAt(step);
  switch (kind) {
    case "enter":
      return trace.nodes[node].parent < 0 ? changes(node, shown.letters) : descent(shown, node);
    case "leaf":
      return [...descent(shown, node), ...changes(node, ["value"])];
    case "bv":
      return [...ascent(shown, step), ...changes(node, isImproved(trace, step) ? ["bv"] : [])];
    case "alpha":
      return changes(node, ["α"]);
    case "beta":
      return changes(node, ["β"]);
    case "exit":
      return changes(node, ["proven"]);
    default:
      return [fadeAt(shown, step)];
  }
}

/** @type {(node: number, facts: string[]) => Motion[]} */
const changes = (node, facts) => facts.map((fact) => ({ kind: "change", node, fact }));

/** @type {(trace: Trace, step: number) => boolean} */
function isImproved(trace, step) {
  const node = trace.places[step];
  return trace.nodeAt(node, step).bv !== trace.nodeAt(node, step - 1).bv;
}

/**
 * The window slides down the edge to the node.
 * @type {(shown: Shown, node: number) => Motion[]}
 */
function descent({ trace, plan, letters }, node) {
  const { places, sizes } = plan;
  const { parent } = trace.nodes[node];
  const [above, below] = [places[parent], places[node]];
  if (!above || !below) return [];

  const [alpha, beta] = trace.windows[node];
  const hasWindow = letters.includes("α") && alpha !== null && beta !== null;
  const { number } = trace.tree;
  return [
    {
      kind: "travel",
      text: hasWindow ? `(${number(alpha)}, ${number(beta)})` : "",
      from: [above[0], above[1] + sizes[parent][1] / 2 + BELOW],
      to: [below[0], below[1] - sizes[node][1] / 2 - ABOVE],
    },
  ];
}

/**
 * The value that a child has returned travels up to the place of bv.
 * @type {(shown: Shown, step: number) => Motion[]}
 */
function ascent({ trace, plan }, step) {
  const node = trace.places[step];
  const child = trace.places[step - 1];
  const value = trace.eventAt(step)[5];
  const isReturn = trace.nodes[child].parent === node;
  if (!isReturn || value === null || !plan.places[node] || !plan.places[child]) return [];

  const text = trace.tree.number(value);
  const placeOf = (/** @type {number} */ at) => valuePlace({ trace, plan }, at, text);
  return [{ kind: "travel", text, from: placeOf(child), to: placeOf(node) }];
}

/**
 * Where a value stands: in the middle of a leaf, and in an inner node where its numbers end.
 * @type {(shown: Pick<Shown, "trace" | "plan">, node: number, text: string) => Point}
 */
function valuePlace({ trace, plan: { places, sizes, board } }, node, text) {
  const [x, y] = places[node] ?? [0, 0];
  if (!trace.nodes[node].children.length) return [x, y + board / 2];

  const [width, height] = sizes[node];
  return [x + width / 2 - SIDE - HALF * text.length, y + height / 2 - board - FOOT];
}

/**
 * What is cut off fades; at another step, the light on the node at which it happens.
 * @type {(shown: Shown, step: number) => Motion}
 */
function fadeAt({ trace, plan }, step) {
  const cut = trace.cutAt.get(step);
  const nodes = cut
    ? cut.skipped.flatMap((child) => trace.tree.below(child))
    : [trace.places[step]];
  const drawn = nodes.filter((node) => plan.places[node]).slice(0, MOST);
  return { kind: "fade", nodes: drawn };
}
