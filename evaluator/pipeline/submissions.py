"""Submissions: checked, and proposed as a pull request."""

import datetime as dt
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from evaluator.errors import Problem
    from evaluator.planning.snapshot import Snapshot
    from evaluator.pull_requests.submit import Submitted


def validate(snapshot: "Snapshot", places: Collection[str] = ()) -> list["Problem"]:
    """Return everything that is wrong, or wrong at and below some paths, by file and line."""
    from evaluator.planning.validate import validate

    return validate(snapshot, places)


def validate_here(
    snapshot: "Snapshot", places: Sequence[str], actor: str | None, now: dt.datetime
) -> tuple[list["Problem"], str]:
    """Validate, and judge as a pull request what this clone would propose.

    Returns the branch with which it is compared, too; empty where there is none.
    """
    from evaluator.pull_requests.unopened import validate_here

    return validate_here(snapshot, places, actor, now)


def submit(
    start: Path,
    folder: Path,
    *,
    benchmark: str,
    participant: str | None,
    name: str | None,
    remote: str,
    base: str,
) -> "Submitted":
    """Push a folder as a submission on a branch of its own and open the pull request."""
    from evaluator.pull_requests.submit import submit

    return submit(
        start, folder, benchmark=benchmark, participant=participant, name=name, remote=remote,
        base=base,
    )  # fmt: skip
