"""Judge a pull request by the base branch's rules."""

import datetime as dt
from dataclasses import dataclass
from pathlib import Path

from evaluator.ci.ledger.ledger import Ledger
from evaluator.ci.pull_requests.comment import Report
from evaluator.ci.pull_requests.heads import Source, base_commit
from evaluator.ci.pull_requests.merge_preview import Proposal, propose
from evaluator.ci.pull_requests.notes import ledger_of
from evaluator.core.errors import Problem
from evaluator.core.formats.settings import Settings
from evaluator.core.git.tree import open_repository, read_tree
from evaluator.core.planning.snapshot import Snapshot, read_settings

MEND = "The participant mends what is listed and pushes again."


@dataclass(frozen=True, kw_only=True)
class Judged:
    """A pull request and what is wrong with it."""

    proposal: Proposal
    problems: tuple[Problem, ...]

    @property
    def errors(self) -> tuple[Problem, ...]:
        return tuple(problem for problem in self.problems if problem.severity == "error")


def judge(start: Path, source: Source, actor: str, now: dt.datetime) -> Judged:
    """Check everything about a pull request that can be checked without running it."""
    repo = open_repository(start)
    proposal = propose(repo, source, now)
    ledger = ledger_of(proposal, source)
    return judge_proposal(proposal, actor, ledger)


def judge_proposal(proposal: Proposal, actor: str, ledger: Ledger) -> Judged:
    """Judge what was fetched already. Quotas come last: what is refused uses up none."""
    problems = proposal.problems(actor)
    if not any(problem.severity == "error" for problem in problems):
        problems += proposal.over_quota(ledger)
    return Judged(proposal=proposal, problems=tuple(problems))


def verdict(judged: Judged) -> Report:
    """Return the judgement as a report, for jobs that may write nothing."""
    return Report(
        state="refused" if judged.errors else "received",
        reason="",
        head=judged.proposal.head,
        tree=judged.proposal.tree,
        changed=judged.proposal.listed,
        problems=judged.problems,
        next_step=MEND if judged.errors else "An organiser reviews it.",
        at=judged.proposal.now.isoformat(timespec="seconds"),
    )


def proposed(start: Path, source: Source, now: dt.datetime) -> Snapshot:
    """Return the base branch as a pull request would make it."""
    return propose(open_repository(start), source, now).after


def settings_of(start: Path, source: Source) -> Settings:
    """Read the base branch's settings; the pull request's own count for nothing."""
    repo = open_repository(start)
    tree = read_tree(repo, base_commit(repo, source))
    return read_settings(tree)
