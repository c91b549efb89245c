"""Games as students write them: what `@game` adds and refuses, and mistakes named before, while and
after compiling.
"""

import re
from collections.abc import Callable
from typing import Any

import pytest

from abviz import AbvizError, TicTacToe, perft, search
from abviz.games.definition import game
from abviz.games.rules import WIDTH, legal_moves, new_move_list
from tests.slow_search import PROVEN, STICKS, sticks
from tests.test_parallel import Trap


def in_python(position: Any, depth: int) -> int:
    moves = legal_moves(position)
    return (
        len(moves)
        if depth == 1
        else sum(in_python(position.play(move), depth - 1) for move in moves)
    )


# what is refused, and what is added


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "Sticks(NamedTuple)",
            "Sticks",
            "@game decorates Sticks; expected a class Sticks(NamedTuple)",
        ),
        (
            "def over",
            "def ended",
            "Sticks has no method over; expected the rules moves, play, is_max, over, value",
        ),
        ("def over", "@property\n    def over", "Sticks has no method over"),
        (
            "@game",
            "@game(weights={'sticks': 1})",
            "Sticks needs features and @game(weights={name: number}); expected",
        ),
    ],
)
def test_what_is_no_game_is_refused(old: str, new: str, message: str) -> None:
    with pytest.raises(AbvizError) as error:
        sticks((old, new))
    assert str(error.value).startswith(message)


def test_missing_rules_have_defaults_and_own_rules_stand() -> None:
    position = sticks()()
    assert (
        position.evaluate(),
        position.hot(),
        position.gain(3),
        position.count(new_move_list()),
    ) == (0, False, 0, 3)
    assert position.move_name(2) == "2" and position.find_move("2") == 2 and position.weights == {}
    assert repr(position) == "Sticks(left=7, turn=0)" and position.title == "Sticks"
    named = sticks(
        ("def over", "def move_name(self, move):\n        return f'take {move}'\n\n    def over")
    )
    assert named(2).moves() == ["take 1", "take 2"] and named(2).play("take 2") == named(0, 1)
    with pytest.raises(AbvizError, match="unknown move '2': there are take 1, take 2"):
        named(2).play("2")


def test_moves_and_play_serve_people_and_the_engine() -> None:
    position, legal = sticks()(2), new_move_list()
    assert position.moves() == ["1", "2"] and position.play("2") == position.play(2) == (0, 1)
    assert position.moves(legal) is None and legal.listed() == [1, 2]
    legal.change(1, 9)
    assert (legal.size(), legal.at(1)) == (2, 9)
    with pytest.raises(AbvizError, match="unknown move '3': there are 1, 2"):
        position.play("3")
    with pytest.raises(AbvizError, match="unknown move '1': there are none"):
        position.play("2").play("1")
    twice = sticks(("legal.add(n)", "legal.add(n)\n                legal.add(n)"))
    assert twice(2).moves() == ["1", "2"]
    assert (perft(twice(2), 1), perft(twice(2), 1, unique=True)) == (4, 2)


def test_a_position_has_at_most_a_thousand_moves() -> None:
    many, too_many = (
        sticks(("range(1, 4)", f"range(1, {most + 1})"))(2000) for most in (WIDTH, WIDTH + 1)
    )
    assert len(many.moves()) == perft(many, 1) == 1000
    with pytest.raises(AbvizError, match="too many moves"):
        perft(too_many, 1)


# which rules compiled code calls


def test_helper_methods_and_functions_are_compiled_too() -> None:
    def with_helper(call: str, parameters: str, answer: str) -> Any:
        helper = f"    def fewer(self{parameters}):\n        return {answer}\n\n    def is_max"
        return sticks(
            ("Sticks(self.left - move, 1", f"Sticks(self.{call}, 1"), ("    def is_max", helper)
        )

    limit = (("range(1, 4)", "range(1, most(self.left) + 1)"),)
    functions = (
        "MOST = 3\n\n"
        "def most(left):\n    return smaller(left, MOST)\n\n"
        "def smaller(a, b):\n    return min(a, b)\n"
    )
    games = [
        with_helper("fewer(n=move)", ", n, more=0", "self.left - n - more"),
        sticks(*limit, before=functions),
        sticks(*limit, before=functions.replace("MOST = 3", "MOST = 2")),
        # Who takes one moves again
        sticks(("1 - self.turn)", "self.turn if move == 1 else 1 - self.turn)")),
    ]
    for _ in range(2):  # the first one again, after the last
        for cls in games:
            assert perft(cls(8), 3) == in_python(cls(8), 3)


def test_a_student_s_game_may_have_the_name_of_one_that_ships() -> None:
    own = sticks(
        ("Sticks", "TicTacToe"),
        ("left: int = 7", "x: int = 4"),
        ("self.left", "self.x"),
        name="TicTacToe",
    )
    assert (perft(TicTacToe(), 2), perft(own(4), 2), perft(own(5), 2), perft(TicTacToe(), 3)) == (
        72,
        6,
        8,
        504,
    )


# mistakes


def nim(**changes: Any) -> Any:
    """Return a game in which players take one or two until nothing is left, with some rules
    changed.
    """

    names: dict[str, Any] = {"__name__": __name__}
    exec(
        STICKS.replace("@game", "").replace("Sticks", "Nim").replace("range(1, 4)", "range(1, 3)"),
        names,
    )
    Nim = names["Nim"]
    weights = changes.pop("weights", None)
    for name, rule in changes.items():
        rule.__name__ = name
        setattr(Nim, name, rule)
    names["Nim"] = game(weights=weights)(Nim)
    return names["Nim"]


def refusal(position: Any, depth: int = 4) -> str:
    with pytest.raises(AbvizError) as error:
        search(position, depth, method="alphabeta")
    message = str(error.value)
    assert "\n" not in message and "0x" not in message and len(message) < 400, message
    return message


def endless(self: Any, legal: Any) -> None:
    while True:
        legal.add(1)


def recursive(self: Any) -> int:
    return self.evaluate()  # type: ignore[no-any-return]


HERE = "Nim(left=9, turn=0)"
WRONG: list[tuple[dict[str, Callable[..., Any]], str]] = [
    ({"moves": endless}, f"moves of {HERE} raised IndexError: too many moves"),
    (
        {"moves": lambda self, legal: [1, 2]},
        f"moves of {HERE} adds no move although over() is False; expected moves until",
    ),
    (
        {"moves": lambda self, legal: legal.add(1.5)},
        f"a move of {HERE} is 1.5; expected a whole number from 0",
    ),
    (
        {"moves": lambda self, legal: legal.add(-1)},
        f"moves of {HERE} raised ValueError: moves() added a number below",
    ),
    (
        {"play": lambda self, move: self._replace(left=self.left - 10)},
        "left of a Nim is -1; expected a whole number",
    ),
    (
        {"play": lambda self, move: (1, 2)},
        f"play of {HERE} is (1, 2); expected a position of the same game",
    ),
    (
        {"evaluate": lambda self: "good"},
        f"evaluate of {HERE} is 'good'; expected a whole number from -998,999 to",
    ),
    ({"evaluate": lambda self: object() + 1}, f"evaluate of {HERE} raised TypeError"),
    ({"evaluate": recursive}, f"evaluate of {HERE} raised RecursionError"),
    (
        {"over": lambda self: True},
        f"moves of {HERE} adds 2 moves although over() is True; expected moves until",
    ),
    ({"hot": lambda self: None}, f"hot of {HERE} is None; expected True or False"),
    (
        {"value": lambda self: 2},
        "value of Nim(left=0, turn=1) is 2; expected a whole number from -1 to 1",
    ),
    ({"key": lambda self: 4.5}, f"key of {HERE} is 4.5; expected a whole number from 0"),
    ({"key": lambda self: 7}, f"key of {HERE} and of Nim("),
    ({"key": lambda self: self.left}, "; expected two keys, for two positions"),
    ({"count": lambda self, legal: 1}, f"count of {HERE} is 1; expected 2, as many as moves adds"),
    ({"move_name": lambda self, move: "take"}, f"move_name of {HERE} gives two moves one name"),
    (
        {"gain": lambda self, move: -1},
        f"gain of {HERE} is -1; expected a whole number from 0 to 32,767",
    ),
]


def test_a_rule_that_prints_is_refused_before_it_floods(capfd: pytest.CaptureFixture[str]) -> None:
    def noisy(self: Any) -> int:
        print(self)
        return 1

    assert "evaluate of Nim calls print; expected no output" in refusal(nim(evaluate=noisy)(9))
    assert capfd.readouterr().out == ""


@pytest.mark.parametrize(("changes", "message"), WRONG)
def test_a_wrong_rule_is_named_with_the_position(changes: dict[str, Any], message: str) -> None:
    assert message in refusal(nim(**changes)(9, 0))


def test_features_are_as_many_as_weights_and_estimates_are_no_wins() -> None:
    for features, weights, message in [
        (lambda self: (1, 2), {"a": 3}, "(1, 2); expected a number for each weight"),
        (lambda self: (1.5,), {"a": 3}, "a feature of Nim"),
        (lambda self: (1,), {"a": 1.5}, "the weight of a is 1.5; expected a whole number"),
    ]:
        assert message in refusal(nim(features=features, weights=weights)(9))
    large = nim(features=lambda self: (self.left * 1000,), weights={"much": 10_000})
    for weight, value in [(10_000, PROVEN), (-10_000, -PROVEN), (10, 960_000)]:
        result = search(large(100), 3, weights={"much": weight})
        assert (result.value, result.wins_in) == (value, None)


def test_what_only_the_search_comes_to_is_one_clear_error() -> None:
    assert search(Trap(), 12).value
    assert refusal(Trap(), 13) == "a rule of Trap raised ValueError: the trap"


# rules that are right in Python

POINTS = {0: 1, 1: 2}


def divided(self: Any) -> int:
    try:
        return 10 // int(self.left)
    except ZeroDivisionError:
        return 0


def helper(left: int) -> int:
    return min(name for name in (left, left * 2))


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        (
            lambda self: POINTS[self.turn],
            "evaluate of Nim does not compile; expected numbers, tuples, loops and func",
        ),
        (divided, "evaluate of Nim does not compile; expected "),
        (
            lambda self: helper(self.left),
            "evaluate of Nim does not compile; .* The use of yield in a closure",
        ),
        (lambda self: int(f"{self.left:3}"), "a rule of Nim does not compile; expected "),
    ],
)
def test_a_rule_that_does_not_compile_is_named(rule: Any, message: str) -> None:
    assert re.match(message, refusal(nim(evaluate=rule)(9)))
