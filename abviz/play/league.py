"""The championship of a class: every entry plays every other, with both colours, from the same openings.

Each entry runs in a process of its own (see `entrant`). One that crashes, hangs, overruns its clock or plays an illegal
move loses that game and nothing else. Games are added to FOLDER/league.jsonl as they end; the next run plays only those
that are missing.
"""

import hashlib
import inspect
import json
import os
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from textwrap import dedent
from typing import Any

from abviz.engine import search
from abviz.errors import AbvizError, brief, count, number, short, unknown, visible
from abviz.exercises.processes import Problem
from abviz.games import GAMES
from abviz.games.rules import WIN, legal_moves
from abviz.play.entrant import Entrant
from abviz.play.match import Match
from abviz.play.pdn import DRAW, PdnGame, write_pdn
from abviz.play.ratings import ratings
from abviz.timing.summary import NOTHING, Table
from abviz.tree.files import write_whole

KINDS = (".py", ".ipynb")
KINDS_BY_ARGUMENTS = {1: "evaluate", 2: "choose"}
OPENING, CANDIDATES, LOOK_AHEAD = 4, 4, 4  # plies of an opening; how many are compared, and how deep
LONGEST = 300  # plies, after which a game is a draw
MOVES = 30  # that the time left for a game should be enough for
RESERVE, SLOW_MOVES = 1.0, 20  # what a clock of so much a move may be overrun by in a game: seconds at least, and moves
LIMITS = {"seconds_per_move": (0.01, 3600), "clock": (1, 86_400), "games": (2, 1000), "jobs": (1, 1000)}
NOBODY = "0-0"
LOST = {(True, False): "0-1", (False, True): "1-0", (True, True): NOBODY}  # by whether MAX and MIN lost off the board
POINTS = {"1-0": (1.0, 0.0), "0-1": (0.0, 1.0), DRAW: (0.5, 0.5), NOBODY: (0.0, 0.0)}


@dataclass(frozen=True)
class Entry:
    """A player's file as it was when the league read it."""

    name: str
    file: str
    source: bytes

    @property
    def version(self) -> str:
        return hashlib.sha256(self.source).hexdigest()[:12]


@dataclass(frozen=True)
class Pairing:
    """A game to be played."""

    game: str
    limit: str
    players: tuple[str, str]  # MAX and MIN
    versions: tuple[str, str]
    opening: tuple[str, ...]


@dataclass(frozen=True)
class Played:
    """A game that has ended."""

    pairing: Pairing
    moves: tuple[str, ...]  # the opening's too
    result: str  # "1-0" where MAX has won; "0-0" where both entries failed
    reason: str
    seconds: tuple[float, float]  # that the players thought
    faults: dict[str, str]  # who lost off the board, and why


class League:
    """A round robin: League("folder").play(), or League({"ada": "ada.py", "men": {"men": 120}, "bob": choose}).play().

    The entries are the .py and .ipynb files of a folder, or files, weights and functions by name; a function must not
    need anything outside of it. Results are kept in `folder`, by default that of the entries, if there is one. The
    clock is `seconds_per_move`, or `clock` for a whole game, in seconds; `games` is the number for each pair.
    """

    def __init__(
        self,
        entries: Any,
        *,
        folder: Any = None,
        game: str = "checkers",
        seconds_per_move: float | None = None,
        clock: float | None = None,
        games: int = 2,
        seed: int = 0,
        jobs: int | None = None,
    ):
        if game not in GAMES:
            raise unknown("game", game, GAMES)
        if seconds_per_move is not None and clock is not None:
            raise AbvizError("seconds_per_move and clock are both given; expected one of them")
        if seconds_per_move is None and clock is None:
            seconds_per_move = 0.1
        self.jobs = (os.cpu_count() or 1) if jobs is None else jobs
        given = {"seconds_per_move": seconds_per_move, "clock": clock, "games": games, "jobs": self.jobs}
        for name, value in given.items():
            least, most = LIMITS[name]
            if value is not None and not (isinstance(value, int | float) and least <= value <= most):
                raise AbvizError(f"{name} is {brief(value)}; expected a number from {least} to {most:,}")
        if games % 2:
            raise AbvizError(
                f"games is {games}; expected an even number, since each opening is played with both colours"
            )
        self.game, self.start, self.seed, self.games = game, GAMES[game].start(), seed, games
        self.seconds_per_move, self.clock = seconds_per_move, clock
        self.limit = f"{seconds_per_move:g} s a move" if clock is None else f"{clock:g} s a game"
        self.entries = {each.name: each for each in read_entries(entries)}
        if len(self.entries) < 2:
            raise AbvizError(f"there is {count(len(self.entries), 'entry', 'entries')}; expected two or more")
        if folder is None and isinstance(entries, str | Path):
            folder = entries
        self.folder = None if folder is None else Path(folder)
        self.kinds: dict[str, str] = {}  # how the entries that have run choose: choose, evaluate or WEIGHTS
        self.interrupted = False
        self._pairings: list[Pairing] | None = None
        self._played: dict[Pairing, Played] = self._read()

    @property
    def pairings(self) -> list[Pairing]:
        """All games in the order in which they are begun; the same seed gives the same."""
        if self._pairings is None:
            openings = find_openings(self.start, self.games // 2, self.seed)
            names = sorted(self.entries)
            Random(self.seed).shuffle(names)
            version = {name: self.entries[name].version for name in names}
            self._pairings = [
                Pairing(self.game, self.limit, pair, (version[pair[0]], version[pair[1]]), opening)
                for opening in openings
                for pairs in rounds(names)
                for pair in (*pairs, *((second, first) for first, second in pairs))
            ]
        return self._pairings

    @property
    def results(self) -> list[Played]:
        """The games that have been played."""
        return [self._played[each] for each in self.pairings if each in self._played]

    @property
    def reserve(self) -> float:
        """The seconds of a player that moves do not add to: the whole clock of a game, or what moves may overrun by."""
        return max(RESERVE, SLOW_MOVES * (self.seconds_per_move or 0)) if self.clock is None else self.clock

    def budget(self, reserve: float) -> tuple[float, float]:
        """Return the seconds meant for the next move, and those until the game is lost."""
        if self.seconds_per_move is None:
            return reserve / MOVES, reserve
        return self.seconds_per_move, self.seconds_per_move + reserve

    # playing

    def play(self) -> "League":
        """Play the games that are missing, with a live table. An interrupt ends it; the next call resumes it."""
        missing = [each for each in self.pairings if each not in self._played]
        self.interrupted = False
        if missing:
            with TemporaryDirectory(prefix="abviz-") as folder, live(self.table) as show:
                hall = Hall(self, Path(folder))
                with ThreadPoolExecutor(self.jobs) as pool:
                    futures = [pool.submit(hall.play, each) for each in missing]
                    try:
                        for future in as_completed(futures):
                            self._add(future.result())
                            show()
                    except KeyboardInterrupt:
                        self.interrupted = True
                    finally:
                        pool.shutdown(wait=False, cancel_futures=True)
                        hall.close()
        if self.folder:
            if self.game == "checkers":
                write_whole(self.folder / "games.pdn", self.pdn().encode())
            self.chart().savefig(self.folder / "league.svg")
        return self

    def _add(self, played: Played | None) -> None:
        if played is None:
            return
        self._played[played.pairing] = played
        if self.folder:
            with (self.folder / "league.jsonl").open("a+b") as file:
                if file.tell():
                    file.seek(-1, os.SEEK_END)
                    if file.read() != b"\n":  # a line that an interrupted run has not finished
                        file.write(b"\n")
                file.write(json.dumps(asdict(played), ensure_ascii=False).encode() + b"\n")

    def _read(self) -> dict[Pairing, Played]:
        """Return the games of the file. A line that is not one, such as the last of an interrupted run, is ignored."""
        played = {}
        path = self.folder / "league.jsonl" if self.folder else None
        for line in path.read_bytes().splitlines() if path and path.is_file() else []:
            try:
                record = json.loads(line)
                pairing = Pairing(**{name: _tuples(value) for name, value in record.pop("pairing").items()})
                each = Played(pairing, **{name: _tuples(value) for name, value in record.items()})
                POINTS[each.result], dict(each.faults), hash(pairing)
            except (ValueError, TypeError, KeyError, AttributeError):
                continue
            played[pairing] = each
        return played

    # results

    def standings(self) -> list[dict[str, Any]]:
        """Return a row for each entry, the best first: name, kind, elo, error, points, games, wins, draws, losses,
        faults (by reason, how many games it lost off the board)."""
        results = self.results
        rated = ratings(
            sorted(self.entries),
            [(*each.pairing.players, POINTS[each.result][0]) for each in results if each.result != NOBODY],
        )
        rows = []
        for name in sorted(self.entries):
            own = [each for each in results if name in each.pairing.players]
            points = [POINTS[each.result][each.pairing.players.index(name)] for each in own]
            wins, draws = points.count(1), points.count(0.5)
            reasons = [each.faults[name] for each in own if name in each.faults]
            rows.append(
                {
                    **{"name": name, "kind": self.kinds.get(name, ""), "elo": rated[name].elo},
                    **{"error": rated[name].error, "points": sum(points), "games": len(own), "wins": wins},
                    **{"draws": draws, "losses": len(own) - wins - draws},
                    "faults": {reason: reasons.count(reason) for reason in dict.fromkeys(reasons)},
                }
            )
        return sorted(rows, key=lambda row: -row["elo"])

    def table(self) -> Table:
        """Return the standings as a table, and below it why entries lost off the board."""
        head = ("", "entry", "Elo", "±", "points", "games", "won", "drawn", "lost", "lost off the board")
        rows = []
        for place, row in enumerate(self.standings(), 1):
            rating = (f"{row['elo']:+.0f}".replace("-", "−"), f"{row['error']:.0f}") if row["games"] else (NOTHING,) * 2
            faults = [f"{times}× {visible(reason)}" for reason, times in row["faults"].items()]
            more = [f"{len(faults) - 1} more reasons"] if len(faults) > 2 else faults[1:]
            rows.append(
                (
                    *(str(place), visible(row["name"]), *rating, f"{row['points']:g}", str(row["games"])),
                    *(str(row["wins"]), str(row["draws"]), str(row["losses"]), "; ".join([*faults[:1], *more])),
                )
            )
        return Table(self._title(), head, tuple(rows))

    def _title(self) -> str:
        return f"{self.start.title}, {self.limit}: {len(self.results)} of {count(len(self.pairings), 'game')}"

    def chart(self) -> Any:
        """Draw the ratings with their error bars, as a matplotlib figure."""
        from abviz.timing.charts import Chart, styled

        rows = self.standings()[::-1]
        texts = [f"{visible(row['name'])}: {number(round(row['elo']))} ± {row['error']:.0f}" for row in reversed(rows)]
        with styled():
            chart = Chart(f"Elo ratings in {self._title()}. {'; '.join(texts)}.", height=1.2 + 0.3 * len(rows))
            axes = chart.subplots()
            names = [short(row["name"]) for row in rows]
            axes.barh(range(len(rows)), [row["elo"] for row in rows], xerr=[row["error"] for row in rows])
            axes.set_yticks(range(len(rows)), names)
            axes.axvline(0, color="black", linewidth=0.8)
            axes.grid(visible=False, axis="y")
            axes.set(title=self._title(), xlabel="Elo above the average, with 95 % intervals")
        return chart

    def pdn(self) -> str:
        """Return the games as PDN. Raises AbvizError for a game that has none."""
        if self.game != "checkers":
            raise AbvizError(f"this is a league of {self.start.title}; expected checkers, the only game with PDN")
        games = []
        for each in self.results:
            sides = dict(zip(self.start.players, each.pairing.players, strict=True))
            tags = {"Event": f"League, {self.limit}", **sides, "Result": each.result, "Termination": each.reason}
            games.append(write_pdn(PdnGame(tags, each.moves, each.result)))
        return "\n".join(games)

    def to_dict(self) -> dict[str, Any]:
        """Return the standings and the games as plain data for JSON."""
        games = [asdict(each) for each in self.results]
        return {"game": self.game, "limit": self.limit, "seed": self.seed, "entries": self.standings(), "games": games}

    def __str__(self) -> str:
        return str(self.table())

    __repr__ = __str__

    def _repr_mimebundle_(self, **options: Any) -> dict[str, str]:
        return self.table()._repr_mimebundle_(**options)


class Hall:
    """Where the games of a league are played: its processes, those of entries that are not playing among them."""

    def __init__(self, league: League, folder: Path):
        self.league, self.folder = league, folder
        self.entrants: list[Entrant] = []  # all that were started
        self.free: dict[str, list[Entrant]] = {name: [] for name in league.entries}
        self.refused: dict[str, str] = {}  # entries that do not start, and why: they are not tried again
        self.closed = False
        self.lock = threading.Lock()
        self.files = {name: folder / str(i) / entry.file for i, (name, entry) in enumerate(league.entries.items())}
        for name, path in self.files.items():
            path.parent.mkdir()
            path.write_bytes(league.entries[name].source)

    def play(self, pairing: Pairing) -> Played | None:
        """Play a game. Returns None where the hall is closed before it ends."""
        match = Match(self.league.start)
        for name in pairing.opening:
            match = match.play(name)
        entrants, faults = [], dict[str, str]()
        for name in pairing.players:
            try:
                entrants.append(self._take(name))
            except Problem as problem:
                faults[name] = str(problem)
        reserves, seconds = [self.league.reserve] * 2, [0.0, 0.0]
        while not (faults or match.over) and len(match.plies) < LONGEST:
            side = 0 if match.position.is_max() else 1
            moves = match.position.moves()
            if len(moves) == 1:  # nobody is asked
                match = match.play(moves[0])
                continue
            move, left = self.league.budget(reserves[side])
            try:
                answer, used = entrants[side].choose(match.position, move, left)
                match = match.play(legal_name(match.position, answer))
                seconds[side] += used
                reserves[side] = min(reserves[side], left - used)
            except Problem as problem:
                faults[pairing.players[side]] = str(problem)
        for entrant in entrants:
            self._give_back(entrant, keep=entrant.name not in faults)
        if self.closed:
            return None
        result, reason = match.result, match.reason
        if faults:
            result = LOST[pairing.players[0] in faults, pairing.players[1] in faults]
            reason = "; ".join(f"{name}: {problem}" for name, problem in faults.items())
        elif not match.over:
            result, reason = DRAW, f"stopped after {count(LONGEST, 'ply', 'plies')}"
        return Played(pairing, match.moves, result, reason, (seconds[0], seconds[1]), faults)

    def close(self) -> None:
        """End all processes, and the games with them."""
        with self.lock:
            self.closed = True
            for entrant in self.entrants:
                entrant.interrupt()

    def _take(self, name: str) -> Entrant:
        """Return a process of the entry that is not playing, or a new one. Raises Problem where it does not start."""
        with self.lock:
            if name in self.refused:
                raise Problem(self.refused[name])
            if self.free[name]:
                return self.free[name].pop()
            entrant = Entrant(name, self.files[name], self.league.game)
            self.entrants.append(entrant)
        try:
            entrant.start()
        except Problem as problem:
            self.refused[name] = str(problem)
            raise
        self.league.kinds[name] = entrant.kind
        return entrant

    def _give_back(self, entrant: Entrant, keep: bool) -> None:
        with self.lock:
            if keep and not self.closed:
                self.free[entrant.name].append(entrant)
                return
        entrant.close()


def legal_name(position: Any, answer: str | int) -> str:
    """Return the name of the move. Raises Problem where it is not legal."""
    try:
        move = position.find_move(answer) if isinstance(answer, str) else answer
        if move in legal_moves(position):
            return str(position.move_name(move))
    except ValueError:
        pass
    raise Problem(f"it played {brief(answer)}, which is not a legal move")


def read_entries(entries: Any) -> list[Entry]:
    """Return the entries of a folder, or of a mapping from names to files, weights or functions."""
    if isinstance(entries, Mapping):
        return [_entry(str(name), each) for name, each in entries.items()]
    folder = Path(entries) if isinstance(entries, str | Path) else None
    if folder is None or not folder.is_dir():
        raise AbvizError(
            f"there is no folder {brief(str(entries))}; expected one with an entry in each .py or .ipynb file"
        )
    files = [path for path in sorted(folder.iterdir()) if path.suffix in KINDS and path.name[0] not in "._"]
    found = {path.stem: _entry(path.stem, path) for path in files if path.is_file() and not path.is_symlink()}
    for path in files:
        if path.stem in found and found[path.stem].file != path.name:
            raise AbvizError(
                f"{path.name} and {found[path.stem].file} are both called {path.stem}; expected one of them"
            )
    return list(found.values())


def _entry(name: str, player: Any) -> Entry:
    if isinstance(player, str | Path):
        path = Path(player)
        if path.suffix not in KINDS or not path.is_file():
            raise AbvizError(f"{brief(str(player))} is no entry; expected a file that ends in .py or .ipynb")
        return Entry(name, path.name, path.read_bytes())
    if isinstance(player, Mapping):
        return Entry(name, "weights.py", f"WEIGHTS = {dict(player)!r}\n".encode())
    try:
        source, kind = dedent(inspect.getsource(player)), KINDS_BY_ARGUMENTS[len(inspect.signature(player).parameters)]
    except (OSError, TypeError, ValueError, KeyError):
        expected = "a file, weights, choose(position, clock) or evaluate(position)"
        raise AbvizError(f"{name} is {brief(player)}; expected {expected}") from None
    return Entry(name, "function.py", f"{source}\n{kind} = {player.__name__}\n".encode())


# pairings


def rounds(names: list[str]) -> Iterator[list[tuple[str, str]]]:
    """Yield the rounds in which everybody meets everybody once; nobody plays twice in a round."""
    circle: list[Any] = [*names, None] if len(names) % 2 else list(names)
    half = len(circle) // 2
    for _ in circle[1:]:
        pairs = zip(circle[:half], reversed(circle[half:]), strict=True)
        yield [pair for pair in pairs if None not in pair]
        circle = [circle[0], circle[-1], *circle[1:-1]]  # all move on by one place but the first


def find_openings(start: Any, number: int, seed: int) -> list[tuple[str, ...]]:
    """Return that many openings of random moves: of a few each time, the one that the engine finds most balanced."""
    openings: list[tuple[str, ...]] = []
    for i in range(number):
        rng = Random(f"{seed} {i}")  # so that more games begin with the same openings
        drawn = dict.fromkeys(_random_moves(start, rng) for _ in range(10 * CANDIDATES))
        fresh = [moves for moves in drawn if moves not in openings] or list(drawn)
        openings.append(min(fresh[:CANDIDATES], key=lambda moves: _imbalance(start, moves)))
    return openings


def _random_moves(start: Any, rng: Random) -> tuple[str, ...]:
    moves: list[str] = []
    for _ in range(OPENING):
        moves.append(rng.choice(start.moves()))
        start = start.play(moves[-1])
    return tuple(moves)


def _imbalance(position: Any, moves: tuple[str, ...]) -> int:
    for name in moves:
        position = position.play(name)
    return WIN if position.over() else abs(search(position, LOOK_AHEAD).value or 0)


def _tuples(value: Any) -> Any:
    """Return lists, as JSON has them, as tuples."""
    return tuple(map(_tuples, value)) if isinstance(value, list) else value


@contextmanager
def live(render: Callable[[], Table]) -> Iterator[Callable[[], None]]:
    """Show the table while the block runs, in a notebook or a terminal; yield what draws it again."""
    if type(sys.stderr).__module__.startswith("ipykernel"):
        from IPython.display import display
        from ipywidgets import HTML

        view = HTML(render().html())
        display(view)  # type: ignore[no-untyped-call]
        yield lambda: view.set_trait("value", render().html())
        view.close()  # the result of the cell shows the table again
    elif sys.stderr and sys.stderr.isatty():
        from rich.console import Console
        from rich.live import Live
        from rich.text import Text

        with Live(Text(str(render())), console=Console(stderr=True), transient=True) as view:
            yield lambda: view.update(Text(str(render())))
    else:
        yield lambda: None
