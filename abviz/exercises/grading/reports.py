"""A report on hand-ins: a table for people, JSON and JUnit XML for machines."""

import json
import textwrap
from collections import Counter
from collections.abc import Iterator
from xml.etree import ElementTree

from abviz.errors import count, ljust, visible
from abviz.exercises.grading.results import ERROR, TIMEOUT, Report, Result
from abviz.exercises.verdicts import NOT_YET, RIGHT, SIGNS, WRONG

MARKS = SIGNS | {ERROR: "!", TIMEOUT: "!"}
NARROW = 30  # letters: a column of fewer is hard to read
OF_LIMITS = {
    "memory": "memory is not limited",
    "files": "files elsewhere are kept from Python code only",
    "processes": "other processes are kept from Python code only",
}


def table(report: Report, width: int = 100) -> str:
    """The answers with what is said of each, the points of each hand-in, and what the exercises came to in all."""
    widths = _Widths(report)
    lines = [line for label, results in report.results.items() for line in _of_one(label, results, widths, width)]
    if report.lacking:
        lines.append(f"On this system {', '.join(OF_LIMITS[each] for each in report.lacking)}.")
    return "\n".join([*lines, *_summary(report)])


class _Widths:
    """How wide the columns are, the same for all hand-ins."""

    def __init__(self, report: Report):
        lines = [each for results in report.results.values() for each in results.items()]
        self.name = max((len(name) for name, _ in lines), default=0)
        self.got = max((len(_points(result.points)) for _, result in lines), default=0)
        self.of = max((len(_points(result.of)) for _, result in lines), default=0)


def _of_one(label: str, results: dict[str, Result], widths: _Widths, width: int) -> Iterator[str]:
    got, of = sum(result.points for result in results.values()), sum(result.of for result in results.values())
    yield f"{visible(label)}: {f'{_points(got)} of {_points(of)} points' if results else 'no answer'}"
    for name, result in results.items():
        said = f"{result.mistake}: {result.message}" if result.mistake else result.message
        points = f"{_points(result.points):>{widths.got}} of {_points(result.of):<{widths.of}}"
        start = f"  {MARKS[result.status]} {visible(ljust(name, widths.name))}  {points}  {result.status:<15} "
        yield from _wrapped(start, visible(said), width)


def _wrapped(start: str, said: str, width: int) -> Iterator[str]:
    """What is said, in lines below each other beside the start; below it, where there is no room for that."""
    column = len(start) if width - len(start) >= NARROW else 4
    lines = textwrap.wrap(said, max(width - column, NARROW), break_on_hyphens=False)
    if column == len(start):
        start += lines.pop(0) if lines else ""
    yield start.rstrip()
    yield from (" " * column + line for line in lines)


def _summary(report: Report) -> Iterator[str]:
    names = list(dict.fromkeys(name for results in report.results.values() for name in results))
    yield ""
    for name in names:
        results = [each[name] for each in report.results.values() if name in each]
        statuses = Counter(result.status for result in results)
        told = ", ".join(f"{statuses[status]} {status}" for status in MARKS if statuses[status])
        mistakes = Counter(result.mistake for result in results if result.mistake)
        often = "; ".join(f"{visible(mistake)} {times}×" for mistake, times in mistakes.most_common(3))
        yield f"{name}: {told}" + (f" ({often})" if often else "")
    files = len(report.results)
    got = sum(result.points for each in report.results.values() for result in each.values())
    of = sum(result.of for each in report.results.values() for result in each.values())
    yield f"{count(files, 'hand-in')}, {_points(got)} of {_points(of)} points"


def _points(points: float) -> str:
    return f"{points:.2f}".rstrip("0").rstrip(".")


def as_json(report: Report) -> str:
    told = {
        label: {name: result.to_dict() for name, result in results.items()} for label, results in report.results.items()
    }
    return json.dumps(told, ensure_ascii=False, indent=2, allow_nan=False)


def as_junit(report: Report) -> bytes:
    """A suite for each hand-in, a case for each answer. What is not written yet counts as skipped."""
    root = ElementTree.Element("testsuites", name="abviz check")
    for label, results in report.results.items():
        told = Counter(result.status for result in results.values())
        seconds = sum(result.seconds for result in results.values())
        counts: dict[str, object] = {
            "tests": len(results),
            "failures": told[WRONG],
            "errors": told[ERROR] + told[TIMEOUT],
            "skipped": told[NOT_YET],
            "time": f"{seconds:.3f}",
        }
        told_counts = {name: str(value) for name, value in counts.items()}
        suite = ElementTree.SubElement(root, "testsuite", {"name": visible(label)} | told_counts)
        for name, result in results.items():
            told_case = {"classname": visible(label), "name": name, "time": f"{result.seconds:.3f}"}
            case = ElementTree.SubElement(suite, "testcase", told_case)
            if result.status != RIGHT:
                tag = {WRONG: "failure", NOT_YET: "skipped"}.get(result.status, "error")
                kind = {} if tag == "skipped" else {"type": visible(result.mistake or result.status)}
                ElementTree.SubElement(case, tag, {"message": visible(result.message)} | kind)
    ElementTree.indent(root)
    written: bytes = ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)
    return written
