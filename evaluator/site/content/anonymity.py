"""Anonymous phases: boards show pseudonyms, and nothing that participants wrote.

The repository and the forge still show names. A pseudonym has no secret: anybody who guesses a name
can compute it.
"""

import datetime as dt
from collections.abc import Collection, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import msgspec
from pydantic import BeforeValidator

from evaluator.core.errors import Actor, Problem
from evaluator.core.formats.bundle import FILE_NAME, Benchmark
from evaluator.core.formats.cell import digest
from evaluator.core.formats.phases import Phase
from evaluator.core.formats.quantities import to_datetime
from evaluator.core.formats.repository_status import (
    PolicyReport,
    RepositoryStatus,
    Waiting,
    Withdrawal,
)
from evaluator.core.formats.submission import Submission
from evaluator.core.planning.snapshot import Snapshot

if TYPE_CHECKING:
    from evaluator.core.leaderboard.table import Table

_PLAIN = ("missing", "stale", "retry", "waiting")
"""States whose reasons name nobody."""
_ELSEWHERE = "its pull request says why"
NEVER = dt.datetime.max.replace(tzinfo=dt.UTC)
AnonymousUntil = Annotated[
    dt.datetime,
    BeforeValidator(
        lambda value: NEVER if value == "phase-end" else to_datetime(value),
        json_schema_input_type=str,
    ),
]
"""``anonymous_until`` of a phase; NEVER is its end."""


def names_from(phase: Phase) -> dt.datetime | None:
    """When the site begins to name the participants of a phase; None if it always does."""
    until: dt.datetime | None = phase.of_plugins.get("anonymous_until")
    return phase.end or NEVER if until == NEVER else until


def anonymous_phases(benchmark: Benchmark, now: dt.datetime) -> frozenset[str]:
    """Slugs of the phases whose participants are not named yet."""
    return frozenset(
        phase.slug
        for phase in benchmark.phases
        if (known := names_from(phase)) is not None and now < known
    )


def check_phases(snapshot: Snapshot, prefixes: tuple[str, ...]) -> Iterator[Problem]:
    for benchmark in snapshot.benchmarks.values():
        if prefixes and not f"{benchmark.path}/".startswith(prefixes):
            continue
        if benchmark.datasets is not None and any(map(names_from, benchmark.phases)):
            yield Problem(
                file=f"{benchmark.path}/{FILE_NAME}", key="pullbench.phases.anonymous_until",
                message="is not for a benchmark with data sets, whose pages name who brought them.",
                hint="Take it out.", actor=Actor.ORGANISER,
            )  # fmt: skip


def pseudonyms(benchmark: str, participant: str, name: str) -> tuple[str, str]:
    """The pseudonyms of a participant, the same in all phases, and of a submission."""
    who, what = digest([benchmark, participant]), digest([benchmark, participant, name])
    return f"entrant-{who[:8]}", f"entry-{what[:8]}"


def nameless(submission: Submission, benchmark: Benchmark) -> Submission:
    """A submission under pseudonyms; what the organiser names in the bundle stays."""
    named = benchmark.analysis
    organisers = (benchmark.baseline, named.constant, named.reference, named.stand_in)
    if f"{submission.participant}/{submission.name}" in organisers:
        return submission
    participant, name = pseudonyms(benchmark.name, submission.participant, submission.name)
    return replace(
        submission, participant=participant, name=name, title=name, description="", fact_sheet={},
        reported=None, retired="", replaces="", of_plugins={},
    )  # fmt: skip


def without_links(table: "Table", _: Benchmark) -> "Table":
    """The table of another phase, in which some may say on whose work theirs is based."""
    submissions = tuple(replace(one, of_plugins={}) for one in table.submissions)
    return replace(table, submissions=submissions)


def without_names(table: "Table", benchmark: Benchmark) -> "Table":
    return replace(
        table,
        submissions=tuple(nameless(one, benchmark) for one in table.submissions),
        facts=tuple(replace(one, contents=(), has_attachments=False) for one in table.facts),
        # Messages and logs repeat what programs print.
        errors={
            place: msgspec.structs.replace(error, message="", hint="")
            for place, error in table.errors.items()
        },
        load_records=lambda _, __: (),
    )


def nameless_status(status: RepositoryStatus, benchmarks: Collection[str]) -> RepositoryStatus:
    """The status without names in these benchmarks."""
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


def nameless_report(report: PolicyReport) -> PolicyReport:
    """What waits for a person without reasons, which may name participants."""
    people = [msgspec.structs.replace(one, reason=_ELSEWHERE) for one in report.people]
    return msgspec.structs.replace(report, people=people)


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
