"""A match: a start position, the moves made since, and how it ends; players, and games as PDN.

The rules of a game decide when it is over on the board. A match also knows the draws that depend on
its history: the same position for the third time and, where the game has a `patience`, that many
plies without progress. Players of the engine claim such a draw at once; people often did not, so a
match that is read from PDN continues.
"""

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Unpack

from abviz.engine.api import Search, SearchOptions, search
from abviz.errors import AbvizError, brief, count
from abviz.games.boards import position_text
from abviz.games.checkers import Checkers
from abviz.games.notation import START, read_fen, write_fen
from abviz.games.rules import AnyPosition, Position, check_possible, is_game
from abviz.games.tic_tac_toe import TicTacToe
from abviz.play.pdn import (
    DRAW,
    OPEN,
    RESULTS,
    WrittenGame,
    decoded,
    other_game,
    write_pdn,
    written_games,
)

DERIVED_TAGS = ("RESULT", "FEN", "SETUP")  # tags of PDN that follow from the match
REPETITIONS = 3
QUIT = ("q", "quit", "exit")  # what ends a game in a terminal


# A move of a match: its name, its number, and the position after it.
Ply = tuple[str, int, AnyPosition]


@dataclass(frozen=True, eq=False, repr=False)
class Match:
    """A match that never changes: `play` returns a longer one.

    >>> match = Match().play("11-15").play("23-19")
    >>> match.moves, match.result
    (('11-15', '23-19'), '*')
    """

    start: AnyPosition = field(default_factory=Checkers.start)
    plies: tuple[Ply, ...] = ()
    tags: Mapping[str, str] = field(default_factory=dict)  # of PDN, without DERIVED_TAGS
    recorded: str = ""  # the result in the PDN; if there is one, no draw is claimed

    def __post_init__(self) -> None:
        if not is_game(type(self.start)):
            raise AbvizError(
                f"{brief(self.start)} is not a position of a game; expected one: Checkers.start()"
            )
        check_possible(self.start)

    @property
    def position(self) -> AnyPosition:
        return self.plies[-1][2] if self.plies else self.start

    @property
    def positions(self) -> tuple[AnyPosition, ...]:
        """All positions from the start to now: one more than there are moves."""
        return (self.start, *(position for *_, position in self.plies))

    @property
    def moves(self) -> tuple[str, ...]:
        return tuple(name for name, *_ in self.plies)

    def play(self, move: str) -> "Match":
        """Return the match after a legal move.

        Raises AbvizError for any other, and where the match is over.
        """
        if self.over:
            raise AbvizError(
                f"{brief(move)} cannot be played: the match is over ({self.result}, {self.reason})"
            )
        number = self.position.find_move(move)
        ply = (self.position.move_name(number), number, self.position.play(number))
        return replace(self, plies=(*self.plies, ply))

    # how it ends

    @property
    def over(self) -> bool:
        return self.result != OPEN

    @property
    def result(self) -> str:
        """ "1-0" if the first player (MAX, Black) has won, "0-1", "1/2-1/2", "*" while it lasts."""
        return self._outcome()[0]

    @property
    def reason(self) -> str:
        """Why it ended, in words; empty while it lasts."""
        return self._outcome()[1]

    def _outcome(self) -> tuple[str, str]:
        if self.position.over():
            result = {1: "1-0", -1: "0-1", 0: DRAW}[self.position.value()]
            return result, self.position.ending()
        if self.recorded:
            return self.recorded, "" if self.recorded == OPEN else "as recorded"

        quiet = self._quiet_plies()
        if self.start.patience and quiet >= self.start.patience:
            return DRAW, f"{count(quiet, 'ply', 'plies')} without progress"
        if self.positions.count(self.position) >= REPETITIONS:
            return DRAW, "the same position for the third time"
        return OPEN, ""

    def _quiet_plies(self) -> int:
        """Return how many of the last moves made no progress."""
        quiet = 0
        for before, (_, move, _) in zip(self.positions, self.plies, strict=False):
            quiet = 0 if before.progress(move) else quiet + 1
        return quiet

    # PDN

    @classmethod
    def from_pdn(cls, text: str | bytes, source: str = "the PDN") -> "Match":
        """Return the single game of the text, or the only one that could be read."""
        matches = matches_of(text, source)
        matches.warn()
        return matches.single(source)

    def pdn(self) -> str:
        """Return the match as PDN.

        `Match.from_pdn` returns one with the same moves, result and tags.
        """
        if not isinstance(self.start, Checkers):
            raise AbvizError(
                f"this is a match of {self.start.title}; expected checkers, the only game with PDN"
            )
        tags = {**self.tags, "Result": self.result}
        return write_pdn(tags, self.moves, self.result, self.start.fen)

    def __repr__(self) -> str:
        return f"<Match of {self.start.title}: {count(len(self.plies), 'move')}, {self.result}>"


class PlayerOptions(SearchOptions, total=False):
    """The options of `search`, and the depth."""

    depth: int | None


class Player:
    """A player that searches for every move.

    The options are those of `search`: a depth, `seconds`, `nodes`, `weights` …
    """

    def __init__(self, depth: int | None = None, **options: Unpack[SearchOptions]):
        self.options: PlayerOptions = {"depth": depth, **options}

        # Made so that wrong options are refused now; weights depend on the game
        tried = self.options.copy()
        tried.pop("weights", None)
        Search(TicTacToe.start(), **tried)

    def choose(self, position: Position) -> str:
        """Return the name of the move. A forced move is not searched for."""
        moves = position.moves()
        return str(moves[0] if len(moves) == 1 else search(position, **self.options).move)

    def __repr__(self) -> str:
        options = [f"{name}={each!r}" for name, each in self.options.items() if each is not None]
        return f"Player({', '.join(options)})"


def play_in_terminal(
    position: AnyPosition, engine: Player, *, engine_is_max: bool = False
) -> Match:
    """Play from the position until the match is over or the reader quits, and return the match."""
    answers: dict[str, Callable[[Match], str]] = {
        "moves": lambda match: " ".join(match.position.moves()),
        "hint": lambda match: str(search(match.position, **engine.options)).partition("\n")[0],
        "fen": lambda match: position_text(match.position),
    }
    if isinstance(position, Checkers):
        answers["pdn"] = Match.pdn
    usage = f"Type a move, or: {', '.join(answers)}, undo, quit."
    answers |= dict.fromkeys(("", "help", "?"), lambda match: usage)

    match = Match(position)
    print(usage, match.position, sep="\n")
    while not match.over:
        if engine_is_max == match.position.is_max():
            match = _engine_plays(match, engine)
            continue

        try:
            player = match.position.players[not match.position.is_max()]
            line = input(f"{player} (q to quit)> ").strip()
            if line in QUIT and line not in match.position.moves():
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


def _engine_plays(match: Match, engine: Player) -> Match:
    result = search(match.position, **engine.options)
    match = match.play(str(result.move))
    words = result.in_words.removesuffix(f" at depth {result.depth}")
    print(f"\nThe engine plays {result.move} (depth {result.depth}, {words}).")
    print(match.position)
    return match


# PDN


class Matches(list[Match]):
    """The games of a PDN text that could be read.

    `problems` has a line about each of the others.
    """

    problems: tuple[str, ...] = ()

    def single(self, source: str) -> Match:
        """Return the only game."""
        if len(self) > 1:
            raise AbvizError(f"{source} holds {len(self)} games; expected one, or read_matches")
        return self[0]

    def warn(self) -> None:
        """Warn of each problem, at the line that has called what calls this."""
        for each in self.problems:
            warnings.warn(f"left out: {each}", stacklevel=3)


def read_matches(text: str | bytes, source: str = "the PDN") -> Matches:
    """Return the games of a PDN text in their order, each move checked by the rules.

    The result is the one after the moves; `*` or nothing there leaves it to the tag. Draws are not
    claimed. A game that is not PDN, has an illegal move, contradicts the board or is another game
    than English checkers is left out, with a warning that names the source, the game and the line.
    Raises AbvizError where that leaves no game at all.
    """
    matches = matches_of(text, source)
    matches.warn()
    return matches


def matches_of(text: str | bytes, source: str = "the PDN") -> Matches:
    """Return what `read_matches` does, without warnings."""
    matches, problems = Matches(), []
    games = written_games(decoded(text))
    number = 0
    for written in games:
        is_between = written.is_stray and len(games) > 1
        number += not is_between
        try:
            matches.append(_replayed(written, source if is_between else f"{source}, game {number}"))
        except AbvizError as problem:
            problems.append(str(problem))

    if not problems and not matches:
        raise AbvizError(f"{source} holds no game; expected moves such as 1. 11-15 23-19")
    if not matches:
        more = (
            f" (and {count(len(problems) - 1, 'more game')} with a problem)"
            if len(problems) > 1
            else ""
        )
        raise AbvizError(problems[0] + more)

    matches.problems = tuple(problems)
    return matches


def _replayed(written: WrittenGame, place: str) -> Match:
    """Return the match of a game as written.

    Raises AbvizError, which names the place, where it is none.
    """
    game_type = written.tag("GAMETYPE", "")
    if other := other_game(game_type.text):
        raise AbvizError(
            f"{place}, line {game_type.line}: this is {other}; "
            "expected English checkers (GameType 21)"
        )

    if written.problem:
        raise AbvizError(f"{place}, line {written.problem.line}: {written.problem.text}")

    result = written.result
    if result is None or result.text == OPEN:
        result = written.tag("RESULT", OPEN)
    if result.text not in RESULTS:
        raise AbvizError(
            f"{place}, line {result.line}: the result is {brief(result.text)}; "
            f"expected {', '.join(RESULTS)}"
        )

    fen = written.tag("FEN", START)
    start: AnyPosition = Checkers.from_fen(
        write_fen(*read_fen(fen.text, f"{place}, line {fen.line}, FEN tag"))
    )
    own = {
        name: value.text for name, value in written.tags.items() if name.upper() not in DERIVED_TAGS
    }

    match = Match(start, tags=own, recorded=OPEN)
    for ply, move in enumerate(written.moves, start.turn):
        try:
            match = match.play(move.text)
        except AbvizError as problem:
            whose = f"move {ply // 2 + 1} of {start.players[ply % 2]}"
            raise AbvizError(f"{place}, line {move.line}, {whose}: {problem}") from None

    if match.over and result.text not in (OPEN, match.result):
        board = f"the board says {match.result} ({match.reason})"
        raise AbvizError(f"{place}, line {result.line}: the result is {result.text}; {board}")
    return replace(match, recorded=result.text)
