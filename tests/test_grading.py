"""`abviz check`: each hand-in is run in a process of its own, and one bad function or cell costs
only itself.
"""

import csv
import json
import os
import re
import signal
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from abviz import Tree
from abviz.cli import main
from abviz.exercises import EXERCISES, searches, supervisor, trial_trees
from abviz.exercises.grading import (
    CONTAINER,
    HandIn,
    Report,
    as_csv,
    as_json,
    as_junit,
    as_text,
    collect,
    grade,
)
from abviz.exercises.sandbox import landlock_version
from abviz.exercises.worker import NOT_AVAILABLE, Unavailable, as_data

SOLUTIONS = Path(__file__).parent / "solutions"
MINIMAX = """
def minimax(node):
    if node.is_leaf:
        return node.value
    values = [minimax(child) for child in node.children]
    return max(values) if node.is_max else min(values)
"""
ALPHABETA = """
def alphabeta(node, alpha, beta):
    if node.is_leaf:
        return node.value
    bv = float("-inf") if node.is_max else float("inf")
    for child in node.children:
        value = alphabeta(child, alpha, beta)
        if node.is_max:
            bv = max(bv, value)
            alpha = max(alpha, bv)
        else:
            bv = min(bv, value)
            beta = min(beta, bv)
        if alpha >= beta:
            break
    return bv
"""
STRICT = ALPHABETA.replace("alpha >= beta", "alpha > beta")
HANGS = "def {}(*_):\n    __import__('time').sleep(999)\n"


@pytest.fixture(autouse=True)
def few_trees(monkeypatch):
    monkeypatch.setattr(searches, "SMALL_TREES", 150)
    monkeypatch.setattr(searches, "RANDOM_TREES", 30)


def notebook(*cells):
    code = [{"cell_type": "code", "source": cell, "outputs": [], "metadata": {}} for cell in cells]
    return json.dumps({"cells": code, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


def write(folder, files):
    for name, text in files.items():
        (folder / name).parent.mkdir(exist_ok=True, parents=True)
        (folder / name).write_bytes(text if isinstance(text, bytes) else text.encode())


def grade_folder(folder, files, seconds=60.0, **options):
    """Return the report, and by file its rows and its notes."""
    write(folder, files)
    hand_ins, not_read = collect([str(folder)])
    report = grade(hand_ins, seconds=seconds, jobs=2, **options)
    report.not_read = not_read
    names = {Path(label).relative_to(folder).as_posix(): label for label in report.hand_ins}
    tables = report.hand_ins, report.notes
    return report, *({name: table[label] for name, label in names.items()} for table in tables)


def graded(folder, text, name="hand_in.py", **options):
    """Return the rows of a hand-in and its notes."""
    _, rows, notes = grade_folder(folder, {name: text}, **options)
    return rows[name], notes[name]


# one bad function or cell costs only itself

ANSWERS = {
    "minimax": (MINIMAX, "right", "On "),
    "two-functions": ("two_functions = None", "not written yet", ""),
    "alphabeta": (
        "def alphabeta(node, *window):\n    node.value = 3",
        "wrong",
        "nodes can't be changed, so use a variable",
    ),
    "negamax": ("def negamax(*_):\n    raise SystemExit", "wrong", "SystemExit"),
    "best-move": (
        "def best_move(node):\n    raise KeyboardInterrupt",
        "wrong",
        "its process ended",
    ),
    "best-line": ("def best_line(node):\n    return [0] * 10**10", "wrong", "MemoryError"),
    "aspiration": (
        "def aspiration(*_):\n    return aspiration(*_)",
        "wrong",
        "it called itself without end",
    ),
    "fail-hard": (
        "import os\ndef fail_hard(*_):\n    os._exit(3)",
        "wrong",
        "its process ended (exit status 3)",
    ),
    "deepening": (
        "def deepening(*_):\n    raise NotImplementedError\ndeepening(3)",
        "not written yet",
        "",
    ),
    "best-order": (
        "import ctypes\ndef best_order(*_):\n    ctypes.string_at(0)",
        "wrong",
        "process ended (exit status -11)",
    ),
    "race": ("from nobody import race", "error", "No module named 'nobody'"),
    "split-root": ("1 / 0\n", "not written yet", "Nothing of its own is named split_root."),
}


def test_each_answer_has_its_own_verdict(tmp_path):
    text = "import sys\nsys.exit()\n" + "\n".join(code for code, _, _ in ANSWERS.values())
    rows, _ = graded(tmp_path, text, exercises=ANSWERS)
    for name, (_, status, message) in ANSWERS.items():
        assert rows[name]["status"] == status and message in rows[name]["message"], rows[name]


def test_the_last_answer_counts_also_where_another_was_checked(tmp_path):
    stub = "def minimax(node):\n    raise NotImplementedError"
    check = "from abviz import check\ncheck('minimax', minimax)"
    other = MINIMAX.replace("minimax", "mine"), "minimax = 3", check.replace(" minimax", " mine")
    files = {"fixed.ipynb": notebook(stub, check, MINIMAX), "kept.ipynb": notebook(*other)}
    _, by_name, _ = grade_folder(tmp_path, files, exercises=["minimax"])
    assert [by_name[name]["minimax"]["status"] for name in files] == ["right", "right"]


def test_an_answer_under_an_earlier_name_of_its_exercise_counts(tmp_path):
    early = MINIMAX.replace("minimax", "mend_minimax")
    checked = "from abviz import check\ncheck('mend-minimax', mine)"
    files = {
        "named.py": early,
        "both.py": f"mend_minimax = 3\n{MINIMAX.replace('minimax', 'fix_minimax')}",
        "checked.ipynb": notebook(MINIMAX.replace("minimax", "mine"), checked),
    }
    _, rows, _ = grade_folder(tmp_path, files, exercises=["mend-minimax"])
    for name in files:
        assert rows[name]["fix-minimax"]["status"] == "right", name


def test_searches_of_abviz_earn_nothing(tmp_path):
    """However they are called, and wherever the student says so."""
    text = """
from abviz import *
from abviz import minimax as ready
def minimax(node):
    return ready(Tree([1, 2]))
def nested(node):
    return [nested(child) for child in node.children] or node.value
def alphabeta(node, *window):
    return trace(Tree(nested(node), to_move="max" if node.is_max else "min")).value
def negamax(node, *window):
    try:
        return search(node, 9).value
    except Exception:
        return node.value
from abviz.exercises.searches import Search
def fail_hard(node, *window):
    return Search(node).build()(node)
best_line = draw
"""
    rows, _ = graded(tmp_path, text)
    assert not any(row["points"] for row in rows.values())
    used = {
        "minimax": "a search of abviz",
        "alphabeta": "a search of abviz",
        "negamax": "abviz.engine.search",
    }
    for name, search in (used | {"fail-hard": "abviz.exercises.searches.Search"}).items():
        assert f"it uses {search}; expected a search of its own" in rows[name]["message"]
    assert "best-line" not in rows  # a name from abviz is no answer


BORROWS = """
import functools, threading, types
from abviz.exercises import observation
from abviz.exercises.observation import fail_soft as ready
from abviz.tracing import algorithms

def search_of(alphabeta, node, alpha, beta):
    game = types.SimpleNamespace(
        root=node,
        children=lambda node: node.children,
        value=lambda node: node.value,
        is_max=lambda node: node.is_max,
    )
    return list(alphabeta(game, node, alpha, beta))[-1].value

def with_own_globals(function):
    own = types.FunctionType(function.__code__, dict(vars(algorithms)) | dict(vars(observation)))
    own.__kwdefaults__, own.__defaults__ = function.__kwdefaults__, function.__defaults__
    own.__module__ = __name__
    return own
"""
BORROWED = {
    "called": "def alphabeta(*window): return search_of(algorithms.alphabeta, *window)",
    "partial": "alphabeta = functools.partial(search_of, algorithms.alphabeta)",
    "partial_of_ready": "alphabeta = functools.partial(ready)",
    "ready": "alphabeta = lambda node, alpha, beta: ready(node, alpha, beta)",
    "own_globals": "alphabeta = functools.partial(search_of, with_own_globals(algorithms.alphabeta))",
    "ready_with_own_globals": "alphabeta = with_own_globals(ready)",
    "below_the_root": ALPHABETA.replace("= alphabeta(", "= ready("),
    "in_a_thread": """
def alphabeta(*window):
    found = []
    thread = threading.Thread(target=lambda: found.append(ready(*window)))
    thread.start()
    thread.join()
    return found[0]
""",
}


def test_a_search_of_abviz_under_a_new_name_is_named_and_earns_nothing(tmp_path):
    files = {f"{name}.py": BORROWS + text for name, text in BORROWED.items()}
    _, by_name, _ = grade_folder(tmp_path, files)
    for name, rows in by_name.items():
        row = rows["alphabeta"]
        assert (row["status"], row["points"]) == ("wrong", 0), (name, row)
        assert "it uses a search of abviz" in row["message"], (name, row)
        assert "; expected a search of its own" in row["message"], (name, row)


def test_what_an_exercise_hands_out_and_the_rules_may_be_used(tmp_path):
    rules = "from abviz import Rules\n" + ALPHABETA.replace(
        "alpha >= beta", "Rules().reaches(alpha, beta, True)"
    )
    solutions = (SOLUTIONS / "writing.py").read_text()
    names = ["aspiration", "deepening", "alphabeta"]
    rows, _ = graded(tmp_path, f"{solutions}\n{rules}", exercises=names)
    solutions = (SOLUTIONS / "threads.py").read_text()
    in_threads = ["split-root", "share-alpha", "layer1"]
    rows |= graded(tmp_path, solutions, "threads.py", exercises=in_threads)[0]
    right = dict.fromkeys([*names, *in_threads], ("right", 1))
    assert {name: (row["status"], row["points"]) for name, row in rows.items()} == right


def test_a_notebook_runs_as_it_does_for_its_student(tmp_path):
    """Except for the engine and threads, which would take long: a cell that needs their results is
    named.
    """
    cells = [
        "%matplotlib inline\nfiles = !ls\nfiles[:1]\n!echo it's",
        "load?\n?load\n!pip install \\\n    abviz",
        "from abviz import *\nfrom abviz.parallel import simulate\ndisplay(draw(Tree([1, 2])), Checkers.start())",
        "Stepper(trace(load('figure-4.24')), predict=True)",
        "run = search(Checkers.start(), 12)\nprint(f'{run.nodes:,} nodes')",
        "check('checkers-end', None)\npredict.reveal('many', run.nodes + 1)",
        "from abviz.play import Player\nBoard(Checkers.start(), players=('you', Player(depth=2)))",
        "predict('How many?', name='many', between=(0, 9))",
        f"%%time\n{MINIMAX.replace('(node)', '(node: Whatever)', 1)}",
        f"{ALPHABETA.replace('alphabeta', 'mine')}\ncheck('alphabeta', mine)",
    ]
    rows, notes = graded(tmp_path, notebook(*cells), "hand_in.ipynb")
    points = {name: row["points"] for name, row in rows.items()}
    assert points == {"minimax": 1, "alphabeta": 1, "checkers-end": 0}
    # Although its cell fails after `check`
    assert rows["checkers-end"]["status"] == "not written yet"
    assert [note[:8] for note in notes] == ["cell 5 (", "cell 6 ("]
    assert "; abviz.engine.search is not available while a hand-in is graded" in notes[0]


@pytest.mark.slow
def test_solutions_are_right():
    """Also in Python files of several answers, with helpers of their own."""
    report = grade(collect([str(SOLUTIONS)])[0], seconds=60.0, jobs=2)
    statuses = {
        name: row["status"] for rows in report.hand_ins.values() for name, row in rows.items()
    }
    # The solution of predict-speed-up is computed; a class is an answer to the exercises that
    # check(NAME, cls) names.
    names = {name for name in EXERCISES if not name.startswith("checkers-")} - {"predict-speed-up"}
    names.add("checkers-alphabeta")
    assert statuses == dict.fromkeys(names, "right")


def test_cells_and_functions_that_fail_or_do_not_end_cost_only_themselves(tmp_path, monkeypatch):
    # Which take much less than the limit, on any machine
    monkeypatch.setattr(searches, "SMALL_TREES", 100)
    monkeypatch.setattr(searches, "RANDOM_TREES", 10)
    late = ("alphabeta", "negamax")
    cells = ["while True: pass", "def best_move(node)\n    return 3", MINIMAX, "x = undefined"]
    cells += [*map(HANGS.format, late), ALPHABETA.replace("alphabeta", "two_functions") + "1 / 0"]
    cells += ["def best_line(*_):\n    __import__('os')._exit(3)"]
    rows, notes = graded(tmp_path, notebook(*cells), "hand_in.ipynb", seconds=1.5)
    for name in late:
        row = rows[name]
        assert row["status"] == "wrong" and row["tree"] is not None
        assert (
            row["message"].startswith("On ")
            and "it was stopped after 1.5 seconds" in row["message"]
        )
    assert rows["minimax"]["status"] == "right"
    assert rows["two-functions"]["status"] == "right"  # it is defined before its cell fails
    assert "its process ended (exit status 3)" in rows["best-line"]["message"]
    assert "cell 2 (" in rows["best-move"]["message"]
    assert [note.partition(" was left out: ")[2].partition(":")[0] for note in notes] == [
        "it was stopped after 1.5 seconds", "SyntaxError", "NameError", "ZeroDivisionError",
    ]  # fmt: skip
    assert notes[0].startswith("cell 1 ('while True: pass')")


IMPORTS = "import pandas_of_another_machine as pd\nfrom google.colab import files\n"
EXPORTED = """
\"\"\"Untitled.ipynb

Automatically generated by Colab.
\"\"\"

!pip install abviz
# Commented out IPython magic to ensure Python compatibility.
# %matplotlib inline

files.upload()
listing = !ls
"""
COMMENTED_OUT = """
# Commented out IPython magic to ensure Python compatibility.
# %%time
"""


@pytest.mark.parametrize("name", ["hand_in.ipynb", "hand_in.py"])
def test_a_statement_that_fails_costs_only_itself(tmp_path, name):
    """In a notebook as in a Python file, also where it is a package that is not installed."""
    text = f"{IMPORTS}{MINIMAX}\n1 / 0\n{ALPHABETA}"
    rows, notes = graded(tmp_path, notebook(text) if name.endswith(".ipynb") else text, name)
    assert {name: row["points"] for name, row in rows.items()} == {"minimax": 1, "alphabeta": 1}
    assert [note.partition("(")[2].partition(")")[0] for note in notes] == [
        "'import pandas_of_another_machine as pd'",
        "'from google.colab import files'",
        "'1 / 0'",
    ]


def test_a_python_file_from_colab_is_read_as_its_notebook(tmp_path):
    """Also a cell that begins with a magic, which Colab comments out."""
    timed = "".join(f"# {line}\n" for line in ALPHABETA.splitlines())
    text = f"{IMPORTS}{EXPORTED}{MINIMAX}{COMMENTED_OUT}{timed}\n# a comment\n"
    rows, notes = graded(tmp_path, text)
    assert {name: row["points"] for name, row in rows.items()} == {"minimax": 1, "alphabeta": 1}
    assert [note.partition(" (")[0] for note in notes] == ["line 1", "line 2", "line 13"]


@pytest.mark.parametrize("name", ["alpha_beta", "alphaBeta", "AlphaBeta"])
def test_an_answer_with_nearly_the_right_name_is_graded_and_named(tmp_path, name):
    text = MINIMAX + ALPHABETA.replace("alphabeta", name)
    rows, notes = graded(tmp_path, text)
    assert {name: row["points"] for name, row in rows.items()} == {"minimax": 1, "alphabeta": 1}
    assert notes == [f"found {name}; the exercise asks for alphabeta. It is graded as alphabeta."]


def test_of_two_answers_with_nearly_the_right_name_none_is_graded(tmp_path):
    text = ALPHABETA.replace("alphabeta", "alpha_beta") + STRICT.replace("alphabeta", "alphaBeta")
    rows, _ = graded(tmp_path, text)
    assert rows["alphabeta"]["points"] == 0
    assert (
        "found alphaBeta and alpha_beta; the exercise asks for alphabeta"
        in rows["alphabeta"]["message"]
    )
    classes = "class Alpha_Beta: pass\nfrom abviz import alphabeta as Alphabeta\nimport math as mini_max\n"
    assert graded(tmp_path, classes, "other.py")[0] == {}


def test_the_right_name_comes_before_a_nearly_right_one(tmp_path):
    text = ALPHABETA + STRICT.replace("alphabeta", "alpha_beta")
    rows, notes = graded(tmp_path, text)
    assert (rows["alphabeta"]["points"], notes) == (1, [])


def test_the_tree_that_ends_the_process_is_named(tmp_path):
    text = ALPHABETA.replace(
        "    bv =", "    len(node.children) == 3 and __import__('os')._exit(3)\n    bv =", 1
    )
    verdict = graded(tmp_path, text)[0]["alphabeta"]["verdict"]
    small = next(
        tree for tree in trial_trees.small_trees() if any(len(n.children) == 3 for n in tree.nodes)
    )
    assert verdict.status == "wrong" and verdict.tree == small


UNREADABLE = {
    "rot13.py": (f"# -*- coding: rot13 -*-\n{MINIMAX}", "rot13"),
    "latin.py": ("# größer".encode("latin-1"), "encoding"),
    "syntax.py": ("def minimax(node)\n    return 3\n", "expected ':' (syntax.py, line 1)"),
    "json.ipynb": ("{", "Expecting property name"),
    "empty.ipynb": ("{}", "cannot be read as a notebook: KeyError: 'cells'"),
}


def test_a_file_that_cannot_be_read_is_named(tmp_path):
    _, by_name, _ = grade_folder(tmp_path, {name: text for name, (text, _) in UNREADABLE.items()})
    for name, (_, problem) in UNREADABLE.items():
        (row,) = by_name[name].values()
        assert (
            row["status"] == "error"
            and "cannot be read" in row["message"]
            and problem in row["message"]
        )


def test_a_built_in_name_that_a_cell_replaces_stays_what_it_was_for_grading(tmp_path):
    text = (
        "import builtins\nbuiltins.len = lambda x: 0\nbuiltins.isinstance = None\n"
        + "x = 1\n" * 300
    )
    rows, notes = graded(tmp_path, text + MINIMAX)
    assert (rows["minimax"]["points"], notes) == (1, [])
    (tmp_path / "own.py").write_text(f"{text}tree_values = len('four')\n")
    assert answers_of(tmp_path / "own.py") == ({"tree-values": 0}, [])


def test_statements_that_end_the_process_end_the_hand_in_after_some(tmp_path, monkeypatch):
    starts = []
    start = HandIn.start_process
    monkeypatch.setattr(HandIn, "start_process", lambda self: starts.append(self) or start(self))
    late = "json.dumps = lambda data, dumps=json.dumps, once=iter([1]): dumps(data) if next(once, 0) else None"
    files = {
        "breaks.py": f"import json\n{late}\n" + "x = 1\n" * 300 + MINIMAX,
        "exits.py": "__import__('os')._exit(3)\n" * 300 + MINIMAX,
        "honest.py": MINIMAX,
    }
    _, by_name, _ = grade_folder(tmp_path, files)
    messages = {name: row["message"] for name, rows in by_name.items() for row in rows.values()}
    assert (
        "its process ends at line 3 ('x = 1'), because of a statement before it"
        in messages["breaks.py"]
    )
    assert "13 statements end its process, the last of them line 13 (" in messages["exits.py"]
    assert by_name["honest.py"]["minimax"]["points"] == 1
    assert len(starts) == 2 + 13 + 1


ORPHANS = """
import os, time

def orphan():
    \"\"\"Return the number of a process in a session of its own, whose parent has ended.\"\"\"
    reading, writing = os.pipe()
    if not os.fork():
        os.setsid()
        if not os.fork():
            os.write(writing, str(os.getpid()).encode())
            time.sleep(999)
        os._exit(0)
    os.wait()
    return int(os.read(reading, 20))
"""
LINUX = pytest.mark.skipif(
    sys.platform != "linux", reason="needs Linux, where a process can adopt others"
)


def is_running(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


@LINUX
def test_processes_that_a_hand_in_starts_end_with_it(tmp_path):
    """Whether it ends by itself, fails, hangs or is done; also those that start others meanwhile."""
    breeds = "if not os.fork():\n    os.setsid()\n    while True:\n        if os.fork():\n            os._exit(0)\n"
    tells = "def minimax(node):\n    raise ValueError(f'started {first} {orphan()}')\n"
    files = {
        "tells.py": f"{ORPHANS}first = orphan()\n{breeds}{tells}",
        "exits.py": f"{ORPHANS}def minimax(node):\n    orphan()\n    os._exit(3)\n",
        "hangs.py": f"{ORPHANS}def minimax(node):\n    orphan()\n    time.sleep(999)\n",
        "honest.py": MINIMAX,
    }
    write(tmp_path, files)
    hand_ins, _ = collect([str(tmp_path)])
    started, start = [], HandIn.start_process

    def start_and_note(self):
        start(self)
        started.append(self.process)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(HandIn, "start_process", start_and_note)
        report = grade(hand_ins, seconds=3.0, jobs=2)
    rows = {Path(label).name: row["minimax"] for label, row in report.hand_ins.items()}
    assert {name: row["points"] for name, row in rows.items()} == dict.fromkeys(files, 0) | {
        "honest.py": 1
    }
    assert (
        "exit status 3" in rows["exits.py"]["message"]
        and "stopped after 3" in rows["hangs.py"]["message"]
    )

    pids = re.search(r"started (\d+) (\d+)", rows["tells.py"]["message"]).groups()
    assert not any(map(is_running, pids))
    assert not any(supervisor.children(process.pid) for process in started)
    assert all(process.poll() is not None for process in started)


@LINUX
def test_processes_end_with_a_grader_that_is_killed(tmp_path):
    (tmp_path / "a.py").write_text(
        f"{ORPHANS}open('pids', 'w').write(f'{{os.getpid()}} {{orphan()}}')\ntime.sleep(999)"
    )
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    command = [sys.executable, "-m", "abviz", "check", "a.py", "--seconds", "600"]
    grader = subprocess.Popen(command, cwd=tmp_path, env=os.environ | {"TMPDIR": str(temporary)})
    while not (pids := "".join(path.read_text() for path in temporary.glob("*/pids")).split()):
        assert grader.poll() is None
        time.sleep(0.05)
    grader.kill()
    grader.wait()
    while any(map(is_running, pids)):
        time.sleep(0.05)


PIPE = """
import gc, io, json
def say(*message):
    for file in [each for each in gc.get_objects() if isinstance(each, io.BufferedWriter) and each.fileno() > 2]:
        file.write(json.dumps(message).encode() + b"\\n")
        file.flush()
"""


def test_messages_that_are_not_results_cost_only_their_hand_in(tmp_path):
    messages = ["'failed', 99, 'x'", "", "'x' * 5_000_000"]
    files = {
        f"{i}.py": f"{PIPE}\nsay({message})\nminimax = len\n" for i, message in enumerate(messages)
    }
    _, by_name, _ = grade_folder(tmp_path, files | {"honest.py": MINIMAX})
    points = {name: sum(row["points"] for row in rows.values()) for name, rows in by_name.items()}
    assert points == dict.fromkeys(files, 0) | {"honest.py": 1}


# hand-ins


def test_folders_helpers_and_files_that_are_not_read(tmp_path):
    files = {
        "bea/answers.py": "import random, ast\nfrom helper import best as minimax\n",
        "bea/helper.py": MINIMAX.replace("minimax", "best"),
        "bea/ast.py": "raise ValueError",
        "carl.py": "from dora import minimax\n",
        "dora.py": MINIMAX,
        "bea/.ipynb_checkpoints/x.py": MINIMAX,
        "jane.docx": "",
    }
    (tmp_path / "empty").mkdir()
    (tmp_path / "link.py").symlink_to(tmp_path / "dora.py")
    report, by_name, _ = grade_folder(tmp_path, files, exercises=["minimax"])
    assert [Path(each).name for each in report.not_read] == ["empty", "jane.docx", "link.py"]
    statuses = {name: [row["status"] for row in rows.values()] for name, rows in by_name.items()}
    assert statuses == {
        "bea/answers.py": ["right"], "bea/ast.py": [], "bea/helper.py": [], "carl.py": ["error"], "dora.py": ["right"],
    }  # fmt: skip
    text = as_text(report)
    if sys.platform == "linux":  # names that are no UTF-8
        for name in ("\udcfe.py", "\udcff.py"):
            (tmp_path / name).touch()
        assert len({each.label for each in collect([str(tmp_path)])[0]}) == len(by_name) + 2
    assert (
        "helper.py: 0 of 0 points (no answer)" in text
        and "jane.docx" in text
        and text.count(CONTAINER) == 1
    )


def test_the_notebooks_of_the_course_are_one_hand_in(tmp_path):
    """Also of several students. In two notebooks the better answer counts, and a name without a
    check is no answer.
    """
    asked = "check('minimax', minimax)"  # its name is not known, which costs nothing
    course = {
        "00-start-here.ipynb": notebook("from helper import nothing"),
        "01-minimax.ipynb": notebook(
            MINIMAX,
            asked,
            "tree_values = None",
            "from abviz import check\ncheck('tree-values', tree_values)",
        ),
        "02-again.ipynb": notebook(
            STRICT, "check('alphabeta', alphabeta)", "def minimax(node): pass", asked
        ),
        "03-other.ipynb": notebook("table = 3", "search(Checkers.start(), 12)"),
        "04-later.ipynb": notebook(
            "def order(node): ...", "from nowhere import order", "check('order', order)"
        ),
        "01-minimax-Copy1.ipynb": notebook(STRICT),
        "helper.py": "nothing = 0",
    }
    files = {f"{name}/{file}": text for name in ("ada", "bea") for file, text in course.items()}
    report, by_name, notes = grade_folder(tmp_path, files | {"bea/05-broken.ipynb": "{"})
    assert list(by_name) == ["ada", "bea"]
    assert report.not_read == []
    statuses = {name: (row["status"], row["notebook"]) for name, row in by_name["ada"].items()}
    assert statuses == {
        "tree-values": ("not written yet", "01-minimax"),
        "minimax": ("right", "01-minimax"),
        "alphabeta": ("wrong", "02-again"),
        "order": ("error", "04-later"),
    }
    assert "cell 2 (" in by_name["ada"]["order"]["message"]
    assert notes["ada"] == []
    ada, bea = as_text(report).split(f"{tmp_path / 'bea'}: ")
    lines = [f"{tmp_path / 'ada'}: 1.5 of 4 points (1 not written yet, 1 right, 1 wrong, 1 error)"]
    lines += [
        "  01-minimax  … tree-values  ✓ minimax",
        "  02-again  ✗ alphabeta",
        "  04-later  ! order",
        "  ✗ alphabeta: 0.5 of 1 point. strict: On ",
    ]
    assert ada.startswith("\n".join(lines)) and "  ! order: 0 of 1 point. error: " in ada
    assert "! 05-broken (file): " in bea
    # Which no notebook answers
    report, by_name, _ = grade_folder(tmp_path / "ada", {}, exercises=["negamax"])
    assert [row["status"] for rows in report.hand_ins.values() for row in rows.values()] == [
        "not written yet"
    ]


def test_cells_of_the_course_that_cannot_run_are_named(tmp_path):
    """And a wrong search that the course checks as an example is no answer in the place of one
    whose cell failed.
    """
    cells = (
        "def minimax(node:\n    pass",
        "def hasty(node):\n    return 3",
        "check('minimax', answer=hasty)",
        "while True: pass",
    )
    course = {
        "00-start-here.ipynb": notebook("1"),
        "01-minimax.ipynb": notebook(*cells, "missing()"),
    }
    _, by_name, notes = grade_folder(
        tmp_path, {f"ada/{name}": text for name, text in course.items()}, seconds=2
    )
    assert (
        by_name["ada"]["minimax"]["status"] == "error"
        and "SyntaxError" in by_name["ada"]["minimax"]["message"]
    )
    reasons = [note.partition(" was left out: ")[::2] for note in notes["ada"]]
    assert [(cell[:17], reason[:11]) for cell, reason in reasons] == [
        ("01-minimax cell 1", "SyntaxError"),
        ("01-minimax cell 4", "it was stop"),
    ]


def test_a_worker_reads_and_writes_only_its_own(tmp_path):
    """No other hand-in; and nothing is written outside its folder."""
    secret = tmp_path / "other.py"
    secret.write_text(MINIMAX)
    text = f"""
def tried(path, mode):
    try:
        open(path, mode).close()
        return 1
    except OSError:
        return 0

tree_values = {{"A": [tried({str(secret)!r}, "r"), tried({str(secret)!r}, "a")]}}
value = sum(tree_values["A"]) + 1 - tried("own.txt", "w")
def minimax(node):
    raise ValueError(f"reached {{value}}")
"""
    rows, _ = graded(tmp_path, text, "student.py", exercises=["minimax"])
    assert "reached 0" in rows["minimax"]["message"]


def answers_of(path):
    """Run the cells of a hand-in, and return its answers as plain data, with its notes."""
    (hand_in,), _ = collect([str(path)])
    try:
        hand_in.start()
        return hand_in.answers, hand_in.notes
    finally:
        hand_in.close()


READS = """
import os

def is_readable(path):
    try:
        return bool(os.listdir(path) if os.path.isdir(path) else open(path, "rb").read(1))
    except OSError:
        return False

parent = f"/proc/{os.getppid()}"
tree_values = [path.replace(parent, "PARENT") for path in PATHS if is_readable(path.replace("PARENT", parent))]
"""
OWN = "/proc/self/environ", "/proc/cpuinfo", "/sys/devices/system/cpu/online"
OF_PACKAGE = (
    "trees/figure-4.24.yaml",
    "abviz/tree/model.py",
    "abviz/tracing/traces.py",
    "abviz/views/page",
)
OF_OTHERS = (
    *(
        "PARENT/environ",
        "PARENT/cmdline",
        "PARENT/status",
        "PARENT/maps",
        "PARENT/fd",
        "PARENT/cwd",
    ),
    *("/proc/1/cmdline", "/proc", "/etc/passwd", "/etc/shadow", "/dev/pts", "/sys/kernel"),
)
OF_CHECKOUT = (
    *(
        "",
        "tests",
        "tests/solutions/writing.py",
        "tests/test_grading.py",
        "docs",
        "README.md",
        ".git",
    ),
    *(
        "abviz/exercises/searches.yaml",
        "abviz/exercises/programs.py",
        "abviz/engine/api.py",
        "abviz/parallel/split_tree.py",
    ),
    *("abviz/tracing/algorithms.py", "abviz/tracing/__pycache__/algorithms.cpython-3*.pyc"),
)


@pytest.mark.skipif(
    landlock_version() < 1, reason="needs a kernel with Landlock (Linux 5.13), which protects files"
)
def test_a_worker_reads_what_python_needs_and_nothing_else(tmp_path):
    """No other process, no other hand-in nor its copy, and of a checkout neither answers nor tests."""
    other = tmp_path / "other.py"
    other.write_text(MINIMAX)
    copy = tmp_path / "abviz-copy" / "other.py"
    write(tmp_path, {"abviz-copy/other.py": MINIMAX})

    checkout = Path(__file__).resolve().parents[1]
    compiled = [str(path.relative_to(checkout)) for path in checkout.glob(OF_CHECKOUT[-1])]
    refused = [str(checkout / path) for path in (*OF_CHECKOUT[:-1], *compiled)]
    refused += [*OF_OTHERS, *map(str, (other, copy, tmp_path, tmp_path.parent, Path.home()))]
    allowed = [*OWN, *(str(checkout / path) for path in OF_PACKAGE)]

    student = tmp_path / "student.py"
    student.write_text(f"PATHS = {[*allowed, *refused]!r}{READS}")
    answers, notes = answers_of(student)
    assert (answers, notes) == ({"tree-values": allowed}, [])


@pytest.mark.skipif(
    landlock_version() < 1, reason="needs a kernel with Landlock (Linux 5.13), which protects files"
)
def test_the_solutions_of_a_checkout_cannot_be_imported(tmp_path):
    checkout = Path(__file__).resolve().parents[1]
    text = f"import sys\nsys.path.append({str(checkout)!r})\nfrom tests.solutions.writing import minimax\n"
    rows, _ = graded(tmp_path, text)
    assert rows["minimax"]["points"] == 0
    assert (
        "PermissionError" in rows["minimax"]["message"] or "No module" in rows["minimax"]["message"]
    )


PACKAGES = """
import hashlib, locale, mimetypes, multiprocessing, platform, ssl, tempfile, zoneinfo
import matplotlib.pyplot, numba, numpy

multiprocessing.cpu_count()
platform.platform()
hashlib.sha256(b"")
tempfile.TemporaryFile().close()
numpy.linalg.inv(numpy.eye(100))
matplotlib.pyplot.plot([1, 2])
matplotlib.pyplot.savefig("plot.svg")
matplotlib.pyplot.savefig("plot.png")
numba.njit(lambda x: x + 1)(2)
from abviz import Checkers, Stepper, Tree, draw, load, trace
Stepper(trace(load("figure-4.24")))
draw(Tree([1, 2]))
tree_values = 3
"""


def test_packages_work_in_a_worker(tmp_path):
    (tmp_path / "student.py").write_text(PACKAGES)
    assert answers_of(tmp_path / "student.py") == ({"tree-values": 3}, [])


def test_answers_that_are_data(tmp_path):
    tree = as_data(
        {
            "tree": Tree({"A": 3, "B": {"C": 1, "D": float("-inf")}}, to_move="min"),
            "order": ("A", "B"),
        }
    )
    again = Tree(tree["tree"], to_move=tree["tree"]["to_move"])
    assert [(n.name, n.is_max) for n in again.nodes[1:]] == [
        ("A", True),
        ("B", True),
        ("C", False),
        ("D", False),
    ]
    assert tree["order"] == ["A", "B"]
    endless = []
    endless.append(endless)
    json.dumps(as_data(endless))
    text = """
from abviz import make_tree
no_cut = make_tree(1, depth=3, alpha_cuts=0, beta_cuts=0)
tree_values = {"B": 3, "I": 0, "F": 5, "G": 8, "C": 4, "A": 5}  # of six cells the last is wrong
"""
    rows, _ = graded(tmp_path, text, points={"tree-values": 3})
    assert rows["no-cut"]["tree"] is not None
    part = rows["tree-values"]
    assert (part["status"], part["points"], part["of"]) == ("wrong", pytest.approx(2.5), 3)


# reports


def test_reports(tmp_path):
    files = {
        "ada.py": MINIMAX + ALPHABETA,
        "bob.py": MINIMAX + STRICT,
        "eve\x1b<b>.py": "import os\nos._exit(3)\nminimax = 3",
        "zoe.py": "def minimax(node)",
    }
    report, *_ = grade_folder(tmp_path, files, points={"alphabeta": 4})
    _, bob, *_ = report.hand_ins
    strict = report.hand_ins[bob]["alphabeta"]
    assert (strict["status"], strict["mistake"], strict["points"]) == ("wrong", "strict", 2), strict
    data = json.loads(as_json(report))
    assert data[bob]["alphabeta"]["status"] == "wrong" and data[bob]["alphabeta"][
        "tree"
    ].startswith("[")
    assert data["totals"]["points"] == 8 and data["totals"]["of"] == 12
    assert data["totals"]["hand_ins"][bob] == {"points": 3, "of": 5}
    rows = list(csv.DictReader(as_csv(report).decode().splitlines()))
    assert [float(row["points"]) for row in rows] == [5, 3, 0, 0] and rows[2]["alphabeta"] == ""
    # And not 2
    assert (
        as_csv(replace(report, hand_ins={"=1+1": {}})).decode().splitlines()[1].startswith("'=1+1,")
    )
    suites = ElementTree.fromstring(as_junit(report))
    tags = [(case.get("name"), [child.tag for child in case]) for case in suites.iter("testcase")]
    right, wrong = ("minimax", []), ("alphabeta", ["failure"])
    assert tags == [
        right,
        ("alphabeta", []),
        right,
        wrong,
        ("minimax", ["failure"]),
        ("(file)", ["error"]),
    ]
    text = as_text(report)
    assert "bob.py: 3 of 5 points" in text and "1 wrong (strict)" in text and "\x1b" not in text


# the command


def test_the_command_writes_all_its_files(tmp_path, capsys):
    write(tmp_path, {"in/a.py": MINIMAX + STRICT})
    out = {name: tmp_path / name for name in ("x.xml", "x.csv", "feedback")}
    options = [
        "--junit",
        out["x.xml"],
        "--csv",
        out["x.csv"],
        "--feedback",
        out["feedback"],
        "--jobs",
        "1",
        "--json",
    ]
    assert main(["check", str(tmp_path / "in"), *map(str, options)]) == 1
    assert json.loads(capsys.readouterr().out)["totals"]["points"] == 1.5
    ElementTree.fromstring(out["x.xml"].read_bytes())
    (page,) = out["feedback"].iterdir()
    text = page.read_text()
    assert (
        "<img" in text
        and "width=device-width" in text
        and "Hint 1" in text
        and "minimax: right" in text
    )
    assert main(["check", str(tmp_path / "in"), "--exercises", "minimax"]) == 0


REFUSED = {
    "nowhere": "nowhere does not exist; expected a hand-in or a folder",
    "a.txt empty": "there is no hand-in; expected files that end in .ipynb, .py, .json",
    "a.py --exercises minmax": "unknown exercise 'minmax': did you mean minimax",
    "a.py --points minimax=1e400": "--points is 'minimax=1e400'; expected finite numbers, 0 or more",
    "a.py --points minimax=x": "--points has 'minimax=x'; expected a name and a number",
    "a.py --seconds 0": "expected numbers above 0 and below 1,000,000 for --seconds, --megabytes and --jobs",
}


@pytest.mark.parametrize("arguments", REFUSED)
def test_bad_input_is_refused_in_one_line(tmp_path, monkeypatch, capsys, arguments):
    monkeypatch.chdir(tmp_path)
    write(tmp_path, {"a.py": MINIMAX, "a.txt": "", "empty/.hidden.py": ""})
    assert main(["check", *arguments.split()]) == 2
    out, err = capsys.readouterr()
    assert REFUSED[arguments] in err and err.count("\n") == 1 and out == ""


def test_a_file_that_cannot_be_written_loses_nothing_else(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    write(tmp_path, {"a.py": MINIMAX})
    assert main(["check", "a.py", "--csv", "nodir/x.csv"]) == 2
    out, err = capsys.readouterr()
    assert (
        "a.py: 1 of 1 point" in out
        and "cannot write nodir/x.csv: No such file or directory; expected" in err
    )


def test_without_stdout_and_stderr_the_junit_file_is_written(tmp_path):
    """As cron may start it."""
    (tmp_path / "a.py").write_text("tree_values = 3\n")
    command = f"exec {sys.executable} -m abviz check a.py --junit x.xml <&- >&- 2>&-"
    assert subprocess.run(["sh", "-c", command], cwd=tmp_path, timeout=300).returncode == 1
    assert (
        ElementTree.fromstring((tmp_path / "x.xml").read_bytes()).find("testcase/failure")
        is not None
    )
    # Which does not wait for the report
    command = f"{sys.executable} -u -m abviz check a.py --csv x.csv | true"
    subprocess.run(["sh", "-c", command], cwd=tmp_path, timeout=300)
    assert (tmp_path / "x.csv").is_file()


@pytest.mark.skipif(os.name != "posix", reason="a terminal")
def test_a_terminal_shows_the_progress(tmp_path):
    (tmp_path / "a.py").write_text("tree_values = 3\n")
    ours, theirs = os.openpty()
    command = [sys.executable, "-m", "abviz", "check", "a.py", "--json"]
    environment = os.environ | {"TERM": "linux"}
    done = subprocess.run(
        command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=theirs, env=environment
    )
    assert json.loads(done.stdout)["totals"]["of"] == 1 and b"Checking" in os.read(ours, 10_000)


@pytest.mark.skipif(os.name != "posix", reason="signals")
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
def test_an_interrupt_writes_what_is_done(tmp_path, name):
    """It leaves no process and no folder behind, and names the hand-ins that are missing."""
    (tmp_path / "temp").mkdir()
    (tmp_path / "a.py").write_text("tree_values = 3\n")
    cells = {
        "00-start-here": "1",
        "01-minimax": "check('tree-values', 3)",
        "02-later": "import time; time.sleep(999)",
    }
    write(tmp_path, {f"class/{name}.ipynb": notebook(text) for name, text in cells.items()})
    (tmp_path / "b.py").write_text(
        f"import time\nopen({str(tmp_path / 'mark')!r}, 'w').close()\ntime.sleep(999)\n"
    )
    command = [
        sys.executable,
        "-m",
        "abviz",
        "check",
        "a.py",
        "class",
        "b.py",
        "--jobs",
        "1",
        "--seconds",
        "600",
    ]
    command += ["--csv", "marks.csv", "--junit", "marks.xml", "--feedback", "pages", "--json"]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    process = subprocess.Popen(
        command, cwd=tmp_path, env=os.environ | {"TMPDIR": str(tmp_path / "temp")}, **pipes
    )
    while not any((tmp_path / "temp").glob("*/02-later.ipynb")):
        assert process.poll() is None, process.communicate()
        time.sleep(0.05)
    # An interrupt that arrives in a callback of Python's own is lost: then a user presses again
    for _ in range(20):
        process.send_signal(getattr(signal, name))
        with suppress(subprocess.TimeoutExpired):
            out, err = process.communicate(timeout=15)
            break
    assert process.returncode == 130, (out, err)
    data = json.loads(out)
    assert (data["interrupted"], data["missing"]) == (True, ["class", "b.py"])
    assert data["a.py"]["tree-values"]["points"] == 0 and "class" not in data, "it is not finished"

    rows = list(csv.DictReader((tmp_path / "marks.csv").read_text().splitlines()))
    assert [(row["hand-in"], row["points"]) for row in rows] == [
        ("a.py", "0.0"),
        ("class", ""),
        ("b.py", ""),
    ]
    suite = ElementTree.fromstring((tmp_path / "marks.xml").read_bytes())
    assert [case.get("classname") for case in suite.iter("testcase")] == ["a.py"]
    assert [page.name for page in (tmp_path / "pages").iterdir()] == ["001-a.py.html"]
    assert list((tmp_path / "temp").iterdir()) == []


def test_the_report_of_an_interrupted_run_names_what_is_missing():
    report = Report(interrupted=True, missing=["class", "b.py"])
    assert "Interrupted; not graded: class, b.py\n" in as_text(report)
    assert "Interrupted; not graded: 0 hand-ins\n" in as_text(replace(report, missing=[]))


def test_what_stands_in_for_a_part_of_abviz_says_what_is_not_there():
    calls = []
    engine = Unavailable("abviz.engine", calls)
    assert repr(engine.WEIGHTS) == f"<abviz.engine.WEIGHTS, which {NOT_AVAILABLE}>"
    assert engine and f"{engine}" == str(engine) and calls == []

    run = engine.search(3, depth=2)
    assert (
        callable(run.show)
        and run.show()
        and calls == ["abviz.engine.search", "abviz.engine.search().show"]
    )
    needs = [
        iter,
        len,
        int,
        float,
        abs,
        sorted,
        "{:,}".format,
        lambda x: x[0],
        lambda x: x + 1,
        lambda x: 1 - x,
        lambda x: x < 1,
        lambda x: 1 in x,
    ]
    for need in needs:
        with pytest.raises(TypeError, match=r"abviz\.engine\.search\(\)\.nodes is not there"):
            need(run.nodes)
    assert not hasattr(engine, "__path__")
