"""Zip files from strangers, read without trusting a word that their headers say."""

import hashlib
import io
import stat
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from typing import BinaryIO, NamedTuple

from evaluator.core.formats.paths import case_clashes, path_fault, shown

MAX_MEMBERS = 20_000
MAX_RATIO = 200
"""Inflated bytes per stored byte; text rarely passes 20, bombs start at 1,000."""
RATIO_FLOOR = 10 * 2**20
"""Bytes of a member below which the ratio does not matter."""
TOTAL_FLOOR = 10 * RATIO_FLOOR
"""Bytes of all members together below which it does not."""
_JUNK_NAMES = frozenset({".DS_Store", "Thumbs.db", "desktop.ini"})


class ArchiveError(Exception):
    """Why an archive is refused; names the member. Callers know whose archive it is."""


class ZipEntry(NamedTuple):
    """One entry of a zip; a folder's name ends with a slash."""

    name: str
    content: bytes
    executable: bool
    link: bool = False
    """Whether it is a link, whose target is its content."""


def is_junk(name: str) -> bool:
    *folders, last = name.rstrip("/").split("/")
    return "__MACOSX" in (*folders, last) or last in _JUNK_NAMES or last.startswith("._")


def members(data: bytes, *, max_bytes: int) -> Iterator[tuple[str, bytes]]:
    """Yield ``(path, content)`` of each file in a zip, in the archive's order.

    All names are checked before the first byte is inflated; the inflated size is counted, not
    read from the header.

    Raises ArchiveError: not a zip, an unsafe or doubled name, a link, encryption, a bomb.
    """
    for member in entries(io.BytesIO(data), max_bytes=max_bytes):
        if not member.name.endswith("/"):
            yield member.name, member.content


def entries(
    file: BinaryIO,
    *,
    max_bytes: int,
    tolerant: bool = False,
    links: bool = False,
    skip: Callable[[str], bool] = is_junk,
) -> Iterator[ZipEntry]:
    """Yield the files and folders of a zip; ``skip`` names those that are not looked at.

    ``links`` yields links, too, which are refused else: who asks for them follows none blindly.

    ``tolerant`` takes what other people's tools write and what stays harmless: backslashes, a
    leading ``./``, UTF-8 names without the flag that says so, and doubled members of the same
    content. Raises ArchiveError as ``members`` does.
    """
    try:
        archive = zipfile.ZipFile(file)
    except (zipfile.BadZipFile, ValueError, NotImplementedError, OSError) as error:
        raise ArchiveError(f"is not a readable zip file: {error}") from None
    with archive:
        infos = archive.infolist()
        if tolerant:
            for info in infos:
                info.filename = _repaired(info)
        files = [info for info in infos if info.filename and not skip(info.filename)]
        _check_names(files, doubles=tolerant, links=links)
        # Of many small members, too, which may even share their bytes in the file.
        budget = min(max_bytes, max(TOTAL_FLOOR, file.seek(0, io.SEEK_END) * MAX_RATIO))
        seen: dict[str, bytes] = {}
        for info in files:
            if info.filename.endswith("/"):
                yield ZipEntry(info.filename, b"", executable=True)
                continue
            content = _inflate(archive, info, budget)
            budget -= len(content)
            if tolerant:
                digest = hashlib.sha256(content).digest()
                if seen.setdefault(info.filename, digest) != digest:
                    raise ArchiveError(
                        f"member '{shown(info.filename)}' is there twice, with different content"
                    )
            mode = info.external_attr >> 16
            yield ZipEntry(info.filename, content, bool(mode & 0o100), stat.S_ISLNK(mode))


def _repaired(info: zipfile.ZipInfo) -> str:
    name = info.filename
    if not info.flag_bits & 0x800 and not name.isascii():
        # Without the flag a name is code page 437 by the letter; macOS writes UTF-8 all the same.
        try:
            name = name.encode("cp437").decode("utf-8")
        except UnicodeError:
            name = info.filename
    name = name.replace("\\", "/")
    while name.startswith("./"):
        name = name[2:]
    return name


def _check_names(
    files: list[zipfile.ZipInfo], *, doubles: bool = False, links: bool = False
) -> None:
    if len(files) > MAX_MEMBERS:
        raise ArchiveError(f"holds {len(files)} members; at most {MAX_MEMBERS} are read")
    for info in files:
        fault = path_fault(info.filename)
        if fault:
            raise ArchiveError(f"member '{shown(info.filename)}' {fault}")
        kind = stat.S_IFMT(info.external_attr >> 16)
        if kind not in (0, stat.S_IFREG, stat.S_IFDIR) and not (links and kind == stat.S_IFLNK):
            raise ArchiveError(f"member '{shown(info.filename)}' is a link or a special file")
        if info.flag_bits & 0x1:
            raise ArchiveError(f"member '{shown(info.filename)}' is encrypted")
    names = [info.filename.rstrip("/") for info in files if not info.filename.endswith("/")]
    double, count = max(Counter(names).items(), key=lambda item: item[1], default=("", 0))
    if count > 1 and not doubles:
        raise ArchiveError(f"member '{shown(double)}' is there twice")
    for first, second in case_clashes(names):
        raise ArchiveError(f"members '{shown(first)}' and '{shown(second)}' differ only by case")


def _inflate(archive: zipfile.ZipFile, info: zipfile.ZipInfo, budget: int) -> bytes:
    ceiling = min(budget, max(RATIO_FLOOR, info.compress_size * MAX_RATIO))
    try:
        with archive.open(info) as member:
            content = member.read(ceiling + 1)
    except (zipfile.BadZipFile, NotImplementedError, EOFError, OSError, ValueError) as error:
        raise ArchiveError(f"member '{shown(info.filename)}' is damaged: {error}") from None
    except Exception as error:
        # zlib.error and lzma.LZMAError share no base class but Exception.
        if type(error).__module__ not in {"zlib", "lzma", "_lzma", "bz2"}:
            raise
        raise ArchiveError(f"member '{shown(info.filename)}' is damaged: {error}") from None
    if len(content) > ceiling:
        raise ArchiveError(
            f"member '{shown(info.filename)}' inflates past {ceiling:,} bytes "
            f"from {info.compress_size:,}; at most {MAX_RATIO} times is read"
        )
    return content
