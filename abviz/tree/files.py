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
from abviz.tree.nested import MOST_LEVELS, MOST_NODES, TOO_LARGE, BadTree, Unfit, read_rows
from abviz.tree.yaml_writer import escape

MOST_BYTES = 1_000_000
KEYS = ("title", "source", "note", "to_move", "root", "tree")
NOT_NODES = {*KEYS, "children", "value"}  # unless nodes have these names, which are few
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
    reader = _Reader(text)
    content, texts = reader.content, reader.texts
    if isinstance(content, list):
        return Tree.from_rows(read_rows(content, line=1))
    if not isinstance(content, _Mapping):
        what = "nothing" if content is None else brief(content)
        raise BadTree(f"the file holds {what}; expected a mapping with the key tree, or a nested list", None, 1)
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
    lines: dict[Any, int]  # of its items, by their index


class _Mapping(dict[str, Any]):
    lines: dict[Any, int]


@dataclass(slots=True)
class _Open:
    """A list or mapping whose end has not been read, and in a mapping the key whose value comes next."""

    items: Any
    level: int  # in the tree, or less
    key: str | None = None


class _Reader:
    """Makes nested lists of the events of the YAML library's parser.

    The events come one by one and their number is limited, so that neither depth nor aliases cost more than the limits
    of a tree allow. (The library's own loaders call themselves at every level, and keep no lines.)
    """

    def __init__(self, text: str):
        self.content: Any = None
        self.texts: dict[str, str] = {}  # the scalars of the outermost mapping, as they are written
        self.line = 1
        self._open: list[_Open] = []
        self._anchors: dict[str | None, Any] = {}
        self._nodes = documents = 0
        for event in self._events(text):
            if isinstance(event, yaml.DocumentStartEvent):
                documents += 1
                if documents > 1:
                    raise BadTree("a second document begins here; expected one", None, self.line)
            elif isinstance(event, yaml.CollectionEndEvent):
                self._open.pop()
            elif isinstance(event, yaml.NodeEvent):
                self._add(event)

    def _bad(self, problem: str) -> BadTree:
        return BadTree(problem, self._path(), self.line)

    def _add(self, event: Any) -> None:
        if tag := getattr(event, "tag", None):
            raise self._bad(f"the tag {brief(tag.replace('tag:yaml.org,2002:', '!!'))} stands here; expected none")
        inner = self._open[-1] if self._open else None
        if inner and isinstance(inner.items, _Mapping) and inner.key is None:
            inner.key = self._anchors[event.anchor] = self._key(event, inner.items)
            inner.items.lines[inner.key] = self.line
            return
        value = self._value(event, inner)
        key: Any = None
        if not inner:
            self.content = value
        else:
            key = len(inner.items) if inner.key is None else inner.key
            if isinstance(event, yaml.ScalarEvent) and len(self._open) == 1:
                self.texts[str(key)] = event.value
            if inner.key is None:
                inner.items.append(value)
            else:
                inner.items[key] = value
            if inner.key is None or isinstance(event, yaml.ScalarEvent):
                inner.items.lines[key] = self.line
            self._nodes += key not in NOT_NODES
            if self._nodes > MOST_NODES:
                raise self._bad(f"the tree grows beyond {MOST_NODES:,} nodes; expected fewer")
            inner.key = None
        if isinstance(event, yaml.CollectionStartEvent):
            level = 0 if inner is None else inner.level + (key not in NOT_NODES)
            self._open.append(_Open(value, level))
            if level >= MOST_LEVELS:
                raise self._bad(f"the tree grows deeper than {MOST_LEVELS:,} levels; expected fewer")

    def _key(self, event: Any, items: dict[str, Any]) -> str:
        if not isinstance(event, yaml.ScalarEvent):
            kinds = {
                yaml.SequenceStartEvent: "a list",
                yaml.MappingStartEvent: "a mapping",
                yaml.AliasEvent: "an alias",
            }
            raise self._bad(f"{kinds[type(event)]} stands for a name; expected text")
        if event.value in items:
            raise self._bad(f"{brief(event.value)} stands there twice; expected each name once")
        return str(event.value)

    def _value(self, event: Any, inner: _Open | None) -> Any:
        if isinstance(event, yaml.AliasEvent):
            alias = f"the alias *{short(event.anchor or '')}"
            if event.anchor not in self._anchors:
                raise self._bad(f"{alias} has no anchor; expected one above it")
            value = self._anchors[event.anchor]
            if any(value is outer.items for outer in self._open):
                raise self._bad(f"{alias} makes the tree hold itself; expected a tree that ends")
            return value
        if isinstance(event, yaml.ScalarEvent):
            if inner and inner.key and ":" in inner.key and not event.style and not event.value:
                raise self._bad(f"{brief(inner.key)} has no value; expected a space after the colon, as in D: 3")
            value = event.value if event.style else resolve(event.value)
        else:
            value = _Sequence() if isinstance(event, yaml.SequenceStartEvent) else _Mapping()
            value.lines = {}
        self._anchors[event.anchor] = value
        return value

    def _path(self) -> str:
        """Return the path of the innermost list or mapping in the tree."""
        keys = [next(reversed(outer.items.lines)) for outer in self._open[:-1]]
        numbers = [len(outer.items) - 1 for outer in self._open[:-1]]
        if not self._open or isinstance(self._open[0].items, _Mapping):
            if keys[:1] != ["tree"]:
                return TOP
            keys, numbers = keys[1:], numbers[1:]
        path: list[int] = []
        in_long_form = False
        for key, number in zip(keys, numbers, strict=True):
            in_long_form = not in_long_form and key == "children"
            if not in_long_form:
                path.append(number)
        return ".".join(map(str, path))

    def _events(self, text: str) -> Iterator[yaml.Event]:
        if text.lstrip(" \t\r\n").startswith(("[", "{")):
            text = JSON_ONLY.sub(_as_yaml, text)
        expected = "this does not parse; expected YAML or JSON"
        try:
            for event in yaml.parse(text, Loader=yaml.SafeLoader):
                self.line = event.start_mark.line + 1 if event.start_mark else self.line
                yield event
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            problem = " ".join(", ".join(part for part in (error.context, error.problem) if part).split())
            raise BadTree(f"{expected} ({short(problem, 160)})", None, mark.line + 1 if mark else self.line) from None
        except yaml.reader.ReaderError as error:
            line = text.count("\n", 0, error.position) + 1
            problem = f"the character U+{ord(text[error.position]):04X} stands here as it is"
            raise BadTree(f"{problem}; expected characters that can be printed", None, line) from None
        except (ValueError, OverflowError):  # the parser lets them through: "\UFFFFFFFF" is no character
            raise BadTree(f"{expected} (an escape or a version is out of range)", None) from None


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
