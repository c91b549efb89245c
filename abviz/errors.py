"""What abviz says when it is handed something that it cannot use."""

from collections.abc import Iterable
from difflib import get_close_matches

from abviz.text import brief, visible


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
