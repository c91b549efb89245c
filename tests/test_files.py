"""Files are written, or refused in one line."""

from pathlib import Path

import pytest

from abviz.errors import AbvizError
from abviz.tree.files import write_whole

NO_PLACE = {
    "folder": "Is a directory; expected a file name, in a folder open to writing",
    "missing/file": "No such file or directory; expected a file name",
    "two\nlines/file": "two␊lines",
    "x" * 300: "File name too long",
}


def test_a_file_is_written_and_a_place_for_no_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    for data in (b"\x00\n\r\n", b"new"):
        write_whole(tmp_path / "file", data)
        assert (tmp_path / "file").read_bytes() == data
    for name, message in NO_PLACE.items():
        with pytest.raises(AbvizError, match=message) as caught:
            write_whole(tmp_path / name, b"new")
        assert len(str(caught.value).splitlines()) == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "folder"]
