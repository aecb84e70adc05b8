import io
import stat
import zipfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluator.core.formats import archive
from evaluator.core.formats.archive import ArchiveError, members

MIB = 2**20


def zipped(
    *files: tuple[str | zipfile.ZipInfo, bytes], method: int = zipfile.ZIP_DEFLATED
) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as made:
        for name, content in files:
            made.writestr(name, content)
    return buffer.getvalue()


def read(data: bytes, max_bytes: int = 100 * MIB) -> dict[str, bytes]:
    return dict(members(data, max_bytes=max_bytes))


def refusal(data: bytes, max_bytes: int = 100 * MIB) -> str:
    with pytest.raises(ArchiveError) as caught:
        read(data, max_bytes)
    return str(caught.value)


@pytest.mark.parametrize(
    "method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA]
)
def test_plain_files(method: int) -> None:
    data = zipped(("a.txt", b"1"), ("folder/", b""), ("folder/b", b"22"), method=method)
    assert read(data) == {"a.txt": b"1", "folder/b": b"22"}


def test_what_finder_adds_is_left_out() -> None:
    data = zipped(("a", b"1"), ("__MACOSX/._a", b"x"), ("deep/.DS_Store", b"x"))
    assert read(data) == {"a": b"1"}


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("/etc/passwd", "is absolute"),
        ("../up", "climbs"),
        ("a/../../up", "climbs"),
        ("C:/x", "is absolute"),
        ("a\\b", "backslash"),
        ("a\x1b[31m", "control"),
        (".git/hooks/pre-commit", ".git"),
    ],
)
def test_names_are_refused_before_anything_is_inflated(name: str, fault: str) -> None:
    info = zipfile.ZipInfo("x")
    info.filename = name  # the constructor would tidy it up
    message = refusal(zipped(("good", b"1"), (info, b"2")))
    assert fault in message
    assert "\x1b" not in message


@pytest.mark.parametrize("kind", [stat.S_IFLNK, stat.S_IFIFO, stat.S_IFCHR, stat.S_IFSOCK])
def test_links_and_special_files(kind: int) -> None:
    info = zipfile.ZipInfo("odd")
    info.external_attr = (kind | 0o777) << 16
    assert "'odd' is a link or a special file" in refusal(zipped((info, b"/etc/passwd")))


def test_doubled_members() -> None:
    with pytest.warns(UserWarning, match="Duplicate name"):
        data = zipped(("a", b"1"), ("a", b"2"))
    assert "'a' is there twice" in refusal(data)


def test_names_that_differ_only_by_case() -> None:
    assert "differ only by case" in refusal(zipped(("README", b"1"), ("readme", b"2")))


def test_encrypted() -> None:
    data = bytearray(zipped(("a", b"secret")))
    data[6] |= 1
    data[data.index(b"PK\x01\x02") + 8] |= 1
    assert "'a' is encrypted" in refusal(bytes(data))


def test_bomb() -> None:
    bomb = zipped(("zeros", bytes(50 * MIB)))
    assert len(bomb) < MIB // 10
    assert "'zeros' inflates past" in refusal(bomb)


def test_many_small_members_share_one_budget() -> None:
    data = zipped(*((f"{n}", bytes(MIB)) for n in range(8)))
    assert "inflates past" in refusal(data, max_bytes=4 * MIB)


def test_too_many_members(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "MAX_MEMBERS", 10)
    assert "holds 11 members" in refusal(zipped(*((f"{n}", b"") for n in range(11))))


def test_a_size_that_lies_is_found_out() -> None:
    data = bytearray(zipped(("a", bytes(MIB))))
    at = data.index(b"PK\x01\x02") + 24
    data[at : at + 4] = (10).to_bytes(4, "little")
    assert "'a'" in refusal(bytes(data))


def test_damage() -> None:
    data = bytearray(zipped(("a", b"some text " * 100)))
    data[40] ^= 0xFF
    assert "'a' is damaged" in refusal(bytes(data))


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04", b"not a zip" * 10])
def test_not_a_zip(data: bytes) -> None:
    assert "is not a readable zip" in refusal(data)


@given(st.integers(0, 300), st.integers(0, 255))
@settings(max_examples=300, deadline=None)
def test_one_wrong_byte_is_refused_or_harmless(at: int, value: int) -> None:
    data = bytearray(zipped(("a", b"text " * 20), ("b/c", b"more")))
    data[at % len(data)] = value
    try:
        found = read(bytes(data))
    except ArchiveError:
        return
    assert not any(Path(name).is_absolute() or ".." in Path(name).parts for name in found)
