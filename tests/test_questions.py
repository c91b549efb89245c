"""The questions before the steps, against a small search that asks as it goes, and against the
trace.
"""

import re
from math import inf
from typing import Any

import pytest
from hypothesis import given, settings

from abviz import load, record, shipped
from abviz.errors import number
from abviz.tracing.narration import sentence
from abviz.tracing.shows import SHOWS
from abviz.tracing.traces import Trace
from tests import strategies
from tests.questions import CUTS, FEW, GOES_ON, RETURNS, Question, kinds_of, name, questions_before
from tests.solutions import writing

FIGURE = load("figure-4.24")
Asked = tuple[str, str, Any]  # kind, the node that it is about, what is right


def all_questions(trace: Trace) -> list[Question]:
    return [
        question for step in range(len(trace) + 1) for question in questions_before(trace, step)
    ]


def read(text: str) -> float:
    return float(text.replace("−", "-").replace("∞", "inf"))


def in_short(question: Question) -> Asked:
    right = question.right
    if isinstance(right, str):
        return question.kind, question.node.name, read(right)
    return (
        question.kind,
        question.node.name,
        {each if isinstance(each, int) else each.name for each in right},
    )


def by_searching(searched: Trace) -> list[Asked]:
    """What is to be asked, and what is right, by searching the tree once more, in plain alpha-beta
    or minimax.
    """
    rules, options = searched.rules, searched.options
    bounded, stops = searched.search == "alphabeta", bool(options.get("early_stop"))
    asked: list[Asked] = []

    def search(node: Any, alpha: float, beta: float, left: float) -> float:
        if node.is_leaf or left == 0:
            return node.value
        received = alpha, beta
        best = -inf if node.is_max else inf
        children = list(reversed(node.children)) if rules.right_to_left else list(node.children)

        def ask(kind: str, right: Any) -> None:
            asked.append((kind, node.name, right))

        def ask_of_cut(reached: bool, rest: list[Any]) -> None:
            if (rest and (bounded or stops)) or (bounded and reached):
                ask("cut", {CUTS if reached and rest else GOES_ON if rest else RETURNS})
            if reached and rest:
                if bounded:
                    by_alpha = not node.is_max
                    ask("kind", {0 if by_alpha != rules.name_by_node else 1})
                ask("skipped", {child.name for child in rest})

        while children:
            value = search(children.pop(0), alpha, beta, left - 1)
            best = max(best, value) if node.is_max else min(best, value)
            ask("bv", best)
            wall = beta if node.is_max else alpha
            beyond = best > wall if node.is_max else best < wall
            reached = (
                (beyond or (best == wall and not rules.strict))
                if bounded
                else stops and abs(best) == inf
            )
            reached = reached and (bounded or (best > 0) == node.is_max)
            if rules.test_first:
                ask_of_cut(reached, children)
            if bounded and not (rules.test_first and reached):
                own, place = (alpha, 0) if node.is_max else (beta, 1)
                moves = best > own if node.is_max else best < own
                ask("bound", {place} if moves else {2, place} if best == own else {2})
                if node.is_max:
                    alpha = max(alpha, best)
                else:
                    beta = min(beta, best)
            if not rules.test_first:
                ask_of_cut(reached, children)
            if reached:
                break
        if rules.fail_hard and bounded:
            best = sorted((received[0], best, received[1]))[1]
        ask("returned", best)
        return best

    depth = inf if searched.depth is None else searched.depth
    search(searched.tree.root, options.get("alpha", -inf), options.get("beta", inf), depth)
    return asked


@settings(max_examples=2 * settings.default.max_examples)
@given(strategies.traces(narrow=True, plain=True))
def test_all_is_asked_that_there_is_to_ask_and_the_right_answers_are_right(searched: Trace) -> None:
    assert [in_short(question) for question in all_questions(searched)] == by_searching(searched)


@settings(max_examples=100)
@given(strategies.traces(narrow=True, plain=True))
def test_there_is_always_something_to_choose_and_a_reason(searched: Trace) -> None:
    for question in all_questions(searched):
        text = question.text
        assert text.endswith("?") and not re.search(r"[{}]", text)
        assert name(searched, question.node) in text
        assert len(question.reasons) == (1 if question.nodes else len(question.choices) or 1)
        assert len(set(question.reasons)) == len(question.reasons), "a reason for each choice"
        assert all(re.fullmatch(r"[^{}]+\.", reason) for reason in question.reasons)
        if isinstance(question.right, str):
            assert question.choices == ()
            assert read(question.right) == read(question.right), "a number"
        elif question.kind == "skipped":
            assert set(question.right) < set(question.nodes), "and one that is not skipped"
            assert len(question.nodes) <= max(FEW, len(question.node.children))
            assert all(
                searched.node_at(each, question.step - 1).state != "skipped"
                for each in question.nodes
            )
        else:
            assert all(0 <= each < len(question.choices) for each in question.right)
            assert len(set(question.choices)) == len(question.choices)


@settings(max_examples=100)
@given(strategies.traces(narrow=True))
def test_no_question_gives_away_the_next_one(searched: Trace) -> None:
    """Before one step there are up to four: neither words nor reason of one tell what is right in
    those after it.
    """
    for step in range(len(searched) + 1):
        asked = questions_before(searched, step)
        kinds = [question.kind for question in asked]
        assert len(kinds) == len(set(kinds))
        for question in asked[: kinds.index("kind") if "kind" in kinds else 0]:
            if question.kind == "cut":
                assert not re.search("[αβ]", " ".join((question.text, *question.reasons)))
        for question in asked[: kinds.index("skipped") if "skipped" in kinds else 0]:
            assert not re.search("skip", " ".join(question.reasons))
        if "bound" in kinds and "cut" in kinds:
            bound = asked[kinds.index("bound")]
            assert kinds.index("bound") < kinds.index("cut") or searched.rules.test_first
            assert not re.search(r"\bcut", " ".join((bound.text, *bound.reasons)))


@settings(max_examples=100)
@given(strategies.traces(narrow=True))
def test_no_sentence_is_said_twice(searched: Trace) -> None:
    """Not by a question, its reasons and the sentence of its step, whatever the level."""

    def sentences(*texts: str) -> list[str]:
        return [each for text in texts for each in re.split(r"(?<=[.?])\s", text)]

    for question in all_questions(searched):
        asked = sentences(question.text, *question.reasons)
        assert len(set(asked)) == len(asked)
        shown = sentences(*(sentence(searched, question.step, show) for show in SHOWS))
        assert not set(asked) & set(shown)


@settings(max_examples=100)
@given(strategies.traces(narrow=True, plain=True))
def test_the_answer_to_going_on_at_a_cut_names_the_bound(searched: Trace) -> None:
    for question in all_questions(searched):
        cut = searched.cut_at(question.step)
        if question.kind != "cut" or question.right != (CUTS,) or not (cut and cut.witness):
            continue
        if searched.search != "alphabeta" or not cut.via:
            continue

        bound = cut.beta if question.node.is_max else cut.alpha
        opponent = searched.tree.players[1 if question.node.is_max else 0]
        wrong = question.reason(GOES_ON)
        assert f"{opponent} ha" in wrong and f" {number(bound)} elsewhere." in wrong


def too_early(node: Any, alpha: float, beta: float) -> float:
    if node.is_leaf:
        return node.value
    best = -inf if node.is_max else inf
    for child in node.children:
        value = too_early(child, alpha, beta)
        best = max(best, value) if node.is_max else min(best, value)
        if node.is_max:
            alpha = max(alpha, best)
        else:
            beta = min(beta, best)
        if alpha >= beta - 2:
            break
    return best


NUMBER = r"([−\d.∞]+)"


def is_true(reason: str, run: Trace, question: Question) -> bool:
    """Whether the run shows what is said to an answer."""
    node, next_event = question.node, run.events_at(question.step)[0]
    before = run.node_at(node, question.step - 1)
    unread = [
        child for child in node.children if run.node_at(child, question.step - 1).state == "waiting"
    ]
    if reason == "The recording shows what the function did.":
        return True
    if reason == f"A child of {node.name} is left.":
        return bool(unread)
    if reason == f"This call of {node.name} searches no other child.":
        later = [
            event for step in range(question.step, len(run) + 1) for event in run.events_at(step)
        ]
        end = next(
            place for place, each in enumerate(later) if (each.kind, each.node) == ("exit", node)
        )
        return {event.kind for event in later[:end]} <= {"cut"}
    if reason == f"It searches a child of {node.name} next.":
        return next_event.kind in ("enter", "leaf") and next_event.node in node.children
    if reason == "It returns the best value that it has found.":
        return next_event.kind == "exit" and next_event.value == before.bv
    if kept := re.fullmatch(rf".* it keeps the (higher|lower) of {NUMBER} and {NUMBER}\.", reason):
        better, *values = kept.groups()
        is_right = (better == "higher") == node.is_max and read(values[0]) == before.bv
        return is_right and (max if node.is_max else min)(map(read, values)) == next_event.bv
    bound = re.fullmatch(
        rf"Its best value, {NUMBER}, (has reached|is below|is above) ([αβ]) = {NUMBER}\.", reason
    )
    assert bound, reason
    best, how, letter, limit = bound.groups()
    assert (letter == "β") == node.is_max
    assert (read(best), read(limit)) == (before.bv, before.beta if node.is_max else before.alpha)
    has_reached = read(best) >= read(limit) if node.is_max else read(best) <= read(limit)
    return has_reached == (how == "has reached")


def the_worst(node: Any) -> float:
    if node.is_leaf:
        return node.value
    best = inf
    for child in node.children:
        best = min(best, the_worst(child))
    return best + 1


@pytest.mark.parametrize("function", [too_early, writing.alphabeta, the_worst])
@pytest.mark.parametrize("name", shipped())
def test_what_is_said_of_a_recorded_run_is_what_it_shows(name: str, function: Any) -> None:
    run = record(function, load(name))
    for question in all_questions(run):
        assert len(question.reasons) == (len(question.choices) or 1)
        assert all(is_true(reason, run, question) for reason in question.reasons), question
    if function is writing.alphabeta:
        reasons = [question.reasons for question in all_questions(run)]
        assert all(len(set(each)) == len(each) for each in reasons), "a reason for each choice"


@pytest.mark.parametrize("name", shipped())
def test_questions_about_a_recorded_run_go_by_what_it_does(name: str) -> None:
    run = record(too_early, load(name))
    asked = all_questions(run)
    assert kinds_of(run) == ["bv", "cut", "returned"] and asked
    assert {question.step for question in asked if question.right == (CUTS,)} == {
        cut.step for cut in run.cuts
    }
    for question in asked:
        event = run.events_at(question.step)[0]
        assert all(is_true(reason, run, question) for reason in question.reasons), question
        if question.kind == "bv":
            assert read(str(question.right)) == event.bv
        elif question.kind == "returned":
            assert read(str(question.right)) == event.value
        elif question.right == (GOES_ON,):
            assert event.kind in ("enter", "leaf") and run.tree.parent(event.node) is question.node
