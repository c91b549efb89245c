"""Where a student's run first differs from the reference search, in words."""

from itertools import product, takewhile, zip_longest
from typing import Any, NamedTuple

from abviz.errors import NOT_WRITTEN, number, quoted
from abviz.recording.recorder import FULL
from abviz.tracing.algorithms import Event, Rules, minimax
from abviz.tracing.narration import several
from abviz.tracing.traces import RECORDED, Trace, trace
from abviz.tree.model import Node

# Right to left is not among them: a function that is asked for left to right is wrong then.
ALL_RULES = tuple(
    Rules(strict=strict, fail_hard=fail_hard, test_first=test_first)
    for strict, fail_hard, test_first in product((False, True), repeat=3)
)


class Difference(NamedTuple):
    """Where a recorded run first differs from the reference."""

    step: int  # of the recorded run: its end where it does nothing more
    sentence: str  # "reads leaf M (7), where the reference cuts at I: bv = 0 ≤ α = 3."


Action = tuple[int, Node, Event]  # the step, the node (of a cutoff the one that cuts), and the event (its first)


def first_difference(recorded: Trace, reference: Trace) -> Difference | None:
    """Return the first thing that the recorded run does differently from the reference, or None.

    Compared are, in their order, the nodes entered, with α and β where the function has variables for them, the leaves
    read, the cuts and the values returned; of a function that makes no calls for some inner nodes, as one
    with a stack of its own, the leaves and the result.
    """
    pairs, agreed = _compared(recorded, reference)
    if len(agreed) == len(pairs):
        return None
    mine, theirs = pairs[len(agreed)]
    ends = f"ends here ({recorded.problem})" if recorded.problem else "ends here"
    does, expected = _words(recorded, mine) if mine else ends, _words(reference, theirs) if theirs else "has ended"
    return Difference(mine[0] if mine else len(recorded), f"{does}, where the reference {expected}.")


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
    return max(references, key=lambda reference: len(_compared(recorded, reference)[1]))


def compare_with_reference(recorded: Trace, rules: Rules | None = None) -> Trace:
    """Return the run with a remark at the step where it first differs from the reference, or at its end."""
    if recorded.problem == NOT_WRITTEN and all(event.node is recorded.tree.root for event in recorded.events):
        return recorded.with_options(remark=(len(recorded), "There is nothing to compare yet."))
    reference = nearest_reference(recorded, rules)
    if difference := first_difference(recorded, reference):
        return at_difference(recorded, difference, reference)
    compared = f"The reference: {describe(reference)}. Compared are the nodes searched and the numbers returned."
    return recorded.with_options(remark=(len(recorded), f"No difference from the reference. ({compared})"))


def at_difference(recorded: Trace, difference: Difference, reference: Trace) -> Trace:
    """Return the run with a remark at the step where it differs from the reference."""
    name = quoted(recorded.function_at(difference.step))
    remark = f"The first difference: {name} {difference.sentence} (The reference: {describe(reference)}.)"
    return recorded.with_options(remark=(difference.step, remark), parting=difference.step)


def describe(reference: Trace) -> str:
    """Return which search it is, with the rules that change what is done."""
    if reference.search == RECORDED:
        return str(reference.options["name"]).replace("_", " ")
    if reference.search == "minimax":
        return "minimax"
    low, high = reference.options.get("alpha"), reference.options.get("beta")
    window = f" with the window ({number(low)}, {number(high)})" if low is not None else ""
    return f"alpha-beta{window}, {', '.join(str(reference.rules).split(' · ')[:3])}"


def _compared(recorded: Trace, reference: Trace) -> tuple[list[Any], list[Any]]:
    """Return the pairs of actions, None where one run has ended, and those of them that agree before the first that
    does not."""
    mine, theirs = (_actions(run, bool(recorded.options.get("skips_nodes"))) for run in (recorded, reference))
    pairs = list(zip_longest(mine, theirs))
    return pairs, list(takewhile(lambda pair: None not in pair and _agree(*pair, recorded, reference), pairs))


def _actions(run: Trace, only_leaves: bool) -> list[Action]:
    kinds = ["leaf"] if only_leaves else ["enter", "leaf", "cut", "exit"]
    steps = [(step, run.where(step), run.events_at(step)[0]) for step in range(1, len(run) + 1)]
    ends = ("exit", run.tree.root)
    return [(step, node, event) for step, node, event in steps if event.kind in kinds or (event.kind, node) == ends]


def _agree(mine: Action, theirs: Action, recorded: Trace, reference: Trace) -> bool:
    (_, node, one), (_, _, two) = mine, theirs
    if one.kind != two.kind or one.node is not two.node:
        return False
    if one.kind == "enter":
        return all(None in bounds or bounds[0] == bounds[1] for bounds in zip(one[2:4], two[2:4], strict=True))
    value = one.value
    if value is None and one.kind == "exit" and node.name != recorded.options.get("nothing"):
        return True  # it returned something, and not a number
    if reference.rules.fail_hard and one.kind == "exit" and node is not reference.tree.root and value is not None:
        # Beyond the window any value will do: many clamp at one end only, and no parent can see the difference.
        low, high = reference.window(node)
        value = value if low is None or high is None else min(max(value, low), high)
    return value == two.value


def _words(run: Trace, action: Action) -> str:
    step, node, event = action
    name = quoted(node.name)
    returned = "no number" if event.value is None else number(event.value)
    if event.kind == "enter":
        known = [(letter, bound) for letter, bound in zip("αβ", event[2:4], strict=True) if bound is not None]
        bounds = ", ".join(f"{letter} = {number(bound)}" for letter, bound in known)
        return f"enters {name}{' with ' * bool(bounds)}{bounds}"
    if event.kind == "leaf":
        also = f" and returns {returned} for it" if event.value != node.value else ""
        return f"reads leaf {name} ({number(node.value)}){also}"
    if event.kind == "exit":
        return f"returns {returned} from {name}"
    if run.search == RECORDED:
        leaves = "ends" if node is run.tree.root else f"leaves {name}"
        skipped = several([quoted(each.node.name) for each in run.events_at(step)])
        return f"{leaves} without searching {skipped}"
    letter, bound, sign = ("β", event.beta, ">≥") if node.is_max else ("α", event.alpha, "<≤")
    return f"cuts at {name}: bv = {number(event.bv)} {sign[not run.rules.strict]} {letter} = {number(bound)}"
