"""The timing widget: run a search on several workers, watch its lanes grow, stop it, compare it with another run."""

import threading
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import anywidget
import traitlets
from ipywidgets import HTML, BoundedIntText, Button, Dropdown, HBox, VBox

from abviz.cells import CellWidget
from abviz.errors import AbvizError, brief, unknown, visible
from abviz.games.boards import position_text
from abviz.games.checkers import Checkers
from abviz.games.rules import DEEPEST
from abviz.parallel import STRATEGIES, Run, start
from abviz.parallel.records import MOST
from abviz.timing.lane_chart import LaneChart, draw_lanes, lane_title
from abviz.timing.summary import Table, flat, run_answer, run_name, table

HERE = Path(__file__).parent
POLL, REDRAW = 0.02, 0.3  # seconds: drawing takes time from the search, where every core is busy
THEME = {"ink": "var(--jp-content-font-color1, #222)", "paper": "var(--jp-layout-color0, #fff)"}


class LiveLanes(anywidget.AnyWidget):
    """The lanes of one run or two, and a line of status."""

    _esm = (HERE / "lanes.js").read_text(encoding="utf-8")
    _css = (HERE / "lanes.css").read_text(encoding="utf-8")
    svg = traitlets.Unicode("").tag(sync=True)
    status = traitlets.Unicode("Choose, then press Run.").tag(sync=True)


class Timing(CellWidget, VBox):  # type: ignore[misc]  # ipywidgets has no types
    """Measure searches on several workers: Timing(), Timing(position) or Timing({"name": position, ...}).

    The buttons' methods are `run(depth=14, strategy="root", workers=2, method="alphabeta", position="name")`, `stop()`
    and `show(1, 2)`. `wait()` returns the record of the run, `runs` those of all, including `runs` passed at the start.
    """

    _search: Any = None  # also of a widget whose arguments were refused

    def __init__(self, positions: Any = None, *, runs: Iterable[Run] = (), **choices: Any):
        if positions is None:
            positions = {"the start": Checkers.start()}
        self._positions = dict(positions) if isinstance(positions, Mapping) else {"this position": positions}
        self._runs = flat([runs])
        self._watcher = threading.Thread(target=lambda: None)  # alive while a run is watched and drawn
        self._controls = {
            "position": Dropdown(description="Position", options=list(self._positions)),
            "depth": BoundedIntText(16, 1, DEEPEST, description="Depth"),
            "workers": BoundedIntText(2, 1, MOST, description="Workers"),
            "strategy": Dropdown(description="Strategy", options=list(STRATEGIES), value="young-brothers"),
            "method": Dropdown(description="Method", options=["alphabeta", "improved"]),
        }
        self._shown = [Dropdown(description="Show run"), Dropdown(description="compare with")]
        run, stop = (Button(description=name, layout={"width": "5em"}) for name in ("Run", "Stop"))
        run.button_style = "primary"
        for control in (*self._controls.values(), *self._shown):
            control.style.description_width = "initial"
            control.layout.width = "9em" if isinstance(control, BoundedIntText) else "auto"
        self._lanes, self._table = LiveLanes(), HTML()
        controls = HBox([*self._controls.values(), run, stop])
        controls.layout.flex_flow = "row wrap"
        super().__init__([controls, self._lanes, HBox(self._shown), self._table])
        self.add_class("abviz-timing")
        self._choose(choices)
        run.on_click(lambda _: self._press_run())
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
        if self._search is not None and self._search.done:
            self._watcher.join(10)  # its end is still being drawn
        if self._watcher.is_alive():
            raise AbvizError("a search is running; expected stop() or wait() before the next run")
        self._choose(choices)
        options = {name: control.value for name, control in self._controls.items()}
        position, depth = self._positions[options.pop("position")], options.pop("depth")
        if options["strategy"] == "sequential":
            options["workers"] = 1
        self._search = start(position, depth, **options)
        self._lanes.status = f"Running {options['strategy']}, depth {depth}."
        self._watcher = threading.Thread(target=self._watch, args=(self._search,), name="abviz timing", daemon=True)
        self._watcher.start()

    def stop(self) -> None:
        """Stop the search that is running, if any."""
        if self._search is not None:
            self._search.stop()

    def wait(self) -> Run:
        """Wait for the end of the run and return its record. An interrupt stops the search."""
        if self._search is None:
            raise AbvizError("nothing has been run; expected run() before wait()")
        run: Run = self._search.result()
        self._watcher.join(10)  # until it is drawn too
        return run

    def show(self, number: int, other: int = 0) -> None:
        """Show one run, or two above each other on the same time axis, by their numbers in the table."""
        self._shown[0].value, self._shown[1].value = number, other

    def close(self) -> None:
        self.stop()
        super().close()

    def _choose(self, choices: Mapping[str, Any]) -> None:
        for name, value in choices.items():
            if name not in self._controls:
                raise unknown("option", name, ("runs", *self._controls))
            try:
                self._controls[name].value = value
            except traitlets.TraitError as problem:
                raise AbvizError(f"{name} is {brief(value)}; expected one of the choices: {problem}") from None
            control = self._controls[name]
            if control.value != value:  # it has taken the nearest
                raise AbvizError(f"{name} is {brief(value)}; expected a whole number, {control.min} to {control.max}")

    def _press_run(self) -> None:
        try:
            self.run()
        except Exception as problem:
            self._lanes.status = _one_line(problem)

    def _watch(self, search: Any) -> None:
        try:
            due = 0.0
            while not search.done:
                if monotonic() >= due:
                    self._draw({len(self._runs) + 1: search.record()})
                    due = monotonic() + REDRAW
                sleep(POLL)
            run = search.result()
            self._runs.append(run)
            self._list_runs()
            self._lanes.status = f"{'Finished' if run.finished else 'Stopped'}: {run_answer(run)}."
        except BaseException as problem:
            search.stop()  # perhaps drawing failed, and the search still runs
            self._lanes.status = _one_line(problem)

    def _list_runs(self) -> None:
        """Offer all runs in the dropdowns and the table, and show the last."""
        self._table.value = self._all_runs().html() if self._runs else ""
        options = [("–", 0), *((f"{n}: {run_name(run)}", n) for n, run in enumerate(self._runs, 1))]
        compared = self._shown[1].value or 0
        with self._lanes.hold_sync():  # setting options selects the first of them for a moment
            for dropdown, value in zip(self._shown, (len(self._runs), compared), strict=True):
                dropdown.options = options
                dropdown.value = value
            self._draw_shown()

    def _all_runs(self) -> Table:
        names = {position_text(each): name for name, each in self._positions.items()}
        return table(
            [replace(run, position=names.get(run.position, run.position)) for run in self._runs], numbered=True
        )

    def _draw_shown(self) -> None:
        self._draw({n: self._runs[n - 1] for n in (dropdown.value for dropdown in self._shown) if n})
        if not self._watcher.is_alive():
            self._lanes.status = ""  # it was of the last run

    def _draw(self, runs: Mapping[int, Run]) -> None:
        titles = [f"Run {number}: {lane_title(run)}" for number, run in runs.items()]
        self._lanes.svg = draw_lanes(list(runs.values()), titles, **THEME)

    def _repr_mimebundle_(self, **options: Any) -> dict[str, Any]:
        """Return the widget and, for pages without a kernel, a picture of its last run and the table."""
        shown, runs = super()._repr_mimebundle_(**options), self._all_runs()
        picture = LaneChart(self._runs[-1:])._repr_mimebundle_()["text/html"]
        return {**shown, "text/plain": str(runs), "text/html": picture + runs.html()}


def _one_line(problem: BaseException) -> str:
    kind = "" if isinstance(problem, AbvizError) else f"{type(problem).__name__}: "
    return visible(f"{kind}{problem}"[:400])
