"""Submissions of data: programs are tried on it."""

from collections.abc import Collection, Iterator

from evaluator.core.errors import Actor
from evaluator.core.formats.bundle import Benchmark
from evaluator.core.formats.datasets import Datasets
from evaluator.core.formats.fact_sheet import Sheet
from evaluator.core.formats.kinds.kind import Candidate, Recognised, SubmissionKind
from evaluator.core.formats.phases import Phase, Task


class DataSet(SubmissionKind):
    """Data of participants. Nothing in it is run."""

    name = "dataset"
    brings_data = True
    prediction_author = Actor.ORGANISER
    asked_first = True
    invitation = "Bring a data set to the phase"
    anchor = "-data"

    def recognise(
        self, benchmark: Benchmark, phase: Phase, files: Collection[str],
        executables: Collection[str],
    ) -> Recognised | None:  # fmt: skip
        if benchmark.ranks_datasets:
            return Recognised(reason="the benchmark ranks data sets")
        if benchmark.datasets is None or phase.only_results:
            return None
        if not has_parts(benchmark.datasets, files):
            return None
        return Recognised(reason="it holds the parts of a data set")

    def check(self, candidate: Candidate) -> None:
        datasets = candidate.benchmark.datasets
        if datasets is None:
            candidate.document.report(
                ("kind",), "is 'dataset', but this benchmark takes no data sets.",
                "Use 'kind: code' or 'kind: results'; an organiser may declare "
                "'pullbench: datasets:'.",
            )  # fmt: skip
        elif datasets.become == "tasks" and not has_parts(datasets, candidate.files):
            candidate.document.report(
                (), f"needs the folders '{datasets.input_data}' and '{datasets.reference_data}' "
                "beside it.",
                "Programs see the first, the scoring program alone sees the second.",
            )  # fmt: skip

    def check_others(self, kind: SubmissionKind, candidate: Candidate) -> None:
        entry, document = candidate.entry, candidate.document
        for key, value in (("retired", entry.retired), ("replaces", entry.replaces)):
            if value:
                document.report(
                    (key,), f"belongs to data sets, and this is '{kind.name}'.",
                    "Withdraw a submission with 'cancelled: true'.",
                )  # fmt: skip
        if candidate.benchmark.ranks_datasets:
            document.report(
                ("kind",), f"is '{kind.name}', but this benchmark takes data sets alone.",
                "Use 'kind: dataset'.",
            )  # fmt: skip

    def scores_files(self, task: Task) -> bool:
        """Where no program of the organiser's makes anything of it first."""
        return task.ingestion_program is None

    def is_row(self, benchmark: Benchmark) -> bool:
        return benchmark.datasets is None or benchmark.ranks_datasets

    def sheet(self, benchmark: Benchmark) -> Sheet:
        datasets = benchmark.datasets
        questions = datasets.sheet if datasets else benchmark.fact_sheet
        return Sheet(title="datasheet", questions=questions)

    def is_usual(self, benchmark: Benchmark, phase: Phase) -> bool:
        return benchmark.ranks_datasets

    def is_offered(self, benchmark: Benchmark) -> bool:
        return benchmark.datasets is not None

    def takes(self, phase: Phase) -> str:
        return "data sets"

    def meaning(self, benchmark: Benchmark, phase: Phase) -> str:
        program = "method" if benchmark.ranks_datasets else "program"
        return f"is checked, then every {program} is tried on it"

    def expected_files(self, benchmark: Benchmark, phase: Phase) -> Iterator[str]:
        rules = benchmark.datasets
        if rules is None or rules.become == "rows":
            yield "your data set, in the form that the benchmark's pages describe"
            return
        yield f"{rules.input_data.rstrip('/')}/, which programs see"
        yield f"{rules.reference_data.rstrip('/')}/, which the scoring program alone sees"


def has_parts(datasets: Datasets, files: Collection[str]) -> bool:
    parts = (datasets.input_data, datasets.reference_data)
    return all(any(file.startswith(f"{part.rstrip('/')}/") for file in files) for part in parts)


DATA_SET = DataSet()
