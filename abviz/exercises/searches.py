"""The searches to write: of each the reference and the table of known mistakes. The texts are in searches.yaml."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from math import inf, isinf
from operator import ge, gt, le, lt
from typing import Any

from abviz.errors import Number, brief, count, number
from abviz.exercises.counterexamples import smallest_trees
from abviz.exercises.function_exercise import Case, takes_turns
from abviz.exercises.mistakes import (
    ALPHABETA,
    MINIMAX,
    Bounds,
    Search,
    Table,
    always,
    clamped,
    full_at_root,
    minimax_with,
    narrow,
    never,
    others_bound,
    own_bound,
    reached,
    rows,
    searching,
    soft,
)
from abviz.exercises.observation import Job, Observation, observe
from abviz.exercises.search_exercise import SearchExercise, exercise
from abviz.exercises.verdict import written
from abviz.tracing import algorithms
from abviz.tracing.algorithms import Rules
from abviz.tracing.traces import trace
from abviz.tree.model import Node, Tree

Line = tuple[str, ...]

# searches for a value

WRITE_MINIMAX = exercise(
    "minimax",
    build=minimax_with,
    table=MINIMAX,
    cases=(Case(),),
    bases=({},),
    right_run=partial(trace, search=algorithms.minimax),
)

WRITE_ALPHABETA = exercise(
    "alphabeta",
    build=searching,
    table=ALPHABETA,
    right_run=trace,
)

NOT_IN_TWO = "always from MAX", "negamax", "bv handed down for a bound"

TWO_FUNCTIONS = exercise(
    "two-functions",
    build=searching,
    table={
        "each calls itself": {"plays_max": lambda node, above: node.is_max if above is None else above},
        "min_value calls itself": {"plays_max": lambda node, above: node.is_max and above is None},
        "max_value calls itself": {"plays_max": lambda node, above: node.is_max or above is not None},
        "the test of MAX in min_value": {"meets": lambda own, alpha, beta, is_max: own >= beta, "asks_bounds": False},
        "the bound of MAX in min_value": {"narrow": lambda alpha, beta, bv, value, is_max: (max(alpha, bv), beta)},
        **{name: forms for name, forms in ALPHABETA.items() if name not in NOT_IN_TWO},
    },
    fits=takes_turns,
    expected="a pair of functions (max_value, min_value)",
    right_run=trace,
)


def wrong_bound(bv: Number, alpha: Number, beta: Number, is_max: bool) -> Number:
    return beta if bv <= alpha else alpha if bv >= beta else bv


FAIL_HARD = exercise(
    "fail-hard",
    build=lambda **faults: searching(**{"returned": clamped} | faults),
    table={
        "fail-soft": {"returned": soft},
        "clamped where it cannot cut": {"returned": own_bound},
        "clamped where it cuts": {"returned": others_bound},
        "the wrong bound": {"returned": wrong_bound},
        "always a bound": {"returned": lambda bv, alpha, beta, is_max: beta if bv >= beta else alpha},
        **rows(ALPHABETA, "strict", "minimax", "strict for one player", "the test reversed", "only the parent's bound"),
        **rows(ALPHABETA, "0 to begin with", "MAX and MIN swapped", "one child early", "right to left"),
    },
    right_run=partial(trace, rules=Rules(fail_hard=True)),
)


def negamax_with(
    *,
    order: Callable[[Any], Any] = lambda children: children,
    worth: Callable[[Any, int], Number] = lambda leaf, depth: leaf.value if leaf.is_max else -leaf.value,
    start: Callable[[bool], Number] = lambda is_max: -inf,
    hand_down: Callable[[Number, Number], Bounds] = lambda alpha, beta: (-beta, -alpha),
    turn: Callable[[Number], Number] = lambda value: -value,
    choose: Callable[[Any, Number, Number], Number] = lambda node, best, value: max(best, value),
    raises: bool = True,
    meets: Callable[[Number, Number, Number, bool], bool] = reached,
    asks_bounds: bool = False,
    returned: Callable[[Number, Number, Number, bool], Number] = lambda bv, alpha, beta, is_max: bv,
    instead: Search | None = None,
) -> Search:
    """Return negamax, or with a switch turned one of the ways to get it wrong."""
    if instead:
        return instead

    def search(node: Any, alpha: Number, beta: Number, depth: int = 0) -> Number:
        if node.is_leaf:
            return worth(node, depth)
        best, window = start(True), (alpha, beta)
        for child in order(node.children):
            best = choose(node, best, turn(search(child, *hand_down(alpha, beta), depth + 1)))
            if raises or asks_bounds:
                own = max(alpha, best)
            if meets(own if asks_bounds else best, alpha, beta, True):
                break
            if raises:
                alpha = own
        return returned(best, *window, True)

    return search


def min_minimises(node: Any, best: Number, value: Number) -> Number:
    return max(best, value) if node.is_max or best == -inf else min(best, value)


NEGAMAX = exercise(
    "negamax",
    build=negamax_with,
    table={
        "leaves from MAX's side": {"worth": lambda leaf, depth: leaf.value},
        "leaves from MIN's side": {"worth": lambda leaf, depth: -leaf.value if leaf.is_max else leaf.value},
        "value not negated": {"turn": lambda value: value},
        "window not negated": {"hand_down": lambda alpha, beta: (alpha, beta)},
        "window negated or swapped, not both": [
            {"hand_down": lambda alpha, beta: (-alpha, -beta)},
            {"hand_down": lambda alpha, beta: (beta, alpha)},
        ],
        "α not raised": {"raises": False},
        "MIN minimises": {"choose": min_minimises},
        "from MAX's side": {"instead": searching()},
        "always from MAX": {"worth": lambda leaf, depth: leaf.value if depth % 2 == 0 else -leaf.value},
        **rows(ALPHABETA, "strict", "minimax", "right to left", "one child early"),
        **rows(ALPHABETA, "the bound returned", "its own bound returned"),
        "0 to begin with": {"start": lambda is_max: 0},
    },
    fits=takes_turns,
    right_run=trace,
)


# searches for a move or a line


def better(value: Number, best: Number, is_max: bool) -> bool:
    return value > best if is_max else value < best


def as_good(value: Number, best: Number, is_max: bool) -> bool:
    return value >= best if is_max else value <= best


def line_first(children: Sequence[Any], line: Line, is_root: bool) -> list[Any]:
    return sorted(children, key=lambda child: child.name not in line)


def line_searching(
    *,
    order: Callable[[Any], Any] = lambda children: children,
    arrange: Callable[[Sequence[Any], Line, bool], Sequence[Any]] = line_first,
    plays_max: Callable[[Any, bool | None], bool] = lambda node, above: node.is_max,
    hand_down: Callable[..., Bounds] = lambda alpha, beta, bv, above, is_max: (alpha, beta),
    better: Callable[[Number, Number, bool], bool] = better,
    takes_first: bool = True,  # the first child stands until there is a better one
    follows: Callable[[Number, Number, bool], bool] | None = None,  # when the line changes, if not with the best value
    meets: Callable[[Number, Number, Number, bool], bool] = reached,
    asks_bounds: bool = False,
    cuts_root: bool = True,
    static: Callable[[Any], Number] = lambda node: node.value,
    start: Callable[[bool], Number] = lambda is_max: -inf if is_max else inf,
) -> Callable[..., tuple[Number, Line]]:
    """Return f(root, alpha, beta, left, line): alpha-beta that returns value and line, at most `left` moves deep, with
    the nodes of `line` searched first."""

    def search(
        node: Any, alpha: Number, beta: Number, left: Number = inf, line: Line = (), above: bool | None = None
    ) -> tuple[Number, Line]:
        if node.is_leaf:
            return node.value, ()
        if left == 0:
            return static(node), ()
        is_max, is_root, best = plays_max(node, above), above is None, None
        bv = start(is_max)
        for child in arrange(order(node.children), line, is_root) if line else order(node.children):
            low, high = hand_down(alpha, beta, bv, above, is_max)
            value, below = search(child, low, high, left - 1, line if child.name in line else (), is_max)
            if (follows or better)(value, bv, is_max) or (takes_first and best is None):
                best = (child.name, *below)
            if better(value, bv, is_max) or (takes_first and best is None):
                bv = value
            may_cut = cuts_root or not is_root
            if may_cut and not asks_bounds and meets(bv, alpha, beta, is_max):
                break
            alpha, beta = narrow(alpha, beta, bv, value, is_max)
            if may_cut and asks_bounds and meets(alpha if is_max else beta, alpha, beta, is_max):
                break
        return bv, best or ()

    return search


def best_line_with(
    *,
    pick: Callable[[Any, Line], Any] = lambda root, line: line,
    instead: Search | None = None,
    **faults: Any,
) -> Search:
    search = line_searching(**faults)

    def best_line(root: Any) -> tuple[Number, Any]:
        value, line = search(root, -inf, inf)
        return value, pick(root, line)

    return instead or best_line


def best_move_with(**faults: Any) -> Search:
    return best_line_with(**{"pick": lambda root, line: line[0] if line else None} | faults)


def value_and_name(value: Any) -> tuple[Number, str] | None:
    pair = value if isinstance(value, list | tuple) and len(value) == 2 else (None, None)
    return (pair[0], pair[1]) if isinstance(pair[0], int | float) and isinstance(pair[1], str) else None


def value_and_line(value: Any) -> tuple[Number, Line] | None:
    number, line = value if isinstance(value, list | tuple) and len(value) == 2 else (None, None)
    if not isinstance(number, int | float) or not isinstance(line, list | tuple):
        return None
    return (number, tuple(line)) if all(isinstance(name, str) for name in line) else None


def without_leaves_of_wins(tree: Tree, run: Observation) -> Observation:
    """Drop the leaves read where a win may end the search at the root, but need not."""
    return replace(run, leaves=(), details=None) if any(isinf(leaf.value or 0) for leaf in tree.leaves()) else run


def show_choice(choice: tuple[Number, Any]) -> str:
    value, move = choice
    return f"({number(value)}, {list(move) if isinstance(move, tuple) else repr(move)})"


def revalued(tree: Tree, value: Callable[[Node], Number | None]) -> Tree:
    """Return the tree with other values, static values at inner nodes among them."""

    def long_form(node: Node) -> Any:
        if node.is_leaf:
            return value(node)
        children = list(map(long_form, node.children))
        return {"children": children, "to_move": "max" if node.is_max else "min", "value": value(node)}

    return Tree(long_form(tree.root), to_move="max" if tree.root.is_max else "min")


@lru_cache(5_000)
def with_wins(tree: Tree) -> Tree:
    """Return the tree as a game: won by MAX (∞), won by MIN (−∞) or drawn (0)."""
    return revalued(tree, lambda node: inf if node.value and node.value > 0 else -inf if node.value else node.value)


LAST_OF_EQUALS: Table = {
    "the last of equals": [
        {"better": as_good},
        {"better": as_good, "cuts_root": False},
        {"better": as_good, "hand_down": full_at_root},
        {"better": as_good, "plays_max": lambda node, above: above is None or node.is_max},
    ]
}


def one_name(root: Any) -> tuple[Number, str | None]:
    """One name for all nodes: each writes its child's name there when it finds something better."""
    name: str | None = None

    def search(node: Any, alpha: Number, beta: Number) -> Number:
        nonlocal name
        if node.is_leaf:
            return node.value  # type: ignore[no-any-return]
        bv = -inf if node.is_max else inf
        for child in node.children:
            value = search(child, *narrow(alpha, beta, bv, bv, node.is_max))
            if better(value, bv, node.is_max):
                bv, name = value, child.name
            if reached(bv, alpha, beta, node.is_max):
                break
        return bv

    return search(root, -inf, inf), name


def best_of_pairs(root: Any) -> tuple[Number, str]:
    search = searching()
    return (max if root.is_max else min)((search(child, -inf, inf), child.name) for child in root.children)


def last_name(root: Any, line: Line) -> str | None:
    return line[-1] if line else None


BEST_MOVE = exercise(
    "best-move",
    build=best_move_with,
    table={
        **LAST_OF_EQUALS,
        "no move where all lose": {"takes_first": False},
        "the move searched last": [{"follows": always(True)}, {"follows": always(True), "cuts_root": False}],
        "the name decides": {"instead": best_of_pairs},
        "the leaf's name": [{"pick": last_name}, {"pick": last_name, "takes_first": False}],
        "one name for all nodes": {"instead": one_name},
        "the root's own name": {"pick": lambda root, line: root.name},
        "the largest, whoever moves": {"plays_max": lambda node, above: above is None or node.is_max},
        "the worst move": {"plays_max": lambda node, above: node.is_max == (above is not None)},
        **rows(ALPHABETA, "a full window at every root move", "minimax", "strict", "right to left"),
    },
    cases=(Case(), Case(dress=with_wins)),
    form=value_and_name,
    form_words="a pair (value, name of a child), as (3, 'B')",
    settle=without_leaves_of_wins,
    show=show_choice,
    expected="a function that returns (value, name)",
    right_run=trace,
)

BEST_LINE = exercise(
    "best-line",
    build=best_line_with,
    table={
        **LAST_OF_EQUALS,
        "no line where all lose": {"takes_first": False},
        "the line searched last": {"follows": always(True)},
        "backwards": {"pick": lambda root, line: line[::-1]},
        "only the first move": {"pick": lambda root, line: line[:1]},
        "the root in front": {"pick": lambda root, line: (root.name, *line)},
        "the leaf left out": {"pick": lambda root, line: line[:-1]},
        **rows(ALPHABETA, "minimax", "strict", "strict for one player", "right to left"),
    },
    cases=(Case(), Case(dress=with_wins)),
    form=value_and_line,
    form_words="a pair (value, list of names)",
    settle=without_leaves_of_wins,
    show=show_choice,
    expected="a function that returns (value, list of names)",
    right_run=trace,
)


# iterative deepening


@lru_cache(5_000)
def with_static_values(tree: Tree) -> Tree:
    """Return the tree with a value at every inner node: scattered, but always the same ones."""
    return revalued(tree, lambda node: node.value if node.is_leaf else (7 * (node.index + len(tree))) % 11 - 5)


def with_static(tree: Tree) -> str:
    """Return the tree in words, with the static values. The root's is never read."""
    static = [f"{number(node.value)} at {node.name}" for node in tree.nodes[1:] if not node.is_leaf]
    return f"{written(tree)} (static values: {', '.join(static)})" if static else written(tree)


def deepening_with(
    *,
    limits: Callable[[int], Sequence[int]] = lambda depth: range(1, depth + 1),
    window: Callable[[list[tuple[Number, Line]]], Bounds] = lambda before: (-inf, inf),
    line_of: Callable[[list[tuple[Number, Line]]], Line] = lambda before: before[-1][1] if before else (),
    **faults: Any,
) -> Search:
    search = line_searching(**faults)

    def deepening(root: Any, depth: int) -> list[tuple[Number, Line]]:
        passes: list[tuple[Number, Line]] = []
        for limit in limits(depth):
            passes.append(search(root, *window(passes), limit, line_of(passes)))
        return passes

    return deepening


def first_at_root(children: Sequence[Any], line: Line, is_root: bool) -> Sequence[Any]:
    return line_first(children, line, is_root) if is_root else children


def only_line(children: Sequence[Any], line: Line, is_root: bool) -> Sequence[Any]:
    return [child for child in children if child.name in line] or children


def swapped_to_front(children: Sequence[Any], line: Line, is_root: bool) -> Sequence[Any]:
    swapped = list(children)
    for place, child in enumerate(children):
        if child.name in line:
            swapped[0], swapped[place] = child, swapped[0]
    return swapped


def passes(value: Any) -> tuple[tuple[Number, Line], ...] | None:
    each = tuple(map(value_and_line, value)) if isinstance(value, list | tuple) else (None,)
    return None if None in each else each  # type: ignore[return-value]


def values_read(tree: Tree, run: Observation) -> tuple[str, str]:
    return "reads the values of", f"the nodes {', '.join(run.leaves)}" if run.leaves else "no node"


DEEPENING = exercise(
    "deepening",
    build=deepening_with,
    table={
        "left to right in every pass": {"arrange": lambda children, line, is_root: children},
        "the line first at the root only": {"arrange": first_at_root},
        "the first line for ever": {"line_of": lambda before: before[0][1] if before else ()},
        "swapped to the front": {"arrange": swapped_to_front},
        "only the line": {"arrange": only_line},
        "the line last": {"arrange": lambda children, line, is_root: line_first(children, line, is_root)[::-1]},
        "only the last pass": {"limits": lambda depth: [depth]},
        "one pass too few": {"limits": lambda depth: range(1, depth)},
        "one move too deep": {"limits": lambda depth: range(2, depth + 2)},
        "a pass of depth 0": {"limits": lambda depth: range(depth + 1)},
        "0 at the limit": {"static": lambda node: 0},
        "the value of one pass as α of the next": {"window": lambda before: (before[-1][0] if before else -inf, inf)},
        **LAST_OF_EQUALS,
        **rows(ALPHABETA, "minimax", "strict", "right to left"),
    },
    # with two passes first: a fault shows on a small tree, and so does what the second pass makes of the first
    cases=tuple(Case((depth,), f" with depth = {depth}", with_static_values, with_static) for depth in (2, 1, 3, 4)),
    trees=smallest_trees,
    far=False,
    how="values",
    form=passes,
    form_words="a list of pairs (value, list of names)",
    show=lambda several: f"[{', '.join(map(show_choice, several))}]",
    describe=values_read,
    expected="a function f(root, depth)",
)


# aspiration

WIDER, IDLE, REPEATED, UNPROVEN = "wider", "idle", "repeated", "unproven"


def aspiration_with(
    *,
    first: Callable[[Number, Number], Bounds] = lambda guess, delta: (guess - delta, guess + delta),
    low: Callable[[Number, Number], bool] = le,
    high: Callable[[Number, Number], bool] = ge,
    below: Callable[[Number, Number], Bounds] = lambda alpha, beta: (-inf, beta),
    above: Callable[[Number, Number], Bounds] = lambda alpha, beta: (alpha, inf),
    inside: Callable[[Any, Number], Number] = lambda again, value: value,  # what is done with a value in the window
    instead: Search | None = None,
) -> Search:
    """Return aspiration with at most one more search, or with a switch turned a way to get it wrong."""

    def aspiration(root: Any, search: Any, guess: Number, delta: Number) -> Number:
        alpha, beta = first(guess, delta)
        value: Number = search(root, alpha, beta)
        if low(value, alpha):
            return search(root, *below(alpha, beta))  # type: ignore[no-any-return]
        if high(value, beta):
            return search(root, *above(alpha, beta))  # type: ignore[no-any-return]
        return inside(lambda: search(root, -inf, inf), value)

    return instead or aspiration


def until_inside(root: Any, search: Any, guess: Number, delta: Number) -> Number:
    """Widen the window until the value lies between the bounds, which ±∞ never does."""
    alpha, beta = guess - delta, guess + delta
    while True:
        value: Number = search(root, alpha, beta)
        if alpha < value < beta:
            return value
        delta *= 2
        alpha, beta = (guess - delta, beta) if value <= alpha else (alpha, guess + delta)


def narrower(known: Bounds, value: Number, low: Number, high: Number) -> Bounds:
    """Return what is known after a search: value ≤ low is an upper bound only, value ≥ high a lower bound only."""
    least, most = known
    return max(least, value) if value > low else least, min(most, value) if value < high else most


def kinds_of_searches(tree: Tree, run: Observation) -> Observation:
    """Keep of the searches the first window, whether each later one could find anything new, and whether the value is
    proven in the end. Widening bit by bit or all at once are both right."""
    kinds: list[Any] = []
    known = asked = (-inf, inf)  # the value lies between these; the same where only a fail-hard value is kept
    before: list[Number] = []
    for low, high, value in run.details or ():
        proven = known[0] == known[1]
        kind: Any = (low, high)
        if before:
            new = not proven and low < asked[1] and high > asked[0]
            kind = REPEATED if [low, high] == before else WIDER if new else IDLE
        # Where ±∞ is known to be the value, wherever the bound was, searching on is as right as not.
        if not (proven and isinf(known[0])) and kinds[-1:] != [kind]:
            kinds.append(kind)
        known = narrower(known, value, low, high)
        asked = narrower(asked, min(max(value, low), high), low, high)
        before = [low, high]
    if known[0] != known[1] and run.value is not None:
        kinds.append(UNPROVEN)
    return replace(run, leaves=tuple(kinds))


def windows(tree: Tree, run: Observation) -> tuple[str, str]:
    listed = ", ".join(f"({number(low)}, {number(high)})" for low, high, _ in run.details or ()) or "no window"
    return "searches with", listed + (", and then does not know the value" if UNPROVEN in run.leaves else "")


def guessed(guess: Number, delta: Number, **dress: Any) -> Case:
    return Case((guess, delta), f" with guess = {number(guess)} and delta = {number(delta)}", **dress)


def same_window(alpha: Number, beta: Number) -> Bounds:
    return alpha, beta


ASPIRATION = exercise(
    "aspiration",
    build=aspiration_with,
    table={
        "no second search": {"low": never, "high": never},
        "a bound taken for the value": {"low": lt, "high": gt},
        "fails low unseen": {"low": never},
        "fails high unseen": {"high": never},
        "the wrong side opened": {"below": lambda alpha, beta: (alpha, inf), "above": lambda alpha, beta: (-inf, beta)},
        "the same window again": {"below": same_window, "above": same_window},
        "widened once": {
            "below": lambda alpha, beta: (2 * alpha - beta, beta),
            "above": lambda alpha, beta: (alpha, 2 * beta - alpha),
        },
        "endless at a win": {"instead": until_inside},
        "the full window at once": {"first": lambda guess, delta: (-inf, inf)},
        "the full window always": {"inside": lambda again, value: again()},
        "the guess for an end of the window": {"first": lambda guess, delta: (guess, guess + delta)},
    },
    cases=(guessed(0, 2), guessed(3, 1), guessed(0, 2, dress=with_wins)),
    bases=({},),
    trees=smallest_trees,
    far=False,
    how="aspiration",
    settle=kinds_of_searches,
    describe=windows,
    expected="a function f(root, search, guess, delta)",
)


# the best order of the children
#
# To be sure of the value v of the root, a search needs one proof that it is at least v and one that it is at most v.
# The two share one leaf, the end of the line. Where each proof is smallest is decided node by node.

VALUE = minimax_with()


def fewest_leaves(tree: Tree) -> int:
    """Return how many leaves alpha-beta reads in the best order of the children. Leaves are finite."""
    value = VALUE(tree.root)
    return proof(tree.root, value, True) + proof(tree.root, value, False) - 1


def proof(node: Any, value: Number, at_least: bool) -> int:
    """Return in how few leaves a node's value is seen to be at least (or at most) `value`, which is true of it."""
    if node.is_leaf:
        return 1
    if node.is_max != at_least:  # the other player chooses: it has to be proven of every child
        return sum(proof(child, value, at_least) for child in node.children)
    enough = [child for child in node.children if (VALUE(child) >= value if at_least else VALUE(child) <= value)]
    return min(proof(child, value, at_least) for child in enough)


def leaves_in_order(tree: Tree, run: Observation) -> Observation:
    """Return the run with the number of leaves that alpha-beta reads in the order returned as its value."""
    order = run.value
    if order is None:
        return replace(run, leaves=())
    for name, names in order.items():
        where = f"it orders the children of {brief(name)}"
        if name not in tree or (tree[name].is_leaf and names):
            return Observation(None, problem=f"{where}; expected the name of an inner node")
        children = [child.name for child in tree[name].children]
        if sorted(map(str, names)) != sorted(children):
            return Observation(None, problem=f"{where} as {brief(list(names))}; expected each of {children} once")
    arranged = tree.reordered(lambda node: [tree[name] for name in order.get(node.name, ())] or list(node.children))
    return Observation(len(observe(searching(), Job(arranged, (-inf, inf))).leaves))


def names_by_node(value: Any) -> Mapping[str, Sequence[str]] | None:
    is_order = isinstance(value, Mapping) and all(isinstance(names, list | tuple) for names in value.values())
    return value if is_order else None


def order_with(
    *, key: Callable[[Any, bool], Any] | None = None, instead: Callable[[Any], dict[str, list[str]]] | None = None
) -> Search:
    """Return a function that sorts every node's children by key(child, is_max); by the cost of a proof, if not told."""

    def best_order(root: Any) -> dict[str, list[str]]:
        value = VALUE(root)

        def cost(child: Any, is_max: bool) -> Number:
            enough = VALUE(child) >= value if is_max else VALUE(child) <= value
            return proof(child, value, is_max) if enough else inf

        by, order, nodes = key or cost, {}, [root]
        while nodes:
            node = nodes.pop()
            ranked = sorted(node.children, key=lambda child: by(child, node.is_max))
            order[node.name] = [child.name for child in ranked]
            nodes += [child for child in node.children if not child.is_leaf]
        return order

    return instead or best_order


def best_first(child: Any, is_max: bool) -> Number:
    return -VALUE(child) if is_max else VALUE(child)  # type: ignore[no-any-return]


def size(node: Any) -> int:
    return 1 if node.is_leaf else sum(map(size, node.children))


def only_root(root: Any) -> dict[str, list[str]]:
    order: dict[str, list[str]] = order_with(key=best_first)(root)
    return {root.name: order[root.name]}


BEST_ORDER = exercise(
    "best-order",
    build=order_with,
    table={
        "as they stand": {"instead": lambda root: {}},
        "best first": {"key": best_first},
        "worst first": {"key": lambda child, is_max: -best_first(child, is_max)},
        "largest first": {"key": lambda child, is_max: -VALUE(child)},
        "smallest first": {"key": lambda child, is_max: VALUE(child)},
        "fewest leaves first": {"key": lambda child, is_max: size(child)},
        "best leaf first": {"key": lambda child, is_max: best_first(child, is_max) if child.is_leaf else inf},
        "only the root's children": {"instead": only_root},
    },
    cases=(Case(),),
    bases=({},),
    trees=smallest_trees,
    form=names_by_node,
    form_words="a dictionary {name: [names of its children]}",
    settle=leaves_in_order,
    show=lambda leaves: f"an order in which {count(leaves, 'leaf is read', 'leaves are read')}",
    expected="a function that returns a dictionary",
)

SEARCHES: tuple[SearchExercise, ...] = (
    *(WRITE_MINIMAX, TWO_FUNCTIONS, WRITE_ALPHABETA, BEST_MOVE, BEST_LINE, FAIL_HARD, NEGAMAX),
    *(ASPIRATION, DEEPENING, BEST_ORDER),
)
