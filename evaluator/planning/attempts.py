"""Attempts of a participant, from what git and the ledger record: nothing else is counted.

An attempt is a commit of the base branch that brought new content of a submission, its scores
and its submission.yaml apart, or an approval of such content, merged or not; the two are one
where the content is. So a re-run is none, and neither is a corrected description. What the
platform or the organiser spoiled does not count, and what was cancelled before it ran does not.
"""

import datetime as dt
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from evaluator.formats.cell import SCORES
from evaluator.formats.stages import is_variant
from evaluator.formats.submission import FILE_NAME, Submission
from evaluator.planning.ledger import Ledger
from evaluator.planning.repository import Step
from evaluator.planning.shared_quotas import answers_at
from evaluator.planning.snapshot import Snapshot
from evaluator.planning.tree import Tree

_NO_CONTENT = frozenset({SCORES, FILE_NAME})


@dataclass(frozen=True, kw_only=True)
class Attempt:
    """One attempt."""

    submission: str
    """Its id."""
    phase: str
    at: dt.datetime
    """When the content came, in UTC."""
    content: str
    """Digest of the files; empty where nothing needed it."""
    spent: bool
    """Whether it uses up a quota."""
    approved: bool = False
    answers: frozenset[str] = frozenset()
    """What it answers to the question by which quotas are shared: when it came, and now."""


def content_of(tree: Tree, submission: Submission) -> str:
    """Digest of a submission's files, without scores and submission.yaml."""
    return tree.digest(submission.path, _NO_CONTENT)


Steps = Mapping[str, Sequence[Step]]
"""Submission id -> commits that changed its content, the oldest first."""


def history(tree: Tree, folder: str) -> Steps:
    """Read the steps of all submissions below ``submissions/<benchmark>[/<participant>]``."""
    steps: dict[str, list[Step]] = defaultdict(list)
    for step in reversed(tree.history(folder)):
        changed = {
            "/".join(parts[1:4])
            for path in step.paths
            if len(parts := path.split("/", 5)) > 4 and parts[4] not in _NO_CONTENT
        }
        for name in changed:
            steps[name].append(step)
    return steps


def attempts(
    snapshot: Snapshot, ledger: Ledger, steps: Steps, benchmark: str, participant: str
) -> dict[str, list[Attempt]]:
    """Submission id -> its attempts, the oldest first."""
    approved = list(ledger.attempts(benchmark, participant))
    found: dict[str, list[Attempt]] = defaultdict(list)
    for item in snapshot.by_participant.get((benchmark, participant), ()):
        found[item.id] = _from_history(snapshot, item, steps.get(item.id, ()), bool(approved))
    for entry, spent in approved:
        known = found[entry.id]
        same = next((i for i, one in enumerate(known) if one.content == entry.content), None)
        if same is None:
            known.append(
                Attempt(
                    submission=entry.id, phase=entry.phase, at=entry.received,
                    content=entry.content, spent=spent, approved=True,
                    answers=frozenset(filter(None, [entry.shared])),
                )
            )  # fmt: skip
        else:
            one = known[same]
            known[same] = replace(
                one, at=min(one.at, entry.received), approved=True, spent=one.spent and spent,
                answers=one.answers | frozenset(filter(None, [entry.shared])),
            )  # fmt: skip
    for known in found.values():
        known.sort(key=lambda one: one.at)
    return found


def _from_history(
    snapshot: Snapshot, submission: Submission, steps: Sequence[Step], with_content: bool
) -> list[Attempt]:
    found = [
        Attempt(
            submission=submission.id,
            phase=submission.phase,
            at=step.at,
            content=content_of(snapshot.tree.at(step.commit, submission.path), submission)
            if with_content
            else "",
            spent=True,
            answers=answers_at(snapshot, submission, step.commit),
        )
        for step in steps
    ]
    heads = [
        head
        for cell in snapshot.recorded_cells.get(submission.id, ())
        if not is_variant(cell.task) and (head := snapshot.head(cell)) is not None
    ]
    if found and ((submission.cancelled and not heads) or (heads and all(map(_spoiled, heads)))):
        found[-1] = replace(found[-1], spent=False)
    return found


def _spoiled(head: Mapping[str, Any]) -> bool:
    """Whether a record is a failure that the participant could not help."""
    error = head.get("error")
    return isinstance(error, dict) and error.get("actor") in {"platform", "organiser"}
