"""The commands for games: play, league, perft, search."""

import argparse
import json
from typing import TYPE_CHECKING, Any

from abviz.cli.interrupts import Interrupts
from abviz.cli.options import Command, add_game, numbers_by_name, position_of, split_at_commas
from abviz.errors import AbvizError

if TYPE_CHECKING:
    from abviz.games.rules import AnyPosition

IMPROVEMENTS = "captures, killers, history, deepening, table, aspiration, pvs, hot, reductions"
STRATEGIES = (
    "sequential, minimax, root, shared, polling, first-move, pv-split, young-brothers, dynamic, "
    "adaptive"
)


def _play_options(parser: argparse.ArgumentParser) -> None:
    add_game(parser)
    parser.add_argument("--second", action="store_true", help="let the engine make the first move")
    parser.add_argument(
        "--depth", metavar="N", type=int, help="number of moves that the engine looks ahead"
    )
    parser.add_argument(
        "--seconds", metavar="S", type=float, help="the engine's time for a move (default: 1)"
    )


def _play(args: argparse.Namespace) -> None:
    from abviz.play.match import Player, play_in_terminal

    position = position_of(args)
    is_limited = args.depth is not None or args.seconds is not None
    engine = Player(args.depth, seconds=args.seconds if is_limited else 1.0)
    play_in_terminal(position, engine, engine_is_max=position.is_max() == args.second)


def _league_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "folder",
        metavar="FOLDER",
        help="folder of the entries (.py and .ipynb); results are written there",
    )
    parser.add_argument(
        "--game",
        metavar="GAME",
        default="checkers",
        help="checkers, abalone or tic-tac-toe",
    )
    parser.add_argument(
        "--games",
        metavar="N",
        type=int,
        default=2,
        help="number of games of each pair, even (default: 2)",
    )
    parser.add_argument(
        "--seed",
        metavar="N",
        type=int,
        default=0,
        help="the same seed makes the same openings and pairings (default: 0)",
    )
    parser.add_argument(
        "--jobs", metavar="N", type=int, help="number of games at a time (default: one per core)"
    )
    parser.add_argument(
        "--json", action="store_true", help="print the standings and the games as one JSON object"
    )

    clock = parser.add_argument_group("clock, one of")
    clock.add_argument(
        "--seconds-per-move", metavar="S", type=float, help="time for each move (default: 0.1)"
    )
    clock.add_argument(
        "--clock", metavar="S", type=float, help="time of each player for a whole game"
    )


def _league(args: argparse.Namespace) -> int:
    from abviz.play.league import League

    league = League(
        args.folder,
        game=args.game,
        seconds_per_move=args.seconds_per_move,
        clock=args.clock,
        games=args.games,
        seed=args.seed,
        jobs=args.jobs,
    )
    with Interrupts():
        league.play()

    print(json.dumps(league.to_dict(), ensure_ascii=False) if args.json else league)
    return 130 if league.interrupted else 0


def _perft_options(parser: argparse.ArgumentParser) -> None:
    add_game(parser)
    parser.add_argument("depth", metavar="DEPTH", type=int, help="number of moves to look ahead")
    parser.add_argument(
        "--unique", action="store_true", help="count jumps with the same result once"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def _perft(args: argparse.Namespace) -> None:
    from time import perf_counter

    from abviz.engine import perft
    from abviz.games.rules import checked_depth

    position = position_of(args)
    checked_depth(args.depth)
    perft(position, 1, unique=args.unique)  # compile first: that is not counting

    counts: list[int] = []
    begin = perf_counter()
    for depth in range(1, args.depth + 1):
        counts.append(perft(position, depth, unique=args.unique))
        if not args.json:
            print(f"{depth:3}  {counts[-1]:22,}  {perf_counter() - begin:9.3f} s", flush=True)

    if args.json:
        seconds = perf_counter() - begin
        print(json.dumps({"game": args.game, "perft": counts, "seconds": seconds}))


def _search_options(parser: argparse.ArgumentParser) -> None:
    add_game(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object")

    limits = parser.add_argument_group("limits, at least one")
    limits.add_argument("--depth", metavar="N", type=int, help="number of moves to look ahead")
    limits.add_argument("--seconds", metavar="S", type=float, help="time limit")
    limits.add_argument("--nodes", metavar="N", type=int, help="number of positions to search")

    search = parser.add_argument_group("search")
    search.add_argument(
        "--weights",
        metavar="W",
        default="",
        help="weights of the evaluation, such as men=120,kings=150",
    )
    search.add_argument("--method", metavar="METHOD", help="improved, alphabeta or minimax")
    search.add_argument(
        "--on",
        metavar="NAMES",
        action="append",
        default=[],
        help=f"improvements to switch on: {IMPROVEMENTS}",
    )
    search.add_argument(
        "--off",
        metavar="NAMES",
        action="append",
        default=[],
        help="improvements to switch off, even if --on names them",
    )
    search.add_argument(
        "--beam",
        metavar="N",
        type=int,
        help="search only the N most promising moves of each position",
    )

    threads = parser.add_argument_group("threads")
    threads.add_argument(
        "--threads", metavar="T", type=int, help="number of threads (default: 2 with --strategy)"
    )
    threads.add_argument(
        "--strategy", metavar="S", help=f"how the threads share the work: {STRATEGIES}"
    )


def _search_game(args: argparse.Namespace) -> None:
    position = position_of(args)
    if args.depth is None and args.seconds is None and args.nodes is None:
        raise AbvizError("no limit to the search; expected --depth, --seconds or --nodes")

    weights = numbers_by_name("--weights", args.weights, int, "men=120")
    options: dict[str, Any] = {}
    for name in ("depth", "seconds", "nodes", "method", "beam"):
        if getattr(args, name) is not None:
            options[name] = getattr(args, name)
    options |= dict.fromkeys(split_at_commas(",".join(args.on)), True)
    options |= dict.fromkeys(split_at_commas(",".join(args.off)), False)

    if args.threads is None and args.strategy is None:
        from abviz.engine import search

        result = search(position, weights=weights, **options)
        print(json.dumps({"game": args.game} | result.to_dict()) if args.json else result)
    else:
        _search_with_threads(args, position, weights, options)


def _search_with_threads(
    args: argparse.Namespace,
    position: "AnyPosition",
    weights: dict[str, int],
    options: dict[str, Any],
) -> None:
    from abviz.parallel import line_of, parallel_search

    if alone := options.keys() - {"depth", "method"}:
        expected = "expected --depth and --method with --threads"
        raise AbvizError(f"{min(alone)} works with one thread only; {expected}")
    if args.method is None:
        options["method"] = "improved" if args.strategy is None else "alphabeta"

    run = parallel_search(
        position,
        weights=weights,
        workers=args.threads,
        strategy=args.strategy or "adaptive",
        **options,
    )
    line = line_of(position, run, weights)
    if args.json:
        print(json.dumps(run.to_dict() | {"game": args.game, "line": line, "seconds": run.time}))
    else:
        print(f"{run}\nline {' '.join(line)}")


COMMANDS = (
    Command("play", "play a game against the engine in the terminal", _play_options, _play),
    Command(
        "league", "play a championship among the entries in a folder", _league_options, _league
    ),
    Command("perft", "count the ways to play 1, 2, … moves", _perft_options, _perft),
    Command("search", "find the best move, its value and the line", _search_options, _search_game),
)
