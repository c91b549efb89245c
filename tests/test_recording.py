"""A student's own function as a trace: what is recorded is what it did, and what its variables
held.
"""

import cProfile
import functools
import inspect
import sys
import threading
from math import inf
from typing import Any

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from abviz import AbvizError, Tree, draw, load, minimax, record, trace
from abviz.tracing.algorithms import Rules
from abviz.tracing.narration import sentence, summary
from tests.oracle import minimax_value
from tests.pseudocode import NO_SOURCE, OWN, line_at, write_down
from tests.strategies import trees

MINIMAX = {"search": minimax}


def choose(node, values):
    return max(values) if node.is_max else min(values)


# right functions, in the forms in which students write them


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
        best = choose(node, [best, value])
        alpha, beta = (max(alpha, best), beta) if node.is_max else (alpha, min(beta, best))
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


def coloured(node, alpha, beta, color=None):
    color = color or (1 if node.is_max else -1)
    best = -inf
    for child in node.children:
        value = color * child.value if child.is_leaf else -coloured(child, -beta, -alpha, -color)
        best = max(best, value)
        alpha = max(alpha, best)
        if alpha >= beta:
            break
    return best


class Player:
    def search(self, node, a, b):
        if node.is_leaf:
            return [node.value, None]
        best = [-inf if node.is_max else inf, None]
        for child in node.children:
            value, _ = self.search(child, a, b)
            if value > best[0] if node.is_max else value < best[0]:
                best[0], best[1] = value, child.name
            a, b = (max(a, best[0]), b) if node.is_max else (a, min(b, best[0]))
            if a >= b:
                break
        return best


def with_helpers(root, alpha, beta):
    def is_terminal(node):
        return not node.children

    def evaluate(node):
        return node.value

    def search(node, depth, alpha, beta):
        nonlocal reached
        reached = max(reached, depth)
        if is_terminal(node):
            return evaluate(node)
        best = -inf if node.is_max else inf

        def visit(child):
            nonlocal best, alpha, beta
            best = choose(node, [best, search(child, depth + 1, alpha, beta)])
            alpha, beta = (max(alpha, best), beta) if node.is_max else (alpha, min(beta, best))

        for child in node.children:
            visit(child)
            if alpha >= beta:
                break
        return best

    reached = 0
    return search(root, 0, alpha, beta)


def sorting(node, alpha, beta):
    """Helpers are handed nodes, too, and are no searches."""

    def levels(node):
        return 0 if node.is_leaf else 1 + max(levels(child) for child in node.children)

    def ordered(node):
        return sorted(node.children, key=lambda child: 0 * len(child.name))

    if node.is_leaf:
        return node.value
    assert levels(node) > 0
    best = -inf if node.is_max else inf
    for child in ordered(node):
        best = choose(node, [best, sorting(child, alpha, beta)])
        alpha, beta = (max(alpha, best), beta) if node.is_max else (alpha, min(beta, best))
        if alpha >= beta:
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


def listed(node):
    return node.value if node.is_leaf else choose(node, [listed(child) for child in node.children])


def generated(node):
    return (
        node.value
        if node.is_leaf
        else (max if node.is_max else min)(generated(child) for child in node.children)
    )


shortest = lambda n: n.value if n.is_leaf else choose(n, [*map(lambda c: shortest(c), n.children)])  # noqa: E731


def searching(**faults: Any) -> Any:
    """Return alpha-beta with single faults, or under other rules."""

    def search(node, alpha, beta):
        if node.is_leaf:
            return node.value
        best = faults.get("start", -inf if node.is_max else inf)
        low, high = alpha, beta
        for child in node.children:
            window = (
                (-inf, inf)
                if "full" in faults
                else (low, high)
                if "own" in faults
                else (alpha, beta)
            )
            value = search(child, *window)
            best = (
                value
                if "last" in faults
                else (max if node.is_max != ("swapped" in faults) else min)(best, value)
            )
            if "kept" not in faults:
                alpha, beta = (max(alpha, best), beta) if node.is_max else (alpha, min(beta, best))
            if alpha > beta or (alpha == beta and "strict" not in faults):
                break
        return max(low, min(high, best)) if "hard" in faults else best

    return search


strict = searching(strict=True)
ALPHABETAS = [
    (assignment, {}),
    (value_of, {"rules": Rules(test_first=True)}),
    (read_by_the_parent, {}),
    (Player().search, {}),
    (with_helpers, {}),
    (sorting, {}),
    (strict, {"rules": Rules(strict=True)}),
    (searching(hard=True), {"rules": Rules(fail_hard=True)}),
]
WITHOUT_BEST = [
    (each, MINIMAX) for each in (plain_minimax, listed, generated, functools.partial(shortest))
]


@st.composite
def alternating(draw, least=-9):
    nested = draw(
        st.recursive(
            st.integers(least, 9),
            lambda below: st.lists(below, min_size=1, max_size=3),
            max_leaves=12,
        )
    )
    return Tree(
        nested if isinstance(nested, list) else [nested],
        to_move=draw(st.sampled_from(["max", "min"])),
    )


def flat(run: Any) -> list[tuple[Any, ...]]:
    return [(event.kind, event.node.name, *event[2:]) for event in run.events]


def inner(tree: Tree) -> Tree:
    return Tree([3, 4]) if tree.root.is_leaf else tree


@pytest.mark.parametrize(("function", "search"), ALPHABETAS)
@given(tree=trees().map(inner))
@settings(max_examples=30)
def test_the_events_of_a_right_function_are_those_of_the_search(function, search, tree):
    assert flat(record(function, tree)) == flat(trace(tree, **search))


@pytest.mark.parametrize(("function", "search"), WITHOUT_BEST)
@given(tree=trees().map(inner))
@settings(max_examples=30)
def test_a_function_without_a_best_value_shows_a_dash_for_it(function, search, tree):
    run, right = record(function, tree), trace(tree, **search)
    kinds = ("enter", "leaf", "exit", "cut", "alpha")
    events, expected = (
        [e[:4] + e[5:] for e in each.events if e.kind in kinds] for each in (run, right)
    )
    assert events == expected
    if function is not plain_minimax:
        assert {event.bv for event in run.events} == {None}


# The sign is a guess
@pytest.mark.parametrize(("least", "options"), [(-9, {"negamax": True}), (1, {})])
@pytest.mark.parametrize("function", [negamax, coloured])
@given(data=st.data())
@settings(max_examples=30)
def test_a_negamax_is_shown_from_the_side_of_max(function, least, options, data):
    tree = data.draw(alternating(least))
    run = record(function, tree, **options)
    assert flat(run) == flat(trace(tree)) and run.options["returned"] == run.value


# wrong functions


def cut_too_early(node, alpha, beta):
    if node.is_leaf:
        return node.value
    return cut_too_early(node.children[0], alpha, beta)


@pytest.mark.parametrize(
    ("faults", "field", "at_root"),
    [
        ({"start": 0}, "bv", [0, 0, 0, 0]),  # never a number of ours: it starts with 0
        ({"last": True}, "bv", [-inf, 5, 1, 1]),
        ({"swapped": True}, "bv", [-inf, -inf, -inf, -inf]),
        ({"kept": True}, "alpha", [-inf, -inf, -inf, -inf]),
    ],
)
def test_what_is_shown_is_what_the_variable_held(faults, field, at_root):
    tree = Tree([[2, 5], [1, 9]])
    run = record(searching(**faults), tree)
    kinds = ("enter", "bv", "exit")
    assert [
        getattr(e, field) for e in run.events if e.node is tree.root and e.kind in kinds
    ] == at_root


def test_faults_show_in_windows_leaves_and_cuts():
    tree = load("figure-4.24")
    full = record(searching(full=True), tree)
    assert full.leaves == trace(tree, search=minimax).leaves
    assert {(e.alpha, e.beta) for e in full.events if e.kind == "enter"} == {(-inf, inf)}
    own = record(searching(own=True), Tree([[1, 2], [3, 4]]))
    assert [event.alpha for event in own.events if event.kind == "enter"] == [-inf, -inf, -inf]

    def twice(node):
        return (
            node.value
            if node.is_leaf
            else max(max(twice(child), twice(child)) for child in node.children)
        )

    again = record(twice, Tree([3, 4]))
    assert again.leaves == ("a1", "a1", "a2", "a2") and "4 reads of 2 leaves" in str(again)
    early = record(cut_too_early, tree)
    assert [(cut.at, cut.skipped) for cut in early.cuts] == [("B", ("E",)), ("A", ("C",))]
    assert "bv = —" in str(early) and "—" in draw(early).source


@given(tree=trees(most=20))
@settings(max_examples=20)
def test_every_view_takes_a_recording(tree):
    for function in (assignment, plain_minimax, with_a_stack, cut_too_early, searching(start=0)):
        run = record(function, tree)
        assert len(str(run).splitlines()) >= len(run) + 2
        for name, state in run[len(run)].nodes.items():
            assert state.low <= minimax_value(tree[name]) <= state.high, (
                "what is proven is true in any case"
            )


# where nobody can say which node the variables belong to


def with_a_stack(root, alpha=-inf, beta=inf):
    order, waiting, value = [], [root], {}
    while waiting:
        node = waiting.pop()
        order.append(node)
        waiting.extend(node.children)
    for node in reversed(order):
        value[node.name] = (
            node.value
            if node.is_leaf
            else choose(node, [value[child.name] for child in node.children])
        )
    return value[root.name]


def in_threads(root):
    results = {}

    def work(child):
        results[child.name] = plain_minimax(child)

    workers = [threading.Thread(target=work, args=(child,)) for child in root.children]
    for worker in workers:
        worker.start()
        worker.join()
    return choose(root, results.values())


def two_plies_at_once(node):
    if node.is_leaf:
        return node.value
    values = []
    for child in node.children:
        below = [two_plies_at_once(each) for each in child.children]
        values.append(choose(child, below) if below else child.value)
    return choose(node, values)


@pytest.mark.parametrize("function", [with_a_stack, in_threads, two_plies_at_once])
@given(tree=trees(most=12).map(inner))
def test_the_leaves_of_a_stack_or_of_threads_are_shown_and_the_rest_is_dashes(function, tree):
    run, right = record(function, tree), trace(tree, search=minimax)
    assert run.value == right.value and sorted(run.leaves) == sorted(right.leaves)
    if function is in_threads or "skips_nodes" in run.options:
        assert {event[2:5] for event in run.events} == {(None, None, None)} and not run.cuts
        assert "left out" not in str(run) and "cut" not in summary(run), "it is not known"
    else:
        assert all(node.is_leaf for node in tree.root.children), "its root reads its own leaves"


# how it is called, and what its variables are


def test_variables_may_be_named_and_bounds_stand_anywhere():
    def named(n, least, most):
        if n.is_leaf:
            return n.value
        unusual = -inf if n.is_max else inf
        for child in n.children:
            unusual = choose(n, [unusual, named(child, least, most)])
            least, most = (max(least, unusual), most) if n.is_max else (least, min(most, unusual))
            if least >= most:
                return unusual
        return unusual

    def depth_first(n, depth=9, alpha=-inf, beta=inf):
        return assignment(n, alpha, beta)

    def with_defaults(n, alpha=-inf, beta=inf):
        return assignment(n, alpha, beta)

    tree = load("worked-example")
    assert flat(record(named, tree, alpha="least", beta="most", best="unusual")) == flat(
        trace(tree)
    )
    assert {event[2:5] for event in record(named, tree).events} == {(None, None, None)}, (
        "never a guess"
    )
    assert flat(record(depth_first, tree)) == flat(trace(tree))
    for function in (assignment, with_defaults):
        assert flat(record(function, tree, window=(3, 8))) == flat(trace(tree, alpha=3, beta=8))
    assert record(lambda n, depth=9, maximizing=True: 3, Tree([1, 2])).value == 3
    with_one_bound = record(lambda n, least=-inf: n.children[0].value, Tree([1, 2]), beta="least")
    assert str(with_one_bound).split("\n")[3].split()[:4] == ["2", "▼", "a1", "−∞"], (
        "also at a leaf"
    )


def test_a_sentence_names_the_function_that_runs():
    text = str(record(value_of, Tree([[3, 5], [2, 9]])))
    assert (
        "max_value is called at A, a MAX node, with" in text
        and "min_value is called at B, a MIN node, with" in text
    )
    text = str(record(functools.partial(assignment, alpha=-inf, beta=inf), Tree([3, 5])))
    assert (
        "A receives 3 from a1. Its best value goes from −∞ to 3." in text and "shortest" not in text
    )


@pytest.mark.parametrize(
    ("function", "options", "message"),
    [
        (3, {}, "cannot record 3; expected a function"),
        (lambda: 1, {}, "cannot be called: too many positional arguments; expected"),
        (
            lambda n, depth, alpha=-inf, beta=inf: 1,
            {},
            "cannot be called: missing a required argument: 'depth'; exp",
        ),
        (lambda n, *, alpha, beta: 1, {}, "cannot be called: .*; expected"),
        (plain_minimax, {"window": (0, 1)}, "takes no window; expected"),
        *(
            (assignment, {"seconds": bad}, "seconds is .*; expected")
            for bad in ("x", 0, -inf, float("nan"))
        ),
        *(
            (assignment, {"window": bad}, "window .*; expected")
            for bad in (3, (1, 1), (1, "x"), (1, 2, 3))
        ),
        (assignment, {"best": "zzz"}, "has no variable 'zzz'; expected"),
    ],
)
def test_what_cannot_be_recorded_is_refused_in_one_line(function, options, message):
    with pytest.raises(AbvizError, match=message) as refused:
        record(function, Tree([1, 2]), **options)
    assert "\n" not in str(refused.value)
    with pytest.raises(AbvizError, match="expected a Tree"):
        record(assignment, [[1, 2]])  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("returned", "value"),
    [
        (numpy.int64(3), 3), (numpy.float32(0.5), 0.5), (("move", 3), 3), ((None, numpy.int64(3)), 3), ((3, 4), None),
        (["move", 3], 3), ([3], None), (numpy.bool_(True), None), (True, None), (float("nan"), None),
        pytest.param(10**5000, None, id="too large"),
    ],
)  # fmt: skip
def test_a_returned_number_is_plain(returned, value):
    run = record(lambda n: returned, Tree([1, 2]))
    assert (
        (run.value, run.problem) == (value, "")
        and type(run.value) in (int, float, type(None))
        and str(run)
    )


# what a function may not do, and what becomes of it


def test_a_function_gets_nodes_that_show_no_more_and_leave_the_tree_alone():
    def look(node):
        public = {name for name in dir(node) if not name.startswith("_")}
        assert public == {
            "children",
            "is_leaf",
            "is_max",
            "name",
            "value",
        } and f"node {node.name}: " in repr(node)
        kept.append(node)
        return node.value if node.is_leaf else max(map(look, node.children))

    kept: list[Any] = []
    tree = Tree([1, 2])
    assert record(look, tree).value == 2 and [child.value for child in kept[0].children] == [1, 2]
    for text in (
        "node.value = 3",
        "node.children.clear()",
        "node.index",
        "node.best = 3",
        "node._node.value = 3",
    ):
        exec(f"def meddle(node):\n    {text}", names := {})
        problem = record(names["meddle"], tree).problem
        assert "Error" in problem or "nodes can't be changed" in problem, text
    assert [child.value for child in tree.root.children] == [1, 2]


@pytest.mark.parametrize("nested", [[3, 5], [[3, 5], [2, 9]]])
@pytest.mark.parametrize("is_wrapped", [False, True])
def test_a_search_without_a_leaf_case_visits_the_leaves_that_it_calls(nested, is_wrapped):
    def highest(node):
        return max((lowest(child) for child in node.children), default=-inf)

    def lowest(node):
        return min((highest(child) for child in node.children), default=inf)

    def minimax(node):
        return highest(node)

    run = record(minimax if is_wrapped else highest, Tree(nested))
    assert not run.cuts
    assert len(run.leaves) == len(list(Tree(nested).leaves()))


@pytest.mark.parametrize(
    ("error", "problem"),
    [
        (
            ValueError("one\ntwo\t\x1b[31mred"),
            "it raised ValueError: one two ␛[31mred (line {}: raise error)",
        ),
        (SystemExit(3), "it raised SystemExit: 3 (line {}: raise error)"),
        (NotImplementedError(), "it is not written yet"),
    ],
)
def test_an_exception_is_one_line_with_the_line_of_the_function(error, problem):
    def late(node, alpha, beta):
        if node.name == "E":
            raise error
        return (
            node.value
            if node.is_leaf
            else choose(node, [late(child, alpha, beta) for child in node.children])
        )

    run = record(late, load("figure-4.24"))
    assert run.problem == problem.format(late.__code__.co_firstlineno + 2)
    assert (run.value, run.leaves) == (None, ("D", "E"))
    assert sentence(run, len(run)) == f"late reaches leaf E, whose value is 5; {run.problem}."
    assert len(record(lambda n: [][n.name * 10**5], Tree([1, 2])).problem) < 500


def test_a_missing_value_leaves_the_picture_whole():
    def forgets(node, alpha, beta):
        if node.is_max:
            return (
                node.value
                if node.is_leaf
                else max(forgets(child, alpha, beta) for child in node.children)
            )

    def adds(node):
        return None if node.is_leaf else 1 + adds(node.children[0])

    run = record(adds, Tree([3, 5]))
    text = f"Leaf a1 is read: its value is 3, but — is returned for it; {run.problem}."
    assert sentence(run, len(run)) == text and "TypeError" in text
    assert record(forgets, load("figure-4.24")).options["nothing"] == "B"
    assert record(lambda node: None, Tree([1, 2])).problem == "it is not written yet"


def test_a_run_without_an_end_is_stopped():
    def forever(node, alpha, beta):
        while True:
            pass

    def deeper(node, alpha, beta):
        return deeper(node, alpha, beta)

    def wider(node):
        for _ in range(10**9):
            choose(node, [1])

    def stares(node):
        while node.children[0].value:
            pass

    def stubborn(node):
        while not over.is_set():
            try:  # noqa: SIM105
                choose(node, [1])
            except:  # noqa: E722
                pass

    over = threading.Event()
    tree, line = Tree([3, 5]), deeper.__code__.co_firstlineno + 1
    for function, seconds, problem in (
        (forever, 0.5, "it was stopped after 0.5 seconds"),
        (wider, 10, "it was stopped after 5,000 calls"),
        (stares, 10, "it was stopped after 5,000 calls"),
        (
            deeper,
            10,
            f"it called itself without end (line {line}: return deeper(node, alpha, beta))",
        ),
        (stubborn, 2, "it was stopped after 5,000 calls"),  # and goes on for all its seconds
    ):
        run = record(function, tree, seconds=seconds)
        assert run.problem == problem and run.value is None and str(run)
    over.set()
    assert (
        record(wider, Tree([[[*range(1_000)]] * 2])).problem == "it was stopped after 100,000 calls"
    )
    assert record(assignment, tree).value == 5


def test_a_run_leaves_profilers_and_tracers_as_they_were():
    def seen(frame, event, argument):
        return None

    def interrupted(node):
        raise KeyboardInterrupt

    tree, before = load("figure-4.24"), (sys.gettrace(), sys.getprofile())
    profiler = cProfile.Profile()
    profiler.enable()
    active = sys.getprofile()
    record(assignment, tree)
    assert sys.getprofile() is active
    assignment(tree.root, -inf, inf)
    profiler.disable()
    assert any(entry.code is assignment.__code__ for entry in profiler.getstats())
    sys.settrace(seen)
    sys.setprofile(seen)
    try:
        record(assignment, tree)
        with pytest.raises(KeyboardInterrupt):
            record(interrupted, tree)
        after = sys.gettrace(), sys.getprofile()
    finally:
        sys.settrace(before[0])
        sys.setprofile(before[1])
    assert after == (seen, seen)


# the source


def test_the_line_that_runs_is_lit_in_the_source():
    run = record(assignment, load("figure-4.24"))
    lines = write_down(run, OWN)
    assert ["    " * line.indent + line.text for line in lines] == inspect.getsource(
        assignment
    ).splitlines()
    lit: dict[str, set[str]] = {}
    for step in range(1, len(run) + 1):
        lit.setdefault(run.events_at(step)[0].kind, set()).add(
            lines[line_at(run, step, lines)].text
        )
    call = {"value = assignment(child, alpha, beta)"}
    assert lit == dict.fromkeys(("enter", "bv", "alpha", "beta"), call) | {
        "leaf": {"return node.value"}, "cut": {"return bv"}, "exit": {"return bv"},
    }  # fmt: skip
    pair = write_down(record(value_of, load("worked-example")), OWN)
    heads = [line.text for line in pair if line.text.startswith("def ")]
    assert heads == [
        f"def {name}(state, alpha, beta):" for name in ("value_of", "max_value", "min_value")
    ]


def test_a_source_that_is_lost_is_said_to_be():
    exec("def lost(node): return 3", names := {})
    run = record(names["lost"], Tree([3, 5]))
    (line,) = lines = write_down(run, OWN)
    assert (line.indent, line.text) == (0, NO_SOURCE)
    assert {line_at(run, step, lines) for step in range(len(run) + 1)} == {None}


def test_the_line_shown_last_is_the_one_that_raised():
    def search(node, alpha, beta):
        if node.is_leaf:
            return node.value
        values = [search(child, alpha, beta) for child in node.children]
        best = max(values)
        return best + missing  # noqa: F821

    source = record(search, Tree([[3, 5], [2, 9]])).options["source"]
    assert source.lines[source.running[-1]].strip().startswith("return best + missing")
