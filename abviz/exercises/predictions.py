"""Questions that a notebook asks: predictions, drawn next to the truth later, and check-ups.

Nothing is graded. An answer is stored as soon as it is given, in one file of the notebook's working
directory, and survives a restart.
"""

import html
import json
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from math import isfinite
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple

import traitlets
import yaml

from abviz.cells import CellWidget
from abviz.errors import AbvizError, brief, plain
from abviz.tree.files import write_whole
from abviz.views.bundle import PAGE
from abviz.views.modules import join
from abviz.widgets import AnyWidget

FILE = ".abviz-answers.json"
HERE = Path(__file__).parent
Answer = int | float | str
FACTS = {  # answers that a run can only suggest, by the name of their prediction
    "threads-lock": "only the compiled search",
    "cores-table": "only the value",
}

# The mime type of a prediction's answer, for pages
REVEAL = "application/vnd.abviz.reveal+json"

# The cards of answers.css, with colors for any theme: an output has no stylesheet of its own
LOOKS = {
    "": ("", "#8c959f"),
    "right": ('<b aria-hidden="true">✓</b> ', "#2c974b"),
    "wrong": ('<b aria-hidden="true">✗</b> ', "#c2571a"),
}

# JupyterLab may hand over the answers of two widgets in two threads (kernel subshells)
_writing = Lock()


class Questions(CellWidget, AnyWidget):
    """Questions, and the answers given so far."""

    _esm = join(HERE / "predictions.js")
    _css = (PAGE / "answers.css").read_text("utf-8") + (HERE / "predictions.css").read_text("utf-8")

    # Each has a key, asks, and choices or between; perhaps the answer, and because
    questions: Any = traitlets.List().tag(sync=True)
    answers = traitlets.Dict().tag(sync=True)  # by key

    def __init__(self, questions: list[dict[str, Any]]):
        stored = _stored()
        keys = [each["key"] for each in questions]
        answers = {key: stored[key] for key in keys if key in stored}
        super().__init__(questions=questions, answers=answers)
        self.observe(_store, "answers")

    def __repr__(self) -> str:
        lines = [f"{each['asks']} {self.answers.get(each['key'], '')}" for each in self.questions]
        return "\n".join(lines)


def _stored() -> dict[str, Answer]:
    """Return all answers, by key: none where the file cannot be read."""
    with suppress(OSError, ValueError, TypeError):
        return dict(json.loads(Path(FILE).read_text("utf-8")))
    return {}


def _store(change: Any) -> None:
    with _writing:
        write_whole(FILE, json.dumps(_stored() | change["new"], indent=1).encode())


class Predict:
    """Ask for a prediction: a number, or one of several choices.

    predict("How many leaves?", name="leaves", between=(0, 12)) or predict(..., choices=[...]).

    The name belongs to one question of the course. Bounds that are whole numbers ask for a whole
    number.
    """

    def __call__(
        self, asks: str, *, name: str, between: Any = (), choices: Sequence[Answer] = ()
    ) -> Questions:
        """Return the question as a widget; it never keeps the notebook from running on."""
        if not between and not choices:
            raise AbvizError(
                f"prediction {name!r} takes either between=(low, high) or choices=[...]"
            )

        step = 1 if all(isinstance(end, int) for end in between) else 0.01
        return Questions(
            [{"key": name, "asks": asks, "choices": choices, "between": between, "step": step}]
        )

    def answer(self, name: str) -> Answer | None:
        """Return the prediction of that name, or None where none was made."""
        return _stored().get(name)

    def reveal(self, name: str, truth: Any = None) -> "Reveal":
        """Return the truth, with the prediction of that name next to it if one was made.

        Without a truth it is one of FACTS.
        """
        if truth is None and name not in FACTS:
            raise AbvizError(
                f"prediction {name!r} has no answer; expected one: predict.reveal({name!r}, answer)"
            )

        truth = FACTS[name] if truth is None else truth
        answer = truth if isinstance(truth, str) else plain(truth)
        if answer is None:
            raise AbvizError(
                f"prediction {name!r} has the answer {brief(truth)}; expected a number or a text"
            )
        guess = self.answer(name)
        return Reveal(*_said(guess, answer), name, answer, _number_line(guess, answer))


predict = Predict()


def _said(guess: Answer | None, answer: Answer) -> tuple[str, str]:
    """Return what is said of the guess, and how it stands: "right", "wrong" of a choice, or ""."""
    if guess is None:
        return f"The answer is {_text(answer)}.", ""
    if _text(guess) == _text(answer):
        return f"You said {_text(guess)}, and that's right.", "right"
    is_choice = isinstance(answer, str)  # a number may well be a good guess
    return f"You said {_text(guess)}; it's {_text(answer)}.", "wrong" if is_choice else ""


class Reveal(NamedTuple):
    """A prediction and the truth, in words.

    Where both are finite numbers, there is also a picture: the SVG of a line.
    """

    text: str
    standing: str
    name: str
    answer: Answer
    picture: str

    def __repr__(self) -> str:
        return self.text

    def _repr_mimebundle_(self, **_: object) -> dict[str, Any]:
        """Return the HTML, and for a page of the web edition what it says of a later guess."""
        about = {"name": self.name, "answer": self.answer, "text": _text(self.answer)}
        return {"text/plain": self.text, "text/html": self._repr_html_(), REVEAL: about}

    def _repr_html_(self) -> str:
        sign, color = LOOKS[self.standing]
        style = (
            f"margin: 4px 0 0; padding: 2px 12px; border-left: 4px solid {color}; "
            f"background: color-mix(in srgb, {color} 12%, transparent)"
        )
        said = f'<p style="{style}">{sign}{html.escape(self.text)}</p>'
        return f"<div>{self.picture}{said}</div>"


def _number_line(*guess_and_truth: Answer | None) -> str:
    """Return a ring for the guess and a diamond for the truth."""
    numbers = [each for each in guess_and_truth if isinstance(each, int | float) and isfinite(each)]
    if len(numbers) < 2:
        return ""

    low = min(0, *numbers)
    high = max(1, *numbers)
    guess, truth = (80 + 300 * (value - low) / (high - low) for value in numbers)

    parts = (
        '<svg viewBox="0 0 460 66" width="460" aria-hidden="true" fill="currentColor" ',
        'font-size="13" font-family="system-ui, sans-serif" text-anchor="middle" ',
        'style="max-width: 100%; height: auto">',
        '<path d="M80 34H380M80 28v12M380 28v12" stroke="currentColor" stroke-width="1.5"/>',
        f'<text x="40" y="38.5">{_text(low)}</text>',
        f'<text x="420" y="38.5">{_text(high)}</text>',
        f'<circle cx="{guess:.1f}" cy="34" r="9" fill="none" stroke="currentColor" ',
        'stroke-width="2"/>',
        f'<path d="M{truth:.1f} 28l6 6-6 6-6-6z"/>',
        f'<text x="{guess:.1f}" y="60">you: {_text(numbers[0])}</text>',
        f'<text x="{truth:.1f}" y="16">answer: {_text(numbers[1])}</text>',
        "</svg>",
    )
    return "".join(parts)


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value
    return f"{round(value, 3):,}".replace("-", "−").replace("inf", "∞")


def check_up(name: str) -> Questions:
    """Return the check-up of that name.

    It has five questions, which the page checks as soon as they are answered.
    """
    return Questions([{"key": f"{name}: {each['asks']}", **each} for each in check_ups()[name]])


@cache
def check_ups() -> dict[str, list[dict[str, Any]]]:
    """Return the questions of check_ups.yaml by the name of their check-up.

    A question has what it `asks`, its `choices`, the `answer` among them, and for each choice, in
    their order, the reason why it is right or not (`because`).
    """
    read = yaml.safe_load((HERE / "check_ups.yaml").read_text("utf-8"))
    return {name: [_question(each, name) for each in questions] for name, questions in read.items()}


def _question(written: dict[str, Any], check_up: str) -> dict[str, object]:
    """Return a question as the page reads it.

    Raises AbvizError where a choice has no reason of its own.
    """
    asks = written["asks"]
    reasons = written["choices"]
    answer = written["answer"]
    place = f"check_ups.yaml, {check_up}: {asks!r}"

    if not isinstance(reasons, dict):
        raise AbvizError(
            f"{place} has choices without reasons; expected each choice with its own reason"
        )

    for choice, reason in reasons.items():
        if not isinstance(choice, str) or not isinstance(reason, str) or not reason:
            raise AbvizError(
                f"{place}: the choice {choice!r} has {brief(reason)}; expected a text with a reason"
            )

    if len(set(reasons.values())) < len(reasons):
        raise AbvizError(f"{place} gives two choices the same reason; expected one for each")

    if answer not in reasons:
        raise AbvizError(f"{place} has the answer {answer!r}; expected one of its choices")

    return {
        "asks": asks,
        "choices": list(reasons),
        "answer": answer,
        "because": list(reasons.values()),
    }
