"""The best line of a recorded run: a wrong program has none that it did not choose."""

from functools import lru_cache
from math import inf
from pathlib import Path
from typing import Any

import pytest

from abviz import Tree, record, trace
from abviz.exercises import EXERCISES
from abviz.exercises.judgement import with_numbers
from abviz.tracing.traces import Cut
from abviz.views.bundle import number_to_json, search_data, tree_data
from tests.node import running_node
from tests.recorded_lines import check_lines
from tests.recorded_styles import STYLES
from tests.test_recorded_styles import some_tree

TREES, MORE_TREES = 6, 60
SHOWS_BV_AT_TIMES = 1040  # the seed of a tree on which a wrong negamax does
SEARCHES = (
    "minimax",
    "two-functions",
    "alphabeta",
    "best-move",
    "best-line",
    "fail-hard",
    "negamax",
)

# An exercise, the name of a mistake ("": none), and the edits that make it
PROGRAMS = [
    (exercise, name, faults)
    for exercise in SEARCHES
    for name, forms in [
        ("", ({},)),
        *((mistake.name, mistake.forms) for mistake in EXERCISES[exercise].mistakes),
    ]
    for form in forms
    for faults in list(with_numbers(form, [10]))[:1]
]


def run_of(exercise: str, faults: dict[str, str], tree: Tree) -> Any:
    return record(program(exercise, faults), tree)


def program(exercise: str, edits: dict[str, str]) -> Any:
    """Return the right program of the exercise, with these edits."""
    return EXERCISES[exercise].build(**edits)


@lru_cache
def some_trees() -> list[Tree]:
    trees = [some_tree(seed, takes_turns=seed % 2 == 0) for seed in range(TREES)]
    return [*trees, some_tree(SHOWS_BV_AT_TIMES, takes_turns=False)]


@pytest.mark.quick
@pytest.mark.parametrize(("exercise", "name", "faults"), PROGRAMS)
def test_a_line_is_one_that_the_run_chose(exercise, name, faults):
    for tree in some_trees():
        check_lines(run_of(exercise, faults, tree))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(MORE_TREES))
def test_a_line_is_one_that_the_run_chose_on_many_trees(seed):
    for takes_turns in (False, True):
        tree = some_tree(1000 + seed, takes_turns)
        for exercise, _, faults in PROGRAMS:
            check_lines(run_of(exercise, faults, tree))


def spec_of(run: Any) -> dict[str, Any]:
    """Return the run as the page reads it, without its picture."""
    events = [
        [event.kind, event.node.index, *map(number_to_json, event[2:])] for event in run.events
    ]
    return {**tree_data(run.tree), "search": search_data(run), "events": events}


def lines_of(run: Any) -> list[Any]:
    """Return the run's best lines and what its cuts rest on, as the page's twin returns them."""

    def index(name: str | None) -> int:
        return -1 if name is None else run.tree[name].index

    lines = [[index(name) for name in run.line_at(step)] for step in range(len(run) + 1)]
    arguments = [
        [
            index(cut.witness),
            index(cut.via),
            cut.deep,
            [index(name) for name in run.source_of_bound(cut)],
        ]
        for cut in run.cuts
    ]
    return [lines, arguments]


def test_the_page_draws_the_same_lines():
    runs = [
        run_of(exercise, faults, tree) for exercise, _, faults in PROGRAMS for tree in some_trees()
    ]
    for style in STYLES.values():
        tree = some_tree(7, style.negamax)
        runs += [record(style.program([], mistake), tree) for mistake in ("", *style.mistakes())]
    runs.append(record(fails_late, Tree([[1, 2], [4, 0]])))
    runs += [
        record(each, some_tree(seed, takes_turns=False)) for each in STRANGE for seed in range(20)
    ]
    runs.append(record(narrows_in_place, RESTORED))
    runs += [record(each, Tree([-1, 1])) for each in NEGAMAXES]

    with running_node() as node:
        node.load(Path(__file__).parent / "page" / "twin.js")
        shown = node.call("linesOfRuns", [spec_of(run) for run in runs])
    for run, lines in zip(runs, shown, strict=True):
        assert lines == lines_of(run), run


@pytest.mark.quick
@pytest.mark.parametrize("exercise", SEARCHES)
def test_a_right_program_has_the_line_of_ours(exercise):
    for seed in range(TREES):
        tree = some_tree(seed, takes_turns=True)
        run = run_of(exercise, {}, tree)
        assert run.line, tree
        check_lines(run)


def test_the_cuts_of_a_right_program_rest_on_what_ours_do():
    cuts = 0
    for seed in range(40):
        tree = some_tree(seed, takes_turns=False)
        run, ours = run_of("alphabeta", {}, tree), trace(tree)
        assert [reason(cut) for cut in run.cuts] == [reason(cut) for cut in ours.cuts]
        cuts += sum(cut.via is not None for cut in run.cuts)
    assert cuts > 20


def reason(cut: Cut) -> tuple[Any, ...]:
    return cut.at, cut.kind, cut.skipped, cut.witness, cut.via, cut.deep


def test_a_window_that_is_not_handed_down_gives_no_reason():
    makes_up_a_window = {"(child, alpha, beta)": "(child, 4, beta)"}
    run = run_of("alphabeta", makes_up_a_window, Tree([[3, 5], [2, 9]]))
    assert [(cut.at, cut.alpha, cut.witness, cut.via) for cut in run.cuts] == [
        ("B", 4, None, None),
        ("C", 4, None, None),
    ]


@pytest.mark.parametrize("guess", [2, 3, 4])
def test_a_bound_of_the_last_search_of_the_root_is_no_line(guess):
    alphabeta = program("alphabeta", {})
    tree = Tree([[3, 5], [2, 9]])

    def ask(root):
        """Return a bound: the value is below the guess, or not."""
        return alphabeta(root, guess - 0.5, guess + 0.5)

    run = record(ask, tree)
    check_lines(run)
    assert run.value == alphabeta(tree.root, guess - 0.5, guess + 0.5)
    assert run.line == (("A", "B", "b1") if guess == 3 else ())


def largest_everywhere(node):
    if node.is_leaf:
        return node.value
    return max(largest_everywhere(child) for child in node.children)


def fails_late(node):
    if node.is_leaf:
        return 1 / node.value
    choose = max if node.is_max else min
    return choose(fails_late(child) for child in node.children)


def test_the_largest_at_a_min_node_is_no_best_move():
    run = record(largest_everywhere, Tree([-1, 0], to_move="min"))
    assert (run.value, run.best, run.line) == (0, None, ())
    assert run.to_dict()["best"] is None
    assert run.to_dict()["line"] == []
    assert not any(run.line_at(step) for step in range(len(run)))


def test_the_largest_at_a_max_node_is_its_best_move():
    run = record(largest_everywhere, Tree([-1, 0]))
    assert (run.value, run.best, run.line) == (0, "a2", ("A", "a2"))


def test_a_value_that_no_child_returned_ends_the_line():
    one_more = {"return bv": 'return bv + (node.name == "B")'}
    run = run_of("alphabeta", one_more, Tree([[3, 5], [2, 1]]))
    assert (run.value, run.line) == (4, ("A", "B"))


def test_a_run_that_an_error_ends_has_no_line_that_it_did_not_show():
    run = record(fails_late, Tree([[1, 2], [4, 0]]))
    assert run.problem
    assert run.line == ()
    assert not any(run.line_at(step) for step in range(len(run) + 1))


def test_a_run_that_an_error_ends_shows_its_line_so_far_and_has_no_best_move():
    fails_at_one = {"return node.value": "return 1 / (node.value - 1) and node.value"}
    run = run_of("minimax", fails_at_one, Tree([[4, 3], [9, 1]]))
    check_lines(run)
    assert (run.value, run.best, run.line) == (None, None, ())
    assert run.line_at(len(run)) == ("A", "B", "b2")


# B is searched once more, in a window of its own, and nothing of that is kept.
SEARCHED_AGAIN = {"own = bv": 'own = bv; child.name == "B" and search(child, 9, 10)'}


def test_a_line_goes_on_as_it_was_when_its_value_came_up():
    run = run_of("alphabeta", SEARCHED_AGAIN, Tree([[8, 5], [2, 9]]))
    check_lines(run)
    assert (run.value, run.line) == (5, ("A", "B", "b2"))

    again = [step for step in range(len(run)) if run.node_at(run.tree["B"], step).value == 8]
    assert again, "B returns 8 the second time"
    assert {run.line_at(step) for step in again} == {("A", "B", "b2")}

    (cut,) = (cut for cut in run.cuts if cut.at == "C")
    assert (cut.witness, cut.via, run.source_of_bound(cut)) == ("A", "B", ("B", "b2"))


def test_a_node_that_is_searched_again_begins_anew():
    run = run_of("alphabeta", SEARCHED_AGAIN, Tree([[8, 5], [2, 9]]))
    entered = [
        step
        for step in range(1, len(run) + 1)
        if run.events_at(step)[0].kind == "enter" and run.where(step).name == "B"
    ]
    assert len(entered) == 2
    assert [run.line_at(step, start="B") for step in entered] == [(), ()]


def forgets_the_minus(node):
    if node.is_leaf:
        return node.value if node.is_max else -node.value
    return max(forgets_the_minus(child) for child in node.children)


def keeps_the_minus(node):
    if node.is_leaf:
        return node.value if node.is_max else -node.value
    return max(-keeps_the_minus(child) for child in node.children)


@pytest.mark.parametrize("negamax", [None, True])
def test_a_negamax_that_may_have_no_minus_has_no_line(negamax):
    tree = Tree([-1, 1])
    run = record(forgets_the_minus, tree, negamax=negamax)
    assert (run.value, run.best, run.line) == (1, None, ())
    assert record(keeps_the_minus, tree, negamax=negamax).line == (), "nobody can tell"
    assert record(keeps_the_minus, Tree([[-1, 1], [3, 2]]), negamax=negamax).line == (
        "A",
        "C",
        "c2",
    )


def loops_without_minus(node):
    if node.is_leaf:
        return node.value if node.is_max else -node.value
    best = -inf
    for child in node.children:
        best = max(best, loops_without_minus(child))
    return best


def turns_no_leaf(node):
    if node.is_leaf:
        return node.value
    return max(-turns_no_leaf(child) for child in node.children)


def loops_and_turns_no_leaf(node):
    if node.is_leaf:
        return node.value
    best = -inf
    for child in node.children:
        best = max(best, -loops_and_turns_no_leaf(child))
    return best


@pytest.mark.parametrize("wrong", [loops_without_minus, turns_no_leaf, loops_and_turns_no_leaf])
def test_a_child_of_the_other_sign_is_not_best(wrong):
    run = record(wrong, Tree([-1, 1]))
    assert (run.value, run.best) == (1, None), "a1's is taken, which the picture shows as -1"


def test_a_leaf_that_a_negamax_does_not_turn_has_returned_the_opposite():
    run = record(turns_no_leaf, Tree([3, [[4, 2, -4]]]), negamax=True)
    returned = {event.node.name: event.value for event in run.events if event.kind == "leaf"}
    assert returned == {"a1": -3, "c1": -4, "c2": -2, "c3": 4}
    assert (run.value, run.line) == (4, ("A", "B", "C", "c3"))


def narrows_in_place(node, alpha, beta):
    """Principal variation search, which restores the window that it has narrowed."""
    if node.is_leaf:
        return node.value
    best, received = -inf if node.is_max else inf, beta
    for child in node.children:
        if node.is_max and best > -inf:
            beta = alpha + 1
        value = narrows_in_place(child, alpha, beta)
        if node.is_max:
            beta = received
            if alpha < value < beta and best > -inf:
                value = narrows_in_place(child, alpha, beta)
            best = max(best, value)
            alpha = max(alpha, best)
        else:
            best = min(best, value)
            beta = min(beta, best)
        if alpha >= beta:
            break
    return best


RESTORED = Tree([[5, 3], [2, 5, 9]], to_move="min")


def test_a_bound_that_is_restored_has_not_changed():
    run = record(narrows_in_place, RESTORED)
    check_lines(run)
    (cut,) = run.cuts
    assert (cut.at, cut.beta, cut.witness, cut.via, cut.deep) == ("C", 5, "A", "B", False)


MOVES_BOTH_BOUNDS = {
    "alpha = max(alpha, bv)": "alpha, beta = max(alpha, bv), min(beta, bv)",
    "beta = min(beta, bv)\n": "alpha, beta = max(alpha, bv), min(beta, bv)\n",
    "own >= beta if is_max else own <= alpha": "alpha >= beta",
}


def test_a_node_that_moves_its_own_bound_cuts_for_no_reason_from_above():
    run = run_of("alphabeta", MOVES_BOTH_BOUNDS, Tree([[8, 5], [2, 9]]))
    assert [(cut.at, cut.witness, cut.via, cut.deep) for cut in run.cuts] == [
        ("B", None, None, False),
        ("A", None, None, False),
    ]


# It looks at no bound, and leaves C after its first child.
LEAVES_C = {"own >= beta if is_max else own <= alpha": 'node.name == "C"'}


@pytest.mark.parametrize(("leaf", "witness"), [(8, None), (2, "A")])
def test_only_a_bound_that_was_hit_is_a_reason(leaf, witness):
    run = run_of("alphabeta", LEAVES_C, Tree([[3, 5], [leaf, 9]]))
    (cut,) = run.cuts
    assert (cut.at, cut.bv, cut.witness) == ("C", leaf, witness)


NEGAMAXES = (
    forgets_the_minus,
    keeps_the_minus,
    loops_without_minus,
    turns_no_leaf,
    loops_and_turns_no_leaf,
)
STRANGE = (
    narrows_in_place,
    *(program("alphabeta", edits) for edits in (SEARCHED_AGAIN, MOVES_BOTH_BOUNDS, LEAVES_C)),
)


@pytest.mark.quick
@pytest.mark.parametrize("strange", [*STRANGE, *NEGAMAXES])
def test_what_is_drawn_of_a_strange_program_is_what_it_did(strange):
    for seed in range(20):
        takes_turns = strange not in STRANGE
        check_lines(record(strange, some_tree(seed, takes_turns)))


def test_a_child_with_the_value_that_is_held_already_is_not_best():
    starts_at_zero = {"bv = -inf if is_max else inf": "bv = 0"}
    run = run_of("minimax", starts_at_zero, Tree([-1, 0]))
    assert [event.bv for event in run.events if event.kind == "bv"] == [0, 0]
    assert (run.value, run.best, run.line) == (0, None, ()), "it is the 0 of the start"
