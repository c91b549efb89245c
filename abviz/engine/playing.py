"""Real-time play: search, make the move, search again (CSC384)."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Any, Union

from abviz.engine.results import Result
from abviz.engine.searching import Search
from abviz.errors import AbvizError, brief, columns, count, ljust
from abviz.games.checkers import Checkers
from abviz.games.matches import DRAW, Match
from abviz.games.rules import is_game, legal_moves
from abviz.games.scale import DEEPEST

USUAL = 12  # moves to look ahead where neither a depth nor a limit is told

# Who can play: a Player, or a function that is given the position and answers with the name of a move.
AnyPlayer = Union["Player", Callable[[Any], Any]]


class Player:
    """One who searches for every move: so deep, or for so many seconds, or nodes, or whichever ends first.

    What else can be told is that of `Search`: the switches by name, `weights`, `method`, `megabytes`.
    """

    def __init__(
        self,
        depth: int | None = None,
        *,
        seconds: float | None = None,
        nodes: int | None = None,
        name: str | None = None,
        **told: Any,
    ):
        limited = seconds is not None or nodes is not None
        self.depth = depth if depth is not None else DEEPEST if limited else USUAL
        self.told = {"seconds": seconds, "nodes": nodes, **told}
        shown = {"depth": self.depth if depth is not None or not limited else None, **self.told}
        self.name = name or ", ".join(f"{what} {value}" for what, value in shown.items() if value is not None)

    def search(self, position: Any) -> Search:
        """The search for a move here, not yet started: for whoever does not want to wait for its end."""
        return Search(_here(position), self.depth, **self.told)

    def choose(self, position: Any) -> Result:
        """The move here, in a match or a position, and what was found. If there is only one, it is not searched for."""
        position = _here(position)
        begin = perf_counter()
        moves = legal_moves(position) if is_game(type(position)) else []
        if len(moves) == 1:
            return _forced(position, position.move_name(moves[0]), begin)
        return self.search(position).start().result()

    def __repr__(self) -> str:
        return f"<Player {self.name}>"


def play(first: AnyPlayer, second: AnyPlayer, start: Any = None, *, plies: int = 300) -> Match:
    """A match between the two: `first` is MAX (Black in checkers, x), `second` is MIN, whoever moves first.

    It begins at `start`, a position or a match (an opening that has been played), and is stopped after so many plies.
    Its `searches` are what the players found. Raises AbvizError, which names the player, for an illegal move.
    """
    match = _begun(start, (name_of(first), name_of(second)))
    if isinstance(plies, bool) or not isinstance(plies, int) or plies < 1:
        raise AbvizError(f"plies is {brief(plies)}; expected how many to play at most, 1 or more")
    while not match.over:
        if len(match.plies) >= plies:
            return match.end("*", f"stopped after {count(plies, 'ply', 'plies')}")
        match = _moved(match, first if match.position.is_max() else second)
    return match


@dataclass(frozen=True, repr=False)
class Contest:
    """Matches of two players, who change sides after each."""

    names: tuple[str, str]
    matches: tuple[Match, ...]  # two for each start: in the first of them `names[0]` is MAX

    @property
    def scores(self) -> tuple[tuple[float, float], ...]:
        """What each match brought the two players: 1 for a win, ½ for a draw, nothing for one that was stopped."""
        points = {"1-0": (1.0, 0.0), "0-1": (0.0, 1.0), DRAW: (0.5, 0.5)}
        scores = []
        for i, match in enumerate(self.matches):
            max_score, min_score = points.get(match.result, (0.0, 0.0))
            scores.append((min_score, max_score) if i % 2 else (max_score, min_score))
        return tuple(scores)

    @property
    def score(self) -> tuple[float, float]:
        return sum(mine for mine, _ in self.scores), sum(theirs for _, theirs in self.scores)

    def __repr__(self) -> str:
        """A line for each match, and the sum."""
        rows = [(*self.matches[0].start.players, "result", "plies", "")]
        for i, match in enumerate(self.matches):
            names = self.names[::-1] if i % 2 else self.names
            rows.append((*names, match.result, str(len(match.plies)), match.reason))
        widths = [max(columns(row[i]) for row in rows) for i in range(4)]
        lines = ["  ".join(map(ljust, row, [*widths, 0])).rstrip() for row in rows]
        score = ", ".join(f"{name}: {points:g}" for name, points in zip(self.names, self.score, strict=True))
        return "\n".join([*lines, score])


def contest(first: AnyPlayer, second: AnyPlayer, starts: Any = (None,), *, plies: int = 300) -> Contest:
    """From each start two matches, in the second with sides exchanged: so an unequal opening favours nobody.

    `starts` are positions, or matches of which the opening has been played; or one of them.
    """
    each = [starts] if isinstance(starts, Match) or is_game(type(starts)) else list(starts)
    if not each:
        raise AbvizError("there are no starts; expected at least one position")
    matches = []
    for start in each:
        matches += [play(first, second, start, plies=plies), play(second, first, start, plies=plies)]
    return Contest((name_of(first), name_of(second)), tuple(matches))


def name_of(player: AnyPlayer) -> str:
    if isinstance(player, Player):
        return player.name
    if not callable(player):
        raise AbvizError(f"a player is {brief(player)}; expected a Player, or a function of a position")
    return getattr(player, "__name__", type(player).__name__)


def _here(position: Any) -> Any:
    return position.position if isinstance(position, Match) else position


def _begun(start: Any, names: tuple[str, str]) -> Match:
    """A match that goes on from the start, in which whoever can claim a draw does so."""
    match = start if isinstance(start, Match) else Match(Checkers.start() if start is None else start)
    tags = {**match.tags, **dict(zip(match.start.players, names, strict=True))}
    return replace(match, tags=tags, claims=True, ended=None)


def _moved(match: Match, player: AnyPlayer) -> Match:
    if isinstance(player, Player):
        found = player.choose(match)
        return match.play(str(found.move), search=found)
    move = player(match.position)
    side = match.start.players[not match.position.is_max()]
    place = f"{name_of(player)} ({side}), ply {len(match.plies) + 1}"
    if not isinstance(move, str):
        raise AbvizError(f"{place}: the move is {brief(move)}; expected its name, such as {match.position.moves()[0]}")
    try:
        return match.play(move)
    except AbvizError as problem:
        raise AbvizError(f"{place}: {problem}") from None


def _forced(position: Any, move: str, begin: float) -> Result:
    """The only move; what it is worth, nobody has asked."""
    return Result(
        position=position,
        move=move,
        value=None,
        line=(move,),
        depth=0,
        exact=True,
        finished=True,
        nodes=0,
        evaluations=0,
        cutoffs=0,
        hits=0,
        seconds=perf_counter() - begin,
        iterations=(),
    )
