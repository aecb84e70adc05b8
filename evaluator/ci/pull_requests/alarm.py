"""Says at the forge what waits for too long."""

import datetime as dt
from collections.abc import Sequence
from pathlib import Path

from evaluator.ci.forge import Forge, find_forge
from evaluator.ci.git import read_quarantine
from evaluator.ci.ledger.ledger_growth import grown_ledger
from evaluator.ci.ledger.rebases import compare_landed
from evaluator.ci.pull_requests.heads import Source, base_commit
from evaluator.ci.pull_requests.inert_markdown import prose
from evaluator.ci.scores.watchdog import Overdue, otherwise, overdue
from evaluator.core.errors import Actor
from evaluator.core.git.tree import open_repository, read_tree
from evaluator.core.planning.snapshot import take_snapshot


def find_overdue(
    start: Path, now: dt.datetime, *, branch: str, remote: str | None
) -> tuple[list[Overdue], Forge | None]:
    """Find what waits for too long; returns the forge, too, where there is one."""
    repo = open_repository(start)
    tip = base_commit(repo, Source(base=branch, head="", remote=remote))
    snapshot = take_snapshot(read_tree(repo, tip))
    ledger = grown_ledger(repo, snapshot.settings.ledger, remote, snapshot.tree)
    forge = find_forge(snapshot.settings.forge)
    numbers = {pull.number for pull in forge.open_pull_requests()} if forge else set()
    landed, _ = compare_landed(repo, tip, ledger, remote, now)
    aside = [
        Overdue(
            subject=name, since=now, actor=Actor.ORGANISER, reason="was handed in and put aside",
            hint="`collect` said why; push it to refs/pullbench/inbox again, or delete it.",
        )
        for name in read_quarantine(repo, remote or ".")
    ]  # fmt: skip
    return [*otherwise(landed), *aside, *overdue(snapshot, ledger, now, numbers)], forge


def overdue_markdown(overdue: Sequence[Overdue], now: dt.datetime) -> str | None:
    """Return the text of the issue that flags them; None where there are none."""
    if not overdue:
        return None
    rows = [
        f"| {item.subject} | {item.hours(now):.0f} | {item.actor} "
        f"| {prose(item.reason)} | {item.hint} |"
        for item in overdue
    ]
    head = "| what | hours | who must act | why | what to do |\n| --- | --: | --- | --- | --- |"
    return "\n".join([head, *rows])
