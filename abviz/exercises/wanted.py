"""What a tree is asked to be, checked."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from math import inf
from operator import index
from typing import Any, SupportsIndex

from abviz.errors import AbvizError, brief, unknown
from abviz.exercises.measuring import Measures
from abviz.exercises.possible import Range
from abviz.tracing.algorithms import Rules

MOST_LEAVES = 1_000
MOST_DEPTH = 10
MOST_CHILDREN = 10
COUNTED = tuple(field.name for field in fields(Measures))
RULES = tuple(field.name for field in fields(Rules))

EXPECTED = "expected a number, a range such as (1, 3), True (some) or False (none)"


@dataclass(frozen=True)
class Wanted:
    """All that a tree is asked for; `counts` holds a range for each of the numbers (COUNTED) that are asked for."""

    depth: int
    branching: tuple[int, int]
    leaves: tuple[int, int]
    distinct: bool
    max_moves: bool  # at the root
    rules: Rules
    counts: dict[str, Range]
    depends_on: tuple[str, ...]
    independent_of: tuple[str, ...]

    def low(self, name: str) -> float:
        return self.counts.get(name, (0, inf))[0]

    def high(self, name: str) -> float:
        return self.counts.get(name, (0, inf))[1]

    @property
    def options(self) -> str:
        """As the options of `abviz make`."""
        parts = [f"--depth {self.depth}", f"--branching {_span(self.branching)}"]
        parts.append(f"--leaves {self.leaves[0]} {self.leaves[1]}")
        parts += ["--distinct"] * self.distinct + ["--min-moves"] * (not self.max_moves)
        for name, span in self.counts.items():
            parts.append(f"--{_dashed(name)} {_span(span)}")
        for option, rules in (("--depends-on", self.depends_on), ("--independent-of", self.independent_of)):
            parts += [f"{option} {','.join(map(_dashed, rules))}"] * bool(rules)
        parts += [f"--{_dashed(rule)}" for rule in RULES if getattr(self.rules, rule)]
        return " ".join(parts)


def read_wanted(
    *,
    depth: Any,
    branching: Any,
    leaves: Any,
    distinct: Any,
    to_move: Any,
    rules: Any,
    depends_on: Any,
    independent_of: Any,
    **counts: Any,
) -> Wanted:
    if to_move not in ("max", "min"):
        raise unknown("player", to_move, ("max", "min"))
    if not isinstance(rules, Rules):
        raise AbvizError(f"rules is {brief(rules)}; expected Rules(...)")
    if not isinstance(distinct, bool):
        raise AbvizError(f"distinct is {brief(distinct)}; expected True or False")
    wanted = Wanted(
        depth=_whole("depth", depth, 1, MOST_DEPTH),
        branching=_branching(branching),
        leaves=_leaves(leaves),
        distinct=distinct,
        max_moves=to_move == "max",
        rules=rules,
        counts={name: _count(name, count) for name, count in counts.items() if count is not None},
        depends_on=_rules("depends_on", depends_on),
        independent_of=_rules("independent_of", independent_of),
    )
    fewest = wanted.branching[0] ** wanted.depth
    if fewest > MOST_LEAVES:
        raise AbvizError(f"such a tree has {fewest:,} leaves or more; expected at most {MOST_LEAVES:,}")
    return wanted


def in_words(name: str, number: float = 2) -> str:
    """alpha_cuts: "alpha cuts", or of one "alpha cut"; leaves_read: "leaves read"."""
    if name == "leaves_read":
        return "leaf read" if number == 1 else "leaves read"
    words = name.replace("_", " ").replace("last child", "last-child")
    return words.removesuffix("s") if number == 1 else words


def asked(name: str, low: float, high: float) -> str:
    """2 alpha cuts, 1 or more deep cuts, no ties, 9 to 12 leaves read."""
    number = (
        "no"
        if high == 0
        else f"{low:g}"
        if low == high
        else f"{low:g} or more"
        if high == inf
        else f"{low:g} to {high:g}"
    )
    return f"{number} {in_words(name, low if low == high else 2)}"


def _whole(name: str, given: Any, least: int, largest: int) -> int:
    number = _integer(given)
    if number is None or not least <= number <= largest:
        raise AbvizError(f"{name} is {brief(given)}; expected a whole number from {least} to {largest}")
    return number


def _integer(given: Any) -> int | None:
    return index(given) if isinstance(given, SupportsIndex) and not isinstance(given, bool) else None


def _pair(given: Any) -> tuple[Any, Any] | None:
    return tuple(given) if isinstance(given, Sequence) and not isinstance(given, str) and len(given) == 2 else None


def _branching(given: Any) -> tuple[int, int]:
    low, high = map(_integer, _pair(given) or (given, given))
    if low is None or high is None or not 1 <= low <= high <= MOST_CHILDREN:
        raise AbvizError(f"branching is {brief(given)}; expected 1 to {MOST_CHILDREN} children, or a range: (2, 3)")
    return low, high


def _leaves(given: Any) -> tuple[int, int]:
    low, high = map(_integer, _pair(given) or (None, None))
    if low is None or high is None or low > high:
        raise AbvizError(f"leaves is {brief(given)}; expected the least and the largest value, as in (0, 20)")
    return low, high


def _count(name: str, given: Any) -> Range:
    if name not in COUNTED:
        raise unknown("property", name, COUNTED)
    if isinstance(given, bool):
        return (1, inf) if given else (0, 0)
    pair = _pair(given)
    if pair and pair[1] in (None, inf):
        low, high = _integer(pair[0]), inf
    else:
        low, high = map(_integer, pair or (given, given))  # type: ignore[assignment]
    if low is None or high is None or not 0 <= low <= high:
        raise AbvizError(f"{name} is {brief(given)}; {EXPECTED}")
    return low, high


def _rules(name: str, given: Any) -> tuple[str, ...]:
    rules = (given,) if isinstance(given, str) else tuple(given)
    for rule in rules:
        if rule not in RULES:
            raise unknown("rule", rule, RULES)
    return rules


def _span(span: Range) -> str:
    low, high = span
    return f"{low}" if low == high else f"{low}-" if high == inf else f"{low}-{high}"


def _dashed(name: str) -> str:
    return name.replace("_", "-")
