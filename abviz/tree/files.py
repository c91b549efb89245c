"""Tree files: the trees that ship, by name, and any other, by path; and files that appear whole or not at all."""

import json
import os
import re
import secrets
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from abviz.errors import AbvizError, brief, short, unknown, visible
from abviz.tree import nested
from abviz.tree.model import Tree
from abviz.tree.nested import PLAYERS, BadTree, Group, Item, Plain, by_key, describe, read_rows

MOST_BYTES = 1_000_000
KEYS = ("title", "source", "note", "notes", "to_move", "root", "tree")
ENDINGS = (".yaml", ".yml", ".json")
EXPECTED = "expected a tree file (.yaml, .yml or .json)"
TOP = "the top of the file"
LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # the first is there where the library has its part in C
PAIR = re.compile(r"\\ud[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2}", re.IGNORECASE)  # JSON's "\ud83d\ude00"; YAML has none

IN_TEACHING_ORDER = (
    *("worked-example", "aima-5.2", "paper-figure-2", "figure-4.24", "deep-cut", "last-child", "tied-root"),
    *("fails-low", "number-line", "order-best", "order-worst", "order-shuffled", "min-root", "uneven", "two-min"),
)


def load(name_or_path: str | os.PathLike[str]) -> Tree:
    """Return the tree of that name among those that ship, or the one in that file; "-" is standard input.

    Raises AbvizError, in one line, for an unknown name and for a file that holds no tree.
    """
    try:
        name = os.fspath(name_or_path)
    except TypeError:
        expected = "the name of a tree or a path (nested lists become a tree by Tree(...))"
        raise AbvizError(f"asked to load {brief(name_or_path)}; expected {expected}") from None
    if isinstance(name_or_path, str):
        if name == "-":
            if sys.stdin is None:
                raise AbvizError("standard input is closed; expected the text of a tree file there")
            stream = getattr(sys.stdin, "buffer", sys.stdin)
            return parse(stream.read(MOST_BYTES + 1), file="standard input")
        if name in shipped():
            return _load_file(_folder() / f"{name}.yaml")
        if not (name.endswith(ENDINGS) or "/" in name or os.sep in name or os.path.exists(name)):
            raise unknown("tree", name, shipped())
    return _load_file(Path(name))


def shipped() -> list[str]:
    """Return the names of the trees that ship, in teaching order."""
    names = {path.stem for path in _folder().glob("*.yaml")}
    return [*(name for name in IN_TEACHING_ORDER if name in names), *sorted(names.difference(IN_TEACHING_ORDER))]


def _folder() -> Path:
    """Return where the trees are: inside the installed package, or beside it in a checkout."""
    package = Path(__file__).parents[1]
    return package / "trees" if (package / "trees").is_dir() else package.parent / "trees"


def _load_file(path: Path) -> Tree:
    try:
        with path.open("rb") as stream:
            content = stream.read(MOST_BYTES + 1)
    except (OSError, ValueError) as error:  # ValueError: a path with a null character
        hint = f" (the tree that ships is called {path.stem})" if path.stem in shipped() else ""
        problem = getattr(error, "strerror", None) or error
        raise AbvizError(f"cannot read {short(str(path), 120)}: {problem}; {EXPECTED}{hint}") from None
    return parse(content, file=str(path))


def parse(content: str | bytes, *, file: str = "the text") -> Tree:
    """Return the tree that the text of a tree file holds, YAML or JSON; `file` is what an error calls it."""
    try:
        if len(content) > MOST_BYTES:
            raise BadTree("larger than 1 MB; expected a smaller tree")
        text = content.decode("utf-8") if isinstance(content, bytes) else content
        return _tree(read_yaml(text.removeprefix("\ufeff")))
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        problem = f", line {line}: the text is not UTF-8; expected a file saved as UTF-8"
    except BadTree as error:
        problem = f"{'' if error.line is None else f', line {error.line}'}: {error}"
    raise AbvizError(f"{short(file, 120)}{problem}")


def _tree(content: Any) -> Tree:
    if not isinstance(content, list):
        expected = "expected a mapping with the key tree, or a nested list"
        raise BadTree(f"the file holds {describe(content)}; {expected}", None, 1)
    if not isinstance(content, Group) or not content or content[0].name is None:
        return Tree.from_rows(read_rows(content, line=1))
    entries = by_key(content, KEYS, TOP)
    if "tree" not in entries:
        raise BadTree("there is no key tree; expected one, with the nodes below it", TOP, 1)
    nodes, notes = entries.pop("tree"), _notes(entries.pop("notes", None))
    for key, text, line in entries.values():
        expected = {"to_move": "max or min", "root": "a name"}.get(key, "text")
        if not isinstance(text, str) or (key == "root" and not text) or (key == "to_move" and text not in PLAYERS):
            raise BadTree(f"{key} is {describe(text)}; expected {expected}", TOP, line)
    texts = {key: str(item.content) for key, item in entries.items()}
    rows = read_rows(nodes.content, texts.pop("to_move", "max"), texts.pop("root", None), nodes.line)
    return Tree.from_rows(rows, **texts, notes=notes)


def _notes(item: Item | None) -> dict[int, str]:
    """Return the notes of steps: a mapping from the number of a step to text."""
    notes: dict[int, str] = {}
    for step, text, line in item.content if item and isinstance(item.content, Group) else [item] if item else []:
        number = int(step) if isinstance(step, str) and re.fullmatch("[0-9]{1,9}", step) else -1  # JSON's keys are text
        if number < 0 or not isinstance(text, str):
            raise BadTree(f"notes has {brief(step)}; expected the number of a step, and its text", TOP, line)
        notes[number] = str(text)
    return notes


def read_yaml(text: str) -> Any:
    """Return what the YAML (or JSON, which is YAML) holds: groups and scalars, with their lines.

    It is made from the events of the YAML library's parser, since the library's own loaders call themselves at every
    level. Their number is limited: what an alias stands for is not copied, and nothing costs more than a tree may.
    """
    documents = Group()
    stack = [documents]
    anchors: dict[str, Any] = {}
    things = 0
    for event, line in _events(text):
        if isinstance(event, yaml.DocumentStartEvent) and documents:
            raise BadTree("a second document begins here; expected one", None, line)
        if isinstance(event, yaml.CollectionEndEvent):
            group = stack.pop()
            if isinstance(event, yaml.MappingEndEvent):
                group[:] = map(_pair, group[::2], group[1::2])
        if not isinstance(event, yaml.NodeEvent):
            continue
        anchor = event.anchor or ""
        content: Any = Group()
        if isinstance(event, yaml.AliasEvent):
            if anchor not in anchors:
                raise BadTree(f"the alias *{short(anchor)} has no anchor above it; expected one", None, line)
            content = anchors[anchor]
        elif event.tag:  # type: ignore[attr-defined]
            raise BadTree(f"here is the tag {brief(event.tag)}; expected none", None, line)  # type: ignore[attr-defined]
        elif isinstance(event, yaml.ScalarEvent):
            content = event.value if event.style else Plain(event.value)
        anchors[anchor] = content
        stack[-1].append(Item(None, content, line))
        if isinstance(event, yaml.CollectionStartEvent):
            stack.append(content)
        things += 1
        if len(stack) > 2 * nested.MOST_LEVELS + 2:  # the long form of a node takes two
            raise BadTree(f"more than {nested.MOST_LEVELS:,} levels; expected fewer", None, line)
        if things > 4 * nested.MOST_NODES:
            raise BadTree(f"the tree grows beyond {nested.MOST_NODES:,} nodes; expected fewer", None, line)
    return documents[0].content if documents else None


def _pair(key: Item, value: Item) -> Item:
    if value.content == "" and isinstance(value.content, Plain) and isinstance(key.content, str) and ":" in key.content:
        raise BadTree(f"{brief(key.content)} has no value; expected a space after the colon: D: 3", None, key.line)
    return Item(key.content, value.content, key.line)


def _events(text: str) -> Iterator[tuple[yaml.Event, int]]:
    line = 1
    try:
        if text.lstrip().startswith(("[", "{")):
            text = PAIR.sub(lambda pair: json.loads(f'"{pair[0]}"'), text)
        for event in yaml.parse(text, Loader=LOADER):
            line = event.start_mark.line + 1 if event.start_mark else line
            yield event, line
    except (yaml.YAMLError, ValueError) as error:  # ValueError: half a character
        problem = getattr(error, "problem", None) or getattr(error, "reason", None) or str(error)
        if mark := getattr(error, "problem_mark", None):
            line = mark.line + 1
        elif isinstance(error, yaml.reader.ReaderError):
            line = text.encode()[: error.position].count(b"\n") + 1
        raise BadTree(f"this does not parse ({short(problem, 160)}); expected YAML or JSON", None, line) from None


# files that appear whole or not at all


def check_place(path: str | os.PathLike[str]) -> None:
    """Raise AbvizError where there is no place for a file, before there is anything to write."""
    name, folder, problem = os.fspath(path), os.path.dirname(path) or ".", ""
    if os.path.isdir(name):
        problem = "it is a folder; expected the name of a file"
    elif not os.path.isdir(folder):
        problem = f"there is no folder {visible(folder)}; expected one that is there"
    elif not os.access(name if os.path.exists(name) else folder, os.W_OK):
        problem = "permission denied; expected a place open to writing"
    if problem:
        raise AbvizError(f"cannot write {visible(name)}: {problem}")


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
