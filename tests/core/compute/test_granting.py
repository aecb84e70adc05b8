"""Limits that a machine cannot grant: refused or marked, and never clamped in silence."""

import json
import os
import shutil
from pathlib import Path

import pytest

from evaluator.core.formats.record import Record
from evaluator.site.build import build
from tests.repository import Repository
from tests.site.conftest import ROOT

CELL = "adding/alice/right"
BUNDLE = "benchmarks/adding/competition.yaml"
SCRIPT = "benchmarks/adding/ingestion_program/ingestion.py"
HAS = len(os.sched_getaffinity(0))
CORES = f"{HAS} of {HAS + 2} cores"
MEMORY = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
TELLS = """\
import os

for name in ("PULLBENCH_CPUS", "PULLBENCH_MEMORY", "PULLBENCH_GPUS", "OMP_NUM_THREADS"):
    print(name, os.environ[name])
"""
ENGINES = [pytest.param("docker", marks=pytest.mark.docker), "subprocess", "warm"]


@pytest.fixture
def greedy(small: Repository, environments: Path) -> Repository:
    """A bundle that asks for two cores more than there are; its program says what it is told."""
    small.share_environments(environments)
    small.replace(BUNDLE, "cpus: 1", f"cpus: {HAS + 2}")
    small.write(SCRIPT, TELLS + (small.path / SCRIPT).read_text())
    small.commit("Ask for more")
    return small


def record(repo: Repository, task: str = "one") -> Record:
    return repo.records()[f"{CELL}/main/{task}"]


@pytest.mark.parametrize("engine", ENGINES)
def test_plan_marks_and_run_refuses_what_this_machine_is_too_small_for(
    greedy: Repository, engine: str
) -> None:
    planned = greedy.pullbench("plan").stdout
    assert f"{CELL}/main/one: no record yet (this machine has {CORES})" in planned
    assert "echo/alice/same/main/echo: no record yet\n" in planned
    done = greedy.pullbench("run", CELL, "--engine", engine)
    assert done.returncode == 0
    assert f"left out: 2 cells of adding, phase 'Main': this machine has {CORES}" in done.stdout
    assert "--with-less" in done.stdout
    assert not greedy.record_paths()


@pytest.mark.docker
def test_on_a_runner_it_is_the_platforms_fault(greedy: Repository, tmp_path: Path) -> None:
    out = tmp_path / "out"
    done = greedy.pullbench("run", CELL, "--output", str(out), environment={"CI": "true"})
    assert done.returncode == 3
    made = Repository(out).records()[f"{CELL}/main/one"]
    assert made.error is not None
    assert (made.error.actor, made.steps) == ("platform", [])
    assert made.error.message == f"this machine has {CORES} that the bundle asks for"
    assert "queue" in made.error.hint


@pytest.mark.parametrize(
    ("old", "new", "less"),
    [
        ("memory: 128 MiB", "memory: 4 TiB", f"{MEMORY / 2**30:,.4g} of 4,096 GiB of memory"),
        ("\npullbench:\n", "\npullbench:\n  gpus: 60\n", "of 60 GPUs"),
    ],
)
@pytest.mark.docker
def test_memory_and_gpus_alike(small: Repository, old: str, new: str, less: str) -> None:
    small.replace(BUNDLE, old, new)
    small.commit()
    assert less in small.pullbench("plan").stdout
    done = small.pullbench("run", CELL, "--engine", "docker")
    assert less in done.stdout
    assert not small.record_paths()


@pytest.mark.parametrize("engine", ENGINES)
def test_the_record_holds_what_was_granted_and_the_program_is_told_it(
    greedy: Repository, engine: str
) -> None:
    done = greedy.pullbench("run", CELL, "--engine", engine, "--with-less")
    assert done.returncode == 0
    assert f"with {CORES}" in done.stdout
    first, second = record(greedy).steps
    assert first.log.split() == [
        "PULLBENCH_CPUS", str(HAS), "PULLBENCH_MEMORY", str(2**27), "PULLBENCH_GPUS", "0",
        "OMP_NUM_THREADS", str(HAS),
    ]  # fmt: skip
    for step in (first, second):
        assert step.granted is not None
        assert (step.granted.cpus, step.granted.memory) == (HAS, 2**27)
        assert step.less == CORES


def test_a_cell_that_has_all_is_not_marked(greedy: Repository) -> None:
    greedy.replace(BUNDLE, f"cpus: {HAS + 2}", "cpus: 0.5")
    greedy.commit()
    greedy.pullbench("run", CELL, "--engine", "subprocess")
    (step, _) = record(greedy).steps
    assert step.granted is not None
    assert (step.granted.cpus, step.less) == (0.5, "")


@pytest.mark.slow
@pytest.mark.docker
def test_the_board_shows_it(greedy: Repository) -> None:
    for path in ("site", "mkdocs.yml"):
        source = ROOT / path
        (shutil.copytree if source.is_dir() else shutil.copy)(source, greedy.path / path)
    greedy.run(CELL)
    assert record(greedy).error is not None
    greedy.pullbench("run", CELL, "--fresh", "--engine", "docker", "--with-less")
    greedy.commit("Records")
    built = build.build_site(greedy.path).folder
    board = (built / "benchmarks/adding/index.html").read_text()
    assert f"ran with {CORES}" in board
    view = next(built.rglob("adding/view.json")).read_text()
    assert f"ran with {CORES}" in view
    page = (
        built / f"benchmarks/adding/submissions/{CELL.partition('/')[2]}/index.html"
    ).read_text()
    assert CORES in page
    assert f"{HAS} cores, 128" in page
    rows = json.loads((built / "api/v1/adding/main.json").read_text())["rows"]
    (row,) = (row for row in rows if row["submission"] == "right")
    assert row["tasks"]["one"]["less"] == CORES


@pytest.mark.slow
@pytest.mark.docker
def test_running_out_of_what_was_not_granted_is_not_the_participants_fault(
    greedy: Repository,
) -> None:
    greedy.write("submissions/adding/alice/right/main.py", "while True:\n    pass\n")
    greedy.commit("Too slow for so few cores")
    greedy.pullbench("run", f"{CELL}/main/one", "--engine", "docker", "--with-less")
    error = record(greedy).error
    assert error is not None
    assert (error.actor, error.reason) == ("platform", "platform fault")
    assert error.message.endswith(f", with {CORES}")
