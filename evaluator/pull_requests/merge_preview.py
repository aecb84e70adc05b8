"""A pull request as a snapshot: the base branch with the head's changes laid over it."""

import datetime as dt
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from evaluator.errors import Actor, Problem, RefusedError, UsageError
from evaluator.formats.submission import Submission
from evaluator.formats.suite import FOLDER as SUITES
from evaluator.git.commands import Repo, commit_id, read_blobs, sizes, tree_id
from evaluator.git.merge_changes import differences, digest_of, forks, merge_bases, named
from evaluator.git.raw_trees import Change, changes
from evaluator.git.tree import Tree, read_tree
from evaluator.git.write import fetch_commit, merge_commit, tip_of
from evaluator.planning.ledger import Ledger
from evaluator.planning.ownership import Changed, judge, judge_earlier, submissions_in
from evaluator.planning.plan import Plan, make_plan
from evaluator.planning.quotas import judge_entries
from evaluator.planning.rules import check_tree
from evaluator.planning.snapshot import Snapshot, take_snapshot

_POINTER_BYTES = 1024
"""No Git LFS pointer is longer."""


@dataclass(frozen=True, kw_only=True)
class Source:
    """Where a proposal comes from."""

    base: str
    """Name of the base branch, or a commit."""
    head: str
    """Commit or branch."""
    remote: str | None = None
    """Remote that has both; None reads this clone."""
    pull_request: int | None = None


class MovedError(UsageError):
    """The pull request's head is no longer the commit that is asked for."""


@dataclass(frozen=True, kw_only=True)
class Proposal:
    """One pull request, judged by the base branch's rules."""

    repo: Repo
    base: str
    """Commit id of the base branch's tip."""
    head: str
    tree: str
    """git's id of all that the head holds."""
    merged: str
    """Commit id of the head's changes laid over the base."""
    changes: tuple[Change, ...]
    """What the merge does to the base branch, which is what the head shows."""
    now: dt.datetime

    @cached_property
    def changed(self) -> str:
        """Digest of the changed paths: with ``tree``, what an approval binds."""
        return digest_of(self.changes)

    @property
    def listed(self) -> list[tuple[str, str]]:
        """Each changed path, with whether it is new, changed or gone."""
        return [
            ("deleted" if new is None else "added" if old is None else "changed", path)
            for path, old, new in self.changes
        ]

    @cached_property
    def before(self) -> Snapshot:
        """Return the snapshot of the base."""
        return self._snapshot(self.base)

    @cached_property
    def after(self) -> Snapshot:
        """Return the base as it would be."""
        return self._snapshot(self.merged)

    @cached_property
    def submissions(self) -> frozenset[str]:
        """Ids of the submissions that it touches."""
        return frozenset(submissions_in(self.changes))

    @cached_property
    def benchmarks(self) -> frozenset[str]:
        """Names of the benchmarks whose bundles it touches."""
        parts = (change.path.split("/") for change in self.changes)
        return frozenset(part[1] for part in parts if part[0] == "benchmarks" and len(part) > 2)

    @property
    def _scope(self) -> frozenset[str] | None:
        """``benchmark/participant`` that matter; None for a change of the benchmarks."""
        if any(not change.path.startswith("submissions/") for change in self.changes):
            return None
        return frozenset("/".join(name.split("/")[:2]) for name in self.submissions)

    def _snapshot(self, commit: str) -> Snapshot:
        return take_snapshot(read_tree(self.repo, commit), participants=self._scope)

    def problems(self, actor: str) -> list[Problem]:
        """Return every reason to refuse the pull request, quotas apart."""
        changed = changed_in(self.repo, self.changes, self.after.tree)
        participants = {path.split("/")[2] for path in self.before.tree.entries.folders}
        problems = list(judge(changed, actor, self.before.settings, participants))
        if not problems and not self.before.settings.is_organiser(actor):
            try:
                earlier = earlier_changes(self.repo, self.base, self.head)
                problems += judge_earlier(earlier, actor, self.before.settings)
            except RefusedError as error:
                problems.append(
                    Problem(
                        file="commits", message=error.message, hint=error.hint,
                        actor=Actor.PARTICIPANT,
                    )
                )  # fmt: skip
        places = [f"submissions/{name}" for name in self.submissions]
        places += [f"benchmarks/{name}" for name in self.benchmarks]
        places += {SUITES for change in self.changes if change.path.startswith(f"{SUITES}/")}
        refused = {problem.file for problem in problems}
        problems += [
            problem
            for problem in dict.fromkeys([*self.after.problems, *check_tree(self.after, places)])
            if any(
                problem.file == place or problem.file.startswith(f"{place}/") for place in places
            )
            and problem.file not in refused
        ]
        return sorted(problems, key=lambda problem: (problem.file, problem.line or 0, problem.key))

    def over_quota(self, ledger: Ledger) -> list[Problem]:
        """Submissions beyond a quota or outside their phase's window."""
        touched = [
            item
            for item in self.after.submissions
            if item.id in self.submissions and not item.cancelled
        ]
        return refusals(self.after, touched, ledger, self.now)

    def plan(self, ledger: Ledger) -> Plan:
        """Cells that are missing because of the pull request, and no others."""
        plan = make_plan(self.after, self.now, ledger)
        before = {
            (item.cell.id, item.cell.keys.score)
            for item in make_plan(self.before, self.now, ledger).missing
        }
        missing = tuple(
            item for item in plan.missing if (item.cell.id, item.cell.keys.score) not in before
        )
        return Plan(missing=missing, total=plan.total, waiting=plan.waiting, refused=plan.refused)


def changed_in(repo: Repo, proposed: Sequence[Change], tree: Tree) -> Changed:
    """Return what must be known of changes; ``tree`` holds them, a working tree some of them."""
    folders = tree.entries.folders
    submissions = {
        path: [folder.entries[name].blob for name in folder.submitted]
        for path in (f"submissions/{name}" for name in sorted(submissions_in(proposed)))
        if (folder := folders.get(path))
    }
    ids = {
        change.new.blob for change in proposed if change.new is not None and change.new.is_regular
    }
    blob_sizes = sizes(repo, sorted(ids.union(*submissions.values())))
    blob_sizes |= tree.unsaved_sizes(change.path for change in proposed)
    small = [
        change
        for change in proposed
        if change.new is not None and blob_sizes.get(change.new.blob, 1 << 30) <= _POINTER_BYTES
    ]
    starts = tree.read(change.path for change in small if change.path in tree.dirty)
    saved = {change.path: change.new.blob for change in small
             if change.new is not None and change.path not in tree.dirty}  # fmt: skip
    starts |= zip(saved, read_blobs(repo, list(saved.values())), strict=True)
    return Changed(changes=proposed, sizes=blob_sizes, starts=starts, submissions=submissions)


def earlier_changes(repo: Repo, base: str, head: str) -> dict[str, Sequence[Change] | None]:
    """Return what the commits before a head change of the commits that they stand on.

    Raises RefusedError.
    """
    return {
        commit: None if fork is None else changes(repo, fork, commit)
        for commit, fork in forks(repo, base, head).items()
        if commit != head
    }


def refusals(
    snapshot: Snapshot, entered: Iterable[Submission], ledger: Ledger, now: dt.datetime
) -> list[Problem]:
    """Return why submissions are beyond a quota or outside their phase's window."""
    return [
        Problem(
            file=refusal.submission.path, message=refusal.reason, hint=refusal.hint,
            actor=Actor.PARTICIPANT,
        )
        for refusal in judge_entries(snapshot, entered, ledger, now).refused.values()
    ]  # fmt: skip


def propose(repo: Repo, source: Source, now: dt.datetime) -> Proposal:
    """Fetch base and head as objects and lay one over the other.

    A forge shows what the head changed since one merge base; git merges by all of them. So there
    must be one, and what is shown must be what the merge does. Raises UsageError, MovedError,
    RefusedError.
    """
    base = base_commit(repo, source)
    head = _head(repo, source)
    visible = changes(repo, fork_of(repo, base, head), head)
    merged = merge_commit(repo, base, head, now)
    landing = changes(repo, base, merged)
    different = differences(repo, base, visible, landing)
    if different:
        raise RefusedError(
            f"the merge does not change what the pull request shows: {named(different)}",
            hint=_REBASE,
        )
    return Proposal(
        repo=repo,
        base=base,
        head=head,
        tree=tree_id(repo, head),
        merged=merged,
        changes=tuple(landing),
        now=now,
    )


_REBASE = "Put its changes into commits on top of the base branch: `git rebase`, then push again."


def fork_of(repo: Repo, base: str, head: str) -> str:
    """Return the one commit from which base and head went apart. Raises RefusedError."""
    bases = merge_bases(repo, base, head)
    if not bases:
        raise RefusedError("it has no common history with the base branch", hint=_REBASE)
    if len(bases) > 1:
        raise RefusedError(
            f"it has {len(bases)} merge bases with the base branch, so that its merge may change "
            "what nobody is shown",
            hint=_REBASE,
        )
    return bases[0]


def base_commit(repo: Repo, source: Source) -> str:
    """Full id of the base branch's tip, fetched where it is not here. Raises UsageError."""
    return _commit(repo, source, source.base)


def _commit(repo: Repo, source: Source, name: str) -> str:
    """Full id of a branch of the remote, or of a commit."""
    commit = tip_of(repo, name, source.remote)
    if commit is None:
        commit = commit_id(repo, name)
    if commit is None:
        raise UsageError(f"there is no branch '{name}'", hint="Name another with --base.")
    return commit


def _head(repo: Repo, source: Source) -> str:
    """Full id of the head, fetched where it is not here; it must be where the head is now."""
    if source.remote is None:
        return _commit(repo, source, source.head)
    if source.pull_request is None:
        commit = fetch_commit(
            repo, source.remote, f"refs/heads/{source.head}", source.head, strangers=True
        )
        if commit is None:
            raise UsageError(f"'{source.remote}' has no '{source.head}'")
        return commit
    now = fetch_commit(repo, source.remote, f"refs/pull/{source.pull_request}/head", strangers=True)
    if now != source.head:
        raise MovedError(
            f"the head of pull request {source.pull_request} is now {str(now)[:12]}, "
            f"not {source.head[:12]}",
            hint="What was approved is void; an organiser looks again and sets the label.",
        )
    return source.head
