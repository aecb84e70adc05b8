"""Planned cells -> jobs: digests, limits and names of what a tree holds."""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Literal, Protocol

from msgspec.structs import replace

from evaluator.core.compute.contents import JobContents, PrivateParts
from evaluator.core.compute.gateway import GATEWAYS
from evaluator.core.compute.job import Contents, Elsewhere, Job, JobImage
from evaluator.core.formats.attachments import ATTACHMENTS
from evaluator.core.formats.record import StepName
from evaluator.core.formats.submission import Submission
from evaluator.core.planning.cells import Cell
from evaluator.core.planning.export import Exporter
from evaluator.core.planning.snapshot import Snapshot
from evaluator.core.plugins import Contract


class StepsThatEndWell(Protocol):
    """Knows which steps of an organiser's ended well on other files."""

    def steps_that_end_well(self, cell: Cell) -> frozenset[StepName]: ...


ELSEWHERE = Contract[Callable[[Snapshot, Submission], Elsewhere | None]]("elsewhere")
"""By the key of submission.yaml: returns files of the submission that a worker fetches."""
CONTROLS = Contract[Callable[[Snapshot], StepsThatEndWell]]("controls")


def make_jobs(snapshot: Snapshot, cells: Sequence[Cell], exporter: Exporter) -> list[Job]:
    """Make the jobs of cells, and mark each whose prediction several share."""
    first: dict[str, str] = {}
    controls = [control(snapshot) for control in CONTROLS.values()]
    jobs = [make_job(snapshot, cell, exporter) for cell in cells]
    return [
        replace(
            job,
            predicted_for=first.setdefault(job.keys.prediction, job.record_name),
            ended_well=frozenset(
                step for control in controls for step in control.steps_that_end_well(cell)
            ),
        )
        for cell, job in zip(cells, jobs, strict=True)
    ]


def make_job(snapshot: Snapshot, cell: Cell, exporter: Exporter) -> Job:
    """Make the job of a cell. Nothing is laid out; ``exporter`` does so when it is asked."""
    tree = snapshot.tree
    benchmark, phase, task = cell.benchmark, cell.phase, cell.task
    repeat_data = benchmark.repeat_data_of(task)
    fold = (cell.id.repeat or 0) if repeat_data else None

    def program(written: str | None) -> str:
        return f"{benchmark.path}/{written}" if written else ""

    def data(name: Literal["input_data", "reference_data", "data"]) -> str:
        for item in task.private:
            if item.file == name:
                return exporter.part(program(item.encrypted))
        return "" if name == "data" else exporter.part(benchmark.data_path(task, name, fold))

    def image(environment: str) -> JobImage:
        name = benchmark.code_image(environment)
        return JobImage(
            name=name, used=snapshot.settings.images.get(name, name),
            digest=exporter.context(benchmark, environment),
        )  # fmt: skip

    def submitted() -> str:
        opened = cell.submission.opened_path
        if cell.submission.sealed and tree.under(opened):
            return exporter.part(opened)
        return exporter.submission(cell.submission, task.stages)

    def here(path: str) -> str:
        return exporter.part(path) if path in tree.entries or tree.under(path) else ""

    own, code = image(""), image(cell.submission.environment)
    board = benchmark.boards[phase.slug]
    return Job(
        cell=cell.id,
        keys=cell.keys,
        contents=Contents(
            submission=submitted(),
            ingestion_program=exporter.part(program(task.ingestion_program)),
            input_data=data("input_data"),
            scoring_program=exporter.part(program(task.scoring_program)),
            reference_data=data("reference_data"),
            data=data("data"),
            context=own.digest,
            code_context=code.digest,
        ),
        private=task.private,
        sealed=cell.submission.sealed,
        fold=fold,
        is_rows=repeat_data == "rows",
        commit=None if tree.is_changed() else tree.commit,
        kind_name=cell.submission.kind_name,
        scores_files=cell.scores_files,
        ingestion_program=program(task.ingestion_program),
        scoring_program=program(task.scoring_program),
        task_name=task.name,
        task_index=task.index,
        parallel=task.parallel,
        is_check=task.is_check,
        stages=task.stages,
        image=own,
        code_image=code,
        queue=benchmark.queue,
        network=benchmark.network,
        scoring_network=benchmark.scoring_network,
        ingestion_may_fail=benchmark.ingestion_may_fail,
        exclusive=benchmark.exclusive,
        gpus=benchmark.gpus,
        asked=benchmark.limits_of(task),
        seconds=phase.seconds_of(task),
        budget=phase.budget,
        score_keys=board.score_keys,
        optional_keys=board.optional_keys,
        extra_keys=benchmark.extra_keys(task.slug),
        attachments=tuple(suffix for suffix, kind in ATTACHMENTS.items() if kind.takes(benchmark)),
        ways_out=next(
            (
                GATEWAYS[key].describe(benchmark, cell.id, here)
                for key in benchmark.of_plugins
                if key in GATEWAYS
            ),
            {},
        ),
        names_outputs=not (phase.hide_output or phase.hide_prediction_output),
        elsewhere=tuple(
            files
            for key in cell.submission.of_plugins
            if key in ELSEWHERE and (files := ELSEWHERE[key](snapshot, cell.submission))
        ),
    )


def tree_source(
    snapshot: Snapshot, exporter: Exporter, private: PrivateParts | None, now: str = ""
) -> JobContents:
    """Lays out jobs from a tree; ``now`` is when what is not committed came, in all of a run."""
    tree = snapshot.tree

    @cache
    def submitted(path: str) -> str:
        added = None if tree.is_changed(path) else tree.added(f"{path}/submission.yaml")
        return added or now

    return JobContents(exporter, private, lambda job: submitted(job.submission_path))
