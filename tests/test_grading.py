"""`abviz check`: each hand-in is run in a process of its own, and one bad function or cell costs only itself."""

import csv
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from xml.etree import ElementTree

import pytest

from abviz import Tree
from abviz.cli import main
from abviz.exercises import counterexamples
from abviz.exercises.catalogue import EXERCISES
from abviz.exercises.grading import Limits, collect, grade
from abviz.exercises.reports import CONTAINER, as_csv, as_json, as_junit, as_table
from abviz.exercises.worker import as_data

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
HANGS = "def {}(*_):\n    while True:\n        pass\n"
NESTED = """
def nested(node):
    return [nested(child) for child in node.children] or node.value
"""


@pytest.fixture(autouse=True)
def few_trees(monkeypatch):
    monkeypatch.setattr(counterexamples, "SMALL_TREES", 150)
    monkeypatch.setattr(counterexamples, "RANDOM_TREES", 30)


def notebook(*cells):
    code = [{"cell_type": "code", "source": cell, "outputs": [], "metadata": {}} for cell in cells]
    return json.dumps({"cells": code, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


def graded(folder, text, name="hand_in.py", *, seconds=60.0, **options):
    """Return what came of a hand-in in a folder of its own."""
    path = folder / "student" / name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    hand_ins, _ = collect([str(folder)])
    report = grade(hand_ins, limits=Limits(seconds), **options)
    return report.hand_ins[str(path)]


def verdict(folder, text, exercise, name="hand_in.py", **options):
    return graded(folder, text, name, exercises=[exercise], **options).results[exercise].verdict


# verdicts


@pytest.mark.parametrize(
    ("text", "status", "message"),
    [
        (MINIMAX, "right", "On "),
        ("", "not written yet", "Nothing in it is named minimax."),
        ("def Mini_Max(node):\n    return 3\n", "not written yet", "but Mini_Max is there."),
        ("def minimax(node):\n    raise NotImplementedError\n", "not written yet", ""),
        ("minimax = None\n", "not written yet", ""),
        ("from abviz import *\n", "not written yet", "Nothing in it is named minimax"),
        (f"{MINIMAX}\n1 / 0\n", "right", ""),
        (f"1 / 0\n{MINIMAX}", "right", ""),
        (f"import sys\nsys.exit()\n{MINIMAX}", "right", ""),
        ("from helper import minimax\n", "error", "No module named 'helper'"),
        ("def minimax(node)\n    return 3\n", "error", "SyntaxError"),
        (f"def broken(:\n    pass\n{MINIMAX}", "right", ""),
        ("def minimax(node):\n    return node.valeu\n", "wrong", "AttributeError"),
        ("def minimax(node):\n    return minimax(node)\n", "wrong", "it called itself without end"),
        ("def minimax(node):\n    node.value = 3\n", "wrong", "a node cannot be changed"),
        ("def minimax(node):\n    exit()\n", "wrong", "SystemExit"),
        ("def minimax(node):\n    raise KeyboardInterrupt\n", "wrong", "KeyboardInterrupt"),
        ("def minimax(node):\n    return [0] * 10**10\n", "wrong", "MemoryError"),
        ("def minimax(node):\n    import subprocess\n    subprocess.run(['ls'])\n", "wrong", "PermissionError"),
        ("import os\ndef minimax(node):\n    os._exit(3)\n", "error", "its process ended (exit status 3)"),
        ("import os\nos._exit(3)\nminimax = len\n", "wrong", "TypeError"),
        ("import ctypes\ndef minimax(node):\n    ctypes.string_at(0)\n", "error", "its process ended (SIGSEGV)"),
        # abviz's own search, however it is called
        ("import abviz\nminimax = abviz.minimax\n", "wrong", "It calls abviz.minimax, abviz's own search"),
        (f"import abviz\n{NESTED}\ndef minimax(node):\n    to_move = 'max' if node.is_max else 'min'\n"
         "    return abviz.trace(abviz.Tree(nested(node), to_move=to_move)).value\n",
         "wrong", "It calls abviz.alphabeta"),
        ("from abviz import search\ndef minimax(node):\n    return search(node, 9).value\n", "wrong", "abviz.engine"),
        ("from abviz import search\nminimax = search(3) + 1\n", "error", "not there while it is graded"),
        # what would be the reference is not there
        ("from abviz.exercises.searches import SEARCHES\ndef minimax(node):\n    return SEARCHES[0].build()(node)\n",
         "wrong", ""),
        ("from tests.solutions.writing import minimax\n", "error", "No module named 'tests'"),
    ],
)  # fmt: skip
def test_verdicts(tmp_path, text, status, message):
    result = verdict(tmp_path, text, "minimax")
    assert result.status == status and message in result.message, result
    assert (result.status == "right") == bool(result)


@pytest.mark.parametrize(
    "cells",
    [
        [f"%matplotlib inline\nfiles = !ls\nfiles[:1]\n!echo it's\n{MINIMAX}"],
        [f"%%time\n{MINIMAX}"],
        [f"load?\n?load\n!pip install \\\n    abviz\n{MINIMAX}"],
        ["from abviz import *\ndisplay(draw(Tree([1, 2])))\nawait search(Checkers.start(), 9)", MINIMAX],
        ["import asyncio\nawait asyncio.sleep(0)\n" + MINIMAX],
        ["from __future__ import annotations", MINIMAX.replace("(node)", "(node: Whatever)", 1)],
        ["from abviz import check", MINIMAX.replace("minimax", "mine"), 'check("minimax", mine)'],
        ["from abviz import Stepper, load, trace\nStepper(trace(load('figure-4.24')), predict=True)", MINIMAX],
    ],
)
def test_a_notebook_runs_as_it_does_for_its_student(tmp_path, cells):
    result = graded(tmp_path, notebook(*cells), "hand_in.ipynb")
    assert result.results["minimax"].verdict.status == "right", result.results


def test_solutions_are_right():
    """Also in Python files of several answers, with helpers of their own."""
    report = grade(collect([str(SOLUTIONS)])[0], limits=Limits(60.0), jobs=2)
    statuses = {name: each.verdict.status for results in report.results.values() for name, each in results.items()}
    assert statuses == dict.fromkeys(EXERCISES.keys() - {"predict-speed-up"}, "right")  # whose solution is computed


# one bad function or cell costs only itself


def test_cells_that_fail_or_do_not_end_are_left_out_and_named(tmp_path):
    cells = ["while True: pass", "def best_move(node)\n    return 3", MINIMAX, "x = undefined", ALPHABETA + "1 / 0"]
    hand_in = graded(tmp_path, notebook(*cells), "hand_in.ipynb", seconds=2.0)
    statuses = {name: result.verdict.status for name, result in hand_in.results.items()}
    assert statuses == {"minimax": "right", "alphabeta": "right", "best-move": "error"}
    assert [note.partition(")")[0] for note in hand_in.notes] == [
        "cell 1 ('while True: pass'",
        "cell 2 ('def best_move(node",
        "cell 4 ('x = undefined'",
        "cell 5 ('def alphabeta(node, alpha, beta",
    ]
    assert "it was stopped after 2 seconds" in hand_in.notes[0] and "SyntaxError" in hand_in.notes[1]
    assert "Cell 2" in hand_in.results["best-move"].verdict.message


def test_functions_that_do_not_end_cost_only_themselves(tmp_path):
    late = ("alphabeta", "negamax", "best_move", "aspiration")
    hand_in = graded(tmp_path, "\n".join([*map(HANGS.format, late), MINIMAX]), seconds=1.0)
    for name in late:
        result = hand_in.results[name.replace("_", "-")].verdict
        assert result.status == "timeout" and result.tree is not None
        assert result.message.startswith("On ") and "it was stopped after 1 second" in result.message
    assert hand_in.results["minimax"].verdict.status == "right"


def test_what_needs_pictures_or_the_engine_is_no_fault_of_the_student(tmp_path):
    cells = [
        "import inspect\nfrom abviz import *\nfrom abviz.exercises import programs",
        "print(inspect.getsource(programs.listed_minimax))",
        "run = search(Checkers.start(), 12)",
        "nodes = run.nodes / 2",
        "print(nodes)",
    ]
    assert graded(tmp_path, notebook(*cells), "hand_in.ipynb").notes == []
    (note,) = graded(tmp_path, notebook(*cells, "print(nobody)"), "hand_in.ipynb").notes
    assert note.startswith("cell 6 ('print(nobody)') was left out: NameError")


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        ("a.py", f"# -*- coding: rot13 -*-\n{MINIMAX}", "rot13"),
        ("a.py", f"# -*- coding: klingon -*-\n{MINIMAX}", "klingon"),
        ("a.py", "# größer".encode("latin-1"), "encoding"),
        ("a.ipynb", "{", "Expecting property name"),
        ("a.ipynb", '{"cells": 3}', "is not a notebook"),
    ],
)
def test_a_file_that_cannot_be_read_is_named(tmp_path, name, text, problem):
    (result,) = graded(tmp_path, text, name).results.values()
    assert result.verdict.status == "error" and "cannot be read" in result.verdict.message
    assert problem in result.verdict.message


def test_files_named_like_modules_of_python_harm_nobody(tmp_path):
    (tmp_path / "student").mkdir()
    for name in ("ast", "json", "random"):
        (tmp_path / "student" / f"{name}.py").write_text("raise ValueError")
    hand_in = graded(tmp_path, f"import random, ast\n{MINIMAX}")
    assert hand_in.results["minimax"].verdict.status == "right"
    assert any(note == "ast.py is not imported: Python has a module of that name" for note in hand_in.notes)


PIPE = """
import gc, io, json
def say(*message):
    for file in [each for each in gc.get_objects() if isinstance(each, io.BufferedWriter) and each.fileno() > 2]:
        file.write(json.dumps(message).encode() + b"\\n")
        file.flush()
"""


@pytest.mark.parametrize(
    "message", [["cells", 3], ["failed", 99, "x"], ["ready", 3, 3, 3], ["ran", 3], [], "x" * 5_000_000]
)
def test_messages_that_are_not_results_cost_only_their_hand_in(tmp_path, message):
    (tmp_path / "a.py").write_text(f"{PIPE}\nsay({message})\nminimax = len\n")
    (tmp_path / "b.py").write_text(MINIMAX)
    hostile, honest = grade(collect([str(tmp_path)])[0], limits=Limits(30.0)).results.values()
    assert honest["minimax"].verdict.status == "right"
    assert all(result.points == 0 for result in hostile.values())


def test_an_answer_that_calls_a_search_of_abviz_costs_only_itself(tmp_path):
    results = graded(
        tmp_path, f"from abviz import minimax as search\nminimax = lambda node: search(node)\n{ALPHABETA}"
    ).results
    assert {name: result.points for name, result in results.items()} == {"minimax": 0, "alphabeta": 1}


# hand-ins


def test_folders_helpers_and_what_is_not_read(tmp_path):
    files = {
        "bea/answers.py": "from helper import best as minimax\n",
        "bea/helper.py": MINIMAX.replace("minimax", "best"),
        "carl.py": "from dora import minimax\n",
        "dora.py": MINIMAX,
        ".ipynb_checkpoints/x.py": MINIMAX,
        "jane.docx": "",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / "empty").mkdir()
    (tmp_path / "link.py").symlink_to(tmp_path / "dora.py")
    hand_ins, not_read = collect([str(tmp_path)])
    assert [Path(each).name for each in not_read] == ["empty", "jane.docx", "link.py"]
    report = grade(hand_ins, ["minimax"], limits=Limits(60.0), not_read=not_read)
    statuses = {
        Path(label).relative_to(tmp_path).as_posix(): [each.verdict.status for each in results.values()]
        for label, results in report.results.items()
    }
    assert statuses == {"bea/answers.py": ["right"], "bea/helper.py": [], "carl.py": ["error"], "dora.py": ["right"]}
    text = as_table(report)
    assert "helper.py: no answer" in text and "jane.docx" in text and text.count(CONTAINER) == 1


def test_a_worker_reads_and_writes_only_its_own(tmp_path):
    """No other hand-in, no solution, no reference answer; and nothing is written outside its folder."""
    secret = tmp_path / "other.py"
    secret.write_text(MINIMAX)
    searches = Path(counterexamples.__file__).with_name("searches.py")
    text = f"""
def tried(path, mode):
    try:
        open(path, mode).close()
        return 1
    except OSError:
        return 0

tree_values = {{"A": [tried({str(secret)!r}, "r"), tried({str(searches)!r}, "r"), tried({str(secret)!r}, "a")]}}
value = sum(tree_values["A"]) + 1 - tried("own.txt", "w")
def minimax(node):
    raise ValueError(f"reached {{value}}")
"""
    hand_in = graded(tmp_path, text, exercises=["minimax"])
    assert "files" in hand_in.unlimited or "reached 0" in hand_in.results["minimax"].verdict.message


def test_answers_that_are_data():
    tree = as_data({"tree": Tree({"A": 3, "B": {"C": 1, "D": float("-inf")}}, to_move="min"), "order": ("A", "B")})
    again = Tree(tree["tree"], to_move=tree["tree"]["to_move"])
    assert [(n.name, n.is_max) for n in again.nodes[1:]] == [("A", True), ("B", True), ("C", False), ("D", False)]
    assert tree["order"] == ["A", "B"]
    endless = []
    endless.append(endless)
    json.dumps(as_data(endless))


def test_an_answer_may_be_made_by_make_tree(tmp_path):
    text = "from abviz import make_tree\nno_cut = make_tree(1, depth=3, alpha_cuts=0, beta_cuts=0)"
    assert verdict(tmp_path, text, "no-cut").tree is not None


def test_an_answer_too_large_to_be_read_is_wrong(tmp_path):
    result = verdict(tmp_path, "tree_values = ['x' * 10_000] * 200", "tree-values")
    assert result.status == "wrong" and "too large" in result.message


# points and reports


@pytest.fixture
def report(tmp_path):
    for name, text in {
        "ada": MINIMAX + ALPHABETA,
        "bob": MINIMAX + STRICT,
        "eve\x1b<b>": HANGS.format("minimax"),
    }.items():
        (tmp_path / f"{name}.py").write_text(text)
    return grade(collect([str(tmp_path)])[0], points={"alphabeta": 4}, limits=Limits(2.0), jobs=2)


def test_reports(report, tmp_path):
    _, bob, _ = report.results
    strict = report.results[bob]["alphabeta"]
    assert (strict.verdict.status, strict.verdict.mistake, strict.points) == ("wrong", "strict", 2), strict
    assert not report.all_right
    data = json.loads(as_json(report))
    assert data[bob]["alphabeta"]["status"] == "wrong" and isinstance(data[bob]["alphabeta"]["tree"], list)
    assert data["totals"]["points"] == 8 and data["totals"]["of"] == 11
    assert data["totals"]["hand_ins"][bob] == {"points": 3, "of": 5}
    rows = list(csv.DictReader(as_csv(report).decode().splitlines()))
    assert [row["points"] for row in rows] == ["5", "3", "0"] and rows[2]["alphabeta"] == ""
    suites = ElementTree.fromstring(as_junit(report))
    assert [(suite.get("tests"), suite.get("failures"), suite.get("errors")) for suite in suites] == [
        ("2", "0", "0"), ("2", "1", "0"), ("1", "0", "1"),
    ]  # fmt: skip
    text = as_table(report, 80)
    assert "bob.py: 3 of 5 points" in text and "strict 1×" in text and "\x1b" not in text
    assert all(len(line) <= 80 for line in text.splitlines() if str(tmp_path) not in line)


def test_a_paper_has_part_points(tmp_path):
    text = 'tree_values = {"B": 3, "I": 0, "F": 5, "G": 8, "C": 4, "A": 5}'  # of six cells the last is wrong
    result = graded(tmp_path, text, points={"tree-values": 3}).results["tree-values"]
    assert (result.verdict.status, result.points, result.of) == ("wrong", pytest.approx(2.5), 3)


# the command


def test_the_command_writes_all_its_files(tmp_path, capsys):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.py").write_text(MINIMAX + STRICT)
    out = {name: tmp_path / name for name in ("x.xml", "x.csv", "feedback")}
    options = ["--junit", out["x.xml"], "--csv", out["x.csv"], "--feedback", out["feedback"], "--jobs", "1", "--json"]
    assert main(["check", str(tmp_path / "in"), *map(str, options)]) == 1
    assert json.loads(capsys.readouterr().out)["totals"]["points"] == 1.5
    ElementTree.fromstring(out["x.xml"].read_bytes())
    (page,) = out["feedback"].iterdir()
    text = page.read_text()
    assert "<img" in text and "Hint 1" in text and "minimax: right" in text
    assert main(["check", str(tmp_path / "in"), "--exercises", "minimax"]) == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nowhere"], "nowhere does not exist; expected a hand-in or a folder"),
        (["a.txt"], "a.txt is not a hand-in; expected .ipynb, .py or a folder"),
        (["empty"], "there is no hand-in"),
        (["a.py", "--exercises", "minmax"], "unknown exercise 'minmax': did you mean minimax"),
        (["a.py", "--points", "minimax=x"], "--points has 'minimax=x'; expected an exercise and a number"),
        (["a.py", "--points", "minimax=1, minimax = 2"], "--points has minimax twice; expected each exercise once"),
        (["a.py", "--seconds", "0"], "--seconds is 0.0; expected a number from 0.1"),
        (["a.py", "--megabytes", "1"], "--megabytes is 1; expected a number from 100"),
        (["a.py", "--jobs", "0"], "--jobs is 0; expected a number from 1"),
        (["a.py", "--junit", "nodir/x.xml"], "cannot write nodir/x.xml: there is no folder nodir"),
        (["a.py", "--csv", "empty"], "cannot write empty: it is a folder"),
        (["a.py", "--feedback", "a.py"], "cannot make the folder a.py"),
        (["--junit", "a.py", "a.py"], "--junit is a.py, which is named like a hand-in"),
    ],
)
def test_bad_input_is_refused_in_one_line(tmp_path, monkeypatch, capsys, arguments, message):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.py").write_text(MINIMAX)
    (tmp_path / "a.txt").write_text("")
    (tmp_path / "empty").mkdir()
    assert main(["check", *arguments]) == 2
    out, err = capsys.readouterr()
    assert message in err and err.count("\n") == 1 and out == ""
    assert (tmp_path / "a.py").read_text() == MINIMAX


def test_without_stdout_and_stderr_the_junit_file_is_written(tmp_path):
    """As cron may start it."""
    (tmp_path / "a.py").write_text("def minimax(node):\n    return 3\n")
    command = f"exec {sys.executable} -m abviz check a.py --junit x.xml <&- >&- 2>&-"
    assert subprocess.run(["sh", "-c", command], cwd=tmp_path, timeout=300).returncode == 1
    assert ElementTree.fromstring((tmp_path / "x.xml").read_bytes()).find("testsuite/testcase/failure") is not None


@pytest.mark.skipif(os.name != "posix", reason="signals")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_prints_what_is_done(tmp_path, number):
    """And leaves no process and no folder behind."""
    (tmp_path / "temp").mkdir()
    (tmp_path / "a.py").write_text("def minimax(node):\n    return 3\n")
    (tmp_path / "b.py").write_text(f"import time\nopen({str(tmp_path / 'mark')!r}, 'w').close()\ntime.sleep(999)\n")
    command = [sys.executable, "-m", "abviz", "check", "a.py", "b.py", "--jobs", "1", "--seconds", "600"]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    process = subprocess.Popen(command, cwd=tmp_path, env=os.environ | {"TMPDIR": str(tmp_path / "temp")}, **pipes)
    while not any((tmp_path / "temp").glob("*/b.py")):
        assert process.poll() is None, process.communicate()
        time.sleep(0.05)
    process.send_signal(number)
    out, err = process.communicate(timeout=300)
    assert process.returncode == 130 and "a.py: 0 of 1 points" in out and "Interrupted" in out, (out, err)
    assert list((tmp_path / "temp").iterdir()) == []
