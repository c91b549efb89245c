"""Random trees, rules and searches, small enough that ties, deep cuts and odd corners are common.

Some are made of choices that hypothesis makes one by one: these shrink well when a test fails. Most
come from a seed, and differ more from one to the next.
"""

from collections.abc import Callable, Sequence
from dataclasses import fields
from itertools import product
from math import inf
from random import Random
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st

from abviz import Rules, Tree, alphabeta, minimax
from abviz.tracing.traces import Trace, trace
from abviz.tree.nested import Row

RULES = tuple(each.name for each in fields(Rules))
ALL_RULES = [
    Rules(**dict(zip(RULES, switches, strict=True)))
    for switches in product((False, True), repeat=len(RULES))
]
# Random examples where each costs a picture or a stepper
FEWER = settings.default.max_examples // 4
Choose = Callable[[Sequence[Any]], Any]  # takes one of several

FEW = st.integers(-3, 4)
WINS = st.one_of(FEW, FEW, st.sampled_from([inf, -inf]))
STRANGE = st.text(
    st.one_of(
        st.sampled_from("\"'<>&\\\n\t\r\x1b\x00\x7f\x9b%{}[]|`$−∞αβ☃👩‍💻🎲✂️שלוםمرحبا́‮⁦\u2028\ufeff"),
        st.characters(codec="utf-8"),
    ),
    min_size=1,
    max_size=8,
)


def chooser(draw: st.DrawFn) -> Choose:
    if draw(st.integers(0, 15)):
        return Random(draw(st.integers(0, 2**32))).choice
    return lambda options: draw(st.sampled_from(options))


def some_rules(choose: Choose) -> Rules:
    return Rules(**{name: choose([False, True]) for name in RULES})


def some_tree(choose: Choose, *, wins: bool, unknown: bool, static: bool, most: int) -> Tree:
    depth, breadth, top = (
        choose([4, 3, 5, 4, 5, 3, 6, 2, 1, 0]),
        choose([3, 2, 4]),
        choose([4, 9, 20]),
    )
    infinite = choose([0, 4]) if wins else 0  # one leaf in this many is a win
    room = most  # leaves that may still come

    def leaf() -> Any:
        if infinite and choose(range(infinite)) == 1:
            return choose([inf, -inf])
        if unknown and choose(range(7)) == 1:
            return None
        return choose(range(-1, top))

    def grow(left: int) -> Any:
        nonlocal room
        if not left or room <= 0 or (left < depth and choose(range(8)) == 1):
            room -= 1
            return leaf()
        width = choose(range(2 if left == depth else 1, breadth + 1))
        extras = {"to_move": choose(["max", "min"])} if choose(range(12)) == 1 else {}
        if static:
            extras["value"] = choose(range(top))
        children = [grow(left - 1) for _ in range(width)]
        return {"children": children, **extras} if extras else children

    return Tree(grow(depth), to_move=choose(["max", "min"]))


@st.composite
def rules(draw: st.DrawFn) -> Rules:
    return some_rules(chooser(draw))


@st.composite
def trees(
    draw: st.DrawFn,
    *,
    wins: bool = True,
    unknown: bool = False,
    static: bool = False,
    most: int = 40,
) -> Tree:
    """Uneven trees in which here and there a player moves twice in a row; with `wins` leaves may be
    ±∞, with `unknown` None, and with `static` every node has a value of its own, for depth limits.
    """
    return some_tree(chooser(draw), wins=wins, unknown=unknown, static=static, most=most)


@st.composite
def named_trees(draw: st.DrawFn, names: st.SearchStrategy[str] = STRANGE) -> Tree:
    """Trees with a name for every node."""
    plain = draw(trees(most=8))
    given = st.lists(names, min_size=len(plain), max_size=len(plain), unique=True)
    new = dict(zip((node.name for node in plain.nodes), draw(given), strict=True))
    above = [plain.parent(node) for node in plain.nodes]
    rows = [
        Row(new[node.name], node.is_max, node.value, parent.index if parent else -1)
        for node, parent in zip(plain.nodes, above, strict=True)
    ]
    return Tree.from_rows(rows, title=draw(names))


BOUNDS = [0, 3, -inf, inf, -2, 1, 2, 5, 8, 13]


def some_window(choose: Choose) -> tuple[float, float]:
    low = choose(BOUNDS)
    return (low, choose([high for high in BOUNDS if low < high])) if low < inf else (-inf, inf)


@st.composite
def traces(
    draw: st.DrawFn,
    *,
    tree: st.SearchStrategy[Tree] | None = None,
    narrow: bool = False,  # with windows other than (−∞, ∞)
    plain: bool = False,  # minimax too
) -> Trace:
    """A search of a tree, under any rules, here and there with a depth limit."""
    choose = chooser(draw)
    options: dict[str, Any] = {"rules": some_rules(choose)}
    if tree is None:
        depth = options["depth"] = choose([None, None, None, None, None, None, None, 3, 2, 4, 1, 0])
        searched = some_tree(choose, wins=True, unknown=False, static=depth is not None, most=40)
    else:
        searched = draw(tree)
    if plain and choose(range(4)) == 3:
        return trace(searched, search=minimax, early_stop=choose([False, True]), **options)
    if narrow and choose(range(4)) == 3:
        options["alpha"], options["beta"] = some_window(choose)
    return trace(searched, search=alphabeta, **options)


def mirrored(tree: Tree) -> Tree:
    """Return the tree with the children of every node the other way round, by its own walk."""
    rows: list[Row] = []

    def add(node, parent: int) -> None:
        index = len(rows)
        rows.append(Row(node.name, node.is_max, node.value, parent))
        for child in reversed(node.children):
            add(child, index)

    add(tree.root, -1)
    return Tree.from_rows(rows)


def comb(levels: int) -> Tree:
    """Return a tree of this many moves, with a leaf as the sibling of every inner node."""
    nested: object = 0
    for level in range(levels):
        nested = [nested, level % 7 - 3]
    return Tree(nested)


def random_tree(seed: int, depth: int = 5, breadth: int = 3) -> Tree:
    """Return the tree of that seed: up to `breadth` children at each node, leaves from 0 to 19."""
    random = Random(seed)

    def grow(deep: int) -> object:
        width = random.randint(0, breadth) if deep else 0
        return [grow(deep - 1) for _ in range(width)] or random.randint(0, 19)

    return Tree(grow(depth), title=f"Random tree {seed}")
