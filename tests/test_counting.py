"""perft as a person calls it: the published counts, and an interrupt that ends it."""

import _thread
import threading
import time
from pathlib import Path
from typing import Any

import pytest
import yaml

from abviz import AbvizError, Checkers, TicTacToe
from abviz.engine import perft
from abviz.engine.counting import Perft

KNOWN = yaml.safe_load((Path(__file__).parent / "data" / "perft_checkers.yaml").read_text("utf-8"))["perft"]


@pytest.mark.parametrize("known", KNOWN, ids=lambda known: known["name"])
def test_the_published_counts(known: dict[str, Any]) -> None:
    position = Checkers.from_fen(known["fen"])
    for depth in range(1, min(6, len(known["perft"])) + 1):
        assert perft(position, depth) == known["perft"][depth - 1]
        assert perft(position, depth, unique=True) == known["unique"][depth - 1]


def test_where_a_game_is_over_there_is_no_way_on() -> None:
    assert perft(TicTacToe.from_cells("xxxoo...."), 3) == 0 and perft(TicTacToe.start(), 10) == 0


@pytest.mark.parametrize("depth", [0, -1, 100, 1.0, True, "3", None])
def test_a_depth_that_cannot_be_is_refused(depth: Any) -> None:
    with pytest.raises(AbvizError, match=r"depth is .*; expected a whole number of moves, 1 to 99"):
        perft(Checkers.start(), depth)


def test_what_is_no_position_is_refused() -> None:
    with pytest.raises(AbvizError, match="is no position of a game"):
        perft("checkers", 3)  # type: ignore[arg-type]


@pytest.mark.parametrize("unique", [False, True])
def test_an_interrupt_ends_it_and_its_thread(unique: bool) -> None:
    counter = Perft(Checkers.start(), unique=unique)
    threading.Timer(0.3, _thread.interrupt_main).start()
    begin = time.perf_counter()
    with pytest.raises(KeyboardInterrupt):
        counter.count(25)
    assert time.perf_counter() - begin < 20  # of hours
    assert counter.count(3) == 302, "it can count again"
    for thread in threading.enumerate():
        if thread.name == "abviz perft":
            thread.join(1)
            assert not thread.is_alive()
