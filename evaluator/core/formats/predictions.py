"""What a bundle declares of predictions: in words, and against the rows of a submission."""

import csv
import io
import re
from collections.abc import Collection, Iterable, Iterator

from evaluator.core.errors import Actor, Problem, printable
from evaluator.core.formats.extension import PredictionsFile
from evaluator.core.formats.json_reader import finite

MAX_REPORTED = 20
"""Rows of one file that are reported; more are counted."""

_REPEAT = "{repeat}"


def names_of(item: PredictionsFile, repeats: int) -> list[str]:
    if _REPEAT not in item.file:
        return [item.file]
    return [item.file.replace(_REPEAT, str(repeat)) for repeat in range(repeats)]


def missing_files(
    declared: Iterable[PredictionsFile], files: Collection[str], repeats: int
) -> list[str]:
    needed = [name for item in declared if not item.optional for name in names_of(item, repeats)]
    return [name for name in needed if name not in files]


def unexpected_files(
    declared: Iterable[PredictionsFile], files: Iterable[str], repeats: int
) -> list[str]:
    patterns = [
        re.compile(r"[0-9]+".join(map(re.escape, item.file.split(_REPEAT))))
        for item in declared if _REPEAT in item.file
    ]  # fmt: skip
    names = {name for item in declared for name in names_of(item, repeats)}
    return sorted(
        file for file in files
        if file not in names and any(pattern.fullmatch(file) for pattern in patterns)
    )  # fmt: skip


def files_in_words(files: Iterable[PredictionsFile], repeats: int) -> list[str]:
    return [
        item.file
        + (f", for each repeat from 0 to {repeats - 1}" if _REPEAT in item.file else "")
        + (", if you like" if item.optional else "")
        + (
            ": CSV with the columns "
            + ", ".join(f"{name} ({kind})" for name, kind in item.columns.items())
            if item.columns
            else ""
        )
        + (f", {item.rows:,} rows" if item.rows else "")
        for item in files
    ]


def check_predictions(expected: PredictionsFile, content: bytes, path: str) -> Iterator[Problem]:
    """Report each row that cannot be scored, with its line. Lines count from 1, the header's."""

    def problem(message: str, hint: str = "", line: int | None = None) -> Problem:
        return Problem(file=path, line=line, message=message, hint=hint, actor=Actor.PARTICIPANT)

    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        yield problem(f"is not UTF-8: byte {error.start} cannot be decoded", "Save it as UTF-8.")
        return
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    header = list(expected.columns)
    try:
        first_row = next(reader, [])
        if first_row != header:
            yield problem(
                f"has the header '{printable(','.join(first_row))[:80]}'",
                f"The header is '{','.join(header)}'.", 1,
            )  # fmt: skip
            return
        faults = 0
        rows = 0
        seen: dict[str, dict[str, int]] = {name: {} for name in expected.unique}
        for row in reader:
            if not row:
                continue
            rows += 1
            for message in _row_faults(expected, row, reader.line_num, seen):
                faults += 1
                if faults <= MAX_REPORTED:
                    yield problem(f"row {rows} {message}", line=reader.line_num)
    except csv.Error as error:
        yield problem(f"is not CSV: {error}", line=reader.line_num)
        return
    if faults > MAX_REPORTED:
        yield problem(f"has {faults - MAX_REPORTED} more faults like these")
    if expected.rows is not None and rows != expected.rows:
        yield problem(f"has {rows} rows", f"{expected.rows} are expected, without the header.")


def _row_faults(
    expected: PredictionsFile, row: list[str], line: int, seen: dict[str, dict[str, int]]
) -> Iterator[str]:
    if len(row) != len(expected.columns):
        yield (
            f"has {len(row)} fields, not {len(expected.columns)}"
            " (a decimal comma splits a number in two; write a point)"
        )
        return
    for (name, kind), value in zip(expected.columns.items(), row, strict=True):
        shown = printable(value)[:40]
        if kind == "integer" and not _is_integer(value):
            yield f"has '{shown}' as {name}, which is not a whole number"
        elif kind == "number" and not _is_number(value):
            yield f"has '{shown}' as {name}, which is not a finite number"
        if name in seen:
            first = seen[name].setdefault(value.strip(), line)
            if first != line:
                yield f"has the {name} '{shown}' again; line {first} has it already"


def _is_integer(value: str) -> bool:
    stripped = value.strip()
    return stripped.removeprefix("-").isdecimal() and stripped.isascii() and len(stripped) < 20


def _is_number(value: str) -> bool:
    try:
        return finite(float(value)) is not None and "_" not in value
    except ValueError:
        return False
