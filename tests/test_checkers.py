"""The rules of checkers: published counts, slow rules written apart, real games, and a position for
each rule.

The rules run as Python and compiled; both are tested, and so are the slow rules.
"""

import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import numba
import numpy as np
import pytest
import yaml

from abviz import AbvizError, Checkers, perft
from abviz.engine import plain
from abviz.engine.compiler import engine
from abviz.engine.storage import new_work
from abviz.games import generated_moves
from abviz.games.checkers import WEIGHTS
from abviz.games.notation import read_move
from abviz.games.rules import WIDTH, MoveList, new_move_list
from abviz.play import Match, read_matches
from tests.slow_checkers import (
    OTHER,
    SPOT,
    Move,
    SlowCheckers,
    colour,
    random_game,
    random_placement,
    random_tangle,
)

DATA = Path(__file__).parent / "data"
KNOWN = yaml.safe_load((DATA / "perft_checkers.yaml").read_text("utf-8"))
# Counts up to these are recounted
FAST, COMPILED, IN_PYTHON, SLOW = 3_000_000, 400_000_000, 10_000, 20_000
RANDOM_POSITIONS, IN_ALL = 1_000, 20_000  # of each kind, in the fast tests and in the long ones


# published counts


@pytest.mark.parametrize(
    "most",
    [
        pytest.param(FAST, marks=pytest.mark.quick),
        pytest.param(COMPILED, marks=pytest.mark.slow),
    ],
)
@pytest.mark.parametrize("case", KNOWN["perft"], ids=lambda case: case["name"])
def test_published_counts(case: dict[str, Any], most: int) -> None:
    position, slow, work = (
        Checkers.from_fen(case["fen"]),
        SlowCheckers.from_fen(case["fen"]),
        new_work(),
    )
    for depth, (count, unique) in enumerate(zip(case["perft"], case["unique"], strict=True), 1):
        if count <= most:
            assert (perft(position, depth), perft(position, depth, unique=True)) == (count, unique)
        if count <= IN_PYTHON:
            # numpy's ints: popcount multiplies them beyond 64 bits
            with np.errstate(over="ignore"):
                assert plain.perft(position, depth, work, 0) == count
        if count <= SLOW:
            assert (slow.perft(depth), slow.perft_unique(depth)) == (count, unique)


# random positions, against the slow rules

BIT = {square: 1 << (square - 1 + (square - 1) // 8) for square in range(1, 33)}


def fast(slow: SlowCheckers) -> Checkers:
    sides, kings = {"B": 0, "W": 0}, 0
    for square, kind in slow.pieces:
        sides[colour(kind)] |= BIT[square]
        kings |= BIT[square] if kind.isupper() else 0
    return Checkers(sides["B"], sides["W"], kings, "BW".index(slow.turn))


def mask(move: Move) -> int:
    """The move as the docstring of Checkers defines it."""
    start, end = BIT[move.path[0]], BIT[move.path[-1]]
    around = 0 if start != end else (start.bit_length() - 1) << 36
    return start ^ end | sum(BIT[square] for square in move.captured) | around


def of_games(rng: Random) -> Iterator[SlowCheckers]:
    while True:
        yield from random_game(rng, 120)


def endless(kind: Any, rng: Random) -> Iterator[SlowCheckers]:
    while True:
        yield kind(rng)


KINDS = {
    "games": of_games,
    "placements": lambda rng: endless(random_placement, rng),
    "tangles": lambda rng: endless(random_tangle, rng),
}


def random_positions(seed: int, number: int) -> Iterator[tuple[SlowCheckers, Checkers]]:
    for kind in KINDS.values():
        for slow in islice(kind(Random(seed)), number // 3):
            yield slow, fast(slow)


FIELDS = [("moves", (WIDTH,)), ("gains", (WIDTH,)), ("children", (WIDTH, 4)), ("features", (5,))]
ANSWERS = np.dtype(
    [(name, np.int64) for name in ("total", "count", "over", "value", "hot", "is_max", "key")]
    + [(name, np.int64, shape) for name, shape in FIELDS]
)


def ask(position: Any, w: Any, answers: Any) -> None:
    """Ask every rule of one position: compiled, and with Python's stand-ins for the arrays as
    Python.
    """
    w.count[0] = 0
    answers.count = position.count(MoveList(w, 0))
    answers.over, answers.value, answers.hot = position.over(), position.value(), position.hot()
    answers.is_max, answers.key = position.is_max(), position.key()
    features = position.features()
    for i in range(len(features)):
        answers.features[i] = features[i]
    w.count[0] = 0
    position.moves(MoveList(w, 0))
    answers.total = w.count[0]
    for i in range(w.count[0]):
        move = w.moves[0, i]
        answers.moves[i], answers.gains[i] = move, position.gain(move)
        child = position.play(move)
        for j in range(4):
            answers.children[i, j] = child[j]


@pytest.fixture(scope="module")
def compiled() -> Any:
    engine(Checkers)  # from now on compiled code can call the rules
    function, work = numba.njit(ask), new_work()

    def ask_compiled(position: Checkers) -> Any:
        answers = np.zeros(1, ANSWERS).view(np.recarray)[0]
        function(position, work, answers)
        return answers

    return ask_compiled


@pytest.mark.parametrize(
    "number",
    [
        pytest.param(RANDOM_POSITIONS, marks=pytest.mark.quick),
        pytest.param(IN_ALL, marks=pytest.mark.slow),
    ],
)
@pytest.mark.parametrize("kind", KINDS)
def test_the_slow_rules_agree(kind: str, number: int, compiled: Any) -> None:
    jumps = around = 0
    for slow in islice(KINDS[kind](Random(kind)), number):
        position = fast(slow)
        answers, moves = compiled(position), slow.moves()
        n = int(answers.total)
        rows = zip(
            answers.moves[:n].tolist(),
            answers.gains[:n].tolist(),
            answers.children[:n].tolist(),
            strict=True,
        )
        expected = [(mask(move), len(move.captured), list(fast(slow.play(move)))) for move in moves]
        assert sorted(rows) == sorted(expected), slow.fen()
        assert answers.moves[:n].tolist() == generated_moves(position), slow.fen()
        assert answers.key == position.key() and answers.count == position.count(new_move_list()), (
            slow.fen()
        )
        assert answers.count == n and answers.over == (not moves), slow.fen()
        assert moves or answers.value == (1 if OTHER[slow.turn] == "B" else -1), slow.fen()
        assert answers.hot == any(move.captured for move in moves), slow.fen()
        assert answers.is_max == (slow.turn == "B"), slow.fen()
        assert answers.features.tolist() == recount(slow) == list(position.features()), slow.fen()
        jumps += answers.hot
        around += any(move >> 36 for move in answers.moves[:n].tolist())
    assert jumps > number / 10 and (around > number / 100 or kind != "tangles")


def recount(slow: SlowCheckers) -> list[int]:
    """Men, kings, rows advanced, center, bridge: Black's minus White's, piece by piece."""
    totals = dict.fromkeys(WEIGHTS, 0)
    for square, kind in slow.pieces:
        row, column = SPOT[square]
        sign = 1 if colour(kind) == "B" else -1
        totals["kings" if kind.isupper() else "men"] += sign
        totals["center"] += sign * (2 <= row <= 5 and 2 <= column <= 5)
        if kind.islower():
            totals["advance"] += sign * (row if sign > 0 else 7 - row)
            totals["bridge"] += sign * (square in ((1, 3) if sign > 0 else (30, 32)))
    return list(totals.values())


def test_positions_survive_fen() -> None:
    for slow, position in random_positions(12, 1_500):
        assert SlowCheckers.from_fen(position.fen) == slow and position.pieces == dict(slow.pieces)
        assert Checkers.from_fen(slow.fen()) == position


# real games


def replay(match: Match) -> int:
    """Play a game by both rules, and return its number of moves."""
    position, slow = match.start, SlowCheckers.from_fen(match.start.fen)
    for move in match.moves:
        squares = read_move(move)
        ends = [
            each
            for each in slow.moves()
            if (each.path[0], each.path[-1]) == (squares[0], squares[-1])
        ]
        exact = [each for each in ends if len(squares) == 2 or each.path == squares]
        [played] = {each.outcome: each for each in exact}.values()
        slow, position = slow.play(played), position.play(move)
        assert position == fast(slow)
    assert position.over() == (slow.winner() is not None)
    if position.over():
        assert match.result == {1: "1-0", -1: "0-1"}[position.value()]
    return len(match.moves)


@pytest.mark.parametrize(
    ("name", "games", "plies"), [("games.pdn", 430, 23_519), ("games_quirks.pdn", 2, 92)]
)
def test_all_real_games_are_replayed(name: str, games: int, plies: int) -> None:
    lengths = [replay(match) for match in read_matches((DATA / name).read_bytes())]
    assert (len(lengths), sum(lengths)) == (games, plies)


# the rules one by one

RULES = {  # all legal moves, and the position after a move
    "any capture may be chosen": ("B:W16,18,27:B12,14", "12x19 14x32", "12x19", "W:W18,27:B14,19"),
    "a capture is completed": ("B:W18,27,30:B14", "14x32", "14x32", "W:W30:BK32"),
    "no piece is captured twice": ("W:WK7,32:B10,11,18,19", "7x7", "7x7", "B:W32,K7:B"),
    "a jump may pass its start": (
        "W:WK15:B10,18,19,26,27",
        "15x6 15x22x31x24x15x6",
        "15x24x31x22x15x6",
        "B:WK6:B",
    ),
    "crowning ends the move": ("B:W26,27:B22", "22x31", "22x31", "W:W27:BK31"),
    "a king goes on": ("B:W26,27:BK22", "22x24", "22x24", "W:W:BK24"),
    "a crown is taken along": ("B:W5:BK27", "27-31 27-32 27-23 27-24", "27-31", "W:W5:BK31"),
    "the crown of a captured king is gone": ("W:WK18:BK14,1", "18x9", "18x9", "B:WK9:B1"),
    "no man is crowned at home": ("B:W32,K14:B7,K10,1", "10x17", "10x17", "W:W32:B1,7,K17"),
}


@pytest.mark.parametrize(("fen", "moves", "move", "after"), RULES.values(), ids=RULES)
def test_each_rule(fen: str, moves: str, move: str, after: str) -> None:
    position, slow = Checkers.from_fen(fen), SlowCheckers.from_fen(fen)
    assert sorted(position.moves()) == sorted(moves.split())
    assert position.play(move) == Checkers.from_fen(after)
    assert fast(slow) == position and {mask(each) for each in slow.moves()} == set(
        generated_moves(position)
    )


def test_the_player_without_a_move_loses() -> None:
    for fen, value in [("W:W13:B6,9", 1), ("W:W:B6", 1), ("B:W6:B", -1), ("B:W25,22:B21,17", 0)]:
        position = Checkers.from_fen(fen)
        assert position.over() == (value != 0) == (position.moves() == [])
        assert not position.over() or position.value() == value
    assert Checkers.start().moves() == ["9-13", "10-14", "11-15", "12-16", "9-14", "10-15", "11-16"]


# names of moves


def test_names_and_full_paths_play_their_moves() -> None:
    ambiguous = 0
    for slow, position in random_positions(13, 900):
        names = position.moves()
        outcomes = {move.outcome: fast(slow.play(move)) for move in slow.moves()}
        assert len(names) == len(set(names)) == len(outcomes), slow.fen()
        assert {position.play(name) for name in names} == set(outcomes.values())
        for move in slow.moves():
            path = ("x" if move.captured else "-").join(map(str, move.path))
            assert position.play(path) == fast(slow.play(move)), (slow.fen(), path)
            ends = f"{move.path[0]}x{move.path[-1]}"
            twins = [
                each
                for each in slow.moves()
                if (each.path[0], each.path[-1]) == (move.path[0], move.path[-1])
            ]
            if len({each.outcome for each in twins}) > 1 and not any(
                len(each.path) == 2 for each in twins
            ):
                ambiguous += 1
                with pytest.raises(AbvizError, match="is ambiguous; expected"):
                    position.play(ends)
    assert ambiguous > 2


@pytest.mark.parametrize(
    ("fen", "text", "message"),
    [
        ("B:W32:B9", " 9-5 ", "9-5 is not a legal move; expected one of 9-13, 9-14"),
        ("B:W18,32:B14,1", "1-5", "1-5 is not a legal move; expected one of 14x23"),
        ("B:W6:B", "1-5", "1-5 is not a legal move; expected none: the game is over"),
        (
            "B:W32:B9",
            "nine",
            "the move is 'nine'; expected squares from 1 to 32, such as 11-15 or 11x18",
        ),
    ],
)
def test_what_is_no_move_is_refused_with_what_is(fen: str, text: str, message: str) -> None:
    with pytest.raises(AbvizError, match=f"^{re.escape(message)}$"):
        Checkers.from_fen(fen).play(text)


# keys


def test_keys_tell_positions_apart_and_are_evenly_spread() -> None:
    positions = {position for _, position in random_positions(18, 24_000)}
    positions |= {position._replace(turn=1 - position.turn) for position in positions}
    keys = [position.key() for position in positions]
    assert len(set(keys)) == len(positions) and all(0 <= key < 2**63 for key in keys)
    for bits in (keys, [key >> 32 for key in keys]):
        places = np.bincount(np.array(bits) & 0x1FFF, minlength=1 << 13)
        assert 0.85 < places.var() / places.mean() < 1.15, "1 for evenly spread keys"
