"""What a file holds, made the records that it should be: checked field by field against their types."""

from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from numbers import Integral, Real
from types import NoneType, UnionType
from typing import Any, get_args, get_origin, get_type_hints

from abviz.errors import brief
from abviz.parallel.records import NODES, SECONDS, Run, TaskRecord

EXPECTED = {str: "text", int: "a whole number", float: "a number", bool: "true or false"}
CLOCKS = (SECONDS, NODES)
BEYOND = 1 << 63  # no number of a run is as large as this
LONGEST = 10**9  # seconds: some thirty years
MOST_WORKERS = 256


class Misfit(Exception):
    """What stands where something else was expected."""

    def __init__(self, problem: str, *place: str):
        super().__init__(": ".join([*place, problem]))
        self.problem, self.place = problem, place

    def within(self, place: str) -> "Misfit":
        return Misfit(self.problem, place, *self.place)


def expected(value: Any, what: str) -> Misfit:
    return Misfit(f"{brief(value)} stands there; expected {what}")


def fitted(value: Any, kind: Any) -> Any:
    """The value as a field of this kind holds it: a list becomes a tuple, a mapping a record."""
    if get_origin(kind) is UnionType:
        (kind,) = (part for part in get_args(kind) if part is not NoneType)
        return None if value is None else fitted(value, kind)
    if get_origin(kind) is tuple:
        return _fitted_list(value, get_args(kind))
    if is_dataclass(kind):
        return fitted_record(value, kind)
    no_number = isinstance(value, bool)  # to Python it is one
    if kind in (int, float) and isinstance(value, Integral) and not no_number:
        return _within_bounds(int(value))
    if kind is float and isinstance(value, Real) and not no_number and value == value:
        return float(_within_bounds(value))
    if kind in (str, bool) and isinstance(value, kind):
        return value
    raise expected(value, EXPECTED[kind])


def _within_bounds(value: Any) -> Any:
    if not -BEYOND < value < BEYOND:
        raise expected(value, "a number between −2^63 and 2^63")
    return value


def _fitted_list(value: Any, kinds: tuple[Any, ...]) -> tuple[Any, ...]:
    if not isinstance(value, list | tuple):
        raise expected(value, "a list")
    if kinds[-1] is not Ellipsis:
        if len(value) != len(kinds):
            raise expected(value, f"a list of {len(kinds)}")
        return tuple(fitted(each, kind) for each, kind in zip(value, kinds, strict=True))
    found = []
    for number, each in enumerate(value, 1):
        try:
            found.append(fitted(each, kinds[0]))
        except Misfit as misfit:
            raise misfit.within(f"number {number}") from None
    return tuple(found)


@cache
def _hints(kind: Any) -> dict[str, Any]:
    return get_type_hints(kind)


def fitted_record(told: Any, kind: Any) -> Any:
    """A record of its fields by name. One with a default may be missing; what is no field of it is passed over."""
    if not isinstance(told, dict):
        raise expected(told, f"the fields of a {kind.__name__}")
    hints, found = _hints(kind), {}
    for field in fields(kind):
        if field.name not in told:
            if field.default is MISSING:
                raise Misfit(f"there is no {field.name}; expected one")
            continue
        try:
            found[field.name] = fitted(told[field.name], hints[field.name])
        except Misfit as misfit:
            raise misfit.within(field.name) from None
    return kind(**found)


def sound(run: Run) -> Run:
    """The run, when its numbers agree with each other and with what can be: charts rely on it."""
    if run.clock not in CLOCKS:
        raise expected(run.clock, " or ".join(CLOCKS)).within("clock")
    if not 1 <= run.workers <= MOST_WORKERS:
        raise expected(run.workers, f"1 to {MOST_WORKERS}").within("workers")
    if len(run.cpu) not in (0, run.workers):
        raise expected(list(run.cpu), f"a number for each of the {run.workers} workers").within("cpu")
    _check_amount(run.nodes, BEYOND, "nodes")
    _check_amount(run.compiled, LONGEST, "compiled")
    latest = LONGEST if run.clock == SECONDS else BEYOND
    for name, time in (("time", run.time), *(("cpu", each) for each in run.cpu)):
        _check_amount(time, latest, name)
    moves = set(run.moves)
    for number, task in enumerate(run.tasks, 1):
        try:
            _check_task(task, run, moves, latest)
        except Misfit as misfit:
            raise misfit.within(f"task {number}") from None
    return run


def _check_amount(amount: float, most: int, name: str) -> None:
    if not 0 <= amount <= most:
        raise expected(amount, "0 or more" if amount < 0 else f"{most:,} at most").within(name)


def _check_task(task: TaskRecord, run: Run, moves: set[str], latest: int) -> None:
    if task.move and task.move not in moves:
        raise expected(task.move, "one of the run's moves, or nothing for the root itself").within("move")
    if not 0 <= task.worker < run.workers:
        raise expected(task.worker, f"0 to {run.workers - 1}").within("worker")
    _check_amount(task.nodes, BEYOND, "nodes")
    _check_amount(task.start, latest, "start")
    if task.end is not None:
        _check_amount(task.end, latest, "end")
        if task.end < task.start:
            raise expected(task.end, f"the time when it started, {task.start}, or later").within("end")
    for time, _, _ in task.learnt:
        _check_amount(time, latest, "learnt")
