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
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from abviz.errors import AbvizError, as_json, brief, count, unknown, visible
from abviz.tracing.templates import KINDS, TEXTS

if TYPE_CHECKING:
    from abviz.games.rules import AnyPosition
    from abviz.tracing.algorithms import Rules
    from abviz.tracing.traces import Trace
    from abviz.tree.model import Tree

N = TypeVar("N", int, float)

TREE = "a built-in tree (see abviz list), a path, or - for standard input"
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
STRATEGIES = (
    "sequential, minimax, root, shared, polling, first-move, pv-split, young-brothers, dynamic, "
    "adaptive"
)


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
        "--version", dest="run", action="store_const", const=_version, help="print the version"
    )
    parser.set_defaults(run=lambda args: parser.print_help())

    commands = parser.add_subparsers(title="commands", metavar="COMMAND")
    for name, summary, add_options, run in (
        ("lab", "open the course in JupyterLab", _lab_options, _lab),
        ("list", "list the built-in trees", _list_options, _list),
        ("trace", "print every step as text, or the record as JSON", _trace_options, _trace),
        ("draw", "draw one step or several", _draw_options, _draw),
        ("export", "write the stepper as one HTML file", _export_options, _export),
        ("check", "grade hand-ins", _check_options, _check),
        ("make", "generate exercises: a sheet and its answer key", _make_options, _make),
        ("play", "play a game against the engine in the terminal", _play_options, _play),
        ("league", "play a championship among the entries in a folder", _league_options, _league),
        ("perft", "count the ways to play 1, 2, … moves", _perft_options, _perft),
        ("search", "find the best move, its value and the line", _search_options, _search_game),
    ):
        command = commands.add_parser(name, help=summary, description=summary, allow_abbrev=False)
        command.set_defaults(run=run)
        add_options(command)
    return parser


def _version(args: argparse.Namespace) -> None:
    from importlib.metadata import version  # slower than everything else here

    print("abviz", version("abviz"))


def _option(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _span(text: str) -> tuple[int, int | None]:
    """Return the lowest and the highest number of a range such as 2, 2-3 or 2-."""
    match = re.fullmatch(r"(\d{1,9})(-(\d{1,9})?)?", text)
    if not match:
        raise argparse.ArgumentTypeError(
            f"{text!r}: expected a number or a range, such as 2 or 2-3"
        )

    low = int(match[1])
    if not match[2]:
        return low, low
    return low, int(match[3]) if match[3] else None


def _split(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def _rule_names(text: str) -> list[str]:
    return _split(text.replace("-", "_"))


# the course


def _lab_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--no-browser", action="store_true", help="only print the address")
    parser.add_argument(
        "--port", metavar="N", default="8888", help="first port to try (default: 8888)"
    )


def _lab(args: argparse.Namespace) -> int:
    from abviz.lab import run

    return run(browser=not args.no_browser, port=args.port)


# trees


def _list_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("trees", metavar="TREE", nargs="*", help=f"only these: {TREE}")
    parser.add_argument(
        "--levels",
        action="store_true",
        help="print each tree as text, one line per level: A=-1(MaxNode2)",
    )


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


def _add_search(parser: argparse.ArgumentParser) -> None:
    search = parser.add_argument_group("search")
    search.add_argument("--minimax", action="store_true", help="minimax instead of alpha-beta")
    search.add_argument(
        "--early-stop", action="store_true", help="let minimax stop at a child worth ±∞"
    )
    search.add_argument("--depth", type=int, metavar="N", help="depth limit in moves")
    _add_rules(parser)


def _add_rules(parser: argparse.ArgumentParser) -> None:
    rules = parser.add_argument_group("rules, where textbooks differ")
    for rule, texts in RULES.items():
        rules.add_argument(_option(rule), action="store_true", help=texts["on"])


def _rules(args: argparse.Namespace) -> "Rules":
    from abviz.tracing.algorithms import Rules

    return Rules(**{rule: getattr(args, rule) for rule in RULES})


def _traced(args: argparse.Namespace, tree: str) -> "Trace":
    """Return the trace of the search that the options ask for."""
    from abviz.tracing.algorithms import alphabeta, minimax
    from abviz.tracing.traces import trace
    from abviz.tree.files import load

    options: dict[str, bool] = {}
    if args.early_stop:
        options["early_stop"] = True

    return trace(
        load(tree),
        search=minimax if args.minimax else alphabeta,
        rules=_rules(args),
        depth=args.depth,
        **options,
    )


def _trace_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("tree", metavar="TREE", help=TREE)
    parser.add_argument("--json", action="store_true", help="print the record as one JSON object")
    _add_search(parser)


def _trace(args: argparse.Namespace) -> None:
    result = _traced(args, args.tree)
    if args.json:
        print(json.dumps(result.to_dict(), ensure_ascii=False))
    else:
        print(result)


def _draw_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("tree", metavar="TREE", help=TREE)
    parser.add_argument(
        "-o",
        dest="file",
        metavar="FILE",
        required=True,
        help="picture to write: .svg, .png, .pdf, .dot or .tex",
    )

    parser.add_argument(
        "--step", type=int, metavar="N", help="step to draw, 0 to the last one (default: the last)"
    )
    parser.add_argument(
        "--steps",
        metavar="WHICH",
        help="cuts, or a range such as 3-7: one file per step (FILE-003.svg)",
    )
    parser.add_argument(
        "--node", metavar="NAME", help="draw only the part of the tree below this node"
    )
    _add_search(parser)


def _draw(args: argparse.Namespace) -> None:
    from abviz.tree.files import write_whole
    from abviz.views.drawing import draw
    from abviz.views.rendering import tikz

    path = Path(args.file)
    result = _traced(args, args.tree)

    format = path.suffix.removeprefix(".").lower()
    if format not in ("svg", "png", "pdf", "dot", "tex"):
        expected = "expected a name that ends in .svg, .png, .pdf, .dot or .tex"
        raise AbvizError(f"cannot draw a picture as {visible(args.file)}; {expected}")

    steps = [args.step] if args.steps is None else _chosen_steps(result, args.steps)
    for step in steps:
        picture = draw(result, step, node=args.node)
        if format == "tex":
            content = tikz(picture).encode()
        elif format == "dot":
            content = picture.source.encode()
        else:
            content = picture.pipe(format)

        file = path if args.steps is None else path.with_stem(f"{path.stem}-{step:03}")
        write_whole(file, content)


def _chosen_steps(trace: "Trace", which: str) -> list[int]:
    if which == "cuts" and trace.cuts:
        return [cut.step for cut in trace.cuts]

    if match := re.fullmatch(r"(\d{1,9})-(\d{1,9})", which):
        first, last = int(match[1]), int(match[2])
        if first <= last <= len(trace):
            return list(range(first, last + 1))

    expected = f"expected cuts, if there are any, or a range within 0-{len(trace)}"
    raise AbvizError(f"--steps is {brief(which)}; {expected}")


def _export_options(parser: argparse.ArgumentParser) -> None:
    from abviz.tracing.shows import DEFAULT_SHOW, SHOWS

    parser.add_argument("trees", metavar="TREE", nargs="+", help=TREE)
    parser.add_argument("-o", dest="file", metavar="FILE.html", required=True, help="page to write")
    parser.add_argument(
        "--step", type=int, default=0, metavar="N", help="step at which it opens (default: 0)"
    )

    parser.add_argument(
        "--show",
        metavar="LEVEL",
        default=DEFAULT_SHOW,
        help=f"how much of the search to show: {', '.join(SHOWS)} (default: {DEFAULT_SHOW})",
    )

    questions = parser.add_argument_group("questions")
    questions.add_argument(
        "--predict", action="store_true", help="ask what happens next before each step"
    )
    questions.add_argument(
        "--ask", metavar="KIND,...", help=f"ask only these questions: {', '.join(KINDS)}"
    )
    questions.add_argument(
        "--show-of-hands",
        action="store_true",
        help="for a class: large questions, and a key shows the answer",
    )
    _add_search(parser)


def _export(args: argparse.Namespace) -> None:
    from abviz.views.bundle import export

    predict = args.predict or args.show_of_hands
    if args.ask:
        predict = _split(args.ask)

    export(
        [_traced(args, tree) for tree in args.trees],
        args.file,
        step=args.step,
        show=args.show,
        predict=predict,
        show_of_hands=args.show_of_hands,
    )


# exercises


def _check_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "paths", metavar="PATH", nargs="+", help="a notebook, a .py file, or a folder of these"
    )

    grading = parser.add_argument_group("what counts")
    grading.add_argument(
        "--exercises",
        metavar="NAMES",
        default="",
        help="only these exercises; a missing answer earns no points",
    )
    grading.add_argument(
        "--points",
        metavar="P",
        default="",
        help="points for an exercise, such as alphabeta=3 (default: 1 each)",
    )

    limits = parser.add_argument_group("limits")
    limits.add_argument(
        "--seconds",
        metavar="S",
        type=float,
        default=10.0,
        help="time limit of each cell and answer (default: 10)",
    )
    limits.add_argument(
        "--megabytes",
        metavar="N",
        type=int,
        default=1024,
        help="memory limit of each hand-in (default: 1024)",
    )
    limits.add_argument(
        "--jobs",
        metavar="N",
        type=int,
        default=os.cpu_count() or 1,
        help="number of hand-ins graded at a time (default: one per core)",
    )

    reports = parser.add_argument_group("reports")
    reports.add_argument("--json", action="store_true", help="print the report as one JSON object")
    reports.add_argument("--junit", metavar="FILE", help="write the report as JUnit XML")
    reports.add_argument("--csv", metavar="FILE", help="write the points as a table")
    reports.add_argument("--feedback", metavar="DIR", help="write one HTML page for each hand-in")


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
    with _termination_as_interrupt():
        report = grading.grade(
            hand_ins,
            _split(args.exercises),
            points,
            seconds=args.seconds,
            megabytes=args.megabytes,
            jobs=args.jobs,
        )
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
    is_fine = all(row["status"] in (RIGHT, NOT_YET) for row in report.rows)
    return 0 if is_fine else 1


@contextmanager
def _termination_as_interrupt() -> Iterator[None]:
    """Take SIGTERM as an interrupt, so that what is done is written."""

    def interrupt(*_: object) -> None:
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


def _make_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "trees", metavar="TREE", nargs="*", help=f"{TREE}; by default, new trees are generated"
    )
    parser.add_argument(
        "--json", action="store_true", help="print the trees and their properties as JSON"
    )

    sheet = parser.add_argument_group("sheet and answer key")
    sheet.add_argument(
        "-o", dest="file", metavar="FILE", help="sheet to write (.pdf, .html), or one tree (.yaml)"
    )
    sheet.add_argument(
        "--key", metavar="FILE", help="answer key to write: the sheet filled in (.pdf, .html)"
    )
    sheet.add_argument(
        "--title", default="Alpha-beta by hand", metavar="TEXT", help="title of the sheet"
    )

    _add_generated_trees(parser)
    _add_counted_events(parser)
    _add_rules(parser)


def _add_generated_trees(parser: argparse.ArgumentParser) -> None:
    trees = parser.add_argument_group("generated trees")
    trees.add_argument(
        "--seed",
        type=int,
        metavar="N",
        help="the same seed makes the same tree; random by default",
    )
    trees.add_argument(
        "--number", type=int, default=1, metavar="N", help="number of trees, from this seed on"
    )

    # their shape
    trees.add_argument(
        "--depth", type=int, default=3, metavar="N", help="moves from the root to each leaf"
    )
    trees.add_argument(
        "--branching",
        type=_span,
        default=(2, 3),
        metavar="N",
        help="children of each node, such as 2-3",
    )

    # their values, and who moves
    trees.add_argument(
        "--leaves",
        type=int,
        nargs=2,
        default=(0, 20),
        metavar=("LOW", "HIGH"),
        help="range of the leaves' values",
    )
    trees.add_argument("--distinct", action="store_true", help="no two leaves are equal")
    trees.add_argument(
        "--min-moves",
        dest="to_move",
        action="store_const",
        const="min",
        default="max",
        help="MIN moves at the root",
    )

    # what their answer depends on
    trees.add_argument(
        "--depends-on",
        type=_rule_names,
        metavar="RULES",
        default="",
        help="rules that change the answer, such as strict,fail-hard",
    )
    trees.add_argument(
        "--independent-of",
        type=_rule_names,
        metavar="RULES",
        default="",
        help="rules that do not change the answer",
    )

    trees.add_argument(
        "--tries",
        type=int,
        default=10_000,
        metavar="N",
        help="trees to try before giving up (default: 10000)",
    )


def _add_counted_events(parser: argparse.ArgumentParser) -> None:
    """Add the options that say how often something happens in the search."""
    counts = parser.add_argument_group(
        "what happens in the search of a generated tree",
        "N is a number or a range: 2, 2-3, or 2- for 2 or more.",
    )
    for name, what in COUNTS.items():
        counts.add_argument(
            _option(name),
            type=_span,
            metavar="N",
            nargs="?" if name == "ties" else None,  # a switch, too
            const=True if name == "ties" else None,
            help=f"number of {what}",
        )

    for switch, name in SWITCHES.items():
        if switch != name:
            counts.add_argument(
                f"--{switch}",
                action="store_true",
                dest=name,
                help=f"the same as {_option(name)} 1-",
            )
        counts.add_argument(
            f"--no-{switch}",
            action="store_false",
            dest=name,
            default=None,
            help=f"the same as {_option(name)} 0",
        )


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

    seed = args.seed
    if seed is None:
        seed = secrets.randbelow(1_000_000)  # short enough to type again
    seeds = range(seed, seed + args.number)
    rules = _rules(args)
    properties = {name: getattr(args, name) for name in PROPERTIES}

    trees = [load(name) for name in args.trees]
    if not trees:
        try:
            trees = [make_tree(each, rules=rules, **properties) for each in seeds]
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
        exercises: list[dict[str, object]] = []
        for index, tree in enumerate(trees):
            made_from = None if args.trees else seeds[index]
            exercises.append({"seed": made_from, **_record(tree, rules)})
        print(json.dumps({"exercises": exercises}))
    return 0


def _record(tree: "Tree", rules: "Rules") -> dict[str, object]:
    """Return the tree as nested lists, the rules, and what the search counts."""
    from abviz.exercises.generator import measure
    from abviz.tree.nested import as_lists

    return {
        "tree": as_lists(tree, write=as_json),
        "to_move": "max" if tree.root.is_max else "min",
        "rules": vars(rules),
        **measure(tree, rules),
    }


# games


def _add_game(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME", help="checkers, tic-tac-toe or abalone")
    parser.add_argument(
        "--fen", help="position: a FEN, or the nine cells of tic-tac-toe (xo..x....)"
    )


def _position(args: argparse.Namespace) -> "AnyPosition":
    from abviz.games import GAMES

    if args.game not in GAMES:
        raise unknown("game", args.game, GAMES)
    game = GAMES[args.game]
    return game.start() if args.fen is None else game.from_fen(args.fen)


def _play_options(parser: argparse.ArgumentParser) -> None:
    _add_game(parser)
    parser.add_argument("--second", action="store_true", help="let the engine make the first move")
    parser.add_argument(
        "--depth", metavar="N", type=int, help="number of moves that the engine looks ahead"
    )
    parser.add_argument(
        "--seconds", metavar="S", type=float, help="the engine's time for a move (default: 1)"
    )


def _play(args: argparse.Namespace) -> None:
    from abviz.play.match import Player, play_in_terminal

    position = _position(args)
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
    with _termination_as_interrupt():
        league.play()

    print(json.dumps(league.to_dict(), ensure_ascii=False) if args.json else league)
    return 130 if league.interrupted else 0


def _perft_options(parser: argparse.ArgumentParser) -> None:
    _add_game(parser)
    parser.add_argument("depth", metavar="DEPTH", type=int, help="number of moves to look ahead")
    parser.add_argument(
        "--unique", action="store_true", help="count jumps with the same result once"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def _perft(args: argparse.Namespace) -> None:
    from time import perf_counter

    from abviz.engine import perft
    from abviz.games.rules import checked_depth

    position = _position(args)
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
    _add_game(parser)
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
    position = _position(args)
    if args.depth is None and args.seconds is None and args.nodes is None:
        raise AbvizError("no limit to the search; expected --depth, --seconds or --nodes")

    weights = _numbers("--weights", args.weights, int, "men=120")
    options: dict[str, Any] = {}
    for name in ("depth", "seconds", "nodes", "method", "beam"):
        if getattr(args, name) is not None:
            options[name] = getattr(args, name)
    options |= dict.fromkeys(_split(",".join(args.on)), True)
    options |= dict.fromkeys(_split(",".join(args.off)), False)

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


def _numbers(option: str, text: str, kind: Callable[[str], N], example: str) -> dict[str, N]:
    """Return the numbers by name that an option such as men=120,kings=150 gives."""
    numbers: dict[str, N] = {}
    for part in _split(text):
        name, _, value = part.partition("=")
        try:
            numbers[name.strip()] = kind(value)
        except ValueError:
            expected = f"expected a name and a number, such as {example}"
            raise AbvizError(f"{option} has {brief(part)}; {expected}") from None
    return numbers
