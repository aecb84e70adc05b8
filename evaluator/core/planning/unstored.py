"""Files that a bundle names, and that a commit would lack or change: git's own rules hide them."""

from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Any

from evaluator.core.errors import Actor, Problem, some_of
from evaluator.core.formats.archive import is_junk
from evaluator.core.formats.bundle import FILE_NAME
from evaluator.core.formats.paths import shown
from evaluator.core.formats.schema import read_yaml
from evaluator.core.planning.snapshot import Snapshot

_CACHES = frozenset({"__pycache__", ".ipynb_checkpoints"})


def check_unstored(snapshot: Snapshot, folder: str = "benchmarks") -> Iterator[Problem]:
    """Warn of files of the working tree that runs here see, and runs of a commit do not."""
    tree = snapshot.tree
    named: dict[str, set[str]] = {}
    groups: dict[tuple[str, str], list[str]] = {}
    for path, reason in sorted(tree.altered(folder).items()):
        bundle = "/".join(path.split("/")[:2])
        if bundle not in named:
            place = tree.root / bundle / FILE_NAME
            content = place.read_bytes() if place.is_file() else b""
            data = read_yaml(content, FILE_NAME, Actor.ORGANISER, lenient=True).data
            named[bundle] = {FILE_NAME, *_texts(data)}
        relative = PurePosixPath(path.removeprefix(f"{bundle}/"))
        if is_junk(path) or _CACHES & {*relative.parts}:
            continue
        if any(relative.is_relative_to(name) for name in named[bundle]):
            groups.setdefault((bundle, reason), []).append(shown(str(relative)))
    for (bundle, reason), paths in groups.items():
        yield Problem(
            file=f"{bundle}/{FILE_NAME}",
            message=f"names {some_of(paths)}, which {shown(reason)}: a commit differs",
            hint=f"`git add --force {bundle}` takes what is ignored; take the line away where it "
            "changes files.",
            actor=Actor.ORGANISER, severity="warning",
        )  # fmt: skip


def _texts(data: Any) -> Iterator[str]:
    """Yield all texts of a document that may be paths."""
    values = data.values() if isinstance(data, dict) else data if isinstance(data, list) else ()
    for value in values:
        if isinstance(value, str) and value.strip("./"):
            yield value.removeprefix("./").rstrip("/")
        yield from _texts(value)
