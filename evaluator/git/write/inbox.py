"""The inbox: each worker pushes records under its own reference, and one collector reads all.

Workers that all push to one branch wait for one another, and their retries grow with the square
of their number; to references of their own they never do.
"""

import tempfile
import uuid
from collections.abc import Iterable, Mapping

import git

from evaluator.errors import PlatformError
from evaluator.git.lacking import exchange
from evaluator.git.write.branch import write_commit
from evaluator.git.write.remote import last_line

INBOX = "refs/pullbench/inbox"
_AT_ONCE = 500


def hand_in(repo: git.Repo, remote: str, files: Mapping[str, bytes]) -> str:
    """Push files under a reference of their own; returns its name. Raises PlatformError."""
    name = f"{INBOX}/{uuid.uuid4().hex}"
    commit = write_commit(repo, None, files, "Records\n")
    try:
        exchange(repo, remote, "push", "--quiet", "--no-verify", remote, f"{commit}:{name}")
    except git.GitCommandError as error:
        raise PlatformError(
            f"the records cannot be handed in at '{remote}': {last_line(error)}",
            hint="They are kept where they were written; run `pullbench hand-in` again.",
        ) from None
    return name


def read_inbox(repo: git.Repo, remote: str) -> dict[str, str]:
    """Fetch everything handed in: reference -> commit."""
    pattern = f"+{INBOX}/*:{INBOX}/*"
    try:
        exchange(repo, remote, "fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--prune",
                 remote, pattern)  # fmt: skip
    except git.GitCommandError as error:
        raise PlatformError(f"'{remote}' cannot be read: {last_line(error)}") from None
    out: str = repo.git.for_each_ref("--format=%(refname) %(objectname)", INBOX)
    return dict(line.split(" ") for line in out.splitlines())


def empty_inbox(repo: git.Repo, remote: str, names: Iterable[str]) -> None:
    """Delete references whose records are on the branch."""
    gone = list(names)
    for start in range(0, len(gone), _AT_ONCE):
        part = gone[start : start + _AT_ONCE]
        try:
            exchange(repo, remote, "push", "--quiet", "--no-verify", remote,
                     *(f":{name}" for name in part))  # fmt: skip
        except git.GitCommandError:
            return  # another collector removed them; the next call collects the rest
        _forget(repo, part)


def _forget(repo: git.Repo, names: Iterable[str]) -> None:
    """Delete this clone's references, all in one exchange with git."""
    with tempfile.TemporaryFile() as stream:
        stream.write("".join(f"delete {name}\n" for name in names).encode())
        stream.seek(0)
        repo.git.execute(
            [repo.git.GIT_PYTHON_GIT_EXECUTABLE, "update-ref", "--stdin"], istream=stream
        )
