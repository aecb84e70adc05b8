"""Read a CSV file that a participant's program wrote, in bounded memory. Standard library alone."""

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

MAX_BYTES = 2**28
MAX_LINE = 2**20
"""Characters of a row, and of the header."""
MAX_FIELD = 2**16
MORE_COLUMNS = 64
"""That a file may have beside those that are wanted."""


class _Lines:
    """Lines of a file, as long as no row takes too many."""

    def __init__(self, text: TextIO) -> None:
        self._text = text
        self.count = 0

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        line = self._text.readline(MAX_LINE + 1)
        self.count += len(line)
        if self.count > MAX_LINE:
            raise ValueError(f"a row has more than {MAX_LINE:,} characters")
        if not line:
            raise StopIteration
        return line


def read_rows(file: Path, rows: int, wanted: int) -> dict[str, list[str]]:
    """Return values by column; ``wanted`` is how many there should be. Raises ValueError."""
    if file.is_symlink() or not file.is_file():
        raise ValueError("the file predictions.csv is missing")
    if file.stat().st_size > MAX_BYTES:
        raise ValueError(f"predictions.csv is larger than {MAX_BYTES >> 20} MiB")
    csv.field_size_limit(MAX_FIELD)
    columns: list[list[str]] = []
    count = 0
    try:
        with file.open(encoding="utf-8", newline="") as text:
            lines = _Lines(text)
            reader = csv.reader(lines)
            header = next(reader, [])
            if len(set(header)) < len(header):
                raise ValueError("two columns have the same name")
            if len(header) > wanted + MORE_COLUMNS:
                raise ValueError(f"{len(header)} columns, where {wanted} are wanted")
            columns = [[] for _ in header]
            for line in reader:
                lines.count = 0
                count += 1
                if count > rows:
                    raise ValueError(f"more than the {rows} test rows")
                if len(line) != len(header):
                    raise ValueError(
                        f"row {count} has {len(line)} values for {len(header)} columns"
                    )
                for column, value in zip(columns, line, strict=True):
                    column.append(value)
    except UnicodeDecodeError:
        raise ValueError("predictions.csv is not UTF-8") from None
    except csv.Error as error:
        raise ValueError(f"predictions.csv cannot be read: {error}") from None
    except ValueError as error:
        raise ValueError(f"predictions.csv: {error}") from None
    if count != rows:
        raise ValueError(f"predictions.csv: {count} rows for {rows} test rows")
    return dict(zip(header, columns, strict=True))
