"""Boards as text and SVG: what they show, that they are well-formed, and that their colours can be told apart."""

import re
import xml.etree.ElementTree as ET
from math import hypot

import pytest
from hypothesis import given
from hypothesis import strategies as st

from abviz.errors import AbvizError, columns
from abviz.games.boards import PAINT, TIC_TAC_TOE, board_svg, board_text, tic_tac_toe_svg, tic_tac_toe_text
from abviz.games.notation import START, Placement, read_fen
from tests.strategies import STRANGE
from tests.test_notation import placements

SVG = "{http://www.w3.org/2000/svg}"
SOME = read_fen("W:W18,24,K10,30:B12,K22,1")
CELLS = st.text(st.sampled_from("xo."), min_size=9, max_size=9)


def discs(svg: ET.Element, radius: str) -> list[tuple[float, float, str]]:
    """The centre and the colour of each circle of the radius."""
    return [
        (float(disc.attrib["cx"]), float(disc.attrib["cy"]), disc.attrib["fill"])
        for disc in svg.iter(f"{SVG}circle")
        if disc.get("r") == radius
    ]


def middle(square: int) -> tuple[int, int]:
    """Where a square's centre lies, counted on a printed board: 1 is the second square of the top row, 5 the first of
    the next."""
    across = [2, 4, 6, 8, 1, 3, 5, 7][(square - 1) % 8]
    return 40 * across - 20, 40 * -(-square // 4) - 20


# Text


def test_a_board_as_text() -> None:
    assert board_text(SOME) == "\n".join(
        [
            "┌────────────────────────┐",
            "│░░░(b)░░░ 2 ░░░ 3 ░░░ 4 │",
            "│ 5 ░░░ 6 ░░░ 7 ░░░ 8 ░░░│",
            "│░░░ 9 ░░░[W]░░░11 ░░░(b)│",
            "│13 ░░░14 ░░░15 ░░░16 ░░░│",
            "│░░░17 ░░░(w)░░░19 ░░░20 │",
            "│21 ░░░[B]░░░23 ░░░(w)░░░│",
            "│░░░25 ░░░26 ░░░27 ░░░28 │",
            "│29 ░░░(w)░░░31 ░░░32 ░░░│",
            "└────────────────────────┘",
            "White to move (w)",
        ]
    )


def test_the_turn_may_be_left_out_and_the_board_turned_around() -> None:
    plain, turned = (board_text(SOME, turn=False, flip=flip).splitlines()[1:-1] for flip in (False, True))
    assert len(plain) == 8
    cells = [[row[at : at + 3] for at in range(1, 25, 3)] for row in plain]
    assert [[row[at : at + 3] for at in range(1, 25, 3)] for row in turned] == [row[::-1] for row in cells[::-1]]
    assert board_text(START).endswith("\nBlack to move (b)")


@given(placements(), st.booleans())
def test_a_board_as_text_shows_every_square_once(placement: Placement, flip: bool) -> None:
    *board, last = board_text(placement, flip=flip).splitlines()
    assert {columns(line) for line in board} == {26}
    text = "\n".join(board)
    counts = {sign: text.count(sign) for sign in ("(b)", "[B]", "(w)", "[W]")}
    squares = placement[1:]
    assert counts == dict(zip(counts, map(len, squares), strict=True))
    assert sorted(map(int, re.findall("[0-9]+", text))) == sorted(set(range(1, 33)) - frozenset().union(*squares))
    assert last.startswith({"B": "Black", "W": "White"}[placement.turn])


@given(placements())
def test_pieces_stand_where_the_numbers_of_the_empty_board_are(placement: Placement) -> None:
    empty, board = board_text(Placement("B"), turn=False), board_text(placement, turn=False)
    signs = dict(zip(("(b)", "[B]", "(w)", "[W]"), placement[1:], strict=True))
    for sign, squares in signs.items():
        found = [int(empty[match.start() : match.end()]) for match in re.finditer(re.escape(sign), board)]
        assert found == sorted(squares)


# SVG


@given(placements(), st.booleans(), st.booleans(), st.lists(st.integers(1, 32), max_size=5))
def test_every_svg_is_well_formed_and_shows_every_piece(
    placement: Placement, compact: bool, flip: bool, last: list[int]
) -> None:
    text = board_svg(placement, compact=compact, flip=flip, last=last)
    svg = ET.fromstring(text)
    assert svg.get("role") == "img"
    assert " id=" not in text and "<script" not in text and "<style" not in text and "href" not in text
    expected = []
    for colour in "BW":
        for square in placement.men(colour) | placement.kings(colour):
            x, y = middle(square)
            expected.append((320 - x, 320 - y, PAINT[colour]) if flip else (x, y, PAINT[colour]))
    assert sorted(discs(svg, "18.0" if compact else "14.5")) == sorted(expected)
    crowns = [path for path in svg.iter(f"{SVG}path") if "transform" in path.attrib]
    assert len(crowns) == len(placement.black_kings | placement.white_kings)
    assert len(text) < (6_000 if compact else 9_000)


def test_numbers_stand_in_the_corners_of_the_dark_squares() -> None:
    svg = ET.fromstring(board_svg(START))
    numbers = {int(each.text or ""): each for each in svg.iter(f"{SVG}text") if (each.text or "").isdigit()}
    assert sorted(numbers) == list(range(1, 33))
    for square, each in numbers.items():
        x, y = middle(square)
        left, low = x - float(each.attrib["x"]), y - float(each.attrib["y"])
        assert 17 < left < 20 and 10 < low < 14  # within the square, above and beside the piece
        assert hypot(left, low) > 14.5
    for options in ({"numbers": False}, {"compact": True}):
        assert not re.search(">[0-9]+<", board_svg(START, **options))


def test_sizes_and_words() -> None:
    assert 'width="320" height="320"' in board_svg(START)
    assert 'width="104" height="104"' in board_svg(START, compact=True)
    assert 'width="90" height="90"' in board_svg(START, compact=True, size=90)
    svg = ET.fromstring(board_svg(SOME))
    assert svg.findtext(f"{SVG}title") == "Checkers, White to move"
    words = "Black men on 1, 12; Black king on 22; White men on 18, 24, 30; White king on 10. White to move."
    assert svg.findtext(f"{SVG}desc") == words
    assert ET.fromstring(board_svg(Placement("B"))).findtext(f"{SVG}desc") == "No pieces. Black to move."


def test_the_frame_says_who_moves_on_that_players_side() -> None:
    def height(placement: Placement, flip: bool) -> float:
        (caption,) = (
            each
            for each in ET.fromstring(board_svg(placement, flip=flip)).iter(f"{SVG}text")
            if "to move" in (each.text or "")
        )
        return float(caption.attrib["y"])

    assert height(START, False) < 0 < 320 < height(START, True)
    assert height(SOME, True) < 0 < 320 < height(SOME, False)
    assert "<text" not in board_svg(START, compact=True)


def test_the_last_move_is_outlined_and_an_arrow_runs_along_it() -> None:
    placement = read_fen("B:WK1:B2")
    shapes = [path for path in ET.fromstring(board_svg(placement, last=(26, 17, 10, 1))).iter(f"{SVG}path")]
    outlines, under, line, head = shapes[1:5]
    assert outlines.attrib["d"].count("M") == 4
    through = [(float(x), float(y)) for x, y in re.findall(r"([-\d.]+) ([-\d.]+)", line.attrib["d"])]
    assert through[:3] == [middle(26), middle(17), middle(10)]
    tip = re.match(r"M([\d.]+) ([\d.]+)L", head.attrib["d"])
    assert tip is not None
    x, y = middle(1)
    assert hypot(float(tip[1]) - x, float(tip[2]) - y) == pytest.approx(14.5 + 2, abs=0.2)  # it touches the piece
    assert under.attrib["d"] == line.attrib["d"] and head.attrib["fill"] == PAINT["last"]
    assert PAINT["last"] not in board_svg(placement)
    assert board_svg(placement, last=(1, 1)).count(PAINT["last"]) == 1  # an outline and no arrow


@given(st.one_of(STRANGE, st.sampled_from(["</title><script>alert(1)</script>", "a & b", ""])))
def test_titles_are_only_text(title: str) -> None:
    for text in (board_svg(START, title=title), tic_tac_toe_svg(".........", title=title)):
        svg = ET.fromstring(text)
        assert len(svg.findtext(f"{SVG}title") or "") == len(title)
        assert "<script" not in text


def luminance(colour: str) -> float:
    parts = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """As the Web Content Accessibility Guidelines count it: 3 for shapes, 4.5 for text."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_colours_stand_out() -> None:
    for shape, ground in [
        ("B", "dark"),
        ("W", "dark"),
        ("light", "dark"),
        ("on B", "B"),
        ("on W", "W"),
        ("last", "dark"),
    ]:
        assert contrast(PAINT[shape], PAINT[ground]) >= 3, (shape, ground)
    assert contrast(PAINT["number"], PAINT["dark"]) >= 4.5
    assert contrast(PAINT["caption"], PAINT["frame"]) >= 4.5
    assert contrast(PAINT["last"], PAINT["last edge"]) >= 3
    for mark in "xo":
        assert contrast(TIC_TAC_TOE[mark], TIC_TAC_TOE["paper"]) >= 4.5


def test_boards_that_cannot_be() -> None:
    for last, problem in [((11, 33), "names square 33; expected 1 to 32"), (("a1",), "names square 'a1'; expected")]:
        with pytest.raises(AbvizError, match=f"^the last move {problem}"):
            board_svg(START, last=last)  # type: ignore[arg-type]
    for show in (board_text, board_svg):
        with pytest.raises(AbvizError, match=r"^the placement: Black has a man on square 30, where men are crowned"):
            show(Placement("B", black_men=frozenset({30})))
        with pytest.raises(AbvizError, match=r"^the placement: the side to move is 'R'; expected B or W$"):
            show(Placement("R"))


# Tic-tac-toe


def test_tic_tac_toe_as_text() -> None:
    assert tic_tac_toe_text("xo..x...o") == " x │ o │   \n───┼───┼───\n   │ x │   \n───┼───┼───\n   │   │ o "


@given(CELLS)
def test_tic_tac_toe_as_svg(cells: str) -> None:
    text = tic_tac_toe_svg(cells)
    svg = ET.fromstring(text)
    assert svg.get("role") == "img" and " id=" not in text
    noughts = [(float(each.attrib["cx"]), float(each.attrib["cy"])) for each in svg.iter(f"{SVG}circle")]
    crosses = [
        tuple(map(float, re.findall(r"^M(\d+) (\d+)m", each.attrib["d"])[0]))
        for each in svg.iter(f"{SVG}path")
        if each.get("stroke") == TIC_TAC_TOE["x"]
    ]
    for mark, found in (("o", noughts), ("x", crosses)):
        assert found == [(20 + 40 * (at % 3), 20 + 40 * (at // 3)) for at in range(9) if cells[at] == mark]


def test_tic_tac_toe_in_words() -> None:
    svg = ET.fromstring(tic_tac_toe_svg("xo..x...o", size=48))
    assert svg.get("width") == "48"
    assert svg.findtext(f"{SVG}title") == "Tic-tac-toe"
    assert svg.findtext(f"{SVG}desc") == "Row by row: x o empty; empty x empty; empty empty o."


@pytest.mark.parametrize("cells", ["", "xo", "xoxoxoxoxo", "XO.......", "xo  x   o", None, 7])
def test_boards_of_tic_tac_toe_that_cannot_be(cells: str) -> None:
    for show in (tic_tac_toe_text, tic_tac_toe_svg):
        with pytest.raises(AbvizError, match=r'^the board is .*; expected nine letters, each "x", "o" or "\."$'):
            show(cells)


def test_the_last_move_of_tic_tac_toe_is_tinted() -> None:
    plain = tic_tac_toe_svg("x...o....")
    tinted = [tic_tac_toe_svg("x...o....", last=cell) for cell in range(9)]
    assert len({plain, *tinted}) == 10 and all(picture.count("<rect") == 2 for picture in tinted)
    for wrong in (9, -1, 0.5):
        with pytest.raises(AbvizError, match="expected 0 to 8"):
            tic_tac_toe_svg("x...o....", last=wrong)
