"""The published programs: what is wrong in each, the trees that prove it, and the programs fixed."""

import inspect
from math import inf

import pytest

from abviz import Tree, check, record, trace
from abviz.course import RENAMED
from abviz.exercises import EXERCISES, programs, searches
from abviz.exercises.exercise import texts
from abviz.exercises.observation import Job, observe
from abviz.exercises.trial_trees import random_trees, small_trees
from tests.oracle import minimax_value
from tests.solutions import programs as solutions

TREES = (*small_trees()[:3000:9], *random_trees(100))
MINUS_ONE = [
    Tree([a, -1, b], to_move=mover)
    for a in range(-5, 5)
    for b in (-3, 7)
    for mover in ("max", "min")
]


def chain(tree, moves):
    """Return the tree with that many forced moves above it."""
    return tree if moves == 0 else [chain(tree, moves - 1)]


# the programs


def test_minmax_takes_a_value_of_minus_one_for_no_value():
    wrong = 0
    for tree in (*TREES, *MINUS_ONE):
        is_wrong = programs.minmax(tree.root) != minimax_value(tree.root)
        assert not is_wrong or -1 in [leaf.value for leaf in tree.leaves()]
        wrong += is_wrong
    assert wrong > 10


def test_prune_finds_the_best_child_and_cuts_nothing():
    for tree in TREES:
        run = observe(lambda root: programs.prune(root).name, Job(tree))
        assert run.value == trace(tree).best and len(run.leaves) == sum(1 for _ in tree.leaves())


def test_prune_looks_six_moves_down_and_knows_no_value_beyond_1000():
    # Below its limit every node holds −1, so the first child is the best
    for levels, best in ((4, "C"), (5, "B")):
        assert (
            programs.prune(Tree({"B": chain([3, 4], levels), "C": chain([5, 6], levels)}).root).name
            == best
        )
    assert programs.prune(Tree([-2000, -1500]).root) is None


def test_the_listed_minimax_looks_at_first_children_only():
    for tree in TREES:
        run = observe(programs.listed_minimax, Job(tree))
        node = tree.root
        while node.children:
            node = node.children[0]
        assert (run.value, run.leaves) == (node.value, (node.name,))


def test_the_listed_alphabeta_never_ends():
    assert programs.listed_alphabeta(Tree(3).root, -inf, inf) == 3
    with pytest.raises(RecursionError):
        programs.listed_alphabeta(Tree([1, 2]).root, -inf, inf)


def test_a_program_can_be_copied_and_watched():
    names = {"inf": inf}
    for name in ("minmax", "prune_tree", "prune", "listed_minimax", "listed_alphabeta"):
        exec(inspect.getsource(getattr(programs, name)), names)
    assert all(names["prune"](tree.root) is programs.prune(tree.root) for tree in TREES[::10])
    run = record(programs.minmax, Tree([[3, 5], [2, 9]]), best="result")
    assert run.value == 3 and len(run) > 10, "its calls are followed"


# proofs


@pytest.mark.parametrize(
    "name, program", [("prove-marker", programs.minmax), ("prove-break", programs.listed_minimax)]
)
def test_a_tree_proves_the_bug_if_the_value_is_wrong(name, program):
    counts = {True: 0, False: 0}
    for tree in (*TREES[::5], *MINUS_ONE):
        verdict = check(name, tree)
        assert bool(verdict) == (program(tree.root) != minimax_value(tree.root)), verdict
        assert verdict.tree == tree
        counts[bool(verdict)] += 1
    assert min(counts.values()) > 10
    assert check(name, getattr(solutions, name.replace("-", "_")))
    assert check(name, None).status == check(name, ...).status == "not written yet"
    for answer in (5, [[]], Tree(5), [None, 3]):
        assert check(name, answer).status == "wrong" and not check(name, answer).mistake
    assert check(name, Tree(chain([1, 2], 100))).status in ("right", "wrong")


# the programs fixed


def prune_with(mistake):
    exercise = EXERCISES["fix-prune"]
    return exercise.build(
        **next(each.forms[0] for each in exercise.mistakes if each.name == mistake)
    )


def depth(node):
    return 1 + max(map(depth, node.children)) if node.children else 0


def shallow(root):
    """Return the best child of a tree up to six moves deep, as far as prune looks."""
    return root.children[0].name if depth(root) > 6 else solutions.fix_prune(root)


LEFT = [
    ("fix-minimax", programs.listed_minimax),
    ("fix-alphabeta", programs.listed_alphabeta),
    ("fix-prune", programs.prune),
    ("fix-prune", lambda root: programs.prune(root).name),
    ("fix-prune", prune_with("strict")),
    ("fix-prune", prune_with("a full window at every root move")),
    ("fix-prune", shallow),
]


@pytest.fixture
def few_trees(monkeypatch):
    monkeypatch.setattr(searches, "SMALL_TREES", 800)


@pytest.mark.parametrize("name, answer", LEFT)
def test_a_bug_that_is_left_is_found(name, answer, few_trees):
    verdict = check(name, answer)
    assert verdict.status == "wrong" and verdict.tree is not None and verdict.hints, verdict


@pytest.mark.parametrize("name", ["fix-minimax", "fix-alphabeta", "fix-prune"])
def test_stub_and_solution(name, few_trees):
    names = {}
    exec(EXERCISES[name].stub, names)
    verdict = check(name, names[name.replace("-", "_")])
    assert verdict.status == "not written yet" and len(verdict.hints) >= 3
    assert check(name, getattr(solutions, name.replace("-", "_")))


@pytest.mark.parametrize("old, new", RENAMED.items())
def test_an_earlier_name_is_still_accepted(old, new, few_trees):
    verdict = check(old, getattr(solutions, new.replace("-", "_")))
    assert verdict and verdict.exercise == new
    assert check(old.replace("-", "_"), None).status == "not written yet"


def test_a_withdrawn_exercise_names_its_successor():
    withdrawn = texts()["withdrawn"]
    assert not withdrawn.keys() & EXERCISES.keys() and set(withdrawn.values()) <= EXERCISES.keys()
