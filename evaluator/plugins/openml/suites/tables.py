"""Data sets in memory, wherever they came from; also those of a benchmark of this repository."""

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evaluator.core.errors import InvalidInputError, PullbenchError, UsageError
from evaluator.core.formats.bundle import FILE_NAME, parse_bundle
from evaluator.core.formats.json_reader import read_json
from evaluator.core.formats.paths import shown
from evaluator.core.formats.phases import Task
from evaluator.core.formats.quantities import slug
from evaluator.core.formats.table_folds import DATASET, TABLE

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, kw_only=True, eq=False)
class SourceTable:
    """A table with a target and what its source says of it."""

    name: str
    frame: "pd.DataFrame"
    """All columns; nominal ones are text or categories."""
    target: str
    source: str
    """As a person would write it: a file, a package's member, t/3."""
    tags: tuple[str, ...] = ()
    status: str = "active"
    sparse: bool = False
    openml_task: int | None = None

    @property
    def key(self) -> str:
        """Name without case, punctuation and version, by which duplicates are found."""
        return re.sub(r"[_-]v\d+$", "", re.sub(r"[^a-z0-9_-]", "", self.name.lower()))

    def nominal(self) -> list[str]:
        return [
            name
            for name in self.frame.columns
            if name != self.target and self.frame[name].dtype.kind not in "biuf"
        ]

    def sha256(self) -> str:
        """Digest of all values in order, with the columns' names and the target."""
        text = self.frame.to_csv(index=False, lineterminator="\n")
        return hashlib.sha256(f"{self.target}\n{text}".encode()).hexdigest()


BENCHMARK = "benchmark:"


def benchmark_tables(word: str, root: Path) -> Iterator[SourceTable]:
    """Yield tables of ``benchmark:NAME`` or one task, whole or of fold 0."""
    name, _, wanted = word.removeprefix(BENCHMARK).partition("/")
    folder = root / "benchmarks" / name
    if not (folder / FILE_NAME).is_file():
        raise UsageError(f"there is no benchmark '{shown(name)}'")
    files = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    benchmark, problems = parse_bundle(name, (folder / FILE_NAME).read_bytes(), files)
    if benchmark is None:
        raise InvalidInputError(problems)
    tasks = [task for task in benchmark.tasks if wanted in ("", task.slug)]
    if not tasks:
        slugs = ", ".join(task.slug for task in benchmark.tasks)
        raise UsageError(f"{name} has no task '{shown(wanted)}'", hint=f"Its tasks are {slugs}.")
    for task in tasks:
        table = _table(folder, task)
        if table is None:
            raise PullbenchError(
                f"task '{task.slug}' of {name} has no table in this repository",
                hint="Its data are private, or not in the form of the tabular programs.",
            )
        frame, about = table
        yield SourceTable(
            name=slug(str(about.get("name", ""))) or task.slug, frame=frame,
            target=str(about["target"]), source=f"{BENCHMARK}{name}/{task.slug}",
        )  # fmt: skip


def _table(bundle: Path, task: Task) -> "tuple[pd.DataFrame, dict[str, Any]] | None":
    import pandas as pd

    if task.reference_data is None:
        return None
    reference = bundle / task.reference_data
    try:
        if (reference / TABLE).is_file():
            about = read_json((reference / DATASET).read_bytes(), max_bytes=2**24)
            return pd.read_parquet(reference / TABLE), about
        if task.input_data is None:
            return None
        inputs = bundle / task.input_data / "0"
        about = read_json((inputs / DATASET).read_bytes(), max_bytes=2**24)
        train, test = (pd.read_parquet(inputs / f"{part}.parquet") for part in ("train", "test"))
        truth = pd.read_parquet(reference / "0/truth.parquet")["truth"]
        whole = pd.concat([train, test.assign(**{about["target"]: truth})], ignore_index=True)
        return whole[list(train.columns)], about
    except (OSError, ValueError, KeyError, TypeError):
        return None
