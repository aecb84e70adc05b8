"""Frameworks that fail: one record each with its reason; and ten folds resumed.

In containers, and as forks of warm interpreters on the host.
"""

import contextlib
import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from evaluator.core.formats.record import Record
from tests.environments import lend_libraries
from tests.plugins.openml.amlb.files import HEAD, ROWS, Definitions
from tests.repository import command

pytestmark = pytest.mark.docker
CONSTRAINT = (
    "tiny:\n  folds: 10\n  max_runtime_seconds: {seconds}\n  cores: 1\n  max_mem_size_mb: 300\n"
)
GOOD = """
import time

import numpy as np

class Model:
    def fit(self, X, y):
        time.sleep(0.2)
        self.classes_ = sorted(set(y))

    def predict(self, X):
        return np.full(len(X), self.classes_[0], dtype=object)

    def predict_proba(self, X):
        return np.full((len(X), len(self.classes_)), 1 / len(self.classes_))
"""
SAVE = """
def run(dataset, config):
    with open(config.output_predictions_file, "w") as file:
        file.write({text!r})
    return {{"models_count": 1}}
"""
FAILURES = {
    "crash": ({"model.py": "import os\nos.abort()\n"}, "exited", "exit code"),
    "error": ({"model.py": "raise RuntimeError('no data')\n"}, "exited", "exit code 1"),
    "hang": ({"model.py": "import time\ntime.sleep(600)\n"}, "timed out", "stopped after"),
    "memory": ({"model.py": "x = bytearray(10**9)\n"}, "out of memory", "300 MiB"),
    "missing-class": (
        {"__init__.py": SAVE.format(text="Kind-a,predictions\n" + "1,Kind-a\n" * 20)},
        "refused", "no probabilities of 2 classes",
    ),
    "wrong-length": (
        {"__init__.py": SAVE.format(text="Kind-a,Kind-b,Kind-c,predictions\n1,0,0,Kind-a\n")},
        "refused", "1 rows for 20 test rows",
    ),
    "setup": ({"__init__.py": "import a_package_that_is_not_installed\n"}, "exited", "exit code 1"),
}  # fmt: skip


def definitions(path: Path, seconds: int, folds: int) -> Definitions:
    repo = Definitions(path)
    folder = repo.user / "ten"
    folder.mkdir()
    for fold in range(folds):
        test = set(range(fold * 6, fold * 6 + 6)) if folds > 1 else set(range(20))
        for name, part in (("train", set(range(60)) - test), ("test", test)):
            text = HEAD + "".join(f"{ROWS[row]}\n" for row in sorted(part))
            (folder / f"x_{name}_{fold}.csv").write_text(text)
    constraints = repo.user / "constraints.yaml"
    constraints.write_text(CONSTRAINT.format(seconds=seconds))
    text = f"- {{name: ten, dataset: '{{user}}/ten', metric: logloss, folds: {folds}}}\n"
    repo.define(text, "tiny", "--constraints", str(constraints))
    return repo


def enter(repo: Definitions, name: str, files: dict[str, str]) -> None:
    folder = f"submissions/mine/{name}/one"
    repo.write(f"{folder}/submission.yaml", "kind: code\n")
    for file, text in files.items():
        repo.write(f"{folder}/{file}", text)


@pytest.fixture(scope="module", params=["docker", pytest.param("warm", marks=pytest.mark.slow)])
def engine(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


@pytest.fixture(scope="module")
def failed(
    tmp_path_factory: pytest.TempPathFactory, engine: str
) -> tuple[Definitions, dict[str, Record], int]:
    """Run all of them once; returns the records by participant, and the exit code."""
    repo = definitions(tmp_path_factory.mktemp("failures"), seconds=10, folds=1)
    lend_libraries(repo.path, "mine")
    for name, (files, _, _) in FAILURES.items():
        enter(repo, name, files)
    repo.commit()
    done = repo.pullbench("run", "--engine", engine, "--jobs", "2", "--strict")
    records = {}
    for cell, record in repo.records().items():
        _, name, _ = cell.split("/", 2)
        assert name not in records, f"{name} has two records"
        records[name] = record
    return repo, records, done.returncode


@pytest.mark.parametrize("name", FAILURES)
def test_a_failure_is_one_record_with_its_reason(
    name: str, failed: tuple[Definitions, dict[str, Record], int]
) -> None:
    _, records, code = failed
    assert code == 1
    assert set(records) == set(FAILURES)
    _, reason, text = FAILURES[name]
    error = records[name].error
    assert error is not None
    assert error.actor == "participant"
    assert text in error.message
    assert reason in str(error.reason)


def test_the_reason_is_at_the_end_of_the_log(
    failed: tuple[Definitions, dict[str, Record], int],
) -> None:
    """AMLB books a setup that fails nowhere: no row, exit code 0."""
    _, records, _ = failed
    for name, text in {
        "setup": "No module named 'a_package_that_is_not_installed'",
        "error": "RuntimeError: no data",
    }.items():
        step = records[name].step("ingestion")
        assert step is not None
        assert text in step.log.splitlines()[-1]


@pytest.mark.slow
def test_killed_and_resumed_ten_folds_are_ten(tmp_path: Path, engine: str) -> None:
    repo = definitions(tmp_path, seconds=60, folds=10)
    lend_libraries(repo.path, "mine")
    enter(repo, "good", {"model.py": GOOD})
    repo.commit()
    assert len(repo.reasons()) == 10
    running = subprocess.Popen(
        command(repo.path, "run", "--engine", engine, "--jobs", "2"),
        env=dict(os.environ), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        start_new_session=True,
    )  # fmt: skip
    end = time.monotonic() + 120
    while len(repo.records()) < 3 and time.monotonic() < end:
        time.sleep(0.02)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(running.pid, signal.SIGKILL)
    running.wait()
    before = repo.records()
    assert 3 <= len(before) < 10
    assert len(repo.reasons()) == 10 - len(before)
    # Two at once, as two machines may do it: AMLB loses rows of one results.csv then.
    words = command(repo.path, "run", "--engine", engine, "--jobs", "1")
    both = [subprocess.Popen(words, stdout=subprocess.DEVNULL) for _ in range(2)]
    assert [each.wait() for each in both] == [0, 0]
    after = repo.records()
    assert {cell: after[cell] for cell in before} == before, "evaluated once"
    assert {record.cell.repeat for record in after.values()} == set(range(10))
    assert repo.reasons() == {}
