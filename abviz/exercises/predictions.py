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
from typing import Any

import anywidget
import traitlets
import yaml

from abviz.cells import CellWidget
from abviz.errors import AbvizError, Number, brief, number, plain, unknown, visible
from abviz.views.bundle import PAGE, join

FILE = ".abviz-answers.json"
HERE = Path(__file__).parent
Answer = int | float | str

_asked: dict[str, dict[str, Any]] = {}  # the questions of this kernel, by key
_unsaved: dict[str, Answer] = {}  # answers that could not be written


class Questions(CellWidget, anywidget.AnyWidget):
    """Questions, and the answers given so far."""

    _esm = join([path.read_text("utf-8") for path in (PAGE / "dom.js", HERE / "predictions.js")])
    _css = (HERE / "predictions.css").read_text("utf-8")
    questions: Any = traitlets.List().tag(
        sync=True
    )  # key, asks, and choices or between; of a check-up: answer and because
    answers = traitlets.Dict().tag(sync=True)  # from the browser, by key
    stored = traitlets.Dict().tag(sync=True)  # those that Python has received
    problem = traitlets.Unicode("").tag(sync=True)

    def __init__(self, questions: list[dict[str, Any]]):
        _asked.update({each["key"]: each for each in questions})
        stored, problem = _read()
        answers = _fitting(stored, questions)
        super().__init__(questions=questions, answers=answers, stored=answers, problem=problem)
        self.observe(self._store, "answers")

    def _store(self, change: Any) -> None:
        answers = _fitting(change["new"], self.questions)
        self.problem, self.stored = _write(answers), answers

    def __repr__(self) -> str:
        lines = []
        for each in self.questions:
            options = each.get("choices") or [f"from {_text(each['between'][0])} to {_text(each['between'][1])}"]
            answer = self.stored.get(each["key"])
            given = "Not answered yet." if answer is None else f"Your answer: {_text(answer)}."
            lines.append(f"{each['asks']} ({'; '.join(map(str, options))}) {given}")
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
        for role, text in (("question", asks), ("name", name)):
            if not isinstance(text, str) or not text:
                raise AbvizError(f"the {role} is {brief(text)}; expected a text")
        if (between is None) == (choices is None):
            found = "neither between nor" if between is None else "both between and"
            raise AbvizError(f"prediction {name!r} has {found} choices; expected one of them")
        question = {"key": name, "asks": visible(asks)}
        return Questions([question | (_choices(choices) if between is None else _range(between))])

    def answer(self, name: str) -> Answer | None:
        """Return the prediction of that name, or None where none was made."""
        answers = _read()[0]
        fitting = _fitting(answers, [_asked[name]]) if name in _asked else answers
        return fitting.get(name) if _is_answer(fitting.get(name)) else None

    def reveal(self, name: str, truth: Any) -> "Reveal":
        """Return the truth, with the prediction of that name next to it if one was made."""
        value = truth if isinstance(truth, str) else plain(truth)
        if value is None:
            raise AbvizError(f"the truth of {name!r} is {brief(truth)}; expected a number or a text")
        return Reveal(self.answer(name), value, _asked.get(name, {}).get("between", ()))


predict = Predict()


@dataclass(frozen=True, repr=False)
class Reveal:
    """A prediction and the truth: two numbers on a line, or two choices."""

    guess: Answer | None
    truth: Answer
    between: Sequence[Number] = ()

    def __repr__(self) -> str:
        return " ".join(self._sentences())

    def _sentences(self) -> list[str]:
        if self.guess is None:
            return [f"The answer is {_text(self.truth)}."]
        if self.guess == self.truth:
            return [f"You predicted {_text(self.guess)}, and that is right."]
        return [f"You predicted {_text(self.guess)}.", f"The answer is {_text(self.truth)}."]

    def _repr_html_(self) -> str:
        marks = ["◆"] if self.guess in (None, self.truth) else ["○", "◆"]
        lines = zip(marks, self._sentences(), strict=True)
        text = "&ensp;".join(f'<span aria-hidden="true">{mark}</span> {html.escape(line)}' for mark, line in lines)
        return f"<div>{self._number_line()}<p>{text}</p></div>"

    def _number_line(self) -> str:
        """Return the picture, where both are finite numbers: a ring for the guess and a diamond for the truth."""
        if isinstance(self.guess, str | None) or isinstance(self.truth, str) or not math.isfinite(self.truth):
            return ""
        shown = [self.guess, self.truth, *self.between]
        low, high = min(shown), max(shown)
        guess, truth = (80 + 300 * ((value - low) / (high - low) if high > low else 0.5) for value in shown[:2])
        return (
            '<svg viewBox="0 0 460 66" width="460" aria-hidden="true" fill="currentColor" stroke="none" font-size="13" '
            'font-family="system-ui, sans-serif" text-anchor="middle" style="max-width: 100%; height: auto">'
            '<path d="M80 34H380M80 28v12M380 28v12" stroke="currentColor" stroke-width="1.5"/>'
            f'<text x="72" y="38.5" text-anchor="end">{_text(low)}</text>'
            f'<text x="388" y="38.5" text-anchor="start">{_text(high)}</text>'
            f'<circle cx="{guess:.1f}" cy="34" r="9" fill="none" stroke="currentColor" stroke-width="2"/>'
            f'<path d="M{truth:.1f} 28l6 6-6 6-6-6z"/>'
            f'<text x="{guess:.1f}" y="60">you: {_text(self.guess)}</text>'
            f'<text x="{truth:.1f}" y="16">answer: {_text(self.truth)}</text></svg>'
        )


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


def _range(between: Any) -> dict[str, Any]:
    ends = [plain(end) for end in between] if isinstance(between, Sequence) else []
    if len(ends) != 2 or None in ends or not -math.inf < ends[0] < ends[1] < math.inf:  # type: ignore[operator]
        raise AbvizError(f"between is {brief(between)}; expected two numbers, the lower one first")
    if not any(isinstance(end, float) for end in between):
        return {"between": ends, "step": 1}
    low, high = map(float, between)
    return {"between": [low, high], "step": min(0.1, 10 ** math.floor(math.log10((high - low) / 100)))}


def _choices(choices: Any) -> dict[str, Any]:
    listed = list(choices) if isinstance(choices, Sequence) and not isinstance(choices, str) else []
    listed = [visible(each) if isinstance(each, str) else plain(each) for each in listed]
    if len(listed) < 2 or None in listed or len({str(each) for each in listed}) < len(listed):
        raise AbvizError(f"choices are {brief(choices)}; expected two or more different texts or numbers")
    return {"choices": listed}


def _fitting(answers: dict[str, Any], questions: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the answers that the questions allow. Anything may come from the browser and from the file."""
    fitting: dict[str, Any] = {}
    for question in questions:
        value: Any = answers.get(question["key"])
        if not _is_answer(value):
            continue
        if "choices" in question:
            fits = value in question["choices"]
        else:
            low, high = question["between"]
            if type(value) is int and isinstance(low, float):
                value = float(value)
            elif type(value) is float and value.is_integer() and isinstance(low, int):
                value = int(value)
            fits = type(value) is type(low) and low <= value <= high
        if fits:
            fitting[question["key"]] = value
    return fitting


def _is_answer(value: Any) -> bool:
    return type(value) is str or (type(value) in (int, float) and abs(value) < 1e300)


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


def _text(value: Answer | None) -> str:
    if isinstance(value, float) and math.isfinite(value):
        value = float(f"{value:.4g}")
    return (
        value if isinstance(value, str) else f"{value:,}".replace("-", "−") if isinstance(value, int) else number(value)
    )
