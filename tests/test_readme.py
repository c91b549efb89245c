"""What the README shows is what happens."""

import doctest
import importlib
import inspect
import io
import pkgutil
import re
import shlex
from pathlib import Path

import pytest

import abviz
from abviz import load, shipped, trace
from abviz.cli import main
from abviz.tree.files import parse
from tests.solutions import writing as solutions

README = Path(__file__).resolve().parents[1] / "README.md"


def text() -> str:
    return README.read_text(encoding="utf-8")


def commands() -> list[str]:
    """The lines for a terminal that call abviz; `abviz lab` has tests of its own."""
    return [line.strip() for line in re.findall(r"^    (abviz .*)$", text(), re.MULTILINE) if "abviz lab" not in line]


def test_the_python_does_what_it_says() -> None:
    blocks = re.findall(r"^```python\n(.*?)^```$", text(), re.MULTILINE | re.DOTALL)
    examples = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, "README.md", str(README), 0)
    assert len(examples.examples) == text().count(">>> ")
    said: list[str] = []
    result = doctest.DocTestRunner().run(examples, out=said.append)
    assert result.failed == 0, "".join(said)


def test_there_are_commands() -> None:
    told = {command.split()[1] for command in commands()}
    assert told == {"list", "trace", "draw", "export", "perft", "search", "make", "check"}


@pytest.mark.parametrize("command", commands())
def test_the_commands_work(command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    words = shlex.split(command, comments=True)
    hand_ins = tmp_path / "hand-ins"
    if words[1] == "check":
        hand_ins.mkdir()
        (hand_ins / "ada.py").write_text(inspect.getsource(solutions.minimax))
    assert main(words[1:]) == 0
    written = {tmp_path / words[words.index(option) + 1] for option in ("-o", "--key", "--junit") if option in words}
    assert set(tmp_path.iterdir()) - {hand_ins} == written
    assert all(file.stat().st_size for file in written)


def test_the_trees_it_shows_can_be_loaded() -> None:
    blocks = re.findall(r"^```yaml\n(.*?)^```$", text(), re.MULTILINE | re.DOTALL)
    assert blocks
    for block in blocks:
        tree = parse(block)
        assert tree == parse(tree.to_yaml())
        (ships,) = [name for name in shipped() if load(name).title == tree.title]
        assert str(tree) == str(load(ships)), "the file that ships has a source and a note besides"


def test_what_it_pipes_can_be_piped(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    piped = re.findall(r"`echo '(.*?)' \| (abviz .*?)`", text())
    assert piped
    for data, command in piped:
        monkeypatch.setattr("sys.stdin", io.StringIO(data))
        assert main(shlex.split(command)[1:]) == 0
        assert capsys.readouterr().out == f"{trace(parse(data))}\n"


def test_what_it_points_to_is_there() -> None:
    links = re.findall(r"\]\(([^)\s]+)\)", text())
    assert links
    for link in links:
        assert "://" not in link and (README.parent / link).is_file(), link
    for notebook in re.findall(r"`(?:notebooks/)?(\d\d-[\w-]+)(?:\.ipynb)?`", text()):
        assert (README.parent / "notebooks" / f"{notebook}.ipynb").is_file(), notebook
    targets = re.findall(r"(?:`|^    )make (\w+)", text(), re.MULTILINE)
    makefile = (README.parent / "Makefile").read_text(encoding="utf-8")
    assert targets
    assert [target for target in targets if not re.search(rf"^{target}:", makefile, re.MULTILINE)] == []


@pytest.mark.parametrize("module", sorted(module.name for module in pkgutil.walk_packages(abviz.__path__, "abviz.")))
def test_what_docstrings_show_is_what_happens(module: str) -> None:
    found = doctest.DocTestFinder(exclude_empty=True).find(importlib.import_module(module))
    said: list[str] = []
    for examples in found:
        assert doctest.DocTestRunner().run(examples, out=said.append).failed == 0, "".join(said)


def test_what_the_front_door_shows_is_what_happens() -> None:
    assert doctest.testmod(abviz) == (0, 2)
