"""Wrong searches as they are written at the first attempt: what they do wrong has a name, and what is said is clear."""

from math import inf

import pytest

from abviz import Rules, Tree, check, record, watch
from abviz.exercises.checking import EXERCISES
from abviz.exercises.own_runs import watching
from abviz.exercises.searches import Case
from abviz.exercises.verdicts import written
from abviz.exercises.writing import one_of_two
from abviz.tracing.narration import sentence
from tests.solutions import writing as solutions


def two_tests(node, alpha, beta):
    """≥ in one of the two tests, and < in the other."""
    if not node.children:
        return node.value
    if node.is_max:
        v = -inf
        for child in node.children:
            v = max(v, two_tests(child, alpha, beta))
            if beta <= v:
                return v
            alpha = max(alpha, v)
        return v
    v = inf
    for child in node.children:
        v = min(v, two_tests(child, alpha, beta))
        if alpha > v:
            return v
        beta = min(beta, v)
    return v


def crosswise(node, alpha, beta):
    if node.is_leaf:
        return node.value
    best = -inf if node.is_max else inf
    for child in node.children:
        value = crosswise(child, alpha, beta)
        if node.is_max:
            best = max(best, value)
            beta = min(beta, best)
        else:
            best = min(best, value)
            alpha = max(alpha, best)
        if alpha >= beta:
            break
    return best


def first_all_then_test(node, alpha, beta):
    if node.is_leaf:
        return node.value
    scores = [first_all_then_test(child, alpha, beta) for child in node.children]
    best = -inf if node.is_max else inf
    for score in scores:
        if node.is_max:
            best = max(best, score)
            alpha = max(alpha, best)
        else:
            best = min(best, score)
            beta = min(beta, best)
        if alpha >= beta:
            break
    return best


def best_for_bound(node, alpha, beta):
    if node.is_leaf:
        return node.value
    best = -inf if node.is_max else inf
    for child in node.children:
        if node.is_max:
            best = max(best, best_for_bound(child, best, beta))
            if best >= beta:
                break
        else:
            best = min(best, best_for_bound(child, alpha, best))
            if best <= alpha:
                break
    return best


def in_two(at_max, at_min):
    """max_value and min_value, each with one line of their own: (alpha, beta, v) → (whether to return, alpha, beta)."""

    def max_value(node, alpha, beta):
        if node.is_leaf:
            return node.value
        v = -inf
        for child in node.children:
            v = max(v, min_value(child, alpha, beta))
            done, alpha, beta = at_max(alpha, beta, v)
            if done:
                return v
        return v

    def min_value(node, alpha, beta):
        if node.is_leaf:
            return node.value
        v = inf
        for child in node.children:
            v = min(v, max_value(child, alpha, beta))
            done, alpha, beta = at_min(alpha, beta, v)
            if done:
                return v
        return v

    return max_value, min_value


def right_at_max(alpha, beta, v):
    return v >= beta, max(alpha, v), beta


LOWERS_ALPHA = in_two(right_at_max, lambda alpha, beta, v: (v <= alpha, min(alpha, v), beta))
OTHERS_BOUND = in_two(
    lambda alpha, beta, v: (v >= beta, alpha, min(beta, v)), lambda alpha, beta, v: (v <= alpha, max(alpha, v), beta)
)
STRICT_AT_MIN = in_two(right_at_max, lambda alpha, beta, v: (v < alpha, alpha, min(beta, v)))


def max_alpha(node, alpha, beta):
    if node.is_leaf:
        return node.value
    for child in node.children:
        alpha = max(alpha, min_beta(child, alpha, beta))
        if alpha >= beta:
            return alpha
    return alpha


def min_beta(node, alpha, beta):
    if node.is_leaf:
        return node.value
    for child in node.children:
        beta = min(beta, max_alpha(child, alpha, beta))
        if beta <= alpha:
            return beta
    return beta


def negamax_of_alpha(node, a, b):
    if not node.children:
        return node.value if node.is_max else -node.value
    for child in node.children:
        a = max(a, -negamax_of_alpha(child, -b, -a))
        if a >= b:
            break
    return a


def search(node, alpha, beta):
    if node.is_leaf:
        return node.value
    best = -inf if node.is_max else inf
    for child in node.children:
        value = search(child, alpha, beta)
        if node.is_max:
            best = max(best, value)
            alpha = max(alpha, best)
        else:
            best = min(best, value)
            beta = min(beta, best)
        if alpha >= beta:
            break
    return best


def max_of_pairs(root):
    return (max if root.is_max else min)((search(child, -inf, inf), child.name) for child in root.children)


def name_from_below(node, alpha=-inf, beta=inf):
    if node.is_leaf:
        return node.value, node.name
    best = (-inf, None) if node.is_max else (inf, None)
    for child in node.children:
        found = name_from_below(child, alpha, beta)
        if node.is_max:
            best = found if found[0] > best[0] else best
            alpha = max(alpha, best[0])
        else:
            best = found if found[0] < best[0] else best
            beta = min(beta, best[0])
        if alpha >= beta:
            break
    return best


def name_of_anyone(root):
    best_name = None

    def value_of(node, alpha, beta):
        nonlocal best_name
        if node.is_leaf:
            return node.value
        best = -inf if node.is_max else inf
        for child in node.children:
            value = value_of(child, alpha, beta)
            if value > best if node.is_max else value < best:
                best, best_name = value, child.name
            alpha, beta = (max(alpha, best), beta) if node.is_max else (alpha, min(beta, best))
            if alpha >= beta:
                break
        return best

    return value_of(root, -inf, inf), best_name


@pytest.mark.parametrize(
    ("exercise", "answer", "name"),
    [
        ("alphabeta", two_tests, "strict for one player"),
        ("alphabeta", crosswise, "the other's bound moved"),
        ("alphabeta", first_all_then_test, "cuts too late"),
        ("alphabeta", best_for_bound, "bv handed down for a bound"),
        ("two-functions", LOWERS_ALPHA, "β never falls"),
        ("two-functions", OTHERS_BOUND, "the other's bound moved"),
        ("two-functions", STRICT_AT_MIN, "strict for one player"),
        ("two-functions", (max_alpha, min_beta), "its own bound returned"),
        ("negamax", negamax_of_alpha, "its own bound returned"),
        ("best-move", max_of_pairs, "the name decides"),
        ("best-move", name_from_below, "the leaf's name"),
        ("best-move", name_of_anyone, "one name for all nodes"),
    ],
)
def test_a_first_attempt_has_the_name_of_its_mistake(exercise, answer, name):
    said = check(exercise, answer)
    assert (said.status, said.mistake) == ("wrong", name)


def own_end(node, alpha, beta):
    """Fail-hard below α at MAX; a value that cuts is returned as it is."""
    if node.is_leaf:
        return node.value
    for child in node.children:
        value = own_end(child, alpha, beta)
        alpha, beta = (max(alpha, value), beta) if node.is_max else (alpha, min(beta, value))
        if alpha >= beta:
            break
    return alpha if node.is_max else beta


def test_a_value_that_is_wrong_in_the_end_only_is_shown_there():
    wrong = check("fail-hard", own_end)
    watched = "watch(own_end, Tree([2, 1]), window=(0, 1), rules=Rules(fail_hard=True))"
    assert wrong.step == len(wrong.trace) and wrong.to_watch == watched
    said = sentence(wrong.trace, wrong.step)
    assert (
        "The first difference: own_end returns 2 from root, where the reference returns 1." in said
        and "No difference" not in said
    )


def test_of_two_functions_the_one_that_begins_can_be_watched():
    wrong = check("two-functions", (max_alpha, min_beta))
    assert wrong.to_watch == "watch(max_alpha, Tree([-2, -1]), window=(0, 1), rules=Rules())"
    min_moves = Tree([0, 1], to_move="min")
    both = one_of_two((max_alpha, min_beta))
    run = record(both, min_moves, window=(0, 1))
    assert watching(EXERCISES["two-functions"], both, min_moves, Case(), run).startswith("watch(min_beta, ")


def with_leaves(root):
    """An order of the children of leaves as well, which is none."""
    order, waiting = dict(solutions.best_order(root)), [root]
    while waiting:
        node = waiting.pop()
        order.setdefault(node.name, [child.name for child in node.children])
        waiting += node.children
    return order


def test_the_empty_order_of_a_leaf_is_right():
    assert check("best-order", with_leaves)


def test_who_forgets_an_argument_of_search_is_told_so_of_search():
    told = check("aspiration", lambda root, search, guess, delta: search(guess - delta, guess + delta)).message
    assert "search() missing 1 required positional argument: 'beta'" in told and "_Searches" not in told


def test_what_a_pair_should_hold_is_told_by_an_example():
    told = check("best-move", lambda root: (search(root, -inf, inf), 1)).message
    assert "it returns (0, 1); expected a pair (value, name of a child), as (3, '0')." in told


def test_one_cell_is_right_and_two_are():
    assert "1 of 6 cells is right." in check("tree-values", {"B": 3}).message
    assert "2 of 6 cells are right." in check("tree-values", {"B": 3, "I": 0}).message


def who_moves_by_the_first_child(node, alpha, beta):
    """Right as long as the players take turns."""
    if node.is_leaf:
        return node.value
    is_max = not node.children[0].is_max
    best = -inf if is_max else inf
    for child in node.children:
        value = who_moves_by_the_first_child(child, alpha, beta)
        best = max(best, value) if is_max else min(best, value)
        alpha, beta = (max(alpha, best), beta) if is_max else (alpha, min(beta, best))
        if alpha >= beta:
            break
    return best


def test_where_a_player_moves_twice_is_said_and_the_leaves_differ_there_too():
    said = check("alphabeta", who_moves_by_the_first_child)
    where = [node.name for node in said.tree.nodes[1:] if node.children and node.is_max == said.tree.root.is_max]
    assert where and f"; the same player moves again at {', '.join(where)}) with the window" in said.message
    leaves = [leaf.value for leaf in said.tree.leaves()]
    assert len(set(leaves)) == len(leaves) and max(map(abs, leaves)) <= 9


def test_who_moves_is_said_where_the_players_do_not_take_turns_from_max_on():
    twice = {"to_move": "max", "children": [1, {"to_move": "max", "children": [2, 3]}]}
    assert written(Tree([[1, 2], 3])) == "[[1, 2], 3]"
    assert written(Tree([[1, 2], 3], to_move="min")) == "[[1, 2], 3] (MIN to move)"
    assert written(Tree([twice, 0])) == "[[1, [2, 3]], 0] (the same player moves again at 0, 0.1)"


def maximizing_too(node, depth, alpha, beta, maximizing):
    return node.value


@pytest.mark.parametrize(
    ("exercise", "answer", "called"),
    [
        ("alphabeta", maximizing_too, "alphabeta(node, alpha, beta)"),
        ("alphabeta", lambda node: node.value, "alphabeta(node, alpha, beta)"),
        ("best-line", lambda node, alpha, beta: (node.value, []), "best_line(node)"),
        ("aspiration", lambda root, search: 0, "aspiration(root, search, guess, delta)"),
    ],
)
def test_who_takes_other_parameters_is_told_how_a_function_is_called(exercise, answer, called):
    message = check(exercise, answer).message
    assert "it raised TypeError" in message and message.endswith(f"It is called as {called}, by place.")


def test_how_it_is_called_is_not_said_where_that_is_not_what_is_wrong():
    assert "called as" not in check("alphabeta", lambda node, alpha, beta: node.value()).message


def strictly(node, alpha, beta):
    if node.is_leaf:
        return node.value
    best = -inf if node.is_max else inf
    for child in node.children:
        value = strictly(child, alpha, beta)
        best = max(best, value) if node.is_max else min(best, value)
        alpha, beta = (max(alpha, best), beta) if node.is_max else (alpha, min(beta, best))
        if alpha > beta:
            break
    return best


@pytest.mark.parametrize(("exercise", "answer"), [("alphabeta", strictly), ("fail-hard", own_end)])
def test_the_run_that_is_offered_opens_where_the_verdict_s_does(exercise, answer):
    wrong = check(exercise, answer)
    offered = eval(wrong.to_watch, {"watch": watch, "Tree": Tree, "Rules": Rules, answer.__name__: answer})
    assert offered.step == wrong.step == offered.trace.options["parting"]
