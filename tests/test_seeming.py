"""What a run shows of helpers, wrappers and variables that are not what their names or places promise."""

from math import inf

import pytest

from abviz import Tree, check, record, trace
from abviz.exercises.counterexamples import random_trees
from abviz.recording.parting import first_difference

TREES = (Tree([[5, 2, 7], [1, 9, 4]]), Tree([3, 1], to_move="min"), *random_trees(30))


def last_in_value(node, alpha, beta):
    if node.is_leaf:
        return node.value
    biggest = -inf if node.is_max else inf
    for child in node.children:
        value = last_in_value(child, alpha, beta)
        if node.is_max:
            biggest = max(biggest, value)
            alpha = max(alpha, value)
        else:
            biggest = min(biggest, value)
            beta = min(beta, value)
        if alpha >= beta:
            break
    return biggest


def counting_in_m(node, lo, hi):
    if node.is_leaf:
        return node.value
    m, values = len(node.children), []
    for i in range(m):
        values.append(counting_in_m(node.children[i], lo, hi))
        if node.is_max:
            lo = max(lo, values[-1])
        else:
            hi = min(hi, values[-1])
        if lo >= hi:
            break
    return max(values) if node.is_max else min(values)


def turned_when_returned(node, alpha, beta):
    if node.is_leaf:
        return node.value
    sign = 1 if node.is_max else -1
    a, b = (alpha, beta) if node.is_max else (-beta, -alpha)
    best = -inf
    for child in node.children:
        low, high = (a, b) if node.is_max else (-b, -a)
        best = max(best, sign * turned_when_returned(child, low, high))
        a = max(a, best)
        if a >= b:
            break
    return sign * best


def truly_best(node, alpha, beta):
    if node.is_leaf:
        return node.value
    value = 0
    children = node.children
    value = -inf if node.is_max else inf
    for child in children:
        found = truly_best(child, alpha, beta)
        value = max(value, found) if node.is_max else min(value, found)
        if node.is_max:
            alpha = max(alpha, value)
        else:
            beta = min(beta, value)
        if alpha >= beta:
            break
    return value


def the_wrong_way(node, alpha, beta):
    """Its variable gets worse and worse, but it is what the function takes for the best."""
    if node.is_leaf:
        return node.value
    value = inf if node.is_max else -inf
    for child in node.children:
        found = the_wrong_way(child, alpha, beta)
        value = min(value, found) if node.is_max else max(value, found)
    return value


def round_a_negamax(node, alpha, beta):
    def search(node, a, b):
        if node.is_leaf:
            return node.value if node.is_max else -node.value
        best = -inf
        for child in node.children:
            turns = child.is_max != node.is_max
            best = max(best, -search(child, -b, -a) if turns else search(child, a, b))
            a = max(a, best)
            if a >= b:
                break
        return best

    return search(node, alpha, beta) if node.is_max else -search(node, -beta, -alpha)


def with_a_visitor(node, alpha, beta):
    if node.is_leaf:
        return node.value
    best = -inf if node.is_max else inf

    def visit(child):
        nonlocal alpha, beta, best
        found = with_a_visitor(child, alpha, beta)
        if node.is_max:
            best = max(best, found)
            alpha = max(alpha, best)
        else:
            best = min(best, found)
            beta = min(beta, best)

    for child in node.children:
        visit(child)
        if alpha >= beta:
            break
    return best


def passing_on(function):
    """A decorator without functools.wraps."""

    def wrapper(*args, **kwargs):
        return function(*args, **kwargs)

    return wrapper


@passing_on
def decorated(node, alpha, beta):
    return truly_best(node, alpha, beta)


@passing_on
@passing_on
def decorated_minimax(node):
    return node.value if node.is_leaf else (max if node.is_max else min)(map(decorated_minimax, node.children))


def with_arguments(*args):
    node, alpha, beta = args
    if node.is_leaf:
        return node.value
    best = -inf if node.is_max else inf
    for child in node.children:
        found = with_arguments(child, alpha, beta)
        best = max(best, found) if node.is_max else min(best, found)
        if node.is_max:
            alpha = max(alpha, best)
        else:
            beta = min(beta, best)
        if alpha >= beta:
            break
    return best


def bests(run):
    """After each child."""
    return [event.bv for event in run.events if event.kind == "bv" and event.value is not None]


@pytest.mark.parametrize("function", [last_in_value, counting_in_m, turned_when_returned])
@pytest.mark.parametrize("tree", TREES)
def test_a_variable_that_is_not_the_best_value_is_not_shown_as_it(function, tree):
    right = {}
    for event in record(function, tree).events:
        if event.kind == "bv":
            known = [event.value, right[event.node]] if event.node in right else [event.value]
            right[event.node] = max(known) if event.node.is_max else min(known)
            assert event.bv in (None, right[event.node])


def test_of_a_child_that_was_searched_last_the_value_is_no_best():
    assert bests(record(last_in_value, TREES[0])) == bests(trace(TREES[0])), "what it returns is the best value"


def test_whose_variable_is_told_is_believed():
    assert bests(record(last_in_value, TREES[0], best="value")) == [5, 2, 7, 2, 1, 1]


def test_a_variable_of_a_common_name_that_holds_the_best_value_is_shown():
    assert bests(record(truly_best, TREES[0])) == bests(trace(TREES[0]))


def child_after_child(node, alpha, beta, i=0, v=None):
    if node.is_leaf:
        return node.value
    if i == len(node.children):
        return v
    found = child_after_child(node.children[i], alpha, beta)
    if v is None:
        v = found
    if node.is_max:
        v = max(v, found)
        alpha = max(alpha, v)
    else:
        v = min(v, found)
        beta = min(beta, v)
    return v if alpha >= beta else child_after_child(node, alpha, beta, i + 1, v)


@pytest.mark.parametrize("tree", TREES)
def test_a_best_value_that_is_handed_on_from_child_to_child_is_shown(tree):
    run = record(child_after_child, tree)
    assert bests(run) == bests(trace(tree))
    assert first_difference(run, trace(tree)) is None


def test_a_best_value_that_goes_the_wrong_way_is_shown():
    assert bests(record(the_wrong_way, Tree([5, 2, 1]))) == [5, 2, 1]


@pytest.mark.parametrize("function", [round_a_negamax, with_a_visitor, decorated, with_arguments])
@pytest.mark.parametrize("tree", TREES)
def test_a_right_search_of_several_functions_does_not_part_from_the_reference(function, tree):
    assert first_difference(record(function, tree), trace(tree)) is None


def test_what_a_visitor_finds_is_shown_as_bounds_and_best_value():
    run = record(with_a_visitor, TREES[0])
    assert bests(run) == bests(trace(TREES[0]))
    assert "nothing" not in run.options


def test_a_dispatcher_that_forgets_to_return_is_told():
    def search(node):
        by_max(node) if node.is_max else by_min(node)

    def by_max(node):
        return node.value if node.is_leaf else max(search(child) for child in node.children)

    def by_min(node):
        return node.value if node.is_leaf else min(search(child) for child in node.children)

    said = check("minimax", search)
    assert said.status == "wrong" and "It returns None for the leaf" in said.message


def test_a_decorated_minimax_is_handed_no_bounds():
    assert record(decorated_minimax, TREES[0]).value == 2


def test_a_function_that_only_takes_arguments_and_calls_itself_is_handed_the_root_alone():
    def search(*args):
        return args[0].value if args[0].is_leaf else max(search(child) for child in args[0].children)

    assert record(search, Tree([[1, 2], 0])).value == 2


def test_the_picture_of_a_wrong_answer_behind_a_decorator_is_of_its_run():
    @passing_on
    def alphabeta(node, alpha, beta):
        if node.is_leaf:
            return node.value
        values = [alphabeta(child, alpha, beta) for child in node.children]
        return max(values) if node.is_max else min(values)

    said = check("alphabeta", alphabeta)
    assert said.mistake == "minimax" and not said.trace.problem


def with_one_start(node):
    if node.is_leaf:
        return node.value
    best = -inf
    for child in node.children:
        best = (max if node.is_max else min)(best, with_one_start(child))
    return best


@pytest.mark.parametrize("tree", TREES)
def test_who_begins_with_the_least_at_min_too_does_not_speak_for_the_mover(tree):
    run = record(with_one_start, tree)
    assert {event.value for event in run.events if event.kind == "exit" and not event.node.is_max} <= {-inf}
    assert run.value == with_one_start(tree.root)


def test_variables_round_a_nested_function_say_nothing_once_it_has_returned():
    def alphabeta(node, alpha, beta):
        def search(node):
            nonlocal alpha, beta
            if node.is_leaf:
                return node.value
            best = -inf if node.is_max else inf
            for child in node.children:
                found = search(child)
                best = max(best, found) if node.is_max else min(best, found)
                if node.is_max:
                    alpha = max(alpha, best)
                else:
                    beta = min(beta, best)
                if alpha >= beta:
                    break
            return best

        return search(node)

    events = record(alphabeta, TREES[0]).events
    assert [(event.kind, event.node.name, event.bv) for event in events[-2:]] == [("cut", "1", 2), ("exit", "root", 2)]


def test_where_the_best_value_is_not_known_the_line_leads_to_the_best_child_all_the_same():
    tree = Tree([[5, 2, 7], [1, 9, 4], [8, 3, 6]])
    for function in (last_in_value, with_a_visitor, truly_best):
        run = record(function, tree)
        for node in tree.nodes:
            assert run.line_at(len(run), node.name) == trace(tree).line_at(len(trace(tree)), node.name), function
