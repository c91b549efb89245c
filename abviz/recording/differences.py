"""Where a student's run first differs from the reference search, in words."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product, zip_longest

from abviz.errors import Number, number, quoted
from abviz.recording.recorder import FULL, NOT_WRITTEN
from abviz.tracing.algorithms import Event, Rules, minimax
from abviz.tracing.traces import Trace, trace
from abviz.tree.model import Node

# Right to left is not among them: a function that is asked for left to right is wrong then.
ALL_RULES = tuple(
    Rules(strict=strict, fail_hard=fail_hard, test_first=test_first)
    for strict, fail_hard, test_first in product((False, True), repeat=3)
)
MOST_NAMES = 6  # of children in a sentence


@dataclass(frozen=True, slots=True)
class Difference:
    """Where a recorded run first differs from the reference."""

    step: int  # of the recorded run: its end where it does nothing more
    reference_step: int
    node: str  # where the recorded run is then
    sentence: str  # "reads leaf M (7), where the reference cuts at I: bv = 0 ≤ α = 3."


@dataclass(frozen=True, slots=True)
class _Action:
    """An inner node entered, a leaf read, a cutoff, or a return from an inner node."""

    step: int
    event: Event  # of a cutoff the first
    node: Node  # of a cutoff the one that cuts
    skipped: tuple[str, ...] = ()

    @property
    def kind(self) -> str:
        return self.event.kind


def first_difference(recorded: Trace, reference: Trace) -> Difference | None:
    """Return the first thing that the recorded run does differently from the reference, or None.

    Compared are, in their order, the nodes entered, with α and β where the function has variables for them, the leaves
    read, the cuts and the values returned; of a function that makes no calls for some inner nodes, as one
    with a stack of its own, the leaves and the result.
    """
    for mine, theirs in zip_longest(*_actions_of_both(recorded, reference)):
        if mine is None or theirs is None or not _agree(mine, theirs, reference):
            step = mine.step if mine else len(recorded)
            reference_step = theirs.step if theirs else len(reference)
            sentence = _sentence(recorded, reference, mine, theirs)
            return Difference(step, reference_step, recorded.where(step).name, sentence)
    return None


def nearest_reference(recorded: Trace, rules: Rules | None = None) -> Trace:
    """Return the reference search under these rules, or under those with which the run agrees longest.

    The reference is alpha-beta with the run's window. A function without bounds is compared with minimax first: it may
    have bounds that nobody sees.
    """
    variants = ALL_RULES if rules is None else (rules,)
    low, high = recorded.options.get("window", FULL)
    window = {} if (low, high) == FULL else {"alpha": low, "beta": high}
    references = [trace(recorded.tree, rules=each, **window) for each in variants]
    if not recorded.options.get("takes_window"):
        references.insert(0, trace(recorded.tree, search=minimax, rules=variants[0]))
    return max(references, key=lambda reference: _agreement(recorded, reference))


def compare_with_reference(recorded: Trace, rules: Rules | None = None) -> Trace:
    """Return the run with a remark at the step where it first differs from the reference, or at its end."""
    if recorded.problem == NOT_WRITTEN and all(event.node is recorded.tree.root for event in recorded.events):
        return recorded.with_options(remark=(len(recorded), "There is nothing to compare yet."))
    reference = nearest_reference(recorded, rules)
    name, which = quoted(recorded.options["name"]), f"(The reference: {describe(reference)}.)"
    difference = first_difference(recorded, reference)
    if difference:
        remark = f"The first difference: {name} {difference.sentence} {which}"
        return recorded.with_options(remark=(difference.step, remark), parting=difference.step)
    only = " in the nodes searched and their values (the rest of the answer is not compared)"
    message = f"No difference from the reference{only if recorded.options.get('more') else ''}. {which}"
    if rules is None and reference.search != "minimax" and reference.rules != Rules():
        usual = first_difference(recorded, nearest_reference(recorded, Rules()))
        if usual:
            message += f" Under the usual rules it differs at step {usual.step}: {name} {usual.sentence}"
    return recorded.with_options(remark=(len(recorded), message))


def describe(reference: Trace) -> str:
    """Return which search it is, with the rules that change what is done."""
    if reference.search == "minimax":
        return "minimax"
    low, high = reference.options.get("alpha"), reference.options.get("beta")
    equal, order, returned, *_ = str(reference.rules).split(" · ")
    window = f" with the window ({number(low)}, {number(high)})" if low is not None else ""
    return f"alpha-beta{window}, {equal}, {order}, {returned}"


def _actions_of_both(recorded: Trace, reference: Trace) -> tuple[list[_Action], list[_Action]]:
    mine, theirs = _actions(recorded), _actions(reference)
    last = mine[-1] if mine else None
    if (
        recorded.problem
        and last
        and last.kind == "leaf"
        and last.event.value is None
        and "nothing" not in recorded.options
    ):
        mine.pop()  # an exception ended the run while it was at that leaf
    if recorded.options.get("skips_nodes"):
        root = recorded.tree.root
        mine, theirs = (
            [action for action in actions if action.kind == "leaf" or (action.kind == "exit" and action.node is root)]
            for actions in (mine, theirs)
        )
    return mine, theirs


def _actions(run: Trace) -> list[_Action]:
    actions = []
    for step in range(1, len(run) + 1):
        events = run.events_at(step)
        if events[0].kind in ("enter", "leaf", "cut", "exit"):
            skipped = tuple(event.node.name for event in events) if events[0].kind == "cut" else ()
            actions.append(_Action(step, events[0], run.where(step), skipped))
    return actions


def _agree(mine: _Action, theirs: _Action, reference: Trace) -> bool:
    if mine.kind != theirs.kind or mine.event.node is not theirs.event.node:
        return False
    if mine.kind == "enter":
        return not _different_bounds(mine.event, theirs.event)
    value, expected = mine.event.value, theirs.event.value
    below_root = mine.node is not reference.tree.root
    if reference.rules.fail_hard and mine.kind == "exit" and below_root and value is not None:
        # Beyond the window any value will do: many clamp at one end only, and no parent can see the difference.
        low, high = reference.window(mine.node)
        value = value if low is None or high is None else min(max(value, low), high)
    return value == expected


def _different_bounds(mine: Event, theirs: Event) -> list[tuple[str, Number, Number]]:
    pairs = [("α", mine.alpha, theirs.alpha), ("β", mine.beta, theirs.beta)]
    return [(letter, one, two) for letter, one, two in pairs if one is not None and two is not None and one != two]


def _agreement(recorded: Trace, reference: Trace) -> tuple[int, int]:
    """Return how many actions agree, and at how many of the cuts among them the bounds do: that tells whether the
    function tests first or updates first."""
    agreed = same_bounds = 0
    for mine, theirs in zip(*_actions_of_both(recorded, reference), strict=False):
        if not _agree(mine, theirs, reference):
            break
        agreed += 1
        same_bounds += mine.kind == "cut" and not _different_bounds(mine.event, theirs.event)
    return agreed, same_bounds


# in words


def _sentence(recorded: Trace, reference: Trace, mine: _Action | None, theirs: _Action | None) -> str:
    if mine and theirs and mine.node is theirs.node and mine.kind == theirs.kind:
        name = quoted(mine.node.name)
        if mine.kind == "enter":
            bounds = _different_bounds(mine.event, theirs.event)
            one = ", ".join(f"{letter} = {number(value)}" for letter, value, _ in bounds)
            two = ", ".join(f"{letter} = {number(value)}" for letter, _, value in bounds)
            return f"enters {name} with {one}, where the reference has {two}."
        if mine.kind in ("leaf", "exit"):
            place = f"for leaf {name}" if mine.kind == "leaf" else f"from {name}"
            return f"returns {_value(mine)} {place}, where the reference returns {_value(theirs)}."
    return f"{_done(recorded, mine)}, where the reference {_expected(reference, theirs)}."


def _done(recorded: Trace, mine: _Action | None) -> str:
    if mine is None:
        return f"ends here ({recorded.problem})" if recorded.problem else "ends here"
    if mine.kind == "cut":
        leaves = "ends" if mine.node is recorded.tree.root else f"leaves {quoted(mine.node.name)}"
        return f"{leaves} without searching {_names(mine.skipped)}"
    again = mine.kind != "exit" and recorded.node_at(mine.node, mine.step - 1).value is not None
    return _plain(mine) + (" again" if again else "")


def _expected(reference: Trace, theirs: _Action | None) -> str:
    if theirs is None:
        return "has ended"
    if theirs.kind != "cut":
        return _plain(theirs)
    event, strict = theirs.event, reference.rules.strict
    letter, bound, sign = ("β", event.beta, ">≥") if theirs.node.is_max else ("α", event.alpha, "<≤")
    test = f"bv = {number(event.bv)} {sign[not strict]} {letter} = {number(bound)}"
    return f"cuts at {quoted(theirs.node.name)}: {test}"


def _plain(action: _Action) -> str:
    name = quoted(action.node.name)
    if action.kind == "enter":
        return f"enters {name}"
    if action.kind == "leaf":
        return f"reads leaf {name} ({number(action.node.value)})"
    return f"returns {_value(action)} from {name}"


def _value(action: _Action) -> str:
    return "no number" if action.event.value is None else number(action.event.value)


def _names(names: Sequence[str]) -> str:
    shown = ", ".join(map(quoted, names[:MOST_NAMES]))
    return f"{shown} and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else shown
