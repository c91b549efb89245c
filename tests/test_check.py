"""`check`: first attempts and what is said of them, what an answer keeps, prints or never ends, and the tree shown."""

import inspect
import random
import re
import time
from contextlib import suppress
from html import unescape
from math import inf
from urllib.parse import unquote

import pytest
from hypothesis import given

from abviz import AbvizError, Rules, Tree, check, draw, record, trace, watch
from abviz.errors import quoted
from abviz.exercises import catalogue, counterexamples, observation, search_exercise
from abviz.exercises.counterexamples import is_far, random_trees, shrunk, small_trees
from abviz.exercises.mistakes import searching
from abviz.exercises.observation import Job, observe
from abviz.exercises.searches import minimax_with
from abviz.exercises.verdict import Verdict, in_python, written
from abviz.recording.differences import first_difference
from abviz.tracing.narration import sentence
from tests.solutions import writing as solutions
from tests.strategies import trees


@pytest.fixture(autouse=True)
def few_trees(monkeypatch):
    monkeypatch.setattr(counterexamples, "SMALL_TREES", 800)
    monkeypatch.setattr(counterexamples, "RANDOM_TREES", 60)
    monkeypatch.setattr(search_exercise, "SAMPLE", 60)
    monkeypatch.setattr(observation, "MOST_LOOKS", 2_000)


ALPHABETA, NEGAMAX = map(inspect.getsource, (solutions.alphabeta, solutions.negamax))
MINIMAX = """
def search(node):
    if node.is_leaf:
        return node.value
    best = -inf if node.is_max else inf
    for child in node.children:
        value = search(child)
        best = max(best, value) if node.is_max else min(best, value)
    return best
"""


def written_as(text, *changes, **names):
    """Return the search with some of its lines changed, as a student may have written it."""
    text = re.sub(r"\b(alphabeta|negamax)\b", "search", text).replace("bv", "best")
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    namespace = {"inf": inf, "__name__": "__main__", **names}
    exec(text, namespace)
    return namespace["search"]


NO_BEST = (  # bounds that are moved by the value itself need no best value
    ("    best = -inf if node.is_max else inf\n", ""),
    ("best = max(best, value)\n            alpha = max(alpha, best)", "alpha = max(alpha, value)"),
    ("best = min(best, value)\n            beta = min(beta, best)", "beta = min(beta, value)"),
)
TEST, OWN_BOUND = "if alpha >= beta", ("return best", "return alpha if node.is_max else beta")
CALL = "(child, alpha, beta)"


@pytest.mark.parametrize(
    ("exercise", "text", "changes", "name"),
    [
        ("alphabeta", ALPHABETA, [(TEST, "if alpha > beta")], "strict"),
        ("alphabeta", ALPHABETA, [(TEST, "if False")], "minimax"),
        ("alphabeta", ALPHABETA, [(TEST, "if node.is_max and beta <= alpha")], "only MAX cuts"),
        ("alphabeta", ALPHABETA, [(TEST, "if alpha <= beta")], "the test reversed"),
        ("alphabeta", ALPHABETA, [("best = -inf if", "best = 0 if")], "0 to begin with"),
        ("alphabeta", ALPHABETA, [("best = min(", "best = max(")], "MAX at every node"),
        ("alphabeta", ALPHABETA, [("best = min(", "min(")], "MAX at every node"),
        ("alphabeta", ALPHABETA, [(CALL, "(child, beta, alpha)")], "α and β swapped in the call"),
        ("alphabeta", ALPHABETA, [(CALL, "(child, -inf, inf)")], "a full window for every child"),
        ("alphabeta", ALPHABETA, [("alpha = max(alpha, best)", "beta = min(beta, best)")], None),
        ("alphabeta", ALPHABETA, [("alpha = max(alpha, best)", "alpha = best")], "a bound assigned"),
        ("alphabeta", ALPHABETA, [("search(node, alpha, beta)", "search(node, beta, alpha)")], "α and β swapped"),
        ("alphabeta", ALPHABETA, [*NO_BEST, OWN_BOUND], "its own bound returned"),
        (
            "alphabeta",
            ALPHABETA,
            [*NO_BEST, OWN_BOUND, (TEST, "if alpha > beta")],
            "strict, and its own bound returned",
        ),
        ("alphabeta", ALPHABETA, [*NO_BEST, ("return best", "return alpha")], "one bound returned by both players"),
        (
            "alphabeta",
            ALPHABETA,
            [(TEST, "if alpha > beta"), ("best = -inf if", "best = 0 if")],
            "strict, and 0 to begin with",
        ),
        ("fail-hard", ALPHABETA, [*NO_BEST, OWN_BOUND], "clamped where it cannot cut"),
        ("fail-hard", ALPHABETA, [], "fail-soft"),
        ("two-functions", ALPHABETA, [("beta = min(beta, best)", "alpha = min(alpha, best)")], "β never falls"),
        ("negamax", NEGAMAX, [("-beta, -alpha", "-alpha, -beta")], "window negated or swapped, not both"),
        ("negamax", NEGAMAX, [("-beta, -alpha", "beta, alpha")], "window negated or swapped, not both"),
        ("negamax", ALPHABETA, [], "from MAX's side"),
        ("alphabeta", NEGAMAX, [], "negamax"),
        ("minimax", MINIMAX, [("-inf if node.is_max else inf", "-inf")], "one start for both players"),
        ("minimax", MINIMAX, [("min(best, value)", "max(best, value)")], "MAX at every node"),
        ("minimax", MINIMAX, [("return best", "return value")], "the last child's value"),
        ("minimax", MINIMAX, [("    return best", "        return best")], "the first child only"),
        (
            "minimax",
            MINIMAX,
            [("in node.children", "in sorted(node.children, key=lambda c: not c.is_leaf)")],
            "leaves first",
        ),
    ],
)
def test_a_first_attempt_has_the_name_of_its_mistake(exercise, text, changes, name):
    verdict = check(exercise, written_as(text, *changes))
    assert (verdict.status, verdict.mistake) == ("wrong", name), verdict


@pytest.mark.parametrize(
    ("exercise", "text"),
    [("alphabeta", ALPHABETA), ("negamax", NEGAMAX), ("minimax", MINIMAX), ("two-functions", ALPHABETA)],
)
def test_unchanged_it_is_right(exercise, text):
    assert check(exercise, written_as(text))


def test_an_answer_that_reads_leaves_to_sort_them_is_not_said_never_to_cut():
    order = "in sorted(node.children, key=value_of, reverse=node.is_max)"
    verdict = check("alphabeta", written_as(ALPHABETA, ("in node.children", order), value_of=solutions.minimax))
    assert (verdict.status, verdict.mistake) == ("wrong", None)
    assert "reads 0, −1, 1 (some of them more than once); expected 0, −1." in verdict.message


@pytest.mark.parametrize("number", [9, 1000, 10**11])
def test_a_number_does_not_do_for_infinity(number):
    for answer, name in ((searching, "alphabeta"), (minimax_with, "minimax")):
        for at_max, at_min in ((number, number), (number, inf), (inf, number)):
            wrong = check(name, answer(start=lambda is_max, a=at_max, b=at_min: -a if is_max else b))
            assert (wrong.status, wrong.mistake) == ("wrong", "a number for ∞"), wrong
    off = check("minimax", lambda node: (lambda v: v if abs(v) < 10 else v + 1)(solutions.minimax(node)))
    assert (off.status, off.mistake) == ("wrong", None) and "∞" not in off.message and is_far(off.tree)


# half an answer, and none


def for_leaves(node, *bounds):
    if node.is_leaf:
        return node.value


def for_max(node, *bounds):
    if node.is_leaf:
        return node.value
    if node.is_max:
        return max(for_max(child) for child in node.children)


def raises_for_min(node, *bounds):
    if node.is_leaf:
        return node.value
    if node.is_max:
        return max(raises_for_min(child) for child in node.children)
    raise NotImplementedError


def for_min(node, alpha, beta):
    if node.is_leaf:
        return node.value
    if not node.is_max:
        return min(for_min(child, alpha, beta) for child in node.children)


@pytest.mark.parametrize(
    ("exercise", "answer", "status", "message"),
    [
        ("alphabeta", for_leaves, "not written yet", "returns the value of a leaf so far, and nothing for a node that"),
        ("alphabeta", for_min, "wrong", "expected 0. It returns None for [−1, 0], where MAX is to move."),
        ("minimax", for_max, "wrong", "It returns None for [0, 1], where MIN is to move."),
        (
            "minimax",
            raises_for_min,
            "not written yet",
            "it raises NotImplementedError for [0, 1], where MIN is to move.",
        ),
        ("alphabeta", 7, "wrong", "The answer is 7; expected a function."),
        ("two-functions", (1, 2), "wrong", "expected a pair of functions (max_value, min_value)."),
        ("two-functions", (solutions.max_value,), "not written yet", "expected a pair of functions"),
        ("two-functions", (solutions.max_value, None), "not written yet", "expected a pair of functions"),
        ("alphabeta", lambda node, depth, a, b, mover: 0, "wrong", "It is called as alphabeta(node, alpha, beta), by"),
        ("best-line", lambda node, a, b: (node.value, []), "wrong", "It is called as best_line(node), by place."),
        ("alphabeta", lambda node, *_: node.valeu, "wrong", "it raised AttributeError: 'Node' object has no attribute"),
        ("alphabeta", lambda node, *_: setattr(node, "value", 3), "wrong", "a node cannot be changed (asked to set"),
        ("alphabeta", lambda node, alpha, beta: 10**400, "wrong", "it returns "),
        ("alphabeta", lambda node, alpha, beta: True, "wrong", "it returns True; expected a number."),
        ("best-move", lambda root: (0, 1), "wrong", "expected a pair (value, name of a child), as (3, 'B')."),
        ("best-order", lambda root: [1, 2], "wrong", "it returns [1, 2]; expected a dictionary"),
        ("best-order", lambda root: {"nobody": []}, "wrong", "of 'nobody'; expected the name of an inner node"),
        ("best-order", lambda root: {root.name: ["b1"]}, "wrong", "expected each of ['a1', 'a2'] once"),
        ("aspiration", lambda root, *_: solutions.minimax(root), "wrong", "searches with no window, and then does not"),
        ("aspiration", lambda root, search, *_: search(root, 0, 0), "wrong", "the window (0, 0) is empty"),
        ("aspiration", lambda root, search, *_: search(root, 0), "wrong", "search() missing 1 required positional"),
    ],
)
def test_messages(exercise, answer, status, message):
    verdict = check(exercise, answer)
    assert verdict.status == status and message in verdict.message and "\n" not in verdict.message, verdict


def test_an_exception_names_the_line_of_the_answer():
    def broken(node, alpha, beta):
        return abs(node.children[0].name)

    assert "(line " in (message := check("alphabeta", broken).message) and ": return abs(node.children" in message


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("alphabeta",), "expected the name of an exercise and then the answer, as in check("),
        ((solutions.minimax,), "expected the name of an exercise and then the answer"),
        ((solutions.minimax, 3), "the first argument is <function minimax"),
        (("alpha_betta", solutions.alphabeta), "did you mean alphabeta"),
        (("cut-witness", {}), "exercise 'cut-witness' was withdrawn; expected 'deep-cut', which replaces it"),
    ],
)
def test_a_bad_call_is_one_line(arguments, message):
    with pytest.raises(AbvizError, match=re.escape(message)) as error:
        check(*arguments)
    assert "\n" not in str(error.value)


# right in another way


def outer(node, alpha, beta):
    return (solutions.max_value if node.is_max else solutions.min_value)(node, alpha, beta)


def full_window_again(root, search, guess, delta):
    value = search(root, guess - delta, guess + delta)
    return value if abs(value - guess) < delta else search(root, -inf, inf)


def bit_by_bit(root, search, guess, delta):
    alpha, beta = guess - delta, guess + delta
    while True:
        value = search(root, alpha, beta)
        if value <= alpha != -inf:
            alpha = alpha - delta if alpha > -20 else -inf
        elif value >= beta != inf:
            beta = beta + delta if beta < 20 else inf
        else:
            return value


def with_leaves(root):
    order, waiting = dict(solutions.best_order(root)), [root]
    while waiting:
        node = waiting.pop()
        order.setdefault(node.name, [child.name for child in node.children])
        waiting += node.children
    return order


@pytest.mark.parametrize(
    ("exercise", "answer"),
    [
        ("two-functions", outer),
        ("two-functions", [solutions.max_value, solutions.min_value]),
        ("aspiration", full_window_again),
        ("aspiration", bit_by_bit),
        ("best-order", with_leaves),
    ],
)
def test_other_right_answers(exercise, answer):
    assert check(exercise, answer)


# what an answer keeps, and prints


def test_an_answer_that_keeps_something_or_leaves_it_to_chance():
    cache, calls = {}, []

    def caches(node, alpha, beta):
        if node.name not in cache:
            cache[node.name] = solutions.minimax(node)
        return cache[node.name]

    def tires(node, alpha, beta):
        calls.append(node)
        return solutions.alphabeta(node, alpha, beta) + (len(calls) > 40)

    for answer in (caches, tires):
        verdict = check("alphabeta", answer)
        assert (verdict.status, verdict.mistake) == ("wrong", "something kept between calls")
        assert ", and called again after other trees it " in verdict.message and verdict.tree is not None
    for seed in range(10):
        chance = random.Random(seed)

        def shuffles(node, chance=chance):
            if node.is_leaf:
                return node.value
            return (max if node.is_max else min)(map(shuffles, chance.sample(node.children, len(node.children))))

        assert check("minimax", shuffles).mistake == "something kept between calls"


def test_a_global_name_that_decides_is_something_kept_and_a_counter_is_not():
    changes = [
        (CALL, "(child, ALPHA, beta)"),
        ("            alpha = max(alpha, best)", "            ALPHA = max(ALPHA, best)"),
        ("if alpha >=", "if ALPHA >="),
        ("    if node.is_leaf", "    global ALPHA\n    if node.is_leaf"),
    ]
    answer = written_as(ALPHABETA, *changes, ALPHA=9)
    verdict = check("alphabeta", answer)
    assert verdict.mistake == "something kept between calls" and answer.__globals__["ALPHA"] == 9
    counts = ("    if node.is_leaf", "    global CALLS\n    CALLS += 1\n    if node.is_leaf")
    assert check("alphabeta", written_as(ALPHABETA, counts, (TEST, "if False"), CALLS=0)).mistake == "minimax"


def test_output_is_held_back_and_shown_with_the_tree(capfd):
    def chatty(node, alpha, beta):
        print("at", node.name, "<b>")
        return max(chatty(child, alpha, beta) for child in node.children) if node.children else node.value

    verdict = check("alphabeta", chatty)
    assert capfd.readouterr() == ("", "")
    assert re.search(r"\([\d,]+ printed lines held back\.\)$", verdict.message)
    names = [node.name for node in verdict.tree.nodes]
    assert sorted(verdict.printed.split("\n")) == sorted(f"at {name} <b>" for name in names), "of one run"
    assert "at A &lt;b&gt;" in verdict._repr_mimebundle_()["text/html"]
    floods = check("alphabeta", lambda node, alpha, beta: print("x" * 10_000) or 3)
    assert len(floods.printed) < 3_000
    print("again")
    assert capfd.readouterr().out == "again\n"


# answers without an end


def without_next(node):
    if node.is_leaf:
        return node.value
    i, best = 0, -inf if node.is_max else inf
    while i < len(node.children):
        value = without_next(node.children[i])
        best = max(best, value) if node.is_max else min(best, value)
    return best


def test_a_forgotten_step_of_a_loop_is_seen_and_can_be_watched():
    verdict = check("minimax", without_next)
    assert verdict.message == "On [−1, 0] it looked at nodes more than 2,000 times."
    assert verdict.to_watch == "watch(without_next, Tree([-1, 0]))"
    assert "reads leaf a1 (−1) again, where the reference reads leaf a2 (0)" in sentence(verdict.trace, verdict.step)


def test_an_answer_without_an_end_is_stopped(monkeypatch):
    small_trees()
    monkeypatch.setattr(catalogue, "SECONDS", 0.2)
    over = []

    def stuck(node, *bounds):
        while not over:
            pass

    def swallows(node, *bounds):
        while not over:
            with suppress(BaseException):
                stuck(node)

    for answer in (stuck, swallows):
        verdict = check("alphabeta", answer)
        assert verdict.message == "On [−1, 0] with the window (−∞, ∞) it was stopped after 0.2 seconds."
        assert verdict.status == "wrong" and written(verdict.tree) == "[−1, 0]"
    over.append(True)

    def slow(node, alpha, beta):
        time.sleep(0.005)
        return solutions.alphabeta(node, alpha, beta)

    verdict = check("alphabeta", slow)
    assert verdict.status == "wrong" and verdict.tree is None
    assert re.fullmatch(r"It was stopped after 0.2 seconds and [\d,]+ runs: why is it so slow\?", verdict.message)
    assert check("alphabeta", lambda node, *bounds: stuck.missing).status == "wrong"


def test_an_answer_that_calls_itself_without_end_or_leaves():
    def endless(node, alpha, beta):
        return endless(node, alpha, beta)

    def leaves(node, alpha, beta):
        raise SystemExit(3)

    assert "it called itself without end" in check("alphabeta", endless).message
    assert "it raised SystemExit: 3" in check("alphabeta", leaves).message


# the tree, the run and the page


@pytest.mark.parametrize(
    "row", [each for each in catalogue.EXERCISES["alphabeta"].mistakes][::12], ids=lambda each: each.name
)
def test_no_smaller_tree_shows_the_fault(row):
    exercise = catalogue.EXERCISES["alphabeta"]
    function = exercise.build(**row.forms[0])
    tree = check("alphabeta", function).tree

    def is_wrong(tree, case):
        job = exercise.job(case, tree)
        return observe(function, job) != exercise.right(job)

    case = next(case for case in exercise.cases if is_wrong(tree, case))
    assert not any(is_wrong(smaller, case) for smaller in small_trees() if len(smaller) < len(tree))


def test_a_random_tree_is_shrunk_until_nothing_can_go():
    def first_wrong(trees):
        return next((tree for tree in trees if any(len(node.children) == 4 for node in tree.nodes)), None)

    tree = next(tree for tree in random_trees(300) if first_wrong([tree]))
    small = shrunk(tree, first_wrong)
    values = [leaf.value for leaf in small.leaves()]
    assert len(small) == 5 and len(set(values)) == 4 and max(map(abs, values)) <= 2


def test_where_a_player_moves_twice_is_said_and_leaves_are_distinct():
    start = ("    best =", "    is_max = not node.children[0].is_max\n    best =")
    text = ALPHABETA.replace("bv", "best").replace("if node.is_max", "if is_max").replace(*start, 1)
    moves_by_child = written_as(text)
    verdict = check("alphabeta", moves_by_child)
    again = [
        child.name for n in verdict.tree.nodes for child in n.children if child.children and child.is_max == n.is_max
    ]
    assert again and f"the same player moves again at {', '.join(again)})" in verdict.message
    values = [leaf.value for leaf in verdict.tree.leaves()]
    assert len(set(values)) == len(values) and max(map(abs, values)) <= 9


half_hard = written_as(ALPHABETA, *NO_BEST, OWN_BOUND)
strictly = written_as(ALPHABETA, (TEST, "if alpha > beta"))


@pytest.mark.parametrize(
    ("exercise", "answer"), [("alphabeta", strictly), ("alphabeta", half_hard), ("fail-hard", half_hard)]
)
def test_the_own_run_is_drawn_where_it_parts_and_can_be_watched(exercise, answer):
    verdict = check(exercise, answer)
    run, step, tree = verdict.trace, verdict.step, verdict.tree
    rules = Rules(fail_hard=exercise == "fail-hard")
    window = (
        {} if run.options["window"] == (-inf, inf) else dict(zip(("alpha", "beta"), run.options["window"], strict=True))
    )
    difference = first_difference(
        record(answer, tree, window=run.options["window"]), trace(tree, rules=rules, **window)
    )
    assert step == difference.step
    caption = sentence(run, step)
    assert f"The first difference: {quoted(answer.__name__)} {difference.sentence}" in caption
    page = verdict._repr_mimebundle_()["text/html"]
    drawn = draw(run, step)
    drawn.attr(label="")
    assert unquote(re.search(r'src="data:image/svg\+xml,([^"]*)"', page)[1]) == drawn.pipe("svg").decode()
    assert f"<p>{caption}</p>" in unescape(page) and f'alt="{written(tree)}"' in unescape(page)
    assert str(verdict).endswith(f"To see it run: {verdict.to_watch}") and verdict.to_watch in unescape(page)
    shown = eval(verdict.to_watch, {"watch": watch, "Tree": Tree, "Rules": Rules, answer.__name__: answer})
    assert shown.step == step and in_python(shown.trace.tree) == in_python(tree)
    assert check(exercise, lambda *args: answer(*args)).to_watch == "", "it has no name"


@given(tree=trees(wins=False))
def test_a_tree_in_python_makes_that_tree(tree):
    made = eval(in_python(tree), {"Tree": Tree})
    rows = [[(node.is_max, node.value, len(node.children)) for node in each.nodes] for each in (tree, made)]
    assert rows[0] == rows[1]


def test_what_a_verdict_says_is_text_and_its_picture_shrinks():
    evil = "<script>alert(1)</script>"
    page = Verdict(evil, "wrong", evil, tree=Tree({evil: 1, "b": 2}), hints=(evil,))._repr_mimebundle_()["text/html"]
    assert "<script" not in page.lower() and page.count("&lt;script&gt;") >= 3
    page = Verdict("alphabeta", "wrong", "", tree=Tree([[[1, 2, 3, 4]] * 4] * 4))._repr_mimebundle_()["text/html"]
    width = float(re.search(r'width="([\d.]+)pt"', unquote(page))[1])
    assert width > 1500 and f"max(100%, {width / 2:.0f}pt)" in page and "overflow-x: auto" in page


def test_a_value_read_twice_in_a_row_is_read_once_and_in_two_passes_twice():
    def twice(root):
        leaf = root.children[0]
        return leaf.value if leaf.value else 0

    def in_two_passes(root):
        return sum(root.children[0].value for _ in range(2))

    for how, reads in (("search", [("a1",), ("a1",)]), ("values", [("a1",), ("a1", "a1")])):
        runs = [observe(answer, Job(Tree([3, 5]), how=how)) for answer in (twice, in_two_passes)]
        assert [run.leaves for run in runs] == reads
    assert observe(in_two_passes, Job(Tree([3, 5]))).details == "again"
