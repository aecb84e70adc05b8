"""Contents of git's objects, read in this process: loose ones as files, packed ones by libgit2.

A board of 200,000 cells is half a gigabyte of records. Through the pipe of ``git cat-file`` moving
them costs more than unpacking them, and the process that asks cannot be split in two.
"""

import zlib
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pygit2


_KINDS = {1: "commit", 2: "tree", 3: "blob", 4: "tag"}


def contents(folder: str, ids: Sequence[str]) -> Iterator[bytes | None]:
    """Contents in order, or None; ``folder`` is that of git's own files."""
    packs = _packs(folder)
    for name in ids:
        packed = _read(packs, name)
        try:
            content = _loose(folder, name) if packed is None else packed
        except (IndexError, ValueError, zlib.error):  # git says more of a damaged one
            yield None
        else:
            yield _read(_database(folder), name) if content is None else content


def _loose(folder: str, name: str) -> bytes | None:
    """Read an object that lies in a file of its own; None if it does not.

    libgit2 never ends with one that was cut short, as a full disk or a lost machine leaves it.
    Raises ValueError, zlib.error.
    """
    try:
        with open(f"{folder}/objects/{name[:2]}/{name[2:]}", "rb") as file:  # noqa: PTH123 - hot
            head, _, content = zlib.decompress(file.read()).partition(b"\0")
    except OSError:
        return None
    if int(head.split(b" ")[1]) != len(content):
        raise ValueError(name)
    return content


def _read(odb: "pygit2.Odb | None", name: str) -> bytes | None:
    if odb is None:
        return None
    from pygit2 import GitError

    try:
        return odb.read(name)[1]
    except (KeyError, ValueError, GitError):  # git fetches a missing object
        return None


@lru_cache(maxsize=2)
def _database(folder: str) -> "pygit2.Odb | None":
    """Open the objects of a repository; None where it is in a form that libgit2 does not know."""
    import pygit2  # not loaded where all that is read is loose, as in a small new repository

    # As git itself reads: what was transferred was checked then.
    pygit2.option(pygit2.enums.Option.ENABLE_STRICT_HASH_VERIFICATION, 0)
    # A partial clone says that objects are missing; otherwise it is like any other.
    pygit2.option(pygit2.enums.Option.SET_EXTENSIONS, ["partialclone"], 1)
    try:
        return pygit2.Repository(folder).odb
    except pygit2.GitError:
        return None


@lru_cache(maxsize=2)
def _packs(folder: str) -> "pygit2.Odb | None":
    """Open the packs alone, which hold nearly all: a whole database looks for loose files first."""
    if not any(Path(folder, "objects/pack").glob("*.idx")) or _database(folder) is None:
        return None
    import pygit2

    odb = pygit2.Odb()
    odb.add_backend(pygit2.OdbBackendPack(f"{folder}/objects"), 1)
    return odb


def has(folder: str, ids: Sequence[str]) -> list[bool]:
    odb = _database(folder)
    return [odb is not None and name in odb for name in ids]


def headers(folder: str, ids: Sequence[str]) -> list[tuple[str, int] | None]:
    """Kind and bytes of each object; None where libgit2 does not know it."""
    odb = _database(folder)
    return [_header(odb, name) if odb is not None and name in odb else None for name in ids]


def _header(odb: "pygit2.Odb", name: str) -> tuple[str, int] | None:
    from pygit2 import GitError

    try:
        kind, size = odb.read_header(name)
    except (KeyError, ValueError, GitError):
        return None
    return _KINDS.get(int(kind), ""), size
