"""`check`: first attempts and what is said of them, what an answer keeps, prints or never ends, and
the tree shown.
"""

import inspect
import itertools
import random
import re
from contextlib import suppress
from dataclasses import replace
from html import unescape
from math import inf
from urllib.parse import unquote

import pytest

from abviz import AbvizError, Rules, Tree, check, draw, exercises, record, trace
from abviz.exercises import EXERCISES, judgement, observation, searches
from abviz.exercises.judgement import same
from abviz.exercises.observation import Job, observe
from abviz.exercises.trial_trees import small_trees
from abviz.exercises.verdict import Verdict, written
from abviz.recording.differences import first_difference
from abviz.recording.time_limit import TimeLimit
from abviz.tracing.narration import sentence
from tests.solutions import writing as solutions


@pytest.fixture(autouse=True)
def few_trees(monkeypatch):
    monkeypatch.setattr(searches, "SMALL_TREES", 800)
    monkeypatch.setattr(searches, "RANDOM_TREES", 60)
    monkeypatch.setattr(searches, "SAMPLE", 60)
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
HALF_HARD = [*NO_BEST, ("return best", "return alpha if node.is_max else beta")]
TEST = "if alpha >= beta"


FIRST_ATTEMPTS = [
    ("alphabeta", ALPHABETA, [(TEST, "if alpha > beta")], "strict"),
    (
        "alphabeta",
        ALPHABETA,
        [("search(node, alpha, beta)", "search(node, beta, alpha)")],
        "α and β swapped in the call",
    ),
    ("alphabeta", ALPHABETA, HALF_HARD, "its own bound returned"),
    (
        "alphabeta",
        ALPHABETA,
        [*HALF_HARD, (TEST, "if alpha > beta")],
        "strict, and its own bound returned",
    ),
    (
        "alphabeta",
        ALPHABETA,
        [*NO_BEST, ("return best", "return alpha")],
        "one bound returned by both players",
    ),
    ("fail-hard", ALPHABETA, HALF_HARD, "clamped except at a cut"),
    ("fail-hard", ALPHABETA, [], "fail-soft"),
    (
        "two-functions",
        ALPHABETA,
        [("beta = min(beta, best)", "alpha = min(alpha, best)")],
        "β never falls",
    ),
    (
        "negamax",
        NEGAMAX,
        [("-beta, -alpha", "-alpha, -beta")],
        "window negated or swapped, not both",
    ),
    ("negamax", ALPHABETA, [], "from MAX's side"),
    ("alphabeta", NEGAMAX, [], "negamax"),
    ("minimax", MINIMAX, [("-inf if node.is_max else inf", "-inf")], "one start for both players"),
    ("minimax", MINIMAX, [("    return best", "        return best")], "the first child only"),
]


@pytest.mark.parametrize(("exercise", "text", "changes", "name"), FIRST_ATTEMPTS)
def test_a_first_attempt_has_the_name_of_its_mistake(exercise, text, changes, name):
    verdict = check(exercise, written_as(text, *changes))
    assert (verdict.status, verdict.mistake) == ("wrong", name), verdict


@pytest.mark.parametrize("number", [9, 1000, 10**11])
def test_a_number_does_not_do_for_infinity(number):
    for name in ("alphabeta", "minimax"):
        for at_max, at_min in ((number, number), (number, inf), (inf, number)):
            start = {"bv = -inf if is_max else inf": f"bv = -{at_max} if is_max else {at_min}"}
            wrong = check(name, EXERCISES[name].build(**start))
            assert (wrong.status, wrong.mistake) == ("wrong", "a number for ∞"), wrong


# half an answer, and none


def for_leaves(node, *bounds):
    if node.is_leaf:
        return node.value


def endless(node, alpha, beta):
    return endless(node, alpha, beta)


def for_max(node, *bounds):
    if node.is_leaf:
        return node.value
    if node.is_max:
        return max(for_max(child) for child in node.children)


def but_not_for_an_only_child(node):
    return solutions.minimax(node) if len(node.children) != 1 else 0


def the_other_side(root, search, guess, width):
    """Widen on the side where the value is not: a second search, but of no use."""
    low, high = guess - width, guess + width
    value = search(root, low, high)
    if low < value < high:
        return value
    return search(root, low, inf) if value <= low else search(root, -inf, high)


@pytest.mark.parametrize(
    ("exercise", "answer", "status", "message"),
    [
        ("alphabeta", for_leaves, "not written yet", ""),
        ("minimax", for_max, "wrong", "it returns None; expected"),
        ("minimax", but_not_for_an_only_child, "wrong", "On [−5] it returns 0; expected −5."),
        ("two-functions", (1, 2), "wrong", "expected a pair of functions (max_value, min_value)."),
        (
            "best-line",
            lambda node, a, b: (node.value, []),
            "wrong",
            "missing 2 required positional arguments: 'a' and",
        ),
        (
            "alphabeta",
            lambda node, *_: node.valeu,
            "wrong",
            "it raised AttributeError: 'Node' object has no attribute",
        ),
        ("alphabeta", endless, "wrong", "without end (line "),
        ("alphabeta", lambda node, alpha, beta: True, "wrong", "it returns True; expected 0."),
        ("best-move", lambda root: (0, 1), "wrong", "it returns (0, 1); expected (0, 'a2')."),
        ("best-move", solutions.minimax, "wrong", "it returns 0; expected (0, 'a2')."),
        (
            "best-order",
            lambda root: [1, 2],
            "wrong",
            "it returns [1, 2]; expected a dictionary from names",
        ),
        (
            "best-order",
            lambda root: {root.name: ["b1"]},
            "wrong",
            "the names of all their children",
        ),
        ("aspiration", the_other_side, "wrong", "it returns 5; expected 7."),
        (
            "aspiration",
            lambda root, *_: solutions.minimax(root),
            "wrong",
            "searches with no window, and then does not",
        ),
    ],
)
def test_messages(exercise, answer, status, message):
    verdict = check(exercise, answer)
    assert (
        verdict.status == status and message in verdict.message and "\n" not in verdict.message
    ), verdict
    # It shows a difference, or nothing
    assert not verdict.trace or "parting" in verdict.trace.options


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((solutions.minimax, 3), "unknown exercise <function minimax"),
        (("alpha_betta", solutions.alphabeta), "did you mean alphabeta"),
        (
            ("cut_witness", {}),
            "exercise 'cut-witness' was withdrawn; expected 'deep-cut', which replaces it",
        ),
    ],
)
def test_a_bad_call_is_one_line(arguments, message):
    with pytest.raises(AbvizError, match=re.escape(message)) as error:
        check(*arguments)
    assert "\n" not in str(error.value)


# right in another way


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


@pytest.mark.parametrize(
    ("exercise", "answer"),
    [
        ("two-functions", [solutions.max_value, solutions.min_value]),
        ("aspiration", bit_by_bit),
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
        assert ", and called again after others it " in verdict.message and verdict.tree is not None
    for seed in range(10):
        chance = random.Random(seed)

        def shuffles(node, chance=chance):
            if node.is_leaf:
                return node.value
            return (max if node.is_max else min)(
                map(shuffles, chance.sample(node.children, len(node.children)))
            )

        assert check("minimax", shuffles).mistake == "something kept between calls"


def test_of_a_tree_only_what_an_answer_asks_for_is_made(monkeypatch):
    """And once: two looks at the children of a node are looks at the same nodes."""
    made = []

    class Noted(observation.Node):
        def __init__(self, node, log):
            made.append(node.name)
            super().__init__(node, log)

    def skips_a_part(node, *_):
        assert node.children is node.children
        return node.children[1].children[0].value

    monkeypatch.setattr(observation, "Node", Noted)
    run = observe(skips_a_part, Job(Tree([[3, [5, 7]], [2, 9]])))
    assert (run.value, run.leaves, run.problem) == (2, ("c1",), "")
    assert made == ["A", "B", "C", "c1", "c2"]


def test_known_mistakes_run_once_for_all_answers(monkeypatch):
    """Each wrong answer is compared with the same mistakes in the same runs."""
    exercise = EXERCISES["minimax"]
    runs = []
    monkeypatch.setattr(
        "abviz.exercises.judgement.observe",
        lambda function, job: runs.append((function, job)) or observe(function, job),
    )
    for _ in range(2):
        exercise.check(lambda node: 0 if node.is_leaf else node.children[0].is_leaf)
    known = [run for run in runs if run[0].__name__ != "<lambda>"]
    assert 0 < len(known) == len(set(known))


def test_output_is_held_back(capfd):
    def chatty(node, alpha, beta):
        print("at", node.name, "<b>")
        return (
            max(chatty(child, alpha, beta) for child in node.children)
            if node.children
            else node.value
        )

    assert re.search(r"\([\d,]+ printed lines held back\.\)$", check("alphabeta", chatty).message)
    assert check("alphabeta", lambda node, alpha, beta: print("x" * 10_000) or 3).status == "wrong"
    assert capfd.readouterr() == ("", "")
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
    assert verdict.message == "On [−1, 0] it looked at the value of a node more than 2,000 times."
    step = verdict.trace.options["parting"]
    assert "reads leaf a1 (−1), where ours reads leaf a2 (0)" in sentence(verdict.trace, step)


def test_an_answer_without_an_end_is_stopped(monkeypatch):
    small_trees()
    monkeypatch.setattr(exercises, "SECONDS", 0.2)
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
        stopped = "On [−1, 0] with the window (−∞, ∞) it was stopped after 0.2 seconds."
        assert (verdict.status, verdict.message) == ("wrong", stopped)
    over.append(True)
    assert check("alphabeta", lambda node, *bounds: stuck.missing).status == "wrong"


# the tree, the run and the page


@pytest.mark.parametrize("row", EXERCISES["alphabeta"].mistakes[::12], ids=lambda each: each.name)
def test_no_smaller_tree_shows_the_fault(row):
    exercise = EXERCISES["alphabeta"]
    function = exercise.build(**row.forms[0])
    tree = check("alphabeta", function).tree

    def is_wrong(tree, case):
        job = Job(tree, case.arguments)
        return not same(exercise.read(job, observe(function, job)), exercise.right(job))

    case = next(case for case in exercise.cases if is_wrong(tree, case))
    assert not any(is_wrong(smaller, case) for smaller in small_trees() if len(smaller) < len(tree))


def test_a_tree_in_words_names_where_a_player_moves_twice():
    twice = {"B": {"children": [1, 2], "to_move": "max", "value": 5}, "C": 3}
    assert (
        written(Tree(twice))
        == "[B: [b1: 1, b2: 2], C: 3] (the same player moves again at B; static values: 5 at B)"
    )
    assert written(Tree([1, 2], to_move="min")) == "[1, 2] (MIN to move)"


half_hard = written_as(ALPHABETA, *HALF_HARD)
strictly = written_as(ALPHABETA, (TEST, "if alpha > beta"))
negamax = written_as(NEGAMAX, (TEST, "if alpha > beta"))
with_negamax = lambda node, a, b: negamax(node, a, b) if node.is_max else -negamax(node, -b, -a)  # noqa: E731


@pytest.mark.parametrize(
    ("exercise", "answer"),
    [
        ("alphabeta", strictly),
        ("alphabeta", half_hard),
        ("fail-hard", half_hard),
        ("alphabeta", with_negamax),
    ],
)
def test_the_own_run_is_drawn_where_it_parts_and_can_be_watched(exercise, answer):
    verdict = check(exercise, answer)
    run, step, tree = verdict.trace, verdict.trace.options["parting"], verdict.tree
    rules = Rules(fail_hard=exercise == "fail-hard")
    alpha, beta = run.options["window"]
    reference = trace(
        tree, rules=rules, **({} if alpha == -inf else {"alpha": alpha, "beta": beta})
    )
    difference = first_difference(record(answer, tree, window=(alpha, beta)), reference)
    assert step == difference.step
    caption = sentence(run, step)
    assert f"The first difference: your search {difference.sentence}" in caption
    page = verdict._repr_mimebundle_()["text/html"]
    drawn = draw(run, step)
    drawn.attr(label="")
    shown = unquote(re.search(r'src="data:image/svg\+xml,([^"]*)"', page)[1])
    assert shown == drawn.themed(drawn.pipe("svg").decode())
    assert f"<p>{caption}</p>" in unescape(page) and f'alt="{written(tree)}"' in unescape(page)
    name = "alphabeta" if "<" in answer.__name__ else answer.__name__
    call = f'Stepper(check("{exercise}", {name}).trace)'
    assert str(verdict).endswith(
        f"To watch your own run on this tree, put this in a new cell: `{call}`"
    )
    assert f"<code>{call}</code>" in unescape(page)
    beside = replace(verdict, shows_run=True)  # where nothing needs to be typed to watch it
    assert str(beside) == str(verdict).partition(" To watch your own run")[0]


@pytest.mark.parametrize("exercise", ["prove-break", "deep-cut"])
def test_a_tree_that_was_handed_in_has_a_search_to_watch(exercise):
    """It is no run of the student's own."""
    verdict = check(exercise, [[3, 5], [2, 9]])
    call = f'Stepper(check("{exercise}", {exercise.replace("-", "_")}).trace)'
    assert str(verdict).endswith(
        f"To watch the search of this tree, put this in a new cell: `{call}`"
    )


def test_what_a_verdict_says_is_text_and_its_picture_scrolls():
    evil = "<script>alert(1)</script>"
    page = Verdict(
        evil, "wrong", evil, tree=Tree({evil: 1, "b": 2}), hints=(evil,)
    )._repr_mimebundle_()["text/html"]
    assert "<script" not in page.lower() and page.count("&lt;script&gt;") >= 3
    assert 'style="overflow-x: auto"' in page and 'style="max-width: none;' in page


@pytest.mark.parametrize(("last", "is_slow"), [(0.2, True), (20, False)])
def test_a_slow_answer_is_not_said_to_hang_on_its_last_tree(monkeypatch, last, is_slow):
    clock = itertools.count()
    now = [0.0]
    monkeypatch.setattr(judgement, "monotonic", lambda: now[0])

    def ask(jobs):
        for job in jobs:
            if next(clock) == 9:
                now[0] += last
                raise TimeLimit
            now[0] += 1
            yield observe(EXERCISES["alphabeta"].build(), job)

    stopped = judgement.Judgement(EXERCISES["alphabeta"], ask)
    with pytest.raises(TimeLimit):
        stopped.verdict()
    message = stopped.stopped("it was stopped after 10 seconds").message
    assert message.endswith("those found no mistake.") == is_slow


def few(children):
    return children[:4]


def some(children):
    return children[:7]


@pytest.mark.parametrize(
    ("children", "leaf", "is_right"),
    [
        (few, float, False),
        (some, float, False),
        (list, int, False),
        (list, lambda value: round(value, 2), False),
        (list, float, True),
    ],
)
def test_a_wide_tree_and_fractions_are_tried(children, leaf, is_right):
    def search(node, alpha, beta):
        if node.is_leaf:
            return leaf(node.value)
        best = -inf if node.is_max else inf
        for child in children(node.children):
            value = search(child, alpha, beta)
            if node.is_max:
                best = max(best, value)
                alpha = max(alpha, best)
            else:
                best = min(best, value)
                beta = min(beta, best)
            if alpha >= beta:
                break
        return best

    verdict = check("alphabeta", search)
    assert bool(verdict) == is_right, verdict.message
    assert is_right or verdict.points is None
