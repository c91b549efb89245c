"""The notations in which people write trees, and programs print them.

A text becomes lists, tuples, mappings and scalars.

What a text holds is found in this order, and the page (`formats.js`) finds the same:

1. `digraph …` is DOT, which `dot` reads, in Python only.
2. Notes in parentheses after a list, as our own messages write them, are put aside:
   `[7, [8]] (MIN to move)`.
3. `name = …` is what stands after the sign, and `;` after the last bracket means nothing.
4. Lines that begin with a name and a colon, or with a name, `=` and a number, are the entries of
   one mapping.
5. `[…]` is a list, whose entries may have names, `[B: 3, C: 5]`; `{…}` is a mapping; names may
   stand without quotes.
6. `(…)` is Python's, if there is a comma or another kind of bracket anywhere in the text: a tuple,
   or else parentheses that mean nothing. Elsewhere it is Lisp's list: `((4 6) (7 9))`, where `(4)`
   is a leaf; `(max (min 6 8) 5)` says who moves.
7. Whatever does not fit is YAML, in Python only.

`nested` says which tree the lists, tuples and mappings are.
"""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import inf, isinf
from typing import Any

from abviz.errors import Number, brief, short
from abviz.tree import nested
from abviz.tree.nested import BadTree, Row, Text, describe

READ = (
    "abviz reads YAML, JSON with tree or with name, children and value, nested lists and tuples, "
    "(max (min 6 8) 5), a mapping from each node to its children, and DOT"
)

IS_DOT = re.compile(
    r"(?:\s|//[^\n]*\n|/\*(?:[^*]|\*(?!/))*\*/|#[^\n]*\n)*(?:strict\s+)?(?:di)?graph\b[^={:]*\{",
    re.S | re.I,
)

IN_WORD = "[^\x00-\x20\x7f-\xa0\u2028\u2029\ufeff\\[\\]{}(),:;=\"'#]"
TOKEN = re.compile(
    r"(?P<space>(?:[ \t\r\n]|(?<![^ \t\r\n\[\]{}(),])#[^\n]*)*)"
    rf"(?:(?P<mark>[\[\]{{}}(),;=]|:(?!{IN_WORD})|(?<=[\"']):)"
    r"|(?P<quoted>\"(?:[^\"\\\n]|\\.)*\"|'[^'\\\x00-\x1f\x7f-\x9f\u2028\u2029]*')"
    rf"|(?P<word>(?:{IN_WORD}|:(?={IN_WORD}))+)"
    r"|(?P<end>$)|(?P<other>.))",
    re.S,
)
NO_WORD = re.compile(r"-(?:[-?]|$)|[&*!|>%@`]|\?.", re.S)  # YAML's signs begin so
OPENS = {"[": "]", "{": "}", "(": ")"}
COLON, EQUALS = ":", "="


class Unreadable(ValueError):
    """The text is in none of these notations."""

    def __init__(self, problem: str, line: int):
        super().__init__(problem)
        self.line = line


# ---------------------------------------------------------------- scalars

NUMBER = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
OCTAL_OR_HEX = re.compile("0o[0-7]+|0x[0-9a-fA-F]+")
INFINITY = re.compile(r"([-+]?)(?:∞|\.?inf|infinity)", re.I)
WORDS: dict[str, Number | None] = dict.fromkeys(["", "~", "null", "Null", "NULL"])
WORDS |= {
    sign + word: float(f"{sign}inf") for sign in ("", "+", "-") for word in (".inf", ".Inf", ".INF")
}
WORDS |= {"Infinity": inf, "-Infinity": -inf}  # as the json module writes them


def resolve(text: str) -> Number | str | None:
    """Return what a scalar without quotes is by YAML 1.2's core schema.

    It is nothing or a number; anything else is text.
    """
    if OCTAL_OR_HEX.fullmatch(text):
        return int(text, 0)

    if NUMBER.fullmatch(text) and not isinf(float(text)):  # 1e400 is no win
        return int(text) if text.lstrip("+-").isdecimal() else float(text)

    return WORDS.get(text, text)


def scalar(text: str) -> Text:
    """Return a scalar without quotes.

    It may also be a number as pictures and sentences write it: −3, ∞, ?.
    """
    result = Text(text)
    plain = re.sub("[−–]", "-", text)
    infinite = INFINITY.fullmatch(plain)

    if text == "?":
        result.value = None
    elif infinite:
        result.value = -inf if infinite[1] == "-" else inf
    else:
        value = resolve(plain)
        result.value = text if isinstance(value, str) else value

    return result


def in_quotes(text: str) -> Text:
    """Return the scalar that stands in quotes, or raise ValueError."""
    result = Text(json.loads(text) if text[0] == '"' else text[1:-1])
    result.encode()  # half of a letter, "\ud83d", is no text
    result.value = str(result)
    return result


# ---------------------------------------------------------------- groups


@dataclass
class Token:
    kind: str  # mark, quoted, word, other
    text: str
    line: int
    is_first: bool  # of its line, without a space before it


@dataclass
class Group:
    """A bracket that is still open, or the text as a whole: its parts between commas."""

    opening: str
    line: int
    parts: list[list[Any]] = field(default_factory=lambda: [[]])


class InParentheses(Text):
    """A number alone in Lisp's parentheses."""


def tokens_of(text: str) -> Iterator[Token]:
    line = 1

    for match in TOKEN.finditer(text):
        kind = str(match.lastgroup)
        if kind == "end":
            return

        line += match["space"].count("\n")
        start = match.end("space")
        is_first = start == 0 or text[start - 1] == "\n"
        yield Token(kind, match[kind], line, is_first)


def read(text: str, lines: dict[int, int]) -> Any:
    """Return what the text holds; raise Unreadable, or BadTree.

    Adds the line of each thing in it, by its id, to `lines`.
    """
    tokens = []
    for token in tokens_of(text):
        is_odd = token.kind == "other" or (token.kind == "word" and NO_WORD.match(token.text))
        if is_odd:
            raise Unreadable(f"{brief(token.text)} is not expected here", token.line)
        tokens.append(token)

    return Reader(tokens, lines).content()


class Reader:
    """Reads the tokens of a text from left to right, with a stack of the groups that are open."""

    def __init__(self, tokens: list[Token], lines: dict[int, int]):
        self.tokens = tokens
        self.lines = lines

        marks = {token.text for token in self.tokens if token.kind == "mark"}
        self.is_lisp = not marks & {",", "[", "{"}

    def content(self) -> Any:
        tokens = self.without_semicolons()
        whole = Group("", 1)
        stack = [whole]

        for token, following in pairwise([*tokens, Token("end", "", 0, False)]):
            group = stack[-1]
            if len(self.lines) > 4 * nested.MOST_NODES or len(stack) > 2 * nested.MOST_LEVELS + 2:
                raise Unreadable(nested.TOO_LARGE, token.line)

            begins_entry = group is whole and token.is_first and following.text in (COLON, EQUALS)
            if begins_entry and token.kind != "mark" and group.parts[-1]:
                group.parts.append([])

            if token.kind != "mark":
                group.parts[-1].append(self.scalar(token))
            elif token.text in OPENS:
                stack.append(Group(token.text, token.line))
            elif token.text in OPENS.values():
                if OPENS.get(group.opening) != token.text:
                    raise Unreadable(f"{token.text} closes nothing", token.line)
                stack.pop()
                stack[-1].parts[-1].append(self.close(group))
            elif token.text == "," and group is not whole:
                group.parts.append([])
            elif token.text == COLON or (token.text == EQUALS and group is whole):
                group.parts[-1].append(token.text)
            else:
                raise Unreadable(f"{token.text} is not expected here", token.line)

        if stack[-1] is not whole:
            raise Unreadable(f"{stack[-1].opening} is not closed", stack[-1].line)
        return self.whole(whole)

    def without_semicolons(self) -> list[Token]:
        tokens = list(self.tokens)
        while tokens and tokens[-1].text == ";" and tokens[-1].kind == "mark":
            tokens.pop()

        is_closed = tokens and tokens[-1].kind == "mark" and tokens[-1].text in OPENS.values()
        return tokens if is_closed else self.tokens

    def scalar(self, token: Token) -> Text:
        try:
            made = scalar(token.text) if token.kind == "word" else in_quotes(token.text)
        except ValueError:
            raise Unreadable(f"{brief(token.text)} is no text in quotes", token.line) from None
        self.lines[id(made)] = token.line
        return made

    def close(self, group: Group) -> Any:
        """Return what the closed group is."""
        parts = group.parts
        has_commas = len(parts) > 1
        if not parts[-1]:
            parts.pop()  # nothing, or a comma before the bracket

        if group.opening == "{":
            made: Any = make_mapping([self.entry(part, group) for part in parts])
        elif group.opening == "[":
            made = [self.item(part, group) for part in parts]
        elif self.is_lisp:
            made = self.lisp_list(parts[0] if parts else [], group)
        else:
            things = [self.only(part, group) for part in parts]
            made = things[0] if len(things) == 1 and not has_commas else tuple(things)

        self.lines.setdefault(id(made), group.line)
        return made

    def only(self, part: list[Any], group: Group) -> Any:
        if len(part) != 1 or is_sign(part[0]):
            raise Unreadable(
                f"a comma is missing after {group.opening}, or stands alone", group.line
            )
        return part[0]

    def entry(self, part: list[Any], group: Group, signs: Sequence[str] = COLON) -> tuple[Any, Any]:
        """Return the name and what it stands for."""
        if (
            len(part) != 3
            or is_sign(part[0])
            or is_sign(part[2])
            or not is_sign(part[1])
            or part[1] not in signs
        ):
            raise Unreadable("expected a name, a colon and a value", group.line)
        if isinstance(part[0], Text) and part[0] == "?" and part[0].value is None:
            raise Unreadable("? is no name without quotes", group.line)
        return part[0], part[2]

    def item(self, part: list[Any], group: Group) -> Any:
        """Return an item of a list; one with a name is a mapping of its own."""
        if len(part) == 1:
            return self.only(part, group)
        made = make_mapping([self.entry(part, group)])
        self.lines[id(made)] = group.line
        return made

    def lisp_list(self, things: list[Any], group: Group) -> Any:
        if any(map(is_sign, things)):
            raise Unreadable("a colon is not expected here", group.line)
        if not things:
            raise Unreadable("() holds nothing", group.line)

        first = things[0]
        if len(things) == 1 and isinstance(first, Text) and not isinstance(first, InParentheses):
            made = InParentheses(first)
            made.value = first.value
            return made

        is_operator = (
            isinstance(first, Text) and first.lower() in ("max", "min") and len(things) > 1
        )
        if is_operator:
            return {"to_move": first.lower(), "children": things[1:]}
        return things

    def whole(self, group: Group) -> Any:
        """Return what the text as a whole is."""
        parts = group.parts
        if len(parts) == 1 and len(parts[0]) == 1:
            content = self.only(parts[0], group)
            if isinstance(content, Text):
                raise Unreadable(f"{brief(content)} is no list", self.lines[id(content)])
            return content

        entries = [self.entry(part, group, (COLON, EQUALS)) for part in parts]
        values = [
            content for part, (_, content) in zip(parts, entries, strict=True) if part[1] == EQUALS
        ]
        is_assigned = len(entries) == len(values) == 1 and not isinstance(values[0], Text)
        if is_assigned:
            return values[0]

        is_listed = len(values) < len(entries) and all(isinstance(each, Text) for each in values)
        if values and not is_listed:
            raise Unreadable(
                "expected one tree after =, or lines such as r: [p, q] and p = 6", group.line
            )

        made = make_mapping(entries)
        self.lines[id(made)] = min(self.lines[id(key)] for key in made)
        return made


def is_sign(thing: Any) -> bool:
    return type(thing) is str


def make_mapping(entries: Sequence[tuple[Any, Any]]) -> dict[Text, Any]:
    """Return the mapping of the entries, whose names are text and differ."""
    mapping: dict[Text, Any] = {}
    for key, content in entries:
        if not isinstance(key, Text):
            raise BadTree(f"a key is {describe(key)}; expected text", key)
        if key in mapping:
            raise BadTree(f"{brief(str(key))} is there twice; expected each name once", key)
        mapping[key] = content
    return mapping


# ---------------------------------------------------------------- notes after a list

NOTES = re.compile(r"(.*\])[ \t\r\n]*\(([^()\[\]{}\"'#]*)\)[ \t\r\n]*", re.S)
TO_MOVE = re.compile("(MAX|MIN) to move")
AGAIN = re.compile("the same player moves again at ([^ \t\r\n,]+(?:, [^ \t\r\n,]+)*)")
STATIC = re.compile(
    "static values: ([^ \t\r\n,]+ at [^ \t\r\n,]+(?:, [^ \t\r\n,]+ at [^ \t\r\n,]+)*)"
)


@dataclass
class Notes:
    """What stands in parentheses after a list."""

    is_max: bool | None = None  # whether MAX is to move at the root, if they say so
    again: list[str] = field(default_factory=list)  # nodes at which the player above moves again
    static: dict[str, Any] = field(default_factory=dict)  # static values by name


def split_notes(text: str) -> tuple[str, Notes | None]:
    """Return the text without the notes after its list, and the notes."""
    match = NOTES.fullmatch(text)
    notes = Notes()

    for note in match[2].split(";") if match else []:
        note = note.strip(" \t\r\n")
        if to_move := TO_MOVE.fullmatch(note):
            notes.is_max = to_move[1] == "MAX"
        elif again := AGAIN.fullmatch(note):
            notes.again += again[1].split(", ")
        elif static := STATIC.fullmatch(note):
            for each in static[1].split(", "):
                value, _, name = each.partition(" at ")
                notes.static[name] = scalar(value)
        else:
            return text, None

    return (match[1], notes) if match else (text, None)


def with_notes(rows: Sequence[Row], notes: Notes) -> list[Row]:
    """Return the rows with what the notes say of them."""
    names = {rows[row.parent].name for row in rows if row.parent >= 0}
    for name in [*notes.again, *notes.static]:
        if name not in names:
            raise BadTree(f"the note speaks of {brief(short(name))}; expected an inner node")

    made: list[Row] = []
    for row in rows:
        if row.parent < 0:
            is_max = row.is_max if notes.is_max is None else notes.is_max
        else:
            above = made[row.parent].is_max
            is_max = above if row.name in notes.again else not above
        value = nested.check_value(notes.static.get(row.name, row.value), row.name)
        made.append(row._replace(is_max=is_max, value=value))
    return made
