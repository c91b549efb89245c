"""A game against the engine in a terminal."""

from collections.abc import Callable
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
    answers: dict[str, Callable[[Match], str]] = {
        "moves": lambda match: " ".join(match.position.moves()),
        "hint": lambda match: str(search(match.position, **engine.options)).partition("\n")[0],
        "fen": lambda match: position_text(match.position),
        "pdn": Match.pdn,
        **dict.fromkeys(("", "help", "?"), lambda match: HELP),
    }
    match = Match(position)
    if not match.over:
        Search(position, **engine.options)  # refuses wrong limits before the first move
    print(HELP, match.position, sep="\n")
    while not match.over:
        if engine_is_max == match.position.is_max():
            result = search(match.position, **engine.options)
            match = match.play(str(result.move))
            value = worth(result.value or 0, match.start.players)
            print(f"\nThe engine plays {result.move} (depth {result.depth}, value {value}).", match.position, sep="\n")
            continue
        try:
            line = input(f"{match.position.players[not match.position.is_max()]}> ").strip()
            if line == "quit":
                break
            if line in answers:
                print(answers[line](match))
                continue
            match = replace(match, plies=match.plies[:-2]) if line == "undo" else match.play(line)
            print(match.position)
        except AbvizError as problem:
            print(problem)
        except (EOFError, OSError, RuntimeError):  # the end of the input, or no input at all
            break
    print(f"{match.result}: {match.reason}." if match.over else "The match is not finished.")
    return match
