"""Files that scoring programs write and that lie beside records, by the ends of their names."""

from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from evaluator.core.plugins import Contract

if TYPE_CHECKING:
    from evaluator.core.formats.bundle import Benchmark


class AttachmentKind(Protocol):
    """One kind of them. No suffix ends with ``.json``: files of records do."""

    file: str
    """Its name in the output of the scoring program."""
    max_file: int
    """Bytes that are read of it."""
    max_bytes: int
    """Bytes that are kept at most."""

    def takes(self, benchmark: "Benchmark") -> bool:
        """Whether a bundle asks for it."""

    def read(self, output: Path, columns: Collection[str]) -> bytes | None:
        """What is kept of an output; None if nothing is.

        ``columns`` are the keys of scores. Raises ValueError with what is wrong, to be read after
        the name of the file: the organiser's mistake.
        """


ATTACHMENTS = Contract[AttachmentKind]("attachments")
RACE_SUFFIX = "race.jsonl"
"""Of the attachment that says how a race went; a job has it if its bundle asks for races."""
