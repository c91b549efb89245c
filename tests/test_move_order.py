"""What the notebook on move order says of checkers in words, measured again."""

import json
import random
from pathlib import Path

import pytest

from abviz import Checkers, Switches, search
from abviz.engine import compare, each_alone, without_each
from abviz.engine.api import ASPIRATION

NOTEBOOK = Path(__file__).resolve().parents[1] / "notebooks" / "04-move-order.ipynb"


def source(cell_id: str) -> str:
    cells = json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]
    (cell,) = [cell for cell in cells if cell["id"] == cell_id]
    return "".join(cell["source"])


@pytest.fixture(scope="module")
def openings() -> list[Checkers]:
    names = {"start": Checkers.start(), "random": random}
    exec(source("openings-run"), names)
    assert (len(names["after"]), len(set(names["after"]))) == (302, 216), "86 ways end where another has been"
    return names["openings"]


@pytest.fixture(scope="module")
def alone(openings):
    return each_alone(openings, 9)


def only(name: str, **others: bool) -> Switches:
    return Switches.none(**{name: True}, **others)


@pytest.mark.parametrize(
    "name, least, most",
    [
        ("captures", 0.98, 1),  # "about 1 %"
        ("killers", 0.5, 0.6),  # "little more than half"
        ("history", 0.27, 0.32),  # "less than a third"
        ("deepening", 1.025, 1.035),  # "about 3 % more"
        ("table", 0.5, 0.6),  # "a little more than half"
        ("aspiration", 1.01, 1.15),  # "alone it even costs a little"
        ("pvs", 0.9, 0.97),  # "less than a tenth"
    ],
)
def test_what_an_improvement_does_alone(alone, name, least, most):
    assert least < alone[f"only {name}"].ratio < most
    assert alone[f"only {name}"].other_values == 0


def evaluation(position: Checkers) -> int:
    return sum(weight * value for weight, value in zip(position.weights.values(), position.features(), strict=True))


def test_improvements_together(openings, alone):
    sorts = {"captures": True, "killers": True, "history": True}
    compared = compare(
        openings,
        9,
        plain=Switches.none(),
        sort=Switches.none(**sorts),
        sort_pvs=Switches.none(**sorts, pvs=True),
        sort_deepening=Switches.none(**sorts, deepening=True),
        sort_deepening_pvs=Switches.none(**sorts, deepening=True, pvs=True),
        both=only("table", deepening=True),
        window=only("aspiration", deepening=True),
    )
    sort = compared["sort"].ratio
    assert 0.85 < sort / alone["only history"].ratio < 1, "only a little better than history alone"
    assert round(compared["sort pvs"].ratio / sort, 2) == 1.02, "it even costs 2 %"
    assert round(compared["sort deepening pvs"].nodes / compared["sort deepening"].nodes, 2) == 0.92, "save 8 %"
    assert 0.25 < compared["both"].ratio < 0.3, "not even three tenths"
    surprising = [opening for opening in openings if abs(search(opening, 9).value - evaluation(opening)) >= ASPIRATION]
    assert len(surprising) == 4, "openings in which a man is about to be lost or won back"
    gained = compared["window"].ratio / alone["only deepening"].ratio
    assert 0.93 < gained < 0.97, "about one node in twenty"
    assert alone["only deepening"].other_moves == 3


def test_the_fast_search_pays_from_some_depth_on(openings):
    ratios = [
        compare(openings, depth, plain=Switches.none(), presort=only("presort"))["presort"].ratio
        for depth in (5, 9, 11)
    ]
    assert 1.4 < ratios[0] < 1.5 and ratios[1] < 1 and 0.55 < ratios[2] < 0.6


def test_each_switch_of_the_full_search(openings):
    hot = compare(openings, 9, hasty=Switches(hot=False), hot=Switches())["hot"]
    assert 1.4 < hot.ratio < 1.5 and hot.other_values > 10 and hot.other_moves > 3, "captures are played out"
    without = without_each(openings, 9)
    most = sorted(without.variants, key=lambda variant: variant.nodes)
    assert [variant.name for variant in most[-2:]] == ["without history", "without table"]
    for name in ("captures", "aspiration", "killers"):
        assert without[f"without {name}"].ratio < 1.03, "hardly counts"
    assert without["without deepening"].ratio > 1


def loss(position: Checkers, **options: object) -> int:
    move = search(position, 9, **options).move
    return abs(search(position, 9).value - search(position.play(move), 8).value)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"reductions": True}, (0.59, 10, 4)),
        ({"beam": 6}, (0.54, 8, 4)),
        ({"beam": 4}, (0.25, 16, 6)),
        ({"beam": 2}, (0.05, 17, 10)),
    ],
)
def test_what_may_be_wrong(openings, options, expected):
    shown = compare(openings, 9, usual=Switches(), it=options)["it"]
    assert (round(shown.ratio, 2), shown.other_values, shown.other_moves) == expected


def test_the_beam_of_four_loses_a_man_once(openings):
    lost = [loss(opening, beam=4) for opening in openings]
    assert (sum(points > 0 for points in lost), sum(points > 50 for points in lost)) == (6, 1)


def test_the_study():
    study = Checkers.from_fen("W:W30,29,22,21,9,6:B24,20,16,13,8,7")
    result = search(study, 15)
    preferred = [each.depth for each in result.iterations if each.line[0] == "22-17"]
    sure = [each.depth for each in result.iterations if each.value < -900_000]
    assert preferred[:2] == [10, 12], "at 10, at 11 no longer, and at 12 it knows"
    assert (sure[0], result.value, result.wins_in) == (12, -999_987, -13)
    assert "x" in result.line[12], "the thirteenth is a capture"
