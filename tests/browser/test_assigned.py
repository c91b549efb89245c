"""A page that is assigned to a student: practice on one tree, whose result is a file."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from abviz import Rules
from abviz.exercises import practice
from abviz.exercises.generator import make_tree
from abviz.grading import assignment
from abviz.grading.assignment import Assignment, Task
from tests.browser.driving import Shown, fill_in, sized, steppers

pytestmark = pytest.mark.browser

NAME = "Zoë </script><b> 李"


@pytest.fixture
def assigned(tmp_path: Path) -> Assignment:
    tree = make_tree(4, alpha_cuts=1, beta_cuts=1)
    made = Assignment("Homework", 1, Rules(strict=True), (Task("A 1", NAME, 4, tree),))
    assignment.write(made, tmp_path / "class", sheets="none")
    return made


@pytest.fixture
def shown(page: Page, assigned: Assignment, tmp_path: Path) -> Shown:
    (file,) = (tmp_path / "class" / "pages").iterdir()
    page.goto(file.as_uri())
    (shown,) = steppers(page)
    return shown


@pytest.mark.parametrize("options", [{}, sized(390, 844) | {"has_touch": True}], ids=["", "phone"])
def test_the_result_is_a_file_that_says_whose_it_is(
    shown: Shown, page: Page, assigned: Assignment
) -> None:
    worksheet = shown.root.locator(".abviz-worksheet")
    expect(worksheet).to_contain_text(f"Assigned to {NAME} (A 1).")
    assert page.title().startswith(NAME)
    expect(shown.root).to_contain_text("no cut on ties (>, <)")
    for button in ("New tree", "Show the solution"):
        expect(worksheet.get_by_role("button", name=button)).to_be_hidden()
    expect(shown.root.get_by_label("Asked")).to_be_hidden()

    (task,) = assigned.tasks
    run = assigned.run(task)
    fill_in(shown, practice.right_marks(run))
    shown.click("Result")
    expect(worksheet.get_by_role("button", name="Show the solution")).to_be_hidden()
    with page.expect_download() as downloading:
        shown.click("Download")
    download = downloading.value
    assert download.suggested_filename == f"practice_{task.file}.json"
    text = Path(download.path()).read_text("utf-8")
    assert text == shown.root.get_by_label("Result to hand in").input_value()

    verdict = assigned.verify(text)
    assert verdict and verdict.student == "A 1" and "another score" not in verdict.message


def test_marks_stay_when_the_page_is_opened_again(shown: Shown, page: Page) -> None:
    shown.root.get_by_label("bv of A").fill("7")
    page.reload()
    (again,) = steppers(page)
    expect(again.root.get_by_label("bv of A")).to_have_value("7")

    # The notice covers nothing, and goes with the next input
    notice = again.root.get_by_role("alert")
    expect(notice).to_contain_text("as you left them")
    again.root.get_by_label("α of A").click(timeout=5_000)
    again.root.get_by_label("α of A").fill("3")
    expect(notice).to_be_hidden()
    expect(again.root.get_by_role("button", name="Hint")).to_be_hidden()
    worksheet = again.root.locator(".abviz-worksheet")
    expect(worksheet.get_by_role("button", name="Check")).to_be_hidden()
    expect(worksheet).to_contain_text("Filled in: 2 of ")
    expect(worksheet).to_be_visible()


def test_nothing_tells_right_marks_from_wrong_ones(shown: Shown, assigned: Assignment) -> None:
    (task,) = assigned.tasks
    marks = practice.right_marks(assigned.run(task))
    right = {key: mark for key, mark in marks.items() if isinstance(mark, str) and mark}
    wrong = dict.fromkeys(right, "99")

    pages = []
    for each in (wrong, right):
        fill_in(shown, each)
        shown.root.locator(".abviz-field").last.press("Enter")  # as where practice checks
        shown.click("Result")
        pages.append(shown.ask("root => root.outerHTML"))
    assert pages[0] == pages[1]


def test_neither_tree_nor_rules_nor_mode_can_be_changed(shown: Shown, page: Page) -> None:
    names = "root => [...root.querySelectorAll('[data-node]')].map((node) => node.dataset.node)"
    before = shown.ask(names)
    for button in ("Edit", "Predict", "Practice", "Split view"):
        expect(shown.root.get_by_role("button", name=button, exact=True)).to_be_hidden()
    problem = shown.root.get_by_role("alert")
    for key in "weqm":
        shown.press(key)
        expect(problem).to_contain_text("This tree is assigned")
        expect(shown.root.locator(".abviz-worksheet")).to_be_visible()

    page.evaluate("location.hash = '#tree=[[1,2],3]&rules='")
    expect(problem).to_contain_text("This tree is assigned")
    shown.open_more()
    expect(shown.root.get_by_label("Search", exact=True)).to_have_count(0)
    assert shown.ask(names) == before
