"""The shipped trees are searched as their golden traces tell; `make golden` writes these anew."""

import pytest

from abviz import shipped
from tests.golden import FOLDER, golden, main


@pytest.mark.parametrize("name", shipped())
def test_the_trace_is_the_golden_one(name):
    assert golden(name) == (FOLDER / f"{name}.txt").read_text("utf-8"), "if this is meant: make golden"


def test_there_is_a_golden_trace_for_each_tree_and_no_other():
    assert sorted(path.stem for path in FOLDER.iterdir()) == sorted(shipped())


def test_one_command_writes_them(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("tests.golden.FOLDER", tmp_path)
    (tmp_path / "gone.txt").write_text("a tree that no longer ships")
    main()
    assert {path.name: path.read_text("utf-8") for path in tmp_path.iterdir()} == {
        f"{name}.txt": golden(name) for name in shipped()
    }
    capsys.readouterr()
    main()
    assert capsys.readouterr().out == f"{len(shipped())} golden traces in {tmp_path}\n"  # nothing to change
