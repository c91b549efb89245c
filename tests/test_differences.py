"""Where a student's run first differs from the reference: the right place in true words, and no
right run is blamed.
"""

from dataclasses import replace
from math import inf

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from abviz import AbvizError, Rules, Tree, check, load, record, trace, watch
from abviz.errors import number
from abviz.recording.differences import (
    ALL_RULES,
    FAIL_HARD,
    OWN_BOUND,
    STRICT,
    compare_with_reference,
    first_difference,
    nearest_reference,
)
from abviz.recording.functions import as_number
from abviz.tracing.narration import proven, proven_beside, sentence
from abviz.views.drawing import draw
from tests.strategies import rules, trees
from tests.test_recording import (
    MINIMAX,
    WITHOUT_BEST,
    alternating,
    assignment,
    choose,
    cut_too_early,
    inner,
    negamax,
    plain_minimax,
    searching,
    strict,
    two_plies_at_once,
    with_a_stack,
)

FIGURE = load("figure-4.24")
TIE = Tree({"B": {"D": 3, "E": 5}, "C": {"F": 3, "G": 9}}, root="A")


def right_to_left(node, alpha, beta):
    return (
        node.value
        if node.is_leaf
        else choose(node, [right_to_left(c, alpha, beta) for c in node.children[::-1]])
    )


def half_hard(node, alpha, beta):
    if node.is_leaf:
        return node.value
    for child in node.children:
        if node.is_max:
            alpha = max(alpha, half_hard(child, alpha, beta))
        else:
            beta = min(beta, half_hard(child, alpha, beta))
        if alpha >= beta:
            break
    return alpha if node.is_max else beta


def off_by_one(node, alpha, beta):
    return node.value if node.is_leaf else assignment(node, alpha, beta) + 1


def reads_twice(node):
    return (
        node.value
        if node.is_leaf
        else choose(node, [reads_twice(c) for c in node.children for _ in range(2)])
    )


def nothing_for_min(node, alpha, beta):
    if node.is_leaf:
        return node.value
    return (
        max(nothing_for_min(child, alpha, beta) for child in node.children) if node.is_max else None
    )


def raises(node, alpha, beta):
    if node.name == "E":
        raise ValueError("E")
    return (
        node.value if node.is_leaf else max(raises(child, alpha, beta) for child in node.children)
    )


def in_a_dictionary(node):
    values = [in_a_dictionary(child)["value"] for child in node.children]
    return {"value": choose(node, values) if values else node.value}


full = searching(full=True)


@pytest.mark.parametrize(
    ("function", "search"),
    [*WITHOUT_BEST, (in_a_dictionary, MINIMAX), (two_plies_at_once, MINIMAX)],
)
@given(tree=trees().map(inner))
@settings(max_examples=30)
def test_a_right_function_differs_nowhere(function, search, tree):
    run = record(function, tree)
    assert first_difference(run, trace(tree, **search)) is None
    assert compare_with_reference(run).options["remark"][1].startswith("Your run matches our ")


@pytest.mark.parametrize("function", [half_hard, lambda root: assignment(root, -inf, inf)])
@given(tree=trees(wins=False))
@settings(max_examples=30)
def test_the_rules_are_those_with_which_a_run_agrees_longest(function, tree):
    run = record(function, tree)
    assert first_difference(run, nearest_reference(run)) is None


@given(tree=alternating(), window=st.sampled_from([(-inf, inf), (-3, 2), (0, 1)]))
@settings(max_examples=30)
def test_a_negamax_is_compared_with_the_window_of_whoever_moves(tree, window):
    run = record(negamax, tree, window=window, negamax=True)
    assert first_difference(run, nearest_reference(run, Rules())) is None
    # Turned back
    run = record(lambda node, a, b: -negamax(node, -b, -a), Tree([[3, 5], [2, 9]], to_move="min"))
    assert run.value == 5 and compare_with_reference(run).options["remark"][1].startswith(
        "Your run matches our alpha-beta: the same nodes in the same order"
    )


@pytest.mark.parametrize(
    ("function", "tree", "step", "words"),
    [
        (strict, TIE, 15, "reads leaf G (9), where ours cuts at C: bv = 3 ≤ α = 3."),
        (full, FIGURE, 11, "enters C with α = −∞, β = ∞, where ours enters C with α = 3, β = ∞."),
        (right_to_left, FIGURE, 2,
         "enters C with α = −∞, β = ∞, where ours enters B with α = −∞, β = ∞."),
        (cut_too_early, FIGURE, 5, "leaves B without searching E, where ours reads leaf E (5)."),
        (off_by_one, TIE, 18, "returns 4 from A; ours returns 3."),
        (raises, TIE, 5, "reads leaf E (5) and returns no number for it, where ours reads leaf E (5)."),
        (reads_twice, TIE, 5, "reads leaf D (3), where ours reads leaf E (5)."),
        (nothing_for_min, TIE, 3, "returns no number from B, where ours reads leaf D (3)."),
        (half_hard, Tree({"B": {"D": 3}, "C": {"F": {"I": 0, "J": 1}, "H": 4}}, root="A"), 15,
         "returns 3 from F; ours returns 1."),
    ],
)  # fmt: skip
def test_the_place_and_the_words(function, tree, step, words):
    assert first_difference(record(function, tree), trace(tree)) == (step, words)


def done(run, end):
    """Return what was done in the steps before `end`, as the comparison is described."""
    events = [event for step in range(1, end) for event in run.events_at(step)]
    kinds = ("enter", "leaf", "cut", "exit")
    return [
        (e.kind, e.node.name, e.value if e.kind in kinds[1::2] else None)
        for e in events
        if e.kind in kinds
    ]


@given(
    tree=trees(),
    function=st.sampled_from(
        [strict, full, right_to_left, cut_too_early, off_by_one, searching(start=0)]
    ),
    rules=rules().map(lambda each: replace(each, fail_hard=False, right_to_left=False)),
)
@settings(max_examples=30)
def test_everything_before_the_difference_agrees(tree, function, rules):
    run, reference = record(function, tree), trace(tree, rules=rules)
    difference = first_difference(run, reference)
    if difference is None:
        assert done(run, len(run) + 1) == done(reference, len(reference) + 1)
    elif "ends here" not in difference.sentence and "has ended" not in difference.sentence:
        agreed = done(run, difference.step)
        assert agreed == done(reference, len(reference) + 1)[: len(agreed)]
    nearest = first_difference(run, nearest_reference(run))
    assert nearest is None or (difference is not None and difference.step <= nearest.step)


def under(rules):
    """Return alpha-beta under these rules, as a function of a student's."""

    def search(node, alpha, beta):
        if node.is_leaf:
            return node.value
        low, high = alpha, beta
        best = -inf if node.is_max else inf
        for child in node.children:
            best = choose(node, [best, search(child, alpha, beta)])
            cut = rules.reaches(best, beta if node.is_max else alpha, node.is_max)
            if not (cut and rules.test_first):
                alpha, beta = (max(alpha, best), beta) if node.is_max else (alpha, min(beta, best))
            if cut:
                break
        return max(low, min(high, best)) if rules.fail_hard else best

    return search


SAME_NODES = "the same nodes in the same order"
SAME_NUMBERS = "and the same numbers returned"


def test_a_wrong_run_opens_at_the_difference():
    stepper = watch(full, FIGURE)
    assert (stepper.step, stepper.spec["search"]["parting"]) == (11, 11)
    says = (
        "The first difference: your search enters C with α = −∞, β = ∞, "
        "where ours enters C with α = 3, β = ∞. (Ours:"
    )
    assert [
        step for step in range(len(stepper.trace) + 1) if says in sentence(stepper.trace, step)
    ] == [11]
    assert says in sentence(stepper.trace, 11) and says in str(stepper.trace)


@pytest.mark.parametrize(
    ("function", "options", "reference"),
    [
        (assignment, {}, f"alpha-beta: {SAME_NODES}, {SAME_NUMBERS}."),
        (
            assignment,
            {"window": (4, 6)},
            f"alpha-beta with the window (4, 6): {SAME_NODES}, {SAME_NUMBERS}.",
        ),
        (
            under(Rules(fail_hard=True)),
            {"rules": Rules(fail_hard=True)},
            f"alpha-beta: {SAME_NODES}, {SAME_NUMBERS}. "
            "The rules: cut on ties (≥, ≤), update α/β before testing, fail-hard.",
        ),
        (plain_minimax, {}, f"minimax: {SAME_NODES}, {SAME_NUMBERS}."),
        (two_plies_at_once, {}, "minimax: the same leaves in the same order, and the same result."),
        (
            lambda root: (assignment(root, -inf, inf), "move"),
            {},
            f"alpha-beta: {SAME_NODES}, {SAME_NUMBERS}.",
        ),
    ],
)
def test_a_right_run_opens_at_its_end_and_says_what_is_the_same(function, options, reference):
    stepper = watch(function, FIGURE, **options)
    text = sentence(stepper.trace, len(stepper.trace))
    assert (stepper.step, stepper.spec["search"].get("parting")) == (len(stepper.trace), None)
    assert text.endswith(f" Your run matches our {reference}")
    assert "Your run matches our minimax" in str(watch(in_a_dictionary, FIGURE).trace)


def test_a_run_of_which_only_the_leaves_are_known_has_no_rules():
    text = str(watch(with_a_stack, Tree([[3, 3], [3, 9]])).trace)
    assert "Your run matches our minimax: the same leaves in the same order" in text


def test_unusual_rules_are_named_and_what_is_not_written_is_said():
    assert f"But it follows other rules than the usual ones: {STRICT}." in str(
        watch(strict, TIE).trace
    )
    assert watch(strict, TIE, rules=Rules()).spec["search"]["parting"] == 15

    def unwritten(node, alpha, beta):
        raise NotImplementedError

    for function in (unwritten, lambda node, alpha, beta: None):
        stepper = watch(function, FIGURE)
        assert stepper.trace.cuts == () and "parting" not in stepper.spec["search"]
        assert sentence(stepper.trace, stepper.step).endswith("There is nothing to compare yet.")
    assert "parting" not in watch(assignment, Tree(3)).spec["search"]
    with pytest.raises(AbvizError, match="expected a Tree"):
        watch(assignment, [[3, 5], [2, 9]])  # type: ignore[arg-type]


def own_bound(node, alpha, beta):
    best = half_hard(node, alpha, beta)
    return node.value if node.is_leaf else best


# A tie, and nodes whose values lie outside their windows.
TELLING = Tree([[5, [8, 7]], [5, 9], [[0, 1], 9], [2, 9]])


@pytest.mark.parametrize(
    ("function", "phrases"),
    [
        *((under(r), [STRICT] * r.strict + [FAIL_HARD] * r.fail_hard) for r in ALL_RULES),
        (own_bound, [OWN_BOUND]),
    ],
)
def test_check_and_watch_say_the_same_of_other_rules(function, phrases):
    verdict = check("alphabeta", function)
    says = str(watch(function, TELLING).trace.options["remark"][1])
    assert says.startswith("Your run matches our ")
    assert ("follows other rules" not in says) == bool(verdict)
    for phrase in (STRICT, FAIL_HARD, OWN_BOUND):
        assert (phrase in says) == (phrase in str(verdict)) == (phrase in phrases)


# Ways to take a window: `search(child, alpha, beta)` is the call within.
TAKES_ANYTHING = {
    "all in *args": ("*everything", "node, alpha, beta = everything"),
    "the window in *args": ("node, *window", "alpha, beta = window"),
    "the window by its places": ("node, *w", "alpha, beta = w[0], w[1]"),
    "beta in *args": ("node, alpha, *rest", "beta, = rest"),
    "*args and **options": ("node, *window, **options", "alpha, beta = window"),
}
ONLY_BY_NAME = {
    "keywords": ("node, *, alpha=-inf, beta=inf", "pass"),
    "keywords that have to be given": ("node, *, alpha, beta", "pass"),
    "any keywords": ("node, **k", "alpha, beta = k.get('alpha', -inf), k.get('beta', inf)"),
}


def search_with(parameters, first, call, cut="alpha >= beta"):
    names = {"inf": inf}
    text = f"""
def search({parameters}):
    {first}
    if node.is_leaf:
        return node.value
    best = -inf if node.is_max else inf
    for child in node.children:
        value = search({call})
        if node.is_max:
            best = max(best, value)
            alpha = max(alpha, best)
        else:
            best = min(best, value)
            beta = min(beta, best)
        if {cut}:
            break
    return best
"""
    exec(text, names)
    return names["search"]


def says_of(function, tree):
    return str(watch(function, tree).trace.options["remark"][1])


@pytest.mark.parametrize("way", TAKES_ANYTHING)
def test_a_window_in_args_is_handed_over_as_check_does(way):
    right = search_with(*TAKES_ANYTHING[way], "child, alpha, beta")
    assert check("alphabeta", right)
    for tree in (FIGURE, TIE, TELLING):
        assert says_of(right, tree).startswith("Your run matches our ")
    assert (
        record(right, TELLING, window=(2, 6)).value
        == record(assignment, TELLING, window=(2, 6)).value
    )

    never_cuts = search_with(*TAKES_ANYTHING[way], "child, alpha, beta", cut="False")
    assert not check("alphabeta", never_cuts)
    if way != "all in *args":  # whose calls can't be followed
        assert "The first difference" in says_of(never_cuts, FIGURE)


def test_args_that_take_no_window_are_called_without():
    def wrapped(function):
        return lambda *args, **options: function(*args, **options)

    def with_rest(node, *rest):
        return (
            node.value
            if node.is_leaf
            else choose(node, [with_rest(c, *rest) for c in node.children])
        )

    def with_depth(node, depth=9, *rest):
        if node.is_leaf or depth <= 0:
            return node.value
        return choose(node, [with_depth(child, depth - 1) for child in node.children])

    for function in (wrapped(plain_minimax), with_rest, with_depth):
        assert check("minimax", function)
        assert says_of(function, FIGURE).startswith("Your run matches our ")
    assert check("alphabeta", wrapped(assignment))
    assert says_of(wrapped(assignment), FIGURE).startswith("Your run matches our ")


@pytest.mark.parametrize("way", ONLY_BY_NAME)
def test_a_window_only_by_name_is_said_or_refused_as_check_does(way):
    function = search_with(*ONLY_BY_NAME[way], "child, alpha=alpha, beta=beta")
    assert "TypeError" in check("alphabeta", function).message

    if way == "keywords that have to be given":
        with pytest.raises(
            AbvizError, match=r"cannot be called: too many positional arguments; expected"
        ):
            watch(function, FIGURE)
        return

    # It is a right search, which no exercise can call: both are said.
    says = says_of(function, FIGURE)
    assert says.startswith("Your run matches our ")
    assert says.endswith(
        "It takes α and β only by name, so it was called without them; "
        "an exercise calls f(node, alpha, beta)."
    )


# Trees of the student's own, made before the search: the leaves are bare values.
OWN_TREES = {
    "name and children": lambda node, below: (node.name, below),
    "children and name": lambda node, below: [below, node.name],
    "player and children": lambda node, below: (node.is_max, below),
    "number and children": lambda node, below: (len(below), below),
    "children alone": lambda node, below: below,
    "in a triple": lambda node, below: (node.name, None, below),
    "name and pairs": lambda node, below: (node.name, [(None, each) for each in below]),
}


@pytest.mark.parametrize("own", OWN_TREES)
def test_a_tree_of_the_students_own_is_no_number(own):
    def leaves(node):
        if node.is_leaf:
            return node.value
        return OWN_TREES[own](node, [leaves(child) for child in node.children])

    def search(node):
        leaves(node)
        return plain_minimax(node)

    tree = Tree([[18, [0]], [[[7]], 3]])
    assert check("minimax", search)
    assert says_of(search, tree).startswith("Your run matches our ")
    alone = record(leaves, tree)
    assert {event.value for event in alone.events if event.kind == "exit"} == {None}


@pytest.mark.parametrize(
    ("held", "shown"),
    [
        ((3, "a"), 3), (("a", 3), 3), ((3, None), 3), ([3, ["B", "D"]], 3), ((3, []), 3), ((inf, ()), inf),
        (("a", [3]), None), (("a", (3, "b")), None), ((3, [4, 5]), None), ((3, [["B"]]), None),
        ((True, [3]), None), ((True, 3), 3), ((True, False), None), ((3, 4), None), ((3,), None),
        (("a", 3, [0]), None), ([[3]], None),
    ],
)  # fmt: skip
def test_only_a_flat_pair_holds_a_number(held, shown):
    assert as_number(held) == shown


def zero_for_min(node):
    if node.is_leaf:
        return node.value
    values = [zero_for_min(child) for child in node.children]
    return max(values) if node.is_max else 0


@given(tree=trees(wins=False).map(inner))
@settings(max_examples=30)
def test_a_sign_beside_a_node_never_speaks_against_what_a_run_returned(tree):
    run = record(zero_for_min, tree)
    for step in range(len(run) + 1):
        for node in tree.nodes:
            returned = run.node_at(node, step).value
            if node.is_leaf or returned is None:
                continue
            if proven_beside(run, node, step) != number(returned):
                state = run.last_visit(node, step)
                assert returned in (state.low, state.high)


@pytest.mark.parametrize("function", [plain_minimax, assignment])
@given(tree=trees(wins=False).map(inner))
@settings(max_examples=30)
def test_beside_the_nodes_of_a_right_run_is_what_is_proven(function, tree):
    run = record(function, tree)
    for step in range(len(run) + 1):
        for node in tree.nodes:
            assert proven_beside(run, node, step) == proven(run.last_visit(node, step))


def test_a_run_shows_what_it_returned_where_that_is_not_the_value():
    run = record(zero_for_min, TIE)
    returned = {
        event.node.name: step
        for step in range(1, len(run) + 1)
        for event in run.events_at(step)
        if event.kind == "exit"
    }
    shown = {name: proven_beside(run, TIE[name], step) for name, step in returned.items()}
    assert shown == {"B": "0", "C": "0", "A": "0"}
    assert proven_beside(run, TIE["A"], returned["C"]) == "", "A got 0 from B, which is worth 3"
    assert "returns 0 from B; ours returns 3." in compare_with_reference(run).options["remark"][1]
    assert "<b>0</b>" in draw(run, returned["B"]).source
    assert "= 3" not in draw(run, returned["B"]).source
