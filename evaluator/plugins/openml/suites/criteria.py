"""The criteria of the OpenML-CC18 as checks: each passes or fails, and says its figure.

Bischl et al., OpenML Benchmarking Suites, section 6.1, with the limits that the authors' notebook
has. Trees see nominal columns as codes and the median where a number is missing, as there.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from evaluator.plugins.openml.suites.tables import SourceTable

if TYPE_CHECKING:
    import numpy as np

MIN_ROWS, MAX_ROWS = 500, 100_000
MAX_WIDTH = 5000
MIN_CLASS = 20
MIN_BALANCE = 0.05
FOLDS = 10
DEPENDENT = frozenset({"time_series", "grouped_data"})
UNSUITABLE = frozenset(
    {
        "artificial", "binarized_regression_problem", "derived", "label_leakage", "multi_label",
        "origin_unknown", "single_feature_predictable", "subset", "text_data",
        "unspecified_target_feature",
    }
)  # fmt: skip


class CriterionCheck(NamedTuple):
    """One criterion on one data set."""

    criterion: str
    passed: bool
    figure: str
    limit: str


@dataclass(frozen=True, kw_only=True, eq=False)
class CheckedTable:
    """A data set and all its checks."""

    table: SourceTable
    checks: tuple[CriterionCheck, ...]

    @property
    def passed(self) -> bool:
        return all(check.passed for check in self.checks)

    @property
    def reasons(self) -> list[str]:
        return [
            f"{check.criterion} {check.figure} ({check.limit})"
            for check in self.checks
            if not check.passed
        ]


def check_all(tables: Sequence[SourceTable]) -> list[CheckedTable]:
    """Check every data set of a collection; duplicates are judged within it."""
    distinct = _representatives(tables)
    return [
        CheckedTable(table=table, checks=(*check_table(table), _duplicate(table, distinct[place])))
        for place, table in enumerate(tables)
    ]


def check_table(table: SourceTable) -> list[CriterionCheck]:
    frame = table.frame
    counts = frame[table.target].value_counts()
    counts = counts[counts > 0]
    gaps = int(frame[table.target].isna().sum())
    nominal = table.nominal()
    width = len(frame.columns) - 1 - len(nominal)
    width += sum(int(frame[name].nunique()) for name in nominal)
    smallest = int(counts.min()) if len(counts) else 0
    balance = smallest / int(counts.max()) if len(counts) else 0.0
    tags = {tag.lower() for tag in table.tags}
    checks = [
        _check("rows", MIN_ROWS <= len(frame) <= MAX_ROWS, len(frame),
               f"{MIN_ROWS} to {MAX_ROWS}"),
        _check("one-hot width", width < MAX_WIDTH, width, f"below {MAX_WIDTH}"),
        _check("classes", len(counts) > 1 and gaps == 0,
               f"{len(counts)}, {gaps} rows without" if gaps else len(counts), "at least 2"),
        _check("smallest class", smallest >= MIN_CLASS, smallest, f"at least {MIN_CLASS}"),
        _check("balance", balance > MIN_BALANCE, f"{balance:.3f}", f"above {MIN_BALANCE}"),
        _check("dense", not table.sparse, "sparse" if table.sparse else "dense", "dense"),
        _tags("independent rows", tags & DEPENDENT),
        _tags("suitable", tags & UNSUITABLE),
        _check("status", table.status == "active", table.status or "none", "active"),
    ]  # fmt: skip
    return [*checks, *_trees(table, enough=smallest > 1 and len(counts) > 1 and gaps == 0)]


def _check(criterion: str, passed: bool, figure: object, limit: str) -> CriterionCheck:
    return CriterionCheck(criterion, bool(passed), str(figure), limit)


def _tags(criterion: str, tags: set[str]) -> CriterionCheck:
    return _check(criterion, not tags, ", ".join(sorted(tags)) or "no such tag", "no such tag")


def _trees(table: SourceTable, *, enough: bool) -> list[CriterionCheck]:
    """Check that neither one split nor a tree in ten folds predicts every row."""
    limit = "below 1"
    if not enough or len(table.frame) > MAX_ROWS or table.sparse:
        why = "not measured: too many rows, or classes of one row"
        return [_check(name, True, why, limit) for name in ("decision stump", "decision tree")]
    from sklearn.model_selection import KFold, StratifiedKFold, cross_val_predict
    from sklearn.tree import DecisionTreeClassifier

    x, y = encode(table)
    stump = DecisionTreeClassifier(max_depth=1, random_state=0).fit(x, y).score(x, y)
    few = int(min((y == label).sum() for label in set(y.tolist()))) < FOLDS
    folds = (KFold if few else StratifiedKFold)(min(FOLDS, len(y)), shuffle=True, random_state=0)
    predicted = cross_val_predict(DecisionTreeClassifier(random_state=0), x, y, cv=folds)
    tree = float((predicted == y).mean())
    return [
        _check("decision stump", stump < 1, f"{stump:.4f}", limit),
        _check("decision tree", tree < 1, f"{tree:.4f}", limit),
    ]


def encode(table: SourceTable) -> "tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]":
    """Features as numbers, rows x columns, and the classes as codes."""
    import numpy as np
    import pandas as pd

    nominal = set(table.nominal())
    columns = []
    for name in table.frame.columns:
        if name == table.target:
            continue
        column = table.frame[name]
        if name in nominal:
            columns.append(pd.Categorical(column.astype(object)).codes.astype(float))
        else:
            numbers = column.astype(float)
            middle = numbers.median()
            columns.append(numbers.fillna(0 if pd.isna(middle) else middle).to_numpy())
    y = pd.Categorical(table.frame[table.target].astype(str)).codes
    return np.column_stack(columns), np.asarray(y)


def _representatives(tables: Sequence[SourceTable]) -> list[SourceTable]:
    """The representative of each table: that of its name with most classes."""
    classes = [int(table.frame[table.target].nunique()) for table in tables]
    contents = [table.sha256() for table in tables]
    firsts = []
    for place, table in enumerate(tables):
        same = [
            other
            for other, candidate in enumerate(tables)
            if (candidate.key and candidate.key == table.key) or contents[other] == contents[place]
        ]
        firsts.append(tables[max(same, key=lambda other: (classes[other], -other))])
    return firsts


def _duplicate(table: SourceTable, first: SourceTable) -> CriterionCheck:
    is_first = first is table
    other = "none" if is_first else f"of {first.name} ({first.source})"
    return _check("duplicate", is_first, other, "none")
