"""Minimax and alpha-beta, each written once: generators that yield what they do, event by event.

Every picture and every sentence is made from these events. What is searched is a `Game`: a tree, or
whatever else tells its root and, of a node, its children, its value and who is to move.
"""

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, fields
from math import inf
from typing import Any, NamedTuple, Protocol, TypeAlias, TypeVar

from abviz.errors import AbvizError, Number, brief, plain, quoted
from abviz.tracing.templates import TEXTS

N = TypeVar("N")


class Game(Protocol[N]):
    """What a search asks of a game, such as a `Tree`. What its nodes are is up to the game."""

    @property
    def root(self) -> N:
        """The node where a search starts by default."""
        ...

    def children(self, node: N, /) -> Sequence[N]:
        """Return the nodes one move below, from left to right; none where the game is over."""
        ...

    def is_max(self, node: N, /) -> bool:
        """Return whether MAX is to move."""
        ...

    def value(self, node: N, /) -> Number | None:
        """Return the value from MAX's side: a leaf's, or the static value of an inner node.

        It is None where it is not known.
        """
        ...


class Event(NamedTuple):
    """One thing that a search did, with α, β and bv as they stand after it.

    None stands for what the search does not have.

    | kind  | node           | value                 | what happened                               |
    |-------|----------------|-----------------------|---------------------------------------------|
    | enter | an inner node  |                       | it was called with the window (α, β)        |
    | leaf  | a leaf         | its value             | it was read, and returned at once           |
    | bv    | an inner node  | what a child returned | bv took it in, changed or not               |
    | alpha | a MAX node     |                       | α rose to bv                                |
    | beta  | a MIN node     |                       | β fell to bv                                |
    | cut   | a skipped node |                       | its parent, with these α, β, bv, skipped it |
    | exit  | an inner node  | what it returns       | it returned to its parent                   |
    """

    kind: str
    node: Any
    alpha: Number | None
    beta: Number | None
    bv: Number | None
    value: Number | None = None


@dataclass(frozen=True, kw_only=True)
class Rules:
    """The places in which the sources of the course disagree.

    All are right; an exercise says which it means.
    """

    # Cut only when bv is strictly beyond the bound (>, <), not when it equals it (≥, ≤)
    strict: bool = False

    # Test bv against the bound first, and update α or β after that (AIMA)
    test_first: bool = False

    # An inner node returns bv clamped to its window, not bv itself (fail-soft)
    fail_hard: bool = False

    right_to_left: bool = False

    # Say "alpha cut" at MAX and "beta cut" at MIN (CSC384), and do not name a cut by its bound
    name_by_node: bool = False

    def reaches(self, bv: Number, bound: Number, is_max: bool) -> bool:
        """Return the cutoff test: bv has reached the other player's bound.

        That is β at a MAX node, and α at a MIN node.
        """
        # A tie cuts too: at a MAX node with bv = β, MIN has a move elsewhere that is just as good,
        # so nothing found here can change the value of the root. (A tie can hide that the move
        # searched later is worse, not equal.)
        if self.strict:
            return bv > bound if is_max else bv < bound
        return bv >= bound if is_max else bv <= bound

    def order(self, children: Sequence[N]) -> Sequence[N]:
        return children[::-1] if self.right_to_left else children

    def __str__(self) -> str:
        """Return the rules in words; the usual name of a cut goes without saying."""
        texts = []
        for rule in fields(self):
            is_on = getattr(self, rule.name)
            if is_on or rule.name != "name_by_node":
                texts.append(TEXTS["rules"][rule.name]["on" if is_on else "off"])
        return "; ".join(texts)


# A search under way: it yields events and calls, and is sent what the calls return.
Call: TypeAlias = Generator["Event | Call", Any, Number]


def alphabeta(
    game: Game[N],
    node: N | None = None,
    alpha: Number = -inf,
    beta: Number = inf,
    *,
    rules: Rules = Rules(),
    depth: int | None = None,
) -> Iterator[Event]:
    """Search the node, by default the root, with the window (α, β).

    The search goes down to the leaves, or `depth` moves deep.

    With the full window it returns minimax's value, under all rules. With a narrower one, α < β, a
    fail-soft search returns r ≤ α where the value is at most r, r ≥ β where it is at least r, and
    otherwise the value itself.
    """

    def search(node: N, alpha: Number, beta: Number, depth: float) -> Call:
        children = rules.order(game.children(node)) if depth > 0 else ()
        is_max = game.is_max(node)
        if not children:
            value = _static_value(game, node)
            yield Event("leaf", node, alpha, beta, None, value)
            return value

        low, high = alpha, beta
        bv: Number = -inf if is_max else inf
        yield Event("enter", node, alpha, beta, bv)

        for done, child in enumerate(children, 1):
            # The child gets α and β as copies, and its own are gone when it returns: a bound holds
            # on the path from the root, and the child's children are not on the path of its
            # sibling.
            value = yield search(child, alpha, beta, depth - 1)
            bv = max(bv, value) if is_max else min(bv, value)
            yield Event("bv", node, alpha, beta, bv, value)

            cut = rules.reaches(bv, beta if is_max else alpha, is_max)
            if not (cut and rules.test_first):
                if is_max and bv > alpha:
                    alpha = bv
                    yield Event("alpha", node, alpha, beta, bv)
                elif not is_max and bv < beta:
                    beta = bv
                    yield Event("beta", node, alpha, beta, bv)

            if cut:
                for skipped in children[done:]:
                    yield Event("cut", skipped, alpha, beta, bv)
                break  # not `continue`: the bound holds for all the remaining children

        value = min(max(bv, low), high) if rules.fail_hard else bv
        yield Event("exit", node, alpha, beta, bv, value)
        return value

    alpha, beta = check_window(alpha, beta)
    return _run(search(game.root if node is None else node, alpha, beta, _limit(depth)))


def minimax(
    game: Game[N],
    node: N | None = None,
    *,
    rules: Rules = Rules(),
    depth: int | None = None,
    early_stop: bool = False,
) -> Iterator[Event]:
    """Search the node without bounds. Of the rules only the order of the children matters.

    With `early_stop` a MAX node stops at the first ∞ and a MIN node at the first −∞, since nothing
    can be better.
    """

    def search(node: N, depth: float) -> Call:
        children = rules.order(game.children(node)) if depth > 0 else ()
        is_max = game.is_max(node)
        if not children:
            value = _static_value(game, node)
            yield Event("leaf", node, None, None, None, value)
            return value

        bv: Number = -inf if is_max else inf
        yield Event("enter", node, None, None, bv)

        for done, child in enumerate(children, 1):
            value = yield search(child, depth - 1)
            bv = max(bv, value) if is_max else min(bv, value)
            yield Event("bv", node, None, None, bv, value)

            if early_stop and bv == (inf if is_max else -inf):
                for skipped in children[done:]:
                    yield Event("cut", skipped, None, None, bv)
                break

        yield Event("exit", node, None, None, bv, bv)
        return bv

    return _run(search(game.root if node is None else node, _limit(depth)))


Search = Callable[..., Iterator[Event]]
SEARCHES: dict[str, Search] = {"alphabeta": alphabeta, "minimax": minimax}


def _run(call: Call) -> Iterator[Event]:
    """Run a search that calls itself by `value = yield search(...)`, and yield its events.

    The calls wait on an explicit stack, so that every event costs the same however deep the tree is
    (`yield from` would pass each one up through all the calls above it) and Python's recursion
    limit never matters.
    """
    stack = [call]
    value: Number | None = None
    while stack:
        try:
            item = stack[-1].send(value)
        except StopIteration as returned:
            stack.pop()
            value = returned.value
            continue

        value = None
        if isinstance(item, Event):
            yield item
        else:
            stack.append(item)


def check_window(alpha: object, beta: object) -> tuple[Number, Number]:
    """Return the window as ints and floats, which every form of a trace can write."""
    low, high = plain(alpha), plain(beta)
    if low is None or high is None or not low < high:
        raise AbvizError(
            f"the window is α = {brief(alpha)}, β = {brief(beta)}; expected numbers, α < β"
        )
    return low, high


def _limit(depth: int | None) -> float:
    if depth is None:
        return inf
    if not isinstance(depth, int) or depth < 0:
        raise AbvizError(
            f"depth is {depth!r}; expected a whole number of moves, 0 or more, or None for no limit"
        )
    return depth


def _static_value(game: Game[N], node: N) -> Number:
    value = game.value(node)
    if value is not None:
        return value

    name = quoted(getattr(node, "name", str(node)))
    if game.children(node):
        problem = f"the search ends at {name}, which has no static value"
    else:
        problem = f"the value of leaf {name} is not known"
    raise AbvizError(f"{problem}, and the search needs it; expected a number there")
