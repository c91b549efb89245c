// The board of one position of a game.

import { boardOf, describe, toMove } from "../boards.js";
import { html } from "../dom.js";

/** @import { Boards } from "../boards.js" */
/** @import { TreeNode } from "../core/trace.js" */

export class BoardPanel {
  constructor() {
    this.square = html("div", { class: "abviz-square", role: "img" });
    this.caption = html("div", { class: "abviz-whose" });
    const attributes = { class: "abviz-position", hidden: "" };
    this.element = html("div", attributes, this.square, this.caption);
  }

  /**
   * Show the board at the node; null: the tree has no boards.
   * @param {{boards: Boards | null, node: TreeNode}} shown
   */
  show({ boards, node }) {
    if (this.element.hidden !== !boards) this.element.hidden = !boards;
    if (!boards) return;
    const { index, name } = node;
    this.square.replaceChildren(boardOf(boards, node));
    this.square.setAttribute("aria-label", describe(boards, index));
    this.caption.replaceChildren(
      html("strong", { title: name }, name),
      html("span", {}, toMove(boards, index)),
    );
  }
}
