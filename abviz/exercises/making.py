"""`make_tree(7, depth=4, alpha_cuts=2, deep_cuts=True)`: a tree that holds what an exercise needs, from a seed."""

import random
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from math import inf

from abviz.errors import AbvizError, brief, count
from abviz.exercises.contradictions import reasons_against
from abviz.exercises.measuring import depends, measured
from abviz.exercises.wanted import MOST_LEAVES, Wanted, asked, read_wanted
from abviz.tracing.algorithms import Rules
from abviz.tree.model import Tree
from abviz.tree.nested import Row

TRIES = 10_000  # trees looked at before it gives up; a large one counts as several
LARGE = 40  # leaves
PATIENCE = 150  # changes without any gain before it begins with another tree

Count = int | tuple[int, int | None] | bool | None


class NotMet(AbvizError):
    """No such tree was found, though nothing is known to speak against it."""


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
    """A tree with the properties asked for, the same for the same seed, on every machine.

    All leaves lie `depth` moves below the root; inner nodes have `branching` children, a number or a range. A property
    that alpha-beta under the `rules` counts is a number, a range (1, 3), (2, None) for 2 or more, True (some) or False
    (none). `subtree_cuts` skip an inner node; a tie is a value equal to the bv that it meets or to the bound that it is
    tested against. The answer (α, β and bv at each node, cuts with their names, leaves read, best move) changes when a
    rule of `depends_on` is turned over, and does not for one of `independent_of`.
    """
    for name, number, least in (("seed", seed, 0), ("tries", tries, 1)):  # to random, −3 is the same seed as 3
        if not isinstance(number, int) or isinstance(number, bool) or number < least:
            raise AbvizError(f"{name} is {brief(number)}; expected a whole number, {least} or more")
    wanted = read_wanted(
        depth=depth,
        branching=branching,
        leaves=leaves,
        distinct=distinct,
        to_move=to_move,
        rules=rules,
        alpha_cuts=alpha_cuts,
        beta_cuts=beta_cuts,
        subtree_cuts=subtree_cuts,
        deep_cuts=deep_cuts,
        ties=ties,
        last_child_cutoffs=last_child_cutoffs,
        leaves_read=leaves_read,
        depends_on=depends_on,
        independent_of=independent_of,
    )
    for reason in reasons_against(wanted):
        raise AbvizError(f"no tree is all that: {reason}")
    return _as_tree(_found(wanted, seed, tries), wanted, seed, tries)


# a tree in the making


@dataclass(eq=False)
class Seat:
    """A node whose value may still change."""

    is_max: bool
    value: int | None = None
    children: list["Seat"] = field(default_factory=list)


class Draft:
    """A game whose leaves are still being tried."""

    def __init__(self, root: Seat, leaves: list[Seat]):
        self.root, self.leaves = root, leaves

    def children(self, seat: Seat) -> list[Seat]:
        return seat.children

    def value(self, seat: Seat) -> int | None:
        return seat.value

    def is_max(self, seat: Seat) -> bool:
        return seat.is_max


class Chance:
    """Numbers by chance that are the same in every Python: only of random() is that promised."""

    def __init__(self, seed: int):
        self._random = random.Random(seed).random

    def below(self, limit: int) -> int:
        return int(self._random() * limit)

    def within(self, low: int, high: int) -> int:
        return low + self.below(high - low + 1)


def _found(wanted: Wanted, seed: int, tries: int) -> Draft:
    """Leaves are changed one or two at a time, and a change is kept unless it leads away from what is wanted."""
    chance = Chance(seed)
    nearest: tuple[float, list[str]] = inf, []
    left, tried = tries, 0
    while left > 0:
        draft = _sown(wanted, chance)
        now, idle = inf, 0
        while left > 0 and idle < PATIENCE:
            undo = _change(draft, wanted, chance) if now < inf else []
            distance, missing = _distance(draft, wanted)
            left -= 1 + len(draft.leaves) // LARGE
            tried += 1
            if distance == 0:
                return draft
            nearest = min(nearest, (distance, missing))
            idle = 0 if distance < now else idle + 1
            if distance <= now:
                now = distance
            else:
                for seat, value in undo:
                    seat.value = value
    given_up = f"seed {seed}: {count(tried, 'tree')} tried and none is all that"
    given_up += ", though nothing is known to speak against it"
    raise NotMet(f"{given_up}; the nearest has {', '.join(nearest[1])}")


def _sown(wanted: Wanted, chance: Chance) -> Draft:
    """A tree of the shape asked for, its leaves by chance."""
    low, high = wanted.leaves
    most = min(MOST_LEAVES, high - low + 1) if wanted.distinct else MOST_LEAVES
    root = Seat(wanted.max_moves)
    row = [root]
    for above in range(wanted.depth - 1, -1, -1):  # levels that are still to come below this one's children
        fewest = wanted.branching[0] ** (above + 1)  # leaves that each node of the row must come to
        spare = most // wanted.branching[0] ** above - len(row) * wanted.branching[0]
        assert fewest * len(row) <= most
        for seat in row:
            width = chance.within(wanted.branching[0], min(wanted.branching[1], wanted.branching[0] + spare))
            spare -= width - wanted.branching[0]
            seat.children = [Seat(not seat.is_max) for _ in range(width)]
        row = [child for seat in row for child in seat.children]
    values: set[int] = set()
    for leaf in row:
        leaf.value = _unused(values, wanted, chance) if wanted.distinct else chance.within(low, high)
        values.add(leaf.value)
    return Draft(root, row)


def _unused(values: set[int], wanted: Wanted, chance: Chance) -> int:
    while (value := chance.within(*wanted.leaves)) in values:
        pass
    return value


def _change(draft: Draft, wanted: Wanted, chance: Chance) -> list[tuple[Seat, int | None]]:
    """Another value for one leaf, or two leaves change places; what stood there before."""
    leaf, other = (draft.leaves[chance.below(len(draft.leaves))] for _ in range(2))
    before = [(leaf, leaf.value), (other, other.value)]
    value = chance.within(*wanted.leaves)
    if chance.below(2) or (wanted.distinct and any(each.value == value for each in draft.leaves)):
        leaf.value, other.value = other.value, leaf.value
    else:
        leaf.value = value
    return before


def _distance(draft: Draft, wanted: Wanted) -> tuple[float, list[str]]:
    """How far it is from what is wanted, and in words what is not as it should be."""
    found = asdict(measured(draft, wanted.rules))
    distance, missing = 0.0, []
    for name, (low, high) in wanted.counts.items():
        if off := max(low - found[name], found[name] - high, 0):
            distance += off
            missing.append(f"{asked(name, found[name], found[name])} (asked for {asked(name, low, high)})")
    if distance:  # what follows costs two searches for each rule; as long as there is more to do, none counts as met
        return distance + len(wanted.depends_on) + len(wanted.independent_of), missing
    for rule in (*wanted.depends_on, *wanted.independent_of):
        should = rule in wanted.depends_on
        if depends(draft, wanted.rules, rule) != should:
            distance += 1
            missing.append(f"an answer that {'does not depend' if should else 'depends'} on {rule}")
    return distance, missing


# the tree that was found


def _as_tree(draft: Draft, wanted: Wanted, seed: int, tries: int) -> Tree:
    rows: list[Row] = []
    names = _names(draft.root)
    waiting = [(draft.root, -1)]
    while waiting:
        seat, above = waiting.pop()
        waiting += [(child, len(rows)) for child in reversed(seat.children)]
        rows.append(Row(names[seat], seat.is_max, seat.value, above))
    more = f" --tries {tries}" if tries != TRIES else ""
    return Tree.from_rows(rows, f"Tree made from seed {seed}", f"abviz make --seed {seed} {wanted.options}{more}")


def _names(root: Seat) -> dict[Seat, str]:
    """A, B, C, ... row by row; after Z comes AA."""
    row, seats = [root], []
    while row:
        seats += row
        row = [child for seat in row for child in seat.children]
    return {seat: _letters(place) for place, seat in enumerate(seats)}


def _letters(place: int) -> str:
    before, last = divmod(place, 26)
    return (_letters(before - 1) if before else "") + chr(ord("A") + last)
