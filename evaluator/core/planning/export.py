"""Programs and data of a tree, laid out as folders that containers can mount.

Folders are named by content, made once and looked at whenever they are used, so that what runs is
what the key says, and the repository itself is never mounted.
"""

from collections.abc import Callable, Collection
from functools import partial
from pathlib import Path

from evaluator.core.errors import Actor, InvalidInputError, Problem
from evaluator.core.formats.archive import ArchiveError, members
from evaluator.core.formats.bundle import Benchmark
from evaluator.core.formats.cell import digest
from evaluator.core.formats.content_cache import ContentCache, set_readable
from evaluator.core.formats.paths import shown
from evaluator.core.formats.submission import Submission
from evaluator.core.git.tree import Tree
from evaluator.core.planning.digests import build_context, excluded

MAX_DEPTH = 64
"""Folders between a part of a tree and a file in it, as in the outputs of programs."""
MAX_UNPACKED = 8 * 2**30
"""Bytes that one zip of a bundle may hold."""


class Exporter:
    """Names parts of a tree by content, and lays them out if asked; safe in threads, processes."""

    def __init__(self, tree: Tree, cache: Path) -> None:
        self._tree = tree
        self.cache = ContentCache(cache)
        self._names: dict[tuple[object, ...], str] = {}
        self._fills: dict[str, Callable[[Path], None]] = {}

    def submission(self, submission: Submission, stages: Collection[str] | None = None) -> str:
        """Name a submission without scores and submission.yaml; with ``stages`` these alone."""

        def name() -> str:
            path, leave_out = submission.path, excluded(self._tree, submission, stages)
            return self._named(
                self._tree.digest(path, leave_out),
                lambda folder: self._tree.export(path, folder, leave_out),
                self._problems(path),
            )

        return self._once((submission.path, stages), name)

    def part(self, full: str | None) -> str:
        """Name the content of a path; of a participant's data set no zip is unpacked."""
        if not full:
            return ""
        is_zip = (
            full in self._tree.entries and full.endswith(".zip")
            and Actor.of(full) is Actor.ORGANISER
        )  # fmt: skip

        def fill(folder: Path) -> None:
            if is_zip:
                _unpack(self._tree.read([full])[full], full, folder)
            else:
                self._tree.export(full, folder)

        def name() -> str:
            content = self._tree.digest(full)
            # Another file of the same content may have another name, or not be unpacked.
            if full in self._tree.entries and not is_zip:
                content = digest([full.rpartition("/")[2], content])
            return self._named(content, fill, self._problems(full))

        return self._once((full,), name)

    def context(self, benchmark: Benchmark, environment: str = "") -> str:

        def name() -> str:
            paths = build_context(self._tree, benchmark, environment)
            if not paths:
                return ""

            def fill(folder: Path) -> None:
                for path, full in paths.items():
                    target = folder / path
                    target.parent.mkdir(parents=True, exist_ok=True)
                    target.write_bytes(self._tree.read([full])[full])

            entries = [[path, self._tree.digest(full)] for path, full in paths.items()]
            return self._named(digest(entries), fill, [])

        return self._once((benchmark.path, "context", environment), name)

    def folder(self, name: str) -> Path:
        """The folder of a name that this exporter gave. Raises InvalidInputError."""

        def fill(folder: Path) -> None:
            self._fills[name](folder)
            set_readable(folder)

        return self.cache.folder(name, fill)

    def _once(self, what: tuple[object, ...], name: Callable[[], str]) -> str:
        if what not in self._names:
            self._names[what] = name()
        return self._names[what]

    def _named(
        self, content: str, fill: Callable[[Path], None], problems: Collection[Problem]
    ) -> str:
        """Name a part. One with problems has a name of its own, and is never laid out."""
        if problems:
            content, fill = digest([content, *map(str, problems)]), partial(_refuse, problems)
        self._fills[content or "empty"] = fill
        return content or "empty"

    def _problems(self, path: str) -> list[Problem]:
        names = [path] if path in self._tree.entries else list(self._tree.under(path))
        problems = []
        for name in names:
            fault = self._tree.entries[name].fault(name)
            if fault is None and name.count("/") - path.count("/") - 1 > MAX_DEPTH:
                fault = f"lies more than {MAX_DEPTH} folders deep"
            if fault:
                hint, actor = "Only plain files are evaluated.", Actor.of(path)
                problems.append(Problem(file=shown(name), message=fault, hint=hint, actor=actor))
        return problems


def _refuse(problems: Collection[Problem], _: Path) -> None:
    raise InvalidInputError(problems)


def _unpack(content: bytes, path: str, folder: Path) -> None:
    try:
        for name, data in members(content, max_bytes=MAX_UNPACKED):
            target = folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
    except ArchiveError as error:
        hint = "Make the zip anew from plain files."
        problem = Problem(file=path, message=str(error), hint=hint, actor=Actor.ORGANISER)
        raise InvalidInputError([problem]) from None
