"""Searches side by side: what is counted, how the answers are told apart, the table, the chart."""

import random
from dataclasses import replace
from urllib.parse import unquote
from xml.etree import ElementTree

import pytest

from abviz import AbvizError, Checkers, Switches, TicTacToe, search
from abviz.engine import comparing
from abviz.engine.bars import figure, svg
from abviz.engine.comparison import Comparison, Variant, compare, each_alone, without_each
from abviz.engine.switches import STAYS


def some_positions(number: int) -> list[Checkers]:
    positions = []
    for seed in range(number):
        chance, position = random.Random(seed), Checkers.start()
        for _ in range(8):
            position = position.play(chance.choice(position.moves()))
        positions.append(position)
    return positions


def variant(name: str, nodes: int = 10, ratio: float = 1, kind: str = STAYS, **other: int) -> Variant:
    told = {"other_values": 0, "other_moves": 0} | other
    return Variant(name, kind, (3, 4), ("1-2", "3-4"), nodes, 5, 2, 0.5, ratio, **told)


# what is counted


def test_a_variant_counts_what_the_search_counts():
    start = Checkers.start()
    compared = compare(start, 5, runs=1, minimax="minimax", all=Switches(), small={"megabytes": 1, "pvs": False})
    told = ({"method": "minimax"}, {}, {"megabytes": 1, "pvs": False})
    for shown, options in zip(compared.variants, told, strict=True):
        found = search(start, 5, **options)
        assert (shown.values, shown.moves) == ((found.value,), (found.move,))
        counts = (found.nodes, found.evaluations, found.cutoffs)
        assert (shown.nodes, shown.evaluations, shown.cutoffs) == counts
        assert shown.ratio == found.nodes / compared["minimax"].nodes
        assert shown.seconds > 0


def test_positions_are_added_up_and_differences_counted():
    positions = some_positions(8)
    compared = compare(positions, 6, runs=2, plain=Switches.none(), narrow_beam=Switches(beam=1))
    plain, beam = ([search(each, 6, switches=s) for each in positions] for s in (Switches.none(), Switches(beam=1)))
    assert compared["plain"].nodes == sum(found.nodes for found in plain)
    shown = compared["narrow beam"]
    assert shown.values == tuple(found.value for found in beam)
    assert shown.other_values == sum(a.value != b.value for a, b in zip(plain, beam, strict=True)) > 0
    assert shown.other_moves == sum(a.move != b.move for a, b in zip(plain, beam, strict=True)) > 0


def test_the_classes():
    hasty = compare(TicTacToe(), 2, runs=1, hasty={"hot": False}, usual={}, beam={"beam": 2}, late={"reductions": True})
    assert [each.kind for each in hasty.variants] == ["the value stays", "looks deeper", "may be wrong", "may be wrong"]
    usual = compare(TicTacToe(), 2, runs=1, alphabeta="alphabeta", hasty={"method": "alphabeta", "hot": False})
    assert [each.kind for each in usual.variants] == ["the value stays", "looks less deep"]


def test_runs_take_turns_and_the_median_counts(monkeypatch):
    seconds = iter([1, 10, 3, 30, 2, 90])
    asked = []

    def timed(position, depth, **told):
        asked.append(told["method"])
        return replace(search(position, depth, **told), seconds=next(seconds))

    monkeypatch.setattr(comparing, "search", timed)
    compared = compare(TicTacToe(), 3, runs=3, one="minimax", two="alphabeta")
    assert asked == ["minimax", "alphabeta"] * 3
    assert [each.seconds for each in compared.variants] == [2, 30]


def test_a_long_comparison_says_how_far_it_is(monkeypatch, capsys):
    clock = iter(range(0, 100, 2))
    monkeypatch.setattr(comparing, "perf_counter", lambda: next(clock))
    assert list(comparing._counted(["a", "b", "c"])) == ["a", "b", "c"]
    said = "".join(capsys.readouterr())  # in a notebook on one stream, elsewhere on the other
    assert said.startswith("\r0 of 3 compared\r1 of 3 compared\r2 of 3 compared\r3 of 3 compared\n")


def test_a_short_one_says_nothing(capsys):
    assert list(comparing._counted(["a", "b"])) == ["a", "b"]
    assert capsys.readouterr() == ("", "")


# all but one, and one alone


def test_each_alone_and_without_each_have_a_row_for_every_switch():
    positions = some_positions(3)
    alone, without = each_alone(positions, 5, runs=1), without_each(positions, 5, runs=1)
    names = Switches.names(STAYS)
    assert [each.name for each in alone.variants] == ["none", *(f"only {name}" for name in names)]
    kept = [name for name in names if name != "presort"]
    assert [each.name for each in without.variants] == ["all of them", *(f"without {name}" for name in kept)]
    for compared in (alone, without):
        assert {each.kind for each in compared.variants} == {STAYS}
        assert {each.values for each in compared.variants} == {alone["none"].values}
    nodes = sum(search(each, 5, switches=Switches.none(killers=True)).nodes for each in positions)
    assert alone["only killers"].nodes == nodes
    assert without["without table"].nodes == sum(search(each, 5, table=False).nodes for each in positions)


# how it is shown


def test_the_table():
    shown = Comparison(
        "A game, 2 positions, depth 3",
        [
            variant("plain", 1_234_567),
            variant("table", 4_567, 0.0037),
            variant("beam", 123_456, 0.1, "may be wrong", other_values=2, other_moves=1),
        ],
    )
    assert str(shown).splitlines() == [
        "A game, 2 positions, depth 3",
        "           nodes   ratio  evaluations  cutoffs     ms",
        "plain  1,234,567    1.00            5        2  500.0",
        "table      4,567  0.0037            5        2  500.0  the value stays: the same values and moves",
        "beam     123,456    0.10            5        2  500.0  may be wrong: another value in 2, another move in 1",
    ]


def test_a_single_position_shows_its_move_and_value():
    compared = compare(Checkers.start(), 8, runs=1, alphabeta="alphabeta", all=Switches())
    found = search(Checkers.start(), 8)
    rows = str(compared).splitlines()
    assert rows[0] == "Checkers, depth 8"
    for row in rows[2:]:
        assert row.endswith(f"{found.move}, value {str(found.value).replace('-', '−')}")


def test_the_chart_can_be_read_and_heard():
    shown = Comparison(
        "A game", [variant("plain", 1000), variant("a < b, $5 $6", 5, 0.005, "may be wrong", other_moves=2)]
    )
    bundle = shown._repr_mimebundle_()
    assert bundle["text/plain"] == str(shown)
    root = ElementTree.fromstring(bundle["image/svg+xml"])
    assert root.get("role") == "img"
    name = "{http://www.w3.org/2000/svg}"
    words = root.find(f"{name}title").text
    assert words == (
        "A game. plain: 1,000 nodes, 1.00 times the first; "
        "a < b, $5 $6: 5 nodes, 0.005 times the first; may be wrong: another move in 2"
    )
    texts = ["".join(text.itertext()) for text in root.iter(f"{name}text")]
    for expected in ("plain", "a < b, $5 $6", "× 0.005", "may be wrong: another move in 2", "nodes, logarithmic scale"):
        assert expected in texts
    assert len(list(root.iter(f"{name}pattern"))) == 1, "the class shows without colour too"
    image = ElementTree.fromstring(bundle["text/html"].removesuffix(">") + "/>")
    assert image.get("alt") == words
    assert unquote(image.get("src").removeprefix("data:image/svg+xml,")) == bundle["image/svg+xml"]


def test_the_chart_is_dark_on_white_whatever_style_is_set():
    from matplotlib import style

    shown = Comparison("A game", [variant("plain", 1000), variant("table", 5, 0.005)])
    picture = svg(shown)
    assert "fill: #ffffff" in picture
    with style.context("dark_background"):
        assert svg(shown) == picture


def test_bars_are_as_long_as_their_nodes():
    (axes,) = figure(Comparison("A game", [variant("one", 40), variant("two", 10, 0.25)])).axes
    assert [bar.get_width() for bar in axes.patches] == [40, 10]
    assert axes.get_xscale() == "linear" and axes.get_xlabel() == "nodes"


# what cannot be compared


@pytest.mark.parametrize(
    "said, problem",
    [
        (lambda: compare(TicTacToe(), 3), "nothing to compare: 1 position, 0 variants"),
        (lambda: compare([], 3, a=Switches()), "nothing to compare: 0 positions, 1 variant"),
        (lambda: compare(TicTacToe(), 3, a=Switches), "variant a is <class .*Switches'>; expected Switches"),
        (lambda: compare(TicTacToe(), 3, a="alpha-beta"), "unknown method 'alpha-beta': did you mean alphabeta"),
        (lambda: compare(TicTacToe(), 3, a={"tabel": True}), "unknown switch 'tabel': did you mean table"),
        (lambda: compare(TicTacToe(), 0, a=Switches()), "depth is 0; expected"),
        (lambda: compare(TicTacToe(), 3, runs=0, a=Switches()), "runs is 0; expected"),
        (lambda: compare([TicTacToe(), 7], 3, a=Switches()), "7 is no position of a game"),
        (lambda: Comparison("", [variant("table")])["tabel"], "unknown variant 'tabel': did you mean table"),
    ],
)
def test_one_clear_line(said, problem):
    with pytest.raises(AbvizError, match=problem):
        said()
