"""Learned weights: the regression finds known coefficients, the interval holds what it says, and a
gain is found.
"""

import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from abviz import AbvizError, Checkers, TicTacToe
from abviz.play import Score, tune, tuning, weights_match
from abviz.play.tuning import logistic_regression
from tests.slow_search import sticks

QUICK: dict[str, Any] = {"generations": 2, "games": 40, "depth": 2}


def loss(coefficients: Any, features: Any, results: Any) -> float:
    """By the definition, with the ridge in units of the features' size."""
    chance = 1 / (1 + np.exp(-features @ coefficients))
    size = np.sqrt((features**2).mean(axis=0))
    ridge = tuning.RIDGE / 2 * ((coefficients * size) ** 2).sum()
    return float(-(results * np.log(chance) + (1 - results) * np.log(1 - chance)).sum() + ridge)


@settings(max_examples=30)
@given(seed=st.integers(0, 10**6), columns=st.integers(1, 4))
def test_no_other_coefficients_have_a_smaller_loss(seed: int, columns: int) -> None:
    rng = np.random.default_rng(seed)
    features = rng.integers(-5, 6, (60, columns)) * rng.integers(1, 20, columns)
    results = rng.integers(0, 3, 60) / 2
    found, *_ = logistic_regression(features, results)
    least = loss(found, features, results)
    for _ in range(20):
        assert (
            least
            <= loss(found + rng.normal(0, 0.05, columns) / features.std(axis=0), features, results)
            + 1e-6
        )


@pytest.mark.parametrize("openings", [5, 20, 200])
def test_the_interval_holds_the_true_score_in_95_of_100_matches_or_more(openings: int) -> None:
    rng = random.Random(openings)
    values, chances = (0, 0.25, 0.5, 0.75, 1), (1, 2, 8, 3, 2)
    true = 100 * sum(v * c for v, c in zip(values, chances, strict=True)) / sum(chances)
    scores = [Score(tuple(rng.choices(values, chances, k=openings))) for _ in range(2000)]
    held = sum(abs(score.percent - true) <= score.error for score in scores) / len(scores)
    assert held >= 0.93


def test_a_score_says_whether_the_gain_is_real() -> None:
    assert repr(Score((0.5,) * 100)).startswith("50.0 ± 1.4 % of the points in 200 games: no clear")
    assert repr(Score((1, 0.5) * 50)).endswith("in 200 games: a real gain")
    assert repr(Score((0, 0.5) * 50)).endswith("a real loss")
    assert repr(Score((1, 0.5))).endswith("4 games: no clear difference"), (
        "two openings prove nothing"
    )


def test_weights_against_themselves_score_half_of_the_points() -> None:
    assert weights_match(Checkers.start(), {}, games=20, depth=3).pairs == (0.5,) * 10
    doubled = {name: 2 * weight for name, weight in Checkers.weights.items()}
    assert weights_match(Checkers.start(), doubled, games=20, depth=3).pairs == (0.5,) * 10, (
        "only ratios count"
    )


def test_sides_are_exchanged() -> None:
    worse = {"men": -100}
    options: dict[str, Any] = {"games": 20, "depth": 2, "seed": 3}
    lost, won = (
        weights_match(Checkers.start(), worse, **options),
        weights_match(Checkers.start(), {}, worse, **options),
    )
    assert lost.percent < 20 and [1 - pair for pair in lost.pairs] == list(won.pairs)


def test_openings_are_balanced_and_differ() -> None:
    search = tuning._searcher(Checkers.start(), 3)
    found = list(tuning._openings(search, Checkers.start(), 100, 8, random.Random(1), most=50))
    assert len(set(found)) == 100 and {position.is_max() for position in found} == {True, False}
    usual = list(Checkers.weights.values())
    assert all(abs(search(position, usual)[0]) <= 50 and not position.hot() for position in found)


def test_the_same_seed_gives_the_same_weights() -> None:
    first, again, other = (tune(Checkers.start(), seed=seed, **QUICK) for seed in (1, 1, 2))
    assert first.curve == again.curve and first.curve != other.curve
    assert (
        first.weights in [generation.weights for generation in first.curve]
        and first.weights["men"] > 0
    )
    assert first.match(20).pairs == again.match(20).pairs != other.match(20).pairs


# A race for sticks with a true feature whose weight is unknown at the start, and one of noise that
# misleads.
RACE = (
    ("@game", '@game(weights={"noise": 3, "lead": 1}, players=("A", "B"))'),
    ("left: int = 7", "left: int = 40\n    lead: int = 1000\n    seed: int = 1"),
    ("return self.left == 0", "return self.left <= 0"),
    (
        "return -1 if self.turn == 0 else 1",
        "return 1 if self.lead > 1000 else -1 if self.lead < 1000 else 0",
    ),
    ("if n <= self.left:", "if self.left > 0:"),
    (
        "return Sticks(self.left - move, 1 - self.turn)",
        "seed = (self.seed * 7919 + 31 * move + self.turn) % 10007\n"
        "        gain = (seed // 7 + move) % 4 * (1 if self.turn == 0 else -1)\n"
        "        return Sticks(self.left - 1, self.lead + gain, seed, 1 - self.turn)\n\n"
        "    def features(self):\n        return self.seed % 13 - 6, self.lead - 1000",
    ),
)


@pytest.mark.slow
def test_a_student_s_own_game_learns_what_counts() -> None:
    race = sticks(*RACE)
    tuned = tune(race(), games=100, generations=2, depth=2, opening=10)
    assert tuned.weights["lead"] > 20 * abs(tuned.weights["noise"])
    assert tuned.match(100).percent > 70


def test_a_tuning_shows_its_curve() -> None:
    tuned = tune(Checkers.start(), **QUICK)
    title, head, start, *rows = repr(tuned).splitlines()
    assert title == "Weights of Checkers, tuned by self-play at depth 2" and head.split()[
        -5:
    ] == list(Checkers.weights)
    assert start.split() == ["start", *map(str, Checkers.weights.values())]
    assert [row.split()[-5:] for row in rows] == [
        [*map(str, each.weights.values())] for each in tuned.curve
    ]
    assert sum("(best)" in row for row in rows) == 1
    left, right = tuned.draw().axes
    assert list(right.lines[0].get_ydata()) == [each.loss for each in tuned.curve]
    assert list(left.lines[0].get_ydata()) == [each.score.percent for each in tuned.curve]
    assert tuned._repr_mimebundle_()["text/plain"] == repr(tuned)


@pytest.mark.parametrize("finished", [0, 1])
def test_an_interrupt_returns_the_finished_generations(
    finished: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, calls = weights_match, []

    def interrupted(*args: Any, **options: Any) -> Score:
        calls.append(args)
        if len(calls) > finished:
            raise KeyboardInterrupt
        return whole(*args, **options)

    monkeypatch.setattr(tuning, "weights_match", interrupted)
    if finished:
        assert len(tune(Checkers.start(), **QUICK).curve) == finished
    else:
        with pytest.raises(KeyboardInterrupt):
            tune(Checkers.start(), **QUICK)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: tune(TicTacToe.start()),
            "TicTacToe has no features, or an evaluate; expected features alone",
        ),
        (
            lambda: tune(Checkers),
            "is not a position of a game; expected one, such as Checkers.start",
        ),
        (
            lambda: tune(Checkers.start(), games=0),
            "4 generations of 0 games; expected at least one of each",
        ),
        (
            lambda: tune(Checkers.start(), opening=0, **QUICK),
            "only 8 openings of 0 random moves; expected 40",
        ),
        (
            lambda: weights_match(Checkers.start(), {"man": 1}),
            "unknown feature 'man': did you mean men",
        ),
    ],
)
def test_what_cannot_be_tuned_is_refused(call: Any, message: str) -> None:
    with pytest.raises(AbvizError, match=message):
        call()
