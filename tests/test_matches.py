"""Games as they are played: each move checked, each end found, in and out as PDN."""

import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest

from abviz import AbvizError, Checkers, TicTacToe
from abviz.games.boards import board_svg, tic_tac_toe_svg
from abviz.games.match import DRAW, OPEN, RECORDED, Match, read_matches
from abviz.games.notation import read_pdn
from abviz.games.rules import game, legal_moves
from tests.slow_checkers import SlowCheckers

DATA = Path(__file__).parent / "data"
GAMES = (DATA / "games.pdn").read_bytes()
KINGS = Checkers.from_fen("B:WK29:BK1")  # alone and far from one another
DANCE = ("1-6", "29-25", "6-1", "25-29")


@pytest.fixture(scope="module")
def real() -> list[Match]:
    return read_matches(GAMES, "games.pdn")


def played(moves: Any, start: Any = KINGS, **told: Any) -> Match:
    match = Match(start, **told)
    for move in moves:
        match = match.play(move)
    return match


# a match goes on


def test_a_match_grows_and_the_one_before_stays_as_it_was() -> None:
    begun = Match()
    first = begun.play("11-15")
    second = first.play("2319")  # in any spelling; a match tells the game's own
    assert (begun.moves, first.moves, second.moves) == ((), ("11-15",), ("11-15", "23-19"))
    assert begun.position == Checkers.start() and second.position == Checkers.start().play("11-15").play("23-19")
    assert second.positions == (Checkers.start(), first.position, second.position)
    assert (second.result, second.reason, second.over, second.searches) == ("*", "", False, (None, None))


def test_undo_goes_back_as_far_as_one_likes() -> None:
    match = played(["11-15", "23-19", "8-11"], Checkers.start())
    assert match.undo() == played(["11-15", "23-19"], Checkers.start())
    assert match.undo(3) == Match() and match.undo(0) == match
    assert match.undo().play("8-11") == match
    for wrong in (4, -1, 1.0, True, "1"):
        with pytest.raises(AbvizError, match="expected 0 to 3"):
            match.undo(wrong)


def test_matches_are_equal_by_start_moves_result_and_tags() -> None:
    match = Match().play("11-15")
    assert match == Match(claims=False).play("11-15", search="whatever") and hash(match) == hash(Match().play("11-15"))
    others = [Match(), match.end("1-0"), Match(tags={"Black": "A"}).play("11-15"), match.play("23-19"), Match(KINGS)]
    assert [match == other for other in [*others, "11-15"]] == [False] * 6


@pytest.mark.parametrize("start", [None, "11-15", Checkers, Match(), (1, 2, 3, 4)])
def test_only_a_position_is_a_start(start: Any) -> None:
    with pytest.raises(AbvizError, match="is no position of a game"):
        Match(start)


def test_an_illegal_move_is_refused_and_the_legal_ones_are_told() -> None:
    with pytest.raises(AbvizError, match=r"11-16 is no legal move; expected one of 7-11, 8-11, 9-13, .*, 15-19"):
        Match().play("11-15").play("24-20").play("11-16")


# how it ends


def test_who_cannot_move_has_lost() -> None:
    taken = Match(Checkers.from_fen("B:WK15:B10")).play("10x19")
    assert (taken.result, taken.reason) == ("1-0", "White has no legal move")
    blocked = Match(Checkers.from_fen("W:W9,14,19:B5"))  # 5 can neither step nor jump
    assert blocked.result == OPEN
    assert (blocked.play("19-15").result, blocked.play("19-15").reason) == ("0-1", "Black has no legal move")


def test_nothing_is_played_after_the_end() -> None:
    won = Match(Checkers.from_fen("B:WK15:B10")).play("10x19")
    for over, reason in ((won, "White has no legal move"), (Match().end("0-1", "Black resigned"), "Black resigned")):
        with pytest.raises(AbvizError, match=f"the match is over .*{reason}"):
            over.play("9-14")
        with pytest.raises(AbvizError, match="the match is over already"):
            over.end("1-0")


def test_the_same_position_for_the_third_time_is_a_draw() -> None:
    twice = played(DANCE + DANCE[:3])
    assert twice.result == OPEN
    third = twice.play(DANCE[3])
    assert (third.result, third.reason) == (DRAW, "the same position for the third time")
    assert third.position == KINGS and len(third.moves) == 8


def is_quiet(position: Any, name: str) -> bool:
    """By what stands where: a king steps."""
    placed = position.placement
    return "-" in name and int(name.split("-")[0]) in placed.kings(placed.turn)


def quiet_match(start: Any, plies: int) -> Match:
    """Kings walk about, into no capture and to no place for the third time."""
    chance, match = Random(1), Match(start)
    while len(match.plies) < plies:
        ways = [match.play(name) for name in match.position.moves() if is_quiet(match.position, name)]
        safe = [way for way in ways if way.result == OPEN and "x" not in "".join(way.position.moves())]
        match = chance.choice(safe) if safe else match.undo(min(2, len(match.plies)))
    return match


def test_forty_moves_each_without_a_capture_or_a_man_are_a_draw() -> None:
    quiet = quiet_match(Checkers.from_fen("B:WK29,21:BK1,12"), 79)
    assert (quiet.result, len(quiet.plies)) == (OPEN, 79)
    drawn = quiet.play(next(name for name in quiet.position.moves() if is_quiet(quiet.position, name)))
    assert (drawn.result, drawn.reason) == (DRAW, "80 plies without progress")
    leads_on = [name for name in quiet.position.moves() if not is_quiet(quiet.position, name)]
    assert leads_on and all(quiet.play(name).result == OPEN for name in leads_on), "a man's move: all 80 anew"


def test_quiet_plies_are_counted_from_the_last_capture_or_step_of_a_man() -> None:
    match = quiet_match(Checkers.from_fen("B:WK29,21:BK1,12"), 40).play("12-16")
    before = match.position
    rest = quiet_match(before, 79)
    for name in rest.moves:
        match = match.play(name)
    assert match.result == OPEN
    last = next(name for name in match.position.moves() if is_quiet(match.position, name))
    assert match.play(last).reason == "80 plies without progress"


def test_progress_is_a_capture_or_a_step_of_a_man(real: list[Match]) -> None:
    for match in real[:60]:
        for before, ply in zip(match.positions, match.plies, strict=False):
            assert before.progress(ply.move) == (not is_quiet(before, ply.name))


def test_a_draw_that_nobody_claims_goes_on() -> None:
    match = played(DANCE * 2, claims=False)
    assert match.draw == "the same position for the third time" and match.result == OPEN
    longer = played(DANCE * 4, claims=False)
    assert longer.result == OPEN and len(longer.moves) == 16
    assert match.end(DRAW, "agreed").reason == "agreed"


def test_players_end_a_match() -> None:
    match = Match().play("11-15")
    assert match.draw == "" and match.end("0-1", "Black resigned").reason == "Black resigned"
    assert match.end(DRAW).reason == "agreed" and match.end(DRAW).over
    assert match.end("1-0").undo(0) == match, "open again"
    with pytest.raises(AbvizError, match="unknown result '2-0'"):
        match.end("2-0")


# the real games


def test_all_real_games_become_matches(real: list[Match]) -> None:
    games = read_pdn(GAMES)
    assert len(real) == len(games) == 430 and sum(len(match.moves) for match in real) == 23_519
    assert [match.result for match in real] == [game.result for game in games]
    ended = [match for match in real if not match.position.moves()]
    assert len(ended) == 20
    assert all(match.reason.endswith("has no legal move") for match in ended)
    for match in real:  # read by the slow rules too
        if match.start == Checkers.start() and not match.position.moves():
            last = SlowCheckers.from_fen(match.position.fen)
            assert not list(last.moves()) and match.result == {"B": "0-1", "W": "1-0"}[last.turn]


def test_a_real_game_goes_on_where_a_draw_could_have_been_claimed(real: list[Match]) -> None:
    could = {
        number: [plies for plies in range(len(match.plies) + 1) if match.undo(len(match.plies) - plies).draw]
        for number, match in enumerate(real, 1)
    }
    assert {number: plies for number, plies in could.items() if plies} == {1: [128, 129], 2: [165], 372: [105]}
    assert (len(real[371].plies), real[371].result, real[371].reason) == (134, "0-1", RECORDED)
    assert (real[1].result, real[1].reason) == (DRAW, "the same position for the third time")
    with pytest.raises(AbvizError, match=r"the match is over .*third time"):
        played(real[371].moves, Checkers.start())


def test_all_real_games_are_written_and_read_back(real: list[Match]) -> None:
    assert read_matches("\n".join(match.pdn() for match in real)) == real


# PDN


def test_a_match_is_one_game_of_pdn() -> None:
    match = Match.from_pdn('[Event "A"]\n[Result "1-0"]\n\n1. 11-15 23-18 2. 8-11 {a comment} 1-0')
    assert match.moves == ("11-15", "23-18", "8-11") and match.tags == {"Event": "A"}
    assert (match.result, match.reason, match.claims) == ("1-0", RECORDED, False)
    assert match.pdn({"Black": "Anna"}) == (
        '[Event "A"]\n[Black "Anna"]\n[Result "1-0"]\n\n1. 11-15 23-18 2. 8-11 1-0\n'
    )
    with pytest.raises(AbvizError, match=r"two\.pdn holds 2 games; expected one, or read_matches"):
        Match.from_pdn("1. 11-15 * 1. 12-16 1-0", "two.pdn")


def test_a_match_from_another_start_takes_it_along() -> None:
    match = Match(Checkers.from_fen("W:W32,24,K10:B14,20,K7"), tags={"Event": "An ending"}).play("10x3").play("20x27")
    assert '[FEN "W:W24,32,K10:B14,20,K7"]' in match.pdn() and "1... 10x3 2. 20x27" in match.pdn()
    assert Match.from_pdn(match.pdn()) == match


def test_a_jump_with_two_ways_between_its_ends_is_told_apart() -> None:
    start = Checkers.from_fen("B:W6,7,14,15,23,32:B2")
    names = start.moves()
    assert names == ["2x9x18x27", "2x11x18x27"]
    for name in names:
        match = Match(start).play(name)
        assert Match.from_pdn(match.pdn()) == match and match.moves == (name,)


@pytest.mark.parametrize("tag", ["Result", "FEN", "SetUp", "result"])
def test_tags_that_the_match_knows_cannot_be_told(tag: str) -> None:
    with pytest.raises(AbvizError, match=f"the tag {tag} is told; expected others"):
        Match().pdn({tag: "1-0"})


def test_a_move_that_is_not_legal_is_told_with_its_place() -> None:
    text = "1. 11-15 23-19 1-0\n\n1. 11-15 23-19 2. 8-11\n22-17 3. 4-9 1-0"
    with pytest.raises(AbvizError) as caught:
        read_matches(text, "club.pdn")
    told = str(caught.value)
    assert told.startswith("club.pdn, line 4: game 2, move 3 of Black: 4-9 is no legal move; expected one of ")
    assert "11-16" in told and "4-8" in told and "\n" not in told
    with pytest.raises(AbvizError, match="line 1: game 1, move 1 of White: 11-15 is no legal move"):
        read_matches('[FEN "W:W32:B1"] 11-15')
    with pytest.raises(AbvizError, match=r"line 1: game 1, move 1 of White: '1-5' cannot be played: the match is over"):
        read_matches('[FEN "B:W10:BK6"] 6x15 1-5')


def test_a_result_that_contradicts_the_board_is_refused() -> None:
    record = '[FEN "B:W10:BK6"]\n\n1. 6x15 '
    assert Match.from_pdn(record + "*").result == "1-0"
    with pytest.raises(
        AbvizError, match=r"x.pdn, line 1: game 1 has the result 0-1; the board says 1-0 \(White has no"
    ):
        Match.from_pdn(record + "0-1", "x.pdn")


# any game


def test_tic_tac_toe_is_a_match_too() -> None:
    match = played(["b2", "a1", "c3", "c1", "b1", "b3", "a2", "c2", "a3"], TicTacToe.start())
    assert (match.result, match.reason) == (DRAW, "nobody has won")
    won = played(["b2", "a1", "c2", "c1", "a2"], TicTacToe.start())
    assert (won.result, won.reason) == ("1-0", "x has won")
    assert played(["a1", "b2", "c3", "b1", "a3", "b3"], TicTacToe.start()).reason == "o has won"
    with pytest.raises(AbvizError, match="a match of TicTacToe; expected checkers, which alone has PDN"):
        won.pdn()


@game(patience=3)
class Walk(NamedTuple):
    """Step 1 or 2; who reaches 9 has won, but a step of 1 is no progress."""

    at: int = 0
    who: int = 0

    def moves(self, found: Any) -> None:
        if self.at < 9:
            found.add(1)
            found.add(2)

    def play(self, move: int) -> "Walk":
        return Walk(self.at + move, 1 - self.who)

    def is_max(self) -> bool:
        return self.who == 0

    def over(self) -> bool:
        return self.at >= 9

    def value(self) -> int:
        return 1 if self.who == 1 else -1

    def progress(self, move: int) -> bool:
        return move == 2


def test_a_students_game_is_a_match_too() -> None:
    match = played("22122", Walk())
    assert (match.result, match.reason) == ("1-0", "MAX has won")
    assert "1. 2 2 2. 1 2 3. 2" in str(match) and match.svg() is None
    assert (played("2111", Walk()).result, played("2111", Walk()).reason) == (DRAW, "3 plies without progress")
    assert played("2112", Walk()).result == OPEN
    finished = played("111", Walk(at=6))  # the third ply without progress, and the end of the game
    assert (finished.result, finished.reason) == ("1-0", "MAX has won")
    with pytest.raises(AbvizError, match="unknown move '3'"):
        Match(Walk()).play("3")


# how it shows itself


def test_as_text_it_tells_the_players_the_moves_the_board_and_the_end() -> None:
    match = Match(tags={"Black": "Anna", "White": "Ben"}).play("11-15").play("23-19").end("1-0", "White resigned")
    lines = str(match).splitlines()
    assert lines[:2] == ["Black: Anna, White: Ben", "1. 11-15 23-19"]
    assert "\n".join(lines[2:-1]) == str(match.position) and lines[-1] == "1-0: White resigned"
    assert repr(match) == "<Match of Checkers: 2 moves, 1-0>"


def test_a_line_never_ends_with_a_number(real: list[Match]) -> None:
    for match in real[:20]:
        lines = [line for line in str(match).split("┌")[0].splitlines() if line.startswith(tuple("123456789"))]
        assert all(len(line) <= 79 and not line.endswith(".") for line in lines)
        assert tuple(word for word in " ".join(lines).split() if not word.endswith(".")) == match.moves


def test_the_picture_marks_the_last_move() -> None:
    match = Match().play("11-15")
    assert match.svg() == board_svg(match.position.placement, last=(11, 15))
    assert Match().svg() == board_svg(Checkers.start().placement)
    assert match._repr_mimebundle_() == {"text/plain": str(match), "image/svg+xml": match.svg()}
    cross = Match(TicTacToe.start()).play("c3")  # at the top on the right
    assert cross.svg() == tic_tac_toe_svg("..x......", last=2) != tic_tac_toe_svg("..x......")
    assert Match(TicTacToe.start()).svg() == tic_tac_toe_svg(".........")


def test_the_mark_of_a_jump_runs_along_its_way() -> None:
    match = Match(Checkers.from_fen("B:W18,26:BK14,1")).play("14x30")
    assert match.svg() == board_svg(match.position.placement, last=(14, 23, 30))


def test_a_match_needs_no_compiler() -> None:
    code = "import sys, abviz.games.match as m; print(m.Match().play('11-15').moves, 'numba' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "('11-15',) False\n", done.stderr


def test_moves_are_those_of_the_rules(real: list[Match]) -> None:
    for match in real[::40]:
        for before, ply in zip(match.positions, match.plies, strict=False):
            assert ply.move in legal_moves(before) and before.play(ply.move) == ply.position
