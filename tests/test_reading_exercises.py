"""The exercises with pencil and paper: the right answers by another way, every single change of one, and each known
misunderstanding by its name."""

import random
import re
from math import inf

import pytest

from abviz import AbvizError, Tree, check, trace
from abviz.exercises.arguing import STANDING_STILL, THRESHOLDS, last_leaves
from abviz.exercises.reading_bounds import BOUNDS, chosen_moment
from abviz.exercises.reading_cuts import CUTS, NO_CUT, NOBODY, WITNESS
from abviz.exercises.reading_skips import SKIPPED
from abviz.exercises.reading_values import PROVEN, VALUES
from tests.solutions import arguing, reading

READING = {
    VALUES: reading.tree_values,
    SKIPPED: reading.skipped_leaves,
    BOUNDS: reading.path_bounds,
    CUTS: reading.cut_names,
    WITNESS: reading.cut_witness,
    PROVEN: reading.proven_values,
}
ARGUING = {STANDING_STILL: arguing.standing_still, THRESHOLDS: arguing.cut_thresholds}
PAPERS = READING | ARGUING
each_exercise = pytest.mark.parametrize("exercise", PAPERS, ids=lambda exercise: exercise.name)


def variable(exercise):
    return exercise.name.replace("-", "_")


# a search of a few lines, which writes down what the exercises ask for


class Paper:
    def __init__(self, tree, strict=False, backwards=False):
        self.strict, self.backwards = strict, backwards
        self.read, self.cuts, self.proven, self.moments = [], {}, {}, {}
        self.value = self.search(tree.root, (-inf, None), (inf, None), ())[0]
        for node in tree.nodes:
            self.proven.setdefault(node.name, (-inf, inf))

    def search(self, node, alpha, beta, path):
        """α and β are pairs: the number, and the node at which it was found. (What comes back, what is proven.)"""
        if not node.children:
            self.read.append(node.name)
            return node.value, (node.value, node.value)
        bv = -inf if node.is_max else inf
        here = {"bv": bv}
        known = []
        todo = list(node.children)[:: -1 if self.backwards else 1]
        while todo:
            child = todo.pop(0)
            here.update(bv=bv, alpha=alpha[0], beta=beta[0])
            value, interval = self.search(child, alpha, beta, (*path, (node, here)))
            known.append(interval)
            if node.is_max:
                bv = max(bv, value)
                alpha = max(alpha, (bv, node), key=lambda bound: bound[0])
            else:
                bv = min(bv, value)
                beta = min(beta, (bv, node), key=lambda bound: bound[0])
            here.update(bv=bv, alpha=alpha[0], beta=beta[0])
            self.moments[node.name, child.name] = {n.name: dict(marks) for n, marks in (*path, (node, here))}
            bound = beta if node.is_max else alpha
            over = bv > bound[0] if node.is_max else bv < bound[0]
            if over or (bv == bound[0] and not self.strict):
                if todo:
                    others = [n.name for n, _ in path if n.is_max != node.is_max]
                    self.cuts[node.name] = ("beta" if node.is_max else "alpha", bound[1], others[-1:], bound[0])
                break
        known += [(-inf, inf)] * len(todo)
        choose = max if node.is_max else min
        self.proven[node.name] = tuple(choose(side) for side in zip(*known, strict=True))
        return bv, self.proven[node.name]


def worth(node):
    below = [worth(child) for child in node.children]
    return (max(below) if node.is_max else min(below)) if below else node.value


def grown(seed):
    chance = random.Random(seed)

    def nested(depth):
        if depth == 0 or (depth < 3 and chance.random() < 0.2):
            return chance.randint(-5, 5)
        return [nested(depth - 1) for _ in range(chance.randint(1, 3))]

    return Tree(nested(4), to_move=chance.choice(["max", "min"]))


TREES = [tree for tree in map(grown, range(150)) if tree.root.children]
WITH_CUTS = [tree for tree in TREES if Paper(tree).cuts]
assert len(WITH_CUTS) > 60


def inner(tree):
    return [node for node in tree.nodes if node.children]


def right(verdict):
    assert verdict.status == "right", verdict
    return True


def test_values_are_those_of_minimax():
    for tree in TREES:
        assert right(VALUES.on(tree).check({node.name: worth(node) for node in inner(tree)}, 1))


def test_skipped_leaves_are_those_that_another_search_does_not_read():
    rows = {"equal": {}, "beyond": {"strict": True}, "right to left": {"backwards": True}}
    for tree in TREES:
        leaves = [leaf.name for leaf in tree.leaves()]
        answer = {row: [leaf for leaf in leaves if leaf not in Paper(tree, **how).read] for row, how in rows.items()}
        assert right(SKIPPED.on(tree).check(answer, 1))


def test_cuts_are_named_as_another_search_finds_them():
    other = {"alpha": "beta", "beta": "alpha", NO_CUT: NO_CUT}
    for tree in TREES:
        cuts = Paper(tree).cuts
        names = {node.name: cuts[node.name][0] if node.name in cuts else NO_CUT for node in inner(tree)}
        answer = {name: {"by bound": cut, "by node": other[cut]} for name, cut in names.items()}
        assert right(CUTS.on(tree).check(answer, 1))


def test_witnesses_are_those_from_which_another_search_has_its_bounds():
    deep = 0
    for tree in WITH_CUTS:
        answer = {}
        for name, (_, owner, nearest, _) in Paper(tree).cuts.items():
            answer[name] = {"witness": owner.name if owner else NOBODY, "deep": bool(owner) and [owner.name] != nearest}
            deep += answer[name]["deep"]
        assert right(WITNESS.on(tree).check(answer, 1))
    assert deep > 5


def test_what_is_proven_is_what_the_leaves_read_say():
    for tree in TREES:
        proven = Paper(tree).proven
        answer = {node.name: dict(zip(("low", "high"), proven[node.name], strict=True)) for node in inner(tree)}
        assert right(PROVEN.on(tree).check(answer, 1))


def test_bounds_are_those_that_another_search_holds_at_that_moment():
    for tree in WITH_CUTS:
        node, child = chosen_moment(tree)
        marks = Paper(tree).moments[node.name, child.name]
        assert right(BOUNDS.on(tree).check(marks, 1)) and node.name in Paper(tree).cuts


def between(tree):
    """All values that could make a difference, and some between them."""
    finite = {leaf.value for leaf in tree.leaves()}
    return [-inf, *sorted({value + step for value in finite for step in (-1, -0.5, 0, 0.5, 1)}), inf]


def test_the_root_stands_still_just_where_minimax_says_so():
    for tree in [STANDING_STILL.tree, *TREES[:60]]:
        now, answer = worth(tree.root), {}
        for leaf in tree.leaves():
            same = [value for value in between(tree) if worth(tree.with_value(leaf.name, value).root) == now]
            answer[leaf.name] = {"low": min(same), "high": max(same)}
            assert same == [value for value in between(tree) if min(same) <= value <= max(same)]
        assert right(STANDING_STILL.on(tree).check(answer, 1))


def test_skipped_leaves_slide_from_end_to_end_and_the_root_stands_still():
    for tree in TREES[:60]:
        rights = {slot.place: slot.right for slot in STANDING_STILL.on(tree).question.slots}
        for leaf in {leaf.name for leaf in tree.leaves()} - set(Paper(tree).read):
            assert (rights[leaf, "low"], rights[leaf, "high"]) == (-inf, inf)
            assert {Paper(tree.with_value(leaf, value)).value for value in between(tree)} == {worth(tree.root)}


def test_a_cut_disappears_just_beyond_its_threshold():
    found = 0
    for tree in [THRESHOLDS.tree, *WITH_CUTS]:
        for leaf, cut in last_leaves(trace(tree)).items():
            found += 1
            skipped = {node.name for node in tree.below(tree[cut.skipped[0]])}
            still = [v for v in between(tree) if not skipped.intersection(Paper(tree.with_value(leaf, v)).read)]
            end = min(still) if tree[cut.at].is_max else max(still)
            interval = [end, inf] if tree[cut.at].is_max else [-inf, end]
            assert still == [value for value in between(tree) if interval[0] <= value <= interval[1]]
            slots = THRESHOLDS.on(tree).question.slots
            assert {slot.place: slot.right for slot in slots}[(leaf,)] == end
            kind = next(slot.kind for slot in slots if slot.place == (leaf,))
            assert kind.read(end) == kind.read(interval) == end != kind.read([end, end]) and kind.read("far") is None
    assert found > 60


# stubs, and what is no answer


@each_exercise
def test_a_stub_is_not_written_yet(exercise):
    told = {}
    exec(exercise.stub, told)
    for stub in (told[variable(exercise)], None, ..., {}):
        verdict = check(exercise.name, stub)
        assert (verdict.status, verdict.mistake, verdict.tree) == ("not written yet", None, None) and not verdict
        assert len(verdict.hints) == 3 and len(set(verdict.hints)) == 3


@each_exercise
def test_the_solution_is_right(exercise):
    verdict = check(exercise.name, PAPERS[exercise])
    assert right(verdict) and verdict.points == (marks(exercise), marks(exercise))
    assert not verdict.hints and verdict.tree is None


@each_exercise
def test_the_question_is_shown_with_its_tree_and_its_stub(exercise):
    shown = exercise._repr_mimebundle_()
    assert exercise.stub in shown["text/plain"] and exercise.question.asks in repr(exercise)
    assert "<img" in shown["text/html"] and "data:image/svg+xml" in shown["text/html"]


@each_exercise
@pytest.mark.parametrize("answer", [7, "A", [1, 2], {"Z": 1}, {5: 5}, object()])
def test_what_is_no_such_answer_is_told(exercise, answer):
    verdict = check(exercise.name, answer)
    assert verdict.status == "wrong" and verdict.mistake is None and "expected" in verdict.message


@each_exercise
def test_what_is_no_value_is_told_where_it_stands(exercise):
    for slot in exercise.question.slots:
        verdict = exercise.check(changed(PAPERS[exercise], slot.place, object()), 1)
        assert verdict.status == "wrong" and "expected" in verdict.message
        assert verdict.message.startswith(named(slot.place)), verdict
        assert verdict.points[0] < verdict.points[1]


@pytest.mark.parametrize(
    "exercise, place, left",
    [
        (VALUES, ("B",), ...),
        (SKIPPED, ("beyond",), ["O", ...]),
        (BOUNDS, ("A", "bv"), ...),
        (THRESHOLDS, ("M",), [..., 3]),
    ],
)
def test_what_is_left_open_is_not_filled_in(exercise, place, left):
    verdict = exercise.check(changed(PAPERS[exercise], place, left), 1)
    assert verdict.status == "wrong" and verdict.message.startswith(f"{named(place)} is not filled in yet.")
    assert exercise.check({place[0]: {place[1]: left} if len(place) > 1 else left}, 1).status == "not written yet"


@pytest.mark.parametrize("name", ["E", "Q9", "o", 3, ["O"]])
def test_of_a_list_the_name_that_is_no_leaf_is_told(name):
    message = check("skipped-leaves", reading.skipped_leaves | {"equal": ["O", name, "P"]}).message
    assert message == f"equal has {name!r}, which is no leaf; expected a list of names of leaves."


def test_what_is_no_list_of_names_is_told_as_it_is():
    message = check("skipped-leaves", reading.skipped_leaves | {"equal": "O"}).message
    assert message == "equal is 'O'; expected a list of names of leaves."


def test_a_row_left_open_is_not_filled_in():
    verdict = BOUNDS.check(reading.path_bounds | {"C": ...}, 1)
    assert verdict.message.startswith("bv of C is not filled in yet.") and verdict.points == (9, 12)
    assert BOUNDS.check({"A": ..., "C": ...}, 1).status == "not written yet"


def test_infinity_may_be_written_as_a_word():
    words = {inf: "inf", -inf: "-∞"}
    answer = {n: {k: words.get(v, v) for k, v in cells.items()} for n, cells in reading.path_bounds.items()}
    assert right(BOUNDS.check(answer, 1))


def test_cuts_may_be_written_with_greek_letters():
    words = {"alpha": "α-cut", "beta": "Beta cut", NO_CUT: "none"}
    answer = {n: {k: words[v] for k, v in cells.items()} for n, cells in reading.cut_names.items()}
    assert right(CUTS.check(answer, 1))


def test_a_tree_in_which_nothing_is_cut_has_no_witness():
    for exercise in (WITNESS, BOUNDS, THRESHOLDS):
        with pytest.raises(AbvizError, match="nothing is cut in the tree; expected one with a cut"):
            exercise.on(Tree([1, 2])).check({}, 1)


# every single change


def changed(paper, place, value):
    if len(place) == 1:
        return paper | {place[0]: value}
    return paper | {place[0]: paper[place[0]] | {place[1]: value}}


def named(place):
    return place[0] if len(place) == 1 else f"{place[1]} of {place[0]}"


def marked(exercise, place, value):
    """How many marks that is: a leaf that is listed, a cut that has a name, an end that there is."""
    if exercise is SKIPPED:
        return len(value)
    if exercise is CUTS:
        return value != NO_CUT
    if exercise in (PROVEN, STANDING_STILL):
        return value != {"low": -inf, "high": inf}[place[1]]
    return 1


def marks(exercise):
    return sum(marked(exercise, slot.place, at(PAPERS[exercise], slot.place)) for slot in exercise.question.slots)


def at(paper, place):
    return paper[place[0]] if len(place) == 1 else paper[place[0]][place[1]]


def changes(exercise, slot):
    """Every other thing that may stand there; of a list every list with one name more or less."""
    now = at(PAPERS[exercise], slot.place)
    if exercise is SKIPPED:
        leaves = [leaf.name for leaf in exercise.tree.leaves()]
        return [[name for name in now if name != leaf] if leaf in now else [*now, leaf] for leaf in leaves]
    if isinstance(now, bool):
        return [not now]
    if exercise is CUTS:
        return [word for word in ("alpha", "beta", NO_CUT) if word != now]
    if isinstance(now, str):
        return [name for name in (NOBODY, *(node.name for node in exercise.tree.nodes)) if name != now]
    near = [now - 1, now + 1, now + 0.5] if abs(now) < inf else []
    numbers = {-inf, inf, 0, -now, *near, *(leaf.value for leaf in exercise.tree.leaves())} - {now}
    return sorted(numbers)


@each_exercise
def test_every_single_change_is_wrong_and_is_named(exercise):
    tried = 0
    counted = "marks" if exercise in (SKIPPED, CUTS, PROVEN, STANDING_STILL) else "cells"
    for slot in exercise.question.slots:
        now = marked(exercise, slot.place, at(PAPERS[exercise], slot.place))
        for other in changes(exercise, slot):
            total = marks(exercise) + (marked(exercise, slot.place, other) > now)
            verdict = exercise.check(changed(PAPERS[exercise], slot.place, other), 1)
            assert verdict.status == "wrong" and verdict.points == (total - 1, total), verdict
            assert verdict.message.startswith(f"{named(slot.place)} ") and "which is wrong. " in verdict.message
            right_cells = "1 of 2 cells is" if total == 2 else f"{total - 1} of {total} {counted} are"
            assert f"{right_cells} right." in verdict.message and verdict.tree == exercise.tree
            assert len(verdict.hints) >= 3
            tried += 1
    assert tried >= marks(exercise)


@pytest.mark.parametrize(
    "exercise, place, value, why",
    [
        (VALUES, ("F",), 0, "F is a MAX node: which of 0, 5 comes up?"),
        (SKIPPED, ("equal",), ["O", "P", "S", "T"], "N cuts before the search comes to X: compare its bv with α"),
        (SKIPPED, ("beyond",), ["O", "P", "X"], "X is read"),
        (BOUNDS, ("C", "bv"), 5, "bv: C takes the best for MIN of what has come back, from G."),
        (BOUNDS, ("A", "alpha"), 3, "α: the search began with the full window, and bv has passed it since."),
        (BOUNDS, ("H", "alpha"), 3, "α: H got a copy of that of C, and bv has not passed it since."),
        (BOUNDS, ("H", "beta"), 3, "β: H got a copy of that of C, and only MIN moves β."),
        (CUTS, ("M", "by bound"), "alpha", "The last child of M has returned when its bv meets the bound"),
        (CUTS, ("J", "by node"), "beta", "J is skipped with all below it"),
        (CUTS, ("B", "by node"), "beta", "All children of B are searched"),
        (CUTS, ("E", "by node"), "beta", "E is a MAX node, and skips J. By the node, nothing counts"),
        (WITNESS, ("N", "witness"), "H", "N is stopped by α, which MAX moves: on the way down to it, where did α"),
        (WITNESS, ("N", "deep"), False, "The MAX node next above N is H"),
        (PROVEN, ("E", "high"), 9, "E is a MAX node: take the largest of what its children are worth at most"),
        (STANDING_STILL, ("D", "high"), 3, "D can go higher than that, and the root is still worth 4."),
        (STANDING_STILL, ("D", "high"), inf, "With D = 5 the root is worth 5, and not 4."),
        (THRESHOLDS, ("K",), 6, "K can go lower than 6, and there is still a cut right after it."),
        (THRESHOLDS, ("K",), [5, 7], "K can go higher than 7, and there is still a cut right after it."),
        (THRESHOLDS, ("K",), [4, inf], "With K = 4 there is no cut right after it."),
        (THRESHOLDS, ("M",), [-9, 3], "M can go lower than −9, and there is still a cut right after it."),
        (THRESHOLDS, ("M",), 3.5, "With M = 3.5 there is no cut right after it."),
    ],
)
def test_the_reason_is_that_of_the_cell(exercise, place, value, why):
    assert why in exercise.check(changed(PAPERS[exercise], place, value), 1).message


def words_of(text):
    return set(re.findall(r"[−\w.∞]+", text.replace(". ", " ").removesuffix(".")))


@pytest.mark.parametrize("exercise", [BOUNDS, CUTS, WITNESS, THRESHOLDS], ids=lambda exercise: exercise.name)
def test_what_is_said_of_a_wrong_cell_does_not_give_the_answer_away(exercise):
    for slot in exercise.question.slots:
        shown = slot.kind.shown(slot.right)
        for wrong in changes(exercise, slot):
            why = slot.reason("", wrong)
            assert why in exercise.check(changed(PAPERS[exercise], slot.place, wrong), 1).message
            assert not words_of(why) & ({"alpha", "beta", "α", "β"} if exercise is CUTS else {shown}), why


@each_exercise
def test_an_empty_cell_is_wrong_and_nothing_is_told_beyond_it(exercise):
    slots = exercise.question.slots
    for slot in slots:
        empty = changed(PAPERS[exercise], slot.place, None)
        verdict = exercise.check(empty, 1)
        assert verdict.status == "wrong" and verdict.message.startswith(f"{named(slot.place)} is not filled in yet.")
        assert verdict.points[0] < verdict.points[1] and verdict.mistake is None
    both = changed(changed(PAPERS[exercise], slots[0].place, None), slots[-1].place, changes(exercise, slots[-1])[0])
    verdict = exercise.check(both, 1)
    right_cells, total = verdict.points
    assert re.search(rf"which is wrong\. {right_cells} of {total} (cells|marks) are right\.$", verdict.message)


@pytest.mark.parametrize("exercise", [SKIPPED, CUTS, PROVEN, STANDING_STILL], ids=lambda exercise: exercise.name)
def test_a_paper_without_a_mark_has_no_points_and_one_with_too_many_loses_some(exercise):
    slots = exercise.question.slots
    rights = {slot.place: slot.right for slot in slots}
    blind = rights | {slot.place: frozenset() if exercise is SKIPPED else slot.nothing for slot in slots}
    assert all(not marked(exercise, *each) for each in blind.items())
    verdict = exercise.check(filled(exercise, blind), 1)
    assert verdict.points == (0, marks(exercise)) and f"0 of {marks(exercise)} marks are right." in verdict.message
    too_many = {
        slot.place: changes(exercise, slot)[0] for slot in slots if not marked(exercise, slot.place, slot.right)
    }
    if exercise is SKIPPED:
        too_many = {("equal",): [leaf.name for leaf in exercise.tree.leaves()]}
    answer = filled(exercise, rights | too_many)
    all_marks = sum(marked(exercise, slot.place, at(answer, slot.place)) for slot in slots)
    assert exercise.check(answer, 1).points == (marks(exercise), all_marks) and all_marks > marks(exercise)


def test_what_is_left_open_where_nothing_is_cut_costs_one_mark_in_all():
    cuts = {
        way: {node: None if told == NO_CUT else told for node, told in row.items()}
        for way, row in reading.cut_names.items()
    }
    verdict = check("cut-names", cuts)
    assert (verdict.status, verdict.points) == ("wrong", (marks(CUTS), marks(CUTS) + 1))


def test_where_nothing_is_cut_a_paper_without_a_mark_is_right():
    tree = Tree([1, 2])
    rows = {"equal": [], "beyond": [], "right to left": []}
    assert right(SKIPPED.on(tree).check(rows, 1))
    open_row = SKIPPED.on(tree).check(rows | {"beyond": None}, 1)
    assert open_row.status == "wrong" and open_row.points == (0, 1)


# known misunderstandings


def filled(exercise, paper):
    answer = {}
    for slot in exercise.question.slots:
        value = paper[slot.place]
        value = sorted(value) if isinstance(value, frozenset) else value
        if len(slot.place) == 1:
            answer[slot.place[0]] = value
        else:
            answer.setdefault(slot.place[0], {})[slot.place[1]] = value
    return answer


MISTAKES = [(exercise, mistake) for exercise in PAPERS for mistake in exercise.mistakes]


@pytest.mark.parametrize("exercise, mistake", MISTAKES, ids=[f"{e.name}-{m.name}" for e, m in MISTAKES])
def test_each_misunderstanding_has_its_own_name(exercise, mistake):
    papers = list(mistake.papers(exercise.tree))
    assert papers
    for paper in papers:
        verdict = check(exercise.name, filled(exercise, paper))
        assert (verdict.status, verdict.mistake) == ("wrong", mistake.name)
        assert mistake.says in verdict.message and verdict.hints == (mistake.hint, *exercise.hints)


# The same answers, as a person who misunderstands would come to them.
BY_HAND = [
    (VALUES, "MAX everywhere", {"B": 5, "I": 7, "F": 7, "G": 8, "C": 8, "A": 8}),
    (VALUES, "MAX and MIN swapped", {"B": 5, "I": 7, "F": 5, "G": 7, "C": 7, "A": 5}),
    (VALUES, "bounds for values", {"B": 3, "I": 0, "F": 5, "G": 7, "C": 4, "A": 4}),
    (SKIPPED, "> for ≥", reading.skipped_leaves | {"equal": ["O", "P"]}),
    (SKIPPED, "left to right every time", reading.skipped_leaves | {"right to left": ["O", "P", "S", "T", "X"]}),
    (SKIPPED, "only the parent's bound", reading.skipped_leaves | {"equal": ["O", "P", "S", "T"]}),
    (BOUNDS, "the bound before the update", changed(reading.path_bounds, ("N", "beta"), 8)),
    (BOUNDS, "one child behind", reading.path_bounds | {"N": {"bv": inf, "alpha": 5, "beta": 8}}),
    (CUTS, "cut on the last child", reading.cut_names | {n: {"by bound": "alpha", "by node": "beta"} for n in "MC"}),
    (CUTS, "only the parent's bound", reading.cut_names | {"N": {"by bound": NO_CUT, "by node": NO_CUT}}),
    (WITNESS, "always the parent", reading.cut_witness | {"N": {"witness": "H", "deep": False}}),
    (WITNESS, "where the value came from", {n: w | {"witness": {"B": "D", "A": "B"}[w["witness"]]}
        for n, w in reading.cut_witness.items()}),
    (PROVEN, "taken for exact", reading.proven_values | {n: {"low": v, "high": v} for n, v in
        {"E": 9, "F": 5, "N": 5, "H": 5, "C": 5}.items()}),
    (STANDING_STILL, "every leaf counts", {n: {"low": v, "high": v} for n, v in
        {"D": 3, "E": 5, "M": 0, "N": 7, "J": 5, "K": 7, "L": 8, "H": 4}.items()}),
    (THRESHOLDS, "> for ≥", {"M": 2, "K": 6}),
    (THRESHOLDS, "the first without a cut", {"M": 4, "K": 4}),
    (THRESHOLDS, "its own value", {"M": 0, "K": 7}),
    (THRESHOLDS, "the other bound", {"M": inf, "K": 3}),
]  # fmt: skip


@pytest.mark.parametrize("exercise, name, answer", BY_HAND, ids=[f"{e.name}-{n}" for e, n, _ in BY_HAND])
def test_a_misunderstanding_worked_out_by_hand_is_recognised(exercise, name, answer):
    assert check(exercise.name, answer).mistake == name


def test_a_mistake_that_gives_the_right_answer_on_a_tree_is_no_mistake_there():
    for tree in WITH_CUTS[:12]:
        for exercise in PAPERS:
            on_tree = exercise.on(tree)
            try:
                rights = {slot.place: slot.right for slot in on_tree.question.slots}
            except AbvizError:
                continue
            assert right(on_tree.check(filled(on_tree, rights), 1))
            for mistake in exercise.mistakes:
                for paper in mistake.papers(tree):
                    same = all(paper.get(place) == value for place, value in rights.items())
                    verdict = on_tree.check(filled(on_tree, paper), 1)
                    assert verdict.status == ("right" if same else "wrong") and bool(verdict.mistake) != same
