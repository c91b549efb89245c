"""The exercises on building: what is asked for, judged by a search of a few lines; and what can be reached at all."""

import random
from itertools import permutations, product
from math import inf

import pytest

from abviz import Tree, check
from abviz.exercises.building import (
    DEEP_CUT,
    DEEP_LEAVES,
    EQUAL_BOUNDS,
    MOST_SAVED,
    NO_CUT,
    RIGHT_TO_LEFT,
    TIED_MOVES,
)
from tests.solutions import building

BUILDING = {
    NO_CUT: building.no_cut,
    DEEP_CUT: building.deep_cut,
    EQUAL_BOUNDS: building.equal_bounds,
    TIED_MOVES: building.tied_moves,
    RIGHT_TO_LEFT: building.right_to_left,
}
each_exercise = pytest.mark.parametrize("exercise", BUILDING, ids=lambda exercise: exercise.name)


# a search of nested lists in a few lines


class Run:
    def __init__(self, nested, is_max=True, strict=False, step=1):
        self.strict, self.step, self.read, self.deep = strict, step, 0, False
        self.moves = []
        self.value = self.search(nested, is_max, (-inf, 0), (inf, 0), 0)

    def search(self, nested, is_max, alpha, beta, depth):
        """α and β are pairs: the number, and how deep the node lies at which it was found."""
        if not isinstance(nested, list):
            self.read += 1
            return nested
        bv = -inf if is_max else inf
        children = nested[:: self.step]
        for place, child in enumerate(children, 1):
            value = self.search(child, not is_max, alpha, beta, depth + 1)
            if depth == 0:
                self.moves.append(value)
            bv = max(bv, value) if is_max else min(bv, value)
            if is_max and bv > alpha[0]:
                alpha = bv, depth
            if not is_max and bv < beta[0]:
                beta = bv, depth
            bound = beta if is_max else alpha
            met = bv > bound[0] if is_max else bv < bound[0]
            if met or (bv == bound[0] and not self.strict):
                if place < len(children):
                    self.deep = self.deep or bound[1] < depth - 1
                break
        return bv


def worth(nested, is_max):
    if not isinstance(nested, list):
        return nested
    return (max if is_max else min)(worth(child, not is_max) for child in nested)


def leaves(nested):
    return sum(map(leaves, nested)) if isinstance(nested, list) else 1


def shapes(count):
    """All trees with that many leaves and two or more children everywhere."""
    if count == 1:
        yield 0
        return
    for parts in compositions(count):
        yield from map(list, product(*(list(shapes(part)) for part in parts)))


def compositions(count):
    for cuts in product([False, True], repeat=count - 1):
        parts = [1]
        for cut in cuts:
            parts = [*parts, 1] if cut else [*parts[:-1], parts[-1] + 1]
        if len(parts) > 1:
            yield parts


def fill(shape, values):
    return [fill(part, values) for part in shape] if isinstance(shape, list) else next(values)


def all_trees(count):
    """All of them up to what the search can tell apart: each order of the leaves, with and without ties."""
    for shape in shapes(count):
        for values in product(range(count), repeat=count):
            yield fill(shape, iter(values))


def grown(seed):
    chance = random.Random(seed)

    def nested(depth):
        if depth == 0 or (depth < 3 and chance.random() < 0.3):
            return chance.randint(0, 6)
        return [nested(depth - 1) for _ in range(chance.randint(2, 3))]

    return nested(chance.choice([2, 3, 3, 4])), chance.choice(["max", "min"])


SAMPLE = [(nested, to_move) for nested, to_move in map(grown, range(600)) if leaves(nested) <= 64]


def judged(exercise, is_right):
    """Whether it finds the same trees of the sample right, and some of each sort."""
    found = {"right": 0, "wrong": 0}
    for nested, to_move in SAMPLE:
        verdict = exercise.check(Tree(nested, to_move=to_move), 1)
        assert verdict.status == ("right" if is_right(nested, to_move == "max") else "wrong"), verdict
        found[verdict.status] += 1
    return found


# stubs, solutions, and what is no tree


@each_exercise
def test_a_stub_is_not_written_yet(exercise):
    told = {}
    exec(exercise.stub, told)
    for stub in (told[exercise.name.replace("-", "_")], None, ...):
        verdict = check(exercise.name, stub)
        assert (verdict.status, verdict.mistake, verdict.tree) == ("not written yet", None, None) and not verdict
        assert len(verdict.hints) == 3


@each_exercise
def test_the_solution_is_right_as_lists_and_as_a_tree(exercise):
    for answer in (BUILDING[exercise], Tree(BUILDING[exercise])):
        verdict = check(exercise.name, answer)
        assert verdict.status == "right" and verdict.hints == () and verdict.tree == Tree(BUILDING[exercise])
        assert "<img" in verdict._repr_mimebundle_()["text/html"]


@each_exercise
@pytest.mark.parametrize(
    "answer, says",
    [
        (Tree(5), "The tree is a single leaf, 5; expected nested lists, such as [[3, 5], [2, 9]]."),
        (5, "The answer is 5, and is no tree; expected nested lists, such as [[3, 5], [2, 9]]."),
        ("[[3, 5], [2, 9]]", "The answer is '[[3, 5], [2, 9]]', and is no tree; expected nested lists"),
        (lambda node: 3, "is no tree; expected nested lists"),
        ([], "The answer is [], and is no tree: at root: an inner node without children"),
        (
            [[3, ...], 5],
            "The answer is [[3, ...], 5], and is no tree: at 0.1: the value is left open (...); expected a",
        ),
        ([1, [2, "x"]], "is no tree"),
        ([[3, 4], [5]], "Node 1 has a single child"),
        ([3, [5, inf]], "Leaf 1.1 is ∞"),
        ([3, [5, None]], "Leaf 1.1 is ?"),
        ([3, {"children": [1, 2], "to_move": "max"}], "the same player moves again"),
        ([list(range(40)), list(range(40))], "The tree has 80 leaves; expected at most 64"),
    ],
)
def test_what_no_exercise_wants_is_told(exercise, answer, says):
    verdict = check(exercise.name, answer)
    assert verdict.status == "wrong" and says in verdict.message and verdict.mistake is None
    assert verdict._repr_mimebundle_()["text/html"]
    assert exercise.asks in repr(exercise) and exercise.stub in repr(exercise)


# each of them by another way


def shallowest(nested):
    return 1 + min(map(shallowest, nested)) if isinstance(nested, list) else 0


def test_nothing_is_cut_where_every_leaf_is_read():
    def is_right(nested, is_max):
        return Run(nested, is_max).read == leaves(nested) and shallowest(nested) >= 3

    judged(NO_CUT, is_right)
    for values in permutations(range(8)):
        nested = fill([[[0, 0], [0, 0]], [[0, 0], [0, 0]]], iter(values))
        if values[0] == 3:  # one in eight of them is enough
            assert bool(check_quickly(NO_CUT, nested)) == (Run(nested).read == 8)


def check_quickly(exercise, nested):
    return not exercise.judge(Tree(nested)).missing


def test_a_deep_cut_is_one_by_a_bound_from_further_up():
    judged(DEEP_CUT, lambda nested, is_max: leaves(nested) == DEEP_LEAVES and Run(nested, is_max).deep)
    for nested, to_move in SAMPLE:
        verdict = DEEP_CUT.check(Tree(nested, to_move=to_move), 1)
        run = Run(nested, to_move == "max")
        names = {"more leaves than needed"} if run.deep else {"a cut, but not a deep one", "no cut at all", None}
        if leaves(nested) != DEEP_LEAVES:
            assert ("Nothing is cut" in verdict.message) == (verdict.mistake == "no cut at all")
            assert verdict.mistake in names and (verdict.points == (DEEP_LEAVES, leaves(nested))) == run.deep


def test_no_tree_with_fewer_leaves_has_a_deep_cut():
    tried = 0
    for count in range(2, DEEP_LEAVES):
        for nested in all_trees(count):
            assert not Run(nested).deep and not Run(nested, is_max=False).deep
            tried += 1
    assert tried == 4 + 3 * 27 + 11 * 256
    assert Run(building.deep_cut).deep and leaves(building.deep_cut) == DEEP_LEAVES


def test_equal_bounds_count_where_the_two_searches_read_other_leaves():
    found = judged(EQUAL_BOUNDS, lambda nested, is_max: Run(nested, is_max).read != Run(nested, is_max, True).read)
    assert min(found.values()) > 50


def test_tied_moves_are_those_that_return_the_same_and_are_not_worth_it():
    def is_right(nested, is_max):
        if not isinstance(nested, list):
            return False
        run = Run(nested, is_max)
        true = [worth(child, not is_max) for child in nested]
        return any(value == run.value != move for value, move in zip(run.moves, true, strict=True))

    assert min(judged(TIED_MOVES, is_right).values()) > 50


def test_right_to_left_saves_most_where_no_tree_of_the_shape_saves_more():
    shape = [[[0, 0], [0, 0]], [[0, 0], [0, 0]]]
    best = {3: 0}
    rows = [*permutations(range(8)), *product(range(3), repeat=8)]
    for values in rows:
        nested = fill(shape, iter(values))
        left = Run(nested).read
        if left > MOST_SAVED + 1:
            saved = left - Run(nested, step=-1).read
            best[saved] = best.get(saved, 0) + 1
            if saved >= MOST_SAVED:
                last = nested
    assert max(best) == MOST_SAVED and best[MOST_SAVED] > 100
    assert check("right-to-left", last)


@pytest.mark.parametrize("to_move", ["max", "min"])
def test_right_to_left_is_measured_against_the_best(to_move):
    chance = random.Random(5)
    seen = set()
    for _ in range(200):
        values = [chance.randint(0, 9) for _ in range(8)]
        nested = fill([[[0, 0], [0, 0]], [[0, 0], [0, 0]]], iter(values))
        saved = Run(nested, to_move == "max").read - Run(nested, to_move == "max", step=-1).read
        verdict = RIGHT_TO_LEFT.check(Tree(nested, to_move=to_move), 1)
        assert verdict.points == (max(saved, 0), MOST_SAVED) and bool(verdict) == (saved == MOST_SAVED)
        assert verdict.mistake == ("the wrong way round" if saved < 0 else None)
        seen.add(saved)
    assert seen >= {-2, -1, 0, 1, 2}
    assert "not the shape" in check("right-to-left", [[1, 2], [3, 4]]).message


# known misunderstandings


@pytest.mark.parametrize(
    "name, answer, mistake, says",
    [
        ("no-cut", [[1, 2], [3, 4]], None, "2 moves below the root"),
        ("no-cut", [[[9, 1], [1, 2]], [[3, 4], [5, 6]]], None, "still cuts, at"),
        ("no-cut", [[[1, 2], [2, 3]], [[2, 3], [3, 4]]], "a cut on equality", "With > and < it would not."),
        ("no-cut", [[[5, 6], [7, 8]], [[1, 2], [3, 4]]], "the wrong way round", "At which end"),
        ("deep-cut", [5, [3, 9]], "a cut, but not a deep one", "root made it"),
        ("deep-cut", [5, [[[3, 9], 4], 7, 8]], "more leaves than needed", "It can be done with fewer"),
        ("deep-cut", [1, 2], "no cut at all", "Nothing is cut"),
        ("equal-bounds", [5, [3, 9]], "no tie", "No two leaves are equal"),
        ("equal-bounds", [5, 5], "a tie that stops nothing", "Two leaves are equal"),
        ("equal-bounds", [5, [9, 5]], "a tie that stops nothing", "Two leaves are equal"),
        ("tied-moves", [5, [6, 7]], "no tie at the root", "Only 1 returns 6"),
        ("tied-moves", [5, [7, 5]], "equally good indeed", "0 and 1 return 5"),
        ("right-to-left", [[[6, 5], [8, 7]], [[2, 1], [4, 3]]], "the wrong way round", "It saves 0"),
    ],
)
def test_a_wrong_tree_is_told_with_its_picture_and_what_is_missing(name, answer, mistake, says):
    verdict = check(name, answer)
    assert (verdict.status, verdict.mistake, verdict.tree) == ("wrong", mistake, Tree(answer)), verdict
    assert says in verdict.message and verdict.trace is not None and verdict.step == len(verdict.trace)
    assert "<img" in verdict._repr_mimebundle_()["text/html"]
