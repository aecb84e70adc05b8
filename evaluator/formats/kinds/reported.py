"""Submissions of scores from elsewhere: nothing of them is evaluated."""

from evaluator.formats.kinds.kind import Entered, SubmissionKind
from evaluator.formats.reported import Reported, read_reported


class ReportedScores(SubmissionKind):
    """What a paper or another board says."""

    name = "reported"
    is_evaluated = False
    mark = "reported, not reproduced here"
    citation = "Reported for"

    def check_others(self, kind: SubmissionKind, entered: Entered) -> None:
        """Report scores that an evaluation has to give."""
        if entered.entry.states_scores:
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
            entered.document, entry.failures, entry.folds, entry.deviations,
        )  # fmt: skip
