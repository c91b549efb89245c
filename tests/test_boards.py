"""Boards as text and SVG: every piece where it stands, words for screen readers."""

import re
import xml.etree.ElementTree as ET

from hypothesis import given

from abviz import TicTacToe
from abviz.games.boards import PIECE, board_svg, board_text, tic_tac_toe_svg
from abviz.games.notation import Pieces
from tests.test_notation import positions

SVG = "{http://www.w3.org/2000/svg}"
SIGNS = {"b": "(b)", "B": "[B]", "w": "(w)", "W": "[W]"}


def centre(square: int) -> tuple[int, int]:
    row, place = divmod(square - 1, 4)
    return 40 * (2 * place + (row + 1) % 2) + 20, 40 * row + 20


@given(positions())
def test_every_piece_is_drawn_where_it_stands(position: tuple[str, Pieces]) -> None:
    turn, pieces = position
    empty, board = (board_text(turn, each).rpartition("\n")[0] for each in ({}, pieces))
    for letter, sign in SIGNS.items():
        places = [match.start() for match in re.finditer(re.escape(sign), board)]
        expected = sorted(square for square, piece in pieces.items() if piece == letter)
        assert sorted(int(empty[place : place + 2]) for place in places) == expected
    svg = ET.fromstring(board_svg(turn, pieces))
    drawn = [
        (each.get("fill"), int(each.get("cx", "")), int(each.get("cy", "")))
        for each in svg.iter(f"{SVG}circle")
        if each.get("r") == "14.5"
    ]
    assert sorted(drawn) == sorted(
        (PIECE[piece.upper()][0], *centre(square)) for square, piece in pieces.items()
    )
    crowns = [each for each in svg.iter(f"{SVG}path") if each.get("transform")]
    assert len(crowns) == sum(piece.isupper() for piece in pieces.values())
    words = svg.findtext(f"{SVG}desc") or ""
    assert sorted(int(number) for number in re.findall(r"\d+", words)) == sorted(pieces)
    assert svg.get("role") == "img" and not [each for each in svg.iter() if each.get("id")]


def test_tic_tac_toe() -> None:
    rows = " x  │ o  │ c3 ", " a2 │ x  │ c2 ", " a1 │ b1 │ c1 "
    assert str(TicTacToe.from_cells("xo..x....")) == "\n────┼────┼────\n".join(rows)
    assert TicTacToe.from_cells("xo..x....").moves() == ["c3", "a2", "c2", "a1", "b1", "c1"]
    svg = ET.fromstring(tic_tac_toe_svg("xo..x...o"))
    assert svg.findtext(f"{SVG}desc") == "Row by row: x o empty empty x empty empty empty o."
    crosses = [each for each in svg.iter(f"{SVG}path") if "m-11" in each.get("d", "")]
    assert [each.get("d", "").split("m")[0] for each in crosses] == ["M20 20", "M60 60"]
    assert [(each.get("cx"), each.get("cy")) for each in svg.iter(f"{SVG}circle")] == [
        ("60", "20"),
        ("100", "100"),
    ]
    assert TicTacToe().play("c1").svg() == tic_tac_toe_svg("........x")
