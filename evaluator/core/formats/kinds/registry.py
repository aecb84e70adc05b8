"""Every kind that a submission can be of, and which one it is that does not say.

Codabench has no such word. There a submission without ``metadata`` is copied to the predictions
*and* given to the ingestion program, whose crash nobody is told of; so results come through a task
that expects code. Here one of the two happens, and it is known before anything runs.
"""

from collections.abc import Collection, Iterator

from evaluator.core.formats.bundle import Benchmark
from evaluator.core.formats.kinds.kind import Recognised, SubmissionKind
from evaluator.core.formats.phases import Phase
from evaluator.core.plugins import Offered

KINDS: Offered[SubmissionKind] = Offered("kinds")


def find_kind(
    benchmark: Benchmark, phase: Phase, files: Collection[str], executables: Collection[str] = ()
) -> tuple[SubmissionKind, Recognised]:
    """Tell the kind from the benchmark and the names of the files; the first that says it is.

    ``files`` are the submission's, from its directory, without submission.yaml.
    """
    return next(
        (kind, recognised)
        for kind in kinds_asked()
        if (recognised := kind.recognise(benchmark, phase, files, executables)) is not None
    )


def usual_kind(benchmark: Benchmark, phase: Phase) -> SubmissionKind:
    return next(kind for kind in kinds_asked() if kind.is_usual(benchmark, phase))


def kinds_asked() -> Iterator[SubmissionKind]:
    """Yield the kinds in the order in which they are asked."""
    yield from sorted(KINDS.values(), key=lambda kind: not kind.asked_first)
