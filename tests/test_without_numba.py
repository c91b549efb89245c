"""Where numba is not installed, or no thread can be started, the engine answers as it does compiled."""

import json
import random
import subprocess
import sys
from typing import Any

import pytest

from abviz import Abalone, Checkers, TicTacToe, perft, search
from abviz.engine.workspace import ENTRY_BYTES, SAME_VALUE
from abviz.games.rules import generated_moves
from tests.seeds import seeded

# What a browser has not: any import of these fails there, and so does starting a thread
PREPARE = """
import json, sys, threading

for name in ("numba", "numpy", "llvmlite"):
    sys.modules[name] = None

def refuse(thread):
    raise RuntimeError("can't start new thread")

threading.Thread.start = refuse
"""

ASK = (
    PREPARE
    + """
from tests.test_without_numba import answers
print(json.dumps(answers(json.loads(sys.argv[1]))))
"""
)

GAMES = {"tic-tac-toe": TicTacToe, "checkers": Checkers, "abalone": Abalone}


def questions() -> list[dict[str, Any]]:
    """Positions that random moves reach, each with a search's options."""
    dice = seeded(7)
    asked: list[dict[str, Any]] = [
        {"game": "tic-tac-toe", "moves": [], "depth": 9, "options": {}},
        {"game": "checkers", "moves": [], "depth": 7, "options": {}},
        {"game": "checkers", "moves": [], "depth": 9, "options": {"nodes": 3000}},
    ]
    for number in range(24):
        game = dice.choice(list(GAMES))
        depth = {"tic-tac-toe": 5, "checkers": 4, "abalone": 2}[game]
        options: dict[str, Any] = {name: dice.random() < 0.5 for name in SAME_VALUE}
        if number % 4 == 0:
            options |= {"reductions": True, "beam": 3, "megabytes": 0.01}
        if number % 4 == 1:
            options = {"method": dice.choice(["minimax", "alphabeta"])}
        asked.append(
            {"game": game, "moves": random_line(game, dice), "depth": depth, "options": options}
        )
    return asked


def random_line(game: str, dice: random.Random) -> list[int]:
    line: list[int] = []
    position = GAMES[game].start()
    for _ in range(dice.randrange(5)):
        moves = generated_moves(position)
        line.append(dice.choice(moves))
        position = position.play(line[-1])
    return line


def answers(questions: list[dict[str, Any]]) -> list[Any]:
    found: list[Any] = []
    for each in questions:
        position = GAMES[each["game"]].start()
        for move in each["moves"]:
            position = position.play(move)

        result = search(position, each["depth"], **each["options"])
        record = result.to_dict()
        del record["seconds"], record["nodes_per_second"]
        found.append([record, perft(position, 2)])
    return found


def run(code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, timeout=600
    )


def test_moves_values_lines_and_counts_are_those_of_compiled_code() -> None:
    asked = questions()
    ended = run(ASK, json.dumps(asked))
    assert ended.returncode == 0, ended.stderr
    expected = json.loads(json.dumps(answers(asked)))
    for question, ours, compiled in zip(asked, json.loads(ended.stdout), expected, strict=True):
        assert ours == compiled, question


def test_a_table_has_as_many_entries_as_a_compiled_one() -> None:
    from abviz.engine.arrays import ENTRY  # not above: `answers` also runs where numpy is missing

    assert ENTRY.itemsize == ENTRY_BYTES


@pytest.mark.parametrize("starts_threads", [True, False])
def test_a_limit_of_seconds_ends_the_search(starts_threads: bool) -> None:
    code = PREPARE.replace("threading.Thread.start = refuse", "") if starts_threads else PREPARE
    code += """
from abviz import Checkers, search
result = search(Checkers(), 60, seconds=0.5)
print(json.dumps([result.move, result.depth, result.finished]))
"""
    ended = run(code)
    assert ended.returncode == 0, ended.stderr
    move, depth, finished = json.loads(ended.stdout)
    assert move and 1 <= depth < 60 and not finished


def test_an_interrupt_ends_the_search_in_one_line() -> None:
    code = (
        PREPARE
        + """
import _thread
from abviz import Checkers
from abviz.engine import Search
from abviz.engine.interpreted import PlainWork
from abviz.errors import Stopped

class Interrupted(PlainWork):
    @property
    def limit(self):
        if self.nodes == 500:
            _thread.interrupt_main()
        return 1 << 60

    @limit.setter
    def limit(self, limit):
        pass

search = Search(Checkers(), 40)
search.work = Interrupted()
search.work.last = 255
try:
    search.result()
except Stopped as stopped:
    print(type(stopped).__name__, search.done)
"""
    )
    ended = run(code)
    assert ended.stdout.split() == ["Stopped", "True"], ended.stderr


def test_workers_on_threads_say_what_they_need() -> None:
    code = """
import sys
from importlib import util
find = util.find_spec
util.find_spec = lambda name, package=None: None if name == "numba" else find(name, package)
from abviz import Checkers
from abviz.parallel import parallel_search
try:
    parallel_search(Checkers(), 3)
except Exception as problem:
    print(problem)
"""
    ended = run(code)
    assert "numba is not installed" in ended.stdout, ended.stderr
