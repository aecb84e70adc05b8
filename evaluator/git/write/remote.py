"""Exchanges with a remote, with the forge's token where there is one."""

import re
import uuid
from collections.abc import Sequence

import git

from evaluator.errors import PlatformError, RefusedError, printable
from evaluator.git.lacking import exchange

_CHECKED = (
    "-c", "fetch.fsckObjects=true",
    "-c", "fetch.fsck.hasDotgit=ignore",  # names are judged by their paths
)  # fmt: skip


def fetch_commit(
    repo: git.Repo,
    remote: str,
    *names: str,
    strangers: bool = False,
    options: Sequence[str] = (),
    beside: Sequence[str] = (),
) -> str | None:
    """Fetch the first of the named references or commits that the remote has; return its id.

    ``beside`` are commits to which ``options``, such as ``--depth``, apply as well.

    Nothing is checked out and no reference of the clone moves. None where it has none of them.
    A stranger's objects must be such as git writes, or clones with git's checks would refuse the
    whole repository once they are merged. Raises RefusedError.
    """
    # A reference of its own: two fetches at once would meet in FETCH_HEAD.
    landing = f"refs/pullbench/fetch/{uuid.uuid4().hex}"
    for name in names:
        try:
            exchange(
                repo, remote, *(_CHECKED if strangers else ()), "fetch", "--quiet", "--no-tags",
                "--no-write-fetch-head", "--no-auto-maintenance", *options,
                "--end-of-options", remote, f"+{name}:{landing}", *beside,
            )  # fmt: skip
            return str(repo.git.rev_parse("--verify", f"{landing}^{{commit}}"))
        except git.GitCommandError as error:
            problem = str(error.stderr)
            fault = re.search(r"object [0-9a-f]+: ([^\n]*)\n.*fsck error", problem, re.DOTALL)
            if fault:
                raise RefusedError(
                    f"git's check of its objects says {printable(fault[1])[:200]}",
                    hint="Commit the files anew with git, on a new branch.",
                ) from None
            if not any(sign in problem for sign in _NOT_THERE):
                raise PlatformError(
                    f"'{remote}' cannot be read: {last_line(error)}",
                    hint="Does the address answer, and may this account read it?",
                ) from None
        finally:
            repo.git.update_ref("-d", landing)
    return None


_NOT_THERE = (
    "couldn't find remote ref",
    "not our ref",
    "no such ref",
    "bad object",
    "unadvertised",
)


def last_line(error: git.GitCommandError) -> str:
    """Return git's last message, its last error where there is one."""
    lines = str(error.stderr).strip().strip("'").strip().splitlines()
    lines = [line for line in lines if "failed to push some refs" not in line] or lines
    lines = [line for line in lines if "fatal:" in line or "error:" in line] or lines
    return printable(lines[-1])[:300] if lines else "no reason given"
