"""ARFF, dense or sparse -> a table."""

from typing import TYPE_CHECKING

from evaluator.core.plugins import need

if TYPE_CHECKING:
    import pandas as pd

MAX_CELLS = 2**28
"""Values of a sparse table, its zeros filled in: 2 GiB of numbers."""


class TooLargeError(ValueError):
    """A sparse table that would not fit into memory."""


def read_arff(text: str) -> "tuple[pd.DataFrame, bool]":
    """The table, nominal as categories, and whether it was sparse. Raises ValueError."""
    need("arff")
    import arff
    import pandas as pd

    sparse = _is_sparse(text)
    try:
        content = arff.loads(text)
    except arff.ArffException as error:
        raise ValueError(str(error)) from None
    names = [name for name, _ in content["attributes"]]
    table = pd.DataFrame(content["data"], columns=names)
    for name, kind in content["attributes"]:
        if isinstance(kind, list):
            table[name] = table[name].astype(pd.CategoricalDtype(sorted(kind)))
        elif kind.upper() != "STRING":
            table[name] = pd.to_numeric(table[name])
    return table, sparse


def _is_sparse(text: str) -> bool:
    """Look at the first row. Raises TooLargeError before anything is filled in."""
    head, _, data = text.replace("@DATA", "@data").partition("@data")
    rows = [line for line in data.splitlines() if line.strip() and not line.startswith("%")]
    if not rows or not rows[0].lstrip().startswith("{"):
        return False
    columns = sum(line.lower().lstrip().startswith("@attribute") for line in head.splitlines())
    if len(rows) * columns > MAX_CELLS:
        raise TooLargeError(f"it is sparse, and has {len(rows) * columns:,} values with its zeros")
    return True
