"""What an improvement saves: the same search with different switches, side by side."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from abviz.engine.api import Result, Search
from abviz.engine.workspace import SAME_VALUE, Switches
from abviz.errors import AbvizError, brief, count
from abviz.games.rules import is_game

# What a variant promises, against the first. By a limit, or by playing out captures, one looks to
# another depth.
STAYS, MAY_BE_WRONG, ANOTHER_DEPTH = "the value stays", "may be wrong", "another depth"
LONGEST_BAR = 10  # letters


@dataclass(frozen=True)
class Variant:
    """One set of switches, its results and their totals."""

    name: str
    results: tuple[Result, ...]  # of each position
    nodes: int
    ratio: float = 1.0  # its nodes for each node of the first variant
    words: str = ""  # what it promises, and how its answers differ from those of the first variant


@dataclass(frozen=True, repr=False)
class Comparison:
    """The variants in their order: `compared["name"].nodes`. Shown as a table, with a bar for the
    nodes.
    """

    title: str
    variants: tuple[Variant, ...]

    def __getitem__(self, name: str) -> Variant:
        return {variant.name: variant for variant in self.variants}[name]

    def __str__(self) -> str:
        width, most = (
            max(len(each.name) for each in self.variants),
            max(each.nodes for each in self.variants),
        )
        lines = [self.title, f"{'':{width}}  {'nodes':>11}   ratio"]
        for each in self.variants:
            bar = "█" * round(LONGEST_BAR * each.nodes / most) or "▏"
            ratio = f"{each.ratio:.2f}" if each.ratio > 0.095 else f"{each.ratio:.2g}"
            lines.append(
                f"{each.name:{width}}  {each.nodes:11,}  {ratio:>6}  {bar:{LONGEST_BAR}}  {each.words}".rstrip()
            )
        return "\n".join([*lines, *self._trust()])

    def _trust(self) -> list[str]:
        """Say of how many positions the value is proven, in a line for all variants or for each
        group of them.
        """
        groups: dict[tuple[int, int], list[str]] = {}
        for each in self.variants:
            if each.results:
                numbers = sum(result.proven for result in each.results), len(each.results)
                groups.setdefault(numbers, []).append(each.name)

        lines = []
        for (proven, positions), names in groups.items():
            whose = "" if len(groups) == 1 else f" ({', '.join(names)})"
            lines.append(f"values{whose}: {_how_many(proven, positions)}")
        return lines

    __repr__ = __str__


def compare(positions: Any, depth: int, **variants: str | Switches | dict[str, Any]) -> Comparison:
    """Return the totals of searching a position, or each of a list, with every variant.

    A variant is `Switches(...)`, a method ("minimax", "alphabeta"), or a dict of options of
    `search`. In its name "_" stands for a space.
    """
    are_many = isinstance(positions, Iterable) and not is_game(type(positions))
    positions = list(positions) if are_many else [positions]
    if not positions or not variants:
        raise AbvizError("nothing to compare; expected at least one position and one variant")
    rows: list[Variant] = []
    looks = []  # to which depths each variant looks, and whether it plays out captures
    for name, variant in variants.items():
        options: Any = vars(variant) if isinstance(variant, Switches) else variant
        options = {"method": options} if isinstance(options, str) else options
        if not isinstance(options, dict):
            expected = "expected Switches, a method, or a dict of options, such as {'beam': 4}"
            raise AbvizError(f"the variant {name} is {brief(variant)}; {expected}")
        results = []
        for position in positions:
            running = Search(position, depth, **options)
            results.append(running.result())
        looks.append((running.switches.hot, [result.depth for result in results]))
        promise = (
            MAY_BE_WRONG
            if not results[0].exact
            else STAYS
            if looks[-1] == looks[0]
            else ANOTHER_DEPTH
        )
        row = Variant(
            name.replace("_", " "), tuple(results), sum(result.nodes for result in results)
        )
        rows.append(_beside(row, rows[0], promise) if rows else row)
    return Comparison(
        f"{positions[0].title}, {count(len(positions), 'position')}, depth {depth}", tuple(rows)
    )


def _how_many(proven: int, positions: int) -> str:
    if proven == positions:
        return "proven"
    return f"{proven} of {positions} proven" if proven else "not proven"


def _beside(row: Variant, first: Variant, promise: str) -> Variant:
    """Return the variant with what sets it apart from the first."""
    pairs = list(zip(row.results, first.results, strict=True))
    differ = {
        "value": sum(a.value != b.value for a, b in pairs),
        "move": sum(a.move != b.move for a, b in pairs),
    }
    answers = ", ".join(f"another {answer} in {n}" for answer, n in differ.items() if n)
    words = f"{promise}: {answers or 'the same values and moves'}"
    return Variant(row.name, row.results, row.nodes, row.nodes / first.nodes, words)


def without_each(positions: Any, depth: int) -> Comparison:
    """Compare the default search with those without one improvement each."""
    variants = {f"without_{name}": Switches(**{name: False}) for name in SAME_VALUE}
    return compare(positions, depth, all_of_them=Switches(), **variants)
