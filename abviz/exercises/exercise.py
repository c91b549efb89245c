"""What all exercises share: a name, texts from the data files, and verdicts on answers."""

import json
import re
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any, ClassVar, Self, TypeAlias, TypeVar

from abviz.capabilities import is_installed, starts_threads
from abviz.errors import INTERRUPTS, AbvizError, brief, type_name
from abviz.exercises.verdict import NOT_YET, RIGHT, WRONG, Verdict
from abviz.tracing.algorithms import Rules
from abviz.tracing.templates import lettered

FIRST_PAGE = "00-start-here.ipynb"  # of the course: the folder that holds it is one hand-in

# The time limit of `check`: the Python of a browser takes longer, on a phone much longer
SECONDS = 10.0 if starts_threads() else 40.0


# All texts as one file, which a browser has: there it takes long to read YAML.
TEXTS = Path(__file__).with_name("texts.json")

# The texts of an exercise, by what they are for, as a data file holds them.
Texts: TypeAlias = dict[str, Any]


@cache
def texts() -> Texts:
    """Return the texts of the data files, by exercise; those of mistakes are under "mistakes"."""
    if TEXTS.is_file():
        made: Texts = json.loads(TEXTS.read_text(encoding="utf-8"))
        return made

    import yaml  # when it is first needed: it takes a while

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    by_exercise: dict[str, Any] = {}
    mistakes: dict[str, Any] = {}

    for path in Path(__file__).parent.glob("*.yaml"):
        if path.stem == "check_ups":
            continue
        content = yaml.load(path.read_text(encoding="utf-8"), loader)
        by_exercise |= content
        mistakes |= content.get("mistakes", {})

    return by_exercise | {"mistakes": mistakes}


# The switches of the rules
SWITCHES = tuple(rule.name for rule in fields(Rules))


def switched_on(rules: Rules) -> list[str]:
    """Return the names of the rules that are not the usual ones."""
    return [name for name in SWITCHES if getattr(rules, name)]


def changes_under(rules: Rules) -> dict[str, Texts]:
    """Return what rules.yaml has for the rules that are not the usual ones, by rule."""
    under: dict[str, Texts] = texts()["under"]
    return {name: under[name] for name in switched_on(rules) if name in under}


def worded(text: str, rules: Rules) -> tuple[str, list[str]]:
    """Return the text under the rules, in the letters of the course, and the rules left unsaid."""
    unsaid = []
    for name, changes in changes_under(rules).items():
        before = text
        text = _with_phrases(text, changes.get("phrases", {}))
        if text == before:
            unsaid.append(name)
        text = _with_phrases(text, changes.get("also", {}))
    return lettered(text), unsaid


def _with_phrases(text: str, phrases: Mapping[str, str]) -> str:
    for phrase, new in phrases.items():
        text = _phrase(phrase).sub(new, text)
    return text


@cache
def _phrase(phrase: str) -> re.Pattern[str]:
    """Return the pattern of a phrase, which may go on in the next line."""
    return re.compile(r"\s+".join(map(re.escape, phrase.split())))


# Called with what is known of a wrong answer before its mistake is: a verdict with the tree.
listeners: list[Callable[[Verdict], object]] = []

T = TypeVar("T")


def progress(items: Iterable[T], words: str, total: int) -> Iterable[T]:
    """Return the items. If stderr is a terminal, it shows how many of them have been taken."""
    is_watched = sys.stderr is not None and sys.stderr.isatty()
    if not is_watched or not is_installed("rich"):
        return items

    from rich.console import Console
    from rich.progress import track

    return track(items, words, total, console=Console(stderr=True), transient=True)


@dataclass(frozen=True)
class Mistake:
    """A known mistake, with its texts from the data files."""

    name: str
    says: str  # continues "It looks as if"
    hint: str
    # Of a search: ways to make the mistake, which may behave differently
    forms: tuple[dict[str, str], ...] = ()


class Exercise(ABC):
    """An exercise. Its stub, its hints and, where there is one, its question are in a data file."""

    name: str
    needs_threads: ClassVar[bool] = False  # to check an answer

    # The rules of the course, and the names of those that it does not follow, and says so
    rules: Rules = Rules()
    keeps: Sequence[str] = ()

    def under(self, rules: Rules) -> Self:
        """Return the exercise under the rules of a course; itself where they don't concern it."""
        return self

    def followed(self, rules: Rules) -> Rules:
        """Return the rules without those that the exercise does not follow."""
        return replace(rules, **dict.fromkeys(self.keeps, False))

    @property
    def texts(self) -> Texts:
        own: Texts = texts()[self.name]
        return own

    @property
    def text(self) -> str:
        return worded(str(self.texts.get("text", "")), self.rules)[0]

    @property
    def stub(self) -> str:
        return worded(str(self.texts["stub"]), self.rules)[0]

    @property
    def hints(self) -> tuple[str, ...]:
        return tuple(worded(hint, self.rules)[0] for hint in self.texts["hints"])

    @abstractmethod
    def check(self, answer: object, seconds: float = SECONDS) -> Verdict:
        """Return the verdict on an answer, which runs here."""

    def verdict(
        self, status: str, message: str, mistakes: Sequence[Mistake] = (), **fields: Any
    ) -> Verdict:
        """Return a verdict with the hints; those of the known mistakes come first."""
        hints: tuple[str, ...] = ()
        if status != RIGHT:
            hints = (*(lettered(each.hint) for each in mistakes), *self.hints)

        if mistakes:
            seems = ", and ".join(lettered(each.says) for each in mistakes)
            message = f"{message} It looks as if {seems}. {hints[0]}"
            fields["mistake"] = ", and ".join(each.name for each in mistakes)

        return Verdict(self.name, status, message, hints=hints, **fields)

    def __repr__(self) -> str:
        return f"{self.name}: {self.text}\n\n{self.stub}"


# Of an answer that is data
MOST_PARTS = 50_000
MOST_LEVELS = 300


def copied(answer: object) -> object:
    """Return data as Python's own lists, tuples, sets and dictionaries.

    Whatever else is in it stays as it is.

    Raises AbvizError where there is too much of it, as in a list that holds itself.
    """
    parts = count(1)

    def copy(value: object, level: int) -> object:
        if next(parts) > MOST_PARTS or level > MOST_LEVELS:
            expected = f"expected at most {MOST_PARTS:,} entries and {MOST_LEVELS} levels"
            raise AbvizError(f"The answer is {brief(answer)}; {expected}")

        if isinstance(value, Mapping):
            return {key: copy(each, level + 1) for key, each in value.items()}
        for kind in (list, tuple, set, frozenset):
            if isinstance(value, kind):
                return kind([copy(each, level + 1) for each in value])
        return value

    return copy(answer, 0)


class DataExercise(Exercise):
    """An exercise whose answer is data and not a function."""

    @abstractmethod
    def mark(self, answer: object) -> Verdict:
        """Return the verdict on an answer; raise AbvizError for one that cannot be marked."""

    def check(self, answer: object, seconds: float = SECONDS) -> Verdict:
        if answer is None or answer is ...:
            return self.verdict(NOT_YET, self.hints[0])

        try:
            return self.mark(copied(answer))
        except AbvizError as error:
            return self.verdict(WRONG, f"{error}.")
        except INTERRUPTS:
            raise
        except BaseException as error:  # of an object whose own methods fail
            return self.verdict(
                WRONG, f"The answer is {brief(answer)}, which can't be read ({type_name(error)})."
            )
