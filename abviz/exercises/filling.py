"""Exercises with pencil and paper: a tree, a question, and a dictionary of cells to fill in, marked cell by cell."""

import html
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self

from abviz.errors import brief
from abviz.exercises.kinds import Kind
from abviz.exercises.verdicts import NOT_YET, RIGHT, WRONG, Verdict, as_image, written
from abviz.tree.model import Tree

Place = tuple[str, ...]  # where something is filled in: ("I", "alpha") for answer["I"]["alpha"]
Paper = Mapping[Place, Any]  # a whole answer


@dataclass(frozen=True)
class Slot:
    """One thing to fill in. Its right value is a single one, or a frozenset of names: then each name is a cell."""

    place: Place
    right: Any
    kind: Kind
    why: Mapping[str, str] | str | Callable[[Any], str]  # for each name; for the single value; made from a wrong one
    nothing: Any = None  # what a cell says in which nothing is marked: where that is right it is worth nothing, either

    def cells(self, value: Any) -> dict[str, Any]:
        """What a value says in each cell; a single one is the cell ""."""
        return {name: name in value for name in self.why} if isinstance(self.why, Mapping) else {"": value}

    def marks(self, value: Any) -> tuple[int, int]:
        """How many are right, of those that there should be and those that there should not."""
        right = self.cells(self.right)
        if value is None:
            return 0, sum(cell != self.nothing for cell in right.values())
        pairs = [(right[cell], wrote) for cell, wrote in self.cells(value).items()]
        marked = [pair for pair in pairs if pair != (self.nothing, self.nothing)]
        return sum(cell == wrote for cell, wrote in marked), len(marked)

    def reason(self, cell: str, given: Any) -> str:
        if isinstance(self.why, Mapping):
            return self.why[cell]
        return self.why if isinstance(self.why, str) else self.why(given)


@dataclass(frozen=True)
class Misreading:
    """A known misunderstanding: the answers that it may lead to on a tree. Where it leads to none, there are none."""

    name: str
    says: str
    hint: str
    papers: Callable[[Tree], Iterable[Paper]]


@dataclass(frozen=True)
class Question:
    """What is asked of one tree."""

    asks: str  # with the rules under which it is marked
    slots: tuple[Slot, ...]  # in the order in which they are filled in: what a later one builds on comes before it


@dataclass(frozen=True, eq=False)
class PaperExercise:
    """The answer is a dictionary; `print(exercise.stub)` shows one that is not filled in."""

    name: str
    asked: Callable[[Tree], Question]
    mistakes: tuple[Misreading, ...]
    hints: tuple[str, ...]
    grown: Callable[[], Tree]  # the tree that it is about, unless it is told another

    def on(self, tree: Tree) -> Self:
        """The same exercise on another tree."""
        return replace(self, grown=lambda: tree)

    @cached_property
    def tree(self) -> Tree:
        return self.grown()

    @cached_property
    def question(self) -> Question:
        return self.asked(self.tree)

    @property
    def stub(self) -> str:
        """What a student begins with."""
        return f"{self.name.replace('-', '_')} = {_written(_form(self.question.slots), 0)}"

    def check(self, answer: Any, seconds: float) -> Verdict:
        slots = self.question.slots
        if answer is None or answer is ...:
            return self._said(NOT_YET, f"Nothing is there; expected {_example(slots)}.")
        given, problem = _given(answer, slots)
        if problem:
            return self._said(WRONG, f"{problem}; expected {_example(slots)}.")
        if all(value is None for value in given.values()):
            return self._said(NOT_YET, "Nothing is filled in so far.")
        for slot in slots:
            wrote = given[slot.place]
            if wrote is not None and slot.kind.read(wrote) is None:
                told = f"{_named(slot.place)} {slot.kind.refused(wrote)}; expected {slot.kind.expected}."
                return self._said(WRONG, told, points=self._points(given))
        return self._marked({slot.place: _read(slot, given[slot.place]) for slot in slots})

    def _marked(self, given: Paper) -> Verdict:
        right, total = points = self._points(given)
        counted = "cells" if all(slot.nothing is None for slot in self.question.slots) else "marks"
        if right == total:
            return self._said(RIGHT, f"All {total} {counted} are right.", points=points)
        told = f"{self._first_wrong(given)} {right} of {total} {counted} {'is' if right == 1 else 'are'} right."
        for mistake in self.mistakes:
            if any(_same(given, paper, self.question.slots) for paper in mistake.papers(self.tree)):
                said = f"{told} It looks as if {mistake.says}. {mistake.hint}"
                return self._said(WRONG, said, mistake.name, (mistake.hint, *self.hints), points)
        return self._said(WRONG, told, points=points)

    def _first_wrong(self, given: Paper) -> str:
        """The first wrong cell by name, and why. A reason may build on cells before it: none where these are empty."""
        empty = ""
        for slot in self.question.slots:
            value = given[slot.place]
            if value is None:
                empty = empty or f"{_named(slot.place)} is not filled in yet."
                continue
            right = slot.cells(slot.right)
            for cell, wrote in slot.cells(value).items():
                if wrote != right[cell]:
                    said = f"{_named(slot.place)} {_wrote(slot, cell, wrote)}, which is wrong."
                    return said if empty else f"{said} {slot.reason(cell, wrote)}"
        return empty

    def _points(self, given: Paper) -> tuple[int, int]:
        slots = [(slot, _read(slot, given[slot.place])) for slot in self.question.slots]
        marks = [slot.marks(value) for slot, value in slots]
        # where nothing belongs, that has to be said, too: all that is left open there counts as one mark
        is_open = any(value is None and slot.marks(None) == (0, 0) for slot, value in slots)
        return sum(right for right, _ in marks), sum(total for _, total in marks) + is_open

    def _said(
        self,
        status: str,
        told: str,
        mistake: str | None = None,
        hints: tuple[str, ...] | None = None,
        points: tuple[int, int] | None = None,
    ) -> Verdict:
        hints = () if status == RIGHT else self.hints if hints is None else hints
        return Verdict(self.name, status, told, mistake, self.tree if status == WRONG else None, hints, points=points)

    def __repr__(self) -> str:
        return f"{self.name}: {self.question.asks}\n\n{self.stub}"

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        from abviz.views.drawing import draw

        said = f"<p><strong>{html.escape(self.name)}</strong> {html.escape(self.question.asks)}</p>"
        picture = as_image(draw(self.tree), written(self.tree))
        form = f"<pre>{html.escape(self.stub)}</pre>"
        return {"text/plain": repr(self), "text/html": f"{said}\n{picture}\n{form}"}


# what is written


def _read(slot: Slot, wrote: Any) -> Any:
    return None if wrote is None else slot.kind.read(wrote)


def _given(answer: Any, slots: tuple[Slot, ...]) -> tuple[dict[Place, Any], str]:
    """What stands at each place (None: nothing), or what is wrong with the whole."""
    if not isinstance(answer, Mapping):
        return {}, f"The answer is {brief(answer)}"
    form = _form(slots)
    found: dict[Place, Any] = {}
    for key, wrote in answer.items():
        if key not in form:
            return {}, f"The answer has {brief(key)}, which is not asked for"
        inner = form[key]
        if _left_open(wrote):
            continue
        if not isinstance(inner, dict):
            found[(key,)] = wrote
        elif isinstance(wrote, Mapping) and not set(wrote) - set(inner):
            found.update(((key, part), value) for part, value in wrote.items())
        else:
            return {}, f"{key} is {brief(wrote)}"
    return {slot.place: None if _left_open(found.get(slot.place)) else found[slot.place] for slot in slots}, ""


def _left_open(wrote: Any) -> bool:
    """Nothing is written, or `...` is left somewhere in a list."""
    return wrote is None or wrote is ... or (isinstance(wrote, list | tuple) and any(each is ... for each in wrote))


def _form(slots: tuple[Slot, ...]) -> dict[str, Any]:
    """The answer with nothing filled in."""
    form: dict[str, Any] = {}
    for slot in slots:
        if len(slot.place) == 1:
            form[slot.place[0]] = None
        else:
            form.setdefault(slot.place[0], {})[slot.place[1]] = None
    return form


def _written(form: Any, level: int) -> str:
    if not isinstance(form, dict):
        return "None"
    rows = [f'"{key}": {_written(value, level + 1)}' for key, value in form.items()]
    if level:
        return f"{{{', '.join(rows)}}}"
    return "{\n" + "".join(f"    {row},\n" for row in rows) + "}"


def _example(slots: tuple[Slot, ...]) -> str:
    first = next(iter(_form(slots).items()))
    return f'{{"{first[0]}": {_written(first[1], 1).replace("None", "…")}, …}}'


def _named(place: Place) -> str:
    return place[0] if len(place) == 1 else f"{place[1]} of {place[0]}"


def _wrote(slot: Slot, cell: str, wrote: Any) -> str:
    if cell:
        return f"{'has' if wrote else 'does not have'} {cell}"
    return f"is {slot.kind.shown(wrote)}"


def _same(given: Paper, paper: Paper, slots: tuple[Slot, ...]) -> bool:
    return all(given[slot.place] is not None and given[slot.place] == paper.get(slot.place) for slot in slots)
