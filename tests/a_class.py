"""A class: students with names in several scripts, and what each of them handed in, downloaded from
Moodle or Canvas with the gradebook that belongs to it.
"""

import io
import json
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import cycle, islice
from pathlib import Path
from typing import Literal

from tests.gradebooks import Person, canvas, moodle

MINIMAX = """
def minimax(node):
    if node.is_leaf:
        return node.value
    values = [minimax(child) for child in node.children]
    return max(values) if node.is_max else min(values)
"""
ALPHABETA = """
def alphabeta(node, alpha, beta):
    if node.is_leaf:
        return node.value
    bv = float("-inf") if node.is_max else float("inf")
    for child in node.children:
        value = alphabeta(child, alpha, beta)
        if node.is_max:
            bv = max(bv, value)
            alpha = max(alpha, bv)
        else:
            bv = min(bv, value)
            beta = min(beta, bv)
        if alpha >= beta:
            break
    return bv
"""
RIGHT = MINIMAX + ALPHABETA
STRICT = MINIMAX + ALPHABETA.replace("alpha >= beta", "alpha > beta")
FAIL_HARD = MINIMAX + ALPHABETA.replace("return bv", "return alpha if node.is_max else beta")
ALWAYS_MAX = MINIMAX.replace("max(values) if node.is_max else min(values)", "max(values)")
STUBS = "def minimax(node):\n    raise NotImplementedError\n\ndef alphabeta(*_):\n    pass\n"
LOOPS = MINIMAX + "\ndef alphabeta(node, alpha, beta):\n    while True:\n        pass\n"
CRASHES = MINIMAX + "\nimport os\ndef alphabeta(*_):\n    os._exit(3)\n"
IMPORTS = MINIMAX + "\nfrom helper import search as alphabeta\n"
HELPER = ALPHABETA.replace("alphabeta", "search")


Files = dict[str, bytes]

# The code in each file, or the files in a zip file
Codes = dict[str, "str | Codes"]


def files_of(codes: Codes, comment: str) -> Files:
    """Return the files. Each answer has a comment of its own: no two students' are the same."""
    files: Files = {}
    for name, code in codes.items():
        if isinstance(code, dict):
            files[name] = zipped(files_of(code, comment))
            continue

        signed = f"{code}\n# {comment}\n" if code else ""
        files[name] = notebook(signed) if name.endswith(".ipynb") else signed.encode()
    return files


def notebook(text: str) -> bytes:
    cell = {"cell_type": "code", "source": text, "outputs": [], "metadata": {}}
    content = {"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(content).encode()


def zipped(files: Files) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return file.getvalue()


# By what a student did: the code, and the points for minimax and alphabeta (each of 1)
KINDS: dict[str, tuple[Codes, tuple[float, float]]] = {
    "right": ({"hw3.ipynb": RIGHT}, (1, 1)),
    "wrong": ({"hw3.py": ALWAYS_MAX + ALPHABETA}, (0, 1)),
    "strict": ({"hw3.ipynb": STRICT}, (1, 0.5)),
    "fail-hard": ({"hw3.py": FAIL_HARD}, (1, 0.5)),
    "renamed": ({"my answer.py": RIGHT.replace("alphabeta", "alpha_beta")}, (1, 1)),
    "stub": ({"hw3.ipynb": STUBS}, (0, 0)),
    "loop": ({"hw3.py": LOOPS}, (1, 0)),
    "crash": ({"hw3.py": CRASHES}, (1, 0)),
    "two files": ({"hw3.ipynb": IMPORTS, "helper.py": HELPER}, (1, 1)),
    "late": ({"hw3.ipynb": RIGHT}, (1, 1)),
    "missing": ({}, (0, 0)),
    "docx": ({"essay.docx": "PK"}, (0, 0)),
    "zip": ({"hw.zip": {"hw/hw3.py": IMPORTS, "hw/helper.py": HELPER}}, (1, 1)),
    "empty": ({"hw3.py": ""}, (0, 0)),
}

# The points under the rule strict, where they are others: to cut on a tie is then wrong
UNDER_STRICT = {
    "strict": (1, 1),
    **dict.fromkeys(("right", "renamed", "two files", "late", "zip"), (1, 0.5)),
    "wrong": (0, 0.5),
}

NAMES = [
    ("Ada", "Lovelace"),
    ("Béla-Ö.", "O'Nągy"),
    ("Мария", "Иванова"),
    ("Ελένη", "Παπαδοπούλου"),
    ("雷", "李"),
    ("नेहा", "शर्मा"),
    ("فاطمة", "الزهراء"),
    ("Ada", "Lovelace"),
    ("Juan Carlos", "de la Cruz, Jr."),
    ("Suharto", ""),
]


@dataclass(frozen=True)
class Member:
    """A student, and what the student did."""

    person: Person
    kind: str

    @property
    def files(self) -> Files:
        return files_of(KINDS[self.kind][0], f"by student {self.person.number}")

    def points(self, *, strict: bool = False) -> float:
        points = KINDS[self.kind][1]
        if strict:
            points = UNDER_STRICT.get(self.kind, points)
        return sum(points)


def members(number: int) -> list[Member]:
    names = islice(cycle(NAMES), number)
    kinds = islice(cycle(KINDS), number)
    people = [Person(*name, 100 + place) for place, name in enumerate(names)]
    return [Member(person, kind) for person, kind in zip(people, kinds, strict=True)]


def downloaded_from_moodle(members: Sequence[Member]) -> Files:
    """Return a folder for each student who handed in. Moodle drops some signs from names."""
    files: Files = {}
    for member in members:
        name = member.person.name.replace("'", "").replace(",", "")
        folder = f"{name}_{member.person.participant}_assignsubmission_file_"
        files |= {f"{folder}/{name}": content for name, content in member.files.items()}
    return files


def downloaded_from_canvas(members: Sequence[Member]) -> Files:
    """Return all files in one folder, with the student's name run together, and its numbers."""
    files: Files = {}
    for member in members:
        name = "".join(each for each in member.person.sortable if each not in " ,.'-").lower()
        late = "_LATE" if member.kind == "late" else ""
        for place, (file, content) in enumerate(member.files.items()):
            stem, dot, ending = file.rpartition(".")
            again = "-1" if member.kind in ("late", "two files") else ""
            number = member.person.number
            files[
                f"{name}{late}_{number}_{8000 + 10 * number + place}_{stem}{again}{dot}{ending}"
            ] = content
    return files


def moodle_worksheet(members: Sequence[Member]) -> str:
    times = []
    for member in members:
        day = 15 if member.kind == "late" else 13
        time = f"Friday, {day} November 2025, 3:05 PM"
        times.append(time if member.files else "-")
    return moodle([member.person for member in members], maximum="20.00", times=times)


def canvas_gradebook(members: Sequence[Member]) -> str:
    return canvas([member.person for member in members])


System = Literal["moodle", "canvas"]
DOWNLOADS: dict[System, Callable[[Sequence[Member]], Files]] = {
    "moodle": downloaded_from_moodle,
    "canvas": downloaded_from_canvas,
}
GRADEBOOKS: dict[System, Callable[[Sequence[Member]], str]] = {
    "moodle": moodle_worksheet,
    "canvas": canvas_gradebook,
}
DEADLINE = "2025-11-14"


def write_class(folder: Path, system: System, members: Sequence[Member]) -> None:
    """Write the download, `hand-ins.zip`, and the gradebook, `gradebook.csv`."""
    (folder / "hand-ins.zip").write_bytes(zipped(DOWNLOADS[system](members)))
    (folder / "gradebook.csv").write_text(GRADEBOOKS[system](members), encoding="utf-8")
