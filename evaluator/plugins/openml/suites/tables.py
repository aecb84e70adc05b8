"""One data set in memory, wherever it came from."""

import hashlib
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd

_TARGETS = ("target", "class")


@dataclass(frozen=True, kw_only=True, eq=False)
class Table:
    """A table with a target and what its source says of it."""

    name: str
    frame: "pd.DataFrame"
    """All columns; nominal ones are text or categories."""
    target: str
    source: str
    """As a person would write it: a file, a package's member, t/3."""
    tags: tuple[str, ...] = ()
    status: str = "active"
    sparse: bool = False
    openml_task: int | None = None

    @property
    def key(self) -> str:
        """Name without case, punctuation and version, by which duplicates are found."""
        return re.sub(r"[_-]v\d+$", "", re.sub(r"[^a-z0-9_-]", "", self.name.lower()))

    def nominal(self) -> list[str]:
        """Features that are not numbers."""
        return [
            name
            for name in self.frame.columns
            if name != self.target and self.frame[name].dtype.kind not in "biuf"
        ]

    def sha256(self) -> str:
        """Digest of all values in order, with the columns' names and the target."""
        text = self.frame.to_csv(index=False, lineterminator="\n")
        return hashlib.sha256(f"{self.target}\n{text}".encode()).hexdigest()


def guess_target(names: list[str]) -> str:
    """Return the first column called target or class, else the last: as AMLB does."""
    return next((name for name in names if name.lower() in _TARGETS), names[-1])
