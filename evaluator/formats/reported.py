"""Results from elsewhere: scores with a source instead of work to evaluate.

They are what a paper or another board says. Nothing of them is reproduced here, and every place
that shows them says so.
"""

import math
import urllib.parse
from collections.abc import Mapping
from dataclasses import dataclass, field

from evaluator.formats.bundle import Benchmark
from evaluator.formats.phases import Phase
from evaluator.formats.schema import Document


@dataclass(frozen=True, kw_only=True)
class Reported:
    """Scores that somebody else states."""

    source: str
    """Where they are stated, in words."""
    url: str
    """Address of the source; empty where there is none."""
    scores: Mapping[str, Mapping[str, float]]
    """Task slug -> column key -> value."""
    failures: Mapping[str, str] = field(default_factory=dict)
    """Task slug -> why there is no value, as the source states it."""


def read_reported(
    source: str,
    url: str,
    scores: Mapping[str, Mapping[str, float]],
    benchmark: Benchmark,
    phase: Phase,
    document: Document,
    failures: Mapping[str, str] | None = None,
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
    if not scores and not failures:
        document.report(("scores",), "is missing.", "Give each task its columns' values.")
    tasks = {name: task.slug for task in phase.tasks for name in (task.name, task.slug)}
    columns = set(benchmark.leaderboard.score_keys)
    found: dict[str, dict[str, float]] = {}
    for name, values in scores.items():
        if name not in tasks:
            document.report(
                ("scores", name), f"is no task of phase '{phase.name}'.",
                f"Tasks are: {', '.join(task.slug for task in phase.tasks)}.",
            )  # fmt: skip
            continue
        for key, value in values.items():
            if key not in columns:
                document.report(
                    ("scores", name, key), "is no column that is scored.",
                    f"Columns are: {', '.join(sorted(columns))}.",
                )  # fmt: skip
            elif not math.isfinite(value):
                document.report(("scores", name, key), "is not a finite number.", "Correct it.")
        found[tasks[name]] = dict(values)
    failed: dict[str, str] = {}
    for name, reason in (failures or {}).items():
        if name not in tasks:
            document.report(("failures", name), f"is no task of phase '{phase.name}'.")
        elif tasks[name] in found:
            document.report(("failures", name), "has scores, too.", "Give one of the two.")
        else:
            failed[tasks[name]] = reason
    return Reported(source=source, url=url, scores=found, failures=failed)
