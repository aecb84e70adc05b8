"""Which scores of hidden labels are shown, so that nobody climbs by trying.

The Ladder of Blum and Hardt (ICML 2015): a score is shown if it beats the participant's best by
more than a step, and else that best is shown again. A record holds what is shown, and nothing else:
so boards, comments, logs, exports and feeds can tell no more.
"""

import math
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from statistics import NormalDist
from typing import NamedTuple

from evaluator.core.errors import Actor
from evaluator.core.formats.bundle import Benchmark
from evaluator.core.formats.cell import CellId
from evaluator.core.formats.phases import Phase
from evaluator.core.formats.record import CellError, Reason, Record
from evaluator.core.planning.cells import Cell
from evaluator.core.planning.snapshot import Snapshot
from evaluator.core.plugins import Service

Scores = Mapping[str, float]


class ShownBefore(NamedTuple):
    """What a participant was shown on the labels of one cell."""

    party: str
    """The participant, or the team."""
    shown: Sequence[Scores]


EARLIER = Service[Callable[[Snapshot, Sequence[Cell], str | None], Mapping[CellId, ShownBefore]]](
    "scores.earlier", "'ci' knows what a participant was shown before, and it is not installed",
    "Install all of pullbench, or take the phase's 'ladder' out.",
)  # fmt: skip
"""Takes the remote with the ledger; None is this clone. Raises PlatformError."""


class Climbs:
    """What a run shows of phases with a ladder."""

    def __init__(self, snapshot: Snapshot, remote: str | None) -> None:
        self._snapshot = snapshot
        self._remote = remote
        self._shown: dict[tuple[str, ...], list[Scores]] = defaultdict(list)

    def show(self, evaluated: Sequence[tuple[Cell, Record]]) -> dict[CellId, Record]:
        """Each record beside what was shown by now, this run's too. Raises PlatformError.

        The order of arrival does not count: whoever enters chooses what is evaluated first.
        """
        cells = [cell for cell, _ in evaluated]
        known = EARLIER.need()(self._snapshot, cells, self._remote) if cells else {}
        shown: dict[CellId, Record] = {}
        for cell, record in sorted(evaluated, key=lambda one: one[0].id):
            party, before = known[cell.id]
            here = self._shown[cell.id.benchmark, party, cell.id.phase, cell.id.file_stem]
            shown[cell.id] = beside(record, [*before, *here], cell.benchmark, cell.phase)
            if shown[cell.id].error is None:
                here.append(shown[cell.id].scores)
        return shown


def beside(record: Record, earlier: Sequence[Scores], benchmark: Benchmark, phase: Phase) -> Record:
    """A record as it is shown to who was shown some scores before."""
    board, ladder = benchmark.boards[phase.slug], phase.ladder
    column = board.ranked_by or board.primary
    sign = 1 if column.sorting == "desc" else -1
    before = [scores for scores in earlier if column.key in scores]
    if ladder is None or record.error is not None:
        return record
    if not all(0 <= value <= 1 for value in record.scores.values()):
        error = CellError(
            actor=Actor.ORGANISER, reason=Reason.BAD_SCORES, step="scoring",
            message="a score is not between 0 and 1, as a ladder asks",
            hint="Let the scoring program divide it, or take the phase's 'ladder' out.",
        )  # fmt: skip
        return record.replace(status="failed", scores={}, error=error)
    if not before:
        return record
    best = max(before, key=lambda scores: sign * scores[column.key])
    if sign * (record.scores[column.key] - best[column.key]) > ladder.step:
        return record
    return record.replace(scores={**record.scores, **best})


def majority_gain(scores: int, labels: int) -> float:
    """What a vote of random files gains whose scores were shown exactly, as a share of the labels.

    For two classes of one size; the formula of the attack by Blum and Hardt.
    """
    return NormalDist().cdf(math.sqrt(2 * scores / (math.pi * labels))) - 0.5
