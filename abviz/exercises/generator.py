"""`make_tree(7, depth=4, alpha_cuts=2, deep_cuts=True)`: an exercise's tree, from a seed."""

import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from math import inf
from typing import Any, NamedTuple

from abviz.errors import AbvizError, Number, brief, count, unknown
from abviz.tracing.algorithms import Event, Rules, alphabeta
from abviz.tree.model import Node, Tree

MAX_LEAVES = 1_000
MAX_DEPTH = 10
MAX_CHILDREN = 10
TRIES = 10_000  # trees tried before giving up
PATIENCE = 150  # changes without a gain before starting over with a new tree

Count = int | tuple[int, int | None] | bool | None
Range = tuple[int, int]  # both ends included
CountRange = tuple[int, Number]  # the same, where the upper end may be ∞

RULES = tuple(each.name for each in fields(Rules))
COUNTED = (
    "alpha_cuts",
    "beta_cuts",
    "subtree_cuts",  # skip at least one inner node
    "deep_cuts",  # their bound comes from further up than the parent
    "ties",  # a child returns exactly bv, or bv lands on the bound it is tested against
    "last_child_cutoffs",  # the cutoff test holds at a last child: nothing is skipped
    "leaves_read",
)


class NotFound(AbvizError):
    """No tree with these properties was found; there may be none."""


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

    All leaves are `depth` moves below the root; inner nodes have `branching` children, a number or
    a range. With a range from 0 some leaves are higher up, as in trees of `populate` in
    alpha-beta.cpp: branching=(0, 3), leaves=(0, 19). The root is always an inner node.

    A property of the search (alpha-beta under `rules`) is a number, a range (1, 3), (2, None) for 2
    or more, True (some) or False (none). `subtree_cuts` skip an inner node; a tie is a value equal
    to the bv it meets or to the bound it is tested against.

    The answer (α, β and bv at each node, cuts with their names, leaves read, best move) changes
    when a rule of `depends_on` is switched, and does not change for a rule of `independent_of`.

    Raises NotFound after `tries` trees.
    """
    options = locals()
    counts = {name: _range(name, options[name]) for name in COUNTED if options[name] is not None}
    plan = Plan(
        depth=_whole_range("depth", depth)[0],
        branching=_whole_range("branching", branching),
        leaves=_whole_range("leaves", leaves),
        distinct=distinct,
        to_move=to_move,
    )
    properties = Properties(
        rules=rules,
        counts=counts,
        dependence=_dependence(depends_on, independent_of),
    )
    if plan.branching[1] == 0:
        raise AbvizError(f"branching is {brief(branching)}; expected {LIMITS['branching'][2]}")
    plan.check_size()

    dice = random.Random(seed)
    game = _found(dice, plan, properties, lambda: _random_game(dice, plan), seed, tries)
    return game.as_tree(f"Tree made from seed {seed}")


def make_like(
    tree: Tree,
    seed: int,
    *,
    leaves: tuple[int, int],
    distinct: bool = False,
    rules: Rules = Rules(),
    depends_on: str | Sequence[str] = (),
    independent_of: str | Sequence[str] = (),
    tries: int = TRIES,
) -> Tree:
    """Return a tree of the same kind, the same for the same seed on every machine.

    It has the same shape, names and players, and other values of leaves, in that range. Alpha-beta
    makes as many cuts of each sort as in the tree, and meets as many ties; where there are three or
    more, a third more or less will do. It reads as many leaves, or a few more or less: one, or a
    tenth. Raises NotFound after `tries` trees.
    """
    counts: dict[str, CountRange] = {}
    for name, number in measure(tree, rules).items():
        room = max(1, number // 10) if name == "leaves_read" else number // 3
        counts[name] = number - room, number + room

    plan = Plan(
        depth=max(len(tree.path(leaf)) for leaf in tree.leaves()) - 1,
        branching=(1, MAX_CHILDREN),
        leaves=_whole_range("leaves", leaves),
        distinct=distinct,
        to_move="max" if tree.root.is_max else "min",
    )
    properties = Properties(
        rules=rules,
        counts=counts,
        dependence=_dependence(depends_on, independent_of),
    )
    if distinct and len(list(tree.leaves())) > plan.most_leaves:
        found = f"such a tree has {len(list(tree.leaves())):,} leaves"
        raise AbvizError(f"{found}; expected at most {plan.most_leaves:,}, one for each value")

    dice = random.Random(seed)
    game = _found(dice, plan, properties, lambda: _with_values(dice, plan, tree), seed, tries)
    return game.as_tree(f"Tree made from seed {seed}")


def _found(
    dice: random.Random,
    plan: "Plan",
    properties: "Properties",
    begin: "Callable[[], Game]",
    seed: int,
    tries: int,
) -> "Game":
    """Return a game with the properties, from those that `begin` makes.

    Raises NotFound after that many tries.
    """
    tried = 0
    missed = Counter[str]()
    while True:
        # Change one or two leaves at a time, and keep a change unless it leads away
        game = begin()
        nearest = inf
        idle = 0
        while idle < PATIENCE:
            before = _change(dice, game.values, plan) if nearest < inf else {}
            misses = properties.misses(game)
            if not misses:
                return game

            tried += 1
            missed.update(misses.keys())
            if tried >= tries:
                raise _not_found(seed, tried, missed)

            distance = sum(misses.values())
            idle = 0 if distance < nearest else idle + 1
            if distance <= nearest:
                nearest = distance
            else:
                game.values |= before


def _not_found(seed: int, tried: int, missed: Counter[str]) -> NotFound:
    """Return the error that names the property that the fewest of the trees have."""
    ((rarest, times),) = missed.most_common(1)
    rare = f"the rarest is {rarest}, in {tried - times:,} of {count(tried, 'tree')} tried"
    return NotFound(f"seed {seed}: no tree with all these properties was found; {rare}")


# what is asked for


# name -> least, most, and the words for both
LIMITS: dict[str, tuple[float, float, str]] = {
    "depth": (1, MAX_DEPTH, f"a whole number, from 1 to {MAX_DEPTH}"),
    "branching": (
        0,
        MAX_CHILDREN,
        f"1 to {MAX_CHILDREN} children, or a range: (2, 3), or (0, 3) for uneven trees",
    ),
    "leaves": (-inf, inf, "the least and the largest value, as in (0, 20)"),
}
COUNT = 0, inf, "a number, a range such as (1, 3), True (some) or False (none)"


@dataclass(frozen=True)
class Plan:
    """The form of a tree, and its leaves."""

    depth: int
    branching: Range
    leaves: Range
    distinct: bool  # no two leaves are equal
    to_move: str

    @property
    def most_leaves(self) -> int:
        """The most leaves that the tree may have."""
        if not self.distinct:
            return MAX_LEAVES
        low, high = self.leaves
        return min(MAX_LEAVES, high - low + 1)

    def check_size(self) -> None:
        """Raise AbvizError where the tree needs more leaves than it may have."""
        fewest = max(self.branching[0], 1) ** self.depth
        if fewest > self.most_leaves:
            enough = ", one for each value" if self.distinct else ""
            found = f"such a tree has {fewest:,} leaves or more"
            raise AbvizError(f"{found}; expected at most {self.most_leaves:,}{enough}")


def _range(name: str, option: Any) -> CountRange:
    """Return the least and the most that an option allows.

    Raises AbvizError for what the option cannot be.
    """
    if name in COUNTED and isinstance(option, bool):
        return (1, inf) if option else (0, 0)

    is_pair = isinstance(option, tuple | list) and len(option) == 2 and name != "depth"
    low, high = option if is_pair else (option, option)
    if high is None and name in COUNTED:
        high = inf

    least, most, expected = LIMITS.get(name, COUNT)
    are_numbers = type(low) is int and type(high) in (int, float)
    if not are_numbers or not least <= low <= high <= most:
        raise AbvizError(f"{name} is {brief(option)}; expected {expected}")
    return low, high


def _whole_range(name: str, option: object) -> Range:
    """Return the range of an option whose upper end is a number, too."""
    low, high = _range(name, option)
    if isinstance(high, float) and not high.is_integer():
        raise AbvizError(f"{name} is {brief(option)}; expected {LIMITS[name][2]}")
    return low, int(high)


def _dependence(
    depends_on: str | Sequence[str], independent_of: str | Sequence[str]
) -> dict[str, bool]:
    """Return by rule whether the answer depends on it."""
    yes = [depends_on] if isinstance(depends_on, str) else depends_on
    no = [independent_of] if isinstance(independent_of, str) else independent_of

    if both := set(yes) & set(no):
        where = "in depends_on and in independent_of; expected it in one of them"
        raise AbvizError(f"{min(both)} is {where}")

    dependence = dict.fromkeys(yes, True) | dict.fromkeys(no, False)
    for rule in dependence:
        if rule not in RULES:
            raise unknown("rule", rule, RULES)
    return dependence


# the trees that are tried


def _between(dice: random.Random, low: int, high: int) -> int:
    """Return a random number that is the same in every Python.

    Only random() itself is promised to stay.
    """
    return low + int(dice.random() * (high - low + 1))


class Game:
    """A tree as a game (see tracing.algorithms.Game) whose values can be changed."""

    def __init__(self, tree: Tree, values: dict[int, int]):
        self.tree = tree
        self.values = values  # of leaves, by their index
        self.root = tree.root
        self.children = tree.children
        self.is_max = tree.is_max

    def value(self, node: Node) -> int:
        return self.values[node.index]

    def as_tree(self, title: str) -> Tree:
        """Return the tree with these values."""
        rows = enumerate(self.tree.rows())
        with_values = [row._replace(value=self.values.get(i)) for i, row in rows]
        return Tree.from_rows(with_values, title, players=self.tree.players)


def _random_game(dice: random.Random, plan: Plan) -> Game:
    """Return a tree of that plan, with random values."""
    return _with_values(dice, plan, Tree(_random_form(dice, plan), to_move=plan.to_move))


def _with_values(dice: random.Random, plan: Plan, tree: Tree) -> Game:
    """Return the tree with random values."""
    values: dict[int, int] = {}
    for leaf in tree.leaves():
        value = _between(dice, *plan.leaves)
        while plan.distinct and value in values.values():
            value = _between(dice, *plan.leaves)
        values[leaf.index] = value
    return Game(tree, values)


# A node as the list of its children; that of a leaf is empty.
Form = list["Form"]

# The same as `Tree` takes it: a leaf is a number.
Nested = int | list["Nested"]


def _random_form(dice: random.Random, plan: Plan) -> Nested:
    """Return a tree of that plan as nested lists, all of whose leaves are 0."""
    fewest, widest = plan.branching
    usual = max(fewest, 1)  # children that every inner node has at least
    root: Form = []
    row = [root]
    early_leaves = 0  # above the last level, where `branching` begins at 0

    for levels_below in range(plan.depth - 1, -1, -1):
        leaves_of_child = usual**levels_below  # at least

        # Children beyond the usual
        spare = (plan.most_leaves - early_leaves) // leaves_of_child - len(row) * usual

        next_row = []
        for node in row:
            width = _between(dice, usual if node is root else fewest, min(widest, usual + spare))
            spare -= max(width - usual, 0)
            early_leaves += width == 0

            children: Form = [[] for _ in range(width)]
            node.extend(children)
            next_row.extend(children)
        row = next_row

    return _with_leaves(root)


def _with_leaves(node: Form) -> Nested:
    """Return the nested lists with a leaf in place of each empty list."""
    return [_with_leaves(child) for child in node] if node else 0


def _change(dice: random.Random, values: dict[int, int], plan: Plan) -> dict[int, int]:
    """Give a leaf another value, or swap two leaves; return what they held before."""
    leaves = list(values)
    leaf = leaves[_between(dice, 0, len(leaves) - 1)]
    other = leaves[_between(dice, 0, len(leaves) - 1)]
    before = {leaf: values[leaf], other: values[other]}

    value = _between(dice, *plan.leaves)
    is_swap = _between(dice, 0, 1) == 1
    if is_swap or (plan.distinct and value in values.values()):
        values[leaf], values[other] = values[other], values[leaf]
    else:
        values[leaf] = value
    return before


# the properties of a tree


class Properties(NamedTuple):
    """What is asked of the search of a tree."""

    rules: Rules
    counts: dict[str, CountRange]  # by name
    dependence: dict[str, bool]  # by rule

    def misses(self, game: Game) -> dict[str, float]:
        """Return how far the game is from each property that it does not have."""
        properties = measure(game, self.rules)
        misses: dict[str, float] = {}
        for name, (low, high) in self.counts.items():
            off = max(low - properties[name], properties[name] - high, 0)
            if off:
                misses[f"{name.replace('_', ' ')}: {_span(low, high)}"] = off

        # Two searches each: only where all counts are met
        for rule, expected in self.dependence.items():
            if misses or depends_on_rule(game, self.rules, rule) != expected:
                does = "depends" if expected else "does not depend"
                misses[f"an answer that {does} on {rule}"] = 1
        return misses


def _span(low: int, high: Number) -> str:
    """Return the range in words."""
    if low == high:
        return f"{low}"
    if high == inf:
        return f"{low} or more"
    return f"{low} to {high}"


def measure(game: Game | Tree, rules: Rules) -> dict[str, int]:
    """Count the properties of alpha-beta's search of the game under the rules."""
    total = dict.fromkeys(COUNTED, 0)
    calls: list[Event] = []  # under way: of each its first event
    bv: dict[Node, Any] = {}
    cutting: dict[Node, bool] = {}  # nodes that cut; whether they skip an inner node

    for event in alphabeta(game, rules=rules):
        node = calls[-1].node if event.kind == "cut" else event.node
        is_max = game.is_max(node)
        bound: Any = event.beta if is_max else event.alpha

        if event.kind == "enter":
            calls.append(event)
        elif event.kind == "leaf":
            total["leaves_read"] += 1
        elif event.kind == "bv":
            total["ties"] += (event.value == bv[node]) + (event.bv == bound)
        elif event.kind == "exit":
            calls.pop()
            is_beyond = rules.reaches(bv[node], bound, is_max)
            total["last_child_cutoffs"] += is_beyond and node not in cutting
        elif event.kind == "cut":
            if node not in cutting:
                total["deep_cuts"] += _is_deep(game, calls, bound)
                is_beta = is_max != rules.name_by_node
                total["beta_cuts" if is_beta else "alpha_cuts"] += 1
            cutting[node] = cutting.get(node, False) or bool(game.children(event.node))

        bv[node] = event.bv

    total["subtree_cuts"] = sum(cutting.values())

    # A clamped value always stands on a bound; ties are those of the unclamped values
    if rules.fail_hard:
        total["ties"] = measure(game, replace(rules, fail_hard=False))["ties"]
    return total


def _is_deep(game: Game | Tree, calls: Sequence[Event], bound: Number) -> bool:
    """Return whether a cut at the last of these calls, by that bound, is deep.

    The bound is compared with those that the other player's nodes above have received: the first is
    the search's own, and the nearest has that of this cut, if it comes from further up.
    """
    is_max = game.is_max(calls[-1].node)
    received = [
        call.beta if is_max else call.alpha for call in calls if game.is_max(call.node) != is_max
    ]
    return bool(received) and received[0] != received[-1] == bound


def depends_on_rule(game: Game | Tree, rules: Rules, rule: str) -> bool:
    """Return whether the answer changes when that rule is switched."""
    switched = replace(rules, **{rule: not getattr(rules, rule)})
    return _answer(game, rules) != _answer(game, switched)


# What is written next to a node: it, and its numbers or the name of a cut.
Mark = tuple[object, ...]


def _answer(game: Game | Tree, rules: Rules) -> tuple[set[Mark], Node | None]:
    """Return what a student writes down.

    That is α, β and bv at each node, the leaves read, the cuts with their names, and the best move.
    """
    marks: set[Mark] = set()
    best = bv = returned = None
    for kind, node, *numbers, _ in alphabeta(game, rules=rules):
        if kind in ("leaf", "exit"):
            returned = node
            marks.add((node, *numbers) if kind == "exit" else (node,))
        elif kind == "cut":
            marks.add((node, rules.name_by_node))
        elif kind == "bv" and node is game.root and numbers[-1] != bv:
            best, bv = returned, numbers[-1]
    return marks, best
