"""Sheets and keys as PDF and HTML, and a tree as TikZ: what stands on them, and that names are only
ever text.
"""

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from abviz import AbvizError, Rules, Tree, draw, load, make_tree, trace
from abviz.exercises.sheets import Sheet
from abviz.views.rendering import tikz

HOSTILE = [
    '<script>alert("1")</script>',
    "$x^2$ & \\alpha{",
    "%s {0} #~^_",
    "\\end{tikzpicture}\\input{x}",
    "𝔸 ✂ é α",
]


def texts(sheet: Sheet, key: bool) -> str:
    class Text(HTMLParser):
        found = ""

        def handle_data(self, data: str) -> None:
            self.found += data + "\n"

    parser = Text()
    parser.feed(sheet.html(key=key))
    return parser.found


def pages(pdf: bytes) -> int:
    return len(re.findall(rb"/Type /Page\b", pdf))


def test_the_key_answers_what_the_sheet_asks() -> None:
    sheet = Sheet([load("figure-4.24"), load("worked-example")], rules=Rules(strict=True))
    asked, answered = texts(sheet, key=False), texts(sheet, key=True)
    assert (
        asked.count("Leaves never read") == 2 and asked.count(f"Rules: {Rules(strict=True)}.") == 2
    )
    run = trace(load("figure-4.24"), rules=Rules(strict=True))
    for cut in run.cuts:
        words = f"-cut at {cut.at} by {cut.witness}{' (deep)' if cut.deep else ''}"
        assert words in answered and words not in asked
    # A title may give it away
    assert "Name:" in asked and "Figure 4.24" in answered and "Figure 4.24" not in asked


def test_a_pdf_has_all_pages_and_is_the_same_each_time() -> None:
    tree = make_tree(1)
    pdf = Sheet([tree]).pdf(key=True)
    assert pdf == Sheet([tree]).pdf(key=True) and pdf.startswith(b"%PDF") and pages(pdf) == 1
    assert pages(Sheet([tree] * 2).pdf()) == 2


def test_names_and_titles_are_text_on_every_sheet(tmp_path: Path) -> None:
    tree = Tree({name: [1, 2] for name in HOSTILE}, title=HOSTILE[0] + HOSTILE[1])
    sheet = Sheet([tree], title=HOSTILE[3] + HOSTILE[1])
    html = sheet.html(key=True)
    assert (
        "<script" not in html
        and "width=device-width" in html
        and "\\end{tikzpicture}" in texts(sheet, key=True)
    )
    # Matplotlib refuses broken mathematics between $ signs
    sheet.write(tmp_path / "key.pdf", key=True)
    assert (tmp_path / "key.pdf").read_bytes().startswith(b"%PDF")
    code = tikz(draw(trace(tree)))
    assert (
        code.count("\\end{tikzpicture}") == 1 and "\\input" not in code and "\\alpha{" not in code
    )
    assert re.sub(r"\\[{}]", "", code).count("{") == re.sub(r"\\[{}]", "", code).count("}")


def test_a_tikz_picture_has_all_that_graphviz_draws() -> None:
    run = trace(load("figure-4.24"))
    shapes = re.findall(r"\\path\[(.*)\] \(", code := tikz(draw(run, run.cuts[0].step)))
    boxes = [look for look in shapes if "fill=" in look]
    assert len(boxes) >= len(run.tree) and len(shapes) - len(boxes) >= len(run.tree) - 1
    assert all(
        word in code
        for word in [r"$\blacktriangle$ A", r"$-$$\infty$", r"$\times$", ",dashed", ".. controls"]
    )


def test_a_sheet_that_cannot_be_made_is_refused_and_nothing_is_written(tmp_path: Path) -> None:
    for trees in ([], [load("aima-5.2")] * 41, [[[1, 2]]], [Tree(3)]):
        with pytest.raises(AbvizError, match="expected 1 to 40 trees with a move to make"):
            Sheet(trees)
    with pytest.raises(AbvizError, match="a tree of 256 leaves is too large for a page of A4"):
        Sheet([make_tree(1, depth=4, branching=4)]).write(tmp_path / "sheet.pdf")
    with pytest.raises(AbvizError, match=r"expected a name that ends in \.pdf or \.html"):
        Sheet([make_tree(1)]).write(tmp_path / "sheet.svg")
    assert not list(tmp_path.iterdir())
