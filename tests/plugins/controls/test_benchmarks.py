"""The benchmarks here: a weaker scoring program breaks a control of each."""

import os
from pathlib import Path

import pytest

from evaluator.core.formats.pinned_files import DATA_IDENTITY
from evaluator.plugins.controls.mutants import mutants
from tests.repository import Repository
from tests.test_commands_of_pages import clone

ROOT = Path(__file__).parents[3]
NAMES = sorted(path.parts[-3] for path in ROOT.glob("benchmarks/*/controls/outcomes.json"))
R = ("mae = mean(error),", "mae = 0,")
"""What a program in R writes, and what one writes that calls each entry right."""


def weaken(program: Path) -> Path:
    """Turn the sign of the scores that a scoring program writes; returns the file."""
    for file in sorted(program.rglob("*.py")):
        for where, weaker in mutants(file.read_text()):
            if "the sign is turned" in where:
                file.write_text(weaker)
                return file
    (file,) = (file for file in program.rglob("*.R") if R[0] in file.read_text())
    file.write_text(file.read_text().replace(*R))
    return file


@pytest.mark.docker
@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_a_weaker_scorer_of_each_benchmark_breaks_a_control(name: str, tmp_path: Path) -> None:
    clone(ROOT, tmp_path / "clone")
    repository = Repository(tmp_path / "clone")
    before = repository.git("rev-parse", "HEAD").strip()
    weaken(repository.path / f"benchmarks/{name}/scoring_program")
    after = repository.commit("A weaker scorer")
    repository.git("checkout", "--quiet", before)
    (repository.path / "build").mkdir()
    (repository.path / "build/data").symlink_to(ROOT / "build/data")  # by `make data`
    keys = repository.path / f"benchmarks/{name}/demonstration-keys.txt"
    given = {DATA_IDENTITY: keys.read_text()} if keys.is_file() else {}
    done = repository.pullbench(
        "controls", "--base", before, "--head", after, "--remote", "",
        environment={**os.environ, **given},
    )  # fmt: skip
    assert done.returncode == 1, done.stdout + done.stderr
    assert f"{name}: the control '" in done.stdout
