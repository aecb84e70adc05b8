"""git tree -> snapshot: what every verb begins with."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from evaluator.formats.settings import Settings
    from evaluator.planning.snapshot import Snapshot


def take(start: Path, revision: str | None = None, *, only: str | None = None) -> "Snapshot":
    """Read the working tree, or a commit. Raises UsageError."""
    from evaluator.git.tree import open_repository, read_tree
    from evaluator.planning.snapshot import take_snapshot

    return take_snapshot(read_tree(open_repository(start), revision), only=only)


def settings(start: Path) -> "Settings":
    """Read the deployment's settings in the working tree. Raises UsageError, InvalidInputError."""
    from evaluator.formats.settings import parse_settings
    from evaluator.git.tree import open_repository, read_tree

    tree = read_tree(open_repository(start), None)
    return parse_settings(tree.read(["pyproject.toml"]).get("pyproject.toml"))


def root(start: Path) -> Path:
    """Return the root of the working tree that holds a folder. Raises UsageError."""
    from evaluator.git.tree import open_repository

    return Path(open_repository(start).working_tree_dir or start)


def author_name(start: Path) -> str:
    """Return who makes commits in this clone; empty where git does not know."""
    from evaluator.git.tree import open_repository
    from evaluator.planning.ledger_history import author_name

    return author_name(open_repository(start))


def places(path: str, start: Path, snapshot: "Snapshot") -> tuple[str, ...]:
    """Return the paths that a person means by a path or a name. Raises UsageError."""
    from evaluator.planning.places import places_of

    return places_of(path, start, snapshot)


def cell_names(names: Sequence[str], start: Path, snapshot: "Snapshot") -> tuple[str, ...]:
    """Return leading parts of cells' names for what a person typed: such parts, or paths."""
    from evaluator.planning.places import cell_name

    return tuple(cell_name(name, start, snapshot.tree) for name in names)


def count(snapshot: "Snapshot", places: Sequence[str]) -> tuple[int, int]:
    """Count the benchmarks and the submissions at some places."""
    from evaluator.planning.places import count

    return count(snapshot, places)
