"""Searches side by side: what is counted, how answers differ, the table, the chart."""

import random
from typing import Any

import pytest

from abviz import AbvizError, Checkers, Switches, TicTacToe, compare, search
from abviz.engine import without_each
from abviz.engine.comparison import STAYS, Comparison, Variant
from abviz.engine.workspace import SAME_VALUE
from tests.slow_search import played


def positions(number: int) -> list[Any]:
    return [played(Checkers.start(), random.Random(seed), 8) for seed in range(number)]


def test_a_variant_counts_what_its_searches_count() -> None:
    compared = compare(positions(6), 5, minimax="minimax", all_of="alphabeta", narrow={"beam": 1})
    first = [search(each, 5, method="minimax") for each in positions(6)]
    for variant, options in zip(
        compared.variants,
        ({"method": "minimax"}, {"method": "alphabeta"}, {"beam": 1}),
        strict=True,
    ):
        results = [search(each, 5, **options) for each in positions(6)]
        for name in ("value", "move", "nodes"):
            assert [getattr(each, name) for each in variant.results] == [
                getattr(each, name) for each in results
            ]
        assert variant.nodes == sum(result.nodes for result in results)
        assert variant.ratio == variant.nodes / compared["minimax"].nodes
        others = sum(a.value != b.value for a, b in zip(first, results, strict=True))
        assert (
            (f"another value in {others} of 6" in variant.words)
            == (others > 0)
            == (variant.name == "narrow")
        )
        moves = sum(a.move != b.move for a, b in zip(first, results, strict=True))
        move = "another" if variant.name == "narrow" else "a different, equally good"
        assert (f"{move} move in {moves} of 6" in variant.words) == (moves > 0)
    assert [each.name for each in compared.variants] == ["minimax", "all of", "narrow"]


def test_promises() -> None:
    hasty = compare(
        TicTacToe(),
        2,
        usual={},
        hasty={"hot": False},
        beam={"beam": 2},
        limited={"nodes": 1},
        same={},
    )
    expected = ["", "another depth", "may be wrong", "another depth", "the value stays"]
    assert [each.words.partition(":")[0] for each in hasty.variants] == expected
    usual = compare(
        TicTacToe(), 2, alphabeta="alphabeta", hasty={"method": "alphabeta", "hot": False}
    )
    assert usual["hasty"].words.startswith("another depth: ")


def test_without_each_has_a_row_for_every_switch() -> None:
    names, some = SAME_VALUE, positions(2)
    without = without_each(some, 5)
    assert [each.name for each in without.variants] == [
        "all of them",
        *(f"without {name}" for name in names),
    ]
    values = [search(each, 5, method="alphabeta").value for each in some]
    for each in without.variants:
        assert (
            each.words.partition(":")[0] in ("", STAYS)
            and [result.value for result in each.results] == values
        )
    assert without["without table"].nodes == sum(
        search(each, 5, table=False).nodes for each in some
    )


def test_the_table() -> None:
    variants = (
        Variant("plain", (), 1_234_567),
        Variant("a < b, $5 $6", (), 4_567, 0.0037, "the value stays: the same values and moves"),
        Variant("beam", (), 123_456, 0.1, "may be wrong: another value in 2, another move in 1"),
    )
    assert str(Comparison("A game, depth 3", variants)).splitlines() == [
        "A game, depth 3",
        "                    nodes   ratio",
        "plain           1,234,567    1.00  ██████████",
        "a < b, $5 $6        4,567  0.0037  ▏           the value stays: the same values and moves",
        "beam              123,456    0.10  █           may be wrong: another value in 2, another move in 1",
    ]


def test_the_table_says_whose_values_are_proven() -> None:
    start, won = TicTacToe.start(), TicTacToe.from_cells("xx.oo....")
    last_lines = {
        depth: str(
            compare([start, won], depth, plain="alphabeta", usual={}, beam={"beam": 9})
        ).splitlines()[5:]
        for depth in (3, 9)
    }
    assert last_lines[3] == [
        "values (plain, usual): 1 of 2 proven",
        "values (beam): not proven",
    ]
    assert last_lines[9] == [
        "values (plain, usual): proven",
        "values (beam): not proven",
    ]
    assert str(compare(start, 3, plain="alphabeta", usual={})).splitlines()[4:] == [
        "values: not proven"
    ]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: compare(TicTacToe(), 3),
            "nothing to compare; expected at least one position and one variant",
        ),
        (lambda: compare([], 3, a=Switches()), "nothing to compare; expected"),
        (
            lambda: compare(TicTacToe(), 3, a="alpha-beta"),
            "unknown method 'alpha-beta': did you mean alphabeta",
        ),
        (lambda: compare([TicTacToe(), 7], 3, a=Switches()), "7 is not a position of a game"),
    ],
)
def test_bad_input_is_refused(call: Any, message: str) -> None:
    with pytest.raises(AbvizError, match=message):
        call()
