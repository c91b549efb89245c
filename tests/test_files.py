"""Files appear whole or not at all."""

import errno
import os
import stat
from pathlib import Path

import pytest

from abviz.errors import AbvizError
from abviz.tree.files import write_whole


def listing(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def refused(path: str | Path, data: bytes = b"new") -> str:
    with pytest.raises(AbvizError) as caught:
        write_whole(path, data)
    message = str(caught.value)
    assert len(message.splitlines()) == 1
    return message


def test_a_new_file_is_as_any_other_and_an_old_one_keeps_who_may_read_it(tmp_path: Path) -> None:
    old_mask = os.umask(0o027)
    try:
        write_whole(tmp_path / "ours", b"\x00\n\r\n")
        (tmp_path / "any").write_bytes(b"")
    finally:
        os.umask(old_mask)
    assert (tmp_path / "ours").read_bytes() == b"\x00\n\r\n"
    assert (
        stat.S_IMODE((tmp_path / "ours").stat().st_mode)
        == stat.S_IMODE((tmp_path / "any").stat().st_mode)
        == 0o640
    )
    (tmp_path / "any").chmod(0o600)
    write_whole(str(tmp_path / "any"), b"new")
    assert stat.S_IMODE((tmp_path / "any").stat().st_mode) == 0o600
    assert listing(tmp_path) == ["any", "ours"]


NO_PLACE = {
    "folder": "Is a directory; expected a file name, in a folder open to writing",
    "missing/file": "No such file or directory; expected a file name",
    "file/below": "Not a directory; expected a file name",
    "two\nlines/file": "two␊lines",
    "x" * 300: "File name too long",
}


def test_a_place_for_no_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_bytes(b"old")
    for name, message in NO_PLACE.items():
        assert message in refused(tmp_path / name)
    assert listing(tmp_path) == ["file", "folder"] and (tmp_path / "file").read_bytes() == b"old"


@pytest.mark.parametrize(
    "problem", [OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)), KeyboardInterrupt()]
)
def test_a_full_disk_or_an_interrupt_leaves_the_old_file_and_no_litter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, problem: BaseException
) -> None:
    def full(path: Path, data: bytes) -> None:
        with open(path, "wb") as file:
            file.write(data[:2])
        raise problem

    (tmp_path / "file").write_bytes(b"old")
    monkeypatch.setattr(Path, "write_bytes", full)
    for name in ("file", "new"):
        with pytest.raises((AbvizError, KeyboardInterrupt), match=r"No space left on device|^$"):
            write_whole(tmp_path / name, b"new")
    assert listing(tmp_path) == ["file"] and (tmp_path / "file").read_bytes() == b"old"


def test_a_link_stays_a_link_and_a_pipe_is_written_to(tmp_path: Path) -> None:
    target, pipe = tmp_path / "file", tmp_path / "pipe"
    (tmp_path / "link").symlink_to(target)
    for data in (b"first", b"second"):  # the target is not there, then it is
        write_whole(tmp_path / "link", data)
        assert (tmp_path / "link").is_symlink() and target.read_bytes() == data
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    write_whole(pipe, b"new")
    assert os.read(reader, 10) == b"new" and pipe.is_fifo()
    os.close(reader)
    assert listing(tmp_path) == ["file", "link", "pipe"]
