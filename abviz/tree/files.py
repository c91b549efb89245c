"""Tree files: the trees that ship, by name, and any other, by path; and files that appear whole or not at all."""

import json
import os
import re
import secrets
import shutil
import sys
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
PAIR = re.compile(rb"\\ud[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2}", re.IGNORECASE)  # JSON's "\ud83d\ude00"; YAML has none

IN_TEACHING_ORDER = (
    *("worked-example", "aima-5.2", "paper-figure-2", "figure-4.24", "deep-cut", "last-child", "tied-root"),
    *("fails-low", "number-line", "order-best", "order-worst", "order-shuffled", "min-root", "uneven", "two-min"),
)


def load(name_or_path: str | os.PathLike[str]) -> Tree:
    """Return the tree of that name among those that ship, or the one in that file; "-" is standard input.

    Raises AbvizError, in one line, for an unknown name and for a file that holds no tree.
    """
    try:
        file, path = str(name_or_path), Path(name_or_path)
    except TypeError:
        raise AbvizError(f"asked to load {brief(name_or_path)}; expected the name of a tree or a path") from None
    if isinstance(name_or_path, str) and file != "-":
        if file in shipped():
            path = TREES / f"{file}.yaml"
        elif not (file.endswith((".yaml", ".yml", ".json")) or "/" in file or os.sep in file or os.path.exists(file)):
            raise unknown("tree", file, shipped())
    try:
        with getattr(sys.stdin, "buffer", sys.stdin) if name_or_path == "-" else path.open("rb") as stream:
            content = stream.read(MOST_BYTES + 1)
    except (OSError, ValueError, TypeError) as error:  # TypeError: standard input is closed
        hint = f" (the tree that ships is called {path.stem})" if path.stem in shipped() else ""
        reason = "it is closed" if isinstance(error, TypeError) else getattr(error, "strerror", None) or error
        problem = f"{reason}; expected a tree file (.yaml, .yml or .json)"
        raise AbvizError(f"cannot read {short(str(path), 120)}: {problem}{hint}") from None
    return parse(content, file="standard input" if name_or_path == "-" else str(path))


def shipped() -> list[str]:
    """Return the names of the trees that ship, in teaching order."""
    names = {path.stem for path in TREES.glob("*.yaml")}
    return [*(name for name in IN_TEACHING_ORDER if name in names), *sorted(names.difference(IN_TEACHING_ORDER))]


def parse(content: str | bytes, *, file: str = "the text") -> Tree:
    """Return the tree that the text of a tree file holds, YAML or JSON; `file` is what an error calls it."""
    data = content.encode(errors="surrogatepass") if isinstance(content, str) else content
    lines: dict[int, int] = {}
    try:
        if len(data) > MOST_BYTES:
            raise BadTree("larger than 1 MB; expected a smaller tree")
        return _tree(read_yaml(data, lines))
    except BadTree as error:
        problem = str(error)
        known = [thing if isinstance(thing, int) else lines.get(id(thing)) for thing in error.things]
        line = next(filter(None, known), 0)
    except (yaml.YAMLError, ValueError) as error:
        reason, mark = getattr(error, "problem", None) or error, getattr(error, "problem_mark", None)
        line = mark.line + 1 if mark else 0
        if isinstance(error, yaml.reader.ReaderError):
            reason, line = error.reason, data.count(b"\n", 0, error.position) + 1
        problem = f"this does not parse ({short(str(reason), 160)}); expected YAML or JSON in UTF-8"
    raise AbvizError(f"{short(file, 120)}{f', line {line}' * (line > 0)}: {problem}")


def _tree(content: Any) -> Tree:
    head = {"tree": content} if isinstance(content, list) else content
    if isinstance(head, dict):
        nested.check_keys(head, ("title", "source", "note", "notes", "to_move", "root", "tree"))
    if not isinstance(head, dict) or "tree" not in head:
        raise BadTree(f"the file holds {describe(content)}; expected the key tree, or a nested list", content)
    tree, notes = head.pop("tree"), head.pop("notes", {})
    for step, text in notes.items() if isinstance(notes, dict) else [(notes, None)]:
        if not (isinstance(step, str) and re.fullmatch("0|[1-9][0-9]{0,8}", step) and isinstance(text, str)):
            raise BadTree(f"notes has {describe(step)}; expected the number of a step, and its text", step)
    return Tree(tree, **head, notes={int(step): str(text) for step, text in notes.items()})


def read_yaml(data: bytes, lines: dict[int, int]) -> Any:
    """Return what the YAML (or JSON, which is YAML) holds as lists, dicts and Text; add the line of each, by its id.

    It is made from the events of the YAML library's parser, since the library's own loaders call themselves at every
    level. Their number is limited while they come.
    """
    stack: list[list[Any]] = [[]]  # the first holds the document
    if data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith((b"[", b"{")):
        data = PAIR.sub(lambda pair: json.loads(b'"%b"' % pair[0]).encode(), data)
    event: Any
    for event in yaml.parse(data, Loader=LOADER):
        line = event.start_mark.line + 1
        # A node takes up to four entries, and two levels.
        if len(lines) > 4 * nested.MOST_NODES or len(stack) > 2 * nested.MOST_LEVELS + 2:
            raise BadTree(nested.TOO_LARGE, line)
        if isinstance(event, yaml.DocumentStartEvent) and stack[0]:
            raise BadTree("a second document begins here; expected one", line)
        if isinstance(event, yaml.AliasEvent) or getattr(event, "tag", None):
            mark = getattr(event, "tag", None) or f"*{event.anchor}"
            raise BadTree(f"there is an alias or a tag, {brief(mark)}; expected plain names, numbers and lists", line)
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


# files that appear whole or not at all


def check_place(path: str | os.PathLike[str]) -> None:
    """Raise AbvizError where there is no place for a file, before there is anything to write."""
    place = path if os.path.exists(path) else os.path.dirname(path) or "."
    if os.path.isdir(path) or not os.access(place, os.W_OK):
        raise AbvizError(f"cannot write {visible(os.fspath(path))}; expected a file name, in a folder open to writing")


def write_whole(path: str | os.PathLike[str], data: bytes) -> None:
    """Write a new file and move it into place: a failure leaves what was there before, and nothing else."""
    check_place(path)
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
            os.replace(new, target)
        finally:
            new.unlink(missing_ok=True)
    except (OSError, ValueError) as error:  # ValueError: a null character in the name
        problem = getattr(error, "strerror", None) or error
        raise AbvizError(f"cannot write {visible(str(path))}: {problem}; expected a place for a file") from None
