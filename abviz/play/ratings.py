"""Elo ratings of a league, by maximum likelihood (Bradley and Terry), with error bars."""

from collections.abc import Iterable, Sequence
from math import log, sqrt
from typing import NamedTuple

import numpy as np

SCALE = 400 / log(10)  # Elo points for a factor e in the odds
PRIOR = 1.0  # games that each player is taken to have drawn with an average one: a score of 100 % stays finite
SURE = 1.96  # standard errors on each side of 95 %


class Rating(NamedTuple):
    elo: float  # 0 is the average of the league
    error: float  # the 95 % interval is elo ± error


def rate(names: Sequence[str], games: Iterable[tuple[str, str, float]], *, prior: float = PRIOR) -> dict[str, Rating]:
    """Return the ratings that make these games most likely; each is the players, and the points of the first.

    A player with strength r beats one with strength s with the probability 1 / (1 + eˢ⁻ʳ); a draw counts as half a win.
    """
    place = {name: i for i, name in enumerate(names)}
    number = len(names)
    points, played = np.zeros(number), np.zeros((number, number))
    for first, second, score in games:
        i, j = place[first], place[second]
        points[i] += score
        points[j] += 1 - score
        played[i, j] += 1
        played[j, i] += 1
    strengths = np.zeros(number)
    for _ in range(100):  # Newton's method; the likelihood is concave
        expected = 1 / (1 + np.exp(strengths[None, :] - strengths[:, None]))
        average = 1 / (1 + np.exp(-strengths))
        slope = points - (played * expected).sum(axis=1) + prior * (0.5 - average)
        weights = played * expected * (1 - expected)
        curvature = np.diag(weights.sum(axis=1) + prior * average * (1 - average)) - weights
        covariance = np.linalg.pinv(curvature, hermitian=True)
        step = np.clip(covariance @ slope, -1, 1)
        strengths = strengths + step
        if abs(step).max() < 1e-9:
            break
    centred = np.eye(number) - 1 / number
    covariance = centred @ covariance @ centred  # of differences from the average
    strengths = centred @ strengths
    return {
        name: Rating(SCALE * float(strengths[i]), SCALE * SURE * sqrt(max(float(covariance[i, i]), 0)))
        for name, i in place.items()
    }
