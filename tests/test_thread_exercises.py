"""The exercises on threads: a stub is not written yet, the reference is right, each known mistake has its own name, and
whatever an answer's threads do, `check` ends."""

import _thread
import json
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Lock

import pytest

from abviz import check, load, record
from abviz.exercises import rehearsal
from abviz.exercises.forms import texts
from abviz.exercises.observation import Job, Observation, observe
from abviz.exercises.rehearsal import Record
from abviz.exercises.threads import (
    MISTAKES,
    PREDICT_SPEED_UP,
    RACE,
    SHARE_ALPHA,
    SPEED_UPS,
    SPLIT_ROOT,
    THREADS,
    Rehearsal,
    hurried_split_root,
    in_order,
    root_counts,
)
from abviz.tree.model import Tree
from tests.oracle import minimax_value
from tests.solutions import threads as solutions
from tests.test_parallel import until
from tests.thread_answers import SHARE_RIGHT, SHARE_WRONG, SPLIT_RIGHT, SPLIT_WRONG, by_index, choose

HOUSE = Path(__file__).resolve().parents[1]


ROWS = [
    *((SPLIT_ROOT, None, answer) for answer in [solutions.split_root, *SPLIT_RIGHT]),
    *((SHARE_ALPHA, None, answer) for answer in [solutions.share_alpha, *SHARE_RIGHT]),
    *((SPLIT_ROOT, mistake, answer) for mistake, answer in SPLIT_WRONG),
    *((SHARE_ALPHA, mistake, answer) for mistake, answer in SHARE_WRONG),
    (RACE, None, solutions.race),
    (RACE, None, solutions.split_root),
    (RACE, "last one to finish wins", hurried_split_root),
    (PREDICT_SPEED_UP, None, solutions.predicted()),
]


@pytest.mark.parametrize(("exercise", "mistake", "answer"), ROWS)
def test_the_verdict(exercise, mistake, answer):
    before = set(threading.enumerate())
    verdict = exercise.check(answer)
    assert (verdict.status, verdict.mistake) == ("wrong" if mistake else "right", mistake), verdict
    assert verdict.exercise == exercise.name and "\n" not in verdict.message
    if mistake:
        assert f"A known mistake: {mistake}. {verdict.hints[0]}" in verdict.message and verdict.tree is not None
    until(lambda: all(thread.name.startswith("ThreadPool") for thread in set(threading.enumerate()) - before))


def test_every_known_mistake_is_shown_by_an_answer():
    rows = {name for name, _ in SPLIT_WRONG + SHARE_WRONG} | {name for name in SPEED_UPS if name}
    assert MISTAKES.keys() <= rows == texts("mistakes").keys()


def unwritten(*arguments):
    raise NotImplementedError


@pytest.mark.parametrize("exercise", THREADS, ids=lambda exercise: exercise.name)
@pytest.mark.parametrize(
    "stub", [None, ..., lambda *_: None, unwritten, "own"], ids=["None", "dots", "lambda", "unwritten", "own"]
)
def test_a_stub_is_not_written_yet(exercise, stub):
    if stub == "own":
        names = {}
        exec(exercise.stub, names)
        stub = next(value for name, value in names.items() if name.startswith("my_"))
    elif callable(stub) and exercise is PREDICT_SPEED_UP:
        stub = {"full": ..., "narrowed": None}
    verdict = exercise.check(stub)
    assert (verdict.status, verdict.mistake, verdict.tree) == ("not written yet", None, None) and not verdict
    assert len(verdict.hints) >= 3 and verdict.hints[0] in verdict.message


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (lambda root, search: 7, "it searches no move; expected each of A, B, C once"),
        (lambda root: None, "positional argument"),
        (lambda root, search: search(root), "; expected a child of the root"),
        (lambda root, search: sys.exit(3), "it raised SystemExit: 3"),
        (
            lambda root, search: choose(root, [search(root.children[0], 1, 2)]),
            ", 1, 2; expected a child of the root",
        ),
        (lambda root, search: choose(root, [search(root.children[0]) // 0]), "it raised ZeroDivisionError"),
        (lambda root, search: solutions.split_root(root, search)[::-1], "it returns (2, 'B'); expected ('B', 2)"),
    ],
)
def test_what_else_goes_wrong(answer, message):
    verdict = SPLIT_ROOT.check(answer)
    assert verdict.status == "wrong" and verdict.mistake in (None, "no threads"), verdict
    assert message in verdict.message and "\n" not in verdict.message, verdict


def test_the_record_is_plain_data():
    """So that another process can make it, and the verdict is the same."""

    def ask(jobs):
        (seen,) = [observe(solutions.share_alpha, job) for job in jobs]
        return [Observation(*json.loads(json.dumps([seen.value, seen.leaves, seen.problem, seen.details])))]

    assert SHARE_ALPHA.judge(ask)


def test_the_jobs_expect_what_minimax_says():
    for job in (*SPLIT_ROOT.jobs, *SHARE_ALPHA.jobs):
        assert Rehearsal(job, Observation(None)).expected[1] == minimax_value(job.tree.root)


@pytest.mark.parametrize("order", [(3, 1, 0, 2), (0, 1, 2, 3), (2, 3, 1, 0)])
@pytest.mark.parametrize("answer", [solutions.split_root, SPLIT_RIGHT[0]])
def test_searches_end_in_the_order_of_the_script(answer, order):
    seen = observe(answer, Job(Tree({"A": 4, "B": 1, "C": 3, "D": 2}), (0, order, False), "threads"))
    record = Record(*seen.details)
    assert (tuple(record.ended), seen.value, record.at_once, record.early) == (order, ["A", 4], 4, [])


# threads that do not end


def deadlock(root, search):
    lock = Lock()

    def search_move(i):
        lock.acquire()
        search(root.children[i])

    by_index(root, search_move)


def deadlock_in_a_pool(root, search):
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(lambda: pool.submit(search, root.children[0]).result()).result()


def waiting_for_nothing(root, search):
    threading.Event().wait()


def searching_without_end(root, search):
    def search_move(i):
        while search(root.children[i]) is not None:
            pass

    by_index(root, search_move)


def spinning(root, search):
    def forever(i):
        search(root.children[i])
        while True:
            pass

    by_index(root, forever)


@pytest.mark.parametrize("answer", [deadlock, deadlock_in_a_pool, waiting_for_nothing, searching_without_end, spinning])
def test_what_waits_for_ever_is_given_up(monkeypatch, answer):
    monkeypatch.setattr(rehearsal, "GIVE_UP", 100)
    verdict = SPLIT_ROOT.check(answer)
    assert verdict.status == "wrong" and verdict.mistake is None, verdict
    assert "it does not end, although" in verdict.message or "stopped after 60 searches" in verdict.message
    assert SPLIT_ROOT.check(solutions.split_root)


def test_what_is_given_up_does_not_keep_python_from_ending():
    program = """
from abviz.exercises import rehearsal, threads
from tests.test_thread_exercises import deadlock, deadlock_in_a_pool, waiting_for_nothing
rehearsal.GIVE_UP = 100
for answer in (deadlock, deadlock_in_a_pool, waiting_for_nothing):
    print(threads.SPLIT_ROOT.check(answer).status)
"""
    done = subprocess.run([sys.executable, "-c", program], cwd=HOUSE, capture_output=True, text=True, timeout=120)
    assert (done.stdout.split(), done.stderr, done.returncode) == (["wrong"] * 3, "", 0)


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


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (5, "The answer is 5; expected a tree and an order"),
        (([3, 5], ["a1"]), "The order is ['a1']; expected each of ['a1', 'a2'] once"),
        ((7, []), "The answer is 7, and is no tree"),
        (([3, None], ["a1", "a2"]), "Leaf a2 has no value; expected a number"),
        (([3] * 13, []), "13 moves at its root; expected at most 12"),
        ((Tree({"A": 5, "B": 5, "C": 1}), ["C", "B", "A"]), "which is right"),
    ],
)
def test_evidence_that_is_none(answer, message):
    verdict = RACE.check(answer)
    assert verdict.status == "wrong" and message in verdict.message and "\n" not in verdict.message, verdict


def test_predictions():
    counts = root_counts()
    columns = counts.full, counts.narrowed
    guesses = {name: [guess(nodes, counts.sequential) for nodes in columns] for name, guess in SPEED_UPS.items()}
    for mistake, (full, narrowed) in (guesses | {None: [9, 9]}).items():
        verdict = PREDICT_SPEED_UP.check({"full": full, "narrowed": narrowed})
        assert (verdict.status, verdict.mistake) == ("wrong", mistake), verdict
    for answer in (3, {"full": 1}, {"full": "x", "narrowed": 1}, {"full": float("inf"), "narrowed": 10**400}):
        assert PREDICT_SPEED_UP.check(answer).status == "wrong"
    assert f"searches {counts.sequential:,} nodes" in PREDICT_SPEED_UP.check(solutions.predicted()).message


def test_a_run_is_recorded_after_threads_that_wait_for_ever():
    """In Python 3.11 an exception that such a thread never takes would hold up every profiled call."""

    def split_root(root, search):
        threading.Thread(target=threading.Event().wait, daemon=True).start()
        threading.Event().wait()

    def minimax(node):
        values = [minimax(child) for child in node.children]
        return node.value if node.is_leaf else max(values) if node.is_max else min(values)

    assert not check("split-root", split_root)
    assert record(minimax, load("worked-example")).problem == ""
