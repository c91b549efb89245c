"""Tree files: the trees that ship, by name, and anybody's own, by path."""

import os
import sys
from pathlib import Path
from typing import Any

from abviz.errors import AbvizError, brief, unknown, visible
from abviz.tree.marks import Fault
from abviz.tree.model import Tree
from abviz.tree.nested import BadTree
from abviz.tree.reading import Document, read
from abviz.tree.writing import to_yaml

__all__ = ["load", "parse", "shipped", "to_yaml"]

MOST_BYTES = 1_000_000
KEYS = ("title", "source", "note", "to_move", "root", "tree")
ENDINGS = (".yaml", ".yml", ".json")
EXPECTED = "expected a tree file (.yaml, .yml or .json)"

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
    """The tree of that name among those that ship, or the one in that file; "-" is standard input.

    Raises AbvizError, in one line, for an unknown name and for a file that is no tree.
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
    """The names of the trees that ship, in teaching order."""
    place = {name: number for number, name in enumerate(IN_TEACHING_ORDER)}
    names = [path.stem for path in _folder().glob("*.yaml")]
    return sorted(names, key=lambda name: (place.get(name, len(place)), name))


def parse(text: str, *, file: str = "the text") -> Tree:
    """The tree that the text of a tree file holds; `file` is what an error calls it."""
    file = _shown(file)
    if not isinstance(text, str):
        raise AbvizError(f"asked to parse {brief(text)}; expected the text of a tree file")
    try:
        return _tree(read(text, only_json=file.endswith(".json")))
    except Fault as fault:
        line = "" if fault.line is None else f", line {fault.line}"
        raise AbvizError(f"{file}{line}: {fault}") from None


def _tree(document: Document) -> Tree:
    content = document.content
    if isinstance(content, list):
        return _checked(document, content, line=1, options={})
    if not isinstance(content, dict):
        found = "nothing" if content is None else brief(content)
        raise Fault(1, f"the file holds {found}; expected a mapping with the key tree, or a nested list")
    for key in content:
        if key not in KEYS:
            raise Fault(document.line(key), str(unknown("key", key, KEYS)), "the top of the file")
    if "tree" not in content:
        raise Fault(1, "there is no key tree; expected one, with the nodes below it", "the top of the file")
    options = {key: _text(document, key) for key in content if key in ("title", "source", "note", "root")}
    if "to_move" in content:
        options["to_move"] = content["to_move"]
    return _checked(document, content["tree"], line=document.line("tree"), options=options)


def _text(document: Document, key: str) -> str:
    if key not in document.texts:
        kinds: dict[type, str] = {list: "a list", dict: "a mapping"}
        kind = kinds.get(type(document.content[key]), "an alias")
        raise Fault(document.line(key), f"{key} is {kind}; expected text", "the top of the file")
    return document.texts[key]


def _checked(document: Document, nested: Any, *, line: int, options: dict[str, Any]) -> Tree:
    try:
        return Tree(nested, **options)
    except BadTree as bad:
        if not bad.place and bad.key in options:
            raise Fault(document.line(bad.key), bad.problem, "the top of the file") from None
        raise Fault(document.line_in_tree(nested, line, bad.place, bad.key), str(bad)) from None


# files


def _folder() -> Path:
    """Where the trees are: inside the installed package, or beside it in a checkout."""
    here = Path(__file__).parents[1]
    inside = here / "trees"
    return inside if inside.is_dir() else here.parent / "trees"


def _load_file(path: Path) -> Tree:
    file = _shown(str(path))
    if os.path.isdir(path):
        raise AbvizError(f"{file} is a folder; {EXPECTED}")
    try:
        with path.open("rb") as stream:
            raw = stream.read(MOST_BYTES + 1)
    except FileNotFoundError:
        hint = f" (the tree that ships is called {path.stem})" if path.stem in shipped() else ""
        raise AbvizError(f"there is no file {file}; {EXPECTED}{hint}") from None
    except OSError as problem:
        raise AbvizError(f"cannot read {file}: {problem.strerror}; {EXPECTED}") from None
    except ValueError as problem:  # a path with a null character
        raise AbvizError(f"cannot read {file}: {problem}; {EXPECTED}") from None
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


def _shown(file: str) -> str:
    return visible(file if len(file) <= 120 else f"{file[:59]}…{file[-60:]}")
