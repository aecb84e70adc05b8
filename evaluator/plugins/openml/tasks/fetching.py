"""Tasks of a server with their data and splits, checked, and cached with digests.

A server that is under load sends the beginning of a file, and nothing in the format shows it: so
splits are complete and sound, or refused. Complete tasks are cached, so that an import which failed
continues where it stopped. Nothing there is ever unpickled, and what does not have its digest is
fetched again.
"""

import hashlib
import json
import re
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evaluator.core.errors import (
    Actor,
    InvalidInputError,
    PlatformError,
    Problem,
    PullbenchError,
    some_of,
)
from evaluator.core.formats.json_reader import read_json
from evaluator.core.formats.table_folds import REFERENCE
from evaluator.plugins.openml.tabular.writing import (
    Fold,
    KeysOf,
    describe_table,
    whole_table,
    write_shared,
)
from evaluator.plugins.openml.tasks.client import MAX_ANSWER, OpenmlClient

if TYPE_CHECKING:
    import pandas as pd

_COMPLETE = frozenset({"crossvalidation", "holdout", "holdout_ordered"})
"""Procedures in which each row is either trained on or tested, in each fold."""


def split_digest(table: "pd.DataFrame") -> str:
    """SHA-256 of the splits, whatever the order of the file's lines."""
    ordered = table.astype("int64").sort_values(list(table.columns))
    return hashlib.sha256(ordered.to_csv(index=False).encode()).hexdigest()


def read_folds(
    table: "pd.DataFrame", *, rows: int, procedure: str, parameters: Mapping[str, str]
) -> tuple[list[Fold], list[str]]:
    """Folds of a table of repeat, fold, tested and row, and all that is wrong there."""
    repeats = _count(parameters.get("number_repeats"))
    count = _count(parameters.get("number_folds"))
    if table.empty:
        return [], ["are empty"]
    pairs = {(int(r), int(f)) for r, f in table[["repeat", "fold"]].drop_duplicates().to_numpy()}
    repeats = repeats or len({repeat for repeat, _ in pairs})
    count = count or (len({fold for _, fold in pairs}))
    wanted = {(repeat, fold) for repeat in range(repeats) for fold in range(count)}
    faults = [f"have no repeat {r}, fold {f}" for r, f in sorted(wanted - pairs)[:3]]
    faults += [
        f"have a repeat {r}, fold {f}, and the estimation procedure has {repeats} x {count}"
        for r, f in sorted(pairs - wanted)[:3]
    ]
    folds = list(_folds(table, count))
    for fold in folds:
        fold_faults = _fold_faults(fold, rows, complete=procedure in _COMPLETE)
        faults += [f"repeat {fold.repeat}, fold {fold.fold}: {fault}" for fault in fold_faults]
    if procedure == "crossvalidation":
        faults += _untested(table, rows)
    return folds, faults


def _count(text: str | None) -> int:
    return int(text) if text and text.isdecimal() else 0


def _folds(table: "pd.DataFrame", count: int) -> Iterator[Fold]:
    for key, part in table.groupby(["repeat", "fold"], sort=True):
        repeat, fold = (int(str(number)) for number in key)
        tested = part["tested"].to_numpy()
        numbers = part["row"].to_numpy()
        yield Fold(
            number=repeat * count + fold, repeat=repeat, fold=fold,
            train=numbers[~tested], test=numbers[tested],
        )  # fmt: skip


def _fold_faults(fold: Fold, rows: int, *, complete: bool) -> Iterator[str]:
    train, test = set(fold.train.tolist()), set(fold.test.tolist())
    for name, given, indices in (("training", fold.train, train), ("test", fold.test, test)):
        if not indices:
            yield f"no {name} rows"
        elif min(indices) < 0 or max(indices) >= rows:
            yield f"{name} row {max(indices)} of a data set with {rows} rows"
        if len(given) != len(indices):
            yield f"{len(given) - len(indices)} {name} rows are there twice"
    if train & test:
        yield f"{len(train & test)} rows are trained on and tested"
    missing = rows - len(train | test)
    if complete and missing > 0:
        yield f"{missing} of the data set's {rows} rows are missing"


def _untested(table: "pd.DataFrame", rows: int) -> Iterator[str]:
    tested = table[table["tested"]]
    for repeat, part in tested.groupby("repeat", sort=True):
        times = part["row"].value_counts()
        never = rows - len(times)
        often = int((times > 1).sum())
        if never > 0 or often:
            yield f"repeat {repeat}: {never} rows are never tested, {often} more than once"


CACHE = "build/openml"
"""Cache of complete tasks, in the repository."""
_FILES = ("data.parquet", "splits.parquet")
ABOUT = "task.json"


@dataclass(frozen=True, kw_only=True)
class FetchedTask:
    """A task, whole and checked."""

    id: int
    about: dict[str, Any]
    """What the server says of it: target, labels, procedure, dataset."""
    data: Path
    """Parquet with all columns; nominal ones are text."""
    folds: tuple[Fold, ...]
    splits_sha256: str
    data_sha256: str
    rows: int

    @property
    def dataset(self) -> dict[str, Any]:
        dataset: dict[str, Any] = self.about["dataset"]
        return dataset


def fetch_tasks(
    client: OpenmlClient, numbers: Sequence[int], cache: Path, *,
    tell: Callable[[str], None] = lambda _: None,
) -> list[FetchedTask]:  # fmt: skip
    """Tasks by number. Raises InvalidInputError, PlatformError; whole ones are cached."""
    place = cache / re.sub(r"[^\w.-]+", "-", client.server.partition("://")[2]).strip("-")
    stored = {number: task for number in numbers if (task := _load_cached(place / f"t{number}"))}
    missing = [number for number in numbers if number not in stored]
    items = [{"id": number, "folder": str((place / f"t{number}").resolve())} for number in missing]
    for item in items:
        shutil.rmtree(str(item["folder"]), ignore_errors=True)
    problems: list[Problem] = []
    failed: dict[str, list[str]] = {}
    if missing:
        tell(f"{client.server} is asked for {len(missing)} tasks")
    for number, answer in zip(missing, client.ask_all("task", items), strict=True):
        folder = place / f"t{number}"
        if isinstance(answer, PlatformError):
            failed.setdefault(answer.message, []).append(f"t/{number}")
        elif isinstance(answer, PullbenchError):
            problems.append(_problem(number, answer.message, answer.hint))
        else:
            fetched = _load(folder, answer)
            if isinstance(fetched, FetchedTask):
                about = {"answer": answer, "sha256": _digests(folder)}
                # Written last: a folder without it is not whole.
                (folder / ABOUT).write_text(json.dumps(about), encoding="utf-8")
                stored[number] = fetched
                name, folds = fetched.dataset["name"], len(fetched.folds)
                tell(f"t/{number} {name}: {fetched.rows} rows, {folds} folds")
                continue
            problems += fetched
        shutil.rmtree(folder, ignore_errors=True)
    texts = [f"{some_of(names, 5)}: {message}" for message, names in failed.items()]
    if problems:
        problems += [_problem(0, text, "") for text in texts]
        raise InvalidInputError(problems)
    if failed:
        hint = "Run the command again: what came whole is kept."
        raise PlatformError("\n".join(texts), hint=hint)
    return [stored[number] for number in numbers]


def _problem(number: int, message: str, hint: str) -> Problem:
    return Problem(
        file=f"t/{number}" if number else "server", message=message, hint=hint,
        actor=Actor.ORGANISER,
    )  # fmt: skip


def _digests(folder: Path) -> dict[str, str]:
    return {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in _FILES}


def _load_cached(folder: Path) -> FetchedTask | None:
    try:
        about = read_json((folder / ABOUT).read_bytes(), max_bytes=MAX_ANSWER)
        if about["sha256"] != _digests(folder):
            return None
        task = _load(folder, about["answer"])
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return task if isinstance(task, FetchedTask) else None


def _load(folder: Path, about: dict[str, Any]) -> FetchedTask | list[Problem]:
    import pandas as pd
    import pyarrow.parquet as pq

    data = folder / "data.parquet"
    splits = pd.read_parquet(folder / "splits.parquet")
    table = pq.read_table(data, columns=[about["target"]])
    folds, faults = read_folds(
        splits, rows=table.num_rows, procedure=about["procedure"],
        parameters=about["parameters"],
    )  # fmt: skip
    problems = [
        _problem(about["id"], f"the splits {fault}" if fault.startswith(("have", "are"))
                 else f"the splits, {fault}",
                 "They were truncated on the way, or do not belong to this data set. Try again "
                 "later, or tell the server's keepers.")
        for fault in faults[:5]
    ]  # fmt: skip
    if table.column(0).null_count:
        problems.append(_problem(about["id"], "rows have no value of the target", ""))
    if problems:
        return problems
    return FetchedTask(
        id=about["id"], about=about, data=data, folds=tuple(folds),
        splits_sha256=split_digest(splits), rows=table.num_rows,
        data_sha256=hashlib.sha256(data.read_bytes()).hexdigest(),
    )  # fmt: skip


def write_folds(
    task: FetchedTask, folds: Sequence[Fold], bundle: Path, slug: str,
    about: KeysOf,
) -> int:  # fmt: skip
    """Write repeats from 0; ``about`` fills dataset.json. Raises ValueError."""
    frame, target = read_frame(task), str(task.about["target"])
    labels = [str(label) for label in task.about["labels"]]
    table, classes = whole_table(frame, target, classes=bool(labels), labels=labels)
    meta = {**describe_table(str(task.dataset["name"]), table, target, classes),
            "openml_task_id": task.id}  # fmt: skip
    orders: dict[int, list[int]] = {}  # official splits train on rows as their folds test them
    for fold in task.folds:
        orders.setdefault(fold.repeat, []).extend(fold.test.tolist())
    write_shared(
        bundle / REFERENCE / slug, table, meta, folds,
        about=lambda fold: {"fold": fold.number, **about(fold)},
        # A run at the server knows rows by these.
        origin=lambda fold: {
            "task": task.id, "dataset": task.dataset["id"], "repeat": fold.repeat,
            "fold": fold.fold, "folds": len(task.folds), "labels": labels,
        },
        orders=orders,
    )  # fmt: skip
    return len(frame.columns) - 1


def read_frame(task: FetchedTask) -> "pd.DataFrame":
    """The table with its categories, without what the data set says to leave out."""
    import pandas as pd

    frame = pd.read_parquet(task.data)
    left_out = [name for name in task.dataset["left_out"] if name != task.about["target"]]
    frame = frame.drop(columns=[name for name in left_out if name in frame.columns])
    for feature in task.dataset["features"]:
        name = feature["name"]
        if feature["levels"] and name in frame.columns:
            levels = list(dict.fromkeys(str(level) for level in feature["levels"]))
            values = frame[name].astype(object)
            unknown = sorted({str(value) for value in values.dropna()} - set(levels))
            frame[name] = pd.Categorical(values, categories=levels + unknown)
    return frame
