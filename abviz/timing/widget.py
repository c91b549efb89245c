"""The timing widget: a search on several workers, whose lanes grow as it runs.

It can be stopped, and compared with another run.
"""

import threading
from collections.abc import Mapping
from contextlib import suppress
from html import escape
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import traitlets
from ipywidgets import HTML, BoundedIntText, Button, Dropdown, HBox, VBox

from abviz.cells import CONTROLS, CellWidget
from abviz.errors import AbvizError, brief, unknown
from abviz.games.checkers import Checkers
from abviz.games.rules import DEEPEST
from abviz.parallel import STRATEGIES, Run, start
from abviz.parallel.records import MOST
from abviz.parallel.strategies import USUAL
from abviz.timing.lane_chart import draw_lanes
from abviz.timing.summary import run_answer, run_name, table
from abviz.widgets import AnyWidget

# Seconds between two looks at the search, and between two drawings: where every core is busy, these
# take time from the search
POLL = 0.02
REDRAW = 0.3


class LiveLanes(AnyWidget):
    """The lanes of one run or two."""

    _esm = Path(__file__).with_name("lanes.js")
    _css = CONTROLS + Path(__file__).with_name("timing.css").read_text("utf-8")
    svg = traitlets.Unicode("").tag(sync=True)
    is_running = traitlets.Bool(False).tag(sync=True)


class Timing(CellWidget, VBox):  # type: ignore[misc]  # ipywidgets has no types
    """Measure searches of a position on several workers.

    The buttons' methods are `run(depth=14, strategy="root", workers=2, method="alphabeta")` and
    `stop()`. `wait()` returns the record of the run, `runs` those of all.
    """

    def __init__(self, position: Any = None, **choices: Any):
        self.position = Checkers.start() if position is None else position
        self.runs: list[Run] = []  # in the order of the table, including those that were stopped
        self._search: Any = None
        self._watcher = threading.Thread()

        self._controls = {
            "depth": BoundedIntText(16, 1, DEEPEST, description="Depth"),
            "workers": BoundedIntText(2, 1, MOST, description="Workers"),
            "strategy": Dropdown(description="Strategy", options=list(STRATEGIES), value=USUAL),
            "method": Dropdown(description="Method", options=["alphabeta", "improved"]),
        }
        self._compared = Dropdown(description="Compare with", options=[("–", 0)])
        for control in (*self._controls.values(), self._compared):
            control.style.description_width = "initial"
            control.layout.width = "max-content"

        run = Button(description="Run", layout={"width": "max-content"})
        run.add_class("abviz-timing-run")
        stop = Button(description="Stop", disabled=True, layout={"width": "max-content"})
        stop.add_class("abviz-timing-stop")
        self._stop = stop
        self._status = HTML()
        self._lanes = LiveLanes()
        self._table = HTML()
        controls = HBox([*self._controls.values(), run, stop], layout={"flex_flow": "row wrap"})
        super().__init__([controls, self._status, self._lanes, self._compared, self._table])
        self.add_class("abviz-timing")
        self._choose(choices)

        run.on_click(lambda _: self._press_run())
        stop.on_click(lambda _: self.stop())
        self._compared.observe(lambda _: self._draw_last(), "value")

    def run(self, **choices: Any) -> None:
        """Start a search in the background, with these choices set in the controls."""
        if self._search is not None:
            if not self._search.done:
                raise AbvizError(
                    "a search is running; expected stop() or wait() before the next run"
                )
            self._watcher.join()  # its end is still being drawn

        self._choose(choices)
        options = {name: control.value for name, control in self._controls.items()}
        if options["strategy"] == "sequential":
            options["workers"] = 1

        self._search = start(self.position, **options)
        self._set_running(True)
        self._say(f"Running {options['strategy']}, depth {options['depth']}.")
        self._watcher = threading.Thread(
            target=self._watch, args=(self._search,), name="abviz timing", daemon=True
        )
        self._watcher.start()

    def add(self, run: Run) -> None:
        """Show a finished run in the lanes and the table, such as that of `measure_split`."""
        if not isinstance(run, Run):
            raise AbvizError(
                f"asked to add {brief(run)}; expected a run: measure_split(layer1, position, depth)"
            )

        if self._search is not None and not self._search.done:
            raise AbvizError("a search is running; expected stop() or wait() before a run is added")
        if self._watcher.ident:
            self._watcher.join()  # the end of the last search is still being drawn
        self._show(run)

    def stop(self) -> None:
        """Stop the search that is running, if any."""
        if self._search is not None:
            self._search.stop()

    def wait(self) -> Run:
        """Wait for the end of the run and return its record. An interrupt stops the search."""
        run: Run = self._search.result()
        self._watcher.join()  # until it is drawn too
        return run

    def close(self) -> None:
        self.stop()
        super().close()

    def _choose(self, choices: Mapping[str, Any]) -> None:
        for name, value in choices.items():
            if name not in self._controls:
                raise unknown("option", name, self._controls)
            with suppress(traitlets.TraitError):
                self._controls[name].value = value
            if self._controls[name].value != value:  # refused, or the nearest number was taken
                raise AbvizError(
                    f"{name} is {brief(value)}; expected a value that its control offers"
                )

    def _press_run(self) -> None:
        try:
            self.run()
        except Exception as problem:
            self._say(str(problem) or repr(problem))

    def _watch(self, search: Any) -> None:
        try:
            due = 0.0
            while not search.done:
                if monotonic() >= due:
                    self._lanes.svg = draw_lanes([search.record()])
                    due = monotonic() + REDRAW
                sleep(POLL)
            self._show(search.result())
        except BaseException as problem:
            search.stop()  # perhaps drawing failed, and the search still runs
            self._say(str(problem) or repr(problem))
        finally:
            self._set_running(False)

    def _set_running(self, is_running: bool) -> None:
        """Let Stop be off where nothing runs. Its keyboard goes to Run, which hears of it first."""
        self._lanes.is_running = is_running
        self._stop.disabled = not is_running

    def _show(self, run: Run) -> None:
        """Add a run to the table and to those that can be compared, and draw it."""
        self.runs.append(run)
        self._table.value = table(self.runs).html()

        compared = self._compared.value or 0
        names = [(f"{n}: {run_name(each)}", n) for n, each in enumerate(self.runs, 1)]
        self._compared.options = [("–", 0), *names]
        self._compared.value = compared

        self._draw_last()
        self._say(f"{'Finished' if run.finished else 'Stopped'}: {run_answer(run)}.")

    def _say(self, text: str) -> None:
        """Show a line of status, which screen readers read out."""
        self._status.value = f'<span role="alert">{escape(text)}</span>'

    def _draw_last(self) -> None:
        """Draw the last run, and below it the one to compare with."""
        drawn = [self.runs[-1]]
        compared = self._compared.value
        if compared:
            drawn.append(self.runs[compared - 1])
        self._lanes.svg = draw_lanes(drawn)
