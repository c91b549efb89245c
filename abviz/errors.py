"""Errors in one line, and how numbers and names are written."""

import linecache
import re
import reprlib
import traceback
import unicodedata
from collections.abc import Callable, Iterable
from difflib import get_close_matches
from functools import cache
from math import inf, log10
from numbers import Integral, Real
from pathlib import Path

Number = int | float

# Letters of a name in a sentence and in a picture; a longer one loses its middle.
LONGEST = 60
LONGEST_IN_PICTURE = 24

LONGEST_MESSAGE = 200  # characters of a message, and of a line of code
LONGEST_QUOTE = 400  # characters of quoted input
LONGEST_READ = 10_000  # characters of a text that are looked at before it is cut

# Bits of a whole number: Python refuses to write one of more than 4,300 digits.
LARGEST_WRITTEN = 10_000

# The folders of abviz and of Python's own library.
HERE = f"{Path(__file__).parent}/", f"{Path(linecache.__file__).parent}/"
ADDRESS = re.compile(r"( |\.\.\.)at 0x[0-9a-fA-F]+>+")


class AbvizError(ValueError):
    """Bad input, described in one line: the place, what was found, what was expected."""

    def _render_traceback_(self) -> list[str]:
        """Return what IPython shows in place of a traceback."""
        return [f"{type(self).__name__}: {self}"]


class Stopped(KeyboardInterrupt):
    """An interrupted search; the message is what it had found by then."""

    def _render_traceback_(self) -> list[str]:
        return [f"stopped; found so far: {self}" if str(self) else "stopped"]


class TimeLimit(BaseException):
    """The time is up.

    It is no Exception, so that `except Exception` in the work does not keep it running.
    """


# They pass wherever all else that a student's code raises is caught.
INTERRUPTS = KeyboardInterrupt, TimeLimit


def unknown(what: str, given: object, legal: Iterable[str]) -> AbvizError:
    """Return the error for a name that is not legal.

    It gives the nearest legal names, or the first of all.
    """
    names = [short(name, LONGEST) for name in legal]
    near: list[str] = []
    if isinstance(given, str):
        near = get_close_matches(given[:60], names[:1000], n=3, cutoff=0.6)

    if near:
        hint = f"did you mean {' or '.join(near)}?"
    else:
        some = names[:12]
        if len(names) > 12:
            some.append("…")
        hint = f"there are {', '.join(some) or 'none'}"
    return AbvizError(f"unknown {what} {brief(given)}: {hint}")


def one_line(error: BaseException) -> str:
    """Return the exception in one line, with its place."""
    text = in_one_line(f"{type_name(error)}: {in_one_line(message(error))}").removesuffix(":")
    return f"{short(text, LONGEST_MESSAGE)}{place(error)}"


def message(error: BaseException) -> str:
    """Return the text of an exception; "" where its own `__str__` fails."""
    try:
        return str.__str__(str(error))
    except INTERRUPTS:
        raise
    except BaseException:
        return ""


def place(error: BaseException) -> str:
    """Return where the exception happened, as " (line 3: …)".

    It is the last line that it passed in the first file that is not a library.
    """
    calls = traceback.extract_tb(error.__traceback__, 500)  # of an endless recursion only the first
    steps = [call for call in calls if not call.filename.startswith(HERE)]
    if not steps:
        return ""

    file = steps[0].filename
    line = [step.lineno or 0 for step in steps if step.filename == file][-1]
    source = visible(linecache.getline(file, line).strip()[:LONGEST_MESSAGE])
    return f" (line {line}: {source})" if source else f" (line {line})"


NOT_WRITTEN = "it is not written yet"
CHANGED_NODE = "it assigns to a node"  # begins what is said of an answer that tries to
RAISED = "it raised "  # begins what is said of any other exception


def failure(error: BaseException) -> str:
    """Return in words how a student's function failed."""
    kind = type(error)
    if changes_node(error):
        return f"{CHANGED_NODE}{place(error)}; nodes can't be changed, so use a variable"
    if issubclass(kind, NotImplementedError):
        return NOT_WRITTEN
    if issubclass(kind, RecursionError):
        return f"it called itself without end{place(error)}"
    return f"{RAISED}{one_line(error)}"


def changes_node(error: BaseException) -> bool:
    """Return whether the exception comes from an assignment to an attribute of a tree's node."""
    if not isinstance(error, AttributeError):
        return False

    text = message(error)
    is_refused = "of 'Node' object has no" in text or text.startswith("cannot assign to field")
    # Reading an attribute that is not there sets `obj`, assigning to one does not.
    is_new = text.startswith("'Node' object has no attribute") and error.obj is None
    return is_refused or is_new


# numbers


def plain(value: object) -> Number | None:
    """Return a number of any type (numpy's, a fraction) as an int or a float.

    Return None for anything else, True and NaN too. Raise OverflowError where a float cannot hold
    the number.
    """
    if type(value) is int and abs(value) < 1e15:  # a short cut for nearly all values
        return value
    if isinstance(value, bool) or not isinstance(value, Real) or value != value:
        return None

    size = float(value)
    if isinstance(value, Integral):
        return int(value)
    return size if abs(size) >= 1e15 or size % 1 else int(size)


def number(value: Number | None) -> str:
    """Return the number as pictures and sentences write it: 3, −1, 0.5, −∞, or "?" for None."""
    if value is None:
        return "?"
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        value = int(value)
    return str(value).replace("-", "−").replace("inf", "∞")


def as_json(value: Number | None) -> Number | str | None:
    """Return the number for JSON: its infinities become the strings "inf" and "-inf"."""
    return {inf: "inf", -inf: "-inf"}.get(value, value)  # type: ignore[arg-type]


def count(n: int, noun: str, plural: str = "") -> str:
    """Return the number with its noun: 1 leaf, 2 leaves."""
    return f"{n:,} {noun if n == 1 else plural or noun + 's'}"


# names

# The sign that stands for a character which can't be shown.
SIGNS = {code: 0x2400 + code for code in range(32)} | {0x7F: 0x2421}
UNSHOWN = [
    *range(0x80, 0xA0),  # control characters
    *range(0x2028, 0x202F),  # line ends, and marks that turn text around
    *range(0x2066, 0x206A),
    *range(0xD800, 0xE000),  # halves of letters
    0xFFFE,
    0xFFFF,
]
SIGNS |= dict.fromkeys(UNSHOWN, 0xFFFD)


def visible(name: str) -> str:
    """Return the name made safe to show.

    Control characters, and marks that reverse text, become ␛, ␊ or �.
    """
    return name.translate(SIGNS)


def short(name: str, most: int = LONGEST_IN_PICTURE) -> str:
    """Return the visible name; one of more than `most` letters loses its middle."""
    if len(name) <= most:
        return visible(name)

    half = (most - 1) // 2
    return visible(f"{name[:half]}…{name[-half:]}")


def in_one_line(text: str) -> str:
    """Return the text with single spaces for all white space; of a very long one its two ends."""
    if len(text) > LONGEST_READ:
        text = f"{text[: LONGEST_READ // 2]}…{text[-LONGEST_READ // 2 :]}"
    return " ".join(text.split())


def quoted(name: str) -> str:
    """Return the short name for use in a sentence.

    Right-to-left text is isolated from the words around it.
    """
    shown = short(name, LONGEST)
    if shown.isascii():
        return shown

    directions = map(unicodedata.bidirectional, shown)
    if any(direction in ("R", "AL", "AN") for direction in directions):
        return f"\u2068{shown}\u2069"
    return shown


def brief(value: object) -> str:
    """Return the value as Python writes it, on one line and cut short, for quoting bad input.

    An object that can't be written is named by its type.
    """
    try:
        text = _REPR.repr(value)
    except INTERRUPTS:
        raise
    except BaseException:
        text = f"<{type_name(value)} object>"

    line = in_one_line(text)  # an array takes several
    return short(ADDRESS.sub(">", line), LONGEST_QUOTE)


def type_name(value: object) -> str:
    """Return the name of the object's type, whatever the type says of itself."""
    return str(_TYPE_NAME(type(value)))


def columns(text: str) -> int:
    """Return how many columns of a terminal the text fills.

    Wide letters and emoji take two, combining marks none.
    """
    if text.isascii():
        return len(text)

    return _cell_length()(text)


@cache
def _cell_length() -> Callable[[str], int]:
    """Return rich's function, or a simple one where rich is not installed."""
    try:
        from rich.cells import cell_len  # when it is first needed: its tables take a while
    except ImportError:
        return lambda text: sum(map(_letter_columns, text))
    return cell_len


def _letter_columns(letter: str) -> int:
    if unicodedata.category(letter) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(letter) in ("W", "F") else 1


class _Repr(reprlib.Repr):
    """Python's abbreviating `repr`, also of whole numbers too large to be written in decimals."""

    def repr_int(self, x: int, level: int) -> str:
        if int.bit_length(x) < LARGEST_WRITTEN:
            return super().repr_int(x, level)
        digits = int(int.bit_length(x) * log10(2))
        return f"a whole number of about {digits:,} digits"

    def repr_bytes(self, x: bytes, level: int) -> str:
        if len(x) > LONGEST_READ:  # all of it would take long, and only the ends are shown
            x = x[: self.maxother] + x[-self.maxother :]
        return self.repr_instance(x, level)


_TYPE_NAME: Callable[[type], str] = type.__dict__["__name__"].__get__
_REPR = _Repr()
_REPR.maxstring = _REPR.maxother = _REPR.maxlong = 40
_REPR.maxlevel = 2


def spreadsheet_cell(value: object) -> object:
    """Return the value as a spreadsheet shows it: text that it would compute gets a quote."""
    is_computed = isinstance(value, str) and value.startswith(tuple("=+-@\t\r＝＋－＠'"))
    return f"'{value}" if is_computed else value
