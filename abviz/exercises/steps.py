"""A rehearsal as plain data: the steps that it is told to take, and what the function did."""

from dataclasses import dataclass
from typing import Any, NamedTuple

from abviz.errors import Number

BEGIN, GO, PAUSE = "begin", "go", "pause"


class Step(NamedTuple):
    """What happens next. A step for which no thread is there is left out."""

    what: str  # BEGIN: the move's task begins; GO: its search is done, and it goes on to its end; PAUSE: it stops first
    move: int  # its index among the root's children
    write: int = 1  # of PAUSE: before the first, second, ... thing that it writes after its search


class Call(NamedTuple):
    """One call of `search`."""

    move: int
    window: tuple[Number, ...]
    value: Number  # what the search returned
    known: tuple[int, ...]  # the moves whose tasks had ended when this one began
    threaded: bool  # not in the thread that called the function


@dataclass(frozen=True)
class Rehearsal:
    """What the function did."""

    answer: Any
    calls: tuple[Call, ...]  # in the order in which the searches ended
    ended: tuple[int, ...]  # the moves, in the order in which their tasks ended
    steps: tuple[Step, ...]  # what happened, in order
    at_once: int  # the most searches that were under way together
    threads: int  # that it started, a pool's among them
    early: bool  # it answered while tasks were under way
    problem: str  # an exception, or why it was given up
    given_up: bool
    unwritten: bool  # it raised NotImplementedError
