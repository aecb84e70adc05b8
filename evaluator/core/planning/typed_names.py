"""Paths and names as people type them -> folders and files of the repository."""

import os
from pathlib import Path

from evaluator.core.errors import UsageError, nearest
from evaluator.core.formats.paths import shown
from evaluator.core.git.commands import ROOTS
from evaluator.core.git.tree import Tree
from evaluator.core.planning.snapshot import Snapshot


def resolve_paths(text: str, folder: Path, snapshot: Snapshot) -> tuple[str, ...]:
    """The paths, from the repository's root, that a person who works in ``folder`` means.

    Any way to write a path is understood, and so are the names of benchmarks and submissions,
    such as ``iris`` or ``iris/alice``. A file stands for the submission or bundle that it is part
    of, and an empty text for the whole repository. Raises UsageError where there is nothing of
    that name.
    """
    if not text:
        return ()
    path = _from_root(text, folder, snapshot.tree.root)
    if path == "":
        return ()
    name = text.strip("/")
    candidates = [] if path is None else [path]
    if not name.startswith("."):
        candidates += [f"{root}/{name}" for root in ("benchmarks", "submissions")]
    tree = snapshot.tree
    places = tuple(
        dict.fromkeys(
            _place_of(place) for place in candidates if place in tree.entries or tree.under(place)
        )
    )
    if places:
        return places
    if path is None:
        raise UsageError(
            f"'{shown(text)}' is not in the repository {tree.root}",
            hint="Run this inside the clone that holds it, or name the clone with -C.",
        )
    if (tree.root / path).exists():
        raise UsageError(
            f"nothing below '{shown(path)}' is looked at",
            hint=f"Files that git ignores are not, nor is anything outside {', '.join(ROOTS)}.",
        )
    raise UsageError(f"there is nothing at '{shown(text)}'", hint=_nearest(name, tree))


def cell_name(text: str, folder: Path, tree: Tree) -> str:
    """The name of cells for a path, as seen from ``folder``; a name stays as it is."""
    path = _from_root(text, folder, tree.root) or ""
    root, _, name = _place_of(path).partition("/")
    is_there = path in tree.entries or bool(tree.under(path))
    return name if name and root in _DEPTH and is_there else text.strip("/")


def is_within(path: str, place: str) -> bool:
    return path == place or path.startswith(f"{place}/")


_DEPTH = {"benchmarks": 2, "submissions": 4}
"""Parts of the path of a bundle, and of a submission."""


def _place_of(path: str) -> str:
    parts = path.split("/")
    return "/".join(parts[: _DEPTH.get(parts[0])])


def _from_root(text: str, folder: Path, root: Path) -> str | None:
    """A path from the repository's root; None where it is not in the repository."""
    written = os.path.normpath(folder / text)
    for path in (Path(written), Path(os.path.realpath(written))):
        for base in (root, Path(os.path.realpath(root))):
            if path.is_relative_to(base):
                relative = path.relative_to(base).as_posix()
                return "" if relative == "." else relative
    return None


def _nearest(name: str, tree: Tree) -> str:
    folders = {"/".join(path.split("/")[:depth]) for path in tree.entries for depth in (2, 3, 4)}
    names = {folder.partition("/")[2]: folder for folder in folders if "/" in folder}
    return nearest(name, [*folders, *names], "`git status` shows what is there.")
