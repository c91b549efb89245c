"""What a search of a tree holds, counted from its events; and the answer that a student would write down."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from abviz.errors import Number
from abviz.tracing.algorithms import Event, Game, Rules, alphabeta


@dataclass
class Measures:
    """How often a search does what an exercise may ask for."""

    alpha_cuts: int = 0
    beta_cuts: int = 0
    subtree_cuts: int = 0  # cuts that skip at least one inner node
    deep_cuts: int = 0  # cuts whose bound comes from further up than the parent
    ties: int = 0  # a child hands up just bv, or bv comes to stand on the bound that it is tested against
    last_child_cutoffs: int = 0  # the cutoff test holds at a last child: nothing is skipped
    leaves_read: int = 0


@dataclass
class _Call:
    node: Any
    done: int = 0  # children that have returned
    bv: Number | None = None
    moved: bool = False  # its own bound is no longer the one that it received
    has_cut: bool = False


def measured(game: Game[Any], rules: Rules) -> Measures:
    found = _counted(game, alphabeta(game, rules=rules), rules)
    if rules.fail_hard:  # a clamped value stands on a bound by its nature; what is equal is seen without
        soft = replace(rules, fail_hard=False)
        found.ties = _counted(game, alphabeta(game, rules=soft), soft).ties
    return found


def _counted(game: Game[Any], events: Iterable[Event], rules: Rules) -> Measures:
    found = Measures()
    calls: list[_Call] = []
    for event in events:
        if event.kind == "enter":
            calls.append(_Call(event.node, bv=event.bv))
        elif event.kind == "exit":
            calls.pop()
        elif event.kind == "leaf":
            found.leaves_read += 1
        elif event.kind == "bv":
            _take(found, calls[-1], event, game, rules)
        elif event.kind == "cut":
            _cut(found, calls, event, game, rules)
        else:
            calls[-1].moved = True
    return found


def _take(found: Measures, call: _Call, event: Event, game: Game[Any], rules: Rules) -> None:
    is_max = game.is_max(call.node)
    bound = event.beta if is_max else event.alpha
    assert event.bv is not None and bound is not None  # alpha-beta has both
    call.done += 1
    found.ties += (event.value == call.bv) + (event.bv == bound)
    call.bv = event.bv
    is_last = call.done == len(game.children(call.node))
    found.last_child_cutoffs += is_last and rules.reaches(event.bv, bound, is_max)


def _cut(found: Measures, calls: list[_Call], event: Event, game: Game[Any], rules: Rules) -> None:
    """One child is skipped; the first of them makes the cut."""
    call = calls[-1]
    inner = len(game.children(event.node)) > 0
    if call.has_cut:
        return
    call.has_cut = True
    found.subtree_cuts += inner  # the children of one node lie equally deep here
    # Its parent's own bound is the nearest. Where that has not moved, the bound was handed down from further up.
    found.deep_cuts += len(calls) > 1 and not calls[-2].moved
    if game.is_max(call.node) != rules.name_by_node:
        found.beta_cuts += 1
    else:
        found.alpha_cuts += 1


def answer(game: Game[Any], rules: Rules) -> tuple[Any, ...]:
    """What stands on paper after the search: α, β and bv at each node searched, the leaves read, the cuts and their
    names, and the best move. Two searches have the same answer if these are equal."""
    marks: dict[Any, Any] = {}
    cuts, leaves, best, bv = set(), set(), None, None
    returned: Any = None
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


def depends(game: Game[Any], rules: Rules, rule: str) -> bool:
    """Whether the answer is another one when that rule is turned over."""
    other = replace(rules, **{rule: not getattr(rules, rule)})
    return answer(game, rules) != answer(game, other)
