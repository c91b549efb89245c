"""What grading, feedback and stored results cost for a class, next to the plain run of the same
answers: every answer called on every tree on which it is tried, in this process, without limits and
without a verdict. Grading and the plain run take turns, batch by batch. Answers that loop or end
their process can't be run plainly, and are graded apart.
"""

import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # the class is that of the tests

from abviz.exercises import find
from abviz.exercises.judgement import FunctionExercise
from abviz.exercises.observation import observe
from abviz.exercises.worker import new_namespace, read_cells
from abviz.grading.feedback import write_feedback
from abviz.grading.grader import grade
from abviz.grading.hand_ins import Student, collect
from abviz.grading.report import Report
from abviz.grading.stored_results import StoredResults
from tests.a_class import KINDS, Member, downloaded_from_moodle, members

STUDENTS = 120
BATCHES = 6
JOBS = 2
SECONDS = 10.0  # the usual limit
EXERCISES = ("minimax", "alphabeta")
NOT_PLAIN = ("loop", "crash")


def main() -> None:
    with TemporaryDirectory() as folder:
        measure(Path(folder))


def measure(folder: Path) -> None:
    everyone = members(STUDENTS)
    plain_ones = [member for member in everyone if member.kind not in NOT_PLAIN]
    others = [member for member in everyone if member.kind in NOT_PLAIN]
    stored = StoredResults(folder / "results")

    print(f"{STUDENTS} students, {', '.join(EXERCISES)}; {JOBS} at a time, seconds")
    print(f"{'batch':8}{'students':>10}{'plain':>9}{'graded':>9}{'times':>7}")
    plain_sum = graded_sum = 0.0
    report = Report()
    for batch in range(BATCHES):
        part = plain_ones[batch::BATCHES]
        students = written(folder / f"batch {batch}", part)
        start = perf_counter()
        run_plainly(students)
        plain = perf_counter() - start

        start = perf_counter()
        add(report, graded(students, stored))
        spent = perf_counter() - start

        plain_sum += plain
        graded_sum += spent
        print(f"{batch:<8}{len(part):10}{plain:9.1f}{spent:9.1f}{spent / plain:7.2f}")
    all_plain = f"{plain_sum:9.1f}{graded_sum:9.1f}{graded_sum / plain_sum:7.2f}"
    print(f"{'all':8}{len(plain_ones):10}{all_plain}")

    start = perf_counter()
    add(report, graded(written(folder / "others", others), stored))
    print(f"{' and '.join(NOT_PLAIN)}: {len(others)} students, {perf_counter() - start:.1f} s")

    start = perf_counter()
    (folder / "pages").mkdir()
    write_feedback(report, folder / "pages")
    spent = perf_counter() - start
    pages = [*(folder / "pages").rglob("*.html")]
    largest = max(page.stat().st_size for page in pages)
    print(f"feedback: {len(pages)} pages in {spent:.1f} s, the largest {largest / 1000:.0f} kB")

    start = perf_counter()
    again = collect([str(folder / f"batch {batch}") for batch in range(BATCHES)])[0]
    graded(again, StoredResults(folder / "results"))
    print(f"the {len(plain_ones)} again, from stored results: {perf_counter() - start:.1f} s")


def written(folder: Path, part: Sequence[Member]) -> list[Student]:
    """Return the students of that part, whose files are written as Moodle gives them."""
    for name, content in downloaded_from_moodle(part).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    return collect([str(folder)])[0]


def graded(students: Sequence[Student], stored: StoredResults) -> Report:
    return grade(students, EXERCISES, seconds=SECONDS, jobs=JOBS, stored=stored)


def add(report: Report, part: Report) -> None:
    report.students |= part.students
    report.hand_ins |= part.hand_ins
    report.notes |= part.notes


def run_plainly(students: Sequence[Student]) -> None:
    for student in students:
        for hand_in in student.hand_ins:
            sys.path.insert(0, str(hand_in.path.parent))
            namespace = new_namespace("hand_in")
            for cell in read_cells(hand_in.path):
                cell.run(namespace)

            for name in EXERCISES:
                exercise = find(name)
                assert isinstance(exercise, FunctionExercise)
                answer = namespace.get(name) or namespace.get("alpha_beta")
                for job in [job for jobs in exercise.trials() for job in jobs]:
                    if answer and observe(answer, job).problem:
                        break
            sys.path.pop(0)
            sys.modules.pop("helper", None)


if __name__ == "__main__":
    assert set(NOT_PLAIN) <= KINDS.keys()
    main()
