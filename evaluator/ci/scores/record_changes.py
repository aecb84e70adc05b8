"""Records as changes of a branch: which that were handed in are new, and what they change."""

import datetime as dt
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace

from evaluator.ci.git.history import first_committed
from evaluator.ci.ledger.arrivals import first_arrival
from evaluator.ci.ledger.ledger import Ledger
from evaluator.ci.ledger.ledger_notes import identity
from evaluator.ci.ledger.versions import work_of
from evaluator.ci.scores.validation import Accepted
from evaluator.core.errors import counted
from evaluator.core.formats.cell import CellId, Place
from evaluator.core.formats.record import Earlier, Record
from evaluator.core.formats.record_lines import encode_logs, file_of, logs_of, without_logs
from evaluator.core.formats.scores_file import encode
from evaluator.core.formats.submission import FILE_NAME, Submission
from evaluator.core.planning.snapshot import Snapshot
from evaluator.core.scores.uploads import Upload

MAX_EARLIER = 20
"""Versions of a score that a record remembers."""


def without_committed(upload: Upload, snapshot: Snapshot) -> Upload:
    committed = {record.cell: record for record in snapshot.record_files.stream(upload.records)}
    new = {
        cell: left
        for cell, versions in upload.records.items()
        if (
            left := [
                version for version in versions if without_logs(version) != committed.get(cell)
            ]
        )
    }
    return replace(upload, records=new)


@dataclass(frozen=True, kw_only=True)
class ScoreChanges:
    """What a commit does to the scores of a branch."""

    records: Mapping[CellId, Record] = field(default_factory=dict)
    """Those that come, with their logs, in place of others of the same cells."""
    removed: Collection[CellId] = ()
    """Cells whose records come off."""
    attachments: Mapping[str, bytes | None] = field(default_factory=dict)
    """By path; None takes one away."""

    @property
    def cells(self) -> Collection[CellId]:
        return {*self.records, *self.removed}

    @property
    def count(self) -> int:
        return len(self.cells)

    @property
    def message(self) -> str:
        parts = [f"Record {counted(len(self.records), 'cells')}"] if self.records else []
        if self.removed:
            parts.append(f"{'withdraw' if parts else 'Withdraw'} {len(self.removed)}")
        benchmarks = sorted({cell.benchmark for cell in self.cells})
        names = f" of {', '.join(benchmarks)}" if benchmarks else ""
        return f"{', '.join(parts) or 'Accept the ledger'}{names}\n"

    def files(self, snapshot: Snapshot) -> dict[str, bytes | None]:
        files: dict[str, bytes | None] = {}
        by_place: dict[Place, list[CellId]] = {}
        for cell in self.cells:
            by_place.setdefault(cell.place, []).append(cell)
        for place in sorted(by_place):
            files |= self._file(place, by_place[place], snapshot)
        return {**files, **self.attachments}

    def _file(
        self, place: Place, cells: Collection[CellId], snapshot: Snapshot
    ) -> dict[str, bytes | None]:
        committed = snapshot.record_files
        records = {
            record.cell: record
            for record in committed.records_at(place)
            if record.cell not in cells
        }
        logs = dict(committed.logs(place))
        for cell in cells:
            logs.pop(cell.file_stem, None)
            record = self.records.get(cell)
            if record is not None:
                records[cell] = record
                logs[cell.file_stem] = logs_of(record)
        any_cell = place.cell("")
        content = encode(file_of(records.values())) if records else None
        files = {any_cell.scores_path: content, any_cell.logs_path: encode_logs(logs)}
        return {
            path: content
            for path, content in files.items()
            if content is not None or path in snapshot.tree.entries
        }


def record_changes(
    accepted: Mapping[CellId, Accepted],
    snapshot: Snapshot,
    ledger: Ledger | None = None,
    removed: Collection[CellId] = (),
) -> ScoreChanges:
    """The changes that bring records to a branch; attachments of replaced ones go."""
    by_id = snapshot.by_id
    committed = {record.cell: record for record in snapshot.record_files.stream(accepted)}
    records: dict[CellId, Record] = {}
    attachments: dict[str, bytes | None] = {}
    names = {cell.submission_id for cell in accepted}
    entered = [by_id[name] for name in sorted(names & by_id.keys())]
    arrivals = {} if ledger is None else arrival_times(entered, snapshot, ledger)
    for cell, item in accepted.items():
        old = None if cell in removed else committed.get(cell)
        record = item.record if old is None else in_place_of(item.record, old)
        if at := arrivals.get(cell.submission_id):
            # Ties, and whose last submission counts, go by it: it is no runner's to say.
            provenance = record.provenance.replace(submitted=at.isoformat())
            record = record.replace(provenance=provenance)
        if without_logs(record) == committed.get(cell):
            continue
        records[cell] = record
        attachments |= no_attachments(cell, snapshot)
        for suffix, content in item.attachments.items():
            if path := record.path_of(suffix):
                attachments[path] = content
    return ScoreChanges(records=records, attachments=attachments)


def in_place_of(new: Record, old: Record) -> Record:
    """``new`` with the arrival, earlier scores and tries of ``old``, which it replaces.

    Only another version of the benchmark makes another version of a score: a re-run of the same
    content replaces without a trace here, as git has one.
    """
    parts = [record.keys.parts.get("submission") for record in (new, old)]
    if parts[0] != parts[1]:
        return new
    if identity(new) == identity(old):  # the same record again is no further try
        return old
    earlier = list(old.earlier)
    if old.keys.score != new.keys.score and old.scores:
        earlier.append(
            Earlier(score_key=old.keys.score, scores=old.scores, finished=old.provenance.finished)
        )
    is_retry = old.keys.score == new.keys.score and old.is_platform_fault and new.is_platform_fault
    submitted = min(new.provenance.submitted, old.provenance.submitted)
    return new.replace(
        earlier=earlier[-MAX_EARLIER:], tries=old.tries + 1 if is_retry else 1,
        provenance=new.provenance.replace(submitted=submitted),
    )  # fmt: skip


def no_attachments(cell: CellId, snapshot: Snapshot) -> dict[str, bytes | None]:
    return {path: None for path in cell.attachment_paths if path in snapshot.tree.entries}


def arrival_times(
    entered: Iterable[Submission], snapshot: Snapshot, ledger: Ledger
) -> dict[str, dt.datetime]:
    """When submissions got their present content: as CI noted it, else as git dates them."""
    arrivals: dict[str, dt.datetime] = {}
    paths: dict[str, str] = {}
    for item in entered:
        at = first_arrival(ledger, item.id, work_of(snapshot.tree, item))
        if at is None:
            paths[f"{item.path}/{FILE_NAME}"] = item.id
        else:
            arrivals[item.id] = at
    first = first_committed(snapshot.tree.repository, snapshot.tree.commit, paths)
    return arrivals | {paths[path]: at for path, at in first.items()}
