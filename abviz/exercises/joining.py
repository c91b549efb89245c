"""PDF files of one page each, as Graphviz writes them, joined into one.

Only what such files hold is understood: numbered objects, some of them in compressed rows of objects.
"""

import re
import zlib
from collections.abc import Iterator, Sequence

from abviz.errors import AbvizError

OBJECT = re.compile(rb"(?<![0-9])(\d+) 0 obj\b(.*?)endobj", re.DOTALL)
STREAM = re.compile(rb"\bstream\r?\n", re.DOTALL)
REFERENCE = re.compile(rb"(?<![\w.])(\d+) 0 R\b")
PAGE = re.compile(rb"/Type\s*/Page\b")
OF_FILE = re.compile(rb"/Type\s*/(Catalog|Pages|XRef|ObjStm)\b|/Producer\b")  # what the joined file has of its own
CATALOG, PAGES = 1, 2


def joined(files: Sequence[bytes]) -> bytes:
    """All their pages, in order; the same bytes for the same files."""
    bodies: dict[int, bytes] = {}
    pages: list[int] = []
    for file in files:
        objects = {number: body for number, body in _objects(file) if not OF_FILE.search(_head(body))}
        numbers = {old: PAGES + len(bodies) + place for place, old in enumerate(objects, 1)}
        pages += (numbers[old] for old, body in objects.items() if PAGE.search(_head(body)))
        bodies.update((numbers[old], _renumbered(body, numbers)) for old, body in objects.items())
    if len(pages) != len(files):
        raise AbvizError(f"{len(files)} pictures as PDF hold {len(pages)} pages; expected one each, as of pygraphviz")
    kids = b" ".join(b"%d 0 R" % page for page in pages)
    bodies[CATALOG] = b"<< /Type /Catalog /Pages %d 0 R >>" % PAGES
    bodies[PAGES] = b"<< /Type /Pages /Kids [ %s ] /Count %d >>" % (kids, len(pages))
    return _written(bodies)


def _objects(file: bytes) -> Iterator[tuple[int, bytes]]:
    for found in OBJECT.finditer(file):
        number, body = int(found[1]), found[2].strip()
        yield number, body
        if b"/ObjStm" in _head(body):
            yield from _unpacked(body)


def _unpacked(body: bytes) -> Iterator[tuple[int, bytes]]:
    """The objects of a compressed row: their numbers and places stand first."""
    first = re.search(rb"/First\s+(\d+)", body)
    assert first is not None  # such a row always has it
    text = zlib.decompressobj().decompress(body[STREAM.search(body).end() :])  # type: ignore[union-attr]
    words = list(map(int, text[: int(first[1])].split()))
    starts = [int(first[1]) + start for start in words[1::2]]
    for number, start, end in zip(words[::2], starts, [*starts[1:], len(text)], strict=True):
        yield number, text[start:end].strip()


def _head(body: bytes) -> bytes:
    """An object without its stream, which may hold anything."""
    stream = STREAM.search(body)
    return body[: stream.start()] if stream else body


def _renumbered(body: bytes, numbers: dict[int, int]) -> bytes:
    def other(found: re.Match[bytes]) -> bytes:
        return b"%d 0 R" % numbers.get(int(found[1]), PAGES)  # the only object left behind that one refers to

    head = _head(body)
    return REFERENCE.sub(other, head) + body[len(head) :]


def _written(bodies: dict[int, bytes]) -> bytes:
    file = bytearray(b"%PDF-1.5\n%\xb5\xed\xae\xfb\n")
    starts = []
    for number in sorted(bodies):
        starts.append(len(file))
        file += b"%d 0 obj\n%s\nendobj\n" % (number, bodies[number])
    table = len(file)
    file += b"xref\n0 %d\n0000000000 65535 f \n" % (len(starts) + 1)
    file += b"".join(b"%010d 00000 n \n" % start for start in starts)
    file += b"trailer\n<< /Size %d /Root %d 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(starts) + 1, CATALOG, table)
    return bytes(file)
