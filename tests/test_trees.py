"""The trees that ship: their golden traces, and what their sources and notes say of them."""

import re
from math import inf

import pytest

from abviz import load, minimax, shipped, trace
from tests.golden import FOLDER, golden
from tests.oracle import minimax_value

# The value and the line; the leaves' values in the order of the search, and how many leaves there
# are; the cuts: the bound that is hit, the node, what it skips, the witness
FACTS = {
    "worked-example": ("8 A D I i1", "4 6 7 1 2 8 1 9", 12, "β F f2 B; α C H A; β J j2 D"),
    "aima-5.2": ("3 A B b1", "3 12 8 2 14 5 2", 9, "α C c2 c3 A"),
    "paper-figure-2": ("5 A B D d2", "3 5 6 1 2", 8, "β E e2 B; α C G A"),
    "figure-4.24": ("4 A C H", "3 5 0 5 7 4", 8, "deep α I N A; β G L C"),
    "deep-cut": ("5 A B", "5 3", 3, "deep α E G A"),
    "last-child": ("4 A B b1", "4 6 5 3", 4, ""),
    "tied-root": ("5 A B b1", "5 8 7 5 5", 6, "α D d2 A"),
    "fails-low": ("5 A B D d1", "5 7 4", 5, "deep α H J A; α C G A"),
    "number-line": (
        "3 A B D H h1",
        "3 17 2 15 2 3",
        12,
        "α I i2 D; β E K B; deep α L l2 A; α C G A",
    ),
    "order-best": (
        *("19 A B E e1", "19 13 11 24 27 15 8 5 10 9 7", 27),
        "β F f2 f3 B; β G g2 g3 B; α C I J A; α D L M A",
    ),
    "order-worst": (
        *(
            "19 A B E e3",
            "2 3 26 6 12 22 7 9 10 1 16 25 4 18 21 5 8 15 14 23 27 17 20 24 11 13 19",
            27,
            "",
        ),
    ),
    "order-shuffled": (
        *("19 A B E e1", "9 7 10 3 2 26 6 22 14 27 23 19 11 13 20 8 5 15", 27),
        "β L l3 D; β F f2 f3 B; α C I J A",
    ),
    "min-root": ("5 A B D d1", "5 9 3 6 7", 8, "α E e2 B; β C G A"),
    "uneven": ("7 A B b1", "4 7 3 9 8 5", 10, "β D d3 B; α C E A"),
    "two-min": ("6 A B D d1", "6 9 7 8 8 4", 9, "α F f3 A; α C G A"),
}


def test_there_are_facts_and_a_golden_trace_for_every_tree_in_teaching_order():
    assert list(FACTS) == shipped()
    assert sorted(FACTS) == sorted(path.stem for path in FOLDER.iterdir())
    assert sorted(FACTS) == sorted(path.stem for path in (FOLDER.parents[1] / "trees").iterdir())


@pytest.mark.parametrize("name", shipped())
def test_the_facts_hold_and_the_trace_is_the_golden_one(name):
    tree, (line, read, leaves, cuts) = load(name), FACTS[name]
    t = trace(tree)
    assert f"{t.value} {' '.join(t.line)}" == line and t.value == minimax_value(tree.root)
    assert " ".join(map(str, t.leaf_values)) == read
    assert sum(1 for _ in tree.leaves()) == leaves == len(trace(tree, search=minimax).leaves)
    letters = {"alpha": "α", "beta": "β"}
    written = [
        f"{'deep ' * c.deep}{letters[c.kind]} {c.at} {' '.join(c.skipped)} {c.witness}"
        for c in t.cuts
    ]
    assert "; ".join(written) == cuts
    assert golden(name) == (FOLDER / f"{name}.txt").read_text("utf-8"), (
        "if this is intended: make golden"
    )


@pytest.mark.parametrize("name", shipped())
def test_every_tree_has_a_title_a_source_and_a_note(name):
    tree = load(name)
    assert 5 < len(tree.title) < 50 and "\n" not in tree.title
    assert tree.source and not tree.source.endswith(".")
    assert tree.note.endswith(".") and 2 <= tree.note.count(". ") + 1 <= 5
    assert len({load(other).title for other in shipped()}) == len(shipped())


def test_figure_4_24_is_the_tree_that_the_c_plus_plus_program_prints():
    tree = load("figure-4.24")
    values = {node.name: minimax_value(node) for node in tree.nodes}
    assert values == dict(
        zip("ABCDEFGHIJKLMN", [4, 3, 4, 3, 5, 5, 8, 4, 0, 5, 7, 8, 0, 7], strict=True)
    )
    sons = {node.name: len(node.children) for node in tree.nodes if not node.is_leaf}
    assert sons == {"A": 2, "B": 2, "C": 3, "F": 2, "G": 2, "I": 2}
    assert [name for name in "ABCDEFGHIJKLMN" if tree[name].is_max] == list("ADEFGHMN")
    assert trace(tree).best == "C"


def test_the_trees_are_those_of_their_sources():
    def lisp(node) -> str:
        return str(node.value) if node.is_leaf else f"({' '.join(map(lisp, node.children))})"

    for name, text in (
        ("worked-example", "(((4 6) (7 9)) ((1 2) (0 1)) ((8 1) (9 2)))"),
        ("paper-figure-2", "(((3 5) (6 9)) ((1 2) (0 -1)))"),
        ("number-line", "((((3 17) (2 12)) ((15) (25 0))) (((2 5) (3)) ((2 14))))"),
        ("fails-low", "(((5) (7)) ((((4) (1))) (6)))"),
        ("aima-5.2", "((3 12 8) (2 4 6) (14 5 2))"),
    ):
        assert lisp(load(name).root) == text


# What their notes say


def test_the_three_orders_are_one_tree():
    def sorted_tree(node):
        if node.is_leaf:
            return node.value
        return node.name, node.is_max, *sorted(map(sorted_tree, node.children))

    best, worst, shuffled = map(load, ("order-best", "order-worst", "order-shuffled"))
    assert sorted_tree(best.root) == sorted_tree(worst.root) == sorted_tree(shuffled.root)
    assert sorted(leaf.value for leaf in best.leaves()) == list(range(1, 28))
    assert [len(trace(tree).leaves) for tree in (best, shuffled, worst)] == [
        3**2 + 3**1 - 1,
        18,
        3**3,
    ]
    for tree, is_best in ((best, True), (worst, False)):
        for node in tree.nodes:
            values = [minimax_value(child) for child in node.children]
            assert values == sorted(values, reverse=node.is_max == is_best)


def test_the_worked_examples_notes_are_at_the_steps_of_the_assignments_four_pictures():
    tree = load("worked-example")
    t = trace(tree)
    pictures = {
        step: re.search(r"\((Picture \d) of the assignment\.\)$", note)[1]
        for step, note in tree.notes.items()
    }
    assert pictures == {10: "Picture 1", 17: "Picture 2", 32: "Picture 3", 54: "Picture 4"}

    first = t[10].nodes["E"]
    assert (first.alpha, first.beta, first.value) == (6, inf, 6)

    second = t.cut_at(17)
    assert (second.at, second.bv, second.beta, tree[second.skipped[0]].value) == ("F", 7, 6, 9)

    third = t.cut_at(32)
    assert (third.at, third.bv, third.alpha, third.saved) == ("C", 2, 6, 2)

    fourth = t[54].nodes["A"]
    assert (fourth.alpha, fourth.bv, t.line_at(54)[1]) == (8, 8, "D")
