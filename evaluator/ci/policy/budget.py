"""Budgets of any 24 hours: notes of what approvals reserve, and of what they then use.

An approval reserves the limits of its cells. Then the times in their records count instead. What
has none costs its reservation: a cell without a record, so that crashing a machine is not free, and
a step whose time is hidden, since the ledger is public and a duration may be the score.
"""

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, NamedTuple

from pydantic import AwareDatetime

from evaluator.ci.ledger.attempts import Parties
from evaluator.ci.ledger.ledger import Ledger
from evaluator.ci.ledger.ledger_notes import POLICY, Approval, Note, note_json
from evaluator.ci.opened.proposal import Proposal
from evaluator.ci.opened.pull_request import PullRequest
from evaluator.ci.policy.keys import Policy
from evaluator.core.formats.record import Record, StepName
from evaluator.core.planning.cells import Cell

SPENT = "spent"
DAY = dt.timedelta(days=1)
_NO_LIMIT = 3600
"""Seconds that a step without a limit reserves."""
_NOBODY = "-"
"""Pays for cells that no participant brought; no participant can have this name."""
_ROUNDING = 1e-6
"""Excess over a limit that is only rounding."""


class Spent(Note):
    """What an approval costs one participant in one benchmark."""

    minutes: float
    """Of machines."""
    at: AwareDatetime
    """When it was approved."""
    by_policy: bool = False


class Payer(NamedTuple):
    """Whose budget pays. Notes are by participant, so that a team that changes keeps its notes."""

    benchmark: str
    participant: str
    """In lower case, or _NOBODY."""


def costs(
    pull: Proposal, cells: Iterable[Cell], records: Mapping[str, Record] | None = None
) -> dict[Payer, float]:
    """Add up minutes of cells by payer: those in ``records``, by cell, or else the most they take.

    A cell's participant pays. If it belongs to another pull request, the only entrant of this one
    pays.
    """
    entrants = {name.split("/")[1] for name in pull.submissions}
    alone = next(iter(entrants)) if len(entrants) == 1 else _NOBODY
    minutes: dict[Payer, float] = defaultdict(float)
    for cell in cells:
        is_own = cell.submission.id in pull.submissions
        who = cell.submission.participant if is_own else alone
        payer = Payer(cell.benchmark.name, who.casefold())
        minutes[payer] += _seconds(cell, (records or {}).get(str(cell.id))) / 60
    return dict(minutes)


def _seconds(cell: Cell, record: Record | None) -> float:
    """The time of a cell; a step that its record does not show may have taken its limit."""
    limit = cell.phase.seconds_of(cell.task) or _NO_LIMIT
    is_one = cell.scores_files or not cell.task.ingestion_program
    steps: tuple[StepName, ...] = ("scoring",) if is_one else ("ingestion", "scoring")
    measured = {step.step: step.wall_seconds for step in record.steps} if record else {}
    if record and record.error and record.error.step == "ingestion" and measured:
        steps = tuple(measured)  # what would have come next did not run
    seconds = [measured.get(step, limit) for step in steps]
    return max(seconds) if cell.task.parallel else sum(seconds)


def _path(approval: Approval, payer: Payer, what: Literal["reserved", "used"]) -> str:
    day = f"{SPENT}/{approval.at.astimezone(dt.UTC):%Y%m%d}"
    return f"{day}/{payer.benchmark}/{payer.participant}/{approval.id}-{what}.json"


def reserved_files(approval: Approval, minutes: Mapping[Payer, float]) -> dict[str, bytes]:
    """Notes of what an approval reserves, by path."""
    by_policy = approval.approver == POLICY
    return {
        _path(approval, payer, "reserved"): note_json(
            Spent(minutes=reserved, at=approval.at, by_policy=by_policy)
        )
        for payer, reserved in minutes.items()
    }


def used_files(
    pull: PullRequest, approval: Approval, cells: Sequence[Cell], records: Mapping[str, Record]
) -> dict[str, bytes]:
    """Notes that replace those of a reservation: less the time that cells did not take.

    Whatever else was handed out, such as cells of a scorer that has changed since, counts in full.
    """
    files, used = {}, costs(pull, cells, records)
    for payer, most in costs(pull, cells).items():
        note, took = pull.ledger.note(_path(approval, payer, "reserved"), Spent), used[payer]
        if note and took != most:
            left = max(took, note.minutes - most + took)
            changed = note.model_copy(update={"minutes": left})
            files[_path(approval, payer, "used")] = note_json(changed)
    return files


def read_spent(ledger: Ledger, benchmark: str, now: dt.datetime) -> list[tuple[str, Spent]]:
    """Notes of the last 24 hours for a benchmark, each with its participant, by time.

    Those of times to come count, too: else a clock that goes back gives another budget.
    """
    paths: dict[str, str] = {}
    first = f"{(now - DAY).astimezone(dt.UTC):%Y%m%d}"
    for day in ledger.entries.names(SPENT):
        # "used" sorts behind "reserved" and replaces it.
        for path in ledger.entries.below(f"{SPENT}/{day}/{benchmark}") if day >= first else ():
            paths[path.rpartition("-")[0]] = path
    notes = ((path.split("/")[3], note) for path, note in ledger.notes(paths.values(), Spent))
    return sorted((one for one in notes if one[1].at > now - DAY), key=lambda one: one[1].at)


class DailyBudget(NamedTuple):
    """What a policy lets all of a benchmark spend, or one party there."""

    benchmark: str
    party: str = ""

    def __str__(self) -> str:
        return "/".join(filter(None, self))

    def limit(self, policy: Policy) -> float | None:
        """Minutes in any 24 hours; None is no limit."""
        daily = policy.minutes_per_day
        return daily.participant if self.party else daily.benchmark

    def spent(self, notes: Iterable[tuple[str, Spent]], parties: Parties) -> list[Spent]:
        """Which of a benchmark's notes count."""
        names = parties.names(self.party)
        return [note for who, note in notes if not self.party or who in names]


def free_at(
    spent: Sequence[Spent], need: float, limit: float | None, after: dt.datetime
) -> dt.datetime | None:
    """When there is room for ``need`` minutes, at the earliest ``after``; None if there never is.

    ``spent`` may lie in the future, for those who are earlier in the line.
    """
    if limit is None:
        return after
    if need > limit + _ROUNDING:
        return None
    counted = sorted((one for one in spent if one.at + DAY > after), key=lambda one: one.at)
    while need + sum(one.minutes for one in counted) > limit + _ROUNDING:
        after = counted.pop(0).at + DAY
    return after
