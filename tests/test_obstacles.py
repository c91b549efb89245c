"""What the engine cannot do with a student's rules: named with its line, and only where numba
refuses it too.
"""

import re
import sys
from itertools import count
from textwrap import indent
from types import ModuleType
from typing import Any

import pytest

from abviz import AbvizError, Checkers, TicTacToe, check, search
from abviz.engine.compiler import problem_of
from abviz.games import GAMES
from abviz.games.obstacles import obstacle
from tests.solutions.checkers import MyCheckers

HEAD = """
from contextlib import nullcontext
from typing import NamedTuple

from abviz.games import game
from abviz.games.rules import popcount

NUMBERS, TABLE, COUNT, GUARD, ROWS = [1, 2], {1: 2}, 0, nullcontext(), (1, 2, 3)


def walk(n):
    return 0 if n == 0 else walk(n - 1)


def ping(n):
    return 0 if n == 0 else pong(n - 1)


def pong(n):
    return 0 if n == 0 else ping(n - 1)


@game
class Probe(NamedTuple):
    left: int
    turn: int

    def is_max(self):
        return self.turn == 0

    def over(self):
        return self.left == 0

    def value(self):
        return 1

    def moves(self, legal):
        self.add(legal, 1)

    def add(self, legal, move):
        legal.add(move)

    def play(self, move):
        return Probe(self.left - 1, 1 - self.turn)

    def steps(self, n):
        return 0 if n == 0 else self.steps(n - 1)

    def there(self, n):
        return 0 if n == 0 else self.back(n - 1)

    def back(self, n):
        return self.there(n)

    @property
    def half(self):
        return self.left // 2

    def count(self, legal):
        self.moves(legal)
        return legal.size()

    def evaluate(self):
BODY
"""

LOOP, POPCOUNT = "the engine needs a loop", "the engine needs popcount of abviz.games.rules"
REFUSED = [  # an evaluation, what is said of it, and a part of the line that is named
    ("return self.steps(3)", f"steps calls itself; {LOOP}", "self.steps(n - 1)"),
    ("return self.there(3)", f"there calls itself through back; {LOOP}", "self.back(n - 1)"),
    ("return Probe(0, 0).evaluate()", f"evaluate calls itself; {LOOP}", "Probe(0, 0).evaluate()"),
    ("return walk(3)", f"walk calls itself; {LOOP}", "walk(n - 1)"),
    ("return ping(3)", f"ping calls itself through pong; {LOOP}", "pong(n - 1)"),
    (
        "def inner(n):\n    return 0 if n == 0 else inner(n - 1)\nreturn inner(3)",
        f"evaluate has a function inside, inner, that calls itself; {LOOP}",
        "inner(n - 1)",
    ),
    ("return sum(i for i in range(3))", f"evaluate has a generator expression; {LOOP}", "sum("),
    ("return 1 if any([self.left == 1]) else 0", f"evaluate calls any; {LOOP}", "any("),
    (
        "t = 0\nfor i in reversed(ROWS):\n    t += i\nreturn t",
        f"evaluate calls reversed; {LOOP}",
        "reversed(",
    ),
    ("return self.left.bit_count()", f"evaluate calls bit_count; {POPCOUNT}", "bit_count"),
    ("return bin(self.left).count('1')", f"evaluate calls bin; {POPCOUNT}, to count bits", "bin("),
    (
        "import math\nreturn math.floor(1.5)",
        "evaluate imports a module; the engine needs the import outside the class",
        "import math",
    ),
    (
        "global COUNT\nCOUNT = 1\nreturn COUNT",
        "evaluate assigns a global variable; the engine needs a variable of the rule, or a field of the position",
        "COUNT = 1",
    ),
    (
        "return NUMBERS[0]",
        "evaluate uses NUMBERS, a list outside the rules; the engine needs a tuple",
        "NUMBERS[0]",
    ),
    (
        "NUMBERS.append(1)",
        "evaluate uses NUMBERS, a list outside the rules; the engine needs a tuple",
        "append",
    ),
    (
        "return TABLE[1]",
        "evaluate uses TABLE, a dict outside the rules; the engine needs a tuple",
        "TABLE[1]",
    ),
    (
        "return self._replace(left=1).left",
        "evaluate calls _replace; the engine needs the class, called with all its fields",
        "_replace",
    ),
    (
        "return self.half",
        "evaluate uses half; the engine needs fields, methods with self, and numbers outside the class",
        "self.half",
    ),
]
ALLOWED = [
    "return 1",
    "found = []\nfound.append(1)\nreturn found[0]",
    "return len([i for i in range(3)])",
    "try:\n    return 1\nexcept Exception:\n    return 2",
    "double = lambda x: 2 * x\nreturn double(1)",
    "return ROWS[self.turn] + popcount(self.left)",
    "return len('ab') + len({1, 2})",
    "return int(self.left / 2)",
    "return self.left if self.turn in ROWS else ROWS[1:][0]",
    "raise NotImplementedError('not written yet')",
]
numbers = count()


def probe(body: str) -> Any:
    """Return the game with this evaluation, as a file of a student would define it."""
    module = ModuleType(f"probe_{next(numbers)}")
    sys.modules[module.__name__] = module
    exec(source(body), module.__dict__)
    return module.Probe


def source(body: str) -> str:
    return HEAD.replace("BODY", indent(body, " " * 8))


@pytest.mark.parametrize(("body", "message", "part"), REFUSED)
def test_what_the_engine_cannot_do_is_named_and_numba_refuses_it(
    body: str, message: str, part: str
) -> None:
    cls = probe(body)
    found, _, line = obstacle(cls, ["evaluate"]).removesuffix(")").partition(" (line ")
    assert found == message and part in source(body).split("\n")[int(line) - 1]
    assert obstacle(cls) == f"{found} (line {line})"
    assert obstacle(cls, ["moves", "play", "over", "count"]) == ""
    assert problem_of(cls(1, 0), ["evaluate"])
    with pytest.raises(AbvizError) as raised:
        search(cls(3, 0), 2)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("body", ALLOWED)
def test_what_numba_compiles_is_no_obstacle(body: str) -> None:
    cls = probe(body)
    assert obstacle(cls) == "" and problem_of(cls(1, 0), ["evaluate", "moves", "play"]) == ""


def test_the_games_have_no_obstacle() -> None:
    assert [obstacle(cls) for cls in (*GAMES.values(), Checkers, TicTacToe, MyCheckers)] == [""] * (
        len(GAMES) + 3
    )


def test_what_else_numba_refuses_is_one_line() -> None:
    cls = probe("found = ()\nfor i in range(3):\n    found = found + (i,)\nreturn len(found)")
    problem = problem_of(cls(1, 0), ["evaluate"])
    assert (
        obstacle(cls) == ""
        and re.match(r"evaluate of Probe does not .* \(line 6\d\)$", problem)
        and "\n" not in problem
    )


def test_other_objects_are_no_games() -> None:
    assert check("checkers-men", 7).message.endswith("expected a class under @checkers_game.")
