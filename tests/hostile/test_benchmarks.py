"""Hostile submissions to our own benchmarks. Those to one of them share its image and one run."""

import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest

from evaluator.core.formats.record import Record
from evaluator.core.formats.schema import dump_yaml
from tests.hostile.cases import BenchmarkAttack, Case, cases
from tests.hostile.endings import differences
from tests.hostile.prepared import PREPARED
from tests.repository import Repository

ROOT = Path(__file__).parents[2]
ALL = sorted(cases(BenchmarkAttack), key=lambda case: case.attack.benchmark)
OWNER = "mallory"


def name_of(case: Case[BenchmarkAttack]) -> str:
    """Begin with the benchmark: tests.sharing gives one worker all that needs its image."""
    return f"{case.attack.benchmark}/{case.name}"


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Mapping[str, Record]]:
    """Records of the attacks, by benchmark, run when the first test asks for them."""

    class Runs(dict[str, Mapping[str, Record]]):
        def __missing__(self, benchmark: str) -> Mapping[str, Record]:
            repo = Repository(tmp_path_factory.mktemp(benchmark) / "repo")
            self[benchmark] = run_all(repo, benchmark)
            return self[benchmark]

    return Runs()


def run_all(repo: Repository, benchmark: str) -> Mapping[str, Record]:
    shutil.copytree(
        ROOT / "benchmarks" / benchmark, repo.path / "benchmarks" / benchmark,
        ignore=shutil.ignore_patterns("__pycache__"),
    )  # fmt: skip
    if benchmark in PREPARED:
        PREPARED[benchmark](repo)
    cells = []
    for case in ALL:
        if case.attack.benchmark == benchmark and case.attack.ends:
            folder = f"submissions/{benchmark}/{OWNER}/{case.name}"
            repo.write(f"{folder}/submission.yaml", dump_yaml(case.attack.submission))
            for path, content in case.files().items():
                repo.write(f"{folder}/{path}", content)
            cells += [f"{benchmark}/{OWNER}/{case.name}/{cell}" for cell in case.attack.ends]
    repo.commit("Attacks")
    return repo.run(*cells)


@pytest.mark.docker
@pytest.mark.parametrize("case", [case for case in ALL if case.attack.ends], ids=name_of)
def test_benchmark(case: Case[BenchmarkAttack], runs: Mapping[str, Mapping[str, Record]]) -> None:
    records = runs[case.attack.benchmark]
    for cell, wanted in case.attack.ends.items():
        record = records[f"{case.attack.benchmark}/{OWNER}/{case.name}/{cell}"]
        logs = {step.step: step.log for step in record.steps}
        assert list(differences(record, wanted)) == [], logs


@pytest.mark.parametrize("case", [case for case in ALL if not case.attack.ends], ids=name_of)
def test_program(case: Case[BenchmarkAttack], tmp_path: Path) -> None:
    """A program of the benchmark alone, as its attack.py starts it."""
    assert case.program is not None
    said = case.program(ROOT / "benchmarks" / case.attack.benchmark, tmp_path)
    assert case.attack.says
    assert case.attack.says in said
