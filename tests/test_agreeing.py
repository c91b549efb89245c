"""A student's rules say the same compiled as in Python, or are refused; and what they use must not change later."""

from typing import Any, NamedTuple

import numpy
import pytest

from abviz import AbvizError, search
from abviz.engine import perft
from abviz.games.rules import game


def counting(**rules: Any) -> Any:
    """A new game: a number to which 1 or 2 is added, until it is 6 or more."""

    class Count(NamedTuple):
        n: int = 0
        turn: int = 0

        def moves(self, found: Any) -> None:
            if self.n < 6:
                found.add(1)
                found.add(2)

        def play(self, move: int) -> Any:
            return made(self.n + move, 1 - self.turn)

        def is_max(self) -> bool:
            return self.turn == 0

        def over(self) -> bool:
            return self.n >= 6

        def value(self) -> int:
            return -1 if self.turn == 0 else 1

        def evaluate(self) -> int:
            return self.n

    for name, rule in rules.items():
        setattr(Count, name, rule)
    made = game(Count)
    return made


def refusal(position: Any, method: str = "alphabeta") -> str:
    """What is asked of the rules before any search: by default of the one that takes a third of the time to compile."""
    with pytest.raises(AbvizError) as refused:
        search(position, 2, method=method)
    message = str(refused.value)
    assert "\n" not in message
    return message


def value(position: Any) -> int | None:
    return search(position, 2, method="alphabeta").value


def shifted(self: Any) -> int:
    return (5 >> 64 * self.n) & 1023


def wrapped(self: Any) -> int:
    return (self.n + 2) ** 40 % 1000


def masked(self: Any) -> int:
    return ((self.n * 0x9E3779B97F4A7C15) & 0xFFFFFFFFFFFFFFFF) >> 54


@pytest.mark.parametrize("rule", [shifted, wrapped, masked])
def test_numbers_that_are_others_when_compiled(rule: Any) -> None:
    message = refusal(counting(evaluate=rule)())
    assert message.startswith("evaluate of Count(n=") or "does not compile" in message, message


def test_rules_that_agree_are_searched() -> None:
    assert search(counting()(), 2).value is not None
    assert perft(counting()(), 3) == 8


bonus_size = 1
table = numpy.array([3, 1, 4, 1, 5, 9, 2, 6])


def bonus(n: int) -> int:
    return n * bonus_size


def with_bonus(self: Any) -> int:
    return bonus(self.n)


def with_table(self: Any) -> int:
    return int(table[self.n])


def test_what_the_rules_use_must_stay_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    position = counting(evaluate=with_bonus)()
    assert value(position) == 3
    monkeypatch.setitem(globals(), "bonus_size", 100)
    assert "bonus_size, which the rules of Count use, has changed" in refusal(position)
    monkeypatch.undo()
    monkeypatch.setitem(globals(), "bonus", lambda n: -n)
    assert "bonus, which the rules of Count use, has changed" in refusal(position)
    assert value(counting(evaluate=with_bonus)()) == -3  # the cell run again
    monkeypatch.undo()
    assert value(position) == 3


def test_an_array_must_stay_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    position = counting(evaluate=with_table)()
    assert search(position, 2).value == 1
    monkeypatch.setitem(globals(), "table", table + 1)
    for method in ("improved", "alphabeta"):
        assert "table, which the rules of Count use, has changed" in refusal(position, method)


def noisy(self: Any) -> int:
    print(self)
    return self.n


def noisy_inside(self: Any) -> int:
    return noisy(self)


@pytest.mark.parametrize("rule", [noisy, noisy_inside])
def test_a_rule_does_not_print(rule: Any, capfd: pytest.CaptureFixture[str]) -> None:
    assert "noisy of Count calls print; expected none" in refusal(counting(evaluate=rule)())


def test_moves_of_one_name_are_refused() -> None:
    assert "for two moves; expected another name for each" in refusal(counting(move_name=lambda self, move: "take")())
    assert "move_name of Count(n=0, turn=0) is 1; expected text" in refusal(counting(move_name=lambda _, move: move)())


def appended(self: Any, found: Any) -> None:
    found.append(1)


def test_moves_are_added_and_not_appended() -> None:
    assert "expected found.add(move)" in refusal(counting(moves=appended)())


def test_a_position_from_before_the_cell_ran_again() -> None:
    first = counting()()

    def into_another(self: Any, move: int) -> Any:
        return counting()(self.n + move, 1 - self.turn)

    message = refusal(counting(play=into_another)())
    assert "is of a Count from before; expected one made anew, by the last @game" in message
    assert value(first) is not None


def rarely_wrong(self: Any) -> int:
    return 5 if self.n == 7 else 1


def test_a_win_of_more_than_one_is_refused_wherever_it_is_found() -> None:
    with pytest.raises(AbvizError, match="value"):
        search(counting(value=rarely_wrong)(), 8)


def test_a_search_one_move_ahead_has_a_move_however_hot_it_is() -> None:
    class Hot(NamedTuple):
        n: int = 0
        s: int = 0

        def moves(self, found: Any) -> None:
            for move in range(7 if self.n < 9 else 0):
                found.add(move)

        def play(self, move: int) -> Any:
            return made(self.n + 1, (self.s * 7 + move) % 1009)

        def is_max(self) -> bool:
            return self.n % 2 == 0

        def over(self) -> bool:
            return self.n >= 9

        def value(self) -> int:
            return 0

        def hot(self) -> bool:
            return self.n < 8

        def evaluate(self) -> int:
            return self.s

    made: Any = game(Hot)
    for depth in (1, 2):
        found, plain = search(made(), depth), search(made(), depth, method="alphabeta")
        assert found.move is not None and found.value == plain.value


def test_a_line_ends_where_captures_are_no_longer_played_out() -> None:
    class Endless(NamedTuple):
        n: int = 0

        def moves(self, found: Any) -> None:
            found.add(0)

        def play(self, move: int) -> Any:
            return made(1 - self.n)

        def is_max(self) -> bool:
            return self.n == 0

        def over(self) -> bool:
            return False

        def value(self) -> int:
            return 0

        def hot(self) -> bool:
            return True

    made: Any = game(Endless)
    assert len(search(made(), 1).line) <= 255
