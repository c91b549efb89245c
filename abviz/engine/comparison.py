"""What an improvement saves: the same search with different switches, side by side."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from abviz.engine.api import Result, Search
from abviz.engine.workspace import SAME_VALUE, Switches
from abviz.errors import AbvizError, count
from abviz.games.rules import is_game

# What a variant promises, against the first. By a limit, or by playing out captures, one looks to another depth.
STAYS, MAY_BE_WRONG, ANOTHER_DEPTH = "the value stays", "may be wrong", "another depth"
COLOURS = {STAYS: "#4477aa", MAY_BE_WRONG: "#bb5566", ANOTHER_DEPTH: "#ddaa33"}


@dataclass(frozen=True)
class Variant:
    """One set of switches, its results and their totals."""

    name: str
    kind: str  # against the first: "the value stays", "another depth" or "may be wrong"
    results: tuple[Result, ...]  # of each position
    nodes: int
    ratio: float  # its nodes for each node of the first variant
    words: str = ""  # its kind, and how its answers differ from those of the first variant


class Comparison:
    """The variants in their order: `compared["name"].nodes`. Shown in a notebook as a chart, printed as a table."""

    def __init__(self, title: str, variants: Sequence[Variant]):
        self.title, self.variants = title, tuple(variants)

    def __getitem__(self, name: str) -> Variant:
        return {variant.name: variant for variant in self.variants}[name]

    def __str__(self) -> str:
        width = max(len(variant.name) for variant in self.variants)
        lines = [self.title, f"{'':{width}}  {'nodes':>13}   ratio"]
        for each in self.variants:
            lines.append(f"{each.name:{width}}  {each.nodes:13,}  {short(each.ratio):>6}  {each.words}".rstrip())
        return "\n".join(lines)

    __repr__ = __str__

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
            axes.bar_label(bars, [f"× {short(each.ratio)}  {each.words}" for each in self.variants], padding=4)
            axes.set(title=self.title, xlabel="nodes")
            axes.locator_params(axis="x", nbins=4)
            axes.xaxis.set_major_formatter("{x:,.0f}")
            axes.invert_yaxis()
            return chart._repr_mimebundle_()


def compare(positions: Any, depth: int, **variants: str | Switches | dict[str, Any]) -> Comparison:
    """Return the totals of searching a position, or each of a list, with every variant.

    A variant is `Switches(...)`, a method ("minimax", "alphabeta"), or a dict of options of `search`. In its name "_"
    stands for a space.
    """
    are_many = isinstance(positions, Iterable) and not is_game(type(positions))
    positions = list(positions) if are_many else [positions]
    if not positions or not variants:
        raise AbvizError("nothing to compare; expected at least one position and one variant")
    rows: list[Variant] = []
    depths = []  # of each variant's searches, and whether they play out captures
    for name, variant in variants.items():
        kind = "method" if isinstance(variant, str) else "switches"
        options: dict[str, Any] = variant if isinstance(variant, dict) else {kind: variant}
        results = []
        for position in positions:
            running = Search(position, depth, **options)
            results.append(running.result())
        depths.append((running.switches.hot, [result.depth for result in results]))
        row = _variant(name.replace("_", " "), results, rows[0] if rows else None, depths[-1] != depths[0])
        rows.append(row)
    return Comparison(f"{positions[0].title}, {count(len(positions), 'position')}, depth {depth}", rows)


def _variant(name: str, results: Sequence[Result], first: Variant | None, other_depth: bool) -> Variant:
    kind = MAY_BE_WRONG if not results[0].exact else ANOTHER_DEPTH if other_depth else STAYS
    nodes = sum(result.nodes for result in results)
    if first is None:
        return Variant(name, kind, tuple(results), nodes, 1.0)
    pairs = list(zip(results, first.results, strict=True))
    differ = {"value": sum(a.value != b.value for a, b in pairs), "move": sum(a.move != b.move for a, b in pairs)}
    answers = ", ".join(f"another {answer} in {n}" for answer, n in differ.items() if n)
    words = f"{kind}: {answers or 'the same values and moves'}"
    return Variant(name, kind, tuple(results), nodes, nodes / first.nodes, words)


def without_each(positions: Any, depth: int) -> Comparison:
    """Compare the default search with those without one improvement each."""
    variants = {f"without_{name}": Switches(**{name: False}) for name in SAME_VALUE}
    return compare(positions, depth, all_of_them=Switches(), **variants)


def short(ratio: float) -> str:
    """Return a ratio in two digits after the point, or two significant ones."""
    return f"{ratio:.2f}" if ratio > 0.095 else f"{ratio:.2g}"
