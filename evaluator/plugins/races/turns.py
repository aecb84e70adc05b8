"""Runs a challenger and the best in turn, in an order that a coin decides for each pair."""

import datetime as dt
import math
import secrets
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from evaluator.core.clock import utc_now
from evaluator.core.errors import Actor
from evaluator.core.formats.attachments import RACE_SUFFIX
from evaluator.core.formats.bundle import Benchmark
from evaluator.core.formats.columns import Column
from evaluator.core.formats.phases import Phase
from evaluator.core.formats.record import Record
from evaluator.core.formats.submission import Submission
from evaluator.core.leaderboard.published import PublicBoard, attachments, publish
from evaluator.core.leaderboard.snapshot_boards import read_tables
from evaluator.core.log import say
from evaluator.core.planning.cells import Cell, cells_of
from evaluator.core.planning.digests import PartDigests
from evaluator.core.planning.snapshot import Snapshot
from evaluator.plugins.races.accept import MAX_PAIRS, Accept, is_alternate
from evaluator.plugins.races.bets import verdict
from evaluator.plugins.races.contenders import compare
from evaluator.plugins.races.race_file import (
    SIDES,
    Pair,
    RaceHead,
    Side,
    Turns,
    encode_race,
    lead_of,
)
from evaluator.plugins.races.raced import RacedContender, content_of
from evaluator.plugins.races.succession import MAX_FAILURES, Succession
from evaluator.site.boards.wording import moment

_MAX_VOID = 3
"""Pairs in which the best failed, or the machine: such a race says nothing of the challenger."""
RunAgain = Callable[[Cell], Record]


class AlternateRace:
    """What ``pullbench run`` adds to the record of an entry that has scores."""

    def due(self, snapshot: Snapshot, now: dt.datetime) -> list[str]:
        return [
            one.row.submission.id
            for benchmark in filter(is_alternate, snapshot.benchmarks.values())
            for phase in benchmark.phases
            for one in _raced(_board(snapshot, benchmark, phase))
            if one.is_claim and one.succession.due(content_of(one.row)) <= now
        ]

    def run(
        self, snapshot: Snapshot, cell: Cell, records: Sequence[Record], run_again: RunAgain
    ) -> bytes | None:
        """Run an entry and the best before it in turn, if such a race counts now."""
        benchmark, entry, now = cell.benchmark, cell.submission, utc_now()
        old = snapshot.record_files.get(cell.id)
        is_same = old is not None and old.keys.score == cell.keys.score
        without = () if is_same else (entry.id,)
        board = _board(snapshot, benchmark, cell.phase, without)
        every, earlier = _raced(board), attachments(board, RACE_SUFFIX).get(cell.id)
        content = cell.keys.parts["submission"]
        if not every or any(record.error for record in records):
            return earlier
        succession = every[0].succession
        opens = succession.opens(content)
        first = {content_of(one.row): one.row.submission for one in reversed(every)}
        if opens is None or opens > now:
            say(_why_no_race(entry, first.get(content, entry), content, succession))
            return earlier
        best = first[succession.holder]
        digests = PartDigests(snapshot.tree)
        ours, theirs = (_first_repeats(snapshot, one, digests) for one in (entry, best))
        say(f"{entry.id} and {best.id}, which holds the record, run in turn")
        pairs, void = _Turns(
            tasks={task: {"challenger": ours[task], "best": theirs[task]} for task in ours},
            column=benchmark.boards[cell.phase.slug].primary,
            accept=benchmark.of_plugins["accept"],
            run_again=run_again,
        ).pairs()
        race = RaceHead(
            best=f"{best.participant}/{best.name}", started=now,
            content=next(iter(theirs.values())).keys.parts["submission"], void=void,
        )  # fmt: skip
        return (earlier or b"") + encode_race(race, pairs)


ALTERNATE_RACE = AlternateRace()


def _why_no_race(entry: Submission, first: Submission, content: str, succession: Succession) -> str:
    """``first`` is the first entry with the files of ``entry``."""
    is_copy = first.id != entry.id
    who = f"{entry.id} has the same files as {first.id}, which" if is_copy else entry.id
    if content == succession.holder:
        return f"{who} holds the record: there is nobody else to race against"
    if content in succession.since:
        return f"{who} held the record before: it gets no further race"
    opens = succession.opens(content)
    when = f"before {moment(opens.isoformat())}" if opens else "against the present record"
    return f"{who} has raced, and no further race counts {when}"


def _board(
    snapshot: Snapshot, benchmark: Benchmark, phase: Phase, without: Collection[str] = ()
) -> PublicBoard:
    tables = read_tables(snapshot, utc_now(), only=(benchmark.name, phase.slug))
    return publish(tables.board(benchmark, phase, without=without))


def _raced(board: PublicBoard) -> list[RacedContender]:
    return [one for one in compare(board) if isinstance(one, RacedContender)]


def _first_repeats(
    snapshot: Snapshot, submission: Submission, digests: PartDigests
) -> dict[str, Cell]:
    """A cell of each task that counts."""
    first: dict[str, Cell] = {}
    for cell in cells_of(snapshot, [submission], digests):
        if cell.is_whole and not cell.task.retired:
            first.setdefault(cell.task.slug, cell)
    return first


@dataclass(frozen=True, kw_only=True)
class _Turns:
    tasks: Mapping[str, Mapping[Side, Cell]]
    column: Column
    accept: Accept
    run_again: RunAgain

    def pairs(self) -> tuple[list[Pair], int]:
        """Return the pairs that count, and how many are void."""
        self._pair()  # warms up: the machine's cache of files, first imports
        tasks = [sides["challenger"].task for sides in self.tasks.values()]
        weights = {task.slug: task.extension.weight for task in tasks}
        pairs: list[Pair] = []
        leads: list[float] = []
        void = 0
        while void < _MAX_VOID and leads.count(-math.inf) < MAX_FAILURES:
            pair = self._pair()
            if pair is None:
                void += 1
                continue
            pairs.append(pair)
            leads.append(lead_of(pair, weights, self.column.sorting))
            if verdict(leads, margin=self.accept.margin, p=self.accept.p or 1, cap=MAX_PAIRS):
                break
        return pairs, void

    def _pair(self) -> Pair | None:
        """Run each task once for each side; None if the best failed, or the machine."""
        pair = []
        for task, sides in self.tasks.items():
            # Of the operating system, now: no entry can compute whose turn comes first.
            first = secrets.choice(SIDES)
            values: dict[Side, float | None] = {}
            for side in sorted(SIDES, key=lambda side: side != first):
                record = self.run_again(sides[side])
                if record.error and record.error.actor == Actor.PLATFORM:
                    return None
                value = record.scores.get(self.column.key)
                values[side] = value if value and value > 0 else None
            if values["best"] is None:
                return None
            pair.append(
                Turns(task=task, first=first, challenger=values["challenger"], best=values["best"])
            )
        return pair
