"""Who was late, and which mark says so."""

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from abviz.errors import AbvizError
from abviz.grading.hand_ins import Student, collect
from abviz.grading.lateness import mark_late, read_deadline, read_time

DEADLINE = datetime(2025, 11, 14, 23, 0, tzinfo=UTC)

TIMES = {
    "Friday, 14 November 2025, 11:59 PM": "2025-11-14 23:59",
    "Friday, 14 November 2025, 12:05 AM": "2025-11-14 00:05",
    "Friday, November 14, 2025, 12:05 PM": "2025-11-14 12:05",
    "Freitag, 14. November 2025, 23:59": "2025-11-14 23:59",
    "Samstag, 1. März 2025, 08:05": "2025-03-01 08:05",
    "viernes, 14 de noviembre de 2025, 23:59": "2025-11-14 23:59",
    "vendredi 1 août 2025, 23:59": "2025-08-01 23:59",
    "2025年11月14日(金曜日) 23:59": "2025-11-14 23:59",
    "2025-11-14 23:59:58": "2025-11-14 23:59",
    "-": None,
    "": None,
    "11/12/2025, 23:59": None,
    "Friday, 14 Brumaire 2025, 23:59": None,
    "Friday, 31 February 2025, 23:59": None,
    "Friday, 14 November 2025": None,
}


@pytest.mark.parametrize("text", TIMES)
def test_a_time_of_moodle_is_read_in_some_languages(text: str) -> None:
    expected = TIMES[text]
    moment = read_time(text, "Europe/Berlin")
    assert (moment.strftime("%Y-%m-%d %H:%M") if moment else None) == expected
    assert moment is None or str(moment.tzinfo) == "Europe/Berlin"


def test_a_deadline_is_in_the_time_zone_and_a_day_lasts_to_its_end() -> None:
    assert read_deadline("2025-11-15", "Asia/Tokyo").isoformat() == "2025-11-15T23:59:59+09:00"
    assert read_deadline("2025-11-15 08:00", "Asia/Tokyo").astimezone(UTC).hour == 23
    assert read_deadline("2025-11-14T23:00Z") == DEADLINE
    with pytest.raises(AbvizError, match="--deadline is 'soon'; expected a day, such as"):
        read_deadline("soon")


def test_a_mark_comes_before_a_time_and_a_time_before_the_files(tmp_path: Path) -> None:
    names = "a_LATE_11_22_x.py", "b_12_23_x.py", "moodle.py", "nb/ps1/x.py", "nb/ps1/timestamp.txt"
    for name in (*names, "late.py", "early.py"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("2025-11-14 22:59:59.5 UTC\n" if path.suffix == ".txt" else "x = 1\n")
        changed = DEADLINE.timestamp() + (-60 if name in ("early.py", names[0]) else 60)
        os.utime(path, (changed, changed))

    students, _ = collect([str(tmp_path)])
    by_name = {each.name: each for each in students}
    by_name["moodle"].id = "1001"
    mark_late(students, DEADLINE, "UTC", {"1001": "Friday, 14 November 2025, 10:59 PM"})
    assert {name: (each.late, each.late_by) for name, each in by_name.items()} == {
        "a": (True, "Canvas's mark"),
        "b": (False, "Canvas's mark"),
        "moodle": (False, "Moodle's time"),
        "nb": (False, "nbgrader's time"),
        "late": (True, "the file's time"),
        "early": (False, "the file's time"),
    }


def test_nothing_is_late_without_a_deadline_or_a_file() -> None:
    nothing, something = Student("a"), Student("b", files=[Path("b.py")])
    mark_late([nothing], DEADLINE)
    mark_late([something], None)
    assert (nothing.late, something.late) == (None, None)
