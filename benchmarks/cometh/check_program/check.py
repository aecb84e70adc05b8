"""Accept a data set, or say everything that is wrong with it.

Usage: check.py INPUT OUTPUT, where INPUT/res holds the data set as it was submitted.
"""

import json
import math
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

BULK, REFERENCE, PROPORTIONS = FILES = ("bulk.tsv", "reference.tsv", "proportions.tsv")
CORNERS = {BULK: "feature", REFERENCE: "feature", PROPORTIONS: "cell_type"}
MAX_BYTES = 4 * 2**20
FEATURES, SAMPLES, TYPES = (50, 5_000), (5, 200), (2, 20)
LARGEST = 1e12
"""Squares and products of such numbers are numbers, for the check and for every method."""
TOLERANCE = 0.001
NAME = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9 .,:+/()_-]{0,58}[A-Za-z0-9.+)_-])?")
NO_WORDS = frozenset({"NA", "T", "F", "TRUE", "FALSE", "Inf", "NaN"})
"""What R takes for values; a column of nothing else, or of numbers, loses its text there."""
NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?", re.ASCII)
MAX_FAULTS = 20


class RefusedError(Exception):
    """The file cannot be read any further."""


@dataclass(frozen=True, kw_only=True)
class Table:
    """A matrix with the names of its rows and columns."""

    rows: list[str]
    columns: list[str]
    values: np.ndarray


def shown(text: str) -> str:
    """Somebody else's text, to stand in a message: short, and without control characters."""
    text = "".join(character if character.isprintable() else "?" for character in text)
    return repr(text if len(text) <= 40 else text[:40] + "...")


def lines_of(path: Path) -> list[str]:
    name = path.name
    if path.stat().st_size > MAX_BYTES:
        raise RefusedError(f"{name} has more than {MAX_BYTES // 2**20} MiB")
    content = path.read_bytes()
    if b"\0" in content:
        raise RefusedError(f"{name} holds a zero byte: it is not text")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise RefusedError(f"{name}, line {line}: it is not UTF-8") from None
    lines = text.replace("\r\n", "\n").split("\n")
    if lines[-1] == "":
        lines.pop()
    if not lines:
        raise RefusedError(f"{name} is empty")
    return lines


def name_fault(name: str, known: dict[str, int]) -> str:
    """Say why a name is not taken; empty where it is."""
    if not NAME.fullmatch(name):
        return (
            f"the name {shown(name)} is not taken: 1 to 60 ASCII letters, digits and "
            "' .,:+/()_-', a letter or digit first"
        )
    return f"{shown(name)} stands there twice" if name in known else ""


def read(folder: Path, file: str) -> Table:
    """Read a table. Raises RefusedError at the first thing that is wrong."""
    header, *lines = lines_of(folder / file)
    corner, *columns = header.split("\t")
    if corner != CORNERS[file]:
        raise RefusedError(
            f"{file}, line 1 begins with {shown(corner)}; expected is {CORNERS[file]}"
        )
    known: dict[str, int] = {}
    for place, column in enumerate(columns, start=2):
        if fault := name_fault(column, known):
            raise RefusedError(f"{file}, line 1, column {place}: {fault}")
        known[column] = place
    names = [line.partition("\t")[0] for line in lines]
    if "NA" in names or not any(name[:1].isalpha() and name not in NO_WORDS for name in names):
        raise RefusedError(
            f"{file}: names of rows must not be NA, and not all numbers or truth values, which R "
            "reads as such"
        )
    known = {}
    values: list[list[float]] = []
    for number, line in enumerate(lines, start=2):
        name, *words = line.split("\t")
        if fault := name_fault(name, known):
            raise RefusedError(f"{file}, line {number}: {fault}")
        known[name] = number
        if len(words) != len(columns):
            raise RefusedError(
                f"{file}, line {number}: {len(words)} values under {len(columns)} names"
            )
        values.append([to_number(word, file, number, column)
                       for word, column in zip(words, columns, strict=True)])  # fmt: skip
    return Table(
        rows=list(known), columns=columns,
        values=np.array(values, dtype=float).reshape(len(values), len(columns)),
    )  # fmt: skip


def to_number(word: str, file: str, line: int, column: str) -> float:
    value = float(word) if NUMBER.fullmatch(word) else math.nan
    if not math.isfinite(value):
        raise RefusedError(f"{file}, line {line}, {column}: {shown(word)} is not a finite number")
    if value < 0:
        raise RefusedError(f"{file}, line {line}, {column}: {shown(word)} is negative")
    if value > LARGEST:
        raise RefusedError(
            f"{file}, line {line}, {column}: {shown(word)} is larger than {LARGEST:g}"
        )
    return value


def within(what: str, count: int, bounds: tuple[int, int]) -> Iterator[str]:
    low, high = bounds
    if not low <= count <= high:
        yield f"{what}: {count:,}; this benchmark takes {low:,} to {high:,}"


def same_names(
    what: str, one: Sequence[str], file: str, other: Sequence[str], expected: str, *, rows: bool
) -> Iterator[str]:
    """Report the first place at which two files name different things."""
    if len(one) != len(other):
        yield f"{file} has {len(one):,} {what}, {expected} has {len(other):,}"
    for place, (name, wanted) in enumerate(zip(one, other, strict=False), start=2):
        if name != wanted:
            where = f"line {place}" if rows else f"line 1, column {place}"
            yield f"{file}, {where}: {shown(name)} where {expected} has {shown(wanted)}"
            return


def twins(what: str, table: Table, file: str) -> Iterator[str]:
    """Report columns that are one and the same."""
    seen: dict[bytes, str] = {}
    for name, column in zip(table.columns, table.values.T, strict=True):
        first = seen.setdefault(column.tobytes(), name)
        if first != name:
            yield f"{file}: the {what} {first} and {name} have the same values"
    for name, column in zip(table.columns, table.values.T, strict=True):
        if not column.any():
            yield f"{file}: {name} is zero everywhere"


def faults_of(bulk: Table, reference: Table, truth: Table) -> Iterator[str]:
    yield from within("features", len(bulk.rows), FEATURES)
    yield from within("samples", len(bulk.columns), SAMPLES)
    yield from within("cell types", len(reference.columns), TYPES)
    yield from same_names("features", reference.rows, REFERENCE, bulk.rows, BULK, rows=True)
    yield from same_names(
        "cell types", truth.rows, PROPORTIONS, reference.columns, REFERENCE, rows=True
    )
    yield from same_names("samples", truth.columns, PROPORTIONS, bulk.columns, BULK, rows=False)
    sums = truth.values.sum(axis=0)
    wrong = np.flatnonzero(np.abs(sums - 1) > TOLERANCE)
    if len(wrong):
        more = f", and {len(wrong) - 1} more samples" if len(wrong) > 1 else ""
        yield (
            f"{PROPORTIONS}: those of sample {truth.columns[wrong[0]]} sum to "
            f"{sums[wrong[0]]:.6g}, not to 1 within {TOLERANCE}{more}"
        )
    doubled = [*twins("samples", bulk, BULK), *twins("cell types", reference, REFERENCE)]
    yield from doubled
    if not doubled and np.linalg.matrix_rank(reference.values) < len(reference.columns):
        yield f"{REFERENCE}: one profile is a mixture of the others, so proportions are not defined"
    if truth.values.size and np.allclose(truth.values, 1 / len(truth.rows), rtol=0, atol=1e-6):
        yield f"{PROPORTIONS}: every share of every sample is equal, so there is nothing to find"


def figures_of(bulk: Table, reference: Table, truth: Table) -> dict[str, float]:
    mixed = reference.values @ truth.values
    return {
        "features": len(bulk.rows),
        "samples": len(bulk.columns),
        "cell_types": len(reference.columns),
        "zeros_in_bulk": float((bulk.values == 0).mean()),
        "rarest_type": float(truth.values.mean(axis=1).min()),
        "condition_of_profiles": float(np.linalg.cond(reference.values)),
        "fit_of_the_mixture": float(np.corrcoef(mixed.ravel(), bulk.values.ravel())[0, 1]),
    }


def check(folder: Path) -> tuple[list[str], dict[str, float]]:
    """Return what is wrong, and figures of what is right."""
    faults = [f"{file} is missing" for file in FILES if not (folder / file).is_file()]
    faults += [
        f"{shown(path.relative_to(folder).as_posix())} belongs to no data set"
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.relative_to(folder).as_posix() not in FILES
    ]
    if faults:
        return faults, {}
    tables: list[Table] = []
    for file in FILES:
        try:
            tables.append(read(folder, file))
        except RefusedError as error:
            faults.append(str(error))
    if not faults:
        faults = list(faults_of(*tables))
    return faults, {} if faults else figures_of(*tables)


def main(input_dir: Path, output_dir: Path) -> None:
    faults, figures = check(input_dir / "res")
    if faults:
        told = faults[:MAX_FAULTS]
        if len(faults) > MAX_FAULTS:
            told.append(f"and {len(faults) - MAX_FAULTS} more")
        # The participant is shown this file.
        (output_dir / "rejected.txt").write_text("\n".join(told) + "\n", encoding="utf-8")
        sys.exit("\n".join(told))
    (output_dir / "scores.json").write_text(json.dumps(figures) + "\n", encoding="ascii")
    print(figures)


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:3]))
