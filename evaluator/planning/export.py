"""Programs and data of a tree, laid out as folders that containers can mount.

Folders are named by content, made once and looked at whenever they are used, so that what runs is
what the key says, and the repository itself is never mounted.
"""

import os
from collections.abc import Callable, Collection
from pathlib import Path

from evaluator.errors import Actor, InvalidInputError, Problem
from evaluator.formats.archive import ArchiveError, members
from evaluator.formats.bundle import Benchmark
from evaluator.formats.cell import digest
from evaluator.formats.content_cache import ContentCache
from evaluator.formats.paths import path_fault, shown
from evaluator.formats.submission import Submission
from evaluator.git.tree import Tree
from evaluator.planning.digests import build_context, left_out

MAX_DEPTH = 64
"""Folders between a part of a tree and a file in it, as in the outputs of programs."""
MAX_UNPACKED = 8 * 2**30
"""Bytes that one zip of a bundle may hold."""


class Exporter:
    """Writes parts of a tree below ``cache``; safe in threads and with other processes."""

    def __init__(self, tree: Tree, cache: Path) -> None:
        self._tree = tree
        self._cache = ContentCache(cache)
        self._parts: dict[str, str] = {}

    def submission(self, submission: Submission, stages: Collection[str] | None = None) -> Path:
        """Export a submission without its scores and its submission.yaml.

        With ``stages`` these alone, so that no container sees a stage that is left out.
        """
        leave_out = left_out(self._tree, submission, stages)
        content = self._tree.digest(submission.path, leave_out)
        self._check(submission.path, Actor.PARTICIPANT)
        return self._folder(
            content, lambda folder: self._tree.export(submission.path, folder, leave_out)
        )

    def part(self, full: str | None) -> Path | None:
        """Export a directory, the content of a zip, or a single file, as a folder.

        ``full`` is its path in the repository; of a participant's data set no zip is unpacked.
        """
        if full is None:
            return None
        of_participant = full.startswith("submissions/")
        if full not in self._parts:  # once for a data set that many cells share
            self._check(full, Actor.PARTICIPANT if of_participant else Actor.ORGANISER)
            self._parts[full] = self._tree.digest(full)

        def fill(folder: Path) -> None:
            if full in self._tree.entries and full.endswith(".zip") and not of_participant:
                _unpack(self._tree.read([full])[full], full, folder)
            else:
                self._tree.export(full, folder)

        return self._folder(self._parts[full], fill)

    def context(self, benchmark: Benchmark) -> tuple[Path | None, str]:
        """Export what an image build sees; returns the folder and its content id."""
        paths = build_context(self._tree, benchmark)
        if not paths:
            return None, ""
        entries = [[path, self._tree.digest(f"{benchmark.path}/{path}")] for path in paths]
        name = digest(entries)

        def fill(folder: Path) -> None:
            for path in paths:
                target = folder / path
                target.parent.mkdir(parents=True, exist_ok=True)
                full = f"{benchmark.path}/{path}"
                target.write_bytes(self._tree.read([full])[full])

        return self._folder(name, fill), name

    def _check(self, path: str, actor: Actor) -> None:
        names = [path] if path in self._tree.entries else list(self._tree.under(path))
        problems = []
        for name in names:
            fault = path_fault(name)
            if fault is None and name.count("/") - path.count("/") - 1 > MAX_DEPTH:
                fault = f"lies more than {MAX_DEPTH} folders deep"
            if fault is None and not self._tree.entries[name].is_regular:
                fault = "is a link or a submodule"
            if fault:
                problems.append(
                    Problem(
                        file=shown(name), message=fault,
                        hint="Only plain files are evaluated.", actor=actor,
                    )
                )  # fmt: skip
        if problems:
            raise InvalidInputError(problems)

    def _folder(self, name: str, fill: Callable[[Path], None]) -> Path:
        def fill_readable(folder: Path) -> None:
            fill(folder)
            _readable(folder)

        return self._cache.folder(name or "empty", fill_readable)


def _unpack(content: bytes, path: str, folder: Path) -> None:
    try:
        for name, data in members(content, max_bytes=MAX_UNPACKED):
            target = folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
    except ArchiveError as error:
        raise InvalidInputError(
            [
                Problem(
                    file=path, message=str(error),
                    hint="Make the zip anew from plain files.", actor=Actor.ORGANISER,
                )
            ]
        ) from None  # fmt: skip


def _readable(folder: Path) -> None:
    """Let any user read, whatever the umask: containers run without rights."""
    for parent, _, names in os.walk(folder):
        Path(parent).chmod(0o755)
        for name in names:
            file = Path(parent, name)
            file.chmod(0o755 if file.stat().st_mode & 0o100 else 0o644)
