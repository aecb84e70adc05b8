"""The two programs of the template on one fold, without a container."""

import json
import runpy
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pandas as pd

from evaluator.plugins.openml.tabular.writing import describe_table, fold_tables, write_fold

ROOT = Path(__file__).parents[4]
TEMPLATE = ROOT / "evaluator/plugins/openml/templates/tabular"


def table(rows: int) -> pd.DataFrame:
    """Numbers with a gap, a category, and a target that follows from both."""
    numbers = [None if i % 11 == 3 else float(i % 10) for i in range(rows)]
    colours = pd.Categorical([("Red", "blue")[i % 2] for i in range(rows)])
    kinds = ["Yes" if (i % 10) > 4 else "no" for i in range(rows)]
    return pd.DataFrame({"number": numbers, "kind": kinds, "colour": colours})


class Try:
    """A fold, a submission, and what came of it."""

    def __init__(self, folder: Path, *, programs: Path = TEMPLATE, **meta: Any) -> None:
        self.folder = folder
        self.programs = programs
        train, test = table(60), table(20)
        target = meta.pop("target", "kind")
        kind = meta.pop("type", "binary")
        if kind == "regression":
            train, test = train.fillna({"number": 0}), test.fillna({"number": 0})
        train, test, classes = fold_tables(train, test, target, classes=kind != "regression")
        about = {
            **describe_table("toy", train, target, classes), "fold": 0, "seed": 7,
            "budget": {"max_runtime_seconds": 20, "cores": 1, "max_mem_size_mb": 512}, **meta,
        }  # fmt: skip
        write_fold(folder / "in", folder / "ref", train, test, about)
        for name in ("res", "entry", "scores"):
            (folder / name).mkdir()
        self.truth = pd.read_parquet(folder / "ref/truth.parquet")["truth"]

    def enter(self, **files: str) -> str:
        """Run a submission of such files (``__init__``: ``__init__.py``); returns its log."""
        for name, text in files.items():
            suffix = ".json" if name == "framework" else ".py"
            (self.folder / "entry" / f"{name}{suffix}").write_text(text)
        return self.ingest(self.folder / "entry")

    def ingest(self, entry: Path) -> str:
        done = self._call("ingestion", self.folder / "in", self.folder / "res", entry)
        self.code = done.returncode
        return done.stdout + done.stderr

    def score(self) -> dict[str, float] | str:
        """Return the scores, or why there are none."""
        place = self.folder / "scored"
        if not place.exists():
            place.mkdir()
            (place / "ref").symlink_to(self.folder / "ref")
            (place / "res").symlink_to(self.folder / "res")
        done = self._call("scoring", place, self.folder / "scores")
        rejected = self.folder / "scores/rejected.txt"
        if rejected.exists():
            assert done.returncode != 0
            return rejected.read_text().strip()
        assert done.returncode == 0, done.stderr
        found: dict[str, float] = json.loads((self.folder / "scores/scores.json").read_text())
        return found

    def predictions(self) -> pd.DataFrame:
        return pd.read_csv(self.folder / "res/predictions.csv")

    def metadata(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads((self.folder / "res/metadata.json").read_text())
        return found

    def write(self, text: str) -> dict[str, float] | str:
        """Score predictions.csv as it is given, by the program in this process."""
        (self.folder / "res/predictions.csv").write_text(text)
        with patch.object(self, "_call", self._call_here):
            return self.score()

    def _call(self, program: str, *paths: Path) -> subprocess.CompletedProcess[str]:
        file = self.programs / f"{program}_program/{program}.py"
        return subprocess.run(
            [sys.executable, "-W", "ignore", "-B", file, *paths],
            cwd=file.parent, capture_output=True, text=True, check=False, timeout=60,
        )  # fmt: skip

    def _call_here(self, program: str, *paths: Path) -> subprocess.CompletedProcess[str]:
        file = self.programs / f"{program}_program/{program}.py"
        words = [str(file), *map(str, paths)]
        code: int | str | None = 0
        with (
            patch.object(sys, "argv", words), patch.object(sys, "dont_write_bytecode", new=True),
            patch.object(sys, "path", [str(file.parent), *sys.path]), patch.dict(sys.modules),
            warnings.catch_warnings(),
        ):  # fmt: skip
            warnings.simplefilter("ignore")
            try:
                runpy.run_path(str(file), run_name="__main__")
            except SystemExit as end:
                code = end.code
        return subprocess.CompletedProcess(words, code if isinstance(code, int) else 1, "", "")
