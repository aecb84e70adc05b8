"""A program sees its own folder alone, so that some files stand in several; they are the same."""

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FOLDERS = (ROOT / "benchmarks", *ROOT.glob("evaluator/plugins/*/templates"))


@pytest.mark.parametrize(("pattern", "copies"), [
    ("ingestion_program/processes.py", 8),
    ("dataset/bundle/*_program/points.py", 2),
    ("*_program/strict_tables.py", 5),
    ("scoring_program/rows.py", 3),
])  # fmt: skip
def test_copies_are_the_same(pattern: str, copies: int) -> None:
    paths = [path for folder in FOLDERS for path in folder.rglob(pattern)]
    assert len(paths) == copies
    assert len({path.read_bytes() for path in paths}) == 1, paths


def test_the_template_of_a_race_is_the_sorting_race() -> None:
    template = ROOT / "evaluator/plugins/scaffold/templates/race/bundle"
    for folder in ("ingestion_program", "scoring_program", "controls"):
        for path in (template / folder).rglob("*.*"):
            of_race = ROOT / "benchmarks/sorting-race" / path.relative_to(template)
            if "shell-sort" in path.parts:
                of_race = (
                    ROOT / "benchmarks/sorting-race/starting_kit/sample_submission" / path.name
                )
            if path.suffix in (".py", ".yaml"):
                assert path.read_bytes() == of_race.read_bytes(), path
