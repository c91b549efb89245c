"""What an improvement saves: the same search with different switches, side by side."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import cast

from abviz.engine.api import Result, Search, SearchOptions
from abviz.engine.workspace import SAME_VALUE, Switches
from abviz.errors import AbvizError, brief, count
from abviz.games.rules import AnyPosition, is_game

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
    """The variants in their order: `compared["name"].nodes`.

    It is shown as a table, with a bar for the nodes.
    """

    title: str
    variants: tuple[Variant, ...]

    def __getitem__(self, name: str) -> Variant:
        return {variant.name: variant for variant in self.variants}[name]

    def __str__(self) -> str:
        width = max(len(each.name) for each in self.variants)
        most = max(each.nodes for each in self.variants)

        lines = [self.title, f"{'':{width}}  {'nodes':>11}   ratio"]
        for each in self.variants:
            ratio = f"{each.ratio:.2f}" if each.ratio > 0.095 else f"{each.ratio:.2g}"
            bar = "█" * round(LONGEST_BAR * each.nodes / most) or "▏"
            numbers = f"{each.name:{width}}  {each.nodes:11,}  {ratio:>6}"
            lines.append(f"{numbers}  {bar:{LONGEST_BAR}}  {each.words}".rstrip())
        return "\n".join([*lines, *self._trust()])

    def _trust(self) -> list[str]:
        """Return of how many positions the value is proven, by groups of variants."""
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


def compare(
    positions: AnyPosition, depth: int, **variants: str | Switches | SearchOptions
) -> Comparison:
    """Return the totals of searching a position, or each of a list, with every variant.

    A variant is `Switches(...)`, a method ("minimax", "alphabeta"), or a dict of options of
    `search`. In its name "_" stands for a space.
    """
    are_many = isinstance(positions, Iterable) and not is_game(type(positions))
    positions = list(positions) if are_many else [positions]
    if not positions or not variants:
        raise AbvizError("nothing to compare; expected at least one position and one variant")

    rows: list[Variant] = []
    first_reach = None
    for name, variant in variants.items():
        options = _options(name, variant)
        plays_out_captures = True
        results: list[Result] = []
        for position in positions:
            search = Search(position, depth, **options)  # one at a time, since each has its table
            results.append(search.result())
            plays_out_captures = search.switches.hot
        row = Variant(
            name=name.replace("_", " "),
            results=tuple(results),
            nodes=sum(result.nodes for result in results),
        )

        reach = ([result.depth for result in results], plays_out_captures)
        if not rows:
            first_reach = reach
        elif not results[0].exact:
            row = _next_to(rows[0], row, MAY_BE_WRONG)
        elif reach == first_reach:
            row = _next_to(rows[0], row, STAYS)
        else:
            row = _next_to(rows[0], row, ANOTHER_DEPTH)
        rows.append(row)

    title = f"{positions[0].title}, {count(len(positions), 'position')}, depth {depth}"
    return Comparison(title, tuple(rows))


def _options(name: str, variant: object) -> SearchOptions:
    """Return the options of `search` that the variant stands for."""
    if isinstance(variant, Switches):
        return cast(SearchOptions, vars(variant))
    if isinstance(variant, str):
        return {"method": variant}
    if isinstance(variant, dict):
        return cast(SearchOptions, variant)  # `Search` refuses what is none

    expected = "expected Switches, a method, or a dict of options, such as {'beam': 4}"
    raise AbvizError(f"the variant {name} is {brief(variant)}; {expected}")


def _how_many(proven: int, positions: int) -> str:
    if proven == positions:
        return "proven"
    return f"{proven} of {positions} proven" if proven else "not proven"


def _next_to(first: Variant, row: Variant, promise: str) -> Variant:
    """Return the variant with what sets it apart from the first."""
    pairs = list(zip(row.results, first.results, strict=True))
    other_values = sum(one.value != other.value for one, other in pairs)
    other_moves = sum(one.move != other.move for one, other in pairs)

    of_all = f" of {len(pairs)}" if len(pairs) > 1 else ""
    answers = []
    if other_values:
        answers.append(f"another value in {other_values}{of_all}")
    if other_moves:
        # Where the value stays, each search returns a move that has this value
        move = "a different, equally good move" if promise == STAYS else "another move"
        answers.append(f"{move} in {other_moves}{of_all}")
    words = f"{promise}: {', '.join(answers) or 'the same values and moves'}"
    return replace(row, ratio=row.nodes / first.nodes, words=words)


def without_each(positions: AnyPosition, depth: int) -> Comparison:
    """Compare the default search with those without one improvement each."""
    variants = {f"without_{name}": Switches(**{name: False}) for name in SAME_VALUE}
    return compare(positions, depth, all_of_them=Switches(), **variants)
