"""Matches and real-time play: each move checked, each end found, players, in and out as PDN."""

import re
from pathlib import Path
from typing import Any

import pytest

from abviz import AbvizError, Checkers, TicTacToe, search
from abviz.play import Match, Player, read_matches
from abviz.play.match import DRAW, OPEN
from tests.slow_search import sticks

GAMES = (Path(__file__).parent / "data/games.pdn").read_bytes()
KINGS = Checkers.from_fen("B:WK29:BK1")  # alone and far from one another
DANCE = ("1-6", "29-25", "6-1", "25-29")


def played(moves: Any, start: Any = KINGS, **options: Any) -> Match:
    match = Match(start, **options)
    for move in moves:
        match = match.play(move)
    return match


def parts(match: Match) -> tuple[Any, ...]:
    return match.start, match.moves, match.result, match.tags


def test_a_match_never_changes() -> None:
    match = Match()
    longer = match.play("11-15").play("23 - 19")
    assert (match.moves, longer.moves) == ((), ("11-15", "23-19"))
    assert longer.positions == (Checkers.start(), Checkers.start().play("11-15"), longer.position)
    assert (longer.result, longer.reason, longer.over) == (OPEN, "", False)
    with pytest.raises(AbvizError, match=r"11-16 is not a legal move; expected one of 8-11, 9-13"):
        longer.play("11-16")
    with pytest.raises(AbvizError, match="is not a position of a game"):
        Match("11-15")


def test_how_a_match_ends() -> None:
    taken = Match(Checkers.from_fen("B:WK15:B10")).play("10x19")
    assert (taken.result, taken.reason) == ("1-0", "White has no legal move")
    with pytest.raises(AbvizError, match="cannot be played: the match is over"):
        taken.play("9-14")
    third = played(DANCE * 2)
    assert (third.result, third.reason) == (DRAW, "the same position for the third time")
    assert played(DANCE * 4, recorded=OPEN).result == OPEN
    progress = "def progress(self, move):\n        return move == 2\n\n    def over"
    walk = sticks(("@game", "@game(patience=3)"), ("def over", progress))
    assert (
        played("2111", walk(9)).reason == "3 plies without progress"
        and played("2112", walk(9)).result == OPEN
    )
    won = played("22122", walk(9))
    assert (won.reason, repr(won)) == ("MAX has won", "<Match of Sticks: 5 moves, 1-0>")
    assert played("111", walk(3)).reason == "MAX has won", "the end of the game comes first"


@pytest.mark.slow
def test_real_games_are_matches() -> None:
    matches, results = (
        read_matches(GAMES, "games.pdn"),
        re.findall(r'\[Result "(.*)"\]', GAMES.decode("latin-1")),
    )
    assert len(matches) == 430 and [match.result for match in matches] == results
    assert sum(match.reason.endswith("has no legal move") for match in matches) == 20
    again = read_matches("\n".join(match.pdn() for match in matches))
    assert list(map(parts, again)) == list(map(parts, matches))
    for match in matches[::40]:
        for before, (name, move, _) in zip(match.positions, match.plies, strict=False):
            is_king_step = "-" in name and before.pieces[int(name.split("-")[0])].isupper()
            assert before.progress(move) == (not is_king_step)


def test_a_match_is_one_game_of_pdn() -> None:
    match = Match.from_pdn('[Event "A"]\n[Result "1-0"]\n\n1. 11-15 23-18 2. 8-11 {a comment} 1-0')
    assert (match.moves, match.tags, match.reason) == (
        ("11-15", "23-18", "8-11"),
        {"Event": "A"},
        "as recorded",
    )
    assert match.pdn() == '[Event "A"]\n[Result "1-0"]\n\n1. 11-15 23-18 2. 8-11 1-0\n'
    for fen, moves in [
        ("W:W24,32,K10:B14,20,K7", ["10x3", "20x27"]),
        ("B:W6,7,14,15,23,32:B2", ["2x9x18x27"]),
    ]:
        ending = played(moves, Checkers.from_fen(fen))
        assert f'[FEN "{fen}"]' in ending.pdn() and parts(Match.from_pdn(ending.pdn())) == parts(
            ending
        )
    for text, message in [
        ("1. 11-15 * 1. 12-16 1-0", "the PDN holds 2 games; expected one, or read_matches"),
        (
            "1. 11-15 23-19 2. 8-11\n22-17 3. 4-9",
            "the PDN, game 1, line 2, move 3 of Black: 4.9 is not a legal move; expected",
        ),
        (
            '[FEN "B:W10:BK6"]\n1. 6x15 0-1',
            r"the PDN, game 1, line 2: the result is 0-1; the board says 1-0 \(White has no",
        ),
        (
            '[FEN "B:W10:BK6"] 6x15 1-5',
            "move 1 of White: '1-5' cannot be played: the match is over",
        ),
    ]:
        with pytest.raises(AbvizError, match=message):
            Match.from_pdn(text)
    with pytest.raises(
        AbvizError, match="a match of TicTacToe; expected checkers, the only game with PDN"
    ):
        Match(TicTacToe()).pdn()


def test_a_player_searches_with_its_options() -> None:
    position = Checkers.start().play("11-15")
    options = {"table": False, "weights": {"men": 120}}
    assert Player(7, **options).choose(position) == search(position, 7, **options).move
    assert Player(99).choose(Checkers.from_fen("B:W18,27,32:B14,1,2,3")) == "14x23", (
        "forced, so not searched for"
    )


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: Player(0).choose(Checkers.start()), "depth is 0"),
        (lambda: Player(tabel=False).choose(Checkers.start()), "unknown switch 'tabel'"),
        (lambda: Player(3).choose(Checkers.from_fen("W:W13:B6,9")), "the game is over"),
    ],
)
def test_bad_players_are_refused(call: Any, message: str) -> None:
    with pytest.raises(AbvizError, match=message):
        call()


@pytest.mark.slow
def test_a_match_of_two_players() -> None:
    match = Match()
    while not match.over:
        match = match.play(Player(3 if match.position.is_max() else 1).choose(match.position))
    assert match.result != OPEN and parts(Match.from_pdn(match.pdn())) == parts(match)
