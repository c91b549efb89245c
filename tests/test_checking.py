"""A student's game with a mistake in it: one line that names the rule and the place, found before or in the search."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from abviz import AbvizError, search
from abviz.games.rules import game


def with_rules(**changed: Callable[..., Any]) -> Any:
    """A game in which each takes one or two until nothing is left, with some rules changed."""

    class Nim(NamedTuple):
        left: int
        turn: int = 0

        def is_max(self) -> bool:
            return self.turn == 0

        def over(self) -> bool:
            return self.left == 0

        def value(self) -> int:
            return -1 if self.turn == 0 else 1

        def moves(self, found: Any) -> None:
            for take in range(1, min(self.left, 2) + 1):
                found.add(take)

        def play(self, move: int) -> "Nim":
            return Nim(self.left - move, 1 - self.turn)

    weights = changed.pop("weights", None)
    for name, rule in changed.items():
        rule.__name__ = name
        setattr(Nim, name, rule)
    return game(weights=weights)(Nim)


def refused(position: Any, depth: int = 4) -> str:
    with pytest.raises(AbvizError) as raised:
        search(position, depth)
    message = str(raised.value)
    assert "\n" not in message and len(message) < 400, message
    return message


def never_ends(self: Any, found: Any) -> None:
    while True:
        found.add(1)


def grows(self: Any, move: int) -> Any:
    return self._replace(left=self.left * 1000 + 7)


def shrinks(self: Any, move: int) -> Any:
    return self._replace(left=self.left - 2)


def text(self: Any) -> Any:
    return "good"


def half(self: Any) -> Any:
    return self.left / 2


def nothing(self: Any) -> Any:
    return None


def yes(self: Any) -> Any:
    return True


def two(self: Any) -> Any:
    return 2


def one(self: Any) -> Any:
    return 1


def huge(self: Any) -> Any:
    return 10**6


def a_tuple(self: Any, move: int) -> Any:
    return (self.left - move, 1 - self.turn)


def in_place(self: Any, move: int) -> Any:
    self.left -= move


def listed(self: Any, found: Any) -> Any:
    return [1, 2]


def added_text(self: Any, found: Any) -> None:
    if self.left:
        found.add("one")


def added_minus(self: Any, found: Any) -> None:
    if self.left:
        found.add(-1)


def divides(self: Any) -> int:
    return 10 // (self.left - 5)


def misspelt(self: Any) -> int:
    return self.lefd


def recurses(self: Any) -> int:
    return self.evaluate()


@pytest.mark.parametrize(
    "changed, said",
    [
        ({"moves": never_ends}, "moves of Nim(left=9, turn=0): moves() found more than 64 moves"),
        (
            {"moves": listed},
            "moves of Nim(left=9, turn=0) is [1, 2]; expected nothing: each move is written down by found.add",
        ),
        ({"moves": added_text}, "moves of Nim(left=9, turn=0) is 'one'; expected whole numbers from 0 to 2⁶³ − 1"),
        ({"moves": added_minus}, "moves of Nim(left=9, turn=0) is -1"),
        ({"play": grows}, "expected a whole number from 0 to 2⁶³ − 1"),
        ({"play": shrinks}, "left of a Nim is -1; expected a whole number from 0"),
        ({"play": a_tuple}, "play of Nim(left=9, turn=0) is (8, 1); expected another Nim"),
        ({"play": in_place}, "play of Nim(left=9, turn=0) raised AttributeError: can't set attribute"),
        ({"evaluate": text}, "evaluate of Nim(left=9, turn=0) is 'good'; expected a whole number within ±999,000"),
        ({"evaluate": half}, "evaluate of Nim(left=9, turn=0) is 4.5; expected a whole number"),
        ({"evaluate": nothing}, "evaluate of Nim(left=9, turn=0) is None"),
        ({"evaluate": yes}, "evaluate of Nim(left=9, turn=0) is True"),
        ({"evaluate": huge}, "evaluate of Nim(left=9, turn=0) is 1000000"),
        ({"evaluate": divides}, "evaluate of Nim(left=5, turn=0) raised ZeroDivisionError"),
        ({"evaluate": misspelt}, "evaluate of Nim(left=9, turn=0) raised AttributeError"),
        ({"evaluate": recurses}, "evaluate of Nim(left=9, turn=0) raised RecursionError"),
        ({"over": yes}, "is over and has 2 moves"),
        ({"over": one}, "over of Nim(left=9, turn=0) is 1; expected True or False"),
        ({"is_max": one}, "is_max of Nim(left=9, turn=0) is 1; expected True or False"),
        ({"hot": nothing}, "hot of Nim(left=9, turn=0) is None; expected True or False"),
        ({"value": two}, "value of Nim(left=0, turn=1) is 2; expected 1, 0 or −1"),
        ({"value": half}, "value of Nim(left=0"),
        ({"key": half}, "key of Nim(left=9, turn=0) is 4.5; expected a whole number from 0"),
        (
            {"gain": lambda self, move: -1},
            "gain of Nim(left=9, turn=0) is -1; expected a small whole number, 0 or more",
        ),
    ],
)
def test_a_wrong_rule_is_named_with_the_position(changed: dict[str, Any], said: str) -> None:
    message = refused(with_rules(**changed)(9, 0))
    # Of the children the first that is wrong is named: which one that is depends on the moves tried.
    assert said in message or (said.startswith("evaluate of Nim(left=5") and "raised ZeroDivisionError" in message)


def test_a_position_that_holds_a_list_or_a_text() -> None:
    nim = with_rules()
    assert "left of a Nim is [9]; expected a whole number" in refused(nim([9], 0))
    assert "turn of a Nim is 'max'" in refused(nim(9, "max"))
    assert "turn of a Nim is True" in refused(nim(9, True))


def test_features_are_as_many_as_weights() -> None:
    def featured(features: Callable[[Any], Any], **weights: Any) -> Any:
        return with_rules(features=features, weights=weights)(9)

    assert "expected 1 whole numbers, one for each weight" in refused(featured(lambda self: (1, 2), a=3))
    assert "features of Nim" in refused(featured(lambda self: [1], a=3))
    assert "features of Nim" in refused(featured(lambda self: ("a",), a=3))
    many = {f"f{i}": 1 for i in range(17)}
    assert "expected at most 16 whole numbers" in refused(featured(lambda self: (1,) * 17, **many))
    assert "the weight of a is 1.5; expected a whole number" in refused(featured(lambda self: (1,), a=1.5))


# Right in Python as far as anyone tries, wrong where only a search of all moves comes to.


@game
class Hidden(NamedTuple):
    """Four moves each time; who has played the first nine times in a row comes to what is wrong."""

    wrong: int
    ply: int = 0
    straight: int = 1

    def is_max(self) -> bool:
        return self.ply % 2 == 0

    def over(self) -> bool:
        return self.ply == 40

    def value(self) -> int:
        return 0

    def moves(self, found: Any) -> None:
        if not self.over():
            for i in range(4):
                found.add(i)
            while self.wrong == 1 and self.straight and self.ply == 9:
                found.add(5)

    def evaluate(self) -> int:
        if self.wrong == 2 and self.straight and self.ply == 9:
            return 1 // (self.ply - 9)
        return 7

    def play(self, move: int) -> "Hidden":
        return Hidden(self.wrong, self.ply + 1, self.straight if move == 0 else 0)


@pytest.mark.parametrize("method", ["improved", "alphabeta", "minimax"])
def test_a_move_list_that_never_ends_is_found_by_the_search(method: str) -> None:
    assert search(Hidden(1), 8, method=method).value == 7
    with pytest.raises(AbvizError, match=r"^Hidden has a position with more than 64 moves; expected fewer$"):
        search(Hidden(1), 10, method=method)
    assert search(Hidden(0), 10, method=method).value == 7


def test_a_rule_that_fails_in_the_search_is_one_clear_error() -> None:
    with pytest.raises(AbvizError, match=r"^a rule of Hidden raised ZeroDivisionError: ") as raised:
        search(Hidden(2), 9)
    assert "\n" not in str(raised.value)


# Rules that are right in Python, but that do not compile.

POINTS = {0: 1, 1: 2}


def by_dict(self: Any) -> int:
    return POINTS[self.turn]


def by_pairs(self: Any) -> int:
    first = self.left
    return min((i, j) for i in range(2) for j in range(first))[0]


def by_text(self: Any) -> int:
    return int("3")


def by_helper(self: Any) -> int:
    return helper(self.left)


def helper(left: int) -> int:
    twice = left * 2
    return min(name for name in (left, twice))


def by_format(self: Any) -> int:
    left = self.left
    return int(f"{left:3}")


def by_replacing(self: Any) -> int:
    return self._replace(turn=1).left


@pytest.mark.parametrize(
    "rule, named, line, said",
    [
        (by_dict, "by_dict of Nim does", "return POINTS[self.turn]", "POINTS"),
        (by_pairs, "by_pairs of Nim does", "return min((i, j) for i in range(2) for j in range(first))[0]", "yield"),
        (by_text, "by_text of Nim does", 'return int("3")', "numba knows no int(Literal[str](3))"),
        (by_helper, "helper of Nim does", "return min(name for name in (left, twice))", "yield"),
        (by_format, "by_format of Nim does", 'return int(f"{left:3}")', "format spec in f-strings not supported yet"),
        (by_replacing, "by_replacing of Nim does", "return self._replace(turn=1).left", "'_replace' of type Nim"),
    ],
)
def test_a_rule_that_does_not_compile_is_named_with_its_line(
    rule: Any, named: str, line: str, said: str, capfd: pytest.CaptureFixture[str]
) -> None:
    message = refused(with_rules(evaluate=rule)(9))
    number = Path(__file__).read_text("utf-8").splitlines().index(f"    {line}") + 1
    assert message.startswith(f"{named} not compile, line {number} ({line}): "), message
    assert said in message and "/" not in message, message


def test_a_rule_that_calls_itself_is_one_clear_error() -> None:
    def evaluate(self: Any) -> int:
        return 0 if self.left == 0 else self.play(1).evaluate()

    assert "compile" in refused(with_rules(evaluate=evaluate)(9))


def test_a_game_is_checked_in_python_first(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: Any) -> None:
        raise AssertionError("compiled before it was checked")

    monkeypatch.setattr("abviz.engine.api.prepared", never)
    assert "is 'good'" in refused(with_rules(evaluate=text)(9, 0))
    with pytest.raises(AssertionError):
        search(with_rules()(9, 0))
