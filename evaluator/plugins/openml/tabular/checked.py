"""Two tables -> the same, fit to be written as a fold, or the reason why not."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd


def fold_tables(
    train: "pd.DataFrame", test: "pd.DataFrame", target: str, *, classes: bool,
    labels: Sequence[str] = (),
) -> "tuple[pd.DataFrame, pd.DataFrame, list[str]]":  # fmt: skip
    """Return both tables and the classes, sorted; none where ``classes`` is false.

    ``labels`` are classes that a source declares, also those that no row has. Names of columns
    become text, and text columns hold text alone. Raises ValueError where the tables do not fit
    together.
    """
    import pandas as pd

    train, test = _storable(train), _storable(test)
    if train.columns.has_duplicates:
        raise ValueError("two columns have the same name")
    if list(train.columns) != list(test.columns):
        raise ValueError("training and test rows have different columns")
    if not len(train) or not len(test):
        raise ValueError("training and test rows are needed")
    if test[target].isna().any() or train[target].isna().any():
        raise ValueError(f"the target '{target}' has missing values")
    if not classes:
        return train, test.assign(**{target: test[target].astype("float64")}), []
    first, second = _labels(train[target]), _labels(test[target])
    categories = sorted(set(first) | set(second) | set(labels))
    dtype = pd.CategoricalDtype(categories)
    return (
        train.assign(**{target: first.astype(dtype)}),
        test.assign(**{target: second.astype(dtype)}),
        categories,
    )


def whole_table(
    frame: "pd.DataFrame", target: str, *, classes: bool, labels: Sequence[str] = ()
) -> "tuple[pd.DataFrame, list[str]]":
    """Return a table of which folds are rows, and its classes, as ``fold_tables`` does of two."""
    table, _, names = fold_tables(frame, frame, target, classes=classes, labels=labels)
    return table, names


def _labels(column: "pd.Series") -> "pd.Series":
    """Return classes as text, as they are written in predictions.csv."""
    return column.astype("object").map(str)


def _storable(table: "pd.DataFrame") -> "pd.DataFrame":
    import pandas as pd

    changed = table.reset_index(drop=True)
    changed.columns = pd.Index([str(name) for name in table.columns])
    for name, column in changed.items():
        if column.dtype == object:
            changed[name] = column.map(str, na_action="ignore")
        elif isinstance(column.dtype, pd.CategoricalDtype):
            levels = column.cat.categories
            if levels.dtype == object:
                changed[name] = column.cat.rename_categories([str(level) for level in levels])
    return changed
