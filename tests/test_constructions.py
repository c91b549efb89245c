"""Trees to build: judged by a search of a few lines over nested lists, and what can be reached at all."""

import random
from itertools import permutations, product
from math import inf

import pytest

from abviz import Tree, check
from abviz.exercises.constructions import CONSTRUCTIONS, DEEP_LEAVES
from tests.solutions import papers

EXERCISES = {exercise.name: exercise for exercise in CONSTRUCTIONS}
SOLUTIONS = {name: getattr(papers, name.replace("-", "_")) for name in EXERCISES}
each_exercise = pytest.mark.parametrize("name", EXERCISES)


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


def grown(seed):
    rng = random.Random(seed)

    def nested(depth):
        if depth == 0 or (depth < 3 and rng.random() < 0.3):
            return rng.randint(0, 6)
        return [nested(depth - 1) for _ in range(rng.randint(2, 3))]

    return nested(rng.choice([2, 3, 3, 4])), rng.choice(["max", "min"])


SAMPLE = [(nested, to_move) for nested, to_move in map(grown, range(300)) if 1 < leaves(nested) <= 64]
SAMPLE += [(fill([[[0, 0], [0, 0]], [[0, 0], [0, 0]]], iter(each)), "max") for each in permutations(range(8))][::97]
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
        """Return all trees of so many leaves with two or more children everywhere."""
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
    exercise, names = EXERCISES[name], {}
    exec(exercise.stub, names)
    for stub in (names[name.replace("-", "_")], None, ...):
        verdict = check(name, stub)
        assert (verdict.status, verdict.mistake, verdict.tree) == ("not written yet", None, None)
        assert verdict.hints == exercise.hints and exercise.text in repr(exercise)
    for answer in (SOLUTIONS[name], Tree(SOLUTIONS[name])):
        verdict = check(name, answer)
        assert verdict and verdict.hints == () and verdict.tree == Tree(SOLUTIONS[name])
        assert "<img" in verdict._repr_mimebundle_()["text/html"]


REFUSED = [
    (Tree(5), "The tree is a single leaf, 5; expected nested lists, such as [[3, 5], [2, 9]]."),
    (5, "The answer is 5, and is no tree; expected nested lists, such as [[3, 5], [2, 9]]."),
    ("[[3, 5], [2, 9]]", "The answer is '[[3, 5], [2, 9]]', and is no tree; expected nested lists"),
    (lambda node: 3, "is no tree; expected nested lists"),
    ([], "The answer is [], and is no tree: "),
    ([[3, ...], 5], "The answer is [[3, ...], 5], and is no tree: "),
    ([[3, 4], [5]], "Node C has a single child"),
    ([3, [5, inf]], "Leaf b2 is ∞"),
    ([3, [5, None]], "Leaf b2 has no value"),
    ([3, {"children": [1, 2], "to_move": "max"}], "the same player moves again"),
    ([list(range(40)), list(range(40))], "The tree has 80 leaves; expected at most 64"),
    ([list(range(200)), list(range(200))], "The tree has 403 nodes; expected at most 300"),
]


@each_exercise
@pytest.mark.parametrize("answer, message", REFUSED)
def test_trees_that_are_refused(name, answer, message):
    verdict = check(name, answer)
    assert verdict.status == "wrong" and message in verdict.message and verdict.mistake is None
    assert verdict._repr_mimebundle_()["text/html"]


WRONG = [
    ("no-cut", [[1, 2], [3, 4]], None, "2 moves below the root"),
    ("no-cut", [[[9, 1], [1, 2]], [[3, 4], [5, 6]]], None, "still cuts, at"),
    ("no-cut", [[[1, 2], [2, 3]], [[2, 3], [3, 4]]], "a cut on equality", "With > and < it would not."),
    ("no-cut", [[[5, 6], [7, 8]], [[1, 2], [3, 4]]], "the wrong way round", "From right to left it would not."),
    ("deep-cut", [5, [3, 9]], "a cut, but not a deep one", "its bound is from A"),
    ("deep-cut", [5, [[[3, 9], 4], 7, 8]], "more leaves than needed", "It can be done with fewer"),
    ("deep-cut", [1, 2], "no cut at all", "Nothing is cut"),
    ("tied-moves", [5, [6, 7]], "no tie at the root", "Only B returns 6"),
    ("tied-moves", [5, [7, 5]], "truly equal", "a1 and B return 5"),
]


@pytest.mark.parametrize("name, answer, mistake, message", WRONG)
def test_a_wrong_tree_is_shown_with_what_is_missing(name, answer, mistake, message):
    verdict = check(name, answer)
    assert (verdict.status, verdict.mistake, verdict.tree) == ("wrong", mistake, Tree(answer)), verdict
    assert message in verdict.message and verdict.trace is not None and verdict.step == len(verdict.trace)
    assert "<img" in verdict._repr_mimebundle_()["text/html"]
