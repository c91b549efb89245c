"""A comparison of searches as bars: what matplotlib is asked to draw."""

import html as markup
import io
from typing import Any
from urllib.parse import quote

from abviz.engine.comparing import LESS_DEEP, Comparison, short
from abviz.engine.switches import DEEPER, MAY_BE_WRONG, STAYS

LOOKS = {  # colour and hatching
    STAYS: ("#4477aa", ""),
    DEEPER: ("#ddaa33", "//"),
    LESS_DEEP: ("#ddaa33", "\\\\"),
    MAY_BE_WRONG: ("#bb5566", "xx"),
}
LOGARITHMIC = 40  # how many times the shortest bar the longest is, before the scale is logarithmic


def figure(compared: Comparison) -> Any:
    """The nodes of each variant, beside them its class and what it has answered: a matplotlib Figure."""
    from matplotlib.figure import Figure

    shown = compared.variants
    figure = Figure(figsize=(5.6, 0.7 + 0.34 * len(shown)), facecolor="white")
    axes = figure.subplots()
    beside = axes.get_yaxis_transform()
    for row, variant in enumerate(shown):
        colour, hatch = LOOKS[variant.kind]
        axes.barh(row, variant.nodes, height=0.7, color=colour, hatch=hatch, edgecolor="white")
        axes.text(1.15, row, f"× {short(variant.ratio)}", transform=beside, ha="right", va="center")
        axes.text(1.18, row, compared.words(variant), transform=beside, va="center")
    axes.set_yticks(range(len(shown)), [variant.name for variant in shown])
    axes.invert_yaxis()
    _scale(axes, [variant.nodes for variant in shown])
    axes.set_title(compared.title, loc="left", fontsize="medium")
    axes.spines[["top", "right"]].set_visible(False)
    return figure


def _scale(axes: Any, counts: list[int]) -> None:
    from matplotlib.ticker import LogLocator, MaxNLocator

    logarithmic = max(counts) > LOGARITHMIC * min(counts)
    if logarithmic:
        axes.set_xscale("log")
        axes.set_xlim(min(counts) / 3)
    # Few marks, since numbers of nodes are long.
    axes.xaxis.set_major_locator(LogLocator(numticks=5) if logarithmic else MaxNLocator(4))
    axes.xaxis.set_major_formatter(lambda nodes, _: f"{nodes:,.0f}")
    axes.minorticks_off()
    axes.set_xlabel("nodes, logarithmic scale" if logarithmic else "nodes")


def svg(compared: Comparison) -> str:
    """An SVG element on white, for light and for dark pages, in which letters are letters."""
    from matplotlib import style

    file = io.StringIO()
    ours = {"svg.fonttype": "none", "svg.hashsalt": "abviz", "text.parse_math": False}
    with style.context(["default", ours]):
        metadata = {"Title": compared.in_words(), "Date": None}
        figure(compared).savefig(file, format="svg", bbox_inches="tight", metadata=metadata)
    drawn = file.getvalue()
    return drawn[drawn.index("<svg ") :].replace("<svg ", '<svg role="img" ', 1)


def html(compared: Comparison, drawn: str) -> str:
    """The picture with its words: where a notebook shows an SVG it drops them."""
    words = markup.escape(compared.in_words())
    return f'<img alt="{words}" src="data:image/svg+xml,{quote(drawn)}">'
