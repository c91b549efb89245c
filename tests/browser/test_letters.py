"""The letters of a course: v in place of bv, wherever a reader sees or hears it."""

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from abviz import Rules, load, minimax, trace
from abviz.tracing.shows import SHOWS
from abviz.views.bundle import export
from tests.browser.driving import Show, Shown, steppers
from tests.browser.test_changes import link_of

pytestmark = pytest.mark.browser

# All that is seen, shown when a pointer rests, or read aloud; of an option its text
READ = """root => {
  const texts = [];
  for (const each of [root, ...root.querySelectorAll("*")]) {
    for (const name of ["aria-label", "title", "placeholder", "aria-description"])
      if (each.hasAttribute(name)) texts.push(each.getAttribute(name));
    for (const child of each.childNodes)
      if (child.nodeType === Node.TEXT_NODE && each.tagName !== "STYLE") texts.push(child.data);
  }
  return texts;
}"""
BEST_VALUE = re.compile(r"\bbv\b")


def texts(shown: Shown) -> list[str]:
    return list(shown.ask(READ))


def with_bv(shown: Shown) -> list[str]:
    return [text for text in texts(shown) if BEST_VALUE.search(text)]


def everything(shown: Shown) -> list[str]:
    """Return the texts with bv at each step, and in each mode."""
    found = with_bv(shown)
    for _ in range(shown.steps):
        shown.press("ArrowRight")
        found += with_bv(shown)

    shown.press("Home")
    for key in ("q", "w"):
        shown.press(key)
        found += with_bv(shown)
        shown.press(key)
    return found


@pytest.mark.parametrize("show_", SHOWS)
def test_a_page_with_v_says_bv_nowhere(show: Show, show_: str) -> None:
    searches: list[dict[str, Any]] = [
        {},
        {"rules": Rules(strict=True, fail_hard=True)},
        {"search": minimax},
    ]
    traces = [trace(load("deep-cut"), **search) for search in searches]
    for shown in show(*traces, show=show_, letters="v"):
        assert everything(shown) == []

    # Where it is bv, the same look finds it, so that it would have been found
    if show_ != "values":
        (shown,) = show(traces[0], show=show_)
        assert with_bv(shown)


def test_what_a_program_reads_is_bv(show: Show) -> None:
    (shown,) = show(trace(load("worked-example")), show="all", step=6, letters="v")
    (usual,) = [shown.ask("root => [...root.querySelectorAll('[data-bv]')].length")]
    assert usual > 0
    letters = "root => [...root.querySelectorAll('.abviz-letter')].map((each) => each.textContent)"
    assert set(shown.ask(letters)) == {"α", "β", "v"}


@pytest.mark.parametrize("form", ["assignment", "aima", "csc384"])
def test_no_name_in_the_code_has_two_meanings(show: Show, form: str) -> None:
    (shown,) = show(trace(load("worked-example")), show="all", form=form, letters="v")
    code = shown.root.locator(".abviz-code").text_content() or ""
    assert "bv" not in code
    if form == "assignment":
        assert "value ← search(child, α, β)" in code
        assert "if value > v: v ← value" in code
    if form == "aima":
        assert "v ← MAX(v, MIN-VALUE(child, α, β))" in code


def test_a_link_carries_the_letters(page: Page, tmp_path: Path) -> None:
    plain = export([trace(load("worked-example"))], tmp_path / "plain.html", show="all")
    page.goto(f"{plain.as_uri()}#step=6&letters=v&search=alphabeta&rules=strict")
    (shown,) = steppers(page)
    assert with_bv(shown) == []
    assert "no cut on ties" in " ".join(texts(shown))
    assert shown.look()["step"] == "6"

    page.goto("about:blank")
    lettered = export([trace(load("worked-example"))], tmp_path / "v.html", letters="v")
    page.goto(lettered.as_uri())
    (shown,) = steppers(page)
    assert "letters=v" in link_of(shown)
