"""What all exercises share: a name, texts from the data files, and verdicts on answers."""

import json
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any, ClassVar, TypeAlias, TypeVar

from abviz.capabilities import is_installed
from abviz.errors import INTERRUPTS, AbvizError, brief, type_name
from abviz.exercises.verdict import NOT_YET, RIGHT, WRONG, Verdict

FIRST_PAGE = "00-start-here.ipynb"  # of the course: the folder that holds it is one hand-in
SECONDS = 10.0  # the time limit of `check`

# The exercises that had another name once, by that name
RENAMED = {
    "mend-minimax": "fix-minimax",
    "mend-alphabeta": "fix-alphabeta",
    "mend-prune": "fix-prune",
}


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

    @property
    def texts(self) -> Texts:
        own: Texts = texts()[self.name]
        return own

    @property
    def text(self) -> str:
        return str(self.texts.get("text", ""))

    @property
    def stub(self) -> str:
        return str(self.texts["stub"])

    @property
    def hints(self) -> tuple[str, ...]:
        return tuple(self.texts["hints"])

    @abstractmethod
    def check(self, answer: object, seconds: float = SECONDS) -> Verdict:
        """Return the verdict on an answer, which runs here."""

    def verdict(
        self, status: str, message: str, mistakes: Sequence[Mistake] = (), **fields: Any
    ) -> Verdict:
        """Return a verdict with the hints; those of the known mistakes come first."""
        hints: tuple[str, ...] = ()
        if status != RIGHT:
            hints = (*(each.hint for each in mistakes), *self.hints)

        if mistakes:
            seems = ", and ".join(each.says for each in mistakes)
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
