"""The listing of a tree by levels: the output of alpha-beta.cpp, and the same listing read back."""

import re
from collections import deque
from typing import Any

import pytest
from hypothesis import given, settings

from abviz import AbvizError, Rules, Tree, load, minimax, record, shipped, trace
from abviz.cli import main
from tests.strategies import trees

# What the program prints, as it prints it: a space ends the first line, ", " all others.
BEFORE = (
    "A=-1(MaxNode2) \n"
    "B=-1(MinNode2), C=-1(MinNode3), \n"
    "D=3(MaxNode0), E=5(MaxNode0), F=-1(MaxNode2), G=-1(MaxNode2), H=4(MaxNode0), \n"
    "I=-1(MinNode2), J=5(MinNode0), K=7(MinNode0), L=8(MinNode0), \n"
    "M=0(MaxNode0), N=7(MaxNode0), \n"
)
AFTER_MINMAX = (
    "A=4(MaxNode2) \n"
    "B=3(MinNode2), C=4(MinNode3), \n"
    "D=3(MaxNode0), E=5(MaxNode0), F=5(MaxNode2), G=8(MaxNode2), H=4(MaxNode0), \n"
    "I=0(MinNode2), J=5(MinNode0), K=7(MinNode0), L=8(MinNode0), \n"
    "M=0(MaxNode0), N=7(MaxNode0), \n"
)
ENTRY = re.compile(r"([^=]+)=([^(]+)\((Max|Min)Node(\d+)\),? ")


def read_back(listing: str) -> list[tuple[str, str, bool, int]]:
    """Return name, value, whether MAX moves, and number of children of each node, level by level.

    The number of children says how many entries the next line has.
    """
    entries = []
    expected = 1
    for line in listing.splitlines():
        found = ENTRY.findall(line)
        assert "".join(match.group() for match in ENTRY.finditer(line)) == line
        assert len(found) == expected
        expected = sum(int(children) for *_, children in found)
        entries += [(name, value, kind == "Max", int(n)) for name, value, kind, n in found]
    assert expected == 0
    return entries


def by_levels(tree: Tree) -> list[Any]:
    waiting = deque([tree.root])
    nodes = []
    while waiting:
        nodes.append(waiting.popleft())
        waiting.extend(nodes[-1].children)
    return nodes


def test_the_listing_is_that_of_the_program_byte_for_byte() -> None:
    tree = load("figure-4.24")
    assert tree.levels() == BEFORE
    assert trace(tree, search=minimax).levels() == AFTER_MINMAX
    assert trace(tree, search=minimax).levels(0) == BEFORE


@settings(max_examples=60, deadline=None)
@given(trees())
def test_a_listing_holds_the_whole_tree(tree: Tree) -> None:
    nodes = by_levels(tree)
    entries = read_back(tree.levels(unknown="?"))
    assert [entry[0] for entry in entries] == [node.name for node in nodes]
    assert [entry[2] for entry in entries] == [node.is_max for node in nodes]
    assert [entry[3] for entry in entries] == [len(node.children) for node in nodes]
    assert [entry[1] for entry in entries] == [str(n.value) if n.is_leaf else "?" for n in nodes]


@pytest.mark.parametrize("rules", [Rules(), Rules(strict=True, fail_hard=True)])
@pytest.mark.parametrize("name", ["figure-4.24", "worked-example", "two-min"])
def test_a_step_shows_what_has_returned_by_then(name: str, rules: Rules) -> None:
    t = trace(load(name), rules=rules)
    returned: dict[str, Any] = {}
    for step in range(len(t) + 1):
        returned |= {e.node.name: e.value for e in t.events_at(step) if e.kind == "exit"}
        shown = {entry[0]: entry[1] for entry in read_back(t.levels(step, unknown="?"))}
        for node in t.tree.nodes:
            value = node.value if node.is_leaf else returned.get(node.name, "?")
            assert shown[node.name] == str(value), (step, node)
    assert t.levels() == t.levels(len(t))


def test_minus_one_and_unknown_can_be_told_apart() -> None:
    t = trace(Tree([[-1, 2], [-3, 5]]), search=minimax)
    at_b = next(k for k in range(len(t)) if t[k].nodes["B"].value is not None)
    assert t.levels(at_b).startswith("A=-1(MaxNode2) \nB=-1(MinNode2), C=-1(MinNode2), ")
    assert t.levels(at_b, unknown="?").startswith("A=?(MaxNode2) \nB=-1(MinNode2), C=?(MinNode2), ")


def test_values_that_nobody_knows_and_names_that_hold_anything() -> None:
    tree = Tree({"B\n\x1b[31m": [None, 0.5], "C": [float("inf"), 3]})
    assert "\x1b" not in tree.levels()
    assert tree.levels().count("\n") == 3
    leaves = tree.levels(unknown="?").splitlines()[2]
    assert [value for _, value, *_ in ENTRY.findall(leaves)] == ["?", "0.5", "inf", "3"]


def test_a_recorded_run_lists_what_its_function_returned() -> None:
    def search(node: Any) -> Any:
        if node.is_leaf:
            return node.value
        values = [search(child) for child in node.children]
        return max(values) if node.is_max else min(values)

    assert record(search, load("figure-4.24")).levels() == AFTER_MINMAX


def test_a_step_that_is_not_there_is_refused() -> None:
    with pytest.raises(AbvizError, match="step is 99; expected 0"):
        trace(load("figure-4.24")).levels(99)


def test_the_command_prints_the_listing(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list", "figure-4.24", "--levels"]) == 0
    assert capsys.readouterr().out == BEFORE

    assert main(["list", "--levels"]) == 0
    listed = capsys.readouterr().out
    assert all(f"{name}:\n{load(name).levels()}" in listed for name in shipped())

    assert main(["list", "worked-example"]) == 0
    assert capsys.readouterr().out.split()[:3] == ["worked-example", "12", "leaves"]

    assert main(["list", "no-such-tree", "--levels"]) == 2
