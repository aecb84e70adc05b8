"""Results from elsewhere: scores with a source instead of work to evaluate.

They are what a paper or another board says. Nothing of them is reproduced here, and every place
that shows them says so.
"""

import math
import urllib.parse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from evaluator.core.formats.bundle import Benchmark
from evaluator.core.formats.phases import Phase
from evaluator.core.formats.schema import Document


@dataclass(frozen=True, kw_only=True)
class Reported:
    """Scores that somebody else states."""

    source: str
    """Where they are stated, in words."""
    url: str
    """Address of the source; empty where there is none."""
    scores: Mapping[str, Mapping[str, float]]
    """Task slug -> column key -> value."""
    deviations: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    """Task slug -> column key -> sample standard deviation, as the source states it."""
    failures: Mapping[str, str] = field(default_factory=dict)
    """Task slug -> why there is no value, as the source states it."""
    folds: Mapping[str, tuple[Mapping[str, float] | str, ...]] = field(default_factory=dict)
    """Task slug -> by fold the values, or why it failed; none for tasks that are stated whole."""
    rank: int | None = None
    """Place in the source's own order, where that states one."""

    def why(self, task: str) -> str:
        """Return why a task has no value; empty where it has one, or nothing is stated."""
        folds = self.folds.get(task, ())
        failed = [f"fold {n}: {fold}" for n, fold in enumerate(folds) if isinstance(fold, str)]
        if not failed:
            return self.failures.get(task, "")
        return f"{len(failed)} of {len(folds)} folds failed; {'; '.join(failed)}"[:MAX_REASON]


MAX_REASON = 1000
"""Characters of the reason for one task."""


def read_reported(
    source: str,
    url: str,
    scores: Mapping[str, Mapping[str, float]],
    benchmark: Benchmark,
    phase: Phase,
    document: Document,
    failures: Mapping[str, str] | None = None,
    folds: Mapping[str, Sequence[Mapping[str, float] | str]] | None = None,
    deviations: Mapping[str, Mapping[str, float]] | None = None,
    rank: int | None = None,
) -> Reported:
    """Check what is reported against the benchmark; problems go to the document."""
    if not benchmark.reported:
        document.report(
            ("kind",), "is 'reported', but this benchmark takes no results from elsewhere.",
            "An organiser may set 'reported: true' under 'pullbench' in competition.yaml.",
        )  # fmt: skip
    if not source:
        document.report(("source",), "is missing.", "Say where the scores are stated.")
    if url and urllib.parse.urlsplit(url).scheme not in {"http", "https"}:
        document.report(("source_url",), "is not an address.", "It begins with https://.")
    if not scores and not failures and not folds:
        document.report(("scores",), "is missing.", "Give each task its columns' values.")
    tasks = {name: task.slug for task in phase.tasks for name in (task.name, task.slug)}
    columns = set(benchmark.boards[phase.slug].score_keys)

    def check(place: tuple[str | int, ...], values: Mapping[str, float]) -> dict[str, float]:
        for key, value in values.items():
            if key not in columns:
                document.report(
                    (*place, key), "is no column that is scored.",
                    f"Columns are: {', '.join(sorted(columns))}.",
                )  # fmt: skip
            elif not math.isfinite(value):
                document.report((*place, key), "is not a finite number.", "Correct it.")
        return dict(values)

    means: dict[str, dict[str, float]] = {}
    failed: dict[str, str] = {}
    by_fold: dict[str, tuple[Mapping[str, float] | str, ...]] = {}
    for part, stated in (("scores", scores), ("failures", failures), ("folds", folds)):
        for name in stated or {}:
            if name not in tasks:
                document.report(
                    (part, name), f"is no task of phase '{phase.name}'.",
                    f"Tasks are: {', '.join(task.slug for task in phase.tasks)}.",
                )  # fmt: skip
            elif tasks[name] in {*means, *failed, *by_fold}:
                document.report(
                    (part, name), "is stated twice.", "Give 'scores', 'failures' or 'folds' of it."
                )
            elif part == "scores":
                means[tasks[name]] = check((part, name), scores[name])
            elif part == "failures":
                failed[tasks[name]] = (failures or {})[name]
            else:
                by_fold[tasks[name]] = tuple(
                    fold if isinstance(fold, str) else check((part, name, place), fold)
                    for place, fold in enumerate((folds or {})[name])
                )
    spreads: dict[str, Mapping[str, float]] = {}
    for name, spread in (deviations or {}).items():
        slug = tasks.get(name, "")
        spreads[slug] = check(("deviations", name), spread)
        for key, value in spread.items():
            if value < 0 or key not in means.get(slug, {}):
                document.report(
                    ("deviations", name, key), "is negative, or has no value under 'scores'.",
                    "It is the standard deviation of a value that is stated there.",
                )  # fmt: skip
    return Reported(
        source=source, url=url, scores=means, deviations=spreads, failures=failed, folds=by_fold,
        rank=rank,
    )  # fmt: skip
