"""A wrong search's own run, as it is drawn where it parts from the right one, and as somebody watches it."""

from collections.abc import Callable
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from abviz.exercises.trying import Case, is_broken_off
from abviz.exercises.verdicts import in_python
from abviz.recording.calling import FULL, takes_bounds
from abviz.recording.parting import beside, compared, nearest_reference
from abviz.tracing.algorithms import Rules
from abviz.tracing.traces import Trace
from abviz.tree.model import Tree

if TYPE_CHECKING:
    from abviz.exercises.searches import Exercise


def parted(exercise: "Exercise", run: Trace | None, case: Case) -> Trace | None:
    """The answer's own run, with a remark where it first parts from the right one; None where it cannot be recorded,
    or where all that it does on the way is right, as far as it is known."""
    if run is None or exercise.right_run is None or not (case is exercise.cases[0] or case.window):
        return None
    run = compared(run, beside(run, exercise.right_run))
    step = run.options.get("parting")
    return run if run.events and step and not (step == len(run) and is_broken_off(run)) else None


def watching(exercise: "Exercise", function: Callable[..., Any], tree: Tree, case: Case, run: Trace) -> str:
    """The call that shows the run; "" for a function that a student does not know by that name."""
    function = getattr(function, "begins_with", lambda root: function)(tree.root)
    name, module = (str(getattr(function, told, "")) for told in ("__qualname__", "__module__"))
    if not name.isidentifier() or module.partition(".")[0] == "abviz":  # a method, one without a name, one of ours
        return ""
    window = "" if case.window in (None, FULL) else f", window={case.window}"
    return f"watch({name}, {in_python(tree)}{window}{_with_rules(exercise, function, run)})"


def _with_rules(exercise: "Exercise", function: Callable[..., Any], run: Trace) -> str:
    """The rules by which the exercise is marked, where `watch` would compare the run with other ones: a mistake may be
    right under those."""
    rules: Rules = getattr(exercise.right_run, "keywords", {}).get("rules", Rules())
    if nearest_reference(run, takes_bounds(function)).rules == rules:
        return ""
    other = ", ".join(f"{rule}={value}" for rule, value in asdict(rules).items() if value != getattr(Rules(), rule))
    return f", rules=Rules({other})"
