"""Reads git and never writes it: the files of a commit, or of the working tree."""

import datetime as dt
import hashlib
import os
import stat
import tempfile
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import git

from evaluator.errors import PlatformError, UsageError
from evaluator.formats.cell import digest
from evaluator.formats.paths import shown

ROOTS = ("benchmarks", "submissions", "pyproject.toml")
"""All that a plan may depend on."""
WORKING_TREE = "working tree"
_LINK, _SUBMODULE = "120000", "160000"


class Entry(NamedTuple):
    """One file: git's mode and blob id."""

    mode: str
    blob: str

    @property
    def is_regular(self) -> bool:
        """False for links and submodules."""
        return self.mode not in (_LINK, _SUBMODULE)


class Tree:
    """Files below ROOTS with their content ids, from one commit or from the working tree.

    A working tree is its HEAD with what differs laid over it, so that a clean one costs no more
    than a commit, and has the same ids.
    """

    def __init__(
        self, repo: git.Repo, commit: str | None, entries: dict[str, Entry], dirty: frozenset[str]
    ) -> None:
        self._repo = repo
        self.commit = commit
        """Full id of the commit read; None for a repository without any."""
        self.entries = entries
        """Path -> entry, sorted by path."""
        self.dirty = dirty
        """Paths whose content is that of the working tree, not of the commit."""

    @property
    def root(self) -> Path:
        """Folder of the repository's files."""
        return Path(self._repo.working_tree_dir or self._repo.git_dir)

    @cached_property
    def _paths(self) -> list[str]:
        return sorted(self.entries)

    def under(self, folder: str) -> Sequence[str]:
        """Paths of the files below a folder, from the repository's root, sorted."""
        low = bisect_left(self._paths, f"{folder}/")
        # "0" follows "/" in ASCII.
        return self._paths[low : bisect_left(self._paths, f"{folder}0")]

    def digest(self, path: str, leave_out: frozenset[str] = frozenset()) -> str:
        """Content id of a file or folder: names, modes and blob ids; empty where it is absent.

        ``leave_out`` are first segments below the folder that do not count.
        """
        if path in self.entries:
            return digest([self.entries[path]])
        start = len(path) + 1
        content = [
            [name[start:], *self.entries[name]]
            for name in self.under(path)
            if not leave_out or name[start:].partition("/")[0] not in leave_out
        ]
        return digest(content) if content else ""

    def read(self, paths: Iterable[str]) -> dict[str, bytes]:
        """Contents of regular files, all in one exchange with git."""
        wanted = {path: self.entries[path] for path in paths if path in self.entries}
        result = {path: self._read_dirty(path) for path in wanted if path in self.dirty}
        clean = {
            path: entry
            for path, entry in wanted.items()
            if path not in self.dirty and entry.is_regular
        }
        blobs = dict(
            zip(
                ids := list({entry.blob for entry in clean.values()}),
                read_blobs(self._repo, ids),
                strict=True,
            )
        )
        result.update({path: blobs[entry.blob] for path, entry in clean.items()})
        return result

    def _read_dirty(self, path: str) -> bytes:
        content = _read_file(self.root / path)
        if content is None or _blob_id(content) != self.entries[path].blob:
            raise PlatformError(
                f"{shown(path)} changed while it was read", hint="Run the command again."
            )
        return content

    def export(self, path: str, to: Path, leave_out: frozenset[str] = frozenset()) -> None:
        """Write a file's or folder's content below ``to``: plain files only, never a checkout.

        No filter, hook or attribute of the repository acts on the content.
        """
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
        if self.commit is None:
            return None
        prefixes = tuple(f"{path}/" for path in paths)
        if any(name in paths or name.startswith(prefixes) for name in self.dirty):
            return None
        return str(self._repo.git.log("-1", "--format=%h", self.commit, "--", *paths)) or None

    @property
    def committed(self) -> dt.datetime | None:
        """When the commit was made, in UTC; None for a repository without any."""
        if self.commit is None:
            return None
        seconds = int(self._repo.git.show("--no-patch", "--format=%ct", self.commit))
        return dt.datetime.fromtimestamp(seconds, dt.UTC)

    def attempts(self, folder: str, *leave_out: str) -> dict[str, list[dt.datetime]]:
        """First segment below a folder -> when commits changed content below it, in UTC.

        ``leave_out`` are second segments that do not count. Along first parents: a merge counts
        once, with the date at which it was merged, which its author cannot choose.
        """
        if self.commit is None:
            return {}
        out: str = self._repo.git.log(
            "--first-parent", "--diff-merges=first-parent", "--no-renames",
            "--format=%x00%ct", "--name-only", self.commit, "--", folder,
        )  # fmt: skip
        times: dict[str, list[dt.datetime]] = {}
        for chunk in out.split("\0")[1:]:
            seconds, *names = chunk.split("\n")
            changed = {
                parts[0]
                for name in names
                if len(parts := name[len(folder) + 1 :].split("/", 2)) > 1
                and parts[1] not in leave_out
            }
            for name in changed:
                times.setdefault(name, []).append(dt.datetime.fromtimestamp(int(seconds), dt.UTC))
        return times

    def added(self, path: str) -> str | None:
        """ISO time, in UTC, at which a path was first committed; None if it never was."""
        if self.commit is None:
            return None
        out: str = self._repo.git.log(
            "--first-parent",
            "--diff-merges=first-parent",
            "--diff-filter=A",
            "--no-patch",
            "--format=%ct",
            self.commit,
            "--",
            path,
        )
        if not out:
            return None
        return dt.datetime.fromtimestamp(int(out.split()[-1]), dt.UTC).isoformat()


def open_repository(start: Path) -> git.Repo:
    """Open the repository that holds a folder. Raises UsageError."""
    try:
        return git.Repo(start, search_parent_directories=True)
    except (git.InvalidGitRepositoryError, git.NoSuchPathError):
        raise UsageError(
            f"{start} is not in a git repository", hint="Run this inside a clone, or `git init`."
        ) from None


def read_tree(repo: git.Repo, revision: str | None = None) -> Tree:
    """Read a commit, or the working tree where ``revision`` is None.

    Raises UsageError for a revision that does not exist.
    """
    commit = _commit(repo, revision)
    entries = _list(repo, commit) if commit else {}
    if revision is not None or repo.bare:
        return Tree(repo, commit, entries, frozenset())
    root = Path(repo.working_tree_dir or "")
    dirty: set[str] = set()
    for path in _changed(repo):
        content = _read_file(root / path)
        if content is None:
            entries.pop(path, None)
            dirty.add(path)  # what is gone differs, too
            continue
        entries[path] = Entry(_mode(root / path), _blob_id(content))
        dirty.add(path)
    return Tree(repo, commit, entries, frozenset(dirty))


def _commit(repo: git.Repo, revision: str | None) -> str | None:
    name = revision or "HEAD"
    try:
        return str(repo.git.rev_parse("--verify", "--end-of-options", f"{name}^{{commit}}"))
    except git.GitCommandError:
        if revision is None:
            return None
        raise UsageError(
            f"there is no commit called '{shown(name)}'", hint="`git log --oneline` lists them."
        ) from None


def _list(repo: git.Repo, commit: str) -> dict[str, Entry]:
    out: bytes = repo.git.execute(
        [
            repo.git.GIT_PYTHON_GIT_EXECUTABLE,
            "ls-tree", "-r", "-z", "--full-tree", commit, "--", *ROOTS,
        ],
        stdout_as_string=False, strip_newline_in_stdout=False,
    )  # fmt: skip
    entries: dict[str, Entry] = {}
    for line in out.decode("utf-8", "surrogateescape").split("\0"):
        if line:
            # "<mode> <type> <id>\t<path>", the mode of six characters
            head, _, path = line.partition("\t")
            entries[path] = Entry(head[:6], head.rpartition(" ")[2])
    return entries


def _changed(repo: git.Repo) -> Iterator[str]:
    """Paths below ROOTS that differ from HEAD or are new, without what git ignores."""
    out: bytes = repo.git.execute(
        [
            repo.git.GIT_PYTHON_GIT_EXECUTABLE,
            "status", "--porcelain=v1", "-z", "--untracked-files=all", "--no-renames",
            "--ignore-submodules=all", "--", *ROOTS,
        ],
        stdout_as_string=False, strip_newline_in_stdout=False,
        env={"GIT_OPTIONAL_LOCKS": "0"},
    )  # fmt: skip
    for line in out.decode("utf-8", "surrogateescape").split("\0"):
        if line:
            yield line[3:]


def _read_file(path: Path) -> bytes | None:
    """Content of a regular file, the target of a link, or None where there is neither."""
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
        return _LINK
    return "100755" if mode & 0o100 else "100644"


def _blob_id(content: bytes) -> str:
    # Raw bytes, as git stores them without filters.
    return hashlib.sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()


def read_blobs(repo: git.Repo, ids: Sequence[str]) -> Iterator[bytes]:
    """Contents of blobs, in order, through one ``git cat-file --batch``."""
    if not ids:
        return
    with tempfile.TemporaryFile() as request:
        request.write("\n".join(ids).encode() + b"\n")
        request.seek(0)
        out: bytes = repo.git.execute(
            [repo.git.GIT_PYTHON_GIT_EXECUTABLE, "cat-file", "--batch"],
            istream=request, stdout_as_string=False, strip_newline_in_stdout=False,
        )  # fmt: skip
    at = 0
    for _ in ids:
        end = out.index(b"\n", at)
        header = out[at:end].split(b" ")
        if len(header) != 3:
            raise PlatformError(
                f"git has no object {header[0].decode()}",
                hint="The clone is incomplete; run `git fsck`, or clone again.",
            )
        size = int(header[2])
        yield out[end + 1 : end + 1 + size]
        at = end + 2 + size
