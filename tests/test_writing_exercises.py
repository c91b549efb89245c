"""The exercises on writing: a stub is not written yet, the reference and the solution are right, each known mistake has
its own name and a small tree that shows it."""

from itertools import permutations, product
from math import inf

import pytest

from abviz import Tree, trace
from abviz.exercises.behaviour import observe
from abviz.exercises.checking import EXERCISES, check
from abviz.exercises.counterexamples import random_trees, small_trees
from abviz.exercises.dressing import with_static_values, with_wins
from abviz.exercises.ordering import fewest_leaves, leaves_read, ordered
from abviz.exercises.recognising import sample
from abviz.tracing.algorithms import Rules
from tests.oracle import minimax_value
from tests.solutions import writing as solutions

NAMES = [
    *("minimax", "alphabeta", "two-functions", "negamax", "fail-hard", "best-move", "best-line", "best-order"),
    *("deepening", "aspiration"),
]
WRITING = [EXERCISES[name] for name in NAMES]
MISTAKES = [(exercise, mistake) for exercise in WRITING for mistake in exercise.mistakes]


def solution(name):
    return getattr(solutions, name.replace("-", "_"))


# answers


@pytest.mark.parametrize("exercise", WRITING, ids=lambda each: each.name)
def test_a_stub_is_not_written_yet(exercise):
    there = {}
    exec(exercise.stub, there)
    verdict = check(exercise.name, there[exercise.name.replace("-", "_")])
    assert verdict.status == "not written yet" and verdict.hints == exercise.hints and len(verdict.hints) >= 3


@pytest.mark.parametrize("exercise", WRITING, ids=lambda each: each.name)
@pytest.mark.parametrize("answer", [None, ..., lambda *_: None, lambda *_: ...])
def test_what_is_no_answer_is_not_written_yet(exercise, answer):
    assert check(exercise.name, answer).status == "not written yet"


@pytest.mark.parametrize("exercise", WRITING, ids=lambda each: each.name)
def test_the_solution_is_right_and_so_is_the_reference(exercise):
    for answer in (exercise.reference, solution(exercise.name)):
        verdict = check(exercise.name, answer)  # benchmarks/checking.py measures it
        assert verdict and verdict.tree is None and "trees" in verdict.message, verdict
    assert len(sample(exercise)) >= 300


@pytest.mark.parametrize(("exercise", "mistake"), MISTAKES, ids=lambda each: each.name)
def test_each_mistake_has_its_own_name(exercise, mistake):
    verdict = check(exercise.name, mistake.function)
    assert (verdict.status, verdict.mistake) == ("wrong", mistake.name), verdict
    assert mistake.hint in verdict.message and "\n" not in verdict.message
    assert verdict.hints == (mistake.hint, *exercise.hints)
    assert len(verdict.tree.nodes) <= 9


@pytest.mark.parametrize("exercise", WRITING, ids=lambda each: each.name)
def test_names_and_hints_are_told_apart(exercise):
    assert len({each.name for each in exercise.mistakes}) == len(exercise.mistakes)
    said = [text for each in exercise.mistakes for text in (each.says, each.hint)]
    assert all(0 < len(text) <= 150 for text in (*said, *exercise.hints))
    assert all(hint[-1] in ".?" for hint in exercise.hints)


@pytest.mark.parametrize("exercise", WRITING, ids=lambda each: each.name)
def test_only_half_an_answer_is_not_written_yet(exercise):
    """One that begins as it should, and says on larger trees that it is not written yet."""

    def half(root, *arguments):
        if any(not child.is_leaf for child in root.children):
            raise NotImplementedError
        return exercise.reference(root, *arguments)

    assert check(exercise.name, half).status == "not written yet"


# what is returned, beside the value


@pytest.mark.parametrize("exercise", WRITING, ids=lambda each: each.name)
def test_who_returns_nothing_for_some_trees_is_told_so(exercise):
    def seldom(root, *arguments):
        return exercise.reference(root, *arguments) if len(root.children) == 2 else None

    verdict = check(exercise.name, seldom)
    assert verdict.status == "wrong" and len(verdict.tree.root.children) == 3, verdict
    assert "it returns None" in verdict.message and "; expected " in verdict.message


def takes_the_last(root, narrows=True):
    best, name, alpha, beta = None, None, -inf, inf
    for child in root.children:
        value = asking_bounds(child, alpha, beta)
        if best is None or (value >= best if root.is_max else value <= best):
            best, name = value, child.name
        if narrows:
            alpha, beta = (max(alpha, best), beta) if root.is_max else (alpha, min(beta, best))
    return best, name


def takes_the_last_for_max(root):
    best, name = None, None
    for child in root.children:
        value = asking_bounds(child, -inf if best is None else best, inf)
        if best is None or value >= best:
            best, name = value, child.name
    return best, name


def asking_bounds(node, alpha, beta):
    if node.is_leaf:
        return node.value
    bv = -inf if node.is_max else inf
    for child in node.children:
        value = asking_bounds(child, alpha, beta)
        bv = max(bv, value) if node.is_max else min(bv, value)
        alpha, beta = (max(alpha, bv), beta) if node.is_max else (alpha, min(beta, bv))
        if alpha >= beta:
            break
    return bv


@pytest.mark.parametrize(
    "answer",
    [takes_the_last, lambda root: takes_the_last(root, narrows=False), takes_the_last_for_max],
    ids=["", "full window", "for MAX"],
)
def test_who_takes_the_last_of_equals_is_told_so_however_it_is_written(answer):
    assert check("best-move", answer).mistake == "the last of equals"


def next_to(move, root):
    names = [child.name for child in root.children]
    return names[(names.index(move) + 1) % len(names)]


def last_of_ties(node):
    """It searches with open windows, so that equal values are equal indeed, and takes the last of these."""
    values = {child.name: solutions.minimax(child) for child in node.children}
    best = solutions.best_move(node)[0]
    return best, [name for name, value in values.items() if value == best][-1]


def test_a_right_value_with_a_wrong_move_is_wrong():
    for wrong in (
        lambda node: (solutions.best_move(node)[0], next_to(solutions.best_move(node)[1], node)),
        lambda node: (solutions.best_move(node)[0], solutions.best_move(node)[1] + "!"),
    ):
        verdict = check("best-move", wrong)
        assert (verdict.status, len(verdict.tree)) == ("wrong", 3) and "; expected (0, '1')." in verdict.message
    verdict = check("best-move", last_of_ties)
    assert (verdict.status, len(verdict.tree)) == ("wrong", 3) and "expected (−1, '0')" in verdict.message, verdict


def test_a_line_found_without_bounds_is_wrong():
    def plain_line(node, alpha=-inf, beta=inf):
        if node.is_leaf:
            return node.value, []
        choose = max if node.is_max else min
        found = [(plain_line(child, alpha, beta), child) for child in node.children]
        (value, line), child = choose(found, key=lambda each: each[0][0])
        return value, [child.name, *line]

    verdict = check("best-line", plain_line)
    assert (verdict.status, verdict.mistake, len(verdict.tree)) == ("wrong", "minimax", 5)
    assert "it reads 0, −1, 1; expected 0, −1." in verdict.message


# two functions, and negamax


def outer(node, alpha, beta):
    return (solutions.max_value if node.is_max else solutions.min_value)(node, alpha, beta)


@pytest.mark.parametrize("answer", [outer, [solutions.max_value, solutions.min_value]], ids=["outer", "list"])
def test_two_functions_may_be_a_pair_or_the_outer_one(answer):
    assert check("two-functions", answer)


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        ((solutions.max_value,), "not written yet"),
        ((solutions.max_value, None), "not written yet"),
        ([], "not written yet"),
        ((1, 2), "wrong"),
    ],
)
def test_half_a_pair_is_not_written_yet_and_numbers_are_wrong(answer, status):
    verdict = check("two-functions", answer)
    assert verdict.status == status and "expected a pair of functions" in verdict.message


def test_a_pair_in_the_wrong_order_is_wrong():
    assert check("two-functions", (solutions.min_value, solutions.max_value)).status == "wrong"


def asking_who_moves(node, alpha, beta):
    """A negamax that is right, too, where a player moves twice in a row."""
    if node.is_leaf:
        return node.value if node.is_max else -node.value
    best = -inf
    for child in node.children:
        same = child.is_max == node.is_max
        window = (alpha, beta) if same else (-beta, -alpha)
        value = asking_who_moves(child, *window)
        best = max(best, value if same else -value)
        alpha = max(alpha, best)
        if alpha >= beta:
            break
    return best


def test_in_two_functions_and_in_negamax_the_players_take_turns():
    assert check("negamax", asking_who_moves)
    twice = Tree({"children": [{"children": [1, 2], "to_move": "max"}, 0], "to_move": "max"})
    for name in ("two-functions", "negamax"):
        assert not EXERCISES[name].fits(twice) and any(not tree.root.is_max for tree in sample(EXERCISES[name]))
    assert EXERCISES["alphabeta"].fits(twice)


def test_negamax_is_the_movers_value():
    (exercise,) = (each for each in WRITING if each.name == "negamax")
    for tree in filter(exercise.fits, random_trees(300)):
        value = minimax_value(tree.root)
        assert exercise.reference(tree.root, -inf, inf) == (value if tree.root.is_max else -value)


# references against the course's own search


def test_fail_hard_is_that_of_the_course():
    hard = next(each for each in WRITING if each.name == "fail-hard")
    for tree in random_trees(100):
        assert hard.reference(tree.root, -inf, inf) == trace(tree, rules=Rules(fail_hard=True)).value
        for alpha, beta in ((0, 1), (-2, 3)):
            assert hard.reference(tree.root, alpha, beta) == min(max(minimax_value(tree.root), alpha), beta)


def test_move_and_line_are_those_of_the_course():
    for tree in (*random_trees(100), *map(with_wins, random_trees(100)), with_wins(Tree([[-1, -1], -1]))):
        found = trace(tree)
        line = tuple(name for name in found.line if name != tree.root.name)
        assert EXERCISES["best-line"].reference(tree.root) == (found.value, line)
        assert EXERCISES["best-move"].reference(tree.root) == (found.value, line[0])


def test_each_pass_has_the_value_of_a_search_to_its_depth():
    for tree in map(with_static_values, random_trees(60)):
        passes = EXERCISES["deepening"].reference(tree.root, 4)
        assert [value for value, _ in passes] == [trace(tree, depth=limit).value for limit in (1, 2, 3, 4)]


@pytest.mark.parametrize("depth", [1, 2, 3, 4])
def test_every_depth_is_tried(depth):
    def at_others_only(root, limit):
        return solutions.deepening(root, limit) if limit != depth else [(0, [])] * limit

    verdict = check("deepening", at_others_only)
    assert verdict.status == "wrong" and f" with depth = {depth} " in f"{verdict.message} ", verdict


@pytest.mark.parametrize("passes", [(2, 4), (3,), (4,)])
def test_every_pass_has_the_line_of_the_one_before_first(passes):
    """Passes that go from left to right as if there had been none before."""

    def deepening(root, depth):
        found, line = [], []
        for limit in range(1, depth + 1):
            value, line = solutions.one_pass(root, -inf, inf, limit, [] if limit in passes else line)
            found.append((value, line))
        return found

    verdict = check("deepening", deepening)
    assert verdict.status == "wrong", verdict
    assert f"depth = {passes[0]} it reads the values of the nodes " in verdict.message, verdict


# the order of the children


def fewest_of_all_orders(tree):
    inner = [node for node in tree.nodes if node.children]
    orders = product(*(permutations(node.children) for node in inner))
    arranged = (dict(zip((node.name for node in inner), order, strict=True)) for order in orders)
    return min(leaves_read(tree.reordered(lambda node, order=order: order[node.name])) for order in arranged)


def test_the_fewest_leaves_are_those_of_the_best_of_all_orders():
    few = [tree for tree in random_trees(300) if sum(not node.is_leaf for node in tree.nodes) <= 5]
    for tree in (*small_trees()[::90], *few[:20]):
        assert fewest_leaves(tree) == fewest_of_all_orders(tree) == ordered(solutions.best_order, tree).value


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (lambda root: [1, 2], "it returns [1, 2]; expected a dictionary"),
        (lambda root: {root.name: [root.children[0].name]}, "expected each of ['0', '1'] once"),
        (lambda root: {"nobody": []}, "the children of 'nobody'; expected the name of an inner node"),
        (lambda root: {root.name: root.children}, "expected each of ['0', '1'] once"),
    ],
)
def test_an_order_that_is_none_is_told(answer, says):
    verdict = check("best-order", answer)
    assert verdict.status == "wrong" and says in verdict.message, verdict


# aspiration


def full_window_again(root, search, guess, delta):
    value = search(root, guess - delta, guess + delta)
    return value if abs(value - guess) < delta else search(root, -inf, inf)


def bit_by_bit(root, search, guess, delta):
    alpha, beta = guess - delta, guess + delta
    while True:
        value = search(root, alpha, beta)
        if value <= alpha != -inf:
            alpha = alpha - delta if alpha > -20 else -inf
        elif value >= beta != inf:
            beta = beta + delta if beta < 20 else inf
        else:
            return value


def from_what_came_back(root, search, guess, delta):
    """The next window ends at the value that the search has returned: a fail-soft value is a bound, too."""
    value = search(root, guess - delta, guess + delta)
    if value in (-inf, inf):
        return value
    if value <= guess - delta:
        return search(root, -inf, value + 1)
    return search(root, value - 1, inf) if value >= guess + delta else value


@pytest.mark.parametrize("answer", [full_window_again, bit_by_bit, from_what_came_back])
def test_other_ways_to_search_again_are_right(answer):
    assert check("aspiration", answer), check("aspiration", answer)


def without_the_search(root, search, guess, delta):
    return solutions.minimax(root)


def closed(root, search, guess, delta):
    return search(root, guess, guess)


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (without_the_search, "it searches with no window, and then does not know the value"),
        (closed, "the window (0, 0) holds nothing"),
    ],
)
def test_what_is_wrong_with_an_aspiration_is_told(answer, says):
    verdict = check("aspiration", answer)
    assert verdict.status == "wrong" and says in verdict.message, verdict


# what is read


def test_a_value_looked_at_twice_on_the_spot_is_read_once_and_in_two_passes_twice():
    def on_the_spot(root):
        leaf = root.children[0]
        return leaf.value if leaf.value and not leaf.children else 0

    def in_two_passes(root):
        return sum(root.children[0].value for _ in range(2))

    tree = Tree([3, 5])
    assert observe(on_the_spot, tree, every_value=True).leaves == ("0",)
    assert observe(in_two_passes, tree, every_value=True).leaves == ("0", "0")
    assert observe(in_two_passes, tree).leaves == ("0",)
    inner = with_static_values(Tree([[1, 2], 5]))
    assert observe(in_two_passes, inner).leaves == () != observe(in_two_passes, inner, every_value=True).leaves


# the trees


def test_dressed_trees_keep_their_shape():
    for tree in random_trees(30):
        for dressed in (with_wins(tree), with_static_values(tree)):
            assert [(n.name, n.is_max, len(n.children)) for n in dressed.nodes] == [
                (n.name, n.is_max, len(n.children)) for n in tree.nodes
            ]
        assert all(leaf.value in (-inf, 0, inf) for leaf in with_wins(tree).leaves())
        assert [leaf.value for leaf in with_static_values(tree).leaves()] == [leaf.value for leaf in tree.leaves()]
        assert all(node.value is not None for node in with_static_values(tree).nodes)


def test_static_values_are_told():
    verdict = check("deepening", next(m.function for m in EXERCISES["deepening"].mistakes if m.name == "strict"))
    assert "(static values: " in verdict.message
