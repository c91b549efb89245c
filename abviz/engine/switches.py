"""The improvements of alpha-beta, each a switch."""

from dataclasses import dataclass, field, fields, replace
from typing import Any

from abviz.errors import AbvizError, brief, unknown

STAYS, DEEPER, MAY_BE_WRONG = "the value stays", "looks deeper", "may be wrong"


def _switch(on: bool | int, kind: str) -> Any:
    return field(default=on, metadata={"kind": kind})


@dataclass(frozen=True, kw_only=True)
class Switches:
    """The improvements that a search uses. With those of the first kind its value is that of plain alpha-beta."""

    captures: bool = _switch(True, STAYS)  # sort moves by what they capture
    killers: bool = _switch(True, STAYS)  # then moves that have just cut at the same ply
    history: bool = _switch(True, STAYS)  # then by how often, and how far from the leaves, a move has cut anywhere
    presort: bool = _switch(False, STAYS)  # instead, sort by a search two moves deep
    deepening: bool = _switch(True, STAYS)  # search to depth 1, 2, 3 …, beginning with the line of the last iteration
    table: bool = _switch(True, STAYS)  # store the results of positions
    aspiration: bool = _switch(True, STAYS)  # begin with a narrow window around the expected value
    pvs: bool = _switch(True, STAYS)  # search later moves with a null window, again if one is better
    hot: bool = _switch(True, DEEPER)  # play out captures before a position is evaluated
    reductions: bool = _switch(False, MAY_BE_WRONG)  # search late quiet moves one move less deep
    beam: int = _switch(0, MAY_BE_WRONG)  # search only this many moves of a position (0: all)

    def __post_init__(self) -> None:
        for name in self.names():
            value: Any = getattr(self, name)
            if type(value) is not (int if name == "beam" else bool) or value < 0:
                expected = "True or False" if name != "beam" else "a number of moves to keep, or 0 for all"
                raise AbvizError(f"{name} is {brief(value)}; expected {expected}")

    @classmethod
    def of(cls, switches: "Switches | None" = None, **changes: Any) -> "Switches":
        """Return the switches, the default ones where there are none, with changes. Raises AbvizError for others."""
        if not isinstance(switches, cls | None):
            raise AbvizError(f"switches is {brief(switches)}; expected Switches(...)")
        for name in changes:
            if name not in cls.names():
                raise unknown("switch", name, cls.names())
        return replace(switches or cls(), **changes)

    @classmethod
    def names(cls, kind: str | None = None) -> tuple[str, ...]:
        return tuple(each.name for each in fields(cls) if kind in (None, each.metadata["kind"]))

    @classmethod
    def none(cls, **changes: Any) -> "Switches":
        """Return all improvements off but for these; captures are still played out."""
        return cls.of(None, **{name: False for name in cls.names(STAYS)} | changes)

    @property
    def exact(self) -> bool:
        """Whether the value is that of plain alpha-beta."""
        return not (self.reductions or self.beam)
