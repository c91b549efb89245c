"""Searching a position with the engine: `search`, `Search` in the background, and `perft`."""

import threading
from dataclasses import dataclass, fields
from functools import partial
from time import perf_counter
from typing import TypedDict, Unpack

from abviz.engine.backend import Interpreted, Searches, explained, prepared, suits_python
from abviz.engine.background import BackgroundSearch, run_interruptible
from abviz.engine.improvements import SHALLOW
from abviz.engine.interpreted import PlainWork
from abviz.engine.storage import new_table, new_work
from abviz.engine.workspace import (
    ENTRY_BYTES,
    NO_LIMIT,
    NO_MOVE,
    Switches,
    SwitchOptions,
    Table,
    Workspace,
    follow,
)
from abviz.errors import AbvizError, brief, count, unknown
from abviz.games import rules
from abviz.games.rules import (
    DEEPEST,
    LAST,
    MOST_FEATURES,
    PROVEN,
    WIN,
    AnyPosition,
    Position,
    Weights,
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


class SearchOptions(SwitchOptions, total=False):
    """The options of `search` and `Search`: the switches, and these."""

    method: str
    weights: Weights | None
    nodes: int | None
    seconds: float | None
    megabytes: float


@dataclass(frozen=True)
class Result:
    """The answer of `search`.

    Values are from MAX's side; a win is 1,000,000 less the plies that it takes.
    """

    position: Position
    move: str | None = None  # None where the search was stopped before depth 1 was finished
    value: int | None = None  # where there is a move
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
        """The value and how far it can be trusted.

        It is "value 0, proven", "value 0 at depth 12" or "MAX wins in 3 plies".
        """
        if self.value is None:
            return "no value yet"
        words = rules.said(self.value, self.depth, self.proven, self.position.players)
        return words if abs(self.value) > PROVEN else f"value {words}"

    @property
    def nodes_per_second(self) -> float:
        return self.nodes / self.seconds if self.seconds else 0.0

    def __str__(self) -> str:
        if self.move is None or self.value is None:
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

        answer = f"{self.move}  {value}  ({', '.join(remarks)})"
        line = f"line {' '.join(self.line)}"
        time = f"{self.seconds * 1000:,.1f} ms, {self.nodes_per_second:,.0f} a second"
        return f"{answer}\n{line}\n{count(self.nodes, 'node')} in {time}"

    __repr__ = __str__

    def to_dict(self) -> dict[str, object]:
        """Return the result as plain data for JSON."""
        names = [each.name for each in fields(self) if each.name not in ("position", "iterations")]
        record = {name: getattr(self, name) for name in names}
        record["line"] = list(self.line)
        record["wins_in"] = self.wins_in
        record["nodes_per_second"] = round(self.nodes_per_second)
        return record


def search(
    position: AnyPosition, depth: int | None = None, **options: Unpack[SearchOptions]
) -> Result:
    """Return the best move of a position, with its value and line.

    By default the search is 12 moves deep. Options:

        search(position, 12, seconds=2, nodes=10**6)    limits: the deepest finished depth counts
        search(position, 12, table=False, beam=4)       switches, on or off: see `Switches`
        search(position, 12, method="alphabeta")        without improvements; also "minimax"
        search(position, 12, weights={"men": 120})      of the features of the game's evaluation
        search(position, 12, megabytes=100)             for the transposition table

    An interrupt (Ctrl+C, the notebook's stop button) stops it. To watch a search run, use
    `abviz.engine.Search`.
    """
    return Search(position, depth, **options).result()


class Answer(TypedDict, total=False):
    """What a search has found, of the fields of `Result`."""

    move: str | None
    value: int | None
    line: tuple[str, ...]
    depth: int
    finished: bool
    iterations: tuple[Result, ...]


class Search(BackgroundSearch[Result]):
    """One search of a position in the background.

    `start()` it, read `nodes` and `iterations`, and take its `result()`. The options are those of
    `search`.
    """

    engine: Searches  # once the search is ready

    def __init__(
        self,
        position: AnyPosition,
        depth: int | None = None,
        *,
        method: str = "improved",
        weights: Weights | None = None,
        nodes: int | None = None,
        seconds: float | None = None,
        megabytes: float = 32,
        **switches: Unpack[SwitchOptions],
    ):
        super().__init__(self._search, self._give_up)
        check_game(position)
        if position.over():
            raise AbvizError(
                "the game is over in this position; expected one with a move to search for"
            )
        self.position = position
        self.method = method
        self.switches = _checked_switches(method, switches)
        self.nodes_limit = nodes
        self.seconds_limit = seconds
        self._check_limits()

        if depth is None:
            depth = DEEPEST if self._is_limited else USUAL_DEPTH
        self.depth = checked_depth(depth)
        self.weights = checked_weights(position, weights)

        self._for_python = suits_python(position, method)
        self.work = self._new_work()
        uses_table = method == "improved" and self.switches.table
        self.table = _new_table(megabytes, is_used=uses_table, for_python=self._for_python)
        self.iterations: list[Result] = []
        self.is_ready = self._for_python  # whether nothing has to be compiled first
        self._line: list[int] = []

    @property
    def _is_limited(self) -> bool:
        return self.nodes_limit is not None or self.seconds_limit is not None

    def _check_limits(self) -> None:
        if not self._is_limited:
            return
        if self.method != "improved":
            raise _improved_expected(self.method)
        if not self.switches.deepening:
            raise AbvizError("a limit of nodes or seconds needs deepening; expected it on")

        for name, limit in {"nodes": self.nodes_limit, "seconds": self.seconds_limit}.items():
            if limit is not None and not (type(limit) in (int, float) and limit > 0):
                raise AbvizError(f"{name} is {brief(limit)}; expected a number above 0")

    @property
    def nodes(self) -> int:
        """Positions searched so far."""
        return int(self.work.nodes)

    def _new_work(self) -> Workspace:
        return new_work(self.switches, self.weights, for_python=self._for_python)

    def _give_up(self) -> None:
        self.work.limit = 0

    def _summary(self) -> str:
        return str(self._report(0.0)).partition("\n")[0]

    def _search(self) -> Result:
        if self._for_python:
            self.engine = Interpreted()
        else:
            self.engine = prepared(self.position, self.method, self.work, self.table)
        self.is_ready = True
        begin = perf_counter()
        timer = threading.Timer(min(self.seconds_limit or 0, threading.TIMEOUT_MAX), self.stop)
        timer.daemon = True
        try:
            self._deepen(begin, timer)
        except Exception as problem:
            raise explained(problem, self.position) from None
        finally:
            timer.cancel()
        return self._report(perf_counter() - begin)

    def _deepen(self, begin: float, timer: threading.Timer) -> None:
        """Search to depth 1, 2, 3 …, until the depth, a limit or the end of the game is reached."""
        deepening = self.method == "improved" and self.switches.deepening
        value = rules.static_value(self.position, self.weights)
        for depth in range(1, self.depth + 1) if deepening else [self.depth]:
            if depth == 2:  # limits begin here, so that there is a move to answer with
                self._begin_limits(timer)

            evaluated = int(self.work.evaluations)
            guessed = self._guesses()
            value, line = self._to_depth(depth, value)
            if self._given_up():
                return

            self._line = line
            has_guessed = self._guesses() > guessed
            is_proven = abs(value) > PROVEN or not has_guessed
            self._add_iteration(depth, value, begin, proven=is_proven)

            # The end is nearer than the search has looked: more depth cannot change it
            is_won = WIN - abs(value) <= depth
            if is_won or depth == self.depth:
                return
            if not has_guessed:
                return  # the game is solved
            if self.work.evaluations == evaluated and self._needs_no_guess(depth, value):
                self.iterations.pop()
                self._add_iteration(depth, value, begin, proven=True)
                return

    def _begin_limits(self, timer: threading.Timer) -> None:
        with self._lock:
            if self.nodes_limit and not self._stopped:
                self.work.limit = int(min(self.nodes_limit, NO_LIMIT))
        if not self.seconds_limit:
            return
        if isinstance(self.work, PlainWork):
            self.work.deadline = perf_counter() + self.seconds_limit
        else:
            timer.start()

    def _needs_no_guess(self, depth: int, value: int) -> bool:
        """Return whether the search does without the guesses of earlier iterations.

        All that it met were found in the table. So the same depth is searched with an empty one.
        """
        evaluated = int(self.work.evaluations)
        self.table = new_table(len(self.table), for_python=self._for_python)
        self._to_depth(depth, value)
        return bool(self.work.evaluations == evaluated and not self._given_up())

    def _add_iteration(self, depth: int, value: int, begin: float, *, proven: bool) -> None:
        names = move_names(self.position, self._line)
        self.iterations.append(
            self._result(
                perf_counter() - begin,
                move=names[0],
                value=value,
                line=names,
                depth=depth,
                proven=proven,
            )
        )

    def _guesses(self) -> int:
        """Return how many estimates the search has met, also behind the table's answers."""
        return int(self.work.evaluations + self.work.borrowed)

    def _given_up(self) -> bool:
        return self._stopped or self.nodes >= int(self.work.limit)

    def _to_depth(self, depth: int, guess: int) -> tuple[int, list[int]]:
        """Return the value and the line; neither means anything where the search was given up."""
        if self.method == "minimax":
            return self._plain(depth)
        if self.method == "alphabeta" or depth < SHALLOW:
            return self._plain(depth, -WIN, WIN)

        work = self.work
        value = 0
        for alpha, beta in self._windows(depth, guess):
            has_line = self.switches.deepening and int(work.first[0]) != NO_MOVE
            work.following = 0 if has_line else -1
            value = int(
                self.engine.improved(self.position, depth, alpha, beta, work, self.table, 0)
            )
            if self._given_up() or alpha < value < beta:
                break

        found = work.line
        line = [int(found[0, i]) for i in range(int(work.length[0]))]
        follow(work, line)
        return value, line

    def _windows(self, depth: int, guess: int) -> list[tuple[int, int]]:
        """Return the windows to search with, one after the other until the value lies inside."""
        full = (-WIN, WIN)
        if self.switches.aspiration and abs(guess) < PROVEN and depth > 1:
            return [(guess - ASPIRATION, guess + ASPIRATION), full]
        return [full]

    def _plain(self, depth: int, *window: int) -> tuple[int, list[int]]:
        """Search the root's moves one by one, plainly: by alpha-beta if there is a window."""
        self.work.nodes += 1
        plain = self.engine.alphabeta if window else self.engine.minimax
        is_max = self.position.is_max()
        bv = -WIN if is_max else WIN
        best = NO_MOVE

        for move in generated_moves(self.position):
            value = int(plain(self.position.play(move), depth - 1, *window, self.work, 1))
            if self._given_up():
                break
            if value > bv if is_max else value < bv:
                bv = value
                best = move
            if window:
                alpha, beta = window
                window = (max(alpha, bv), beta) if is_max else (alpha, min(beta, bv))
        return bv, [best]

    def _result(self, seconds: float, *, proven: bool = False, **answer: Unpack[Answer]) -> Result:
        exact = not (self.switches.reductions or self.switches.beam)
        return Result(
            self.position,
            exact=exact,
            proven=proven and exact,
            nodes=int(self.work.nodes),
            evaluations=int(self.work.evaluations),
            cutoffs=int(self.work.cutoffs),
            hits=int(self.work.hits),
            seconds=seconds,
            **answer,
        )

    def _report(self, seconds: float) -> Result:
        if not self.iterations:
            return self._result(seconds)

        last = self.iterations[-1]
        assert last.value is not None  # every iteration has one

        work = self._new_work()
        work.limit = COMPLETION
        moves = completed_line(self.engine, self.position, self._line, last.depth, last.value, work)
        return self._result(
            seconds,
            move=last.move,
            value=last.value,
            line=move_names(self.position, moves),
            depth=last.depth,
            proven=last.proven,
            finished=not self._given_up(),
            iterations=tuple(self.iterations),
        )


def _checked_switches(method: str, switches: SwitchOptions) -> Switches:
    """Return the switches. Raises AbvizError for those that the method does not have."""
    if method not in METHODS:
        raise unknown("method", method, METHODS)

    names = vars(Switches())
    for name in switches.keys() - names:
        raise unknown("switch", name, names)

    checked = Switches(**switches)
    if method != "improved" and switches.keys() - {"hot"}:
        raise _improved_expected(method)
    return checked


def _improved_expected(method: str) -> AbvizError:
    return AbvizError(
        f"method {method} has no limits, and no switches but hot; expected method improved"
    )


def _new_table(megabytes: float, *, is_used: bool, for_python: bool) -> Table:
    """Return a table of the largest power of two that fits; a tiny one where it is not used."""
    if not (type(megabytes) in (int, float) and 0 < megabytes <= MOST_MEGABYTES):
        expected = f"expected a number above 0, {MOST_MEGABYTES:,} at most"
        raise AbvizError(f"megabytes is {brief(megabytes)}; {expected}")

    size = int(megabytes * 1e6 / ENTRY_BYTES) if is_used else 2
    try:
        return new_table(1 << (max(size, 2).bit_length() - 1), for_python=for_python)
    except MemoryError:
        raise AbvizError(
            f"megabytes is {brief(megabytes)}; expected less than the free memory"
        ) from None


def perft(position: AnyPosition, depth: int, *, unique: bool = False) -> int:
    """Return the number of move sequences of this length.

    `unique` counts a move that is generated twice once. An interrupt stops it at once.
    """
    check_game(position)
    checked_depth(depth)
    name = "perft_unique" if unique else "perft"
    work = new_work()
    engine = prepared(position, name, work, None)
    counted = partial(getattr(engine, name), position, depth, work, 0)
    return int(run_interruptible(counted, lambda: setattr(work, "limit", 0)))


def move_names(position: Position, line: list[int]) -> tuple[str, ...]:
    """Return the names of the moves of a line from the position."""
    names = []
    for move in line:
        names.append(position.move_name(move))
        position = position.play(move)
    return tuple(names)


def completed_line(
    engine: Searches, position: Position, line: list[int], depth: int, value: int, work: Workspace
) -> list[int]:
    """Return the line down to the leaf that has the value.

    It has the moves that the table or a plain search left out. `work` is a fresh workspace with the
    weights and the `last` of the search; where its limit of nodes is reached, the line ends.
    """
    line = list(line)
    in_use = work.weights
    weights = [int(in_use[i]) for i in range(MOST_FEATURES)]
    for move in line:
        position = position.play(move)

    while len(line) < LAST and not position.over():
        is_quiet = not int(work.last) or not position.hot()
        if len(line) >= depth and is_quiet:
            break

        moves = generated_moves(position)
        if len(line) >= depth:
            every = moves
            moves = captures(position, every)
            # The line ends here where the player prefers the estimate to every capture.
            if len(moves) < len(every) and rules.static_value(position, weights) == value:
                break

        left = depth - len(line) - 1
        found = _move_to(value, position, moves, left, len(line) + 1, engine=engine, work=work)
        if found is None:
            break
        line.append(found)
        position = position.play(found)
    return line


def _move_to(
    value: int,
    position: Position,
    moves: list[int],
    depth: int,
    ply: int,
    *,
    engine: Searches,
    work: Workspace,
) -> int | None:
    """Return the first move whose value is this one, by a search that deep."""
    for move in moves:
        child = position.play(move)
        reached = engine.alphabeta(child, depth, value - 1, value + 1, work, ply)
        if reached == value and work.nodes < work.limit:
            return move
    return None
