"""Predictions by their key, so that a corrected scorer scores them without running code again.

And the pages that scoring programs write, by their digest, which is in the record.
"""

import contextlib
import hashlib
import os
import shutil
import tempfile
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import msgspec

from evaluator.formats.record import Step

_FILES, _STEP, _PAGES = "files", "step.json", "pages"


@dataclass(frozen=True, kw_only=True)
class Predictions:
    """What the prediction step of a cell left."""

    folder: Path
    step: Step


class PredictionStore:
    """A folder with one folder for each prediction key; written whole or not at all."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def _folder(self, key: str) -> Path:
        return self._root / key[:2] / key

    def get(self, key: str) -> Predictions | None:
        """Return stored predictions, or None."""
        folder = self._folder(key)
        try:
            step = msgspec.json.decode((folder / _STEP).read_bytes(), type=Step)
        except (OSError, ValueError):
            return None
        return Predictions(folder=folder / _FILES, step=step)

    def put(self, key: str, fill: Callable[[Path], None], step: Step) -> Predictions:
        """Store what ``fill`` writes into an empty folder; an exception of its stores nothing."""
        folder = self._folder(key)
        folder.parent.mkdir(parents=True, exist_ok=True)
        unfinished = Path(tempfile.mkdtemp(prefix=".part-", dir=folder.parent))
        try:
            unfinished.chmod(0o755)
            (unfinished / _FILES).mkdir()
            fill(unfinished / _FILES)
            _open_up(unfinished / _FILES)
            (unfinished / _STEP).write_bytes(msgspec.json.encode(step))
            if self.get(key) is None:
                self.drop(key)  # whatever stands there is damaged
            # Another process may have stored the same key since; its content is as good, and
            # somebody may be reading it.
            with contextlib.suppress(OSError):
                unfinished.rename(folder)
        finally:
            shutil.rmtree(unfinished, ignore_errors=True)
        return self.get(key) or Predictions(folder=folder / _FILES, step=step)

    def drop(self, key: str) -> None:
        """Forget predictions, so that the code runs again."""
        shutil.rmtree(self._folder(key), ignore_errors=True)

    def put_page(self, content: bytes) -> str:
        """Store a page; returns its SHA-256."""
        sha256 = hashlib.sha256(content).hexdigest()
        path = self._root / _PAGES / sha256
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished = path.with_name(f".part-{uuid.uuid4().hex}")
        unfinished.write_bytes(content)
        unfinished.replace(path)
        return sha256

    def get_page(self, sha256: str) -> bytes:
        """Return a stored page. Raises OSError."""
        return (self._root / _PAGES / sha256).read_bytes()


def _open_up(folder: Path) -> None:
    """Make files readable for the user of the scoring container, whatever the program set."""
    for parent, folders, files in os.walk(folder):
        for name in folders:
            Path(parent, name).chmod(0o755)
        for name in files:
            Path(parent, name).chmod(0o644)
    folder.chmod(0o755)
