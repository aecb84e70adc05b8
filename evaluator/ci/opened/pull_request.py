"""A pull request as a snapshot: the base branch with the head's changes laid over it."""

import datetime as dt
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, partial

from evaluator.ci.forge.repository import find_forge
from evaluator.ci.git.history import tree_id
from evaluator.ci.git.merge_changes import differences, digest_of, list_paths, merge_commit
from evaluator.ci.git.partial_clone import fetch_missing
from evaluator.ci.git.raw_trees import Change, changes
from evaluator.ci.git.remote import join
from evaluator.ci.ledger.arrivals import (
    Received,
    brought_by,
    head_path,
    pull_request_path,
    received_path,
)
from evaluator.ci.ledger.command_notes import COMMANDS, approver_by_comment
from evaluator.ci.ledger.ledger import Ledger
from evaluator.ci.ledger.ledger_notes import (
    APPROVED,
    ATTEMPTS,
    COMMENTS,
    HEADS,
    PULLS,
    RECEIVED,
    Approval,
    note_json,
    shard,
)
from evaluator.ci.ledger.ledger_state import STATE_FILE, grown_ledger
from evaluator.ci.ledger.quotas import judge_entries, policy_by
from evaluator.ci.ledger.versions import work_of
from evaluator.ci.opened.heads import REBASE, Source, base_commit, fork_of, head_commit
from evaluator.ci.policy.entrants import judge_entrants
from evaluator.ci.policy.ownership import (
    changed_in,
    judge,
    judge_earlier,
    submissions_in,
)
from evaluator.ci.policy.reviews import REVIEWS, Review
from evaluator.ci.scores.ledger_records import CellTable, add_to_ledger
from evaluator.core.errors import Actor, Problem, RefusedError
from evaluator.core.formats.bundle import FILE_NAME as BUNDLE_FILE
from evaluator.core.formats.cell import SCORES
from evaluator.core.formats.pointer import FOLDER as ARCHIVES
from evaluator.core.formats.submission import FILE_NAME, Submission
from evaluator.core.git.commands import Repo
from evaluator.core.git.listing import SUBMODULE
from evaluator.core.git.tree import Tree, read_tree
from evaluator.core.planning.plan import make_plan
from evaluator.core.planning.rules import check_tree
from evaluator.core.planning.snapshot import Snapshot, read_snapshot
from evaluator.core.planning.typed_names import is_within


@dataclass(frozen=True, kw_only=True)
class PullRequest:
    """One pull request, opened once by a step and judged by the base branch's rules."""

    repo: Repo
    source: Source
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
        """Digest of changes, and of all of each submission as merged now: an approval binds it."""
        return digest_of(self.repo, self.merged, self.changes)

    @cached_property
    def contents(self) -> Mapping[str, str]:
        """Digest of each submission as it would be merged now, without scores."""
        digest = partial(self._tree.digest, leave_out=frozenset({SCORES}))
        return {name: digest(f"submissions/{name}") for name in self.submissions}

    @property
    def changed_paths(self) -> list[tuple[str, str]]:
        return [
            ("deleted" if new is None else "added" if old is None else "changed", path)
            for path, old, new in self.changes
        ]

    @cached_property
    def before(self) -> Snapshot:
        return read_snapshot(read_tree(self.repo, self.base), participants=self._scope)

    @cached_property
    def after(self) -> Snapshot:
        return read_snapshot(self._tree, participants=self._scope)

    @cached_property
    def _tree(self) -> Tree:
        return read_tree(self.repo, self.merged)

    @cached_property
    def submissions(self) -> frozenset[str]:
        return frozenset(submissions_in(self.changes))

    @cached_property
    def only_adds(self) -> bool:
        """Whether it brings submissions and leaves all that is there as it is."""
        folders = self.before.tree.entries.folders
        paths = [f"submissions/{name}" for name in self.submissions]
        below = tuple(f"{path}/" for path in paths)
        is_new = not any(path in folders for path in paths)
        return is_new and all(change.path.startswith(below) for change in self.changes)

    @cached_property
    def benchmarks(self) -> frozenset[str]:
        parts = (change.path.split("/") for change in self.changes)
        return frozenset(part[1] for part in parts if part[0] == "benchmarks" and len(part) > 2)

    @property
    def _scope(self) -> frozenset[str] | None:
        """``benchmark/participant`` that matter; None for a change of the benchmarks."""
        if any(not change.path.startswith("submissions/") for change in self.changes):
            return None
        return frozenset("/".join(name.split("/")[:2]) for name in self.submissions)

    @cached_property
    def ledger(self) -> Ledger:
        """The ledger, as far as it is about the pull request, in few exchanges with its remote."""
        before = self.before
        ledger = grown_ledger(self.repo, before.settings.ledger, self.source.remote, before.tree)
        number = self.source.pull_request
        folders = [
            f"{PULLS}/{number}/{part}" for part in (HEADS, RECEIVED, APPROVED, COMMENTS, COMMANDS)
        ]
        for submission in self.submissions:
            benchmark, participant, _ = submission.split("/")
            folders.append(f"{RECEIVED}/{submission}")
            folders.append(f"{ATTEMPTS}/{benchmark}/{participant.casefold()}")
        folders.append(shard(APPROVED, self.tree))
        ledger.entries.read_folders([head_path(self.head), *(f"{folder}/" for folder in folders)])
        return ledger

    @cached_property
    def reviews(self) -> list[Review]:
        return [review(self) for review in REVIEWS.values()]

    @property
    def belongs_to_another(self) -> bool:
        """Whether another pull request had this head first."""
        return brought_by(self.ledger, self.head) not in (None, self.source.pull_request)

    @property
    def whole_path(self) -> str:
        """Path of the note that CI saw all that its merge now makes of the submissions."""
        return f"{PULLS}/{self.source.pull_request}/{RECEIVED}/{self.head}-{self.changed}.json"

    @property
    def has_moved(self) -> bool:
        """Whether CI received this head, but not with what the merge makes of it now."""
        path = pull_request_path(self.source.pull_request or 0, self.head)
        return path in self.ledger.entries and self.whole_path not in self.ledger.entries

    @property
    def outdated(self) -> Approval | None:
        """The last approval of this head, if the merge now makes something else of it."""
        if self._approval_of(self.ledger):
            return None
        approvals = reversed(self.ledger.approvals_of(self.source.pull_request))
        last = next((one for one in approvals if one.head == self.head), None)
        return last if last and last.changed != self.changed else None

    @property
    def approver_by_comment(self) -> str | None:
        """Login that approves it by a comment since its last approval, or None."""
        ledger, before = self.ledger, self._approval_of(self.ledger)
        whole = (self.head, self.changed)
        return approver_by_comment(ledger, self.source.pull_request, whole, before)

    @property
    def is_merged(self) -> bool:
        """Whether the base branch has all that this head brought, which CI received."""
        path = pull_request_path(self.source.pull_request or 0, self.head)
        return not self.changes and path in self.ledger.entries

    def approval(self, ledger: Ledger) -> Approval | None:
        """Return the last approval that counts, if it is of this head."""
        approval = self._approval_of(ledger)
        return approval if approval and approval.head == self.head else None

    def _approval_of(self, ledger: Ledger) -> Approval | None:
        return ledger.approval_of(self.source.pull_request, self.tree, self.changed)

    def add_notes(self, files: Mapping[str, bytes]) -> None:
        add_to_ledger(
            self.repo, files, "Note {} files\n",
            branch=self.before.settings.ledger, remote=self.source.remote,
        )  # fmt: skip

    def received_notes(self) -> dict[str, bytes]:
        """Note when the head came, and what it brought; withdrawn work enters nothing."""
        number = self.source.pull_request
        note = note_json(Received(at=self.now, head=self.head, pull_request=number))
        notes = {head_path(self.head): note}
        # The first note of a name stays.
        name = f"{self.head}-{number}" if self.belongs_to_another else self.head
        if number is not None:
            notes[pull_request_path(number, self.head)] = notes[self.whole_path] = note
        for item in self.after.submissions:
            if item.id in self.submissions:
                work = work_of(self.after.tree, item)
                work = work._replace(kind="withdrawn") if item.cancelled else work
                notes[received_path(item.id, work, name)] = note
        for review in self.reviews:
            notes |= review.arrival_notes()
        return notes

    def fetch_missing(self) -> None:
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
        changed = changed_in(self.repo, self.changes, self.after.tree)
        participants = {path.split("/")[2] for path in self.before.tree.entries.folders}
        problems = list(judge(changed, actor, self.before.settings, participants))
        if not problems and not self.before.settings.is_organiser(actor):
            settings = self.before.settings
            try:
                problems = [*judge_earlier(self.repo, self.base, self.head, actor, settings)]
            except RefusedError as error:
                problems = [refusal(error)]
        problems += judge_entrants(self.before, self.entered, actor, self._signer)
        places = [f"submissions/{name}" for name in self.submissions]
        places += [f"benchmarks/{name}" for name in self.benchmarks]
        for folder in ("suites", ARCHIVES):
            places += {folder for change in self.changes if change.path.startswith(f"{folder}/")}
        refused = {problem.file for problem in problems}
        problems += [
            problem
            for problem in dict.fromkeys([*self.after.problems, *check_tree(self.after, places)])
            if any(is_within(problem.file, place) for place in places)
            and problem.file not in refused
        ]
        return sorted(problems, key=lambda problem: (problem.file, problem.line or 0, problem.key))

    @property
    def entered(self) -> list[Submission]:
        """Submissions that it brings or changes, and does not withdraw."""
        return [
            item
            for item in self.after.submissions
            if item.id in self.submissions and not item.cancelled
        ]

    @property
    def content_entered(self) -> list[Submission]:
        """Submissions whose content may be new: all, unless it only withdraws some of the base.

        Work that is new and withdrawn would else be merged although nothing has read it.
        """
        folders = self.before.tree.entries.folders
        cards = {f"submissions/{name}/{FILE_NAME}" for name in self.submissions}
        only_cards = all(change.path in cards for change in self.changes)
        return [
            item for item in self.after.submissions if item.id in self.submissions
            and not (item.cancelled and only_cards and item.path in folders)
        ]  # fmt: skip

    def _signer(self) -> tuple[str, str] | None:
        forge = find_forge(self.before.settings.forge)
        return forge.signer(self.head) if forge is not None else None

    def over_quota(self, ledger: Ledger) -> list[Problem]:
        return window_problems(self.after, self.entered, ledger, self.now)

    def cells(self, ledger: Ledger) -> CellTable:
        policy = policy_by(ledger)
        before = {
            (item.cell.id, item.cell.keys.score)
            for item in make_plan(self.before, self.now, policy).missing
        }
        table = CellTable(
            item
            for item in make_plan(self.after, self.now, policy).missing
            if (item.cell.id, item.cell.keys.score) not in before
        )
        table.look_up(self.after, ledger, self.now, policy)
        return table


def refusal(error: RefusedError) -> Problem:
    return Problem(file="commits", message=error.message, hint=error.hint, actor=Actor.PARTICIPANT)


def window_problems(
    snapshot: Snapshot, entered: Iterable[Submission], ledger: Ledger, now: dt.datetime
) -> list[Problem]:
    return [
        Problem(
            file=refusal.submission.path, message=refusal.reason, hint=refusal.hint,
            actor=Actor.PARTICIPANT,
        )
        for refusal in judge_entries(snapshot, entered, ledger, now).refused.values()
    ]  # fmt: skip


def open_pull_request(repo: Repo, source: Source, now: dt.datetime) -> PullRequest:
    """Lay the head over the base. Raises UsageError, MovedError, RefusedError.

    A forge shows what the head changed since one merge base; git merges by all of them. So there
    must be one, and what is shown must be what the merge does.
    """
    base = base_commit(repo, source.base, source.remote)
    head = head_commit(repo, source, base)
    join(repo, source.remote, base, head)
    visible = changes(repo, fork_of(repo, base, head), head)
    merged = merge_commit(repo, base, head, now)
    by_merge = changes(repo, base, merged)
    different = differences(repo, base, visible, by_merge)
    if different:
        raise RefusedError(
            f"the merge does not change what the pull request shows: {list_paths(different)}",
            hint=REBASE,
        )
    pull = PullRequest(
        repo=repo, source=source, base=base, head=head, tree=tree_id(repo, head), merged=merged,
        changes=tuple(by_merge), now=now,
    )  # fmt: skip
    pull.fetch_missing()
    return pull
