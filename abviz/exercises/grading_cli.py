"""`abviz check`: the answers in hand-ins, graded."""

import argparse
import os
import shutil
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from abviz.errors import AbvizError, visible
from abviz.tree.files import check_place, write_whole

DESCRIPTION = """
Grade hand-ins. An answer is found by the name of its exercise in Python (share_alpha for share-alpha) or by
check(NAME, answer). A search that returns the right values but reads the wrong leaves earns half of its points; an
exercise on paper earns points for each part that is right.
"""


def add_check(commands: Any) -> None:
    """Add the command to those of `abviz`."""
    parser = commands.add_parser("check", help="grade hand-ins", description=DESCRIPTION, allow_abbrev=False)
    seconds, megabytes, jobs = _range(float, 0.1, 3600), _range(int, 100, 1 << 20), _range(int, 1, 1000)
    add = parser.add_argument
    add("paths", metavar="PATH", nargs="+", help="a notebook, a .py file, or a folder of these")
    add("--exercises", metavar="NAMES", type=_names, default=[], help="only these; a missing answer counts")
    add("--points", metavar="P", type=_points, help="points of exercises, such as alphabeta=3 (default: 1 each)")
    add("--seconds", metavar="S", type=seconds, default=10.0, help="time limit of each cell and answer (default: 10)")
    add("--megabytes", metavar="N", type=megabytes, default=1024, help="memory limit of each hand-in (default: 1024)")
    add("--jobs", metavar="N", type=jobs, default=os.cpu_count() or 1, help="hand-ins at a time (default: one a core)")
    add("--json", action="store_true", help="print the report as one JSON object")
    add("--junit", metavar="FILE", type=_file, help="write the report as JUnit XML")
    add("--csv", metavar="FILE", type=_file, help="write the points as a table for the mark book")
    add("--feedback", metavar="DIR", type=_folder, help="write one HTML page for each hand-in")
    parser.set_defaults(run=_check)


def _check(args: argparse.Namespace) -> int:
    from abviz.exercises import grading, reports

    hand_ins, not_read = grading.collect(args.paths)
    limits = grading.Limits(args.seconds, args.megabytes)
    show_progress = sys.stderr is not None and sys.stderr.isatty()
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        report = grading.grade(hand_ins, args.exercises, args.points, limits, args.jobs, not_read, show_progress)
    finally:
        signal.signal(signal.SIGTERM, before)
    try:
        if args.junit:
            write_whole(args.junit, reports.as_junit(report))
        if args.csv:
            write_whole(args.csv, reports.as_csv(report))
        if args.feedback:
            reports.write_feedback(report, args.feedback)
    finally:  # print it even if a file cannot be written
        width = shutil.get_terminal_size().columns if sys.stdout is not None and sys.stdout.isatty() else 1000
        print(reports.as_json(report) if args.json else reports.as_table(report, width))
    return 130 if report.interrupted else 0 if report.all_right else 1


# types of arguments


def _range(number: Callable[[str], float], least: float, most: float) -> Callable[[str], float]:
    def parse(text: str) -> float:
        try:
            value = number(text)
        except ValueError:
            value = least - 1
        if not least <= value <= most:
            raise argparse.ArgumentTypeError(f"{text!r} is not a number from {least:g} to {most:,}")
        return value

    return parse


def _names(text: str) -> list[str]:
    from abviz.exercises.catalogue import find

    try:
        return [find(part.strip()).name for part in text.split(",") if part.strip()]
    except AbvizError as problem:
        raise argparse.ArgumentTypeError(str(problem)) from None


def _points(text: str) -> dict[str, float]:
    pairs = [part.partition("=") for part in text.split(",")]
    points = _range(float, 0, 1_000_000)
    return {_names(name)[0]: points(value) for name, _, value in pairs}


def _file(name: str) -> str:
    if Path(name).suffix.lower() in (".ipynb", ".py"):  # `--junit *.py` would overwrite the first of them
        raise argparse.ArgumentTypeError(f"{visible(name)} is named like a hand-in; expected another name")
    try:
        check_place(name)
    except AbvizError as problem:
        raise argparse.ArgumentTypeError(str(problem)) from None
    return name


def _folder(name: str) -> Path:
    try:
        Path(name).mkdir(exist_ok=True)
    except OSError as problem:
        raise argparse.ArgumentTypeError(f"{visible(name)}: {problem.strerror}; expected a folder") from None
    return Path(name)
