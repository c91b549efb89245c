"""The command `abviz`: for people without a notebook, and for scripts.

Exit status: 0 done, 1 the answer is "no", 2 bad input, with one line on stderr.
"""

import argparse
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import NoReturn

from abviz.cli import check, games, make, trees
from abviz.cli.options import Command, course_of
from abviz.errors import AbvizError, visible
from abviz.tracing.templates import LETTERS, in_letters


def main(arguments: Sequence[str] | None = None) -> int:
    for stream in (sys.stdout, sys.stderr):  # α and β, whatever the terminal's own encoding is
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")

    try:
        args = _parser().parse_args(arguments)
        with _letters_of_course(args):
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


@contextmanager
def _letters_of_course(args: argparse.Namespace) -> Iterator[None]:
    """Write in the letters of the course, in a command that shows searches."""
    has_course = hasattr(args, "course") and args.run is not check.run_check
    with in_letters(course_of(args).letters if has_course else LETTERS[0]):
        yield


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
    for name, summary, add_options, run in COMMANDS:
        command = commands.add_parser(name, help=summary, description=summary, allow_abbrev=False)
        command.set_defaults(run=run)
        add_options(command)
    return parser


def _version(args: argparse.Namespace) -> None:
    from importlib.metadata import version  # slower than everything else here

    print("abviz", version("abviz"))


def _lab_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--no-browser", action="store_true", help="only print the address")
    parser.add_argument(
        "--port", metavar="N", default="8888", help="first port to try (default: 8888)"
    )


def _lab(args: argparse.Namespace) -> int:
    from abviz.lab import run

    return run(browser=not args.no_browser, port=args.port)


COMMANDS = (
    Command("lab", "open the course in JupyterLab", _lab_options, _lab),
    *trees.COMMANDS,
    *check.COMMANDS,
    *make.COMMANDS,
    *games.COMMANDS,
)
