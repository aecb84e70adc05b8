"""Predictions by their key, so that a corrected scorer scores them without running code again.

Each isolation has predictions of its own.
"""

import contextlib
import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

import msgspec

from evaluator.core.compute.engine.spec import Isolation
from evaluator.core.errors import PlatformError
from evaluator.core.formats.content_cache import draft, set_readable
from evaluator.core.formats.json_reader import form_reader
from evaluator.core.formats.record import Step
from evaluator.core.formats.verified import Verifier
from evaluator.core.log import complain

_FILES, _STEP, _RECORD = "files", "step.json", "without-record"
_ATTACHMENTS, _UNFINISHED = "attachments", "unfinished"


class SharedFolders(Protocol):
    """Folders by name that several machines share. Each method raises PlatformError."""

    def put(self, name: str, folder: Path | None) -> None: ...

    def get(self, name: str, target: Path) -> bool: ...

    def has(self, name: str) -> bool: ...

    def drop(self, name: str) -> None: ...


class LostPredictionsError(PlatformError):
    """Stored predictions are no longer there, or no longer what they were."""


class _Note(msgspec.Struct, frozen=True, kw_only=True):
    """Facts in the folder of predictions."""

    step: Step
    started: str


_read_note = form_reader(_Note, max_bytes=2**24)


@dataclass(frozen=True, kw_only=True)
class Predictions:
    """What the prediction step of a cell left."""

    folder: Path
    step: Step
    started: str
    """When the evaluation began that made them; ISO time."""
    attachments: Mapping[str, bytes]
    """What the step left beside them, by suffix."""
    check: Callable[[], None] = field(compare=False, repr=False)
    """Raises LostPredictionsError if they are not what they were. Called whenever they are used: a
    day may lie between their making and their scoring."""


class PredictionStore:
    """Has a folder for each key, written whole; with ``shared``, other machines have it, too."""

    def __init__(
        self, root: Path, isolation: Isolation, shared: SharedFolders | None = None
    ) -> None:
        self.shared = shared
        self._root = root / isolation
        self._isolation = isolation
        self._verifier = Verifier()

    def _folder(self, key: str) -> Path:
        return self._root / key[:2] / key

    def get(self, key: str) -> Predictions | None:
        """Stored predictions; None for none, or for other files than were stored."""
        folder = self._folder(key)
        if not self._verifier.is_intact(folder, key) and not self._fetch(key):
            return None
        try:
            stored = _read_note((folder / _STEP).read_bytes())
        except (OSError, ValueError):
            return None

        def check() -> None:
            if not self._verifier.is_intact(folder, key):
                raise LostPredictionsError("stored predictions were lost before they were scored")

        return Predictions(
            folder=folder / _FILES, step=stored.step, started=stored.started, check=check,
            attachments={
                file.name: file.read_bytes() for file in (folder / _ATTACHMENTS).glob("*")
            },
        )  # fmt: skip

    def put(
        self, key: str, fill: Callable[[Path], None], step: Step, *,
        started: str, record: str, attachments: Mapping[str, bytes] | None = None,
    ) -> Predictions:  # fmt: skip
        """Store what ``fill`` writes; ``mark_recorded`` says later that there is a record."""
        folder = self._folder(key)
        with draft(folder.parent) as unfinished:
            (unfinished / _FILES).mkdir()
            fill(unfinished / _FILES)
            set_readable(unfinished / _FILES, programs=False)
            for suffix, content in (attachments or {}).items():
                (unfinished / _ATTACHMENTS).mkdir(exist_ok=True)
                (unfinished / _ATTACHMENTS / suffix).write_bytes(content)
            (unfinished / _STEP).write_bytes(msgspec.json.encode(_Note(step=step, started=started)))
            self._verifier.finish(unfinished, key)
            if self.get(key) is None:
                if folder.exists():
                    complain(f"{folder} is not what was stored there; it is computed anew")
                self.forget(key)
            mark = self._without_record(key, record)
            mark.parent.mkdir(parents=True, exist_ok=True)
            mark.touch()
            # Another process may have stored the same key since; its content is as good, and
            # somebody may be reading it.
            with contextlib.suppress(OSError):
                unfinished.rename(folder)
        if self.shared is not None and self._verifier.is_intact(folder, key):
            self.shared.put(self._shared_name(key, record), None)
            self.shared.put(self._shared_name(key), folder)
        stored = self.get(key)
        if stored is None:
            raise LostPredictionsError("predictions were lost as soon as they were stored")
        return stored

    def _fetch(self, key: str) -> bool:
        if self.shared is None:
            return False
        folder = self._folder(key)
        with draft(folder.parent) as unfinished:
            if not self.shared.get(self._shared_name(key), unfinished):
                return False
            if folder.exists():
                self.forget(key)
            with contextlib.suppress(OSError):  # another may have fetched the same
                unfinished.rename(folder)
        return self._verifier.is_intact(folder, key)

    def _shared_name(self, key: str, record: str = "") -> str:
        name = f"predictions/{self._isolation}/{key[:2]}/{key}"
        return f"{name}-{_digest(record)}" if record else f"{name}.tar"

    def lacks_record(self, key: str, record: str) -> bool:
        """Whether predictions were made for a record that was not written: its run was ended."""
        if self._without_record(key, record).exists():
            return True
        return self.shared is not None and self.shared.has(self._shared_name(key, record))

    def mark_recorded(self, key: str, record: str) -> None:
        self._without_record(key, record).unlink(missing_ok=True)
        if self.shared is not None:
            self.shared.drop(self._shared_name(key, record))

    def _without_record(self, key: str, record: str) -> Path:
        return self._root / _RECORD / key[:2] / f"{key}-{_digest(record)}"

    def unfinished(self, key: str) -> Path:
        """What a cell's attempts know of one another, until it has its record."""
        return self._root / _UNFINISHED / key

    def drop(self, key: str) -> None:
        if self.shared is not None:
            self.shared.drop(self._shared_name(key))
        self.forget(key)

    def forget(self, key: str) -> None:
        folder = self._folder(key)
        # At once, so that nobody reads half of them.
        with contextlib.suppress(OSError), draft(folder.parent) as trash:
            folder.rename(trash / key)


def _digest(record: str) -> str:
    return hashlib.sha256(record.encode()).hexdigest()
