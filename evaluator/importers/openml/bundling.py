"""Checked tasks -> the files of a bundle: one task for each data set, one repeat for each fold."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evaluator.formats.quantities import slug
from evaluator.formats.schema import dump_yaml
from evaluator.importers.openml.fetching import FetchedTask
from evaluator.importers.openml.writing import described, write_fold
from evaluator.importers.scaffold import TEMPLATES, read_folder

if TYPE_CHECKING:
    import pandas as pd

PROVENANCE = "openml.json"
"""File of the bundle that says what it was made from."""
PARTS = ("input_data", "reference_data")
_METRICS = ("auc", "logloss", "acc", "balacc", "rmse", "r2", "mae")
_LOSSES = frozenset({"logloss", "rmse", "mae"})


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What to write."""

    title: str
    description: str
    source: str
    server: str
    tasks: Sequence[FetchedTask]
    folds: int
    """Of each task, from the first on."""
    seconds: int
    """Limit of one cell."""


def task_names(tasks: Sequence[FetchedTask]) -> list[str]:
    """Return a folder's name for each task: that of its data set, unless two share it."""
    names = [slug(str(task.dataset["name"])) or f"task-{task.id}" for task in tasks]
    return [
        name if names.count(name) == 1 else f"{name}-t{task.id}"
        for name, task in zip(names, tasks, strict=True)
    ]


def write_data(plan: Plan, folder: Path, tell: Callable[[str], None]) -> None:
    """Write input_data and reference_data of all tasks below a folder."""
    for name, task in zip(task_names(plan.tasks), plan.tasks, strict=True):
        frame, target = read_frame(task), str(task.about["target"])
        meta = described(str(task.dataset["name"]), frame, target, task.about["labels"])
        for fold in task.folds[: plan.folds]:
            places = [folder / part / name / str(fold.number) for part in PARTS]
            write_fold(
                places[0], places[1], frame.iloc[fold.train].reset_index(drop=True),
                frame.iloc[fold.test].reset_index(drop=True),
                {**meta, "openml_task_id": task.id, "fold": fold.number, "seed": fold.number},
            )  # fmt: skip
            rows = {"task": task.id, "dataset": task.dataset["id"], "repeat": fold.repeat,
                    "fold": fold.fold, "folds": len(task.folds), "labels": task.about["labels"],
                    "rows": fold.test.tolist()}  # fmt: skip
            (places[1] / "rows.json").write_text(json.dumps(rows) + "\n", encoding="ascii")
        tell(f"{name}: {plan.folds} folds written")


def read_frame(task: FetchedTask) -> "pd.DataFrame":
    """Return the table with its categories, without what the data set says to leave out."""
    import pandas as pd

    frame = pd.read_parquet(task.data)
    left_out = [name for name in task.dataset["left_out"] if name != task.about["target"]]
    frame = frame.drop(columns=[name for name in left_out if name in frame.columns])
    for feature in task.dataset["features"]:
        name = feature["name"]
        if feature["levels"] and name in frame.columns:
            levels = list(dict.fromkeys(str(level) for level in feature["levels"]))
            values = frame[name].astype(object)
            unknown = sorted({str(value) for value in values.dropna()} - set(levels))
            frame[name] = pd.Categorical(values, categories=levels + unknown)
    return frame


def bundle_files(
    plan: Plan, private: Sequence[Mapping[str, Any]] = ()
) -> dict[str, tuple[bytes, bool]]:
    """Return all files but the data: path -> content and whether it is a program."""
    files = dict(read_folder(TEMPLATES / "openml_suite"))
    files["competition.yaml"] = (dump_yaml(_competition(plan, private)), False)
    files["pages/overview.md"] = (_overview(plan).encode(), False)
    files[PROVENANCE] = ((json.dumps(provenance(plan), indent=1) + "\n").encode(), False)
    return files


def provenance(plan: Plan) -> dict[str, Any]:
    """Return where everything came from, with digests of data and splits."""
    return {
        "server": plan.server,
        "source": plan.source,
        "tasks": {
            name: {
                "task": task.id,
                "dataset": {key: task.dataset[key] for key in ("id", "name", "version", "licence",
                                                               "md5", "status")},
                "procedure": task.about["procedure"],
                "parameters": task.about["parameters"],
                "folds": len(task.folds),
                "rows": task.rows,
                "data_sha256": task.data_sha256,
                "splits_sha256": task.splits_sha256,
            }
            for name, task in zip(task_names(plan.tasks), plan.tasks, strict=True)
        },
    }  # fmt: skip


def _competition(plan: Plan, private: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    names = task_names(plan.tasks)
    used = {
        metric
        for task in plan.tasks
        for metric in (("rmse", "r2", "mae") if task.about["type"] == "regression"
                       else ("logloss", "acc", "balacc"))
    }  # fmt: skip
    if any(len(task.about["labels"]) == 2 for task in plan.tasks):
        used.add("auc")
    columns = ["result", *(metric for metric in _METRICS if metric in used), "training_duration"]
    extension: dict[str, Any] = {
        "limits": {"memory": "4 GiB", "cpus": 1, "pids": 256, "output_size": "256 MiB"},
        "repeats": plan.folds,
        "repeat_data": True,
        "reported": True,
        "aggregate": "mean_rank",
        "columns": {key: {"optional": True} for key in columns[1:]},
    }
    if private:
        extension["private"] = [dict(item) for item in private]
    return {
        "version": 2,
        "title": plan.title,
        "description": plan.description,
        "image": "logo.svg",
        "terms": "terms.md",
        "competition_type": "benchmark",
        "registration_auto_approve": True,
        "docker_image": "localhost/pullbench/tabular:1",
        "pages": [{"title": "Overview", "file": "pages/overview.md"}],
        "tasks": [
            {
                "index": index, "name": name,
                "description": f"OpenML task {task.id}: {task.rows} rows, "
                               f"{len(task.dataset['features']) - 1} features.",
                "ingestion_program": "ingestion_program", "scoring_program": "scoring_program",
                "input_data": f"input_data/{name}", "reference_data": f"reference_data/{name}",
            }
            for index, (name, task) in enumerate(zip(names, plan.tasks, strict=True))
        ],
        "phases": [
            {
                "index": 0, "name": "Final", "description": "Always open.", "start": "2026-01-01",
                "tasks": list(range(len(names))), "max_submissions_per_day": 5,
                "max_submissions": 100, "execution_time_limit": plan.seconds,
            }
        ],
        "leaderboards": [
            {
                "title": "Results", "key": "results", "submission_rule": "Force_Latest_Multiple",
                "primary_index": 0,
                "columns": [
                    {"title": _title(key), "key": key, "index": index,
                     "sorting": "asc" if key in _LOSSES | {"training_duration"} else "desc",
                     "precision": 4}
                    for index, key in enumerate(columns)
                ],
            }
        ],
        "pullbench": extension,
    }  # fmt: skip


def _title(key: str) -> str:
    words = {"result": "Result", "training_duration": "Training, s", "acc": "Accuracy",
             "balacc": "Balanced accuracy", "auc": "ROC AUC", "logloss": "Log loss"}  # fmt: skip
    return words.get(key, key.upper())


def _overview(plan: Plan) -> str:
    lines = [
        f"# {plan.title}", "", plan.description, "",
        f"Made from `{plan.source}` of `{plan.server}`. Data and official splits lie in this "
        "benchmark, so that evaluation needs no network; `openml.json` has their digests.", "",
        "Each data set is a task, and each fold a repeat of it: number = repeat x folds + fold. "
        "`result` is ROC AUC for two classes, else negated log loss, and negated RMSE for "
        "regression: higher is better.", "",
        "| Data set | Task | Rows | Folds | Licence |", "|---|---|---|---|---|",
        *(
            f"| {name} | t/{task.id} | {task.rows} | {len(task.folds)} | "
            f"{task.dataset['licence'] or 'not said'} |"
            for name, task in zip(task_names(plan.tasks), plan.tasks, strict=True)
        ), "",
        "A submission is `model.py` with a class `Model`: `fit(X, y)`, `predict(X)` and, for "
        "classes, `predict_proba(X)`, on pandas frames.", "",
    ]  # fmt: skip
    return "\n".join(lines)
