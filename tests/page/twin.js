// What the tests ask of the page's modules, in Node and in a browser.

import { layout } from "../../abviz/views/page/core/layout.js";
import { SPEEDS } from "../../abviz/views/page/panels/controls.js";
import { SHOWS, lettersShown, stepsShown } from "../../abviz/views/page/core/levels.js";
import { fromJson, toJson } from "../../abviz/views/page/core/numbers.js";
import { formsOf, lineAt, writeDown } from "../../abviz/views/page/core/pseudocode.js";
import { questionsBefore } from "../../abviz/views/page/core/questions.js";
import { Tree, trace } from "../../abviz/views/page/core/trace.js";
import { counts, narrate, sentence } from "../../abviz/views/page/core/words.js";
import { searchOf } from "../../abviz/views/page/host.js";
import { landing, range } from "../../abviz/views/page/panels/number-line.js";
import { rulesLine, rulesOf } from "../../abviz/views/page/panels/rules.js";
import { nodeSizes } from "../../abviz/views/page/picture.js";

const toText = (value) => (typeof value === "bigint" ? String(value) : toJson(value));
function everything({ rows, search, players }) {
  const tree = new Tree(
    rows.map(([name, isMax, value, parent, more]) => [name, isMax, fromJson(value), parent, more]),
    { players },
  );
  const shown = trace(tree, {
    ...search,
    alpha: fromJson(search.alpha ?? "-inf"),
    beta: fromJson(search.beta ?? "inf"),
  });
  const steps = Array.from({ length: shown.length + 1 }, (_, step) => step);
  const known = [];
  const places = new Map(); // a state stands for many steps: its place among the known ones
  const place = (now) => {
    if (!places.has(now)) {
      const { state, alpha, beta, bv, value, low, high } = now;
      const text = JSON.stringify([state, ...[alpha, beta, bv, value, low, high].map(toText)]);
      if (!known.includes(text)) known.push(text);
      places.set(now, known.indexOf(text));
    }
    return places.get(now);
  };
  const asked = (step) =>
    questionsBefore(shown, step).map((q) => [
      q.kind,
      q.node,
      q.text,
      q.choices,
      q.right,
      q.reasons,
    ]);
  return JSON.stringify({
    events: shown.events.map(([kind, node, ...numbers]) => [kind, node, ...numbers.map(toText)]),
    states: steps.map((step) => tree.nodes.map(({ index }) => place(shown.nodeAt(index, step)))),
    visits: steps.map((step) => tree.nodes.map(({ index }) => place(shown.lastVisit(index, step)))),
    known: known.map((text) => JSON.parse(text)),
    places: steps.map((step) => [shown.places[step], ...shown.counts[step], shown.lineAt(step)]),
    cuts: shown.cuts.map((cut) => [
      cut.step,
      cut.kind,
      cut.at,
      ...[cut.alpha, cut.beta, cut.bv].map(toText),
      cut.skipped,
      cut.witness,
      cut.via,
      cut.deep,
      cut.saved,
    ]),
    sentences: steps.map((step) => [sentence(shown, step), counts(shown, step)]),
    narration: ["values", "bv", "all"].map((show) =>
      steps.map((step) => narrate(shown, step, show)),
    ),
    levels: SHOWS.map((show) => [show, stepsShown(shown, show), lettersShown(shown, show)]),
    questions: steps.map(asked),
    code: formsOf(shown).map((form) => {
      const written = writeDown(shown, form);
      return [
        form.name,
        written.map(({ indent, text }) => [indent, text]),
        steps.map((step) => lineAt(shown, step, written)),
      ];
    }),
  });
}
globalThis.twin = (cases) =>
  cases.map((each) => {
    try {
      return everything(each);
    } catch (problem) {
      return String(problem);
    }
  });

const shownOf = ({ rows, search }) => {
  const tree = new Tree(
    rows.map(([name, isMax, value, parent, more]) => [name, isMax, fromJson(value), parent, more]),
  );
  return trace(tree, {
    ...search,
    ...(search.alpha !== undefined && {
      alpha: fromJson(search.alpha),
      beta: fromJson(search.beta),
    }),
  });
};
/** Of recorded runs the best line of each step, and each cut's witness, the child that set the bound, and its line. */
globalThis.linesOfRuns = (specs) =>
  specs.map((spec) => {
    const run = searchOf(spec);
    const steps = Array.from({ length: run.length + 1 }, (_, step) => step);
    const argument = (cut) => [cut.witness, cut.via, cut.deep, run.sourceOfBound(cut)];
    return [steps.map((step) => run.lineAt(step)), run.cuts.map(argument)];
  });
/** Where the value falls at each step: [value, bv, zone, alpha, beta], or null; and the ends of the number line. */
globalThis.numberLine = (sent) => {
  const shown = shownOf(sent);
  const at = (landed) =>
    landed && [
      toText(landed.value),
      toText(landed.bv),
      landed.zone,
      toText(landed.alpha),
      toText(landed.beta),
    ];
  return [
    [null, ...Array.from({ length: shown.length }, (_, step) => at(landing(shown, step + 1)))],
    range(shown),
    rulesLine(shown),
  ];
};
/** Where the page puts the nodes of a tree whose shape it has changed, and how large the tree is. */
globalThis.places = (sent) => {
  const { tree } = shownOf(sent);
  return layout(tree, nodeSizes(tree, 3));
};
globalThis.sizes = (sent) => nodeSizes(shownOf(sent).tree, 3);
globalThis.lists = { rules: rulesOf("alphabeta").map(([name]) => name), speeds: SPEEDS };
