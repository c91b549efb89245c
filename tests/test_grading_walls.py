"""What a hand-in tries from machine code, which Python's own hook does not see: the kernel has to refuse it.

A hand-in of these tests is right only where all that it tries is refused; otherwise its answer is what was not.
"""

import os
import platform
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from string import Template
from time import monotonic, sleep
from typing import Any

import pytest

from abviz import Tree
from abviz.exercises.behaviour import observe
from abviz.exercises.grading import walls
from abviz.exercises.grading.calling import Answers
from abviz.exercises.grading.handins import hand_ins
from abviz.exercises.grading.marking import grade
from abviz.exercises.grading.process import Gone, Process
from abviz.exercises.grading.results import Limits

pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or platform.machine() != "x86_64", reason="the numbers of these calls are Linux's on x86-64"
)

TRIES = """
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
PARENT = os.getppid()

def refused(number, *arguments):
    return libc.syscall(number, *[ctypes.c_long(each) if isinstance(each, int) else each for each in arguments]) == -1

def readable(path):
    found = libc.open(os.fsencode(path), os.O_RDONLY)
    if found >= 0:
        letters = ctypes.create_string_buffer(64)
        return libc.read(found, letters, 64) >= 0 or bool(os.listdir(found))
    return False

tried = {}
$tries
open_to_it = [name for name, was_refused in tried.items() if not was_refused]
race = ([5, 3], [0, 1]) if not open_to_it else ", ".join(open_to_it)
"""

SIGNALS = """
pipe, _ = os.pipe()
owner = (ctypes.c_int * 2)(1, PARENT)
tried["F_SETOWN"] = refused(72, pipe, 8, PARENT)
tried["F_SETSIG"] = refused(72, pipe, 10, 9)
tried["F_SETOWN_EX"] = refused(72, pipe, 15, owner)
tried["FIOSETOWN"] = refused(16, pipe, 0x8901, ctypes.byref(ctypes.c_int(PARENT)))
tried["SIOCSPGRP"] = refused(16, pipe, 0x8902, ctypes.byref(ctypes.c_int(PARENT)))
"""

OF_THE_PARENT = """
core = (ctypes.c_ulong * 2)(0, 0)
mask = (ctypes.c_ulong * 16)(*[2**64 - 1] * 16)
zero = (ctypes.c_int * 1)(0)
for who in (PARENT, os.getpid(), 0):
    tried[f"prlimit64 {who}"] = refused(302, who, 4, core, None)
    tried[f"setpriority {who}"] = refused(141, 0, who, 0)
    tried[f"sched_setscheduler {who}"] = refused(144, who, 0, zero)
    tried[f"sched_setparam {who}"] = refused(142, who, zero)
    tried[f"ioprio_set {who}"] = refused(251, 1, who, 0)
tried["setrlimit"] = refused(160, 4, core)
tried["sched_setaffinity"] = refused(203, PARENT, 128, mask)
"""

LEFT_BEHIND = """
for name, get, control in (("shm", 29, 31), ("msg", 68, 71), ("sem", 64, 66)):
    arguments = {"shm": (0, 4096, 0o600), "msg": (0, 0o600), "sem": (0, 1, 0o600)}[name]
    number = libc.syscall(get, *arguments)
    tried[f"{name}get"] = number == -1
    if number != -1:
        libc.syscall(control, number, *((0, 0, 0) if name == "sem" else (0, 0)))
tried["mq_open"] = libc.syscall(240, b"abviz", os.O_CREAT | os.O_RDWR, 0o600, None) == -1 or libc.syscall(241, b"abviz")
tried["memfd_create"] = refused(319, b"x", 0)
"""

READING = """
parent = f"/proc/{PARENT}"
for path in (*$paths, f"{parent}/environ", f"{parent}/maps", os.path.expanduser("~/../.."), "/home", "/root"):
    tried[path] = not os.path.exists(path) or not readable(path)
"""

CHANGES = """
import stat
before = os.stat("$file")
libc.chmod(b"$file", 0)
libc.utime(b"$file", None)
after = os.stat("$file")
tried["chmod, utime"] = (before.st_mode, before.st_mtime) == (after.st_mode, after.st_mtime)
"""


def answer(folder: Path, text: str) -> str:
    """What came of a hand-in that stands in a folder of its own beside others."""
    path = folder / "bea" / "hand_in.py"
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    result = grade(hand_ins([str(folder)]), ["race"], limits=Limits(20.0)).results[str(path)]["race"]
    return result.status if result.status == "right" else result.message


@pytest.mark.parametrize(
    "tries", [SIGNALS, OF_THE_PARENT, LEFT_BEHIND], ids=["signals", "of the parent", "left behind"]
)
def test_the_kernel_refuses(tmp_path: Path, tries: str) -> None:
    assert answer(tmp_path, Template(TRIES).substitute(tries=tries)) == "right"


def test_nothing_can_be_read_but_what_it_needs(tmp_path: Path) -> None:
    import abviz
    from abviz.exercises import mistakes

    (tmp_path / "carl").mkdir()
    (tmp_path / "carl" / "hand_in.py").write_text("race = 3")
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "config").write_text("[core]")
    (tmp_path / "bea").mkdir()
    (tmp_path / "bea" / "own.txt").write_text("own")
    house = Path(abviz.__file__).parents[1]
    paths = [
        tmp_path,
        *tmp_path.rglob("*"),
        mistakes.__file__,
        mistakes.__cached__,
        __file__,
        house,
        house / ".git/HEAD",
    ]
    paths += [house / "abviz" / "grading"]
    tries = Template(READING).substitute(paths=[str(path) for path in paths])
    assert answer(tmp_path, Template(TRIES).substitute(tries=tries)) == "right"
    needed = "import numpy, yaml, matplotlib.pyplot, abviz\nassert open('own.txt').read() == 'own'\n"
    needed += "assert abviz.load('figure-4.24').root.children\nimport os; assert os.urandom(3) and os.cpu_count()\n"
    assert answer(tmp_path, f"{needed}race = ([5, 3], [0, 1])\n") == "right"


def test_a_file_of_its_own_can_be_touched_and_copied(tmp_path: Path) -> None:
    text = """
import os, pathlib, shutil
pathlib.Path("new").touch()
shutil.copy2("new", "other")
os.utime("new", (1, 1))
race = ([5, 3], [0, 1]) if sorted(os.listdir()) == ["hand_in.py", "new", "other"] else str(os.listdir())
"""
    assert answer(tmp_path, text) == "right"


def test_what_elsewhere_belongs_to_whom_is_not_changed(tmp_path: Path) -> None:
    file = tmp_path / "keep.txt"
    file.write_text("kept")
    tries = Template(CHANGES).substitute(file=file)
    assert answer(tmp_path, Template(TRIES).substitute(tries=tries)) == "right"


def test_threads_that_began_before_the_hand_in_are_walled_in_too(tmp_path: Path) -> None:
    """Where threads are rehearsed, one of the process's own listens: what the hand-in puts into its way runs there."""
    text = """
import json, os, ctypes
real, seen = json.loads, []
def loads(text):
    seen.append(ctypes.CDLL(None).socket(2, 1, 0))
    return real(text)
json.loads = loads

def race(root, search):
    raise ValueError(f"{min(seen, default=0)} {max(seen, default=0)}")
"""
    assert "ValueError: -1 -1" in answer(tmp_path, text)


def test_the_reference_is_not_there_even_where_the_hook_is_emptied(tmp_path: Path) -> None:
    text = """
import gc, os, sys, types
for each in gc.get_objects():
    if isinstance(each, types.FunctionType) and each.__qualname__.startswith("_hook.<locals>"):
        for cell in each.__closure__ or ():
            if isinstance(cell.cell_contents, tuple):
                cell.cell_contents = ()
sys.meta_path[:] = [each for each in sys.meta_path if "standins" not in type(each).__module__]
import abviz
sys.path.append(os.path.dirname(os.path.dirname(abviz.__file__)))
try:
    from abviz.exercises.mistakes import searching
except ImportError:
    race = ([5, 3], [0, 1])
except PermissionError as error:
    race = ([5, 3], [0, 1]) if "is not open to a hand-in" not in str(error) else 'the hook is still there'
else:
    race = "the reference is there"
"""
    assert answer(tmp_path, text) == "right"


def test_the_innermost_folder_decides_what_the_hook_lets_through() -> None:
    """Python's packages may stand in the folder of hand-ins, and a hand-in's own copy in a folder that is closed."""
    hook = walls._hook(("/tmp/own",), ("/tmp/own", "/course/.venv"), ("/course", "/tmp", "/course/.venv/lib/abviz"))
    for path in ("/course/.venv/lib/numpy.py", "/tmp/own/data.txt", "/usr/lib/python3/os.py"):
        hook("open", (path, "r", 0))
    for path in ("/course/carl.py", "/course", "/tmp/owner/x", "/course/.venv/lib/abviz/check.py"):
        with pytest.raises(PermissionError, match="is not open to a hand-in"):
            hook("open", (path, "r", 0))
    with pytest.raises(PermissionError):
        hook("open", ("/course/.venv/lib/numpy.py", "w", 0))
    with pytest.raises(PermissionError):
        hook("os.listdir", ("/course",))
    hook("open", ("/tmp/own/data.txt", "w", 0))


OUTLIVES = """
import ctypes, time
libc = ctypes.CDLL(None, use_errno=True)
libc.prctl(1, 0, 0, 0, 0)
for change in (libc.setgid, libc.setfsgid, libc.setuid, libc.setfsuid):
    change(65534)

def minimax(node):
    open("begun", "w").close()
    while True:
        try:
            time.sleep(60)
        except BaseException:
            pass
"""


def test_a_hand_in_does_not_outlive_a_grader_that_is_killed(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(OUTLIVES)
    command = [sys.executable, "-m", "abviz", "check", str(tmp_path / "a.py"), "--seconds", "60"]
    grader = subprocess.Popen(command, stdout=subprocess.DEVNULL, env=os.environ | {"TMPDIR": str(tmp_path)})
    try:
        assert soon(lambda: list(tmp_path.glob("abviz-*/begun")))
        (child,) = children(grader.pid)
    finally:
        grader.kill()
        grader.wait()
    try:
        assert soon(lambda: not Path(f"/proc/{child}").exists())
    finally:
        with suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)


def test_a_grader_that_is_told_to_end_leaves_no_folder(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(OUTLIVES)
    command = [sys.executable, "-m", "abviz", "check", str(tmp_path / "a.py"), "--seconds", "60"]
    grader = subprocess.Popen(command, stdout=subprocess.DEVNULL, env=os.environ | {"TMPDIR": str(tmp_path)})
    try:
        assert soon(lambda: list(tmp_path.glob("abviz-*/begun")))
        grader.terminate()
        assert grader.wait(20) == 128 + signal.SIGTERM
    finally:
        grader.kill()
        grader.wait()
    assert os.listdir(tmp_path) == ["a.py"]


def test_who_still_speaks_to_a_process_that_is_closed_cannot_start_it_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As the thread of a check does that was interrupted, while the grader ends."""
    (tmp_path / "a.py").write_text("def minimax(node):\n    return 5\n")
    (tmp_path / "own").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "own"))
    (hand_in,) = hand_ins([tmp_path / "a.py"])
    process = Process(hand_in, ["minimax"], 10, 512)
    answers = Answers(process)
    answer = answers["minimax"]
    assert observe(answer, Tree([3, 5])).value == 5 and os.listdir(tmp_path / "own")
    process.close()
    for ask in (lambda: observe(answer, Tree([3, 5])), lambda: answers["minimax"], process.start):
        with pytest.raises(Gone):
            ask()
    assert os.listdir(tmp_path / "own") == []


def soon(look: Callable[[], Any]) -> Any:
    end = monotonic() + 20
    while not (seen := look()) and monotonic() < end:
        sleep(0.05)
    return seen


def children(pid: int) -> list[int]:
    return [each for each in map(int, filter(str.isdigit, os.listdir("/proc"))) if parent(each) == pid]


def parent(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    except OSError:
        return 0
