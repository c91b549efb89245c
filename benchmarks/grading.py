"""How long `abviz check` takes for a class of 120, next to the plain calls of the same answers on
the same trees, one after the other.

    python benchmarks/grading.py
"""

import contextlib
import io
import os
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # the class is that of the tests

from abviz.cli import main as abviz
from abviz.exercises.searches import SEARCHES
from tests.a_class import DEADLINE, HELPER, KINDS, Codes, members, write_class

NUMBER = 120
EXERCISES = "minimax", "alphabeta"
COMMAND = [
    *("check", "hand-ins.zip", "--exercises", ",".join(EXERCISES), "--fresh"),
    *("--gradebook", "gradebook.csv", "--gradebook-out", "new.csv", "--deadline", DEADLINE),
]

# Their answers never return, or end the process
NOT_CALLED = "loop", "crash"


def main() -> None:
    with TemporaryDirectory() as folder, contextlib.chdir(folder):
        os.environ["ABVIZ_CACHE"] = str(Path(folder, "cache"))
        write_class(Path(folder), "moodle", members(NUMBER))
        start = perf_counter()
        with contextlib.redirect_stdout(io.StringIO()):
            abviz(COMMAND)
        checked = perf_counter() - start

    kinds = [member.kind for member in members(NUMBER)]
    plain = sum(kinds.count(kind) * seconds_of(kind) for kind in KINDS)
    print(f"a class of {NUMBER}: {checked:.1f} s with {os.cpu_count()} at a time")
    print(f"the plain calls of its answers, but those that don't end: {plain:.1f} s")


def seconds_of(kind: str) -> float:
    """Return the time of the plain calls of the answers of one student."""
    names: dict[str, Any] = {}
    if kind not in NOT_CALLED:
        for code in codes(KINDS[kind][0]):
            exec(code.replace("from helper import search as alphabeta", ""), names)
    if "alphabeta" not in names and "search" in names:
        names["alphabeta"] = names["search"]

    seconds = 0.0
    for exercise in SEARCHES:
        function = names.get(exercise.name) or names.get("alpha_beta")
        if exercise.name not in EXERCISES or not function:
            continue
        trees = [job.tree for job in exercise.trials()[0]]
        start = perf_counter()
        with contextlib.suppress(NotImplementedError):
            for tree in trees:
                function(tree.root, *exercise.cases[0].arguments)
        seconds += perf_counter() - start
    return seconds


def codes(files: Codes) -> list[str]:
    """Return the Python in the files, the helpers first."""
    found: list[str] = []
    for name, code in files.items():
        if isinstance(code, dict):
            found += codes(code)
        elif not name.endswith(".docx"):
            found.append(code)
    return sorted(found, key=lambda code: code != HELPER)


if __name__ == "__main__":
    main()
