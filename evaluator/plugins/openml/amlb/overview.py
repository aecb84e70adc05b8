"""The page of a bundle that was made from an AMLB definition."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from evaluator.plugins.openml.amlb.definition import TaskDefinition
    from evaluator.plugins.openml.amlb.folds import WrittenTask

_TEXT = """Tasks of the [AutoML Benchmark](https://openml.github.io/automlbenchmark/) definition \
`{name}`, under its constraint `{constraint}`.

| Task | Type | Rows | Features | Folds | Time | First metric |
|---|---|---|---|---|---|---|
{rows}

A submission is a framework module of the AutoML Benchmark as it stands: `__init__.py` with \
`run(dataset, config)`, or `exec.py` with `run`. It may also be a file `model.py` with a class \
`Model`: `fit(X, y)`, `predict(X)` and, for classes, `predict_proba(X)`.

*Time* is what a framework is told that it has (`config.max_runtime_seconds`). It is stopped at \
twice that, or an hour later where that is less. The target of test rows is not in the container: \
`dataset.test.y` holds a stand-in.

*Result* is the first metric, negated where it is a loss, so that higher is always better. Tasks \
are compared by ranks, since their metrics differ.
"""


def overview(
    name: str, constraint: str, tasks: Sequence[tuple[TaskDefinition, WrittenTask]]
) -> str:
    rows = [
        f"| {task.name} | {files.type} | {files.rows} | {files.columns} | {len(files.folds)} "
        f"| {task.limits.max_runtime_seconds} s | {files.metrics[0]} |"
        for task, files in tasks
    ]
    return _TEXT.format(name=name, constraint=constraint, rows="\n".join(rows))
