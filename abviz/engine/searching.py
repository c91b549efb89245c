"""`search(position, depth=12)`: the engine as a person calls it."""

import threading
from dataclasses import replace
from time import perf_counter
from typing import Any

from abviz.engine.improving import SHALLOW
from abviz.engine.lines import completed, found, named
from abviz.engine.preparing import new_work_for, prepared, told_simply
from abviz.engine.results import Iteration, Result
from abviz.engine.switches import Switches
from abviz.engine.table import ENTRY, new_table
from abviz.engine.work import NO_MOVE
from abviz.errors import AbvizError, Stopped, brief, unknown
from abviz.games.checking import check_game
from abviz.games.scale import DEEPEST, PROVEN, WIN, checked_depth, checked_weights

METHODS = ("improved", "alphabeta", "minimax")
ASPIRATION = 30  # how far from the expected value the narrow window reaches: a third of a man in checkers
USUAL = 12  # moves to look ahead


def search(position: Any, depth: int | None = None, **told: Any) -> Result:
    """The best move of a position, looking so many moves ahead (12, or as far as a limit lets it).

    search(position, 12, seconds=2, nodes=10**6)    limits: the result is that of the deepest search that was finished
    search(position, 12, table=False, beam=4)       switches, on or off: see `Switches`
    search(position, 12, method="alphabeta")        a plain search, without improvements; also "minimax"
    search(position, 12, weights={"men": 120})      of the features of the game's evaluation
    search(position, 12, megabytes=100)             for the transposition table

    An interrupt (Ctrl+C, the notebook's stop button) ends it. To watch it while it runs: `abviz.engine.Search`.
    """
    return Search(position, depth, **told).result()


class Search:
    """One search of a position, in a thread of its own: `start()` it, read it, `stop()` it, take the `result()`.

    `method` is "improved" (with the switches, which can be told by name: `table=False`, `beam=4`), or the plain
    "alphabeta" or "minimax". `weights` are those of the game's features; the ones that are not told stay as they are.
    `nodes` and `seconds` are limits: the result is then that of the deepest search that was finished before.
    `megabytes` is the most that the transposition table takes.
    """

    def __init__(
        self,
        position: Any,
        depth: int | None = None,
        *,
        method: str = "improved",
        switches: Switches | None = None,
        weights: dict[str, int] | None = None,
        nodes: int | None = None,
        seconds: float | None = None,
        megabytes: float = 32,
        **changed: Any,
    ):
        check_game(position)
        if position.over():
            raise AbvizError("the game is over in this position; expected one with a move to search for")
        limited = nodes is not None or seconds is not None
        depth = checked_depth((DEEPEST if limited else USUAL) if depth is None else depth)
        if method not in METHODS:
            raise unknown("method", method, METHODS)
        if switches is not None and not isinstance(switches, Switches):
            raise AbvizError(f"switches is {brief(switches)}; expected Switches(...)")
        known = Switches.of(**changed)
        self.switches = replace(switches, **changed) if switches else known
        if method != "improved" and (switches or changed.keys() - {"hot"}):
            raise AbvizError(f"method {method} has no switches but hot; expected them with method improved")
        if limited and (method != "improved" or not self.switches.deepening):
            raise AbvizError("a limit of nodes or seconds needs deepening; expected method improved with deepening on")
        self.position, self.depth, self.method = position, depth, method
        self.nodes_limit = _positive("nodes", nodes, whole=True)
        self.seconds_limit = _positive("seconds", seconds)
        self.weights = checked_weights(position, weights)
        self.entries = _entries(megabytes) if self.switches.table and method == "improved" else 2
        self.work = new_work_for(self.switches, self.weights)
        try:
            self.table = new_table(self.entries)
        except MemoryError:
            raise AbvizError(f"megabytes is {brief(megabytes)}; expected no more than there is memory for") from None
        self.iterations: list[Iteration] = []
        self._line: list[int] = []
        self._lock = threading.RLock()  # a signal's handler may stop what its own thread is just starting
        self._timer: threading.Timer | None = None
        self._started = False
        self._stopped = False
        self._problem: BaseException | None = None
        self._result: Result | None = None
        self._finished = threading.Event()

    # for whoever waits

    def start(self) -> "Search":
        self.engine = prepared(self.position, self.method, self.work, self.table)
        with self._lock:
            if self._started:
                return self
            self._started = True
        threading.Thread(target=self._run, name="abviz search", daemon=True).start()
        return self

    @property
    def nodes(self) -> int:
        """Positions searched so far."""
        return int(self.work.nodes)

    @property
    def done(self) -> bool:
        return self._finished.is_set()

    def stop(self) -> None:
        """End the search now; its result is that of the deepest search that was finished."""
        with self._lock:
            self._stopped = True
            self.work.limit = 0

    def result(self) -> Result:
        """Wait for the end. An interrupt stops the search."""
        try:
            if not self._started:
                self.start()
            while not self._finished.wait(0.1):  # with a timeout, so that an interrupt comes through on every system
                pass
        except KeyboardInterrupt:
            self.stop()
            self._finished.wait(1)
            raise Stopped(str(self._result or "").partition("\n")[0]) from None
        except BaseException:
            self.stop()
            raise
        if self._problem is not None:
            raise self._problem
        assert self._result is not None
        return self._result

    # in its thread

    def _run(self) -> None:
        try:
            self._result = self._search()
        except BaseException as problem:
            self._problem = told_simply(problem, self.position)
        finally:
            if self._timer:
                self._timer.cancel()
                self._timer = None  # it knows this search: the two would keep each other, and the table, in memory
            self._finished.set()

    def _search(self) -> Result:
        begin = perf_counter()
        deepening = self.method == "improved" and self.switches.deepening
        value = self._guess()
        for depth in range(1, self.depth + 1) if deepening else [self.depth]:
            if depth == 2:
                self._begin_limits(perf_counter() - begin)
            value, line = self._to_depth(depth, value)
            if self._given_up():
                break
            names = named(self.position, line)
            self.iterations.append(Iteration(depth, value, names, int(self.work.nodes), perf_counter() - begin))
            self._line = line
            if WIN - abs(value) <= depth:
                break  # the end is nearer than the search looked: looking further cannot change it
        return self._told(perf_counter() - begin)

    def _begin_limits(self, spent: float) -> None:
        """Not before depth 2: so the search one move ahead is always finished, and there is a move to answer with."""
        with self._lock:
            if self.nodes_limit and not self._stopped:
                self.work.limit = min(self.nodes_limit, int(self.work.limit))
        if self.seconds_limit:
            left = min(max(self.seconds_limit - spent, 0), threading.TIMEOUT_MAX)
            self._timer = threading.Timer(left, self.stop)
            self._timer.daemon = True
            self._timer.start()

    def _given_up(self) -> bool:
        return self._stopped or int(self.work.nodes) >= int(self.work.limit)

    def _guess(self) -> int:
        values = self.position.features() if "features" in self.position.rules else None
        if values is None:
            return int(self.position.evaluate())
        return sum(weight * value for weight, value in zip(self.weights, values, strict=False))

    def _to_depth(self, depth: int, guess: int) -> tuple[int, list[int]]:
        """Value and line."""
        if self.method == "minimax":
            return self._plain(depth)
        if self.method == "alphabeta" or depth < SHALLOW:
            return self._plain(depth, -WIN, WIN)
        value = 0
        narrow = self.switches.aspiration and abs(guess) < PROVEN and depth > 1
        for alpha, beta in [(guess - ASPIRATION, guess + ASPIRATION)] * narrow + [(-WIN, WIN)]:
            self.work.following = 0 if self.switches.deepening and int(self.work.first[0]) != NO_MOVE else -1
            value = self.engine.improved(self.position, depth, alpha, beta, self.work, self.table, 0)
            if alpha < value < beta or self._given_up():
                break
        line = [int(move) for move in self.work.line[0, : int(self.work.length[0])]]
        self.work.first[:] = NO_MOVE
        self.work.first[: len(line)] = line
        return int(value), line

    def _plain(self, depth: int, *window: int) -> tuple[int, list[int]]:
        """The root's moves one by one, as a plain search has them: alpha-beta if there is a window."""
        is_max = self.position.is_max()
        self.work.nodes += 1
        bv, best = (-WIN if is_max else WIN), NO_MOVE
        search = self.engine.alphabeta if window else self.engine.minimax
        for move in found(self.position):
            child = self.position.play(move)
            value = int(search(child, depth - 1, *window, self.work, 1))
            if self._given_up():
                break
            if value > bv if is_max else value < bv:
                bv, best = value, move
            if window:
                alpha, beta = window
                window = (max(alpha, bv), beta) if is_max else (alpha, min(beta, bv))
        return bv, [best]

    def _completed(self, last: Iteration) -> list[int]:
        work = new_work_for(self.switches, self.weights)
        return completed(self.engine, self.position, self._line, last.depth, last.value, work)

    def _told(self, seconds: float) -> Result:
        work = self.work
        last = self.iterations[-1] if self.iterations else None
        line = named(self.position, self._completed(last)) if last else ()
        return Result(
            position=self.position,
            move=line[0] if line else None,
            value=last.value if last else None,
            line=line,
            depth=last.depth if last else 0,
            finished=last is not None and not self._given_up(),
            exact=self.switches.exact,
            nodes=int(work.nodes),
            evaluations=int(work.evaluations),
            cutoffs=int(work.cutoffs),
            hits=int(work.hits),
            seconds=seconds,
            iterations=tuple(self.iterations),
        )


def _positive(name: str, value: Any, *, whole: bool = False) -> Any:
    right = value is None or (
        isinstance(value, int if whole else int | float) and not isinstance(value, bool) and value > 0
    )
    if not right:
        raise AbvizError(f"{name} is {brief(value)}; expected {'a whole number' if whole else 'a number'} above 0")
    return value


def _entries(megabytes: Any) -> int:
    """The largest power of two of entries that fit."""
    right = isinstance(megabytes, int | float) and not isinstance(megabytes, bool) and 0.001 <= megabytes <= 65_536
    if not right:
        raise AbvizError(f"megabytes is {brief(megabytes)}; expected a number from 0.001 to 65536")
    return 1 << (int(megabytes * 1e6 // ENTRY.itemsize).bit_length() - 1)
