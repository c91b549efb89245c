"""Tree files: the trees that ship, by name, and any other, by path; writing a file."""

import os
import re
import secrets
import shutil
import sys
from functools import cache
from math import inf, isinf
from pathlib import Path
from typing import Any

import yaml

from abviz.errors import AbvizError, Number, brief, short, unknown, visible
from abviz.tree import nested
from abviz.tree.model import Tree
from abviz.tree.nested import BadTree, Text, describe

PACKAGE = Path(__file__).parents[1]
TREES = PACKAGE / "trees" if (PACKAGE / "trees").is_dir() else PACKAGE.parent / "trees"  # beside it in a checkout
MOST_BYTES = 1_000_000
LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # the first is there where the library has its part in C

IN_QUOTES = r'"(?:[^"\\]|\\.)*"?'  # also where the last quote is missing

IN_TEACHING_ORDER = (
    *("worked-example", "aima-5.2", "paper-figure-2", "figure-4.24", "deep-cut", "last-child", "tied-root"),
    *("fails-low", "number-line", "order-best", "order-worst", "order-shuffled", "min-root", "uneven", "two-min"),
)


def load(name_or_path: str | os.PathLike[str]) -> Tree:
    """Return the tree of that name among those that ship, or the one in that file; "-" is standard input.

    Raises AbvizError, in one line, for an unknown name and for a file that holds no tree.
    """
    path = TREES / f"{name_or_path}.yaml" if name_or_path in shipped() else Path(name_or_path)
    file = "standard input" if name_or_path == "-" else short(str(path), 120)
    try:
        with getattr(sys.stdin, "buffer", sys.stdin) if name_or_path == "-" else path.open("rb") as stream:
            content = stream.read(MOST_BYTES + 1)
    except FileNotFoundError:
        raise unknown("tree or file", str(path), shipped()) from None
    except OSError as error:
        raise AbvizError(f"cannot read {file}: {error.strerror}; expected a tree file (.yaml, .yml or .json)") from None
    return parse(content, file=file)


def shipped() -> list[str]:
    """Return the names of the trees that ship, in teaching order."""
    return list(IN_TEACHING_ORDER)


def parse(content: str | bytes, *, file: str = "the text") -> Tree:
    """Return the tree that the text of a tree file holds: YAML, JSON, or a notation of `notations.yaml`.

    `file` is what an error calls it.
    """
    lines: dict[int, int] = {}
    line = 0
    try:
        if len(content) > MOST_BYTES:
            raise BadTree("larger than 1 MB; expected a smaller tree")
        return _tree(read_yaml(_rewritten(content), lines))
    except BadTree as error:
        problem = str(error)
        line = next((lines[id(thing)] for thing in error.things if id(thing) in lines), 0)
    except (yaml.YAMLError, ValueError) as error:
        mark: Any = getattr(error, "problem_mark", None)
        reason = getattr(error, "problem", None) or getattr(error, "reason", error)
        line = mark.line + 1 if mark else 0
        problem = f"this does not parse ({short(str(reason), 160)}); expected YAML or JSON in UTF-8"
    raise AbvizError(f"{file}{f', line {line}' * (line > 0)}: {problem}")


@cache
def notations() -> Any:
    """Return how other programs write trees: what such a text starts with, and rewrites that make JSON of it."""
    return yaml.load((Path(__file__).parent / "notations.yaml").read_bytes(), Loader=LOADER)


def _rewritten(content: str | bytes) -> str:
    text = content if isinstance(content, str) else content.decode("utf-8-sig")
    rewrites = next((each["rewrites"] for each in notations() if re.match(each["starts"], text)), ())
    if not rewrites:
        return text
    names = iter(re.findall(IN_QUOTES, text))
    text = re.sub(IN_QUOTES, '""', text)
    for pattern, replacement in rewrites:
        text = re.sub(pattern, replacement.replace("$", "\\"), text)
    return re.sub('""', lambda _: next(names), text)


def _tree(content: Any) -> Tree:
    head = {"tree": content} if isinstance(content, list) else content
    if not isinstance(head, dict) or "tree" not in head:
        raise BadTree(f"the file holds {describe(content)}; expected the key tree, or a nested list", content)
    nested.check_keys(head, ("title", "source", "note", "notes", "to_move", "root", "tree"))
    tree, notes = head.pop("tree"), head.pop("notes", {})
    if not (isinstance(notes, dict) and all(step.isdecimal() and isinstance(notes[step], str) for step in notes)):
        raise BadTree("notes are not texts by step; expected such as notes: {3: a text}", notes)
    return Tree(tree, **head, notes={int(step): str(text) for step, text in notes.items()})


def read_yaml(content: str | bytes, lines: dict[int, int]) -> Any:
    """Return what the YAML (or JSON, which is YAML) holds as lists, dicts and Text; add the line of each, by its id.

    It is made from the events of the YAML library's parser, since the library's own loaders call themselves at every
    level. Their number is limited while they come.
    """
    stack: list[list[Any]] = [[]]  # the first holds the document
    event: Any
    for event in yaml.parse(content, Loader=LOADER):
        problem, line = "", event.start_mark.line + 1
        # A node takes up to four entries, and two levels.
        if len(lines) > 4 * nested.MOST_NODES or len(stack) > 2 * nested.MOST_LEVELS + 2:
            problem = nested.TOO_LARGE
        if isinstance(event, yaml.DocumentStartEvent) and stack[0]:
            problem = "a second document begins here"
        if isinstance(event, yaml.AliasEvent) or getattr(event, "tag", None):
            problem = "aliases and tags are not read"
        if problem:
            raise yaml.MarkedYAMLError(problem=problem, problem_mark=event.start_mark)
        if isinstance(event, yaml.CollectionStartEvent):
            stack.append([])
            lines[id(stack[-1])] = line
        elif isinstance(event, yaml.ScalarEvent):
            text = Text(event.value)
            text.value = str(text) if event.style else resolve(text)
            stack[-1].append(text)
            lines[id(text)] = line
        elif isinstance(event, yaml.CollectionEndEvent):
            group = stack.pop()
            made = _mapping(group) if isinstance(event, yaml.MappingEndEvent) else group
            stack[-1].append(made)
            lines[id(made)] = lines[id(group)]
    return stack[0][0] if stack[0] else None


def _mapping(group: list[Any]) -> dict[Text, Any]:
    """Return the mapping whose keys and values alternate in the list."""
    mapping: dict[Text, Any] = {}
    for key, content in zip(group[::2], group[1::2], strict=True):
        if not isinstance(key, Text):
            raise BadTree(f"a key is {describe(key)}; expected text", key)
        if key in mapping:
            raise BadTree(f"{brief(str(key))} is there twice; expected each name once", key)
        if ":" in key and content == "" and content.value is None:
            raise BadTree(f"{brief(str(key))} has no value; expected a space after the colon: D: 3", key)
        mapping[key] = content
    return mapping


NUMBER = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
OCTAL_OR_HEX = re.compile("0o[0-7]+|0x[0-9a-fA-F]+")
WORDS: dict[str, Number | None] = dict.fromkeys(["", "~", "null", "Null", "NULL"])
WORDS |= {sign + word: float(f"{sign}inf") for sign in ("", "+", "-") for word in (".inf", ".Inf", ".INF")}
WORDS |= {"Infinity": inf, "-Infinity": -inf}  # as the json module writes them


def resolve(text: str) -> Number | str | None:
    """Return what a scalar without quotes is by YAML 1.2's core schema: nothing or a number; anything else is text."""
    if OCTAL_OR_HEX.fullmatch(text):
        return int(text, 0)
    if NUMBER.fullmatch(text) and not isinf(float(text)):  # 1e400 is no win
        return int(text) if text.lstrip("+-").isdecimal() else float(text)
    return WORDS.get(text, text)


def write_whole(path: str | os.PathLike[str], data: bytes) -> None:
    """Write the file, or raise AbvizError in one line; then what was there before is still there."""
    try:
        target = Path(os.path.realpath(path))  # a link stays a link
        if target.exists() and not target.is_file():
            target.write_bytes(data)  # /dev/stdout, a pipe: these cannot be replaced
            return
        new = target.with_name(f".abviz-{secrets.token_hex(8)}")
        try:
            new.write_bytes(data)
            if target.exists():
                shutil.copymode(target, new)
            new.replace(target)
        finally:
            new.unlink(missing_ok=True)
    except OSError as error:
        problem = f"{error.strerror}; expected a file name, in a folder open to writing"
        raise AbvizError(f"cannot write {visible(str(path))}: {problem}") from None
