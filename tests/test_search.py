"""`search`: values against the definition and the teaching searches, lines, limits, stopping, and
bad options.
"""

import random
import signal
import subprocess
import sys
import time
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple, get_type_hints

import pytest
import yaml

from abviz import AbvizError, Checkers, Switches, TicTacToe, search
from abviz.engine import Result, Search
from abviz.engine.arrays import ENTRY
from abviz.engine.compiler import engine
from abviz.engine.storage import new_table, new_work
from abviz.engine.workspace import SAME_VALUE, SwitchOptions
from abviz.games.abalone import Abalone
from abviz.games.definition import game
from abviz.games.rules import DEEPEST, LAST, WIN, checked_weights
from tests import slow_search
from tests.slow_search import (
    Maze,
    PlainWork,
    Stairs,
    Teaching,
    as_python,
    brute,
    mazes,
    moves_of,
    plain_table,
    proven,
    replies,
    solved,
    static,
    tic_tac_toes,
)

HOUSE = Path(__file__).resolve().parents[1]
KNOWN = yaml.safe_load((HOUSE / "tests/data/perft_checkers.yaml").read_text("utf-8"))["results"]
EVERY = [dict(zip(SAME_VALUE, on, strict=True)) for on in product([False, True], repeat=7)]
COUNTS = ("nodes", "evaluations", "cutoffs")


def weighted_work(position: Any, hot: bool = True) -> Any:
    work = new_work(weights=list(position.weights.values()))
    work.last = LAST if hot else 0
    return work


def plain(position: Any, depth: int, hot: bool = True, ply: int = 0) -> int:
    work = weighted_work(position, hot)
    return int(engine(type(position)).alphabeta(position, depth, -WIN, WIN, work, ply))


def check_line(result: Result, hot: bool = True) -> None:
    """The line is legal, and ends in a position with the value of the search."""
    position = result.position
    assert result.move == result.line[0]
    for ply, name in enumerate(result.line):
        assert not position.over()
        assert ply < result.depth or (hot and position.hot()), (
            "the line goes on where the search has ended"
        )
        position = position.play(name)
    if position.over():
        assert result.value == position.value() * (WIN - len(result.line))
    else:
        # The player prefers to capture nothing
        may_stay = replies(position, result.depth - len(result.line))[1]
        assert len(result.line) >= result.depth and (may_stay or not (hot and position.hot())), (
            "the line ends too early"
        )
        assert result.value == static(position)


def without_clock(result: Result) -> tuple[Any, ...]:
    iterations = [(each.depth, each.value, each.line, each.nodes) for each in result.iterations]
    counts = (result.nodes, result.evaluations, result.cutoffs, result.hits)
    return result.move, result.value, result.line, result.depth, result.finished, counts, iterations


# the plain searches


@pytest.mark.parametrize("hot", [True, False])
@pytest.mark.parametrize("method", ["minimax", "alphabeta"])
def test_plain_searches_visit_the_nodes_of_the_teaching_searches(method: str, hot: bool) -> None:
    """Compiled and as Python: the same value and counts, and the same leaves in the same order."""
    cases = [
        *((position, 3) for position in slow_search.checkers(3, seed=1)),
        *((position, 4) for position in tic_tac_toes(4, seed=3)),
        *((position, 5) for position in mazes(9, seed=4)),
    ]
    for position, depth in cases:
        value, nodes, leaves = Teaching(position, depth, hot).searched(method)
        assert value == brute(position, depth, hot=hot), position
        python, work = as_python(), PlainWork(position, last=LAST if hot else 0)
        window = (-WIN, WIN) if method == "alphabeta" else ()
        assert getattr(python, method)(position, depth, *window, work, 0) == value, position
        assert (python.leaves, work.nodes) == (leaves, nodes), position
        result = search(position, depth, method=method, hot=hot)
        assert (result.value, result.nodes) == (value, nodes), position
        assert [getattr(result, name) for name in COUNTS] == [
            getattr(work, name) for name in COUNTS
        ], position


def test_alphabeta_is_fail_soft() -> None:
    """returned ≤ α means value ≤ returned; returned ≥ β means value ≥ returned; otherwise it is the
    value.
    """
    rng, inside = random.Random(5), 0
    for position in [*mazes(60, seed=5), *slow_search.checkers(10, seed=5)]:
        value = brute(position, 3)
        for _ in range(5):
            alpha = value + rng.randrange(-300, 300)
            beta = alpha + rng.randrange(1, 300)
            returned = engine(type(position)).alphabeta(
                position, 3, alpha, beta, weighted_work(position), 0
            )
            if returned <= alpha:
                assert value <= returned
            elif returned >= beta:
                assert value >= returned
            else:
                assert returned == value
                inside += 1
    assert inside > 20


def test_the_nodes_of_tic_tac_toe_are_the_published_number() -> None:
    """18,297 where a win is a win; counted in plies, fewer wins are equal, and more has to be
    searched.
    """
    teaching = Teaching(TicTacToe.start(), 9, hot=True)
    teaching.value = lambda node: node[0].value()  # type: ignore[method-assign]
    assert teaching.searched("alphabeta")[1] == 18_297
    result = search(TicTacToe.start(), 9, method="alphabeta")
    assert (result.value, result.nodes) == (0, 20_866)


# the improvements


@pytest.mark.parametrize(
    "number",
    [pytest.param(18, marks=pytest.mark.quick), pytest.param(400, marks=pytest.mark.slow)],
)
def test_random_switches_and_tables_keep_the_value(number: int) -> None:
    rng = random.Random(12)
    cases = [
        *((position, rng.randint(4, 7)) for position in slow_search.checkers(number // 3, seed=12)),
        *((position, rng.randint(3, 12)) for position in mazes(number, seed=12)),
        *((position, rng.randint(3, 12)) for position in tic_tac_toes(number // 6, seed=12)),
    ]
    wins = 0
    for position, depth in cases:
        hot = rng.random() < 0.7
        value = plain(position, depth, hot)
        wins += proven(value)
        for entries in (2, 64, 1 << 14):
            given = Search(position, depth, hot=hot, megabytes=0.1, **rng.choice(EVERY))
            if given.switches.table:
                given.table = new_table(entries)
            result = given.result()
            assert result.value == value, (position, depth, given.switches)
            check_line(result, hot)
            after = plain(position.play(result.move), result.depth - 1, hot, 1)
            assert after == value, "the move is not a best one"
    assert wins > number // 6


SWITCHED: list[dict[str, int]] = [
    {},
    {name: 1 for name in SAME_VALUE if name in PlainWork(Maze(0, 0, 0)).__dict__},
    {"captures": 1, "killers": 1, "history": 1, "table": 1, "pvs": 1},
    {"reductions": 1, "pvs": 1, "history": 1, "table": 1},
    {"beam": 2, "captures": 1},
]


@pytest.mark.parametrize("switched", SWITCHED)
def test_the_improved_search_is_the_same_compiled_and_as_python(switched: dict[str, int]) -> None:
    """In value, counts, line and table; also a second time, where it follows the line of the first."""
    cases = [
        *((position, 3) for position in slow_search.checkers(4, seed=14)),
        *((position, 6) for position in mazes(15, seed=14)),
    ]
    for position, depth in cases:
        python, work, table = as_python(), PlainWork(position, **switched), plain_table(64)
        record, array = weighted_work(position), new_table(64)
        for name, value in switched.items():
            setattr(record, name, value)
        for following in (-1, 0):
            work.following = record.following = following
            value = python.improved(position, depth + following, -WIN, WIN, work, table, 0)
            compiled = engine(type(position)).improved(
                position, depth + following, -WIN, WIN, record, array, 0
            )
            assert compiled == value, position
            for name in (*COUNTS, "hits"):
                assert int(record[name]) == getattr(work, name), (position, name)
            line = [work.line[0, i] for i in range(work.length[0])]
            assert record.line[0, : record.length[0]].tolist() == line, position
            for i, move in enumerate(line):
                work.first[i] = record.first[i] = move
        assert [(e.check, e.entry, e.move) for e in table] == array.tolist()


def test_the_type_of_the_options_names_exactly_the_switches() -> None:
    assert get_type_hints(SwitchOptions) == get_type_hints(Switches)
    assert SwitchOptions.__required_keys__ == frozenset(), "any of them may be left out"


def test_without_any_switch_it_is_plain_alphabeta() -> None:
    for position in [*slow_search.checkers(3, seed=11), *mazes(3, seed=11)]:
        result = search(position, 5, **vars(Switches.none()))
        expected = search(position, 5, method="alphabeta")
        for name in ("value", "move", *COUNTS):
            assert getattr(result, name) == getattr(expected, name)


def narrowed(position: Any, depth: int, beam: int) -> int:
    """The value by the first moves of each position alone."""
    if depth < 2:
        return brute(position, depth)
    if position.over():
        return position.value() * WIN
    below = [narrowed(position.play(move), depth - 1, beam) for move in moves_of(position)[:beam]]
    below = [value - (proven(value) and (1 if value > 0 else -1)) for value in below]
    return max(below) if position.is_max() else min(below)


def reduced(position: Any, depth: int, alpha: int, beta: int, ply: int = 0) -> int:
    """Alpha-beta that searches the fourth move and later quiet ones a move less deep, and again
    where one is better.
    """
    if depth < 2 or position.over():
        return brute(position, depth, ply=ply)
    is_max, values = position.is_max(), []
    for i, move in enumerate(moves_of(position)):
        child, value = position.play(move), None
        if i >= 3 and depth > 2 and position.gain(move) == 0 and not child.hot():
            value = reduced(child, depth - 2, alpha, beta, ply + 1)
        if value is None or (value > alpha if is_max else value < beta):
            value = reduced(child, depth - 1, alpha, beta, ply + 1)
        values.append(value)
        alpha, beta = (max(alpha, value), beta) if is_max else (alpha, min(beta, value))
        if alpha >= beta:
            break
    return max(values) if is_max else min(values)


def test_beams_and_reductions_are_what_they_say() -> None:
    for beam in (1, 2, 3):
        values = [
            (search(maze, 6, **vars(Switches.none(beam=beam))).value, maze)
            for maze in mazes(30, seed=15)
        ]
        assert [value for value, _ in values] == [narrowed(maze, 6, beam) for _, maze in values]
        assert sum(value != plain(maze, 6) for value, maze in values) > 8
    values = [
        (search(maze, 6, **vars(Switches.none(reductions=True))).value, maze)
        for maze in mazes(100, seed=16)
    ]
    assert [value for value, _ in values] == [reduced(maze, 6, -WIN, WIN) for _, maze in values]
    assert any(value != plain(maze, 6) for value, maze in values)
    assert search(Checkers.start(), 10, reductions=True).nodes < search(Checkers.start(), 10).nodes


def test_the_quicker_win_is_preferred_and_the_later_loss() -> None:
    wins = {1: 0, -1: 0}
    for maze in mazes(60, seed=17):
        value = solved(maze)
        if proven(value):
            result = search(maze, 30)
            assert result.value == value and result.finished
            assert len(result.line) == WIN - abs(value) == abs(result.wins_in or 0)
            wins[1 if value > 0 else -1] += 1
    assert min(wins.values()) > 5
    for steps, plies in [(3, 1), (4, -2), (16, -8), (19, 9), (21, 11)]:
        assert search(Stairs(steps), 40).wins_in == plies, steps
    for cells, wins_in in [("xx. oo. ...", 1), ("x.. .o. ..x", None), ("x.. o.. ...", 5)]:
        assert search(TicTacToe.from_cells(cells), 9).wins_in == wins_in


# results


@pytest.mark.parametrize("case", KNOWN, ids=lambda case: case["fen"])
def test_published_results_are_found(case: dict[str, Any]) -> None:
    position = Checkers.from_fen(case["fen"])
    result = search(position, case["depth"])
    check_line(result)
    if "best" in case:
        assert [result.move] == case["best"]
    if case.get("winner") == "W":
        assert result.wins_in is not None and 0 < -result.wins_in <= case["depth"]


def test_results_are_reproducible_also_in_several_threads() -> None:
    cases = [(position, 7) for position in [*slow_search.checkers(5, seed=31), *mazes(5, seed=31)]]
    first = [without_clock(search(*each)) for each in cases]
    together = [Search(*each).start() for each in cases * 2]
    assert [without_clock(each.result()) for each in together] == first * 2


def test_weights_and_switches_are_options() -> None:
    changed = {"men": 7, "center": 31, "advance": -4}
    for position in slow_search.checkers(5, seed=6):
        value = brute(position, 3, weights=changed)
        for method in ("improved", "alphabeta", "minimax"):
            assert search(position, 3, method=method, weights=changed).value == value
    by_name = without_clock(search(Checkers.start(), 6, table=False, pvs=False))
    assert (
        without_clock(search(Checkers.start(), 6, **vars(Switches(table=False, pvs=False))))
        == by_name
    )
    assert (
        Search(Checkers.start()).depth == 12
        and Search(Checkers.start(), seconds=1).depth == DEEPEST
    )


def test_a_weight_under_an_earlier_name_of_its_feature_counts() -> None:
    now, earlier = ({name: 31, "men": 7} for name in ("center", "centre"))
    for position in (Checkers.start(), Abalone.start()):
        assert checked_weights(position, {"centre": 31}) == checked_weights(
            position, {"center": 31}
        )
    found = [without_clock(search(Checkers.start(), 5, weights=each)) for each in (now, earlier)]
    assert found[0] == found[1]


@pytest.mark.parametrize("megabytes", [0.001, 0.1, 32, 33.5])
def test_the_table_takes_at_most_what_it_is_given(megabytes: float) -> None:
    table = Search(Checkers.start(), 4, megabytes=megabytes).table
    assert megabytes * 1e6 / 2 < table.nbytes <= megabytes * 1e6 and table.dtype == ENTRY
    assert Search(Checkers.start(), 4, table=False, megabytes=megabytes).table.nbytes < 100


# limits, stopping, watching


@pytest.mark.parametrize("nodes", [1, 100, 10_000, 100_000])
def test_a_limit_of_nodes_returns_the_deepest_finished_iteration(nodes: int) -> None:
    for position in [Checkers.start(), next(mazes(1, seed=33))]:
        full, result = search(position, 10), search(position, 10, nodes=nodes)
        depth = max((each.depth for each in full.iterations if each.nodes < nodes), default=1)
        assert result.depth == depth
        assert result.finished == (depth == full.depth and full.nodes < nodes)
        same = search(position, depth)
        assert (result.move, result.value, result.line) == (same.move, same.value, same.line)


@game
class Rooms(NamedTuple):
    """A maze in which a room may be entered again. It has no winner."""

    seed: int
    room: int

    def is_max(self) -> bool:
        return self.room % 2 == 0

    def over(self) -> bool:
        return self.room > 5

    def value(self) -> int:
        return 0

    def moves(self, legal: Any) -> None:
        if self.room < 6:
            legal.add(0)
            legal.add(1)

    def play(self, move: int) -> "Rooms":
        return Rooms(self.seed, (self.seed >> (6 * self.room + 3 * move)) & 7)

    def evaluate(self) -> int:
        return self.seed % 7 - 3


@pytest.mark.slow
def test_a_position_that_is_solved_is_searched_no_deeper() -> None:
    for position in tic_tac_toes(20, seed=34):
        result = search(position, DEEPEST, megabytes=1)
        assert (
            result.finished
            and result.depth <= position.cells.count(".")
            and len(result.line) <= result.depth
        )
        assert result.value == solved(position)
    rng, early = random.Random(35), 0
    for _ in range(300):
        position = Rooms(rng.getrandbits(36), rng.randrange(6))
        result = search(position, 10, megabytes=1)
        assert result.value == brute(position, 10)
        early += result.depth < 10
    assert early > 20


PROVING: list[dict[str, Any]] = [
    {},
    {"table": False},
    {"hot": False},
    {"deepening": False},
    {"aspiration": False, "pvs": False},
    {"method": "alphabeta"},
    {"method": "minimax"},
]


@pytest.mark.parametrize(
    "number",
    [pytest.param(8, marks=pytest.mark.quick), pytest.param(150, marks=pytest.mark.slow)],
)
def test_a_value_that_is_called_proven_is_the_games_own(number: int) -> None:
    known = {True: 0, False: 0}
    positions = [
        *tic_tac_toes(number, seed=71),
        *mazes(number, seed=72),
        *map(Stairs, range(1, min(number, 40))),  # beyond 21 sticks, no search sees the end
    ]
    for position in positions:
        right = solved(position)
        for options, depth in product(PROVING, (1, 2, 4, 7)):
            result = search(position, depth, megabytes=1, **options)
            known[result.proven] += 1
            if not result.proven:
                assert not proven(result.value) and f"at depth {result.depth}" in result.in_words
            elif proven(right):
                assert proven(result.value) and (result.value > 0) == (right > 0)
                assert "wins in" in result.in_words and "wins in" in str(result)
            else:
                assert result.value == right == 0
                assert result.in_words == "value 0, proven" and ", proven" in str(result)
    assert min(known.values()) > number


@pytest.mark.parametrize("options", PROVING)
def test_a_search_to_the_end_of_the_game_proves_its_value(options: dict[str, Any]) -> None:
    for position in tic_tac_toes(10, seed=73):
        for deeper in (0, 1):
            plies = position.cells.count(".") + deeper
            result = search(position, plies, megabytes=1, **options)
            assert result.proven and result.value == solved(position)


def test_a_search_that_may_be_wrong_proves_nothing() -> None:
    for position in tic_tac_toes(10, seed=74):
        for options in ({"beam": 2}, {"reductions": True}):
            assert not search(position, 9, **options).proven


def test_a_limit_of_seconds_and_stop_end_the_search() -> None:
    result = search(Checkers.start(), DEEPEST, seconds=0.05)
    assert not result.finished and result.depth >= 1 and result.seconds >= 0.05
    check_line(result)
    running = Search(Checkers.start(), DEEPEST)
    assert not running.done
    running.start()
    assert running.start() is running
    counts = []
    while len(running.iterations) < 6:
        counts.append(running.nodes)
    assert not running.done and counts == sorted(counts)
    running.stop()
    result = running.result()
    assert not result.finished and result.depth >= 6 and "stopped there" in str(result)
    assert running.done and running.result() is result


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent in another way there")
def test_an_interrupt_stops_the_search_reports_its_result_and_leaves_the_engine_usable() -> None:
    code = """
import threading
from abviz import Checkers, search, perft
for work in (lambda: search(Checkers.start(), 99), lambda: perft(Checkers.start(), 30)):
    perft(Checkers.start(), 3), search(Checkers.start(), 3)
    try:
        print("ready", flush=True)
        work()
    except KeyboardInterrupt as stopped:
        while any(thread.name == "abviz search" for thread in threading.enumerate()): pass
        print(type(stopped).__name__, "stopped there" in str(stopped), flush=True)
print(search(Checkers.start(), 6).depth)
"""
    process = subprocess.Popen(
        [sys.executable, "-c", code],
        cwd=HOUSE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        for partial_result in (True, False):
            assert process.stdout and process.stdout.readline() == "ready\n"
            time.sleep(0.5)
            process.send_signal(signal.SIGINT)
            assert process.stdout.readline() == f"Stopped {partial_result}\n"
        out, err = process.communicate(timeout=60)
    finally:
        process.kill()
    assert (process.returncode, out) == (0, "6\n"), err


# bad input

START = Checkers.start()
REFUSED: list[tuple[Any, dict[str, Any], str]] = [
    *(
        (START, {"depth": d}, "depth is .*; expected a whole number of moves")
        for d in (0, 100, True, "3", 2.0)
    ),
    *((bad, {}, "is not a position of a game") for bad in (None, "start", (1, 2), Checkers)),
    *((over, {}, "the game is over") for over in (Checkers.from_fen("W:W13:B6,9"), Stairs(0))),
    (TicTacToe("x", 0), {}, "x of a TicTacToe is 'x'; expected a whole number from 0 to "),  # type: ignore[arg-type]
    *((START, {"nodes": n}, "nodes is .*; expected a number above 0") for n in (0, -1, "many")),
    *(
        (START, {"seconds": s}, "seconds is .*; expected a number above 0")
        for s in (0, float("nan"), "1")
    ),
    *(
        (START, {"megabytes": m}, "megabytes is .*; expected a number above 0")
        for m in (0, -1, "1")
    ),
    (START, {"weights": {"mens": 100}}, "unknown feature 'mens': did you mean men"),
    (
        START,
        {"weights": {"men": 1.5}},
        "the weight of men is 1.5; expected a whole number within ±10,000",
    ),
    (START, {"method": "alpha"}, r"unknown method 'alpha': did you mean alphabeta\?"),
    (START, {"tables": False}, "unknown switch 'tables': did you mean table"),
    (START, {"beam": -1}, "beam is -1; expected a number of moves"),
    (
        START,
        {"method": "minimax", "table": False},
        "method minimax has no limits, and no switches but hot",
    ),
    (START, {"method": "alphabeta", "nodes": 100}, "method alphabeta has no limits"),
    (START, {"deepening": False, "seconds": 1}, "a limit of nodes or seconds needs deepening"),
]


@pytest.mark.parametrize(("position", "options", "message"), REFUSED)
def test_bad_input_is_refused_in_one_line(
    position: Any, options: dict[str, Any], message: str
) -> None:
    with pytest.raises(AbvizError, match=message) as error:
        search(position, **options)
    assert "\n" not in str(error.value) and len(str(error.value)) < 250
