"""Games as students write them: what `@game` refuses, what it adds, and by which rules compiled code goes."""

import os
import subprocess
import sys
from typing import Any, NamedTuple

import numba
import pytest

from abviz import AbvizError, Checkers, search
from abviz.engine.compiler import engine
from abviz.engine.workspace import new_work
from abviz.games.rules import LARGEST, WIDTH, Found, game, is_game, legal_moves, popcount

# A game of sticks, as a cell of a notebook would have it. Who takes the last stick wins.
STICKS = """
from typing import NamedTuple
from abviz.games.rules import game

@game
class Sticks(NamedTuple):
    left: int = 7
    turn: int = 0

    def is_max(self):
        return self.turn == 0

    def over(self):
        return self.left == 0

    def value(self):
        return -1 if self.turn == 0 else 1

    def moves(self, found):
        for n in range(1, 4):
            if n <= self.left:
                found.add(n)

    def play(self, move):
        return Sticks(self.left - move, 1 - self.turn)
"""


def cell(text: str, *changes: tuple[str, str], names: dict[str, Any] | None = None) -> dict[str, Any]:
    """Run a cell, with changes, and hand back the names that it leaves."""
    for old, new in changes:
        assert old in text, f"nothing to change: {old}"
        text = text.replace(old, new)
    names = {"__name__": "cell"} if names is None else names
    exec(text, names)
    return names


def sticks(*changes: tuple[str, str]) -> Any:
    return cell(STICKS, *changes)["Sticks"]


def value(position: Any, depth: int = 20) -> int:
    """Who wins, by compiled minimax: 1, 0 or −1."""
    found = engine(type(position)).minimax(position, depth, new_work(), 0)
    return (found > 0) - (found < 0)


def ways(position: Any, depth: int) -> int:
    return int(engine(type(position)).perft(position, depth, new_work(), 0))


def in_python(position: Any, depth: int) -> int:
    """What `ways` should find."""
    moves = legal_moves(position)
    return len(moves) if depth == 1 else sum(in_python(position.play(move), depth - 1) for move in moves)


# What is refused


@pytest.mark.parametrize(
    "old, new, problem",
    [
        (
            "Sticks(NamedTuple)",
            "Sticks",
            "@game stands before <class 'cell.Sticks'>; expected a class Name(NamedTuple)",
        ),
        ("def over", "def ended", "Sticks has no method over; expected the rules moves, play, is_max, over, value"),
        ("def moves", "def move", "Sticks has no method moves; expected the rules moves, play, is_max, over, value"),
        (
            "def over",
            "@property\n    def over",
            "Sticks has no method over; expected the rules moves, play, is_max, over, ",
        ),
        ("def play(self, move)", "def play(self)", "Sticks has play(self); expected play(self, move)"),
        ("def moves(self, found)", "def moves(self)", "Sticks has moves(self); expected moves(self, found)"),
        ("def is_max(self)", "def is_max(self, who)", "Sticks has is_max(self, who); expected is_max(self)"),
        ("@game", "@game(weights={'sticks': 1})", "Sticks has weights but no features; expected @game(weights={name: "),
        (
            "def over",
            "def features(self):\n        return (1,)\n    def over",
            "Sticks has features but no weights; expected ",
        ),
        (
            "def over",
            "def gain(self):\n        return 1\n    def over",
            "Sticks has gain(self); expected gain(self, move)",
        ),
        (
            "left: int = 7",
            "value: int = 7",
            "Sticks has a field value, a name that the rules need; expected another name",
        ),
        (
            "left: int = 7",
            "count: int = 7",
            "Sticks has a field count, a name that the rules need; expected another name",
        ),
        ("left: int = 7", "key: int = 7", "Sticks has a field key, a name that the rules need; expected another name"),
        (
            "left: int = 7",
            "rules: int = 7",
            "Sticks has a field rules, a name that the rules need; expected another name",
        ),
    ],
)
def test_what_is_no_game_is_refused(old, new, problem):
    with pytest.raises(AbvizError) as refused:
        sticks((old, new))
    assert str(refused.value).startswith(problem)


def test_other_things_are_no_games():
    with pytest.raises(AbvizError, match="@game stands before 3; expected a class Name"):
        game(3)
    assert is_game(sticks()) and is_game(Checkers)
    assert not is_game(NamedTuple("Plain", [("a", int)])) and not is_game(Checkers.start()) and not is_game(dict)


def test_a_list_of_moves_without_an_end_is_refused():
    endless = sticks(("if n <= self.left:", "while True:"))
    with pytest.raises(AbvizError, match=f"found more than {WIDTH} moves; expected it to end with fewer"):
        endless().moves()


def test_64_moves_are_found_and_no_more():
    for most, ends in [(WIDTH, True), (WIDTH + 1, False)]:
        Many = sticks(("range(1, 4)", f"range(1, {most + 1})"))
        if ends:
            assert len(Many(100).moves()) == ways(Many(100), 1) == most == 64
        else:
            with pytest.raises(AbvizError):
                Many(100).moves()
            with pytest.raises(IndexError, match="too many moves"):
                ways(Many(100), 1)


# What is added


def test_rules_that_are_not_written_are_added():
    position = sticks()()
    assert (position.evaluate(), position.hot(), position.gain(3), position.count(Found())) == (0, False, 0, 3)
    assert position.move_name(2) == "2" and position.find_move("2") == 2
    assert repr(position) == "Sticks(left=7, turn=0)"
    assert position.title == "Sticks" and position.weights == {}


def test_rules_that_are_written_stand():
    Own = sticks(("def over", "def evaluate(self):\n        return self.left\n\n    def over"))
    Named = sticks(("def over", "def move_name(self, move):\n        return f'take {move}'\n\n    def over"))
    assert Own(5).evaluate() == 5
    assert Named(2).moves() == ["take 1", "take 2"]
    assert Named(2).play("take 2") == Named(0, 1)
    with pytest.raises(AbvizError, match="unknown move '2': there are take 1, take 2"):
        Named(2).play("2")


def test_weights_go_with_features():
    Weighed = sticks(
        ("@game", "@game(weights={'sticks': 3, 'turn': -1})"),
        ("def over", "def features(self):\n        return self.left, self.turn\n\n    def over"),
    )
    assert Weighed.weights == {"sticks": 3, "turn": -1}
    work = new_work()
    work.weights[:2] = list(Weighed.weights.values())
    assert engine(Weighed).minimax(Weighed(7, 1), 0, work, 0) == 20
    assert engine(Weighed).minimax(Weighed(7, 0), 1, work, 0) == 17, "one stick taken, and the other to move"


def test_moves_and_play_are_for_people_and_for_the_engine():
    position = sticks()(2)
    found = Found()
    assert position.moves() == ["1", "2"]
    assert position.moves(found) is None and list(found) == [1, 2]
    assert position.play("2") == position.play(2) == (0, 1)
    assert (found.size(), found.at(1)) == (2, 2)
    found.change(1, 9)
    assert list(found) == [1, 9]
    with pytest.raises(AbvizError, match="unknown move '3': there are 1, 2"):
        position.play("3")
    with pytest.raises(AbvizError, match="'1' is no move: the game is over"):
        position.play("2").play("1")


def test_a_move_that_is_found_twice_has_one_name():
    Twice = sticks(("found.add(n)", "found.add(n)\n                found.add(n)"))
    assert Twice(2).moves() == ["1", "2"]
    assert (ways(Twice(2), 1), engine(Twice).perft_unique(Twice(2), 1, new_work(), 0)) == (4, 2)


def test_keys_tell_positions_apart():
    Sticks = sticks()
    positions = [Sticks(left, turn) for left in range(30_000) for turn in (0, 1)]
    keys = {position.key() for position in positions}
    assert len(keys) == len(positions)
    assert all(0 <= key <= LARGEST for key in keys)
    assert Sticks(1, 2).key() != Sticks(2, 1).key(), "the fields have places"


def test_popcount_counts():
    for bits in (0, 1, LARGEST, 0x5555, 1 << 62, 0x0123456789ABCDEF):
        assert popcount(bits) == bits.bit_count()


# What compiled code goes by


def test_compiled_and_python_count_the_same():
    Sticks = sticks()
    assert [ways(Sticks(), depth) for depth in (1, 2, 3, 4)] == [in_python(Sticks(), depth) for depth in (1, 2, 3, 4)]
    assert [value(Sticks(left)) for left in range(1, 9)] == [1, 1, 1, -1, 1, 1, 1, -1]
    assert value(Sticks(4, 1)) == 1


def test_a_cell_run_again_with_other_rules_is_another_game():
    first = sticks()
    again = sticks(("range(1, 4)", "range(1, 3)"))
    assert [value(first(left)) for left in (3, 4)] == [1, -1]
    assert [value(again(left)) for left in (3, 4)] == [-1, 1]
    assert first.title == again.title == "Sticks" and repr(again(3)) == "Sticks(left=3, turn=0)"
    # And the first one, asked again after the second.
    assert [value(first(left)) for left in (3, 4)] == [1, -1]


def test_one_compiled_function_tells_a_cell_run_again_from_its_first_run():
    games = [sticks(), sticks(("self.left - move", "self.left - 2 * move"))]
    for Sticks in games:
        engine(Sticks)  # from now on compiled code can call its rules

    @numba.njit
    def left_after(position: Any, move: int) -> int:
        return position.play(move).left

    assert [left_after(Sticks(7), 1) for Sticks in games * 2] == [6, 5, 6, 5]


def test_no_name_that_a_student_gives_is_taken_for_a_cell_run_again():
    numbered = [name.format(n) for n in range(1, 40) for name in ("Sticks_{}", "Sticks{}")]
    assert sticks().__name__ not in numbered
    assert sticks().__name__ not in numbered


def with_helper(call: str, parameters: str, answer: str) -> Any:
    helper = f"\n    def fewer(self{parameters}):\n        return {answer}\n"
    return sticks(
        ("Sticks(self.left - move, 1", f"Sticks(self.{call}, 1"), ("    def is_max", f"{helper}\n    def is_max")
    )


def test_a_helper_method_may_change_its_parameters():
    games = [
        with_helper("fewer(move)", ", n", "self.left - n"),
        with_helper("fewer(move, 1)", ", n, more", "max(0, self.left - n - more)"),
        with_helper("fewer()", "", "max(0, self.left - 2)"),
        with_helper("fewer(n=move)", ", n, more=0", "self.left - n - more"),
        with_helper("fewer(move)", ", sticks", "self.left - sticks"),
    ]
    for _ in range(2):  # the first one again, after the last
        for Sticks in games:
            assert [ways(Sticks(8), depth) for depth in (2, 3)] == [in_python(Sticks(8), depth) for depth in (2, 3)]


def test_a_helper_method_may_be_called_like_a_method_of_the_moves():
    Sticks = sticks(
        ("self.left - move, 1", "self.size(move, self.at()), 1"),
        (
            "    def is_max",
            "    def size(self, a, b):\n        return b - a\n\n"
            "    def at(self):\n        return self.left\n\n    def is_max",
        ),
    )
    assert [ways(Sticks(8), depth) for depth in (1, 2, 3)] == [in_python(Sticks(8), depth) for depth in (1, 2, 3)]
    assert ways(Checkers.from_fen("W:WK7,32:B10,11,18,19"), 1) == 2, "and the others still have theirs"


def test_functions_beside_the_class_are_compiled_with_it():
    beside = """
MOST = 3

def most(left):
    return smaller(left, MOST)

def smaller(a, b):
    return a if a < b else b
"""
    changed = (("range(1, 4)", "range(1, most(self.left) + 1)"), ("if n <= self.left", "if n > 0"))
    Sticks = cell(beside + STICKS, *changed)["Sticks"]
    Fewer = cell(beside + STICKS, *changed, ("MOST = 3", "MOST = 2"))["Sticks"]
    assert [value(Sticks(left)) for left in (3, 4, 8)] == [1, -1, -1]
    assert [value(Fewer(left)) for left in (3, 4, 6)] == [-1, 1, -1]


def test_a_player_may_move_twice_in_a_row():
    # Who takes one stick moves again.
    Again = sticks(("1 - self.turn)", "self.turn if move == 1 else 1 - self.turn)"))
    for left in range(1, 12):
        for turn in (0, 1):
            assert value(Again(left, turn)) == by_hand(Again(left, turn)), (left, turn)
    found = search(Again(5), 8, table=False)
    assert (found.value > 0) == (by_hand(Again(5)) > 0)


def by_hand(position: Any) -> int:
    if position.over():
        return int(position.value())
    values = [by_hand(position.play(move)) for move in legal_moves(position)]
    return max(values) if position.is_max() else min(values)


def test_a_student_may_write_a_game_of_a_name_and_fields_that_ship(tmp_path):
    changes = [
        ("Sticks", "TicTacToe"),
        ("self.left", "self.x"),
        ("self.turn", "self.o"),
        ("left:", "x:"),
        ("turn:", "o:"),
    ]
    own = STICKS
    for old, new in changes:
        own = own.replace(old, new)
    shipped = """
from abviz.games import tic_tac_toe
from abviz.engine.compiler import engine
from abviz.engine.workspace import new_work

def ways(position):
    print(engine(type(position)).perft(position, 2, new_work(), 0))

ways(tic_tac_toe.TicTacToe())
"""
    # In new processes, with a cache of their own; in the first the student's game is the first of its name.
    homes = dict.fromkeys(["HOME", "XDG_CACHE_HOME", "LOCALAPPDATA"], str(tmp_path))
    for text, printed in [(own + shipped + "ways(TicTacToe(4, 0)); ways(TicTacToe(5, 0))", "72 6 8"), (shipped, "72")]:
        ran = subprocess.run(
            [sys.executable, "-c", text], env=os.environ | homes, capture_output=True, text=True, timeout=100
        )
        assert (ran.stdout.split(), ran.returncode) == (printed.split(), 0), ran.stderr
