"""Which of the organiser's programs have ended well on other files: the control of a failure."""

from collections import defaultdict
from collections.abc import Iterator
from functools import cache

from evaluator.core.errors import Actor
from evaluator.core.formats.cell import STAGES, Place, place_of
from evaluator.core.formats.record import SHORT, Record, StepName, shortened
from evaluator.core.planning.cells import Cell
from evaluator.core.planning.digests import PartDigests
from evaluator.core.planning.snapshot import Snapshot

_Key = tuple[StepName, str, int | None, frozenset[tuple[str, str]]]
"""Step, task, repeat, and the parts of the cell's keys that the organisers give."""


class Controls:
    """What records of the same parts say of programs; the baseline's decides alone."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._digests = PartDigests(snapshot.tree)
        # Also of participants whose submissions this snapshot leaves out.
        self._places: dict[tuple[str, str], list[Place]] = defaultdict(list)
        for place in map(place_of, snapshot.tree.entries):
            if place is not None:
                self._places[place.benchmark, place.phase].append(place)
        self._ended_well: dict[tuple[str, str], dict[_Key, bool]] = {}
        self._unread: dict[tuple[str, str], Iterator[Place]] = {}
        self._images = cache(self._images_of)

    def steps_that_end_well(self, cell: Cell) -> frozenset[StepName]:
        """The steps that ended well on other files. Reads no more scores than it needs."""
        benchmark, group = cell.benchmark.name, (cell.benchmark.name, cell.id.phase)
        if group not in self._ended_well:
            named = f"{benchmark}/{cell.benchmark.baseline}/{cell.id.phase}"
            places = sorted(self._places[group], key=lambda place: "/".join(place) != named)
            is_baseline = bool(places) and "/".join(places[0]) == named
            self._ended_well[group] = {
                key: well for place in places[:is_baseline] for key, well in self._read(place)
            }
            self._unread[group] = iter(places[is_baseline:])
        ended_well = self._ended_well[group]
        keys = [
            self._key(step, cell.id.task, cell.id.repeat, benchmark, shortened(cell.keys.parts))
            for step in _STEPS
            if step == "scoring" or (cell.task.ingestion_program and cell.submission.kind.runs_code)
        ]
        while any(key not in ended_well for key in keys):
            place = next(self._unread[group], None)
            if place is None:
                break
            for key, well in self._read(place):
                if well:
                    ended_well.setdefault(key, well)
        return frozenset(key[0] for key in keys if ended_well.get(key))

    def _read(self, place: Place) -> Iterator[tuple[_Key, bool]]:
        for record in self._snapshot.record_files.records_at(place):
            cell = record.cell
            for step in _STEPS:
                well = _ended_well(record, step)
                if well is not None:
                    yield (
                        self._key(step, cell.task, cell.repeat, cell.benchmark, record.keys.parts),
                        well,
                    )

    def _key(
        self, step: StepName, task: str, repeat: int | None, benchmark: str, parts: dict[str, str]
    ) -> _Key:
        parts = {name: part for name, part in parts.items() if name not in ("submission", STAGES)}
        # Scores are computed in one image, whatever environment a submission names.
        if step == "scoring" and parts.get("image") in self._images(benchmark):
            del parts["image"]
        return step, task, repeat, frozenset(parts.items())

    def _images_of(self, name: str) -> frozenset[str]:
        benchmark = self._snapshot.benchmarks[name]
        environments = ("", *benchmark.environments)
        return frozenset(self._digests.images_of(benchmark, one)[:SHORT] for one in environments)


_STEPS: tuple[StepName, ...] = ("ingestion", "scoring")


def _ended_well(record: Record, step: StepName) -> bool | None:
    """Whether a step of the organiser's ended well; None where a record does not tell."""
    error = record.error
    if error is not None and error.step == step:
        return None if error.actor == Actor.PLATFORM else False
    if step == "scoring":
        return True if error is None else None
    took = record.step(step)
    if took is None:  # A record whose board is hidden has no steps.
        return error is None and not record.steps
    return error is None or took.exit_code == 0
