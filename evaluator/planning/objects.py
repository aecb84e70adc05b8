"""Contents of git's objects, read in this process by libgit2.

A board of 200,000 cells is half a gigabyte of records. Through the pipe of ``git cat-file`` moving
them costs more than unpacking them, and the process that asks cannot be split in two.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache

import pygit2

# As git itself reads: what was transferred was checked then.
pygit2.option(pygit2.enums.Option.ENABLE_STRICT_HASH_VERIFICATION, 0)


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
            yield read(name)[1]
        except (KeyError, ValueError):  # a clone that lacks objects fetches them when git asks
            yield None


@lru_cache(maxsize=2)
def _opened(folder: str) -> pygit2.Repository:
    return pygit2.Repository(folder)
