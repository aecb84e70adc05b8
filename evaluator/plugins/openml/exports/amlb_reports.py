"""Rows of results -> the tables of AMLB's reports: means, normalised scores, ranks, models.

As ``amlb_report`` of github.com/openml/automlbenchmark at dfe8d21 makes them (results.py,
tables.py, reports/old): a fold that failed counts as that of another framework, unless all folds of
the task failed; scores are scaled fold by fold, and then the mean is taken; ranks are dense, and on
single folds those of a framework's own results.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from evaluator.plugins.openml.exchange.amlb_table import AmlbRow, rounded_result

if TYPE_CHECKING:
    import pandas as pd

_TASK = ["type", "task"]
_FOLD = [*_TASK, "fold"]


@dataclass(frozen=True, kw_only=True)
class Ends:
    """Frameworks that have a part of their own, by name; empty for none."""

    zero: str = ""
    """0 of the scale, such as constantpredictor."""
    one: str = ""
    """1 of the scale, such as TunedRandomForest."""
    stand_in: str = ""
    """Whose folds replace those that failed."""


def report_tables(rows: Sequence[AmlbRow], ends: Ends) -> dict[str, bytes]:
    import pandas as pd

    frame = pd.DataFrame(
        {
            "type": [row.texts.get("type", "") for row in rows],
            "task": [row.task.lower() for row in rows],
            "fold": [row.fold for row in rows],
            "framework": [row.framework.lower() for row in rows],
            # AMLB makes its tables of results.csv, whose six digits small differences show.
            "result": pd.Series(
                [None if row.result is None else rounded_result(row.result) for row in rows],
                dtype="float64",
            ),
            "models_count": pd.Series(
                [row.numbers.get("models_count") for row in rows], dtype="float64"
            ),
        }
    )
    # A task without folds of its own type is of that of the others, or its lines would part.
    frame["type"] = frame.groupby("task")["type"].transform("max")
    folds = frame.pivot(index=_FOLD, columns="framework", values="result")
    measured = folds.notna()
    zero, one, stand_in = (name.lower() for name in (ends.zero, ends.one, ends.stand_in))
    filled = _impute(folds, stand_in)
    marks = (filled.notna() & ~measured).groupby(level=_TASK).sum()
    means = filled.groupby(level=_TASK).mean()
    tables = {
        "result_summary.csv": _mark(means, marks),
        # Ends of the scale and who stands in for others have no place of their own.
        "tasks_leaderboard.csv": _mark(
            _ranks(means.drop(columns=[zero, stand_in], errors="ignore")), marks, "%.0f"
        ),
        "folds_leaderboard.csv": _ranks(folds),
    }
    if zero in filled and one in filled and zero != one:
        scaled = filled.sub(filled[zero], axis=0).div(filled[one] - filled[zero], axis=0)
        scaled = scaled[filled[one] != filled[zero]]
        tables["norm_result_summary.csv"] = _mark(scaled.groupby(level=_TASK).mean(), marks)
    models = frame.pivot(index=_FOLD, columns="framework", values="models_count")
    if models.notna().any(axis=None):
        tables["models_summary.csv"] = _mark(models.groupby(level=_TASK).mean(), marks, "%.0f")
    return {name: table.to_csv(lineterminator="\n").encode() for name, table in tables.items()}


def _impute(folds: "pd.DataFrame", stand_in: str) -> "pd.DataFrame":
    if stand_in not in folds:
        return folds
    some = folds.notna().groupby(level=_TASK).transform("any")
    filled = folds.copy()
    for name in folds:
        filled[name] = folds[name].where(folds[name].notna() | ~some[name], folds[stand_in])
    return filled


def _ranks(values: "pd.DataFrame") -> "pd.DataFrame":
    return values.rank(axis=1, method="dense", ascending=False)


def _mark(means: "pd.DataFrame", marks: "pd.DataFrame", style: str = "%.6g") -> "pd.DataFrame":
    """Texts: a mean and, in parentheses, how many of its folds are another framework's."""
    # A table without rows would stay one of numbers.
    texts = means.map(lambda value: style % value).astype(object)
    counts = marks.reindex_like(means).fillna(0).astype(int).astype(str)
    return texts.where(counts == "0", texts + " (" + counts + ")")
