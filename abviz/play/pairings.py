"""Who plays whom in a league, and from which opening."""

import hashlib
import inspect
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from random import Random
from textwrap import dedent
from typing import Any

from abviz.engine import search
from abviz.errors import AbvizError, brief
from abviz.games.rules import WIN
from abviz.play.match import Match

KINDS = (".py", ".ipynb")
KINDS_BY_ARGUMENTS = {1: "evaluate", 2: "choose"}
OPENING, CANDIDATES, LOOK_AHEAD = 4, 4, 4  # plies of an opening; how many are compared, and how deep


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


def read_entries(entries: Any) -> list[Entry]:
    """Return the entries of a folder, or of a mapping from names to files, weights or functions."""
    if isinstance(entries, Mapping):
        return [_entry(str(name), each) for name, each in entries.items()]
    folder = Path(entries) if isinstance(entries, str | Path) else None
    if folder is None or not folder.is_dir():
        raise AbvizError(
            f"there is no folder {brief(str(entries))}; expected one with an entry in each .py or .ipynb file"
        )
    files = [path for path in folder.iterdir() if path.suffix in KINDS and path.name[0] not in "._"]
    files = sorted((path for path in files if path.is_file() and not path.is_symlink()), key=lambda path: path.stem)
    for path, other in pairwise(files):
        if path.stem == other.stem:
            names = " and ".join(sorted((path.name, other.name)))
            raise AbvizError(f"{names} are both called {path.stem}; expected one of them")
    return [_entry(path.stem, path) for path in files]


def _entry(name: str, player: Any) -> Entry:
    if isinstance(player, str | Path):
        path = Path(player)
        if path.suffix not in KINDS or not path.is_file():
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


# pairings


def make_pairings(entries: list[Entry], start: Any, game: str, limit: str, games: int, seed: int) -> list[Pairing]:
    """Return all games, that many for each two entries. Those that are played at a time have different players."""
    versions = {entry.name: entry.version for entry in entries}
    names = sorted(versions)
    Random(seed).shuffle(names)
    return [
        Pairing(game, limit, players, (versions[players[0]], versions[players[1]]), opening)
        for opening in find_openings(start, games // 2, seed)
        for pairs in rounds(names)
        for players in (*pairs, *((second, first) for first, second in pairs))
    ]


def rounds(names: list[str]) -> Iterator[list[tuple[str, str]]]:
    """Yield the rounds of a round robin: each pair meets once, and no entry plays twice in a round."""
    circle: list[Any] = [*names, None] if len(names) % 2 else list(names)
    half = len(circle) // 2
    for _ in circle[1:]:
        pairs = zip(circle[:half], reversed(circle[half:]), strict=True)
        yield [pair for pair in pairs if None not in pair]
        circle = [circle[0], circle[-1], *circle[1:-1]]  # all move on by one place but the first


def find_openings(start: Any, number: int, seed: int) -> list[tuple[str, ...]]:
    """Return that many openings of random moves: of a few each time, the one that the engine finds most balanced."""
    openings: list[tuple[str, ...]] = []
    rng = Random(seed)  # drawn one after the other, so that more games begin with the same openings
    while len(openings) < number:
        best = min((_random_opening(start, rng) for _ in range(CANDIDATES)), key=_imbalance)
        if best.moves not in openings:
            openings.append(best.moves)
    return openings


def _random_opening(start: Any, rng: Random) -> Match:
    match = Match(start)
    for _ in range(OPENING):
        match = match.play(rng.choice(match.position.moves()))
    return match


def _imbalance(match: Match) -> int:
    return WIN if match.over else abs(search(match.position, LOOK_AHEAD).value or 0)
