"""The inbox: each worker pushes records under its own reference, and one collector reads all.

Workers that all push to one branch wait for one another, and their retries grow with the square
of their number; to references of their own they never do.
"""

from collections.abc import Collection, Mapping

from evaluator.ci.git.advice import what_to_do
from evaluator.ci.git.branch import write_commit
from evaluator.ci.git.partial_clone import exchange
from evaluator.ci.git.remote import FETCHED, failure, fetch, last_line
from evaluator.ci.git.watching import one_at_a_time, own_file
from evaluator.core.errors import PlatformError
from evaluator.core.formats.cell import digest
from evaluator.core.git.repository import GitFailedError, Repo

INBOX = "refs/pullbench/inbox"
QUARANTINE = "refs/pullbench/quarantine"
"""Where references go that are put aside, under the name that they had in the inbox."""
_AT_ONCE = 500


def hand_in(repo: Repo, remote: str, files: Mapping[str, bytes]) -> str:
    """Push files, and what waits for a push, under references; return its name."""
    commit = write_commit(repo, None, files, "Records\n", at=0)
    note = own_file(repo, f"outbox-{digest(remote)[:16]}") / commit
    note.parent.mkdir(exist_ok=True)
    note.touch()
    with one_at_a_time(repo, "outbox"):
        # If one of the others cannot be pushed, it holds up nobody.
        for waiting in ([note, *({*note.parent.iterdir()} - {note})][:_AT_ONCE], [note]):
            if not note.exists():
                break  # a push took it along
            refspecs = [f"{one.name}:{INBOX}/{one.name}" for one in waiting]
            try:
                exchange(repo, remote, "push", "--quiet", "--no-verify", remote, *refspecs)
            except GitFailedError as error:
                if len(waiting) > 1:
                    continue
                raise PlatformError(
                    f"the records cannot be handed in at '{remote}': {last_line(error)}",
                    hint=f"{what_to_do(error.said)} They are kept where they were "
                    "written; run `pullbench hand-in` again.",
                ) from None
            for one in waiting:
                one.unlink()
    return f"{INBOX}/{commit}"


def read_inbox(repo: Repo, remote: str) -> dict[str, str]:
    try:
        fetched = fetch(repo, remote, f"+{INBOX}/*:{FETCHED}/*")
    except GitFailedError as error:
        raise failure(f"'{remote}' cannot be read", error) from None
    return {INBOX + name.removeprefix(FETCHED): commit for name, commit in fetched.items()}


def empty_inbox(
    repo: Repo, remote: str, waiting: Mapping[str, str], aside: Collection[str]
) -> PlatformError | None:
    """Delete references that were read, or put them aside; say why not, but if they are gone."""
    references = list(waiting)
    for start in range(0, len(references), _AT_ONCE):
        part = references[start : start + _AT_ONCE]
        try:
            refspecs = [f":{name}" for name in part]
            refspecs += [f"+{waiting[name]}:{quarantined(name)}" for name in part if name in aside]
            exchange(repo, remote, "push", "--quiet", "--no-verify", "--atomic", remote, *refspecs)
        except GitFailedError as error:
            fault = failure(f"the inbox at '{remote}' cannot be emptied", error)
            try:
                left = read_inbox(repo, remote).keys()
            except PlatformError:  # of the same cause
                return fault
            return fault if left >= {*part} else None
    return None


def quarantined(name: str) -> str:
    return QUARANTINE + name.removeprefix(INBOX)


def read_quarantine(repo: Repo, remote: str) -> list[str]:
    try:
        listed = exchange(repo, remote, "ls-remote", remote, f"{QUARANTINE}/*")
    except GitFailedError as error:
        raise failure(f"'{remote}' cannot be read", error) from None
    return [line.partition("\t")[2] for line in listed.splitlines() if not line.endswith("^{}")]
