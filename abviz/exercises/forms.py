"""Exercises whose answer is data. On paper that is a tree, a question and a form, which is marked entry by entry."""

import html
import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property
from math import inf
from pathlib import Path
from typing import Any, Self

import yaml

from abviz.errors import AbvizError, brief, number, plain, quoted
from abviz.exercises.verdict import NOT_YET, RIGHT, WRONG, Verdict, as_image, written
from abviz.tree.model import Tree

Place = tuple[str, ...]  # ("I", "alpha") for answer["I"]["alpha"]
Filled = Mapping[Place, Any]  # the entry at each place; None where there is none

INFINITIES = {"inf": inf, "∞": inf, "+∞": inf, "-inf": -inf, "−∞": -inf, "-∞": -inf}


@cache
def _all_texts() -> Any:
    return yaml.safe_load(Path(__file__).with_name("papers.yaml").read_text(encoding="utf-8"))


def texts(exercise: str) -> Any:
    """Return the texts of an exercise from papers.yaml."""
    return _all_texts()[exercise]


class DataExercise(ABC):
    """An exercise whose answer is data and not a function."""

    name: str
    is_data = True

    @property
    @abstractmethod
    def stub(self) -> str: ...

    @abstractmethod
    def mark(self, answer: Any) -> Verdict:
        """Return the verdict on an answer; raise AbvizError for one that cannot be marked."""

    @property
    def text(self) -> str:
        return str(texts(self.name)["text"])

    @property
    def hints(self) -> tuple[str, ...]:
        return tuple(texts(self.name)["hints"])

    def check(self, answer: Any, seconds: float = 10.0) -> Verdict:
        return self.judge(answer)

    def judge(self, answer: Any) -> Verdict:
        if answer is None or answer is ...:
            return Verdict(self.name, NOT_YET, "There is no answer yet.", hints=self.hints)
        try:
            return self.mark(answer)
        except AbvizError as error:
            return Verdict(self.name, WRONG, f"{error}.", hints=self.hints)

    def __repr__(self) -> str:
        return f"{self.name}: {self.text}\n\n{self.stub}"


def parse_number(tree: Tree, entry: Any) -> Any:
    try:
        value = INFINITIES.get(entry.strip()) if isinstance(entry, str) else plain(entry)
    except OverflowError:
        value = None
    if value is None:
        raise AbvizError(f'is {brief(entry)}; expected a number, or float("inf") or -float("inf")')
    return value


@dataclass(frozen=True, eq=False, repr=False)
class PaperExercise(DataExercise):
    """An exercise whose answer is a form, a dictionary; `print(exercise.stub)` shows an empty one."""

    name: str
    make: Callable[[], Tree]
    fill: Callable[..., Filled]  # of a tree: the right entries; what a later one builds on comes before it
    reason: Callable[[Tree, Place, Any], str]  # helps with a wrong entry, without giving the right one away
    misreadings: Mapping[str, dict[str, Any]]  # name -> the options with which `fill` makes that mistake
    parse: Callable[[Tree, Any], Any] = parse_number  # makes a value of an entry, or raises AbvizError("is …")
    default: tuple[Any, ...] = ()  # entries that earn nothing where they are right, such as "no cut"
    blanks: Callable[[Tree], dict[str, str]] = lambda tree: {}  # what the question says of its tree

    def on(self, tree: Tree) -> Self:
        """Return the same exercise on another tree; raise AbvizError for a tree on which it cannot be asked."""
        for leaf in tree.leaves():
            if leaf.value is None:
                raise AbvizError(f"the value of leaf {quoted(leaf.name)} is not known; expected a number there")
        self.fill(tree)  # raises AbvizError where, say, nothing is cut
        return replace(self, make=lambda: tree)

    @cached_property
    def tree(self) -> Tree:
        return self.make()

    @cached_property
    def right(self) -> Filled:
        return self.fill(self.tree)

    @property
    def text(self) -> str:
        return super().text.format(how=texts("how"), **self.blanks(self.tree))

    @property
    def form(self) -> dict[str, Any]:
        """Return an empty form."""
        form: dict[str, Any] = {}
        for first, *second in self.right:
            form[first] = form.get(first, {}) | {second[0]: None} if second else None
        return form

    @property
    def stub(self) -> str:
        rows = "".join(f"    {_in_python({key: entry})[1:-1]},\n" for key, entry in self.form.items())
        return f"{self.name.replace('-', '_')} = {{\n{rows}}}"

    def mark(self, answer: Any) -> Verdict:
        entries = self._entries(answer)
        if all(entry is None for entry in entries.values()):
            return Verdict(self.name, NOT_YET, "Nothing is filled in yet.", hints=self.hints)
        filled, refused = dict[Place, Any](), dict[Place, str]()
        for place, entry in entries.items():
            try:
                filled[place] = None if entry is None else self.parse(self.tree, entry)
            except AbvizError as error:
                filled[place], refused[place] = None, f"{error}."
        right, total = points = self._points(filled)
        if right == total:
            return Verdict(self.name, RIGHT, f"All {total} points.", points=points)
        message = f"{self._first_problem(filled, refused)} {right} of {total} points."
        for mistake, options in self.misreadings.items():
            if self.fill(self.tree, **options) == filled:
                says, hint = texts(self.name)["misreadings"][mistake].values()
                message, hints = f"{message} It looks as if {says}. {hint}", (hint, *self.hints)
                return Verdict(self.name, WRONG, message, mistake, self.tree, hints, points=points)
        return Verdict(self.name, WRONG, message, tree=self.tree, hints=self.hints, points=points)

    def _entries(self, answer: Any) -> dict[Place, Any]:
        """Return what is written at each place, None for nothing; raise AbvizError for another kind of answer."""
        form = self.form
        expected = f"expected a dictionary: {{{_in_python(dict(list(form.items())[:1]))[1:-1]}, …}}"
        if not isinstance(answer, Mapping):
            raise AbvizError(f"The answer is {brief(answer)}; {expected}")
        entries = dict[Place, Any].fromkeys(self.right)
        for key, entry in answer.items():
            if key not in form:
                raise AbvizError(f"The answer has {brief(key)}, which is not asked for; {expected}")
            if form[key] is None or _is_open(entry):
                row: dict[Place, Any] = {(key,): entry} if form[key] is None else {}
            elif isinstance(entry, Mapping) and entry.keys() <= form[key].keys():
                row = {(key, part): value for part, value in entry.items()}
            else:
                raise AbvizError(f"{key} is {brief(entry)}; {expected}")
            entries |= {place: None if _is_open(value) else value for place, value in row.items()}
        return entries

    def _points(self, filled: Filled) -> tuple[int, int]:
        """Return how many entries are right, of all that count: those that are wrong, and those that earn a point."""
        counted = [
            filled[place] == right
            for place, right in self.right.items()
            if right not in self.default or filled[place] not in (None, right)
        ]
        # Where nothing belongs, that has to be written too: all such places left open count as one.
        is_open = any(filled[place] is None and right in self.default for place, right in self.right.items())
        return sum(counted), len(counted) + is_open

    def _first_problem(self, filled: Filled, refused: Mapping[Place, str]) -> str:
        place = next(place for place, right in self.right.items() if filled[place] != right)
        name = " of ".join(reversed(place))
        if filled[place] is None:
            return f"{name} {refused.get(place, 'is not filled in yet.')}"
        return f"{name} is not {_shown(filled[place])}. {self.reason(self.tree, place, filled[place])}"

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        from abviz.views.drawing import draw

        text = f"<p><strong>{html.escape(self.name)}</strong> {html.escape(self.text)}</p>"
        picture = as_image(draw(self.tree), written(self.tree))
        return {"text/plain": repr(self), "text/html": f"{text}\n{picture}\n<pre>{html.escape(self.stub)}</pre>"}


def _is_open(entry: Any) -> bool:
    """Return whether nothing is written, or `...` is left in a list."""
    return entry is None or entry is ... or (isinstance(entry, list | tuple) and any(each is ... for each in entry))


def _in_python(form: Mapping[str, Any]) -> str:
    return json.dumps(form, ensure_ascii=False).replace(": null", ": None")


def _shown(value: Any) -> str:
    if isinstance(value, frozenset):
        return ", ".join(map(quoted, sorted(value))) or "empty"
    return value if isinstance(value, str) else number(value)
