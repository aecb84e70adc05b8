"""A pull request as a snapshot: the base branch with the head's changes laid over it."""

import datetime as dt
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from evaluator.ci.git import join, merge_commit
from evaluator.ci.git.merge_changes import differences, digest_of, forks, named
from evaluator.ci.git.raw_trees import Change, changes
from evaluator.ci.ledger.ledger import Ledger
from evaluator.ci.ledger.ledger_state import STATE_FILE
from evaluator.ci.ledger.quotas import judge_entries, policy_by
from evaluator.ci.pull_requests.heads import REBASE, Source, base_commit, fork_of, head_commit
from evaluator.ci.pull_requests.ownership import Changed, judge, judge_earlier, submissions_in
from evaluator.core.errors import Actor, Problem, RefusedError
from evaluator.core.formats.bundle import FILE_NAME as BUNDLE_FILE
from evaluator.core.formats.pointer import FOLDER as ARCHIVES
from evaluator.core.formats.submission import FILE_NAME, Submission
from evaluator.core.git.commands import Repo, read_blobs, sizes, tree_id
from evaluator.core.git.listing import SUBMODULE
from evaluator.core.git.partial_clone import fetch_missing
from evaluator.core.git.tree import Tree, read_tree
from evaluator.core.planning.plan import Plan, make_plan
from evaluator.core.planning.rules import check_tree
from evaluator.core.planning.snapshot import Snapshot, take_snapshot

_POINTER_BYTES = 1024
"""No Git LFS pointer is longer."""


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
        return take_snapshot(read_tree(self.repo, self.base), participants=self._scope)

    @cached_property
    def after(self) -> Snapshot:
        return take_snapshot(self._tree, participants=self._scope)

    @cached_property
    def _tree(self) -> Tree:
        return read_tree(self.repo, self.merged)

    @cached_property
    def submissions(self) -> frozenset[str]:
        """Ids of the submissions that it touches."""
        return frozenset(submissions_in(self.changes))

    @cached_property
    def only_adds(self) -> bool:
        """Whether it brings submissions and leaves all that is there as it is."""
        folders = self.before.tree.entries.folders
        paths = tuple(f"submissions/{name}/" for name in self.submissions)
        return all(f"submissions/{name}" not in folders for name in self.submissions) and all(
            change.path.startswith(paths) for change in self.changes
        )

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

    def bring(self) -> None:
        """Fetch what judging reads and a partial clone lacks, in one exchange."""
        if self._scope is None:
            return
        near = tuple(f"submissions/{name}/" for name in self._scope)
        entries = self._tree.entries
        outside = [
            path for path in entries.outside
            if path in ("pyproject.toml", STATE_FILE) or path.endswith(f"/{BUNDLE_FILE}")
        ]  # fmt: skip
        folders = [entries.folders[path] for path in entries.folders if path.startswith(near)]
        read = [entry for folder in folders for path, entry in folder.entries.items()
                if path == f"{folder.path}/{FILE_NAME}" or path in folder.records]  # fmt: skip
        read += [entries[path] for path in outside]
        read += [change.new for change in self.changes if change.new is not None]
        fetch_missing(self.repo, [entry.blob for entry in read if entry.mode != SUBMODULE])

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
        for folder in ("suites", ARCHIVES):
            places += {folder for change in self.changes if change.path.startswith(f"{folder}/")}
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
        plan = make_plan(self.after, self.now, policy_by(ledger))
        before = {
            (item.cell.id, item.cell.keys.score)
            for item in make_plan(self.before, self.now, policy_by(ledger)).missing
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
        if (folder := folders.get(path)) and path not in tree.archived
    }
    ids = {
        change.new.blob for change in proposed if change.new is not None and change.new.is_regular
    }
    submodules = {
        entry.blob
        for path in submissions
        for entry in folders[path].entries.values()
        if entry.mode == SUBMODULE
    }
    blob_sizes = sizes(repo, sorted(ids.union(*submissions.values()) - submodules))
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
    head = head_commit(repo, source, base)
    join(repo, source.remote, base, head)
    visible = changes(repo, fork_of(repo, base, head), head)
    merged = merge_commit(repo, base, head, now)
    landing = changes(repo, base, merged)
    different = differences(repo, base, visible, landing)
    if different:
        raise RefusedError(
            f"the merge does not change what the pull request shows: {named(different)}",
            hint=REBASE,
        )
    proposal = Proposal(
        repo=repo,
        base=base,
        head=head,
        tree=tree_id(repo, head),
        merged=merged,
        changes=tuple(landing),
        now=now,
    )
    proposal.bring()
    return proposal
