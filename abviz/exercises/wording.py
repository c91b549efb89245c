"""What a search does on a tree, and what it should, in words."""

import re
from collections.abc import Callable
from inspect import signature
from typing import TYPE_CHECKING, Any

from abviz.errors import number
from abviz.exercises.behaviour import Behaviour
from abviz.exercises.printing import kept
from abviz.exercises.trying import Case, at, where_nothing
from abviz.tracing.traces import Trace
from abviz.tree.model import Tree

if TYPE_CHECKING:
    from abviz.exercises.searches import Exercise


def reads(tree: Tree, run: Behaviour) -> str:
    told = ", ".join(number(tree[name].value) for name in run.leaves) or "no leaf"
    return f"reads {told}" + (" (some of them more than once)" if run.again else "")


def difference(exercise: "Exercise", function: Callable[..., Any], tree: Tree, case: Case, run: Trace | None) -> str:
    """What the answer does on the tree, and what it should."""
    with kept():
        got = exercise.run(function, tree, *case.arguments)
    expected = exercise.run(exercise.reference, tree, *case.arguments)
    where = f"On {case.written(tree)}{case.told}"
    nothing = "NoneType" in got.problem if got.problem else got.value is None
    node = where_nothing(run) if nothing else None
    below = f" It returns None for {at(node)}." if node and (got.problem or node is not tree.root) else ""
    if got.problem:
        return f"{where} {got.problem}.{_called_as(exercise, function) or below}"
    if got.value != expected.value:
        at_root = f" for {at(node)}" if node and not below else ""
        return f"{where} it {_returns(exercise, got)}{at_root}; expected {exercise.shown(expected.value)}.{below}"
    done = exercise.done(tree, expected).partition(" ")[2]
    return f"{where} it {exercise.done(tree, got)}; expected {done}."


def _called_as(exercise: "Exercise", function: Callable[..., Any]) -> str:
    """How it is called, where it cannot be called so."""
    defined = re.search(r"def (\w+)\((.*)\):", exercise.stub)
    if defined is None:
        return ""
    handed = [name for name in defined[2].split(", ") if "=" not in name]
    try:
        signature(function).bind(*handed)
    except TypeError:
        return f" It is called as {defined[1]}({', '.join(handed)}), by place."
    except ValueError:  # one that tells nothing of its parameters
        pass
    return ""


def _returns(exercise: "Exercise", run: Behaviour) -> str:
    return "returns None" if run.value is None else f"returns {exercise.shown(run.value)}"


def did(exercise: "Exercise", tree: Tree, run: Behaviour, same_value: bool) -> str:
    if run.problem:
        return run.problem.removeprefix("it ")
    return exercise.done(tree, run) if same_value else _returns(exercise, run)
