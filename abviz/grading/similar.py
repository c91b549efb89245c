"""Wrong answers that do the same in every trial: a fact, and no accusation.

Right answers do the same by necessity, so nothing is said of them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from abviz.errors import count
from abviz.exercises.verdict import WRONG
from abviz.grading.behavior import Behavior
from abviz.grading.report import Report

MOST_NAMED = 12  # students in a line

REASON = (
    "Right answers do the same by necessity, and aren't compared. "
    "Students who make the same mistake on their own look just like this."
)


@dataclass
class Group:
    """Students whose wrong answers to an exercise do the same in every trial."""

    exercise: str
    mistake: str | None
    behavior: Behavior
    students: list[str] = field(default_factory=list)


def groups_in(report: Report) -> list[Group]:
    """Return the groups of two or more students, those with a rare mistake first."""
    found: dict[tuple[str, Behavior], Group] = {}
    for label, rows in report.hand_ins.items():
        for name, behavior in _behaviors(report, label):
            row = rows.get(name)
            if row is None or row["status"] != WRONG:
                continue
            group = Group(name, row["mistake"], behavior)
            found.setdefault((name, behavior), group).students.append(label)

    groups = [group for group in found.values() if len(group.students) > 1]
    return sorted(groups, key=lambda group: _making(report, group.exercise, group.mistake))


def _behaviors(report: Report, label: str) -> Iterator[tuple[str, Behavior]]:
    """Yield what a student's answers did, each once."""
    seen = set()
    for hand_in in report.students[label].hand_ins:
        for name, behavior in hand_in.behaviors.items():
            if (name, behavior) not in seen:
                seen.add((name, behavior))
                yield name, behavior


def _making(report: Report, exercise: str, mistake: str | None) -> int:
    """Return how many students make that mistake in the exercise; 0 where it has no name."""
    if mistake is None:
        return 0
    rows = [rows[exercise] for rows in report.hand_ins.values() if exercise in rows]
    return sum(row["mistake"] == mistake for row in rows)


def lines(report: Report) -> list[str]:
    """Return a line for each group, with how common its mistake is in this class."""
    found = [_line(report, group) for group in groups_in(report)]
    if not found:
        return ["No two wrong answers do the same in every trial."]
    return [*found, REASON]


def _line(report: Report, group: Group) -> str:
    trials = count(group.behavior.trials, "trial")
    line = (
        f"{group.exercise}: {_listed(group.students)} do the same in all {trials}, "
        f"wrong in {group.behavior.wrong:,} of them."
    )
    if group.mistake is None:
        return f"{line} It is no mistake that has a name."

    making = _making(report, group.exercise, group.mistake)
    share = f"{making} of {len(report.hand_ins)}"
    return f"{line} Their mistake, {group.mistake}, is made by {share} here."


def _listed(names: Sequence[str]) -> str:
    """Return the names in a sentence; of many the first, and how many there are."""
    if len(names) > MOST_NAMED:
        return f"{', '.join(names[:MOST_NAMED])}, … ({len(names)} in all)"
    return f"{', '.join(names[:-1])} and {names[-1]}"


def as_records(report: Report) -> list[dict[str, object]]:
    """Return the groups, ready for JSON."""
    return [
        {
            "exercise": group.exercise,
            "students": group.students,
            "mistake": group.mistake,
            "trials": group.behavior.trials,
            "wrong": group.behavior.wrong,
            "making_the_mistake": _making(report, group.exercise, group.mistake),
        }
        for group in groups_in(report)
    ]
