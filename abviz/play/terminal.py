"""A game against the engine in a terminal."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from abviz.engine.api import Search, search
from abviz.errors import AbvizError, visible
from abviz.games.rules import worth
from abviz.play.match import Match
from abviz.play.players import Player

HELP = "Type a move, or: moves, undo, hint, fen, pdn, quit."


def play_in_terminal(
    position: Any,
    engine: Player,
    *,
    engine_is_max: bool = False,
    read: Callable[[str], str] | None = None,
    write: Callable[[str], Any] = print,
) -> Match:
    """Play from the position until the match is over or the reader quits, and return the match.

    `read(prompt)`, by default `input`, returns a line, or raises EOFError at the end of the input.
    """
    match = Match(position)
    if not match.over:
        Search(position, **engine.options)  # refuses wrong limits before the first move
    write(HELP)
    write(visible_board(match))
    while not match.over:
        if match.position.is_max() == engine_is_max:
            result = search(match.position, **engine.options)
            match = match.play(str(result.move))
            value = worth(result.value or 0, match.start.players)
            write(f"\nThe engine plays {result.move} (depth {result.depth}, value {value}).")
            write(visible_board(match))
            continue
        try:
            line = (read or input)(f"{match.position.players[0 if match.position.is_max() else 1]}> ").strip()
        except (EOFError, OSError, RuntimeError):  # the end of the input, or no input at all
            line = "quit"
        if line == "quit":
            break
        try:
            match = _answer(line, match, engine, write)
        except AbvizError as problem:
            write(str(problem))
    write(f"{match.result}: {match.reason}." if match.over else "The match is not finished.")
    return match


def _answer(line: str, match: Match, engine: Player, write: Callable[[str], Any]) -> Match:
    """Return the match after what the reader has typed."""
    if line == "undo":
        match = replace(match, plies=match.plies[:-2])
        write(visible_board(match))
    elif line == "moves":
        write(" ".join(match.position.moves()))
    elif line == "hint":
        write(str(search(match.position, **engine.options)).partition("\n")[0])
    elif line == "fen":
        write(getattr(match.position, "fen", "") or getattr(match.position, "cells", "") or repr(match.position))
    elif line == "pdn":
        write(match.pdn())
    elif line in ("", "help", "?"):
        write(HELP)
    else:
        match = match.play(line)
        write(visible_board(match))
    return match


def visible_board(match: Match) -> str:
    return "\n".join(visible(row) for row in str(match.position).splitlines())
