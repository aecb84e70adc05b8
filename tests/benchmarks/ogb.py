"""The programs of the bundles ogb-lsc-*, as a participant and a runner meet them."""

import importlib
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

ROOT = Path(__file__).parents[2]
NAMES = ("mag240m", "wikikg90mv2", "pcqm4mv2")
SMALL = {"test-dev": 20, "test-challenge": 13, "valid": 7}


def bundle(name: str) -> Path:
    return ROOT / "benchmarks" / f"ogb-lsc-{name}"


@contextmanager
def modules(folder: Path, *names: str) -> Iterator[list[ModuleType]]:
    """Import programs that import one another by plain names, and forget them again."""
    every = {path.stem for path in folder.glob("*.py")}
    sys.path.insert(0, str(folder))
    try:
        yield [importlib.import_module(name) for name in names]
    finally:
        sys.path.remove(str(folder))
        for name in every & set(sys.modules):
            del sys.modules[name]


class Desk:
    """A small test of one data set, and a folder for what is submitted to it."""

    def __init__(self, root: Path, name: str, mode: str = "test-dev") -> None:
        self.reference, self.given, self.output = (root / n for n in ("in/ref", "in/res", "out"))
        for folder in (self.reference, self.given, self.output):
            folder.mkdir(parents=True)
        source = bundle(name) / "reference_data" / "test-dev"
        self.task: dict[str, Any] = json.loads((source / "task.json").read_text())
        self.task |= {"rows": SMALL, "mode": mode}
        (self.reference / "task.json").write_text(json.dumps(self.task))
        for part in (mode, "valid"):
            truth = np.load(source / ("valid.npy" if part == "valid" else "test-dev.npy"))
            np.save(self.reference / f"{part}.npy", truth[: SMALL[part]])
        self._name = name

    def truth(self, mode: str) -> np.ndarray:
        stored: np.ndarray = np.load(self.reference / f"{mode}.npy")
        divisor: int = self.task["divisor"]
        return stored if divisor == 1 else np.divide(stored, divisor)

    def good(self, mode: str = "test-dev") -> np.ndarray:
        """Predictions that are right in every row."""
        truth = self.truth(mode)
        if self.task["width"]:
            rows = np.tile(np.arange(10, dtype=np.int32), (len(truth), 1))
            rows[:, 0] = truth
            return rows
        return truth.astype(self.task["dtype"])

    def path(self, mode: str = "test-dev") -> Path:
        return self.given / f"{self.task['stem']}_{mode}.npz"

    def save(self, array: Any, mode: str = "test-dev", **others: Any) -> Path:
        arrays = {self.task["key"]: array, **others}
        np.savez_compressed(self.path(mode), **{k: v for k, v in arrays.items() if v is not None})
        return self.path(mode)

    def score(self) -> dict[str, float]:
        """Scores of what is submitted; SystemExit says what was refused."""
        with modules(bundle(self._name) / "scoring_program", "scoring") as (scoring,):
            scoring.main(self.reference.parent, self.output)
        found: dict[str, float] = json.loads((self.output / "scores.json").read_text())
        return found

    def refusal(self) -> str:
        """What a participant is told of a file that is refused."""
        try:
            scores = self.score()
        except SystemExit as stopped:
            text = (self.output / "rejected.txt").read_text()
            assert text == f"{stopped.code}\n"
            return text
        raise AssertionError(f"it was scored: {scores}")
