"""One voice in all that a reader sees: American English, short and concrete, one word for a thing."""

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

HOUSE = Path(__file__).resolve().parents[1]
PACKAGE = HOUSE / "abviz"

# What was said before, and what is said instead
INSTEAD = {
    r"\bthe reference\b": "ours, our alpha-beta, our minimax",
    r"\b(is|are|now|already) assured of\b": "can have, can hold the result to",
    r"\bassured of at most\b": "can hold the result to",
    r"\bmend(s|ed|ing)?\b(?!-)": "fix",
    r"\b(a|the|this|its) faults?\b": "a bug",
    r"\bpractis|\bcolour|\bneighbour|\bbehaviour|\borganis|\bcentre\b|\bgrey\b": "American spelling",
    r"\bsomebody\b|\bis told\b|\bif not told\b|\bso many threads\b|\bis not meant\b": "plainly",
    r"\bby chance\b": "at random",
    r"\bdo(es)? without\b(?! it)": "manage without",
    r"\bleaves lie\b|\bleaf lies\b|\bleaf .{0,20} lies \b|\bnodes? lies?\b": "is, are",
    r"\b(not written yet\.).{0,9}\1": "once",
}
KEYS = re.compile(r"^\s*(- )?(reference|faults|name|forms|mistakes)\b.*:")


def of_python(path: Path) -> Iterator[str]:
    tree = ast.parse(path.read_text("utf-8"))
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    docstrings = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, documented) and node.body and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        is_text = isinstance(node, ast.Constant) and isinstance(node.value, str)
        if is_text and " " in node.value and id(node) not in docstrings:
            yield node.value


def of_script(path: Path) -> Iterator[str]:
    for line in path.read_text("utf-8").splitlines():
        if not line.strip().startswith(("*", "/")):
            yield from re.findall(r'"[^"]* [^"]*"|`[^`]* [^`]*`', line)


def of_data(path: Path) -> Iterator[str]:
    for line in path.read_text("utf-8").splitlines():
        if not line.strip().startswith("#") and not KEYS.match(line):
            yield line


def of_notebook(path: Path) -> Iterator[str]:
    for cell in json.loads(path.read_text("utf-8"))["cells"]:
        yield "".join(cell["source"])


def texts() -> Iterator[tuple[Path, str]]:
    readers = {".py": of_python, ".js": of_script, ".yaml": of_data, ".json": of_data}
    shown = [path for path in PACKAGE.rglob("*") if path.suffix in readers]
    shown += (HOUSE / "trees").glob("*.yaml")
    for path in sorted(shown):
        for text in readers[path.suffix](path):
            yield path, text

    for path in sorted((HOUSE / "notebooks").glob("*.ipynb")):
        for text in of_notebook(path):
            yield path, text
    for path in (HOUSE / "README.md", *sorted((HOUSE / "docs").glob("*.md"))):
        yield path, path.read_text("utf-8")


@pytest.fixture(scope="module")
def everything() -> list[tuple[Path, str]]:
    return list(texts())


@pytest.mark.parametrize(("before", "instead"), INSTEAD.items(), ids=INSTEAD.values())
def test_a_thing_has_one_word(
    everything: list[tuple[Path, str]], before: str, instead: str
) -> None:
    assert len(everything) > 3_000
    found = [
        f"{path.relative_to(HOUSE)}: {match[0]!r} in {text.strip()[:120]!r}; say: {instead}"
        for path, text in everything
        for match in re.finditer(before, text, re.IGNORECASE)
    ]
    assert found == []
