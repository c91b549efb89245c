"""Bad input in one line, and how numbers and names are written."""

import re
import reprlib
import unicodedata
from collections.abc import Iterable
from difflib import get_close_matches
from math import inf, isnan, log10
from numbers import Integral, Real

Number = int | float


ADDRESS = re.compile(r"( |\.\.\.)at 0x[0-9a-fA-F]+>+")
LONG = 60  # letters of a name, beyond which a sentence cuts it

JOINER, AS_EMOJI, SOFT_HYPHEN = "\u200d", "\ufe0f", "\xad"  # 👩 and 💻 joined are one sign, ✂ as an emoji is two wide
SKIN_TONES = "🏻🏼🏽🏾🏿"


class _Short(reprlib.Repr):
    def repr_int(self, x: int, level: int) -> str:
        try:
            return super().repr_int(x, level)
        except ValueError:  # Python writes no number of thousands of digits
            return f"a number of some {int(x.bit_length() * log10(2)) + 1:,} digits"

    def repr_ellipsis(self, x: object, level: int) -> str:
        return "..."  # as it is typed

    def repr_instance(self, x: object, level: int) -> str:
        return ADDRESS.sub(">", super().repr_instance(x, level))  # where it lies in memory helps nobody


_REPR = _Short()
_REPR.maxstring = _REPR.maxother = _REPR.maxlong = 40
_REPR.maxlevel = 2


def plain(value: object) -> Number | None:
    """A number of any kind (numpy's, a fraction) as an int or a float; None for what is no number, such as True or NaN.

    Raises OverflowError where a float cannot hold it.
    """
    if type(value) is int and abs(value) < 1e15:  # as most are: what follows tells the same slowly
        return value
    if isinstance(value, bool) or not isinstance(value, Real):
        return None
    size = float(value)
    if isinstance(value, Integral):
        return int(value)
    if isnan(size):
        return None
    return size if abs(size) >= 1e15 or size % 1 else int(size)


def number(value: Number | None) -> str:
    """As written in a picture or a sentence: 3, −1, 0.5, −∞; a value that is not known is "?"."""
    if value is None:
        return "?"
    return machine(value).replace("-", "−").replace("inf", "∞")


def machine(value: Number | None) -> str:
    """As written in `data-*` attributes: 3, -1, 0.5, -inf; nothing for None."""
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return str(value)


def as_json(value: Number | None) -> Number | str | None:
    """As written in JSON, which has no infinities: those become the strings "inf" and "-inf"."""
    return machine(value) if value in (inf, -inf) else value


def visible(name: str) -> str:
    """A name as typed, made safe to show: a control character, which a terminal would obey and SVG forbids, is shown
    by its Unicode picture (␛, ␊) or by �, and so is a mark that would turn around the words beside it."""
    return name if _plain(name) else "".join(map(_picture, name))


def quoted(name: str) -> str:
    """A visible name for use within a sentence: a long one is cut in the middle (the path name of a node 500 levels
    deep has a thousand letters), and right-to-left text is isolated from the words around it."""
    shown = visible(name if len(name) <= LONG else f"{name[: LONG // 2 - 1]}…{name[-(LONG // 2) :]}")
    if not shown.isascii() and any(unicodedata.bidirectional(letter) in ("R", "AL", "AN") for letter in shown):
        return f"\u2068{shown}\u2069"
    return shown


def _picture(letter: str) -> str:
    if letter < " ":
        return chr(0x2400 + ord(letter))
    if letter == "\x7f":
        return "\u2421"
    turns = "\u202a" <= letter <= "\u202e" or "\u2066" <= letter <= "\u2069"
    if turns or unicodedata.category(letter) in ("Cc", "Cs", "Zl", "Zp") or letter in "\ufffe\uffff":
        return "\ufffd"
    return letter


def brief(value: object) -> str:
    """A value as Python writes it, control characters escaped, cut short: for quoting what somebody else wrote."""
    lines = _REPR.repr(value).splitlines()  # an array writes itself on several
    return visible(" ".join(line.strip() for line in lines))


def columns(text: str) -> int:
    """How many columns of a terminal the text fills: wide letters and emoji take two, marks on a letter none."""
    if _plain(text):
        return len(text)
    total = before = 0  # `before`: of the sign so far, to which a mark may belong
    joined = False
    for letter in text:
        width = _width(letter)
        if before == 2 and (joined or letter in SKIN_TONES):
            width = 0
        elif letter == AS_EMOJI and before == 1:
            width, before = 1, 2
        elif width:
            before = width
        joined = letter == JOINER
        total += width
    return total


def _plain(text: str) -> bool:
    return text.isascii() and text.isprintable()


def _width(letter: str) -> int:
    if unicodedata.category(letter) in ("Mn", "Me", "Cf"):
        return int(letter == SOFT_HYPHEN)
    return 2 if unicodedata.east_asian_width(letter) in "WF" else 1


def ljust(text: str, width: int) -> str:
    return text + " " * (width - columns(text))


def count(n: int, noun: str, plural: str = "") -> str:
    """1 leaf, 2 leaves."""
    return f"{n:,} {noun if n == 1 else plural or noun + 's'}"


class AbvizError(ValueError):
    """Bad input, told in one line: the place, what stands there, what was expected."""

    def _render_traceback_(self) -> list[str]:
        """What IPython shows instead of a traceback: the one line is all that helps."""
        return [f"{type(self).__name__}: {self}"]


class Stopped(KeyboardInterrupt):
    """An interrupt, told in one line: what had been found by then."""

    def _render_traceback_(self) -> list[str]:
        return [f"stopped; found so far: {self}" if str(self) else "stopped"]


def unknown(what: str, given: object, legal: Iterable[str]) -> AbvizError:
    """An error for a name that is not among the legal ones, with the nearest of them (or all, if few)."""
    legal = [_short(name) for name in legal]
    near = get_close_matches(given[:60], legal[:1000], n=3, cutoff=0.4) if isinstance(given, str) else []
    if near:
        hint = f"did you mean {' or '.join(near)}?"
    elif len(legal) <= 12:
        hint = f"there are {', '.join(legal)}" if legal else "there are none"
    else:
        hint = f"there are {len(legal)}, from {legal[0]} to {legal[-1]}"
    return AbvizError(f"unknown {what} {brief(given)}: {hint}")


def _short(name: str) -> str:
    return visible(name if len(name) <= 60 else f"{name[:59]}…")
