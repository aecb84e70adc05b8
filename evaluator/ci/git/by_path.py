"""The files of a commit by path: the folders on the way are read when somebody asks, and no others.

A branch of a million files is read so at the cost of those that are looked at.
"""

from collections.abc import Iterable, Mapping

from evaluator.ci.git.raw_trees import read_tree_object
from evaluator.core.git.commands import Repo, read_blobs, tree_id
from evaluator.core.git.listing import FOLDER, Entry
from evaluator.core.git.partial_clone import fetch_missing

_ALL_BELOW = 3
"""Depth of folders of which a partial clone fetches all that they hold, in one exchange."""


class FilesByPath:
    """Files of a commit; without a commit there are none."""

    def __init__(self, repo: Repo | None = None, commit: str | None = None) -> None:
        self._repo = repo
        self._commit = commit
        self._folders: dict[str, Mapping[str, Entry]] = {}

    def __contains__(self, path: str) -> bool:
        return self.get(path) is not None

    def __getitem__(self, path: str) -> Entry:
        entry = self.get(path)
        if entry is None:
            raise KeyError(path)
        return entry

    def get(self, path: str) -> Entry | None:
        """Return a file; None where there is none of that path."""
        entry = self._entry(path)
        return None if entry is None or entry.mode == FOLDER else entry

    def names(self, folder: str) -> list[str]:
        """Names of all that is directly in a folder, sorted."""
        self.look([f"{folder}/"])
        return sorted(self._folders.get(folder, ()))

    def below(self, folder: str) -> list[str]:
        """Paths of the files below a folder, sorted; the empty path is that of all."""
        paths: list[str] = []
        level = [folder]
        while level:
            self.look([f"{name}/" for name in level])
            inner = [
                (f"{name}/{part}" if name else part, entry)
                for name in level
                for part, entry in self._folders.get(name, {}).items()
            ]
            paths += [path for path, entry in inner if entry.mode != FOLDER]
            level = [path for path, entry in inner if entry.mode == FOLDER]
        return sorted(paths)

    def look(self, paths: Iterable[str]) -> None:
        """Read the folders on the way to some paths, those of one depth in one exchange."""
        if self._repo is None or self._commit is None:
            return
        if "" not in self._folders:
            self._read(self._repo, {"": tree_id(self._repo, self._commit)}, 2)
        parts = [path.split("/")[:-1] for path in dict.fromkeys(paths) if path != "/"]
        for depth in range(1, max(map(len, parts), default=0) + 1):
            wanted = {"/".join(part[:depth]) for part in parts if len(part) >= depth}
            lacking = {
                name: entry.blob
                for name in wanted
                if name not in self._folders
                and (entry := self._entry(name)) is not None
                and entry.mode == FOLDER
            }
            self._read(self._repo, lacking, None if depth >= _ALL_BELOW else 0)

    def _entry(self, path: str) -> Entry | None:
        folder, _, name = path.rpartition("/")
        if folder not in self._folders:
            self.look([path])
        return self._folders.get(folder, {}).get(name)

    def _read(self, repo: Repo, ids: Mapping[str, str], within: int | None) -> None:
        fetch_missing(repo, ids.values(), within=within)
        contents = read_blobs(repo, list(ids.values()))
        for name, content in zip(ids, contents, strict=True):
            self._folders[name] = read_tree_object(content, name, len(ids[name]) // 2)
