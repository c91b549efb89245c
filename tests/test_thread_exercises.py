"""The exercises on threads: a stub is not written yet, the reference is right, each known mistake
has its own name, and whatever an answer's threads do, `check` ends.
"""

import _thread
import sys
import threading
from pathlib import Path
from threading import Lock

import pytest
import yaml

from abviz import AbvizError, check, load, record
from abviz.exercises import rehearsal
from abviz.exercises.exercise import DataExercise, texts
from abviz.exercises.observation import Job, Observation, observe
from abviz.exercises.threads import (
    LAYER1_EXERCISE,
    PREDICT_SPEED_UP,
    RACE,
    SHARE_ALPHA,
    SPLIT_ROOT,
    THREADS,
    Rehearsal,
    hurried_split_root,
    in_order,
)
from abviz.tree.model import Tree
from tests import layer1_answers
from tests.oracle import minimax_value
from tests.solutions import threads as solutions
from tests.test_parallel import until
from tests.thread_answers import (
    SHARE_RIGHT,
    SHARE_WRONG,
    SPLIT_RIGHT,
    SPLIT_WRONG,
    by_index,
    choose,
    repeated_move,
    sharing,
)

ROWS = [
    (SPLIT_ROOT, None, solutions.split_root),
    (SHARE_ALPHA, None, solutions.share_alpha),
    *(pytest.param(SPLIT_ROOT, None, answer, marks=pytest.mark.slow) for answer in SPLIT_RIGHT),
    *(pytest.param(SHARE_ALPHA, None, answer, marks=pytest.mark.slow) for answer in SHARE_RIGHT),
    *((SPLIT_ROOT, mistake, answer) for mistake, answer in SPLIT_WRONG),
    *((SHARE_ALPHA, mistake, answer) for mistake, answer in SHARE_WRONG),
    (LAYER1_EXERCISE, None, solutions.layer1),
    *((LAYER1_EXERCISE, None, answer) for answer in layer1_answers.RIGHT),
    *((LAYER1_EXERCISE, mistake, answer) for mistake, answer in layer1_answers.WRONG),
    (RACE, None, solutions.race),
    (PREDICT_SPEED_UP, None, solutions.speed_ups()),
]


@pytest.mark.parametrize(("exercise", "mistake", "answer"), ROWS)
def test_the_verdict(exercise, mistake, answer):
    before = set(threading.enumerate())
    verdict = exercise.check(answer)
    assert (verdict.status, verdict.mistake) == ("wrong" if mistake else "right", mistake), verdict
    assert verdict.exercise == exercise.name and "\n" not in verdict.message
    if mistake:
        says, hint = texts()["mistakes"][mistake].values()
        assert f"It looks as if {says}. {hint}" in verdict.message and verdict.hints[0] == hint
        assert verdict.tree is not None
    until(
        lambda: all(
            thread.name.startswith("ThreadPool") for thread in set(threading.enumerate()) - before
        )
    )


def test_a_move_that_is_repeated_on_purpose_is_no_late_variable():
    verdict = SPLIT_ROOT.check(repeated_move)
    assert (verdict.status, verdict.mistake) == ("wrong", None)
    assert "it searches C, C, C; expected each of A, B, C once" in verdict.message


def test_a_bound_that_a_worse_move_can_reach_is_not_called_another_mistake():
    for order in (list, reversed):
        verdict = SHARE_ALPHA.check(sharing(short=lambda best, i: -1, submitted=order))
        assert (verdict.status, verdict.mistake) == ("wrong", "no room for ties"), verdict


def test_every_known_mistake_is_shown_by_an_answer():
    rows = {name for name, _ in SPLIT_WRONG + SHARE_WRONG + layer1_answers.WRONG}
    file = Path(rehearsal.__file__).with_name("threads.yaml")
    assert rows == yaml.safe_load(file.read_text("utf-8"))["mistakes"].keys()


def unwritten(*arguments):
    raise NotImplementedError


@pytest.mark.parametrize("exercise", THREADS, ids=lambda exercise: exercise.name)
def test_a_stub_is_not_written_yet(exercise):
    names = {}
    exec(exercise.stub, names)
    functions = () if isinstance(exercise, DataExercise) else (lambda *_: None, unwritten)
    for stub in (list(names.values())[-1], None, ..., *functions):
        verdict = exercise.check(stub)
        assert (verdict.status, verdict.mistake, verdict.tree) == (
            "not written yet",
            None,
            None,
        ) and not verdict
        expected = (
            exercise.hints[0]
            if isinstance(exercise, DataExercise)
            else "Write a function that returns the"
        )
        assert len(verdict.hints) >= 3 and expected in verdict.message


def fails_in_a_thread(root, search):
    thread = threading.Thread(target=lambda: print(root.nmae))
    thread.start()
    thread.join()


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (lambda root, search: 7, "it searches no move; expected each of A, B, C once"),
        (lambda root: None, "positional argument"),
        (lambda root, search: search(root), "; expected a child of the root"),
        (lambda root, search: sys.exit(3), "it raised SystemExit: 3"),
        (fails_in_a_thread, ": thread = threading.Thread(target=lambda: print(root.nmae)))"),
        (
            lambda root, search: choose(root, [search(root.children[0], 1, 2)]),
            ", 1, 2; expected a child of the root",
        ),
        (
            lambda root, search: choose(root, [search(root.children[0]) // 0]),
            "it raised ZeroDivisionError",
        ),
        (
            lambda root, search: solutions.split_root(root, search)[::-1],
            "it returns (2, 'A'); expected ('A', 2)",
        ),
    ],
)
def test_what_else_goes_wrong(answer, message):
    verdict = SPLIT_ROOT.check(answer)
    assert verdict.status == "wrong" and verdict.mistake in (None, "no threads"), verdict
    assert message in verdict.message and "\n" not in verdict.message, verdict


@pytest.mark.parametrize(("answer", "message"), layer1_answers.OTHERS)
def test_what_else_goes_wrong_in_layer1(answer, message):
    verdict = LAYER1_EXERCISE.check(answer)
    assert (verdict.status, verdict.mistake) == ("wrong", None), verdict
    assert message in verdict.message and "\n" not in verdict.message, verdict
    assert verdict.message.startswith("In B:W32:B1,4, with 1-5 = 2, ")


def test_the_jobs_expect_what_minimax_says():
    for job in (*SPLIT_ROOT.jobs, *SHARE_ALPHA.jobs):
        assert Rehearsal(job, Observation(None)).expected[1] == minimax_value(job.tree.root)


ORDERS = [(3, 1, 0, 2), (0, 1, 2, 3), (2, 3, 1, 0)]


@pytest.mark.parametrize(
    ("answer", "order"),
    [*((solutions.split_root, order) for order in ORDERS), (SPLIT_RIGHT[0], ORDERS[0])],
)
def test_searches_end_in_the_order_of_the_script(monkeypatch, answer, order):
    # On a busy machine a thread may take long to begin
    monkeypatch.setattr(rehearsal, "PAUSE", 400)
    seen = observe(
        answer, Job(Tree({"A": 4, "B": 1, "C": 3, "D": 2}), (0, order, False), "threads")
    )
    _, ended, at_once, in_time, _ = seen.details
    assert (tuple(ended), seen.value, at_once, in_time) == (order, ["A", 4], 4, 4)


# threads that do not end


def deadlock(root, search):
    lock = Lock()

    def search_move(i):
        lock.acquire()
        search(root.children[i])

    by_index(root, search_move)


def waiting_for_nothing(root, search):
    threading.Event().wait()


def spinning(root, search):
    def forever(i):
        search(root.children[i])
        while True:
            pass

    by_index(root, forever)


# Of threads that are ended
@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
@pytest.mark.parametrize("answer", [deadlock, waiting_for_nothing, spinning])
def test_what_waits_for_ever_is_given_up(monkeypatch, answer):
    monkeypatch.setattr(rehearsal, "SECONDS", 0.5)
    verdict = SPLIT_ROOT.check(answer)
    assert verdict.status == "wrong" and verdict.mistake is None, verdict
    assert "it does not end, and was stopped" in verdict.message


# Its threads are ended
@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_an_interrupt_ends_it_and_the_next_check_works():
    timer = threading.Timer(0.3, _thread.interrupt_main)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        SPLIT_ROOT.check(waiting_for_nothing)
    timer.join()
    assert SPLIT_ROOT.check(solutions.split_root)


# race and predict-speed-up


def test_the_hurried_function_is_right_only_if_the_best_ends_last():
    assert in_order(hurried_split_root, [3, 5], ["a1", "a2"]) == ("a2", 5)
    assert in_order(hurried_split_root, [3, 5], ["a2", "a1"]) == ("a1", 3)
    assert in_order(solutions.split_root, [3, 5], ["a2", "a1"]) == ("a2", 5)


class Mine(Exception):
    pass


def raising(problem, *, in_thread=False):
    def answer(root, search):
        def search_move(i):
            if in_thread and search(root.children[i]) == 5:
                raise problem

        by_index(root, search_move)
        if not in_thread:
            raise problem
        return "kept", 1

    return answer


@pytest.mark.parametrize(
    "problem", [Mine("mine"), ValueError(), KeyError("x"), SystemExit(3), NotImplementedError()]
)
@pytest.mark.parametrize("in_thread", [False, True])
def test_what_the_function_raises_passes(problem, in_thread):
    if in_thread and isinstance(problem, SystemExit):
        return  # it ends its thread without a word
    with pytest.raises(type(problem)) as raised:
        in_order(raising(problem, in_thread=in_thread), [3, 5], ["a1", "a2"])
    assert raised.value is problem and any(
        each.name in ("answer", "search_move") for each in raised.traceback
    )


def test_what_the_function_returns_passes(monkeypatch):
    thing = object()
    assert in_order(lambda root, search: thing, [3, 5], ["a1", "a2"]) is thing
    assert in_order(lambda root, search: None, [3, 5], ["a1", "a2"]) is None
    with pytest.raises(AbvizError, match=r"The function is 7; expected one of \(root, search\)"):
        in_order(7, [3, 5], ["a1", "a2"])
    monkeypatch.setattr(rehearsal, "SECONDS", 0.5)
    with pytest.raises(
        AbvizError,
        match=r"^waiting_for_nothing: it does not end, and was stopped after 0.5 seconds",
    ):
        in_order(waiting_for_nothing, [3, 5], ["a1", "a2"])


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (5, "The answer is 5; expected a tree and an order"),
        (([3, 5], ["a1"]), "The order is ['a1']; expected each of ['a1', 'a2'] once"),
        ((7, []), "The answer is 7; expected nested lists"),
        (
            (Tree({"A": 5, "B": 5, "C": 1}), ["C", "B", "A"]),
            "it returns ('A', 5), and the best is ('A', 5)",
        ),
    ],
)
def test_evidence_that_is_none(answer, message):
    verdict = RACE.check(answer)
    assert (
        verdict.status == "wrong" and message in verdict.message and "\n" not in verdict.message
    ), verdict


def test_predictions():
    for mistake in PREDICT_SPEED_UP.texts["misreadings"]:
        guess = {
            name: round(value, 2) for (name,), value in PREDICT_SPEED_UP.fill(None, mistake).items()
        }
        verdict = PREDICT_SPEED_UP.check(guess)
        assert (verdict.status, verdict.mistake) == ("wrong", mistake), verdict
    right = solutions.speed_ups()
    assert PREDICT_SPEED_UP.check({name: round(value, 2) for name, value in right.items()})
    assert PREDICT_SPEED_UP.check(right | {"full": right["full"] + 0.02}).points == (1, 2)
    for answer in (
        3,
        {"full": 1},
        {"full": "x", "narrowed": 1},
        {"full": float("inf"), "narrowed": 10**400},
    ):
        assert PREDICT_SPEED_UP.check(answer).status == "wrong"


def test_a_run_is_recorded_after_threads_that_wait_for_ever(monkeypatch):
    """In Python 3.11 an exception that such a thread never takes would hold up every profiled call."""
    monkeypatch.setattr(rehearsal, "SECONDS", 0.5)

    def split_root(root, search):
        threading.Thread(target=threading.Event().wait, daemon=True).start()
        threading.Event().wait()

    def minimax(node):
        values = [minimax(child) for child in node.children]
        return node.value if node.is_leaf else max(values) if node.is_max else min(values)

    assert not check("split-root", split_root)
    assert record(minimax, load("worked-example")).problem == ""
