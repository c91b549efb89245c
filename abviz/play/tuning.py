"""Learned weights: the weights of a game's features, tuned by playing the engine against itself.

The method is Texel's (Peter Österlund, "Texel's Tuning Method", 2014): keep the positions of many
games with the result of their game; logistic regression finds the weights whose estimates predict
the results best. Games teach what a weight is worth only if they differ in it, so both players vary
the newest weights at random. That a program can improve its evaluation by playing itself is Arthur
Samuel's idea (1959, for checkers).
"""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np
import numpy.typing as npt

from abviz.engine.api import Search
from abviz.engine.backend import prepared
from abviz.engine.workspace import Switches
from abviz.errors import AbvizError, count
from abviz.games.rules import (
    DEFAULTS,
    HEAVIEST,
    WIN,
    AnyPosition,
    Position,
    checked_weights,
    generated_moves,
)
from abviz.timing.charts import Chart, styled
from abviz.timing.summary import Table

LONGEST = 300  # plies, after which a game is a draw
TRIES = 100  # random openings for each that is needed, before giving up
# The least weight of the largest feature, so that whole numbers are fine enough for the others
UNIT = 100
# Draws each coefficient towards 0, as strongly as a few positions do, so that a feature that never
# varies gets 0
RIDGE = 1.0
STEPS = 100  # of the regression, at most
TOLERANCE = 1e-9  # the change that ends it

# Numbers of numpy.
Array = npt.NDArray[np.float64]

# From position and weights to value and move
Searcher = Callable[[Position, Sequence[int]], tuple[int, int]]


@dataclass(frozen=True, repr=False)
class Score:
    """The result of a match of weights against others, in percent of the points."""

    # The part of the points won in the two games of each opening: 0, ¼, ½, ¾ or 1
    pairs: tuple[float, ...]

    @property
    def percent(self) -> float:
        return 100 * sum(self.pairs) / len(self.pairs)

    @property
    def error(self) -> float:
        """Half the width of the 95 % interval.

        Two games of one opening are alike, so they count as one observation.
        """
        # As if one pair more had been won and one lost: winning three games of three proves little.
        spread = sum((pair - self.percent / 100) ** 2 for pair in self.pairs) + 0.5
        return 100 * 1.96 * sqrt(spread) / len(self.pairs)

    def __str__(self) -> str:
        return f"{self.percent:.1f} ± {self.error:.1f} %"

    def __repr__(self) -> str:
        gain = self.percent - 50
        if abs(gain) <= self.error:
            verdict = "no clear difference"
        elif gain > 0:
            verdict = "a real gain"
        else:
            verdict = "a real loss"
        return f"{self} of the points in {2 * len(self.pairs):,} games: {verdict}"


@dataclass(frozen=True)
class Generation:
    """One round of games, and the weights fitted to the results of all rounds so far."""

    weights: dict[str, int]
    # The mean −log of the probability that the fit gave to a result; guessing has 0.693
    loss: float
    score: Score  # of a short match against the start


@dataclass(frozen=True, repr=False)
class Tuning:
    """What `tune` has found. A notebook shows its curve."""

    start: AnyPosition
    curve: tuple[Generation, ...]
    depth: int
    opening: int  # random moves
    seed: int

    @property
    def weights(self) -> dict[str, int]:
        """The weights of the generation that scored most against the start."""
        return max(self.curve, key=lambda generation: generation.score.percent).weights

    def match(self, games: int = 400, depth: int | None = None) -> Score:
        """Return the score against the start in a new match, which says whether the gain is real.

        The best score on the curve is too good, since it was chosen for being the best.
        """
        return weights_match(
            self.start,
            self.weights,
            games=games,
            depth=depth or self.depth,
            opening=self.opening,
            seed=f"{self.seed}, new",
        )

    def __repr__(self) -> str:
        rows = [("start", "", "", *map(str, self.start.weights.values()))]
        for number, each in enumerate(self.curve, 1):
            is_best = each.weights is self.weights
            generation = f"{number} (best)" if is_best else str(number)
            weights = map(str, each.weights.values())
            rows.append((generation, f"{each.loss:.4f}", str(each.score), *weights))

        title = f"Weights of {self.start.title}, tuned by self-play at depth {self.depth}"
        head = ("generation", "loss", "against the start", *self.start.weights)
        return str(Table(title, head, tuple(rows)))

    @styled()
    def draw(self) -> Chart:
        """Return the curve as a chart, with the loss of each fit next to it.

        The curve is the score of each generation against the start.
        """
        numbers = range(1, len(self.curve) + 1)
        percents = [each.score.percent for each in self.curve]
        errors = [each.score.error for each in self.curve]
        losses = [each.loss for each in self.curve]

        chart = Chart(repr(self))
        left, right = chart.subplots(1, 2)
        left.errorbar(numbers, percents, errors, marker="o")
        left.axhline(50, color="black", linewidth=0.8)
        left.set(
            title="Score against the start",
            ylabel="% of the points",
            xlabel="generation",
            xticks=numbers,
        )

        right.plot(numbers, losses, marker="o")
        right.set(
            title="Loss of the fit",
            ylabel="mean −log probability",
            xlabel="generation",
            xticks=numbers,
        )
        return chart

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        return dict(self.draw()._repr_mimebundle_())


def tune(
    start: AnyPosition,
    *,
    generations: int = 4,
    games: int = 1000,
    depth: int = 4,
    opening: int = 12,
    seed: int = 0,
) -> Tuning:
    """Tune the weights of the game's features by self-play; the same seed gives the same weights.

    Each generation plays `games` games from positions after `opening` random moves, fits the
    weights to all games so far, and plays a fifth as many against the start. An interrupt returns
    the generations that are finished.
    """
    search = _searcher(start, depth)
    rng = random.Random(seed)
    if generations < 1 or games < 1:
        raise AbvizError(
            f"there are {generations} generations of {games} games; expected at least one of each"
        )

    weights = list(start.weights.values())
    features: list[tuple[int, ...]] = []  # of each quiet position, in all games so far
    results: list[float] = []  # of its game
    curve: list[Generation] = []
    try:
        for number in range(1, generations + 1):
            for position in _openings(search, start, games, opening, rng):
                mine = _varied(weights, rng)
                theirs = _varied(weights, rng)
                positions, result = _play(search, position, mine, theirs)
                for each in positions:
                    if not each.hot():
                        features.append(each.features())
                        results.append(result)

            weights, loss = _fitted(start, np.array(features, float), np.array(results))
            named = dict(zip(start.weights, weights, strict=True))
            score = weights_match(
                start,
                named,
                games=max(games // 5, 2),
                depth=depth,
                opening=opening,
                seed=f"{seed}, {number}",
            )
            curve.append(Generation(named, loss, score))
    except KeyboardInterrupt:
        if not curve:
            raise
    return Tuning(start, tuple(curve), depth, opening, seed)


def weights_match(
    start: AnyPosition,
    weights: dict[str, int],
    against: dict[str, int] | None = None,
    *,
    games: int = 400,
    depth: int = 4,
    opening: int = 12,
    seed: int | str = 0,
) -> Score:
    """Return the score of the weights against others, by default the game's own, at the same depth.

    Each opening is played twice, with sides exchanged. Openings are random, quiet, different from
    one another, and worth at most half of the heaviest weight to either side.
    """
    search = _searcher(start, depth)
    rng = random.Random(seed)
    mine = checked_weights(start, weights)
    theirs = checked_weights(start, against)
    if games < 2:
        raise AbvizError(f"there are {games} games; expected at least 2, one with each color")

    most = max(map(abs, start.weights.values())) // 2
    pairs = []
    for position in _openings(search, start, games // 2, opening, rng, most):
        _, as_max = _play(search, position, mine, theirs)
        _, of_opponent = _play(search, position, theirs, mine)
        pairs.append((as_max + 1 - of_opponent) / 2)
    return Score(tuple(pairs))


def logistic_regression(
    features: Array, results: Array, ridge: float = RIDGE
) -> tuple[Array, Array, float]:
    """Return the coefficients of a regression, their covariance, and the loss.

    `features` has a row for each observation and a column for each coefficient; `results` are 1 for
    a win, 0 for a loss, ½ for a draw. The loss is convex, so Newton's method finds its minimum;
    where coefficients are not determined, it leaves them near 0.
    """
    size = np.sqrt((features**2).mean(axis=0))
    size[size == 0] = 1
    columns = features / size
    coefficients = np.zeros(len(size))

    for _ in range(STEPS):
        expected = (1 + np.tanh(columns @ coefficients / 2)) / 2
        curvature = (columns.T * (expected * (1 - expected))) @ columns + ridge * np.eye(len(size))
        covariance = np.linalg.pinv(curvature, hermitian=True)
        step = covariance @ (columns.T @ (results - expected) - ridge * coefficients)
        coefficients += step.clip(-1, 1)
        if abs(step).max() < TOLERANCE:
            break

    estimates = columns @ coefficients
    loss = float((np.logaddexp(0, estimates) - results * estimates).mean())
    return coefficients / size, covariance / np.outer(size, size), loss


def _fitted(start: Position, features: Array, results: Array) -> tuple[list[int], float]:
    """Return whole weights, and the loss.

    The largest feature has its usual weight, if that is not below UNIT.
    """
    coefficients, _, loss = logistic_regression(features, results)
    usual = np.abs(list(start.weights.values()))
    largest = np.argmax(usual * features.std(axis=0))
    if not coefficients[largest]:
        raise AbvizError(
            "the results say nothing about the features, as when all games are drawn; "
            "expected more games"
        )
    scaled = coefficients / abs(coefficients[largest]) * max(usual[largest], UNIT)
    return [int(weight) for weight in scaled.round().clip(-HEAVIEST, HEAVIEST)], loss


def _searcher(start: Position, depth: int) -> Searcher:
    """Return a function that searches positions.

    It has neither a table nor a history, so that its answers always repeat.
    """
    ready = Search(start, depth, **vars(Switches.none(captures=True)), megabytes=0.001)
    if not start.weights or type(start).rules["evaluate"] is not DEFAULTS["evaluate"]:
        raise AbvizError(
            f"{start.title} has no features, or an evaluate; expected features alone, with weights"
        )
    if depth < 2:
        raise AbvizError(f"depth is {depth}; expected at least 2")

    work = ready.work
    table = ready.table
    improved = prepared(start, "improved", work, table).improved
    in_use = work.weights
    line = work.line

    def search(position: Position, weights: Sequence[int]) -> tuple[int, int]:
        for i, weight in enumerate(weights):
            in_use[i] = weight
        value = improved(position, depth, -WIN, WIN, work, table, 0)
        return int(value), int(line[0, 0])

    return search


def _openings(
    search: Searcher, start: Position, number: int, plies: int, rng: random.Random, most: int = WIN
) -> Iterator[Position]:
    """Yield different quiet positions after `plies` random moves or one more.

    They are worth `most` to either side.
    """
    usual = list(start.weights.values())
    seen: set[Position] = set()
    for _ in range(TRIES * number):
        position = start
        for _ in range(plies + rng.randrange(2)):
            if not position.over():
                position = position.play(rng.choice(generated_moves(position)))

        will_do = not (position in seen or position.over() or position.hot())
        if will_do and abs(search(position, usual)[0]) <= most:
            seen.add(position)
            yield position
            if len(seen) == number:
                return

    found = f"{count(len(seen), 'opening')} of {count(plies, 'random move')}"
    raise AbvizError(
        f"there are only {found}; expected {number}: ask for fewer games, or change `opening`"
    )


def _play(
    search: Searcher, position: Position, first: Sequence[int], second: Sequence[int]
) -> tuple[list[Position], float]:
    """Return the positions of a game and MAX's points: 1, ½ or 0."""
    positions: dict[Position, None] = {}
    # A position that returns would do so for ever
    while not position.over() and position not in positions and len(positions) < LONGEST:
        positions[position] = None
        _, move = search(position, first if position.is_max() else second)
        position = position.play(move)

    points = (position.value() + 1) / 2 if position.over() else 0.5
    return list(positions), points


def _varied(weights: Sequence[int], rng: random.Random) -> list[int]:
    """Return the weights, each changed at random by about a third, or a little if near 0."""
    little = max(map(abs, weights)) / 25
    return [
        max(-HEAVIEST, min(round(rng.gauss(each, abs(each) / 3 + little)), HEAVIEST))
        for each in weights
    ]
