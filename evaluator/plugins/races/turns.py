"""Runs a challenger and the best in turn, in an order that a coin decides for each pair."""

import math
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from evaluator.core.clock import utc_now
from evaluator.core.errors import Actor
from evaluator.core.formats.columns import Column
from evaluator.core.formats.record import Record
from evaluator.core.formats.submission import Submission
from evaluator.core.leaderboard.published import publish
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
    SUFFIX,
    Pair,
    RaceHead,
    Side,
    Turns,
    encode_race,
    lead_of,
)

_MAX_VOID = 3
"""Pairs in which the best failed, or the machine: such a race says nothing of the challenger."""
_MAX_FAILURES = 2
RunAgain = Callable[[Cell], Record]


class AlternateRace:
    """What ``pullbench run`` adds to the record of an entry that has scores."""

    suffix = SUFFIX

    def takes(self, cell: Cell) -> bool:
        return is_alternate(cell.benchmark)

    def run(
        self, snapshot: Snapshot, cell: Cell, records: Sequence[Record], run_again: RunAgain
    ) -> bytes | None:
        """Run an entry and the best before it in turn; None if there is nobody to beat."""
        benchmark, entry = cell.benchmark, cell.submission
        if any(record.error for record in records):
            return None
        tables = read_tables(snapshot, utc_now(), only=(benchmark.name, cell.phase.slug))
        holders = [
            one.row.submission for one in compare(publish(tables.board(benchmark, cell.phase)))
            if not one.fault and one.row.submission.id != entry.id
        ]  # fmt: skip
        if not holders:
            return None
        best = holders[-1]
        digests = PartDigests(snapshot.tree)
        ours, theirs = (_first_repeats(snapshot, one, digests) for one in (entry, best))
        say(f"{entry.id} and {best.id}, which holds the record, run in turn")
        started = utc_now().isoformat()
        pairs, void = _Turns(
            tasks={task: {"challenger": ours[task], "best": theirs[task]} for task in ours},
            column=benchmark.boards[cell.phase.slug].primary,
            accept=benchmark.of_plugins["accept"],
            run_again=run_again,
        ).pairs()
        race = RaceHead(
            best=f"{best.participant}/{best.name}", started=started, void=void,
            content=next(iter(theirs.values())).keys.parts["submission"],
        )  # fmt: skip
        return encode_race(race, pairs)


ALTERNATE_RACE = AlternateRace()


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
        while void < _MAX_VOID and leads.count(-math.inf) < _MAX_FAILURES:
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
