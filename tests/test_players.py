"""Matches and real-time play: each move checked, each end found, players, contests, in and out as PDN."""

import random
import subprocess
import sys
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from abviz import AbvizError, Checkers, TicTacToe, search
from abviz.engine import Player, Result, contest, play
from abviz.games import Match, legal_moves, read_matches
from abviz.games.boards import board_svg, tic_tac_toe_svg
from abviz.games.match import RECORDED
from abviz.games.notation import DRAW, OPEN, read_pdn
from abviz.games.rules import DEEPEST
from tests.slow_search import sticks

GAMES = (Path(__file__).parent / "data/games.pdn").read_bytes()
KINGS = Checkers.from_fen("B:WK29:BK1")  # alone and far from one another
DANCE = ("1-6", "29-25", "6-1", "25-29")


@pytest.fixture(scope="module")
def real() -> list[Match]:
    return read_matches(GAMES, "games.pdn")


def played(moves: Any, start: Any = KINGS, **options: Any) -> Match:
    match = Match(start, **options)
    for move in moves:
        match = match.play(move)
    return match


def test_a_match_never_changes() -> None:
    match = Match().play("11-15").play("23 - 19")
    assert match.moves == ("11-15", "23-19") and match.positions[0] == Checkers.start()
    assert (match.result, match.reason, match.over, match.searches) == (OPEN, "", False, (None, None))
    assert match.undo().moves == ("11-15",) and match.undo(2) == Match() != match and match.undo(0) == match
    assert match == Match(claims=False).play("11-15", search="whatever").play("23-19")
    others = [match.end("1-0"), Match(tags={"Black": "A"}), Match(KINGS), Match()]
    assert not any(a == b for a, b in combinations([match, *others], 2))
    for wrong in (3, -1):
        with pytest.raises(AbvizError, match="expected 0 to 2"):
            match.undo(wrong)
    with pytest.raises(AbvizError, match=r"11-16 is not a legal move; expected one of 8-11, 9-13"):
        match.play("11-16")
    with pytest.raises(AbvizError, match="is not a position of a game"):
        Match("11-15")


def test_ends_on_the_board_and_by_the_players() -> None:
    taken = Match(Checkers.from_fen("B:WK15:B10")).play("10x19")
    assert (taken.result, taken.reason) == ("1-0", "White has no legal move")
    resigned = Match().play("11-15").end("0-1", "Black resigned")
    assert resigned.over and resigned.undo(0).result == OPEN
    for over in (taken, resigned):
        with pytest.raises(AbvizError, match="cannot be played: the match is over"):
            over.play("9-14")
        with pytest.raises(AbvizError, match="the match is already over"):
            over.end("1-0")
    with pytest.raises(AbvizError, match="unknown result '2-0'"):
        Match().end("2-0")


def test_draws_by_repetition_and_without_progress() -> None:
    third = played(DANCE * 2)
    assert (third.result, third.reason) == (DRAW, "the same position for the third time")
    assert third.undo().result == OPEN and played(DANCE * 4, claims=False).result == OPEN
    assert played(DANCE * 2, claims=False).draw == third.reason

    progress = "def progress(self, move):\n        return move == 2\n\n    def over"
    walk = sticks(("@game", "@game(patience=3)"), ("def over", progress))
    assert played("2111", walk(9)).reason == "3 plies without progress" and played("2112", walk(9)).result == OPEN
    won = played("22122", walk(9))
    assert (won.reason, won.svg()) == ("MAX has won", None) and "1. 2 2 2. 1 2 3. 2" in str(won)
    assert played("111", walk(3)).reason == "MAX has won", "the end of the game comes first"


def test_real_games(real: list[Match]) -> None:
    games = read_pdn(GAMES)
    assert len(real) == 430 and [match.result for match in real] == [each.result for each in games]
    assert sum(match.reason.endswith("has no legal move") for match in real) == 20
    assert read_matches("\n".join(match.pdn() for match in real)) == real
    could = {
        i: n for i, match in enumerate(real, 1) if (n := sum(match.undo(k).draw > "" for k in range(len(match.plies))))
    }
    assert could == {1: 2, 2: 1, 372: 1}, "where a draw could have been claimed"
    assert (real[371].result, real[371].reason, real[1].result) == ("0-1", RECORDED, DRAW)
    for match in real[::40]:
        for before, ply in zip(match.positions, match.plies, strict=False):
            king_steps = "-" in ply.name and before.pieces[int(ply.name.split("-")[0])].isupper()
            assert before.progress(ply.move) == (not king_steps) and ply.move in legal_moves(before)
        lines = [line for line in str(match).split("┌")[0].splitlines() if line[0].isdigit()]
        assert all(len(line) <= 79 for line in lines)


def test_a_match_is_one_game_of_pdn() -> None:
    match = Match.from_pdn('[Event "A"]\n[Result "1-0"]\n\n1. 11-15 23-18 2. 8-11 {a comment} 1-0')
    assert (match.moves, match.tags, match.reason) == (("11-15", "23-18", "8-11"), {"Event": "A"}, RECORDED)
    assert match.pdn({"Black": "An"}) == '[Event "A"]\n[Black "An"]\n[Result "1-0"]\n\n1. 11-15 23-18 2. 8-11 1-0\n'
    for fen, moves in [("W:W24,32,K10:B14,20,K7", ["10x3", "20x27"]), ("B:W6,7,14,15,23,32:B2", ["2x9x18x27"])]:
        ending = played(moves, Checkers.from_fen(fen))
        assert f'[FEN "{fen}"]' in ending.pdn() and Match.from_pdn(ending.pdn()) == ending
    for text, message in [
        ("1. 11-15 * 1. 12-16 1-0", "the PDN holds 2 games; expected one, or read_matches"),
        ("1. 11-15 23-19 2. 8-11\n22-17 3. 4-9", "the PDN, game 1, move 3 of Black: 4.9 is not a legal move; expected"),
        ('[FEN "B:W10:BK6"]\n1. 6x15 0-1', r"the PDN, game 1: the result is 0-1; the board says 1-0 \(White has no"),
        ('[FEN "B:W10:BK6"] 6x15 1-5', "move 1 of White: '1-5' cannot be played: the match is over"),
    ]:
        with pytest.raises(AbvizError, match=message):
            Match.from_pdn(text)
    with pytest.raises(AbvizError, match="a match of TicTacToe; expected checkers, the only game with PDN"):
        Match(TicTacToe()).pdn()


def test_a_match_shows_itself() -> None:
    match = Match(tags={"Black": "Anna", "White": "Ben"}).play("11-15").play("23-19").end("1-0", "White resigned")
    lines = str(match).splitlines()
    assert lines[:2] == ["Black: Anna, White: Ben", "1. 11-15 23-19"] and lines[-1] == "1-0: White resigned"
    assert repr(match) == "<Match of Checkers: 2 moves, 1-0>"
    assert match.undo().svg() == board_svg("W", match.positions[1].pieces, last=(11, 15))
    jump = Match(Checkers.from_fen("B:W18,26:BK14,1")).play("14x30")
    assert jump.svg() == board_svg("W", jump.position.pieces, last=(14, 23, 30))
    assert jump._repr_mimebundle_()["image/svg+xml"] == jump.svg()
    assert Match(TicTacToe()).play("c3").svg() == tic_tac_toe_svg("..x......", last=2)
    code = "import sys; from abviz.games import Match; print(Match().play('11-15').moves, 'numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "('11-15',) False\n"


# players


def at_random(seed: int) -> Any:
    rng = random.Random(seed)

    def chooser(position: Any) -> str:
        return rng.choice(position.moves())  # type: ignore[no-any-return]

    return chooser


def test_a_player_searches_with_its_options() -> None:
    position = Checkers.start().play("11-15")
    expected = search(position, 7, table=False, weights={"men": 120})
    player = Player(7, table=False, weights={"men": 120})
    for start in (position, Match().play("11-15")):
        result = player.choose(start)
        assert (result.move, result.value, result.nodes) == (expected.move, expected.value, expected.nodes)
    assert (Player().depth, Player(seconds=1).depth, Player(3, nodes=9).depth) == (12, DEEPEST, 3)
    limited = Player(nodes=5_000).choose(Checkers.start())
    assert 1 < limited.depth < DEEPEST and not limited.finished
    named = [Player(), Player(seconds=0.5), Player(6, table=False), Player(6, name="Anna"), Player(nodes=9)]
    assert [player.name for player in named] == ["depth 12", "seconds 0.5", "depth 6, table False", "Anna", "nodes 9"]
    forced = Player(seconds=20).choose(Checkers.from_fen("B:W18,27,32:B14,1,2,3"))
    assert (forced.move, forced.value, forced.depth, forced.nodes) == ("14x23", None, 0, 0) and "14x23" in str(forced)
    running = Player(60).search(Match()).start()
    running.stop()
    assert running.result().finished is False


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: Player(0).choose(Checkers.start()), "depth is 0"),
        (lambda: Player(tabel=False).choose(Checkers.start()), "unknown switch 'tabel'"),
        (lambda: Player(3).choose(Checkers.from_fen("W:W13:B6,9")), "the game is over"),
        (lambda: Player(3).choose("11-15"), "is not a position of a game"),
        (lambda: play(Player(1), "Anna"), "expected a Player, or a function of a position"),  # type: ignore[arg-type]
        (lambda: play(Player(1), Player(1), plies=0), "plies is 0"),
        (lambda: play(Player(1), Player(1), "start"), "not a position of a game"),
        (lambda: contest(Player(1), Player(1), []), "there are no starts"),
        (lambda: play(Player(2), lambda position: "11-16-19"), r"<lambda> \(White\), ply 2: 11-16-19 is not a legal"),
        (lambda: play(lambda position: None, Player(2)), r"<lambda> \(Black\), ply 1: the move is None; expected its"),
    ],
)
def test_bad_players_and_limits_are_refused(call: Any, message: str) -> None:
    with pytest.raises(AbvizError, match=message) as error:
        call()
    assert "\n" not in str(error.value)


def test_a_match_of_two_players() -> None:
    match = play(Player(5), Player(3), plies=30)
    assert (len(match.searches), match.result, match.reason) == (30, OPEN, "stopped after 30 plies")
    for ply, (before, result) in enumerate(zip(match.positions, match.searches, strict=False)):
        assert isinstance(result, Result) and result.position == before and result.move == match.moves[ply]
        assert result.depth == (0 if len(before.moves()) == 1 else 3 if ply % 2 else 5)
    assert play(Player(5), Player(3), plies=30) == match and match.tags == {"Black": "depth 5", "White": "depth 3"}
    won = play(Player(5), at_random(1))
    assert won.result == "1-0" and won.searches[1::2] == (None,) * (len(won.moves) // 2)
    assert Match.from_pdn(won.pdn()) == won
    opening = Match.from_pdn('[Event "Book"]\n\n1. 11-15 23-19 2. 8-11 1/2-1/2')
    match = play(Player(2), Player(2, name="B"), opening, plies=9)
    assert match.moves[:3] == opening.moves and match.tags == {"Event": "Book", "Black": "depth 2", "White": "B"}
    steps = iter(DANCE * 3)
    assert play(lambda position: next(steps), lambda position: next(steps), KINGS).result == DRAW, "it is claimed"
    with pytest.raises(AttributeError, match="no_such_thing"):
        play(lambda position: position.no_such_thing, Player(1))


def test_a_contest_exchanges_sides_and_keeps_score() -> None:
    duel = contest(Player(4), at_random(3), [Checkers.start(), Match().play("9-13")])
    assert [match.result for match in duel.matches] == ["1-0", "0-1"] * 2 and duel.score == (4, 0)
    assert [match.tags["Black"] for match in duel.matches] == ["depth 4", "chooser"] * 2
    lines = repr(duel).splitlines()
    assert lines[0].split() == ["Black", "White", "result", "plies"] and lines[-1] == "depth 4: 4, chooser: 0"
    drawn = contest(Player(9), Player(9, name="other"), TicTacToe.start())
    assert drawn.score == (1, 1) and len(drawn.matches[0].moves) == 9
    assert contest(Player(1), Player(1), plies=3).score == (0, 0)
