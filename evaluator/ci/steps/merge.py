"""Merges an evaluated pull request if nothing differs from its approval."""

import datetime as dt
import re
from collections.abc import Iterable
from dataclasses import replace
from itertools import chain

from pydantic import AwareDatetime

from evaluator.ci.forge.connection import ForgeError
from evaluator.ci.forge.repository import MERGE_VARIABLES, find_forge, merge_title
from evaluator.ci.git.history import merge_of
from evaluator.ci.ledger.ledger_notes import PULLS, Note, note_json
from evaluator.ci.opened.heads import MovedError, base_commit
from evaluator.ci.opened.pull_request import PullRequest, open_pull_request
from evaluator.ci.policy.case import MOVED, Decision
from evaluator.ci.policy.decide import objection_today
from evaluator.ci.policy.keys import policy_of, policy_settings
from evaluator.ci.policy.races import Race, races
from evaluator.ci.policy.waiting import GOES_ON, MERGED, Why
from evaluator.ci.scores.ledger_records import CellTable
from evaluator.ci.steps.comment import Report
from evaluator.ci.steps.reports import Step
from evaluator.core.errors import Actor, PlatformError, RefusedError, some_of

MERGES = "pullbench merges it by itself, if nothing has changed since its approval."
DONE = "The scores are committed and the site is rebuilt."
_WORD = r"\b(?:clos|fix|resolv|reopen)"
_CLOSES = (
    re.compile(rf"{_WORD}(\S*+)", re.I), re.compile(rf"{_WORD}\w{{0,5}}+:*+\s++(?=(\S*))", re.I)
)  # fmt: skip
"""Words with which a commit on the default branch, or a merged pull request, closes others, and
what follows without a blank, or after it. No character is read twice: messages have no limit."""
_REFERENCE = re.compile(r"(?:[#!]|GH-|/(?:issues|pulls?)/)\d", re.I)
_ORGANISER_ACTS = "An organiser merges it, or does what is written above."


class Merged(Note):
    """The merge of a pull request."""

    head: str
    base: str
    """Tip of the base branch for which it was judged."""
    commit: str
    """The merge commit; empty if a person merged it."""
    at: AwareDatetime


def _refusal(
    reason: str, why: Why = "merge", actor: Actor | None = Actor.ORGANISER,
    behind: tuple[int, ...] = (),
) -> Decision:  # fmt: skip
    """Return the decision that CI does not merge it; ``reason`` is public, in one sentence."""
    return Decision(verdict="wait", why=why, actor=actor, reason=reason, behind=behind)


def merges_by_itself(pull: PullRequest) -> bool:
    """Whether the policies of all benchmarks that it enters have ``merge``."""
    settings, benchmarks = pull.before.settings, pull.before.benchmarks
    entered = {name.partition("/")[0] for name in pull.submissions}
    return bool(entered) and all(
        name in benchmarks and policy_of(benchmarks[name], settings).merge for name in entered
    )


def merge(step: Step, now: dt.datetime) -> Step | None:
    """Merge what a step evaluated, or say why not; None if no policy asks for a merge.

    Records, comment and status come before the merge, so that a killed step can be repeated. The
    forge merges this head alone; this judges everything else again, at the newest tip of the base
    branch.
    """
    pull = step.pull
    if pull is None or not step.ok or pull.is_merged or not merges_by_itself(pull):
        return None
    number = pull.source.pull_request
    if number is None:
        return None
    try:
        newest = open_pull_request(pull.repo, pull.source, now)
    except (MovedError, RefusedError) as error:
        moved = _refusal(f"The base branch or the head moved: {error.message}.")
        return note_waiting(step, moved, replace(pull, now=now))
    if newest.is_merged:
        return note_merge(step, newest)
    table = newest.cells(newest.ledger)
    refused = _judge(newest, table) or _judge_author(newest, number, table)
    if refused is None:
        commit = _merge(newest, number)
        if isinstance(commit, str):
            return note_merge(step, newest, commit)
        refused = commit
    return note_waiting(step, refused, newest)


def _merge(newest: PullRequest, number: int) -> str | Decision:
    """Return the merge commit, or why there is none."""
    forge = find_forge(newest.before.settings.forge, tokens=MERGE_VARIABLES)
    if forge is None:
        return _refusal(
            f"The forge does not merge it: there is no token that may merge: {MERGE_VARIABLES[0]} "
            "is empty."
        )
    try:
        return forge.merge(number, newest.head)
    except ForgeError as error:
        return _refusal(f"The forge does not merge it: {error.message}.")
    except PlatformError as error:  # it passes, so that the queue tries again
        return _refusal(f"The forge does not merge it now: {error.message}.", actor=None)


def before_merge(pull: PullRequest) -> PullRequest | None:
    """Return a merged pull request as it was before; None if no merge commit has its head."""
    merged = merge_of(pull.repo, pull.base, pull.head)
    return merged and open_pull_request(pull.repo, replace(pull.source, base=merged[1]), pull.now)


def note_merge(step: Step, pull: PullRequest, commit: str = "") -> Step:
    """Note that it is merged, and return a step that says so.

    Without ``commit`` the base branch says who merged: an earlier step may have been killed then.
    """
    number, base = pull.source.pull_request, pull.base
    if number is None:
        return step
    if not commit:
        tip = base_commit(pull.repo, pull.source.base, pull.source.remote)
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


def note_waiting(step: Step, refused: Decision, pull: PullRequest) -> Step:
    """Note why it waits, and return a report that says so."""
    pull.add_notes(refused.notes(pull))
    next_step = _ORGANISER_ACTS if refused.actor else GOES_ON
    return replace(step, report=_with_reason(step.report, refused.reason, next_step))


def _with_reason(report: Report, reason: str, next_step: str) -> Report:
    # The sentence on private feedback stays.
    feedback = report.next_step.partition(MERGES)[2]
    return replace(report, reason=reason, next_step=f"{next_step}{feedback}")


def _judge(newest: PullRequest, table: CellTable) -> Decision | None:
    """Return the first thing that has changed since the approval, or None."""
    settings, ledger = newest.before.settings, newest.ledger
    stop = policy_settings(settings).stop
    if stop:
        return _refusal(f"An organiser has stopped the policy: {stop}", why="stopped")
    if not merges_by_itself(newest):
        return _refusal("A benchmark that it enters has no policy that merges any more.")
    if newest.outdated:
        return MOVED
    if newest.approval(ledger) is None:
        return _refusal("The merge would change something else than what was approved.")
    if table.missing or table.errors:
        return _refusal("The benchmark has changed, so some cells have no scores now.")
    entered = races(newest)
    unfinished = waits_for(entered)
    if unfinished:
        return unfinished
    if entered and not newest.only_adds:
        return _refusal("It changes an entry with which others were compared.")
    return None


def closes_something(text: str) -> bool:
    words = chain.from_iterable(each.finditer(text) for each in _CLOSES)
    return any(_REFERENCE.search(word[1]) for word in words)


def waits_for(entered: Iterable[Race]) -> Decision | None:
    """Return that earlier entries of a race need their scores first, or None."""
    behind = sorted({number for race in entered for number in race.unfinished})
    if not behind:
        return None
    numbers = some_of([f"#{each}" for each in behind], 5)
    reason = f"It waits for the scores of entries that arrived earlier: {numbers}."
    return _refusal(reason, why="earlier", actor=None, behind=tuple(behind))


def _judge_author(newest: PullRequest, number: int, table: CellTable) -> Decision | None:
    settings = newest.before.settings
    forge = find_forge(settings.forge)
    if forge is None:
        return _refusal("There is no token of a forge, which could merge it.")
    try:
        there = forge.pull_request(number)
    except PlatformError as error:  # it passes, so that the queue tries again
        return _refusal(f"The forge does not show it now: {error.message}.", actor=None)
    if there.base.ref != newest.source.base:
        return _refusal("It goes to another branch than when it was approved.")
    if there.state != "open" or there.head.sha != newest.head:
        return _refusal("It is closed, or its head moved.", why="closed", actor=None)
    author = there.user.login if there.user else ""
    if not author or settings.is_organiser(author):
        who = "an organiser, who may change all that is here" if author else "unknown"
        return _refusal(f"Its author is {who}.")
    problems = [one for one in newest.problems(author) if one.severity == "error"]
    below = tuple(f"submissions/{name}/" for name in newest.submissions)
    if problems or not all(change.path.startswith(below) for change in newest.changes):
        why = "it changes more than its own folders"
        if problems:
            why = f"{problems[0].file} {problems[0].message}"
        return _refusal(f"Today's rules do not allow the merge: {why}.")
    against = objection_today(newest, author, table)
    if against is not None and against.verdict == "screen":
        return _refusal(f"{against.reason} CI judges it again.", why="moved", actor=None)
    if against is not None:
        why = against.reason or "it approves nothing."
        return _refusal(f"Today's policy does not approve it: {why}")
    messages = newest.repo.git.log("--format=%B", f"{newest.base}..{newest.head}")
    if closes_something(f"{messages}\n{there.title}\n{there.body or ''}"):
        return _refusal(
            reason="Its commit messages, title or description would close something else, as "
            "`fixes #1` does. Its author takes that out, or an organiser merges it."
        )
    return None
