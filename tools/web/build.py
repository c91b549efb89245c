"""Build the web edition: the course as a static site, which needs no server code.

`make site` calls it and writes the site to ./site; names of notebooks build only their pages.
"""

import shutil
import sys
from pathlib import Path

import course
import python_files
from abviz.exercises.predictions import Questions
from abviz.play.board import BoardView
from abviz.timing.widget import LiveLanes
from abviz.views.bundle import module, stylesheet

HERE = Path(__file__).resolve().parent
HOUSE = HERE.parents[1]
SITE = HOUSE / "site"


def build(folder: Path, names: list[str]) -> None:
    """Write the site, with the pages of these notebooks, or all if none is named."""
    if folder.exists():
        shutil.rmtree(folder)
    static = folder / "static"
    files = course.Files(static)
    files.add_kind("Stepper", module(), stylesheet())
    for kind in (Questions, BoardView, LiveLanes):
        files.add_kind(kind.__name__, str(kind._esm), str(kind._css))

    paths = sorted(course.NOTEBOOKS.glob("[0-9]*.ipynb"))
    unknown = set(names) - {path.stem for path in paths}
    if unknown:
        known = ", ".join(path.stem for path in paths)
        raise SystemExit(f"no notebook {', '.join(sorted(unknown))}; expected {known}")

    chosen = [path for path in paths if not names or path.stem in names]
    chapters = [course.Chapter(path, files) for path in chosen]
    titles = [(chapter.name, chapter.title) for chapter in chapters]
    for chapter in chapters:
        page = folder / chapter.name / "index.html"
        page.parent.mkdir()
        page.write_text(chapter.html(titles), "utf-8")

    (folder / "index.html").write_text(course.front_page(chapters, files), "utf-8")

    for path in (HERE / "page").iterdir():
        if path.suffix == ".css":
            (static / path.name).write_text(
                python_files.smaller(path.read_text("utf-8"), "css"), "utf-8"
            )
        elif path.suffix in (".js", ".svg"):
            shutil.copyfile(path, static / path.name)
    sizes = python_files.write_python(static / "python")
    (static / "python" / "sizes.json").write_text(course.json.dumps(sizes), "utf-8")
    (folder / ".nojekyll").touch()  # GitHub would leave out some names


def main() -> None:
    build(SITE, sys.argv[1:])
    total = sum(path.stat().st_size for path in SITE.rglob("*") if path.is_file())
    print(f"{SITE}: {total / 1e6:.1f} MB; to look at it: python -m http.server -d site")


if __name__ == "__main__":
    main()
