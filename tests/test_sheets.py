"""Exam sheets and their keys: what stands on them, that names are text and nothing else, that the files are whole."""

import re
import shutil
import subprocess
import xml.etree.ElementTree as ET
import zlib
from pathlib import Path

import pytest

from abviz import AbvizError, Rules, Tree, load, make_tree, trace
from abviz.exercises.asking import Blank, questions
from abviz.exercises.joining import joined
from abviz.exercises.paging import LONG_SIDE, SHORT_SIDE, Pages
from abviz.exercises.sheets import Sheet
from abviz.exercises.typesetting import escaped

FIGURE = load("figure-4.24")
EVIL = Tree(
    {"<b>$x_1$\\N": {"%\\input{x}": 3, "日本ü👩\u200d💻": 5, "]]>": -1}, "C&amp;#": [2, 9]},
    root="\\def\\a{}~^",
    title="</text><script>alert(1)</script>\\end{document}",
)
COMPILERS = [name for name in ("pdflatex", "xelatex", "lualatex") if shutil.which(name)]


def texts(svg: bytes) -> list[str]:
    return [text.text or "" for text in ET.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]


def places(svg: bytes) -> dict[str, str]:
    """Where each inner node stands, by the words it begins with."""
    found = ET.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")
    return {t.text: f"{t.get('x')},{t.get('y')}" for t in found if t.text and t.text[0] in "▲▼"}


# what is asked and answered


def answers(tree: Tree, rules: Rules = Rules()) -> list[str]:  # noqa: B008
    asked = questions(trace(tree, rules=rules))
    return [part.answer for question in asked for part in question if isinstance(part, Blank)]


def test_the_answers_of_the_figure() -> None:
    assert answers(FIGURE) == ["4", "C", "6", "N, L", "α at I by A (deep); β at G by C"]


def test_the_answers_go_by_the_rules() -> None:
    tree = Tree([[3, 5], [3, 9]])
    assert answers(tree) == ["3", "0", "3", "1.1", "α at 1 by root"]
    assert answers(tree, Rules(strict=True)) == ["3", "0", "4", "none", "none"]
    assert answers(tree, Rules(name_by_node=True))[-1] == "β at 1 by root"


def test_a_sheet_has_room_and_its_key_the_numbers() -> None:
    sheet = Sheet([FIGURE])
    blank, key = texts(sheet.svg()), texts(sheet.svg(key=True))
    for word in ("α", "β", "bv"):
        assert blank.count(word) == key.count(word) == 6, "in each of the six inner nodes"
    assert "Alpha-beta by hand" in blank and "Alpha-beta by hand – key" in key
    assert not [text for text in blank if "∞" in text or "✂" in text]
    assert "✂ α-cut" in key and "α at I by A (deep); β at G by C" in key
    marks = trace(FIGURE)[len(trace(FIGURE))].nodes["C"]
    assert (marks.alpha, marks.beta, marks.bv) == (3, 4, 4)
    assert places(sheet.svg()) == places(sheet.svg(key=True)), "nothing moves from the sheet to the key"


def test_every_exercise_states_its_rules() -> None:
    rules = Rules(strict=True, fail_hard=True)
    sheet = Sheet([FIGURE, make_tree(1), make_tree(2, to_move="min")], rules=rules)
    assert texts(sheet.svg()).count(f"Rules: {rules}.") == 3
    assert texts(sheet.svg()).count("Alpha-beta, MIN to move, the full window at the root.") == 1
    assert sheet.latex().count("Rules:") == 3 and "fail{-}hard" in sheet.latex()


def test_the_seed_is_on_the_key_alone() -> None:
    sheet = Sheet([make_tree(4711, depth=2)])
    assert not [text for text in texts(sheet.svg()) if "4711" in text] and "4711" not in sheet.latex()
    assert [text for text in texts(sheet.svg(key=True)) if "4711" in text] and "4711" in sheet.latex(key=True)


# pages


def test_wide_trees_turn_the_page() -> None:
    def page(tree: Tree) -> tuple[float, float]:
        pages = Pages("", (trace(tree),), key=False)
        return pages.width, pages.height

    assert page(make_tree(1, depth=2, branching=2)) == (SHORT_SIDE, LONG_SIDE)
    assert page(make_tree(1, depth=4, branching=2)) == (LONG_SIDE, SHORT_SIDE)


def test_nothing_stands_beyond_the_page() -> None:
    trees = [make_tree(seed, depth=2, branching=(2, 3)) for seed in range(5)] + [make_tree(5, depth=3)]
    for key in (False, True):
        pages = Pages("Title", tuple(map(trace, trees)), key=key)
        assert pages.count > 1
        found = ET.fromstring(pages.svg())
        assert float(found.get("height", "").removesuffix("pt")) == pytest.approx(pages.count * pages.height, abs=1)
        for text in found.iter("{http://www.w3.org/2000/svg}text"):
            x, y = (float(text.get(side, "")) * pages.scale for side in ("x", "y"))
            assert 20 < x < pages.width - 20 and 20 < y % pages.height < pages.height - 20


@pytest.mark.parametrize("key", [False, True])
def test_a_long_title_is_smaller_and_a_very_long_one_ends_in_dots(key: bool) -> None:
    for title, told in (("Midterm of the winter term, part two of three", "part two"), ("long " * 99, "…")):
        pages = Pages(title, (trace(FIGURE),), key=key)
        first, *_ = ET.fromstring(pages.svg()).iter("{http://www.w3.org/2000/svg}text")
        wide = len(first.text or "") * 0.62 * float(first.get("font-size", "")) * pages.scale
        assert told in (first.text or "") and wide < pages.width - 80


def test_without_a_title_the_key_is_still_called_so() -> None:
    assert texts(Sheet([FIGURE], title="").svg(key=True))[0] == "key"


def test_what_nobody_could_read_is_no_sheet() -> None:
    told = (
        "a tree with 81 leaves is too large for a sheet: on A4 nobody could read it; expected some 60 leaves or fewer"
    )
    for form in ("svg", "pdf", "latex"):
        with pytest.raises(AbvizError, match=told):
            getattr(Sheet([FIGURE, make_tree(1, depth=4, branching=3)]), form)()
        assert getattr(Sheet([make_tree(1, depth=3, branching=4)]), form)()


def test_a_tree_of_few_leaves_that_is_too_wide_is_not_told_to_have_fewer() -> None:
    wide = Sheet([make_tree(1, depth=5, branching=2, leaves=(-(10**9), 10**9))])
    told = "a tree with 32 leaves is too large for a sheet: on A4 nobody could read it; expected shorter values"
    for form in ("svg", "pdf", "latex"):
        with pytest.raises(AbvizError, match=told):
            getattr(wide, form)()


def test_wide_trees_turn_the_page_of_the_latex_too() -> None:
    small, wide = (Sheet([make_tree(1, depth=depth, branching=2)]).latex() for depth in (3, 5))
    assert "[a4paper]" in small and "[a4paper,landscape]" in wide
    assert float(re.findall(r"x=([\d.]+)bp", wide)[0]) > 0.33


def pages_of(pdf: bytes) -> int:
    return len(re.findall(rb"/Type /Page\b", pdf))


def test_a_pdf_is_whole() -> None:
    sheet = Sheet([make_tree(seed) for seed in range(3)])
    pdf = sheet.pdf()
    assert pdf == sheet.pdf(), "the same sheet, the same bytes"
    assert pages_of(pdf) == 3 and b"/Count 3" in pdf
    assert [float(n) for n in re.findall(rb"MediaBox \[ 0 0 (\d+) ", pdf)] == [842] * 3
    table = int(pdf.split()[-2])
    starts = re.findall(rb"(\d{10}) 00000 n", pdf[table:])
    assert pdf[table : table + 4] == b"xref" and starts
    for number, start in enumerate(starts, 1):
        assert pdf[int(start) :].startswith(b"%d 0 obj" % number)
    for number in re.findall(rb"(\d+) 0 R\b", re.sub(rb"stream\n.*?endstream", b"", pdf, flags=re.DOTALL)):
        assert 1 <= int(number) <= len(starts)


def test_pages_in_rows_of_objects_are_joined_too() -> None:
    """As newer libraries write them: the dictionaries compressed together."""
    page, font = b"<< /Type /Page /Parent 1 0 R /Font 3 0 R >>", b"<< /Type /Font >>"
    text = zlib.compress(b"2 0 3 %d " % (len(page) + 1) + page + b" " + font)
    row = b"<< /Type /ObjStm /N 2 /First %d /Length %d >>\nstream\n" % (len(b"2 0 3 44 "), len(text))
    file = b"%PDF-1.5\n9 0 obj\n" + row + text + b"\nendstream\nendobj\n"
    both = joined([file, file])
    assert pages_of(both) == 2 and both.count(b"/Type /Font") == 2
    assert b"/Font 4 0 R" in both and b"/Font 6 0 R" in both and both.count(b"/Parent 2 0 R") == 2


def test_what_is_no_page_is_told() -> None:
    with pytest.raises(AbvizError, match="1 pictures as PDF hold 0 pages"):
        joined([b"%PDF-1.5\n"])


# names are text


def test_names_are_never_obeyed_by_svg() -> None:
    for key in (False, True):
        svg = Sheet([EVIL], title="<image href='x'/>").svg(key=key)
        tags = {element.tag.rpartition("}")[2] for element in ET.fromstring(svg).iter()}
        assert tags <= {"svg", "g", "title", "polygon", "path", "polyline", "text", "a"}
        shown = texts(svg)
        assert "▲ \\def\\a{}~^" in shown and "▼ <b>$x_1$\\N" in shown and "<image href='x'/>" in "".join(shown)


def test_names_are_never_obeyed_by_tex() -> None:
    text = Sheet([EVIL], title="\\write18{ls}").latex(key=True)
    body = text.split("\\begin{document}")[1]
    assert not re.search(r"\\(write|input|def)", body)
    assert text.count("\\end{document}") == 1 and "$" not in escaped("plain")
    assert escaped("a\\b{c}%$é日\n") == r"a$\backslash$b$\{$c$\}$\%{\char36}\'{e}\letter{65E5}\letter{240A}"
    assert escaped("çŐŁØæœ") == r"\c{c}\H{O}\L{}\O{}\ae{}\oe{}", "letters of Europe, which every TeX has"


@pytest.mark.skipif(not COMPILERS, reason="no TeX here: none of pdflatex, xelatex, lualatex is installed")
@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("key", [False, True])
@pytest.mark.parametrize("depth", [4, 5])
def test_the_latex_compiles(compiler: str, key: bool, depth: int, tmp_path: Path) -> None:
    trees = [FIGURE, EVIL, make_tree(2, depth=depth, branching=2)]
    (tmp_path / "sheet.tex").write_text(Sheet(trees, title="100 % {é} çőăēż ŁłØøÆæŒœ").latex(key=key), encoding="utf-8")
    command = [compiler, "-interaction=nonstopmode", "-halt-on-error", "sheet.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, timeout=120)
    assert done.returncode == 0, done.stdout.decode(errors="replace")[-2000:]
    assert (tmp_path / "sheet.pdf").read_bytes().startswith(b"%PDF")
    beyond = re.findall(rb"Overfull .hbox .([\d.]+)pt", done.stdout)
    assert all(float(points) < 2 for points in beyond), "the answers stay on the page"


def test_the_braces_of_the_latex_match() -> None:
    """What a compiler would see first, for where there is none."""
    text = re.sub(r"\\[{}\\]", "", Sheet([FIGURE, EVIL]).latex(key=True))
    depth = 0
    for letter in text:
        depth += (letter == "{") - (letter == "}")
        assert depth >= 0
    assert depth == 0 and text.count("\\begin{") == text.count("\\end{")


# what is refused


def test_sheets_are_refused_in_one_line(tmp_path: Path) -> None:
    for trees, told in (([], "a sheet of"), ([3], "a sheet of"), ([Tree(3)], "expected a tree with a move to make")):
        with pytest.raises(AbvizError, match=told):
            Sheet(trees)  # type: ignore[arg-type]
    with pytest.raises(AbvizError, match=r"sheet\.doc is no name for a sheet; expected .svg, .pdf or .tex"):
        Sheet([FIGURE]).write(tmp_path / "sheet.doc")
