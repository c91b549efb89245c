"""The texts that Python and the page share, as templates in JSON files.

They are sentences, questions and pseudocode. The sentences of recorded runs are Python's alone.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

from abviz.errors import Number, count, number, unknown

# What fills in the blanks of a template, by their names.
Blank = str | Number | None
Blanks = Mapping[str, Blank]

BLANK = re.compile(r"\{(\w+)(?::([^|}]+)\|([^|}]+))?\}")

# The letters that a reader sees for the best value below, and where they stand in a template: the
# blank {bv} has that name in any case
LETTERS = "bv", "v"
BEST_VALUE = re.compile(r"(?<!\{)\bbv\b")
_letters = ContextVar("letters", default=LETTERS[0])

FILES = ("sentences.json", "pseudocode.json", "recorded.json")
TEXTS, PSEUDOCODE, RECORDED_TEXTS = [
    json.loads(Path(__file__).with_name(name).read_text("utf-8")) for name in FILES
]

# The kinds of question, with the name of each
KINDS: dict[str, str] = {kind: question["name"] for kind, question in TEXTS["questions"].items()}

# The names of the forms of pseudocode
FORMS: list[str] = [
    form["name"] for form in (*PSEUDOCODE["forms"], PSEUDOCODE["minimax"], PSEUDOCODE["own"])
]


@contextmanager
def in_letters(letters: str) -> Iterator[None]:
    """Write "v" in place of "bv" in all texts and pictures that are made meanwhile, or "bv"."""
    before = _letters.set(letters)
    try:
        yield
    finally:
        _letters.reset(before)


def lettered(text: str) -> str:
    """Return the text, or the template, with the letters that a reader sees."""
    letters = _letters.get()
    return text if letters == LETTERS[0] else BEST_VALUE.sub(letters, text)


def fill(template: str, values: Blanks, say: Callable[[Number], str] = number) -> str:
    """Return the template with its blanks filled.

    {bv} is a text, a number or a dash, {saved:leaf|leaves} a count, {player:has|have} a name with
    its verb. `say` writes the numbers.
    """

    def text(blank: re.Match[str]) -> str:
        name, singular, plural = blank.groups()
        value = values[name]
        if singular:
            if isinstance(value, str):
                return f"{value} {plural if is_you(value) else singular}"
            assert isinstance(value, int)
            return count(value, singular, plural)
        if isinstance(value, str):
            return value
        if value is None:
            return "—"
        return say(value)

    return BLANK.sub(text, lettered(template))


def is_you(name: str) -> bool:
    """Return whether a player is the reader: you have, where others have a name that has."""
    return name.lower() == "you"


def kinds_asked(predict: object) -> list[str]:
    """Return the kinds of question that `predict` asks for.

    These are all (True), none (False), or those named.
    """
    if predict is True:
        return list(KINDS)
    if predict is False:
        return []

    named = predict if isinstance(predict, list | tuple | set | frozenset) else [predict]
    for kind in named:
        if kind not in list(KINDS):
            raise unknown("kind of question", kind, KINDS)
    return [kind for kind in KINDS if kind in named]
