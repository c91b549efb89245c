"""Build the web edition: the course as a static site, which needs no server code.

`make site` calls it and writes the site to ./site; names of notebooks build only their pages.
"""

import hashlib
import json
import shutil
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import course
import python_files
import runs
from abviz.exercises.predictions import Questions
from abviz.play.board import BoardView
from abviz.timing.widget import LiveLanes
from abviz.views.bundle import module, stylesheet

HERE = Path(__file__).resolve().parent
HOUSE = HERE.parents[1]
SITE = HOUSE / "site"


def build(folder: Path, names: list[str]) -> None:
    """Write the site, with the pages of these notebooks, or all if none is named.

    It takes the place of an earlier one when it is whole.
    """
    notebooks = _notebooks(names)
    new = folder.with_name(f"{folder.name}.new")
    shutil.rmtree(new, ignore_errors=True)  # of a run that was interrupted
    _write_site(new, notebooks)
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


def _write_site(folder: Path, notebooks: list[Path]) -> None:
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
        _write(folder / chapter.name / "index.html", chapter.html(chapters, static))
        shutil.copyfile(path, folder / chapter.name / path.name)
    shutil.copyfile(HERE / "page" / "sw.js", folder / "sw.js")
    (folder / ".nojekyll").touch()  # GitHub would leave out some names

    megabytes = round(size_of(folder) / 1e6)
    _write(folder / "index.html", course.front_page(chapters, files, static, megabytes))
    found = sorted(path for path in folder.rglob("*") if path.is_file())
    addresses = [_address(path.relative_to(folder).as_posix()) for path in found]
    _write(folder / "files.json", json.dumps(addresses))


def _add_kinds(files: course.Files) -> None:
    """Write the script and the style of each kind of widget."""
    files.add_kind("Stepper", module(), stylesheet())
    for kind in (Questions, BoardView, LiveLanes):
        files.add_kind(kind.__name__, str(kind._esm), str(kind._css))


def size_of(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def _write_scripts(folder: Path) -> None:
    for path in (HERE / "page").iterdir():
        if path.suffix == ".css":
            _write(folder / path.name, python_files.smaller(path.read_text("utf-8"), "css"))
        elif path.suffix in (".js", ".svg") and path.name != "sw.js":
            shutil.copyfile(path, folder / path.name)


def _named_by_contents(folder: Path) -> Path:
    """Give the folder a name that is another as soon as a file in it is: a browser may keep it."""
    digest = hashlib.sha256()
    for path in sorted(folder.iterdir()):
        digest.update(path.name.encode() + path.read_bytes())
    return folder.rename(folder.with_name(f"{folder.name}-{digest.hexdigest()[:10]}"))


def _address(name: str) -> str:
    """Return the address of a file below that of the site: of a page without index.html."""
    return name.removesuffix("index.html")


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, "utf-8")


def main() -> None:
    build(SITE, sys.argv[1:])
    print(f"{SITE}: {size_of(SITE) / 1e6:.1f} MB; to look at it: python -m http.server -d site")


if __name__ == "__main__":
    main()
