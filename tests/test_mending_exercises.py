"""The exercises on mending: what students are shown has all the faults, each can be proved with a tree of its own, and
a program that is mended in part is told how many faults are left, and not which."""

from functools import cache
from itertools import chain, combinations
from math import inf

import pytest

from abviz import Tree, trace
from abviz.exercises import faulty, mending
from abviz.exercises.behaviour import observe
from abviz.exercises.checking import EXERCISES, check
from abviz.exercises.counterexamples import random_trees, small_trees
from abviz.exercises.dressing import with_wins
from abviz.exercises.evidence import ANOTHER, HIDDEN, MENDED, NO_FAULT, NOT_ALONE, Evidence, Mending, goes_wrong
from abviz.exercises.faulty import ALPHABETA, MINIMAX, SEARCH
from abviz.exercises.mistakes import searching, without_bounds
from abviz.exercises.recognising import sample
from tests.oracle import minimax_value
from tests.solutions import mending as solutions

FULL = (-inf, inf)
PROGRAMS = {
    "mend-search": (faulty.faulty_search, SEARCH, ()),
    "mend-minimax": (faulty.listed_minimax, MINIMAX, ()),
    "mend-alphabeta": (faulty.listed_alphabeta, ALPHABETA, FULL),
}
EVIDENCE = [each for each in EXERCISES.values() if isinstance(each, Evidence)]
MENDS = [each for each in EXERCISES.values() if isinstance(each, Mending)]


def subsets(several):
    several = sorted(several)
    return chain.from_iterable(combinations(several, size) for size in range(len(several) + 1))


def places(program, faults):
    return frozenset().union(*(program.faults[fault].places for fault in faults))


def solution(exercise):
    return getattr(solutions, exercise.name.replace("-", "_"))


# the programs


@pytest.mark.parametrize("name", PROGRAMS)
def test_what_is_shown_has_all_the_faults_and_nothing_else(name):
    shown, program, arguments = PROGRAMS[name]
    built = program.built(program.places)
    trees = (*small_trees()[::7], *random_trees(300), *map(with_wins, random_trees(300)), *program.probes.values())
    for tree in trees:
        assert observe(shown, tree, *arguments) == observe(built, tree, *arguments), tree


@pytest.mark.parametrize("name", ["mend-search", "mend-alphabeta"])
def test_without_its_faults_it_is_the_course_s_alphabeta(name):
    _, program, arguments = PROGRAMS[name]
    for tree in (*small_trees()[::20], *random_trees(200), *map(with_wins, random_trees(200)), Tree([inf, 3])):
        found = trace(tree)
        run = observe(program.built(MENDED), tree, *arguments)
        assert (run.value, run.leaves, run.problem) == (found.value, found.leaves, "")


def test_without_its_fault_the_listed_minimax_is_minimax():
    for tree in random_trees(200):
        run = observe(MINIMAX.built(MENDED), tree)
        assert run.value == minimax_value(tree.root) and len(run.leaves) == sum(1 for _ in tree.leaves())


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_fault_shows_on_its_own_tree_whatever_else_is_wrong(name):
    _, program, arguments = PROGRAMS[name]
    right = {place: observe(program.built(MENDED), tree, *arguments) for place, tree in program.probes.items()}
    for left in map(frozenset, subsets(program.places)):
        function = program.built(left)
        found = {place for place, tree in program.probes.items() if observe(function, tree, *arguments) != right[place]}
        assert found == left


@pytest.mark.parametrize("name", PROGRAMS)
def test_what_is_shown_is_short_and_runs_where_it_is_copied_to(name):
    shown, _, arguments = PROGRAMS[name]
    source = faulty.source(shown)
    assert source.startswith(f"def {shown.__name__}(") and len(source.splitlines()) <= 36 and "Any" not in source
    names = {"inf": inf, "minimax": without_bounds(searching())}
    exec(source, names)
    for tree in random_trees(60):
        assert observe(names[shown.__name__], tree, *arguments).value == observe(shown, tree, *arguments).value


# evidence


def test_there_is_an_exercise_for_each_fault_and_for_each_program():
    asked = {(each.mending.name, each.fault) for each in EVIDENCE}
    assert asked == {(each.name, fault) for each in MENDS for fault in each.program.faults}
    assert {each.name for each in MENDS} == set(PROGRAMS) and len(EVIDENCE) == len(asked) == 7


@pytest.mark.parametrize("exercise", EVIDENCE, ids=lambda each: each.name)
def test_evidence_fails_on_the_program_and_passes_once_this_fault_is_mended(exercise):
    shown, program, arguments = PROGRAMS[exercise.mending.name]
    answer = solution(exercise)
    tree = answer if isinstance(answer, Tree) else Tree(answer)
    right = trace(tree)
    assert goes_wrong(observe(shown, tree, *arguments), observe(program.built(MENDED), tree, *arguments))
    mended = observe(program.built(program.places - program.faults[exercise.fault].places), tree, *arguments)
    assert mended.value == right.value
    assert exercise.mending.program is MINIMAX or mended.leaves == right.leaves
    verdict = check(exercise.name, answer)
    assert verdict and verdict.mistake is None and verdict.tree is None, verdict


@pytest.mark.parametrize("exercise", EVIDENCE, ids=lambda each: each.name)
def test_a_tree_for_each_place_of_the_fault_proves_it_and_no_other(exercise):
    for fault, each in exercise.mending.program.faults.items():
        for tree in each.probes.values():
            verdict = check(exercise.name, tree)
            assert (verdict.status, verdict.mistake) == (
                ("right", None) if fault == exercise.fault else ("wrong", ANOTHER)
            )
            assert verdict or verdict.tree == tree


NOTHING = [[1, 2], 3]


@pytest.mark.parametrize(
    ("name", "tree", "mistake"),
    [
        ("prove-window", NOTHING, NO_FAULT),
        ("prove-no-value", NOTHING, NO_FAULT),
        ("prove-no-value", [-1, 5], NO_FAULT),
        ("prove-strict", [[3, 5], [3, 9]], HIDDEN),
        ("prove-root", [[3, 5], [3, 9]], HIDDEN),
        ("prove-no-value", [[3, [5, 9]]], ANOTHER),
        ("prove-window", [[3, [5, 9]], [2, 9]], NOT_ALONE),
        ("prove-depth", [[[[7, 8]]], [-1, 8]], NOT_ALONE),
        ("prove-break", [[3, 5], [2, 9]], NO_FAULT),
        ("prove-call", [[1, 2], 3], NO_FAULT),
    ],
)
def test_evidence_that_proves_something_else_is_told_what(name, tree, mistake):
    verdict = check(name, tree)
    assert (verdict.status, verdict.mistake) == ("wrong", mistake), verdict
    assert verdict.tree == Tree(tree) and verdict.hints == EXERCISES[name].hints and "\n" not in str(verdict)


def test_what_the_program_does_is_told():
    told = str(check("prove-strict", [[3, 5], [3, 9]]))
    assert "On [[3, 5], [3, 9]] the program reads 3, 5, 3, 9; expected 3, 5, 3." in told
    told = str(check("prove-window", Tree([-1, 5], to_move="min")))
    assert "On [−1, 5] (MIN to move) the program returns 5; expected −1." in told
    assert "returns 3, as it should, and reads no leaf that it need not." in str(check("prove-window", NOTHING))


@pytest.mark.parametrize("exercise", EVIDENCE, ids=lambda each: each.name)
def test_an_example_of_a_tree_in_a_message_is_no_answer(exercise):
    told = str(check(exercise.name, None))
    assert '[[3, 4], 1] or Tree([[4, 3], 6], to_move="min")' in told
    for tree in (Tree([[3, 4], 1]), Tree([[4, 3], 6], to_move="min")):
        assert check(exercise.name, tree).mistake == NO_FAULT


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (7, "The answer is 7; expected a tree"),
        ("later", "The answer is 'later'; expected a tree"),
        (Tree(5), "The tree is a single leaf; expected a tree"),
        ([[3, None], 2], "The tree has a leaf without a value; expected a number at each."),
        ([[3, "x"], 2], "expected"),
        ([], "expected"),
        ([[1] * 301], "The tree has 303 nodes; expected at most 300."),
    ],
)
def test_what_is_no_such_tree_is_told(answer, says):
    verdict = check("prove-window", answer)
    assert verdict.status == "wrong" and verdict.mistake is None and says in verdict.message, verdict
    assert "\n" not in verdict.message and verdict.message.endswith(".")


# mends


@pytest.mark.parametrize("exercise", EVIDENCE + MENDS, ids=lambda each: each.name)
def test_a_stub_is_not_written_yet_and_a_solution_is_right(exercise):
    name = exercise.name.replace("-", "_")
    given: dict[str, object] = {}
    exec(exercise.stub, given)
    for stub in (given[name], None, ...):
        verdict = check(exercise.name, stub)
        assert verdict.status == "not written yet" and verdict.hints == exercise.hints
    assert max(map(len, exercise.stub.splitlines())) <= 120
    assert check(exercise.name, solution(exercise)).status == "right"


@pytest.mark.parametrize("exercise", MENDS, ids=lambda each: each.name)
def test_any_right_search_is_a_right_mend(exercise):
    if exercise.program is not MINIMAX:
        right = searching() if exercise.program is ALPHABETA else without_bounds(searching())
        assert check(exercise.name, right)
    assert check(exercise.name, exercise.program.built(MENDED))


@cache
def verdict_with(faults):
    return check("mend-search", SEARCH.built(places(SEARCH, faults)))


EVERY_SUBSET = [faults for faults in subsets(SEARCH.faults) if faults]


@pytest.mark.parametrize("faults", EVERY_SUBSET, ids=" + ".join)
def test_of_every_set_of_faults_that_is_left_the_number_is_told(faults):
    verdict = verdict_with(faults)
    number = f"{len(faults)} fault{'s' * (len(faults) > 1)} left"
    assert (verdict.status, verdict.mistake) == ("wrong", number)
    told = "All 5 faults of the program are" if len(faults) == 5 else f"Of the program's 5 faults {len(faults)} "
    assert told in verdict.message and "in part" not in verdict.message and "\n" not in verdict.message
    assert verdict.tree is not None


def test_of_two_programs_with_as_many_faults_the_same_is_said_but_for_the_tree():
    for size in range(1, 6):
        verdicts = [verdict_with(faults) for faults in EVERY_SUBSET if len(faults) == size]
        assert len({verdict.message.partition(". Of")[2] for verdict in verdicts}) == 1
        assert len({(verdict.mistake, verdict.hints) for verdict in verdicts}) == 1


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_program_as_it_is_has_all_its_faults(name):
    shown, program, _ = PROGRAMS[name]
    verdict = check(name, shown)
    faults = len(program.faults)
    assert (verdict.status, verdict.mistake) == ("wrong", f"{faults} fault{'s' * (faults > 1)} left")
    assert verdict.message.endswith("All 5 faults of the program are left." if faults > 1 else "program is left.")


@pytest.mark.parametrize(
    ("name", "left", "number", "says"),
    [
        ("mend-search", {("window", True)}, "1 fault left", "Of the program's 5 faults 1 is left, mended in part."),
        (
            "mend-search",
            {("strict", False), ("no value", True), ("no value", False), ("depth", True), ("depth", False)},
            "3 faults left",
            "Of the program's 5 faults 3 are left, 2 of them mended in part.",
        ),
        ("mend-minimax", {("break", False)}, "1 fault left", "The fault of the program is left, mended in part."),
        ("mend-alphabeta", {("call", True)}, "1 fault left", "The fault of the program is left, mended in part."),
    ],
)
def test_what_is_mended_for_one_player_only_is_told(name, left, number, says):
    verdict = check(name, PROGRAMS[name][1].built(frozenset(left)))
    assert verdict.mistake == number and verdict.message.endswith(says), verdict


def faulty_in_a_new_way(root):
    return faulty.faulty_search(root) + 1


def test_of_a_program_that_does_something_new_no_number_is_told():
    verdict = check("mend-search", faulty_in_a_new_way)
    assert verdict.status == "wrong" and verdict.mistake is None and "left" not in verdict.message


@pytest.mark.parametrize("exercise", MENDS, ids=lambda each: each.name)
def test_each_known_mistake_has_its_name_and_is_no_program_with_faults_left(exercise):
    for mistake in exercise.mistakes:
        verdict = check(exercise.name, mistake.function)
        assert (verdict.status, verdict.mistake) == ("wrong", mistake.name)
        assert exercise.left(mistake.function) == MENDED


def mended_like_alphabeta_with_a_cut_at_the_root(root):
    return searching()(root, -inf, inf)


def test_a_mend_may_cut_at_the_root_or_not():
    won = Tree([inf, 3])
    assert observe(solutions.mend_search, won) != observe(mended_like_alphabeta_with_a_cut_at_the_root, won)
    assert check("mend-search", mended_like_alphabeta_with_a_cut_at_the_root)
    assert check("mend-search", solutions.mend_search)


def test_a_game_after_a_loss_is_decided_by_the_game():
    for tree in random_trees(50):
        dressed = mending.after_a_loss(tree)
        assert minimax_value(dressed.root) == minimax_value(with_wins(tree).root)
        assert dressed.root.is_max != tree.root.is_max and len(dressed) == len(tree) + 2


def test_trees_that_a_mend_is_compared_on_hold_what_the_faults_need():
    trees = sample(mending.MEND_SEARCH)
    for fault in SEARCH.faults:
        left = SEARCH.built(places(SEARCH, [fault]))
        assert any(
            mending.MEND_SEARCH.runs(left, tree) != mending.MEND_SEARCH.runs(searching_root, tree) for tree in trees
        )


def searching_root(root):
    return searching()(root, -inf, inf)


def raising_later(root):
    if len(root.children) > 3:
        raise NotImplementedError
    return faulty.faulty_search(root)


def stuck_later(root):
    while len(root.children) > 3 or root.is_max is False:
        pass
    return faulty.faulty_search(root)


def test_what_goes_wrong_and_does_not_end_elsewhere_is_wrong_still():
    for function in (raising_later, stuck_later):
        verdict = EXERCISES["mend-search"].check(function, 1.0)
        assert verdict.status == "wrong" and "[−1, −2] it returns −2; expected −1." in verdict.message
        assert verdict.mistake is None
