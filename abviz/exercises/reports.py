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
PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>LABEL</title><style>
body { max-width: 50em; margin: 2em auto; padding: 0 1em; font: 1rem/1.5 sans-serif }
h2 { font-size: 1.1em; border-top: 1px solid #ccc }
</style><h1>LABEL</h1>
"""


Row = dict[str, Any]  # an answer: the verdict and what reports say of it


@dataclass
class Report:
    """What came of all hand-ins."""

    hand_ins: dict[str, dict[str, Row]] = field(default_factory=dict)  # by label and exercise
    notes: dict[str, list[str]] = field(default_factory=dict)  # by label, on what was left out
    not_read: list[str] = field(default_factory=list)  # files and folders that hold no hand-in
    interrupted: bool = False

    @property
    def rows(self) -> list[Row]:
        return [row for rows in self.hand_ins.values() for row in rows.values()]

    @property
    def exercises(self) -> dict[str, list[Row]]:
        names = dict.fromkeys(name for rows in self.hand_ins.values() for name in rows)
        return {name: [rows[name] for rows in self.hand_ins.values() if name in rows] for name in names}

    @property
    def all_right(self) -> bool:
        """Whether everything that is written is right."""
        return all(row["status"] in (RIGHT, NOT_YET) for row in self.rows)

    @property
    def remarks(self) -> list[str]:
        interrupted = ["Interrupted: hand-ins that are not listed are not graded."] * self.interrupted
        return [*interrupted, *(f"Not read: {name}" for name in self.not_read), CONTAINER]


def row(verdict: Verdict, of: float, notebook: str) -> Row:
    """Return the verdict on an answer with its points, and the notebook of the course in which it stands."""
    right, cells = verdict.points or (0, 1)
    return {
        "status": verdict.status,
        "mistake": verdict.mistake,
        "tree": verdict.tree and written(verdict.tree),
        "message": visible(" ".join(verdict.message.split())),
        "points": of * (1.0 if verdict else min(1.0, right / cells)),
        "of": of,
        "notebook": notebook,
        "verdict": verdict,
    }


def _sum(rows: Collection[Row]) -> dict[str, float]:
    return {key: sum(row[key] for row in rows) for key in ("points", "of")}


def _score(rows: Collection[Row]) -> str:
    return "{} of {} points".format(*map(_points, _sum(rows).values()))


def _points(points: float) -> str:
    return f"{points:.2f}".rstrip("0").rstrip(".")


def _tally(rows: Collection[Row]) -> str:
    counts = Counter(row["mistake"] or row["status"] for row in rows)
    return ", ".join(f"{times} {outcome}" for outcome, times in counts.most_common(5))


def as_text(report: Report) -> str:
    """Return each hand-in with its points and what is wrong, the outcomes in each exercise, and the sum."""
    lines = []
    for label, rows in report.hand_ins.items():
        lines.append(f"{label}: {_score(rows.values())} ({_tally(rows.values()) or 'no answer'})")
        for name, row in rows.items():
            line = " ".join(filter(None, [SIGNS.get(row["status"], "!"), row["notebook"], name]))
            if row["status"] not in (RIGHT, NOT_YET):
                line += f": {_score([row])}. {row['mistake'] or row['status']}: {row['message']}"
            lines.append(f"  {line}")
        lines += [f"  {note}" for note in report.notes[label]]
    if len(report.hand_ins) > 1:
        lines += [f"{name}: {_tally(rows)}" for name, rows in report.exercises.items()]
    lines.append(f"{count(len(report.hand_ins), 'hand-in')}, {_score(report.rows)}")
    return "\n".join(lines + report.remarks)


def as_json(report: Report) -> str:
    """Return the results by hand-in and exercise, then "totals", "notes", "not_read" and "remarks"."""
    hand_ins, exercises = report.hand_ins, report.exercises
    totals = {
        "hand_ins": {label: _sum(rows.values()) for label, rows in hand_ins.items()},
        "exercises": {name: _sum(rows) for name, rows in exercises.items()},
        **_sum(report.rows),
    }
    more = {"totals": totals, "notes": report.notes, "not_read": report.not_read, "remarks": report.remarks}
    return json.dumps(hand_ins | more, ensure_ascii=False, indent=2, default=str)


def as_junit(report: Report) -> bytes:
    """Return a suite for each hand-in with a case for each answer. An answer that is not written yet is skipped."""
    root = ElementTree.Element("testsuites", name="abviz check")
    for label, rows in report.hand_ins.items():
        suite = ElementTree.SubElement(root, "testsuite", name=label, tests=str(len(rows)))
        for name, row in rows.items():
            case = ElementTree.SubElement(suite, "testcase", classname=label, name=name)
            if tag := JUNIT_TAGS.get(row["status"]):
                ElementTree.SubElement(case, tag, message=row["message"], type=row["mistake"] or row["status"])
    ElementTree.indent(root)
    return bytes(ElementTree.tostring(root, encoding="utf-8", xml_declaration=True))


def as_csv(report: Report) -> bytes:
    """Return a row for each hand-in: its points in each exercise, the sum, and the sum that was possible."""
    file, names = io.StringIO(), report.exercises
    table = csv.writer(file, lineterminator="\n")
    table.writerow(["hand-in", *names, "points", "of"])
    for label, rows in report.hand_ins.items():
        points = [_points(rows[name]["points"]) if name in rows else "" for name in names]
        table.writerow([label, *points, *map(_points, _sum(rows.values()).values())])
    return file.getvalue().encode("utf-8")


def write_feedback(report: Report, folder: Path) -> None:
    """Write a page for each hand-in: every verdict with its counterexample drawn and its hints."""
    for label, rows in report.hand_ins.items():
        parts = [f"<p>{_score(rows.values())}</p>"]
        for name, row in rows.items():
            parts += [f"<h2>{html.escape(name)}: {_score([row])}</h2>", row["verdict"]._repr_mimebundle_()["text/html"]]
        parts += [f"<p>{html.escape(note)}</p>" for note in report.notes[label]]
        page = PAGE.replace("LABEL", html.escape(label)) + "".join(parts)
        name = re.sub(r"[^\w.-]+", "-", label).strip("-.")[-100:]
        write_whole(folder / f"{name}-{crc32(label.encode()):08x}.html", page.encode())
