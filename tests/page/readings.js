// What the tests of formats ask of the page's modules, in Node and in a browser.

import { FORMATS, readTree, writeTree } from "../../abviz/views/page/core/formats.js";
import { toJson } from "../../abviz/views/page/core/numbers.js";
import { Tree } from "../../abviz/views/page/core/trace.js";

const rowsOf = ({ nodes }) =>
  nodes.map(({ name, isMax, value, parent }) => [name, isMax, toJson(value), parent]);

globalThis.readings = (texts) =>
  texts.map((text) => {
    try {
      return rowsOf(readTree(text));
    } catch (problem) {
      if (problem.constructor !== Error) throw problem; // a fault of the page's own
      return problem.message;
    }
  });

globalThis.copies = (all) =>
  all.map(({ rows, ...texts }) => {
    const tree = new Tree(rows, texts);
    return FORMATS.map((format) => [format, writeTree(tree, format)]);
  });
