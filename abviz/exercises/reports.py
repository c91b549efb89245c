"""Reports on hand-ins: a table, JSON, JUnit XML, CSV, and a page of feedback for each student."""

import csv
import html
import io
import json
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from abviz.errors import count, visible
from abviz.exercises.verdict import NOT_YET, RIGHT, SIGNS, WRONG, Verdict, written
from abviz.tree.files import write_whole

ERROR, TIMEOUT = "error", "timeout"
MARKS = SIGNS | {ERROR: "!", TIMEOUT: "!"}
CONTAINER = (
    "Limits protect this computer against accidents. Code that may be written to do harm belongs in a container: "
    'docker run --rm --network none -v "$PWD":/work:ro -w /work IMAGE abviz check PATH, with an IMAGE that has abviz.'
)
STYLE = "body{max-width:50em;margin:2em auto;font:1rem/1.5 sans-serif}h2{font-size:1.1em;border-top:1px solid #ccc}"


@dataclass(frozen=True)
class Result:
    """The verdict on one answer, whose status may also be "error" or "timeout", and its points."""

    verdict: Verdict
    points: float = 0.0
    of: float = 1.0
    seconds: float = 0.0

    @property
    def message(self) -> str:
        return visible(" ".join(self.verdict.message.split()))

    def to_dict(self) -> dict[str, Any]:
        verdict = self.verdict
        tree = None if verdict.tree is None else written(verdict.tree)
        fields = {"status": verdict.status, "mistake": verdict.mistake, "tree": tree, "message": self.message}
        return fields | {"points": self.points, "of": self.of}


@dataclass
class Graded:
    """What came of one hand-in: the results by exercise, and notes on cells that were left out."""

    results: dict[str, Result] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    unlimited: set[str] = field(default_factory=set)  # what the system does not limit: "memory", "files"
    answers: bool = True  # whether it answers any exercise


@dataclass
class Report:
    """What came of all hand-ins, by label."""

    hand_ins: dict[str, Graded]
    not_read: list[str] = field(default_factory=list)  # files and folders that hold no hand-in
    interrupted: bool = False

    @property
    def results(self) -> dict[str, dict[str, Result]]:
        return {label: graded.results for label, graded in self.hand_ins.items()}

    @property
    def all_right(self) -> bool:
        """Whether everything that is written is right."""
        return {result.verdict.status for result in self.of_exercise(None)} <= {RIGHT, NOT_YET}

    def of_exercise(self, name: str | None) -> list[Result]:
        """Return the results of one exercise, or of all."""
        return [result for each in self.results.values() for key, result in each.items() if name in (None, key)]

    @property
    def exercises(self) -> list[str]:
        return list(dict.fromkeys(name for each in self.results.values() for name in each))

    @property
    def remarks(self) -> list[str]:
        """What holds for the whole report."""
        unlimited = sorted({name for each in self.hand_ins.values() for name in each.unlimited})
        return [
            *["Interrupted: hand-ins that are not listed are not graded."] * self.interrupted,
            *(f"Not read: {name}" for name in self.not_read),
            *(f"On this system {name} {'is' if name == 'memory' else 'are'} not limited." for name in unlimited),
            CONTAINER,
        ]


def as_table(report: Report, width: int = 1000) -> str:
    """Return the answers with their verdicts, the points of each hand-in, and how each exercise went."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console(file=io.StringIO(), width=width, color_system=None)
    for label, graded in report.hand_ins.items():
        console.print(Text(f"{label}: {_score(graded.results.values()) if graded.results else 'no answer'}"))
        table = Table.grid(padding=(0, 1), pad_edge=True)
        for name, result in graded.results.items():
            verdict, points = result.verdict, f"{_points(result.points)} of {_points(result.of)}"
            message = f"{verdict.mistake}: {result.message}" if verdict.mistake else result.message
            table.add_row(*map(Text, (MARKS[verdict.status], name, points, verdict.status, visible(message))))
        console.print(table, *(Text(f"  {visible(note)}") for note in graded.notes), sep="\n")
    for name in report.exercises:
        statuses = Counter(result.verdict.status for result in report.of_exercise(name))
        mistakes = Counter(result.verdict.mistake for result in report.of_exercise(name) if result.verdict.mistake)
        often = "; ".join(f"{visible(mistake)} {times}×" for mistake, times in mistakes.most_common(3))
        line = ", ".join(f"{times} {status}" for status, times in statuses.items())
        console.print(Text(f"{name}: {line}{f' ({often})' if often else ''}"))
    score = _score(report.of_exercise(None))
    console.print(Text("\n".join([f"{count(len(report.hand_ins), 'hand-in')}, {score}", *report.remarks])))
    return "\n".join(line.rstrip() for line in console.file.getvalue().splitlines())  # type: ignore[attr-defined]


def _score(results: Iterable[Result]) -> str:
    points, of = map(_points, _totals(results).values())
    return f"{points} of {of} points"


def _totals(results: Iterable[Result]) -> dict[str, float]:
    results = list(results)
    return {"points": sum(result.points for result in results), "of": sum(result.of for result in results)}


def _points(points: float) -> str:
    return f"{points:.2f}".rstrip("0").rstrip(".")


def as_json(report: Report) -> str:
    """Return the results by hand-in and exercise, then "totals", "notes", "not_read" and "remarks"."""
    tables: dict[str, Any] = {
        label: {name: result.to_dict() for name, result in each.items()} for label, each in report.results.items()
    }
    tables["totals"] = {
        "hand_ins": {label: _totals(each.values()) for label, each in report.results.items()},
        "exercises": {name: _totals(report.of_exercise(name)) for name in report.exercises},
        **_totals(report.of_exercise(None)),
    }
    tables["notes"] = {label: graded.notes for label, graded in report.hand_ins.items() if graded.notes}
    return json.dumps(tables | {"not_read": report.not_read, "remarks": report.remarks}, ensure_ascii=False, indent=2)


def as_junit(report: Report) -> bytes:
    """Return a suite for each hand-in with a case for each answer. An answer that is not written yet is skipped."""
    root = ElementTree.Element("testsuites", name="abviz check")
    tags = {WRONG: "failure", NOT_YET: "skipped", ERROR: "error", TIMEOUT: "error"}
    for label, results in report.results.items():
        kinds = Counter(tags.get(result.verdict.status) for result in results.values())
        counts = {"tests": len(results), "failures": kinds["failure"], "errors": kinds["error"]}
        suite = ElementTree.SubElement(root, "testsuite", {"name": label} | {k: str(n) for k, n in counts.items()})
        for name, result in results.items():
            case = ElementTree.SubElement(suite, "testcase", classname=label, name=name, time=f"{result.seconds:.3f}")
            if tag := tags.get(result.verdict.status):
                kind = visible(result.verdict.mistake or result.verdict.status)
                ElementTree.SubElement(case, tag, message=result.message, type=kind)
    ElementTree.indent(root)
    return bytes(ElementTree.tostring(root, encoding="utf-8", xml_declaration=True))


def as_csv(report: Report) -> bytes:
    """Return a row for each hand-in: its points in each exercise, the sum, and the sum that was possible."""
    file = io.StringIO()
    rows = csv.writer(file, lineterminator="\n")
    rows.writerow(["hand-in", *report.exercises, "points", "of"])
    for label, results in report.results.items():
        each = [_points(results[name].points) if name in results else "" for name in report.exercises]
        rows.writerow([label, *each, *map(_points, _totals(results.values()).values())])
    return file.getvalue().encode("utf-8")


def write_feedback(report: Report, folder: Path) -> None:
    """Write a page for each hand-in: every verdict with its counterexample drawn and its hints."""
    for number, (label, graded) in enumerate(report.hand_ins.items(), 1):
        title = html.escape(label)
        parts = [f"<h1>{title}</h1>", f"<p>{_score(graded.results.values())}</p>"]
        for name, result in graded.results.items():
            points = f"{_points(result.points)} of {_points(result.of)}"
            parts.append(f"<h2>{html.escape(name)}: {points}</h2>{result.verdict._repr_mimebundle_()['text/html']}")
        parts += [f"<p>{html.escape(visible(note))}</p>" for note in graded.notes]
        page = f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{title}</title><style>{STYLE}</style>'
        name = re.sub(r"[^\w.-]+", "-", label).strip("-.")[-100:]
        write_whole(folder / f"{number:03}-{name}.html", f"{page}{''.join(parts)}</html>".encode())
