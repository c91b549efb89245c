"""The slow rules of checkers themselves: against published counts, one position for each rule, and real games."""

import re
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
import yaml

from tests.slow_checkers import (
    KING_ROW,
    OTHER,
    SPOT,
    Move,
    SlowCheckers,
    colour,
    random_game,
    random_placement,
    random_position,
    random_tangle,
)

DATA = Path(__file__).parent / "data"
KNOWN = yaml.safe_load((DATA / "perft_checkers.yaml").read_text("utf-8"))
# Counts up to this are recounted here, deeper ones are left to faster rules.
AFFORDABLE = 100_000


def at(fen: str) -> SlowCheckers:
    return SlowCheckers.from_fen(fen)


def paths(fen: str) -> set[tuple[int, ...]]:
    return {move.path for move in at(fen).moves()}


def after(fen: str, *path: int) -> str:
    [move] = [move for move in at(fen).moves() if move.path == path]
    return at(fen).play(move).fen()


# Published counts


@pytest.mark.parametrize("known", KNOWN["perft"], ids=lambda known: known["name"])
def test_the_published_number_of_ways(known):
    position = at(known["fen"])
    assert len(known["perft"]) == len(known["unique"])
    for count, published in [(position.perft, known["perft"]), (position.perft_unique, known["unique"])]:
        affordable = [number for number in published if number <= AFFORDABLE]
        assert [count(depth) for depth in range(1, len(affordable) + 1)] == affordable


@pytest.mark.parametrize("known", [*KNOWN["perft"], *KNOWN["results"]], ids=lambda known: known["fen"])
def test_a_known_position_is_written_as_it_is_read(known):
    assert at(known["fen"]).fen() == known["fen"]


def test_the_start_is_the_known_one():
    assert SlowCheckers.start().fen() == KNOWN["perft"][0]["fen"]


@pytest.mark.parametrize("known", KNOWN["results"], ids=lambda known: known["fen"])
def test_a_known_result_is_of_moves_that_there_are(known):
    moves = {"-".join(map(str, path)) for path in paths(known["fen"])}
    assert moves
    assert set(known.get("best", [])) <= moves


# The board


def test_black_moves_first_and_towards_higher_numbers():
    assert {move.path for move in SlowCheckers.start().moves()} == {
        *[(9, 13), (9, 14), (10, 14), (10, 15), (11, 15), (11, 16), (12, 16)],
    }
    assert paths("W:W21,22,23,24:B1") == {(21, 17), (22, 17), (22, 18), (23, 18), (23, 19), (24, 19), (24, 20)}


def test_a_square_at_the_side_has_one_neighbour_ahead():
    assert paths("B:W32:B4,5,12,13,20,21") == {(4, 8), (5, 9), (12, 16), (13, 17), (20, 24), (21, 25)}


def test_a_king_steps_in_four_directions():
    assert paths("B:W32:BK18") == {(18, 14), (18, 15), (18, 22), (18, 23)}


# One position for each rule


def test_capturing_is_compulsory():
    assert at("B:W18,32:B1,14").steps()
    assert at("B:W18,32:B1,14").moves() == [Move((14, 23), frozenset({18}))]
    assert after("B:W18,32:B1,14", 14, 23) == "W:W32:B1,23"


def test_any_capture_may_be_chosen():
    assert paths("B:W16,18,27:B12,14") == {(12, 19), (14, 23, 32)}, "also the one that takes fewer"


def test_a_capture_must_be_completed():
    assert paths("B:W18,27:B14") == {(14, 23, 32)}


def test_a_jump_needs_an_enemy_with_an_empty_square_behind():
    assert not at("B:W32:B14,18").jumps()
    assert not at("B:W18,23:B14").jumps()
    assert not at("B:W18:B14,23").jumps()
    assert not at("B:W21,25:B17").jumps(), "the edge of the board is no empty square"


def test_a_man_who_reaches_the_king_row_is_crowned_and_stops():
    assert paths("B:W26,27:B22") == {(22, 31)}
    assert after("B:W26,27:B22", 22, 31) == "W:W27:BK31"
    assert paths("B:W26,27:BK22") == {(22, 31, 24)}, "a king goes on"
    assert paths("W:W11:B6,7") == {(11, 2)}
    assert after("W:W11:B6,7", 11, 2) == "B:WK2:B6"
    assert after("B:W5:B28", 28, 32) == "W:W5:BK32"
    assert after("W:W5:B28", 5, 1) == "B:WK1:B28"


def test_nobody_is_crowned_on_his_own_side_or_loses_his_crown():
    assert after("B:W32:BK7", 7, 3) == "W:W32:BK3"
    assert after("W:WK26:B1", 26, 31) == "B:WK31:B1"
    assert after("B:W5:BK27", 27, 31) == "W:W5:BK31"


def test_men_capture_forwards_only():
    assert not at("B:W15:B19").jumps()
    assert not at("W:W15:B19").jumps()
    assert paths("B:W15:BK19") == {(19, 10)}
    assert paths("W:WK15:B19") == {(15, 24)}


def test_no_man_is_captured_twice():
    assert paths("B:W11:BK7") == {(7, 16)}
    assert paths("W:WK7:B10,11,18,19") == {(7, 14, 23, 16, 7), (7, 16, 23, 14, 7)}, "once round and not on"


def test_a_captured_piece_never_stands_where_its_jump_could_land():
    # So "captured men block until the jump is over" shows only in this, that none is captured twice.
    rng = Random(1)
    for _ in range(500):
        for move in random_tangle(rng).jumps():
            assert not {SPOT[square][0] % 2 for square in move.path} & {SPOT[square][0] % 2 for square in move.captured}


def test_the_square_that_a_piece_has_left_is_empty_during_its_jump():
    fen = "W:WK7,32:B10,11,18,19"
    assert paths(fen) == {(7, 14, 23, 16, 7), (7, 16, 23, 14, 7)}
    assert after(fen, 7, 14, 23, 16, 7) == after(fen, 7, 16, 23, 14, 7) == "B:WK7,32:B"
    assert paths("B:W14,15,22,23:BK10") == {(10, 17, 26, 19, 10), (10, 19, 26, 17, 10)}


def test_no_move_is_a_loss():
    assert at("W:W13:B6,9").winner() == "B", "shut in"
    assert at("W:W:B6").winner() == "B", "nothing left"
    assert at("B:W6:B").winner() == "W"
    assert SlowCheckers.start().winner() is None


def test_jumps_of_one_start_and_end_are_one_way_only_if_they_capture_the_same():
    assert (at("W:W32,K7:B10,11,18,19").perft(1), at("W:W32,K7:B10,11,18,19").perft_unique(1)) == (2, 1)
    in_a_real_game = at("B:W7,15,16,19,23,24,26,30,32:B2,3,5,6,12,13")
    assert {move.path for move in in_a_real_game.moves()} == {(2, 11, 18, 27), (2, 11, 20, 27), (3, 10)}
    assert in_a_real_game.perft_unique(1) == 3


# Reading and writing


def test_a_position_is_the_same_however_it_is_written():
    assert at("W:B7,8:W32,K10") == at("W:W32,K10:B8,7.") == SlowCheckers("W", {8: "b", 7: "b", 32: "w", 10: "W"})
    assert at("W:B7,8:W32,K10").fen() == "W:WK10,32:B7,8"
    assert at("B:W:B").pieces == ()


@pytest.mark.parametrize(
    "bad", ["-", "W:W1", "R:W1:B2", "W:W1:W2", "W:W33:B1", "W:W0:B1", "W:W1,:B2", "W:W1:B1", "W:W5,5:B1"]
)
def test_what_is_no_position_is_refused(bad):
    with pytest.raises(ValueError, match=re.escape(bad)):
        at(bad)


# Random positions


def turned(position: SlowCheckers) -> SlowCheckers:
    """The board turned round and the colours changed."""
    return SlowCheckers(OTHER[position.turn], {33 - square: swapped(kind) for square, kind in position.pieces})


def swapped(kind: str) -> str:
    return kind.translate(str.maketrans("bwBW", "wbWB"))


def test_the_rules_are_the_same_for_both_sides():
    rng = Random(2)
    for position in [random_placement(rng) for _ in range(300)] + [random_tangle(rng) for _ in range(300)]:
        moves = {
            Move(tuple(33 - square for square in move.path), frozenset(33 - square for square in move.captured))
            for move in position.moves()
        }
        assert set(turned(position).moves()) == moves


def test_every_move_is_one_and_leaves_what_it_should():
    rng = Random(3)
    for _ in range(300):
        position = random_tangle(rng)
        moves = position.moves()
        assert len(set(moves)) == len(moves)
        for move in moves:
            later = position.play(move)
            assert later.turn != position.turn
            assert {square for square, _ in position.pieces} - move.captured - {move.path[0]} == {
                square for square, _ in later.pieces
            } - {move.path[-1]}


def test_random_positions_are_what_they_say():
    rng = Random(4)
    placed = [random_placement(rng) for _ in range(3000)] + [random_tangle(rng) for _ in range(500)]
    for position in placed:
        sides = [colour(kind) for _, kind in position.pieces]
        assert 1 <= sides.count("B") <= 12 and 1 <= sides.count("W") <= 12
        assert all(SPOT[square][0] != KING_ROW.get(kind) for square, kind in position.pieces)
    assert {position.turn for position in placed} == {"B", "W"}
    jumps = [move for position in placed for move in position.jumps()]
    assert max(len(move.captured) for move in jumps) == 9
    assert any(move.path[0] == move.path[-1] for move in jumps), "some go round"
    assert any(position.perft(1) > position.perft_unique(1) for position in placed)
    assert any(position.winner() for position in placed)


def test_a_random_game_is_played_move_by_move_and_comes_again_with_its_seed():
    game = list(random_game(Random(5), 30))
    assert game[0] == SlowCheckers.start()
    for position, later in pairwise(game):
        assert later in [position.play(move) for move in position.moves()]
    assert len(game) == 31
    assert random_position(Random(5), 30) == game[-1]
    assert list(random_game(Random(6), 2000))[-1].winner()


# Real games


def real_games() -> list[tuple[dict[str, str], list[str]]]:
    """Each game's tags and its moves as they are spelled; enough of PDN for games.pdn, which is plain."""
    text = (DATA / "games.pdn").read_text("utf-8")
    games = []
    for part in re.split(r"\n(?=\[Event )", text):
        tags, _, moves = part.partition("\n\n")
        words = [word for word in moves.split() if not word.endswith(".")]
        games.append((dict(re.findall(r'\[(\w+) "(.*)"\]', tags)), words))
    return games


def test_every_move_of_the_real_games_is_legal():
    plies = lost = 0
    games = real_games()
    for tags, (*moves, result) in games:
        assert tags["Result"] == result
        assert tags["Source"]
        position = SlowCheckers.start()
        for move in moves:
            path = tuple(map(int, re.split("[-x]", move)))
            ends = [legal for legal in position.moves() if (legal.path[0], legal.path[-1]) == (path[0], path[-1])]
            [played] = ends if len(ends) == 1 else [legal for legal in ends if legal.path == path]
            assert bool(played.captured) == ("x" in move)
            position = position.play(played)
        plies += len(moves)
        if winner := position.winner():
            lost += 1
            assert result == {"B": "1-0", "W": "0-1"}[winner]
    assert (len(games), plies, lost) == (430, 23_519, 20)
