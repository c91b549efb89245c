"""`check` returns a verdict in one line, whatever an answer is, returns or raises."""

import sys
import textwrap
from decimal import Decimal
from fractions import Fraction
from math import nan

import numpy
import pytest

from abviz import Tree, check, record
from abviz.errors import brief, failure, one_line
from abviz.exercises import EXERCISES, searches
from abviz.exercises.judgement import FunctionExercise
from abviz.exercises.papers import PaperExercise
from abviz.exercises.threads import ThreadExercise
from abviz.exercises.verdict import Verdict
from tests.solutions import checkers

STEPS = [
    name for name in EXERCISES if name.startswith("checkers-") and name != "checkers-alphabeta"
]
LINES, COLUMNS = 24, 100


class Mute(BaseException):
    """A bare BaseException whose own text fails."""

    def __str__(self):
        raise Mute

    __repr__ = __str__


class Nameless(type):
    @property
    def __name__(cls):
        raise Mute

    def __repr__(cls):
        raise Mute


def failing(*methods):
    """Return an object whose methods of these names raise."""

    def fails(*_):
        raise Mute

    return type("Failing", (), dict.fromkeys(methods, fails))()


def holding(method, base):
    def fails(*_):
        raise Mute

    return type("Failing", (base,), {method: fails})()


class OtherClass:
    @property
    def __class__(self):
        raise Mute


class Endless(list):
    def __iter__(self):
        while True:
            yield 3


def in_itself():
    values = [1]
    values.append(values)
    return values


def nested(levels):
    value = 3
    for _ in range(levels):
        value = [value]
    return value


HORRORS = {
    "a huge number": 10**5000,
    "a number no float holds": -(10**400),
    "a huge fraction": Fraction(10**5000, 3),
    "nan": nan,
    "a Decimal": Decimal("NaN"),
    "a Fraction": Fraction(1, 3),
    "a complex number": 3j,
    "a numpy number": numpy.float32(0.5),
    "a numpy integer": numpy.int64(3),
    "a numpy truth": numpy.True_,
    "an array": numpy.arange(6).reshape(2, 3),
    "a huge text": "x" * 1_000_000,
    "a huge list": [0] * 100_000,
    "half a letter and controls": "\ud800\x1b[31m\n\u202e",
    "a generator": (3 for _ in range(3)),
    "a list in itself": in_itself(),
    "a deep list": nested(100_000),
    "a list almost too deep": nested(400),
    "an endless list": Endless([3]),
    "an unknown key": {"no": 1, 3: (4, None)},
    "without repr": failing("__repr__", "__str__"),
    "without eq": failing("__eq__", "__ne__", "__lt__", "__hash__", "__bool__"),
    "without float": failing(
        "__float__", "__index__", "__round__", "__len__", "__iter__", "__getitem__"
    ),
    "without class": OtherClass(),
    "without a name": Nameless("Hidden", (), {"__repr__": lambda self: 1 / 0})(),
    "a float of its own": holding("__float__", Fraction),
    "a list of its own": holding("__iter__", list),
    "a text of its own": holding("__repr__", str),
    "a dictionary of its own": holding("items", dict),
    "a type": int,
    "a pair of texts": ("3", "a1"),
}
ERRORS = {
    "mute": Mute(),
    "a bare exit": GeneratorExit("x" * 10_000),
    "a stop": StopIteration(3),
    "lines": ValueError("one\ntwo\n" * 1000),
    "an exit": SystemExit(0),
    "no memory": MemoryError(),
    "half a letter": KeyError("\ud800"),
    "a group": BaseExceptionGroup("several", [Mute()]),
}


@pytest.fixture(autouse=True)
def few_runs(monkeypatch):
    monkeypatch.setattr(searches, "SMALL_TREES", 12)
    monkeypatch.setattr(searches, "RANDOM_TREES", 2)
    monkeypatch.setattr(searches, "SAMPLE", 4)
    monkeypatch.setattr(FunctionExercise, "repeated", 2)
    monkeypatch.setattr(ThreadExercise, "repeated", 0)


def judged(name, answer):
    verdict = check(name, answer)
    assert isinstance(verdict, Verdict) and verdict.status in ("right", "wrong", "not written yet")
    text = str(verdict)
    assert "\n" not in text and text.isprintable()
    assert len(textwrap.wrap(text, COLUMNS)) <= LINES, text
    verdict._repr_mimebundle_()
    return verdict


def functions(outcome):
    """Return answers with that outcome at every node, and at inner nodes only."""

    def always(*_):
        return outcome()

    def at_inner_nodes(node, *_):
        return node.value if not node.children else outcome()

    return always, at_inner_nodes


def forms(exercise, value):
    """Return the value as an answer, and in each cell of a form."""
    yield value
    if isinstance(exercise, PaperExercise):
        namespace = {}
        exec(exercise.stub, namespace)
        form = namespace[exercise.name.replace("-", "_")]
        yield {
            key: dict.fromkeys(cell, value) if isinstance(cell, dict) else value
            for key, cell in form.items()
        }
    else:
        yield [3, [value, 2]]
        yield [[3, 5], [2, 9]], [value, "C"]


def game(method, outcome):
    return type(
        "MyCheckers", (checkers.MyCheckers,), {"__slots__": (), method: lambda *_: outcome()}
    )


def answers(exercise, outcome, value):
    """Return answers of the kind that the exercise expects."""
    if exercise.name in STEPS:
        yield from (
            game(method, outcome) for method in ("moves", "play", "over", "value", "evaluate")
        )
    elif isinstance(exercise, FunctionExercise):
        yield from functions(outcome)
        if exercise.name == "two-functions":
            yield functions(outcome)
    else:
        yield from forms(exercise, value)


def every(table):
    return pytest.mark.parametrize("horror", table)  # by name: pytest looks at values


ONE_OF_EACH_KIND = (
    "alphabeta",
    "aspiration",
    "order",
    "tree-values",
    "skipped-leaves",
    "no-cut",
    "split-root",
    "race",
    "open-lines",
    "checkers-men",
    "checkers-end",
    "checkers-alphabeta",
)
every_exercise = pytest.mark.parametrize(
    "exercise",
    [
        pytest.param(exercise, id=name, marks=[] if name in ONE_OF_EACH_KIND else pytest.mark.slow)
        for name, exercise in EXERCISES.items()
    ],
)


@every_exercise
@every(HORRORS)
def test_no_answer_makes_check_raise(exercise, horror):
    value = HORRORS[horror]
    judged(exercise.name, value)
    for answer in answers(exercise, lambda: value, value):
        judged(exercise.name, answer)


@every_exercise
@every(ERRORS)
def test_no_exception_of_an_answer_makes_check_raise(exercise, horror):
    value = ERRORS[horror]

    def fails():
        raise value

    for answer in answers(exercise, fails, value):
        judged(exercise.name, answer)


@every(HORRORS)
def test_no_argument_of_a_search_that_is_handed_out_makes_check_raise(horror):
    value = HORRORS[horror]
    judged("aspiration", lambda root, search, guess, delta: search(root, value, guess + delta))
    judged("aspiration", lambda root, search, guess, delta: search(value, guess - delta, value))
    judged("deepening", lambda root, search, depth: [search(root, value, [])])
    judged("deepening", lambda root, search, depth: [search(root, 1, [value])])
    for name in ("split-root", "share-alpha"):
        judged(name, lambda root, search, *_: search(value, value, value))


@pytest.mark.parametrize("name", ["minimax", "alphabeta", "best-move"])
def test_an_answer_that_writes_into_nodes_is_shown_a_variable(name):
    def value(node, *_):
        node.value = 3

    def new(node, *_):
        node.alpha = 3

    for answer in (value, new):
        assert "it assigns to a node (line " in check(name, answer).message
        assert "nodes can't be changed, so use a variable." in check(name, answer).message
        assert record(answer, Tree([1, 2])).problem.startswith("it assigns to a node")

    read = check(name, lambda node, *_: node.alpha).message
    assert "'Node' object has no attribute 'alpha'" in read and "changed" not in read


def test_what_is_said_of_horrors():
    words = {
        "a huge number": "a whole number of about 5,000 digits",
        "nan": "nan",
        "a Decimal": "Decimal('NaN')",
        "without repr": "Failing",
        "without a name": "Hidden",
        "a list in itself": "[1, [1, [...]]]",
    }
    for name, expected in words.items():
        assert expected in brief(HORRORS[name])
        assert (
            f"it returns {brief(HORRORS[name])}; expected "
            in check("minimax", lambda _, n=name: HORRORS[n]).message
        )
    assert one_line(Mute()) == "Mute" and failure(Mute()) == "it raised Mute"


def test_a_number_of_another_kind_is_a_number():
    def minimax(node):
        if node.is_leaf:
            return Fraction(node.value)
        return numpy.float64((max if node.is_max else min)(map(minimax, node.children)))

    assert check("minimax", minimax)


def test_a_person_s_stop_goes_through():
    def stops(*_):
        raise KeyboardInterrupt

    for name in ("minimax", "split-root", "open-lines"):
        with pytest.raises(KeyboardInterrupt):
            check(name, stops)


def test_an_answer_that_closes_the_output_or_prints_without_end(capsys):
    def closes(node):
        print("once")
        sys.stdout.close()
        sys.stderr.close()
        return 0

    assert "printed lines held back" in check("minimax", closes).message
    print("still open")
    assert capsys.readouterr().out == "still open\n"
