"""The exercises on paper: the right answers found another way, every single change of one, and each misreading."""

import random
from math import inf

import pytest

from abviz import AbvizError, Tree, check, trace
from abviz.exercises import EXERCISES
from abviz.exercises.papers import last_leaves, moment
from tests.oracle import minimax_value
from tests.solutions import papers

NAMES = ("tree-values", "skipped-leaves", "path-bounds", "cut-names", "proven-values", "cut-thresholds")
ANSWERS = {name: getattr(papers, name.replace("-", "_")) for name in NAMES}
NO_CUT = "no cut"
each_exercise = pytest.mark.parametrize("name", NAMES)


# a search of a few lines, which writes down what the exercises ask for


class Search:
    def __init__(self, tree, strict=False, backwards=False):
        self.strict, self.backwards = strict, backwards
        self.read, self.cuts, self.proven, self.moments = [], {}, {}, {}
        self.search(tree.root, -inf, inf, ())
        for node in tree.nodes:
            self.proven.setdefault(node.name, (-inf, inf))

    def search(self, node, alpha, beta, path):
        """Return the value that comes back, and the interval that is proven."""
        if not node.children:
            self.read.append(node.name)
            return node.value, (node.value, node.value)
        choose = max if node.is_max else min
        bv, here, intervals = (-inf if node.is_max else inf), {}, []
        todo = list(node.children)[:: -1 if self.backwards else 1]
        while todo:
            child = todo.pop(0)
            here.update(bv=bv, alpha=alpha, beta=beta)
            value, interval = self.search(child, alpha, beta, (*path, (node, here)))
            intervals.append(interval)
            bv = choose(bv, value)
            alpha, beta = (max(alpha, bv), beta) if node.is_max else (alpha, min(beta, bv))
            here.update(bv=bv, alpha=alpha, beta=beta)
            self.moments[node.name, child.name] = {n.name: dict(marks) for n, marks in (*path, (node, here))}
            bound = beta if node.is_max else alpha
            over = bv > bound if node.is_max else bv < bound
            if over or (bv == bound and not self.strict):
                if todo:
                    self.cuts[node.name] = "beta" if node.is_max else "alpha"
                break
        intervals += [(-inf, inf)] * len(todo)
        self.proven[node.name] = tuple(choose(side) for side in zip(*intervals, strict=True))
        return bv, self.proven[node.name]


def random_tree(seed):
    rng = random.Random(seed)

    def nested(depth):
        if depth == 0 or (depth < 3 and rng.random() < 0.2):
            return rng.randint(-5, 5)
        return [nested(depth - 1) for _ in range(rng.randint(1, 3))]

    return Tree(nested(4), to_move=rng.choice(["max", "min"]))


TREES = [tree for tree in map(random_tree, range(100)) if tree.root.children]
WITH_CUTS = [tree for tree in TREES if last_leaves(trace(tree))]
assert len(WITH_CUTS) > 30


def inner(tree):
    return [node for node in tree.nodes if node.children]


def skipped(tree):
    rows = {"equal": Search(tree), "beyond": Search(tree, strict=True), "right to left": Search(tree, backwards=True)}
    return {row: sorted({leaf.name for leaf in tree.leaves()} - set(run.read)) for row, run in rows.items()}


def cut_names(tree):
    other, cuts = {"alpha": "beta", "beta": "alpha", NO_CUT: NO_CUT}, Search(tree).cuts
    names = {node.name: cuts.get(node.name, NO_CUT) for node in inner(tree)}
    return {name: {"by bound": cut, "by node": other[cut]} for name, cut in names.items()}


def path_bounds(tree):
    _, cut, child = moment(tree)
    return Search(tree).moments[cut.at, child.name]


def proven_values(tree):
    proven = Search(tree).proven
    return {node.name: dict(zip(("low", "high"), proven[node.name], strict=True)) for node in inner(tree)}


def thresholds(tree):
    """Try all values that could make a difference, and some between them."""
    finite, ends = {leaf.value for leaf in tree.leaves()}, {}
    values = [-inf, *sorted({value + step for value in finite for step in (-1, -0.5, 0, 0.5, 1)}), inf]
    for leaf, cut in last_leaves(trace(tree)).items():
        below = {node.name for node in tree.below(tree[cut.skipped[0]])}
        cuts = [value for value in values if not below & set(Search(tree.with_value(leaf, value)).read)]
        ends[leaf] = min(cuts) if tree[cut.at].is_max else max(cuts)
        assert cuts == [v for v in values if (v >= ends[leaf] if tree[cut.at].is_max else v <= ends[leaf])]
    return ends


ANOTHER_WAY = {
    "tree-values": (lambda tree: {node.name: minimax_value(node) for node in inner(tree)}, TREES),
    "skipped-leaves": (skipped, TREES),
    "path-bounds": (path_bounds, WITH_CUTS),
    "cut-names": (cut_names, TREES),
    "proven-values": (proven_values, TREES),
    "cut-thresholds": (thresholds, WITH_CUTS),
}


@each_exercise
def test_the_right_answer_is_what_another_search_finds(name):
    answer, trees = ANOTHER_WAY[name]
    exercise = EXERCISES[name]
    for tree in (exercise.tree, *trees):
        verdict = exercise.on(tree).check(answer(tree))
        assert verdict and verdict.points[0] == verdict.points[1] and not verdict.hints, verdict
    for options in exercise.misreadings.values():  # a misreading can be right on a tree
        for tree in trees[:8]:
            verdict = exercise.on(tree).check(as_form(exercise.fill(tree, **options)))
            assert bool(verdict) != bool(verdict.mistake), verdict


# every single change


def as_form(filled):
    form = {}
    for place, value in filled.items():
        entry = sorted(value) if isinstance(value, frozenset) else value
        form = changed(form, place, entry)
    return form


def changed(answer, place, value):
    first, *second = place
    return answer | {first: answer.get(first, {}) | {second[0]: value} if second else value}


def others(exercise, right):
    """Return every other entry that may be there: of a list, every list with one name more or less."""
    leaves = [leaf.name for leaf in exercise.tree.leaves()]
    if isinstance(right, frozenset):
        return [sorted(right ^ {leaf}) for leaf in leaves]
    if isinstance(right, str):
        return [word for word in ("alpha", "beta", NO_CUT) if word != right]
    near = [right - 1, right + 1, right + 0.5] if abs(right) < inf else []
    return sorted({-inf, inf, 0, -right, *near, *(leaf.value for leaf in exercise.tree.leaves())} - {right})


@each_exercise
def test_every_single_change_is_wrong_and_is_named_with_its_reason(name):
    exercise = EXERCISES[name]
    total = check(name, ANSWERS[name]).points[1]
    for place, right in exercise.right.items():
        cell = " of ".join(reversed(place))
        for other in others(exercise, right):
            verdict = exercise.check(changed(ANSWERS[name], place, other))
            assert verdict.status == "wrong" and verdict.tree == exercise.tree
            assert verdict.points[1] - verdict.points[0] == 1 and total <= verdict.points[1] <= total + 1
            assert verdict.message.startswith(f"{cell} is not ")
            reason = verdict.message.split(". ", 1)[1].split(f"{verdict.points[0]} of ")[0]
            assert len(reason) > 20
            if name not in ("skipped-leaves", "tree-values"):  # those list the numbers to choose from, or the leaf
                words = set(reason.replace(". ", " ").removesuffix(".").split())
                assert not words & ({"alpha", "beta"} if name == "cut-names" else {str(right)}), reason
        empty = exercise.check(changed(ANSWERS[name], place, None))
        assert empty.status == "wrong" and empty.points[0] < empty.points[1] and not empty.mistake
        assert empty.message.startswith(f"{cell} is not filled in yet.")


REASONS = [
    ("tree-values", ("F",), 0, "F is not 0. F is a MAX node: which of 0, 5 comes up?"),
    ("skipped-leaves", ("equal",), ["O", "P", "S", "T"], "is not O, P, S, T. X is skipped, because N cuts before"),
    ("skipped-leaves", ("beyond",), ["O", "P", "X"], "X is read"),
    ("path-bounds", ("C", "bv"), 5, "bv is the best for MIN of the values that G returned to C."),
    ("path-bounds", ("A", "alpha"), 3, "α: the search began with the full window. Only MAX nodes move α"),
    ("path-bounds", ("H", "beta"), 3, "β: H got a copy of the one of C. Only MIN nodes move β"),
    ("cut-names", ("M", "by bound"), "alpha", "The last child of M has returned when its bv meets the bound"),
    ("cut-names", ("J", "by node"), "beta", "J is skipped with all below it"),
    ("cut-names", ("B", "by node"), "beta", "All children of B are searched"),
    ("proven-values", ("E", "high"), 9, "E is a MAX node: take the largest of what its children are worth at most"),
    ("cut-thresholds", ("K",), 6, "The value of K goes up to G, a MAX node"),
    # what cannot be an entry
    ("tree-values", ("B",), "x", "B is 'x'; expected a number"),
    ("tree-values", ("B",), True, "B is True; expected a number"),
    ("tree-values", ("B",), float("nan"), "B is nan; expected a number"),
    ("skipped-leaves", ("equal",), "O", "equal is 'O'; expected a list of names of leaves."),
    ("skipped-leaves", ("equal",), ["O", "E"], "equal has 'E', which is no leaf; expected a list of names of leaves."),
    ("skipped-leaves", ("equal",), [["O"]], "equal has ['O'], which is no leaf; expected a list of names of leaves."),
    ("path-bounds", ("A",), 5, "A is 5; expected a dictionary: {"),
    ("path-bounds", ("A",), {"gamma": 5}, "A is {'gamma': 5}; expected a dictionary: {"),
    ("cut-names", ("E", "by node"), "gamma", 'by node of E is \'gamma\'; expected "alpha", "beta" or "no cut".'),
]


@pytest.mark.parametrize("name, place, value, why", REASONS)
def test_the_reason_is_that_of_the_entry(name, place, value, why):
    verdict = check(name, changed(ANSWERS[name], place, value))
    assert verdict.status == "wrong" and why in verdict.message


@each_exercise
def test_the_stub_is_not_written_yet_and_is_shown_with_the_tree(name):
    exercise, names = EXERCISES[name], {}
    exec(exercise.stub, names)
    for stub in (names[name.replace("-", "_")], None, ..., {}):
        verdict = check(name, stub)
        assert (verdict.status, verdict.mistake, verdict.tree) == ("not written yet", None, None)
        assert len(set(verdict.hints)) == 3
    shown = exercise._repr_mimebundle_()
    assert exercise.stub in shown["text/plain"] and exercise.text in repr(exercise) and "<img" in shown["text/html"]
    for answer in (7, "A", [1, 2], {"Z": 1}, {5: 5}, object()):
        verdict = check(name, answer)
        assert verdict.status == "wrong" and verdict.mistake is None and "expected" in verdict.message


def test_answers_may_be_written_in_other_ways():
    words = {inf: "inf", -inf: "-∞"}
    bounds = {n: {k: words.get(v, v) for k, v in row.items()} for n, row in papers.path_bounds.items()}
    assert check("path-bounds", bounds) and check("path_bounds", bounds)
    words = {"alpha": "α-cut", "beta": "Beta cut", NO_CUT: "none"}
    assert check("cut-names", {n: {k: words[v] for k, v in row.items()} for n, row in papers.cut_names.items()})
    assert check("skipped-leaves", {row: set(leaves) for row, leaves in papers.skipped_leaves.items()})
    empty = {node: dict.fromkeys(row) for node, row in papers.cut_names.items()}
    assert check("cut-names", empty | {"A": papers.cut_names["A"]}).points == (0, 7), "empty where nothing is cut: one"


def test_a_tree_on_which_an_exercise_cannot_be_asked_is_refused():
    for name in ("path-bounds", "cut-thresholds"):
        with pytest.raises(AbvizError, match="nothing is cut in the tree; expected one with a cut"):
            EXERCISES[name].on(Tree([1, 2]))
    with pytest.raises(AbvizError, match="the value of leaf a2 is not known; expected a number there"):
        EXERCISES["tree-values"].on(Tree([1, None]))


# Misreadings, as a student who misunderstands would find them with a pencil.
MISREADINGS = [
    ("tree-values", "MAX and MIN swapped", {"B": 5, "I": 7, "F": 5, "G": 7, "C": 7, "A": 5}),
    ("skipped-leaves", "> for ≥", papers.skipped_leaves | {"equal": ["O", "P"]}),
    ("skipped-leaves", "the leaves read", {row: [leaf for leaf in "DIOPQRSTGUVWX" if leaf not in leaves]
        for row, leaves in papers.skipped_leaves.items()}),
    ("path-bounds", "alpha and beta swapped", {n: {"bv": row["bv"], "alpha": row["beta"], "beta": row["alpha"]}
        for n, row in papers.path_bounds.items()}),
    ("cut-names", "alpha and beta swapped", {n: {"by bound": row["by node"], "by node": row["by bound"]}
        for n, row in papers.cut_names.items()}),
    ("cut-names", "cut on the last child", papers.cut_names | {n: {"by bound": "alpha", "by node": "beta"}
        for n in "MC"}),
    ("proven-values", "taken for exact", papers.proven_values | {n: {"low": v, "high": v} for n, v in
        {"E": 9, "F": 5, "N": 5, "H": 5, "C": 5}.items()}),
    ("cut-thresholds", "> for ≥", {"M": 2, "K": 6}),
]  # fmt: skip


@pytest.mark.parametrize("name, mistake, answer", MISREADINGS, ids=[f"{name}-{m}" for name, m, _ in MISREADINGS])
def test_a_misreading_worked_out_by_hand_is_recognised(name, mistake, answer):
    verdict = check(name, answer)
    assert (verdict.status, verdict.mistake) == ("wrong", mistake)
    assert "It looks as if " in verdict.message and verdict.message.endswith(verdict.hints[0])
    assert verdict.hints[1:] == EXERCISES[name].hints


def test_every_misreading_is_worked_out():
    assert {(name, mistake) for name in NAMES for mistake in EXERCISES[name].misreadings} == {
        (name, mistake) for name, mistake, _ in MISREADINGS
    }
