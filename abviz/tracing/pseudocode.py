"""The search as the sources write it, adapted to the rules, and the line that a step is at."""

from dataclasses import dataclass

from abviz.errors import visible
from abviz.tracing.traces import RECORDED, Trace


@dataclass(frozen=True, slots=True)
class Form:
    """One way of writing the search down, as a template: `# bv` names the kinds of event that happen at a line."""

    name: str
    title: str
    needs: str = ""  # the rules under which the form describes the search; "" for all
    head: str = ""
    side: str = ""  # written for MAX and for MIN, with `middle` between them
    middle: str = ""
    tail: str = ""


FORMS = (
    Form(
        "assignment",
        "one function, bv (checkers assignment)",
        head="""
search(node, α, β)
    if node is {leaf}: return its value  # leaf
    if MAX is to move
""",
        side="""
        bv ← {worst}  # enter
        {each}
            v ← search(child, α, β)
            if v {better} bv: bv ← v  # bv
            if bv {better} {mine}: {mine} ← bv  # alpha beta
            if bv {reached} {other}: skip the rest  # cut
""",
        middle="    else",
        tail="    return bv{window}  # exit",
    ),
    Form(
        "aima",
        "two functions (Russell & Norvig)",
        side="""
function {player}-VALUE(node, α, β)
    if node is {leaf} then return its value  # leaf
    v ← {worst}  # enter
    {each}
        v ← {player}(v, {call}(child, α, β))  # bv
        {mine} ← {player}({mine}, v)  # alpha beta
        if v {reached} {other} then return v{window}  # cut stop
    return v{window}  # exit
""",
    ),
    Form(
        "csc384",
        "one function, nested test (CSC384)",
        needs="update, then test",
        head="""
AlphaBeta(node, α, β):
    if node is {leaf}: return its value  # leaf
    if player is MAX:
""",
        side="""
        best = {worst}  # enter
        {each}:
            best = {me}(best, AlphaBeta(child, α, β))  # bv
            if best {better} {mine}:
                {mine} = best  # alpha beta
                if {mine} {reached} {other}: break  # cut
        return best{window}  # exit
""",
        middle="    else:",
    ),
    Form(
        "slides",
        "α and β only (Weidendorfer’s slides)",
        needs="fail-hard and update, then test",
        head="""
ab(node, α, β) {{
    if (node is {leaf}) return its value  # leaf
    if (MAX moves) {{
""",
        side="""
        {each} {{  # enter
            {mine} = {me}({mine}, ab(child, α, β))  # bv alpha beta
            if ({mine} {reached} {other}) return {other}  # cut stop
        }}
        return {mine}  # exit
""",
        middle="    }} else {{",
        tail="    }}\n}}",
    ),
)
MINIMAX = Form(
    "minimax",
    "minimax",
    head="""
minimax(node)
    if node is {leaf}: return its value  # leaf
    if MAX is to move
""",
    side="""
        bv ← {worst}  # enter
        {each}
            bv ← {me}(bv, minimax(child))  # bv
            if bv = {win}: nothing is better, stop  # cut
""",
    middle="    else",
    tail="    return bv  # exit",
)
OWN = Form("own", "the function itself")  # the one that was recorded
NO_SOURCE = "The source of this function is not available."


@dataclass(frozen=True, slots=True)
class Line:
    text: str
    indent: int
    marks: frozenset[str] = frozenset()  # the kinds of event that happen here: "max bv"; "max stop": the test returns


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
    rules = trace.rules
    alternates = all(child.is_max != node.is_max for node in trace.tree.nodes for child in node.children)
    words = {
        "leaf": "a leaf" if trace.depth is None else "a leaf, or at the depth limit",
        "each": f"for each child, {'right to left' if rules.right_to_left else 'left to right'}",
        "window": " kept within the node’s window" if rules.fail_hard else "",
    }
    of_max = {"me": "max", "player": "MAX", "call": "MIN-VALUE", "mine": "α", "other": "β", "better": ">"}
    of_max |= {"worst": "−∞", "win": "∞", "reached": ">" if rules.strict else "≥"}
    of_min = {"me": "min", "player": "MIN", "call": "MAX-VALUE", "mine": "β", "other": "α", "better": "<"}
    of_min |= {"worst": "∞", "win": "−∞", "reached": "<" if rules.strict else "≤"}
    if not alternates:
        of_max["call"] = of_min["call"] = "VALUE"
    sides = [_lines(form.side, words | side, (side["me"],)) for side in (of_max, of_min)]
    for lines in sides:
        update = next((i for i, line in enumerate(lines) if {"max alpha", "min alpha"} & line.marks), 0)
        if rules.test_first and update:
            lines[update : update + 2] = reversed(lines[update : update + 2])
        if form is MINIMAX and not trace.options.get("early_stop"):
            lines.pop()
    head, middle, tail = (_lines(text, words, ("max", "min")) for text in (form.head, form.middle, form.tail))
    return [*head, *sides[0], *middle, *sides[1], *tail]


def _lines(template: str, words: dict[str, str], sides: tuple[str, ...]) -> list[Line]:
    lines = []
    for row in filter(None, template.splitlines()):
        text, _, kinds = row.partition("  # ")
        indent = (len(text) - len(text.lstrip())) // 4
        marks = frozenset(f"{side} {kind}" for side in sides for kind in kinds.split())
        lines.append(Line(text.strip().format(**words), indent, marks))
    return lines


def _own(source: list[str]) -> list[Line]:
    """Return a function's source, indented in steps as the other forms are; an empty line keeps its height."""
    widths = [len(text) - len(text.lstrip()) for text in source]
    step = min(filter(None, widths), default=1)
    texts = [visible(text.strip()) or "\u00a0" for text in source]
    return [Line(text, width // step) for text, width in zip(texts, widths, strict=True)] or [Line(NO_SOURCE, 0)]


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
