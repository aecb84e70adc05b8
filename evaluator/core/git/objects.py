"""Contents of git's objects, read in this process by libgit2.

A board of 200,000 cells is half a gigabyte of records. Through the pipe of ``git cat-file`` moving
them costs more than unpacking them, and the process that asks cannot be split in two.
"""

import zlib
from collections.abc import Iterator, Sequence
from functools import lru_cache

import pygit2

# As git itself reads: what was transferred was checked then.
pygit2.option(pygit2.enums.Option.ENABLE_STRICT_HASH_VERIFICATION, 0)
# A partial clone says that objects are missing; otherwise it is like any other.
pygit2.option(pygit2.enums.Option.SET_EXTENSIONS, ["partialclone"], 1)


def contents(folder: str, ids: Sequence[str]) -> Iterator[bytes | None]:
    """Yield the content of each object of a repository, in order; None for one that is not there.

    ``folder`` is that of the repository's git files, not of its working tree.
    """
    try:
        read = _opened(folder).odb.read
    except pygit2.GitError:  # a repository in a form that libgit2 does not know
        yield from (None for _ in ids)
        return
    for name in ids:
        try:
            loose = _loose(folder, name)
            yield read(name)[1] if loose is None else loose
        # git fetches a missing object, and says more of a damaged one.
        except (KeyError, IndexError, ValueError, pygit2.GitError, zlib.error):
            yield None


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


@lru_cache(maxsize=2)
def _opened(folder: str) -> pygit2.Repository:
    return pygit2.Repository(folder)


def has(folder: str, ids: Sequence[str]) -> list[bool]:
    try:
        odb = _opened(folder).odb
    except pygit2.GitError:
        return [False] * len(ids)
    return [name in odb for name in ids]
