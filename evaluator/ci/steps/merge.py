"""Merges an evaluated pull request if its policy says so, and notes that it is merged or waits."""

import datetime as dt
from dataclasses import replace

from evaluator.ci.forge.connection import ForgeError
from evaluator.ci.forge.repository import MERGE_VARIABLES, find_forge, merge_title
from evaluator.ci.git.history import merge_of
from evaluator.ci.ledger.ledger_notes import PULLS, note_json
from evaluator.ci.opened.heads import MovedError, base_commit
from evaluator.ci.opened.pull_request import PullRequest, open_pull_request
from evaluator.ci.policy.case import Decision
from evaluator.ci.policy.merging import merges_by_itself, not_merged, objection_to_merge
from evaluator.ci.policy.waiting import GOES_ON, MERGED, Merged
from evaluator.ci.steps.comment import Report
from evaluator.ci.steps.reports import StepResult
from evaluator.core.errors import PlatformError, RefusedError

DONE = "The scores are committed and the site is rebuilt."
_ORGANISER_ACTS = "An organiser merges it, or does what is written above."


def merge(step: StepResult, now: dt.datetime) -> StepResult | None:
    """Merge what a step evaluated, or say why not; None if no policy asks for a merge.

    Records, comment and status come before the merge, so that a killed step can be repeated. The
    forge merges this head alone; this judges everything else again, at the newest tip of the base
    branch.
    """
    pull = step.pull
    if pull is None or not step.ok or pull.is_merged or not merges_by_itself(pull):
        return None
    number = pull.ref.number
    if number is None:
        return None
    try:
        newest = open_pull_request(pull.repo, pull.ref, now, pull.base_tree)
    except (MovedError, RefusedError) as error:
        moved = not_merged(f"The base branch or the head moved: {error.message}.")
        return note_waiting(step, moved, replace(pull, now=now))
    if newest.is_merged:
        return note_merge(step, newest)
    refused = objection_to_merge(newest, number)
    if refused is None:
        commit = _merge(newest, number)
        if isinstance(commit, str):
            return note_merge(step, newest, commit)
        refused = commit
    return note_waiting(step, refused, newest)


def _merge(newest: PullRequest, number: int) -> str | Decision:
    """The merge commit, or why there is none."""
    forge = find_forge(newest.before.settings.forge, tokens=MERGE_VARIABLES)
    if forge is None:
        return not_merged(
            f"The forge does not merge it: there is no token that may merge: {MERGE_VARIABLES[0]} "
            "is empty."
        )
    try:
        return forge.merge(number, newest.head)
    except ForgeError as error:
        return not_merged(f"The forge does not merge it: {error.message}.")
    except PlatformError as error:  # it passes, so that the queue tries again
        return not_merged(f"The forge does not merge it now: {error.message}.", actor=None)


def before_merge(pull: PullRequest) -> PullRequest | None:
    """A merged pull request as it was before; None if no merge commit has its head."""
    merged = merge_of(pull.repo, pull.base, pull.head)
    return merged and open_pull_request(pull.repo, replace(pull.ref, base=merged[1]), pull.now)


def note_merge(step: StepResult, pull: PullRequest, commit: str = "") -> StepResult:
    """Note that it is merged, and return a step that says so.

    Without ``commit`` the base branch says who merged: an earlier step may have been killed then.
    """
    number, base = pull.ref.number, pull.base
    if number is None:
        return step
    if not commit:
        tip = base_commit(pull.repo, pull.ref.base, pull.ref.remote)
        merged = merge_of(pull.repo, tip, pull.head)
        if merged is not None:
            commit = merged[0] if merged[2] == merge_title(number, pull.head) else ""
            base = merged[1]
    note = Merged(head=pull.head, base=base, commit=commit, at=pull.now)
    if not pull.ledger.entries.names(f"{PULLS}/{number}/{MERGED}"):
        pull.add_notes({f"{PULLS}/{number}/{MERGED}/{pull.head}.json": note_json(note)})
    reason = "pullbench merged it by itself." if commit else "It is merged."
    report = _with_reason(step.report, reason, DONE) if step.ok else step.report
    return replace(step, report=report, pull=pull, comment=pull.ledger.comment_of(number))


def note_waiting(step: StepResult, refused: Decision, pull: PullRequest) -> StepResult:
    """Note why it waits, and return a report that says so."""
    pull.add_notes(refused.notes(pull))
    next_step = _ORGANISER_ACTS if refused.actor else GOES_ON
    return replace(step, report=_with_reason(step.report, refused.reason, next_step))


def _with_reason(report: Report, reason: str, next_step: str) -> Report:
    # The sentence on private feedback stays.
    return replace(report, reason=reason, next_steps=(next_step, *report.next_steps[1:]))
