"""The only git writer: one collector, one commit, one compare-and-swap of the branch.

Records are added with ``git fast-import``, without index, working tree or checkout, so that no
hook, filter or attribute acts on them and nobody's uncommitted work is touched. Workers never
push: racing fetch-rebase-push loops cost retries that grow with the square of the writers.
"""

import random
import tempfile
import time
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import git

from evaluator.errors import PlatformError, UsageError, printable

Accept = Callable[[str], Mapping[str, bytes]]
"""Commit id of the branch's tip -> path -> content of what is to be added to it."""

_TRIES = 30
_FALLBACK_IDENTITY = "pullbench <pullbench@localhost>"


@dataclass(frozen=True, kw_only=True)
class Committed:
    """What a commit did."""

    commit: str | None
    """Id of the new commit; None where there was nothing to add."""
    paths: tuple[str, ...]
    retries: int
    """How often the branch had moved meanwhile."""


def commit_records(repo: git.Repo, accept: Accept, *, branch: str, remote: str | None) -> Committed:
    """Add files to a branch, here or on a remote, however often it moves meanwhile.

    ``accept`` is asked anew whenever the tip has moved. Raises PlatformError, UsageError.
    """
    for retries in range(_TRIES):
        tip = _tip(repo, branch, remote)
        files = accept(tip)
        if not files:
            return Committed(commit=None, paths=(), retries=retries)
        commit = _write(repo, tip, files, _message(files))
        if _move(repo, branch, remote, tip, commit):
            _follow(repo, branch, tip, commit, tuple(files))
            return Committed(commit=commit, paths=tuple(files), retries=retries)
        time.sleep(random.uniform(0.05, 0.2) * min(retries + 1, 10))  # noqa: S311 - jitter
    raise PlatformError(
        f"the branch '{branch}' moved {_TRIES} times in a row",
        hint="Run `pullbench commit` again; the records are kept.",
    )


def push_branch(
    repo: git.Repo, branch: str, files: Mapping[str, bytes], *, remote: str, base: str, message: str
) -> str:
    """Make a branch at a remote: one commit with files on top of ``base``. Returns its id.

    A branch of that name that is there already is replaced: it is the submitter's own.
    """
    commit = _write(repo, _tip(repo, base, remote), files, message)
    try:
        repo.git.push("--quiet", "--no-verify", "--force", remote, f"{commit}:refs/heads/{branch}")
    except git.GitCommandError as error:
        raise PlatformError(
            f"the branch '{branch}' cannot be pushed to '{remote}': {_last_line(error)}",
            hint="Fork the repository and name your fork's remote with --remote.",
        ) from None
    return commit


def _message(files: Mapping[str, bytes]) -> str:
    benchmarks = sorted({path.split("/")[1] for path in files})
    count = sum(path.endswith(".json") for path in files)
    return f"Record {count} cells of {', '.join(benchmarks)}\n"


def _tip(repo: git.Repo, branch: str, remote: str | None) -> str:
    try:
        if remote is None:
            return str(repo.git.rev_parse("--verify", f"refs/heads/{branch}^{{commit}}"))
        repo.git.fetch("--quiet", "--no-tags", remote, f"refs/heads/{branch}")
        return str(repo.git.rev_parse("--verify", "FETCH_HEAD^{commit}"))
    except git.GitCommandError as error:
        where = f" at '{remote}'" if remote else ""
        raise UsageError(
            f"there is no branch '{printable(branch)}'{where}: {_last_line(error)}",
            hint="Name another with --branch or --remote.",
        ) from None


def _write(repo: git.Repo, tip: str, files: Mapping[str, bytes], message: str) -> str:
    """Write a commit on top of ``tip``; no branch moves."""
    identity = _identity(repo)
    reference = f"refs/pullbench/{uuid.uuid4().hex}"
    text = message.encode()
    with tempfile.TemporaryFile() as stream:
        stream.write(f"commit {reference}\ncommitter {identity}\n".encode())
        stream.write(b"data %d\n%s\n" % (len(text), text))
        stream.write(f"from {tip}\n".encode())
        for path, content in sorted(files.items()):
            stream.write(f"M 100644 inline {_quoted(path)}\n".encode())
            stream.write(b"data %d\n%s\n" % (len(content), content))
        stream.write(b"done\n")
        stream.seek(0)
        try:
            repo.git.execute(
                [repo.git.GIT_PYTHON_GIT_EXECUTABLE, "fast-import", "--quiet", "--done"],
                istream=stream,
            )
            return str(repo.git.rev_parse("--verify", reference))
        except git.GitCommandError as error:
            raise PlatformError(f"git could not write a commit: {_last_line(error)}") from None
        finally:
            repo.git.update_ref("-d", reference)


def _identity(repo: git.Repo) -> str:
    try:
        return str(repo.git.var("GIT_COMMITTER_IDENT"))
    except git.GitCommandError:
        return f"{_FALLBACK_IDENTITY} {int(time.time())} +0000"


def _quoted(path: str) -> str:
    escaped = path.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def _move(repo: git.Repo, branch: str, remote: str | None, tip: str, commit: str) -> bool:
    """Move the branch from ``tip`` to ``commit``; False where it is no longer at ``tip``."""
    try:
        if remote is None:
            repo.git.update_ref("-m", "pullbench commit", f"refs/heads/{branch}", commit, tip)
        else:
            repo.git.push(
                "--quiet", "--no-verify", f"--force-with-lease=refs/heads/{branch}:{tip}",
                remote, f"{commit}:refs/heads/{branch}",
            )  # fmt: skip
    except git.GitCommandError as error:
        text = str(error.stderr)
        signs = (
            "stale info", "fetch first", "non-fast-forward", "cannot lock ref",
            "failed to update ref", "but expected", "incorrect old value", "remote rejected",
        )  # fmt: skip
        if any(sign in text for sign in signs) and _tip(repo, branch, remote) != tip:
            return False
        raise PlatformError(
            f"the branch '{branch}' cannot be moved: {_last_line(error)}",
            hint="May this account write to it? The records are kept.",
        ) from None
    return True


def _follow(repo: git.Repo, branch: str, tip: str, commit: str, paths: tuple[str, ...]) -> None:
    """Let a clone that stands on the branch keep up, so that the records are not 'untracked'.

    Only where it stood at the old tip; otherwise its owner pulls.
    """
    if repo.bare or repo.head.is_detached or repo.head.ref.name != branch:
        return
    here = str(repo.git.rev_parse("--verify", f"refs/heads/{branch}"))
    if here == tip:
        repo.git.update_ref("-m", "pullbench commit", f"refs/heads/{branch}", commit, tip)
    elif here != commit:
        return
    listing: str = repo.git.ls_tree("-r", commit, "--", *paths)
    with tempfile.TemporaryFile() as stream:
        stream.write(listing.encode() + b"\n")
        stream.seek(0)
        repo.git.execute(
            [repo.git.GIT_PYTHON_GIT_EXECUTABLE, "update-index", "--add", "--index-info"],
            istream=stream,
        )


def _last_line(error: git.GitCommandError) -> str:
    lines = str(error.stderr).strip().strip("'").strip().splitlines()
    return printable(lines[-1])[:300] if lines else "no reason given"
