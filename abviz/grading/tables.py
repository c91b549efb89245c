"""Tables in text files (CSV), in which single cells can be replaced; all other bytes stay.

The csv module reads values only: not whether they had quotes, nor how a line ended.
"""

import codecs
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from abviz.errors import AbvizError, brief, count, visible

MOST_BYTES = 20_000_000
DELIMITERS = ",;\t"
ENCODINGS = {
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
}
END_OF_LINE = re.compile(r"\r\n|\n|\r")


@dataclass(frozen=True)
class Cell:
    """A cell: its value, and where it is in the text, with its quotes."""

    value: str
    start: int
    end: int


@dataclass(frozen=True)
class Row:
    """A row, and its line in the file."""

    cells: list[Cell]
    line: int

    def value(self, column: int) -> str:
        """Return the value in a column; "" in a row that is too short."""
        return self.cells[column].value if column < len(self.cells) else ""


@dataclass(frozen=True)
class Table:
    """The rows of a file, without empty ones, and the file as it was."""

    name: str
    bom: bytes
    encoding: str
    text: str
    delimiter: str
    rows: list[Row]

    @property
    def header(self) -> list[str]:
        return [cell.value for cell in self.rows[0].cells]

    def place(self, row: Row) -> str:
        """Return a row as errors name it."""
        return f"{self.name}, line {row.line}"

    def replaced(self, values: Mapping[tuple[int, int], str]) -> bytes:
        """Return the file with these values at (row, column), and all other bytes as before."""
        cells = [(self.rows[row].cells[column], values[row, column]) for row, column in values]
        parts: list[str] = []
        done = 0
        for cell, value in sorted(cells, key=lambda each: each[0].start):
            parts += [self.text[done : cell.start], self._written(cell, value)]
            done = cell.end
        text = "".join([*parts, self.text[done:]])
        return self.bom + text.encode(self.encoding)

    def _written(self, cell: Cell, value: str) -> str:
        """Return a value as it is written in place of a cell, in quotes if that has them."""
        has_quotes = self.text[cell.start : cell.start + 1] == '"'
        if has_quotes or re.search(r'["\r\n]', value) or self.delimiter in value:
            doubled = value.replace('"', '""')
            return f'"{doubled}"'
        return value


def read_table(path: str | os.PathLike[str]) -> Table:
    """Return the table in a file; raise AbvizError, in one line, where there is none."""
    name = visible(str(path))
    try:
        with Path(path).open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except OSError as error:
        expected = "expected a table (CSV)"
        raise AbvizError(f"cannot read {name}: {error.strerror}; {expected}") from None
    if len(data) > MOST_BYTES:
        raise AbvizError(f"{name} is larger than 20 MB; expected a table of students (CSV)")

    bom = next((each for each in ENCODINGS if data.startswith(each)), b"")
    encoding = ENCODINGS.get(bom, "utf-8")
    try:
        text = data.removeprefix(bom).decode(encoding)
    except UnicodeDecodeError:
        raise AbvizError(f"{name} is not UTF-8 or UTF-16; expected a file as downloaded") from None
    if "\0" in text:
        raise AbvizError(f"{name} is not a text file; expected a table (CSV)")

    try:
        delimiter = _delimiter(text)
        rows = _rows(text, delimiter)
    except _BadTable as error:
        raise AbvizError(f"{name}, line {error.line}: {error}") from None
    if not rows:
        raise AbvizError(f"{name} is empty; expected a table of students (CSV)")
    return Table(name, bom, encoding, text, delimiter, rows)


class _BadTable(Exception):
    """What is wrong with a table, and in which line."""

    def __init__(self, line: int, problem: str):
        super().__init__(problem)
        self.line = line


def _delimiter(text: str) -> str:
    """Return what separates the cells: the one that makes most of them in the first row."""

    def cells(delimiter: str) -> int:
        try:
            rows = _rows(text, delimiter, most=1)
        except _BadTable:
            return 0
        return len(rows[0].cells) if rows else 0

    return max(DELIMITERS, key=cells)


def _rows(text: str, delimiter: str, most: int | None = None) -> list[Row]:
    """Return the rows of a text, the first ones or all, without empty ones."""
    unquoted = re.compile(rf"[^{re.escape(delimiter)}\r\n]*")
    quoted = re.compile(r'"((?:[^"]|"")*)"')

    rows: list[Row] = []
    cells: list[Cell] = []
    position = 0
    line = first_line = 1
    while position < len(text) or cells:
        if text.startswith('"', position):
            match = quoted.match(text, position)
            if not match:
                raise _BadTable(line, 'a quote (") is not closed; expected a table as downloaded')
            value = match[1].replace('""', '"')
            line += len(END_OF_LINE.findall(match[0]))
        else:
            match = unquoted.match(text, position)
            assert match
            value = match[0]

        cells.append(Cell(value, position, match.end()))
        position = match.end()
        if text.startswith(delimiter, position):
            position += len(delimiter)
            continue

        end = END_OF_LINE.match(text, position)
        if not end and position < len(text):
            found = f"{brief(text[position : position + 20])} after a quote"
            raise _BadTable(line, f"{found}; expected the next cell")

        position = end.end() if end else position
        if any(cell.value for cell in cells):
            rows.append(Row(cells, first_line))
        if len(rows) == most:
            break
        cells = []
        line += 1
        first_line = line
    return rows


def check_widths(table: Table) -> None:
    """Refuse a table with a row that is shorter or longer than its header."""
    width = len(table.header)
    for row in table.rows:
        if len(row.cells) != width:
            found = f"{count(len(row.cells), 'cell')}; expected {width}, as in the header"
            raise AbvizError(f"{table.place(row)} has {found}")
