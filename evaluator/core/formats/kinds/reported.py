"""Submissions of scores from elsewhere: nothing of them is evaluated."""

from collections.abc import Collection

from evaluator.core.formats.bundle import Benchmark
from evaluator.core.formats.kinds.kind import Entered, Recognised, SubmissionKind
from evaluator.core.formats.phases import Phase
from evaluator.core.formats.reported import Reported, read_reported


class ReportedScores(SubmissionKind):
    """What a paper or another board says."""

    name = "reported"
    is_evaluated = False
    asked_first = True
    mark = "reported, not reproduced here"
    citation = "Reported for"

    def recognise(
        self,
        benchmark: Benchmark,
        phase: Phase,
        files: Collection[str],
        executables: Collection[str],
    ) -> Recognised | None:
        """Say so where the benchmark takes nothing else."""
        reason = "the benchmark takes published results alone"
        return Recognised(reason=reason) if phase.only_reported else None

    def is_usual(self, benchmark: Benchmark, phase: Phase) -> bool:
        """Whether the benchmark takes nothing else."""
        return phase.only_reported

    def takes(self, phase: Phase) -> str:
        return "published results, with their source"

    def check_others(self, kind: SubmissionKind, entered: Entered) -> None:
        """Report work where nothing is evaluated, and scores that an evaluation has to give."""
        if entered.phase is not None and entered.phase.only_reported:
            entered.document.report(
                ("kind",), f"is '{kind.name}', and this benchmark takes published results alone.",
                "Write 'kind: reported' with 'source' and 'scores', or enter another benchmark.",
            )  # fmt: skip
        elif entered.entry.states_scores:
            entered.document.report(
                ("scores",), "belongs to submissions of kind 'reported'.",
                "Scores of what is evaluated come from its evaluation; take it out.",
            )  # fmt: skip

    def stated_scores(self, entered: Entered) -> Reported | None:
        """Read them; None where it is not known in which phase."""
        if entered.phase is None:
            return None
        entry = entered.entry
        return read_reported(
            entry.source, entry.source_url, entry.scores, entered.benchmark, entered.phase,
            entered.document, entry.failures, entry.folds, entry.deviations, entry.rank,
        )  # fmt: skip
