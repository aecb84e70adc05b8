"""A finished bundle -> its place below benchmarks/, its data in git or below the data folder."""

import contextlib
import fcntl
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PARTS = ("input_data", "reference_data")


@dataclass(frozen=True, kw_only=True)
class DataPlace:
    """Where data go that are not for git."""

    folder: Path | None
    """The data folder of this machine."""
    digest: Callable[[Path], str]
    """Digest of a folder, as a bundle pins it."""


@dataclass(frozen=True, kw_only=True)
class BundleData:
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


def install(
    bundle: Path, target: Path, work: Path, data: BundleData | None, place: DataPlace
) -> None:
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
