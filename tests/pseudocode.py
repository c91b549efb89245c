"""The pseudocode that the page has to show: the search as the sources write it, and the line that a
step is at.

The page writes it from the same templates, in `pseudocode.js`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from math import inf

from abviz.errors import number, visible
from abviz.tracing.templates import PSEUDOCODE, fill
from abviz.tracing.traces import RECORDED, Trace


@dataclass(frozen=True)
class Form:
    """One way of writing the search down, as a template: `# bv` names the kinds of event that
    happen at a line.
    """

    name: str
    title: str
    # The rules under which the form describes the search
    needs: Mapping[str, bool] = field(default_factory=dict)
    head: Sequence[str] = ()
    side: Sequence[str] = ()  # written for MAX and for MIN, with `middle` between them
    middle: Sequence[str] = ()
    tail: Sequence[str] = ()


FORMS = tuple(Form(**form) for form in PSEUDOCODE["forms"])
MINIMAX = Form(**PSEUDOCODE["minimax"])
OWN = Form(**PSEUDOCODE["own"])  # the source of the function that was recorded
NO_SOURCE: str = PSEUDOCODE["no source"]


@dataclass(frozen=True, slots=True)
class Line:
    text: str
    indent: int
    # The kinds of event that happen here: "max bv"; "max stop": the test returns
    marks: frozenset[str] = frozenset()


def forms(trace: Trace) -> tuple[Form, ...]:
    """Return the forms that describe this search; for a recorded function, its source."""
    if trace.search == RECORDED:
        return (OWN,)
    if trace.search == "minimax":
        return (MINIMAX,)
    rules = asdict(trace.rules)
    return tuple(form for form in FORMS if form.needs.items() <= rules.items())


def write_down(trace: Trace, form: Form) -> list[Line]:
    """Return the lines of one form."""
    if form is OWN:
        return _own(trace.options["source"].lines)
    rules, words, sides = trace.rules, dict(PSEUDOCODE["words"]), []
    special = {
        "to depth": trace.depth is not None,
        "right to left": rules.right_to_left,
        "fail-hard": rules.fail_hard,
    }
    for name, applies in special.items():
        words |= PSEUDOCODE[f"words {name}"] if applies else {}
    alternates = all(
        child.is_max != node.is_max for node in trace.tree.nodes for child in node.children
    )
    players = PSEUDOCODE["players"]
    # Its `call` is the other's
    first = "any" if not alternates else "MIN" if trace.tree.root.is_max else "MAX"
    words["root"] = players[first]["call"]
    words["low"] = number(trace.options.get("alpha", -inf))
    words["high"] = number(trace.options.get("beta", inf))
    for name in ("MAX", "MIN"):
        of_player = players[name] | (players[f"{name} strict"] if rules.strict else {})
        of_player |= {} if alternates else players["any"]
        sides.append(_lines(form.side, words | of_player, (of_player["me"],)))
    for lines in sides:
        update = next(
            (i for i, line in enumerate(lines) if {"max alpha", "min alpha"} & line.marks), 0
        )
        if rules.test_first and update:
            lines[update : update + 2] = reversed(lines[update : update + 2])
        if form is MINIMAX and not trace.options.get("early_stop"):
            lines.pop()
    head, middle, tail = (
        _lines(text, words, ("max", "min")) for text in (form.head, form.middle, form.tail)
    )
    return [*head, *sides[0], *middle, *sides[1], *tail]


def _lines(template: Sequence[str], words: dict[str, str], sides: tuple[str, ...]) -> list[Line]:
    lines = []
    for row in template:
        text, _, kinds = row.partition("  # ")
        indent = (len(text) - len(text.lstrip())) // 4
        marks = frozenset(f"{side} {kind}" for side in sides for kind in kinds.split())
        lines.append(Line(fill(text.strip(), words), indent, marks))
    return lines


def _own(source: list[str]) -> list[Line]:
    """Return a function's source, indented in steps as the other forms are; an empty line keeps its
    height.
    """
    widths = [len(text) - len(text.lstrip()) for text in source]
    step = min(filter(None, widths), default=1)
    texts = [visible(text.strip()) or "\u00a0" for text in source]
    return [Line(text, width // step) for text, width in zip(texts, widths, strict=True)] or [
        Line(NO_SOURCE, 0)
    ]


def line_at(trace: Trace, step: int, lines: list[Line]) -> int | None:
    """Return the index of the line that the step is at; None before the search."""
    events = trace.events_at(step)
    if not events:
        return None
    if trace.search == RECORDED:
        running: list[int | None] = trace.options["source"].running
        return running[
            next(index for index, event in enumerate(trace.events) if event is events[0])
        ]
    event, node = events[0], trace.where(step)
    side = "max" if node.is_max else "min"
    marks = [f"{side} {event.kind}"]
    if event.kind == "exit" and trace.reached(event):
        marks.insert(0, f"{side} stop")  # even where no child is left to cut
    return next(i for mark in marks for i, line in enumerate(lines) if mark in line.marks)
