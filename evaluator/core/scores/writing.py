"""Finished cells -> scores files below a folder, line by line, by several runs at once."""

import contextlib
import os
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from evaluator.core.errors import UsageError
from evaluator.core.formats.cell import CellId, Place
from evaluator.core.formats.content_cache import locked_file
from evaluator.core.formats.record import Record
from evaluator.core.formats.record_lines import (
    Logs,
    decode_logs,
    encode_logs,
    file_of,
    logs_of,
    to_json,
)
from evaluator.core.formats.scores_file import Line, ScoresFile, encode, merged, of_lines
from evaluator.core.planning.records import read_scores
from evaluator.core.scores.sealing import CLOSE, SUFFIX


@dataclass(frozen=True, kw_only=True)
class Writer:
    """Where the scores of a run go."""

    folder: Path
    lock: Path
    """Who writes holds it, so that two runs lose no line of each other's."""
    scratch: Path

    def check(self, place: Place) -> ScoresFile | None:
        """What stands there. Raises UsageError where lines cannot be added to it."""
        self._logs(place)
        return self._scores(place)

    def line(self, cell: CellId) -> Line | None:
        scores = self._scores(cell.place)
        return scores.line(cell.task, cell.repeat) if scores else None

    def put(self, record: Record, attachments: Mapping[str, bytes]) -> None:
        """Write a record, in the place of an earlier one of its cell: whole or not at all."""
        cell = record.cell
        for path in (cell.part_path, *cell.attachment_paths):
            (self.folder / f"{path}{SUFFIX}").unlink(missing_ok=True)
        contents = {record.path_of(suffix): content for suffix, content in attachments.items()}
        for path in cell.attachment_paths:
            self._put_file(path, contents.get(path))
        with locked_file(self.lock):
            logs = self._logs(cell.place)
            logs[cell.file_stem] = logs_of(record)
            self._put_file(cell.logs_path, encode_logs(logs))
            scores = merged(self._scores(cell.place), file_of([record]))
            self._put_file(cell.scores_path, encode(scores))

    def put_closed(self, record: Record, attachments: Mapping[str, bytes], recipient: str) -> None:
        """Write a record for ``recipient`` alone, in a file to which nothing can be added."""
        cell, close = record.cell, CLOSE.need()
        contents = {record.path_of(suffix): content for suffix, content in attachments.items()}
        for path in cell.attachment_paths:
            self._put_file(path, None)
            content = contents.get(path)
            self._put_file(f"{path}{SUFFIX}", content and close(content, recipient))
        self._put_file(f"{cell.part_path}{SUFFIX}", close(to_json(record), recipient))
        with locked_file(self.lock):
            self._drop(cell)

    def put_predictions(self, cell: CellId, content: bytes) -> None:
        """Write what another job scores; nothing of the cell counts before."""
        self._put_file(cell.predictions_path, content)
        with locked_file(self.lock):
            self._drop(cell)

    def _drop(self, cell: CellId) -> None:
        logs, scores = self._logs(cell.place), self._scores(cell.place)
        if logs.pop(cell.file_stem, None):
            self._put_file(cell.logs_path, encode_logs(logs))
        if scores is not None:
            key = (cell.task, cell.repeat)
            others = [line for line in scores.cells if (line.task, line.repeat) != key]
            content = encode(of_lines(scores, scores.runs, others)) if others else None
            self._put_file(cell.scores_path, content)

    def _scores(self, place: Place) -> ScoresFile | None:
        path = place.cell("").scores_path
        with _named(path), contextlib.suppress(FileNotFoundError):
            return read_scores((self.folder / path).read_bytes(), place)
        return None

    def _logs(self, place: Place) -> dict[str, Logs]:
        path = place.cell("").logs_path
        with _named(path), contextlib.suppress(FileNotFoundError):
            return decode_logs((self.folder / path).read_bytes())
        return {}

    def _put_file(self, path: str, content: bytes | None) -> None:
        file = self.folder / path
        if content is None:
            file.unlink(missing_ok=True)
        else:
            _write(file, content, self.scratch)


@contextlib.contextmanager
def _named(path: str) -> Iterator[None]:
    try:
        yield
    except ValueError as error:
        raise UsageError(
            f"{path} {error}",
            hint="New scores are added to it. Take it as it was from git (`git checkout -- "
            f"{path}`), or delete it: its cells then run again.",
        ) from None


def _write(path: Path, content: bytes, scratch: Path) -> None:
    """Write a file at once: a reader, or a kill, sees the old one or the new one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = scratch / "scores.json"
    with unfinished.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    try:
        unfinished.replace(path)
    except OSError:  # another file system: the copy gets a name that git and readers pass over
        beside = path.with_name(f".{path.name}.part")
        shutil.copyfile(unfinished, beside)
        beside.replace(path)
