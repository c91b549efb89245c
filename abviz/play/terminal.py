"""A game against the engine in a terminal."""

from dataclasses import replace
from typing import Any

from abviz.engine.api import Search, search
from abviz.errors import AbvizError
from abviz.games.boards import position_text
from abviz.games.rules import worth
from abviz.play.match import Match, Player

HELP = "Type a move, or: moves, undo, hint, fen, pdn, quit."


def play_in_terminal(position: Any, engine: Player, *, engine_is_max: bool = False) -> Match:
    """Play from the position until the match is over or the reader quits, and return the match."""
    match = Match(position)
    if not match.over:
        Search(position, **engine.options)  # refuses wrong limits before the first move
    print(HELP)
    print(match.position)
    while not match.over:
        side = 0 if match.position.is_max() else 1
        if engine_is_max == (side == 0):
            result = search(match.position, **engine.options)
            match = match.play(str(result.move))
            value = worth(result.value or 0, match.start.players)
            print(f"\nThe engine plays {result.move} (depth {result.depth}, value {value}).", match.position, sep="\n")
            continue
        try:
            line = input(f"{match.position.players[side]}> ").strip()
        except (EOFError, OSError, RuntimeError):  # the end of the input, or no input at all
            break
        if line == "quit":
            break
        try:
            match = _answer(line, match, engine)
        except AbvizError as problem:
            print(problem)
    print(f"{match.result}: {match.reason}." if match.over else "The match is not finished.")
    return match


def _answer(line: str, match: Match, engine: Player) -> Match:
    """Return the match after what the reader has typed."""
    if line == "moves":
        print(*match.position.moves())
    elif line == "hint":
        print(str(search(match.position, **engine.options)).partition("\n")[0])
    elif line == "fen":
        print(position_text(match.position))
    elif line == "pdn":
        print(match.pdn())
    elif line in ("", "help", "?"):
        print(HELP)
    else:
        match = replace(match, plies=match.plies[:-2]) if line == "undo" else match.play(line)
        print(match.position)
    return match
