"""What a remote has: exchanges with it, history that a shallow clone gets, the last tip seen."""

import contextlib
import hashlib
import re
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from evaluator.ci.git.advice import what_to_do
from evaluator.ci.git.partial_clone import address_of, exchange, exchange_all
from evaluator.ci.git.watching import one_at_a_time, own_file
from evaluator.core.errors import PlatformError, RefusedError, printable
from evaluator.core.git.commands import ask_about
from evaluator.core.git.repository import GitFailedError, Repo

FETCHED = "refs/worktree/fetched"
"""Where references land that are fetched; see gitrepository-layout(5)."""
# Names such as .git are judged by their paths.
_CHECKED = ("-c", "fetch.fsckObjects=true", "-c", "fetch.fsck.hasDotgit=ignore")
_UNUSABLE = re.compile(
    r"object [0-9a-f]+: ([^\n]*)\n(?s:.*)fsck error|expected commit type[^\n]*"
    r"|possible repository corruption on the remote side|loose object [^\n]* is corrupt"
)
"""What git says of a stranger's reference that no other fetch will make a commit."""
_FETCH = ("fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--no-auto-maintenance")


def fetch_commit(
    repo: Repo,
    remote: str,
    *names: str,
    strangers: bool = False,
    options: Sequence[str] = (),
    beside: Sequence[str] = (),
) -> str | None:
    """Fetch the first of some references or commits that the remote has; None if it has none.

    ``options``, such as ``--depth``, apply to the commits ``beside``, too. A stranger's objects
    must be such as git writes, or clones with git's checks would refuse the whole repository once
    they are merged. Raises RefusedError.
    """
    for name in names:
        try:
            fetched = fetch(
                repo, remote, f"+{name}:{FETCHED}", *beside, options=options,
                settings=_CHECKED if strangers else (),
            )  # fmt: skip
            return str(repo.git.rev_parse("--verify", f"{fetched[FETCHED]}^{{commit}}"))
        except GitFailedError as error:
            problem = error.said
            fault = _UNUSABLE.search(problem) if strangers else None
            if fault:
                raise RefusedError(
                    f"git's check of its objects says {printable(fault[1] or fault[0])[:200]}",
                    hint="Commit the files anew with git, on a new branch.",
                ) from None
            if not any(sign in problem for sign in _NOT_THERE):
                hint = (
                    "Does the address answer, and may this account read it? If `git gc` ran beside "
                    "this, run it again."
                )
                raise failure(f"'{remote}' cannot be read", error, hint) from None
    return None


def fetch(
    repo: Repo,
    remote: str,
    *refspecs: str,
    options: Sequence[str] = (),
    settings: Sequence[str] = (),
) -> dict[str, str]:
    """Fetch reference -> object, without a reference to delete: git, killed then, leaves locks."""
    with _git_directory(repo) as environment:
        arguments = (*options, "--end-of-options", remote, *refspecs)
        exchange(repo, remote, *settings, *_FETCH, *arguments, env=environment)
        listed: str = repo.git.for_each_ref(
            "--format=%(refname) %(objectname)", FETCHED, env=environment
        )
    return dict(line.split(" ") for line in listed.splitlines())


@contextlib.contextmanager
def _git_directory(repo: Repo) -> Iterator[Mapping[str, str]]:
    """Yield a git directory like a linked worktree's, with a ``refs/worktree/`` of its own."""
    with one_at_a_time(repo, "fetch"):
        directory = own_file(repo, "fetch")
        shutil.rmtree(directory, ignore_errors=True)
        directory.mkdir()
        (directory / "commondir").write_text("../..\n")
        (directory / "HEAD").write_text("ref: refs/heads/none\n")
        yield {"GIT_DIR": str(directory.resolve())}


_NOT_THERE = ("couldn't find remote ref", "not our ref", "no such ref", "unadvertised")


def repository_at(repo: Repo, remote: str) -> str:
    """``owner/name`` of a remote's repository, as forges name it; empty for a path."""
    try:
        address = str(repo.git.remote("get-url", "--push", "--", remote))
    except GitFailedError:  # an address in place of a name
        address = remote
    _, is_url, rest = address.partition("://")
    host, _, path = rest.partition("/") if is_url else address.partition(":")
    parts = path.strip("/").removesuffix(".git").split("/")
    return "/".join(parts[-2:]) if host and len(parts) > 1 else ""


def failure(message: str, error: GitFailedError, otherwise: str = "") -> PlatformError:
    """What to raise where git fails: its last words, and what to do about them."""
    hint = what_to_do(error.said) or otherwise
    return PlatformError(f"{message}: {last_line(error)}", hint=hint)


def last_line(error: GitFailedError) -> str:
    lines = error.said.strip().splitlines()
    lines = [line for line in lines if "failed to push some refs" not in line] or lines
    lines = [line for line in lines if "fatal:" in line or "error:" in line] or lines
    last = printable(lines[-1])[:300] if lines else "no reason given"
    return last if last.startswith("remote: ") else f"{last}{error.remote_words}"


_STEPS = (50, 500, 5000)
_ALL = 2**31 - 2
"""Commits. One more would mean all of every branch that is shallow here."""


def join(repo: Repo, remote: str | None, first: str, second: str) -> None:
    """Fetch history until what is missing lies behind all that two commits have in common."""
    for depth in _depths(repo, remote):
        bases = (repo.git.ask("merge-base", "--all", first, second) or "").split()
        if bases:
            asked = "\n".join([first, second, *(f"^{base}" for base in bases)])
            above = ask_about(repo, asked, "rev-list", "--stdin").decode().split()
            if boundary(repo).isdisjoint(above):
                return
        deepen(repo, remote, depth, first, second)


def reach(repo: Repo, remote: str | None, tip: str, old: str, *options: str) -> None:
    """Fetch history until a commit has another in it, or all of its history is here."""
    for depth in _depths(repo, remote):
        if contains(repo, tip, old) or boundary(repo).isdisjoint(repo.git.rev_list(tip).split()):
            return
        deepen(repo, remote, depth, tip, options=options)


def contains(repo: Repo, commit: str, ancestor: str) -> bool:
    try:
        repo.git.merge_base("--is-ancestor", ancestor, commit)
    except GitFailedError:
        return False
    return True


def complete(repo: Repo, remote: str | None, tip: str) -> None:
    edge = boundary(repo)
    behind = edge.intersection(repo.git.rev_list(tip).split()) if edge else ()
    if behind:
        deepen(repo, remote, _ALL, *sorted(behind))


def boundary(repo: Repo) -> frozenset[str]:
    """The commits whose parents are not here although they have some."""
    file = Path(repo.common_dir) / "shallow"
    return frozenset(file.read_text().split() if file.is_file() else ())


def deepen(
    repo: Repo, remote: str | None, depth: int, *tips: str, options: Iterable[str] = ()
) -> None:
    if remote is not None:
        exchange_all(repo, remote, tips, *_FETCH, *options, f"--depth={depth}")


def _depths(repo: Repo, remote: str | None) -> Iterator[int]:
    if remote is not None and boundary(repo):
        yield from (*_STEPS, _ALL)


def seen_tip(repo: Repo, branch: str, remote: str | None) -> str | None:
    return repo.git.ask("rev-parse", "--verify", "--quiet", _name(repo, branch, remote))


def remember_tip(repo: Repo, branch: str, remote: str | None, tip: str, before: str | None) -> None:
    """Remember a tip, unless another process has remembered one since ``before`` was read."""
    if tip != before:
        with contextlib.suppress(GitFailedError):
            repo.git.update_ref(_name(repo, branch, remote), tip, before or "0" * len(tip))


def _name(repo: Repo, branch: str, remote: str | None) -> str:
    where = address_of(repo, remote) if remote is not None else ""
    digest = hashlib.sha256(f"{where}\0{branch}".encode()).hexdigest()[:16]
    return f"refs/pullbench/ledger-seen/{digest}"
