"""`make_tree(7, depth=4, alpha_cuts=2, deep_cuts=True)`: a tree with the properties an exercise
needs, from a seed.
"""

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import fields, replace
from math import inf
from types import SimpleNamespace
from typing import Any

from abviz.errors import AbvizError, brief, count, unknown
from abviz.tracing.algorithms import Event, Rules, alphabeta
from abviz.tree.model import Tree

MAX_LEAVES, MAX_DEPTH, MAX_CHILDREN = 1_000, 10, 10
TRIES = 10_000  # trees tried before giving up
PATIENCE = 150  # changes without a gain before starting over with a new tree

Count = int | tuple[int, int | None] | bool | None
Range = tuple[Any, Any]  # both ends included

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
    alpha-beta.cpp: branching=(0, 3), leaves=(0, 19). The root is always an inner node. A property
    of the search (alpha-beta under `rules`) is a number, a range (1, 3), (2, None) for 2 or more,
    True (some) or False (none). `subtree_cuts` skip an inner node; a tie is a value equal to the bv
    it meets or to the bound it is tested against. The answer (α, β and bv at each node, cuts with
    their names, leaves read, best move) changes when a rule of `depends_on` is switched, and does
    not change for a rule of `independent_of`. Raises NotFound after `tries` trees.
    """
    options = locals()
    counts = {name: _range(name, options[name]) for name in COUNTED if options[name] is not None}
    (depth, _), branching, leaves = (_range(name, options[name]) for name in LIMITS)
    listed = [[each] if isinstance(each, str) else each for each in (depends_on, independent_of)]
    if both := set(listed[0]) & set(listed[1]):
        raise AbvizError(
            f"{min(both)} is in depends_on and in independent_of; expected it in one of them"
        )
    dependence = dict.fromkeys(listed[0], True) | dict.fromkeys(listed[1], False)
    for rule in dependence:
        if rule not in RULES:
            raise unknown("rule", rule, RULES)
    if branching[1] == 0:
        raise AbvizError(
            f"branching is {brief(options['branching'])}; expected {LIMITS['branching'][2]}"
        )
    most = min(MAX_LEAVES, leaves[1] - leaves[0] + 1) if distinct else MAX_LEAVES
    if (fewest := max(branching[0], 1) ** depth) > most:
        enough = ", one for each value" if distinct else ""
        raise AbvizError(
            f"such a tree has {fewest:,} leaves or more; expected at most {most:,}{enough}"
        )

    dice, tried, met = random.Random(seed), 0, Counter[str]()
    while True:  # change one or two leaves at a time, and keep a change unless it leads away
        game = _random_game(dice, depth, branching, most, leaves, distinct, to_move)
        nearest, idle = inf, 0
        while idle < PATIENCE:
            before = _change(dice, game.values, leaves, distinct) if nearest < inf else {}
            misses = _misses(game, rules, counts, dependence)
            if not misses:
                rows = [
                    row._replace(value=game.values.get(i)) for i, row in enumerate(game.tree.rows())
                ]
                return Tree.from_rows(rows, f"Tree made from seed {seed}")
            tried += 1
            met.update(misses.keys())
            if tried >= tries:
                ((rarest, times),) = met.most_common(1)
                rare = (
                    f"the rarest is {rarest}, in {tried - times:,} of {count(tried, 'tree')} tried"
                )
                raise NotFound(f"seed {seed}: no tree with all these properties was found; {rare}")
            distance = sum(misses.values())
            idle = 0 if distance < nearest else idle + 1
            if distance <= nearest:
                nearest = distance
            else:
                game.values |= before


LIMITS: dict[str, tuple[float, float, str]] = {  # name -> least, most, and the words for both
    "depth": (1, MAX_DEPTH, f"a whole number, from 1 to {MAX_DEPTH}"),
    "branching": (
        0,
        MAX_CHILDREN,
        f"1 to {MAX_CHILDREN} children, or a range: (2, 3), or (0, 3) for uneven trees",
    ),
    "leaves": (-inf, inf, "the least and the largest value, as in (0, 20)"),
}
COUNT = 0, inf, "a number, a range such as (1, 3), True (some) or False (none)"


def _range(name: str, option: Any) -> Range:
    """Return the least and the most that an option allows; raise AbvizError for what it cannot be."""
    least, most, expected = LIMITS.get(name, COUNT)
    if name in COUNTED and isinstance(option, bool):
        return (1, inf) if option else (0, 0)
    is_pair = isinstance(option, tuple | list) and len(option) == 2 and name != "depth"
    low, high = option if is_pair else (option, option)
    high = inf if high is None and name in COUNTED else high
    if type(low) is not int or type(high) not in (int, float) or not least <= low <= high <= most:
        raise AbvizError(f"{name} is {brief(option)}; expected {expected}")
    return low, high


def _between(dice: random.Random, low: int, high: int) -> int:
    """Return a random number that is the same in every Python: only random() itself is promised to
    stay.
    """
    return low + int(dice.random() * (high - low + 1))


def _random_game(
    dice: random.Random,
    depth: int,
    branching: Range,
    most: int,
    leaves: Range,
    distinct: bool,
    to_move: str,
) -> Any:
    """Return a tree of at most that many leaves as a game (see tracing.algorithms.Game) whose
    values can be changed.
    """
    fewest, widest = branching
    usual = max(fewest, 1)  # children that every inner node has at least
    root: list[Any] = []
    row = [root]
    early_leaves = 0  # above the last level, where `branching` begins at 0

    for levels_below in range(depth - 1, -1, -1):
        leaves_of_child = usual**levels_below  # at least
        # Children beyond the usual
        spare = (most - early_leaves) // leaves_of_child - len(row) * usual

        next_row = []
        for node in row:
            width = _between(dice, usual if node is root else fewest, min(widest, usual + spare))
            spare -= max(width - usual, 0)
            early_leaves += width == 0

            children: list[Any] = [[] for _ in range(width)]
            node.extend(children)
            next_row.extend(children)
        row = next_row

    nested = _with_leaves(root)
    tree, values = Tree(nested, to_move=to_move), dict[int, int]()
    for leaf in tree.leaves():
        value = _between(dice, *leaves)
        while distinct and value in values.values():
            value = _between(dice, *leaves)
        values[leaf.index] = value
    methods = {
        "children": tree.children,
        "is_max": tree.is_max,
        "value": lambda node: values[node.index],
    }
    return SimpleNamespace(tree=tree, root=tree.root, values=values, **methods)


def _with_leaves(node: list[Any]) -> Any:
    """Return the nested lists with a leaf, whose value is set later, in place of each empty list."""
    return [_with_leaves(child) for child in node] if node else 0


def _change(
    dice: random.Random, values: dict[int, int], leaves: Range, distinct: bool
) -> dict[int, int]:
    """Give a leaf another value, or swap two leaves; return what they held before."""
    leaf, other = (list(values)[_between(dice, 0, len(values) - 1)] for _ in range(2))
    before = {leaf: values[leaf], other: values[other]}
    value = _between(dice, *leaves)
    if _between(dice, 0, 1) or (distinct and value in values.values()):
        values[leaf], values[other] = values[other], values[leaf]
    else:
        values[leaf] = value
    return before


def _misses(
    game: Any, rules: Rules, counts: dict[str, Range], dependence: dict[str, bool]
) -> dict[str, float]:
    """Return how far the game is from each property that it does not have; empty if it has them
    all.
    """
    properties = measure(game, rules)
    misses: dict[str, float] = {}
    for name, (low, high) in counts.items():
        if off := max(low - properties[name], properties[name] - high, 0):
            span = (
                f"{low}" if low == high else f"{low} or more" if high == inf else f"{low} to {high}"
            )
            misses[f"{name.replace('_', ' ')}: {span}"] = off
    for rule, expected in dependence.items():  # two searches each: only where all counts are met
        if misses or depends_on_rule(game, rules, rule) != expected:
            misses[f"an answer that {'depends' if expected else 'does not depend'} on {rule}"] = 1
    return misses


# the properties of a tree


def measure(game: Any, rules: Rules) -> dict[str, int]:
    """Count the properties of alpha-beta's search of the game under the rules."""
    total, calls, bv = dict.fromkeys(COUNTED, 0), list[Event](), dict[Any, Any]()
    cutting = dict[Any, bool]()  # nodes that cut; whether they skip an inner node
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
            total["last_child_cutoffs"] += node not in cutting and rules.reaches(
                bv[node], bound, is_max
            )
        elif event.kind == "cut":
            if node not in cutting:
                # The bound that the other player's nodes above have received: the first the
                # search's own, the nearest that of this cut, if it comes from further up.
                received = [
                    call.beta if is_max else call.alpha
                    for call in calls
                    if game.is_max(call.node) != is_max
                ]
                total["deep_cuts"] += bool(received) and received[0] != received[-1] == bound
                total["beta_cuts" if is_max != rules.name_by_node else "alpha_cuts"] += 1
            cutting[node] = cutting.get(node, False) or bool(game.children(event.node))
        bv[node] = event.bv
    total["subtree_cuts"] = sum(cutting.values())
    # A clamped value always stands on a bound; ties are those of the unclamped values
    if rules.fail_hard:
        total["ties"] = measure(game, replace(rules, fail_hard=False))["ties"]
    return total


def depends_on_rule(game: Any, rules: Rules, rule: str) -> bool:
    """Return whether the answer changes when that rule is switched."""
    return _answer(game, rules) != _answer(game, replace(rules, **{rule: not getattr(rules, rule)}))


def _answer(game: Any, rules: Rules) -> tuple[Any, ...]:
    """Return what a student writes down: α, β, bv at each node, leaves read, cuts with their names,
    the best move.
    """
    marks = set[tuple[Any, ...]]()
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
