"""What a search by the engine has found."""

from dataclasses import dataclass
from typing import Any

from abviz.errors import count, number
from abviz.games.scale import PROVEN, WIN, worth


@dataclass(frozen=True)
class Iteration:
    """One search among those of a deepening one."""

    depth: int
    value: int
    line: tuple[str, ...]
    nodes: int  # since the beginning
    seconds: float  # since the beginning


@dataclass(frozen=True)
class Result:
    """The answer of `search`. Values are from MAX's side; a win is worth 1,000,000 less the plies that it takes."""

    position: Any
    move: str | None  # None where the search was stopped before it had looked one move ahead
    value: int | None
    line: tuple[str, ...]  # the moves that both sides choose, as far as the search looked
    depth: int  # moves looked ahead
    exact: bool  # False with reductions or a beam, which may be wrong
    finished: bool  # whether that is the depth that was asked for, or the end of the game is known
    nodes: int  # positions searched
    evaluations: int
    cutoffs: int
    hits: int  # positions answered by the table
    seconds: float
    iterations: tuple[Iteration, ...]

    @property
    def wins_in(self) -> int | None:
        """Plies to the end that the search has proven, with the sign of who wins (MAX +); None where it has not."""
        if not self.exact or self.value is None or abs(self.value) <= PROVEN:
            return None
        plies = WIN - abs(self.value)
        return plies if self.value > 0 else -plies

    @property
    def nodes_per_second(self) -> float:
        return self.nodes / self.seconds

    @property
    def evaluations_per_second(self) -> float:
        return self.evaluations / self.seconds

    def worth(self) -> str:
        """The value as people read it."""
        if self.wins_in is None or self.value is None:
            return number(self.value)
        return worth(self.value, self.position.players)

    def __str__(self) -> str:
        if self.move is None:
            return f"stopped before anything was found ({count(self.nodes, 'node')})"
        short = "" if self.finished else ", stopped there"
        doubt = "" if self.exact else ", may be wrong"
        counts = [
            f"{count(self.evaluations, 'evaluation')} ({self.evaluations_per_second:,.0f} a second)",
            count(self.cutoffs, "cutoff"),
            f"{count(self.hits, 'answer')} from the table",
        ]
        lines = [
            f"{self.move}  value {self.worth()}  (depth {self.depth}{short}{doubt})",
            f"line {' '.join(self.line)}",
            f"{count(self.nodes, 'node')} in {self.seconds * 1000:,.1f} ms, {self.nodes_per_second:,.0f} a second",
            ", ".join(each for each in counts if not each.startswith("0 ")),
        ]
        return "\n".join(line for line in lines if line)

    __repr__ = __str__

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        names = (
            "move",
            "value",
            "line",
            "depth",
            "exact",
            "finished",
            "nodes",
            "evaluations",
            "cutoffs",
            "hits",
            "seconds",
        )
        told = {name: getattr(self, name) for name in names}
        rates = {name: round(getattr(self, name)) for name in ("nodes_per_second", "evaluations_per_second")}
        return told | {"line": list(self.line), "wins_in": self.wins_in} | rates
