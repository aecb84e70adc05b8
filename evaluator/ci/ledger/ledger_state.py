"""The ledger's state in the base branch: the tip that was last seen, and all withdrawals.

CI writes it in the commits that bring records, so that nobody who moves the ledger back undoes it,
and the site is still a function of a commit alone. The ledger only grows: it is read only if it
holds all that the last tip held that was seen, on the base branch and in this clone.
"""

from typing import Annotated, Literal

import msgspec

from evaluator.ci.git.branch import tip_of
from evaluator.ci.git.following import NOTHING
from evaluator.ci.git.history import last_of
from evaluator.ci.git.raw_trees import only_adds
from evaluator.ci.git.remote import contains, reach, remember_tip, seen_tip
from evaluator.ci.ledger.ledger import Ledger, local_ledger, read_ledger
from evaluator.core.errors import PlatformError
from evaluator.core.formats.json_reader import UnreadableError, form_reader
from evaluator.core.formats.repository_status import Withdrawal
from evaluator.core.git.commands import Repo
from evaluator.core.git.tree import Tree

STATE_FILE = "submissions/ledger.json"
MAX_REASON = 300
"""Characters of the reason of a withdrawal."""
_Commit = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{40,64}$", max_length=64)]


class LedgerState(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The ledger as somebody saw it who could write to the base branch."""

    version: Literal[1] = 1
    tip: _Commit
    """Of the ledger; every later one descends from it."""
    on: _Commit
    """Commit of the base branch on top of which this was written."""
    withdrawn: list[Withdrawal] = []
    """In the order of the withdrawals."""


_read = form_reader(LedgerState, max_bytes=2**24)


def state_of(tree: Tree) -> LedgerState | None:
    content = tree.read([STATE_FILE]).get(STATE_FILE)
    return None if content is None else read_state(content)


def read_state(content: bytes) -> LedgerState:
    """Read the file. Raises PlatformError."""
    try:
        return _read(content)
    except UnreadableError as error:
        raise PlatformError(
            f"{STATE_FILE} cannot be read: it {error}",
            hint="Only CI writes it: put back what its last commit wrote.",
        ) from None


def state_json(state: LedgerState) -> bytes:
    return msgspec.json.format(msgspec.json.encode(state, order="sorted"), indent=2) + b"\n"


def grown_ledger(
    repo: Repo, branch: str, remote: str | None, base: Tree, *, accept: bool = False
) -> Ledger:
    """Read the ledger as it is now. Raises PlatformError where it shrank, unless ``accept``.

    Without a remote, a branch of a remote that this clone fetched becomes its own.
    """
    # Both are read before the tip, so that another writer's addition is no roll-back.
    here = seen_tip(repo, branch, remote)
    state = state_of(base)
    tip = tip_of(repo, branch, remote, by_path=True)
    known = local_ledger(repo, branch).commit if tip is None else None
    if known is not None and remote is None:
        repo.git.update_ref(f"refs/heads/{branch}", known, NOTHING)
        tip, known = known, None
    for old in () if accept else (state.tip if state else None, here, known):
        if old is not None and (tip is None or not grew(repo, tip, old, remote)):
            raise _lost(repo, branch, remote, tip, old)
    if tip is not None:
        remember_tip(repo, branch, remote, tip, here)
    return read_ledger(repo, tip)


def _lost(repo: Repo, branch: str, remote: str | None, tip: str | None, old: str) -> PlatformError:
    refs = (f"refs/heads/{branch}", f"refs/remotes/*/{branch}", "refs/pullbench/ledger-seen/")
    newest = last_of(repo, *refs)
    if newest is None or not contains(repo, newest, old):
        newest = old
    lease = ""
    if tip is not None and not contains(repo, newest, tip):
        lease = f"--force-with-lease={branch}:{tip} "
    now = f"its tip {tip[:12]} does not hold all of {old[:12]}" if tip else f"{old[:12]} is gone"
    return PlatformError(
        f"the ledger '{branch}' has lost what it held: {now}, which was seen before",
        hint=f"Somebody moved the branch back, deleted it or wrote it anew. The newest tip that is "
        f"known here is {newest}. Another clone may have a newer one, and what CI signed after the "
        "one that you restore counts as forged: compare `git rev-parse "
        f"refs/remotes/origin/{branch}` there. In the clone that has the newest, `git push {lease}"
        f"{remote or '.'} {newest}:refs/heads/{branch}` restores it. `pullbench collect "
        "--accept-ledger` takes the ledger as it is now, and says so on the base branch.",
    )


def grew(repo: Repo, commit: str, old: str, remote: str | None) -> bool:
    """Whether a commit of the ledger holds all that another held, as it held it."""
    if commit == old:
        return True
    reach(repo, remote, commit, old, "--filter=tree:0")
    return contains(repo, commit, old) and only_adds(repo, old, commit)
