"""19.4.1: a job is data, and what it names is the same wherever it is laid out."""

import pickle
from pathlib import Path

from evaluator.core.clock import utc_now
from evaluator.core.planning.export import Exporter
from evaluator.core.planning.plan import make_local_plan
from evaluator.core.scores.jobs import make_jobs
from tests.repository import Repository


def test_a_job_is_data(small: Repository, tmp_path: Path) -> None:
    taken = small.snapshot()
    cells = [item.cell for item in make_local_plan(taken, utc_now()).missing]
    exporter = Exporter(taken.tree, tmp_path / "trees")
    for job in make_jobs(taken, cells, exporter):
        packed = pickle.dumps(job)
        assert pickle.loads(packed) == job  # noqa: S301 - ours
        assert len(packed) < 8000
    assert not (tmp_path / "trees").exists(), "a job is made without laying anything out"


def test_folders_of_equal_bytes_and_other_names_are_not_taken_for_one_another(
    small: Repository, tmp_path: Path
) -> None:
    for name in ("a.txt", "b.txt"):
        small.write(f"benchmarks/adding/{name}", "the same")
    exporter = Exporter(small.snapshot().tree, tmp_path / "trees")
    parts = [exporter.part(f"benchmarks/adding/{name}") for name in ("a.txt", "b.txt")]
    names = [[path.name for path in exporter.folder(part).iterdir()] for part in parts]
    assert names == [["a.txt"], ["b.txt"]]
