"""Sheets and keys as PDF and HTML, and a tree as TikZ: what stands on them, and that names are only
ever text.
"""

import re
from collections import Counter
from html import unescape
from html.parser import HTMLParser
from pathlib import Path

import pytest

from abviz import AbvizError, Rules, Tree, draw, load, make_tree, trace
from abviz.cli import main
from abviz.exercises.sheets import MARGIN, PAPERS, QUESTIONS, Sheet
from abviz.views import rendering, vectors
from abviz.views.rendering import tikz
from abviz.views.vectors import text_width
from tests import pdf as pdf_file

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


WIDE = Tree([[[i % 7, i, 20 - i] for i in range(k, k + 3)] + [[5]] for k in (0, 3, 6, 9)])


@pytest.mark.parametrize("key", [False, True])
@pytest.mark.parametrize("landscape", [False, True])
@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_a_page_has_all_of_the_picture_as_text_and_lines_large_and_within_its_margins(
    paper: str, landscape: bool, key: bool
) -> None:
    trees = [load("worked-example"), load("figure-4.24"), WIDE, Tree([3, 5])]
    assert len(list(WIDE.leaves())) == 40
    sheet = Sheet(trees, paper=paper, landscape=landscape)
    content = sheet.pdf(key=key)
    assert not pdf_file.has_bitmap(content)

    sides = sorted(PAPERS[paper][1:], reverse=landscape)
    pictures = re.findall(r"<svg.*?</svg>", sheet.html(key=key), re.DOTALL)
    for page, svg in zip(pdf_file.read(content), pictures, strict=True):
        assert (page.width, page.height) == pytest.approx(sides)

        drawn = [unescape(text) for text in re.findall(r"<text[^>]*>([^<]*)</text>", svg)]
        written = Counter(each.text.strip() for each in page.texts)
        missing = Counter(text.strip() for text in drawn if text.strip()) - written
        assert not missing, missing

        # The first corners are those of the paper
        corners = page.corners[4:]
        for text in page.texts:
            corners += [(text.x, text.y), (text.x, text.y + text.size)]
            if "_" in text.text or text.size > 9:
                corners.append((text.x + text_width(text.text, text.size), text.y))
        across = [x for x, _ in corners]
        up = [y for _, y in corners]
        assert min(across) >= MARGIN - 1 and max(across) <= page.width - MARGIN + 1
        assert min(up) >= MARGIN - 5 and max(up) <= page.height - MARGIN + 1

        # As large as there is room for
        xs = [x for x, _ in page.corners[4:]]
        width = page.width - 2 * MARGIN
        values = max(text.size for text in page.texts if text.text.strip("−").isdigit())
        is_wide = max(xs) - min(xs) > 0.97 * width
        is_high = min(up) < MARGIN + 12
        assert is_wide or is_high or values == pytest.approx(30)


def test_a_page_without_graphviz_has_the_same_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    sheet = Sheet([load("worked-example")])
    (with_graphviz,) = pdf_file.read(sheet.pdf(key=True))
    monkeypatch.setattr(rendering, "is_installed", lambda package: package != "pygraphviz")
    (without,) = pdf_file.read(sheet.pdf(key=True))
    assert Counter(without.text.split()) == Counter(with_graphviz.text.split())


def test_the_key_of_a_wide_tree_has_every_number_of_the_search() -> None:
    run = trace(WIDE)
    (page,) = pdf_file.read(Sheet([WIDE]).pdf(key=True))
    numbers = Counter(each.text.strip() for each in page.texts)
    expected = Counter[str]()
    for node in WIDE.nodes:
        state = run.node_at(node, len(run))
        if node.is_leaf:
            expected[str(node.value)] += 1
        elif state.state == "done":
            for value in (state.alpha, state.beta, state.bv):
                assert value is not None
                text = f"{value:.12g}".replace("inf", "∞").replace("-", "−")
                expected[text] += 1
    assert not expected - numbers
    cuts = [each for each in page.texts if each.text.startswith("✂")]
    assert len(cuts) == sum(len(cut.skipped) for cut in run.cuts)


ASKED = {
    "bounds": ["Write α and β into each node", "as they are when"],
    "values": ["Write bv into each node", "as it is when", "best value below", "Value of A"],
    "leaves": ["Leaves read", "Leaves never read"],
    "cuts": ["Cross the edge to each child", "Each cut: its kind"],
}


@pytest.mark.parametrize("asked", QUESTIONS)
def test_a_sheet_asks_only_what_is_chosen(asked: str) -> None:
    sheet = Sheet([load("figure-4.24")], ask=[asked])
    words = texts(sheet, key=False)
    for question, signs in ASKED.items():
        assert all((sign in words) == (question == asked) for sign in signs), question

    letters = {"bounds": {"α", "β"}, "values": {"bv"}}.get(asked, set())
    assert {line.strip() for line in words.splitlines()} & {"α", "β", "bv"} == letters
    (page,) = pdf_file.read(sheet.pdf())
    assert {each.text for each in page.texts} & {"α", "β", "bv"} == letters


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["--paper", "a5"], "paper .*a5"),
        (["--ask", "bv"], "question of a sheet"),
        (["--ask", ","], "a sheet asks nothing"),
    ],
)
def test_another_paper_or_question_is_refused(
    options: list[str], expected: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "sheet.pdf"
    assert main(["make", "figure-4.24", "-o", str(file), *options]) == 2
    assert re.search(expected, capsys.readouterr().err) and not file.exists()


def test_paper_and_questions_are_options_of_make(tmp_path: Path) -> None:
    file = tmp_path / "sheet.pdf"
    options = ["--paper", "letter", "--landscape", "--ask", "cuts,leaves"]
    assert main(["make", "figure-4.24", "-o", str(file), *options]) == 0
    (page,) = pdf_file.read(file.read_bytes())
    assert (page.width, page.height) == (792, 612)
    assert "a) Cross the edge" in page.text and "bv" not in page.text


def test_a_student_stands_on_the_sheet_and_on_its_key() -> None:
    sheet = Sheet([load("figure-4.24")], student="Zoë <b> $x$ 李 (1001)")
    assert "Zoë <b> $x$ 李 (1001)" in texts(sheet, key=False) and "____" in texts(sheet, key=False)
    for key in (False, True):
        (page,) = pdf_file.read(sheet.pdf(key=key))
        assert "Zoë <b> $x$ 李 (1001)" in page.text and "Name: _" not in page.text


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


def test_letters_that_no_font_has_are_said_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vectors, "_family_with", lambda letter: "")
    file = tmp_path / "sheet.pdf"
    tree = tmp_path / "tree.yaml"
    tree.write_text("tree: {李: [1, 2], é: [3, 4]}", "utf-8")
    assert main(["make", str(tree), "-o", str(file)]) == 0
    assert "no font of this computer has '李'" in capsys.readouterr().err
    assert main(["make", str(tree), "-o", str(file.with_suffix(".html"))]) == 0
    assert not capsys.readouterr().err
