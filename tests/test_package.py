"""What a user installs: the wheel and the source archive hold all that abviz needs, and nothing
else.
"""

import ast
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from abviz.course_folder import RECORD
from tests.test_lab import FIRST_PAGE, Lab

HOUSE = Path(__file__).resolve().parents[1]
NOTEBOOKS = {path.name for path in (HOUSE / "notebooks").glob("*.ipynb")}
TREES = {path.name for path in (HOUSE / "trees").glob("*.yaml")}
KINDS = (".py", ".typed", ".js", ".ts", ".css", ".yaml", ".json", ".mplstyle")
PARTS = {
    path.relative_to(HOUSE).as_posix() for path in HOUSE.glob("abviz/**/*") if path.suffix in KINDS
}


def build(kind: str, source: Path, folder: Path) -> Path:
    command = [sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", str(folder)]
    built = subprocess.run(command, cwd=source, capture_output=True, text=True)
    assert built.returncode == 0, built.stderr
    (archive,) = folder.iterdir()
    return archive


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The source archive, unpacked."""
    folder = tmp_path_factory.mktemp("sdist")
    shutil.unpack_archive(build("sdist", HOUSE, folder), folder)
    (unpacked,) = [path for path in folder.iterdir() if path.is_dir()]
    return unpacked


@pytest.fixture(scope="module")
def wheel(sdist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, made of nothing but the source archive, and unpacked as pip would."""
    folder = tmp_path_factory.mktemp("wheel")
    shutil.unpack_archive(build("wheel", sdist, folder), folder / "installed", "zip")
    return folder / "installed"


def test_the_wheel_holds_every_part_and_no_solution(wheel: Path) -> None:
    held = {path.relative_to(wheel).as_posix() for path in wheel.rglob("*") if path.is_file()}
    information = {name for name in held if name.startswith("abviz-")}
    course = {f"abviz/notebooks/{name}" for name in NOTEBOOKS}
    trees = {f"abviz/trees/{name}" for name in TREES}
    assert held - information == PARTS | course | trees
    code = "\n".join(
        ast.unparse(ast.parse(path.read_text(encoding="utf-8"))) for path in wheel.rglob("*.py")
    )
    solutions = [
        path.read_text(encoding="utf-8")
        for path in (HOUSE / "tests" / "solutions").glob("[a-z]*.py")
    ]
    functions = [
        ast.unparse(each)
        for text in solutions
        for each in ast.parse(text).body
        if hasattr(each, "body")
    ]
    assert len(functions) > 10 and not any(each in code for each in functions)


def test_type_checkers_use_the_installed_types(wheel: Path) -> None:
    """They ignore the annotations of a package without this mark."""
    assert (wheel / "abviz" / "py.typed").is_file()


def test_the_installed_package_finds_its_trees(wheel: Path, tmp_path: Path) -> None:
    run = f"import sys; sys.path.insert(0, {str(wheel)!r}); import abviz; print(abviz.__file__, *abviz.shipped())"
    shown = subprocess.run(
        [sys.executable, "-I", "-c", run], cwd=tmp_path, capture_output=True, text=True
    )
    where, *names = shown.stdout.split() or pytest.fail(shown.stderr)
    assert Path(where).is_relative_to(wheel) and {f"{name}.yaml" for name in names} == TREES


def test_the_installed_package_opens_a_copy_of_the_course(wheel: Path, tmp_path: Path) -> None:
    """The first start copies it, a later one finds it, also from inside the folder."""
    course = tmp_path / "abviz-course"
    mine = course / FIRST_PAGE

    with lab_of(wheel, tmp_path, tmp_path) as lab:
        assert "The course is in" in lab.output and lab.page == FIRST_PAGE
        opened = lab.ask(f"/api/contents/{FIRST_PAGE}")
        assert opened["content"]["cells"]
        assert {path.name for path in course.iterdir()} == NOTEBOOKS | {RECORD}
    mine.write_text(mine.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    changed = mine.read_bytes()

    for folder in (tmp_path, course):
        with lab_of(wheel, tmp_path, folder) as lab:
            assert "abviz-course" not in lab.output and lab.ask(f"/api/contents/{FIRST_PAGE}")
        assert mine.read_bytes() == changed
        assert {path.name for path in course.iterdir()} == NOTEBOOKS | {RECORD}


def lab_of(wheel: Path, home: Path, folder: Path) -> Lab:
    return Lab(home, "--port", "0", folder=folder, PYTHONPATH=str(wheel))
