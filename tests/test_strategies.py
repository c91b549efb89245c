"""Strategies without threads: whichever task ends first, and whatever bound a search returns for a
value outside its window, the value and the move are those of minimax, the first of equal moves.
"""

import random
from collections import Counter
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from abviz.games.rules import WIN
from abviz.parallel import STRATEGIES
from abviz.parallel.split_tree import FULL, Node, Task
from abviz.parallel.strategies import Plan
from tests import slow_search
from tests.slow_search import brute, mazes, moves_of, tic_tac_toes


def cases() -> Iterator[tuple[Any, int]]:
    for position in mazes(60, seed=41):
        if moves_of(position):
            yield position, 5
    for position in tic_tac_toes(8, seed=42):
        yield position, 4
    for position in slow_search.checkers(4, seed=43):
        yield position, 3


class Minimax:
    """The minimax value of every position of a tree, worked out once."""

    def __init__(self) -> None:
        self.values: dict[Any, int] = {}

    def __call__(self, position: Any, depth: int, ply: int) -> int:
        key = (position, depth, ply)
        if key not in self.values:
            self.values[key] = brute(position, depth, ply=ply)
        return self.values[key]

    def first_best(self, position: Any, depth: int) -> tuple[int, int]:
        values = [self(position.play(move), depth - 1, 1) for move in moves_of(position)]
        best = max(values) if position.is_max() else min(values)
        return best, moves_of(position)[values.index(best)]


def any_bound(rng: random.Random, value: int, alpha: int, beta: int) -> int:
    """Return what a correct search may return: the value, or any true bound where it is outside the
    window.
    """
    if value <= alpha:
        return rng.choice([value, alpha, rng.randint(value, alpha)])
    if value >= beta:
        return rng.choice([value, beta, rng.randint(beta, value)])
    return value


def open_tasks(node: Node) -> Iterator[Task]:
    for child in node.open:
        if isinstance(child, Task):
            yield child
        else:
            yield from open_tasks(child)


def carry_out(plan: Plan, minimax: Minimax, workers: int, rng: random.Random) -> list[Task]:
    """Return the tasks, which end in random order; a cancelled one returns anything."""
    busy: list[tuple[Task, Any]] = []
    tasks: list[Task] = []
    while not plan.finished:
        while len(busy) < workers and (task := plan.take()):
            busy.append((task, task.window))
            tasks.append(task)
        assert busy, "nothing to hand out, and nothing under way"
        assert {task for task, _ in busy if not task.cancelled} <= set(open_tasks(plan.root))
        task, at_start = busy.pop(rng.randrange(len(busy)))
        window = task.window if task.polls else rng.choice([at_start, task.window])
        assert at_start[0] <= task.window[0] and task.window[1] <= at_start[1], (
            "a window never widens"
        )
        value = any_bound(rng, minimax(task.position, task.depth, task.ply), *window)
        plan.done(task, rng.randint(-WIN, WIN) if task.cancelled else value)
    assert all(task.cancelled for task, _ in busy)
    return tasks


def tasks_of(name: str, workers: int, upper: int | None = None) -> list[list[Task]]:
    minimax, rng = Minimax(), random.Random(5)
    return [
        carry_out(Plan(STRATEGIES[name], *case, upper), minimax, workers, rng) for case in cases()
    ]


@pytest.mark.parametrize("name", STRATEGIES)
def test_the_order_in_which_tasks_end_changes_neither_value_nor_move(name: str) -> None:
    rng, minimax = random.Random(name), Minimax()
    for position, depth in cases():
        expected = minimax.first_best(position, depth)
        for workers in (1, 3, 9):
            for upper in (None, 4):
                plan = Plan(STRATEGIES[name], position, depth, upper)
                carry_out(plan, minimax, workers, rng)
                assert (plan.root.bv, plan.root.moves[plan.root.best or 0]) == expected, (
                    position,
                    workers,
                    upper,
                )
                assert plan.take() is None


@pytest.mark.parametrize("name", STRATEGIES)
def test_which_tasks_there_are_and_whether_their_windows_narrow(name: str) -> None:
    searched = tasks_of(name, 3)
    # Those split more than the root
    if name not in ("pv-split", "young-brothers", "dynamic", "adaptive"):
        for tasks, (position, _) in zip(searched, cases(), strict=True):
            assert sorted(task.names for task in tasks) == sorted(
                (move,) for move in position.moves()
            )
    windows = {task.window for tasks in searched for task in tasks}
    assert (windows == {FULL}) == (name in ("minimax", "root"))


# An empty memory: the search is the improved one
IMPROVED: Any = SimpleNamespace(sort=lambda node: None)
FIRST_TASKS = [  # a strategy, upper, the memory, and how many tasks by the length of their paths
    ("sequential", None, None, {1: 1}),
    ("first-move", None, None, {1: 1}),
    ("root", None, None, {1: "all"}),
    ("shared", None, None, {1: "all"}),
    ("pv-split", None, None, {4: 1}),
    ("pv-split", None, IMPROVED, {3: 1}),
    ("pv-split", 2, None, {2: 1}),
    ("young-brothers", 1, None, {3: 1}),
    ("young-brothers", None, IMPROVED, {3: 1}),
    ("adaptive", 1, None, {3: 1}),
]


@pytest.mark.parametrize(("name", "upper", "memory", "tasks"), FIRST_TASKS)
def test_tasks_that_may_begin_before_any_has_ended(
    name: str, upper: int | None, memory: Any, tasks: Any
) -> None:
    position = next(position for position, _ in cases() if len(moves_of(position)) > 2)
    paths = [
        task.names
        for task in iter(Plan(STRATEGIES[name], position, 5, upper, memory=memory).take, None)
    ]
    expected = {n: len(moves_of(position)) if k == "all" else k for n, k in tasks.items()}
    assert Counter(map(len, paths)) == expected


def test_a_cut_cancels_the_siblings() -> None:
    cancelled = [
        task for tasks in tasks_of("young-brothers", 9, upper=4) for task in tasks if task.cancelled
    ]
    assert cancelled and all(len(task.names) > 1 for task in cancelled)
