"""What-if exercises: how far can a leaf be moved until a cut, or the value of the root, is another one?

To be found in the stepper, where the value of a leaf can be changed; or by an argument.
"""

from collections.abc import Callable, Iterator
from functools import partial
from math import inf
from typing import Any

from abviz.errors import AbvizError, Number, number, quoted
from abviz.exercises.filling import Misreading, Paper, PaperExercise, Question, Slot
from abviz.exercises.kinds import NUMBER, Kind, as_number
from abviz.exercises.reading_trees import HOW
from abviz.exercises.reading_values import worth
from abviz.tracing.traces import Cut, Trace, trace
from abviz.tree.files import load
from abviz.tree.model import Node, Tree

Interval = tuple[Number, Number]


# how long does the value of the root stand still?


def standing_still(tree: Tree, leaf: Node) -> Interval:
    """The least and the greatest value of the leaf with which the root is worth what it is worth now.

    The worth of the root never falls while a leaf rises, and follows it only from the one end of an interval to the
    other: below, it is worth what it is with −∞ there, above, what it is with ∞.
    """
    now = worth(tree)[tree.root.name]
    least, most = (worth(tree.with_value(leaf.name, value))[tree.root.name] for value in (-inf, inf))
    return -inf if now == least else now, inf if now == most else now


def ask_standing_still(tree: Tree) -> Question:
    now = worth(tree)[tree.root.name]

    def why(leaf: Node, side: str, right: Number) -> Callable[[Number], str]:
        def tell(wrote: Number) -> str:
            beyond = wrote < right if side == "low" else wrote > right
            value = _between(wrote, right) if beyond else right
            then = worth(tree.with_value(leaf.name, value))[tree.root.name]
            if beyond:
                return f"With {leaf.name} = {number(value)} the root is worth {number(then)}, and not {number(now)}."
            further = "lower" if side == "low" else "higher"
            return f"{leaf.name} can go {further} than that, and the root is still worth {number(now)}."

        return tell

    def slots(leaf: Node) -> Iterator[Slot]:
        for side, right in zip(("low", "high"), standing_still(tree, leaf), strict=True):
            yield Slot((leaf.name, side), right, NUMBER, why(leaf, side, right), -inf if side == "low" else inf)

    asks = (
        f"The root is worth {number(now)}. Change one leaf, and nothing else: with which values, from `low` to `high` "
        'and both included, is the root still worth that? Where there is no end: -float("inf"), float("inf").'
    )
    return Question(asks, tuple(slot for leaf in tree.leaves() for slot in slots(leaf)))


def _between(wrote: Number, right: Number) -> Number:
    """A value that was taken for one that changes nothing."""
    return wrote if abs(wrote) < inf else right - 1 if wrote < right else right + 1


def _intervals(interval: Callable[[Trace, Node], Interval], tree: Tree) -> Iterator[Paper]:
    run = trace(tree)
    found = {leaf.name: interval(run, leaf) for leaf in tree.leaves()}
    yield {(name, side): each[i] for name, each in found.items() for i, side in enumerate(("low", "high"))}


def _own(leaf: Node) -> Number:
    return 0 if leaf.value is None else leaf.value


def _free_if_skipped(run: Trace, leaf: Node) -> Interval:
    return (_own(leaf), _own(leaf)) if leaf.name in run.leaves else (-inf, inf)


def _free_unless_on_line(run: Trace, leaf: Node) -> Interval:
    return (_own(leaf), _own(leaf)) if leaf.name in run.line else (-inf, inf)


def _never_free(run: Trace, leaf: Node) -> Interval:
    return _own(leaf), _own(leaf)


def _to_own_value(run: Trace, leaf: Node) -> Interval:
    """The leaf's own value for the end, where there is one."""
    low, high = standing_still(run.tree, leaf)
    return low if low == -inf else _own(leaf), high if high == inf else _own(leaf)


STANDING_STILL = PaperExercise(
    "standing-still",
    ask_standing_still,
    (
        Misreading(
            "every leaf that is read counts",
            "only the skipped leaves may change",
            "Take a leaf that was read and is not on the line. May it become a little worse for who chooses above it?",
            partial(_intervals, _free_if_skipped),
        ),
        Misreading(
            "only the line counts",
            "whatever is not on the line may be anything",
            "Let a leaf beside the line become as good as can be. Who would go there now?",
            partial(_intervals, _free_unless_on_line),
        ),
        Misreading(
            "every leaf counts",
            "no leaf may change at all",
            "Give a leaf that was skipped the values −∞, 0 and ∞. What does the root do?",
            partial(_intervals, _never_free),
        ),
        Misreading(
            "ends at its own value",
            "where a leaf cannot go on for ever, you stop at the value that it has now",
            "Change it by one. Does the root change at once?",
            partial(_intervals, _to_own_value),
        ),
    ),
    (
        "Begin with the leaves that are skipped: the search has never asked for them.",
        "In the stepper click a leaf and type -inf, then inf: with which of the two does the root stand still?",
        "Where the root does change, it changes at a value that stands somewhere else in the tree.",
    ),
    partial(load, "figure-4.24"),
)


# when does a cut disappear?


def last_leaves(run: Trace) -> dict[str, Cut]:
    """The last leaf read before each cut that comes with the value of that leaf, and the cut."""
    found: dict[str, Cut] = {}
    for cut in run.cuts:
        found.setdefault(run.leaves[run.leaves_at(cut.step)[0] - 1], cut)
    return {leaf: cut for leaf, cut in found.items() if cut.witness is not None}


def threshold(tree: Tree, cut: Cut) -> Number:
    """The last value of the leaf with which the node still cuts: the bound that it meets.

    From the leaf up to the node that cuts, each one is a last child. If it is changed until the node's bv falls short
    of the bound, then at once that far.
    """
    bound = cut.beta if tree[cut.at].is_max else cut.alpha
    assert bound is not None
    return bound


def ask_thresholds(tree: Tree) -> Question:
    run = trace(tree)
    cuts = last_leaves(run)
    if not cuts:
        raise AbvizError("nothing is cut in the tree; expected one with a cut")
    which = "; ".join(f"{quoted(leaf)}, after which {quoted(cut.at)} cuts" for leaf, cut in cuts.items())
    asks = (
        f"{HOW} Change the last leaf read before a cut, and nothing else: {which}. What is the last value with which "
        "there is still a cut right after it, and just beyond which there is none? A number, or the interval of all "
        'values with which there is one: [2, float("inf")].'
    )
    return Question(asks, tuple(_slot(leaf, threshold(tree, cut), tree[cut.at].is_max) for leaf, cut in cuts.items()))


def _slot(leaf: str, right: Number, goes_up: bool) -> Slot:
    def tell(wrote: Any) -> str:
        low, high = wrote if isinstance(wrote, tuple) else (wrote, wrote)
        end, other = (low, high) if goes_up else (high, low)
        lower, higher = ("lower", "higher") if goes_up else ("higher", "lower")
        if end < right if goes_up else end > right:
            return f"With {leaf} = {number(end)} there is no cut right after it."
        way, value = (lower, end) if end != right else (higher, other)
        return f"{leaf} can go {way} than {number(value)}, and there is still a cut right after it."

    return Slot((leaf,), right, _end_of(goes_up), tell)


def _end_of(goes_up: bool) -> Kind:
    """A number, or the interval that begins (or ends) with it and has no other end."""

    def read(wrote: Any) -> Any:
        if not isinstance(wrote, list | tuple):
            return as_number(wrote)
        ends = [as_number(each) for each in wrote]
        if len(ends) != 2 or None in ends or ends[0] > ends[1]:
            return None
        end, other = ends if goes_up else ends[::-1]
        return end if other == (inf if goes_up else -inf) else tuple(ends)

    def shown(value: Any) -> str:
        return f"[{number(value[0])}, {number(value[1])}]" if isinstance(value, tuple) else number(value)

    return Kind("a number, or the least and the greatest value with which there is a cut: [2, 5]", read, shown)


def _ends(end: Callable[[Trace, str, Cut], Number | None], tree: Tree) -> Iterator[Paper]:
    run = trace(tree)
    yield {(leaf,): end(run, leaf, cut) for leaf, cut in last_leaves(run).items()}


def _first_without(run: Trace, leaf: str, cut: Cut) -> Number:
    return threshold(run.tree, cut) + (-1 if run.tree[cut.at].is_max else 1)


def _first_beyond(run: Trace, leaf: str, cut: Cut) -> Number:
    return threshold(run.tree, cut) + (1 if run.tree[cut.at].is_max else -1)


def _its_own_value(run: Trace, leaf: str, cut: Cut) -> Number | None:
    return run.tree[leaf].value


def _other_bound(run: Trace, leaf: str, cut: Cut) -> Number | None:
    """The bound that the node has received and moves itself."""
    alpha, beta = run.window(run.tree[cut.at])
    return alpha if run.tree[cut.at].is_max else beta


THRESHOLDS = PaperExercise(
    "cut-thresholds",
    ask_thresholds,
    (
        Misreading(
            "the first without a cut",
            "you have written the first whole number with which there is no cut",
            "Asked for is the last value with which there is still one.",
            partial(_ends, _first_without),
        ),
        Misreading(
            "> for ≥",
            "bv must pass the bound, and equality is not enough",
            "What does the rule say where bv equals the bound?",
            partial(_ends, _first_beyond),
        ),
        Misreading(
            "its own value",
            "the cut disappears as soon as the leaf changes",
            "Change the leaf by one. Is the cut still there?",
            partial(_ends, _its_own_value),
        ),
        Misreading(
            "the other bound",
            "you compare with the bound that the node moves itself",
            "Which bound stops a MAX node, the one that MAX has or the one that MIN has?",
            partial(_ends, _other_bound),
        ),
    ),
    (
        "In the stepper click the leaf and type other values. With which are the scissors there, with which not?",
        "The value goes up from the leaf to the node that cuts. What is it compared with there?",
        "Neither the leaf nor the node decides where the end is: it is a value that somebody further up has found.",
    ),
    partial(load, "figure-4.24"),
)
