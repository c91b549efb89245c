"""A beam beside reordering: what each costs, and how often the beam chooses another move than the full search."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.ticker import MaxNLocator

from abviz.engine.comparing import Comparison, Variant, short
from abviz.engine.switches import MAY_BE_WRONG
from abviz.errors import AbvizError, brief, count
from abviz.parallel.records import SECONDS
from abviz.timing.pooling import amount, percent
from abviz.timing.showing import EDGE, FILL, INK, Chart, checked_width, scaled, time_axis

WIDTH = re.compile(r"\bbeam\D*(\d+)|(\d+)\D*\bbeam", re.IGNORECASE)

WIDE = 7  # inches of the figure, from which words stand beside each other and not below


@dataclass(frozen=True)
class Beam:
    """A search of some positions, with a beam or without."""

    name: str
    nodes: int
    seconds: float
    other_moves: int = 0  # positions in which it chooses another move than the full search
    width: int | None = None  # moves that it looks at in each position; None where it looks at all


@dataclass(frozen=True)
class Beams:
    """Searches of the same positions, the full one first."""

    title: str
    positions: int
    rows: tuple[Beam, ...]

    @classmethod
    def of(cls, compared: Comparison) -> "Beams":
        """What `abviz.engine.compare` has found. In the name of a beam stands its width: "beam 4"."""
        rows = tuple(_row(variant) for variant in compared.variants)
        return cls(compared.title, len(compared.variants[0].values), rows)

    @property
    def in_order(self) -> tuple[Beam, ...]:
        """The full searches, then the beams from the widest to the narrowest."""
        return tuple(sorted(self.rows, key=lambda row: (row.width is not None, -(row.width or 0))))


def _row(variant: Variant) -> Beam:
    found = WIDTH.search(variant.name)
    if variant.kind == MAY_BE_WRONG and not found:
        raise AbvizError(f"how wide the beam of {brief(variant.name)} is, is not known; expected a name as in beam_4")
    width = int(found[1] or found[2]) if found else None
    return Beam(variant.name, variant.nodes, variant.seconds, variant.other_moves, width)


def beam_against_reordering(*comparisons: Comparison | Beams, width: float = 8.5) -> Chart:
    """Nodes, time, and how often the move is another than the full search's, by the width of the beam.

    A comparison comes from `compare(positions, depth, plain="alphabeta", reordering=Switches(),
    beam_4=Switches(beam=4), ...)`: its first variant is the full search that the moves are compared with.
    """
    checked_width(width)
    studies = [_checked(Beams.of(each) if isinstance(each, Comparison) else each) for each in comparisons]
    if not studies:
        raise AbvizError("there are 0 comparisons; expected 1 or more")
    return Chart(" ".join(map(_in_words, studies)), lambda: _figure(studies, width))


def _checked(study: Beams) -> Beams:
    if not isinstance(study, Beams):
        raise AbvizError(f"{brief(study)} is no comparison; expected what compare has given, or Beams")
    if not study.rows or study.positions < 1:
        told = f"{count(len(study.rows), 'row')}, {count(study.positions, 'position')}"
        raise AbvizError(f"{brief(study.title)} has {told}; expected at least one of each")
    return study


def _figure(studies: Sequence[Beams], width: float) -> Figure:
    heights = [0.34 * len(study.rows) for study in studies]
    figure = Figure(
        figsize=(width, sum(heights) + 0.9 * len(studies)),
        facecolor="white",
        layout=ConstrainedLayoutEngine(h_pad=0.1, w_pad=0.1),
    )
    grid = figure.subplots(len(studies), 3, squeeze=False, height_ratios=heights)
    for panels, study in zip(grid, studies, strict=True):
        nodes, time, moves = panels
        _draw_nodes(nodes, study, width)
        _draw_time(time, study, width)
        _draw_moves(moves, study)
        for axes in panels:
            axes.set_ylim(len(study.rows) - 0.5, -0.5)
            axes.set_yticks(range(len(study.rows)), [row.name for row in study.in_order] if axes is nodes else [])
            axes.tick_params(axis="y", length=0)
            axes.grid(axis="x", color="#dddddd", linewidth=0.4)
            axes.set_axisbelow(True)
        nodes.set_title(study.title, loc="left", fontsize=9)
    return figure


def _bars(axes: Axes, study: Beams, lengths: Sequence[float], told: Sequence[str]) -> None:
    """A bar for each row, hatched where it is a beam's, with its number behind it."""
    for place, (row, length, text) in enumerate(zip(study.in_order, lengths, told, strict=True)):
        axes.barh(
            place, length, 0.66, color=FILL, hatch="" if row.width is None else "////", edgecolor=EDGE, linewidth=0.6
        )
        axes.annotate(text, (length, place), (3, 0), textcoords="offset points", va="center", fontsize=7.5, color=INK)


def _draw_nodes(axes: Axes, study: Beams, width: float) -> None:
    nodes = [row.nodes for row in study.in_order]
    full = study.rows[0].nodes
    _bars(axes, study, nodes, [f"× {short(each / full)}" if full else "" for each in nodes])
    logarithmic = _room(axes, nodes, width)
    if width <= WIDE:
        axes.xaxis.set_major_formatter(lambda each, _: _brief(each))
    axes.set_xlabel(f"nodes{_scale(width) if logarithmic else ''}")


def _draw_time(axes: Axes, study: Beams, width: float) -> None:
    seconds = [row.seconds for row in study.in_order]
    _bars(axes, study, seconds, [amount(each, SECONDS) for each in seconds])
    logarithmic = _room(axes, seconds, width)
    time_axis(axes, max(seconds), SECONDS)
    if logarithmic:
        axes.set_xlabel(f"{axes.get_xlabel()}{_scale(width)}")


def _draw_moves(axes: Axes, study: Beams) -> None:
    parts = [row.other_moves / study.positions for row in study.in_order]
    _bars(axes, study, parts, [percent(part) for part in parts])
    axes.set_xlim(0, max(0.1, *parts) * 1.35)
    axes.xaxis.set_major_formatter(lambda part, _: percent(part))
    axes.xaxis.set_major_locator(MaxNLocator(3))
    axes.set_xlabel("another move")


def _brief(nodes: float) -> str:
    return f"{nodes / 1e6:g} M" if nodes >= 1e6 else f"{nodes / 1e3:g} k" if nodes >= 1e3 else f"{nodes:g}"


def _scale(width: float) -> str:
    return f"{', ' if width > WIDE else chr(10)}logarithmic scale"


def _room(axes: Axes, amounts: Sequence[float], width: float) -> bool:
    """Room behind the bars for their numbers."""
    logarithmic = scaled(axes, list(amounts), which="x", marks=4 if width > WIDE else 3)
    least, most = axes.get_xlim()
    if logarithmic:
        axes.set_xlim(least, most * (most / least) ** 0.35)
    else:
        axes.set_xlim(0, max(amounts) * 1.45 or 1)
    return logarithmic


def _in_words(study: Beams) -> str:
    told = []
    for row in study.in_order:
        differ = f"another move in {row.other_moves} of {count(study.positions, 'position')}"
        told.append(f"{row.name}: {count(row.nodes, 'node')}, {amount(row.seconds, SECONDS)}, {differ}")
    return f"{study.title}. {'; '.join(told)}."
