"""Evaluates planned cells and writes their scores: where planning and compute meet."""

import signal
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Literal

from evaluator.clock import utc_now
from evaluator.compute.claims import Claims
from evaluator.compute.engine.docker_engine import DockerEngine, connect
from evaluator.compute.engine.spec import Engine, Image
from evaluator.compute.engine.subprocess_engine import SubprocessEngine
from evaluator.compute.engine.warm_engine import WarmEngine
from evaluator.compute.job import Job
from evaluator.compute.mounts import Inputs
from evaluator.compute.pool import evaluate_all
from evaluator.compute.private import PrivateParts
from evaluator.compute.run_folder import RunFolder
from evaluator.compute.steps import fail
from evaluator.compute.store import PredictionStore
from evaluator.compute.worker import Evaluated, Worker
from evaluator.errors import PlatformError, UsageError
from evaluator.formats.cell import CellId
from evaluator.formats.record import Reason, Record
from evaluator.formats.scores_form import Line
from evaluator.formats.withheld import withheld
from evaluator.git.tree import open_repository
from evaluator.git.write import RemoteClaims
from evaluator.log import in_ci, progress, say
from evaluator.planning.export import Exporter
from evaluator.planning.plan import Cell, PlannedCell
from evaluator.planning.snapshot import Snapshot
from evaluator.scores.runnable import EngineName, data_folder, engine_of
from evaluator.scores.sealing import seal, seal_page
from evaluator.scores.sharing import Share
from evaluator.scores.writing import Writer

BUILD = "build"
"""Folder for everything generated; git-ignored."""


def cell_name(_: PlannedCell, record: Record) -> str:
    """Shown in the progress of a run."""
    return str(record.cell.id)


@dataclass(frozen=True, kw_only=True)
class RunSummary:
    """What a run did."""

    engine: str
    isolation: str
    records: Mapping[CellId, Record] = field(default_factory=dict)

    @property
    def failed(self) -> list[Record]:
        """Records of failures, by cell."""
        return [record for _, record in sorted(self.records.items()) if record.error]


def run(
    snapshot: Snapshot,
    planned: Sequence[PlannedCell],
    *,
    engine: EngineName = "auto",
    lanes: int,
    output: Path | None = None,
    fresh: bool = False,
    for_others: bool = False,
    with_less: bool = False,
    shared_at: str | None = None,
    show: Callable[[PlannedCell, Record], str] = cell_name,
) -> RunSummary:
    """Evaluate cells and write each one's record as it ends, whole or not at all.

    Records go below ``output``, by default the working tree. Safe to interrupt and to repeat. With
    ``for_others`` they go where everybody reads them before they count: where attempts are
    limited they are closed to all but the organisers, if the deployment has a key. ``with_less``
    evaluates also what asks for more than this machine has. ``shared_at`` is a remote at which
    machines claim the cells that they evaluate, so that no two evaluate the same one.
    """
    root = snapshot.tree.root
    target = output or root
    build = root / BUILD
    exporter = Exporter(snapshot.tree, build / "cache" / "trees")
    records: dict[CellId, Record] = {}
    with ExitStack() as stack, RunFolder(build / "run") as folder, _stop_on_sigterm():
        chosen = _make_engine(engine, snapshot, folder, build / "cache" / "environments")
        folder.clear_dead(chosen.remove_run, chosen.unremoved_runs())
        store = PredictionStore(root / snapshot.settings.predictions, chosen.isolation)
        worker = Worker(
            chosen, store, folder.path, utc_now, snapshot.settings.retries, with_less=with_less
        )
        writer = Writer(folder=target, lock=build / "scores.lock", scratch=folder.path)
        by_cell = {item.cell.id: item for item in planned}
        stood: dict[CellId, Line | None] = {}
        for place, cells in groupby(sorted(by_cell), lambda cell: cell.place):
            there = writer.check(place)
            in_tree = not output and not snapshot.record_files.is_damaged(place)
            file = snapshot.record_files.file(place) if in_tree else there
            for cell in cells:
                stood[cell] = file.line(cell.task, cell.repeat) if file else None
        claims = stack.enter_context(Claims(build / "claims"))
        remote = None
        if shared_at is not None:
            remote = stack.enter_context(RemoteClaims(open_repository(root), shared_at))
        share = Share(claims=claims, writer=writer, planned=stood, remote=remote)
        private = PrivateParts(
            data=data_folder(snapshot), cache=build / "cache" / "fetched", memory=folder.memory,
            limit=snapshot.settings.max_data, isolated=chosen.isolation != "none",
        )  # fmt: skip
        now = utc_now().isoformat()
        jobs = _sharing([make_job(snapshot, item.cell, exporter, private, now) for item in planned])
        try:
            with progress(len(jobs), "cells") as advance:

                def done(job: Job, evaluated: Evaluated) -> None:
                    record = evaluated.record
                    public = seal(record, job.benchmark, snapshot.settings.seal)
                    if job.phase.shows == "status":
                        # Not even this run says more; the organisers' key opens the rest.
                        record = public = withheld(public)
                    closed = for_others and job.phase.limits_attempts
                    page = seal_page(evaluated.page, public, snapshot.settings.seal)
                    if closed and snapshot.settings.seal:
                        writer.put_closed(public, page, snapshot.settings.seal)
                    else:
                        writer.put(public, page)
                    store.settle(job.keys.prediction, job.record_name)
                    share.done(job)
                    records[job.cell] = record
                    advance(show(by_cell[job.cell], record))

                evaluate = partial(
                    evaluate_all, worker=worker, engine=chosen, lanes=lanes, fresh=fresh, done=done
                )
                others = evaluate(jobs, claim=share.claim)
                others = [job for job in others if job.cell not in share.elsewhere]
                if others:
                    say(f"{len(others)} cells are evaluated by another run; waiting for it")
                for job in others:
                    if evaluate([job], claim=partial(share.claim, wait=True)):
                        advance(f"{job.cell}: evaluated by another run")
        finally:
            with suppress(PlatformError):  # what took its time to die at the start is dead by now
                folder.clear_dead(chosen.remove_run, chosen.unremoved_runs())
            chosen.close()
            if share.elsewhere:
                say(f"{len(share.elsewhere)} cells are claimed by other machines at '{shared_at}'")
    return RunSummary(engine=chosen.name, isolation=chosen.isolation, records=records)


def clear_leftovers(snapshot: Snapshot, engine: EngineName = "auto") -> None:
    """Remove what dead runs left, where no other run is to do it; not where there is no engine."""
    build = snapshot.tree.root / BUILD
    if any((build / "run").glob("*")):
        with (
            suppress(PlatformError),
            RunFolder(build / "run") as folder,
            closing(_make_engine(engine, snapshot, folder, build)) as chosen,
        ):
            folder.clear_dead(chosen.remove_run, chosen.unremoved_runs())


def _make_engine(
    name: EngineName, snapshot: Snapshot, folder: RunFolder, environments: Path
) -> Engine:
    name = engine_of(name, snapshot)
    if name != "docker":
        if in_ci():
            raise UsageError(
                f"the {name} engine is refused where CI=true: it isolates nothing",
                hint="Use `--engine docker`.",
            )
        kind = WarmEngine if name == "warm" else SubprocessEngine
        return kind(environments, snapshot.settings.retries, folder.temporary())
    client = connect()
    if client is None:
        raise PlatformError(
            "no Docker engine answers",
            hint="Start Docker. Or, if you trust every program that is to run, let them run on "
            "this machine without isolation: `--engine subprocess`, or for all runs in this clone "
            "`git config pullbench.engine subprocess`.",
        )
    return DockerEngine(client, snapshot.settings, folder.id, folder.place)


def make_job(
    snapshot: Snapshot, cell: Cell, exporter: Exporter, private: PrivateParts, now: str = ""
) -> Job:
    """Make the job of a cell; its folders are laid out when it runs.

    ``now`` is when a submission came that is not committed: the same for all that a run evaluates.
    """
    tree = snapshot.tree
    benchmark, task = cell.benchmark, cell.task
    path = cell.submission.path
    fold = (cell.id.repeat or 0) if benchmark.repeat_data else None

    def part(name: Literal["input_data", "reference_data"]) -> Path | None:
        for item in task.private:
            if item.file == name:
                folder = private.find(item, partial(program, item.encrypted))
                return folder if fold is None else _fold_of(folder, fold, item.source)
        return exporter.part(benchmark.data_path(task, name, fold))

    def program(written: str | None) -> Path | None:
        return exporter.part(f"{benchmark.path}/{written}" if written else None)

    written = benchmark.docker_image
    image = snapshot.settings.images.get(written, written)

    def prepare() -> Inputs:
        scoring_program = program(task.scoring_program)
        if scoring_program is None:  # bundle_checks refuses such a task
            raise PlatformError(f"task '{task.slug}' has no scoring program")
        context, context_digest = exporter.context(benchmark)
        return Inputs(
            submission=exporter.submission(cell.submission, task.stages),
            ingestion_program=program(task.ingestion_program),
            input_data=part("input_data"),
            scoring_program=scoring_program,
            reference_data=part("reference_data"),
            image=Image(name=image, context=context, digest=context_digest),
        )

    def submitted() -> str | None:
        added = None if tree.is_changed(path) else tree.added(f"{path}/submission.yaml")
        return added or now or None

    return Job(
        cell=cell.id,
        keys=cell.keys,
        benchmark=benchmark,
        phase=cell.phase,
        task=task,
        submission=cell.submission,
        prepare=prepare,
        commit=None if tree.is_changed() else tree.commit,
        submitted=submitted,
    )


def _sharing(jobs: Sequence[Job]) -> list[Job]:
    """Mark each job whose prediction several jobs share."""
    first: dict[str, str] = {}
    return [
        replace(job, predicted_for=first.setdefault(job.keys.prediction, job.record_name))
        for job in jobs
    ]


def _fold_of(repeats: Path, fold: int, name: str) -> Path:
    """Return a repeat's own folder of private data. Raises CellFailedError."""
    folder = repeats / str(fold)
    if not folder.is_dir():
        raise fail(
            Reason.BAD_DATA, f"'{name}' holds no folder '{fold}'", step=None,
            hint="With repeat_data each repeat has a folder with its number.",
        )  # fmt: skip
    return folder


class _stop_on_sigterm:  # noqa: N801 - a context manager, read like a function
    """Let SIGTERM end a run as ^C does. Only the main thread may set handlers."""

    def __enter__(self) -> None:
        try:
            self._before = signal.signal(signal.SIGTERM, signal.default_int_handler)
        except ValueError:
            self._before = None

    def __exit__(self, *_: object) -> None:
        if self._before is not None:
            signal.signal(signal.SIGTERM, self._before)
