"""Tasks whose folds are written -> the rest of the bundle: programs, image, competition.yaml."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evaluator.core.formats.bundle import FILE_NAME
from evaluator.core.formats.extension import RepeatData
from evaluator.core.formats.schema import dump_yaml
from evaluator.importing.files import PLAIN_LOGO, read_template
from evaluator.importing.folder import SourceFolder
from evaluator.importing.importer import ImportRequest, ReadBundle
from evaluator.plugins.openml.tabular.fold_descriptions import pin_data
from evaluator.plugins.openml.tabular.metrics import default_metrics, losses, metrics
from evaluator.plugins.openml.tabular.writing import type_of

TEMPLATE = Path(__file__).parents[1] / "templates/tabular"
IMAGE = "localhost/pullbench/tabular:1"
MEMORY = 4 * 2**30
"""Bytes of a fold, if nothing else says it."""
PRECISION = 4
"""Decimals that the board shows, and by which it compares."""
ANALYSIS = {"constant": "amlb/constantpredictor", "reference": "amlb/tunedrandomforest"}
"""The ends of the AutoML Benchmark's scale, as its results are named when they are brought in.
Where they are not there, others take their place."""


@dataclass(frozen=True, kw_only=True)
class TabularTask:
    """One task of the bundle; its folds are there already."""

    slug: str
    """Its folder in input_data and reference_data."""
    name: str
    description: str = ""
    folds: int
    seconds: int
    cpus: float
    memory: int
    """Bytes."""
    metrics: Sequence[str]
    is_rows: bool = False
    """Whether its folds are rows of one table, and not folders with data of their own."""

    @property
    def repeat_data(self) -> RepeatData:
        return "rows" if self.is_rows else True


def table_task(
    slug: str, rows: int, features: int, classes: Sequence[str], openml_task: int | None,
    folds: int, *, seconds: int, memory: int,
) -> TabularTask:  # fmt: skip
    """The task of one table; ``classes`` are none for regression."""
    return TabularTask(
        slug=slug, name=slug, folds=folds, seconds=seconds, cpus=1, memory=memory,
        description=(f"OpenML task {openml_task}: " if openml_task else "")
        + f"{rows} rows, {features} features.",
        metrics=default_metrics(type_of(classes)), is_rows=True,
    )  # fmt: skip


def small_budget(seconds: int, usable: int, memory: int) -> dict[str, int]:
    """What a framework is told that it has of a task with one core."""
    return {"max_runtime_seconds": usable, "job_timeout_seconds": seconds, "cores": 1,
            "max_mem_size_mb": memory // 2**20}  # fmt: skip


def write_bundle(
    folder: SourceFolder, request: ImportRequest, name: str, tasks: Sequence[TabularTask], *,
    title: str, description: str, overview: str, private: bool | None,
) -> ReadBundle:  # fmt: skip
    """Add programs, image, page and competition.yaml to a folder with folds; place its data."""
    root = folder.root
    data = pin_data(root, name, [task.slug for task in tasks], request.data, private=private)
    for file, (content, executable) in read_template(TEMPLATE).items():
        folder.write(file, content, executable=executable)
    folder.write("logo.png", PLAIN_LOGO.read_bytes())
    folder.write("overview.md", overview.encode())
    competition = _competition(tasks, title, description, data.pins)
    folder.write(FILE_NAME, dump_yaml(competition))
    return ReadBundle(name=name, data=data)


def _competition(
    tasks: Sequence[TabularTask], title: str, description: str, pins: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    return {
        "version": 2,
        "title": title,
        "description": description,
        "image": "logo.png",
        "terms": "terms.md",
        "competition_type": "benchmark",
        "registration_auto_approve": True,
        "docker_image": IMAGE,
        "make_programs_available": True,
        "make_input_data_available": True,
        "pages": [{"title": "Overview", "file": "overview.md"}],
        "tasks": [
            {
                "index": index,
                "name": task.name,
                "description": task.description or task.name,
                "ingestion_program": "ingestion_program",
                "scoring_program": "scoring_program",
                **({} if task.is_rows else {"input_data": f"input_data/{task.slug}"}),
                "reference_data": f"reference_data/{task.slug}",
            }
            for index, task in enumerate(tasks)
        ],
        "phases": [
            {
                "index": 0,
                "name": "Final",
                "description": "Always open.",
                "start": "2026-01-01",
                "tasks": list(range(len(tasks))),
                "max_submissions_per_day": 5,
                "max_submissions": 100,
                "execution_time_limit": max(task.seconds for task in tasks),
                "starting_kit": "starting_kit",
            }
        ],
        "leaderboards": [
            {
                "title": "Results",
                "key": "results",
                "submission_rule": "Force_Latest_Multiple",
                "primary_index": 0,
                "columns": _columns(tasks),
            }
        ],
        "pullbench": _extension(tasks, pins),
    }


def _metrics(tasks: Sequence[TabularTask]) -> list[str]:
    return list(dict.fromkeys(metric for task in tasks for metric in task.metrics))


def _columns(tasks: Sequence[TabularTask]) -> list[dict[str, Any]]:
    columns = [("result", "Result", "desc")]
    columns += [(m, m, "asc" if m in losses() else "desc") for m in _metrics(tasks)]
    return [
        {"title": title, "key": key, "index": index, "sorting": sorting, "precision": PRECISION}
        for index, (key, title, sorting) in enumerate(columns)
    ]


def _size(count: int) -> int | str:
    return count if count % 2**20 else f"{count // 2**20} MiB"


def _extension(tasks: Sequence[TabularTask], pins: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    folds = max(task.folds for task in tasks)
    memory = max(task.memory for task in tasks)
    cpus = max(task.cpus for task in tasks)
    seconds = max(task.seconds for task in tasks)
    repeat_data = tasks[0].repeat_data
    by_task: dict[int, dict[str, Any]] = {}
    for index, task in enumerate(tasks):
        first, *others = task.metrics
        differing = {
            key: value
            for key, value, common in (
                ("repeats", task.folds, folds),
                ("repeat_data", task.repeat_data, repeat_data),
                ("memory", _size(task.memory), _size(memory)),
                ("cpus", task.cpus, cpus),
                ("seconds", task.seconds, seconds),
                ("metrics", [metrics().result_of(first, 0)[0], *others], []),
                # ``result`` of a loss is its negation, which is perfect at 0.
                ("perfect", {"result": 0} if first in losses() else {}, {}),
            )
            if value != common
        }
        if differing:
            by_task[index] = differing
    extension: dict[str, Any] = {
        "limits": {
            "memory": _size(memory),
            "cpus": cpus,
            "pids": min(32768, 256 + 64 * int(cpus)),
            "output_size": "256 MiB",
            "log_size": "256 KiB",
        },
        "repeats": folds,
        "repeat_data": repeat_data,
        "columns": {
            # A mean over different metrics would mean nothing.
            **({"result": {"mean": False}} if len({task.metrics[0] for task in tasks}) > 1 else {}),
            **{key: {"optional": True} for key in _metrics(tasks)},
        },
        # AMLB's tables have six digits, a board four decimals: what they state and the same result
        # of a run here are equal.
        "ranking": {"decimals": PRECISION},
        # What the AutoML Benchmark's own tools measured may be brought in beside it.
        "reported": True,
        "analysis": ANALYSIS,
        **({"aggregate": "mean_rank"} if len(tasks) > 1 else {}),
        **({"private": [dict(item) for item in pins]} if pins else {}),
    }
    if by_task:
        extension["tasks"] = by_task
    return extension
