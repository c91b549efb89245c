"""The compiled code on disk: a second process compiles nothing, no rule is answered from an old
cache, and failures.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from abviz import TicTacToe, search
from abviz.engine import Search, compiler
from abviz.engine.compiler import Engine, cache_folder, engine
from abviz.engine.storage import new_work
from tests.slow_search import Maze

HOUSE = Path(__file__).resolve().parents[1]
CALLED = ("perft", "perft_unique", "minimax", "alphabeta", "improved")

# Every function that Python calls, for each game; then the answers, and how they came to be
# compiled.
EVERY = """
import json
from abviz import Checkers, TicTacToe, perft, search
from abviz.engine.compiler import engine

hot = Checkers.from_fen("W:W28,K30:B1,2,3,17,18,25,26")
kings = Checkers.from_fen("B:BK1,K3,K6,K10,K14,K9:WK32,K30,K27,K23,K19,K24")
answers, signatures, misses, hits = [], {}, {}, {}
for positions in ([Checkers.start(), hot, kings], [TicTacToe.start()]):
    for position in positions:
        answers += [perft(position, 4), perft(position, 4, unique=True)]
        for method in ("improved", "alphabeta", "minimax"):
            result = search(position, 5, method=method)
            answers.append([result.move, result.value, result.nodes, list(result.line)])
        answers.append(list(search(position, 6, reductions=True, beam=3).line))
        answers.append(search(position, 6, hot=False, megabytes=0.001).value)
        answers.append(search(position, 9 if position != kings else 7).nodes)
    made = engine(type(positions[0]))
    for name in made.functions:
        key, function = f"{positions[0].title}.{name}", made.functions[name]
        signatures[key] = len(function.signatures)
        misses[key] = sum(function.stats.cache_misses.values())
        hits[key] = sum(function.stats.cache_hits.values())
print(json.dumps([answers, signatures, misses, hits]))
"""
KEYS = [f"{game}.{name}" for game in ("Checkers", "TicTacToe") for name in CALLED]

QUICK = """
from abviz import TicTacToe, perft
from abviz.engine.compiler import engine
count, made = perft(TicTacToe.start(), 4), engine(TicTacToe)
print(count, *(sum(s.values()) for s in made.functions["perft"].stats[1:]), made.folder)
"""


def homes(folder: Path) -> dict[str, str]:
    return dict.fromkeys(("XDG_CACHE_HOME", "HOME", "USERPROFILE", "LOCALAPPDATA"), str(folder))


def run(
    code: str, home: Path, *, source: Path = HOUSE, **changes: str
) -> subprocess.CompletedProcess[str]:
    environment = os.environ | homes(home) | {"PYTHONPATH": str(source)} | changes
    if source != HOUSE:
        environment |= {"PYTHONDONTWRITEBYTECODE": "1"}  # Python's own cache goes by dates
    ran = subprocess.run(
        [sys.executable, "-c", code],
        cwd=source,
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert ran.returncode == 0, (ran.returncode, ran.stderr[-3000:])
    return ran


def quick(home: Path, **options: Any) -> tuple[int, int, int, str]:
    """Return what perft counts, its hits and misses in the cache, and the folder."""
    count, hits, misses, folder = run(QUICK, home, **options).stdout.split()
    return int(count), int(hits), int(misses), folder


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("home")


@pytest.fixture(scope="module")
def cold(home: Path) -> list[Any]:
    """The output of the first process."""
    ran = run(EVERY, home)
    assert ran.stderr == "", "progress is only for terminals and notebooks"
    return json.loads(ran.stdout)  # type: ignore[no-any-return]


@pytest.mark.slow
def test_the_second_process_compiles_nothing(home: Path, cold: list[Any]) -> None:
    """A call with a literal, or mutual recursion, would end the second process by a signal."""
    answers, signatures, misses, _ = cold
    assert all(misses[key] and signatures[key] == 1 for key in KEYS)
    assert all(number <= 1 for number in signatures.values()), signatures
    files = {path: path.stat().st_mtime_ns for path in home.rglob("*.nb?")}
    again, signatures, misses, hits = json.loads(run(EVERY, home).stdout)
    assert again == answers and not any(misses.values()), misses
    assert all(hits[key] == signatures[key] == 1 for key in KEYS)
    assert {path: path.stat().st_mtime_ns for path in home.rglob("*.nb?")} == files


CHANGES = [
    ("games/tic_tac_toe.py", "while empty:", "while empty & (empty - 1):"),
    ("games/rules.py", "self.moves(legal)\n        return int(legal.size())", "return 7"),
    ("engine/plain.py", "    total = 0\n", "    total = 100\n"),
]


@pytest.mark.slow
def test_a_changed_rule_is_never_answered_from_an_old_cache(tmp_path: Path) -> None:
    source, home = tmp_path / "source", tmp_path / "home"
    shutil.copytree(HOUSE / "abviz", source / "abviz", ignore=shutil.ignore_patterns("__pycache__"))
    assert quick(home, source=source)[::2] == (3024, 1)
    for module, before, after in CHANGES:
        path = source / "abviz" / module
        text, times = path.read_text("utf-8"), path.stat()
        assert before in text
        path.write_text(text.replace(before, after, 1), "utf-8")
        # As a tool that keeps dates may leave it
        os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
        count, hits, misses, _ = quick(home, source=source)
        assert count != 3024 and (hits, misses) == (0, 1), module
        path.write_text(text, "utf-8")
    assert quick(home, source=source)[:3] == (3024, 1, 0), "that of the first rules is still there"


@pytest.mark.parametrize(
    "changes",
    [
        {"XDG_CACHE_HOME": "relative"},
        *(
            pytest.param(changes, marks=pytest.mark.slow)
            for changes in ({}, {"HOME": "/dev/null", "XDG_CACHE_HOME": ""}, {"HOME": "relative"})
        ),
    ],
)
def test_without_a_place_to_write_it_works_and_leaves_nothing(
    changes: dict[str, str], tmp_path: Path
) -> None:
    blocked, here = tmp_path / "file", tmp_path / "here"
    blocked.write_text("in the way")
    here.mkdir()
    if "HOME" in changes:
        changes = {"XDG_CACHE_HOME": "", **changes}
    count, *_, folder = run(
        f"import os; os.chdir({str(here)!r})\n{QUICK}", blocked, **changes
    ).stdout.split()
    assert (count, folder) == ("3024", "None") and list(here.iterdir()) == []


@pytest.mark.slow
def test_a_damaged_file_is_replaced(tmp_path: Path) -> None:
    home = tmp_path / "home"
    quick(home)
    for ending in ("nbi", "nbc"):
        files = list(home.rglob(f"*.{ending}"))
        assert files
        for file in files:
            file.write_bytes(file.read_bytes()[:100])
        assert quick(home)[0] == 3024
        quick(home)
        assert quick(home)[:3] == (3024, 1, 0), "it is there again"


def test_a_student_s_game_is_not_kept() -> None:
    assert cache_folder(Maze) is None and engine(Maze).folder is None


def test_a_message_says_what_takes_long(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    messages: list[str] = []
    monkeypatch.setattr(compiler, "notify", messages.append)
    monkeypatch.setattr(compiler, "cache_folder", lambda cls: tmp_path)
    for _ in range(2):  # in the second process, as it were, it is on disk
        monkeypatch.setattr(compiler, "engine", Engine)
        compiler.prepared(TicTacToe(), "perft", new_work(), None)
    assert messages == ["compiling the search for TicTacToe …"]


def test_what_is_compiled_is_not_prepared_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Telling numba's types of the arguments would take longer than a small search."""
    first = search(TicTacToe(), 2)
    monkeypatch.delattr(Engine, "compile")
    assert search(TicTacToe(), 2).value == first.value


NEAR_THE_END = """
import json, random, sys
from abviz import Checkers, TicTacToe, search
from abviz.games.rules import generated_moves

dice = random.Random(5)
positions = [Checkers.from_fen("B:WK15:B10"), TicTacToe.from_cells("o.o x.x ..x")]
while len(positions) < 20:
    position = TicTacToe.start()
    for _ in range(4 + len(positions) % 4):
        if not position.over():
            position = position.play(dice.choice(generated_moves(position)))
    if not position.over():
        positions.append(position)

def answers():
    found = []
    for position in positions:
        for options in ({"depth": 3}, {"depth": 9, "method": "minimax"}, {"nodes": 60}):
            record = search(position, **options).to_dict()
            found.append({name: record[name] for name in record if "second" not in name})
    return found

by_python = answers()
imported = [name for name in ("numba", "numpy") if name in sys.modules]
for game in (Checkers, TicTacToe):
    for method in ("improved", "minimax"):
        search(game.start(), 2, method=method)
print(json.dumps([by_python, imported, answers()]))
"""


def test_the_last_moves_of_a_game_do_not_wait_for_the_compiler() -> None:
    """The first reply comes at once, and is the one that compiled code would give."""
    by_python, imported, compiled = json.loads(run(NEAR_THE_END, Path.home()).stdout)
    assert "numba" not in imported
    assert by_python == compiled


@pytest.mark.parametrize("method", ["alphabeta", "minimax"])
def test_only_a_search_that_stores_results_has_a_table(method: str) -> None:
    assert len(Search(TicTacToe(), 2, method=method).table) == 2
    assert len(Search(TicTacToe(), 2, table=False).table) == 2
    assert len(Search(TicTacToe(), 2, megabytes=1).table) == 1 << 15
