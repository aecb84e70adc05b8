"""Steps of a pull request as the verbs take them: opened first, or answered with why not."""

import datetime as dt
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from evaluator.ci.opened.heads import PullRequestRef
from evaluator.ci.opened.pull_request import PullRequest, open_pull_request
from evaluator.ci.policy.judge import judge as judge_pull_request
from evaluator.ci.steps.approve import approve as approve_pull_request
from evaluator.ci.steps.finish import finish as finish_pull_request
from evaluator.ci.steps.receive import receive as receive_pull_request
from evaluator.ci.steps.reports import StepResult, open_for_step
from evaluator.core.errors import Problem, errors_in
from evaluator.core.git.tree import open_repository
from evaluator.core.planning.snapshot import Snapshot


def opened(start: Path, ref: PullRequestRef, now: dt.datetime) -> PullRequest:
    return open_pull_request(open_repository(start), ref, now)


def receive(start: Path, ref: PullRequestRef, actor: str, now: dt.datetime) -> StepResult:
    return _result(start, ref, now, partial(receive_pull_request, actor=actor))


def approve(
    start: Path, ref: PullRequestRef, actor: str, approver: str | None, now: dt.datetime,
    *, verdicts: Path | None = None,
) -> StepResult:  # fmt: skip
    step = partial(approve_pull_request, actor=actor, approver=approver, verdicts=verdicts)
    return _result(start, ref, now, step)


def finish(start: Path, ref: PullRequestRef, folder: Path | None, now: dt.datetime) -> StepResult:
    return _result(start, ref, now, partial(finish_pull_request, folder=folder))


def _result(
    start: Path, ref: PullRequestRef, now: dt.datetime, step: Callable[[PullRequest], StepResult]
) -> StepResult:
    pull = open_for_step(start, ref, now)
    return pull if isinstance(pull, StepResult) else step(pull)


@dataclass(frozen=True)
class Judged:
    """A pull request and what is wrong with it."""

    pull: PullRequest
    problems: Sequence[Problem]

    @property
    def errors(self) -> Sequence[Problem]:
        return errors_in(self.problems)


def judge(start: Path, ref: PullRequestRef, actor: str, now: dt.datetime) -> Judged:
    pull = opened(start, ref, now)
    return Judged(pull, judge_pull_request(pull, actor))


def proposed(start: Path, ref: PullRequestRef, now: dt.datetime) -> Snapshot:
    """Return the base branch with the head's changes laid over it."""
    return opened(start, ref, now).after
