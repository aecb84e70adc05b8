"""Which kind a submission is that does not say: code for a program, or results.

Codabench has no such word. There a submission without ``metadata`` is copied to the predictions
*and* given to the ingestion program, whose crash nobody is told of; so results come through a task
that expects code. Here one of the two happens, and it is known before anything runs.
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal

from evaluator.formats.bundle import Benchmark, Phase

Kind = Literal["code", "results", "reported"]
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
    if phase.only_results:
        return FoundKind(kind="results", reason="the phase takes results alone")
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


def _is_code(file: str) -> bool:
    stem, dot, ending = file.rpartition("/")[2].rpartition(".")
    return bool(dot and stem) and ending.lower() in CODE_ENDINGS
