"""Pictures with no `dot` on the machine; a Picture does what a graphviz.Digraph does."""

import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from IPython.core.formatters import DisplayFormatter

from abviz import draw, load, trace
from abviz.views.rendering import HIGHEST, Picture, rendered

HOUSE = Path(__file__).resolve().parents[1]
MAGIC = {"svg": b"<?xml", "png": b"\x89PNG\r\n\x1a\n", "pdf": b"%PDF-"}
DRAW = "from abviz import draw, load, trace\npicture = draw(trace(load('figure-4.24')), 17)\n"


def python(code: str, path: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """The code in a Python of its own, which knows nothing of this process but where abviz is."""
    environment = {"PATH": str(path), "HOME": str(path), "PYTHONPATH": str(HOUSE), **environment}
    return subprocess.run(
        [sys.executable, "-c", code], env=environment, cwd=path, capture_output=True, text=True
    )


def output(process: subprocess.CompletedProcess[str]) -> str:
    assert process.returncode == 0 and process.stderr == "", process.stderr
    return process.stdout.strip()


def plain() -> Picture:
    picture = Picture()
    picture.edge("a", "b")
    return picture


# where Graphviz comes from


def test_every_format_with_no_dot_on_the_machine_and_not_a_word_on_stderr(tmp_path: Path) -> None:
    code = """
import shutil
assert shutil.which("dot") is None
for format in ("svg", "png", "pdf"):
    picture.render("figure", format=format)
"""
    assert output(python(DRAW + code, tmp_path)) == ""
    for format, magic in MAGIC.items():
        assert (tmp_path / f"figure.{format}").read_bytes().startswith(magic)


def test_stderr_and_the_environment_are_as_before_and_streams_may_be_closed(tmp_path: Path) -> None:
    code = """
import os
before = dict(os.environ)
picture.pipe("png")
assert before == dict(os.environ)
os.write(2, b"heard")
os.closerange(0, 3)
picture.render(outfile="closed.png")
"""
    for settings in ({}, {"FONTCONFIG_FILE": str(tmp_path / "mine.conf")}):
        process = python(DRAW + code, tmp_path, **settings)
        assert (process.returncode, process.stderr) == (0, "heard")
        assert (tmp_path / "closed.png").read_bytes().startswith(MAGIC["png"])


# what it says and what it leaves alone


def test_pictures_at_once_are_each_whole() -> None:
    pictures = [draw(trace(load("figure-4.24")), step) for step in range(12)]
    alone = [picture.pipe("svg") for picture in pictures]
    with ThreadPoolExecutor(len(pictures)) as pool:
        assert list(pool.map(lambda picture: picture.pipe("svg"), pictures)) == alone


# as a graphviz.Digraph


def test_a_file_holds_the_picture_of_its_format_and_engine(tmp_path: Path) -> None:
    picture = plain()
    assert (
        Path(picture.render(tmp_path / "mine", format="png")).read_bytes().startswith(MAGIC["png"])
    )
    assert (tmp_path / "mine").read_text() == picture.source
    assert b"<svg" in Path(picture.render(outfile=tmp_path / "cut.svg")).read_bytes()
    assert picture.pipe("plain", engine="circo") != picture.pipe("plain")
    picture.engine = "circo"
    assert picture.pipe("plain") == rendered(picture.source, "plain", "circo")
    with pytest.raises(ValueError, match="unknown format: 'sgv'"):
        picture.render(tmp_path / "other", format="sgv")
    assert not (tmp_path / "other").exists()


def test_a_notebook_shows_the_svg_and_what_it_asks_for() -> None:
    picture = plain()
    svg = picture.pipe("svg", encoding="utf-8")
    shown, _ = DisplayFormatter().format(picture)
    assert shown.keys() == {"image/svg+xml", "text/plain"} and shown["image/svg+xml"] == svg
    assert picture._repr_mimebundle_(exclude=["image/svg+xml"]) == {}
    png = picture._repr_mimebundle_(include=["image/png"])
    assert list(png) == ["image/png"] and png["image/png"].startswith(MAGIC["png"])


def test_in_a_notebook_a_picture_is_no_higher_than_a_laptops_screen() -> None:
    picture = draw(trace(load("figure-4.24")))
    whole, shown = picture.pipe("svg", encoding="utf-8"), picture._repr_image_svg_xml()
    sides = [[int(side) for side in re.findall(r'="(\d+)pt"', svg)[:2]] for svg in (whole, shown)]
    (wide, high), (width, height) = sides
    assert high > HIGHEST >= height and abs(width / wide - height / high) < 0.01
    assert re.findall("viewBox=.*", whole) == re.findall("viewBox=.*", shown)
