"""An organiser withdraws records, with a reason that everybody can read."""

import datetime as dt
from collections.abc import Sequence
from pathlib import Path

from evaluator.ci.git import tip_of
from evaluator.ci.ledger.ledger_growth import grown_ledger
from evaluator.ci.ledger.ledger_state import MAX_REASON
from evaluator.ci.ledger.quotas import policy_by
from evaluator.ci.ledger.record_identity import identity
from evaluator.ci.ledger.record_places import key_of
from evaluator.ci.ledger.withdrawals import Withdrawn, is_withdrawn, withdrawn_file
from evaluator.ci.scores.ledger_records import add_to_ledger
from evaluator.core.errors import UsageError, printable
from evaluator.core.git.tree import open_repository, read_tree
from evaluator.core.planning.plan import make_plan
from evaluator.core.planning.snapshot import take_snapshot
from evaluator.core.scores.choosing import named_cells


def withdraw(
    start: Path,
    names: Sequence[str],
    reason: str,
    by: str,
    now: dt.datetime,
    *,
    branch: str,
    remote: str | None,
) -> list[Withdrawn]:
    """Note in the ledger that the records of cells count no longer. Raises UsageError.

    All records of a cell's content until now are withdrawn, whoever entered it: a new evaluation
    decides. The next ``collect`` removes them from the branch.
    """
    sentence = printable(" ".join(reason.split()))
    if not sentence or len(sentence) > MAX_REASON:
        raise UsageError(
            f"the reason must have 1 to {MAX_REASON} characters",
            hint="It is shown on the site's status page.",
        )
    repo = open_repository(start)
    tip = tip_of(repo, branch, remote)
    if tip is None:
        raise UsageError(f"there is no branch '{printable(branch)}'", hint="Name it with --branch.")
    snapshot = take_snapshot(read_tree(repo, tip))
    ledger = grown_ledger(repo, snapshot.settings.ledger, remote, snapshot.tree)
    notes: dict[str, Withdrawn] = {}
    for item in named_cells(snapshot, now, names, make_plan(snapshot, now, policy_by(ledger))):
        cell = item.cell.id
        wanted = key_of(item.cell.keys)
        records = list(ledger.records([wanted]).get(wanted.score, ()))
        on_branch = snapshot.record_files.get(cell)
        if on_branch is not None:
            wanted = key_of(on_branch.keys)
            records += [on_branch, *(ledger.records([wanted]).get(wanted.score, ()))]
        for record in records:
            if not is_withdrawn(ledger, record):
                name = identity(record)
                notes.setdefault(
                    name,
                    Withdrawn(
                        cell=str(cell), score_key=record.keys.score, record=name,
                        reason=sentence, by=printable(by)[:100], at=now,
                    ),
                )  # fmt: skip
    if not notes:
        raise UsageError(
            f"there is no record of {', '.join(names)} that was not withdrawn already",
            hint="`pullbench plan --all` lists the cells that have one.",
        )
    files = dict(withdrawn_file(note) for note in notes.values())
    add_to_ledger(
        repo, files, "Withdraw {} records\n", branch=snapshot.settings.ledger, remote=remote
    )
    return list(notes.values())
