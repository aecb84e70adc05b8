"""Evaluates planned cells and writes their scores: where planning and compute meet."""

import datetime as dt
import os
import secrets
import signal
from collections import defaultdict
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
from evaluator.core.compute.engine.spec import Isolation
from evaluator.core.compute.engines import engine_kind
from evaluator.core.compute.evaluation import Evaluated, failed
from evaluator.core.compute.executors import EXECUTORS, LOCAL, RunRequest, executor_place
from evaluator.core.compute.job import Job
from evaluator.core.compute.run_folder import RunFolder, RunLock, remove_tree
from evaluator.core.compute.steps import CellFailedError
from evaluator.core.compute.store import PredictionStore, SharedFolders
from evaluator.core.errors import PlatformError, UsageError
from evaluator.core.formats.attachments import RACE_SUFFIX
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
from evaluator.core.scores.hand_over import HAND_OVER, is_scored_apart, scored_apart
from evaluator.core.scores.jobs import make_jobs, tree_source
from evaluator.core.scores.redaction import withheld
from evaluator.core.scores.runnable import data_folder, engine_of, has_key
from evaluator.core.scores.sealing import encrypt_attachments, encrypt_hidden
from evaluator.core.scores.turns import race_of, with_races
from evaluator.core.scores.writing import Writer

BUILD = "build"
"""Folder for everything generated; git-ignored."""
CONTENT_SOURCES = Contract[Callable[[Tree, Collection[str]], None]]("content_sources")
"""Each brings files below paths that this clone does not have."""
RECORD_FAULT = Service[Callable[[Record, Cell | None, dt.datetime], str | None]](
    "judges.records", "what other machines hand over is judged by 'ci', which is not installed",
    "Use `--executor local`.",
)  # fmt: skip
"""Says why a record from elsewhere is none of its cell's."""


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
    records: dict[CellId, Record] = {}
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
        with EXECUTORS[place.kind](order) as chosen, RunLock(build / "claims") as lock:
            writer = Writer(folder=output or root, lock=build / "scores.lock", scratch=folder.path)
            by_cell = {item.cell.id: item for item in planned}
            in_tree = None if output else snapshot
            stood = _standing(by_cell, writer, in_tree)
            share = _Share(lock=lock, writer=writer, planned=stood)
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
            raced: dict[str, list[tuple[Job, Evaluated]]] = defaultdict(list)
            with progress(len(jobs), "cells") as advance:
                climbs, late = Climbs(snapshot, remote), list[tuple[Job, Evaluated]]()

                def done(job: Job, evaluated: Evaluated) -> None:
                    item = by_cell[job.cell]
                    if evaluated.predictions is not None:
                        key, folder_ = job.keys.prediction, evaluated.predictions
                        try:
                            content = HAND_OVER.need()(
                                evaluated.record, key, folder_, settings.seal
                            )
                        except CellFailedError as error:
                            evaluated = failed(job, error, isolation, utc_now)
                        else:
                            writer.put_predictions(job.cell, content)
                            share.drop(job)
                            advance(f"{job.cell}: its predictions are handed over, encrypted")
                            return
                    if place.kind != LOCAL:
                        evaluated = _believed(evaluated, job, item, isolation)
                    if item.cell.phase.ladder and not only_compared:
                        late.append((job, evaluated))
                    elif race and RACE_SUFFIX in job.attachments:
                        raced[job.submission_path].append((job, evaluated))
                    else:
                        write(job, evaluated, evaluated.record)

                def run_again(cell: Cell) -> Record:
                    """Run a cell from its beginning, and keep nothing of it."""
                    (job,) = make_jobs(snapshot, [cell], exporter)
                    keys = replace(job.keys, prediction=secrets.token_hex(32))
                    job = replace(job, keys=keys, attachments=())
                    ended: list[Record] = []
                    chosen.evaluate([job], lambda _: True, lambda _, one: ended.append(one.record))
                    store.forget(keys.prediction)
                    return ended[0]

                def write_late() -> None:
                    shown = climbs.show([(by_cell[job.cell].cell, one.record) for job, one in late])
                    for job, evaluated in late:
                        write(job, evaluated, shown[job.cell])
                    late.clear()
                    # Nothing runs beside a race: all else that was claimed has ended.
                    for job, evaluated in with_races(race, snapshot, raced, by_cell, run_again):
                        write(job, evaluated, evaluated.record)
                    raced.clear()

                def write(job: Job, evaluated: Evaluated, record: Record) -> None:
                    item = by_cell[job.cell]
                    public = encrypt_hidden(record, item.cell.benchmark, settings.seal)
                    if item.cell.phase.shows == "status":
                        # Not even this run says more; the organisers' key opens the rest.
                        record = public = withheld(public)
                    closed = for_others and item.cell.phase.limits_attempts
                    files = encrypt_attachments(evaluated.attachments, public, settings.seal)
                    if closed and settings.seal:
                        writer.put_closed(public, files, settings.seal)
                    else:
                        writer.put(public, files)
                    store.mark_recorded(job.keys.prediction, job.record_name)
                    if not evaluated.record.is_platform_fault:
                        remove_tree(store.unfinished(job.keys.prediction))
                    share.drop(job)
                    records[job.cell] = record
                    advance(show(item, record))

                others = chosen.evaluate(jobs, share.claim, done)
                write_late()  # before it waits: another run may wait for their claims
                if others:
                    say(f"{len(others)} cells are evaluated by another run; waiting for it")
                for job in others:
                    if chosen.evaluate([job], partial(share.claim, wait=True), done):
                        advance(f"{job.cell}: evaluated by another run")
                    write_late()
    return RunSummary(engine=chosen.name, isolation=isolation, records=records)


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


def _believed(evaluated: Evaluated, job: Job, item: PlannedCell, isolation: Isolation) -> Evaluated:
    """Judge a cluster's answer as that of a job of CI: its workers run strangers' code."""
    record = evaluated.record
    fault = RECORD_FAULT.need()(record, item.cell, utc_now())
    if (record.provenance.isolation == "none") != (isolation == "none"):
        fault = f"says that its isolation is '{record.provenance.isolation}'"
    if fault is None:
        return evaluated
    error = PlatformError(
        f"a worker's answer {fault}",
        hint="Does each worker have the same version of pullbench, and is it yours?",
    )
    return failed(job, error, isolation, utc_now)


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
