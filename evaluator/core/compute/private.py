"""Private data, not in git in the clear: located by path, key or address, checked by digest."""

import io
import shutil
import threading
from collections.abc import Callable
from pathlib import Path, PurePosixPath

from evaluator.core.compute.encryption import decrypt
from evaluator.core.compute.fetching import fetched
from evaluator.core.compute.steps import fail
from evaluator.core.compute.unpacking import content_digest, lay_out, other_content
from evaluator.core.errors import PlatformError, UsageError
from evaluator.core.formats.content_cache import ContentCache
from evaluator.core.formats.extension import PrivateData
from evaluator.core.formats.record import Reason

__all__ = ["PrivateParts", "content_digest", "find_private"]


class PrivateParts:
    """The private data of one run. Each is made ready once, whichever thread asks first."""

    def __init__(
        self, *, data: Path | None, cache: Path, memory: Callable[[], Path], limit: int,
        isolated: bool,
    ) -> None:  # fmt: skip
        self._data = data
        self._cache = data / ".fetched" if data else cache
        self._memory = memory
        self._limit = limit
        self._isolated = isolated
        self._locking = threading.Lock()
        self._locks: dict[tuple[str, str], threading.Lock] = {}
        self._opened: dict[tuple[str, str], Path] = {}

    def find(self, item: PrivateData, encrypted: Callable[[], Path | None]) -> Path:
        """Return the file or folder that a bundle pins.

        ``encrypted`` lays the bundle's encrypted file out, in a folder. Raises PlatformError where
        this machine cannot have it, CellFailedError where it has something else.
        """
        key = (item.source, item.sha256)
        with self._locking:
            lock = self._locks.setdefault(key, threading.Lock())
        with lock:
            if item.path is not None:
                return find_private(item, self._data)
            if item.url is not None:
                return fetched(item.url, item.sha256, self._cache, self._limit)
            if key not in self._opened:  # once for a run, into memory
                self._opened[key] = self._open(item, encrypted)
            return self._opened[key]

    def memory_cache(self) -> ContentCache:
        """Return a cache in memory, which goes with the run, of what is made of encrypted data."""
        return ContentCache(self._memory() / "folds")

    def _open(self, item: PrivateData, encrypted: Callable[[], Path | None]) -> Path:
        name = item.source
        if not self._isolated:
            raise PlatformError(
                f"'{name}' is encrypted, and is not opened where programs run without isolation",
                hint="Use `--engine docker`.",
            )
        folder = encrypted()
        last = PurePosixPath(name).name
        if folder is None or not (folder / last).is_file():  # bundle_checks refuses such a bundle
            raise PlatformError(f"the bundle holds no file '{name}'")
        content = decrypt((folder / last).read_bytes(), name)
        if len(content) > self._limit:
            raise fail(
                Reason.BAD_DATA, f"'{name}' holds more than {self._limit:,} bytes", step=None,
                hint="Make it smaller, or raise [tool.pullbench] max_data.",
            )  # fmt: skip
        target = self._memory() / item.sha256
        shutil.rmtree(target, ignore_errors=True)  # what an earlier try left
        try:
            return lay_out(
                io.BytesIO(content), last.removesuffix(".age") or "data", item.sha256, target,
                self._limit, name,
            )  # fmt: skip
        except BaseException:
            shutil.rmtree(target, ignore_errors=True)
            raise


def find_private(item: PrivateData, data: Path | None) -> Path:
    """Return the folder or file below this runner's data folder that a bundle pins.

    Raises PlatformError where this runner does not hold it, CellFailedError where it holds
    something else.
    """
    if data is None:
        raise PlatformError(
            f"this runner holds no private data; '{item.source}' is needed",
            hint="Set [tool.pullbench] data on a runner that has it.",
        )
    path = data / item.source
    if not path.exists():
        raise PlatformError(
            f"this runner has no '{item.source}' in its data folder",
            hint="Copy the data there, or send the cell to a queue whose runners have it.",
        )
    try:
        digest = content_digest(path)
    except UsageError as error:
        raise fail(Reason.BAD_DATA, error.message, step=None, hint=error.hint) from None
    if digest != item.sha256:
        raise other_content(item.source, digest, item.sha256)
    return path
