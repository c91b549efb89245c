"""FEN and PDN: what is written is read back, the spellings of real files, and what is refused in one line."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from abviz.errors import AbvizError
from abviz.games import Checkers
from abviz.games.notation import Pieces, read_fen, read_move, write_fen
from abviz.play import Match, read_matches
from abviz.play.match import OPEN, RESULTS, write_pdn

DATA = Path(__file__).parent / "data"
EXPECTED_FEN = "the FEN is .*; expected a position such as B:W18,24,K10:B12,K22"


@st.composite
def positions(draw: st.DrawFn) -> tuple[str, Pieces]:
    squares = draw(st.permutations(range(1, 33)))
    kings = set(draw(st.sets(st.sampled_from(squares)))) if draw(st.booleans()) else set()
    black, white = draw(st.integers(0, 12)), draw(st.integers(0, 12))
    pieces = {square: "B" if square in kings or square > 28 else "b" for square in squares[:black]}
    pieces |= {square: "W" if square in kings or square < 5 else "w" for square in squares[12 : 12 + white]}
    return draw(st.sampled_from("BW")), pieces


@st.composite
def matches(draw: st.DrawFn) -> Match:
    on_one_line = st.text(st.characters(codec="utf-8", exclude_characters="\n\r"))
    value = on_one_line | st.text(st.sampled_from('"\\[] ')) | st.sampled_from(["{", ";", 'The "Big" match', "C:\\"])
    names = st.sampled_from(["Event", "Site", "Black", "White", "Date", "Round", "GameType", "Käse_1"])
    start = draw(st.just(Checkers.start()) | positions().map(lambda each: Checkers.from_fen(write_fen(*each))))
    match = Match(start, tags=draw(st.dictionaries(names, value)), recorded=OPEN)
    for choice in draw(st.lists(st.integers(0, 99), max_size=40)):
        if not match.over:
            moves = match.position.moves()
            match = match.play(moves[choice % len(moves)])
    return match if match.position.over() else replace(match, recorded=draw(st.sampled_from(RESULTS)))


def parts(match: Match) -> tuple[Any, ...]:
    return match.start, match.moves, match.result, match.tags


# positions


@given(positions())
def test_a_position_survives_fen(position: tuple[str, Pieces]) -> None:
    assert read_fen(write_fen(*position)) == position


def test_the_canonical_form_and_other_spellings() -> None:
    pieces = {12: "b", 16: "b", 22: "B", 24: "w", 18: "w", 10: "W", 9: "W"}
    canonical = "B:W18,24,K9,K10:B12,16,K22"
    assert write_fen("B", pieces) == canonical and write_fen("W", {7: "W"}) == "W:WK7:B"
    for text in (canonical, "B:B16,K22,12:WK10,24,18,K9.", " b : w 18, 24 ,k 10,k9 : b12,16,k22 . \n"):
        assert read_fen(text) == ("B", pieces)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        *((text, EXPECTED_FEN) for text in ("", None, "B:21:B1", "B:W1:W2")),
        *(
            (f"B:W{each}:B1", "the FEN has White on '.*; expected an empty square from 1 to 32")
            for each in ("x", "25-21", "\u0663", "9" * 10_000)
        ),
        ("B:W0:B1", "the FEN has White on '0'; expected an empty square from 1 to 32"),
        ("B:W21:BK21", "the FEN has Black on 'K21'; expected an empty square"),
        ("B:W21:B30", "the FEN has Black on '30'; expected an empty square from 1 to 32, with K for a king, as all on"),
        (f"B:W{','.join(map(str, range(20, 33)))}:B1", "the FEN has 14 pieces; expected 12 of a side at most"),
    ],
)
def test_positions_that_are_refused(text: Any, message: str) -> None:
    with pytest.raises(AbvizError, match=f"^{message}") as error:
        read_fen(text)
    assert "\n" not in str(error.value) and len(str(error.value)) < 200


# games


@pytest.mark.parametrize(
    "text",
    [
        "11-15 22-18 15x22 25x18",
        "1.11-15 22-18 2.15x22 25x18*",
        "1. 11 - 15 22 -18 2. 15 X 22 25\nx\n18 *",
        "1. 11-15 ... 22-18 2. 15x22 2... 25x18 *",
        "1. 11-15!! 22-18?! 2. 15x22 25x18 1-0 {resigns} *",
        "1. 11-15 {one\n\n{two} 22-18 ; three {\n2. 15x22 25x18 *",
        '\ufeff[Event "?"]\r\n\r\n1. 11-15 22-18\r\n2. 15x22 25x18\r\n*\r\n',
        b"1. 11-15 {caf\xe9} 22-18 2. 15x22 25x18",
    ],
)
def test_spellings_of_a_game(text: str | bytes) -> None:
    [match] = read_matches(text)
    assert match.moves == ("11-15", "22-18", "15x22", "25x18")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (r'[Event "a \"big\" match"]', 'a "big" match'),
        (r'[Event "C:\games\new"]', r"C:\games\new"),
        (r'[ Event  "[x] {y} ;z"  ]', "[x] {y} ;z"),
        ('[Event ""]', ""),
        ('[Event "one"][Event "two"]', "one"),
    ],
)
def test_tags(text: str, value: str) -> None:
    for encoding in ("utf-8", "latin-1"):
        assert read_matches(f"{text}\n1. 11-15 {{é}} *".encode(encoding))[0].tags["Event"] == value


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("11-15 1-0 9-14 22-18 0-1", [(1, "1-0"), (2, "0-1")]),
        ('[Event "a"]\n11-15\n[Event "b"]\n9-14 22-18', [(1, "*"), (2, "*")]),
        ('[Result "1-0"]\n[Event "a"]\n[Result "0-1"]\n\n11-15', [(1, "1-0")]),
        ("11-15 1-0 * 9-14 0-0 0-0", [(1, "1-0"), (1, "0-0")]),
        ("*", [(0, "*")]),
        ('[Result "1-0"] 11-15 0-1', [(1, "0-1")]),
    ],
)
def test_where_games_end(text: str, expected: list[tuple[int, str]]) -> None:
    assert [(len(match.moves), match.result) for match in read_matches(text)] == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "game.pdn holds no game; expected moves such as 1. 11-15 23-19"),
        ("11-15 *\nhello", "game.pdn, game 2: 'hello' is not PDN; expected a move such as 11-15 or 11x18"),
        ("1. 11-33", "game.pdn, game 1: the move is '11-33'; expected squares from 1 to 32"),
        ("11-15 {a\n{b", "game.pdn, game 1: '{a' is not PDN"),
        ('[Event "a]\n11-15', "game.pdn, game 1: '[Event' is not PDN"),
        ('\n[Result "won"] *', "game.pdn, game 1: the result is 'won'; expected 1-0, 0-1, 1/2-1/2, 0-0, *"),
        ('[FEN "W:W3:B1"]', "game.pdn, game 1, FEN tag has White on '3'; expected an empty square"),
    ],
)
def test_games_that_are_refused(text: str, message: str) -> None:
    with pytest.raises(AbvizError) as error:
        read_matches(text, "game.pdn")
    assert str(error.value).startswith(message) and "\n" not in str(error.value)


@pytest.mark.slow
@given(matches(), matches())
def test_games_written_are_read_back(first: Match, second: Match) -> None:
    text = first.pdn()
    for each in (text, text.encode(), write_pdn(first.tags, first.moves, first.result, first.start.fen)):
        assert [*map(parts, read_matches(each))] == [parts(first)]
    assert all(len(line) <= 79 for line in text.split("\n") if not line.startswith("["))
    assert [*map(parts, read_matches(f"{text}\n{second.pdn()}"))] == [parts(first), parts(second)]
    assert read_matches(write_pdn({"Event": "a\nb"}, (), "*"))[0].tags == {"Event": "a b"}


@given(st.text() | st.text(st.sampled_from(' \n"[]{}()\\*1-0x:/.;%$!?8FEN')))
def test_any_text_is_read_or_refused_in_one_line(text: str) -> None:
    for read in (read_matches, read_fen, read_move):
        try:
            read(text)
        except AbvizError as error:
            assert "\n" not in str(error)
