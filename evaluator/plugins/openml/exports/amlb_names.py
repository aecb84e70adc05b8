"""What the AutoML Benchmark's table says of a submission: framework, version, parameters."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from evaluator.core.errors import InvalidInputError
from evaluator.core.formats.bundle import Benchmark
from evaluator.core.formats.json_reader import read_json
from evaluator.core.formats.phases import Task
from evaluator.core.formats.submission import Submission
from evaluator.core.leaderboard.published import PublicBoard
from evaluator.core.planning.snapshot import Snapshot
from evaluator.plugins.openml.amlb.adding import ABOUT
from evaluator.plugins.openml.amlb.definition import sanitised
from evaluator.plugins.openml.exchange.amlb_table import AmlbRow, read_rows
from evaluator.plugins.openml.exchange.reporting import ROWS, plain_name, stated_values

_MAX_ABOUT = 2**20
_MAX_PARAMS = 10_000
"""Characters of ``params``."""


def _about(snapshot: Snapshot, submission: Submission) -> dict[str, Any]:
    path = f"{_folder(submission)}/{ABOUT}"
    content = snapshot.tree.read([path]).get(path)
    if content is None:
        return {}
    try:
        about = read_json(content, max_bytes=_MAX_ABOUT)
    except ValueError:
        return {}
    return about if isinstance(about, dict) else {}


@dataclass(frozen=True, kw_only=True)
class About:
    """What framework.json says."""

    version: str = ""
    params: Mapping[str, Any] = field(default_factory=dict)

    @property
    def texts(self) -> dict[str, str]:
        texts = {"version": self.version, "params": repr(self.params) if self.params else ""}
        return {key: text for key, text in texts.items() if text}


def read_about(snapshot: Snapshot, submission: Submission) -> About:
    """Return version and parameters of framework.json; none of what is no such thing."""
    about = _about(snapshot, submission)
    params = about.get("params")
    is_plain = isinstance(params, dict) and len(repr(params)) <= _MAX_PARAMS
    return About(
        version=str(about.get("version") or "")[:100],
        params=params if is_plain and params is not None else {},
    )


def _folder(submission: Submission) -> str:
    return f"submissions/{submission.benchmark}/{submission.participant}/{submission.name}"


class Names:
    """Names of frameworks, no two alike, and the rows that reported results were made of."""

    def __init__(self, snapshot: Snapshot, board: PublicBoard) -> None:
        self._snapshot = snapshot
        self._submissions = [row.submission for row in (*board.rows, *board.unlisted)]
        self._rows: dict[str, Mapping[tuple[str, int], AmlbRow]] = {}

    def framework(self, submission: Submission) -> str:
        return self._names[submission.id]

    def of_entry(self, entry: str) -> str:
        """Return the framework of ``participant/submission``; empty where it is not there."""
        return next(
            (self.framework(item) for item in self._submissions
             if f"{item.participant}/{item.name}" == entry), "",
        )  # fmt: skip

    @cached_property
    def _names(self) -> dict[str, str]:
        plain = {item.id: self._plain(item) for item in self._submissions}
        counts = Counter(name.lower() for name in plain.values())
        names: dict[str, str] = {}
        for item in self._submissions:
            name = plain[item.id]
            if counts[name.lower()] > 1:
                name = f"{name}_{sanitised(item.participant)}"
            if name.lower() in map(str.lower, names.values()):
                name = f"{name}_{sanitised(item.name)}"
            names[item.id] = name
        return names

    def _plain(self, submission: Submission) -> str:
        about = _about(self._snapshot, submission).get("name")
        rows = self._of(submission)
        stated = next((row.framework for row in rows.values()), None)
        return sanitised(str(stated or about or submission.name)[:100]) or submission.name

    def stated_row(
        self, submission: Submission, task: Task, fold: int,
        stated: Mapping[str, float] | str, benchmark: Benchmark,
    ) -> AmlbRow | None:  # fmt: skip
        """Return the row that a reported fold was made of, where it shows the same still."""
        rows, rules = self._of(submission), benchmark.leaderboard
        hidden = {column.key for column in rules.columns if column.hidden}
        keys = [key for key in rules.score_keys if key not in hidden]
        for name in (task.name, task.slug):
            row = rows.get((plain_name(name), fold))
            if row is not None:
                return row if stated_values(row, keys) == stated else None
        return None

    def _of(self, submission: Submission) -> Mapping[tuple[str, int], AmlbRow]:
        if submission.reported is None:
            return {}
        if submission.id not in self._rows:
            path = f"{_folder(submission)}/{ROWS}"
            content = self._snapshot.tree.read([path]).get(path)
            try:
                rows = read_rows(content, path) if content is not None else []
            except InvalidInputError:
                rows = []
            self._rows[submission.id] = {(plain_name(row.task), row.fold): row for row in rows}
        return self._rows[submission.id]
