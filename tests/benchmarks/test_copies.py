"""A program sees its own folder alone, so that some files stand in several; they are the same."""

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FOLDERS = (ROOT / "benchmarks", *ROOT.glob("evaluator/plugins/*/templates"))


@pytest.mark.parametrize(("pattern", "copies"), [
    ("ingestion_program/processes.py", 7),
    ("dataset/bundle/*_program/points.py", 2),
    ("*_program/strict_tables.py", 5),
    ("scoring_program/rows.py", 3),
])  # fmt: skip
def test_copies_are_the_same(pattern: str, copies: int) -> None:
    paths = [path for folder in FOLDERS for path in folder.rglob(pattern)]
    assert len(paths) == copies
    assert len({path.read_bytes() for path in paths}) == 1, paths
