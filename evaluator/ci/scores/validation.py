"""Validate records that are handed in: read as data, checked against the plan.

Their worker ran strangers' code. So a record counts only where its cell, key, columns and isolation
are those of the plan; what it claims beyond that is shown, never acted upon.
"""

import datetime as dt
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from types import MappingProxyType

from evaluator.ci.ledger.quotas import WITHOUT_LEDGER
from evaluator.ci.scores.record_faults import CLOCK_SKEW, record_fault
from evaluator.core.formats.attachments import ATTACHMENTS
from evaluator.core.formats.cell import CellId
from evaluator.core.formats.record import Attachment, Record
from evaluator.core.formats.settings import Settings
from evaluator.core.planning.cells import Cell
from evaluator.core.planning.plan import PlannedCell, Refusal, cells_of_new_tasks
from evaluator.core.planning.snapshot import Snapshot
from evaluator.core.scores.redaction import day_of, unhidden
from evaluator.core.scores.uploads import Upload

UNISOLATED = "it ran without isolation; --allow-unisolated takes it"


@dataclass(frozen=True, kw_only=True)
class Accepted:
    """A record that fits, and its attachments by suffix."""

    record: Record
    attachments: Mapping[str, bytes] = field(default_factory=dict)


def with_accepted(snapshot: Snapshot, accepted: Mapping[CellId, Accepted]) -> Snapshot:
    files = {
        item.record.path_of(suffix) or "": content
        for item in accepted.values()
        for suffix, content in item.attachments.items()
    }
    return snapshot.with_records({cell: item.record for cell, item in accepted.items()}, files)


@dataclass(frozen=True, kw_only=True)
class Checked:
    """The result of checking records that were handed in."""

    accepted: Mapping[CellId, Accepted] = field(default_factory=dict)
    left_out: tuple[str, ...] = ()
    """Why others were not: they are of another content, or ran without isolation."""
    malformed: tuple[str, ...] = ()
    """Why others are no scores: pullbench writes no such files."""


def check(
    upload: Upload,
    expected: Mapping[CellId, Cell],
    now: dt.datetime,
    *,
    refused: Mapping[str, Refusal] = MappingProxyType({}),
    unisolated: bool = False,
    settings: Settings | None = None,
) -> Checked:
    """Accept the records of ``expected`` cells; trials of ``refused`` submissions count nowhere."""
    accepted: dict[CellId, Accepted] = {}
    left_out: list[str] = []
    malformed = list(upload.malformed)
    for cell, versions in sorted(upload.records.items(), key=lambda item: str(item[0])):
        # One after the other, so that a bad version does not refuse a good one.
        for record in versions:
            fault = record_fault(record, expected.get(cell), now)
            if fault:
                malformed.append(f"{cell.scores_path}, {cell.file_stem}: {fault}")
            elif reason := (
                _reason(record, expected.get(cell), refused, unisolated)
                or _claim(record, expected.get(cell), settings, now)
            ):
                left_out.append(f"{cell}: {reason}")
            elif cell in accepted:
                left_out.append(f"{cell}: another version of its record came first")
            else:
                attachments = dict(_attachments(record, upload, left_out))
                accepted[cell] = Accepted(record=record, attachments=attachments)
    return Checked(accepted=accepted, left_out=tuple(left_out), malformed=tuple(malformed))


def check_with_datasets(
    upload: Upload, expected: Mapping[CellId, Cell], snapshot: Snapshot, now: dt.datetime, *,
    adopted: Mapping[CellId, Accepted] = MappingProxyType({}),
    refused: Mapping[str, Refusal] = MappingProxyType({}), unisolated: bool = False,
) -> tuple[Checked, list[PlannedCell]]:  # fmt: skip
    """Check records, and those of cells that accepted data sets among them create; return these."""
    judge = partial(
        check, upload, now=now, refused=refused, unisolated=unisolated, settings=snapshot.settings
    )
    checked = judge(expected)
    records = {cell: item.record for cell, item in {**adopted, **checked.accepted}.items()}
    _, further = cells_of_new_tasks(snapshot, records, now, WITHOUT_LEDGER)
    if further:
        wanted = {**expected, **{item.cell.id: item.cell for item in further}}
        checked = judge(wanted)
    return checked, further


def _reason(
    record: Record, wanted: Cell | None, refused: Mapping[str, Refusal], unisolated: bool
) -> str | None:
    if wanted is None:
        return "the branch has no such cell; commit the submission first"
    if wanted.keys.score != record.keys.score:
        return "its record is of other content than the branch's"
    if refusal := refused.get(wanted.submission.id):
        return f"the plan refuses it, for it {refusal.reason}"
    if record.provenance.isolation == "none" and not unisolated:
        return UNISOLATED
    return None


def _claim(
    record: Record, wanted: Cell | None, settings: Settings | None, now: dt.datetime
) -> str | None:
    """What it claims and cannot be; not of the ledger's, for settings may have changed."""
    if wanted is None or settings is None:
        return None
    provenance, benchmark, slug = record.provenance, wanted.benchmark, wanted.phase.slug
    if provenance.queue != benchmark.queue:
        return f"it names the queue {provenance.queue[:100]!r}; the bundle has {benchmark.queue!r}"
    is_gvisor = provenance.isolation == "gvisor"
    if provenance.isolation != "none" and is_gvisor != (settings.runtime == "runsc"):
        return f"it names the isolation '{provenance.isolation}', and runtime is {settings.runtime}"
    open_to_all = unhidden(benchmark)
    hides = benchmark.leaderboard != open_to_all.leaderboard or (
        benchmark.phase(slug) != open_to_all.phase(slug)
    )
    if record.sealed is not None and not (settings.seal and hides):
        return "a part of it is sealed, and nothing is to be sealed"
    submitted, started = (
        dt.datetime.fromisoformat(text).astimezone(dt.UTC)
        for text in (provenance.submitted, provenance.started)
    )
    # Of what tells the day alone both ends are midnight. A time to come is a participant's clock.
    if provenance.started == provenance.finished:
        submitted = day_of(submitted)
    if started + CLOCK_SKEW < submitted <= now:
        return "it began before it was submitted"
    return None


def _attachments(
    record: Record, upload: Upload, left_out: list[str]
) -> Iterator[tuple[str, bytes]]:
    """Yield those that the record names, by suffix; a sealed one cannot be compared yet."""
    for suffix in ATTACHMENTS:
        named = record.attachments.get(suffix)
        contents = upload.attachments.get(record.path_of(suffix) or "", ())
        fits = (one for one in contents if named is None or Attachment.of(one) == named)
        if (content := next(fits, None)) is not None:
            yield suffix, content
        elif named is not None:
            path = record.cell.attachment_path(suffix)
            left_out.append(f"{path}: is not what the record of {record.cell} names")
