"""What is wrong with a pull request, by the base branch's rules; nothing of it is run."""

import datetime as dt
from collections.abc import Iterable

from evaluator.ci.forge.repository import find_forge
from evaluator.ci.ledger.form_notes import NOBODY
from evaluator.ci.ledger.ledger import Ledger
from evaluator.ci.ledger.quotas import judge_entries
from evaluator.ci.opened.proposal import Proposal
from evaluator.ci.opened.pull_request import PullRequest
from evaluator.ci.policy.entrants import judge_entrants
from evaluator.ci.policy.ownership import changed_in, judge_changes, judge_earlier
from evaluator.core.errors import Problem, RefusedError, errors_in, participants_problem
from evaluator.core.formats.pointer import FOLDER as ARCHIVES
from evaluator.core.formats.submission import Submission
from evaluator.core.planning.rules import check_tree
from evaluator.core.planning.snapshot import Snapshot
from evaluator.core.planning.typed_names import is_within


def judge(pull: PullRequest, actor: str) -> list[Problem]:
    """All problems that are known before it runs; ``actor`` pushed it."""
    problems = judge_files(pull, actor)
    if not errors_in(problems):  # what is refused uses up no quota
        problems += over_quota(pull.after, pull.entered, pull.ledger, pull.now)
    return problems


def judge_files(pull: Proposal, actor: str) -> list[Problem]:
    """The problems of files and of who may change them."""
    if actor == NOBODY:
        return [
            participants_problem(
                "pull request",
                "is nobody's: its author's account is gone, or our bot opened it and the ledger "
                "has no note of a form",
                "Open a pull request of your own, or enter by the form.",
            )
        ]
    settings, folders = pull.before.settings, pull.before.tree.entries.folders
    changed = changed_in(pull.repo, pull.changes, pull.after.tree)
    participants = {path.split("/")[2] for path in folders}
    problems = list(judge_changes(changed, actor, settings, participants, pull.after.submissions))
    if not problems and not settings.is_organiser(actor):
        try:
            problems = [*judge_earlier(pull.repo, pull.base, pull.head, actor, settings)]
        except RefusedError as error:
            problems = [problem_of(error)]

    def signer() -> tuple[str, str] | None:
        forge = find_forge(settings.forge)
        return forge.signer(pull.head) if forge is not None else None

    problems += judge_entrants(pull.before, pull.entered, actor, signer)
    places = [f"submissions/{name}" for name in pull.submissions]
    places += [f"benchmarks/{name}" for name in pull.benchmarks]
    for folder in ("suites", ARCHIVES):
        places += {folder for change in pull.changes if change.path.startswith(f"{folder}/")}
    refused = {problem.file for problem in problems}
    problems += [
        problem
        for problem in dict.fromkeys([*pull.after.problems, *check_tree(pull.after, places)])
        if any(is_within(problem.file, place) for place in places) and problem.file not in refused
    ]
    return sorted(problems, key=lambda problem: (problem.file, problem.line or 0, problem.key))


def problem_of(error: RefusedError) -> Problem:
    return participants_problem("commits", error.message, error.hint)


def over_quota(
    snapshot: Snapshot, entered: Iterable[Submission], ledger: Ledger, now: dt.datetime
) -> list[Problem]:
    return [
        participants_problem(refusal.submission.path, refusal.reason, refusal.hint)
        for refusal in judge_entries(snapshot, entered, ledger, now).refused.values()
    ]
