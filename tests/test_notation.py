"""Positions and games as text: what the standard allows, what real files hold, and what is refused."""

import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from abviz.errors import AbvizError
from abviz.games.notation import (
    RESULTS,
    START,
    PdnGame,
    PdnMove,
    Placement,
    read_fen,
    read_move,
    read_pdn,
    write_fen,
    write_pdn,
)

DATA = Path(__file__).parent / "data"


@st.composite
def placements(draw: st.DrawFn) -> Placement:
    squares = draw(st.permutations(range(1, 33)))
    black, white = draw(st.integers(0, 12)), draw(st.integers(0, 12))
    kings = set(draw(st.sets(st.sampled_from(squares)))) if draw(st.booleans()) else set()
    of_black, of_white = frozenset(squares[:black]), frozenset(squares[12 : 12 + white])
    black_kings = frozenset(square for square in of_black if square in kings or square > 28)
    white_kings = frozenset(square for square in of_white if square in kings or square < 5)
    turn = draw(st.sampled_from("BW"))
    return Placement(turn, of_black - black_kings, black_kings, of_white - white_kings, white_kings)


SQUARES = st.integers(1, 32)


@st.composite
def moves(draw: st.DrawFn) -> PdnMove:
    squares = tuple(draw(st.lists(SQUARES, min_size=2, max_size=9)))
    rows = [(square - 1) // 4 for square in squares]
    must_jump = len(squares) > 2 or (rows[0] - rows[1]) % 2 == 0
    return PdnMove(squares, must_jump or draw(st.booleans()))


@st.composite
def games(draw: st.DrawFn) -> PdnGame:
    on_one_line = st.text(st.characters(codec="utf-8", exclude_characters="\n\r"))
    value = on_one_line | st.text(st.sampled_from('"\\[] ')) | st.sampled_from(["{", ";", 'The "Big" match', "C:\\"])
    names = st.sampled_from(["Event", "Site", "Black", "White", "Date", "Round", "GameType", "Käse_1"])
    tags = draw(st.dictionaries(names, value))
    result = draw(st.sampled_from(sorted(RESULTS)))
    if draw(st.booleans()):
        tags["Result"] = result
    start = draw(st.just(START) | placements())
    if start != START:
        tags |= {"SetUp": "1", "FEN": write_fen(start)}
    played: list[PdnMove] = []
    for move in draw(st.lists(moves(), max_size=40)):
        before = played[-1] if played else None
        # The one who moves cannot begin where the other has just ended a jump.
        if not (before and before.is_jump and move.is_jump and before.squares[-1] == move.squares[0]):
            played.append(move)
    return PdnGame(tags, tuple(played), result, start)


def squares(*numbers: int) -> frozenset[int]:
    return frozenset(numbers)


def played(text: str | bytes) -> list[str]:
    (game,) = read_pdn(text)
    return [str(move) for move in game.moves]


# Positions


@given(placements())
def test_a_position_written_and_read_is_the_same(placement: Placement) -> None:
    assert read_fen(write_fen(placement)) == placement


def test_the_canonical_form() -> None:
    placement = Placement("B", squares(2, 1), squares(22), squares(24, 18), squares(10, 9))
    assert write_fen(placement) == "B:W18,24,K9,K10:B1,2,K22"
    assert write_fen(START) == f"B:W{','.join(map(str, range(21, 33)))}:B1,2,3,4,5,6,7,8,9,10,11,12"
    assert write_fen(Placement("W", white_kings=squares(7))) == "W:WK7:B"


PLAIN = Placement("B", squares(12, 16), squares(22), squares(18, 24), squares(10))


@pytest.mark.parametrize(
    "text",
    [
        "B:W18,24,K10:B12,16,K22",
        "B:B12,16,K22:W18,24,K10",
        "B:B16,K22,12:WK10,24,18.",
        "b:w18,24,k10:b12,16,k22",
        " B : W 18, 24 ,K 10 : B12,16,K22 . ",
        "B:W18,24,K10:B12,16,K22:H0:F1",
        "B:W018,24:B12,16,K22:WK10",
        "B:W18,24,K10-10:B12,16,K22\n",
        '[FEN "B:W18,24,K10:B12,16,K22"]',
    ],
)
def test_other_spellings_of_a_position(text: str) -> None:
    assert read_fen(text) == PLAIN


def test_ranges_and_colours_left_out() -> None:
    assert read_fen("B:W21-32:B1-12") == START
    assert read_fen("W:WK1-3") == read_fen("W:B:WK1,K2,K3") == Placement("W", white_kings=squares(1, 2, 3))


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "the FEN is empty; expected a position such as B:W18,24,K10:B12,K22"),
        (" . ", "the FEN is empty; expected a position such as B:W18,24,K10:B12,K22"),
        (None, "the FEN is None; expected text such as B:W18,24,K10:B12,K22"),
        ("B", "the FEN says who moves, and no piece; expected a position such as B:W18,24,K10:B12,K22"),
        ("B:H0:F1", "the FEN says who moves, and no piece; expected a position such as B:W18,24,K10:B12,K22"),
        ("R:W21:B1", "the FEN: the side to move is 'R'; expected B or W"),
        ("?:W21:B1", "the FEN: the side to move is '?'; expected B or W"),
        ("B:", "the FEN: '' follows a colon; expected B or W and the squares of its pieces"),
        ("B:21:B1", "the FEN: '21' follows a colon; expected B or W and the squares of its pieces"),
        ("B:W0:B1", "the FEN: 0 is no square; expected 1 to 32"),
        ("B:W33:B1", "the FEN: 33 is no square; expected 1 to 32"),
        ("B:W1-99:B1", "the FEN: 99 is no square; expected 1 to 32"),
        ("B:Wc3:B1", "the FEN: 'c3' stands among the pieces; expected a square, 1 to 32, or K and one"),
        ("B:W21,,22:B1", "the FEN: '' stands among the pieces; expected a square, 1 to 32, or K and one"),
        ("B:W21 22:B1", "the FEN: '21 22' stands among the pieces; expected a square, 1 to 32, or K and one"),
        ("B:W٣:B1", "the FEN: '٣' stands among the pieces; expected a square, 1 to 32, or K and one"),
        ("B:W25-21:B1", "the FEN: the range 25-21 falls; expected 21-25"),
        ("B:W21,21:B1", "the FEN: square 21 is named twice; expected one piece on it"),
        ("B:W21:BK21", "the FEN: square 21 is named twice; expected one piece on it"),
        ("B:W21:B30", "the FEN: Black has a man on square 30, where men are crowned; expected a king, K30"),
        ("B:W4:B1", "the FEN: White has a man on square 4, where men are crowned; expected a king, K4"),
        ("B:W20-32:B1", "the FEN: White has 13 pieces; expected 12 at most"),
        (f"B:W{'9' * 10_000}:B1", "the FEN: 99999999999999999…"),
    ],
)
def test_positions_that_are_refused(text: str, problem: str) -> None:
    with pytest.raises(AbvizError) as error:
        read_fen(text)
    said = str(error.value)
    assert said == problem or (problem.endswith("…") and said.startswith(problem[:-1]))
    assert "\n" not in said and len(said) < 200


def test_a_placement_that_cannot_be_is_not_written() -> None:
    for placement, problem in [
        (Placement("R"), "the side to move is 'R'"),
        (Placement("B", squares(0)), "Black has a piece on square 0"),
        (Placement("B", squares(7), white_kings=squares(7)), "two pieces stand on square 7"),
        (Placement("B", white_men=squares(1)), "White has a man on square 1"),
    ]:
        with pytest.raises(AbvizError, match=problem):
            write_fen(placement)


# Games

# Spellings as they stand in files of the 1990s and since: spaces within moves, comments over lines, full paths of
# jumps, tags given twice, no empty line after the header, a result that only the tag knows.
FOUND = """\
[Event "An old match"]
[Black "First, A."]
[White "Second, B."]
[Result "0-1"]
1. 11-15 24-20 2. 8-11 28-24 3.  9-13 22-18 4. 15x22 25x18 5.
10-14 18x 9 6. 5 x14 26x17x10x1 0-1

[Event "An opening"]
[Event "A game of draughts"]
[Result "1/2-1/2"]
[GameType "21"]

1.  9-14 22-17 2. 11-15 {The idea: 15-19 next, and 3. 23x16
 only then [%clk 1:00].} 25-22
2... 24-20 $14 3. 15-19! ; not 8-11
23x16!? (3. ... 24x15 {) and so on} (10x19)) 4. 12:19 10x 17x 26 *
"""


def test_what_is_found_in_real_files() -> None:
    first, second = read_pdn(FOUND)
    assert (first.line, first.result, first.tags["Black"]) == (1, "0-1", "First, A.")
    assert [str(move) for move in first.moves[-5:]] == ["25x18", "10-14", "18x9", "5x14", "26x17x10x1"]
    assert first.moves[-3] == PdnMove((18, 9), True)
    assert (first.moves[-3].text, first.moves[-3].line) == ("18x 9", 6)
    assert (second.line, second.result, second.tags["Event"]) == (8, "1/2-1/2", "An opening")
    assert list(second.tags) == ["Event", "Result", "GameType"]
    written = "9-14 22-17 11-15 25-22 24-20 15-19 23x16 12x19 10x17x26"
    assert " ".join(str(move) for move in second.moves) == written


@pytest.mark.parametrize(("name", "count", "plies"), [("games.pdn", 430, 23_519), ("games_quirks.pdn", 2, 92)])
def test_files_of_real_games(name: str, count: int, plies: int) -> None:
    found = read_pdn((DATA / name).read_bytes(), name)
    assert len(found) == count
    assert sum(len(game.moves) for game in found) == plies
    assert all(game.result == game.tags["Result"] for game in found)
    assert read_pdn("\n".join(map(write_pdn, found))) == found


@pytest.mark.parametrize(
    "text",
    [
        "1. 11-15 24-20 2. 15x24 28x19 *",
        "11-15 24-20 15x24 28x19",
        "1.11-15 24-20 2.15x24 28x19*",
        "1. 11-15 24-20 2. 15-24 28-19 *",
        "1. 11 - 15 24 -20 2. 15 x 24 28\nx\n19 *",
        "1. 11–15 24−20 2. 15X24 28×19 *",
        "1. 1115 2420 2. 15:24 28:19 *",
        "1. 11-15 ... 24-20 2. 15x24 2... 28x19 *",
        "1. 11-15!! 24-20?! $7 2. 15x24* 28x19(?) *",
        "1. 011-15 24-20 2. 15x24 28x19 1-0 {resigns} *",
        "% a file\n1. 11-15 {one\n\n{two} 24-20 ; three {\n2. 15x24 28x19 *",
        "1. 11-15 (1. 9-14 (or 10-14 {)} 22-18) 22-17 1-0) 24-20 2. 15x24 28x19 *",
        '\ufeff[Event "?"]\r\n\r\n1. 11-15 24-20\r\n2. 15x24 28x19\r\n*\r\n',
        "1. 11-15 24-20 2. 15x24 28x19 ½-½",
        "1. 11-15 24-20 2. 15x24 28x19 1/2 - 1/2",
        "1. 11-15 24-20 2. 15x24 28x19 0 – 1",
        b"1. 11-15 {caf\xe9} 24-20 2. 15x24 28x19",
        '[Event "caf\xe9"] 1. 11-15 24-20 2. 15x24 28x19'.encode(),
    ],
)
def test_other_spellings_of_a_game(text: str | bytes) -> None:
    assert played(text) == ["11-15", "24-20", "15x24", "28x19"]


def test_bytes_are_utf_8_or_latin_1() -> None:
    for encoding in ("utf-8", "latin-1"):
        assert read_pdn('[Site "café"] 11-15'.encode(encoding))[0].tags == {"Site": "café"}


def test_a_jump_written_in_pieces_is_one_move() -> None:
    assert played("1. 11x18 18x25 22-17") == ["11x18x25", "22-17"]
    assert played("11x18! {goes on} 18x25") == ["11x18x25"]
    assert played("1. 11x18 2. 18x25") == ["11x18", "18x25"]
    assert read_pdn("11x18 18x25")[0].moves[0].text == "11x18 18x25"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (r'[Event "a \"big\" match"]', 'a "big" match'),
        (r'[Event "a "big" match"]', 'a "big" match'),
        (r'[Event "C:\games\new"]', r"C:\games\new"),
        (r'[Event "C:\"]', "C:" + "\\"),
        (r'[ Event  "[x] {y} ;z"  ]', "[x] {y} ;z"),
        ('[Event ""]', ""),
        ('[Event "one"][Site "two"]', "one"),
    ],
)
def test_tags(text: str, value: str) -> None:
    assert read_pdn(f"{text}\n1. 11-15 *")[0].tags["Event"] == value


def test_where_games_end() -> None:
    def results(text: str) -> list[tuple[int, str]]:
        return [(len(game.moves), game.result) for game in read_pdn(text)]

    assert results("11-15 1-0 9-14 22-18 0-1") == [(1, "1-0"), (2, "0-1")]
    assert results('[Event "a"]\n11-15\n[Event "b"]\n9-14 22-18') == [(1, "*"), (2, "*")]
    assert results('[Result "1-0"]\n\n[Result "0-1"]\n\n11-15') == [(0, "1-0"), (1, "0-1")]
    assert results('[Result "1-0"]\n[Event "a"]\n[Result "0-1"]\n\n11-15') == [(1, "1-0")]
    assert results("11-15 1-0 * 9-14 0-0 0-0") == [(1, "1-0"), (1, "0-0")]
    assert results("*") == [(0, "*")]
    assert results('[Result "?"] 11-15 1/2') == [(1, "1/2-1/2")]
    assert results('[Result "1-0"] 11-15 0-1') == [(1, "0-1")]  # after the moves it stands where the game ended


def test_a_game_may_start_elsewhere() -> None:
    (game,) = read_pdn('[SetUp "1"]\n[fen "W:W21,K7:B1."]\n1... 21-17 2. 1-5 *')
    assert game.start == Placement("W", squares(1), white_men=squares(21), white_kings=squares(7))
    assert write_pdn(game).endswith("\n\n1... 21-17 2. 1-5 *\n")
    assert write_pdn(PdnGame(start=game.start)) == '[SetUp "1"]\n[FEN "W:W21,K7:B1"]\n\n*\n'


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "game.pdn holds no game; expected moves such as 1. 11-15 23-19"),
        ("1. {only this} (9-14)", "game.pdn holds no game; expected moves such as 1. 11-15 23-19"),
        ("1. 11-15\nhello", "game.pdn, line 2: 'hello' stands here; expected a move such as 11-15 or 11x18"),
        ("1. 11-15\n\n- -", "game.pdn, line 3: '-' stands here; expected a move such as 11-15 or 11x18"),
        ("1. c3-d4", "game.pdn, line 1: 'c' stands here; expected a move such as 11-15 or 11x18"),
        ("1. 11-15 7", "game.pdn, line 1: '7' stands here; expected a move such as 11-15 or 11x18"),
        ("1. 11-15 /FEN/", "game.pdn, line 1: '/FEN/' stands here; expected a move such as 11-15 or 11x18"),
        ("1. 11-33", "game.pdn, line 1, '11-33': 33 is no square; expected 1 to 32"),
        ("\n1. 11x18x0", "game.pdn, line 2, '11x18x0': 0 is no square; expected 1 to 32"),
        ("1. 11-15 2-0", "game.pdn, line 1, '2-0': 0 is no square; expected 1 to 32"),
        ("11-15 {a\n{b", "game.pdn, line 1: a comment begins here and never ends; expected a }"),
        ("11-15\n(9-14\n(22-18)", "game.pdn, line 2: a variation begins here and never ends; expected a )"),
        ("11-15 (9-14 {", "game.pdn, line 1: a comment begins here and never ends; expected a }"),
        ("11-15)", "game.pdn, line 1: ')' stands here; expected a move such as 11-15 or 11x18"),
        ('[Event "a]\n11-15', "game.pdn, line 1: '[' stands here; expected a tag such as [Event \"…\"]"),
        ('\n[Result "won"]', "game.pdn, line 2: the result is 'won'; expected 1-0, 0-1, 1/2-1/2, 0-0, *"),
        ('[FEN "W:W3:B1"]', "game.pdn, line 1, FEN tag: White has a man on square 3, where men are crowned; "),
        (7, "asked to read 7; expected the text of PDN"),
    ],
)
def test_games_that_are_refused(text: str, problem: str) -> None:
    with pytest.raises(AbvizError) as error:
        read_pdn(text, "game.pdn")
    assert str(error.value).startswith(problem)
    assert "\n" not in str(error.value)


def test_one_move() -> None:
    assert read_move("11-15") == PdnMove((11, 15), False)
    assert read_move(" 22x 15x8! ") == PdnMove((22, 15, 8), True)
    assert read_move("11-18").is_jump and read_move("11x15").is_jump
    for text in ("", "11", "11-15 22-18", "*", "{11-15}", "(11-15)"):
        with pytest.raises(AbvizError, match=r"^the move is .*; expected squares, such as 11-15 or 11x18$"):
            read_move(text)
    with pytest.raises(AbvizError, match=r"^the move, '11-40': 40 is no square; expected 1 to 32$"):
        read_move("11-40")


@given(games())
def test_a_game_written_and_read_is_the_same(game: PdnGame) -> None:
    text = write_pdn(game)
    assert read_pdn(text) == [game]
    assert read_pdn(text.encode()) == [game]
    assert all(len(line) <= 79 for line in text.split("\n") if not line.startswith("["))


@given(games(), games())
def test_games_written_one_after_the_other_are_read_as_such(first: PdnGame, second: PdnGame) -> None:
    second.tags.setdefault("Event", "the second")
    assert read_pdn(f"{write_pdn(first)}\n{write_pdn(second)}") == [first, second]


@given(st.text() | st.text(st.sampled_from(' \n"[]{}()\\*1-0x:/.;%$!?8FEN')))
def test_any_text_is_read_or_refused_in_one_line(text: str) -> None:
    for read in (read_pdn, read_fen, read_move):
        try:
            read(text)
        except AbvizError as error:
            assert "\n" not in str(error)


def test_games_that_are_not_written() -> None:
    for game, problem in [
        (PdnGame(result="2-0"), "the game's result is '2-0'; expected 1-0"),
        (PdnGame({"Result": "1-0"}), "the game's result is \\*, and its Result tag says 1-0; expected one"),
        (PdnGame({"FEN": "B:W21:B1"}), "the game's FEN tag is not where it starts; expected B:W21,22"),
        (PdnGame({"Event": "a\nb"}), "the game's tag 'Event' is 'a.*nb'; expected a word, and text on one line"),
        (PdnGame({"An event": "a"}), "the game's tag 'An event' is 'a'; expected a word, and text on one line"),
    ]:
        with pytest.raises(AbvizError, match=problem):
            write_pdn(game)


HOSTILE = [
    "(",
    "{",
    "[",
    '[A "',
    '[A "\\',
    '"',
    "1-",
    "1x ",
    "9",
    " ",
    "\n",
    "* ",
    "1-0 ",
    "!",
    "1. ",
    "x",
    ";",
    "(1-5)",
]


@pytest.mark.parametrize("piece", HOSTILE)
def test_a_hostile_text_takes_no_more_time_than_it_is_long(piece: str) -> None:
    def seconds(size: int) -> float:
        text = f"11-15 {piece * (size // len(piece))}"
        began = time.process_time()
        try:
            read_pdn(text)
        except AbvizError as error:
            assert len(str(error)) < 250
        return time.process_time() - began

    short, long = min(seconds(60_000) for _ in range(3)), seconds(960_000)
    assert long < 60 * short + 0.3  # 16 times the text; 256 times, if the time grew with the square
