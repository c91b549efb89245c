"""`perft(position, 11)`: counting the ways to play, as a person calls it."""

from typing import Any

from abviz.engine.preparing import compiled, told_simply
from abviz.engine.waiting import aside
from abviz.engine.work import new_work
from abviz.games.checking import check_game
from abviz.games.scale import checked_depth


def perft(position: Any, depth: int, *, unique: bool = False) -> int:
    """How many ways there are to make so many moves; `unique`: two jumps that come to the same count once.

    An interrupt stops it at once.
    """
    return Perft(position, unique=unique).count(depth)


class Perft:
    """The ways to play from a position, counted in compiled code, which is ready when this is made."""

    def __init__(self, position: Any, *, unique: bool = False):
        check_game(position)
        self.position = position
        self.name = "perft_unique" if unique else "perft"
        self.engine = compiled(position, {self.name: (position, 1, new_work(), 0)})

    def count(self, depth: int) -> int:
        checked_depth(depth)
        work = new_work()

        def stop() -> None:
            work.limit = 0

        try:
            return int(aside(lambda: getattr(self.engine, self.name)(self.position, depth, work, 0), stop))
        except Exception as problem:
            raise told_simply(problem, self.position) from None
