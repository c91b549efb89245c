"""Trees written as YAML: every one loads again as the same tree, and a person can read it."""

import json
from math import inf

import pytest
import yaml
from hypothesis import assume, given
from hypothesis import strategies as st

from abviz import AbvizError, Tree, load, shipped
from abviz.tree.files import parse, to_yaml
from abviz.tree.nested import BadTree, Row

PATHS = ["2", "0.1", "3.2.1"]
LIKE_YAML = r"""No|on|null|~|true|007|1:30|0x1F|1e3|.inf|-.inf|2001-01-01|<<|=|1_000|children|to_move|value|tree|title
-|- a|?|? a|:|a:|a: b|#|a #b|[|]|{a: 1}|&a|*a|!a|!!str|>|%a|@a|`a|,|---|...|--- a|'|"|''|it's|"quoted"|\|\n|a\
 |  | a|a |é|é|שלום|😀|👩‍💻"""
BREAKING = "\n/\n\n/a\nb/ a\n b\n/a\n/\na/a\r\nb/\r/\x85/a\x85b/\u2028/\u2029"
UNSEEN = "\0/\x07/\x1b[31m/\x7f/\xa0/\t/a\tb/\ufeff/\ufffe/\ud800/\udfff/\ud83d\ude00/\u202eabc/\U0010ffff"
AWKWARD = [*LIKE_YAML.replace("\n", "|").split("|"), *BREAKING.split("/"), *UNSEEN.split("/")]
AWKWARD += [*PATHS, "|", "x" * 2000, "a b " * 60]
TEXT = st.sampled_from(AWKWARD) | st.text(st.characters(exclude_categories=()), min_size=1, max_size=20)
WHOLE_TEXT = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20)
VALUES = st.none() | st.integers() | st.floats(allow_nan=False) | st.sampled_from([inf, -inf, 10**300, 1e-300, 0.1])


@st.composite
def written_trees(draw, names=TEXT):
    """Nested lists and mappings, long forms and all, and the tree that they make."""

    def inner(below):
        children = st.lists(below, min_size=1, max_size=4) | st.dictionaries(names, below, min_size=1, max_size=4)
        extras = {"to_move": st.sampled_from(["max", "min"]), "value": VALUES}
        return children | st.fixed_dictionaries({"children": children}, optional=extras)

    nested = draw(st.recursive(VALUES, inner, max_leaves=12))
    head = {key: draw(names | st.just("")) for key in ("title", "source", "note")}
    head |= {"root": draw(st.just("root") | names), "to_move": draw(st.sampled_from(["max", "min"]))}
    try:
        return nested, head, Tree(nested, **head)
    except BadTree:
        assume(False)


@given(written_trees())
def test_what_is_written_loads_as_an_equal_tree(written):
    _, _, tree = written
    assert parse(to_yaml(tree)) == tree
    assert tree.to_yaml() == to_yaml(tree)


@given(written_trees(names=WHOLE_TEXT), st.booleans(), st.sampled_from([None, 2, "\t"]))
def test_the_same_as_json_loads_as_an_equal_tree(written, ascii_only, indent):
    nested, head, tree = written
    text = json.dumps({**head, "tree": nested}, ensure_ascii=ascii_only, indent=indent)
    assert parse(text, file="tree.json") == tree
    assert parse(text) == tree


@pytest.mark.parametrize("name", [name for name in AWKWARD if name not in PATHS], ids=lambda name: ascii(name)[:30])
def test_every_awkward_name_survives_everywhere(name):
    narrow = {"children": {name: {"children": {"a": 1, "b": [2, 3]}, "value": 4}, "c": None}}
    tree = Tree(narrow, root="A", title=name, source=name, note=name)
    assert parse(to_yaml(tree)) == tree
    wide = Tree({"children": {name: [[[1, 2, 3], [4, 5, 6]], [[7, 8, 9], [10, 11, 12]]], "c": None}}, root="A")
    assert parse(to_yaml(wide)) == wide
    rooted = Tree([1, {"x": 2}, [3]], root=name)
    assert parse(to_yaml(rooted)) == rooted


@pytest.mark.parametrize("name", PATHS)
def test_a_name_that_could_be_a_path_survives_where_it_is_none(name):
    for tree in (Tree({"a": 1, "b": {name: 2}}, root="root"), Tree(1, root=name)):
        assert parse(to_yaml(tree)) == tree


@given(written_trees())
def test_another_reader_of_yaml_finds_the_same_names(written):
    """PyYAML's own loader, which follows YAML 1.1, takes no name for a number, a date, a truth or nothing."""
    _, head, tree = written
    content = yaml.safe_load(to_yaml(tree))
    for key in ("title", "source", "note"):
        assert content.get(key, "") == head[key]
    assert content.get("root", "root") == head["root"]
    waiting, keys = [content["tree"]], set()
    while waiting:
        thing = waiting.pop()
        if isinstance(thing, dict):
            keys |= set(thing)
        if isinstance(thing, dict | list):
            waiting += thing.values() if isinstance(thing, dict) else thing
    named = {node.name for node in tree.nodes[1:]} - {path for path in paths(tree)}
    assert named <= keys


def paths(tree):
    path = {tree.root: ""}
    for node in tree.nodes:
        for number, child in enumerate(node.children):
            path[child] = f"{path[node]}.{number}".lstrip(".")
    return path.values()


# Readable


def test_it_reads_well():
    nested = {"B": {"D": 3, "E": 5}, "C": {"F": {"I": {"M": 0, "N": 7}, "J": 5}, "G": {"K": 7, "L": 8}, "H": 4}}
    tree = Tree(nested, root="A", title="Figure 4.24", source="where it comes from", note="a deep cut: at I")
    assert to_yaml(tree) == (
        "title: Figure 4.24\n"
        "source: where it comes from\n"
        "note: 'a deep cut: at I'\n"
        "to_move: max\n"
        "root: A\n"
        "tree:\n"
        "  B: {D: 3, E: 5}\n"
        "  C:\n"
        "    F: {I: {M: 0, N: 7}, J: 5}\n"
        "    G: {K: 7, L: 8}\n"
        "    H: 4\n"
    )


def test_unnamed_nodes_are_lists():
    tree = Tree([[[4, 6], [7, 9]], [[1, 2], [0, 1]], [[8, 1], [9, 2]]], to_move="min")
    assert to_yaml(tree) == ("to_move: min\ntree:\n- [[4, 6], [7, 9]]\n- [[1, 2], [0, 1]]\n- [[8, 1], [9, 2]]\n")
    assert to_yaml(Tree([3, 5])) == "to_move: max\ntree: [3, 5]\n"
    assert to_yaml(Tree(None)) == "to_move: max\ntree: null\n"


def test_the_long_form_is_used_where_it_is_needed_only():
    tree = Tree(
        {
            "B": {"to_move": "min", "children": [1, inf, -inf, None]},
            "C": {"to_move": "max", "children": [1, 2]},
            "D": {"value": -0.5, "children": {"x": 1}},
            "E": {"children": {"children": 3}},
        }
    )
    assert to_yaml(tree) == (
        "to_move: max\n"
        "tree:\n"
        "  B: [1, .inf, -.inf, null]\n"
        "  C: {to_move: max, children: [1, 2]}\n"
        "  D: {value: -0.5, children: {x: 1}}\n"
        "  E: {children: {children: 3}}\n"
    )


@pytest.mark.parametrize("name", shipped())
def test_the_shipped_trees_survive(name):
    tree = load(name)
    assert parse(tree.to_yaml()) == tree
    assert all(len(line) <= 100 for line in tree.to_yaml().splitlines())


def test_long_notes_are_broken_into_lines():
    tree = Tree([1], note="A note of many words, with: a colon. " * 20 + "End.")
    assert all(len(line) <= 100 for line in to_yaml(tree).splitlines())
    assert parse(to_yaml(tree)) == tree


# Large and deep


@pytest.mark.parametrize("width", [1, 2, 20])
def test_a_thousand_levels_survive_and_fit_into_a_file(width):
    nested = 1
    for _ in range(999):
        nested = [2] * (width - 1) + [nested]
    tree = Tree(nested)
    text = to_yaml(tree)
    assert len(text) < 1_000_000
    assert parse(text) == tree


def test_twenty_thousand_nodes_survive():
    tree = Tree({f"move {i}": [-i] * 998 for i in range(20)})
    assert len(to_yaml(tree)) < 1_000_000
    assert parse(to_yaml(tree)) == tree


# What a file cannot hold


def test_a_mirrored_tree_with_path_names_is_refused_rather_than_changed():
    mirrored = Tree.from_rows([Row("root", True, None, -1), Row("1", False, 5, 0), Row("0", False, 3, 0)])
    with pytest.raises(AbvizError, match=r"a tree file cannot hold this tree .*; expected") as caught:
        to_yaml(mirrored)
    assert len(str(caught.value).splitlines()) == 1
    named = Tree.from_rows([Row("root", True, None, -1), Row("b", False, 5, 0), Row("a", False, 3, 0)])
    assert parse(to_yaml(named)) == named == Tree({"b": 5, "a": 3})


def test_a_leaf_with_the_wrong_player_is_refused():
    with pytest.raises(AbvizError, match="cannot hold this tree"):
        to_yaml(Tree.from_rows([Row("root", True, None, -1), Row("0", True, 3, 0)]))


def test_names_that_are_paths_in_part_are_written_out():
    tree = Tree({"0": 1, "x": [2, 3], "2": 4})
    assert to_yaml(tree).splitlines()[1] == "tree: {'0': 1, x: [2, 3], '2': 4}"
    assert parse(to_yaml(tree)) == tree
