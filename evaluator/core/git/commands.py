"""Questions to git, as the commands that answer them; nothing is written."""

import datetime as dt
import io
import os
import re
import tempfile
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from evaluator.core.errors import PlatformError, UsageError
from evaluator.core.formats.paths import shown
from evaluator.core.git.listing import Listing
from evaluator.core.git.objects import contents, headers
from evaluator.core.git.repository import DAMAGED, GitFailedError
from evaluator.core.git.repository import Repo as Repo
from evaluator.core.plugins import Contract

ROOTS = ("benchmarks", "submissions", "suites", "archives", "pyproject.toml")
"""All that a plan may depend on, and the suites that `validate` checks."""

FIRST_PARENTS = ("--first-parent", "--diff-merges=first-parent")
"""A merge counts once, with the date at which it was merged, which the author of what it merges
cannot choose."""

_ID = re.compile("[0-9a-f]{40}|[0-9a-f]{64}")
_AT_ONCE = 500
"""Blobs that are in memory together."""


def ask_about(repo: Repo, lines: str, *arguments: str) -> bytes:
    if not lines:
        return b""
    with tempfile.TemporaryFile() as file:
        file.write(os.fsencode(lines))
        file.seek(0)
        return repo.git.run(*arguments, stdin=file)


def commit_id(repo: Repo, revision: str | None) -> str | None:
    """Full id of a commit; None if HEAD has none. Raises UsageError for an unknown name."""
    name = revision or "HEAD"
    try:
        return str(repo.git.rev_parse("--verify", "--end-of-options", f"{name}^{{commit}}"))
    except GitFailedError as error:
        if error.hint:  # it says nothing of the name
            raise
        if revision is None:
            return None
        if _ID.fullmatch(name):
            text = f"this clone has no commit {name}"
            raise PlatformError(text, hint=f"Is it fetched? {DAMAGED}") from None
        raise UsageError(
            f"there is no commit called '{shown(name)}'", hint="`git log --oneline` lists them."
        ) from None


def _ask(repo: Repo, *arguments: str) -> Callable[[], bytes]:
    """Ask git through a file: a thread that reads would hold up a program that loads modules."""
    out, errors = tempfile.TemporaryFile(), tempfile.TemporaryFile()  # noqa: SIM115 - see below
    env = {"GIT_OPTIONAL_LOCKS": "0"}
    process = repo.git.start(*arguments, stdout=out, stderr=errors, env=env)

    def answer() -> bytes:
        with out, errors:
            code = process.wait()
            for file in (out, errors):
                file.seek(0)
            if code:
                said = errors.read().decode("utf-8", "replace")
                raise GitFailedError(code, said, repo.working_dir)
            return out.read()

    return answer


def begin_listing(repo: Repo, commit: str, *folders: str) -> Callable[[], Listing]:
    """Begin to list the files of a commit below folders, by default ROOTS; return what waits."""
    asked = ("ls-tree", "-r", "-z", "--full-tree", commit, "--", *(folders or ROOTS))
    answer = _ask(repo, *asked)
    return lambda: Listing(answer())


def list_entries(repo: Repo, commit: str, *folders: str) -> Listing:
    return begin_listing(repo, commit, *folders)()


def begin_comparing(repo: Repo) -> Callable[[], list[str]]:
    """Begin to ask which paths below ROOTS differ from HEAD or are new; return what waits."""
    answer = _ask(
        repo, "status", "--porcelain=v1", "-z", "--untracked-files=all", "--no-renames",
        "--ignore-submodules=all", "--", *ROOTS,
    )  # fmt: skip

    def changed() -> list[str]:
        lines = answer().decode("utf-8", "surrogateescape").split("\0")
        return [line[3:] for line in lines if line]

    return changed


def read_blobs(repo: Repo, ids: Sequence[str], broken: bytes | None = None) -> Iterator[bytes]:
    """Yield blobs by libgit2, else git, in order; PlatformError unless ``broken`` replaces one."""
    for start in range(0, len(ids), _AT_ONCE):
        part = ids[start : start + _AT_ONCE]
        blobs = list(contents(str(repo.git_dir), part))
        if None in blobs and fetch_objects(repo, ids[start:]):
            blobs = list(contents(str(repo.git_dir), part))
        absent = [name for name, blob in zip(part, blobs, strict=True) if blob is None]
        asked = _read_through_git(repo, absent, broken)
        for blob in blobs:
            yield next(asked) if blob is None else blob


OBJECT_SOURCES = Contract[Callable[[Repo, Sequence[str]], bool]]("object_sources")


def fetch_objects(repo: Repo, ids: Sequence[str]) -> bool:
    """Fetch objects at once; what a plugin does not fetch git fetches one by one as it is read."""
    return any(fetch(repo, ids) for fetch in OBJECT_SOURCES.values())


def _read_through_git(repo: Repo, ids: Sequence[str], broken: bytes | None) -> Iterator[bytes]:
    try:
        blobs = list(_read_by_git(repo, ids))
    except PlatformError as error:
        if len(ids) > 1:
            blobs = [blob for name in ids for blob in _read_through_git(repo, [name], broken)]
        elif broken is not None:
            blobs = [broken]
        else:
            text = f"git cannot read the object {ids[0]}"
            raise PlatformError(text, hint=error.hint or DAMAGED) from error
    yield from blobs


def _read_by_git(repo: Repo, ids: Sequence[str]) -> Iterator[bytes]:
    out = io.BytesIO(_batch(repo, "--batch", ids))
    for _ in ids:
        header = out.readline().split(b" ")
        if len(header) != 3:
            raise PlatformError(f"git has no object {header[0].decode().strip()}", hint=DAMAGED)
        yield out.read(int(header[2]))
        out.read(1)


def _batch(repo: Repo, form: str, ids: Sequence[str]) -> bytes:
    return ask_about(repo, "".join(f"{name}\n" for name in ids), "cat-file", form)


def sizes(repo: Repo, ids: Sequence[str], kind: str = "blob") -> dict[str, int]:
    """Bytes of each object of a kind; a submodule's commit, which is not here, has none."""
    fetch_objects(repo, ids)
    known = dict(zip(ids, headers(str(repo.git_dir), ids), strict=True))
    absent = [name for name, header in known.items() if header is None]
    for line in _batch(repo, "--batch-check", absent).decode().splitlines():
        name, its_kind, *size = line.split(" ")
        known[name] = (its_kind, int(size[0])) if size else None
    return {name: one[1] for name, one in known.items() if one is not None and one[0] == kind}


def object_ids(repo: Repo, names: Sequence[str]) -> list[str | None]:
    lines = _batch(repo, "--batch-check", names).decode("utf-8", "surrogateescape").splitlines()
    heads = [line.split(" ") for line in lines]
    return [None if words[-1] == "missing" else words[0] for words in heads]


def is_shallow(repo: Repo) -> bool:
    return str(repo.git.rev_parse("--is-shallow-repository")) == "true"


class Landed(NamedTuple):
    """A commit of a branch's own history."""

    commit: str
    at: dt.datetime
    """As its maker says: for display alone."""
    parents: list[str]
    subject: str


def moment(seconds: str) -> dt.datetime:
    return dt.datetime.fromtimestamp(int(seconds), dt.UTC)


def first_parents_of(repo: Repo, commit: str, *limits: str) -> list[Landed]:
    """A branch's own commits, newest first, as far as limits of ``git log`` let it."""
    out: str = repo.git.log("--first-parent", "--format=%H %ct %P%x00%s%x00", *limits, commit, "--")
    fields = out.split("\0")
    return [
        Landed(name, moment(seconds), parents, subject)
        for head, subject in zip(fields[::2], fields[1::2], strict=False)
        for name, seconds, *parents in [head.split()]
    ]
