"""`abviz check`: collect hand-ins, run each in a process of its own, let the exercises judge, and
give points.
"""

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
from typing import Any
from xml.etree import ElementTree

from abviz.errors import AbvizError, count, one_line, spreadsheet_cell, visible
from abviz.exercises import EXERCISES, find, practice
from abviz.exercises.exercise import FIRST_PAGE, progress
from abviz.exercises.judgement import FunctionExercise, Judgement
from abviz.exercises.observation import Job, Observation
from abviz.exercises.verdict import NOT_YET, RIGHT, SIGNS, WRONG, Verdict, written
from abviz.exercises.worker import SECONDS_TO_START, USES, Problem, Start, WorkerProcess
from abviz.tree.files import write_whole

MOST_LEFT_OUT = 12  # statements of one hand-in that end its process; each costs a new one
ENDINGS = (".ipynb", ".py", ".json")  # the last: a result of practice in the page
HIDDEN = re.compile(r"(^|[/\\])(\.|__)")  # files and folders that are passed over
# The last: what cannot be graded
JUNIT_TAGS = {WRONG: "failure", NOT_YET: "skipped", "error": "error"}
Row = dict[str, Any]  # of a report: the verdict on an answer, and what is said of it
CONTAINER = (
    "Limits protect this computer against accidents. Code that may be written to do harm belongs in a container: "
    'docker run --rm --network none -v "$PWD":/work:ro -w /work IMAGE abviz check PATH, with an IMAGE that has abviz.'
)
PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>LABEL</title><style>body { max-width: 50em; margin: 2em auto; padding: 0 1em; font: 1rem/1.5 sans-serif }
h2 { font-size: 1.1em; border-top: 1px solid #ccc }</style><h1>LABEL</h1>
"""


class UsesAbviz(Problem):
    """An answer runs a search of abviz."""


class HandIn(WorkerProcess):
    """One file, or one of the course's notebooks, which together are a hand-in; if it is in a
    folder of its own below the given path, with that folder. Its cells and its answers run in a
    process, and where that ends, in a new one.
    """

    seconds, megabytes = 10.0, 1024  # the limits of a cell or an answer, and of all

    def __init__(self, path: Path, own_folder: bool, is_of_course: bool):
        super().__init__(path, "abviz.exercises.worker", own_folder=own_folder)
        place = (path.parent if path.parent.name else Path.cwd()) if is_of_course else path
        # Names that differ stay different
        self.label = visible(os.fsencode(place).decode(errors="backslashreplace"))
        self.notebook = path.stem if is_of_course else ""
        self.left_out: dict[int, str] = {}  # cells that ended a process, and how
        # by exercise: answers, as plain data, and the notes on cells that would define them; and
        # the notes on all cells
        self.answers, self.lost, self.notes = dict[str, Any](), dict[str, str](), list[str]()

    def start(self) -> None:
        """Run the cells, without those that end the process."""
        while not self._start_once():
            pass

    def _start_once(self) -> bool:
        """Run the cells, and return whether all of them left the process running."""
        self.start_process()
        start = Start(
            self.path.name, list(EXERCISES), bool(self.notebook), self.left_out, self.megabytes
        )
        [titles] = self.receive(1, SECONDS_TO_START, start)
        if isinstance(titles, str):
            raise AbvizError(titles)

        for i, title in enumerate(titles):
            try:
                [_] = self.receive(1, self.seconds)
            except Problem as problem:
                if i in self.left_out:
                    raise AbvizError(
                        f"its process ends at {title}, because of a statement before it"
                    ) from None
                self.left_out[i] = str(problem)
                if len(self.left_out) > MOST_LEFT_OUT:
                    number = len(self.left_out)
                    raise AbvizError(
                        f"{number} statements end its process, the last of them {title}"
                    ) from None
                return False

        [(self.answers, lost, notes)] = self.receive(1, self.seconds)
        self.lost = {name: self._placed(note) for name, note in lost.items()}
        self.notes = list(map(self._placed, notes))
        return True

    def _placed(self, note: str) -> str:
        return visible(f"{self.notebook} {note}".lstrip())


def collect(paths: Iterable[str]) -> tuple[list[HandIn], list[str]]:
    """Return the hand-ins at these paths and in the folders below, and what is there but cannot be
    one.
    """
    hand_ins, not_read = dict[Path, HandIn](), list[str]()
    for path in map(Path, paths):
        if not path.exists():
            raise AbvizError(
                f"{visible(str(path))} does not exist; expected a hand-in or a folder of them"
            )
        below = [
            each
            for each in sorted(path.rglob("*"))
            if not HIDDEN.search(str(each.relative_to(path)))
        ]
        for file in filter(_is_hand_in, [path, *below]):
            is_of_course = Path(file.parent, FIRST_PAGE).is_file()
            if not (is_of_course and file.suffix == ".py"):  # a helper of the notebooks
                hand_ins[file.absolute()] = HandIn(
                    file, is_of_course or path not in (file, file.parent), is_of_course
                )
        read = {each for file in hand_ins for each in (file, *file.parents)}
        directly = [path, *(each for each in below if each.parent == path)]
        not_read += [visible(str(each)) for each in directly if each.absolute() not in read]
    if not hand_ins:
        raise AbvizError(
            f"there is no hand-in; expected files that end in {', '.join(ENDINGS)}, or folders of them"
        )
    return list(hand_ins.values()), not_read


def _is_hand_in(path: Path) -> bool:
    """Return whether a file is one. A link may lead to the work of another student."""
    if path.suffix.lower() not in ENDINGS or not path.is_file() or path.is_symlink():
        return False
    return path.suffix.lower() != ".json" or path.read_bytes().startswith(practice.BEGINS.encode())


@dataclass
class Report:
    """What came of all hand-ins."""

    hand_ins: dict[str, dict[str, Row]] = field(default_factory=dict)  # by label and exercise
    notes: dict[str, list[str]] = field(default_factory=dict)  # by label, on what was left out
    not_read: list[str] = field(default_factory=list)  # files and folders that hold no hand-in
    interrupted: bool = False
    # The hand-ins that are not graded, where it was interrupted
    missing: list[str] = field(default_factory=list)

    @property
    def rows(self) -> list[Row]:
        return [row for rows in self.hand_ins.values() for row in rows.values()]

    @property
    def exercises(self) -> list[str]:
        return list(dict.fromkeys(name for rows in self.hand_ins.values() for name in rows))


def row(verdict: Verdict, of: float, hand_in: HandIn) -> Row:
    """Return the verdict on an answer with its points, and the notebook of the course in which it
    stands.
    """
    right, cells = verdict.points or (int(bool(verdict)), 1)
    return {
        "status": verdict.status,
        "mistake": verdict.mistake,
        "tree": verdict.tree and written(verdict.tree),
        "message": visible(" ".join(verdict.message.split())),
        "points": round(of * right / cells, 2),
        "of": of,
        "notebook": hand_in.notebook if verdict.exercise in hand_in.answers | hand_in.lost else "",
        "verdict": verdict,
    }


def grade(
    hand_ins: Sequence[HandIn],
    exercises: Iterable[str] = (),
    points: dict[str, float] | None = None,
    *,
    seconds: float = 10.0,
    megabytes: int = 1024,
    jobs: int = 1,
) -> Report:
    """Grade the hand-ins on these exercises, or on all that they answer. An interrupt ends with
    what is done. The seconds are for each cell, and each time that an answer is asked for its runs.
    """
    names = [find(name).name for name in exercises]
    weights = {find(name).name: each for name, each in (points or {}).items()}
    for hand_in in hand_ins:
        hand_in.seconds, hand_in.megabytes = seconds, megabytes
    report = Report()
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
    report.missing = list(
        dict.fromkeys(hand_in.label for hand_in in hand_ins if hand_in not in done)
    )
    for hand_in in (each for each in hand_ins if each.label not in report.missing):
        rows = report.hand_ins.setdefault(hand_in.label, {})
        report.notes.setdefault(hand_in.label, []).extend(hand_in.notes)
        for verdict in done[hand_in]:
            name, new = verdict.exercise, row(verdict, weights.get(verdict.exercise, 1.0), hand_in)
            # of answers in two notebooks the better one counts
            rows[name] = max(
                rows.get(name, new),
                new,
                key=lambda row: (row["points"], row["notebook"] != "", row["status"] != NOT_YET),
            )
    return report


def _verdicts(hand_in: HandIn, names: Sequence[str]) -> list[Verdict]:
    """Return the verdicts on these exercises, or on all that are answered."""
    try:
        if hand_in.path.suffix.lower() == ".json":
            return [practice.verify(hand_in.path.read_text(encoding="utf-8-sig"))]
        hand_in.start()
        answered = hand_in.answers.keys() | hand_in.lost.keys()
        is_helper = (
            hand_in.own_folder
            and answered.isdisjoint(names or EXERCISES)
            and not (names and hand_in.notebook)
        )
        asked = names or [name for name in EXERCISES if name in answered]
        return [_verdict(hand_in, name) for name in asked if not is_helper]
    except Exception as error:
        return [_failure(name, error) for name in names or [f"{hand_in.notebook} (file)".lstrip()]]
    finally:
        hand_in.close()


def _verdict(hand_in: HandIn, name: str) -> Verdict:
    """Return the verdict on an answer, or on none."""
    exercise = find(name)

    def ask(jobs: Sequence[Job]) -> Iterator[Observation]:
        for value, leaves, problem, details in hand_in.receive(
            len(jobs), hand_in.seconds, (name, jobs)
        ):
            if problem.startswith(USES):
                raise UsesAbviz(problem)
            yield Observation(value, tuple(leaves), problem, details)

    try:
        if name not in hand_in.answers:
            words = f"Nothing of its own is named {name.replace('-', '_')}."
            words = "No cell of the notebooks checks it." if hand_in.notebook else words
            verdict = Verdict(name, NOT_YET, words, hints=exercise.hints)
        elif not isinstance(exercise, FunctionExercise):
            verdict = exercise.check(hand_in.answers[name])
        else:
            if not hand_in.running:
                hand_in.start()
            judgement = Judgement(exercise, ask)
            try:
                verdict = judgement.verdict()
            except UsesAbviz as problem:  # which outweighs whatever else is wrong
                judgement.wrong = None
                verdict = judgement.stopped(str(problem))
            except Problem as problem:
                verdict = judgement.stopped(str(problem))
        # Perhaps a stub stands above the cell with the answer
        if verdict.status == NOT_YET and name in hand_in.lost:
            raise AbvizError(hand_in.lost[name])
    except Exception as error:
        return _failure(name, error)
    return verdict


def _failure(name: str, error: Exception) -> Verdict:
    reason = str(error) if isinstance(error, AbvizError) else one_line(error)
    return Verdict(name, "error", f"It cannot be graded: {reason}")


def _sum(rows: Iterable[Row]) -> dict[str, float]:
    pairs = [(row["points"], row["of"]) for row in rows]
    return {
        "points": round(sum(points for points, _ in pairs), 2),
        "of": round(sum(of for _, of in pairs), 2),
    }


def _score(rows: Iterable[Row]) -> str:
    points, of = _sum(rows).values()
    return f"{points:.12g} of {of:.12g} point{'s' * (of != 1)}"


def _tally(outcomes: Iterable[str]) -> str:
    return ", ".join(f"{times} {outcome}" for outcome, times in Counter(outcomes).most_common())


def _notes(report: Report, label: str) -> list[str]:
    """Return the notes on a hand-in that no verdict repeats."""
    messages = " ".join(row["message"] for row in report.hand_ins[label].values())
    return [note for note in report.notes[label] if note not in messages]


def as_text(report: Report) -> str:
    """Return each hand-in with its points, its exercises by notebook and what is wrong; the
    outcomes; and the sum.
    """
    lines = []
    for label, rows in report.hand_ins.items():
        statuses = _tally(row["status"] for row in rows.values()) or "no answer"
        lines.append(f"{label}: {_score(rows.values())} ({statuses})")
        signs = {name: f"{SIGNS.get(row['status'], '!')} {name}" for name, row in rows.items()}
        for notebook in dict.fromkeys(row["notebook"] for row in rows.values()):
            overview = [signs[name] for name, row in rows.items() if row["notebook"] == notebook]
            lines.append("  ".join(["", *filter(None, [notebook]), *overview]))
        for name, row in rows.items():
            if row["status"] not in (RIGHT, NOT_YET):
                lines.append(
                    f"  {signs[name]}: {_score([row])}. {row['mistake'] or row['status']}: {row['message']}"
                )
        lines += [f"  {note}" for note in _notes(report, label)]
    for name in report.exercises if len(report.hand_ins) > 1 else ():
        given = [rows[name] for rows in report.hand_ins.values() if name in rows]
        outcomes = (row["status"] + f" ({row['mistake']})" * bool(row["mistake"]) for row in given)
        lines.append(f"{name}: {_tally(outcomes)}")
    lines.append(f"{count(len(report.hand_ins), 'hand-in')}, {_score(report.rows)}")
    if report.interrupted:
        number = count(len(report.missing), "hand-in")
        lines.append(f"Interrupted; not graded: {', '.join(report.missing) or number}")
    lines += [f"Not read: {name}" for name in report.not_read]
    lines.append(CONTAINER)
    return "\n".join(lines)


def as_json(report: Report) -> str:
    """Return the results by hand-in and exercise, then the sums, and what is to be said of all
    hand-ins.
    """
    totals = {
        "hand_ins": {label: _sum(rows.values()) for label, rows in report.hand_ins.items()},
        **_sum(report.rows),
    }
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
    """Return a row for each hand-in: its points in each exercise, the sum, and the sum that was
    possible.
    """
    file = io.StringIO()
    table = csv.DictWriter(
        file, ["hand-in", *report.exercises, "points", "of"], lineterminator="\n"
    )
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
            parts += [
                f"<h2>{html.escape(name)}: {_score([row])}</h2>",
                row["verdict"]._repr_mimebundle_()["text/html"],
            ]
        parts += [f"<p>{html.escape(note)}</p>" for note in _notes(report, label)]
        name = re.sub(r"[^\w.-]+", "-", label).strip("-.")[-100:]
        write_whole(folder / f"{i:03}-{name}.html", "".join(parts).encode())
