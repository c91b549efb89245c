"""Where a student's run parts from the reference: the first place, told rightly, and no right run is blamed."""

import base64
from dataclasses import replace
from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from abviz import AbvizError, Rules, Tree, alphabeta, check, draw, load, minimax, record, trace, watch
from abviz.recording.parting import Difference, first_difference, nearest_reference
from abviz.tracing.narration import sentence
from tests.strategies import rules, trees
from tests.test_recording import (
    Player,
    alternating,
    assignment,
    cut_too_early,
    negamax,
    plain_minimax,
    read_by_the_parent,
    two_plies_at_once,
    value_of,
    with_a_stack,
    with_frames,
    with_windows_by_name,
)

FIGURE = load("figure-4.24")
TIE = Tree({"B": {"D": 3, "E": 5}, "C": {"F": 3, "G": 9}}, root="A")


def strict(node, alpha, beta):
    if node.is_leaf:
        return node.value
    bv = -inf if node.is_max else inf
    for child in node.children:
        value = strict(child, alpha, beta)
        if node.is_max:
            bv = max(bv, value)
            alpha = max(alpha, bv)
            if bv > beta:
                break
        else:
            bv = min(bv, value)
            beta = min(beta, bv)
            if bv < alpha:
                break
    return bv


def no_deep_cuts(node, alpha, beta):
    if node.is_leaf:
        return node.value
    bv = -inf if node.is_max else inf
    for child in node.children:
        if node.is_max:
            bv = max(bv, no_deep_cuts(child, bv, inf))
            if bv >= beta:
                break
        else:
            bv = min(bv, no_deep_cuts(child, -inf, bv))
            if bv <= alpha:
                break
    return bv


def right_to_left(node, alpha, beta):
    if node.is_leaf:
        return node.value
    bv = -inf if node.is_max else inf
    for child in reversed(node.children):
        value = right_to_left(child, alpha, beta)
        bv = max(bv, value) if node.is_max else min(bv, value)
        alpha, beta = (max(alpha, bv), beta) if node.is_max else (alpha, min(beta, bv))
        if alpha >= beta:
            break
    return bv


def idle_bounds(node, alpha, beta):
    if node.is_leaf:
        return node.value
    choose = max if node.is_max else min
    return choose(idle_bounds(child, alpha, beta) for child in node.children)


def bounds_kept(root):
    bounds = [-inf, inf]

    def search(node):
        if node.is_leaf:
            return node.value
        bv = -inf if node.is_max else inf
        for child in node.children:
            value = search(child)
            bv = max(bv, value) if node.is_max else min(bv, value)
            if node.is_max:
                bounds[0] = max(bounds[0], bv)
            else:
                bounds[1] = min(bounds[1], bv)
            if bounds[0] >= bounds[1]:
                break
        return bv

    return search(root)


def fail_hard(node, alpha, beta):
    if node.is_leaf:
        return node.value
    for child in node.children:
        value = fail_hard(child, alpha, beta)
        if node.is_max:
            if value >= beta:
                return beta
            alpha = max(alpha, value)
        else:
            if value <= alpha:
                return alpha
            beta = min(beta, value)
    return alpha if node.is_max else beta


def half_hard(node, alpha, beta):
    if node.is_leaf:
        return node.value
    for child in node.children:
        value = half_hard(child, alpha, beta)
        if node.is_max:
            alpha = max(alpha, value)
        else:
            beta = min(beta, value)
        if alpha >= beta:
            break
    return alpha if node.is_max else beta


def off_by_one(node, alpha, beta):
    return node.value if node.is_leaf else assignment(node, alpha, beta) + 1


def reads_twice(node):
    if node.is_leaf:
        return node.value
    return (max if node.is_max else min)(reads_twice(child) for child in node.children for _ in range(2))


def raises(node, alpha, beta):
    if node.name == "E":
        raise ValueError("E")
    return node.value if node.is_leaf else max(raises(child, alpha, beta) for child in node.children)


WRONG = [
    strict,
    no_deep_cuts,
    right_to_left,
    idle_bounds,
    plain_minimax,
    bounds_kept,
    cut_too_early,
    off_by_one,
    raises,
]


# right runs


@pytest.mark.parametrize(
    ("function", "by"),
    [
        (assignment, alphabeta),
        (value_of, alphabeta),
        (read_by_the_parent, alphabeta),
        (Player().search, alphabeta),
        (plain_minimax, minimax),
        (with_a_stack, minimax),
        (with_frames, alphabeta),
        (with_windows_by_name, alphabeta),
        (two_plies_at_once, minimax),
    ],
)
@given(tree=trees())
def test_a_right_function_differs_nowhere(function, by, tree):
    if not tree.root.is_leaf:
        assert first_difference(record(function, tree), trace(tree, search=by)) is None


@given(tree=alternating())
def test_a_right_negamax_differs_nowhere(tree):
    assert first_difference(record(negamax, tree), trace(tree)) is None


@pytest.mark.parametrize("function", [strict, fail_hard, half_hard, lambda root: assignment(root, -inf, inf)])
@given(tree=trees(wins=False))
def test_other_forms_are_no_difference_where_their_rules_are_chosen(function, tree):
    found = record(function, tree)
    assert first_difference(found, nearest_reference(found, bounds=True)) is None
    assert first_difference(found, nearest_reference(found, bounds=False)) is None


# wrong ones: worked out by hand


@pytest.mark.parametrize(
    ("function", "tree", "expected"),
    [
        (strict, TIE, (15, 15, "G", "reads leaf G (9), where the reference cuts at C: bv = 3 ≤ α = 3.")),
        (
            no_deep_cuts,
            FIGURE,
            (10, 12, "F", "comes to F with α = −∞, where the reference comes with α = 3."),
        ),
        (right_to_left, FIGURE, (2, 2, "C", "comes to C, where the reference comes to B.")),
        (plain_minimax, FIGURE, (14, 17, "N", "reads leaf N (7), where the reference cuts at I: bv = 0 ≤ α = 3.")),
        (idle_bounds, FIGURE, (9, 11, "C", "comes to C with α = −∞, where the reference comes with α = 3.")),
        (bounds_kept, FIGURE, (9, 11, "A", "ends without searching C, where the reference comes to C.")),
        (cut_too_early, FIGURE, (5, 6, "B", "leaves B without searching E, where the reference reads leaf E (5).")),
        (off_by_one, TIE, (18, 18, "A", "returns 4 from A, where the reference returns 3.")),
        (raises, TIE, (5, 6, "E", "ends here (it raised ValueError: E), where the reference reads leaf E (5).")),
    ],
)
def test_the_place_and_the_words(function, tree, expected):
    assert first_difference(record(function, tree), trace(tree)) == Difference(*expected)


def test_what_is_done_again_and_what_is_returned_for_a_leaf():
    twice = first_difference(record(reads_twice, TIE), trace(TIE, search=minimax))
    assert twice.sentence == "reads leaf D (3) again, where the reference reads leaf E (5)."

    def nothing(node):
        found = [nothing(child) for child in node.children]
        return found[0] if found else None

    def zero(node):
        return 0 if node.is_leaf else min(zero(child) for child in node.children)

    for function, value in ((nothing, "no number"), (zero, "0")):
        found = first_difference(record(function, TIE), trace(TIE, search=minimax))
        assert found.sentence == f"returns {value} for leaf D, where the reference returns 3."


@pytest.mark.parametrize("function", [fail_hard, half_hard])
def test_what_a_node_returns_under_other_rules(function):
    tree = Tree({"B": {"D": 3, "E": 5}, "C": {"F": {"I": 0, "J": 1}, "H": 4}}, root="A")
    run = record(function, tree)
    assert first_difference(run, trace(tree)).sentence == "returns 3 from F, where the reference returns 1."
    parts = f"{function.__name__} returns 3 from F, where the reference returns 1."
    usual = f"By the usual rules it parts at step 17: {parts}"
    assert watch(function, tree).frames["says"][-1].endswith(f"fail-hard.) {usual}")
    asked_for = watch(function, tree, rules=Rules(fail_hard=True)).frames["says"][-1]
    assert asked_for.endswith("fail-hard.)"), "who asks for these rules is measured by no others"


# the first: before it all agrees, and there it does not


def done(run, end):
    """What was done in the steps before `end`, as the comparison is described, and not as it is made."""
    events = [event for step in range(1, end) for event in run.events_at(step)]
    return [
        (event.kind, event.node.name, event.value if event.kind in ("leaf", "exit") else None, *event[2:4])
        for event in events
        if event.kind in ("enter", "leaf", "cut", "exit")
    ]


def same(one, other):
    if one[0] == "enter":
        bounds = zip(one[3:], other[3:], strict=True)
        return one[:2] == other[:2] and all(None in pair or pair[0] == pair[1] for pair in bounds)
    return one[:3] == other[:3]


def agree(ones, others):
    return len(ones) == len(others) and all(map(same, ones, others))


@given(tree=trees(), function=st.sampled_from([*WRONG, assignment, value_of]), rules=rules())
def test_everything_before_the_difference_agrees(tree, function, rules):
    # Under fail-hard two numbers are right here and there, and what agrees is not so simply told.
    run, reference = record(function, tree), trace(tree, rules=replace(rules, fail_hard=False))
    found = first_difference(run, reference)
    if found is None:
        assert agree(done(run, len(run) + 1), done(reference, len(reference) + 1))
        return
    assert run.where(found.step).name == found.node
    if run.problem and "ends here" in found.sentence:  # what the exception left undone is no deed
        kept = done(reference, found.reference_step)
        assert agree(done(run, len(run) + 1)[: len(kept)], kept)
        return
    before = done(run, found.step), done(reference, found.reference_step)
    if found.sentence.endswith("where the reference has ended."):
        before = before[0], done(reference, len(reference) + 1)
    assert agree(*before)
    assert not agree(done(run, found.step + 1), done(reference, found.reference_step + 1))


@given(tree=trees(), function=st.sampled_from([*WRONG, fail_hard, half_hard]))
def test_no_other_rules_agree_longer(tree, function):
    run = record(function, tree)
    chosen = first_difference(run, nearest_reference(run, bounds=True))
    for other in (Rules(), Rules(strict=True), Rules(fail_hard=True), Rules(strict=True, fail_hard=True)):
        found = first_difference(run, trace(tree, rules=other))
        assert chosen is None or (found is not None and found.step <= chosen.step)


# in the stepper


def test_a_wrong_run_is_opened_where_it_parts():
    stepper = watch(idle_bounds, FIGURE)
    says = (
        "The first difference: idle_bounds comes to C with α = −∞, where the reference comes with α = 3. "
        "(The reference: alpha-beta, cut when bv = bound (≥, ≤), update, then test, fail-soft.)"
    )
    assert (stepper.step, stepper.frames["parting"]) == (9, 9)
    assert stepper.frames["says"][9].endswith(says)
    assert [step for step, told in enumerate(stepper.frames["says"]) if "difference" in told] == [9]
    assert stepper.frames["search"] == "recorded" and stepper.choices == {}


def test_the_difference_is_told_where_no_script_runs(monkeypatch, tmp_path):
    shown = []
    monkeypatch.setattr("IPython.display.display", lambda data, raw: shown.append(data))
    stepper = watch(cut_too_early, FIGURE)
    stepper._ipython_display_()
    assert "leaves B without searching E, where the reference reads leaf E (5)." in shown[1]["text/plain"]
    assert shown[1]["text/plain"] == sentence(stepper.trace, stepper.step)
    assert base64.b64decode(shown[1]["image/png"]) == draw(stepper.trace, stepper.step).pipe("png")
    page = stepper.export(tmp_path / "run.html").read_text(encoding="utf-8")
    assert "The first difference" in page[: page.index("<script")]
    assert "The first difference" in str(stepper.trace)


@pytest.mark.parametrize(
    ("function", "tree", "reference"),
    [
        (assignment, FIGURE, "alpha-beta, cut when bv = bound (≥, ≤), update, then test, fail-soft"),
        (value_of, FIGURE, "alpha-beta, cut when bv = bound (≥, ≤), test, then update, fail-soft"),
        (strict, TIE, "alpha-beta, cut only beyond the bound (>, <), update, then test, fail-soft"),
        (plain_minimax, FIGURE, "minimax"),
        (with_a_stack, FIGURE, "minimax"),
        (
            lambda root: assignment(root, -inf, inf),
            TIE,
            "alpha-beta, cut when bv = bound (≥, ≤), update, then test, fail-soft",
        ),
    ],
)
def test_a_right_run_is_opened_at_its_end_and_says_by_which_rules(function, tree, reference):
    stepper = watch(function, tree)
    assert (stepper.step, stepper.frames["parting"]) == (len(stepper.trace), None)
    told = f"No difference from the reference. (The reference: {reference}.)"
    if function is strict:
        difference = first_difference(stepper.trace, trace(tree))
        told += f" By the usual rules it parts at step {difference.step}: strict {difference.sentence}"
    assert stepper.frames["says"][-1].endswith(told)


def test_the_rules_and_the_names_may_be_told():
    stepper = watch(strict, TIE, rules=Rules())
    assert "reads leaf G (9), where the reference cuts at C" in sentence(stepper.trace, stepper.step)

    def search(n, least, most):
        return strict(n, least, most)

    assert watch(search, TIE, alpha="least", beta="most").frames["parting"] is None
    for wrong in ({"alpha": "nowhere"}, {"calls": 0}):
        with pytest.raises(AbvizError, match="expected"):
            watch(assignment, TIE, **wrong)
    with pytest.raises(AbvizError, match="expected a Tree"):
        watch(assignment, [[3, 5], [2, 9]])


def unwritten(node, alpha, beta):
    raise NotImplementedError("not written yet")


def half_written(node, alpha, beta):
    if node.is_leaf:
        return node.value
    if node.is_max:
        return max(half_written(child, alpha, beta) for child in node.children)
    raise NotImplementedError


@pytest.mark.parametrize("function", [unwritten, lambda node, alpha, beta: None])
def test_what_is_not_written_yet_is_said_in_one_line_and_cuts_nothing(function):
    stepper = watch(function, FIGURE)
    assert stepper.trace.cuts == () and stepper.frames["parting"] is None
    assert stepper.frames["says"][stepper.step].endswith("it is not written yet. There is nothing to compare so far.")


def test_what_is_written_in_part_ends_where_it_is_not():
    stepper = watch(half_written, FIGURE)
    assert (stepper.trace.cuts, stepper.trace.where(stepper.step).name) == ((), "B")
    assert "it is not written yet" in stepper.frames["says"][stepper.step]
    assert "ends here (it is not written yet), where the reference reads leaf D" in stepper.frames["says"][stepper.step]


def nothing_for_min(node, alpha, beta):
    if node.is_leaf:
        return node.value
    if node.is_max:
        return max(nothing_for_min(child, alpha, beta) for child in node.children)


def test_the_node_for_which_nothing_is_returned_is_the_first_difference():
    stepper = watch(nothing_for_min, FIGURE)
    assert "returns no number from B, where the reference reads leaf D (3)." in stepper.frames["says"][stepper.step]
    assert stepper.trace.problem.startswith("it raised TypeError") and stepper.trace.cuts == ()


def test_a_run_with_a_window_is_compared_with_the_reference_in_the_same():
    stepper = watch(assignment, FIGURE, window=(4, 6))
    assert stepper.frames["says"][-1].endswith("fail-soft.)") and stepper.frames["parting"] is None
    assert "alpha-beta with the window (4, 6), cut when" in stepper.frames["says"][-1]
    assert told_by_name(stepper.trace) == told_by_name(trace(FIGURE, alpha=4, beta=6))
    again = watch(off_by_one, FIGURE, window=(4, 6))
    assert again.frames["parting"] is not None


def told_by_name(run):
    return [(event.kind, event.node.name, *event[2:]) for event in run.events]


@pytest.mark.parametrize(("to_move", "window"), [("max", (2, 6)), ("min", (-6, -2))])
def test_a_negamax_has_the_window_of_whoever_moves(to_move, window):
    tree = Tree([[3, 5], [[[0, 7], 5], [7, 8]]], to_move=to_move)
    found = record(negamax, tree, window=window)
    assert told_by_name(found) == told_by_name(trace(tree, alpha=2, beta=6))
    assert first_difference(found, nearest_reference(found, bounds=True)) is None


def backwards(node, beta, alpha):
    if node.is_leaf:
        return node.value
    return max(backwards(child, beta, alpha) for child in node.children)


def test_a_function_that_names_its_bounds_backwards_is_called_by_place_as_check_does():
    entered = record(backwards, FIGURE).events[0]
    assert (entered.alpha, entered.beta) == (inf, -inf)
    assert "comes to A with α = ∞, β = −∞, where" in watch(backwards, FIGURE).frames["says"][1]


@pytest.mark.parametrize("window", [(1, 1), (2, 1), 3, (1, 2, 3), ("a", "b"), (None, 1), (float("nan"), 2)])
def test_a_window_is_checked(window):
    with pytest.raises(AbvizError, match=r"^window is .*expected a pair of numbers"):
        record(assignment, FIGURE, window=window)


def test_a_window_is_for_a_function_that_takes_one():
    with pytest.raises(AbvizError, match="takes no window; expected a function f"):
        record(plain_minimax, FIGURE, window=(0, 1))


def of_a_window(node, *window):
    lower_end, upper_end = window
    if node.is_leaf:
        return node.value
    best = -inf if node.is_max else inf
    for child in node.children:
        value = of_a_window(child, lower_end, upper_end)
        best = max(best, value) if node.is_max else min(best, value)
        if node.is_max:
            lower_end = max(lower_end, best)
        else:
            upper_end = min(upper_end, best)
        if lower_end >= upper_end:
            break
    return best


def of_an_open_window(node, *window):
    """It never closes."""
    lo, hi = window
    if node.is_leaf:
        return node.value
    values = [of_an_open_window(child, lo, hi) for child in node.children]
    return max(values) if node.is_max else min(values)


def minimax_of_anything(node, *args):
    if node.is_leaf:
        return node.value
    return (max if node.is_max else min)(minimax_of_anything(child, *args) for child in node.children)


def with_a_depth(node, *args):
    (depth,) = args or (9,)
    if node.is_leaf:
        return node.value
    return (max if node.is_max else min)(with_a_depth(child, depth - 1) for child in node.children)


def with_a_path(node, *path):
    assert all(isinstance(name, str) for name in path)
    if node.is_leaf:
        return node.value
    return (max if node.is_max else min)(with_a_path(child, *path, node.name) for child in node.children)


@pytest.mark.parametrize("function", [with_a_depth, with_a_path])
def test_other_arguments_are_no_window(function):
    found = record(function, FIGURE)
    assert (found.problem, found.value) == ("", trace(FIGURE).value)


def test_what_takes_two_of_any_number_of_arguments_is_handed_the_window():
    for window in ((-inf, inf), (3, 6)):
        found = record(of_a_window, FIGURE, window=window)
        real = trace(FIGURE, alpha=window[0], beta=window[1])
        assert (found.problem, found.value, found.leaves) == ("", real.value, real.leaves)
    named = record(of_an_open_window, FIGURE, window=(3, 6)).events[0]
    assert (named.alpha, named.beta) == (3, 6)


def test_and_is_compared_with_the_search_that_it_is():
    for function, search in ((of_a_window, "alpha-beta"), (minimax_of_anything, "minimax")):
        told = watch(function, FIGURE).trace.options["remark"][1]
        assert told.startswith(f"No difference from the reference. (The reference: {search}"), told


def test_a_decorator_with_such_arguments_hands_on_what_is_taken():
    def passing_on(function):
        def wrapper(node, *args):
            return function(node, *args)

        return wrapper

    assert record(passing_on(plain_minimax), FIGURE).value == trace(FIGURE).value
    assert record(passing_on(assignment), FIGURE).leaves == trace(FIGURE).leaves


def test_so_does_a_decorator_that_counts_on_itself():
    def counting(function):
        def counted(*args):
            counted.calls += 1
            return function(*args)

        counted.calls = 0
        return counted

    search = counting(assignment)
    assert record(search, FIGURE).leaves == trace(FIGURE).leaves and search.calls == 1


def test_what_else_a_function_with_such_arguments_needs_is_told():
    def deepening(node, *window, depth):
        alpha, beta = window
        return alpha, beta, depth

    with pytest.raises(AbvizError, match="also needs depth"):
        record(deepening, FIGURE)


def test_a_wrong_answer_with_such_arguments_is_shown_as_it_was_checked():
    said = check("alphabeta", of_an_open_window)
    assert said.mistake == "minimax" and said.trace is not None and not said.trace.problem
    assert said.trace.leaves == tuple(leaf.name for leaf in said.tree.leaves())


def test_a_search_that_is_no_recording_has_no_such_mark():
    assert watch(assignment, Tree(3)).frames["parting"] is None
    stepper = watch(lambda node: 7, Tree({"B": 1, "C": 2}, root="A"))
    assert stepper.frames["says"][stepper.step].count("The first difference") == 1


def test_a_move_that_is_returned_with_the_value_is_said_not_to_be_compared():
    def best_move(node):
        return assignment(node, -inf, inf), node.children[-1].name

    told = watch(best_move, FIGURE).trace.options["remark"][1]
    assert "No difference from the reference in what it searches and in values (what else it returns is not" in told
    assert "No difference from the reference. " in watch(assignment, FIGURE).trace.options["remark"][1]
