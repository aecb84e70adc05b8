"""What the site says beside boards while a phase is anonymous: who waits, and what was withdrawn.

No text is repeated that a participant wrote or that names one; the pull request has it.
"""

from collections.abc import Collection
from dataclasses import replace

import msgspec

from evaluator.core.formats.repository_status import RepositoryStatus, Waiting, Withdrawal
from evaluator.core.leaderboard.anonymity import pseudonyms

_PLAIN = ("missing", "stale", "retry", "waiting")
"""States whose reasons name nobody."""
_ELSEWHERE = "its pull request says why"


def nameless_status(status: RepositoryStatus, benchmarks: Collection[str]) -> RepositoryStatus:
    """Return the status without names in these benchmarks."""
    if not benchmarks:
        return status
    return replace(
        status,
        waiting=[_waiting(one) if one.benchmark in benchmarks else one for one in status.waiting],
        withdrawn=[
            _withdrawn(one) if one.cell.partition("/")[0] in benchmarks else one
            for one in status.withdrawn
        ],
        unreviewed=[
            replace(one, fault=_ELSEWHERE)
            if any(f"/{name}/" in one.fault for name in benchmarks)
            else one
            for one in status.unreviewed
        ],
        pull_requests={
            name: numbers
            for name, numbers in status.pull_requests.items()
            if name.partition("/")[0] not in benchmarks
        },
    )


def _renamed(path: str) -> str:
    """Rename ``benchmark/participant/name`` and what is below it."""
    benchmark, participant, name, *below = path.split("/")
    return "/".join((benchmark, *pseudonyms(benchmark, participant, name), *below))


def _waiting(one: Waiting) -> Waiting:
    if one.state in _PLAIN:
        return replace(one, submission=_renamed(one.submission), has_page=False)
    return replace(
        one, submission=_renamed(one.submission), reason=_ELSEWHERE, hint="", has_page=False
    )


def _withdrawn(one: Withdrawal) -> Withdrawal:
    return msgspec.structs.replace(one, cell=_renamed(one.cell))
