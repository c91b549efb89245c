"""Trees: compared and copied as values, edited by making another."""

import copy
import pickle
from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from abviz import AbvizError, Tree, load
from abviz.tree.nested import Row
from tests import strategies

FIGURE = load("figure-4.24")


def test_a_node_has_what_a_student_asks_for():
    root, leaf = FIGURE.root, FIGURE["M"]
    assert (root.name, root.is_leaf, root.is_max, root.value) == ("A", False, True, None)
    assert [child.name for child in root.children] == ["B", "C"]
    assert (leaf.name, leaf.is_leaf, leaf.is_max, leaf.value, leaf.children) == (
        "M",
        True,
        True,
        0,
        (),
    )


@given(strategies.trees(unknown=True))
def test_parents_children_and_places_agree(tree):
    for node in tree.nodes:
        assert tree.nodes[node.index] is node is tree[node.name]
        assert all(tree.parent(child) is node for child in node.children)
        below = [below for child in node.children for below in tree.below(child)]
        assert tree.below(node) == (node, *below)
    assert tree.below(tree.root) == tree.nodes


@pytest.mark.parametrize(
    "name", ["Z", "", None, "x" * 10**6, "\x1b[2J", "2", "0.0.0", "0.", "-1", "9" * 9999, "²"]
)
def test_an_unknown_node_is_refused_with_the_nearest(name):
    with pytest.raises(AbvizError, match="unknown node") as caught:
        FIGURE[name]
    assert len(str(caught.value)) < 200 and str(caught.value).isprintable()


def test_it_shows_itself_and_a_node_cannot_be_changed():
    assert (
        repr(FIGURE).endswith(": 14 nodes, 8 leaves>") and repr(Tree(5)) == "<Tree 1 node, 1 leaf>"
    )
    assert (
        repr(FIGURE.root) == "<MAX node A: 2 children>"
        and repr(Tree([None]).nodes[1]) == "<MIN node a1: value ?>"
    )
    assert repr(Tree({"\x1b": inf}).nodes[1]) == "<MIN node ␛: value ∞>"
    for name in ("value", "name", "is_max", "children", "anything"):
        with pytest.raises((AttributeError, TypeError)):  # FrozenInstanceError is an AttributeError
            setattr(FIGURE["M"], name, "x")


def test_equal_trees_are_equal_and_others_are_not():
    assert Tree([1, [2, 3]]) == Tree([1.0, (2, 3)])
    assert hash(Tree([1, [2, 3]])) == hash(Tree([1.0, (2, 3)]))
    others = [
        Tree([1, nested])
        for nested in ([3, 2], {"a": 2, "b": 3}, [2, None], {"children": [2, 3], "value": 0})
    ]
    others += [
        Tree([1, {"children": [2, 3], "to_move": "max"}]),
        Tree([[1, 2], 3]),
        FIGURE,
        "a tree",
        None,
    ]
    options = {"to_move": "min", "root": "R", "title": "x", "source": "x", "note": "x"}
    others += [Tree([1, [2, 3]], **{name: value}) for name, value in options.items()]
    assert all(Tree([1, [2, 3]]) != other for other in others)
    assert len(set(others)) == len(others)


DEEP = strategies.comb(999)


@given(strategies.trees(unknown=True) | strategies.named_trees() | st.just(DEEP))
def test_pickled_and_copied_trees_are_equal(tree):
    for other in (pickle.loads(pickle.dumps(tree)), copy.copy(tree), copy.deepcopy(tree)):
        assert other == tree and hash(other) == hash(tree)
        assert other.nodes is not tree.nodes
        assert [node.index for node in other.nodes] == [node.index for node in tree.nodes]


def test_a_deep_tree_has_its_levels_and_paths():
    assert repr(DEEP) == "<Tree 1,999 nodes, 1,000 leaves>"
    assert len(DEEP.path(DEEP.nodes[-1])) == 2 and len(DEEP.path(DEEP.nodes[999])) == 1000


# Another tree


@given(st.data(), strategies.trees(unknown=True), st.none() | strategies.WINS)
def test_with_value_is_the_tree_built_fresh(data, tree, value):
    node = data.draw(st.sampled_from(tree.nodes))
    rows = [
        Row(
            n.name,
            n.is_max,
            value if n is node else n.value,
            above.index if (above := tree.parent(n)) else -1,
        )
        for n in tree.nodes
    ]
    assert tree.with_value(node.name, value) == Tree.from_rows(rows)
    assert tree.with_value(node.name, value).with_value(node.name, node.value) == tree


def test_what_does_not_belong_into_another_tree_is_refused():
    for value in ("6", True, float("nan"), [1], 10**400):
        with pytest.raises(AbvizError, match=r"^at M: the value is .*; expected"):
            FIGURE.with_value("M", value)
    for order in (lambda node: [], lambda node: node.children[1:], lambda node: node.children * 2):
        with pytest.raises(AbvizError, match=r"order\(A\) returned .*; expected all its children"):
            FIGURE.reordered(order)


@given(strategies.trees(unknown=True), st.randoms())
def test_reordered_keeps_every_node_its_parent_and_its_value(tree, random):
    other = tree.reordered(lambda node: random.sample(node.children, len(node.children)))
    for node in tree.nodes:
        moved = other[node.name]
        assert (moved.value, moved.is_max) == (node.value, node.is_max)
        assert {child.name for child in moved.children} == {child.name for child in node.children}
    assert (
        other.reordered(
            lambda node: sorted(node.children, key=lambda child: tree[child.name].index)
        )
        == tree
    )


def test_a_reordered_tree_keeps_its_texts_but_for_a_new_title():
    other = FIGURE.reordered(lambda node: node.children[::-1])
    assert "".join(node.name for node in other.nodes) == "ACHGLKFJINMBED"
    assert (other.title, other.source, other.note) == (FIGURE.title, FIGURE.source, FIGURE.note)
    titled = FIGURE.reordered(lambda node: node.children, title="As it was")
    assert (titled.title, titled.source, titled.note) == ("As it was", FIGURE.source, "")
