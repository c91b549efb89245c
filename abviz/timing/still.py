"""Runs as a picture and a table that need no browser's help: what a saved notebook shows where no kernel is."""

from html import escape
from typing import Any
from urllib.parse import quote

from abviz.errors import visible
from abviz.timing.snapshots import HEADS, ROOT, SEVERAL

WIDTH, LABEL, LANE, TITLE = 900, 80, 26, 22  # of the picture: pixels
LETTER = 6.6  # how wide one is, more or less
GONE, GREY = "#7a2e3a", "#d5d8dc"
HATCHING = (
    '<defs><pattern id="gone" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
    f'<rect width="1" height="6" fill="{GONE}"/></pattern></defs>'
)
NOTHING = "Nothing has been run yet."
SIGNS = "Bold: the best move. Hatched, ✕: cancelled. Empty: idle. ≤ and ≥: the value is only a bound."


def bundle(pictures: list[dict[str, Any]], rows: list[dict[str, Any]]) -> dict[str, str]:
    """As IPython displays it, by the kinds of content."""
    if not rows:
        return {"text/plain": NOTHING, "text/html": f'<p class="abviz-timing-still">{NOTHING}</p>'}
    lines = ["  ".join([str(row["number"]), *row["cells"]]) for row in rows]
    return {"text/plain": "\n".join(lines), "text/html": as_html(pictures, rows)}


def as_html(pictures: list[dict[str, Any]], rows: list[dict[str, Any]]) -> str:
    """HTML: the lanes of the runs that are shown, one above the other on one time axis, and the table of all."""
    drawn = svg(pictures)
    words = "; ".join(f"{each['title']}: {each['took']}" for each in pictures)
    alt = escape(f"Lanes of the threads, bars of their root moves: {words}", quote=True)
    heads = "".join(f'<th scope="col">{_unbroken(head)}</th>' for head in ("run", *HEADS))
    lines = "".join(_line(row) for row in rows)
    return (
        f'<div class="abviz-timing-still"><img alt="{alt}" src="data:image/svg+xml,{quote(drawn)}">'
        f"<table><thead><tr>{heads}</tr></thead><tbody>{lines}</tbody></table></div>"
    )


def _line(row: dict[str, Any]) -> str:
    cells = "".join(f"<td>{_unbroken(cell)}</td>" for cell in row["cells"])
    return f'<tr><th scope="row">{row["number"]}</th>{cells}</tr>'


def _unbroken(text: str) -> str:
    """On one line."""
    return escape(text).replace(" ", "\u00a0").replace("-", "\u2011")


def svg(pictures: list[dict[str, Any]]) -> str:
    """On white, for light and for dark pages."""
    longest = max((each["time"] for each in pictures), default=0) or 1
    scale = (WIDTH - LABEL - 10) / longest
    parts, y = [], 0
    for each in pictures:
        parts.append(_text(4, y + 16, f"Run {each['number']}: {each['title']}, {each['took']}", weight="bold"))
        y += TITLE
        for worker in range(each["workers"]):
            parts.append(_text(4, y + 17 + LANE * worker, f"thread {worker + 1}"))
            where = (LABEL, y + LANE * worker + 3, each["time"] * scale)
            parts.append(_box(*where, "#eef0f2", "none"))
        parts += [_bar(each, bar, y + LANE * bar[1] + 3, scale) for bar in each["bars"]]
        y += LANE * each["workers"] + 6
    parts.append(_text(LABEL, y + 14, "0"))
    last = max(pictures, key=lambda each: each["time"], default=None)
    if last:
        parts.append(_text(WIDTH - 10, y + 14, last["took"], anchor="end"))
    parts.append(_text(LABEL, y + 32, SIGNS))
    size = f'width="{WIDTH}" height="{y + 40}" viewBox="0 0 {WIDTH} {y + 40}"'
    letters = 'font-family="system-ui, DejaVu Sans, sans-serif" font-size="12"'
    paper = '<rect width="100%" height="100%" fill="#fff"/>'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size} {letters}>{HATCHING}{paper}{"".join(parts)}</svg>'


def _bar(of: dict[str, Any], bar: list[Any], y: float, scale: float) -> str:
    move = {ROOT: "the root", SEVERAL: "several"}.get(bar[2]) or of["moves"][bar[2]]
    value = "" if bar[5] else bar[7]  # a value below the move is not the move's
    end = of["time"] if bar[4] is None else bar[4]
    x, width = LABEL + bar[3] * scale, max(0.6, (end - bar[3]) * scale)
    label = next((text for text in (f"{move} {value}".strip(), move) if len(text) * LETTER + 6 < width), "")
    box = _box(x, y, width, _colour(bar[2]), "#fff" if width > 3 else "none")
    if bar[8]:  # cancelled
        return box + _box(x, y, width, "url(#gone)", GONE) + _text(x + width - 4, y + LANE - 4, "✕")
    return box + (_text(x + 4, y + 14, label, weight="bold" if move == of["best"] else "normal") if label else "")


def _colour(place: int) -> str:
    return GREY if place < 0 else f"hsl({hue(place)}, 55%, 82%)"


def hue(place: int) -> int:
    """The colour of a root move, in degrees: neighbours are far apart, as in timing.js."""
    return round(215 + 137.5 * place) % 360


def _box(x: float, y: float, width: float, fill: str, stroke: str) -> str:
    place = f'x="{x:.1f}" y="{y}" width="{width:.1f}" height="{LANE - 6}"'
    return f'<rect {place} fill="{fill}" stroke="{stroke}"/>'


def _text(x: float, y: float, text: str, *, weight: str = "normal", anchor: str = "start") -> str:
    return f'<text x="{x:.1f}" y="{y}" font-weight="{weight}" text-anchor="{anchor}">{escape(visible(text))}</text>'
