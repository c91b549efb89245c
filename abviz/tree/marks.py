"""The text of a tree file, YAML or JSON, as a row of brackets and scalars, each with its line."""

import json
import re
from collections.abc import Iterator
from typing import NamedTuple

import yaml

from abviz.errors import AbvizError, brief, visible
from abviz.tree.nested import short_path


class Fault(AbvizError):
    """Text that is no tree file: the line and the place in the tree (where they are known), and what is wrong there."""

    def __init__(self, line: int | None, problem: str, path: str = ""):
        self.line = line
        super().__init__(f"at {short_path(path)}: {problem}" if path else problem)


class NotJson(Fault):
    """Text that does not parse as JSON; it may be YAML all the same."""


class Mark(NamedTuple):
    """What both languages are made of: brackets and scalars, each with its line."""

    kind: str  # "[", "]", "{", "}", "scalar" or "alias"
    line: int
    text: str = ""  # a scalar without its quotes; the name of an alias
    plain: bool = False  # a scalar that had no quotes, and so may be a number
    anchor: str | None = None
    tag: str | None = None


# YAML


def yaml_marks(text: str) -> Iterator[Mark]:
    """The parser's events. They come one by one, so that no depth and no alias costs more than the text is long."""
    documents = 0
    for line, event in _yaml_events(text):
        if isinstance(event, yaml.DocumentStartEvent):
            documents += 1
            if documents == 2:
                raise Fault(line, "a second document begins here; expected one")
        elif isinstance(event, yaml.CollectionEndEvent):
            yield Mark("]" if isinstance(event, yaml.SequenceEndEvent) else "}", line)
        elif isinstance(event, yaml.AliasEvent):
            yield Mark("alias", line, event.anchor or "")
        elif isinstance(event, yaml.ScalarEvent | yaml.CollectionStartEvent):
            tag = event.tag and event.tag.replace("tag:yaml.org,2002:", "!!")
            if isinstance(event, yaml.ScalarEvent):
                yield Mark("scalar", line, event.value, not event.style, event.anchor, tag)
            else:
                kind = "[" if isinstance(event, yaml.SequenceStartEvent) else "{"
                yield Mark(kind, line, anchor=event.anchor, tag=tag)


def _yaml_events(text: str) -> Iterator[tuple[int, yaml.Event]]:
    line = 1
    try:
        for event in yaml.parse(text, Loader=yaml.SafeLoader):
            line = event.start_mark.line + 1 if event.start_mark else line
            yield line, event
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        problem = ", ".join(part for part in (error.context, error.problem) if part)
        raise Fault(
            mark.line + 1 if mark else line, f"this does not parse; expected YAML ({one_line(problem)})"
        ) from None
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        found = f"U+{ord(text[error.position]):04X}"
        raise Fault(line, f"the character {found} stands here as it is; expected letters that can be printed") from None
    except (ValueError, OverflowError):  # the parser lets them through: "\UFFFFFFFF" is no letter
        raise Fault(None, "this does not parse; expected YAML (a letter or a version in it is out of range)") from None


def one_line(text: str) -> str:
    text = visible(" ".join(text.split()))
    return text if len(text) <= 160 else f"{text[:159]}…"


# JSON

_SPACE = re.compile(r"[ \t\r\n]*")
_TOKEN = re.compile(
    r'(?P<string>"[^"\\\x00-\x1f]*(?:\\.[^"\\\x00-\x1f]*)*")'
    r"|(?P<plain>-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?|true|false|null|NaN|-?Infinity)"
    r"|(?P<mark>[][{},:])"
)
_AS_IN_YAML = {"NaN": ".nan", "Infinity": ".inf", "-Infinity": "-.inf"}
_CLOSING = {"[": "]", "{": "}"}


def json_marks(text: str) -> Iterator[Mark]:
    """The text's tokens, in the order that the grammar wants them. (The json module keeps no lines, and calls itself
    for every level.)"""
    position, line = 0, 1
    open_: list[str] = []
    wanted = "a value"
    while True:
        space = _SPACE.match(text, position)
        assert space is not None  # it may be empty
        line += text.count("\n", position, space.end())
        position = space.end()
        token = _TOKEN.match(text, position)
        if wanted == "the end" and position == len(text):
            return
        kind, found = (token.lastgroup, token.group()) if token else ("", text[position : position + 1])
        if found and kind == "mark" and _closes(found, wanted, open_):
            open_.pop()
            yield Mark(found, line)
            wanted = _after_value(open_)
        elif found in ("[", "{") and wanted.startswith("a value"):
            open_.append(found)
            yield Mark(found, line)
            wanted = "a value or ]" if found == "[" else "a name in double quotes or }"
        elif kind == "string" and wanted.startswith(("a value", "a name")):
            yield Mark("scalar", line, _json_string(found, line))
            wanted = "a colon" if wanted.startswith("a name") else _after_value(open_)
        elif kind == "plain" and wanted.startswith("a value"):
            yield Mark("scalar", line, _AS_IN_YAML.get(found, found), plain=True)
            wanted = _after_value(open_)
        elif found == ":" and wanted == "a colon":
            wanted = "a value"
        elif found == "," and wanted.startswith("a comma"):
            wanted = "a value" if open_[-1] == "[" else "a name in double quotes"
        else:
            stands = {"": "the end of the text", '"': "a text that does not end"}.get(found) or brief(found)
            raise NotJson(line, f"this does not parse as JSON, for here stands {stands}; expected {wanted}")
        assert token is not None
        position = token.end()


def _closes(found: str, wanted: str, open_: list[str]) -> bool:
    return bool(open_) and found == _CLOSING[open_[-1]] and wanted.endswith(f"or {found}")


def _after_value(open_: list[str]) -> str:
    return f"a comma or {_CLOSING[open_[-1]]}" if open_ else "the end"


def _json_string(token: str, line: int) -> str:
    try:
        return str(json.loads(token))
    except json.JSONDecodeError as error:
        raise NotJson(
            line, f"this does not parse as JSON, for here stands {brief(token)}; expected text ({error.msg})"
        ) from None
