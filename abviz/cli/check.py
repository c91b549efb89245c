"""The command `abviz check`: grade hand-ins, of one student or of a class."""

import argparse
import os
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING

from abviz.cli.interrupts import Interrupts
from abviz.cli.options import Command, add_rules, course_of, numbers_by_name, split_at_commas
from abviz.errors import AbvizError, brief, visible
from abviz.tracing.templates import in_letters

if TYPE_CHECKING:
    from abviz.course import Course
    from abviz.grading.course_class import Class
    from abviz.grading.hand_ins import Student


def _check_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "paths",
        metavar="PATH",
        nargs="+",
        help="a notebook, a .py file, or a folder or zip file of these",
    )

    grading = parser.add_argument_group("what counts")
    grading.add_argument(
        "--exercises",
        metavar="NAMES",
        default="",
        help="only these exercises; a missing answer earns no points",
    )
    grading.add_argument(
        "--points",
        metavar="P",
        default="",
        help="points for an exercise, such as alphabeta=3 (default: 1 each)",
    )

    grading.add_argument(
        "--assigned",
        metavar="FILE",
        help="only practice counts, on the trees of this file or folder of make --assign",
    )

    _class_options(parser)

    limits = parser.add_argument_group("limits")
    limits.add_argument(
        "--seconds",
        metavar="S",
        type=float,
        default=10.0,
        help="time limit of each cell and answer (default: 10)",
    )
    limits.add_argument(
        "--megabytes",
        metavar="N",
        type=int,
        default=1024,
        help="memory limit of each hand-in (default: 1024)",
    )
    limits.add_argument(
        "--jobs",
        metavar="N",
        type=int,
        default=os.cpu_count() or 1,
        help="number of hand-ins graded at a time (default: one per core)",
    )
    limits.add_argument(
        "--fresh",
        action="store_true",
        help="grade every file again, also one with a stored result",
    )

    reports = parser.add_argument_group("reports")
    reports.add_argument("--json", action="store_true", help="print the report as one JSON object")
    reports.add_argument("--junit", metavar="FILE", help="write the report as JUnit XML")
    reports.add_argument("--csv", metavar="FILE", help="write the points as a table")
    reports.add_argument("--feedback", metavar="DIR", help="write one HTML page for each student")
    reports.add_argument(
        "--similar",
        action="store_true",
        help="name students whose wrong answers do the same in every trial",
    )

    add_rules(parser)


def _class_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("the class")
    group.add_argument(
        "--roster", metavar="FILE", help="table (CSV) with the id and the name of each student"
    )
    group.add_argument(
        "--gradebook",
        metavar="FILE",
        help="Moodle's grading worksheet, or the gradebook that Canvas exported: the roster",
    )
    group.add_argument(
        "--gradebook-out", metavar="FILE", help="write the gradebook with its grades filled in"
    )
    group.add_argument(
        "--assignment", metavar="TITLE", help="the column of Canvas's gradebook to fill in"
    )
    group.add_argument(
        "--deadline", metavar="TIME", help="later is late: 2026-10-31, or 2026-10-31T12:00"
    )


def run_check(args: argparse.Namespace) -> int:
    from tempfile import TemporaryDirectory

    with (
        Interrupts() as interrupts,
        # For what is in zip files
        TemporaryDirectory(prefix="abviz-", ignore_cleanup_errors=True) as unpacked,
        ExitStack() as letters,
    ):
        return _graded(args, Path(unpacked), letters, interrupts)


def _graded(
    args: argparse.Namespace, unpacked: Path, letters: ExitStack, interrupts: Interrupts
) -> int:
    """Grade the hand-ins, write the reports, and return the exit status."""
    from abviz.exercises.practice import PRACTICE
    from abviz.exercises.verdict import NOT_YET, RIGHT
    from abviz.grading import assignment, feedback, grader, hand_ins, similar
    from abviz.grading import report as reports
    from abviz.grading.stored_results import StoredResults, cache_folder
    from abviz.tracing.algorithms import Rules
    from abviz.tree.files import write_whole

    if not all(0 < limit < 1e6 for limit in (args.seconds, args.megabytes, args.jobs)):
        raise AbvizError(
            "expected numbers above 0 and below 1,000,000 for --seconds, --megabytes and --jobs"
        )
    points = numbers_by_name("--points", args.points, float, "alphabeta=3")
    if not all(0 <= each < inf for each in points.values()):
        raise AbvizError(f"--points is {brief(args.points)}; expected finite numbers, 0 or more")

    stored = StoredResults(cache_folder(), is_fresh=args.fresh)
    stored.remove_old()
    assigned = assignment.read(args.assigned) if args.assigned else None
    students, others = hand_ins.collect_all(args.paths, unpacked)
    if not students:
        raise hand_ins.no_hand_in(others)
    is_of_student = args.course is None and _is_in_hand_in(students)
    course = course_of(args, reads_folder=not is_of_student)
    letters.enter_context(in_letters(course.letters))
    by_default = [PRACTICE] if assigned else course.exercises
    names = split_at_commas(args.exercises) or by_default
    the_class = _class(args, course, names)
    if assigned and not the_class.has_roster:
        the_class.roster = assigned.roster
    if assigned:
        assigned.recognize(students, the_class.roster or assigned.roster)
    students, others = the_class.attended(students, others)
    _keep_hand_ins(args, students)
    report = grader.grade(
        students,
        names,
        {**course.points, **points},
        rules=course.rules,
        assignment=assigned,
        entries=the_class.attendance.entries,
        seconds=args.seconds,
        megabytes=args.megabytes,
        jobs=args.jobs,
        stored=stored,
        when_interrupted=interrupts.ignore,
    )
    report.not_read = hand_ins.not_read(others)
    the_class.complete(report)
    if course.rules != Rules():
        report.remarks.append(f"Rules: {course.rules}")
    if report.interrupted:
        report.remarks.append("The same command goes on where this one has stopped.")
    if args.similar:
        report.similar = similar.as_records(report)
        report.remarks[:0] = similar.lines(report)

    try:
        if args.junit:
            write_whole(args.junit, reports.as_junit(report))
        if args.csv:
            write_whole(args.csv, reports.as_csv(report))
        if args.feedback:
            _make_folder_for_pages(args.feedback)
            feedback.write_feedback(report, Path(args.feedback), course)
        if args.gradebook_out:
            write_whole(args.gradebook_out, the_class.graded(report))
    finally:  # last, since its reader may have left, as in `abviz check ... | head`
        print(reports.as_json(report) if args.json else reports.as_text(report))

    if report.interrupted:
        return 130
    is_fine = all(row["status"] in (RIGHT, NOT_YET) for row in report.rows)
    return 0 if is_fine and not report.unmatched and not report.unclear else 1


def _keep_hand_ins(args: argparse.Namespace, students: Sequence["Student"]) -> None:
    """Refuse to write over a hand-in."""
    paths = [Path(path).resolve() for path in args.paths]
    graded = {hand_in.path.resolve() for student in students for hand_in in student.hand_ins}
    for option in ("csv", "junit", "gradebook_out"):
        file = getattr(args, option)
        if not file or not Path(file).is_file():
            continue

        target = Path(file).resolve()
        is_below = any(target.is_relative_to(path) for path in paths)
        looks_handed_in = is_below and target.suffix.lower() in (".ipynb", ".py", ".zip")
        if target in graded or target in paths or looks_handed_in:
            name = f"--{option.replace('_', '-')}"
            raise AbvizError(
                f"{name} would overwrite the hand-in {visible(file)}; expected another file"
            )


def _make_folder_for_pages(name: str) -> None:
    try:
        Path(name).mkdir(exist_ok=True)
    except OSError as error:
        expected = "expected a folder, or a new name in a folder open to writing"
        problem = f"{error.strerror}; {expected}"
        raise AbvizError(f"cannot write pages to {visible(name)}: {problem}") from None


def _class(args: argparse.Namespace, course: "Course", exercises: Sequence[str]) -> "Class":
    """Return the class that the options and the course file describe."""
    from abviz.course import has_time_zones
    from abviz.grading.course_class import Class
    from abviz.grading.gradebook import read_gradebook
    from abviz.grading.lateness import read_deadline
    from abviz.grading.roster import read_roster

    if args.roster and args.gradebook:
        raise AbvizError("expected --roster or --gradebook: a gradebook is a roster")
    if not args.gradebook and (args.gradebook_out or args.assignment):
        raise AbvizError("expected --gradebook FILE with --gradebook-out and --assignment")
    if args.gradebook_out:
        if not exercises:
            raise AbvizError("expected --exercises with --gradebook-out: those that make the grade")
        out = Path(args.gradebook_out)
        if out.exists() and Path(args.gradebook).exists() and out.samefile(args.gradebook):
            raise AbvizError("expected another file for --gradebook-out than --gradebook")

    gradebook = read_gradebook(args.gradebook, args.assignment) if args.gradebook else None
    if course.time_zone and not has_time_zones():
        raise AbvizError("this Python knows no time zones; expected them: pip install tzdata")
    deadline = course.deadline
    if args.deadline:
        deadline = read_deadline(args.deadline, course.time_zone)
    return Class(
        roster=read_roster(args.roster) if args.roster else None,
        gradebook=gradebook,
        exercises=exercises,
        deadline=deadline,
        time_zone=course.time_zone,
    )


def _is_in_hand_in(students: Sequence["Student"]) -> bool:
    """Return whether the current folder is a student's; say so if it has a course file."""
    from abviz.course import FILE

    here = Path.cwd()
    hand_ins = (each for student in students for each in student.hand_ins if each.own_folder)
    folders = {hand_in.path.absolute().parent.resolve() for hand_in in hand_ins}
    if folders.isdisjoint((here, *here.parents)):
        return False

    if FILE.exists():
        print(
            f"abviz: {FILE} is in a hand-in, and isn't read; expected --course {FILE} to use it",
            file=sys.stderr,
        )
    return True


COMMANDS = (Command("check", "grade hand-ins", _check_options, run_check),)
