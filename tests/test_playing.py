"""Real-time play: the players, their matches, and contests with sides exchanged."""

import random
import time
from typing import Any, NamedTuple

import pytest

from abviz import AbvizError, Checkers, TicTacToe, search
from abviz.engine import Player, Result, contest, play
from abviz.games.match import DRAW, Match
from abviz.games.rules import game
from abviz.games.rules import DEEPEST


@game
class Take(NamedTuple):
    """Take one, two or three; who takes the last has won."""

    left: int = 10
    who: int = 0

    def moves(self, found: Any) -> None:
        for taken in range(1, min(3, self.left) + 1):
            found.add(taken)

    def play(self, move: int) -> "Take":
        return Take(self.left - move, 1 - self.who)

    def is_max(self) -> bool:
        return self.who == 0

    def over(self) -> bool:
        return self.left == 0

    def value(self) -> int:
        return 1 if self.who == 1 else -1


def at_random(seed: int) -> Any:
    chance = random.Random(seed)

    def chooser(position: Any) -> str:
        return chance.choice(position.moves())

    return chooser


# a player


def test_a_player_chooses_what_a_search_finds() -> None:
    position = Checkers.start().play("11-15")
    found = search(position, 7, table=False, weights={"men": 120})
    player = Player(7, table=False, weights={"men": 120})
    for asked in (position, Match().play("11-15")):
        chosen = player.choose(asked)
        assert (chosen.move, chosen.value, chosen.line, chosen.nodes) == (
            found.move,
            found.value,
            found.line,
            found.nodes,
        )


def test_a_player_without_a_depth_looks_as_far_as_its_limit_lets_it() -> None:
    assert (Player().depth, Player(seconds=1).depth, Player(3, nodes=9).depth) == (12, DEEPEST, 3)
    chosen = Player(nodes=5_000).choose(Checkers.start())
    assert 1 < chosen.depth < DEEPEST and not chosen.finished
    assert 5_000 <= chosen.nodes < 5_100, "some are counted on the way back"
    begin = time.perf_counter()
    assert Player(seconds=0.2).choose(Checkers.start()).depth > 1
    assert 0.19 < time.perf_counter() - begin < 20  # to the end it would take hours


def test_players_have_names() -> None:
    told = [Player(), Player(6), Player(seconds=0.5), Player(6, table=False), Player(6, name="Anna"), Player(nodes=9)]
    names = ["depth 12", "depth 6", "seconds 0.5", "depth 6, table False", "Anna", "nodes 9"]
    assert [player.name for player in told] == names and repr(told[4]) == "<Player Anna>"


def test_the_only_move_is_played_at_once() -> None:
    position = Checkers.from_fen("B:W18,27,32:B14,1,2,3")
    assert position.moves() == ["14x23"]
    begin = time.perf_counter()
    chosen = Player(seconds=20).choose(position)
    assert time.perf_counter() - begin < 10
    assert (chosen.move, chosen.value, chosen.depth, chosen.nodes, chosen.finished) == ("14x23", None, 0, 0, True)
    assert chosen.to_dict()["move"] == "14x23" and "14x23" in str(chosen)


def test_who_does_not_want_to_wait_takes_the_search() -> None:
    running = Player(60).search(Match()).start()
    running.stop()
    assert running.result().finished is False


@pytest.mark.parametrize(
    "told, says",
    [({"depth": 0}, "depth is 0"), ({"tabel": False}, "unknown switch 'tabel'"), ({"seconds": 0}, "seconds is 0")],
)
def test_a_player_who_cannot_be_is_refused(told: Any, says: str) -> None:
    with pytest.raises(AbvizError, match=says):
        Player(**told).choose(Checkers.start())


def test_nobody_chooses_where_the_game_is_over() -> None:
    with pytest.raises(AbvizError, match="the game is over"):
        Player(3).choose(Checkers.from_fen("W:WK10:B6").play("10x1"))
    with pytest.raises(AbvizError, match="is no position of a game"):
        Player(3).choose("11-15")


# a match


def test_a_match_holds_what_both_had_found() -> None:
    match = play(Player(5), Player(3), plies=40)
    assert len(match.searches) == len(match.moves) == 40 and match.result == "*"
    assert match.reason == "stopped after 40 plies" and match.over is False
    for before, move, found, ply in zip(match.positions, match.moves, match.searches, range(40), strict=False):
        assert isinstance(found, Result) and found.position == before and found.move == move
        assert found.depth == (0 if len(before.moves()) == 1 else 3 if ply % 2 else 5)
        if len(before.moves()) > 1:
            again = search(before, 3 if ply % 2 else 5)
            assert (again.move, again.value, again.nodes) == (found.move, found.value, found.nodes)


def test_a_match_is_the_same_each_time() -> None:
    for one, other in [(Player(4), Player(2)), (Player(nodes=3_000), Player(nodes=1_000))]:
        match, again = play(one, other), play(one, other)
        assert match == again and [found.value for found in match.searches] == [found.value for found in again.searches]
        assert match.over and match.pdn() == again.pdn()


def test_the_pdn_names_both_and_can_be_read_back() -> None:
    match = play(Player(3, name="Anna"), Player(2, name="Ben"))
    assert match.over and match.tags == {"Black": "Anna", "White": "Ben"}
    text = match.pdn({"Event": "Club"})
    assert '[Black "Anna"]' in text and '[White "Ben"]' in text and f'[Result "{match.result}"]' in text
    assert Match.from_pdn(match.pdn()) == match


def test_a_search_beats_one_that_moves_at_random() -> None:
    match = play(Player(5), at_random(1))
    assert match.result == "1-0" and match.tags == {"Black": "depth 5", "White": "chooser"}
    assert match.searches[1::2] == (None,) * (len(match.moves) // 2)


def test_the_first_is_max_whoever_begins() -> None:
    start = Checkers.from_fen("W:W32,31,30:BK1,K2,K3,K4,K5")
    match = play(Player(5, name="many"), at_random(1), start)
    assert match.tags == {"Black": "many", "White": "chooser"} and match.searches[0] is None
    assert match.result == "1-0"


def test_a_match_goes_on_from_an_opening() -> None:
    opening = Match.from_pdn('[Event "Book"]\n\n1. 11-15 23-19 2. 8-11 1/2-1/2')
    match = play(Player(2), Player(2), opening, plies=9)
    assert match.moves[:3] == opening.moves and len(match.moves) == 9 and match.searches[:3] == (None,) * 3
    assert match.tags == {"Event": "Book", "Black": "depth 2", "White": "depth 2"} and match.claims


def test_players_claim_their_draws() -> None:
    steps = iter(["1-6", "29-25", "6-1", "25-29"] * 3)
    match = play(lambda position: next(steps), lambda position: next(steps), Checkers.from_fen("B:WK29:BK1"))
    assert (match.result, match.reason) == (DRAW, "the same position for the third time")


def test_tic_tac_toe_from_the_empty_board_is_a_draw() -> None:
    match = play(Player(9), Player(9), TicTacToe.start())
    assert (match.result, len(match.moves)) == (DRAW, 9) and match.tags == {"x": "depth 9", "o": "depth 9"}
    for seed in range(10):
        assert play(Player(9), at_random(seed), TicTacToe.start()).result in ("1-0", DRAW)
        assert play(at_random(seed), Player(9), TicTacToe.start()).result in ("0-1", DRAW)


def test_a_students_game_is_played() -> None:
    match = play(Player(10), at_random(2), Take())
    assert match.result == "1-0" and match.reason == "MAX has won" and match.moves[0] == "2", "leaves a multiple of 4"
    assert all(position.left % 4 == 0 for position in match.positions[1::2])


# functions that play


@pytest.mark.parametrize(
    "answer, says", [("11-16-19", "11-16-19 is no legal move"), (None, "the move is None"), (5, "5")]
)
def test_a_function_that_makes_no_move_is_named(answer: Any, says: str) -> None:
    def carl(position: Any) -> Any:
        return answer

    with pytest.raises(AbvizError) as caught:
        play(Player(2, name="Anna"), carl)
    told = str(caught.value)
    assert told.startswith("carl (White), ply 2: ") and says in told and "expected" in told
    assert len(told.splitlines()) == 1


def test_what_a_function_raises_is_its_own() -> None:
    def broken(position: Any) -> str:
        return position.no_such_thing

    with pytest.raises(AttributeError, match="no_such_thing"):
        play(broken, Player(1))


@pytest.mark.parametrize("player", [None, "Anna", 3])
def test_who_is_no_player_is_refused(player: Any) -> None:
    with pytest.raises(AbvizError, match="expected a Player, or a function of a position"):
        play(Player(1), player)


def test_bad_limits_and_starts_are_refused() -> None:
    for plies in (0, -1, True, 1.5):
        with pytest.raises(AbvizError, match="plies is"):
            play(Player(1), Player(1), plies=plies)
    with pytest.raises(AbvizError, match="no position of a game"):
        play(Player(1), Player(1), "start")
    assert play(Player(1), Player(1), Checkers.from_fen("B:WK10:B")).result == "0-1", "over before it begins"


# contests


def test_a_contest_exchanges_sides_and_keeps_score() -> None:
    found = contest(Player(4), at_random(3), [Checkers.start(), Match().play("9-13")])
    assert found.names == ("depth 4", "chooser") and [match.result for match in found.matches] == ["1-0", "0-1"] * 2
    assert [match.tags["Black"] for match in found.matches] == ["depth 4", "chooser"] * 2
    assert [match.moves[:1] for match in found.matches[2:]] == [("9-13",)] * 2
    assert found.scores == ((1, 0),) * 4 and found.score == (4, 0)
    lines = repr(found).splitlines()
    assert lines[0].split() == ["Black", "White", "result", "plies"] and lines[-1] == "depth 4: 4, chooser: 0"
    assert len(lines) == 6 and len({line.index("-") for line in lines[1:5]}) == 1, "columns"


def test_a_contest_of_draws_and_of_matches_that_were_stopped() -> None:
    drawn = contest(Player(9), Player(9, name="other"), TicTacToe.start())
    assert drawn.scores == ((0.5, 0.5),) * 2 and drawn.score == (1, 1)
    stopped = contest(Player(1), Player(1), plies=3)
    assert stopped.score == (0, 0) and "stopped after 3 plies" in repr(stopped)
    with pytest.raises(AbvizError, match="there are no starts"):
        contest(Player(1), Player(1), [])


def test_deeper_is_better() -> None:
    openings = [Match().play(move) for move in Checkers.start().moves()[:3]]
    found = contest(Player(5), Player(1), openings)
    assert found.score[0] > 2 * found.score[1], found
