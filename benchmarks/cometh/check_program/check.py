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
MAX_FAULTS = 5
"""Of one kind that the participant is shown; more are counted, and in the log."""
MAX_TEXT = 950
"""Characters that a record has room for."""


class RefusedError(Exception):
    """The file cannot be read at all."""


@dataclass(frozen=True, kw_only=True)
class Table:
    """A matrix with the names of its rows and columns, as far as they could be read."""

    rows: list[str]
    columns: list[str]
    values: np.ndarray
    """NaN where there is no number that is taken."""
    faults: list[str]

    @property
    def is_whole(self) -> bool:
        """Whether every value is one: only then can they be compared and summed."""
        return bool(np.isfinite(self.values).all()) and self.values.size > 0


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


def name_faults(names: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Yield the place of each name that is not taken, and why."""
    known: set[str] = set()
    for place, name in enumerate(names):
        if not NAME.fullmatch(name):
            yield (
                place,
                (
                    f"the name {shown(name)} is not taken: 1 to 60 ASCII letters, digits and "
                    "' .,:+/()_-', a letter or digit first"
                ),
            )
        elif name in known:
            yield place, f"{shown(name)} stands there twice"
        known.add(name)


def read(folder: Path, file: str) -> Table:
    """Read a table with all that is wrong with it. Raises RefusedError where it is none."""
    header, *lines = lines_of(folder / file)
    corner, *columns = header.split("\t")
    faults: list[str] = []
    if corner != CORNERS[file]:
        faults.append(f"{file}, line 1 begins with {shown(corner)}; expected is {CORNERS[file]}")
    for place, fault in name_faults(columns):
        faults.append(f"{file}, line 1, column {place + 2}: {fault}")
    names = [line.partition("\t")[0] for line in lines]
    if "NA" in names or not any(name[:1].isalpha() and name not in NO_WORDS for name in names):
        faults.append(
            f"{file}: names of rows must not be NA, and not all numbers or truth values, which R "
            "reads as such"
        )
    of_names = dict(name_faults(names))
    values = np.full((len(lines), len(columns)), math.nan)
    for row, line in enumerate(lines):
        where = f"{file}, line {row + 2}"
        if row in of_names:
            faults.append(f"{where}: {of_names[row]}")
        words = line.split("\t")[1:]
        if len(words) != len(columns):
            faults.append(f"{where}: {len(words)} values under {len(columns)} names")
            continue
        for place, word in enumerate(words):
            value, fault = to_number(word)
            values[row, place] = value
            if fault:
                faults.append(f"{where}, {shorter(columns[place])}: {fault}")
    return Table(rows=names, columns=columns, values=values, faults=faults)


def to_number(word: str) -> tuple[float, str]:
    """Return a number, or NaN and why it is none that is taken."""
    value = float(word) if NUMBER.fullmatch(word) else math.nan
    if not math.isfinite(value):
        return math.nan, f"{shown(word)} is not a finite number"
    if value < 0:
        return math.nan, f"{shown(word)} is negative"
    if value > LARGEST:
        return math.nan, f"{shown(word)} is larger than {LARGEST:g}"
    return value, ""


def shorter(name: str) -> str:
    """Return a name as messages have it, quoted where it is none that is taken."""
    return name if NAME.fullmatch(name) else shown(name)


def within(what: str, count: int, bounds: tuple[int, int]) -> Iterator[str]:
    low, high = bounds
    if not low <= count <= high:
        yield f"{what}: {count:,}; this benchmark takes {low:,} to {high:,}"


def same_names(
    what: str, one: Sequence[str], file: str, other: Sequence[str], expected: str, *, rows: bool
) -> Iterator[str]:
    """Report where two files first name different things, and at how many places more."""
    if len(one) != len(other):
        yield f"{file} has {len(one):,} {what}, {expected} has {len(other):,}"
    places = [place for place, pair in enumerate(zip(one, other, strict=False)) if len({*pair}) > 1]
    if places:
        first = places[0]
        where = f"line {first + 2}" if rows else f"line 1, column {first + 2}"
        more = f", and at {len(places) - 1:,} places more" if len(places) > 1 else ""
        wanted = f"{expected} has {shown(other[first])}"
        yield f"{file}, {where}: {shown(one[first])} where {wanted}{more}"


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


def faults_of(tables: dict[str, Table]) -> Iterator[str]:
    """Yield what is wrong of the files together, as far as each of them could be read."""
    bulk, reference, truth = (tables.get(file) for file in FILES)
    if bulk:
        yield from within("features", len(bulk.rows), FEATURES)
        yield from within("samples", len(bulk.columns), SAMPLES)
    if reference:
        yield from within("cell types", len(reference.columns), TYPES)
    if bulk and reference:
        yield from same_names("features", reference.rows, REFERENCE, bulk.rows, BULK, rows=True)
    if reference and truth:
        yield from same_names(
            "cell types", truth.rows, PROPORTIONS, reference.columns, REFERENCE, rows=True
        )
    if bulk and truth:
        yield from same_names("samples", truth.columns, PROPORTIONS, bulk.columns, BULK, rows=False)
    if truth and truth.is_whole:
        yield from of_proportions(truth)
    doubled: list[str] = []
    if bulk and bulk.is_whole:
        doubled += twins("samples", bulk, BULK)
    if reference and reference.is_whole:
        alike = list(twins("cell types", reference, REFERENCE))
        doubled += alike
        if not alike and np.linalg.matrix_rank(reference.values) < len(reference.columns):
            doubled.append(
                f"{REFERENCE}: one profile is a mixture of the others, so proportions are not "
                "defined"
            )
    yield from doubled


def of_proportions(truth: Table) -> Iterator[str]:
    sums = truth.values.sum(axis=0)
    for place in np.flatnonzero(np.abs(sums - 1) > TOLERANCE):
        yield (
            f"{PROPORTIONS}: those of sample {shorter(truth.columns[place])} sum to "
            f"{sums[place]:.6g}, not to 1 within {TOLERANCE}"
        )
    if np.allclose(truth.values, 1 / len(truth.rows), rtol=0, atol=1e-6):
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


def check(folder: Path) -> tuple[list[list[str]], dict[str, float]]:
    """Return what is wrong, in groups of one kind or file, and figures of what is right."""
    strangers = [
        f"{shown(path.relative_to(folder).as_posix())} belongs to no data set"
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.relative_to(folder).as_posix() not in FILES
    ]
    groups = [strangers]
    tables: dict[str, Table] = {}
    for file in FILES:
        if not (folder / file).is_file():
            groups.append([f"{file} is missing"])
            continue
        try:
            tables[file] = read(folder, file)
            groups.append(tables[file].faults)
        except RefusedError as error:
            groups.append([str(error)])
    groups.append(list(faults_of(tables)))
    groups = [group for group in groups if group]
    return groups, {} if groups else figures_of(*(tables[file] for file in FILES))


def in_short(groups: list[list[str]]) -> list[str]:
    """Return of each group as much as there is room for, so that none hides the others."""
    lines: list[str] = []
    for most in range(MAX_FAULTS, 0, -1):
        lines = []
        for group in groups:
            more = len(group) - most
            lines += [*group[:most], *([f"and {more:,} more like these"] if more > 0 else [])]
        if sum(len(line) + 3 for line in lines) <= MAX_TEXT:
            break
    return lines


def main(input_dir: Path, output_dir: Path) -> None:
    groups, figures = check(input_dir / "res")
    if groups:
        # The log has all of it. The participant is shown this file.
        print("\n".join(line for group in groups for line in group))
        said = "\n".join(in_short(groups))
        (output_dir / "rejected.txt").write_text(said + "\n", encoding="utf-8")
        sys.exit(1)
    (output_dir / "scores.json").write_text(json.dumps(figures) + "\n", encoding="ascii")
    print(figures)


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:3]))
