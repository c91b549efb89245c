"""What is compiled is kept on disk: the second process compiles nothing, and no rule is answered from an old cache."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from abviz import Checkers, TicTacToe
from abviz.engine.compiler import KEPT, Engine, cache_folder, engine
from abviz.engine.workspace import new_work
from tests.slow_search import Maze

HOUSE = Path(__file__).resolve().parents[1]

# Every function that Python may call, for each game; then what was answered, and how it came to be compiled.
EVERY = """
import json
from abviz import Checkers, TicTacToe, search
from abviz.engine.compiler import engine
from abviz.engine.transposition_table import new_table
from abviz.engine.workspace import new_work

hot = Checkers.from_fen("W:W28,K30:B1,2,3,17,18,25,26")
kings = Checkers.from_fen("B:BK1,K3,K6,K10,K14,K9:WK32,K30,K27,K23,K19,K24")
answers, signatures, misses, hits = [], {}, {}, {}
for positions in ([Checkers.start(), hot, kings], [TicTacToe.start()]):
    made = engine(type(positions[0]))
    search(positions[0], 2)
    for position in positions:
        weights = list(position.weights.values())
        work = new_work()
        work.weights[: len(weights)] = weights
        answers.append(int(made.perft(position, 4, work, 0)))
        answers.append(int(made.perft_unique(position, 4, work, 0)))
        answers.append(int(made.minimax(position, 4, work, 0)))
        answers.append(int(made.alphabeta(position, 5, -1_000_000, 1_000_000, work, 0)))
        for name in ("captures", "killers", "history", "table", "pvs"):
            work[name] = 1
        answers.append(int(made.improved(position, 6, -1_000_000, 1_000_000, work, new_table(1 << 12), 0)))
        for method in ("improved", "alphabeta", "minimax"):
            result = search(position, 5, method=method)
            answers.append([result.move, result.value, result.nodes, list(result.line)])
        answers.append(list(search(position, 6, presort=True, reductions=True, beam=3).line))
        answers.append(search(position, 6, hot=False, megabytes=0.001).value)
        answers.append(search(position, 9 if position != kings else 7).nodes)
    for name in made.functions:
        function = made.names[name]
        key = f"{positions[0].title}.{name}"
        signatures[key] = len(function.signatures)
        misses[key] = sum(function.stats.cache_misses.values())
        hits[key] = sum(function.stats.cache_hits.values())
print(json.dumps([answers, signatures, misses, hits]))
"""
CALLED = ("perft", "perft_unique", "minimax", "alphabeta", "improved")

QUICK = """
from abviz import TicTacToe
from abviz.engine.compiler import engine
from abviz.engine.workspace import new_work
made = engine(TicTacToe)
print(made.perft(TicTacToe.start(), 4, new_work(), 0), *(sum(s.values()) for s in made.perft.stats[1:]), made.folder)
"""


def home_of_caches(folder: Path) -> dict[str, str]:
    """The variables that say where a user's caches are, on every system."""
    return dict.fromkeys(("XDG_CACHE_HOME", "HOME", "USERPROFILE", "LOCALAPPDATA"), str(folder))


def run(code: str, home: Path, *, source: Path = HOUSE, **changed: str) -> subprocess.CompletedProcess[str]:
    surroundings = os.environ | home_of_caches(home) | {"PYTHONPATH": str(source)} | changed
    if source != HOUSE:
        surroundings |= {"PYTHONPYCACHEPREFIX": os.devnull}  # what Python has compiled is told by dates
    ran = subprocess.run(
        [sys.executable, "-c", code], cwd=source, env=surroundings, capture_output=True, text=True, timeout=150
    )
    assert ran.returncode == 0, (ran.returncode, ran.stderr[-3000:])
    return ran


def quick(home: Path, **told: Any) -> tuple[int, int, int, str]:
    """What perft counts, how often it was found in the cache and how often not, and the folder of the cache."""
    count, found, missed, folder = run(QUICK, home, **told).stdout.split()
    return int(count), int(found), int(missed), folder


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("home")


@pytest.fixture(scope="module")
def cold(home: Path) -> tuple[list[Any], str]:
    """What the first process of all has found, and what it has said."""
    ran = run(EVERY, home)
    return json.loads(ran.stdout), ran.stderr


def test_the_second_process_compiles_nothing(home: Path, cold: tuple[list[Any], str]) -> None:
    """A call with a constant, or of two functions by each other, would end the second process by a signal."""
    answers, _, misses, _ = cold[0]
    assert all(misses[f"{game}.{name}"] for game in ("Checkers", "TicTacToe") for name in CALLED)
    files = {path: path.stat().st_mtime_ns for path in home.rglob("*.nb?")}
    for _ in range(2):
        ran = run(EVERY, home)
        again, kept, missed, found = json.loads(ran.stdout)
        assert again == answers
        assert not any(missed.values()), missed
        assert all(found[f"{game}.{name}"] == 1 for game in ("Checkers", "TicTacToe") for name in CALLED)
        assert all(number <= 1 for number in kept.values()), kept
        assert ran.stderr == "", "nothing to wait for, and nothing said"
    assert {path: path.stat().st_mtime_ns for path in home.rglob("*.nb?")} == files


def test_each_function_has_one_signature_a_game(cold: tuple[list[Any], str]) -> None:
    _, signatures, _, _ = cold[0]
    assert all(number <= 1 for number in signatures.values()), signatures
    assert all(signatures[f"{game}.{name}"] == 1 for game in ("Checkers", "TicTacToe") for name in CALLED)


def test_with_bounds_checked_it_does_the_same(cold: tuple[list[Any], str], home: Path) -> None:
    """Cleanly, and from a cache of its own."""
    ran = run(EVERY, home, NUMBA_BOUNDSCHECK="1")
    answers, _, missed, _ = json.loads(ran.stdout)
    assert answers == cold[0][0]
    assert all(missed[f"Checkers.{name}"] for name in CALLED)


def copied(folder: Path) -> Path:
    shutil.copytree(HOUSE / "abviz", folder / "abviz", ignore=shutil.ignore_patterns("__pycache__"))
    return folder


CHANGES = [
    ("games/tic_tac_toe.py", "while empty:", "while empty & (empty - 1):"),
    ("games/rules.py", "self.moves(found)\n    return int(found.size())", "return 7"),
    ("engine/plain.py", "    total = 0\n", "    total = 100\n"),
]


def test_a_changed_rule_is_never_answered_from_an_old_cache(tmp_path: Path) -> None:
    source, home = copied(tmp_path / "source"), tmp_path / "home"
    assert quick(home, source=source)[::2] == (3024, 1)
    for module, before, after in CHANGES:
        path = source / "abviz" / module
        text, times = path.read_text("utf-8"), path.stat()
        assert before in text
        path.write_text(text.replace(before, after, 1), "utf-8")
        os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))  # as a tool that keeps dates may leave it
        count, found, missed, _ = quick(home, source=source)
        assert count != 3024 and (found, missed) == (0, 1), module
        path.write_text(text, "utf-8")
    assert quick(home, source=source)[:3] == (3024, 1, 0), "that of the first rules is still there"


def test_two_processes_that_fill_it_at_once_are_safe(tmp_path: Path) -> None:
    surroundings = os.environ | home_of_caches(tmp_path) | {"PYTHONPATH": str(HOUSE)}
    both = [
        subprocess.Popen([sys.executable, "-c", QUICK], env=surroundings, stdout=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    for process in both:
        out, _ = process.communicate(timeout=150)
        assert process.returncode == 0 and out.startswith("3024 ")
    assert quick(tmp_path)[:3] == (3024, 1, 0)


@pytest.mark.usefixtures("cold")
def test_a_home_that_cannot_be_written_is_done_without(tmp_path: Path, home: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    assert quick(blocked)[::3] == (3024, "None")
    kept = Path(shutil.copytree(home, tmp_path / "kept"))
    for path in (kept, *kept.rglob("*")):
        path.chmod(0o555 if path.is_dir() else 0o444)
    try:
        assert quick(kept)[0] == 3024
    finally:
        for path in (kept, *kept.rglob("*")):
            path.chmod(0o755)


def test_without_a_home_it_works_too(tmp_path: Path) -> None:
    surroundings = {name: value for name, value in os.environ.items() if name not in home_of_caches(tmp_path)}
    for more in ({}, {"HOME": "/nonexistent/home/of/nobody\0"[:-1]}, {"HOME": "/dev/null"}):
        ran = subprocess.run(
            [sys.executable, "-c", "from abviz.engine.compiler import cache_folder; from abviz import TicTacToe\n"
             "print(cache_folder(TicTacToe))"],
            cwd=tmp_path, env=surroundings | more | {"PYTHONPATH": str(HOUSE)}, capture_output=True, text=True,
        )  # fmt: skip
        assert ran.returncode == 0, ran.stderr
        assert ran.stdout.strip() == "None" or Path(ran.stdout.strip()).is_absolute()
    assert list(tmp_path.iterdir()) == []


def test_old_caches_are_cleared_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("abviz.engine.compiler.user_caches", lambda: tmp_path)
    for i in range(9):
        old = tmp_path / "abviz" / f"version {i}" / "Checkers"
        old.mkdir(parents=True)
        (old / "index.nbi").write_text("old")
        os.utime(old.parent, (i, i))
    folder = cache_folder(Checkers)
    assert folder is not None and folder.is_dir()
    left = sorted(path.name for path in (tmp_path / "abviz").iterdir() if path != folder.parent)
    assert left == [f"version {i}" for i in range(9 - KEPT, 9)]
    assert cache_folder(Checkers) == folder


def test_a_student_s_game_is_not_kept_on_disk() -> None:
    assert cache_folder(Maze) is None and engine(Maze).folder is None
    assert {cache_folder(game).name for game in (Checkers, TicTacToe)} == {"Checkers", "TicTacToe"}


def test_who_waits_for_the_compiler_is_told_so(cold: tuple[list[Any], str]) -> None:
    _, said = cold
    first, second, *_ = said.splitlines()
    assert first.startswith("compiling ") and first.endswith(" for Checkers …")
    assert second.startswith("compiled in ") and second.endswith(" s, and kept for next time")
    told = [line for line in said.splitlines() if line.startswith("compiling ")]
    assert len(told) == len(set(told))  # nothing is compiled twice


def test_the_engine_of_a_game_is_made_once() -> None:
    assert engine(Checkers) is engine(Checkers) is not engine(TicTacToe)
    for name in ("quiescence", "list_moves"):  # to call what is for compiled code alone would end the process
        with pytest.raises(AttributeError):
            getattr(engine(Checkers), name)
    assert set(CALLED) < set(engine(Checkers).functions)


def told(home: Path, **changed: str) -> tuple[int, str, str]:
    code = "from abviz.cli import main; raise SystemExit(main(['search', 'tic-tac-toe', '--depth', '9', '--json']))"
    surroundings = os.environ | home_of_caches(home) | {"PYTHONPATH": str(HOUSE)} | changed
    ran = subprocess.run([sys.executable, "-c", code], env=surroundings, capture_output=True, text=True, timeout=150)
    return ran.returncode, ran.stdout, ran.stderr


@pytest.mark.usefixtures("cold")
def test_a_damaged_cache_is_compiled_anew(tmp_path: Path, home: Path) -> None:
    copy = Path(shutil.copytree(home, tmp_path / "home"))
    for ending in ("nbi", "nbc"):
        files = list(copy.rglob(f"*.{ending}"))
        assert files
        for file in files:
            file.write_bytes(file.read_bytes()[:100])
        status, out, err = told(copy)
        assert (status, json.loads(out)["value"]) == (0, 0), err
        assert "Traceback" not in err
        assert any(file.stat().st_size > 100 for file in copy.rglob(f"*.improved-*.{ending}")), "it is there again"


def test_where_the_compiler_is_switched_off_that_is_said(tmp_path: Path) -> None:
    status, out, err = told(tmp_path, NUMBA_DISABLE_JIT="1")
    assert (status, out) == (2, "")
    assert err == "abviz: NUMBA_DISABLE_JIT is set; expected it unset, since the engine is compiled code\n"


def test_a_full_disk_costs_the_cache_and_nothing_else(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("abviz.engine.compiler.user_caches", lambda: tmp_path)
    monkeypatch.setattr("numba.core.caching.IndexDataCacheFile.save", full)
    made = Engine(TicTacToe)
    made.prepare("perft", TicTacToe(), 1, new_work(), 0)
    assert made.perft(TicTacToe(), 3, new_work(), 0) == 504 and made.folder is None
