"""Two searches of one tree, a student's own and the reference: the first place where they part, in words."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product, zip_longest
from typing import Any

from abviz.errors import Number, number, quoted
from abviz.recording.calling import FULL
from abviz.recording.watching import NOT_WRITTEN
from abviz.tracing.algorithms import Event, Rules, minimax
from abviz.tracing.traces import Trace, trace
from abviz.tree.model import Node, Tree

# Reading from right to left is no variant here: whoever is asked for left to right has made a mistake.
VARIANTS = tuple(
    Rules(strict=strict, fail_hard=fail_hard, test_first=test_first)
    for strict, fail_hard, test_first in product((False, True), repeat=3)
)
BOUNDS = (("α", "alpha"), ("β", "beta"))


@dataclass(frozen=True, slots=True)
class Difference:
    """Where a recorded run parts from the reference; everything done before agrees."""

    step: int  # of the recorded run: its end where it does nothing more
    reference_step: int
    node: str  # where the recorded run is then
    sentence: str  # "reads leaf M (7), where the reference cuts at I: bv = 0 ≤ α = 3."


@dataclass(frozen=True, slots=True)
class _Deed:
    """Something that a search did: it entered an inner node, read a leaf, cut, or returned from an inner node."""

    step: int
    event: Event  # of a cutoff the first
    node: Node  # of a cutoff the one that cuts
    skipped: tuple[str, ...] = ()  # the children left that have not been searched: the deeds before tell which
    other_value: Number | None = None  # of a reference: what it may return as well
    uncalled: bool = False  # nobody knows what it returned

    def agrees(self, other: "_Deed") -> bool:
        if (self.event.kind, self.node.index) != (other.event.kind, other.node.index):
            return False
        if self.event.kind == "enter":
            return not _other_bounds(self.event, other.event)
        return self.uncalled or self.event.value in (other.event.value, other.other_value)


def first_difference(recorded: Trace, reference: Trace) -> Difference | None:
    """The first thing that the recorded run does otherwise than the reference; None if there is none.

    Compared are the nodes entered, the leaves read, the cuts and the values returned, in their order; and α and β of
    the nodes entered where the function has variables for them. Of a function that keeps a stack itself, which enters
    and leaves nodes as it likes, only the leaves and the result.
    """
    for did, should in zip_longest(*_both(recorded, reference)):
        if did is None or should is None or not did.agrees(should):
            return _difference(recorded, reference, did, should)
    return None


def compared(recorded: Trace, reference: Trace, *, rules_told: bool = False) -> Trace:
    """The recorded run, with a remark at the step where it parts from the reference, or at its end if it does not.

    Where nobody has told the rules of the reference, the remark at the end says as well where the usual ones differ.
    """
    if recorded.problem == NOT_WRITTEN and all(event.node is recorded.tree.root for event in recorded.events):
        return recorded.with_options(remark=(len(recorded), "There is nothing to compare so far."))
    difference = first_difference(recorded, reference)
    by = f"(The reference: {reference_words(reference)}.)"
    name = quoted(recorded.options["name"])
    if difference is None:
        only = " in what it searches and in values (what else it returns is not compared)"
        more = only if recorded.options.get("more") else ""
        usual = "" if rules_told else _by_usual_rules(recorded, reference, name)
        told = f"No difference from the reference{more}. {by}{usual}"
        return recorded.with_options(remark=(len(recorded), told))
    remark = difference.step, f"The first difference: {name} {difference.sentence} {by}"
    return recorded.with_options(remark=remark, parting=difference.step)


def _by_usual_rules(recorded: Trace, reference: Trace, name: str) -> str:
    """Where a run that is right under other rules parts from the usual ones, by which exercises are marked."""
    if reference.search == "minimax" or reference.rules == Rules():
        return ""
    difference = first_difference(recorded, beside(recorded))
    return f" By the usual rules it parts at step {difference.step}: {name} {difference.sentence}" if difference else ""


def nearest_reference(recorded: Trace, bounds: bool, variants: Sequence[Rules] = VARIANTS) -> Trace:
    """The reference with which the run agrees longest; where several do, the simplest.

    It is alpha-beta under one of the variants. A function that takes no bounds is measured by minimax first: it may
    have α and β that nobody sees, and cut all the same.
    """
    references = [] if bounds else [trace(recorded.tree, search=minimax, rules=variants[0])]
    # The order of update and test changes nothing that is done, only what α and β are at the cuts.
    references += [beside(recorded, rules=rules) for rules in variants]
    return max(references, key=lambda each: _closeness(recorded, each))


def beside(recorded: Trace, search: Callable[..., Trace] = trace, **told: Any) -> Trace:
    """The same tree searched as it should be, with the same window."""
    window = recorded.options.get("window", FULL)
    return search(recorded.tree, **told) if window == FULL else search(recorded.tree, **told, **_as_options(window))


def _as_options(window: tuple[Number, Number]) -> dict[str, Number]:
    return dict(zip(("alpha", "beta"), window, strict=True))


def _closeness(recorded: Trace, reference: Trace) -> tuple[int, int]:
    agreed, same_bounds = 0, 0
    for did, should in zip(*_both(recorded, reference), strict=False):
        if not did.agrees(should):
            break
        agreed += 1
        same_bounds += did.event.kind == "cut" and not _other_bounds(did.event, should.event)
    return agreed, same_bounds


def _deeds(run: Trace) -> list[_Deed]:
    deeds = []
    other_values = _half_hard(run) if run.rules.fail_hard else {}
    uncalled = run.options.get("uncalled", ())
    for step in range(1, len(run) + 1):
        events = run.events_at(step)
        event, kind = events[0], events[0].kind
        if kind == "cut":
            deeds.append(_Deed(step, event, run.where(step), tuple(each.node.name for each in events)))
        elif kind in ("enter", "leaf", "exit"):
            other = other_values.get(event.node.index, event.value)
            deeds.append(_Deed(step, event, event.node, (), other, kind == "exit" and event.node.name in uncalled))
    return deeds


def _half_hard(run: Trace) -> dict[int, Number]:
    """What the nodes return if α stands for bv at MAX and β at MIN, as many write fail-hard.

    That keeps to one end of the window only. A value beyond the other end has cut, and how far beyond changes nothing.
    """
    values: dict[int, Number] = {}
    for event in run.events:
        node, value = event.node, event.value
        if event.kind == "exit":
            own = run.window(node)[0 if node.is_max else 1]
            found = [values[child.index] for child in node.children if child.index in values]
            value = (max if node.is_max else min)(found if own is None else [own, *found])
        if event.kind in ("leaf", "exit") and value is not None:
            values[node.index] = value
    values.pop(run.tree.root.index, None)  # nobody has cut above the root: it has to be right at both ends
    return values


def _both(recorded: Trace, reference: Trace) -> tuple[list[_Deed], list[_Deed]]:
    did, should = _deeds(recorded), _deeds(reference)
    if recorded.problem and did and _is_of_no_value(did[-1].event) and "nothing" not in recorded.options:
        did.pop()  # an exception ended the run while it was at that leaf
    if recorded.options.get("keeps_a_stack"):
        return _results(did, recorded.tree), _results(should, recorded.tree)
    return did, should


def _is_of_no_value(event: Event) -> bool:
    return event.kind == "leaf" and event.value is None


def _results(deeds: list[_Deed], tree: Tree) -> list[_Deed]:
    return [
        deed for deed in deeds if deed.event.kind == "leaf" or (deed.event.kind == "exit" and deed.node is tree.root)
    ]


def _other_bounds(event: Event, other: Event) -> list[tuple[str, Number, Number]]:
    """The letters of the bounds that differ, and both numbers; a bound that one of the two has not is not compared."""
    pairs = [(letter, getattr(event, bound), getattr(other, bound)) for letter, bound in BOUNDS]
    return [(letter, one, two) for letter, one, two in pairs if None not in (one, two) and one != two]


# in words


def reference_words(reference: Trace) -> str:
    """Which search it is, and those of its rules that change what is done."""
    if reference.search == "minimax":
        return "minimax"
    low, high = reference.options.get("alpha"), reference.options.get("beta")
    equal, order, returned, *_ = str(reference.rules).split(" · ")
    window = f" with the window ({number(low)}, {number(high)})" if low is not None else ""
    return f"alpha-beta{window}, {equal}, {order}, {returned}"


def _difference(recorded: Trace, reference: Trace, did: _Deed | None, should: _Deed | None) -> Difference:
    step = did.step if did else len(recorded)
    told = f"{_done(recorded, did)}, where the reference {_expected(reference, should)}"
    if did and should and did.node is should.node and did.event.kind == should.event.kind:
        told = _same_deed(did, should) or told
    return Difference(step, should.step if should else len(reference), recorded.where(step).name, f"{told}.")


def _same_deed(did: _Deed, should: _Deed) -> str:
    """Both do the same at the same node, but with other numbers."""
    name, kind = quoted(did.node.name), did.event.kind
    if kind == "enter":
        bounds = _other_bounds(did.event, should.event)
        mine = ", ".join(f"{letter} = {number(one)}" for letter, one, _ in bounds)
        theirs = ", ".join(f"{letter} = {number(two)}" for letter, _, two in bounds)
        return f"comes to {name} with {mine}, where the reference comes with {theirs}"
    if kind in ("leaf", "exit"):
        where = f"for leaf {name}" if kind == "leaf" else f"from {name}"
        return f"returns {_value(did.event)} {where}, where the reference returns {_value(should.event)}"
    return ""


def _done(recorded: Trace, did: _Deed | None) -> str:
    if did is None:
        return f"ends here ({recorded.problem})" if recorded.problem else "ends here"
    name = quoted(did.node.name)
    if did.event.kind == "cut":
        leaves = "ends" if did.node is recorded.tree.root else f"leaves {name}"
        return f"{leaves} without searching {_names(did.skipped)}"
    again = did.event.kind != "exit" and recorded.node_at(did.node, did.step - 1).value is not None
    return _plainly(did) + (" again" if again else "")


def _expected(reference: Trace, should: _Deed | None) -> str:
    if should is None:
        return "has ended"
    if should.event.kind != "cut":
        return _plainly(should)
    event, strict = should.event, reference.rules.strict
    letter, bound, sign = ("β", event.beta, ">≥") if should.node.is_max else ("α", event.alpha, "<≤")
    test = f"bv = {number(event.bv)} {sign[not strict]} {letter} = {number(bound)}"
    return f"cuts at {quoted(should.node.name)}: {test}"


def _plainly(deed: _Deed) -> str:
    name = quoted(deed.node.name)
    if deed.event.kind == "enter":
        return f"comes to {name}"
    if deed.event.kind == "leaf":
        return f"reads leaf {name} ({number(deed.node.value)})"
    return f"returns {_value(deed.event)} from {name}"


def _value(event: Event) -> str:
    return "no number" if event.value is None else number(event.value)


def _names(names: Sequence[str]) -> str:
    shown = ", ".join(map(quoted, names[:6]))
    return f"{shown} and {len(names) - 6} more" if len(names) > 6 else shown
