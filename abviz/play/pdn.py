"""Games of checkers as text: Portable Draughts Notation (PDN 3.0), as programs and people write it.

No rules here: what is read is what was written, each thing with its line. A match replays it.
"""

import re
from bisect import bisect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from textwrap import fill
from typing import NamedTuple

from abviz.errors import AbvizError, brief
from abviz.games.notation import DASHES, MOVE, START, read_move

LINE = 79  # letters

# PDN gives the first player's score first, which is Black's in English checkers; in chess "1-0" is
# White's win.
OPEN, DRAW = "*", "1/2-1/2"
RESULTS = ("1-0", "0-1", DRAW, "0-0", OPEN)

OURS = 21  # the GameType of English checkers
OTHER_GAMES = {
    20: "international draughts",
    22: "Italian draughts",
    23: "American pool checkers",
    24: "Spanish draughts",
    25: "Russian draughts",
    26: "Brazilian draughts",
    27: "Canadian draughts",
    28: "Portuguese draughts",
    29: "Czech draughts",
    30: "Turkish draughts",
    31: "Thai draughts",
    40: "Frisian draughts",
}

# A line in a comment that begins the next game: the comment has no end. A line of moves may be part
# of a comment, but not where a comment begins below it.
NEXT_GAME = r"""
    [ \t]* \[ \s* \w+ \s* "[^\n]*" \s* \]
    | [ \t]* 1 [.] [^{}.] [^{}]{0,2000} \{
"""

# Each alternative begins differently or fails at once, so the time grows with the length of a
# hostile text.
_TOKEN = re.compile(
    r"""
      \s+
    | \{ [^}\n]*+ (?: \n (?! NEXT_GAME ) [^}\n]*+ )*+ \}   # a comment
    | ; [^\n]*                                      # a comment up to the end of the line
    | ^% [^\n]*                                     # a line for other programs
    | \[ \s* (?P<name>\w+) \s* "(?P<value> (?: [^"\\\n] | \\. )* )" \s* \]
    | (?P<bad_tag> \[ [^\n]* )
    | (?P<result> 1/2 DASH 1/2 | (?: 1 DASH 0 | 0 DASH 1 | 0 DASH 0 ) (?![0-9]) | \* )
    | (?P<number> [0-9]+ ) (?P<dots> \.+ )
    | \.\.+
    | [!?]+
    | \$ [0-9]+                                     # a mark by its number
    | (?P<move> MOVE ) (?P<marks> [!?*]* )          # a star that touches its move is a mark
    | (?P<opens> \( )
    | (?P<closes> \) )
    | (?P<wrong> \S [^\s(){};]{0,39} )
    """.replace("NEXT_GAME", NEXT_GAME)
    .replace("DASH", f"[{DASHES}]")
    .replace("MOVE", MOVE),
    re.IGNORECASE | re.MULTILINE | re.VERBOSE,
)


class Written(NamedTuple):
    """A move, the value of a tag or a problem, and the line where it is."""

    text: str
    line: int


@dataclass
class WrittenGame:
    """One game of a PDN text, as it was written."""

    line: int = 1  # where it begins
    tags: dict[str, Written] = field(default_factory=dict)  # of a repeated one, the first counts
    moves: list[Written] = field(default_factory=list)
    result: Written | None = None  # the one after the moves
    problem: Written | None = None  # the first thing that is not PDN
    has_bracket: bool = False  # among the things that are not PDN

    @property
    def is_stray(self) -> bool:
        """Whether this is only text between two games, such as "Page 2"."""
        is_empty = not (self.tags or self.moves or self.result)
        # With a bracket it may be a tag, without which the game would be another
        return is_empty and self.problem is not None and not self.has_bracket

    def tag(self, name: str, default: str) -> Written:
        """Return the value of the tag of this name, in capital or small letters."""
        found = (value for key, value in self.tags.items() if key.upper() == name)
        return next(found, Written(default, self.line))

    def note(self, problem: str, line: int) -> None:
        if self.problem is None:
            self.problem = Written(problem, line)

    def note_wrong(self, text: str, line: int) -> None:
        self.has_bracket |= "[" in text or "]" in text
        self.note(f"{brief(text)} is not PDN; expected a move such as 11-15 or 11x18", line)

    def add_tag(self, name: str, value: str, line: int) -> None:
        self.tags.setdefault(name, Written(re.sub(r'\\(["\\])', r"\1", value), line))

    def add_move(self, text: str, line: int) -> None:
        try:
            squares = read_move(text)
        except AbvizError as problem:
            self.note(str(problem), line)
            return
        between = "x" if re.search("[x\u00d7]", text, re.IGNORECASE) else "-"
        self.moves.append(Written(between.join(map(str, squares)), line))


def decoded(text: str | bytes) -> str:
    """Return the text of a file: UTF-8, or what Windows wrote before that."""
    if isinstance(text, str):
        return text.removeprefix("\ufeff")
    try:
        return text.decode("utf-8-sig")
    except UnicodeDecodeError:
        return text.decode("cp1252", "replace")


def written_games(text: str) -> list[WrittenGame]:
    """Return the games of a PDN text.

    Comments, marks and variations (in parentheses) are passed over.

    Comments, marks and variations (in parentheses) are passed over. A game ends with its result, or
    where the tags of the next one begin. A game with a problem ends there too, so that it costs no
    other one. Stray text between two games is an entry of its own.
    """
    reader = _Reader(text)
    for token in _TOKEN.finditer(text):
        reader.take(token)
    reader.end()
    return reader.games


class _Reader:
    """Makes games of the tokens of a text."""

    def __init__(self, text: str):
        self.line_ends = [at.start() for at in re.finditer("\n", text)]
        self.line = 1
        self.games: list[WrittenGame] = []
        self.variations: list[int] = []  # the lines where the open ones begin
        self.begin_game()

    def begin_game(self) -> None:
        self.game = WrittenGame()
        self.has_begun = False  # it has a tag, a move or a problem
        self.has_moves = False  # the part with the tags is over
        self.last_is_starred = False
        self.last_line = self.line

    def take(self, token: re.Match[str]) -> None:
        part = token.groupdict()
        if not any(part.values()):
            return  # a comment, a mark
        self.line = bisect(self.line_ends, token.start()) + 1
        is_tag = bool(part["name"] or part["bad_tag"])

        if self.variations and not is_tag:
            self.take_of_variation(part)
            return

        self.close_variations()
        begins_again = self.last_is_starred and part["number"] == "1" and part["dots"] == "."
        is_repeated = self.game.problem is not None and part["name"] in self.game.tags
        if (
            begins_again
            or (is_tag and (self.has_moves or is_repeated))
            or self.ends_stray_text(part)
        ):
            self.end_game()

        if part["result"]:
            self.take_result(part["result"])
        elif part["opens"]:
            self.variations.append(self.line)
        else:
            self.take_of_game(part)

    def ends_stray_text(self, part: dict[str, str]) -> bool:
        """Return whether a game begins here, in a line below text that is of no game."""
        begins = part["name"] or (part["number"] == "1" and part["dots"] == ".")
        return bool(begins) and self.game.is_stray and self.line > self.last_line

    def take_of_game(self, part: dict[str, str]) -> None:
        self.last_line = self.line
        if part["number"]:
            self.has_moves = True
            return

        if not self.has_begun:
            self.has_begun, self.game.line = True, self.line
        if part["name"]:
            self.game.add_tag(part["name"], part["value"], self.line)
        elif part["move"]:
            self.has_moves = True
            self.last_is_starred = "*" in part["marks"]
            self.game.add_move(part["move"], self.line)
        else:
            wrong = part["bad_tag"] or part["closes"] or part["wrong"]
            self.game.note_wrong(wrong.split()[0], self.line)

    def take_of_variation(self, part: dict[str, str]) -> None:
        if part["opens"]:
            self.variations.append(self.line)
        elif part["closes"]:
            self.variations.pop()
        elif (part["wrong"] or "").startswith("{"):
            self.has_begun = True
            self.game.note_wrong(part["wrong"], self.line)  # a comment without an end

    def take_result(self, result: str) -> None:
        if self.has_begun or not self.games:  # "1-0 *" ends one game only
            self.game.result = Written(re.sub(f"[{DASHES}]", "-", result), self.line)
            self.end_game()

    def close_variations(self) -> None:
        if self.variations:
            self.has_begun = True
            self.game.note(
                "'(' is not closed; expected ')' after the variation", self.variations[0]
            )
            self.variations.clear()

    def end_game(self) -> None:
        self.games.append(self.game)
        self.begin_game()

    def end(self) -> None:
        self.close_variations()
        if self.has_begun:
            self.end_game()


def other_game(game_type: str) -> str:
    """Return the name of the game of this GameType tag.

    It is "" for English checkers, and where the tag has no number.

    >>> other_game("20,W,10,10,N2,0")
    'international draughts (GameType 20)'
    """
    number = re.match(r"\s*([0-9]{1,9})\s*(,|$)", game_type)
    if not number or int(number[1]) == OURS:
        return ""
    name = OTHER_GAMES.get(int(number[1]), "another game")
    return f"{name} (GameType {int(number[1])})"


def write_pdn(
    tags: Mapping[str, str], moves: Sequence[str], result: str, start: str = START
) -> str:
    """Return a game as PDN, in lines of at most 79 letters.

    It has a FEN tag where it does not begin at the start.
    """
    tags = dict(tags)
    if start != START:
        tags |= {"SetUp": "1", "FEN": start}

    header = ""
    for name, value in tags.items():
        escaped = re.sub(r'(["\\])', r"\\\1", value.replace("\n", " "))
        header += f'[{name} "{escaped}"]\n'

    words: list[str] = []
    for ply, move in enumerate(moves, start.startswith("W")):
        if ply % 2 == 0:
            words.append(f"{ply // 2 + 1}.")
        elif not words:
            words.append(f"{ply // 2 + 1}...")
        words.append(move)

    lines = fill(" ".join([*words, result]), LINE, break_long_words=False, break_on_hyphens=False)
    return f"{header}\n{lines}\n".lstrip("\n")
