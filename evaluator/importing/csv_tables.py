"""Tables that people write in a spreadsheet and save as CSV."""

import csv
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from evaluator.core.errors import UsageError


def read_table(path: Path, needed: Mapping[str, str], *, key: str) -> list[dict[str, str]]:
    """Read a CSV with a header, in which no value of the column ``key`` is there twice.

    ``needed`` are columns, each with the option that names another; empty for none. Raises
    UsageError.
    """

    def wrong(message: str, hint: str = "") -> UsageError:
        return UsageError(f"{path} {message}", hint=hint)

    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            reader = csv.DictReader(file, strict=True)
            rows, header = list(reader), reader.fieldnames or []
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise wrong(f"cannot be read as CSV: {error}") from None
    for name, option in needed.items():
        if header.count(name) != 1:
            hint = f"Its columns: {', '.join(header)}. {option}".rstrip()
            raise wrong(f"has no one column '{name}'", hint)
    if any(None in row or None in row.values() for row in rows):
        raise wrong("has rows with more or fewer cells than its header")
    counts = Counter(row[key] for row in rows)
    repeated = [value for value, count in counts.items() if count > 1]
    if repeated:
        raise wrong(f"has the {key} '{repeated[0]}' twice", "Each row needs its own.")
    return rows
