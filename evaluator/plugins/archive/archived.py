"""Files of archived submissions, fetched from where their pointers lead."""

import hashlib
from collections import defaultdict
from collections.abc import Collection, Mapping
from pathlib import Path

from evaluator.ci.git.partial_clone import missing
from evaluator.core.errors import Actor, InvalidInputError, PlatformError, Problem, PullbenchError
from evaluator.core.formats.pointer import Pointer
from evaluator.core.formats.submission import FILE_NAME
from evaluator.core.git.listing import TreeEntry
from evaluator.core.git.tree import Tree
from evaluator.core.log import say
from evaluator.plugins.archive.git import bring_archived

_CACHE = "build/cache/fetched"


def fetch_archived(tree: Tree, paths: Collection[str]) -> None:
    """Fetch archived files that this clone lacks. Raises InvalidInputError, PlatformError."""
    lacking: dict[str, list[str]] = defaultdict(list)
    pointers: dict[str, Pointer] = {}
    for path in sorted(paths):
        if (one := tree.archived.get(path)) is not None:
            pointers[one.file] = one.pointer
            lacking[one.file] += [entry.blob for entry in files_of(tree, path).values()]
    for file, pointer in pointers.items():
        ids = missing(tree.repository, lacking[file])
        if not ids:
            continue
        say(f"fetching {len(ids)} files from the archive {pointer.at}")
        bundle = pointer.sha256 is not None
        place = _bundle(tree.root, pointer, file) if bundle else address_at(tree.root, pointer.at)
        left = bring_archived(tree.repository, place, ids, branch=pointer.branch, bundle=bundle)
        if left:
            raise _wrong(file, f"'{pointer.at}' lacks {len(left)} of the files that it names")


def files_of(tree: Tree, path: str) -> Mapping[str, TreeEntry]:
    folder = tree.entries.folders[path]
    names = (name.removeprefix(f"{path}/") for name in folder.submitted)
    return {name: folder.entries[f"{path}/{name}"] for name in names if name != FILE_NAME}


def address_at(root: Path, at: str) -> str:
    """An address as git is given it; a path begins at the root of the repository."""
    return at if ":" in at else str((root / at).resolve())


def _bundle(root: Path, pointer: Pointer, file: str) -> str:
    if ":" not in pointer.at:
        path = root / pointer.at
        if not path.is_file():
            raise PlatformError(
                f"this machine has no file {path}, to which {file} points",
                hint="Copy the bundle there; an organiser publishes one by --url.",
            )
    else:
        # Loaded here, for most archives are repositories.
        from evaluator.importing.fetching import fetch

        try:
            path = fetch(pointer.at, pointer.sha256 or "", root / _CACHE, pointer.size)
        except PlatformError:
            raise
        except PullbenchError as error:
            raise _wrong(file, error.message) from None
    if measured(path) != (pointer.sha256, pointer.size):
        raise _wrong(file, f"{path} is not the bundle that it names: the SHA-256 is another")
    return str(path.resolve())


def measured(path: Path) -> tuple[str, int]:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest(), path.stat().st_size


def _wrong(file: str, message: str) -> InvalidInputError:
    return InvalidInputError(
        [Problem(file=file, message=message, actor=Actor.ORGANISER,
                 hint="Put the archive back as it was; nothing else is evaluated in its place.")]
    )  # fmt: skip
