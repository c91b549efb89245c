"""A course: the rules, letters, names, points and dates of a class, from the file `abviz.yaml`."""

import os
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from datetime import datetime, time
from functools import cache, partial
from pathlib import Path
from typing import Any, Literal, TypeVar

from abviz.errors import AbvizError, brief, short, unknown
from abviz.tracing.algorithms import Rules
from abviz.tracing.templates import LETTERS, PSEUDOCODE
from abviz.tree.model import Tree
from abviz.tree.nested import PLAYER_NAMES, BadTree, check_players

T = TypeVar("T")

FILE = Path("abviz.yaml")
MOST_BYTES = 100_000
MOST_SEEDS = 10_000

FORMS = {form["name"]: form for form in PSEUDOCODE["forms"]}

# What an instructor may give points for
EXERCISES = (
    # on paper
    "tree-values",
    "skipped-leaves",
    "other-rules",
    "path-bounds",
    "cut-names",
    "proven-values",
    "cut-thresholds",
    "no-cut",
    "tied-moves",
    "deep-cut",
    # searches
    "minimax",
    "two-functions",
    "alphabeta",
    "best-move",
    "best-line",
    "fail-hard",
    "negamax",
    "order",
    "killer",
    "table",
    "aspiration",
    "deepening",
    "best-order",
    # bugs
    "prove-break",
    "fix-minimax",
    "fix-alphabeta",
    "prove-marker",
    "fix-prune",
    # threads
    "split-root",
    "race",
    "predict-speed-up",
    "share-alpha",
    # positions
    "layer1",
    "open-lines",
    "advance",
    "checkers-men",
    "checkers-kings",
    "checkers-jumps",
    "checkers-multiple-jumps",
    "checkers-crowning",
    "checkers-end",
    "checkers-evaluation",
    "checkers-alphabeta",
)

# The exercises that had another name once, by that name
RENAMED = {
    "mend-minimax": "fix-minimax",
    "mend-alphabeta": "fix-alphabeta",
    "mend-prune": "fix-prune",
}


@dataclass(frozen=True, kw_only=True)
class Course:
    """What holds for a whole class. `Course()` is abviz's own."""

    # Those of every search, in exercises, pictures and sheets
    rules: Rules = Rules()

    # What a reader sees for the best value below: "bv" or "v"
    letters: Literal["bv", "v"] = "bv"

    # The form of pseudocode that a stepper opens with
    pseudocode: str = next(iter(FORMS))

    # The names of MAX and MIN, in trees that don't have names of their own
    players: tuple[str, str] = PLAYER_NAMES

    # The exercises that count, in this order; none: all that were answered
    exercises: tuple[str, ...] = ()

    # By exercise, where it isn't 1
    points: Mapping[str, float] = field(default_factory=dict)

    # Of generated trees, in this order; none: a random seed
    seeds: tuple[int, ...] = ()

    # A name such as Europe/Berlin; "": the computer's own
    time_zone: str = ""

    # It is in the time zone
    deadline: datetime | None = None

    # Where all this is from; None: from nowhere
    file: Path | None = field(default=None, compare=False)

    def named(self, tree: Tree) -> Tree:
        """Return the tree with the players of the course, if it has no names for them itself."""
        if tree.players != PLAYER_NAMES or self.players == PLAYER_NAMES or type(tree) is not Tree:
            return tree
        texts = tree.title, tree.source, tree.note, tree.notes
        return Tree.from_rows(tree.rows(), *texts, players=self.players)


def load_course(path: str | os.PathLike[str] | None = None) -> Course:
    """Return the course in that file, or else in `abviz.yaml` in the current folder.

    Where there is no such file either, it is abviz's own. Raises AbvizError, in one line, for a
    file that holds no course.
    """
    if path is None and not os.path.lexists(FILE):
        return Course()

    file = FILE if path is None else Path(path)
    name = short(str(file), 120)
    try:
        with file.open("rb") as stream:
            content = stream.read(MOST_BYTES + 1)
    except OSError as error:
        raise AbvizError(
            f"cannot read {name}: {error.strerror}; expected a course file such as {FILE}"
        ) from None

    try:
        values = _values(content)
    except _BadCourse as error:
        place = f"{name}, line {error.line}" if error.line else name
        raise AbvizError(f"{place}: {error}") from None
    return Course(**values, file=file.absolute())


class _BadCourse(Exception):
    """What is wrong with a course file, and in which line; 0: in none of them."""

    def __init__(self, line: int, problem: str):
        super().__init__(problem)
        self.line = line


# The nodes are those of a YAML document: yaml itself takes a while to import.
YamlNode = Any


def _values(content: bytes) -> dict[str, Any]:
    """Return what the file says, by field of `Course`."""
    root = _root(content)
    if root is None or _kind(root) == "null":
        return {}

    values: dict[str, Any] = {}
    lines: dict[str, int] = {}
    nodes: dict[str, YamlNode] = {}
    for key, node in _entries(root, "this", f"settings such as letters: v ({', '.join(SETTINGS)})"):
        name = _known(key, "setting", SETTINGS)
        values[name] = SETTINGS[name](name, node)
        lines[name] = _line(key)
        nodes[name] = node

    if "pseudocode" in values:
        _check_form(values["pseudocode"], values.get("rules", Rules()), lines["pseudocode"])
    if values.get("exercises") and "points" in values:
        for key, _ in nodes["points"].value:
            if _exercise(key) not in values["exercises"]:
                found = f"points for {brief(key.value)}, which is not among the exercises"
                raise _BadCourse(_line(key), f"{found}; expected one of {_listed(values)}")
    if "deadline" in values:
        values["deadline"] = _in_zone(values["deadline"], values.get("time_zone", ""))
    return values


def _listed(values: Mapping[str, Any]) -> str:
    return short(", ".join(values["exercises"]), 200)


def _root(content: bytes) -> YamlNode | None:
    """Return the root of the document; None where it is empty."""
    if len(content) > MOST_BYTES:
        raise _BadCourse(0, "larger than 100 kB; expected a course file in YAML")

    import yaml

    from abviz.tree.files import LOADER

    try:
        return yaml.compose(content.decode("utf-8-sig"), Loader=LOADER)
    except RecursionError:
        raise _BadCourse(0, "nested too deeply; expected a course file in YAML") from None
    except (yaml.YAMLError, ValueError) as error:
        reason = getattr(error, "problem", None) or getattr(error, "reason", error)
        mark: Any = getattr(error, "problem_mark", None)
        start: Any = getattr(error, "context_mark", None)
        if start and mark and start.line < mark.line and _is_open(str(error.context)):  # type: ignore[union-attr]
            reason = f"{reason} by line {mark.line + 1}"
            mark = start
        raise _BadCourse(
            mark.line + 1 if mark else 0,
            f"this does not parse ({short(str(reason), 120)}); expected YAML in UTF-8",
        ) from None


def _is_open(context: str) -> bool:
    """Return whether YAML was in brackets, or in quotes."""
    return context.startswith(("while parsing a flow", "while scanning a quoted"))


# parts of a document


def _line(node: YamlNode) -> int:
    return int(node.start_mark.line) + 1


def _kind(node: YamlNode) -> str:
    return str(node.tag).rpartition(":")[2]


def _wrong(name: str, node: YamlNode, expected: str) -> _BadCourse:
    """Return the error for a value that is not as expected."""
    if node.id == "mapping":
        found = "a mapping"
    elif node.id == "sequence":
        found = "a list" if node.value else "an empty list"
    elif _kind(node) == "null":
        found = "empty"
    else:
        found = brief(node.value)
    return _BadCourse(_line(node), f"{name} is {found}; expected {expected}")


def _entries(node: YamlNode, name: str, expected: str) -> Iterator[tuple[YamlNode, YamlNode]]:
    """Yield the keys of a mapping with their values; refuse a key that is there twice."""
    if node.id != "mapping":
        raise _wrong(name, node, expected)

    seen: set[str] = set()
    for key, value in node.value:
        if key.id != "scalar":
            raise _BadCourse(_line(key), f"a key of {name} is no name; expected {expected}")
        if key.value in seen:
            raise _BadCourse(_line(key), f"{brief(key.value)} is there twice; expected it once")
        seen.add(key.value)
        yield key, value


def _items(name: str, node: YamlNode, expected: str) -> list[YamlNode]:
    """Return the entries of a list, or the value that stands there alone."""
    if node.id == "scalar" and _kind(node) != "null":
        return [node]
    if node.id != "sequence":
        raise _wrong(name, node, expected)
    for item in node.value:
        if item.id != "scalar":
            raise _wrong(f"an entry of {name}", item, expected)
    return list(node.value)


def _known(node: YamlNode, what: str, legal: Mapping[str, object]) -> str:
    """Return the name at a node, which may be written with hyphens or spaces."""
    name = re.sub("[- ]", "_", node.value)
    if name not in legal:
        raise _BadCourse(_line(node), str(unknown(what, node.value, legal)))
    return name


# the settings, each with what reads it


def _rules(name: str, node: YamlNode) -> Rules:
    """Return the rules of a list of those that are on, or of a mapping to true and false."""
    switches = {rule.name: rule for rule in fields(Rules)}
    expected = "rules that are on, such as [strict, fail-hard], or strict: true"

    if node.id != "mapping":
        items = _items(name, node, expected)
        return Rules(**{_known(item, "rule", switches): True for item in items})

    return Rules(
        **{
            _known(key, "rule", switches): _switch(key.value, value)
            for key, value in _entries(node, name, expected)
        }
    )


def _switch(name: str, node: YamlNode) -> bool:
    if _kind(node) != "bool":
        raise _wrong(name, node, "true or false")
    return str(node.value).lower() in ("true", "yes", "on")


def _one_of(legal: tuple[str, ...], name: str, node: YamlNode) -> str:
    if node.id != "scalar" or node.value not in legal:
        raise _wrong(name, node, f"{', '.join(legal[:-1])} or {legal[-1]}")
    return str(node.value)


def _check_form(form: str, rules: Rules, line: int) -> None:
    """Refuse a form of pseudocode that is not the search under these rules."""
    for rule, needed in FORMS[form].get("needs", {}).items():
        if getattr(rules, rule) != needed:
            state = "true" if needed else "false"
            raise _BadCourse(
                line,
                f"pseudocode {form} is not the search under the rules of this file; "
                f"expected rules with {rule}: {state}, or another form",
            )


def _players(name: str, node: YamlNode) -> tuple[str, str]:
    expected = "two names, of MAX and of MIN, such as [Ann, Bob]"
    names = [item.value for item in _items(name, node, expected)]
    try:
        return check_players(names)
    except BadTree as problem:
        raise _BadCourse(_line(node), str(problem)) from None


def _exercise(node: YamlNode) -> str:
    """Return the name of an exercise, which may be an earlier one."""
    hyphened = str(node.value).replace("_", "-")
    hyphened = RENAMED.get(hyphened, hyphened)
    if hyphened not in EXERCISES:
        raise _BadCourse(_line(node), str(unknown("exercise", node.value, EXERCISES)))
    return hyphened


def _exercises(name: str, node: YamlNode) -> tuple[str, ...]:
    items = _items(name, node, "names of exercises, such as [minimax, alphabeta]")
    names = [_exercise(item) for item in items]
    for place, item in enumerate(items):
        if names[place] in names[:place]:
            raise _BadCourse(_line(item), f"{brief(item.value)} is there twice; expected it once")
    return tuple(names)


def _points(name: str, node: YamlNode) -> dict[str, float]:
    points: dict[str, float] = {}
    for key, value in _entries(node, name, "exercises with their points, such as alphabeta: 3"):
        exercise = _exercise(key)
        if exercise in points:
            raise _BadCourse(_line(key), f"{brief(key.value)} is there twice; expected it once")

        is_number = value.id == "scalar" and _kind(value) in ("int", "float")
        if not is_number or not re.fullmatch(r"\d{1,6}(\.\d*)?", value.value):
            raise _wrong(f"points of {exercise}", value, "a number such as 3 or 0.5, 0 or more")
        points[exercise] = float(value.value)
    return points


def _seeds(name: str, node: YamlNode) -> tuple[int, ...]:
    """Return the seeds: numbers, and ranges such as 100-119."""
    expected = "whole numbers, or a range such as 100-119"
    seeds: list[int] = []
    for item in _items(name, node, expected):
        match = re.fullmatch(r"(\d{1,9})(?:-(\d{1,9}))?", item.value)
        if not match:
            raise _wrong(name, item, expected)

        first, last = int(match[1]), int(match[2] or match[1])
        if not 0 <= last - first < MOST_SEEDS - len(seeds):
            raise _wrong(name, item, f"{expected}, at most {MOST_SEEDS:,} in all")
        seeds.extend(range(first, last + 1))
    return tuple(seeds)


def _time_zone(name: str, node: YamlNode) -> str:
    expected = "a name such as Europe/Berlin or America/New_York"
    if node.id != "scalar" or _kind(node) == "null":
        raise _wrong(name, node, expected)
    from zoneinfo import ZoneInfo

    if not has_time_zones():
        return str(node.value)
    try:
        return ZoneInfo(node.value).key
    except (OSError, ValueError, LookupError):  # it reads a file of that name
        raise _wrong(name, node, expected) from None


@cache
def has_time_zones() -> bool:
    """Return whether this Python knows time zones. A browser's knows none, and grades no one."""
    from zoneinfo import available_timezones

    return bool(available_timezones())


def _deadline(name: str, node: YamlNode) -> datetime:
    """Return the moment, without a zone where the file gives none; a day alone lasts to its end."""
    expected = "a day, such as 2026-10-31, or with a time, 2026-10-31 12:00"
    if node.id != "scalar":
        raise _wrong(name, node, expected)
    try:
        moment = datetime.fromisoformat(node.value)
    except ValueError:
        raise _wrong(name, node, expected) from None

    if re.fullmatch(r"\d{4}-\d\d-\d\d", node.value):
        return datetime.combine(moment, time(23, 59, 59))
    return moment


def _in_zone(moment: datetime, zone: str) -> datetime:
    """Return the moment in the zone; "" is the computer's own."""
    from zoneinfo import ZoneInfo

    try:
        if not zone or not has_time_zones():
            return moment.astimezone()
        if moment.tzinfo:
            return moment.astimezone(ZoneInfo(zone))
        return moment.replace(tzinfo=ZoneInfo(zone))
    except (OverflowError, ValueError, OSError):  # of a year that no calendar of a computer has
        raise _BadCourse(0, f"deadline is {moment}; expected a year such as 2026") from None


SETTINGS: dict[str, Callable[[str, YamlNode], object]] = {
    "rules": _rules,
    "letters": partial(_one_of, LETTERS),
    "pseudocode": partial(_one_of, tuple(FORMS)),
    "players": _players,
    "exercises": _exercises,
    "points": _points,
    "seeds": _seeds,
    "time_zone": _time_zone,
    "deadline": _deadline,
}
