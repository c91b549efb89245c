"""The improvements of alpha-beta, each a switch."""

from dataclasses import dataclass, field, fields
from typing import Any

from abviz.errors import AbvizError, brief, unknown

STAYS, DEEPER, MAY_BE_WRONG = "the value stays", "looks deeper", "may be wrong"


def _switch(on: bool | int, kind: str) -> Any:
    return field(default=on, metadata={"kind": kind})


@dataclass(frozen=True, kw_only=True)
class Switches:
    """Which improvements a search uses. With those of the first class its value is that of plain alpha-beta."""

    captures: bool = _switch(True, STAYS)  # moves are sorted by what they capture
    killers: bool = _switch(True, STAYS)  # then those that have just cut at the same distance from the root
    history: bool = _switch(True, STAYS)  # then by how often, and how far from the leaves, they have cut anywhere
    presort: bool = _switch(False, STAYS)  # instead, by a search that looks two moves ahead
    deepening: bool = _switch(True, STAYS)  # to depth 1, 2, 3 …, each time the line found before comes first
    table: bool = _switch(True, STAYS)  # what has been found out about a position is remembered
    aspiration: bool = _switch(
        True, STAYS
    )  # begin with a narrow window round the expected value; again if it is outside
    pvs: bool = _switch(True, STAYS)  # ask of later moves only whether they are better; again if one is
    hot: bool = _switch(True, DEEPER)  # captures are played out before a position is evaluated
    reductions: bool = _switch(False, MAY_BE_WRONG)  # late quiet moves are searched one move less deep
    beam: int = _switch(0, MAY_BE_WRONG)  # only so many moves of a position are searched at all (0: all of them)

    def __post_init__(self) -> None:
        for each in fields(self):
            value = getattr(self, each.name)
            if each.name == "beam":
                if isinstance(value, bool) or not isinstance(value, int) or value < 0:
                    raise AbvizError(f"beam is {brief(value)}; expected how many moves to keep, or 0 for all")
            elif not isinstance(value, bool):
                raise AbvizError(f"{each.name} is {brief(value)}; expected True or False")

    @classmethod
    def of(cls, **told: Any) -> "Switches":
        """The usual switches but for those that are told."""
        for name in told:
            if name not in cls.names():
                raise unknown("switch", name, cls.names())
        return cls(**told)

    @classmethod
    def names(cls, kind: str | None = None) -> tuple[str, ...]:
        return tuple(each.name for each in fields(cls) if kind in (None, each.metadata["kind"]))

    @classmethod
    def none(cls, **told: Any) -> "Switches":
        """All improvements off but for those that are told; captures are played out still."""
        return cls.of(**{name: False for name in cls.names(STAYS)} | told)

    @property
    def exact(self) -> bool:
        """Whether the value is that of plain alpha-beta."""
        return not (self.reductions or self.beam)
