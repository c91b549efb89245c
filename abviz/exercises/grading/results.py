"""What is said of hand-ins, as it is kept: a Result of each answer, and a Report of all."""

from dataclasses import dataclass, field
from typing import Any

from abviz.errors import as_json
from abviz.exercises.verdicts import NOT_YET, RIGHT, as_lists, mover
from abviz.tree.model import Tree

ERROR, TIMEOUT = "error", "timeout"
SECONDS, MEGABYTES = 10.0, 1024


@dataclass(frozen=True)
class Result:
    """What is said of one answer."""

    status: str  # of a Verdict, or "error" or "timeout"
    message: str
    mistake: str | None = None
    tree: Tree | None = None
    points: float = 0.0
    of: float = 1.0
    seconds: float = 0.0

    def to_dict(self) -> dict[str, Any]:
        told: dict[str, Any] = {"status": self.status, "mistake": self.mistake, "tree": None, "message": self.message}
        if self.tree is not None:
            told |= {"tree": _in_json(as_lists(self.tree)), "to_move": mover(self.tree.root).lower()}
        return told | {"points": self.points, "of": self.of}


@dataclass(frozen=True)
class Limits:
    """For each hand-in: seconds of its own time to be read, and as many for each answer; megabytes of memory."""

    seconds: float = SECONDS
    megabytes: int = MEGABYTES


USUAL = Limits()


@dataclass(frozen=True)
class Report:
    """What is said of all hand-ins: of each, by its label, the results by exercise."""

    results: dict[str, dict[str, Result]] = field(default_factory=dict)
    lacking: tuple[str, ...] = ()  # limits that this system does not keep: "memory", "files", "processes"

    @property
    def all_right(self) -> bool:
        """Whether everything that is written is right."""
        return all(result.status in (RIGHT, NOT_YET) for each in self.results.values() for result in each.values())


def _in_json(nested: Any) -> Any:
    if isinstance(nested, dict):
        return nested | {"children": _in_json(nested["children"])}
    return list(map(_in_json, nested)) if isinstance(nested, list) else as_json(nested)
