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
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NoReturn

from abviz.errors import AbvizError, brief, count, ljust, unknown, visible

TREE = "a tree that ships (see abviz list), a path, or - for standard input"
FORMATS = ("svg", "png", "pdf", "dot", "tex")
RULES = {
    "strict": "cut only beyond the bound (>, <)",
    "test-first": "test bv against the bound, then update α or β",
    "fail-hard": "a node returns bv clamped to its window",
    "right-to-left": "search the children from right to left",
    "name-by-node": "α-cut at MAX, β-cut at MIN",
}
COUNTS = {
    "alpha-cuts": "alpha cuts",
    "beta-cuts": "beta cuts",
    "subtree-cuts": "cuts that skip an inner node",
    "deep-cuts": "deep cuts",
    "ties": "ties: a value equal to the bv or the bound it meets",
    "last-child-cutoffs": "cutoffs on a last child, which skip nothing",
    "leaves-read": "leaves that the search reads",
}
SWITCHES = {"deep": "deep-cuts", "subtree": "subtree-cuts", "ties": "ties", "last-child": "last-child-cutoffs"}
IMPROVEMENTS = "captures, killers, history, presort, deepening, table, aspiration, pvs, hot, reductions"
STRATEGIES = "sequential, minimax, root, shared, polling, first-move, pv-split, young-brothers"
CHECK = """
An answer is found by the name of its exercise in Python (share_alpha for share-alpha) or by check(NAME, answer). A
search that returns the right values but reads the wrong leaves earns half of its points; an exercise on paper earns
points for each part that is right.
"""
LIMITS = {"seconds": (0.1, 3600), "megabytes": (100, 1 << 20), "jobs": (1, 1000)}  # of check: the least and the most
MAX_POINTS = 1_000_000  # of an exercise
MAX_SEED = 1_000_000  # of a random seed: short enough to type again


def main(arguments: Sequence[str] | None = None) -> int:
    for stream in (sys.stdout, sys.stderr):  # α and β, whatever the terminal's own encoding is
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    try:
        options = _parser().parse_args(arguments)
        status: int = options.run(options) or 0
        if sys.stdout:
            sys.stdout.flush()
        return status
    except AbvizError as problem:
        return _refuse(str(problem))
    except BrokenPipeError:  # the reader has seen enough, as in `abviz trace ... | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as problem:
        return _refuse(
            f"cannot write {problem.filename or 'the output'}: {problem.strerror}; expected a place open to writing"
        )
    except KeyboardInterrupt:
        return 130


def _refuse(problem: str) -> int:
    if sys.stderr:
        print(f"abviz: {visible(problem)}", file=sys.stderr)  # one line, whatever it quotes
    return 2


# the parser


class _Parser(argparse.ArgumentParser):
    """argparse with its errors in one line."""

    def error(self, message: str) -> NoReturn:
        raise AbvizError(f"{message} (see {self.prog} --help)")


class _Version(argparse.Action):
    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        from importlib.metadata import version  # slower than everything else here

        print(f"abviz {version('abviz')}")
        parser.exit()


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="abviz", description="Step through minimax and alpha-beta.", allow_abbrev=False)
    parser.add_argument("--version", action=_Version, nargs=0, help="the version")
    parser.set_defaults(run=lambda options: parser.print_help())
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")

    def command(name: str, help: str, run: Any, description: str = "") -> argparse.ArgumentParser:
        added = commands.add_parser(name, help=help, description=description or None, allow_abbrev=False)
        added.set_defaults(run=run)
        return added

    lab = command("lab", "JupyterLab on the course", _lab)
    lab.add_argument("--no-browser", action="store_true", help="only print the address")
    lab.add_argument("--port", metavar="N", default="8888", help="the first port to try (8888)")

    command("list", "the trees that ship", _list)

    steps = command("trace", "every step as text, or the record as JSON", _trace)
    steps.add_argument("tree", metavar="TREE", help=TREE)
    steps.add_argument("--json", action="store_true", help="the record as one JSON object")

    picture = command("draw", "a picture of one step, or of several", _draw)
    picture.add_argument("tree", metavar="TREE", help=TREE)
    picture.add_argument("--step", type=int, metavar="N", help="0 is before the search; its end by default")
    picture.add_argument(
        "--steps", metavar="WHICH", help="cuts, or a range such as 3-7: one file a step (FILE-003.svg)"
    )
    picture.add_argument("--node", metavar="NAME", help="draw only the part of the tree below this node")
    picture.add_argument("-o", dest="file", metavar="FILE", required=True, help=f"ends in {', '.join(FORMATS)}")

    page = command("export", "the stepper as one HTML file", _export)
    page.add_argument("trees", metavar="TREE", nargs="+", help=TREE)
    page.add_argument("--step", type=int, default=0, metavar="N", help="the step it opens at")
    page.add_argument("--predict", action="store_true", help="ask what the next step brings before showing it")
    page.add_argument("--ask", metavar="KIND,...", help="ask only these: bv, bound, cut, kind, skipped, returned")
    page.add_argument("--show-of-hands", action="store_true", help="for a class: large, and a key shows the answer")
    page.add_argument("-o", dest="file", metavar="FILE.html", required=True)

    for each in (steps, picture, page):
        search = each.add_argument_group("the search")
        search.add_argument("--minimax", action="store_true", help="minimax instead of alpha-beta")
        search.add_argument("--early-stop", action="store_true", help="minimax stops at ±∞")
        search.add_argument("--depth", type=int, metavar="N", help="look N moves ahead")
        _add_rules(each)

    _add_check(command("check", "grade hand-ins", _check, CHECK))
    _add_make(command("make", "fresh exercises, their sheet and key", _make))
    _add_games(command)
    return parser


def _add_rules(parser: argparse.ArgumentParser) -> None:
    rules = parser.add_argument_group("the rules")
    for rule, help in RULES.items():
        rules.add_argument(f"--{rule}", action="store_true", help=help)


def _add_check(check: argparse.ArgumentParser) -> None:
    add, cores = check.add_argument, os.cpu_count() or 1
    add("paths", metavar="PATH", nargs="+", help="a notebook, a .py file, or a folder of these")
    add("--exercises", metavar="NAMES", default="", help="only these; a missing answer counts")
    add("--points", metavar="P", default="", help="points of exercises, such as alphabeta=3 (default: 1 each)")
    add("--seconds", metavar="S", type=float, default=10.0, help="time limit of each cell and answer (default: 10)")
    add("--megabytes", metavar="N", type=int, default=1024, help="memory limit of each hand-in (default: 1024)")
    add("--jobs", metavar="N", type=int, default=cores, help="hand-ins at a time (default: one for each core)")
    add("--json", action="store_true", help="print the report as one JSON object")
    add("--junit", metavar="FILE", help="write the report as JUnit XML")
    add("--csv", metavar="FILE", help="write the points as a table for the mark book")
    add("--feedback", metavar="DIR", help="write one HTML page for each hand-in")


def _add_make(make: argparse.ArgumentParser) -> None:
    make.add_argument("trees", metavar="TREE", nargs="*", help=f"{TREE}; without one, trees are made")
    make.add_argument("--seed", type=int, metavar="N", help="the same seed makes the same tree; random by default")
    make.add_argument("--number", type=int, default=1, metavar="N", help="number of trees, from this seed on")
    make.add_argument("-o", dest="file", metavar="FILE", help="the sheet (.pdf, .html), or one tree (.yaml)")
    make.add_argument("--key", metavar="FILE", help="the sheet with its answers (.pdf, .html)")
    make.add_argument("--title", default="Alpha-beta by hand", metavar="TEXT", help="title of the sheet")
    make.add_argument("--json", action="store_true", help="the trees and their properties as one JSON object")
    shape = make.add_argument_group("the tree")
    shape.add_argument("--depth", type=int, default=3, metavar="N", help="moves from the root to each leaf")
    shape.add_argument("--branching", type=_span, default=(2, 3), metavar="N", help="children of a node, such as 2-3")
    shape.add_argument("--leaves", type=int, nargs=2, default=(0, 20), metavar=("LOW", "HIGH"), help="their values")
    shape.add_argument("--distinct", action="store_true", help="no two leaves are equal")
    shape.add_argument("--min-moves", action="store_true", help="MIN moves at the root")
    for option, help in (("--depends-on", "rules that change the answer"), ("--independent-of", "rules that do not")):
        shape.add_argument(option, metavar="RULES", default="", help=f"{help}, such as strict,fail-hard")
    shape.add_argument("--tries", type=int, metavar="N", help="trees to try before giving up")
    counts = make.add_argument_group("what the search counts (N, LOW-HIGH, or LOW- for that many or more)")
    either = {name: counts.add_mutually_exclusive_group() for name in COUNTS}
    for name, help in COUNTS.items():
        optional: dict[str, Any] = {"nargs": "?", "const": True} if name == "ties" else {}
        either[name].add_argument(f"--{name}", type=_span, metavar="N", help=help, **optional)
    for switch, name in SWITCHES.items():
        target: dict[str, Any] = {"dest": name.replace("-", "_"), "default": None}
        if switch != name:
            either[name].add_argument(f"--{switch}", action="store_true", help=f"some {COUNTS[name]}", **target)
        either[name].add_argument(f"--no-{switch}", action="store_false", help="none of these", **target)
    _add_rules(make)


def _add_games(command: Any) -> None:
    perft = command("perft", "the number of ways to play 1, 2, … moves", _perft)
    search = command("search", "the best move, its value and the line", _search_game)
    for each in (perft, search):
        each.add_argument("game", metavar="GAME", help="checkers or tic-tac-toe")
        each.add_argument("--fen", help="the position: a FEN, or the nine cells of tic-tac-toe (xo..x....)")
        each.add_argument("--json", action="store_true", help="one JSON object")
    perft.add_argument("depth", metavar="DEPTH", type=int, help="moves to look ahead")
    perft.add_argument("--unique", action="store_true", help="count jumps with the same result once")
    search.add_argument("--depth", metavar="N", type=int, help="moves to look ahead; needed unless there is a limit")
    search.add_argument("--seconds", metavar="S", type=float, help="a time limit")
    search.add_argument("--nodes", metavar="N", type=int, help="a limit of positions searched")
    search.add_argument("--weights", metavar="W", default="", help="of the evaluation, such as men=120,kings=150")
    search.add_argument("--method", metavar="METHOD", help="improved, alphabeta or minimax")
    several: dict[str, Any] = {"metavar": "NAMES", "action": "append", "default": []}
    search.add_argument("--on", **several, help=f"improvements to use, among {IMPROVEMENTS}")
    search.add_argument("--off", **several, help="improvements to do without, such as table,killers")
    search.add_argument("--beam", metavar="N", type=int, help="search only the N most promising moves of a position")
    search.add_argument("--threads", metavar="T", type=int, help="number of threads (2 with --strategy)")
    search.add_argument("--strategy", metavar="S", help=f"how threads share the work: {STRATEGIES}")


def _span(text: str) -> tuple[int, int | None]:
    match = re.fullmatch(r"(\d{1,9})(-(\d{1,9})?)?", text)
    if not match:
        raise argparse.ArgumentTypeError(f"{text!r}: expected a number or a range, such as 2 or 2-3")
    low = int(match[1])
    return low, int(match[3]) if match[3] else None if match[2] else low


def _split(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def _file_name(option: str, file: str) -> None:
    if file == "-":
        raise AbvizError(f"{option} is -, which is not a file; expected the name of one")


# trees


def _lab(options: argparse.Namespace) -> int:
    from abviz.lab import run

    return run(browser=not options.no_browser, port=options.port)


def _list(options: argparse.Namespace) -> None:
    from abviz.tree.files import load, shipped

    names = shipped()
    widest = max(map(len, names))
    for name in names:
        tree = load(name)
        leaves = count(sum(1 for _ in tree.leaves()), "leaf", "leaves")
        print(f"{ljust(name, widest)}  {leaves.rjust(9)}  {visible(tree.title)}")


def _rules(options: argparse.Namespace) -> Any:
    from abviz.tracing.algorithms import Rules

    return Rules(**{rule.replace("-", "_"): getattr(options, rule.replace("-", "_")) for rule in RULES})


def _search(options: argparse.Namespace, tree: str) -> Any:
    from abviz.tracing.algorithms import alphabeta, minimax
    from abviz.tracing.traces import trace
    from abviz.tree.files import load

    if options.early_stop and not options.minimax:
        raise AbvizError("--early-stop belongs to minimax; expected --minimax with it")
    more = {"early_stop": options.early_stop} if options.minimax else {}
    search = minimax if options.minimax else alphabeta
    return trace(load(tree), search=search, rules=_rules(options), depth=options.depth, **more)


def _trace(options: argparse.Namespace) -> None:
    result = _search(options, options.tree)
    print(json.dumps(result.to_dict(), ensure_ascii=False) if options.json else result)


def _draw(options: argparse.Namespace) -> None:
    from abviz.tree.files import write_whole
    from abviz.views.drawing import draw
    from abviz.views.xdot import tikz

    _file_name("-o", options.file)
    path = Path(options.file)
    format = path.suffix.removeprefix(".").lower()
    if not format:
        raise AbvizError(f"{options.file} has no ending; expected one of {', '.join(FORMATS)}")
    if format not in FORMATS:
        raise unknown("format", format, FORMATS)
    if options.steps is not None and options.step is not None:
        raise AbvizError("--step and --steps are both given; expected one of them")
    result = _search(options, options.tree)
    for step in [options.step] if options.steps is None else _chosen_steps(result, options.steps):
        picture = draw(result, step, node=options.node)
        file = path if options.steps is None else path.with_stem(f"{path.stem}-{step:03}")
        if format in ("dot", "tex"):
            write_whole(file, (tikz(picture) if format == "tex" else picture.source).encode())
        else:
            write_whole(file, picture.pipe(format))


def _chosen_steps(trace: Any, which: str) -> list[int]:
    if which == "cuts":
        return [cut.step for cut in trace.cuts]
    match = re.fullmatch(r"(\d{1,9})-(\d{1,9})", which)
    if not match or not 0 <= int(match[1]) <= int(match[2]) <= len(trace):
        raise AbvizError(f"--steps is {brief(which)}; expected cuts, or a range within 0-{len(trace)}")
    return list(range(int(match[1]), int(match[2]) + 1))


def _export(options: argparse.Namespace) -> None:
    from abviz.views.html_export import export

    _file_name("-o", options.file)
    if options.trees.count("-") > 1:
        raise AbvizError("- is given twice; expected it once, since standard input holds one tree")
    kinds = options.ask.replace(" ", "").split(",") if options.ask is not None else None
    predict = kinds if kinds is not None else options.predict or options.show_of_hands
    traces = [_search(options, tree) for tree in options.trees]
    export(traces, options.file, step=options.step, predict=predict, show_of_hands=options.show_of_hands)


# exercises


def _check(options: argparse.Namespace) -> int:
    from abviz.exercises import grading, reports
    from abviz.tree.files import check_place, write_whole

    for name, (least, most) in LIMITS.items():
        if not least <= getattr(options, name) <= most:
            raise AbvizError(f"--{name} is {getattr(options, name)}; expected a number from {least} to {most:,}")
    for file in filter(None, (options.junit, options.csv)):
        if Path(file).suffix.lower() in grading.KINDS:  # `--junit *.py` would overwrite the first of them
            raise AbvizError(f"{file} is named like a hand-in; expected another name")
        check_place(file)
    points = _numbers("--points", options.points, float, "alphabeta=3")
    if not all(0 <= each <= MAX_POINTS for each in points.values()):
        raise AbvizError(f"--points is {brief(options.points)}; expected numbers from 0 to {MAX_POINTS:,}")
    hand_ins, not_read = grading.collect(options.paths)
    if options.feedback:
        Path(options.feedback).mkdir(exist_ok=True)
    limits = grading.Limits(options.seconds, options.megabytes)
    show_progress = sys.stderr is not None and sys.stderr.isatty()
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        names = _split(options.exercises)
        report = grading.grade(hand_ins, names, points, limits, options.jobs, not_read, show_progress)
    finally:
        signal.signal(signal.SIGTERM, before)
    try:
        if options.junit:
            write_whole(options.junit, reports.as_junit(report))
        if options.csv:
            write_whole(options.csv, reports.as_csv(report))
        if options.feedback:
            reports.write_feedback(report, Path(options.feedback))
    finally:  # print it even if a file cannot be written
        print(reports.as_json(report) if options.json else reports.as_text(report))
    return 130 if report.interrupted else 0 if report.all_right else 1


def _make(options: argparse.Namespace) -> int:
    from abviz.exercises.generator import NotFound, make_tree
    from abviz.exercises.sheets import MAX_EXERCISES, Sheet, check_format
    from abviz.tree.files import load, write_whole

    if not 1 <= options.number <= MAX_EXERCISES:
        raise AbvizError(f"--number is {options.number}; expected 1 to {MAX_EXERCISES}")
    as_tree = (options.file or ("" if options.key or options.json else "-.yaml")).endswith((".yaml", ".yml"))
    for option, file in (("-o", options.file), ("--key", options.key)):
        _file_name(option, file or "")
        if file and not (option == "-o" and as_tree):
            check_format(file)
    if options.key and options.file and Path(options.key).absolute() == Path(options.file).absolute():
        raise AbvizError(f"-o and --key are both {options.key}; expected two files")
    if as_tree and max(options.number, len(options.trees)) > 1:
        raise AbvizError("a tree file holds one tree; expected -o sheet.pdf, or --json, for several")
    seed = secrets.randbelow(MAX_SEED) if options.seed is None else options.seed
    names = ("depth", "branching", "leaves", "distinct", *(name.replace("-", "_") for name in COUNTS))
    wanted = {name: getattr(options, name) for name in names} | {"to_move": "min" if options.min_moves else "max"}
    for name in ("depends_on", "independent_of"):
        wanted[name] = [rule.replace("-", "_") for rule in _split(getattr(options, name))]
    if options.tries is not None:
        wanted["tries"] = options.tries
    rules = _rules(options)
    try:
        seeds = range(seed, seed + options.number)
        trees = [load(name) for name in options.trees] or [make_tree(each, rules=rules, **wanted) for each in seeds]
    except NotFound as problem:
        print(f"abviz: {problem}", file=sys.stderr)
        return 1
    sheet = Sheet(trees, rules=rules, title=options.title)
    if options.file:
        write_whole(options.file, trees[0].to_yaml().encode()) if as_tree else sheet.write(options.file)
    if options.key:
        sheet.write(options.key, key=True)
    if options.json:
        made_from = [None] * len(trees) if options.trees else list(seeds)
        exercises = [{"seed": each, **_record(tree, rules)} for each, tree in zip(made_from, trees, strict=True)]
        print(json.dumps({"exercises": exercises}))
    elif not options.file and not options.key:
        print(trees[0].to_yaml(), end="")
    return 0


def _record(tree: Any, rules: Any) -> dict[str, Any]:
    """Return the tree as nested lists, the rules, and what the search counts."""
    from dataclasses import asdict

    from abviz.errors import as_json
    from abviz.exercises.generator import RULES, depends_on_rule, measure

    def lists(node: Any) -> Any:
        return [lists(child) for child in node.children] if node.children else as_json(node.value)

    values = [leaf.value for leaf in tree.leaves()]
    return {
        "tree": lists(tree.root),
        "to_move": "max" if tree.root.is_max else "min",
        "rules": asdict(rules),
        "leaves": len(values),
        "distinct": len(set(values)) == len(values),
        **asdict(measure(tree, rules)),
        "depends_on": [rule for rule in RULES if depends_on_rule(tree, rules, rule)],
    }


# games


def _position(options: argparse.Namespace) -> Any:
    from abviz.games import GAMES

    if options.game not in GAMES:
        raise unknown("game", options.game, GAMES)
    game = GAMES[options.game]
    read = getattr(game, "from_fen", None) or game.from_cells
    return game.start() if options.fen is None else read(options.fen)


def _perft(options: argparse.Namespace) -> None:
    from time import perf_counter

    from abviz.engine import perft

    position = _position(options)
    counts: list[int] = []
    perft(position, 1, unique=options.unique)  # compile first: that is not counting
    begin = perf_counter()
    for depth in range(1, options.depth + 1):
        counts.append(perft(position, depth, unique=options.unique))
        if not options.json:
            print(f"{depth:3}  {counts[-1]:22,}  {perf_counter() - begin:9.3f} s", flush=True)
    if options.json:
        print(json.dumps({"game": options.game, "perft": counts, "seconds": perf_counter() - begin}))


def _search_game(options: argparse.Namespace) -> None:
    position = _position(options)
    limits = {name: getattr(options, name) for name in ("nodes", "seconds") if getattr(options, name) is not None}
    if options.depth is None and not limits:
        raise AbvizError("no limit to the search; expected --depth, --seconds or --nodes")
    if options.threads is not None or options.strategy is not None:
        return _search_on_threads(options, position)
    from abviz.engine import search

    more = {name: getattr(options, name) for name in ("depth", "method", "beam") if getattr(options, name) is not None}
    result = search(
        position,
        weights=_numbers("--weights", options.weights, int, "men=120"),
        **more,
        **limits,
        **_improvements(options),
    )
    print(json.dumps({"game": options.game} | result.to_dict()) if options.json else result)


def _search_on_threads(options: argparse.Namespace, position: Any) -> None:
    for name in ("nodes", "seconds", "beam"):
        if getattr(options, name) is not None:
            raise AbvizError(f"--{name} works with one thread; expected --depth N with --threads and --strategy")
    if options.on or options.off:
        raise AbvizError("--on and --off work with one thread; expected --method improved or alphabeta with --threads")
    if options.depth is None:
        raise AbvizError("no limit to the search; expected --depth")
    from abviz.parallel import line_of, parallel_search

    weights = _numbers("--weights", options.weights, int, "men=120")
    run = parallel_search(
        position,
        options.depth,
        weights=weights,
        workers=options.threads,
        strategy=options.strategy or "young-brothers",
        method=options.method or ("improved" if options.strategy is None else "alphabeta"),
    )
    line = line_of(position, run, weights)
    if options.json:
        print(json.dumps(run.to_dict() | {"game": options.game, "line": line, "seconds": run.time}))
    else:
        print(f"{run}\nline {' '.join(line)}")


def _improvements(options: argparse.Namespace) -> dict[str, bool]:
    switches: dict[str, bool] = {}
    for option, value in (("--on", True), ("--off", False)):
        for name in _split(",".join(getattr(options, option[2:]))):
            if name == "beam":
                raise AbvizError(f"{option} names beam, which is a number; expected --beam N")
            if switches.setdefault(name, value) != value:
                raise AbvizError(f"{name} is both --on and --off; expected one of them")
    return switches


def _numbers(option: str, text: str, kind: Callable[[str], Any], example: str) -> dict[str, Any]:
    """Return the numbers by name that an option such as men=120,kings=150 gives."""
    numbers = {}
    for part in _split(text):
        name, _, value = part.partition("=")
        try:
            numbers[name.strip()] = kind(value)
        except ValueError:
            raise AbvizError(f"{option} has {brief(part)}; expected a name and a number, such as {example}") from None
    return numbers
