"""Calls sent ahead: while an exercise goes through its trees in their usual order, the hand-in's process is told the
next ones before they are asked for, and need not wait for the grader between two of them."""

import json
from collections import deque
from collections.abc import Callable, Iterator
from itertools import islice
from operator import is_
from typing import Any

from abviz.exercises.counterexamples import TRIED, random_trees, smallest_trees
from abviz.exercises.grading.process import Gone, Process
from abviz.exercises.searches import Exercise
from abviz.tree.model import Node, Tree

MOST_AHEAD, BYTES_AHEAD = 40, 16_000  # what has been sent and not been read has to fit into a pipe

Text = Callable[[Node], bytes]


class Ahead:
    def __init__(self, process: Process):
        self.process = process
        self.sent: deque[bytes] = deque()
        self.orders: list[Order] = []
        self.number, self.others = -1, list[Any]()  # of the latest call: all but its tree
        self.around = b"", b""  # what stands before and after the tree in its message

    def call(self, number: int, root: Node, others: list[Any], text: Text) -> None:
        """See to it that the call has been sent: of a tree, whose `text` travels, and what else it is called with."""
        in_order = number == self.number and len(others) == len(self.others) and all(map(is_, others, self.others))
        if not in_order:
            self.number, self.others, self.around = number, others, _around(number, others)
        begin, end = self.around
        order = max(self.orders, key=lambda order: order.come_to(root, in_order), default=None)
        call = begin + text(root) + end
        if self.sent and self.sent[0] == call:
            self.sent.popleft()
            return
        self.let_go()
        size = len(call)
        for following in order.next_ones() if order else ():
            self.sent.append(begin + text(following.root) + end)
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


class Order:
    """Trees in the order in which an exercise goes through them, as far as it has been looked at."""

    def __init__(self, coming: Iterator[Tree]):
        self._coming = coming
        self._trees: list[Tree] = []
        self._places: dict[int, int] = {}
        self._place, self._streak = -1, 0  # of the latest tree: where it stands, and how many came in a row
        self._look(1)

    def _look(self, trees: int) -> None:
        for tree in islice(self._coming, max(0, trees - len(self._trees))):
            self._places[id(tree.root)] = len(self._trees)
            self._trees.append(tree)

    def come_to(self, root: Node, in_order: bool) -> int:
        """Note that this tree's turn has come; how many have come in this order, one after the other."""
        self._look(self._place + 2)
        place = self._places.get(id(root), -1)
        self._streak = self._streak + 1 if in_order and place > 0 and place == self._place + 1 else 0
        self._place = place
        return self._streak

    def next_ones(self) -> list[Tree]:
        """More, the longer it has gone on in this order."""
        first, most = self._place + 1, min(self._streak, MOST_AHEAD)
        self._look(first + most)
        return self._trees[first : first + most]


def orders(exercise: Exercise) -> list[Order]:
    """In each order in which the exercise may go through trees, with those of an answer's first case first."""
    first = exercise.cases[0]
    kinds = {(exercise.small if case is first else smallest_trees, case.dressed): None for case in exercise.cases}
    return [Order(_dressed(exercise, small(), dressed)) for small, dressed in kinds]


def _dressed(exercise: Exercise, small: tuple[Tree, ...], dressed: Callable[[Tree], Tree]) -> Iterator[Tree]:
    return (dressed(tree) for tree in (*small, *random_trees(TRIED)) if exercise.fits(tree))


def _around(number: int, others: list[Any]) -> tuple[bytes, bytes]:
    """What stands before and after the tree in the message of a call."""
    after = "".join(f", {json.dumps(each)}" for each in others)
    return f'["call", {number}, ['.encode(), f"{after}], true]\n".encode()
