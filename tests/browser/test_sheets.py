"""A sheet as HTML: it prints a page for each tree, and nothing of it is cut off."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page

from abviz import Tree, load
from abviz.exercises.sheets import MARGIN, Sheet

pytestmark = pytest.mark.browser
WIDE = Tree([[[i % 7, i, 20 - i] for i in range(k, k + 3)] + [[5]] for k in (0, 3, 6, 9)])
INSIDE = """([width, height]) => {
  const isInside = (section) => {
    const outer = section.getBoundingClientRect();
    return [...section.children].every((each) => {
      const box = each.getBoundingClientRect();
      return box.top >= outer.top - 1 && box.bottom <= outer.bottom + 1
        && box.left >= -1 && box.right <= width + 1;
    }) && outer.height <= height + 1;
  };
  return [...document.querySelectorAll("section")].map(isInside);
}"""


@pytest.mark.parametrize("landscape", [False, True])
@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_each_tree_is_a_page_on_which_all_of_it_fits(
    page: Page, tmp_path: Path, paper: str, landscape: bool
) -> None:
    sheet = Sheet(
        [load("worked-example"), load("figure-4.24"), WIDE],
        paper=paper,
        landscape=landscape,
        student="Zoë (1001)",
    )
    for key in (False, True):
        file = tmp_path / f"{key}.html"
        sheet.write(file, key=key)
        page.goto(file.as_uri())

        printed = page.pdf(prefer_css_page_size=True)
        assert len(re.findall(rb"/Type /Page\b", printed)) == 3

        # As it is printed: the page without its margins, in pixels
        width, height = ((length - 2 * MARGIN) * 96 / 72 for length in sheet.paper[1:])
        page.emulate_media(media="print")
        page.set_viewport_size({"width": round(width), "height": round(height)})
        assert page.evaluate(INSIDE, [width, height]) == [True, True, True]
        page.emulate_media(media="null")
