"""The workspace and the table of searches that Python runs, with dictionaries for arrays."""

from dataclasses import dataclass, field
from math import inf
from time import perf_counter
from typing import TypeVar

from abviz.games.rules import MOST_FEATURES, Numbers

Place = TypeVar("Place")

# Nodes between two looks at the clock
GLANCE = 64


class Zeros(dict[Place, int]):
    """Numbers by their place, each 0 until it is written: an array of no fixed size."""

    def __missing__(self, place: Place) -> int:
        return 0


class PlainWork:
    """A Workspace in Python, which also has an end in time.

    Without threads no timer could set `limit`; so the search, which reads it at every node, meets
    the clock there.
    """

    def __init__(self) -> None:
        self.nodes = self.evaluations = self.cutoffs = 0
        self.hits = self.borrowed = 0
        self.last = self.captures = self.killers = self.history = 0
        self.table = self.pvs = self.reductions = self.beam = 0

        self.weights: Numbers[int] = [0] * MOST_FEATURES
        self.count: Numbers[int] = Zeros()
        self.moves: Numbers[tuple[int, int]] = Zeros()
        self.scores: Numbers[tuple[int, int]] = Zeros()
        self.killer: Numbers[tuple[int, int]] = Zeros()
        self.worth: Numbers[tuple[int, int]] = Zeros()
        self.length: Numbers[int] = Zeros()
        self.line: Numbers[tuple[int, int]] = Zeros()
        self.first: Numbers[int] = Zeros()
        self.following = 0

        self.deadline = inf  # of perf_counter
        self._limit = 0
        self._asked = 0

    @property
    def limit(self) -> int:
        self._asked += 1
        if self._asked % GLANCE == 0 and perf_counter() > self.deadline:
            self._limit = 0
        return self._limit

    @limit.setter
    def limit(self, limit: int) -> None:
        self._limit = limit


@dataclass(slots=True)
class PlainEntry:
    check: int = 0
    entry: int = 0
    move: int = 0


@dataclass
class PlainTable:
    """A table whose slots take no memory before they are used."""

    entries: int
    used: dict[int, PlainEntry] = field(default_factory=dict)

    def __len__(self) -> int:
        return self.entries

    def __getitem__(self, slot: int) -> PlainEntry:
        entry = self.used.get(slot)
        if entry is None:
            entry = self.used[slot] = PlainEntry()
        return entry
