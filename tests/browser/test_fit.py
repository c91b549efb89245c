"""It fits: every tree of the course at every level, on a laptop, a large screen and a phone."""

import io
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from abviz import Stepper, Tree, check, load, minimax, record, shipped, trace
from abviz.tracing.shows import SHOWS
from tests.browser.driving import Show, Shown, eventually, sized, wait_until
from tests.slow_search import sticks

pytestmark = pytest.mark.browser

TREES = [str(name) for name in shipped()]
LAPTOP = sized(1366, 625)  # of 768 pixels, inside its browser
WIDE = [sized(1920, 1080), sized(2560, 1440)]
PHONE = sized(390, 844) | {"has_touch": True}
SIDEWAYS = sized(844, 390) | {"has_touch": True}

MODES = {"predict": "q", "practice": "w", "edit": "e", "compare": "m"}
# The pictures of a stepper: how large its texts are in pixels, what of it is out of sight, and where
# it begins; and how high the stepper is.
MEASURE = """root => {
  const pictures = [...root.querySelectorAll(".abviz-tree")].filter((pane) => pane.checkVisibility());
  const { top, height } = root.getBoundingClientRect();
  const sizes = (selector) => pictures.flatMap((pane) => {
    const scale = pane.querySelector("svg").getScreenCTM().a;
    const texts = [...pane.querySelectorAll(selector)];
    return texts.map((text) => scale * parseFloat(getComputedStyle(text).fontSize));
  });
  return {
    numbers: Math.min(...sizes(".abviz-number, .abviz-value")),
    names: Math.min(...sizes(".abviz-name")),
    fields: Math.min(...sizes(".abviz-field")),
    across: Math.max(...pictures.map((pane) => pane.scrollWidth - pane.clientWidth)),
    down: Math.max(...pictures.map((pane) => pane.scrollHeight - pane.clientHeight)),
    begins: Math.min(...pictures.map((pane) => pane.getBoundingClientRect().top - top)),
    height: Math.round(height),
  };
}"""

# Whether the pane shows the current node. It scrolls with the next frame.
IS_CURRENT_IN_SIGHT = """async root => {
  for (let i = 0; i < 2; i++) await new Promise(requestAnimationFrame);
  const node = root.querySelector("[data-node].abviz-current");
  const [inner, outer] = [node, node.closest(".abviz-tree")].map((each) => each.getBoundingClientRect());
  const isAcross = inner.left >= outer.left - 2 && inner.right <= outer.right + 2;
  return isAcross && inner.top >= outer.top - 2 && inner.bottom <= outer.bottom + 2;
}"""


# Done once nothing changes its size any more: the page follows the sizes of its parts frame by frame.
UNTIL_STILL = """root => new Promise((done) => {
  const parts = [root, ...root.querySelectorAll(".abviz-tree, .abviz-tree > svg, :scope > *")];
  let before = "";
  let frames = 0;
  const look = () => {
    const boxes = parts.map((part) => part.getBoundingClientRect());
    const now = [innerWidth, innerHeight, ...boxes.flatMap((box) => [box.width, box.height])].join();
    frames = now === before ? frames + 1 : 0;
    before = now;
    if (frames === 3) done();
    else requestAnimationFrame(look);
  };
  look();
})"""


def measure(shown: Shown) -> dict[str, Any]:
    """Measure once the page is still."""
    shown.ask(UNTIL_STILL)
    return dict(shown.ask(MEASURE))


def in_modes(shown: Shown) -> dict[str, dict[str, Any]]:
    """Return the measures of the usual page, and of each mode, which is left again."""
    measures = {"usual": measure(shown)}
    for mode, key in MODES.items():
        shown.press(key)
        measures[mode] = measure(shown)
        shown.press(key)
    measures["usual again"] = measure(shown)
    return measures


def all_trees(show: Show, level: str) -> dict[str, Shown]:
    return dict(zip(TREES, show(*(trace(load(name)) for name in TREES), show=level), strict=True))


@pytest.mark.parametrize("options", [LAPTOP])
@pytest.mark.parametrize("level", SHOWS)
def test_on_a_laptop_the_worked_example_can_be_read(show: Show, level: str) -> None:
    (shown,) = show(trace(load("worked-example")), show=level)
    found = measure(shown)
    assert found["numbers"] >= 12
    assert found["names"] >= 9
    assert found["across"] <= 0 >= found["down"]
    assert found["height"] <= 625


@pytest.mark.parametrize("options", WIDE, ids=["1920", "2560"])
@pytest.mark.parametrize("level", SHOWS)
def test_on_a_wide_screen_no_tree_is_clipped_in_any_mode(show: Show, level: str) -> None:
    clipped = {
        (name, mode): (found["across"], found["down"])
        for name, shown in all_trees(show, level).items()
        for mode, found in in_modes(shown).items()
        if found["across"] > 0 or found["down"] > 0
    }
    assert clipped == {}


@pytest.mark.parametrize("options", [LAPTOP, WIDE[0]], ids=["laptop", "wide"])
@pytest.mark.parametrize("level", SHOWS)
def test_no_mode_changes_the_height(show: Show, level: str) -> None:
    for name, shown in all_trees(show, level).items():
        heights = {mode: found["height"] for mode, found in in_modes(shown).items()}
        assert set(heights.values()) == {heights["usual"]}, (name, heights)


@pytest.mark.parametrize("options", [LAPTOP])
@pytest.mark.parametrize("mode", ["", *MODES])
def test_a_page_follows_the_height_of_its_window(page: Page, show: Show, mode: str) -> None:
    (shown,) = show(trace(load("worked-example")))
    if mode:
        shown.press(MODES[mode])
    low = measure(shown)["height"]
    page.set_viewport_size({"width": 1366, "height": 900})
    eventually(lambda: measure(shown)["height"] > low + 50, True)
    page.set_viewport_size({"width": 1366, "height": 625})
    eventually(lambda: measure(shown)["height"], low)


@pytest.mark.parametrize("options", [PHONE, SIDEWAYS], ids=["upright", "sideways"])
@pytest.mark.parametrize("level", ["values", "bounds"])
def test_on_a_phone_no_panel_of_a_mode_changes_the_height(show: Show, level: str) -> None:
    for name in ("worked-example", "figure-4.24", "number-line", "fails-low"):
        (shown,) = show(trace(load(name)), show=level)
        usual = measure(shown)["height"]
        for mode, key in MODES.items():
            if mode == "predict" and level == "values":
                continue  # questions raise the level, and with it what is low
            shown.press(key)
            assert measure(shown)["height"] == usual, (name, mode)
            shown.press(key)
        assert measure(shown)["height"] == usual
        if level == "bounds":  # which the questions are about
            (asking,) = show(trace(load(name)), show=level, predict=True)
            assert measure(asking)["height"] == usual, (name, "opened with questions")


@pytest.mark.parametrize("options", [LAPTOP])
@pytest.mark.parametrize("name", ["worked-example", "uneven", "two-min"])
def test_on_a_laptop_a_tree_can_be_read_while_questions_are_asked(show: Show, name: str) -> None:
    """In a notebook, which keeps some of the window for itself; and nothing moves."""
    in_notebook = """root => {
      document.body.style.width = "1000px";
      root.style.cssText += "--bars: 138px; --spare: 122px";
      dispatchEvent(new Event("resize"));
    }"""
    (shown,) = show(trace(load(name)))
    shown.ask(in_notebook)
    usual = measure(shown)["numbers"]
    for kinds in (("cut",), ("bv", "bound"), True):
        (shown,) = show(trace(load(name)), predict=kinds)
        shown.ask(in_notebook)
        heights = set()
        for _ in range(12):
            found = measure(shown)
            assert found["numbers"] >= min(usual, 12), kinds
            heights.add((found["height"], found["begins"]))
            shown.press("ArrowRight", "1", "Enter")
        assert len(heights) == 1


@pytest.mark.parametrize("options", [PHONE, SIDEWAYS], ids=["upright", "sideways"])
def test_on_a_phone_the_root_of_each_of_two_trees_is_in_sight(show: Show) -> None:
    (shown,) = show(trace(load("worked-example")))
    shown.press("c", "c", "m")
    found = measure(shown)
    assert found["down"] <= 0
    captions = shown.root.locator(".abviz-split-caption")
    assert captions.evaluate_all("all => all.every((each) => each.scrollWidth <= each.clientWidth)")


# Whether a button for the size of the tree is over an edge, or a node.
COVERED = """root => {
  const buttons = [...root.querySelectorAll(".abviz-over button")]
    .filter((each) => each.checkVisibility()).map((each) => each.getBoundingClientRect());
  const lines = [...root.querySelectorAll("[data-edge] > line:not(.abviz-grip)")].map((line) => {
    const place = line.getScreenCTM();
    const at = (end) => new DOMPoint(line[`x${end}`].baseVal.value, line[`y${end}`].baseVal.value)
      .matrixTransform(place);
    return [at(1), at(2)];
  });
  const points = lines.flatMap(([one, other]) => Array.from({ length: 101 }, (_, share) => ({
    x: one.x + (other.x - one.x) * share / 100, y: one.y + (other.y - one.y) * share / 100,
  })));
  return points.some(({ x, y }) => buttons.some((box) =>
    x > box.left && x < box.right && y > box.top && y < box.bottom));
}"""


@pytest.mark.parametrize(
    "options", [PHONE, SIDEWAYS, LAPTOP], ids=["upright", "sideways", "laptop"]
)
@pytest.mark.parametrize("level", SHOWS)
def test_the_button_fit_covers_no_edge(show: Show, level: str) -> None:
    (shown,) = show(trace(load("worked-example")), show=level)
    measure(shown)
    assert not shown.ask(COVERED)
    shown.click("Fit")
    measure(shown)
    assert not shown.ask(COVERED)


@pytest.mark.parametrize("options", [PHONE, SIDEWAYS], ids=["upright", "sideways"])
def test_on_a_phone_the_title_and_what_the_letters_mean_can_be_read(show: Show) -> None:
    (shown,) = show(trace(load("worked-example")), show="bounds")
    for part in (".abviz-title strong", ".abviz-letters"):
        text = shown.root.locator(part)
        expect(text).to_be_visible()
        is_whole = "e => e.scrollWidth <= e.clientWidth || getComputedStyle(e).display === 'inline'"
        assert text.evaluate(is_whole), part
    inside = """root => {
      const [strong, title] = ["strong", ""].map((part) =>
        root.querySelector(`.abviz-title ${part}`.trim()).getBoundingClientRect());
      return strong.right <= title.right + 1;
    }"""
    assert shown.ask(inside)
    expect(shown.root.locator(".abviz-letters")).to_contain_text("bv: best so far here")


@pytest.mark.parametrize("options", [LAPTOP, WIDE[0]], ids=["laptop", "wide"])
def test_a_page_that_opens_in_a_mode_is_as_high_as_without(show: Show) -> None:
    searched = trace(load("worked-example"))
    (usual,) = show(searched)
    height = measure(usual)["height"]
    (asking,) = show(searched, predict=True)
    assert measure(asking)["height"] == height
    asking.press("q")
    assert measure(asking)["height"] == height


@pytest.mark.parametrize("options", [PHONE, SIDEWAYS], ids=["upright", "sideways"])
def test_on_a_phone_every_tree_begins_in_the_top_third_and_follows_the_search(
    page: Page, show: Show
) -> None:
    height = page.viewport_size["height"] if page.viewport_size else 0
    for name, shown in all_trees(show, "bounds").items():
        assert measure(shown)["begins"] + 16 <= height / 3, name
        for step in range(0, shown.steps + 1, 5):
            shown.slide(step)
            assert shown.ask(IS_CURRENT_IN_SIGHT), (name, step)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


# Controls and texts that are outside of the page, or under or over a picture or another control.
MISPLACED = """root => {
  const isSeen = (part) => part.checkVisibility({ visibilityProperty: true });
  const panes = [...root.querySelectorAll(".abviz-tree, .abviz-split-caption")].filter(isSeen);
  const controls = [...root.querySelectorAll(
    "button, select, .abviz-where, .abviz-says, .abviz-counts, .abviz-line",
  )].filter((part) => isSeen(part) && !part.closest(".abviz-over, .abviz-help, .abviz-panel"));
  const boxOf = (part) => { // as far as the panel in which it scrolls shows it
    const { left, right, top, bottom, width } = part.getBoundingClientRect();
    const panel = part.closest(".abviz-editor, .abviz-worksheet")?.getBoundingClientRect();
    const [first, last] = [Math.max(top, panel?.top ?? top), Math.min(bottom, panel?.bottom ?? bottom)];
    return { left, right, top: first, bottom: last, width, height: Math.max(0, last - first) };
  };
  const boxes = [...panes, ...controls].map((part) => [part, boxOf(part)])
    .filter(([, box]) => box.width && box.height);
  const page = root.getBoundingClientRect();
  const nameOf = (part) => part.ariaLabel || part.className || part.textContent;
  const out = boxes.filter(([, box]) => box.left < page.left - 1 || box.right > page.right + 1);
  const meet = ([one, a], [other, b]) => one !== other && !one.contains(other) && !other.contains(one)
    && a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  return [
    ...out.map(([part]) => nameOf(part)),
    ...boxes.flatMap((one) => boxes.filter((other) => meet(one, other))
      .map((other) => [nameOf(one[0]), nameOf(other[0])])),
  ];
}"""


@pytest.mark.parametrize(
    "options",
    [LAPTOP, PHONE, SIDEWAYS, sized(700, 900)],
    ids=["laptop", "phone", "sideways", "700"],
)
@pytest.mark.parametrize("is_full", [False, True], ids=["page", "full"])
def test_no_control_is_outside_or_under_another(page: Page, show: Show, is_full: bool) -> None:
    for name in ("worked-example", "figure-4.24"):
        (shown,) = show(trace(load(name)), step=9)
        if is_full:
            shown.click("Full screen")
            wait_until(page, "document.fullscreenElement !== null")
        assert shown.ask(MISPLACED) == [], name
        for mode, key in MODES.items():
            shown.press(key)
            assert shown.ask(MISPLACED) == [], (name, mode)
            shown.press(key)


@pytest.mark.parametrize(
    "options",
    [PHONE, SIDEWAYS, sized(390, 844), LAPTOP],
    ids=["upright", "sideways", "narrow", "laptop"],
)
def test_the_fields_of_practice_can_be_read(show: Show) -> None:
    (shown,) = show(trace(load("worked-example")))
    shown.press("w")
    assert measure(shown)["fields"] >= 12


# How many pixels the tree has for a point, how far it is from what is above it, and how much of the
# page's width is not the tree's.
STANDING = """root => {
  const boxOf = (selector) => root.querySelector(selector).getBoundingClientRect();
  const [bar, body, view] = [".abviz-controls", ".abviz-body", ".abviz-view"].map(boxOf);
  const svg = root.querySelector(".abviz-tree > svg");
  const tops = [...svg.querySelectorAll("[data-node]")].map((each) => each.getBoundingClientRect().top);
  return {
    scale: svg.getScreenCTM().a,
    below: Math.min(...tops) - bar.bottom,
    unused: body.width - view.width,
  };
}"""


@pytest.mark.parametrize("options", [LAPTOP, WIDE[0]], ids=["laptop", "wide"])
def test_practice_reserves_no_room_for_what_it_hides(show: Show) -> None:
    (shown,) = show(trace(load("worked-example")))
    shown.press("w")
    found = shown.ask(STANDING)
    assert found["unused"] <= 1, "the number line is hidden"
    assert found["below"] >= 12, "the tree does not touch the buttons"
    expect(shown.root.locator(".abviz-counts")).to_be_hidden()  # they are about a search


@pytest.mark.parametrize("options", [PHONE, SIDEWAYS], ids=["upright", "sideways"])
def test_practice_on_a_phone_opens_no_larger_than_it_must(show: Show) -> None:
    (shown,) = show(trace(load("worked-example")))
    shown.press("w")
    assert measure(shown)["fields"] >= 12
    assert shown.ask(STANDING)["scale"] <= 1
    heights = shown.ask(
        "root => [...root.querySelectorAll('.abviz-field')].map((each) => each.clientHeight)"
    )
    assert min(heights) >= 24, "for a finger"


@pytest.mark.parametrize("options", [LAPTOP])
@pytest.mark.parametrize("is_more_open", [False, True], ids=["", "more"])
def test_no_leaf_is_clipped_while_a_tree_is_edited(show: Show, is_more_open: bool) -> None:
    (shown,) = show(trace(load("worked-example")))
    shown.press("e")
    if is_more_open:
        shown.open_more()
    assert measure(shown)["down"] <= 0


def test_a_card_that_says_nothing_yet_is_not_seen(show: Show) -> None:
    (shown,) = show(trace(load("worked-example")))
    shown.press("w")
    card = shown.root.locator(".abviz-worksheet .abviz-card")
    transparent = "rgba(0, 0, 0, 0)"
    expect(card).to_have_css("background-color", transparent)
    shown.click("Check")
    expect(card).not_to_have_css("background-color", transparent)


# Parts of the number line that are written over each other: two texts, or a text that a line passes
# which it does not hide.
OVERPRINTED = """root => {
  const line = root.querySelector(".abviz-line");
  const parts = [...line.children];
  const boxOf = (part) => {
    const range = document.createRange();
    range.selectNodeContents(part);
    const { left, right, top, bottom } = range.getBoundingClientRect();
    const end = part.matches(".abviz-long") ? part.getBoundingClientRect().right : right;
    return { left, right: Math.min(right, end), top: top + 2, bottom: bottom - 2 };
  };
  const isShown = (part, box) => {
    const clip = part.getBoundingClientRect();
    return box.top < clip.bottom && box.bottom > clip.top;
  };
  const texts = parts.filter((part) => part.textContent).map((part) => ({ part, ...boxOf(part) }))
    .filter((text) => isShown(text.part, text));
  const strokes = parts.filter((part) => part.matches(".abviz-pin")).map((part) => {
    const { left, top } = part.getBoundingClientRect();
    const stroke = getComputedStyle(part, "::before");
    const x = left + parseFloat(stroke.left);
    const from = top + parseFloat(stroke.top);
    return { part, left: x, right: x + 2, top: from, bottom: from + parseFloat(stroke.height) };
  });
  const meet = (one, other) => one.part !== other.part
    && one.left < other.right - 1 && other.left < one.right - 1
    && one.top < other.bottom - 1 && other.top < one.bottom - 1;
  const isAbove = (text, { part: stroke }) => {
    const style = getComputedStyle(text.part);
    const isLater = stroke.compareDocumentPosition(text.part) & Node.DOCUMENT_POSITION_FOLLOWING;
    const isOpaque = !["rgba(0, 0, 0, 0)", "transparent"].includes(style.backgroundColor);
    return isOpaque && (isLater || Number(style.zIndex) > 0);
  };
  return texts.flatMap((text) => [...texts, ...strokes]
    .filter((other) => meet(text, other) && !(strokes.includes(other) && isAbove(text, other)))
    .map((other) => [text.part.textContent, other.part.textContent]));
}"""


@pytest.mark.parametrize("options", WIDE, ids=["1920", "2560"])
def test_a_wide_screen_is_used(page: Page, show: Show) -> None:
    (shown,) = show(trace(load("worked-example")))
    height = page.viewport_size["height"] if page.viewport_size else 0
    assert 0.9 * height <= measure(shown)["height"] <= height
    size = shown.ask(
        "root => parseFloat(getComputedStyle(root.querySelector('.abviz-says')).fontSize)"
    )
    assert size >= height / 65


# How far the middle of the slider is from that of the buttons, and the middle of a sentence of one
# line from that of its box.
OFF_MIDDLE = """root => {
  const middleOf = ({ top, bottom }) => (top + bottom) / 2;
  const boxOf = (selector) => root.querySelector(selector).getBoundingClientRect();
  const range = document.createRange();
  range.selectNodeContents(root.querySelector(".abviz-says"));
  const [slider, next, sentence] = ["[type=range]", "[aria-label=Next]", ".abviz-sentence"].map(boxOf);
  return [
    middleOf(slider) - middleOf(next),
    middleOf(range.getBoundingClientRect()) - middleOf(sentence),
  ].map(Math.abs);
}"""


@pytest.mark.parametrize("options", [LAPTOP, WIDE[0]], ids=["laptop", "wide"])
def test_the_slider_and_a_short_sentence_stand_in_the_middle(show: Show) -> None:
    (shown,) = show(trace(load("worked-example")))
    assert max(shown.ask(OFF_MIDDLE)) <= 1.5


# How far each finite number of the number line is from its tick; and what is said of the zones.
LABELS = """root => {
  const middles = [...root.querySelectorAll(".abviz-tick")].map((tick) => {
    const text = document.createRange();
    text.selectNodeContents(tick);
    const { left, width } = text.getBoundingClientRect();
    const stroke = tick.getBoundingClientRect().left
      + parseFloat(getComputedStyle(tick, "::before").left) + 0.75;
    return [tick.textContent, Math.abs(left + width / 2 - stroke)];
  });
  return {
    off: Math.max(...middles.filter(([text]) => !text.includes("∞")).map(([, off]) => off)),
    zones: [...root.querySelectorAll(".abviz-zone")].map((zone) => zone.textContent),
    player: root.querySelector(".abviz-current").dataset.player,
  };
}"""


@pytest.mark.parametrize("options", [LAPTOP, PHONE], ids=["laptop", "phone"])
def test_the_number_line_says_what_a_value_does_and_has_its_numbers_at_their_ticks(
    show: Show,
) -> None:
    (shown,) = show(trace(load("worked-example")))
    said = {"MAX": ["α stays", "raises α", "cut"], "MIN": ["cut", "lowers β", "β stays"]}
    for found in shown.walk("Next", shown.steps, LABELS):
        assert found["off"] <= 1.5
        assert found["zones"] in ([], said[found["player"]])


# How far each node of one picture is from the height of its twin in the other.
ASTRAY = """root => {
  const [one, other] = [...root.querySelectorAll(".abviz-tree")].map((pane) => {
    const boxes = [...pane.querySelectorAll("[data-node]")].map((node) => node.getBoundingClientRect());
    return boxes.map(({ top, height }) => top + height / 2);
  });
  return one.map((y, place) => Math.abs(y - other[place]));
}"""


@pytest.mark.parametrize("options", [LAPTOP, WIDE[0]], ids=["laptop", "wide"])
@pytest.mark.parametrize("level", SHOWS)
def test_the_levels_of_two_trees_line_up(show: Show, level: str) -> None:
    for name, shown in all_trees(show, level).items():
        shown.press("m")
        found = shown.ask(ASTRAY)
        assert len(found) > 3 and max(found) < 2, name


@pytest.mark.parametrize("options", [LAPTOP])
@pytest.mark.parametrize("name", ["worked-example", "figure-4.24", "number-line", "two-min"])
def test_on_a_laptop_two_trees_are_seen_whole(show: Show, name: str) -> None:
    (shown,) = show(trace(load(name)))
    shown.press("m")
    found = measure(shown)
    assert found["across"] <= 0 >= found["down"]


@pytest.mark.parametrize("options", [LAPTOP, PHONE], ids=["laptop", "phone"])
def test_nothing_on_the_number_line_is_overprinted(show: Show) -> None:
    for name, shown in all_trees(show, "bounds").items():
        found = shown.walk("Next", shown.steps, OVERPRINTED)
        assert {step: each for step, each in enumerate(found) if each} == {}, name


@pytest.mark.parametrize("options", [LAPTOP, WIDE[0], PHONE], ids=["laptop", "wide", "phone"])
def test_long_words_at_the_ends_of_the_number_line_have_room(show: Show) -> None:
    won = Stepper(sticks()(4), depth=4).trace
    numbers = [trace(Tree([[-top, 0], [0.5, top]])) for top in (123_456.78, 1.2345678901234567e300)]
    shown = show(won, *numbers, show="bounds")
    written = [each.root.locator(".abviz-tick").all_inner_texts() for each in shown]
    assert written[0] == ["−∞", "MIN wins in 2", "MAX wins in 3", "∞"]
    assert written[1] == ["−∞", "−123456.78", "123456.78", "∞"]
    assert written[2][2] == "1.2345678901234567e+300"

    for each, ends in zip(shown, written, strict=True):
        found = each.walk("Next", each.steps, OVERPRINTED)
        assert [pair for pairs in found for pair in pairs if set(pair) <= set(ends)] == []


@pytest.mark.parametrize("options", [LAPTOP, PHONE, SIDEWAYS], ids=["laptop", "phone", "sideways"])
def test_the_number_line_is_there_in_full_screen(page: Page, show: Show) -> None:
    (shown,) = show(trace(load("worked-example")), step=9)
    shown.click("Full screen")
    wait_until(page, "document.fullscreenElement !== null")
    line = shown.root.locator(".abviz-line")
    expect(line).to_be_in_viewport(ratio=1)


# Where an image is, and whether its page is wide enough for it.
PLACED = """async () => {
  const image = document.querySelector("img");
  await image.decode();
  const { width, right } = image.getBoundingClientRect();
  return width > 40 && right <= document.body.getBoundingClientRect().right + 1;
}"""


@pytest.mark.parametrize(
    ("theme", "options"),
    [("light", {"color_scheme": "dark"}), ("dark", {"color_scheme": "light"})],
    ids=["light", "dark"],
)
@pytest.mark.parametrize("width", [500, 1200])
@pytest.mark.parametrize("kind", ["trace", "verdict"])
def test_a_picture_in_a_notebook_fits_its_cell_and_follows_its_theme(
    page: Page, theme: str, width: int, kind: str
) -> None:
    """Of the notebook, whatever the machine has for other pages."""
    drawn = trace(load("order-worst"))._repr_html_()
    if kind == "verdict":
        drawn = check("minimax", lambda node: 0)._repr_mimebundle_()["text/html"]
    is_light = "true" if theme == "light" else "false"
    ground = {"light": "#fff", "dark": "#111"}[theme]
    page.set_content(
        f'<body data-jp-theme-light="{is_light}" style="width: {width}px; background: {ground}">'
        f"{drawn}</body>"
    )
    assert page.evaluate(PLACED)
    image = Image.open(io.BytesIO(page.locator("img").screenshot())).convert("L")
    shades = image.histogram()
    dark, light = sum(shades[:80]), sum(shades[176:])
    assert (light > 5 * dark) if theme == "light" else (dark > 5 * light)
    assert max(shades[:80]) and max(shades[176:]), "ink on paper"


@pytest.mark.parametrize("options", [PHONE], ids=["phone"])
def test_on_a_phone_a_large_picture_is_readable_and_scrolls(page: Page) -> None:
    for tree, is_wide in ((load("order-worst"), True), (Tree([3, 5]), False)):
        drawn = tree._repr_html_()
        page.set_content(
            f'<body style="margin: 0"><div style="overflow-x: auto">{drawn}</div></body>'
        )
        picture = page.locator("img")
        picture.evaluate("(it) => it.decode()")
        scale = picture.evaluate("(it) => it.width / it.naturalWidth")
        assert scale >= 0.59
        sizes = picture.evaluate("(it) => [it.parentElement.scrollWidth, innerWidth]")
        assert (sizes[0] > sizes[1]) == is_wide


@pytest.mark.parametrize("options", [PHONE], ids=["phone"])
def test_on_a_phone_the_buttons_stay_in_sight_of_the_code_and_the_call_stack(show: Show) -> None:
    (shown,) = show(trace(load("worked-example")), show="all")
    calls = shown.root.locator(".abviz-calls")
    calls.evaluate("(it) => it.scrollIntoView({ block: 'end' })")
    for step in (1, 2):
        next_step = shown.button("Next")
        expect(next_step).to_be_in_viewport(ratio=1)
        next_step.click()
        assert shown.step == step
        expect(calls).to_be_in_viewport(ratio=0.99)


@pytest.mark.parametrize("options", [PHONE], ids=["phone"])
def test_on_a_phone_questions_leave_all_below_the_tree_in_its_place(show: Show) -> None:
    (usual,) = show(trace(load("worked-example")), show="all")
    height = measure(usual)["height"]
    (asking,) = show(trace(load("worked-example")), show="all", predict=True)
    assert measure(asking)["height"] == height
    for part in (".abviz-line", ".abviz-code", ".abviz-calls"):
        expect(asking.root.locator(part)).to_be_visible()
    saying = asking.root.locator(".abviz-saying")
    assert saying.evaluate("(it) => it.scrollHeight <= it.clientHeight"), "its text is cut off"


@pytest.mark.parametrize("options", [LAPTOP, PHONE], ids=["laptop", "phone"])
def test_a_search_that_shows_no_notes_keeps_no_room_for_them(show: Show) -> None:
    noted = load("worked-example")
    for searched in (trace(noted, search=minimax), record(lambda node, alpha, beta: 0, noted)):
        (shown,) = show(searched)
        expect(shown.root.locator(".abviz-note")).to_be_hidden()
    (shown,) = show(trace(noted))
    expect(shown.root.locator(".abviz-note")).to_be_visible()


@pytest.mark.parametrize("options", [PHONE], ids=["phone"])
def test_names_of_leaves_too_small_to_read_are_not_shown(page: Page, show: Show) -> None:
    (shown,) = show(trace(load("worked-example")))
    name = shown.root.locator(".abviz-name").first
    expect(name).to_be_visible()
    shown.click("Fit")
    assert measure(shown)["names"] < 6
    expect(name).to_be_hidden()
    page.emulate_media(media="print")
    expect(name).to_be_visible()
    page.emulate_media(media="screen")
    shown.click("Fit")
    expect(name).to_be_visible()
