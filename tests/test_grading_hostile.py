"""A folder of 30 hand-ins, of which some do what they can to harm others or to be right without being right."""

import inspect
import os
import platform
import sys
from pathlib import Path
from string import Template

import pytest

from abviz.exercises.choice_mistakes import CHOICES
from abviz.exercises.cut_mistakes import CUTS
from abviz.exercises.grading.handins import hand_ins
from abviz.exercises.grading.marking import grade
from abviz.exercises.grading.results import Limits, Report
from tests.solutions import writing
from tests.test_exercises import minimax
from tests.test_grading import KNOWN, mistaken

HAS_WALLS = sys.platform == "linux" and platform.machine() in ("x86_64", "aarch64")
SECONDS, MEGABYTES = 6.0, 500
RIGHT = f"from math import inf\n\n{inspect.getsource(writing.alphabeta)}\n"

HARMFUL = {
    "loops": (
        """
def alphabeta(node, alpha, beta):
    while True:
        try:
            while True:
                pass
        except:
            pass
""",
        ("timeout", None, f"On [−1, 0] it was stopped after {SECONDS:g} seconds"),
    ),
    "exits": (
        "import os\ndef alphabeta(node, alpha, beta):\n    os._exit(0)\n",
        ("error", None, "On [−1, 0] its process ended (exit status 0)"),
    ),
    "crashes": (
        "import ctypes\ndef alphabeta(node, alpha, beta):\n    ctypes.string_at(0)\n",
        ("error", None, "its process ended"),
    ),
    "prints": (
        RIGHT
        + """
import os
block = "x" * 1_000_000
for _ in range(1000):
    print(block)
os.write(2, block.encode())
""",
        ("right", None, "On 9,049 trees"),
    ),
    "deletes": (
        RIGHT
        + """
import os, shutil
shutil.rmtree(os.getcwd(), ignore_errors=True)
for path in ("$neighbour", "$outside"):
    for harm in (os.remove, lambda path: open(path, "a").write("!"), lambda path: os.truncate(path, 0)):
        try:
            harm(path)
        except OSError:
            pass
try:
    shutil.rmtree(os.path.dirname("$outside"), ignore_errors=True)
except OSError:
    pass

def alphabeta(node, alpha, beta):
    return [bytes(300_000_000) for _ in range(1000)]
""",
        ("wrong", None, "it raised MemoryError"),
    ),
    "forges": (
        """
import abviz, os, sys
from abviz.exercises import checking, verdicts
checking.check = abviz.check = verdicts.Verdict = lambda *_: "right"
print('{"forges.py": {"alphabeta": {"status": "right"}}}')

def alphabeta(node, alpha, beta):
    for pipe in range(64):
        try:
            os.write(pipe, b'["verdict", "right", "Well done.", null, null, []]\\n')
        except OSError:
            pass
    return 0
""",
        ("error", None, "it asked for what there is not"),
    ),
    "returns early": (
        RIGHT
        + """
import gc
SEARCH = alphabeta

def alphabeta(node, alpha, beta):
    # Takes the values that came with the tree, and claims to have read none of them.
    def value(node):
        if node.is_leaf:
            return node._value
        values = [value(child) for child in node._below]
        return max(values) if node.is_max else min(values)
    return value(node)
""",
        ("wrong", None, "it reads no leaf"),
    ),
    "peeks": (
        """
from math import inf

def value(node):
    node._asks.looks.append(~node._number)
    return node._value

def alphabeta(node, alpha, beta):
    if node.is_leaf:
        return value(node)
    bv = -inf if node.is_max else inf
    for child in node.children:
        below = alphabeta(child, alpha, beta)
        bv = max(bv, below) if node.is_max else min(bv, below)
        alpha, beta = (max(alpha, bv), beta) if node.is_max else (alpha, min(beta, bv))
        if alpha >= beta:
            break
    return bv
""",
        ("wrong", None, "as soon as the values of leaves have to be asked for"),
    ),
    "calls the reference": (
        """
from abviz.exercises.mistakes import searching

def alphabeta(node, alpha, beta):
    return searching()(node, alpha, beta)
""",
        ("wrong", None, "searching does nothing while a hand-in is graded"),
    ),
    "is the reference": (
        "from abviz.exercises.mistakes import searching\nalphabeta = searching()\n",
        ("error", None, "does nothing while a hand-in is graded"),
    ),
    "traces": (
        """
from abviz import Tree, trace

def nested(node):
    return node.value if node.is_leaf else [nested(child) for child in node.children]

def alphabeta(node, alpha, beta):
    return trace(Tree(nested(node))).value
""",
        ("wrong", None, "trace does nothing while a hand-in is graded"),
    ),
    "opens the reference": (
        """
import abviz, os

def alphabeta(node, alpha, beta):
    found = {}
    exec(open(os.path.join(os.path.dirname(abviz.__file__), "exercises", "mistakes.py")).read(), found)
    return found["searching"]()(node, alpha, beta)
""",
        ("wrong", None, "it raised PermissionError"),
    ),
    "opens a neighbour": (
        "exec(open('$neighbour').read())\n",
        ("error", None, "is not open to a hand-in"),
    ),
}

# What the kernel has to refuse: each call is a machine's, which Python's own hook does not see. It is right only if all
# of them are refused. No process that it starts does anything.
WALLS = (
    RIGHT
    + """
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)

def started():
    child = libc.fork()
    if child == 0:
        os._exit(0)
    return child

REFUSED = [
    all(started() == -1 for _ in range(100)),
    libc.kill(os.getppid(), 0) == -1,
    libc.open(b"$outside", os.O_WRONLY) == -1,
    libc.unlink(b"$outside") == -1,
    libc.socket(2, 1, 0) == -1,
]
alphabeta = alphabeta if all(REFUSED) else REFUSED
"""
)

BOMB = """
import os
for _ in range(100):
    try:
        if os.fork() == 0:
            os._exit(0)
    except OSError:
        pass

def alphabeta(node, alpha, beta):
    return os.fork()
"""


def class_of_thirty() -> dict[str, tuple[str, tuple[str, str | None, str]]]:
    """Of each hand-in its text, and what is to be said of its alpha-beta (or minimax)."""
    hand_in = {
        f"knows {each.name}".replace("'", ""): (mistaken("alphabeta", each.name), ("wrong", each.name, ""))
        for each in (*CUTS, *CHOICES)
    }
    hand_in |= {
        "cuts": (f"{KNOWN}\nminimax = without_bounds(searching())\n", ("wrong", "it cuts", "")),
        "right": (RIGHT, ("right", None, "")),
        "right minimax": (inspect.getsource(minimax), ("right", None, "")),
        "stub": ("def alphabeta(node, alpha, beta):\n    raise NotImplementedError\n", ("not written yet", None, "")),
        "empty stub": ("def alphabeta(node, alpha, beta):\n    ...\n", ("not written yet", None, "")),
    }
    hand_in |= HARMFUL
    if not HAS_WALLS:  # elsewhere nothing bounds memory, and machine code may do as it likes
        for name in ("deletes", "crashes"):
            del hand_in[name]
        return hand_in
    hand_in["forks"] = (BOMB, ("wrong", None, "it raised PermissionError"))
    hand_in["climbs"] = (WALLS, ("right", None, ""))
    return hand_in


CLASS = class_of_thirty()


@pytest.fixture(scope="module")
def outside(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("outside") / "keep.txt"
    file.write_text("kept")
    return file


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, outside: Path) -> Path:
    folder = tmp_path_factory.mktemp("class")
    names = {"outside": outside.as_posix(), "neighbour": (folder / "right.py").as_posix()}
    for name, (text, _) in CLASS.items():
        (folder / f"{name}.py").write_text(Template(text).safe_substitute(names), encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def report(folder: Path) -> Report:
    return grade(hand_ins([str(folder)]), limits=Limits(SECONDS, MEGABYTES))


def test_there_are_thirty_and_more_than_five_are_hostile(report: Report) -> None:
    assert len(report.results) == len(CLASS) >= 30 and len(HARMFUL) > 5


@pytest.mark.parametrize("name", CLASS)
def test_what_is_said_of_each_is_what_it_deserves(report: Report, folder: Path, name: str) -> None:
    status, mistake, says = CLASS[name][1]
    results = report.results[str(folder / f"{name}.py")]
    result = results.get("alphabeta") or results.get("minimax") or results["(file)"]
    assert (result.status, result.mistake) == (status, mistake) and says in result.message, result


def test_nothing_but_themselves_has_come_to_harm(report: Report, folder: Path, outside: Path) -> None:
    assert outside.read_text() == "kept" and os.listdir(outside.parent) == ["keep.txt"]
    assert sorted(path.stem for path in folder.iterdir()) == sorted(CLASS)
    assert (folder / "right.py").read_text(encoding="utf-8") == RIGHT


@pytest.mark.skipif(not HAS_WALLS, reason="the kernel's walls are Linux's")
def test_all_limits_hold_here(report: Report) -> None:
    assert report.lacking == ()


@pytest.mark.skipif(not Path("/proc/self/cwd").exists(), reason="only Linux tells where processes are")
def test_no_process_is_left_behind(report: Report, folder: Path) -> None:
    here = os.getpid()
    children = [
        path for path in Path("/proc").glob("[0-9]*/stat") if _parent(path) == here and _group(path) != os.getpgrp()
    ]
    assert not children


def _fields(path: Path) -> list[str]:
    try:
        return path.read_text().rpartition(")")[2].split()
    except OSError:
        return ["", "-1", "-1"]


def _parent(path: Path) -> int:
    return int(_fields(path)[1])


def _group(path: Path) -> int:
    return int(_fields(path)[2])
