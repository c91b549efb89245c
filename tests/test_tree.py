"""Trees: immutable, compared and copied as values, edited by making another, made at random."""

import copy
import pickle
from dataclasses import FrozenInstanceError
from math import inf

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from abviz import AbvizError, Tree
from abviz.tree.nested import Row
from tests import strategies


@pytest.fixture
def tree() -> Tree:
    nested = {"B": {"D": 3, "E": 5}, "C": {"F": {"I": {"M": 0, "N": 7}, "J": 5}, "G": {"K": 7, "L": 8}, "H": 4}}
    return Tree(nested, root="A", title="Figure 4.24", source="a page", note="a deep cut")


def deep() -> Tree:
    nested = 1
    for _ in range(999):
        nested = [nested, 2]
    return Tree(nested, title="deep")


# Looking around


def test_a_node_tells_what_a_student_asks(tree):
    root, leaf = tree.root, tree["M"]
    assert (root.name, root.is_leaf, root.is_max, root.value) == ("A", False, True, None)
    assert [child.name for child in root.children] == ["B", "C"]
    assert (leaf.name, leaf.is_leaf, leaf.is_max, leaf.value, leaf.children) == ("M", True, True, 0, ())


@given(strategies.trees(unknown=True))
def test_parents_children_and_places_agree(tree):
    for node in tree.nodes:
        assert tree.nodes[node.index] is node is tree[node.name]
        assert all(tree.parent(child) is node for child in node.children)
        below = [below for child in node.children for below in tree.below(child)]
        assert tree.below(node) == (node, *below)
    assert tree.below(tree.root) == tree.nodes


@pytest.mark.parametrize(
    "name", ["Z", "b", "", 0, None, "x" * 10**6, "\x1b[2J", "2", "0.0.0", "0.", "-1", "9" * 9999, "²"]
)
def test_an_unknown_node_is_refused_with_the_nearest(tree, name):
    with pytest.raises(AbvizError, match="unknown node") as caught:
        tree[name]
    assert len(str(caught.value)) < 200
    assert str(caught.value).isprintable()


def test_it_shows_itself(tree):
    assert repr(tree) == "<Tree 'Figure 4.24': 14 nodes, 8 leaves>"
    assert repr(Tree(5)) == "<Tree 1 node, 1 leaf>"
    assert repr(tree.root) == "<MAX node A: 2 children>"
    assert repr(tree["M"]) == "<MAX node M: value 0>"
    assert repr(Tree([None]).nodes[1]) == "<MIN node a1: value ?>"
    assert repr(Tree({"\x1b": inf}).nodes[1]) == "<MIN node ␛: value ∞>"


# It does not change


@pytest.mark.parametrize("name", ["title", "nodes", "root", "_parents", "anything"])
def test_a_tree_cannot_be_changed(tree, name):
    before = copy.copy(tree)
    with pytest.raises(AttributeError, match="cannot be changed"):
        setattr(tree, name, "x")
    with pytest.raises(AttributeError, match="cannot be changed"):
        delattr(tree, name)
    assert tree == before


@pytest.mark.parametrize("name", ["value", "name", "is_max", "children", "index", "anything"])
def test_a_node_cannot_be_changed(tree, name):
    with pytest.raises((FrozenInstanceError, AttributeError, TypeError)):
        setattr(tree["M"], name, 3)
    with pytest.raises((FrozenInstanceError, AttributeError, TypeError)):
        delattr(tree["M"], name)
    assert (tree["M"].name, tree["M"].value, tree["M"].is_max, tree["M"].children) == ("M", 0, True, ())


# As a value


def test_equal_trees_are_equal_and_others_are_not(tree):
    assert Tree([1, [2, 3]]) == Tree([1.0, (2, 3)])
    assert hash(Tree([1, [2, 3]])) == hash(Tree([1.0, (2, 3)]))
    others = [
        Tree([1, [3, 2]]),
        Tree([[1, 2], 3]),
        Tree([1, [2, 3]], to_move="min"),
        Tree([1, [2, 3]], root="R"),
        Tree([1, [2, 3]], title="x"),
        Tree([1, [2, 3]], source="x"),
        Tree([1, [2, 3]], note="x"),
        Tree([1, {"a": 2, "b": 3}]),
        Tree([1, {"children": [2, 3], "value": 0}]),
        Tree([1, {"children": [2, 3], "to_move": "max"}]),
        Tree([1, [2, None]]),
        tree,
        "a tree",
        None,
    ]
    assert all(Tree([1, [2, 3]]) != other for other in others)
    assert len(set(others)) == len(others)


@given(strategies.trees(unknown=True) | strategies.named_trees())
def test_pickled_and_copied_trees_are_equal(tree):
    for other in (pickle.loads(pickle.dumps(tree)), copy.copy(tree), copy.deepcopy(tree)):
        assert other == tree and hash(other) == hash(tree)
        assert other.nodes is not tree.nodes
        assert [node.index for node in other.nodes] == [node.index for node in tree.nodes]


def test_a_deep_tree_is_pickled_copied_compared_and_hashed():
    tree = deep()
    assert tree.levels == 1000
    for other in (pickle.loads(pickle.dumps(tree)), copy.copy(tree), copy.deepcopy(tree), deep()):
        assert other == tree and hash(other) == hash(tree)
    assert len(tree.path(tree.nodes[-1])) == 2
    assert len(tree.path(tree.nodes[999])) == 1000
    assert repr(tree) == "<Tree 'deep': 1,999 nodes, 1,000 leaves>"


# Another tree


@given(st.data(), strategies.trees(unknown=True), st.none() | strategies.WINS)
def test_with_value_is_the_tree_built_fresh(data, tree, value):
    node = data.draw(st.sampled_from(tree.nodes))
    rows = [
        Row(n.name, n.is_max, value if n is node else n.value, above.index if (above := tree.parent(n)) else -1)
        for n in tree.nodes
    ]
    assert tree.with_value(node.name, value) == Tree.from_rows(rows)
    assert tree.with_value(node.name, value).with_value(node.name, node.value) == tree


@pytest.mark.parametrize("value", ["6", True, float("nan"), [1], 10**400])
def test_with_value_refuses_what_is_no_number(tree, value):
    with pytest.raises(AbvizError, match=r"^at M: the value is .*; expected"):
        tree.with_value("M", value)


def test_reordered_turns_every_node_and_nothing_else(tree):
    other = tree.reordered(lambda node: node.children[::-1])
    assert "".join(node.name for node in other.nodes) == "ACHGLKFJINMBED"
    assert (other.title, other.source, other.note) == (tree.title, tree.source, tree.note)
    assert other["M"].value == 0 and other.parent(other["M"]).name == "I"
    titled = tree.reordered(lambda node: node.children, title="As it was")
    assert (titled.title, titled.source, titled.note) == ("As it was", tree.source, "")
    assert titled.nodes[-1].name == tree.nodes[-1].name
    assert "".join(node.name for node in tree.nodes) == "ABDECFIMNJGKLH"


@given(strategies.trees(unknown=True), st.randoms())
def test_reordered_keeps_every_node_its_parent_and_its_value(tree, chance):
    other = tree.reordered(lambda node: chance.sample(node.children, len(node.children)))
    for node in tree.nodes:
        moved = other[node.name]
        assert (moved.value, moved.is_max) == (node.value, node.is_max)
        assert {child.name for child in moved.children} == {child.name for child in node.children}
        assert (other.parent(moved) and other.parent(moved).name) == (tree.parent(node) and tree.parent(node).name)
    assert other.reordered(lambda node: sorted(node.children, key=lambda child: tree[child.name].index)) == tree


@pytest.mark.parametrize(
    "order",
    [
        lambda node: None,
        lambda node: node.children[1:],
        lambda node: node.children * 2,
        lambda node: [node] * len(node.children),
        lambda node: 3,
    ],
)
def test_reordered_refuses_what_are_not_the_children(tree, order):
    with pytest.raises(AbvizError, match=r"order\(A\) returned .*; expected a list of its children"):
        tree.reordered(order)


# At random


def test_a_random_tree_is_the_same_for_the_same_seed():
    assert Tree.random(7) == Tree.random(7)
    assert Tree.random(7) != Tree.random(8)
    assert Tree.random(7).title == "Random tree 7"
    three = numpy.int64(3)
    assert Tree.random(three, depth=three, leaves=[three, 9]) == Tree.random(3, depth=3, leaves=(3, 9))
    assert max(Tree.random(seed, depth=999, breadth=2).levels for seed in range(50)) > 20


@given(st.integers(), st.integers(0, 6), st.integers(0, 4), st.integers(-9, 9), st.integers(0, 9))
def test_a_random_tree_keeps_its_measures(seed, depth, breadth, low, more):
    tree = Tree.random(seed, depth=depth, breadth=breadth, leaves=(low, low + more))
    assert tree.levels <= depth + 1
    assert all(len(node.children) <= breadth for node in tree.nodes)
    assert all(low <= leaf.value <= low + more and isinstance(leaf.value, int) for leaf in tree.leaves())


@pytest.mark.parametrize(
    "measures",
    [
        {"depth": -1},
        {"depth": 1000},
        {"depth": 2.5},
        {"breadth": -1},
        {"breadth": "3"},
        {"leaves": (3, 2)},
        {"leaves": 3},
        {"leaves": (1, 2, 3)},
        {"leaves": ("1", "2")},
        {"leaves": (0.5, 2)},
        {"depth": 60, "breadth": 9},
        {"depth": 3, "breadth": 10**12},
        *({"seed": seed} for seed in ([], None, "1", 1.5)),
    ],
)
def test_a_random_tree_that_cannot_be_is_refused(measures):
    with pytest.raises(AbvizError, match="expected"):
        for seed in range(5):  # with one seed the tree may be a single leaf
            Tree.random(**{"seed": seed, **measures})
