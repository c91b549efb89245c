"""A run of grading goes on where an earlier one stopped, and says the same as if nothing had."""

import json
import os
import signal
import subprocess
import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from time import sleep

import pytest

from abviz import Rules, check
from abviz.cli import main
from abviz.exercises import find, searches
from abviz.exercises.sandbox import landlock_version
from abviz.exercises.verdict import Verdict
from abviz.grading import grader, stored_results
from abviz.grading.hand_in import HandIn
from abviz.grading.hand_ins import collect
from abviz.grading.records import is_same, record_of, verdict_from
from abviz.grading.report import as_csv, as_json
from abviz.grading.stored_results import Result, StoredResults, cache_folder, is_lasting, key_of
from tests.test_feedback import STRICT
from tests.test_partings import ALPHABETA, MINIMAX, TWO, function_of

ODD = ALPHABETA.replace("bv = max(bv, value)", "bv = max(bv, value + (value == 1))")
CLASS = {
    "ann.py": STRICT,
    "bob.py": ODD,
    "cem/hw3.py": "from helper import ready\n" + MINIMAX,
    "cem/helper.py": "ready = True\n",
    "dora.py": "tree_values = {}\n1 / 0\ndef minimax(node):\n    raise NotImplementedError\n",
}


@pytest.fixture(autouse=True)
def few_trees(monkeypatch):
    monkeypatch.setattr(searches, "SMALL_TREES", 150)
    monkeypatch.setattr(searches, "RANDOM_TREES", 30)


def write(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(exist_ok=True, parents=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def graded(folder: Path, stored: StoredResults | None, **options):
    return grader.grade(collect([str(folder)])[0], stored=stored, seconds=60.0, **options)


def without_remarks(report) -> dict:
    record = json.loads(as_json(report))
    del record["remarks"]
    return record


def test_a_second_run_reads_what_the_first_has_kept(tmp_path, monkeypatch):
    folder = write(tmp_path / "in", CLASS)
    first = graded(folder, StoredResults(tmp_path / "kept"))
    monkeypatch.setattr(grader, "_verdicts", lambda *_: pytest.fail("it is graded again"))

    stored = StoredResults(tmp_path / "kept")
    second = graded(folder, stored, points={"alphabeta": 7})
    again = graded(folder, StoredResults(tmp_path / "kept"))
    assert without_remarks(again) == without_remarks(first)
    assert as_csv(again) == as_csv(first)
    assert len(stored.used) == 5 and not stored.damaged
    assert second.remarks == [
        "Of 5 files the result is that of an earlier run; --fresh grades again."
    ]
    assert all(row["of"] == 7 for row in second.rows if row["verdict"].exercise == "alphabeta")


def test_fresh_grades_again(tmp_path):
    folder = write(tmp_path / "in", {"a.py": MINIMAX})
    kept = tmp_path / "kept"
    graded(folder, StoredResults(kept))
    stored = StoredResults(kept, is_fresh=True)
    assert graded(folder, stored).remarks == [] and not stored.used


def test_an_interrupted_run_goes_on(tmp_path, monkeypatch):
    """Then it says what a run says that was never interrupted."""
    folder = write(tmp_path / "in", CLASS)
    whole = without_remarks(graded(folder, None))

    def interrupted(items, words, total):
        yield next(iter(items))
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(grader, "progress", interrupted)
        first = graded(folder, StoredResults(tmp_path / "kept"))
    assert first.interrupted and first.missing
    assert list(first.without_points) == first.missing

    stored = StoredResults(tmp_path / "kept")
    assert without_remarks(graded(folder, stored)) == whole
    assert 1 <= len(stored.used) < 5


def test_a_result_is_kept_as_soon_as_it_is_there(tmp_path, monkeypatch):
    """So a run that is killed loses only what is under way."""
    folder = write(tmp_path / "in", {"a.py": MINIMAX, "b.py": MINIMAX})
    kept = tmp_path / "kept"
    seen = []
    before = grader._verdicts

    def verdicts(hand_in, names):
        seen.append(len([*kept.glob("*.json")]))
        return before(hand_in, names)

    monkeypatch.setattr(grader, "_verdicts", verdicts)
    graded(folder, StoredResults(kept), jobs=1)
    assert seen == [0, 1]


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="needs the signals of Linux or macOS")
@pytest.mark.parametrize("name", ["SIGTERM", "SIGKILL"])
def test_the_same_command_goes_on_after_it_was_ended(tmp_path, name):
    """Only what was under way is graded a second time, and the report is as if nothing had been."""
    answers = [STRICT, ODD, MINIMAX, ALPHABETA, "tree_values = {}", TWO]
    files = {f"student {place:02}.py": text for place, text in enumerate(answers * 2)}
    folder = write(tmp_path / "in", files)
    waits = f"open({str(tmp_path / 'mark')!r}, 'w').close()\nimport time\ntime.sleep(999)\n"
    write(folder, {"z.py": waits})

    (tmp_path / "temp").mkdir()
    environment = os.environ | {"TMPDIR": str(tmp_path / "temp")}
    command = [sys.executable, "-m", "abviz", "check", str(folder), "--jobs", "1", "--json"]
    process = subprocess.Popen(
        [*command, "--seconds", "600"], env=environment, stdout=subprocess.PIPE
    )
    while not any((tmp_path / "temp").glob("*/z.py")):
        assert process.poll() is None
        sleep(0.05)
    while process.poll() is None:
        process.send_signal(getattr(signal, name))
        with suppress(subprocess.TimeoutExpired):
            process.wait(15)
    if name == "SIGTERM":
        assert process.returncode == 130
        assert b"The same command goes on where this one has stopped." in process.stdout.read()

    write(folder, {"z.py": MINIMAX})
    done = subprocess.run([*command, "--seconds", "600"], env=environment, capture_output=True)
    fresh = subprocess.run(
        [*command, "--seconds", "600", "--fresh"], env=environment, capture_output=True
    )
    record, expected = json.loads(done.stdout), json.loads(fresh.stdout)
    assert record.pop("remarks")[0].startswith(f"Of {len(files)} files the result is that of an")
    expected.pop("remarks")
    assert record == expected


# on what a result depends


def key(folder: Path, name: str = "hw3.py", exercises=(), *, own_folder=True, **settings) -> str:
    hand_in = HandIn(folder / name, own_folder, is_of_course=False)
    for setting, value in settings.items():
        setattr(hand_in, setting, value)
    return key_of(hand_in, exercises)


def test_a_key_is_of_all_that_the_result_depends_on(tmp_path, monkeypatch):
    files = {"hw3.py": MINIMAX, "helper.py": "x = 1", "data/numbers.txt": "1 2"}
    folder = write(tmp_path / "one", files)
    first = key(folder)
    assert key(write(tmp_path / "two", files)) == first, "wherever the folder is"

    others = [
        key(folder, "helper.py"),
        key(folder, own_folder=False),
        key(folder, exercises=["minimax"]),
        key(folder, seconds=20.0),
        key(folder, megabytes=512),
        key(folder, rules=Rules(strict=True)),
    ]
    for name, text in files.items():
        changed = write(tmp_path / f"changed {name}", files | {name: f"{text}\n"})
        others.append(key(changed))
    others.append(key(write(tmp_path / "more", files | {"more.py": ""})))
    folder_more = write(tmp_path / "folder more", files)
    (folder_more / "empty").mkdir()
    others.append(key(folder_more))
    others.append(key(write(tmp_path / "moved", {"hw3.py": MINIMAX, "helper.py": "x = 11 2"})))
    monkeypatch.setattr(stored_results, "_program", lambda: "another version")
    others.append(key(folder))
    assert len({first, *others}) == len(others) + 1

    monkeypatch.undo()
    hidden = write(tmp_path / "hidden", files | {".git/x": "1", "__pycache__/y": "2"})
    assert key(hidden) == first, "they don't go with the hand-in"


def test_the_program_is_known_by_its_contents(tmp_path, monkeypatch):
    monkeypatch.setattr(stored_results, "PACKAGE", write(tmp_path / "abviz", {"a.py": "1"}))
    one = stored_results._program.__wrapped__()
    write(tmp_path / "abviz", {"a.py": "2"})
    assert stored_results._program.__wrapped__() != one


# what is kept


def verdicts() -> list[Verdict]:
    """Return verdicts of all kinds, from check."""
    answers = {
        "minimax": function_of(MINIMAX, "minimax"),
        "two-functions": function_of(TWO.replace("(child, alpha, beta)", "(child, beta, alpha)"), "two_functions"),
        "alphabeta": function_of(STRICT, "alphabeta"),
        "fail-hard": function_of(ALPHABETA, "alphabeta"),
        "best-move": lambda node: 3,
        "best-line": None,
        "aspiration": lambda *_: 3,
        "order": lambda node: (),
        "tree-values": {"A": 3},
        "skipped-leaves": ["x"],
        "no-cut": [[1, 2], [3, 4]],
        "deep-cut": [[1, [2, 3]], [4, 5]],
        "open-lines": lambda position: 0,
        "advance": None,
    }  # fmt: skip
    made = [check(name, answer) for name, answer in answers.items()]
    assert sum(verdict.trace is not None for verdict in made) >= 3
    assert any(verdict.position for verdict in made)
    return made


def test_a_verdict_comes_back_as_it_was():
    for verdict in verdicts():
        copy = verdict_from(json.loads(json.dumps(record_of(verdict))))
        assert is_same(copy, verdict), verdict
        assert copy._repr_mimebundle_() == verdict._repr_mimebundle_()
        assert bool(copy) == bool(verdict)


def result(message: str = "", status: str = "wrong", note: str = "") -> Result:
    return Result([Verdict("minimax", status, message)], [note], {})


@pytest.mark.parametrize(
    "by_chance",
    [
        result("On [1, 2] it was stopped after 10 seconds."),
        result("its process ended (exit status -9)."),
        result(note="cell 3 was left out: it was stopped after 10 seconds"),
        result("It cannot be graded: MemoryError", status="error"),
    ],
)
def test_what_another_day_may_change_is_not_kept(tmp_path, by_chance):
    assert is_lasting(result("On [1, 2] it returns 3; expected 1."))
    assert not is_lasting(by_chance)
    stored = StoredResults(tmp_path / "kept")
    stored.keep("key", by_chance)
    assert stored.find("key") is None and not (tmp_path / "kept").exists()


@pytest.mark.parametrize(
    "damage",
    [
        lambda text: "",
        lambda text: text[: len(text) // 2],
        lambda text: "[]",
        lambda text: "{}",
        lambda text: text.replace('"key": "', '"key": "0'),
        lambda text: text.replace('"verdicts": [', '"verdicts": [3, '),
        lambda text: text.replace('"trace": {', '"trace": {"search": "eval", "x": {'),
        lambda text: text.replace('"rows": [', '"rows": [["z", true, 1, 99], '),
        lambda text: text.replace('"events": [', '"events": [["exit", 0, 0, 0, 0, 0], '),
        lambda text: "[" * 100_000,
    ],
)
def test_a_damaged_result_is_made_again(tmp_path, damage):
    folder = write(tmp_path / "in", {"a.py": STRICT})
    first = graded(folder, StoredResults(tmp_path / "kept"))
    (kept,) = (tmp_path / "kept").iterdir()
    kept.write_text(damage(kept.read_text()))

    second = graded(folder, StoredResults(tmp_path / "kept"))
    assert second.remarks == ["Damaged, and graded again: 1 stored result."]
    assert without_remarks(second) == without_remarks(first)
    assert graded(folder, StoredResults(tmp_path / "kept")).remarks[0].startswith("Of 1 file ")


def test_where_nothing_can_be_written_the_report_says_so(tmp_path):
    (tmp_path / "kept").write_text("a file")
    report = graded(write(tmp_path / "in", {"a.py": MINIMAX}), StoredResults(tmp_path / "kept"))
    assert report.rows[0]["status"] == "right"
    assert len(report.remarks) == 1 and report.remarks[0].startswith("Results are not kept in ")


# where it is kept


@pytest.mark.skipif(
    landlock_version() < 1, reason="needs a kernel with Landlock (Linux 5.13), which protects files"
)
def test_a_hand_in_can_neither_read_nor_write_results(tmp_path):
    kept = tmp_path / "kept"
    graded(write(tmp_path / "first", {"a.py": MINIMAX}), StoredResults(kept))
    (path,) = kept.iterdir()
    spy = f"""
def minimax(node):
    found = []
    for attempt in (
        lambda: open({str(path)!r}).read(),
        lambda: open({str(path)!r}, "w").write("x"),
        lambda: open({str(kept / "mine.json")!r}, "w").write("x"),
        lambda: __import__("os").remove({str(path)!r}),
        lambda: __import__("os").listdir({str(kept)!r}),
    ):
        try:
            attempt()
            found.append("yes")
        except OSError:
            found.append("no")
    return " ".join(found)
"""
    before = path.read_bytes()
    report = graded(write(tmp_path / "second", {"b.py": spy}), StoredResults(kept))
    assert "returns 'no no no no no'" in report.rows[0]["message"]
    assert path.read_bytes() == before and not (kept / "mine.json").exists()


@pytest.mark.skipif(os.name != "posix", reason="needs the file modes of Linux or macOS")
def test_only_its_user_can_enter_the_folder(tmp_path):
    graded(write(tmp_path / "in", {"a.py": MINIMAX}), StoredResults(tmp_path / "kept"))
    assert (tmp_path / "kept").stat().st_mode & 0o777 == 0o700


def test_old_results_are_removed(tmp_path):
    stored = StoredResults(tmp_path)
    for name, days in (("old.json", 61), ("new.json", 59), ("other.txt", 100)):
        (tmp_path / name).write_text("{}")
        when = os.stat(tmp_path / name).st_mtime - days * 86_400
        os.utime(tmp_path / name, (when, when))
    stored.remove_old()
    assert {each.name for each in tmp_path.iterdir()} == {"new.json", "other.txt"}


def test_the_command_keeps_results_in_the_users_cache(tmp_path, monkeypatch, capsys):
    folder = str(write(tmp_path / "in", {"a.py": MINIMAX}))
    assert main(["check", folder, "--jobs", "1"]) == 0
    assert "earlier run" not in capsys.readouterr().out
    assert len([*cache_folder().glob("*.json")]) == 1
    assert main(["check", folder, "--jobs", "1"]) == 0
    assert "Of 1 file the result is that of an earlier run" in capsys.readouterr().out
    assert main(["check", folder, "--jobs", "1", "--fresh"]) == 0
    assert "earlier run" not in capsys.readouterr().out

    monkeypatch.delenv("ABVIZ_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_folder().name == "results" and cache_folder().parent.name == "abviz"


def test_exercises_keep_what_a_stored_verdict_needs():
    """The rules of its reference: those of the exercise that were asked for."""
    verdict = check("alphabeta", function_of(STRICT, "alphabeta"))
    assert verdict.rules == find("alphabeta").rules
    assert replace(verdict, trace=None).rules == verdict.rules
