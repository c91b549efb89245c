"""`make_tree(7, depth=4, alpha_cuts=2, deep_cuts=True)`: a tree with the properties an exercise needs, from a seed."""

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from math import inf
from operator import attrgetter
from typing import Any

from abviz.errors import AbvizError, brief, count, unknown
from abviz.tracing.algorithms import Event, Rules, alphabeta
from abviz.tree.model import Node, Tree

MAX_LEAVES, MAX_DEPTH, MAX_CHILDREN = 1_000, 10, 10
TRIES = 10_000  # trees tried before giving up; a large one counts as several
LARGE = 40  # leaves
FAR = 10**15  # no whole number of an option is larger
PATIENCE = 150  # changes without a gain before starting over with a new tree

Count = int | tuple[int, int | None] | bool | None
Range = tuple[float, float]  # both ends included


class NotFound(AbvizError):
    """No tree with these properties was found; there may be none."""


@dataclass
class Properties:
    """Counts of the events that an exercise may ask for, in one search."""

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
    options = locals()
    if to_move not in ("max", "min"):
        raise unknown("player", to_move, ("max", "min"))
    if not isinstance(rules, Rules):
        raise AbvizError(f"rules is {brief(rules)}; expected Rules(...)")
    asked = [*LIMITS, *(name for name in COUNTED if options[name] is not None)]
    ranges = {name: _range(name, options[name]) for name in asked}
    counts = {name: ranges[name] for name in COUNTED if name in ranges}
    names = depends_on, independent_of
    depends_on, independent_of = (each if isinstance(each, list | tuple) else (each,) for each in names)
    for rule in (listed := [*depends_on, *independent_of]):
        if rule not in RULES:
            raise unknown("rule", rule, RULES)
        if listed.count(rule) > 1:
            raise AbvizError(f"{rule} is there twice; expected each rule in depends_on or in independent_of")
    shape = depth, ranges["branching"], ranges["leaves"], distinct, to_move
    draft = _search(Goal(*shape, rules, counts, depends_on, independent_of), seed, tries)
    rows = [row._replace(value=draft.values.get(index)) for index, row in enumerate(draft.tree.rows())]
    return Tree.from_rows(rows, f"Tree made from seed {seed}")


# its options

# name -> least, most, and the words for both
LIMITS: dict[str, tuple[float, float, str]] = {
    "seed": (0, FAR, f"a whole number, from 0 to {FAR:,}"),  # to random, −3 is the same seed as 3
    "tries": (1, FAR, "a whole number, 1 or more"),
    "depth": (1, MAX_DEPTH, f"a whole number, from 1 to {MAX_DEPTH}"),
    "branching": (1, MAX_CHILDREN, f"1 to {MAX_CHILDREN} children, or a range: (2, 3)"),
    "leaves": (-FAR, FAR, "the least and the largest value, as in (0, 20)"),
}
COUNT = 0, inf, "a number, a range such as (1, 3), True (some) or False (none)"


def _range(name: str, option: Any) -> tuple[Any, Any]:
    """Return the least and the most that an option allows; raise AbvizError for what it cannot be."""
    least, most, expected = LIMITS.get(name, COUNT)
    if name in COUNTED and isinstance(option, bool):
        return (1, inf) if option else (0, 0)
    is_pair = isinstance(option, tuple | list) and len(option) == 2 and name not in ("seed", "tries", "depth")
    low, high = option if is_pair else (option, option)
    high = inf if high is None else high
    are_whole = all(type(end) is int or end == inf for end in (low, high))
    if not are_whole or not least <= low <= high <= most or (name == "leaves" and not is_pair):
        raise AbvizError(f"{name} is {brief(option)}; expected {expected}")
    return low, high


@dataclass(frozen=True)
class Goal:
    """What is asked of the tree, and of its search."""

    depth: int
    branching: tuple[int, int]
    leaves: tuple[int, int]
    distinct: bool
    to_move: str
    rules: Rules
    counts: dict[str, Range]
    depends_on: Sequence[str]
    independent_of: Sequence[str]

    def __post_init__(self) -> None:
        fewest, (low, high) = self.branching[0] ** self.depth, self.leaves
        if fewest > MAX_LEAVES:
            raise AbvizError(f"such a tree has {fewest:,} leaves or more; expected at most {MAX_LEAVES:,}")
        if self.distinct and fewest > high - low + 1:
            values = count(high - low + 1, "value")
            raise AbvizError(f"distinct needs {fewest} values or more; from {low} to {high} there are only {values}")

    def misses(self, draft: "Draft") -> dict[str, float]:
        """Return how far the draft is from each property that it does not have; empty if it has them all."""
        properties = vars(measure(draft, self.rules))
        misses: dict[str, float] = {}
        for name, (low, high) in self.counts.items():
            if off := max(low - properties[name], properties[name] - high, 0):
                span = f"{low}" if low == high else f"{low} or more" if high == inf else f"{low} to {high}"
                misses[f"{name.replace('_', ' ')}: {span}"] = off
        for rule in (*self.depends_on, *self.independent_of):  # two searches each: only where all counts are met
            expected = rule in self.depends_on
            if misses or depends_on_rule(draft, self.rules, rule) != expected:
                misses[f"an answer that {'depends' if expected else 'does not depend'} on {rule}"] = 1
        return misses


# the search for it


class Draft:
    """A game (see tracing.algorithms.Game) of a tree's shape, whose leaves are still being tried."""

    def __init__(self, tree: Tree, values: Sequence[int]):
        self.tree, self.root = tree, tree.root
        self.leaves = [leaf.index for leaf in tree.leaves()]  # left to right
        self.values = dict(zip(self.leaves, values, strict=True))

    children = staticmethod(attrgetter("children"))
    is_max = staticmethod(attrgetter("is_max"))

    def value(self, node: Node) -> int:
        return self.values[node.index]


def _between(dice: random.Random, low: int, high: int) -> int:
    """Return a random number that is the same in every Python: only random() itself is promised to stay."""
    return low + int(dice.random() * (high - low + 1))


def _search(goal: Goal, seed: int, tries: int) -> Draft:
    """Change one or two leaves at a time, and keep a change unless it leads away from the goal."""
    dice = random.Random(seed)
    left, tried, met = tries, 0, Counter[str]()
    while left > 0:
        draft = _random_draft(goal, dice)
        nearest, idle = inf, 0
        while left > 0 and idle < PATIENCE:
            before = _change(draft, goal, dice) if nearest < inf else {}
            misses = goal.misses(draft)
            left -= 1 + len(draft.leaves) // LARGE
            tried += 1
            if not misses:
                return draft
            met.update(misses.keys())
            distance = sum(misses.values())
            idle = 0 if distance < nearest else idle + 1
            if distance <= nearest:
                nearest = distance
            else:
                draft.values |= before
    ((rarest, times),) = met.most_common(1)
    rare = f"the rarest is {rarest}, in {tried - times:,} of {count(tried, 'tree')} tried"
    raise NotFound(f"seed {seed}: no tree with all these properties was found; {rare}")


def _random_draft(goal: Goal, dice: random.Random) -> Draft:
    fewest, widest = goal.branching
    low, high = goal.leaves
    most = min(MAX_LEAVES, high - low + 1) if goal.distinct else MAX_LEAVES
    root: list[Any] = []
    row = [root]
    for levels_below in range(goal.depth - 1, -1, -1):
        spare = most // fewest**levels_below - len(row) * fewest  # children this row may have beyond the fewest
        for node in row:
            width = _between(dice, fewest, min(widest, fewest + spare))
            spare -= width - fewest
            node += [[] for _ in range(width)] if levels_below else [0] * width
        row = [child for node in row for child in node]
    values: list[int] = []
    for _ in row:
        values.append(_between(dice, low, high))
        while goal.distinct and values[-1] in values[:-1]:
            values[-1] = _between(dice, low, high)
    return Draft(Tree(root, to_move=goal.to_move), values)


def _change(draft: Draft, goal: Goal, dice: random.Random) -> dict[int, int]:
    """Give a leaf another value, or swap two leaves; return what they held before."""
    leaf, other = (draft.leaves[_between(dice, 0, len(draft.leaves) - 1)] for _ in range(2))
    values = draft.values
    before = {leaf: values[leaf], other: values[other]}
    value = _between(dice, *goal.leaves)
    if _between(dice, 0, 1) or (goal.distinct and value in values.values()):
        values[leaf], values[other] = values[other], values[leaf]
    else:
        values[leaf] = value
    return before


# the properties of a tree


def measure(game: Any, rules: Rules) -> Properties:
    """Count the properties of alpha-beta's search of the game under the rules."""
    total, calls, bv = Properties(), list[Event](), dict[Any, Any]()
    cutting, with_subtree = set[Any](), set[Any]()  # nodes that cut; those of them that skip an inner node
    for event in alphabeta(game, rules=rules):
        node = calls[-1].node if event.kind == "cut" else event.node
        is_max = game.is_max(node)
        bound: Any = event.beta if is_max else event.alpha
        if event.kind == "enter":
            calls.append(event)
        elif event.kind == "leaf":
            total.leaves_read += 1
        elif event.kind == "bv":
            total.ties += (event.value == bv[node]) + (event.bv == bound)
        elif event.kind == "exit":
            calls.pop()
            total.last_child_cutoffs += node not in cutting and rules.reaches(bv[node], bound, is_max)
        elif event.kind == "cut":
            if node not in cutting:
                # The bound that the other player's nodes above have received: the first the search's own, the nearest
                # that of this cut, if it comes from further up.
                received = [call.beta if is_max else call.alpha for call in calls if game.is_max(call.node) != is_max]
                total.deep_cuts += bool(received) and received[0] != received[-1] == bound
                is_beta = is_max != rules.name_by_node
                total.beta_cuts += is_beta
                total.alpha_cuts += not is_beta
            cutting.add(node)
            if game.children(event.node):
                with_subtree.add(node)
        bv[node] = event.bv
    total.subtree_cuts = len(with_subtree)
    if rules.fail_hard:  # a clamped value always stands on a bound; ties are those of the unclamped values
        total.ties = measure(game, replace(rules, fail_hard=False)).ties
    return total


def depends_on_rule(game: Any, rules: Rules, rule: str) -> bool:
    """Return whether the answer changes when that rule is switched."""
    return _answer(game, rules) != _answer(game, replace(rules, **{rule: not getattr(rules, rule)}))


def _answer(game: Any, rules: Rules) -> tuple[Any, ...]:
    """Return what a student writes down: α, β, bv at each node, leaves read, cuts with their names, the best move."""
    facts = set[tuple[Any, Any]]()
    best = bv = returned = None
    for event in alphabeta(game, rules=rules):
        if event.kind in ("leaf", "exit"):
            returned = event.node
            facts.add((event.node, (event.alpha, event.beta, event.bv) if event.kind == "exit" else "read"))
        elif event.kind == "cut":
            facts.add((event.node, rules.name_by_node))
        elif event.kind == "bv" and event.node is game.root and event.bv != bv:
            best, bv = returned, event.bv
    return facts, best
