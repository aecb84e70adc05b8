"""Records that no longer count: withdrawn, taken off by hand, wrongly sealed."""

import datetime as dt
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from evaluator.ci.git.branch import need_tip
from evaluator.ci.ledger.ledger import Ledger
from evaluator.ci.ledger.ledger_notes import WITHDRAWN, Withdrawn, identity, key_of, withdrawn_file
from evaluator.ci.ledger.ledger_state import (
    MAX_REASON,
    STATE_FILE,
    LedgerState,
    grown_ledger,
    state_json,
    state_of,
)
from evaluator.ci.ledger.quotas import admission_by
from evaluator.ci.scores.ledger_records import add_to_ledger
from evaluator.core.errors import UsageError, printable
from evaluator.core.formats.cell import SCORES, CellId, Place, place_of
from evaluator.core.formats.record import Record
from evaluator.core.formats.record_lines import records_of
from evaluator.core.formats.repository_status import Withdrawal
from evaluator.core.formats.submission import FILE_NAME
from evaluator.core.git.commands import object_ids, read_blobs
from evaluator.core.git.repository import GitFailedError, Repo
from evaluator.core.git.tree import open_repository, read_tree
from evaluator.core.planning.plan import make_plan
from evaluator.core.planning.records import read_scores
from evaluator.core.planning.snapshot import Snapshot, read_snapshot
from evaluator.core.scores.selection import named_cells


class ScoresCommit(NamedTuple):
    """That a commit of a branch changed a file, or took it off."""

    path: str
    commit: str
    author: str
    subject: str


def withdrawn_cells(snapshot: Snapshot, ledger: Ledger) -> dict[CellId, Withdrawn]:
    keys = {path.split("/")[1] for path in ledger.entries.below(WITHDRAWN)}
    files = snapshot.record_files
    notes: dict[CellId, Withdrawn] = {}
    named = (
        place.cell(*name)
        for place in (files.places if keys else ())
        for name, key in files.score_keys(place).items()
        if key in keys
    )
    for record in files.stream(named):
        if ledger.is_withdrawn(record):
            notes[record.cell] = ledger.withdrawal(record)
    return notes


def seal_withdrawals(
    snapshot: Snapshot, refused: Mapping[CellId, str], now: dt.datetime
) -> dict[str, bytes]:
    return dict(
        withdrawn_file(_note(cell, snapshot.record_files[cell], reason, "pullbench", now))
        for cell, reason in refused.items()
    )


def removal_withdrawals(
    repo: Repo, snapshot: Snapshot, ledger: Ledger, now: dt.datetime
) -> dict[str, bytes]:
    """Notes that withdraw records which somebody removed from the branch by a commit.

    Only commits since CI last wrote to the branch count, and submissions that are still there:
    removing a submission says nothing about its scores. The ledger would restore them.
    """
    tip = snapshot.tree.commit
    if tip is None:
        return {}
    since: str = repo.git.log("-1", "--first-parent", "--format=%H", tip, "--", STATE_FILE)
    if since in ("", tip):
        return {}
    removed = _removed(repo, snapshot, since, tip)
    stayed = object_ids(
        repo,
        [
            f"{change.commit}:submissions/{cell.submission_id}/{FILE_NAME}"
            for cell, (change, _) in removed.items()
        ],
    )
    notes: dict[str, bytes] = {}
    for (cell, (change, record)), blob in zip(removed.items(), stayed, strict=True):
        noted = ledger.records([key_of(record.keys)]).get(record.keys.score, ())
        if (
            blob
            and identity(record) in map(identity, noted)
            and not _stands_elsewhere(snapshot, cell, record)
        ):
            reason = f"taken off the branch in {change.commit[:12]}: {change.subject}"
            path, content = withdrawn_file(_note(cell, record, reason, change.author, now))
            notes[path] = content
    return notes


def next_state(snapshot: Snapshot, ledger: Ledger) -> dict[str, bytes]:
    if ledger.commit is None or snapshot.tree.commit is None:
        return {}
    before = state_of(snapshot.tree)
    by_record = {item.record: item for item in (before.withdrawn if before else ())}
    for _, note in ledger.notes(ledger.entries.below(WITHDRAWN), Withdrawn):
        at = note.at.isoformat(timespec="seconds")
        withdrawal = Withdrawal(
            cell=note.cell, record=note.record, reason=note.reason, by=note.by, at=at
        )
        by_record.setdefault(note.record, withdrawal)
    withdrawn = sorted(by_record.values(), key=lambda item: (item.at, item.cell))
    state = LedgerState(tip=ledger.commit, on=snapshot.tree.commit, withdrawn=withdrawn)
    return {STATE_FILE: state_json(state)}


def _note(cell: CellId, record: Record, reason: str, by: str, now: dt.datetime) -> Withdrawn:
    return Withdrawn(
        cell=str(cell), score_key=record.keys.score, record=identity(record),
        reason=printable(reason)[:MAX_REASON], by=printable(by)[:100], at=now,
    )  # fmt: skip


def _removed(
    repo: Repo, snapshot: Snapshot, since: str, tip: str
) -> dict[CellId, tuple[ScoresCommit, Record]]:
    """The cells that lost their record, each with the last commit that took one off."""
    changes = [
        (place, change)
        for change in changed_scores(repo, since, tip)
        if (place := place_of(change.path)) is not None
    ]
    names = [f"{lost.commit}{end}:{lost.path}" for _, lost in changes for end in ("^1", "")]
    ids = object_ids(repo, names)
    contents = read_blobs(repo, [blob for blob in ids if blob is not None], broken=b"")
    removed: dict[CellId, tuple[ScoresCommit, Record]] = {}
    pairs = zip(ids[::2], ids[1::2], strict=True)
    for (place, change), versions in zip(changes, pairs, strict=True):
        before, after = (
            _records(next(contents), place) if blob is not None else {} for blob in versions
        )
        for cell in before.keys() - after.keys():
            if cell not in snapshot.record_files:
                removed.setdefault(cell, (change, before[cell]))
    return removed


def _stands_elsewhere(snapshot: Snapshot, cell: CellId, record: Record) -> bool:
    others = snapshot.recorded_cells.get(cell.submission_id, ())
    return any(
        identity(other) == identity(record) for other in snapshot.record_files.stream(others)
    )


def _records(content: bytes, place: Place) -> dict[CellId, Record]:
    try:
        return {record.cell: record for record in records_of(read_scores(content, place))}
    except ValueError:
        return {}


def withdraw(
    start: Path, names: Sequence[str], reason: str, by: str, now: dt.datetime, *,
    branch: str, remote: str | None,
) -> list[Withdrawn]:  # fmt: skip
    """Note in the ledger that the records of cells count no longer. Raises UsageError.

    All records of a cell's content until now are withdrawn, no matter who entered it: a new
    evaluation decides. The next ``collect`` removes them from the branch.
    """
    sentence = printable(" ".join(reason.split()))
    if not sentence or len(sentence) > MAX_REASON:
        raise UsageError(
            f"the reason must have 1 to {MAX_REASON} characters",
            hint="It is shown on the site's status page.",
        )
    repo = open_repository(start)
    snapshot = read_snapshot(read_tree(repo, need_tip(repo, branch, remote)))
    ledger = grown_ledger(repo, snapshot.settings.ledger, remote, snapshot.tree)
    notes: dict[str, Withdrawn] = {}
    for item in named_cells(snapshot, now, names, make_plan(snapshot, now, admission_by(ledger))):
        cell = item.cell.id
        wanted = key_of(item.cell.keys)
        records = list(ledger.records([wanted]).get(wanted.score, ()))
        on_branch = snapshot.record_files.get(cell)
        if on_branch is not None:
            wanted = key_of(on_branch.keys)
            records += [on_branch, *(ledger.records([wanted]).get(wanted.score, ()))]
        for record in records:
            if not ledger.is_withdrawn(record):
                note = _note(cell, record, sentence, by, now)
                notes.setdefault(note.record, note)
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


def changed_scores(repo: Repo, since: str, commit: str) -> list[ScoresCommit]:
    out: str = repo.git.log(
        "--first-parent", "--diff-merges=first-parent", "--no-renames", "--diff-filter=DM",
        "--format=%x00%H%x01%an%x01%s", "--name-only", f"{since}..{commit}", "--",
        f":(glob)submissions/*/*/*/{SCORES}/*.json",
    )  # fmt: skip
    changes: list[ScoresCommit] = []
    for chunk in out.split("\0")[1:]:
        head, *paths = chunk.split("\n")
        name, author, subject = head.split("\x01", 2)
        changes += [ScoresCommit(path, name, author, subject) for path in filter(None, paths)]
    return changes


def author_name(repo: Repo) -> str:
    try:
        return repo.git.var("GIT_AUTHOR_IDENT").partition(" <")[0]
    except GitFailedError:
        return ""
