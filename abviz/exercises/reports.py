"""Reports on hand-ins: text, JSON, JUnit XML, CSV, and a page of feedback for each student."""

import csv
import html
import io
import json
import re
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from xml.etree import ElementTree
from zlib import crc32

from abviz.errors import count, visible
from abviz.exercises.verdict import NOT_YET, RIGHT, SIGNS, WRONG, Verdict, written
from abviz.tree.files import write_whole

ERROR, TIMEOUT = "error", "timeout"  # statuses that a verdict in a report may have, too
JUNIT_TAGS = {WRONG: "failure", NOT_YET: "skipped", ERROR: "error", TIMEOUT: "error"}
CONTAINER = (
    "Limits protect this computer against accidents. Code that may be written to do harm belongs in a container: "
    'docker run --rm --network none -v "$PWD":/work:ro -w /work IMAGE abviz check PATH, with an IMAGE that has abviz.'
)
STYLE = "body{max-width:50em;margin:2em auto;padding:0 1em;font:1rem/1.5 sans-serif}"
STYLE += "h2{font-size:1.1em;border-top:1px solid #ccc}"


@dataclass(frozen=True)
class Result:
    """The verdict on one answer, and its points."""

    verdict: Verdict
    of: float
    seconds: float = 0.0
    notebook: str = ""  # of the course, in which the answer stands

    @property
    def points(self) -> float:
        right, cells = self.verdict.points or (0, 1)
        part = min(1.0, right / cells) if self.verdict.status == WRONG else float(self.verdict.status == RIGHT)
        return part * self.of

    @property
    def message(self) -> str:
        return visible(" ".join(self.verdict.message.split()))


@dataclass
class Graded:
    """The results of one hand-in by exercise, and notes on cells that were left out."""

    results: dict[str, Result] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def add(self, other: "Graded") -> None:
        """Add the results of another notebook; of two answers to an exercise the better one counts."""
        for name, result in other.results.items():
            both = self.results.get(name, result), result
            self.results[name] = max(both, key=lambda each: (each.points, each.notebook != ""))
        self.notes += [note for note in other.notes if note not in self.notes]


@dataclass
class Report:
    """The results of all hand-ins, by label."""

    hand_ins: dict[str, Graded] = field(default_factory=dict)
    not_read: list[str] = field(default_factory=list)  # files and folders that hold no hand-in
    interrupted: bool = False

    def results(self, exercise: str | None = None) -> list[Result]:
        """Return the results of one exercise, or of all."""
        results = [each for graded in self.hand_ins.values() for each in graded.results.values()]
        return [each for each in results if exercise in (None, each.verdict.exercise)]

    @property
    def exercises(self) -> list[str]:
        return list(dict.fromkeys(each.verdict.exercise for each in self.results()))

    @property
    def all_right(self) -> bool:
        """Whether everything that is written is right."""
        return {result.verdict.status for result in self.results()} <= {RIGHT, NOT_YET}

    @property
    def remarks(self) -> list[str]:
        """Return remarks on the whole report."""
        interrupted = ["Interrupted: hand-ins that are not listed are not graded."] * self.interrupted
        return [*interrupted, *(f"Not read: {name}" for name in self.not_read), CONTAINER]


def as_text(report: Report) -> str:
    """Return each hand-in with its points and verdicts, how each exercise went in several of them, and the sum."""
    lines = []
    for label, graded in report.hand_ins.items():
        lines.append(f"{label}: {_score(graded.results.values()) if graded.results else 'no answer'}")
        lines += _certificate(graded)
        width = max(map(len, graded.results), default=0)
        for name, result in graded.results.items():
            status, mistake = result.verdict.status, result.verdict.mistake
            if result.notebook and status in (RIGHT, NOT_YET):
                continue  # its sign in the certificate is enough
            message = f"{visible(mistake)}: {result.message}" if mistake else result.message
            lines.append(f"  {SIGNS.get(status, '!')} {name:<{width}} {_score([result])}  {status}. {message}")
        lines += [f"  {visible(note)}" for note in graded.notes]
    for name in report.exercises if len(report.hand_ins) > 1 else ():
        verdicts = [result.verdict for result in report.results(name)]
        counts = Counter(each.status for each in verdicts) + Counter(each.mistake for each in verdicts if each.mistake)
        lines.append(f"{name}: " + ", ".join(f"{visible(key)} {times}×" for key, times in counts.most_common(5)))
    lines.append(f"{count(len(report.hand_ins), 'hand-in')}, {_score(report.results())}")
    return "\n".join(lines + report.remarks)


def _certificate(graded: Graded) -> list[str]:
    """Return a line for each notebook of the course that has exercises, and one for all."""
    notebooks: dict[str, list[Result]] = {}
    for result in graded.results.values():
        notebooks.setdefault(result.notebook, []).append(result)
    lines = []
    for notebook, results in sorted(notebooks.items()):
        right = sum(each.verdict.status == RIGHT for each in results)
        signs = "  ".join(f"{SIGNS.get(each.verdict.status, '!')} {each.verdict.exercise}" for each in results)
        lines += [f"  {visible(notebook):<28} {right:>2} of {len(results):>2}  {signs}"] if notebook else []
    counts = Counter(result.verdict.status for result in graded.results.values())
    total = [f"{counts[status]} {status}" for status in (RIGHT, WRONG, NOT_YET, ERROR, TIMEOUT) if counts[status]]
    return [*lines, f"  in all: {', '.join(total)}"] if lines else []


def _totals(results: Collection[Result]) -> dict[str, float]:
    return {"points": sum(each.points for each in results), "of": sum(each.of for each in results)}


def _score(results: Collection[Result]) -> str:
    points, of = map(_points, _totals(results).values())
    return f"{points} of {of} points"


def _points(points: float) -> str:
    return f"{points:.2f}".rstrip("0").rstrip(".")


def as_json(report: Report) -> str:
    """Return the results by hand-in and exercise, then "totals", "notes", "not_read" and "remarks"."""

    def row(result: Result) -> dict[str, Any]:
        verdict = result.verdict
        fields = {
            "status": verdict.status,
            "mistake": verdict.mistake,
            "tree": verdict.tree and written(verdict.tree),
            "message": result.message,
        }
        return fields | _totals([result]) | ({"notebook": result.notebook} if result.notebook else {})

    graded = report.hand_ins.items()
    totals = {
        "hand_ins": {label: _totals(each.results.values()) for label, each in graded},
        "exercises": {name: _totals(report.results(name)) for name in report.exercises},
        **_totals(report.results()),
    }
    notes = {label: each.notes for label, each in graded if each.notes}
    rows: dict[str, Any] = {label: {name: row(each.results[name]) for name in each.results} for label, each in graded}
    rows |= {"totals": totals, "notes": notes, "not_read": report.not_read, "remarks": report.remarks}
    return json.dumps(rows, ensure_ascii=False, indent=2)


def as_junit(report: Report) -> bytes:
    """Return a suite for each hand-in with a case for each answer. An answer that is not written yet is skipped."""
    root = ElementTree.Element("testsuites", name="abviz check")
    for label, graded in report.hand_ins.items():
        suite = ElementTree.SubElement(root, "testsuite", name=label, tests=str(len(graded.results)))
        for name, result in graded.results.items():
            case = ElementTree.SubElement(suite, "testcase", classname=label, name=name, time=f"{result.seconds:.3f}")
            if tag := JUNIT_TAGS.get(result.verdict.status):
                kind = visible(result.verdict.mistake or result.verdict.status)
                ElementTree.SubElement(case, tag, message=result.message, type=kind)
    ElementTree.indent(root)
    return bytes(ElementTree.tostring(root, encoding="utf-8", xml_declaration=True))


def as_csv(report: Report) -> bytes:
    """Return a row for each hand-in: its points in each exercise, the sum, and the sum that was possible."""
    file = io.StringIO()
    rows = csv.writer(file, lineterminator="\n")
    rows.writerow(["hand-in", *report.exercises, "points", "of"])
    for label, graded in report.hand_ins.items():
        results = graded.results
        each = [_points(results[name].points) if name in results else "" for name in report.exercises]
        rows.writerow([label, *each, *map(_points, _totals(results.values()).values())])
    return file.getvalue().encode("utf-8")


def write_feedback(report: Report, folder: Path) -> None:
    """Write a page for each hand-in: every verdict with its counterexample drawn and its hints."""
    for label, graded in report.hand_ins.items():
        title = html.escape(label)
        parts = [f"<h1>{title}</h1>", f"<p>{_score(graded.results.values())}</p>"]
        for name, result in graded.results.items():
            verdict = result.verdict._repr_mimebundle_()["text/html"]
            parts.append(f"<h2>{html.escape(name)}: {_score([result])}</h2>{verdict}")
        parts += [f"<p>{html.escape(visible(note))}</p>" for note in graded.notes]
        meta = '<meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        page = f'<!doctype html><html lang="en">{meta}<title>{title}</title><style>{STYLE}</style>'
        name = re.sub(r"[^\w.-]+", "-", label).strip("-.")[-100:]
        write_whole(folder / f"{name}-{crc32(label.encode()):08x}.html", f"{page}{''.join(parts)}</html>".encode())
