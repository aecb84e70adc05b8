"""Submissions and pull requests without progress for too long, so that nothing is stuck unseen."""

import datetime as dt
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from evaluator.ci.forge.inert_markdown import prose
from evaluator.ci.forge.repository import Forge, find_forge
from evaluator.ci.git.inbox import read_quarantine
from evaluator.ci.ledger.arrivals import last_arrival
from evaluator.ci.ledger.ledger import Ledger
from evaluator.ci.ledger.ledger_state import grown_ledger
from evaluator.ci.ledger.quotas import admission_by
from evaluator.ci.ledger.unreviewed import find_unreviewed
from evaluator.ci.opened.heads import base_commit
from evaluator.ci.scores.record_changes import arrival_times
from evaluator.core.errors import Actor
from evaluator.core.git.tree import open_repository, read_tree
from evaluator.core.planning.plan import make_plan
from evaluator.core.planning.snapshot import Snapshot, read_snapshot


@dataclass(frozen=True, kw_only=True)
class Overdue:
    """One submission or pull request that waits."""

    subject: str
    """Id of the submission, or number of the pull request with ``#``."""
    since: dt.datetime
    reason: str
    actor: Actor
    hint: str


def overdue(
    snapshot: Snapshot, ledger: Ledger, now: dt.datetime, open_pull_requests: Collection[int] = ()
) -> list[Overdue]:
    """All without progress for ``progress_hours``; without pull requests, none for an organiser."""
    limit = dt.timedelta(hours=snapshot.settings.progress_hours)
    waiting = [
        *_cells(snapshot, ledger, now), *_approved(ledger, open_pull_requests),
        *_waiting(ledger, open_pull_requests, now),
    ]  # fmt: skip
    overdue = [item for item in waiting if now - item.since > limit]
    return sorted(overdue, key=lambda item: (item.since, item.subject))


def _cells(snapshot: Snapshot, ledger: Ledger, now: dt.datetime) -> Iterator[Overdue]:
    by_submission: dict[str, list[str]] = {}
    for item in make_plan(snapshot, now, admission_by(ledger)).missing:
        by_submission.setdefault(item.cell.submission.id, []).append(item.reason)
    phases = {
        item.id: snapshot.benchmarks[item.benchmark].phase(item.phase)
        for item in snapshot.submissions
    }
    waiting = [item for item in snapshot.submissions if item.id in by_submission]
    arrivals = arrival_times(waiting, snapshot, ledger)
    for submission in waiting:
        reasons = by_submission[submission.id]
        since = arrivals.get(submission.id, now)
        phase = phases[submission.id]
        if phase is not None and phase.start is not None:
            since = max(since, phase.start)
        yield Overdue(
            subject=submission.id, since=since, actor=Actor.PLATFORM,
            reason=f"{len(reasons)} cells are missing: {reasons[0]}",
            hint="Does a runner take the jobs of its queue? `pullbench run` evaluates it by hand.",
        )  # fmt: skip


def _approved(ledger: Ledger, open_pull_requests: Collection[int]) -> Iterator[Overdue]:
    """Approvals without an outcome; what was merged without a record has cells to evaluate."""
    approvals = [one for number in open_pull_requests for one in ledger.approvals_of(number)]
    for approval in approvals if open_pull_requests else ledger.approvals():
        if ledger.outcome(approval) is None:
            number = approval.pull_request
            yield Overdue(
                subject=f"#{number}" if number else approval.head[:12],
                since=approval.at, actor=Actor.PLATFORM,
                reason=f"approved by {approval.approver}, but no record came",
                hint="An organiser takes the label off and sets it again.",
            )  # fmt: skip


def _waiting(
    ledger: Ledger, open_pull_requests: Collection[int], now: dt.datetime
) -> Iterator[Overdue]:
    for number in sorted(open_pull_requests):
        last = last_arrival(ledger, number, now)
        if last is not None and not ledger.approvals_of(number):
            yield Overdue(
                subject=f"#{number}", since=last[1].at, actor=Actor.ORGANISER,
                reason="waits for an organiser's approval",
                hint="Review it and set the label, or close it with a reason.",
            )  # fmt: skip


def find_overdue(
    start: Path, now: dt.datetime, *, branch: str, remote: str | None
) -> tuple[list[Overdue], Forge | None]:
    repo = open_repository(start)
    tip = base_commit(repo, branch, remote)
    snapshot = read_snapshot(read_tree(repo, tip))
    ledger = grown_ledger(repo, snapshot.settings.ledger, remote, snapshot.tree)
    forge = find_forge(snapshot.settings.forge)
    numbers = {pull.number for pull in forge.open_pull_requests()} if forge else set()
    landed = [
        Overdue(
            subject=item.name, since=item.at, actor=Actor.ORGANISER, reason=item.fault,
            hint=f"Compare commit {item.commit[:12]} with what was shown; revert it where it was "
            "not meant.",
        )
        for item in find_unreviewed(repo, tip, ledger, remote, now)[0]
    ]  # fmt: skip
    aside = [
        Overdue(
            subject=name, since=now, actor=Actor.ORGANISER, reason="was handed in and put aside",
            hint="`collect` said why; push it to refs/pullbench/inbox again, or delete it.",
        )
        for name in read_quarantine(repo, remote or ".")
    ]  # fmt: skip
    return [*landed, *aside, *overdue(snapshot, ledger, now, numbers)], forge


def overdue_markdown(overdue: Sequence[Overdue], now: dt.datetime) -> str | None:
    if not overdue:
        return None
    rows = [
        f"| {item.subject} | {(now - item.since).total_seconds() / 3600:.0f} | {item.actor} "
        f"| {prose(item.reason)} | {item.hint} |"
        for item in overdue
    ]
    head = "| what | hours | who must act | why | what to do |\n| --- | --: | --- | --- | --- |"
    return "\n".join([head, *rows])
