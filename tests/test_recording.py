"""A student's own function on the picture: what is recorded of it is what it did."""

import functools
import inspect
import linecache
import pickle
import sys
import threading
import time
from math import inf
from typing import Any

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from abviz import AbvizError, Tree, draw, load, minimax, record, trace, watchdog
from abviz.tracing.algorithms import Rules
from abviz.tracing.narration import sentence
from abviz.tracing.pseudocode import NO_SOURCE
from abviz.views.frames import all_frames
from tests.oracle import minimax_value
from tests.strategies import trees


def assignment(node, alpha, beta):
    if node.is_leaf:
        return node.value
    if node.is_max:
        bv = -inf
        for child in node.children:
            value = assignment(child, alpha, beta)
            if value > bv:
                bv = value
            if bv > alpha:
                alpha = bv
            if bv >= beta:
                break
        return bv
    bv = inf
    for child in node.children:
        value = assignment(child, alpha, beta)
        if value < bv:
            bv = value
        if bv < beta:
            beta = bv
        if bv <= alpha:
            break
    return bv


def value_of(state, alpha, beta):
    return max_value(state, alpha, beta) if state.is_max else min_value(state, alpha, beta)


def max_value(state, alpha, beta):
    if state.is_leaf:
        return state.value
    v = -inf
    for child in state.children:
        v = max(v, value_of(child, alpha, beta))
        if v >= beta:
            return v
        alpha = max(alpha, v)
    return v


def min_value(state, alpha, beta):
    if state.is_leaf:
        return state.value
    v = inf
    for child in state.children:
        v = min(v, value_of(child, alpha, beta))
        if v <= alpha:
            return v
        beta = min(beta, v)
    return v


def read_by_the_parent(node, alpha, beta):
    best = -inf if node.is_max else inf
    for child in node.children:
        value = child.value if child.is_leaf else read_by_the_parent(child, alpha, beta)
        if node.is_max:
            best = max(best, value)
            alpha = max(alpha, best)
        else:
            best = min(best, value)
            beta = min(beta, best)
        if alpha >= beta:
            break
    return best


def negamax(node, alpha, beta):
    if node.is_leaf:
        return node.value if node.is_max else -node.value
    best = -inf
    for child in node.children:
        best = max(best, -negamax(child, -beta, -alpha))
        alpha = max(alpha, best)
        if best >= beta:
            break
    return best


class Player:
    def search(self, node, a, b):
        if node.is_leaf:
            return node.value
        best = -inf if node.is_max else inf
        for child in node.children:
            score = self.search(child, a, b)
            best = max(best, score) if node.is_max else min(best, score)
            if node.is_max:
                a = max(a, best)
            else:
                b = min(b, best)
            if a >= b:
                break
        return best


def plain_minimax(node):
    if node.is_leaf:
        return node.value
    best = None
    for child in node.children:
        value = plain_minimax(child)
        if best is None or (value > best if node.is_max else value < best):
            best = value
    return best


def with_a_stack(root):
    order, waiting, value = [], [root], {}
    while waiting:
        node = waiting.pop()
        order.append(node)
        waiting.extend(node.children)
    for node in reversed(order):
        choose = max if node.is_max else min
        value[node.name] = node.value if node.is_leaf else choose(value[child.name] for child in node.children)
    return value[root.name]


def with_frames(root, alpha, beta):
    """Alpha-beta with a stack of its own: each frame holds a node, its α, β and bv, and the children that are left."""
    frames = [[root, alpha, beta, -inf if root.is_max else inf, None]]
    value = None
    while frames:
        node, alpha, beta, bv, left = frame = frames[-1]
        if node.is_leaf:
            value = node.value
        else:
            frame[4] = left = left or iter(node.children)
            child = next(left, None) if alpha < beta else None
            if child is not None:
                frames.append([child, alpha, beta, -inf if child.is_max else inf, None])
                continue
            value = bv
        frames.pop()
        if frames:
            above = frames[-1]
            if above[0].is_max:
                above[3] = max(above[3], value)
                above[1] = max(above[1], above[3])
            else:
                above[3] = min(above[3], value)
                above[2] = min(above[2], above[3])
    return value


def with_windows_by_name(root, alpha, beta):
    best, at, window, path = {}, {}, {root.name: [alpha, beta]}, [root]
    while path:
        node = path[-1]
        if node.name not in best:
            best[node.name] = node.value if node.is_leaf else -inf if node.is_max else inf
            at[node.name] = 0
        alpha, beta = window[node.name]
        if not node.is_leaf and at[node.name] < len(node.children) and alpha < beta:
            child = node.children[at[node.name]]
            at[node.name] += 1
            window[child.name] = [alpha, beta]
            path.append(child)
            continue
        path.pop()
        if path:
            above = path[-1]
            best[above.name] = choose(above, [best[above.name], best[node.name]])
            window[above.name][0 if above.is_max else 1] = choose(
                above, [window[above.name][0 if above.is_max else 1], best[above.name]]
            )
    return best[root.name]


def level_by_level(root):
    order = [root]
    for node in order:
        order.extend(node.children)
    value = {}
    for node in reversed(order):
        value[node.name] = node.value if node.is_leaf else choose(node, [value[each.name] for each in node.children])
    return value[root.name]


@st.composite
def alternating(draw):
    leaf = st.integers(-9, 9)
    nested = draw(st.recursive(leaf, lambda below: st.lists(below, min_size=1, max_size=3), max_leaves=12))
    return Tree(nested if isinstance(nested, list) else [nested])


@pytest.mark.parametrize("function", [with_frames, with_windows_by_name])
@given(tree=trees())
def test_an_alphabeta_with_its_own_stack_comes_to_nodes_and_leaves_them_as_the_search_does(function, tree):
    found, real = record(function, tree), trace(tree)
    kinds = ("enter", "leaf", "cut", "exit")
    mine = [(event.kind, event.node.name) for event in found.events]
    assert mine == [(event.kind, event.node.name) for event in real.events if event.kind in kinds]
    assert all(event[2:5] == (None, None, None) for event in found.events), "whose they are nobody knows"
    assert found.value == real.value
    if not tree.root.is_leaf:
        assert found.options["keeps_a_stack"]


@given(tree=trees())
def test_where_nobody_can_say_at_which_node_it_is_only_leaves_are_told(tree):
    found = record(level_by_level, tree)
    assert sorted(found.leaves) == sorted(leaf.name for leaf in tree.leaves())
    entered = [event.node.name for event in found.events if event.kind == "enter"]
    assert len(entered) == len(set(entered)) and found.cuts == ()


def peeks(node, alpha, beta):
    """It looks at all children first, and does not search all of them."""
    if node.is_leaf:
        return node.value
    bv = -inf if node.is_max else inf
    for child in sorted(node.children, key=lambda child: 0 * len(child.children)):
        value = peeks(child, alpha, beta)
        bv = choose(node, [bv, value])
        alpha, beta = (max(alpha, bv), beta) if node.is_max else (alpha, min(beta, bv))
        if alpha >= beta:
            break
    return bv


@given(tree=trees())
def test_who_only_looks_at_a_node_has_not_come_to_it(tree):
    if not tree.root.is_leaf:
        assert told(record(peeks, tree)) == told(trace(tree))


def two_plies_at_once(node):
    if node.is_leaf:
        return node.value
    values = []
    for child in node.children:
        below = [two_plies_at_once(each) for each in child.children]
        values.append(choose(child, below) if below else child.value)
    return choose(node, values)


@given(tree=trees())
def test_nodes_that_are_searched_without_a_call_are_come_to_and_left(tree):
    found, real = record(two_plies_at_once, tree), trace(tree, search=minimax)
    kinds = ("enter", "leaf", "cut", "exit")
    mine = [(event.kind, event.node.name) for event in found.events if event.kind in kinds]
    assert mine == [(event.kind, event.node.name) for event in real.events if event.kind in kinds]


def told(found):
    return [(event.kind, event.node.name, *event[2:]) for event in found.events]


@pytest.mark.parametrize(
    ("function", "rules"),
    [
        (assignment, Rules()),
        (value_of, Rules(test_first=True)),
        (read_by_the_parent, Rules()),
        (Player().search, Rules()),
    ],
)
@given(tree=trees())
def test_a_right_function_is_told_as_the_search_itself(function, rules, tree):
    if not tree.root.is_leaf:
        assert told(record(function, tree)) == told(trace(tree, rules=rules))


@given(tree=alternating())
def test_a_negamax_is_told_from_the_side_of_max(tree):
    assert told(record(negamax, tree)) == told(trace(tree))


@given(tree=trees())
def test_a_function_without_bounds_has_none(tree):
    found, real = record(plain_minimax, tree), trace(tree, search=minimax)
    assert (found.value, found.leaves) == (real.value, real.leaves)
    assert all(event.alpha is event.beta is None for event in found.events)
    stacked = record(with_a_stack, tree)
    assert stacked.value == real.value
    assert sorted(stacked.leaves) == sorted(real.leaves)


@given(tree=trees())
def test_every_view_takes_a_recording(tree):
    for function in (assignment, plain_minimax, with_a_stack, cut_too_early):
        found = record(function, tree)
        assert len(str(found).splitlines()) >= len(found) + 2
        assert len(all_frames(found)["says"]) == len(found) + 1
        for name, state in found[len(found)].nodes.items():
            assert state.low <= minimax_value(tree[name]) <= state.high, "what is proven is true, whatever they do"


def cut_too_early(node, alpha, beta):
    if node.is_leaf:
        return node.value
    return cut_too_early(node.children[0], alpha, beta)


def test_what_they_do_wrong_is_shown_as_it_was():
    def full_window(node, alpha, beta):
        if node.is_leaf:
            return node.value
        values = [full_window(child, -inf, inf) for child in node.children]
        return max(values) if node.is_max else min(values)

    def twice(node):
        return node.value if node.is_leaf else max(max(twice(child), twice(child)) for child in node.children)

    found = record(full_window, load("figure-4.24"))
    assert found.leaves == trace(load("figure-4.24"), search=minimax).leaves
    assert {event.alpha for event in found.events if event.kind == "enter"} == {-inf}
    assert record(twice, Tree([3, 4])).leaves == ("0", "0", "1", "1")
    early = record(cut_too_early, load("figure-4.24"))
    assert [(cut.at, cut.skipped) for cut in early.cuts] == [("B", ("E",)), ("A", ("C",))]
    assert "B is left with α = −∞, β = ∞, best value = —: E not searched, 1 leaf not read." in str(early)


def test_their_variables_may_be_named():
    def search(n, least, most):
        if n.is_leaf:
            return n.value
        top = -inf if n.is_max else inf
        for child in n.children:
            top = max(top, search(child, least, most)) if n.is_max else min(top, search(child, least, most))
            least, most = (max(least, top), most) if n.is_max else (least, min(most, top))
            if least >= most:
                return top
        return top

    tree = load("worked-example")
    assert told(record(search, tree, best="top")) == told(trace(tree))
    assert told(record(search, tree)) == told(trace(tree)), "what is returned is the best value, whatever its name"


LIKE_THEM = """
def search(node, ALPHA, BETA):
    if node.is_leaf:
        return node.value
    if node.is_max:
        MOST = -inf
        for child in node.children:
            VALUE = search(child, ALPHA, BETA)
            MOST = max(MOST, VALUE)
            ALPHA = max(ALPHA, MOST)
            if ALPHA >= BETA:
                break
        return MOST
    LEAST = inf
    for child in node.children:
        VALUE = search(child, ALPHA, BETA)
        LEAST = min(LEAST, VALUE)
        BETA = min(BETA, LEAST)
        if ALPHA >= BETA:
            break
    return LEAST
"""


@pytest.mark.parametrize(
    "names",
    [
        "alpha beta result result v",  # v is what a child has returned
        "alpha beta max_eval min_eval eval_",
        "alpha beta maxEval minEval value",
        "alpha beta highest lowest score",
        "lo hi b b v",  # b is no β where there is a hi
        "alpha beta best best value",
    ],
)
@pytest.mark.parametrize("own", [False, True], ids=["the function itself", "a function in one that takes no bounds"])
def test_the_best_value_is_what_is_returned_and_bounds_are_what_is_handed_down(names: str, own: bool) -> None:
    program = LIKE_THEM
    for word, name in zip(("ALPHA", "BETA", "MOST", "LEAST", "VALUE"), names.split(), strict=True):
        program = program.replace(word, name)
    there: dict[str, Any] = {"inf": inf}
    exec(program, there)
    search = there["search"]

    def without_bounds(root):
        return search(root, -inf, inf)

    tree = load("worked-example")
    found = [event for event in record(without_bounds if own else search, tree).events if event.kind == "exit"]
    expected = [event for event in trace(tree).events if event.kind == "exit"]
    assert [each.bv for each in found][:-1] == [each.bv for each in expected][:-1]
    assert [(each.alpha, each.beta) for each in found] == [(each.alpha, each.beta) for each in expected]


def test_a_run_that_does_not_end_is_ended():
    def forever(node, alpha, beta):
        while True:
            pass

    def deeper(node, alpha, beta):
        return deeper(node, alpha, beta)

    def wider(node):
        for _ in range(10**9):
            wider_still(node)

    def wider_still(node):
        return node.name

    tree, before = Tree([3, 5]), {*threading.enumerate()}
    assert record(forever, tree, seconds=0.2).problem == "it was stopped after 0.2 seconds"
    assert record(deeper, tree).problem == "it called itself without end"
    assert record(wider, tree, calls=500).problem == "it was stopped after 500 calls"
    assert record(wider, tree).problem == "it was stopped after 5,000 calls"
    assert record(wider, Tree([[*range(20)]] * 10)).problem == f"it was stopped after {211 * 50:,} calls"
    assert record(wider, Tree([[*range(50)]] * 50)).problem == "it was stopped after 100,000 calls"
    begun = {thread for thread in threading.enumerate() if isinstance(thread, watchdog._Thread)} - before
    end = time.monotonic() + 20
    while not begun <= {*watchdog._Thread.free}:  # none goes on: each waits for its next run
        assert time.monotonic() < end
    assert sys.gettrace() is None or "coverage" in sys.modules


def test_one_that_looks_at_nodes_without_end_is_stopped_as_well():
    def at_its_own(node):
        while node.children:
            pass

    def at_others(node):
        while True:
            for child in node.children:
                child.value  # noqa: B018

    def often_enough(node):
        for _ in range(39_999):
            node.children  # noqa: B018
        return 3

    tree = Tree([3, 5])
    for endless in (at_its_own, at_others):
        assert record(endless, tree).problem == "it was stopped after it had looked at nodes 20,000 times"
    assert record(often_enough, tree, calls=10_000).value == 3
    assert record(often_enough, tree, calls=9_999).problem == "it was stopped after it had looked at nodes 39,996 times"
    assert [child.value for child in tree.root.children] == [3, 5]


def keeping_children():
    """Alpha-beta that asks a node for its children once and for all, and keeps them by its name."""
    kept = {}

    def search(node, alpha, beta):
        if node.is_leaf:
            return node.value
        bv = -inf if node.is_max else inf
        for child in kept.setdefault(node.name, node.children):
            value = search(child, alpha, beta)
            bv = max(bv, value) if node.is_max else min(bv, value)
            alpha, beta = (max(alpha, bv), beta) if node.is_max else (alpha, min(beta, bv))
            if alpha >= beta:
                break
        return bv

    return search, kept


def test_nodes_that_a_function_keeps_are_watched_in_its_next_run_as_well():
    search, kept = keeping_children()
    tree = load("figure-4.24")
    record(search, tree, calls=5)
    for _ in range(3):
        assert record(search, tree).events == trace(tree).events

    def look_at_all(node):
        return sum(leaf.value for children in kept.values() for leaf in children if leaf.is_leaf) + len(node.children)

    read = {event.node.name for event in record(look_at_all, tree).events if event.kind == "leaf"}
    assert read == {leaf.name for leaf in tree.leaves()}


def test_nodes_kept_from_another_tree_are_not_shown_on_this_one():
    search, _ = keeping_children()
    record(search, Tree([[1, 2], [3, 4]]))
    found = record(search, Tree([[5, 6], [7, 8]]))
    assert (found.value, found.leaves) == (3, ()), "it goes on in the first one"


def test_nodes_kept_from_a_run_that_was_stopped_are_nodes_as_others_are():
    kept = []

    def endless(node):
        kept.append(node)
        while True:
            node.children  # noqa: B018

    assert record(endless, load("figure-4.24")).problem
    before = sys.gettrace()
    assert [child.name for child in kept[0].children] == ["B", "C"] and sys.gettrace() is before


def test_an_exception_is_told_with_what_came_before_it():
    def late(node, alpha, beta):
        if node.is_leaf:
            return node.value / (node.value - 5)
        return max(late(child, alpha, beta) for child in node.children)

    found = record(late, load("figure-4.24"))
    assert found.problem == "it raised ZeroDivisionError: division by zero"
    assert found.leaves == ("D", "E")
    assert found.value is None
    assert str(found).splitlines()[-1].endswith(found.problem)
    last = "late comes to leaf E, which is worth 5; it raised ZeroDivisionError: division by zero."
    assert sentence(found, len(found)) == last


def test_a_function_cannot_change_the_tree_or_see_more_of_it():
    def meddle(node):
        node.value = 3

    def take_away(node):
        del node.name

    def look(node):
        return node.index

    for function in (meddle, take_away):
        assert "a node cannot be changed" in record(function, Tree([1, 2])).problem
    assert "has no attribute" in record(look, Tree([1, 2])).problem


@pytest.mark.parametrize("function", [3, lambda: 1, lambda a, b, c, d: 1, "alphabeta"])
def test_what_is_no_search_is_refused_in_one_line(function):
    with pytest.raises(AbvizError, match="expected"):
        record(function, Tree([1, 2]))


def test_a_recording_is_drawn_with_dashes_where_there_is_nothing():
    source = draw(record(plain_minimax, Tree([3, 5]))).source
    assert "—" in source


def choose(node, values):
    return max(values) if node.is_max else min(values)


shortest = lambda n: n.value if n.is_leaf else (max if n.is_max else min)(map(shortest, n.children))  # noqa: E731


def star(*a):
    return a[0].value if a[0].is_leaf else choose(a[0], [star(child) for child in a[0].children])


class Called:
    def __call__(self, node):
        return node.value if node.is_leaf else choose(node, [self(child) for child in node.children])


@pytest.mark.parametrize("function", [shortest, star, Called(), functools.partial(star)])
def test_a_function_of_any_form_is_followed(function):
    tree = load("figure-4.24")
    found, real = record(function, tree), trace(tree, search=minimax)
    assert (found.value, found.leaves, found.problem) == (real.value, real.leaves, "")
    assert found.events[-1].kind == "exit"


def test_a_decorated_function_keeps_its_bounds():
    @functools.wraps(assignment)
    def counted(*args):
        return assignment(*args)

    tree = load("worked-example")
    assert told(record(counted, tree)) == told(trace(tree))


def test_a_run_that_cannot_be_followed_says_so():
    found = record(lambda *nodes: 3, Tree([1, 2]))
    assert (found.value, found.problem) == (3, "")
    exec("def quiet(*nodes): return len(nodes) + 2", made := {"__name__": "abviz.not"})
    unseen = record(made["quiet"], Tree([1, 2]))
    assert (unseen.value, unseen.problem) == (3, "none of its calls could be followed")
    assert str(unseen).endswith("quiet returned 3; none of its calls could be followed")


def test_bounds_are_handed_over_by_name():
    def by_name(n, depth=9, alpha=-inf, beta=inf):
        assert depth >= 0
        return assignment(n, alpha, beta)

    def only_named(n, *, beta, alpha):
        return assignment(n, alpha, beta)

    def own_names(n, depth=9, least=-inf, most=inf):
        assert depth == 9
        return n.value if n.is_leaf else max(own_names(c, depth, least, most) for c in n.children)

    def depth_and_player(n, depth=9, maximizing=True):
        assert (depth, maximizing) == (9, True)
        return n.value

    tree = load("worked-example")

    def in_front(n, alpha, beta, /):
        return assignment(n, alpha, beta)

    for function in (by_name, only_named, in_front):
        assert told(record(function, tree)) == told(trace(tree))
    entered = [event[2:4] for event in record(own_names, tree, alpha="least", beta="most").events]
    assert set(entered) == {(-inf, inf)}
    assert record(depth_and_player, Tree([1, 2])).problem == ""


@pytest.mark.parametrize(
    ("function", "lacking"),
    [
        (lambda n, depth, alpha, beta: 1, "depth"),
        (lambda n, depth, maximizing: 1, "depth, maximizing"),
        (lambda n, beta: 1, "beta"),
        (lambda n, *, window: 1, "window"),
    ],
)
def test_what_needs_something_else_is_refused(function, lacking):
    with pytest.raises(AbvizError, match=rf"^<lambda> also needs {lacking}; expected"):
        record(function, Tree([1, 2]))


@given(trees())
def test_a_list_of_value_and_move_that_is_changed_in_place_is_looked_at_again(tree):
    def in_a_list(node, alpha, beta):
        if node.is_leaf:
            return [node.value, None]
        best = [-inf if node.is_max else inf, None]
        for child in node.children:
            value = in_a_list(child, alpha, beta)[0]
            if value > best[0] if node.is_max else value < best[0]:
                best[0], best[1] = value, child.name
            if node.is_max:
                alpha = max(alpha, best[0])
            else:
                beta = min(beta, best[0])
            if alpha >= beta:
                break
        return best

    assert record(in_a_list, tree).events == trace(tree).events


@pytest.mark.parametrize(
    ("returned", "value"),
    [
        (numpy.int64(3), 3),
        (numpy.float32(0.5), 0.5),
        (("move", 3), 3),
        ((3, "move"), 3),
        ((None, numpy.int64(3)), 3),
        ((3, 4), None),
        (["move", 3], 3),
        ([3], None),
        ([3, 4], None),
        (numpy.bool_(True), None),
        (True, None),
        (float("nan"), None),
        pytest.param(10**5000, None, id="too large"),
    ],
)
def test_what_is_told_as_returned(returned, value):
    found = record(lambda n: returned, Tree([1, 2]))
    assert (found.value, found.problem) == (value, "")
    assert type(found.value) in (int, float, type(None))
    assert str(found)


def test_a_function_without_a_module_is_recorded():
    exec("def f(node): return 3", made := {"__name__": None})
    found = record(made["f"], Tree([1, 2]))
    assert (found.value, found.problem) == (3, "")


@pytest.mark.parametrize(
    "told",
    [
        *({"calls": bad} for bad in ("x", 0, 1.5, True)),
        *({"seconds": bad} for bad in ("x", 0, -1, 1e300, inf, float("nan"), True)),
        *({which: bad} for which in ("alpha", "beta", "best") for bad in (3, [1], "", "two words", "zzz")),
    ],
)
def test_what_is_told_by_keyword_is_checked(told):
    with pytest.raises(AbvizError, match="expected") as refused:
        record(assignment, Tree([1, 2]), **told)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("tree", [None, [[1, 2]], "figure-4.24"])
def test_only_a_tree_is_recorded_on(tree):
    with pytest.raises(AbvizError, match="expected a Tree"):
        record(assignment, tree)


class Speechless(Exception):
    def __str__(self):
        raise ValueError


@pytest.mark.parametrize(
    ("error", "problem"),
    [
        (ValueError("one\ntwo\t\x1b[31mred"), "it raised ValueError: one two ␛[31mred"),
        (Speechless(), "it raised Speechless"),
        (SystemExit(3), "it raised SystemExit: 3"),
        (GeneratorExit(), "it raised GeneratorExit"),
    ],
)
def test_any_exception_is_told_in_one_line(error, problem):
    def fails(node):
        raise error

    found = record(fails, Tree([1, 2]))
    assert found.problem == problem
    assert str(found).splitlines()[-1].endswith(problem)
    assert len(record(lambda n: [][n.name * 10**5], Tree([1, 2])).problem) < 200


def test_a_recording_is_read_when_somebody_asks_and_not_before():
    found = record(assignment, load("figure-4.24"))
    assert "events" not in vars(found) and "options" not in vars(found)
    again = pickle.loads(pickle.dumps(found))
    assert told(again) == told(found) == told(trace(load("figure-4.24")))
    assert again.options["name"] == "assignment" and found.options["window"] == (-inf, inf)
    with pytest.raises(AttributeError, match="has no attribute 'evnets'"):
        found.evnets  # noqa: B018


def test_a_leaf_that_is_read_for_ever_is_left():
    def reads_on(node, alpha, beta):
        while True:
            try:
                while node.value is not None or node.children:
                    pass
            except:  # noqa: E722
                pass

    assert record(reads_on, Tree(3), seconds=0.2).problem == "it was stopped after 0.2 seconds"


def test_an_interrupt_passes_and_leaves_all_as_it_was():
    def interrupted(node):
        raise KeyboardInterrupt

    def seen(frame, event, argument):
        return None

    record(assignment, Tree([1, 2]))  # which leaves the thread that does the next
    before, threads = sys.gettrace(), threading.active_count()
    sys.settrace(seen)
    try:
        with pytest.raises(KeyboardInterrupt):
            record(interrupted, Tree([1, 2]))
        after_interrupt = sys.gettrace()
        record(assignment, Tree([1, 2]))
        after_run = sys.gettrace()
    finally:
        sys.settrace(before)
    assert after_interrupt is after_run is seen
    time.sleep(0.1)
    assert threading.active_count() <= threads


def test_one_that_swallows_everything_is_stopped_all_the_same():
    def retries(node):
        while True:
            try:
                return choose(node, [retries(child) for child in node.children])
            except:  # noqa: E722
                pass

    def gives_in(node):
        try:
            while True:
                pass
        except:  # noqa: E722
            return 3

    tree = Tree([3, 5])
    assert record(retries, tree, seconds=0.1, calls=10**9).problem == "it was stopped after 0.1 seconds"
    assert record(retries, tree, seconds=0.5, calls=20).problem == "it was stopped after 20 calls"
    stopped = record(gives_in, tree, seconds=0.1)
    assert (stopped.value, stopped.problem) == (None, "it was stopped after 0.1 seconds")


def test_leaves_read_twice_are_told_as_reads():
    def twice(node):
        return node.value if node.is_leaf else choose(node, [twice(c) for c in node.children for _ in range(2)])

    assert "the run ends after 4 reads of 2 leaves" in str(record(twice, Tree([3, 4])))
    assert "the run ends after 2 of 2 leaves" in str(record(plain_minimax, Tree([3, 4])))


def test_a_function_that_tries_again_whatever_happens_is_ended():
    def stubborn(node):
        while True:
            try:
                sum(range(10**4))
                for child in node.children:
                    stubborn(child)
            except:  # noqa: E722
                pass

    stopped = record(stubborn, load("figure-4.24"), seconds=0.3, calls=10**9)
    assert stopped.problem == "it was stopped after 0.3 seconds"


def lit(found):
    """For each step what it is and the text of the line that is lit."""
    (form,) = all_frames(found)["forms"]
    texts = [None if at < 0 else form["lines"][at][1] for at in form["at"]]
    return [(found.events_at(step)[0].kind, texts[step]) for step in range(1, len(found) + 1)]


def test_their_own_source_is_there_with_the_line_that_runs():
    found = record(assignment, load("figure-4.24"))
    (form,) = all_frames(found)["forms"]
    assert ["    " * indent + text for indent, text in form["lines"]] == inspect.getsource(assignment).splitlines()
    assert (form["name"], form["at"][0]) == ("own", -1)
    calls = "value = assignment(child, alpha, beta)"
    happens = {"enter": {"for child in node.children:"}, "leaf": {"return node.value"}, "exit": {"return bv"}}
    happens |= {kind: {calls, "return bv"} for kind in ("bv", "alpha", "beta")} | {"cut": {"return bv"}}
    assert {kind for kind, _ in lit(found)} == set(happens)
    for kind, text in lit(found):
        assert text in happens[kind]
    assert ("bv", calls) in lit(found)
    assert lit(pickle.loads(pickle.dumps(found))) == lit(found)
    assert ("enter", "value = plain_minimax(child)") in lit(record(plain_minimax, load("figure-4.24")))


def test_of_several_functions_all_that_search_are_there_in_their_order():
    found = record(value_of, load("worked-example"))
    texts = [text for _, text in all_frames(found)["forms"][0]["lines"] if text.startswith("def ")]
    assert texts == [f"def {name}(state, alpha, beta):" for name in ("value_of", "max_value", "min_value")]
    returned = {text for kind, text in lit(found) if kind in ("leaf", "exit")}
    assert returned == {"return state.value", "return v"}, "not the line that hands on what another one returned"

    def outer(node):
        def inner(child):
            return outer(child)

        return node.value if node.is_leaf else choose(node, [inner(child) for child in node.children])

    lines = all_frames(record(outer, Tree([3, [4, 5]])))["forms"][0]["lines"]
    assert lines[:3] == [[0, "def outer(node):"], [1, "def inner(child):"], [2, "return outer(child)"]]
    assert len(lines) == 5, "a function within another is there once"
    method = all_frames(record(Player().search, Tree([3, 5])))["forms"][0]["lines"]
    assert method[:2] == [[0, "def search(self, node, a, b):"], [1, "if node.is_leaf:"]]


def test_without_a_source_that_is_said():
    exec("def typed(node): return max(c.value for c in node.children)", made := {})
    (form,) = all_frames(record(made["typed"], Tree([3, 5])))["forms"]
    assert form["lines"] == [[0, NO_SOURCE]]
    assert set(form["at"]) == {-1}


def test_a_source_is_shown_with_nothing_that_acts():
    text = "def typed(node):  # \x1b[31m <b>\u2028\n    return 3\n"
    exec(compile(text, "<typed>", "exec"), made := {})
    linecache.cache["<typed>"] = (len(text), None, text.splitlines(keepends=True), "<typed>")
    try:
        (form,) = all_frames(record(made["typed"], Tree([3, 5])))["forms"]
    finally:
        del linecache.cache["<typed>"]
    assert "\x1b" not in form["lines"][0][1] and "␛[31m <b>" in form["lines"][0][1]


def test_a_helper_on_the_same_node_leaves_the_variables_alone():
    def choose(node, values):
        return max(values) if node.is_max else min(values)

    def full(node, alpha, beta):
        if node.is_leaf:
            return node.value
        return choose(node, [full(child, alpha, beta) for child in node.children])

    exits = [event for event in record(full, load("figure-4.24")).events if event.kind == "exit"]
    assert {(event.alpha, event.beta) for event in exits} == {(-inf, inf)}
