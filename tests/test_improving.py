"""Alpha-beta improved: whatever is switched on, the value stays, the move is a best one and the line bears it out."""

import random
from itertools import product
from typing import Any

import pytest

from abviz import Checkers, Switches, TicTacToe, search
from abviz.engine import Result, Search
from abviz.engine.compiling import engine
from abviz.engine.switches import DEEPER, MAY_BE_WRONG, STAYS
from abviz.engine.table import new_table
from abviz.engine.work import NO_MOVE, new_work
from abviz.games.scale import LAST
from tests import slow_search
from tests.slow_search import (
    WIN,
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
    solved,
    static,
    tic_tac_toes,
)

EVERY = [dict(zip(Switches.names(STAYS), on, strict=True)) for on in product([False, True], repeat=8)]


def plain(position: Any, depth: int, hot: bool = True, ply: int = 0) -> int:
    """The value by plain alpha-beta, which tests/test_plain.py has judged."""
    work = new_work()
    work.last = LAST if hot else 0
    work.weights[: len(position.weights)] = list(position.weights.values())
    return int(engine(type(position)).alphabeta(position, depth, -WIN, WIN, work, ply))


def check_line(result: Result, hot: bool = True) -> None:
    """The line is legal, and ends where the search ended: in a position that is worth what the search says."""
    position = result.position
    assert result.move == result.line[0]
    for ply, name in enumerate(result.line):
        assert not position.over()
        assert ply < result.depth or (hot and position.hot()), "the line goes on where the search has ended"
        position = position.play(name)
    if position.over():
        assert result.value == position.value() * (WIN - len(result.line))
    else:
        assert len(result.line) >= result.depth and not (hot and position.hot()), "the line ends too early"
        assert result.value == static(position)


def check_move(result: Result, hot: bool = True) -> None:
    """No other move is better, and the search's has the search's value."""
    position = result.position
    values = {
        name: plain(position.play(move), result.depth - 1, hot, 1)
        for name, move in zip(position.moves(), moves_of(position), strict=True)
    }
    best = max(values.values()) if position.is_max() else min(values.values())
    assert values[result.move] == best == result.value


def few() -> list[tuple[Any, int]]:
    return [
        *((position, 5) for position in slow_search.checkers(2, seed=11)),
        (Checkers.from_fen("W:W18,20,27,32:B9,10,11,12"), 6),
        (TicTacToe.start(), 5),
        *((position, 7) for position in mazes(4, seed=11)),
    ]


@pytest.mark.parametrize("hot", [True, False])
def test_the_value_stays_under_every_combination_of_its_switches(hot: bool) -> None:
    assert len(EVERY) == 256
    for position, depth in few():
        value = plain(position, depth, hot)
        for switches in EVERY:
            result = search(position, depth, hot=hot, megabytes=0.1, **switches)
            assert result.value == value, (position, depth, switches)
            check_line(result, hot)


def test_the_value_stays_on_many_positions() -> None:
    """Deeper, each with switches at random, with a table of the usual size, a small one, and one of two entries."""
    rng = random.Random(12)
    positions = [
        *((position, rng.randint(4, 8)) for position in slow_search.checkers(120, seed=12)),
        *((position, rng.randint(3, 12)) for position in mazes(400, seed=12)),
        *((position, rng.randint(3, 12)) for position in tic_tac_toes(60, seed=12)),
    ]
    wins = 0
    for position, depth in positions:
        hot = rng.random() < 0.7
        value = plain(position, depth, hot)
        wins += proven(value)
        for entries in (2, 64, 1 << 14):
            given = Search(position, depth, hot=hot, **rng.choice(EVERY))
            if given.switches.table:
                given.table = new_table(entries)
            result = given.start().result()
            assert result.value == value, (position, depth, given.switches)
            check_line(result, hot)
            check_move(result, hot)
    assert wins > 100


def test_the_value_is_that_of_the_definition() -> None:
    for position, depth in [
        *((position, 3) for position in slow_search.checkers(15, seed=13)),
        *((position, 6) for position in mazes(30, seed=13)),
    ]:
        assert search(position, depth).value == brute(position, depth)


@pytest.mark.parametrize(
    "switched",
    [
        {},
        {name: 1 for name in Switches.names(STAYS) if name in PlainWork(Maze(0, 0, 0)).__dict__},
        {"captures": 1, "killers": 1, "history": 1, "table": 1, "pvs": 1},
        {"reductions": 1, "pvs": 1, "history": 1, "table": 1},
        {"beam": 2, "captures": 1},
    ],
)
def test_compiled_it_does_what_it_does_as_python(switched: dict[str, int]) -> None:
    """In value, counts and line; also twice in one record with one table, where the second follows the first's line."""
    for position, depth in [
        *((position, 3) for position in slow_search.checkers(6, seed=14)),
        *((position, 6) for position in mazes(25, seed=14)),
        (TicTacToe.start(), 4),
    ]:
        python, work, table = as_python(type(position)), PlainWork(position, **switched), plain_table(64)
        record, array = new_work(), new_table(64)
        record.weights[: len(position.weights)] = list(position.weights.values())
        for name, value in switched.items():
            setattr(record, name, value)
        for following in (-1, 0):
            work.following = following
            record.following = following
            value = python.improved(position, depth + following, -WIN, WIN, work, table, 0)
            found = engine(type(position)).improved(position, depth + following, -WIN, WIN, record, array, 0)
            assert found == value, position
            for count in ("nodes", "evaluations", "cutoffs", "hits", "again"):
                assert int(record[count]) == getattr(work, count), (position, count)
            line = [work.line[0, i] for i in range(work.length[0])]
            assert record.line[0, : record.length[0]].tolist() == line, position
            for i, move in enumerate(line):
                work.first[i] = record.first[i] = move
        assert [(e.check, e.entry, e.move) for e in table] == array.tolist()


def test_without_any_switch_it_is_plain_alphabeta() -> None:
    for position, depth in few():
        result = search(position, depth, switches=Switches.none())
        simple = search(position, depth, method="alphabeta")
        assert (result.value, result.move) == (simple.value, simple.move)
        counts = ("nodes", "evaluations", "cutoffs")
        assert [getattr(result, count) for count in counts] == [getattr(simple, count) for count in counts]


@pytest.mark.parametrize("name", Switches.names(STAYS))
def test_every_switch_does_something(name: str) -> None:
    """With one of them off, another tree is searched; the value is the same."""
    position = Checkers.start().play("11-15").play("23-19")
    without = Switches.of(**{name: name == "presort"})
    result, usual = search(position, 9, switches=without), search(position, 9)
    assert result.nodes != usual.nodes
    assert result.value == usual.value


def test_the_improvements_save_what_they_are_there_to_save() -> None:
    """Of the nodes of plain alpha-beta; the bounds are wide, the exact figures belong to the benchmarks."""
    position = Checkers.start()
    nodes = {
        "none": search(position, 9, switches=Switches.none()).nodes,
        "sorted": search(position, 9, switches=Switches.none(captures=True, killers=True, history=True)).nodes,
        "all": search(position, 9).nodes,
    }
    assert nodes["sorted"] < 0.7 * nodes["none"]
    assert nodes["all"] < 0.4 * nodes["none"]


def test_captures_are_played_out_only_where_it_is_so_switched() -> None:
    position = Checkers.from_fen("W:W18,20,27,32:B9,10,11,12")
    for depth in (1, 2, 3, 5):
        assert search(position, depth, hot=False).value == brute(position, depth, hot=False)
        assert search(position, depth).value == brute(position, depth)
    assert Switches.names(DEEPER) == ("hot",)
    assert any(brute(maze, 3) != brute(maze, 3, hot=False) for maze in mazes(5, seed=1))


def narrowed(position: Any, depth: int, beam: int) -> int:
    """What a search is worth that looks at the first moves alone, of those in the order of the rules."""
    if depth < 2:
        return brute(position, depth)
    if position.over():
        return position.value() * WIN
    below = []
    for move in moves_of(position)[:beam]:
        value = narrowed(position.play(move), depth - 1, beam)
        below.append(value - (proven(value) and (1 if value > 0 else -1)))
    return max(below) if position.is_max() else min(below)


@pytest.mark.parametrize("beam", [1, 2, 3])
def test_a_beam_keeps_the_first_moves_alone(beam: int) -> None:
    assert Switches.names(MAY_BE_WRONG) == ("reductions", "beam")
    differ = 0
    for maze in mazes(40, seed=15):
        value = search(maze, 6, switches=Switches.none(beam=beam)).value
        assert value == narrowed(maze, 6, beam)
        differ += value != plain(maze, 6)
    assert differ > 10


def reduced(position: Any, depth: int, alpha: int, beta: int, ply: int = 0) -> int:
    """Alpha-beta that looks at the fourth move and later ones a move less deep, unless they take or leave a capture.

    Where that makes one of them look better than the best so far, it is looked at again, to the full depth.
    """
    if depth < 2 or position.over():
        return brute(position, depth, ply=ply)
    is_max = position.is_max()
    values = []
    for i, move in enumerate(moves_of(position)):
        child = position.play(move)
        value = None
        if i >= 3 and depth > 2 and position.gain(move) == 0 and not child.hot():
            value = reduced(child, depth - 2, alpha, beta, ply + 1)
        if value is None or (value > alpha if is_max else value < beta):
            value = reduced(child, depth - 1, alpha, beta, ply + 1)
        values.append(value)
        alpha, beta = (max(alpha, value), beta) if is_max else (alpha, min(beta, value))
        if alpha >= beta:
            break
    return max(values) if is_max else min(values)


def test_reductions_look_less_deep_at_late_quiet_moves() -> None:
    usual, less = search(Checkers.start(), 10), search(Checkers.start(), 10, reductions=True)
    assert less.nodes < usual.nodes
    differ = 0
    for maze in mazes(150, seed=16):
        value = search(maze, 6, switches=Switches.none(reductions=True)).value
        assert value == reduced(maze, 6, -WIN, WIN)
        differ += value != plain(maze, 6)
        assert search(maze, 2, reductions=True).value == plain(maze, 2), "too near to the leaves to save anything"
    assert differ > 0


# wins


def test_the_quicker_win_is_preferred_and_the_later_loss() -> None:
    """To the end of a maze: the number of plies is that of an analysis from the last floor up."""
    wins = {1: 0, -1: 0}
    for maze in mazes(150, seed=17):
        value = solved(maze)
        if not proven(value):
            continue
        result = search(maze, 30)
        assert result.value == value and result.finished
        plies = WIN - abs(value)
        assert result.wins_in == (plies if value > 0 else -plies)
        assert len(result.line) == plies
        check_line(result)
        wins[1 if value > 0 else -1] += 1
    assert min(wins.values()) > 20


@pytest.mark.parametrize("cells, wins_in", [("xx. oo. ...", 1), ("x.. .o. ..x", None), ("x.. o.. ...", 5)])
def test_tic_tac_toe_is_won_as_fast_as_can_be(cells: str, wins_in: int | None) -> None:
    position = TicTacToe.from_cells(cells)
    result = search(position, 9)
    assert result.wins_in == wins_in
    assert result.value == solved(position)


def test_all_of_tic_tac_toe_is_a_draw() -> None:
    for method in ("improved", "alphabeta"):
        result = search(TicTacToe.start(), 9, method=method)
        assert (result.value, result.wins_in, len(result.line)) == (0, None, 9)
        check_line(result)


def test_the_nodes_of_tic_tac_toe_are_the_known_number() -> None:
    """18,297 where a win is a win; counted in plies a win seldom equals another, and more has to be searched."""
    known = Teaching(TicTacToe.start(), 9, hot=True)
    known.value = lambda node: node[0].value()  # type: ignore[method-assign]
    assert known.searched("alphabeta")[1] == 18_297
    value, nodes, _ = Teaching(TicTacToe.start(), 9, hot=True).searched("alphabeta")
    result = search(TicTacToe.start(), 9, method="alphabeta")
    assert (result.value, result.nodes) == (value, nodes) == (0, 20_866)


def test_an_early_end_of_deepening_leaves_the_value() -> None:
    ended = 0
    for maze in mazes(200, seed=18):
        for depth in (3, 6, 9):
            result = search(maze, depth)
            assert result.finished and result.value == plain(maze, depth)
            ended += result.depth < depth
            if result.depth < depth:
                assert abs(result.wins_in) <= result.depth
                assert result.value == search(maze, depth, deepening=False).value
    assert ended > 40


def test_a_loss_is_put_off_as_long_as_it_can_be() -> None:
    for steps in (4, 8, 12, 16):
        result = search(Stairs(steps), 20)
        assert result.wins_in == -steps // 2
        assert result.value == solved(Stairs(steps))
        if steps <= 12:
            assert result.value == brute(Stairs(steps), 12)


# its parts, as Python


def test_moves_are_put_in_order_one_by_one() -> None:
    python = as_python(Maze)
    rng = random.Random(19)
    for _ in range(200):
        count = rng.randint(1, 8)
        scores = [rng.randint(0, 3) for _ in range(count)]
        work = PlainWork(Maze(0, 0, 0))
        for i, value in enumerate(scores):
            work.moves[2, i], work.scores[2, i] = i, value
        for i in range(count):
            python.bring_forward(work, 2, i, count)
        order = [work.moves[2, i] for i in range(count)]
        assert order == sorted(range(count), key=lambda i: -scores[i]), "largest first, ties in their order"
        assert [work.scores[2, i] for i in range(count)] == [scores[i] for i in order]


def test_what_a_move_is_sorted_by() -> None:
    """Captures before killers, the newer of these before the older, then what has cut most; each where it is on."""
    maze = next(maze for maze in mazes(500, seed=20) if [maze.gain(i) for i in range(5)] == [0, 2, 1, 0, 0])
    python = as_python(Maze)

    def order(**switched: int) -> list[int]:
        work = PlainWork(maze, **switched)
        work.killer[0, 0], work.killer[0, 1] = 4, 3
        work.worth[1, python.place(0)] = 9
        work.worth[1, python.place(3)] = 12
        for i in range(5):
            work.moves[0, i] = i
        python.sort(maze, work, 0, 5, NO_MOVE, 6)
        for i in range(5):
            python.bring_forward(work, 0, i, 5)
        return [work.moves[0, i] for i in range(5)]

    assert maze.is_max()
    assert order() == [0, 1, 2, 3, 4]
    assert order(captures=1) == [1, 2, 0, 3, 4]
    assert order(killers=1) == [4, 3, 0, 1, 2]
    assert order(history=1) == [3, 0, 1, 2, 4]
    assert order(captures=1, killers=1, history=1) == [1, 2, 4, 3, 0]


def test_presort_puts_first_what_looks_best_two_moves_on() -> None:
    python = as_python(Maze)
    for maze in mazes(40, seed=21):
        work = PlainWork(maze, presort=1)
        count = python.list_moves(maze, work, 0)
        python.sort(maze, work, 0, count, NO_MOVE, 6)
        python.bring_forward(work, 0, 0, count)
        values = [brute(maze.play(move), 2, ply=1) for move in moves_of(maze)]
        best = max(values) if maze.is_max() else min(values)
        assert work.moves[0, 0] == moves_of(maze)[values.index(best)]


def test_the_line_found_before_comes_first_and_then_the_table_s_move() -> None:
    python = as_python(Maze)
    maze = next(maze for maze in mazes(100, seed=22) if len(moves_of(maze)) == 5)
    for following, known, first in [(0, 3, 4), (-1, 3, 3), (0, NO_MOVE, 4), (1, 3, 3)]:
        work = PlainWork(maze, captures=1, following=following)
        work.first[0] = 4
        python.sort(maze, work, 0, python.list_moves(maze, work, 0), known, 6)
        python.bring_forward(work, 0, 0, 5)
        assert work.moves[0, 0] == first


def test_the_line_found_before_is_followed_on_its_own_positions_alone() -> None:
    """Off the line, and on its way back, a search must not take the line's later moves for good ones elsewhere."""
    followed = 0
    for maze in mazes(30, seed=24):
        python, work = as_python(Maze), PlainWork(maze, pvs=1)
        python.improved(maze, 5, -WIN, WIN, work, plain_table(2), 0)
        line = [work.line[0, i] for i in range(work.length[0])]
        for i, move in enumerate(line):
            work.first[i] = move
        on_line = [maze]
        for move in line:
            on_line.append(on_line[-1].play(move))
        seen: list[tuple[Any, int]] = []

        def sort(state: Any, w: Any, ply: int, *more: Any, plain_sort: Any = python.sort, seen: Any = seen) -> None:
            if w.following == ply:
                seen.append((state, ply))
            plain_sort(state, w, ply, *more)

        python.improved.__globals__["sort"] = sort
        work.following = 0
        python.improved(maze, 6, -WIN, WIN, work, plain_table(2), 0)
        assert seen == [(on_line[ply], ply) for ply in range(len(seen))]
        followed += len(seen)
    assert followed > 60


def test_a_move_that_has_cut_is_remembered() -> None:
    python = as_python(Maze)
    work = PlainWork(Maze(0, 0, 0))
    for move in (5, 5, 7, 7, 9):
        python.remember(work, 3, 4, move, True)
    assert [work.killer[3, i] for i in (0, 1)] == [9, 7]
    assert [work.worth[1, python.place(move)] for move in (5, 7, 9)] == [32, 32, 16]
    assert work.worth[0, python.place(5)] == 0
    assert work.killer[2, 0] == work.killer[4, 0] == 0


def test_a_line_is_the_move_and_the_child_s_line() -> None:
    python = as_python(Maze)
    work = PlainWork(Maze(0, 0, 0))
    work.length[4] = 2
    work.line[4, 0], work.line[4, 1] = 8, 9
    python.keep_line(work, 3, 7)
    assert [work.line[3, i] for i in range(work.length[3])] == [7, 8, 9]
    assert NO_MOVE not in [7, 8, 9]
