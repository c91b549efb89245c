"""What the page is handed: the tree, the rules, and where its nodes stand; of a recorded run its events too."""

import json
import re
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any

from abviz.errors import LONGEST, Number, as_json, quoted, short, unknown, visible
from abviz.tracing.narration import sentence
from abviz.tracing.templates import FORMS, PSEUDOCODE, TEXTS
from abviz.tracing.traces import RECORDED, Trace
from abviz.tree.model import Node, Tree
from abviz.views.drawing import LOOKS, layout, letters, readable

PAGE = Path(__file__).parent / "page"
EXACT = 10**15  # a whole number from here on travels as text: JSON's numbers would round it


@cache
def module() -> str:
    """Return the page's modules as one, with the data files that they share with Python."""
    data = {"SENTENCES": TEXTS, "PSEUDOCODE": PSEUDOCODE, "LOOKS": LOOKS}
    spoken = {name: {key: part for key, part in content.items() if key != "about"} for name, content in data.items()}
    parts = [f"const {name} = {as_script(content)};" for name, content in spoken.items()]
    return join(parts + [path.read_text("utf-8") for path in sorted(PAGE.glob("*.js"))])


def join(modules: list[str]) -> str:
    """Return the text of modules as one: what they import from each other is in it."""
    text = compact(re.sub(r"^import [^;]*;\n|^export (?!default)", "", "\n".join(modules), flags=re.MULTILINE))
    assert "</script" not in text.lower()
    return text


def stylesheet() -> str:
    """Return the stylesheet of the page, with that of the boards, without comments and spaces."""
    style = "".join(path.read_text("utf-8") for path in sorted(PAGE.glob("*.css")))
    style = re.sub(r"/\*.*?\*/|(?<=[:,])\s+", "", style, flags=re.DOTALL)
    return re.sub(r"\s*([{};>])\s*", r"\1", style).replace(";}", "}")


def compact(script: str) -> str:
    """Return the script without comments, indentation, and line ends where it goes on anyway: a fifth of a page."""
    script = re.sub(r"^ *(//.*|/\*\*[^/]*\*/)?\n| // [^\"'`\n]*$", "", script, flags=re.MULTILINE)
    return re.sub(r"^ +|(?<=[;{,(\[])\n *", "", script, flags=re.MULTILINE)


def as_script(content: Any) -> str:
    """Return the content as JSON for use in a script: only "<" could end the element that holds it."""
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    return text.encode("utf-8", "backslashreplace").decode()  # half a surrogate pair, in a name, is \\ud83d in JSON


def check_form(name: Any) -> str:
    """Return the name of a form of the pseudocode, or raise AbvizError where there is no such form."""
    if name not in FORMS:
        raise unknown("form of the pseudocode", name, FORMS)
    return str(name)


def page_data(trace: Trace, node: str | None = None) -> dict[str, Any]:
    """Return the trace as the page reads it, ready for JSON; `node` shows only the part of the tree below it."""
    tree, part = trace.tree, readable(trace.tree, node)
    boxes = letters(trace)
    size, places = layout(tree, part, len(boxes))
    is_alphabeta = trace.search == "alphabeta"  # of which the notes speak
    search = {"search": trace.search, "rules": asdict(trace.rules), "depth": trace.depth}
    data = {
        "title": visible(tree.title),
        "source": visible(tree.source),
        "note": visible(tree.note) * is_alphabeta,
        "notes": {step: visible(text) for step, text in tree.notes.items() if is_alphabeta},
        "rows": [_row(tree, each) for each in tree.nodes],
        "top": part[0].index,
        "places": {"letters": len(boxes), "size": size, "centres": [places[each.index] for each in part]},
        "boards": tree.boards(part) or None,
    }
    if trace.search == RECORDED:
        events = [[e.kind, e.node.index, *map(number_to_json, (e.alpha, e.beta, e.bv, e.value))] for e in trace.events]
        return data | {"search": search | _recording(trace), "events": events}
    return data | {"search": search | {name: number_to_json(value) for name, value in trace.options.items()}}


def _row(tree: Tree, node: Node) -> list[Any]:
    above = tree.parent(node)
    row = [node.name, node.is_max, number_to_json(node.value), -1 if above is None else above.index]
    label, folded = tree.label(node), tree.folded(node)
    more: dict[str, Any] = {}
    if label != node.name:
        more["label"] = visible(label)
    if not (node.name + label).isascii() or len(node.name + label) > LONGEST:
        more |= {"quoted": quoted(node.name), "quotedLabel": quoted(label), "short": short(label)}
    if folded:
        more["folded"] = folded._asdict()
    if ending := tree.ending(node):
        more["ending"] = ending
    return [*row, more] if more else row


def _recording(trace: Trace) -> dict[str, Any]:
    source = trace.options["source"]
    lines = [visible(line) for line in source.lines] or [PSEUDOCODE["no source"]]
    marks = {name: mark for name, mark in trace.options.items() if name in ("negamax", "parting", "skips_nodes")}
    return marks | {
        "name": quoted(trace.options["name"]),
        "returned": number_to_json(trace.value),
        "sentences": [sentence(trace, step) for step in range(len(trace) + 1)],
        "source": {"lines": lines, "running": source.running},
    }


def number_to_json(value: Number | None) -> Any:
    """Return the number as the page reads it: infinities and long whole numbers are text."""
    is_long = isinstance(value, int) and abs(value) >= EXACT
    return str(value) if is_long else as_json(value)


def number_of(value: Any) -> Any:
    """Return the number that the page has sent, in the form in which `page_data` sends it."""
    if value in ("inf", "-inf"):
        return float(value)
    return int(value) if isinstance(value, str) else value
