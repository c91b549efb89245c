"""The exercises on paper: the right answers found another way, every single change of one, and each misreading."""

import random
from functools import partial
from math import inf

import pytest

from abviz import AbvizError, Tree, check, trace
from abviz.exercises.papers import (
    CUT_NAMES,
    CUT_THRESHOLDS,
    PATH_BOUNDS,
    PROVEN_VALUES,
    SKIPPED_LEAVES,
    TREE_VALUES,
    last_leaves,
    moment,
)
from tests.solutions import papers

PAPERS = {
    each: getattr(papers, each.name.replace("-", "_"))
    for each in (TREE_VALUES, SKIPPED_LEAVES, PATH_BOUNDS, CUT_NAMES, PROVEN_VALUES, CUT_THRESHOLDS)
}
NO_CUT = "no cut"
each_exercise = pytest.mark.parametrize("exercise", PAPERS, ids=lambda exercise: exercise.name)


# a search of a few lines, which writes down what the exercises ask for


class Search:
    def __init__(self, tree, strict=False, backwards=False):
        self.strict, self.backwards = strict, backwards
        self.read, self.cuts, self.proven, self.moments = [], {}, {}, {}
        self.value = self.search(tree.root, -inf, inf, ())[0]
        for node in tree.nodes:
            self.proven.setdefault(node.name, (-inf, inf))

    def search(self, node, alpha, beta, path):
        """Return the value that comes back, and the interval that is proven."""
        if not node.children:
            self.read.append(node.name)
            return node.value, (node.value, node.value)
        bv = -inf if node.is_max else inf
        here = {}
        known = []
        todo = list(node.children)[:: -1 if self.backwards else 1]
        while todo:
            child = todo.pop(0)
            here.update(bv=bv, alpha=alpha, beta=beta)
            value, interval = self.search(child, alpha, beta, (*path, (node, here)))
            known.append(interval)
            if node.is_max:
                bv = max(bv, value)
                alpha = max(alpha, bv)
            else:
                bv = min(bv, value)
                beta = min(beta, bv)
            here.update(bv=bv, alpha=alpha, beta=beta)
            self.moments[node.name, child.name] = {n.name: dict(marks) for n, marks in (*path, (node, here))}
            bound = beta if node.is_max else alpha
            over = bv > bound if node.is_max else bv < bound
            if over or (bv == bound and not self.strict):
                if todo:
                    self.cuts[node.name] = "beta" if node.is_max else "alpha"
                break
        known += [(-inf, inf)] * len(todo)
        choose = max if node.is_max else min
        self.proven[node.name] = tuple(choose(side) for side in zip(*known, strict=True))
        return bv, self.proven[node.name]


def worth(node):
    below = [worth(child) for child in node.children]
    return (max(below) if node.is_max else min(below)) if below else node.value


def grown(seed):
    rng = random.Random(seed)

    def nested(depth):
        if depth == 0 or (depth < 3 and rng.random() < 0.2):
            return rng.randint(-5, 5)
        return [nested(depth - 1) for _ in range(rng.randint(1, 3))]

    return Tree(nested(4), to_move=rng.choice(["max", "min"]))


TREES = [tree for tree in map(grown, range(150)) if tree.root.children]
WITH_CUTS = [tree for tree in TREES if Search(tree).cuts]
assert len(WITH_CUTS) > 60


def inner(tree):
    return [node for node in tree.nodes if node.children]


def skipped(tree, **rules):
    return sorted({leaf.name for leaf in tree.leaves()} - set(Search(tree, **rules).read))


def cut_names(tree):
    other, cuts = {"alpha": "beta", "beta": "alpha", NO_CUT: NO_CUT}, Search(tree).cuts
    names = {node.name: cuts.get(node.name, NO_CUT) for node in inner(tree)}
    return {name: {"by bound": cut, "by node": other[cut]} for name, cut in names.items()}


def path_bounds(tree):
    _, cut, child = moment(tree)
    return Search(tree).moments[cut.at, child.name]


def between(tree):
    """Return all values that could make a difference, and some between them."""
    finite = {leaf.value for leaf in tree.leaves()}
    return [-inf, *sorted({value + step for value in finite for step in (-1, -0.5, 0, 0.5, 1)}), inf]


def thresholds(tree):
    ends = {}
    for leaf, cut in last_leaves(trace(tree)).items():
        below = {node.name for node in tree.below(tree[cut.skipped[0]])}
        cuts = [v for v in between(tree) if not below.intersection(Search(tree.with_value(leaf, v)).read)]
        ends[leaf] = min(cuts) if tree[cut.at].is_max else max(cuts)
        assert cuts == [v for v in between(tree) if (v >= ends[leaf] if tree[cut.at].is_max else v <= ends[leaf])]
    return ends


BY_ANOTHER_WAY = {
    TREE_VALUES: (lambda tree: {node.name: worth(node) for node in inner(tree)}, TREES),
    SKIPPED_LEAVES: (
        lambda tree: {
            "equal": skipped(tree),
            "beyond": skipped(tree, strict=True),
            "right to left": skipped(tree, backwards=True),
        },
        TREES,
    ),
    PATH_BOUNDS: (path_bounds, WITH_CUTS),
    CUT_NAMES: (cut_names, TREES),
    PROVEN_VALUES: (
        lambda tree: {
            node.name: dict(zip(("low", "high"), Search(tree).proven[node.name], strict=True)) for node in inner(tree)
        },
        TREES,
    ),
    CUT_THRESHOLDS: (thresholds, WITH_CUTS),
}


@each_exercise
def test_the_right_answer_is_what_another_search_finds(exercise):
    answer, trees = BY_ANOTHER_WAY[exercise]
    for tree in (exercise.tree, *trees):
        if exercise is CUT_THRESHOLDS and not last_leaves(trace(tree)):
            continue
        verdict = exercise.on(tree).check(answer(tree))
        assert verdict.status == "right" and verdict.points[0] == verdict.points[1], verdict


# every single change


def places(answer):
    return [
        place
        for key, row in answer.items()
        for place in ([(key, part) for part in row] if isinstance(row, dict) else [(key,)])
    ]


def at(answer, place):
    return answer[place[0]] if len(place) == 1 else answer[place[0]][place[1]]


def changed(answer, place, value):
    return answer | {place[0]: value if len(place) == 1 else answer[place[0]] | {place[1]: value}}


def named(place):
    return place[0] if len(place) == 1 else f"{place[1]} of {place[0]}"


def others(exercise, place):
    """Return every other thing that may stand there; of a list every list with one name more or less."""
    now = at(PAPERS[exercise], place)
    if isinstance(now, list):
        leaves = [leaf.name for leaf in exercise.tree.leaves()]
        return [[name for name in now if name != leaf] if leaf in now else [*now, leaf] for leaf in leaves]
    if isinstance(now, str):
        return [word for word in ("alpha", "beta", NO_CUT) if word != now]
    near = [now - 1, now + 1, now + 0.5] if abs(now) < inf else []
    return sorted({-inf, inf, 0, -now, *near, *(leaf.value for leaf in exercise.tree.leaves())} - {now})


@each_exercise
def test_every_single_change_is_wrong_and_is_named_with_its_reason(exercise):
    answer = PAPERS[exercise]
    total = exercise.check(answer).points[1]
    for place in places(answer):
        for other in others(exercise, place):
            verdict = exercise.check(changed(answer, place, other))
            assert verdict.status == "wrong" and verdict.tree == exercise.tree
            assert verdict.points[1] - verdict.points[0] == 1 and total <= verdict.points[1] <= total + 1
            assert verdict.message.startswith(f"{named(place)} ") and "which is wrong. " in verdict.message
            reason = verdict.message.split("which is wrong. ")[1].split(f"{verdict.points[0]} of ")[0]
            if exercise in (PATH_BOUNDS, CUT_NAMES, CUT_THRESHOLDS):
                words = set(reason.replace(". ", " ").removesuffix(".").split())
                assert not words & ({"alpha", "beta"} if exercise is CUT_NAMES else {str(at(answer, place))}), reason


@each_exercise
def test_an_empty_cell_is_named_and_no_reason_is_given_after_it(exercise):
    answer = PAPERS[exercise]
    first, *_, last = places(answer)
    for place in (first, last):
        verdict = exercise.check(changed(answer, place, None))
        assert verdict.status == "wrong" and verdict.message.startswith(f"{named(place)} is not filled in yet.")
        assert verdict.points[0] < verdict.points[1] and verdict.mistake is None
    both = changed(changed(answer, first, ...), last, others(exercise, last)[0])
    assert "which is wrong. " + str(exercise.check(both).points[0]) in exercise.check(both).message


REASONS = [
    (TREE_VALUES, ("F",), 0, "F is a MAX node: which of 0, 5 comes up?"),
    (SKIPPED_LEAVES, ("equal",), ["O", "P", "S", "T"], "N cuts before the search comes to X: compare its bv with α"),
    (SKIPPED_LEAVES, ("beyond",), ["O", "P", "X"], "X is read"),
    (PATH_BOUNDS, ("C", "bv"), 5, "bv: C takes the best for MIN of what has come back, from G."),
    (PATH_BOUNDS, ("A", "alpha"), 3, "α: the search began with the full window, and bv has passed it since."),
    (PATH_BOUNDS, ("H", "beta"), 3, "β: H got a copy of that of C, and only MIN moves β."),
    (CUT_NAMES, ("M", "by bound"), "alpha", "The last child of M has returned when its bv meets the bound"),
    (CUT_NAMES, ("J", "by node"), "beta", "J is skipped with all below it"),
    (CUT_NAMES, ("B", "by node"), "beta", "All children of B are searched"),
    (PROVEN_VALUES, ("E", "high"), 9, "E is a MAX node: take the largest of what its children are worth at most"),
    (CUT_THRESHOLDS, ("K",), 6, "K can go lower than 6, and there is still a cut right after it."),
    (CUT_THRESHOLDS, ("M",), 3.5, "With M = 3.5 there is no cut right after it."),
]


@pytest.mark.parametrize("exercise, place, value, why", REASONS)
def test_the_reason_is_that_of_the_cell(exercise, place, value, why):
    assert why in exercise.check(changed(PAPERS[exercise], place, value)).message


# what is no answer, and other ways to write one


@each_exercise
def test_the_stub_is_not_written_yet_and_is_shown_with_the_tree(exercise):
    names = {}
    exec(exercise.stub, names)
    for stub in (names[exercise.name.replace("-", "_")], None, ..., {}):
        verdict = check(exercise.name, stub)
        assert (verdict.status, verdict.mistake, verdict.tree) == ("not written yet", None, None)
        assert len(set(verdict.hints)) == 3
    shown = exercise._repr_mimebundle_()
    assert exercise.stub in shown["text/plain"] and exercise.question.text in repr(exercise)
    assert "<img" in shown["text/html"] and "data:image/svg+xml" in shown["text/html"]


@each_exercise
@pytest.mark.parametrize("answer", [7, "A", [1, 2], {"Z": 1}, {5: 5}, object()])
def test_what_is_no_form_is_wrong(exercise, answer):
    verdict = check(exercise.name, answer)
    assert verdict.status == "wrong" and verdict.mistake is None and "expected" in verdict.message


REFUSED = [
    (TREE_VALUES, ("B",), "x", "B is 'x'; expected a number"),
    (TREE_VALUES, ("B",), True, "B is True; expected a number"),
    (TREE_VALUES, ("B",), float("nan"), "B is nan; expected a number"),
    (SKIPPED_LEAVES, ("equal",), "O", "equal is 'O'; expected a list of names of leaves."),
    (SKIPPED_LEAVES, ("equal",), ["O", "E"], "equal has 'E', which is no leaf; expected a list of names of leaves."),
    (SKIPPED_LEAVES, ("equal",), [["O"]], "equal has ['O'], which is no leaf; expected a list of names of leaves."),
    (PATH_BOUNDS, ("A",), 5, "A is 5; expected {"),
    (PATH_BOUNDS, ("A",), {"gamma": 5}, "A is {'gamma': 5}; expected {"),
    (CUT_NAMES, ("E", "by node"), "gamma", 'by node of E is \'gamma\'; expected "alpha", "beta" or "no cut".'),
    (CUT_NAMES, ("E", "by node"), 5, "by node of E is 5; expected"),
]


@pytest.mark.parametrize("exercise, place, value, message", REFUSED)
def test_what_is_no_value_is_named_where_it_stands(exercise, place, value, message):
    verdict = exercise.check(
        PAPERS[exercise] | {place[0]: value} if len(place) == 1 else changed(PAPERS[exercise], place, value)
    )
    assert verdict.status == "wrong" and verdict.message.startswith(message), verdict


def test_answers_may_be_written_in_other_ways():
    words = {inf: "inf", -inf: "-∞"}
    bounds = {n: {k: words.get(v, v) for k, v in row.items()} for n, row in papers.path_bounds.items()}
    assert check("path-bounds", bounds) and check("path_bounds", bounds)
    words = {"alpha": "α-cut", "beta": "Beta cut", NO_CUT: "none"}
    assert check("cut-names", {n: {k: words[v] for k, v in row.items()} for n, row in papers.cut_names.items()})
    assert check("skipped-leaves", {row: set(leaves) for row, leaves in papers.skipped_leaves.items()})


def test_a_tree_without_a_cut():
    for exercise in (PATH_BOUNDS, CUT_THRESHOLDS):
        with pytest.raises(AbvizError, match="nothing is cut in the tree; expected one with a cut"):
            exercise.on(Tree([1, 2])).check({})
    on_tree, rows = SKIPPED_LEAVES.on(Tree([1, 2])), {"equal": [], "beyond": [], "right to left": []}
    assert on_tree.check(rows)
    assert on_tree.check(rows | {"beyond": None}).points == (0, 1)
    no_names = {node: {way: None for way in row} for node, row in papers.cut_names.items()} | {
        "A": papers.cut_names["A"]
    }
    assert check("cut-names", no_names).points == (0, 7), "all cells left open where nothing is cut count as one mark"


# misreadings


def form(filled):
    answer = {}
    for place, value in filled.items():
        if len(place) == 1:
            answer[place[0]] = sorted(value) if isinstance(value, frozenset) else value
        else:
            answer.setdefault(place[0], {})[place[1]] = value
    return answer


MISREADINGS = [(exercise, name) for exercise in PAPERS for name in exercise.misreadings]


@pytest.mark.parametrize("exercise, name", MISREADINGS, ids=[f"{e.name}-{name}" for e, name in MISREADINGS])
def test_each_misreading_has_its_own_name(exercise, name):
    verdict = check(exercise.name, form(exercise.misreadings[name](exercise.tree)))
    assert (verdict.status, verdict.mistake) == ("wrong", name)
    assert "It looks as if " in verdict.message and verdict.message.endswith(verdict.hints[0])
    assert verdict.hints[1:] == exercise.hints


# The same answers, as a student who misunderstands would find them with a pencil.
put = partial(changed, papers.path_bounds)
BY_HAND = [
    (TREE_VALUES, "MAX and MIN swapped", {"B": 5, "I": 7, "F": 5, "G": 7, "C": 7, "A": 5}),
    (SKIPPED_LEAVES, "> for ≥", papers.skipped_leaves | {"equal": ["O", "P"]}),
    (PATH_BOUNDS, "bound before it exists", put(("C", "beta"), 5) | {"H": {"bv": 3, "alpha": 5, "beta": 5}}),
    (CUT_NAMES, "cut on the last child", papers.cut_names | {n: {"by bound": "alpha", "by node": "beta"}
        for n in "MC"}),
    (PROVEN_VALUES, "taken for exact", papers.proven_values | {n: {"low": v, "high": v} for n, v in
        {"E": 9, "F": 5, "N": 5, "H": 5, "C": 5}.items()}),
    (CUT_THRESHOLDS, "> for ≥", {"M": 2, "K": 6}),
    (CUT_THRESHOLDS, "alpha and beta swapped", {"M": inf, "K": 3}),
]  # fmt: skip


@pytest.mark.parametrize("exercise, name, answer", BY_HAND, ids=[f"{e.name}-{n}" for e, n, _ in BY_HAND])
def test_a_misreading_worked_out_by_hand_is_recognised(exercise, name, answer):
    assert check(exercise.name, answer).mistake == name


def test_a_misreading_that_gives_the_right_answer_on_a_tree_is_right_there():
    for tree in WITH_CUTS[:12]:
        for exercise in PAPERS:
            if exercise is CUT_THRESHOLDS and not last_leaves(trace(tree)):
                continue
            for misread in exercise.misreadings.values():
                verdict = exercise.on(tree).check(form(misread(tree)))
                assert bool(verdict) != bool(verdict.mistake), verdict
