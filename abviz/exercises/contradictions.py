"""Where the properties asked of a tree contradict each other: known before any tree is looked for."""

from collections.abc import Iterator
from itertools import combinations

from abviz.errors import count
from abviz.exercises.possible import Counts, can_hold, extent
from abviz.exercises.wanted import MOST_LEAVES, RULES, Wanted, asked, in_words

CUTS = ("alpha_cuts", "beta_cuts")
ANY_CUTS = (*CUTS, "subtree_cuts", "deep_cuts")
WHY_NONE = {
    "alpha_cuts": "only {} makes it, never at the root, and it skips a child",
    "beta_cuts": "only {} makes it, never at the root, and it skips a child",
    "subtree_cuts": "the root cuts nothing, and what is skipped has children, so it needs depth 3",
    "deep_cuts": "its bound comes from three moves above or further, so it needs depth 4",
    "last_child_cutoffs": "the root has no bound to reach",
}


def reasons_against(wanted: Wanted) -> Iterator[str]:
    """The reasons; none where such a tree may exist."""
    yield from _leaves(wanted)
    yield from _rules(wanted)
    yield from _clamped(wanted)
    yield from _counts(wanted)


def _leaves(wanted: Wanted) -> Iterator[str]:
    low, high = wanted.leaves
    fewest, values = wanted.branching[0] ** wanted.depth, high - low + 1
    if wanted.distinct and fewest > values:
        leaves = count(fewest, "leaf", "leaves")
        there = f"there {'is' if values == 1 else 'are'} {count(values, 'value')}"
        yield f"{_shape(wanted)} has {leaves} or more, and from {low} to {high} {there}"
    if wanted.distinct and wanted.low("ties") > 0:
        yield "where all leaves differ there are no ties"
    if wanted.low("ties") > 0 and wanted.branching[1] == 1:
        yield "with one child a node there is nothing that a value could be equal to, so there are no ties"
    if values == 1 and wanted.branching[0] > 1 and wanted.high("ties") == 0:
        yield "where all leaves are equal there are ties"


def _rules(wanted: Wanted) -> Iterator[str]:
    cut, uncut = any(wanted.low(kind) for kind in ANY_CUTS), not any(_may_be(wanted, kind) for kind in CUTS)
    cut = cut or "name_by_node" in wanted.depends_on  # whose names else?
    at_bound = "strict" in wanted.depends_on and not wanted.rules.strict  # somewhere bv = bound, and that is a cutoff
    cut = cut or (at_bound and not wanted.rules.test_first)  # at a last child it changes nothing
    # What is beyond a bound, unclamped, is so for the parent, too. (With > and fail-hard it is clamped, and no cutoff.)
    seen_beyond = not (wanted.rules.strict and wanted.rules.fail_hard)
    tested = cut or at_bound or wanted.low("last_child_cutoffs") > 0
    tested = tested or ("fail_hard" in wanted.depends_on and seen_beyond)
    untested = uncut and not _may_be(wanted, "last_child_cutoffs")
    for rule in RULES:
        if rule in wanted.depends_on and rule in wanted.independent_of:
            yield f"the answer cannot depend on {rule} and not depend on it"
    if "strict" in wanted.depends_on and not wanted.rules.fail_hard and _without_ties(wanted):
        yield "without ties ≥ and > do the same, so the answer does not depend on strict"
    if "right_to_left" in wanted.independent_of and wanted.depth > 1 and wanted.branching[0] > 1:
        yield "the root's first child has no bounds, and searched last it has one: right_to_left changes the answer"
    if "right_to_left" in wanted.depends_on and wanted.branching[1] == 1:
        yield "one child a node is the same from both sides, so the answer does not depend on right_to_left"
    if "fail_hard" in wanted.depends_on and wanted.depth == 2:
        yield "at depth 2 a value meets the bound that clamps it, so the answer does not depend on fail_hard"
    unbound = _unbound(wanted)
    same = unbound if wanted.rules.strict else untested or (uncut and not wanted.rules.test_first)
    for rule, never, always, what in (
        ("name_by_node", uncut, cut, "the names of cuts"),
        ("test_first", untested, tested, "the bounds of a node whose cutoff test holds"),
        ("strict", same, False, "cutoffs where bv equals the bound"),
        ("fail_hard", untested if seen_beyond else unbound, False, "values beyond a bound"),
    ):
        if rule in wanted.depends_on and never:
            yield f"{rule} changes only {what}, and there are none"
        if rule in wanted.independent_of and always:
            yield f"{rule} changes {what}, and there are some"


def _may_be(wanted: Wanted, kind: str) -> bool:
    """Whether there may be such cutoffs: they are not forbidden, and the shape holds some."""
    return wanted.high(kind) > 0 and extent(kind, *_seen_shape(wanted), MOST_LEAVES)[1] > 0


def _unbound(wanted: Wanted) -> bool:
    """Whether no node has a bound that it could meet: the root has none, and a first child only what the root has."""
    return wanted.depth == 1 or wanted.branching[1] == 1


def _seen_shape(wanted: Wanted) -> tuple[int, tuple[int, int], bool]:
    """Named by the node, cuts have the names that they have by the bound where the players have changed sides."""
    return wanted.depth, wanted.branching, wanted.max_moves != wanted.rules.name_by_node


def _clamped(wanted: Wanted) -> Iterator[str]:
    """With > and fail-hard inner nodes hand up nothing that lies beyond a bound: only nodes above leaves cut."""
    if wanted.rules.strict and wanted.rules.fail_hard:
        above_leaves = "MAX" if wanted.max_moves == (wanted.depth % 2 == 1) else "MIN"
        others = [name for name in CUTS if _maker(wanted, name) != above_leaves]
        for name in filter(wanted.low, (*others, "subtree_cuts")):
            nodes = f"the {above_leaves} nodes above the leaves"
            yield f"with > and fail-hard only {nodes} cut, so there is no {in_words(name, 1)}"


def _maker(wanted: Wanted, kind: str) -> str:
    """Who makes a cut of that kind, MAX or MIN: so it is named by the bound, or by the node."""
    return "MAX" if (kind == "beta_cuts") != wanted.rules.name_by_node else "MIN"


def _without_ties(wanted: Wanted) -> bool:
    return wanted.distinct or wanted.high("ties") == 0


def _counts(wanted: Wanted) -> Iterator[str]:
    """More than a search can count, fewer, or not all of it at once: the fewest properties that already clash."""
    counts = {name: span for name, span in wanted.counts.items() if name != "ties"}
    shape = _seen_shape(wanted)
    # With > a value may stand on a bound and leave the window open; fail-hard brings that about without equal leaves.
    exact = not wanted.rules.strict or (_without_ties(wanted) and not wanted.rules.fail_hard)
    for name, (low, high) in counts.items():
        fewest, most = extent(name, *shape, MOST_LEAVES)
        if name == "leaves_read" and not exact:  # whatever the bounds: one is read, and no more than there are
            fewest = 1
        if low > 0 and most == 0:
            yield f"{_shape(wanted)} never holds {_one(name)}: {WHY_NONE[name].format(_maker(wanted, name))}"
        elif (exact or name == "leaves_read") and (high < fewest or low > most):
            yield f"{_shape(wanted)} has {fewest} to {count(most, in_words(name, 1), in_words(name))}"
    if exact and not can_hold(counts, *shape):
        few = next(few for few in _subsets(counts) if not can_hold(few, *shape))
        yield f"{_shape(wanted)} never has {' with '.join(asked(name, *span) for name, span in few.items())}"


def _subsets(counts: Counts) -> Iterator[Counts]:
    for size in range(1, len(counts) + 1):
        yield from ({name: counts[name] for name in names} for names in combinations(counts, size))


def _one(name: str) -> str:
    return f"a{'n' if name == 'alpha_cuts' else ''} {in_words(name, 1)}"


def _shape(wanted: Wanted) -> str:
    low, high = wanted.branching
    children = count(low, "child", "children") if low == high else f"{low} to {high} children"
    player = "MAX" if wanted.max_moves else "MIN"
    return f"a tree of depth {wanted.depth} with {children} a node, {player} to move,"
