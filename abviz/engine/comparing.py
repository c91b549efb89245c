"""What an improvement buys: the same search again and again, each time with other switches, side by side."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median
from time import perf_counter
from typing import Any

from abviz.engine.preparing import for_notes
from abviz.engine.results import Result
from abviz.engine.searching import Search, search
from abviz.engine.switches import DEEPER, MAY_BE_WRONG, STAYS, Switches
from abviz.errors import AbvizError, brief, count, number, unknown
from abviz.games.rules import is_game

LESS_DEEP = "looks less deep"  # than the first variant
ANOTHER_DEPTH = "another depth"  # where a limit has ended it, or the other


@dataclass(frozen=True)
class Variant:
    """One set of switches, and what all its searches took together."""

    name: str
    kind: str  # beside the first: "the value stays", "looks deeper", "looks less deep" or "may be wrong"
    values: tuple[int | None, ...]  # of each position
    moves: tuple[str | None, ...]
    nodes: int
    evaluations: int
    cutoffs: int
    seconds: float  # the median of the runs
    ratio: float  # its nodes for each node of the first variant
    other_values: int  # positions of which the first variant has found another value
    other_moves: int


class Comparison:
    """The variants in their order: `compared["name"].nodes`. Shown in a notebook as a chart, printed as a table."""

    def __init__(self, title: str, variants: Sequence[Variant]):
        self.title, self.variants = title, tuple(variants)

    def __getitem__(self, name: str) -> Variant:
        for variant in self.variants:
            if variant.name == name:
                return variant
        raise unknown("variant", name, [variant.name for variant in self.variants])

    def __str__(self) -> str:
        head = ("", "nodes", "ratio", "evaluations", "cutoffs", "ms", "")
        rows = [head, *(self._cells(variant) for variant in self.variants)]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        left = (0, 6)  # the columns of words
        lines = (
            "  ".join(f"{cell:{'<' if i in left else '>'}{widths[i]}}" for i, cell in enumerate(row)) for row in rows
        )
        return "\n".join((self.title, *(line.rstrip() for line in lines)))

    __repr__ = __str__

    def _cells(self, variant: Variant) -> tuple[str, ...]:
        counts = (f"{variant.nodes:,}", f"{short(variant.ratio)}", f"{variant.evaluations:,}", f"{variant.cutoffs:,}")
        return (variant.name, *counts, f"{variant.seconds * 1000:.1f}", self.words(variant))

    def _answers(self, variant: Variant) -> str:
        if len(variant.values) == 1:
            return f"{variant.moves[0]}, value {number(variant.values[0])}"
        differ = [(variant.other_values, "value"), (variant.other_moves, "move")]
        told = ", ".join(f"another {what} in {n}" for n, what in differ if n)
        return told or "the same values and moves"

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        from abviz.engine.bars import html, svg

        drawn = svg(self)
        return {"text/plain": str(self), "image/svg+xml": drawn, "text/html": html(self, drawn)}

    def in_words(self) -> str:
        """What the chart shows, for those who hear it."""
        return f"{self.title}. " + "; ".join(map(self._in_words, self.variants))

    def _in_words(self, variant: Variant) -> str:
        counted = f"{count(variant.nodes, 'node')}, {short(variant.ratio)} times the first"
        return f"{variant.name}: {counted}; {self.words(variant)}".rstrip("; ")

    def words(self, variant: Variant) -> str:
        """Its class, and what it has answered."""
        if variant is self.variants[0]:
            return self._answers(variant) if len(variant.values) == 1 else ""
        return f"{variant.kind}: {self._answers(variant)}"


def compare(positions: Any, depth: int, *, runs: int = 1, **variants: str | Switches | dict[str, Any]) -> Comparison:
    """Search a position, or each of a list, once with every variant, and tell what all of them cost.

    A variant is `Switches(...)`, a method ("minimax", "alphabeta"), or a dict of what else `search` can be told. In its
    name "_" stands for a space. Nodes do not vary from run to run, but seconds do: their median is told. The runs take
    turns, so that a busy moment of the machine meets all variants.
    """
    one = is_game(type(positions))
    wanted = [positions] if one else list(positions)
    if not wanted or not variants:
        raise AbvizError(f"nothing to compare: {count(len(wanted), 'position')}, {count(len(variants), 'variant')}")
    if isinstance(runs, bool) or not isinstance(runs, int) or runs < 1:
        raise AbvizError(f"runs is {brief(runs)}; expected a whole number, 1 or more")
    told = {name.replace("_", " "): _told(name, variant) for name, variant in variants.items()}
    switches = {name: _checked(wanted, depth, said) for name, said in told.items()}
    results: dict[str, list[list[Result]]] = {name: [] for name in told}
    for name in _counted([*told] * runs):
        results[name].append([search(position, depth, **told[name]) for position in wanted])
    first, *_ = told
    rows = [_variant(name, _kind(switches[name], switches[first]), results[name], results[first][0]) for name in told]
    what = wanted[0].title if one else f"{wanted[0].title}, {count(len(wanted), 'position')}"
    return Comparison(f"{what}, depth {depth}", rows)


def without_each(positions: Any, depth: int, *, runs: int = 1) -> Comparison:
    """The usual search, and the same without each improvement in turn: what the others cannot make up for."""
    usual = [name for name in Switches.names(STAYS) if getattr(Switches(), name)]
    variants = {f"without_{name}": Switches.of(**{name: False}) for name in usual}
    return compare(positions, depth, runs=runs, all_of_them=Switches(), **variants)


def each_alone(positions: Any, depth: int, *, runs: int = 1) -> Comparison:
    """Plain alpha-beta, and the same with each improvement in turn."""
    variants = {f"only_{name}": Switches.none(**{name: True}) for name in Switches.names(STAYS)}
    return compare(positions, depth, runs=runs, none=Switches.none(), **variants)


def _told(name: str, variant: Any) -> dict[str, Any]:
    if isinstance(variant, str):
        return {"method": variant}
    if isinstance(variant, Switches):
        return {"switches": variant}
    if isinstance(variant, dict):
        return variant
    raise AbvizError(f"variant {name} is {brief(variant)}; expected Switches(...), the name of a method, or a dict")


def _checked(positions: list[Any], depth: int, said: dict[str, Any]) -> Switches:
    """The switches of a variant with which each of the positions can be searched: said before the first search runs."""
    for position in positions:
        switches = Search(position, depth, **said).switches
    return switches


def _counted(names: list[str]) -> Iterator[str]:
    """The names one by one; a line says how far it has come, if that takes more than a second."""
    file = for_notes()
    said, line = perf_counter(), ""
    for done, name in enumerate(names):
        if perf_counter() - said > 1:
            said, line = perf_counter(), f"{done} of {len(names)} compared"
            print(f"\r{line}", end="", file=file, flush=True)
        yield name
    if line:
        print(f"\r{len(names)} of {len(names)} compared", file=file, flush=True)


def _kind(switches: Switches, first: Switches) -> str:
    if not switches.exact:
        return MAY_BE_WRONG
    if switches.hot != first.hot:
        return DEEPER if switches.hot else LESS_DEEP
    return STAYS


def _variant(name: str, kind: str, runs: list[list[Result]], first: list[Result]) -> Variant:
    found = runs[0]
    pairs = list(zip(found, first, strict=True))
    if any(result.depth != before.depth for result, before in pairs):
        kind = ANOTHER_DEPTH
    return Variant(
        name=name,
        kind=kind,
        values=tuple(result.value for result in found),
        moves=tuple(result.move for result in found),
        nodes=sum(result.nodes for result in found),
        evaluations=sum(result.evaluations for result in found),
        cutoffs=sum(result.cutoffs for result in found),
        seconds=median(sum(result.seconds for result in run) for run in runs),
        ratio=sum(result.nodes for result in found) / sum(result.nodes for result in first),
        other_values=sum(result.value != before.value for result, before in pairs),
        other_moves=sum(result.move != before.move for result, before in pairs),
    )


def short(ratio: float) -> str:
    return f"{ratio:.2f}" if ratio > 0.095 else f"{ratio:.2g}"
