"""The command `abviz`: for people without a notebook, and for scripts.

Exit status: 0 done, 1 the answer is "no", 2 bad input, told in one line on stderr.
"""

import argparse
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from abviz.cli_check import add_check
from abviz.cli_games import add_games
from abviz.cli_making import add_make
from abviz.errors import AbvizError, count, ljust, unknown, visible
from abviz.tracing.algorithms import Rules, alphabeta, minimax
from abviz.tracing.traces import Trace, trace
from abviz.tree.files import load, shipped, write_whole

FORMATS = ("svg", "png", "pdf", "dot")


def main(arguments: Sequence[str] | None = None) -> int:
    for stream in (sys.stdout, sys.stderr):  # α and β, whatever the terminal's own encoding is
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    try:
        told = _parser().parse_args(arguments)
        status: int = told.run(told) or 0
        if sys.stdout:
            sys.stdout.flush()
        return status
    except AbvizError as problem:
        return _refuse(str(problem))
    except BrokenPipeError:  # the reader has seen enough, as in `abviz trace ... | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as problem:  # of files it is told where they are written and read
        return _refuse(f"cannot write the output: {problem.strerror}; expected a place open to writing")
    except KeyboardInterrupt:
        return 130


def _refuse(problem: str) -> int:
    if sys.stderr:
        print(f"abviz: {visible(problem)}", file=sys.stderr)  # one line, whatever was quoted in it
    return 2


class _Parser(argparse.ArgumentParser):
    """argparse, but a mistake is told in one line."""

    def error(self, message: str) -> NoReturn:
        raise AbvizError(f"{message} (see {self.prog} --help)")


class _Version(argparse.Action):
    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        from importlib.metadata import version  # which takes longer than all the rest

        print(f"abviz {version('abviz')}")
        parser.exit()


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="abviz", description="Step through minimax and alpha-beta.", allow_abbrev=False)
    parser.add_argument("--version", action=_Version, nargs=0, help="tell the version")
    parser.set_defaults(run=lambda told: parser.print_help())
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")
    tree = "a tree that ships (see abviz list), a path, or - for standard input"

    lab = commands.add_parser("lab", help="open JupyterLab on the course", allow_abbrev=False)
    lab.add_argument("--no-browser", action="store_true", help="only say the address")
    lab.add_argument("--port", metavar="N", help="the first port to try")
    lab.set_defaults(run=_lab)

    listing = commands.add_parser("list", help="the trees that ship", allow_abbrev=False)
    listing.set_defaults(run=_list)

    steps = commands.add_parser("trace", help="every step as text, or the record as JSON", allow_abbrev=False)
    steps.add_argument("tree", metavar="TREE", help=tree)
    steps.add_argument("--json", action="store_true", help="the record, as one JSON object")
    steps.set_defaults(run=_trace)

    picture = commands.add_parser("draw", help="a picture of one step", allow_abbrev=False)
    picture.add_argument("tree", metavar="TREE", help=tree)
    picture.add_argument("--step", type=int, metavar="N", help="0 is before the search; its end, if not told")
    picture.add_argument("--node", metavar="NAME", help="draw only the part of the tree from this node on")
    picture.add_argument("-o", dest="file", metavar="FILE", required=True, help=f"ends in {', '.join(FORMATS)}")
    picture.set_defaults(run=_draw)

    page = commands.add_parser("export", help="the stepper as one HTML file", allow_abbrev=False)
    page.add_argument("trees", metavar="TREE", nargs="+", help=tree)
    page.add_argument("--step", type=int, default=0, metavar="N", help="the step that it opens at")
    page.add_argument("--predict", action="store_true", help="ask what the next step brings before it is shown")
    page.add_argument("--ask", metavar="KIND,...", help="ask only these: bv, bound, cut, kind, skipped, returned")
    page.add_argument("--show-of-hands", action="store_true", help="ask a class: large, and a key shows the answer")
    page.add_argument("-o", dest="file", metavar="FILE.html", required=True)
    page.set_defaults(run=_export)

    for command in (steps, picture, page):
        _add_search(command)
    add_games(commands)
    add_check(commands)
    add_make(commands)
    return parser


def _add_search(parser: argparse.ArgumentParser) -> None:
    search = parser.add_argument_group("the search")
    search.add_argument("--minimax", action="store_true", help="minimax instead of alpha-beta")
    search.add_argument("--early-stop", action="store_true", help="minimax stops at ±∞")
    search.add_argument("--depth", type=int, metavar="N", help="look N moves ahead")
    rules = parser.add_argument_group("the rules")
    rules.add_argument("--strict", action="store_true", help="cut only beyond the bound (>, <)")
    rules.add_argument("--test-first", action="store_true", help="test bv against the bound, then update α or β")
    rules.add_argument("--fail-hard", action="store_true", help="a node returns bv clamped to its window")
    rules.add_argument("--right-to-left", action="store_true", help="search the children from right to left")
    rules.add_argument("--name-by-node", action="store_true", help="α-cut at MAX, β-cut at MIN")


def _search(told: argparse.Namespace, tree: str) -> Trace:
    switches = ("strict", "test_first", "fail_hard", "right_to_left", "name_by_node")
    rules = Rules(**{name: getattr(told, name) for name in switches})
    if told.early_stop and not told.minimax:
        raise AbvizError("--early-stop is minimax's; expected --minimax with it")
    options = {"early_stop": told.early_stop} if told.minimax else {}
    search = minimax if told.minimax else alphabeta
    return trace(load(tree), search=search, rules=rules, depth=told.depth, **options)


def _lab(told: argparse.Namespace) -> int:
    from abviz import lab

    return lab.main(["--no-browser"] * told.no_browser + (["--port", told.port] if told.port else []))


def _list(told: argparse.Namespace) -> None:
    names = shipped()
    widest = max(map(len, names))
    for name in names:
        tree = load(name)
        leaves = count(sum(1 for _ in tree.leaves()), "leaf", "leaves")
        print(f"{ljust(name, widest)}  {leaves.rjust(9)}  {visible(tree.title)}")


def _trace(told: argparse.Namespace) -> None:
    found = _search(told, told.tree)
    print(json.dumps(found.to_dict(), ensure_ascii=False) if told.json else found)


def _draw(told: argparse.Namespace) -> None:
    from abviz.views.drawing import draw

    _check_output(told.file)
    format = Path(told.file).suffix.removeprefix(".").lower()
    if format not in FORMATS:
        raise (
            unknown("format", format, FORMATS)
            if format
            else AbvizError(f"{told.file} has no ending; expected one of {', '.join(FORMATS)}")
        )
    picture = draw(_search(told, told.tree), told.step, node=told.node)
    write_whole(told.file, picture.source.encode() if format == "dot" else picture.pipe(format))


def _export(told: argparse.Namespace) -> None:
    from abviz.views.export import export

    _check_output(told.file)
    if told.trees.count("-") > 1:
        raise AbvizError("- stands there twice; expected it once, since standard input holds one tree")
    asks = told.ask.replace(" ", "").split(",") if told.ask is not None else told.predict or told.show_of_hands
    traces = [_search(told, tree) for tree in told.trees]
    export(traces, told.file, step=told.step, predict=asks, show_of_hands=told.show_of_hands)


def _check_output(file: str) -> None:
    if file == "-":
        raise AbvizError("-o is -, which is not a file; expected the name of one")


if __name__ == "__main__":
    sys.exit(main())
