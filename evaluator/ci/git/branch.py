"""Files onto a branch: one commit, one compare-and-swap, however often the branch moves.

Records are added with ``git fast-import``, without index or checkout, so that no hook, filter or
attribute acts on them and nobody's uncommitted work is touched. Workers never push: racing
fetch-rebase-push loops cost retries that grow with the square of the writers.
"""

import itertools
import math
import random
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from evaluator.ci.git.advice import LONGEST_WRITE, what_to_do
from evaluator.ci.git.following import (
    NOTHING,
    Files,
    Replaceable,
    await_index,
    end_move,
    follow,
    forget_move,
    note_move,
)
from evaluator.ci.git.partial_clone import exchange, promisor
from evaluator.ci.git.remote import failure, fetch_commit, last_line, seen_tip
from evaluator.ci.git.watching import one_at_a_time
from evaluator.core.errors import PlatformError, UsageError, printable
from evaluator.core.git.listing import TreeEntry
from evaluator.core.git.repository import GitFailedError, Repo

Accept = Callable[[str | None], Files]
"""Commit id of the branch's tip, None where there is no such branch yet -> what changes."""

_LATEST = 64
"""Commits that a partial clone fetches of a branch that is read by path."""
_PASSING = "refs/pullbench/passing"
"""A reference that fast-import needs; it is reset before one is written."""
_FALLBACK_IDENTITY = "pullbench <pullbench@localhost>"


@dataclass(frozen=True, kw_only=True)
class Committed:
    """What a commit did."""

    commit: str | None
    """Id of the new commit; None where there was nothing to add."""
    paths: tuple[str, ...]
    retries: int
    """How often the branch had moved meanwhile."""
    cells: int = 0
    """Of how many cells the scores are different now."""


def add_files(
    repo: Repo, accept: Accept, message: Callable[[Files], str], *,
    branch: str, remote: str | None, create: bool = False,
    replaceable: Replaceable = MappingProxyType({}), by_path: bool = False,
) -> Committed:  # fmt: skip
    """Change files, asking ``accept`` anew if the tip moves. Raises PlatformError, UsageError."""
    before: str | None = ""
    for retries in itertools.count():
        began = time.monotonic()
        tip = tip_of(repo, branch, remote, by_path=by_path)
        if tip != before:
            # Since when it does not move for us: on a busy machine one push takes minutes.
            stuck_at, before = math.inf, tip
        if tip is None and not create:
            raise no_branch(branch, remote)
        try:
            files = accept(tip)
        finally:  # it may have nothing more to do, and say so
            with one_at_a_time(repo, "move"):
                end_move(repo, branch, tip, replaceable)
        if not files:
            return Committed(commit=None, paths=(), retries=retries)
        with one_at_a_time(repo, "move"):
            commit = write_commit(repo, tip, files, message(files))
            await_index(repo, branch)
            note_move(repo, branch, tip, commit)
            patient = time.monotonic() - stuck_at < LONGEST_WRITE
            moved = _move(repo, branch, remote, tip, commit, patient=patient)
            if moved and tip is not None:
                follow(repo, branch, tip, commit, replaceable)
            forget_move(repo)
            if moved:
                return Committed(commit=commit, paths=tuple(files), retries=retries)
        stuck_at = min(stuck_at, time.monotonic())
        # Somebody else moved it while we wrote: the more writers, the rarer each of them tries.
        pause = min((time.monotonic() - began) * 2 ** min(retries, 5), 10)
        time.sleep(random.uniform(0, pause))  # noqa: S311 - jitter
    raise AssertionError("unreachable")


def push_branch(
    repo: Repo, branch: str, files: Mapping[str, bytes], *,
    remote: str, upstream: str | None = None, base: str, message: str,
) -> str:  # fmt: skip
    """Replace the submitter's branch by one commit on top of ``base``; returns the commit.

    The base is that of the upstream, if it can be read: a fork's may be old, or have other commits.
    """
    try:
        tip = need_tip(repo, base, upstream or remote)
    except PlatformError:
        if upstream is None:
            raise
        tip = need_tip(repo, base, remote)
    commit = write_commit(repo, tip, files, message)
    try:
        exchange(repo, remote, "push", "--quiet", "--no-verify", "--force", remote,
                 f"{commit}:refs/heads/{branch}")  # fmt: skip
    except GitFailedError as error:
        hint = "Fork the repository and name your fork's remote with --remote."
        raise PlatformError(
            f"the branch '{branch}' cannot be pushed to '{remote}': {last_line(error)}",
            hint=f"{what_to_do(error.said)} {hint}".strip(),
        ) from None
    return commit


def tip_of(repo: Repo, branch: str, remote: str | None, *, by_path: bool = False) -> str | None:
    """Id of a branch's tip, fetched; ``by_path`` lets a partial clone fetch a few commits alone."""
    name = f"refs/heads/{branch}"
    if remote is not None:
        options = []
        if by_path and promisor(repo) == remote:
            known = seen_tip(repo, branch, remote) is not None
            options = ["--filter=tree:0", *([] if known else [f"--depth={_LATEST}"])]
        return fetch_commit(repo, remote, name, options=options)
    return repo.git.ask("rev-parse", "--verify", "--quiet", f"{name}^{{commit}}")


def need_tip(repo: Repo, branch: str, remote: str | None) -> str:
    """Id of a branch's tip, fetched. Raises UsageError where there is no such branch."""
    tip = tip_of(repo, branch, remote)
    if tip is None:
        raise no_branch(branch, remote)
    return tip


def no_branch(branch: str, remote: str | None) -> UsageError:
    where = f" at '{remote}'" if remote else ""
    return UsageError(
        f"there is no branch '{printable(branch)}'{where}",
        hint="`branch` in [tool.pullbench] names the base branch; --remote another remote.",
    )


def write_commit(
    repo: Repo, tip: str | None, files: Files, message: str, *, at: int | None = None
) -> str:
    """Write a commit; no branch moves. ``at``, seconds since 1970, gives the same id anywhere."""
    identity = _identity(repo) if at is None else f"{_FALLBACK_IDENTITY} {at} +0000"
    text = message.encode()
    with tempfile.TemporaryFile() as stream:
        stream.write(f"commit {_PASSING}\nmark :1\ncommitter {identity}\n".encode())
        stream.write(b"data %d\n%s\n" % (len(text), text))
        if tip is not None:
            stream.write(f"from {tip}\n".encode())
        for path, content in sorted(files.items()):
            if content is None:
                stream.write(f"D {_quoted(path)}\n".encode())
            elif isinstance(content, TreeEntry):
                stream.write(f"M {content.mode} {content.blob} {_quoted(path)}\n".encode())
            else:
                stream.write(f"M 100644 inline {_quoted(path)}\n".encode())
                stream.write(b"data %d\n%s\n" % (len(content), content))
        stream.write(f"get-mark :1\nreset {_PASSING}\n\ndone\n".encode())
        stream.seek(0)
        try:
            return repo.git.text("fast-import", "--quiet", "--done", stdin=stream)
        except GitFailedError as error:
            raise failure("git could not write a commit", error) from None


def _identity(repo: Repo) -> str:
    try:
        return str(repo.git.var("GIT_COMMITTER_IDENT"))
    except GitFailedError:
        return f"{_FALLBACK_IDENTITY} {int(time.time())} +0000"


def _quoted(path: str) -> str:
    escaped = path.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def _move(
    repo: Repo, branch: str, remote: str | None, tip: str | None, commit: str, *, patient: bool
) -> bool:
    """False if the branch has moved, or if git locks it while we are ``patient``."""
    name = f"refs/heads/{branch}"
    try:
        if remote is None:
            repo.git.update_ref("-m", "pullbench commit", name, commit, tip or NOTHING)
        else:
            lease = f"--force-with-lease={name}:{tip or ''}"
            exchange(repo, remote, "push", "--quiet", "--no-verify", lease, remote,
                     f"{commit}:{name}")  # fmt: skip
    except GitFailedError as error:
        text = error.said
        signs = (
            "stale info", "fetch first", "non-fast-forward", "cannot lock ref",
            "failed to update ref", "but expected", "incorrect old value", "remote rejected",
            "reference already exists",
        )  # fmt: skip
        now = tip_of(repo, branch, remote)
        # The answer may be lost, or a tracking reference locked, after the branch has moved.
        if now == commit:
            return True
        if any(sign in text for sign in signs) and (
            now != tip or (patient and ".lock': File exists" in text)
        ):
            return False
        raise PlatformError(
            f"the branch '{branch}' cannot be moved: {last_line(error)}",
            hint=f"{what_to_do(text) or 'Whoever runs it knows more.'} The records are kept.",
        ) from None
    return True
