"""An entry of a league, and its process: `Entrant` is what the league holds of it, `main` what runs there.

A file defines `choose(position, clock)`, `evaluate(position)` or `WEIGHTS`; of several, the first of these counts.
"""

import hashlib
import inspect
import shutil
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from math import inf
from pathlib import Path
from textwrap import dedent
from time import monotonic
from types import SimpleNamespace
from typing import Any

from abviz.errors import AbvizError, Number, brief, one_line, plain, visible
from abviz.exercises import worker
from abviz.exercises.worker import SECONDS_TO_START, Problem, WorkerProcess
from abviz.games import GAMES
from abviz.games.rules import DEEPEST, WIN, legal_moves
from abviz.tracing.algorithms import alphabeta

LONGEST_PROBLEM = 500  # characters
MEGABYTES = 2048  # of memory, most of which the compiler only reserves
CPU_SECONDS = 86_400  # of one process, which may play many games
MARGIN = 0.015  # seconds, at most a third of the time for a move, that a search may take to end
LITTLE, LEAST = 2.0, 0.001  # seconds: a player with less to spare hurries; the shortest search
NOT_FOR_PLAYERS = "timing", "play.board", "play.league", "play.tuning"  # which the cells of a notebook may use
CACHES = Path("Library/Caches" if sys.platform == "darwin" else ".cache")  # below the home folder

ENDINGS = (".py", ".ipynb")
KINDS_BY_ARGUMENTS = {1: "evaluate", 2: "choose"}

Choose = Callable[[Any, "Clock"], Any]
Node = tuple[Any, int]  # of a search in plain Python: a position, and how many moves lead there


@dataclass(frozen=True)
class Entry:
    """A player's file as it was when the league read it."""

    name: str
    file: str
    source: bytes

    @property
    def version(self) -> str:
        return hashlib.sha256(self.source).hexdigest()[:12]


def read_entries(entries: Any) -> list[Entry]:
    """Return the entries of a folder, or of a mapping from names to files, weights or functions."""
    if isinstance(entries, Mapping):
        return [_entry(str(name), each) for name, each in entries.items()]
    folder = Path(entries) if isinstance(entries, str | Path) else None
    if folder is None or not folder.is_dir():
        raise AbvizError(
            f"there is no folder {brief(str(entries))}; expected one with an entry in each .py or .ipynb file"
        )
    files = [path for path in folder.iterdir() if path.suffix in ENDINGS and path.name[0] not in "._"]
    files = sorted((path for path in files if path.is_file() and not path.is_symlink()), key=lambda path: path.stem)
    for path, other in pairwise(files):
        if path.stem == other.stem:
            names = " and ".join(sorted((path.name, other.name)))
            raise AbvizError(f"{names} are both called {path.stem}; expected one of them")
    return [_entry(path.stem, path) for path in files]


def _entry(name: str, player: Any) -> Entry:
    if isinstance(player, str | Path):
        path = Path(player)
        if path.suffix not in ENDINGS or not path.is_file():
            raise AbvizError(f"{brief(str(player))} is not an entry; expected a file that ends in .py or .ipynb")
        return Entry(name, path.name, path.read_bytes())
    if isinstance(player, Mapping):
        return Entry(name, "weights.py", f"WEIGHTS = {dict(player)!r}\n".encode())
    try:
        source, function = dedent(inspect.getsource(player)), player.__name__
        kind = KINDS_BY_ARGUMENTS[len(inspect.signature(player).parameters)]
    except (OSError, TypeError, ValueError, KeyError):
        source = function = ""
    if not function.isidentifier():  # a lambda is one neither
        expected = "a file, weights, choose(position, clock) or evaluate(position)"
        raise AbvizError(f"{name} is {brief(player)}; expected {expected}")
    return Entry(name, "function.py", f"{source}\n{kind} = {function}\n".encode())


class Clock:
    """The time of the player to move, in seconds. It runs while the player thinks."""

    def __init__(self, move: float, left: float):
        begin = monotonic()
        self._move, self._left = begin + move, begin + left

    @property
    def move(self) -> float:
        """What remains of the time meant for this move; below 0, the move is late."""
        return self._move - monotonic()

    @property
    def left(self) -> float:
        """What remains until the game is lost."""
        return self._left - monotonic()

    def thinking_time(self) -> float:
        """Return how long to think about this move, so that the end of a search and earlier late moves do no harm."""
        move, spare = self.move, self.left - self.move
        return max(max(move - MARGIN, move * 2 / 3) * min(spare / LITTLE, 1.0), LEAST)


class Entrant(WorkerProcess):
    """An entry's process. It is stopped while the opponent thinks, with whatever it has started."""

    def __init__(self, name: str, path: Path, game: str):
        super().__init__(path, "abviz.play.entrant")
        self.name, self.game = name, game

    def start(self) -> None:
        """Run the file. Raises Problem where it defines no player."""
        from abviz.engine.compiler import cache_folder  # here, since most entries do without numba

        self.start_process()
        compiled = cache_folder(GAMES[self.game])
        if compiled:  # a copy, so that no entry can change what others run
            home = Path(self.folder, CACHES, "abviz", compiled.parent.name, compiled.name)
            shutil.copytree(compiled, home, dirs_exist_ok=True)
        _, problem = self._answer(SECONDS_TO_START, (self.path.name, self.game))
        if problem:
            self.close()
            raise Problem(problem)
        self.signal("SIGSTOP")

    def choose(self, position: Any, move: float, left: float) -> tuple[str | int, float]:
        """Return the move, which may be illegal, and the seconds it took; raise Problem where there is none."""
        self.signal("SIGCONT")
        begin = monotonic()
        try:
            answer, problem = self._answer(left, (position, move, left))
        except Problem:
            if monotonic() - begin >= left:
                raise Problem("it overran its clock") from None
            raise
        seconds = monotonic() - begin
        self.signal("SIGSTOP")
        if problem:
            raise Problem(problem)
        return answer, seconds

    def _answer(self, seconds: float, request: Any) -> tuple[Any, str]:
        [reply] = self.receive(1, seconds, request)
        if not isinstance(reply, list) or len(reply) != 2 or not all(isinstance(each, str | int) for each in reply):
            self.close()
            raise Problem(f"it sent {brief(reply)} in place of a move")
        return reply[0], visible(str(reply[1])[:LONGEST_PROBLEM])


# in the process


def main() -> None:
    requests, reply = worker.connect()
    file, game = requests.load()
    worker.leave_out(NOT_FOR_PLAYERS)
    worker.limit_process(MEGABYTES, CPU_SECONDS)
    try:
        choose = load_player(Path(file), GAMES[game].start())
    except BaseException as error:
        return reply(["", str(error) if isinstance(error, AbvizError) else one_line(error)])
    reply(["", ""])
    while True:
        position, move, left = requests.load()
        reply(_move(choose, position, Clock(move, left)))


def _move(choose: Choose, position: Any, clock: Clock) -> tuple[str | int, str]:
    """Return the move, and the problem if there is no move."""
    try:
        answer = choose(position, clock)
        move = str(answer[:60]) if isinstance(answer, str) else plain(answer)
        if isinstance(move, str | int):
            return move, ""
        return "", f"it returned {brief(answer)}; expected the name or the number of a move"
    except BaseException as error:
        return "", f"it raised {one_line(error)}"


def load_player(path: Path, start: Any) -> Choose:
    """Return the player that the file defines. Raises AbvizError where it defines none.

    A statement of a Python file that fails ends it; a notebook may have cells that fail.
    """
    namespace = worker.new_namespace("__main__" if path.suffix == ".ipynb" else "entry")
    failed = ""
    for cell in worker.read_cells(path):
        problem = cell.run(namespace)
        if problem and path.suffix != ".ipynb":
            raise AbvizError(problem)
        failed = failed or (problem and f" ({cell.place}: {problem})")
    choose, evaluate, weights = (namespace.get(name) for name in ("choose", "evaluate", "WEIGHTS"))
    if callable(choose):
        return choose  # type: ignore[no-any-return]
    if callable(evaluate):
        return partial(deepen, evaluate)
    if isinstance(weights, Mapping):
        return engine_player(dict(weights), start)
    raise AbvizError(f"it defines no choose(position, clock), evaluate(position) or WEIGHTS = {{…}}{failed}")


def engine_player(weights: dict[str, int], start: Any) -> Choose:
    """Return the engine with these weights as a player. Raises AbvizError for weights that the game does not have."""
    from abviz.engine import api

    api.COMPLETION = 0  # the line is not shown, and completing it may overrun the clock
    api.search(start, 1, weights=weights)  # compiles before the clock runs
    return lambda position, clock: api.search(position, seconds=clock.thinking_time(), weights=weights).move


def deepen(evaluate: Callable[[Any], Any], position: Any, clock: Clock) -> int:
    """Return the best move by alpha-beta in plain Python, to depth 1, 2, 3 … until the time for the move is over."""
    moves, is_max, end = legal_moves(position), position.is_max(), monotonic() + clock.thinking_time()
    worst = -inf if is_max else inf

    def children(node: Node) -> list[Node]:
        position, ply = node
        return [(position.play(move), ply + 1) for move in (legal_moves(position) if ply else moves)]

    def value(node: Node) -> Number:
        if monotonic() >= end:
            raise TimeoutError
        position, ply = node
        if position.over():
            return int(position.value()) * (WIN - ply)
        estimate = evaluate(position)
        if (found := plain(estimate)) is None:
            raise TypeError(f"evaluate returned {brief(estimate)}; expected a number")
        return found

    root = position, 0
    game: Any = SimpleNamespace(root=root, children=children, value=value, is_max=lambda node: node[0].is_max())
    with suppress(TimeoutError):
        for depth in range(1, DEEPEST + 1):
            events = [each for each in alphabeta(game, depth=depth) if each.kind == "bv" and each.node is root]
            # Behind a move that is worth inf to the player, none is searched.
            values: dict[int, Any] = {move: event.value for move, event in zip(moves, events, strict=False)}
            moves = sorted(moves, key=lambda move: values.get(move, worst), reverse=is_max)  # the best one first
    return moves[0]
