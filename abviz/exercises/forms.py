"""Exercises on paper: a tree, a question, and a form (a dictionary) that is marked cell by cell."""

import html
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property
from math import inf
from pathlib import Path
from typing import Any, Self

import yaml

from abviz.errors import AbvizError, brief, number, plain
from abviz.exercises.verdict import NOT_YET, RIGHT, WRONG, Verdict, as_image, written
from abviz.tree.model import Tree

Place = tuple[str, ...]  # ("I", "alpha") for answer["I"]["alpha"]
Filled = Mapping[Place, Any]  # what stands at each place; None where nothing does
Parse = Callable[[Any], Any]  # makes a value of what was written, or raises AbvizError: "is 'x'; expected a number"

INFINITIES = {"inf": inf, "∞": inf, "+∞": inf, "-inf": -inf, "−∞": -inf, "-∞": -inf}


@cache
def all_texts() -> Any:
    return yaml.safe_load(Path(__file__).with_name("papers.yaml").read_text(encoding="utf-8"))


def texts(exercise: str) -> Any:
    """Return the texts of an exercise from papers.yaml."""
    return all_texts()[exercise]


def parse_number(entry: Any) -> Any:
    try:
        value = INFINITIES.get(entry.strip()) if isinstance(entry, str) else plain(entry)
    except OverflowError:
        value = None
    if value is None:
        raise AbvizError(f'is {brief(entry)}; expected a number, or float("inf") or -float("inf")')
    return value


def parse_leaves(tree: Tree) -> Parse:
    legal = {leaf.name for leaf in tree.leaves()}

    def parse(entry: Any) -> frozenset[str]:
        expected = "expected a list of names of leaves"
        if not isinstance(entry, list | tuple | set | frozenset):
            raise AbvizError(f"is {brief(entry)}; {expected}")
        for name in entry:
            if not isinstance(name, str) or name not in legal:
                raise AbvizError(f"has {brief(name)}, which is no leaf; {expected}")
        return frozenset(entry)

    return parse


@dataclass(frozen=True)
class Cell:
    """One entry of the form. An entry that is a set of names is marked name by name."""

    place: Place
    right: Any
    parse: Parse
    why: str | Callable[[Any], str] | Mapping[str, str]  # the reason; made from a wrong entry; or one for each name
    default: Any = None  # an entry that earns nothing where it is right: "no cut", or a name that is not listed
    show: Callable[[Any], str] = str

    def parts(self, value: Any) -> dict[str, Any]:
        """Return what the entry says of each name; an entry that is no set has the single part ""."""
        return {name: name in value for name in self.why} if isinstance(self.why, Mapping) else {"": value}

    def points(self, value: Any) -> tuple[int, int]:
        """Return how many parts are right, and how many count: all but those that are rightly the default."""
        right = self.parts(self.right)
        if value is None:
            return 0, sum(part != self.default for part in right.values())
        marked = [(right[name], part) for name, part in self.parts(value).items()]
        marked = [pair for pair in marked if pair != (self.default, self.default)]
        return sum(expected == part for expected, part in marked), len(marked)

    def first_wrong(self, value: Any) -> tuple[str, str] | None:
        """Return what is wrong in the entry and the reason; None where nothing is."""
        right = self.parts(self.right)
        for name, part in self.parts(value).items():
            if part != right[name]:
                says = f"{'has' if part else 'does not have'} {name}" if name else f"is {self.show(part)}"
                why = self.why[name] if isinstance(self.why, Mapping) else self.why
                return f"{named(self.place)} {says}, which is wrong.", why if isinstance(why, str) else why(value)
        return None


@dataclass(frozen=True)
class Question:
    text: str  # with the rules under which it is marked
    cells: tuple[Cell, ...]  # in the order of filling in: what a later cell builds on comes before it


Misread = Callable[[Tree], Filled]  # fills in the form of a tree as a known misunderstanding would


@dataclass(frozen=True, eq=False)
class PaperExercise:
    """An exercise whose answer is a form; `print(exercise.stub)` shows an empty one."""

    name: str
    make: Callable[[], Tree]
    ask: Callable[[Tree], Question]
    misreadings: Mapping[str, Misread]
    is_data = True

    def on(self, tree: Tree) -> Self:
        """Return the same exercise on another tree."""
        return replace(self, make=lambda: tree)

    @property
    def hints(self) -> tuple[str, ...]:
        return tuple(texts(self.name)["hints"])

    @cached_property
    def tree(self) -> Tree:
        return self.make()

    @cached_property
    def question(self) -> Question:
        return self.ask(self.tree)

    @property
    def stub(self) -> str:
        form = _empty(self.question.cells)
        rows = "".join(f'    "{key}": {_literal(value)},\n' for key, value in form.items())
        return f"{self.name.replace('-', '_')} = {{\n{rows}}}"

    def check(self, answer: Any, seconds: float = 10.0) -> Verdict:
        return self.judge(answer)

    def judge(self, answer: Any) -> Verdict:
        cells = self.question.cells
        if answer is None or answer is ...:
            return self._verdict(NOT_YET, f"Nothing is there; expected {_example(cells)}.")
        try:
            entries = _entries(answer, cells)
        except AbvizError as error:
            return self._verdict(WRONG, f"{error}; expected {_example(cells)}.")
        if all(entry is None for entry in entries.values()):
            return self._verdict(NOT_YET, "Nothing is filled in so far.")
        filled: dict[Place, Any] = {}
        refused = ""
        for cell in cells:
            entry = entries[cell.place]
            try:
                filled[cell.place] = None if entry is None else cell.parse(entry)
            except AbvizError as error:
                filled[cell.place] = None
                refused = refused or f"{named(cell.place)} {error}."
        if refused:
            return self._verdict(WRONG, refused, points=_points(cells, filled))
        return self._marked(filled)

    def _marked(self, filled: Filled) -> Verdict:
        cells = self.question.cells
        right, total = points = _points(cells, filled)
        counted = "cells" if all(cell.default is None for cell in cells) else "marks"
        if right == total:
            return self._verdict(RIGHT, f"All {total} {counted} are right.", points=points)
        message = f"{_first_wrong(cells, filled)} {right} of {total} {counted} {'is' if right == 1 else 'are'} right."
        for name, misread in self.misreadings.items():
            if misread(self.tree) == filled:
                says = {**texts("any")["misreadings"], **texts(self.name)["misreadings"]}[name]
                message = f"{message} It looks as if {says['says']}. {says['hint']}"
                return self._verdict(WRONG, message, name, (says["hint"], *self.hints), points)
        return self._verdict(WRONG, message, points=points)

    def _verdict(
        self,
        status: str,
        message: str,
        mistake: str | None = None,
        hints: tuple[str, ...] | None = None,
        points: tuple[int, int] | None = None,
    ) -> Verdict:
        hints = () if status == RIGHT else self.hints if hints is None else hints
        tree = self.tree if status == WRONG else None
        return Verdict(self.name, status, message, mistake, tree, hints, points=points)

    def __repr__(self) -> str:
        return f"{self.name}: {self.question.text}\n\n{self.stub}"

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        from abviz.views.drawing import draw

        text = f"<p><strong>{html.escape(self.name)}</strong> {html.escape(self.question.text)}</p>"
        picture = as_image(draw(self.tree), written(self.tree))
        form = f"<pre>{html.escape(self.stub)}</pre>"
        return {"text/plain": repr(self), "text/html": f"{text}\n{picture}\n{form}"}


def named(place: Place) -> str:
    return place[0] if len(place) == 1 else f"{place[1]} of {place[0]}"


def number_cell(place: Place, right: Any, why: str | Callable[[Any], str], default: Any = None) -> Cell:
    return Cell(place, right, parse_number, why, default, number)


def _entries(answer: Any, cells: Iterable[Cell]) -> dict[Place, Any]:
    """Return what is written at each place (None: nothing); raise AbvizError where the answer has another shape."""
    if not isinstance(answer, Mapping):
        raise AbvizError(f"The answer is {brief(answer)}")
    form = _empty(cells)
    entries: dict[Place, Any] = {cell.place: None for cell in cells}
    for key, entry in answer.items():
        if key not in form:
            raise AbvizError(f"The answer has {brief(key)}, which is not asked for")
        inner = form[key]
        if not isinstance(inner, dict):
            entries[(key,)] = None if _is_open(entry) else entry
        elif isinstance(entry, Mapping) and not set(entry) - set(inner):
            entries |= {(key, part): None if _is_open(value) else value for part, value in entry.items()}
        elif not _is_open(entry):
            raise AbvizError(f"{key} is {brief(entry)}")
    return entries


def _is_open(entry: Any) -> bool:
    """Whether nothing is written, or `...` is left in a list."""
    return entry is None or entry is ... or (isinstance(entry, list | tuple) and any(each is ... for each in entry))


def _first_wrong(cells: Iterable[Cell], filled: Filled) -> str:
    """Name the first wrong cell and the reason, or the first empty one.

    After an empty cell no reason is given: it may build on what belongs there.
    """
    empty = ""
    for cell in cells:
        if filled[cell.place] is None:
            empty = empty or f"{named(cell.place)} is not filled in yet."
        elif wrong := cell.first_wrong(filled[cell.place]):
            says, why = wrong
            return says if empty else f"{says} {why}"
    return empty


def _points(cells: Iterable[Cell], filled: Filled) -> tuple[int, int]:
    marks = [cell.points(filled[cell.place]) for cell in cells]
    # Where nothing belongs, that has to be written, too: all cells left open there count as one mark.
    is_open = any(filled[cell.place] is None and cell.points(None) == (0, 0) for cell in cells)
    return sum(right for right, _ in marks), sum(total for _, total in marks) + is_open


def _empty(cells: Iterable[Cell]) -> dict[str, Any]:
    form: dict[str, Any] = {}
    for cell in cells:
        if len(cell.place) == 1:
            form[cell.place[0]] = None
        else:
            form.setdefault(cell.place[0], {})[cell.place[1]] = None
    return form


def _literal(value: Any) -> str:
    return "None" if value is None else "{" + ", ".join(f'"{key}": None' for key in value) + "}"


def _example(cells: Iterable[Cell]) -> str:
    key, value = next(iter(_empty(cells).items()))
    return f'{{"{key}": {_literal(value).replace("None", "…")}, …}}'
