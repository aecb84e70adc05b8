"""Tells what a program in the prediction step can see and do."""

# ruff: noqa: PTH107, PTH208

import json
import os
import sys
from pathlib import Path


def status():
    lines = Path("/proc/self/status").read_text().splitlines()
    return {key: value.strip() for key, _, value in (line.partition(":") for line in lines)}


def attempt(action):
    try:
        action()
    except OSError as error:
        return type(error).__name__
    return "done"


facts = {
    "app": sorted(os.listdir("/app")),
    "submission": sorted(os.listdir("/app/ingested_program")),
    "output": sorted(os.listdir("/app/output")),
    "environment": dict(os.environ),
    "uid": os.getuid(),
    "gid": os.getgid(),
    "groups": os.getgroups(),
    "status": {
        key: value
        for key, value in status().items()
        if key in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb", "NoNewPrivs", "Seccomp")
    },
    "writes": {
        folder: attempt(lambda folder=folder: Path(folder, "written").write_text("x"))
        for folder in (
            "/",
            "/etc",
            "/usr",
            "/var/tmp",
            "/app",
            "/app/program",
            "/app/input_data",
            "/app/ingested_program",
            "/tmp",
            "/dev/shm",
            "/app/output",
        )
    },
}
os.remove("/app/output/written")
Path(sys.argv[1]).write_text(json.dumps(facts))
