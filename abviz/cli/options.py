"""What several commands take: trees, rules, games, numbers by name."""

import argparse
import re
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from abviz.errors import AbvizError, brief, unknown
from abviz.tracing.templates import TEXTS

if TYPE_CHECKING:
    from abviz.course import Course
    from abviz.games.rules import AnyPosition
    from abviz.tracing.traces import Trace

N = TypeVar("N", int, float)
TREE = "a built-in tree (see abviz list), a path, or - for standard input"
RULES = TEXTS["rules"]


class Command(NamedTuple):
    """A command of `abviz`: what its help says, its options, and what runs it.

    What `run` returns is the exit status; None is 0.
    """

    name: str
    summary: str
    add_options: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], int | None]


def option_name(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def span(text: str) -> tuple[int, int | None]:
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


def split_at_commas(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def rule_names(text: str) -> list[str]:
    return split_at_commas(text.replace("-", "_"))


def add_search(parser: argparse.ArgumentParser) -> None:
    search = parser.add_argument_group("search")
    search.add_argument("--minimax", action="store_true", help="minimax instead of alpha-beta")
    search.add_argument(
        "--early-stop", action="store_true", help="let minimax stop at a child worth ±∞"
    )
    search.add_argument("--depth", type=int, metavar="N", help="depth limit in moves")
    add_rules(parser)


def add_rules(parser: argparse.ArgumentParser) -> None:
    """Add the course file, and the options that override its rules."""
    parser.add_argument(
        "--course",
        metavar="FILE",
        help="rules and names of a course (default: abviz.yaml in this folder, if there is one)",
    )
    rules = parser.add_argument_group("rules, where textbooks differ")
    for rule, texts in RULES.items():
        rules.add_argument(
            option_name(rule),
            action=argparse.BooleanOptionalAction,
            help=f"{texts['on']}; with --no: {texts['off']}",
        )


def course_of(args: argparse.Namespace, *, reads_folder: bool = True) -> "Course":
    """Return the course of the options, or else of the current folder, with the rules chosen."""
    from abviz.course import Course, load_course

    is_read = args.course is not None or reads_folder
    course = load_course(args.course) if is_read else Course()

    given = {rule: getattr(args, rule) for rule in RULES if getattr(args, rule) is not None}
    return replace(course, rules=replace(course.rules, **given))


def traced(args: argparse.Namespace, tree: str) -> "Trace":
    """Return the trace of the search that the options ask for."""
    from abviz.tracing.algorithms import alphabeta, minimax
    from abviz.tracing.traces import trace
    from abviz.tree.files import load

    options: dict[str, bool] = {}
    if args.early_stop:
        options["early_stop"] = True

    course = course_of(args)
    return trace(
        course.named(load(tree)),
        search=minimax if args.minimax else alphabeta,
        rules=course.rules,
        depth=args.depth,
        **options,
    )


def add_game(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME", help="checkers, tic-tac-toe or abalone")
    parser.add_argument(
        "--fen", help="position: a FEN, or the nine cells of tic-tac-toe (xo..x....)"
    )


def position_of(args: argparse.Namespace) -> "AnyPosition":
    from abviz.games import GAMES

    if args.game not in GAMES:
        raise unknown("game", args.game, GAMES)
    game = GAMES[args.game]
    return game.start() if args.fen is None else game.from_fen(args.fen)


def numbers_by_name(option: str, text: str, kind: Callable[[str], N], example: str) -> dict[str, N]:
    """Return the numbers by name that an option such as men=120,kings=150 gives."""
    numbers: dict[str, N] = {}
    for part in split_at_commas(text):
        name, _, value = part.partition("=")
        try:
            numbers[name.strip()] = kind(value)
        except ValueError:
            expected = f"expected a name and a number, such as {example}"
            raise AbvizError(f"{option} has {brief(part)}; {expected}") from None
    return numbers
