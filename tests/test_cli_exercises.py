"""`abviz make`: what it writes, what it says, what it refuses."""

import json
from pathlib import Path

import pytest

from abviz import Rules, load, make_tree, trace
from abviz.tree.files import parse
from tests.test_cli import here

Capture = pytest.CaptureFixture[str]


def refused(capsys: Capture, *arguments: str, status: int = 2) -> str:
    code, out, err = here(capsys, "make", *arguments)
    assert code == status and out == "" and err.startswith("abviz: ") and err.count("\n") == 1, err
    return err


def test_one_tree_is_printed_as_a_tree_file(capsys: Capture) -> None:
    status, out, _ = here(capsys, "make", "--seed", "7", "--alpha-cuts", "1", "--depth", "3")
    assert status == 0 and parse(out) == make_tree(7, alpha_cuts=1)


def test_the_source_of_a_tree_makes_it_again(capsys: Capture) -> None:
    asked = {"depth": 4, "leaves": (-9, 9), "beta_cuts": (1, None), "ties": True, "last_child_cutoffs": (0, 3)}
    rules = Rules(strict=True, fail_hard=True)
    tree = make_tree(5, **asked, to_move="min", rules=rules, tries=2_000)
    status, out, _ = here(capsys, *tree.source.split()[1:])
    assert status == 0 and parse(out) == tree


def test_sheet_and_key_in_every_format(capsys: Capture, tmp_path: Path) -> None:
    for ending, begins in ((".svg", b"<?xml"), (".pdf", b"%PDF"), (".tex", b"\\documentclass")):
        sheet, key = tmp_path / f"sheet{ending}", tmp_path / f"key{ending}"
        options = ["--seed", "7", "--number", "2", "--depth", "2", "-o", str(sheet), "--key", str(key)]
        assert here(capsys, "make", *options)[0] == 0
        assert sheet.read_bytes().startswith(begins) and key.read_bytes().startswith(begins)
        assert sheet.read_bytes() != key.read_bytes()
    assert "Exercise 2" in (tmp_path / "sheet.svg").read_text("utf-8")


def test_a_tree_file_can_be_loaded(capsys: Capture, tmp_path: Path) -> None:
    file = tmp_path / "tree.yaml"
    assert here(capsys, "make", "--seed", "3", "--deep", "--depth", "4", "-o", str(file))[0] == 0
    assert load(file) == make_tree(3, deep_cuts=True, depth=4)


def test_json_tells_the_properties_met(capsys: Capture) -> None:
    options = ["--seed", "7", "--number", "2", "--alpha-cuts", "1", "--beta-cuts", "1", "--no-last-child", "--json"]
    status, out, _ = here(capsys, "make", *options, "--distinct", "--leaves", "-30", "30")
    assert status == 0 and out.count("\n") == 1
    exercises = json.loads(out)["exercises"]
    assert [each["seed"] for each in exercises] == [7, 8]
    for each in exercises:
        tree = make_tree(
            each["seed"], alpha_cuts=1, beta_cuts=1, last_child_cutoffs=False, distinct=True, leaves=(-30, 30)
        )
        run = trace(tree)
        assert (each["alpha_cuts"], each["beta_cuts"], each["last_child_cutoffs"]) == (1, 1, 0)
        assert each["leaves_read"] == len(run.leaves) and each["distinct"] and each["ties"] == 0
        assert {"name_by_node", "test_first"} <= set(each["depends_on"]) and "strict" not in each["depends_on"]
        assert [leaf.value for leaf in tree.leaves()] == _flat(each["tree"])


def _flat(nested: object) -> list[object]:
    return [leaf for part in nested for leaf in _flat(part)] if isinstance(nested, list) else [nested]


def test_a_seed_by_chance_is_told(capsys: Capture) -> None:
    sources = {parse(here(capsys, "make", "--depth", "2")[1]).source for _ in range(4)}
    assert len(sources) > 1 and all(source.startswith("abviz make --seed ") for source in sources)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--depth", "3", "--deep"], "never holds a deep cut"),
        (["--alpha-cuts", "x"], "expected a number or a range, such as 2 or 2-3"),
        (["--branching", "3-2"], "expected 1 to 10 children"),
        (["--leaves", "3"], "expected 2 arguments"),
        (["--number", "0"], "--number is 0; expected 1 to 40"),
        (["--number", "2"], "a tree file holds one tree"),
        (["--number", "2", "-o", "trees.yaml"], "a tree file holds one tree"),
        (["-o", "-"], "-o is -, which is not a file"),
        (["-o", "sheet.doc"], "sheet.doc is no name for a sheet; expected .svg, .pdf or .tex"),
        (["--key", "key.yaml"], "key.yaml is no name for a sheet"),
        (["-o", "a.pdf", "--key", "./a.pdf"], "-o and --key are both"),
        (["-o", "nowhere/sheet.svg"], "there is no folder nowhere"),
        (["--depends-on", "stric"], "did you mean strict"),
        (["--seed", "1.5"], "invalid int value"),
        (["--depth", "4", "--deep", "--no-deep"], "argument --no-deep: not allowed with argument --deep"),
        (
            ["--depth", "4", "--no-deep", "--deep-cuts", "2"],
            "argument --deep-cuts: not allowed with argument --no-deep",
        ),
        (["--ties", "3", "--no-ties"], "argument --no-ties: not allowed with argument --ties"),
    ],
)
def test_bad_options_are_refused_in_one_line(
    options: list[str], told: str, capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert told in refused(capsys, *options)
    assert not list(tmp_path.iterdir())


def test_what_is_not_met_is_an_answer_of_its_own(capsys: Capture) -> None:
    err = refused(
        capsys, *["--seed", "3", "--depth", "4", "--branching", "3", "--leaves-read", "47", "--tries", "1"], status=1
    )
    assert "the nearest has" in err and "asked for 47 leaves read" in err
