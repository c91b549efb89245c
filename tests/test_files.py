"""Files appear whole or not at all, wherever they go and whatever gets in the way."""

import errno
import os
import stat
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from abviz.errors import AbvizError
from abviz.tree.files import check_place, write_whole


@contextmanager
def as_nobody() -> Iterator[None]:
    """Root may write anywhere; so, for a while, be somebody who may not."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


def listing(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def refused(path: str | Path, data: bytes = b"new") -> str:
    with pytest.raises(AbvizError) as caught:
        write_whole(path, data)
    message = str(caught.value)
    assert len(message.splitlines()) == 1
    return message


def test_a_new_file_is_as_any_other(tmp_path: Path) -> None:
    old_mask = os.umask(0o027)
    try:
        write_whole(tmp_path / "ours", b"\x00\n\r\n")
        (tmp_path / "any").write_bytes(b"")
    finally:
        os.umask(old_mask)
    assert (tmp_path / "ours").read_bytes() == b"\x00\n\r\n"
    assert stat.S_IMODE((tmp_path / "ours").stat().st_mode) == stat.S_IMODE((tmp_path / "any").stat().st_mode) == 0o640
    assert listing(tmp_path) == ["any", "ours"]


def test_a_file_that_is_there_is_replaced_and_keeps_who_may_read_it(tmp_path: Path) -> None:
    path = tmp_path / "private"
    path.write_bytes(b"a longer text than the new one")
    path.chmod(0o600)
    write_whole(str(path), b"new")
    assert path.read_bytes() == b"new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_path_without_a_folder_is_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_whole("here", b"new")
    assert listing(tmp_path) == ["here"]


def test_a_folder_in_the_way_is_named(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    assert "it is a folder" in refused(tmp_path / "folder")
    assert listing(tmp_path) == ["folder"]


def test_a_missing_folder_is_named_and_not_made(tmp_path: Path) -> None:
    assert f"there is no folder {tmp_path / 'missing'}" in refused(tmp_path / "missing" / "file")
    (tmp_path / "file").write_bytes(b"old")
    assert "there is no folder" in refused(tmp_path / "file" / "below")
    assert listing(tmp_path) == ["file"]


@pytest.fixture
def anybodys() -> Iterator[Path]:
    """A folder that nobody in particular can come to."""
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o777)
        yield Path(folder)


def test_a_folder_closed_to_writing_is_left_as_it_is(anybodys: Path) -> None:
    (anybodys / "file").write_bytes(b"old")
    (anybodys / "file").chmod(0o666)
    anybodys.chmod(0o555)
    with as_nobody():
        assert "Permission denied" in refused(anybodys / "file")
        assert "Permission denied" in refused(anybodys / "new")
    assert listing(anybodys) == ["file"] and (anybodys / "file").read_bytes() == b"old"
    anybodys.chmod(0o777)


def test_what_could_not_be_written_is_refused_before_there_is_anything_to_write(anybodys: Path) -> None:
    def closed(path: Path) -> bool:
        with pytest.raises(AbvizError, match=r"^cannot write .*; expected") as caught:
            check_place(path)
        return "it is closed to writing" in str(caught.value)

    (anybodys / "open").mkdir(mode=0o777)
    (anybodys / "open").chmod(0o777)
    for path in (anybodys / "file", anybodys / "read-only", anybodys / "open" / "file"):
        path.write_bytes(b"old")
        path.chmod(0o444 if path.name == "read-only" else 0o666)
    (anybodys / "link").symlink_to(anybodys / "open" / "file")
    with as_nobody():
        for path in (anybodys / "file", anybodys / "new", anybodys / "link", Path(os.devnull)):
            check_place(path)
        assert closed(anybodys / "read-only")
        assert not closed(anybodys / "missing" / "file") and not closed(anybodys / "open")
    anybodys.chmod(0o555)
    with as_nobody():
        assert closed(anybodys / "file") and closed(anybodys / "new")
        check_place(anybodys / "link")
    anybodys.chmod(0o777)
    assert listing(anybodys) == ["file", "link", "open", "read-only"] and listing(anybodys / "open") == ["file"]


def test_a_read_only_file_is_kept_though_its_folder_is_open(anybodys: Path) -> None:
    (anybodys / "file").write_bytes(b"old")
    (anybodys / "file").chmod(0o444)
    with as_nobody():
        assert "Permission denied" in refused(anybodys / "file")
        write_whole(anybodys / "another", b"new")
    assert listing(anybodys) == ["another", "file"] and (anybodys / "file").read_bytes() == b"old"


class FullDisk:
    """A file on which only the first bytes find room."""

    def __init__(self, path: object, mode: str):
        self.file = open(path, mode)  # noqa: SIM115

    def __enter__(self) -> "FullDisk":
        return self

    def __exit__(self, *_: object) -> None:
        self.file.close()

    def write(self, data: bytes) -> None:
        self.file.write(data[:2])
        self.file.flush()
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_a_full_disk_leaves_the_old_file_and_no_litter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_bytes(b"old")
    monkeypatch.setattr("abviz.tree.files.open", FullDisk, raising=False)
    assert "No space left on device" in refused(tmp_path / "file")
    assert "No space left on device" in refused(tmp_path / "new")
    assert listing(tmp_path) == ["file"] and (tmp_path / "file").read_bytes() == b"old"


def test_ctrl_c_leaves_no_litter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("abviz.tree.files.os.replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_whole(tmp_path / "file", b"new")
    assert listing(tmp_path) == []


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    target = tmp_path / "elsewhere" / "file"
    (tmp_path / "link").symlink_to(target)
    for data in (b"first", b"second"):  # the target is not there, then it is
        write_whole(tmp_path / "link", data)
        assert (tmp_path / "link").is_symlink() and target.read_bytes() == data
    assert listing(tmp_path / "elsewhere") == ["file"]
    (tmp_path / "astray").symlink_to(tmp_path / "missing" / "file")
    refused(tmp_path / "astray")
    assert (tmp_path / "astray").is_symlink()


def test_what_is_no_file_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    write_whole(pipe, b"new")
    assert os.read(reader, 10) == b"new" and pipe.is_fifo()
    os.close(reader)
    ours, theirs = os.openpty()
    write_whole(os.ttyname(theirs), b"new")
    assert os.read(ours, 10) == b"new"
    os.close(ours)
    os.close(theirs)


@pytest.mark.parametrize("name", ["x" * 300, "with\0null"])
def test_a_name_that_no_file_can_have(tmp_path: Path, name: str) -> None:
    refused(tmp_path / name)
    assert listing(tmp_path) == []


def test_a_refusal_is_one_line_whatever_the_name(tmp_path: Path) -> None:
    assert "two␊lines" in refused(tmp_path / "two\nlines" / "file")


def test_writers_at_once_leave_one_whole_file(tmp_path: Path) -> None:
    path = tmp_path / "file"
    texts = [bytes([letter]) * 100_000 for letter in b"abcdefgh"]
    start = threading.Barrier(len(texts) + 1)
    seen = set()

    def write(text: bytes) -> None:
        start.wait()
        for _ in range(20):
            write_whole(path, text)

    writers = [threading.Thread(target=write, args=[text]) for text in texts]
    for writer in writers:
        writer.start()
    start.wait()
    while any(writer.is_alive() for writer in writers):
        if path.exists():
            seen.add(path.read_bytes())
    for writer in writers:
        writer.join()
    assert seen and seen <= set(texts) and path.read_bytes() in texts
    assert listing(tmp_path) == ["file"]
