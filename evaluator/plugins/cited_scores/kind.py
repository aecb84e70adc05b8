"""Submissions of scores from elsewhere, such as a paper or another board: nothing is evaluated.

Nothing of them is reproduced here, and every place that shows them says so.
"""

import math
import urllib.parse
from collections.abc import Collection, Mapping

from evaluator.core.formats.bundle import Benchmark
from evaluator.core.formats.kinds.kind import Candidate, Recognised, Reported, SubmissionKind
from evaluator.core.formats.phases import Phase


class ReportedScores(SubmissionKind):
    """What a paper or another board says."""

    name = "reported"
    is_evaluated = False
    asked_first = True
    mark = "reported"
    citation = "Reported for"

    def recognise(
        self, benchmark: Benchmark, phase: Phase, files: Collection[str],
        executables: Collection[str],
    ) -> Recognised | None:  # fmt: skip
        reason = "the benchmark takes published results alone"
        return Recognised(reason=reason) if phase.only_reported else None

    def is_usual(self, benchmark: Benchmark, phase: Phase) -> bool:
        return phase.only_reported

    def takes(self, phase: Phase) -> str:
        return "published results, with their source"

    def check_others(self, kind: SubmissionKind, candidate: Candidate) -> None:
        if candidate.phase is not None and candidate.phase.only_reported:
            candidate.document.report(
                ("kind",), f"is '{kind.name}', and this benchmark takes published results alone.",
                "Write 'kind: reported' with 'source' and 'scores', or enter another benchmark.",
            )  # fmt: skip
        elif candidate.entry.states_scores:
            candidate.document.report(
                ("scores",), "belongs to submissions of kind 'reported'.",
                "Scores of what is evaluated come from its evaluation; take it out.",
            )  # fmt: skip

    def stated_scores(self, candidate: Candidate) -> Reported | None:
        return None if candidate.phase is None else _read(candidate, candidate.phase)


def _read(candidate: Candidate, phase: Phase) -> Reported:
    """Check what is reported against the benchmark; problems go to the document."""
    entry, benchmark, document = candidate.entry, candidate.benchmark, candidate.document
    if not benchmark.reported:
        document.report(
            ("kind",), "is 'reported', but this benchmark takes no results from elsewhere.",
            "An organiser may set 'reported: true' under 'pullbench' in competition.yaml.",
        )  # fmt: skip
    if not entry.source:
        document.report(("source",), "is missing.", "Say where the scores are stated.")
    url = entry.source_url
    if url and urllib.parse.urlsplit(url).scheme not in {"http", "https"}:
        document.report(("source_url",), "is not an address.", "It begins with https://.")
    if not (entry.scores or entry.failures or entry.folds):
        document.report(("scores",), "is missing.", "Give each task its columns' values.")
    tasks = {name: task.slug for task in phase.tasks for name in (task.name, task.slug)}
    columns = set(benchmark.boards[phase.slug].score_keys)

    def check(place: tuple[str | int, ...], values: Mapping[str, float]) -> Mapping[str, float]:
        for key, value in values.items():
            if key not in columns:
                document.report(
                    (*place, key), "is no column that is scored.",
                    f"Columns are: {', '.join(sorted(columns))}.",
                )  # fmt: skip
            elif not math.isfinite(value):
                document.report((*place, key), "is not a finite number.", "Correct it.")
        return values

    stated: set[str] = set()

    def is_new_task(part: str, name: str) -> bool:
        if name not in tasks:
            document.report(
                (part, name), f"is no task of phase '{phase.name}'.",
                f"Tasks are: {', '.join(task.slug for task in phase.tasks)}.",
            )  # fmt: skip
            return False
        if tasks[name] in stated:
            document.report(
                (part, name), "is stated twice.", "Give 'scores', 'failures' or 'folds' of it."
            )
            return False
        stated.add(tasks[name])
        return True

    scores = {
        tasks[name]: check(("scores", name), values)
        for name, values in entry.scores.items()
        if is_new_task("scores", name)
    }
    failures = {
        tasks[name]: why for name, why in entry.failures.items() if is_new_task("failures", name)
    }
    folds = {
        tasks[name]: tuple(
            fold if isinstance(fold, str) else check(("folds", name, place), fold)
            for place, fold in enumerate(of_task)
        )
        for name, of_task in entry.folds.items()
        if is_new_task("folds", name)
    }
    deviations: dict[str, Mapping[str, float]] = {}
    for name, spread in entry.deviations.items():
        slug = tasks.get(name, "")
        deviations[slug] = check(("deviations", name), spread)
        for key, value in spread.items():
            if value < 0 or key not in scores.get(slug, {}):
                document.report(
                    ("deviations", name, key), "is negative, or has no value under 'scores'.",
                    "It is the standard deviation of a value that is stated there.",
                )  # fmt: skip
    return Reported(
        source=entry.source, url=url, scores=scores, deviations=deviations, failures=failures,
        folds=folds, rank=entry.rank,
    )  # fmt: skip


REPORTED_SCORES = ReportedScores()
