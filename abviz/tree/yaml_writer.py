"""A tree as the text of a tree file."""

import re
from collections.abc import Sequence
from textwrap import wrap

from abviz.errors import AbvizError, Number, columns, machine, quoted
from abviz.tree.nested import Row, with_names

FLOW_COLUMNS = 40  # what is narrower stands on one line: {D: 3, E: 5}
FLOW_LEVEL = 12  # and so does all that is deeper: its indentation would push it off the page
LONG_KEY = 1000  # YAML finds a longer key only behind a question mark
WIDTH = 96

BARE = re.compile(r"[^\W\d_][\w .()/+-]*(?<! )")  # text that needs no quotes wherever it stands
WORDS = {"yes", "no", "on", "off", "true", "false", "null"}  # except these, which YAML 1.1 reads otherwise


def write_yaml(rows: Sequence[Row], *, title: str = "", source: str = "", note: str = "") -> str:
    """Return the text of a tree file, which loads to a tree of the same rows."""
    children: list[list[int]] = [[] for _ in rows]
    for index, row in enumerate(rows[1:], 1):
        children[row.parent].append(index)
    for index, row in enumerate(rows[1:], 1):
        if not children[index] and row.is_max == rows[row.parent].is_max:
            problem = f"a tree file cannot say that the same player moves at {quoted(row.name)} and above it"
            raise AbvizError(f"{problem}; expected the other player at a leaf")
    named = _named(rows, children)
    head = {"title": title, "source": source, "note": note}
    lines = [_head(key, text) for key, text in head.items() if text]
    lines.append(f"to_move: {'max' if rows[0].is_max else 'min'}")
    if named is not None:
        lines.append(f"root: {quote(rows[0].name)}")
    return "\n".join([*lines, *_body(rows, children, named or set()), ""])


def _named(rows: Sequence[Row], children: list[list[int]]) -> set[int] | None:
    """Return the nodes whose children's names must be written; None where all names are those that are given anyway."""
    names = [row.name for row in rows]

    def are_given(blank: list[bool]) -> bool:
        given = with_names([row._replace(name="") if b else row for row, b in zip(rows, blank, strict=True)])
        return [row.name for row in given] == names

    if are_given([True] * len(rows)):
        return None
    named = set()
    for index, below in enumerate(children):
        made = ({f"{names[index].lower()}{place}", f"{names[index]}:{place}"} for place in range(1, len(below) + 1))
        if any(children[child] or names[child] not in both for child, both in zip(below, made, strict=True)):
            named.add(index)
    everything = set(range(len(rows)))
    return named if are_given([row.parent not in {*named, -1} for row in rows]) else everything


def _body(rows: Sequence[Row], children: list[list[int]], named: set[int]) -> list[str]:
    """Return the lines of the tree: small parts on one line each, the others as indented lists and mappings."""
    keys = [f"{quote(row.name)}:" if row.parent in named else "" for row in rows]
    keys = [f"? {key[:-1]} :" if len(key) > LONG_KEY else key for key in keys]
    flow_level = 0 if max(map(len, keys)) > LONG_KEY else FLOW_LEVEL
    level = [0] * len(rows)
    for index, row in enumerate(rows[1:], 1):
        level[index] = level[row.parent] + 1
    extras = [_extras(rows, index, children[index], index in named) for index in range(len(rows))]
    flow: list[str] = [""] * len(rows)  # the node on one line; "" where that is too wide
    for index in range(len(rows) - 1, -1, -1):
        below = children[index]
        if not below:
            flow[index] = _number(rows[index].value)
        elif all(flow[child] for child in below):
            inside = ", ".join(f"{keys[child]} {flow[child]}".lstrip() for child in below)
            text = f"{{{inside}}}" if index in named else f"[{inside}]"
            if (extra := extras[index]) is not None:
                text = f"{{{', '.join([*extra, f'children: {text}'])}}}"
            if columns(text) <= FLOW_COLUMNS or level[index] >= flow_level:
                flow[index] = text
                for child in below:
                    flow[child] = ""  # written with its parent
    lines: list[str] = []
    waiting = [(0, "tree:", "")]
    while waiting:
        index, key, indent = waiting.pop()
        if flow[index]:
            lines.append(f"{indent}{key} {flow[index]}")
            continue
        lines.append(f"{indent}{key}")
        if index:
            indent += "  "
        elif index in named or extras[index] is not None:
            indent = "  "
        if (extra := extras[index]) is not None:
            lines += [f"{indent}{line}" for line in [*extra, "children:"]]
            indent += "  "
        waiting += [(child, keys[child] or "-", indent) for child in reversed(children[index])]
    return lines


def _extras(rows: Sequence[Row], index: int, children: list[int], is_named: bool) -> list[str] | None:
    """Return what stands beside the key `children` in the long form of a node; None where the short form does."""
    row, extras = rows[index], []
    if children and row.parent >= 0 and row.is_max == rows[row.parent].is_max:
        extras.append(f"to_move: {'max' if row.is_max else 'min'}")
    if children and row.value is not None:
        extras.append(f"value: {_number(row.value)}")
    if extras or (is_named and any(rows[child].name == "children" for child in children)):
        return extras
    return None


def _number(value: Number | None) -> str:
    return "null" if value is None else machine(value).replace("inf", ".inf")


def _head(key: str, text: str) -> str:
    if len(text) > WIDTH and text.isprintable() and " ".join(text.split()) == text:
        lines = wrap(text, WIDTH, break_long_words=False, break_on_hyphens=False)
        return f"{key}: >-\n  " + "\n  ".join(lines)
    return f"{key}: {quote(text)}"


def quote(text: str) -> str:
    """Return the text as a YAML scalar on one line, in double quotes where it needs them."""
    if BARE.fullmatch(text) and text.casefold() not in WORDS:
        return text
    return escape(text)


def escape(text: str) -> str:
    """Return the text as a YAML scalar on one line, in double quotes."""
    return '"' + "".join(map(_escape, text)) + '"'


def _escape(letter: str) -> str:
    if letter in '"\\':
        return f"\\{letter}"
    if letter.isprintable():
        return letter
    code = ord(letter)
    return f"\\x{code:02X}" if code < 0x100 else f"\\u{code:04X}" if code < 0x10000 else f"\\U{code:08X}"
