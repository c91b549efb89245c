"""Whose a downloaded file is, by the name that Moodle or Canvas gives it."""

import re
import unicodedata
from dataclasses import dataclass

# Ada Lovelace_1001_assignsubmission_file_ is a folder; without folders its files begin with that.
# A file that was downloaded before has two such beginnings: the first one is Moodle's.
MOODLE = re.compile(
    r"(?P<name>.+?)_(?P<id>\d+)_assignsubmission_(?:file|onlinetext)(?:_(?P<file>.*))?", re.DOTALL
)

# lovelaceada_LATE_4711_8899_hw3-1.ipynb: the user, the file of this user, and its own name
CANVAS = re.compile(
    r"(?P<name>\S+?)(?P<late>_LATE)?_(?P<id>\d+)_(?:\d{2,}_(?P<file>.+)|(?:text|link)\.html)",
    re.DOTALL,
)

# Canvas adds it to the name of a file that replaces an earlier one
RESUBMITTED = re.compile(r"-\d{1,2}(?=\.\w+$)")


@dataclass(frozen=True)
class Download:
    """What the name of a downloaded file or folder says."""

    system: str  # "moodle" or "canvas"
    id: str
    name: str  # of the student; Canvas writes it without spaces, the last name first
    file: str  # its own name, "" for a folder, or for text that was typed into a form
    is_late: bool | None  # None: the name doesn't say

    @property
    def student(self) -> tuple[str, str, str]:
        """Return what tells the student from all others.

        The number alone does not: Moodle counts the students of each assignment.
        """
        return self.system, self.id, folded(self.name)


def read_name(name: str, *, is_folder: bool) -> Download | None:
    """Return what the name says, or None for a name of another kind."""
    if match := MOODLE.fullmatch(name):
        file = match["file"] or ""
        if is_folder and file:
            return None
        return Download("moodle", match["id"], match["name"].strip(), file, None)

    match = None if is_folder else CANVAS.fullmatch(name)
    if match:
        is_late = match["late"] is not None
        return Download("canvas", match["id"], match["name"], match["file"] or "", is_late)
    return None


def folded(name: str) -> str:
    """Return a name as names are compared: in any case, composed or not, with any spaces."""
    text = unicodedata.normalize("NFKC", name).casefold().replace("_", " ")
    return unicodedata.normalize("NFC", " ".join(text.split()))


def run_together(name: str) -> str:
    """Return a name as Canvas writes it into the name of a file: letters and digits alone."""
    return "".join(each for each in folded(name) if unicodedata.category(each)[0] in "LMN")
