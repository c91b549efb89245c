// What a gesture over the picture does: which action it is depends on the state.

import { canExplain } from "./actions/steps.js";
import { dragOf } from "./core/editing.js";
import { isPracticing } from "./sheet.js";

/** @import { Actions } from "./pointer.js" */
/** @import { Action, State } from "./state.js" */

/**
 * @param {object} page
 * @param {() => State} page.shown
 * @param {(action: Action) => void} page.send
 * @param {(path: number[]) => boolean} page.picks take the node at the end of the path as an answer;
 *   false where none is asked for
 * @param {() => void} page.look another node is pointed at, or none
 * @param {() => void} page.press the pointer has gone down
 * @returns {Actions}
 */
export function gesturesOf({ shown, send, picks, look, press }) {
  /** Select the node, while the tree is edited. @param {number} index */
  const select = (index) => {
    if (shown().mode === "edit") send({ type: "select", index });
  };
  /** Ask for another value of the leaf. @param {number} index */
  const revalue = (index) => send({ type: "openField", kind: "value", index });

  /** Say why the node was skipped, unless that is said. @type {Actions["explain"]} */
  const explain = (index) => {
    const state = shown();
    if (state.explained === index || !canExplain(state, index)) return false;
    send({ type: "explain", index });
    return true;
  };

  /** @type {Actions["click"]} */
  const click = (index, edge, mayFold) => {
    const state = shown();
    const { tree } = state.trace;
    if (isPracticing(state)) {
      if (edge >= 0) send({ type: "markCut", index: edge });
      return;
    }
    if (index < 0) send({ type: "explain", index: -1 });
    if (index < 0 || picks(tree.path(index)) || explain(index)) return;
    if (mayFold && tree.nodes[index].children.length) {
      send({ type: "fold", index });
      return;
    }
    select(index);
    revalue(index);
  };

  return {
    look,
    press,
    click,
    fold: (index) => send({ type: "fold", index }),
    focusNode: select,
    dragOf: (index) => (shown().open ? "" : dragOf(shown(), index)),
    dragValue: (index, value) => send({ type: "drag", index, value }),
    endDrag: () => send({ type: "drop" }),
    reorder: (index, place) => send({ type: "reorder", index, place }),
    revalue,
    explain,
  };
}
