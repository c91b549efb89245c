"""The board in Python, and the game in a terminal: only legal moves, nothing lost when something is
wrong.
"""

import random
import threading
import time

import pytest

from abviz import Abalone, AbvizError, Board, Checkers, Stepper, TicTacToe, search, trace
from abviz.games.boards import board_data
from abviz.games.rules import worth
from abviz.play import Player
from abviz.play import board as board_module
from abviz.play.board import clicks, own_picture, text_of
from abviz.play.explanation import explain
from abviz.play.match import play_in_terminal
from abviz.tracing.narration import sentence
from abviz.tree.annotations import annotations_of
from tests.slow_search import PROVEN, Stairs, mazes, played, solved, sticks

QUICK = Player(depth=4)


def random_positions(game, number=60, plies=40):
    rng = random.Random(7)
    return [played(game.start(), rng, rng.randint(0, plies)) for _ in range(number)]


@pytest.mark.parametrize("game", [Checkers, TicTacToe, Abalone])
def test_every_legal_move_can_be_clicked_in_a_way_of_its_own(game):
    for position in random_positions(game):
        ways = clicks(position)
        assert {way["name"] for way in ways} == set(position.moves())
        chosen = [(frozenset(way["from"]), *way["to"]) for way in ways]
        assert len(set(chosen)) == len(chosen)
        for way in ways:
            standing = board_data(position)[1]
            assert all(standing[each] != "." for each in way["from"])
            assert way["to"], "no move without a click"


@pytest.mark.parametrize("game", [Checkers, TicTacToe, Abalone])
def test_the_text_of_what_a_board_shows_is_its_position(game):
    for position in random_positions(game):
        read = getattr(game, "from_fen", None) or game.from_cells
        assert read(text_of(board_data(position)[1], 0 if position.is_max() else 1)) == position


def test_the_engine_answers_and_undo_returns_to_your_turn():
    board = Board(players=("you", QUICK))
    board.play("11-15")
    board.wait(300)
    assert len(board.match.plies) == 2 and board.view.state["status"].endswith(". Black to move.")
    answer = board.match.moves[1]
    assert answer == search(Checkers.start().play("11-15"), 4).move
    board.undo()
    assert board.match.moves == () and board.view.state["redo"]
    board.redo()
    assert board.match.moves == ("11-15", answer)
    board.close()


@pytest.mark.slow
def test_two_engines_play_a_match_to_its_end():
    board = Board(TicTacToe.start(), players=(Player(depth=9), Player(depth=9)))
    board.wait(300)
    assert board.match.result == "1/2-1/2" and len(board.match.plies) == 9


def test_a_player_that_fails_stops_the_board_and_says_why():
    class Broken:
        def __init__(self, problem):
            self.problem = problem

        def choose(self, position):
            raise self.problem

        def __repr__(self):
            return "Broken"

    for problem, reason in ((RuntimeError("no idea"), "no idea"), (SystemExit(), "SystemExit")):
        board = Board(TicTacToe.start(), players=("you", Broken(problem)))
        board.play("b2")
        board.wait(60)
        assert board.view.problem == f"Broken cannot move: {reason}"
        assert board.match.moves == ("b2",) and not board.view.state["thinks"]


def test_stop_ends_the_search_however_soon_it_comes():
    for pause in (0, 0.001, 0.003, 0.3):
        board = Board(players=("you", Player(depth=40)))
        board.start()
        time.sleep(pause)
        thread = board._thread
        board.stop()
        thread.join(60)
        assert not thread.is_alive() and board.match.moves == ()


def test_an_explanation_ends_where_the_position_changes():
    board = Board(players=("you", "you"))
    board.play("11-15")
    board._engine = Player(depth=60)
    board._receive(None, {"do": "why"}, None)
    while board._search is None or not board._search.nodes:
        time.sleep(0.01)
    board._receive(None, {"do": "why"}, None)  # is ignored
    (thread,) = [each for each in threading.enumerate() if each.name == "abviz board"]
    board.play("22-18")
    thread.join(60)
    assert not thread.is_alive() and board._search is None
    assert board.children == (board.view,) and (board.view.problem, board.view.thinking) == ("", {})


def test_text_as_the_board_shows_it_can_be_loaded_again():
    board = Board(players=("you", "you"))
    board.play("11-15")
    state = board.view.state
    for text in (f"{state['fen']}\n\n{state['pdn']}", state["pdn"], state["fen"] + "."):
        board.load(text)
        assert board.position == Checkers.start().play("11-15")
    board.load('[FEN "B:WK32:BK1"] *')
    assert board.position.fen == "B:WK32:BK1"
    board.restart()
    assert board.position == Checkers.start()


def test_a_bad_game_of_a_text_is_named_below_the_board():
    board = Board(players=("you", "you"))
    for _ in range(2):  # also a second time, although Python shows a warning once
        board.load('1. 11-15 23-19* (23-18)\n2. 9-14 *\n[FEN "W:W1,22:B5"] *')
        assert board.match.moves == ("11-15", "23-19", "9-14") and not board.match.over
        assert board.view.problem.startswith(
            "left out: the PDN, game 2, line 3, FEN tag has White on '1'"
        )
        board.load("1. 11-15 *")
        assert board.view.problem == ""


@pytest.mark.parametrize(
    ("message", "problem"),
    [
        ({"do": "play", "move": "11-14", "version": 1}, "11-14 is not a legal move"),
        ({"do": "play", "move": None, "version": 1}, "the move is None; expected squares"),
        ({"do": "load", "text": "W:W99:B1"}, "on '99'"),
        ({"do": "load", "text": "1. 11-15 11-15"}, "11-15 is not a legal move"),
        ({"do": "setup", "cells": "w" * 13 + "." * 19, "turn": 0}, "must be a king; expected K1"),
        ({"do": "players", "sides": ["you", "engine"], "limit": ["depth", 1000]}, "depth is 1000"),
        (
            {"do": "players", "sides": ["you", "engine"], "limit": ["years", 1]},
            "unknown switch 'years'",
        ),
    ],
)
def test_a_wrong_message_is_one_line_and_changes_nothing(message, problem):
    board = Board(players=("you", "you"))
    before = board.match
    board._receive(None, message, None)
    assert problem in board.view.problem and "\n" not in board.view.problem
    assert board.match is before and board.players == ["you", "you"]
    announced = []
    board.view.observe(lambda change: announced.append(change["new"]), "problem")
    board._receive(None, message, None)
    assert announced == ["", board.view.problem], "the browser takes its move back, again"


def test_a_move_for_an_earlier_position_is_ignored():
    board = Board(players=("you", "you"))
    board.play("11-15")
    board._receive(None, {"do": "play", "move": "23-19", "version": 1}, None)
    assert board.match.moves == ("11-15",)


def test_a_game_without_a_picture_is_played_by_names():
    board = Board(Stairs(7), players=("you", "you"))
    assert board.view.state["kind"] == "text"
    assert [way["name"] for way in board.view.state["moves"]] == ["1", "2", "3"]
    assert not any(way["to"] for way in board.view.state["moves"])


def test_an_engine_plays_a_game_without_a_picture_and_says_what_it_thinks():
    position = next(mazes(1, seed=5))
    engine = Player(depth=13)
    board = Board(position, players=("you", engine))
    board.start()
    board.wait(300)
    assert board.view.problem == "" and board.match.plies

    # The search itself is over too soon to be sure that it reports on the way
    found = board_module.Search(position, **engine.options)
    found.result()
    thinking = board_module._thinking(found)
    assert "million a second" in thinking["text"] and thinking["arrows"] == []


def test_wrong_players_are_refused():
    with pytest.raises(AbvizError, match='expected two, each "you" or a Player'):
        Board(players=("me", "you"))
    with pytest.raises(AbvizError, match="not a position of a game"):
        Board("11-15")


@pytest.mark.parametrize(
    "position", [*random_positions(Checkers, 6), TicTacToe.start(), Abalone.belgian_daisy()]
)
def test_an_explanation_is_the_decision_itself(position):
    depth = 5
    result = search(position, depth)
    decision = trace(explain(position, depth=depth))
    assert decision.value == result.value
    assert decision.line[-1].split() == list(result.line[: len(decision.line) - 1])


Stones = sticks(("Sticks", "Stones"), name="Stones")


def test_why_lays_out_no_move_that_a_search_stopped_before(monkeypatch):
    """Three stones, MIN to move: taking all wins at once, and what the other moves are worth was
    never found out.
    """
    board = Board(Stones(3, 1), players=("you", Player(seconds=1)))
    board.wait(300)
    assert board.match.moves == ("3",)

    tree = board.why().trace.tree
    assert [node.name for node in tree.nodes] == ["root", "3"]
    assert tree.note.endswith(
        "The search stopped as soon as it found this win. Not searched: 1, 2."
    )
    assert "MIN has won, and the value is a win for MIN in 1" in sentence(trace(tree), 2)


@pytest.mark.parametrize("game", [Stones(n, turn) for n in range(1, 10) for turn in (0, 1)])
def test_a_value_in_an_explanation_is_true_or_an_estimate(game):
    """Whoever is to move loses with a multiple of four stones, and wins with any other number."""
    for depth in range(1, 10):
        tree = explain(game, depth=depth)
        for leaf in tree.leaves():
            if leaf.value is None or annotations_of(tree).is_estimate(leaf):
                continue
            position = tree.position(leaf.name)
            mover_wins = position.left % 4 > 0
            assert (leaf.value > 0) == (mover_wins == position.is_max()) and abs(
                leaf.value
            ) > PROVEN


def test_why_shows_the_decision_below_the_board():
    board = Board(players=("you", QUICK))
    board.play("11-15")
    board.wait(300)
    stepper = board.why()
    assert isinstance(stepper, Stepper) and board.children == (board.view, stepper)
    assert stepper.trace.best == board.match.moves[1]
    board.undo()
    assert board.children == (board.view,)


# what stands next to the board


def test_the_list_of_moves_leads_to_every_position():
    board = Board(players=("you", "you"))
    for move in ("11-15", "23-19", "8-11"):
        board.play(move)
    assert board.view.state["played"] == [[0, "11-15"], [1, "23-19"], [0, "8-11"]]
    for plies in (0, 3, 1, 2):
        board._receive(None, {"do": "go", "plies": plies}, None)
        assert board.view.problem == ""
        assert (board.view.state["plies"], len(board.match.plies)) == (plies, plies)
        assert len(board.view.state["played"]) == 3, "what comes later is still there"

    for plies in (-1, 4, 1.5, None, True):
        board._receive(None, {"do": "go", "plies": plies}, None)
        assert "plies is" in board.view.problem and board.view.state["plies"] == 2


def test_the_bar_shows_what_the_engine_has_found_and_nothing_else():
    board = Board(players=("you", QUICK))
    assert board.view.state["worth"] == {}
    board.play("11-15")
    board.wait(300)
    found = search(Checkers.start().play("11-15"), 4)
    words = f"value {found.value} for Black, depth 3".replace("-", "−")
    assert board.view.state["worth"]["words"] == words

    board.go_to(1)  # the position that was searched
    assert board.view.state["worth"]["words"] == words.replace("depth 3", "depth 4")
    other = next(move for move in board.position.moves() if move != found.move)
    board.players = ["you", "you"]
    board.play(other)
    assert board.view.state["worth"] == {}, "another move than the one that was searched"


@pytest.mark.parametrize("cells", ["x.. .o. ...", "xx. o.. o..", "xo. .x. o.."])
def test_the_bar_is_true_in_tic_tac_toe(cells):
    position = TicTacToe.from_cells(cells)
    board = Board(position, players=("you", "you"))
    board._engine = Player(depth=9)
    board.start()
    board.wait(300)
    value = solved(board.position)
    shown = board.view.state["worth"]
    assert shown["share"] == 0.5 + (value > 0) / 2 - (value < 0) / 2
    if not board.match.over:
        expected = worth(value, position.players)
        assert shown["words"] == (expected if value else "value 0 for x, proven")


def test_a_match_that_is_over_fills_the_bar():
    board = Board(TicTacToe.from_cells("xx. oo. ..."), players=("you", "you"))
    board.play("c3")
    assert board.view.state["worth"] == {"share": 1.0, "words": "1-0: x has won"}


# a picture of one's own

SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><script>alert(1)</script></svg>'
PNG = b"\x89PNG\r\n\x1a\n" + bytes(9)


def pictured(drawn):
    """A position of a game whose `svg` returns this, or raises it."""

    def svg(self):
        if isinstance(drawn, Exception):
            raise drawn
        return drawn

    return type("Pictured", (Pictured,), {"svg": svg})


class Pictured:
    title = "Pictured"


@pytest.mark.parametrize(
    ("drawn", "begins"),
    [
        (SVG, "data:image/svg+xml,%3Csvg"),
        (f'<?xml version="1.0"?>\n<!-- sticks -->\n{SVG}', "data:image/svg+xml,%3C%3Fxml"),
        (PNG, "data:image/png;base64,iVBORw0KGgo"),
    ],
)
def test_a_picture_becomes_the_address_of_an_image(drawn, begins):
    address = own_picture(pictured(drawn)())
    assert address.startswith(begins)
    assert not set("<>\"' ") & set(address)


@pytest.mark.parametrize(
    "drawn", ["", "hello", "<script>alert(1)</script>", "<b><svg></b>", b"GIF89a", None, 7]
)
def test_what_is_no_picture_is_refused(drawn):
    with pytest.raises(AbvizError, match=r"^Pictured.svg\(\) returns .*; expected SVG as text"):
        own_picture(pictured(drawn)())


def test_a_notebook_shows_a_position_as_the_picture_that_it_gives(monkeypatch):
    position = Stairs(7)
    assert set(position._repr_mimebundle_()) == {"text/plain"}
    for drawn, kind in ((SVG, "image/svg+xml"), (PNG, "image/png")):
        monkeypatch.setattr(Stairs, "svg", lambda self, drawn=drawn: drawn, raising=False)
        assert set(position._repr_mimebundle_()) == {"text/plain", kind}


def test_a_game_whose_picture_fails_is_shown_as_text():
    board = Board(Stairs(7), players=("you", "you"))
    assert (board.view.state["picture"], board.view.state["flaw"]) == ("", "")
    for drawn, reason in (("sticks", "Pictured.svg() returns 'sticks'"), (OSError("ink"), "ink")):
        picture, flaw = board_module._picture(pictured(drawn)())
        assert picture == "" and flaw.startswith(f"The picture cannot be shown: {reason}")


# in a terminal


@pytest.fixture
def typed(monkeypatch):
    """Give a terminal these lines as its input."""

    def type_lines(*lines):
        rest = iter(lines)

        def read(prompt):
            try:
                return next(rest)
            except StopIteration:
                raise EOFError from None

        monkeypatch.setattr("builtins.input", read)

    return type_lines


def test_a_game_in_a_terminal(typed, capsys):
    typed("", "moves", "hello", "11-15", "fen", "undo", "hint", "9-13", "pdn")
    match = play_in_terminal(Checkers.start(), QUICK)
    text = capsys.readouterr().out
    assert match.moves[0] == "9-13" and len(match.moves) == 2
    assert " ".join(Checkers.start().moves()) in text
    assert "the move is 'hello'; expected squares from 1 to 32" in text
    assert "The engine plays" in text and text.endswith("The match is not finished.\n")


@pytest.mark.parametrize("word", ["q", "quit", "exit"])
def test_a_terminal_game_can_be_left_as_its_prompt_says(word, monkeypatch, capsys):
    prompts = []

    def read(prompt):
        prompts.append(prompt)
        assert len(prompts) == 1, "the game goes on"
        return word

    monkeypatch.setattr("builtins.input", read)
    match = play_in_terminal(Checkers.start(), QUICK)
    text = capsys.readouterr().out
    assert prompts == ["Black (q to quit)> "] and match.moves == ()
    assert text.endswith("The match is not finished.\n")


def test_a_terminal_game_to_its_end(typed, capsys):
    typed("fen", *["b3", "a1", "c3", "a2", "c2", "b2", "b1", "a3", "c1"] * 4)
    match = play_in_terminal(TicTacToe.start(), Player(seconds=9))
    text = capsys.readouterr().out
    assert match.over and text.endswith(f"\n{match.result}: {match.reason}.\n")
    assert "\n.........\n" in text and "(depth 8, value 0, proven)" in text and "o wins in" in text
