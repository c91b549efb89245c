"""Why a move: what is said of each move, against minimax by the definition."""

import random
from collections.abc import Iterator
from typing import Any

import pytest

from abviz import AbvizError, Board, Checkers, TicTacToe
from abviz.games.rules import PROVEN, worth
from abviz.play import Player
from abviz.play.explanation import AT_LEAST, AT_MOST, EQUAL, Decision, MoveAnswer, decide
from tests.slow_search import brute, played, solved


def endings(number: int, seed: int = 37) -> Iterator[Any]:
    """Positions of tic-tac-toe with two to six empty squares."""
    rng = random.Random(seed)
    while number:
        position = played(TicTacToe.start(), rng, rng.randint(3, 7))
        if not position.over():
            number -= 1
            yield position


def nearer(value: int, plies: int = 1) -> int:
    """The value of a win seen from a position that is plies earlier."""
    return value - plies * ((value > PROVEN) - (value < -PROVEN))


def holds(answer: MoveAnswer, value: int) -> bool:
    assert answer.value is not None
    return {
        EQUAL: value == answer.value,
        AT_LEAST: value >= answer.value,
        AT_MOST: value <= answer.value,
    }[answer.sign]


def check_answers(decision: Decision, value_after: Any) -> None:
    """Compare with the values that minimax has for positions one and two moves later."""
    position = decision.position
    answers = decision.answers()
    assert sorted(answer.move for answer in answers) == sorted(position.moves())
    assert answers[0].move == decision.best

    known = [answer for answer in answers if answer.sign]
    for answer in known:
        after = position.play(answer.move)
        assert holds(answer, value_after(after, 1)), (position, answer)
        if answer.reply:
            assert answer.reply in after.moves()
            # The reply alone proves the bound; of an exact value it is the best one
            assert holds(answer, value_after(after.play(answer.reply), 2)), (position, answer)
        elif not after.over():
            assert decision.part(answer.move) is None or answer.sign == EQUAL

    best = [value_after(position.play(move), 1) for move in position.moves()]
    assert answers[0].sign == EQUAL
    assert answers[0].value == (max(best) if position.is_max() else min(best))


@pytest.mark.parametrize("number", [40, pytest.param(600, marks=pytest.mark.slow)])
def test_what_is_said_of_a_move_is_true_by_minimax(number: int) -> None:
    signs = set()
    for position in endings(number):
        decision = decide(position, depth=9)
        check_answers(decision, lambda after, plies: nearer(solved(after), plies))
        signs |= {answer.sign for answer in decision.answers()}
        for answer in decision.answers():
            assert answer.proven == bool(answer.sign), "the whole game was searched"
    assert signs == {EQUAL, AT_LEAST, AT_MOST, ""}


@pytest.mark.parametrize("depth", [1, 2, 3, 4])
def test_estimates_are_those_of_the_depth_and_not_called_proven(depth: int) -> None:
    for position in [*endings(6), *endings(6, seed=4)]:
        decision = decide(position, depth=depth, method="alphabeta")
        if decision.result.wins_in is not None:
            continue
        check_answers(
            decision,
            lambda after, plies: brute(after, depth - plies, ply=plies) if plies <= depth else None,
        )


def test_the_tree_of_a_move_is_shown_where_the_search_is_done_with_it() -> None:
    for position in endings(20, seed=5):
        decision = decide(position, depth=9)
        events = [decision.trace.events_at(step) for step in range(len(decision.trace) + 1)]
        for answer in decision.answers():
            step = decision.decisive_step(answer.move)
            if not answer.sign:
                assert step == len(decision.trace)
            elif answer.move in {cut.at for cut in decision.trace.cuts}:
                assert events[step][0].kind == "cut" and answer.sign != EQUAL
            else:
                assert events[step][0].kind in ("exit", "leaf")
                assert events[step][0].node.name == answer.move
            part = decision.part(answer.move)
            assert part is None or (part == answer.move and decision.tree[part].children)


PLAYERS = ("x", "o")


@pytest.mark.parametrize(
    ("answer", "short", "sentence"),
    [
        (MoveAnswer("c3", "=", 3), "= 3", "c3 is worth 3"),
        (MoveAnswer("c3", "≤", -1), "≤ −1", "c3 is worth −1 or less"),
        (MoveAnswer("c3", "≥", 1), "≥ 1", "c3 is worth 1 or more"),
        (MoveAnswer("c3"), "not known", "What c3 is worth is not known"),
        (MoveAnswer("c3", "=", 999_997), "x wins in 3 plies", "With c3, x wins in 3 plies"),
        (
            MoveAnswer("c3", "≤", -999_996),
            "o wins in 4 plies or sooner",
            "With c3, o wins in 4 plies or sooner",
        ),
        (
            MoveAnswer("c3", "≥", 999_996),
            "x wins in 4 plies or sooner",
            "With c3, x wins in 4 plies or sooner",
        ),
        (
            MoveAnswer("c3", "≤", 999_995),
            "at best x wins in 5 plies",
            "With c3, at best x wins in 5 plies",
        ),
    ],
)
def test_a_value_is_said_as_players_say_it(answer: MoveAnswer, short: str, sentence: str) -> None:
    assert answer.in_words(PLAYERS) == short
    assert answer.sentence(PLAYERS) == sentence


def test_the_answer_comes_first() -> None:
    decision = decide(TicTacToe.from_cells("xox .o. ..."), depth=9)
    assert decision.summary(decision.best).endswith(". No move is better for x.")
    for answer in decision.answers()[1:]:
        assert decision.summary(answer.move) == (
            f"{answer.sentence(PLAYERS)}: o replies {answer.reply}. "
            f"{decision.answers()[0].sentence(PLAYERS)}."
        )

    winning = decide(TicTacToe.from_cells("xx. oo. ..."), depth=9)
    assert winning.summary("c3") == "With c3, x wins in 1 ply."
    assert winning.summary("a1") == "What a1 is worth is not known. With c3, x wins in 1 ply."


def test_a_search_that_may_be_wrong_proves_nothing() -> None:
    decision = decide(TicTacToe.from_cells("xox .o. ..."), depth=9, beam=2)
    assert not any(answer.proven for answer in decision.answers())


# on the board


@pytest.fixture
def board() -> Iterator[Board]:
    board = Board(Checkers.start(), players=("you", Player(depth=4)))
    board.play("11-15")
    board.wait(300)
    yield board
    board.close()


def test_why_shows_a_table_of_all_moves_and_the_tree_of_the_last_one(board: Board) -> None:
    stepper = board.why()
    before = board.match.positions[-2]
    played = board.match.moves[-1]
    shown = board.view.decision
    assert {row["move"] for row in shown["rows"]} == set(before.moves())
    assert [row["move"] for row in shown["rows"] if row["played"]] == [played]
    assert (shown["chosen"], shown["rows"][0]["move"]) == (played, stepper.trace.best)
    assert shown["rows"][0]["value"] == f"= {worth(stepper.trace.value)}"
    assert stepper.spec["top"] == stepper.tree[played].index
    assert stepper.trace.where(stepper.step).name == played

    board.undo()
    assert board.view.decision == {}


def test_another_move_of_the_table_is_explained_without_a_search(board: Board) -> None:
    first = board.why()
    other = board.view.decision["rows"][-1]["move"]
    board._receive(None, {"do": "why", "move": other}, None)
    second = board.children[1]
    assert second is not first and second.trace is first.trace
    assert board.view.decision["chosen"] == other
    assert second.spec["top"] == second.tree[other].index

    board._receive(None, {"do": "why", "move": other, "whole": True}, None)
    assert board.children[1].spec["top"] == 0 and board.view.decision["whole"]

    board._receive(None, {"do": "why", "move": "1-2"}, None)
    assert "unknown move '1-2'" in board.view.problem
    assert board.view.decision["chosen"] == other
    with pytest.raises(AbvizError, match="unknown move '1-2'"):
        board.why("1-2")
