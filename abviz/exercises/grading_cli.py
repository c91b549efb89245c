"""`abviz check`: the answers in hand-ins, graded."""

import argparse
import math
import os
import shutil
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from abviz.errors import AbvizError, brief, quoted, visible
from abviz.tree.files import check_place, write_whole

DESCRIPTION = """
Grade hand-ins. An answer is found by the name of its exercise in Python (share_alpha for share-alpha) or by
check(NAME, answer). A search that returns the right values but reads the wrong leaves earns half of its points; an
exercise on paper earns points for each part that is right.
"""


def add_check(commands: Any) -> None:
    """Add the command to those of `abviz`."""
    parser = commands.add_parser("check", help="grade hand-ins", description=DESCRIPTION, allow_abbrev=False)
    add = parser.add_argument
    add("paths", metavar="PATH", nargs="+", help="a notebook, a .py file, or a folder of these")
    add("--exercises", metavar="NAMES", default="", help="only these; a missing answer counts (minimax,alphabeta)")
    add("--points", metavar="P", default="", help="points of exercises, such as alphabeta=3 (default: 1 each)")
    add("--seconds", metavar="S", type=float, default=10.0, help="time limit of each cell and answer (default: 10)")
    add("--megabytes", metavar="N", type=int, default=1024, help="memory limit of each hand-in (default: 1024)")
    add("--jobs", metavar="N", type=int, default=os.cpu_count() or 1, help="hand-ins at a time (default: one a core)")
    add("--json", action="store_true", help="print the report as one JSON object")
    add("--junit", metavar="FILE", help="write the report as JUnit XML")
    add("--csv", metavar="FILE", help="write the points as a table for the mark book")
    add("--feedback", metavar="DIR", help="write one HTML page for each hand-in")
    parser.set_defaults(run=_check)


def _check(args: argparse.Namespace) -> int:
    from abviz.exercises import grading, reports

    _check_range("--seconds", args.seconds, 0.1, 3600)
    _check_range("--megabytes", args.megabytes, 100, 1 << 20)
    _check_range("--jobs", args.jobs, 1, 1000)
    for option, file in (("--junit", args.junit), ("--csv", args.csv)):
        if file is not None:
            if Path(file).suffix.lower() in grading.KINDS:  # `--junit *.py` would overwrite the first of them
                raise AbvizError(f"{option} is {visible(file)}, which is named like a hand-in; expected another name")
            check_place(file)
    hand_ins, not_read = grading.collect(args.paths)
    exercises, points = _parts(args.exercises), _points(args.points)
    if args.feedback is not None:
        reports.make_folder(args.feedback)
    with _interrupted_by_sigterm():
        report = grading.grade(
            hand_ins,
            exercises,
            points=points,
            limits=grading.Limits(args.seconds, args.megabytes),
            jobs=args.jobs,
            not_read=not_read,
            show_progress=sys.stderr is not None and sys.stderr.isatty(),
        )
    try:
        if args.junit is not None:
            write_whole(args.junit, reports.as_junit(report))
        if args.csv is not None:
            write_whole(args.csv, reports.as_csv(report))
        if args.feedback is not None:
            reports.write_feedback(report, Path(args.feedback))
    finally:  # print it even if a file cannot be written
        width = shutil.get_terminal_size().columns if sys.stdout is not None and sys.stdout.isatty() else 1000
        print(reports.as_json(report) if args.json else reports.as_table(report, width))
    return 130 if report.interrupted else 0 if report.all_right else 1


@contextmanager
def _interrupted_by_sigterm() -> Iterator[None]:
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _check_range(option: str, value: float, least: float, most: float) -> None:
    if not least <= value <= most:
        raise AbvizError(f"{option} is {brief(value)}; expected a number from {least:g} to {most:,}")


def _points(text: str) -> dict[str, float]:
    from abviz.exercises.catalogue import find

    points: dict[str, float] = {}
    for part in _parts(text):
        name, _, number = (each.strip() for each in part.partition("="))
        name = find(name).name
        if name in points:
            raise AbvizError(f"--points has {quoted(name)} twice; expected each exercise once")
        try:
            points[name] = float(number)
        except ValueError:
            points[name] = math.nan
        if not 0 <= points[name] < math.inf:
            raise AbvizError(f"--points has {brief(part)}; expected an exercise and a number, such as alphabeta=3")
    return points


def _parts(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]
