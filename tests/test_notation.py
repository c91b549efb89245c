"""FEN and PDN: what is written is read back, the spellings of real files, and what is refused in one line."""

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
    return PdnGame(tags, tuple(draw(st.lists(moves(), max_size=40))), result, start)


def squares(*numbers: int) -> frozenset[int]:
    return frozenset(numbers)


def played(text: str | bytes) -> list[str]:
    (game,) = read_pdn(text)
    return [str(move) for move in game.moves]


# positions


@given(placements())
def test_a_position_survives_fen(placement: Placement) -> None:
    assert read_fen(write_fen(placement)) == placement


def test_the_canonical_form() -> None:
    placement = Placement("B", squares(2, 1), squares(22), squares(24, 18), squares(10, 9))
    assert write_fen(placement) == "B:W18,24,K9,K10:B1,2,K22"
    assert write_fen(Placement("W", white_kings=squares(7))) == "W:WK7:B"


@pytest.mark.parametrize(
    "text",
    ["B:B12,16,K22:W18,24,K10", "B:B16,K22,12:WK10,24,18.", " b : w 18, 24 ,k 10 : b12,16,k22 . \n"],
)
def test_other_spellings_of_a_position(text: str) -> None:
    assert read_fen(text) == Placement("B", squares(12, 16), squares(22), squares(18, 24), squares(10))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        *((text, "the FEN is .*; expected a position such as B:W18,24,K10:B12,K22") for text in ("", None, "B:21:B1")),
        *((f"B:W{each}:B1", "the FEN is .*; expected a position") for each in ("x", "25-21", "\u0663", "9" * 10_000)),
        ("B:W1:W2", "the FEN is .*; expected a position"),
        ("R:W21:B1", "the FEN: the side to move is 'R'; expected B or W"),
        ("B:W0:B1", "the FEN: White is on square 0; expected an empty square from 1 to 32"),
        ("B:W33:B1", "the FEN: White is on square 33; expected an empty square from 1 to 32"),
        ("B:W21:BK21", "the FEN: White is on square 21; expected an empty square"),
        ("B:W21:B30", "the FEN: Black has a man on its crowning square 30; expected a king, K30"),
        (f"B:W{','.join(map(str, range(20, 33)))}:B1", "the FEN: White has 13 pieces; expected 12 at most"),
    ],
)
def test_positions_that_are_refused(text: str, message: str) -> None:
    with pytest.raises(AbvizError, match=f"^{message}") as error:
        read_fen(text)
    assert "\n" not in str(error.value) and len(str(error.value)) < 200


# games


@pytest.mark.parametrize(("name", "games", "plies"), [("games.pdn", 430, 23_519), ("games_quirks.pdn", 2, 92)])
def test_files_of_real_games(name: str, games: int, plies: int) -> None:
    read = read_pdn((DATA / name).read_bytes(), name)
    assert (len(read), sum(len(game.moves) for game in read)) == (games, plies)
    assert all(game.result == game.tags["Result"] for game in read)
    assert read_pdn("\n".join(map(write_pdn, read))) == read


@pytest.mark.parametrize(
    "text",
    [
        "1. 11-15 24-20 2. 15x24 28x19 *",
        "11-15 24-20 15x24 28x19",
        "1.11-15 24-20 2.15x24 28x19*",
        "1. 11 - 15 24 -20 2. 15 X 24 28\nx\n19 *",
        "1. 11-15 ... 24-20 2. 15-24 2... 28-19 *",
        "1. 11-15!! 24-20?! 2. 15x24 28x19 1-0 {resigns} *",
        "1. 11-15 {one\n\n{two} 24-20 ; three {\n2. 15x24 28x19 *",
        '\ufeff[Event "?"]\r\n\r\n1. 11-15 24-20\r\n2. 15x24 28x19\r\n*\r\n',
        b"1. 11-15 {caf\xe9} 24-20 2. 15x24 28x19",
    ],
)
def test_other_spellings_of_a_game(text: str | bytes) -> None:
    assert played(text) == ["11-15", "24-20", "15x24", "28x19"]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (r'[Event "a \"big\" match"]', 'a "big" match'),
        (r'[Event "C:\games\new"]', r"C:\games\new"),
        (r'[ Event  "[x] {y} ;z"  ]', "[x] {y} ;z"),
        ('[Event ""]', ""),
        ('[Event "one"][Site "two"]', "one"),
    ],
)
def test_tags(text: str, value: str) -> None:
    for encoding in ("utf-8", "latin-1"):
        assert read_pdn(f"{text}\n1. 11-15 {{é}} *".encode(encoding))[0].tags["Event"] == value


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
    assert [(len(game.moves), game.result) for game in read_pdn(text)] == expected


def test_a_game_may_start_elsewhere() -> None:
    (game,) = read_pdn('[SetUp "1"]\n[fen "W:W21,K7:B1."]\n1... 21-17 2. 1-5 *')
    assert game.start == Placement("W", squares(1), white_men=squares(21), white_kings=squares(7))
    assert write_pdn(PdnGame(start=game.start)) == '[SetUp "1"]\n[FEN "W:W21,K7:B1"]\n\n*\n'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "game.pdn holds no game; expected moves such as 1. 11-15 23-19"),
        ("11-15 *\nhello", "game.pdn, game 2: 'hello' is no PDN; expected a move such as 11-15 or 11x18"),
        ("1. 11-15 7", "game.pdn, game 1: '7' is no PDN"),
        ("1. 11-33", "game.pdn, game 1: the move is '11-33'; expected squares from 1 to 32"),
        ("11-15 {a\n{b", "game.pdn, game 1: '{a' is no PDN"),
        ("11-15\n(9-14)", "game.pdn, game 1: '(9-14)' is no PDN"),
        ('[Event "a]\n11-15', "game.pdn, game 1: '[Event' is no PDN"),
        ('\n[Result "won"] *', "game.pdn, game 1: the result is 'won'; expected 1-0, 0-1, 1/2-1/2, 0-0, *"),
        ('[FEN "W:W3:B1"]', "game.pdn, game 1, FEN tag: White has a man on its crowning square 3"),
    ],
)
def test_games_that_are_refused(text: str, message: str) -> None:
    with pytest.raises(AbvizError) as error:
        read_pdn(text, "game.pdn")
    assert str(error.value).startswith(message) and "\n" not in str(error.value)


def test_one_move() -> None:
    assert read_move("11-15") == PdnMove((11, 15), False) and read_move(" 22x 15x8 ") == PdnMove((22, 15, 8), True)
    assert read_move("11-18").is_jump and read_move("11x15").is_jump
    for text in ("", "11", "11-15 22-18", "*", "{11-15}", "9-33", None):
        with pytest.raises(AbvizError, match=r"^the move is .*; expected squares from 1 to 32, such as 11-15"):
            read_move(text)  # type: ignore[arg-type]


@given(games(), games())
def test_games_written_are_read_back(first: PdnGame, second: PdnGame) -> None:
    text = write_pdn(first)
    assert read_pdn(text) == read_pdn(text.encode()) == [first]
    assert all(len(line) <= 79 for line in text.split("\n") if not line.startswith("["))
    second = PdnGame({"Event": "the second", **second.tags}, second.moves, second.result, second.start)
    assert read_pdn(f"{text}\n{write_pdn(second)}") == [first, second]
    assert read_pdn(write_pdn(PdnGame({"Event": "a\nb"})))[0].tags == {"Event": "a b"}


@given(st.text() | st.text(st.sampled_from(' \n"[]{}()\\*1-0x:/.;%$!?8FEN')))
def test_any_text_is_read_or_refused_in_one_line(text: str) -> None:
    for read in (read_pdn, read_fen, read_move):
        try:
            read(text)
        except AbvizError as error:
            assert "\n" not in str(error)


@pytest.mark.parametrize(
    "piece", ["(", "{", '[A "', '[A "\\', '"', "1-", "1x ", "9", " ", "\n", "* ", "1. ", ";", "(1-5)"]
)
def test_a_hostile_text_takes_no_more_time_than_it_is_long(piece: str) -> None:
    def seconds(size: int) -> float:
        text, began = f"11-15 {piece * (size // len(piece))}", time.process_time()
        try:
            read_pdn(text)
        except AbvizError as error:
            assert len(str(error)) < 250
        return time.process_time() - began

    short, long = min(seconds(30_000) for _ in range(3)), seconds(480_000)
    assert long < 60 * short + 0.3  # 16 times the text; 256 times, if the time grew with the square
