"""Rules for data sets: none replaces or copies another participant's."""

from collections.abc import Iterator, Sequence

from evaluator.core.errors import Actor, Problem
from evaluator.core.formats.submission import FILE_NAME, Submission
from evaluator.core.planning.datasets import Dataset
from evaluator.core.planning.digests import PartDigests
from evaluator.core.planning.snapshot import Snapshot


def check_datasets(snapshot: Snapshot, prefixes: Sequence[str] = ()) -> Iterator[Problem]:
    """Report data sets that replace what they may not, or that are there already.

    ``prefixes`` are folders with a slash; where there are any, nothing else is looked at.
    """
    near = [
        item
        for item in snapshot.datasets.values()
        if not prefixes or f"{item.submission.path}/".startswith(tuple(prefixes))
    ]
    if not near:
        return
    digests = PartDigests(snapshot.tree)
    same: dict[tuple[str, str], list[Dataset]] = {}
    for item in snapshot.datasets.values():
        key = (item.submission.benchmark, digests.submission(item.submission))
        same.setdefault(key, []).append(item)
    for item in near:
        submission = item.submission
        if submission.replaces:
            yield from _successor(snapshot, submission)
        if item.state in ("accepted", "retired"):
            continue  # it was there first, or an organiser let it in
        for other in same[submission.benchmark, digests.submission(submission)]:
            if other is not item and other.state in ("accepted", "retired"):
                yield Problem(
                    file=submission.path,
                    message=f"holds the same files as the data set {_name(other.submission)}",
                    hint="Bring other data; programs have met these.",
                    actor=Actor.PARTICIPANT,
                )


def _successor(snapshot: Snapshot, submission: Submission) -> Iterator[Problem]:
    def problem(message: str, hint: str) -> Problem:
        return Problem(
            file=f"{submission.path}/{FILE_NAME}", key="replaces", message=message, hint=hint,
            actor=Actor.PARTICIPANT,
        )  # fmt: skip

    participant, _, name = submission.replaces.partition("/")
    if f"{submission.benchmark}/{submission.replaces}" not in snapshot.datasets:
        yield problem(
            f"names '{submission.replaces}', which is no data set of this benchmark.",
            "Write 'participant/name' of the version that it takes the place of.",
        )
    elif participant != submission.participant:
        yield problem(
            f"names a data set of {participant}.",
            "Only your own can be replaced; an organiser may retire any with 'retired:'.",
        )
    elif name == submission.name:
        yield problem("names itself.", "Name the older version.")


def _name(submission: Submission) -> str:
    return f"{submission.participant}/{submission.name}"
