"""Trees to build: judged by a search of a few lines over nested lists, and what can be reached at all."""

import random
from itertools import product
from math import inf

import pytest

from abviz import Tree, check
from abviz.exercises import EXERCISES
from abviz.exercises.constructions import DEEP_LEAVES
from tests.solutions import papers

NAMES = ("no-cut", "deep-cut", "tied-moves")
each_exercise = pytest.mark.parametrize("name", NAMES)


class Run:
    def __init__(self, nested, is_max=True):
        self.read, self.deep, self.moves = 0, False, []
        self.value = self.search(nested, is_max, (-inf, 0), (inf, 0), 0)

    def search(self, nested, is_max, alpha, beta, depth):
        """α and β are pairs: the number, and the depth of the node at which it was found."""
        if not isinstance(nested, list):
            self.read += 1
            return nested
        bv = -inf if is_max else inf
        for place, child in enumerate(nested, 1):
            value = self.search(child, not is_max, alpha, beta, depth + 1)
            if depth == 0:
                self.moves.append(value)
            bv = max(bv, value) if is_max else min(bv, value)
            if is_max and bv > alpha[0]:
                alpha = bv, depth
            if not is_max and bv < beta[0]:
                beta = bv, depth
            bound = beta if is_max else alpha
            if bv >= bound[0] if is_max else bv <= bound[0]:
                if place < len(nested):
                    self.deep = self.deep or bound[1] < depth - 1
                break
        return bv


def worth(nested, is_max):
    if not isinstance(nested, list):
        return nested
    return (max if is_max else min)(worth(child, not is_max) for child in nested)


def leaves(nested):
    return sum(map(leaves, nested)) if isinstance(nested, list) else 1


def shallowest(nested):
    return 1 + min(map(shallowest, nested)) if isinstance(nested, list) else 0


def fill(shape, values):
    return [fill(part, values) for part in shape] if isinstance(shape, list) else next(values)


def random_nested(seed):
    rng = random.Random(seed)

    def nested(depth):
        if depth == 0 or (depth < 3 and rng.random() < 0.3):
            return rng.randint(0, 6)
        return [nested(depth - 1) for _ in range(rng.randint(2, 3))]

    return nested(rng.choice([2, 3, 3, 4])), rng.choice(["max", "min"])


def full(seed):
    values = random.Random(seed).sample(range(8), 8)
    return sorted(values) if seed % 7 == 0 else values


SAMPLE = [(nested, to_move) for nested, to_move in map(random_nested, range(200)) if 1 < leaves(nested) <= 64]
SAMPLE += [(fill([[[0, 0], [0, 0]], [[0, 0], [0, 0]]], iter(full(seed))), "max") for seed in range(200)]
SAMPLE += [([5, [[[a, b], c], d]], "max") for a, b, c, d in product((3, 5, 7), repeat=4)]


def has_tied_moves(nested, is_max):
    run = Run(nested, is_max)
    values = [worth(child, not is_max) for child in nested]
    return any(move == run.value != value for move, value in zip(run.moves, values, strict=True))


RIGHT = {
    "no-cut": lambda nested, is_max: Run(nested, is_max).read == leaves(nested) and shallowest(nested) >= 3,
    "deep-cut": lambda nested, is_max: Run(nested, is_max).deep and leaves(nested) == DEEP_LEAVES,
    "tied-moves": has_tied_moves,
}


@each_exercise
def test_the_right_trees_are_those_that_another_search_finds(name):
    counts = {"right": 0, "wrong": 0}
    for nested, to_move in SAMPLE:
        verdict = EXERCISES[name].check(Tree(nested, to_move=to_move))
        assert verdict.status == ("right" if RIGHT[name](nested, to_move == "max") else "wrong"), verdict
        counts[verdict.status] += 1
    assert min(counts.values()) > 10


def test_no_tree_with_fewer_leaves_has_a_deep_cut():
    def shapes(count):
        """Return all trees of `count` leaves with two or more children everywhere."""
        return [0] if count == 1 else forests(count, count - 1)

    def forests(count, largest):
        return [
            [first, *others]
            for size in range(1, largest + 1)
            for first in shapes(size)
            for others in (forests(count - size, count - size) if size < count else [[]])
        ]

    assert [len(shapes(count)) for count in (2, 3, 4)] == [1, 3, 11]
    for count in range(2, DEEP_LEAVES):
        for shape, values in product(shapes(count), product(range(count), repeat=count)):
            nested = fill(shape, iter(values))
            assert not Run(nested).deep and not Run(nested, is_max=False).deep


@each_exercise
def test_stub_and_solution(name):
    exercise, names, solution = EXERCISES[name], {}, getattr(papers, name.replace("-", "_"))
    exec(exercise.stub, names)
    for stub in (names[name.replace("-", "_")], None, ...):
        verdict = check(name, stub)
        assert (verdict.status, verdict.mistake, verdict.tree) == ("not written yet", None, None)
        assert verdict.hints == exercise.hints and exercise.text in repr(exercise)
    for answer in (solution, Tree(solution)):
        verdict = check(name, answer)
        assert verdict and verdict.hints == () and verdict.tree == Tree(solution)


WRONG = [
    *(("deep-cut", answer, None, message) for answer, message in [
        (Tree(5), "The tree is a single leaf, 5; expected nested lists, such as [[3, 5], [2, 9]]."),
        (5, "The answer is 5, and is no tree; expected nested lists, such as [[3, 5], [2, 9]]."),
        ("[[3, 5], [2, 9]]", "The answer is '[[3, 5], [2, 9]]', and is no tree; expected nested lists"),
        (lambda node: 3, "is no tree; expected nested lists"),
        ([], "The answer is [], and is no tree: "),
        ([[3, ...], 5], "The answer is [[3, ...], 5], and is no tree: "),
        ([[3, 4], [5]], "Node C has a single child"),
        ([3, [5, inf]], "Leaf b2 is ∞"),
        ([3, [5, None]], "Leaf b2 has no value"),
        ([3, {"children": [1, 2], "to_move": "max"}], "The same player moves again below A"),
        ([list(range(40)), list(range(40))], "The tree has 80 leaves; expected at most 64"),
        ([list(range(200)), list(range(200))], "The tree has 403 nodes; expected at most 300"),
    ]),
    ("no-cut", [[1, 2], [3, 4]], None, "2 moves below the root"),
    ("no-cut", [[[9, 1], [1, 2]], [[3, 4], [5, 6]]], None, "Alpha-beta cuts at"),
    ("deep-cut", [5, [3, 9]], "a cut, but not a deep one", "its bound is from A"),
    ("deep-cut", [5, [[[3, 9], 4], 7, 8]], "more leaves than needed", "It can be done with fewer"),
    ("deep-cut", [1, 2], "no cut at all", "Nothing is cut"),
    ("tied-moves", [5, [6, 7]], "no tie at the root", "Only B returns 6"),
    ("tied-moves", [5, [7, 5]], "truly equal", "a1 and B return 5"),
]  # fmt: skip


@pytest.mark.parametrize("name, answer, mistake, message", WRONG)
def test_what_is_wrong_is_said_and_shown(name, answer, mistake, message):
    verdict = check(name, answer)
    assert (verdict.status, verdict.mistake) == ("wrong", mistake) and message in verdict.message, verdict
    shown = verdict._repr_mimebundle_()["text/html"]
    assert ("<img" in shown) == (verdict.trace is not None) and (not mistake or verdict.tree == Tree(answer))
