"""make_tree: every property is counted again, by a search written for counting only."""

from collections import Counter
from dataclasses import dataclass, field, replace
from math import inf
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from abviz import AbvizError, Rules, Tree, load, make_tree, trace
from abviz.exercises.generator import COUNTED, RULES, NotFound, measure
from abviz.exercises.trial_trees import random_trees
from abviz.tree.model import Node


@dataclass
class Counted:
    """Alpha-beta for counting only, which carries with every bound the level that set it."""

    rules: Rules
    counts: dict[str, int] = field(default_factory=lambda: dict.fromkeys(COUNTED, 0))
    marks: dict[str, tuple[Any, ...]] = field(default_factory=dict)
    read: set[str] = field(default_factory=set)
    cuts: set[tuple[str, str, str]] = field(default_factory=set)

    def search(
        self, node: Node, alpha: float, beta: float, alpha_by: int, beta_by: int, level: int
    ) -> float:
        if node.is_leaf:
            self.read.add(node.name)
            self.counts["leaves_read"] += 1
            return node.value
        window = alpha, beta
        bv = -inf if node.is_max else inf
        children = node.children[::-1] if self.rules.right_to_left else node.children
        for place, child in enumerate(children):
            value = self.search(child, alpha, beta, alpha_by, beta_by, level + 1)
            bound = beta if node.is_max else alpha
            self.counts["ties"] += value == bv
            bv = max(bv, value) if node.is_max else min(bv, value)
            self.counts["ties"] += bv == bound
            beyond = bv > bound if node.is_max else bv < bound
            fires = beyond or (bv == bound and not self.rules.strict)
            if not (fires and self.rules.test_first):
                if node.is_max and bv > alpha:
                    alpha, alpha_by = bv, level
                if not node.is_max and bv < beta:
                    beta, beta_by = bv, level
            if fires:
                self.cutoff(
                    node,
                    list(children[place + 1 :]),
                    level - (beta_by if node.is_max else alpha_by),
                )
                break
        self.marks[node.name] = alpha, beta, bv
        return sorted((window[0], bv, window[1]))[1] if self.rules.fail_hard else bv

    def cutoff(self, node: Node, skipped: list[Node], distance: int) -> None:
        if not skipped:
            self.counts["last_child_cutoffs"] += 1
            return
        self.counts["beta_cuts" if node.is_max != self.rules.name_by_node else "alpha_cuts"] += 1
        self.counts["deep_cuts"] += distance > 1
        self.counts["subtree_cuts"] += any(child.children for child in skipped)
        letter = "α" if node.is_max == self.rules.name_by_node else "β"
        self.cuts |= {(node.name, child.name, letter) for child in skipped}


def counted(tree: Tree, rules: Rules) -> Counted:
    run = Counted(rules)
    run.search(tree.root, -inf, inf, -1, -1, 0)
    if rules.fail_hard:
        run.counts["ties"] = counted(tree, replace(rules, fail_hard=False)).counts["ties"]
    return run


def answer(tree: Tree, rules: Rules) -> tuple[Any, ...]:
    run = counted(tree, rules)
    return run.marks, run.read, run.cuts, trace(tree, rules=rules).best


def fits(number: float, given: Any) -> bool:
    if given is None or isinstance(given, bool):
        return given is None or (number > 0) == given
    low, high = given if isinstance(given, tuple) else (given, given)
    return low <= number <= (inf if high is None else high)


SOME = st.sampled_from([None, None, True, False])
NUMBER = st.sampled_from([None, None, 0, 1, 2, (1, 2), (1, None), True, False])
OPTIONS = st.fixed_dictionaries(
    {
        "depth": st.integers(1, 4),
        "branching": st.sampled_from([2, 3, (2, 3), (1, 3), (0, 3), (0, 2)]),
        "leaves": st.sampled_from([(0, 20), (-9, 9), (-100, 100)]),
        "distinct": st.booleans(),
        "to_move": st.sampled_from(["max", "min"]),
        "rules": st.builds(Rules, **{rule: st.booleans() for rule in RULES}),
        **dict.fromkeys(("alpha_cuts", "beta_cuts"), NUMBER),
        **dict.fromkeys(("subtree_cuts", "deep_cuts", "ties", "last_child_cutoffs"), SOME),
        "leaves_read": st.one_of(st.none(), st.just((6, 14))),
        "depends_on": st.sampled_from([(), (), (), ("strict",), "fail_hard"]),
        "independent_of": st.sampled_from([(), (), (), ("right_to_left",), "test_first"]),
    }
)


@settings(max_examples=25, deadline=None)
@given(OPTIONS, st.integers(0, 2**40))
def test_a_tree_has_every_property_asked_for(options: dict[str, Any], seed: int) -> None:
    try:
        tree = make_tree(seed, **options, tries=30)
    except AbvizError:
        assume(False)
    leaves = [leaf.value for leaf in tree.leaves()]
    low, high = options["leaves"]
    assert all(isinstance(value, int) and low <= value <= high for value in leaves)
    assert not options["distinct"] or len(set(leaves)) == len(leaves)
    fewest, most = (
        options["branching"]
        if isinstance(options["branching"], tuple)
        else [options["branching"]] * 2
    )
    for node in tree.nodes:
        level = len(tree.path(node)) - 1
        assert node.is_max == ((options["to_move"] == "max") == (level % 2 == 0))
        assert node.is_leaf == (level == options["depth"]) or (node.is_leaf and fewest == 0)
        assert node.is_leaf or max(fewest, 1) <= len(node.children) <= most
    rules = options["rules"]
    counts = counted(tree, rules).counts
    assert measure(tree, rules) == counts
    for name in COUNTED:
        assert fits(counts[name], options[name]), (name, counts[name])
    for rule in RULES:
        depends = answer(tree, rules) != answer(
            tree, replace(rules, **{rule: not getattr(rules, rule)})
        )
        assert depends or rule not in (options["depends_on"], *options["depends_on"])
        assert not depends or rule not in (options["independent_of"], *options["independent_of"])


def test_the_properties_of_the_textbook_figure() -> None:
    properties = measure(load("figure-4.24"), Rules())
    assert [
        properties[name] for name in ("alpha_cuts", "beta_cuts", "deep_cuts", "leaves_read")
    ] == [1, 1, 1, 6]


def test_cuts_are_counted_as_in_a_trace_also_where_a_player_moves_twice() -> None:
    for tree in (load("two-min"), *random_trees(60)):
        properties, cuts = measure(tree, Rules()), trace(tree).cuts
        with_subtree = [cut for cut in cuts if any(tree[name].children for name in cut.skipped)]
        deep = [cut for cut in cuts if cut.deep]
        assert (properties["deep_cuts"], properties["subtree_cuts"]) == (
            len(deep),
            len(with_subtree),
        )


def test_the_same_seed_makes_the_same_tree_on_every_machine() -> None:
    tree = make_tree(7, depth=4, branching=2, alpha_cuts=1, deep_cuts=True)
    assert [leaf.value for leaf in tree.leaves()] == [
        7,
        1,
        3,
        6,
        14,
        3,
        0,
        5,
        2,
        8,
        12,
        6,
        8,
        3,
        18,
        10,
    ]
    assert [node.name for node in tree.nodes[:6]] == ["A", "B", "D", "H", "h1", "h2"]
    assert len({make_tree(seed, depth=4) for seed in range(20)}) == 20


def test_a_range_of_children_from_0_makes_the_shapes_of_populate() -> None:
    trees = [make_tree(seed, depth=5, branching=(0, 3), leaves=(0, 19)) for seed in range(300)]
    inner = Counter[tuple[str, int]]()
    depths = Counter[int]()

    for tree in trees:
        for node in tree.nodes:
            depth = len(tree.path(node)) - 1
            place = "root" if node is tree.root else "below" if depth < 5 else "last"
            inner[place, len(node.children)] += 1
            if node.is_leaf:
                depths[depth] += 1
                assert 0 <= node.value <= 19

    # Below the root each number of sons is as likely as any other; on the last level all are
    # leaves.
    below = [inner["below", sons] for sons in range(4)]
    assert min(below) > 0.8 * max(below)
    assert [inner["last", sons] > 0 for sons in range(4)] == [True, False, False, False]
    assert inner["root", 0] == 0
    assert set(depths) == {1, 2, 3, 4, 5}


def test_where_nothing_is_found_the_rarest_property_is_named() -> None:
    with pytest.raises(
        NotFound, match=r"^seed 1: .*the rarest is deep cuts: 1 or more, in 0 of 300 trees tried$"
    ):
        make_tree(1, depth=2, deep_cuts=True, alpha_cuts=1, tries=300)


REFUSED = {
    "depth is 11; expected a whole number, from 1 to 10": {"depth": 11},
    "such a tree has 10,000 leaves or more; expected at most 1,000": {"branching": 10, "depth": 4},
    "branching is 0; expected 1 to 10 children": {"branching": 0},
    "branching is (0, 0); expected 1 to 10 children": {"branching": (0, 0)},
    "leaves is (5, 1); expected the least and the largest value, as in (0, 20)": {"leaves": (5, 1)},
    "such a tree has 8 leaves or more; expected at most 4, one for each value": {
        "leaves": (0, 3),
        "distinct": True,
    },
    "strict is in depends_on and in independent_of": {
        "depends_on": "strict",
        "independent_of": ["strict"],
    },
    "unknown rule 'stricter': did you mean strict?": {"depends_on": "stricter"},
}


@pytest.mark.parametrize("message", REFUSED)
def test_bad_options_are_refused_in_one_line(message: str) -> None:
    with pytest.raises(AbvizError) as error:
        make_tree(**{"seed": 1} | REFUSED[message])
    assert message in str(error.value) and "\n" not in str(error.value)
