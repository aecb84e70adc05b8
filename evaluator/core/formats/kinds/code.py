"""Submissions of code: the ingestion program runs it, or its own command does."""

from collections.abc import Collection, Iterator

from evaluator.core.formats.bundle import Benchmark
from evaluator.core.formats.kinds.kind import Candidate, Recognised, SubmissionKind
from evaluator.core.formats.phases import Phase
from evaluator.core.formats.predictions import files_in_words
from evaluator.core.formats.stages import check_stages, held_stages

METADATA = frozenset({"metadata", "metadata.yaml"})
CODE_ENDINGS = frozenset(
    {
        "c", "cc", "class", "cpp", "cu", "exe", "go", "ipynb", "jar", "java", "jl", "js", "lua",
        "m", "php", "pl", "py", "pyc", "pyx", "r", "rb", "rs", "scala", "sh", "so", "ts", "whl",
    }
)  # fmt: skip
"""Endings of files that are run, in any case."""


class Code(SubmissionKind):
    """Programs of participants."""

    name = "code"
    runs_code = True

    def recognise(
        self, benchmark: Benchmark, phase: Phase, files: Collection[str],
        executables: Collection[str],
    ) -> Recognised | None:  # fmt: skip
        if phase.only_results:
            return None
        if held_stages(benchmark.stages, files):
            return Recognised(reason="it holds stages of the workflow")
        if METADATA & set(files):
            # As on CodaLab; Codabench wants a command in it, and leaves it to the ingestion program
            # otherwise, which is the same.
            return Recognised(reason="it holds metadata, as programs do")
        if phase.is_played:
            return Recognised(reason="an agent plays while it is scored")
        if phase.has_ingestion and (executables or any(_is_code(file) for file in files)):
            return Recognised(reason="it holds files that are run")
        return None

    def check(self, candidate: Candidate) -> None:
        benchmark, phase, document = candidate.benchmark, candidate.phase, candidate.document
        if benchmark.stages:
            check_stages(benchmark.stages, candidate.files, document)
        if phase is None:
            return
        if phase.only_results:
            document.report(
                ("kind",), f"is 'code', but phase '{phase.name}' takes results alone.",
                "Use 'kind: results' and add predictions.",
            )  # fmt: skip
        # Where scores are stated, another kind was meant; what it lacks as code helps nobody.
        has_command = bool(METADATA & set(candidate.files))
        if not (phase.has_ingestion or has_command or candidate.entry.states_scores):
            document.report(
                ("kind",), "is 'code', but this benchmark has no program that runs it.",
                "Use 'kind: results' and add predictions, or a metadata.yaml with a command.",
            )  # fmt: skip

    def is_usual(self, benchmark: Benchmark, phase: Phase) -> bool:
        runs = phase.has_ingestion or phase.is_played
        return runs and not phase.only_results

    def takes(self, phase: Phase) -> str:
        """Results may be had elsewhere by the same code, but for what is played."""
        return "code" if phase.is_played else "code or results"

    def meaning(self, benchmark: Benchmark, phase: Phase) -> str:
        if phase.is_played:
            return "code plays while it is scored"
        return "code is run; results are predictions, scored as they are"

    def expected_files(self, benchmark: Benchmark, phase: Phase) -> Iterator[str]:
        if benchmark.stages:
            folders = ", ".join(f"{stage.key}/" for stage in benchmark.stages)
            yield (
                f"a folder for each stage that you bring, of {folders}; in the form that the "
                "benchmark's pages describe"
            )
        elif phase.has_ingestion:
            yield "your code, in the form that the benchmark's pages describe"
        else:
            yield "metadata.yaml with the command that runs your code, and the code"
        declared = () if phase.is_played else benchmark.predictions
        for file in files_in_words(declared, benchmark.repeats_in(phase)):
            yield f"or, with kind: results, {file}"


def _is_code(file: str) -> bool:
    stem, dot, ending = file.rpartition("/")[2].rpartition(".")
    return bool(dot and stem) and ending.lower() in CODE_ENDINGS


CODE = Code()
