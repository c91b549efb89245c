"""Programs in many styles, right and with mistakes: a picture shows what the program did, or
dashes.

What is true comes from elsewhere: the leaves from nodes that note who reads them, the numbers from
the program itself.
"""

from functools import lru_cache
from itertools import groupby
from math import inf
from random import Random
from typing import Any

import pytest

from abviz import Tree, minimax, record, trace
from abviz.exercises.observation import Node as NotingNode
from abviz.recording import differences, recorder
from abviz.recording.differences import compare_with_reference
from tests.recorded_lines import check_lines
from tests.recorded_styles import STYLES, Style

# For each style, and for each mistake in it: in a quick run, and in a slow one
TREES, MORE_TREES = 8, 150
TREES_WRONG, MORE_TREES_WRONG = 4, 37
RIGHT = [(style, "") for style in STYLES.values()]
WRONG = [(style, mistake) for style in STYLES.values() for mistake in style.mistakes()]


@pytest.fixture(autouse=True)
def references_of_a_tree_are_searched_once(monkeypatch):
    """And not again for each style."""
    known: dict[Any, Any] = {}

    def search_once(tree: Tree, **options: Any) -> Any:
        key = id(tree), *sorted(options.items(), key=lambda option: option[0])
        if key not in known:
            known[key] = tree, trace(tree, **options)  # the tree too, so that its id stays its own
        return known[key][1]

    monkeypatch.setattr(differences, "trace", search_once)


@pytest.fixture(autouse=True)
def programs_run_in_this_thread(monkeypatch):
    """Without a time limit, whose thread costs as much as the program: each of them ends."""
    monkeypatch.setattr(recorder, "run_with_timeout", lambda work, seconds: work())


def some_tree(seed: int, takes_turns: bool) -> Tree:
    """Return a tree with few different leaves, so that ties are common; also with two moves in a
    row.
    """
    chance = Random(seed)
    largest = chance.choice([1, 4, 9])
    least = chance.choice([-largest, 0, 1])
    again = 0 if takes_turns else chance.choice([0, 0, 0.2])

    def grow(depth: int, is_max: bool) -> Any:
        if depth == 0 or chance.random() < 0.2:
            return chance.randint(least, largest)
        children = [
            grow(depth - 1, is_max == (chance.random() < again))
            for _ in range(chance.choice([1, 2, 2, 3]))
        ]
        return {"children": children, "to_move": "max" if is_max else "min"}

    form: Any = 0
    while not isinstance(form, dict):
        form = grow(chance.choice([1, 2, 3, 4]), chance.choice([True, True, False]))
    return Tree(form)


def arguments(style: Style) -> tuple[float, ...]:
    return (-inf, inf) if style.window else ()


def leaves_read(style: Style, mistake: str, tree: Tree) -> list[str]:
    """Return the leaves that the program reads, where it is not recorded."""
    log: list[str] = []
    style.program([], mistake)(NotingNode(tree.root, log), *arguments(style))
    return [name for name, _ in groupby(name for name in log if tree[name].is_leaf)]


def is_part(shown: list[Any], held: list[Any]) -> bool:
    """Return whether these values stand in the other list, in this order."""
    rest = iter(held)
    return all(value in rest for value in shown)


def check_truth(style: Style, mistake: str, tree: Tree) -> tuple[Any, list[str]]:
    """Return the run, and the leaves that it reads, each once."""
    notes: list[Any] = []
    run = record(style.program(notes, mistake), tree)
    assert run.problem == ""
    check_lines(run)

    read = leaves_read(style, mistake, tree)
    assert [name for name, _ in groupby(run.leaves)] == read

    skipped = [name for cut in run.cuts for child in cut.skipped for name in below(tree, child)]
    assert not set(skipped) & set(read), "a leaf that was read is drawn as left out"
    assert len(skipped) == len(set(skipped)), "a leaf is left out twice"
    if "skips_nodes" not in run.options:
        assert len(set(read)) + len(skipped) == len(list(tree.leaves()))

    for node in tree.nodes:
        events = [
            event
            for event in run.events
            if event.node is node and event.kind not in ("leaf", "cut")
        ]
        for place, field in ((1, "alpha"), (2, "beta"), (3, "bv")):
            shown = [getattr(event, field) for event in events]
            shown = [value for value, _ in groupby(value for value in shown if value is not None)]
            if field in style.hides:
                assert not shown or (field == "bv" and is_returned(run, node, shown)), (
                    f"{field} is something else"
                )
                continue
            held = [note[place] for note in notes if note[0] == node.name]
            assert is_part(shown, [value for value, _ in groupby(held)]), (
                field,
                node.name,
                shown,
                held,
            )
    return run, list(dict.fromkeys(read))


def is_returned(run: Any, node: Any, shown: list[Any]) -> bool:
    """Return whether these numbers, after the first, are those that the node's children returned."""
    return {event.value for event in run.events if event.node in node.children} >= set(shown[1:])


def below(tree: Tree, name: str) -> list[str]:
    return [node.name for node in tree.below(tree[name]) if node.is_leaf]


@lru_cache(maxsize=2)
def right_runs(tree: Tree) -> list[tuple[Any, list[str]]]:
    """Return the value and the leaves of minimax and of alpha-beta."""
    references = trace(tree, search=minimax), trace(tree)
    return [(each.value, list(each.leaves)) for each in references]


@pytest.mark.quick
@pytest.mark.parametrize("style", STYLES.values(), ids=STYLES)
def test_a_right_program_is_shown_as_it_is_and_differs_nowhere(style):
    for seed in range(TREES):
        check_right(style, some_tree(seed, style.negamax))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(MORE_TREES))
def test_right_programs_are_shown_as_they_are_on_many_trees(seed):
    trees = [some_tree(seed, takes_turns) for takes_turns in (False, True)]
    for style in STYLES.values():
        check_right(style, trees[style.negamax])


def check_right(style: Style, tree: Tree) -> None:
    run, leaves = check_truth(style, "", tree)
    value, _ = right_runs(tree)[0]
    assert run.value == value
    assert (value, leaves) in right_runs(tree), "the style is right"
    remark = compare_with_reference(run).options["remark"][1]
    assert remark.startswith("Your run matches our "), (tree, remark)


@pytest.mark.quick
@pytest.mark.parametrize(("style", "mistake"), WRONG, ids=lambda each: getattr(each, "name", each))
def test_a_wrong_program_is_shown_as_it_is(style, mistake):
    for seed in range(TREES_WRONG):
        check_wrong(style, mistake, some_tree(seed, style.negamax))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(MORE_TREES_WRONG))
def test_wrong_programs_are_shown_as_they_are_on_many_trees(seed):
    trees = [some_tree(seed, takes_turns) for takes_turns in (False, True)]
    for style, mistake in WRONG:
        check_wrong(style, mistake, trees[style.negamax])


def check_wrong(style: Style, mistake: str, tree: Tree) -> None:
    run, leaves = check_truth(style, mistake, tree)
    if (run.value, leaves) not in right_runs(tree):
        remark = compare_with_reference(run).options["remark"][1]
        assert remark.startswith("The first difference"), (tree, remark)


TREE = Tree([[3, 5], [2, 9]])


@pytest.mark.parametrize(
    "name",
    [
        "score(node, child, alpha, beta)",
        "step returns a tuple",
        "look with a state",
        "look with an exception",
        "the parent first",
        "plain",
    ],
)
def test_a_helper_with_the_parent_first_is_no_search(name):
    run = compare_with_reference(record(STYLES[name].program([]), TREE))
    assert run.options["remark"][1].startswith("Your run matches our ")
    assert run.leaves == ("b1", "b2", "c1")
    assert [(cut.at, cut.skipped) for cut in run.cuts] == [("C", ("c2",))]
    assert "3 leaves read, 1 left out" in str(run)


@pytest.mark.parametrize(
    "style", [each for each in STYLES.values() if "bv" in each.hides], ids=lambda each: each.name
)
def test_a_variable_that_is_no_best_value_is_a_dash(style):
    run = record(
        style.program([]), Tree([[[7, 8], [15, 3]], [[12, 6], [-4, 9]], [[1, 5], [14, 2]]])
    )
    assert {event.bv for event in run.events} == {None}


@pytest.mark.parametrize(
    ("mistake", "at_root"),
    [
        ("starts at 0", [0, 0, 0]),
        ("keeps the last", [-inf, 5, 2]),
        ("the largest everywhere", [-inf, inf]),
    ],
)
def test_a_wrong_best_value_stays_visible(mistake, at_root):
    run = record(STYLES["plain"].program([], mistake), Tree([[3, 5], [9, 2]]))
    events = [
        event
        for event in run.events
        if event.node is run.tree.root and event.kind in ("enter", "bv")
    ]
    assert [event.bv for event in events] == at_root


def test_a_search_that_runs_twice_shows_its_best_values_to_its_end():
    run = record(STYLES["a search that runs twice"].program([]), TREE)
    ends = [event for event in run.events if event.node is run.tree.root and event.kind == "exit"]
    assert [event.bv for event in ends] == [3, 3]


def test_where_the_sign_is_uncertain_there_are_dashes():
    def forgets_the_sign(node, alpha, beta):
        if node.is_leaf:
            return node.value  # of MAX, also where MIN moves
        best = -inf
        for child in node.children:
            best = max(best, -forgets_the_sign(child, -beta, -alpha))
            alpha = max(alpha, best)
            held[node.name].append(best)
            if alpha >= beta:
                break
        return best

    dashes = 0
    for seed in range(60):
        tree = some_tree(seed, takes_turns=True)
        held: dict[str, list[Any]] = {node.name: [-inf] for node in tree.nodes}
        run = record(forgets_the_sign, tree)
        sign = -1 if run.options.get("negamax") else 1
        for event in run.events:
            if event.kind == "bv":
                name, is_max = event.node.name, event.node.is_max
                assert event.bv is None or event.bv * (1 if is_max else sign) in held[name]
                dashes += event.bv is None and not is_max
    assert dashes, "of some trees nobody can tell"
