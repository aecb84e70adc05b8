"""Whether CI merges an evaluated pull request: nothing may differ from its approval."""

import re
from collections.abc import Iterable
from dataclasses import replace
from itertools import chain

from evaluator.ci.forge.repository import find_forge
from evaluator.ci.ledger.form_notes import entrant_of
from evaluator.ci.opened.pull_request import PullRequest
from evaluator.ci.policy.case import MOVED, Decision, open_case
from evaluator.ci.policy.decide import objection_today
from evaluator.ci.policy.judge import judge_files
from evaluator.ci.policy.keys import policy_of, reason_to_stop
from evaluator.ci.policy.races import Race, races
from evaluator.ci.policy.waiting import Why
from evaluator.ci.scores.ledger_records import CellTable
from evaluator.core.errors import Actor, PlatformError, errors_in, some_of

_WORD = r"\b(?:clos|fix|resolv|reopen)"
_CLOSES = (
    re.compile(rf"{_WORD}(\S*+)", re.I), re.compile(rf"{_WORD}\w{{0,5}}+:*+\s++(?=(\S*))", re.I)
)  # fmt: skip
"""Words with which a commit on the default branch, or a merged pull request, closes others, and
what follows without a blank, or after it. No character is read twice: messages have no limit."""
_REFERENCE = re.compile(r"(?:[#!]|GH-|/(?:issues|pulls?)/)\d", re.I)


def not_merged(
    reason: str, why: Why = "merge", actor: Actor | None = Actor.ORGANISER,
    behind: tuple[int, ...] = (),
) -> Decision:  # fmt: skip
    """The decision that CI does not merge it; ``reason`` is public, in one sentence."""
    return Decision(verdict="wait", why=why, actor=actor, reason=reason, behind=behind)


def merges_by_itself(pull: PullRequest) -> bool:
    """Whether the policies of all benchmarks that it enters have ``merge``."""
    benchmarks = pull.before.benchmarks
    entered = {name.partition("/")[0] for name in pull.submissions}
    return bool(entered) and all(
        name in benchmarks and policy_of(benchmarks[name]).merge for name in entered
    )


def objection_to_merge(newest: PullRequest, number: int) -> Decision | None:
    """Why CI does not merge it into the newest tip of the base branch, or None."""
    table = newest.cells(newest.ledger)
    return _judge(newest, table) or _judge_author(newest, number, table)


def _judge(newest: PullRequest, table: CellTable) -> Decision | None:
    """The first thing that has changed since the approval, or None."""
    settings, ledger = newest.before.settings, newest.ledger
    stop = reason_to_stop(settings)
    if stop:
        return not_merged(f"An organiser has stopped the policy: {stop}", why="stopped")
    if not merges_by_itself(newest):
        return not_merged("A benchmark that it enters has no policy that merges any more.")
    if newest.outdated:
        return MOVED
    if newest.approval(ledger) is None:
        return not_merged("The merge would change something else than what was approved.")
    if table.missing or table.errors:
        return not_merged("The benchmark has changed, so some cells have no scores now.")
    entered = races(newest)
    unfinished = waits_for(entered)
    if unfinished:
        return unfinished
    if entered and not newest.only_adds:
        return not_merged("It changes an entry with which others were compared.")
    return None


def closes_something(text: str) -> bool:
    words = chain.from_iterable(each.finditer(text) for each in _CLOSES)
    return any(_REFERENCE.search(word[1]) for word in words)


def waits_for(entered: Iterable[Race]) -> Decision | None:
    """The decision to wait until earlier entries of a race have their scores, or None."""
    behind = sorted({number for race in entered for number in race.unfinished})
    if not behind:
        return None
    numbers = some_of([f"#{each}" for each in behind], 5)
    reason = f"It waits for the scores of entries that arrived earlier: {numbers}."
    return not_merged(reason, why="earlier", actor=None, behind=tuple(behind))


def _judge_author(newest: PullRequest, number: int, table: CellTable) -> Decision | None:
    settings = newest.before.settings
    forge = find_forge(settings.forge)
    if forge is None:
        return not_merged("There is no token of a forge, which could merge it.")
    try:
        there = forge.pull_request(number)
    except PlatformError as error:  # it passes, so that the queue tries again
        return not_merged(f"The forge does not show it now: {error.message}.", actor=None)
    if there.base.ref != newest.ref.base:
        return not_merged("It goes to another branch than when it was approved.")
    if there.state != "open" or there.head.sha != newest.head:
        return not_merged("It is closed, or its head moved.", why="closed", actor=None)
    author = entrant_of(there.user.login if there.user else "", newest.ledger, newest.head)
    if not author or settings.is_organiser(author):
        who = "an organiser, who may change all that is here" if author else "unknown"
        return not_merged(f"Its author is {who}.")
    problems = errors_in(judge_files(newest, author))
    below = tuple(f"submissions/{name}/" for name in newest.submissions)
    if problems or not all(change.path.startswith(below) for change in newest.changes):
        why = "it changes more than its own folders"
        if problems:
            why = f"{problems[0].file} {problems[0].message}"
        return not_merged(f"Today's rules do not allow the merge: {why}.")
    against = objection_today(replace(open_case(newest, author), known_table=table))
    if against is not None and against.verdict == "screen":
        return not_merged(f"{against.reason} CI judges it again.", why="moved", actor=None)
    if against is not None:
        why = against.reason or "it approves nothing."
        return not_merged(f"Today's policy does not approve it: {why}")
    messages = newest.repo.git.log("--format=%B", f"{newest.base}..{newest.head}")
    if closes_something(f"{messages}\n{there.title}\n{there.body or ''}"):
        return not_merged(
            reason="Its commit messages, title or description would close something else, as "
            "`fixes #1` does. Its author takes that out, or an organiser merges it."
        )
    return None
