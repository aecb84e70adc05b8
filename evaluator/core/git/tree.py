"""Reads git and never writes it: the files of a commit, or of the working tree."""

import datetime as dt
import hashlib
import os
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path

from evaluator.core.errors import PlatformError, UsageError
from evaluator.core.formats.cell import SCORES, digest, is_score
from evaluator.core.formats.paths import shown
from evaluator.core.formats.pointer import FOLDER as ARCHIVES
from evaluator.core.git.commands import (
    FIRST_PARENTS,
    ROOTS,
    begin_comparing,
    begin_listing,
    commit_id,
    list_entries,
    moment,
    read_blobs,
)
from evaluator.core.git.listing import LINK, Listing, TreeEntry, add_archived
from evaluator.core.git.repository import GitFailedError, Repo, open_repository

__all__ = ["WORKING_TREE", "Tree", "begin_reading", "open_repository", "read_tree"]

WORKING_TREE = "working tree"
_ARCHIVES = f"{ARCHIVES}/"


class Tree:
    """Files below ROOTS with their content ids, from one commit or from the working tree.

    A working tree is its HEAD with what differs laid over it, so that a clean one costs no more
    than a commit, and has the same ids.
    """

    def __init__(
        self, repo: Repo, commit: str | None, entries: Listing, dirty: frozenset[str]
    ) -> None:
        self.repository = repo
        self.commit = commit
        """Full id of the commit read; None for a repository without any."""
        self.entries = entries
        """Path -> entry."""
        self.dirty = dirty
        """Paths whose content is that of the working tree, not of the commit."""
        self._elsewhere: dict[str, Path] = {}
        self.archived, self.archive_problems = add_archived(
            entries, self.read([path for path in entries.outside if path.startswith(_ARCHIVES)])
        )

    @cached_property
    def _changed(self) -> tuple[str, ...]:
        return tuple(path for path in self.dirty if not is_score(path))

    def is_changed(self, *paths: str) -> bool:
        """Whether it differs from the commit, anywhere or below paths; scores do not count."""
        return bool(self.changed(*paths) if paths else self._changed)

    def changed(self, *paths: str) -> list[str]:
        folders = tuple(f"{path}/" for path in paths)
        return sorted(n for n in self._changed if n in paths or n.startswith(folders))

    def overlay(self, files: Mapping[str, Path]) -> None:
        for path, place in files.items():
            content = _read_file(place)
            if content is not None:
                self.entries.put(path, TreeEntry(_mode(place), _blob_id(content)))
                self._elsewhere[path] = place
        self.dirty |= self._elsewhere.keys()
        self.__dict__.pop("_changed", None)

    @property
    def root(self) -> Path:
        return Path(self.repository.working_tree_dir or self.repository.git_dir)

    def clone_setting(self, name: str) -> str:
        """``git config pullbench.NAME`` of this clone: no commit can bring such a value."""
        try:
            return str(self.repository.git.config("--local", "--get", f"pullbench.{name}"))
        except GitFailedError:
            return ""

    def is_ignored(self, path: str) -> bool:
        """Whether git leaves a folder out; it never follows a link."""
        if self.repository.bare or (self.root / path).resolve() != self.root.resolve() / path:
            return True
        return bool(self.repository.gitpython.ignored(f"{path}/"))

    def under(self, folder: str) -> Sequence[str]:
        return self.entries.below(folder)

    def digest(self, path: str, leave_out: frozenset[str] = frozenset()) -> str:
        """Content id: names, modes and blob ids, but for first segments to ``leave_out``."""
        submission = self.entries.folders.get(path)
        if submission is None and path in self.entries:
            return digest([self.entries[path]])
        known = {} if submission is None else submission.digests
        if leave_out in known:
            return known[leave_out]
        entries = self.entries if submission is None else submission.entries
        start = len(path) + 1
        content = [
            [name[start:], *entries[name]]
            for name in self.under(path)
            if not leave_out or name[start:].partition("/")[0] not in leave_out
        ]
        known[leave_out] = digest(content) if content else ""
        return known[leave_out]

    def read(self, paths: Iterable[str]) -> dict[str, bytes]:
        """Contents of regular files, all in one exchange with git."""
        wanted = [
            path
            for path in dict.fromkeys(paths)
            if (entry := self.entries.get(path)) and (entry.is_regular or path in self.dirty)
        ]
        return dict(zip(wanted, self.stream(wanted), strict=True))

    def stream(self, paths: Sequence[str], broken: bytes | None = None) -> Iterator[bytes]:
        """Yield contents in order, of no plain file empty; ``broken`` where git fails."""
        entries, dirty = self.entries, self.dirty
        if not dirty:
            regular = [entries[path] for path in paths]
            if all(entry.is_regular for entry in regular):
                yield from read_blobs(self.repository, [entry.blob for entry in regular], broken)
                return
        clean = [
            entry.blob
            for path in paths
            if path not in dirty and (entry := entries[path]).is_regular
        ]
        blobs = read_blobs(self.repository, clean, broken)
        for path in paths:
            if path in dirty:
                yield self.content(path, entries[path].blob)
            else:
                yield next(blobs) if entries[path].is_regular else b""

    def unsaved_sizes(self, paths: Iterable[str]) -> dict[str, int]:
        return {
            self.entries[path].blob: self._place(path).lstat().st_size
            for path in paths
            if path in self.dirty and path in self.entries
        }

    def content(self, path: str, blob: str) -> bytes:
        """The content of a file of that id, of a regular one where git has it."""
        if path not in self.dirty:
            return next(read_blobs(self.repository, [blob]))
        content = _read_file(self._place(path))
        if content is None or _blob_id(content) != blob:
            raise PlatformError(
                f"{shown(path)} changed while it was read", hint="Run the command again."
            )
        return content

    def _place(self, path: str) -> Path:
        return self._elsewhere.get(path, self.root / path)

    def export(self, path: str, to: Path, leave_out: frozenset[str] = frozenset()) -> None:
        """Write content below ``to``, by no filter, hook or attribute of the repository."""
        if path in self.entries:
            sources = {path: path.rpartition("/")[2]}
        else:
            start = len(path) + 1
            sources = {
                name: name[start:]
                for name in self.under(path)
                if name[start:].partition("/")[0] not in leave_out
            }
        for name in sources:
            if not self.entries[name].is_regular:
                raise UsageError(
                    f"{shown(name)} is a link or a submodule; neither is evaluated",
                    hint="Replace it by the file or folder that it points to.",
                )
        contents = self.read(sources)
        for name, relative in sources.items():
            target = to / relative
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(contents[name])
            if self.entries[name].mode == "100755":
                target.chmod(0o755)

    def last_change(self, paths: Sequence[str]) -> str | None:
        """Abbreviated id of the commit that last changed any of the paths; None if none did."""
        if self.commit is None or self.is_changed(*paths):
            return None
        scores = f":(exclude,glob)submissions/*/*/*/{SCORES}/**"
        log = self.repository.git.log
        return str(log("-1", "--format=%h", self.commit, "--", *paths, scores)) or None

    @property
    def committed(self) -> dt.datetime | None:
        """When the commit was made, in UTC; None for a repository without any."""
        show = self.repository.git.show
        return moment(show("--no-patch", "--format=%ct", self.commit)) if self.commit else None

    def added(self, path: str) -> str | None:
        """ISO time, in UTC, at which a path was first committed; None if it never was."""
        options = (*FIRST_PARENTS, "--diff-filter=A", "--no-patch", "--format=%ct")
        log = self.repository.git.log
        seconds = log(*options, self.commit, "--", path).split() if self.commit else ()
        return moment(seconds[-1]).isoformat() if seconds else None

    def with_changes(
        self, commit: str, changes: Iterable[tuple[str, TreeEntry | None, TreeEntry | None]]
    ) -> "Tree":
        """Another commit, by the paths that differ: each with its entry here and there."""
        new = {path: entry for path, _, entry in changes if path.partition("/")[0] in ROOTS}
        if self.archived or any(path.startswith(_ARCHIVES) for path in new):
            return read_tree(self.repository, commit)  # pointers name files that no path shows
        return Tree(self.repository, commit, self.entries.with_changes(new), frozenset())

    def at_commit(self, commit: str, *folders: str) -> "Tree":
        return Tree(
            self.repository, commit, list_entries(self.repository, commit, *folders), frozenset()
        )


def read_tree(repo: Repo, revision: str | None = None) -> Tree:
    """Read a commit, or the working tree. Raises UsageError for a revision that is not there."""
    if revision is None and not repo.bare:
        return _begin(repo)()
    commit = commit_id(repo, revision)
    entries = list_entries(repo, commit) if commit else Listing()
    return Tree(repo, commit, entries, frozenset())


def begin_reading(start: Path) -> Callable[[], Tree]:
    """Begin to read the working tree, while others load programs; return what waits."""
    repo = open_repository(start)
    return (lambda: read_tree(repo)) if repo.bare else _begin(repo)


def _begin(repo: Repo) -> Callable[[], Tree]:
    commit = commit_id(repo, None)
    changed = begin_comparing(repo)
    listed = begin_listing(repo, commit) if commit else Listing

    def finish() -> Tree:
        return _overlay(repo, commit, listed(), changed())

    return finish


def _overlay(repo: Repo, commit: str | None, entries: Listing, changed: Iterable[str]) -> Tree:
    """The tree of a commit with the working tree's files in place of those that differ."""
    root = Path(repo.working_tree_dir or "")
    dirty: set[str] = set()
    for path in changed:
        dirty.add(path)
        content = _read_file(root / path)
        # What is gone differs, too.
        entries.put(
            path, content if content is None else TreeEntry(_mode(root / path), _blob_id(content))
        )
    return Tree(repo, commit, entries, frozenset(dirty))


def _read_file(path: Path) -> bytes | None:
    """Content of a regular file, the target of a link, or None if there is neither."""
    try:
        status = path.lstat()
        if stat.S_ISLNK(status.st_mode):
            return os.fsencode(path.readlink())
        return path.read_bytes() if stat.S_ISREG(status.st_mode) else None
    except (FileNotFoundError, NotADirectoryError):
        return None


def _mode(path: Path) -> str:
    mode = path.lstat().st_mode
    if stat.S_ISLNK(mode):
        return LINK
    return "100755" if mode & 0o100 else "100644"


def _blob_id(content: bytes) -> str:
    # Raw bytes, as git stores them without filters.
    return hashlib.sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()
