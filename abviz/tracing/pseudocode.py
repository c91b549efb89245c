"""The search as the sources write it, adapted to the rules, and the line that a step is at."""

from dataclasses import dataclass

from abviz.errors import visible
from abviz.tracing.traces import RECORDED, Trace


@dataclass(frozen=True, slots=True)
class Form:
    """One way of writing the search down."""

    name: str
    title: str
    needs: str = ""  # the rules under which the form describes the search; "" for all


FORMS = (
    Form("assignment", "one function, bv (checkers assignment)"),
    Form("aima", "two functions (Russell & Norvig)"),
    Form("csc384", "one function, nested test (CSC384)", needs="update, then test"),
    Form("slides", "α and β only (Weidendorfer’s slides)", needs="fail-hard and update, then test"),
)
MINIMAX = Form("minimax", "minimax")
OWN = Form("own", "the function itself")  # the one that was recorded
NO_SOURCE = "The source of this function is not available."


@dataclass(frozen=True, slots=True)
class Line:
    text: str
    indent: int
    marks: frozenset[str]  # the kinds of event that happen here, as in "max bv"; "max stop": a return by the test


def forms(trace: Trace) -> tuple[Form, ...]:
    """Return the forms that describe this search; for a recorded function, its source."""
    if trace.search == RECORDED:
        return (OWN,)
    if trace.search == "minimax":
        return (MINIMAX,)
    rules = trace.rules
    fits = {"": True, "update, then test": not rules.test_first}
    fits["fail-hard and update, then test"] = rules.fail_hard and not rules.test_first
    return tuple(form for form in FORMS if fits[form.needs])


def write_down(trace: Trace, form: Form) -> list[Line]:
    """Return the lines of one form."""
    if form is OWN:
        return _own(trace.options["source"].lines)
    write = {"assignment": _assignment, "aima": _aima, "csc384": _csc384, "slides": _slides, "minimax": _minimax}
    return write[form.name](_Terms(trace))


def line_at(trace: Trace, step: int, lines: list[Line]) -> int | None:
    """Return the index of the line that the step is at; None before the search."""
    events = trace.events_at(step)
    if not events:
        return None
    if trace.search == RECORDED:
        running: list[int | None] = trace.options["source"].running
        return running[trace.first_event(step)]
    event, node = events[0], trace.where(step)
    side = "max" if node.is_max else "min"
    marks = [f"{side} {event.kind}"]
    if event.kind == "exit" and trace.reached(event):
        marks.insert(0, f"{side} stop")  # even where no child is left to cut
    return next(i for mark in marks for i, line in enumerate(lines) if mark in line.marks)


def _own(source: list[str]) -> list[Line]:
    """Return a function's source, indented in steps as the other forms are; an empty line keeps its height."""
    widths = [len(text) - len(text.lstrip()) for text in source]
    step = min(filter(None, widths), default=1)
    texts = [visible(text.strip()) or "\u00a0" for text in source]
    lines = [_line(text, width // step) for text, width in zip(texts, widths, strict=True)]
    return lines or [_line(NO_SOURCE, 0)]


class _Terms:
    """The words that follow the rules of the trace rather than those of the source."""

    def __init__(self, trace: Trace):
        rules = trace.rules
        self.rules = rules
        self.each = f"for each child, {'right to left' if rules.right_to_left else 'left to right'}"
        self.leaf = "a leaf" if trace.depth is None else "a leaf, or at the depth limit"
        self.window = " kept within the node’s window" if rules.fail_hard else ""
        self.alternates = all(c.is_max != n.is_max for n in trace.tree.nodes for c in n.children)
        self.early_stop = trace.options.get("early_stop", False)

    def reached(self, is_max: bool) -> str:
        return (">" if is_max else "<") if self.rules.strict else ("≥" if is_max else "≤")


def _line(text: str, indent: int, side: str = "", *kinds: str) -> Line:
    return Line(text, indent, frozenset(f"{side} {kind}" for kind in kinds))


def _both(line: Line) -> Line:
    """A line that MAX and MIN share."""
    return Line(line.text, line.indent, line.marks | {mark.replace("max", "min") for mark in line.marks})


def _assignment(terms: _Terms) -> list[Line]:
    def side(is_max: bool) -> list[Line]:
        me, worst, better = ("max", "−∞", ">") if is_max else ("min", "∞", "<")
        mine, other = ("α", "β") if is_max else ("β", "α")
        update = _line(f"if bv {better} {mine}: {mine} ← bv", 3, me, "alpha", "beta")
        test = _line(f"if bv {terms.reached(is_max)} {other}: skip the rest", 3, me, "cut")
        return [
            _line(f"bv ← {worst}", 2, me, "enter"),
            _line(terms.each, 2),
            _line("v ← search(child, α, β)", 3),
            _line(f"if v {better} bv: bv ← v", 3, me, "bv"),
            *([test, update] if terms.rules.test_first else [update, test]),
        ]

    return [
        _line("search(node, α, β)", 0),
        _both(_line(f"if node is {terms.leaf}: return its value", 1, "max", "leaf")),
        _line("if MAX is to move", 1),
        *side(True),
        _line("else", 1),
        *side(False),
        _both(_line(f"return bv{terms.window}", 1, "max", "exit")),
    ]


def _aima(terms: _Terms) -> list[Line]:
    def side(is_max: bool) -> list[Line]:
        me, name, worst = ("max", "MAX", "−∞") if is_max else ("min", "MIN", "∞")
        mine, other = ("α", "β") if is_max else ("β", "α")
        child = f"{'MIN' if is_max else 'MAX'}-VALUE" if terms.alternates else "VALUE"
        update = _line(f"{mine} ← {name}({mine}, v)", 2, me, "alpha", "beta")
        test = _line(f"if v {terms.reached(is_max)} {other} then return v{terms.window}", 2, me, "cut", "stop")
        return [
            _line(f"function {name}-VALUE(node, α, β)", 0),
            _line(f"if node is {terms.leaf} then return its value", 1, me, "leaf"),
            _line(f"v ← {worst}", 1, me, "enter"),
            _line(terms.each, 1),
            _line(f"v ← {name}(v, {child}(child, α, β))", 2, me, "bv"),
            *([test, update] if terms.rules.test_first else [update, test]),
            _line(f"return v{terms.window}", 1, me, "exit"),
        ]

    return [*side(True), *side(False)]


def _csc384(terms: _Terms) -> list[Line]:
    def side(is_max: bool) -> list[Line]:
        me, worst, better = ("max", "−∞", ">") if is_max else ("min", "∞", "<")
        mine, other = ("α", "β") if is_max else ("β", "α")
        return [
            _line(f"best = {worst}", 2, me, "enter"),
            _line(f"{terms.each}:", 2),
            _line(f"best = {me}(best, AlphaBeta(child, α, β))", 3, me, "bv"),
            _line(f"if best {better} {mine}:", 3),
            _line(f"{mine} = best", 4, me, "alpha", "beta"),
            _line(f"if {mine} {terms.reached(is_max)} {other}: break", 4, me, "cut"),
            _line(f"return best{terms.window}", 2, me, "exit"),
        ]

    return [
        _line("AlphaBeta(node, α, β):", 0),
        _both(_line(f"if node is {terms.leaf}: return its value", 1, "max", "leaf")),
        _line("if player is MAX:", 1),
        *side(True),
        _line("else:", 1),
        *side(False),
    ]


def _slides(terms: _Terms) -> list[Line]:
    def side(is_max: bool) -> list[Line]:
        me, mine, other = ("max", "α", "β") if is_max else ("min", "β", "α")
        return [
            _line(f"{terms.each} {{", 2, me, "enter"),
            _line(f"{mine} = {me}({mine}, ab(child, α, β))", 3, me, "bv", "alpha", "beta"),
            _line(f"if ({mine} {terms.reached(is_max)} {other}) return {other}", 3, me, "cut", "stop"),
            _line("}", 2),
            _line(f"return {mine}", 2, me, "exit"),
        ]

    return [
        _line("ab(node, α, β) {", 0),
        _both(_line(f"if (node is {terms.leaf}) return its value", 1, "max", "leaf")),
        _line("if (MAX moves) {", 1),
        *side(True),
        _line("} else {", 1),
        *side(False),
        _line("}", 1),
        _line("}", 0),
    ]


def _minimax(terms: _Terms) -> list[Line]:
    def side(is_max: bool) -> list[Line]:
        me, worst, best = ("max", "−∞", "∞") if is_max else ("min", "∞", "−∞")
        stop = _line(f"if bv = {best}: nothing is better, stop", 3, me, "cut")
        return [
            _line(f"bv ← {worst}", 2, me, "enter"),
            _line(terms.each, 2),
            _line(f"bv ← {me}(bv, minimax(child))", 3, me, "bv"),
            *([stop] if terms.early_stop else []),
        ]

    return [
        _line("minimax(node)", 0),
        _both(_line(f"if node is {terms.leaf}: return its value", 1, "max", "leaf")),
        _line("if MAX is to move", 1),
        *side(True),
        _line("else", 1),
        *side(False),
        _both(_line("return bv", 1, "max", "exit")),
    ]
