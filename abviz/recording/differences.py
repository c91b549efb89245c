"""Where a student's run first differs from the reference search, in words."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Any, NamedTuple

from abviz.errors import NOT_WRITTEN, Number, number, quoted
from abviz.recording.functions import FULL
from abviz.tracing.algorithms import Event, Rules, minimax
from abviz.tracing.narration import several
from abviz.tracing.traces import RECORDED, Trace, trace
from abviz.tree.model import Node

# Right to left is not among them: a function that is asked for left to right is wrong then.
ALL_RULES = tuple(
    Rules(strict=strict, fail_hard=fail_hard, test_first=test_first)
    for strict, fail_hard, test_first in product((False, True), repeat=3)
)

# What a search under other rules does. `check` says the same of an answer that was asked for the
# usual rules.
STRICT = "it cuts only where bv is beyond the bound (>, <), not where it equals it"
FAIL_HARD = "a node returns its best value clamped to the window (fail-hard)"
OWN_BOUND = (
    "a MAX node returns α where its best value is less, "
    "and a MIN node β where its best value is more"
)

ONLY_BY_NAME = (
    "It takes α and β only by name, so it was called without them; "
    "an exercise calls f(node, alpha, beta)."
)


class Difference(NamedTuple):
    """Where a recorded run first differs from the reference."""

    step: int  # of the recorded run: its end where it does nothing more
    sentence: str  # "reads leaf M (7), where ours cuts at I: bv = 0 ≤ α = 3."


@dataclass(frozen=True, slots=True, eq=False)
class Action:
    """A thing done that is compared."""

    step: int
    kind: str  # of the event
    node: Node  # of a cutoff the one that cuts
    event: Event  # of a cutoff its first


class Comparison(NamedTuple):
    """The actions of a run beside those of the reference."""

    agreed: int  # how many agree before the first that does not
    mine: Action | None  # the first that does not; None where the run has ended
    theirs: Action | None  # what the reference does there; None where it has ended

    @property
    def differs(self) -> bool:
        return self.mine is not None or self.theirs is not None


def first_difference(recorded: Trace, reference: Trace) -> Difference | None:
    """Return the first thing that the recorded run does differently from the reference, or None.

    Compared are, in their order, the nodes entered, with α and β where the function has variables
    for them, the leaves read, the cuts and the values returned; of a function that makes no calls
    for some inner nodes, as one with a stack of its own, the leaves and the result. A node that is
    left before anything is read there counts as cut.
    """
    comparison = _compare(recorded, reference)
    if not comparison.differs:
        return None
    mine, theirs = comparison.mine, comparison.theirs
    ends = f"ends here ({recorded.problem})" if recorded.problem else "ends here"
    does = _words(recorded, mine) if mine else ends
    expected = _words(reference, theirs) if theirs else "has ended"
    sentence = f"{does}, where ours {expected}."
    if mine and theirs and mine.kind == theirs.kind == "exit" and mine.node is theirs.node:
        sentence = f"{does}; ours returns {_returned(theirs)}."
    return Difference(mine.step if mine else len(recorded), sentence)


class Parting(NamedTuple):
    """A recorded run beside the reference, each with the step at which they part."""

    run: Trace
    step: int
    sentence: str

    # The line of the source that makes this step, by its index; None where it isn't known
    line: int | None

    reference: Trace
    reference_step: int


def parting_of(recorded: Trace, rules: Rules | None = None) -> Parting | None:
    """Return where the recorded run parts from its reference; None where it does not."""
    reference = nearest_reference(recorded, rules)
    difference = first_difference(recorded, reference)
    if difference is None:
        return None

    comparison = _compare(recorded, reference)
    theirs = comparison.theirs
    return Parting(
        run=at_difference(recorded, difference, reference),
        step=difference.step,
        sentence=difference.sentence,
        line=_line_of(recorded, comparison),
        reference=reference,
        reference_step=theirs.step if theirs else len(reference),
    )


def _line_of(recorded: Trace, comparison: Comparison) -> int | None:
    """Return the line that does what the reference does not.

    A node that the reference has not come to, or a window, is the doing of the line that calls; a
    number that is returned, or a node that is left, that of the line that runs. What a run has not
    done, because it has ended, no line has.
    """
    mine, theirs = comparison.mine, comparison.theirs
    if mine is None:
        return None

    event = sum(len(recorded.events_at(step)) for step in range(mine.step))
    source = recorded.options["source"]
    if mine.kind not in ("enter", "leaf"):
        return source.running[event]

    returns_another_value = (
        theirs is not None and mine.kind == theirs.kind == "leaf" and mine.node is theirs.node
    )
    is_read_by_parent = mine.kind == "leaf" and source.calling[event] is None
    if returns_another_value or is_read_by_parent:
        return source.running[event]
    return source.calling[event]


def nearest_reference(recorded: Trace, rules: Rules | None = None) -> Trace:
    """Return the reference search under these rules.

    Without rules, it is under those with which the run agrees longest. The reference is alpha-beta
    with the run's window. A function without bounds is compared with minimax first: it may have
    bounds that nobody sees.
    """
    return max(
        _references(recorded, rules), key=lambda reference: _compare(recorded, reference).agreed
    )


def _references(recorded: Trace, rules: Rules | None) -> list[Trace]:
    variants = ALL_RULES if rules is None else (rules,)
    window: dict[str, Any] = {}
    if recorded.root_window != FULL:
        low, high = recorded.root_window
        window = {"alpha": low, "beta": high}

    references = [trace(recorded.tree, rules=each, **window) for each in variants]
    if not recorded.options.get("takes_window") or recorded.options.get("skips_nodes"):
        references.insert(0, trace(recorded.tree, search=minimax, rules=variants[0]))
    return references


def compare_with_reference(recorded: Trace, rules: Rules | None = None) -> Trace:
    """Return the run with a remark where it first differs from the reference, or at its end."""
    if recorded.problem == NOT_WRITTEN and all(
        event.node is recorded.tree.root for event in recorded.events
    ):
        return recorded.with_options(
            {"remark": (len(recorded), "There is nothing to compare yet.")}
        )

    reference = next(
        (each for each in _references(recorded, rules) if _is_right(recorded, each)), None
    )
    if reference is None:
        reference = nearest_reference(recorded, rules)
        if difference := first_difference(recorded, reference):
            return at_difference(recorded, difference, reference)

    remarks = [f"Your run matches our {name_of(reference)}: {_agreement(recorded, reference)}."]
    if rules is not None and rules != Rules():
        remarks.append(f"The rules: {_in_words(rules)}.")

    is_known = rules is None and not recorded.options.get("skips_nodes")
    if is_known and (unusual := _unusual_rules(recorded, reference)):
        remarks.append(f"But it follows other rules than the usual ones: {' and '.join(unusual)}.")
    if recorded.options.get("only_by_name"):
        remarks.append(ONLY_BY_NAME)
    return recorded.with_options({"remark": (len(recorded), " ".join(remarks))})


def _agreement(recorded: Trace, reference: Trace) -> str:
    """Return in words what is the same in a right run and in the reference.

    What a run leaves to its programmer may differ: it may search a node again, or return something
    else than values on the way.
    """
    if _visits(recorded) == _visits(reference):
        same = "the same nodes in the same order"
    elif recorded.leaves == reference.leaves:
        same = "the same leaves in the same order"
    else:
        same = "the same leaves"

    if _returns(recorded) == _returns(reference):
        return f"{same}, and the same numbers returned"
    if recorded.value == reference.value:
        return f"{same}, and the same result"
    return same


def _visits(run: Trace) -> list[Node]:
    return [event.node for event in run.events if event.kind in ("enter", "leaf")]


def _returns(run: Trace) -> list[tuple[Node, Number | None]]:
    return [(event.node, event.value) for event in run.events if event.kind in ("leaf", "exit")]


def _is_right(recorded: Trace, reference: Trace) -> bool:
    """Return whether the run does what the reference does.

    What is left to the programmer does not count. A run with the same result and the same leaves
    may search a node again, and what its functions return may be something else than values: None,
    or a count.
    """
    if not _compare(recorded, reference).differs:
        return True
    if recorded.problem or not _has_same_result(recorded, reference):
        return False
    return (
        _repeats(recorded)
        or not _compare(recorded, reference, with_values=_returns_values(recorded)).differs
    )


def _has_same_result(recorded: Trace, reference: Trace) -> bool:
    mine, theirs = dict.fromkeys(recorded.leaves), dict.fromkeys(reference.leaves)
    return list(mine) == list(theirs) and recorded.value == reference.value


def _repeats(run: Trace) -> bool:
    """Return whether a run searches some node more than once."""
    nodes = _visits(run)
    return len(nodes) > len(set(nodes))


def _returns_values(recorded: Trace) -> bool:
    """Return whether the run returns values of leaves.

    For most nodes, what is returned is the value of one of the leaves below. Inner nodes tell more
    than leaves: a leaf that its parent reads shows its own value, whatever the function returns for
    other nodes.
    """
    below_root = [each for each in recorded.events if each.node is not recorded.tree.root]
    exits = [each for each in below_root if each.kind == "exit"]
    judged = exits or [each for each in below_root if each.kind == "leaf"]

    good = bad = 0
    for event in judged:
        values = {leaf.value for leaf in recorded.tree.below(event.node) if leaf.is_leaf}
        low, high = recorded.window(event.node)
        good += event.value in values or (event.value is not None and event.value in (low, high))
        bad += event.value not in values
    return good > bad


def _unusual_rules(recorded: Trace, reference: Trace) -> list[str]:
    """Return in words which rules the run follows, other than the usual ones.

    Only those count that change what is returned or read.
    """
    rules = []
    if reference.rules.strict:
        rules.append(STRICT)
    if reference.rules.fail_hard:
        rules.append(_clamping(recorded, reference))
    return rules


def _clamping(recorded: Trace, reference: Trace) -> str:
    """Return in words how a search clamps what it returns: many do at one end only."""
    mine = [event for event in recorded.events if event.kind == "exit"]
    theirs = [event for event in reference.events if event.kind == "exit"]
    if all(
        one.value is None or one.value == two.value for one, two in zip(mine, theirs, strict=False)
    ):
        return FAIL_HARD
    return OWN_BOUND


def at_difference(recorded: Trace, difference: Difference, reference: Trace) -> Trace:
    """Return the run with a remark at the step where it differs from the reference."""
    name = quoted(recorded.function_at(difference.step))
    first = f"The first difference: your {name} {difference.sentence}"
    remark = f"{first} (Ours: {describe(reference)}.)"
    return recorded.with_options({"remark": (difference.step, remark), "parting": difference.step})


def describe(reference: Trace) -> str:
    """Return which search it is, with the rules that change what is done."""
    if reference.search == RECORDED:
        return reference.options["name"].replace("_", " ")
    if reference.search == "minimax":
        return "minimax"
    return f"{name_of(reference)}, {_in_words(reference.rules)}"


def name_of(reference: Trace) -> str:
    """Return "minimax" or "alpha-beta", with the window where it is not the full one."""
    if reference.search == "minimax":
        return "minimax"
    low, high = reference.options.get("alpha"), reference.options.get("beta")
    if low is None:
        return "alpha-beta"
    return f"alpha-beta with the window ({number(low)}, {number(high)})"


def _in_words(rules: Rules) -> str:
    """Return the rules that change what is done."""
    return ", ".join(str(rules).split("; ")[:3])


# the comparison


def _compare(recorded: Trace, reference: Trace, with_values: bool = True) -> Comparison:
    """Compare the actions one by one, up to the first that does not agree.

    If so asked, what is returned does not count.
    """
    only_leaves = bool(recorded.options.get("skips_nodes"))
    mine = _actions(recorded, only_leaves)
    theirs = _actions(reference, only_leaves)

    i = j = 0
    while i < len(mine) or j < len(theirs):
        one = mine[i] if i < len(mine) else None
        two = theirs[j] if j < len(theirs) else None

        if one and two and two.kind == "cut":
            left = _left_at_once(mine, i, two.node, recorded)
            if left:
                i += left
                j += 1
                continue

        if not (one and two and _agree(one, two, recorded, reference, with_values)):
            return Comparison(j, one, two)
        i += 1
        j += 1

    return Comparison(j, None, None)


@lru_cache(maxsize=16)  # a run is compared with each of its references
def _actions(run: Trace, only_leaves: bool) -> Sequence[Action]:
    kinds = ["leaf"] if only_leaves else ["enter", "leaf", "cut", "exit"]
    actions = []
    for step in range(1, len(run) + 1):
        event = run.events_at(step)[0]
        is_end = event.kind == "exit" and event.node is run.tree.root
        if event.kind in kinds or is_end:
            actions.append(Action(step=step, kind=event.kind, node=run.where(step), event=event))
    return actions


def _left_at_once(actions: Sequence[Action], start: int, parent: Node, run: Trace) -> int:
    """Return how many actions from `start` on only call children in which nothing is read.

    A child of the parent that is cut there counts too. The number is 0 where the first action does
    something else.
    """
    i = start
    while i < len(actions):
        action = actions[i]
        if action.kind == "cut" and action.node is parent:
            i += 1
        elif action.kind == "enter" and run.tree.parent(action.node) is parent:
            end = _end_without_leaf(actions, i)
            if end is None:
                break
            i = end + 1
        else:
            break
    return i - start


def _end_without_leaf(actions: Sequence[Action], start: int) -> int | None:
    """Return where the node entered there is left, if no leaf is read until then."""
    node = actions[start].node
    for i in range(start + 1, len(actions)):
        if actions[i].kind == "leaf":
            return None
        if actions[i].kind == "exit" and actions[i].node is node:
            return i
    return None


def _agree(
    mine: Action, theirs: Action, recorded: Trace, reference: Trace, with_values: bool
) -> bool:
    if mine.kind != theirs.kind or mine.event.node is not theirs.event.node:
        return mine.kind == theirs.kind == "cut" and mine.node is theirs.node
    if mine.kind == "cut":
        return True
    if mine.kind == "enter":
        pairs = zip(mine.event[2:4], theirs.event[2:4], strict=True)
        return all(None in bounds or bounds[0] == bounds[1] for bounds in pairs)
    return _is_same_value(mine, theirs, recorded, reference, with_values)


def _is_same_value(
    mine: Action, theirs: Action, recorded: Trace, reference: Trace, with_values: bool
) -> bool:
    node = mine.node
    value: Number | None = mine.event.value
    is_root = node is reference.tree.root

    if not with_values and not is_root:
        return True
    if value is None and mine.kind == "exit" and node.name != recorded.options.get("nothing"):
        return True  # it returned something, and not a number

    if reference.rules.fail_hard and mine.kind == "exit" and not is_root and value is not None:
        # Beyond the window any value will do: many clamp at one end only, and no parent can see the
        # difference.
        low, high = reference.window(node)
        if low is not None and high is not None:
            value = min(max(value, low), high)

    return value == theirs.event.value


def _returned(action: Action) -> str:
    value = action.event.value
    return "no number" if value is None else number(value)


def _words(run: Trace, action: Action) -> str:
    node, event = action.node, action.event
    name = quoted(node.name)
    returned = _returned(action)

    if action.kind == "enter":
        known = [
            (letter, bound)
            for letter, bound in zip("αβ", event[2:4], strict=True)
            if bound is not None
        ]
        bounds = ", ".join(f"{letter} = {number(bound)}" for letter, bound in known)
        return f"enters {name} with {bounds}" if bounds else f"enters {name}"

    if action.kind == "leaf":
        also = f" and returns {returned} for it" if event.value != node.value else ""
        return f"reads leaf {name} ({number(node.value)}){also}"
    if action.kind == "exit":
        return f"returns {returned} from {name}"

    if run.search == RECORDED:
        leaves = "ends" if node is run.tree.root else f"leaves {name}"
        skipped = several([quoted(each.node.name) for each in run.events_at(action.step)])
        return f"{leaves} without searching {skipped}"

    letter, bound, signs = ("β", event.beta, ">≥") if node.is_max else ("α", event.alpha, "<≤")
    sign = signs[0] if run.rules.strict else signs[1]
    return f"cuts at {name}: bv = {number(event.bv)} {sign} {letter} = {number(bound)}"
