"""The exercises on paper and the trees to build: the right answers found by another search, every
single change of one, and each misreading.
"""

import random
import re
from itertools import product
from math import inf

import pytest

from abviz import AbvizError, Rules, Tree, check, trace
from abviz.exercises import EXERCISES
from abviz.exercises.papers import DEEP_LEAVES, PAPERS, PaperExercise, last_leaves, moment
from abviz.exercises.trial_trees import small_trees
from tests import oracle
from tests.oracle import minimax_value
from tests.solutions import papers

NAMES = tuple(each.name for each in PAPERS if isinstance(each, PaperExercise))
TO_BUILD = tuple(each.name for each in PAPERS if each.name not in NAMES)
ANSWERS = {name: getattr(papers, name.replace("-", "_")) for name in NAMES + TO_BUILD}
NO_CUT = "no cut"
LEAVES_SKIPPED = "skipped-leaves", "other-rules"
each_exercise = pytest.mark.parametrize("name", NAMES)


def read(tree, **rules):
    """The leaves that alpha-beta reads."""
    return {
        name for kind, name, *_ in oracle.alphabeta_log(tree, Rules(**rules)).rows if kind == "leaf"
    }


def random_tree(seed, fewest_moves=1):
    rng = random.Random(seed)

    def nested(depth):
        if depth == 0 or (depth < 3 and rng.random() < 0.2):
            return rng.randint(-5, 5)
        return [nested(depth - 1) for _ in range(rng.randint(fewest_moves, 3))]

    return Tree(nested(4), to_move=rng.choice(["max", "min"]))


TREES = [tree for tree in map(random_tree, range(100)) if tree.root.children]
CHOICES = [tree for tree in (random_tree(seed, 2) for seed in range(200)) if tree.root.children]
WITH_CUTS = [tree for tree in TREES if last_leaves(trace(tree))]
assert len(WITH_CUTS) > 30


def inner(tree):
    return [node for node in tree.nodes if node.children]


def skipped(tree):
    rows = {
        "equal": read(tree),
        "beyond": read(tree, strict=True),
        "right to left": read(tree, right_to_left=True),
    }
    return {
        row: sorted({leaf.name for leaf in tree.leaves()} - leaves) for row, leaves in rows.items()
    }


def cut_names(tree):
    other, rows = (
        {"alpha": "beta", "beta": "alpha", NO_CUT: NO_CUT},
        oracle.alphabeta_log(tree, Rules()).rows,
    )
    cutting = [tree.parent(tree[name]) for kind, name, *_ in rows if kind == "cut"]
    cuts = {node.name: "beta" if node.is_max else "alpha" for node in cutting}
    names = {node.name: cuts.get(node.name, NO_CUT) for node in inner(tree)}
    return {name: {"by bound": cut, "by node": other[cut]} for name, cut in names.items()}


def path_bounds(tree):
    run, cut, _ = moment(tree)
    now = oracle.replay(run, cut.step - 1)
    return {
        node.name: {letter: getattr(now[node.name], letter) for letter in ("bv", "alpha", "beta")}
        for node in tree.path(tree[cut.at])
    }


def proven_values(tree):
    proven = oracle.proven(trace(tree), len(trace(tree)))
    return {
        node.name: dict(zip(("low", "high"), proven[node.name], strict=True))
        for node in inner(tree)
    }


def thresholds(tree):
    """Try all values that could make a difference, and some between them."""
    finite, ends = {leaf.value for leaf in tree.leaves()}, {}
    values = [
        -inf,
        *sorted({value + step for value in finite for step in (-1, -0.5, 0, 0.5, 1)}),
        inf,
    ]
    for leaf, cut in last_leaves(trace(tree)).items():
        below = {node.name for node in tree.below(tree[cut.skipped[0]])}
        cuts = [value for value in values if not below & read(tree.with_value(leaf, value))]
        ends[leaf] = min(cuts) if tree[cut.at].is_max else max(cuts)
        assert cuts == [
            v for v in values if (v >= ends[leaf] if tree[cut.at].is_max else v <= ends[leaf])
        ]
    return ends


ANOTHER_WAY = {
    "tree-values": (lambda tree: {node.name: minimax_value(node) for node in inner(tree)}, TREES),
    "skipped-leaves": (skipped, TREES),
    "other-rules": (skipped, TREES),
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
    for mistake in exercise.texts["misreadings"]:
        verdict = exercise.check(as_form(exercise.fill(exercise.tree, mistake)))
        assert (verdict.mistake, verdict.hints[1:]) == (mistake, exercise.hints)
        assert "It looks as if " in verdict.message and verdict.message.endswith(verdict.hints[0])
        for tree in trees[:8]:  # a misreading can be right on a tree
            verdict = exercise.on(tree).check(as_form(exercise.fill(tree, mistake)))
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
    return sorted(
        {-inf, inf, 0, -right, *near, *(leaf.value for leaf in exercise.tree.leaves())} - {right}
    )


@each_exercise
def test_every_single_change_is_wrong_and_is_named_with_its_reason(name):
    exercise = EXERCISES[name]
    total = check(name, ANSWERS[name]).points[1]
    for place, right in exercise.right.items():
        cell = " of ".join(reversed(place))
        for other in others(exercise, right):
            verdict = exercise.check(changed(ANSWERS[name], place, other))
            assert verdict.status == "wrong" and verdict.tree == exercise.tree
            assert verdict.points == (total - 1, total)
            said = re.match(r".* is not the right (value|answer) for (.*?)\. ", verdict.message)
            assert said and said[2] == " of ".join(f"`{part}`" for part in reversed(place))
            reason = verdict.message.split(". ", 1)[1].split(f"{verdict.points[0]} of ")[0]
            assert len(reason) > 20
            # Of the leaves it names one that stands there, and none that is missing
            if name in LEAVES_SKIPPED:
                named = set(re.findall(r"\w+", reason)) & {
                    leaf.name for leaf in exercise.tree.leaves()
                }
                assert named <= set(other) - right and len(named) <= 1
            elif name != "tree-values":  # which lists the numbers to choose from
                words = set(re.findall(r"\w+", reason))
                assert not words & ({"alpha", "beta"} if name == "cut-names" else {str(right)}), (
                    reason
                )
        empty = exercise.check(changed(ANSWERS[name], place, None))
        if len(exercise.right) == 1:
            assert empty.status == "not written yet"
            continue
        assert empty.status == "wrong" and empty.points[0] < empty.points[1] and not empty.mistake
        assert empty.message.startswith(f"{cell} is not filled in yet.")


REASONS = [
    (
        "tree-values",
        ("F",),
        0,
        "0 is not the right value for `F`. F is a MAX node: which of its children's values comes up?",
    ),
    (
        "skipped-leaves",
        ("equal",),
        ["O", "P", "S", "T"],
        "['O', 'P', 'S', 'T'] is not the right answer for `equal`. A leaf is missing: at N, bv = 5 meets α = 5.",
    ),
    ("skipped-leaves", ("equal",), [], "[] is not the right answer for `equal`. "),
    (
        "skipped-leaves",
        ("equal",),
        ["B"],
        "['B'] is not the right answer for `equal`. B is not a leaf of the tree.",
    ),
    ("path-bounds", ("C", "bv"), 5, "bv is the best value for MIN that has come back to C so far"),
    ("cut-names", ("M", "by bound"), "alpha", "M is a MIN node. Which bound can its bv run into"),
    (
        "proven-values",
        ("E", "high"),
        9,
        "E is a MAX node: its low follows from its children's lows",
    ),
    ("cut-thresholds", ("K",), 6, "The value of K goes up to the node that cuts"),
    # what cannot be an entry
    ("tree-values", ("B",), "x", "B is 'x'; expected a number"),
    ("cut-names", ("E", "by node"), 1, 'by node of E is 1; expected "alpha", "beta" or "no cut".'),
]


@pytest.mark.parametrize("name, place, value, why", REASONS)
def test_the_reason_is_that_of_the_entry(name, place, value, why):
    verdict = check(name, changed(ANSWERS[name], place, value))
    assert verdict.status == "wrong" and why in verdict.message


READ = re.compile(
    r"(\w+) is read: at (\w+), bv = (\S+) has not (reached|gone beyond) ([αβ]) = (\S+)\."
)
MISSING = re.compile(r"A leaf is missing: at (\w+), bv = (\S+) meets ([αβ]) = (\S+)\.")


def as_number(text):
    return float(text.replace("−", "-").replace("∞", "inf"))


@pytest.mark.parametrize("tree", CHOICES[::25], ids=repr)
def test_the_reason_why_a_leaf_is_read_or_skipped_is_true(tree):
    """Each number is compared with the log of another search, at the moment that the sentence
    speaks of.
    """
    exercises = {
        row: EXERCISES[name].on(tree) for name in LEAVES_SKIPPED for (row,) in EXERCISES[name].right
    }
    answer = skipped(tree)
    rules = {
        "equal": Rules(),
        "beyond": Rules(strict=True),
        "right to left": Rules(right_to_left=True),
    }
    for row, leaf in product(rules, tree.leaves()):
        right = set(answer[row])
        verdict = exercises[row].check(answer | {row: sorted(right ^ {leaf.name})})
        run = trace(tree, rules=rules[row])

        if leaf.name in right:
            if not right - {leaf.name}:
                continue  # an empty list: the general reason
            at, bv, letter, bound = MISSING.search(verdict.message).groups()
            (cut,) = [cut for cut in run.cuts if cut.at == at and leaf in below(tree, cut)]
            step = cut.step
        elif found := READ.search(verdict.message):
            name, at, bv, _, letter, bound = found.groups()
            assert name == leaf.name and tree[at] in tree.path(leaf)
            step = next(
                step
                for step in range(len(run) + 1)
                if run[step].at == name and run[step].event.kind == "leaf"
            )
        else:
            assert (
                f"{leaf.name} is read: it comes first, when nothing is known yet."
                in verdict.message
            )
            assert run.leaves[0] == leaf.name
            continue

        now = oracle.replay(run, step - 1)[at]
        assert letter == ("β" if tree[at].is_max else "α")
        assert (as_number(bv), as_number(bound)) == (
            now.bv,
            now.beta if tree[at].is_max else now.alpha,
        )
        is_met = rules[row].reaches(as_number(bv), as_number(bound), tree[at].is_max)
        assert is_met == (leaf.name in right)


def below(tree, cut):
    return [node for child in cut.skipped for node in tree.below(tree[child])]


@pytest.mark.parametrize("name", LEAVES_SKIPPED)
def test_the_leaves_read_are_seen_where_those_skipped_were_asked_for(name):
    tree = EXERCISES[name].tree
    every = {leaf.name for leaf in tree.leaves()}
    right = {
        row: leaves for row, leaves in skipped(tree).items() if (row,) in EXERCISES[name].right
    }
    reading = {row: sorted(every - set(names)) for row, names in right.items()}
    assert check(name, reading).mistake == "the leaves read"

    first, *others = reading
    assert check(name, right | {first: reading[first]}).mistake == "the leaves read"
    assert check(name, reading | dict.fromkeys(others)).mistake == "the leaves read"
    assert check(name, reading | {first: reading[first][1:]}).mistake is None


@pytest.mark.parametrize("name", LEAVES_SKIPPED)
def test_each_wrong_leaf_costs_a_point_and_has_its_reason(name):
    exercise, answer, dice = EXERCISES[name], ANSWERS[name], random.Random(0)
    most = sum(len(leaves) for leaves in answer.values())
    for row, right in answer.items():
        for _ in range(50):
            changes = dice.sample(
                [leaf.name for leaf in exercise.tree.leaves()], dice.randint(1, 6)
            )
            listed = set(right) ^ set(changes)
            verdict = exercise.check(answer | {row: sorted(listed)})
            lost = min(len(changes), len(right))
            assert verdict.points == (most - lost, most) and verdict.status == "wrong"

            claimed = listed - set(right)
            if not listed:
                continue  # the general reason
            named = set(re.findall(r"(\w+) is read:", verdict.message))
            assert named <= claimed and len(named) == min(3, len(claimed))
            assert ("A leaf is missing: " in verdict.message) == (not set(right) <= listed)
            assert (" of your list." in verdict.message) == (len(claimed) > 3)


def test_an_answer_with_rows_of_both_exercises_is_an_answer_to_each():
    both = papers.skipped_leaves | papers.other_rules
    assert check("skipped-leaves", both) and check("other-rules", both)


@pytest.mark.parametrize("name", NAMES + TO_BUILD)
def test_stub_and_solution(name):
    exercise, names, answer = EXERCISES[name], {}, ANSWERS[name]
    exec(exercise.stub, names)
    for stub in (names[name.replace("-", "_")], None, ...):
        verdict = check(name, stub)
        assert (verdict.status, verdict.mistake, verdict.tree) == ("not written yet", None, None)
        assert len(set(verdict.hints)) >= 2 and verdict.hints == exercise.hints
    assert exercise.text in repr(exercise) and exercise.stub in repr(exercise)
    assert check(name, answer) and check(name, answer).hints == ()
    for answer in (7, "A", {"Z": 1}, {5: 5}, object()):
        verdict = check(name, answer)
        assert (
            verdict.status == "wrong" and verdict.mistake is None and "xpected" in verdict.message
        )


def test_answers_may_be_written_in_other_ways():
    assert check(
        "skipped_leaves", {row: set(leaves) for row, leaves in papers.skipped_leaves.items()}
    )
    empty = {node: dict.fromkeys(row) for node, row in papers.cut_names.items()}
    assert check("cut-names", empty | {"A": papers.cut_names["A"]}).points == (0, 6), (
        "an open entry is a wrong one"
    )


@each_exercise
def test_a_form_has_the_same_number_of_points_whatever_is_filled_in(name):
    exercise, chance = EXERCISES[name], random.Random(0)
    most = check(name, ANSWERS[name]).points[1]
    for wrong in range(len(exercise.right) + 1):
        answer = ANSWERS[name]
        for place in chance.sample(list(exercise.right), wrong):
            answer = changed(answer, place, chance.choice(others(exercise, exercise.right[place])))
        verdict = exercise.check(answer)
        assert verdict.points == (max(0, most - wrong), most)
        assert bool(verdict) == (wrong == 0)


def test_a_tree_on_which_an_exercise_cannot_be_asked_is_refused():
    for name in ("path-bounds", "cut-thresholds"):
        with pytest.raises(AbvizError, match="nothing is cut in the tree; expected one with a cut"):
            EXERCISES[name].on(Tree([1, 2]))
    with pytest.raises(AbvizError, match="a2"):
        EXERCISES["tree-values"].on(Tree([1, None]))


# trees to build


def leaves(tree):
    return sum(1 for _ in tree.leaves())


def has_tied_moves(tree):
    log = oracle.alphabeta_log(tree, Rules())
    returned = {name: value for kind, name, *_, value in log.rows if kind in ("leaf", "exit")}
    return any(
        returned.get(move.name) == log.value != minimax_value(move) for move in tree.root.children
    )


def has_deep_cut(tree):
    return any(oracle.witness(trace(tree), cut.step)[2] for cut in trace(tree).cuts)


def has_no_cut(tree):
    return len(read(tree)) == leaves(tree) and all(
        len(tree.path(leaf)) > 3 for leaf in tree.leaves()
    )


CONDITIONS = {
    "no-cut": has_no_cut,
    "deep-cut": lambda tree: has_deep_cut(tree) and leaves(tree) == DEEP_LEAVES,
    "tied-moves": has_tied_moves,
}
DEEP = [Tree([5, [[[a, b], c], d]]) for a, b, c, d in product((3, 5, 7), repeat=4)]
SHUFFLED = [random.Random(seed).sample(range(20), 8) for seed in range(100)]
FULL = [
    Tree([[[a, b], [c, d]], [[e, f], [g, h]]])
    for a, b, c, d, e, f, g, h in (*SHUFFLED, *map(sorted, SHUFFLED))
]


@pytest.mark.parametrize("name", TO_BUILD)
def test_the_right_trees_are_those_that_another_search_finds(name):
    counts = {"right": 0, "wrong": 0}
    for tree in (*CHOICES, *DEEP, *FULL):
        verdict = EXERCISES[name].check(tree)
        assert verdict.status == ("right" if CONDITIONS[name](tree) else "wrong"), verdict
        counts[verdict.status] += 1
    assert min(counts.values()) > 10


def test_no_tree_with_fewer_leaves_has_a_deep_cut():
    trees = [tree for tree in small_trees() if leaves(tree) < DEEP_LEAVES]
    assert len(trees) > 1_000 and not any(map(has_deep_cut, trees))


WRONG = [
    *(("deep-cut", answer, message) for answer, message in [
        (Tree(5), "expected nested lists of numbers, such as [[3, 5], [2, 9]], of at most 300 nodes."),
        ([[3, ...], 5], "at 0.1: the value is Ellipsis; expected a number"),
        ([[3, 4], [5]], "The tree cannot be used because of C; expected two or more moves at each node"),
        ([3, [5, inf]], "because of b2"),
        ([3, [5, None]], "expected nested lists of numbers"),
        ([3, {"children": [1, 2], "to_move": "max"}], "because of A"),
        ([list(range(200)), list(range(200))], "of at most 300 nodes"),
    ]),
    ("no-cut", [[1, 2], [3, 4]], "2 moves below the root"),
    ("no-cut", [[[9, 1], [1, 2]], [[3, 4], [5, 6]]], "Alpha-beta cuts at"),
    ("deep-cut", [5, [3, 9]], "its bound is from A"),
    ("deep-cut", [5, [[[3, 9], 4], 7, 8]], "It can be done with fewer"),
    ("deep-cut", [1, 2], "Nothing is cut"),
    ("tied-moves", [5, [6, 7]], "Only B returns 6"),
    ("tied-moves", [5, [7, 5]], "a1 and B return 5"),
]  # fmt: skip


@pytest.mark.parametrize("name, answer, message", WRONG)
def test_what_is_wrong_with_a_tree_is_named_and_shown(name, answer, message):
    verdict = check(name, answer)
    assert verdict.status == "wrong" and message in verdict.message, verdict
    shown = verdict._repr_mimebundle_()["text/html"]
    assert ("<img" in shown) == (verdict.trace is not None) and (
        verdict.tree is None or verdict.tree == Tree(answer)
    )
