"""Wrong answers that do the same in every trial: who, how often wrong, and how common it is."""

import json
from pathlib import Path

import pytest

from abviz.cli import main
from abviz.exercises import searches
from abviz.grading import similar
from abviz.grading.report import Report
from abviz.grading.stored_results import StoredResults
from tests.test_feedback import STRICT
from tests.test_partings import ALPHABETA, MINIMAX
from tests.test_stored_results import ODD, graded, write

SELDOM = ALPHABETA.replace("bv = max(bv, value)", "bv = max(bv, value - (value == 3))")
RAISES = ALPHABETA.replace("        if alpha >= beta", "        check(alpha, beta)\n        if 1")
CLASS = {
    "ann.py": STRICT,
    "bob.py": STRICT.replace("bv", "best").replace("value =", "v =").replace("value)", "v)"),
    "cem.py": f"# on my own\n{STRICT}\nx = 3\n",
    "odd1.py": ODD,
    "odd2.py": ODD.replace("child", "kid").replace("node.kidren", "node.children"),
    "seldom.py": SELDOM,
    "right1.py": ALPHABETA,
    "right2.py": ALPHABETA.replace("bv", "best"),
    "loops.py": "def alphabeta(*_):\n    return alphabeta(*_)\n",
    "stub.py": "def alphabeta(*_):\n    raise NotImplementedError\n",
}


@pytest.fixture(autouse=True)
def few_trees(monkeypatch):
    monkeypatch.setattr(searches, "SMALL_TREES", 150)
    monkeypatch.setattr(searches, "RANDOM_TREES", 30)


@pytest.fixture(scope="module")
def report(tmp_path_factory) -> Report:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(searches, "SMALL_TREES", 150)
        patched.setattr(searches, "RANDOM_TREES", 30)
        return graded(write(tmp_path_factory.mktemp("class"), CLASS), None)


def named(group: similar.Group) -> list[str]:
    return [Path(label).stem for label in group.students]


def test_wrong_answers_that_do_the_same_are_a_group(report):
    """The rare ones come first; a right answer, a stub and a lone mistake are in none."""
    first, second = similar.groups_in(report)
    assert (named(first), first.mistake) == (["odd1", "odd2"], None)
    assert (named(second), second.mistake) == (["ann", "bob", "cem"], "strict")
    for group in (first, second):
        assert group.exercise == "alphabeta"
        assert 0 < group.behavior.wrong < group.behavior.trials
        assert group.behavior.trials == len(set(searches.WRITE_ALPHABETA.sample()))


def test_a_line_says_how_common_the_mistake_is(report):
    odd, strict, reason = similar.lines(report)
    assert "do the same in all" in odd and odd.endswith("It is no mistake that has a name.")
    assert strict.endswith("Their mistake, strict, is made by 3 of 10 here.")
    assert "by necessity" in reason and "on their own" in reason


def test_a_large_group_is_one_short_line(report):
    (_, group) = similar.groups_in(report)
    label = group.students[0]
    row, student = report.hand_ins[label], report.students[label]
    names = [f"student {place}" for place in range(60)]
    large = Report(dict.fromkeys(names, student), dict.fromkeys(names, row))
    line, _ = similar.lines(large)
    assert "student 11, … (60 in all)" in line and "student 12" not in line
    assert line.endswith("made by 60 of 60 here.")


def test_where_no_two_are_alike_that_is_said(tmp_path):
    assert similar.lines(graded(write(tmp_path, {"a.py": STRICT, "b.py": MINIMAX}), None)) == [
        "No two wrong answers do the same in every trial."
    ]


def test_answers_that_differ_in_one_trial_are_not_alike(tmp_path):
    """Also where they return the same, and read leaves in another order."""
    reads_more = STRICT.replace(
        "    bv =", "    [each.value for each in node.children]\n    bv =", 1
    )
    files = {"a.py": STRICT, "b.py": reads_more, "c.py": SELDOM, "d.py": ODD}
    assert similar.groups_in(graded(write(tmp_path, files), None)) == []


def test_a_stored_result_is_compared_too(tmp_path):
    folder = write(tmp_path / "in", {"a.py": ODD, "b.py": ODD + "# mine\n"})
    before = similar.as_records(graded(folder, StoredResults(tmp_path / "kept")))
    stored = StoredResults(tmp_path / "kept")
    again = similar.as_records(graded(folder, stored))
    assert again == before and len(before) == 1 and len(stored.used) == 2


def test_the_command_lists_them_where_it_is_asked(tmp_path, capsys):
    folder = str(write(tmp_path / "in", {"a.py": ODD, "b.py": ODD + "# mine\n"}))
    assert main(["check", folder, "--similar"]) == 1
    said = capsys.readouterr().out
    assert f"alphabeta: {folder}/a.py and {folder}/b.py do the same in all" in said
    assert main(["check", folder, "--similar", "--json"]) == 1
    (group,) = json.loads(capsys.readouterr().out)["similar"]
    assert group["students"] == [f"{folder}/a.py", f"{folder}/b.py"]
    assert main(["check", folder, "--json"]) == 1
    assert "similar" not in json.loads(capsys.readouterr().out)
