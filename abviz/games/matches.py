"""A game as it is played: a start, the moves since then, and how it ends.

The rules of a game say when it is over on the board. A match also knows the draws that come of how it went: the same
position for the third time, and, where the game has a `patience`, so many plies without progress. A player has to
claim such a draw; engines always do, and in the records of games that people played it was often left.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from textwrap import fill
from typing import Any

from abviz.errors import AbvizError, brief, count, unknown
from abviz.games.boards import board_svg, tic_tac_toe_svg
from abviz.games.checkers import Checkers
from abviz.games.notation import RESULTS, PdnGame, read_move, read_pdn, write_pdn
from abviz.games.paths import all_paths
from abviz.games.rules import is_game
from abviz.games.tic_tac_toe import NAMES, TicTacToe

OPEN, DRAW = "*", "1/2-1/2"
OWN_TAGS = ("RESULT", "FEN", "SETUP")  # what these say, a match knows
RECORDED = "as recorded"
TIMES = 3  # that the same position comes up, with the same side to move: then it is a draw
WIDTH = 79


@dataclass(frozen=True)
class Ply:
    """One move, and what came of it."""

    name: str
    move: int  # as the rules number it
    position: Any  # after the move
    search: Any = None  # what its player had found, where it was searched for


@dataclass(frozen=True, eq=False, repr=False)
class Match:
    """A game from its start. It never changes: `play` gives a longer match, `undo` a shorter one.

    >>> match = Match().play("11-15").play("23-19")
    >>> match.moves, match.result
    (('11-15', '23-19'), '*')
    """

    start: Any = field(default_factory=Checkers.start)
    plies: tuple[Ply, ...] = ()
    tags: Mapping[str, str] = field(default_factory=dict)  # of PDN, but for those that the match knows by itself
    claims: bool = True  # whether a draw is claimed as soon as it can be
    ended: tuple[str, str] | None = None  # result and reason, where it was ended before the board did

    def __post_init__(self) -> None:
        if not is_game(type(self.start)):
            raise AbvizError(f"{brief(self.start)} is no position of a game; expected one, such as Checkers.start()")

    # how it went

    @property
    def position(self) -> Any:
        return self.plies[-1].position if self.plies else self.start

    @property
    def positions(self) -> tuple[Any, ...]:
        """From the start to now: one more than there are moves."""
        return (self.start, *(ply.position for ply in self.plies))

    @property
    def moves(self) -> tuple[str, ...]:
        return tuple(ply.name for ply in self.plies)

    @property
    def searches(self) -> tuple[Any, ...]:
        """What was found before each move; None for a move that nobody searched for."""
        return tuple(ply.search for ply in self.plies)

    # how it goes on

    def play(self, move: str, *, search: Any = None) -> "Match":
        """The match after a legal move. Raises AbvizError for any other, and where the match is over."""
        if self.over:
            raise AbvizError(f"{brief(move)} cannot be played: the match is over ({self.result}, {self.reason})")
        number = self.position.find_move(move)
        ply = Ply(self.position.move_name(number), number, self.position.play(number), search)
        return replace(self, plies=(*self.plies, ply))

    def undo(self, plies: int = 1) -> "Match":
        """The match before its last moves, and open again if it had been ended."""
        if isinstance(plies, bool) or not isinstance(plies, int) or not 0 <= plies <= len(self.plies):
            raise AbvizError(f"asked to undo {brief(plies)} plies; expected 0 to {len(self.plies)}")
        return replace(self, plies=self.plies[: len(self.plies) - plies], ended=None)

    def end(self, result: str, reason: str = "agreed") -> "Match":
        """The match ended by its players, who resign or agree on a draw, or by whoever stops it ("*")."""
        if result not in RESULTS:
            raise unknown("result", result, RESULTS)
        if self.over:
            raise AbvizError(f"the match is over already ({self.result}, {self.reason})")
        return replace(self, ended=(result, reason))

    # how it ends

    @property
    def over(self) -> bool:
        return self.result != OPEN

    @property
    def result(self) -> str:
        """ "1-0" where the first player (MAX, Black) has won, "0-1", "1/2-1/2", and "*" while it goes on."""
        return self._outcome()[0]

    @property
    def reason(self) -> str:
        """Why it ended, in words; empty while it goes on."""
        return self._outcome()[1]

    @property
    def draw(self) -> str:
        """Why a draw may be claimed now, in words; empty where it may not."""
        patience = self.start.patience
        if patience and self._quiet() >= patience:
            return f"{count(self._quiet(), 'ply', 'plies')} without progress"
        if self.positions.count(self.position) >= TIMES:
            return "the same position for the third time"
        return ""

    def _outcome(self) -> tuple[str, str]:
        if self.position.over():
            return self._on_the_board()
        if self.ended and self.ended != (DRAW, RECORDED):
            return self.ended
        if (self.ended or self.claims) and self.draw:
            return DRAW, self.draw
        return self.ended or (OPEN, "")

    def _on_the_board(self) -> tuple[str, str]:
        return {1: "1-0", -1: "0-1", 0: DRAW}[self.position.value()], self.position.ending()

    def _quiet(self) -> int:
        """Plies since the last progress."""
        quiet = 0
        while quiet < len(self.plies):
            before = self.plies[-quiet - 2].position if quiet + 2 <= len(self.plies) else self.start
            if before.progress(self.plies[-quiet - 1].move):
                break
            quiet += 1
        return quiet

    # in and out

    @classmethod
    def from_pdn(cls, text: str | bytes, source: str = "the PDN") -> "Match":
        """The one game that the text holds: see `read_matches`."""
        matches = read_matches(text, source)
        if len(matches) > 1:
            raise AbvizError(f"{source} holds {len(matches)} games; expected one, or read_matches")
        return matches[0]

    def pdn(self, tags: Mapping[str, str] | None = None) -> str:
        """The match as PDN, with its tags and those that are told. `Match.from_pdn` gives an equal one back."""
        if not isinstance(self.start, Checkers):
            raise AbvizError(f"this is a match of {self.start.title}; expected checkers, which alone has PDN")
        told = {**self.tags, **(tags or {})}
        for name in told:
            if name.upper() in OWN_TAGS:
                raise AbvizError(f"the tag {name} is told; expected others, for the match itself knows what it says")
        moves = tuple(map(read_move, self.moves))
        return write_pdn(PdnGame({**told, "Result": self.result}, moves, self.result, self.start.placement))

    # for people

    def svg(self) -> str | None:
        """The position now, with the last move marked; None for a game without a picture."""
        if isinstance(self.start, Checkers):
            return board_svg(self.position.placement, last=self._last_squares())
        if isinstance(self.start, TicTacToe):
            return tic_tac_toe_svg(self.position.cells, last=NAMES.index(self.moves[-1]) if self.moves else None)
        shown: dict[str, str] = getattr(self.position, "_repr_mimebundle_", dict)()
        return shown.get("image/svg+xml")

    def _last_squares(self) -> Iterable[int]:
        return all_paths(self.undo().position)[self.plies[-1].move][0] if self.plies else ()

    def _numbered(self) -> Iterator[str]:
        """The moves, with a number before each of MAX's, and before the first one if it is MIN's."""
        number = 0
        for ply, before in zip(self.plies, self.positions, strict=False):
            if before.is_max() or number == 0:
                number += 1
                # A space that no line breaks at: a number stays with its move.
                yield f"{number}.\xa0{ply.name}" if before.is_max() else f"{number}...\xa0{ply.name}"
            else:
                yield ply.name

    def __eq__(self, other: object) -> bool:
        """The same start, moves, result and tags; not by what searches they came about."""
        return isinstance(other, Match) and self._as_told() == other._as_told()

    def __hash__(self) -> int:
        return hash(self._as_told()[:-1])

    def _as_told(self) -> tuple[Any, ...]:
        return self.start, self.moves, self.result, dict(self.tags)

    def __repr__(self) -> str:
        return f"<Match of {self.start.title}: {count(len(self.plies), 'move')}, {self.result}>"

    def __str__(self) -> str:
        names = ", ".join(f"{player}: {self.tags[player]}" for player in self.start.players if player in self.tags)
        moves = fill(" ".join(self._numbered()), WIDTH, break_long_words=False, break_on_hyphens=False)
        moves = moves.replace("\xa0", " ")
        end = f"{self.result}: {self.reason}" if self.reason else ""
        return "\n".join(part for part in (names, moves, str(self.position), end) if part)

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        svg = self.svg()
        return {"text/plain": str(self)} | ({"image/svg+xml": svg} if svg else {})


def read_matches(text: str | bytes, source: str = "the PDN") -> list[Match]:
    """The games of a PDN text, each move checked by the rules, in their order.

    Nobody claims a draw in them: a record says how a game went on. Raises AbvizError, which names the source, the line,
    the game and the move, for a move that is not legal; also where a result contradicts the board.
    """
    return [_replayed(game, i, source) for i, game in enumerate(read_pdn(text, source), 1)]


def _replayed(game: PdnGame, number: int, source: str) -> Match:
    start: Any = Checkers.from_placement(game.start)
    tags = {name: value for name, value in game.tags.items() if name.upper() not in OWN_TAGS}
    match = Match(start, tags=tags, claims=False)
    for ply, written in enumerate(game.moves, start.turn):
        told = written.text if len(written.squares) == 2 else str(written)  # a jump may have been written in pieces
        try:
            match = match.play(told)
        except AbvizError as problem:
            place = f"{source}, line {written.line}: game {number}, move {ply // 2 + 1} of {start.players[ply % 2]}"
            raise AbvizError(f"{place}: {problem}") from None
    if not match.over:
        return match if game.result == OPEN else match.end(game.result, RECORDED)
    if game.result not in (OPEN, match.result):
        ends = f"the board says {match.result} ({match.reason})"
        raise AbvizError(f"{source}, line {game.line}: game {number} has the result {game.result}; {ends}")
    return match
