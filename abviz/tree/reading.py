"""What the text of a tree file holds: nested lists and mappings that still know their lines."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from math import inf, isinf, nan
from typing import Any

from abviz.errors import brief
from abviz.tree.marks import Fault, Mark, NotJson, json_marks, one_line, yaml_marks
from abviz.tree.nested import MOST_CHILDREN, MOST_LEVELS, MOST_NODES, TOO_LARGE, Unfit


@dataclass
class Document:
    """What a file holds. Numbers are numbers already, names the text as written."""

    content: Any = None
    lines: dict[int, list[int]] = field(default_factory=dict)  # by the id of a list or mapping: its things' lines
    texts: dict[str, str] = field(default_factory=dict)  # the scalars of the outermost mapping, as written

    def line(self, key: str) -> int:
        """The line of a key of the outermost mapping."""
        return self._line(self.content, key)

    def line_in_tree(self, tree: Any, line: int, place: Iterable[int], key: str) -> int:
        """The line of a node, given by its child numbers from the root, or of a key of its long form."""
        for number in place:
            if isinstance(tree, dict) and "children" in tree:
                tree = tree["children"]
            things = list(tree.values()) if isinstance(tree, dict) else tree
            line = self.lines[id(tree)][number]
            tree = things[number]
        return self._line(tree, key) if isinstance(tree, dict) and key in tree else line

    def _line(self, mapping: dict[str, Any], key: str) -> int:
        return self.lines[id(mapping)][list(mapping).index(key)]


def read(text: str, *, only_json: bool = False) -> Document:
    """Read JSON where the text is JSON (YAML has other rules for tabs and \\u escapes), and YAML otherwise."""
    text = text.removeprefix("\ufeff")
    if only_json or text.lstrip(" \t\r\n").startswith(("[", "{")):
        try:
            return _build(json_marks(text))
        except NotJson:
            if only_json:
                raise
    return _build(yaml_marks(text))


@dataclass
class _Open:
    """A list or mapping that has not ended, and the key that its next thing goes under."""

    things: list[Any] | dict[str, Any]
    lines: list[int]
    key: str | None = None


def _build(marks: Iterable[Mark]) -> Document:
    document = Document()
    open_: list[_Open] = []
    anchors: dict[str, Any] = {}
    size = 0
    for mark in marks:
        if mark.kind in ("]", "}"):
            open_.pop()
            continue
        if mark.tag is not None:
            raise Fault(mark.line, f"the tag {brief(mark.tag)} stands here; expected none", _path(open_))
        inner = open_[-1] if open_ else None
        if inner and isinstance(inner.things, dict) and inner.key is None:
            inner.key = _key(mark, inner.things, open_)
            inner.lines.append(mark.line)
            if mark.anchor is not None:
                anchors[mark.anchor] = mark.text
            continue
        value = _value(mark, anchors, open_)
        if mark.anchor is not None:
            anchors[mark.anchor] = value
        if inner is None:
            document.content = value
        elif isinstance(inner.things, list):
            inner.things.append(value)
            inner.lines.append(mark.line)
        else:
            assert inner.key is not None
            if mark.kind == "scalar" and mark.plain and not mark.text and ":" in inner.key:
                problem = f"{brief(inner.key)} has no value; expected a space after the colon, as in D: 3"
                raise Fault(mark.line, problem, _path(open_))
            inner.things[inner.key] = value
            if mark.kind == "scalar":
                inner.lines[-1] = mark.line
                if len(open_) == 1:
                    document.texts[inner.key] = mark.text
            inner.key = None
        size += 1
        _check_size(size, open_, mark)
        if mark.kind in ("[", "{"):
            open_.append(_Open(value, document.lines.setdefault(id(value), [])))
    return document


def _check_size(size: int, open_: list[_Open], mark: Mark) -> None:
    """Stop where the tree is beyond the limits, however it goes on. (A node takes at most four things.)"""
    if size > 4 * MOST_NODES:
        raise Fault(mark.line, f"the tree grows beyond {MOST_NODES:,} nodes; expected fewer", _path(open_))
    if len(open_) > 2 * MOST_LEVELS:
        raise Fault(mark.line, f"the tree grows deeper than {MOST_LEVELS:,} levels; expected fewer", _path(open_))
    if open_ and len(open_[-1].things) > MOST_CHILDREN:
        raise Fault(mark.line, f"more than {MOST_CHILDREN:,} children; expected at most that", _path(open_))


def _key(mark: Mark, things: dict[str, Any], open_: list[_Open]) -> str:
    if mark.kind != "scalar":
        what = {"[": "a list", "{": "a mapping", "alias": "an alias"}[mark.kind]
        raise Fault(mark.line, f"{what} stands for a name; expected text", _path(open_))
    if mark.text in things:
        raise Fault(mark.line, f"{brief(mark.text)} stands there twice; expected each name once", _path(open_))
    return mark.text


def _value(mark: Mark, anchors: dict[str, Any], open_: list[_Open]) -> Any:
    if mark.kind == "[":
        return []
    if mark.kind == "{":
        return {}
    if mark.kind == "scalar":
        return resolve(mark.text) if mark.plain else mark.text
    if mark.text not in anchors:
        raise Fault(mark.line, f"the alias *{one_line(mark.text)} has no anchor; expected one above it", _path(open_))
    value = anchors[mark.text]
    if any(value is outer.things for outer in open_):
        problem = f"the alias *{one_line(mark.text)} makes the tree hold itself; expected a tree that ends"
        raise Fault(mark.line, problem, _path(open_))
    return value


def _path(open_: list[_Open]) -> str:
    """Where the innermost list or mapping stands in the tree."""
    inner = open_
    if not open_:
        return "the top of the file"
    if isinstance(open_[0].things, dict):
        if list(open_[0].things)[-1:] != ["tree"] or len(open_) == 1:
            return "the top of the file"
        inner = open_[1:]
    numbers: list[int] = []
    is_long = False
    for outer in inner[:-1]:
        is_long = not is_long and isinstance(outer.things, dict) and next(reversed(outer.things)) == "children"
        if not is_long:
            numbers.append(len(outer.things) - 1)
    return ".".join(map(str, numbers)) or "root"


_INTEGER = re.compile(r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_BASES = {"0o": 8, "0x": 16}
_WORDS: dict[str, Any] = dict.fromkeys(("", "~", "null", "Null", "NULL"))
_WORDS |= dict.fromkeys(("true", "True", "TRUE"), True) | dict.fromkeys(("false", "False", "FALSE"), False)
for _inf, _nan in ((".inf", ".nan"), (".Inf", ".NaN"), (".INF", ".NAN")):
    _WORDS |= {_inf: inf, f"+{_inf}": inf, f"-{_inf}": -inf, _nan: nan}


def resolve(text: str) -> Any:
    """A scalar without quotes by the core schema of YAML 1.2: nothing, true or false, a number, and otherwise text."""
    if text in _WORDS:
        return _WORDS[text]
    if len(text) > 400:
        is_number = _INTEGER.fullmatch(text) or _FLOAT.fullmatch(text)
        return Unfit(f"a number of {len(text):,} characters") if is_number else text
    if _INTEGER.fullmatch(text):
        return int(text, _BASES.get(text[:2], 10))
    if _FLOAT.fullmatch(text):
        value = float(text)
        return TOO_LARGE if isinf(value) else value  # 1e400 is no win
    if text.strip("+-").casefold() in ("inf", "infinity", "∞"):
        return Unfit(f"text ({brief(text)}, where a win is written .inf)")
    return text
