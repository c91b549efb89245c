"""Whether a hand-in was late, and which mark says so."""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from datetime import datetime, time
from pathlib import Path
from zoneinfo import ZoneInfo

from abviz.errors import AbvizError, brief
from abviz.grading.downloads import folded
from abviz.grading.hand_ins import Student

# As Moodle writes them in some languages
MONTHS = (
    "january januar janvier enero gennaio janeiro januari",
    "february februar fevrier febrero febbraio fevereiro februari",
    "march marz mars marzo marco maart",
    "april avril abril aprile",
    "may mai mayo maggio maio mei maj",
    "june juni juin junio giugno junho",
    "july juli juillet julio luglio julho",
    "august aout agosto augustus augusti",
    "september septembre septiembre settembre setembro",
    "october oktober octobre octubre ottobre outubro",
    "november novembre noviembre novembro",
    "december dezember decembre diciembre dicembre dezembro",
)
NUMBERS = {name: number for number, names in enumerate(MONTHS, 1) for name in names.split()}

DAY_AND_MONTH = re.compile(
    r"(?<!\d)(?P<day>\d{1,2})[.º]? (?:de |di )?(?P<month>[^\W\d]{3,})\.? (?:de )?(?P<year>\d{4})"
)
MONTH_AND_DAY = re.compile(r"(?P<month>[^\W\d]{3,}) (?P<day>\d{1,2}),? (?P<year>\d{4})")
IN_ORDER = re.compile(r"(?P<year>\d{4})\s?[-年/]\s?(?P<month>\d{1,2})\s?[-月/]\s?(?P<day>\d{1,2})")
CLOCK = re.compile(r"(?<!\d)(?P<hour>\d{1,2}):(?P<minute>\d\d)(?::\d\d)?\s*(?P<half>[ap]\.?m\b)?")

TIMESTAMP = "timestamp.txt"  # beside a hand-in, as nbgrader writes it


def read_deadline(text: str, zone: str = "") -> datetime:
    """Return the moment that was typed, in the zone; "" is the computer's own."""
    try:
        moment = datetime.fromisoformat(text.strip())
        if re.fullmatch(r"\s*\d{4}-\d\d-\d\d\s*", text):  # a day lasts to its end
            moment = datetime.combine(moment, time(23, 59, 59))
        return _in_zone(moment, zone)
    except (ValueError, OverflowError, OSError):
        expected = "expected a day, such as 2026-10-31, or with a time, 2026-10-31T12:00"
        raise AbvizError(f"--deadline is {brief(text)}; {expected}") from None


def _in_zone(moment: datetime, zone: str) -> datetime:
    if moment.tzinfo or not zone:
        return moment.astimezone()
    return moment.replace(tzinfo=ZoneInfo(zone))


def mark_late(
    students: Iterable[Student],
    deadline: datetime | None,
    zone: str = "",
    submitted: Mapping[str, str] | None = None,
) -> None:
    """Set whether each student was late, and by which mark.

    That is Canvas's own; or the time that Moodle's worksheet gives, by id; or nbgrader's; or else
    the file's.
    """
    for student in students:
        if student.late is not None or deadline is None or not student.files:
            continue

        found = _moment(student, zone, submitted or {})
        if found:
            moment, student.late_by = found
            student.late = moment > deadline


def _moment(
    student: Student, zone: str, submitted: Mapping[str, str]
) -> tuple[datetime, str] | None:
    """Return when the student handed in, and what says so."""
    if moment := read_time(submitted.get(student.id, ""), zone):
        return moment, "Moodle's time"

    stamps = [each for each in map(_timestamp, student.files) if each]
    if stamps:
        return max(stamps), "nbgrader's time"

    graded = [hand_in.path for hand_in in student.hand_ins] or student.files
    try:
        changed = max(path.stat().st_mtime for path in graded)
        return datetime.fromtimestamp(changed).astimezone(), "the file's time"
    except (OSError, OverflowError, ValueError):
        return None


def _timestamp(path: Path) -> datetime | None:
    """Return the time in a file of nbgrader's, which is UTC."""
    if path.name != TIMESTAMP:
        return None
    try:
        text = path.read_text(encoding="utf-8")[:100].strip()
        return datetime.fromisoformat(text.removesuffix(" UTC") + "+00:00")
    except (OSError, ValueError):
        return None


def read_time(text: str, zone: str = "") -> datetime | None:
    """Return the time in a cell of Moodle's, or None where that isn't certain."""
    # Without accents: März, février
    plain = re.sub(r"[\u0300-\u036f]", "", unicodedata.normalize("NFD", folded(text)))
    date = DAY_AND_MONTH.search(plain) or MONTH_AND_DAY.search(plain) or IN_ORDER.search(plain)
    clock = CLOCK.search(plain)
    if not date or not clock:
        return None

    month = NUMBERS.get(date["month"], 0)
    if date["month"].isdigit():
        month = int(date["month"])

    hour = int(clock["hour"])
    if clock["half"]:
        hour = hour % 12 + (12 if clock["half"].startswith("p") else 0)
    try:
        day = int(date["day"])
        return _in_zone(datetime(int(date["year"]), month, day, hour, int(clock["minute"])), zone)
    except (ValueError, OverflowError, OSError):
        return None
