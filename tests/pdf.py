"""Read back the PDFs that matplotlib writes: their texts, with places, and the corners of shapes.

It reads what they have, and no other PDF.
"""

import re
import zlib
from dataclasses import dataclass, field

NUMBER = r"-?\d*\.?\d+"
TOKEN = re.compile(rb"\((?:\\[\s\S]|[^\\)])*\)|/[\w.-]+|[^\s()\[\]]+|[\[\]]")
ESCAPES = {b"n": b"\n", b"r": b"\r", b"t": b"\t", b"b": b"\b", b"f": b"\f"}

Point = tuple[float, float]


class CMap(dict[int, str]):
    """Letters by their codes in a font."""

    bytes_per_code = 1


@dataclass
class Text:
    text: str
    x: float
    y: float
    size: float


@dataclass
class Page:
    """A page. Lengths are in points from its bottom left."""

    width: float
    height: float
    texts: list[Text] = field(default_factory=list)
    corners: list[Point] = field(default_factory=list)  # of lines and areas

    @property
    def text(self) -> str:
        return "\n".join(each.text for each in self.texts)


def read(pdf: bytes) -> list[Page]:
    """Return the pages."""
    objects = dict(re.findall(rb"\n(\d+) 0 obj\n(.*?)\nendobj", b"\n" + pdf, re.DOTALL))
    fonts = _fonts(objects)

    pages = []
    for each in objects.values():
        if b"/Type /Page " in each:
            box = re.search(rb"/MediaBox \[ 0 0 (\S+) (\S+) \]", each)
            contents = re.search(rb"/Contents (\d+)", each)
            assert box and contents
            page = Page(float(box[1]), float(box[2]))
            _read_page(_stream(objects[contents[1]]), fonts, page)
            pages.append(page)
    return pages


def has_bitmap(pdf: bytes) -> bool:
    return b"/Subtype /Image" in pdf


def _stream(content: bytes) -> bytes:
    head, data = content.split(b"stream\n", 1)
    data = data.rsplit(b"\nendstream", 1)[0]
    return zlib.decompress(data) if b"FlateDecode" in head else data


def _fonts(objects: dict[bytes, bytes]) -> dict[bytes, CMap]:
    """Return what the codes of each font mean."""
    found = {}
    for content in objects.values():
        if re.match(rb"<< /F\d", content):
            for name, number in re.findall(rb"/(F[\w-]*) (\d+) 0 R", content):
                to_unicode = re.search(rb"/ToUnicode (\d+)", objects[number])
                assert to_unicode, "a font whose text cannot be selected"
                found[name] = _cmap(_stream(objects[to_unicode[1]]).decode())
    return found


def _cmap(text: str) -> CMap:
    letters = CMap()
    for first, last, targets in re.findall(r"<(\w+)> <(\w+)>\s*\[([^\]]*)\]", text):
        letters.bytes_per_code = len(first) // 2
        codes = range(int(first, 16), int(last, 16) + 1)
        for code, target in zip(codes, re.findall(r"<(\w+)>", targets), strict=True):
            letters[code] = bytes.fromhex(target).decode("utf-16-be")
    return letters


def _read_page(content: bytes, fonts: dict[bytes, CMap], page: Page) -> None:
    x = y = 0.0  # where the next text stands
    letters = CMap()
    operands: list[bytes] = []
    for token in TOKEN.findall(content):
        if re.fullmatch(NUMBER.encode() + rb"|/.*|\(.*", token, re.DOTALL) or token in (b"[", b"]"):
            operands.append(token)
            continue

        if token == b"cm":
            x, y = map(float, operands[-2:])
        elif token == b"BT":
            page.texts.append(Text("", x, y, 0.0))
        elif token == b"Tf":
            letters = fonts[operands[0].removeprefix(b"/")]
            page.texts[-1].size = float(operands[1])
        elif token in (b"Tj", b"TJ"):
            strings = [each for each in operands if each.startswith(b"(")]
            page.texts[-1].text += "".join(_decoded(each, letters) for each in strings)
        elif token in (b"m", b"l", b"c"):
            numbers = list(map(float, operands))
            page.corners += zip(numbers[::2], numbers[1::2], strict=True)
        operands = []


def _decoded(string: bytes, letters: CMap) -> str:
    def letter(found: re.Match[bytes]) -> bytes:
        escaped = found[1]
        return bytes([int(escaped, 8)]) if escaped.isdigit() else ESCAPES.get(escaped, escaped)

    codes = re.sub(rb"\\([0-7]{1,3}|[\s\S])", letter, string[1:-1])
    if letters.bytes_per_code == 1:
        return "".join(letters[code] for code in codes)
    pairs = zip(codes[::2], codes[1::2], strict=True)
    return "".join(letters[256 * high + low] for high, low in pairs)
