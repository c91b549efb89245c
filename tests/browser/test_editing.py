"""Without Python: what-ifs, another tree, practice, the split view, sharing and what the page
remembers.
"""

import json
import re
from pathlib import Path
from typing import Any

import matplotlib.image
import pytest
from playwright.sync_api import Page, expect

from abviz import Rules, Tree, load, minimax, shipped, trace
from abviz.exercises import practice
from abviz.tracing.narration import narrate
from abviz.tracing.traces import Trace
from abviz.tree.files import parse
from tests.browser.driving import Show, Shown, fill_in, node, sized, wait_until
from tests.oracle import minimax_value

pytestmark = pytest.mark.browser
WORKED = load("worked-example")


@pytest.fixture
def shown(show: Show) -> Shown:
    (shown,) = show(trace(WORKED))
    return shown


def type_value(shown: Shown, name: str, text: str) -> None:
    node(shown, name).focus()
    shown.page.keyboard.press("Enter")
    shown.page.keyboard.type(text)
    shown.page.keyboard.press("Enter")


def drag(shown: Shown, name: str, start: tuple[int, int], end: tuple[int, int]) -> None:
    """Drag the node from one point to another, both counted from its corner."""
    box = node(shown, name).bounding_box()
    assert box
    shown.page.mouse.move(box["x"] + start[0], box["y"] + start[1])
    shown.page.mouse.down()
    shown.page.mouse.move(box["x"] + end[0], box["y"] + end[1], steps=6)
    shown.page.mouse.up()


def tree_of(shown: Shown) -> Tree:
    """Return the tree that is shown, read from its copy as JSON."""
    if shown.root.locator(".abviz-editor").is_hidden():
        shown.press("e")
    shown.root.get_by_label("Format of the copy").select_option("JSON")
    shown.click("Copy")
    return parse(shown.root.get_by_label("A tree as JSON or a nested list").input_value())


def expect_search(shown: Shown, searched: Trace) -> None:
    """The page shows this search: its steps, its value, its cuts and the sentence of its step."""
    assert (shown.steps, shown.root.get_attribute("data-value")) == (
        len(searched),
        str(searched.value),
    )
    assert shown.says == narrate(searched, shown.step)
    skipped = {
        name: cut.kind for cut in searched.cuts for name in cut.skipped if cut.step <= shown.step
    }
    assert dict(shown.look()["cuts"]) == skipped


# what-ifs


def test_a_leaf_is_typed_dragged_undone_and_done_again(shown: Shown) -> None:
    shown.press("End")
    type_value(shown, "i1", "5")
    changed = trace(WORKED.with_value("i1", 5))
    expect_search(shown, changed)
    assert node(shown, "i1").locator("text").all_text_contents() == ["5", "was 8"]
    expect(shown.root.locator(".abviz-what-if")).to_have_text(
        "With i1 = 5 the search returns 6 and no longer 8."
    )
    shown.press("Control+z")
    expect_search(shown, trace(WORKED))
    shown.press("Control+Shift+z")
    expect_search(shown, changed)
    drag(shown, "e1", (5, 5), (5, -30))
    dragged = int(node(shown, "e1").locator("text").first.text_content() or "")
    assert dragged == 9, "five for thirty-five pixels"
    expect_search(shown, trace(WORKED.with_value("i1", 5).with_value("e1", 9)))
    shown.press("Control+z")
    expect_search(shown, changed)
    shown.press("Home")
    type_value(shown, "i1", "5")
    shown.page.keyboard.press("c")  # at once: the field is gone in the next frame
    assert shown.step == changed.cuts[0].step
    type_value(shown, "i1", "ten")
    expect(shown.root.get_by_role("alert")).to_contain_text(
        "“ten” is not a value; expected a number"
    )
    expect_search(shown, changed)


def test_a_value_from_2_to_the_53_on_is_refused(shown: Shown) -> None:
    alert = shown.root.get_by_role("alert")
    for text in ("9007199254740992", "-1e16"):
        type_value(shown, "i1", text)
        expect(alert).to_have_text(
            f"“{text}” is too large; expected a number below 2^53 (9007199254740992); Python takes larger ones"
        )
        shown.page.keyboard.press("Escape")
        expect_search(shown, trace(WORKED))
    type_value(shown, "i1", "9007199254740991")
    shown.press("End")
    expect_search(shown, trace(WORKED.with_value("i1", 2**53 - 1)))


def test_the_step_stays_at_the_same_event_and_nothing_jumps(shown: Shown) -> None:
    shown.press("c", "c")
    before, places = shown.says, shown.places()
    type_value(shown, "j2", "-1234567890")
    assert shown.says == before and shown.places() == places
    shown.open_more()
    shown.root.get_by_text("Rules", exact=True).click()
    shown.root.get_by_label("Equal bounds").select_option("on")
    expect_search(shown, trace(WORKED.with_value("j2", -1234567890), rules=Rules(strict=True)))
    shown.page.keyboard.press("ArrowRight")
    assert shown.says != before, "the arrow keys step again"
    shown.press("e")
    step = shown.step
    shown.click("Swap MAX and MIN")
    assert shown.step != step
    shown.press("Control+z")
    assert shown.step == step, "where it was before the change"


# another tree


def test_a_tree_is_built_node_by_node(shown: Shown) -> None:
    shown.press("e")
    for name, button in [
        ("B", "Remove"),
        ("C", "Move right"),
        ("C", "Add child"),
        ("g1", "Add child"),
    ]:
        node(shown, name).click()
        shown.page.keyboard.press("Escape")  # of the field that a leaf opens
        if shown.root.locator(".abviz-editor").is_hidden():
            shown.press("e")
        shown.click(button)
    built = tree_of(shown)
    assert [child.name for child in built.root.children] == ["D", "C"]
    assert [child.name for child in built["C"].children] == ["G", "H", "c3"]
    assert (built["g1"].is_leaf, built["g1:1"].value) == (False, 1)
    shown.press("End")
    expect_search(shown, trace(built))
    for button in ("Add level", "Swap MAX and MIN"):
        shown.click(button)
    changed = tree_of(shown)
    assert changed.root.is_max is False and len(list(changed.leaves())) == 2 * len(
        list(built.leaves())
    )
    expect_search(shown, trace(changed))
    shown.click("Clear")
    assert tree_of(shown) == Tree([0, 0])
    for _ in range(7):
        shown.click("Undo")
    assert tree_of(shown).rows() == WORKED.rows()


def test_a_node_is_renamed_and_a_name_that_cannot_be_is_refused(shown: Shown) -> None:
    keyboard, alert = shown.page.keyboard, shown.root.get_by_role("alert")
    node(shown, "B").focus()
    keyboard.press("e")  # the node that has the keyboard is selected
    for name in ("C", ""):
        keyboard.press("F2")
        keyboard.press("Control+a")
        keyboard.press("Backspace")
        keyboard.type(name)
        keyboard.press("Enter")
        expect(alert).to_have_text(
            f"“{name}” cannot be the name; expected one that no other node has"
        )
        # With the name, to be typed again
        expect(shown.root.locator(".abviz-edit")).to_be_focused()
        keyboard.press("Escape")
        expect(node(shown, "B")).to_be_focused()  # in the next frame
    keyboard.press("F2")
    keyboard.type("<img src=x onerror=alert(1)>")
    keyboard.press("Enter")
    renamed = tree_of(shown)
    assert [child.name for child in renamed.root.children] == [
        "<img src=x onerror=alert(1)>",
        "C",
        "D",
    ]
    expect_search(shown, trace(renamed))
    shown.press("Control+z")
    assert tree_of(shown).rows() == WORKED.rows()


def test_a_folded_node_stands_for_what_happens_below_it(shown: Shown) -> None:
    searched = trace(WORKED)
    node(shown, "B").dblclick()
    expect(node(shown, "B")).to_have_attribute("aria-label", re.compile("folded"))
    for step in range(len(searched) + 1):
        shown.slide(step)
        place = searched.where(step)
        shown_for = "B" if WORKED["B"] in WORKED.path(place) else place.name
        expect(shown.root.locator(".abviz-current")).to_have_attribute("data-node", shown_for)


def test_a_tree_that_is_refused_or_has_the_same_shape_leaves_nodes_folded(shown: Shown) -> None:
    field = shown.root.get_by_label("A tree as JSON or a nested list")
    tree_of(shown)
    copy = field.input_value()
    node(shown, "B").dblclick()
    for text in ("[[1, null], 2]", copy.replace('"i1": 8', '"i1": 5')):
        field.fill(text)
        shown.click("Paste")
        expect(node(shown, "B")).to_have_attribute("aria-expanded", "false")
        if not field.is_visible():
            shown.click("Paste")
    assert shown.root.get_attribute("data-value") != str(trace(WORKED).value)
    node(shown, "B").dblclick()
    expect(node(shown, "B")).to_have_attribute("aria-expanded", "true")


def test_children_are_dragged_into_the_best_order(show: Show) -> None:
    (shown,) = show(trace(load("order-worst")))
    shown.press("e")
    order = shown.root.locator(".abviz-order")
    read, best = (int(word) for word in (order.text_content() or "").split() if word.isdecimal())
    assert read == len(trace(load("order-worst")).leaves) > best
    first, *_, last = load("order-worst").root.children
    start, end = node(shown, last.name).bounding_box(), node(shown, first.name).bounding_box()
    assert start and end
    drag(shown, last.name, (30, 10), (int(end["x"] - start["x"]) - 20, 10))
    changed = tree_of(shown)
    assert changed.root.children[0].name == last.name
    expect(order).to_contain_text(
        f"{len(trace(changed).leaves)} leaves read; {best} in the best order."
    )


MIDDLES = """root => Object.fromEntries(
  [...root.querySelectorAll("[data-node], [data-edge] > line:not(.abviz-grip)")].map((part) => {
    const { left, right } = part.getBoundingClientRect();
    return [part.dataset.node ?? `edge ${part.parentElement.dataset.edge}`, (left + right) / 2];
  }))"""


def test_a_node_takes_all_below_it_along_while_it_is_dragged(shown: Shown, page: Page) -> None:
    shown.press("e")
    before = shown.ask(MIDDLES)
    box = node(shown, "D").bounding_box()
    assert box
    page.mouse.move(box["x"] + 20, box["y"] + 5)
    page.mouse.down()
    page.mouse.move(box["x"] - 40, box["y"] + 5, steps=4)
    moved = {name: round(x - before[name]) for name, x in shown.ask(MIDDLES).items()}
    below = [WORKED.nodes[each] for each in range(WORKED["D"].index, len(WORKED.nodes))]
    names = {each.name for each in below}
    edges = {f"edge {name}" for name in names - {"D"}}
    assert {name for name, by in moved.items() if by == -60} == names | edges
    assert moved["edge D"] == -30, "one end of it"
    assert set(moved.values()) == {0, -30, -60}

    page.mouse.move(box["x"] + 20, box["y"] + 5)
    page.mouse.up()
    assert shown.ask(MIDDLES) == pytest.approx(before)


def test_a_drag_leaves_the_listeners_of_its_host_alone(shown: Shown) -> None:
    host = """() => {
      window.moves = 0;
      window.onpointermove = window.onpointerup = () => (window.moves += 1);
    }"""
    shown.page.evaluate(host)
    drag(shown, "e1", (5, 5), (5, -30))
    kept = "typeof onpointermove + typeof onpointerup"
    assert shown.page.evaluate(kept) == "functionfunction"
    assert shown.page.evaluate("moves") > 1


def test_random_trees_are_the_same_for_a_seed_and_have_their_value(shown: Shown) -> None:
    shown.press("e")
    trees = []
    for _ in range(2):
        for name, value in {"depth": 4, "breadth": 3, "low": -9, "high": 9, "seed": 7}.items():
            shown.root.locator(f'.abviz-random [name="{name}"]').fill(str(value))
        shown.root.locator(".abviz-random [name=seed]").press("Enter")
        trees.append(tree_of(shown))
    assert trees[0].rows() == trees[1].rows() and len(list(trees[0].leaves())) == 81
    assert shown.root.get_attribute("data-value") == str(minimax_value(trees[0].root))
    shown.root.locator('.abviz-random [name="depth"]').fill("6")
    shown.root.locator('.abviz-random [name="breadth"]').fill("5")
    shown.click("Random tree")
    expect(shown.root.get_by_role("alert")).to_contain_text("15625 leaves; expected fewer")


CASES = json.loads((Path(__file__).parents[1] / "data" / "pasted_trees.json").read_text("utf-8"))


def read_by_python(text: str) -> Any:
    try:
        return [[row.name, row.is_max, row.value, row.parent] for row in parse(text).rows()]
    except ValueError:
        return None


def test_pasted_text_is_the_same_tree_on_both_sides_or_refused_by_both(shown: Shown) -> None:
    shown.press("e")
    field = shown.root.get_by_label("A tree as JSON or a nested list")
    problem = shown.root.get_by_role("alert")

    def click(button: str) -> None:
        shown.button(button).dispatch_event("click")  # many times as quick as by the mouse

    for text in CASES["trees"]:
        click("Clear")
        click("Paste")
        if not field.is_visible():
            click("Paste")
        field.fill(text)
        click("Paste")
        expected = read_by_python(text)
        assert expected, text
        assert tree_of(shown).rows() == parse(text).rows(), text
    for text in CASES["refused"]:
        assert read_by_python(text) is None, text
        field.fill(text)
        click("Paste")
        expect(problem).to_be_visible()
        message = problem.inner_text()
        assert ("expected" in message or "there are" in message) and "\n" not in message, (
            text,
            message,
        )


@pytest.mark.parametrize(
    ("format", "lost"),
    [
        ("YAML", ""),
        ("JSON", ""),
        ("nested list", "names, the title, who moves"),
        ("parentheses", "names, the title, who moves"),
    ],
)
def test_a_saved_tree_is_the_same_when_it_is_opened(
    show: Show, tmp_path: Path, format: str, lost: str
) -> None:
    tree = Tree([[3, -5], [12, [0, 7]]], to_move="min", title="My tree/2")
    (shown,) = show(trace(tree))
    shown.press("e")
    shown.root.get_by_label("Format of the copy").select_option(format)
    with shown.page.expect_download() as download:
        shown.click("Save")
    problem = shown.root.get_by_role("alert")
    expect(shown.root.locator(".abviz-problem")).to_have_text(
        f"Lost in this copy: {lost}." if lost else ""
    )
    file = tmp_path / download.value.suggested_filename
    assert file.stem == "My-tree-2"
    download.value.save_as(file)
    kept = load(file)
    values = [row.value for row in tree.rows()]
    assert [row.value for row in kept.rows()] == values
    assert lost or (kept.rows(), kept.title) == (tree.rows(), tree.title)
    shown.click("Clear")
    with shown.page.expect_file_chooser() as chooser:
        shown.click("Open")
    chooser.value.set_files(file)
    expect(problem).to_be_hidden()
    assert tree_of(shown).rows() == kept.rows()


def test_a_shipped_tree_is_chosen_in_the_page_with_its_notes_and_stays(shown: Shown) -> None:
    deep, worked = load("deep-cut"), WORKED.title
    shown.open_more()
    choice = shown.root.get_by_label("Tree", exact=True)
    note = shown.root.locator(".abviz-note p")
    shown.press("End")
    choice.select_option(label=deep.title)
    assert shown.step == 0, "another tree is searched from the start"
    shown.press("End")
    expect_search(shown, trace(deep))
    expect(note).to_have_text(deep.note)
    type_value(shown, "F", "9")
    expect(note).to_have_text("")
    expect(choice.locator(":checked")).to_have_text("another tree")
    shown.press("Control+z")
    shown.page.reload()
    expect(shown.root.get_by_role("alert")).to_contain_text("the tree as you left it")
    expect(choice.locator(":checked")).to_have_text(deep.title)
    shown.open_more()
    choice.select_option(label=worked)
    shown.root.press("End")
    expect(shown.root).to_have_attribute("data-value", "8")
    expect(note).to_have_text(WORKED.note)
    *options, _ = choice.locator("option").all_text_contents()
    assert (
        sorted(options) == sorted(load(name).title for name in shipped()) and options[0] == worked
    )


# practice


def test_a_worksheet_is_filled_in_checked_and_handed_in(shown: Shown) -> None:
    searched = trace(WORKED)
    shown.press("w")
    expect(shown.button("Next")).to_have_attribute("aria-disabled", "true")
    assert shown.ask("root => root.querySelectorAll('.abviz-number').length") == 0, (
        "no answer is in the page"
    )
    right = practice.right_marks(searched)
    fields = {key: text for key, text in right.items() if isinstance(text, str) and text}
    fill_in(shown, {**right, "bv A": "7", "cut H": False, "cut j2": False})
    shown.click("Check")
    score = shown.root.locator(".abviz-worksheet strong")
    total = len(fields) + sum(mark is True for mark in right.values())
    expect(score).to_have_text(f"{len(fields)} of {total} marks right, 2 missing.")
    expect(shown.root.locator(".abviz-reasons li")).to_have_count(1)
    first, second = (shown.root.locator(".abviz-field").nth(place) for place in (0, 1))
    first.press("Enter")
    expect(second).to_be_focused()
    shown.click("Hint")
    expect(score).to_have_text(
        "Look at the edge to H: compare bv of C with its α after each child."
    )
    shown.press("w", "w")
    expect(shown.root.locator("[data-key='bv A']")).to_have_value("7")  # what is filled in stays
    fill_in(shown, {**right, "cut f2": False})
    shown.click("Check")
    expect(score).to_have_text(f"{total} of {total} marks right.")
    shown.click("Result")
    result = shown.root.get_by_label("Result to hand in").input_value()
    verdict = practice.verify(result)
    assert verdict and verdict.points == (total, total)
    forged = json.loads(result) | {"answers": {"bv A": "9"}}
    assert practice.verify(json.dumps(forged)).points == (3, total)
    assert "states another score" in practice.verify(json.dumps(forged)).message
    shown.click("New tree")
    expect(score).to_have_text("")
    shown.root.get_by_label("Asked").select_option("few")
    assert shown.ask("root => root.querySelectorAll('.abviz-field:not([readonly])').length") <= 5


# beside it, and elsewhere


def test_minimax_reads_what_alphabeta_skips_on_one_clock(shown: Shown) -> None:
    searched, full = trace(WORKED), trace(WORKED, search=minimax)
    shown.press("m")
    caption = shown.root.locator(".abviz-split .abviz-split-caption")
    shown.press("End")
    expect(caption).to_contain_text("12 leaves read, alpha-beta 8; 4 saved so far")
    cut = searched.cuts[1]
    shown.press("Home", "c", "c")
    read = searched.leaves_at(cut.step)[0]
    saved = sum(each.saved for each in searched.cuts[:2])
    expect(caption).to_contain_text(
        f"{read + saved} leaves read, alpha-beta {read}; {saved} saved so far"
    )
    assert full.leaves[: read + saved][-1] == "h2"


def test_two_trees_without_titles_are_remembered_apart(show: Show, page: Page) -> None:
    first, second = show(trace(Tree([[3, 5], [2, 9]])), trace(Tree([[1, 2], [3, 4]])))
    type_value(first, "b1", "7")
    page.reload()
    expect(first.root.get_by_role("alert")).to_contain_text("the tree as you left it")
    expect(second.root.get_by_role("alert")).to_be_hidden()
    assert [node(each, "b1").locator("text").first.text_content() for each in (first, second)] == [
        "7",
        "1",
    ]


def test_a_step_is_copied_as_svg_and_printed(show: Show, page: Page) -> None:
    hostile = {"<b>x</b>": [3, 5], "50 % & $x$ {y} \\z_1": [2, 9]}
    (shown,) = show(trace(Tree(hostile)))
    shown.press("c", "s")
    text = shown.root.get_by_label("Copied text")
    shown.click("Copy SVG")
    expect(text).to_be_visible()
    svg = text.input_value()
    assert (
        svg.startswith("<svg")
        and "&lt;b&gt;x&lt;/b&gt;" in svg
        and "<b>" not in svg
        and "class=" not in svg
    )
    shown.click("Copy link")
    assert text.input_value().endswith("#step=" + str(shown.step))
    page.evaluate(
        "window.print = () => (window.printed = document.querySelectorAll('.abviz-paper figure').length)"
    )
    for button, sheets in [
        ("Print step", 1),
        ("Print cuts", 1),
        ("Print all steps", shown.steps + 1),
    ]:
        shown.click(button)
        assert page.evaluate("window.printed") == sheets
    expect(shown.root.locator(".abviz-paper")).to_have_count(0)


PRINTED = """root => {
  const numbers = (picture) => [...picture.querySelectorAll("[data-node]")].map(({ dataset }) =>
    [dataset.node, dataset.state, dataset.alpha, dataset.beta, dataset.bv]);
  window.print = () => {
    const pictures = document.querySelectorAll(".abviz-paper svg");
    window.printed = [...pictures].map((picture) => JSON.stringify(numbers(picture)));
  };
  window.onScreen = () => JSON.stringify(numbers(root.querySelector(".abviz-tree > svg")));
}"""


def test_a_print_shows_each_step_and_leaves_the_page_and_its_question_alone(
    show: Show, page: Page
) -> None:
    (shown,) = show(trace(WORKED), predict=["bv"])
    shown.ask(PRINTED)
    seen = []
    for step in range(shown.steps + 1):
        shown.slide(step)
        seen.append(page.evaluate("onScreen()"))
    shown.slide(4)
    shown.press("ArrowRight")
    shown.click("Share")
    before = shown.ask("root => probe.dom(root.querySelector('.abviz-body'))")
    shown.click("Print all steps")
    assert page.evaluate("printed") == seen
    assert shown.root.get_attribute("data-question") == "bv"
    assert shown.ask("root => probe.dom(root.querySelector('.abviz-body'))") == before


def test_a_step_is_copied_as_png_or_downloaded(shown: Shown, page: Page) -> None:
    status = shown.root.locator(".abviz-share [role=status]")
    shown.press("End", "s")
    shown.click("Copy PNG")
    expect(status).to_have_text("The picture is on the clipboard.")
    page.evaluate("() => { navigator.clipboard.write = () => Promise.reject(); }")
    with page.expect_download() as downloaded:
        shown.click("Copy PNG")
    expect(status).to_have_text("The picture is downloaded.")
    assert downloaded.value.suggested_filename == f"step-{shown.step}.png"
    picture = matplotlib.image.imread(downloaded.value.path())
    ink = (picture[..., :3].min(axis=2) < 0.5).mean()
    assert min(picture.shape[:2]) > 300 and 0.005 < ink < 0.5, "neither empty nor black"


def test_no_copy_gives_an_answer_of_practice_away(show: Show) -> None:
    (shown,) = show(trace(WORKED))
    shown.press("End", "s")
    shown.press("w")
    assert shown.root.locator(".abviz-stack").inner_text().count("▲") == 0, (
        "the stack is as before the search"
    )
    shown.press("s")
    expect(shown.root.locator(".abviz-share")).to_be_hidden()
    expect(shown.button("Share")).to_have_attribute("aria-disabled", "true")
    shown.press("w", "s")
    expect(shown.root.locator(".abviz-share")).to_be_visible()


@pytest.mark.parametrize("options", [sized(1280, 720)])
def test_full_screen_gives_the_tree_the_room_and_keys_show_the_rest(show: Show, page: Page) -> None:
    first, second = show(trace(WORKED), trace(load("figure-4.24")))
    first.press("f")
    scale = "root => root.querySelector('.abviz-tree > svg').getScreenCTM().a"
    for key, part in [
        ("k", ".abviz-panel:has(.abviz-code)"),
        ("t", ".abviz-panel:has(.abviz-stack)"),
        ("l", ".abviz-line"),
    ]:
        was = first.root.locator(part).is_visible()
        first.press(key)
        assert first.root.locator(part).is_visible() is not was
    before = first.ask(scale)
    first.press("+")
    assert first.ask(scale) > before
    first.press("n")
    expect(page.locator(":focus")).to_have_attribute("aria-label", "Stepper: Figure 4.24")
    page.keyboard.press("p")
    expect(page.locator(":focus")).to_have_attribute("aria-label", f"Stepper: {WORKED.title}")
    assert (first.step, second.step) == (0, 0)
    page.keyboard.press("f")
    wait_until(page, "document.fullscreenElement === null")


def test_in_a_frame_it_is_compact_and_takes_no_focus(
    show: Show, page: Page, tmp_path: Path
) -> None:
    show(trace(WORKED))
    frame = f'<input autofocus><iframe src="{page.url}" width="700" height="600"></iframe>'
    (outside := tmp_path / "outside.html").write_text(f"<!doctype html>{frame}")
    page.goto(outside.as_uri())
    root = page.frame_locator("iframe").locator(".abviz-stepper")
    expect(root).to_have_attribute("data-step", "0")
    assert page.evaluate("document.activeElement.localName") == "input"
    expect(root.locator(".abviz-code")).to_be_hidden()
    expect(root.locator(".abviz-says")).to_be_visible()


@pytest.mark.parametrize("options", [sized(390, 844) | {"has_touch": True}])
def test_fingers_have_room(shown: Shown) -> None:
    sizes = shown.ask(
        "root => [...root.querySelectorAll('.abviz-controls button')].map((b) => b.getBoundingClientRect())"
    )
    assert all(min(each["width"], each["height"]) >= 44 for each in sizes if each["width"])
    small = """root => [...root.querySelectorAll("button, select, summary, label, input:not([type=range])")]
      .filter((part) => part.checkVisibility() && !part.matches("label [type=checkbox]"))
      .filter((part) => part.getBoundingClientRect().height < 44).map((part) => part.outerHTML)"""
    for mode in ["Edit", "Predict"]:
        shown.click(mode)
        assert shown.ask(small) == []
    shown.slide(4)
    shown.press("ArrowRight")
    expect(shown.root.locator(".abviz-typed")).to_be_visible()
    assert shown.ask(small) == []
    shown.click("Predict")
    shown.button("Help").tap()
    help_ = shown.root.get_by_role("dialog", name="Keys and marks")
    assert help_.evaluate(
        "box => box.getBoundingClientRect().top >= 0 && box.scrollHeight > box.clientHeight"
    )
    help_.tap()
    node(shown, "e1").tap()
    expect(shown.root.locator(".abviz-edit")).to_be_focused()
    assert shown.ask(small) == []
    assert shown.ask("root => document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("options", [{"forced_colors": "active"}])
def test_with_forced_colours_every_line_is_seen(shown: Shown) -> None:
    shown.press("c")
    strokes = """root => [
        ...root.querySelectorAll("[data-node] > :is(path, rect), [data-edge] > line:not(.abviz-grip)"),
      ].map((shape) => getComputedStyle(shape).stroke)"""
    ground = shown.ask("root => getComputedStyle(root).backgroundColor")
    assert set(shown.ask(strokes)).isdisjoint({ground, "none", "rgba(0, 0, 0, 0)"})
    shown.click("Predict")
    outlines = [
        shown.button(name).evaluate("e => getComputedStyle(e).outlineStyle")
        for name in ("Predict", "Edit")
    ]
    assert outlines == ["solid", "none"], "what is pressed is seen"
