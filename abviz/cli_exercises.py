"""The commands of `abviz` for exercises."""

import argparse
import math
import shutil
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from abviz.cli_making import add_make
from abviz.errors import AbvizError, brief, quoted, visible
from abviz.tree.files import check_place, write_whole

NAMED = "an answer is found by the name of its exercise in Python: share_alpha for share-alpha, or check(NAME, answer)"

PARTS = (
    "A search whose values are right, and only the leaves that it reads are not, has half of the points; a paper has a "
    "part for each cell that is right, or, where most cells stay empty, for each mark: one too many costs as much as "
    "one that is missing."
)
TRUSTED = (
    "Hand-ins are judged from outside their processes, but for one thing: that threads lose no update (split-root, "
    "share-alpha, race) can only be seen where they run, and an answer made to deceive can claim it."
)


def add_exercises(commands: Any) -> None:
    """The commands of this file, and `abviz make`, added to the others."""
    _add_check(commands)
    add_make(commands)


# check


def _add_check(commands: Any) -> None:
    help = "the answers in hand-ins, checked"
    description = f"Check hand-ins; {NAMED}. {PARTS} {TRUSTED}"
    check = commands.add_parser("check", help=help, description=description, allow_abbrev=False)
    check.add_argument("paths", metavar="PATH", nargs="+", help="a notebook, a .py file, or a folder of these")
    check.add_argument(
        "--exercises",
        metavar="NAMES",
        default="",
        help="these, such as minimax,alphabeta, and no others; one that is missing counts",
    )
    check.add_argument("--points", metavar="P", default="", help="what they are worth, such as alphabeta=3 (1)")
    check.add_argument(
        "--seconds",
        metavar="S",
        type=float,
        help="for reading a file, and for each answer (10); checking one ends after six times that",
    )
    check.add_argument("--megabytes", metavar="N", type=int, help="of memory, for each hand-in (1024)")
    check.add_argument("--json", action="store_true", help="the report as one JSON object")
    check.add_argument("--junit", metavar="FILE", help="the report as JUnit XML too, in that file")
    check.set_defaults(run=_check)


def _check(told: argparse.Namespace) -> int:
    from abviz.exercises.grading import marking, reports, results
    from abviz.exercises.grading.handins import hand_ins, is_called_like_one

    seconds = results.SECONDS if told.seconds is None else told.seconds
    megabytes = results.MEGABYTES if told.megabytes is None else told.megabytes
    if not 0 < seconds <= 3600:
        raise AbvizError(f"--seconds is {brief(seconds)}; expected a number above 0, at most 3600")
    if not 100 <= megabytes <= 1 << 20:
        raise AbvizError(f"--megabytes is {brief(megabytes)}; expected a number from 100 to {1 << 20}")
    if told.junit is not None:
        if is_called_like_one(told.junit):  # `--junit *.py` would write over the first of them
            problem = f"--junit is {visible(told.junit)}, which is called like a hand-in"
            raise AbvizError(f"{problem}; expected a name such as report.xml")
        check_place(told.junit)
    with _tidied_up():
        report = marking.grade(
            hand_ins(told.paths),
            _parts(told.exercises),
            points=_points(told.points),
            limits=results.Limits(seconds, megabytes),
            say=_say,
        )
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else 1000
    try:
        if told.junit is not None:
            write_whole(told.junit, reports.as_junit(report))
    finally:  # though the file could not be written after all
        print(reports.as_json(report) if told.json else reports.table(report, width))
    return 0 if report.all_right else 1


@contextmanager
def _tidied_up() -> Iterator[None]:
    """Where the command is told to end (by a system that has no more time for it), folders of hand-ins are removed."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _say(label: str) -> None:
    """While a person waits: which hand-in is next."""
    if sys.stderr.isatty() and not sys.stdout.isatty():
        print(label, file=sys.stderr)


def _points(text: str) -> dict[str, float]:
    points: dict[str, float] = {}
    for part in _parts(text):
        name, _, worth = (each.strip() for each in part.partition("="))
        if name in points:
            raise AbvizError(f"--points has {quoted(name)} twice; expected each exercise once")
        try:
            points[name] = float(worth)
        except ValueError:
            points[name] = math.nan
        if not 0 <= points[name] < math.inf:
            raise AbvizError(f"--points has {brief(part)}; expected an exercise and a number, such as alphabeta=3")
    return points


def _parts(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]
