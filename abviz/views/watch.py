"""A student's own run in the stepper, beside the reference."""

from collections.abc import Callable
from typing import Any

from abviz.recording.calling import takes_bounds
from abviz.recording.parting import VARIANTS, compared, nearest_reference
from abviz.recording.recorder import record
from abviz.tracing.algorithms import Rules
from abviz.tree.model import Tree
from abviz.views.stepper import Stepper


def watch(function: Callable[..., Any], tree: Tree, *, rules: Rules | None = None, **told: Any) -> Stepper:
    """The stepper on the function's own run, at the first step that the reference does not take; or at its end.

    The reference is alpha-beta, for a function without bounds minimax, under the rules told or those with which the run
    agrees longest. What else is told is for `record`: alpha="lower" names a variable.
    """
    recorded = record(function, tree, **told)
    bounds = takes_bounds(function, told.get("alpha"), told.get("beta"))
    reference = nearest_reference(recorded, bounds, VARIANTS if rules is None else [rules])
    beside = compared(recorded, reference, rules_told=rules is not None)
    return Stepper(beside, step=beside.options["remark"][0])
