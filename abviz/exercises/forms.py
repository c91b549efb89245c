"""Exercises on paper: a tree, a question and a form, which is marked entry by entry."""

import html
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import inf
from typing import Any, Self

from abviz.errors import AbvizError, Number, brief, number, plain, quoted
from abviz.exercises.exercise import DataExercise, Mistake, texts
from abviz.exercises.verdict import NOT_YET, RIGHT, WRONG, Verdict, as_image, written
from abviz.tree.model import Tree

Place = tuple[str, ...]  # ("I", "alpha") for answer["I"]["alpha"]
Filled = Mapping[Place, Any]  # the entry at each place; None where there is none
Reason = tuple[str, dict[str, str]]  # the name of a reason in papers.yaml, and its blanks

INFINITIES = {"inf": inf, "∞": inf, "+∞": inf, "-inf": -inf, "−∞": -inf, "-∞": -inf}


def parse_number(tree: Tree | None, entry: Any) -> Number:
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
    fill: Callable[..., Filled]  # of a tree: the right entries; an entry comes after those that it follows from
    reason: Callable[[Tree, Place, Any], Reason]  # helps with a wrong entry, without giving the right one away
    misreadings: Mapping[str, dict[str, Any]]  # name -> the options with which `fill` makes that mistake
    parse: Callable[[Tree, Any], Any] = parse_number  # makes a value of an entry, or raises AbvizError("is …")
    default: tuple[Any, ...] = ()  # entries that earn nothing where they are right, such as "no cut"
    blanks: Callable[[Tree], dict[str, str]] = field(default=lambda tree: {})  # of the question
    tolerance: float = 0  # of numbers

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
        return super().text.format(how=texts()["how"], **self.blanks(self.tree))

    @property
    def form(self) -> dict[str, Any]:
        """Return an empty form."""
        form: dict[str, Any] = {}
        for first, *second in self.right:
            form[first] = form.get(first, {}) | {second[0]: None} if second else None
        return form

    @property
    def stub(self) -> str:
        rows = "".join(f"    {_in_python({key: entry})},\n" for key, entry in self.form.items())
        return f"{self.name.replace('-', '_')} = {{\n{rows}}}"

    def mark(self, answer: Any) -> Verdict:
        entries = self._entries(answer)
        if all(entry is None for entry in entries.values()):
            return self.verdict(NOT_YET, f"Nothing is filled in yet. {self.hints[0]}")
        filled, refused = dict[Place, Any](), dict[Place, str]()
        for place, entry in entries.items():
            try:
                filled[place] = None if entry is None else self.parse(self.tree, entry)
            except AbvizError as error:
                filled[place], refused[place] = None, f"{error}."
        wrong = self._differing(filled, self.right)
        # A default earns nothing where it is right; all those left open together cost a point.
        is_open = [filled[place] is None and self.right[place] in self.default for place in self.right]
        earning = [place for place, right in self.right.items() if place in wrong or right not in self.default]
        total = len(earning) - sum(is_open) + any(is_open)
        points = len(earning) - len(wrong), total
        if not wrong:
            return self.verdict(RIGHT, f"All {total} points.", points=points)
        first = wrong[0]
        message = " of ".join(reversed(first))
        if filled[first] is None:
            message += f" {refused.get(first, 'is not filled in yet.')}"
        else:
            case, blanks = self.reason(self.tree, first, filled[first])
            message += f" is not {_shown(filled[first])}. {self.texts['reasons'][case].format(**blanks)}"
        message += f" {points[0]} of {points[1]} points."
        forms = {name: self.fill(self.tree, **options) for name, options in self.misreadings.items()}
        misread = next((name for name, form in forms.items() if not self._differing(filled, form)), None)
        mistakes = [Mistake(misread, **self.texts["misreadings"][misread])] if misread else []
        return self.verdict(WRONG, message, mistakes, tree=self.tree, points=points)

    def _differing(self, filled: Filled, other: Filled) -> list[Place]:
        def is_near(entry: Any, right: Any) -> bool:
            return self.tolerance > 0 and entry is not None and abs(entry - right) <= self.tolerance

        return [place for place, right in other.items() if filled[place] != right and not is_near(filled[place], right)]

    def _entries(self, answer: Any) -> dict[Place, Any]:
        """Return the entry at each place, None for an open one; raise AbvizError for another kind of answer."""
        form = self.form
        expected = f"expected a dictionary: {{{_in_python(dict(list(form.items())[:1]))}, …}}"
        if not isinstance(answer, Mapping):
            raise AbvizError(f"The answer is {brief(answer)}; {expected}")
        entries = dict[Place, Any].fromkeys(self.right)
        for key, row in answer.items():
            if key not in form:
                raise AbvizError(f"The answer has {brief(key)}, which is not asked for; {expected}")
            if form[key] is None:
                entries[key,] = None if _is_open(row) else row
            elif isinstance(row, Mapping) and row.keys() <= form[key].keys():
                entries |= {(key, part): None if _is_open(entry) else entry for part, entry in row.items()}
            elif not _is_open(row):
                raise AbvizError(f"{key} is {brief(row)}; {expected}")
        return entries

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        from abviz.views.drawing import draw

        text = f"<p><strong>{html.escape(self.name)}</strong> {html.escape(self.text)}</p>"
        picture = as_image(draw(self.tree), written(self.tree))
        return {"text/plain": repr(self), "text/html": f"{text}\n{picture}\n<pre>{html.escape(self.stub)}</pre>"}


def _is_open(entry: Any) -> bool:
    """Return whether nothing is written, or `...` is left in a list."""
    return entry is None or entry is ... or (isinstance(entry, list | tuple) and any(each is ... for each in entry))


def _in_python(row: Mapping[str, Any]) -> str:
    """Return a row of the form without its braces."""
    return json.dumps(row, ensure_ascii=False).replace(": null", ": None")[1:-1]


def _shown(value: Any) -> str:
    if isinstance(value, frozenset):
        return ", ".join(map(quoted, sorted(value))) or "empty"
    return value if isinstance(value, str) else number(value)
