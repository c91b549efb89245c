"""Trees, rules and searches by chance, small enough that ties, deep cuts and odd corners are common."""

from math import inf
from random import Random
from typing import Any

from hypothesis import strategies as st

from abviz import Rules, Tree, alphabeta, minimax
from abviz.nested import Row
from abviz.tracing import Trace, trace

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

rules = st.builds(
    Rules,
    strict=st.booleans(),
    test_first=st.booleans(),
    fail_hard=st.booleans(),
    right_to_left=st.booleans(),
    name_by_node=st.booleans(),
)


def nested(leaves: st.SearchStrategy[Any], *, static: bool = False, most: int = 24) -> st.SearchStrategy[Any]:
    """Uneven nested lists; here and there a node says who moves, so that a player may move twice in a row."""

    def inner(below: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
        children = st.lists(below, min_size=1, max_size=4)
        mover = st.sampled_from(["max", "min"])
        if static:
            return st.fixed_dictionaries({"children": children, "value": FEW}, optional={"to_move": mover})
        return st.one_of(children, children, st.fixed_dictionaries({"children": children, "to_move": mover}))

    return st.recursive(leaves, inner, max_leaves=most)


@st.composite
def grown(draw: st.DrawFn, wins: bool, unknown: bool, static: bool, most: int) -> Any:
    """Larger nested lists from a seed, in which deep cuts and skipped subtrees are common."""
    chance = Random(draw(st.integers(0, 2**32)))
    depth, breadth, top = draw(st.integers(3, 6)), draw(st.integers(2, 4)), draw(st.integers(2, 20))
    infinite = 0.1 if wins and chance.random() < 0.5 else 0
    room = most  # leaves that may still come

    def leaf() -> Any:
        if chance.random() < infinite:
            return chance.choice([inf, -inf])
        return None if unknown and chance.random() < 0.15 else chance.randint(0, top)

    def grow(left: int) -> Any:
        nonlocal room
        if not left or room <= 0 or (left < depth and chance.random() < 0.12):
            room -= 1
            return leaf()
        children = [grow(left - 1) for _ in range(chance.randint(2 if left == depth else 1, breadth))]
        says = {"to_move": chance.choice(["max", "min"])} if chance.random() < 0.08 else {}
        if static:
            says["value"] = chance.randint(0, top)
        return {"children": children, **says} if says else children

    return grow(depth)


@st.composite
def trees(draw: st.DrawFn, *, wins: bool = True, unknown: bool = False, static: bool = False, most: int = 40) -> Tree:
    """Small trees that shrink well, and larger ones; `static`: every node has a value of its own, for depth limits."""
    leaves = WINS if wins else FEW
    small = nested(st.none() | leaves if unknown else leaves, static=static, most=min(most, 16))
    shape = draw(st.one_of(small, grown(wins, unknown, static, most), grown(wins, unknown, static, most)))
    return Tree(shape, to_move=draw(st.sampled_from(["max", "min"])))


@st.composite
def named_trees(draw: st.DrawFn, names: st.SearchStrategy[str] = STRANGE) -> Tree:
    """Trees whose every node has a name, all different and none that looks like a path."""
    plain = draw(trees(most=8))
    given = st.lists(names, min_size=len(plain), max_size=len(plain), unique=True)
    new = dict(zip((node.name for node in plain.nodes), draw(given), strict=True))
    rows = [
        Row(new[node.name], node.is_max, node.value, -1 if above is None else above.index)
        for node in plain.nodes
        for above in [plain.parent(node)]
    ]
    return Tree.from_rows(rows, title=draw(names))


windows = st.tuples(WINS, WINS).filter(lambda pair: pair[0] < pair[1])


@st.composite
def traces(
    draw: st.DrawFn,
    *,
    tree: st.SearchStrategy[Tree] | None = None,
    narrow: bool = False,  # with windows other than (−∞, ∞)
    limits: bool = True,  # with depth limits
    plain: bool = False,  # minimax too
) -> Trace:
    """A search of a tree, under any rules."""
    depth = draw(st.none() | st.sampled_from([3, 2, 4, 1, 5, 0])) if limits and tree is None else None
    searched = draw(tree or trees(static=depth is not None))
    options: dict[str, Any] = {"rules": draw(rules), "depth": depth}
    if plain and draw(st.booleans()):
        return trace(searched, search=minimax, early_stop=draw(st.booleans()), **options)
    if narrow:
        alpha, beta = draw(windows)
        options |= {"alpha": alpha, "beta": beta}
    return trace(searched, search=alphabeta, **options)


def mirrored(tree: Tree) -> Tree:
    found: list[Row] = []

    def add(node, parent: int) -> None:
        index = len(found)
        found.append(Row(node.name, node.is_max, node.value, parent))
        for child in reversed(node.children):
            add(child, index)

    add(tree.root, -1)
    return Tree.from_rows(found)


def comb(levels: int) -> Tree:
    """A tree so many moves deep, with a leaf beside every inner node."""
    nested: object = 0
    for level in range(levels):
        nested = [nested, level % 7 - 3]
    return Tree(nested)
