import os
import socket
from pathlib import Path

import pytest

from evaluator.compute.engine import output
from evaluator.compute.engine.output import (
    UnsafeOutputError,
    collect,
    is_over,
    output_folder,
    read_regular,
)

SIZE = 2**20


def test_plain_files_and_folders_are_taken(tmp_path: Path) -> None:
    source, target = tmp_path / "out", tmp_path / "taken"
    (source / "a/b").mkdir(parents=True)
    (source / "a/b/c.txt").write_text("c")
    (source / "empty").mkdir()
    collect(source, target, SIZE)
    assert (target / "a/b/c.txt").read_text() == "c"
    assert (target / "empty").is_dir()


@pytest.mark.parametrize("kind", ["link", "dangling", "folder link", "fifo", "socket"])
def test_everything_else_is_refused(tmp_path: Path, kind: str) -> None:
    source = tmp_path / "out"
    (source / "deep").mkdir(parents=True)
    odd = source / "deep" / "odd\x1b"
    if kind == "fifo":
        os.mkfifo(odd)
    elif kind == "socket":
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(str(odd))
    else:
        odd.symlink_to({"link": "/etc/passwd", "dangling": "no", "folder link": "/etc"}[kind])
    with pytest.raises(UnsafeOutputError, match=r"'deep/odd\\x1b' is a link or a special file"):
        collect(source, tmp_path / "taken", SIZE)


def test_a_sparse_file_does_not_fill_the_disk(tmp_path: Path) -> None:
    source = tmp_path / "out"
    source.mkdir()
    with (source / "sparse").open("wb") as file:
        file.truncate(2**40)
    with pytest.raises(UnsafeOutputError, match="'sparse' is larger than"):
        collect(source, tmp_path / "taken", SIZE)


def test_too_many_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(output, "MAX_FILES", 10)
    for number in range(11):
        (tmp_path / str(number)).touch()
    assert is_over(tmp_path, SIZE)
    with pytest.raises(UnsafeOutputError, match="more than 10 files"):
        collect(tmp_path, tmp_path.with_name("taken"), SIZE)


def test_read_regular(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"12345")
    (tmp_path / "link").symlink_to("file")
    os.mkfifo(tmp_path / "fifo")
    assert read_regular(tmp_path / "file", 5) == b"12345"
    for name in ("link", "fifo", ".", "absent"):
        assert read_regular(tmp_path / name, 5) is None, name
    assert read_regular(tmp_path / "file", 4) is None


def test_is_over_counts_what_is_on_disk(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "file").write_bytes(os.urandom(SIZE))
    assert is_over(tmp_path, SIZE // 2)
    assert not is_over(tmp_path, 2 * SIZE)


def test_a_folder_is_bounded_and_goes_away(tmp_path: Path) -> None:
    path = tmp_path / "out"
    with output_folder(path, SIZE) as folder:
        assert not folder.is_full()
        if folder.bounded:
            with pytest.raises(OSError, match="space"):
                (path / "large").write_bytes(bytes(2 * SIZE))
        else:
            (path / "large").write_bytes(os.urandom(2 * SIZE))
        assert folder.is_full()
    assert not path.exists()
