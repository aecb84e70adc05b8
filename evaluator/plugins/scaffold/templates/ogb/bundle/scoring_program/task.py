"""What a submission must look like, as task.json beside the reference data says it."""

import json
import os
import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np

VALID = "valid"
WHOLE = "test-whole"


@dataclass(frozen=True, kw_only=True)
class Task:
    """One data set's files, in one mode of its test."""

    metric: str
    """``acc``, ``mrr`` or ``mae``."""
    stem: str
    """Of the file name, before the mode."""
    key: str
    """Name of the array in the file."""
    dtype: np.dtype
    """As ogb stores it."""
    width: int | None
    """Columns of the array; None for one dimension."""
    low: float
    high: float
    """Range of a prediction, both ends included."""
    mode: str
    """Of the phase: ``test-dev``, ``test-challenge`` or, where ogb has it, ``test-whole``."""
    rows: dict[str, int]
    """Rows of each mode, that of the validation file among them."""
    divisor: int
    """The truth is stored as whole numbers; divided by it, they are the values."""

    def file(self, mode: str) -> str:
        """Return the name of a mode's file, which is ogb's.

        Where the benchmark repeats its tasks, each repeat is a seed with files of its own.
        """
        seed = os.environ.get("PULLBENCH_REPEAT")
        named = self.stem if mode == WHOLE else f"{self.stem}_{mode}"
        return f"{named}.npz" if seed is None else f"{named}_seed{seed}.npz"

    def is_of_another_seed(self, name: str) -> bool:
        """Return whether another repeat reads that file."""
        seed = os.environ.get("PULLBENCH_REPEAT")
        if seed is None:
            return False
        starts = "|".join(
            re.escape(self.file(mode).removesuffix(f"{seed}.npz")) for mode in (self.mode, VALID)
        )
        return bool(re.fullmatch(rf"({starts})(0|[1-9]\d*)\.npz", name))

    def shape(self, mode: str) -> tuple[int, ...]:
        """Return the shape of a mode's array."""
        return (self.rows[mode],) if self.width is None else (self.rows[mode], self.width)


def read_task(folder: Path) -> Task:
    """Read task.json."""
    found = json.loads((folder / "task.json").read_text(encoding="ascii"))
    found["dtype"] = np.dtype(found["dtype"]).newbyteorder("<")
    return Task(**found)


def read_truth(folder: Path, task: Task, mode: str) -> np.ndarray:
    """Read the truth of a mode."""
    stored = np.load(folder / f"{mode}.npy", allow_pickle=False)
    return stored if task.divisor == 1 else stored / np.float64(task.divisor)
