"""The strategy "adaptive": tasks that are worth their price, on every game, in real runs as in
simulated ones.
"""

import random
from typing import Any

import pytest

from abviz import Checkers, TicTacToe
from abviz.games import GAMES, Abalone
from abviz.parallel import parallel_search, simulate
from abviz.parallel.granularity import HANDING, WORTH, Granularity, Sizes, counted_sizes

LARGE = 80_000  # nodes of a search that takes a hundredth of a second, of the slowest game
DEPTHS = {"checkers": (8, 10), "tic-tac-toe": (9,), "abalone": (3, 4)}


def drawn(cls: Any, number: int, seed: int) -> list[Any]:
    """Return the start, and what random games come to."""
    rng, positions = random.Random(seed), [cls.start()]
    while len(positions) < number:
        position = cls.start()
        for _ in range(rng.randrange(1, 20)):
            if not position.over():
                position = position.play(rng.choice(position.moves()))
        if not position.over():
            positions.append(position)
    return positions


@pytest.mark.parametrize(
    ("title", "depth"), [(title, depth) for title in DEPTHS for depth in DEPTHS[title]]
)
def test_two_workers_are_never_slower_than_one(title: str, depth: int) -> None:
    for position in drawn(GAMES[title], 4, seed=71):
        one = simulate(position, depth, strategy="sequential", workers=1)
        two = simulate(position, depth)
        assert (two.value, two.move) == (one.value, one.move)
        if one.nodes >= LARGE:
            assert two.speed_up(one) >= 0.95, (position, two.split)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("title", "depth"), [("checkers", 9), ("checkers", 11), ("checkers", 12), ("abalone", 5)]
)
def test_two_workers_are_never_slower_than_one_in_larger_searches(title: str, depth: int) -> None:
    for position in drawn(GAMES[title], 12 if title == "checkers" else 4, seed=72):
        one = simulate(position, depth, strategy="sequential", workers=1)
        if one.nodes >= LARGE:
            assert simulate(position, depth).speed_up(one) >= 0.95, position


@pytest.mark.parametrize(
    ("position", "depth", "least"), [(Checkers.start(), 11, 1.5), (Abalone.start(), 5, 1.6)]
)
def test_two_workers_gain_where_the_search_is_large(
    position: Any, depth: int, least: float
) -> None:
    one = simulate(position, depth, strategy="sequential", workers=1)
    assert simulate(position, depth).speed_up(one) > least


def test_a_game_of_many_moves_is_not_split_into_thousands_of_tasks() -> None:
    """Three plies of Abalone are more than 7,000 tasks, too small for their price."""
    for depth in (4, 5):
        run = parallel_search(Abalone.start(), depth)
        assert len(run.tasks) < 200
        assert (
            run.nodes < 1.5 * parallel_search(Abalone.start(), depth, strategy="sequential").nodes
        )


@pytest.mark.parametrize(
    ("position", "depth"), [(Checkers.start(), 10), (TicTacToe.start(), 6), (Abalone.start(), 4)]
)
@pytest.mark.parametrize("workers", [1, 2, 7])
def test_a_simulated_run_follows_the_same_rule(position: Any, depth: int, workers: int) -> None:
    real = parallel_search(position, depth, workers=workers)
    simulated = simulate(position, depth, workers=workers)
    assert real.split == simulated.split != ""
    assert real.split in str(real) and "\n" not in real.split
    if workers == 1 or "too few" in real.split:
        assert {task.path for task in real.tasks} == {(move,) for move in position.moves()}
        assert {task.worker for task in (*real.tasks, *simulated.tasks)} == {0}


def test_why_a_search_was_split_or_not() -> None:
    assert parallel_search(Checkers.start(), 8, workers=1).split == "one worker: nothing is split"
    small = parallel_search(Checkers.start(), 5).split
    assert small.endswith("nodes: too few to split, so one worker searches them all")
    large = simulate(Checkers.start(), 11).split
    assert (
        f"split into tasks of {WORTH * HANDING:,} or more, as long as a part has more than" in large
    )


def test_a_higher_price_makes_fewer_tasks() -> None:
    numbers = [
        len(simulate(Checkers.start(), 11, workers=16, handing=price).tasks)
        for price in (0, 800, 8_000)
    ]
    assert numbers == sorted(numbers, reverse=True) and numbers[0] > 2 * numbers[-1]


def test_a_named_strategy_and_a_given_depth_of_splitting_keep_their_meaning() -> None:
    for upper in (2, 4):
        given = simulate(Checkers.start(), 8, upper=upper)
        brothers = simulate(Checkers.start(), 8, upper=upper, strategy="young-brothers")
        assert given.tasks == brothers.tasks and given.split == brothers.split == ""
    assert len(simulate(Checkers.start(), 8, strategy="young-brothers").tasks) > 100


@pytest.mark.parametrize("cls", [Checkers, TicTacToe])
def test_a_deepening_search_is_split_when_its_iterations_have_grown(cls: Any) -> None:
    alone = parallel_search(cls.start(), 9, strategy="sequential", method="improved")
    run = parallel_search(cls.start(), 9, method="improved")
    assert (run.value, run.move) == (alone.value, alone.move)
    assert "about " in run.split


def test_sizes_grow_as_they_were_counted() -> None:
    for growth in (1, 2, 5, 44):
        sizes = counted_sizes(lambda depth, growth=growth: growth**depth, 12)  # type: ignore[misc]
        assert max(sizes.counted) < 12
        assert all(sizes.of(depth) == pytest.approx(growth**depth) for depth in range(13))


def test_what_is_not_known_is_no_reason_to_split() -> None:
    assert Granularity(Sizes(), 9, 7, 2, HANDING).alone
