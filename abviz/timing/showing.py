"""A chart that shows itself in a notebook, and tells in words what it shows."""

import html
import io
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

from matplotlib import style
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator, MaxNLocator

from abviz.errors import AbvizError, brief, visible
from abviz.parallel.records import SECONDS
from abviz.timing.pooling import UNITS, unit_for
from abviz.tree.files import write_whole

OURS = {
    "font.size": 9,
    "hatch.linewidth": 0.6,
    "svg.fonttype": "none",
    "svg.hashsalt": "abviz",
    "pdf.fonttype": 42,
    "text.parse_math": False,
    "axes.spines.top": False,
    "axes.spines.right": False,
}
INK, PALE, FILL, EDGE = "#222222", "#bbbbbb", "#9dbbdb", "#1f4e79"
LOOKS = (  # of series: colour, marker, line, hatching, so that each is told apart in grey too
    ("#4477aa", "o", "-", ""),
    ("#bb5566", "s", "--", "//"),
    ("#228833", "^", "-.", "xx"),
    ("#aa7700", "D", (0, (1, 1)), ".."),
    ("#aa3377", "v", (0, (5, 1, 1, 1, 1, 1)), "\\\\"),
    ("#3399bb", "P", (0, (7, 2)), "++"),
    ("#555555", "X", (0, (3, 1, 1, 1)), "oo"),
    ("#000000", "*", (0, (2, 2)), "--"),
)
KINDS = ("svg", "pdf", "png")
WIDEST = 40  # inches
MANY = 40  # times the least that the most is, before a scale is logarithmic


@contextmanager
def our_style() -> Iterator[None]:
    """Dark on white, whatever style the notebook has set."""
    with style.context(["default", OURS]):
        yield


class Chart:
    """A matplotlib figure (`.figure`) with its words. Shown in a notebook, printed as words, saved for paper."""

    def __init__(self, words: str, draw: Callable[[], Figure]):
        self._words = words
        with our_style():
            self.figure = draw()
            # The layout is settled once: every drawing of it would move things by a hair.
            self.figure.draw_without_rendering()
            self.figure.set_layout_engine("none")

    def in_words(self) -> str:
        """What the chart shows, for those who hear it."""
        return self._words

    __str__ = __repr__ = in_words

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a file that ends in .svg, .pdf or .png."""
        kind = Path(path).suffix.lower().removeprefix(".")
        if kind not in KINDS:
            raise AbvizError(
                f"cannot save a chart in {visible(str(path))}: expected a name that ends in .svg, .pdf or .png"
            )
        write_whole(path, self._drawn(kind))

    def svg(self) -> str:
        """An SVG element on white, for light and for dark pages, in which letters are letters."""
        drawn = self._drawn("svg").decode()
        return drawn[drawn.index("<svg ") :].replace("<svg ", '<svg role="img" ', 1)

    def _drawn(self, kind: str) -> bytes:
        told = {"svg": {"Title": self._words, "Date": None}, "pdf": {"Title": self._words, "CreationDate": None}}
        file = io.BytesIO()
        with our_style():
            metadata = told.get(kind, {"Description": self._words})
            self.figure.savefig(file, format=kind, dpi=200, bbox_inches="tight", metadata=metadata)
        return file.getvalue()

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        drawn = self.svg()
        shown = f'<img alt="{html.escape(self._words)}" src="data:image/svg+xml,{quote(drawn)}">'
        return {"text/plain": self._words, "image/svg+xml": drawn, "text/html": shown}


def checked_width(width: float) -> float:
    if isinstance(width, bool) or not isinstance(width, int | float) or not 3 <= width <= WIDEST:
        raise AbvizError(f"width is {brief(width)}; expected inches, 3 to {WIDEST}")
    return width


def title_letters(width: float) -> int:
    """How many letters a line of a title holds that begins where the axes do."""
    return int((width - 0.9) * 13)


def time_axis(axes: Axes, longest: float, clock: str, *, which: str = "x") -> None:
    """Marks in the unit that fits; the coordinates stay those of the records."""
    axis = axes.xaxis if which == "x" else axes.yaxis
    unit = unit_for(longest) if clock == SECONDS else "nodes"
    factor = UNITS.get(unit, 1)
    axis.set_major_formatter(lambda time, _: f"{time * factor:,.10g}")
    axis.set_label_text(f"time, {unit}" if clock == SECONDS else "time, nodes searched by one worker")


def scaled(axes: Axes, amounts: list[float], *, which: str, marks: int = 5) -> bool:
    """Few marks, since numbers of nodes are long; logarithmic where the amounts differ much. Whether it is."""
    axis = axes.xaxis if which == "x" else axes.yaxis
    seen = [amount for amount in amounts if amount > 0]
    logarithmic = bool(seen) and max(seen) > MANY * min(seen)
    if logarithmic:
        getattr(axes, f"set_{which}scale")("log")
        getattr(axes, f"set_{which}lim")(min(seen) / 2, max(seen) * 2)
        axis.set_major_locator(LogLocator(numticks=marks))
    else:
        axis.set_major_locator(MaxNLocator(marks, steps=[1, 2, 2.5, 5, 10]))
    axes.minorticks_off()
    axis.set_major_formatter(lambda amount, _: f"{amount:,.10g}")
    return logarithmic
