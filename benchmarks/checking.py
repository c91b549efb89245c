"""How long `check` takes for each search to write: for a right answer, in a process that has
checked nothing yet and once more, next to the plain calls of the answer on the same trees; and for
wrong answers, with their drawing.
"""

import subprocess
import sys
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # the answers are those of the tests

from abviz import check
from abviz.exercises.searches import SEARCHES, SearchExercise
from tests.solutions import writing as solutions

RIGHT_AIM, WRONG_AIM = 2.0, 3.0  # seconds
FIRST = (
    "import sys; sys.path[:0] = sys.argv[2:]; import checking; print(checking.right(sys.argv[1]))"
)
HERE = Path(__file__).resolve().parent


def main() -> None:
    print(f"check, in seconds (aims: right ≤ {RIGHT_AIM:g}, wrong and drawn ≤ {WRONG_AIM:g})")
    print(
        f"{'exercise':16}{'trees':>8}{'first':>8}{'again':>8}{'plain':>8}{'wrong':>8}{'worst':>8}  of"
    )
    firsts, worsts = [], []
    for exercise in SEARCHES:
        first, again = in_a_new_process(exercise.name), right(exercise.name)
        wrong = [
            drawn(exercise, exercise.build(**mistake.forms[0])) for mistake in exercise.mistakes
        ]
        firsts.append(first)
        worsts.append(max(wrong))
        trees = len(exercise.trials()[0])
        print(
            f"{exercise.name:16}{trees:8,}{first:8.2f}{again:8.2f}{plain(exercise):>8}"
            f"{median(wrong):8.2f}{max(wrong):8.2f}  {len(wrong)}"
        )
    print(f"slowest: right {max(firsts):.2f}, wrong {max(worsts):.2f}")


def in_a_new_process(name: str) -> float:
    command = [sys.executable, "-c", FIRST, name, str(HERE), str(HERE.parent)]
    return float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def solution(name: str) -> Any:
    return getattr(solutions, name.replace("-", "_"))


def right(name: str) -> float:
    start = perf_counter()
    assert check(name, solution(name))
    return perf_counter() - start


def drawn(exercise: SearchExercise, answer: Any) -> float:
    start = perf_counter()
    verdict = check(exercise.name, answer)
    verdict._repr_mimebundle_()
    assert not verdict
    return perf_counter() - start


def plain(exercise: SearchExercise) -> str:
    """Return the time of the plain calls on all of the trees, in the first case, with nothing
    looked at.
    """
    function, case = solution(exercise.name), exercise.cases[0]
    if exercise.how != "search" or not callable(function):
        return "—"  # it is handed more than the tree
    trees = [job.tree for job in exercise.trials()[0]]
    start = perf_counter()
    for tree in trees:
        function(tree.root, *case.arguments)
    return f"{perf_counter() - start:.2f}"


if __name__ == "__main__":
    main()
