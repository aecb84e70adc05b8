"""A head laid over the base branch: what git says of a pull request."""

import datetime as dt
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, partial

from evaluator.ci.git.merge_changes import digest_of
from evaluator.ci.git.partial_clone import fetch_missing
from evaluator.ci.git.raw_trees import Change
from evaluator.ci.ledger.ledger_state import STATE_FILE
from evaluator.ci.opened.heads import PullRequestRef
from evaluator.core.formats.bundle import FILE_NAME as BUNDLE_FILE
from evaluator.core.formats.cell import SCORES
from evaluator.core.formats.submission import FILE_NAME, Submission
from evaluator.core.git.commands import Repo
from evaluator.core.git.listing import SUBMODULE
from evaluator.core.git.tree import Tree
from evaluator.core.planning.snapshot import Snapshot, read_snapshot


@dataclass(frozen=True, kw_only=True)
class Proposal:
    """Base, head and merge of one pull request, and its files before and after."""

    repo: Repo
    ref: PullRequestRef
    base: str
    """Commit id of the base branch's tip."""
    base_tree: Tree
    """Its files."""
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
        digest = partial(self.merged_tree.digest, leave_out=frozenset({SCORES}))
        return {name: digest(f"submissions/{name}") for name in self.submissions}

    @property
    def changed_paths(self) -> list[tuple[str, str]]:
        return [
            ("deleted" if new is None else "added" if old is None else "changed", path)
            for path, old, new in self.changes
        ]

    @cached_property
    def before(self) -> Snapshot:
        return read_snapshot(self.base_tree, participants=self._scope)

    @cached_property
    def after(self) -> Snapshot:
        return read_snapshot(self.merged_tree, participants=self._scope)

    @cached_property
    def merged_tree(self) -> Tree:
        return self.base_tree.with_changes(self.merged, self.changes)

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

    def fetch_missing(self) -> None:
        """Fetch what judging reads and a partial clone lacks, in one exchange."""
        if self._scope is None:
            return
        near = tuple(f"submissions/{name}/" for name in self._scope)
        entries = self.merged_tree.entries
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


def submissions_in(proposed: Iterable[Change]) -> set[str]:
    return {"/".join(change.path.split("/")[1:4]) for change in submitted(proposed)}


def submitted(proposed: Iterable[Change]) -> Iterator[Change]:
    for change in proposed:
        parts = change.path.split("/")
        if parts[0] == "submissions" and len(parts) > 4:
            yield change
