"""Build the web edition: the course as a static site, which needs no server code.

`make site` calls it and writes the site to ./site; names of notebooks build only their pages. The
site is for the class of `--course FILE`, or of `abviz.yaml` in the current folder.
"""

import argparse
import hashlib
import json
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import course
import lite
import of_class
import python_files
import runs
from abviz.course import load_course
from abviz.errors import AbvizError
from abviz.exercises.predictions import Questions
from abviz.play.board import BoardView
from abviz.timing.widget import LiveLanes
from abviz.views.bundle import module, stylesheet

HERE = Path(__file__).resolve().parent
HOUSE = HERE.parents[1]
SITE = HOUSE / "site"


def build(folder: Path, names: list[str], has_notebooks: bool | None = None) -> None:
    """Write the site, with the pages of these notebooks, or all if none is named.

    It takes the place of an earlier one when it is whole. A whole site has its notebooks in
    JupyterLite, too, unless `has_notebooks` says otherwise.
    """
    notebooks = _notebooks(names)
    new = folder.with_name(f"{folder.name}.new")
    shutil.rmtree(new, ignore_errors=True)  # of a run that was interrupted
    _write_site(new, notebooks, not names if has_notebooks is None else has_notebooks)
    shutil.rmtree(folder, ignore_errors=True)
    new.rename(folder)


def _notebooks(names: list[str]) -> list[Path]:
    """Return the notebooks of these names, or all if none is named."""
    paths = sorted(course.NOTEBOOKS.glob("[0-9]*.ipynb"))
    unknown = sorted(set(names) - {path.stem for path in paths})
    if unknown:
        known = ", ".join(path.stem for path in paths)
        raise SystemExit(f"no notebook {', '.join(unknown)}; expected {known}")
    return [path for path in paths if not names or path.stem in names]


def _write_site(folder: Path, notebooks: list[Path], has_notebooks: bool) -> None:
    files = course.Files(folder / "files")
    _add_kinds(files)
    with ThreadPoolExecutor(max_workers=2) as pool:
        list(pool.map(runs.run, notebooks))  # each in a kernel of its own, for its chapter to find
    chapters = [course.Chapter(path, files) for path in notebooks]

    sizes = python_files.write_python(folder / "python")
    python = _named_by_contents(folder / "python")
    about = {"folder": python.name, "sizes": sizes}
    _write(files.folder / "python.json", json.dumps(about))
    _write_scripts(files.folder)
    static = _named_by_contents(files.folder).name

    for path, chapter in zip(notebooks, chapters, strict=True):
        _write(folder / chapter.name / "index.html", chapter.html(chapters, static, has_notebooks))
        _write(folder / chapter.name / path.name, of_class.notebook(path))
    shutil.copyfile(HERE / "page" / "sw.js", folder / "sw.js")
    (folder / ".nojekyll").touch()  # GitHub would leave out some names

    megabytes = round(size_of(folder) / 1e6)
    wheel = _write_wheel(folder)
    front = course.front_page(chapters, files, static, megabytes, wheel, has_notebooks)
    _write(folder / "index.html", front)

    # Pages that are kept offline need neither the package nor JupyterLite
    _write(folder / "files.json", json.dumps(_addresses(folder, apart=wheel)))
    if has_notebooks:
        _write_lite(folder / lite.FOLDER, notebooks, python.name, static)


def _write_lite(folder: Path, notebooks: list[Path], python: str, static: str) -> None:
    """Write the course as notebooks, in JupyterLite."""
    lite.write_app(folder / "app")
    # It serves the folder in which it stands
    (folder / "app" / "service-worker.js").rename(folder / "service-worker.js")
    app = _named_by_contents(folder / "app").name
    editions = lite.write_notebooks(folder, notebooks)
    config = lite.config(app, python, static, editions)
    _write(folder / lite.APP / "index.html", course.lite_page(config, static))


def _add_kinds(files: course.Files) -> None:
    """Write the script and the style of each kind of widget."""
    files.add_kind("Stepper", module(), stylesheet())
    for kind in (Questions, BoardView, LiveLanes):
        files.add_kind(kind.__name__, str(kind._esm), str(kind._css))


def size_of(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def _write_scripts(folder: Path) -> None:
    for path in (HERE / "page").iterdir():
        kind = path.suffix.removeprefix(".")
        if kind in ("css", "js") and path.name != "sw.js":
            text = path.read_text("utf-8")
            small = python_files.smaller(text, kind, keeps_names=kind == "js")
            _write(folder / path.name, small)
        elif kind == "svg":
            shutil.copyfile(path, folder / path.name)


def _named_by_contents(folder: Path) -> Path:
    """Give the folder a name that is another as soon as a file in it is: a browser may keep it."""
    digest = hashlib.sha256()
    for path in sorted(each for each in folder.rglob("*") if each.is_file()):
        digest.update(path.relative_to(folder).as_posix().encode() + path.read_bytes())
    return folder.rename(folder.with_name(f"{folder.name}-{digest.hexdigest()[:10]}"))


def _write_wheel(folder: Path) -> str:
    """Write abviz as a package that pip can install from the site, and return its name."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    done = subprocess.run(command, cwd=HOUSE, capture_output=True, encoding="utf-8")
    if done.returncode:
        raise SystemExit(f"the package could not be built: {done.stderr.strip()}")
    (wheel,) = folder.glob("*.whl")
    return wheel.name


def _addresses(folder: Path, apart: str) -> list[str]:
    """Return the addresses of all that a page may ask for, but for the file that is apart."""
    found = sorted(path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
    # Many servers keep hidden files to themselves, and a browser keeps its worker by itself
    names = [path.as_posix() for path in found if not path.name.startswith(".")]
    return [_address(name) for name in names if name not in ("sw.js", apart)]


def _address(name: str) -> str:
    """Return the address of a file below that of the site: of a page without index.html."""
    return name.removesuffix("index.html")


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, "utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description="Build the web edition.")
    parser.add_argument("notebooks", metavar="NOTEBOOK", nargs="*", help="only these pages")
    parser.add_argument("--course", metavar="FILE", help="rules and names of a course")
    args = parser.parse_args()

    try:
        of_class.follow(load_course(args.course))
    except AbvizError as problem:
        raise SystemExit(str(problem)) from None
    build(SITE, args.notebooks)
    size, apart = size_of(SITE) / 1e6, size_of(SITE / lite.FOLDER) / 1e6
    notebooks = f", of which notebooks in JupyterLite are {apart:.1f} MB" if apart else ""
    print(f"{SITE}: {size:.1f} MB{notebooks}; to look at it: python3 -m http.server -d site")


if __name__ == "__main__":
    main()
