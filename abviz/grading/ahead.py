"""Calls sent ahead: while an exercise goes through its trees in their usual order, the hand-in's process is told the
next ones before they are asked for, and need not wait for the grader between two of them."""

import json
from collections import deque
from collections.abc import Callable
from functools import cache
from typing import Any

from abviz.exercises.counterexamples import random_trees, small_trees
from abviz.exercises.recognising import TRIED
from abviz.grading.process import Gone, Process
from abviz.tree import Node, Tree

MOST_AHEAD, BYTES_AHEAD = 40, 16_000  # what has been sent and not been read has to fit into a pipe

Rows = Callable[[Node], Any]


class Ahead:
    def __init__(self, process: Process):
        self.process = process
        self.sent: deque[bytes] = deque()
        self.place, self.streak, self.others = -1, 0, ""  # of the latest call: its tree, how many in a row, the rest

    def call(self, number: int, root: Any, tree: Any, others: list[Any], rows: Rows) -> None:
        """See to it that the call has been sent. `root` is a node of `tree`; `rows` encodes that of another one."""
        place, said = _places().get(id(root), -1), json.dumps([number, others])
        in_order = place > 0 and place == self.place + 1 and said == self.others
        self.place, self.others, self.streak = place, said, self.streak + 1 if in_order else 0
        call = _message(number, tree, others)
        if self.sent and self.sent[0] == call:
            self.sent.popleft()
            return
        self.let_go()
        size = len(call)
        for following in _trees()[place + 1 : place + 1 + min(self.streak, MOST_AHEAD)]:
            self.sent.append(_message(number, rows(following.root), others))
            size += len(self.sent[-1])
            if size > BYTES_AHEAD:
                break
        self.process.send(b"".join([call, *self.sent]))

    def let_go(self) -> None:
        """Hear, and forget, what came of calls that nobody asks for any more."""
        try:
            while self.sent:
                if self.process.hear()[0] in ("returned", "raised"):
                    self.sent.popleft()
        except Gone:  # nobody has asked for the call that it ended in
            self.sent.clear()
            raise Unasked from None


class Unasked(Exception):
    """The process has ended in a call sent ahead."""


def _message(number: int, tree: Any, others: list[Any]) -> bytes:
    return json.dumps(["call", number, [tree, *others], True]).encode() + b"\n"


@cache
def _trees() -> tuple[Tree, ...]:
    return *small_trees(), *random_trees(TRIED)


@cache
def _places() -> dict[int, int]:
    return {id(tree.root): place for place, tree in enumerate(_trees())}
