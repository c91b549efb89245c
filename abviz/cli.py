"""The command `abviz`: for people without a notebook, and for scripts.

Exit status: 0 done, 1 the answer is "no", 2 bad input, with one line on stderr.
"""

import argparse
import json
import os
import re
import secrets
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from math import inf
from pathlib import Path
from typing import Any, NoReturn

from abviz.errors import AbvizError, as_json, brief, count, unknown, visible
from abviz.tracing.templates import KINDS, TEXTS

TREE = "a tree that ships (see abviz list), a path, or - for standard input"
RULES = TEXTS["rules"]
COUNTS = {
    "alpha_cuts": "alpha cuts",
    "beta_cuts": "beta cuts",
    "subtree_cuts": "cuts that skip an inner node",
    "deep_cuts": "deep cuts",
    "ties": "ties: a value equal to the bv or the bound it meets",
    "last_child_cutoffs": "cutoffs on a last child, which skip nothing",
    "leaves_read": "leaves that the search reads",
}
PROPERTIES = (
    "depth",
    "branching",
    "leaves",
    "distinct",
    "tries",
    "to_move",
    "depends_on",
    "independent_of",
    *COUNTS,
)
SWITCHES = {
    "deep": "deep_cuts",
    "subtree": "subtree_cuts",
    "ties": "ties",
    "last-child": "last_child_cutoffs",
}
IMPROVEMENTS = "captures, killers, history, deepening, table, aspiration, pvs, hot, reductions"
STRATEGIES = "sequential, minimax, root, shared, polling, first-move, pv-split, young-brothers, dynamic, adaptive"


def main(arguments: Sequence[str] | None = None) -> int:
    for stream in (sys.stdout, sys.stderr):  # α and β, whatever the terminal's own encoding is
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    try:
        args = _parser().parse_args(arguments)
        status: int = args.run(args) or 0
        print(end="", flush=True)
        return status
    except BrokenPipeError:  # the reader has seen enough, as in `abviz trace ... | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except (AbvizError, OSError) as problem:
        print(f"abviz: {visible(str(problem))}", file=sys.stderr)  # one line, whatever it quotes
        return 2
    except KeyboardInterrupt:
        return 130


# the parser


class _Parser(argparse.ArgumentParser):
    """argparse with its errors in one line."""

    def error(self, message: str) -> NoReturn:
        raise AbvizError(f"{message} (see {self.prog} --help)")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="abviz", description="Step through minimax and alpha-beta.", allow_abbrev=False
    )
    parser.add_argument(
        "--version", dest="run", action="store_const", const=_version, help="the version"
    )
    parser.set_defaults(run=lambda args: parser.print_help())
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")

    def command(name: str, help: str, run: Callable[..., int | None]) -> Any:
        added = commands.add_parser(name, help=help, description=help, allow_abbrev=False)
        added.set_defaults(run=run)
        return added.add_argument

    add = command("lab", "JupyterLab on the course", _lab)
    add("--no-browser", action="store_true", help="only print the address")
    add("--port", metavar="N", default="8888", help="the first port to try (8888)")

    add = command("list", "the trees that ship", _list)
    add("trees", metavar="TREE", nargs="*", help=f"only these: {TREE}")
    add("--levels", action="store_true", help="each tree as text, a line a level: A=-1(MaxNode2)")

    add = command("trace", "every step as text, or the record as JSON", _trace)
    add("tree", metavar="TREE", help=TREE)
    add("--json", action="store_true", help="the record as one JSON object")
    _add_search(add)

    add = command("draw", "a picture of one step, or of several", _draw)
    add("tree", metavar="TREE", help=TREE)
    add("--step", type=int, metavar="N", help="0 is before the search; its end by default")
    add(
        "--steps",
        metavar="WHICH",
        help="cuts, or a range such as 3-7: one file a step (FILE-003.svg)",
    )
    add("--node", metavar="NAME", help="draw only the part of the tree below this node")
    add("-o", dest="file", metavar="FILE", required=True, help="ends in svg, png, pdf, dot or tex")
    _add_search(add)

    add = command("export", "the stepper as one HTML file", _export)
    add("trees", metavar="TREE", nargs="+", help=TREE)
    add("--step", type=int, default=0, metavar="N", help="the step it opens at")
    add("--predict", action="store_true", help="ask what the next step brings before showing it")
    add("--ask", metavar="KIND,...", help=f"ask only these: {', '.join(KINDS)}")
    add(
        "--show-of-hands",
        action="store_true",
        help="for a class: large, and a key shows the answer",
    )
    add("-o", dest="file", metavar="FILE.html", required=True)
    _add_search(add)

    add = command("check", "grade hand-ins", _check)
    add("paths", metavar="PATH", nargs="+", help="a notebook, a .py file, or a folder of these")
    add("--exercises", metavar="NAMES", default="", help="only these; a missing answer counts")
    add(
        "--points",
        metavar="P",
        default="",
        help="points of exercises, such as alphabeta=3 (default: 1 each)",
    )
    add(
        "--seconds",
        metavar="S",
        type=float,
        default=10.0,
        help="time limit of each cell and answer (default: 10)",
    )
    add(
        "--megabytes",
        metavar="N",
        type=int,
        default=1024,
        help="memory limit of each hand-in (default: 1024)",
    )
    add(
        "--jobs",
        metavar="N",
        type=int,
        default=os.cpu_count() or 1,
        help="hand-ins at a time (default: one a core)",
    )
    add("--json", action="store_true", help="print the report as one JSON object")
    add("--junit", metavar="FILE", help="write the report as JUnit XML")
    add("--csv", metavar="FILE", help="write the points as a table for the mark book")
    add("--feedback", metavar="DIR", help="write one HTML page for each hand-in")

    add = command("make", "fresh exercises, their sheet and key", _make)
    add("trees", metavar="TREE", nargs="*", help=f"{TREE}; without one, trees are made")
    add(
        "--seed", type=int, metavar="N", help="the same seed makes the same tree; random by default"
    )
    add("--number", type=int, default=1, metavar="N", help="number of trees, from this seed on")
    add("-o", dest="file", metavar="FILE", help="the sheet (.pdf, .html), or one tree (.yaml)")
    add("--key", metavar="FILE", help="the sheet with its answers (.pdf, .html)")
    add("--title", default="Alpha-beta by hand", metavar="TEXT", help="title of the sheet")
    add("--json", action="store_true", help="the trees and their properties as one JSON object")
    add("--depth", type=int, default=3, metavar="N", help="moves from the root to each leaf")
    add(
        "--branching",
        type=_span,
        default=(2, 3),
        metavar="N",
        help="children of a node, such as 2-3",
    )
    add(
        "--leaves", type=int, nargs=2, default=(0, 20), metavar=("LOW", "HIGH"), help="their values"
    )
    add("--distinct", action="store_true", help="no two leaves are equal")
    add(
        "--min-moves",
        dest="to_move",
        action="store_const",
        const="min",
        default="max",
        help="MIN moves at the root",
    )
    rules: dict[str, Any] = {
        "metavar": "RULES",
        "default": "",
        "type": lambda text: _split(text.replace("-", "_")),
    }
    add("--depends-on", **rules, help="rules that change the answer, such as strict,fail-hard")
    add("--independent-of", **rules, help="rules that do not change the answer")
    add(
        "--tries",
        type=int,
        default=10_000,
        metavar="N",
        help="trees to try before giving up (10000)",
    )
    for name, help in COUNTS.items():
        optional: dict[str, Any] = {"nargs": "?", "const": True} if name == "ties" else {}
        add(
            _option(name),
            type=_span,
            metavar="N",
            help=f"{help} (2, 2-3, or 2- for 2 or more)",
            **optional,
        )
    for switch, name in SWITCHES.items():
        if switch != name:
            add(
                f"--{switch}",
                action="store_true",
                dest=name,
                help=f"the same as {_option(name)} 1-",
            )
        add(f"--no-{switch}", action="store_false", dest=name, default=None, help="none of these")
    _add_rules(add)

    add = command("play", "a game against the engine, in the terminal", _play)
    _add_game(add)
    add("--second", action="store_true", help="let the engine make the first move")
    add("--depth", metavar="N", type=int, help="moves that the engine looks ahead")
    add("--seconds", metavar="S", type=float, help="the engine's time for a move (1)")

    add = command("league", "the championship: every entry of a folder plays every other", _league)
    add(
        "folder",
        metavar="FOLDER",
        help="its .py and .ipynb files are the entries; results are written there",
    )
    add("--game", metavar="GAME", default="checkers", help="checkers, abalone or tic-tac-toe")
    add(
        "--seconds-per-move", metavar="S", type=float, help="the clock for each move (default: 0.1)"
    )
    add("--clock", metavar="S", type=float, help="instead, the clock of a player for a whole game")
    add(
        "--games",
        metavar="N",
        type=int,
        default=2,
        help="games of each pair, an even number (default: 2)",
    )
    add(
        "--seed",
        metavar="N",
        type=int,
        default=0,
        help="the same seed makes the same openings and pairings (0)",
    )
    add("--jobs", metavar="N", type=int, help="games at a time (default: one a core)")
    add("--json", action="store_true", help="print the standings and the games as one JSON object")

    add = command("perft", "the number of ways to play 1, 2, … moves", _perft)
    _add_game(add)
    add("depth", metavar="DEPTH", type=int, help="moves to look ahead")
    add("--unique", action="store_true", help="count jumps with the same result once")
    add("--json", action="store_true", help="one JSON object")

    add = command("search", "the best move, its value and the line", _search_game)
    _add_game(add)
    add(
        "--depth", metavar="N", type=int, help="moves to look ahead; needed unless there is a limit"
    )
    add("--seconds", metavar="S", type=float, help="a time limit")
    add("--nodes", metavar="N", type=int, help="a limit of positions searched")
    add("--weights", metavar="W", default="", help="of the evaluation, such as men=120,kings=150")
    add("--method", metavar="METHOD", help="improved, alphabeta or minimax")
    add(
        "--on",
        metavar="NAMES",
        action="append",
        default=[],
        help=f"improvements to use, among {IMPROVEMENTS}",
    )
    add(
        "--off",
        metavar="NAMES",
        action="append",
        default=[],
        help="improvements not to use, even if --on names them",
    )
    add(
        "--beam", metavar="N", type=int, help="search only the N most promising moves of a position"
    )
    add("--threads", metavar="T", type=int, help="number of threads (2 with --strategy)")
    add("--strategy", metavar="S", help=f"how threads share the work: {STRATEGIES}")
    add("--json", action="store_true", help="one JSON object")
    return parser


def _version(args: argparse.Namespace) -> None:
    from importlib.metadata import version  # slower than everything else here

    print("abviz", version("abviz"))


def _add_search(add: Any) -> None:
    add("--minimax", action="store_true", help="minimax instead of alpha-beta")
    add("--early-stop", action="store_true", help="minimax stops at ±∞")
    add("--depth", type=int, metavar="N", help="look N moves ahead")
    _add_rules(add)


def _add_rules(add: Any) -> None:
    for rule, help in RULES.items():
        add(_option(rule), action="store_true", help=f"rule: {help['on']}")


def _add_game(add: Any) -> None:
    add("game", metavar="GAME", help="checkers, tic-tac-toe or abalone")
    add("--fen", help="the position: a FEN, or the nine cells of tic-tac-toe (xo..x....)")


def _option(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _span(text: str) -> tuple[int, int | None]:
    match = re.fullmatch(r"(\d{1,9})(-(\d{1,9})?)?", text)
    if not match:
        raise argparse.ArgumentTypeError(
            f"{text!r}: expected a number or a range, such as 2 or 2-3"
        )
    low = int(match[1])
    return low, int(match[3]) if match[3] else None if match[2] else low


def _split(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


# trees


def _lab(args: argparse.Namespace) -> int:
    from abviz.lab import run

    return run(browser=not args.no_browser, port=args.port)


def _list(args: argparse.Namespace) -> None:
    from abviz.tree.files import load, shipped

    names = args.trees or shipped()
    for name in names:
        tree = load(name)

        if not args.levels:
            leaves = count(sum(1 for _ in tree.leaves()), "leaf", "leaves")
            print(f"{visible(name):15} {leaves:>10}  {visible(tree.title)}")
            continue

        if len(names) > 1:
            print(f"{visible(name)}:")
        print(tree.levels(), end="")


def _rules(args: argparse.Namespace) -> Any:
    from abviz.tracing.algorithms import Rules

    return Rules(**{rule: getattr(args, rule) for rule in RULES})


def _search(args: argparse.Namespace, tree: str) -> Any:
    from abviz.tracing.algorithms import alphabeta, minimax
    from abviz.tracing.traces import trace
    from abviz.tree.files import load

    search = minimax if args.minimax else alphabeta
    options = {"early_stop": True} if args.early_stop else {}
    return trace(load(tree), search=search, rules=_rules(args), depth=args.depth, **options)


def _trace(args: argparse.Namespace) -> None:
    result = _search(args, args.tree)
    print(json.dumps(result.to_dict(), ensure_ascii=False) if args.json else result)


def _draw(args: argparse.Namespace) -> None:
    from abviz.tree.files import write_whole
    from abviz.views.drawing import draw
    from abviz.views.rendering import tikz

    path, result = Path(args.file), _search(args, args.tree)
    format = path.suffix.removeprefix(".").lower()
    if format not in ("svg", "png", "pdf", "dot", "tex"):
        expected = "expected a name that ends in .svg, .png, .pdf, .dot or .tex"
        raise AbvizError(f"cannot draw a picture as {visible(args.file)}; {expected}")
    for step in [args.step] if args.steps is None else _chosen_steps(result, args.steps):
        picture = draw(result, step, node=args.node)
        file = path if args.steps is None else path.with_stem(f"{path.stem}-{step:03}")
        text = tikz(picture) if format == "tex" else picture.source if format == "dot" else None
        write_whole(file, picture.pipe(format) if text is None else text.encode())


def _chosen_steps(trace: Any, which: str) -> list[int]:
    if which == "cuts" and trace.cuts:
        return [cut.step for cut in trace.cuts]
    match = re.fullmatch(r"(\d{1,9})-(\d{1,9})", which)
    first, last = (int(match[1]), int(match[2])) if match else (1, 0)
    if not first <= last <= len(trace):
        raise AbvizError(
            f"--steps is {brief(which)}; expected cuts, if there are any, or a range within 0-{len(trace)}"
        )
    return list(range(first, last + 1))


def _export(args: argparse.Namespace) -> None:
    from abviz.views.bundle import export

    predict = _split(args.ask) if args.ask else args.predict or args.show_of_hands
    traces = [_search(args, tree) for tree in args.trees]
    export(traces, args.file, step=args.step, predict=predict, show_of_hands=args.show_of_hands)


# exercises


def _check(args: argparse.Namespace) -> int:
    from abviz.exercises import grading
    from abviz.exercises.verdict import NOT_YET, RIGHT
    from abviz.tree.files import write_whole

    if not all(0 < limit < 1e6 for limit in (args.seconds, args.megabytes, args.jobs)):
        raise AbvizError(
            "expected numbers above 0 and below 1,000,000 for --seconds, --megabytes and --jobs"
        )
    points = _numbers("--points", args.points, float, "alphabeta=3")
    if not all(0 <= each < inf for each in points.values()):
        raise AbvizError(f"--points is {brief(args.points)}; expected finite numbers, 0 or more")
    hand_ins, not_read = grading.collect(args.paths)
    limits = {name: getattr(args, name) for name in ("seconds", "megabytes", "jobs")}
    with _termination_as_interrupt():
        report = grading.grade(hand_ins, _split(args.exercises), points, **limits)
    report.not_read = not_read
    try:
        if args.junit:
            write_whole(args.junit, grading.as_junit(report))
        if args.csv:
            write_whole(args.csv, grading.as_csv(report))
        if args.feedback:
            Path(args.feedback).mkdir(exist_ok=True)
            grading.write_feedback(report, Path(args.feedback))
    finally:  # last, since its reader may have left, as in `abviz check ... | head`
        print(grading.as_json(report) if args.json else grading.as_text(report))
    if report.interrupted:
        return 130
    return 0 if all(row["status"] in (RIGHT, NOT_YET) for row in report.rows) else 1


@contextmanager
def _termination_as_interrupt() -> Iterator[None]:
    """Take SIGTERM as an interrupt, so that what is done is written."""

    def interrupt(*_: Any) -> None:
        raise KeyboardInterrupt

    try:
        before = signal.signal(signal.SIGTERM, interrupt)
    except ValueError:  # in a thread, which receives no signal
        yield
        return
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _league(args: argparse.Namespace) -> int:
    from abviz.play.league import League

    options = ("game", "seconds_per_move", "clock", "games", "seed", "jobs")
    league = League(args.folder, **{name: getattr(args, name) for name in options})
    with _termination_as_interrupt():
        league.play()
    print(json.dumps(league.to_dict(), ensure_ascii=False) if args.json else league)
    return 130 if league.interrupted else 0


def _make(args: argparse.Namespace) -> int:
    from abviz.exercises.generator import NotFound, make_tree
    from abviz.exercises.sheets import Sheet
    from abviz.tree.files import load, write_whole

    as_tree = str(args.file).endswith((".yaml", ".yml")) or not (args.file or args.key or args.json)
    if as_tree and max(args.number, len(args.trees)) > 1:
        raise AbvizError(
            "a tree file holds one tree; expected -o sheet.pdf, or --json, for several"
        )
    if args.file and args.key and os.path.realpath(args.file) == os.path.realpath(args.key):
        raise AbvizError(f"-o and --key are both {visible(args.key)}; expected two files")
    # Short enough to type again
    seed = secrets.randbelow(1_000_000) if args.seed is None else args.seed
    seeds, rules = range(seed, seed + args.number), _rules(args)
    properties = {name: getattr(args, name) for name in PROPERTIES}
    try:
        trees = [load(name) for name in args.trees] or [
            make_tree(each, rules=rules, **properties) for each in seeds
        ]
    except NotFound as problem:
        print(f"abviz: {problem}", file=sys.stderr)
        return 1
    sheet = Sheet(trees, rules=rules, title=args.title)
    if args.file and as_tree:
        write_whole(args.file, trees[0].to_yaml().encode())
    elif args.file:
        sheet.write(args.file)
    elif as_tree:
        print(trees[0].to_yaml(), end="")
    if args.key:
        sheet.write(args.key, key=True)
    if args.json:
        made_from = [None] * len(trees) if args.trees else seeds
        exercises = [
            {"seed": each, **_record(tree, rules)}
            for each, tree in zip(made_from, trees, strict=True)
        ]
        print(json.dumps({"exercises": exercises}))
    return 0


def _record(tree: Any, rules: Any) -> dict[str, Any]:
    """Return the tree as nested lists, the rules, and what the search counts."""
    from abviz.exercises.generator import measure
    from abviz.tree.nested import as_lists

    to_move = "max" if tree.root.is_max else "min"
    return {
        "tree": as_lists(tree, write=as_json),
        "to_move": to_move,
        "rules": vars(rules),
        **measure(tree, rules),
    }


# games


def _position(args: argparse.Namespace) -> Any:
    from abviz.games import GAMES

    if args.game not in GAMES:
        raise unknown("game", args.game, GAMES)
    game = GAMES[args.game]
    return game.start() if args.fen is None else game.from_fen(args.fen)


def _play(args: argparse.Namespace) -> None:
    from abviz.play.match import Player, play_in_terminal

    position = _position(args)
    limited = args.depth is not None or args.seconds is not None
    engine = Player(args.depth, seconds=args.seconds if limited else 1.0)
    play_in_terminal(position, engine, engine_is_max=position.is_max() == args.second)


def _perft(args: argparse.Namespace) -> None:
    from time import perf_counter

    from abviz.engine import perft
    from abviz.games.rules import checked_depth

    position = _position(args)
    checked_depth(args.depth)
    counts: list[int] = []
    perft(position, 1, unique=args.unique)  # compile first: that is not counting
    begin = perf_counter()
    for depth in range(1, args.depth + 1):
        counts.append(perft(position, depth, unique=args.unique))
        if not args.json:
            print(f"{depth:3}  {counts[-1]:22,}  {perf_counter() - begin:9.3f} s", flush=True)
    if args.json:
        print(json.dumps({"game": args.game, "perft": counts, "seconds": perf_counter() - begin}))


def _search_game(args: argparse.Namespace) -> None:
    position = _position(args)
    if args.depth is None and args.seconds is None and args.nodes is None:
        raise AbvizError("no limit to the search; expected --depth, --seconds or --nodes")
    weights = _numbers("--weights", args.weights, int, "men=120")
    improvements = dict.fromkeys(_split(",".join(args.on)), True) | dict.fromkeys(
        _split(",".join(args.off)), False
    )
    options = {
        name: getattr(args, name) for name in ("depth", "seconds", "nodes", "method", "beam")
    }
    options = {name: value for name, value in options.items() if value is not None} | improvements
    if args.threads is None and args.strategy is None:
        from abviz.engine import search

        result = search(position, weights=weights, **options)
        print(json.dumps({"game": args.game} | result.to_dict()) if args.json else result)
        return
    from abviz.parallel import line_of, parallel_search

    if alone := options.keys() - {"depth", "method"}:
        raise AbvizError(
            f"{min(alone)} works with one thread; expected --depth and --method with --threads"
        )
    if args.method is None:
        options["method"] = "improved" if args.strategy is None else "alphabeta"
    strategy = args.strategy or "adaptive"
    run = parallel_search(
        position, weights=weights, workers=args.threads, strategy=strategy, **options
    )
    line = line_of(position, run, weights)
    if args.json:
        print(json.dumps(run.to_dict() | {"game": args.game, "line": line, "seconds": run.time}))
    else:
        print(f"{run}\nline {' '.join(line)}")


def _numbers(option: str, text: str, kind: Callable[[str], Any], example: str) -> dict[str, Any]:
    """Return the numbers by name that an option such as men=120,kings=150 gives."""
    numbers = {}
    for part in _split(text):
        name, _, value = part.partition("=")
        try:
            numbers[name.strip()] = kind(value)
        except ValueError:
            raise AbvizError(
                f"{option} has {brief(part)}; expected a name and a number, such as {example}"
            ) from None
    return numbers
