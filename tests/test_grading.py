"""`abviz check`: what is handed in is found, run elsewhere, and told as `check` tells it."""

import inspect
import json
import re
from dataclasses import replace
from math import inf, isnan, nan
from pathlib import Path
from xml.etree import ElementTree

import pytest

from abviz import Tree, check
from abviz.cli import main
from abviz.errors import AbvizError
from abviz.exercises import choice_mistakes, cut_mistakes, mistakes
from abviz.exercises.checking import EXERCISES
from abviz.exercises.counterexamples import small_trees
from abviz.exercises.grading import marking, wire
from abviz.exercises.grading.handins import hand_ins
from abviz.exercises.grading.marking import grade, python_name
from abviz.exercises.grading.reports import as_json, as_junit, table
from abviz.exercises.grading.results import Limits, Report, Result
from abviz.exercises.known_mistakes import ALPHABETA
from tests import thread_answers

SOLUTIONS = Path(__file__).parent / "solutions"
MINIMAX = """
def minimax(node):
    if node.is_leaf:
        return node.value
    values = [minimax(child) for child in node.children]
    return max(values) if node.is_max else min(values)
"""


FEW_TREES = small_trees()[:200]
WITH_FEW = replace(EXERCISES["minimax"], small=lambda: FEW_TREES)


@pytest.fixture
def few_trees(monkeypatch):
    """Of the small trees only some are tried: for tests of how an answer is found and told, and not of what it does."""
    monkeypatch.setitem(EXERCISES, "minimax", WITH_FEW)


def graded(folder, text, name="hand_in.py", **more):
    path = folder / name
    path.write_text(text, encoding="utf-8")
    report = grade(hand_ins([str(path)]), **{"limits": Limits(20.0)} | more)
    return report.results[str(path)]


def notebook(*cells):
    told = [
        {"cell_type": "code", "source": cell, "outputs": [], "execution_count": None, "metadata": {}} for cell in cells
    ]
    return json.dumps({"cells": told, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


# Wrong searches as a hand-in would write them: it cannot import them.
KNOWN = re.sub(
    r"from abviz\.exercises[^(\n]*(\([^)]*\))?",
    "",
    "\n".join(map(inspect.getsource, (mistakes, cut_mistakes, choice_mistakes))),
)


def mistaken(name, mistake):
    """A hand-in that makes a known mistake."""
    return f"{KNOWN}\n{name} = next(each.function for each in (*CUTS, *CHOICES) if each.name == {mistake!r})\n"


# what travels


@pytest.mark.parametrize(
    "value",
    [
        *(None, ..., True, 3, -2.5, inf, -inf, "α", [], [1, [2, (3, "x")]], {"a": [1], ("b", 2): None}, {1, 2}),
        {"full": 1.25, "narrowed": ...},
    ],
)
def test_a_value_travels_and_is_the_same(value):
    told = json.loads(json.dumps(wire.encoded(value, lambda each: None)))
    assert wire.decoded(told, lambda kind, rest: pytest.fail(kind)) == value


def test_a_tree_travels_with_its_names_and_who_moves():
    for tree in (
        Tree({"A": 3, "B": {"C": 1, "D": -inf}}, to_move="min"),
        Tree([[1, 2], {"children": [3, 4], "to_move": "max"}]),
    ):
        told = json.loads(json.dumps(wire.encoded(tree, lambda each: None)))
        back = wire.decoded(told, lambda kind, rest: None)
        assert [(n.name, n.is_max, n.value) for n in back.nodes] == [(n.name, n.is_max, n.value) for n in tree.nodes]


def test_numbers_of_any_kind_become_plain():
    import numpy

    assert wire.encoded([numpy.int64(3), numpy.float32(0.5)], lambda each: None) == ["list", [3, 0.5]]
    assert isnan(wire.encoded(nan, lambda each: None))
    assert wire.encoded(10**400, lambda each: None)[0] == "strange"


def test_what_cannot_travel_is_told_or_refused():
    class Loud:
        def __repr__(self):
            raise ValueError

    assert (
        wire.encoded(Loud(), lambda each: None) == ["strange", "a Loud"]
        or wire.encoded(Loud(), lambda _: None)[0] == "strange"
    )
    endless = []
    endless.append(endless)
    for value in (endless, [0] * 30_000):
        with pytest.raises(wire.TooMuch):
            wire.encoded(value, lambda each: None)


@pytest.mark.parametrize("told", [["no such kind"], [], [3], ["tree", [1, "x"]], ["set", [["list", []]]], {"a": 1}])
def test_what_is_no_value_is_no_code_either(told):
    def own(kind, rest):
        raise ValueError

    if isinstance(told, dict):
        assert wire.decoded(told, own) == told
    else:
        with pytest.raises((ValueError, TypeError)):
            wire.decoded(told, own)


# what is found


@pytest.mark.usefixtures("few_trees")
def test_an_answer_is_found_by_its_exercise_s_name(tmp_path):
    assert python_name("share-alpha") == "share_alpha"
    results = graded(tmp_path, f"{MINIMAX}\nrace = ([5, 3], [0, 1])\nother = 7\n")
    assert {name: result.status for name, result in results.items()} == {"minimax": "right", "race": "right"}


@pytest.mark.usefixtures("few_trees")
def test_an_answer_is_found_where_check_is_called(tmp_path):
    text = MINIMAX.replace("minimax", "mine") + "\nfrom abviz import check\ncheck('minimax', mine)\n"
    assert graded(tmp_path, text)["minimax"].status == "right"


@pytest.mark.usefixtures("few_trees")
def test_cells_run_one_by_one_and_what_only_ipython_knows_is_left_out(tmp_path):
    cells = [
        "%matplotlib inline\nfrom abviz import Stepper, check, load, trace, watch\nimport numpy as np",
        "!pip list\nload?\nfor i in range(2):\n    !ls\n",
        "t = trace(load('figure-4.24'))\nprint(f'{t.value:>3}', t[13], t.value + 1)\nfor cut in t.cuts: print(cut)\nt",
        "%%time\n" + MINIMAX,
        "%%html\n<p>hello</p>",
        "raise ValueError('in the middle')",
        "await something()",
        "race = ([5, 3], [0, 1])\nwatch(minimax, load('figure-4.24'))",
    ]
    results = graded(tmp_path, notebook(*cells), "hand_in.ipynb")
    assert {name: result.status for name, result in results.items()} == {"minimax": "right", "race": "right"}


@pytest.mark.usefixtures("few_trees")
def test_a_folder_is_gone_through_and_each_student_s_own_goes_along(tmp_path):
    (tmp_path / "bea").mkdir()
    (tmp_path / "bea" / "helper.py").write_text(MINIMAX)
    (tmp_path / "bea" / "answers.py").write_text("from helper import minimax\n")
    (tmp_path / "carl.py").write_text("from dora import minimax\n")
    (tmp_path / "dora.py").write_text(MINIMAX)
    (tmp_path / ".ipynb_checkpoints").mkdir()
    (tmp_path / ".ipynb_checkpoints" / "x.py").write_text(MINIMAX)
    report = grade(hand_ins([str(tmp_path)]), ["minimax"], limits=Limits(20.0))
    told = {Path(label).relative_to(tmp_path).as_posix(): each["minimax"] for label, each in report.results.items()}
    statuses = {name: result.status for name, result in told.items()}
    assert statuses == {"bea/answers.py": "right", "bea/helper.py": "right", "carl.py": "error", "dora.py": "right"}
    assert "No module named 'dora'" in told["carl.py"].message


@pytest.mark.usefixtures("few_trees")
def test_what_only_helps_an_answer_beside_it_is_no_answer_of_its_own(tmp_path):
    for student, files in {"ada": ("answers", "helper"), "bob": ("helper",), "": ("helper",)}.items():
        (tmp_path / student).mkdir(exist_ok=True)
        for file in files:
            text = MINIMAX.replace("minimax", "best") if file == "helper" else "from helper import best as minimax"
            (tmp_path / student / f"{file}.py").write_text(text)
    report = grade(hand_ins([str(tmp_path)]), ["minimax"], limits=Limits(20.0))
    told = {Path(label).relative_to(tmp_path).as_posix(): each for label, each in report.results.items()}
    assert told["ada/answers.py"]["minimax"].status == "right" and told["ada/helper.py"] == {}
    assert told["bob/helper.py"]["minimax"].status == told["helper.py"]["minimax"].status == "not written yet"
    assert "helper.py: no answer" in table(report)


@pytest.mark.parametrize(
    ("text", "name", "status", "says"),
    [
        ("", "a.py", "not written yet", "Nothing in it is named minimax."),
        ("def Mini_Max(node):\n    return 3\n", "a.py", "not written yet", "named minimax, but Mini_Max is there."),
        ("def mend_minimax(node):\n    return 3\n", "a.py", "not written yet", "Nothing in it is named minimax."),
        ("raise MemoryError\n" + MINIMAX, "a.py", "error", "MemoryError (a.py, line 1)"),
        ("def minimax(node):\n    raise NotImplementedError\n", "a.py", "not written yet", "returns nothing so far"),
        ("def minimax(node):\n    ...\n", "a.py", "not written yet", ""),
        ("minimax = None\n", "a.py", "not written yet", "The answer is None"),
        ("def minimax(node)\n    return 3\n", "a.py", "error", "SyntaxError"),
        ("import sys\nsys.exit()\n" + MINIMAX, "a.py", "error", "SystemExit"),
        (MINIMAX + "import sys\nsys.exit()\n", "a.py", "right", ""),
        (MINIMAX + "1 / 0\n", "a.py", "right", ""),
        ("1 / 0\n" + MINIMAX, "a.py", "error", "ZeroDivisionError"),
        ("import os\nos._exit(3)\n" + MINIMAX, "a.py", "error", "its process ended (exit status 3)"),
        ("{", "a.ipynb", "error", "it cannot be read: it is no notebook: Expecting property name"),
        ('{"cells": 3}', "a.ipynb", "error", "is no notebook"),
        ("def minimax(node):\n    return node.valeu\n", "a.py", "wrong", "it raised AttributeError: 'Node' object has"),
        ("def minimax(node):\n    return minimax(node)\n", "a.py", "wrong", "it called itself without end"),
        ("def minimax(node):\n    node.value = 3\n", "a.py", "wrong", "a node cannot be changed"),
        ("def minimax(node):\n    return 'three'\n", "a.py", "wrong", "'three'"),
        ("def minimax(node):\n    return object()\n", "a.py", "wrong", "it returns <object objec"),
        ("def minimax(node):\n    exit()\n", "a.py", "wrong", "SystemExit"),
        ("def minimax(node, alpha):\n    return 3\n", "a.py", "wrong", "TypeError"),
        ("minimax = len\n", "a.py", "wrong", "TypeError"),
        ("def minimax(node):\n    while node.children: pass\n", "a.py", "wrong", "more than 20,000 times"),
    ],
)
@pytest.mark.usefixtures("few_trees")
def test_what_an_answer_may_be(tmp_path, text, name, status, says):
    results = graded(tmp_path, text, name, exercises=["minimax"])
    assert results["minimax"].status == status and says in results["minimax"].message, results
    assert "\n" not in results["minimax"].message


def test_a_process_that_ends_late_has_ended_on_the_tree_that_it_was_run_on(tmp_path):
    text = f"""
import os
{MINIMAX}
right, runs = minimax, 0

def minimax(node):
    global runs
    runs += 1
    if runs == 500:
        os._exit(3)
    return right(node)
"""
    (result,) = graded(tmp_path, text, exercises=["minimax"]).values()
    assert result.tree is not None and result.message.endswith("] its process ended (exit status 3)."), result


def test_a_file_that_cannot_be_read_is_told_where_no_exercise_is_named(tmp_path):
    (result,) = graded(tmp_path, "{", "a.ipynb").items()
    assert result[0] == marking.FILE and result[1].status == "error"
    assert graded(tmp_path, "print('no answers')") == {}


# what is said


@pytest.mark.parametrize("name", ["strict", "minimax", "only the parent's bound", "0 to begin with"])
def test_a_verdict_is_that_of_check(tmp_path, name):
    (mistake,) = (each for each in ALPHABETA if each.name == name)
    there, here = graded(tmp_path, mistaken("alphabeta", name))["alphabeta"], check("alphabeta", mistake.function)
    assert (there.status, there.mistake, there.message) == (here.status, here.mistake, here.message)
    assert [node.value for node in there.tree.nodes] == [node.value for node in here.tree.nodes]


@pytest.mark.parametrize(
    "path", sorted({*SOLUTIONS.glob("[!_]*.py")} - {SOLUTIONS / "hidden.py"}), ids=lambda path: path.stem
)
def test_solutions_are_right(path):
    report = grade(hand_ins([str(path)]), limits=Limits(20.0))
    (results,) = report.results.values()
    assert results and {name: result.status for name, result in results.items()} == dict.fromkeys(results, "right")
    assert report.all_right


def test_every_exercise_can_be_graded(tmp_path):
    results = graded(tmp_path, "\n".join(f"{python_name(name)} = None" for name in EXERCISES))
    assert {name: result.status for name, result in results.items()} == dict.fromkeys(EXERCISES, "not written yet")


def test_a_paper_that_is_right_in_part_has_part_of_the_points(tmp_path):
    text = 'tree_values = {"B": 3, "I": 0, "F": 5, "G": 8, "C": 4, "A": 5}'  # of six cells the last is wrong
    marked = graded(tmp_path, text, points={"tree-values": 3})["tree-values"]
    assert (marked.status, marked.points, marked.of) == ("wrong", pytest.approx(2.5), 3)


@pytest.mark.usefixtures("few_trees")
def test_points_are_for_what_is_right_and_part_of_them_for_right_values(tmp_path):
    strict = graded(tmp_path, mistaken("alphabeta", "strict"), points={"alphabeta": 4})["alphabeta"]
    assert (strict.status, strict.points, strict.of) == ("wrong", 2, 4)
    wrong = graded(tmp_path, mistaken("alphabeta", "0 to begin with"), points={"alphabeta": 4})["alphabeta"]
    assert (wrong.points, wrong.of) == (0, 4)
    right = graded(tmp_path, MINIMAX)["minimax"]
    assert (right.points, right.of) == (1, 1)


def test_what_is_late_is_told_with_its_tree(tmp_path):
    text = """
def minimax(node):
    while True:
        pass

def alphabeta(node, alpha, beta):
    import time
    time.sleep(99)

race = ([5, 3], [0, 1])
"""
    results = graded(tmp_path, text, limits=Limits(1.0))
    for name in ("minimax", "alphabeta"):
        assert results[name].status == "timeout" and results[name].tree is not None
        assert "it was stopped after 1 second" in results[name].message
    assert results["race"].status == "right"
    assert graded(tmp_path, "while True: pass\n" + MINIMAX, limits=Limits(1.0))["minimax"].status == "timeout"


def test_after_three_answers_that_are_late_the_others_are_not_tried(tmp_path):
    hangs = "".join(
        f"def {name}(*_):\n    while True:\n        pass\n\n" for name in ("minimax", "alphabeta", "negamax")
    )
    results = graded(tmp_path, hangs + "race = ([5, 3], [0, 1])\n", limits=Limits(0.5))
    assert {result.status for result in results.values()} == {"timeout"}
    assert results["race"].message == "It was not tried: 3 answers before it ran out of time."


# answers that start threads


@pytest.mark.parametrize(
    ("name", "answer", "status", "mistake"),
    [
        ("split-root", "pool_map", "right", None),
        ("split-root", "pool_of_two", "right", None),
        ("split-root", "no_join", "wrong", "no join"),
        ("split-root", "plain_loop", "wrong", "no threads"),
        ("race", "subclass", "right", None),
        ("share-alpha", "threads_and_a_semaphore", "right", None),
        ("share-alpha", "no_lock_shared", "wrong", "an update is lost"),
    ],
)
def test_threads_are_rehearsed_and_witnessed(tmp_path, name, answer, status, mistake):
    text = f"{inspect.getsource(thread_answers)}\n{python_name(name)} = {answer}\n"
    result = graded(tmp_path, text)[name]
    assert (result.status, result.mistake) == (status, mistake), result


def test_rehearsals_that_are_talked_into_being_right_are_witnessed_to_be_wrong(tmp_path):
    text = """
import gc
from threading import Thread
for each in gc.get_objects():
    if type(each).__name__ == "ThreadExercise" and "Verdict" in type(each).check.__globals__:
        verdict = type(each).check.__globals__["Verdict"]
        type(each).check = lambda self, answer, seconds: verdict(self.name, "right", "Of course.")

def split_root(root, search):
    found = []
    threads = [Thread(target=lambda child=child: found.append((child.name, search(child)))) for child in root.children]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return found[-1]
"""
    result = graded(tmp_path, text)["split-root"]
    assert result.status == "wrong" and "it returns (" in result.message, result


# the reports


REPORT = Report(
    {
        "a.py": {"minimax": Result("right", "On 9 trees.", points=1.0), "alphabeta": Result("not written yet", "No.")},
        "b.py": {
            "minimax": Result("wrong", "With \x1b it <b>", "it cuts", Tree([3, [-inf, 1]]), points=0.5),
            "alphabeta": Result("timeout", "Stopped."),
        },
        "c.py": {"alphabeta": Result("error", "Ended.")},
        "d.py": {},
    }
)


def test_the_table_has_a_line_for_each_answer_and_adds_up():
    lines = table(REPORT).splitlines()
    assert lines[0] == "a.py: 1 of 2 points" and lines[3] == "b.py: 0.5 of 2 points" and "d.py: no answer" in lines
    assert " ".join(lines[4].split()) == "✗ minimax 0.5 of 1 wrong it cuts: With ␛ it <b>"
    assert "minimax: 1 right, 1 wrong (it cuts 1×)" in lines
    assert "alphabeta: 1 not written yet, 1 error, 1 timeout" in lines
    assert lines[-1] == "4 hand-ins, 1.5 of 5 points"


@pytest.mark.parametrize("width", [1000, 100, 80, 69, 68, 40])
def test_a_long_message_is_told_to_its_end_within_the_terminal(width):
    said = "On [−3, [1, 2]] it returns 2; expected 1, since MIN moves there. " * 4 + "That is the end."
    report = Report({"a.py": {"alphabeta": Result("wrong", said), "minimax": Result("right", "Yes.")}})
    lines = table(report, width).splitlines()
    start, end = 1, next(at for at, line in enumerate(lines) if "✓ minimax" in line)
    assert all(len(line) <= width for line in lines)
    words = " ".join(lines[start:end]).split()
    assert words == ["✗", "alphabeta", "0", "of", "1", "wrong", *said.split()]
    beside = lines[start].find("On [")
    assert beside == (lines[end].index("Yes.") if width > 68 else -1)
    indents = {len(line) - len(line.lstrip()) for line in lines[start + 1 : end]}
    assert indents == (set() if width == 1000 else {beside} if width > 68 else {4})


def test_the_columns_of_the_table_stand_below_each_other():
    report = Report({"a.py": {"tree-values": Result("wrong", "x", points=2.5, of=12)}, "b.py": REPORT.results["a.py"]})
    lines = [line for line in table(report).splitlines() if line.startswith("  ")]
    assert lines[0] == "  ✗ tree-values  2.5 of 12  wrong           x"
    assert lines[1] == "  ✓ minimax        1 of 1   right           On 9 trees."


def test_json_is_what_is_promised():
    told = json.loads(as_json(REPORT))
    assert told["b.py"]["minimax"] == {
        **{"status": "wrong", "mistake": "it cuts", "tree": [3, ["-inf", 1]], "message": "With \x1b it <b>"},
        **{"to_move": "max", "points": 0.5, "of": 1.0},
    }
    assert told["a.py"]["minimax"]["tree"] is None and told["d.py"] == {}


@pytest.mark.parametrize("nested", [[0, [1, 2]], [{"to_move": "min", "children": [3, [4, 5]]}, 2]])
def test_a_tree_in_json_makes_that_tree(nested):
    tree = Tree(nested, to_move="min")
    told = json.loads(as_json(Report({"a.py": {"alphabeta": Result("wrong", "", tree=tree)}})))["a.py"]["alphabeta"]
    assert told["to_move"] == "min" and Tree(told["tree"], to_move=told["to_move"]) == tree


def test_junit_counts_failures_errors_and_what_is_skipped():
    root = ElementTree.fromstring(as_junit(REPORT))
    suites = {suite.get("name"): suite for suite in root}
    told = {
        name: [suite.get(each) for each in ("tests", "failures", "errors", "skipped")] for name, suite in suites.items()
    }
    assert told == {
        "a.py": ["2", "0", "0", "1"],
        "b.py": ["2", "1", "1", "0"],
        "c.py": ["1", "0", "1", "0"],
        "d.py": ["0"] * 4,
    }
    failure = suites["b.py"][0].find("failure")
    assert failure.get("type") == "it cuts" and failure.get("message") == "With ␛ it <b>"
    assert [child.tag for child in suites["c.py"][0]] == ["error"] and len(suites["a.py"][0]) == 0


# the command


@pytest.mark.parametrize(
    ("text", "status"), [(MINIMAX, 0), ("minimax = None", 0), ("def minimax(node): return 3", 1), ("", 0)]
)
@pytest.mark.usefixtures("few_trees")
def test_the_exit_status_tells_whether_what_is_written_is_right(tmp_path, capsys, text, status):
    (tmp_path / "a.py").write_text(text)
    junit = tmp_path / "report.xml"
    assert main(["check", str(tmp_path), "--json", "--junit", str(junit), "--seconds", "20"]) == status
    told = json.loads(capsys.readouterr().out)
    assert list(told) == [str(tmp_path / "a.py")]
    assert ElementTree.parse(junit).getroot()[0].get("name") == str(tmp_path / "a.py")


def test_the_report_is_told_though_its_file_could_not_be_written_after_all(tmp_path, capsys, monkeypatch):
    def full(path, data):
        raise AbvizError("cannot write it: no space is left")

    (tmp_path / "a.py").write_text("minimax = None")
    monkeypatch.setattr("abviz.cli_exercises.write_whole", full)
    assert main(["check", str(tmp_path / "a.py"), "--junit", str(tmp_path / "x.xml")]) == 2
    told = capsys.readouterr()
    assert "not written yet" in told.out and told.err == "abviz: cannot write it: no space is left\n"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["nowhere.py"], "nowhere.py does not exist; expected a hand-in or a folder"),
        (["nowhere"], "nowhere does not exist; expected a hand-in or a folder"),
        (["a.txt"], "a.txt is no hand-in; expected .ipynb, .py or a folder"),
        (["empty"], "no hand-in is there"),
        (["a.py", "--exercises", "minmax"], "unknown exercise 'minmax': did you mean minimax"),
        (["a.py", "--points", "minimax=x"], "--points has 'minimax=x'; expected an exercise and a number"),
        (["a.py", "--points", "minmax=1"], "unknown exercise 'minmax'"),
        (["a.py", "--points", "minimax=1, minimax = 2"], "--points has minimax twice; expected each exercise once"),
        (["a.py", "--seconds", "0"], "--seconds is 0.0; expected a number above 0"),
        (["a.py", "--megabytes", "1"], "--megabytes is 1; expected a number from 100"),
        (["a.py", "--junit", "nodir/x.xml"], "cannot write nodir/x.xml: there is no folder nodir"),
        (["a.py", "--junit", "empty"], "cannot write empty: it is a folder"),
        (["a.py", "--junit", ""], "cannot write '': it is a folder"),
        (["--junit", "a.py", "a.py"], "--junit is a.py, which is called like a hand-in; expected a name such as"),
        (["a.py", "--junit", "B.IPYNB"], "--junit is B.IPYNB, which is called like a hand-in"),
    ],
)
def test_bad_input_is_told_in_one_line(tmp_path, monkeypatch, capsys, arguments, says):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.py").write_text(MINIMAX)
    (tmp_path / "a.txt").write_text("")
    (tmp_path / "empty").mkdir()
    assert main(["check", *arguments]) == 2
    told = capsys.readouterr()
    assert says in told.err and told.err.count("\n") == 1 and told.out == ""
    assert (tmp_path / "a.py").read_text() == MINIMAX
