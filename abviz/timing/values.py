"""Values of runs and of their tasks in words: what is known of a position, and no more than that."""

from abviz.errors import quoted
from abviz.games.scale import WIN, worth
from abviz.parallel.records import Run, TaskRecord

RUNNING, STOPPED, UNFINISHED = "running", "stopped", "not finished"


def told_value(task: TaskRecord) -> str:
    """What a task has found, nothing where there is nothing yet. Outside its window a value is only a bound."""
    if task.value is None:
        return ""
    alpha, beta = task.learnt[-1][1:] if task.learnt else (task.alpha, task.beta)
    sign = "≤ " if task.value <= alpha else "≥ " if task.value >= beta else ""
    return f"{sign}{worth(task.value)}"


def told_bound(value: int) -> str:
    """An α or β: of a window that is open it is infinite."""
    return worth(value) if abs(value) < WIN else "∞" if value > 0 else "−∞"


def in_sentence(value: str) -> str:
    """A value after the word, as in: value −3. Who wins is told without it."""
    return value if "wins" in value else f"value {value}"


def unusual_method(run: Run) -> list[str]:
    """What searches the tasks, where the strategy does not say it and it is no plain alpha-beta."""
    return [] if run.method in ("alphabeta", run.strategy) else [quoted(run.method)]


def state_of(run: Run) -> str:
    """What has become of a run that has not finished; nothing for one that has."""
    if run.finished:
        return ""
    if not run.tasks:
        return UNFINISHED
    return RUNNING if any(task.end is None for task in run.tasks) else STOPPED
