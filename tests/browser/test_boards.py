"""A position of a game in the stepper: the boards of its nodes, by mouse, finger and keyboard, and
what was cut off.
"""

import pytest
from playwright.sync_api import Locator, Page, expect

from abviz import Checkers, TicTacToe, trace
from abviz.games.position_tree import GameTree
from abviz.tracing.narration import narrate
from abviz.tracing.traces import Trace
from abviz.tree.annotations import annotations_of
from tests.browser.driving import Show, Shown, node
from tests.test_position_tree import CAPTURES, Stones

pytestmark = pytest.mark.browser


@pytest.fixture
def result() -> Trace:
    return trace(CAPTURES, depth=2)


@pytest.fixture
def shown(show: Show, result: Trace) -> Shown:
    (shown,) = show(result, show="all")
    return shown


def board(shown: Shown) -> Locator:
    return shown.root.locator(".abviz-square")


def whose(shown: Shown) -> str:
    """The moves that lead to the node whose board is shown; "" where there is none."""
    strong = shown.root.locator(".abviz-whose strong")
    return str(strong.text_content()) if strong.count() else ""


KINDS = {"b": "black man", "B": "black king", "w": "white man", "W": "white king"}


def words(result: Trace, name: str) -> str:
    """The board in words: what stands where, and who is to move."""
    tree = result.tree
    assert isinstance(tree, GameTree)
    position = tree.position(name)
    if isinstance(position, Checkers):
        stands = [f"{KINDS[piece]} {square}" for square, piece in position.pieces.items()]
        turn = f"{'White' if position.turn else 'Black'} to move"
    else:
        cells = enumerate(position.cells)
        stands = [
            f"{mark} {'abc'[place % 3]}{3 - place // 3}" for place, mark in cells if mark != "."
        ]
        turn = f"{'x' if position.is_max() else 'o'} to move"
    return f"{', '.join(stands)}. {'The game is over' if position.over() else turn}."


def test_a_cut_shows_the_size_of_the_skipped_part(shown: Shown, result: Trace) -> None:
    cut = result.cuts[0]
    (skipped,) = cut.skipped
    nodes = annotations_of(result.tree).folded(result.tree[skipped]).nodes  # type: ignore[union-attr]
    assert nodes > 1
    text = node(shown, skipped).locator(".abviz-folded")
    expect(text).to_have_text("")  # not before the cut
    shown.press("c")
    assert (shown.step, shown.says) == (cut.step, narrate(result, cut.step))
    expect(text).to_have_text(f"✂ {nodes} nodes")
    label = node(shown, skipped).get_attribute("aria-label")
    assert label == f"MIN node {skipped.split()[-1]}, {nodes} nodes folded, skipped"
    shown.press("Home")
    expect(text).to_have_text("")


def test_the_board_goes_with_the_search(shown: Shown, result: Trace) -> None:
    for key in ["Home", "ArrowRight", "ArrowRight", "c", "c", "End"]:
        shown.press(key)
        assert whose(shown) == result.where(shown.step).name
        assert board(shown).get_attribute("aria-label") == words(
            result, result.where(shown.step).name
        )


def test_by_mouse(shown: Shown, result: Trace) -> None:
    leaf = result.leaves[0]
    node(shown, leaf).hover()
    assert whose(shown) == leaf
    assert board(shown).get_attribute("aria-label") == words(result, leaf)
    shown.root.locator(".abviz-says").hover()
    assert whose(shown) == "root", "where the search is"
    node(shown, leaf).click()
    expect(shown.root.locator(".abviz-edit")).to_be_focused()


def test_by_keyboard(page: Page, shown: Shown, result: Trace) -> None:
    tree = result.tree
    shown.button("Larger").focus()
    page.keyboard.press("Tab")
    assert whose(shown) == "root"
    focused = page.locator(":focus")
    assert focused.evaluate("node => getComputedStyle(node).outlineStyle") != "none"
    first, second = (child.name for child in tree.root.children[:2])
    for key, name in {
        "ArrowDown": first,
        "Shift+ArrowRight": second,
        "Shift+ArrowLeft": first,
    }.items():
        page.keyboard.press(key)
        assert (whose(shown), focused.get_attribute("data-node")) == (name, name)
        assert board(shown).get_attribute("aria-label") == words(result, name)
    page.keyboard.press("ArrowRight")
    assert (shown.step, whose(shown)) == (1, first), "the arrows alone are steps, here too"
    page.keyboard.press("Enter")
    below = f"[data-node='{tree[first].children[0].name}']"
    expect(shown.root.locator(below)).to_have_count(0)  # folded
    page.keyboard.press("Enter")
    expect(shown.root.locator(below)).to_have_count(1)
    page.keyboard.press("Tab")
    assert whose(shown) == result.where(1).name, "where the search is"
    expect(focused).to_have_attribute("aria-label", "Form of the pseudocode")


def test_every_board_is_drawn_and_described(show: Show, result: Trace) -> None:
    noughts = trace(TicTacToe.from_cells("xo..x...."), depth=3)
    look = """(root) => [...root.querySelectorAll("[data-node]")].map((node) => {
      node.dispatchEvent(new PointerEvent("pointerover", { bubbles: true }));
      const square = root.querySelector(".abviz-square");
      const pieces = (kind) => square.querySelectorAll(`.abviz-${kind}`).length;
      return [node.dataset.node, square.getAttribute("aria-label"),
        ["piece-b", "piece-w", "x", "o", "changed"].map(pieces), square.querySelectorAll("path").length];
    })"""
    for searched, part in (
        (result, None),
        (noughts, None),
        (noughts, noughts.tree.root.children[1].name),
    ):
        (shown,) = show(searched, node=part)
        tree = searched.tree
        assert isinstance(tree, GameTree)
        for name, label, (black, white, crosses, rings, changed), paths in shown.ask(look):
            assert label == words(searched, name)
            position, parent = tree.position(name), tree.parent(tree[name])
            before = tree.position(parent.name) if parent else position
            if isinstance(position, Checkers):
                counts = [
                    bits.bit_count() for bits in (position.black, position.white, position.kings)
                ]
                assert [black, white, paths] == counts
                squares = (position.black ^ before.black) | (position.white ^ before.white)
                assert changed == (squares | position.kings ^ before.kings).bit_count()
            else:
                assert [crosses, rings] == [position.cells.count("x"), position.cells.count("o")]
                assert changed == (name != "root")


def test_a_board_in_letters_is_text_whatever_it_holds(show: Show, page: Page) -> None:
    (shown,) = show(trace(Stones(3), depth=3))
    pre = board(shown).locator("pre")
    assert pre.text_content() == "ooo\n␛[31m<b>"
    assert pre.locator("b").count() == 0
    assert (board(shown).get_attribute("aria-label") or "").endswith("<b>. MAX to move.")
