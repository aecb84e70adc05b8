"""Snapshot and clock -> the cells that are missing or stale, each with its reason."""

import datetime as dt
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from evaluator.formats.budget import budget_part
from evaluator.formats.bundle import Benchmark, Phase, Task
from evaluator.formats.cell import PART_NAMES, CellId, Keys, cell_keys, changed_parts, digest
from evaluator.formats.columns import columns_part
from evaluator.formats.submission import FILE_NAME, SCORES, Submission
from evaluator.planning.entries import entries
from evaluator.planning.ledger import Ledger
from evaluator.planning.quotas import Refusal, refusals
from evaluator.planning.snapshot import Snapshot
from evaluator.planning.tree import Tree

CONTEXT_FOLDER = "docker"
"""With Dockerfile and requirements*.txt the context of an image build, and nothing else: a
changed page or data set must not make another image."""


@dataclass(frozen=True, kw_only=True)
class Cell:
    """A cell with all that is needed to evaluate it."""

    id: CellId
    keys: Keys
    benchmark: Benchmark
    phase: Phase
    task: Task
    submission: Submission
    migrated: bool
    """Whether it was carried here from the phase before."""


@dataclass(frozen=True, kw_only=True)
class PlannedCell:
    """A cell that has no valid record."""

    cell: Cell
    state: Literal["new", "stale", "retry", "asked"]
    """``asked`` is a cell with a valid record that somebody wants evaluated afresh."""
    reason: str
    unseen: bool = False
    """Whether this content of the submission has no record yet: an attempt, for quotas."""


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What is to be done."""

    missing: tuple[PlannedCell, ...]
    """By cell."""
    total: int
    """Cells of all phases that have started."""
    waiting: int
    """Cells of phases that have not started."""
    refused: tuple[Refusal, ...] = ()
    """Submissions beyond a quota or outside their phase's window."""


NO_LEDGER = Ledger()


def make_plan(
    snapshot: Snapshot,
    now: dt.datetime,
    ledger: Ledger = NO_LEDGER,
    every: Iterable[Cell] | None = None,
) -> Plan:
    """Compare the keys of all cells with those in their records.

    ``every`` are the cells of the snapshot, where the caller has them already.
    """
    missing: list[PlannedCell] = []
    total = waiting = 0
    explain = _Explainer(snapshot.tree)
    for cell in cells(snapshot, now) if every is None else every:
        if not cell.phase.has_started(now):
            waiting += 1
            continue
        total += 1
        planned = _compare(cell, snapshot, explain)
        if planned is not None:
            missing.append(planned)
    refused = refusals(snapshot, _unseen(missing), ledger)
    kept = [item for item in missing if item.cell.submission.id not in refused]
    kept.sort(key=lambda planned: _order(planned.cell.id))
    return Plan(missing=tuple(kept), total=total, waiting=waiting, refused=tuple(refused.values()))


def _unseen(missing: Iterable[PlannedCell]) -> list[Submission]:
    """Submissions to their own phase whose content has never been evaluated."""
    found = {
        item.cell.submission.id: item.cell.submission
        for item in missing
        if item.unseen and not item.cell.migrated
    }
    return list(found.values())


def cells(snapshot: Snapshot, now: dt.datetime) -> Iterator[Cell]:
    """All cells of a snapshot, with their keys; ``now`` decides what has been migrated."""
    digests = PartDigests(snapshot.tree)
    entered = {item.id: item.phase for item in snapshot.submissions}
    for submission in entries(snapshot, now):
        benchmark = snapshot.benchmarks[submission.benchmark]
        phase = benchmark.phase(submission.phase)
        if phase is None or submission.reported is not None:
            continue
        own = digests.submission(submission)
        for task in phase.tasks:
            parts = {**digests.task(benchmark, phase, task), "submission": own}
            for repeat in range(benchmark.repeats):
                yield Cell(
                    id=CellId(
                        benchmark=benchmark.name,
                        participant=submission.participant,
                        submission=submission.name,
                        phase=phase.slug,
                        task=task.slug,
                        repeat=repeat if benchmark.repeats > 1 else None,
                    ),
                    keys=cell_keys({**parts, "repeat": str(repeat)}),
                    benchmark=benchmark,
                    phase=phase,
                    task=task,
                    submission=submission,
                    migrated=entered[submission.id] != submission.phase,
                )


class PartDigests:
    """Digests of the parts of keys; those of a task are made once for all its submissions."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._tasks: dict[tuple[str, int, int], dict[str, str]] = {}

    def submission(self, submission: Submission) -> str:
        """Content without scores and without submission.yaml, of which only the kind counts.

        A corrected description or fact sheet is no reason to evaluate anything again.
        """
        content = self._tree.digest(submission.path, frozenset({SCORES, FILE_NAME}))
        return digest([content, submission.kind])

    def task(self, benchmark: Benchmark, phase: Phase, task: Task) -> dict[str, str]:
        """Everything but the submission and the repeat."""
        key = (benchmark.name, phase.index, task.index)
        if key not in self._tasks:
            self._tasks[key] = self._make(benchmark, phase, task)
        return self._tasks[key]

    def _make(self, benchmark: Benchmark, phase: Phase, task: Task) -> dict[str, str]:
        def of(path: str | None) -> str:
            return self._tree.digest(f"{benchmark.path}/{path}") if path else ""

        pinned = {item.file: item.sha256 for item in task.private}
        # How much log is kept changes no result.
        limits = benchmark.limits.model_dump(exclude={"log_size"}) | {
            "cpus": repr(benchmark.limits.cpus),
            "seconds": phase.execution_time_limit,
            "network": benchmark.network,
            "gpus": benchmark.gpus,
            "parallel": task.parallel,
            **budget_part(phase.budget, task.index),
        }
        context = [
            [path, self._tree.digest(f"{benchmark.path}/{path}")]
            for path in build_context(self._tree, benchmark)
        ]
        return {
            "ingestion_program": of(task.ingestion_program),
            "input_data": pinned.get("input_data") or of(task.input_data),
            "image": digest([benchmark.docker_image, context]),
            "limits": digest(limits),
            "scoring_program": of(task.scoring_program),
            "reference_data": pinned.get("reference_data") or of(task.reference_data),
            "columns": digest(columns_part(benchmark.leaderboard, recorded_keys(benchmark, phase))),
        }


def recorded_keys(benchmark: Benchmark, phase: Phase) -> tuple[str, ...]:
    """Keys of the scores that a finished record of a phase holds."""
    return benchmark.leaderboard.score_keys if phase.shows == "results" else ()


def build_context(tree: Tree, benchmark: Benchmark) -> list[str]:
    """Paths, from the bundle's directory, that an image build sees.

    Without a Dockerfile requirements*.txt alone, which the subprocess engine installs.
    """
    start = len(benchmark.path) + 1
    return [
        name
        for path in tree.under(benchmark.path)
        if (name := path[start:]) == "Dockerfile"
        or (benchmark.has_dockerfile and name.startswith(f"{CONTEXT_FOLDER}/"))
        or ("/" not in name and name.startswith("requirements") and name.endswith(".txt"))
    ]


def _compare(cell: Cell, snapshot: Snapshot, explain: "_Explainer") -> PlannedCell | None:
    head = snapshot.head(cell.id)
    if head is None:
        return PlannedCell(cell=cell, state="new", reason="no record yet", unseen=True)
    keys = head.get("keys")
    if not isinstance(keys, dict) or not isinstance(keys.get("parts"), dict):
        return PlannedCell(cell=cell, state="stale", reason="its record cannot be read")
    if keys.get("score") != cell.keys.score:
        unseen = keys["parts"].get("submission") != cell.keys.parts["submission"]
        reason = explain(cell, keys["parts"])
        return PlannedCell(cell=cell, state="stale", reason=reason, unseen=unseen)
    error = head.get("error")
    if isinstance(error, dict) and error.get("actor") == "platform":
        return PlannedCell(
            cell=cell, state="retry", reason=f"platform fault: {error.get('message', '')}"
        )
    return None


class _Explainer:
    """Says why a cell is stale; asks git once for each cause."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._last_change = lru_cache(maxsize=None)(tree.last_change)

    def __call__(self, cell: Cell, old: Mapping[str, str]) -> str:
        changed = changed_parts(old, cell.keys.parts)
        if not changed:
            return "evaluated by another version of pullbench"
        return "; ".join(self._one(cell, part) for part in changed)

    def _one(self, cell: Cell, part: str) -> str:
        text = f"{PART_NAMES[part]} changed"
        paths = _part_paths(self._tree, cell, part)
        if not paths:
            return text
        commit = self._last_change(paths)
        return f"{text} in {commit}" if commit else f"{text}, not committed"


def _part_paths(tree: Tree, cell: Cell, part: str) -> tuple[str, ...]:
    base = cell.benchmark.path
    if part == "submission":
        return (cell.submission.path,)
    if part == "image":
        context = build_context(tree, cell.benchmark)
        return (f"{base}/competition.yaml", *(f"{base}/{path}" for path in context))
    if part in {"limits", "columns", "repeat"}:
        return (f"{base}/competition.yaml",)
    if any(item.file == part for item in cell.task.private):
        return (f"{base}/competition.yaml",)
    path: str | None = getattr(cell.task, part)
    return (f"{base}/{path}",) if path else (f"{base}/competition.yaml",)


def ask_again(
    plan: Plan, snapshot: Snapshot, wanted: Iterable[str], now: dt.datetime
) -> tuple[list[PlannedCell], list[str]]:
    """Cells named by a person: exactly, or by a leading part such as ``iris/alice``.

    Returns them, planned or not, and the names that fit none.
    """
    names = list(dict.fromkeys(name.strip("/") for name in wanted))
    planned = {item.cell.id: item for item in plan.missing}
    chosen: list[PlannedCell] = []
    used: set[str] = set()
    for cell in cells(snapshot, now):
        fits = [n for n in names if str(cell.id) == n or str(cell.id).startswith(f"{n}/")]
        if not fits or not cell.phase.has_started(now):
            continue
        used.update(fits)
        chosen.append(
            planned.get(cell.id)
            or PlannedCell(cell=cell, state="asked", reason="asked for by name")
        )
    chosen.sort(key=lambda item: _order(item.cell.id))
    return chosen, [name for name in names if name not in used]


def _order(cell: CellId) -> tuple[str, str, str, str, str, int]:
    return (
        cell.benchmark, cell.participant, cell.submission, cell.phase, cell.task, cell.repeat or 0,
    )  # fmt: skip
