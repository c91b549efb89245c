"""The commands of `abviz` for games: perft and search."""

import argparse
import json
from collections.abc import Callable
from importlib import import_module
from time import perf_counter
from typing import Any

from abviz.errors import AbvizError, brief, unknown

# The class of each game, and the method that reads what --fen says.
GAMES = {
    "checkers": ("games.checkers", "Checkers", "from_fen"),
    "tic-tac-toe": ("games.tic_tac_toe", "TicTacToe", "from_cells"),
}
METHODS = "improved, alphabeta, minimax"
STRATEGIES = "sequential, minimax, root, shared, polling, first-move, pv-split, young-brothers"
SWITCHES = "captures, killers, history, presort, deepening, table, aspiration, pvs, hot, reductions"


def add_games(commands: Any) -> None:
    """The commands of this file, added to the others."""
    perft = _command(commands, "perft", "count the ways to play, for depth 1, 2, …", _perft)
    perft.add_argument("depth", metavar="DEPTH", type=int, help="moves to look ahead")
    perft.add_argument("--unique", action="store_true", help="two jumps that come to the same count once")

    search = _command(commands, "search", "the best move, its value and the line", _search)
    search.add_argument("--depth", metavar="N", type=int, help="moves to look ahead; needed, unless there is a limit")
    search.add_argument("--seconds", metavar="S", type=float, help="a limit of time")
    search.add_argument("--nodes", metavar="N", type=int, help="a limit of positions searched")
    search.add_argument("--weights", metavar="W", default="", help="of the evaluation, such as men=120,kings=150")
    search.add_argument("--method", metavar="METHOD", help=f"one of {METHODS}")
    several: dict[str, Any] = {"metavar": "NAMES", "action": "append", "default": []}
    search.add_argument("--on", **several, help=f"improvements to use, among {SWITCHES}")
    search.add_argument("--off", **several, help="improvements to do without, such as table,killers")
    search.add_argument("--beam", metavar="N", type=int, help="search only the N most promising moves of a position")
    search.add_argument(
        "--threads", metavar="T", type=int, help="search on so many threads (with --strategy 2, for sequential 1)"
    )
    search.add_argument("--strategy", metavar="S", help=f"how they share the work: one of {STRATEGIES}")


def _command(commands: Any, name: str, help: str, run: Callable[..., None]) -> argparse.ArgumentParser:
    command: argparse.ArgumentParser = commands.add_parser(name, help=help, allow_abbrev=False)
    command.add_argument("game", metavar="GAME", help=" or ".join(GAMES))
    command.add_argument("--fen", help="the position: a FEN, or the nine cells of tic-tac-toe (xo..x....)")
    command.add_argument("--json", action="store_true", help="one JSON object")
    command.set_defaults(run=run)
    return command


def _position(told: argparse.Namespace) -> Any:
    if told.game not in GAMES:
        raise unknown("game", told.game, GAMES)
    room, name, read = GAMES[told.game]
    game = getattr(import_module(f"abviz.{room}"), name)
    return game.start() if told.fen is None else getattr(game, read)(told.fen)


def _perft(told: argparse.Namespace) -> None:
    from abviz.engine import perft
    from abviz.games.rules import checked_depth

    position = _position(told)
    checked_depth(told.depth)
    perft(position, 1, unique=told.unique)  # now it is compiled
    begin = perf_counter()
    counts = []
    for depth in range(1, told.depth + 1):
        counts.append(perft(position, depth, unique=told.unique))
        if not told.json:
            seconds = perf_counter() - begin
            print(f"{depth:3}  {counts[-1]:22,}  {seconds:9.3f} s", flush=True)
    if told.json:
        print(json.dumps({"game": told.game, "perft": counts, "seconds": perf_counter() - begin}))


def _search(told: argparse.Namespace) -> None:
    position = _position(told)
    limits = {name: getattr(told, name) for name in ("nodes", "seconds") if getattr(told, name) is not None}
    if told.depth is None and not limits:
        raise AbvizError("nothing says how far to search; expected --depth, --seconds or --nodes")
    if told.threads is not None or told.strategy is not None:
        _search_on_threads(told, position)
        return
    from abviz.engine import search
    from abviz.games.rules import DEEPEST

    depth = DEEPEST if told.depth is None else told.depth
    options = {name: getattr(told, name) for name in ("method", "beam") if getattr(told, name) is not None}
    found = search(position, depth, weights=_weights(told.weights), **limits, **options, **_switches(told))
    print(json.dumps({"game": told.game} | found.to_dict()) if told.json else found)


def _search_on_threads(told: argparse.Namespace, position: Any) -> None:
    for name in ("nodes", "seconds", "beam"):
        if getattr(told, name) is not None:
            raise AbvizError(f"--{name} goes with one thread; expected --depth N with --threads and --strategy")
    if told.on or told.off:
        raise AbvizError("--on and --off go with one thread; expected --method improved or alphabeta with --threads")
    from abviz.parallel import line_of, parallel_search

    if told.depth is None:
        raise AbvizError("nothing says how far to search; expected --depth")
    weights = _weights(told.weights)
    options = {
        "workers": told.threads,
        "strategy": told.strategy or "young-brothers",
        "method": told.method or ("improved" if told.strategy is None else "alphabeta"),
    }
    run = parallel_search(position, told.depth, weights=weights, **options)
    line = line_of(position, run, weights)
    if told.json:
        print(json.dumps(run.to_dict() | {"game": told.game, "line": line, "seconds": run.time}))
    else:
        print(f"{run}\nline {' '.join(line)}")


def _switches(told: argparse.Namespace) -> dict[str, bool]:
    switches: dict[str, bool] = {}
    for option, value in (("--on", True), ("--off", False)):
        for name in _parts(",".join(getattr(told, option[2:]))):
            if name == "beam":
                raise AbvizError(f"{option} names beam, which is a number; expected --beam N")
            if switches.setdefault(name, value) != value:
                raise AbvizError(f"{name} is both --on and --off; expected one of them")
    return switches


def _weights(text: str) -> dict[str, int]:
    weights = {}
    for part in _parts(text):
        name, _, weight = part.partition("=")
        try:
            weights[name.strip()] = int(weight)
        except ValueError:
            raise AbvizError(f"--weights has {brief(part)}; expected a feature and a number, such as men=120") from None
    return weights


def _parts(text: str) -> list[str]:
    return [part.strip() for part in text.split(",")] if text else []
