"""The searches to write: each exercise is a row with its stub, its reference, its known mistakes and its hints."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from math import inf, isinf
from typing import Any

from abviz.errors import Number, brief, count, number
from abviz.exercises.counterexamples import smallest_trees
from abviz.exercises.mistakes import (
    ALPHABETA,
    MINIMAX,
    Bounds,
    Search,
    clamped,
    minimax_with,
    mistake,
    named,
    narrow,
    others_bound,
    own_bound,
    reached,
    searching,
)
from abviz.exercises.observation import Job, Observation, observe
from abviz.exercises.search_exercise import Case, SearchExercise, takes_turns
from abviz.exercises.verdict import written
from abviz.tracing import algorithms
from abviz.tracing.algorithms import Rules
from abviz.tracing.traces import trace
from abviz.tree.model import Node, Tree

Line = tuple[str, ...]
Pass = tuple[Number, Line | str]

TO_MINIMAX = "minimax", "the window never narrows"  # without bounds that move nothing is cut

# searches for a value

WRITE_MINIMAX = SearchExercise(
    name="minimax",
    stub='''\
def minimax(node):
    """Return the value of the node, from MAX's side."""
    raise NotImplementedError("not written yet")
''',
    hints=(
        "What is the value of a leaf? And of a node whose children are leaves?",
        "The same question is asked at every node. Who can answer it for a child?",
        "Values are MAX's. Which of its children's values comes up to a MAX node, and which to a MIN node?",
    ),
    build=minimax_with,
    mistakes=MINIMAX,
    cases=(Case(),),
    bases=({},),
    right_run=partial(trace, search=algorithms.minimax),
)

WRITE_ALPHABETA = SearchExercise(
    name="alphabeta",
    stub='''\
def alphabeta(node, alpha, beta):
    """Return the value of the node; the same as minimax where it lies between α and β.

    Search children from left to right; cut when bv equals the bound (≥, ≤); return bv itself (fail-soft).
    """
    raise NotImplementedError("not written yet")
''',
    hints=(
        "Begin with your minimax, and only pass α and β down. Nothing changes so far.",
        "Which of the two bounds can a MAX node move, when, and who is the next to hear of it?",
        "When are the rest of a node's children of no interest to the player who moved there?",
        "α and β belong to the path from the root: what a node changes is for its own later children.",
    ),
    build=searching,
    mistakes=ALPHABETA,
    right_run=trace,
)

NOT_IN_TWO = "always from MAX", "negamax", "bv handed down for a bound"
CALLS = "Compare the calls in your two functions."

TWO_FUNCTIONS = SearchExercise(
    name="two-functions",
    stub='''\
def max_value(node, alpha, beta):
    """Return the value of a node where MAX is to move, or of a leaf. The players take turns: a child is MIN's.

    Search children from left to right; cut when bv equals the bound (≥, ≤); return bv itself (fail-soft).
    """
    raise NotImplementedError("not written yet")


def min_value(node, alpha, beta):
    """Return the value of a node where MIN is to move, or of a leaf. The players take turns: a child is MAX's."""
    raise NotImplementedError("not written yet")


two_functions = max_value, min_value
''',
    hints=(
        "Write max_value alone first, and let it read leaves only: no bounds, no min_value.",
        "min_value is max_value in a mirror. Put the two side by side: what is reversed in each line?",
        "α and β go down unchanged but for what a node has found itself. Which of the two can a MAX node move?",
        "The test in each function asks about the bound that the other player holds.",
    ),
    build=searching,
    mistakes=(
        mistake(
            "each calls itself",
            "max_value calls max_value and min_value calls min_value, so that one player makes all moves",
            f"Whose move is it at a child of a MAX node? {CALLS}",
            plays_max=lambda node, above: node.is_max if above is None else above,
        ),
        mistake(
            "min_value calls itself",
            "below a MIN node MIN makes all moves",
            f"Whose move is it at a child of a MIN node? {CALLS}",
            plays_max=lambda node, above: node.is_max and above is None,
        ),
        mistake(
            "max_value calls itself",
            "below a MAX node MAX makes all moves",
            f"Whose move is it at a child of a MAX node? {CALLS}",
            plays_max=lambda node, above: node.is_max or above is not None,
        ),
        mistake(
            "the test of MAX in min_value",
            "min_value ends when bv ≥ β, as max_value does",
            "At which bound may MIN stop: what has MAX been assured of, further up?",
            {"meets": lambda own, alpha, beta, is_max: own >= beta, "asks_bounds": False},
        ),
        mistake(
            "the bound of MAX in min_value",
            "min_value raises α, as max_value does, and β never falls",
            "Which of the two bounds says what MIN is assured of, and in which direction can it move?",
            narrow=lambda alpha, beta, bv, value, is_max: (max(alpha, bv), beta),
        ),
        *(each for each in ALPHABETA if each.name not in NOT_IN_TWO),
    ),
    fits=takes_turns,
    expected="a pair of functions (max_value, min_value)",
    right_run=trace,
)

FAIL_HARD = SearchExercise(
    name="fail-hard",
    stub='''\
def fail_hard(node, alpha, beta):
    """Alpha-beta as before, but an inner node returns its best value moved into the window it was called with:
    never less than α, never more than β. A leaf always returns its value.
    """
    raise NotImplementedError("not written yet")
''',
    hints=(
        "Fail-hard and fail-soft read the same leaves. Only what a node returns may differ.",
        "A fail-hard search never returns a number outside the window that it was called with.",
        "α or β may have moved since the node was entered. Which window counts?",
    ),
    build=lambda **faults: searching(**{"returned": clamped} | faults),
    mistakes=(
        mistake(
            "fail-soft",
            "a node returns its best value even where that lies outside its window",
            "Your search is called with the window (0, 1). Which numbers may a fail-hard search return then?",
            returned=lambda bv, alpha, beta, is_max: bv,
        ),
        mistake(
            "clamped where it cannot cut",
            "it clamps values that fail to reach the node's own bound, but not those that cut",
            "A value can leave the window at two ends. What do you return when a node cuts?",
            returned=own_bound,
        ),
        mistake(
            "clamped where it cuts",
            "it clamps values that cut, but not those that fail to reach the node's own bound",
            "A value can leave the window at two ends. What do you return when no child is good enough?",
            returned=others_bound,
        ),
        mistake(
            "the wrong bound",
            "it answers a value beyond one bound with the other one",
            "bv lies below α. Which number in the window is nearest to it?",
            returned=lambda bv, alpha, beta, is_max: beta if bv <= alpha else alpha if bv >= beta else bv,
        ),
        mistake(
            "always a bound",
            "it answers a value inside the window with a bound as well",
            "bv lies between α and β. What is known of the node's value then?",
            returned=lambda bv, alpha, beta, is_max: beta if bv >= beta else alpha,
        ),
        *named(ALPHABETA, "strict", "minimax", "strict for one player", "the test reversed", "only the parent's bound"),
        *named(ALPHABETA, "0 to begin with", "MAX and MIN swapped", "one child early", "right to left"),
    ),
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


NEGAMAX = SearchExercise(
    name="negamax",
    stub='''\
def negamax(node, alpha, beta):
    """Return what the node is worth to the player who moves there; α and β are that player's bounds, too.

    node.value of a leaf is from MAX's side; node.is_max says who is to move, at a leaf as well. The players take turns.
    Where MIN moves at the root, value and bounds are MIN's: a high number is good for MIN.
    Search children from left to right; cut when the best value equals β (≥); return the best value (fail-soft).
    """
    raise NotImplementedError("not written yet")
''',
    hints=(
        "Every number belongs to the player to move: value, α, β and what is returned. Write that next to each.",
        "What is good for one player is equally bad for the other: a number changes its sign at every move.",
        "Three things pass between a node and its child: α, β and the value. How does each change on the way?",
        "A leaf is the only place where one of MAX's numbers comes in. Who is to move there?",
    ),
    build=negamax_with,
    mistakes=(
        mistake(
            "leaves from MAX's side",
            "it returns a leaf's value unchanged, from MAX's side, whoever is to move there",
            "Values are MAX's. Who is to move at the leaf, and what is it worth to that player?",
            worth=lambda leaf, depth: leaf.value,
        ),
        mistake(
            "leaves from MIN's side",
            "it negates leaves where MAX is to move, and not the others",
            "Values are MAX's. At which leaves does the player to move see them with the opposite sign?",
            worth=lambda leaf, depth: -leaf.value if leaf.is_max else leaf.value,
        ),
        mistake(
            "value not negated",
            "it takes what a child returns unchanged, although that is its worth to the other player",
            "A child returns what it is worth to the player who moves there. What is that worth to you?",
            turn=lambda value: value,
        ),
        mistake(
            "window not negated",
            "a child receives α and β exactly as its parent has them",
            "You are sure of α. To the other player, is that a lower or an upper bound, and on what number?",
            hand_down=lambda alpha, beta: (alpha, beta),
        ),
        mistake(
            "window negated or swapped, not both",
            "a child receives a window in which the larger number comes first: (−α, −β) or (β, α)",
            "Write the window (2, 5) down as the other player sees it: which number comes first, and with which sign?",
            {"hand_down": lambda alpha, beta: (-alpha, -beta)},
            {"hand_down": lambda alpha, beta: (beta, alpha)},
        ),
        mistake(
            "α not raised",
            "children receive the α with which their parent began, not what it has found since",
            "After the first child you are sure of something. Where does the second child hear of it?",
            raises=False,
        ),
        mistake(
            "MIN minimises",
            "MIN nodes take the least, although every value there is MIN's own",
            "If each value is what the player to move gets out of it, which one does that player want?",
            choose=lambda node, best, value: max(best, value) if node.is_max or best == -inf else min(best, value),
        ),
        mistake(
            "from MAX's side",
            "it returns what the root is worth to MAX, also where MIN is to move",
            "Call it on a tree in which MIN moves first. For whom should a high number be good?",
            instead=searching(),
        ),
        mistake(
            "always from MAX",
            "it assumes that MAX moves at the root, whoever is to move",
            "How does a node say whose move it is?",
            worth=lambda leaf, depth: leaf.value if depth % 2 == 0 else -leaf.value,
        ),
        *named(ALPHABETA, "strict", "minimax", "right to left", "one child early"),
        *named(ALPHABETA, "the bound returned", "its own bound returned"),
        mistake(
            "0 to begin with",
            "the best value begins with 0, which may be better than all children",
            "What is the best of no values at all? Try a tree whose leaves are all bad for the player to move.",
            start=lambda is_max: 0,
        ),
    ),
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
    hand_down: Callable[..., Bounds] = lambda alpha, beta, bv, is_max, above: (alpha, beta),
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
            low, high = hand_down(alpha, beta, bv, is_max, above)
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


LAST_OF_EQUALS = mistake(
    "the last of equals",
    "of children that seem equally good it takes the last",
    "A child searched late may return only a bound. What do you know of it if that equals the best so far?",
    {"better": as_good},
    {"better": as_good, "cuts_root": False},
    {
        "better": as_good,
        "hand_down": lambda alpha, beta, bv, is_max, above: (-inf, inf) if above is None else (alpha, beta),
    },
    {"better": as_good, "plays_max": lambda node, above: above is None or node.is_max},
)
RIGHT_TO_LEFT = named(ALPHABETA, "right to left")
EQUALS_AND_LOSSES = """Of equally good children {takes} the first one searched, and the first child where all of
    them lose (−∞ for MAX, ∞ for MIN)."""


def one_name(root: Any) -> tuple[Number, str | None]:
    """One name for all nodes: each writes its child's name there when it finds something better."""
    name: str | None = None

    def noting(value: Number, bv: Number, is_max: bool) -> bool:
        return better(value, bv, is_max)

    def search(node: Any, alpha: Number, beta: Number) -> Number:
        nonlocal name
        if node.is_leaf:
            return node.value  # type: ignore[no-any-return]
        bv = -inf if node.is_max else inf
        for child in node.children:
            value = search(child, *narrow(alpha, beta, bv, bv, node.is_max))
            if noting(value, bv, node.is_max):
                bv, name = value, child.name
            if reached(bv, alpha, beta, node.is_max):
                break
        return bv

    return search(root, -inf, inf), name


def best_of_pairs(root: Any) -> tuple[Number, str]:
    search = searching()
    return (max if root.is_max else min)((search(child, -inf, inf), child.name) for child in root.children)


BEST_MOVE = SearchExercise(
    name="best-move",
    stub='''\
def best_move(node):
    """Return the pair (value, name): what the node is worth, and the name of the best child.

    Search as alpha-beta does, with the window (−∞, ∞). Take the first of equally good children, and the first child
    where all of them lose (−∞ for MAX, ∞ for MIN).
    """
    raise NotImplementedError("not written yet")
''',
    hints=(
        "The root does what every node does, and keeps one thing more. What?",
        "When the best value changes, the name changes with it, and at no other time.",
        "Write down value and name before the first child is searched, after it, and after one that is just as good.",
        "Try the tree [−∞, −∞]: some move has to be made.",
    ),
    build=best_move_with,
    mistakes=(
        LAST_OF_EQUALS,
        mistake(
            "no move where all lose",
            "it has no move where no child is better than the worst there is",
            "Every child is lost. Which of them is better than what you begin with, and what is the name until then?",
            takes_first=False,
        ),
        mistake(
            "the move searched last",
            "the name is that of the child searched last, not of the best one",
            "Two things are kept: the best value and whose it is. When does each of them change?",
            {"follows": lambda *_: True},
            {"follows": lambda *_: True, "cuts_root": False},
        ),
        mistake(
            "the name decides",
            "it compares whole pairs (value, name), so that the name decides between equally good children",
            "What does Python compare in two pairs whose values are the same?",
            instead=best_of_pairs,
        ),
        mistake(
            "the leaf's name",
            "the name is that of the leaf that the value comes from, not of a child of the root",
            "Your search passes a name up from node to node. Whose name should the root return?",
            {"pick": lambda root, line: line[-1]},
            {"pick": lambda root, line: line[-1] if line else None, "takes_first": False},
        ),
        mistake(
            "one name for all nodes",
            "there is one name for all nodes, and nodes further down overwrite it",
            "Who writes the name down: only the root, or every node that finds something better?",
            instead=one_name,
        ),
        mistake(
            "the root's own name",
            "the name is that of the root",
            "A move leads somewhere. Where does the best one lead?",
            pick=lambda root, line: root.name,
        ),
        mistake(
            "the largest, whoever moves",
            "it takes the largest value even where MIN is to move",
            "Try a tree in which MIN moves first. Which child does MIN want?",
            plays_max=lambda node, above: above is None or node.is_max,
        ),
        mistake(
            "the worst move",
            "it takes the child that is worst for the player to move",
            "At a MAX node, which child is the best, the largest or the smallest?",
            plays_max=lambda node, above: node.is_max == (above is not None),
        ),
        *named(ALPHABETA, "a full window at every root move", "minimax", "strict", "right to left"),
    ),
    cases=(Case(), Case(dress=with_wins)),
    form=value_and_name,
    form_words="a pair (value, name of a child), as (3, 'B')",
    settle=without_leaves_of_wins,
    show=show_choice,
    expected="a function that returns (value, name)",
    right_run=trace,
)

BEST_LINE = SearchExercise(
    name="best-line",
    stub='''\
def best_line(node, alpha=-float("inf"), beta=float("inf")):
    """Return the pair (value, line): what the node is worth, and the names of the nodes that both sides choose, from
    the child of this node down to a leaf.

    Search as alpha-beta does. The line takes the first searched of equally good children, and the first child where
    all of them lose (−∞ for MAX, ∞ for MIN). The line of a leaf is empty.
    """
    raise NotImplementedError("not written yet")
''',
    hints=(
        "What is the line of a leaf? And of a node whose children are leaves?",
        "A child returns its value and its line. What goes in front of that line, and when?",
        "The line changes when the best value does, and at no other time; a leaf's is empty.",
        "Try the tree [[−∞, −∞], −∞]: some move has to be made, at every node.",
    ),
    build=best_line_with,
    mistakes=(
        LAST_OF_EQUALS,
        mistake(
            "no line where all lose",
            "the line ends where no child is better than the worst there is",
            "Every child is lost. Which of them is better than what you begin with, and what is the line until then?",
            takes_first=False,
        ),
        mistake(
            "the line searched last",
            "the line is that of the child searched last, not of the best one",
            "Two things are kept: the best value and the line to it. When does each of them change?",
            follows=lambda *_: True,
        ),
        mistake(
            "backwards",
            "the line is written from the leaf up",
            "Read your line aloud, beginning with the move that is made first.",
            pick=lambda root, line: line[::-1],
        ),
        mistake(
            "only the first move",
            "the line ends after the first move",
            "A child knows how the game goes on from there. How do you hear of it?",
            pick=lambda root, line: line[:1],
        ),
        mistake(
            "the root in front",
            "the line begins with the node that is searched, not with its child",
            "Count the moves from the root to the leaf, and the names in your line.",
            pick=lambda root, line: (root.name, *line),
        ),
        mistake(
            "the leaf left out",
            "the line ends one move before the leaf",
            "Count the moves from the root to the leaf, and the names in your line.",
            pick=lambda root, line: line[:-1],
        ),
        *named(ALPHABETA, "minimax", "strict", "strict for one player", "right to left"),
    ),
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


DEEPENING = SearchExercise(
    name="deepening",
    stub='''\
def deepening(root, depth):
    """Return a list of pairs (value, line), one for each depth limit 1, 2, …, depth.

    Each pass is an alpha-beta of its own with the window (−∞, ∞), children from left to right, cutting on equality.
    A node as many moves below the root as the limit is worth its node.value, and so is a leaf; no other values are
    read. The line holds the names of the nodes that both sides choose, from the root's child on; of equally good
    children it takes the one searched first.
    From the second pass on the line of the pass before comes first: at the root and at each node on that line, its
    next node is searched before the other children, which keep their order.
    """
    raise NotImplementedError("not written yet")
''',
    hints=(
        "Write one pass first: your search for the best line, counting the moves that are left.",
        "A pass needs the limit and the line of the pass before. What line does the first pass get?",
        "A node is on the line if its parent is, and if it is the line's next node. Who can tell it so?",
        "Bringing one child to the front must leave the others in their order. What if it was the last?",
    ),
    build=deepening_with,
    mistakes=(
        mistake(
            "left to right in every pass",
            "every pass goes from left to right, and the result of the pass before is not used",
            "What do you know about the best move before the second pass begins?",
            arrange=lambda children, line, is_root: children,
        ),
        mistake(
            "the line first at the root only",
            "the best move of the pass before comes first, but below it the rest of the line does not",
            "The line has more than one move. At which nodes can the others be of use?",
            arrange=lambda children, line, is_root: line_first(children, line if is_root else (), is_root),
        ),
        mistake(
            "the first line for ever",
            "the line of the first pass comes first in all of them",
            "After which pass is the line that you search first known, and is there a later one?",
            line_of=lambda before: before[0][1] if before else (),
        ),
        mistake(
            "swapped to the front",
            "the line's child and the first one change places, so that the others do not keep their order",
            "Three children a, b, c, and c is on the line. In which order do you search them?",
            arrange=swapped_to_front,
        ),
        mistake(
            "only the line",
            "where there is a line it searches nothing else",
            "The line was best one move ago. Is it certain that it still is?",
            arrange=lambda children, line, is_root: [child for child in children if child.name in line] or children,
        ),
        mistake(
            "the line last",
            "it searches the nodes of the line after all others",
            "A good move narrows the window for those that come after it. When should it come?",
            arrange=lambda children, line, is_root: line_first(children, line, is_root)[::-1],
        ),
        mistake(
            "only the last pass",
            "there is one search with the whole depth, and no pass before it",
            "How many pairs should there be if depth is 3, and where does the first line come from?",
            limits=lambda depth: [depth],
        ),
        mistake(
            "one pass too few",
            "the passes end one short of the depth",
            "Which is the last limit of your loop if depth is 3?",
            limits=lambda depth: range(1, depth),
        ),
        mistake(
            "one move too deep",
            "every pass goes one move deeper than its limit says",
            "With the limit 1, whose values are read: those of the root's children, or of their children?",
            limits=lambda depth: range(2, depth + 2),
        ),
        mistake(
            "a pass of depth 0",
            "there is a pass before the first, with the limit 0",
            "Which is the first limit that the exercise asks for?",
            limits=lambda depth: range(depth + 1),
        ),
        mistake(
            "0 at the limit",
            "an inner node at the depth limit is worth 0, not its static value",
            "The search ends at a node that is not a leaf. What does the node say that it is worth?",
            static=lambda node: 0,
        ),
        mistake(
            "the value of one pass as α of the next",
            "the value of a pass becomes the α of the next one, although one move deeper it may be less",
            "One move deeper the value may be anything. What is MAX assured of when a pass begins?",
            window=lambda before: (before[-1][0] if before else -inf, inf),
        ),
        LAST_OF_EQUALS,
        *named(ALPHABETA, "minimax", "strict", "right to left"),
    ),
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
    low: Callable[[Number, Number], bool] = lambda value, alpha: value <= alpha,
    high: Callable[[Number, Number], bool] = lambda value, beta: value >= beta,
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


TWO_SIDES = "A guess may be wrong on two sides. Try one that is far too"

ASPIRATION = SearchExercise(
    name="aspiration",
    stub='''\
def aspiration(root, search, guess, delta):
    """Return the value of the root, using windows as narrow as possible.

    search(root, alpha, beta) is a fail-soft alpha-beta. Call it with (guess − delta, guess + delta) first. A value on
    a bound or beyond it is not yet the value of the root: search again, with a window open on that side, until it is.
    Search only for what is not known yet. Values may be −∞ or ∞.
    """
    raise NotImplementedError("not written yet")
''',
    hints=(
        "A search with the window (α, β) can end in three ways. Write down what you know after each.",
        "A value on the bound is not inside: what does a search that returns exactly β promise?",
        "Where the first search has shown that the value is at most α, what must the next one leave open?",
        "The last window has to hold every value that is left, ±∞ included. Must it be a loop?",
    ),
    build=aspiration_with,
    mistakes=(
        mistake(
            "no second search",
            "it returns what the first search returns, even where that is only a bound",
            "The window was (1, 3) and the search returned 5. What do you know of the value?",
            low=lambda *_: False,
            high=lambda *_: False,
        ),
        mistake(
            "a bound taken for the value",
            "it takes a value equal to a bound of the window for the value of the root",
            "The window was (1, 3) and the search returned 3. Which values may the root have?",
            low=lambda value, alpha: value < alpha,
            high=lambda value, beta: value > beta,
        ),
        mistake(
            "fails low unseen",
            "it searches again where the value is too high for the window, but not where it is too low",
            f"{TWO_SIDES} high.",
            low=lambda *_: False,
        ),
        mistake(
            "fails high unseen",
            "it searches again where the value is too low for the window, but not where it is too high",
            f"{TWO_SIDES} low.",
            high=lambda *_: False,
        ),
        mistake(
            "the wrong side opened",
            "it opens the window above where the value is below it, and the other way round",
            "The window was (1, 3) and the search returned 0. On which side of the window is the value?",
            below=lambda alpha, beta: (alpha, inf),
            above=lambda alpha, beta: (-inf, beta),
        ),
        mistake(
            "the same window again",
            "it searches again with the same window",
            "What should the second search be able to find that the first could not?",
            below=lambda alpha, beta: (alpha, beta),
            above=lambda alpha, beta: (alpha, beta),
        ),
        mistake(
            "widened once",
            "it widens the window once, and returns the result without looking where it lies",
            "How do you know that the second window was wide enough?",
            below=lambda alpha, beta: (2 * alpha - beta, beta),
            above=lambda alpha, beta: (alpha, 2 * beta - alpha),
        ),
        mistake(
            "endless at a win",
            "it widens the window until the value lies inside, which ±∞ never does",
            "What if the value is ∞? Between which two numbers does it lie?",
            instead=until_inside,
        ),
        mistake(
            "the full window at once",
            "the first search has the full window, so the guess saves nothing",
            "What is the guess for, and where does your first search make use of it?",
            first=lambda guess, delta: (-inf, inf),
        ),
        mistake(
            "the full window always",
            "it searches again with the full window even where the first search has found the value",
            "The window was (1, 3) and the search returned 2. What is still to be found out?",
            inside=lambda again, value: again(),
        ),
        mistake(
            "the guess for an end of the window",
            "the first window extends from the guess up, not to both sides of it",
            "The value may be a little less than the guess, too. Is that in your window?",
            first=lambda guess, delta: (guess, guess + delta),
        ),
    ),
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


BEST_ORDER = SearchExercise(
    name="best-order",
    stub='''\
def best_order(root):
    """Return a dictionary with the order in which to search the children of each node: {name: [names of its children]}.

    In that order alpha-beta, called with (−∞, ∞) and cutting on equality, must read as few leaves of the tree as any
    order allows. Nodes that are left out keep their order. You may look at the whole tree.
    """
    raise NotImplementedError("not written yet")
''',
    hints=(
        "Begin with the best child first at every node, and count the leaves that alpha-beta reads.",
        "Only the nodes on the line need their exact values. What has to be known of a node that is cut?",
        "Let v be the value of the root. At a node that will be cut, which of its children are good enough?",
        "Of several children that are good enough, some need fewer leaves for the proof. Count them from the leaves up.",
    ),
    build=order_with,
    mistakes=(
        mistake(
            "as they stand",
            "the children keep the order they have",
            "Which child should be searched first, if you could know all values?",
            instead=lambda root: {},
        ),
        mistake(
            "best first",
            "the best child comes first, even where another one would do and needs fewer leaves",
            "At a node that will be cut, does it take the best child, or one that is good enough? What does each cost?",
            key=best_first,
        ),
        mistake(
            "worst first",
            "the child that is worst for the player to move comes first",
            "A good first child makes the window narrow. Good for whom?",
            key=lambda child, is_max: -best_first(child, is_max),
        ),
        mistake(
            "largest first",
            "the largest value comes first even where MIN is to move",
            "Which child does MIN want to find first?",
            key=lambda child, is_max: -VALUE(child),
        ),
        mistake(
            "smallest first",
            "the smallest value comes first even where MAX is to move",
            "Which child does MAX want to find first?",
            key=lambda child, is_max: VALUE(child),
        ),
        mistake(
            "fewest leaves first",
            "the child with the fewest leaves below it comes first, whatever it is worth",
            "A small child is soon searched. Does what it returns make the others quicker?",
            key=lambda child, is_max: size(child),
        ),
        mistake(
            "best leaf first",
            "children are ordered by their values only where they are leaves",
            "An inner node has a value, too. How do you find it?",
            key=lambda child, is_max: best_first(child, is_max) if child.is_leaf else inf,
        ),
        mistake(
            "only the root's children",
            "only the children of the root are ordered; below it they stand as before",
            "Your order helps at the root. At which other nodes is there a choice?",
            instead=only_root,
        ),
    ),
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
