"""What the history of a branch says: whom it trusted when, and since when a line is what it is."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from typing import NamedTuple

from pydantic import ValidationError

from evaluator.ci.ledger.ledger_state import STATE_FILE, read_state
from evaluator.core.errors import PlatformError, UsageError
from evaluator.core.formats.cell import place_of
from evaluator.core.formats.scores_file import ScoresFile
from evaluator.core.formats.settings import read_toml
from evaluator.core.git.commands import is_shallow, object_ids, read_blobs
from evaluator.core.git.repository import Repo
from evaluator.core.git.tree import Tree, read_tree
from evaluator.core.planning.records import read_scores
from evaluator.plugins.attest.settings import Attest
from evaluator.plugins.attest.statements import Lines, lines_of


class Trust(NamedTuple):
    """What a commit says of itself."""

    attest: Attest
    forge: str
    """Address of the repository."""


class Version(NamedTuple):
    """A scores file as a commit left it."""

    commit: str
    file: ScoresFile | None
    lines: Lines


class History:
    """A commit and all before it."""

    def __init__(self, repo: Repo, commit: str) -> None:
        """Raise UsageError for a clone that has a part of the history alone."""
        if is_shallow(repo):
            raise UsageError(
                "this clone has a part of the history alone, and a forged score may be older",
                hint="Get all of it: `git fetch --unshallow`.",
            )
        self.repo, self.commit = repo, commit
        self._blobs: dict[str, Trust] = {}
        self.signed_on: str | None = None
        """The oldest commit on which CI signed: a tip of the branch once, whatever merges say."""

    @cached_property
    def age(self) -> Mapping[str, int]:
        """Commit -> its place, the newest first."""
        commits = self.repo.git.rev_list("--topo-order", self.commit).split()
        return {commit: place for place, commit in enumerate(commits)}

    @cached_property
    def later(self) -> frozenset[str]:
        """Commits of this clone that descend from the one that is read."""
        rev_list = self.repo.git.rev_list
        return frozenset(rev_list("--ancestry-path", "--all", f"^{self.commit}").split())

    def trust(self, commits: Iterable[str]) -> dict[str, Trust]:
        """Return whom commits trust. One whose settings cannot be read trusts nobody."""
        wanted = list(dict.fromkeys(commits))
        blobs = object_ids(self.repo, [f"{commit}:pyproject.toml" for commit in wanted])
        new = [blob for blob in dict.fromkeys(blobs) if blob and blob not in self._blobs]
        for blob, content in zip(new, read_blobs(self.repo, new), strict=True):
            self._blobs[blob] = _trust(content)
        nobody = Trust(Attest(), "")
        return {
            commit: self._blobs[blob] if blob else nobody
            for commit, blob in zip(wanted, blobs, strict=True)
        }

    @cached_property
    def first_trust(self) -> str | None:
        """The first commit that names a key or an identity: what came later has to be signed.

        A merge whose first parent is an old commit hides none, once something is signed.
        """
        tips = dict.fromkeys([self.commit, self.signed_on or self.commit])
        listed = [first for tip in tips if (first := self.first_listed(tip))]
        return max(listed, key=self.age.__getitem__, default=None)

    def first_listed(self, tip: str) -> str | None:
        """Return the first commit up to a tip that names a key or an identity."""
        commits = self._log("pyproject.toml", tip)
        trust = self.trust(commits)
        signed = (one for one in reversed(commits) if trust[one].attest != Attest())
        return next(signed, None)

    def ledger_tips(self) -> Iterator[tuple[str, str]]:
        """Yield commits and the tip of the ledger that each brought, the newest first."""
        commits = self._log(STATE_FILE)
        ids = object_ids(self.repo, [f"{commit}:{STATE_FILE}" for commit in commits])
        known = [(commit, blob) for commit, blob in zip(commits, ids, strict=True) if blob]
        contents = read_blobs(self.repo, [blob for _, blob in known])
        for (commit, _), content in zip(known, contents, strict=True):
            with suppress(PlatformError):
                yield commit, read_state(content).tip

    def versions(self, path: str) -> Iterator[Version]:
        """Yield a scores file as each commit that changed it left it, the newest first."""
        return (self.version(commit, path) for commit in self._log(path))

    def version(self, commit: str, path: str) -> Version:
        blob = object_ids(self.repo, [f"{commit}:{path}"])[0]
        file = _scores(path, next(read_blobs(self.repo, [blob]))) if blob else None
        return Version(commit, file, lines_of(file))

    def lines_before_keys(self, path: str) -> Lines:
        """Return the lines of a file on the commit that listed the first key, archived or not."""
        tree = self._tree_before_keys
        content = tree.read([path]).get(path) if tree else None
        return lines_of(_scores(path, content) if content else None)

    @cached_property
    def _tree_before_keys(self) -> Tree | None:
        return read_tree(self.repo, self.first_trust) if self.first_trust else None

    def has(self, commit: str, path: str) -> bool:
        return object_ids(self.repo, [f"{commit}:{path}"]) != [None]

    def since(self, path: str, cell: str, digest: str | None) -> str:
        """Return the commit that made the line of a cell what it is now, or took it away."""
        last = ""
        for version in self.versions(path):
            if version.lines.get(cell) != digest:
                break
            last = version.commit
        return last

    def _log(self, path: str, tip: str = "") -> Sequence[str]:
        log = self.repo.git.log
        out = log("--first-parent", "--no-renames", "--format=%H", tip or self.commit, "--", path)
        return out.split()


def _scores(path: str, content: bytes) -> ScoresFile | None:
    place = place_of(path)
    if place is not None:
        with suppress(ValueError):
            return read_scores(content, place)
    return None


def _trust(content: bytes) -> Trust:
    try:
        data = read_toml(content).get("tool", {}).get("pullbench", {})
        return Trust(Attest.model_validate(data.get("attest", {})), str(data.get("forge", "")))
    except (AttributeError, ValueError, ValidationError):
        return Trust(Attest(), "")
