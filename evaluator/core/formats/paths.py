"""Names of files that strangers chose: which are refused, and why."""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from urllib.parse import urlsplit

from evaluator.core.errors import printable

MAX_PATH = 240
"""Characters. Windows refuses paths from 260 on, and a clone adds its own prefix."""

LFS_POINTER = b"version https://git-lfs.github.com/spec/"
"""With what a file begins that stands for one that Git LFS keeps elsewhere."""

_NOT_ON_WINDOWS = re.compile(r'[<>:"|?*]')
_DEVICE = re.compile(r"(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9\u00b9\u00b2\u00b3])")
"""Names that Windows keeps for devices, whatever stands behind a dot."""
_SHORT_NAME = re.compile(r"[^.]{1,6}~[0-9]+(\.[^.]{0,3})?")
"""What Windows calls a longer name beside its own: git~1 is .git, GITMOD~1 is .gitmodules."""


def path_fault(path: str) -> str | None:
    """Why a relative path is not safe to write or to mount, or return None.

    It has to be the same file on every system: absolute paths, ``..``, backslashes (a separator on
    Windows), drive letters, control and format characters, empty or over-long names, and names
    that Windows cannot hold or takes for others are refused. Links are not seen here: a path is
    text.
    """
    if not path or len(path) > MAX_PATH:
        return "is empty" if not path else f"is longer than {MAX_PATH} characters"
    if path.startswith("/") or path[1:2] == ":":
        return "is absolute"
    if "\\" in path:
        return "holds a backslash"
    if any(unicodedata.category(character) in {"Cc", "Cf", "Cs"} for character in path):
        return "holds control or invisible characters"
    parts = path.rstrip("/").split("/")
    if ".." in parts:
        return "climbs out of its folder with '..'"
    if "" in parts or "." in parts:
        return "has an empty or '.' part"
    if any(part.rstrip(". ").casefold() == ".git" for part in parts):
        return "reaches into a .git folder"
    return next((fault for part in parts if (fault := _windows_fault(part))), None)


def _windows_fault(part: str) -> str | None:
    if part[-1] in ". ":
        return "has a name that ends in a dot or a blank, which Windows leaves out"
    if _NOT_ON_WINDOWS.search(part):
        return "has a character that no file on Windows may have in its name"
    if _DEVICE.fullmatch(part.partition(".")[0].rstrip().casefold()):
        return "is the name of a device on Windows"
    if _SHORT_NAME.fullmatch(part):
        return "is what Windows calls another, longer name"
    return None


def url_fault(url: str) -> str | None:
    """Why an address is none that data can be fetched from, or return None."""
    try:
        parts = urlsplit(url)
        named = bool(parts.hostname)
    except ValueError:
        return "is not an address"
    if parts.scheme not in {"https", "http", "file"}:
        return "does not begin with https://, http:// or file://"
    if parts.scheme == "file":
        return (
            None if parts.netloc in {"", "localhost"} and parts.path[1:] else "names no file here"
        )
    if not named:
        return "names no host"
    if "@" in parts.netloc:
        return "holds a user name or a password, which everybody could read"
    return None


def case_clashes(paths: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield paths that differ only by case or Unicode form: one file on macOS and Windows."""
    seen: dict[str, str] = {}
    clashing: set[str] = set()
    for path in sorted(set(_with_parents(paths))):
        folded = unicodedata.normalize("NFKC", path).casefold()
        other = seen.setdefault(folded, path)
        if other == path:
            continue
        # Below two clashing folders everything clashes; the folders say it once.
        parent = path.rpartition("/")[0]
        if parent not in clashing:
            yield other, path
        clashing.add(path)


def _with_parents(paths: Iterable[str]) -> Iterator[str]:
    for path in paths:
        yield path
        cut = path.rfind("/")
        while cut > 0:
            yield path[:cut]
            cut = path.rfind("/", 0, cut)


def shown(path: str) -> str:
    return printable(path)
