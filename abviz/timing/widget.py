"""The timing widget: run a search on several workers, watch its lanes grow, stop it, compare it with another run."""

import os
import threading
from collections.abc import Iterable, Mapping
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import anywidget
import traitlets
from ipywidgets import HTML, BoundedIntText, Button, Dropdown, HBox, VBox
from matplotlib.ticker import MaxNLocator

from abviz.errors import AbvizError, brief, count, quoted, unknown, visible
from abviz.parallel.records import SECONDS, Run
from abviz.timing import summary
from abviz.timing.summary import Baselines, Table, format_percent, format_ratio

HERE = Path(__file__).parent
POLL, REDRAW = 0.02, 0.3  # seconds: drawing takes time from the search, where every core is busy
GRAIN = 300  # a bar shorter than 1/300 of the axis is drawn together with its neighbours
METHODS = ("alphabeta", "improved")
LIMITS = {"depth": (1, 99), "workers": (1, 256)}
NO_BASELINE = "Run the strategy sequential too, for speed-up and overhead."


class Lanes(anywidget.AnyWidget):
    """The lanes of one run or two, on one time axis, and a line of status."""

    _esm = (HERE / "lanes.js").read_text(encoding="utf-8")
    _css = (HERE / "lanes.css").read_text(encoding="utf-8")
    view = traitlets.Dict().tag(sync=True)
    status = traitlets.Unicode("Choose, then press Run.").tag(sync=True)
    problem = traitlets.Unicode("").tag(sync=True)


class Timing(VBox):  # type: ignore[misc]  # ipywidgets has no types
    """Measure searches on several workers: Timing(), Timing(position) or Timing({"name": position, ...}).

    The buttons' methods are `run(depth=14, strategy="root", workers=2, method="alphabeta", position="name")`, `stop()`
    and `show(1, 2)`. `wait()` returns the record of the run, `runs` those of all, including `runs` passed at the start.
    """

    _search: Any = None  # also of a widget whose arguments were refused

    def __init__(self, positions: Any = None, *, runs: Iterable[Run] = (), **choices: Any):
        from abviz.parallel import STRATEGIES

        self._positions = _named(positions)
        self._names = {_as_text(position): name for name, position in self._positions.items()}
        self._runs = summary.flat([runs])
        self._idle = threading.Event()  # set while nothing runs
        self._idle.set()
        self._still: Any = None  # the display of the static picture
        self._controls = {
            "position": Dropdown(description="Position", options=list(self._positions)),
            "depth": BoundedIntText(16, *LIMITS["depth"], description="Depth"),
            "workers": BoundedIntText(2, *LIMITS["workers"], description="Workers"),
            "strategy": Dropdown(description="Strategy", options=list(STRATEGIES), value="young-brothers"),
            "method": Dropdown(description="Method", options=METHODS),
        }
        self._shown = [Dropdown(description="Show run"), Dropdown(description="compare with")]
        run, stop = Button(description="Run", button_style="primary"), Button(description="Stop")
        for control in (*self._controls.values(), *self._shown):
            control.style.description_width, control.layout.width = "initial", "auto"
        for control in (self._controls["depth"], self._controls["workers"]):
            control.layout.width = "9em"
        self._lanes, self._table = Lanes(), HTML()
        rows = [HBox([*self._controls.values(), run, stop]), self._lanes, HBox(self._shown), self._table]
        rows[0].layout.flex_flow = "row wrap"
        super().__init__(rows)
        self.add_class("abviz-timing")
        for name, value in choices.items():
            self._choose(name, value)
        run.on_click(lambda _: self._try_to_run())
        stop.on_click(lambda _: self.stop())
        self._list_runs()
        for dropdown in self._shown:
            dropdown.observe(lambda _: self._draw_shown(), "value")

    @property
    def runs(self) -> list[Run]:
        """The records of all runs in the order of the table, including those that were stopped."""
        return list(self._runs)

    def run(self, **choices: Any) -> None:
        """Start a search in the background, with these choices set in the controls."""
        from abviz.parallel import start

        if self._search is not None and self._search.done:
            self._idle.wait(10)  # its end is being shown
        if not self._idle.is_set():
            raise AbvizError("a search is running; expected stop() or wait() before the next run")
        for name, value in choices.items():
            self._choose(name, value)
        options = {name: control.value for name, control in self._controls.items()}
        position, depth = self._positions[options.pop("position")], options.pop("depth")
        if options["strategy"] == "sequential":
            options["workers"] = 1
        self._search = start(position, depth, **options)
        self._idle.clear()
        self._lanes.problem, self._lanes.status = "", f"Running {options['strategy']}, depth {depth}. {_crowd(options)}"
        self.add_class("abviz-running")
        threading.Thread(target=self._watch, args=(self._search,), name="abviz timing", daemon=True).start()

    def stop(self) -> None:
        """Stop the search that is running, if any."""
        if self._search is not None:
            self._search.stop()

    def wait(self) -> Run:
        """Wait for the end of the run and return its record. An interrupt stops the search."""
        if self._search is None:
            raise AbvizError("nothing has been run; expected run() before wait()")
        run: Run = self._search.result()
        self._idle.wait(10)  # until it is shown too
        return run

    def show(self, *numbers: int) -> None:
        """Show one run, or two above each other on the same time axis, by their numbers in the table."""
        for number in numbers:
            if type(number) is not int or not 1 <= number <= len(self._runs):
                raise AbvizError(f"run {brief(number)} is not in the table, which has {count(len(self._runs), 'run')}")
        if len(numbers) > 2:
            raise AbvizError(f"{len(numbers)} runs; expected one or two to show")
        for dropdown, number in zip(self._shown, (*numbers, 0, 0), strict=False):
            dropdown.value = number

    def close(self) -> None:
        self.stop()
        for row in self.children:
            for widget in (*getattr(row, "children", ()), row):
                widget.close()
        super().close()

    def _choose(self, name: str, value: Any) -> None:
        if name not in self._controls:
            raise unknown("option", name, ("runs", *self._controls))
        if name in LIMITS:
            low, high = LIMITS[name]
            if type(value) is not int or not low <= value <= high:
                raise AbvizError(f"{name} is {brief(value)}; expected a whole number, {low} to {high}")
        elif value not in (legal := list(self._controls[name].options)):
            raise unknown(name, value, legal)
        self._controls[name].value = value

    # while it runs

    def _try_to_run(self) -> None:
        try:
            self.run()
        except Exception as problem:
            self._lanes.problem = _one_line(problem)

    def _watch(self, search: Any) -> None:
        try:
            due = 0.0
            while not search.done:
                if monotonic() >= due:
                    self._lanes.view = view_of({len(self._runs) + 1: search.record()})
                    due = monotonic() + REDRAW
                sleep(POLL)
            run = search.result()
            self._runs.append(run)
            if self._still is not None:
                self._still.update(self._static(), raw=True)
            self._list_runs()
            self._lanes.status = f"{'Finished' if run.finished else 'Stopped'}: {summary.run_answer(run)}."
        except BaseException as problem:
            search.stop()  # it may be the drawing that failed
            self._lanes.status, self._lanes.problem = "", _one_line(problem)
        finally:
            self.remove_class("abviz-running")
            self._idle.set()

    # what has run

    def _list_runs(self) -> None:
        """Offer all runs in the dropdowns and the table, and show the last."""
        self._table.value = self._all_runs().html()
        options = [("–", 0), *((f"{n}: {summary.run_name(run)}", n) for n, run in enumerate(self._runs, 1))]
        last, compared = len(self._runs), self._shown[1].value or 0
        with self._lanes.hold_sync():  # setting options selects the first of them for a moment
            for dropdown, value in zip(self._shown, (last, compared), strict=True):
                dropdown.options = options
                dropdown.value = value
            self._draw_shown()

    def _all_runs(self) -> Table:
        return Table([[run] for run in self._runs], numbered=True, names=self._names)

    def _draw_shown(self) -> None:
        runs = {n: self._runs[n - 1] for n in (dropdown.value for dropdown in self._shown) if n}
        baselines = Baselines(self._runs)
        self._lanes.view = view_of(runs, baselines)
        if len(runs) == 2:
            self._lanes.status = _comparison(runs)
        elif runs and self._idle.is_set():
            self._lanes.status = ""

    def _ipython_display_(self) -> None:
        """Display the widget, and a static picture for where no kernel is, as in a saved notebook.

        The stylesheet hides the picture below a live widget. It is replaced when a run ends.
        """
        from IPython.display import display

        data = self._repr_mimebundle_()
        display(data | {"text/plain": repr(self)}, raw=True)  # type: ignore[no-untyped-call]
        self._still = display(self._static(), raw=True, display_id=True)  # type: ignore[no-untyped-call]

    def _static(self) -> dict[str, str]:
        from abviz.timing.charts import lanes

        table = self._all_runs()
        picture = lanes(self._runs[-1])._repr_mimebundle_()["text/html"] if self._runs else ""
        return {"text/plain": str(table), "text/html": f'<div class="abviz-still">{picture}{table.html()}</div>'}

    def __repr__(self) -> str:
        return f"Timing({count(len(self._runs), 'run')})"


def _named(positions: Any) -> dict[str, Any]:
    if positions is None:
        from abviz.games.checkers import Checkers

        positions = {"the start": Checkers.start()}
    named = dict(positions) if isinstance(positions, Mapping) else {"this position": positions}
    for position in named.values():
        if not hasattr(position, "play"):
            raise AbvizError(f"{brief(position)} is not a position of a game; expected one, such as Checkers.start()")
    if not named:
        raise AbvizError("no positions; expected at least one, such as Checkers.start()")
    return {visible(str(name)): position for name, position in named.items()}


def _as_text(position: Any) -> str:
    return str(getattr(position, "fen", None) or repr(position))


def _crowd(options: dict[str, Any]) -> str:
    cores = os.cpu_count() or 1
    return f"{options['workers']} workers take turns on {count(cores, 'core')}." if options["workers"] > cores else ""


def _one_line(problem: BaseException) -> str:
    notes = " ".join(getattr(problem, "__notes__", ()))
    kind = "" if isinstance(problem, AbvizError) else f"{type(problem).__name__}: "
    return visible(f"{kind}{problem} {notes}".strip()[:400])


def _comparison(runs: Mapping[int, Run]) -> str:
    (slow, first), (fast, second) = sorted(runs.items(), key=lambda item: -item[1].time)
    if summary.problem(first) != summary.problem(second) or not (first.finished and second.finished and second.time):
        return "These runs cannot be compared: expected finished runs of one position and depth."
    times = " / ".join(summary.format_time(run.time, run.clock) for run in (first, second))
    return f"Run {fast} is {first.time / second.time:.2f} times as fast as run {slow}: {times}."


# what lanes.js draws


def view_of(runs: Mapping[int, Run], baselines: Baselines | None = None) -> dict[str, Any]:
    """Return numbered runs as plain data: their bars, titles, and the marks of the time axis."""
    longest = max((max(run.time, 1e-9) for run in runs.values()), default=1.0)
    grain = longest / GRAIN
    clock = next((run.clock for run in runs.values()), SECONDS)
    unit = summary.unit_for(longest) if clock == SECONDS else "nodes"
    factor = summary.UNITS.get(unit, 1)
    ticks = [float(tick) for tick in MaxNLocator(6).tick_values(0, longest * factor) if 0 <= tick <= longest * factor]
    return {
        "longest": longest,
        "unit": unit,
        "ticks": [[tick / factor, f"{tick:,.10g}"] for tick in ticks],
        "runs": [
            {
                "title": f"Run {number}: {summary.run_name(run)}, depth {run.depth}",
                "costs": f"{summary.run_answer(run)} · {summary.run_costs(run)}{_gains(run, baselines)}",
                "workers": run.workers,
                "time": run.time,
                "bars": _bars(run, grain),
                "marks": sorted(
                    {
                        (task.worker, round(min(time, run.time) / grain) * grain)
                        for task in run.tasks
                        for time, _, _ in task.learnt
                    }
                ),
            }
            for number, run in runs.items()
        ],
    }


def _gains(run: Run, baselines: Baselines | None) -> str:
    if baselines is None:
        return f" · {format_percent(run.progress)} searched"
    speed_up, overhead = baselines.speed_up(run), baselines.overhead(run)
    if not run.finished or speed_up is None or overhead is None:
        return f" · {NO_BASELINE}" if run.finished else ""
    return f" · speed-up {format_ratio(speed_up)} · overhead {format_percent(overhead)}"


def _bars(run: Run, grain: float) -> list[dict[str, Any]]:
    """Return a bar for each task; tasks too short to be seen share one."""
    bars: list[dict[str, Any]] = []
    last: dict[int, dict[str, Any]] = {}
    for task in run.tasks:
        end = run.time if task.end is None else task.end
        move = quoted(task.move) or "root"
        value = summary.task_value(task)
        state = value if task.value is None else ""
        before = last.get(task.worker)
        if before and end - before["start"] < grain and "running" not in (state, before["state"]):
            before["tasks"] += 1
            before |= {"end": end, "texts": [f"× {before['tasks']}"], "about": f"{before['tasks']} tasks"}
            before["move"] = before["move"] if before["move"] == move else ""
            before["state"] = before["state"] if before["state"] == state else ""
            continue
        best = "★ " if run.finished and task.move and task.move == run.move else ""
        path = " ".join(map(quoted, task.path)) or move
        bound = summary.start_bound(task, run)
        bar = {"worker": task.worker, "start": task.start, "end": end, "move": move, "state": state, "tasks": 1}
        bar["texts"] = [best + move, bound] + ([value] if len(task.path) <= 1 else [])
        bar["about"] = f"{path}: {bound}, {value}, {summary.format_count(task.nodes)} nodes"
        last[task.worker] = bar
        bars.append(bar)
    colours = {quoted(move): (215 + 137 * place) % 360 for place, move in enumerate(run.moves)}
    return [bar | {"hue": colours.get(bar["move"])} for bar in bars]
