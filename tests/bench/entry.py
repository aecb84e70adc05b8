"""Values of `make bench` as a submission to the board of what pullbench costs."""

import datetime as dt
import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

import yaml

ROOT = Path(__file__).parents[2]
BOARD = ROOT / "benchmarks/pullbench-costs/competition.yaml"


def columns() -> list[str]:
    """Names of the values that the board has."""
    (board,) = yaml.safe_load(BOARD.read_text())["leaderboards"]
    return [column["key"] for column in board["columns"]]


def submission(values: Mapping[str, float]) -> str:
    """Return the text of submission.yaml."""
    commit = subprocess.run(
        ["git", "-C", str(ROOT), "describe", "--always", "--dirty", "--abbrev=8"],
        capture_output=True, text=True, check=True,
    ).stdout.strip()  # fmt: skip
    models = [
        line.partition(":")[2].strip()
        for line in Path("/proc/cpuinfo").read_text().splitlines()
        if line.startswith("model name")
    ]
    load = os.getloadavg()[0]
    machine = f"{os.cpu_count()} cores, {next(iter(models), 'unknown')}, load {load:.1f} at the end"
    entry = {
        "kind": "reported",
        "name": commit,
        "source": f"make bench at {commit}",
        "scores": {"two-cores": {key: round(values[key], 3) for key in columns() if key in values}},
        "fact_sheet": {
            "commit": commit,
            "measured": dt.datetime.now(dt.UTC).date().isoformat(),
            "machine": machine,
        },
    }
    return yaml.safe_dump(entry, sort_keys=False, width=100)
