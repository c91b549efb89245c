"""The transposition table, as plain Python: what is stored comes back, and nothing else does."""

import random
import threading
import time
from typing import Any

import numba
import numpy as np
import pytest

from abviz import Checkers
from abviz.engine.compiling import engine
from abviz.engine.table import AT_LEAST, AT_MOST, ENTRY, EXACT, find, new_table, recall, store
from abviz.engine.work import NO_MOVE
from tests.slow_search import PROVEN, WIN, plain_table

WIDE = (-WIN, WIN)


@pytest.fixture
def table() -> Any:
    return plain_table(16)


VALUES = [0, 1, -1, 30, -30, PROVEN, -PROVEN, PROVEN - 1, WIN - 1, 1 - WIN, WIN - 255, 255 - WIN]


@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize("kind", [EXACT, AT_LEAST, AT_MOST])
@pytest.mark.parametrize("depth", [2, 3, 99])
def test_what_is_stored_comes_back(table: Any, value: int, kind: int, depth: int) -> None:
    for key, move in [(0, 0), (5, 2**62), (2**63 - 1, NO_MOVE), (16, 7)]:
        store(table, key, depth, value, kind, move, 0)
        window = {EXACT: WIDE, AT_LEAST: (value - 1, value), AT_MOST: (value, value + 1)}[kind]
        assert recall(table, key, depth, *window, 0) == (True, value, move)


def test_it_answers_for_the_same_depth_alone(table: Any) -> None:
    store(table, 9, 5, 42, EXACT, 3, 0)
    for depth in (2, 4, 6, 99):
        assert recall(table, 9, depth, *WIDE, 0) == (False, 42, 3), "but the move is known"
    assert recall(table, 9, 5, *WIDE, 0)[0]


@pytest.mark.parametrize(
    "kind, window, fits",
    [
        (EXACT, (-5, 5), True),
        (EXACT, (50, 60), True),
        (AT_LEAST, (-5, 42), True),
        (AT_LEAST, (-5, 41), True),
        (AT_LEAST, (-5, 43), False),
        (AT_MOST, (42, 60), True),
        (AT_MOST, (43, 60), True),
        (AT_MOST, (41, 60), False),
    ],
)
def test_a_bound_answers_where_it_decides(table: Any, kind: int, window: tuple[int, int], fits: bool) -> None:
    store(table, 9, 5, 42, kind, 3, 0)
    assert recall(table, 9, 5, *window, 0)[0] is fits


def test_a_win_is_as_far_as_it_is_from_where_it_is_asked(table: Any) -> None:
    """Found 4 plies below the root as a win 10 plies from there; met again 6 plies below the root it is 12 away."""
    for value, expected in [(WIN - 10, WIN - 12), (10 - WIN, 12 - WIN), (500, 500), (-500, -500)]:
        store(table, 9, 5, value, EXACT, 3, 4)
        assert recall(table, 9, 5, *WIDE, 6) == (True, expected, 3)
        assert recall(table, 9, 5, *WIDE, 4) == (True, value, 3)


def test_what_was_never_stored_is_not_found(table: Any) -> None:
    for key in (0, 1, 16, 2**63 - 1):
        assert recall(table, key, 0, *WIDE, 0) == (False, 0, NO_MOVE)
    store(table, 3, 5, 0, EXACT, 1, 0)
    for key in (19, 2, 3 + 2**40):  # of the same slot, or of the one beside it
        assert recall(table, key, 5, *WIDE, 0) == (False, 0, NO_MOVE)


def test_two_keys_of_one_slot_have_room_and_the_shallower_gives_way(table: Any) -> None:
    store(table, 3, 5, 10, EXACT, 1, 0)
    store(table, 19, 4, 20, EXACT, 2, 0)
    assert [recall(table, key, depth, *WIDE, 0)[:2] for key, depth in [(3, 5), (19, 4)]] == [(True, 10), (True, 20)]
    store(table, 35, 2, 30, EXACT, 3, 0)
    assert find(table, 19)[0] < 0
    assert [recall(table, key, depth, *WIDE, 0)[:2] for key, depth in [(3, 5), (35, 2)]] == [(True, 10), (True, 30)]


def test_an_entry_half_written_by_another_thread_does_not_fit(table: Any) -> None:
    store(table, 3, 5, 10, EXACT, 1, 0)
    slot = find(table, 3)[0]
    for field in ("entry", "move"):
        before = getattr(table[slot], field)
        setattr(table[slot], field, before ^ 1 << 20)
        assert find(table, 3)[0] < 0
        setattr(table[slot], field, before)
    assert find(table, 3) == (slot, table[slot].entry, 1)


def test_a_full_table_answers_only_what_was_stored(table: Any) -> None:
    rng = random.Random(0)
    stored: dict[tuple[int, int], tuple[int, int]] = {}
    right = 0
    for _ in range(3000):
        key, depth, value, move = rng.randrange(40), rng.randint(2, 4), rng.randint(-WIN, WIN), rng.randrange(2**60)
        store(table, key, depth, value, EXACT, move, 0)
        stored[key, depth] = value, move
        assert recall(table, key, depth, *WIDE, 0) == (True, value, move)
        key, depth = rng.randrange(40), rng.randint(2, 4)
        answered, *answer = recall(table, key, depth, *WIDE, 0)
        if answered:
            assert tuple(answer) == stored[key, depth]
            right += 1
    assert right > 100


def test_a_table_is_empty_and_as_large_as_asked() -> None:
    table = new_table(32)
    assert len(table) == 32 and table.dtype == ENTRY and not table["entry"].any()


def test_what_another_thread_overwrites_is_never_taken_for_an_answer() -> None:
    """One thread stores three keys into one pair of slots, another asks for the first, some millions of times."""
    functions = engine(Checkers).names
    store, recall = functions["store"], functions["recall"]

    @numba.njit(nogil=True)
    def write(table: Any, key: int, stop: Any) -> None:
        while stop[0] == 0:
            for i in range(1000):
                number = 1 + i % 3
                store(table, key ^ (number << 16), 5, 111 * number, 0, 1111 * number, 0)

    @numba.njit(nogil=True)
    def read(table: Any, other: Any, key: int, times: int) -> tuple[int, int]:
        hits = wrong = 0
        for i in range(times):
            other[0].move = i  # for all that the compiler knows this may be the same table: so it looks each time
            answered, value, move = recall(table, key ^ (1 << 16), 5, -1000, 1000, 0)
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
        hits, wrong = read(table, new_table(2), 0x7654321000FEDC00, 50_000_000)
    finally:
        stop[0] = 1
        thread.join()
    assert hits > 0 and wrong == 0
