"""`check`: a stub is not written yet, the reference is right, each known mistake has its own name, and what is shown is
the smallest tree on which an answer goes wrong."""

import random
import re
import sys
import time
from functools import partial
from html import unescape
from itertools import combinations
from math import inf
from urllib.parse import unquote

import pytest
from hypothesis import given

from abviz import AbvizError, Rules, Tree, draw, trace, watch
from abviz.errors import quoted
from abviz.exercises import checking
from abviz.exercises.behaviour import MOST_LOOKS, observe
from abviz.exercises.checking import EXERCISES, check
from abviz.exercises.counterexamples import is_far, random_trees, shrunk, small_trees, smallest
from abviz.exercises.known_mistakes import ALPHABETA, MINIMAX
from abviz.exercises.mistakes import never, searching, without_bounds
from abviz.exercises.recognising import sample
from abviz.exercises.searches import Exercise
from abviz.exercises.verdicts import Verdict, in_python, written
from abviz.exercises.writing import CASES
from abviz.recording.parting import first_difference
from abviz.tracing.narration import sentence
from tests import test_recording as forms
from tests.oracle import minimax_value
from tests.strategies import trees


def minimax(node):
    if node.is_leaf:
        return node.value
    values = [minimax(child) for child in node.children]
    return max(values) if node.is_max else min(values)


# the reference, and other right answers


def test_the_reference_does_what_the_course_s_search_does():
    for tree in (*small_trees()[::40], *random_trees(100)):
        found = trace(tree)
        run = observe(searching(), tree, -inf, inf)
        assert (run.value, run.leaves, run.problem) == (found.value, found.leaves, "")


@pytest.mark.parametrize("function", [forms.assignment, forms.value_of])
def test_right_searches_are_right(function):
    verdict = check("alphabeta", function)
    assert verdict and verdict.status == "right" and verdict.tree is None, verdict


def test_a_right_minimax_is_right():
    verdict = check("minimax", minimax)
    assert verdict and "trees" in str(verdict), verdict


# stubs


def raising(node, alpha, beta):
    raise NotImplementedError


@pytest.mark.parametrize("stub", [raising, lambda node, alpha, beta: None, lambda node, alpha, beta: ..., None, ...])
def test_a_stub_is_not_written_yet(stub):
    verdict = check("alphabeta", stub)
    assert verdict.status == "not written yet" and not verdict and verdict.tree is None


@pytest.mark.parametrize("answer", [7, "later", {}, Tree(3)])
def test_what_is_no_function_is_wrong(answer):
    verdict = check("alphabeta", answer)
    assert verdict.status == "wrong" and verdict.message.endswith("; expected a function.")


def for_leaves_only(node, alpha, beta):
    if node.is_leaf:
        return node.value


def for_max_only(node, alpha, beta):
    if node.is_leaf:
        return node.value
    if node.is_max:
        return max(for_max_only(child, alpha, beta) for child in node.children)


def for_min_only(node, alpha, beta):
    if node.is_leaf:
        return node.value
    if not node.is_max:
        return min(for_min_only(child, alpha, beta) for child in node.children)


def returns_nothing(node, alpha, beta):
    bv = -inf
    for child in node.children:
        bv = max(bv, child.value or 0)


def raises_for_min(node, alpha, beta):
    if node.is_leaf:
        return node.value
    if node.is_max:
        return max(raises_for_min(child, alpha, beta) for child in node.children)
    raise NotImplementedError


@pytest.mark.parametrize(
    ("function", "status", "said"),
    [
        (for_leaves_only, "not written yet", "returns the value of a leaf so far, and nothing for a node that has"),
        (for_max_only, "wrong", "It returns None for [0, 1], where MIN is to move."),
        (for_min_only, "wrong", "it returns None for [−1, 0], where MAX is to move; expected 0."),
        (returns_nothing, "wrong", "it returns None for [−1, 0], where MAX is to move; expected 0."),
        (raises_for_min, "not written yet", "it raises NotImplementedError for [0, 1], where MIN is to move."),
    ],
)
def test_of_what_is_half_written_is_told_where_it_is_not(function, status, said):
    verdict = check("alphabeta", function)
    assert verdict.status == status and said in verdict.message and "?" not in verdict.message


# what an answer keeps, and what it prints


def test_a_function_that_keeps_its_results_is_told_so():
    found = {}

    def keeps(node, alpha, beta):
        if node.name not in found:
            found[node.name] = minimax_posing(node, alpha, beta)
        return found[node.name]

    verdict = check("alphabeta", keeps)
    assert (verdict.status, verdict.mistake) == ("wrong", "something kept between calls")
    said = "On [−1, 0] with the window (−∞, ∞) it reads −1, 0, and called again after other trees it"
    assert verdict.message.startswith(said)
    assert verdict.tree is not None and "expected" not in verdict.message


@pytest.mark.parametrize("seed", range(40))
def test_a_function_that_leaves_its_order_to_chance_is_told_so_every_time(seed):
    chance = random.Random(seed)

    def shuffles(node):
        if node.is_leaf:
            return node.value
        return (max if node.is_max else min)(map(shuffles, chance.sample(node.children, len(node.children))))

    assert check("minimax", shuffles).mistake == "something kept between calls"


def test_a_function_that_is_right_at_first_and_then_no_more():
    calls = []

    def tires(node, alpha, beta):
        calls.append(node)
        return searching()(node, alpha, beta) + (len(calls) > 40)

    verdict = check("alphabeta", tires)
    assert verdict.mistake == "something kept between calls"
    assert "it returns 0, and called again after other trees it returns 1" in verdict.message


def test_a_function_that_goes_wrong_once_is_not_said_to_return_what_it_should(monkeypatch):
    monkeypatch.setattr(checking, "MOST_SECONDS", 60.0)  # also where the machine is busy
    wrong = []

    def stumbles(node, alpha, beta):
        if not node.is_max and len(node.children) > 2 and not wrong:  # no small tree is like that
            wrong.append(node.name)
            return 99
        return searching()(node, alpha, beta)

    verdict = check("alphabeta", stumbles)
    assert verdict.mistake == "something kept between calls"
    assert "it goes wrong once, and not when called again: it keeps something" in verdict.message


def test_what_a_function_prints_does_not_flood_the_notebook(capfd):
    def chatty(node, alpha, beta):
        print("at", node.name, "<b>")
        return max(chatty(child, alpha, beta) for child in node.children) if node.children else node.value

    def endless(node, alpha, beta):
        print("x" * 10_000)
        return 3

    verdict = check("alphabeta", chatty)
    assert capfd.readouterr() == ("", "")
    assert "lines that it printed meanwhile are held back.)" in verdict.message
    names = [node.name for node in verdict.tree.nodes]
    assert sorted(verdict.printed.split("\n")) == sorted(f"at {name} <b>" for name in names), "of one run"
    assert "at root &lt;b&gt;" in verdict._repr_mimebundle_()["text/html"]
    assert len(check("alphabeta", endless).printed) < 3_000

    def right(node, alpha, beta):
        print(node)
        return searching()(node, alpha, beta)

    assert "held back" in check("alphabeta", right).message and capfd.readouterr().out == ""
    assert "held back" not in check("alphabeta", searching()).message
    print("again")
    assert capfd.readouterr().out == "again\n"


# known mistakes


@pytest.mark.parametrize("mistake", EXERCISES["alphabeta"].mistakes, ids=lambda each: each.name)
def test_each_mistake_of_alphabeta_has_its_own_name(mistake):
    verdict = check("alphabeta", mistake.function)
    assert (verdict.status, verdict.mistake) == ("wrong", mistake.name)
    assert mistake.hint in verdict.message and "\n" not in verdict.message


@pytest.mark.parametrize("mistake", MINIMAX, ids=lambda each: each.name)
def test_each_mistake_of_minimax_has_its_own_name(mistake):
    verdict = check("minimax", mistake.function)
    assert (verdict.status, verdict.mistake) == ("wrong", mistake.name)


@pytest.mark.parametrize("name", [each.name for each in EXERCISES.values() if isinstance(each, Exercise)])
def test_mistakes_differ_pair_by_pair(name):
    exercise = EXERCISES[name]
    trees = sample(exercise)
    told = {(each.name, i): form for each in exercise.mistakes for i, form in enumerate(each.forms)}
    told["the reference", 0] = exercise.reference
    assert len({name for name, _ in told}) == len(exercise.mistakes) + 1
    did = {which: [exercise.runs(form, tree) for tree in trees] for which, form in told.items()}
    for one, other in combinations(did, 2):
        assert did[one] != did[other], (one, other)


@pytest.mark.parametrize(
    "mistake", [each for each in EXERCISES["alphabeta"].mistakes if each.also], ids=lambda each: each.name
)
def test_other_ways_to_make_a_mistake_have_its_name(mistake):
    for form in mistake.also:
        verdict = check("alphabeta", form)
        assert (verdict.status, verdict.mistake) == ("wrong", mistake.name)


def half_hard(node, alpha, beta):
    if node.is_leaf:
        return node.value
    for child in node.children:
        value = half_hard(child, alpha, beta)
        alpha, beta = (max(alpha, value), beta) if node.is_max else (alpha, min(beta, value))
        if alpha >= beta:
            break
    return alpha if node.is_max else beta


def never_narrowed(node, alpha, beta):
    """Where α ≥ β is asked, and neither ever moves, the answer is always no: nobody can tell it from minimax."""
    if node.is_leaf:
        return node.value
    bv = -inf if node.is_max else inf
    for child in node.children:
        value = never_narrowed(child, alpha, beta)
        bv = max(bv, value) if node.is_max else min(bv, value)
        if alpha >= beta:
            break
    return bv


def swapped(node, beta, alpha):
    if node.is_leaf:
        return node.value
    bv = -inf if node.is_max else inf
    for child in node.children:
        value = swapped(child, beta, alpha)
        bv = max(bv, value) if node.is_max else min(bv, value)
        alpha, beta = (max(alpha, bv), beta) if node.is_max else (alpha, min(beta, bv))
        if alpha >= beta:
            break
    return bv


def lowered(node, alpha, beta):
    if node.is_leaf:
        return node.value
    if node.is_max:
        bv = -inf
        for child in node.children:
            bv = max(bv, lowered(child, alpha, beta))
            alpha = bv
            if alpha >= beta:
                return bv
        return bv
    bv = inf
    for child in node.children:
        bv = min(bv, lowered(child, alpha, beta))
        beta = bv
        if alpha >= beta:
            return bv
    return bv


@pytest.mark.parametrize(
    ("function", "name"),
    [
        (never_narrowed, "minimax"),
        (swapped, "α and β change places"),
        (lowered, "a bound assigned"),
        (half_hard, "its own bound returned"),
        (forms.negamax, "negamax"),
        (forms.cut_too_early, "the first child only"),
    ],
)
def test_mistakes_as_students_write_them_have_their_names(function, name):
    verdict = check("alphabeta", function)
    assert verdict.mistake == name, verdict
    if function is swapped:  # what is seen of it is what was checked
        assert verdict.trace.problem == "" and "comes to root with α = ∞, β = −∞" in sentence(
            verdict.trace, verdict.step
        )


def unheard_of(node, alpha, beta):
    return 7 if node.is_leaf else max(unheard_of(child, alpha, beta) for child in node.children)


def test_a_mistake_that_nobody_knows_has_no_name():
    verdict = check("alphabeta", unheard_of)
    assert verdict.status == "wrong" and verdict.mistake is None and verdict.tree is not None


def broken(node, alpha, beta):
    return node.valeu


def endless(node, alpha, beta):
    return endless(node, alpha, beta)


def looking(node, alpha, beta):
    while not node.is_leaf or node.value is not None:
        pass


def changing(node, alpha, beta):
    node.value = 3


def taking_away(node, alpha, beta):
    del node.name


@pytest.mark.parametrize(
    ("function", "says"),
    [
        (broken, "it raised AttributeError: 'Node' object has no attribute 'valeu'"),
        (endless, "it called itself without end"),
        (changing, "a node cannot be changed (asked to set 'value')"),
        (taking_away, "a node cannot be changed (asked to delete 'name')"),
    ],
)
def test_what_goes_wrong_in_an_answer_is_told(function, says):
    verdict = check("alphabeta", function)
    assert verdict.status == "wrong" and says in verdict.message


def test_a_function_that_looks_for_ever_is_ended():
    run = observe(lambda node: looking(node.children[0], 0, 0), Tree([1, 2]))
    assert f"more than {MOST_LOOKS:,} times" in run.problem


def stuck(node, alpha, beta):
    while not node.is_leaf:
        pass
    return node.value


def test_a_function_without_an_end_is_stopped(monkeypatch):
    monkeypatch.setattr(checking, "MOST_SECONDS", 0.3)
    verdict = check("alphabeta", stuck)
    assert verdict.status == "wrong" and "it was stopped after 0.3 seconds" in verdict.message
    assert verdict.tree is not None and written(verdict.tree) in verdict.message
    monkeypatch.undo()
    assert check("minimax", minimax)  # nothing of it is left behind


def slow(node, alpha, beta):
    time.sleep(0.002)
    return searching()(node, alpha, beta)


def test_a_slow_function_is_not_said_to_be_stuck_on_one_tree(monkeypatch):
    monkeypatch.setattr(checking, "MOST_SECONDS", 0.5)
    verdict = check("alphabeta", slow)
    assert verdict.status == "wrong" and verdict.tree is None
    assert re.fullmatch(r"It was stopped after 0.5 seconds, in which it was run \d+ times: .*", verdict.message)


@pytest.mark.parametrize("arguments", [("alphabeta",), (minimax,)])
def test_an_answer_or_a_name_that_is_missing_is_told(arguments):
    with pytest.raises(AbvizError, match=r"the name of an exercise and then the answer, as in check\("):
        check(*arguments)


# the tree that is shown


def size(tree):
    return len(tree.nodes)


def shape(tree):
    return [len(node.children) for node in tree.nodes]


@pytest.mark.parametrize("mistake", EXERCISES["alphabeta"].mistakes, ids=lambda each: each.name)
def test_the_tree_shows_the_fault_and_no_smaller_one_does(mistake):
    tree = check("alphabeta", mistake.function).tree
    windows = [
        w
        for w in (case.arguments for case in CASES)
        if observe(mistake.function, tree, *w) != observe(searching(), tree, *w)
    ]
    assert windows
    for smaller in small_trees():
        if size(smaller) >= size(tree):
            break
        assert observe(mistake.function, smaller, *windows[0]) == observe(searching(), smaller, *windows[0]), smaller
    assert all(width in (0, 2, 3, 4) for width in shape(tree))
    assert all(-9 <= leaf.value <= 9 for leaf in tree.leaves())


def test_a_deep_cut_is_shown_on_nine_nodes():
    (mistake,) = (each for each in ALPHABETA if each.name == "only the parent's bound")
    tree = check("alphabeta", mistake.function).tree
    assert size(tree) == 9 and any(cut.deep for cut in trace(tree).cuts)


def test_small_trees_come_in_order_and_once():
    trees = small_trees()
    sizes = [size(tree) for tree in trees]
    assert sizes == sorted(sizes) and sizes[0] == 3
    assert len({tuple((n.value, len(n.children)) for n in tree.nodes) for tree in trees}) > 0.9 * len(trees)
    assert all(width in (0, 2, 3, 4) for tree in trees for width in shape(tree))


def test_random_trees_hold_what_small_ones_lack():
    trees = random_trees(300)
    assert any(not tree.root.is_max for tree in trees) and any(tree.root.is_max for tree in trees)
    assert any(child.is_max == node.is_max for tree in trees for node in tree.nodes for child in node.children[:1])
    assert all(node.is_leaf or 2 <= len(node.children) <= 4 for tree in trees for node in tree.nodes)


def test_what_is_shrunk_can_be_shrunk_no_more():
    chance = random.Random(1)
    for tree in random_trees(12):
        wanted = chance.randint(-3, 3)

        def differs(each, wanted=wanted):
            return minimax_value(each.root) > wanted

        if differs(tree):
            small = shrunk(tree, differs)
            assert differs(small) and size(small) == 3  # two leaves are enough to have any value
            assert shrunk(small, differs).nodes[1].value == small.nodes[1].value


def test_where_nothing_differs_there_is_no_tree():
    assert smallest(lambda tree: False, 5) is None


# asking


def test_an_unknown_exercise_is_refused():
    with pytest.raises(AbvizError, match=r"^unknown exercise 'alpha-beta': did you mean alphabeta[^?]*\?$"):
        check("alpha-beta", minimax)


@pytest.mark.parametrize("first", [minimax, [1, 2], None, 3])
def test_the_name_of_the_exercise_comes_first(first):
    expected = 'expected the name of an exercise and then the answer, as in check("alphabeta", alphabeta)'
    with pytest.raises(AbvizError, match=rf"^.* stands first; {re.escape(expected)}$"):
        check(first, "minimax")


def strict(node, alpha, beta):
    if node.is_leaf:
        return node.value
    bv = -inf if node.is_max else inf
    for child in node.children:
        value = strict(child, alpha, beta)
        bv = max(bv, value) if node.is_max else min(bv, value)
        alpha, beta = (max(alpha, bv), beta) if node.is_max else (alpha, min(beta, bv))
        if alpha > beta:
            break
    return bv


def minimax_posing(node, alpha, beta):
    if node.is_leaf:
        return node.value
    values = [minimax_posing(child, alpha, beta) for child in node.children]
    return max(values) if node.is_max else min(values)


def test_where_its_run_cannot_be_recorded_the_tree_is_drawn():
    wrong = check("alphabeta", ALPHABETA[0].function)  # abviz's own code is not followed
    assert wrong.trace is None and "<img" in wrong._repr_mimebundle_()["text/html"]


def test_a_wrong_answer_is_drawn_at_the_step_where_it_parts_from_the_reference():
    for wrong in map(partial(check, "alphabeta"), [forms.cut_too_early, strict, minimax_posing]):
        run, step = wrong.trace, wrong.step
        assert not wrong and run is not None
        difference = first_difference(run, trace(wrong.tree))
        assert run.tree is wrong.tree and difference is not None and step == difference.step
        said = sentence(run, step)
        assert f"The first difference: {quoted(run.options['name'])} {difference.sentence}" in said
        shown = wrong._repr_mimebundle_()
        assert shown["text/plain"] == str(wrong) and "<img " in shown["text/html"]
        assert f"<p>{said}</p>" in unescape(shown["text/html"]), "for those who do not see the picture too"
        assert f'alt="{written(wrong.tree)}"' in unescape(shown["text/html"])
        picture = unquote(re.search(r'src="data:image/svg\+xml,([^"]*)"', shown["text/html"])[1])
        drawn = draw(run, step)
        drawn.attr(label="")
        assert picture == drawn.pipe("svg").decode()


class Wrong:
    def search(self, node, alpha, beta):
        return half_hard(node, alpha, beta)


def test_a_verdict_says_how_its_run_is_watched():
    wrong = check("alphabeta", half_hard)
    assert str(wrong).endswith("To see it run: watch(half_hard, Tree([-2, -1]), window=(0, 1), rules=Rules())")
    assert wrong.to_watch in wrong._repr_mimebundle_()["text/html"]
    stepper = eval(wrong.to_watch, {"watch": watch, "Tree": Tree, "Rules": Rules, "half_hard": half_hard})
    assert (stepper.trace.value, stepper.trace.tree) == (0, wrong.tree)
    assert check("alphabeta", lambda *args: half_hard(*args)).to_watch == "", "nobody knows it by that name"
    assert check("alphabeta", forms.Player().search), "right"
    assert check("alphabeta", Wrong().search).to_watch == "", "and no method by its own"


@given(tree=trees(wins=False))
def test_a_tree_in_python_makes_that_tree(tree):
    rows = [(node.is_max, node.value, len(node.children)) for node in tree.nodes]
    made = eval(in_python(tree), {"Tree": Tree})
    assert [(node.is_max, node.value, len(node.children)) for node in made.nodes] == rows


def test_an_exercise_may_be_named_as_its_answer_is():
    assert check("best_move", None).exercise == "best-move"


def test_what_a_verdict_says_is_text_and_nothing_else():
    evil = "<script>alert(1)</script>"
    shown = Verdict(evil, "wrong", evil, tree=Tree({evil: 1, "b": 2}), hints=(evil,))._repr_mimebundle_()["text/html"]
    assert "<script" not in shown.lower() and shown.count("&lt;script&gt;") >= 3
    right = check("minimax", minimax)._repr_mimebundle_()
    assert "✓ minimax: right." in right["text/html"] and "<img" not in right["text/html"]


def test_a_wide_picture_shrinks_to_half_and_is_scrolled_beyond():
    tree = Tree([[[1, 2, 3, 4]] * 4] * 4)
    shown = Verdict("alphabeta", "wrong", "", tree=tree)._repr_mimebundle_()["text/html"]
    width = float(re.search(r'width="([\d.]+)pt"', unquote(shown))[1])
    assert width > 1500 and f"max(100%, {width / 2:.0f}pt)" in shown and "overflow-x: auto" in shown


@pytest.mark.parametrize("name", ["alphabeta", "minimax"])
def test_a_function_that_swallows_its_end_is_left_to_itself(name, monkeypatch):
    monkeypatch.setattr("abviz.exercises.checking.MOST_SECONDS", 0.3)
    monkeypatch.setattr("abviz.recording.watchdog.PATIENCE", 0.2)
    over = []

    def endless(node, *bounds):
        while not over:
            try:
                while not over:
                    pass
            except:  # noqa: E722 – that is the point
                pass

    begin = time.monotonic()
    verdict = check(name, endless)
    assert verdict.status == "wrong" and "stopped after 0.3 seconds" in verdict.message
    assert time.monotonic() - begin < 30
    over.append(True)
    monkeypatch.undo()
    assert check("minimax", minimax)


def never_the_fourth(node, alpha, beta, depth=0):
    """Right on trees that are three wide, and on small ones."""
    return _with_children(
        node, alpha, beta, depth, lambda node, depth: node.children[:3] if depth > 1 else node.children
    )


def never_at_a_min_root(node, alpha, beta, depth=0):
    cut = lambda node, depth: node.children[:3] if depth == 0 and not node.is_max else node.children  # noqa: E731
    return _with_children(node, alpha, beta, depth, cut)


def shallow(node, alpha, beta, depth=0):
    return _with_children(
        node, alpha, beta, depth, lambda node, depth: node.children[:1] if depth > 3 else node.children
    )


def _with_children(node, alpha, beta, depth, children):
    if node.is_leaf:
        return node.value
    bv = -inf if node.is_max else inf
    for child in children(node, depth):
        value = _with_children(child, alpha, beta, depth + 1, children)
        bv = max(bv, value) if node.is_max else min(bv, value)
        alpha, beta = (max(alpha, bv), beta) if node.is_max else (alpha, min(beta, bv))
        if alpha >= beta:
            break
    return bv


@pytest.mark.parametrize("function", [never_the_fourth, never_at_a_min_root, shallow])
def test_faults_that_only_wide_or_deep_trees_show(function):
    assert check("alphabeta", function).status == "wrong"


def test_the_same_without_a_fault_is_right():
    assert check("alphabeta", lambda node, alpha, beta: _with_children(node, alpha, beta, 0, lambda n, _: n.children))


class Unspeakable(Exception):
    def __str__(self):
        raise ValueError


def leaves(node, alpha, beta):
    raise SystemExit(3)


def fails(node, alpha, beta):
    raise Unspeakable


def too_large(node, alpha, beta):
    return 10**400


@pytest.mark.parametrize(
    ("function", "said"), [(leaves, "SystemExit: 3"), (fails, "raised Unspeakable"), (too_large, "it returns")]
)
def test_check_never_raises(function, said):
    verdict = check("alphabeta", function)
    assert verdict.status == "wrong" and said in verdict.message


@pytest.mark.parametrize("number", [9, 10, 99, 1000, 10**6, 10**11])
@pytest.mark.parametrize("finite", [(1, 1), (1, inf), (inf, 1)], ids=["both", "MAX", "MIN"])
def test_a_number_does_not_do_for_infinity(number, finite):
    def start(is_max):
        return -number * finite[0] if is_max else number * finite[1]

    answers = {"alphabeta": searching(start=start), "minimax": without_bounds(searching(start=start, cuts=never))}
    for name, answer in answers.items():
        verdict = check(name, answer)
        assert (verdict.status, verdict.mistake) == ("wrong", "a number for ∞"), verdict


@pytest.mark.parametrize(
    "off", [lambda v: v if abs(v) < 10 else v + 1, lambda v: [0] * 1000 and [v][v > 999], lambda v: None]
)
def test_not_all_that_goes_wrong_far_from_0_has_that_name(off):
    def answer(node):
        value = minimax(node)
        return value if abs(value) < 10 else off(value)

    verdict = check("minimax", answer)
    assert (verdict.status, verdict.mistake) == ("wrong", None) and "∞" not in verdict.message, verdict


def test_trees_whose_leaves_are_far_from_0_prove_no_right_answer_wrong():
    for name in ("alphabeta", "minimax"):
        assert check(name, EXERCISES[name].reference)
    assert is_far(Tree([-11, 3])) and not is_far(Tree([[9, -9], [inf, -inf]]))


class Lingering:
    def __del__(self):
        while True:
            pass


def test_what_python_says_of_our_own_stop_is_not_taken_for_printed(monkeypatch):
    small_trees()  # in its time there is none for them
    monkeypatch.setattr(checking, "MOST_SECONDS", 0.5)
    monkeypatch.setattr(sys, "unraisablehook", sys.__unraisablehook__)  # pytest has one of its own

    def lingers(node, alpha, beta):
        Lingering()
        while True:
            pass

    verdict = check("alphabeta", lingers)
    assert verdict.message == "On [−1, 0] with the window (−∞, ∞) it was stopped after 0.5 seconds."
    assert sys.unraisablehook is sys.__unraisablehook__
