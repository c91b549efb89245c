"""What the README, docs/ and the docstrings show is what happens."""

import doctest
import importlib
import inspect
import io
import pkgutil
import re
import shlex
import shutil
from itertools import pairwise
from pathlib import Path

import pytest

import abviz
from abviz import load, trace
from abviz.cli import _parser, main
from tests.gradebooks import Person, moodle
from tests.solutions import writing
from tests.strategies import RULES

HOUSE = Path(__file__).resolve().parents[1]
DOCUMENTS = [HOUSE / "README.md", HOUSE / "CONTRIBUTING.md", *sorted((HOUSE / "docs").glob("*.md"))]
TEXTS = {path.name: path.read_text(encoding="utf-8") for path in DOCUMENTS}
COMMANDS = sorted(
    {
        line
        for text in TEXTS.values()
        for line in re.findall(r"^    (abviz .*)$", text, re.MULTILINE)
    }
)

FIRST_MOVE = "def choose(position, clock): return position.moves()[0]"  # an entry of a league


def run_examples(examples: doctest.DocTest) -> None:
    output: list[str] = []
    flags = doctest.ELLIPSIS
    assert doctest.DocTestRunner(optionflags=flags).run(examples, out=output.append).failed == 0, (
        "".join(output)
    )


@pytest.mark.parametrize("name", TEXTS)
def test_python_does_what_a_document_shows(name: str) -> None:
    blocks = re.findall(r"^```python\n(.*?)^```$", TEXTS[name], re.MULTILINE | re.DOTALL)
    examples = doctest.DocTestParser().get_doctest(
        "\n".join(blocks), {"__name__": "__main__"}, name, name, 0
    )
    assert len(examples.examples) == TEXTS[name].count(">>> ")
    run_examples(examples)


def test_the_documents_show_every_command() -> None:
    words = {command.split()[1] for command in COMMANDS}
    assert words == set(_parser()._actions[-1].choices)


def test_the_documents_name_every_rule_and_its_option() -> None:
    for rule in RULES:
        assert f"| `{rule}` |" in TEXTS["sources.md"]
        assert f"`--{rule.replace('_', '-')}`" in TEXTS["command-line.md"]


@pytest.mark.parametrize("command", [command for command in COMMANDS if "abviz lab" not in command])
def test_the_commands_work(command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "hand-ins").mkdir()
    (tmp_path / "hand-ins" / "ada.py").write_text(inspect.getsource(writing.minimax))
    shutil.make_archive(str(tmp_path / "submissions"), "zip", tmp_path / "hand-ins")
    (tmp_path / "grades.csv").write_text(moodle([Person("Ada", "", 11)]))
    (tmp_path / "roster.csv").write_text("id,name\n11,Ada\n")
    (tmp_path / "entries").mkdir()
    for name in ("ada", "bea"):
        (tmp_path / "entries" / f"{name}.py").write_text(f"{FIRST_MOVE}\n")
    if "--assigned" in command:
        assert main(["make", "--assign", "roster.csv", "-o", "homework"]) == 0
    given = {path.name for path in tmp_path.iterdir()}
    words = shlex.split(command, comments=True)
    assert main(words[1:]) == 0
    options = {"-o", "--key", "--junit", "--csv", "--feedback", "--gradebook-out"}
    written = {file for option, file in pairwise(words) if option in options}
    there = {path.name for path in tmp_path.iterdir()} - given
    assert there == written or ("--steps" in words and there)


def test_trees_and_piped_examples_work(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = "\n".join(TEXTS.values())
    blocks = re.findall(r"^```yaml\n(.*?)^```$", text, re.M | re.S)
    piped = re.findall(r"`echo '(.*?)' \| (abviz .*?)`", text)
    assert blocks and piped
    for block in blocks:
        (tmp_path / "tree.yaml").write_text(block)
        assert str(trace(load(tmp_path / "tree.yaml"))) == str(trace(load("figure-4.24")))
    for data, command in piped:
        monkeypatch.setattr("sys.stdin", io.StringIO(data))
        assert main(shlex.split(command)[1:]) == 0 and capsys.readouterr().out.startswith("step")


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_links_and_make_targets_exist(path: Path) -> None:
    text = TEXTS[path.name]
    for link in re.findall(r"\]\(([^)\s]+)\)", text):
        assert "://" in link or (path.parent / link).is_file(), link
    for notebook in re.findall(r"`(?:notebooks/)?(\d\d-[\w-]+)(?:\.ipynb)?`", text):
        assert (HOUSE / "notebooks" / f"{notebook}.ipynb").is_file(), notebook
    makefile = (HOUSE / "Makefile").read_text(encoding="utf-8")
    for target in re.findall(r"(?:`|^    )make (\w+)", text, re.MULTILINE):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target


@pytest.mark.parametrize(
    "module", sorted(each.name for each in pkgutil.walk_packages(abviz.__path__, "abviz."))
)
def test_docstrings_show_what_happens(module: str) -> None:
    if module != "abviz.__main__":
        for examples in doctest.DocTestFinder(exclude_empty=True).find(
            importlib.import_module(module)
        ):
            run_examples(examples)
