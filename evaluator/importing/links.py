"""The files of a directory with links followed, as ``zip -r`` does, but never out of it.

A stranger's directory may link to anything on this machine; what an import copies is published.
"""

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from evaluator.core.formats.archive import MAX_MEMBERS
from evaluator.core.formats.paths import path_fault, shown


@dataclass(frozen=True, kw_only=True)
class Fault:
    """Why a name of a directory is not imported."""

    message: str
    hint: str = "Only plain files are imported."
    severity: str = "error"
    """``warning`` where zip(1) leaves it out, too."""


@dataclass(frozen=True, kw_only=True)
class Item:
    """One name of a directory."""

    path: str
    """Below the directory, with forward slashes."""
    place: Path
    """Where its content lies, which is another place where it is reached through a link."""
    linked: bool = False
    """Whether it is a link, or below one."""
    fault: Fault | None = None


_OUTSIDE = Fault(
    message="is a link that leads out of what is imported",
    hint="--within FOLDER follows it below a folder that holds both, such as the clone.",
)
_NOWHERE = Fault(
    message="is a link that leads nowhere; it is left out",
    hint="Bring what it stands for where a program needs it.",
    severity="warning",
)
_CIRCLE = Fault(
    message="is a link to a folder around itself; it is left out",
    hint="Put a copy in its place where a program needs it.",
    severity="warning",
)
_SKIPPED = Fault(message="is a link to a file that is not imported, such as one of git's own")
_SPECIAL = Fault(message="is a special file")


def walk(tree: Path, skip: Callable[[str], bool], within: Path | None = None) -> Iterator[Item]:
    """Yield files and folders below one, sorted, links within ``within``; nothing below a fault."""
    base = (within or tree).resolve()
    linked = 0

    def visit(folder: Path, prefix: str, above: tuple[Path, ...], *, below: bool) -> Iterator[Item]:
        nonlocal linked
        for child in sorted(folder.iterdir()):
            path = f"{prefix}{child.name}"
            via = below or child.is_symlink()
            place, fault = _follow(child, base, above, skip)
            linked += via
            name_fault = path_fault(path)
            if name_fault:
                fault = Fault(message=name_fault)
            elif linked > MAX_MEMBERS:
                fault = Fault(message=f"is the {MAX_MEMBERS:,}th file that links bring")
            yield Item(path=path, place=place, linked=via, fault=fault)
            if linked > MAX_MEMBERS:
                return
            if fault is None and place.is_dir() and not skip(path):
                yield from visit(place, f"{path}/", (*above, place), below=via)

    top = tree.resolve()
    yield from visit(top, "", (top,), below=False)


def _follow(
    child: Path, base: Path, above: tuple[Path, ...], skip: Callable[[str], bool]
) -> tuple[Path, Fault | None]:
    if not child.is_symlink():
        return child, None if child.is_file() or child.is_dir() else _SPECIAL
    try:
        place = child.resolve(strict=True)
    except (OSError, RuntimeError):  # a link to itself
        return child, _NOWHERE if _stays(child, base) else _OUTSIDE
    if not place.is_relative_to(base):
        return place, _OUTSIDE
    if place in above:
        return place, _CIRCLE
    if skip(place.relative_to(base).as_posix()):
        return place, _SKIPPED
    return place, None if place.is_file() or place.is_dir() else _SPECIAL


def _stays(link: Path, base: Path) -> bool:
    """Whether the place that a link to nothing names is below the directory."""
    return Path(os.path.realpath(link)).is_relative_to(base)


def make_link(tree: Path, path: str, target: bytes) -> None:
    """Write a link of an archive below a folder, never through another link. Raises ValueError."""
    at = tree / path
    if any((tree / parent).is_symlink() for parent in PurePosixPath(path).parents):
        raise ValueError(f"'{shown(path)}' is below a link")
    text = target.decode("utf-8")
    if not text or "\0" in text or len(text) > 4096:
        raise ValueError(f"its target is no path: {shown(text[:60])!r}")
    at.parent.mkdir(parents=True, exist_ok=True)
    at.symlink_to(text)
