"""Submissions of results: predictions, scored as they are."""

from collections.abc import Collection, Iterator

from evaluator.core.formats.bundle import Benchmark
from evaluator.core.formats.kinds.kind import Candidate, Recognised, SubmissionKind
from evaluator.core.formats.paths import shown
from evaluator.core.formats.phases import Phase
from evaluator.core.formats.predictions import files_in_words, missing_files, unexpected_files


class Results(SubmissionKind):
    """Predictions of participants."""

    name = "results"
    holds_predictions = True

    def recognise(
        self, benchmark: Benchmark, phase: Phase, files: Collection[str],
        executables: Collection[str],
    ) -> Recognised | None:  # fmt: skip
        if phase.only_results:
            return Recognised(reason="the phase takes results alone")
        if not phase.has_ingestion:
            return Recognised(reason="no program of the benchmark reads submissions")
        declared, repeats = benchmark.predictions, benchmark.repeats_in(phase)
        if declared and not missing_files(declared, files, repeats):
            return Recognised(reason="it holds the files that predictions are to have")
        return Recognised(
            reason="none of its files can be run",
            hint="Write 'kind: code' where the ingestion program is to read these files, "
            "and 'kind: results' where they are predictions.",
        )

    def check(self, candidate: Candidate) -> None:
        if candidate.entry.states_scores:
            return  # another kind was meant; what it lacks as results helps nobody
        if candidate.phase is None:
            return  # which repeats there are depends on it, and that it is missing is said
        if candidate.phase.is_played:
            candidate.document.report(
                ("kind",),
                f"is 'results', but a task of phase '{candidate.phase.name}' is played by an agent "
                "while it is scored.",
                "Use 'kind: code' and add the agent.",
            )
        declared = candidate.benchmark.predictions
        repeats = candidate.benchmark.repeats_in(candidate.phase)
        for name in missing_files(declared, candidate.files, repeats):
            candidate.document.report(
                (), f"needs the file '{name}' beside it.",
                "It holds the predictions of a results submission.",
            )  # fmt: skip
        for name in unexpected_files(declared, candidate.files, repeats):
            candidate.document.report(
                (), f"has the file '{shown(name)}' beside it, which nothing reads.",
                f"Each task is run {repeats} times: files are numbered from 0 to {repeats - 1}. "
                "Take it out.",
            )  # fmt: skip

    def is_usual(self, benchmark: Benchmark, phase: Phase) -> bool:
        """Whatever a phase is made for, results can be scored; so no kind after it is asked."""
        return True

    def takes(self, phase: Phase) -> str:
        """Code needs a command where nothing else runs it."""
        return "results" if phase.only_results else "results, or code with a command of its own"

    def meaning(self, benchmark: Benchmark, phase: Phase) -> str:
        scored = "predictions, scored as they are"
        return scored if phase.only_results else f"code is run; results are {scored}"

    def expected_files(self, benchmark: Benchmark, phase: Phase) -> Iterator[str]:
        files = files_in_words(benchmark.predictions, benchmark.repeats_in(phase))
        yield from files or ["your predictions, in the form that the benchmark's pages describe"]


RESULTS = Results()
