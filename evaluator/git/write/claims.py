"""Claims at a remote: what each machine is working on, so that no other does the same.

A claim is a reference, which can be made once only. Its commit says by its date until when it
holds: a machine that works on renews it, and one that died loses it.
"""

import hashlib
import socket
import threading
import time
import uuid
from collections.abc import Mapping
from types import TracebackType
from typing import Self

import git

from evaluator.errors import PlatformError
from evaluator.git.commands import Repo
from evaluator.git.lacking import exchange
from evaluator.git.write.branch import write_commit
from evaluator.git.write.remote import FETCHED, fetch, fetch_commit, last_line

CLAIMS = "refs/pullbench/claims"
LEASE = 3600
"""Seconds; clocks of machines may differ by much less. One by more has claims that do not hold."""


class RemoteClaims:
    """What one process has claimed at a remote, kept up while this object is open.

    Then what is done keeps its claim until the lease ends, by when others have the result; what
    is not is free again.
    """

    def __init__(self, repo: Repo, remote: str) -> None:
        self._repo = repo
        self._remote = remote
        # Two commits of one second and one message would be one claim of two machines.
        self._name = f"{socket.gethostname()} {uuid.uuid4().hex}"
        self._held: dict[str, str] = {}
        self._done: set[str] = set()
        self._lock = threading.Lock()
        self._ended = threading.Event()

    def __enter__(self) -> Self:
        self._renewing = threading.Thread(target=self._renew, name="claims", daemon=True)
        self._renewing.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._ended.set()
        self._renewing.join()
        for reference, commit in self._held.items():
            if reference not in self._done:
                self._push(f"--force-with-lease={reference}:{commit}", f":{reference}")

    def take(self, name: str) -> bool:
        """Claim something; False where another machine has it. Raises PlatformError."""
        reference = _reference(name)
        before = ""
        if not (commit := self._put({reference: before})):
            before = fetch_commit(self._repo, self._remote, reference) or ""
            if before and _holds(self._repo.commit(before).committed_date):
                return False
            commit = self._put({reference: before})
        if commit:
            with self._lock:
                self._held[reference] = commit
        return bool(commit)

    def done(self, name: str) -> None:
        """Note that something was done which this process has claimed."""
        self._done.add(_reference(name))

    def _renew(self) -> None:
        while not self._ended.wait(LEASE / 3):
            with self._lock:
                held = dict(self._held)
            if held and (commit := self._put(held)):
                with self._lock:
                    self._held |= dict.fromkeys(held, commit)

    def _put(self, references: Mapping[str, str]) -> str:
        """Let references name a new commit; empty where one is not at what it is said to be."""
        commit = write_commit(self._repo, None, {}, f"Claimed by {self._name}\n")
        leases = [f"--force-with-lease={name}:{before}" for name, before in references.items()]
        done = self._push(*leases, *(f"{commit}:{name}" for name in references))
        return commit if done else ""

    def _push(self, *arguments: str) -> bool:
        options = [one for one in arguments if one.startswith("--")]
        changes = [one for one in arguments if not one.startswith("--")]
        try:
            exchange(self._repo, self._remote, "push", "--quiet", "--no-verify", *options,
                     self._remote, *changes)  # fmt: skip
        except git.GitCommandError as error:
            if "rejected" in str(error.stderr) or "stale info" in str(error.stderr):
                return False
            raise PlatformError(
                f"nothing can be claimed at '{self._remote}': {last_line(error)}",
                hint="May this account push to it? Without --share cells are not claimed.",
            ) from None
        return True


def _holds(claimed: int) -> bool:
    """Whether a claim of that time holds; one from far in the future would for ever."""
    return abs(time.time() - claimed) < LEASE


def _reference(name: str) -> str:
    return f"{CLAIMS}/{hashlib.sha256(name.encode()).hexdigest()}"


def remove_old_claims(repo: Repo, remote: str) -> None:
    """Remove claims that no longer hold."""
    try:
        for name, commit in fetch(repo, remote, f"+{CLAIMS}/*:{FETCHED}/*").items():
            if not _holds(repo.commit(commit).committed_date):
                claim = CLAIMS + name.removeprefix(FETCHED)
                exchange(repo, remote, "push", "--quiet", "--no-verify",
                         f"--force-with-lease={claim}:{commit}", remote, f":{claim}")  # fmt: skip
    except git.GitCommandError:
        return  # another machine did; the next call removes the rest
