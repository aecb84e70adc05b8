"""git's trees as they are stored, and what differs between two: level by level, up to a bound.

One side may be a stranger's. A few kilobytes of objects can stand for more files than any machine
can list, and git's own commands list all of them before they say the first; and a tree that was
written by hand may hold a name twice, which each program reads in its own way.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple
from weakref import WeakKeyDictionary

from evaluator.ci.git.history import tree_id
from evaluator.ci.git.partial_clone import fetch_missing
from evaluator.core.errors import RefusedError
from evaluator.core.formats.paths import shown
from evaluator.core.git.commands import Repo, read_blobs, sizes
from evaluator.core.git.listing import FOLDER, TreeEntry, parse

MAX_PATHS = 50_000
"""Files and folders that differ; who has more to change does it in several steps."""
MAX_DEPTH = 64
"""Folders within folders."""
_MAX_MORE_BYTES = 4 * 2**20
"""By which one folder grows: about as many files as may differ."""
_MODES = {
    b"40000": FOLDER, b"100644": "100644", b"100755": "100755", b"120000": "120000",
    b"160000": "160000", b"100664": "100644",
}  # fmt: skip
"""As they are stored -> as git shows them; the last is of its first years."""


class Change(NamedTuple):
    """One path that differs between two commits; None where it is not there."""

    path: str
    old: TreeEntry | None
    new: TreeEntry | None


def changes(repo: Repo, old: str, new: str) -> list[Change]:
    """Every path that differs; a renamed one is gone here and new there. Raises RefusedError."""
    roots = [TreeEntry(FOLDER, tree_id(repo, commit)) for commit in (old, new)]
    level = [Change("", *roots)] if roots[0] != roots[1] else []
    files: list[Change] = []
    count = 0
    for _ in range(MAX_DEPTH):
        folders = []
        for change in _within(repo, level):
            count += 1
            if count > MAX_PATHS:
                raise RefusedError(
                    f"it changes more than {MAX_PATHS:,} files and folders",
                    hint="Leave out what is not needed, or change it in several steps.",
                )
            path, *sides = change
            parts = [side if side and side.mode == FOLDER else None for side in sides]
            if any(parts):
                folders.append(Change(path, *parts))
            parts = [None if side and side.mode == FOLDER else side for side in sides]
            if any(parts):
                files.append(Change(path, *parts))
        if not folders:
            return sorted(files, key=lambda change: change.path)
        level = folders
    raise RefusedError(
        f"it has folders deeper than {MAX_DEPTH}, at {shown(level[0].path)[:200]}",
        hint="Give it fewer folders within folders.",
    )


def only_adds(repo: Repo, old: str, new: str) -> bool:
    """Whether ``new`` holds all of ``old``; unbounded, for CI alone writes their branch."""
    level = [(tree_id(repo, old), tree_id(repo, new))]
    within = 1  # nearly all folders at the top differ
    while level:
        ids = [name for pair in level for name in pair]
        fetch_missing(repo, ids, within=within)
        within = 0
        folders = (
            read_tree_object(content, "", len(old) // 2) for content in read_blobs(repo, ids)
        )
        level = []
        for before, after in zip(folders, folders, strict=True):
            for name, entry in before.items():
                other = after.get(name)
                if other == entry:
                    continue
                if other is None or (entry.mode, other.mode) != (FOLDER, FOLDER):
                    return False
                level.append((entry.blob, other.blob))
    return True


def _within(repo: Repo, folders: list[Change]) -> Iterator[Change]:
    ids = list(dict.fromkeys(side.blob for _, *sides in folders for side in sides if side))
    tree_sizes = sizes(repo, ids, "tree")
    for path, *sides in folders:
        before, after = (tree_sizes.get(side.blob, 0) if side else 0 for side in sides)
        if after - before > _MAX_MORE_BYTES:
            raise RefusedError(
                f"the folder {shown(path)[:200] or '/'} gets too many files",
                hint="Spread them over several folders.",
            )
        old, new = (_entries(repo, path, side) for side in sides)
        prefix = f"{path}/" if path else ""
        for name in old.keys() | new.keys():
            if old.get(name) != new.get(name):
                yield Change(prefix + name, old.get(name), new.get(name))


def _entries(repo: Repo, path: str, folder: TreeEntry | None) -> dict[str, TreeEntry]:
    if folder is None:
        return {}
    return read_tree_object(next(read_blobs(repo, [folder.blob])), path, len(folder.blob) // 2)


def read_tree_object(content: bytes, path: str, size: int) -> dict[str, TreeEntry]:
    """Entries by name; ids have ``size`` bytes. Raises RefusedError."""
    entries: dict[str, TreeEntry] = {}
    start, last = 0, b""
    while start < len(content):
        # "<mode> <name>\0", then the id's bytes
        end = content.index(b"\0", start)
        mode, _, name = content[start:end].partition(b" ")
        start = end + 1 + size
        text = name.decode("utf-8", "surrogateescape")
        place = name + (b"/" if mode == b"40000" else b"")
        if mode not in _MODES or not name or b"/" in name or place <= last or text in entries:
            raise RefusedError(
                f"the folder {shown(path)[:200] or '/'} has a name twice, or is otherwise written "
                f"as git does not write one, at {shown(text)[:200]}",
                hint="Commit its files anew with git.",
            )
        last = place
        entries[text] = TreeEntry(_MODES[mode], content[end + 1 : start].hex())
    return entries


_MANY = 200
"""Folders that git lists sooner than they are read here."""
_ALL_BELOW = 3
"""Depth of folders of which a partial clone fetches all that they hold, in one exchange."""
_FOLDERS: WeakKeyDictionary[Repo, dict[str, dict[str, TreeEntry]]] = WeakKeyDictionary()
"""What has been read, by git's id: a step reads the ledger again after each note that it adds."""


class FilesByPath:
    """Files of a commit; without a commit there are none."""

    def __init__(self, repo: Repo | None = None, commit: str | None = None) -> None:
        self._repo = repo
        self._commit = commit
        self._folders: dict[str, dict[str, TreeEntry]] = {}
        self._by_id = {} if repo is None else _FOLDERS.setdefault(repo, {})

    def __contains__(self, path: str) -> bool:
        entry = self._entry(path)
        return entry is not None and entry.mode != FOLDER

    def __getitem__(self, path: str) -> TreeEntry:
        entry = self._entry(path)
        if entry is None:
            raise KeyError(path)
        return entry

    def names(self, folder: str) -> list[str]:
        self.read_folders([f"{folder}/"])
        return sorted(self._folders.get(folder, ()))

    def below(self, folder: str) -> list[str]:
        """Paths of the files below a folder, sorted; the empty path is that of all."""
        paths: list[str] = []
        level = [folder]
        while level:
            if len(level) > _MANY and level[0] not in self._folders:
                self._list(folder, level)
            self.read_folders([f"{name}/" for name in level])
            inner = [
                (f"{name}/{part}" if name else part, entry)
                for name in level
                for part, entry in self._folders.get(name, {}).items()
            ]
            paths += [path for path, entry in inner if entry.mode != FOLDER]
            level = [path for path, entry in inner if entry.mode == FOLDER]
        return sorted(paths)

    def _list(self, folder: str, level: Iterable[str]) -> None:
        """Read all below a folder by git, in a tenth of the time; ``level`` is known."""
        if self._repo is None:
            return
        fetch_missing(self._repo, [self[name].blob for name in level], within=None)
        asked = ("-r", "-t", "-z", "--full-tree", f"{self._commit}:{folder}")
        answer = self._repo.git.run("ls-tree", *asked)
        listed = parse(answer)
        if len(listed) == answer.count(b"\0"):  # else a name is there twice, which is refused
            for path, entry in listed.items():
                place, _, name = f"{folder}/{path}".lstrip("/").rpartition("/")
                self._folders.setdefault(place, {})[name] = entry

    def read_folders(self, paths: Iterable[str]) -> None:
        """Read the folders on the way to some paths, those of one depth in one exchange."""
        if self._repo is None or self._commit is None:
            return
        if "" not in self._folders:
            self._read(self._repo, {"": tree_id(self._repo, self._commit)}, 1)
        unread = (p for p in dict.fromkeys(paths) if p.rpartition("/")[0] not in self._folders)
        parts = [path.split("/")[:-1] for path in unread]
        for depth in range(1, max(map(len, parts), default=0) + 1):
            wanted = {"/".join(part[:depth]) for part in parts if len(part) >= depth}
            entries = {name: self._entry(name) for name in wanted if name not in self._folders}
            new = {name: one.blob for name, one in entries.items() if one and one.mode == FOLDER}
            self._read(self._repo, new, None if depth >= _ALL_BELOW else 0)

    def _entry(self, path: str) -> TreeEntry | None:
        folder, _, name = path.rpartition("/")
        if folder not in self._folders:
            self.read_folders([path])
        return self._folders.get(folder, {}).get(name)

    def _read(self, repo: Repo, ids: Mapping[str, str], within: int | None) -> None:
        new = {one: name for name, one in ids.items() if one not in self._by_id}
        fetch_missing(repo, new, within=within)
        for (one, name), content in zip(new.items(), read_blobs(repo, list(new)), strict=True):
            self._by_id[one] = read_tree_object(content, name, len(one) // 2)
        self._folders |= {name: self._by_id[one] for name, one in ids.items()}
