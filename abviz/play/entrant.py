"""An entry of a league, and its process.

`Entrant` is what the league holds of it; `main` runs in the process.

A file defines `choose(position, clock)`, `evaluate(position)` or `WEIGHTS`; of several, the first
of these counts.
"""

import hashlib
import inspect
import shutil
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from textwrap import dedent
from time import monotonic
from typing import Any, NamedTuple

from abviz.errors import AbvizError, Number, brief, one_line, plain, visible
from abviz.exercises import worker
from abviz.exercises.sandbox import limit_process
from abviz.exercises.worker import SECONDS_TO_START, Problem, WorkerProcess
from abviz.games import GAMES
from abviz.games.rules import DEEPEST, WIN, Position, legal_moves
from abviz.tracing.algorithms import alphabeta

LONGEST_PROBLEM = 500  # characters
MEGABYTES = 2048  # of memory, most of which the compiler only reserves
CPU_SECONDS = 86_400  # of one process, which may play many games
MARGIN = 0.015  # seconds, at most a third of the time for a move, that a search may take to end
LITTLE, LEAST = 2.0, 0.001  # seconds: a player with less to spare hurries; the shortest search
# Which the cells of a notebook may use
NOT_FOR_PLAYERS = "timing", "play.board", "play.league", "play.tuning"
CACHES = Path("Library/Caches" if sys.platform == "darwin" else ".cache")  # below the home folder

ENDINGS = (".py", ".ipynb")
KINDS_BY_ARGUMENTS = {1: "evaluate", 2: "choose"}

Evaluate = Callable[[Position], float]
Choose = Callable[[Position, "Clock"], object]
Node = tuple[
    Position, int
]  # of a search in plain Python: a position, and how many moves lead there


class Entry(NamedTuple):
    """A player's file as it was when the league read it."""

    file: str
    source: bytes

    @property
    def version(self) -> str:
        return hashlib.sha256(self.source).hexdigest()[:12]


def read_entries(entries: object) -> dict[str, Entry]:
    """Return the entries, by name, of a folder or a mapping to files, weights or functions."""
    if isinstance(entries, Mapping):
        return {str(name): _entry(str(name), each) for name, each in entries.items()}
    folder = Path(entries) if isinstance(entries, str | Path) else None
    if folder is None or not folder.is_dir():
        raise AbvizError(
            f"there is no folder {brief(str(entries))}; "
            "expected one with an entry in each .py or .ipynb file"
        )

    found: dict[str, Entry] = {}
    for path in filter(_is_entry, sorted(folder.iterdir())):
        if path.stem in found:
            names = f"{found[path.stem].file} and {path.name}"
            raise AbvizError(f"{names} are both called {path.stem}; expected one of them")
        found[path.stem] = _entry(path.stem, path)
    return found


def _is_entry(path: Path) -> bool:
    is_hidden = path.name[0] in "._"
    return path.suffix in ENDINGS and not is_hidden and path.is_file() and not path.is_symlink()


def _entry(name: str, player: Any) -> Entry:
    if isinstance(player, str | Path):
        path = Path(player)
        if path.suffix not in ENDINGS or not path.is_file():
            raise AbvizError(
                f"{brief(str(player))} is not an entry; expected a file that ends in .py or .ipynb"
            )
        return Entry(path.name, path.read_bytes())

    if isinstance(player, Mapping):
        return Entry("weights.py", f"WEIGHTS = {dict(player)!r}\n".encode())

    try:
        source = dedent(inspect.getsource(player))
        function = player.__name__
        kind = KINDS_BY_ARGUMENTS[len(inspect.signature(player).parameters)]
    except (OSError, TypeError, ValueError, KeyError):
        source = function = ""

    if not function.isidentifier():  # a lambda is one neither
        expected = "a file, weights, choose(position, clock) or evaluate(position)"
        raise AbvizError(f"{name} is {brief(player)}; expected {expected}")
    return Entry("function.py", f"{source}\n{kind} = {function}\n".encode())


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
        """Return how long to think about this move.

        It leaves time for the end of a search, and makes up for earlier late moves.
        """
        move = self.move
        spare = self.left - self.move
        return max(max(move - MARGIN, move * 2 / 3) * min(spare / LITTLE, 1.0), LEAST)


class Entrant(WorkerProcess):
    """An entry's process, from its first move on.

    It is stopped while the opponent thinks, with whatever it started.
    """

    refused = ""  # the reason, where the entry does not start

    def __init__(self, path: Path, game: str):
        super().__init__(path, "abviz.play.entrant")
        self.game = game

    def choose(self, position: Position, move: float, left: float) -> tuple[str | int, float]:
        """Return the move, which may be illegal, and the seconds it took.

        Raises Problem where there is none. The time to start is not counted. An entry that does
        not start is not tried again.
        """
        if not self.running:
            self._start()
        self.resume()
        begin = monotonic()
        try:
            answer = self._answer(left, (position, move, left))
        except Problem:
            if monotonic() - begin >= left:
                raise Problem("it overran its clock") from None
            raise
        seconds = monotonic() - begin
        self.pause()
        return answer, seconds

    def _start(self) -> None:
        from abviz.engine.compiler import cache_folder  # here, since most entries do without numba

        if self.refused:
            raise Problem(self.refused)
        self.start_process()
        compiled = cache_folder(GAMES[self.game])
        if compiled:  # a copy, so that no entry can change what others run
            home = Path(self.folder, CACHES, "abviz", compiled.parent.name, compiled.name)
            shutil.copytree(compiled, home, dirs_exist_ok=True)
        try:
            self._answer(SECONDS_TO_START, (self.path.name, self.game))
        except Problem as problem:
            self.refused = str(problem)
            self.close()
            raise

    def _answer(self, seconds: float, request: object) -> str | int:
        [reply] = self.receive(1, seconds, request)
        is_pair = isinstance(reply, list) and len(reply) == 2
        if not is_pair or not all(isinstance(each, str | int) for each in reply):
            raise Problem(f"it sent {brief(reply)} in place of a move")
        answer: str | int
        answer, problem = reply
        if problem:
            raise Problem(visible(str(problem)[:LONGEST_PROBLEM]))
        return answer


# in the process


def main() -> None:
    requests, reply = worker.connect()
    file, game = requests.load()
    worker.leave_out(NOT_FOR_PLAYERS)
    limit_process(MEGABYTES, CPU_SECONDS)
    try:
        choose = load_player(Path(file), GAMES[game].start())
    except BaseException as error:
        return reply(["", str(error) if isinstance(error, AbvizError) else one_line(error)])
    reply(["", ""])
    while True:
        position, move, left = requests.load()
        reply(_answer_to(choose, position, Clock(move, left)))


def _answer_to(choose: Choose, position: Position, clock: Clock) -> list[str | int]:
    """Return the move that the player chooses, and what is wrong with it."""
    try:
        answer = choose(position, clock)
        chosen = str(answer[:60]) if isinstance(answer, str) else plain(answer)
        if not isinstance(chosen, str | int):
            problem = f"it returned {brief(answer)}; expected the name or the number of a move"
            return ["", problem]
    except BaseException as error:
        return ["", f"it raised {one_line(error)}"]
    return [chosen, ""]


def load_player(path: Path, start: Position) -> Choose:
    """Return the player that the file defines. Raises AbvizError where it defines none.

    A statement of a Python file that fails ends it; a notebook may have cells that fail.
    """
    namespace = worker.new_namespace("__main__" if path.suffix == ".ipynb" else "entry")
    failed = ""
    for cell in worker.read_cells(path):
        problem = cell.run(namespace)
        if problem and path.suffix != ".ipynb":
            raise AbvizError(problem)
        if problem and not failed:
            failed = f" ({cell.place}: {problem})"

    choose = namespace.get("choose")
    if callable(choose):
        return choose

    evaluate = namespace.get("evaluate")
    if callable(evaluate):
        return partial(deepen, evaluate)

    weights = namespace.get("WEIGHTS")
    if isinstance(weights, Mapping):
        return engine_player(dict(weights), start)
    raise AbvizError(
        f"it defines no choose(position, clock), evaluate(position) or WEIGHTS = {{…}}{failed}"
    )


def engine_player(weights: dict[str, int], start: Position) -> Choose:
    """Return the engine with these weights as a player.

    Raises AbvizError for weights that the game does not have.
    """
    from abviz.engine import api

    api.COMPLETION = 0  # the line is not shown, and completing it may overrun the clock
    api.search(start, 1, weights=weights)  # compiles before the clock runs
    return lambda position, clock: (
        api.search(position, seconds=clock.thinking_time(), weights=weights).move
    )


class PlayedGame:
    """A position as a `Game` for the teaching search, until the time is over."""

    def __init__(self, position: Position, evaluate: Evaluate, end: float):
        self.root: Node = (position, 0)
        self.evaluate = evaluate
        self.end = end
        self.first = legal_moves(position)  # the moves at the root, the best ones first

    def children(self, node: Node) -> list[Node]:
        position, ply = node
        moves = legal_moves(position) if ply else self.first
        return [(position.play(move), ply + 1) for move in moves]

    def is_max(self, node: Node) -> bool:
        position, _ = node
        return position.is_max()

    def value(self, node: Node) -> float:
        if monotonic() >= self.end:
            raise TimeoutError

        position, ply = node
        if position.over():
            return float(position.value() * (WIN - ply))
        return float(self.evaluate(position))


def deepen(evaluate: Evaluate, position: Position, clock: Clock) -> int:
    """Return the best move by alpha-beta in plain Python.

    It searches to depth 1, 2, 3 … until the time for the move is over.
    """
    end = monotonic() + clock.thinking_time()
    is_max = position.is_max()
    game = PlayedGame(position, evaluate, end)
    with suppress(TimeoutError):
        for depth in range(1, DEEPEST + 1):
            values: list[Number] = []  # of the moves, in their order
            for event in alphabeta(game, depth=depth):
                if event.kind == "bv" and event.node is game.root:
                    assert event.value is not None
                    values.append(event.value)

            best = values.index(max(values) if is_max else min(values))
            game.first = [game.first[best], *game.first[:best], *game.first[best + 1 :]]
    return game.first[0]
