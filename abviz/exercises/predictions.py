"""Questions that a notebook asks: predictions, drawn next to the truth later, and check-ups. Nothing is graded.

An answer is stored as soon as it is given, in one file of the notebook's working directory, and survives a restart.
"""

import html
import json
import os
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from math import isfinite
from pathlib import Path
from threading import Lock
from typing import Any

import anywidget
import traitlets
import yaml

from abviz.cells import CellWidget
from abviz.errors import AbvizError, Number, brief, plain, unknown
from abviz.views.bundle import PAGE, join

FILE = ".abviz-answers.json"
HERE = Path(__file__).parent
Answer = int | float | str

_between: dict[str, tuple[Number, Number]] = {}  # the bounds of the questions asked in this kernel, by name
_given: dict[str, Answer] = {}  # the answers given in this kernel, also where the file cannot be written
_writing = Lock()  # JupyterLab may hand over the answers of two widgets in two threads (kernel subshells)


class Questions(CellWidget, anywidget.AnyWidget):
    """Questions, and the answers given so far."""

    _esm = join([path.read_text("utf-8") for path in (PAGE / "dom.js", HERE / "predictions.js")])
    _css = (HERE / "predictions.css").read_text("utf-8")
    questions: Any = traitlets.List().tag(sync=True)  # key, asks, choices or between; a check-up also: answer, because
    answers = traitlets.Dict().tag(sync=True)  # by key

    def __init__(self, questions: list[dict[str, Any]]):
        stored, keys = _stored(), [each["key"] for each in questions]
        super().__init__(questions=questions, answers={key: stored[key] for key in keys if key in stored})
        self.observe(_store, "answers")

    def __repr__(self) -> str:
        lines = [f"{each['asks']} {self.answers.get(each['key'], 'Not answered yet.')}" for each in self.questions]
        return "\n".join(lines)


def _stored() -> dict[str, Answer]:
    """Return all answers, by key: those of the file, where it can be read, and those of this kernel."""
    with suppress(OSError, ValueError, TypeError):
        return json.loads(Path(FILE).read_text("utf-8")) | _given  # type: ignore[no-any-return]
    return dict(_given)


def _store(change: Any) -> None:
    with _writing, suppress(OSError):
        _given.update(change["new"])
        part = Path(f"{FILE}.{os.getpid()}")  # another kernel may read the file meanwhile
        part.write_text(json.dumps(_stored(), indent=1), "utf-8")
        part.replace(FILE)


class Predict:
    """Ask for a prediction: predict("How many leaves?", name="leaves", between=(0, 12)) or predict(..., choices=[...]).

    The name belongs to one question of the course. Bounds that are whole numbers ask for a whole number.
    """

    def __call__(
        self,
        asks: str,
        *,
        name: str,
        between: tuple[Number, Number] | None = None,
        choices: Sequence[Answer] = (),
    ) -> Questions:
        """Return the question as a widget; it never keeps the notebook from running on."""
        if between:
            if not between[0] < between[1]:
                raise AbvizError(f"between is {brief(between)}; expected two numbers, the lower one first")
            _between[name] = between
            step = 1 if all(isinstance(end, int) for end in between) else 0.01
            return Questions([{"key": name, "asks": asks, "between": between, "step": step}])
        if len(set(choices)) < 2:
            raise AbvizError(f"prediction {name!r} has choices {brief(choices)}; expected between=, or two or more")
        return Questions([{"key": name, "asks": asks, "choices": choices}])

    def answer(self, name: str) -> Answer | None:
        """Return the prediction of that name, or None where none was made."""
        return _stored().get(name)

    def reveal(self, name: str, truth: Any) -> "Reveal":
        """Return the truth, with the prediction of that name next to it if one was made."""
        value = truth if isinstance(truth, str) else plain(truth)
        if value is None:
            raise AbvizError(f"the truth of {name!r} is {brief(truth)}; expected a number or a text")
        return Reveal(name, value)


predict = Predict()


class Reveal:
    """A prediction and the truth: two numbers on a line, or two choices."""

    def __init__(self, name: str, truth: Answer):
        self.guess, self.truth, self.between = predict.answer(name), truth, _between.get(name)

    def __repr__(self) -> str:
        if self.guess is None:
            return f"The answer is {_text(self.truth)}."
        if self.guess == self.truth:
            return f"You predicted {_text(self.guess)}, and that is right."
        return f"You predicted {_text(self.guess)}. The answer is {_text(self.truth)}."

    def _repr_html_(self) -> str:
        return f"<div>{self._number_line()}<p>{html.escape(repr(self))}</p></div>"

    def _number_line(self) -> str:
        """Return the picture of two finite numbers: a ring for the guess and a diamond for the truth."""
        numbers = [each for each in (self.guess, self.truth) if isinstance(each, int | float) and isfinite(each)]
        if not self.between or len(numbers) < 2:
            return ""
        low, high = min(*numbers, *self.between), max(*numbers, *self.between)
        guess, truth = (80 + 300 * (value - low) / (high - low) for value in numbers)
        return (
            '<svg viewBox="0 0 460 66" width="460" aria-hidden="true" fill="currentColor" font-size="13" '
            'font-family="system-ui, sans-serif" text-anchor="middle" style="max-width: 100%; height: auto">'
            '<path d="M80 34H380M80 28v12M380 28v12" stroke="currentColor" stroke-width="1.5"/>'
            f'<text x="40" y="38.5">{_text(low)}</text><text x="420" y="38.5">{_text(high)}</text>'
            f'<circle cx="{guess:.1f}" cy="34" r="9" fill="none" stroke="currentColor" stroke-width="2"/>'
            f'<path d="M{truth:.1f} 28l6 6-6 6-6-6z"/>'
            f'<text x="{guess:.1f}" y="60">you: {_text(numbers[0])}</text>'
            f'<text x="{truth:.1f}" y="16">answer: {_text(numbers[1])}</text></svg>'
        )


def _text(value: Answer) -> str:
    return value if isinstance(value, str) else f"{round(value, 3):,}".replace("-", "−").replace("inf", "∞")


def check_up(name: str) -> Questions:
    """Return the check-up of that name: five questions, which the page checks as soon as they are answered."""
    if name not in check_ups():
        raise unknown("check-up", name, check_ups())
    return Questions([{"key": f"{name}: {each['asks']}", **each} for each in check_ups()[name]])


@cache
def check_ups() -> dict[str, list[dict[str, Any]]]:
    """Return the questions of check_ups.yaml by the name of their check-up."""
    questions: dict[str, list[dict[str, Any]]] = yaml.safe_load((HERE / "check_ups.yaml").read_text("utf-8"))
    return questions
