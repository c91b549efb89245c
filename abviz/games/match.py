"""A match: a start position, the moves made since, and how it ends.

The rules of a game decide when it is over on the board. A match also knows the draws that depend on its history: the
same position for the third time and, where the game has a `patience`, that many plies without progress. A player has
to claim such a draw; engines always do, and people often did not.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from abviz.errors import AbvizError, brief, count, unknown
from abviz.games.checkers import Checkers
from abviz.games.notation import DRAW, OPEN, RESULTS, PdnGame, move_text, read_pdn, write_pdn
from abviz.games.rules import is_game, mimebundle

OWN_TAGS = ("RESULT", "FEN", "SETUP")  # tags of PDN that a match derives
RECORDED = "as recorded"
REPETITIONS = 3


@dataclass(frozen=True)
class Ply:
    """One move, and the position after it."""

    name: str
    move: int  # as the rules number it
    position: Any
    search: Any = None  # the result of the search that chose it


@dataclass(frozen=True, eq=False, repr=False)
class Match:
    """A match that never changes: `play` returns a longer one, `undo` a shorter one.

    >>> match = Match().play("11-15").play("23-19")
    >>> match.moves, match.result
    (('11-15', '23-19'), '*')
    """

    start: Any = field(default_factory=Checkers.start)
    plies: tuple[Ply, ...] = ()
    tags: Mapping[str, str] = field(default_factory=dict)  # of PDN, without OWN_TAGS
    claims: bool = True  # whether a draw is claimed as soon as possible
    ended: tuple[str, str] | None = None  # result and reason, where it was ended off the board

    def __post_init__(self) -> None:
        if not is_game(type(self.start)):
            raise AbvizError(f"{brief(self.start)} is not a position of a game; expected one: Checkers.start()")

    @property
    def position(self) -> Any:
        return self.plies[-1].position if self.plies else self.start

    @property
    def positions(self) -> tuple[Any, ...]:
        """All positions from the start to now: one more than there are moves."""
        return (self.start, *(ply.position for ply in self.plies))

    @property
    def moves(self) -> tuple[str, ...]:
        return tuple(ply.name for ply in self.plies)

    @property
    def searches(self) -> tuple[Any, ...]:
        """The result of the search for each move; None for a move that was not searched for."""
        return tuple(ply.search for ply in self.plies)

    def play(self, move: str, *, search: Any = None) -> "Match":
        """Return the match after a legal move. Raises AbvizError for any other, and where the match is over."""
        if self.over:
            raise AbvizError(f"{brief(move)} cannot be played: the match is over ({self.result}, {self.reason})")
        number = self.position.find_move(move)
        ply = Ply(self.position.move_name(number), number, self.position.play(number), search)
        return replace(self, plies=(*self.plies, ply))

    def undo(self, plies: int = 1) -> "Match":
        """Return the match without its last moves, open again if it had been ended."""
        if not 0 <= plies <= len(self.plies):
            raise AbvizError(f"plies is {brief(plies)}; expected 0 to {len(self.plies)}")
        return replace(self, plies=self.plies[: len(self.plies) - plies], ended=None)

    def end(self, result: str, reason: str = "agreed") -> "Match":
        """Return the match ended by its players, who resign or agree on a draw, or stopped ("*")."""
        if result not in RESULTS:
            raise unknown("result", result, RESULTS)
        if self.over:
            raise AbvizError(f"the match is already over ({self.result}, {self.reason})")
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
        """Why a draw can be claimed now, in words; empty where it cannot."""
        patience = self.start.patience
        if patience and (quiet := self._quiet()) >= patience:
            return f"{count(quiet, 'ply', 'plies')} without progress"
        return "the same position for the third time" if self.positions.count(self.position) >= REPETITIONS else ""

    def _outcome(self) -> tuple[str, str]:
        if self.position.over():
            return {1: "1-0", -1: "0-1", 0: DRAW}[self.position.value()], self.position.ending()
        if self.ended:
            return self.ended
        return (DRAW, self.draw) if self.claims and self.draw else (OPEN, "")

    def _quiet(self) -> int:
        """Return the plies since the last progress."""
        progress = [before.progress(ply.move) for ply, before in zip(self.plies, self.positions, strict=False)]
        return [*reversed(progress), True].index(True)

    # PDN

    @classmethod
    def from_pdn(cls, text: str | bytes, source: str = "the PDN") -> "Match":
        """Return the single game of the text: see `read_matches`."""
        matches = read_matches(text, source)
        if len(matches) > 1:
            raise AbvizError(f"{source} holds {len(matches)} games; expected one, or read_matches")
        return matches[0]

    def pdn(self, tags: Mapping[str, str] | None = None) -> str:
        """Return the match as PDN, with its tags and these. `Match.from_pdn` returns an equal one."""
        if not isinstance(self.start, Checkers):
            raise AbvizError(f"this is a match of {self.start.title}; expected checkers, the only game with PDN")
        tags = {**self.tags, **(tags or {}), "Result": self.result}
        return write_pdn(PdnGame(tags, self.moves, self.result, self.start.fen))

    # as a value, and for people

    def svg(self) -> str | None:
        """Return the position now, with the last move marked; None for a game without a picture."""
        if not hasattr(self.position, "svg"):
            return None
        last = {"last": self.plies[-1].move, "before": self.positions[-2]} if self.plies else {}
        return str(self.position.svg(**last))

    def __eq__(self, other: object) -> bool:
        """Compare start, moves, result and tags, but not the searches."""
        names = ("start", "moves", "result", "tags")
        return isinstance(other, Match) and all(getattr(self, name) == getattr(other, name) for name in names)

    def __repr__(self) -> str:
        return f"<Match of {self.start.title}: {count(len(self.plies), 'move')}, {self.result}>"

    def __str__(self) -> str:
        names = ", ".join(f"{player}: {self.tags[player]}" for player in self.start.players if player in self.tags)
        moves = move_text((before.is_max(), name) for before, name in zip(self.positions, self.moves, strict=False))
        end = f"{self.result}: {self.reason}" if self.reason else ""
        return "\n".join(part for part in (names, moves, str(self.position), end) if part)

    _repr_mimebundle_ = mimebundle


def read_matches(text: str | bytes, source: str = "the PDN") -> list[Match]:
    """Return the games of a PDN text in their order, each move checked by the rules.

    Draws are not claimed in them: a record tells how a game continued. Raises AbvizError, which names the source, the
    game and the move, for an illegal move, and where a result contradicts the board.
    """
    return [_replayed(game, i, source) for i, game in enumerate(read_pdn(text, source), 1)]


def _replayed(game: PdnGame, number: int, source: str) -> Match:
    start: Any = Checkers.from_fen(game.start)
    tags = {name: value for name, value in game.tags.items() if name.upper() not in OWN_TAGS}
    match = Match(start, tags=tags, claims=False)
    for ply, move in enumerate(game.moves, start.turn):
        try:
            match = match.play(move)
        except AbvizError as problem:
            place = f"{source}, game {number}, move {ply // 2 + 1} of {start.players[ply % 2]}"
            raise AbvizError(f"{place}: {problem}") from None
    if match.over and game.result not in (OPEN, match.result):
        ends = f"the board says {match.result} ({match.reason})"
        raise AbvizError(f"{source}, game {number}: the result is {game.result}; {ends}")
    if not match.over and game.result != OPEN:
        match = match.end(game.result, RECORDED)
    return match
