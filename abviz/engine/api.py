"""Searching a position with the engine: `search`, `Search` in the background, and `perft`."""

import threading
from dataclasses import dataclass, fields
from functools import partial
from time import perf_counter
from typing import Any

from abviz.engine.background import BackgroundSearch, run_interruptible
from abviz.engine.compiler import explained, prepared
from abviz.engine.improvements import SHALLOW
from abviz.engine.transposition_table import ENTRY, new_table
from abviz.engine.workspace import NO_LIMIT, NO_MOVE, Switches, new_work
from abviz.errors import AbvizError, brief, count, unknown
from abviz.games import rules
from abviz.games.rules import (
    DEEPEST,
    LAST,
    PROVEN,
    WIN,
    captures,
    checked_depth,
    checked_weights,
    generated_moves,
)
from abviz.games.validation import check_game

METHODS = ("improved", "alphabeta", "minimax")
ASPIRATION = 30  # half the width of the narrow window: a third of a man in checkers
USUAL_DEPTH = 12
MOST_MEGABYTES = 1_000_000
COMPLETION = 50_000  # nodes that may be spent on completing a line: a few milliseconds


@dataclass(frozen=True)
class Result:
    """The answer of `search`. Values are from MAX's side; a win is 1,000,000 less the plies that it
    takes.
    """

    position: Any
    move: str | None = None  # None where the search was stopped before depth 1 was finished
    value: Any = None  # a whole number, where there is a move
    line: tuple[str, ...] = ()  # the principal variation
    depth: int = 0
    exact: bool = True  # False with reductions or a beam, which may be wrong
    # Whether the value follows from ends of the game alone: more depth cannot change it
    proven: bool = False
    # Whether the depth asked for was reached, or the end of the game is proven
    finished: bool = False
    nodes: int = 0  # positions searched
    evaluations: int = 0
    cutoffs: int = 0
    hits: int = 0  # positions answered by the table
    seconds: float = 0.0
    # Of a deepening search, with what was counted and passed since the beginning
    iterations: "tuple[Result, ...]" = ()

    @property
    def wins_in(self) -> int | None:
        """Plies to the proven end, positive where MAX wins; None where none is proven."""
        if not self.exact or self.value is None or abs(self.value) <= PROVEN:
            return None
        return int(WIN - self.value if self.value > 0 else -WIN - self.value)

    @property
    def in_words(self) -> str:
        """The value and how far it can be trusted: "value 0, proven", "value 0 at depth 12", "MAX
        wins in 3 plies".
        """
        if self.value is None:
            return "no value yet"
        words = rules.said(self.value, self.depth, self.proven, self.position.players)
        return words if abs(self.value) > PROVEN else f"value {words}"

    @property
    def nodes_per_second(self) -> float:
        return self.nodes / self.seconds if self.seconds else 0.0

    def __str__(self) -> str:
        if self.move is None:
            return f"stopped before depth 1 was finished ({count(self.nodes, 'node')})"

        is_win = abs(self.value) > PROVEN
        worth = rules.worth(self.value, self.position.players)
        value = worth if is_win else f"value {worth}"

        remarks = [f"depth {self.depth}"]
        if self.proven and not is_win:
            remarks.append("proven")
        if not self.finished:
            remarks.append("stopped there")
        if not self.exact:
            remarks.append("may be wrong")

        costs = f"{count(self.nodes, 'node')} in {self.seconds * 1000:,.1f} ms, {self.nodes_per_second:,.0f} a second"
        return f"{self.move}  {value}  ({', '.join(remarks)})\nline {' '.join(self.line)}\n{costs}"

    __repr__ = __str__

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain data for JSON."""
        record = {each.name: getattr(self, each.name) for each in fields(self)[1:-1]} | {
            "line": list(self.line)
        }
        return record | {"wins_in": self.wins_in, "nodes_per_second": round(self.nodes_per_second)}


def search(position: Any, depth: int | None = None, **options: Any) -> Result:
    """Return the best move of a position, with its value and line, searching 12 moves deep by
    default.

    search(position, 12, seconds=2, nodes=10**6)    limits: the result is that of the deepest
    finished iteration search(position, 12, table=False, beam=4)       switches, on or off: see
    `Switches` search(position, 12, method="alphabeta")        a plain search without improvements;
    also "minimax" search(position, 12, weights={"men": 120})      of the features of the game's
    evaluation search(position, 12, megabytes=100)             for the transposition table

    An interrupt (Ctrl+C, the notebook's stop button) stops it. To watch a search run, use
    `abviz.engine.Search`.
    """
    return Search(position, depth, **options).result()


class Search(BackgroundSearch[Result]):
    """One search of a position in the background: `start()` it, read `nodes` and `iterations`, take
    its `result()`.

    The options are those of `search`.
    """

    def __init__(
        self,
        position: Any,
        depth: int | None = None,
        *,
        method: str = "improved",
        weights: dict[str, int] | None = None,
        nodes: int | None = None,
        seconds: float | None = None,
        megabytes: float = 32,
        **switches: Any,
    ):
        super().__init__(self._search, self._give_up)
        check_game(position)
        if position.over():
            raise AbvizError(
                "the game is over in this position; expected one with a move to search for"
            )
        if method not in METHODS:
            raise unknown("method", method, METHODS)
        limited = nodes is not None or seconds is not None
        names = vars(Switches())
        for name in switches.keys() - names:
            raise unknown("switch", name, names)
        self.switches = Switches(**switches)
        if method != "improved" and (limited or switches.keys() - {"hot"}):
            raise AbvizError(
                f"method {method} has no limits, and no switches but hot; expected method improved"
            )
        if limited and not self.switches.deepening:
            raise AbvizError("a limit of nodes or seconds needs deepening; expected it on")
        for name, limit in {"nodes": nodes, "seconds": seconds}.items():
            if limit is not None and not (type(limit) in (int, float) and limit > 0):
                raise AbvizError(f"{name} is {brief(limit)}; expected a number above 0")
        if not (type(megabytes) in (int, float) and 0 < megabytes <= MOST_MEGABYTES):
            expected = f"expected a number above 0, {MOST_MEGABYTES:,} at most"
            raise AbvizError(f"megabytes is {brief(megabytes)}; {expected}")
        self.depth = checked_depth(
            (DEEPEST if limited else USUAL_DEPTH) if depth is None else depth
        )
        self.position, self.method, self.nodes_limit, self.seconds_limit = (
            position,
            method,
            nodes,
            seconds,
        )
        self.weights = checked_weights(position, weights)
        self.work = new_work(self.switches, self.weights)
        size = int(megabytes * 1e6 / ENTRY.itemsize) if self.switches.table else 2
        try:
            # The largest power of two that fits
            self.table = new_table(1 << (max(size, 2).bit_length() - 1))
        except MemoryError:
            raise AbvizError(
                f"megabytes is {brief(megabytes)}; expected less, as much memory as there is"
            ) from None
        self.iterations: list[Result] = []
        self.engine: Any = None  # until it is compiled
        self._line: list[int] = []

    @property
    def nodes(self) -> int:
        """Positions searched so far."""
        return int(self.work.nodes)

    def _give_up(self) -> None:
        self.work.limit = 0

    def _summary(self) -> str:
        return str(self._report(0.0)).partition("\n")[0]

    def _search(self) -> Result:
        self.engine = prepared(self.position, self.method, self.work, self.table)
        begin = perf_counter()
        deepening = self.method == "improved" and self.switches.deepening
        value = rules.static_value(self.position, self.weights)
        timer = threading.Timer(min(self.seconds_limit or 0, threading.TIMEOUT_MAX), self.stop)
        timer.daemon = True
        try:
            for depth in range(1, self.depth + 1) if deepening else [self.depth]:
                if depth == 2:  # limits begin here, so that there is a move to answer with
                    with self._lock:
                        if self.nodes_limit and not self._stopped:
                            self.work.limit = int(min(self.nodes_limit, NO_LIMIT))
                    if self.seconds_limit:
                        timer.start()
                evaluated, guessed = int(self.work.evaluations), self._guesses()
                value, line = self._to_depth(depth, value)
                if self._given_up():
                    break
                self._line = line
                names = move_names(self.position, line)
                answer = {"move": names[0], "value": value, "line": names, "depth": depth}
                proven = abs(value) > PROVEN or self._guesses() == guessed
                self.iterations.append(
                    self._result(perf_counter() - begin, proven=proven, **answer)
                )
                if WIN - abs(value) <= depth:
                    # The end is nearer than the search has looked: more depth cannot change it
                    break
                if depth < self.depth and self._guesses() == guessed:
                    break  # the game is solved
                if depth < self.depth and self.work.evaluations == evaluated:
                    # All guesses were those of earlier iterations, found in the table: perhaps it
                    # does without.
                    self.table[:] = 0
                    self._to_depth(depth, value)
                    if self.work.evaluations == evaluated and not self._given_up():
                        self.iterations[-1] = self._result(
                            perf_counter() - begin, proven=True, **answer
                        )
                        break
        except Exception as problem:
            raise explained(problem, self.position) from None
        finally:
            timer.cancel()
        return self._report(perf_counter() - begin)

    def _guesses(self) -> int:
        """Return how many estimates the search has met so far, those behind the table's answers
        included.
        """
        return int(self.work.evaluations + self.work.borrowed)

    def _given_up(self) -> bool:
        return self._stopped or self.nodes >= int(self.work.limit)

    def _to_depth(self, depth: int, guess: int) -> tuple[int, list[int]]:
        """Return the value and the line; neither means anything where the search has been given up."""
        if self.method == "minimax":
            return self._plain(depth)
        if self.method == "alphabeta" or depth < SHALLOW:
            return self._plain(depth, -WIN, WIN)
        value, work = 0, self.work
        narrow = self.switches.aspiration and abs(guess) < PROVEN and depth > 1
        for alpha, beta in [(guess - ASPIRATION, guess + ASPIRATION)] * narrow + [(-WIN, WIN)]:
            work.following = 0 if self.switches.deepening and int(work.first[0]) != NO_MOVE else -1
            value = int(
                self.engine.improved(self.position, depth, alpha, beta, work, self.table, 0)
            )
            if self._given_up() or alpha < value < beta:
                break
        line = [int(move) for move in work.line[0, : int(work.length[0])]]
        work.first[:] = NO_MOVE
        work.first[: len(line)] = line
        return value, line

    def _plain(self, depth: int, *window: int) -> tuple[int, list[int]]:
        """Search the root's moves one by one with a plain search: alpha-beta if there is a window."""
        is_max = self.position.is_max()
        self.work.nodes += 1
        bv, best = (-WIN if is_max else WIN), NO_MOVE
        plain = self.engine.alphabeta if window else self.engine.minimax
        for move in generated_moves(self.position):
            value = int(plain(self.position.play(move), depth - 1, *window, self.work, 1))
            if self._given_up():
                break
            if value > bv if is_max else value < bv:
                bv, best = value, move
            if window:
                alpha, beta = window
                window = (max(alpha, bv), beta) if is_max else (alpha, min(beta, bv))
        return bv, [best]

    def _result(self, seconds: float, *, proven: bool = False, **answer: Any) -> Result:
        counters: dict[str, Any] = {
            name: int(self.work[name]) for name in ("nodes", "evaluations", "cutoffs", "hits")
        }
        exact = not (self.switches.reductions or self.switches.beam)
        return Result(
            self.position,
            exact=exact,
            proven=proven and exact,
            seconds=seconds,
            **counters,
            **answer,
        )

    def _report(self, seconds: float) -> Result:
        if not self.iterations:
            return self._result(seconds)
        last, work = self.iterations[-1], new_work(self.switches, self.weights)
        work.limit = COMPLETION
        moves = completed_line(self.engine, self.position, self._line, last.depth, last.value, work)
        line = move_names(self.position, moves)
        deepest = {
            "move": last.move,
            "value": last.value,
            "depth": last.depth,
            "proven": last.proven,
        }
        finished, iterations = not self._given_up(), tuple(self.iterations)
        return self._result(seconds, **deepest, line=line, finished=finished, iterations=iterations)


def perft(position: Any, depth: int, *, unique: bool = False) -> int:
    """Return the number of move sequences of this length; `unique`: counting a move that is
    generated twice once.

    An interrupt stops it at once.
    """
    check_game(position)
    checked_depth(depth)
    name, work = "perft_unique" if unique else "perft", new_work()
    engine = prepared(position, name, work, None)
    counted = partial(getattr(engine, name), position, depth, work, 0)
    return int(run_interruptible(counted, lambda: setattr(work, "limit", 0)))


def move_names(position: Any, line: list[int]) -> tuple[str, ...]:
    """Return the names of the moves of a line from the position."""
    names = []
    for move in line:
        names.append(position.move_name(move))
        position = position.play(move)
    return tuple(names)


def completed_line(
    engine: Any, position: Any, line: list[int], depth: int, value: int, work: Any
) -> list[int]:
    """Return the line down to the leaf that has the value, with the moves that the table or a plain
    search left out.

    `work` is a fresh workspace with the weights and the `last` of the search; where its limit of
    nodes is reached, the line ends.
    """
    for move in line:
        position = position.play(move)
    line = list(line)
    while (
        len(line) < LAST
        and not position.over()
        and (len(line) < depth or (int(work.last) and position.hot()))
    ):
        moves = generated_moves(position)
        if len(line) >= depth:
            # The line ends here where the player prefers the estimate to every capture.
            moves, every = captures(position, moves), moves
            if len(moves) < len(every) and rules.static_value(position, work.weights) == value:
                break
        for move in moves:
            child = position.play(move)
            reached = engine.alphabeta(
                child, depth - len(line) - 1, value - 1, value + 1, work, len(line) + 1
            )
            if reached == value and work.nodes < work.limit:
                line.append(move)
                position = child
                break
        else:
            break
    return line
