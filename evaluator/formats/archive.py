"""Zip files from strangers, read without trusting a word that their headers say."""

import io
import stat
import zipfile
from collections.abc import Iterator

from evaluator.formats.paths import case_clashes, path_fault, shown

MAX_MEMBERS = 20_000
MAX_RATIO = 200
"""Inflated bytes per stored byte; text rarely passes 20, bombs start at 1,000."""
RATIO_FLOOR = 10 * 2**20
"""Bytes below which the ratio does not matter."""
_JUNK = ("__MACOSX/", ".DS_Store")


class ArchiveError(Exception):
    """Why an archive is refused; names the member. Callers know whose archive it is."""


def members(data: bytes, *, max_bytes: int) -> Iterator[tuple[str, bytes]]:
    """Yield ``(path, content)`` of each file in a zip, in the archive's order.

    All names are checked before the first byte is inflated; the inflated size is counted, not
    read from the header.

    Raises ArchiveError: not a zip, an unsafe or doubled name, a link, encryption, a bomb.
    """
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except (zipfile.BadZipFile, ValueError, NotImplementedError) as error:
        raise ArchiveError(f"is not a readable zip file: {error}") from None
    with archive:
        files = [info for info in archive.infolist() if not _is_junk(info.filename)]
        _check_names(files)
        budget = max_bytes
        for info in files:
            if info.is_dir():
                continue
            content = _inflate(archive, info, budget)
            budget -= len(content)
            yield info.filename, content


def _is_junk(name: str) -> bool:
    return name.startswith(_JUNK[0]) or name.rpartition("/")[2] == _JUNK[1]


def _check_names(files: list[zipfile.ZipInfo]) -> None:
    if len(files) > MAX_MEMBERS:
        raise ArchiveError(f"holds {len(files)} members; at most {MAX_MEMBERS} are read")
    for info in files:
        fault = path_fault(info.filename)
        if fault:
            raise ArchiveError(f"member '{shown(info.filename)}' {fault}")
        kind = stat.S_IFMT(info.external_attr >> 16)
        if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
            raise ArchiveError(f"member '{shown(info.filename)}' is a link or a special file")
        if info.flag_bits & 0x1:
            raise ArchiveError(f"member '{shown(info.filename)}' is encrypted")
    names = [info.filename.rstrip("/") for info in files if not info.is_dir()]
    if len(names) != len(set(names)):
        double = next(name for name in names if names.count(name) > 1)
        raise ArchiveError(f"member '{shown(double)}' is there twice")
    for one, other in case_clashes(names):
        raise ArchiveError(f"members '{shown(one)}' and '{shown(other)}' differ only by case")


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
