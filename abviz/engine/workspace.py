"""The switches of a search, one for each improvement, and its workspace.

The workspace is all that a search counts, learns and writes down.
"""

from dataclasses import dataclass, replace
from typing import Protocol, TypedDict, Unpack

from abviz.errors import AbvizError, brief
from abviz.games.rules import LAST, Numbers

# As plain alpha-beta
SAME_VALUE = ("captures", "killers", "history", "deepening", "table", "aspiration", "pvs")


class SwitchOptions(TypedDict, total=False):
    """Some of the switches, by name."""

    captures: bool
    killers: bool
    history: bool
    deepening: bool
    table: bool
    aspiration: bool
    pvs: bool
    hot: bool
    reductions: bool
    beam: int


@dataclass(frozen=True, kw_only=True)
class Switches:
    """The improvements that a search uses. The first seven keep the value of plain alpha-beta."""

    captures: bool = True  # sort moves by what they capture
    killers: bool = True  # then moves that have just cut at the same ply
    history: bool = True  # then by how often, and how far from the leaves, a move has cut anywhere
    # Search to depth 1, 2, 3 …, beginning with the line of the last iteration
    deepening: bool = True
    table: bool = True  # store the results of positions
    aspiration: bool = True  # begin with a narrow window around the expected value
    pvs: bool = True  # search later moves with a null window, again if one is better
    hot: bool = True  # play out captures before a position is evaluated: the search looks deeper
    reductions: bool = False  # search late quiet moves one move less deep: the value may be wrong
    beam: int = 0  # search only this many moves of a position (0: all): the value may be wrong

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if name != "beam" and not (isinstance(value, int) and value in (0, 1)):
                raise AbvizError(f"{name} is {brief(value)}; expected True or False")
        if type(self.beam) is not int or self.beam < 0:
            raise AbvizError(f"beam is {brief(self.beam)}; expected a number of moves")

    @classmethod
    def none(cls, **changes: Unpack[SwitchOptions]) -> "Switches":
        """Return all improvements off but for these; captures are still played out."""
        off = cls(**dict.fromkeys(SAME_VALUE, False))
        return replace(off, **changes)


# the workspace

LINE = 128  # moves that a line can hold
HISTORY = 4096  # moves that the history tells apart
NO_MOVE = -1
NO_LIMIT = 1 << 62
COPIED = ("captures", "killers", "history", "table", "pvs", "reductions", "beam")  # switches


class Workspace(Protocol):
    """What the searches read and write while they run. Other threads may read it meanwhile."""

    # The search gives up when `nodes` reaches it; set it to 0 to stop from outside
    limit: int

    nodes: int  # positions searched, leaves among them
    evaluations: int
    cutoffs: int
    hits: int  # positions answered from the table
    borrowed: int  # those of them whose stored value rests on an estimate

    # The switches, 0 or 1; but `last` is LAST if captures are played out, else 0, and `beam` is a
    # number of moves.
    last: int
    captures: int
    killers: int
    history: int
    table: int
    pvs: int
    reductions: int
    beam: int

    weights: Numbers[int]  # of the features

    count: Numbers[int]  # the number of moves at each ply
    moves: Numbers[tuple[int, int]]  # by ply and place
    scores: Numbers[tuple[int, int]]  # what the moves are sorted by, largest first

    killer: Numbers[tuple[int, int]]  # the last two moves that cut at each ply
    # How often MIN's and MAX's moves have cut, by a hash of the move
    worth: Numbers[tuple[int, int]]

    length: Numbers[int]  # of the line from each ply on
    line: Numbers[tuple[int, int]]  # from each ply on; at ply 0 the principal variation
    first: Numbers[int]  # the line of the previous iteration, to be searched first
    following: int  # the ply up to which the search is on that line, or −1


def follow(work: Workspace, line: list[int]) -> None:
    """Let the next search begin with the moves of this line."""
    first = work.first  # looked up once: in a record of numpy that takes microseconds
    for ply in range(LAST + 3):
        first[ply] = line[ply] if ply < len(line) else NO_MOVE


# the transposition table


class Entry(Protocol):
    """One slot of a transposition table, of three times 8 bytes.

    check = key xor entry xor move, so an entry of another key, or half written by another thread,
    does not fit.
    """

    check: int
    entry: int
    move: int


ENTRY_BYTES = 24


class Table(Protocol):
    """The slots, as many as a power of two."""

    def __len__(self) -> int: ...

    def __getitem__(self, slot: int, /) -> Entry: ...
