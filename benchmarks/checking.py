"""How long `check` takes for each exercise that asks for a search: for a right answer, in a process that has checked
nothing yet and once more, beside the plain calls of the answer on the same trees; and for wrong ones, drawn."""

import subprocess
import sys
from pathlib import Path
from statistics import median
from time import perf_counter

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # the answers are those of the tests

from abviz.exercises.behaviour import observe
from tests.test_writing_exercises import WRITING, solution

from abviz import check
from abviz.exercises.counterexamples import TRIED, random_trees
from abviz.exercises.searches import Exercise

RIGHT_AIM, WRONG_AIM = 2.0, 3.0  # seconds
FIRST = "import sys; sys.path[:0] = sys.argv[2:]; import checking; print(checking.right(sys.argv[1]))"
HERE = Path(__file__).resolve().parent


def main() -> None:
    print(f"check, in seconds (aims: right ≤ {RIGHT_AIM:g}, wrong and drawn ≤ {WRONG_AIM:g})")
    print(f"{'exercise':16}{'trees':>8}{'first':>8}{'again':>8}{'plain':>8}{'wrong':>8}{'worst':>8}  of")
    firsts, worsts = [], []
    for exercise in WRITING:
        first, again = in_a_new_process(exercise.name), right(exercise.name)
        wrong = [drawn(exercise, form) for mistake in exercise.mistakes for form in mistake.forms[:1]]
        firsts.append(first)
        worsts.append(max(wrong))
        print(
            f"{exercise.name:16}{len(trees(exercise)):8,}{first:8.2f}{again:8.2f}{plain(exercise):>8}"
            f"{median(wrong):8.2f}{max(wrong):8.2f}  {len(wrong)}"
        )
    print(f"slowest: right {max(firsts):.2f}, wrong {max(worsts):.2f}")


def in_a_new_process(name: str) -> float:
    command = [sys.executable, "-c", FIRST, name, str(HERE), str(HERE.parent)]
    return float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def right(name: str) -> float:
    answer = solution(name)
    start = perf_counter()
    assert check(name, answer)
    return perf_counter() - start


def drawn(exercise: Exercise, answer: object) -> float:
    start = perf_counter()
    verdict = check(exercise.name, answer)
    verdict._repr_mimebundle_()
    assert not verdict
    return perf_counter() - start


def trees(exercise: Exercise) -> list[object]:
    return [tree for tree in (*exercise.small(), *random_trees(TRIED)) if exercise.fits(tree)]


def plain(exercise: Exercise) -> str:
    """Its plain calls on all of the trees, in the first case, with nothing looked at."""
    if exercise.run is not observe:
        return "—"  # it is handed more than the tree
    function = exercise.function(solution(exercise.name))
    case = exercise.cases[0]
    dressed = [case.dressed(tree) for tree in trees(exercise)]
    start = perf_counter()
    for tree in dressed:
        function(tree.root, *case.arguments)
    return f"{perf_counter() - start:.2f}"


if __name__ == "__main__":
    main()
