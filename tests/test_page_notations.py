"""Texts of trees are the same tree in the page as in Python, or refused by both; and what is
written is read again.
"""

from collections.abc import Iterator
from math import inf
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from abviz import AbvizError, Tree, load, shipped, trace
from abviz.exercises.verdict import written
from abviz.tree import notations
from abviz.tree.files import parse
from abviz.views.bundle import example_data, examples, tree_data
from abviz.views.modules import join
from tests import strategies
from tests.node import Node, running_node
from tests.notations import CASES, LONG, READ, REFUSED, expected, random_texts

READINGS = Path(__file__).parent / "page" / "readings.js"


@pytest.fixture(scope="module", params=["native", "joined"])
def reader(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Node]:
    """Node with the page's modules: as they stand, and joined as a browser gets them."""
    path = READINGS
    if request.param == "joined":
        path = tmp_path_factory.mktemp("joined") / "readings.mjs"
        path.write_text(join(READINGS), "utf-8")
    with running_node() as node:
        node.load(path)
        yield node


def readings(reader: Node, texts: list[str]) -> list[Any]:
    """Return of each text the rows of the tree that the page reads, or its message."""
    return list(reader.call("readings", texts))


def rows_of(tree: Tree) -> list[list[Any]]:
    """Return the rows as the page sends them: long numbers and infinities are texts."""
    return [list(row[:4]) for row in tree_data(tree)["rows"]]


def test_the_table_of_texts_is_read_alike(reader: Node) -> None:
    for case, rows in zip(
        CASES["values"], readings(reader, [case["text"] for case in CASES["values"]]), strict=True
    ):
        tree = parse(case["text"])
        searched = trace(tree)
        assert (searched.value, searched.best, [node.name for node in tree.nodes]) == expected(
            case
        ), case["text"]
        assert rows == rows_of(tree), case["text"]

    for text, rows in zip(READ, readings(reader, READ), strict=True):
        assert rows == rows_of(parse(text)), text

    for text, message in zip(REFUSED + LONG, readings(reader, REFUSED + LONG), strict=True):
        assert isinstance(message, str) and "expected" in message and "\n" not in message, text
        with pytest.raises(AbvizError):
            parse(text)


@pytest.mark.parametrize(
    ("reader", "number"),
    [
        pytest.param("native", 1500, id="native-some"),
        pytest.param("joined", 1500, id="joined-some", marks=pytest.mark.quick),
        pytest.param("joined", 40_000, id="joined-many", marks=pytest.mark.slow),
    ],
    indirect=["reader"],
)
def test_random_texts_are_the_same_tree_or_refused_by_both(reader: Node, number: int) -> None:
    texts = random_texts(number, seed=number)
    both = 0
    for text, answer in zip(texts, readings(reader, texts), strict=True):
        try:
            rows = rows_of(parse(text))
        except AbvizError:
            assert isinstance(answer, str), (text, answer)
            continue

        both += 1
        if isinstance(answer, str) and "2^53" not in answer and not notations.IS_DOT.match(text):
            with pytest.raises(notations.Unreadable):  # by YAML only
                notations.read(notations.split_notes(text)[0], {})
        elif not isinstance(answer, str):
            assert answer == rows, text
    assert both > number / 20


def test_a_copy_is_read_again_in_the_page_and_in_python(reader: Node) -> None:
    """All of the tree in YAML and JSON; in lists what they have room for."""
    trees: list[Tree] = []

    awkward = (
        st.sampled_from(["name", "value", "children", "tree", "B", "3", "max"]) | strategies.STRANGE
    )

    @settings(max_examples=60)
    @given(strategies.named_trees(names=awkward) | strategies.trees(unknown=True, static=True))
    def collect(tree: Tree) -> None:
        trees.append(tree)

    collect()
    trees += [
        Tree([inf, [-inf, [-1.5]]], to_move="min"),
        Tree({"children": {"name": 3, "value": 6}}),
        Tree({"B": {"value": 6}}),
    ]
    trees += [Tree([[[1e-7]]]), *map(load, shipped())]
    copies = reader.call("copies", [tree_data(tree) for tree in trees])
    texts = [
        (tree, format, text)
        for tree, each in zip(trees, copies, strict=True)
        for format, text in each
    ]
    for (tree, format, text), rows in zip(
        texts, readings(reader, [text for *_, text in texts]), strict=True
    ):
        is_leaf = len(tree) == 1
        if is_leaf and format not in ("YAML", "JSON"):
            continue  # a number alone is no list
        again = parse(text)
        assert rows == rows_of(again), (format, text)
        if format in ("YAML", "JSON"):
            assert rows == rows_of(tree), (format, text)
        else:
            assert [row[2:] for row in rows_of(again)] == [
                [None if node.children else row[2], row[3]]
                for node, row in zip(tree.nodes, rows_of(tree), strict=True)
            ]


def test_a_tree_in_a_message_is_read_again_in_the_page_and_in_python(reader: Node) -> None:
    random = Random(11)
    trees = [
        strategies.some_tree(random.choice, wins=True, unknown=True, static=False, most=9)
        for _ in range(150)
    ]
    trees += [
        strategies.some_tree(random.choice, wins=True, unknown=True, static=True, most=9)
        for _ in range(50)
    ]
    trees += [Tree({"X": [1, {"Y": 2, "Z": -3}], "W": 4}), Tree([[1, 2]], to_move="min")]
    names = ["a b", "a, b: 3", 'say "x"', "]", "\u202eabc", "é", "x" * 90, "null", "-", "\n"]
    trees += [Tree({name: [1, 2] for name in names}), Tree({"B": dict.fromkeys(names, 0), "C": 3})]
    trees = [tree for tree in trees if len(tree) > 1 and tree.root.value is None]
    assert len(trees) > 120
    texts = [written(tree) for tree in trees]
    for tree, text, rows in zip(trees, texts, readings(reader, texts), strict=True):
        assert parse(text).rows() == tree.rows(), text
        assert rows == rows_of(tree), text


AWKWARD = [
    "x y",
    "p, q",
    "f(",
    "g)",
    "a # b",
    "a;b",
    "3 at B",
    'say "x"',
    "children",
    "name",
    "value",
]


@pytest.mark.parametrize("name", AWKWARD)
def test_any_name_in_a_message_is_read_again(reader: Node, name: str) -> None:
    again = {"children": [1, 2], "to_move": "max", "value": 5}
    trees = [
        Tree({"children": {name: 1}}),
        Tree({"children": {name: 1, "C": 2}}),
        Tree({"children": {name: [1, 2], "C": 3}}),
        Tree({"children": {name: again, "C": [3, inf]}}),
        Tree({"B": {"children": {name: again}}, "C": 3}, to_move="min"),
        Tree({"children": {name: 3}, "value": -1}),
        Tree({"children": [3], "value": 1}),
        Tree({"children": [3, [None, -inf]], "value": 1}, root=name),
    ]
    texts = [written(tree) for tree in trees]
    for tree, text, rows in zip(trees, texts, readings(reader, texts), strict=True):
        assert parse(text).rows() == tree.rows(), text
        assert rows == rows_of(tree), text


def test_the_trees_of_the_course_are_in_the_page(reader: Node) -> None:
    texts = [example_data(tree)["text"] for tree in examples()]
    assert readings(reader, texts) == [rows_of(tree) for tree in examples()]


def test_numbers_from_2_to_the_53_on_are_refused_in_the_page(reader: Node) -> None:
    refused = [
        "[9007199254740992, 1]",
        "[-9007199254740993, 1]",
        "[1e16, 1]",
        "{B: [0x20000000000000, 1], C: 2}".replace("{", "{tree: {", 1) + "}",
    ]
    for text, answer in zip(refused, readings(reader, refused), strict=True):
        assert "expected a number below 2^53" in answer
        assert parse(text)
    exact = "[[9007199254740991, -9007199254740991], [1000000000000000, inf]]"
    assert readings(reader, [exact]) == [rows_of(parse(exact))]


def test_dot_is_read_in_python_only_and_the_page_says_so(reader: Node) -> None:
    (answer,) = readings(reader, ["// a tree\ndigraph T { r -> {p q}; p [label=6]; q [label=7] }"])
    assert answer.startswith("DOT is read in Python only") and "\n" not in answer
