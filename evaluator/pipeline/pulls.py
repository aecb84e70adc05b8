"""A pull request on its way: judged, received, approved, finished."""

import datetime as dt
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from evaluator.planning.snapshot import Snapshot
    from evaluator.pull_requests import Judged, Step
    from evaluator.pull_requests.heads import Source


def pull_request(*, base: str, head: str, remote: str | None, number: int | None) -> "Source":
    """Return a pull request's branches; without a remote this clone has both."""
    from evaluator.pull_requests.heads import Source

    return Source(base=base, head=head, remote=remote or None, pull_request=number)


def proposed(start: Path, source: "Source", now: dt.datetime) -> "Snapshot":
    """Read the base branch with a pull request's changes laid over it."""
    from evaluator.pull_requests import proposed

    return proposed(start, source, now)


def judge(start: Path, source: "Source", actor: str, now: dt.datetime) -> "Judged":
    """Judge a pull request by the rules of its base branch."""
    from evaluator.pull_requests import judge

    return judge(start, source, actor, now)


def verdict(judged: "Judged") -> str:
    """Return what a pull request was judged as, in Markdown."""
    from evaluator.pull_requests import verdict
    from evaluator.pull_requests.comment import to_markdown

    return to_markdown(verdict(judged))


def receive(start: Path, source: "Source", actor: str, now: dt.datetime) -> "Step":
    """Note that a pull request's content came, judge it, and void what was approved before."""
    from evaluator.pull_requests import receive

    return receive(start, source, actor, now)


def approve(
    start: Path,
    source: "Source",
    actor: str,
    approver: str,
    now: dt.datetime,
    *,
    labelled: bool | None = True,
) -> "Step":
    """Bind an organiser's approval to the head's tree, note its attempts and hand out its cells.

    ``labelled`` is whether the label is there; None takes it off at the forge, which says so.
    """
    from evaluator.pull_requests import approve

    return approve(start, source, actor, approver, now, labelled=labelled)


def finish(start: Path, source: "Source", folder: Path | None, now: dt.datetime) -> "Step":
    """Check records against the plan, store them, and show the board as it would be."""
    from evaluator.pull_requests import finish

    return finish(start, source, folder, now)


def comment(step: "Step") -> str:
    """Return what the pull request's comment says of a step, in Markdown."""
    from evaluator.pull_requests.comment import to_markdown

    return to_markdown(step.report)


def announce(start: Path, source: "Source", step: "Step", *, drop_label: bool) -> bool:
    """Write a step's comment and status to the forge; returns False where there is none."""
    from evaluator.pull_requests.announce import announce

    return announce(start, source, step, drop_label=drop_label)
