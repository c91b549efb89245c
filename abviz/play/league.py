"""The championship of a class.

Every entry plays every other, with both colors, from the same openings.

Each entry runs in a process of its own (see `entrant`). One that crashes, hangs, overruns its clock
or plays an illegal move loses that game and nothing else. Games are added to FOLDER/league.jsonl as
they end; the next run plays only those that are missing.
"""

import json
import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import closing, suppress
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property, reduce
from itertools import permutations
from math import log
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import TypedDict

import numpy as np
from rich.console import Console
from rich.live import Live
from rich.text import Text

from abviz.engine import search
from abviz.errors import AbvizError, brief, count, number, short, unknown, visible
from abviz.exercises.observation import Plain
from abviz.exercises.worker import Problem
from abviz.games import GAMES
from abviz.games.rules import Position, legal_moves
from abviz.play.entrant import Entrant, read_entries
from abviz.play.match import Match
from abviz.play.pdn import DRAW, OPEN, write_pdn
from abviz.play.tuning import LONGEST, logistic_regression
from abviz.timing.charts import Chart, styled
from abviz.timing.summary import NOTHING, Table
from abviz.tree.files import write_whole

OPENING = 4  # plies of an opening
CANDIDATES = 4  # openings tried for each one that is played
LOOK_AHEAD = 4  # moves that the engine searches to compare them
MOVES = 30  # that the time left for a game should be enough for
# With a clock for each move, overruns in a game may add up to the time of SLOW_MOVES moves, or to
# RESERVE seconds.
SLOW_MOVES = 20
RESERVE = 1.0
LIMITS = {
    "seconds_per_move": (0.01, 3600),
    "clock": (1.0, 86_400),
    "games": (2, 1000),
    "jobs": (1, 1000),
}
SCALE = 400 / log(10)  # Elo points for a factor e in the odds
# Games that each player is taken to have drawn with an average one: a score of 100 % stays finite
PRIOR = 1
SURE = 1.96  # standard errors on each side of 95 %
POINTS = {"1-0": (1.0, 0.0), "0-1": (0.0, 1.0), DRAW: (0.5, 0.5)}


@dataclass(frozen=True)
class Game:
    """A game of the league, to be played or played.

    Two are equal if they are to be played alike, however they end.
    """

    game: str
    limit: str
    players: tuple[str, str]  # MAX and MIN
    versions: tuple[str, ...]
    opening: tuple[str, ...]
    moves: tuple[str, ...] = field(default=(), compare=False)  # the opening's too
    result: str = field(default=OPEN, compare=False)  # "1-0" where MAX has won
    reason: str = field(default="", compare=False)
    # Who forfeited the game, and why
    faults: dict[str, str] = field(default_factory=dict, compare=False)


class Standing(TypedDict):
    """The results of one entry."""

    name: str
    elo: float
    error: float  # the 95 % interval of the rating is elo ± error
    points: float
    games: int
    wins: int
    draws: int
    losses: int
    faults: dict[str, int]  # the games forfeited, by reason


class League:
    """A round robin.

    The entries are those of a folder, or given by name: League("folder").play(), or
    League({"ada": "ada.py", "men": {"men": 120}, "bob": choose}).play().

    The entries are the .py and .ipynb files of a folder, or files, weights and functions by name; a
    function must not need anything outside of it. The results of a folder are kept in it. The clock
    is `seconds_per_move` (0.1), or `clock` for a whole game; `games` is the number for each pair,
    and `jobs` how many are played at a time, by default one on each core.
    """

    def __init__(
        self,
        entries: str | Path | Mapping[str, object],
        *,
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
        if jobs is None:
            jobs = os.cpu_count() or 1
        _check_limits(seconds_per_move=seconds_per_move, clock=clock, games=games, jobs=jobs)

        self.folder = Path(entries) if isinstance(entries, str | Path) else None
        self.entries = read_entries(entries)
        if len(self.entries) < 2:
            found = count(len(self.entries), "entry", "entries")
            raise AbvizError(
                f"a league needs two entries or more; found {found} in {brief(str(entries))}"
            )

        self.game = game
        self.start = GAMES[game].start()
        self.games = games
        self.seed = seed
        self.jobs = jobs

        # The seconds that each move adds to a player's clock, and those that are on it at first
        self.increment = 0.0 if clock else seconds_per_move or 0.1
        self.reserve = clock or max(RESERVE, SLOW_MOVES * self.increment)
        self.limit = f"{clock:g} s a game" if clock else f"{self.increment:g} s a move"

        self.interrupted = False
        self._played = self._read()

    @cached_property
    def pairings(self) -> list[Game]:
        """All games in the order in which they are begun; the same seed gives the same."""
        pairs = list(permutations(sorted(self.entries), 2))
        Random(self.seed).shuffle(pairs)

        games = []
        for opening in find_openings(self.start, self.games // 2, self.seed):
            for pair in pairs:
                versions = tuple(self.entries[name].version for name in pair)
                games.append(
                    Game(
                        game=self.game,
                        limit=self.limit,
                        players=pair,
                        versions=versions,
                        opening=opening,
                    )
                )
        return games

    @property
    def results(self) -> list[Game]:
        """The games that have been played."""
        return [self._played[each] for each in self.pairings if each in self._played]

    def budget(self, reserve: float) -> tuple[float, float]:
        """Return the seconds meant for the next move, and those until the game is lost."""
        return self.increment or reserve / MOVES, self.increment + reserve

    # playing

    def play(self) -> "League":
        """Play the games that are missing, with a live table.

        An interrupt ends it; the next call resumes it.
        """
        self.interrupted = False
        missing = [each for each in self.pairings if each not in self._played]
        if missing:
            self._play_all(missing)

        if self.folder:
            if self.game == "checkers":
                write_whole(self.folder / "games.pdn", self.pdn().encode())
            self.chart().savefig(self.folder / "league.svg", metadata={"Date": None})
        return self

    def _play_all(self, missing: Sequence[Game]) -> None:
        console = Console(stderr=True)
        with (
            TemporaryDirectory(prefix="abviz-") as folder,
            Live(self._text(), console=console, auto_refresh=False, transient=True) as live,
            closing(Arena(self, Path(folder))) as arena,
            # Its threads live until all games are over: a process ends with the thread that
            # started it.
            ThreadPoolExecutor(self.jobs) as pool,
        ):
            games = [pool.submit(arena.play, each) for each in missing]

            try:
                for future in as_completed(games):
                    self._add(future.result())
                    live.update(self._text(), refresh=True)
            except KeyboardInterrupt:
                self.interrupted = True
            finally:
                pool.shutdown(wait=False, cancel_futures=True)
                arena.interrupt()

    def _add(self, game: Game) -> None:
        self._played[game] = game
        if self.folder:
            with (self.folder / "league.jsonl").open("ab") as file:
                # Before the line: an interrupted run may leave one unfinished
                new_line = b"\n" if file.tell() else b""
                file.write(new_line + json.dumps(asdict(game)).encode())

    def _read(self) -> dict[Game, Game]:
        """Return the games of the file.

        A line that is not one, such as the last of an interrupted run, is ignored.
        """
        path = self.folder / "league.jsonl" if self.folder else None
        if path is None or not path.is_file():
            return {}

        played = {}
        for line in path.read_bytes().splitlines():
            with suppress(ValueError, TypeError, AttributeError):
                record = json.loads(line)
                game = Game(**{name: _tuples(value) for name, value in record.items()})
                played[game] = game
        return played

    # results

    def standings(self) -> list[Standing]:
        """Return a row for each entry, the best first."""
        results = self.results
        games = [(*each.players, POINTS[each.result][0]) for each in results]
        rated = rate(sorted(self.entries), games)

        rows: list[Standing] = []
        for name, (elo, error) in rated.items():
            own = [each for each in results if name in each.players]
            points = [POINTS[each.result][each.players.index(name)] for each in own]
            faults = [each.faults[name] for each in own if name in each.faults]
            rows.append(
                {
                    "name": name,
                    "elo": elo,
                    "error": error,
                    "points": sum(points),
                    "games": len(own),
                    "wins": points.count(1),
                    "draws": points.count(0.5),
                    "losses": points.count(0),
                    "faults": dict(Counter(faults)),
                }
            )
        return sorted(rows, key=lambda row: -row["elo"])

    def table(self) -> Table:
        """Return the standings as a table."""
        rows = [_table_row(place, row) for place, row in enumerate(self.standings(), 1)]
        return Table(self._title(), HEAD, tuple(rows), left=("entry", HEAD[-1]))

    def _text(self) -> Text:
        return Text(str(self.table()), no_wrap=True, overflow="ellipsis")

    def _title(self) -> str:
        games = count(len(self.pairings), "game")
        return f"{self.start.title}, {self.limit}: {len(self.results)} of {games}"

    @styled()
    def chart(self) -> Chart:
        """Draw the ratings with their error bars."""
        rows = self.standings()
        names = [short(row["name"]) for row in rows]
        elo = [row["elo"] for row in rows]
        errors = [row["error"] for row in rows]

        texts = [
            f"{visible(row['name'])} {number(round(row['elo']))} ± {row['error']:.0f}"
            for row in rows
        ]
        caption = f"Elo ratings. {self._title()}. {'; '.join(texts)}."
        chart = Chart(caption, height=1.2 + 0.3 * len(rows))
        axes = chart.subplots()
        axes.barh(range(len(rows)), elo, 0.6, xerr=errors)
        axes.set_yticks(range(len(rows)), names)
        axes.invert_yaxis()  # the best at the top
        axes.axvline(0, color="black", linewidth=0.8)
        axes.grid(visible=False, axis="y")
        axes.set(title=self._title(), xlabel="Elo above the average, with 95 % intervals")
        return chart

    def pdn(self) -> str:
        """Return the games as PDN. Raises AbvizError for a game that has none."""
        if self.game != "checkers":
            raise AbvizError(
                f"this is a league of {self.start.title}; expected checkers, the only game with PDN"
            )

        games = []
        for each in self.results:
            tags = {
                "Event": f"League, {self.limit}",
                **dict(zip(self.start.players, each.players, strict=True)),
                "Result": each.result,
                "Termination": each.reason,
            }
            shown = {name: visible(value) for name, value in tags.items()}
            games.append(write_pdn(shown, each.moves, each.result))
        return "\n".join(games)

    def to_dict(self) -> dict[str, object]:
        """Return the standings and the games as plain data for JSON."""
        games = [asdict(each) for each in self.results]
        return {
            "game": self.game,
            "limit": self.limit,
            "seed": self.seed,
            "entries": self.standings(),
            "games": games,
        }

    def __str__(self) -> str:
        return str(self.table())

    __repr__ = __str__

    def _repr_mimebundle_(self, **options: object) -> dict[str, str]:
        return self.table()._repr_mimebundle_(**options)


def _check_limits(**numbers: float | None) -> None:
    for name, value in numbers.items():
        least, most = LIMITS[name]
        types = (int, type(least))
        if value is not None and not (type(value) in types and least <= value <= most):
            raise AbvizError(
                f"{name} is {brief(value)}; expected a number from {least:g} to {most:,}"
            )

    games = numbers["games"]
    if games and games % 2:
        raise AbvizError(
            f"games is {games}; expected an even number: each opening is played with both colors"
        )


HEAD = ("", "entry", "Elo", "±", "points", "games", "won", "drawn", "lost", "forfeits")


def _table_row(place: int, row: Standing) -> tuple[str, ...]:
    elo = error = NOTHING
    if row["games"]:
        elo = number(round(row["elo"]))
        error = number(round(row["error"]))

    faults = [f"{times}× {visible(reason)}" for reason, times in row["faults"].items()]
    if len(faults) > 2:
        faults[1:] = [f"and {len(faults) - 1} other reasons"]

    return (
        str(place),
        short(row["name"]),
        elo,
        error,
        f"{row['points']:g}",
        f"{row['games']:g}",
        f"{row['wins']:g}",
        f"{row['draws']:g}",
        f"{row['losses']:g}",
        "; ".join(faults),
    )


class Arena:
    """The processes of the entries, in which the games of a league are played."""

    def __init__(self, league: League, folder: Path):
        self.league = league
        self.interrupted = False
        self.entrants: list[Entrant] = []
        # Those that are not playing
        self.free: dict[str, list[Entrant]] = {name: [] for name in league.entries}

        self.files: dict[str, Path] = {}
        for index, (name, entry) in enumerate(league.entries.items()):
            path = folder / str(index) / entry.file
            path.parent.mkdir()
            path.write_bytes(entry.source)
            self.files[name] = path

    def play(self, game: Game) -> Game:
        """Return the game as it is played. Where it is interrupted, the result means nothing."""
        match = reduce(Match.play, game.opening, Match(self.league.start))
        entrants = [self._take(name) for name in game.players]
        reserves = [self.league.reserve, self.league.reserve]
        faults: dict[str, str] = {}

        while not (faults or match.over) and len(match.plies) < LONGEST:
            side = 0 if match.position.is_max() else 1
            moves = match.position.moves()
            if len(moves) == 1:  # a forced move takes no time
                match = match.play(moves[0])
                continue

            move, left = self.league.budget(reserves[side])
            try:
                answer, used = entrants[side].choose(match.position, move, left)
                match = match.play(legal_name(match.position, answer))
                reserves[side] = min(reserves[side], left - used)
            except Problem as problem:
                faults[game.players[side]] = str(problem)
                entrants[side].close()

        for name, entrant in zip(game.players, entrants, strict=True):
            self.free[name].append(entrant)

        result, reason = _outcome(game, match, faults)
        return replace(game, moves=match.moves, result=result, reason=reason, faults=faults)

    def _take(self, name: str) -> Entrant:
        """Return an entrant that is not playing, or a new one."""
        with suppress(IndexError):
            return self.free[name].pop()
        entrant = Entrant(self.files[name], self.league.game)
        self.entrants.append(entrant)  # before the next line, so that an interrupt now misses none
        entrant.interrupted = self.interrupted
        return entrant

    def interrupt(self) -> None:
        """End all games."""
        self.interrupted = True
        for entrant in self.entrants:
            entrant.interrupt()

    def close(self) -> None:
        """End all processes, after the games."""
        for entrant in self.entrants:
            entrant.close()


def _outcome(game: Game, match: Match, faults: dict[str, str]) -> tuple[str, str]:
    """Return the result of a game that has ended, and the reason."""
    for name, fault in faults.items():
        is_max = game.players.index(name) == 0
        return "0-1" if is_max else "1-0", f"{name}: {fault}"
    if match.over:
        return match.result, match.reason
    return DRAW, f"stopped after {count(LONGEST, 'ply', 'plies')}"


def legal_name(position: Position, answer: str | int) -> str:
    """Return the name of the move. Raises Problem where it is not legal."""
    try:
        move = position.find_move(answer) if isinstance(answer, str) else answer
        if move in legal_moves(position):
            return str(position.move_name(move))
    except ValueError:
        pass
    raise Problem(f"it played {brief(answer)}, which is not a legal move")


def _tuples(value: Plain) -> Plain:
    """Return lists, as JSON has them, as tuples."""
    return tuple(map(_tuples, value)) if isinstance(value, list) else value


def find_openings(start: Position, number: int, seed: int) -> list[tuple[str, ...]]:
    """Return that many openings of random moves.

    Of a few each time, it is the one that the engine finds most balanced.
    """
    openings: list[tuple[str, ...]] = []
    rng = Random(seed)  # drawn one after the other, so that more games begin with the same openings

    def drawn() -> Match:
        match = Match(start)
        for _ in range(OPENING):
            match = match.play(rng.choice(match.position.moves()))
        return match

    while len(openings) < number:
        candidates = [drawn() for _ in range(CANDIDATES)]
        best = min(candidates, key=lambda match: abs(search(match.position, LOOK_AHEAD).value or 0))
        if best.moves not in openings:
            openings.append(best.moves)
    return openings


# ratings, by maximum likelihood (Bradley and Terry)


def rate(
    names: Sequence[str], games: Iterable[tuple[str, str, float]]
) -> dict[str, tuple[float, float]]:
    """Return the rating of each player, in Elo above the average, and the ± of its 95 % interval.

    The ratings make these games most likely; each is the players, and the points of the first. A
    player with strength r beats one with strength s with the probability 1 / (1 + eˢ⁻ʳ); a draw
    counts as half a win.
    """
    size = len(names)
    one = dict(zip(names, np.eye(size), strict=True))
    rows = [(one[first] - one[second], points) for first, second, points in games]
    for _ in range(PRIOR):
        rows += [(one[name], 0.5) for name in names]

    players, points = zip(*rows, strict=True)
    strengths, covariance, _ = logistic_regression(np.array(players), np.array(points), ridge=0)

    centered = np.eye(size) - 1 / size  # only differences from the average count
    errors = SURE * np.sqrt((centered @ covariance @ centered).diagonal().clip(0))
    elo = strengths - strengths.mean()
    return {name: (float(SCALE * elo[i]), float(SCALE * errors[i])) for i, name in enumerate(names)}
