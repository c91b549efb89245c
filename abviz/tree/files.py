"""Tree files: the trees that ship, by name, and any other, by path; and files that appear whole or not at all."""

import json
import os
import re
import secrets
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from math import inf, isinf, nan
from pathlib import Path
from typing import Any

import yaml

from abviz.errors import AbvizError, brief, short, unknown, visible
from abviz.tree.model import Tree
from abviz.tree.nested import MOST_CHILDREN, MOST_LEVELS, MOST_NODES, TOO_LARGE, BadTree, Unfit, read_rows
from abviz.tree.yaml_writer import escape

MOST_BYTES = 1_000_000
KEYS = ("title", "source", "note", "to_move", "root", "tree")
ENDINGS = (".yaml", ".yml", ".json")
EXPECTED = "expected a tree file (.yaml, .yml or .json)"
TOP = "the top of the file"

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
    """Return the tree of that name among those that ship, or the one in that file; "-" is standard input.

    Raises AbvizError, in one line, for an unknown name and for a file that holds no tree.
    """
    try:
        name = os.fsdecode(name_or_path)
    except TypeError:
        expected = "the name of a tree or a path (nested lists become a tree by Tree(...))"
        raise AbvizError(f"asked to load {brief(name_or_path)}; expected {expected}") from None
    if isinstance(name_or_path, str):
        if name == "-":
            return parse(_read_standard_input(), file="standard input")
        if name in shipped():
            return _load_file(_folder() / f"{name}.yaml")
        if not (name.endswith(ENDINGS) or "/" in name or os.sep in name or os.path.exists(name)):
            raise unknown("tree", name, shipped())
    return _load_file(Path(name))


def shipped() -> list[str]:
    """Return the names of the trees that ship, in teaching order."""
    place = {name: number for number, name in enumerate(IN_TEACHING_ORDER)}
    names = [path.stem for path in _folder().glob("*.yaml")]
    return sorted(names, key=lambda name: (place.get(name, len(place)), name))


def _folder() -> Path:
    """Return where the trees are: inside the installed package, or beside it in a checkout."""
    package = Path(__file__).parents[1]
    return package / "trees" if (package / "trees").is_dir() else package.parent / "trees"


def _load_file(path: Path) -> Tree:
    file = short(str(path), 120)
    try:
        if path.is_dir():
            raise AbvizError(f"{file} is a folder; {EXPECTED}")
        with path.open("rb") as stream:
            raw = stream.read(MOST_BYTES + 1)
    except FileNotFoundError:
        hint = f" (the tree that ships is called {path.stem})" if path.stem in shipped() else ""
        raise AbvizError(f"there is no file {file}; {EXPECTED}{hint}") from None
    except AbvizError:
        raise
    except (OSError, ValueError) as problem:  # ValueError: a path with a null character
        raise AbvizError(f"cannot read {file}: {getattr(problem, 'strerror', None) or problem}; {EXPECTED}") from None
    return parse(_decode(raw, file), file=str(path))


def _read_standard_input() -> str:
    if sys.stdin is None:
        raise AbvizError("standard input is closed; expected the text of a tree file there")
    binary = getattr(sys.stdin, "buffer", None)
    try:
        raw = binary.read(MOST_BYTES + 1) if binary else sys.stdin.read(MOST_BYTES + 1).encode()
    except OSError as problem:
        raise AbvizError(f"cannot read standard input: {problem.strerror}; {EXPECTED}") from None
    return _decode(raw, "standard input")


def _decode(raw: bytes, file: str) -> str:
    if len(raw) > MOST_BYTES:
        raise AbvizError(f"{file} is larger than 1 MB; expected a smaller tree")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise AbvizError(f"{file}, line {line}: the text is not UTF-8; expected a file saved as UTF-8") from None


def parse(text: str, *, file: str = "the text") -> Tree:
    """Return the tree that the text of a tree file holds, YAML or JSON; `file` is what an error calls it."""
    if not isinstance(text, str):
        raise AbvizError(f"asked to parse {brief(text)}; expected the text of a tree file")
    try:
        return _tree(text.removeprefix("\ufeff"))
    except BadTree as bad:
        line = "" if bad.line is None else f", line {bad.line}"
        raise AbvizError(f"{short(file, 120)}{line}: {bad}") from None


def _tree(text: str) -> Tree:
    content, texts = _read(text)
    if isinstance(content, list):
        return Tree.from_rows(read_rows(content, line=1))
    if not isinstance(content, _Mapping):
        found = "nothing" if content is None else brief(content)
        raise BadTree(f"the file holds {found}; expected a mapping with the key tree, or a nested list", None, 1)
    for key in content:
        if key not in KEYS:
            raise BadTree(str(unknown("key", key, KEYS)), TOP, content.lines[key])
        if key != "tree" and key not in texts:
            kind = "a list" if isinstance(content[key], list) else "no text"
            raise BadTree(f"{key} is {kind}; expected text", TOP, content.lines[key])
    if "tree" not in content:
        raise BadTree("there is no key tree; expected one, with the nodes below it", TOP, 1)
    if texts.get("root") == "":
        raise BadTree("the name of the root is empty; expected text", TOP, content.lines["root"])
    to_move = texts.get("to_move", "max")
    if to_move not in ("max", "min", "MAX", "MIN"):
        raise BadTree(f"to_move is {brief(to_move)}; expected max or min", TOP, content.lines["to_move"])
    rows = read_rows(content["tree"], to_move, texts.get("root"), content.lines["tree"])
    return Tree.from_rows(rows, *(texts.get(key, "") for key in ("title", "source", "note")))


# from text to nested lists


class _Sequence(list[Any]):
    def __init__(self) -> None:
        self.lines: dict[int, int] = {}


class _Mapping(dict[str, Any]):
    def __init__(self) -> None:
        self.lines: dict[str, int] = {}


@dataclass(slots=True)
class _Open:
    """A list or mapping whose end has not been read, and in a mapping the key whose value comes next."""

    items: Any
    key: str | None = None
    line: int = 0


def _read(text: str) -> tuple[Any, dict[str, str]]:
    """Return what the text holds, and the scalars of its outermost mapping as they are written.

    The parser's events come one by one and what they make is counted, so that neither depth nor aliases cost more than
    the limits of a tree allow. (The library's own loaders call themselves at every level.)
    """
    content: Any = None
    texts: dict[str, str] = {}
    open_: list[_Open] = []
    anchors: dict[str, Any] = {}
    documents = size = 0
    for line, event in _events(text):
        if isinstance(event, yaml.DocumentStartEvent):
            documents += 1
            if documents > 1:
                raise BadTree("a second document begins here; expected one", None, line)
        if isinstance(event, yaml.CollectionEndEvent):
            open_.pop()
        if not isinstance(event, yaml.NodeEvent):
            continue
        if tag := getattr(event, "tag", None):
            tag = tag.replace("tag:yaml.org,2002:", "!!")
            raise BadTree(f"the tag {brief(tag)} stands here; expected none", _path(open_), line)
        inner = open_[-1] if open_ else None
        if inner and isinstance(inner.items, dict) and inner.key is None:
            inner.key, inner.line = _key(event, inner, open_, line), line
            if event.anchor:
                anchors[event.anchor] = inner.key
            continue
        value = _value(event, anchors, open_, line)
        if inner is None:
            content = value
        elif isinstance(inner.items, list):
            inner.items.lines[len(inner.items)] = line
            inner.items.append(value)
        else:
            assert inner.key is not None
            inner.items[inner.key] = value
            is_scalar = isinstance(event, yaml.ScalarEvent)
            inner.items.lines[inner.key] = line if is_scalar else inner.line
            if is_scalar and len(open_) == 1:
                texts[inner.key] = event.value
            inner.key = None
        size += 1
        _check_size(size, open_, line)
        if isinstance(event, yaml.CollectionStartEvent):
            open_.append(_Open(value))
    return content, texts


def _key(event: yaml.NodeEvent, inner: _Open, open_: list[_Open], line: int) -> str:
    kinds = {yaml.SequenceStartEvent: "a list", yaml.MappingStartEvent: "a mapping", yaml.AliasEvent: "an alias"}
    if not isinstance(event, yaml.ScalarEvent):
        raise BadTree(f"{kinds[type(event)]} stands for a name; expected text", _path(open_), line)
    if event.value in inner.items:
        raise BadTree(f"{brief(event.value)} stands there twice; expected each name once", _path(open_), line)
    return str(event.value)


def _value(event: yaml.NodeEvent, anchors: dict[str, Any], open_: list[_Open], line: int) -> Any:
    if isinstance(event, yaml.AliasEvent):
        alias = short(event.anchor)
        if event.anchor not in anchors:
            raise BadTree(f"the alias *{alias} has no anchor; expected one above it", _path(open_), line)
        value = anchors[event.anchor]
        if any(value is outer.items for outer in open_):
            raise BadTree(f"the alias *{alias} makes the tree hold itself; expected a tree that ends", _path(open_), line)
        return value
    if isinstance(event, yaml.ScalarEvent):
        key = open_[-1].key if open_ else None
        if key and ":" in key and not event.style and not event.value:
            problem = f"{brief(key)} has no value; expected a space after the colon, as in D: 3"
            raise BadTree(problem, _path(open_), line)
        value = event.value if event.style else resolve(event.value)
    else:
        value = _Sequence() if isinstance(event, yaml.SequenceStartEvent) else _Mapping()
    if event.anchor:
        anchors[event.anchor] = value
    return value


def _check_size(size: int, open_: list[_Open], line: int) -> None:
    """Stop where the tree is beyond the limits, however it goes on: a node is made of at most four items."""
    if size > 4 * MOST_NODES:
        raise BadTree(f"the tree grows beyond {MOST_NODES:,} nodes; expected fewer", _path(open_), line)
    if len(open_) > 2 * MOST_LEVELS:
        raise BadTree(f"the tree grows deeper than {MOST_LEVELS:,} levels; expected fewer", _path(open_), line)
    if open_ and len(open_[-1].items) > MOST_CHILDREN:
        raise BadTree(f"more than {MOST_CHILDREN:,} children; expected at most that", _path(open_), line)


def _path(open_: list[_Open]) -> str:
    """Return the path of the innermost list or mapping in the tree."""
    keys: list[Any] = [outer.key if isinstance(outer.items, dict) else len(outer.items) for outer in open_]
    inner = open_
    if not open_ or isinstance(open_[0].items, dict):
        if len(open_) < 2 or keys[0] != "tree":
            return TOP
        inner, keys = open_[1:], keys[1:]
    numbers: list[int] = []
    in_long_form = False
    for outer, key in zip(inner[:-1], keys, strict=False):
        in_long_form = not in_long_form and key == "children"
        if not in_long_form:
            numbers.append(len(outer.items))
    return ".".join(map(str, numbers))


def _events(text: str) -> Iterator[tuple[int, yaml.Event]]:
    """Yield the events of the YAML library's parser, each with its line."""
    line = 1
    if text.lstrip(" \t\r\n").startswith(("[", "{")):
        text = JSON_ONLY.sub(_as_yaml, text)
    try:
        for event in yaml.parse(text, Loader=yaml.SafeLoader):
            line = event.start_mark.line + 1 if event.start_mark else line
            yield line, event
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        problem = " ".join(", ".join(part for part in (error.context, error.problem) if part).split())
        line = mark.line + 1 if mark else line
        raise BadTree(f"this does not parse; expected YAML or JSON ({short(problem, 160)})", None, line) from None
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        problem = f"the character U+{ord(text[error.position]):04X} stands here as it is"
        raise BadTree(f"{problem}; expected characters that can be printed", None, line) from None
    except (ValueError, OverflowError):  # the parser lets them through: "\UFFFFFFFF" is no character
        raise BadTree("this does not parse; expected YAML or JSON (an escape or a version is out of range)", None) from None


# What JSON allows and YAML does not: tabs between tokens, escapes in pairs (\ud83d\ude00), some characters as they are.
JSON_ONLY = re.compile(r"""(?<![^\s\[{,:])(?:"(?:[^"\\\n]|\\.)*"|'[^']*')|\t""")


def _as_yaml(piece: re.Match[str]) -> str:
    text = piece.group()
    try:
        return " " if text == "\t" else escape(json.loads(text, strict=False))
    except ValueError:  # text of YAML's own: 'A', "\x41"
        return text


_INTEGER = re.compile(r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_BASES = {"0o": 8, "0x": 16}
_WORDS: dict[str, Any] = dict.fromkeys(("", "~", "null", "Null", "NULL"))
_WORDS |= dict.fromkeys(("true", "True", "TRUE"), True) | dict.fromkeys(("false", "False", "FALSE"), False)
_WORDS |= {f"{sign}{word}": inf for sign in ("", "+") for word in (".inf", ".Inf", ".INF")}
_WORDS |= {f"-{word}": -inf for word in (".inf", ".Inf", ".INF")} | dict.fromkeys((".nan", ".NaN", ".NAN"), nan)
_WORDS |= {"Infinity": inf, "-Infinity": -inf}  # as the json module writes them


def resolve(text: str) -> Any:
    """Return what a scalar without quotes is by YAML 1.2's core schema: nothing, true or false, a number, or text."""
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


# files that appear whole or not at all


def check_place(path: str | os.PathLike[str]) -> None:
    """Raise AbvizError where a file could not be written, before there is anything to write."""
    name = f"cannot write {visible(str(path)) or repr('')}"
    if os.path.isdir(str(path) or "."):
        raise AbvizError(f"{name}: it is a folder; expected the name of a file")
    if not os.path.isdir(Path(path).parent):
        raise AbvizError(f"{name}: there is no folder {visible(str(Path(path).parent))}; expected one that is there")
    places = [Path(path)] if os.path.exists(path) else []
    if os.path.isfile(path) or not places:
        places.append(Path(os.path.realpath(path)).parent)  # the new file is written there first
    if not all(os.access(place, os.W_OK, effective_ids=os.access in os.supports_effective_ids) for place in places):
        raise AbvizError(f"{name}: permission denied; expected a file and a folder open to writing")


def write_whole(path: str | os.PathLike[str], data: bytes) -> None:
    """Write a new file and move it into place: a failure leaves what was there before, and nothing else."""
    try:
        check_place(path)
        if os.path.exists(path) and not os.path.isfile(path):
            Path(path).write_bytes(data)  # /dev/stdout, a pipe: these cannot be replaced
            return
        target = Path(os.path.realpath(path))  # a link stays a link
        new = target.with_name(f".abviz-{secrets.token_hex(8)}")
        try:
            new.write_bytes(data)
            if target.exists():
                shutil.copymode(target, new)
            os.replace(new, target)
        except BaseException:
            new.unlink(missing_ok=True)
            raise
    except (OSError, ValueError) as problem:
        if isinstance(problem, AbvizError):
            raise
        why = getattr(problem, "strerror", None) or problem
        raise AbvizError(f"cannot write {visible(str(path))}: {why}; expected a place for a file") from None
