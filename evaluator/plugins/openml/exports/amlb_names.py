"""What AMLB's table says of a submission and of a fold, read from a tree."""

import contextlib
import io
from collections import Counter
from collections.abc import Mapping
from functools import cached_property
from typing import Any

from evaluator.core.errors import InvalidInputError
from evaluator.core.formats.bundle import Benchmark
from evaluator.core.formats.json_reader import read_json
from evaluator.core.formats.phases import Task
from evaluator.core.formats.submission import Submission
from evaluator.core.formats.table_folds import (
    DATASET,
    ROWS,
    TABLE,
    FoldError,
    description,
    truth_table,
)
from evaluator.core.leaderboard.published import PublicBoard
from evaluator.core.planning.snapshot import Snapshot
from evaluator.plugins.openml.amlb.adding import ABOUT
from evaluator.plugins.openml.amlb.definition import sanitise
from evaluator.plugins.openml.exchange.amlb_table import AmlbRow, read_rows
from evaluator.plugins.openml.exchange.reporting import RESULTS, stated_values, tasks_of
from evaluator.plugins.openml.tabular.fold_descriptions import FILE, stored_facts

_MAX_DESCRIPTION = 2**24


def fold_description(
    snapshot: Snapshot, benchmark: Benchmark, task: Task, repeat: int | None = None
) -> dict[str, Any]:
    """Dataset.json of a fold, or what folds.json says of it; empty if there is neither."""
    is_rows = benchmark.repeat_data_of(task) == "rows"
    base = f"{benchmark.path}/{task.reference_data if is_rows else task.input_data}"
    described = read_keys(snapshot, f"{base}/{DATASET}")
    if is_rows:
        with contextlib.suppress(FoldError):
            described = description(described, read_keys(snapshot, f"{base}/{repeat or 0}/{ROWS}"))
    else:
        described = read_keys(snapshot, f"{base}/{repeat or 0}/{DATASET}") or described
    if described or not task.private:
        return described
    stored = read_keys(snapshot, f"{benchmark.path}/{FILE}")
    return stored_facts(stored, task.reference_data or "", repeat or 0)


def fold_truth(
    snapshot: Snapshot, benchmark: Benchmark, task: Task, repeat: int
) -> list[Any] | None:
    """The answers to a fold's test rows; None where they are not in the tree."""
    import pyarrow.parquet as pq

    base = f"{benchmark.path}/{task.reference_data}"
    if benchmark.repeat_data_of(task) == "rows":
        table = snapshot.tree.read([f"{base}/{TABLE}"]).get(f"{base}/{TABLE}")
        rows = read_keys(snapshot, f"{base}/{repeat}/{ROWS}").get("rows")
        target = read_keys(snapshot, f"{base}/{DATASET}").get("target")
        if table is None or not isinstance(rows, list) or not isinstance(target, str):
            return None
        column = pq.read_table(io.BytesIO(table), columns=[target])[target]
        answers: list[Any] = truth_table(column.take(rows))["truth"].to_pylist()
        return answers
    paths = [f"{base}/{repeat}/truth.parquet", f"{base}/truth.parquet"]
    contents = snapshot.tree.read(paths)
    stored = next((contents[path] for path in paths if path in contents), None)
    return pq.read_table(io.BytesIO(stored))["truth"].to_pylist() if stored else None


def read_keys(snapshot: Snapshot, path: str, max_bytes: int = _MAX_DESCRIPTION) -> dict[str, Any]:
    """Read a JSON file of a tree; empty if it is not there, or holds no keys."""
    content = snapshot.tree.read([path]).get(path)
    try:
        keys = read_json(content or b"{}", max_bytes=max_bytes)
    except (ValueError, RecursionError):
        return {}
    return keys if isinstance(keys, dict) else {}


_MAX_ABOUT = 2**20
_MAX_PARAMS = 10_000
"""Characters of ``params``."""


def _about(snapshot: Snapshot, submission: Submission) -> dict[str, Any]:
    return read_keys(snapshot, f"{submission.path}/{ABOUT}", _MAX_ABOUT)


def framework_version(snapshot: Snapshot, submission: Submission) -> tuple[str, dict[str, Any]]:
    """Version and parameters of framework.json; empty if it does not state them."""
    about = _about(snapshot, submission)
    params = about.get("params")
    is_plain = isinstance(params, dict) and len(repr(params)) <= _MAX_PARAMS
    return str(about.get("version") or "")[:100], params if params and is_plain else {}


class Names:
    """Names of frameworks, no two alike, and the rows that reported results were made of."""

    def __init__(self, snapshot: Snapshot, board: PublicBoard) -> None:
        self._snapshot, self._phase = snapshot, board.phase
        self._submissions = [row.submission for row in (*board.rows, *board.unlisted)]
        self._rows: dict[str, Mapping[tuple[str, int], AmlbRow]] = {}

    def framework(self, submission: Submission) -> str:
        return self._names[submission.id]

    def framework_of_entry(self, entry: str) -> str:
        ids = (item.id for item in self._submissions if item.id.partition("/")[2] == entry)
        return next((self._names[id_] for id_ in ids), "")

    @cached_property
    def _names(self) -> dict[str, str]:
        plain = {item.id: self._plain(item) for item in self._submissions}
        counts = Counter(name.lower() for name in plain.values())
        names: dict[str, str] = {}
        for item in self._submissions:
            name = plain[item.id]
            if counts[name.lower()] > 1:
                name = f"{name}_{sanitise(item.participant)}"
            if name.lower() in map(str.lower, names.values()):
                name = f"{name}_{sanitise(item.name)}"
            names[item.id] = name
        return names

    def _plain(self, submission: Submission) -> str:
        about = _about(self._snapshot, submission).get("name")
        rows = self._stated_rows(submission)
        stated = next((row.framework for row in rows.values()), None)
        return sanitise(str(stated or about or submission.name)[:100]) or submission.name

    def stated_row(
        self, submission: Submission, task: Task, fold: int,
        stated: Mapping[str, float] | str, benchmark: Benchmark,
    ) -> AmlbRow | None:  # fmt: skip
        """The row that a reported fold was made of, where it shows the same still."""
        row, rules = self._stated_rows(submission).get((task.slug, fold)), benchmark.leaderboard
        hidden = {column.key for column in rules.columns if column.hidden}
        keys = [key for key in rules.score_keys if key not in hidden]
        return row if row is not None and stated_values(row, keys, task) == stated else None

    def _stated_rows(self, submission: Submission) -> Mapping[tuple[str, int], AmlbRow]:
        if submission.reported is None:
            return {}
        if submission.id not in self._rows:
            path = f"{submission.path}/{RESULTS}"
            content = self._snapshot.tree.read([path]).get(path)
            try:
                rows = read_rows(content, path) if content is not None else []
            except InvalidInputError:
                rows = []
            tasks = tasks_of(rows, self._phase)
            self._rows[submission.id] = {
                (tasks[row.task].slug, row.fold): row for row in rows if row.task in tasks
            }
        return self._rows[submission.id]
