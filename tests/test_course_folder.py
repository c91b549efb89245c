"""The course in a folder of the reader's own: whatever they do there, an update loses none of it."""

from pathlib import Path

import pytest

from abviz.course_folder import RECORD, update
from abviz.errors import AbvizError
from tests.seeds import seeded


def ship(folder: Path, **notebooks: str) -> Path:
    """Make a package's folder of notebooks, by their stems."""
    folder.mkdir(exist_ok=True)
    for path in folder.iterdir():
        path.unlink()
    for stem, text in notebooks.items():
        (folder / f"{stem}.ipynb").write_text(text)
    return folder


def held(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in folder.iterdir() if path.name != RECORD}


def test_a_notebook_that_was_not_changed_follows_the_package(tmp_path: Path) -> None:
    course = tmp_path / "course"
    changes = update(course, ship(tmp_path / "package", a="a1", b="b1"), "1.0")
    assert changes.added == ["a.ipynb", "b.ipynb"]

    changes = update(course, ship(tmp_path / "package", a="a2", b="b1", c="c1"), "2.0")
    assert (changes.added, changes.updated, changes.kept) == (["c.ipynb"], ["a.ipynb"], {})
    assert held(course) == {"a.ipynb": "a2", "b.ipynb": "b1", "c.ipynb": "c1"}
    assert update(course, tmp_path / "package", "2.0").lines() == []


def test_a_changed_notebook_stays_and_the_new_one_is_beside_it_once(tmp_path: Path) -> None:
    course, package = tmp_path / "course", tmp_path / "package"
    update(course, ship(package, a="a1"), "1.0")
    (course / "a.ipynb").write_text("mine")
    assert update(course, package, "1.0").lines() == []

    changes = update(course, ship(package, a="a2"), "2.0")
    assert changes.lines() == [
        "a.ipynb has a new version, a (abviz 2.0).ipynb; yours stays as you left it"
    ]
    assert held(course) == {"a.ipynb": "mine", "a (abviz 2.0).ipynb": "a2"}
    assert update(course, package, "2.0").lines() == []


def test_a_folder_that_held_other_notebooks_keeps_them(tmp_path: Path) -> None:
    """Without a record, or with one that can't be read, nothing counts as unchanged."""
    course, package = tmp_path / "course", ship(tmp_path / "package", a="a1")
    course.mkdir()
    (course / "a.ipynb").write_text("of another course")
    update(course, package, "1.0")
    assert held(course) == {"a.ipynb": "of another course", "a (abviz 1.0).ipynb": "a1"}

    for broken in ("", "{", "[1]", '{"a.ipynb": 3}'):
        (course / RECORD).write_text(broken)
        update(course, package, "1.0")
        assert held(course) == {"a.ipynb": "of another course", "a (abviz 1.0).ipynb": "a1"}


@pytest.mark.parametrize("seed", range(50))
def test_nothing_that_the_reader_wrote_is_ever_lost(tmp_path: Path, seed: int) -> None:
    """They write, delete and update in any order; what they wrote last is there under its name."""
    chance = seeded(seed)
    course, package = tmp_path / "course", tmp_path / "package"
    stems = ["a", "b", "c"]
    versions = {stem: f"{stem} of the package, 0" for stem in stems}
    written: dict[str, str] = {}

    for step in range(12):
        stem = chance.choice(stems)
        name = f"{stem}.ipynb"
        event = chance.choice(["write", "write", "delete", "release", "update", "update"])

        if event == "write" and course.is_dir():
            beside = [path.name for path in course.glob("* (abviz *).ipynb")]
            name = chance.choice([name, *beside])
            written[name] = f"the reader's, {step}"
            (course / name).write_text(written[name])
        elif event == "delete":
            written.pop(name, None)
            (course / name).unlink(missing_ok=True)
        elif event == "release":
            versions[stem] = f"{stem} of the package, {step}"
        elif event == "update":
            update(course, ship(package, **versions), "1.0")
            there = held(course)
            assert written.items() <= there.items()
            for stem, text in versions.items():
                if f"{stem}.ipynb" not in written:
                    assert there[f"{stem}.ipynb"] == text


@pytest.mark.parametrize("obstacle", ["a file", "a folder"])
def test_what_is_in_the_way_is_named_in_one_line(tmp_path: Path, obstacle: str) -> None:
    course, package = tmp_path / "course", ship(tmp_path / "package", a="a1")
    if obstacle == "a file":
        course.write_text("not a folder")
    else:
        (course / "a.ipynb").mkdir(parents=True)

    with pytest.raises(
        AbvizError, match=r"cannot copy the course to \S+course: .+; expected"
    ) as bad:
        update(course, package, "1.0")
    assert "\n" not in str(bad.value)
