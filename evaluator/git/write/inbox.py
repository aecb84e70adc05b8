"""The inbox: each worker pushes records under its own reference, and one collector reads all.

Workers that all push to one branch wait for one another, and their retries grow with the square
of their number; to references of their own they never do.
"""

import uuid
from collections.abc import Iterable, Mapping

import git

from evaluator.errors import PlatformError
from evaluator.git.advice import what_to_do
from evaluator.git.commands import Repo
from evaluator.git.lacking import exchange
from evaluator.git.write.branch import write_commit
from evaluator.git.write.remote import FETCHED, fetch, last_line

INBOX = "refs/pullbench/inbox"
_AT_ONCE = 500


def hand_in(repo: Repo, remote: str, files: Mapping[str, bytes]) -> str:
    """Push files under a reference of their own; returns its name. Raises PlatformError."""
    name = f"{INBOX}/{uuid.uuid4().hex}"
    commit = write_commit(repo, None, files, "Records\n")
    try:
        exchange(repo, remote, "push", "--quiet", "--no-verify", remote, f"{commit}:{name}")
    except git.GitCommandError as error:
        raise PlatformError(
            f"the records cannot be handed in at '{remote}': {last_line(error)}",
            hint=f"{what_to_do(str(error.stderr))} They are kept where they were "
            "written; run `pullbench hand-in` again.",
        ) from None
    return name


def read_inbox(repo: Repo, remote: str) -> dict[str, str]:
    """Fetch everything handed in: reference -> commit."""
    try:
        fetched = fetch(repo, remote, f"+{INBOX}/*:{FETCHED}/*")
    except git.GitCommandError as error:
        raise PlatformError(
            f"'{remote}' cannot be read: {last_line(error)}", hint=what_to_do(str(error.stderr))
        ) from None
    return {INBOX + name.removeprefix(FETCHED): commit for name, commit in fetched.items()}


def empty_inbox(repo: Repo, remote: str, names: Iterable[str]) -> None:
    """Delete references whose records are on the branch."""
    gone = list(names)
    for start in range(0, len(gone), _AT_ONCE):
        part = gone[start : start + _AT_ONCE]
        try:
            exchange(repo, remote, "push", "--quiet", "--no-verify", remote,
                     *(f":{name}" for name in part))  # fmt: skip
        except git.GitCommandError:
            return  # another collector removed them; the next call collects the rest
