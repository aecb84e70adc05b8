"""Which kind a submission is that does not say: code for a program, or results.

Codabench has no such word. There a submission without ``metadata`` is copied to the predictions
*and* given to the ingestion program, whose crash nobody is told of; so results come through a task
that expects code. Here one of the two happens, and it is known before anything runs.
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal

from evaluator.formats.bundle import Benchmark
from evaluator.formats.datasets import Datasets
from evaluator.formats.phases import Phase
from evaluator.formats.schema import Document
from evaluator.formats.stages import held_stages

Kind = Literal["code", "results", "reported", "dataset"]
METADATA = frozenset({"metadata", "metadata.yaml"})
CODE_ENDINGS = frozenset(
    {
        "c", "cc", "class", "cpp", "cu", "exe", "go", "ipynb", "jar", "java", "jl", "js", "lua",
        "m", "php", "pl", "py", "pyc", "pyx", "r", "rb", "rs", "scala", "sh", "so", "ts", "whl",
    }
)  # fmt: skip
"""Endings of files that are run, in any case."""


@dataclass(frozen=True, kw_only=True)
class FoundKind:
    """What the files of a submission make of it."""

    kind: Kind
    reason: str
    open: bool = False
    """Whether another reading makes sense too, so that the participant should say it."""


def find_kind(
    benchmark: Benchmark, phase: Phase, files: Collection[str], executables: Collection[str] = ()
) -> FoundKind:
    """Tell the kind from the benchmark and the names of the files; the first rule that fits.

    ``files`` are the submission's, from its directory, without submission.yaml.
    """
    if benchmark.ranks_datasets:
        return FoundKind(kind="dataset", reason="the benchmark ranks data sets")
    if phase.only_results:
        return FoundKind(kind="results", reason="the phase takes results alone")
    if benchmark.datasets is not None and has_parts(benchmark.datasets, files):
        return FoundKind(kind="dataset", reason="it holds the parts of a data set")
    if held_stages(benchmark.stages, files):
        return FoundKind(kind="code", reason="it holds stages of the workflow")
    if METADATA & set(files):
        # As on CodaLab; Codabench wants a command in it, and leaves it to the ingestion program
        # otherwise, which is the same.
        return FoundKind(kind="code", reason="it holds metadata, as programs do")
    if any(task.parallel for task in phase.tasks):
        return FoundKind(kind="code", reason="an agent plays while it is scored")
    if not any(task.ingestion_program for task in phase.tasks):
        return FoundKind(kind="results", reason="no program of the benchmark reads submissions")
    if executables or any(_is_code(file) for file in files):
        return FoundKind(kind="code", reason="it holds files that are run")
    if benchmark.predictions and all(item.file in files for item in benchmark.predictions):
        return FoundKind(kind="results", reason="it holds the files that predictions are to have")
    return FoundKind(kind="results", reason="none of its files can be run", open=True)


def has_parts(datasets: Datasets, files: Collection[str]) -> bool:
    """Whether there is something in both parts of what is to become a task."""
    parts = (datasets.input_data, datasets.reference_data)
    return all(any(file.startswith(f"{part.rstrip('/')}/") for file in files) for part in parts)


def check_dataset(
    kind: Kind,
    retired: str,
    replaces: str,
    files: Collection[str],
    benchmark: Benchmark,
    document: Document,
) -> None:
    """Report what makes a data set none that this benchmark takes, and what belongs to others."""
    datasets = benchmark.datasets
    if kind != "dataset":
        for key, value in (("retired", retired), ("replaces", replaces)):
            if value:
                document.report(
                    (key,), f"belongs to data sets, and this is '{kind}'.",
                    "Withdraw a submission with 'cancelled: true'.",
                )  # fmt: skip
        if benchmark.ranks_datasets:
            document.report(
                ("kind",), f"is '{kind}', but this benchmark takes data sets alone.",
                "Use 'kind: dataset'.",
            )  # fmt: skip
    elif datasets is None:
        document.report(
            ("kind",), "is 'dataset', but this benchmark takes no data sets.",
            "Use 'kind: code' or 'kind: results'; an organiser may declare "
            "'pullbench: datasets:'.",
        )  # fmt: skip
    elif datasets.become == "tasks" and not has_parts(datasets, files):
        document.report(
            (), f"needs the folders '{datasets.input_data}' and '{datasets.reference_data}' "
            "beside it.",
            "Programs see the first, the scoring program alone sees the second.",
        )  # fmt: skip


def _is_code(file: str) -> bool:
    stem, dot, ending = file.rpartition("/")[2].rpartition(".")
    return bool(dot and stem) and ending.lower() in CODE_ENDINGS
