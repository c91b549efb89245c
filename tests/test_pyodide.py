"""abviz in the Python of a browser: what it answers there is what it answers here."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from abviz.exercises import exercise
from tests import both_pythons
from tests.both_pythons import EXERCISES, engine_results, verdicts
from tests.pyodide import Pyodide, running_pyodide

CHECKED = [name for name, exercise in EXERCISES.items() if not exercise.needs_threads]
ALL = 1000  # mistakes
# These play on thousands of positions
SLOW = [name for name in CHECKED if name.startswith("checkers-") and name != "checkers-end"]
QUICK = [name for name in CHECKED if name not in SLOW]


@pytest.fixture(scope="module")
def pyodide() -> Iterator[Pyodide]:
    with running_pyodide() as python:
        python.run("import json; from tests import both_pythons")
        python.run("both_pythons.set_up()")
        yield python


@pytest.fixture(autouse=True)
def as_there(monkeypatch: pytest.MonkeyPatch) -> None:
    # So that they are put back
    monkeypatch.setattr(both_pythons.searches, "SMALL_TREES", both_pythons.SMALL_TREES)
    monkeypatch.setattr(both_pythons.searches, "RANDOM_TREES", both_pythons.RANDOM_TREES)
    monkeypatch.setattr(both_pythons.exercises, "SECONDS", both_pythons.SECONDS)
    monkeypatch.setattr(both_pythons.judgement, "PATIENCE", both_pythons.SECONDS)


def there(pyodide: Pyodide, call: str) -> Any:
    return json.loads(pyodide.run(f"json.dumps(both_pythons.{call})"))


def here(result: object) -> Any:
    return json.loads(json.dumps(result))


def test_it_is_a_browser_s_python(pyodide: Pyodide) -> None:
    assert pyodide.run("import sys; sys.platform") == "emscripten"
    missing = ["numpy", "matplotlib", "numba", "pygraphviz", "PIL", "IPython", "ipywidgets", "rich"]
    code = "from abviz.capabilities import is_installed, starts_threads\n"
    assert pyodide.run(f"{code}any(map(is_installed, {missing!r})) or starts_threads()") is False


@pytest.mark.parametrize(
    "name", [*QUICK, *(pytest.param(name, marks=pytest.mark.slow) for name in SLOW)]
)
def test_a_right_and_a_wrong_answer_get_their_verdict(pyodide: Pyodide, name: str) -> None:
    found = there(pyodide, f"verdicts({name!r}, 1)")
    assert found == here(verdicts(name, 1))
    assert [status for status, *_ in found[:2]] == ["right", "wrong"]


@pytest.mark.nightly
@pytest.mark.parametrize("name", CHECKED)
def test_every_known_mistake_has_its_name(pyodide: Pyodide, name: str) -> None:
    assert there(pyodide, f"verdicts({name!r}, {ALL})") == here(verdicts(name, ALL))


@pytest.mark.parametrize("number", [1, pytest.param(4, marks=pytest.mark.slow)])
def test_the_engine_finds_the_same_in_as_many_nodes(pyodide: Pyodide, number: int) -> None:
    assert there(pyodide, f"engine_results({number})") == here(engine_results(number))


# Time limits without threads

LIMIT = """
import sys, time
from contextlib import suppress
from abviz.recording.time_limit import TimeLimit, run_with_timeout

def endless():
    while True:
        pass

def in_one_line():
    while True: pass

def swallow_all():
    while True:
        try:
            while True:
                pass
        except:
            pass

def suppress_all():
    while True:
        with suppress(BaseException):
            recurse(0)

def recurse(n):
    try:
        return recurse(n + 1)
    except RecursionError:
        return n

def clean_up():
    try:
        endless()
    finally:
        cleaned.append(sum(n for n in range(20)))

def profiled():
    sys.setprofile(lambda *_: None)
    try:
        endless()
    finally:
        sys.setprofile(None)

def nested():
    return run_with_timeout(endless, 60)

def outcome(work, seconds=0.3):
    try:
        return run_with_timeout(work, seconds)
    except BaseException as error:
        return type(error).__name__

def registered():
    tools = sys.monitoring
    return [tools.get_tool(each) for each in range(6)] + [tools.get_events(4) if tools.get_tool(4) else 0]

cleaned = []
before = registered()
"""


def test_an_answer_has_more_time_where_there_are_no_threads(pyodide: Pyodide) -> None:
    """On a page and in JupyterLite alike: Python takes longer there."""
    assert pyodide.run("from abviz.exercises.exercise import SECONDS; SECONDS") == 40
    assert exercise.SECONDS == 10


@pytest.mark.parametrize(
    "work",
    ["endless", "in_one_line", "swallow_all", "suppress_all", "clean_up", "profiled", "nested"],
)
def test_what_takes_too_long_is_stopped_and_leaves_nothing(pyodide: Pyodide, work: str) -> None:
    pyodide.run(LIMIT)
    assert pyodide.run(f"outcome({work})") == "TimeLimit"
    assert pyodide.run("before == registered() and sys.getprofile() is None")
    assert pyodide.run("sum(n for n in range(100_000))") == 4999950000, "nothing is raised later"
    if work == "clean_up":
        assert pyodide.run("cleaned == [190]")


def test_what_ends_in_time_returns_or_raises(pyodide: Pyodide) -> None:
    pyodide.run(LIMIT)
    assert pyodide.run("outcome(lambda: 3, 60)") == 3
    assert pyodide.run("outcome(lambda: 1 // 0, 60)") == "ZeroDivisionError"
    assert pyodide.run("outcome(lambda: outcome(endless, 0.2), 60)") == "TimeLimit"
    assert pyodide.run("before == registered()")


ENDLESS = """
import abviz.exercises
from abviz import Tree, check
from fractions import Fraction
from itertools import count, repeat

def loop(*_):
    while True:
        pass

def generated():
    while True:
        yield 1

class Repeating(list):
    def __iter__(self):
        return repeat(3)

class Pairs(dict):
    def items(self):
        return repeat(("B", 3))

class Own:
    __eq__ = __hash__ = __repr__ = loop

class Number(Fraction):
    __float__ = loop

class Generating(list):
    __iter__ = generated

def below_itself(node):
    node.children = [node]
    return [node]

def searched_below_itself(root, search, guess, delta):
    root.children = [root]
    return search(root, guess - delta, guess + delta)

def judged(name, answer, seconds):
    abviz.exercises.SECONDS, usual = seconds, abviz.exercises.SECONDS
    try:
        verdict = check(name, answer)
        verdict._repr_mimebundle_()
        return json.dumps([verdict.status, verdict.message])
    finally:
        abviz.exercises.SECONDS = usual
"""
STOPPED = "stopped after 0.5 seconds"


# What goes on without end is the answer's own code, Python's library, or abviz's over what the
# answer has made
@pytest.mark.parametrize(
    ("name", "answer", "expected"),
    [
        ("minimax", "loop", STOPPED),
        ("minimax", "lambda node: sum(generated())", STOPPED),
        ("minimax", "lambda node: list(iter(lambda: 1, None))", STOPPED),
        ("minimax", "lambda node: all(map(Fraction, count(1)))", STOPPED),
        ("minimax", "lambda node: Tree(Repeating([1, 2])).root.value", STOPPED),
        ("minimax", "lambda node: Tree(Pairs(B=1)).root.value", STOPPED),
        ("minimax", "lambda node: Number(1, 3)", STOPPED),
        ("minimax", "lambda node: Own()", STOPPED),
        ("minimax", "lambda node: {Own(): 3}", STOPPED),
        ("minimax", "lambda node: Generating([1])", "it returns"),
        ("minimax", "lambda node: Repeating([1])", "it returns"),
        ("minimax", "lambda node: Pairs(B=1)", "it returns"),
        ("minimax", "lambda node: generated()", "it returns"),
        ("order", "below_itself", STOPPED),
        ("order", "lambda node: repeat(node.children[0])", "expected"),
        ("aspiration", "searched_below_itself", "called itself without end"),
    ],
)
def test_an_answer_without_end_gets_its_verdict(
    pyodide: Pyodide, name: str, answer: str, expected: str
) -> None:
    pyodide.run(ENDLESS)
    seconds = 0.5 if expected == STOPPED else both_pythons.SECONDS
    status, message = json.loads(pyodide.run(f"judged({name!r}, {answer}, {seconds})"))
    # Python may run out of memory before the time is over
    is_full = expected == STOPPED and "it raised MemoryError" in message
    assert status == "wrong" and (expected in message or is_full)


def test_hardly_anything_is_watched_but_the_answer(pyodide: Pyodide) -> None:
    code = """
from collections import Counter
from abviz import check
from abviz.recording import time_limit

watched = Counter()

def counted(code, is_watched=time_limit._is_watched):
    if is_watched(code):
        watched[code.co_filename] += 1
        return True
    return False

def watched_of(name, answer):
    watched.clear()
    time_limit._is_watched, before = counted, time_limit._is_watched
    check(name, answer)
    time_limit._is_watched = before
    return watched

answer = both_pythons.right_answer(both_pythons.EXERCISES["alphabeta"])
check("alphabeta", answer)  # which makes the trees
watched_of("alphabeta", answer)
json.dumps([watched[answer.__code__.co_filename], sum(watched.values())])
"""
    of_answer, all_in_all = json.loads(pyodide.run(code))
    assert 0.8 * all_in_all < of_answer


def test_a_search_ends_after_its_seconds(pyodide: Pyodide) -> None:
    code = """
from abviz import Checkers, search
result = search(Checkers(), 60, seconds=0.5)
json.dumps([bool(result.move), result.finished, result.depth])
"""
    has_move, finished, depth = json.loads(pyodide.run(code))
    assert has_move and not finished and 1 <= depth < 60
