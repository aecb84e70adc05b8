"""scores -> commit: brought to a branch, asked for anew, withdrawn."""

import datetime as dt
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from evaluator.clock import utc_now
from evaluator.pipeline import evaluation, snapshots

if TYPE_CHECKING:
    from evaluator.forge import Forge
    from evaluator.git.write import Committed
    from evaluator.planning.withdrawals import Withdrawn
    from evaluator.scores.archiving import Moved
    from evaluator.scores.collecting import Collected
    from evaluator.scores.watchdog import Overdue


def commit(
    start: Path,
    now: dt.datetime,
    *,
    branch: str | None = None,
    remote: str | None = None,
    source: Path | None = None,
    unisolated: bool = False,
) -> "Committed":
    """Commit records that fit the branch's plan, in one commit, however the branch moves."""
    from evaluator.scores.commit import commit

    return commit(start, now, branch=branch, remote=remote, source=source, unisolated=unisolated)


def collect(
    start: Path,
    now: dt.datetime,
    *,
    branch: str | None = None,
    remote: str | None = None,
    source: Path | None = None,
    inbox: bool = False,
    rerun: Sequence[str] = (),
    failed_only: bool = False,
    accept_ledger: bool = False,
    handed: str = "",
) -> "Collected":
    """Bring a branch's records up to date, and list the cells that are still missing."""
    from evaluator.scores.collecting import collect

    return collect(
        start, now, branch=branch, remote=remote, source=source, inbox=inbox, rerun=rerun,
        failed_only=failed_only, accept_ledger=accept_ledger, handed=handed,
    )  # fmt: skip


def hand_in_folder(start: Path, folder: Path, remote: str) -> tuple[str, int]:
    """Push records under a reference of their own; returns its name and how many they are."""
    from evaluator.scores.hand_in import hand_in_folder

    return hand_in_folder(start, folder, remote)


def rerun(start: Path, names: Sequence[str], *, failed_only: bool, branch: str) -> int:
    """Ask the forge to evaluate cells afresh; returns how many. Raises UsageError."""
    from evaluator.scores.rerun import request_rerun

    files = snapshots.take(start)
    chosen = evaluation.choose(files, utc_now(), names, fresh=True, failed_only=failed_only)
    request_rerun(names, files.settings, failed_only=failed_only, branch=branch)
    return len(chosen)


def withdraw(
    start: Path,
    names: Sequence[str],
    reason: str,
    by: str,
    now: dt.datetime,
    *,
    branch: str,
    remote: str | None,
) -> list["Withdrawn"]:
    """Note in the ledger that the records of cells count no longer. Raises UsageError."""
    from evaluator.scores.withdraw import withdraw

    return withdraw(start, names, reason, by, now, branch=branch, remote=remote)


def archive(
    start: Path,
    now: dt.datetime,
    name: str,
    to: str,
    *,
    url: str = "",
    branch: str | None = None,
    remote: str | None = None,
) -> "Moved":
    """Move the files of an ended phase's submissions to a repository or a bundle."""
    from evaluator.scores.archiving import archive

    return archive(start, now, name, to, url=url, branch=branch, remote=remote)


def restore(
    start: Path, names: Sequence[str], *, branch: str | None = None, remote: str | None = None
) -> "Moved":
    """Bring archived submissions back."""
    from evaluator.scores.archiving import restore

    return restore(start, names, branch=branch, remote=remote)


def find_overdue(
    start: Path, now: dt.datetime, *, branch: str, remote: str | None
) -> tuple[list["Overdue"], "Forge | None"]:
    """Return what has made no progress for too long, and the forge to say so at."""
    from evaluator.pull_requests.alarm import find_overdue

    return find_overdue(start, now, branch=branch, remote=remote)


def overdue_markdown(overdue: Sequence["Overdue"], now: dt.datetime) -> str | None:
    """Return the text of the issue about it; None where nothing is overdue."""
    from evaluator.pull_requests.alarm import overdue_markdown

    return overdue_markdown(overdue, now)


def disqualify(start: Path, name: str, reason: str, now: dt.datetime) -> str:
    """Write into a bundle that a submission has no rank, and why; returns the file's path.

    ``name`` is ``benchmark/participant/submission``. Raises UsageError.
    """
    from evaluator.planning.disqualifying import disqualify

    return disqualify(start, name, reason, now)
