"""abviz in the Python of a browser: what it answers there is what it answers here."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

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


@pytest.mark.parametrize(
    "work", ["endless", "swallow_all", "suppress_all", "clean_up", "profiled", "nested"]
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


def test_an_answer_that_never_ends_is_stopped_by_check(pyodide: Pyodide) -> None:
    code = """
import abviz.exercises
from abviz import check

def minimax(node):
    while True:
        pass

abviz.exercises.SECONDS, seconds = 1.0, abviz.exercises.SECONDS
verdict = check("minimax", minimax)
abviz.exercises.SECONDS = seconds
json.dumps([verdict.status, verdict.message])
"""
    status, message = json.loads(pyodide.run(code))
    assert status == "wrong" and "stopped after 1 second" in message


def test_a_search_ends_after_its_seconds(pyodide: Pyodide) -> None:
    code = """
from abviz import Checkers, search
result = search(Checkers(), 60, seconds=0.5)
json.dumps([bool(result.move), result.finished, result.depth])
"""
    has_move, finished, depth = json.loads(pyodide.run(code))
    assert has_move and not finished and 1 <= depth < 60
