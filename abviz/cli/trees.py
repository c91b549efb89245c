"""The commands for one tree: list, trace, draw, export."""

import argparse
import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

from abviz.cli.options import TREE, Command, add_search, course_of, split_at_commas, traced
from abviz.errors import AbvizError, brief, count, visible
from abviz.tracing.templates import KINDS

if TYPE_CHECKING:
    from abviz.tracing.traces import Trace


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


def _trace_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("tree", metavar="TREE", help=TREE)
    parser.add_argument("--json", action="store_true", help="print the record as one JSON object")
    add_search(parser)


def _trace(args: argparse.Namespace) -> None:
    result = traced(args, args.tree)
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
    add_search(parser)


def _draw(args: argparse.Namespace) -> None:
    from abviz.tree.files import write_whole
    from abviz.views.drawing import draw
    from abviz.views.rendering import tikz

    path = Path(args.file)
    result = traced(args, args.tree)

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
    add_search(parser)


def _export(args: argparse.Namespace) -> None:
    from abviz.views.bundle import export

    course = course_of(args)
    predict = args.predict or args.show_of_hands
    if args.ask:
        predict = split_at_commas(args.ask)

    export(
        [traced(args, tree) for tree in args.trees],
        args.file,
        step=args.step,
        show=args.show,
        predict=predict,
        show_of_hands=args.show_of_hands,
        form=course.pseudocode,
        letters=course.letters,
    )


COMMANDS = (
    Command("list", "list the built-in trees", _list_options, _list),
    Command("trace", "print every step as text, or the record as JSON", _trace_options, _trace),
    Command("draw", "draw one step or several", _draw_options, _draw),
    Command("export", "write the stepper as one HTML file", _export_options, _export),
)
