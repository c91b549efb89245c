"""Questions that a notebook asks: predictions, drawn next to the truth later, and check-ups. Nothing is graded.

An answer is stored as soon as it is given, in one file of the notebook's working directory, and survives a restart.
"""

import html
import json
import math
import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any

import anywidget
import traitlets
import yaml

from abviz.cells import CellWidget
from abviz.errors import AbvizError, Number, brief, plain, unknown, visible
from abviz.views.bundle import PAGE, join

FILE = ".abviz-answers.json"
HERE = Path(__file__).parent
Answer = int | float | str

_asked: dict[str, dict[str, Any]] = {}  # the questions of this kernel, by key
_unsaved: dict[str, Answer] = {}  # answers that could not be written
_writing = Lock()  # JupyterLab may hand over the answers of two widgets in two threads (kernel subshells)


class Questions(CellWidget, anywidget.AnyWidget):
    """Questions, and the answers given so far."""

    _esm = join([path.read_text("utf-8") for path in (PAGE / "dom.js", HERE / "predictions.js")])
    _css = (HERE / "predictions.css").read_text("utf-8")
    questions: Any = traitlets.List().tag(sync=True)  # key, asks, choices or between; a check-up also: answer, because
    answers = traitlets.Dict().tag(sync=True)  # by key
    problem = traitlets.Unicode("").tag(sync=True)

    def __init__(self, questions: list[dict[str, Any]]):
        _asked.update({each["key"]: each for each in questions})
        stored, problem = _read()
        super().__init__(questions=questions, answers=_fitting(stored, questions), problem=problem)
        self.observe(self._store, "answers")

    def _store(self, change: Any) -> None:
        with _writing:
            problem = _write(_fitting(change["new"], self.questions))
        self.problem = problem

    def __repr__(self) -> str:
        answers = _fitting(self.answers, self.questions)
        given = {key: f"Your answer: {_text(answer)}." for key, answer in answers.items()}
        lines = [f"{each['asks']} {given.get(each['key'], 'Not answered yet.')}" for each in self.questions]
        return "\n".join([*lines, *filter(None, [self.problem])])


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
        choices: Sequence[Answer] | None = None,
    ) -> Questions:
        """Return the question as a widget; it never keeps the notebook from running on."""
        if (between is None) == (choices is None):
            raise AbvizError(f"prediction {name!r} takes either between or choices")
        question = {"key": name, "asks": visible(asks)}
        return Questions([question | (_choices(choices) if between is None else _range(between))])

    def answer(self, name: str) -> Answer | None:
        """Return the prediction of that name, or None where none was made."""
        return _fitting(_read()[0], [_asked.get(name, {"key": name})]).get(name)

    def reveal(self, name: str, truth: Any) -> "Reveal":
        """Return the truth, with the prediction of that name next to it if one was made."""
        value = truth if isinstance(truth, str) else plain(truth)
        if value is None:
            raise AbvizError(f"the truth of {name!r} is {brief(truth)}; expected a number or a text")
        return Reveal(self.answer(name), value, _asked.get(name, {}).get("between"))


predict = Predict()


@dataclass(frozen=True, repr=False)
class Reveal:
    """A prediction and the truth: two numbers on a line, or two choices."""

    guess: Answer | None
    truth: Answer
    between: Sequence[Number] | None = None

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
        numbers = [each for each in (self.guess, self.truth) if isinstance(each, int | float) and math.isfinite(each)]
        if not self.between or len(numbers) < 2:
            return ""
        low, high = min(*numbers, *self.between), max(*numbers, *self.between)
        guess, truth = (80 + 300 * (value - low) / (high - low) for value in numbers)
        return (
            '<svg viewBox="0 0 460 66" width="460" aria-hidden="true" fill="currentColor" stroke="none" font-size="13" '
            'font-family="system-ui, sans-serif" text-anchor="middle" style="max-width: 100%; height: auto">'
            '<path d="M80 34H380M80 28v12M380 28v12" stroke="currentColor" stroke-width="1.5"/>'
            f'<text x="72" y="38.5" text-anchor="end">{_text(low)}</text>'
            f'<text x="388" y="38.5" text-anchor="start">{_text(high)}</text>'
            f'<circle cx="{guess:.1f}" cy="34" r="9" fill="none" stroke="currentColor" stroke-width="2"/>'
            f'<path d="M{truth:.1f} 28l6 6-6 6-6-6z"/>'
            f'<text x="{guess:.1f}" y="60">you: {_text(numbers[0])}</text>'
            f'<text x="{truth:.1f}" y="16">answer: {_text(numbers[1])}</text></svg>'
        )


def check_up(name: str) -> Questions:
    """Return the check-up of that name: five questions, which the page checks as soon as they are answered."""
    if not isinstance(name, str) or name not in check_ups():
        raise unknown("check-up", name, check_ups())
    return Questions([{"key": f"{name}: {each['asks']}", **each} for each in check_ups()[name]])


@cache
def check_ups() -> dict[str, list[dict[str, Any]]]:
    """Return the questions of check_ups.yaml by the name of their check-up."""
    questions: dict[str, list[dict[str, Any]]] = yaml.safe_load((HERE / "check_ups.yaml").read_text("utf-8"))
    return questions


def _range(between: Any) -> dict[str, Any]:
    ends = [plain(end) for end in between] if isinstance(between, Sequence) else []
    if len(ends) != 2 or None in ends or not -math.inf < ends[0] < ends[1] < math.inf:  # type: ignore[operator]
        raise AbvizError(f"between is {brief(between)}; expected two numbers, the lower one first")
    if not any(isinstance(end, float) for end in between):
        return {"between": ends, "step": 1}
    return {"between": ends, "step": 0.01 if ends[1] - ends[0] <= 10 else 0.1}  # type: ignore[operator]


def _choices(choices: Any) -> dict[str, Any]:
    given = choices if isinstance(choices, list | tuple) else []
    listed = [visible(each) if isinstance(each, str) else plain(each) for each in given]
    if len(listed) < 2 or None in listed or len({str(each) for each in listed}) < len(listed):
        raise AbvizError(f"choices are {brief(choices)}; expected two or more different texts or numbers")
    return {"choices": listed}


def _fitting(answers: dict[str, Any], questions: list[dict[str, Any]]) -> dict[str, Answer]:
    """Return the answers that the questions allow."""
    return {each["key"]: answers[each["key"]] for each in questions if _fits(answers.get(each["key"]), each)}


def _fits(answer: Any, question: dict[str, Any]) -> bool:
    """Return whether the question allows the answer. Anything may come from the browser and from the file."""
    if type(answer) not in (int, float, str):
        return False
    if "between" not in question:  # or nothing is known of a question that this kernel has not asked yet
        return answer in question.get("choices", [answer])
    low, high = question["between"]
    return type(answer) is not str and low <= answer <= high and (question["step"] < 1 or answer % 1 == 0)


def _read() -> tuple[dict[str, Any], str]:
    """Return what the file holds, with what could not be written to it, and a line on why it cannot be used."""
    try:
        content = json.loads(Path(FILE).read_text("utf-8-sig"))
        if not isinstance(content, dict):
            raise ValueError(f"it holds {brief(content)}; expected answers by name")
    except FileNotFoundError:
        return dict(_unsaved), ""
    except (OSError, ValueError, RecursionError) as error:
        return dict(_unsaved), f"{FILE} is ignored: {visible(str(error))}"
    return content | _unsaved, ""


def _write(answers: dict[str, Answer]) -> str:
    """Add the answers to the file, in one step; one that cannot be used is kept as FILE.old. Return a line on why that
    was not possible."""
    _unsaved.update(answers)
    part = Path(f"{FILE}.{os.getpid()}")
    try:
        content, problem = _read()
        part.write_text(json.dumps(content, indent=1), "utf-8")
        if problem:
            Path(FILE).replace(f"{FILE}.old")
        part.replace(FILE)
    except OSError as error:
        return f"The answer is kept until the kernel stops: {visible(str(error))}"
    _unsaved.clear()
    return ""


def _text(value: Answer) -> str:
    return value if isinstance(value, str) else f"{round(value, 3):,}".replace("-", "−").replace("inf", "∞")
