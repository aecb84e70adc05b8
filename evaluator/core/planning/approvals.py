"""Submissions that bundles name at one commit: in decisions and as baselines."""

from collections.abc import Iterator, Sequence

from evaluator.core.errors import Actor, Problem
from evaluator.core.formats.approvals import FILE_NAME, Decision, read_approvals
from evaluator.core.formats.bundle import FILE_NAME as BUNDLE_FILE
from evaluator.core.formats.bundle import Benchmark
from evaluator.core.formats.submission import FILE_NAME as SUBMISSION_FILE
from evaluator.core.planning.snapshot import Snapshot


def decisions(snapshot: Snapshot, benchmark: Benchmark) -> tuple[Decision, ...]:
    return _read(snapshot, benchmark)[0]


def check_named_submissions(snapshot: Snapshot, prefixes: Sequence[str] = ()) -> Iterator[Problem]:
    """Report decisions that cannot be read, and baselines and decisions about nothing.

    ``prefixes`` are folders with a final slash; where there are any, bundles elsewhere are passed
    over.
    """
    for benchmark in snapshot.benchmarks.values():
        if prefixes and not any(p.startswith(f"{benchmark.path}/") for p in prefixes):
            continue
        bundle = f"{benchmark.path}/{BUNDLE_FILE}"
        if benchmark.baseline and not _exists(snapshot, benchmark, benchmark.baseline):
            yield Problem(
                file=bundle, key="pullbench.baseline",
                message=f"names '{benchmark.baseline}', which is no submission to this benchmark",
                hint="Name one as participant/submission, or enter it.", actor=Actor.ORGANISER,
                severity="warning",  # a copy of a bundle has none yet, and nothing else needs it
            )  # fmt: skip
        named, problems = _read(snapshot, benchmark)
        yield from problems
        file = f"{benchmark.path}/{FILE_NAME}"
        refuses = any(item.decision == "refused" for item in named)
        if not (benchmark.needs_approval or refuses) and file in snapshot.tree.entries:
            yield Problem(
                file=file, message="decides nothing, since this benchmark ranks without approval "
                "and nothing is refused",
                hint="Set 'approval: required' below pullbench in competition.yaml, or remove it.",
                actor=Actor.ORGANISER, severity="warning",
            )  # fmt: skip
        for position, item in enumerate(named):
            if not _exists(snapshot, benchmark, item.submission):
                yield Problem(
                    file=file, key=f"decisions[{position}].submission",
                    message=f"names '{item.submission}', which is no submission to this benchmark",
                    hint="Correct the name, or take the decision out.", actor=Actor.ORGANISER,
                )  # fmt: skip


def _read(snapshot: Snapshot, benchmark: Benchmark) -> tuple[tuple[Decision, ...], list[Problem]]:
    file = f"{benchmark.path}/{FILE_NAME}"
    content = snapshot.tree.read([file]).get(file)
    return ((), []) if content is None else read_approvals(content, file)


def _exists(snapshot: Snapshot, benchmark: Benchmark, name: str) -> bool:
    return f"submissions/{benchmark.name}/{name}/{SUBMISSION_FILE}" in snapshot.tree.entries
