// The widgets of a chapter's page: which are known, and for how long.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Widgets } from "../../tools/web/page/widgets.js";

test("a widget that is shown no longer is forgotten, and one shown again is kept", () => {
  const widgets = new Widgets({});
  const shown = { kind: "Stepper", id: "abviz-1", state: {} };
  const first = widgets.add(shown);
  const again = widgets.add(shown);
  widgets.forget(first);
  assert.equal(widgets.models.get("abviz-1"), again);
  widgets.forget(again);
  assert.equal(widgets.models.size, 0);
});

test("a widget without Python says so, from the beginning or once Python is stopped", () => {
  const widgets = new Widgets({});
  const still = widgets.add({ kind: "BoardView", id: "1", state: {} });
  assert.throws(() => still.send({ do: "undo" }), { name: "NoPython", message: /^Press Run/ });
  const recorded = widgets.add({ kind: "BoardView", id: "3", state: {}, isRecorded: true });
  assert.throws(() => recorded.send({ do: "undo" }), { name: "NoPython", message: /recording/ });

  /** @type {object[]} */
  const sent = [];
  let changes = 0;
  const live = widgets.add({ kind: "BoardView", id: "2", state: {} }, (id, told) =>
    sent.push(told),
  );
  live.on("comm_live_update", () => {
    changes += 1;
  });
  live.send({ do: "undo" });
  assert.deepEqual(sent, [{ content: { do: "undo" } }]);
  widgets.lose();
  assert.equal(live.comm_live, false);
  assert.equal(changes, 1);
  assert.throws(() => live.send({ do: "undo" }), { name: "NoPython" });
});
