"""What moves when Next or Play go on: a layer above a picture that is finished before."""

from typing import Any

import pytest
from playwright.sync_api import Page

from abviz import Tree, load, trace
from tests.browser.driving import Show, Shown, eventually
from tests.strategies import random_tree

pytestmark = [
    pytest.mark.browser,
    pytest.mark.parametrize("options", [{"reduced_motion": "no-preference"}]),
]

EXAMPLE = trace(load("worked-example"))
LAYER = ".abviz-motion"

# Click Next, and hold what it sets in motion.
NEXT = """root => {
  root.querySelector("[aria-label=Next]").click();
  window.held = document.getAnimations();
  for (const animation of held) animation.pause();
  return held.map((animation) => animation.effect.getTiming().duration);
}"""

# Wait until the pane has scrolled to what is current, which it does with the next frame.
SCROLLED = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"

# Where the moving elements are at this part of their time, and how opaque: the middle of each.
SEEK = """(root, part) => {
  return held.map((animation) => {
    const { target } = animation.effect;
    animation.currentTime = part * animation.effect.getTiming().duration;
    const { left, right, top, bottom, width } = target.getBoundingClientRect();
    return {
      text: target.textContent,
      x: (left + right) / 2,
      y: (top + bottom) / 2,
      width,
      opacity: Number(getComputedStyle(target).opacity),
    };
  });
}"""

BOX = """(root, name) => {
  const shape = probe.node(root, name).querySelector("path, rect");
  const { left, right, top, bottom } = shape.getBoundingClientRect();
  return { left, right, top, bottom, x: (left + right) / 2, y: (top + bottom) / 2 };
}"""

# The picture proper, and whether anything moves over it.
PICTURE = """root => {
  return [probe.dom(root.querySelector(".abviz-tree > svg")), document.getAnimations().length > 0];
}"""

# Press a key, perhaps one that is held; return whether anything moves.
PRESS = """(root, [key, repeat]) => {
  root.focus();
  root.dispatchEvent(new KeyboardEvent("keydown", { key, repeat, bubbles: true }));
  const isMoving = document.getAnimations().length > 0;
  root.dispatchEvent(new KeyboardEvent("keyup", { key, bubbles: true }));
  return isMoving;
}"""


@pytest.fixture
def shown(show: Show) -> Shown:
    (shown,) = show(EXAMPLE)
    return shown


def seek(shown: Shown) -> list[list[dict[str, Any]]]:
    """Return each moving element at its start, in the middle and at its end."""
    times = [shown.ask(SEEK, part) for part in (0, 0.5, 1)]
    return [list(states) for states in zip(*times, strict=True)]


def test_a_window_slides_down_its_edge(shown: Shown) -> None:
    shown.slide(1)
    shown.ask(NEXT)
    (window,) = seek(shown)
    above, below = shown.ask(BOX, "A"), shown.ask(BOX, "B")
    start, middle, end = window
    assert {state["text"] for state in window} == {"(−∞, ∞)"}
    assert start["x"] == pytest.approx(above["x"], abs=2)
    assert end["x"] == pytest.approx(below["x"], abs=2)
    assert above["bottom"] - 2 < start["y"] < middle["y"] < end["y"] < below["top"] + 2
    assert middle["x"] == pytest.approx((start["x"] + end["x"]) / 2, abs=20)
    assert [start["opacity"], middle["opacity"], end["opacity"]] == [1, 1, 0]


def test_a_value_travels_up_to_bv_which_changes_where_it_stands(shown: Shown) -> None:
    shown.slide(7)
    shown.ask(NEXT)
    value, bv = seek(shown)
    leaf, parent = shown.ask(BOX, "e2"), shown.ask(BOX, "E")
    assert [state["text"] for state in (*value, *bv)] == ["6"] * 6
    assert value[0]["x"] == pytest.approx(leaf["x"], abs=6)
    assert leaf["top"] < value[0]["y"] < leaf["bottom"]
    assert parent["top"] < value[2]["y"] < parent["bottom"]
    assert value[0]["y"] > value[1]["y"] > value[2]["y"]

    assert len({round(state["x"]) for state in bv}) == 1
    assert [state["opacity"] for state in bv] == [0, 1, 1]
    assert bv[1]["width"] > 1.4 * bv[2]["width"]
    number = """root => {
      const numbers = probe.node(root, "E").querySelectorAll(".abviz-number");
      const { left, right, top, bottom } = numbers[2].getBoundingClientRect();
      return [(left + right) / 2, (top + bottom) / 2];
    }"""
    assert [bv[2]["x"], bv[2]["y"]] == pytest.approx(shown.ask(number), abs=1)
    assert value[2]["y"] == pytest.approx(bv[2]["y"], abs=3)


def test_what_is_cut_off_fades_in_place(shown: Shown) -> None:
    (cut,) = (cut for cut in EXAMPLE.cuts if cut.at == "C")
    shown.slide(cut.step - 1)
    shown.ask(NEXT)
    (part,) = seek(shown)
    assert [state["opacity"] for state in part] == [1, 0.5, 0]
    assert len({(state["x"], state["y"]) for state in part}) == 1
    shapes = """(root, layer) => {
      return [...root.querySelectorAll(`${layer} :is(path, rect)`)].map((shape) => {
        const { left, right, top, bottom } = shape.getBoundingClientRect();
        return [(left + right) / 2, (top + bottom) / 2];
      });
    }"""
    boxes = [shown.ask(BOX, name) for name in ("H", "h1", "h2")]
    centres = [pytest.approx([box["x"], box["y"]], abs=1) for box in boxes]
    assert shown.ask(shapes, LAYER) == centres


def test_beside_it_minimax_moves_too(shown: Shown) -> None:
    shown.press("m")
    shown.slide(7)
    shown.ask(NEXT)
    panes = """root => [...root.querySelectorAll(".abviz-tree")].map((pane) => {
      const layer = pane.querySelector(":scope > .abviz-motion");
      const picture = pane.querySelector("svg").getBoundingClientRect();
      const { left, top } = layer?.getBoundingClientRect() ?? {};
      return [[...layer?.children ?? []].map((part) => part.textContent), left - picture.left, top - picture.top];
    })"""
    assert shown.ask(panes) == [[["6", "6"], 0, 0], [["6", "6"], 0, 0]]
    shown.slide(9)
    assert shown.root.locator(LAYER).count() == 0


def test_the_picture_is_the_same_with_and_without_motion(page: Page, show: Show) -> None:
    searched = trace(random_tree(5))
    (stepper,) = show(searched)
    moved = stepper.walk("Next", len(searched), PICTURE)
    assert all(is_moving for _, is_moving in moved[1:])

    page.emulate_media(reduced_motion="reduce")
    (stepper,) = show(searched)
    calm = stepper.walk("Next", len(searched), PICTURE)
    assert not any(is_moving for _, is_moving in calm)
    assert [picture for picture, _ in calm] == [picture for picture, _ in moved]


def test_a_motion_ends_by_itself_and_leaves_nothing(page: Page, shown: Shown) -> None:
    shown.slide(2)
    jumped = shown.dom()
    shown.slide(1)
    assert shown.ask(PRESS, ["ArrowRight", False])
    eventually(lambda: shown.root.locator(LAYER).count(), 0)
    assert page.evaluate("document.getAnimations().length") == 0
    assert shown.dom() == jumped


def test_the_layer_is_not_read_out_and_takes_no_clicks(shown: Shown) -> None:
    shown.slide(1)
    shown.ask(NEXT)
    facts = """(root, layer) => {
      const { left, right, top, bottom } = root.querySelector(`${layer} text`).getBoundingClientRect();
      const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
      const { ariaHidden } = root.querySelector(layer);
      const stops = root.querySelectorAll(`${layer} :is([tabindex], [role], [data-node])`).length;
      return [hit.closest(layer) === null, ariaHidden, stops];
    }"""
    assert shown.ask(facts, LAYER) == [True, "true", 0]


# Record how long each motion takes that begins from now on.
RECORD = """() => {
  window.durations = [];
  const { animate } = Element.prototype;
  Element.prototype.animate = function (frames, timing) {
    durations.push(timing.duration);
    return animate.call(this, frames, timing);
  };
}"""

ACTIONS = {
    "Next": "[aria-label=Next]",
    "Back": "[aria-label=Previous]",
    "Last": "[aria-label=Last]",
    "a mode": "[aria-label=Edit]",
    "the size": "[aria-label=Larger]",
}


@pytest.mark.parametrize("action", ACTIONS)
def test_the_next_action_finishes_what_moves(shown: Shown, action: str) -> None:
    shown.slide(1)
    shown.ask(NEXT)
    act = """(root, button) => {
      root.querySelector(button).click();
      return [held.map(({ playState }) => playState), document.getAnimations().length];
    }"""
    new = 1 if action == "Next" else 0
    assert shown.ask(act, ACTIONS[action]) == [["finished"], new]
    assert shown.ask("() => held[0].effect.target.isConnected") is False


def test_only_next_moves_anything_and_not_while_its_key_is_held(shown: Shown) -> None:
    def moves(key: str, repeat: bool = False) -> bool:
        return bool(shown.ask(PRESS, [key, repeat]))

    assert moves("ArrowRight")
    assert [key for key in ("c", "End", "ArrowLeft", "Home") if moves(key)] == []
    slide = """(root, step) => {
      const slider = root.querySelector("[type=range]");
      slider.value = step;
      slider.dispatchEvent(new Event("input"));
      return document.getAnimations().length;
    }"""
    assert [shown.ask(slide, step) for step in (1, 2, 1)] == [0, 0, 0]
    assert moves("ArrowRight")

    assert (moves("ArrowRight", repeat=True), shown.step) == (False, 3)
    assert (moves("ArrowRight"), shown.step) == (True, 4)


def test_neither_an_edit_nor_a_link_moves_anything(page: Page, shown: Shown) -> None:
    shown.slide(9)
    shown.ask("root => probe.node(root, 'e2').focus()")
    page.evaluate(RECORD)
    for key in ("Enter", "9", "Enter"):
        page.keyboard.press(key)
    eventually(lambda: shown.node("E")["bv"], "9")
    page.evaluate("location.hash = 'step=5'")
    eventually(lambda: shown.step, 5)
    assert page.evaluate("durations") == []


def test_in_a_large_tree_something_fades_and_nothing_else(page: Page, show: Show) -> None:
    (stepper,) = show(trace(Tree([[value, value + 1] for value in range(30)])))
    assert stepper.root.locator("[data-node]").count() == 91
    for _ in range(6):
        stepper.ask(NEXT)
        stepper.ask(SCROLLED)
        (part,) = seek(stepper)
        assert [state["opacity"] for state in part] == [1, 0.5, 0]
        assert len({(state["x"], state["y"]) for state in part}) == 1


@pytest.mark.usefixtures("alone")
def test_play_keeps_its_pace_at_each_speed(page: Page, show: Show) -> None:
    page.clock.install(time=0)
    page.clock.pause_at(1_000)
    (stepper,) = show(EXAMPLE)
    page.evaluate(RECORD)
    for speed, longest in [("1", 300), ("2", 300), ("4", 150)]:
        stepper.slide(0)
        stepper.open_more()
        stepper.root.get_by_label("Speed").select_option(speed)
        stepper.click("Play")
        interval = 1200 // int(speed)
        for step in range(1, 8):
            page.clock.run_for(interval - 1)
            assert stepper.step == step - 1
            page.clock.run_for(1)
            assert stepper.step == step
        durations = page.evaluate("durations.splice(0)")
        assert set(durations) == {longest} and longest <= interval / 2
        stepper.click("Pause")
