"""What an improvement saves: the same search with different switches, side by side."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from abviz.engine.api import Result, Search, search
from abviz.engine.workspace import MAY_BE_WRONG, STAYS, Switches
from abviz.errors import AbvizError, brief, count, unknown
from abviz.games.rules import is_game

ANOTHER_DEPTH = "another depth"  # than the first variant, by a limit or by playing out captures
COLOURS = {STAYS: "#4477aa", MAY_BE_WRONG: "#bb5566", ANOTHER_DEPTH: "#ddaa33"}


@dataclass(frozen=True)
class Variant:
    """One set of switches, and the totals of its searches."""

    name: str
    kind: str  # against the first: "the value stays", "another depth" or "may be wrong"
    values: tuple[int | None, ...]  # of each position
    moves: tuple[str | None, ...]
    nodes: int
    evaluations: int
    cutoffs: int
    seconds: float  # the median of the runs
    ratio: float  # its nodes for each node of the first variant
    other_values: int  # positions with another value than that of the first variant
    other_moves: int


class Comparison:
    """The variants in their order: `compared["name"].nodes`. Shown in a notebook as a chart, printed as a table."""

    def __init__(self, title: str, variants: Sequence[Variant]):
        self.title, self.variants = title, tuple(variants)

    def __getitem__(self, name: str) -> Variant:
        by_name = {variant.name: variant for variant in self.variants}
        if name not in by_name:
            raise unknown("variant", name, by_name)
        return by_name[name]

    def __str__(self) -> str:
        rows = [("", "nodes", "ratio", "evaluations", "cutoffs", "ms", "")]
        for v in self.variants:
            counts = (f"{v.nodes:,}", short(v.ratio), f"{v.evaluations:,}", f"{v.cutoffs:,}")
            rows.append((v.name, *counts, f"{v.seconds * 1000:.1f}", self.words(v)))
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        lines = ("  ".join(f"{c:{a}{w}}" for c, a, w in zip(row, "<>>>>><", widths, strict=True)) for row in rows)
        return "\n".join((self.title, *(line.rstrip() for line in lines)))

    __repr__ = __str__

    def words(self, variant: Variant) -> str:
        """Return its kind, and how its answers differ."""
        if variant is self.variants[0]:
            return ""
        differ = [(variant.other_values, "value"), (variant.other_moves, "move")]
        answers = ", ".join(f"another {answer} in {n}" for n, answer in differ if n)
        return f"{variant.kind}: {answers or 'the same values and moves'}"

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        """Return the nodes of each variant as bars, and the table as text."""
        from abviz.timing.charts import Chart, styled

        with styled():
            chart = Chart(str(self), 0.7 + 0.34 * len(self.variants))
            chart.set_layout_engine("constrained", rect=(0, 0, 0.97, 1))  # the browser's font may be wider
            axes = chart.subplots()
            axes.grid(visible=False)
            colours = [COLOURS[each.kind] for each in self.variants]
            names, nodes = zip(*((each.name, each.nodes) for each in self.variants), strict=True)
            bars = axes.barh(names, nodes, color=colours)
            axes.bar_label(bars, [f"× {short(each.ratio)}  {self.words(each)}" for each in self.variants], padding=4)
            axes.set(title=self.title, xlabel="nodes")
            axes.locator_params(axis="x", nbins=4)
            axes.xaxis.set_major_formatter("{x:,.0f}")
            axes.invert_yaxis()
            return chart._repr_mimebundle_()


def compare(positions: Any, depth: int, *, runs: int = 1, **variants: str | Switches | dict[str, Any]) -> Comparison:
    """Return the totals of searching a position, or each of a list, with every variant.

    A variant is `Switches(...)`, a method ("minimax", "alphabeta"), or a dict of options of `search`. In its name "_"
    stands for a space. Nodes are the same in every run; of the seconds the median counts. The runs take turns, so that
    a busy moment of the machine affects all variants.
    """
    are_many = isinstance(positions, Iterable) and not is_game(type(positions))
    positions = list(positions) if are_many else [positions]
    if not positions or not variants or type(runs) is not int or runs < 1:
        given = f"{count(len(positions), 'position')}, {count(len(variants), 'variant')}, {brief(runs)} runs"
        raise AbvizError(f"nothing to compare: {given}; expected at least one of each")
    options = {name.replace("_", " "): _options(name, variant) for name, variant in variants.items()}
    # Bad options are reported before the first search runs.
    hot = {name: [Search(p, depth, **each).switches.hot for p in positions][-1] for name, each in options.items()}
    results: dict[str, list[list[Result]]] = {name: [] for name in options}
    for name in [*options] * runs:
        results[name].append([search(position, depth, **options[name]) for position in positions])
    first, *_ = options
    rows = [_variant(name, hot[name] != hot[first], each, results[first][0]) for name, each in results.items()]
    return Comparison(f"{positions[0].title}, {count(len(positions), 'position')}, depth {depth}", rows)


def without_each(positions: Any, depth: int, *, runs: int = 1) -> Comparison:
    """Compare the default search with those without one improvement each."""
    usual = [name for name in Switches.names(STAYS) if getattr(Switches(), name)]
    variants = {f"without_{name}": Switches(**{name: False}) for name in usual}
    return compare(positions, depth, runs=runs, all_of_them=Switches(), **variants)


def each_alone(positions: Any, depth: int, *, runs: int = 1) -> Comparison:
    """Compare plain alpha-beta with the searches that use one improvement each."""
    variants = {f"only_{name}": Switches.none(**{name: True}) for name in Switches.names(STAYS)}
    return compare(positions, depth, runs=runs, none=Switches.none(), **variants)


def _options(name: str, variant: Any) -> dict[str, Any]:
    if isinstance(variant, dict):
        return variant
    if not isinstance(variant, str | Switches):
        raise AbvizError(f"variant {name} is {brief(variant)}; expected Switches(...), the name of a method, or a dict")
    return {"method" if isinstance(variant, str) else "switches": variant}


def _variant(name: str, other_hot: bool, runs: list[list[Result]], first: list[Result]) -> Variant:
    pairs = list(zip(runs[0], first, strict=True))
    totals = {key: sum(getattr(each, key) for each in runs[0]) for key in ("nodes", "evaluations", "cutoffs")}
    other_depth = other_hot or any(result.depth != other.depth for result, other in pairs)
    return Variant(
        name=name,
        kind=MAY_BE_WRONG if not runs[0][0].exact else ANOTHER_DEPTH if other_depth else STAYS,
        values=tuple(result.value for result in runs[0]),
        moves=tuple(result.move for result in runs[0]),
        seconds=float(np.median([sum(result.seconds for result in run) for run in runs])),
        ratio=totals["nodes"] / sum(result.nodes for result in first),
        other_values=sum(result.value != other.value for result, other in pairs),
        other_moves=sum(result.move != other.move for result, other in pairs),
        **totals,
    )


def short(ratio: float) -> str:
    """Return a ratio in two digits after the point, or two significant ones."""
    return f"{ratio:.2f}" if ratio > 0.095 else f"{ratio:.2g}"
