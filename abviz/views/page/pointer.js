// Mouse, touch and keys over a picture become actions: what is done to a node, and never how.

import { keyName } from "./dom.js";
import { edgeUnder, nodeUnder } from "./picture.js";

/** @import { Pane } from "./pane.js" */

/** A press that moves further than this is a drag; each such distance changes a value by 1. */
const DRAG = 7;

/**
 * What the pointer may ask for.
 *
 * @typedef {object} Actions
 * @property {() => void} look another node is pointed at, or none
 * @property {(index: number) => void} focusNode the keyboard has come to the node
 * @property {() => void} press the pointer has gone down
 * @property {(index: number, edge: number, isDouble: boolean) => void} click on a node, an edge (or
 *   -1), or neither
 * @property {(index: number) => "order" | "value" | ""} dragOf what a drag of the node would change
 * @property {(index: number, value: number) => void} dragValue
 * @property {() => void} endDrag
 * @property {(index: number, place: number) => void} reorder the node is dropped among its siblings
 * @property {(index: number) => void} revalue ask for another value of the leaf
 * @property {(index: number) => boolean} explain say why the node was skipped; false where that is said, or
 *   where it was not
 * @property {(index: number) => void} fold fold what is below the node, or unfold it
 */

export class Pointer {
  /**
   * @param {Pane} view
   * @param {Actions} actions
   */
  constructor(view, actions) {
    this.view = view;
    this.actions = actions;
    this.pointed = -1; // the node under the pointer
    this.focused = -1; // the node that has the keyboard
    this.dragged = false; // whether the press that ends with a click was a drag
    this.following = new AbortController();
    this.listen(view.pane);
  }

  /** @param {HTMLElement} pane */
  listen(pane) {
    const { actions } = this;
    pane.addEventListener("focusin", ({ target }) => {
      this.focused = nodeUnder(target);
      if (this.focused >= 0) actions.focusNode(this.focused);
      actions.look();
    });
    pane.addEventListener("focusout", () => {
      this.focused = -1;
      actions.look();
    });
    pane.addEventListener("pointerover", ({ target }) => {
      this.pointed = nodeUnder(target);
      actions.look();
    });
    pane.addEventListener("pointerleave", () => {
      this.pointed = -1;
      actions.look();
    });
    pane.addEventListener("click", (event) => this.click(event));
    pane.addEventListener("pointerdown", (event) => this.press(event));
  }

  // ---------------------------------------------------------------- mouse and touch

  /** @param {PointerEvent} event */
  press(event) {
    this.dragged = false; // a drag that ended outside has no click
    if (event.button || event.target instanceof HTMLInputElement) return;
    // A click leaves the keyboard with the whole page, or the arrow keys would wander among the
    // nodes.
    event.preventDefault();
    this.actions.press();

    const index = nodeUnder(event.target);
    const what = index < 0 ? "" : this.actions.dragOf(index);
    if (index < 0) this.pan(event);
    else if (what === "order") this.dragAmongSiblings(event, index);
    else if (what === "value") this.dragValue(event, index);
  }

  /**
   * Drag the picture where it is larger than the pane.
   * @param {PointerEvent} event
   */
  pan({ clientX, clientY }) {
    const { pane } = this.view;
    const { scrollLeft, scrollTop } = pane;
    this.follow((now) => {
      pane.scrollTo(scrollLeft - now.clientX + clientX, scrollTop - now.clientY + clientY);
    });
  }

  /**
   * Drag the value of a leaf up and down.
   * @param {PointerEvent} event
   * @param {number} index
   */
  dragValue({ clientY }, index) {
    const { actions, view } = this;
    const { value } = view.picture.tree.nodes[index];
    /** @param {PointerEvent} now */
    const move = (now) => {
      const up = clientY - now.clientY;
      this.dragged ||= Math.abs(up) > DRAG;
      if (this.dragged) actions.dragValue(index, Number(value) + Math.round(up / DRAG));
    };
    this.follow(move, () => actions.endDrag());
  }

  /**
   * Drag a node to another place among its siblings.
   * @param {PointerEvent} event
   * @param {number} index
   */
  dragAmongSiblings({ clientX }, index) {
    const { actions, view } = this;
    const { picture, scale } = view;
    const { tree, scene } = picture;
    const { places } = scene.plan;
    /** @param {number} node */
    const middle = (node) => places[node]?.[0] ?? 0;
    /** @param {PointerEvent} now */
    const move = (now) => {
      const across = now.clientX - clientX;
      this.dragged ||= Math.abs(across) > DRAG;
      if (this.dragged) picture.shift(index, across / scale);
    };
    this.follow(move, (now) => {
      picture.shift(index, 0);
      if (!this.dragged || now.type !== "pointerup") return;
      const x = middle(index) + (now.clientX - clientX) / scale;
      const siblings = tree.nodes[tree.nodes[index].parent].children;
      const before = siblings.filter((each) => each !== index && middle(each) < x);
      actions.reorder(index, before.length);
    });
  }

  /**
   * Follow the pointer until it is let go, and no longer one that was pressed before.
   * @param {(now: PointerEvent) => void} move
   * @param {(now: PointerEvent) => void} end
   */
  follow(move, end = () => {}) {
    this.letGo();
    this.following = new AbortController();
    const { signal } = this.following;
    /** @param {PointerEvent} event */
    const stop = (event) => {
      this.letGo();
      end(event);
    };
    window.addEventListener("pointermove", move, { signal });
    window.addEventListener("pointerup", stop, { signal });
    window.addEventListener("pointercancel", stop, { signal });
  }

  letGo() {
    this.following.abort();
  }

  /** @param {MouseEvent} event */
  click({ target, detail }) {
    if (this.dragged) {
      this.dragged = false;
      return;
    }
    this.actions.click(nodeUnder(target), edgeUnder(target), [0, 2].includes(detail));
  }

  // ---------------------------------------------------------------- keys

  /**
   * The keys of a node that has the keyboard; true for those.
   * @param {KeyboardEvent} event
   */
  key(event) {
    const index = this.view.nodeOf(event.target);
    if (index < 0 || event.target instanceof HTMLInputElement) return false;
    if (!this.walk(index, keyName(event)) && !this.open(index, event.key)) return false;
    event.preventDefault();
    return true;
  }

  /**
   * Go to another node.
   * @param {number} index
   * @param {string} name of the key
   */
  walk(index, name) {
    const { nodes } = this.view.picture.tree;
    const { parent, place, children } = nodes[index];
    const siblings = nodes[parent]?.children ?? [];
    /** @type {Record<string, number>} */
    const ways = {
      ArrowUp: parent,
      ArrowDown: children[0],
      "Shift+←": siblings[place - 1],
      "Shift+→": siblings[place + 1],
    };
    if (!(name in ways)) return false;
    this.view.focus(ways[name]);
    return true;
  }

  /**
   * @param {number} index
   * @param {string} key
   */
  open(index, key) {
    const { children } = this.view.picture.tree.nodes[index];
    if (key === "Enter" && this.actions.explain(index)) return true;
    if (key === "Enter" && !children.length) this.actions.revalue(index);
    else if (key === "Enter" || key === " ") this.actions.fold(index);
    else return false;
    return true;
  }
}
