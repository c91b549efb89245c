"""`make_tree(7, depth=4, alpha_cuts=2, deep_cuts=True)`: a tree with the properties an exercise needs, from a seed."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from math import inf
from operator import index
from typing import Any

from abviz.errors import AbvizError, Number, brief, count, unknown
from abviz.tracing.algorithms import Rules, alphabeta
from abviz.tree.model import Tree
from abviz.tree.nested import Row, with_names

MAX_LEAVES, MAX_DEPTH, MAX_CHILDREN = 1_000, 10, 10
TRIES = 10_000  # trees tried before giving up; a large one counts as several
LARGE = 40  # leaves
PATIENCE = 150  # changes without a gain before starting over with a new tree

Count = int | tuple[int, int | None] | bool | None
Range = tuple[float, float]  # both ends included


class NotFound(AbvizError):
    """No tree with these properties was found; there may be none."""


@dataclass
class Properties:
    """How often a search does what an exercise may ask for."""

    alpha_cuts: int = 0
    beta_cuts: int = 0
    subtree_cuts: int = 0  # cuts that skip at least one inner node
    deep_cuts: int = 0  # cuts whose bound comes from further up than the parent
    ties: int = 0  # a child returns exactly bv, or bv lands on the bound it is tested against
    last_child_cutoffs: int = 0  # the cutoff test holds at a last child: nothing is skipped
    leaves_read: int = 0


COUNTED = tuple(each.name for each in fields(Properties))
RULES = tuple(each.name for each in fields(Rules))


def make_tree(
    seed: int,
    *,
    depth: int = 3,
    branching: int | tuple[int, int] = (2, 3),
    leaves: tuple[int, int] = (0, 20),
    distinct: bool = False,
    to_move: str = "max",
    rules: Rules = Rules(),
    alpha_cuts: Count = None,
    beta_cuts: Count = None,
    subtree_cuts: Count = None,
    deep_cuts: Count = None,
    ties: Count = None,
    last_child_cutoffs: Count = None,
    leaves_read: Count = None,
    depends_on: str | Sequence[str] = (),
    independent_of: str | Sequence[str] = (),
    tries: int = TRIES,
) -> Tree:
    """Return a tree with the given properties: the same tree for the same seed, on every machine.

    All leaves lie `depth` moves below the root; inner nodes have `branching` children, a number or a range. A property
    of the search (alpha-beta under `rules`) is a number, a range (1, 3), (2, None) for 2 or more, True (some) or False
    (none). `subtree_cuts` skip an inner node; a tie is a value equal to the bv it meets or to the bound it is tested
    against. The answer (α, β and bv at each node, cuts with their names, leaves read, best move) changes when a rule of
    `depends_on` is switched, and does not change for a rule of `independent_of`. Raises NotFound after `tries` trees.
    """
    counts = {
        "alpha_cuts": alpha_cuts,
        "beta_cuts": beta_cuts,
        "subtree_cuts": subtree_cuts,
        "deep_cuts": deep_cuts,
        "ties": ties,
        "last_child_cutoffs": last_child_cutoffs,
        "leaves_read": leaves_read,
    }
    if to_move not in ("max", "min"):
        raise unknown("player", to_move, ("max", "min"))
    if not isinstance(rules, Rules):
        raise AbvizError(f"rules is {brief(rules)}; expected Rules(...)")
    if not isinstance(distinct, bool):
        raise AbvizError(f"distinct is {brief(distinct)}; expected True or False")
    shape = Shape(
        depth=_whole("depth", depth, 1, MAX_DEPTH),
        branching=_branching(branching),
        leaves=_leaves(leaves),
        distinct=distinct,
        max_moves=to_move == "max",
    )
    goal = Goal(
        rules,
        {name: _count(name, given) for name, given in counts.items() if given is not None},
        _rules("depends_on", depends_on),
        _rules("independent_of", independent_of),
    )
    seed, tries = _whole("seed", seed, 0, inf), _whole("tries", tries, 1, inf)  # to random, −3 is the same seed as 3
    draft = _search(shape, goal, seed, tries)
    rows = [Row("", each.is_max, each.value, each.parent) for each in draft.nodes]
    options = f"{shape} {goal}".strip() + (f" --tries {tries}" if tries != TRIES else "")
    return Tree.from_rows(with_names(rows), f"Tree made from seed {seed}", f"abviz make --seed {seed} {options}")


# what is asked for


@dataclass(frozen=True)
class Shape:
    depth: int
    branching: tuple[int, int]
    leaves: tuple[int, int]
    distinct: bool
    max_moves: bool  # at the root

    def __post_init__(self) -> None:
        fewest, (low, high) = self.branching[0] ** self.depth, self.leaves
        if fewest > MAX_LEAVES:
            raise AbvizError(f"such a tree has {fewest:,} leaves or more; expected at most {MAX_LEAVES:,}")
        if self.distinct and fewest > high - low + 1:
            values = count(high - low + 1, "value")
            raise AbvizError(f"distinct needs {fewest} values or more; from {low} to {high} there are only {values}")

    def __str__(self) -> str:
        """Return the options of `abviz make`."""
        parts = [f"--depth {self.depth}", f"--branching {_span(self.branching)}", f"--leaves {_pair(self.leaves)}"]
        return " ".join(parts + ["--distinct"] * self.distinct + ["--min-moves"] * (not self.max_moves))


@dataclass(frozen=True)
class Goal:
    rules: Rules
    counts: dict[str, Range]
    depends_on: tuple[str, ...]
    independent_of: tuple[str, ...]

    def misses(self, draft: "Draft") -> dict[str, float]:
        """Return how far the draft is from each property that it does not have; empty if it has them all."""
        properties = vars(measure(draft, self.rules))
        misses = {}
        for name, (low, high) in self.counts.items():
            if off := max(low - properties[name], properties[name] - high, 0):
                misses[_in_words(name, low, high)] = off
        by_rule = [(rule, rule in self.depends_on) for rule in (*self.depends_on, *self.independent_of)]
        for rule, expected in by_rule:  # two searches each: while a count is off, none is taken as met
            if misses or depends_on_rule(draft, self.rules, rule) != expected:
                misses[f"an answer that {'depends' if expected else 'does not depend'} on {rule}"] = 1
        return misses

    def __str__(self) -> str:
        parts = [f"--{_dashed(name)} {_span(span)}" for name, span in self.counts.items()]
        for option, rules in (("--depends-on", self.depends_on), ("--independent-of", self.independent_of)):
            parts += [f"{option} {','.join(map(_dashed, rules))}"] * bool(rules)
        return " ".join(parts + [f"--{_dashed(rule)}" for rule in RULES if getattr(self.rules, rule)])


# the search for it


@dataclass(eq=False)
class Seat:
    """A node whose value may still change."""

    is_max: bool
    parent: int
    value: int | None = None
    children: list["Seat"] = field(default_factory=list)


class Draft:
    """A game (see tracing.algorithms.Game) whose leaves are still being tried."""

    def __init__(self, root: Seat):
        self.root = root
        self.nodes: list[Seat] = []  # each parent before its children, left to right
        waiting = [(root, -1)]
        while waiting:
            seat, parent = waiting.pop()
            seat.parent = parent
            waiting += [(child, len(self.nodes)) for child in reversed(seat.children)]
            self.nodes.append(seat)
        self.leaves = [seat for seat in self.nodes if not seat.children]

    def children(self, seat: Seat) -> list[Seat]:
        return seat.children

    def value(self, seat: Seat) -> int | None:
        return seat.value

    def is_max(self, seat: Seat) -> bool:
        return seat.is_max


class Dice:
    """Random numbers that are the same in every Python: only random() itself is promised to stay."""

    def __init__(self, seed: int):
        self._random = random.Random(seed).random

    def below(self, limit: int) -> int:
        return int(self._random() * limit)

    def between(self, low: int, high: int) -> int:
        return low + self.below(high - low + 1)


def _search(shape: Shape, goal: Goal, seed: int, tries: int) -> Draft:
    """Change one or two leaves at a time, and keep a change unless it leads away from the goal."""
    dice = Dice(seed)
    left, tried, met = tries, 0, dict[str, int]()
    while left > 0:
        draft = _random_draft(shape, dice)
        nearest, idle = inf, 0
        while left > 0 and idle < PATIENCE:
            before = _change(draft, shape, dice) if nearest < inf else []
            misses = goal.misses(draft)
            left -= 1 + len(draft.leaves) // LARGE
            tried += 1
            if not misses:
                return draft
            for name in misses:
                met[name] = met.get(name, 0) + 1
            distance = sum(misses.values())
            idle = 0 if distance < nearest else idle + 1
            if distance <= nearest:
                nearest = distance
            else:
                for seat, value in before:
                    seat.value = value
    rarest = max(met, key=met.__getitem__)
    share = f"{tried - met[rarest]:,} of {count(tried, 'tree')}"
    raise NotFound(f"seed {seed}: no tree has all these properties; the rarest is {rarest}, in {share} tried")


def _random_draft(shape: Shape, dice: Dice) -> Draft:
    fewest, widest = shape.branching
    low, high = shape.leaves
    most = min(MAX_LEAVES, high - low + 1) if shape.distinct else MAX_LEAVES
    root = Seat(shape.max_moves, -1)
    row = [root]
    for levels_below in range(shape.depth - 1, -1, -1):
        spare = most // fewest**levels_below - len(row) * fewest  # children this row may have beyond the fewest
        for seat in row:
            width = dice.between(fewest, min(widest, fewest + spare))
            spare -= width - fewest
            seat.children = [Seat(not seat.is_max, -1) for _ in range(width)]
        row = [child for seat in row for child in seat.children]
    values: set[int] = set()
    for leaf in row:
        leaf.value = dice.between(low, high)
        while shape.distinct and leaf.value in values:
            leaf.value = dice.between(low, high)
        values.add(leaf.value)
    return Draft(root)


def _change(draft: Draft, shape: Shape, dice: Dice) -> list[tuple[Seat, int | None]]:
    """Give a leaf another value, or swap two leaves; return what they held before."""
    leaf, other = (draft.leaves[dice.below(len(draft.leaves))] for _ in range(2))
    before = [(leaf, leaf.value), (other, other.value)]
    value = dice.between(*shape.leaves)
    if dice.below(2) or (shape.distinct and any(each.value == value for each in draft.leaves)):
        leaf.value, other.value = other.value, leaf.value
    else:
        leaf.value = value
    return before


# what a tree has


@dataclass
class _Call:
    seat: Any
    returned: int = 0  # children
    bv: Number | None = None
    moved: bool = False  # its own bound is no longer the one it received
    has_cut: bool = False


def measure(game: Any, rules: Rules) -> Properties:
    """Count the properties of alpha-beta's search of the game under the rules."""
    properties = _count_events(game, rules)
    if rules.fail_hard:  # a clamped value always stands on a bound; ties are those of the unclamped values
        properties.ties = _count_events(game, replace(rules, fail_hard=False)).ties
    return properties


def _count_events(game: Any, rules: Rules) -> Properties:
    total = Properties()
    calls: list[_Call] = []
    for event in alphabeta(game, rules=rules):
        if event.kind == "enter":
            calls.append(_Call(event.node, bv=event.bv))
        elif event.kind == "exit":
            calls.pop()
        elif event.kind == "leaf":
            total.leaves_read += 1
        elif event.kind in ("alpha", "beta"):
            calls[-1].moved = True
        elif event.kind == "bv":
            call, is_max = calls[-1], game.is_max(calls[-1].seat)
            bound = event.beta if is_max else event.alpha
            assert event.bv is not None and bound is not None  # alpha-beta has both
            call.returned += 1
            total.ties += (event.value == call.bv) + (event.bv == bound)
            call.bv = event.bv
            is_last = call.returned == len(game.children(call.seat))
            total.last_child_cutoffs += is_last and rules.reaches(event.bv, bound, is_max)
        elif not calls[-1].has_cut:  # the first skipped child makes the cut
            call = calls[-1]
            call.has_cut = True
            total.subtree_cuts += len(game.children(event.node)) > 0  # siblings are equally deep here
            # The parent's own bound is the nearest. If it has not moved, the bound came from further up.
            total.deep_cuts += len(calls) > 1 and not calls[-2].moved
            is_beta = game.is_max(call.seat) != rules.name_by_node
            total.beta_cuts += is_beta
            total.alpha_cuts += not is_beta
    return total


def depends_on_rule(game: Any, rules: Rules, rule: str) -> bool:
    """Return whether the answer changes when that rule is switched."""
    return _answer(game, rules) != _answer(game, replace(rules, **{rule: not getattr(rules, rule)}))


def _answer(game: Any, rules: Rules) -> tuple[Any, ...]:
    """Return what a student writes down: α, β and bv at each node, the leaves read, the cuts with their names, the
    best move."""
    marks: dict[Any, Any] = {}
    cuts, leaves, best, bv, returned = set(), set(), None, None, None
    for event in alphabeta(game, rules=rules):
        if event.kind == "leaf":
            leaves.add(event.node)
            returned = event.node
        elif event.kind == "exit":
            marks[event.node] = event.alpha, event.beta, event.bv
            returned = event.node
        elif event.kind == "cut":
            cuts.add((event.node, rules.name_by_node))
        elif event.kind == "bv" and event.node is game.root and event.bv != bv:
            best, bv = returned, event.bv
    return marks, leaves, cuts, best


# reading options


def _integer(given: Any) -> int | None:
    return index(given) if hasattr(given, "__index__") and not isinstance(given, bool) else None


def _two(given: Any) -> tuple[Any, Any] | None:
    return tuple(given) if isinstance(given, tuple | list) and len(given) == 2 else None


def _whole(name: str, given: Any, least: int, most: float) -> int:
    number = _integer(given)
    if number is None or not least <= number <= most:
        limits = f"from {least} to {most}" if most < inf else f"{least} or more"
        raise AbvizError(f"{name} is {brief(given)}; expected a whole number, {limits}")
    return number


def _branching(given: Any) -> tuple[int, int]:
    low, high = map(_integer, _two(given) or (given, given))
    if low is None or high is None or not 1 <= low <= high <= MAX_CHILDREN:
        raise AbvizError(f"branching is {brief(given)}; expected 1 to {MAX_CHILDREN} children, or a range: (2, 3)")
    return low, high


def _leaves(given: Any) -> tuple[int, int]:
    low, high = map(_integer, _two(given) or (None, None))
    if low is None or high is None or low > high:
        raise AbvizError(f"leaves is {brief(given)}; expected the least and the largest value, as in (0, 20)")
    return low, high


def _count(name: str, given: Any) -> Range:
    if isinstance(given, bool):
        return (1, inf) if given else (0, 0)
    first, last = _two(given) or (given, given)
    low, high = _integer(first), inf if last is None or last == inf else _integer(last)
    if low is None or high is None or not 0 <= low <= high:
        expected = "expected a number, a range such as (1, 3), True (some) or False (none)"
        raise AbvizError(f"{name} is {brief(given)}; {expected}")
    return low, high


def _rules(name: str, given: Any) -> tuple[str, ...]:
    rules = (given,) if isinstance(given, str) else tuple(given)
    for rule in rules:
        if rule not in RULES:
            raise unknown(f"rule in {name}", rule, RULES)
    return rules


def _in_words(name: str, low: float, high: float) -> str:
    """2 alpha cuts, 1 or more deep cuts, no ties, 9 to 12 leaves read."""
    words = name.replace("_", " ").replace("last child", "last-child")
    if low == high == 1:
        words = "leaf read" if name == "leaves_read" else words.removesuffix("s")
    if high == 0:
        return f"no {words}"
    span = f"{low}" if low == high else f"{low} or more" if high == inf else f"{low} to {high}"
    return f"{span} {words}"


def _span(span: Range) -> str:
    low, high = span
    return f"{low}" if low == high else f"{low}-" if high == inf else f"{low}-{high}"


def _pair(span: Range) -> str:
    return f"{span[0]} {span[1]}"


def _dashed(name: str) -> str:
    return name.replace("_", "-")
