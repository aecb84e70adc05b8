"""Real data for the loopback server: kr-vs-kp as scikit-learn's wheel has it, and a small part."""

import gzip
from functools import cache
from importlib.resources import files
from pathlib import Path

import arff

from tests.openml_server import Column, OpenMLServer, ServedDataset, ServedSuite, ServedTask

ROOT = Path(__file__).parents[3]
WHEEL = "sklearn.datasets.tests.data.openml.id_3"


@cache
def official_folds() -> tuple[int, ...]:
    """The fold in which each row of OpenML's task 3 is tested."""
    text = (ROOT / "benchmarks/openml-mini-suite/make_data/t3-folds.txt").read_text()
    return tuple(int(digit) for digit in text if digit.isdecimal())


@cache
def chess() -> ServedDataset:
    """kr-vs-kp, 3196 x 37."""
    content = (files(WHEEL) / "data-v1-dl-3.arff.gz").read_bytes()
    read = arff.loads(gzip.decompress(content).decode())
    columns = zip(*read["data"], strict=True)
    return ServedDataset(
        id=3, name="kr-vs-kp", target="class", tags=("OpenML-CC18", "uci"),
        columns=[
            Column(name=name, levels=tuple(levels), values=values)
            for (name, levels), values in zip(read["attributes"], columns, strict=True)
        ],
    )  # fmt: skip


def chess_task() -> ServedTask:
    """Its official task."""
    return ServedTask(id=3, dataset=3, folds=[official_folds()])


def small(rows: int = 30, *, number: int = 7, name: str = "small") -> ServedDataset:
    """A few rows with a number, a nominal column with a gap, and three classes."""
    return ServedDataset(
        id=number, name=name, target="y", ignored=("row",),
        columns=[
            Column(name="row", values=[str(row) for row in range(rows)]),
            Column(name="a", values=[str(row // 6 % 7) for row in range(rows)]),
            Column(name="b", levels=("red", "blue", "1"),
                   values=["?" if row == 0 else ("red", "blue", "1")[row // 6 % 3]
                           for row in range(rows)]),
            Column(name="y", levels=("two", "one", "ten"),
                   values=[("one", "two", "ten")[row % 3] for row in range(rows)]),
        ],
    )  # fmt: skip


def small_task(
    *, number: int = 70, dataset: int = 7, repeats: int = 2, rows: int = 30
) -> ServedTask:
    """Three folds in each repeat."""
    folds = [[(row + row // 3 * repeat) % 3 for row in range(rows)] for repeat in range(repeats)]
    return ServedTask(id=number, dataset=dataset, folds=folds)


def fill(server: OpenMLServer) -> None:
    """Give a server one suite of two tasks."""
    server.add(
        chess(), chess_task(), small(), small_task(),
        ServedSuite(id=99, alias="two-tasks", name="Two tasks", tasks=[3, 70]),
    )  # fmt: skip


def prices(rows: int = 30) -> ServedDataset:
    """Regression, with levels that look like numbers and truth values."""
    return ServedDataset(
        id=9, name="prices", target="price",
        columns=[
            Column(name="sold", levels=("TRUE", "FALSE"),
                   values=[("TRUE", "FALSE")[row % 2] for row in range(rows)]),
            Column(name="size", values=["?" if row == 3 else str(row) for row in range(rows)]),
            Column(name="code", levels=("1", "02", "3"),
                   values=[("1", "02", "3")[row % 3] for row in range(rows)]),
            Column(name="price", values=[f"{row}.5" for row in range(rows)]),
        ],
    )  # fmt: skip


def sparse(rows: int = 30) -> ServedDataset:
    """Mostly zeros; the last rows hold nothing else."""
    return ServedDataset(
        id=10, name="words", target="kind", format="Sparse_ARFF",
        columns=[
            Column(name="one", values=["2" if row % 5 == 0 else "0" for row in range(rows)]),
            Column(name="two", values=["?" if row == 1 else "0" for row in range(rows)]),
            Column(name="shade", levels=("none", "dark"),
                   values=["dark" if row % 7 == 0 else "none" for row in range(rows)]),
            Column(name="kind", levels=("no", "yes"),
                   values=["yes" if row < 25 and row % 2 else "no" for row in range(rows)]),
        ],
    )  # fmt: skip


def stored(*, number: int = 11, name: str = "stored") -> ServedDataset:
    """Parquet without ARFF."""
    plain = small(number=number, name=name)
    return ServedDataset(
        id=number, name=name, target="y", ignored=("row",), columns=plain.columns,
        format="parquet",
    )  # fmt: skip


def fill_more(server: OpenMLServer) -> None:
    """Give a server every kind of task that is taken."""
    server.add(
        small(number=8, name="Small.2"), small_task(number=71, dataset=8),
        prices(), ServedTask(id=90, dataset=9, regression=True, folds=[[r % 3 for r in range(30)]]),
        sparse(), ServedTask(id=100, dataset=10, folds=[[r % 3 for r in range(30)]]),
        stored(), small_task(number=110, dataset=11, repeats=1),
        ServedTask(id=72, dataset=7, folds=[[row // 3 % 3 for row in range(30)]]),
        *(small(600, number=number, name=f"set{number}x") for number in (80, 81)),
        *(small_task(number=number, dataset=number, rows=600) for number in (80, 81)),
        ServedSuite(id=5, alias="pair", name="A pair", tasks=[70, 71]),
    )  # fmt: skip
