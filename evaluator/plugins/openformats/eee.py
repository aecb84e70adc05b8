"""``leaderboard --format eee``: Every Eval Ever, schema 0.3.0, a record a line.

Rows of single samples are not written: they ask for the right answer, which no record has.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from evaluator import __version__
from evaluator.core.formats.columns import Column
from evaluator.core.leaderboard.published import PublicBoard
from evaluator.plugins.openformats.results import EvaluatedRow, evaluated_rows

SCHEMA_VERSION = "0.3.0"


def to_eee(board: PublicBoard) -> str:
    lines = (msgspec.json.encode(_record(board, row)) for row in evaluated_rows(board))
    return b"".join(line + b"\n" for line in lines).decode()


def _record(board: PublicBoard, evaluated: EvaluatedRow) -> dict[str, Any]:
    seconds, name = f"{evaluated.end.timestamp():.0f}", f"{board.benchmark.name}.{board.phase.slug}"
    return {
        "schema_version": SCHEMA_VERSION,
        "evaluation_id": f"{name}/{evaluated.name}/{seconds}",
        "evaluation_timestamp": seconds,
        "retrieved_timestamp": seconds,
        "source_metadata": {
            "source_type": "evaluation_run", "evaluator_relationship": "third_party",
            "source_name": board.benchmark.title,
            "source_organization_name": board.benchmark.title,
        },
        "eval_library": {"name": "pullbench", "version": __version__},
        "model_info": {
            "name": evaluated.row.submission.title, "id": evaluated.name,
            "developer": evaluated.row.submission.participant,
            "additional_details": {
                "deployment_type": "unknown", "model_availability": "unknown",
                "files_sha256": evaluated.records[0].provenance.submission_tree,
            },
        },
        "evaluation_results": [*_results(board, evaluated)],
    }  # fmt: skip


def _results(board: PublicBoard, evaluated: EvaluatedRow) -> Iterator[dict[str, Any]]:
    row, phase, tasks = evaluated.row, board.phase.name, board.tasks
    name = tasks[0].name if len(tasks) == 1 else board.benchmark.name
    for column in evaluated.columns:
        uncertainty: dict[str, Any] = {}
        if column.key in row.intervals:
            low, high = row.intervals[column.key]
            uncertainty["confidence_interval"] = {
                "lower": low, "upper": high, "confidence_level": 0.95
            }  # fmt: skip
        yield _result(board, phase, name, column, row.overall[column.key], uncertainty)
    for task in tasks if len(tasks) > 1 else ():
        values, deviations = row.tasks[task.slug].values, row.tasks[task.slug].deviations
        for column in evaluated.columns:
            if column.key in values and task.slug in row.counted:
                spread = deviations.get(column.key)
                uncertainty = {} if spread is None else {"standard_deviation": spread}
                name, value = f"{phase}: {task.name}", values[column.key]
                yield _result(board, name, task.name, column, value, uncertainty)


def _result(
    board: PublicBoard, name: str, data: str, column: Column, value: float,
    uncertainty: Mapping[str, Any],
) -> dict[str, Any]:  # fmt: skip
    return {
        "evaluation_name": name,
        "source_data": {"dataset_name": data, "source_type": "other"},
        "metric_config": {
            "metric_id": f"{board.benchmark.name}.{column.key}", "metric_name": column.title,
            "lower_is_better": column.sorting == "asc", "score_type": "continuous",
            "min_score": "-Infinity", "max_score": "Infinity",
        },
        "score_details": {
            "score": value, **({"uncertainty": uncertainty} if uncertainty else {})
        },
    }  # fmt: skip
