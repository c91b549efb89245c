"""The transposition table, as plain Python and compiled: what is stored comes back, and nothing
else does.
"""

import random
import threading
import time
from typing import Any

import numba
import numpy as np
import pytest

from abviz import Checkers
from abviz.engine.compiler import engine
from abviz.engine.storage import new_table
from abviz.engine.transposition_table import AT_LEAST, AT_MOST, EXACT, find, recall, store
from abviz.engine.workspace import NO_MOVE
from tests.slow_search import PROVEN, WIN, plain_table

WIDE = (-WIN, WIN)


@pytest.fixture
def table() -> Any:
    return plain_table(16)


@pytest.mark.parametrize(
    "value", [0, 1, -30, PROVEN, -PROVEN, PROVEN - 1, WIN - 1, 1 - WIN, 255 - WIN]
)
@pytest.mark.parametrize("kind", [EXACT, AT_LEAST, AT_MOST])
def test_what_is_stored_comes_back(table: Any, value: int, kind: int) -> None:
    window = {EXACT: WIDE, AT_LEAST: (value - 1, value), AT_MOST: (value, value + 1)}[kind]
    for depth in (2, 99):
        for key, move in [(0, 0), (5, 2**62), (2**63 - 1, NO_MOVE), (16, 7)]:
            assert recall(table, key, depth, *WIDE, 0)[0] is False
            for estimated in (True, False):
                store(table, key, depth, value, kind, move, 0, estimated)
                assert recall(table, key, depth, *window, 0) == (True, value, move, estimated)
                other_depth = recall(table, key, depth + 1, *window, 0)
                assert other_depth == (False, value, move, estimated), (
                    "of another depth: only the move"
                )
                assert recall(table, key ^ 1 << 40, depth, *window, 0) == (False, 0, NO_MOVE, True)


def test_a_win_is_counted_from_where_it_is_asked(table: Any) -> None:
    """Stored 4 plies below the root as a win in 10; met again 6 plies below the root it is a win in
    12.
    """
    for value, expected in [(WIN - 10, WIN - 12), (10 - WIN, 12 - WIN), (500, 500)]:
        store(table, 9, 5, value, EXACT, 3, 4, True)
        assert recall(table, 9, 5, *WIDE, 6) == (True, expected, 3, True)


def test_of_two_keys_in_one_slot_the_shallower_gives_way(table: Any) -> None:
    for key, depth, value in [(3, 5, 10), (19, 4, 20), (35, 2, 30)]:
        store(table, key, depth, value, EXACT, 1, 0, True)
    assert find(table, 19)[0] < 0
    assert [recall(table, key, depth, *WIDE, 0)[:2] for key, depth in [(3, 5), (35, 2)]] == [
        (True, 10),
        (True, 30),
    ]


def test_a_full_table_answers_only_what_was_stored(table: Any) -> None:
    rng, stored, hits = random.Random(0), {}, 0
    for _ in range(3000):
        key, depth, value, move = (
            rng.randrange(40),
            rng.randint(2, 4),
            rng.randint(-WIN, WIN),
            rng.randrange(2**60),
        )
        store(table, key, depth, value, EXACT, move, 0, True)
        stored[key, depth] = (True, value, move, True)
        key, depth = rng.randrange(40), rng.randint(2, 4)
        answer = recall(table, key, depth, *WIDE, 0)
        if answer[0]:
            assert answer == stored[key, depth]
            hits += 1
    assert hits > 100


@pytest.mark.parametrize(
    "times",
    [
        pytest.param(1_000_000, marks=pytest.mark.quick),
        pytest.param(50_000_000, marks=pytest.mark.slow),
    ],
)
def test_an_entry_half_written_by_another_thread_is_never_an_answer(times: int) -> None:
    functions = engine(Checkers).functions
    store, recall = functions["store"], functions["recall"]

    @numba.njit(nogil=True)
    def write(table: Any, key: int, stop: Any) -> None:
        while stop[0] == 0:
            for i in range(1000):
                number = 1 + i % 3
                store(table, key ^ (number << 16), 5, 111 * number, 0, 1111 * number, 0, True)

    @numba.njit(nogil=True)
    def read(table: Any, other: Any, key: int, times: int) -> tuple[int, int]:
        hits = wrong = 0
        for i in range(times):
            # For all that the compiler knows this may be the same table: so it reads each time
            other[0].move = i
            answered, value, move, _ = recall(table, key ^ (1 << 16), 5, -1000, 1000, 0)
            hits += answered
            wrong += (answered and value != 111) or (move != -1 and move != 1111)
        return hits, wrong

    table, stop = new_table(2), np.zeros(1, np.int64)
    thread = threading.Thread(target=write, args=(table, 0x7654321000FEDC00, stop))
    thread.start()
    try:
        read(table, new_table(2), 0x7654321000FEDC00, 1)  # compiled
        while not table["entry"].any():  # as the other is, too
            time.sleep(0.01)
        hits, wrong = read(table, new_table(2), 0x7654321000FEDC00, times)
        while hits == 0:
            hits, wrong = read(table, new_table(2), 0x7654321000FEDC00, times)
    finally:
        stop[0] = 1
        thread.join()
    assert wrong == 0
