"""What Python and the page say to each other, as JSON.

A number travels as itself; an infinity and a whole number that JSON would round travel as text,
"inf" or "12345678901234567890" (`PageNumber`).
"""

from typing import NotRequired, TypedDict

from abviz.errors import Number
from abviz.tree.annotations import Boards

PageNumber = Number | str | None

# Of a node: its name, whether MAX is to move there, its value, the place of its parent (-1 at the
# root), and where there is more to say of it, that by name
PageRow = list[object]
EditedRow = tuple[str, bool, PageNumber, int]  # the first four, as the page sends them

# Of an event: its kind, the place of its node, α, β, bv and the value
PageEvent = list[object]


class PageTree(TypedDict):
    """A tree, with what is written about it."""

    title: str
    source: str
    note: str
    notes: dict[int, str]  # by step
    players: NotRequired[list[str]]  # the names of MAX and MIN, where they have any
    rows: list[PageRow]


class Places(TypedDict):
    """Where Graphviz has put the nodes, in points."""

    letters: int  # of a node: how many of α, β and bv it has room for
    size: tuple[float, float]  # of the picture: width, height
    centres: list[tuple[float, float] | None]  # None at a node outside of the part that is shown


class Spec(PageTree):
    """A tree and its search, as the page opens it."""

    search: dict[str, object]  # its name, rules, depth and window; of a recorded run what it shows
    top: int  # the node whose part of the tree is shown
    places: Places
    boards: Boards | None
    events: NotRequired[list[PageEvent]]  # of a recorded run, which the page can't search again

    # Where a game is shown as the reply to a request
    changes: NotRequired[int]  # so that the page opens even an equal tree
    reply: NotRequired[str | None]


class Assigned(TypedDict):
    """The student to whom the tree of a page is assigned."""

    id: str
    name: str
    label: str  # the student in words
    file: str  # a name for the student's files, without an ending


class Edited(TypedDict):
    """The tree and the search that the reader has made, as the page sends them."""

    title: str
    source: str
    players: NotRequired[list[str]]
    rows: list[EditedRow]
    search: str
    rules: dict[str, bool]
    depth: int | None
    asks: bool  # whether the page waits for Python to search it
    view: str  # the view of the widget that has made them
    id: NotRequired[str]  # of the request, where it waits


class Request(TypedDict):
    """What the page asks of Python: to read a text, or else to show the game as it was."""

    id: NotRequired[str]
    text: NotRequired[str]


class Reply(TypedDict):
    """The tree that was asked for, or the problem with it."""

    id: str | None
    tree: NotRequired[PageTree]
    problem: NotRequired[str]
