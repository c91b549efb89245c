"""Real-time play: search, make the move, search again (CSC384)."""

from typing import Any

from abviz.engine.api import Search, search
from abviz.games.tic_tac_toe import TicTacToe


class Player:
    """A player that searches for every move, to a depth or within `seconds` or `nodes`, whichever ends first.

    The other options are those of `search` too: the switches by name, `weights`, `method`, `megabytes`.
    """

    def __init__(self, depth: int | None = None, **options: Any):
        self.options = {"depth": depth, **options}
        Search(TicTacToe.start(), **{key: each for key, each in self.options.items() if key != "weights"})  # or refuses

    def choose(self, position: Any) -> str:
        """Return the name of the move. A forced move is not searched for."""
        moves = position.moves()
        return str(moves[0] if len(moves) == 1 else search(position, **self.options).move)

    def __repr__(self) -> str:
        return f"Player({', '.join(f'{name}={each!r}' for name, each in self.options.items() if each is not None)})"
