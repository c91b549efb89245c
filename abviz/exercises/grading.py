"""`abviz check`: collect hand-ins, run each in a process of its own, judge them and give points."""

import csv
import html
import io
import json
import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypedDict
from xml.etree import ElementTree

from abviz.errors import AbvizError, count, one_line, spreadsheet_cell, visible
from abviz.exercises import EXERCISES, find, practice
from abviz.exercises.exercise import FIRST_PAGE, progress
from abviz.exercises.judgement import FunctionExercise, Judgement
from abviz.exercises.observation import Job, Observation, Plain
from abviz.exercises.verdict import NOT_YET, RIGHT, SIGNS, WRONG, Verdict, written
from abviz.exercises.worker import (
    SECONDS_TO_START,
    USES,
    Problem,
    Start,
    WorkerProcess,
    in_python,
)
from abviz.tree.files import write_whole

MOST_LEFT_OUT = 12  # statements of one hand-in that end its process; each costs a new one
ENDINGS = (".ipynb", ".py", ".json")  # the last: a result of practice in the page
HIDDEN = re.compile(r"(^|[/\\])(\.|__)")  # files and folders that are passed over

# The status of an answer that cannot be graded
ERROR = "error"

JUNIT_TAGS = {WRONG: "failure", NOT_YET: "skipped", ERROR: "error"}
CONTAINER = (
    "Limits protect this computer against accidents. "
    "Code that may be written to do harm belongs in a container: "
    'docker run --rm --network none -v "$PWD":/work:ro -w /work IMAGE abviz check PATH, '
    "with an IMAGE that has abviz."
)
PAGE = """<!doctype html><html lang="en">
<meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>LABEL</title><style>
body { max-width: 50em; margin: 2em auto; padding: 0 1em; font: 1rem/1.5 sans-serif }
h2 { font-size: 1.1em; border-top: 1px solid #ccc }</style><h1>LABEL</h1>
"""


class Row(TypedDict):
    """The verdict on an answer in a report, and what is said of it."""

    status: str
    mistake: str | None
    tree: str | None  # as nested lists
    message: str
    points: float
    of: float  # the points that were possible
    notebook: str  # of the course; "" for another file
    verdict: Verdict


class Score(TypedDict):
    """Points, and how many were possible."""

    points: float
    of: float


class UsesAbviz(Problem):
    """An answer runs a search of abviz."""


class HandIn(WorkerProcess):
    """One file, or one of the course's notebooks, which together are a hand-in.

    If it is in a folder of its own below the given path, that folder goes with it. Its cells and
    its answers run in a process, and where that ends, in a new one.
    """

    # The limits of a cell or an answer, and of all
    seconds = 10.0
    megabytes = 1024

    def __init__(self, path: Path, own_folder: bool, is_of_course: bool):
        super().__init__(path, "abviz.exercises.worker", own_folder=own_folder)

        place = path
        if is_of_course:
            place = path.parent if path.parent.name else Path.cwd()
        # Names that differ stay different
        self.label = visible(os.fsencode(place).decode(errors="backslashreplace"))
        self.notebook = path.stem if is_of_course else ""

        # Cells that ended a process, and how
        self.left_out: dict[int, str] = {}

        # By exercise: its answer as plain data, or the note on the cell that would define it
        self.answers: dict[str, Plain] = {}
        self.lost: dict[str, str] = {}

        # On cells that could not run
        self.notes: list[str] = []

    def start(self) -> None:
        """Run the cells, without those that end the process."""
        while not self._start_once():
            pass

    def _start_once(self) -> bool:
        """Run the cells, and return whether all of them left the process running."""
        self.start_process()
        start = Start(
            file=self.path.name,
            names=list(EXERCISES),
            is_of_course=bool(self.notebook),
            left_out=self.left_out,
            megabytes=self.megabytes,
        )
        [titles] = self.receive(1, SECONDS_TO_START, start)
        if isinstance(titles, str):
            raise AbvizError(titles)

        for i, title in enumerate(titles):
            try:
                [_] = self.receive(1, self.seconds)
            except Problem as problem:
                self._leave_out(i, title, problem)
                return False

        [(self.answers, lost, notes)] = self.receive(1, self.seconds)
        self.lost = {name: self._placed(note) for name, note in lost.items()}
        self.notes = list(map(self._placed, notes))
        return True

    def _leave_out(self, cell: int, title: str, problem: Problem) -> None:
        """Leave out the cell that ended the process; raise AbvizError where that is no use."""
        if cell in self.left_out:
            found = f"its process ends at {title}, because of a statement before it"
            raise AbvizError(found) from None

        self.left_out[cell] = str(problem)
        number = len(self.left_out)
        if number > MOST_LEFT_OUT:
            found = f"{number} statements end its process, the last of them {title}"
            raise AbvizError(found) from None

    def _placed(self, note: str) -> str:
        return visible(f"{self.notebook} {note}".lstrip())


def collect(paths: Iterable[str]) -> tuple[list[HandIn], list[str]]:
    """Return the hand-ins at these paths and below, and what is there but cannot be one."""
    hand_ins: dict[Path, HandIn] = {}
    not_read: list[str] = []
    for path in map(Path, paths):
        if not path.exists():
            found = f"{visible(str(path))} does not exist"
            raise AbvizError(f"{found}; expected a hand-in or a folder of them")

        below = [each for each in sorted(path.rglob("*")) if not _is_hidden(each, path)]
        for file in filter(_is_hand_in, [path, *below]):
            is_of_course = Path(file.parent, FIRST_PAGE).is_file()
            is_helper = is_of_course and file.suffix == ".py"
            if not is_helper:
                own_folder = is_of_course or path not in (file, file.parent)
                hand_ins[file.absolute()] = HandIn(file, own_folder, is_of_course)

        read = {each for file in hand_ins for each in (file, *file.parents)}
        directly = [path, *(each for each in below if each.parent == path)]
        not_read += [visible(str(each)) for each in directly if each.absolute() not in read]

    if not hand_ins:
        expected = f"files that end in {', '.join(ENDINGS)}, or folders of them"
        raise AbvizError(f"there is no hand-in; expected {expected}")
    return list(hand_ins.values()), not_read


def _is_hidden(file: Path, folder: Path) -> bool:
    return HIDDEN.search(str(file.relative_to(folder))) is not None


def _is_hand_in(path: Path) -> bool:
    """Return whether a file is one. A link may lead to the work of another student."""
    if path.suffix.lower() not in ENDINGS or not path.is_file() or path.is_symlink():
        return False
    return path.suffix.lower() != ".json" or path.read_bytes().startswith(practice.BEGINS.encode())


@dataclass
class Report:
    """What came of all hand-ins."""

    # By label and exercise
    hand_ins: dict[str, dict[str, Row]] = field(default_factory=dict)

    # By label, on what was left out
    notes: dict[str, list[str]] = field(default_factory=dict)

    # Files and folders that hold no hand-in
    not_read: list[str] = field(default_factory=list)

    # Whether it was interrupted, and the hand-ins that are not graded then
    interrupted: bool = False
    missing: list[str] = field(default_factory=list)

    @property
    def rows(self) -> list[Row]:
        return [row for rows in self.hand_ins.values() for row in rows.values()]

    @property
    def exercises(self) -> list[str]:
        return list(dict.fromkeys(name for rows in self.hand_ins.values() for name in rows))


def row(verdict: Verdict, of: float, hand_in: HandIn) -> Row:
    """Return the verdict on an answer with its points, and the notebook in which it stands."""
    right, cells = verdict.points or (int(bool(verdict)), 1)
    is_answered = verdict.exercise in hand_in.answers or verdict.exercise in hand_in.lost
    return Row(
        status=verdict.status,
        mistake=verdict.mistake,
        tree=written(verdict.tree) if verdict.tree else None,
        message=visible(" ".join(verdict.message.split())),
        points=round(of * right / cells, 2),
        of=of,
        notebook=hand_in.notebook if is_answered else "",
        verdict=verdict,
    )


def better(one: Row, other: Row) -> Row:
    """Return the better of two answers to one exercise, the first where they are alike."""

    def merit(row: Row) -> tuple[float, bool, bool]:
        return row["points"], row["notebook"] != "", row["status"] != NOT_YET

    return max(one, other, key=merit)


def grade(
    hand_ins: Sequence[HandIn],
    exercises: Iterable[str] = (),
    points: dict[str, float] | None = None,
    *,
    seconds: float = 10.0,
    megabytes: int = 1024,
    jobs: int = 1,
) -> Report:
    """Grade the hand-ins on these exercises, or on all that they answer.

    The seconds are for each cell, and each time that an answer is asked for its runs. An interrupt
    ends with what is done.
    """
    names = [find(name).name for name in exercises]
    weights = {find(name).name: each for name, each in (points or {}).items()}
    for hand_in in hand_ins:
        hand_in.seconds, hand_in.megabytes = seconds, megabytes

    report = Report()
    done = _all_verdicts(hand_ins, names, jobs, report)
    missing = [hand_in.label for hand_in in hand_ins if hand_in not in done]
    report.missing = list(dict.fromkeys(missing))

    for hand_in in hand_ins:
        if hand_in.label in report.missing:
            continue
        rows = report.hand_ins.setdefault(hand_in.label, {})
        report.notes.setdefault(hand_in.label, []).extend(hand_in.notes)
        for verdict in done[hand_in]:
            name = verdict.exercise
            new = row(verdict, weights.get(name, 1.0), hand_in)
            # Of answers in two notebooks the better one counts
            rows[name] = better(rows.get(name, new), new)
    return report


def _all_verdicts(
    hand_ins: Sequence[HandIn], names: Sequence[str], jobs: int, report: Report
) -> dict[HandIn, list[Verdict]]:
    """Return the verdicts by hand-in: of all, or of those that were done before an interrupt."""
    with ThreadPoolExecutor(jobs) as pool:
        futures = {pool.submit(_verdicts, hand_in, names): hand_in for hand_in in hand_ins}
        try:
            for _ in progress(as_completed(futures), "Checking", len(futures)):
                pass
        except KeyboardInterrupt:
            report.interrupted = True

        done = {hand_in: future.result() for future, hand_in in futures.items() if future.done()}
        if report.interrupted:
            pool.shutdown(wait=False, cancel_futures=True)
            for hand_in in hand_ins:
                hand_in.interrupt()
    return done


def _verdicts(hand_in: HandIn, names: Sequence[str]) -> list[Verdict]:
    """Return the verdicts on these exercises, or on all that are answered."""
    try:
        if hand_in.path.suffix.lower() == ".json":
            return [practice.verify(hand_in.path.read_text(encoding="utf-8-sig"))]

        hand_in.start()
        answered = hand_in.answers.keys() | hand_in.lost.keys()

        # In a folder of its own, a file that answers nothing is a helper of the hand-in
        answers_nothing = answered.isdisjoint(names or EXERCISES)
        is_asked = bool(names and hand_in.notebook)
        if hand_in.own_folder and answers_nothing and not is_asked:
            return []

        asked = names or [name for name in EXERCISES if name in answered]
        return [_verdict(hand_in, name) for name in asked]
    except Exception as error:
        return [_failure(name, error) for name in names or [f"{hand_in.notebook} (file)".lstrip()]]
    finally:
        hand_in.close()


def _verdict(hand_in: HandIn, name: str) -> Verdict:
    """Return the verdict on an answer, or on none."""
    exercise = find(name)
    try:
        if name not in hand_in.answers:
            words = f"Nothing of its own is named {in_python(name)}."
            if hand_in.notebook:
                words = "No cell of the notebooks checks it."
            verdict = Verdict(name, NOT_YET, words, hints=exercise.hints)
        elif isinstance(exercise, FunctionExercise):
            verdict = _judged(hand_in, exercise)
        else:
            verdict = exercise.check(hand_in.answers[name])

        # Perhaps a stub stands above the cell with the answer
        if verdict.status == NOT_YET and name in hand_in.lost:
            raise AbvizError(hand_in.lost[name])
    except Exception as error:
        return _failure(name, error)
    return verdict


def _judged(hand_in: HandIn, exercise: FunctionExercise) -> Verdict:
    """Return the verdict on an answer that runs in the process of its hand-in."""
    name = exercise.name

    def ask(jobs: Sequence[Job]) -> Iterator[Observation]:
        replies = hand_in.receive(len(jobs), hand_in.seconds, (name, jobs))
        for value, leaves, problem, details in replies:
            if problem.startswith(USES):
                raise UsesAbviz(problem)
            yield Observation(value, tuple(leaves), problem, details)

    if not hand_in.running:
        hand_in.start()
    judgement = Judgement(exercise, ask)
    try:
        return judgement.verdict()
    except UsesAbviz as problem:  # which outweighs whatever else is wrong
        judgement.wrong = None
        return judgement.stopped(str(problem))
    except Problem as problem:
        return judgement.stopped(str(problem))


def _failure(name: str, error: Exception) -> Verdict:
    reason = str(error) if isinstance(error, AbvizError) else one_line(error)
    return Verdict(name, ERROR, f"It cannot be graded: {reason}")


def _sum(rows: Iterable[Row]) -> Score:
    every = list(rows)
    return Score(
        points=round(sum(row["points"] for row in every), 2),
        of=round(sum(row["of"] for row in every), 2),
    )


def _score(rows: Iterable[Row]) -> str:
    """Return the sum of the points in words, as "3 of 4 points"."""
    score = _sum(rows)
    unit = "point" if score["of"] == 1 else "points"
    return f"{score['points']:.12g} of {score['of']:.12g} {unit}"


def _tally(outcomes: Iterable[str]) -> str:
    return ", ".join(f"{times} {outcome}" for outcome, times in Counter(outcomes).most_common())


def _notes(report: Report, label: str) -> list[str]:
    """Return the notes on a hand-in that no verdict repeats."""
    messages = " ".join(row["message"] for row in report.hand_ins[label].values())
    return [note for note in report.notes[label] if note not in messages]


def as_text(report: Report) -> str:
    """Return each hand-in with its points and what is wrong; the outcomes; and the sum."""
    lines = []
    for label in report.hand_ins:
        lines += _hand_in_as_text(report, label)

    if len(report.hand_ins) > 1:
        for name in report.exercises:
            given = [rows[name] for rows in report.hand_ins.values() if name in rows]
            lines.append(f"{name}: {_tally(map(_outcome, given))}")

    lines.append(f"{count(len(report.hand_ins), 'hand-in')}, {_score(report.rows)}")
    if report.interrupted:
        number = count(len(report.missing), "hand-in")
        lines.append(f"Interrupted; not graded: {', '.join(report.missing) or number}")
    lines += [f"Not read: {name}" for name in report.not_read]
    lines.append(CONTAINER)
    return "\n".join(lines)


def _hand_in_as_text(report: Report, label: str) -> list[str]:
    """Return the points of a hand-in, its exercises by notebook, and what is wrong with them."""
    rows = report.hand_ins[label]
    statuses = _tally(row["status"] for row in rows.values()) or "no answer"
    lines = [f"{label}: {_score(rows.values())} ({statuses})"]

    signs = {name: f"{SIGNS.get(row['status'], '!')} {name}" for name, row in rows.items()}
    for notebook in dict.fromkeys(row["notebook"] for row in rows.values()):
        overview = [signs[name] for name, row in rows.items() if row["notebook"] == notebook]
        if notebook:
            overview.insert(0, notebook)
        lines.append("  " + "  ".join(overview))

    for name, row in rows.items():
        if row["status"] not in (RIGHT, NOT_YET):
            kind = row["mistake"] or row["status"]
            lines.append(f"  {signs[name]}: {_score([row])}. {kind}: {row['message']}")
    lines += [f"  {note}" for note in _notes(report, label)]
    return lines


def _outcome(row: Row) -> str:
    """Return the status of an answer, with its mistake."""
    return f"{row['status']} ({row['mistake']})" if row["mistake"] else row["status"]


def as_json(report: Report) -> str:
    """Return the results by hand-in and exercise, then the sums, and remarks on all hand-ins."""
    sums = {label: _sum(rows.values()) for label, rows in report.hand_ins.items()}
    totals = {"hand_ins": sums, **_sum(report.rows)}
    more = {
        "totals": totals,
        "notes": report.notes,
        "not_read": report.not_read,
        "interrupted": report.interrupted,
        "missing": report.missing,
        "remarks": [CONTAINER],
    }
    return json.dumps(report.hand_ins | more, ensure_ascii=False, indent=2, default=str)


def as_junit(report: Report) -> bytes:
    """Return a test case for each answer. One that is not written yet is skipped."""
    suite = ElementTree.Element("testsuite", name="abviz check", tests=str(len(report.rows)))
    for label, rows in report.hand_ins.items():
        for name, row in rows.items():
            case = ElementTree.SubElement(suite, "testcase", classname=label, name=name)
            if tag := JUNIT_TAGS.get(row["status"]):
                ElementTree.SubElement(
                    case, tag, message=row["message"], type=row["mistake"] or row["status"]
                )
    return bytes(ElementTree.tostring(suite, encoding="utf-8", xml_declaration=True))


def as_csv(report: Report) -> bytes:
    """Return a row for each hand-in: its points by exercise, the sum, and the most possible."""
    file = io.StringIO()
    columns = ["hand-in", *report.exercises, "points", "of"]
    table = csv.DictWriter(file, columns, lineterminator="\n")
    table.writeheader()
    for label, rows in report.hand_ins.items():
        points = {name: row["points"] for name, row in rows.items()}
        table.writerow({"hand-in": spreadsheet_cell(label), **points, **_sum(rows.values())})
    for label in report.missing:  # without points
        table.writerow({"hand-in": spreadsheet_cell(label)})
    return file.getvalue().encode()


def write_feedback(report: Report, folder: Path) -> None:
    """Write a page for each hand-in: every verdict with its counterexample drawn and its hints."""
    for i, (label, rows) in enumerate(report.hand_ins.items(), 1):
        parts = [PAGE.replace("LABEL", html.escape(label)), f"<p>{_score(rows.values())}</p>"]
        for name, row in rows.items():
            parts.append(f"<h2>{html.escape(name)}: {_score([row])}</h2>")
            parts.append(row["verdict"]._repr_mimebundle_()["text/html"])
        parts += [f"<p>{html.escape(note)}</p>" for note in _notes(report, label)]
        name = re.sub(r"[^\w.-]+", "-", label).strip("-.")[-100:]
        write_whole(folder / f"{i:03}-{name}.html", "".join(parts).encode())
