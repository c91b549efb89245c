"""The timing widget: one search on several threads, watched while it runs, and the table of those that have been."""

import threading
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import anywidget
import traitlets

from abviz.errors import AbvizError, Stopped, count
from abviz.games.checkers import Checkers
from abviz.parallel.records import Run
from abviz.timing import choices, snapshots
from abviz.timing.choices import CHOICES, Choices, crowd, is_alone
from abviz.timing.hearing import READY, chosen_in, hear
from abviz.timing.pooling import CPU_TIME, Baselines
from abviz.timing.snapshots import HEADS, Bars
from abviz.timing.still import bundle
from abviz.timing.watch import Watch, in_words

HERE = Path(__file__).parent
PATIENCE = 5  # seconds for a search that is stopped to end; it takes milliseconds
MOST_ROWS = 200  # of the table in the browser; `runs` has them all
NO_BASELINE = "Speed-up and overhead are measured against the sequential search of the same position and depth."
NOTE = f"Speed-up: the time of the sequential search (their median) / that of the run. By CPU time: {CPU_TIME}."


class Refused(AbvizError, traitlets.TraitError):
    """A value that a trait cannot have; traitlets puts back the one before."""


class Timing(anywidget.AnyWidget):
    """Run a search on several threads and watch it: Timing(), or Timing(position), Timing({"name": position, ...}).

    `position` (one of the names), `depth`, `workers` and `strategy` are what the next run takes; the reader chooses
    them in the browser, and they can be set here. `run()`, `stop()`, `measure()` and `show(1, 2)` do what the buttons
    do, `wait()` gives the record of the run. `runs` are the records of all, those told at the start among them.
    What else is told goes to `abviz.parallel.start`: executor=..., weights=...
    """

    # As text: given the paths, anywidget would keep every widget in memory, also one that is closed.
    _esm = (HERE / "timing.js").read_text(encoding="utf-8")
    _css = (HERE / "timing.css").read_text(encoding="utf-8")
    position = traitlets.Any().tag(sync=True)  # of any kind, so that a wrong one is told in our words
    depth = traitlets.Any(16).tag(sync=True)
    workers = traitlets.Any(2).tag(sync=True)
    strategy = traitlets.Any("young-brothers").tag(sync=True)
    offered = traitlets.Dict().tag(sync=True)
    under_way = traitlets.Dict().tag(sync=True)  # of the run that is: what is known before its first task
    tiles: Any = traitlets.List().tag(sync=True)  # the numbers of a result: names and texts
    hint = traitlets.Unicode("").tag(sync=True)  # why it has no speed-up
    rows: Any = traitlets.List().tag(sync=True)
    shown: Any = traitlets.List().tag(sync=True)  # the pictures of one run or two
    says = traitlets.Unicode(READY).tag(sync=True)
    problem = traitlets.Unicode("").tag(sync=True)
    heard = traitlets.Int(0).tag(sync=True)  # how often the browser has been answered
    _watch = Watch()  # over no run; also of a widget that was refused before it was made

    def __init__(
        self,
        positions: Any = None,
        *,
        runs: Iterable[Run] = (),
        start: Callable[..., Any] | None = None,
        **told: Any,
    ):
        self._choices = Choices(Checkers.start() if positions is None else positions)
        chosen = {"position": next(iter(self._choices.positions))}
        chosen |= {name: told.pop(name) for name in CHOICES if name in told}
        self._start, self._told = choices.checked_start(start), choices.checked_options(told, start)
        self._runs = choices.checked_runs(runs)
        self._pictures: list[dict[str, Any]] = []  # of the runs that are shown
        self._number = 0  # of the run that is under way
        self._numbers: list[int] = []  # of the runs that are shown
        self._compared: list[int] = []  # the run whose speed-up the one under way is to measure
        self._bars = Bars()
        self._place: Any = None  # of the picture in the notebook
        self._lock = threading.RLock()  # for whoever changes traits: the kernel's thread, or the one that watches a run
        words = {"heads": list(HEADS), "hint": NO_BASELINE, "note": NOTE}
        super().__init__(offered=self._choices.to_dict() | words, **chosen)
        self.rows = self._all_rows()
        self.on_msg(self._hear)

    @traitlets.validate(*CHOICES)
    def _check(self, proposal: Any) -> Any:
        try:
            return self._choices.checked(proposal["trait"].name, proposal["value"])
        except AbvizError as problem:
            raise Refused(str(problem)) from None

    # from Python

    @property
    def runs(self) -> list[Run]:
        """The records of all runs, in the order of the table; those that were stopped too."""
        return list(self._runs)

    def run(self, /, **chosen: Any) -> None:
        """Start a search in the background: run(), or run(depth=14, strategy="root"), which is then chosen."""
        with self._lock:
            self._check_free()
            checked = {name: self._choices.checked(name, value) for name, value in chosen.items()}
            for name, value in checked.items():
                setattr(self, name, value)
            self._begin(self.position, self.depth, self.strategy, 1 if is_alone(self.strategy) else self.workers)

    def measure(self) -> None:
        """Run the sequential search of what is shown: its speed-up is then known."""
        with self._lock:
            self._check_free()
            if not self._numbers:
                raise AbvizError("no run is shown; expected one whose speed-up is to be measured")
            number = self._numbers[-1]
            run = self._runs[number - 1]
            place = self._choices.name_of(run)
            if place not in self._choices.positions:
                raise AbvizError(
                    f"the position of run {number} is not among those of this widget; expected one of them"
                )
            self._begin(place, run.depth, "sequential", 1, **choices.same_method(run, self._told))
            self._compared = [number]

    def stop(self) -> None:
        """Stop the search that is running, if there is one."""
        self._watch.stop()

    def wait(self) -> Run:
        """Wait for the end of the search, and of showing it: its record. An interrupt stops the search."""
        watch = self._watch
        try:
            while not watch.over.wait(0.1):  # with a timeout, so that an interrupt comes through on every system
                pass
        except KeyboardInterrupt:
            self.stop()
            has_record = watch.over.wait(PATIENCE) and watch.fault is None
            move = self._runs[-1].move if has_record and self._runs else None
            raise Stopped(f"{move}, the best of the moves that were finished" if move else "") from None
        if watch.fault is not None:
            raise watch.fault
        if not self._runs:
            raise AbvizError("nothing has been run yet; expected run() before wait()")
        return self._runs[-1]

    def show(self, *numbers: int) -> None:
        """Lay two runs one over the other, on the same time axis: show(1, 3), by their numbers in the table."""
        choices.check_numbers(numbers, len(self._runs))
        runs = [self._runs[number - 1] for number in numbers]
        with self._lock, self.hold_sync():
            self._numbers = list(numbers)
            self._pictures = [snapshots.picture(run, number) for run, number in zip(runs, numbers, strict=True)]
            self.shown = self._pictures
            self.rows = self._all_rows()
            self.tiles, self.hint, self.problem = [], "", ""
            if runs:
                baselines = Baselines(self._runs)
                self.tiles = snapshots.tiles(runs[-1], numbers[-1], baselines)
                self.hint = "" if runs[-1] in baselines or not runs[-1].finished else NO_BASELINE
                if len(runs) == 2 and not self._number:
                    self.says = snapshots.comparison(list(numbers), runs, baselines)
        self._keep_still()

    def close(self) -> None:
        """Its run ends with it, and the thread that watches it."""
        self.stop()
        self._watch.over.wait(PATIENCE)
        super().close()

    # one run

    def _check_free(self) -> None:
        if not self._number:
            self._watch.over.wait(PATIENCE)  # the one before has been shown; its thread is about to end
        if not self._watch.over.is_set():
            raise AbvizError("a search is running; expected its end, or stop() before another")

    def _begin(self, place: str, depth: int, strategy: str, workers: int, **more: str) -> None:
        begin = self._start or choices.usual_start()
        told = {"strategy": strategy, "workers": workers} | self._told | more
        watch = Watch(begin(self._choices.positions[place], depth, **told))
        try:
            run = watch.running.record()
            self._watch, self._bars, self._compared = watch, Bars(), []
            self._number = len(self._runs) + 1
            with self.hold_sync():
                self.problem = self.hint = ""
                self.under_way = snapshots.heading(run, self._number)
                self.says = f"Running: {snapshots.title(run)}. {crowd(workers)}".strip()
            watch.begin(self._grow, self._finish, self._fail)
        except BaseException:  # nobody would watch it
            self._number = 0
            watch.give_up()
            raise

    def _grow(self, run: Run) -> None:
        with self._lock:
            self._tell(run)

    def _tell(self, run: Run, *, anew: bool = False) -> None:
        self.send(snapshots.live(run, self._number, self._bars, anew=anew))

    def _finish(self, run: Run) -> None:
        with self._lock, self.hold_sync():
            self._runs.append(run)
            self.says = snapshots.ending(run)
            self._number, self.under_way = 0, {}
            others = self._compared if run.finished else []
            self.show(len(self._runs), *others)

    def _fail(self, problem: BaseException) -> None:
        with self._lock, self.hold_sync():
            self.problem = in_words(problem)
            self.says = ""
            self._number, self.under_way = 0, {}

    # the table

    def _all_rows(self) -> list[dict[str, Any]]:
        baselines = Baselines(self._runs)
        return [
            {
                "number": number,
                "cells": snapshots.row(run, self._choices.name_of(run), baselines),
                "shown": number in self._numbers,
            }
            for number, run in list(enumerate(self._runs, 1))[-MOST_ROWS:]
        ]

    # from the browser

    def _hear(self, _: Any, told: Any, __: Any) -> None:
        hear(self, told)

    def set_state(self, sync_data: dict[str, Any]) -> None:
        if told := chosen_in(sync_data):
            hear(self, told)

    # without a kernel, and for those who read text

    def _ipython_display_(self) -> None:
        """Two outputs: the widget, and the picture for where it cannot live, as in a saved notebook without a kernel.

        Beside a widget that lives the stylesheet hides the picture. It is drawn anew when a run ends.
        """
        from IPython.display import display

        bundle = self._repr_mimebundle_()
        data = bundle[0] if isinstance(bundle, tuple) else bundle
        display({**(data or {}), "text/plain": repr(self)}, raw=True)  # type: ignore[no-untyped-call]
        self._place = display(self._still(), raw=True, display_id=True)  # type: ignore[no-untyped-call]

    def _still(self) -> dict[str, str]:
        return bundle(self._pictures, self._all_rows())  # the traits may hold what somebody has put there

    def _keep_still(self) -> None:
        if self._place is not None:
            self._place.update(self._still(), raw=True)

    def __repr__(self) -> str:
        return f"Timing({count(len(self._runs), 'run')})"
