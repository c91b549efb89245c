// The marks of practice on a whole tree: α, β and bv as the search leaves each node, and the cuts.
// Which are right, why one is wrong, where to look next, and the text to hand in.

import { withLeaves } from "./edit.js";
import { writeTree } from "./formats.js";
import { number, toJson, typed } from "./numbers.js";
import { remembered } from "./trace.js";
import { lettered } from "./letters.js";
import { FIELDS, lettersOf, player, sentence } from "./words.js";

/** @import { Trace, Tree, TreeNode } from "./trace.js" */

/**
 * @typedef {object} Mark
 * @property {string} key "bv A", or "cut f2" for the edge above
 * @property {number} index of the node
 * @property {string} field "alpha", "beta", "bv" or "cut"
 * @property {string} place where it is, in words
 * @property {string | boolean} expected "" where the search never comes; a cut is true or false
 * @property {number} step at which it is settled
 *
 * Whether a mark that has been made is right; "" where none has been made.
 * @typedef {"right" | "wrong" | ""} MarkVerdict
 *
 * What the reader has made of the marks, all cuts among them.
 * @typedef {object} Made
 * @property {Map<string, string>} answers the texts of the fields, by the keys of their marks
 * @property {Set<string>} cuts
 *
 * A sheet to be filled in, as far as judging it goes.
 * @typedef {{trace: Trace, given: Map<string, string | boolean>} & Made} FilledIn
 *
 * What Check has found.
 * @typedef {object} Judgement
 * @property {Map<string, MarkVerdict>} verdicts of all marks that are asked for
 * @property {[right: number, all: number]} score
 * @property {string} text the score in words
 * @property {string[]} reasons why marks are wrong
 */

/**
 * Whether the node has fields: an inner node, above the depth at which the search stops.
 * @param {Trace} trace
 * @param {TreeNode} node
 */
export const hasFields = ({ depth }, { level, children }) =>
  children.length > 0 && (depth === null || level < depth);

/**
 * What the reader is asked to do.
 * @param {Trace} trace
 */
export function taskOf(trace) {
  const letters = lettersOf(trace).map(lettered);
  const last = letters[letters.length - 1];
  const named = [letters.slice(0, -1).join(", "), last].filter(Boolean).join(" and ");
  return `Fill in ${named} as the search leaves each node; nodes that it never enters stay empty.`;
}

/** Every mark of the finished search. */
export const marksOf = remembered((/** @type {Trace} */ trace) =>
  trace.nodes.flatMap((node) => [...fieldsOf(trace, node), ...cutsOf(trace, node)]),
);

/**
 * @param {Trace} trace
 * @param {TreeNode} node
 * @returns {Mark[]}
 */
function fieldsOf(trace, node) {
  if (!hasFields(trace, node)) return [];
  const { index, name, short } = node;
  const last = trace.nodeAt(index, trace.length);
  return lettersOf(trace).map((letter) => {
    const field = FIELDS[letter];
    const mark = {
      key: `${field} ${name}`,
      index,
      field,
      place: `${lettered(letter)} of ${short}`,
    };
    if (last.state !== "done") return { ...mark, expected: "", step: cutStep(trace, index) };

    const states = trace.states[index];
    const settled = states.find(([, each]) => each[field] == last[field]);
    return { ...mark, expected: number(last[field]), step: settled ? settled[0] : trace.length };
  });
}

/**
 * The mark on the edge above: it is cut where the parent is entered, and the node is skipped.
 * @param {Trace} trace
 * @param {TreeNode} node
 * @returns {Mark[]}
 */
function cutsOf(trace, { index, name, short, parent }) {
  if (parent < 0) return [];
  /** @param {number} each */
  const isSkipped = (each) => trace.nodeAt(each, trace.length).state === "skipped";
  const expected = isSkipped(index) && !isSkipped(parent);
  const place = `the edge to ${short}`;
  return [
    { key: `cut ${name}`, index, field: "cut", place, expected, step: cutStep(trace, index) },
  ];
}

/**
 * The step of the cut that leaves the node out, or the search's end.
 * @param {Trace} trace
 * @param {number} index
 */
function cutStep(trace, index) {
  const path = trace.tree.path(index);
  const cut = trace.cuts.find(({ skipped }) => skipped.some((child) => path.includes(child)));
  return cut ? cut.step : trace.length;
}

// ------------------------------------------------------------------ judging

/**
 * Whether the mark, as it has been made, is right.
 * @param {Mark} mark
 * @param {Made} made
 * @returns {MarkVerdict}
 */
export function verdictOf({ key, field, expected }, { answers, cuts }) {
  if (field === "cut") {
    if (!cuts.has(key)) return "";
    return expected ? "right" : "wrong";
  }
  const text = answers.get(key)?.trim() ?? "";
  if (!text) return "";
  const value = typed(text);
  return value !== undefined && number(value) === expected ? "right" : "wrong";
}

/**
 * The marks that are asked for, and not given.
 * @param {FilledIn} sheet
 */
const asked = ({ trace, given }) => marksOf(trace).filter(({ key }) => !given.has(key));

/**
 * Whether each mark that has been made is right, and why it is not.
 * @param {FilledIn} sheet
 * @returns {Judgement}
 */
export function check(sheet) {
  const judged = asked(sheet).map((mark) => ({ mark, verdict: verdictOf(mark, sheet) }));
  const due = judged.filter(({ mark }) => mark.expected); // the others are rightly empty
  const right = due.filter(({ verdict }) => verdict === "right").length;
  const missing = due.filter(({ verdict }) => !verdict).length;
  const wrong = judged.filter(({ verdict }) => verdict === "wrong");
  const extra = wrong.filter(({ mark }) => !mark.expected).length;

  let text = `${right} of ${due.length} marks right`;
  if (missing) text += `, ${missing} missing`;
  if (extra) text += `, ${extra} too many`;
  return {
    verdicts: new Map(judged.map(({ mark, verdict }) => [mark.key, verdict])),
    score: [Math.max(0, right - extra), due.length], // or whoever marks everything would be right
    text: `${text}.`,
    reasons: wrong.map(({ mark }) => whyWrong(sheet.trace, mark)),
  };
}

/**
 * How many marks have been made, and nothing of whether they are right.
 * @param {FilledIn} sheet
 */
export function countOf({ trace, answers, cuts }) {
  const fields = marksOf(trace).filter(({ field }) => field !== "cut");
  const filledIn = fields.filter(({ key }) => answers.get(key)?.trim());
  return `Filled in: ${filledIn.length} of ${fields.length} fields. Edges cut: ${cuts.size}.`;
}

/**
 * Why a mark is wrong, without giving the other marks away.
 * @param {Trace} trace
 * @param {Mark} mark
 */
function whyWrong(trace, { place, field, expected, step, index }) {
  const name = trace.nodes[index].short;
  if (field === "cut" && !expected) return `The parent of ${name} does not cut it off.`;
  if (expected === "") return `${place}: the search never enters ${name}.`;
  return `Step ${step}, ${place}: ${sentence(trace, step)}`;
}

/**
 * Where to look next, and why there: the first mark, in the order in which the search is done with
 * the nodes, that is missing or wrong.
 * @param {FilledIn} sheet
 */
export function hintOf(sheet) {
  const { trace } = sheet;
  /** @param {Mark} mark */
  const isOpen = (mark) => {
    const verdict = verdictOf(mark, sheet);
    return verdict === "wrong" || (mark.expected && !verdict);
  };
  const [mark] = asked(sheet)
    .filter(isOpen)
    .sort((one, other) => turnOf(trace, one) - turnOf(trace, other));
  return mark ? `Look at ${mark.place}: ${reasonFor(trace, mark)}.` : "Everything is right.";
}

/** At a node, bv comes first: its own bound and the cuts follow from it. */
const FIELDS_IN_TURN = ["bv", "alpha", "beta", "cut"];

/**
 * When the mark can be worked out, as a number to compare: as the search leaves its node, or for a
 * cut the node that cuts; so the deepest nodes come first.
 * @param {Trace} trace
 * @param {Mark} mark
 */
function turnOf(trace, { index, field }) {
  const node = field === "cut" ? trace.nodes[index].parent : index;
  const done = trace.states[node].find(([, { state }]) => state === "done");
  const left = done ? done[0] : trace.length + 1;
  return left * FIELDS_IN_TURN.length + FIELDS_IN_TURN.indexOf(field);
}

/**
 * From what the mark follows, without giving it away.
 * @param {Trace} trace
 * @param {Mark} mark
 */
function reasonFor(trace, { index, field, expected }) {
  const { isMax, short, parent } = trace.nodes[index];
  const above = trace.nodes[parent];
  /** @param {TreeNode} node */
  const isEntered = (node) => trace.nodeAt(node.index, trace.length).state === "done";
  if (field === "cut") {
    if (!isEntered(above)) return `the search never enters ${above.short}`;
    const bound = above.isMax ? "β" : "α";
    return `compare bv of ${above.short} with its ${bound} after each child`;
  }
  if (expected === "") return `the search never enters ${short}`;
  if (field === "bv") {
    return `the ${isMax ? "largest" : "smallest"} value that a child of ${short} has returned`;
  }

  const isAlpha = field === "alpha";
  const [letter, first] = isAlpha ? ["α", trace.windows[0][0]] : ["β", trace.windows[0][1]];
  const origin = above
    ? `${short} got it from ${above.short}`
    : `the search begins with ${letter} = ${number(first)}`;
  if (isMax === isAlpha) return `${origin}, and bv can ${isAlpha ? "raise" : "lower"} it`;
  return `${origin}, and a ${player({ isMax })} node never changes it`;
}

/**
 * The tree, the answers and the score as a small text, which `abviz check` verifies; and the student
 * to whom the tree is assigned, if any: then the score is left out, as it says how many marks there
 * are.
 * @param {FilledIn} sheet
 * @param {{id: string, name: string} | null} [student]
 */
export function resultOf(sheet, student) {
  const { trace, answers, given, cuts } = sheet;
  const { options } = trace; // the rules, the depth, the window, early_stop
  const typedIn = [...answers].filter(([key, text]) => text.trim() && !given.has(key));
  return JSON.stringify({
    abviz: "practice",
    student: student ? { id: student.id, name: student.name } : undefined,
    tree: writeTree(trace.tree, "JSON"),
    ...options,
    alpha: options.alpha === undefined ? undefined : toJson(options.alpha),
    beta: options.beta === undefined ? undefined : toJson(options.beta),
    asked: asked(sheet).map(({ key }) => key),
    answers: Object.fromEntries(typedIn),
    cuts: [...cuts],
    score: student ? undefined : check(sheet).score,
  });
}

// ------------------------------------------------------------------ chance

/**
 * Some of the marks that are not to stay empty.
 * @param {Trace} trace
 * @param {number} many
 * @param {() => number} random a number from 0 to below 1
 */
export function someMarks(trace, many, random) {
  const marks = marksOf(trace).filter(({ expected }) => expected);
  const drawn = marks.map(({ key }) => ({ key, lot: random() }));
  drawn.sort((one, other) => one.lot - other.lot);
  return drawn.slice(0, many).map(({ key }) => key);
}

/**
 * A tree of the same kind: the same shape and range, other leaves.
 * @param {Tree} tree
 * @param {() => number} random a number from 0 to below 1
 */
export function similarTree(tree, random) {
  const values = tree.nodes.flatMap(({ children, value }) => {
    const isPlain = typeof value === "number" && Number.isFinite(value);
    return isPlain && !children.length ? [value] : [];
  });
  const low = Math.min(0, ...values);
  const high = Math.max(9, ...values);
  return withLeaves(tree, () => low + Math.floor(random() * (high - low + 1)));
}
