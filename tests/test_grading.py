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
from abviz.exercises.sandbox import landlock_version
from abviz.exercises.system_calls import can_filter_calls
from abviz.exercises.worker import NOT_AVAILABLE, Unavailable, as_data
from abviz.grading import feedback as feedback_module
from abviz.grading import grader
from abviz.grading import report as report_module
from abviz.grading.grader import grade
from abviz.grading.hand_in import HandIn
from abviz.grading.hand_ins import collect
from abviz.grading.report import CONTAINER, Report, as_csv, as_json, as_junit, as_text
from tests.a_class import ALPHABETA, MINIMAX
from tests.gradebooks import Person, canvas, import_into_canvas

SOLUTIONS = Path(__file__).parent / "solutions"
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
    students, not_read = collect([str(folder)])
    report = grade(students, seconds=seconds, jobs=2, **options)
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


needs_proc = pytest.mark.skipif(
    sys.platform != "linux", reason="only Linux says how long a process had a processor"
)


SLOW_AT_FIRST = """
def search(node):
    if node.is_leaf:
        return node.value
    values = [search(child) for child in node.children]
    return max(values) if node.is_max else min(values)

runs = []

def minimax(node):
    if not runs:
        __import__("time").sleep(1.5)
    runs.append(node)
    return search(node)
"""


@needs_proc
@pytest.mark.parametrize(("share", "status"), [(0.1, "right"), (1.0, "wrong")])
def test_an_answer_has_its_seconds_on_a_busy_machine_too(tmp_path, monkeypatch, share, status):
    """As far as the grader knows, it has a processor for a part of the time only."""
    monkeypatch.setattr(supervisor, "seconds_used", lambda _: share * time.monotonic())
    rows, _ = graded(tmp_path, SLOW_AT_FIRST, "hand_in.py", seconds=1.0)
    assert rows["minimax"]["status"] == status


@needs_proc
def test_what_a_process_has_used_is_known_with_all_that_it_has_started(tmp_path):
    write(tmp_path, {"a.py": "import os\nif not os.fork():\n    while True: pass\n"})
    hand_in = HandIn(tmp_path / "a.py", own_folder=False, is_of_course=False)
    hand_in.start()
    try:
        while supervisor.seconds_used(hand_in.process.pid) < 0.3:
            time.sleep(0.01)
    finally:
        hand_in.close()
    assert supervisor.seconds_used(hand_in.process.pid) == 0


def test_the_time_in_which_no_reply_is_read_is_not_the_answers(tmp_path):
    write(tmp_path, {"a.py": MINIMAX})
    hand_in = HandIn(tmp_path / "a.py", own_folder=False, is_of_course=False)
    hand_in.start()
    job = next(iter(EXERCISES["minimax"].trials()))[0]
    try:
        for _ in hand_in.receive(2, 0.4, ("minimax", [job, job])):
            time.sleep(0.8)  # the grader is busy
        [(value, *_)] = hand_in.receive(1, 60.0, ("minimax", [job]))
    finally:
        hand_in.close()
    assert value is not None


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


NO_NOTEBOOK = "it has no cells, or others than a notebook; expected one of version 4"
UNREADABLE = {
    "rot13.py": (f"# -*- coding: rot13 -*-\n{MINIMAX}", "rot13"),
    "latin.py": ("# größer".encode("latin-1"), "encoding"),
    "syntax.py": ("def minimax(node)\n    return 3\n", "expected ':' (syntax.py, line 1)"),
    "json.ipynb": ("{", "Expecting property name"),
    "empty.ipynb": ("{}", f"cannot be read as a notebook: {NO_NOTEBOOK}"),
    "version 3.ipynb": ('{"nbformat": 3, "worksheets": [{"cells": []}]}', NO_NOTEBOOK),
    "list.ipynb": ("[1, 2]", NO_NOTEBOOK),
    "no text.ipynb": ('{"cells": [{"cell_type": "code", "source": null}]}', NO_NOTEBOOK),
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

def leave():
    \"\"\"Leave the session, where the kernel lets a hand-in do so.\"\"\"
    try:
        os.setsid()
    except PermissionError:
        pass

def orphan():
    \"\"\"Return the number of a process whose parent has ended.\"\"\"
    reading, writing = os.pipe()
    if not os.fork():
        leave()
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


def working_in(folder):
    """Return the processes whose folder this is, or was before it was removed."""
    found = []
    for each in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if os.readlink(each / "cwd").startswith(folder):
                found.append(each.name)
    return found


BREEDS = """
import os
from abviz.exercises import supervisor

supervisor.LONGEST_END = 0  # no time to end processes one by one
supervisor._fork_worker()
if not os.fork():
    while True:
        if os.fork():
            os._exit(0)
"""


@LINUX
def test_a_process_that_starts_others_all_the_time_never_outruns_its_end(tmp_path):
    subprocess.run([sys.executable, "-c", BREEDS], cwd=tmp_path, check=True)
    # On a busy machine one that is ended is still there until it gets a processor. Of a chain that
    # goes on, one look may miss the process that is there, but not many looks in a row.
    end = time.monotonic() + 60
    looks = 0
    while looks < 50 and time.monotonic() < end:
        looks = 0 if working_in(str(tmp_path)) else looks + 1
    assert looks == 50


@LINUX
def test_processes_that_a_hand_in_starts_end_with_it(tmp_path):
    """Whether it ends by itself, fails, hangs or is done; also those that start others meanwhile."""
    breeds = "if not os.fork():\n    leave()\n    while True:\n        if os.fork():\n            os._exit(0)\n"
    tells = "def minimax(node):\n    raise ValueError(f'started {first} {orphan()}')\n"
    files = {
        "tells.py": f"{ORPHANS}first = orphan()\n{breeds}{tells}",
        "exits.py": f"{ORPHANS}def minimax(node):\n    orphan()\n    os._exit(3)\n",
        "hangs.py": f"{ORPHANS}def minimax(node):\n    orphan()\n    time.sleep(999)\n",
        "honest.py": MINIMAX,
    }
    write(tmp_path, files)
    students, _ = collect([str(tmp_path)])
    started, folders, start = [], [], HandIn.start_process

    def start_and_note(self):
        start(self)
        started.append(self.process)
        folders.append(self.folder)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(HandIn, "start_process", start_and_note)
        # What a hand-in starts uses up its seconds, too
        report = grade(students, seconds=15.0, jobs=2)
    rows = {Path(label).name: row["minimax"] for label, row in report.hand_ins.items()}
    assert {name: row["points"] for name, row in rows.items()} == dict.fromkeys(files, 0) | {
        "honest.py": 1
    }
    assert (
        "exit status 3" in rows["exits.py"]["message"]
        and "stopped after 15" in rows["hangs.py"]["message"]
    )

    pids = re.search(r"started (\d+) (\d+)", rows["tells.py"]["message"]).groups()
    assert not any(map(is_running, pids))
    assert not any(working_in(folder) for folder in folders for _ in range(20))
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
        "bea": ["right"],
        "carl.py": ["error"],
        "dora.py": ["right"],
    }
    text = as_text(report)
    if sys.platform == "linux":  # names that are no UTF-8
        for name in ("\udcfe.py", "\udcff.py"):
            (tmp_path / name).touch()
        assert len({each.label for each in collect([str(tmp_path)])[0]}) == len(by_name) + 2
    assert "bea: 1 of 1 point (1 right)" in text and "jane.docx" in text
    assert text.count(CONTAINER) == 1

    (tmp_path / "bea" / "answers.py").unlink()
    report, *_ = grade_folder(tmp_path / "bea", {})
    assert "helper.py: 0 of 0 points (no answer)" in as_text(report)


def test_a_folder_is_one_student_however_deep_its_files_are(tmp_path):
    """Of two answers the better one counts. A link leads to nothing."""
    files = {
        "ada/hw3.ipynb": notebook(MINIMAX, "from helper import best\nalphabeta = best"),
        "ada/helper.py": ALPHABETA.replace("alphabeta", "best"),
        "bea/first.py": "def minimax(node):\n    return 3\n",
        "bea/deep/er/last.ipynb": notebook(MINIMAX),
        "bea/deep/broken.py": "def",
    }
    (tmp_path / "link").symlink_to(tmp_path / "ada", target_is_directory=True)
    report, rows, _ = grade_folder(tmp_path, files, exercises=["minimax", "alphabeta"])
    found = {
        label: [(row["status"], row["file"]) for row in each.values()]
        for label, each in rows.items()
    }
    assert found == {
        "ada": [("right", "hw3.ipynb"), ("right", "hw3.ipynb")],
        "bea": [("right", "last.ipynb"), ("error", "broken.py")],
    }
    assert [Path(each).name for each in report.not_read] == ["link"]


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


NOTEBOOKS = Path(__file__).parents[1] / "notebooks"


def chapter(name, **answers):
    """Return a notebook of the course, with these functions in the place of their stubs."""
    content = json.loads((NOTEBOOKS / f"{name}.ipynb").read_text("utf-8"))
    for cell in content["cells"]:
        text = "".join(cell["source"])
        for function, code in answers.items():
            if text.startswith(f"def {function}("):
                cell["source"] = code
    return json.dumps(content)


def test_a_notebook_of_the_course_is_known_by_what_is_in_it(tmp_path):
    """Handed in alone, and under another name: its own cells that can't run here are not the
    student's mistakes, but those that the student has added are.
    """
    text = json.loads(chapter("01-minimax", minimax=MINIMAX))
    text["cells"].append({"cell_type": "code", "source": "missing()", "metadata": {}})
    rows, notes = graded(tmp_path, json.dumps(text), "hw1.ipynb", exercises=["minimax"])
    assert rows["minimax"]["status"] == "right"
    assert len(notes) == 1 and "NameError: name 'missing' is not defined" in notes[0]


def test_what_the_course_names_like_an_exercise_is_no_answer(tmp_path):
    """In 08 minimax, alphabeta and table are runs and tables of times, also where the numbers of
    workers have been changed. A function that the student adds is an answer.
    """
    text = chapter("08-threads").replace("for workers in (1, 2, 3, 9)", "for workers in (1, 2)")
    assert "for workers in (1, 2):" in text
    changed = json.loads(text)
    for code in (MINIMAX, ALPHABETA.replace("alphabeta", "negamax")):
        changed["cells"].append({"cell_type": "code", "source": code, "metadata": {}})

    rows, _ = graded(tmp_path, json.dumps(changed), "hw8.ipynb")
    expected = dict.fromkeys(("split-root", "race", "share-alpha", "layer1"), "not written yet")
    expected |= {"minimax": "right", "negamax": "wrong"}
    assert {name: row["status"] for name, row in rows.items()} == expected


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
    (student,), _ = collect([str(path)])
    (hand_in,) = student.hand_ins
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


CHANGES = """
import ctypes, os

libc = ctypes.CDLL(None, use_errno=True)
tree_values = []

def attempt(name, change, *arguments, **options):
    try:
        change(*arguments, **options)
    except PermissionError:
        return
    tree_values.append(name)

def call(*arguments):
    if libc.syscall(*arguments) < 0:
        raise OSError(ctypes.get_errno(), "refused")

for path in PATHS:
    attempt("chmod", os.chmod, path, 0)
    attempt("utime", os.utime, path, (1, 1))
    attempt("utime to now", os.utime, path)
    attempt("chown", os.chown, path, os.getuid(), os.getgid())
    attempt("lchown", os.lchown, path, os.getuid(), os.getgid())
    attempt("setxattr", os.setxattr, path, "user.note", b"1")
    folder = os.open(os.path.dirname(path), os.O_PATH)
    attempt("fchmodat", os.chmod, os.path.basename(path), 0, dir_fd=folder)
    attempt("utimensat", os.utime, os.path.basename(path), (1, 1), dir_fd=folder)
    attempt("fchmodat2", call, 452, -100, path.encode(), 0, 0)
attempt("io_uring_setup", call, 425, 1, ctypes.create_string_buffer(200))
"""


@pytest.mark.skipif(
    not can_filter_calls(), reason="needs a kernel that filters system calls, which protects files"
)
def test_a_hand_in_changes_neither_permissions_nor_times_of_other_files(tmp_path):
    neighbor = tmp_path / "neighbor.py"
    neighbor.write_text(MINIMAX)
    os.utime(neighbor, (1_700_000_000, 1_700_000_000))
    neighbor.chmod(0o640)

    student = tmp_path / "student" / "student.py"
    write(tmp_path, {"student/student.py": f"PATHS = {[str(neighbor), str(tmp_path)]!r}{CHANGES}"})
    before = neighbor.stat(), tmp_path.stat()
    answers, notes = answers_of(student)

    assert (answers, notes) == ({"tree-values": []}, [])
    for was, now in zip(before, (neighbor.stat(), tmp_path.stat()), strict=True):
        assert now.st_mode == was.st_mode
        assert now.st_mtime_ns == was.st_mtime_ns
        assert now.st_ctime_ns == was.st_ctime_ns


OWN_FILES = """
import pathlib, shutil, tempfile, zipfile
import numpy

pathlib.Path("texts").mkdir()
print("a line", file=open("texts/notes.txt", "w"))
numpy.save("values.npy", numpy.arange(3))
pathlib.Path("new").touch()
pathlib.Path("new").touch()

shutil.copy("texts/notes.txt", "copy.txt")
shutil.copy2("texts/notes.txt", "texts/copy2.txt")
with tempfile.TemporaryDirectory() as folder, tempfile.NamedTemporaryFile() as file:
    shutil.copytree("texts", folder + "/all")
    shutil.make_archive(folder + "/all", "zip", folder + "/all")
    zipfile.ZipFile(folder + "/all.zip").extractall(folder + "/again")
    shutil.move(folder + "/again/copy2.txt", "moved.txt")

texts = [pathlib.Path(name).read_text() for name in ("copy.txt", "moved.txt")]
assert texts == ["a line\\n"] * 2
assert numpy.load("values.npy").tolist() == [0, 1, 2]
"""


def test_a_hand_in_works_with_files_of_its_own(tmp_path):
    rows, notes = graded(tmp_path, f"{OWN_FILES}{MINIMAX}")
    assert (rows["minimax"]["status"], notes) == ("right", [])


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
    named = json.loads(as_json(replace(report, hand_ins={"notes": report.hand_ins[bob]})))
    assert named["./notes"]["minimax"]["points"] == 1 and bob in named["notes"]
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
    write(tmp_path, {"a.py": MINIMAX, "a.txt": "", "empty/.ipynb_checkpoints/x.py": ""})
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


@pytest.mark.parametrize("folder", ["afile", "no/such"])
def test_a_folder_for_pages_that_cannot_be_made_is_refused_in_one_line(
    tmp_path, monkeypatch, capsys, folder
):
    monkeypatch.chdir(tmp_path)
    write(tmp_path, {"a.py": MINIMAX, "afile": "text"})
    assert main(["check", "a.py", "--feedback", folder]) == 2

    out, err = capsys.readouterr()
    assert err.startswith(f"abviz: cannot write pages to {folder}: ")
    assert "expected a folder" in err and err.count("\n") == 1
    assert "a.py: 1 of 1 point" in out
    assert (tmp_path / "afile").read_text() == "text"


@pytest.mark.parametrize("option", ["--csv", "--junit"])
@pytest.mark.parametrize("file", ["in/a.py", "in/b/b.py", "in/b/../a.py", "in/c.zip"])
def test_no_report_overwrites_a_hand_in(tmp_path, monkeypatch, capsys, option, file):
    monkeypatch.chdir(tmp_path)
    files = {"in/a.py": MINIMAX, "in/b/b.py": MINIMAX, "in/c.zip": MINIMAX}
    write(tmp_path, files)
    assert main(["check", "in", option, file]) == 2

    out, err = capsys.readouterr()
    assert err == f"abviz: {option} would overwrite the hand-in {file}; expected another file\n"
    assert out == ""
    assert {name: (tmp_path / name).read_text() for name in files} == files


def test_a_report_among_the_hand_ins_is_written_again(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write(tmp_path, {"in/a.py": MINIMAX, "in/marks.csv": "earlier"})
    assert main(["check", "in", "--csv", "in/marks.csv"]) == 0
    assert "a.py" in (tmp_path / "in/marks.csv").read_text()


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


@pytest.mark.skipif(os.name != "posix", reason="needs a terminal of Linux or macOS")
def test_a_terminal_shows_the_progress(tmp_path):
    (tmp_path / "a.py").write_text("tree_values = 3\n")
    ours, theirs = os.openpty()
    command = [sys.executable, "-m", "abviz", "check", "a.py", "--json"]
    environment = os.environ | {"TERM": "linux"}
    done = subprocess.run(
        command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=theirs, env=environment
    )
    assert json.loads(done.stdout)["totals"]["of"] == 1 and b"Checking" in os.read(ours, 10_000)


@pytest.mark.skipif(os.name != "posix", reason="needs the signals of Linux or macOS")
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
    assert [page.name for page in (tmp_path / "pages").iterdir()] == ["a.py.html"]
    assert list((tmp_path / "temp").iterdir()) == []


@pytest.mark.skipif(os.name != "posix", reason="needs the signals of Linux or macOS")
def test_further_interrupts_lose_nothing(tmp_path, monkeypatch, capsys):
    """They come when grading has been interrupted, and while each file is written."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.py").write_text("tree_values = 3\n")
    before = signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)

    def interrupt():
        os.kill(os.getpid(), signal.SIGTERM)
        os.kill(os.getpid(), signal.SIGINT)

    def progress(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(grader, "progress", progress)
    for part, name in (
        (report_module, "as_csv"),
        (report_module, "as_junit"),
        (report_module, "as_text"),
        (feedback_module, "write_feedback"),
    ):
        monkeypatch.setattr(part, name, after(interrupt, getattr(part, name)))

    files = "--csv marks.csv --junit marks.xml --feedback pages"
    assert main(["check", "a.py", *files.split()]) == 130
    assert "Interrupted; not graded: a.py" in capsys.readouterr().out
    assert all((tmp_path / name).exists() for name in ("marks.csv", "marks.xml", "pages"))
    assert (signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)) == before


def after(first, function):
    """Return the function, as it is called after the first one."""

    def both(*arguments):
        first()
        return function(*arguments)

    return both


@pytest.mark.parametrize("module", ["abviz.cli", "abviz.errors"])
def test_an_interrupt_while_the_command_is_loaded_shows_no_traceback(module):
    code = f"""
import sys

class Interrupts:
    def find_spec(self, name, *_):
        if name == {module!r}:
            raise KeyboardInterrupt

sys.meta_path.insert(0, Interrupts())
from abviz.__main__ import main
sys.exit(main())
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


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


# the answer's own run, recorded where the answer runs


RECORDED = """
import threading
def is_recorded():
    return threading.current_thread() is not threading.main_thread()
"""


@pytest.mark.parametrize("name", ["hand_in.py", "hand_in.ipynb"])
def test_a_wrong_search_comes_back_with_its_run_and_its_source(tmp_path, name):
    text = f"# mine\n{STRICT}" if name.endswith(".py") else notebook("x = 3", STRICT)
    rows, _ = graded(tmp_path, text, name)
    run = rows["alphabeta"]["verdict"].trace
    assert run.search == "recorded" and "parting" in run.options

    source = run.options["source"]
    assert source.lines == STRICT.strip().split("\n")
    assert source.lines[source.calling[-5]] == "        value = alphabeta(child, alpha, beta)"


def test_a_run_that_does_something_else_when_it_is_recorded_is_not_shown(tmp_path):
    text = RECORDED + STRICT.replace("alpha > beta", "alpha > beta or is_recorded()")
    rows, _ = graded(tmp_path, text)
    row = rows["alphabeta"]
    assert (row["status"], row["mistake"], row["verdict"].trace) == ("wrong", "strict", None)


def test_what_cannot_be_recorded_has_its_verdict(tmp_path):
    """Also where the process ends, or sends what it likes, while it records."""
    text = RECORDED + STRICT.replace("    bv =", "    EVIL\n    bv =", 1)
    evil = {
        "ends": "is_recorded() and __import__('os')._exit(3)",
        "raises": "if is_recorded(): raise SystemExit",
        "replaces": "if is_recorded(): __import__('json').dumps = lambda *_: '<script>'",
    }
    files = {f"{name}.py": text.replace("EVIL", line) for name, line in evil.items()}
    _, rows, _ = grade_folder(tmp_path, files)
    assert [rows[name]["alphabeta"]["status"] for name in files] == ["wrong", "wrong", "wrong"]
    for name in files:
        assert rows[name]["alphabeta"]["verdict"].trace is None, name


# a class


def test_a_class_is_graded_into_its_gradebook(tmp_path, monkeypatch, capsys):
    """Each student of the gradebook has a row, and a hand-in of nobody's is named."""
    people = [Person("Ada", "Lovelace", 11), Person("Bea", "", 12), Person("=1+1", "@x", 13)]
    exported = canvas(people)
    files = {
        "in/lovelaceada_LATE_11_901_hw3-1.ipynb": notebook(MINIMAX),
        "in/lovelaceada_LATE_11_902_helper.py": ALPHABETA,
        "in/1x_13_903_hw3.py": "",
        "canvas.csv": exported,
    }
    write(tmp_path, files)
    monkeypatch.chdir(tmp_path)
    command = ["check", "in", "--exercises", "minimax,alphabeta", "--csv", "all.csv"]
    command += ["--gradebook", "canvas.csv", "--assignment", "HW 3", "--gradebook-out", "out.csv"]
    assert main(command) == 0
    text = capsys.readouterr().out
    assert "Lovelace, Ada (11): 2 of 2 points (2 right), late by Canvas's mark" in text
    assert "Bea (12): 0 of 2 points (2 not written yet)" in text
    assert "\n2 hand-ins of 3 students, 2 of 6 points\n" in text
    assert "nothing was handed in" in text and "Late: 1 of 2, by Canvas's mark (2)" in text
    assert "Gradebook: HW 3 (42) for 3 of 3 students, scaled to 10" in text

    scores = import_into_canvas((tmp_path / "out.csv").read_bytes())
    assert {each: scores[each]["HW 3 (42)"] for each in (11, 12, 13)} == {11: 10, 12: 0, 13: 0}
    rows = list(csv.DictReader((tmp_path / "all.csv").read_text().splitlines()))
    facts = [(row["id"], row["name"], row["points"], row["late"]) for row in rows]
    assert facts == [
        ("11", "Lovelace, Ada", "2.0", "yes"),
        ("12", "Bea", "0.0", ""),
        ("13", "'@x, =1+1", "0.0", "no"),
    ]
    assert '"@x, =1+1"' in (tmp_path / "out.csv").read_text(), "the template stays"

    # A hand-in that is nobody's may be hers who has none
    write(tmp_path, {"in/eve.py": MINIMAX})
    assert main([*command, "--json"]) == 1
    report = json.loads(capsys.readouterr().out)
    assert report["unmatched"] == {"in/eve.py": "the roster has no such id or name"}
    assert report["students"]["Bea (12)"]["id"] == "12"
    scores = import_into_canvas((tmp_path / "out.csv").read_bytes())
    assert {each: scores[each]["HW 3 (42)"] for each in (11, 12, 13)} == {11: 10, 12: None, 13: 0}
    assert (tmp_path / "canvas.csv").read_text() == exported

    rows = list(csv.DictReader((tmp_path / "all.csv").read_text().splitlines()))
    points = {row["name"]: (row["minimax"], row["points"], row["of"]) for row in rows}
    assert points["Bea"] == ("", "", "")
    assert points["Lovelace, Ada"] == ("1.0", "2.0", "2.0")

    # The report says whose 0 waits for it, and how to give it to its student
    assert "  No 0 for Bea (12): in/eve.py may be theirs" in report["gradebook"]
    assert main(command) == 1
    assert f"\n{report_module.GIVE_TO_STUDENT}\n" in capsys.readouterr().out
    assert "name its file or folder by the student's id" in report_module.GIVE_TO_STUDENT
    (tmp_path / "in" / "eve.py").rename(tmp_path / "in" / "12.py")
    assert main(command) == 0
    assert "may be theirs" not in capsys.readouterr().out
    scores = import_into_canvas((tmp_path / "out.csv").read_bytes())
    assert scores[12]["HW 3 (42)"] == 5


@pytest.mark.parametrize("fails", ["to make a folder", "to start"])
def test_what_the_computer_cannot_grade_costs_no_student_points(
    tmp_path, monkeypatch, capsys, fails
):
    """A full disk, or a process that does not start: the cell stays, and the report says why."""
    people = [Person("Ada", "Lovelace", 11), Person("Bea", "", 12)]
    write(
        tmp_path,
        {
            "in/lovelaceada_11_901_hw3.py": MINIMAX,
            "in/bea_12_902_hw3.py": "1 +",
            "canvas.csv": canvas(people),
        },
    )
    monkeypatch.chdir(tmp_path)
    start = HandIn.start_process
    if fails == "to start":
        monkeypatch.setattr("abviz.grading.hand_in.SECONDS_TO_START", 0.001)

    def full_disk(hand_in):
        if "ada" in str(hand_in.path) or MINIMAX in hand_in.path.read_text():
            raise OSError(28, "No space left on device")
        start(hand_in)

    if fails == "to make a folder":
        monkeypatch.setattr(HandIn, "start_process", full_disk)
    command = ["check", "in", "--exercises", "minimax", "--gradebook", "canvas.csv"]
    command += ["--assignment", "HW 3", "--gradebook-out", "out.csv"]
    assert main(command) == 1
    text = capsys.readouterr().out
    assert "! minimax: 0 of 1 point. error: The computer could not grade it: OSError: " in text
    assert "  The computer could not grade it: Lovelace, Ada (11)" in text

    scores = import_into_canvas((tmp_path / "out.csv").read_bytes())
    assert scores[11]["HW 3 (42)"] is None
    if fails == "to make a folder":  # a file that is no Python is the student's own fault
        assert scores[12]["HW 3 (42)"] == 0 and "Bea (12): 0 of 1 point (1 error)" in text


REFUSED_OPTIONS = {
    "--gradebook-out x.csv": "expected --gradebook FILE with --gradebook-out",
    "--gradebook g.csv --gradebook-out x.csv": "expected --exercises with --gradebook-out",
    "--gradebook g.csv --gradebook-out ./g.csv --exercises minimax": "expected another file",
    "--roster r.csv --gradebook g.csv": "expected --roster or --gradebook",
    "--gradebook g.csv": "expected --assignment with the title of one",
    "--gradebook r.csv": "r.csv is no gradebook",
    "--roster none.csv": "cannot read none.csv: No such file",
    "--deadline tomorrow": "--deadline is 'tomorrow'; expected a day",
}


@pytest.mark.parametrize("options", REFUSED_OPTIONS)
def test_options_of_a_class_are_refused_before_anything_runs(
    tmp_path, monkeypatch, capsys, options
):
    monkeypatch.chdir(tmp_path)
    people = [Person("Ada", "Lovelace", 11)]
    write(tmp_path, {"a.py": HANGS, "g.csv": canvas(people), "r.csv": "id,name\n1,Ada\n"})
    assert main(["check", "a.py", *options.split()]) == 2
    out, err = capsys.readouterr()
    assert REFUSED_OPTIONS[options] in err and err.count("\n") == 1 and out == ""
    assert not (tmp_path / "x.csv").exists()
