"""A pull request as a step sees it: its merge, and what the ledger says of it."""

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from evaluator.ci.git.history import tree_id
from evaluator.ci.git.merge_changes import differences, list_paths, merge_commit
from evaluator.ci.git.raw_trees import changes
from evaluator.ci.git.remote import join
from evaluator.ci.ledger.arrivals import brought_by, head_path, pull_request_path
from evaluator.ci.ledger.command_notes import COMMANDS, approver_by_comment
from evaluator.ci.ledger.form_notes import form_path
from evaluator.ci.ledger.ledger import Ledger
from evaluator.ci.ledger.ledger_notes import (
    APPROVED,
    ATTEMPTS,
    COMMENTS,
    HEADS,
    PULLS,
    RECEIVED,
    Approval,
    shard,
)
from evaluator.ci.ledger.ledger_state import grown_ledger
from evaluator.ci.ledger.quotas import admission_by
from evaluator.ci.opened.heads import REBASE, PullRequestRef, base_commit, fork_of, head_commit
from evaluator.ci.opened.proposal import Proposal
from evaluator.ci.scores.ledger_records import CellTable, add_to_ledger
from evaluator.core.errors import RefusedError
from evaluator.core.git.commands import Repo
from evaluator.core.git.tree import Tree, read_tree
from evaluator.core.planning.plan import make_plan


@dataclass(frozen=True, kw_only=True)
class PullRequest(Proposal):
    """One pull request, opened once by a step and judged by the base branch's rules."""

    @cached_property
    def ledger(self) -> Ledger:
        """The ledger, as far as it is about the pull request, in few exchanges with its remote."""
        before = self.before
        ledger = grown_ledger(self.repo, before.settings.ledger, self.ref.remote, before.tree)
        number = self.ref.number
        folders = [
            f"{PULLS}/{number}/{part}" for part in (HEADS, RECEIVED, APPROVED, COMMENTS, COMMANDS)
        ]
        for submission in self.submissions:
            benchmark, participant, _ = submission.split("/")
            folders.append(f"{RECEIVED}/{submission}")
            folders.append(f"{ATTEMPTS}/{benchmark}/{participant.casefold()}")
        folders.append(shard(APPROVED, self.tree))
        paths = [head_path(self.head), form_path(self.head)]
        ledger.entries.read_folders([*paths, *(f"{folder}/" for folder in folders)])
        return ledger

    @property
    def belongs_to_another(self) -> bool:
        """Whether another pull request had this head first."""
        return brought_by(self.ledger, self.head) not in (None, self.ref.number)

    @property
    def whole_path(self) -> str:
        """Path of the note that CI saw all that its merge now makes of the submissions."""
        return f"{PULLS}/{self.ref.number}/{RECEIVED}/{self.head}-{self.changed}.json"

    @property
    def has_moved(self) -> bool:
        """Whether CI received this head, but not with what the merge makes of it now."""
        path = pull_request_path(self.ref.number or 0, self.head)
        return path in self.ledger.entries and self.whole_path not in self.ledger.entries

    @property
    def outdated(self) -> Approval | None:
        """The last approval of this head, if the merge now makes something else of it."""
        if self._approval_of(self.ledger):
            return None
        approvals = reversed(self.ledger.approvals_of(self.ref.number))
        last = next((one for one in approvals if one.head == self.head), None)
        return last if last and last.changed != self.changed else None

    @property
    def approver_by_comment(self) -> str | None:
        """Login that approves it by a comment since its last approval, or None."""
        whole, last = (self.head, self.changed), self._approval_of(self.ledger)
        return approver_by_comment(self.ledger, self.ref.number, whole, last)

    @property
    def is_merged(self) -> bool:
        """Whether the base branch has all that this head brought, which CI received."""
        path = pull_request_path(self.ref.number or 0, self.head)
        return not self.changes and path in self.ledger.entries

    def approval(self, ledger: Ledger) -> Approval | None:
        """The last approval that counts, if it is of this head."""
        approval = self._approval_of(ledger)
        return approval if approval and approval.head == self.head else None

    def _approval_of(self, ledger: Ledger) -> Approval | None:
        return ledger.approval_of(self.ref.number, self.tree, self.changed)

    def add_notes(self, files: Mapping[str, bytes]) -> None:
        add_to_ledger(
            self.repo, files, "Note {} files\n",
            branch=self.before.settings.ledger, remote=self.ref.remote,
        )  # fmt: skip

    def cells(self, ledger: Ledger) -> CellTable:
        admit = admission_by(ledger)
        before = {
            (item.cell.id, item.cell.keys.score)
            for item in make_plan(self.before, self.now, admit).missing
        }
        table = CellTable(
            item
            for item in make_plan(self.after, self.now, admit).missing
            if (item.cell.id, item.cell.keys.score) not in before
        )
        table.look_up(self.after, ledger, self.now, admit)
        return table


def open_pull_request(
    repo: Repo, ref: PullRequestRef, now: dt.datetime, known: Tree | None = None
) -> PullRequest:
    """Lay the head over the base. Raises UsageError, MovedError, RefusedError.

    A tree that the caller has ``known`` since it read it is not read again if it is the base's.

    A forge shows what the head changed since one merge base; git merges by all of them. So there
    must be one, and what is shown must be what the merge does.
    """
    base = base_commit(repo, ref.base, ref.remote)
    head = head_commit(repo, ref, base)
    join(repo, ref.remote, base, head)
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
        repo=repo, ref=ref, base=base, head=head, tree=tree_id(repo, head), merged=merged,
        base_tree=known if known and known.commit == base else read_tree(repo, base),
        changes=tuple(by_merge), now=now,
    )  # fmt: skip
    pull.fetch_missing()
    return pull
