"""Charts and the table of runs: what is drawn is what was measured, nothing is clipped, and the
words say it too.
"""

import re
from dataclasses import replace
from itertools import combinations, product
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from matplotlib.textpath import TextPath
from matplotlib.ticker import EngFormatter

from abviz import AbvizError, Checkers
from abviz.games.rules import WIN
from abviz.images import STYLE
from abviz.parallel import Run, simulate
from abviz.timing import Chart, by_move, lanes, overhead, speed_up, table
from abviz.timing.lane_chart import LEFT, LEGEND, RIGHT
from abviz.timing.summary import format_time
from tests.runs import HOSTILE, make_run, make_task, runs, sequential

SVG = "{http://www.w3.org/2000/svg}"
STRATEGIES = ("root", "shared", "young-brothers")
MANY = [
    make_run(name, n, 2 / n**0.5, nodes=1000 + 50 * n) for name in STRATEGIES for n in (1, 2, 4, 16)
]
LINES = [make_run(name, n, 2 / n**0.8) for name in STRATEGIES for n in (1, 2, 3)]
CROWDED = [make_run(name, n, 2 / n**0.3) for name in STRATEGIES for n in (1, 2, 3, 4, 8, 16, 64)]
TWO = [make_run(name, 2, time) for name in STRATEGIES for time in (1.0, 1.25, 1.6)]


def busy(workers: int, tasks: int) -> Run:
    """A run with tasks of all kinds: searched, cancelled, still running, with better bounds."""
    made = []
    for number in range(tasks):
        start = number // workers / (tasks // workers + 1)
        end = None if number == tasks - 1 else start + 1 / (tasks // workers + 1.5)
        value = None if number % 3 == 2 else 3
        made.append(
            make_task(number % workers, start, end, value=value, learnt=((start + 0.01, 0, 5),))
        )
    return make_run("polling", workers, tasks=tuple(made))


CHARTS: dict[str, Chart] = {
    "rows": speed_up(sequential(), TWO),
    "lines": speed_up(sequential(), MANY),
    "a few lines": speed_up(sequential(), LINES),
    "crowded": speed_up(sequential(), CROWDED),
    "crowded overhead": overhead(sequential(), CROWDED),
    "overhead rows": overhead(sequential(), TWO),
    "some left out": overhead(
        sequential(), TWO, make_run(finished=False), make_run("root", 2, method="improved")
    ),
    "overhead lines": overhead(sequential(), MANY),
    "by move, far apart": by_move(
        sequential=[20_865, 870, 16, 1], root_on_4_workers=[12_158, 2_156, 810, 801]
    ),
    "by move, alike": by_move(
        "Nodes at each move of one game", alone=[make_run(time=t) for t in (3, 4, 5)]
    ),
}


@pytest.mark.parametrize("name", CHARTS)
def test_no_text_is_clipped_or_covers_another(name: str) -> None:
    figure = CHARTS[name]
    figure.draw_without_rendering()
    texts = [(text.get_text(), text.get_window_extent()) for text in visible_texts(figure)]
    for text, box in texts:
        assert (
            box.x0 >= -1
            and box.y0 >= -1
            and box.x1 <= figure.bbox.x1 + 1
            and box.y1 <= figure.bbox.y1 + 1
        ), text
    for (one, box), (other, another) in combinations(texts, 2):
        across = min(box.x1, another.x1) - max(box.x0, another.x0)
        along = min(box.y1, another.y1) - max(box.y0, another.y0)
        assert across <= 2 or along <= 2, (one, other)


def visible_texts(figure: Any) -> list[Any]:
    texts = [text for legend in figure.legends for text in legend.get_texts()]
    for axes in figure.axes:
        texts += [axes.xaxis.label, axes.yaxis.label, axes._left_title, *axes.texts]
        for place, axis in enumerate((axes.xaxis, axes.yaxis)):
            low, high = sorted(axis.get_view_interval())
            labels = axis.get_ticklabels()
            texts += [
                text
                for text in labels
                if low <= text.get_position()[place] <= high and text.get_visible()
            ]
    return [text for text in texts if text.get_text().strip()]


def elements(svg: str, path: str) -> list[ElementTree.Element]:
    return ElementTree.fromstring(svg).findall(path.replace("/", f"/{SVG}"))


@settings(max_examples=30)
@given(run=runs())
def test_every_run_that_can_be_read_can_be_drawn(run: Run) -> None:
    drawn = lanes(run, run)
    assert ElementTree.fromstring(drawn.svg).tag == f"{SVG}svg"
    assert "\n" not in str(drawn) and str(drawn) == drawn.caption
    assert str(table(run, run))


def test_bars_stand_where_the_tasks_were() -> None:
    run = busy(3, 20)
    scale = RIGHT - LEFT
    bars = elements(lanes(run).svg, "./g/rect")
    drawn = [(float(bar.attrib["x"]), float(bar.attrib["width"])) for bar in bars]
    spans = [(task.start, 1.0 if task.end is None else task.end) for task in run.tasks]
    for (x, width), (start, end) in zip(drawn, spans, strict=True):
        assert (x, width) == (
            pytest.approx(LEFT + start * scale, abs=0.1),
            pytest.approx((end - start) * scale, abs=0.1),
        )
    assert len({bar.attrib["y"] for bar in bars}) == 3
    states = [bar.attrib["class"].partition(" ")[2] for bar in elements(lanes(run).svg, "./g")]
    assert states == [
        "running" if t.end is None else "" if t.value else "cancelled" for t in run.tasks
    ]


def test_lanes_show_moves_bounds_and_two_runs_on_one_axis() -> None:
    svg = lanes(make_run(time=1.0), make_run("shared", 1, time=4.0, nodes=7)).svg
    texts = [text.text for text in elements(svg, "./g/text")]
    assert texts == ["9-13  3", "α −∞", "★ 9-13  3", "α −∞", "9-13  3", "α −∞"]
    widths = [float(bar.attrib["width"]) for bar in elements(svg, "./g/rect")]
    assert widths == [175.0, 175.0, 700.0]
    with pytest.raises(AbvizError, match="one run is timed in seconds and the other in nodes"):
        lanes(make_run(), make_run(clock="nodes"))


@pytest.mark.parametrize(
    ("run", "marks"),
    [
        (make_run(workers=1), ["task", "value", "bound", "end"]),
        (make_run(), ["task", "value", "bound", "best", "end"]),
        (busy(3, 20), ["task", "running", "cancelled", "value", "bound", "learnt", "idle", "end"]),
        (busy(1, 200), ["task", "running", "cancelled", "learnt", "end"]),
        (
            make_run(
                workers=1, tasks=tuple(make_task(0, n / 900, (n + 1) / 900) for n in range(900))
            ),
            ["short", "end"],
        ),
    ],
)
def test_the_legend_has_the_marks_that_occur_and_no_others(run: Run, marks: list[str]) -> None:
    svg = lanes(run).svg
    texts = [text.text for text in elements(svg, "./text")]
    assert [mark for mark, (_, words) in LEGEND.items() if words in texts] == marks
    assert (">▼<" in svg) == ("learnt" in marks)
    assert (">✕<" in svg) == ("cancelled" in marks)
    assert ("★" in svg) == ("best" in marks)

    # Nothing of it is clipped, and no text covers the next one
    root = ElementTree.fromstring(svg)
    ends: dict[float, float] = {}
    below = root.findall(f"{SVG}text")[-len(marks) - sum(bool(LEGEND[mark][0]) for mark in marks) :]
    for text in below:
        x, y = float(text.attrib["x"]), float(text.attrib["y"])
        assert x >= ends.get(y, 0), text.text
        ends[y] = x + TextPath((0, 0), text.text or "", size=12).get_extents().width
        assert ends[y] <= float(root.attrib["width"]) and y <= float(root.attrib["height"])


def test_a_value_stands_with_a_root_move_only_where_it_is_that_moves() -> None:
    deep = replace(make_task(0, 0, 0.1, value=5), path=("9-13", "23-19", "5-9"))
    texts = [
        text.text for text in elements(lanes(make_run(workers=1, tasks=(deep,))).svg, "./g/text")
    ]
    assert "9-13" in texts and "9-13  5" not in texts


def test_a_text_wider_than_its_bar_is_left_out() -> None:
    written = set()
    for alpha, count in product((-WIN, 5), range(8, 60)):
        tasks = tuple(
            make_task(0, n / count, (n + 1) / count, alpha=alpha, value=3) for n in range(count)
        )
        for text in elements(lanes(make_run(workers=1, tasks=tasks)).svg, "./g/text"):
            written.add(text.text)
            assert (
                TextPath((0, 0), text.text or "", size=12).get_extents().width + 6
                < (RIGHT - LEFT) / count
            )
    assert written == {"9-13  3", "9-13  ≤ 3", "9-13", "α −∞", "α 5"}


def test_tasks_too_short_to_be_seen_share_a_bar() -> None:
    tasks = [
        make_task(n % 2, n / 20_000, (n + 1) / 20_000, value=n % 5 or None) for n in range(20_000)
    ]
    svg = lanes(make_run(tasks=tuple(tasks))).svg
    titles = [title.text or "" for title in elements(svg, "./g/title")]
    assert len(titles) <= 620 and len(svg) < 200_000
    assert (
        sum(
            int(title.removesuffix(" tasks")) if title.endswith(" tasks") else 1 for title in titles
        )
        == 20_000
    )


def test_speed_up_and_overhead_are_measured_against_the_median_of_the_sequential_runs() -> None:
    baselines = [
        sequential(time, nodes=nodes) for time, nodes in ((1.0, 500), (2.0, 800), (9.0, 900))
    ]
    faster = make_run("root", 2, 0.5, nodes=1000)
    assert "root, 2 workers: 4.00" in str(speed_up(baselines, faster))
    assert "root, 2 workers: 25 %" in str(overhead(baselines, [faster]))
    assert "4.00 (2.00…8.00)" in str(
        speed_up(baselines, [make_run(time=t) for t in (0.25, 0.5, 1.0)])
    )
    left_out = [
        replace(faster, finished=False),
        replace(faster, depth=3),
        replace(faster, method="improved"),
    ]
    assert "(3 runs left out: stopped, or without a baseline)" in str(
        speed_up(baselines, faster, left_out)
    )
    assert "minimax, 1 worker: 0.50" in str(
        speed_up(baselines, make_run("minimax", 1, 4.0, method="minimax"))
    )


@pytest.mark.parametrize(
    ("made", "scale"), [(LINES, "linear"), (MANY, "log"), (CROWDED, "log"), (TWO, "linear")]
)
def test_the_speed_up_is_drawn_as_measured_and_the_ideal_to_the_end(
    made: list[Run], scale: str
) -> None:
    chart = speed_up(sequential(), made)
    (axes,) = chart.axes
    assert axes.get_yscale() == scale
    labels = [text.get_text() for text in chart.legends[0].get_texts()]
    assert labels == [*STRATEGIES, "ideal", "sequential"]

    workers = sorted({run.workers for run in made})
    if len(workers) > 1:
        drawn = {each.get_label(): each.lines[0].get_xydata() for each in axes.containers}
        for name in STRATEGIES:
            mine = [run for run in made if run.strategy == name]
            assert [list(point) for point in drawn[name]] == [
                [run.workers, pytest.approx(2 / run.time)] for run in mine
            ]
        markers = {each.lines[0].get_marker() for each in axes.containers}
        assert len(markers) == len(STRATEGIES), "some can be told apart by color only"

    # The ideal reaches both ends of the axis, and all of it is in the picture
    (ideal,) = [line for line in axes.get_lines() if line.get_label() == "ideal"]
    low, high = axes.get_xlim()
    bottom, top = axes.get_ylim()
    if len(workers) > 1:
        assert list(ideal.get_xdata()) == [low, high] == list(ideal.get_ydata())
        assert workers[-1] <= top
    else:
        assert list(ideal.get_ydata()) == [2, 2] and list(ideal.get_xdata()) == [0, 1]
        assert bottom <= 2 <= top


def test_charts_are_dark_on_a_dark_page_and_fit_the_cell() -> None:
    for chart in (CHARTS["rows"], CHARTS["lines"], lanes(make_run())):
        shown = chart._repr_mimebundle_()
        assert "@media (prefers-color-scheme: dark)" in shown["image/svg+xml"]
        assert 'class="abviz-picture"' in shown["text/html"]
        for rule in ("max-width: 100%", "height: auto", "color-scheme: dark"):
            assert rule in shown["text/html"].partition("</style>")[0]
        ElementTree.fromstring(shown["image/svg+xml"])


def test_axes_begin_at_zero_unless_they_say_logarithmic() -> None:
    for name, chart in CHARTS.items():
        for axes in chart.axes:
            for label, limits in (
                (axes.get_xlabel(), axes.get_xlim()),
                (axes.get_ylabel(), axes.get_ylim()),
            ):
                measured = any(word in label for word in ("time", "nodes", "another move"))
                assert not measured or "logarithmic" in label or min(limits) <= 0, (name, label)


@pytest.mark.parametrize("name", HOSTILE)
def test_names_are_text_in_svg_and_html(name: str) -> None:
    run = make_run(game=name, tasks=(make_task(move=name, path=(name,)),), moves=(name,), move=name)
    shown = lanes(run)._repr_mimebundle_()
    assert {
        element.tag.removeprefix(SVG)
        for element in ElementTree.fromstring(shown["image/svg+xml"]).iter()
    } <= {*("svg", "style", "g", "title", "rect", "line", "text")}
    assert shown["text/html"].startswith(STYLE)  # which holds no names
    page = shown["text/html"].removeprefix(STYLE) + table(run, make_run(game="other")).html()
    assert set(re.findall(r"<(\w+)", page)) <= {
        "img",
        "div",
        "table",
        "caption",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
    }


# the table


def test_the_table_compares_runs_with_the_sequential_one() -> None:
    shown = table(
        sequential(2.0),
        [make_run(time=t, nodes=1500, cpu=(0.5, t)) for t in (1.0, 1.25)],
        make_run(depth=3),
    )
    assert shown.title == "checkers, alphabeta, 4 runs" and not {
        "game",
        "position",
        "executor",
    } & set(shown.head)
    rows = [dict(zip(shown.head, row, strict=True)) for row in shown.rows]
    assert (
        rows[0] | {"run": "1", "time": "2.00 s", "speed-up": "1.00", "overhead": "0 %"} == rows[0]
    )
    assert (
        rows[2] | {"run": "3", "time": "1.25 s", "speed-up": "1.60", "by CPU time": "1.60"}
        == rows[2]
    )
    assert rows[2]["overhead"] == "50 %"
    assert rows[3] | {"speed-up": "–", "by CPU time": "–", "overhead": "–"} == rows[3]
    lines = str(shown).splitlines()
    assert (
        len(lines) == 6 and len({line.index("1.00 s") for line in lines if "1.00 s" in line}) == 1
    )
    assert "by CPU time" not in table(sequential(clock="nodes"), make_run(clock="nodes")).head


def test_runs_with_other_settings_or_weights_are_not_taken_for_repeated_ones() -> None:
    slow, heavy = make_run(settings="handing 800"), make_run(weights="men 500")
    shown = str(table(sequential(2.0), make_run(), slow, heavy))
    assert "handing 800" in shown and "men 500" in shown and "4 runs" in shown
    with pytest.raises(AbvizError, match="cannot compare; expected finished runs of the same"):
        heavy.speed_up(sequential(2.0))
    run = simulate(Checkers.start(), 4, upper=2, handing=50)
    assert (
        run.settings == "upper 2, handing 50"
        and "adaptive, upper 2, handing 50" in lanes(run).caption
    )


def test_the_table_shows_what_is_not_known_and_what_has_stopped() -> None:
    stopped = make_run(finished=False, move=None, value=None, cpu=())
    text = str(table(stopped, sequential(value=999_997)))
    assert "–, not finished" in text and "MAX wins in 3 plies" in text
    assert str(table()).startswith("0 runs")


@pytest.mark.parametrize(
    ("draw", "problem"),
    [
        (
            lambda: speed_up(),
            "nothing to compare in 0 runs; expected finished runs of the sequential search",
        ),
        (lambda: table([7]), "7 is not a run; expected the result of parallel_search or simulate"),  # type: ignore[list-item]
    ],
)
def test_wrong_input_is_refused_in_one_line(draw: Any, problem: str) -> None:
    with pytest.raises(AbvizError, match="^" + re.escape(problem)) as error:
        draw()
    assert "\n" not in str(error.value)


def test_costs_by_move_are_drawn_as_given_and_read_out() -> None:
    chart = by_move(sequential=[2000, 30, 1], two_workers=[1000.0, 40, 5])
    lines = chart.axes[0].get_lines()
    assert [list(line.get_xdata()) for line in lines] == [[1, 2, 3]] * 2
    assert [list(line.get_ydata()) for line in lines] == [[2000, 30, 1], [1000, 40, 5]]
    assert len({line.get_marker() for line in lines}) == 2  # some can be told apart by color only
    assert chart.axes[0].get_yscale() == "log"
    assert (
        chart.caption == "Nodes at each move. sequential: 2,000, 30, 1; two workers: 1,000, 40, 5."
    )

    linear = by_move(alone=[make_run(time=4), make_run(time=5)])
    assert linear.axes[0].get_yscale() == "linear" and linear.axes[0].get_ylim()[0] == 0


@pytest.mark.parametrize(
    ("series", "message"),
    [
        ({}, "nothing to draw; expected series"),
        ({"a": []}, "a is empty; expected a run or a number for each move"),
        ({"a": 5}, "a is 5; expected a list of runs or of numbers"),
        ({"a": [1, 0]}, "a has 0 at move 2; expected a number above 0"),
        ({"a": [1, None]}, "a has None at move 2"),
    ],
)
def test_costs_that_cannot_be_drawn_are_refused(series: dict[str, Any], message: str) -> None:
    with pytest.raises(AbvizError) as error:
        by_move(**series)
    assert message in str(error.value)


def test_times_are_written_as_matplotlib_would_write_them() -> None:
    engineers = EngFormatter("s", places=2)
    edges = [0.0, 1.0, 0.999994, 0.999996, 999.994, 999.996, 1e-3, 9.99996e-4, 59.999]
    spread = [digits * 10.0**power for power in range(-9, 5) for digits in (1, 1.006, 4.56, 9.996)]
    for seconds in (*edges, *spread):
        assert format_time(seconds) == engineers(seconds), seconds
