"""The front page's tic-tac-toe plays and draws its trees as Python does, in Node."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from abviz import TicTacToe, trace
from abviz.errors import AbvizError
from abviz.games.position_tree import GameTree
from abviz.games.tic_tac_toe import FULL
from abviz.tree.annotations import annotations_of
from abviz.views.bundle import search_data, tree_data
from tests.node import Node, running_node

PAGE = Path(__file__).parent / "page" / "tic-tac-toe.js"
MOST_EMPTY = 6
DEPTH = 2


@pytest.fixture(scope="module")
def page() -> Iterator[Node]:
    with running_node() as node:
        node.load(PAGE)
        yield node


def empty_in(position: TicTacToe) -> int:
    return (FULL ^ position.x ^ position.o).bit_count()


@cache
def reachable() -> list[TicTacToe]:
    """Return every position that a game can reach with at most six empty squares."""
    known = {TicTacToe.start()}
    waiting = list(known)
    while waiting:
        position = waiting.pop()
        children = {position.play(move) for move in position.moves()} - known
        known |= children
        waiting += children
    return sorted(position for position in known if empty_in(position) <= MOST_EMPTY)


@cache
def full_search(position: TicTacToe) -> int:
    if position.over():
        return position.value()
    values = [full_search(position.play(move)) for move in position.moves()]
    return max(values) if position.is_max() else min(values)


def python_tree(position: TicTacToe) -> dict[str, Any]:
    """Return the position's tree as the page reads it, its leaves by full search."""
    tree = position.to_tree(DEPTH, fold=False, players=["you", "o"])
    ends = {leaf.name: full_search(tree.position(leaf.name)) for leaf in tree.leaves()}
    tree = GameTree.of(replace(tree.game, changed=ends))

    boards = annotations_of(tree).boards()
    assert boards
    return {
        **tree_data(tree),
        "search": search_data(trace(tree)),
        "boards": {**boards, "of": list(boards["of"])},
    }


def without_places(tree: dict[str, Any]) -> dict[str, Any]:
    return {name: fact for name, fact in tree.items() if name not in ("places", "top")}


def test_every_ending_has_the_rules_and_the_value_of_python(page: Node) -> None:
    positions = reachable()
    facts = page.call("factsOf", [position.cells for position in positions])
    for position, said in zip(positions, facts, strict=True):
        winner = {1: "x", -1: "o", 0: ""}[position.value()] if position.over() else ""
        assert said == {
            "moves": position.moves(),
            "isOver": position.over(),
            "winner": winner,
            "mover": "x" if position.is_max() else "o",
            "value": full_search(position),
        }, position.cells


def test_every_ending_has_the_tree_of_python(page: Node) -> None:
    positions = [position for position in reachable() if not position.over()]
    search = search_data(trace(positions[0].to_tree(DEPTH)))
    cells = [position.cells for position in positions]
    trees = page.call("treesOf", {"positions": cells, "search": search})
    for position, tree in zip(positions, trees, strict=True):
        assert without_places(tree) == python_tree(position), position.cells


def test_o_answers_as_well_as_can_be_and_wins_as_soon_as_can_be(page: Node) -> None:
    for_o = [position for position in reachable() if not position.over() and not position.is_max()]
    answers = page.call("bestMovesOf", [position.cells for position in for_o])
    for position, answer in zip(for_o, answers, strict=True):
        child = position.play(answer)
        assert full_search(child) == full_search(position), position.cells

        wins_at_once = any(position.play(move).value() == -1 for move in position.moves())
        assert not wins_at_once or child.over(), position.cells


@pytest.mark.parametrize("cells", ["", "xo", "x.......o.", "ooo......", "xxxoo.o..", "xyz......"])
def test_cells_that_no_game_reaches_are_refused(page: Node, cells: str) -> None:
    with pytest.raises(AbvizError) as refused:
        TicTacToe.from_cells(cells)
    flaw = page.call("flawOf", cells)
    assert flaw and str(refused.value).endswith(flaw)


def test_cells_that_a_game_reaches_are_taken(page: Node) -> None:
    cells = [position.cells for position in reachable()]
    assert set(page.call("flawsOf", cells)) == {""}


def test_other_endings_are_for_x_and_a_move_of_it_matters(page: Node) -> None:
    offered = page.call("offered")
    expected = set()
    for position in reachable():
        if position.is_max() and empty_in(position) == MOST_EMPTY - 1 and not position.over():
            values = {full_search(position.play(move)) for move in position.moves()}
            if len(values) > 1:
                expected.add(position.cells)
    assert len(offered) == len(expected) > 100
    assert set(offered) == expected
