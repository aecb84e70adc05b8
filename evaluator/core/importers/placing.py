"""A finished bundle -> its place below benchmarks/, its data in git or below the data folder."""

import contextlib
import fcntl
import json
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evaluator.core.errors import UsageError
from evaluator.core.formats.fold_descriptions import FILE, of_task

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


@dataclass(frozen=True, kw_only=True)
class Data:
    """Where the data of a bundle go."""

    bytes: int
    pins: tuple[dict[str, Any], ...] = ()
    """``private`` of the bundle; empty where the data stay in it."""

    @property
    def where(self) -> str:
        place = "below the data folder, pinned by digest" if self.pins else "in the bundle"
        return f"{self.bytes:,} bytes of data {place}"


@contextmanager
def workplace(root: Path) -> Iterator[Path]:
    """Yield a folder on the same disk as benchmarks/, which git ignores."""
    places = root / "build" / "import"
    places.mkdir(parents=True, exist_ok=True)
    with (places / ".lock").open("w") as lock:
        with contextlib.suppress(BlockingIOError):  # nobody else is at work: what is there is left
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            for left in places.glob("[!.]*"):
                shutil.rmtree(left, ignore_errors=True)
        fcntl.flock(lock, fcntl.LOCK_SH)
        work = Path(tempfile.mkdtemp(dir=places))
        try:
            yield work
        finally:
            shutil.rmtree(work, ignore_errors=True)


def decide(
    bundle: Path, name: str, slugs: Sequence[str], place: DataPlace, *, private: bool | None
) -> Data:
    """Measure the data of a bundle, and pin them where they are not for git. Raises UsageError.

    ``private`` says whether they go below the data folder; None decides by size. What may be known
    of their folds then stays in the bundle.
    """
    files = [path for part in PARTS for path in (bundle / part).rglob("*") if path.is_file()]
    size = sum(path.stat().st_size for path in files)
    if not (size > LARGE if private is None else private):
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
        if (bundle / part / slug).is_dir()
    )  # fmt: skip
    inputs, reference = (bundle / part for part in PARTS)
    folds = {slug: of_task(inputs / slug, reference / slug) for slug in slugs}
    text = json.dumps({slug: told for slug, told in folds.items() if told}, indent=1)
    (bundle / FILE).write_text(f"{text}\n", encoding="utf-8")
    return Data(bytes=size, pins=pins)


def settle(bundle: Path, target: Path, work: Path, data: Data | None, place: DataPlace) -> None:
    """Move a bundle to its place, in that of what is there, and its data to theirs."""
    if data is None or not data.pins or place.folder is None:
        _replace(bundle, target, work)
        return
    parts = work / "data"
    parts.mkdir()
    for part in PARTS:
        if (bundle / part).is_dir():
            (bundle / part).rename(parts / part)
    _replace(bundle, target, work)
    home = place.folder / target.name
    home.parent.mkdir(parents=True, exist_ok=True)
    shutil.rmtree(home, ignore_errors=True)
    shutil.move(parts, home)


def _replace(bundle: Path, target: Path, work: Path) -> None:
    """Move a bundle to its place in one step."""
    target.parent.mkdir(exist_ok=True)
    if not target.exists() and not target.is_symlink():
        bundle.rename(target)
        return
    old = work / "replaced"
    target.rename(old)
    try:
        bundle.rename(target)
    except OSError:
        old.rename(target)
        raise
