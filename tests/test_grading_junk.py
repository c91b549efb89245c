"""Hand-ins that stop listening, talk nonsense, or are no files that can be read: each costs only itself."""

import json
import os
import socket
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter
from xml.etree import ElementTree

import pytest

from abviz.cli import main
from abviz.exercises.grading import folders
from abviz.exercises.grading.handins import hand_ins
from abviz.exercises.grading.marking import grade
from abviz.exercises.grading.reports import as_json, as_junit, table
from abviz.exercises.grading.results import Limits, Report, Result
from tests.test_grading import MINIMAX, graded, notebook

POSIX = pytest.mark.skipif(os.name != "posix", reason="such files are of Unix systems")
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="pipes are found in /proc, and memory is limited, on Linux")
GOOD = 'tree_values = {"B": 3, "I": 0, "F": 5, "G": 8, "C": 4, "A": 4}\n'
# The pipe to the grader is the only one that this process writes to.
PIPE = """
import json, os
SAYS = next(n for n in map(int, os.listdir("/proc/self/fd")) if n > 2
            and os.path.exists(f"/proc/self/fdinfo/{n}") and "pipe" in os.readlink(f"/proc/self/fd/{n}")
            and int(open(f"/proc/self/fdinfo/{n}").read().split()[3], 8) & 1)
def say(*message):
    os.write(SAYS, json.dumps(message).encode() + b"\\n")
"""


def seconds_of(work):
    begin = perf_counter()
    return work(), perf_counter() - begin


# one that does not listen, or does not end


@LINUX
@pytest.mark.parametrize(
    "text",
    [
        "import time\ndef minimax(node):\n    time.sleep(99)\n",
        f"{PIPE}\nimport time\nfor _ in range(9):\n    say('value', 0, [])\ntime.sleep(99)\n{MINIMAX}",
        f"{PIPE}\nsay('read', ['minimax'], '', [])\nsay('answer', ['function', 0, 'f', []], [])\n"
        f"while True:\n    say('value', 0, [0] * 900)\n{MINIMAX}",
        # it claims to be done at once, and reads nothing of what it is sent from then on
        f"{PIPE}\nsay('read', ['minimax'], '', [])\nsay('answer', ['function', 0, 'f', [['node', 1, False]]], [])\n"
        f"for _ in range(4000):\n    say('returned', 3, [])\nimport time\ntime.sleep(99)\n{MINIMAX}",
        """
def minimax(node):
    while True:
        try:
            node.value
            minimax(node.children[0])
        except BaseException:
            pass
""",
    ],
    ids=["sleeps", "says it early", "asks without end", "does not listen", "goes on after all"],
)
def test_whatever_it_does_it_ends(tmp_path, text):
    results, seconds = seconds_of(lambda: graded(tmp_path, text, limits=Limits(1.0)))
    assert all(result.status != "right" for result in results.values()) and results
    assert seconds < 60, results


def test_an_exercise_that_asks_for_nothing_is_stopped_too(tmp_path, monkeypatch):
    from abviz.exercises.checking import EXERCISES
    from abviz.exercises.grading import marking

    class Endless:
        name = "race"

        def check(self, answer, seconds):
            while True:
                pass

    monkeypatch.setitem(EXERCISES, "race", Endless())
    monkeypatch.setattr(marking, "PATIENCE", 2)
    monkeypatch.setattr(marking, "AFTER", 0.2)
    result = graded(tmp_path, "race = 3\n" + MINIMAX, limits=Limits(1.0), exercises=["race"])["race"]
    assert result.status == "timeout" and "Checking it was stopped after 2.2 seconds" in result.message


# one that talks nonsense


@LINUX
@pytest.mark.parametrize(
    "said",
    [
        *([], [3], ["read"], ["read", 3, 4, []], ["read", ["minimax"], 3, []], ["read", ["minimax"], "", 3]),
        *([["read"], [], "", []], ["read", [["minimax"]], "", []], {"a": 1}, None, "x", ["read", [], "", [[[]]]]),
    ],
)
def test_what_is_said_instead_of_what_was_found_ends_nothing_else(tmp_path, said):
    folder = tmp_path / "class"
    folder.mkdir()
    (folder / "a.py").write_text(f"{PIPE}\nos.write(SAYS, json.dumps({said!r}).encode() + b'\\n')\n{MINIMAX}")
    (folder / "b.py").write_text(GOOD)
    report = grade(hand_ins([str(folder)]), limits=Limits(20.0))
    bad, good = report.results.values()
    assert good["tree-values"].status == "right" and all(result.status != "right" for result in bad.values())
    json.loads(as_json(report)), table(report), as_junit(report)


VERDICTS = {
    "a tree that is none": ("wrong", "x", None, "a tree", "wrong"),
    "a deep tree": ("wrong", "x", None, "DEEP", "wrong"),
    "an unknown mistake": ("wrong", "x", "<b>\x1b[31m", None, "error"),
    "a status that is none": ("great", "x", None, None, "error"),
    "a message that is none": ("wrong", ["x"], None, None, "error"),
    "a known mistake": ("wrong", "x", "no join", None, "wrong"),
}


@LINUX
@pytest.mark.parametrize("name", VERDICTS)
def test_a_verdict_that_is_forged_is_junk_until_it_is_checked(tmp_path, name):
    *said, expected = VERDICTS[name]
    deep = "def deep(n):\n    return [deep(n - 1), 1] if n else 3\n"
    text = f"{PIPE}\n{deep}\ndef split_root(root, search):\n    said = {said!r}\n"
    text += "    if said[3] == 'DEEP':\n        said[3] = ['tree', {'children': deep(200), 'to_move': 'max'}]\n"
    text += "    say('verdict', *said, [])\n    import time\n    time.sleep(1)\n"
    (tmp_path / "a.py").write_text(text)
    report = grade(hand_ins([str(tmp_path / "a.py")]), limits=Limits(20.0))
    (result,) = report.results[str(tmp_path / "a.py")].values()
    assert (result.status, result.tree) == (expected, None), result
    json.loads(as_json(report)), table(report), as_junit(report)


@LINUX
@pytest.mark.parametrize(
    "said",
    [
        *(["returned"], ["returned", 1, 2], ["raised"], ["raised", ["x"], "y", True], ["value", [[]]], ["value", "x"]),
        *(["value", 10**9], ["ask", 0, []], ["ask", "x", 3], ["returned", ["tree", {"children": 3}]], ["looks", 3]),
        *(["returned", ["node", []]], ["returned", ["function"]], ["returned", ["set", [["list", []]]]]),
        ["raised", "A\0\udcff", "x", False],
    ],
)
def test_what_is_said_instead_of_an_answer_makes_it_wrong_or_an_error(tmp_path, said):
    text = f"{PIPE}\ndef minimax(node):\n    say(*{said!r}, [])\n    import time\n    time.sleep(9)\n\n{GOOD}"
    results = graded(tmp_path, text, limits=Limits(2.0))
    assert results["minimax"].status in ("wrong", "error", "timeout") and results["tree-values"].status == "right", (
        results
    )
    report = Report({"a.py": results})
    json.loads(as_json(report)), table(report).encode(), as_junit(report)


def test_a_value_that_is_too_large_is_told_so(tmp_path):
    results = graded(tmp_path, "def minimax(node):\n    return [10**299] * 9000\n\nrace = [10**299] * 9000\n")
    assert results["minimax"].status == "wrong" and "a value too large to be read" in results["minimax"].message
    assert results["race"].status == "wrong" and "a value too large to be read" in results["race"].message


def test_what_takes_long_to_look_at_costs_the_next_hand_in_nothing(tmp_path):
    (tmp_path / "a.py").write_text("race = ([3] * 900, [str(i) for i in range(900)])\n")
    (tmp_path / "b.py").write_text("race = ([5, 3], [0, 1])\n")
    (first, second), seconds = seconds_of(lambda: grade(hand_ins([str(tmp_path)]), limits=Limits(3.0)).results.values())
    assert first["race"].status != "right" and second["race"].status == "right" and seconds < 60, (first, second)


# files that are none


@pytest.mark.parametrize("cell", ['"x = "+"-"*100000+"1"', '"x = "+"("*5000', '"x"+".a"*100000', '"x = "+"["*90'])
def test_a_cell_that_no_parser_can_take_fails_alone(tmp_path, cell):
    (tmp_path / "a.ipynb").write_text(notebook(eval(cell), "race = ([5, 3], [0, 1])"))
    (tmp_path / "b.py").write_text(GOOD)
    first, second = grade(hand_ins([str(tmp_path)]), limits=Limits(20.0)).results.values()
    assert all(each.status in ("right", "error") for each in first.values()) and first
    assert second["tree-values"].status == "right"


@POSIX
def test_what_is_no_file_is_an_error_of_its_own(tmp_path):
    folder, elsewhere = tmp_path / "class", tmp_path / "secret.py"
    (folder / "bea").mkdir(parents=True)
    elsewhere.write_text(GOOD)
    os.mkfifo(folder / "bea" / "pipe.py")
    os.mkfifo(folder / "bea" / "pipe")
    os.symlink(elsewhere, folder / "bea" / "link.py")
    os.symlink(elsewhere, folder / "bea" / "secret.txt")
    os.symlink("/dev/zero", folder / "bea" / "zero")
    os.symlink(tmp_path, folder / "bea" / "above")
    with socket.socket(socket.AF_UNIX) as listener:
        os.chdir(folder)
        listener.bind("socket.ipynb")
    (folder / "folder.py").mkdir()
    (folder / "bea" / "good.py").write_text(f"import os\nassert os.listdir() == ['good.py'], os.listdir()\n{GOOD}")
    results = grade(hand_ins([str(folder)]), limits=Limits(20.0)).results
    told = {Path(label).name: next(iter(each.values())) for label, each in results.items()}
    assert {name: result.status for name, result in told.items()} == {
        **{"pipe.py": "error", "link.py": "error", "socket.ipynb": "error", "good.py": "right"}
    }, told
    assert "it is a link" in told["link.py"].message and "no regular file" in told["pipe.py"].message
    (only,) = grade(hand_ins([str(folder / "bea" / "pipe.py")])).results.values()
    assert only["(file)"].status == "error"


@POSIX
def test_a_student_s_folder_that_is_a_link_is_told_and_not_left_out(tmp_path):
    folder, elsewhere = tmp_path / "class", tmp_path / "elsewhere"
    for each in (folder / "ada", elsewhere):
        each.mkdir(parents=True)
        (each / "a.py").write_text(GOOD)
    os.symlink(elsewhere, folder / "bea")
    os.symlink(elsewhere, folder / ".hidden")
    os.symlink(folder / "nowhere", folder / "lost")
    told = {Path(each.label).name: each.problem for each in hand_ins([str(folder)])}
    assert told == {"a.py": "", "bea": "it cannot be read: it is a link; expected a folder"}
    (result,) = grade(hand_ins([str(folder)]), limits=Limits(20.0)).results[str(folder / "bea")].values()
    assert result.status == "error"
    assert [each.problem for each in hand_ins([str(folder / "bea")])] == [""]


@POSIX
def test_what_may_not_be_read_is_an_error_of_its_own(tmp_path, monkeypatch):
    (tmp_path / "bea").mkdir()
    for name in ("a.py", "bea/b.py", "bea/beside.txt"):
        (tmp_path / name).write_text(GOOD)
    closed = {str(tmp_path / "a.py"), str(tmp_path / "bea" / "beside.txt")}
    real = open

    def refusing(path, *more, **named):  # the tests may run as root, who may read all
        if str(path) in closed:
            raise PermissionError(13, "Permission denied")
        return real(path, *more, **named)

    monkeypatch.setattr("builtins.open", refusing)
    monkeypatch.setattr("io.open", refusing)
    first, second = grade(hand_ins([str(tmp_path)]), limits=Limits(20.0)).results.values()
    assert first["(file)"].status == "error" and "Permission denied" in first["(file)"].message
    assert second["tree-values"].status == "right"


def test_hidden_files_do_not_go_along(tmp_path):
    (tmp_path / "bea" / ".git").mkdir(parents=True)
    (tmp_path / "bea" / ".git" / "config").write_text("x")
    (tmp_path / "bea" / "part").mkdir()
    (tmp_path / "bea" / "part" / "__init__.py").write_text(GOOD)
    (tmp_path / "bea" / "a.py").write_text(
        "import os\nassert '.git' not in os.listdir()\nfrom part import tree_values\n"
    )
    (results,) = grade(hand_ins([str(tmp_path)]), limits=Limits(20.0)).results.values()
    assert results["tree-values"].status == "right"


@POSIX
def test_folders_deeper_than_a_path_can_say_are_copied_past_and_removed(tmp_path, monkeypatch):
    text = """
import ctypes
libc = ctypes.CDLL(None)
for _ in range(3000):
    assert libc.mkdir(b"ddddddddd", 0o700) == 0 == libc.chdir(b"ddddddddd")
"""
    temporary = tmp_path / "temporary"  # of its own: others are graded at the same time
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    assert graded(tmp_path, text + GOOD)["tree-values"].status == "right"
    assert list(temporary.iterdir()) == []
    deep = tmp_path / "class" / "bea"
    deep.mkdir(parents=True)
    (deep / "a.py").write_text(GOOD)
    here = os.getcwd()
    os.chdir(deep)
    for _ in range(1500):
        os.mkdir("d")
        os.chdir("d")
    os.chdir(here)
    try:
        (results,) = grade(hand_ins([str(tmp_path / "class")]), limits=Limits(20.0)).results.values()
        assert results["tree-values"].status == "right"
    finally:
        folders.empty(deep)
    assert not list(deep.iterdir())


@POSIX
def test_a_folder_that_is_filled_is_noticed(tmp_path):
    text = """
import time
for i in range(99):
    with open(f"{i}", "wb") as file:
        file.truncate(15_000_000)
time.sleep(9)
"""
    result = graded(tmp_path, text + GOOD)["tree-values"]
    assert result.status == "error" and "too much in its folder" in result.message


@LINUX
def test_files_that_are_open_and_in_no_folder_are_counted_too(tmp_path):
    text = """
import os, time
held = [open("x", "wb")]
for i in range(60):
    os.unlink("x")
    held[-1].write(bytes(2_000_000))
    held[-1].flush()
    held.append(open("x", "wb"))
time.sleep(9)
"""
    result = graded(tmp_path, text + GOOD)["tree-values"]
    assert result.status == "error" and "too much in its folder" in result.message, result


@LINUX
def test_threads_without_number_are_noticed(tmp_path):
    text = """
import threading, time
threading.stack_size(32768)
try:
    for _ in range(20_000):
        threading.Thread(target=time.sleep, args=(9,), daemon=True).start()
except RuntimeError:
    time.sleep(9)
"""
    result = graded(tmp_path, text + GOOD)["tree-values"]
    assert result.status == "error" and "too many threads" in result.message


def test_names_are_shown_as_they_can_be(tmp_path):
    assert as_json(Report({"a\udcff.py".encode("utf-8", "replace").decode(): {}}))
    name = os.fsdecode(b"caf\xff.py") if sys.platform == "linux" else "cafe.py"
    (tmp_path / name).write_text(GOOD)
    (tmp_path / "b.py").write_text(GOOD)
    report = grade(hand_ins([str(tmp_path)]), limits=Limits(20.0))
    assert [each["tree-values"].status for each in report.results.values()] == ["right", "right"]
    for told in (as_json(report), table(report), as_junit(report).decode()):
        told.encode()


def test_what_a_mistake_is_called_is_shown_as_it_can_be():
    report = Report({"a.py": {"minimax": Result("wrong", "x", "<b>\x1b[31m")}})
    assert "\x1b" not in table(report) and "\x1b" not in as_junit(report).decode()
    assert ElementTree.fromstring(as_junit(report))[0][0][0].get("type") == "<b>␛[31m"


# the command


def test_an_exercise_may_be_told_as_its_answer_is_called(tmp_path, capsys):
    (tmp_path / "a.py").write_text("tree_values = {}\n")
    asked = ["check", str(tmp_path), "--json", "--exercises", "tree_values,tree-values", "--points", "tree_values=3"]
    assert main(asked) == 0
    (results,) = json.loads(capsys.readouterr().out).values()
    assert list(results) == ["tree-values"] and results["tree-values"]["of"] == 3


def test_the_command_ends_where_a_hand_in_is_hostile(tmp_path):
    (tmp_path / "a.py").write_text(f"{PIPE}\nos.write(SAYS, b'[1]\\n')\n" if sys.platform == "linux" else "1 / 0")
    (tmp_path / "b.py").write_text(GOOD)
    done = subprocess.run(
        [sys.executable, "-m", "abviz", "check", str(tmp_path), "--seconds", "20"], capture_output=True, text=True
    )
    assert done.returncode == 1 and "✓ tree-values" in done.stdout and done.stderr == ""
