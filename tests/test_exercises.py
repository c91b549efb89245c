"""The searches to write: stubs are not written yet, solutions are right, each mistake and each pair
has its name.
"""

import random
from itertools import permutations, product
from math import inf

import pytest

from abviz import check, trace
from abviz.exercises import EXERCISES, searches
from abviz.exercises.judgement import Judgement, has_numbers, pairs, same
from abviz.exercises.observation import Job, observe, to_depth
from abviz.exercises.searches import SEARCHES, with_static_values, with_wins
from abviz.exercises.trial_trees import random_trees, small_trees
from abviz.recording.differences import first_difference
from abviz.recording.recorder import record
from abviz.tracing.algorithms import Rules
from tests.oracle import minimax_value
from tests.solutions import writing as solutions

SHARED = {row.name for row in EXERCISES["alphabeta"].mistakes}
# Where this shows, and it takes long to find a smaller one
ON_LARGE_TREES = "a bound kept as the value"
# A fault that alphabeta shares is tried there, unless the exercise edits its reference in its own
# way
MISTAKES = [
    pytest.param(
        exercise,
        row,
        id=f"{exercise.name}: {row.name}",
        marks=[pytest.mark.slow] * (row.name == ON_LARGE_TREES),
    )
    for exercise in SEARCHES
    for row in exercise.mistakes
    if exercise.name in ("alphabeta", "minimax")
    or row.name not in SHARED
    or row.name in exercise.texts.get("edits", {})
]
PAIRS_EACH, PAIRS_SLOW = 2, 40  # of an exercise, tried in a fast run and in a slow one
SMALL, RANDOM, SAMPLE = 800, 60, 60  # trees in a fast run
every_search = pytest.mark.parametrize("exercise", SEARCHES, ids=lambda each: each.name)


@pytest.fixture(autouse=True)
def few_trees(request, monkeypatch):
    if "slow" not in request.keywords:
        monkeypatch.setattr(searches, "SMALL_TREES", SMALL)
        monkeypatch.setattr(searches, "RANDOM_TREES", RANDOM)
        monkeypatch.setattr(searches, "SAMPLE", SAMPLE)


def judged(exercise, answer):
    """Return the verdict by jobs alone, as grading gets it: without the answer's own run, which
    takes longer.
    """
    return Judgement(exercise, lambda jobs: [observe(answer, job) for job in jobs]).verdict()


def solution(exercise):
    return getattr(solutions, exercise.name.replace("-", "_"))


@every_search
def test_stub_reference_and_solution(exercise):
    namespace = {}
    exec(exercise.stub, namespace)
    for answer in (namespace[exercise.name.replace("-", "_")], None, ..., lambda *_: None):
        verdict = check(exercise.name, answer)
        assert (
            verdict.status == "not written yet" and not verdict and verdict.hints == exercise.hints
        )
    verdict = check(exercise.name.replace("-", "_"), solution(exercise))
    assert (
        verdict
        and verdict.tree is None
        and " trees it returns and reads what it should." in verdict.message
    )
    texts = [*exercise.hints, *(text for row in exercise.mistakes for text in (row.says, row.hint))]
    assert all(0 < len(text) <= 150 for text in texts) and len(exercise.hints) >= 3


@pytest.mark.slow
@every_search
def test_solutions_are_right_on_all_trees(exercise):
    for answer in (solution(exercise), *(exercise.build(**base) for base in exercise.bases)):
        assert check(exercise.name, answer)


@pytest.mark.slow
@pytest.mark.parametrize(("exercise", "row"), MISTAKES)
def test_each_way_to_make_a_mistake_has_its_name(exercise, row):
    for form, base in product(row.forms, exercise.bases):
        check_mistake(exercise, row, base | form)


@pytest.mark.quick
@pytest.mark.parametrize(("exercise", "row"), MISTAKES)
def test_each_mistake_has_its_name(exercise, row):
    check_mistake(exercise, row, row.forms[0])


def check_mistake(exercise, row, form):
    verdict = judged(exercise, exercise.build(**form))
    assert (verdict.status, verdict.mistake) == ("wrong", row.name)
    assert (
        row.says in verdict.message and row.hint in verdict.message and "\n" not in verdict.message
    )
    assert verdict.hints == (row.hint, *exercise.hints)
    # Larger where few trees are tried
    assert len(verdict.tree) <= (24 if exercise.name in ("killer", "table") else 9)


def behaviour(exercise, function, jobs):
    return [exercise.read(job, observe(function, job)) for job in jobs]


def alike(exercise, one, other):
    trees = list(filter(exercise.fits, (*small_trees()[::9], *random_trees(300))))
    jobs = [Job(tree, case.arguments, exercise.how) for case in exercise.cases for tree in trees]
    return all(map(same, behaviour(exercise, one, jobs), behaviour(exercise, other, jobs)))


@pytest.mark.slow
@every_search
def test_no_two_mistakes_behave_alike_on_the_sample(exercise):
    names = {repr(behaviour(exercise, exercise.build(), exercise.sample())): {"the reference"}}
    for row in exercise.mistakes:
        # A number of the student's own shows on trees that are not in the sample
        for form in [form for form in row.forms if not has_numbers(form)]:
            names.setdefault(
                repr(behaviour(exercise, exercise.build(**form), exercise.sample())), set()
            ).add(row.name)
    assert [each for each in names.values() if len(each) > 1] == []


def check_pair(exercise, one, other, form):
    """Assert that a pair has both names, or that of something that behaves alike wherever we look."""
    answer = exercise.build(**form)
    verdict = judged(exercise, answer)
    if verdict.mistake == f"{one.name}, and {other.name}":
        assert one.says in verdict.message and other.says in verdict.message
        assert verdict.hints == (one.hint, other.hint, *exercise.hints)
    elif verdict:
        assert alike(exercise, answer, exercise.build()), (one.name, other.name)
    else:
        forms = {row.name: row.forms for row in exercise.mistakes}
        forms |= {f"{a.name}, and {b.name}": both for (a, b), both in pairs(exercise.mistakes)}
        ways = product(forms[verdict.mistake], exercise.bases)
        assert any(alike(exercise, answer, exercise.build(**base | form)) for form, base in ways), (
            one.name,
            other.name,
        )


@pytest.mark.parametrize("name", ["alphabeta", "minimax", "best-line", "negamax", "fail-hard"])
def test_pairs_have_both_names(name):
    for (one, other), forms in random.Random(12).sample(
        list(pairs(EXERCISES[name].mistakes)), PAIRS_EACH
    ):
        check_pair(EXERCISES[name], one, other, forms[0])


@pytest.mark.slow
@pytest.mark.parametrize("name", ["minimax", "alphabeta"])
def test_many_pairs_have_both_names(name):
    every = list(pairs(EXERCISES[name].mistakes))
    for (one, other), forms in random.Random(7).sample(every, min(len(every), PAIRS_SLOW)):
        check_pair(EXERCISES[name], one, other, forms[-1])


# references against the course's own search, and other oracles


def test_references_are_the_course_s_searches():
    for tree in (*small_trees()[::60], *random_trees(50), *map(with_wins, random_trees(50))):
        right = trace(tree)
        run = observe(EXERCISES["alphabeta"].build(), Job(tree, (-inf, inf)))
        assert (run.value, run.leaves, run.problem) == (right.value, right.leaves, "")
        hard = EXERCISES["fail-hard"].build()
        assert hard(tree.root, -inf, inf) == trace(tree, rules=Rules(fail_hard=True)).value
        assert hard(tree.root, -2, 3) == min(max(minimax_value(tree.root), -2), 3)
        assert EXERCISES["best-line"].build()(tree.root) == (right.value, right.line[1:])
        assert EXERCISES["best-move"].build()(tree.root) == (right.value, right.best)
        if EXERCISES["negamax"].fits(tree):
            side = 1 if tree.root.is_max else -1
            assert EXERCISES["negamax"].build()(tree.root, -inf, inf) == side * right.value
    for name in ("killer", "table"):
        exercise = EXERCISES[name]
        for tree in (exercise.named(exercise.cases[0].dress(tree)) for tree in random_trees(60)):
            assert exercise.build()(tree.root, -inf, inf) == minimax_value(tree.root)
            own = record(solution(exercise), tree)
            assert not own.problem and first_difference(own, record(exercise.build(), tree)) is None
    for tree in map(with_static_values, random_trees(60)):
        passes = EXERCISES["deepening"].build()(tree.root, to_depth, 4)
        assert [value for value, _ in passes] == [
            trace(tree, depth=limit).value for limit in (1, 2, 3, 4)
        ]


def test_the_best_order_is_that_of_all_orders():
    exercise = EXERCISES["best-order"]
    few = [tree for tree in random_trees(300) if sum(not node.is_leaf for node in tree.nodes) <= 5]
    for tree in (*small_trees()[::200], *few[:10]):
        inner = [node for node in tree.nodes if node.children]
        choices = product(*(permutations(node.children) for node in inner))
        orders = [
            dict(zip([node.name for node in inner], choice, strict=True)) for choice in choices
        ]
        arranged = [tree.reordered(lambda node, order=order: order[node.name]) for order in orders]
        runs = [
            observe(EXERCISES["alphabeta"].build(), Job(each, (-inf, inf))) for each in arranged
        ]
        least = min(len(run.leaves) for run in runs)
        job = Job(tree)
        assert (
            exercise.right(job).value
            == least
            == exercise.read(job, observe(solutions.best_order, job)).value
        )


def test_trees_come_in_order_of_size_and_keep_their_shape_with_other_values():
    sizes = [len(tree) for tree in small_trees()]
    assert sizes == sorted(sizes) and len(set(small_trees())) == len(sizes) > 1_000
    for tree in random_trees(30):
        for other in (with_wins(tree), with_static_values(tree)):
            shapes = [
                [(node.name, node.is_max, len(node.children)) for node in each.nodes]
                for each in (tree, other)
            ]
            assert shapes[0] == shapes[1]
        assert all(leaf.value in (-inf, 0, inf) for leaf in with_wins(tree).leaves())
        assert all(node.value is not None for node in with_static_values(tree).nodes)
