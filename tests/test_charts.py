"""Charts of runs: what stands where is what the records say, and it can be read, in print, in grey, and heard."""

import random
import subprocess
import sys
from dataclasses import replace
from itertools import combinations
from time import thread_time
from urllib.parse import unquote
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib import style
from matplotlib.axes import Axes
from matplotlib.colors import to_hex, to_rgb
from matplotlib.figure import Figure
from matplotlib.text import Text

from abviz import AbvizError, Checkers, Switches
from abviz.engine import compare
from abviz.parallel.records import Run, TaskRecord
from abviz.timing import (
    Beam,
    Beams,
    Chart,
    beam_against_reordering,
    lanes,
    overhead,
    snapshots,
    speed_up,
    table,
    time_per_move,
)
from abviz.timing.pooling import Spread, amount, digits, percent
from abviz.timing.showing import EDGE, FILL, INK, LOOKS
from abviz.timing.timelines import BAR, CANCELLED, ENDED, FILLS, RUNNING, SEARCHED, bound

WIN = 1_000_000


def run(**told: object) -> Run:
    usual = Run(
        strategy="shared",
        game="Checkers",
        position="start",
        depth=8,
        workers=2,
        method="alphabeta",
        is_max=True,
        moves=("11-15", "12-16"),
        clock="seconds",
        move="11-15",
        value=-3,
        nodes=2000,
        time=2.0,
        cpu=(0.8, 0.7),
        compiled=0.0,
        finished=True,
        tasks=(),
    )
    return replace(usual, **told)


def task(**told: object) -> TaskRecord:
    usual = TaskRecord(
        move="11-15", path=("11-15",), worker=0, start=0.0, end=1.0, nodes=1000, alpha=-WIN, beta=WIN, value=-3
    )
    return replace(usual, **told)


def busy(workers: int, tasks: int, seed: int = 0, **told: object) -> Run:
    """A run as an executor leaves it: each task goes to the worker that is free first."""
    chance, free, done = random.Random(seed), [0.0] * workers, []
    for number in range(tasks):
        worker = min(range(workers), key=free.__getitem__)
        start = free[worker] + chance.random() / 100
        end = free[worker] = start + chance.uniform(0.1, 1)
        read = ((start + (end - start) / 3, number, WIN),) if chance.random() < 0.3 else ()
        move, value = f"{number % 12 + 1}-{number % 12 + 5}", None if chance.random() < 0.2 else number - 5
        alpha = number - 9 if number else -WIN
        done.append(
            task(move=move, path=(move,), worker=worker, start=start, end=end, alpha=alpha, value=value, learnt=read)
        )
    return run(workers=workers, tasks=tuple(done), time=max(free), cpu=tuple(free), **told)


def boxes(chart: Chart) -> dict[str, list]:
    """Where the words of a chart stand on paper, by what they say."""
    chart.figure.draw_without_rendering()
    words = {}
    for text in texts_of(chart.figure):
        words.setdefault(text.get_text(), []).append(text.get_window_extent())
    return words


def texts_of(figure: Figure) -> list:
    seen = [text for legend in figure.legends for text in legend.get_texts()]
    for axes in figure.axes:
        seen += [*axes.texts, axes.xaxis.label, axes.yaxis.label, *titles(axes)]
        for axis in (axes.xaxis, axes.yaxis):
            low, high = sorted(axis.get_view_interval())
            marked = zip(axis.get_ticklocs(), axis.get_ticklabels(), strict=False)
            seen += [label for place, label in marked if low <= place <= high]
    return [text for text in seen if text.get_visible() and text.get_text().strip()]


def titles(axes: Axes) -> list:
    return [
        text for text in axes.get_children() if isinstance(text, Text) and text.get_text() == axes.get_title("left")
    ]


def assert_readable(chart: Chart, room: float = 0.5) -> None:
    """Everything lies on the paper, and no two words lie on one another."""
    paper = chart.figure.bbox
    placed = [(word, box) for word, several in boxes(chart).items() for box in several]
    assert placed
    for word, box in placed:
        inside = paper.x0 - room <= box.x0 and box.x1 <= paper.x1 + room
        assert inside and paper.y0 - room <= box.y0 and box.y1 <= paper.y1 + room, word
    for (word, one), (other, two) in combinations(placed, 2):
        wide = min(one.x1, two.x1) - max(one.x0, two.x0)
        high = min(one.y1, two.y1) - max(one.y0, two.y0)
        assert wide <= room or high <= room, f"{word!r} lies on {other!r}"


def bars(axes: Axes) -> list[tuple[float, float, float, float]]:
    return [
        (bar.get_x(), bar.get_width(), bar.get_y() + bar.get_height() / 2, bar.get_height()) for bar in axes.patches
    ]


# lanes


@pytest.mark.parametrize("workers, tasks", [(1, 1), (2, 7), (3, 20), (8, 20), (64, 200), (2, 200), (8, 0)])
def test_bars_stand_where_the_tasks_were(workers, tasks):
    shown = busy(workers, tasks)
    (axes,) = lanes(shown).figure.axes
    expected = [(each.start, each.end - each.start, each.worker, BAR) for each in shown.tasks]
    assert [pytest.approx(bar) for bar in expected] == bars(axes)
    left, right = axes.get_xlim()
    assert left == 0 and all(x + wide <= right for x, wide, _, _ in bars(axes))
    assert axes.get_ylim() == (workers - 0.5, -0.5), "the first worker on top"
    assert [label.get_text().removeprefix("worker ") for label in axes.get_yticklabels()] == [
        str(worker + 1) for worker in range(workers)
    ]


@pytest.mark.parametrize("width", [4, 8, 14])
@pytest.mark.parametrize("workers, tasks", [(1, 1), (1, 7), (2, 7), (2, 20), (4, 13), (8, 7), (8, 20)])
def test_lanes_can_be_read(workers, tasks, width):
    shown = busy(workers, tasks, seed=workers)
    chart = lanes(shown, width=width)
    assert chart.figure.get_figwidth() == width
    assert_readable(chart)
    (axes,) = chart.figure.axes
    written = [text for text in axes.texts if text.get_text()]
    for text in written:
        box = text.get_window_extent()
        holders = [bar for bar in axes.patches if bar.get_window_extent().padded(0.6).contains(*box.min)]
        assert any(bar.get_window_extent().padded(0.6).contains(*box.max) for bar in holders), text.get_text()
    unnamed = tasks - len(written)
    assert ("too short for a name" in axes.get_xlabel()) == (unnamed > 0)
    if unnamed:
        assert f"({unnamed} bar" in axes.get_xlabel()
    if width >= 8 and tasks <= 13:
        assert not unnamed


def test_twenty_thousand_tasks_are_drawn_in_seconds():
    shown = busy(4, 20_000)
    shown = replace(shown, tasks=(*shown.tasks, task(worker=0, start=shown.time, end=None, value=None)))
    begin = thread_time()
    chart = lanes(shown)
    drawn = chart.svg()
    assert thread_time() - begin < 10
    assert len(drawn) < 1_000_000
    (axes,) = chart.figure.axes
    assert not axes.patches and len(axes.collections) <= 6
    corners = sorted(tuple(path.vertices[:4].ravel()) for each in axes.collections for path in each.get_paths())
    wanted = []
    for each in shown.tasks:
        end = shown.time if each.end is None else each.end
        top, bottom = each.worker - BAR / 2, each.worker + BAR / 2
        wanted.append((each.start, top, end, top, end, bottom, each.start, bottom))
    assert np.allclose(corners, sorted(wanted))
    assert "(20,001 bars are too short for a name)" in axes.get_xlabel()
    assert_readable(chart)


def test_many_bars_are_hatched_where_it_can_be_seen():
    short = [task(start=n / 1000, end=(n + 1) / 1000, value=None if n % 2 else 3) for n in range(1000)]
    chart = lanes(run(tasks=(*short, task(worker=1, value=None), task(worker=1, start=1.0, end=2.0))))
    (axes,) = chart.figure.axes
    looks = [(each.get_hatch(), to_hex(each.get_facecolor()[0]), len(each.get_paths())) for each in axes.collections]
    paper, ours = FILLS[CANCELLED]["facecolor"], FILLS[SEARCHED]["facecolor"]
    assert looks == [(None, ours, 1), (None, ours, 500), ("////", paper, 1), (None, paper, 500)]
    assert [text.get_text() for text in axes.texts] == ["11-15\nα −∞"] * 2
    (crosses,) = [line for line in axes.lines if line.get_marker() == "x"]
    assert len(crosses.get_xdata()) == 501, "each has its cross"


def test_a_bar_tells_its_move_and_the_bound_at_its_start():
    tasks = (task(), task(move="12-16", path=("12-16", "24-20"), worker=1, alpha=-7))
    (axes,) = lanes(run(time=1.0, tasks=tasks)).figure.axes
    assert [text.get_text() for text in axes.texts] == ["11-15\nα −∞", "12-16 24-20\nα −7"]
    (axes,) = lanes(run(time=1.0, is_max=False, tasks=(*tasks[:1], task(worker=1, beta=4)))).figure.axes
    assert [text.get_text() for text in axes.texts] == ["11-15\nβ ∞", "11-15\nβ 4"]
    assert bound(task(alpha=WIN, beta=-WIN), True) == "α ∞" and bound(task(beta=-WIN), False) == "β −∞"


def test_the_root_itself_and_long_names():
    (axes,) = lanes(run(workers=1, time=1.0, tasks=(task(move="", path=()),))).figure.axes
    assert [text.get_text() for text in axes.texts] == ["the root\nα −∞"]
    long = [
        task(move=f"the knight takes the pawn {n}", path=("x" * 500,), start=n / 20, end=(n + 1) / 20)
        for n in range(20)
    ]
    assert_readable(lanes(run(workers=1, time=1.0, tasks=tuple(long))))
    assert_readable(lanes(run(game="a game with a title that goes on and on and on", tasks=tuple(long)), width=4))


def test_what_was_cancelled_and_what_still_runs_differ_by_more_than_colour():
    tasks = (task(), task(worker=1, end=0.5, value=None), task(worker=1, start=0.5, end=None, value=None))
    chart = lanes(run(tasks=tasks, finished=False, time=2.0))
    searched, cancelled, running = chart.figure.axes[0].patches
    assert [searched.get_hatch(), cancelled.get_hatch(), running.get_hatch()] == [None, "////", None]
    assert running.get_linestyle() != searched.get_linestyle()
    assert running.get_x() + running.get_width() == 2.0, "it runs until now"
    (crosses,) = [line for line in chart.figure.axes[0].lines if line.get_marker() == "x"]
    assert (list(crosses.get_xdata()), list(crosses.get_ydata())) == ([0.5], [1 + BAR / 2]), "in a short bar too"
    (legend,) = chart.figure.legends
    assert [text.get_text() for text in legend.get_texts()] == [
        "a task: its move, the bound at its start",
        CANCELLED,
        RUNNING,
        "empty: idle",
        ENDED,
    ]
    assert "running" in chart.figure.axes[0].get_title("left")
    assert "cancelled" in str(chart) and "still running" in str(chart)


def test_marks_stand_where_better_bounds_were_read():
    tasks = (
        task(learnt=((0.25, -3, WIN), (0.5, 1, WIN))),
        task(worker=1, learnt=((0.75, 1, WIN),)),
        task(start=1.0, end=2.0),
    )
    chart = lanes(run(tasks=tasks))
    (axes,) = chart.figure.axes
    (marks,) = [line for line in axes.lines if line.get_marker() not in ("None", "", None)]
    found = list(zip(marks.get_xdata(), marks.get_ydata(), strict=True))
    assert found == [(0.25, -BAR / 2), (0.5, -BAR / 2), (0.75, 1 - BAR / 2)]
    assert "a better bound read" in [text.get_text() for text in chart.figure.legends[0].get_texts()]


def test_what_is_told_of_after_the_end_stands_at_the_end():
    late = task(start=3e5, end=1e9, value=None, learnt=((1e6, 3, WIN),))
    chart = lanes(run(time=1e-6, tasks=(task(end=1e9), late)))
    (axes,) = chart.figure.axes
    assert [(x, wide) for x, wide, _, _ in bars(axes)] == [(0, 1e-6), (1e-6, 0)]
    assert [list(line.get_xdata()) for line in axes.lines if line.get_marker() not in ("None", "")] == [[1e-6]] * 2
    assert_readable(chart)


def test_two_runs_stand_one_over_the_other_on_one_axis():
    first, second = busy(1, 7, strategy="sequential"), busy(2, 7)
    chart = lanes(first, second)
    above, below = chart.figure.axes
    assert above.get_position().y0 > below.get_position().y1
    assert above.get_xlim() == below.get_xlim() and above.get_xlim()[1] >= first.time > second.time
    assert above.transData.transform((1, 0))[0] == pytest.approx(below.transData.transform((1, 0))[0])
    assert len(above.patches) == len(below.patches) == 7
    assert "sequential" in above.get_title("left") and "shared" in below.get_title("left")
    assert_readable(chart)
    with pytest.raises(AbvizError, match="one run is timed in seconds and the other in nodes"):
        lanes(first, busy(2, 3, clock="nodes"))


def test_times_are_told_in_a_unit_that_fits():
    labels = {1.5: "time, s", 0.015: "time, ms", 1.5e-5: "time, µs"}
    for time, label in labels.items():
        (axes,) = lanes(run(time=time, tasks=(task(end=time),))).figure.axes
        assert axes.get_xlabel() == label
    (axes,) = lanes(run(time=0.015, tasks=(task(end=0.015),))).figure.axes
    assert axes.xaxis.get_major_formatter()(0.005, 0) == "5"
    simulated = lanes(run(clock="nodes", time=12_000, tasks=(task(end=12_000),)))
    assert simulated.figure.axes[0].get_xlabel() == "time, nodes searched by one worker"
    assert "time 12,000 nodes, 2,000 nodes" in str(simulated)


def test_lanes_in_words():
    tasks = (
        task(learnt=((0.5, -3, WIN),)),
        task(move="12-16", path=("12-16",), worker=1, alpha=-7, end=0.5, value=None),
    )
    assert str(lanes(run(time=1.0, tasks=tasks))) == (
        "shared, 2 workers, Checkers, depth 8. 11-15, value −3, 1.00 s, 2,000 nodes, idle 25 %. "
        "Worker 1, busy 100 %: 11-15 from 0.00 s for 1.00 s, α −∞, a better bound read 1 time, value ≤ −3. "
        "Worker 2, busy 50 %: 12-16 from 0.00 s for 500 ms, α −7, cancelled."
    )
    many = str(lanes(busy(2, 200)))
    assert "tasks" in many and len(many) < 300


def test_a_run_that_has_not_begun():
    chart = lanes(run(tasks=(), time=0.0, move=None, value=None, nodes=0, finished=False))
    assert_readable(chart)
    assert "no move yet" in str(chart)


# speed-up and extra nodes


def study() -> list[Run]:
    """Two positions: the baseline takes 10 s and 20 s, and the others what follows."""
    runs = []
    for position, base in (("p", 10.0), ("q", 20.0)):
        same = {"position": position, "workers": 1, "cpu": (base,)}
        runs += [run(strategy="sequential", time=time, nodes=1000, **same) for time in (base, base - 1, base + 1)]
        for workers in (2, 4):
            for name, gain in (("root", 1.25), ("shared", 2.0)):
                told = {"position": position, "workers": workers, "cpu": (base / 4,) * workers}
                runs.append(run(strategy=name, time=base / gain / (workers / 2), nodes=int(1000 * gain), **told))
    return runs


def points(chart: Chart, name: str) -> list[tuple[float, float]]:
    (axes,) = chart.figure.axes
    (found,) = [container for container in axes.containers if container.get_label() == name]
    line = found.lines[0]
    return list(zip(line.get_xdata(), line.get_ydata(), strict=True))


def near(pairs: list[tuple[float, float]]) -> list:
    return [pytest.approx(pair) for pair in pairs]


def test_speed_up_is_the_baselines_median_over_the_time():
    chart = speed_up(study())
    assert points(chart, "root") == near([(2, 1.25), (4, 2.5)])
    assert points(chart, "shared") == near([(2, 2.0), (4, 4.0)])
    (axes,) = chart.figure.axes
    (ideal,) = [line for line in axes.lines if line.get_label() == "ideal"]
    assert list(zip(ideal.get_xdata(), ideal.get_ydata(), strict=True)) == [(1, 1), (4, 4)]
    assert "sequential" in [line.get_label() for line in axes.lines]
    assert str(chart) == (
        "Speed-up against the sequential search. "
        "root: 1.25 times on 2 workers, 2.50 times on 4 workers; "
        "shared: 2.00 times on 2 workers, 4.00 times on 4 workers."
    )
    assert points(speed_up(study(), by="makespan"), "root") == near([(2, 4), (4, 4)])


def test_extra_nodes_are_told_beside_the_baselines():
    chart = overhead(study())
    assert points(chart, "root") == near([(2, 0.25), (4, 0.25)])
    assert points(chart, "shared") == near([(2, 1), (4, 1)])
    fewer = [replace(each, nodes=900) if each.strategy != "sequential" else each for each in study()]
    assert points(overhead(fewer), "root") == near([(2, -0.1), (4, -0.1)])
    low, high = overhead(fewer).figure.axes[0].get_ylim()
    assert low < -0.1 and high > 0


def test_another_baseline():
    minimax = [run(strategy="minimax", method="minimax", position=p, workers=1, time=40.0, nodes=9000) for p in "pq"]
    told = [*study(), *minimax]
    chart = speed_up(told, against="minimax")
    assert points(chart, "sequential") == near([(1, (40 / 11 + 40 / 19) / 2)])
    assert "ideal" not in [line.get_label() for line in chart.figure.axes[0].lines]
    assert str(chart).startswith(
        "Speed-up against minimax on 1 worker. sequential: 2.87 (1.90…4.44) times on 1 worker;"
    )
    minimax_split = run(strategy="minimax", method="minimax", position="p", time=1.0)
    assert points(speed_up([*told, minimax_split], against="minimax"), "sequential") == points(chart, "sequential")
    stopped = run(strategy="sequential", position="p", workers=1, time=0.1, finished=False)
    assert points(speed_up(study(), stopped), "root") == points(speed_up(study()), "root")
    assert "minimax: 0.38 (0.25…0.50) times on 1 worker" in str(speed_up(told)), "by sequential alpha-beta, too"


def test_the_median_stands_with_a_whisker_from_the_least_to_the_most():
    runs = [
        run(strategy="sequential", workers=1, time=12.0),
        *(run(time=time) for time in (3.0, 4.0, 12.0)),
        run(workers=4),
    ]
    chart = speed_up(runs)
    (axes,) = chart.figure.axes
    assert points(chart, "shared") == [(2, 3.0), (4, 6.0)]
    (whiskers,) = axes.containers[0].lines[2]
    first = whiskers.get_segments()[0]
    assert [tuple(end) for end in first] == [(2, 1.0), (2, 4.0)]
    assert "3.00 (1.00…4.00) times on 2 workers" in str(chart)


def test_only_what_can_be_compared_is_compared():
    base = run(strategy="sequential", workers=1, time=4.0)
    others = [
        {"position": "other"},
        {"depth": 9},
        {"method": "improved"},
        {"clock": "nodes"},
        {"finished": False},
        {"game": "x"},
    ]
    left = [run(time=1.0, **other) for other in others]
    chart = speed_up(base, run(time=2.0), left)
    assert str(chart) == (
        "Speed-up against the sequential search (6 runs left out: stopped, or without one to compare with). "
        "shared: 2.00 times on 2 workers."
    )
    for nothing in ([], [base], left, [run()], [base, *left]):
        with pytest.raises(
            AbvizError, match=r"nothing can be compared in \d runs?; expected finished ones by the sequential"
        ):
            speed_up(nothing)
        with pytest.raises(AbvizError, match="nothing can be compared"):
            overhead(nothing)


def test_simulated_runs_stand_beside_timed_ones():
    simulated = [replace(each, clock="nodes", time=each.time * 100) for each in study()]
    chart = speed_up(study(), simulated)
    assert points(chart, "root, simulated") == points(chart, "root")
    (axes,) = chart.figure.axes
    looks = {c.get_label(): c.lines[0] for c in axes.containers}
    assert looks["root"].get_marker() == looks["root, simulated"].get_marker()
    assert looks["root"].get_markerfacecolor() != looks["root, simulated"].get_markerfacecolor() == "white"
    assert points(speed_up(simulated), "root") == points(speed_up(study()), "root"), "alone they need no word"


def test_many_workers_are_on_logarithmic_scales():
    runs = [run(strategy="sequential", workers=1, time=64.0)]
    runs += [
        run(workers=n, time=64 / n, strategy=name) for name in ("root", "shared") for n in (1, 2, 4, 8, 16, 32, 64)
    ]
    (axes,) = speed_up(runs).figure.axes
    assert (axes.get_xscale(), axes.get_yscale()) == ("log", "log")
    assert [label.get_text() for label in axes.get_xticklabels()] == ["1", "2", "4", "8", "16", "32", "64"]
    (axes,) = overhead(runs).figure.axes
    assert (axes.get_xscale(), axes.get_yscale()) == ("log", "linear")
    for chart in (speed_up(runs), overhead(runs), speed_up(runs, width=4)):
        assert_readable(chart)


def test_one_number_of_workers_is_drawn_as_rows():
    two = [each for each in study() if each.workers < 4]
    chart = speed_up(two)
    (axes,) = chart.figure.axes
    assert [bar.get_width() for bar in axes.patches] == pytest.approx([1.25, 2.0])
    assert [label.get_text() for label in axes.get_yticklabels()] == ["root, 2 workers", "shared, 2 workers"]
    assert [text.get_text() for text in axes.texts] == ["1.25", "2.00"]
    ideal = [tuple(line.get_xdata()) for line in axes.lines if line.get_linewidth() > 2]
    assert ideal == [(2, 2), (2, 2)]
    assert_readable(chart)
    rows = overhead(two)
    assert [bar.get_width() for bar in rows.figure.axes[0].patches] == pytest.approx([0.25, 1.0])
    assert [text.get_text() for text in rows.figure.axes[0].texts] == ["25 %", "100 %"]
    assert_readable(rows)


# the moves of a game


def game(moves: int, **series: float) -> list[Run]:
    runs = []
    for move in range(moves):
        for name, seconds in series.items():
            workers = 1 if name == "sequential" else 2
            runs.append(run(strategy=name, position=f"after {move}", workers=workers, time=seconds * (1 + move % 3)))
    return runs


def test_each_move_has_a_bar_beside_the_sequential_one():
    chart = time_per_move(game(5, sequential=0.3, shared=0.2))
    (axes,) = chart.figure.axes
    assert [bar.get_height() for bar in axes.patches] == pytest.approx(
        [0.3, 0.6, 0.9, 0.3, 0.6, 0.2, 0.4, 0.6, 0.2, 0.4]
    )
    middles = [bar.get_x() + bar.get_width() / 2 for bar in axes.patches]
    assert middles == pytest.approx([n - 0.2 for n in range(1, 6)] + [n + 0.2 for n in range(1, 6)])
    assert [text.get_text() for text in chart.figure.legends[0].get_texts()] == ["sequential", "shared, 2 workers"]
    assert len({bar.get_hatch() for bar in axes.patches}) == 2, "told apart in grey too"
    assert axes.get_ylabel() == "time, ms" and axes.get_xlabel() == "move of the game"
    assert str(chart) == (
        "Checkers: the time of each of 5 moves. sequential: 2.70 s in all, at most 900 ms, for move 3; "
        "shared, 2 workers: 1.80 s in all, at most 600 ms, for move 3."
    )
    assert_readable(chart)


def test_a_long_game_is_drawn_as_lines():
    chart = time_per_move(game(60, sequential=0.3, shared=0.2))
    assert points(chart, "sequential") == near([(n + 1, 0.3 * (1 + n % 3)) for n in range(60)])
    assert_readable(chart)


def test_times_that_differ_much_are_on_a_logarithmic_scale():
    falling = [run(strategy="sequential", workers=1, position=str(n), time=10.0**-n) for n in range(6)]
    (axes,) = time_per_move(falling).figure.axes
    assert axes.get_yscale() == "linear" and axes.get_ylim()[0] == 0, "bars begin at nothing"
    more = [replace(each, position=f"{n} {each.position}") for n in range(3) for each in falling]
    (axes,) = time_per_move(more).figure.axes
    assert axes.get_yscale() == "log" and "logarithmic" in axes.get_ylabel()
    assert axes.get_ylim()[0] < 1e-5


def test_a_move_that_was_repeated_is_its_median():
    chart = time_per_move(game(3, shared=0.2), game(3, shared=0.4), game(3, shared=0.9))
    assert [bar.get_height() for bar in chart.figure.axes[0].patches] == pytest.approx([0.4, 0.8, 1.2])


def test_one_game_by_one_clock():
    for runs in ([], [run(), run(game="Tic-tac-toe")], [run(), run(clock="nodes")], [run(finished=False)]):
        with pytest.raises(
            AbvizError, match=r"\d finished runs?; expected those of all moves of one game, by one clock"
        ):
            time_per_move(runs)


# beams


BEAMS = Beams(
    "Checkers, 4 positions",
    4,
    (
        Beam("plain", 100_000, 0.5),
        Beam("beam 2", 200, 0.01, other_moves=3, width=2),
        Beam("reordering", 30_000, 0.2),
        Beam("beam 8", 9_000, 0.05, other_moves=1, width=8),
    ),
)


def test_beams_stand_in_the_order_of_their_widths_below_the_full_searches():
    chart = beam_against_reordering(BEAMS)
    nodes, time, moves = chart.figure.axes
    assert [label.get_text() for label in nodes.get_yticklabels()] == ["plain", "reordering", "beam 8", "beam 2"]
    assert [bar.get_width() for bar in nodes.patches] == [100_000, 30_000, 9_000, 200]
    assert [bar.get_width() for bar in time.patches] == [0.5, 0.2, 0.05, 0.01]
    assert [bar.get_width() for bar in moves.patches] == [0, 0, 0.25, 0.75]
    assert nodes.get_xscale() == "log" and "logarithmic" in nodes.get_xlabel() and nodes.get_xlim()[0] < 200
    assert [bar.get_hatch() or "" for bar in nodes.patches] == ["", "", "////", "////"]
    assert [text.get_text() for text in nodes.texts] == ["× 1.00", "× 0.30", "× 0.09", "× 0.002"]
    assert [text.get_text() for text in moves.texts] == ["0 %", "0 %", "25 %", "75 %"]
    assert str(chart).endswith("beam 2: 200 nodes, 10.0 ms, another move in 3 of 4 positions.")


@pytest.mark.parametrize("width", [5, 8.5, 14])
def test_beams_can_be_read(width):
    assert_readable(beam_against_reordering(BEAMS, BEAMS, width=width))
    assert_readable(beam_against_reordering(Beams("one", 1, (Beam("plain", 0, 0.0),)), width=width))


def test_beams_are_what_compare_has_found():
    variants = {"beam_1": Switches(beam=1), "beam_3": Switches(beam=3)}
    found = compare(Checkers.start(), 5, reordering=Switches(), **variants)
    study = Beams.of(found)
    assert [row.width for row in study.rows] == [None, 1, 3]
    assert [(row.name, row.nodes, row.seconds, row.other_moves) for row in study.rows] == [
        (each.name, each.nodes, each.seconds, each.other_moves) for each in found.variants
    ]
    assert beam_against_reordering(found).figure.axes[0].get_title("left") == "Checkers, depth 5"
    narrow = compare(Checkers.start(), 3, all=Switches(), narrow=Switches(beam=2))
    with pytest.raises(
        AbvizError, match="how wide the beam of 'narrow' is, is not known; expected a name as in beam_4"
    ):
        beam_against_reordering(narrow)


# the table


def test_the_table_sets_runs_beside_their_sequential_one():
    shown = table(study()[:4])
    assert shown.title == "Checkers, alphabeta, depth 8, 11-15, value −3, 4 runs"
    assert shown.head == (
        *("strategy", "workers", "runs", "time", "nodes", "nodes/s"),
        *("speed-up", "overhead", "idle", "CPU time"),
    )
    assert shown.rows == (
        (
            *("sequential", "1", "3", "10.0 s (9.00…11.0)", "1,000", "100 (91…111)"),
            *("1.00 (0.91…1.11)", "0 %", "100 %", "10.0 s"),
        ),
        (
            *("root", "2", "1", "8.00 s", "1,250", "156"),
            *("1.25", "25 %", "100 %", "2.50 s"),
        ),
    )


def test_the_table_lines_its_columns_up():
    shown = table(run(strategy="sequential", workers=1, time=1.5, cpu=(1.5,)), run(strategy="🙂", nodes=2_500_000))
    title, *lines = str(shown).splitlines()
    assert title == "Checkers, alphabeta, depth 8, 11-15, value −3, 2 runs"
    head, first, second = lines
    assert head.startswith("strategy    workers    time   nodes  nodes/s  speed-up")
    assert first.startswith("sequential        1  1.50 s   2,000    1,333      1.00")
    assert second.startswith("🙂                2  2.00 s  2.50 M   1.25 M      0.75  124,900 %")
    assert len(head) == len(first) == len(second) + 1, "an emoji is two columns wide"
    assert str(table([])) == "no runs" and "no runs" in table([]).html()


def test_the_table_shows_what_differs_and_what_is_not_known():
    runs = [
        run(finished=False, move=None, value=None, position="p1"),
        run(game="<b>", position="p2", method="improved", clock="nodes", time=12_000, cpu=()),
    ]
    shown = table(runs)
    first, second = (dict(zip(shown.head, row, strict=True)) for row in shown.rows)
    assert (first["game"], first["position"], first["method"]) == ("Checkers", "p1", "alphabeta")
    assert (first["move"], first["value"], first["speed-up"], first["overhead"]) == ("– (not finished)", "–", "–", "–")
    assert (second["time"], second["nodes/s"], second["CPU time"]) == ("12,000 nodes", "–", "–")
    assert "<b>" not in shown.html() and "&lt;b&gt;" in shown.html()
    differing = "Checkers, alphabeta, depth 8, a / b, value −3, 2 runs"
    assert table(run(move="a"), run(move="b")).title == differing, "alike runs must agree: where not, it is seen"


def test_a_run_that_is_going_on_is_not_stopped_and_its_processor_time_is_not_known():
    going = run(finished=False, cpu=(0.0, 0.0), tasks=(task(end=None, value=None),))
    stopped = run(finished=False, tasks=(task(end=0.5, value=None),), move=None, value=None)
    shown = table(going, stopped, run())
    rows = [dict(zip(shown.head, row, strict=True)) for row in shown.rows]
    assert [row["move"] for row in rows] == ["11-15 (running)", "– (stopped)", "11-15"]
    assert [row["CPU time"] for row in rows] == ["–", "800 ms", "800 ms"] or rows[1]["CPU time"] == "0.80 s"
    assert "stopped" in str(lanes(stopped)) and "stopped" not in str(lanes(going)) and "running" in str(lanes(going))


def test_a_win_is_told_as_who_wins():
    won = run(value=WIN - 5, tasks=(task(alpha=WIN - 9, value=WIN - 5), task(worker=1, alpha=5 - WIN, value=5 - WIN)))
    assert table(won).title == "Checkers, alphabeta, depth 8, 11-15, MAX wins in 5 plies, 1 run"
    shown = table(won, run(strategy="root"))
    assert dict(zip(shown.head, shown.rows[0], strict=True))["value"] == "MAX wins in 5 plies"
    told = str(lanes(won))
    assert "11-15, MAX wins in 5 plies, 2.00 s" in told and "value MAX" not in told
    assert "α MAX wins in 9 plies, MAX wins in 5 plies" in told
    assert "α MIN wins in 5 plies, ≤ MIN wins in 5 plies" in told
    assert "9999" not in told + str(table(won)) + snapshots.ending(won) + str(won)


def test_a_table_of_the_notebook_is_not_wider_than_its_page():
    """Some 100 letters on a page of 1,300 points: what is spoken of must not have to be scrolled to."""
    same = {"method": "improved", "depth": 15, "cpu": (0.8,)}
    runs = [run(strategy="sequential", workers=1, time=1.0, nodes=1_234_567, **same)]
    runs += [run(time=time, nodes=int(9_345_678 * time), **same) for time in (0.6, 0.7, 0.8)]
    shown = table(runs)
    root = ElementTree.fromstring(shown.html())
    cells = [[max(map(len, cell.itertext())) for cell in row] for row in root.iter("tr")]
    assert sum(map(max, zip(*cells, strict=True))) <= 100 and shown.head[-1] == "CPU time"
    assert "CPU time" not in table(runs, without=["CPU time"]).head
    with pytest.raises(AbvizError, match="unknown column 'cpu'"):
        table(runs, without=["cpu"])
    assert "(0.60…0.80)" in [part for cell in root.iter("td") for part in cell.itertext()], "on a line of its own"


def test_the_table_shows_itself():
    shown = table(study())
    bundle = shown._repr_mimebundle_()
    assert bundle["text/plain"] == str(shown) == repr(shown)
    root = ElementTree.fromstring(bundle["text/html"])
    cells = [["".join(cell.itertext()) for cell in row] for row in root.iter("tr")]
    assert cells == [list(shown.head), *map(list, shown.rows)]
    assert [head.get("scope") for head in root.iter("th")] == ["col"] * len(shown.head)
    assert shown.in_words().count("strategy") == len(shown.rows)


# every chart


def charts() -> dict[str, Chart]:
    return {
        "lanes": lanes(busy(2, 7), busy(3, 9, game="$5 < $6 & more")),
        "speed_up": speed_up(study()),
        "overhead": overhead(study()),
        "time_per_move": time_per_move(game(20, sequential=0.3, shared=0.2)),
        "beams": beam_against_reordering(BEAMS),
    }


CHARTS = charts()


@pytest.mark.parametrize("name", CHARTS)
def test_a_chart_shows_itself_and_tells_what_it_shows(name):
    chart = CHARTS[name]
    bundle = chart._repr_mimebundle_()
    assert bundle["text/plain"] == str(chart) == repr(chart) == chart.in_words()
    drawn = ElementTree.fromstring(bundle["image/svg+xml"])
    space = "{http://www.w3.org/2000/svg}"
    assert drawn.get("role") == "img" and drawn.find(f"{space}title").text == chart.in_words()
    letters = ["".join(text.itertext()) for text in drawn.iter(f"{space}text")]
    assert letters, "letters are letters, not outlines"
    image = ElementTree.fromstring(bundle["text/html"].removesuffix(">") + "/>")
    assert image.get("alt") == chart.in_words()
    assert unquote(image.get("src").removeprefix("data:image/svg+xml,")) == bundle["image/svg+xml"]
    if name == "lanes":
        assert any("$5 < $6 & more" in text for text in letters), "no formula is made of a title"


@pytest.mark.parametrize("name", CHARTS)
def test_a_chart_is_the_same_whatever_style_is_set(name):
    with style.context("dark_background"):
        again = charts()[name]
        drawn = again.svg()
    assert drawn == CHARTS[name].svg()
    assert again.figure.get_facecolor() == (1, 1, 1, 1)


@pytest.mark.parametrize("name", CHARTS)
def test_a_chart_can_be_read(name):
    assert_readable(CHARTS[name])


@pytest.mark.parametrize("kind, begins", [("svg", b"<?xml"), ("pdf", b"%PDF"), ("png", b"\x89PNG")])
def test_a_chart_is_saved_for_paper(tmp_path, kind, begins):
    CHARTS["lanes"].save(tmp_path / f"chart.{kind.upper()}")
    assert (tmp_path / f"chart.{kind.upper()}").read_bytes().startswith(begins)
    with pytest.raises(
        AbvizError, match=r"cannot save a chart in .*chart\.jpg: expected a name that ends in \.svg, \.pdf"
    ):
        CHARTS["lanes"].save(tmp_path / "chart.jpg")


def contrast(one: str, other: str) -> float:
    """As the Web Content Accessibility Guidelines measure it, 1 to 21."""
    lights = []
    for colour in (one, other):
        parts = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in to_rgb(colour)]
        lights.append(0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2])
    return (max(lights) + 0.05) / (min(lights) + 0.05)


def test_words_and_lines_stand_out():
    for look in FILLS.values():
        assert contrast(INK, look["facecolor"]) >= 7
        assert contrast(look["edgecolor"], look["facecolor"]) >= 4.5
    assert contrast(EDGE, FILL) >= 3
    for colour, *_ in LOOKS:
        assert contrast(colour, "white") >= 3


def test_series_are_told_apart_in_grey():
    assert len({(look.get("hatch"), look.get("linestyle")) for look in FILLS.values()}) == len(FILLS) == 3
    for part in (1, 2, 3):
        assert len({look[part] for look in LOOKS}) == len(LOOKS)


def test_no_chart_loads_pyplot_and_files_and_tables_no_matplotlib():
    code = "import sys; from abviz.timing import {}; print(*sys.modules)"
    for names, without in (
        ("lanes, speed_up, beam_against_reordering", "matplotlib.pyplot"),
        ("table, read_runs", "matplotlib"),
    ):
        told = subprocess.run([sys.executable, "-c", code.format(names)], capture_output=True, text=True, check=True)
        assert without not in told.stdout.split()


@pytest.mark.parametrize(
    "said, problem",
    [
        (lambda: lanes(7), "7 is no run; expected what parallel_search, simulate or read_runs has given"),
        (lambda: speed_up(study(), 7.5), "7.5 is no run; expected"),
        (lambda: table(["x"]), "'x' is no run; expected"),
        (lambda: lanes(run(), width=1), "width is 1; expected inches, 3 to 40"),
        (lambda: speed_up(study(), width=True), "width is True; expected inches"),
        (lambda: overhead(study(), width="8"), "width is '8'; expected inches"),
        (lambda: speed_up(study(), by="cpu"), "unknown measure 'cpu': there are time, makespan"),
        (lambda: beam_against_reordering(), "there are 0 comparisons; expected 1 or more"),
        (lambda: beam_against_reordering(7), "7 is no comparison; expected what compare has given, or Beams"),
        (
            lambda: beam_against_reordering(Beams("none", 3, ())),
            "'none' has 0 rows, 3 positions; expected at least one",
        ),
    ],
)
def test_one_clear_line(said, problem):
    with pytest.raises(AbvizError, match=problem):
        said()


# numbers in words


def test_numbers_in_words():
    assert [digits(n) for n in (0, 0.5, 9.994, 9.996, 99.94, 99.96, 12345.6)] == [
        *("0.00", "0.50", "9.99", "10.0", "99.9", "100", "12,346"),
    ]
    assert [percent(n) for n in (0, 0.05, 0.0841, -0.0841, 0.5, 12, -0.0001)] == [
        *("0 %", "5 %", "8.4 %", "−8.4 %", "50 %", "1,200 %", "0 %"),
    ]
    assert [amount(t, "seconds") for t in (0, 2e-5, 0.0123, 1.5, 1234)] == [
        "0.00 s",
        "20.0 µs",
        "12.3 ms",
        "1.50 s",
        "1,234 s",
    ]
    assert amount(1234.6, "nodes") == "1,235 nodes"


@settings(deadline=None)
@given(st.lists(st.floats(0, 1e6), min_size=1, max_size=9))
def test_a_spread_is_the_middle_of_what_was_measured(measured):
    spread = Spread.of(measured)
    assert spread.least == min(measured) <= spread.median <= max(measured) == spread.most
    below = sum(each <= spread.median for each in measured)
    assert 2 * below >= len(measured)
    told = spread.told(digits)
    assert ("…" in told) == (len({digits(each) for each in (spread.least, spread.median, spread.most)}) > 1)
