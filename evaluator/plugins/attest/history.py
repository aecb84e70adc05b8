"""What the history of a branch says: whom it trusted when, and since when a line is what it is."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from typing import NamedTuple

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


class CommittedScores(NamedTuple):
    """A scores file as a commit left it."""

    commit: str
    file: ScoresFile | None
    lines: Lines


_AT_ONCE = 20
"""Versions of a file that are asked for together: mostly one of the newest is looked for."""


class CommitHistory:
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
        self.unlisted_since = ""
        """The commit that took all keys away; empty if they are there."""
        self.signed_on: str | None = None
        """The commit on which CI signed first: a tip of the branch once, whatever merges say."""

    @cached_property
    def age(self) -> Mapping[str, int]:
        """Commit -> its place, the newest first."""
        commits = self.repo.git.rev_list("--topo-order", self.commit).split()
        return {commit: place for place, commit in enumerate(commits)}

    @cached_property
    def later(self) -> frozenset[str]:
        """Commits of branches here that descend from the one that is read: tags move no branch."""
        refs = ("--branches", "--remotes", f"^{self.commit}")
        return frozenset(self.repo.git.rev_list("--ancestry-path", *refs).split())

    def trust(self, commits: Iterable[str]) -> dict[str, Trust]:
        """Whom commits trust. One whose settings cannot be read trusts nobody."""
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
    def present(self) -> Attest:
        """Whom the commit lists; if nobody may sign scores, whom one before it listed last."""
        commits = [self.commit, *self._log("pyproject.toml")]
        trust = self.trust(commits)
        for commit in commits:
            if trust[commit].attest.asks:
                return trust[commit].attest
            self.unlisted_since = commit
        self.unlisted_since = ""
        return trust[self.commit].attest

    @cached_property
    def first_trust(self) -> Sequence[str]:
        """The commits that named a key first: what came later has to be signed.

        Up to the commit on which CI signed first, which no later commit changes. Before that there
        may be several, for a merge may bring another beginning.
        """
        tip = self.signed_on or self.commit
        out = self.repo.git.rev_list("--full-history", "--parents", tip, "--", "pyproject.toml")
        parents = {commit: before for commit, *before in map(str.split, out.splitlines())}
        trust = self.trust(parents)
        listed = {commit for commit in parents if trust[commit].attest != Attest()}
        return [one for one in parents if one in listed and listed.isdisjoint(parents[one])]

    def ledger_tips(self) -> Iterator[tuple[str, str]]:
        """Yield commits and the tip of the ledger that each brought, the newest first."""
        for commit, content in self.contents(STATE_FILE):
            with suppress(PlatformError):
                yield commit, read_state(content).tip

    def versions(self, path: str) -> Iterator[CommittedScores]:
        """Yield a scores file as each commit that changed it left it, the newest first."""
        for commit, content in self.contents(path):
            file = _scores(path, content)
            yield CommittedScores(commit, file, lines_of(file))

    def lines_before_keys(self, path: str) -> Lines:
        """The lines that all commits have which listed the first key, archived or not."""
        contents = [tree.read([path]).get(path, b"") for tree in self._trees_before_keys]
        every = [set(lines_of(_scores(path, one)).items()) for one in contents]
        return dict(set.intersection(*every)) if every else {}

    @cached_property
    def _trees_before_keys(self) -> list[Tree]:
        return [read_tree(self.repo, commit) for commit in self.first_trust]

    def contents(self, path: str) -> Iterator[tuple[str, bytes]]:
        """Yield commits that changed a file and what each made of it, empty where it is gone."""
        commits = self._log(path)
        for start in range(0, len(commits), _AT_ONCE):
            some = commits[start : start + _AT_ONCE]
            blobs = object_ids(self.repo, [f"{commit}:{path}" for commit in some])
            known = read_blobs(self.repo, [blob for blob in blobs if blob])
            yield from (
                (one, next(known) if blob else b"") for one, blob in zip(some, blobs, strict=True)
            )

    def has(self, commit: str, path: str) -> bool:
        return object_ids(self.repo, [f"{commit}:{path}"]) != [None]

    def since(self, path: str, cell: str, digest: str | None) -> str:
        """The commit that made the line of a cell what it is now, or took it away."""
        last = self.commit
        for version in self.versions(path):
            if version.lines.get(cell) != digest:
                break
            last = version.commit
        return last

    def _log(self, path: str) -> Sequence[str]:
        """Commits that changed a file: of all parents, since who merges orders them."""
        log = self.repo.git.log
        return log("--full-history", "--format=%H", self.commit, "--", path).split()


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
    except (AttributeError, ValueError):
        return Trust(Attest(), "")
