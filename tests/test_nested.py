"""Nested lists as rows: what they become, and how everything unfit is refused."""

from fractions import Fraction
from math import inf, nan
from types import MappingProxyType

import numpy as np
import pytest

from abviz import AbvizError, Tree
from abviz.tree.nested import MOST_CHILDREN, MOST_LEVELS, MOST_NODES, BadTree, Row, read_rows


def refusal(nested, **options) -> BadTree:
    with pytest.raises(BadTree) as caught:
        Tree(nested, **options)
    assert isinstance(caught.value, AbvizError)
    assert len(str(caught.value).splitlines()) == 1
    assert "expected" in str(caught.value)
    assert len(str(caught.value)) < 250
    return caught.value


def chain(levels: int, end=1):
    for _ in range(levels - 1):
        end = [end]
    return end


# What fits


def test_rows_stand_parent_first_and_left_to_right():
    assert read_rows([[3, 5], 4], "max", "root") == [
        Row("root", True, None, -1),
        Row("0", False, None, 0),
        Row("0.0", True, 3, 1),
        Row("0.1", True, 5, 1),
        Row("1", False, 4, 0),
    ]


def test_a_mapping_names_its_children_and_a_list_leaves_them_their_path():
    names = [row.name for row in read_rows({"B": [3, {"x": 5}], "C": 4}, "max", "A")]
    assert names == ["A", "B", "0.0", "0.1", "x", "C"]


def test_the_players_alternate_unless_a_node_departs():
    tree = Tree([{"to_move": "min", "children": [1, [2]]}, {"to_move": "max", "children": [3]}], to_move="max")
    assert [tree[name].is_max for name in ("root", "0", "0.1", "0.1.0", "1", "1.0")] == [
        *(True, False, True, False),
        *(True, False),
    ]
    assert not Tree([1], to_move="min").root.is_max
    assert not Tree({"to_move": "min", "children": [1]}).root.is_max


def test_the_long_form_may_name_its_children_and_hold_a_value():
    tree = Tree({"children": {"children": {"children": [1, 2], "value": 7}, "value": 3}, "value": -1})
    assert [(node.name, node.value) for node in tree.nodes] == [
        ("root", -1),
        ("children", 7),
        ("0.0", 1),
        ("0.1", 2),
        ("value", 3),
    ]


def test_tuples_and_read_only_mappings_do_as_well():
    assert Tree((1, MappingProxyType({"x": (2,)}))) == Tree([1, {"x": [2]}])


def test_one_leaf_is_a_tree():
    assert [node.value for node in Tree(5).nodes] == [5]
    assert [node.value for node in Tree(None).nodes] == [None]


@pytest.mark.parametrize(
    "given, kept",
    [
        *[(3, 3), (-3.0, -3), (-0.0, 0), (0.5, 0.5), (None, None), (inf, inf), (-inf, -inf)],
        *[(1e15, 1e15), (1e300, 1e300), (10**300, 10**300), (Fraction(1, 2), 0.5), (Fraction(4, 2), 2)],
        *[(np.int64(3), 3), (np.float64(0.5), 0.5), (np.float32(2), 2), (np.float64(inf), inf)],
    ],
)
def test_a_value_is_an_int_a_float_or_nothing(given, kept):
    value = Tree([given]).nodes[1].value
    assert value == kept
    assert type(value) is type(kept)
    assert str(value) == str(kept)  # a whole number is shown as one, but 1e300 not with 301 digits


def test_an_explicit_name_may_be_the_path_of_its_own_place():
    assert [node.name for node in Tree({"0": 1, "x": 2}).nodes] == ["root", "0", "x"]


def test_the_limits_themselves_are_allowed():
    assert Tree(chain(MOST_LEVELS)).levels == MOST_LEVELS == 1_000
    assert len(Tree([1] * MOST_CHILDREN).root.children) == MOST_CHILDREN == 1_000
    assert len(Tree([[1] * 999] * 19 + [[1] * 998])) == MOST_NODES == 20_000


def test_a_list_that_stands_in_two_places_is_two_nodes():
    pair = [1, 2]
    assert [node.name for node in Tree([pair, pair]).nodes] == ["root", "0", "0.0", "0.1", "1", "1.0", "1.1"]


# What does not


@pytest.mark.parametrize(
    "leaf, what",
    [
        ("3", "text ('3')"),
        (b"3", "bytes"),
        (bytearray(b"3"), "bytearray"),
        (True, "true or false (True)"),
        (..., "left open (...)"),
        (np.True_, "bool"),
        (nan, "not a number (NaN)"),
        (np.float64(nan), "not a number (NaN)"),
        (1j, "complex"),
        (object(), "object"),
        ({1, 2}, "set"),
        (np.array([1, 2]), "ndarray"),
        pytest.param("x" * 10**6, "text ('xxx", id="a long text"),
        ("\x1b[2J", r"'\x1b[2J'"),
        (10**400, "beyond"),
        pytest.param(-(10**5000), "beyond", id="5,000 digits"),
        (Fraction(10**400), "beyond"),
    ],
)
def test_a_leaf_that_is_no_number_is_refused(leaf, what):
    bad = refusal([[1, 2], [3, leaf]])
    assert str(bad).startswith("at 1.1: the value is ")
    assert what in bad.problem
    assert bad.place == (1, 1)


@pytest.mark.parametrize("empty", [[], {}, (), {"children": []}, {"children": {}, "value": 3}])
def test_an_inner_node_without_children_is_refused(empty):
    bad = refusal([1, [2, empty]])
    assert bad.place == (1, 1)
    assert "without children; expected at least one" in bad.problem


@pytest.mark.parametrize("children", [3, None, "ab", True])
def test_children_that_are_none_are_refused(children):
    bad = refusal([{"children": children}])
    assert (bad.place, bad.key) == ((0,), "children")
    assert "expected a list or a mapping" in bad.problem


@pytest.mark.parametrize("to_move", ["Max", "", None, 1, True, [], chain(5000)])
def test_a_player_who_is_none_is_refused(to_move):
    bad = refusal([1], to_move=to_move)
    assert (bad.place, bad.key) == ((), "to_move")
    assert "expected max or min" in bad.problem
    if to_move is not None:
        bad = refusal([5, {"children": [1], "to_move": to_move}])
        assert (bad.place, bad.key) == ((1,), "to_move")


def test_a_stranger_in_the_long_form_is_refused():
    bad = refusal([{"children": [1], "max": True}])
    assert "'max' beside 'children'; expected only to_move and value" in bad.problem
    assert (bad.place, bad.key) == ((0,), "max")
    assert refusal([{"children": [1], "value": "high"}]).key == "value"


@pytest.mark.parametrize("name", ["", 3, None, True, (1, 2)])
def test_a_name_that_is_no_text_is_refused(name):
    assert "expected text" in refusal([1, {name: 3}]).problem
    assert "expected text" in refusal([1], root=name).problem


@pytest.mark.parametrize(
    "nested, place",
    [
        ({"A": 1, "B": {"A": 2}}, (1, 0)),
        pytest.param({"A": 1, "B": {"x" * 10**6: [{"x" * 10**6: 2}]}}, (1, 0, 0, 0), id="a long name"),
        ({"root": 1}, (0,)),
        ([{"1": 3}, 4], (1,)),  # whichever of the two stands later
        ({"1": 3, "b": 4}, (0,)),
        ([3, {"0": 4}], (1, 0)),
    ],
)
def test_two_nodes_of_one_name_are_refused(nested, place):
    assert refusal(nested).place == place


def test_a_root_with_the_path_name_of_a_node_below_is_refused():
    bad = refusal({"a": {"b": 1}}, root="0.0")
    assert bad.place == ()
    assert "'0.0' is the path name of another node" in bad.problem


def test_a_tree_beyond_the_limits_is_refused():
    assert "20,000 nodes" in refusal([[1] * 999] * 20).problem
    assert "1,000 levels" in refusal(chain(MOST_LEVELS + 1)).problem
    assert "1,001 children" in refusal([0, [1] * (MOST_CHILDREN + 1)]).problem


def test_a_list_that_holds_itself_is_refused():
    cycle = [1]
    cycle.append(cycle)
    assert "does it hold itself?" in refusal(cycle).problem
    wide = [1] * 20
    wide.extend([wide] * 20)
    refusal(wide)


def test_lists_that_share_their_parts_over_and_over_are_refused():
    bomb = [1] * 10
    for _ in range(50):
        bomb = [bomb] * 10
    assert "20,000 nodes" in refusal(bomb).problem
