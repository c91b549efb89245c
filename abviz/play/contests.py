"""Real-time play: search, make the move, search again (CSC384)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from abviz.engine.api import Search, search
from abviz.errors import AbvizError, brief, count
from abviz.games.checkers import Checkers
from abviz.games.rules import is_game
from abviz.games.tic_tac_toe import TicTacToe
from abviz.play.match import Match
from abviz.play.pdn import DRAW


class Player:
    """A player that searches for every move, to a depth or within `seconds` or `nodes`, whichever ends first.

    The other options are those of `search` too: the switches by name, `weights`, `method`, `megabytes`.
    """

    def __init__(self, depth: int | None = None, *, name: str | None = None, **options: Any):
        self.options = {"depth": depth, **options}
        Search(TicTacToe.start(), **{key: each for key, each in self.options.items() if key != "weights"})  # or refuses
        shown = (f"{option} {value}" for option, value in self.options.items() if value is not None)
        self.name = name or ", ".join(shown) or "default depth"

    def choose(self, position: Any) -> str:
        """Return the name of the move. A forced move is not searched for."""
        moves = position.moves()
        return str(moves[0] if len(moves) == 1 else search(position, **self.options).move)

    def __repr__(self) -> str:
        return f"<Player {self.name}>"


def play(first: Player, second: Player, start: Any = None, *, plies: int = 300) -> Match:
    """Return a match from a position: `first` is MAX (Black in checkers, x), `second` is MIN. It ends after `plies`."""
    for player in (first, second):
        if not isinstance(player, Player):
            raise AbvizError(f"a player is {brief(player)}; expected a Player")
    match = Match(Checkers.start() if start is None else start)
    match = replace(match, tags=dict(zip(match.start.players, (first.name, second.name), strict=True)))
    while not match.over:
        if len(match.plies) >= plies:
            return replace(match, ended=("*", f"stopped after {count(plies, 'ply', 'plies')}"))
        player = first if match.position.is_max() else second
        match = match.play(player.choose(match.position))
    return match


def contest(first: Player, second: Player, starts: Any = None, *, plies: int = 300) -> "Contest":
    """Return two matches from each start, with sides exchanged in the second, so that no opening favours a player.

    `starts` is a position, or several; by default the start of checkers.
    """
    several: Sequence[Any] = [starts] if starts is None or is_game(type(starts)) else list(starts)
    if not several:
        raise AbvizError("there are no starts; expected at least one position")
    both = ((first, second), (second, first))
    matches = [play(*players, start, plies=plies) for start in several for players in both]
    return Contest((first.name, second.name), tuple(matches))


@dataclass(frozen=True, repr=False)
class Contest:
    """Matches between two players, with sides exchanged after each."""

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
        lines = [
            f"{' – '.join(match.tags.values())}: {match.result}, {count(len(match.plies), 'ply', 'plies')}"
            f"{', '[: 2 * bool(match.reason)]}{match.reason}"
            for match in self.matches
        ]
        return "\n".join([*lines, ", ".join(f"{n}: {s:g}" for n, s in zip(self.names, self.score, strict=True))])
