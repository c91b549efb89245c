"""Real-time play: search, make the move, search again (CSC384)."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Union

from abviz.engine.api import USUAL_DEPTH, Result, Search
from abviz.errors import AbvizError, brief, columns, count, ljust
from abviz.games.checkers import Checkers
from abviz.games.match import Match
from abviz.games.notation import DRAW
from abviz.games.rules import DEEPEST, is_game, legal_moves

# A Player, or a function that takes a position and returns the name of a move.
AnyPlayer = Union["Player", Callable[[Any], Any]]


class Player:
    """A player that searches for every move, to a depth or within `seconds` or `nodes`, whichever ends first.

    Other options are those of `Search`: the switches by name, `weights`, `method`, `megabytes`.
    """

    def __init__(self, depth: int | None = None, *, name: str | None = None, **options: Any):
        limited = options.get("seconds") is not None or options.get("nodes") is not None
        if depth is None and not limited:
            depth = USUAL_DEPTH
        self.depth, self.options = DEEPEST if depth is None else depth, options
        shown = {"depth": depth, **options}
        self.name = name or ", ".join(f"{option} {value}" for option, value in shown.items() if value is not None)

    def search(self, position: Any) -> Search:
        """Return the search for a move, not yet started, for a caller that does not want to wait for its end."""
        return Search(_position_of(position), self.depth, **self.options)

    def choose(self, position: Any) -> Result:
        """Return the result of the search in a match or a position. A forced move is not searched for."""
        position = _position_of(position)
        moves = legal_moves(position) if is_game(type(position)) else []
        if len(moves) == 1:
            move = position.move_name(moves[0])
            return Result(position, move, value=None, line=(move,), depth=0, exact=True, finished=True)
        return self.search(position).result()

    def __repr__(self) -> str:
        return f"<Player {self.name}>"


def play(first: AnyPlayer, second: AnyPlayer, start: Any = None, *, plies: int = 300) -> Match:
    """Return a match between two players: `first` is MAX (Black in checkers, x), `second` is MIN.

    It begins at `start`, a position or a match (an opening), and is stopped after so many plies. Its `searches` are
    the players' results. Raises AbvizError, which names the player, for an illegal move.
    """
    if type(plies) is not int or plies < 1:
        raise AbvizError(f"plies is {brief(plies)}; expected a whole number, 1 or more")
    match = start if isinstance(start, Match) else Match(Checkers.start() if start is None else start)
    names = dict(zip(match.start.players, (name_of(first), name_of(second)), strict=True))
    match = replace(match, tags={**match.tags, **names}, claims=True, ended=None)
    while not match.over:
        if len(match.plies) >= plies:
            return match.end("*", f"stopped after {count(plies, 'ply', 'plies')}")
        match = _moved(match, first if match.position.is_max() else second)
    return match


def contest(first: AnyPlayer, second: AnyPlayer, starts: Any = (None,), *, plies: int = 300) -> "Contest":
    """Return two matches from each start, with sides exchanged in the second, so that no opening favours a player.

    `starts` are positions or matches (openings), or one of them.
    """
    starts = [starts] if isinstance(starts, Match) or is_game(type(starts)) else list(starts)
    if not starts:
        raise AbvizError("there are no starts; expected at least one position")
    both = ((first, second), (second, first))
    matches = [play(*players, start, plies=plies) for start in starts for players in both]
    return Contest((name_of(first), name_of(second)), tuple(matches))


@dataclass(frozen=True, repr=False)
class Contest:
    """Matches of two players, who change sides after each."""

    names: tuple[str, str]
    matches: tuple[Match, ...]  # two for each start: in the first of them `names[0]` is MAX

    @property
    def score(self) -> tuple[float, float]:
        """The two players' points: 1 for a win, ½ for a draw, 0 for a match that was stopped."""
        points = {"1-0": (1.0, 0.0), "0-1": (0.0, 1.0), DRAW: (0.5, 0.5)}
        scores = [points.get(match.result, (0.0, 0.0))[:: -1 if i % 2 else 1] for i, match in enumerate(self.matches)]
        return sum(mine for mine, _ in scores), sum(theirs for _, theirs in scores)

    def __repr__(self) -> str:
        """Return a line for each match, and the sum."""
        rows = [(*self.matches[0].start.players, "result", "plies", "")]
        for i, match in enumerate(self.matches):
            names = self.names[::-1] if i % 2 else self.names
            rows.append((*names, match.result, str(len(match.plies)), match.reason))
        widths = [max(map(columns, column)) for column in zip(*rows, strict=True)]
        lines = ["  ".join(map(ljust, row, widths)).rstrip() for row in rows]
        return "\n".join([*lines, ", ".join(f"{n}: {s:g}" for n, s in zip(self.names, self.score, strict=True))])


def name_of(player: AnyPlayer) -> str:
    if isinstance(player, Player):
        return player.name
    if not callable(player):
        raise AbvizError(f"a player is {brief(player)}; expected a Player, or a function of a position")
    return getattr(player, "__name__", type(player).__name__)


def _position_of(start: Any) -> Any:
    return start.position if isinstance(start, Match) else start


def _moved(match: Match, player: AnyPlayer) -> Match:
    if isinstance(player, Player):
        result = player.choose(match)
        return match.play(str(result.move), search=result)
    move = player(match.position)
    place = f"{name_of(player)} ({match.start.players[not match.position.is_max()]}), ply {len(match.plies) + 1}"
    if not isinstance(move, str):
        raise AbvizError(f"{place}: the move is {brief(move)}; expected its name, such as {match.position.moves()[0]}")
    try:
        return match.play(move)
    except AbvizError as problem:
        raise AbvizError(f"{place}: {problem}") from None
