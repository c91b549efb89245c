"""The exercises on threads: a stub is not written yet, the reference is right, each known mistake has its own name, and
whatever an answer's threads do, `check` ends, says the same every time, and leaves nothing behind."""

import _thread
import itertools
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from math import inf
from pathlib import Path
from threading import Lock, Thread

import pytest

from abviz import AbvizError, TicTacToe, Tree, check, search
from abviz.exercises import checking, predicting, rehearsing
from abviz.exercises.checking import EXERCISES
from abviz.exercises.interleaving import SEARCH, all_begin, interleavings, sharing, splitting
from abviz.exercises.predicting import MISTAKES, WORKERS, RootCounts, makespan, root_counts, speed_ups
from abviz.exercises.races import BEST_LAST, RACE, hurried_split_root, in_order
from abviz.exercises.rehearsing import rehearse
from abviz.exercises.steps import BEGIN, GO, PAUSE, Step
from abviz.exercises.threads import SHARE_ALPHA, SPLIT_ROOT, ThreadExercise
from tests import thread_answers
from tests.oracle import minimax_value
from tests.solutions import threads as solutions
from tests.thread_answers import SHARE_RIGHT, SHARE_WRONG, SPLIT_RIGHT, SPLIT_WRONG, choose, run_all

HOUSE = Path(__file__).resolve().parents[1]


def named(rows):
    return [pytest.param(*row, id=f"{row[0]}-{row[1].__name__}") for row in rows]


def ended_soon():
    return {thread for thread in threading.enumerate() if "forever" not in thread.name}


@pytest.fixture(autouse=True)
def nothing_is_left_behind():
    start, submit = threading.Thread.start, ThreadPoolExecutor.submit
    before = set(threading.enumerate())
    yield
    assert (threading.Thread.start, ThreadPoolExecutor.submit) == (start, submit)
    until = time.monotonic() + 5
    while (left := ended_soon() - before) and time.monotonic() < until:
        time.sleep(0.01)
    assert not left


# stubs and references


def unwritten(root, search):
    raise NotImplementedError


@pytest.mark.parametrize("name", ["split-root", "share-alpha", "race"])
@pytest.mark.parametrize("stub", [lambda *_: None, lambda *_: ..., None, ...], ids=["none", "dots", "None", "..."])
def test_a_stub_is_not_written_yet(name, stub):
    if callable(stub) and stub() is ...:
        stub = None
    verdict = check(name, stub)
    assert (verdict.status, verdict.mistake, verdict.tree) == ("not written yet", None, None) and not verdict
    assert len(verdict.hints) >= 3 and verdict.hints[0] in verdict.message


def test_who_raises_that_it_is_not_written_is_believed():
    assert check("split-root", unwritten).status == "not written yet"
    assert check("race", unwritten).status == "not written yet"
    assert check("share-alpha", lambda root, search, workers: unwritten(root, search)).status == "not written yet"


def test_the_references_are_right():
    assert check("split-root", solutions.split_root)
    assert check("share-alpha", solutions.share_alpha)
    assert check("race", solutions.race)
    assert check("race", solutions.split_root).exercise == "race"
    assert check("predict-speed-up", solutions.predicted())


@pytest.mark.parametrize("answer", SPLIT_RIGHT)
def test_right_ways_to_split_the_root(answer):
    verdict = check("split-root", answer)
    assert verdict and "rehearsals" in verdict.message and verdict.tree is None, verdict


@pytest.mark.parametrize("answer", SHARE_RIGHT)
def test_right_ways_to_share_alpha(answer):
    verdict = check("share-alpha", answer)
    assert verdict, verdict


# known mistakes


@pytest.mark.parametrize(("name", "answer"), named(SPLIT_WRONG))
def test_each_mistake_of_split_root_has_its_own_name(name, answer):
    verdict = check("split-root", answer)
    assert (verdict.status, verdict.mistake) == ("wrong", name), verdict
    assert "\n" not in verdict.message and verdict.hints[0] in verdict.message and len(verdict.hints) == 4
    assert len(verdict.tree) == 3  # two moves show each of them


def test_a_rehearsal_that_went_another_way_does_not_cost_the_name(monkeypatch):
    """As one may on a busy machine."""
    rehearsed, runs = ThreadExercise.run, []

    def disturbed(self, answer, case, seconds):
        runs.append(rehearsed(self, answer, case, seconds))
        return replace(runs[-1], ended=()) if len(runs) == 3 else runs[-1]

    monkeypatch.setattr(ThreadExercise, "run", disturbed)
    assert check("split-root", thread_answers.swapped).mistake == "MAX and MIN swapped"
    assert len(runs) == 2 * len(splitting())


@pytest.mark.parametrize(("name", "answer"), named(SHARE_WRONG))
def test_each_mistake_of_share_alpha_has_its_own_name(name, answer):
    verdict = check("share-alpha", answer)
    assert (verdict.status, verdict.mistake) == ("wrong", name), verdict
    assert "\n" not in verdict.message and verdict.hints[0] in verdict.message and verdict.tree is not None


def test_all_known_mistakes_are_shown_by_an_answer():
    assert {fault.name for fault in SPLIT_ROOT.faults} == {name for name, _ in SPLIT_WRONG}
    own = {fault.name for fault in SHARE_ALPHA.faults} - {fault.name for fault in SPLIT_ROOT.faults}
    assert own <= {name for name, _ in SHARE_WRONG} and len(own) == 5


@pytest.mark.parametrize(("name", "answer"), [SPLIT_WRONG[12], SPLIT_WRONG[19], SHARE_WRONG[6]])
def test_what_is_said_is_the_same_every_time(name, answer):
    exercise = "share-alpha" if (name, answer) in SHARE_WRONG else "split-root"
    assert len({str(check(exercise, answer)) for _ in range(3)}) == 1


def test_the_case_that_is_told_is_small_and_true():
    message = check("split-root", dict(SPLIT_WRONG)["last one to finish wins"]).message
    assert message.startswith(
        "With A = 0, B = 1 and MAX to move (A and B begin, B ends, A ends) it returns ('A', 0); expected ('B', 1)."
    )


def test_who_starts_no_thread_is_told_to_start_one():
    for name, answer in (
        ("split-root", dict(SPLIT_WRONG)["no threads"]),
        ("share-alpha", dict(SHARE_WRONG)["no threads"]),
    ):
        verdict = check(name, answer)
        assert "it starts no thread" in verdict.message and "given a function as its target" in verdict.hints[0]


def test_a_search_called_without_its_window_is_told_in_the_reader_s_words():
    def answer(root, search, workers):
        return solutions.split_root(root, search)

    said = check("share-alpha", answer).message
    assert "search() missing 2 required positional arguments: 'alpha' and 'beta'" in said and "_Stage" not in said
    said = check("split-root", lambda root, search: solutions.split_root(root, lambda c: search(c, 1, 2))).message
    assert "search() takes 1 positional argument but 3 were given" in said


def test_praise_for_a_prediction_counts_what_each_way_searches():
    counts = root_counts()
    said = check("predict-speed-up", solutions.predicted()).message
    assert f"One worker alone, with alpha-beta as usual, searches {counts.sequential:,} nodes" in said
    full, narrowed = makespan(counts.full, WORKERS), makespan(counts.narrowed, WORKERS)
    assert f"full: {sum(counts.full):,} in all, and the last worker ends after {full:,}: × " in said
    assert f"narrowed: {counts.sequential:,} in all, and the last worker ends after {narrowed:,}: × " in said


def tie_of_equals(root, search):
    """Only its values are right."""
    return choose(root, solutions.split_root(root, search)[1:] * 2)


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (lambda root, search: 7, "it searches no move; expected each of A, B once"),
        (lambda root, search: solutions.split_root(root.children[0], search), "it raised ValueError"),
        (lambda root: None, "positional argument"),
        (lambda root, search: search(root), "search was handed <MAX node root: 2 children>; expected a child of the"),
        (lambda root, search: solutions.split_root(root, lambda child: search(child, 1, 2)), "the thread of A raised"),
        (lambda root, search: sys.exit(3), "it raised SystemExit: 3"),
        (lambda root, search: exec("root.children[0].value = 3"), "it raised"),
        (tie_of_equals, "it returns ('A', 1); expected ('B', 1)"),
    ],
)
def test_what_else_goes_wrong_is_told(answer, says):
    verdict = check("split-root", answer)
    assert verdict.status == "wrong" and verdict.mistake is None and says in verdict.message, verdict
    assert "\n" not in verdict.message


# threads that fail, or do not end


def test_an_exception_in_a_thread_is_told_with_its_move(capfd):
    def failing(root, search):
        values = [0] * len(root.children)

        def search_move(i):
            values[i] = search(root.children[i]) // (1 - i)

        run_all([Thread(target=search_move, args=(i,)) for i in range(len(values))])
        return choose(root, values)

    verdict = check("split-root", failing)
    assert "the thread of B raised ZeroDivisionError: integer division or modulo by zero" in verdict.message
    assert capfd.readouterr().err == ""


def test_an_exception_that_a_pool_keeps_to_itself_is_told():
    def failing(root, search):
        with ThreadPoolExecutor() as pool:
            for child in root.children:
                pool.submit(lambda child=child: search(child).value)

    assert "the thread of A raised AttributeError: 'int' object has no" in check("split-root", failing).message


def deadlock(root, search):
    lock = Lock()

    def search_move(child):
        lock.acquire()
        search(child)

    run_all([Thread(target=search_move, args=(child,)) for child in root.children])


def deadlock_in_a_pool(root, search):
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(lambda: pool.submit(search, root.children[0]).result()).result()


def nothing_to_wait_for(root, search):
    threading.Event().wait()


def spinning(root, search):
    def search_move(child):
        while search(child) is not None:
            pass

    run_all([Thread(target=search_move, args=(child,)) for child in root.children])


def spinning_alone(root, search):
    def forever(child):
        search(child)
        while True:
            try:
                while True:
                    pass
            except Exception:
                pass

    run_all([Thread(target=forever, args=(child,)) for child in root.children])


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (deadlock, "the thread of B was given up: for 0.3 seconds nothing happened"),
        (deadlock_in_a_pool, "was given up"),
        (nothing_to_wait_for, "it was given up: for 0.3 seconds"),
        (spinning, "it was stopped after 40 searches"),
        (spinning_alone, "the thread of A was given up: for 0.3 seconds"),
    ],
)
def test_who_waits_for_ever_is_given_up(monkeypatch, answer, says):
    monkeypatch.setattr(rehearsing, "PATIENCE", 0.3)
    monkeypatch.setattr(checking, "MOST_SECONDS", 60)
    before = set(threading.enumerate())
    verdict = check("split-root", answer)
    assert verdict.status == "wrong" and says in verdict.message and verdict.mistake is None, verdict
    for thread in set(threading.enumerate()) - before:
        assert thread.daemon
        thread.name += " forever"  # it waits for a lock, from which Python cannot call it away


def test_what_is_given_up_does_not_keep_python_from_ending():
    program = """
from abviz import check
from abviz.exercises import rehearsing
from tests.test_thread_exercises import deadlock, deadlock_in_a_pool, nothing_to_wait_for
rehearsing.PATIENCE = 0.2
for answer in (deadlock, deadlock_in_a_pool, nothing_to_wait_for):
    print(check("split-root", answer).status)
"""
    told = subprocess.run([sys.executable, "-c", program], cwd=HOUSE, capture_output=True, text=True, timeout=60)
    assert (told.stdout.split(), told.stderr, told.returncode) == (["wrong"] * 3, "", 0)


def test_an_interrupt_ends_it_and_the_next_check_works():
    timer = threading.Timer(0.3, _thread.interrupt_main)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        check("split-root", nothing_to_wait_for)
    timer.join()
    for thread in threading.enumerate():
        if thread.daemon and "(_call)" in thread.name:
            thread.name += " forever"
    assert check("split-root", solutions.split_root)


def test_other_threads_are_left_alone():
    ticks, stop = [], threading.Event()

    def elsewhere():
        while not stop.is_set():
            thread = Thread(target=lambda: ticks.append(1))
            thread.start()
            thread.join()
            with ThreadPoolExecutor(1) as pool:
                assert pool.submit(len, "four").result() == 4
            time.sleep(0.002)

    thread = Thread(target=elsewhere)
    thread.start()
    try:
        assert check("split-root", solutions.split_root)
    finally:
        stop.set()
        thread.join()
    assert len(ticks) > 10


# rehearsals


def test_a_rehearsal_goes_as_it_is_told():
    tree = Tree({"A": 1, "B": 3, "C": 2})
    for order in ((0, 1, 2), (2, 0, 1), (1, 2, 0)):
        run = rehearse(solutions.split_root, tree.root, all_begin(order), search=lambda node: node.value)
        assert run.ended == order and [step.move for step in run.steps if step.what == GO] == list(order)
        assert (run.answer, run.at_once, run.early, run.problem) == (("B", 3), 3, False, "")


def test_a_thread_stopped_before_it_writes_keeps_nothing_but_what_it_has_read():
    """What its variables held when it stopped must not come back when it goes on."""

    def counting(root, search):
        total, other, lock = 0, 0, Lock()

        def search_move(i):
            nonlocal total, other
            search(root.children[i])
            other = i
            with lock:
                total += 10**i

        run_all([Thread(target=search_move, args=(i,)) for i in range(2)])
        return total, other

    steps = (Step(BEGIN, 0), Step(BEGIN, 1), Step(PAUSE, 0, 1), Step(GO, 1), Step(GO, 0))
    run = rehearse(counting, Tree([1, 2]).root, steps, search=lambda node: node.value)
    assert run.answer == (11, 0) and run.ended == (1, 0) and run.steps == (*steps,)


def test_interleavings_are_all_there_are():
    both = set(interleavings(2, 2))
    assert len(both) == 6 and all(
        story.index(Step(BEGIN, i)) < story.index(Step(GO, i)) for story in both for i in (0, 1)
    )
    assert len(set(interleavings(3, 3))) == 90 == len(list(interleavings(3, 3)))
    assert len(list(interleavings(3, 1))) == 1


def test_what_is_expected_is_minimax_and_the_first_of_the_best():
    for case in (*splitting(), *sharing()):
        values = [minimax_value(child) for child in case.tree.root.children]
        best = max(values) if case.tree.root.is_max else min(values)
        name = [child.name for child in case.tree.root.children][values.index(best)]
        assert case.expected == (name, best)


# the race


@pytest.mark.parametrize("order", [["0", "1", "2"], ["0", "2", "1"], ["1", "0", "2"]])
def test_a_machine_that_stands_still_makes_evidence_no_worse(monkeypatch, order):
    """Between two looks at the threads a second goes by each time, as where all programs were stopped."""
    seconds = itertools.count()
    monkeypatch.setattr(rehearsing, "monotonic", lambda: float(next(seconds)))
    for _ in range(5):
        assert RACE.check(([5, 4, 3], order), 1e6), order
    assert SPLIT_ROOT.check(solutions.split_root, 1e6) and SHARE_ALPHA.check(solutions.share_alpha, 1e6)


@pytest.mark.parametrize("order", [["A", "B"], ("A", "B")])
def test_evidence_of_the_race_is_right(order):
    verdict = check("race", ({"A": 5, "B": 3}, order))
    assert verdict and "(A and B begin, A ends, B ends) it returns ('B', 3), and the best is ('A', 5)" in str(verdict)
    assert len(verdict.tree) == 3


def test_a_race_may_be_shown_on_any_tree():
    assert check("race", ([5, 3], [0, 1])) and check("race", ([[5, 7], [3, 9], 4], ["2", "0", "1"]))
    assert check("race", (Tree([3, 5], to_move="min"), ["0", "1"]))
    assert check("race", ([2, 2], [0, 1]))  # a tie that goes to the second


@pytest.mark.parametrize(
    ("answer", "says", "mistake"),
    [
        (({"A": 5, "B": 3}, ["B", "A"]), "it returns ('A', 5), which is right", BEST_LAST),
        (([3], [0]), "it returns ('0', 3), which is right", None),
        (([3, 5], [0]), "The order is [0]; expected each of ['0', '1'] once", None),
        (([3, 5], "01"), "The order is '01'; expected each of", None),
        ((5, ["0"]), "The tree is a single leaf; expected one with moves at its root, such as [3, 5]", None),
        (([3, "x"], [0, 1]), "'x'", None),
        (([3, None], [0, 1]), "the tree has a leaf without a value", None),
        (([3, 5],), "expected a tree and an order", None),
        (7, "The answer is 7; expected a tree and an order", None),
        (hurried_split_root, "it returns ('A', 0); expected ('B', 1)", "last one to finish wins"),
    ],
)
def test_what_is_no_evidence_is_told(answer, says, mistake):
    verdict = check("race", answer)
    assert (verdict.status, verdict.mistake) == ("wrong", mistake) and says.lower() in verdict.message.lower(), verdict
    assert len(verdict.hints) >= 3


def test_the_example_in_the_message_is_no_evidence():
    assert "([3, 5], ['0', '1'])" in check("race", 7).message.replace('"', "'")
    assert not check("race", ([3, 5], ["0", "1"]))


def test_the_hurried_one_is_right_if_its_threads_come_one_after_the_other():
    tree = Tree({"A": 5, "B": 3})
    steps = (Step(BEGIN, 0), Step(GO, 0), Step(BEGIN, 1), Step(GO, 1))
    run = rehearse(hurried_split_root, tree.root, steps, search=lambda node: SEARCH(node, -inf, inf))
    assert run.answer == ("A", 5)
    assert in_order(hurried_split_root, tree, ["A", "B"]) == ("B", 3)
    assert in_order(hurried_split_root, tree, ["B", "A"]) == ("A", 5)
    with pytest.raises(AbvizError, match="expected each of"):
        in_order(hurried_split_root, tree, ["A"])


# predicting


def test_what_is_counted_is_the_engine_s_search():
    position = TicTacToe.from_cells(predicting.CELLS)
    counts = root_counts()
    assert counts.moves == tuple(position.moves()) and counts.full[0] == counts.narrowed[0]
    assert counts.sequential + 1 == search(position, predicting.DEPTH, method="alphabeta").nodes  # and the root
    for move, nodes in zip(counts.moves, counts.full, strict=True):
        assert search(position.play(move), predicting.DEPTH - 1, method="alphabeta").nodes == nodes


def test_makespan_by_hand():
    assert makespan([4, 3, 2, 5], 1) == 14
    assert makespan([4, 3, 2, 5], 2) == 9  # 4 + 5 and 3 + 2
    assert makespan([4, 3, 2, 5], 4) == makespan([4, 3, 2, 5], 9) == 5
    counts = RootCounts("", ("a", "b", "c"), (6, 6, 6), (6, 2, 2))
    assert speed_ups(counts, 2) == (10 / 12, 10 / 6)


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda each: each.name)
def test_each_wrong_prediction_has_its_own_name(mistake):
    full, narrowed = mistake.predicts(root_counts(), WORKERS)
    verdict = check("predict-speed-up", {"full": round(full, 2), "narrowed": narrowed})
    assert (verdict.status, verdict.mistake) == ("wrong", mistake.name) and mistake.hint in verdict.message
    assert "0.01" in verdict.message and verdict.hints[0] == mistake.hint


def test_a_prediction_is_right_to_within_what_is_told():
    full, narrowed = speed_ups(root_counts())
    assert check("predict-speed-up", {"narrowed": narrowed + 0.0099, "full": full - 0.0099})
    for off in (0.011, -0.011):
        assert check("predict-speed-up", {"full": full + off, "narrowed": narrowed}).status == "wrong"
        assert check("predict-speed-up", {"full": full, "narrowed": narrowed + off}).status == "wrong"


@pytest.mark.parametrize("stub", [None, ..., {}, {"full": None, "narrowed": None}, {"full": ..., "narrowed": ...}])
def test_no_prediction_is_not_written_yet(stub):
    assert check("predict-speed-up", stub).status == "not written yet"


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (1.5, "The answer is 1.5; expected {"),
        ({"full": 1.5}, "expected {"),
        ({"full": "fast", "narrowed": 2}, "'full' is 'fast'; expected a number"),
        ({"full": 1, "narrowed": float("nan")}, "'narrowed' is nan; expected a number"),
        ({"full": 1, "narrowed": 10**400}, "'narrowed' is 1"),
        ({"full": 1, "narrowed": None}, "'narrowed' is None; expected a number"),
        ({"full": 7.5, "narrowed": inf}, "'full' = 7.5 and 'narrowed' = inf is not within 0.01"),
    ],
)
def test_what_is_no_prediction_is_told(answer, says):
    verdict = check("predict-speed-up", answer)
    assert verdict.status == "wrong" and says in verdict.message, verdict


def test_counts_are_a_table():
    lines = str(root_counts(TicTacToe.from_cells("xx.oo...."), 5)).splitlines()
    assert lines[0].split() == ["move", "full", "narrowed"] and lines[-1].startswith("all ") and len(lines) == 7


def test_all_exercises_are_in_the_table():
    assert {"split-root", "share-alpha", "race", "predict-speed-up"} <= EXERCISES.keys()
    assert all(name == exercise.name for name, exercise in EXERCISES.items())


def test_evidence_is_replayed_again_if_a_thread_comes_too_late(monkeypatch):
    let_go, missed = rehearsing._Stage._let_go, [1]

    def misses(stage, waiting, steps):
        if missed[0]:  # as if all threads but the first had not come yet
            missed[0] -= 1
            del steps[0:5]
        let_go(stage, waiting, steps)

    monkeypatch.setattr(rehearsing._Stage, "_let_go", misses)
    assert check("race", ([5, 3], ["0", "1"]))
    missed[0] = 99
    verdict = check("race", ([5, 3], ["0", "1"]))
    assert verdict.status == "wrong" and "could not be held to the order told" in verdict.message


def test_evidence_that_could_not_be_replayed_is_none():
    many = check("race", ([3] * 900, [str(i) for i in range(900)]))
    assert many.status == "wrong" and "900 moves at its root; expected at most 12" in many.message
    late = RACE.check(([3] * 12, [str(i) for i in range(12)]), 0.0)
    assert late.status == "wrong" and "the time was up" in late.message
