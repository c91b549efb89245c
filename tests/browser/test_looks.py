"""How the stepper looks: nothing moves, everything can be read, on a narrow window, on paper and on
a big screen.
"""

from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from abviz import Checkers, Rules, TicTacToe, Tree, load, make_tree, shipped, trace
from tests.browser.driving import Show, eventually, sized, wait_until

pytestmark = pytest.mark.browser


@pytest.mark.parametrize(
    "options", [sized(1200), sized(700), sized(360)], ids=["wide", "middling", "narrow"]
)
def test_nothing_moves_from_step_to_step(show: Show) -> None:
    """Every node, edge and text stays where it is, and so does everything below the stepper."""
    traces = [trace(load(name)) for name in ("figure-4.24", "order-worst", "number-line")]
    for searched, stepper in zip(traces, show(*traces), strict=True):
        places = stepper.walk("Next", len(searched), "probe.places")
        assert [
            step for step, (before, after) in enumerate(pairwise(places), 1) if before != after
        ] == []


@pytest.mark.slow
def test_no_text_leaves_its_node_or_meets_another(show: Show) -> None:
    """Room is reserved for the longest names, values and marks that come up."""
    long_names = {
        "a name that is too long to be shown in full": {"W" * 24: 1, "i": 2},
        "🎲👑": [3, 4],
        "Übermaß": 5,
    }
    odd = [
        Tree([[-123456789, 0.3333333333333333], [987654321, -0.1234567891234]]),
        Tree(long_names, root="漢字" * 12),
    ]
    traces = [trace(tree) for tree in [*map(load, shipped()), *odd]]
    traces += [trace(tree, rules=Rules(right_to_left=True)) for tree in odd]
    for searched, stepper in zip(traces, show(*traces), strict=True):
        crowded = stepper.walk("Next", len(searched), "probe.crowded")
        assert {step: texts for step, texts in enumerate(crowded) if texts} == {}, searched.tree


@pytest.mark.parametrize("options", [sized(320, 640)])
def test_a_narrow_window_is_not_overflowed(page: Page, show: Show) -> None:
    traces = [trace(load(name)) for name in ("worked-example", "order-worst")]
    is_inside = "document.documentElement.scrollWidth <= innerWidth"
    for searched, stepper in zip(traces, show(*traces), strict=True):
        for step in [0, *(cut.step for cut in searched.cuts), len(searched)]:
            stepper.slide(step)
            assert page.evaluate(is_inside)
        stepper.click("Help")
        assert page.evaluate(is_inside)
        stepper.press("Escape")
        stepper.open_more()
        stepper.root.get_by_text("Rules", exact=True).click()
        for select in stepper.root.locator("details label").all():
            box = select.bounding_box()
            assert box and box["x"] >= 0 and page.evaluate(is_inside)
        stepper.press("Escape")


@pytest.mark.parametrize(
    "options",
    [pytest.param({"color_scheme": "light"}, marks=pytest.mark.slow), {"color_scheme": "dark"}],
    ids=["light", "dark"],
)
def test_every_text_has_enough_contrast(page: Page, show: Show, options: dict[str, Any]) -> None:
    names, rules = (
        ("figure-4.24", "worked-example"),
        (Rules(), Rules(fail_hard=True, right_to_left=True)),
    )
    traces = [trace(load(name), rules=each) for name in names for each in rules]
    for stepper, searched in zip(show(*traces), traces, strict=True):
        stepper.click("Help")
        for step in [
            0,
            1,
            5,
            *(cut.step + more for cut in searched.cuts for more in (0, 1)),
            len(searched),
        ]:
            stepper.slide(step)
            assert stepper.ask("root => probe.faint(root, 4.5)") == [], f"at step {step}"
    colours = "(({ color, backgroundColor }) => [color, backgroundColor])(getComputedStyle(document.body))"
    ink, paper = (sum(map(int, colour[4:-1].split(", "))) for colour in page.evaluate(colours))
    assert (ink > paper) == (options["color_scheme"] == "dark")


ICONS = """root => [...root.querySelectorAll(".abviz-controls button svg")].map((icon) => {
  const { fill, stroke, scale } = getComputedStyle(icon);
  return [fill, stroke, scale].join(" ");
})"""


def test_an_icon_looks_the_same_whatever_its_label_says(show: Show) -> None:
    """So that the labels can be in another language."""
    (shown,) = show(trace(load("worked-example")))
    icons = shown.ask(ICONS)
    assert len(set(icons)) >= 3, "filled ones, lines, and mirrored ones"
    shown.ask("""root => {
      for (const button of root.querySelectorAll("button")) button.ariaLabel = "Weiter";
    }""")
    assert shown.ask(ICONS) == icons


def test_no_meaning_is_carried_by_colour_alone(show: Show) -> None:
    """MAX and MIN, skipped nodes, both kinds of cut and the line differ in words or shapes too."""
    (stepper,) = show(trace(load("worked-example")))
    stepper.press("End")
    for player, glyph in (("MAX", "▲"), ("MIN", "▼")):
        heads = stepper.root.locator(f"[data-player={player}] > .abviz-head").all_text_contents()
        assert heads and all(head.startswith(glyph) for head in heads)
    shapes = [
        stepper.root.locator(f"[data-player={player}] > path").first for player in ("MAX", "MIN")
    ]
    assert shapes[0].get_attribute("d") != shapes[1].get_attribute("d")
    edges = stepper.root.locator("[data-edge][data-cut]").all()
    names = {edge.get_attribute("data-cut"): edge.text_content() for edge in edges}
    assert names == {"alpha": "α-cut", "beta": "β-cut"}

    def style(selector: str, name: str) -> str:
        element = stepper.root.locator(selector).first
        return str(element.evaluate("(element, name) => getComputedStyle(element)[name]", name))

    assert style("[data-state=skipped] > rect", "strokeDasharray") != "none"
    assert style("[data-state=done] > rect", "strokeDasharray") == "none"
    line, other = (
        style(f"{edge} > line", "strokeWidth")
        for edge in (".abviz-on-line", ":not(.abviz-on-line)")
    )
    assert float(line.removesuffix("px")) >= 2 * float(other.removesuffix("px"))


# a laptop's screen

VISIBLE = 648  # pixels of a notebook in JupyterLab on a screen of 1366 x 768
LOW = 664  # a window that has as much room for an exported page


@pytest.mark.parametrize(
    "options",
    [pytest.param(sized(966, LOW), marks=pytest.mark.slow), sized(1366, LOW)],
    ids=["files listed", "notebook only"],
)
@pytest.mark.parametrize("predict", [(), ("cut", "skipped")], ids=["plain", "predict"])
def test_a_laptop_shows_all_of_a_stepper_at_once(show: Show, predict: tuple[str, ...]) -> None:
    """From the title to the notes. Without questions, only a tree of many nodes or levels scrolls."""
    position = TicTacToe.from_cells("o.o ..x ..x")
    made = (
        make_tree(1, depth=4, branching=2, deep_cuts=True),
        make_tree(2, depth=3, depends_on="strict"),
    )
    traces = [trace(tree) for tree in [*map(load, shipped()), *made]] + [
        trace(position, depth=most) for most in (2, 6)
    ]
    shown = show(*traces, predict=predict, show="all")
    for searched, stepper in zip(traces, shown, strict=True):
        for step in (0, searched.cuts[0].step if searched.cuts else 1, len(searched)):
            stepper.slide(step)
            assert stepper.ask("root => root.offsetHeight") <= VISIBLE, searched.tree
            clipped = "root => (pane => pane.scrollHeight - pane.clientHeight)(root.querySelector('.abviz-tree'))"
            is_large = (
                len(searched.tree) > 40
                or max(len(searched.tree.path(node)) for node in searched.tree.nodes) > 5
            )
            assert predict or is_large or stepper.ask(clipped) <= 0, searched.tree
        stepper.ask("root => root.scrollIntoView()")
        eventually(
            lambda stepper=stepper: stepper.ask(IN_SIGHT, ".abviz-code [aria-current]"), True
        )


# full screen and paper


@pytest.mark.parametrize(
    "options",
    [pytest.param(sized(1920, 1080), marks=pytest.mark.slow), sized(1280, 720)],
    ids=["1080", "720"],
)
@pytest.mark.parametrize("name", ["figure-4.24", "worked-example", "order-shuffled"])
def test_full_screen_fills_the_screen_with_the_whole_tree(
    page: Page, show: Show, name: str
) -> None:
    searched = trace(load(name))
    (stepper,) = show(searched, show="all")
    small = page.evaluate(FONT)
    stepper.click("Full screen")
    wait_until(page, "document.fullscreenElement !== null")
    size = page.evaluate("[innerWidth, innerHeight]")
    box = stepper.root.bounding_box()
    assert box and [box["x"], box["y"], box["width"], box["height"]] == [0, 0, *size]
    for step in [0, searched.cuts[0].step, len(searched)]:
        stepper.slide(step)
        assert stepper.ask("root => probe.offScreen(root)") == []
        eventually(
            lambda: stepper.ask(IN_SIGHT, ".abviz-code [aria-current]") if stepper.step else True,
            True,
        )
    assert page.evaluate(FONT) > small
    note = stepper.root.locator(".abviz-note > p")
    expect(note).to_have_text(searched.tree.note)
    assert note.evaluate(COVERED) == []
    stepper.press("m")
    for pane in (".abviz-body > .abviz-view > .abviz-tree", ".abviz-split .abviz-tree"):
        assert stepper.ask(IN_SIGHT, pane), pane
        box = stepper.root.locator(pane).bounding_box()
        assert box and box["height"] > size[1] / 2


# Whether all of it is on the screen, and in its panel.
IN_SIGHT = """(root, part) => {
  const element = root.querySelector(part);
  const { top, bottom, left, right } = element.getBoundingClientRect();
  const panel = element.closest(".abviz-panel")?.getBoundingClientRect() ?? { top: 0, bottom: innerHeight };
  const isIn = left >= 0 && right <= innerWidth;
  return isIn && top >= Math.max(0, panel.top) && bottom <= Math.min(innerHeight, panel.bottom + 1);
}"""
COVERED = """(note) => {
  const { top, bottom, right } = note.getBoundingClientRect();
  const nodes = [...note.closest(".abviz-stepper").querySelectorAll("[data-node] > :is(path, rect)")];
  const isUnder = (box) => box.top < bottom && box.bottom > top && box.left < right;
  return nodes.filter((node) => isUnder(node.getBoundingClientRect())).map((node) => node.parentElement.dataset.node);
}"""
FONT = "parseFloat(getComputedStyle(document.querySelector('.abviz-says')).fontSize)"


@pytest.mark.parametrize("options", [sized(1280, 720)])
@pytest.mark.parametrize(("name", "least"), [("worked-example", 16), ("order-worst", 12)])
def test_in_full_screen_the_numbers_can_be_read_from_a_distance(
    page: Page, show: Show, name: str, least: int
) -> None:
    """In pixels: the worked example's, and those of a tree of 40 nodes."""
    (stepper,) = show(trace(load(name)))
    stepper.click("Full screen")
    wait_until(page, "document.fullscreenElement !== null")
    size = stepper.ask(
        "root => parseFloat(getComputedStyle(root.querySelector('.abviz-number')).fontSize)"
    )
    scale = "root => root.querySelector('.abviz-tree > svg').getScreenCTM().a"
    eventually(lambda: size * stepper.ask(scale) >= least, True)


@pytest.mark.parametrize("options", [sized(390, 844) | {"has_touch": True}])
@pytest.mark.parametrize("name", ["worked-example", "order-worst"])
def test_on_a_phone_the_question_and_the_tree_fit_on_the_screen(show: Show, name: str) -> None:
    (stepper,) = show(trace(load(name)), predict=["bv"], step=4)
    stepper.press("ArrowRight")
    assert stepper.root.get_attribute("data-question") == "bv"
    for part in (".abviz-says", ".abviz-predict", ".abviz-tree"):
        box = stepper.root.locator(part).bounding_box()
        assert box and box["y"] >= 0 and box["y"] + box["height"] <= 844, part


@pytest.mark.parametrize("options", [{"color_scheme": "dark"}])
def test_on_paper_there_is_the_whole_picture_on_white_and_no_control(
    page: Page, show: Show
) -> None:
    first, *_ = show(
        *(trace(load(name)) for name in ("order-worst", "figure-4.24", "worked-example"))
    )
    first.press("c")
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 720, "height": 1000})
    assert not any(
        control.is_visible()
        for control in first.root.locator("button, input, select, summary").all()
    )
    expect(first.root.locator(".abviz-says")).to_be_visible()
    picture = first.root.locator(".abviz-tree > svg").bounding_box()
    assert (
        picture
        and picture["x"] >= 0
        and picture["x"] + picture["width"] <= 720
        and picture["height"] > 100
    )
    pane = first.root.locator(".abviz-tree")
    assert pane.evaluate(
        "e => e.scrollWidth <= e.clientWidth && e.scrollHeight <= e.clientHeight"
    ), "nothing is hidden"
    assert first.ask("root => getComputedStyle(root).backgroundColor") == "rgb(255, 255, 255)"
    assert first.ask("root => probe.faint(root, 4.5)") == []
    printed = page.pdf()
    assert printed.startswith(b"%PDF") and printed.count(b"/Type /Page\n") >= 2, (
        "every tree of the page"
    )


@pytest.mark.parametrize("key", ["m", "+", "e", "s", "?", "w"])
def test_on_paper_no_mode_cuts_anything_or_prints_its_panel(
    page: Page, show: Show, key: str
) -> None:
    tree = load("worked-example") if key == "m" else Checkers.start()
    (stepper,) = show(trace(tree, depth=None if key == "m" else 2), step=9)
    stepper.press(key, key if key == "+" else "ArrowRight")
    page.emulate_media(media="print")
    width = 720 if key == "m" else 1040  # upright and across
    page.set_viewport_size({"width": width, "height": 1000})
    assert not any(
        part.is_visible() for part in stepper.root.locator("button, select, .abviz-help").all()
    )
    assert stepper.ask("root => getComputedStyle(root).outlineStyle") == "none"
    for picture in stepper.root.locator(".abviz-tree > svg:visible").all():
        box = picture.bounding_box()
        assert box and 520 <= box["width"] <= width
    # As on the screen, from which it is printed
    stepper.ask("root => root.classList.add('abviz-wide')")
    cut = "e => e.scrollWidth > e.clientWidth + 1 || e.scrollHeight > e.clientHeight + 1"
    assert not any(
        part.evaluate(cut)
        for part in stepper.root.locator(".abviz-panel, .abviz-code, .abviz-tree").all()
    )


@pytest.mark.parametrize(
    "options", [sized(1000, 800), sized(390, 844) | {"has_touch": True}], ids=["wide", "phone"]
)
def test_a_tree_that_is_wider_than_its_pane_is_shown_whole_at_a_click(
    page: Page, show: Show
) -> None:
    (stepper,) = show(trace(Checkers.start(), depth=2))
    pane, fit = stepper.root.locator(".abviz-tree"), stepper.button("Fit")
    is_whole = (
        "pane => pane.scrollWidth <= pane.clientWidth && pane.scrollHeight <= pane.clientHeight"
    )
    for whole in (False, True, False):
        eventually(lambda: pane.evaluate(is_whole), whole)
        if not whole:
            assert stepper.ask("root => probe.crowded(root)") == []
        fit.click()
    fit.click()
    box, before = pane.bounding_box(), pane.evaluate("pane => pane.scrollLeft")
    assert box
    page.mouse.move(box["x"] + 60, box["y"] + 8)
    page.mouse.down()
    page.mouse.move(box["x"] + 10, box["y"] + 8)
    page.mouse.up()
    assert pane.evaluate("pane => pane.scrollLeft") == before + 50


def test_the_arrow_to_a_witness_out_of_sight_moves_nothing(show: Show) -> None:
    tree = Tree([[[1, 2], 3], *[[4, 5]] * 60])
    (stepper,) = show(trace(tree))
    cuts = [cut.step for cut in trace(tree).cuts]
    stepper.slide(cuts[-1] - 1)
    places = stepper.places()
    stepper.press("ArrowRight")
    arrow = stepper.root.locator(".abviz-witness")
    expect(arrow).to_be_visible()
    assert stepper.places() == places
    arrow.click()
    expect(arrow).to_have_count(0)
    assert stepper.ask("root => root === document.activeElement"), "the button has gone"
