"""Plans without threads: whatever finishes first, and whatever a search says of what is outside its window, the value
and the move are those of minimax, the first of equal moves."""

import random
from collections.abc import Iterator
from typing import Any

import pytest

from abviz.games.rules import WIN
from abviz.parallel import STRATEGIES
from abviz.parallel.plans import Plan
from abviz.parallel.upper import Node, Task, closed, under_way
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


class Truth:
    """What minimax says of every position of a tree: looked up, once it has been worked out."""

    def __init__(self) -> None:
        self.known: dict[Any, int] = {}

    def __call__(self, position: Any, depth: int, ply: int) -> int:
        key = (position, depth, ply)
        if key not in self.known:
            self.known[key] = brute(position, depth, ply=ply)
        return self.known[key]

    def first_best(self, position: Any, depth: int) -> tuple[int, int]:
        """Value and move."""
        values = [self(position.play(move), depth - 1, 1) for move in moves_of(position)]
        best = max(values) if position.is_max() else min(values)
        return best, moves_of(position)[values.index(best)]


def any_answer(rng: random.Random, truth: int, alpha: int, beta: int) -> int:
    """What some search may say: the value, or where that is outside the window any bound that is true of it."""
    if truth <= alpha:
        return rng.choice([truth, alpha, rng.randint(truth, alpha)])
    if truth >= beta:
        return rng.choice([truth, beta, rng.randint(beta, truth)])
    return truth


def carried_out(plan: Plan, truth: Truth, workers: int, rng: random.Random) -> list[Task]:
    """By so many workers, the next of which finishes is left to chance; a cancelled one answers what it likes."""
    busy: list[tuple[Task, Any]] = []
    tasks: list[Task] = []
    while not plan.finished:
        while len(busy) < workers and (task := plan.take()):
            busy.append((task, task.window))
            tasks.append(task)
        assert busy, "there is nothing to do, and nothing under way"
        assert {task for task, _ in busy if not task.cancelled} <= set(under_way(plan.root))
        task, at_start = busy.pop(rng.randrange(len(busy)))
        window = task.window if task.polls else rng.choice([at_start, task.window])
        assert at_start[0] <= task.window[0] and task.window[1] <= at_start[1], "a window never widens"
        answer = any_answer(rng, truth(task.position, task.depth, task.ply), *window)
        plan.done(task, rng.randint(-WIN, WIN) if task.cancelled else answer)
    assert all(task.cancelled for task, _ in busy)
    return tasks


@pytest.mark.parametrize("name", STRATEGIES)
def test_the_value_and_the_move_do_not_depend_on_who_finishes_first(name: str) -> None:
    rng = random.Random(name)
    truth = Truth()
    for position, depth in cases():
        expected = truth.first_best(position, depth)
        for workers in (1, 2, 3, 9):
            for upper in (None, 2, 4):
                plan = STRATEGIES[name](position, depth, upper)
                carried_out(plan, truth, workers, rng)
                assert (plan.value, plan.move) == (expected[0], expected[1]), (position, workers, upper)
                assert plan.take() is None, "what is finished hands nothing out"


def parts(name: str, workers: int, **options: Any) -> list[list[Task]]:
    truth, rng = Truth(), random.Random(5)
    return [
        carried_out(STRATEGIES[name](position, depth, **options), truth, workers, rng) for position, depth in cases()
    ]


@pytest.mark.parametrize("name", ["sequential", "minimax", "root", "shared", "polling", "first-move"])
def test_strategies_of_the_root_have_a_task_for_each_of_its_moves(name: str) -> None:
    for tasks, (position, _) in zip(parts(name, 3), cases(), strict=True):
        assert [task.path() for task in sorted(tasks, key=lambda task: task.place or 0)] == [
            [move] for move in moves_of(position)
        ]


def test_full_windows_and_windows_that_are_shared() -> None:
    full = (-WIN, WIN)
    for name in ("minimax", "root"):
        assert {task.window for tasks in parts(name, 3) for task in tasks} == {full}
    for name in ("shared", "first-move", "pv-split", "young-brothers"):
        assert any(task.window != full for tasks in parts(name, 3) for task in tasks)
    assert {task.method for tasks in parts("minimax", 2) for task in tasks} == {"minimax"}


def at_once(name: str, upper: int | None = None) -> set[tuple[int, ...]]:
    """The paths of the tasks that can be under way before any has finished."""
    position = next(position for position, _ in cases() if len(moves_of(position)) > 2)
    plan = STRATEGIES[name](position, 5, upper)
    tasks = []
    while task := plan.take():
        tasks.append(tuple(task.path()))
    return set(tasks)


def test_who_waits_for_whom() -> None:
    position = next(position for position, _ in cases() if len(moves_of(position)) > 2)
    assert at_once("sequential") == {(0,)} == at_once("first-move")
    assert at_once("root") == {(move,) for move in moves_of(position)} == at_once("shared")
    assert at_once("pv-split", 3) == {(0, 0, 0)}
    assert len(at_once("young-brothers", 1)) == 1


def test_a_brother_that_cuts_cancels_the_others() -> None:
    cancelled = [task for tasks in parts("young-brothers", 9, upper=4) for task in tasks if task.cancelled]
    assert cancelled and all(len(task.path()) > 1 for task in cancelled)


def test_an_equal_move_that_stands_before_the_best_is_told_from_a_worse_one() -> None:
    """The last move is the first to finish. With α = bv a search may answer bv for the first move, which is worse."""
    position = next(position for position, _ in cases() if len(moves_of(position)) == 3 and position.is_max())
    plan = STRATEGIES["shared"](position, 3)
    last = [plan.take(), plan.take(), plan.take()][-1]
    assert last is not None
    plan.done(last, 7)
    assert [task.window for task in under_way(plan.root)] == [(6, WIN), (6, WIN)]
    first, second = under_way(plan.root)
    plan.done(second, 7)
    assert plan.root.best == 1
    plan.done(first, 6)
    assert (plan.value, plan.root.best) == (7, 1)


def test_of_moves_after_the_best_nothing_more_is_asked() -> None:
    position = next(position for position, _ in cases() if len(moves_of(position)) == 3 and not position.is_max())
    plan = STRATEGIES["first-move"](position, 3)
    first = plan.take()
    assert first is not None and plan.take() is None
    plan.done(first, -4)
    assert [plan.take().window, plan.take().window] == [(-WIN, -4)] * 2  # type: ignore[union-attr]


def test_a_closed_window_holds_nothing() -> None:
    assert closed((3, 9), True) == (3, 4) and closed((3, 9), False) == (8, 9)


def test_a_root_with_one_move() -> None:
    position = next(position for position in mazes(500, seed=44) if len(moves_of(position)) == 1)
    for name, strategy in STRATEGIES.items():
        plan = strategy(position, 3)
        carried_out(plan, Truth(), 4, random.Random(1))
        assert (plan.value, plan.move) == (brute(position, 3), moves_of(position)[0]), name


def test_first_moves_and_their_line() -> None:
    plan = STRATEGIES["young-brothers"](next(cases())[0], 5, 1)
    task = plan.take()
    assert task is not None
    node: Node | None = task.parent
    while node and node.parent:
        assert node.parent.leads(node.place)
        node = node.parent
