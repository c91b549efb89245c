"""FEN and PDN: what is written is read back, the spellings of real files, and what is refused in
one line.
"""

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
from abviz.play.match import matches_of
from abviz.play.pdn import OPEN, RESULTS, write_pdn

DATA = Path(__file__).parent / "data"
EXPECTED_FEN = "the FEN is .*; expected a position such as B:W18,24,K10:B12,K22"


@st.composite
def positions(draw: st.DrawFn) -> tuple[str, Pieces]:
    squares = draw(st.permutations(range(1, 33)))
    kings = set(draw(st.sets(st.sampled_from(squares)))) if draw(st.booleans()) else set()
    black, white = draw(st.integers(0, 12)), draw(st.integers(0, 12))
    pieces = {square: "B" if square in kings or square > 28 else "b" for square in squares[:black]}
    pieces |= {
        square: "W" if square in kings or square < 5 else "w" for square in squares[12 : 12 + white]
    }
    return draw(st.sampled_from("BW")), pieces


@st.composite
def matches(draw: st.DrawFn) -> Match:
    on_one_line = st.text(st.characters(codec="utf-8", exclude_characters="\n\r"))
    value = (
        on_one_line
        | st.text(st.sampled_from('"\\[] '))
        | st.sampled_from(["{", ";", 'The "Big" match', "C:\\"])
    )
    names = st.sampled_from(["Event", "Site", "Black", "White", "Date", "Round", "Käse_1"])
    start = draw(
        st.just(Checkers.start())
        | positions().map(lambda each: Checkers.from_fen(write_fen(*each)))
    )
    tags = draw(st.dictionaries(names, value))
    if draw(st.booleans()):
        tags["GameType"] = draw(st.sampled_from(["21", "21,W,32,8,N1,0", "English"]))
    match = Match(start, tags=tags, recorded=OPEN)
    for choice in draw(st.lists(st.integers(0, 99), max_size=40)):
        if not match.over:
            moves = match.position.moves()
            match = match.play(moves[choice % len(moves)])
    return (
        match if match.position.over() else replace(match, recorded=draw(st.sampled_from(RESULTS)))
    )


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
    for text in (
        canonical,
        "B:B16,K22,12:WK10,24,18,K9.",
        " b : w 18, 24 ,k 10,k9 : b12,16,k22 . \n",
    ):
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
        (
            "B:W21:B30",
            "the FEN has Black on '30': a man on Black's last row must be a king; expected K30",
        ),
        (
            f"B:W{','.join(map(str, range(20, 33)))}:B1",
            "the FEN has 14 pieces; expected at most 12 on each side",
        ),
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
        (
            "hello",
            "game.pdn, game 1, line 1: 'hello' is not PDN; expected a move such as 11-15 or 11x18",
        ),
        (
            "1. 11-33",
            "game.pdn, game 1, line 1: the move is '11-33'; expected squares from 1 to 32",
        ),
        ("11-15 {a\n{b", "game.pdn, game 1, line 1: '{a' is not PDN"),
        ('[Event "a]\n11-15', "game.pdn, game 1, line 1: '[Event' is not PDN"),
        (
            '\n[Result "won"] *',
            "game.pdn, game 1, line 2: the result is 'won'; expected 1-0, 0-1, 1/2-1/2, 0-0, *",
        ),
        (
            '[FEN "W:W3:B1"]',
            "game.pdn, game 1, line 1, FEN tag has White on '3': a man on White's last row must be",
        ),
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
    for each in (
        text,
        text.encode(),
        write_pdn(first.tags, first.moves, first.result, first.start.fen),
    ):
        assert [*map(parts, read_matches(each))] == [parts(first)]
    assert all(len(line) <= 79 for line in text.split("\n") if not line.startswith("["))
    assert [*map(parts, read_matches(f"{text}\n{second.pdn()}"))] == [parts(first), parts(second)]
    assert read_matches(write_pdn({"Event": "a\nb"}, (), "*"))[0].tags == {"Event": "a b"}


# what people and programs write into games


@pytest.mark.parametrize(
    "text",
    [
        "1. 11-15 23-19* 2. 9-14 22-17 1-0",
        "1. 11-15! 23-19*! 2. 9-14!? 22-17?* 1-0",
        "1. 11-15 $1 23-19 $14 $2 2. 9-14 (!) 22-17 (?) 1-0",
        "1. 11-15 23-19 (23-18 8-11) 2. 9-14 22-17 1-0",
        "1. 11-15 (9-14 22-18 (22-17 13x22) 1-0) 23-19 (23-18 {to (see [1]} 8-11 ; or (not)\n) 2. 9-14 22-17 1-0",
        "% made by a program (\n1. 11-15 23-19\n%end\n2. 9-14 22-17 1-0",
        "1. 11–15 23—19 2. 9‑14 22−17 1–0",
        "1. 11–15 23—19 2. 9‑14 22−17 1–0".encode(),
        "1. 11\x9615 23\x9619 2. 9-14 22-17 1\x960".encode("latin-1"),
        '[GameType "21"] [FEN "B:W21-32:B1-12:H0:F1"] 1. 11-15 23-19 2. 9-14 22-17 1-0',
    ],
)
def test_marks_variations_and_dashes_are_passed_over(text: str | bytes) -> None:
    [match] = read_matches(text)
    assert match.moves == ("11-15", "23-19", "9-14", "22-17") and match.result == "1-0"


def test_a_star_that_stands_alone_ends_the_game() -> None:
    for text in (
        "11-15 23-19 * 9-14 22-17 *",
        "1. 11-15 23-19* * 1. 9-14 22-17",
        "1. 11-15 23-19*\n1. 9-14 22-17*",
    ):
        assert [match.moves for match in read_matches(text)] == [
            ("11-15", "23-19"),
            ("9-14", "22-17"),
        ]


@pytest.mark.parametrize(
    ("bad", "line", "message"),
    [
        ('[FEN "W:W1,22:B5"] *', 2, ", FEN tag has White on '1'"),
        ('[FEN "W:W::"]\n11-15 23-19 *', 2, " is 'W:W::'; expected a position such as"),
        ("1. 11-15 23-19\n2. 1-5 22-18 1-0", 3, "move 2 of Black: 1-5 is not a legal move"),
        ("1. 11-15 hello 23-19 {a comment} 1-0", 2, "'hello' is not PDN"),
        ("1. 11-15 23-40 1-0", 2, "the move is '23-40'; expected squares from 1 to 32"),
        ('[Event "a]\n[FEN "W:W30:B1"]\n1. 30-26 1-0', 2, "'[Event' is not PDN"),
        (
            '[GameType "20"]\n1. 32-28 18-23 *',
            2,
            "this is international draughts (GameType 20); expected English",
        ),
        ('[GameType "25,W,8,8,A0,0"]\n1. c3-d4 *', 2, "this is Russian draughts (GameType 25)"),
        ('[GameType "99"]\n*', 2, "this is another game (GameType 99)"),
        ("1. 11-15\n(23-19 8-11", 3, "'(' is not closed"),
        ("1. 11-15) 1-0", 2, "')' is not PDN"),
        ('[Result "won"]\n1. 11-15 *', 2, "the result is 'won'"),
        ("1. 11-15 23-19 {no end", 2, "'{no' is not PDN"),
    ],
)
def test_a_bad_game_costs_itself_only(bad: str, line: int, message: str) -> None:
    first, last = "1. 11-15 23-19 1-0", '[Event "last"]\n1. 9-14 22-17 0-1'
    with pytest.warns(UserWarning, match=f"left out: games.pdn, game 2, line {line}") as warned:
        matches = read_matches(f"{first}\n{bad}\n{last}", "games.pdn")
    assert [(match.moves, match.result) for match in matches] == [
        (("11-15", "23-19"), "1-0"),
        (("9-14", "22-17"), "0-1"),
    ]
    assert len(warned) == 1 and [f"left out: {each}" for each in matches.problems] == [
        str(warned[0].message)
    ]
    assert message in matches.problems[0] and "\n" not in matches.problems[0]


@pytest.mark.parametrize("gap", ["\n\n", "\n"])
@pytest.mark.parametrize(
    "bad",
    [
        '[Event "x"]\n1. 11-15 {oops 23-19 2. 8-11 *',
        '[Event "x"]\n1. 11-15 {oops 23-19',
        '[Event "x"]\n1. 11-15 (22-18 {oops) 23-19 *',
        '[Event "x"]\n1. 11-15 {oops\n23-19 2. 8-11 *',
    ],
)
@pytest.mark.parametrize("tag", ['[Event "good"]\n', ' [Event "g\\"ood"]\n', ""])
def test_a_comment_without_an_end_costs_its_own_game_only(bad: str, gap: str, tag: str) -> None:
    if not tag and not bad.endswith("*"):
        return  # no end, and no tag of the next game: one game

    good = f"{tag}1. 11-16 {{good}} 23-19 *"
    matches = matches_of(gap.join(["1. 11-15 1-0", bad, good, f"{good} {{end}}"]), "games.pdn")
    assert [match.moves for match in matches] == [("11-15",), *[("11-16", "23-19")] * 2]

    line = 2 + gap.count("\n")
    assert matches.problems == (
        f"games.pdn, game 2, line {line}: '{{oops' is not PDN; "
        "expected a move such as 11-15 or 11x18",
    )


@pytest.mark.parametrize(
    "comment",
    ["see [Event]", "a\n\n[b]", "a\n1. 11-15 23-19\nb", "{", "a {b", "a\n\n1... 22-18 {"],
)
def test_a_comment_with_an_end_may_hold_what_looks_like_a_game(comment: str) -> None:
    [match] = read_matches(f"1. 11-15 {{{comment}}} 23-19 *")
    assert match.moves == ("11-15", "23-19")


@pytest.mark.parametrize(
    "stray", ["Page 2", "My (best) games :)", "Games 1-50", "a\nb c", "no {end"]
)
@pytest.mark.parametrize("gap", ["\n\n", "\n", " "])
@pytest.mark.parametrize("tag", ['[Event "b"]\n', ""])
def test_stray_text_costs_itself_only(stray: str, gap: str, tag: str) -> None:
    first, second = '[Event "a"]\n1. 11-15 *', f"{tag}1. 9-14 22-17 *"
    matches = matches_of(f"{first}{gap}{stray}\n{second}\n\n{first}", "games.pdn")
    assert [match.moves for match in matches] == [("11-15",), ("9-14", "22-17"), ("11-15",)]
    assert {each.partition(":")[0] for each in matches.problems} == {
        f"games.pdn, line {2 + gap.count(chr(10))}"
    }

    matches = matches_of(f"{stray}\n\n{second}\n1. 11-33 *\n{stray}", "games.pdn")
    assert [match.moves for match in matches] == [("9-14", "22-17")]
    assert [each.partition(":")[0] for each in matches.problems] == [
        "games.pdn, line 1",
        f"games.pdn, game 2, line {stray.count(chr(10)) + tag.count(chr(10)) + 4}",
        f"games.pdn, line {stray.count(chr(10)) + tag.count(chr(10)) + 5}",
    ]


def test_a_tag_without_its_bracket_is_no_stray_text() -> None:
    matches = matches_of('1. 11-15 *\nFEN "W:W30:B1"]\n[Event "a"]\n1. 11-15 *')
    assert [match.moves for match in matches] == [("11-15",)] and len(matches.problems) == 1


def test_only_bad_games_are_refused_with_the_first() -> None:
    with pytest.raises(
        AbvizError,
        match=r"^the PDN, game 1, line 1: 'a' is not PDN.* \(and 2 more games with a problem",
    ):
        read_matches("a *\nb *\n1. 11-33 *")


@pytest.mark.parametrize(
    ("text", "same_as"),
    [
        ("W:W21-32:B1-12", "W:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12"),
        ("B:W21–23,K5-7:BK1-K3,12", "B:W21,22,23,K5,K6,K7:B12,K1,K2,K3"),
        ("B:W21:B12:H0:F1", "B:W21:B12"),
        ("B:W21:B12:h10:f33.", "B:W21:B12"),
        ("B:W21,G20,P3:B12,G30-31:H0", "B:W21:B12"),
    ],
)
def test_positions_of_other_programs(text: str, same_as: str) -> None:
    assert read_fen(text) == read_fen(same_as)


@pytest.mark.parametrize(
    "item", ["21-20", "31-33", "0-3", "G21", "21-K23", "KG20", "20-", "-20", "H0"]
)
def test_ranges_and_prefixes_that_are_none(item: str) -> None:
    with pytest.raises(AbvizError, match="the FEN has White on"):
        read_fen(f"B:W21,{item}:B1")


DECORATIONS = [
    *(
        "!",
        "?",
        "!?",
        "*",
        "?*",
        " (!)",
        " (?)",
        " (*)",
        " $1",
        " $139",
        " {a comment}",
        " {(1. 11-15 *}",
        " ; 1-0 (\n",
    ),
    *(
        "\n% 11-15 *\n",
        " (11-15)",
        " (23-18 {no} 8-11* (9-14 1-0) *)",
        " ()",
        "\n",
        "\r\n",
        " ",
        "\t",
        " ...",
    ),
]


@st.composite
def decorated(draw: st.DrawFn, match: Match) -> str:
    """Return the PDN of the match with marks, comments and variations between its moves."""
    words = []
    for move in match.moves:
        move = move.replace("-", draw(st.sampled_from(["-", " - ", "–", "−"])))
        move = move.replace("x", draw(st.sampled_from(["x", " x ", "X", "×"])))
        marks = draw(st.lists(st.sampled_from(DECORATIONS), max_size=4))
        words.append(move + "".join(sorted(marks, key=lambda mark: mark[0] not in "!?*")))
    header, _, _ = match.pdn().rpartition("\n\n")
    is_plain = match.result == OPEN and match.moves  # then the tags of the next game end it, too
    result = draw(st.sampled_from(["*", ""])) if is_plain else match.result
    return f"{header}\n\n{' '.join(words)}\n {result}\n"


@given(st.data(), matches(), matches())
def test_decorated_games_are_read_as_they_were(
    data: st.DataObject, first: Match, second: Match
) -> None:
    text = data.draw(decorated(first)) + "\n".join(
        ['[Event "between"]', data.draw(decorated(second))]
    )
    read = read_matches(text)
    assert [(match.start, match.moves, match.result) for match in read] == [
        (match.start, match.moves, match.result) for match in (first, second)
    ]


@pytest.mark.filterwarnings("ignore:left out")
@given(st.text() | st.text(st.sampled_from(' \n"[]{}()\\*1-0x:/.;%$!?8FEN')))
def test_any_text_is_read_or_refused_in_one_line(text: str) -> None:
    for read in (read_matches, read_fen, read_move):
        try:
            read(text)
        except AbvizError as error:
            assert "\n" not in str(error)
