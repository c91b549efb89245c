"""Tree files: the trees that ship, by name, and any other, by path; writing a file."""

import os
import re
import secrets
import shutil
import sys
from pathlib import Path
from typing import Any

import yaml

from abviz.errors import AbvizError, brief, short, unknown, visible
from abviz.tree import nested, notations
from abviz.tree.model import Tree
from abviz.tree.nested import BadTree, Text, describe

PACKAGE = Path(__file__).parents[1]
TREES = PACKAGE / "trees"
if not TREES.is_dir():  # in a checkout, they stand next to the package
    TREES = PACKAGE.parent / "trees"

MOST_BYTES = 1_000_000

# The first is there where the library has its part in C
LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

IN_TEACHING_ORDER = (
    "worked-example",
    "aima-5.2",
    "paper-figure-2",
    "figure-4.24",
    "deep-cut",
    "last-child",
    "tied-root",
    "fails-low",
    "number-line",
    "order-best",
    "order-worst",
    "order-shuffled",
    "min-root",
    "uneven",
    "two-min",
)


def load(name_or_path: str | os.PathLike[str]) -> Tree:
    """Return the tree of that name among those that ship, or the one in that file.

    "-" is standard input. Raises AbvizError, in one line, for an unknown name and for a file that
    holds no tree.
    """
    if name_or_path == "-":
        return parse(_standard_input(), file="standard input")

    path = Path(name_or_path)
    if name_or_path in shipped():
        path = TREES / f"{name_or_path}.yaml"
    file = short(str(path), 120)
    try:
        with path.open("rb") as stream:
            content = stream.read(MOST_BYTES + 1)
    except FileNotFoundError:
        raise unknown("tree or file", str(path), shipped()) from None
    except OSError as error:
        raise _cannot_read(file, error) from None
    return parse(content, file=file)


def _standard_input() -> str | bytes:
    if sys.stdin is None or sys.stdin.closed:
        raise AbvizError("standard input is closed; expected a tree there, or a file's name")

    stream: Any = getattr(sys.stdin, "buffer", sys.stdin)  # a stand-in may have text only
    try:
        with stream:
            content: str | bytes = stream.read(MOST_BYTES + 1)
    except OSError as error:
        raise _cannot_read("standard input", error) from None
    return content


def _cannot_read(file: str, error: OSError) -> AbvizError:
    return AbvizError(
        f"cannot read {file}: {error.strerror}; expected a tree file (.yaml, .yml or .json)"
    )


def shipped() -> list[str]:
    """Return the names of the trees that ship, in teaching order."""
    return list(IN_TEACHING_ORDER)


def parse(content: str | bytes, *, file: str = "the text") -> Tree:
    """Return the tree that a text holds in one of the notations of `notations`, in YAML or in DOT.

    `file` is what an error calls it.
    """
    lines: dict[int, int] = {}
    line = 0
    try:
        if len(content) > MOST_BYTES:
            raise BadTree("larger than 1 MB; expected a smaller tree")
        text = content if isinstance(content, str) else content.decode("utf-8-sig")
        return _parsed(text, lines)

    except BadTree as error:
        problem = str(error)
        line = next((lines[id(thing)] for thing in error.things if id(thing) in lines), 0)

    except notations.Unreadable as error:
        problem = f"this does not parse ({error}); expected a tree; {notations.READ}"
        line = error.line

    except (yaml.YAMLError, ValueError) as error:
        reason = getattr(error, "problem", None) or getattr(error, "reason", error)
        expected = f"expected YAML or JSON in UTF-8; {notations.READ}"
        problem = f"this does not parse ({short(str(reason), 120)}); {expected}"
        mark: Any = getattr(error, "problem_mark", None)
        line = mark.line + 1 if mark else 0

    place = f"{file}, line {line}" if line else file
    raise AbvizError(f"{place}: {problem}")


def _parsed(text: str, lines: dict[int, int]) -> Tree:
    """Return the tree of the text, read by the first of the notations that it is in."""
    if notations.IS_DOT.match(text):
        from abviz.tree import dot

        return Tree(dot.read(text, lines))

    alone, notes = notations.split_notes(text)
    try:
        tree = tree_of(notations.read(alone, lines))
    except notations.Unreadable as problem:
        lines.clear()
        return tree_of(_from_yaml(text, lines, problem))
    return tree if notes is None else Tree.from_rows(notations.with_notes(tree.rows(), notes))


def _from_yaml(text: str, lines: dict[int, int], problem: notations.Unreadable) -> Any:
    """Return what the YAML holds.

    Where the text looks like one of the other notations, raises their problem.
    """
    is_other = re.match(r"\s*(\(|\w+\s*=)", text)
    try:
        content = read_yaml(text, lines)
    except yaml.YAMLError:
        if is_other:
            raise problem from None
        raise

    if is_other and isinstance(content, Text):
        raise problem
    return content


def tree_of(content: Any) -> Tree:
    """Return the tree of the content of a text."""
    if not isinstance(content, dict) or "tree" not in content:
        return _bare(content)

    nested.check_keys(
        content, ("title", "source", "note", "notes", "players", "to_move", "root", "tree")
    )
    head = dict(content)
    for name in ("title", "source", "note"):
        value = head.get(name, "")
        if isinstance(value, list | dict):
            raise BadTree(
                f"{name} is {describe(value)}; expected text, in quotes if it has a colon", value
            )

    tree = head.pop("tree")
    notes = head.pop("notes", {})
    return Tree(tree, **head, notes=_notes_by_step(notes))


def _notes_by_step(notes: Any) -> dict[int, str]:
    is_right = isinstance(notes, dict) and all(
        step.isdecimal() and isinstance(notes[step], str) for step in notes
    )
    if not is_right:
        raise BadTree("notes are not texts by step; expected such as notes: {3: a text}", notes)
    return {int(step): str(text) for step, text in notes.items()}


def _bare(content: Any) -> Tree:
    """Return the tree that is the whole content, without a title."""
    is_list = isinstance(content, list | tuple)
    is_root = nested.names_one(content) and isinstance(next(iter(content.values())), dict)
    if is_list or is_root or nested.is_record(content) or nested.is_adjacency(content):
        return Tree(content)

    are_lists = (
        isinstance(content, dict)
        and content
        and all(isinstance(each, list) for each in content.values())
    )
    if are_lists:
        problem = "the file names the children of one root, or gives each node its children"
        raise BadTree(
            f"{problem}; expected the key tree before the first, names in quotes in the second",
            content,
        )
    problem = f"the file holds {describe(content)}; expected the key tree, or a nested list"
    raise BadTree(f"{problem}; {notations.READ}", content)


def read_yaml(content: str | bytes, lines: dict[int, int]) -> Any:
    """Return what the YAML (or JSON, which is YAML) holds as lists, dicts and Text.

    Adds the line of each, by its id, to `lines`.

    It is made from the events of the YAML library's parser, since the library's own loaders call
    themselves at every level. Their number is limited while they come.
    """
    stack: list[list[Any]] = [[]]  # the first holds the document
    event: Any
    for event in yaml.parse(content, Loader=LOADER):
        line = event.start_mark.line + 1

        # A node takes up to four entries, and two levels.
        problem = ""
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
            text = _scalar(event)
            stack[-1].append(text)
            lines[id(text)] = line

        elif isinstance(event, yaml.CollectionEndEvent):
            group = stack.pop()
            made = _mapping(group) if isinstance(event, yaml.MappingEndEvent) else group
            stack[-1].append(made)
            lines[id(made)] = lines[id(group)]

    return stack[0][0] if stack[0] else None


def _scalar(event: Any) -> Text:
    """Return the text of an event; in quotes, or as a block, it is no number."""
    if not event.style:
        return notations.scalar(event.value)

    text = Text(event.value)
    text.value = str(text)
    return text


def _mapping(group: list[Any]) -> dict[Text, Any]:
    """Return the mapping whose keys and values alternate in the list."""
    entries = list(zip(group[::2], group[1::2], strict=True))
    for key, content in entries:
        if isinstance(key, Text) and ":" in key and content == "" and content.value is None:
            raise BadTree(
                f"{brief(str(key))} has no value; expected a space after the colon: D: 3", key
            )
    return notations.make_mapping(entries)


def write_whole(path: str | os.PathLike[str], data: bytes) -> None:
    """Write the file, or raise AbvizError in one line and leave what was there before."""
    try:
        target = Path(os.path.realpath(path))  # a link stays a link
        if target.exists() and not target.is_file():
            target.write_bytes(data)  # /dev/stdout, a pipe: these cannot be replaced
        else:
            _replace(target, data)
    except OSError as error:
        problem = f"{error.strerror}; expected a file name, in a folder open to writing"
        raise AbvizError(f"cannot write {visible(str(path))}: {problem}") from None


def _replace(target: Path, data: bytes) -> None:
    """Write a new file next to the target, and put it in its place."""
    new = target.with_name(f".abviz-{secrets.token_hex(8)}")
    try:
        new.write_bytes(data)
        if target.exists():
            shutil.copymode(target, new)
        new.replace(target)
    finally:
        new.unlink(missing_ok=True)
