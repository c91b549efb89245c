"""How large things are in a picture, which the page reads too: looks.json."""

import json
from pathlib import Path
from typing import Any

from abviz.errors import columns

LOOKS: dict[str, Any] = json.loads(
    (Path(__file__).parent / "page" / "looks.json").read_text("utf-8")
)
SIZES: dict[str, float] = LOOKS["sizes"]  # of fonts, in points

# In points: how far the sides of an inner node lean in (MAX points up, MIN points down), its head
# and each row below, and a leaf.
SLOPE: int = LOOKS["slope"]
HEAD_HEIGHT: int = LOOKS["head"]
ROW: int = LOOKS["row"]
LEAF_HEIGHT: int = LOOKS["leaf"]

# Between neighbors, and between rows (room for the mark of a cut).
GAP: float = LOOKS["gap"]
RANK_GAP: float = LOOKS["rankGap"]

# The widths of letters in units of the font's size: of each kind, and of each letter.
UNITS: dict[str, float] = LOOKS["units"]
WIDTHS = {letter: UNITS[kind] for kind, letters in LOOKS["widths"].items() for letter in letters}

# A larger picture cannot be read.
MOST_NODES: int = LOOKS["mostNodes"]
MOST_LEVELS: int = LOOKS["mostLevels"]


def text_width(text: str) -> float:
    """Return how wide bold text is at most in the usual fonts, in units of the font's size."""
    return sum(map(_letter_width, text))


def _letter_width(letter: str) -> float:
    if columns(letter) == 2:
        return UNITS["double"]
    if letter in WIDTHS:
        return WIDTHS[letter]
    return UNITS["upper" if letter.isupper() else "other"]
