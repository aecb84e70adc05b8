"""What participants were shown before: by the ledger, so that a closed pull request counts, too."""

from collections.abc import Sequence

from evaluator.ci.ledger.attempts import AttemptNote, Parties
from evaluator.ci.ledger.ledger import Ledger, local_ledger
from evaluator.ci.ledger.ledger_notes import ATTEMPTS, RecordKey
from evaluator.ci.ledger.ledger_state import grown_ledger
from evaluator.core.formats.cell import CellId, cell_keys, digest
from evaluator.core.formats.record import Record
from evaluator.core.planning.cells import Cell
from evaluator.core.planning.snapshot import Snapshot
from evaluator.core.scores.climbing import ShownBefore


def earlier_scores(
    snapshot: Snapshot, cells: Sequence[Cell], remote: str | None
) -> dict[CellId, ShownBefore]:
    """What was shown of the same labels by the same program. Raises PlatformError."""
    repo, branch = snapshot.tree.repository, snapshot.settings.ledger
    known = grown_ledger(repo, branch, remote, snapshot.tree) if remote else None
    ledger = known or local_ledger(repo, branch)
    parties = Parties(snapshot.settings)
    names = {cell.id.benchmark for cell in cells}
    committed = {name: [*snapshot.record_files.records(name).values()] for name in names}

    def shown(cell: Cell) -> ShownBefore:
        names = parties.names(cell.id.participant)
        records = [*_kept(ledger, cell, names), *committed[cell.id.benchmark]]
        return ShownBefore(
            parties.party_of(cell.id.participant),
            [
                one.scores for one in records
                if one.cell.participant.casefold() in names and one.error is None
                and (one.cell.phase, one.cell.file_stem) == (cell.id.phase, cell.id.file_stem)
                and _score_key(cell, one.keys.parts.get("submission", "")) == one.keys.score
                and not ledger.is_withdrawn(one)
            ],
        )  # fmt: skip

    return {cell.id: shown(cell) for cell in cells}


def _kept(ledger: Ledger, cell: Cell, names: frozenset[str]) -> list[Record]:
    """Records of all that a party entered, under whatever name and in whatever pull request."""
    folders = [f"{ATTEMPTS}/{cell.id.benchmark}/{name}" for name in names]
    paths = [path for folder in folders for path in ledger.entries.below(folder)]
    works = {digest([note.content, note.kind]) for _, note in ledger.notes(paths, AttemptNote)}
    by_key = ledger.records(RecordKey(work, _score_key(cell, work)) for work in works)
    return [record for several in by_key.values() for record in several]


def _score_key(cell: Cell, submission: str) -> str:
    """The key that a cell would have with another content."""
    return cell_keys({**cell.keys.parts, "submission": submission}).score
