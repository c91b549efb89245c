"""Tree files: the trees that ship, by name, and any other, by path; and files that appear whole or not at all."""

import os
import secrets
import shutil
import sys
from pathlib import Path
from typing import Any

from abviz.errors import AbvizError, brief, short, unknown, visible
from abviz.tree.model import Tree
from abviz.tree.nested import PLAYERS, BadTree, Group, Item, describe, items, read_rows
from abviz.tree.yaml_text import read_json, read_yaml

MOST_BYTES = 1_000_000
KEYS = ("title", "source", "note", "to_move", "root", "tree")
ENDINGS = (".yaml", ".yml", ".json")
EXPECTED = "expected a tree file (.yaml, .yml or .json)"
TOP = "the top of the file"

IN_TEACHING_ORDER = (
    *("worked-example", "aima-5.2", "paper-figure-2", "figure-4.24", "deep-cut", "last-child", "tied-root"),
    *("fails-low", "number-line", "order-best", "order-worst", "order-shuffled", "min-root", "uneven", "two-min"),
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
        with path.open("rb") as stream:
            return parse(_decode(stream.read(MOST_BYTES + 1), file), file=str(path))
    except FileNotFoundError:
        hint = f" (the tree that ships is called {path.stem})" if path.stem in shipped() else ""
        raise AbvizError(f"there is no file {file}; {EXPECTED}{hint}") from None
    except AbvizError:
        raise
    except (OSError, ValueError) as problem:  # ValueError: a path with a null character
        raise AbvizError(f"cannot read {file}: {getattr(problem, 'strerror', None) or problem}; {EXPECTED}") from None


def _read_standard_input() -> str:
    if sys.stdin is None:
        raise AbvizError("standard input is closed; expected the text of a tree file there")
    binary = getattr(sys.stdin, "buffer", None)
    return _decode(binary.read(MOST_BYTES + 1) if binary else sys.stdin.read().encode(), "standard input")


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
        return _parse(text.removeprefix("\ufeff"))
    except BadTree as bad:
        line = "" if bad.line is None else f", line {bad.line}"
        raise AbvizError(f"{short(file, 120)}{line}: {bad}") from None


def _parse(text: str) -> Tree:
    if text.lstrip().startswith(("[", "{")):
        try:
            return _tree(read_json(text))
        except BadTree:
            _tree(read_yaml(text.replace("\t", " ")))  # raises the same with its line; YAML has no tabs between tokens
            raise
        except (ValueError, RecursionError):  # YAML, or too deep for the json module
            pass
    return _tree(read_yaml(text))


def _tree(content: Any) -> Tree:
    if isinstance(content, list) or (isinstance(content, Group) and not content.is_mapping):
        return Tree.from_rows(read_rows(content, line=1))
    if not isinstance(content, Group):
        expected = "expected a mapping with the key tree, or a nested list"
        raise BadTree(f"the file holds {describe(content)}; {expected}", None, 1)
    entries: dict[str, Item] = {}
    for item in items(content) or ():
        key, value, line = item
        if key not in KEYS:
            raise BadTree(str(unknown("key", key, KEYS)), TOP, line)
        if key in entries:
            raise BadTree(f"{key} stands there twice; expected each key once", TOP, line)
        if key != "tree" and not isinstance(value, str):
            raise BadTree(f"{key} is {describe(value)}; expected text", TOP, line)
        if key == "to_move" and value not in PLAYERS:
            raise BadTree(f"to_move is {describe(value)}; expected max or min", TOP, line)
        if key == "root" and not value:
            raise BadTree("the name of the root is empty; expected text", TOP, line)
        entries[key] = item
    if "tree" not in entries:
        raise BadTree("there is no key tree; expected one, with the nodes below it", TOP, 1)
    texts = {key: str(item.content) for key, item in entries.items() if key != "tree"}
    rows = read_rows(
        entries["tree"].content, texts.pop("to_move", "max"), texts.pop("root", None), entries["tree"].line
    )
    return Tree.from_rows(rows, **texts)


# files that appear whole or not at all


def check_place(path: str | os.PathLike[str]) -> None:
    """Raise AbvizError where there is no place for a file, before there is anything to write."""
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
        finally:
            new.unlink(missing_ok=True)
    except AbvizError:
        raise
    except (OSError, ValueError) as problem:
        why = getattr(problem, "strerror", None) or problem
        raise AbvizError(f"cannot write {visible(str(path))}: {why}; expected a place for a file") from None
