"""Texts in which people write trees, and random changes to them."""

import json
import re
from pathlib import Path
from random import Random
from typing import Any

CASES = json.loads((Path(__file__).parent / "data" / "pasted_trees.json").read_text("utf-8"))
READ = [case["text"] for case in CASES["values"]] + CASES["trees"]
REFUSED = CASES["refused"]

PIECES = [
    "[",
    "]",
    "{",
    "}",
    "(",
    ")",
    ",",
    ",",
    ":",
    ": ",
    "=",
    " = ",
    ";",
    " ",
    "\n",
    "\n",
    "\t",
    "\r\n",
    "- ",
    "#",
]
PIECES += [
    '"B"',
    '"B": ',
    "'m'",
    "B",
    "p",
    "r",
    "r: ",
    "p: ",
    "tree: ",
    "tree = ",
    "root: A",
    "max",
    "min",
    "MAX",
]
PIECES += [
    "name",
    '"name": ',
    "children",
    '"children": ',
    "value",
    '"value": ',
    "to_move: min",
    "title: x",
    "note: ",
]
PIECES += [
    "3",
    "5",
    "-1",
    "−3",
    "–1",
    "∞",
    "-inf",
    ".inf",
    "Infinity",
    "null",
    "~",
    "?",
    "1e3",
    "0x1F",
    "0o7",
    "1e400",
]
PIECES += [
    "1:30",
    "a:b",
    "# x\n",
    "x#y",
    '"',
    "'",
    "''",
    '"\\u0041"',
    '"\\ud83d"',
    "007",
    ".5",
    "5.",
    "+7",
    "--1",
    "-?",
]
PIECES += [
    "[3, 5]",
    '("m", 6)',
    "(MIN to move)",
    " (the same player moves again at B)",
    "(static values: 3 at B)",
]
PIECES += [
    "true",
    "notes: {3: a}",
    "%",
    "&a",
    "*a",
    "!t",
    "|",
    ">",
    "\u00a0",
    "é",
    "😀",
    "-",
    "...",
    "---",
]


def changed(text: str, random: Random) -> str:
    """Return the text with up to three of its words or signs left out, replaced, added or moved."""
    for _ in range(random.choice([1, 1, 1, 1, 2, 3])):
        parts = re.findall(r"\w+|\s+|[^\w\s]", text) or [""]
        place, other = random.randrange(len(parts)), random.randrange(len(parts))
        change = random.randrange(5)
        if change == 0:
            parts[place] = ""
        elif change == 1:
            parts[place] = random.choice(PIECES)
        elif change == 2:
            parts.insert(place, random.choice(PIECES))
        elif change == 3:
            parts.insert(place, parts[other])
        else:
            parts[place], parts[other] = parts[other], parts[place]
        text = "".join(parts)
    return text


def random_texts(number: int, seed: int) -> list[str]:
    """Return changed texts, and here and there pieces without any order."""
    random = Random(seed)
    texts = []
    for _ in range(number):
        if random.random() < 0.85:
            texts.append(changed(random.choice(READ + REFUSED), random))
        else:
            texts.append("".join(random.choice(PIECES) for _ in range(random.randint(1, 12))))
    return texts


def expected(case: dict[str, Any]) -> tuple[float, str, list[str]]:
    """Return the value, the best move and the names that a case has."""
    return float(case["value"]), case["best"], case["names"].split()


# Long texts that a careless pattern would take minutes to refuse.
LONG = [
    "/**/" * 5000 + "x",
    "/*" * 9000,
    '"' + '\\"' * 9000,
    "#\n" * 9000,
    "[" + " " * 40_000,
    "] " * 20_000 + "(",
]
LONG += [
    "digraph " * 6000,
    "[1] (" * 9000,
    "'" * 40_001,
    ":" * 40_000,
    "(" * 40_000,
    "[3, 5]" + ";" * 40_000 + "x",
]
