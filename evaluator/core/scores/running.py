"""Evaluates planned cells and writes their scores: where planning and compute meet."""

import os
import secrets
import signal
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Protocol

from msgspec.structs import replace

from evaluator.core.clock import utc_now
from evaluator.core.compute.contents import PrivateParts
from evaluator.core.compute.engines import engine_kind
from evaluator.core.compute.executors import EXECUTORS, LOCAL, RunRequest, executor_place
from evaluator.core.compute.job import Job
from evaluator.core.compute.run_folder import RunFolder, RunLock
from evaluator.core.compute.store import PredictionStore, SharedFolders
from evaluator.core.errors import PlatformError, UsageError
from evaluator.core.formats.cell import CellId
from evaluator.core.formats.pinned_files import PREDICTIONS, UNLOCKED
from evaluator.core.formats.record import Record
from evaluator.core.formats.scores_file import Line
from evaluator.core.formats.settings import Settings
from evaluator.core.git.tree import Tree
from evaluator.core.log import progress, say
from evaluator.core.planning.cells import Cell
from evaluator.core.planning.export import Exporter
from evaluator.core.planning.plan import PlannedCell
from evaluator.core.planning.snapshot import Snapshot
from evaluator.core.plugins import Contract, Service
from evaluator.core.scores.climbing import Climbs
from evaluator.core.scores.hand_over import is_scored_apart, scored_apart
from evaluator.core.scores.jobs import make_jobs, tree_source
from evaluator.core.scores.run_results import RECORD_FAULT, RunResults
from evaluator.core.scores.runnable import data_folder, engine_of, has_key
from evaluator.core.scores.turns import race_of
from evaluator.core.scores.writing import Writer

BUILD = "build"
"""Folder for everything generated; git-ignored."""
CONTENT_SOURCES = Contract[Callable[[Tree, Collection[str]], None]]("content_sources")
"""Each brings files below paths that this clone does not have."""


class MakeParts(Protocol):
    """Makes the private data of a run ready."""

    def __call__(
        self,
        *,
        data: Path | None,
        cache: Path,
        memory: Callable[[], Path],
        limit: int,
        isolated: bool,
    ) -> PrivateParts:
        """Take this machine's folder of them, where fetched ones go, and a limit in bytes."""


class FindFolders(Protocol):
    """Finds the folders that the machines of a deployment share."""

    def __call__(self, settings: Settings, build: Path, *, wanted: bool) -> SharedFolders | None:
        """Make some below ``build`` if they are ``wanted``."""


PRIVATE_PARTS = Service[MakeParts]("private_data.parts")
SHARED_FOLDERS = Service[FindFolders]("stores.shared")


def cell_name(_: PlannedCell, record: Record) -> str:
    """Shown in the progress of a run."""
    return str(record.cell)


@dataclass(frozen=True, kw_only=True)
class RunSummary:
    """What a run did."""

    engine: str
    isolation: str
    records: Mapping[CellId, Record] = field(default_factory=dict)

    @property
    def failed(self) -> list[Record]:
        return [record for _, record in sorted(self.records.items()) if record.error]


def run(
    snapshot: Snapshot, planned: Sequence[PlannedCell], *,
    engine: str = "auto", executor: str = LOCAL, lanes: int, output: Path | None = None,
    fresh: bool = False, for_others: bool = False, with_less: bool = False,
    only_compared: bool = False, remote: str | None = None,
    show: Callable[[PlannedCell, Record], str] = cell_name,
) -> RunSummary:  # fmt: skip
    """Evaluate cells and write each one's record as it ends, whole or not at all.

    Records go below ``output``, by default the working tree. Safe to interrupt and to repeat. With
    ``for_others`` they go where everybody reads them before they count: where attempts are
    limited they are closed to all but the organisers, if the deployment has a key. ``with_less``
    evaluates also what asks for more than this machine has. Scores of phases with a ladder are
    written last: they depend on what the ``remote``, or else this clone, knows of earlier ones.
    Scores that are ``only_compared`` stay as they are, and lead to no race.
    """
    root, settings = snapshot.tree.root, snapshot.settings
    build = root / BUILD
    for fetch in CONTENT_SOURCES.values():
        fetch(snapshot.tree, {item.cell.submission.path for item in planned})
    place, name = executor_place(executor, settings), engine_of(engine, snapshot)
    if place.kind != LOCAL:
        RECORD_FAULT.need()
    isolation = engine_kind(name).isolation(settings)
    exporter = Exporter(snapshot.tree, build / "cache" / "trees")
    with RunFolder(build / "run") as folder, _stop_once():
        private = None
        make_private = PRIVATE_PARTS.load()
        if make_private and any(
            item.cell.task.private or item.cell.submission.sealed for item in planned
        ):
            private = make_private(
                data=data_folder(snapshot), cache=build / "cache" / "fetched",
                memory=folder.memory, limit=settings.max_data, isolated=isolation != "none",
            )  # fmt: skip
        source = tree_source(snapshot, exporter, private, utc_now().isoformat())
        shared = _shared_folders(settings, build, wanted=place.kind != LOCAL)
        unlocked = os.environ.get(UNLOCKED)
        stored = Path(unlocked, PREDICTIONS) if unlocked else root / settings.predictions
        store = PredictionStore(stored, isolation, shared)
        order = RunRequest(
            settings=settings, place=place, engine=name, lanes=lanes, fresh=fresh,
            allow_shortfall=with_less, source=source, predictions=store, folder=folder, build=build,
        )  # fmt: skip
        with (
            EXECUTORS[place.kind](order) as chosen,
            RunLock(build / "claims") as lock,
            progress(len(planned), "cells") as advance,
        ):
            writer = Writer(folder=output or root, lock=build / "scores.lock", scratch=folder.path)
            by_cell = {item.cell.id: item for item in planned}
            in_tree = None if output else snapshot
            share = _Share(lock=lock, writer=writer, planned=_standing(by_cell, writer, in_tree))
            jobs = make_jobs(snapshot, [item.cell for item in planned], exporter)
            jobs = [
                scored_apart(job)
                if for_others and place.kind == LOCAL and not has_key()
                and is_scored_apart(by_cell[job.cell].cell, settings) else job
                for job in jobs
            ]  # fmt: skip
            race = None
            if place.kind == LOCAL and not only_compared:
                race = race_of(item.cell.benchmark for item in planned)

            def run_again(cell: Cell) -> Record:
                """Run a cell from its beginning, and keep nothing of it."""
                (job,) = make_jobs(snapshot, [cell], exporter)
                keys = replace(job.keys, prediction=secrets.token_hex(32))
                job = replace(job, keys=keys, attachments=())
                ended: list[Record] = []
                chosen.evaluate([job], lambda _: True, lambda _, one: ended.append(one.record))
                store.forget(keys.prediction)
                return ended[0]

            results = RunResults(
                snapshot=snapshot, planned=by_cell, isolation=isolation, writer=writer, store=store,
                is_local=place.kind == LOCAL, for_others=for_others, race=race, run_again=run_again,
                climbs=None if only_compared else Climbs(snapshot, remote), drop=share.drop,
                advance=advance, show=show,
            )  # fmt: skip
            others = chosen.evaluate(jobs, share.claim, results.add)
            results.write_late()  # before it waits: another run may wait for their claims
            if others:
                say(f"{len(others)} cells are evaluated by another run; waiting for it")
            for job in others:
                if chosen.evaluate([job], partial(share.claim, wait=True), results.add):
                    advance(f"{job.cell}: evaluated by another run")
                results.write_late()
    return RunSummary(engine=chosen.name, isolation=isolation, records=results.records)


def _shared_folders(settings: Settings, build: Path, *, wanted: bool) -> SharedFolders | None:
    shared_folders = SHARED_FOLDERS.load()
    if shared_folders is None:
        if settings.store:
            raise UsageError(
                "no plugin that is installed can use the setting 'store'",
                hint="Install the plugin dask, or take the setting out.",
            )
        return None
    return shared_folders(settings, build, wanted=wanted)


def _standing(
    cells: Iterable[CellId], writer: Writer, snapshot: Snapshot | None
) -> dict[CellId, Line | None]:
    """The lines of a tree, or of where records are written. Raises UsageError."""
    stood: dict[CellId, Line | None] = {}
    for place, of_place in groupby(sorted(cells), lambda cell: cell.place):
        file = writer.check(place)
        if snapshot is not None and not snapshot.record_files.is_damaged(place):
            file = snapshot.record_files.file(place)
        for cell in of_place:
            stood[cell] = file.line(cell.task, cell.repeat) if file else None
    return stood


def clear_leftovers(snapshot: Snapshot, engine: str = "auto") -> None:
    """Remove what dead runs left, where no other run is to do it; not where there is no engine."""
    build = snapshot.tree.root / BUILD
    if any((build / "run").glob("*")):
        with (
            suppress(PlatformError),
            RunFolder(build / "run") as folder,
            closing(
                engine_kind(engine_of(engine, snapshot)).make(snapshot.settings, folder, build)
            ) as chosen,
        ):
            folder.clear_dead(chosen.remove_run, chosen.unremoved_runs())


@dataclass(frozen=True, kw_only=True)
class _Share:
    """The cells that one run evaluates, where several write into one folder: no cell twice."""

    lock: RunLock
    writer: Writer
    planned: Mapping[CellId, Line | None]
    """The line that each cell had when it was planned."""

    def claim(self, job: Job, *, wait: bool = False) -> bool:
        """Claim a cell, unless another run has it; who waits holds no other, or both would wait."""
        if not self.lock.acquire(self._name(job), wait=wait):
            return False
        line = self.writer.line(job.cell)
        if line is None or line == self.planned[job.cell] or line.key != job.keys.score:
            return True
        self.drop(job)
        return False

    def drop(self, job: Job) -> None:
        self.lock.release(self._name(job))

    def _name(self, job: Job) -> str:
        return f"{self.writer.folder.resolve()}: {job.record_name}"


class _stop_once:  # noqa: N801 - a context manager, read like a function
    """Let SIGTERM end a run as ^C does, and the first alone: what then removes containers goes on.

    Only the main thread may set handlers.
    """

    def __enter__(self) -> None:
        self._before = {}
        with suppress(ValueError):
            for number in (signal.SIGINT, signal.SIGTERM):
                self._before[number] = signal.signal(number, self._stop)

    def _stop(self, *_: object) -> None:
        for number in self._before:
            signal.signal(number, lambda *_: say("it is being ended; its containers go first"))
        raise KeyboardInterrupt

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)
