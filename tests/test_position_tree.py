"""Positions of games as trees: the search on the tree is that on the game, and what is folded is
counted right.
"""

import json
import random
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from abviz import Checkers, Rules, TicTacToe, alphabeta, load, minimax, record, search, trace
from abviz.errors import AbvizError, number
from abviz.games import position_tree
from abviz.games.position_tree import game_tree
from abviz.games.rules import legal_moves
from abviz.tracing.algorithms import Event
from abviz.tracing.narration import sentence
from abviz.tree.annotations import Annotations, annotations_of
from tests.slow_search import sticks
from tests.strategies import ALL_RULES

CAPTURES = Checkers.from_fen("B:W18,24,27,28,K10,K15:B12,16,20,K22,K25,K29")
NEAR_THE_END = Checkers.from_fen("B:W31,K30:BK22,K23,K15")
SMALL = [
    (CAPTURES, 2),
    (NEAR_THE_END, 3),
    (TicTacToe.from_cells("xo..x...."), 3),
    (TicTacToe.from_cells("xxoo.x..o"), 9),
]


@st.composite
def positions(draw: st.DrawFn) -> Any:
    """Checkers after some moves at random, or tic-tac-toe."""
    chance = random.Random(draw(st.integers(0, 10**6)))
    position: Any = draw(st.sampled_from([Checkers.start(), TicTacToe.start()]))
    for _ in range(draw(st.integers(0, 60 if isinstance(position, Checkers) else 5))):
        if position.over():
            break
        position = position.play(chance.choice(position.moves()))
    return position


def records(events: Iterator[Event] | tuple[Event, ...]) -> list[tuple[Any, ...]]:
    return [(event.kind, event.node.name, *event[2:]) for event in events]


def size(position: Any, left: int, hot: bool = True) -> tuple[int, int]:
    """How many nodes minimax visits, and how many of them are leaves: counted one by one."""
    names = position.moves()
    if not names or (left <= 0 and not (hot and position.hot())):
        return 1, 1
    below = [size(position.play(name), left - 1, hot) for name in names]
    return 1 + sum(nodes for nodes, _ in below), sum(leaves for _, leaves in below)


def after(position: Any, name: str) -> Any:
    for move in name.split() if name != "root" else []:
        position = position.play(move)
    return position


def test_the_moves_of_a_position_are_generated_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Although its tree is searched, laid out and counted, and all this anew for another search."""
    generated: list[Any] = []
    monkeypatch.setattr(
        position_tree, "legal_moves", lambda each: generated.append(each) or legal_moves(each)
    )
    position_tree.known_moves.cache_clear()

    tree = game_tree(CAPTURES, 2)
    assert trace(tree).value == trace(tree, search=minimax).value
    assert len(generated) == len(set(generated)) > 0


# the search on the tree is the search on the game


@settings(max_examples=40)
@given(positions(), st.integers(1, 3), st.sampled_from(ALL_RULES), st.booleans())
def test_events_are_those_on_the_game_and_on_the_whole_tree(
    position: Any, depth: int, rules: Rules, hot: bool
) -> None:
    whole = game_tree(position, depth, fold=False, hot=hot)
    result = trace(position, depth=depth, rules=rules, hot=hot)
    on_the_game = alphabeta(whole.game, rules=rules)
    assert records(result.events) == records(on_the_game) == records(alphabeta(whole, rules=rules))
    assert records(trace(position, depth=depth, search=minimax, hot=hot).events) == records(
        minimax(whole)
    )


@settings(max_examples=60)
@given(positions(), st.integers(1, 3), st.booleans(), st.booleans())
def test_the_values_are_the_engines(position: Any, depth: int, hot: bool, weighted: bool) -> None:
    weights = {"men": 70, "advance": 9} if weighted and isinstance(position, Checkers) else None
    if not position.over():
        expected = search(position, depth, method="alphabeta", hot=hot, weights=weights).value
        assert trace(position, depth=depth, hot=hot, weights=weights).value == expected


# what is folded


@settings(max_examples=40)
@given(positions(), st.integers(1, 3), st.booleans())
def test_what_is_folded_is_counted_right(position: Any, depth: int, hot: bool) -> None:
    result = trace(position, depth=depth, hot=hot)
    tree, skipped = result.tree, {name for cut in result.cuts for name in cut.skipped}
    assert {node.name for node in tree.nodes if annotations_of(tree).folded(node)} == skipped
    for name in skipped:
        ply = len(name.split())
        assert annotations_of(tree).folded(tree[name]) == size(
            after(position, name), depth - ply, hot
        )
        assert tree[name].is_leaf and tree[name].value is None
    nodes = sum(
        1 if (folded := annotations_of(tree).folded(node)) is None else folded.nodes
        for node in tree.nodes
    )
    assert (nodes, result.frontier(tree.root)) == size(position, depth, hot)
    assert sum(result.leaves_at(len(result))) == result.frontier(tree.root)


def test_the_end_of_the_game_is_a_leaf_with_its_own_sentence() -> None:
    result = trace(TicTacToe.from_cells("xx.oo...."), depth=2)
    leaf = result.leaves.index("c3")
    assert result.leaf_values[leaf] == result.value == 999_999
    step = next(k for k in range(1, len(result) + 1) if result.events_at(k)[0].node.name == "c3")
    assert "the game is over, MAX has won" in sentence(result, step)

    for players, said in (
        (("you", "o"), "the game is over, you have won, and the value is a win for you"),
        (("o", "you"), "the game is over, o has won, and the value is a win for o"),
    ):
        named = TicTacToe.from_cells("xx.oo....").to_tree(2, players=players)
        assert said in sentence(trace(named), step)

    draws = trace(TicTacToe.from_cells("xoxxoxo.."), depth=9)
    assert any("the game is over, a draw" in sentence(draws, k) for k in range(len(draws) + 1))
    over = trace(Checkers.from_fen("B:WK1,22:B"), depth=3)
    assert (over.value, len(over.tree)) == (-1_000_000, 1)


# other searches on the same tree


def test_another_search_gets_the_tree_that_it_needs() -> None:
    first = trace(Checkers.start(), depth=2)
    for rules in ALL_RULES:
        assert records(trace(first.tree, rules=rules).events) == records(
            trace(Checkers.start(), depth=2, rules=rules).events
        )
    assert trace(first.tree).tree is first.tree
    assert len(trace(first.tree, search=minimax).tree) == size(Checkers.start(), 2)[0]
    deeper = trace(first.tree, depth=3)
    assert records(deeper.events) == records(trace(Checkers.start(), depth=3).events)
    assert deeper.tree.title == "Checkers: Black to move, 3 moves deep"


@pytest.mark.parametrize(
    ("position", "depth", "players", "title"),
    [
        (TicTacToe.start(), 2, ("MAX", "MIN"), "Tic Tac Toe: x to move, 2 moves deep"),
        (TicTacToe.start(), 2, ("you", "o"), "Tic Tac Toe: you to move, 2 moves deep"),
        (Checkers.start().play("11-15"), 1, (), "Checkers: White to move, 1 move deep"),
    ],
)
def test_a_title_is_in_words(position: Any, depth: int, players: Any, title: str) -> None:
    named = {"players": players} if players else {}
    assert position.to_tree(depth, **named).title == title


def test_a_what_if_may_bring_in_what_was_folded() -> None:
    result = trace(CAPTURES, depth=2)
    leaf = result.leaves[0]
    changed = trace(result.tree.with_value(leaf, 500))
    whole = game_tree(CAPTURES, 2, fold=False).with_value(leaf, 500)
    assert records(changed.events) == records(alphabeta(whole)) != records(result.events)
    for name in (result.cuts[0].skipped[0], "root"):
        with pytest.raises(
            AbvizError, match=f"{name} was skipped or is not a leaf; expected a leaf that was read"
        ):
            result.tree.with_value(name, 3)


# what a tree is otherwise


def plain_minimax(node: Any) -> Any:
    values = [plain_minimax(child) for child in node.children]
    return node.value if node.is_leaf else max(values) if node.is_max else min(values)


def test_ones_own_function_is_recorded_on_the_whole_tree() -> None:
    whole = game_tree(CAPTURES, 2, fold=False)
    assert record(plain_minimax, whole).value == trace(CAPTURES, depth=2).value
    with pytest.raises(
        AbvizError, match=r"folded parts; expected one with every node: .*fold=False"
    ):
        record(plain_minimax, game_tree(CAPTURES, 2))


WRITTEN = "def __str__(self):\n        return 'o' * self.left + chr(10) + chr(27) + '[31m<b>'\n\n    def over"
Stones = sticks(
    ("Sticks", "Stones"), ("range(1, 4)", "range(1, 3)"), ("def over", WRITTEN), name="Stones"
)


def test_a_game_of_ones_own_shows_what_it_writes() -> None:
    result = trace(Stones(4), depth=9)
    assert result.value == 1_000_000 - 3
    assert result.tree.title == "Stones: MAX to move, 9 moves deep"
    boards = annotations_of(result.tree).boards()
    assert boards["kind"] == "text" and boards["of"][0] == "oooo\n␛[31m<b>"
    assert set(boards["turns"]) == {"0", "1", "-"}


@pytest.mark.parametrize(
    ("make", "message"),
    [
        *(
            (
                lambda depth=depth: trace(Checkers.start(), depth=depth),
                "depth is .*; expected a whole number of moves",
            )
            for depth in (None, 0, 200, "3")
        ),
        (
            lambda: trace(Checkers.start(), depth=9),
            "Checkers to depth 9 has more than 20,000 nodes; expected",
        ),
        (
            lambda: trace(Checkers.start(), depth=2, weights={"man": 3}),
            "unknown feature 'man': did you mean men",
        ),
        (
            lambda: trace(Checkers.start(), depth=2, beam=3),
            "alphabeta has no option beam; expected alpha, beta",
        ),
        (
            lambda: trace(load("figure-4.24"), hot=True),
            "alphabeta has no option hot; expected alpha, beta",
        ),
        (
            lambda: trace(Checkers),
            r"asked to trace .*; expected a Tree: .*; or a position: Checkers.start\(\)",
        ),
        (
            lambda: game_tree(3, 3),
            r"3 is not a position of a game; expected one, such as Checkers.start\(\)",
        ),
    ],
)
def test_bad_input_is_refused_in_one_line(make: Any, message: str) -> None:
    with pytest.raises(AbvizError, match=message) as error:
        make()
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(("position", "depth"), [*SMALL, (Checkers.start(), 3)])
def test_every_node_has_its_board(position: Any, depth: int) -> None:
    tree = trace(position, depth=depth).tree
    assert tree == position.to_tree(depth)
    boards = json.loads(json.dumps(annotations_of(tree).boards()))
    for node, turn, board in zip(tree.nodes, boards["turns"], boards["of"], strict=True):
        at, parent = after(position, node.name), tree.parent(node)
        assert (
            tree.position(node.name) == at
            and annotations_of(tree).label(node) == node.name.split()[-1]
        )
        assert node.is_max == at.is_max()
        assert (
            parent is None
            or node.name
            == f"{parent.name} {annotations_of(tree).label(node)}".removeprefix("root ")
        )
        assert turn == ("-" if not at.moves() else "0" if at.is_max() else "1")
        if isinstance(at, Checkers):
            pieces = {square: letter for square, letter in enumerate(board, 1) if letter != "."}
            assert pieces == at.pieces and len(board) == 32
        else:
            assert board == at.cells


def test_only_the_tree_of_a_game_has_annotations() -> None:
    plain = load("figure-4.24")
    annotations = annotations_of(plain)
    for node in plain.nodes:
        assert annotations.label(node) == node.name
        assert annotations.folded(node) is None and annotations.ending(node) == ""
        assert not annotations.is_estimate(node)
    assert annotations.boards() is None
    assert annotations.said(10**6) == number(10**6)

    of_game = [name for name in vars(Annotations) if not name.startswith("_")]
    assert not [name for name in of_game if hasattr(plain, name)]
