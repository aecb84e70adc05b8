"""Records and attempts in the ledger: added, and adopted for cells that miss a record."""

import datetime as dt
from collections.abc import Callable, Collection, Iterable, Mapping
from types import MappingProxyType

from evaluator.ci.git.branch import Committed, add_files
from evaluator.ci.git.following import Files
from evaluator.ci.ledger.assignments import Assignment
from evaluator.ci.ledger.attempts import Parties, attempt_file
from evaluator.ci.ledger.ledger import Ledger, read_ledger
from evaluator.ci.ledger.ledger_notes import key_of, record_digest
from evaluator.ci.ledger.ledger_state import grown_ledger
from evaluator.ci.ledger.quotas import judge_entries
from evaluator.ci.scores.record_faults import record_fault
from evaluator.ci.scores.validation import Accepted
from evaluator.core.errors import Actor
from evaluator.core.formats.cell import CellId
from evaluator.core.formats.record import CellError
from evaluator.core.formats.settings import Settings
from evaluator.core.git.commands import Repo
from evaluator.core.log import complain
from evaluator.core.planning.cells import Cell
from evaluator.core.planning.plan import Admission, PlannedCell, cells_of_new_tasks, unseen
from evaluator.core.planning.snapshot import Snapshot
from evaluator.core.plugins import Service

Continue = Callable[[Ledger], Mapping[str, bytes]]
"""Returns the files that continue the chain of a ledger; asked again if the ledger has moved."""
SIGN = Service[
    Callable[
        [Snapshot, Collection[CellId], Mapping[str, bytes | None], dt.datetime, str | None],
        Continue | None,
    ]
]("statements.sign")
"""From the cells and files that a commit changes, the time, and the commit on which it is said."""
KEEP = Service[Callable[[Snapshot, Mapping[str, bytes], dt.datetime], Mapping[str, bytes]]](
    "statements.keep"
)
"""From files of records that the ledger gets to what is signed of them."""
KEPT = Service[Callable[[Settings, Iterable[bytes]], Collection[str] | None]]("statements.kept")
"""From such files to the digests of records that are signed; None if all count."""


def add_to_ledger(
    repo: Repo, files: Mapping[str, bytes], message: str, *,
    branch: str, remote: str | None, accepted: Collection[Accepted] = (),
    into: Snapshot | None = None, at: dt.datetime | None = None,
) -> Committed:  # fmt: skip
    """Add notes, and records that were accepted ``into`` a branch ``at`` a time, in one commit.

    The first file of a name stays. What a plugin signs of the records is beside them.
    """

    def new_files(ledger: Ledger) -> dict[str, bytes]:
        records: dict[str, bytes] = {}
        if at is not None:
            for item in accepted:
                records |= ledger.new_record_files(item.record, item.attachments, at)
        keep = KEEP.load() if records and into and at else None
        return {**files, **records, **(keep(into, records, at) if keep and into and at else {})}

    if not files and not accepted:
        return Committed(commit=None, paths=(), retries=0)
    return change_ledger(repo, new_files, message, branch=branch, remote=remote)


def change_ledger(
    repo: Repo,
    new_files: Callable[[Ledger], Mapping[str, bytes]],
    message: str,
    *,
    branch: str,
    remote: str | None,
) -> Committed:
    """Add files in one compare-and-swap; the first of a name stays. ``message`` takes the count.

    What new files follow in the ledger is true of the tip on which they are written.
    """

    def accept(tip: str | None) -> Files:
        ledger = read_ledger(repo, tip)
        files = new_files(ledger)
        if tip is None and files:
            complain(f"begins the ledger '{branch}': neither this clone nor its remote has one")
        ledger.entries.read_folders(files)
        return {path: content for path, content in files.items() if path not in ledger.entries}

    return add_files(
        repo, accept, lambda new: message.format(len(new)),
        branch=branch, remote=remote, create=True, by_path=True,
    )  # fmt: skip


def sign_records(
    repo: Repo, snapshot: Snapshot, cells: Collection[CellId], files: Mapping[str, bytes | None],
    now: dt.datetime, remote: str | None, *,
    base: str | None = None, is_read: bool = False,
) -> str | None:  # fmt: skip
    """Keep in the ledger what a plugin signs of the scores that a commit of a branch changes.

    It comes before that commit: a statement of what does not land vouches for no number. After it,
    without cells and with that commit as ``base``, the plugin signs that it landed. Raises
    PlatformError for a ledger that has lost something, unless it ``is_read`` already. Returns the
    ledger's tip; None where nobody signs.
    """
    signs = SIGN.load()
    sign = signs(snapshot, cells, files, now, base) if signs else None
    if sign is None:
        return None
    branch = snapshot.settings.ledger
    known = None if is_read else grown_ledger(repo, branch, remote, snapshot.tree).commit
    done = change_ledger(repo, sign, "Sign {} statements\n", branch=branch, remote=remote)
    return done.commit or known


class CellTable:
    """The cells of a step: missing, or with a record of the ledger or one accepted just now."""

    def __init__(
        self,
        planned: Iterable[PlannedCell],
        accepted: Mapping[CellId, Accepted] = MappingProxyType({}),
    ) -> None:
        self.planned = {item.cell.id: item for item in planned}
        self.records = dict(accepted)
        """Of the cells that are not missing."""
        self.unsigned: dict[CellId, str] = {}
        """Why records of the ledger do not count."""

    @property
    def missing(self) -> list[PlannedCell]:
        return [item for cell, item in self.planned.items() if cell not in self.records]

    @property
    def errors(self) -> list[CellError]:
        """What keeps it back: a stage that cannot do without the others does not."""
        return [
            error
            for cell, item in self.planned.items()
            if cell in self.records
            and (error := self.records[cell].record.error) is not None
            and (item.cell.is_whole or error.actor != Actor.PARTICIPANT)
        ]

    def assigned(self, assignment: Assignment | None) -> dict[CellId, Cell]:
        return {
            cell: item.cell
            for cell, item in self.planned.items()
            if assignment and assignment.key_of(str(cell)) == item.cell.keys.score
        }

    def add(self, planned: Iterable[PlannedCell]) -> None:
        for item in planned:
            self.planned.setdefault(item.cell.id, item)

    def look_up(
        self, snapshot: Snapshot, ledger: Ledger, now: dt.datetime, admit: Admission
    ) -> None:
        """Give missing cells the ledger's records, and add those of data sets that they accept."""
        self.adopt(ledger, now, snapshot.settings)
        records = {cell: item.record for cell, item in self.records.items()}
        if further := cells_of_new_tasks(snapshot, records, now, admit)[1]:
            self.add(further)
            self.adopt(ledger, now, snapshot.settings)

    def adopt(self, ledger: Ledger, now: dt.datetime, settings: Settings) -> None:
        """Give missing cells the ledger's records, but no faults of others, nor if asked anew.

        If ``settings`` list who signs scores, what nobody of them signed is left out.
        """
        wanted = [item.cell for item in self.missing if item.state != "asked"]
        keys = [key_of(cell.keys) for cell in wanted]
        by_key = ledger.records(keys)
        signed_records_of = KEPT.load() if by_key else None
        parties = Parties(settings)
        signed = signed_records_of and signed_records_of(settings, ledger.signatures(keys))
        for cell in wanted:
            for record in by_key.get(cell.keys.score, ()):
                if record.error is not None and record.error.actor != Actor.PARTICIPANT:
                    continue
                renamed = record.replace(cell=cell.id)
                if ledger.is_withdrawn(record) or record_fault(renamed, cell, now):
                    continue
                # It may show the best of whoever sent the same content.
                if cell.phase.ladder and (
                    parties.party_of(record.cell.participant)
                    != parties.party_of(cell.id.participant)
                ):
                    continue
                if signed is not None and record_digest(record) not in signed:
                    self.unsigned[cell.id] = "nobody signed the record that the ledger has of it"
                    continue
                attachments = ledger.attachments(record)
                self.records[cell.id] = Accepted(record=renamed, attachments=attachments)
                break


def without_withdrawn(
    accepted: Mapping[CellId, Accepted], ledger: Ledger
) -> tuple[dict[CellId, Accepted], list[str]]:
    withdrawn = {cell for cell, item in accepted.items() if ledger.is_withdrawn(item.record)}
    left = {cell: item for cell, item in accepted.items() if cell not in withdrawn}
    return left, [f"{cell}: this very record was withdrawn" for cell in sorted(withdrawn, key=str)]


def attempt_files(
    snapshot: Snapshot, planned: Iterable[PlannedCell], ledger: Ledger, now: dt.datetime
) -> dict[str, bytes]:
    """The notes of the attempts that handing out cells spends."""
    judged = judge_entries(snapshot, unseen(snapshot, planned), ledger, now).attempts
    return dict(map(attempt_file, judged))
