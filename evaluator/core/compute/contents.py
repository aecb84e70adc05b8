"""Digests in a job -> folders and images on this machine."""

import errno
import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from operator import attrgetter
from pathlib import Path
from typing import Literal, Protocol

from evaluator.core.compute.engine.spec import Image
from evaluator.core.compute.job import Job, JobImage
from evaluator.core.compute.mounts import CellInputs, program_root
from evaluator.core.compute.steps import fail
from evaluator.core.errors import GUIDES, PlatformError
from evaluator.core.formats.cell import digest
from evaluator.core.formats.content_cache import ContentCache, set_readable
from evaluator.core.formats.pinned_files import PrivateData, SealedFile
from evaluator.core.formats.record import Reason
from evaluator.core.formats.table_folds import INPUTS, REFERENCE, FoldError, lay_out


class Folders(Protocol):
    """Content by its digest."""

    def folder(self, digest: str) -> Path:
        """A folder as its digest says, readable for all. Raises what ``inputs`` does."""

    @property
    def cache(self) -> ContentCache:
        """Cache of folders that are made of such content."""


class PrivateParts(Protocol):
    """The private data of one run."""

    @property
    def memory(self) -> Callable[[], Path]:
        """What returns a folder in memory, which goes with the run."""

    def find(self, item: PrivateData | SealedFile, encrypted: Callable[[], Path | None]) -> Path:
        """What is pinned, ``encrypted`` laid out. Raises PlatformError, CellFailedError."""


@dataclass(frozen=True)
class JobContents:
    """Gets what a job names. Safe in threads."""

    folders: Folders
    private: PrivateParts | None
    """None where nothing finds them."""
    submitted: Callable[[Job], str] = attrgetter("submitted")
    """Returns when a submission came, or an empty text."""

    def inputs(self, job: Job) -> CellInputs:
        """Lay folders out in a worker's thread: what is raised becomes the cell's record."""
        contents = job.contents
        scoring_program = self._find(contents.scoring_program)
        if scoring_program is None:  # bundle_checks refuses such a task
            raise PlatformError(f"task '{job.task_name}' has no scoring program")
        ingestion_program = self._find(contents.ingestion_program)
        if job.is_rows:
            fold = self._fold_of_rows(job)
            input_data: Path | None = fold / INPUTS
            reference_data: Path | None = fold / REFERENCE
        else:
            input_data = self._data(job, "input_data")
            reference_data = self._data(job, "reference_data")
        return CellInputs(
            submission=self._submission(job),
            ingestion_program=ingestion_program and program_root(ingestion_program),
            input_data=input_data,
            scoring_program=program_root(scoring_program),
            reference_data=reference_data,
            data=self._data(job, "data"),
            image=self._image(job.image, contents.context),
            code_image=self._image(job.code_image, contents.code_context),
        )

    def check(self, job: Job) -> None:
        """Raise FileNotFoundError if somebody cleared what was laid out, while programs used it."""
        parts = job.contents
        names = (parts.submission, parts.ingestion_program, parts.scoring_program)
        if not all(self.folders.cache.is_intact(name) for name in names if name):
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))

    def _submission(self, job: Job) -> Path:
        folder = self.folders.folder(job.contents.submission)
        for files in job.elsewhere:
            folder = files.complete(job, folder, self.folders.cache)
        if (sealed := job.sealed) is None:
            return folder
        return job.kind.opened(
            sealed, job.cell, folder, lambda: self._private.find(sealed, lambda: folder)
        )

    def _image(self, image: JobImage, context: str) -> Image:
        return Image(name=image.used, context=self._find(context), digest=image.digest)

    def _find(self, digest: str) -> Path | None:
        return self.folders.folder(digest) if digest else None

    @property
    def _private(self) -> PrivateParts:
        if self.private is None:
            raise PlatformError("private data are found by 'importing', which is not installed")
        return self.private

    def _fold_of_rows(self, job: Job) -> Path:
        """Both parts of a fold: the table itself, with all answers, is mounted nowhere."""
        digest_of_all = job.contents.reference_data
        pin = next((item for item in job.private if item.file == "reference_data"), None)
        if pin is None:
            whole, cache = self.folders.folder(digest_of_all), self.folders.cache
        else:
            whole = self._private.find(pin, partial(self._find, digest_of_all))
            # Encrypted data is in the clear in memory alone, for as long as the run.
            in_memory = ContentCache(self._private.memory() / "folds") if pin.encrypted else None
            cache = in_memory or self.folders.cache
        name = digest(["rows", pin.sha256 if pin else digest_of_all, job.fold])
        try:
            return cache.folder(name, partial(_lay_out, whole, job.fold or 0))
        except FoldError as error:
            raise fail(
                Reason.BAD_DATA, f"the reference data of '{job.task_name}': {error}", step=None,
                hint=f"{GUIDES}/organisers/keys.md says what `repeat_data: rows` needs.",
            ) from None  # fmt: skip

    def _data(self, job: Job, name: Literal["input_data", "reference_data", "data"]) -> Path | None:
        digest = getattr(job.contents, name)
        for item in job.private:
            if item.file == name:
                folder = self._private.find(item, partial(self._find, digest))
                if job.fold is None or name == "data":
                    return folder
                return _fold_folder(folder, job.fold, item.source)
        return self._find(digest)


def _lay_out(reference: Path, fold: int, target: Path) -> None:
    lay_out(reference, fold, target)
    set_readable(target)


def _fold_folder(repeats: Path, fold: int, name: str) -> Path:
    folder = repeats / str(fold)
    if not folder.is_dir():
        raise fail(
            Reason.BAD_DATA, f"'{name}' holds no folder '{fold}'", step=None,
            hint="With repeat_data each repeat has a folder with its number.",
        )  # fmt: skip
    return folder
