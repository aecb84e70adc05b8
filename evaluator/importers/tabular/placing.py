"""A finished bundle -> its place below benchmarks/, its data in git or below the data folder."""

import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evaluator.errors import UsageError
from evaluator.importers.importing import place_bundle

PARTS = ("input_data", "reference_data")
LARGE = 32 * 2**20
"""Bytes of data from which on they go below the data folder, not into git."""


@dataclass(frozen=True, kw_only=True)
class DataPlace:
    """Where data go that are not for git."""

    folder: Path | None
    """The data folder of this machine."""
    digest: Callable[[Path], str]
    """Of a folder, as a bundle pins it."""
    private: bool | None = None
    """Whether data go there; None decides by size."""


@dataclass(frozen=True, kw_only=True)
class Data:
    """What was decided."""

    bytes: int
    pins: tuple[dict[str, Any], ...] = ()
    """``private`` of the bundle; empty where the data stay in it."""

    @property
    def where(self) -> str:
        """Say it to a person."""
        place = "below the data folder, pinned by digest" if self.pins else "in the bundle"
        return f"{self.bytes:,} bytes of data {place}"


def decide(bundle: Path, name: str, slugs: Sequence[str], place: DataPlace) -> Data:
    """Measure the data of a bundle, and pin them where they are not for git. Raises UsageError."""
    files = [path for part in PARTS for path in (bundle / part).rglob("*") if path.is_file()]
    size = sum(path.stat().st_size for path in files)
    aside = place.private if place.private is not None else size > LARGE
    if not aside:
        return Data(bytes=size)
    if place.folder is None:
        raise UsageError(
            f"{size:,} bytes of data are too many for git, and there is no data folder",
            hint="Set [tool.pullbench] data, or take fewer tasks or folds.",
        )
    pins = tuple(
        {"task": index, "file": part, "path": f"{name}/{part}/{slug}",
         "sha256": place.digest(bundle / part / slug)}
        for index, slug in enumerate(slugs)
        for part in PARTS
    )  # fmt: skip
    return Data(bytes=size, pins=pins)


def settle(
    bundle: Path, target: Path, work: Path, data: Data, place: DataPlace, *, force: bool
) -> None:
    """Move a bundle to its place, and its data to theirs. Raises UsageError."""
    if data.pins and place.folder is not None:
        aside = work / "data"
        aside.mkdir()
        for part in PARTS:
            (bundle / part).rename(aside / part)
        place_bundle(bundle, target, work, force=force)
        home = place.folder / target.name
        home.parent.mkdir(parents=True, exist_ok=True)
        shutil.rmtree(home, ignore_errors=True)
        shutil.move(aside, home)
    else:
        place_bundle(bundle, target, work, force=force)
