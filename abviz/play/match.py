"""A match: a start position, the moves made since, and how it ends; players, also in a terminal; and games as PDN.

The rules of a game decide when it is over on the board. A match also knows the draws that depend on its history: the
same position for the third time and, where the game has a `patience`, that many plies without progress. Players of the
engine claim such a draw at once; people often did not, so a match that is read from PDN continues.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from textwrap import fill
from typing import Any

from abviz.engine.api import Search, search
from abviz.errors import AbvizError, brief, count
from abviz.games.boards import position_text
from abviz.games.checkers import Checkers
from abviz.games.notation import MOVE, START, read_fen, read_move, write_fen
from abviz.games.rules import is_game, worth
from abviz.games.tic_tac_toe import TicTacToe

DERIVED_TAGS = ("RESULT", "FEN", "SETUP")  # tags of PDN that follow from the match
REPETITIONS = 3
LINE = 79  # letters
# PDN gives the first player's score first, which is Black's in English checkers; in chess "1-0" is White's win.
OPEN, DRAW = "*", "1/2-1/2"
RESULTS = ("1-0", "0-1", DRAW, "0-0", OPEN)


@dataclass(frozen=True, eq=False, repr=False)
class Match:
    """A match that never changes: `play` returns a longer one.

    >>> match = Match().play("11-15").play("23-19")
    >>> match.moves, match.result
    (('11-15', '23-19'), '*')
    """

    start: Any = field(default_factory=Checkers.start)
    plies: tuple[tuple[str, int, Any], ...] = ()  # each move: its name, its number, and the position after it
    tags: Mapping[str, str] = field(default_factory=dict)  # of PDN, without DERIVED_TAGS
    recorded: str = ""  # the result in the PDN; if there is one, no draw is claimed

    def __post_init__(self) -> None:
        if not is_game(type(self.start)):
            raise AbvizError(f"{brief(self.start)} is not a position of a game; expected one: Checkers.start()")

    @property
    def position(self) -> Any:
        return self.plies[-1][2] if self.plies else self.start

    @property
    def positions(self) -> tuple[Any, ...]:
        """All positions from the start to now: one more than there are moves."""
        return (self.start, *(position for *_, position in self.plies))

    @property
    def moves(self) -> tuple[str, ...]:
        return tuple(name for name, *_ in self.plies)

    def play(self, move: str) -> "Match":
        """Return the match after a legal move. Raises AbvizError for any other, and where the match is over."""
        if self.over:
            raise AbvizError(f"{brief(move)} cannot be played: the match is over ({self.result}, {self.reason})")
        number = self.position.find_move(move)
        ply = (self.position.move_name(number), number, self.position.play(number))
        return replace(self, plies=(*self.plies, ply))

    # how it ends

    @property
    def over(self) -> bool:
        return self.result != OPEN

    @property
    def result(self) -> str:
        """ "1-0" where the first player (MAX, Black) has won, "0-1", "1/2-1/2", and "*" while it lasts."""
        return self._outcome()[0]

    @property
    def reason(self) -> str:
        """Why it ended, in words; empty while it lasts."""
        return self._outcome()[1]

    def _outcome(self) -> tuple[str, str]:
        if self.position.over():
            return {1: "1-0", -1: "0-1", 0: DRAW}[self.position.value()], self.position.ending()
        if self.recorded:
            return self.recorded, "" if self.recorded == OPEN else "as recorded"
        progress = [before.progress(move) for before, (_, move, _) in zip(self.positions, self.plies, strict=False)]
        quiet = [*reversed(progress), True].index(True)
        if self.start.patience and quiet >= self.start.patience:
            return DRAW, f"{count(quiet, 'ply', 'plies')} without progress"
        if self.positions.count(self.position) >= REPETITIONS:
            return DRAW, "the same position for the third time"
        return OPEN, ""

    # PDN

    @classmethod
    def from_pdn(cls, text: str | bytes, source: str = "the PDN") -> "Match":
        """Return the single game of the text: see `read_matches`."""
        matches = read_matches(text, source)
        if len(matches) > 1:
            raise AbvizError(f"{source} holds {len(matches)} games; expected one, or read_matches")
        return matches[0]

    def pdn(self) -> str:
        """Return the match as PDN. `Match.from_pdn` returns one with the same moves, result and tags."""
        if not isinstance(self.start, Checkers):
            raise AbvizError(f"this is a match of {self.start.title}; expected checkers, the only game with PDN")
        return write_pdn({**self.tags, "Result": self.result}, self.moves, self.result, self.start.fen)

    def __repr__(self) -> str:
        return f"<Match of {self.start.title}: {count(len(self.plies), 'move')}, {self.result}>"


class Player:
    """A player that searches for every move, with the options of `search`: a depth, `seconds`, `nodes`, `weights` …"""

    def __init__(self, depth: int | None = None, **options: Any):
        self.options = {"depth": depth, **options}
        Search(TicTacToe.start(), **{key: each for key, each in self.options.items() if key != "weights"})  # or refuses

    def choose(self, position: Any) -> str:
        """Return the name of the move. A forced move is not searched for."""
        moves = position.moves()
        return str(moves[0] if len(moves) == 1 else search(position, **self.options).move)

    def __repr__(self) -> str:
        return f"Player({', '.join(f'{name}={each!r}' for name, each in self.options.items() if each is not None)})"


def play_in_terminal(position: Any, engine: Player, *, engine_is_max: bool = False) -> Match:
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


# PDN (Portable Draughts Notation 3.0)


# Each alternative begins differently or fails at once, so the time grows with the length of a hostile text.
_TOKEN = re.compile(
    r'\s+|\{[^}]*\}|;[^\n]*|\[\s*(?P<name>\w+)\s*"(?P<value>(?:[^"\\\n]|\\.)*)"\s*\]'
    r"|(?P<result>1/2-1/2|(?:1-0|0-1|0-0)(?![0-9])|\*)"
    rf"|[0-9]+\.+|[!?]+|\.\.+|(?P<move>{MOVE})|(?P<wrong>[^\s]{{1,40}})",
    re.IGNORECASE,
)


def read_matches(text: str | bytes, source: str = "the PDN") -> list[Match]:
    """Return the games of a PDN text in their order, each move checked by the rules.

    The result is the one after the moves; `*` or nothing there leaves it to the tag. Draws are not claimed. Raises
    AbvizError, which names the source, the game and the move, for text that is not PDN, for an illegal move, where a
    result contradicts the board, and where there is no game at all.
    """
    text = text.decode("utf-8", "replace") if isinstance(text, bytes) else text
    tokens = [token.groupdict() for token in _TOKEN.finditer(text.removeprefix("\ufeff"))]
    if not any(any(token.values()) for token in tokens):
        raise AbvizError(f"{source} holds no game; expected moves such as 1. 11-15 23-19")
    matches: list[Match] = []
    tags: dict[str, str] = {}  # of a repeated one, the first counts
    moves: list[str] = []
    for token in [*tokens, {"result": OPEN}]:  # the end of the text ends a game, too
        place, result, move, name = f"{source}, game {len(matches) + 1}", *map(token.get, ("result", "move", "name"))
        if token.get("wrong"):
            raise AbvizError(f"{place}: {brief(token['wrong'])} is not PDN; expected a move such as 11-15 or 11x18")
        if (result and (tags or moves or not matches)) or (name and moves):  # "1-0 *" ends one game only
            matches.append(_replayed(tags, moves, result or OPEN, place))
            tags, moves = {}, []
        if move:
            moves.append(("x" if "x" in move.lower() else "-").join(map(str, read_move(move, f"{place}: the move"))))
        elif name:
            tags.setdefault(name, re.sub(r'\\(["\\])', r"\1", token["value"]))
    return matches


def _replayed(tags: dict[str, str], moves: Sequence[str], result: str, place: str) -> Match:
    """Return the match of a game as written. Raises AbvizError, which names the place, where the rules forbid it."""
    by_name = {name.upper(): value for name, value in reversed(tags.items())}
    result = by_name.get("RESULT", OPEN) if result == OPEN else result
    if result not in RESULTS:
        raise AbvizError(f"{place}: the result is {brief(result)}; expected {', '.join(RESULTS)}")
    start: Any = Checkers.from_fen(write_fen(*read_fen(by_name.get("FEN", START), f"{place}, FEN tag")))
    own = {name: value for name, value in tags.items() if name.upper() not in DERIVED_TAGS}
    match = Match(start, tags=own, recorded=OPEN)
    for ply, move in enumerate(moves, start.turn):
        try:
            match = match.play(move)
        except AbvizError as problem:
            raise AbvizError(f"{place}, move {ply // 2 + 1} of {start.players[ply % 2]}: {problem}") from None
    if match.over and result not in (OPEN, match.result):
        board = f"the board says {match.result} ({match.reason})"
        raise AbvizError(f"{place}: the result is {result}; {board}")
    return replace(match, recorded=result)


def write_pdn(tags: Mapping[str, str], moves: Sequence[str], result: str, start: str = START) -> str:
    """Return a game as PDN, in lines of at most 79 letters, with a FEN tag where it does not begin at the start."""
    tags = {**tags} | ({} if start == START else {"SetUp": "1", "FEN": start})
    escaped = ((name, re.sub(r'(["\\])', r"\\\1", value.replace("\n", " "))) for name, value in tags.items())
    header = "".join(f'[{name} "{value}"]\n' for name, value in escaped)
    words: list[str] = []
    for ply, move in enumerate(moves, start.startswith("W")):
        if ply % 2 == 0 or not words:
            words.append(f"{ply // 2 + 1}.{'..' * (ply % 2)}")
        words.append(move)
    lines = fill(" ".join([*words, result]), LINE, break_long_words=False, break_on_hyphens=False)
    return f"{header}\n{lines}\n".lstrip("\n")
