"""Games of English checkers, read from Portable Draughts Notation in all the spellings of real files.

Squares are known here, rules are not: whether a move is legal, the game itself must say. The source is the PDN 3.0
standard: its reading grammar, and what it lists as found in practice.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from abviz.errors import AbvizError, brief
from abviz.games.placement import START, Placement, read_fen, square_number

# From the side of the player who moves first, who is Black in English checkers (PDN 3.0, "Result tag"), and so it is
# meant in archives of checkers. In chess, and in much that is written on PDN, "1-0" is White's.
RESULTS = {
    "1-0": "Black won",
    "0-1": "White won",
    "1/2-1/2": "a draw",
    "0-0": "lost by both",
    "*": "not ended, or not known",
}
_AS_RESULT = {result: result for result in RESULTS}
_AS_RESULT |= {"1/2": "1/2-1/2", "½": "1/2-1/2", "½-½": "1/2-1/2", "?": "*", "": "*"}

_STEP, _JUMP = "-–−‐", "xX×:"
_SIGN = rf"\s*+[{_STEP}{_JUMP}]\s*+"
# Every quantifier that could give back what it took is possessive: a hostile text costs no more than it is long.
_TOKEN = re.compile(
    r"(?P<space>\s++)"
    r"|(?P<comment>\{[^}]*+\}|[;%][^\n]*+)"
    r'|(?P<tag>\[[ \t]*+\w++[ \t]*+"(?:(?:\\["\\]|"(?![ \t]*+\])|[^"\n])*+|[^"\n]*+)"[ \t]*+\])'
    r"|(?P<opening>\()|(?P<closing>\))"
    r"|(?P<draw>1/2\s*+-\s*+1/2|½\s*+-\s*+½|1/2|½)"
    r"|(?P<number>[0-9]++\.++)"
    r"|(?P<filler>\.\.++|…|\$[0-9]++|[!?]++|(?<=[0-9!?])\*)"  # a * close to a move calls it forced
    rf"|(?P<move>[0-9]++(?:{_SIGN}[0-9]++)++|[0-9]{{4}}(?![0-9]))"
    r"|(?P<star>\*)"
    r"|(?P<word>[^\s\d{}()\[\];%$!?*]++)"
    r"|(?P<odd>.)"
)
_TAG = re.compile(r'\[\s*(\w+)\s*"(.*)"\s*\]')
_ESCAPED = re.compile(r'\\(["\\])')
_DASH = re.compile(f"[{_STEP}]")
_DIGITS = re.compile(r"[0-9]+")


@dataclass(frozen=True, slots=True)
class PdnMove:
    """A move as it was written. Two are equal if they name the same squares in the same way."""

    squares: tuple[int, ...]  # as written: (11, 15), (26, 1) or (26, 17, 10, 1)
    is_jump: bool  # by its sign, or because no step joins the squares
    text: str = field(default="", compare=False)
    line: int = field(default=0, compare=False)  # of the text, from 1; 0 if it was not read from one

    def __str__(self) -> str:
        return ("x" if self.is_jump else "-").join(map(str, self.squares))


@dataclass(frozen=True, slots=True)
class PdnGame:
    """A game as it was written, without comments and variations."""

    tags: dict[str, str] = field(default_factory=dict)  # in their order; of a tag given twice, the first
    moves: tuple[PdnMove, ...] = ()
    result: str = "*"  # one of RESULTS
    start: Placement = START
    line: int = field(default=0, compare=False)  # where it begins


def read_pdn(text: str | bytes, source: str = "the PDN") -> list[PdnGame]:
    """The games that the text holds, in their order. Bytes are UTF-8 or, where they are not, Latin-1.

    The result is the one after the moves; a `*` there, or nothing, leaves it to the tag. A jump written in pieces
    (`11x18 18x25`) is one move. A tag that comes a second time after an empty line begins a game.
    Raises AbvizError, which names the source and the line, for an unknown result, a comment or a variation without
    an end, a bad FEN, and whatever else is no move; also where there is no game at all.
    """
    games = _Games(source)
    for kind, token, line in _tokens(_decoded(text)):
        games.take(kind, token, line)
    return games.all()


def read_move(text: str, place: str = "the move") -> PdnMove:
    """The one move that the text is, in any of the spellings. Raises AbvizError, which names the place."""
    tokens = [token for token in _tokens(text) if token[0] not in ("space", "filler")] if isinstance(text, str) else []
    if [kind for kind, _, _ in tokens] != ["move"]:
        raise AbvizError(f"{place} is {brief(text)}; expected squares, such as 11-15 or 11x18")
    return _move(tokens[0][1], 0, place)


def tag_value(tags: dict[str, str], name: str) -> str:
    """The value of a tag, however its name is capitalised; empty if it is not there."""
    return next((value for given, value in tags.items() if given.upper() == name.upper()), "")


def result_of(written: str, place: str) -> str:
    """The result, one of RESULTS, that a Result tag means. Raises AbvizError, which names the place."""
    squeezed = _squeezed(written)
    if squeezed not in _AS_RESULT:
        raise AbvizError(f"{place}: the result is {brief(written)}; expected {', '.join(RESULTS)}")
    return _AS_RESULT[squeezed]


def start_of(fen: str, place: str) -> Placement:
    """The position that a FEN tag means: the usual start where it is empty or missing."""
    return read_fen(fen, f"{place}, FEN tag") if fen.strip() else START


def _decoded(text: str | bytes) -> str:
    if isinstance(text, bytes):
        return _decoded(_from_bytes(text))
    if not isinstance(text, str):
        raise AbvizError(f"asked to read {brief(text)}; expected the text of PDN")
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def _from_bytes(data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def _tokens(text: str) -> Iterator[tuple[str, str, int]]:
    """The kind, the text and the line of each token."""
    line = 1
    for match in _TOKEN.finditer(text):
        token = match.group()
        yield match.lastgroup or "odd", token, line
        line += token.count("\n")


def _squeezed(written: str) -> str:
    return _DASH.sub("-", "".join(written.split()))


def _move(token: str, line: int, place: str) -> PdnMove:
    digits = _DIGITS.findall(token)
    if len(digits) == 1:
        digits = [token[:2], token[2:]]  # 1115 is 11-15
    squares = tuple(square_number(each, f"{place}, {brief(token)}") for each in digits)
    # A step leads to the next row, a jump two rows on: after any number of jumps, an even number of rows.
    rows = [(square - 1) // 4 for square in squares]
    is_jump = len(squares) > 2 or (rows[0] - rows[1]) % 2 == 0 or any(sign in token for sign in _JUMP)
    return PdnMove(squares, is_jump, token, line)


class _Games:
    """Takes tokens and puts games together from them, one after the other."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.ended: list[PdnGame] = []
        self.variations: list[int] = []  # the lines on which those begin that have not ended
        self.begin()

    def begin(self) -> None:
        self.tags: dict[str, str] = {}
        self.moves: list[PdnMove] = []
        self.start, self.of_tag, self.line = START, "*", 0
        self.after_gap = self.may_go_on = False  # an empty line since the last tag; the last jump may have a next part

    def place(self, line: int) -> str:
        return f"{self.source}, line {line}"

    def take(self, kind: str, token: str, line: int) -> None:
        if kind == "odd" or (kind == "word" and not self.variations):
            self.refuse(token, line)
        elif kind == "opening":
            self.variations.append(line)
        elif kind == "closing":
            if not self.variations:
                self.refuse(token, line)
            self.variations.pop()
        elif kind in _TAKERS and not self.variations:
            _TAKERS[kind](self, token, line)

    def refuse(self, token: str, line: int) -> None:
        if token == "{":
            raise AbvizError(f"{self.place(line)}: a comment begins here and never ends; expected a }}")
        told = 'a tag such as [Event "…"]' if token == "[" else "a move such as 11-15 or 11x18"
        raise AbvizError(f"{self.place(line)}: {brief(token)} stands here; expected {told}")

    def take_space(self, token: str, line: int) -> None:
        self.after_gap |= token.count("\n") > 1

    def take_number(self, token: str, line: int) -> None:
        self.may_go_on = False

    def take_tag(self, token: str, line: int) -> None:
        match = _TAG.fullmatch(token)
        assert match is not None  # it is a token of this kind
        name, value = match[1], _ESCAPED.sub(r"\1", match[2])
        if self.moves or (name in self.tags and self.after_gap):
            self.end("*", line)
        self.line, self.after_gap = self.line or line, False
        if name not in self.tags and name.upper() == "FEN":
            self.start = start_of(value, self.place(line))
        if name not in self.tags and name.upper() == "RESULT":
            self.of_tag = result_of(value, self.place(line))
        self.tags.setdefault(name, value)

    def take_move(self, token: str, line: int) -> None:
        if _squeezed(token) in RESULTS:
            self.take_result(token, line)
            return
        move = _move(token, line, self.place(line))
        last = self.moves[-1] if self.may_go_on else None
        if last and move.is_jump and move.squares[0] == last.squares[-1]:
            squares, text = last.squares + move.squares[1:], f"{last.text} {move.text}"
            self.moves[-1] = PdnMove(squares, True, text, last.line)
        else:
            self.moves.append(move)
        self.line, self.may_go_on = self.line or line, move.is_jump

    def take_result(self, token: str, line: int) -> None:
        result = result_of(token, self.place(line))
        is_open = bool(self.tags or self.moves)
        if is_open or not self.ended or result not in ("*", self.ended[-1].result):  # "1-0 *" ends one game only
            self.end(result, line)

    def end(self, result: str, line: int) -> None:
        result = self.of_tag if result == "*" else result
        self.ended.append(PdnGame(self.tags, tuple(self.moves), result, self.start, self.line or line))
        self.begin()

    def all(self) -> list[PdnGame]:
        if self.variations:
            raise AbvizError(f"{self.place(self.variations[-1])}: a variation begins here and never ends; expected a )")
        if self.tags or self.moves:
            self.end("*", self.line)
        if not self.ended:
            raise AbvizError(f"{self.source} holds no game; expected moves such as 1. 11-15 23-19")
        return self.ended


_TAKERS = {
    "space": _Games.take_space,
    "number": _Games.take_number,
    "tag": _Games.take_tag,
    "move": _Games.take_move,
    "draw": _Games.take_result,
    "star": _Games.take_result,
}
