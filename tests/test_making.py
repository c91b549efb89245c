"""`make_tree`: every property is counted again by a search of its own here, and contradictions by trying all trees."""

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import permutations
from math import inf
from random import Random
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from abviz import AbvizError, Rules, Tree, load, make_tree, trace
from abviz.exercises.contradictions import reasons_against
from abviz.exercises.making import NotMet
from abviz.exercises.measuring import Measures, measured
from abviz.exercises.possible import Box, _search, can_hold, extent
from abviz.exercises.wanted import COUNTED, RULES, read_wanted
from abviz.tracing.narration import sentence
from abviz.tree.files import parse
from abviz.tree.model import Node

DEFAULT = Rules()
CLAMPED = Rules(strict=True, fail_hard=True)
BY_NODE = Rules(name_by_node=True)


@dataclass
class Counted:
    """Alpha-beta for counting only, with every bound carried beside the level that set it."""

    rules: Rules
    counts: dict[str, int] = field(default_factory=lambda: dict.fromkeys(COUNTED, 0))
    marks: dict[str, tuple[Any, ...]] = field(default_factory=dict)
    read: set[str] = field(default_factory=set)
    cuts: set[tuple[str, str, str]] = field(default_factory=set)

    def search(self, node: Node, alpha: float, beta: float, alpha_by: int, beta_by: int, level: int) -> float:
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
                self.cutoff(node, list(children[place + 1 :]), level - (beta_by if node.is_max else alpha_by))
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


def counted(tree: Tree, rules: Rules = DEFAULT) -> Counted:
    run = Counted(rules)
    run.search(tree.root, -inf, inf, -1, -1, 0)
    if rules.fail_hard:
        run.counts["ties"] = counted(tree, replace(rules, fail_hard=False)).counts["ties"]
    return run


def paper(tree: Tree, rules: Rules) -> tuple[Any, ...]:
    """What is written down."""
    run = counted(tree, rules)
    return run.marks, run.read, run.cuts, trace(tree, rules=rules).best


def fits(number: float, wanted: Any) -> bool:
    if wanted is None or isinstance(wanted, bool):
        return wanted is None or (number > 0) == wanted
    low, high = wanted if isinstance(wanted, tuple) else (wanted, wanted)
    return low <= number <= (inf if high is None else high)


SOME = st.sampled_from([None, None, None, True, False])
NUMBER = st.sampled_from([None, None, 0, 1, 2, (1, 2), (1, None), True, False])
WANTED = st.fixed_dictionaries(
    {
        "depth": st.integers(2, 4),
        "branching": st.sampled_from([2, 3, (2, 3), (1, 3)]),
        "leaves": st.sampled_from([(0, 20), (-9, 9), (-100, 100)]),
        "distinct": st.booleans(),
        "to_move": st.sampled_from(["max", "min"]),
        "rules": st.builds(Rules, **{rule: st.booleans() for rule in RULES}),
        "alpha_cuts": NUMBER,
        "beta_cuts": NUMBER,
        "subtree_cuts": SOME,
        "deep_cuts": SOME,
        "ties": SOME,
        "last_child_cutoffs": SOME,
        "leaves_read": st.one_of(st.none(), st.just((6, 14))),
        "depends_on": st.sampled_from([(), (), (), ("strict",), ("fail_hard",)]),
        "independent_of": st.sampled_from([(), (), (), ("strict",), ("fail_hard",)]),
    }
)


@settings(max_examples=50, deadline=None)
@given(WANTED, st.integers(0, 2**40))
def test_a_made_tree_is_all_that_was_asked_for(wanted: dict[str, Any], seed: int) -> None:
    try:
        tree = make_tree(seed, **wanted, tries=200)
    except AbvizError:
        assume(False)
    leaves = [leaf.value for leaf in tree.leaves()]
    low, high = wanted["leaves"]
    assert all(isinstance(value, int) and low <= value <= high for value in leaves)
    assert not wanted["distinct"] or len(set(leaves)) == len(leaves)
    fewest, most = wanted["branching"] if isinstance(wanted["branching"], tuple) else [wanted["branching"]] * 2
    for node in tree.nodes:
        level = len(tree.path(node)) - 1
        assert node.is_max == ((wanted["to_move"] == "max") == (level % 2 == 0))
        assert node.is_leaf == (level == wanted["depth"])
        assert node.is_leaf or fewest <= len(node.children) <= most
    rules = wanted["rules"]
    counts = counted(tree, rules).counts
    for name in COUNTED:
        assert fits(counts[name], wanted[name]), (name, counts[name])
    for rule in RULES:
        depends = paper(tree, rules) != paper(tree, replace(rules, **{rule: not getattr(rules, rule)}))
        assert depends or rule not in wanted["depends_on"]
        assert not depends or rule not in wanted["independent_of"]


@pytest.mark.parametrize(
    ("rule", "depends"), [(r, d) for r in RULES for d in (True, False) if r != "right_to_left" or d]
)
def test_the_answer_depends_on_each_rule_or_not(rule: str, depends: bool) -> None:
    for seed in range(5):
        wanted = {"depends_on" if depends else "independent_of": rule}
        tree = make_tree(seed, depth=3, branching=2, leaves=(0, 9), **wanted)
        assert (paper(tree, Rules()) != paper(tree, Rules(**{rule: True}))) == depends


SIX = {"alpha_cuts": 2, "beta_cuts": 2, "deep_cuts": True, "subtree_cuts": True, "last_child_cutoffs": False}


def test_six_properties_at_once() -> None:
    for seed in range(5):
        tree = make_tree(seed, depth=4, leaves=(-50, 50), distinct=True, **SIX)
        cuts = trace(tree).cuts
        assert sorted(cut.kind for cut in cuts) == ["alpha", "alpha", "beta", "beta"]
        assert any(cut.deep for cut in cuts) and any(tree[name].children for cut in cuts for name in cut.skipped)
        assert counted(tree).counts["last_child_cutoffs"] == 0


@settings(max_examples=50, deadline=None)
@given(st.integers(0, 2**40), st.builds(Rules, **{rule: st.booleans() for rule in RULES}))
def test_what_is_counted_is_what_there_is(seed: int, rules: Rules) -> None:
    tree = make_tree(seed, depth=4, branching=(1, 3), leaves=(0, 6))
    assert vars(measured(tree, rules)) == counted(tree, rules).counts


# the same seed


def test_the_same_seed_is_the_same_tree_for_ever() -> None:
    """Written down once: another Python, or another machine, must make it too."""
    tree = make_tree(7, depth=4, branching=2, alpha_cuts=1, deep_cuts=True)
    assert [leaf.value for leaf in tree.leaves()] == LEAVES_OF_7
    assert [node.name for node in tree.nodes[:5]] == ["A", "B", "D", "H", "P"]


LEAVES_OF_7 = [7, 1, 3, 6, 14, 3, 0, 5, 2, 8, 12, 6, 8, 3, 18, 10]


def test_the_same_seed_is_the_same_tree_in_another_process() -> None:
    code = f"from abviz import make_tree; print(make_tree(11, depth=4, **{SIX}).to_yaml())"
    runs = {
        subprocess.run([sys.executable, "-c", code], env={"PYTHONHASHSEED": seed}, capture_output=True).stdout
        for seed in "123"
    }
    assert len(runs) == 1 and parse(runs.pop().decode()) == make_tree(11, depth=4, **SIX)


def test_other_seeds_are_other_trees() -> None:
    assert len({make_tree(seed, alpha_cuts=1) for seed in range(30)}) == 30


def test_a_tree_tells_its_seed() -> None:
    tree = make_tree(41, depth=2, branching=3, alpha_cuts=(1, None), distinct=True)
    assert tree.title == "Tree made from seed 41"
    asked = "--depth 2 --branching 3 --leaves 0 20 --distinct --alpha-cuts 1-"
    assert tree.source == f"abviz make --seed 41 {asked}"
    assert parse(tree.to_yaml()) == tree


# contradictions


def orders(leaves: int, most: int) -> Iterator[list[int]]:
    """All of them, or many by chance."""
    chance = Random(0)
    if leaves <= 6:
        yield from map(list, permutations(range(leaves)))
    else:
        yield from (chance.sample(range(leaves), leaves) for _ in range(most))


def uniform(depth: int, breadth: int, values: Iterator[int]) -> Any:
    return [uniform(depth - 1, breadth, values) for _ in range(breadth)] if depth else next(values)


@pytest.mark.parametrize(("depth", "breadth"), [(2, 2), (2, 3), (3, 2)])
@pytest.mark.parametrize("to_move", ["max", "min"])
def test_what_is_known_to_go_together_is_what_does(depth: int, breadth: int, to_move: str) -> None:
    names = [name for name in COUNTED if name != "ties"]
    seen = set()
    for order in orders(breadth**depth, 2_000):
        counts = counted(Tree(uniform(depth, breadth, iter(order)), to_move=to_move)).counts
        seen.add(tuple(counts[name] for name in names))
    is_max = to_move == "max"
    top = [extent(name, depth, (breadth, breadth), is_max, 1_000)[1] for name in names]
    assert top == [max(counts[place] for counts in seen) for place in range(len(names))]
    everything = Box({name: (0, most) for name, most in zip(names, top, strict=True)})
    assert _search(everything, depth, (breadth, breadth), is_max).bit_count() == len(seen)
    for counts in seen:
        asked = {name: (number, number) for name, number in zip(names, counts, strict=True)}
        assert can_hold(asked, depth, (breadth, breadth), is_max)


def test_counts_without_end_are_as_good_as_a_number() -> None:
    for low in range(20):
        with_end = can_hold({"alpha_cuts": (low, 99), "leaves_read": (20, 24)}, 4, (2, 3), True)
        assert can_hold({"alpha_cuts": (low, inf), "leaves_read": (20, 24)}, 4, (2, 3), True) == with_end


@pytest.mark.parametrize(
    ("wanted", "reason"),
    [
        ({"depth": 3, "deep_cuts": True}, "never holds a deep cut: its bound comes from three moves above or further"),
        ({"depth": 3, "deep_cuts": 1, "rules": Rules(strict=True)}, "never holds a deep cut"),
        ({"depth": 2, "beta_cuts": 1}, "never holds a beta cut: only MAX makes it, never at the root"),
        ({"depth": 2, "alpha_cuts": 1, "to_move": "min"}, "never holds an alpha cut: only MIN makes it"),
        ({"depth": 2, "subtree_cuts": True}, "never holds a subtree cut: the root cuts nothing"),
        ({"branching": 1, "alpha_cuts": True}, "it skips a child"),
        ({"branching": 3, "distinct": True}, "has 27 leaves or more, and from 0 to 20 there are 21 values"),
        ({"branching": 3, "alpha_cuts": 9}, "has 0 to 2 alpha cuts"),
        ({"branching": 3, "leaves_read": 10}, "has 11 to 27 leaves read"),
        ({"branching": 3, "leaves_read": 28}, "has 11 to 27 leaves read"),
        ({"branching": 2, "leaves_read": 9, "rules": Rules(strict=True)}, "has 1 to 8 leaves read"),
        ({"branching": 2, "leaves_read": 0, "rules": CLAMPED}, "has 1 to 8 leaves read"),
        ({"branching": 2, "alpha_cuts": 0, "leaves_read": 5}, "never has no alpha cuts with 5 leaves read"),
        (
            {"alpha_cuts": 0, "beta_cuts": 0, "subtree_cuts": True},
            "never has no alpha cuts with 1 or more subtree cuts",
        ),
        ({"distinct": True, "leaves": (0, 99), "ties": True}, "where all leaves differ there are no ties"),
        ({"leaves": (3, 3), "ties": False}, "where all leaves are equal there are ties"),
        ({"ties": False, "depends_on": "strict"}, "without ties ≥ and > do the same"),
        ({"depends_on": "strict", "independent_of": "strict"}, "cannot depend on strict and not depend on it"),
        ({"depends_on": "name_by_node", "alpha_cuts": 0, "beta_cuts": 0}, "changes only the names of cuts"),
        ({"independent_of": "right_to_left"}, "right_to_left changes the answer"),
        ({"independent_of": "test_first", "alpha_cuts": 1}, "test_first changes the bounds"),
        ({"independent_of": "test_first", "subtree_cuts": True}, "test_first changes the bounds"),
        ({"independent_of": "test_first", "depends_on": "name_by_node"}, "test_first changes the bounds"),
        ({"independent_of": "name_by_node", "depth": 4, "deep_cuts": True}, "name_by_node changes the names of cuts"),
        (
            {"subtree_cuts": 1, "rules": CLAMPED},
            "with > and fail-hard only the MAX nodes above the leaves cut, so there is",
        ),
        (
            {"depth": 4, "subtree_cuts": 1, "rules": CLAMPED},
            "only the MIN nodes above the leaves cut, so there is no sub",
        ),
        ({"alpha_cuts": 1, "rules": CLAMPED}, "so there is no alpha cut"),
        (
            {"beta_cuts": 1, "to_move": "min", "rules": CLAMPED},
            "only the MIN nodes above the leaves cut, so there is no",
        ),
        ({"branching": 1, "ties": True}, "with one child a node there is nothing that a value could be equal to"),
        ({"branching": 1, "depends_on": "right_to_left"}, "one child a node is the same from both sides"),
        (
            {"branching": 1, "depends_on": "test_first"},
            "the bounds of a node whose cutoff test holds, and there are no",
        ),
        (
            {"depth": 1, "depends_on": "strict"},
            "strict changes only cutoffs where bv equals the bound, and there are n",
        ),
        ({"depth": 1, "depends_on": "strict", "rules": Rules(strict=True)}, "strict changes only cutoffs where"),
        ({"depth": 1, "depends_on": "fail_hard"}, "fail_hard changes only values beyond a bound, and there are none"),
        ({"depth": 1, "depends_on": "name_by_node"}, "name_by_node changes only the names of cuts, and there are none"),
        ({"depth": 2, "depends_on": "name_by_node", "alpha_cuts": 0}, "name_by_node changes only the names of cuts"),
        (
            {"depth": 2, "depends_on": "strict", "alpha_cuts": 0},
            "strict changes only cutoffs where bv equals the bound",
        ),
        ({"depth": 2, "depends_on": "fail_hard"}, "at depth 2 a value meets the bound that clamps it"),
        (
            {"depends_on": "strict", "independent_of": "name_by_node"},
            "name_by_node changes the names of cuts, and ther",
        ),
        ({"depends_on": "strict", "independent_of": "test_first"}, "test_first changes the bounds"),
        ({"depends_on": "fail_hard", "independent_of": "test_first"}, "test_first changes the bounds"),
        ({"branching": 1, "distinct": True, "leaves": (5, 5), "alpha_cuts": 1}, "with 1 child a node, MAX to move"),
        (
            {"depth": 2, "branching": 2, "distinct": True, "leaves": (5, 5)},
            "4 leaves or more, and from 5 to 5 there is 1 v",
        ),
        ({"depth": 2, "alpha_cuts": 1, "rules": BY_NODE}, "never holds an alpha cut: only MAX makes it"),
        ({"depth": 2, "beta_cuts": 1, "to_move": "min", "rules": BY_NODE}, "never holds a beta cut: only MIN makes it"),
    ],
)
def test_contradictions_are_told_with_their_reason(wanted: dict[str, Any], reason: str) -> None:
    with pytest.raises(AbvizError) as told:
        make_tree(1, **wanted)
    assert reason in str(told.value) and "\n" not in str(told.value)
    assert not isinstance(told.value, NotMet)


@pytest.mark.parametrize("depth", [1, 2, 3])
@pytest.mark.parametrize("breadth", [1, 2, 3])
def test_what_some_tree_is_no_reason_speaks_against(depth: int, breadth: int) -> None:
    chance = Random(depth + 10 * breadth)
    for _ in range(100):
        rules = Rules(**{rule: chance.random() < 0.4 for rule in RULES})
        values = chance.choices(range(chance.choice([2, 4, 99])), k=breadth**depth)
        to_move = chance.choice(["max", "min"])
        tree = Tree(uniform(depth, breadth, iter(values)), to_move=to_move)
        flipped = {rule: replace(rules, **{rule: not getattr(rules, rule)}) for rule in RULES}
        depends = [rule for rule in RULES if paper(tree, flipped[rule]) != paper(tree, rules)]
        wanted = read_wanted(
            depth=depth,
            branching=breadth,
            leaves=(0, 99),
            distinct=len(set(values)) == len(values),
            to_move=to_move,
            rules=rules,
            depends_on=depends,
            independent_of=[rule for rule in RULES if rule not in depends],
            **counted(tree, rules).counts,
        )
        assert not list(reasons_against(wanted)), (tree, rules)


@pytest.mark.parametrize("depth", [2, 3, 4])
@pytest.mark.parametrize("to_move", ["max", "min"])
def test_with_clamped_values_and_strict_cuts_only_nodes_above_leaves_cut(depth: int, to_move: str) -> None:
    chance = Random(depth)
    rules = [
        replace(CLAMPED, test_first=first, right_to_left=right) for first in (False, True) for right in (False, True)
    ]
    seen = set()
    for i in range(400):
        counts = counted(
            Tree(uniform(depth, 2, iter(chance.choices(range(9), k=2**depth))), to_move=to_move), rules[i % 4]
        )
        seen |= {name for name, number in counts.counts.items() if number}
    ends_with_max = (to_move == "max") == (depth % 2 == 1)
    assert "subtree_cuts" not in seen and ("beta_cuts" if ends_with_max else "alpha_cuts") in seen
    assert ("alpha_cuts" if ends_with_max else "beta_cuts") not in seen


def test_cuts_are_counted_under_the_names_that_the_rules_give_them() -> None:
    tree = make_tree(3, branching=2, alpha_cuts=1, beta_cuts=0, rules=BY_NODE)
    run = trace(tree, rules=BY_NODE)
    told = " ".join(sentence(run, step) for step in range(len(run) + 1))
    assert "α-cut at" in told and "β-cut at" not in told


@pytest.mark.parametrize("span", [(1, 30), (0, None), True, (5, 8), (8, 99), (1, 5)])
def test_a_range_that_holds_what_there_can_be_is_no_contradiction(span: Any) -> None:
    tree = make_tree(1, depth=3, branching=2, leaves_read=span)
    assert fits(counted(tree).counts["leaves_read"], span)


def test_a_contradiction_is_told_without_looking_at_any_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("abviz.exercises.making._sown", lambda *_: pytest.fail("a tree was made"))
    with pytest.raises(AbvizError, match="never has 1 alpha cut with 1 beta cut with 11 leaves read"):
        make_tree(1, depth=4, branching=2, alpha_cuts=1, beta_cuts=1, leaves_read=11)


def test_what_is_not_met_is_told_with_how_near_it_came() -> None:
    with pytest.raises(NotMet) as told:
        make_tree(3, depth=4, branching=3, leaves_read=50, tries=2)
    assert "tried and none is all that, though nothing is known to speak against it" in str(told.value)
    assert "(asked for 50 leaves read)" in str(told.value)


@pytest.mark.parametrize(
    ("wanted", "told"),
    [
        ({"depth": 0}, "depth is 0; expected a whole number from 1 to 10"),
        ({"depth": True}, "depth is True; expected a whole number"),
        ({"branching": (3, 2)}, r"branching is \(3, 2\); expected 1 to 10 children, or a range"),
        ({"branching": "2-3"}, "branching is '2-3'; expected"),
        ({"leaves": (5, 1)}, r"leaves is \(5, 1\); expected the least and the largest"),
        ({"leaves": 9}, "leaves is 9; expected"),
        ({"to_move": "both"}, "unknown player 'both'"),
        ({"rules": "strict"}, "rules is 'strict'; expected Rules"),
        ({"distinct": 1}, "distinct is 1; expected True or False"),
        ({"alpha_cuts": -1}, "alpha_cuts is -1; expected a number, a range"),
        ({"beta_cuts": 1.5}, "beta_cuts is 1.5; expected a number, a range"),
        ({"depends_on": "stric"}, "unknown rule 'stric'.*did you mean strict"),
        ({"depth": 10, "branching": 3}, "such a tree has 59,049 leaves or more; expected at most 1,000"),
        ({"tries": 0}, "tries is 0; expected a whole number, 1 or more"),
        ({"seed": -3}, "seed is -3; expected a whole number, 0 or more"),
        ({"seed": True}, "seed is True; expected a whole number, 0 or more"),
        ({"seed": 1.5}, "seed is 1.5; expected a whole number, 0 or more"),
    ],
)
def test_what_is_no_property_is_refused(wanted: dict[str, Any], told: str) -> None:
    with pytest.raises(AbvizError, match=told):
        make_tree(**{"seed": 1, **wanted})


def test_the_largest_trees_stay_within_their_limit() -> None:
    tree = make_tree(2, depth=4, branching=(2, 10), leaves=(0, 40), distinct=True)
    assert sum(1 for _ in tree.leaves()) <= 41
    assert sum(1 for _ in make_tree(2, depth=6, branching=(2, 10)).leaves()) <= 1_000


def test_measures_of_the_figure_are_those_of_the_book() -> None:
    found = measured(load("figure-4.24"), Rules())
    assert found == Measures(**counted(load("figure-4.24")).counts)
    assert (found.alpha_cuts, found.beta_cuts, found.deep_cuts, found.leaves_read) == (1, 1, 1, 6)
