"""19.4.3: cells on a real Slurm, through dask-jobqueue. ``make slurm`` starts one and runs this."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.repository import Repository

pytestmark = pytest.mark.skipif(
    "PULLBENCH_SLURM" not in os.environ, reason="`make slurm` starts a Slurm for it"
)
SETTINGS = """
[tool.pullbench.executors.slurm]
cluster = "SLURMCluster"
workers = 2
wait = 120

[tool.pullbench.executors.slurm.options]
cores = 1
memory = "1GB"
processes = 1
walltime = "00:10:00"
interface = "lo"
log_directory = "{folder}/jobs"
local_directory = "{folder}/dask"
python = "{python}"
job_script_prologue = ["export PULLBENCH_CACHE={folder}/cache"]
scheduler_options = {{dashboard_address = ":0"}}
"""


def test_cells_run_in_jobs_of_slurm(small: Repository, tmp_path: Path) -> None:
    small.write("pyproject.toml", SETTINGS.format(folder=tmp_path, python=sys.executable))
    small.commit("A cluster")
    done = small.pullbench(
        "run", "adding", "--executor", "slurm", environment={"PYTHONWARNINGS": "ignore"}
    )
    assert done.returncode == 0, done.stdout + done.stderr
    records = small.records()
    assert len(records) == 4
    assert {record.provenance.isolation for record in records.values()} == {"docker"}
    assert {record.status for record in records.values()} == {"finished"}
    jobs = subprocess.run(
        ["squeue", "--noheader", "--states=RUNNING,PENDING"], capture_output=True, text=True
    )
    assert jobs.stdout == "", "the jobs end with the run"
    logs = "".join(path.read_text() for path in (tmp_path / "jobs").iterdir())
    assert logs.count("Starting Worker plugin pullbench-") == 2, logs
