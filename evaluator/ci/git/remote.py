"""Exchanges with a remote, with the forge's token where there is one."""

import contextlib
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence

import git

from evaluator.core.errors import PlatformError, RefusedError, printable
from evaluator.core.git.advice import what_to_do
from evaluator.core.git.partial_clone import exchange
from evaluator.core.git.watching import one_at_a_time, own_file

FETCHED = "refs/worktree/fetched"
"""Where references land that are fetched; see gitrepository-layout(5)."""
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
    for name in names:
        try:
            fetched = fetch(
                repo, remote, f"+{name}:{FETCHED}", *beside, options=options,
                settings=_CHECKED if strangers else (),
            )  # fmt: skip
            return str(repo.git.rev_parse("--verify", f"{fetched[FETCHED]}^{{commit}}"))
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
                    hint=what_to_do(problem)
                    or "Does the address answer, and may this account read it?",
                ) from None
    return None


def fetch(
    repo: git.Repo,
    remote: str,
    *refspecs: str,
    options: Sequence[str] = (),
    settings: Sequence[str] = (),
) -> dict[str, str]:
    """Fetch what lands below ``FETCHED``: reference -> object. Raises git.GitCommandError.

    No reference of the clone is made for it, so that none has to be deleted: a git command that is
    killed while it deletes one leaves all of them locked.
    """
    with _git_directory(repo) as environment:
        exchange(
            repo, remote, *settings, "fetch", "--quiet", "--no-tags", "--no-write-fetch-head",
            "--no-auto-maintenance", *options, "--end-of-options", remote, *refspecs,
            env=environment,
        )  # fmt: skip
        listed: str = repo.git.for_each_ref(
            "--format=%(refname) %(objectname)", FETCHED, env=environment
        )
    return dict(line.split(" ") for line in listed.splitlines())


@contextlib.contextmanager
def _git_directory(repo: git.Repo) -> Iterator[Mapping[str, str]]:
    """Yield the environment of a git directory as a linked worktree has it, used by one at a time.

    Objects and branches are the clone's; references below ``refs/worktree/`` are its own.
    """
    with one_at_a_time(repo, "fetch"):
        directory = own_file(repo, "fetch")
        shutil.rmtree(directory, ignore_errors=True)
        directory.mkdir()
        (directory / "commondir").write_text("../..\n")
        (directory / "HEAD").write_text("ref: refs/heads/none\n")
        yield {"GIT_DIR": str(directory.resolve())}


_NOT_THERE = (
    "couldn't find remote ref",
    "not our ref",
    "no such ref",
    "bad object",
    "unadvertised",
)


def owner_at(repo: git.Repo, remote: str) -> str:
    """Return who owns the repository that a remote's pushes go to; empty for one on this machine.

    Forges look for a branch of a fork only where its name says whose fork it is.
    """
    try:
        address = str(repo.git.remote("get-url", "--push", "--", remote))
    except git.GitCommandError:  # an address in place of a name
        address = remote
    _, is_url, rest = address.partition("://")
    host, _, path = rest.partition("/") if is_url else address.partition(":")
    parts = path.strip("/").split("/")
    return parts[-2] if host and len(parts) > 1 else ""


def last_line(error: git.GitCommandError) -> str:
    """Return git's last message, its last error where there is one."""
    lines = str(error.stderr).strip().strip("'").strip().splitlines()
    lines = [line for line in lines if "failed to push some refs" not in line] or lines
    lines = [line for line in lines if "fatal:" in line or "error:" in line] or lines
    return printable(lines[-1])[:300] if lines else "no reason given"
